/* emptiness.c -- see emptiness.h. */
#include "search/emptiness.h"

#include "base/bits.h"

static enum listener_answer give_up(struct emptiness *e) {
  e->failed = 1;
  return LISTEN_GOAL;
}

/* The path to a state on the stack, kept. */
static enum listener_answer accept(struct emptiness *e, struct search *s, store_ref ref) {
  e->found = 1;
  search_keep_edges(s, ref, e->mem, &e->path);
  return LISTEN_GOAL;
}

static int may_accept(const struct emptiness *e, const struct search_event *event) {
  return (e->model->type->labels(e->model, event->words) & MODEL_ACCEPT) != 0;
}

/* ---- weak ---------------------------------------------------------------------------------------------------------------- */

static enum listener_answer hear_weak(struct emptiness *e, struct search *s, const struct search_event *event) {
  switch (event->kind) {
  case EVENT_NEW: return may_accept(e, event) && refmap_put(&e->known, event->state, 0) ? give_up(e) : LISTEN_ON;
  case EVENT_SEEN: return refmap_get(&e->known, event->state) == REFMAP_NONE ? LISTEN_ON : accept(e, s, event->state);
  case EVENT_BACKTRACK: refmap_remove(&e->known, event->state); return LISTEN_ON;
  default: return LISTEN_ON;
  }
}

/* ---- strong -------------------------------------------------------------------------------------------------------------- */

static enum listener_answer enter(struct emptiness *e, const struct search *s, const struct search_event *event) {
  if (!may_accept(e, event)) {
    /* In a store that forgets its ref may have been that of a state whose component is still open. */
    if (s->store->type->caps & STORE_FORGETS) refmap_remove(&e->known, event->state);
    return LISTEN_ON;
  }
  uint64_t at = e->live.count;
  if (vec_push(&e->live, e->mem, MEM_SEARCH, event->state) || refmap_put(&e->known, event->state, at) ||
      vec_push(&e->root, e->mem, MEM_SEARCH, ((struct emptiness_root){at, 0, event->mark})))
    return give_up(e);
  return LISTEN_ON;
}

/* An edge from the top of the stack to a state whose component is open: everything since that state is one component. */
static enum listener_answer close_cycle(struct emptiness *e, struct search *s, const struct search_event *event) {
  uint64_t target = refmap_get(&e->known, event->state), met = event->mark;
  if (target == REFMAP_NONE) return LISTEN_ON;
  while (e->root.at[e->root.count - 1].first > target) {
    const struct emptiness_root *top = &e->root.at[--e->root.count];
    met |= top->met | top->way;
  }
  struct emptiness_root *root = &e->root.at[e->root.count - 1];
  root->met |= met;
  return (root->met & e->all) == e->all ? accept(e, s, e->live.at[root->first]) : LISTEN_ON;
}

static void leave(struct emptiness *e, const struct search_event *event) {
  uint64_t at = refmap_get(&e->known, event->state);
  if (at == REFMAP_NONE || e->root.at[e->root.count - 1].first != at) return;
  for (uint64_t i = at; i < e->live.count; i++) refmap_remove(&e->known, e->live.at[i]);
  e->live.count = at;
  e->root.count--;
}

static enum listener_answer hear_strong(struct emptiness *e, struct search *s, const struct search_event *event) {
  switch (event->kind) {
  case EVENT_NEW: return enter(e, s, event);
  case EVENT_SEEN: return close_cycle(e, s, event);
  case EVENT_BACKTRACK: leave(e, event); return LISTEN_ON;
  default: return LISTEN_ON;
  }
}

/* ---- both ---------------------------------------------------------------------------------------------------------------- */

/* A state has another ref from now on. */
static enum listener_answer move(struct emptiness *e, const struct search_event *event) {
  e->moving = 1;
  uint64_t value = refmap_get(&e->known, event->source);
  if (value == REFMAP_NONE) return LISTEN_ON;
  if (!e->weak) e->live.at[value] = event->state;
  if (refmap_put(&e->next, event->state, value)) e->failed = 1; /* nobody can end a move: the next event does */
  return LISTEN_ON;
}

static void forget(struct emptiness *e) {
  refmap_close(&e->known);
  refmap_close(&e->next);
  e->live.count = e->root.count = 0;
  e->moving = 0;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct emptiness *e = (struct emptiness *)l;
  if (event->kind == EVENT_AGAIN) {
    forget(e);
    return LISTEN_ON;
  }
  if (event->kind == EVENT_MOVED && event->source != STORE_NONE) return move(e, event);
  if (e->moving) { /* the move is over */
    struct refmap old = e->known;
    e->known = e->next;
    refmap_open(&e->next, e->mem);
    refmap_close(&old);
    e->moving = 0;
  }
  if (e->failed) return LISTEN_GOAL;
  if (event->kind == EVENT_MOVED) return LISTEN_ON;
  return e->weak ? hear_weak(e, s, event) : hear_strong(e, s, event);
}

int emptiness_open(struct emptiness *e, const struct model *m, int weak, struct mem *mem) {
  *e = (struct emptiness){.mem = mem, .model = m, .weak = weak, .all = bits_mask(m->type->sets(m))};
  e->listener.hear = hear;
  e->listener.wants = EVENT_NEW | EVENT_SEEN | EVENT_BACKTRACK | EVENT_AGAIN | EVENT_MOVED | (weak ? 0 : EVENT_MARKS);
  refmap_open(&e->known, mem);
  refmap_open(&e->next, mem);
  return 0;
}

void emptiness_close(struct emptiness *e) {
  if (!e->mem) return;
  forget(e);
  vec_free(&e->live, e->mem);
  vec_free(&e->root, e->mem);
  mem_free(e->mem, e->path.edge);
  *e = (struct emptiness){0};
}
