/* opened.h -- models that targets search: from a text, and the net that those of checkpoints share.  It is larger than what a journal of a few bytes tells, and small enough to be explored to its end. */
#ifndef TESTS_FUZZ_OPENED_H
#define TESTS_FUZZ_OPENED_H

#include "demand.h"
#include "front/front.h"
#include "net/pt_model.h"
#include "nets.h"

#include <stdint.h>
#include <string.h>

static inline struct model *opened_net(struct mem *m) {
  struct model *model = NULL;
  struct err e;
  err_clear(&e);
  struct pt_net *net = nets_read(m, "a=3 b c d=2 e | t: a -> b; u: b -> c; v: c -> a; x: d -> e; y: e -> d; k: b + e -> c + d");
  demand(net && pt_model_open(&model, net, "net", &e) == 0);
  return model;
}

static inline struct model *opened_text(const char *language, const char *text, struct mem *m) {
  struct model *model = NULL;
  struct err e;
  err_clear(&e);
  FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  demand(in);
  struct front_setup setup = {.mem = m, .file = "model", .input = in, .unfold = FRONT_UNFOLD_NEVER};
  int bad = front_find(language)->load(&model, &setup, &e);
  if (bad) fprintf(stderr, "%s:%ld: %s\n", language, e.line, e.message);
  demand(!bad);
  fclose(in);
  return model;
}

#endif
