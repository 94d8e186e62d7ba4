/* fuzz_disk.c -- a checkpoint of a search on disk, and its files of states, with other bytes in them: no crash, no lost memory; what is refused has a reason, and what is not is a search that comes to an end.
 *
 * The checkpoint and its folder are made once, by a search that stops on the way.  The input is a list of changes: a byte says in which file (0: the checkpoint, behind its head), two bytes where, one how many bytes follow.  Sums of records and of
 * blocks are made right again, so that the changes arrive; a list that begins with an odd byte leaves them wrong. */
#define _GNU_SOURCE
#include "base/hash.h"
#include "demand.h"
#include "net/pt_model.h"
#include "nets.h"
#include "place.h"
#include "search/journal.h"
#include "search/search.h"
#include "store/disk_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILES = 32, LONGEST = 300, HOME = 140 };

static struct kept {
  char path[LONGEST];
  uint8_t *bytes, *now; /* as it was made; as it is this time */
  size_t length;
} kept[FILES]; /* the checkpoint first */
static size_t files;
static char home[LONGEST], folder[LONGEST], states[LONGEST], checkpoint[LONGEST];
static const struct disk_trial trial = {.records = 10, .per_block = 4, .fan = 3};

/* ---- a search ------------------------------------------------------------------------------------------------------------- */

static void search_on_disk(uint64_t most, int again, size_t refuse) {
  struct mem m;
  struct err e;
  struct journal j = {0};
  struct model *model = NULL;
  struct search *s = NULL;
  mem_open(&m, (size_t)64 << 20);
  err_clear(&e);
  struct pt_net *net = nets_read(&m, "a=3 b c d=2 e | t: a -> b; u: b -> c; v: c -> a; x: d -> e; y: e -> d; k: b + e -> c + d");
  demand(net && pt_model_open(&model, net, "net", &e) == 0);
  m.fail_after = refuse;
  int bad = again ? journal_open(&j, checkpoint, 1000, 1, NULL, NULL, &m, &e) : journal_create(&j, checkpoint, 1000, &m, &e);
  if (bad) demand(again && (e.kind == ERR_IO || (refuse && e.kind == ERR_MEMORY)));
  else {
    struct store_options options = {.disk = folder, .trial = &trial};
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

/* ---- files ---------------------------------------------------------------------------------------------------------------- */

static void take(const char *path) {
  struct kept *k = &kept[files++];
  struct stat about;
  demand(files <= FILES);
  int fd = open(path, O_RDONLY);
  demand(fd >= 0 && fstat(fd, &about) == 0);
  snprintf(k->path, sizeof k->path, "%s", path);
  k->length = (size_t)about.st_size;
  k->bytes = malloc(k->length + 1);
  k->now = malloc(k->length + 1);
  demand(k->bytes && k->now && read(fd, k->bytes, k->length) == (ssize_t)k->length);
  close(fd);
}

/* All that is in a folder is removed; with `keep`, taken first. */
static void empty(const char *path, int keep) {
  char name[LONGEST + 260];
  DIR *all = opendir(path);
  for (struct dirent *d; all && (d = readdir(all));) {
    if (d->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s", path, d->d_name);
    if (keep) take(name);
    unlink(name);
  }
  if (all) closedir(all);
}

static void clean_up(void) {
  empty(states, 0);
  rmdir(states);
  rmdir(folder);
  empty(home, 0);
  rmdir(home);
}

static int by_name(const void *a, const void *b) { return strcmp(((const struct kept *)a)->path, ((const struct kept *)b)->path); }

static void settle_in(void) {
  int n = snprintf(home, sizeof home, "%.100s/fuzz-disk-%ld-", fuzz_place(), (long)getpid());
  memset(home + n, '-', (size_t)(HOME - n)); /* the checkpoint holds the name: what is changed where must not depend on its length */
  home[HOME] = 0;
  snprintf(folder, sizeof folder, "%.250s/files", home);
  snprintf(checkpoint, sizeof checkpoint, "%.250s/c.ckpt", home);
  demand(mkdir(home, 0700) == 0 && mkdir(folder, 0700) == 0);
  search_on_disk(25, 0, 0);
  take(checkpoint);
  DIR *all = opendir(folder);
  for (struct dirent *d; all && (d = readdir(all));)
    if (d->d_name[0] != '.') snprintf(states, sizeof states, "%.250s/%.40s", folder, d->d_name);
  demand(all && *states);
  closedir(all);
  empty(states, 1);
  demand(files > 3);
  qsort(kept + 1, files - 1, sizeof *kept, by_name);
  atexit(clean_up);
}

static void put_back(void) {
  empty(states, 0);
  mkdir(states, 0700);
  for (size_t i = 0; i < files; i++) {
    int fd = open(kept[i].path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    demand(fd >= 0 && write(fd, kept[i].now, kept[i].length) == (ssize_t)kept[i].length);
    close(fd);
  }
}

/* ---- sums ----------------------------------------------------------------------------------------------------------------- */

/* See base/records.c. */
static void mend_records(struct kept *k) {
  uint64_t nonce, about[4], length, sum;
  uint32_t kind;
  memcpy(&nonce, k->now + RECORDS_HEAD - 16, 8);
  for (size_t at = RECORDS_HEAD; at + RECORDS_HEADER <= k->length; at += RECORDS_HEADER + length) {
    memcpy(&kind, k->now + at, 4);
    memcpy(&length, k->now + at + 8, 8);
    if (length > k->length - at - RECORDS_HEADER) return;
    about[0] = nonce, about[1] = at, about[2] = kind, about[3] = length;
    sum = XXH64(about, sizeof about, XXH64(k->now + at + RECORDS_HEADER, length, 0));
    memcpy(k->now + at + 16, &sum, 8);
  }
}

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

static void change(const uint8_t *data, size_t size) {
  int mend = !(data[0] & 1);
  for (size_t i = 0; i < files; i++) memcpy(kept[i].now, kept[i].bytes, kept[i].length);
  for (data++, size--; size >= 4;) {
    struct kept *k = &kept[data[0] % files];
    size_t from = k == kept ? RECORDS_HEAD : 0, n = data[3] < size - 4 ? data[3] : size - 4;
    for (size_t i = 0; i < n && from < k->length; i++) k->now[from + ((data[1] | (size_t)data[2] << 8) + i) % (k->length - from)] = data[4 + i];
    data += 4 + n;
    size -= 4 + n;
  }
  if (!mend) return;
  mend_records(&kept[0]);
  for (size_t i = 1; i < files; i++) mend_blocks(&kept[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!files) settle_in();
  if (!size) return 0;
  change(data, size);
  uint32_t h = 2166136261u; /* which allocation to refuse: the same for the same bytes */
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  put_back();
  search_on_disk(5000, 1, 0);
  put_back();
  search_on_disk(5000, 1, 1 + (h >> 7) % 60);
  return 0;
}
