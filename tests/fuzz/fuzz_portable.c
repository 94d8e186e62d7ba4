/* fuzz_portable.c -- any bytes as a state in the portable form that checkpoints and messages of several processes have: refused, or a state; one that is taken comes back the same after packing, and is expanded. */
#include "search/stepper.h"
#include "small_models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expand(struct model *m, const uint32_t *state) {
  struct err e;
  struct stepper at = {0};
  err_clear(&e);
  demand(stepper_open(&at, m, &small_model_mem, &e) == 0);
  memcpy(at.state, state, m->words * sizeof *state);
  int bad = stepper_expand(&at, &e);
  demand(!bad || e.message[0]);
  stepper_close(&at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  struct model *m = small_model(data[0]);
  const struct model_type *t = m->type;
  uint32_t *state = calloc(model_stride(m->words) + 2, sizeof *state);
  demand(state && t->unpack && t->pack);
  if (t->unpack(m, data + 1, size - 1, state) == 0) {
    size_t bytes = t->pack(m, state, NULL, 0);
    uint8_t *form = malloc(bytes + 1);
    uint32_t *again = calloc(model_stride(m->words) + 2, sizeof *again);
    demand(form && again && t->pack(m, state, form, bytes) == bytes);
    demand(t->unpack(m, form, bytes, again) == 0 && memcmp(state, again, m->words * sizeof *state) == 0);
    free(again);
    free(form);
    expand(m, state);
  }
  free(state);
  return 0;
}
