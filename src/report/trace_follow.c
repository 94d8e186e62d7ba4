/* trace_follow.c -- see trace_follow.h.
 *
 * A file names what makes each step, and has its index among the successors as a hint: several steps may have one name. */
#include "report/trace_follow.h"

#include "report/report.h"

#include <string.h>

int64_t trace_named(const struct stepper *s, const char *name, uint32_t guess, int *more) {
  const struct model *model = s->model;
  const struct model_batch *b = &s->batch;
  int64_t found = -1;
  *more = 0;
  if (guess < b->count && strcmp(model->type->group_name(model, b->group[guess]), name) == 0) return guess;
  for (size_t k = 0; k < b->count; k++) {
    if (strcmp(model->type->group_name(model, b->group[k]), name) != 0) continue;
    if (found >= 0) *more = 1;
    else found = (int64_t)k;
  }
  return found;
}

int trace_follow(const struct trace_view *view, size_t i, struct stepper *s, const char *name, uint32_t *k, struct err *e) {
  const char *text = view->step(view->context, view->trace, i);
  char shown[80];
  int several;
  if (stepper_expand(s, e)) return -1;
  int64_t found = trace_named(s, text, view->trace->edge[i], &several);
  if (found < 0)
    return err_input(e, (struct place_in_text){name, 0, 0}, "step %zu: '%s' is not enabled in the model", i + 1, report_name(shown, sizeof shown, text));
  *k = (uint32_t)found;
  return 0;
}

/* Numbers that mean something to one run of the model alone are compared by what they stand for. */
static int same_value(const struct stepper *s, uint32_t var, const struct trace_change *c) {
  if (!s->model->type->vars_are_no_numbers || !c->words) return stepper_value(s, var) == c->to;
  struct model_var d;
  s->model->type->describe(s->model, s->state, var, &d);
  return strcmp(d.text, c->words->to) == 0;
}

int trace_agrees(const struct trace_view *view, size_t i, const struct stepper *s, const char *name, struct err *e) {
  const struct model *model = s->model;
  const struct trace *t = view->trace;
  char shown[80];
  for (size_t c = t->change_start[i]; c < t->change_start[i + 1]; c++) {
    const char *var = t->change[c].words ? t->change[c].words->name : view->var(view->context, t->change[c].var);
    int64_t v = model->type->find_var(model, var, strlen(var));
    if (v >= 0 && same_value(s, (uint32_t)v, &t->change[c])) continue;
    return err_input(e, (struct place_in_text){name, 0, 0}, "step %zu: the model has another value for '%s' than the trace", i + 1, report_name(shown, sizeof shown, var));
  }
  return 0;
}
