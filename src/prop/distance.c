/* distance.c -- see distance.h.
 *
 * The model knows most of it (model.h: distances); what is here is which property asks what, and which list it belongs to. */
#include "prop/distance.h"

#include "model/expr_distance.h"
#include "prop/prop.h"

enum list { LIST_STUCK, LIST_CLAIMS, LIST_STATES, LIST_NONE };

struct of_props {
  struct distance base;
  struct mem *mem;
  const struct model *model;
  struct model_cursor *cursor;
  const struct prop *prop;
  size_t count;
  struct expr_distance **expr; /* by property, NULL = it has no expression */
  uint8_t *list;               /* by property: its list; LIST_NONE = it is in none */
  struct model_batch batch;    /* to count successors, where the model does not tell more */
};

void distance_close(struct distance *d) {
  if (d) d->close(d);
}

/* ---- of properties ---------------------------------------------------------------------------------------------------- */

/* As many as there are things that can happen. */
static uint32_t by_successors(struct of_props *p, const uint32_t *state) {
  if (p->base.bound) return 1;
  if (p->batch.stride != model_stride(p->model->words) && model_batch_restride(&p->batch, p->model->words)) return 1;
  p->batch.count = p->batch.fault_count = 0;
  if (p->model->type->successors(p->cursor, state, &p->batch) != MODEL_OK) return 1; /* another time */
  return (uint32_t)p->batch.count;
}

static uint32_t of_one(struct of_props *p, size_t i, const uint32_t *state) {
  const struct prop *prop = &p->prop[i];
  const struct model_type *type = p->model->type;
  int bound = p->base.bound;
  if (p->expr[i]) return expr_distance(p->expr[i], p->cursor, state, prop->kind == PROP_REACHABLE, bound);
  if (prop->kind == PROP_DEADLOCK) return type->stuck_distance ? type->stuck_distance(p->cursor, state, bound) : by_successors(p, state);
  if (prop_wants_faults(prop) && type->claim_distance) return type->claim_distance(p->cursor, state, prop->claim, bound);
  return 1;
}

static void of_props(struct distance *base, const uint32_t *state, uint32_t *out) {
  struct of_props *p = (struct of_props *)base;
  for (size_t k = 0; k < base->lists; k++) out[k] = DISTANCE_FAR;
  for (size_t i = 0; i < p->count; i++)
    if (p->list[i] != LIST_NONE) out[p->list[i]] = model_either(out[p->list[i]], of_one(p, i, state));
}

static enum list list_of(const struct prop *p) {
  if (prop_of_runs(p) || prop_of_graph(p)) return LIST_NONE;
  switch (p->kind) {
  case PROP_DEADLOCK: return LIST_STUCK;
  case PROP_ASSERT: return LIST_CLAIMS;
  case PROP_INVARIANT:
  case PROP_REACHABLE: return LIST_STATES;
  default: return LIST_NONE;
  }
}

/* Which lists there are: those of kinds that are asked for and, as far as can be told in the first state, possible at all. Run-time errors and what
   else there may be are met on the way, or, if nothing else is wanted, are all that is looked for. */
static void make_lists(struct of_props *p, const uint32_t *first) {
  uint8_t number[LIST_NONE + 1];
  size_t lists = 0;
  for (int k = 0; k < LIST_NONE; k++) {
    int any = 0;
    for (size_t i = 0; i < p->count && !any; i++) any = (int)list_of(&p->prop[i]) == k && of_one(p, i, first) != DISTANCE_FAR;
    number[k] = any ? (uint8_t)lists++ : LIST_NONE;
  }
  number[LIST_NONE] = LIST_NONE;
  for (size_t i = 0; i < p->count; i++) p->list[i] = lists ? number[list_of(&p->prop[i])] : prop_of_runs(&p->prop[i]) || prop_of_graph(&p->prop[i]) ? LIST_NONE : 0;
  p->base.lists = lists ? lists : 1;
}

static void close_props(struct distance *base) {
  struct of_props *p = (struct of_props *)base;
  for (size_t i = 0; p->expr && i < p->count; i++) expr_distance_close(p->expr[i]);
  if (p->cursor) p->model->type->cursor_close(p->cursor);
  if (p->batch.mem) model_batch_close(&p->batch);
  mem_free(p->mem, p->expr);
  mem_free(p->mem, p->list);
  mem_free(p->mem, p);
}

int distance_open(struct distance **out, enum distance_kind kind, const struct model *m, const struct prop *prop, size_t count, struct mem *mem, struct err *e) {
  struct of_props *p = mem_alloc(mem, MEM_SEARCH, sizeof *p);
  if (!p) return err_memory(e, "a distance");
  *p = (struct of_props){.base = {.lists = 1, .bound = kind == DISTANCE_BOUND, .value = of_props, .close = close_props}, .mem = mem, .model = m, .prop = prop, .count = count};
  p->expr = mem_alloc(mem, MEM_SEARCH, (count + 1) * sizeof *p->expr);
  p->list = mem_alloc(mem, MEM_SEARCH, count + 1);
  uint32_t *first = mem_alloc(mem, MEM_SEARCH, (model_stride(m->words) + 4) * sizeof *first);
  int bad = !p->expr || !p->list || !first || m->type->cursor_open(&p->cursor, m, mem) || model_batch_open(&p->batch, mem, m->words, 16) ? err_memory(e, "a distance") : 0;
  for (size_t i = 0; i < count && !bad; i++)
    if (prop[i].expr) bad = expr_distance_open(&p->expr[i], prop[i].expr, m, mem, e);
  for (size_t i = 0; i < count && !bad; i++) p->list[i] = prop_of_runs(&prop[i]) || prop_of_graph(&prop[i]) ? LIST_NONE : 0;
  if (!bad && kind == DISTANCE_GUESS) {
    m->type->initial(m, first);
    make_lists(p, first);
  }
  mem_free(mem, first);
  *out = bad ? NULL : &p->base;
  if (bad) close_props(&p->base);
  return bad;
}

/* ---- of the user's choice --------------------------------------------------------------------------------------------- */

struct of_expr {
  struct distance base;
  struct mem *mem;
  const struct model *model;
  const struct expr *expr;
  struct model_cursor *cursor;
};

static void of_expr(struct distance *base, const uint32_t *state, uint32_t *out) {
  const struct of_expr *d = (const struct of_expr *)base;
  int64_t value = expr_value(d->expr, d->cursor, state);
  *out = value < 0 ? 0 : value >= (int64_t)DISTANCE_FAR ? DISTANCE_FAR - 1 : (uint32_t)value;
}

static void close_expr(struct distance *base) {
  struct of_expr *d = (struct of_expr *)base;
  if (d->cursor) d->model->type->cursor_close(d->cursor);
  mem_free(d->mem, d);
}

int distance_open_expr(struct distance **out, const struct expr *expr, const struct model *m, struct mem *mem, struct err *e) {
  struct of_expr *d = mem_alloc(mem, MEM_SEARCH, sizeof *d);
  if (!d) return err_memory(e, "a distance");
  *d = (struct of_expr){.base = {.lists = 1, .value = of_expr, .close = close_expr}, .mem = mem, .model = m, .expr = expr};
  *out = &d->base;
  if (m->type->cursor_open(&d->cursor, m, mem) == 0) return 0;
  close_expr(&d->base);
  *out = NULL;
  return err_memory(e, "a distance");
}
