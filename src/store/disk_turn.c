/* disk_turn.c -- the end of a layer: the candidates come in order, out of the table or by merging their runs, and those that are nowhere yet are the next layer. */
#include "store/disk_inside.h"

#include <string.h>

enum { MOST_ARRIVALS = 512, POLL = 1024, LOG_LARGE = 64 << 10 };

/* A state that is new: its place in the log, and in memory if the layer goes there. */
int disk_welcome(struct disk *d, const uint32_t *state, uint64_t hash, int young) {
  uint64_t slot;
  while (disk_log_append(&d->log, state))
    if (disk_files_failed(d->files) || !disk_spare(d)) return -1;
  if (young && (disk_table_find(&d->young, state, hash, &slot) || disk_table_enter(&d->young, state, hash, slot))) return -1;
  d->count++;
  return 0;
}

struct turn {
  struct disk *disk;
  const struct disk_listener *listener;
  int young;                 /* new states go to the table in memory, too; otherwise to: */
  struct disk_writer *writer;
  uint32_t *last;            /* the candidate before, and whether it was new */
  int any, fresh;
  size_t heard, passed;      /* candidates; of these, told before */
};

/* Is it new? 1, 0, -1. */
static int is_new(struct disk *d, const uint32_t *state, uint64_t hash) {
  if (d->all && disk_table_has(&d->young, state, hash)) return 0;
  if (!disk_filter_may_have(&d->filter, hash)) return 1;
  int has = disk_in_runs(d, state);
  return has < 0 ? -1 : !has;
}

/* A candidate, in order. 0; 1: enough; -1. */
static int judge(struct turn *t, const uint32_t *record) {
  struct disk *d = t->disk;
  const uint32_t *carried = d->carried ? record + d->words : NULL;
  const size_t judged = t->heard - t->passed; /* never 0 when it is asked: whoever stops at once each time comes to no end */
  if (judged % POLL == POLL - 1 && t->listener->poll(t->listener->context, judged >= t->passed / 2)) return 1;
  t->heard++;
  if (t->any && memcmp(t->last, record, d->words * sizeof *record) == 0)
    return d->all && t->listener->seen ? t->listener->hear(t->listener->context, record, carried, 0, 0) : 0;
  memcpy(t->last, record, d->words * sizeof *record);
  t->any = 1;
  uint64_t hash = disk_hash(record, d->words), place = d->log.records;
  t->fresh = is_new(d, record, hash);
  if (t->fresh < 0) return -1;
  if (!t->fresh) return t->listener->seen ? t->listener->hear(t->listener->context, record, carried, 0, 0) : 0;
  if (disk_welcome(d, record, hash, t->young) || (t->writer && disk_writer_add(t->writer, record))) return -1;
  if (t->writer) disk_filter_add(&d->filter, hash); /* no later candidate is this one */
  return t->listener->hear(t->listener->context, record, carried, 1, place);
}

/* All candidates are in memory, and there is room for them among the young. */
static int turn_in_memory(struct turn *t) {
  struct disk *d = t->disk;
  struct disk_table *c = &d->candidates;
  int status = 0;
  t->young = 1;
  d->young_first = d->young.count;
  if (c->count) disk_sort(disk_table_at(c, 0), c->count, c->words);
  size_t told = d->heard < c->count ? (size_t)d->heard : c->count; /* before the listener had enough, if nobody has brought them to files since: there was no seal */
  if (told) memcpy(t->last, disk_table_at(c, told - 1), d->words * sizeof *t->last);
  t->any = told != 0;
  t->heard = t->passed = told;
  for (size_t i = told; i < c->count && !status; i++) status = judge(t, disk_table_at(c, i));
  if (!status) disk_table_clear(c);
  return status;
}

/* The shortest runs of candidates become one, until few enough are left to be read together. */
static int fewer_arrivals(struct disk *d, size_t fan) {
  struct disk_coder *c = disk_candidate_coder(d);
  while (d->arrivals.count > fan) {
    struct disk_merge m;
    struct disk_writer w;
    const uint32_t *record;
    uint64_t records = 0;
    for (size_t i = 0; i < fan; i++) records += d->arrivals.at[i]->records;
    if (disk_merge_open(&m, d->arrivals.at, fan, c)) return -1;
    struct disk_run *r = disk_new_run(d, &w, c, records);
    int bad = r ? 0 : -1;
    for (; !bad && (record = disk_merge_peek(&m)); disk_merge_advance(&m)) bad = disk_writer_add(&w, record);
    disk_merge_close(&m);
    if (r && disk_end_run(d, &w, r, bad || disk_files_failed(d->files))) bad = -1;
    if (bad) return -1;
    for (size_t i = 0; i < fan; i++) disk_drop_run(d, d->arrivals.at[i]);
    size_t rest = d->arrivals.count - fan;
    memmove(d->arrivals.at, d->arrivals.at + fan, rest * sizeof *d->arrivals.at);
    d->arrivals.at[rest] = r;
    d->arrivals.count = rest + 1;
  }
  return 0;
}

/* Those that were told before the listener had enough. 0; 1: it has enough again, and nothing has changed. */
static int pass_over(struct turn *t, struct disk_merge *m) {
  const uint64_t told = t->disk->heard;
  const uint32_t *record;
  for (; t->heard < told && (record = disk_merge_peek(m)); t->heard++, disk_merge_advance(m)) {
    if (t->heard % POLL == 0 && t->listener->poll(t->listener->context, 0)) {
      t->heard = (size_t)told;
      return 1;
    }
    memcpy(t->last, record, t->disk->words * sizeof *record);
    t->any = 1;
  }
  t->passed = t->heard;
  return 0;
}

/* The candidates are on disk; the new ones become a run of visited states. */
static int turn_on_disk(struct turn *t) {
  struct disk *d = t->disk;
  struct disk_merge m;
  struct disk_writer w;
  struct disk_coder *c = disk_candidate_coder(d);
  uint64_t records = 0;
  const uint32_t *record;
  int status = 0;
  size_t room = d->candidates.room;
  if (disk_flush_candidates(d)) return -1;
  disk_table_release(&d->candidates); /* its memory is for the readers */
  while (fewer_arrivals(d, disk_fan(d, c, MOST_ARRIVALS)))
    if (disk_files_failed(d->files) || !disk_spare(d)) return -1;
  for (size_t i = 0; i < d->arrivals.count; i++) records += d->arrivals.at[i]->records;
  while (disk_merge_open(&m, d->arrivals.at, d->arrivals.count, c))
    if (disk_files_failed(d->files) || !disk_spare(d)) return -1;
  struct disk_run *r;
  while (!(r = disk_new_run(d, &w, &d->coder, records)) && !disk_files_failed(d->files) && disk_spare(d)) {}
  t->writer = &w;
  status = r ? pass_over(t, &m) : -1;
  for (; !status && (record = disk_merge_peek(&m)); disk_merge_advance(&m)) status = judge(t, record);
  disk_merge_close(&m);
  if (disk_files_failed(d->files)) status = -1;
  if (r && (disk_end_run(d, &w, r, status < 0) || disk_add_visited(d, r))) return -1;
  if (status) return status;
  while (d->arrivals.count) disk_drop_run(d, d->arrivals.at[--d->arrivals.count]);
  disk_table_reserve(&d->candidates, room);
  return 0;
}

int disk_turn(struct store *base, const struct disk_listener *listener) {
  struct disk *d = disk_of(base);
  struct turn t = {.disk = d, .listener = listener};
  if (disk_files_failed(d->files) || (disk_worker_done(&d->worker) && disk_take_merged(d, 0))) return -1;
  /* before the disk is full, what only paths need goes: of the layers those that were expanded */
  if (d->log.file.size - d->log.file.hole > LOG_LARGE && disk_files_room(d->files) < (d->log.file.size - d->log.file.hole) / 2) disk_log_forget(&d->log, d->layer_end);
  int large = d->arrivals.count ? 1 : disk_room_for_young(d, d->candidates.count);
  if (large < 0 || disk_look_after_filter(d)) return -1;
  disk_rewind_runs(d);
  t.last = d->record; /* which is for disk_add otherwise */
  int status = large ? turn_on_disk(&t) : turn_in_memory(&t);
  d->heard = status ? t.heard : 0;
  if (status) return status;
  d->in_memory = !large && d->log.records - d->layer_end == d->young.count - d->young_first; /* and none of them was there before the turn */
  d->layer_first = d->layer_at = d->layer_end;
  d->layer_end = d->log.records;
  d->waiting = 0;
  return disk_look_after_runs(d);
}

