/* progress.c -- see progress.h: the measure that somebody wrote down. */
#include "search/progress.h"

#include <stdio.h>

struct by_expr {
  struct progress base;
  const struct expr *expr;
  struct mem *mem;
};

static int64_t value(const struct progress *p, struct model_cursor *c, const uint32_t *state) {
  return expr_value(((const struct by_expr *)p)->expr, c, state);
}

static void close_expr(struct progress *p) { mem_free(((struct by_expr *)p)->mem, p); }

static const struct progress_type expr_type = {value, close_expr};

int progress_by_expr(struct progress **out, const struct expr *e, struct mem *mem, struct err *err) {
  struct by_expr *p = mem_alloc(mem, MEM_SEARCH, sizeof *p);
  if (!p) return err_memory(err, "the progress measure");
  p->base.type = &expr_type;
  p->expr = e;
  p->mem = mem;
  snprintf(p->base.text, sizeof p->base.text, "%s", expr_text(e));
  *out = &p->base;
  return 0;
}

void progress_close(struct progress *p) {
  if (p) p->type->close(p);
}
