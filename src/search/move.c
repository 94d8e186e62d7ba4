/* move.c -- states on the move from one store to another while the search goes on.
 *
 * Three reasons: the layout of states became wider and the store cannot rewrite itself; a store has seen enough states to know a better form
 * of itself (restless); the budget asks for a smaller store (ladder.c).  The way is the same: a new store is opened, knowing a sample of
 * the states to come; the old one tells its states and gives memory back as it goes; the strategy brings over what it holds by ref.
 *
 * To a store that keeps steps the way is another: the breadth-first tree is all that it needs to know (search_adopt_tree). */
#include "search/bulk.h"
#include "search/steps.h"
#include "search/strategy.h"
#include "store/spanning.h"

#include <string.h>

enum { SAMPLE = 65536, STEPS_BYTES = 6, STEPS_LEAST = 256 << 10 };

int search_open_store(struct search *s, const struct store_type *type, const struct move_sample *like, struct store **out) {
  if (type->caps & STORE_COSTLY && !s->steps.context && steps_open(&s->steps, s->model, s->mem)) return -1;
  enum { COMPONENTS = 256 };
  uint32_t bit[COMPONENTS];
  size_t parts = s->model->type->components ? s->model->type->components(s->model, bit, COMPONENTS) : 0;
  struct store_setup setup = {.words = s->model->words,
                              .bits = s->model->bits,
                              .mem = s->mem,
                              .err = &s->err,
                              .stats = &s->stats,
                              .options = s->store_options,
                              .model = s->steps.context ? &s->steps : NULL,
                              .parts = parts ? bit : NULL,
                              .part_count = parts < COMPONENTS ? parts : COMPONENTS,
                              .depth_first = s->type != &search_bfs};
  if (like) {
    setup.sample = like->states;
    setup.sample_count = like->count;
    setup.sample_stride = like->stride;
    setup.expect = like->all;
  }
  if (type->open(out, &setup)) return -1;
  (*out)->crew = s->crew;
  return 0;
}

static void copy_state(const struct search *s, store_convert *convert, const uint32_t *from, uint32_t *to) {
  memset(to, 0, s->model->words * sizeof *to);
  if (convert) convert(s->model, from, to);
  else memcpy(to, from, s->model->words * sizeof *to);
}

/* Every so-many-th state is in the sample, so that all parts of the space are. */
static int sample_wants(struct move_sample *m) { return m->told++ * m->room / m->all >= m->count; }

static int sample_one(void *context, store_ref ref, const uint32_t *state) {
  struct move_sample *m = context;
  (void)ref;
  if (!sample_wants(m)) return 0;
  copy_state(m->search, m->convert, state, m->states + m->count++ * m->stride);
  return m->count == m->room;
}

static int sample_ref(void *context, store_ref ref) {
  struct move_sample *m = context;
  struct store *from = m->search->store;
  if (!sample_wants(m)) return 0;
  from->type->get(from, ref, m->states + m->count++ * m->stride, NULL);
  return m->count == m->room;
}

void search_take_sample(struct move_sample *m, struct search *s, size_t room, store_convert *convert) {
  *m = (struct move_sample){.stride = model_stride(s->model->words), .all = s->store->type->count(s->store), .search = s, .convert = convert};
  size_t share = mem_left(s->mem) / 4 < (size_t)1 << 23 ? mem_left(s->mem) / 4 : (size_t)1 << 23, most = share / m->stride / 4;
  m->room = m->all / 4 < room ? m->all / 4 : room;
  if (m->room < SAMPLE / 8) m->room = m->all < SAMPLE / 8 ? m->all : SAMPLE / 8;
  if (m->room > most) m->room = most;
  m->states = mem_alloc(s->mem, MEM_SEARCH, m->room * m->stride * sizeof *m->states + 16);
  if (!m->states || !m->room) return;
  if (s->store->type->each_ref && !convert) s->store->type->each_ref(s->store, sample_ref, m, 0);
  else s->store->type->each(s->store, sample_one, m, 0);
}

enum { LOAD = 128, ALONE = 1 << 14 }; /* states that are moved before others help: a store that is nearly empty learns one by one */

struct transfer { /* states go over a load at a time */
  struct search *search;
  const struct search_move *move;
  struct store *to;
  store_convert *convert;
  uint32_t *words;
  size_t stride, count;
  store_ref old[LOAD], there[LOAD];
  uint64_t hash[LOAD];
  uint8_t answer[LOAD];
  uint64_t told;
  int by_ref;        /* the old store tells refs alone */
  struct bulk *bulk; /* NULL = alone */
};

static void hear_moved(void *context, store_ref old, store_ref there, const uint32_t *words) {
  const struct search_move *m = ((struct transfer *)context)->move;
  if (m->moved) m->moved(m->context, old, there, words);
}

/* 0, or -1: the new store is full. */
static int unload(struct transfer *t) {
  struct store_batch b = {.states = t->words, .stride = t->stride, .count = t->count, .hash = t->hash, .ref = t->there, .answer = t->answer};
  struct store *from = t->search->store;
  if (t->to->type->put_batch(t->to, &b, 0) < t->count) return -1;
  for (size_t i = 0; i < t->count; i++) {
    if (from->marking) t->to->type->mark(t->to, t->there[i], from->type->mark_of(from, t->old[i]));
    if (t->move->moved) t->move->moved(t->move->context, t->old[i], t->there[i], t->words + i * t->stride);
  }
  t->count = 0;
  return 0;
}

/* From some states on others help. 0, or -1: the new store is full. */
static int call_others(struct transfer *t) {
  struct store *from = t->search->store;
  if (++t->told != (t->search->rounds_from ? LOAD / 4 : ALONE) || from->marking) return 0;
  if (unload(t)) return -1;
  if (bulk_open(&t->bulk, t->search, t->by_ref ? from : NULL, t->to, hear_moved, t)) t->bulk = NULL;
  return 0;
}

static int take_alone(struct transfer *t, store_ref ref) {
  t->old[t->count++] = ref;
  /* marks are read from the old store while it is still there: one at a time */
  return t->count == LOAD || t->search->store->marking ? unload(t) : 0;
}

static int transfer_one(void *context, store_ref ref, const uint32_t *state) {
  struct transfer *t = context;
  if (call_others(t)) return -1;
  copy_state(t->search, t->convert, state, t->bulk ? bulk_place(t->bulk) : t->words + t->count * t->stride);
  return t->bulk ? bulk_add(t->bulk, ref) : take_alone(t, ref);
}

static int transfer_ref(void *context, store_ref ref) {
  struct transfer *t = context;
  struct store *from = t->search->store;
  if (call_others(t)) return -1;
  if (t->bulk) return bulk_add(t->bulk, ref);
  uint32_t *words = t->words + t->count * t->stride;
  memset(words, 0, t->stride * sizeof *words);
  from->type->get(from, ref, words, NULL);
  return take_alone(t, ref);
}

static int transfer_all(struct transfer *t) {
  struct store *from = t->search->store;
  t->by_ref = from->type->each_ref && !t->convert;
  int status = t->by_ref ? from->type->each_ref(from, transfer_ref, t, 1) : from->type->each(from, transfer_one, t, 1);
  if (!status) status = t->bulk ? bulk_flush(t->bulk) : unload(t);
  return status;
}

int search_replace_store(struct search *s, const struct store_type *type, const struct search_move *m, store_convert *convert) {
  struct move_sample sample;
  struct transfer t = {.search = s, .move = m, .convert = convert};
  uint64_t held = s->store->type->count(s->store);
  search_take_sample(&sample, s, SAMPLE, convert);
  int status = search_open_store(s, type, &sample, &t.to);
  mem_free(s->mem, sample.states);
  if (status) return -1; /* nothing has happened yet */
  if (s->store->marking && (!type->mark_begin || type->mark_begin(t.to))) {
    type->close(t.to);
    return -1;
  }
  if (m->begin && m->begin(m->context, s, t.to)) {
    type->close(t.to);
    return -1;
  }
  t.stride = model_stride(s->model->words);
  t.words = mem_alloc(s->mem, MEM_SEARCH, (LOAD * t.stride + 4) * sizeof *t.words);
  status = t.words && transfer_all(&t) == 0 && m->move(m->context, s, t.to, convert) == 0 ? 0 : -1;
  bulk_close(t.bulk);
  mem_free(s->mem, t.words);
  if (status) s->lost = held;
  s->store->type->close(s->store);
  s->store = t.to;
  return status;
}

/* ---- a tree instead of states ------------------------------------------------------------------------------------------ */

static int give_state(void *context, uint64_t number, uint32_t *state) {
  struct store *from = context;
  return from->type->get(from, number, state, NULL);
}

int search_adopt_tree(struct search *s, const struct store_type *type, const struct search_move *m) {
  struct store *to, *from = s->store;
  unsigned caps = from->type->caps;
  uint64_t held = s->lost ? s->lost : from->type->count(from);
  if (!m->tree || !type->adopt || from->marking || m->tree->states != held || search_open_store(s, type, NULL, &to)) return -1;
  if (!to->ways) { /* the user's options made another form of it */
    type->close(to);
    return -1;
  }
  int both = !s->lost && caps & STORE_ORDER && caps & STORE_GET && mem_left(s->mem) > STEPS_BYTES * held + STEPS_LEAST;
  if (both && type->adopt(to, m->tree, give_state, from) == 0) {
    if (m->move(m->context, s, to, NULL)) s->lost = held;
    from->type->close(from);
    s->store = to;
    return s->lost ? -1 : 0;
  }
  if (both) { /* what it had begun goes first */
    type->close(to);
    if (search_open_store(s, type, NULL, &to)) return -1;
  }
  from->type->close(from);
  s->store = to;
  s->lost = held;
  if (type->adopt(to, m->tree, NULL, NULL) || m->move(m->context, s, to, NULL)) return -1;
  s->lost = 0;
  return 0;
}

int search_settle_store(struct search *s, const struct search_move *m) {
  s->store->restless = 0;
  /* There is no way back from half-way: a better form is not worth a run that ends there. */
  if (mem_left(s->mem) < s->store->type->bytes(s->store)) return 0;
  if (search_replace_store(s, s->store->type, m, NULL) == 0) return 0;
  if (!s->lost) return 0; /* there was no memory for a new form: the old one goes on */
  s->stop = STOP_MEMORY;
  return -1;
}
