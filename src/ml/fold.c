/* fold.c -- what depends on nothing is evaluated once, when it is compiled.
 *
 * An expression is closed if it speaks of no variable of the net, of no local from outside itself, of no reference and not of the
 * time. It is then compiled by itself and run, with few steps; whatever goes wrong (an exception, too many steps) means that it
 * stays as it is and goes wrong, or not, when its turn comes.  Functions are left alone: they are constants anyway if they
 * capture nothing. */
#include "ml/unit.h"

#include "ml/machine.h"

/* Whether values of this type may hold functions or cells, as far as a short look tells. */
static int holds_functions(struct ml_type *type, unsigned *looks) {
  if ((*looks)-- == 0) return 1;
  type = ml_type_find(type);
  if (type->kind == ML_TYPE_ARROW || type->kind == ML_TYPE_REF) return 1;
  if (type->kind == ML_TYPE_DATA && type->data->holds_cells) return 1;
  for (uint32_t i = 0; i < type->parts; i++)
    if (holds_functions(type->part[i], looks)) return 1;
  return 0;
}

int ml_holds_functions(struct ml_type *type) {
  unsigned looks = 200;
  return holds_functions(type, &looks);
}

static int closed_library(uint32_t number) {
  if (ml_is_random(number)) return 0;
  switch (number) {
  case ML_LIB_TIME:
  case ML_LIB_REAL_TIME:
  case ML_LIB_REF:
  case ML_LIB_DEREFERENCE:
  case ML_LIB_ASSIGN:
  case ML_LIB_ARRAY_MAKE:
  case ML_LIB_ARRAY_FROM_LIST:
  case ML_LIB_ARRAY_SUB:
  case ML_LIB_ARRAY_UPDATE:
  case ML_LIB_ARRAY_VECTOR: return 0;
  default: return 1;
  }
}

/* As long as it is not known which references change, all that are read may. */
static int reads_what_changes(const struct ml_unit *u, const struct ml_global *g) {
  if (!g->uses.known) return g->reads;
  return ((g->uses.reads | g->uses.mentions | g->uses.changes) & u->back->ml->changing) != 0;
}

static int closed_global(const struct ml_unit *u, const struct ml_global *g) {
  if (g->reference || g->moves || reads_what_changes(u, g) || g->number >= u->back->globals.count) return 0;
  ml_value v = u->back->globals.at[g->number];
  if (v == 0) return 0;
  if (ml_is_int(v) || ml_block(v)->tag != ML_BLOCK_CLOSURE) return 1;
  return ml_closure_function(ml_block(v))->ready;
}

static int closed_below(const struct ml_unit *u, const struct ml_expr *e) {
  switch (e->kind) {
  case ML_COLOURED:
  case ML_DELAY: return 0;
  case ML_LOCAL: return !ml_unit_visible(u, e->local->number);
  case ML_GLOBAL: return closed_global(u, e->global);
  case ML_LIBRARY: return closed_library(e->library);
  default: break;
  }
  for (uint32_t i = 0; i < e->parts; i++)
    if (!closed_below(u, e->part[i])) return 0;
  for (uint32_t i = 0; i < e->rules; i++)
    if (!closed_below(u, e->rule[i].body)) return 0;
  for (uint32_t i = 0; i < e->declarations; i++) {
    const struct ml_declaration *d = &e->declaration[i];
    if (d->kind == ML_D_VAL && !closed_below(u, d->body)) return 0;
    if (d->kind != ML_D_FUN) continue;
    for (uint32_t k = 0; k < d->functions; k++)
      if (!closed_below(u, d->function_body[k])) return 0;
  }
  return 1;
}

int ml_closed(const struct ml_unit *u, const struct ml_expr *e) {
  switch (e->kind) {
  case ML_TUPLE:
  case ML_RECORD:
  case ML_LIST:
    if (e->parts == 0) return 0; /* small already */
    break;
  case ML_SELECT:
  case ML_APPLY:
  case ML_CASE:
  case ML_HANDLE:
  case ML_IF:
  case ML_AND:
  case ML_OR:
  case ML_LET:
  case ML_SEQUENCE:
  case ML_COEFFICIENT:
  case ML_AT: break;
  default: return 0;
  }
  return !ml_holds_functions(e->type) && closed_below(u, e);
}

ml_value ml_fold(struct ml_unit *u, const struct ml_expr *e) {
  struct ml_back *back = u->back;
  struct ml_machine *m = back->machine;
  if (!m) return 0;
  struct ml_function *f = arena_alloc(&back->arena, sizeof *f);
  struct ml_unit inner;
  struct err err;
  ml_value v = 0;
  if (!f) return 0;
  err_clear(&err);
  ml_unit_open(&inner, back, NULL, f, &err);
  inner.fold = 0;
  ml_compile_into(&inner, e, ml_unit_register(&inner), 1);
  if (ml_unit_close(&inner)) return 0;
  uint64_t limit = m->limit;
  m->limit = ML_FOLD_STEPS;
  m->variable = NULL;
  m->now = 0;
  if (ml_execute(m, f, &v) == ML_OK) v = ml_value_copy(back->heap, v);
  else v = 0;
  m->limit = limit;
  ml_machine_clear(m);
  return v;
}
