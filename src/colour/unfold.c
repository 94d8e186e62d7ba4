/* unfold.c -- see unfold.h.
 *
 * Only what tokens can get to.  Each place has a list of the colours that its tokens may have; it begins with the initial marking.  A binding may happen if every token that it takes is in such a list (how
 * many of them there are is not asked: this is more than can happen, never less); what it gives is added to the lists, until nothing is new.
 *
 *   item      n'term of an arc to a transition, where the term is a colour: a token that matches it binds variables (symmetric_match)
 *   rest      anything else that an arc takes: known once all variables are
 *
 * Bindings are found from tokens: each item of a transition remembers how much of its place's list it has seen.  A new token is matched with the item, then the other items are matched with all tokens of their
 * lists, those with the most known variables first, conditions being asked as soon as they are certain; variables that no item binds take every colour of their sort.  So a binding is found when its last
 * token arrives, perhaps from several items: a table knows those that were found.  A transition with a rest is tried from the beginning whenever a list that it looks at has grown.
 *
 * The table of tokens is one for all places: (place, colour) -> number of the unfolded place. */
#include "colour/unfold_parts.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int give_up(struct unfolding *u, const char *why) {
  snprintf(u->beyond, UNFOLD_WORDS, "%s", why);
  return -1;
}

int unfold_no_memory(struct unfolding *u) { return u->limits.bytes ? give_up(u, "more memory than it may take") : err_memory(u->err, "unfolding the net"); }

/* 0, or -1: a limit is reached. */
static int within(struct unfolding *u) {
  const struct unfold_limits *l = &u->limits;
  char words[UNFOLD_WORDS];
  u->work++;
  if (l->work && u->work > l->work) snprintf(words, sizeof words, "more than %" PRIu64 " bindings and tokens to look at", l->work);
  else if (l->places && u->token.count > l->places) snprintf(words, sizeof words, "more than %" PRIu64 " places", l->places);
  else if (l->transitions && u->instance.count > l->transitions) snprintf(words, sizeof words, "more than %" PRIu64 " transitions", l->transitions);
  else if (l->bytes && u->mem->used > u->held && u->mem->used - u->held > l->bytes) snprintf(words, sizeof words, "more than %zu MB", l->bytes >> 20);
  else return 0;
  return give_up(u, words);
}

/* ---- finding things again ------------------------------------------------------------------------------------------------------ */

typedef uint64_t hash_of(const struct unfolding *, uint32_t number);
typedef int is_that(const struct unfolding *, uint32_t number, const void *key);

/* Where the thing is that has the hash and is that one, or the free slot where it belongs. */
static inline uint32_t *index_at(const struct unfolding *u, const struct index *x, uint64_t hash, is_that *is, const void *key) {
  size_t at = (size_t)hash_slot(hash, x->slots);
  while (x->slot[at] && !(is && is(u, x->slot[at] - 1, key))) at = at + 1 < x->slots ? at + 1 : 0;
  return &x->slot[at];
}

/* Room for one more beside the `count` that there are. */
static int index_room(struct unfolding *u, struct index *x, size_t count, hash_of *hash) {
  if (2 * (count + 1) <= x->slots) return 0;
  struct index larger = {.slots = x->slots ? 2 * x->slots : 64};
  if (!(larger.slot = mem_alloc(u->mem, MEM_ANALYSIS, larger.slots * sizeof *larger.slot))) return unfold_no_memory(u);
  mem_free(u->mem, x->slot);
  *x = larger;
  for (uint32_t i = 0; i < count; i++) *index_at(u, x, hash(u, i), NULL, NULL) = i + 1; /* no two are the same */
  return 0;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------------------ */

struct place_colour {
  uint32_t place;
  uint64_t colour;
};

static uint64_t place_colour_hash(struct place_colour k) { return hash_pair(k.colour, k.place); }

static uint64_t token_hash(const struct unfolding *u, uint32_t number) { return place_colour_hash((struct place_colour){u->token.at[number].place, u->token.at[number].colour}); }

static int is_token(const struct unfolding *u, uint32_t number, const void *key) {
  const struct place_colour *k = key;
  return u->token.at[number].place == k->place && u->token.at[number].colour == k->colour;
}

static uint32_t *token_place(const struct unfolding *u, uint32_t place, uint64_t colour) {
  struct place_colour k = {place, colour};
  return index_at(u, &u->tokens, place_colour_hash(k), is_token, &k);
}

/* The number of a token, which may be new; UINT32_MAX with err. */
static uint32_t put_token(struct unfolding *u, uint32_t place, uint64_t colour) {
  if (index_room(u, &u->tokens, u->token.count, token_hash)) return UINT32_MAX;
  uint32_t *slot = token_place(u, place, colour);
  if (*slot) return *slot - 1;
  if (u->token.count >= UINT32_MAX - 2 || vec_push(&u->token, u->mem, MEM_ANALYSIS, (struct token){colour, place, UINT32_MAX})) {
    unfold_no_memory(u);
    return UINT32_MAX;
  }
  uint32_t number = (uint32_t)u->token.count - 1;
  struct unfolded_place *p = &u->place[place];
  if (p->count++) u->token.at[p->last].next = number;
  else p->first = number;
  p->last = number;
  *slot = number + 1;
  return number;
}

static uint32_t find_token(const struct unfolding *u, uint32_t place, uint64_t colour) {
  return u->tokens.slots ? *token_place(u, place, colour) - 1 : UINT32_MAX; /* nothing there: 0 - 1 */
}

/* ---- what a binding does --------------------------------------------------------------------------------------------------- */

static uint64_t change_hash(const struct unfolding *u, uint32_t number) { return place_colour_hash((struct place_colour){u->change.at[number].place, u->change.at[number].colour}); }

static int is_change(const struct unfolding *u, uint32_t number, const void *key) {
  const struct place_colour *k = key;
  return u->change.at[number].place == k->place && u->change.at[number].colour == k->colour;
}

static uint32_t *change_place(const struct unfolding *u, uint32_t place, uint64_t colour) {
  struct place_colour k = {place, colour};
  return index_at(u, &u->changes, place_colour_hash(k), is_change, &k);
}

static void clear_changes(struct unfolding *u) {
  if (u->change.count * 8 > u->changes.slots) memset(u->changes.slot, 0, u->changes.slots * sizeof *u->changes.slot);
  else
    for (size_t i = u->change.count; i-- > 0;) *change_place(u, u->change.at[i].place, u->change.at[i].colour) = 0; /* newest first: none that is left has passed it */
  u->change.count = 0;
}

struct teller {
  struct unfolding *u;
  uint32_t place;
  int gives;
};

static int tell_change(void *context, uint64_t colour, int64_t count) {
  struct teller *t = context;
  struct unfolding *u = t->u;
  if (within(u)) return -1;
  if (index_room(u, &u->changes, u->change.count, change_hash)) return -1;
  uint32_t *slot = change_place(u, t->place, colour);
  if (!*slot) {
    if (vec_push(&u->change, u->mem, MEM_ANALYSIS, (struct change){.place = t->place, .colour = colour})) return unfold_no_memory(u);
    *slot = (uint32_t)u->change.count;
  }
  struct change *c = &u->change.at[*slot - 1];
  int64_t *sum = t->gives ? &c->gives : &c->takes;
  if (__builtin_add_overflow(*sum, count, sum)) *sum = count < 0 ? INT64_MIN : INT64_MAX;
  return 0;
}

/* Does every difference within the term contain what it takes away? 1, 0, -1. */
static int is_defined(struct unfolding *u, const struct symmetric_term *t) {
  for (uint32_t i = 0; i < t->parts; i++) {
    int defined = is_defined(u, t->part[i]);
    if (defined <= 0) return defined;
  }
  if (t->kind != SYMMETRIC_DIFFERENCE) return 1;
  clear_changes(u);
  if (symmetric_multiset(t->part[0], u->binding, tell_change, &(struct teller){u, 0, 1}) || symmetric_multiset(t->part[1], u->binding, tell_change, &(struct teller){u, 0, 0})) return -1;
  for (size_t i = 0; i < u->change.count; i++)
    if (u->change.at[i].takes > u->change.at[i].gives) return 0;
  return 1;
}

/* Everything that the binding at hand takes and gives. 1; 0: a difference is none; -1. */
static int tell_changes(struct unfolding *u, const struct worker *w) {
  for (size_t k = 0; w->has_difference && k < w->arcs.count; k++) {
    int defined = is_defined(u, u->net->arcs.at[w->arcs.at[k]].term);
    if (defined <= 0) return defined;
  }
  clear_changes(u);
  for (size_t k = 0; k < w->arcs.count; k++) {
    const struct symmetric_arc *a = &u->net->arcs.at[w->arcs.at[k]];
    if (symmetric_multiset(a->term, u->binding, tell_change, &(struct teller){u, a->place, a->gives})) return -1;
  }
  return 1;
}

/* May it happen? 1; 0: a token is not there (yet); -1 with err. */
static int may_happen(struct unfolding *u, const struct worker *w) {
  for (size_t i = 0; i < u->change.count; i++) {
    const struct change *c = &u->change.at[i];
    if (c->takes > 0 && find_token(u, c->place, c->colour) == UINT32_MAX) return 0;
    if (c->takes > PT_MAX_COUNT || c->gives > PT_MAX_COUNT)
      return err_input(u->err, u->net->transitions.at[w->transition].at, "the transition moves more than %u tokens at once", PT_MAX_COUNT);
  }
  return 1;
}

struct bound { /* a transition with values for its variables */
  const struct worker *worker;
  const uint64_t *value;
};

static uint64_t bound_hash(struct bound k) { return hash_pair(hash_bytes(k.value, k.worker->variables.count * sizeof *k.value), k.worker->transition); }

static uint64_t instance_hash(const struct unfolding *u, uint32_t number) {
  return bound_hash((struct bound){&u->worker[u->instance.at[number].transition], u->bindings.at + u->instance.at[number].binding});
}

static int is_instance(const struct unfolding *u, uint32_t number, const void *key) {
  const struct bound *k = key;
  const struct instance *i = &u->instance.at[number];
  return i->transition == k->worker->transition && memcmp(u->bindings.at + i->binding, k->value, k->worker->variables.count * sizeof *k->value) == 0;
}

/* All variables are known, and the conditions true. 0 or -1. */
static int take_binding(struct unfolding *u, struct worker *w) {
  size_t n = w->variables.count, at = u->bindings.count;
  if (index_room(u, &u->instances, u->instance.count, instance_hash)) return -1;
  if (vec_reserve(&u->bindings, u->mem, MEM_ANALYSIS, n + 1)) return unfold_no_memory(u);
  for (size_t i = 0; i < n; i++) u->bindings.at[at + i] = u->binding[w->variables.at[i]];
  struct bound k = {w, u->bindings.at + at};
  uint32_t *slot = index_at(u, &u->instances, bound_hash(k), is_instance, &k);
  if (*slot) return 0;
  int may = tell_changes(u, w);
  if (may > 0) may = may_happen(u, w);
  if (may <= 0) return may;
  if (u->instance.count >= UINT32_MAX - 2 || vec_push(&u->instance, u->mem, MEM_ANALYSIS, (struct instance){w->transition, at, u->effects.count, 0})) return unfold_no_memory(u);
  for (size_t i = 0; i < u->change.count; i++) {
    const struct change *c = &u->change.at[i];
    if (!c->takes && !c->gives) continue;
    uint32_t token = put_token(u, c->place, c->colour);
    if (token == UINT32_MAX) return -1;
    if (vec_push(&u->effects, u->mem, MEM_ANALYSIS, (struct effect){token, (uint32_t)c->takes, (uint32_t)c->gives})) return unfold_no_memory(u);
    u->instance.at[u->instance.count - 1].effects++;
  }
  u->bindings.count += n;
  *slot = (uint32_t)u->instance.count;
  return 0;
}

/* ---- finding bindings ------------------------------------------------------------------------------------------------------- */

static void undo(struct unfolding *u, uint32_t from, uint32_t *trailed) {
  while (*trailed > from) u->binding[u->trail[--*trailed]] = SYMMETRIC_NONE;
}

static uint32_t known_variables(const struct symmetric_term *t, const uint64_t *binding, uint32_t *all) {
  if (t->kind == SYMMETRIC_VARIABLE) return ++*all, binding[t->value] != SYMMETRIC_NONE;
  uint32_t known = 0;
  for (uint32_t i = 0; i < t->parts; i++) known += known_variables(t->part[i], binding, all);
  return known;
}

/* The item that is best matched next: nothing to guess, or else the fewest tokens for what is not known. ITEMS: all are done. */
static uint32_t next_item(const struct unfolding *u, const struct worker *w, uint64_t done) {
  uint32_t best = ITEMS;
  double least = 0;
  for (uint32_t i = 0; i < w->items; i++) {
    if (done >> i & 1) continue;
    uint32_t all = 0, known = known_variables(w->item[i].term, u->binding, &all);
    double cost = known == all ? 0 : (double)(u->place[w->item[i].place].count + 1) / (1 + known * known * 8.0);
    if (best == ITEMS || cost < least) best = i, least = cost;
  }
  return best;
}

static int complete(struct unfolding *u, struct worker *w, uint64_t done, uint32_t trailed);

/* The first variable that nothing binds takes every colour. */
static int guess(struct unfolding *u, struct worker *w, uint64_t done, uint32_t trailed) {
  for (size_t i = 0; i < w->variables.count; i++) {
    uint32_t v = w->variables.at[i];
    if (u->binding[v] != SYMMETRIC_NONE) continue;
    int status = 0;
    for (uint64_t c = 0; c < u->net->variables.at[v].sort->size && !status; c++) {
      u->binding[v] = c;
      status = complete(u, w, done, trailed);
    }
    u->binding[v] = SYMMETRIC_NONE;
    return status;
  }
  return take_binding(u, w);
}

static int complete(struct unfolding *u, struct worker *w, uint64_t done, uint32_t trailed) {
  if (within(u)) return -1;
  const struct symmetric_term *guard = u->net->transitions.at[w->transition].guard;
  if (guard && symmetric_condition(guard, u->binding) == 0) return 0;
  uint32_t i = next_item(u, w, done), begin = trailed;
  if (i == ITEMS) return guess(u, w, done, trailed);
  const struct item *item = &w->item[i];
  uint64_t colour = symmetric_colour(item->term, u->binding);
  if (colour != SYMMETRIC_NONE) return find_token(u, item->place, colour) == UINT32_MAX ? 0 : complete(u, w, done | (uint64_t)1 << i, trailed);
  uint32_t last = u->place[item->place].last; /* those that come now are found by themselves */
  for (uint32_t t = u->place[item->place].count ? u->place[item->place].first : UINT32_MAX; t != UINT32_MAX; t = t == last ? UINT32_MAX : u->token.at[t].next) {
    int status = symmetric_match(item->term, u->token.at[t].colour, u->binding, u->trail, &trailed) ? complete(u, w, done | (uint64_t)1 << i, trailed) : 0;
    undo(u, begin, &trailed);
    if (status) return -1;
  }
  return 0;
}

/* New tokens of one item, with everything else. */
static int look_at_item(struct unfolding *u, struct worker *w, uint32_t i) {
  struct item *item = &w->item[i];
  const struct unfolded_place *p = &u->place[item->place];
  uint32_t t = item->seen == UINT32_MAX ? (p->count ? p->first : UINT32_MAX) : u->token.at[item->seen].next;
  for (; t != UINT32_MAX; t = u->token.at[t].next) {
    uint32_t trailed = 0;
    item->seen = t;
    int status = symmetric_match(item->term, u->token.at[t].colour, u->binding, u->trail, &trailed) ? complete(u, w, (uint64_t)1 << i, trailed) : 0;
    undo(u, 0, &trailed);
    if (status) return -1;
  }
  return 0;
}

static uint64_t tokens_around(const struct unfolding *u, const struct worker *w) {
  uint64_t sum = 0;
  for (size_t k = 0; k < w->arcs.count; k++) {
    const struct symmetric_arc *a = &u->net->arcs.at[w->arcs.at[k]];
    if (!a->gives) sum += u->place[a->place].count;
  }
  return sum;
}

/* 0 or -1; *more: something was looked at. */
static int work(struct unfolding *u, struct worker *w, int *more) {
  uint64_t tokens = tokens_around(u, w);
  if (w->tried && tokens == w->looked_at) return 0;
  *more = 1;
  w->looked_at = tokens;
  int whole = w->has_rest || !w->items;
  w->tried = 1;
  if (whole) return complete(u, w, 0, 0);
  for (uint32_t i = 0; i < w->items; i++)
    if (look_at_item(u, w, i)) return -1;
  return 0;
}

/* ---- preparing -------------------------------------------------------------------------------------------------------------- */

static int note_variables(struct unfolding *u, struct worker *w, const struct symmetric_term *t) {
  w->has_difference |= t->kind == SYMMETRIC_DIFFERENCE;
  if (t->kind == SYMMETRIC_VARIABLE) {
    for (size_t i = 0; i < w->variables.count; i++)
      if (w->variables.at[i] == t->value) return 0;
    return vec_push(&w->variables, u->mem, MEM_ANALYSIS, (uint32_t)t->value) ? unfold_no_memory(u) : 0;
  }
  for (uint32_t i = 0; i < t->parts; i++)
    if (note_variables(u, w, t->part[i])) return -1;
  return 0;
}

static int invertible(const struct symmetric_term *t) {
  if (t->kind == SYMMETRIC_ELEMENT) return 0;
  for (uint32_t i = 0; i < t->parts; i++)
    if (!invertible(t->part[i])) return 0;
  return 1;
}

/* Which parts of what an arc takes are single tokens? */
static void find_items(struct worker *w, uint32_t place, const struct symmetric_term *t) {
  if (t->kind == SYMMETRIC_SUM) {
    for (uint32_t i = 0; i < t->parts; i++) find_items(w, place, t->part[i]);
  } else if (t->kind == SYMMETRIC_TIMES && t->value > 0) {
    find_items(w, place, t->part[0]);
  } else if (symmetric_is_colour(t) && invertible(t) && w->items < ITEMS) {
    w->item[w->items++] = (struct item){place, t, UINT32_MAX};
  } else {
    w->has_rest = 1;
  }
}

static int prepare(struct unfolding *u) {
  const struct symmetric *n = u->net;
  u->place = mem_alloc(u->mem, MEM_ANALYSIS, (n->places.count + 1) * sizeof *u->place);
  u->worker = mem_alloc(u->mem, MEM_ANALYSIS, (n->transitions.count + 1) * sizeof *u->worker);
  u->binding = mem_alloc(u->mem, MEM_ANALYSIS, (n->variables.count + 1) * sizeof *u->binding);
  u->trail = mem_alloc(u->mem, MEM_ANALYSIS, (n->variables.count + 1) * sizeof *u->trail);
  if (!u->place || !u->worker || !u->binding || !u->trail) return unfold_no_memory(u);
  for (size_t i = 0; i < n->variables.count; i++) u->binding[i] = SYMMETRIC_NONE;
  for (uint32_t t = 0; t < n->transitions.count; t++) {
    u->worker[t].transition = t;
    if (n->transitions.at[t].guard && note_variables(u, &u->worker[t], n->transitions.at[t].guard)) return -1;
  }
  for (uint32_t i = 0; i < n->arcs.count; i++) {
    struct worker *w = &u->worker[n->arcs.at[i].transition];
    if (vec_push(&w->arcs, u->mem, MEM_ANALYSIS, i)) return unfold_no_memory(u);
    if (note_variables(u, w, n->arcs.at[i].term)) return -1;
    if (!n->arcs.at[i].gives) find_items(w, n->arcs.at[i].place, n->arcs.at[i].term);
  }
  return 0;
}

/* The initial marking: effects of a transition that there is not. */
static int mark_places(struct unfolding *u) {
  for (uint32_t p = 0; p < u->net->places.count; p++) {
    const struct symmetric_place *place = &u->net->places.at[p];
    int defined = place->initial ? is_defined(u, place->initial) : 1;
    if (defined <= 0) return defined ? -1 : err_input(u->err, place->at, "the initial marking takes away more than there is");
  }
  clear_changes(u);
  for (uint32_t p = 0; p < u->net->places.count; p++) {
    const struct symmetric_place *place = &u->net->places.at[p];
    if (place->initial && symmetric_multiset(place->initial, u->binding, tell_change, &(struct teller){u, p, 1})) return -1;
  }
  for (size_t i = 0; i < u->change.count; i++) {
    const struct change *c = &u->change.at[i];
    if (!c->gives) continue;
    if (c->gives > PT_MAX_COUNT) return err_input(u->err, u->net->places.at[c->place].at, "the initial marking has too many tokens");
    uint32_t token = put_token(u, c->place, c->colour);
    if (token == UINT32_MAX) return -1;
    if (vec_push(&u->effects, u->mem, MEM_ANALYSIS, (struct effect){token, 0, (uint32_t)c->gives})) return unfold_no_memory(u);
  }
  return 0;
}

int unfold(struct pt_net **out, const struct symmetric *net, const struct unfold_limits *limits, char beyond[UNFOLD_WORDS], struct err *e) {
  struct unfolding u = {.mem = net->mem, .net = net, .err = e, .beyond = beyond, .held = net->mem->used};
  *out = NULL;
  if (limits) u.limits = *limits;
  if (beyond) *beyond = 0;
  int bad = prepare(&u) || mark_places(&u), more = 1;
  size_t marked = u.effects.count;
  while (!bad && more) {
    more = 0;
    for (uint32_t t = 0; t < net->transitions.count && !bad; t++) bad = work(&u, &u.worker[t], &more);
  }
  if (!bad && !u.token.count && !u.instance.count) { /* nothing can ever be: a net is not empty */
    if (!net->places.count) bad = err_input(e, net->transitions.at[0].at, "nothing of this net can ever happen, and it has no places");
    else bad = put_token(&u, 0, 0) == UINT32_MAX;
  }
  if (!bad) bad = unfold_make_net(&u, marked, out);
  for (size_t t = 0; u.worker && t < net->transitions.count; t++) {
    vec_free(&u.worker[t].variables, u.mem);
    vec_free(&u.worker[t].arcs, u.mem);
  }
  vec_free(&u.token, u.mem);
  vec_free(&u.instance, u.mem);
  vec_free(&u.bindings, u.mem);
  vec_free(&u.effects, u.mem);
  vec_free(&u.change, u.mem);
  void *blocks[] = {u.place, u.tokens.slot, u.worker, u.instances.slot, u.changes.slot, u.binding, u.trail};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(u.mem, blocks[i]);
  if (bad && u.limits.bytes && e->kind == ERR_MEMORY) give_up(&u, "more memory than there is"), err_clear(e);
  return bad && beyond && *beyond ? 1 : bad ? -1 : 0;
}
