/* product.c -- see product.h.
 *
 * Successors are made by the model straight into the caller's batch; the automaton's state is written into them afterwards.  With several open edges
 * each is copied as often, from the last to the first.
 *
 * A pair whose automaton could not even read its state would be an end: it is not made (a fifth of all pairs of a property like `<>[] p`).  Where the automaton has an
 * edge for every letter nothing has to be asked for that; else the model evaluates the conditions while it makes its successors, if it can (watch). */
#include "prop/product.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

struct product {
  struct model base;
  struct product_setup setup;
  struct model *inner;
  uint32_t inner_bits;       /* of the model's layout when ours was made */
  uint32_t q_bits, q_at;     /* q and, above it, the number of sets that were met; where they begin */
  uint32_t watcher_bits;     /* of q alone */
  uint32_t *start;           /* where runs begin; NULL = where the model's do. In the present layout */
  uint32_t old_at, old_words; /* between widen and widen_done */
  uint64_t *care;            /* per state of the automaton and its beginning: atoms that its edges ask about */
  uint8_t *may_end;          /* per state of the automaton: there may be a letter that it has no edge for */
  uint32_t *clean;           /* a state of the model, for convert */
  size_t clean_room;
};

struct way {
  uint32_t edge, slot, open; /* of the model; where its successor stands; among the open ones */
};

struct product_cursor {
  struct model_cursor base;
  struct model_cursor *inner;
  uint32_t *clean; /* the state of the model alone */
  size_t clean_room;
  struct vec(uint64_t) marks;
  struct vec(const struct automaton_edge *) open;
  struct vec(struct way) ways; /* of the edges that the last call appended */
  uint64_t watched;            /* atoms that the model evaluates in its successors, and their bits there */
  uint8_t watched_as[64];
};

static const struct product *product_of(const struct model *m) { return (const struct product *)m; }

/* ---- where the automaton's state is ------------------------------------------------------------------------------------ */

static void set_layout(struct product *p) {
  uint32_t at = p->inner_bits = p->inner->bits;
  if (at % 32 + p->q_bits > 32) at = (at + 31) / 32 * 32;
  p->q_at = at;
  p->base.bits = at + p->q_bits;
  p->base.words = (p->base.bits + 31) / 32;
  if (p->base.words < p->inner->words) p->base.words = p->inner->words;
}

static inline uint32_t get_q(const struct product *p, const uint32_t *state, uint32_t at) {
  return p->q_bits ? state[at / 32] >> at % 32 & (uint32_t)bits_mask(p->q_bits) : 0;
}

/* Words behind the model's own are made zero; q is written into bits that are. */
static inline void put_q(const struct product *p, uint32_t *state, uint32_t q) {
  for (uint32_t w = p->inner->words; w < p->base.words; w++) state[w] = 0;
  if (p->q_bits) state[p->q_at / 32] |= q << p->q_at % 32;
}

static void copy_clean(const struct product *p, uint32_t *out, const uint32_t *state, uint32_t words, uint32_t at) {
  memcpy(out, state, words * sizeof *out);
  if (p->q_bits && at / 32 < words) out[at / 32] &= ~((uint32_t)bits_mask(p->q_bits) << at % 32);
}

static int room_for(uint32_t **words, size_t *room, size_t need, struct mem *mem) {
  if (need <= *room) return 0;
  uint32_t *w = mem_resize(mem, MEM_MODEL, *words, need * sizeof *w);
  if (!w) return -1;
  *words = w;
  *room = need;
  return 0;
}

static uint32_t watcher(const struct product *p, uint32_t q) { return q & (uint32_t)bits_mask(p->watcher_bits); }

uint32_t product_watcher(const struct model *m, const uint32_t *state) {
  const struct product *p = product_of(m);
  return watcher(p, get_q(p, state, p->q_at));
}

unsigned product_collected(const struct model *m, const uint32_t *state) {
  const struct product *p = product_of(m);
  return get_q(p, state, p->q_at) >> p->watcher_bits;
}

int product_returned(const struct model *without, const uint32_t *a, const struct model *with, const uint32_t *b) {
  const struct product *p = product_of(without), *r = product_of(with);
  if (p->inner_bits != r->inner_bits) return 0; /* the model's states became wider since */
  if (product_watcher(without, a) != product_watcher(with, b)) return 0;
  for (uint32_t w = 0; w < p->inner->words; w++) {
    uint32_t x = a[w], y = b[w];
    if (p->q_bits && w == p->q_at / 32) x &= ~((uint32_t)bits_mask(p->q_bits) << p->q_at % 32);
    if (r->q_bits && w == r->q_at / 32) y &= ~((uint32_t)bits_mask(r->q_bits) << r->q_at % 32);
    if (x != y) return 0;
  }
  return 1;
}

/* How many sets are met after an edge, in their order. */
static uint32_t collect(uint32_t met, uint32_t sets, uint64_t mark) {
  while (met < sets && mark >> met & 1) met++;
  return met;
}

/* ---- letters and edges ----------------------------------------------------------------------------------------------------- */

static int atom_true(const struct product_atom *a, struct model_cursor *c, const uint32_t *state) {
  if (a->expr) return expr_true(a->expr, c, state);
  const struct model *m = c->model;
  return (m->type->labels && m->type->labels(m, state) & a->label) ? !a->negated : a->negated;
}

static uint64_t letter(const struct product_setup *setup, struct model_cursor *inner, const uint32_t *state, uint64_t care) {
  uint64_t letter = 0;
  for (; care; care &= care - 1) {
    unsigned i = (unsigned)__builtin_ctzll(care);
    letter |= (uint64_t)atom_true(&setup->atom[i], inner, state) << i;
  }
  return letter;
}

uint64_t product_letter(const struct product_setup *setup, struct model_cursor *inner, const uint32_t *state) {
  return letter(setup, inner, state, bits_mask((unsigned)setup->atoms));
}

static int open_edges(struct product_cursor *c, uint32_t from, uint64_t letter) {
  const struct automaton *a = product_of(c->base.model)->setup.automaton;
  for (const struct automaton_edge *e = automaton_edges(a, from), *end = automaton_edges(a, from + 1); e < end; e++)
    if (automaton_open_for(e, letter) && vec_push(&c->open, c->base.mem, MEM_MODEL, e)) return -1;
  return 0;
}

/* The edges that are open in a state: c->open. The model's part of it is in c->clean then. */
static enum model_answer look(struct product_cursor *c, const uint32_t *state) {
  const struct product *p = product_of(c->base.model);
  const struct automaton *a = p->setup.automaton;
  uint32_t q = get_q(p, state, p->q_at);
  if (room_for(&c->clean, &c->clean_room, model_stride(p->inner->words) + 2, c->base.mem)) return MODEL_MEMORY;
  copy_clean(p, c->clean, state, p->inner->words, p->q_at);
  q = watcher(p, q);
  uint64_t read = letter(&p->setup, c->inner, c->clean, p->care[q]);
  c->open.count = 0;
  if (q < a->states) return open_edges(c, q, read) ? MODEL_MEMORY : MODEL_OK;
  for (uint32_t i = 0; i < a->initial_count; i++)
    if (open_edges(c, a->initial[i], read)) return MODEL_MEMORY;
  return MODEL_OK;
}

/* Has the automaton an edge for this letter? */
static int goes_on(const struct automaton *a, uint32_t q, uint64_t letter) {
  for (const struct automaton_edge *e = automaton_edges(a, q), *end = automaton_edges(a, q + 1); e < end; e++)
    if (automaton_open_for(e, letter)) return 1;
  return 0;
}

/* What the model says about a successor, in the bits of our letters. */
static uint64_t watched_letter(const struct product_cursor *c, uint64_t theirs) {
  uint64_t letter = 0;
  for (uint64_t w = c->watched; w; w &= w - 1) {
    unsigned i = (unsigned)__builtin_ctzll(w);
    letter |= (theirs >> c->watched_as[i] & 1) << i;
  }
  return letter;
}

/* ---- successors -------------------------------------------------------------------------------------------------------------- */

static unsigned fair_processes(const struct product *p) { return p->setup.fair ? 63 - p->setup.automaton->sets : 0; }

static unsigned set_count(const struct product *p) { return p->setup.automaton->sets + fair_processes(p); }

/* A process is treated fairly by an edge if it moves in it, or cannot move in this state. */
static uint64_t fair_sets(const uint64_t *movers, uint64_t able, size_t i) { return able ? movers[i] | ~able : ~(uint64_t)0; }

/* Processes that may move: the union of `movers`, which may be NULL where nobody can or nobody asks. There is one set for each. */
static int who_is_able(struct product_cursor *c, size_t count, const uint64_t **movers, uint64_t *able) {
  const struct product *p = product_of(c->base.model);
  *movers = p->setup.fair ? p->inner->type->movers(c->inner) : NULL;
  *able = 0;
  for (size_t k = 0; k < count && *movers; k++) *able |= (*movers)[k];
  if (!(*able & ~bits_mask(fair_processes(p)))) return 0;
  snprintf(c->base.fault, sizeof c->base.fault, "there are more than %u processes: too many to treat them fairly", fair_processes(p));
  return -1;
}

/* The way of each edge of the product: its step of the model, and its edge of the automaton. Steps that lead nowhere on any of them are dropped from the batch, so
   that the others stand at `slot`, close together. 0 or -1 (memory). */
static int find_ways(struct product_cursor *c, struct model_batch *b, size_t first, size_t steps) {
  const struct product *p = product_of(c->base.model);
  const uint64_t *letters = c->watched ? p->inner->type->letters(c->inner) : NULL;
  size_t n = c->open.count, kept = 0;
  int moves = b->count > first;
  uint64_t care = 0; /* atoms that tell whether the automaton goes on */
  for (size_t j = 0; j < n; j++)
    if (p->may_end[c->open.at[j]->to]) care |= p->care[c->open.at[j]->to];
  c->ways.count = 0;
  if (vec_reserve(&c->ways, c->base.mem, MEM_MODEL, steps * n)) return -1;
  for (size_t i = 0; i < steps; i++) {
    uint32_t *state = b->states + (first + i) * b->stride;
    uint64_t read = care & ~c->watched || (care && !moves) ? letter(&p->setup, c->inner, state, moves ? care & ~c->watched : care) : 0;
    if (moves && care & c->watched) read |= watched_letter(c, letters[i]) & care;
    size_t before = c->ways.count;
    for (size_t j = 0; j < n; j++)
      if (!p->may_end[c->open.at[j]->to] || goes_on(p->setup.automaton, c->open.at[j]->to, read))
        c->ways.at[c->ways.count++] = (struct way){(uint32_t)i, (uint32_t)kept, (uint32_t)j};
    if (c->ways.count == before) continue;
    if (kept < i) {
      memcpy(b->states + (first + kept) * b->stride, state, p->inner->words * sizeof *state);
      b->group[first + kept] = b->group[first + i];
    }
    kept++;
  }
  return 0;
}

/* An edge of the model that something is wrong with is an edge of the product, or of none of them. */
static void place_faults(const struct product_cursor *c, struct model_batch *b, size_t first, size_t first_fault) {
  for (size_t f = first_fault; f < b->fault_count; f++) {
    if (b->faults[f].edge == MODEL_NO_EDGE) continue;
    size_t k = 0, edge = b->faults[f].edge - first;
    while (k < c->ways.count && c->ways.at[k].edge != edge) k++;
    b->faults[f].edge = k < c->ways.count ? first + k : MODEL_NO_EDGE;
  }
}

static enum model_answer successors(struct model_cursor *base, const uint32_t *state, struct model_batch *b) {
  struct product_cursor *c = (struct product_cursor *)base;
  const struct product *p = product_of(base->model);
  size_t first = b->count, first_fault = b->fault_count;
  c->inner->patience = base->patience;
  c->marks.count = c->ways.count = 0;
  enum model_answer answer = look(c, state);
  if (answer != MODEL_OK) return answer;
  size_t n = c->open.count;
  if (!n) return MODEL_OK;
  answer = p->inner->type->successors(c->inner, c->clean, b);
  if (answer != MODEL_OK) {
    memcpy(base->fault, c->inner->fault, sizeof base->fault);
    return answer;
  }
  size_t moves = b->count - first, steps = moves ? moves : 1;
  if (!moves && p->setup.ends) return MODEL_OK;
  const uint64_t *movers;
  uint64_t able;
  if (who_is_able(c, moves, &movers, &able)) return MODEL_FAULT;
  int failed = model_batch_grow(b, first + steps * n) || vec_reserve(&c->marks, base->mem, MEM_MODEL, steps * n);
  if (!failed && !moves) {
    memcpy(b->states + first * b->stride, c->clean, p->inner->words * sizeof *c->clean);
    b->group[first] = p->inner->groups;
  }
  if (failed || find_ways(c, b, first, steps)) {
    b->count = first;
    b->fault_count = first_fault;
    return MODEL_MEMORY;
  }
  uint32_t sets = p->setup.automaton->sets, all = set_count(p), met = get_q(p, state, p->q_at) >> p->watcher_bits;
  /* From the last to the first: the k-th way begins at slot k or before it, so nothing is overwritten that is needed yet. */
  for (size_t k = c->ways.count; k-- > 0;) {
    const struct way *way = &c->ways.at[k];
    const struct automaton_edge *open = c->open.at[way->open];
    uint32_t *to = b->states + (first + k) * b->stride, next = open->to;
    if (k != way->slot) memcpy(to, b->states + (first + way->slot) * b->stride, p->inner->words * sizeof *to);
    b->group[first + k] = b->group[first + way->slot];
    c->marks.at[k] = open->accept;
    if (p->setup.fair) c->marks.at[k] |= fair_sets(movers, able, way->edge) << sets; /* where nobody can move, everybody is treated fairly */
    if (p->setup.collect) next |= collect(met, all, c->marks.at[k]) << p->watcher_bits;
    put_q(p, to, next);
    for (size_t w = p->base.words; w < b->stride; w++) to[w] = 0;
  }
  c->marks.count = c->ways.count;
  place_faults(c, b, first, first_fault);
  b->count = first + c->ways.count;
  return MODEL_OK;
}

int product_edge(struct model_cursor *base, const uint32_t *state, uint32_t k, uint32_t *edge, uint32_t *group, const struct automaton_edge **open) {
  struct product_cursor *c = (struct product_cursor *)base;
  const struct product *p = product_of(base->model);
  struct model_batch b;
  if (model_batch_open(&b, base->mem, p->base.words, 16)) return -1;
  int bad = successors(base, state, &b) != MODEL_OK || k >= c->ways.count;
  if (!bad) {
    *group = b.group[k];
    *edge = *group == p->inner->groups ? UINT32_MAX : c->ways.at[k].edge;
    *open = c->open.at[c->ways.at[k].open];
  }
  model_batch_close(&b);
  return bad ? -1 : 0;
}

/* ---- the rest is the model's ------------------------------------------------------------------------------------------------ */

static int share(struct model *m, unsigned threads, uint64_t expanded) {
  struct model *inner = product_of(m)->inner;
  return inner->type->share ? inner->type->share(inner, threads, expanded) : -1;
}

static unsigned sets(const struct model *m) { return set_count(product_of(m)); }

static const uint64_t *marks(const struct model_cursor *c) { return ((const struct product_cursor *)c)->marks.at; }

static void initial(const struct model *m, uint32_t *state) {
  const struct product *p = product_of(m);
  if (p->start) {
    memcpy(state, p->start, m->words * sizeof *state);
    return;
  }
  p->inner->type->initial(p->inner, state);
  put_q(p, state, p->setup.automaton->states);
}

int product_start(struct model *m, const struct model *of, const uint32_t *state) {
  struct product *p = (struct product *)m;
  const struct product *from = product_of(of);
  uint32_t *start = mem_resize(m->mem, MEM_MODEL, p->start, (model_stride(m->words) + 2) * sizeof *start);
  if (!start) return -1;
  p->start = start;
  copy_clean(from, start, state, from->inner->words, from->q_at);
  put_q(p, start, product_watcher(of, state));
  return 0;
}

int product_keep(struct product_state *out, const struct model *m, const uint32_t *state, struct mem *mem) {
  const struct product *p = product_of(m);
  uint32_t *clean = mem_alloc(mem, MEM_MODEL, (model_stride(p->inner->words) + 2) * sizeof *clean);
  *out = (struct product_state){.watcher = product_watcher(m, state)};
  if (!clean) return -1;
  copy_clean(p, clean, state, p->inner->words, p->q_at);
  out->length = p->inner->type->pack(p->inner, clean, NULL, 0);
  out->packed = mem_alloc(mem, MEM_MODEL, out->length + 1);
  if (out->packed) p->inner->type->pack(p->inner, clean, out->packed, out->length);
  mem_free(mem, clean);
  return out->packed ? 0 : -1;
}

int product_put_back(const struct model *m, const struct product_state *s, uint32_t *state) {
  const struct product *p = product_of(m);
  memset(state, 0, m->words * sizeof *state);
  if (p->inner->type->unpack(p->inner, s->packed, s->length, state)) return -1;
  put_q(p, state, s->watcher);
  return 0;
}

void product_forget(struct product_state *s, struct mem *mem) {
  mem_free(mem, s->packed);
  *s = (struct product_state){0};
}

/* The model's form, then q and what was collected in four bytes, the lowest first. */
static size_t pack(const struct model *m, const uint32_t *state, uint8_t *out, size_t room) {
  const struct product *p = product_of(m);
  uint32_t q = get_q(p, state, p->q_at);
  copy_clean(p, p->clean, state, p->inner->words, p->q_at);
  size_t length = p->inner->type->pack(p->inner, p->clean, out, room < 4 ? 0 : room - 4);
  for (unsigned i = 0; i < 4 && length + 4 <= room; i++) out[length + i] = (uint8_t)(q >> 8 * i);
  return length + 4;
}

static int unpack(const struct model *m, const uint8_t *data, size_t length, uint32_t *state) {
  const struct product *p = product_of(m);
  uint32_t q = 0;
  if (length < 4) return -1;
  for (unsigned i = 0; i < 4; i++) q |= (uint32_t)data[length - 4 + i] << 8 * i;
  if (q > bits_mask(p->q_bits) || watcher(p, q) > p->setup.automaton->states) return -1;
  memset(state, 0, m->words * sizeof *state);
  if (p->inner->type->unpack(p->inner, data, length - 4, state)) return -1;
  put_q(p, state, q);
  return 0;
}

static uint64_t layout_sign(const struct model *m) {
  const struct product *p = product_of(m);
  uint64_t sign = p->inner->type->layout_sign ? p->inner->type->layout_sign(p->inner) : 0;
  return !sign ? 0 : hash_pair(sign, (uint64_t)p->q_at << 32 | p->q_bits);
}

static unsigned labels(const struct model *m, const uint32_t *state) {
  const struct product *p = product_of(m);
  const struct automaton *a = p->setup.automaton;
  uint32_t q = product_watcher(m, state);
  return MODEL_END | (q < a->states && a->kind[q] >= SCC_STRONG ? MODEL_ACCEPT : 0);
}

static size_t components(const struct model *m, uint32_t *bit, size_t room) {
  const struct product *p = product_of(m);
  size_t n = p->inner->type->components ? p->inner->type->components(p->inner, bit, room) : 0;
  if (!n && room) bit[0] = 0;
  n += !n;
  if (n < room && p->q_bits) bit[n] = p->q_at;
  return n + (p->q_bits != 0);
}

static void convert(void *model, const uint32_t *old, uint32_t *new);

/* Where runs begin in the new layout. */
static int move_start(struct product *p) {
  uint32_t *start = mem_alloc(p->base.mem, MEM_MODEL, (model_stride(p->base.words) + 2) * sizeof *start);
  if (!start) return -1;
  convert(p, p->start, start);
  mem_free(p->base.mem, p->start);
  p->start = start;
  return 0;
}

static int widen(struct model *m, struct model_cursor *c, struct err *e) {
  struct product *p = (struct product *)m;
  p->old_at = p->q_at;
  p->old_words = p->inner->words;
  if (room_for(&p->clean, &p->clean_room, model_stride(p->inner->words) + 2, m->mem)) return err_memory(e, "a wider state");
  if (p->inner->type->widen(p->inner, ((struct product_cursor *)c)->inner, e)) return -1;
  set_layout(p);
  m->vars = p->inner->vars;
  if (room_for(&p->clean, &p->clean_room, model_stride(p->inner->words) + 2, m->mem)) return err_memory(e, "a wider state");
  return p->start && move_start(p) ? err_memory(e, "a wider state") : 0;
}

static void convert(void *model, const uint32_t *old, uint32_t *new) {
  struct product *p = model;
  copy_clean(p, p->clean, old, p->old_words, p->old_at);
  p->inner->type->convert(p->inner, p->clean, new);
  put_q(p, new, get_q(p, old, p->old_at));
}

static void widen_done(struct model *m, int keep) {
  struct product *p = (struct product *)m;
  p->inner->type->widen_done(p->inner, keep);
  set_layout(p);
  m->vars = p->inner->vars;
}

static int64_t value(const struct model *m, const uint32_t *state, uint32_t var) {
  const struct model *inner = product_of(m)->inner;
  return inner->type->value(inner, state, var);
}

static int fireable(struct model_cursor *base, const uint32_t *state, uint32_t group) {
  struct product_cursor *c = (struct product_cursor *)base;
  const struct product *p = product_of(base->model);
  if (room_for(&c->clean, &c->clean_room, model_stride(p->inner->words) + 2, base->mem)) return 0;
  copy_clean(p, c->clean, state, p->inner->words, p->q_at);
  return p->inner->type->fireable(c->inner, c->clean, group);
}

static int64_t find_var(const struct model *m, const char *name, size_t length) {
  const struct model *inner = product_of(m)->inner;
  return inner->type->find_var(inner, name, length);
}

static int64_t find_group(const struct model *m, const char *name, size_t length) {
  const struct model *inner = product_of(m)->inner;
  return inner->type->find_group(inner, name, length);
}

static const char *var_name(const struct model *m, uint32_t var) {
  const struct model *inner = product_of(m)->inner;
  return inner->type->var_name(inner, var);
}

static const char *group_name(const struct model *m, uint32_t group) {
  const struct model *inner = product_of(m)->inner;
  return group < inner->groups ? inner->type->group_name(inner, group) : "(nothing happens)";
}

static void cursor_close(struct model_cursor *base) {
  struct product_cursor *c = (struct product_cursor *)base;
  if (!c) return;
  struct mem *mem = base->mem;
  if (c->inner) product_of(base->model)->inner->type->cursor_close(c->inner);
  mem_free(mem, c->clean);
  vec_free(&c->marks, mem);
  vec_free(&c->open, mem);
  vec_free(&c->ways, mem);
  mem_free(mem, c);
}

/* Asks the model to evaluate what decides whether the automaton goes on. */
static void watch(struct product_cursor *c, const struct product *p) {
  uint64_t wanted = 0;
  for (uint32_t q = 0; q < p->setup.automaton->states; q++) wanted |= p->may_end[q] ? p->care[q] : 0;
  for (; wanted && p->inner->type->watch; wanted &= wanted - 1) {
    unsigned i = (unsigned)__builtin_ctzll(wanted);
    int64_t condition = p->setup.atom[i].expr ? expr_condition(p->setup.atom[i].expr) : -1;
    int bit = condition >= 0 ? p->inner->type->watch(c->inner, (uint32_t)condition) : -1;
    if (bit < 0) continue;
    c->watched |= (uint64_t)1 << i;
    c->watched_as[i] = (uint8_t)bit;
  }
}

static int cursor_open(struct model_cursor **out, const struct model *m, struct mem *mem) {
  const struct product *p = product_of(m);
  struct product_cursor *c = mem_alloc(mem, MEM_MODEL, sizeof *c);
  if (!c) return -1;
  c->base = (struct model_cursor){.model = m, .mem = mem};
  if (p->inner->type->cursor_open(&c->inner, p->inner, mem)) {
    cursor_close(&c->base);
    return -1;
  }
  if (p->setup.fair) p->inner->type->movers(c->inner); /* from now on */
  watch(c, p);
  *out = &c->base;
  return 0;
}

static void close_product(struct model *m) {
  struct product *p = (struct product *)m;
  struct mem *mem = m->mem;
  mem_free(mem, p->care);
  mem_free(mem, p->may_end);
  mem_free(mem, p->start);
  mem_free(mem, p->clean);
  mem_free(mem, p);
}

static void note_parts(struct model_cursor *base) {
  struct model_cursor *inner = ((struct product_cursor *)base)->inner;
  if (inner->model->type->note_parts) inner->model->type->note_parts(inner);
}

static const struct model_type product_type = {
    .kind = "product with an automaton",
    .close = close_product,
    .share = share,
    .cursor_open = cursor_open,
    .cursor_close = cursor_close,
    .initial = initial,
    .successors = successors,
    .widen = widen,
    .convert = convert,
    .widen_done = widen_done,
    .labels = labels,
    .components = components,
    .value = value,
    .fireable = fireable,
    .find_var = find_var,
    .find_group = find_group,
    .var_name = var_name,
    .group_name = group_name,
    .sets = sets,
    .marks = marks,
    .note_parts = note_parts,
    .pack = pack,
    .unpack = unpack,
    .layout_sign = layout_sign,
};

static uint64_t cares(const struct automaton *a, uint32_t state) {
  uint64_t care = 0;
  for (const struct automaton_edge *e = automaton_edges(a, state), *end = automaton_edges(a, state + 1); e < end; e++) care |= e->care;
  return care;
}

enum { ASKED_MOST = 10 }; /* atoms of one state whose letters are all looked at */

static int may_end(const struct automaton *a, uint32_t state, uint64_t care) {
  if (__builtin_popcountll(care) > ASKED_MOST) return 1;
  uint64_t letter = 0;
  do {
    if (!goes_on(a, state, letter)) return 1;
    letter = (letter - care) & care; /* the next subset of them */
  } while (letter);
  return 0;
}

int product_open(struct model **out, const struct product_setup *setup, struct mem *mem, struct err *e) {
  const struct automaton *a = setup->automaton;
  if (setup->fair && !setup->model->type->movers)
    return err_usage(e, "weak fairness is for models that are made of processes; this one is a %s", setup->model->type->kind);
  struct product *p = mem_alloc(mem, MEM_MODEL, sizeof *p);
  if (p) p->care = mem_alloc(mem, MEM_MODEL, ((size_t)a->states + 1) * sizeof *p->care);
  if (p) p->may_end = mem_alloc(mem, MEM_MODEL, (size_t)a->states + 1);
  if (!p || !p->care || !p->may_end || room_for(&p->clean, &p->clean_room, model_stride(setup->model->words) + 2, mem)) {
    if (p) mem_free(mem, p->care), mem_free(mem, p->may_end);
    mem_free(mem, p);
    return err_memory(e, "the product of model and property");
  }
  p->setup = *setup;
  p->inner = setup->model;
  p->base = *setup->model;
  p->base.type = &product_type;
  p->base.mem = mem;
  p->base.groups = setup->model->groups + 1;
  p->watcher_bits = bits_for(a->states);
  p->q_bits = p->watcher_bits + (setup->collect ? bits_for(set_count(p)) : 0);
  for (uint32_t q = 0; q < a->states; q++) {
    p->care[q] = cares(a, q);
    p->may_end[q] = !setup->dead_ends && may_end(a, q, p->care[q]);
  }
  for (uint32_t i = 0; i < a->initial_count; i++) p->care[a->states] |= p->care[a->initial[i]];
  set_layout(p);
  *out = &p->base;
  return 0;
}
