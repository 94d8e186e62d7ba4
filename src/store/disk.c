/* disk.c -- see disk.h.
 *
 * External breadth-first search goes back to Stern and Dill (1998) and Korf (2003, delayed duplicate detection); merging by levels is that of O'Neil and others (1996). */
#include "store/disk.h"

#include "base/vec.h"
#include "store/disk_filter.h"
#include "store/disk_log.h"
#include "store/disk_merge.h"
#include "store/disk_table.h"

#include <string.h>

enum { MOST_RUNS = 12, TOO_MANY_RUNS = 24, FAN = 32, MOST_ARRIVALS = 512, MANY_LOADED = 256, POLL = 1024, LEAST_RECORDS = 64 };
enum { CANDIDATES_SHARE = 44, RECENT_SHARE = 16, FILTER_SHARE = 16 }; /* per cent of what there is beside buffers */
enum { FILTER_LEAST = 64 << 10, MARGIN = 64 << 10, LOG_LARGE = 64 << 10 };

struct disk {
  struct store base;
  struct mem *mem;
  struct disk_files *files;
  uint32_t words, bits, carried;
  int all;
  struct disk_coder coder, carrier; /* of states; of candidates that carry something */
  struct disk_table candidates, young, old;
  struct vec(struct disk_run *) arrivals, visited;
  struct disk_filter filter;
  size_t filter_most;
  int modest; /* the filter takes no more than its share: tables need the rest */
  struct disk_log log;
  struct disk_worker worker;
  uint64_t count, waiting;             /* waiting: states of the next layer that are in the log already */
  uint64_t layer_at, layer_end;        /* in the log */
  int in_memory;                       /* the layer is in `young`, too: */
  uint64_t layer_first, young_first;   /* place in the log and in the table */
  uint64_t merges, candidate_runs;
  uint32_t *record;                    /* a candidate as it is kept */
};

static struct disk *disk_of(const struct store *s) { return (struct disk *)(uintptr_t)s; }

static struct disk_coder *candidate_coder(struct disk *d) { return d->carried ? &d->carrier : &d->coder; }

/* ---- memory ----------------------------------------------------------------------------------------------- */

static size_t records_in(size_t bytes, uint32_t words) {
  size_t n = bytes / (words * 4u + 6u);
  return n < LEAST_RECORDS ? LEAST_RECORDS : n;
}

/* What readers, writers and their coders take: of the search and of the thread that merges. */
static size_t buffers(const struct disk *d) {
  const struct disk_coder *c = &d->coder;
  return 2 * disk_coder_cost(c) + 3 * disk_writer_cost(c) + (TOO_MANY_RUNS + MOST_RUNS) * disk_reader_cost(c);
}

/* How large tables may become, judged by what is left now. */
static void plan(struct disk *d) {
  const struct disk_trial *trial = disk_files_trial(d->files);
  size_t left = mem_left(d->mem), io = buffers(d), part = (left > io + left / 3 ? left - io : left / 3) / 100;
  d->candidates.most = trial->records ? trial->records : records_in(part * CANDIDATES_SHARE, d->words + d->carried);
  d->young.most = d->old.most = trial->records ? trial->records : records_in(part * RECENT_SHARE, d->words);
  d->filter_most = part * FILTER_SHARE;
}

static void open_tables(struct disk *d) {
  disk_table_open(&d->candidates, d->mem, d->words + d->carried, d->words, 0);
  disk_table_open(&d->young, d->mem, d->words, d->words, 0);
  disk_table_open(&d->old, d->mem, d->words, d->words, 0);
  plan(d);
}

/* ---- opening ---------------------------------------------------------------------------------------------- */

static void disk_close(struct store *base);

static int disk_open(struct store **out, const struct store_setup *setup) {
  struct err own;
  struct disk *d = mem_alloc(setup->mem, MEM_STORE, sizeof *d);
  err_clear(&own);
  if (!d) return -1;
  d->base.type = &store_disk;
  d->mem = setup->mem;
  d->words = setup->words + !setup->words;
  d->bits = setup->bits;
  region_open(&d->filter.bits, d->mem, MEM_STORE);
  d->record = mem_alloc(d->mem, MEM_STORE, (d->words + DISK_CARRIED + 4) * sizeof *d->record);
  if (!d->record || disk_files_open(&d->files, setup->options, d->mem, setup->err ? setup->err : &own) || disk_coder_open(&d->coder, d->files, d->words, d->mem) ||
      disk_log_open(&d->log, &d->coder)) {
    disk_close(&d->base);
    return -1;
  }
  open_tables(d);
  *out = &d->base;
  return 0;
}

static void drop_run(struct disk *d, struct disk_run *r) {
  disk_run_remove(r, d->files, d->mem);
  mem_free(d->mem, r);
}

static void disk_close(struct store *base) {
  struct disk *d = (struct disk *)base;
  if (!d) return;
  struct disk_run *made = disk_worker_join(&d->worker, 1);
  if (made) drop_run(d, made);
  while (d->arrivals.count) drop_run(d, d->arrivals.at[--d->arrivals.count]);
  while (d->visited.count) drop_run(d, d->visited.at[--d->visited.count]);
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
static int carry(struct disk *d, int carries, int all) {
  d->carried = carries ? DISK_CARRIED : 0;
  d->all = all;
  disk_table_close(&d->candidates);
  disk_table_open(&d->candidates, d->mem, d->words + d->carried, d->words, 0);
  plan(d);
  return d->carried ? disk_coder_open(&d->carrier, d->files, d->words + d->carried, d->mem) : 0;
}

/* Tables have more right to memory than a filter that is larger than its share. 1: there is more now. */
static int make_room(struct disk *d) {
  if (d->modest || d->filter.bits.held <= d->filter_most + d->filter_most / 8) return 0;
  d->modest = 1;
  d->filter.blocks = d->filter.enough = 0; /* until it is made anew */
  return region_resize(&d->filter.bits, 0) == 0;
}

/* What makes the search faster goes before anything fails for memory. 1: there is more now. */
static int spare(struct disk *d) {
  if (make_room(d)) return 1;
  if (!d->old.room) return 0;
  disk_table_release(&d->old);
  return 1;
}

/* A table that is full becomes larger, as long as it may. 0, or -1. */
static int grow(struct disk *d, struct disk_table *t) {
  if (disk_table_grow(t) == 0) return 0;
  return t->room < t->most && make_room(d) ? disk_table_grow(t) : -1;
}

/* ---- visited runs ----------------------------------------------------------------------------------------- */

/* A run on its way; NULL: memory, or files. */
static struct disk_run *new_run(struct disk *d, struct disk_writer *w, struct disk_coder *c, uint64_t expected) {
  struct disk_run *r = mem_alloc(d->mem, MEM_STORE, sizeof *r);
  if (r && disk_writer_open(w, r, c, expected) == 0) return r;
  mem_free(d->mem, r);
  return NULL;
}

/* Ends it. 0, or -1: it is gone. */
static int end_run(struct disk *d, struct disk_writer *w, struct disk_run *r, int bad) {
  bad = bad || disk_writer_finish(w);
  disk_writer_close(w);
  if (!bad) return 0;
  drop_run(d, r);
  return -1;
}

/* Runs in order of their length: those that are merged stand together. */
static int add_visited(struct disk *d, struct disk_run *r) {
  if (!r->records) {
    drop_run(d, r);
    return 0;
  }
  if (vec_reserve(&d->visited, d->mem, MEM_STORE, 1)) {
    drop_run(d, r);
    return -1;
  }
  size_t i = d->visited.count++;
  for (; i && d->visited.at[i - 1]->records > r->records; i--) d->visited.at[i] = d->visited.at[i - 1];
  d->visited.at[i] = r;
  return 0;
}

/* As many runs as there is memory to merge at once. */
static size_t fan_of(const struct disk *d, const struct disk_coder *c, size_t most) {
  if (disk_files_trial(d->files)->fan) return disk_files_trial(d->files)->fan;
  size_t n = mem_left(d->mem) / 2 / disk_reader_cost(c);
  return n < 2 ? 2 : n > most ? most : n;
}

/* How many of the shortest runs should become one; 0 = none. The aim: each run is about twice as long as all shorter ones together. */
static size_t merge_wanted(struct disk *d) {
  size_t n = d->visited.count, fan = fan_of(d, &d->coder, FAN), j = 1;
  uint64_t sum = n ? d->visited.at[0]->records : 0;
  for (; j < n && j < fan && d->visited.at[j]->records <= 2 * sum; j++) sum += d->visited.at[j]->records;
  if (j >= 3 || (disk_files_trial(d->files)->fan && j >= 2) || (j >= 2 && n > MOST_RUNS / 3)) return j;
  return n > MOST_RUNS ? (fan < 4 ? fan : 4) : 0;
}

/* For what a merge writes there must be room beside what it reads. */
static int room_to_merge(const struct disk *d, size_t n) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < n; i++) bytes += d->visited.at[i]->file.size;
  return disk_files_room(d->files) > bytes + bytes / 8 + MARGIN;
}

/* What the worker has made takes the place of what it was made from. -1: files, or memory. */
static int take_merged(struct disk *d, int leave) {
  if (!d->worker.busy) return 0;
  size_t kept = 0;
  struct disk_run **merged = d->worker.runs, *old[FAN];
  size_t count = d->worker.count;
  memcpy(old, merged, count * sizeof *old);
  struct disk_run *made = disk_worker_join(&d->worker, leave);
  if (!made) return disk_files_failed(d->files) ? -1 : 0;
  for (size_t i = 0; i < d->visited.count; i++) {
    size_t k = 0;
    while (k < count && old[k] != d->visited.at[i]) k++;
    if (k == count) d->visited.at[kept++] = d->visited.at[i];
    else drop_run(d, old[k]);
  }
  d->visited.count = kept;
  d->merges++;
  return add_visited(d, made);
}

/* Lets runs be merged beside the search; waits only if there are far too many. 0 or -1. */
static int look_after_runs(struct disk *d) {
  size_t too_many = disk_files_trial(d->files)->fan ? 4 * disk_files_trial(d->files)->fan : TOO_MANY_RUNS;
  if (disk_worker_done(&d->worker) && take_merged(d, 0)) return -1;
  for (;;) {
    size_t n = d->worker.busy ? 0 : merge_wanted(d);
    if (n && !room_to_merge(d, n)) n = 0;
    if (n && disk_worker_start(&d->worker, d->files, d->visited.at, n, d->words, d->mem)) {
      if (disk_files_failed(d->files)) return -1;
      if (!spare(d)) return 0; /* then there are more of them, until there is memory */
      continue;
    }
    if (d->visited.count <= too_many || !d->worker.busy) return 0;
    if (take_merged(d, 0)) return -1;
  }
}

/* Is the state in one of the runs? States come in ascending order. 1, 0, -1. */
static int in_runs(struct disk *d, const uint32_t *state) {
  for (size_t i = d->visited.count; i--;) { /* the longest first */
    struct disk_run *r = d->visited.at[i];
    if (!r->reader) {
      for (;;) {
        r->reader = mem_alloc(d->mem, MEM_STORE, sizeof *r->reader);
        if (r->reader && disk_reader_open(r->reader, r, &d->coder) == 0) break;
        mem_free(d->mem, r->reader);
        r->reader = NULL;
        if (!spare(d)) return -1;
      }
    }
    int has = disk_reader_has(r->reader, state);
    if (has) return has;
  }
  return 0;
}

static void rewind_runs(struct disk *d) {
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
static int look_after_filter(struct disk *d) {
  struct disk_filter *f = &d->filter;
  uint64_t on_disk = 0, wanted;
  for (size_t i = 0; i < d->visited.count; i++) on_disk += d->visited.at[i]->records;
  if (!on_disk || on_disk <= f->enough) return 0;
  wanted = 2 * on_disk < FILTER_LEAST ? FILTER_LEAST : 2 * on_disk;
  size_t most = d->filter_most, left = mem_left(d->mem) + f->bits.held;
  size_t others = buffers(d) + left / 4;
  if (!d->modest && d->candidates.room < d->candidates.most / 8 && left > others + most) most = left - others; /* layers are small: what they do not need is for the filter */
  int growing = wanted < most;
  size_t bytes = growing ? (size_t)wanted : most;
  double bits = 8.0 * (double)bytes / (1.5 * (double)(on_disk + 1));
  unsigned functions = growing ? 5 : bits > 8 ? 5 : bits < 2.2 ? 1 : (unsigned)(0.69 * bits + 0.5);
  if (f->blocks && !growing && f->functions == functions && f->bits.size >= bytes / 64 * 64) { /* the same again would be no better */
    f->enough = 2 * on_disk;
    return 0;
  }
  if (disk_filter_make(f, bytes, functions, growing ? wanted : 2 * on_disk)) {
    f->count = on_disk;
    return 0;
  }
  return fill_filter(d) && disk_files_failed(d->files) ? -1 : 0;
}

/* ---- tables become runs ------------------------------------------------------------------------------------ */

/* Sorted records as a run. Equal ones stand once, unless `all`. */
static struct disk_run *write_sorted(struct disk *d, struct disk_coder *c, const uint32_t *records, size_t count, int filtered) {
  struct disk_writer w;
  struct disk_run *r = new_run(d, &w, c, count);
  int bad = 0;
  if (!r) return NULL;
  for (size_t i = 0; i < count && !bad; i++) {
    if (filtered) disk_filter_add(&d->filter, disk_hash(records + i * c->words, d->words));
    bad = disk_writer_add(&w, records + i * c->words);
  }
  return end_run(d, &w, r, bad) ? NULL : r;
}

/* Needs room for the writer while tables have taken everything. */
static struct disk_run *write_sorted_somehow(struct disk *d, struct disk_coder *c, const uint32_t *records, size_t count, int filtered) {
  struct disk_run *r = write_sorted(d, c, records, count, filtered);
  if (r || disk_files_failed(d->files) || !(records == disk_table_at(&d->old, 0) ? make_room(d) : spare(d))) return r;
  return write_sorted(d, c, records, count, filtered);
}

static int push_run(struct disk *d, struct disk_run *r) {
  if (!r) return -1;
  if (vec_push(&d->arrivals, d->mem, MEM_STORE, r)) {
    drop_run(d, r);
    return -1;
  }
  return 0;
}

/* The candidates in memory become a run. */
static int flush_candidates(struct disk *d) {
  struct disk_table *t = &d->candidates;
  if (!t->count) return 0;
  disk_sort(disk_table_at(t, 0), t->count, t->words);
  if (push_run(d, write_sorted_somehow(d, candidate_coder(d), disk_table_at(t, 0), t->count, 0))) return -1;
  d->candidate_runs++;
  disk_table_clear(t);
  return 0;
}

/* The youngest states become a run, and stay in memory as the old ones if there is room for a second copy to be sorted. */
static int flush_young(struct disk *d) {
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
  struct disk_run *r = write_sorted_somehow(d, &d->coder, sorted, from->count, 1);
  if (!r || add_visited(d, r)) return -1;
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
static int room_for_young(struct disk *d, size_t n) {
  struct disk_table *t = &d->young;
  for (int again = 0;; again = 1) {
    while (t->room - t->count < n && grow(d, t) == 0) {}
    if (t->room - t->count >= n) return 0;
    if (again || !t->count) return 1;
    if (n > t->most) return 1;
    if (flush_young(d)) return -1;
  }
}

/* ---- a layer ----------------------------------------------------------------------------------------------- */

/* A state that is new: its place in the log, and in memory if the layer goes there. */
static int welcome(struct disk *d, const uint32_t *state, uint64_t hash, int young) {
  uint64_t slot;
  while (disk_log_append(&d->log, state))
    if (disk_files_failed(d->files) || !spare(d)) return -1;
  if (young && (disk_table_find(&d->young, state, hash, &slot) || disk_table_enter(&d->young, state, hash, slot))) return -1;
  d->count++;
  return 0;
}

int disk_begin(struct store *base, const uint32_t *state, int carries, int all) {
  struct disk *d = disk_of(base);
  if (carry(d, carries, all) || welcome(d, state, disk_hash(state, d->words), 1)) return -1;
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
    if (grow(d, &d->candidates) && (!d->candidates.count || flush_candidates(d))) return -1;
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

/* ---- the end of a layer ------------------------------------------------------------------------------------ */

struct turn {
  struct disk *disk;
  const struct disk_listener *listener;
  int young;                 /* new states go to the table in memory, too; otherwise to: */
  struct disk_writer *writer;
  uint32_t *last;            /* the candidate before, and whether it was new */
  int any, fresh;
  size_t heard;
};

/* Is it new? 1, 0, -1. */
static int is_new(struct disk *d, const uint32_t *state, uint64_t hash) {
  if (d->all && disk_table_has(&d->young, state, hash)) return 0;
  if (!disk_filter_may_have(&d->filter, hash)) return 1;
  int has = in_runs(d, state);
  return has < 0 ? -1 : !has;
}

/* A candidate, in order. 0; 1: enough; -1. */
static int judge(struct turn *t, const uint32_t *record) {
  struct disk *d = t->disk;
  const uint32_t *carried = d->carried ? record + d->words : NULL;
  if (++t->heard % POLL == 0 && t->listener->poll(t->listener->context)) return 1;
  if (t->any && memcmp(t->last, record, d->words * sizeof *record) == 0)
    return d->all && t->listener->seen ? t->listener->hear(t->listener->context, record, carried, 0, 0) : 0;
  memcpy(t->last, record, d->words * sizeof *record);
  t->any = 1;
  uint64_t hash = disk_hash(record, d->words), place = d->log.records;
  t->fresh = is_new(d, record, hash);
  if (t->fresh < 0) return -1;
  if (!t->fresh) return t->listener->seen ? t->listener->hear(t->listener->context, record, carried, 0, 0) : 0;
  if (welcome(d, record, hash, t->young) || (t->writer && disk_writer_add(t->writer, record))) return -1;
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
  disk_sort(disk_table_at(c, 0), c->count, c->words);
  for (size_t i = 0; i < c->count && !status; i++) status = judge(t, disk_table_at(c, i));
  if (!status) disk_table_clear(c);
  return status;
}

/* The shortest runs of candidates become one, until few enough are left to be read together. */
static int fewer_arrivals(struct disk *d, size_t fan) {
  struct disk_coder *c = candidate_coder(d);
  while (d->arrivals.count > fan) {
    struct disk_merge m;
    struct disk_writer w;
    const uint32_t *record;
    uint64_t records = 0;
    for (size_t i = 0; i < fan; i++) records += d->arrivals.at[i]->records;
    if (disk_merge_open(&m, d->arrivals.at, fan, c)) return -1;
    struct disk_run *r = new_run(d, &w, c, records);
    int bad = r ? 0 : -1;
    for (; !bad && (record = disk_merge_peek(&m)); disk_merge_advance(&m)) bad = disk_writer_add(&w, record);
    disk_merge_close(&m);
    if (r && end_run(d, &w, r, bad || disk_files_failed(d->files))) bad = -1;
    if (bad) return -1;
    for (size_t i = 0; i < fan; i++) drop_run(d, d->arrivals.at[i]);
    size_t rest = d->arrivals.count - fan;
    memmove(d->arrivals.at, d->arrivals.at + fan, rest * sizeof *d->arrivals.at);
    d->arrivals.at[rest] = r;
    d->arrivals.count = rest + 1;
  }
  return 0;
}

/* The candidates are on disk; the new ones become a run of visited states. */
static int turn_on_disk(struct turn *t) {
  struct disk *d = t->disk;
  struct disk_merge m;
  struct disk_writer w;
  struct disk_coder *c = candidate_coder(d);
  uint64_t records = 0;
  const uint32_t *record;
  int status = 0;
  size_t room = d->candidates.room;
  if (flush_candidates(d)) return -1;
  disk_table_release(&d->candidates); /* its memory is for the readers */
  if (fewer_arrivals(d, fan_of(d, c, MOST_ARRIVALS))) return -1;
  for (size_t i = 0; i < d->arrivals.count; i++) records += d->arrivals.at[i]->records;
  if (disk_merge_open(&m, d->arrivals.at, d->arrivals.count, c)) return -1;
  struct disk_run *r = new_run(d, &w, &d->coder, records);
  t->writer = &w;
  if (!r) status = -1;
  for (; !status && (record = disk_merge_peek(&m)); disk_merge_advance(&m)) status = judge(t, record);
  disk_merge_close(&m);
  if (disk_files_failed(d->files)) status = -1;
  if (r && (end_run(d, &w, r, status) || add_visited(d, r))) return status ? status : -1;
  if (status) return status;
  while (d->arrivals.count) drop_run(d, d->arrivals.at[--d->arrivals.count]);
  disk_table_reserve(&d->candidates, room);
  return 0;
}

int disk_turn(struct store *base, const struct disk_listener *listener) {
  struct disk *d = disk_of(base);
  struct turn t = {.disk = d, .listener = listener};
  if (disk_files_failed(d->files) || (disk_worker_done(&d->worker) && take_merged(d, 0))) return -1;
  /* before the disk is full, what only paths need goes: of the layers those that were expanded */
  if (d->log.file.size - d->log.file.hole > LOG_LARGE && disk_files_room(d->files) < (d->log.file.size - d->log.file.hole) / 2) disk_log_forget(&d->log, d->layer_end);
  int large = d->arrivals.count ? 1 : room_for_young(d, d->candidates.count);
  if (large < 0 || look_after_filter(d)) return -1;
  rewind_runs(d);
  t.last = d->record; /* which is for disk_add otherwise */
  int status = large ? turn_on_disk(&t) : turn_in_memory(&t);
  if (status) return status;
  d->in_memory = !large && !d->waiting;
  d->layer_first = d->layer_at = d->layer_end;
  d->layer_end = d->log.records;
  d->waiting = 0;
  return look_after_runs(d);
}

/* ---- a search that began elsewhere ------------------------------------------------------------------------------ */

/* Sorted by way of the table of candidates, which has no more to do yet. */
static int flush_loaded(struct disk *d) {
  struct disk_table *t = &d->candidates;
  if (!t->count) return 0;
  disk_sort(disk_table_at(t, 0), t->count, t->words);
  struct disk_run *r = write_sorted_somehow(d, &d->coder, disk_table_at(t, 0), t->count, 1);
  if (!r || add_visited(d, r)) return -1;
  t->count = 0;
  return d->visited.count > MANY_LOADED ? look_after_runs(d) : 0; /* memory is for the store that they come from as long as possible */
}

int disk_load(struct store *base, const uint32_t *state) {
  struct disk *d = disk_of(base);
  if (disk_table_append(&d->candidates, state)) {
    if (!d->candidates.count || flush_loaded(d) || disk_table_append(&d->candidates, state)) return -1;
  }
  d->count++;
  return 0;
}

int disk_load_waiting(struct store *base, const uint32_t *state) {
  struct disk *d = disk_of(base);
  return disk_log_append(&d->log, state);
}

int disk_load_end(struct store *base, uint64_t now, int carries, int all) {
  struct disk *d = disk_of(base);
  if (flush_loaded(d) || carry(d, carries, all)) return -1;
  d->layer_end = now;
  d->waiting = d->log.records - now;
  d->filter.enough = 0;
  d->filter.count = d->count;
  return look_after_runs(d) || look_after_filter(d) ? -1 : 0;
}

/* ---- wider states ----------------------------------------------------------------------------------------------- */

struct change { /* of all records, from one width to another */
  struct disk *disk;
  store_convert *convert;
  void *context;
  uint32_t from, to, carried; /* words */
  uint32_t *old, *new;        /* one record, with room for what conversions read beyond its end */
};

static const uint32_t *changed(struct change *c, const uint32_t *record) {
  memcpy(c->old, record, c->from * sizeof *c->old);
  memset(c->new, 0, (c->to + c->carried) * sizeof *c->new);
  c->convert(c->context, c->old, c->new);
  if (c->carried) memcpy(c->new + c->to, record + c->from, c->carried * sizeof *c->new);
  return c->new;
}

/* All records of a run, which is removed, become sorted runs of the new width, at the end of a list. */
static int change_run(struct change *c, struct disk_run *run, struct disk_coder *from, struct disk_coder *to, int visited) {
  struct disk *d = c->disk;
  struct disk_table buffer;
  struct disk_reader r = {0};
  const uint32_t *record;
  disk_table_open(&buffer, d->mem, to->words, to->words, d->candidates.most);
  int bad = disk_reader_open(&r, run, from);
  while (!bad) {
    record = disk_reader_peek(&r);
    if (record && disk_table_append(&buffer, changed(c, record)) == 0) {
      disk_reader_advance(&r);
      continue;
    }
    if (record && !buffer.count) bad = -1;
    if (bad || !buffer.count) break;
    disk_sort(disk_table_at(&buffer, 0), buffer.count, to->words);
    struct disk_run *made = write_sorted(d, to, disk_table_at(&buffer, 0), buffer.count, 0);
    bad = !made || (visited ? add_visited(d, made) : push_run(d, made)) ? -1 : 0;
    buffer.count = 0;
  }
  disk_reader_close(&r);
  disk_table_close(&buffer);
  drop_run(d, run);
  return bad || disk_files_failed(d->files) ? -1 : 0;
}

static int change_log(struct change *c, struct disk_coder *to) {
  struct disk *d = c->disk;
  struct disk_log next;
  int bad = disk_log_open(&next, to);
  c->carried = 0; /* which candidates have alone */
  for (uint64_t i = 0; !bad && i < d->log.records; i++) {
    const uint32_t *state = i < d->log.kept ? NULL : disk_log_at(&d->log, i);
    if (i >= d->log.kept && !state) bad = -1;
    else if (state) state = changed(c, state);
    else memset(c->new, 0, c->to * sizeof *c->new), state = c->new; /* nobody will ask */
    if (!bad) bad = disk_log_append(&next, state);
  }
  if (!bad) disk_log_forget(&next, d->log.kept);
  disk_log_close(&d->log);
  d->log = next;
  return bad;
}

static int change_runs(struct change *c, struct disk_coder *to, struct disk_coder *carrier) {
  struct disk *d = c->disk;
  size_t visited = d->visited.count, arrivals = d->arrivals.count;
  int bad = 0;
  /* the lists are made anew, from copies that are in nobody's way */
  struct disk_run **old = mem_alloc(d->mem, MEM_STORE, (visited + arrivals + 1) * sizeof *old);
  if (!old) return -1;
  if (visited) memcpy(old, d->visited.at, visited * sizeof *old);
  if (arrivals) memcpy(old + visited, d->arrivals.at, arrivals * sizeof *old);
  d->visited.count = d->arrivals.count = 0;
  uint32_t carried = c->carried;
  for (size_t i = 0; i < visited + arrivals; i++) {
    c->carried = i < visited ? 0 : carried;
    if (bad) drop_run(d, old[i]);
    else bad = change_run(c, old[i], i < visited ? &d->coder : candidate_coder(d), i < visited || !d->carried ? to : carrier, i < visited);
  }
  c->carried = carried;
  mem_free(d->mem, old);
  return bad;
}

static int disk_rewrite(struct store *base, uint32_t words, uint32_t bits, store_convert *convert, void *context) {
  struct disk *d = (struct disk *)base;
  struct disk_coder coder = {0}, carrier = {0};
  words += !words;
  struct change c = {.disk = d, .convert = convert, .context = context, .from = d->words, .to = words, .carried = d->carried};
  uint32_t *record = NULL;
  if (take_merged(d, 1) || flush_candidates(d) || flush_young(d)) return -1;
  d->in_memory = 0;
  disk_table_close(&d->candidates);
  disk_table_close(&d->young);
  disk_table_close(&d->old);
  region_resize(&d->filter.bits, 0);
  d->filter.blocks = 0;
  for (size_t i = 0; i < d->visited.count; i++) { /* readers are of the old width */
    struct disk_run *r = d->visited.at[i];
    if (r->reader) disk_reader_close(r->reader);
    mem_free(d->mem, r->reader);
    r->reader = NULL;
  }
  open_tables(d); /* for their size */
  c.old = mem_alloc(d->mem, MEM_STORE, (d->words + 8) * sizeof *c.old);
  c.new = mem_alloc(d->mem, MEM_STORE, (words + d->carried + 8) * sizeof *c.new);
  record = mem_alloc(d->mem, MEM_STORE, (words + DISK_CARRIED + 4) * sizeof *record);
  int bad = !c.old || !c.new || !record || disk_coder_open(&coder, d->files, words, d->mem) || (d->carried && disk_coder_open(&carrier, d->files, words + d->carried, d->mem)) ||
            change_runs(&c, &coder, &carrier) || change_log(&c, &coder);
  mem_free(d->mem, c.old);
  mem_free(d->mem, c.new);
  disk_table_close(&d->candidates);
  disk_table_close(&d->young);
  disk_table_close(&d->old);
  if (bad) { /* nothing more will be asked than how many there are */
    disk_log_close(&d->log);
    mem_free(d->mem, record);
    disk_coder_close(&coder);
    disk_coder_close(&carrier);
    open_tables(d);
    return -1;
  }
  disk_coder_close(&d->coder);
  disk_coder_close(&d->carrier);
  mem_free(d->mem, d->record);
  d->coder = coder;
  d->carrier = carrier;
  d->record = record;
  d->words = words;
  d->bits = bits;
  d->log.coder = &d->coder;
  open_tables(d);
  d->filter.enough = 0;
  d->filter.count = d->count;
  return look_after_runs(d) || look_after_filter(d) ? -1 : 0;
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
