/* follow.c -- a trace (doc/formats/trace.md) is followed from the initial state by the definition: each step must be one that is possible, called what the trace calls it, and change what the trace says that it changes; then the
 * end is judged.  Of a run with a loop the last state must be the one at which the loop begins.  A formula of linear time is true of the run or not by the meaning of its operators (prop/formula_lasso.c): there are no automata here. */
#include "audit/audit.h"
#include "prop/temporal.h"

#include <jansson.h>

struct walk {
  struct audit *a;
  const struct claim *claim;
  json_t *step; /* that is sought among the successors; NULL = they are only counted */
  size_t seen;              /* successors so far */
  int found, broken, loose; /* the step; it breaks the claim; something without a step does */
  struct formulas *formulas; /* NULL: the claim is about states */
  formula formula;
  struct atoms atoms;
  struct expr *expr[FORMULA_ATOMS]; /* NULL: np_, accept_ */
  uint64_t *letter;                 /* of each state: bit i for atom i */
};

static int64_t number_of(json_t *object, const char *key) { return json_integer_value(json_object_get(object, key)); }

/* Every change that names a variable which the model knows by that name is as the values say. */
static int changes_are(struct walk *w, const int64_t *before, const int64_t *after) {
  const struct model *m = w->a->model;
  json_t *change;
  size_t i;
  json_array_foreach(json_object_get(w->step, "changes"), i, change) {
    const char *name = json_string_value(json_object_get(change, "name"));
    int64_t v = name && !m->type->vars_are_no_numbers ? m->type->find_var(m, name, strlen(name)) : -1;
    if (v >= 0 && v < (int64_t)m->vars && (before[v] != number_of(change, "from") || after[v] != number_of(change, "to"))) return 0;
  }
  return 1;
}

static void hear(void *context, const struct model_defined *d) {
  struct walk *w = context;
  const struct model *m = w->a->model;
  const char *name = json_string_value(json_object_get(w->step, "transition"));
  size_t vars = d->vars, k = d->values ? w->seen++ : 0;
  if (!d->values) w->loose |= semantics_decides(w->a, w->claim, d, 0);
  if (!d->values || !name || w->found || !is(name, m->type->group_name(m, d->group)) || (m->type->define_all && (int64_t)k != number_of(w->step, "edge"))) return; /* it has the order of the trace */
  while (vars && !d->values[vars - 1]) vars--;
  if (vars > m->vars) return; /* more than the certificate says that there are */
  memset(w->a->next, 0, (size_t)m->vars * sizeof *d->values);
  memcpy(w->a->next, d->values, vars * sizeof *d->values);
  w->found = changes_are(w, w->a->values, w->a->next);
  w->broken = semantics_decides(w->a, w->claim, d, 0);
}

/* All successors of the state at hand, which is the i-th of the run; with `step`, on to the one that it describes. */
static int look(struct walk *w, size_t i, json_t *step) {
  const struct model *m = w->a->model;
  unsigned labels = m->type->define_labels ? m->type->define_labels(m, w->a->values) : 0;
  for (uint32_t atom = 0; atom < w->atoms.count; atom++) {
    int label = is(w->atoms.text[atom], "np_") ? !(labels & MODEL_PROGRESS) : (labels & MODEL_ACCEPT) != 0;
    w->letter[i] |= (uint64_t)(w->expr[atom] ? expr_define(w->expr[atom], m, w->a->values) != 0 : label) << atom;
  }
  w->step = step, w->seen = 0, w->found = w->loose = 0;
  if (semantics_steps(w->a, hear, w)) return -1;
  if (w->found) memcpy(w->a->values, w->a->next, (size_t)m->vars * sizeof *w->a->next);
  return 0;
}

/* The formula; a claim of the model is read from the model. */
static int read_formula(struct walk *w) {
  const struct claim *c = w->claim;
  struct audit *a = w->a;
  struct formula_reader reader = {.what = c->id, .atom = atoms_add, .context = &w->atoms, .grouping = c->number != MODEL_RUNTIME ? GROUP_PROMELA : GROUP_USUAL};
  struct model_claim own = {.formula = c->text};
  struct err e = {0};
  if (c->number != MODEL_RUNTIME) a->model->type->claim(a->model, c->number, &own);
  int bad = !own.formula || formulas_open(&w->formulas, &a->mem, &e) || formula_parse(w->formulas, &w->formula, own.formula, &reader, &e);
  for (uint32_t i = 0; i < w->atoms.count && !bad; i++)
    if (!is(w->atoms.text[i], "np_") && !is(w->atoms.text[i], "accept_")) bad = expr_parse(&w->expr[i], a->model, &a->mem, w->atoms.text[i], "the formula", &e);
  return bad ? audit_bad(a, "%s cannot be read: %s", c->id, e.message) : 0;
}

/* Does the run show what is claimed? 1, 0, -1. */
static int shows(struct walk *w, json_t *path, json_t *loop) {
  struct audit *a = w->a;
  size_t count = json_array_size(path), begin = json_is_integer(loop) ? (size_t)json_integer_value(loop) : SIZE_MAX, bytes = (size_t)a->model->vars * sizeof *a->values;
  if (!(w->letter = mem_alloc(&a->mem, MEM_OTHER, (count + 1) * sizeof *w->letter))) return audit_memory(a);
  if (is(w->claim->kind, "ltl") && read_formula(w)) return -1;
  a->model->type->define_initial(a->model, a->values);
  for (size_t i = 0; i < count; i++) {
    if (i == begin) memcpy(a->first, a->values, bytes);
    if (look(w, i, json_array_get(path, i))) return -1;
    if (!w->found) return audit_not(a, "%s: step %zu of its trace is not possible", w->claim->id, i + 1);
  }
  if (begin != SIZE_MAX && (begin >= count || memcmp(a->first, a->values, bytes) != 0)) return audit_not(a, "%s: the loop of its trace does not close", w->claim->id);
  int truth, broken = w->broken;
  if (look(w, count, NULL)) return -1;
  if (is(w->claim->kind, "assert") || is(w->claim->kind, "runtime")) return broken || w->loose;
  if (!w->formulas) return semantics_decides(a, w->claim, NULL, !w->seen);
  if (begin == SIZE_MAX && w->seen) truth = formula_on_beginning(w->formulas, w->formula, w->letter, count + 1, &a->mem); /* it goes on as it likes */
  else truth = formula_on_lasso(w->formulas, w->formula, w->letter, begin == SIZE_MAX ? count + 1 : count, begin == SIZE_MAX ? count : begin, &a->mem); /* where nothing can happen any more, the last state stays */
  return truth < 0 ? audit_memory(a) : !truth;
}

int follow_check(struct audit *a, struct claim *c) {
  struct walk w = {.a = a, .claim = c};
  json_t *trace = json_loadb((const char *)a->sealed.data.at, a->sealed.data.count, 0, NULL);
  atoms_open(&w.atoms, &a->mem);
  int shown = trace ? shows(&w, json_object_get(trace, "path"), json_object_get(trace, "loop")) : audit_bad(a, "the trace of %s is damaged", c->id);
  if (!shown) audit_not(a, "%s: its trace does not show it", c->id);
  c->confirmed = shown == 1;
  for (uint32_t i = 0; i < w.atoms.count; i++) expr_close(w.expr[i]);
  formulas_close(w.formulas), atoms_close(&w.atoms), json_decref(trace), mem_free(&a->mem, w.letter);
  return c->confirmed ? 0 : -1;
}
