/* condition.c -- see condition.h.
 *
 * A condition is an expression as a guard outside of all processes would have it: globals, P.state, P->x, P->x[i].  Temporal formulas have another use for
 * the arrow, so that in a condition P.x is P->x, too, unless P has a state of that name.  It is read with the symbols of the model, after the model; its text takes the
 * place of the model's, so that errors show it. */
#include "front/dve/condition.h"

#include "front/dve/parse.h"

void dve_forget(struct dve_reader *r) {
  struct mem *mem = r->d.mem;
  dve_lowering_free(&r->l);
  dve_syntax_free(&r->d);
  mem_free(mem, r);
}

static void forget(void *context) { dve_forget(context); }

static int parse(struct dve_reader *r, const struct dve_expr **out) {
  struct dve_parser p = {.d = &r->d, .condition = 1};
  dve_lexer_open(&p.lexer, r->d.text, r->d.length);
  dve_step(&p);
  dve_step(&p);
  *out = dve_expression(&p);
  if (*out && p.now.word != DVE_END) {
    dve_expected(&p, "the end of the condition");
    if (dve_is(&p, '=')) dve_hint(&r->d, "comparison is written: ==");
  }
  return r->d.errors.count || r->d.starved || !*out ? -1 : 0;
}

static int read(void *context, const char *text, size_t length, const char *what, ir_expr *out, struct err *e) {
  static const struct dve_view outside = {.process = -1, .own_state = -1};
  struct dve_reader *r = context;
  const struct dve_expr *expr = NULL;
  r->setup.file = what;
  r->d.err = e;
  r->d.text = (char *)(uintptr_t)text; /* read only */
  r->d.length = length;
  r->d.errors.count = 0;
  r->d.starved = 0;
  *out = parse(r, &expr) ? 0 : dve_lower_expr(&r->l, &outside, expr);
  int status = dve_errors_tell(&r->d);
  r->d.text = NULL;
  r->d.length = 0;
  if (!status && !*out) status = err_memory(e, "a condition");
  return status;
}

void dve_keep(struct dve_reader *r) {
  mem_free(r->d.mem, r->d.text); /* what is shown of it was copied */
  r->d.text = NULL;
  r->d.length = 0;
  r->setup.error = NULL;
  r->setup.warn = NULL;
  r->setup.defines = r->setup.markings = NULL;
  r->setup.define_count = r->setup.marking_count = 0;
  r->l.conditions = 1;
  r->l.program->reader = (struct program_reader){r, read, forget};
}
