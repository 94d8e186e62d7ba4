/* disk_visited.c -- visited states of the store disk: sorted runs, the filter before them, and tables that become runs.
 *
 * Runs are merged by levels (O'Neil and others, 1996), by a thread of its own: each is about twice as long as all shorter ones together. */
#include "store/disk_inside.h"

#include <string.h>

enum { FILTER_LEAST = 64 << 10 };

/* ---- visited runs ----------------------------------------------------------------------------------------- */

void disk_drop_run(struct disk *d, struct disk_run *r) {
  disk_run_remove(r, d->files, d->mem);
  mem_free(d->mem, r);
}

/* A run on its way; NULL: memory, or files. */
struct disk_run *disk_new_run(struct disk *d, struct disk_writer *w, struct disk_coder *c, uint64_t expected) {
  struct disk_run *r = mem_alloc(d->mem, MEM_STORE, sizeof *r);
  if (r && disk_writer_open(w, r, c, expected) == 0) return r;
  mem_free(d->mem, r);
  return NULL;
}

/* Ends it. 0, or -1: it is gone. */
int disk_end_run(struct disk *d, struct disk_writer *w, struct disk_run *r, int bad) {
  bad = bad || disk_writer_finish(w);
  disk_writer_close(w);
  if (!bad) return 0;
  disk_drop_run(d, r);
  return -1;
}

/* Runs in order of their length: those that are merged stand together. */
int disk_add_visited(struct disk *d, struct disk_run *r) {
  if (!r->records) {
    disk_drop_run(d, r);
    return 0;
  }
  if (vec_reserve(&d->visited, d->mem, MEM_STORE, 1)) {
    disk_drop_run(d, r);
    return -1;
  }
  size_t i = d->visited.count++;
  for (; i && d->visited.at[i - 1]->records > r->records; i--) d->visited.at[i] = d->visited.at[i - 1];
  d->visited.at[i] = r;
  return 0;
}

/* As many runs as there is memory to merge at once. */
size_t disk_fan(const struct disk *d, const struct disk_coder *c, size_t most) {
  if (disk_files_trial(d->files)->fan) return disk_files_trial(d->files)->fan;
  size_t n = mem_left(d->mem) / 2 / disk_reader_cost(c);
  return n < 2 ? 2 : n > most ? most : n;
}

/* How many of the shortest runs should become one; 0 = none. The aim: each run is about twice as long as all shorter ones together. */
static size_t merge_wanted(struct disk *d) {
  size_t n = d->visited.count, fan = disk_fan(d, &d->coder, DISK_FAN), j = 1;
  uint64_t sum = n ? d->visited.at[0]->records : 0;
  for (; j < n && j < fan && d->visited.at[j]->records <= 2 * sum; j++) sum += d->visited.at[j]->records;
  if (j >= 3 || (disk_files_trial(d->files)->fan && j >= 2) || (j >= 2 && n > DISK_MOST_RUNS / 3)) return j;
  return n > DISK_MOST_RUNS ? (fan < 4 ? fan : 4) : 0;
}

/* For what a merge writes there must be room beside what it reads. */
static int room_to_merge(const struct disk *d, size_t n) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < n; i++) bytes += d->visited.at[i]->file.size;
  return disk_files_room(d->files) > bytes + bytes / 8 + DISK_MARGIN;
}

/* What the worker has made takes the place of what it was made from. -1: files, or memory. */
int disk_take_merged(struct disk *d, int leave) {
  if (!d->worker.busy) return 0;
  size_t kept = 0;
  struct disk_run **merged = d->worker.runs, *old[DISK_FAN];
  size_t count = d->worker.count;
  memcpy(old, merged, count * sizeof *old);
  struct disk_run *made = disk_worker_join(&d->worker, leave);
  if (!made) return disk_files_failed(d->files) ? -1 : 0;
  for (size_t i = 0; i < d->visited.count; i++) {
    size_t k = 0;
    while (k < count && old[k] != d->visited.at[i]) k++;
    if (k == count) d->visited.at[kept++] = d->visited.at[i];
    else disk_drop_run(d, old[k]);
  }
  d->visited.count = kept;
  d->merges++;
  return disk_add_visited(d, made);
}

/* Lets runs be merged beside the search; waits only if there are far too many. 0 or -1. */
int disk_look_after_runs(struct disk *d) {
  size_t too_many = disk_files_trial(d->files)->fan ? 4 * disk_files_trial(d->files)->fan : DISK_TOO_MANY_RUNS;
  if (disk_worker_done(&d->worker) && disk_take_merged(d, 0)) return -1;
  for (;;) {
    size_t n = d->worker.busy ? 0 : merge_wanted(d);
    if (n && !room_to_merge(d, n)) n = 0;
    if (n && disk_worker_start(&d->worker, d->files, d->visited.at, n, d->words, d->mem)) {
      if (disk_files_failed(d->files)) return -1;
      if (!disk_spare(d)) return 0; /* then there are more of them, until there is memory */
      continue;
    }
    if (d->visited.count <= too_many || !d->worker.busy) return 0;
    if (disk_take_merged(d, 0)) return -1;
  }
}

/* Is the state in one of the runs? States come in ascending order. 1, 0, -1. */
int disk_in_runs(struct disk *d, const uint32_t *state) {
  for (size_t i = d->visited.count; i--;) { /* the longest first */
    struct disk_run *r = d->visited.at[i];
    if (!r->reader) {
      for (;;) {
        r->reader = mem_alloc(d->mem, MEM_STORE, sizeof *r->reader);
        if (r->reader && disk_reader_open(r->reader, r, &d->coder) == 0) break;
        mem_free(d->mem, r->reader);
        r->reader = NULL;
        if (disk_files_failed(d->files) || !disk_spare(d)) return -1;
        if (i >= d->visited.count || d->visited.at[i] != r) return disk_in_runs(d, state); /* others have come in their place */
      }
    }
    int has = disk_reader_has(r->reader, state);
    if (has) return has;
  }
  return 0;
}

void disk_rewind_runs(struct disk *d) {
  for (size_t i = 0; i < d->visited.count; i++)
    if (d->visited.at[i]->reader) disk_reader_rewind(d->visited.at[i]->reader);
}

/* ---- the filter ------------------------------------------------------------------------------------------- */

static int fill_filter(struct disk *d) {
  for (size_t i = 0; i < d->visited.count; i++) {
    struct disk_reader r;
    const uint32_t *state;
    if (disk_reader_open(&r, d->visited.at[i], &d->coder)) return -1;
    for (; (state = disk_reader_peek(&r)); disk_reader_advance(&r)) disk_filter_add(&d->filter, disk_hash(state, d->words));
    disk_reader_close(&r);
  }
  return disk_files_failed(d->files) ? -1 : 0;
}

/* A filter for as many states as there are on disk and some more, if it can no longer do: 16 bits for each while there is memory, and as few functions as fit later. 0 or -1. */
int disk_look_after_filter(struct disk *d) {
  struct disk_filter *f = &d->filter;
  uint64_t on_disk = 0, wanted;
  for (size_t i = 0; i < d->visited.count; i++) on_disk += d->visited.at[i]->records;
  if (!on_disk || on_disk <= f->enough) return 0;
  wanted = 2 * on_disk < FILTER_LEAST ? FILTER_LEAST : 2 * on_disk;
  size_t most = d->filter_most, left = mem_left(d->mem) + f->bits.held;
  size_t others = disk_buffers(d) + left / 4;
  if (!d->modest && d->candidates.room < d->candidates.most / 8 && left > others + most) most = left - others; /* layers are small: what they do not need is for the filter */
  int growing = wanted < most;
  size_t bytes = growing ? (size_t)wanted : most;
  double bits = 8.0 * (double)bytes / (1.5 * (double)(on_disk + 1));
  unsigned functions = growing ? 5 : bits > 8 ? 5 : bits < 2.2 ? 1 : (unsigned)(0.69 * bits + 0.5);
  if (f->blocks && !growing && f->functions == functions && f->bits.size >= bytes / 64 * 64) { /* the same again would be no better */
    f->enough = 2 * on_disk;
    return 0;
  }
  if (disk_filter_make(f, bytes, functions, growing ? wanted : 2 * on_disk) == 0 && fill_filter(d) == 0) return 0;
  f->blocks = 0; /* one that has some of the states would call the others new: it knows nothing instead, until it is made anew */
  f->count = on_disk;
  region_resize(&f->bits, 0);
  return disk_files_failed(d->files) ? -1 : 0;
}

/* ---- tables become runs ------------------------------------------------------------------------------------ */

/* Sorted records as a run. Equal ones stand once, unless `all`. */
struct disk_run *disk_write_sorted(struct disk *d, struct disk_coder *c, const uint32_t *records, size_t count, int filtered) {
  struct disk_writer w;
  struct disk_run *r = disk_new_run(d, &w, c, count);
  int bad = 0;
  if (!r) return NULL;
  for (size_t i = 0; i < count && !bad; i++) {
    if (filtered) disk_filter_add(&d->filter, disk_hash(records + i * c->words, d->words));
    bad = disk_writer_add(&w, records + i * c->words);
  }
  return disk_end_run(d, &w, r, bad) ? NULL : r;
}

/* Needs room for the writer while tables have taken everything. */
struct disk_run *disk_write_sorted_somehow(struct disk *d, struct disk_coder *c, const uint32_t *records, size_t count, int filtered) {
  struct disk_run *r = disk_write_sorted(d, c, records, count, filtered);
  if (r || disk_files_failed(d->files) || !(records == disk_table_at(&d->old, 0) ? disk_make_room(d) : disk_spare(d))) return r;
  return disk_write_sorted(d, c, records, count, filtered);
}

int disk_push_run(struct disk *d, struct disk_run *r) {
  if (!r) return -1;
  if (vec_push(&d->arrivals, d->mem, MEM_STORE, r)) {
    disk_drop_run(d, r);
    return -1;
  }
  return 0;
}

/* The candidates in memory become a run. */
int disk_flush_candidates(struct disk *d) {
  struct disk_table *t = &d->candidates;
  if (!t->count) return 0;
  disk_sort(disk_table_at(t, 0), t->count, t->words);
  if (disk_push_run(d, disk_write_sorted_somehow(d, disk_candidate_coder(d), disk_table_at(t, 0), t->count, 0))) return -1;
  d->candidate_runs++;
  disk_table_clear(t);
  return 0;
}

/* The youngest states become a run, and stay in memory as the old ones if there is room for a second copy to be sorted. */
int disk_flush_young(struct disk *d) {
  struct disk_table *from = &d->young, *to = &d->old;
  if (!from->count) return 0;
  size_t bytes = from->count * from->words * sizeof(uint32_t);
  uint32_t *sorted = disk_table_at(from, 0);
  int stays = to->data.size >= bytes || region_resize(&to->data, bytes) == 0;
  if (stays) {
    region_clear(&to->index);
    to->count = 0;
    memcpy(to->data.base, sorted, bytes);
    sorted = disk_table_at(to, 0);
  }
  disk_sort(sorted, from->count, from->words);
  struct disk_run *r = disk_write_sorted_somehow(d, &d->coder, sorted, from->count, 1);
  if (!r || disk_add_visited(d, r)) return -1;
  if (stays) {
    size_t room = to->room * to->words * sizeof(uint32_t);
    if (to->data.size > room) region_resize(&to->data, room);
    struct disk_table swap = *from;
    *from = *to;
    *to = swap;
  } else {
    disk_table_clear(from);
  }
  d->in_memory = 0;
  return 0;
}

/* Room for n more young states. 0; 1: so many do not fit; -1. */
int disk_room_for_young(struct disk *d, size_t n) {
  struct disk_table *t = &d->young;
  for (int again = 0;; again = 1) {
    while (t->room - t->count < n && disk_grow_table(d, t) == 0) {}
    if (t->room - t->count >= n) return 0;
    if (again || !t->count) return 1;
    if (n > t->most) return 1;
    if (disk_flush_young(d)) return -1;
  }
}

