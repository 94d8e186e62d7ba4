/* disk.c -- the parts of the store disk by themselves: sorting, tables, the filter, blocks, runs and their indices, merging, the log. */
#include "tap.h"

#include "base/rng.h"
#include "store/disk_filter.h"
#include "store/disk_log.h"
#include "store/disk_merge.h"
#include "store/disk_table.h"

#include <stdlib.h>
#include <unistd.h>

static char text[300], dir[64];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static uint32_t width;
static int by_record(const void *a, const void *b) { return disk_compare(a, b, width); }

/* Records whose words are small, large, or the same for long: as states are. */
static uint32_t *make(struct rng *rng, size_t count, uint32_t words, unsigned kind) {
  uint32_t *r = calloc(count * words + 2, sizeof *r);
  for (size_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < words; k++) {
      uint64_t n = rng_below(rng, UINT32_MAX);
      r[i * words + k] = kind == 0 ? (uint32_t)n : kind == 1 ? (uint32_t)(n % 7) : k + 1 < words ? 5 : (uint32_t)(n % (3 * count));
    }
  return r;
}

static size_t sort_unique(uint32_t *r, size_t count, uint32_t words) {
  size_t kept = 0;
  width = words;
  qsort(r, count, words * sizeof *r, by_record);
  for (size_t i = 0; i < count; i++)
    if (!kept || disk_compare(r + (kept - 1) * words, r + i * words, words)) memmove(r + kept++ * words, r + i * words, words * sizeof *r);
  return kept;
}

static void sorting(void) {
  struct rng rng = {7};
  int bad = 0;
  for (unsigned i = 0; i < 300; i++) {
    uint32_t words = 1 + (uint32_t)rng_below(&rng, 9);
    size_t count = (size_t)rng_below(&rng, i % 10 == 0 ? 20000 : 300);
    uint32_t *a = make(&rng, count, words, i % 3), *b = malloc((count * words + 1) * sizeof *b);
    memcpy(b, a, count * words * sizeof *b);
    width = words;
    qsort(a, count, words * sizeof *a, by_record);
    disk_sort(b, count, words);
    bad += memcmp(a, b, count * words * sizeof *a) != 0;
    free(a);
    free(b);
  }
  is(bad, 0, "sorting");
  /* one record more behind each byte: the deepest stack that records can ask for */
  uint32_t words = 1200;
  size_t count = 4000;
  uint32_t *a = calloc(count * words, sizeof *a);
  for (size_t i = 0; i < count; i++) a[i * words + i % words] = 1u << 8 * (i % 4) | (uint32_t)(i / 7 % 3) << 8 * (i % 4);
  disk_sort(a, count, words);
  for (size_t i = 1; i < count; i++) bad += disk_compare(a + (i - 1) * words, a + i * words, words) > 0;
  is(bad, 0, "sorting records that are equal for long");
  free(a);
}

static void tables(void) {
  struct mem mem;
  struct rng rng = {3};
  struct disk_table t;
  struct disk_filter f = {0};
  mem_open(&mem, 0);
  disk_table_open(&t, &mem, 4, 3, 5000);
  region_open(&f.bits, &mem, MEM_OTHER);
  int bad = 0, false_positives = 0;
  for (int round = 0; round < 3; round++) { /* a small one after a large one: clearing what is in use alone */
    size_t count = round == 1 ? 50 : 6000;
    uint32_t *r = make(&rng, count, 4, 1);
    disk_filter_make(&f, 8192, 4, 5000);
    for (size_t i = 0; i < count; i++) {
      uint32_t *record = r + 4 * i;
      uint64_t slot, hash = disk_hash(record, 3);
      size_t before = 0;
      while (before < i && memcmp(r + 4 * before, record, 12)) before++;
      int there = disk_table_find(&t, record, hash, &slot);
      bad += there != (before < i);
      if (!there && disk_table_enter(&t, record, hash, slot)) break;
      if (!there) disk_filter_add(&f, hash);
    }
    for (size_t i = 0; i < t.count; i++) bad += !disk_filter_may_have(&f, disk_hash(disk_table_at(&t, i), 3));
    for (uint32_t i = 0; i < 1000; i++) false_positives += disk_filter_may_have(&f, disk_hash((uint32_t[]){i, 77, 99}, 3));
    bad += t.count > 5000;
    disk_table_clear(&t);
    for (size_t i = 0; i < count; i++) bad += disk_table_has(&t, r + 4 * i, disk_hash(r + 4 * i, 3));
    for (uint64_t i = 0; i < t.slots; i++) bad += ((uint32_t *)(void *)t.index.base)[i] != 0;
    free(r);
  }
  is(bad, 0, "tables find what is there and nothing else, before and after they are cleared; the filter misses nothing");
  ok(false_positives < 200, NAMED("the filter is wrong about %d of 3000", false_positives));
  uint32_t one[4] = {1};
  for (size_t i = 0; i < 5000; i++) bad += disk_table_append(&t, one) != 0;
  is(disk_table_append(&t, one), -1, "a table that is full says so");
  disk_table_close(&t);
  region_close(&f.bits);
  is(mem.used, 0, "nothing left behind");
}

/* A run of n sorted records, read in order and asked, with an index that is dense or (little memory) sparse. */
static int run_is_right(struct rng *rng, size_t budget, uint32_t words, size_t count, unsigned kind, size_t per_block) {
  struct mem mem;
  struct disk_files *files = NULL;
  struct disk_coder c;
  struct disk_writer w;
  struct disk_run run = {0};
  struct disk_reader r;
  struct err e;
  struct disk_trial trial = {.per_block = per_block};
  struct store_options options = {.disk = dir, .trial = &trial};
  int bad = 0, sparse = 0;
  mem_open(&mem, budget);
  err_clear(&e);
  uint32_t *a = make(rng, count, words, kind), *probe = make(rng, 2 * count, words, kind);
  count = sort_unique(a, count, words);
  for (size_t i = 0; i < count; i += 2) memcpy(probe + i * words, a + i * words, words * sizeof *a);
  size_t probes = sort_unique(probe, 2 * count, words);
  if (disk_files_open(&files, &options, &mem, &e) || disk_coder_open(&c, files, words, &mem) || disk_writer_open(&w, &run, &c, count)) return 1;
  sparse = run.stride > 1;
  for (size_t i = 0; i < count; i++) bad += disk_writer_add(&w, a + i * words) != 0;
  bad += disk_writer_finish(&w) != 0;
  disk_writer_close(&w);
  bad += run.records != count;
  bad += disk_reader_open(&r, &run, &c) != 0;
  for (size_t i = 0; i < count; i++, disk_reader_advance(&r)) {
    const uint32_t *record = disk_reader_peek(&r);
    bad += !record || memcmp(record, a + i * words, words * sizeof *a) != 0;
  }
  bad += disk_reader_peek(&r) != NULL;
  for (size_t step = 1; step < 400; step *= 7) {
    disk_reader_rewind(&r);
    size_t at = 0;
    for (size_t i = 0; i < probes; i += step) {
      while (at < count && disk_compare(a + at * words, probe + i * words, words) < 0) at++;
      int there = at < count && disk_compare(a + at * words, probe + i * words, words) == 0;
      bad += disk_reader_has(&r, probe + i * words) != there;
    }
  }
  disk_reader_close(&r);
  disk_run_remove(&run, files, &mem);
  disk_coder_close(&c);
  disk_files_close(files);
  free(a);
  free(probe);
  return bad || mem.used ? 1 : sparse ? -1 : 0;
}

static void runs(void) {
  struct rng rng = {11};
  int bad = 0, sparse = 0;
  for (unsigned i = 0; i < 120; i++) {
    uint32_t words = 1 + (uint32_t)rng_below(&rng, i % 20 == 0 ? 300 : 6);
    int answer = run_is_right(&rng, i % 2 ? 0 : words > 20 ? 4000000 : 450000, words, 1 + (size_t)rng_below(&rng, words > 20 ? 200 : 3000), i % 3, i % 4 ? 2 + i % 9 : 0);
    if (answer > 0) printf("# run %u of %u words\n", i, words);
    bad += answer > 0;
    sparse += answer < 0;
  }
  is(bad, 0, "runs are read and asked as they were written");
  ok(sparse > 10, NAMED("%d of them with a sparse index", sparse));
}

static void merging_and_log(void) {
  struct mem mem;
  struct err e;
  struct rng rng = {5};
  struct disk_trial trial = {.per_block = 7};
  struct store_options options = {.disk = dir, .trial = &trial};
  struct disk_files *files = NULL;
  struct disk_coder c;
  struct disk_log log;
  struct disk_worker worker = {0};
  struct disk_run run[5], *list[5];
  enum { EACH = 1000, WORDS = 3 };
  mem_open(&mem, 0);
  err_clear(&e);
  uint32_t *a = make(&rng, 5 * EACH, WORDS, 0);
  int bad = disk_files_open(&files, &options, &mem, &e) || disk_coder_open(&c, files, WORDS, &mem) || disk_log_open(&log, &c);
  for (size_t i = 0; i < 5 * EACH && !bad; i++) bad = disk_log_append(&log, a + i * WORDS);
  for (size_t i = 0; i < 5 * EACH && !bad; i++) {
    size_t at = i % 3 ? i : (size_t)rng_below(&rng, 5 * EACH);
    const uint32_t *there = disk_log_at(&log, at);
    bad = !there || memcmp(there, a + at * WORDS, WORDS * sizeof *a) != 0;
  }
  is(bad, 0, "the log gives back what it got");
  disk_log_forget(&log, 4 * EACH);
  ok(disk_log_at(&log, 4 * EACH) && memcmp(disk_log_at(&log, 4 * EACH), a + 4 * EACH * WORDS, WORDS * sizeof *a) == 0, "also when the beginning was given back");
  for (size_t k = 0; k < 5 && !bad; k++) {
    struct disk_writer w;
    disk_sort(a + k * EACH * WORDS, EACH, WORDS);
    list[k] = &run[k];
    bad = disk_writer_open(&w, &run[k], &c, EACH);
    for (size_t i = 0; i < EACH && !bad; i++) bad = disk_writer_add(&w, a + (k * EACH + i) * WORDS);
    if (!bad) bad = disk_writer_finish(&w);
    disk_writer_close(&w);
  }
  bad |= disk_worker_start(&worker, files, list, 5, WORDS, &mem);
  struct disk_run *made = bad ? NULL : disk_worker_join(&worker, 0);
  struct disk_reader r;
  disk_sort(a, 5 * EACH, WORDS);
  bad |= !made || disk_reader_open(&r, made, &c);
  for (size_t i = 0; i < 5 * EACH && !bad; i++, disk_reader_advance(&r)) {
    const uint32_t *record = disk_reader_peek(&r);
    bad = !record || memcmp(record, a + i * WORDS, WORDS * sizeof *a) != 0;
  }
  is(bad, 0, "runs that a thread has merged are one run");
  if (made) disk_reader_close(&r), disk_run_remove(made, files, &mem), mem_free(&mem, made);
  for (size_t k = 0; k < 5; k++) disk_run_remove(&run[k], files, &mem);
  disk_log_close(&log);
  disk_coder_close(&c);
  disk_files_close(files);
  is(mem.used, 0, "nothing left behind");
  free(a);
}

/* The next descriptor that the system gives. */
static int next_descriptor(void) {
  int fd = dup(0);
  close(fd);
  return fd;
}

/* A file that is shorter than a checkpoint says. */
static void shorter(void) {
  struct mem mem;
  struct err e;
  struct disk_files *files;
  struct disk_file file, again;
  mem_open(&mem, (size_t)16 << 20);
  err_clear(&e);
  if (!ok(disk_files_open(&files, &(struct store_options){.disk = dir}, &mem, &e) == 0 && disk_file_create(files, &file) == 0 && disk_file_append(files, &file, "abc", 3) == 0, "a file")) return;
  int next = next_descriptor();
  is(disk_file_open(files, file.number, 4, 0, &again), -1, "one that is shorter than it should be is refused");
  is(next_descriptor(), next, "and not left open");
  disk_file_remove(files, &file);
  disk_files_close(files);
}

int main(void) {
  snprintf(dir, sizeof dir, "%s/thimble-unit.%ld", scratch(), (long)getpid());
  sorting();
  tables();
  runs();
  merging_and_log();
  shorter();
  ok(rmdir(dir) == 0, "the folder is empty");
  return done();
}
