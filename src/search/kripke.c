/* kripke.c -- see kripke.h.
 *
 * Breadth-first search expands states in the order of their numbers and tells the edges of one after another: so edges come sorted by source, and nothing has to be
 * sorted.  When the layout of states becomes wider and the exploration begins anew, so does the graph. */
#include "search/kripke.h"

#include <string.h>

static int room(struct region *r, size_t bytes) {
  if (bytes <= r->size) return 0;
  return region_resize(r, bytes + bytes / 2 + 65536) && region_resize(r, bytes + 4096) ? -1 : 0;
}

static int add_state(struct kripke *k, const struct search_event *event) {
  uint64_t n = k->states++;
  if (n >= UINT32_MAX || room(&k->first, (n + 2) * sizeof(uint64_t))) return -1;
  for (size_t i = 0; i < k->atoms; i++) {
    if (room(&k->truth[i], n / 8 + 1)) return -1;
    if (expr_true(k->atom[i], k->cursor, event->words)) k->truth[i].base[n / 8] |= (uint8_t)(1u << n % 8);
  }
  return 0;
}

/* The edges of all states up to this one begin here at the latest. */
static void begin_state(struct kripke *k, uint64_t state) {
  uint64_t *first = (uint64_t *)(void *)k->first.base;
  for (; k->expanded <= state; k->expanded++) first[k->expanded] = k->edges;
}

/* first[states] is where the edges of the last one end. */
static void end_state(struct kripke *k, uint64_t state) {
  begin_state(k, state);
  ((uint64_t *)(void *)k->first.base)[k->expanded] = k->edges;
}

static int add_edge(struct kripke *k, const struct search_event *event) {
  if (room(&k->target, (k->edges + 1) * sizeof(uint32_t)) || (k->with_groups && room(&k->group, (k->edges + 1) * sizeof(uint32_t)))) return -1;
  begin_state(k, event->source);
  if (k->with_groups) ((uint32_t *)(void *)k->group.base)[k->edges] = event->group;
  ((uint32_t *)(void *)k->target.base)[k->edges++] = (uint32_t)event->state;
  return 0;
}

static void forget(struct kripke *k) {
  k->states = k->edges = k->expanded = 0;
  for (size_t i = 0; i < k->atoms; i++)
    if (k->truth[i].size) memset(k->truth[i].base, 0, k->truth[i].size);
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct kripke *k = (struct kripke *)l;
  int bad = 0;
  (void)s;
  switch (event->kind) {
  case EVENT_AGAIN: forget(k); break;
  case EVENT_NEW:
    bad = add_state(k, event);
    if (!bad && event->source != STORE_NONE) bad = add_edge(k, event);
    break;
  case EVENT_SEEN: bad = add_edge(k, event); break;
  case EVENT_EXPANDED: end_state(k, event->state); break;
  default: break;
  }
  k->failed |= bad;
  return bad ? LISTEN_GOAL : LISTEN_ON;
}

int kripke_open(struct kripke *k, const struct model *m, struct expr *const *atom, size_t atoms, struct mem *mem, struct err *e) {
  *k = (struct kripke){.mem = mem, .model = m, .atom = atom, .atoms = atoms};
  k->listener = (struct listener){EVENT_NEW | EVENT_SEEN | EVENT_EXPANDED | EVENT_AGAIN, hear};
  region_open(&k->first, mem, MEM_SEARCH);
  region_open(&k->target, mem, MEM_SEARCH);
  region_open(&k->group, mem, MEM_SEARCH);
  k->truth = mem_alloc(mem, MEM_SEARCH, (atoms + 1) * sizeof *k->truth);
  for (size_t i = 0; k->truth && i < atoms; i++) region_open(&k->truth[i], mem, MEM_SEARCH);
  if (k->truth && m->type->cursor_open(&k->cursor, m, mem) == 0) return 0;
  kripke_close(k);
  return err_memory(e, "the graph of all states");
}

void kripke_close(struct kripke *k) {
  if (!k->mem) return;
  if (k->cursor) k->model->type->cursor_close(k->cursor);
  region_close(&k->first);
  region_close(&k->target);
  region_close(&k->group);
  for (size_t i = 0; k->truth && i < k->atoms; i++) region_close(&k->truth[i]);
  mem_free(k->mem, k->truth);
  *k = (struct kripke){0};
}
