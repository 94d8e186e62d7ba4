/* sweep_path.c -- paths after forgetting.
 *
 * A sweep does not know where its states came from: that would cost as much as it saves.  But it does the same again when it is asked to: numbers in order of discovery do not depend
 * on store, batches or layout.  So the path to a state is found by a second sweep that ends at that state (an errand) and keeps for the last states before it, as many as memory allows, their
 * predecessors and edges, 8 bytes each, in a ring.  The path is followed backwards until it leaves the ring; the state where it does is the target of the next errand.  Where all states found
 * on the way have room one errand is enough; otherwise as many as states divided by room.  What they need beside the ring is what the first sweep needed at its peak.
 *
 * A spanning tree in bits kept by the first sweep would take a byte or two for each state explored: the memory of a sweep would grow with what it explores instead of with what is on the
 * line. */
#include "search/sweep.h"

#include "base/clock.h"
#include "base/vec.h"

enum { SPARE = 64 << 10, LEAST = 256 };

struct way { /* backwards */
  struct vec(uint32_t) edge;
  struct vec(store_ref) state;
};

/* How many origins may be kept beside another sweep like this one. 0 = there is no room for it. */
static uint64_t ring_room(const struct search *s) {
  if (s->mem->budget == SIZE_MAX) return (uint64_t)1 << 60;
  size_t left = mem_left(s->mem), need = s->sweep.peak_bytes + s->sweep.peak_bytes / 2 + SPARE;
  if (left < need + 2 * LEAST * sizeof(uint64_t)) return 0;
  return (left - need) / 2 / sizeof(uint64_t);
}

/* Sweeps again until the target is met. 0, or -1: memory or time did not allow it. */
static int run_errand(struct search *s, struct sweep_errand *e) {
  struct search_setup setup = {.model = s->model, .store = s->store->type, .store_options = s->store_options, .mem = s->mem, .limits = {.interrupt = s->limits.interrupt}, .ways = s->ways};
  struct search *again = NULL;
  struct err err;
  double now = clock_now();
  err_clear(&err);
  if (s->limits.seconds > 0) setup.limits.seconds = s->started + s->limits.seconds > now ? s->started + s->limits.seconds - now : 1e-3;
  setup.ways.errand = e;
  e->number = STORE_NONE;
  e->found = 0;
  e->room = ring_room(s);
  if (!e->room || search_open(&again, s->type, &setup, &err)) return -1;
  search_run(again);
  search_close(again);
  return e->number == STORE_NONE ? -1 : 0;
}

/* Follows origins from `number` on, as far as the ring goes. Returns where that is, or STORE_NONE: no memory. */
static uint64_t follow(const struct sweep_errand *e, uint64_t number, struct way *w, struct mem *mem) {
  while (number && number + e->room >= e->found) {
    uint64_t origin = *sweep_origin(e, number);
    if (vec_push(&w->edge, mem, MEM_SEARCH, (uint32_t)(origin & (((uint64_t)1 << SWEEP_EDGE_BITS) - 1)))) return STORE_NONE;
    number = origin >> SWEEP_EDGE_BITS;
    if (vec_push(&w->state, mem, MEM_SEARCH, number)) return STORE_NONE;
  }
  return number;
}

static int find_way(struct search *s, store_ref target, struct way *w) {
  struct sweep_errand e = {.target = target};
  int status = vec_push(&w->state, s->mem, MEM_SEARCH, target);
  region_open(&e.origins, s->mem, MEM_SEARCH);
  while (!status && e.target) {
    status = run_errand(s, &e);
    if (status) break;
    e.target = follow(&e, e.number, w, s->mem);
    status = e.target == STORE_NONE ? -1 : 0;
  }
  region_close(&e.origins);
  return status;
}

int sweep_path(struct search *s, store_ref target, struct search_path *out) {
  struct way w = {0};
  if (s->skipped || s->sweep.kept || s->ways.errand) return -1; /* the second sweep would not know what to leave out, or find what stayed anew */
  int status = find_way(s, target, &w);
  if (!status) {
    out->count = w.edge.count;
    out->edge = mem_alloc(s->mem, MEM_SEARCH, out->count * sizeof *out->edge);
    out->state = mem_alloc(s->mem, MEM_SEARCH, (out->count + 1) * sizeof *out->state);
    status = out->edge && out->state ? 0 : -1;
  }
  for (size_t i = 0; i < w.edge.count && !status; i++) out->edge[out->count - 1 - i] = w.edge.at[i];
  for (size_t i = 0; i < w.state.count && !status; i++) out->state[out->count - i] = w.state.at[i];
  vec_free(&w.edge, s->mem);
  vec_free(&w.state, s->mem);
  return status;
}
