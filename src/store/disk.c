/* disk.c -- see disk.h.
 *
 * External breadth-first search goes back to Stern and Dill (1998) and Korf (2003, delayed duplicate detection); merging by levels is that of O'Neil and others (1996). */
#include "store/disk_inside.h"

#include <string.h>

enum { MANY_LOADED = 256, LEAST_RECORDS = 64 };
enum { CANDIDATES_SHARE = 44, RECENT_SHARE = 16, FILTER_SHARE = 16 }; /* per cent of what there is beside buffers */

/* ---- memory ----------------------------------------------------------------------------------------------- */

static size_t records_in(size_t bytes, uint32_t words) {
  size_t n = bytes / (words * 4u + 6u);
  return n < LEAST_RECORDS ? LEAST_RECORDS : n;
}

/* What readers, writers and their coders take: of the search and of the thread that merges. */
size_t disk_buffers(const struct disk *d) {
  const struct disk_coder *c = &d->coder;
  return 2 * disk_coder_cost(c) + 3 * disk_writer_cost(c) + (DISK_TOO_MANY_RUNS + DISK_MOST_RUNS) * disk_reader_cost(c);
}

/* How large tables may become, judged by what is left now. */
void disk_plan(struct disk *d) {
  const struct disk_trial *trial = disk_files_trial(d->files);
  size_t left = mem_left(d->mem), io = disk_buffers(d), part = (left > io + left / 3 ? left - io : left / 3) / 100;
  d->candidates.most = trial->records ? trial->records : records_in(part * CANDIDATES_SHARE, d->words + d->carried);
  d->young.most = d->old.most = trial->records ? trial->records : records_in(part * RECENT_SHARE, d->words);
  d->filter_most = part * FILTER_SHARE;
}

void disk_open_tables(struct disk *d) {
  disk_table_open(&d->candidates, d->mem, d->words + d->carried, d->words, 0);
  disk_table_open(&d->young, d->mem, d->words, d->words, 0);
  disk_table_open(&d->old, d->mem, d->words, d->words, 0);
  disk_plan(d);
}

/* ---- opening ---------------------------------------------------------------------------------------------- */

struct disk *disk_new(const struct store_setup *setup) {
  struct disk *d = mem_alloc(setup->mem, MEM_STORE, sizeof *d);
  if (!d) return NULL;
  d->base.type = &store_disk;
  d->mem = setup->mem;
  d->words = setup->words + !setup->words;
  d->bits = setup->bits;
  region_open(&d->filter.bits, d->mem, MEM_STORE);
  d->record = mem_alloc(d->mem, MEM_STORE, (d->words + DISK_CARRIED + 4) * sizeof *d->record);
  if (d->record) return d;
  disk_close(&d->base);
  return NULL;
}

static int disk_open(struct store **out, const struct store_setup *setup) {
  struct err own;
  struct disk *d = disk_new(setup);
  err_clear(&own);
  if (!d) return -1;
  if (disk_files_open(&d->files, setup->options, d->mem, setup->err ? setup->err : &own) || disk_coder_open(&d->coder, d->files, d->words, d->mem) ||
      disk_log_open(&d->log, &d->coder)) {
    disk_close(&d->base);
    return -1;
  }
  disk_open_tables(d);
  *out = &d->base;
  return 0;
}

void disk_close(struct store *base) {
  struct disk *d = (struct disk *)base;
  if (!d) return;
  struct disk_run *made = disk_worker_join(&d->worker, 1);
  if (made) disk_drop_run(d, made);
  while (d->arrivals.count) disk_drop_run(d, d->arrivals.at[--d->arrivals.count]);
  while (d->visited.count) disk_drop_run(d, d->visited.at[--d->visited.count]);
  vec_free(&d->arrivals, d->mem);
  vec_free(&d->visited, d->mem);
  disk_log_close(&d->log);
  if (d->candidates.mem) {
    disk_table_close(&d->candidates);
    disk_table_close(&d->young);
    disk_table_close(&d->old);
  }
  region_close(&d->filter.bits);
  disk_coder_close(&d->coder);
  disk_coder_close(&d->carrier);
  disk_files_close(d->files);
  mem_free(d->mem, d->record);
  mem_free(d->mem, d);
}

/* What candidates come with from now on. There are none yet. */
int disk_carry(struct disk *d, int carries, int all) {
  d->carried = carries ? DISK_CARRIED : 0;
  d->all = all;
  if (d->candidates.mem) disk_table_close(&d->candidates);
  disk_table_open(&d->candidates, d->mem, d->words + d->carried, d->words, 0);
  disk_plan(d);
  return d->carried ? disk_coder_open(&d->carrier, d->files, d->words + d->carried, d->mem) : 0;
}

/* Tables have more right to memory than a filter that is larger than its share. 1: there is more now. */
int disk_make_room(struct disk *d) {
  if (d->modest || d->filter.bits.held <= d->filter_most + d->filter_most / 8) return 0;
  d->modest = 1;
  d->filter.blocks = d->filter.enough = 0; /* until it is made anew */
  return region_resize(&d->filter.bits, 0) == 0;
}

/* What makes the search faster goes before anything fails for memory. 1: there is more now. */
int disk_spare(struct disk *d) {
  if (disk_make_room(d)) return 1;
  if (d->old.room) {
    disk_table_release(&d->old);
    return 1;
  }
  return d->worker.busy && disk_take_merged(d, 0) == 0; /* its buffers are many */
}

/* A table that is full becomes larger, as long as it may. 0, or -1. */
int disk_grow_table(struct disk *d, struct disk_table *t) {
  if (disk_table_grow(t) == 0) return 0;
  return t->room < t->most && disk_make_room(d) ? disk_table_grow(t) : -1;
}

/* ---- a layer ----------------------------------------------------------------------------------------------- */

int disk_begin(struct store *base, const uint32_t *state, int carries, int all) {
  struct disk *d = disk_of(base);
  if (disk_carry(d, carries, all) || disk_welcome(d, state, disk_hash(state, d->words), 1)) return -1;
  d->in_memory = 1;
  d->layer_end = 1;
  return 0;
}

int disk_next(struct store *base, const uint32_t **state, uint64_t *place) {
  struct disk *d = disk_of(base);
  if (d->layer_at == d->layer_end) return 0;
  *place = d->layer_at++;
  if (d->in_memory) *state = disk_table_at(&d->young, (size_t)(d->young_first + *place - d->layer_first));
  else if (!(*state = disk_log_at(&d->log, *place))) return -1;
  return 1;
}

void disk_put_back(struct store *base) { disk_of(base)->layer_at--; }

uint64_t disk_places(const struct store *base) { return disk_of(base)->log.records; }

uint64_t disk_layer_end(const struct store *base) { return disk_of(base)->layer_end; }

uint64_t disk_layer_left(const struct store *base) { return disk_of(base)->layer_end - disk_of(base)->layer_at; }

const uint32_t *disk_at(struct store *base, uint64_t place) {
  struct disk *d = disk_of(base);
  return place < d->log.kept ? NULL : disk_log_at(&d->log, place);
}

void disk_forget(struct store *base, uint64_t place) { disk_log_forget(&disk_of(base)->log, place); }

static int add_one(struct disk *d, const uint32_t *state, uint64_t hash, const uint32_t *carried) {
  const uint32_t *record = state;
  uint64_t slot = 0;
  if (!d->all && (disk_table_find(&d->candidates, state, hash, &slot) || disk_table_has(&d->young, state, hash) || disk_table_has(&d->old, state, hash))) return 0;
  if (d->carried) {
    memcpy(d->record, state, d->words * sizeof *state);
    memcpy(d->record + d->words, carried, d->carried * sizeof *carried);
    record = d->record;
  }
  for (;;) {
    if ((d->all ? disk_table_append(&d->candidates, record) : disk_table_enter(&d->candidates, record, hash, slot)) == 0) return 0;
    if (disk_grow_table(d, &d->candidates) && (!d->candidates.count || disk_flush_candidates(d))) return -1;
    if (!d->all) disk_table_find(&d->candidates, state, hash, &slot);
  }
}

int disk_add(struct store *base, const uint32_t *states, size_t stride, size_t count, const uint32_t *carried) {
  enum { TOGETHER = 32 };
  struct disk *d = disk_of(base);
  uint64_t hash[TOGETHER];
  for (size_t i = 0; i < count;) {
    size_t n = count - i < TOGETHER ? count - i : TOGETHER;
    for (size_t k = 0; k < n; k++) {
      hash[k] = disk_hash(states + (i + k) * stride, d->words);
      disk_table_prefetch(&d->candidates, hash[k]);
      disk_table_prefetch(&d->young, hash[k]);
      disk_table_prefetch(&d->old, hash[k]);
    }
    for (size_t k = 0; k < n; k++) disk_table_prefetch_record(&d->candidates, hash[k]);
    for (size_t k = 0; k < n; k++, i++)
      if (add_one(d, states + i * stride, hash[k], carried ? carried + i * DISK_CARRIED : NULL)) return -1;
  }
  return 0;
}

/* ---- a search that began elsewhere ------------------------------------------------------------------------------ */

/* Sorted by way of the table of candidates, which has no more to do yet. */
int disk_flush_loaded(struct disk *d) {
  struct disk_table *t = &d->candidates;
  if (!t->count) return 0;
  disk_sort(disk_table_at(t, 0), t->count, t->words);
  struct disk_run *r = disk_write_sorted_somehow(d, &d->coder, disk_table_at(t, 0), t->count, 1);
  if (!r || disk_add_visited(d, r)) return -1;
  t->count = 0;
  return d->alone || d->visited.count > MANY_LOADED ? disk_look_after_runs(d) : 0; /* memory is for the store that they come from as long as possible */
}

void disk_load_alone(struct store *base) { disk_of(base)->alone = 1; }

int disk_load(struct store *base, const uint32_t *state) {
  struct disk *d = disk_of(base);
  d->loading = 1;
  if (disk_table_append(&d->candidates, state)) {
    if (!d->candidates.count || disk_flush_loaded(d) || disk_table_append(&d->candidates, state)) return -1;
  }
  d->count++;
  return 0;
}

int disk_load_waiting(struct store *base, const uint32_t *state) {
  struct disk *d = disk_of(base);
  return disk_log_append(&d->log, state);
}

int disk_load_end(struct store *base, uint64_t from, uint64_t now, int carries, int all) {
  struct disk *d = disk_of(base);
  if (disk_flush_loaded(d) || disk_carry(d, carries, all)) return -1;
  d->layer_at = from;
  d->layer_end = now;
  d->waiting = d->log.records - now;
  return disk_settle_in(d);
}

/* All states are there. */
int disk_settle_in(struct disk *d) {
  d->loading = 0;
  d->filter.enough = 0;
  d->filter.count = d->count;
  return disk_look_after_runs(d) || disk_look_after_filter(d) ? -1 : 0;
}

/* ---- figures ------------------------------------------------------------------------------------------------------ */

void disk_figures(const struct store *base, struct store_files *out) {
  const struct disk *d = disk_of(base);
  memset(out, 0, sizeof *out);
  disk_files_figures(d->files, out);
  out->runs = d->visited.count;
  out->merges = d->merges;
  out->candidate_runs = d->candidate_runs;
}

static uint64_t disk_count(const struct store *base) { return disk_of(base)->count; }

static size_t table_bytes(const struct disk_table *t) { return t->data.held + t->index.held; }

static size_t disk_bytes(const struct store *base) {
  const struct disk *d = disk_of(base);
  size_t bytes = sizeof *d + table_bytes(&d->candidates) + table_bytes(&d->young) + table_bytes(&d->old) + d->filter.bits.held + d->log.offset.room * sizeof(uint64_t);
  for (size_t i = 0; i < d->visited.count; i++) {
    const struct disk_run *r = d->visited.at[i];
    bytes += sizeof *r + r->room * (r->words * sizeof *r->first + sizeof *r->offset) + (r->reader ? disk_reader_cost(&d->coder) : 0);
  }
  return bytes;
}

const struct store_type store_disk = {
    .name = "disk",
    .summary = "sorted, compressed runs of states in files (--disk DIR): breadth-first search of spaces that no memory holds",
    .caps = STORE_EXACT | STORE_LATE,
    .open = disk_open,
    .rewrite = disk_rewrite,
    .count = disk_count,
    .bytes = disk_bytes,
    .close = disk_close,
};
