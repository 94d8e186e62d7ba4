/* cndfs.c -- see cndfs.h. */
#include "search/cndfs.h"

#include "base/crew.h"
#include "base/rng.h"
#include "base/vec.h"
#include "prop/product.h"
#include "search/refmap.h"
#include "search/strategy.h"
#include "store/shared.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

enum { BLUE = 1, RED = 2, OFTEN = 64 };

struct frame {
  uint64_t state;
  size_t next, end; /* successors that are still to be tried */
  uint32_t edge;    /* by which it was entered */
  uint32_t successors;
  uint8_t accepts;
};

struct successor {
  uint64_t state;
  uint32_t edge;
};

struct threads;
struct walker { /* one thread */
  struct threads *all;
  struct model_cursor *cursor;
  struct model_batch batch;
  uint32_t *words;
  struct vec(struct frame) blue, red;
  struct vec(struct successor) waiting, red_waiting;
  struct refmap cyan, pink;
  struct vec(uint64_t) reached; /* what is pink */
  uint64_t spare, expanded, states, transitions;
  struct rng rng;
};

enum why { GOES_ON, FOUND, WIDER, MEMORY, LIMIT, REFUSED };

struct threads {
  struct search *search;
  struct cndfs *task;
  struct shared set;
  struct walker *walker;
  unsigned count;
  atomic_int why; /* somebody wants all to stop */
  unsigned who;   /* the one with the path, or whose cursor knows what does not fit */
  enum model_answer refused;
  uint64_t first; /* the initial state */
  /* standing still while the set grows */
  pthread_mutex_t lock;
  pthread_cond_t moving;
  atomic_int growing;
  unsigned active, standing;
  uint64_t grown;
  _Atomic uint64_t told_states, told_transitions; /* for progress: now and then */
};

static void stop_because(struct walker *w, enum why why, enum model_answer answer) {
  struct threads *t = w->all;
  pthread_mutex_lock(&t->lock);
  if (atomic_load_explicit(&t->why, memory_order_relaxed) == GOES_ON) {
    t->who = (unsigned)(w - t->walker);
    t->refused = answer;
    atomic_store_explicit(&t->why, why, memory_order_release);
  }
  pthread_mutex_unlock(&t->lock);
}

static void stop(struct walker *w, enum why why) { stop_because(w, why, MODEL_OK); }

static int stopped(const struct walker *w) { return atomic_load_explicit(&w->all->why, memory_order_acquire) != GOES_ON; }

/* ---- the set grows ------------------------------------------------------------------------------ */

/* Under the lock, when all who are active stand still. */
static void grow(struct threads *t) {
  if (shared_grow(&t->set) && atomic_load(&t->why) == GOES_ON) atomic_store(&t->why, MEMORY);
  atomic_store(&t->growing, 0);
  t->standing = 0;
  t->grown++;
  pthread_cond_broadcast(&t->moving);
}

static void stand_still(struct walker *w) {
  struct threads *t = w->all;
  pthread_mutex_lock(&t->lock);
  if (atomic_load(&t->growing)) {
    uint64_t before = t->grown;
    if (++t->standing == t->active) grow(t);
    while (t->grown == before) pthread_cond_wait(&t->moving, &t->lock);
  }
  pthread_mutex_unlock(&t->lock);
}

static void leave(struct walker *w) {
  struct threads *t = w->all;
  pthread_mutex_lock(&t->lock);
  t->active--;
  if (atomic_load(&t->growing) && t->active && t->standing == t->active) grow(t);
  pthread_mutex_unlock(&t->lock);
}

static int others_walk(struct threads *t) {
  pthread_mutex_lock(&t->lock);
  int some = t->active > 0;
  pthread_mutex_unlock(&t->lock);
  return some;
}

static inline void look_up(struct walker *w) {
  if (atomic_load_explicit(&w->all->growing, memory_order_relaxed)) stand_still(w);
}

/* The number of a state; SHARED_FULL: everything is to stop. */
static uint64_t number_of(struct walker *w, const uint32_t *state) {
  for (;;) {
    uint64_t number = shared_put(&w->all->set, state, &w->spare);
    if (number != SHARED_FULL) return number;
    atomic_store(&w->all->growing, 1);
    stand_still(w);
    if (stopped(w)) return SHARED_FULL;
  }
}

/* ---- steps ------------------------------------------------------------------------------------------ */

static int accepting(const struct walker *w, const uint32_t *words) {
  const struct automaton *a = w->all->task->automaton;
  uint32_t q = product_watcher(w->all->search->model, words);
  return q < a->states && automaton_state_accepts(a, q) && a->kind[q] >= SCC_STRONG;
}

static uint32_t component(const struct walker *w, const uint32_t *words) {
  const struct automaton *a = w->all->task->automaton;
  uint32_t q = product_watcher(w->all->search->model, words);
  return q < a->states ? a->scc[q] : UINT32_MAX;
}

/* Limits are looked at by the owner's thread, which also tells how far it is. */
static void look_at_limits(struct walker *w) {
  struct threads *t = w->all;
  struct search *s = t->search;
  atomic_fetch_add_explicit(&t->told_states, w->states, memory_order_relaxed);
  atomic_fetch_add_explicit(&t->told_transitions, w->transitions, memory_order_relaxed);
  w->states = w->transitions = 0;
  if (w != t->walker) return;
  s->stats.expanded = atomic_load_explicit(&t->told_states, memory_order_relaxed);
  s->stats.transitions = atomic_load_explicit(&t->told_transitions, memory_order_relaxed);
  s->stats.states = atomic_load_explicit(&t->set.next, memory_order_relaxed);
  s->stats.frontier = s->stats.states - s->stats.expanded;
  if (w->blue.count > s->stats.depth) s->stats.depth = w->blue.count;
  if (!search_may_go_on(s)) stop(w, LIMIT);
}

/* Successors of a state (its words are in w->words). 0, or -1: everything is to stop. */
static int expand(struct walker *w, uint64_t state) {
  struct search *s = w->all->search;
  shared_get(&w->all->set, state, w->words);
  w->batch.count = w->batch.fault_count = 0;
  if (++w->expanded % OFTEN == 0) look_at_limits(w);
  look_up(w);
  if (stopped(w)) return -1;
  enum model_answer answer = s->model->type->successors(w->cursor, w->words, &w->batch);
  if (answer == MODEL_OK) return 0;
  stop_because(w, answer == MODEL_WIDEN ? WIDER : answer == MODEL_MEMORY ? MEMORY : REFUSED, answer);
  return -1;
}

/* They wait in an order of this thread's own. `inside`: only those of this component of the automaton; `closing`: a state that is cyan ends it. 0; 1: closed; -1. */
#define wait_for(w, list, keep)                                                                          \
  size_t first_ = (list).count;                                                                          \
  if (vec_reserve(&(list), (w)->all->search->mem, MEM_SEARCH, (w)->batch.count + 1)) {                   \
    stop(w, MEMORY);                                                                                     \
    return -1;                                                                                           \
  }                                                                                                      \
  for (size_t i_ = 0; i_ < (w)->batch.count; i_++) {                                                     \
    const uint32_t *to = (w)->batch.states + i_ * (w)->batch.stride;                                     \
    uint64_t n = SHARED_NONE;                                                                            \
    keep;                                                                                                \
    if (n == SHARED_FULL) return -1;                                                                     \
    if (n == SHARED_NONE) continue;                                                                      \
    size_t at = first_ + rng_below(&(w)->rng, (list).count - first_ + 1);                                \
    (list).at[(list).count] = (list).at[at];                                                             \
    (list).at[at] = (struct successor){n, (uint32_t)i_};                                                 \
    (list).count++;                                                                                      \
  }

static int is_cyan(const struct walker *w, uint64_t n) { return refmap_get(&w->cyan, n) != REFMAP_NONE; }
static int is_pink(const struct walker *w, uint64_t n) { return refmap_get(&w->pink, n) != REFMAP_NONE; }
static unsigned marks(const struct walker *w, uint64_t n) { return atomic_load_explicit(shared_marks(&w->all->set, n), memory_order_acquire); }
/* Was it not marked so before? */
static int mark(const struct walker *w, uint64_t n, unsigned with) { return !(atomic_fetch_or_explicit(shared_marks(&w->all->set, n), (uint8_t)with, memory_order_acq_rel) & with); }

/* ---- red ---------------------------------------------------------------------------------------------- */

static int red_enter(struct walker *w, uint64_t state, uint32_t inside) {
  struct mem *mem = w->all->search->mem;
  if (refmap_put(&w->pink, state, 1) || vec_push(&w->reached, mem, MEM_SEARCH, state)) {
    stop(w, MEMORY);
    return -1;
  }
  if (expand(w, state)) return -1;
  wait_for(w, w->red_waiting, {
    if (component(w, to) != inside) continue;
    n = number_of(w, to);
    if (n != SHARED_FULL && is_cyan(w, n)) return 1;
  });
  if (vec_push(&w->red, mem, MEM_SEARCH, ((struct frame){.state = state, .next = first_, .end = w->red_waiting.count}))) {
    stop(w, MEMORY);
    return -1;
  }
  return 0;
}

/* From an accepting state that is left. 0: there is no way back to the stack; 1: there is; -1. */
static int red_search(struct walker *w, uint64_t seed, uint32_t inside) {
  w->red.count = w->red_waiting.count = 0;
  for (size_t i = 0; i < w->reached.count; i++) refmap_remove(&w->pink, w->reached.at[i]);
  w->reached.count = 0;
  int answer = red_enter(w, seed, inside);
  while (!answer && w->red.count) {
    struct frame *top = &w->red.at[w->red.count - 1];
    if (top->next == top->end) {
      w->red.count--;
      w->red_waiting.count = w->red.count ? w->red.at[w->red.count - 1].end : 0;
      continue;
    }
    uint64_t n = w->red_waiting.at[top->next++].state;
    if (!is_pink(w, n) && !(marks(w, n) & RED)) answer = red_enter(w, n, inside);
  }
  return answer;
}

/* Accepting states of others on the way must be red first. 0, or -1: everything is to stop. */
static int red_finish(struct walker *w, uint64_t seed) {
  for (size_t i = 0; i < w->reached.count; i++) {
    uint64_t n = w->reached.at[i];
    if (n == seed) continue;
    shared_get(&w->all->set, n, w->words);
    if (!accepting(w, w->words)) continue;
    for (unsigned looks = 0; !(marks(w, n) & RED); looks++) {
      look_up(w);
      if (stopped(w)) return -1;
      if (looks % OFTEN == 0) look_at_limits(w);
      sched_yield();
    }
  }
  for (size_t i = 0; i < w->reached.count; i++) mark(w, w->reached.at[i], RED);
  return 0;
}

/* ---- blue --------------------------------------------------------------------------------------------- */

/* 0; 1: an edge back to the stack closes an accepting cycle; -1. */
static int blue_enter(struct walker *w, uint64_t state, uint32_t edge) {
  struct mem *mem = w->all->search->mem;
  if (refmap_put(&w->cyan, state, w->blue.count)) {
    stop(w, MEMORY);
    return -1;
  }
  if (expand(w, state)) return -1;
  int accepts = accepting(w, w->words);
  uint32_t inside = component(w, w->words);
  int closed = 0;
  wait_for(w, w->waiting, {
    n = number_of(w, to);
    if (n == SHARED_FULL) continue;
    if (is_cyan(w, n)) {
      closed |= component(w, to) == inside && (accepts || accepting(w, to));
      continue;
    }
    if (marks(w, n) & BLUE) continue;
  });
  if (stopped(w)) return -1;
  struct frame frame = {.state = state, .next = first_, .end = w->waiting.count, .edge = edge, .successors = (uint32_t)w->batch.count, .accepts = (uint8_t)accepts};
  if (vec_push(&w->blue, mem, MEM_SEARCH, frame)) {
    stop(w, MEMORY);
    return -1;
  }
  return closed;
}

/* A state is left. 0; 1: the cycle is found; -1. */
static int blue_leave(struct walker *w) {
  struct frame *top = &w->blue.at[w->blue.count - 1];
  uint64_t state = top->state;
  if (mark(w, state, BLUE)) {
    w->states++;
    w->transitions += top->successors;
  }
  if (top->accepts && !(marks(w, state) & RED)) {
    shared_get(&w->all->set, state, w->words);
    int answer = red_search(w, state, component(w, w->words));
    if (answer || red_finish(w, state)) return answer ? answer : -1;
  }
  refmap_remove(&w->cyan, state);
  w->blue.count--;
  w->waiting.count = w->blue.count ? w->blue.at[w->blue.count - 1].end : 0;
  return 0;
}

static void walk(void *context, unsigned worker) {
  struct threads *t = context;
  struct walker *w = &t->walker[worker];
  int answer = blue_enter(w, t->first, 0);
  while (!answer && w->blue.count) {
    struct frame *top = &w->blue.at[w->blue.count - 1];
    if (top->next == top->end) {
      answer = blue_leave(w);
      continue;
    }
    struct successor x = w->waiting.at[top->next++];
    if (!is_cyan(w, x.state) && !(marks(w, x.state) & BLUE)) answer = blue_enter(w, x.state, x.edge);
  }
  if (answer > 0) stop(w, FOUND);
  look_at_limits(w);
  leave(w);
  while (w == t->walker && others_walk(t)) { /* limits are this thread's to look at */
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (!stopped(w)) look_at_limits(w);
  }
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static void close_walkers(struct threads *t) {
  struct search *s = t->search;
  for (unsigned i = 0; i < t->count && t->walker; i++) {
    struct walker *w = &t->walker[i];
    if (w->cursor) s->model->type->cursor_close(w->cursor);
    if (w->batch.mem) model_batch_close(&w->batch);
    mem_free(s->mem, w->words);
    vec_free(&w->blue, s->mem);
    vec_free(&w->red, s->mem);
    vec_free(&w->waiting, s->mem);
    vec_free(&w->red_waiting, s->mem);
    vec_free(&w->reached, s->mem);
    if (w->all) refmap_close(&w->cyan), refmap_close(&w->pink);
  }
  mem_free(s->mem, t->walker);
  shared_close(&t->set);
}

static int open_walkers(struct threads *t) {
  struct search *s = t->search;
  t->walker = mem_alloc(s->mem, MEM_SEARCH, t->count * sizeof *t->walker);
  if (!t->walker || shared_open(&t->set, s->mem, s->model->words, s->model->bits)) return -1;
  for (unsigned i = 0; i < t->count; i++) {
    struct walker *w = &t->walker[i];
    w->all = t;
    w->spare = SHARED_NONE;
    w->rng.state = s->ways.seed + i;
    refmap_open(&w->cyan, s->mem);
    refmap_open(&w->pink, s->mem);
    w->words = mem_alloc(s->mem, MEM_SEARCH, (model_stride(s->model->words) + 2) * sizeof *w->words);
    if (!w->words || s->model->type->cursor_open(&w->cursor, s->model, s->mem) || model_batch_open(&w->batch, s->mem, s->model->words, 64)) return -1;
    w->cursor->patience = &s->patience;
  }
  return 0;
}

/* The blue stack is the way. */
static void keep_path(struct threads *t) {
  const struct walker *w = &t->walker[t->who];
  struct search_path *out = &t->task->path;
  size_t count = w->blue.count ? w->blue.count - 1 : 0;
  t->task->found = 1;
  out->edge = mem_alloc(t->task->mem, MEM_SEARCH, (count + 1) * sizeof *out->edge);
  out->count = out->edge ? count : 0;
  for (size_t i = 0; i < out->count; i++) out->edge[i] = w->blue.at[i + 1].edge;
}

/* One attempt in one layout of states. 1: states became wider; 0; -1 with stop set. */
static int attempt(struct threads *t, struct crew *crew) {
  struct search *s = t->search;
  t->active = t->count;
  if (open_walkers(t)) {
    s->stop = STOP_MEMORY;
    return -1;
  }
  s->model->type->initial(s->model, t->walker->words);
  for (size_t i = s->model->words; i < model_stride(s->model->words); i++) t->walker->words[i] = 0;
  t->first = number_of(t->walker, t->walker->words);
  s->model->type->share(s->model, t->count, 0);
  crew_run(crew, walk, t);
  t->task->store_bytes = shared_bytes(&t->set);
  s->stats.expanded = atomic_load(&t->told_states);
  s->stats.transitions = atomic_load(&t->told_transitions);
  uint64_t spare = 0;
  for (unsigned i = 0; i < t->count; i++) spare += t->walker[i].spare != SHARED_NONE;
  s->stats.states = atomic_load(&t->set.next) - spare;
  s->stats.frontier = s->stats.states - s->stats.expanded;
  switch (atomic_load(&t->why)) {
  case GOES_ON: return 0;
  case FOUND:
    keep_path(t);
    s->stop = STOP_GOAL;
    return -1;
  case WIDER:
    if (s->model->type->widen(s->model, t->walker[t->who].cursor, &s->err)) {
      s->stop = s->err.kind == ERR_MEMORY ? STOP_MEMORY : STOP_FAULT;
      return -1;
    }
    s->model->type->widen_done(s->model, 1);
    s->stats.layouts++;
    return 1;
  case REFUSED:
    memcpy(s->cursor->fault, t->walker[t->who].cursor->fault, sizeof s->cursor->fault);
    search_refused(s, t->refused);
    return -1;
  case MEMORY: s->stop = STOP_MEMORY; return -1;
  default: return -1; /* a limit: stop is set */
  }
}

static int cndfs_run(struct search *s) {
  struct crew *crew = NULL;
  int again = 1;
  if (s->model->type->share(s->model, s->jobs, 0) || crew_open(&crew, s->jobs, s->mem)) {
    s->stop = STOP_MEMORY;
    return -1;
  }
  s->threads = s->jobs;
  while (again > 0) {
    struct threads t = {.search = s, .task = s->ways.nested, .count = s->jobs};
    pthread_mutex_init(&t.lock, NULL);
    pthread_cond_init(&t.moving, NULL);
    again = attempt(&t, crew);
    close_walkers(&t);
    pthread_cond_destroy(&t.moving);
    pthread_mutex_destroy(&t.lock);
  }
  s->model->type->share(s->model, 0, 0);
  crew_close(crew);
  return again;
}

static int no_path(struct search *s, store_ref ref, struct search_path *out) {
  (void)s, (void)ref, (void)out;
  return -1;
}

static void cndfs_close(struct search *s) { (void)s; }

const struct search_type search_cndfs = {
    .name = "nested dfs",
    .summary = "accepting cycles, by several threads",
    .storeless = 1,
    .run = cndfs_run,
    .path = no_path,
    .close = cndfs_close,
};
