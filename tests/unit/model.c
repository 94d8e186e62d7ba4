/* model.c -- the generic parts of model.h: batches that grow, change width and keep their padding zero. */
#include "tap.h"

#include "model/model.h"

#include <stdlib.h>

static struct mem mem;

/* A toy: one word n; successors n+1 .. n+3 while n < 10. */
static enum model_answer three(struct model_cursor *c, const uint32_t *state, struct model_batch *b) {
  (void)c;
  if (state[0] >= 10) return MODEL_OK;
  if (model_batch_grow(b, b->count + 3)) return MODEL_MEMORY;
  for (uint32_t k = 0; k < 3; k++) {
    b->states[b->count * b->stride] = state[0] + k + 1;
    b->group[b->count++] = k + 100;
  }
  return MODEL_OK;
}

static const struct model_type toy = {.kind = "toy", .successors = three};

static void test_batch(void) {
  struct model_batch b;
  ok(model_batch_open(&b, &mem, 3, 2) == 0, "a batch opens");
  is(b.stride, 4, "the stride is even");
  ok(b.room >= 2 && b.count == 0, "with room");
  for (uint32_t i = 0; i < 1000; i++) {
    if (model_batch_grow(&b, b.count + 1)) break;
    for (int w = 0; w < 3; w++) b.states[b.count * b.stride + w] = i * 3 + w;
    b.group[b.count++] = i;
  }
  int bad = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    for (int w = 0; w < 3; w++) bad += b.states[i * 4 + w] != i * 3 + w;
    bad += b.states[i * 4 + 3] != 0 || b.group[i] != i;
  }
  is(bad, 0, "growing keeps contents and padding");
  ok(model_batch_restride(&b, 5) == 0 && b.count == 0 && b.stride == 6, "a wider state empties it");
  bad = 0;
  for (size_t i = 0; i < b.room * b.stride; i++) bad += b.states[i] != 0;
  is(bad, 0, "and all is zero again");
  size_t room = b.room;
  for (size_t i = 0; i < b.room * b.stride; i++) b.states[i] = 7;
  ok(model_batch_restride(&b, 1) == 0 && b.stride == 2 && b.room == room, "a narrower state");
  bad = 0;
  for (size_t i = 0; i < b.room * b.stride; i++) bad += b.states[i] != 0;
  is(bad, 0, "also begins with zeros");
  model_batch_close(&b);
  model_batch_close(&b);
  is(mem.used, 0, "nothing is left");
}

static void test_refusals(void) {
  struct model_batch b;
  mem.fail_after = 1;
  ok(model_batch_open(&b, &mem, 3, 2) == -1 && mem.used == 0, "no memory for states");
  mem.fail_after = 2;
  ok(model_batch_open(&b, &mem, 3, 2) == -1 && mem.used == 0, "no memory for groups");
  model_batch_open(&b, &mem, 2, 10);
  b.count = 1, b.states[0] = 42;
  mem.fail_after = 1;
  ok(model_batch_grow(&b, 100) == -1 && b.room == 10 && b.states[0] == 42, "a refused growth changes nothing");
  mem.fail_after = 1;
  ok(model_batch_restride(&b, 4) == 0 && b.room == 5, "a refused widening makes do with fewer states");
  mem.fail_after = 1;
  ok(model_batch_restride(&b, 400) == -1, "down to none");
  ok(model_batch_grow(&b, SIZE_MAX / 4) == -1, "an absurd room is refused");
  mem.fail_after = 0;
  model_batch_close(&b);
  is(mem.used, 0, "nothing is left");
}

static void test_step(void) {
  struct model m = {.type = &toy, .mem = &mem, .words = 1, .vars = 1};
  struct model_cursor c = {.model = &m, .mem = &mem};
  struct model_batch b;
  model_batch_open(&b, &mem, 1, 1);
  uint32_t state = 4, out = 0, group = 0;
  is(model_step(&c, &state, 2, &out, &group, &b), 1, "the generic step");
  ok(out == 7 && group == 102, "is the k-th successor");
  is(model_step(&c, &state, 3, &out, &group, &b), 0, "there is no fourth");
  state = 10;
  is(model_step(&c, &state, 0, &out, NULL, &b), 0, "nor any from a state without successors");
  model_batch_close(&b);
  char text[32];
  model_print_value(&m, 0, -5, text, sizeof text);
  is_text(text, "-5", "values are decimal numbers");
  model_close(NULL);
  is(mem.used, 0, "nothing is left");
}

int main(void) {
  mem_open(&mem, 0);
  test_batch();
  test_refusals();
  test_step();
  return done();
}
