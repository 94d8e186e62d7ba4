/* fuzz_walk.c -- any bytes as a model that runs: the first is its language (any_model.h), a newline, then its text.  In short random walks each state is held against the definition of the language (defined.h): the same successors,
 * the same things that go wrong. What models do is as hostile as what they are written like. Then once more with one allocation refused on the way. */
#include "../defined.h"
#include "any_model.h"
#include "base/rng.h"

enum { WALKS = 3, LONGEST = 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const uint8_t *data, size_t size, size_t refuse) {
  struct mem m;
  struct err e;
  struct defined_tally t = {0};
  struct rng rng = {fuzz_pick(data, size)};
  mem_open(&m, BUDGET);
  m.fail_after = refuse;
  struct model *model = any_model(&m, (char)data[0], data + 2, size - 2);
  for (int w = 0; model && w < WALKS; w++) {
    struct stepper s;
    uint32_t group;
    err_clear(&e);
    if (stepper_open(&s, model, &m, &e)) {
      demand(e.kind == ERR_MEMORY);
      break;
    }
    for (int i = 0; i < LONGEST; i++) {
      if (stepper_expand(&s, &e)) {
        demand(e.kind != ERR_NONE && e.message[0]);
        break;
      }
      if (!refuse) defined_compare(&s, &m, &t);
      if (!s.batch.count || stepper_take(&s, (uint32_t)rng_below(&rng, s.batch.count), &group, &e) != 1) break;
    }
    stepper_close(&s);
  }
  if (model && !refuse && !defined_alike(model, &t)) {
    fprintf(stderr, "%zu states: %zu unlike, %zu faults unknown to the engine, %zu missed, %zu labels, %zu unfit, %zu packed\n", t.states, t.unlike, t.unknown, t.missed, t.labels, t.unfit, t.packed);
    demand(mem_left(&m) < BUDGET / 4); /* without memory a definition may say less */
  }
  model_close(model);
  demand(m.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3 || data[1] != '\n') return 0;
  size_t pick = fuzz_pick(data, size);
  walk(data, size, 0);
  if (pick % 4 == 0) walk(data, size, pick);
  return 0;
}
