/* observer.c -- see observer.h. */
#include "search/observer.h"

#include <string.h>

enum part { QUIET, WAITS, WATCHED };

static enum part part_of(const struct observer *o, const uint32_t *words) {
  const struct automaton *a = o->automaton;
  uint32_t q = product_watcher(o->model, words);
  if (q >= a->states || a->kind[q] == SCC_TRANSIENT) return QUIET; /* on no cycle of the product */
  if (o->above != UINT32_MAX) return q < o->above ? QUIET : WATCHED;
  if (a->kind[q] == SCC_WEAK || a->kind[q] == SCC_TERMINAL) return QUIET;
  return automaton_state_accepts(a, q) ? WAITS : WATCHED;
}

/* A way up that ends is no way: the run goes on below. */
static int is_above(const struct observer *o, const uint32_t *words) {
  uint32_t q = product_watcher(o->model, words);
  return q >= o->above && q < o->automaton->states;
}

static enum listener_answer give_up(struct observer *o) {
  o->failed = 1;
  return LISTEN_GOAL;
}

/* The stack above the state at hand, and the edge that leads back to it. */
static int keep_loop(struct observer *o, struct search *s, const struct search_event *event) {
  struct search_path path = {0};
  size_t from = 0;
  if (s->type->path(s, event->source, &path) == 0) {
    while (from < path.count && path.state[from] != event->state) from++;
    size_t n = path.count - from;
    o->loop.edge = mem_alloc(o->mem, MEM_SEARCH, (n + 1) * sizeof *o->loop.edge);
    if (o->loop.edge) {
      if (n) memcpy(o->loop.edge, path.edge + from, n * sizeof *path.edge);
      o->loop.edge[n] = event->edge;
      o->loop.count = n + 1;
    }
  }
  search_path_free(s, &path);
  return o->loop.edge ? 0 : -1;
}

static enum listener_answer find(struct observer *o, struct search *s, const struct search_event *event, int rejected) {
  o->found = 1;
  o->rejected = rejected;
  o->has_place = (rejected || keep_loop(o, s, event) == 0) && product_keep(&o->place, o->model, event->words, o->mem) == 0;
  return LISTEN_GOAL;
}

/* A state has another ref from now on. */
static enum listener_answer move(struct observer *o, const struct search_event *event) {
  o->moving = 1;
  if (refmap_get(&o->known, event->source) != REFMAP_NONE && refmap_put(&o->next, event->state, 0)) o->failed = 1; /* nobody can end a move: the next event does */
  return LISTEN_ON;
}

static void end_move(struct observer *o) {
  refmap_close(&o->known);
  o->known = o->next;
  refmap_open(&o->next, o->mem);
  o->moving = 0;
}

static enum listener_answer enter(struct observer *o, const struct search_event *event) {
  enum part part = part_of(o, event->words);
  if (part == WATCHED) return refmap_put(&o->known, event->state, 0) ? give_up(o) : LISTEN_ON;
  return part == WAITS ? LISTEN_LATER : LISTEN_ON;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct observer *o = (struct observer *)l;
  if (event->kind == EVENT_AGAIN) {
    refmap_close(&o->known);
    refmap_close(&o->next);
    o->moving = 0;
    return LISTEN_ON;
  }
  if (event->kind == EVENT_MOVED && event->source != STORE_NONE) return move(o, event);
  if (o->moving) end_move(o);
  if (event->kind == EVENT_MOVED) return LISTEN_ON;
  if (o->failed) return LISTEN_GOAL;
  switch (event->kind) {
  case EVENT_NEW: return enter(o, event);
  case EVENT_SEEN: return refmap_get(&o->known, event->state) == REFMAP_NONE ? LISTEN_ON : find(o, s, event, 0);
  case EVENT_EXPANDED: return event->successors || is_above(o, event->words) ? LISTEN_ON : find(o, s, event, 1);
  case EVENT_BACKTRACK: refmap_remove(&o->known, event->state); return LISTEN_ON;
  default: return LISTEN_ON;
  }
}

void observer_open(struct observer *o, const struct model *product, const struct automaton *a, int levels, struct mem *mem) {
  *o = (struct observer){.mem = mem, .model = product, .automaton = a, .above = levels ? a->states / 2 : UINT32_MAX};
  o->listener.hear = hear;
  o->listener.wants = EVENT_NEW | EVENT_SEEN | EVENT_EXPANDED | EVENT_BACKTRACK | EVENT_AGAIN | EVENT_MOVED;
  refmap_open(&o->known, mem);
  refmap_open(&o->next, mem);
}

void observer_close(struct observer *o) {
  if (!o->mem) return;
  refmap_close(&o->known);
  refmap_close(&o->next);
  product_forget(&o->place, o->mem);
  mem_free(o->mem, o->loop.edge);
  *o = (struct observer){0};
}
