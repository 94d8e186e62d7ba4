/* ladder.c -- the memory ladder: smaller forms of the same set while the search goes on.
 *
 *   plain          full vectors: the fastest on small spaces
 *   compact-tree   halves once, pairs in a few bits
 *   compact-tree without a queue   waiting states are marked, the breadth-first tree is given up (no paths: run.c searches again for a trace)
 *
 * The next rung is taken when most of the budget is used, early enough for the move itself: the plain store gives up its index at once, which is
 * more than a compact tree needs, and its vectors on the way.  Nothing is lost, nothing is approximated. */
#include "search/strategy.h"

enum { SHARE = 100, PLAIN_FULL = 70, QUEUE_FULL = 88, PIECES = 128 << 10 }; /* per cent of the budget; bytes */

static size_t part(const struct search *s, unsigned percent) { return s->mem->budget / SHARE * percent; }

int search_short_of_memory(const struct search *s) {
  if (!s->ladder) return 0;
  if (s->step_down_at) return s->store->type->count(s->store) >= s->step_down_at * s->rungs;
  if (s->mem->budget == SIZE_MAX) return 0;
  size_t queue = s->waiting * (sizeof(store_ref) + 1) + PIECES; /* which a plain store does not have, and the next one does */
  if (s->store->type == &store_plain) return s->mem->used > part(s, PLAIN_FULL) || s->mem->used + queue > part(s, QUEUE_FULL);
  return s->store->type->mark_begin && !s->store->marking && s->mem->used > part(s, QUEUE_FULL);
}

static void note_rung(struct search *s, const char *name) {
  if (s->rungs < SEARCH_RUNGS) s->rung[s->rungs++] = name;
}

/* Has a rung been found? */
static int find_rung(struct search *s, const struct search_move *m) {
  if (!s->ladder) return 0;
  if (s->store->type == &store_plain) {
    if (search_replace_store(s, &store_compact_tree, m, NULL)) return 0;
    note_rung(s, store_compact_tree.name);
    return 1;
  }
  if (!m->leave_queue || !s->store->type->mark_begin || s->store->marking || m->leave_queue(m->context, s)) return 0;
  if (s->store->marking) note_rung(s, "compact-tree without queue");
  return 1;
}

int search_step_down(struct search *s, const struct search_move *m, int full) {
  if (find_rung(s, m)) return 0;
  if (!full && !s->lost) {
    s->ladder = 0; /* the present form goes on as long as it can */
    return 0;
  }
  s->stop = STOP_MEMORY;
  return -1;
}
