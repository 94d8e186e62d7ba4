/* word.c -- see audit.h.  A run as a word, of which a formula of linear time is true or not by the meaning of its operators (prop/formula_lasso.c): there are no automata here. */
#include "audit/audit.h"
#include "prop/temporal.h"

static int read_atom(void *context, const char *text, size_t length, size_t column, struct err *e) {
  struct word *w = context;
  char *copy = w->atoms < 64 ? mem_strndup(&w->a->mem, MEM_OTHER, text, length) : NULL;
  (void)column;
  if (!copy) return err_memory(e, "a formula");
  w->label[w->atoms] = is(copy, "np_") ? 1 : is(copy, "accept_") ? 2 : 0;
  int bad = w->label[w->atoms] ? 0 : expr_parse(&w->expr[w->atoms], w->a->model, &w->a->mem, copy, "the formula", e);
  mem_free(&w->a->mem, copy);
  return bad ? -1 : (int)w->atoms++;
}

/* A claim of the model is read from the model. */
int word_open(struct word *w, const struct claim *c) {
  const struct model *m = w->a->model;
  struct formula_reader reader = {.what = c->id, .atom = read_atom, .context = w, .grouping = c->number != MODEL_RUNTIME ? GROUP_SPIN : GROUP_USUAL};
  struct model_claim own = {.formula = c->text};
  struct err e = {0};
  if (c->number != MODEL_RUNTIME) m->type->claim(m, c->number, &own);
  int bad = !own.formula || formulas_open(&w->formulas, &w->a->mem, &e) || formula_parse(w->formulas, &w->formula, own.formula, &reader, &e);
  return bad ? audit_bad(w->a, "%s cannot be read: %s", c->id, e.message) : 0;
}

void word_close(struct word *w) {
  for (int i = 0; i < 64; i++) expr_close(w->expr[i]);
  mem_free(&w->a->mem, w->letter);
  formulas_close(w->formulas);
}

uint64_t word_letter(const struct word *w, const int64_t *values) {
  const struct model *m = w->a->model;
  unsigned labels = m->type->define_labels ? m->type->define_labels(m, values) : 0;
  uint64_t letter = 0;
  for (uint32_t i = 0; i < w->atoms; i++) {
    int truth = w->expr[i] ? expr_define(w->expr[i], m, values) != 0 : w->label[i] == 1 ? !(labels & MODEL_PROGRESS) : (labels & MODEL_ACCEPT) != 0;
    letter |= (uint64_t)truth << i;
  }
  return letter;
}

int word_breaks(const struct word *w) {
  struct mem *mem = &w->a->mem;
  int truth = w->loop > w->count ? formula_on_beginning(w->formulas, w->formula, w->letter, w->count, mem) : formula_on_lasso(w->formulas, w->formula, w->letter, w->count, w->loop, mem);
  return truth < 0 ? audit_memory(w->a) : !truth;
}
