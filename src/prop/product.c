/* product.c -- see product.h.
 *
 * Successors are made by the model straight into the caller's batch; the automaton's state is written into them afterwards.  With several open edges
 * each is copied as often, from the last to the first.
 *
 * A pair whose automaton could not even read its state would be an end: it is not made (a fifth of all pairs of a property like `<>[] p`).  Where the automaton has an
 * edge for every letter nothing has to be asked for that; else the model evaluates the conditions while it makes its successors, if it can (watch). */
#include "prop/product_inside.h"

#include <stdio.h>

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

/* What matters in the successors: atoms that tell whether the automaton goes on behind one of its open edges. */
static void heed(struct product_cursor *c) {
  const struct product *p = product_of(c->base.model);
  uint64_t theirs = 0;
  c->care = 0;
  for (size_t j = 0; j < c->open.count; j++)
    if (p->may_end[c->open.at[j]->to]) c->care |= p->care[c->open.at[j]->to];
  for (uint64_t w = c->watched & c->care; w; w &= w - 1) theirs |= (uint64_t)1 << c->watched_as[__builtin_ctzll(w)];
  c->inner->unwatched = ~theirs;
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
  uint64_t care = c->care;
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
  heed(c);
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
    .widen = product_widen,
    .convert = product_convert,
    .widen_done = product_widen_done,
    .labels = product_labels,
    .components = product_components,
    .value = value,
    .fireable = fireable,
    .find_var = find_var,
    .find_group = find_group,
    .var_name = var_name,
    .group_name = group_name,
    .sets = sets,
    .marks = marks,
    .note_parts = note_parts,
    .pack = product_pack,
    .unpack = product_unpack,
    .layout_sign = product_layout_sign,
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
  product_set_layout(p);
  *out = &p->base;
  return 0;
}
