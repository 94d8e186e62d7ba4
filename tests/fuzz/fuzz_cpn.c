/* fuzz_cpn.c -- any bytes as a .cpn file: what is read can be explored for a few states, memory comes back, a failure says why. Each input is also read with one
 * allocation refused. */
#include "demand.h"

#include "front/cpn/cpn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET ((size_t)64 << 20)

static struct model *load(struct mem *m, const uint8_t *data, size_t size, int draws) {
  struct err e;
  struct model *model = NULL;
  err_clear(&e);
  FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  demand(in);
  struct front_setup setup = {.mem = m, .file = "fuzz", .input = in, .draws = draws, .seed = size};
  int status = front_cpn.load(&model, &setup, &e);
  fclose(in);
  demand(status == 0 ? model != NULL : !model && e.kind != ERR_NONE && e.message[0]);
  demand(strlen(e.excerpt) < sizeof e.excerpt);
  return model;
}

static void expand(struct model *m, struct mem *mem) {
  struct model_cursor *c = NULL;
  struct model_batch batch = {0};
  uint32_t *state = calloc(m->words + 2, sizeof *state);
  demand(state);
  m->type->initial(m, state);
  if (m->type->cursor_open(&c, m, mem) == 0 && model_batch_open(&batch, mem, m->words, 4) == 0) {
    enum model_answer answer = m->type->successors(c, state, &batch);
    for (uint32_t v = 0; v < m->vars && v < 50; v++) {
      struct model_var out;
      m->type->describe(m, state, v, &out);
      demand(strlen(out.text) < sizeof out.text && out.name[0]);
    }
    demand(answer != MODEL_OK || batch.count == 0 || batch.group[batch.count - 1] < m->groups);
  }
  model_batch_close(&batch);
  m->type->cursor_close(c);
  free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem mem;
  uint32_t h = 2166136261u;
  mem_open(&mem, BUDGET);
  for (int draws = 0; draws < 3; draws++) { /* as a state space, and as those who draw read it (colour.h) */
    struct model *m = load(&mem, data, size, draws);
    if (m) expand(m, &mem);
    model_close(m);
    demand(mem.used == 0);
  }
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  mem_open(&mem, BUDGET);
  mem.fail_after = 1 + (h >> 7) % 400;
  model_close(load(&mem, data, size, (int)(h % 3)));
  demand(mem.used == 0);
  return 0;
}
