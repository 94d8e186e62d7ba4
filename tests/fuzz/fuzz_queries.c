/* fuzz_queries.c -- any bytes as a file of the contest's formulas: no crash, no lost memory, an error says why and where, and every text that comes out is read by the
 * parser of formulas, or refused there with a place.  Then once more with one allocation refused. */
#define _GNU_SOURCE
#include "demand.h"
#include "prop/formula.h"
#include "prop/queries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int any_atom(void *context, const char *text, size_t length, size_t column, struct err *e) {
  (void)context, (void)text, (void)e;
  demand(length && column);
  return (int)(length % 50);
}

static void parse_text(const struct query *q, struct mem *m) {
  struct formulas *fs;
  struct formula_reader reader = {.what = "fuzz", .branching = 1, .atom = any_atom};
  struct err e;
  formula f;
  err_clear(&e);
  demand(formulas_open(&fs, m, &e) == 0);
  if (*q->text && !q->bound && formula_parse(fs, &f, q->text, &reader, &e)) demand(e.kind == ERR_INPUT && e.message[0]);
  formulas_close(fs);
}

static void read_all(const char *file, struct mem *m, int may_fail) {
  struct queries queries;
  struct err e;
  size_t count = 0;
  err_clear(&e);
  if (queries_read(&queries, file, m, &e)) {
    demand((e.kind == ERR_INPUT || (may_fail && e.kind == ERR_MEMORY)) && e.message[0]);
    demand(!queries.first && !queries.count);
    return;
  }
  for (const struct query *q = queries.first; q; q = q->next, count++) {
    demand(q->id && q->text);
    if (!may_fail) parse_text(q, m);
  }
  demand(count == queries.count);
  queries_close(&queries);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char file[64];
  struct mem m;
  int fd = memfd_create("queries", 0);
  demand(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
  mem_open(&m, (size_t)64 << 20);
  read_all(file, &m, 0);
  demand(m.used == 0);
  uint32_t h = 2166136261u; /* which allocation to refuse: the same for the same bytes */
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  m.fail_after = 1 + (h >> 7) % 15;
  read_all(file, &m, 1);
  demand(m.used == 0);
  close(fd);
  return 0;
}
