/* bind.c -- the tree of bindings.
 *
 * Between two steps that look at tokens, a plan tests conditions, solves equations and tries colours.  None of that depends on a marking, so it is done when a node is
 * made: `advance` carries values from one MATCH to the next, or to the end, and makes a node of each that survives.
 *
 * A condition that cannot be evaluated is a fault of the model where the conditions before it are true and all tokens are there, which is not known before the binding is complete: the walk goes on and takes it along.
 *
 * What a token makes of a node does not depend on the other tokens, so that is remembered as well: (node, token) -> nodes.  Nodes are made there and nowhere else, each partial binding is one
 * node, and the list of a marking is put together from those of its tokens.
 *
 * Where a transition draws random values, a complete binding has as many leaves as it has different outcomes.
 *
 * The order of edges is that of the values in the order in which the plan binds them (net.h).  Tokens are visited in their own order, which is nearly that one; the
 * lists are sorted all the same, since a computed part that stands left of a variable may order them otherwise.
 *
 * Memory: 32 bytes for a node, 4 for each of its values, 16 to 32 for a pair of node and marking or token and 4 for each child.  When all of it is more than `most_bytes`, or when
 * somebody is refused memory, everything goes and grows again from what is needed now. */
#define _GNU_SOURCE /* qsort_r */
#include "colour/bind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAULTS_MOST = 1000, MOVES_LEAST = 1 << 12, MOVES_LEAST_BITS = 12 }; /* tag and slot must be 44 bits together */

static struct shelf *shelf_of(const struct bind *b) { return &b->net->values.shelf; }

int bind_open(struct bind *b, struct net *net, size_t most_bytes, struct mem *mem) {
  size_t usual = (size_t)128 << 20, share = mem->budget && mem->budget / 8 < usual ? mem->budget / 8 : usual;
  *b = (struct bind){.net = net, .mem = mem, .most_bytes = most_bytes ? most_bytes : share};
  b->few_markings = most_bytes && most_bytes < 4096 ? 0 : 4096; /* who may remember next to nothing asks for little of it */
  b->most_moves = MOVES_LEAST;
  while (2 * b->most_moves * sizeof *b->move <= b->most_bytes / 4) b->most_moves *= 2;
  b->move = mem_alloc(mem, MEM_MODEL, MOVES_LEAST * sizeof *b->move);
  b->move_bits = MOVES_LEAST_BITS;
  return b->move && bind_clock(b, 0) == 0 ? 0 : -1;
}

static void free_tables(struct bind *b) {
  vec_free(&b->node, b->mem);
  vec_free(&b->env, b->mem);
  vec_free(&b->child, b->mem);
  vec_free(&b->effect, b->mem);
  vec_free(&b->change, b->mem);
  vec_free(&b->root, b->mem);
  mem_free(b->mem, b->change_index);
  mem_free(b->mem, b->slot);
  b->change_index = NULL;
  b->slot = NULL;
  b->change_room = b->slots = 0;
}

void bind_drop(struct bind *b) {
  free_tables(b);
  for (size_t p = 0; p < b->net->places.count; p++) bags_clear(&b->net->places.at[p].effects);
  for (size_t s = 0; s < b->net->slices.count; s++) bags_clear(&b->net->slices.at[s].effects);
  memset(b->move, 0, sizeof *b->move << b->move_bits);
  uint64_t *less = mem_resize(b->mem, MEM_MODEL, b->move, MOVES_LEAST * sizeof *less);
  if (less) {
    b->move = less;
    b->move_bits = MOVES_LEAST_BITS;
  }
  b->moves = 0;
  b->dropped++;
}

void bind_close(struct bind *b) {
  if (!b->mem) return;
  free_tables(b);
  mem_free(b->mem, b->move);
  for (size_t i = 0; i < b->choices; i++) vec_free(&b->choice[i], b->mem);
  mem_free(b->mem, b->choice);
  vec_free(&b->clocks, b->mem);
  mem_free(b->mem, b->clock_index);
  vec_free(&b->faults, b->mem);
  vec_free(&b->fresh, b->mem);
  vec_free(&b->group, b->mem);
  vec_free(&b->take, b->mem);
  vec_free(&b->give, b->mem);
  vec_free(&b->part, b->mem);
}

int bind_too_much(const struct bind *b) {
  return b->node.room * sizeof *b->node.at + (b->env.room + b->child.room) * 4 + b->effect.room * sizeof *b->effect.at +
             b->change.room * sizeof *b->change.at + b->change_room * 4 + b->root.room * sizeof *b->root.at + (b->slot ? b->slot->room : 0) * sizeof *b->slot->slot >
         b->most_bytes;
}

static uint32_t find_clock(const struct bind *b, int64_t time) {
  const struct shelf_index *x = shelf_follow(b->clock_index);
  uint32_t there;
  for (size_t at = hash_mix((uint64_t)time); x && (there = shelf_load(x->slot[at & (x->room - 1)])); at++)
    if (bind_time(b, there - 1) == time) return there - 1;
  return UINT32_MAX;
}

static int grow_clock_index(struct bind *b) {
  struct shelf_index *old = b->clock_index, *fresh = shelf_index_new(shelf_of(b), old ? 2 * old->room : 64);
  if (!fresh) return -1;
  for (uint32_t i = 0; i < b->clocks.count; i++) shelf_index_put(fresh, hash_mix((uint64_t)b->clocks.at[i]), i);
  shelf_publish(b->clock_index, fresh);
  shelf_retire(shelf_of(b), old);
  return 0;
}

static uint32_t add_clock(struct bind *b, int64_t time) {
  if ((!b->clock_index || 2 * (b->clocks.count + 1) > b->clock_index->room) && grow_clock_index(b)) return UINT32_MAX;
  if (shelf_push(&b->clocks, shelf_of(b), time)) return UINT32_MAX;
  shelf_index_put(b->clock_index, hash_mix((uint64_t)time), (uint32_t)b->clocks.count - 1);
  return (uint32_t)b->clocks.count - 1;
}

uint32_t bind_clock(struct bind *b, int64_t time) {
  struct shelf *shelf = shelf_of(b);
  uint32_t number = find_clock(b, time);
  if (number != UINT32_MAX) return number;
  shelf_lock(shelf);
  if (shelf->several) number = find_clock(b, time);
  if (number == UINT32_MAX) number = add_clock(b, time);
  shelf_unlock(shelf);
  return number;
}

/* ---- faults -------------------------------------------------------------------------------------------------------------------------- */

uint32_t bind_tell_text(struct bind *b, uint32_t transition, const char *text) {
  for (size_t i = 0; i < b->faults.count; i++)
    if (b->faults.at[i].transition == transition && strcmp(b->faults.at[i].text, text) == 0) return (uint32_t)i + 1;
  if (b->faults.count == FAULTS_MOST) return FAULTS_MOST;
  const char *kept = arena_strndup(&b->net->arena, text, strlen(text));
  if (!kept || vec_push(&b->faults, b->mem, MEM_MODEL, (struct bind_fault){transition, kept})) return 0;
  return (uint32_t)b->faults.count;
}

uint32_t bind_tell(struct bind *b, uint32_t transition, const char *where, enum ml_answer answer) {
  char text[500];
  const char *fault = answer == ML_STEPS ? "the evaluation takes too many steps and seems not to end" : ml_machine_fault(b->net->machine);
  snprintf(text, sizeof text, "transition %s, %s: %s", b->net->transitions.at[transition].name, where, fault && *fault ? fault : "it cannot be evaluated");
  ml_machine_clear(b->net->machine);
  return bind_tell_text(b, transition, text);
}

/* ---- nodes ---------------------------------------------------------------------------------------------------------------------------- */

struct walk {
  struct bind *b;
  const struct net_transition *t;
  uint32_t transition, clock;
  uint32_t fault, raised; /* a condition that cannot be evaluated: what is told of it + 1, 0 = none; its place in the guard */
  uint32_t env[NET_VARIABLES];
};

static int64_t now_of(const struct walk *w) { return bind_time(w->b, w->clock); }

/* A leaf that does what another one of this binding does. */
static int same_leaf(const struct bind *b, const struct walk *w, const struct bind_node *x, const struct bind_node *y) {
  return x->fault == y->fault && x->effects == y->effects && memcmp(b->env.at + x->env, w->env, w->t->variables * sizeof *w->env) == 0 &&
         (!x->effects || memcmp(b->effect.at + x->effect, b->effect.at + y->effect, x->effects * sizeof *b->effect.at) == 0);
}

static int make_node(struct walk *w, struct bind_node n, size_t first) {
  struct bind *b = w->b;
  n.transition = w->transition;
  n.clock = w->clock;
  n.env = (uint32_t)b->env.count;
  if (b->env.count > UINT32_MAX - NET_VARIABLES || b->node.count >= BIND_TOKEN - 2) return -1;
  if (n.place == BIND_LEAF && bind_effects(b, &n, w->env)) return -1;
  for (size_t i = first; i < b->fresh.count; i++)
    if (same_leaf(b, w, &b->node.at[b->fresh.at[i]], &n)) return 0;
  n.env = (uint32_t)b->env.count;
  if (shelf_reserve(&b->env, shelf_of(b), w->t->variables + 1) || shelf_push(&b->node, shelf_of(b), n) ||
      vec_push(&b->fresh, b->mem, MEM_MODEL, (uint32_t)b->node.count - 1))
    return -1;
  memcpy(b->env.at + b->env.count, w->env, w->t->variables * sizeof *w->env);
  b->env.count += w->t->variables;
  return 0;
}

/* A complete binding: one leaf, or one for each different outcome of what it draws, in the order of the draws. */
static int make_leaves(struct walk *w, uint32_t step) {
  struct bind *b = w->b;
  struct bind_node leaf = {.place = BIND_LEAF, .step = step, .fault = w->fault};
  size_t first = b->fresh.count;
  int status;
  if (!w->t->draws) return make_node(w, leaf, SIZE_MAX);
  ml_tape_open(&b->tape);
  ml_machine_tape(b->net->machine, &b->tape);
  do {
    status = make_node(w, leaf, first);
    b->tape.too_many |= b->fresh.count - first > ML_OUTCOMES;
  } while (!status && ml_tape_next(&b->tape));
  ml_machine_tape(b->net->machine, NULL);
  if (!status && b->tape.too_many) status = make_node(w, (struct bind_node){.place = BIND_FAULT, .fault = BIND_TOO_MANY}, SIZE_MAX);
  return status;
}

static int make_fault(struct walk *w, const char *where, enum ml_answer answer) {
  if (answer == ML_MEMORY) return -1;
  uint32_t fault = bind_tell(w->b, w->transition, where, answer);
  return fault ? make_node(w, (struct bind_node){.place = BIND_FAULT, .fault = fault}, SIZE_MAX) : -1;
}

static int compare_numbers(const void *x, const void *y, void *context) {
  return values_compare(context, *(const uint32_t *)x, *(const uint32_t *)y);
}

struct hearing {
  struct bind *b;
  uint32_t number;
};

static int hear_colour(void *context, ml_value value) {
  struct hearing *h = context;
  uint32_t number = values_keep(&h->b->net->values, value);
  return number == VALUES_NONE || vec_push(&h->b->choice[h->number], h->b->mem, MEM_MODEL, number) ? -1 : 0;
}

/* All colours of a set, in order: made once. */
static int make_choices(struct bind *b, const struct ml_colset *c) {
  if (c->number >= b->choices) {
    void *more = mem_resize(b->mem, MEM_MODEL, b->choice, ((size_t)c->number + 1) * sizeof *b->choice);
    if (!more) return -1;
    b->choice = more;
    b->choices = (size_t)c->number + 1;
  }
  if (b->choice[c->number].count) return 0;
  struct hearing h = {b, c->number};
  struct ml_heap *heap;
  if (ml_heap_open(&heap, b->mem)) return -1;
  int status = ml_colset_values(b->net->machine, c, heap, hear_colour, &h);
  ml_heap_close(heap);
  if (!status) qsort_r(b->choice[c->number].at, b->choice[c->number].count, sizeof(uint32_t), compare_numbers, &b->net->values);
  else b->choice[c->number].count = 0;
  return status;
}

/* From `step` to the next MATCH or the end; w->env and known hold what is bound. */
static int advance(struct walk *w, uint32_t step, uint64_t known) {
  struct net *net = w->b->net;
  for (; step < w->t->plan.count; step++) {
    const struct net_step *s = &w->t->plan.at[step];
    enum ml_answer answer = ML_OK;
    ml_value value;
    if (s->kind == NET_MATCH) return make_node(w, (struct bind_node){.place = s->place, .step = step, .fault = w->fault, .effect = w->raised}, SIZE_MAX);
    if (s->kind == NET_CHOOSE) {
      const struct ml_colset *c = w->t->variable[s->variable]->colset;
      if (make_choices(w->b, c)) return -1;
      for (size_t i = 0; i < w->b->choice[c->number].count; i++) {
        struct walk kept = *w;
        w->env[s->variable] = w->b->choice[c->number].at[i];
        if (advance(w, step + 1, known | (uint64_t)1 << s->variable)) return -1;
        *w = kept;
      }
      return 0;
    }
    if (s->kind == NET_TEST && w->fault && s->condition > w->raised) continue; /* nobody asks what stands behind it */
    answer = net_run(net, w->t, s->code, w->env, known, now_of(w), &value);
    if (s->kind == NET_TEST && (answer == ML_RAISED || answer == ML_STEPS)) {
      if (!(w->fault = bind_tell(w->b, w->transition, "guard", answer))) return -1;
      w->raised = s->condition;
      continue;
    }
    if (answer != ML_OK) return make_fault(w, "guard", answer);
    if (s->kind == NET_TEST) {
      int true_ = ml_to_int(value) != 0;
      ml_machine_clear(net->machine);
      if (!true_) return 0;
      continue;
    }
    uint32_t number = values_keep(&net->values, value);
    ml_machine_clear(net->machine);
    if (number == VALUES_NONE) return -1;
    int fit = match_pattern(net, w->t, s->pattern, values_word(&net->values, number), w->env, &known, now_of(w), &answer);
    if (fit == -2) return make_fault(w, "guard", answer);
    if (fit != 1) return fit;
  }
  return make_leaves(w, step);
}

/* What `advance` made becomes a list. */
static int close_list(struct bind *b, size_t fresh, struct bind_list *out) {
  size_t count = b->fresh.count - fresh;
  if (b->child.count + count > UINT32_MAX - 1 || shelf_reserve(&b->child, shelf_of(b), count)) return -1;
  *out = (struct bind_list){(uint32_t)b->child.count, (uint32_t)count};
  if (count) memcpy(b->child.at + b->child.count, b->fresh.at + fresh, count * sizeof *b->fresh.at);
  b->child.count += count;
  b->fresh.count = fresh;
  return 0;
}

static inline int root_found(const struct bind *b, size_t at, struct bind_list *out) {
  if (at >= shelf_count(&b->root)) return 0;
  const struct bind_list *root = shelf_at(&b->root, at);
  out->start = shelf_load(root->start);
  if (out->start == UINT32_MAX) return 0;
  out->count = root->count;
  return 1;
}

static int make_root(struct bind *b, uint32_t transition, uint32_t clock, size_t at, struct bind_list *out) {
  if (root_found(b, at, out)) return 0;
  while (at >= b->root.count)
    if (shelf_push(&b->root, shelf_of(b), (struct bind_list){UINT32_MAX, 0})) return -1;
  struct walk w = {.b = b, .t = &b->net->transitions.at[transition], .transition = transition, .clock = clock};
  b->fresh.count = 0;
  if (advance(&w, 0, 0) || close_list(b, 0, out)) return -1;
  b->root.at[at].count = out->count;
  shelf_publish(b->root.at[at].start, out->start);
  return 0;
}

int bind_root(struct bind *b, uint32_t transition, uint32_t clock, struct bind_list *out) {
  size_t at = (size_t)clock * b->net->transitions.count + transition;
  if (root_found(b, at, out)) return 0;
  shelf_lock(shelf_of(b));
  int status = make_root(b, transition, clock, at, out);
  shelf_unlock(shelf_of(b));
  return status;
}

/* ---- children --------------------------------------------------------------------------------------------------------------------------- */

static void put_slot(struct bind_slots *all, const struct bind_slot *what) {
  size_t at = bind_slot_of(what->node, what->marking);
  while (all->slot[at & (all->room - 1)].node) at++;
  struct bind_slot *s = &all->slot[at & (all->room - 1)];
  s->marking = what->marking;
  s->list = what->list;
  shelf_publish(s->node, what->node);
}

static int grow_slots(struct bind *b) {
  struct bind_slots *old = b->slot;
  size_t room = old ? 2 * old->room : 256;
  struct bind_slots *fresh = shelf_room(shelf_of(b)) ? NULL : mem_alloc(b->mem, MEM_MODEL, sizeof *fresh + room * sizeof *fresh->slot);
  if (!fresh) return -1;
  fresh->room = room;
  for (size_t i = 0; old && i < old->room; i++)
    if (old->slot[i].node) put_slot(fresh, &old->slot[i]);
  shelf_publish(b->slot, fresh);
  shelf_retire(shelf_of(b), old);
  return 0;
}

static int gather_known(void *context, uint32_t variable) {
  uint64_t *known = ((void **)context)[0];
  int local = net_local(((void **)context)[1], variable);
  if (local >= 0) *known |= (uint64_t)1 << local;
  return 0;
}

/* The variables that are bound before a step of the plan. */
static uint64_t known_at(const struct net_transition *t, uint32_t step) {
  uint64_t known = 0;
  void *context[2] = {&known, (void *)t};
  for (uint32_t i = 0; i < step; i++) {
    const struct net_step *s = &t->plan.at[i];
    if (s->kind == NET_CHOOSE) known |= (uint64_t)1 << s->variable;
    else if (s->pattern) pattern_variables(s->pattern, 0, gather_known, context);
  }
  return known;
}

/* Room for one list more, and for one that is put together of others. */
static int reserve_slot(struct bind *b) { return (!b->slot || 2 * (b->slots + 2) > b->slot->room) && grow_slots(b) ? -1 : 0; }

static void enter(struct bind *b, uint32_t key, uint32_t second, struct bind_list list) {
  put_slot(b->slot, &(struct bind_slot){key, second, list});
  b->slots++;
}

/* What becomes of a node with one token: the same in every marking that has it. */
static int match_token(struct bind *b, uint32_t node, uint32_t token, struct bind_list *out) {
  uint32_t key = (node + 1) | BIND_TOKEN;
  if (bind_found(b, key, token, out)) return 0;
  if (reserve_slot(b)) return -1;
  struct bind_node n = b->node.at[node];
  struct walk w = {.b = b, .t = &b->net->transitions.at[n.transition], .transition = n.transition, .clock = n.clock, .fault = n.fault, .raised = n.effect};
  uint64_t known = known_at(w.t, n.step);
  enum ml_answer answer = ML_OK;
  memcpy(w.env, b->env.at + n.env, w.t->variables * sizeof *w.env);
  b->fresh.count = 0;
  int fit = match_pattern(b->net, w.t, w.t->plan.at[n.step].pattern, values_word(&b->net->values, token), w.env, &known, now_of(&w), &answer);
  if (fit == -1 || (fit == -2 && make_fault(&w, "arc", answer))) return -1;
  if ((fit == 1 && advance(&w, n.step + 1, known)) || close_list(b, 0, out)) return -1;
  enter(b, key, token, *out);
  return 0;
}

int bind_with_token(struct bind *b, uint32_t node, uint32_t token, struct bind_list *out) {
  shelf_lock(shelf_of(b));
  int status = match_token(b, node, token, out);
  shelf_unlock(shelf_of(b));
  return status;
}

/* Two nodes of one transition, by the values of the variables in the order of the plan; both have bound the same ones. */
static int compare_nodes(const struct bind *b, uint32_t x, uint32_t y, uint64_t known) {
  const struct net_transition *t = &b->net->transitions.at[b->node.at[x].transition];
  const uint32_t *p = b->env.at + b->node.at[x].env, *q = b->env.at + b->node.at[y].env;
  for (uint32_t i = 0; i < t->variables && known >> t->order[i] & 1; i++) {
    int order = values_compare(&b->net->values, p[t->order[i]], q[t->order[i]]);
    if (order) return order;
  }
  return 0;
}

/* The lists of the tokens, put into order: they nearly always are. */
static void sort_groups(struct bind *b, uint64_t known) {
  struct bind_list *g = b->group.at;
  for (size_t i = 1; i < b->group.count; i++) {
    struct bind_list x = g[i];
    size_t at = i;
    for (; at && compare_nodes(b, b->child.at[g[at - 1].start], b->child.at[x.start], known) > 0; at--) g[at] = g[at - 1];
    g[at] = x;
  }
}

static int match_marking(struct bind *b, uint32_t node, uint32_t marking, struct bind_list *out) {
  if (bind_found(b, node + 1, marking, out)) return 0;
  struct bind_node n = b->node.at[node];
  const struct net_transition *t = &b->net->transitions.at[n.transition];
  const struct bags *bags = &b->net->places.at[n.place].markings;
  int64_t now = b->clocks.at[n.clock];
  uint32_t last = VALUES_NONE;
  size_t count = 0;
  b->group.count = 0;
  for (size_t i = 0; i < bags_at(bags, marking).words; i += bags->each) {
    const uint32_t *entry = bags_at(bags, marking).at + i;
    struct bind_list list;
    if (entry[0] == last || (bags->each == 4 && bag_time(entry) > now && !bind_early(b, &n))) continue;
    last = entry[0];
    if (match_token(b, node, last, &list) || (list.count && vec_push(&b->group, b->mem, MEM_MODEL, list))) return -1;
    count += list.count;
  }
  sort_groups(b, known_at(t, n.step + 1));
  if (reserve_slot(b)) return -1;
  if (b->group.count == 1) *out = b->group.at[0];
  else {
    if (b->child.count + count > UINT32_MAX - 1 || shelf_reserve(&b->child, shelf_of(b), count)) return -1;
    *out = (struct bind_list){(uint32_t)b->child.count, (uint32_t)count};
    for (size_t i = 0; i < b->group.count; i++) {
      struct bind_list g = b->group.at[i];
      memcpy(b->child.at + b->child.count, b->child.at + g.start, g.count * sizeof *b->child.at);
      b->child.count += g.count;
    }
  }
  enter(b, node + 1, marking, *out);
  return 0;
}

int bind_expand(struct bind *b, uint32_t node, uint32_t marking, struct bind_list *out) {
  shelf_lock(shelf_of(b));
  int status = match_marking(b, node, marking, out);
  shelf_unlock(shelf_of(b));
  return status;
}
