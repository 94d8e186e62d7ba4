/* fuzz_journal.c -- any bytes as a checkpoint, and any records with the right checksums: no crash, no lost memory; what is refused has a reason, and what is not is a search that comes to an end.
 *
 * The first byte chooses: even, the rest is the file; odd, the rest is a list of records, each a byte for its kind, two for its length, and the payload.  Bit 1: the search is depth-first. */
#include "opened.h"
#include "place.h"
#include "run/checkpoint.h"
#include "search/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char name[200];

static void write_raw(const uint8_t *data, size_t size) {
  FILE *out = fopen(name, "wb");
  demand(out && fwrite(data, 1, size, out) == size && fclose(out) == 0);
}

static void write_records(const uint8_t *data, size_t size) {
  static const uint32_t kinds[] = {JOURNAL_HEAD, JOURNAL_TREE, JOURNAL_PART, JOURNAL_SEAL, RECORDS_KIND('?', '?', '?', '?'), JOURNAL_RANK, JOURNAL_MINE, JOURNAL_NOTE, JOURNAL_SURE};
  struct mem m;
  struct records r;
  struct err e;
  mem_open(&m, 0);
  err_clear(&e);
  unlink(name);
  demand(records_create(&r, name, JOURNAL_MAGIC, JOURNAL_FORMAT, &m, &e) == 0);
  while (size >= 3) {
    size_t length = data[1] | (size_t)data[2] << 8, n = length < size - 3 ? length : size - 3;
    records_begin(&r, kinds[data[0] % (sizeof kinds / sizeof *kinds)]);
    records_put(&r, data + 3, n);
    records_end(&r);
    data += 3 + n;
    size -= 3 + n;
  }
  demand(records_commit(&r) == 0);
  records_close(&r);
  demand(m.used == 0);
}

static void go_on(const struct search_type *type, size_t refuse) {
  struct mem m;
  struct err e;
  struct checkpoint c;
  mem_open(&m, (size_t)64 << 20);
  err_clear(&e);
  struct model *model = opened_net(&m);
  m.fail_after = refuse;
  if (checkpoint_open(&c, name, NULL, 1000, &m, &e)) demand(e.kind == ERR_IO || (refuse && e.kind == ERR_MEMORY));
  else {
    struct prop prop;
    struct judge judge = {0};
    struct search *s = NULL;
    struct listener *listeners[1];
    int ready = prop_open(&prop, PROP_DEADLOCK, 1, NULL, model, &m, &e) == 0;
    if (ready && judge_open(&judge, model, &prop, 1, 5, &m, &e) == 0) {
      listeners[0] = &judge.listener;
      struct search_setup setup = {.model = model, .store = &store_plain, .mem = &m, .listeners = listeners, .listener_count = 1, .limits = {.beyond_cover = 1, .states = 5000}, .journal = checkpoint_journal(&c, &judge)};
      if (search_open(&s, type, &setup, &e) == 0) {
        search_run(s);
        demand(s->stop == STOP_DONE || s->stop == STOP_STATES || (s->stop == STOP_FAULT && s->err.message[0]) || (refuse && s->stop == STOP_MEMORY));
        demand(s->stop != STOP_FAULT || s->err.kind == ERR_IO);
      }
      search_close(s);
    }
    judge_close(&judge);
    if (ready) prop_close(&prop);
    checkpoint_close(&c, NULL);
  }
  m.fail_after = 0;
  model_close(model);
  demand(m.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!name[0]) snprintf(name, sizeof name, "%.150s/fuzz-journal-%ld.ckpt", fuzz_place(), (long)getpid());
  if (!size) return 0;
  if (data[0] & 1) write_records(data + 1, size - 1);
  else write_raw(data + 1, size - 1);
  uint32_t h = 2166136261u; /* which allocation to refuse: the same for the same bytes */
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  const struct search_type *type = data[0] & 2 ? &search_dfs : &search_bfs;
  go_on(type, 1 + (h >> 7) % 40);
  if (data[0] & 1) write_records(data + 1, size - 1);
  else write_raw(data + 1, size - 1);
  go_on(type, 0);
  unlink(name);
  return 0;
}
