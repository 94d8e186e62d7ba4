/* fuzz_expr.c -- any bytes as an expression over a small model: no crash, no lost memory, an error says why and where, and the
 * compiled program agrees with the syntax tree on a few states.  Then once more with one allocation refused. */
#include "demand.h"
#include "../fake_model.h"
#include "model/expr.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const vars[] = {"a",
                                   "b",
                                   "place_1",
                                   "with-minus",
                                   "gr\xc3\xbc\xc3\x9f"
                                   "e",
                                   "twin",
                                   "twin",
                                   "dead",
                                   NULL};
static const char *const groups[] = {"go", "stop", NULL};
enum { VARS = 8 };

static struct expr *parse(const struct model *model, struct mem *m, const char *text) {
  struct expr *x;
  struct err e;
  err_clear(&e);
  int status = expr_parse(&x, model, m, text, "fuzz", &e);
  demand(status == 0 ? x && e.kind == ERR_NONE : !x && (e.kind == ERR_INPUT || e.kind == ERR_MEMORY) && e.message[0]);
  if (e.kind == ERR_INPUT) demand(e.line >= 1 && e.column >= 1 && e.caret >= 0 && strlen(e.excerpt) < sizeof e.excerpt);
  return x;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fake fake = fake_open(vars, groups);
  struct mem m;
  char *text = malloc(size + 1);
  demand(text);
  if (size) memcpy(text, data, size);
  text[size] = 0;
  mem_open(&m, (size_t)64 << 20);
  struct expr *x = parse(&fake.model, &m, text);
  if (x) {
    struct model_cursor c = {.model = &fake.model};
    size_t count;
    const uint32_t *list = expr_vars(x, &count);
    for (size_t i = 0; i < count; i++) demand(list[i] < fake.model.vars && (!i || list[i - 1] < list[i]));
    list = expr_groups(x, &count);
    for (size_t i = 0; i < count; i++) demand(list[i] < fake.model.groups && (!i || list[i - 1] < list[i]));
    demand(strcmp(expr_text(x), text) == 0);
    for (uint32_t s = 0; s < 16; s++) {
      uint32_t state[VARS];
      int64_t values[VARS];
      for (uint32_t v = 0; v < VARS; v++) values[v] = (int32_t)(state[v] = s < 8 ? (s >> (v % 4)) & 1 : s * 2654435761u >> v);
      demand(expr_value(x, &c, state) == expr_define(x, &fake.model, values));
    }
  }
  expr_close(x);
  demand(m.used == 0);
  uint32_t h = 2166136261u; /* which allocation to refuse: the same for the same bytes */
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  m.fail_after = 1 + (h >> 7) % 31;
  expr_close(parse(&fake.model, &m, text));
  demand(m.used == 0);
  free(text);
  return 0;
}
