/* fuzz_replay.c -- any bytes as a trace that is gone along with a model (simulate --replay): the first byte says with which.  No crash, no lost memory; what cannot be followed is said.  Then once more with one allocation refused. */
#include "report/trace_follow.h"
#include "report/trace_view.h"
#include "small_models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int follow(const struct trace_view *v, struct stepper *at, struct err *e) {
  uint32_t k;
  for (size_t i = 0; i < v->trace->count; i++) {
    if (trace_follow(v, i, at, "fuzz", &k, e)) return -1;
    int taken = stepper_take(at, k, NULL, e);
    demand(taken); /* trace_follow has found it */
    if (taken < 0 || trace_agrees(v, i, at, "fuzz", e)) return -1;
  }
  return 0;
}

static void go_along(struct model *model, const uint8_t *data, size_t size, size_t refuse) {
  struct mem *m = &small_model_mem;
  struct err e;
  struct trace_file *file = NULL;
  struct trace_view v;
  struct stepper at = {0};
  err_clear(&e);
  m->fail_after = refuse;
  FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  demand(in);
  int bad = trace_file_read(&file, in, "fuzz", m, &e);
  fclose(in);
  if (!bad) {
    trace_file_view(file, &v);
    bad = stepper_open(&at, model, m, &e) || follow(&v, &at, &e);
    stepper_close(&at);
  }
  demand(bad ? e.message[0] && (e.kind == ERR_INPUT || (refuse && e.kind == ERR_MEMORY)) : e.kind == ERR_NONE);
  trace_file_close(file);
  m->fail_after = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  struct model *with = small_model(data[0]);
  go_along(with, data + 1, size - 1, 0);
  go_along(with, data + 1, size - 1, fuzz_pick(data, size));
  return 0;
}
