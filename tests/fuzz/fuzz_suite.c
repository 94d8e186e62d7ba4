/* fuzz_suite.c -- any bytes as a suite: no crash, no lost memory, an error says why and where.  Then once more with one allocation refused. */
#include "bench/suite.h"
#include "demand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const char *text, size_t size, struct mem *m, int may_fail) {
  struct suite s;
  struct err e;
  err_clear(&e);
  if (suite_parse(&s, "fuzz.toml", text, size, NULL, m, &e)) {
    demand((e.kind == ERR_INPUT || (may_fail && e.kind == ERR_MEMORY)) && e.message[0]);
    demand(e.caret < (long)sizeof e.excerpt && strlen(e.excerpt) < sizeof e.excerpt);
  } else {
    demand(s.task_count && s.repetitions && s.baseline);
    for (size_t t = 0; t < s.task_count; t++) demand(s.tasks[t].model && s.tasks[t].way && s.tasks[t].source && s.tasks[t].model->name && s.tasks[t].way->name);
  }
  suite_close(&s);
  demand(m->used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem m;
  mem_open(&m, (size_t)64 << 20);
  read_all((const char *)data, size, &m, 0);
  uint32_t h = 2166136261u; /* which allocation to refuse: the same for the same bytes */
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  m.fail_after = 1 + (h >> 7) % 5;
  read_all((const char *)data, size, &m, 1);
  return 0;
}
