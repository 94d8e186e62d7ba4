/* ndfs.c -- see ndfs.h.
 *
 * The blue search is the ordinary depth-first search (dfs.c), which this listens to.  The red one is here: a stack of frames, whose waiting successors lie one after the
 * other as they do there.  Every state that it meets is in the store already; it asks for its ref and its marks, and never puts one. */
#include "search/ndfs.h"

#include "search/strategy.h"

#include <string.h>

enum { CYAN = 1, RED = 2 }; /* cyan: on the blue stack */

static enum listener_answer give_up(struct ndfs *n) {
  n->failed = 1;
  return LISTEN_GOAL;
}

/* ---- marks ------------------------------------------------------------------------------------------------------------------ */

static void marks_open(struct ndfs_marks *m, struct mem *mem) {
  region_open(&m->bits, mem, MEM_SEARCH);
  refmap_open(&m->map, mem);
}

static void marks_close(struct ndfs_marks *m) {
  region_close(&m->bits);
  refmap_close(&m->map);
}

static unsigned marks_get(const struct ndfs_marks *m, store_ref ref) {
  if (m->dense) return ref / 4 < m->bits.size ? m->bits.base[ref / 4] >> ref % 4 * 2 & 3 : 0;
  uint64_t value = refmap_get(&m->map, ref);
  return value == REFMAP_NONE ? 0 : (unsigned)value;
}

static int marks_set(struct ndfs_marks *m, store_ref ref, unsigned value) {
  if (!m->dense) {
    if (value) return refmap_put(&m->map, ref, value);
    refmap_remove(&m->map, ref);
    return 0;
  }
  size_t at = (size_t)(ref / 4);
  if (at >= m->bits.size && region_resize(&m->bits, at + at / 2 + 4096) && region_resize(&m->bits, at + 64)) return -1;
  m->bits.base[at] = (uint8_t)((m->bits.base[at] & ~(3u << ref % 4 * 2)) | value << ref % 4 * 2);
  return 0;
}

/* ---- both ------------------------------------------------------------------------------------------------------------------- */

static int accepting(const struct ndfs *n, const uint32_t *words) {
  const struct automaton *a = n->automaton;
  uint32_t q = product_watcher(n->model, words);
  return q < a->states && automaton_state_accepts(a, q) && a->kind[q] >= SCC_STRONG;
}

/* The cycle goes through a state on the blue stack: `ref`, or the one that was left just now. */
static enum listener_answer accept(struct ndfs *n, struct search *s, store_ref ref, int left) {
  struct search_path path = {0};
  n->found = 1;
  const uint32_t *edge = n->edge.at;
  size_t count = n->edge.count ? n->edge.count - 1 : 0; /* the first state was entered by none */
  if (left) edge++;
  else if (search_path(s, ref, &path)) return LISTEN_GOAL;
  else edge = path.edge, count = path.count;
  n->path.edge = mem_alloc(n->mem, MEM_SEARCH, (count + 1) * sizeof *edge);
  n->path.count = count;
  if (n->path.edge && count) memcpy(n->path.edge, edge, count * sizeof *edge);
  search_path_free(s, &path);
  return LISTEN_GOAL;
}

/* ---- red -------------------------------------------------------------------------------------------------------------------- */

enum red_answer { RED_NOTHING, RED_FOUND, RED_STOP };

/* Expands a state: its successors wait, or close the cycle. *closing: the state on the blue stack. */
static enum red_answer red_expand(struct ndfs *n, struct search *s, const uint32_t *words, uint32_t scc, store_ref *closing) {
  const struct automaton *a = n->automaton;
  struct model_batch *b = &n->batch;
  size_t stride = model_stride(n->model->words);
  b->count = b->fault_count = 0;
  n->red_states++;
  enum model_answer answer = n->model->type->successors(s->cursor, words, b);
  if (answer == MODEL_STOPPED) return search_refused(s, answer), n->stop = s->stop, RED_STOP; /* time, or Ctrl-C, in the middle of it */
  if (answer != MODEL_OK) return n->failed = 1, RED_STOP;
  for (size_t i = 0; i < b->count; i++) {
    const uint32_t *to = b->states + i * b->stride;
    uint32_t q = product_watcher(n->model, to);
    if (q >= a->states || a->scc[q] != scc) continue;
    store_ref ref;
    enum store_answer there = store_look(s->store, to, n->model->words, &ref);
    if (there == STORE_FULL) return n->failed = 1, RED_STOP;
    /* not there: the blue search did not enter it, by a limit of depth; or the store does not know which one it is */
    unsigned mark = there == STORE_NEW || ref == STORE_NONE ? RED : marks_get(&n->marks, ref);
    if (mark & CYAN) return *closing = ref, RED_FOUND;
    if (mark & RED) continue;
    if (vec_reserve(&n->waiting, n->mem, MEM_SEARCH, stride) || vec_push(&n->waiting_ref, n->mem, MEM_SEARCH, ref)) return n->failed = 1, RED_STOP;
    memset(n->waiting.at + n->waiting.count, 0, stride * sizeof *to);
    memcpy(n->waiting.at + n->waiting.count, to, n->model->words * sizeof *to);
    n->waiting.count += stride;
  }
  return RED_NOTHING;
}

/* A frame for the successors that have come to wait since there were `before`. */
static int red_push(struct ndfs *n, size_t before) { return vec_push(&n->red, n->mem, MEM_SEARCH, ((struct ndfs_frame){before, n->waiting_ref.count})); }

static int red_ready(struct ndfs *n) {
  n->red.count = n->waiting.count = n->waiting_ref.count = 0;
  if (n->batch_words == n->model->words) return 0;
  if (n->batch_words) model_batch_close(&n->batch);
  n->batch_words = 0;
  if (model_batch_open(&n->batch, n->mem, n->model->words, 64)) return -1;
  n->batch_words = n->model->words;
  return 0;
}

static enum red_answer red_search(struct ndfs *n, struct search *s, const uint32_t *seed, store_ref *closing) {
  uint32_t scc = n->automaton->scc[product_watcher(n->model, seed)];
  size_t stride = model_stride(n->model->words);
  if (red_ready(n)) return n->failed = 1, RED_STOP;
  enum red_answer answer = red_expand(n, s, seed, scc, closing);
  if (answer == RED_NOTHING && red_push(n, 0)) return n->failed = 1, RED_STOP;
  while (answer == RED_NOTHING && n->red.count) {
    struct ndfs_frame *top = &n->red.at[n->red.count - 1];
    if (top->next == top->end) { /* its successors are the last ones that wait */
      n->waiting_ref.count = --n->red.count ? n->red.at[n->red.count - 1].end : 0;
      n->waiting.count = n->waiting_ref.count * stride;
      continue;
    }
    size_t i = top->next++;
    store_ref ref = n->waiting_ref.at[i];
    if (marks_get(&n->marks, ref) & RED) continue;
    if (++n->steps % 64 == 0 && !search_may_go_on(s)) return n->stop = s->stop, RED_STOP;
    size_t before = n->waiting_ref.count;
    n->state.count = 0; /* waiting states may move while successors come: a copy of this one does not */
    if (vec_reserve(&n->state, n->mem, MEM_SEARCH, stride + 2) || marks_set(&n->marks, ref, RED)) return n->failed = 1, RED_STOP;
    memcpy(n->state.at, n->waiting.at + i * stride, stride * sizeof *n->state.at);
    answer = red_expand(n, s, n->state.at, scc, closing);
    if (answer == RED_NOTHING && red_push(n, before)) return n->failed = 1, RED_STOP;
  }
  return answer;
}

/* ---- blue ------------------------------------------------------------------------------------------------------------------- */

static enum listener_answer enter(struct ndfs *n, struct search *s, const struct search_event *event) {
  if (!n->edge.count && !n->marks.map.count) n->marks.dense = (s->store->type->caps & STORE_ORDER) != 0;
  if (vec_push(&n->edge, n->mem, MEM_SEARCH, event->edge) || vec_push(&n->accepts, n->mem, MEM_SEARCH, (uint8_t)accepting(n, event->words)) ||
      marks_set(&n->marks, event->state, CYAN))
    return give_up(n);
  return LISTEN_ON;
}

static enum listener_answer close_cycle(struct ndfs *n, struct search *s, const struct search_event *event) {
  if (!(marks_get(&n->marks, event->state) & CYAN)) return LISTEN_ON;
  uint32_t q = product_watcher(n->model, event->words);
  if (q >= n->automaton->states) return LISTEN_ON;
  return n->accepts.at[n->accepts.count - 1] || accepting(n, event->words) ? accept(n, s, event->state, 0) : LISTEN_ON;
}

/* The state is still cyan while the red search from it runs. */
static enum listener_answer leave(struct ndfs *n, struct search *s, const struct search_event *event) {
  unsigned mark = 0;
  if (n->accepts.at[n->accepts.count - 1]) {
    store_ref closing = STORE_NONE;
    enum red_answer answer = red_search(n, s, event->words, &closing);
    if (answer == RED_STOP) return LISTEN_GOAL;
    if (answer == RED_FOUND) return accept(n, s, closing, closing == event->state);
    mark = RED;
  }
  n->edge.count--;
  n->accepts.count--;
  return marks_set(&n->marks, event->state, mark) ? give_up(n) : LISTEN_ON;
}

/* ---- all -------------------------------------------------------------------------------------------------------------------- */

static void forget(struct ndfs *n) {
  marks_close(&n->marks);
  marks_close(&n->after);
  marks_open(&n->marks, n->mem);
  marks_open(&n->after, n->mem);
  n->marks.dense = n->after.dense = 0;
  n->edge.count = n->accepts.count = 0;
  n->moving = 0;
}

/* A state has another ref from now on; what the new store calls its states is not known before the move is over. */
static enum listener_answer move(struct ndfs *n, const struct search_event *event) {
  unsigned mark = marks_get(&n->marks, event->source);
  n->moving = 1;
  n->after.dense = 0;
  if (mark && marks_set(&n->after, event->state, mark)) n->failed = 1; /* nobody can end a move: the next event does */
  return LISTEN_ON;
}

static void end_move(struct ndfs *n) {
  struct ndfs_marks old = n->marks;
  n->marks = n->after;
  marks_open(&n->after, n->mem);
  marks_close(&old);
  n->moving = 0;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct ndfs *n = (struct ndfs *)l;
  if (event->kind == EVENT_AGAIN) {
    forget(n);
    return LISTEN_ON;
  }
  if (event->kind == EVENT_MOVED && event->source != STORE_NONE) return move(n, event);
  if (n->moving) end_move(n);
  if (event->kind == EVENT_MOVED) return LISTEN_ON;
  if (n->failed) return LISTEN_GOAL;
  switch (event->kind) {
  case EVENT_NEW: return enter(n, s, event);
  case EVENT_SEEN: return close_cycle(n, s, event);
  case EVENT_BACKTRACK: return leave(n, s, event);
  default: return LISTEN_ON;
  }
}

void ndfs_open(struct ndfs *n, struct model *product, const struct automaton *a, struct mem *mem) {
  *n = (struct ndfs){.mem = mem, .model = product, .automaton = a, .stop = STOP_DONE};
  n->listener.hear = hear;
  n->listener.wants = EVENT_NEW | EVENT_SEEN | EVENT_BACKTRACK | EVENT_AGAIN | EVENT_MOVED | EVENT_WORDS;
  marks_open(&n->marks, mem);
  marks_open(&n->after, mem);
}

void ndfs_close(struct ndfs *n) {
  if (!n->mem) return;
  marks_close(&n->marks);
  marks_close(&n->after);
  if (n->batch_words) model_batch_close(&n->batch);
  vec_free(&n->edge, n->mem);
  vec_free(&n->accepts, n->mem);
  vec_free(&n->red, n->mem);
  vec_free(&n->state, n->mem);
  vec_free(&n->waiting, n->mem);
  vec_free(&n->waiting_ref, n->mem);
  mem_free(n->mem, n->path.edge);
  *n = (struct ndfs){0};
}
