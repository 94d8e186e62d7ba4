/* any_model.h -- for targets that run whatever model an input is: its first bytes choose the language, the rest is the text.
 *
 *   p Promela   + PROM+   d DVE   n .net   a .aut   c .cpnt   x PNML, unfolded   y PNML with its colours
 *
 * Promela with a # is left out: it would start the preprocessor. So are models whose states are so large that one of them takes as long as hundreds of others. */
#ifndef TESTS_FUZZ_ANY_MODEL_H
#define TESTS_FUZZ_ANY_MODEL_H

#include "fuzz.h"

enum { ANY_VARS = 3000, ANY_GROUPS = 3000 };

/* NULL: the input is no model. */
static inline struct model *any_model(struct mem *m, char letter, const uint8_t *text, size_t size) {
  static const struct {
    char letter;
    const char *language;
    enum front_unfold unfold;
  } languages[] = {{'p', "promela", 0}, {'+', "prom+", 0}, {'d', "dve", 0}, {'n', "net", 0}, {'a', "aut", 0}, {'c', "cpnt", 0}, {'x', "pnml", FRONT_UNFOLD_ALWAYS}, {'y', "pnml", FRONT_UNFOLD_NEVER}};
  struct model *model = NULL;
  struct err e;
  size_t l = 0;
  while (l < sizeof languages / sizeof *languages && languages[l].letter != letter) l++;
  if (l == sizeof languages / sizeof *languages || !size || ((letter == 'p' || letter == '+') && memchr(text, '#', size))) return NULL;
  err_clear(&e);
  FILE *in = fmemopen((void *)(uintptr_t)text, size, "r");
  demand(in);
  struct front_setup setup = {.mem = m, .file = "fuzz", .input = in, .unfold = languages[l].unfold, .warn = no_warning};
  int bad = front_find(languages[l].language)->load(&model, &setup, &e);
  fclose(in);
  demand(bad ? !model && e.kind != ERR_NONE && e.message[0] : model != NULL);
  if (model && model->vars <= ANY_VARS && model->groups <= ANY_GROUPS) return model;
  model_close(model);
  return NULL;
}

#endif
