/* ladder.c -- the memory ladder: smaller forms of the same set while the search goes on.
 *
 *   plain          full vectors: the fastest on small spaces
 *   compact-tree   halves once, pairs in a few bits
 *   compact-tree without a queue   waiting states are marked, the breadth-first tree is given up (no paths: run.c searches again for a trace)
 *
 * and where the words of states do not compress, so that halves are as many as states:
 *
 *   comback        the step that led to each state, whatever its length (breadth-first search only)
 *
 * Which of the two it will be is found out early (forecast.c), while there is memory to try it.  The next rung is taken when most of the budget is used, early
 * enough for the move itself.  To a compact tree the plain store gives up its index at once, which is more than the tree needs, and its vectors on the way.
 * ComBack takes over the breadth-first tree and hashes all states: from the plain store while both fit, otherwise by taking all steps again with nothing
 * held but the tree.  That is also the way out when a compact tree turns out too large after all, or when a move to it fails half-way.
 *
 *   disk           the last one, where the user gave a folder: sorted runs in files (store/disk.h; breadth-first search only)
 *
 * Some memory is kept back for the move there.  Where it does not suffice, or a move between other rungs failed half-way and comback is not to be had, the search begins anew on disk.
 *
 * Nothing is lost, nothing is approximated. */
#include "search/journal.h"
#include "search/strategy.h"

enum { SHARE = 100, JUDGE = 37, PLAIN_FULL = 70, QUEUE_FULL = 88, PIECES = 128 << 10 }; /* per cent of the budget; bytes */

/* Bytes per state of comback and its tree, and a margin; what a compact tree may take without being clearly larger. */
enum { STEPS_TENTHS = 58, COMPACT_TENTHS = 70 };
enum { FEW = 16384, FEW_LONG = 200 }; /* states; bytes of one that is long */

enum { RESERVE_SHARE = 16, RESERVE_MOST = 8 << 20, RESERVE_LEAST = 640 << 10 };

/* Is there a folder for files, and may this search go there? */
static int disk_possible(const struct search *s) { return s->type == &search_bfs && s->store_options && s->store_options->disk && !(s->store && s->store->type == &store_disk); }

void search_reserve(struct search *s) {
  size_t share = s->mem->budget / RESERVE_SHARE;
  if (!s->ladder || !disk_possible(s) || s->mem->budget == SIZE_MAX) return;
  if (share < RESERVE_LEAST) share = RESERVE_LEAST;
  if (share <= s->mem->budget / 4) s->reserve = mem_alloc(s->mem, MEM_SEARCH, share < RESERVE_MOST ? share : RESERVE_MOST);
}

static size_t part(const struct search *s, unsigned percent) { return s->mem->budget / SHARE * percent; }

static uint64_t states(const struct search *s) { return s->store->type->count(s->store); }

static int steps_possible(const struct search *s) { return s->type == &search_bfs; }

/* Much of the budget is used, by states, and by so many that what a compact tree has when it is nearly empty does not count. */
static int time_to_judge(const struct search *s) {
  if (s->words != WORDS_UNKNOWN || !steps_possible(s) || s->store->type != &store_plain || s->mem->used <= part(s, JUDGE)) return 0;
  size_t bytes = s->store->type->bytes(s->store);
  return bytes > part(s, JUDGE / 3) && (states(s) >= FEW || bytes / FEW_LONG > states(s));
}

/* Is a move to comback possible now, with more than the table to spare, and will it soon not be any more? */
static int time_for_steps(const struct search *s) {
  return s->mem->used > part(s, PLAIN_FULL) || s->mem->used + states(s) / 10 * STEPS_TENTHS + 4 * PIECES > part(s, QUEUE_FULL);
}

int search_short_of_memory(const struct search *s) {
  if (!s->ladder) return 0;
  if (s->step_down_at) return states(s) >= s->step_down_at * s->rungs;
  if (s->mem->budget == SIZE_MAX) return 0;
  size_t queue = s->waiting * (sizeof(store_ref) + 1) + PIECES; /* which a plain store does not have, and the next one does */
  if (time_to_judge(s)) return 1;
  if (s->store->type == &store_plain && s->words == WORDS_DO_NOT) return time_for_steps(s);
  if (s->store->type == &store_plain) return s->mem->used > part(s, PLAIN_FULL) || s->mem->used + queue > part(s, QUEUE_FULL);
  return s->store->type->mark_begin && !s->store->marking && s->mem->used > part(s, QUEUE_FULL);
}

static void note_rung(struct search *s, const char *name) {
  if (s->rungs < SEARCH_RUNGS) s->rung[s->rungs++] = name;
}

static void judge(struct search *s) {
  uint64_t goal = s->mem->budget / STEPS_TENTHS * 10;
  s->words = search_forecast(s, COMPACT_TENTHS / 10.0, goal) > 0 ? WORDS_DO_NOT : WORDS_COMPRESS;
}

/* Is comback the store to go to, from this one? */
static int steps_wanted(const struct search *s) {
  if (!steps_possible(s)) return 0;
  if (s->lost) return 1;
  if (s->step_down_at) return s->comback_rung && s->rungs >= s->comback_rung;
  if (s->words == WORDS_DO_NOT) return 1;
  return s->store->type == &store_compact_tree && s->store->type->bytes(s->store) / COMPACT_TENTHS * 10 > states(s);
}

static int to_steps(struct search *s, const struct search_move *m) {
  if (!steps_wanted(s) || search_adopt_tree(s, &store_comback, m)) return 0;
  note_rung(s, store_comback.name);
  return 1;
}

/* Marks are collected by a pass over all states for every layer, and a short queue gives little memory back: the disk is better. */
static int queue_is_short(const struct search *s) { return disk_possible(s) && s->waiting < states(s) / 256; }

/* Has a rung been found? */
static int find_rung(struct search *s, const struct search_move *m) {
  if (!s->ladder || s->store->type == &store_comback) return 0;
  if (to_steps(s, m)) return 1;
  if (s->lost) return 0;
  if (s->store->type == &store_plain) {
    if (search_replace_store(s, &store_compact_tree, m, NULL)) return s->lost ? to_steps(s, m) : 0;
    note_rung(s, store_compact_tree.name);
    return 1;
  }
  if (!m->leave_queue || !s->store->type->mark_begin || s->store->marking || queue_is_short(s) || m->leave_queue(m->context, s)) return 0;
  if (s->store->marking) note_rung(s, "compact-tree without queue");
  return 1;
}

/* Further down there is nothing but the disk. 1, 0: there is none; -1 with stop set, or again. */
static int to_disk(struct search *s, const struct search_move *m) {
  if (!m->to_disk || !disk_possible(s)) return 0;
  mem_free(s->mem, s->reserve);
  s->reserve = NULL;
  note_rung(s, store_disk.name);
  int again = s->journal && s->journal->resuming; /* states that are found again come there in the order of the journal, from the first one on */
  if (!s->lost && !again && m->to_disk(m->context, s) == 0) return 1;
  if (s->stop != STOP_DONE && s->stop != STOP_MEMORY) return -1;
  s->stop = STOP_DONE; /* there was no memory to move: but all of it will do for a beginning */
  s->anew = &store_disk;
  s->again = 1;
  return -1;
}

int search_step_down(struct search *s, const struct search_move *m, int full) {
  int test = s->disk_rung && s->rungs >= s->disk_rung;
  if (!test && !full && !s->step_down_at && time_to_judge(s)) {
    judge(s);
    if (!search_short_of_memory(s)) return 0;
  }
  if (!test && find_rung(s, m)) return 0;
  if (!test && !full && !s->lost) {
    s->ladder = 0; /* the present form goes on as long as it can */
    return 0;
  }
  int found = to_disk(s, m);
  if (found > 0) return 0;
  int stack_alone = full && s->store->type->caps & STORE_FORGETS && s->store_options && s->store_options->cache; /* and nothing else is kept */
  if (!found) s->stop = stack_alone ? STOP_CACHE : STOP_MEMORY;
  return -1;
}
