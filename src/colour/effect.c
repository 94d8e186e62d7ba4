/* effect.c -- what a complete binding does to the places, and what that makes of their markings.
 *
 * All arcs between a transition and a place become one change: a bag that is taken and a bag that is given.  Changes are kept once, so that bindings with the same effect
 * on a place share what is remembered about it (all five philosophers who leave the table give the same token to the butler).
 *
 * Moves are remembered in a table that forgets: each pair of change and marking has one slot, whose last owner it holds, in 8 bytes.  It doubles when half of it is in use, up to a share
 * of the budget.  A chained table that keeps everything was no faster where everything fits, and worse where it does not.
 *
 * Changes that can fail come first in a binding's list, those of places that the tree has not looked at before the others: what is missing is seen early. */
#include "colour/bind.h"

#include "ml/heap.h"

#include <stdio.h>
#include <string.h>

/* ---- changes ------------------------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_change(const struct bind_change *c) {
  return hash_pair((uint64_t)c->place << 32 | c->take, (uint64_t)c->give << 32 | c->flags);
}

static int grow_changes(struct bind *b) {
  size_t room = b->change_room ? 2 * b->change_room : 64;
  uint32_t *fresh = mem_alloc(b->mem, MEM_MODEL, room * sizeof *fresh);
  if (!fresh) return -1;
  for (uint32_t i = 0; i < b->change.count; i++) {
    size_t at = hash_change(&b->change.at[i]) & (room - 1);
    while (fresh[at]) at = (at + 1) & (room - 1);
    fresh[at] = i + 1;
  }
  mem_free(b->mem, b->change_index);
  b->change_index = fresh;
  b->change_room = room;
  return 0;
}

static uint32_t put_change(struct bind *b, struct bind_change c) {
  if (2 * (b->change.count + 1) > b->change_room && grow_changes(b)) return UINT32_MAX;
  size_t at = hash_change(&c) & (b->change_room - 1);
  for (; b->change_index[at]; at = (at + 1) & (b->change_room - 1))
    if (memcmp(&b->change.at[b->change_index[at] - 1], &c, sizeof c) == 0) return b->change_index[at] - 1;
  if (shelf_push(&b->change, &b->net->values.shelf, c)) return UINT32_MAX;
  b->change_index[at] = (uint32_t)b->change.count;
  return (uint32_t)b->change.count - 1;
}

/* ---- moves ----------------------------------------------------------------------------------------------------------------------------------- */

/* Where the lower bits of the old slot go is in the tag: 44 - bits - 1 of them. 0 or -1. */
static int grow_moves(struct bind *b) {
  size_t olds = (size_t)1 << b->move_bits;
  uint64_t *old = b->move, *fresh = mem_alloc(b->mem, MEM_MODEL, 2 * olds * sizeof *fresh);
  if (!fresh) return -1; /* then it forgets more */
  b->move = fresh;
  b->move_bits++;
  b->moves = 0;
  for (size_t i = 0; i < olds; i++) {
    if (!old[i]) continue;
    unsigned rest = 2 * BIND_MOVE_BITS - b->move_bits + 1;
    *bind_move_slot(b, (uint64_t)i << rest | (old[i] & (((uint64_t)1 << rest) - 1))) = old[i];
    b->moves++;
  }
  mem_free(b->mem, old);
  return 0;
}

static int moves_crowded(const struct bind *b) { return 2 * b->moves > (size_t)1 << b->move_bits && (size_t)1 << b->move_bits < b->most_moves; }

void bind_between(struct bind *b) {
  while (moves_crowded(b) && !grow_moves(b)) {}
}

static void remember(struct bind *b, uint32_t change, uint32_t marking, uint32_t result) {
  if ((change | marking) >> BIND_MOVE_BITS || result == BAGS_MANY) return;
  if (!b->net->values.shelf.several && moves_crowded(b)) grow_moves(b);
  uint64_t mixed = bind_mixed(change, marking), *slot = bind_move_slot(b, mixed);
  if (!__atomic_load_n(slot, __ATOMIC_RELAXED)) __atomic_store_n(&b->moves, __atomic_load_n(&b->moves, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED); /* about: some may be counted once where two come at a time */
  shelf_publish(*slot, (uint64_t)(result == BAGS_LACKS ? UINT32_MAX : result + 1) << 32 | (uint32_t)mixed);
}

uint32_t bind_move_slow(struct bind *b, uint32_t change, uint32_t marking, bag_words *scratch) {
  const struct bind_change *c = bind_change(b, change);
  struct net_place *p = net_field_place(b->net, c->place);
  struct bag from = bags_at(&p->markings, marking), take = bags_at(&p->effects, c->take), give = bags_at(&p->effects, c->give);
  uint32_t result;
  if (c->flags & CHANGE_EMPTY && from.words) result = BAGS_LACKS;
  else {
    uint32_t status = bag_move(&p->markings, from, take, give, scratch);
    if (!status && c->flags & CHANGE_RESET) status = bag_move(&p->markings, (struct bag){0}, (struct bag){0}, give, scratch);
    result = status ? status : bags_put(&p->markings, scratch->at, scratch->count);
  }
  if (result == BAGS_NONE) return result;
  remember(b, change, marking, result);
  return result;
}

/* ---- leaves ------------------------------------------------------------------------------------------------------------------------------------- */

struct leaf {
  struct bind *b;
  const struct net_transition *t;
  struct bind_node *node;
  uint32_t *env;
  uint64_t known;
  int64_t now, delay;
};

#define LATE "time: a time stamp is beyond all that a clock shows"

/* Something went wrong: 0, or -1 (memory). What was taken stays what it was. */
static int refuse(struct leaf *l, const char *where, enum ml_answer answer) {
  if (answer == ML_MEMORY) return -1;
  if (!l->node->fault && !(l->node->fault = bind_tell(l->b, l->node->transition, where, answer))) return -1;
  ml_machine_clear(l->b->net->machine);
  return 0;
}

static int refuse_text(struct leaf *l, const char *text) {
  char full[500];
  snprintf(full, sizeof full, "transition %s, %s", l->t->name, text);
  return l->node->fault || (l->node->fault = bind_tell_text(l->b, l->node->transition, full)) ? 0 : -1;
}

/* Runs the code segment: its outputs are variables like the others from then on. */
static int act(struct leaf *l) {
  ml_value value;
  struct net *net = l->b->net;
  if (!l->t->action || l->node->fault) return 0;
  enum ml_answer answer = net_run(net, l->t, l->t->action, l->env, l->known, l->now, &value);
  if (answer != ML_OK) return refuse(l, "code segment", answer);
  for (uint32_t i = 0; i < l->t->outputs; i++) {
    uint32_t number = values_keep(&net->values, net_output(l->t, value, i)), local = l->t->output[i];
    if (number == VALUES_NONE) return -1;
    if (ml_belongs(net->machine, l->t->variable[local]->colset, values_word(&net->values, number)) != 1 &&
        refuse_text(l, "code segment: an output does not belong to the colour set of its variable"))
      return -1;
    l->env[local] = number;
    l->known |= (uint64_t)1 << local;
  }
  ml_machine_clear(net->machine);
  return 0;
}

static int wait(struct leaf *l) {
  ml_value value;
  if (!l->t->delay || l->node->fault) return 0;
  enum ml_answer answer = net_run(l->b->net, l->t, l->t->delay, l->env, l->known, l->now, &value);
  if (answer != ML_OK) return refuse(l, "time", answer);
  l->delay = ml_instant(l->b->net->real_time, value);
  ml_machine_clear(l->b->net->machine);
  if (l->delay == INSTANT_NONE) return refuse_text(l, LATE);
  return l->delay < 0 ? refuse_text(l, "time: the delay is negative") : 0;
}

/* Colours that do not belong to the place's colour set. */
static int check_colours(struct leaf *l, const struct net_place *p, const bag_words *words) {
  struct net *net = l->b->net;
  for (size_t i = 0; i < words->count && !l->node->fault; i += p->effects.each) {
    ml_value word = values_word(&net->values, words->at[i]);
    if (ml_belongs(net->machine, p->colset, word) == 1) continue;
    char shown[100], text[400];
    ml_print(p->colset, word, shown, sizeof shown);
    snprintf(text, sizeof text, "arc to %.100s: %s does not belong to colour set %.100s", p->name, shown, p->colset->name);
    if (refuse_text(l, text)) return -1;
  }
  return 0;
}

/* Adds what an arc says to a bag. An arc that cannot be evaluated is told if the others have their tokens. */
static int add_arc(struct leaf *l, const struct net_arc *a, struct net_place *p, int64_t later, bag_words *sum, int output) {
  struct bind *b = l->b;
  ml_value value;
  char where[200];
  enum ml_answer answer = net_run(b->net, l->t, a->code, l->env, l->known, l->now, &value);
  snprintf(where, sizeof where, "arc %s %.150s", output ? "to" : "from", p->name);
  if (answer != ML_OK) return refuse(l, where, answer);
  uint32_t status = bag_from_value(&p->effects, value, later, &b->part);
  ml_machine_clear(b->net->machine);
  for (size_t i = 0; i < b->part.count && !status; i += p->effects.each)
    status = bag_add(&p->effects, sum, b->part.at[i], b->part.at[i + 1], p->effects.each == 4 ? bag_time(b->part.at + i) : 0);
  if (status == BAGS_MANY) return refuse_text(l, "more tokens than can be counted");
  if (status == BAGS_LATE) return refuse_text(l, LATE);
  if (status) return -1;
  return output ? check_colours(l, p, &b->part) : 0;
}

static int add_effect(struct leaf *l, struct bind_change c) {
  uint32_t change = put_change(l->b, c);
  if (change == UINT32_MAX || shelf_push(&l->b->effect, &l->b->net->values.shelf, (struct bind_effect){c.place, change})) return -1;
  l->node->effects++;
  return 0;
}

/* Of a bag what belongs to one slice: its number among the slice's effects. A colour without a cell is seen by spare_implied. */
static uint32_t put_part(struct bind *b, uint32_t place, uint32_t slice, struct net_place *to, const bag_words *bag) {
  if (implied_part(b->implied, place, slice, (struct bag){bag->at, bag->count}, &b->part) < 0) return BAGS_NONE;
  return bags_put(&to->effects, b->part.at, b->part.count);
}

/* What happens to a place that is cut happens to its slices. */
static int change_slices(struct leaf *l, uint32_t place) {
  struct bind *b = l->b;
  const struct implied_place *p = b->implied ? &b->implied->place[place] : NULL;
  for (uint32_t s = 0; p && s < p->slices; s++) {
    struct net_place *to = net_field_place(b->net, p->slice + s);
    struct bind_change c = {.place = p->slice + s, .take = put_part(b, place, s, to, &b->take), .give = put_part(b, place, s, to, &b->give)};
    if (c.take == BAGS_NONE || c.give == BAGS_NONE || ((c.take || c.give) && add_effect(l, c))) return -1;
  }
  return 0;
}

/* Everything between the transition and one place. */
static int change_place(struct leaf *l, uint32_t place) {
  struct bind *b = l->b;
  struct net *net = b->net;
  struct net_place *p = &net->places.at[place];
  struct bind_change c = {.place = place};
  b->take.count = b->give.count = 0;
  for (uint32_t i = 0; i < l->t->arcs; i++) {
    const struct net_arc *a = &net->arcs.at[l->t->arc + i];
    if (a->place != place) continue;
    if (a->kind == DRAWING_RESET) c.flags |= CHANGE_RESET;
    if (a->kind == DRAWING_INHIBITOR) c.flags |= CHANGE_EMPTY;
    if ((a->kind == DRAWING_TO_TRANSITION || a->kind == DRAWING_TEST) && add_arc(l, a, p, 0, &b->take, 0)) return -1;
    if ((a->kind == DRAWING_TO_PLACE || a->kind == DRAWING_TEST) && !l->node->fault &&
        add_arc(l, a, p, p->colset->timed ? l->delay : 0, &b->give, 1))
      return -1;
  }
  c.take = bags_put(&p->effects, b->take.at, b->take.count);
  c.give = bags_put(&p->effects, b->give.at, b->give.count);
  if (c.take == BAGS_NONE || c.give == BAGS_NONE) return -1;
  if (!c.take && !c.give && !c.flags) return 0;
  return add_effect(l, c) || change_slices(l, place) ? -1 : 0;
}

static int first_arc_of(const struct net *net, const struct net_transition *t, uint32_t arc) {
  for (uint32_t i = 0; i < arc; i++)
    if (net->arcs.at[t->arc + i].place == net->arcs.at[t->arc + arc].place) return 0;
  return 1;
}

/* Does the tree of bindings look at the place's tokens? */
static const struct net_step *matched(const struct net_transition *t, uint32_t place) {
  for (size_t i = 0; i < t->plan.count; i++)
    if (t->plan.at[i].kind == NET_MATCH && t->plan.at[i].place == place) return &t->plan.at[i];
  return NULL;
}

/* Rank of a change: what fails most likely goes first. */
static int rank(const struct bind *b, const struct net_transition *t, const struct bind_effect *e) {
  if (e->place & EFFECT_BREAKS) return 3;
  const struct bind_change *c = &b->change.at[e->change];
  if (!c->take && !(c->flags & CHANGE_EMPTY)) return 2;
  return matched(t, e->place & EFFECT_PLACE) != NULL;
}

static void sort_effects(struct bind *b, const struct net_transition *t, const struct bind_node *n) {
  if (n->effects < 2) return;
  struct bind_effect *e = b->effect.at + n->effect;
  for (uint32_t i = 1; i < n->effects; i++) {
    struct bind_effect x = e[i];
    uint32_t at = i;
    for (; at && rank(b, t, &e[at - 1]) > rank(b, t, &x); at--) e[at] = e[at - 1];
    e[at] = x;
  }
}

/* ---- implied places ---------------------------------------------------------------------------------------------------------------------------- */

/* Must somebody look whether the tokens are there? Not if slices do; not if one token is taken, and it is the one that the tree has found. */
static int must_check(const struct bind *b, const struct net_transition *t, const struct bind_change *c) {
  if (c->flags & CHANGE_EMPTY) return 1;
  if (!c->take || (b->implied->place[c->place].slices && !b->all_checks)) return 0;
  const struct bags *effects = &b->net->places.at[c->place].effects;
  const struct net_step *s = matched(t, c->place);
  return b->all_checks || !s || !s->sure || bag_tokens(effects, bags_at(effects, c->take)) > 1;
}

/* Drops from the list what need not be done to implied places. 0 or -1. */
static int spare_implied(struct bind *b, const struct net_transition *t, struct bind_node *node) {
  const struct implied *im = b->implied;
  uint32_t kept = 0, all = node->effects;
  if (!im || node->place != BIND_LEAF) return 0;
  for (uint32_t p = 0; p < b->net->places.count && !node->fault; p++) {
    if (!im->place[p].dropped || implied_judge(im, b, node, p)) continue;
    if (shelf_push(&b->effect, &b->net->values.shelf, (struct bind_effect){p | EFFECT_BREAKS, 0})) return -1;
    all++;
  }
  struct bind_effect *e = b->effect.at + node->effect;
  for (uint32_t i = 0; i < all; i++) {
    int implied = e[i].place < b->net->places.count && im->place[e[i].place].dropped;
    if (implied && !must_check(b, t, &b->change.at[e[i].change])) continue;
    e[kept] = e[i];
    e[kept++].place |= implied ? EFFECT_CHECK : 0;
  }
  node->effects = kept;
  b->effect.count = (size_t)node->effect + kept;
  return 0;
}

int bind_effects(struct bind *b, struct bind_node *node, uint32_t *env) {
  struct net *net = b->net;
  const struct net_transition *t = &net->transitions.at[node->transition];
  struct leaf l = {.b = b, .t = t, .node = node, .env = env, .now = bind_time(b, node->clock)};
  for (uint32_t i = 0; i < t->variables; i++) l.known |= (uint64_t)1 << i;
  for (uint32_t i = 0; i < t->outputs; i++) l.known &= ~((uint64_t)1 << t->output[i]);
  if (b->effect.count > UINT32_MAX - t->arcs) return -1;
  node->effect = (uint32_t)b->effect.count;
  node->effects = 0;
  if (act(&l) || wait(&l)) return -1;
  for (uint32_t i = 0; i < t->arcs; i++)
    if (first_arc_of(net, t, i) && change_place(&l, net->arcs.at[t->arc + i].place)) return -1;
  if (spare_implied(b, t, node)) return -1;
  sort_effects(b, t, node);
  return 0;
}
