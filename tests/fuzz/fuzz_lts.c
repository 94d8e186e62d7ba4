/* fuzz_lts.c -- any bytes as .aut; what is read is walked through, written and read again, and then
 * read once more with one allocation refused. */
#include "front/lts/lts.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct model *load(struct mem *m, const void *data, size_t size) {
  struct err e;
  struct model *model;
  err_clear(&e);
  FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  struct front_setup setup = {.mem = m, .file = "fuzz", .input = in};
  int status = front_aut.load(&model, &setup, &e);
  fclose(in);
  demand(status == 0 ? model && e.kind == ERR_NONE : !model && (e.kind == ERR_INPUT || e.kind == ERR_MEMORY) && e.message[0]);
  return model;
}

static char *save(const struct model *model, size_t *size) {
  struct err e;
  char *text = NULL;
  err_clear(&e);
  FILE *out = open_memstream(&text, size);
  demand(front_aut.save(model, out, &e) == 0 && fclose(out) == 0);
  return text;
}

/* Every edge of the first states, and by its definition. */
static void walk(const struct model *model, struct mem *m) {
  struct model_cursor *c;
  struct model_batch b;
  const struct model_type *t = model->type;
  demand(t->cursor_open(&c, model, m) == 0 && model_batch_open(&b, m, model->words, 1) == 0);
  for (uint32_t s = 0; s < 100; s++) {
    b.count = 0;
    demand(t->successors(c, &s, &b) == MODEL_OK);
    for (uint32_t k = 0; k < b.count; k++) {
      uint32_t target, group, made;
      int64_t value = s, next;
      const char *label = t->group_name(model, b.group[k]);
      demand(t->step(c, &s, k, &target, &group) == 1 && group == b.group[k] && target == b.states[k * b.stride]);
      demand(t->define_edge(model, &value, k, &made, &next, m) == 1 && made == group && next == target);
      demand(t->fireable(c, &s, group) && t->find_group(model, label, strlen(label)) == group);
    }
  }
  model_batch_close(&b);
  t->cursor_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem m;
  mem_open(&m, BUDGET);
  struct model *model = load(&m, data, size);
  if (model) {
    size_t first_size, second_size;
    char *first = save(model, &first_size);
    walk(model, &m);
    model_close(model);
    model = load(&m, first, first_size);
    demand(model);
    char *second = save(model, &second_size);
    demand(first_size == second_size && memcmp(first, second, first_size) == 0);
    free(first);
    free(second);
  }
  model_close(model);
  demand(m.used == 0);

  mem_open(&m, BUDGET);
  m.fail_after = fuzz_pick(data, size) % 24 + 1;
  model_close(load(&m, data, size));
  demand(m.used == 0);
  return 0;
}
