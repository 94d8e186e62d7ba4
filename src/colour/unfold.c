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
#include "colour/unfold.h"

#include "base/hash.h"
#include "net/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 64 }; /* of one transition; more are looked at as rest */

struct token {
  uint64_t colour;
  uint32_t place;
  uint32_t next; /* token of the same place that came after it; UINT32_MAX = none */
};

struct effect { /* of an unfolded transition on one token */
  uint32_t token, takes, gives;
};

struct change { /* the same while it is counted */
  uint32_t place;
  uint64_t colour;
  int64_t takes, gives;
};

struct instance {
  uint32_t transition;
  size_t binding, effect, effects; /* where they begin; how many */
};

struct item {
  uint32_t place;
  const struct symmetric_term *term;
  uint32_t seen; /* the token up to which it has looked; UINT32_MAX = none yet */
};

struct unfolded_place {
  uint32_t first, last, count; /* tokens */
};

struct worker { /* one transition */
  uint32_t transition;
  struct item item[ITEMS];
  uint32_t items;
  int has_rest, has_difference;
  uint64_t looked_at; /* tokens in the lists that it takes from, when it was tried last */
  int tried;
  struct vec(uint32_t) variables; /* that it speaks of, in order of first use */
  struct vec(uint32_t) arcs;
};

struct index { /* numbers of things, found by what they are: open addressing, half of it free */
  uint32_t *slot; /* 1 + number; 0 = free */
  size_t slots;
};

struct unfolding {
  struct mem *mem;
  struct unfold_limits limits;
  uint64_t work;
  size_t held; /* bytes that others held before */
  char *beyond; /* set: given up */
  const struct symmetric *net;
  struct err *err;
  struct unfolded_place *place;
  struct vec(struct token) token;
  struct index tokens;
  struct worker *worker;
  struct vec(struct instance) instance;
  struct index instances;
  struct vec(uint64_t) bindings; /* of the instances, one after the other: values of the worker's variables */
  struct vec(struct effect) effects;
  struct vec(struct change) change; /* by the binding at hand */
  struct index changes;
  uint64_t *binding;
  uint32_t *trail;
};

static int give_up(struct unfolding *u, const char *why) {
  snprintf(u->beyond, UNFOLD_WORDS, "%s", why);
  return -1;
}

static int no_memory(struct unfolding *u) { return u->limits.bytes ? give_up(u, "more memory than it may take") : err_memory(u->err, "unfolding the net"); }

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
  if (!(larger.slot = mem_alloc(u->mem, MEM_ANALYSIS, larger.slots * sizeof *larger.slot))) return no_memory(u);
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
    no_memory(u);
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
    if (vec_push(&u->change, u->mem, MEM_ANALYSIS, (struct change){.place = t->place, .colour = colour})) return no_memory(u);
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
  if (vec_reserve(&u->bindings, u->mem, MEM_ANALYSIS, n + 1)) return no_memory(u);
  for (size_t i = 0; i < n; i++) u->bindings.at[at + i] = u->binding[w->variables.at[i]];
  struct bound k = {w, u->bindings.at + at};
  uint32_t *slot = index_at(u, &u->instances, bound_hash(k), is_instance, &k);
  if (*slot) return 0;
  int may = tell_changes(u, w);
  if (may > 0) may = may_happen(u, w);
  if (may <= 0) return may;
  if (u->instance.count >= UINT32_MAX - 2 || vec_push(&u->instance, u->mem, MEM_ANALYSIS, (struct instance){w->transition, at, u->effects.count, 0})) return no_memory(u);
  for (size_t i = 0; i < u->change.count; i++) {
    const struct change *c = &u->change.at[i];
    if (!c->takes && !c->gives) continue;
    uint32_t token = put_token(u, c->place, c->colour);
    if (token == UINT32_MAX) return -1;
    if (vec_push(&u->effects, u->mem, MEM_ANALYSIS, (struct effect){token, (uint32_t)c->takes, (uint32_t)c->gives})) return no_memory(u);
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
    return vec_push(&w->variables, u->mem, MEM_ANALYSIS, (uint32_t)t->value) ? no_memory(u) : 0;
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
  if (!u->place || !u->worker || !u->binding || !u->trail) return no_memory(u);
  for (size_t i = 0; i < n->variables.count; i++) u->binding[i] = SYMMETRIC_NONE;
  for (uint32_t t = 0; t < n->transitions.count; t++) {
    u->worker[t].transition = t;
    if (n->transitions.at[t].guard && note_variables(u, &u->worker[t], n->transitions.at[t].guard)) return -1;
  }
  for (uint32_t i = 0; i < n->arcs.count; i++) {
    struct worker *w = &u->worker[n->arcs.at[i].transition];
    if (vec_push(&w->arcs, u->mem, MEM_ANALYSIS, i)) return no_memory(u);
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
    if (vec_push(&u->effects, u->mem, MEM_ANALYSIS, (struct effect){token, 0, (uint32_t)c->gives})) return no_memory(u);
  }
  return 0;
}

/* ---- the net ------------------------------------------------------------------------------------------------------------------ */

struct maker {
  struct unfolding *u;
  struct names names;
  struct arena arena; /* of the names */
  uint32_t *name;     /* per token: of its place */
  char text[1 << 12];
};

static size_t add_colour(struct maker *m, size_t length, const struct symmetric_sort *sort, uint64_t colour) {
  if (sort->kind == SYMMETRIC_DOT || length >= sizeof m->text - 2) return length;
  m->text[length++] = '_';
  length += symmetric_print(sort, colour, "_", m->text + length, sizeof m->text - length);
  return length < sizeof m->text ? length : sizeof m->text - 1;
}

/* The name in m->text, with something behind it where another node has it already. NAMES_NONE with err. */
static uint32_t own_name(struct maker *m, size_t length) {
  size_t base = length;
  for (unsigned n = 2; names_find(&m->names, m->text, length) != NAMES_NONE; n++) {
    if (base > sizeof m->text - 16) base = sizeof m->text - 16;
    length = base + (size_t)snprintf(m->text + base, sizeof m->text - base, "__%u", n);
  }
  uint32_t name = names_put(&m->names, m->text, length, &m->arena);
  if (name == NAMES_NONE) no_memory(m->u);
  return name;
}

static const char *text_of(const struct maker *m, uint32_t name) { return m->names.list.at[name].text; }

static int make_places(struct maker *m, struct pt_builder *b, const uint32_t *marked) {
  struct unfolding *u = m->u;
  for (uint32_t p = 0; p < u->net->places.count; p++) {
    const struct symmetric_place *place = &u->net->places.at[p];
    uint32_t t = u->place[p].count ? u->place[p].first : UINT32_MAX;
    for (; t != UINT32_MAX; t = u->token.at[t].next) {
      size_t length = (size_t)snprintf(m->text, sizeof m->text / 2, "%s", place->id);
      if (length >= sizeof m->text / 2) length = sizeof m->text / 2 - 1;
      if ((m->name[t] = own_name(m, add_colour(m, length, place->sort, u->token.at[t].colour))) == NAMES_NONE) return -1;
      if (pt_builder_place(b, text_of(m, m->name[t]), NULL, marked[t], place->at, u->err)) return -1;
      if (place->has_position && pt_builder_position(b, place->x, place->y, u->err)) return -1;
    }
  }
  return 0;
}

static int make_transition(struct maker *m, struct pt_builder *b, const struct instance *i) {
  struct unfolding *u = m->u;
  const struct symmetric_transition *t = &u->net->transitions.at[i->transition];
  const struct worker *w = &u->worker[i->transition];
  size_t length = (size_t)snprintf(m->text, sizeof m->text / 2, "%s", t->id);
  if (length >= sizeof m->text / 2) length = sizeof m->text / 2 - 1;
  for (size_t k = 0; k < w->variables.count; k++) length = add_colour(m, length, u->net->variables.at[w->variables.at[k]].sort, u->bindings.at[i->binding + k]);
  uint32_t name = own_name(m, length);
  if (name == NAMES_NONE || pt_builder_transition(b, text_of(m, name), NULL, t->at, u->err)) return -1;
  if (t->has_position && pt_builder_position(b, t->x, t->y, u->err)) return -1;
  for (size_t k = 0; k < i->effects; k++) {
    const struct effect *x = &u->effects.at[i->effect + k];
    const char *place = text_of(m, m->name[x->token]);
    if (x->takes && pt_builder_arc(b, place, text_of(m, name), x->takes, t->at, u->err)) return -1;
    if (x->gives && pt_builder_arc(b, text_of(m, name), place, x->gives, t->at, u->err)) return -1;
  }
  return 0;
}

/* Families: nodes were made one family after the other, and the builder numbers them in that order. */
static int name_families(struct unfolding *u, struct pt_net *net) {
  const struct symmetric *n = u->net;
  uint32_t place = 0, transition = 0, next = 0;
  if (pt_families_open(net, (uint32_t)n->places.count, (uint32_t)n->transitions.count)) return no_memory(u);
  for (uint32_t p = 0; p < n->places.count; place += u->place[p++].count)
    if (pt_family_set(&net->place_families, p, n->places.at[p].id, n->places.at[p].name, place, u->place[p].count, &net->arena)) return no_memory(u);
  for (uint32_t t = 0; t < n->transitions.count; t++, transition = next) {
    while (next < u->instance.count && u->instance.at[next].transition == t) next++;
    if (pt_family_set(&net->transition_families, t, n->transitions.at[t].id, n->transitions.at[t].name, transition, next - transition, &net->arena)) return no_memory(u);
  }
  return 0;
}

/* Instances by transition, those of one transition as they were found. */
static int sort_instances(struct unfolding *u) {
  struct instance *sorted = mem_alloc(u->mem, MEM_ANALYSIS, (u->instance.count + 1) * sizeof *sorted);
  size_t *end = mem_alloc(u->mem, MEM_ANALYSIS, (u->net->transitions.count + 2) * sizeof *end);
  if (sorted && end) {
    for (size_t i = 0; i < u->instance.count; i++) end[u->instance.at[i].transition + 1]++;
    for (size_t t = 0; t < u->net->transitions.count; t++) end[t + 1] += end[t];
    for (size_t i = 0; i < u->instance.count; i++) sorted[end[u->instance.at[i].transition]++] = u->instance.at[i];
    if (u->instance.count) memcpy(u->instance.at, sorted, u->instance.count * sizeof *sorted);
  }
  int bad = !sorted || !end;
  mem_free(u->mem, sorted);
  mem_free(u->mem, end);
  return bad ? no_memory(u) : 0;
}

static int make_net(struct unfolding *u, size_t marked_effects, struct pt_net **out) {
  struct maker *m = mem_alloc(u->mem, MEM_ANALYSIS, sizeof *m);
  uint32_t *marked = mem_alloc(u->mem, MEM_ANALYSIS, (u->token.count + 1) * sizeof *marked);
  struct pt_builder *b = NULL;
  if (!m || !marked) {
    mem_free(u->mem, m);
    mem_free(u->mem, marked);
    return no_memory(u);
  }
  m->u = u;
  names_open(&m->names, u->mem, MEM_ANALYSIS);
  arena_open(&m->arena, u->mem, MEM_ANALYSIS);
  m->name = mem_alloc(u->mem, MEM_ANALYSIS, (u->token.count + 1) * sizeof *m->name);
  for (size_t i = 0; i < marked_effects; i++) marked[u->effects.at[i].token] = u->effects.at[i].gives;
  int bad = m->name ? sort_instances(u) || pt_builder_open(&b, u->mem, u->net->file, u->err) : no_memory(u);
  if (!bad && *u->net->name) bad = pt_builder_name(b, u->net->name, strlen(u->net->name), u->err);
  if (!bad) bad = make_places(m, b, marked);
  for (size_t i = 0; i < u->instance.count && !bad; i++) bad = make_transition(m, b, &u->instance.at[i]);
  if (!bad && (bad = pt_builder_finish(b, out, u->err)) == 0) b = NULL;
  if (!bad && (bad = name_families(u, *out))) {
    pt_close(*out);
    *out = NULL;
  }
  pt_builder_close(b);
  names_close(&m->names);
  arena_close(&m->arena);
  mem_free(u->mem, m->name);
  mem_free(u->mem, marked);
  mem_free(u->mem, m);
  return bad ? -1 : 0;
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
  if (!bad) bad = make_net(&u, marked, out);
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
