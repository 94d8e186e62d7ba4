/* branching.c -- see branching.h. */
#include "prop/branching.h"

#include <string.h>

struct reading {
  struct branching_formula *branching;
  const struct temporal_source *source;
  const struct model *model;
};

static int read_atom(void *context, const char *text, size_t length, size_t column, struct err *e) {
  struct reading *r = context;
  struct branching_formula *b = r->branching;
  uint32_t before = b->names.count;
  int index = atoms_add(&b->names, text, length, column, e);
  if (index < 0 || (uint32_t)index < before) return index;
  if (expr_parse(&b->expr[index], r->model, b->mem, b->names.text[index], r->source->what, e) == 0) return index;
  temporal_place_error(r->source, r->model, column, e);
  return -1;
}

/* The shape is read through negations. */
static void find_shape(struct branching_formula *b) {
  const struct formulas *fs = b->formulas;
  formula f = b->formula;
  int negated = 0;
  for (; formula_kind(fs, f) == F_NOT; f = formula_child(fs, f, 0)) negated = !negated;
  int exists = formula_kind(fs, f) == F_EXISTS;
  if (!exists && formula_kind(fs, f) != F_ALL) return;
  formula path = formula_child(fs, f, 0);
  if (formula_kind(fs, path) != (exists ? F_FINALLY : F_GLOBALLY) || !formula_is(fs, formula_child(fs, path, 0), CLASS_BOOLEAN)) return;
  b->shape = exists != negated ? BRANCHING_SOMETIME : BRANCHING_ALWAYS;
  b->inner = formula_child(fs, path, 0);
  b->wanted = exists;
}

static int check_class(const struct branching_formula *b, const struct temporal_source *source, struct err *e) {
  if (formula_is(b->formulas, b->formula, CLASS_CTL | CLASS_STATE)) return 0;
  err_input(e, (struct place_in_text){.file = source->what, .line = source->line ? source->line : 1, .column = source->column ? source->column : 1},
            "this is no CTL: every temporal operator needs an A or E right before it");
  err_excerpt(e, source->text, strlen(source->text), 0);
  if (formula_is(b->formulas, b->formula, CLASS_LTL)) err_hint(e, "--ltl takes formulas without A and E");
  return -1;
}

int branching_open(struct branching_formula **out, const struct temporal_source *source, const struct model *model, struct mem *mem, struct err *e) {
  struct branching_formula *b = *out = mem_alloc(mem, MEM_OTHER, sizeof *b);
  if (!b) return err_memory(e, "a property");
  b->mem = mem;
  atoms_open(&b->names, mem);
  b->text = mem_strndup(mem, MEM_OTHER, source->text, strlen(source->text));
  int bad = b->text ? formulas_open(&b->formulas, mem, e) : err_memory(e, "a property");
  struct reading r = {b, source, model};
  struct formula_reader reader = {.what = source->what,
                                  .line = source->line,
                                  .column = source->column,
                                  .grouping = source->grouping,
                                  .branching = 1,
                                  .atom = read_atom,
                                  .context = &r};
  if (!bad) bad = formula_parse(b->formulas, &b->formula, source->text, &reader, e) || check_class(b, source, e);
  if (!bad) {
    find_shape(b);
    return 0;
  }
  branching_close(b);
  *out = NULL;
  return -1;
}

void branching_close(struct branching_formula *b) {
  if (!b) return;
  struct mem *mem = b->mem;
  for (uint32_t i = 0; i < FORMULA_ATOMS; i++) expr_close(b->expr[i]);
  formulas_close(b->formulas);
  atoms_close(&b->names);
  mem_free(mem, b->text);
  mem_free(mem, b);
}

int branching_needs_cursor(const struct branching_formula *b) {
  for (uint32_t i = 0; i < b->names.count; i++)
    if (expr_needs_cursor(b->expr[i])) return 1;
  return 0;
}

/* ---- states ---------------------------------------------------------------------------------------------------------------- */

struct state { /* by the engine, or with values by the definition */
  struct model_cursor *cursor;
  const uint32_t *words;
  const struct model *model;
  const int64_t *values;
};

/* The height of a formula is bounded by FORMULA_DEPTH. */
static int truth(const struct branching_formula *b, formula f, const struct state *s) {
  const struct formulas *fs = b->formulas;
  enum formula_kind kind = formula_kind(fs, f);
  uint32_t n = formula_children(fs, f);
  switch (kind) {
  case F_TRUE: return 1;
  case F_ATOM: {
    const struct expr *x = b->expr[formula_atom_index(fs, f)];
    return s->values ? expr_define(x, s->model, s->values) != 0 : expr_true(x, s->cursor, s->words) != 0;
  }
  case F_NOT: return !truth(b, formula_child(fs, f, 0), s);
  case F_AND:
  case F_OR:
    for (uint32_t i = 0; i < n; i++)
      if (truth(b, formula_child(fs, f, i), s) == (kind == F_OR)) return kind == F_OR;
    return kind == F_AND;
  case F_IMPLIES: return !truth(b, formula_child(fs, f, 0), s) || truth(b, formula_child(fs, f, 1), s);
  case F_IFF: return truth(b, formula_child(fs, f, 0), s) == truth(b, formula_child(fs, f, 1), s);
  default: return 0;
  }
}

int branching_decided(const struct branching_formula *b, struct model_cursor *c, const uint32_t *state) {
  struct state s = {.cursor = c, .words = state};
  return truth(b, b->inner, &s) == b->wanted;
}

int branching_define(const struct branching_formula *b, const struct model *m, const int64_t *values) {
  struct state s = {.model = m, .values = values};
  return truth(b, b->inner, &s) == b->wanted;
}
