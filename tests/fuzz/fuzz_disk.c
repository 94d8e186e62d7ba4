/* fuzz_disk.c -- a checkpoint of a search on disk, and its files of states, with other bytes in them: no crash, no lost memory; what is refused has a reason, and what is not is a search that comes to an end.
 *
 * A checkpoint and its folder are made once for each of two models, a net and processes, by a search that stops on the way.  The input is a list of changes (kept.h) of those of the net; one that begins with 2 or 3, of the others.  The first file is the
 * checkpoint, the others are those of states: sums of blocks are made right again, too. */
#define _GNU_SOURCE
#include "kept.h"
#include "opened.h"
#include "place.h"
#include "search/journal.h"
#include "search/search.h"
#include "store/disk_files.h"

#include <dirent.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = KEPT_LONGEST, HOME = 140 };

static struct place {
  struct kept_set kept; /* the checkpoint first */
  char home[LONGEST], folder[LONGEST], states[LONGEST], checkpoint[LONGEST];
} places[2];
static const struct disk_trial trial = {.records = 10, .per_block = 4, .fan = 3};

/* ---- a search ------------------------------------------------------------------------------------------------------------- */

static const char processes[] = "mtype = { ping, pong }; chan c = [2] of { mtype, byte }; byte n; int far;\n"
                                "proctype child(byte x) { n = n + x }\n"
                                "active proctype a() { do :: n < 5 -> c!ping(n); n++ :: n > 2 -> far = far + 300; if :: far > 900 -> break :: else fi od; run child(2) }\n"
                                "active proctype b() { byte v; end: do :: c?ping(v); n = v :: c?pong(v) -> far = v od }\n";

static void search_on_disk(const struct place *p, uint64_t most, int again, size_t refuse) {
  struct mem m;
  struct err e;
  struct journal j = {0};
  struct search *s = NULL;
  mem_open(&m, (size_t)64 << 20);
  err_clear(&e);
  struct model *model = p == places ? opened_net(&m) : opened_text("promela", processes, &m);
  m.fail_after = refuse;
  int bad = again ? journal_open(&j, p->checkpoint, 1000, 1, NULL, NULL, &m, &e) : journal_create(&j, p->checkpoint, 1000, &m, &e);
  if (bad) demand(again && (e.kind == ERR_IO || (refuse && e.kind == ERR_MEMORY)));
  else {
    struct store_options options = {.disk = p->folder, .trial = &trial};
    struct search_setup setup = {.model = model, .store = &store_disk, .mem = &m, .store_options = &options, .limits = {.states = most, .beyond_cover = 1}, .journal = &j};
    int ran = search_open(&s, &search_bfs, &setup, &e) == 0;
    if (ran) {
      search_run(s);
      demand(s->stop == STOP_DONE || s->stop == STOP_STATES || s->stop == STOP_DISK || (s->stop == STOP_FAULT && s->err.message[0]) || (refuse && s->stop == STOP_MEMORY));
      search_end_journal(s, 0);
    } else demand(e.message[0]);
    search_close(s);
    journal_close(&j, !again);
  }
  m.fail_after = 0;
  model_close(model);
  demand(m.used == 0);
}

/* ---- sums ----------------------------------------------------------------------------------------------------------------- */

/* See store/disk_run.c: packed, coded, lengths, records, and the sum, which depends on the file's number. */
static void mend_blocks(struct kept *k) {
  uint32_t head[4];
  const char *name = strrchr(k->path, '/') + 1;
  unsigned number = (unsigned)strtoul(name + strcspn(name, "0123456789"), NULL, 10);
  for (size_t at = 0; at + 24 <= k->length; at += 24 + head[0]) {
    memcpy(head, k->now + at, sizeof head);
    if (!head[0] || head[0] > k->length - at - 24) return;
    uint64_t where = hash_pair((uint64_t)number, at), what = hash_pair((uint64_t)head[0] << 32 | head[1], (uint64_t)head[2] << 32 | head[3]);
    uint64_t sum = hash_bytes_seeded(k->now + at + 24, head[0], where ^ what);
    memcpy(k->now + at + 16, &sum, 8);
  }
}

/* ---- files ---------------------------------------------------------------------------------------------------------------- */

/* All that is in a folder is removed; with `keep`, taken there first. */
static void empty(const char *path, struct kept_set *keep) {
  char name[LONGEST + 260];
  DIR *all = opendir(path);
  for (struct dirent *d; all && (d = readdir(all));) {
    if (d->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s", path, d->d_name);
    if (keep) kept_take(keep, name, 0, mend_blocks);
    unlink(name);
  }
  if (all) closedir(all);
}

static void clean_up(void) {
  for (struct place *p = places; p < places + 2; p++) {
    empty(p->states, NULL);
    rmdir(p->states);
    rmdir(p->folder);
    empty(p->home, NULL);
    rmdir(p->home);
  }
}

static int by_name(const void *a, const void *b) { return strcmp(((const struct kept *)a)->path, ((const struct kept *)b)->path); }

static void settle_in(struct place *p) {
  int n = snprintf(p->home, LONGEST, "%.100s/fuzz-disk-%ld-%d", fuzz_place(), (long)getpid(), (int)(p - places));
  memset(p->home + n, '-', (size_t)(HOME - n)); /* the checkpoint holds the name: what is changed where must not depend on its length */
  p->home[HOME] = 0;
  snprintf(p->folder, LONGEST, "%.250s/files", p->home);
  snprintf(p->checkpoint, LONGEST, "%.250s/c.ckpt", p->home);
  demand(mkdir(p->home, 0700) == 0 && mkdir(p->folder, 0700) == 0);
  search_on_disk(p, 25, 0, 0);
  kept_take(&p->kept, p->checkpoint, RECORDS_HEAD, kept_mend_records);
  DIR *all = opendir(p->folder);
  for (struct dirent *d; all && (d = readdir(all));)
    if (d->d_name[0] != '.') snprintf(p->states, LONGEST, "%.250s/%.40s", p->folder, d->d_name);
  demand(all && *p->states);
  closedir(all);
  empty(p->states, &p->kept);
  demand(p->kept.count > 3);
  qsort(p->kept.file + 1, p->kept.count - 1, sizeof *p->kept.file, by_name);
}

static void put_back(const struct place *p) {
  empty(p->states, NULL);
  mkdir(p->states, 0700);
  kept_put_back(&p->kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!places[0].kept.count) {
    atexit(clean_up);
    for (size_t i = 0; i < 2; i++) settle_in(&places[i]);
  }
  if (!size) return 0;
  struct place *p = &places[(data[0] & 0xfe) == 2];
  kept_change(&p->kept, data, size);
  uint32_t h = 2166136261u; /* which allocation to refuse: the same for the same bytes */
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  put_back(p);
  search_on_disk(p, 5000, 1, 0);
  put_back(p);
  search_on_disk(p, 5000, 1, 1 + (h >> 7) % 60);
  return 0;
}
