/* replay_lasso.c -- see replay_lasso.h. */
#include "search/replay_lasso.h"

#include "search/replay.h"

#include <string.h>

/* What the atoms say of the state at hand, by the definition; labels are the engine's. */
static uint64_t letter_of(const struct temporal *t, struct replay *r) {
  const struct model *m = r->engine.model;
  uint64_t letter = 0;
  for (uint32_t i = 0; i < t->names.count; i++) {
    const struct product_atom *a = &t->atom[i];
    int truth = a->expr ? m->type->define_initial ? expr_define(a->expr, m, r->values) != 0 : expr_true(a->expr, r->engine.cursor, r->engine.state)
                        : ((m->type->labels && m->type->labels(m, r->engine.state) & a->label) != 0) != a->negated;
    letter |= (uint64_t)truth << i;
  }
  return letter;
}

static int keep_values(struct replay *r, int64_t **values, uint32_t *count, struct err *e) {
  *values = mem_alloc(r->engine.mem, MEM_OTHER, ((size_t)r->vars + 1) * sizeof **values);
  if (!*values) return err_memory(e, "replaying a trace");
  memcpy(*values, r->values, r->vars * sizeof **values);
  *count = r->vars;
  return 0;
}

/* Variables that the model got since were 0 then. */
static int same_values(const struct replay *r, const int64_t *values, uint32_t count) {
  for (uint32_t v = 0; v < r->vars; v++)
    if (r->values[v] != (v < count ? values[v] : 0)) return 0;
  return 1;
}

int replay_lasso(struct model *model, const struct lasso *l, const struct temporal *t, int finite, struct mem *mem, struct err *e) {
  struct replay r;
  size_t n = l->path.count;
  if (replay_open(&r, model, mem, n, e)) return -1;
  uint64_t *letter = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *letter);
  int64_t *begin = NULL;
  uint32_t vars = 0;
  int bad = letter ? 0 : err_memory(e, "replaying a trace");
  for (size_t i = 0; i <= n && !bad; i++) {
    letter[i] = letter_of(t, &r);
    if (i == l->loop && i < n) bad = keep_values(&r, &begin, &vars, e);
    if (!bad && i < n) bad = replay_step(&r, l->path.edge[i], l->path.group[i], e);
  }
  if (!bad) bad = replay_compare(&r, e);
  int ends = l->loop == n;
  if (!bad && ends && !finite && (stepper_expand(&r.engine, e) || r.engine.batch.count))
    bad = e->kind ? -1 : err_internal(e, "replay: a run that is to stay where it is could go on");
  if (!bad && !ends && !same_values(&r, begin, vars)) bad = err_internal(e, "replay: the loop of a counterexample does not close");
  int broken = bad ? 1 : temporal_broken(t, letter, ends ? n + 1 : n, ends ? n + 1 : l->loop);
  if (broken < 0) bad = err_memory(e, "replaying a trace");
  else if (!broken) bad = err_internal(e, "replay: the run satisfies %s", t->text);
  mem_free(mem, begin);
  mem_free(mem, letter);
  replay_close(&r);
  return bad;
}
