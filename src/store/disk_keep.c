/* disk_keep.c -- a store on disk that another run goes on with.
 *
 * Runs never change once they are written, and the log only grows.  So a moment to go on from is a list of files with their lengths, the place in the layer, and some numbers, once
 * what is in memory alone has gone to files, too: candidates become a run of candidates, young states one of visited states; the last states of the log, which do not fill a block yet,
 * stand in the list itself.  Nothing of that needs the end of a layer: states before `layer_at` are expanded, and their successors are candidates or in runs.  In the middle of a turn the number of candidates that
 * were told says where it goes on, because they come in order.
 *
 *     block bytes | words | carries, all | states, waiting, place in the layer, its end, candidates told | merges, runs of candidates
 *     log: file | records ... | tail      visited: runs      candidates: runs      (run: file | records | blocks; file: number, bytes, bytes given back)
 *
 * The lists hold no checksums of files: each block has one, which depends on the file's number and the block's place, and all blocks are read before anybody goes on.
 * Tables and the filter begin empty; what was in the tables is in runs. */
#include "store/disk_inside.h"

#include <string.h>

enum { MANY_RUNS = 1 << 16, LONG_FOLDER = 4096 };

struct kept_run {
  unsigned number;
  uint64_t size, hole, records, blocks;
};

struct disk_kept {
  struct mem *mem;
  char *folder;
  uint64_t block, words, carries, all;
  uint64_t count, waiting, layer_at, layer_end, heard, merges, candidate_runs;
  struct kept_run log_file;
  struct disk_log_kept log;
  uint32_t *tail;
  size_t tail_bytes;
  struct kept_run *run; /* visited ones first */
  size_t visited, runs;
};

/* ---- writing ------------------------------------------------------------------------------------------------ */

static int sync_runs(struct disk *d, struct disk_run *const *run, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (disk_file_sync(d->files, &run[i]->file)) return -1;
  return 0;
}

int disk_keep(struct store *base, const struct disk_keeper *k) {
  struct disk *d = disk_of(base);
  if (disk_files_failed(d->files) || disk_flush_candidates(d) || disk_flush_young(d)) return -1;
  d->in_memory = 0;
  return disk_files_keep(d->files, k) || sync_runs(d, d->visited.at, d->visited.count) || sync_runs(d, d->arrivals.at, d->arrivals.count) || disk_file_sync(d->files, &d->log.file) ||
                 disk_files_sync(d->files)
             ? -1
             : 0;
}

static void put_file(struct records *r, const struct disk_file *f) {
  uint64_t about[3] = {f->number, f->size, f->hole};
  records_put(r, about, sizeof about);
}

static void put_runs(struct records *r, struct disk_run *const *run, size_t count) {
  records_put_number(r, count);
  for (size_t i = 0; i < count; i++) {
    put_file(r, &run[i]->file);
    records_put_number(r, run[i]->records);
    records_put_number(r, run[i]->blocks);
  }
}

void disk_save(const struct store *base, struct records *r) {
  struct disk *d = disk_of(base);
  char folder[LONG_FOLDER];
  records_put_text(r, disk_files_place(d->files, folder, sizeof folder) ? "" : folder);
  uint64_t about[11] = {disk_files_block(d->files), d->words, d->carried != 0, d->all != 0, d->count, d->waiting, d->layer_at, d->layer_end, d->heard, d->merges, d->candidate_runs};
  records_put(r, about, sizeof about);
  struct disk_log_kept log = disk_log_keep(&d->log, d->layer_at);
  size_t tail = (size_t)(d->log.records % d->coder.per_block) * d->words * sizeof *d->log.tail;
  put_file(r, &d->log.file);
  records_put(r, &log, sizeof log);
  records_put_number(r, tail);
  records_put(r, d->log.tail, tail);
  put_runs(r, d->visited.at, d->visited.count);
  put_runs(r, d->arrivals.at, d->arrivals.count);
}

/* Has the run a file of this number? The one that a thread writes just now is no run yet. */
static int lives(void *context, unsigned number) {
  const struct disk *d = context;
  if (d->log.file.number == number || (d->worker.busy && d->worker.result->file.number == number)) return 1;
  for (size_t i = 0; i < d->visited.count; i++)
    if (d->visited.at[i]->file.number == number) return 1;
  for (size_t i = 0; i < d->arrivals.count; i++)
    if (d->arrivals.at[i]->file.number == number) return 1;
  return 0;
}

void disk_kept(struct store *base, int named) {
  struct disk *d = disk_of(base);
  disk_files_hold(d->files, named ? lives : NULL, d);
  d->log.hold = named ? d->layer_at : UINT64_MAX;
  disk_log_forget(&d->log, d->log.kept);
}

int disk_folder(const struct store *base, char *out, size_t room) { return disk_files_place(disk_of(base)->files, out, room); }

int disk_turning(const struct store *base) { return disk_of(base)->heard != 0; }

/* ---- reading ------------------------------------------------------------------------------------------------ */

const char *disk_kept_folder(const struct disk_kept *k) { return k->folder; }

void disk_kept_free(struct disk_kept *k) {
  if (!k) return;
  mem_free(k->mem, k->folder);
  mem_free(k->mem, k->tail);
  mem_free(k->mem, k->run);
  mem_free(k->mem, k);
}

static int get_file(struct records *r, struct kept_run *out) {
  uint64_t about[3];
  records_get(r, about, sizeof about);
  *out = (struct kept_run){.number = (unsigned)about[0], .size = about[1], .hole = about[2]};
  return r->failed || !about[0] || about[0] >= UINT32_MAX / 2 || about[1] > INT64_MAX || about[2] > about[1] ? -1 : 0;
}

/* Appends a list of runs. 0, -1, -2. */
static int get_runs(struct disk_kept *k, struct records *r) {
  uint64_t count = records_get_number(r);
  if (r->failed || count > MANY_RUNS || count > r->left / (5 * sizeof count)) return -1;
  struct kept_run *run = mem_resize(k->mem, MEM_STORE, k->run, (k->runs + (size_t)count + 1) * sizeof *run);
  if (!run) return -2;
  k->run = run;
  for (; count; count--) {
    struct kept_run *now = &k->run[k->runs++];
    if (get_file(r, now)) return -1;
    now->records = records_get_number(r);
    now->blocks = records_get_number(r);
  }
  return 0;
}

static int read_kept(struct disk_kept *k, struct records *r) {
  uint64_t about[11];
  uint64_t length = records_get_number(r);
  if (r->failed || length > r->left || length > LONG_FOLDER) return -1;
  if (!(k->folder = mem_alloc(k->mem, MEM_STORE, (size_t)length + 1))) return -2;
  records_get(r, k->folder, (size_t)length);
  k->folder[length] = 0;
  records_get(r, about, sizeof about);
  if (r->failed) return -1;
  k->block = about[0], k->words = about[1], k->carries = about[2], k->all = about[3], k->count = about[4], k->waiting = about[5];
  k->layer_at = about[6], k->layer_end = about[7], k->heard = about[8], k->merges = about[9], k->candidate_runs = about[10];
  if (get_file(r, &k->log_file)) return -1;
  records_get(r, &k->log, sizeof k->log);
  uint64_t tail = records_get_number(r);
  if (r->failed || tail > r->left || tail % sizeof *k->tail || k->block > (1 << 20) || !k->words || k->words > UINT32_MAX / 8) return -1;
  if (k->layer_at > k->layer_end || k->layer_end > k->log.records || k->waiting > k->log.records - k->layer_end || k->log.now != k->layer_at) return -1;
  k->tail = mem_alloc(k->mem, MEM_STORE, (size_t)tail + 1);
  if (!k->tail) return -2;
  k->tail_bytes = (size_t)tail;
  records_get(r, k->tail, k->tail_bytes);
  int status = get_runs(k, r);
  k->visited = k->runs;
  return status ? status : get_runs(k, r);
}

int disk_kept_read(struct disk_kept **out, struct records *r, struct mem *mem) {
  struct disk_kept *k = mem_alloc(mem, MEM_STORE, sizeof *k);
  if (!k) return -2;
  k->mem = mem;
  int status = read_kept(k, r);
  if (status) disk_kept_free(k);
  else *out = k;
  return status;
}

/* ---- going on ----------------------------------------------------------------------------------------------- */

static int adopt_run(struct disk *d, const struct kept_run *k, int visited) {
  struct disk_run *r = mem_alloc(d->mem, MEM_STORE, sizeof *r);
  struct disk_file file;
  if (!r) return -1;
  int bad = disk_file_open(d->files, k->number, k->size, k->hole, &file);
  if (bad) mem_free(d->mem, r);
  else if (disk_run_adopt(r, &file, k->records, k->blocks, visited ? &d->coder : disk_candidate_coder(d))) {
    disk_drop_run(d, r);
    bad = -1;
  }
  return bad ? -1 : visited ? disk_add_visited(d, r) : disk_push_run(d, r);
}

static int adopt_files(struct disk *d, const struct disk_kept *k) {
  struct disk_file file;
  if (disk_file_open(d->files, k->log_file.number, k->log_file.size, k->log_file.hole, &file) || disk_log_adopt(&d->log, &file, &k->log, &d->coder)) return -1;
  if (k->tail_bytes != k->log.records % d->coder.per_block * d->words * sizeof *k->tail) return disk_files_problem(d->files, "the last states of file %u in %s are not as many as is said", file.number, disk_files_path(d->files));
  if (k->tail_bytes) memcpy(d->log.tail, k->tail, k->tail_bytes);
  for (size_t i = 0; i < k->runs; i++)
    if (adopt_run(d, &k->run[i], i < k->visited)) return -1;
  uint64_t on_disk = 0;
  for (size_t i = 0; i < d->visited.count; i++) on_disk += d->visited.at[i]->records;
  return on_disk == k->count ? 0 : disk_files_problem(d->files, "the files in %s hold %llu states instead of %llu", disk_files_path(d->files), (unsigned long long)on_disk, (unsigned long long)k->count);
}

int disk_open_kept(struct store **out, const struct store_setup *setup, const struct disk_kept *k, const char *folder, const struct disk_keeper *keeper, int carries, int all) {
  struct disk *d = disk_new(setup);
  struct store_files figures = {0};
  if (!d) return err_memory(setup->err, "files of states");
  int bad = k->words != d->words || (k->runs > k->visited && (k->carries != (uint64_t)(carries != 0) || k->all != (uint64_t)(all != 0)));
  if (bad) err_io(setup->err, keeper->path, "the checkpoint does not fit what is asked: states or candidates have another width");
  if (!bad) bad = disk_files_open_again(&d->files, folder, setup->options, keeper, (size_t)k->block, d->mem, setup->err);
  if (!bad && (disk_coder_open(&d->coder, d->files, d->words, d->mem))) bad = err_memory(setup->err, "files of states");
  if (!bad) {
    disk_open_tables(d);
    bad = disk_carry(d, carries, all) || adopt_files(d, k);
    disk_plan(d); /* indices are there now */
    d->count = k->count;
    d->waiting = k->waiting;
    d->layer_at = k->layer_at;
    d->layer_end = k->layer_end;
    d->heard = k->heard;
    d->merges = k->merges;
    d->candidate_runs = k->candidate_runs;
    /* all is as it should be: now, and not before, what came later goes */
    if (!bad) bad = disk_file_cut(d->files, &d->log.file) || disk_files_keep(d->files, keeper);
    if (!bad) disk_kept(&d->base, 1);
    if (!bad) bad = disk_settle_in(d);
    disk_files_figures(d->files, &figures);
    if (bad && *figures.problem) err_io(setup->err, keeper->path, "the files of states that the checkpoint names cannot be gone on with: %s", figures.problem);
    else if (bad) err_memory(setup->err, "files of states");
  }
  if (bad) disk_close(&d->base);
  else *out = &d->base;
  return bad ? -1 : 0;
}
