/* bfs_move.c -- a breadth-first search whose states change their form or their store: what it holds by name goes with them. */
#include "search/bfs.h"

#include "store/disk.h"

int bfs_room_for_sources(struct bfs *b, struct search *s) {
  size_t stride = model_stride(s->model->words) + 2, trail = s->store->trail_words;
  uint32_t *w = mem_resize(s->mem, MEM_SEARCH, b->words, b->most_sources * stride * sizeof *w);
  if (!w) return -1;
  b->words = w;
  b->stride = stride;
  if (trail && !(w = mem_resize(s->mem, MEM_SEARCH, b->trail, b->most_sources * trail * sizeof *w))) return -1;
  if (trail) b->trail = w;
  return 0;
}

/* As many successors at a time as the store likes, if there is memory for them: stores that like large batches get them also where states have few
   successors. Sources that are there stay. */
static void gather_more(struct bfs *b, struct search *s) {
  size_t state = (model_stride(s->model->words) + 2) * sizeof *b->words, most = mem_left(s->mem) / 32 / state;
  size_t gather = s->store->type->batch < most ? s->store->type->batch : most, sources = gather > GATHER ? gather / 2 : SOURCES;
  if (gather <= b->gather) return;
  if (sources > b->most_sources) {
    struct store_source *source = mem_resize(s->mem, MEM_SEARCH, b->source, sources * sizeof *source);
    if (!source) return;
    b->source = source;
    store_ref *number = mem_resize(s->mem, MEM_SEARCH, b->number, sources * sizeof *number);
    if (!number) return;
    b->number = number;
    b->most_sources = sources;
  }
  b->gather = gather;
}

/* States have moved in the middle of a batch: its sources have other names and places now, and trails of another store mean nothing. */
static void rename_sources(struct bfs *b, struct search *s) {
  int numbers = (s->store->type->caps & STORE_ORDER) != 0;
  for (size_t i = 0; i < b->sources; i++) {
    b->source[i].ref = b->number[i];
    b->source[i].words = bfs_source_words(b, i);
    b->source[i].trail = NULL;
  }
  b->batch.store.source = b->source;
  b->batch.store.sources = numbers ? b->sources : 0;
}

/* States change their form or their store: what waits goes with them. A queue that is the store itself is received state by state. */
static int begin_move(void *context, struct search *s, struct store *to) {
  struct bfs *b = context;
  frontier_put_back(&b->frontier);
  if (b->frontier.kind != FRONTIER_IN_STORE || to == s->store) return 0;
  b->receiving = frontier_receive_begin(&b->reception, &b->frontier, to, s->model->words, s->model->bits) == 0;
  return b->receiving ? 0 : -1;
}

static void moved(void *context, store_ref old, store_ref there, const uint32_t *words) {
  struct bfs *b = context;
  if (b->receiving) frontier_receive(&b->reception, old, there, words);
}

static int move_frontier(void *context, struct search *s, struct store *to, store_convert *convert) {
  struct bfs *b = context;
  if (b->receiving && to != b->reception.next.store) { /* that store did not come to be */
    frontier_receive_end(&b->reception, &b->frontier);
    b->receiving = 0;
  }
  if (!b->receiving) return frontier_move(&b->frontier, to, s->model->words, s->model->bits, convert, s->model);
  frontier_receive_end(&b->reception, &b->frontier);
  b->receiving = 0;
  return 0;
}

static struct search_move moving(struct bfs *b) {
  return (struct search_move){
      .move = move_frontier, .begin = begin_move, .moved = moved, .tree = b->nameless ? NULL : &b->tree, .context = b};
}

int bfs_widen(struct bfs *b, struct search *s, store_ref number) {
  struct search_move move = moving(b);
  move.state = number;
  move.words = bfs_source_words(b, 0);
  if (search_widen(s, &move)) return -1;
  return bfs_room_for_sources(b, s) || search_batch_restride(&b->batch, s) ? -1 : 0;
}

/* The last rung of the compact tree: the breadth-first tree is given up, and waiting states are marked in the store if there is memory for
   marks, which take less than the queue. */
static int leave_queue(void *context, struct search *s) {
  struct bfs *b = context;
  int had_tree = !b->nameless, replaying = s->journal && !b->journal; /* states are found again in the order of the queue */
  spanning_close(&b->tree);
  b->nameless = 1;
  if (had_tree && b->journal) return 0; /* the order of the queue goes as late as possible: the journal lives from it */
  if (!replaying && b->skip.count == b->skip_at && frontier_to_marks(&b->frontier, b->layer_end - b->next) == 0) {
    struct journal_state now = b->journal ? search_state(s) : (struct journal_state){0};
    if (b->journal) journal_freeze(b->journal, &now, "memory was so short that waiting states were only marked: what came later is not in it");
    return 0;
  }
  return had_tree ? 0 : -1;
}

/* ---- to disk --------------------------------------------------------------------------- */

static int load_one(void *context, store_ref ref, const uint32_t *state) {
  (void)ref;
  return disk_load(context, state);
}

/* All that waits: sources whose successors are in the batch and have not been told, the rest of the layer, and what was found of the next one. */
static int load_waiting(struct bfs *b, struct search *s, struct store *to, uint64_t *now) {
  uint64_t layer = b->layer_end - b->next, all = b->frontier.count;
  uint32_t *words = mem_alloc(s->mem, MEM_SEARCH, (model_stride(s->model->words) + 4) * sizeof *words);
  store_ref ref;
  int bad = words ? 0 : -1;
  *now = b->sources - b->unsettled + layer;
  for (size_t i = b->unsettled; i < b->sources && !bad; i++) bad = disk_load_waiting(to, bfs_source_words(b, i));
  for (uint64_t i = 0; i < all && !bad; i++) {
    if (i == layer) frontier_turn(&b->frontier);
    bad = frontier_peek(&b->frontier, &ref, words, NULL) || disk_load_waiting(to, words);
    if (!bad) frontier_advance(&b->frontier);
  }
  mem_free(s->mem, words);
  return bad;
}

/* The last rung: all states go to disk, those that wait in their order. 0, or -1 with stop set; then they are nowhere. */
static int to_disk(void *context, struct search *s) {
  struct bfs *b = context;
  struct store *from = s->store, *to;
  uint64_t held = from->type->count(from);
  struct external_start start = {.depth = b->depth, .number = b->unsettled < b->sources ? b->number[b->unsettled] : b->next};
  rounds_close(b->rounds);
  b->rounds = NULL;
  if (b->journal) { /* the tree ends here: it tells the order of the queue, and no other */
    struct journal_state now = search_state(s);
    if (external_keeps(s->model)) search_seal(s);
    else journal_freeze(b->journal, &now, EXTERNAL_CANNOT_KEEP);
    b->journal = NULL;
  }
  if (search_open_store(s, &store_disk, NULL, &to)) {
    s->stop = s->err.kind && s->err.kind != ERR_MEMORY ? STOP_DISK : STOP_MEMORY;
    return -1;
  }
  int bad = load_waiting(b, s, to, &start.now) || from->type->each(from, load_one, to, 1);
  from->type->close(from);
  s->store = to;
  spanning_close(&b->tree);
  b->nameless = 1;
  frontier_close(&b->frontier);
  if (bad) {
    s->lost = held;
    return external_failed(s);
  }
  start.skip = b->skip.at;
  start.skips = b->skip.count;
  start.skip_room = b->skip.room;
  start.skip_at = b->skip_at;
  b->skip.at = NULL;
  b->skip.count = b->skip.room = b->skip_at = 0;
  int opened = external_open(&b->external, s);
  if (!opened) return external_go_on(b->external, s, &start);
  mem_free(s->mem, start.skip);
  s->stop = STOP_MEMORY;
  return -1;
}

int bfs_step_down(struct bfs *b, struct search *s, int full) {
  struct search_move move = moving(b);
  move.leave_queue = leave_queue;
  move.to_disk = to_disk;
  if (search_step_down(s, &move, full)) return -1;
  if (b->external) return 0;
  if (b->rounds) b->no_rounds = 0; /* there is room again */
  gather_more(b, s);
  if (bfs_room_for_sources(b, s)) return -1;
  rename_sources(b, s);
  return 0;
}

int bfs_settle_store(struct bfs *b, struct search *s) {
  struct search_move move = moving(b);
  return search_settle_store(s, &move) || bfs_room_for_sources(b, s) ? -1 : 0;
}
