/* compile_fn.c -- functions: their shape, their closures, functions that call each other.
 *
 * `fn a => fn (b, c) => ...` is one function of two steps and three registers.  Matching waits until all arguments are there,
 * which nobody can tell from matching them one after the other, except that a partial application of a function that does not fit
 * is an error only once it is complete. */
#include "ml/unit.h"

#include <string.h>

ml_value ml_closure_bare(struct ml_back *back, const struct ml_function *f) {
  struct ml_block *b = ml_heap_block(back->heap, ML_BLOCK_CLOSURE, 2);
  if (!b) return 0;
  b->field[0] = (ml_value)(uintptr_t)f | 1;
  b->field[1] = ml_from_int(0);
  return ml_from_block(b);
}

static const struct ml_expr *inner_fn(const struct ml_expr *fn) {
  return fn->rules == 1 && fn->rule[0].body->kind == ML_FN ? fn->rule[0].body : NULL;
}

struct ml_function *ml_function_new(struct ml_unit *u, const char *name, const struct ml_expr *fn) {
  struct arena *arena = &u->back->arena;
  struct ml_function *f = arena_alloc(arena, sizeof *f);
  uint32_t steps = 0;
  for (const struct ml_expr *e = fn; e && steps < ML_WIDEST; e = inner_fn(e)) steps++;
  uint32_t *width = arena_alloc(arena, steps * sizeof *width);
  if (!f || !width) {
    ml_constant_or_fail(u, 0);
    return NULL;
  }
  f->name = name;
  f->steps = steps;
  f->width = width;
  for (uint32_t i = 0; i < steps; i++, fn = inner_fn(fn)) {
    width[i] = ml_rules_width(fn->rule, fn->rules);
    if (f->arguments + width[i] > ML_WIDEST) width[i] = 1;
    f->arguments += width[i];
  }
  return f;
}

void ml_function_fill(struct ml_unit *outer, struct ml_function *f, const struct ml_expr *fn, int named, uint32_t self,
                      struct ml_captures *captures) {
  struct ml_unit u;
  ml_unit_open(&u, outer->back, outer->function ? outer : NULL, f, outer->err);
  u.fold = outer->fold;
  u.has_self = named;
  u.self = self;
  uint16_t value[ML_WIDEST];
  ml_unit_registers(&u, f->arguments);
  uint32_t first = 0;
  ml_jumps fail = 0;
  for (uint32_t i = 0; i < f->steps && !u.failed; i++) {
    for (uint32_t k = 0; k < f->width[i]; k++) value[k] = (uint16_t)(first + k);
    first += f->width[i];
    if (i + 1 == f->steps)
      ml_compile_rules(&u, fn->rule, fn->rules, value, f->width[i], ml_unit_register(&u), 1, ML_EXN_MATCH, -1);
    else {
      const struct ml_pattern *p = fn->rule[0].pattern;
      if (f->width[i] == 1) ml_match(&u, p, value[0], &fail);
      else if (p->kind != ML_P_ANY)
        for (uint32_t k = 0; k < f->width[i]; k++) ml_match(&u, p->part[k], value[k], &fail);
      fn = inner_fn(fn);
    }
  }
  if (fail) {
    ml_jumps_here(&u, fail);
    ml_emit_index(&u, ML_OP_FAIL, 0, ML_EXN_MATCH);
  }
  *captures = u.captures;
  memset(&u.captures, 0, sizeof u.captures);
  f->captured = (uint32_t)captures->count;
  uint32_t captured = f->captured;
  if (ml_unit_close(&u)) outer->failed = 1;
  f->captured = captured;
  if (captured == 0 && !f->bare && !outer->failed) f->bare = ml_constant_or_fail(outer, ml_closure_bare(outer->back, f));
}

static void emit_closure(struct ml_unit *u, const struct ml_function *f, uint16_t into) {
  ml_emit_index(u, ML_OP_CLOSURE, into, ml_unit_function(u, f));
}

static void emit_captures(struct ml_unit *u, const struct ml_captures *captures, uint16_t closure) {
  for (size_t i = 0; i < captures->count && !u->failed; i++) {
    struct ml_where w = ml_unit_find(u, captures->at[i].number);
    uint32_t next = u->next;
    uint16_t from = (uint16_t)w.at;
    if (w.kind != ML_IN_REGISTER) {
      from = ml_unit_register(u);
      ml_compile_local(u, captures->at[i].number, from);
    }
    if (i > UINT16_MAX) ml_unit_limit(u, "a function uses more than 65536 variables of the functions around it");
    ml_emit(u, ML_OP_CAPTURE, closure, from, (uint32_t)i);
    u->next = next;
  }
}

void ml_compile_fn(struct ml_unit *u, const struct ml_expr *e, uint16_t into) {
  struct ml_function *f = ml_function_new(u, NULL, e);
  if (!f) return;
  struct ml_captures captures = {0};
  ml_function_fill(u, f, e, 0, 0, &captures);
  f->ready = 1;
  if (f->bare) ml_emit_constant(u, into, f->bare);
  else { /* `into` may not be seen by what is captured: it is free until then */ emit_closure(u, f, into);
    emit_captures(u, &captures, into);
  }
  vec_free(&captures, u->back->mem);
}

void ml_compile_functions(struct ml_unit *u, const struct ml_declaration *d) {
  struct mem *mem = u->back->mem;
  size_t first = u->bindings.count;
  struct ml_function **f = mem_alloc(mem, MEM_MODEL, d->functions * (sizeof *f + sizeof(struct ml_captures)));
  if (!f) {
    ml_constant_or_fail(u, 0);
    return;
  }
  struct ml_captures *captures = (struct ml_captures *)(f + d->functions);
  for (uint32_t i = 0; i < d->functions && !u->failed; i++) {
    f[i] = ml_function_new(u, d->function[i]->name, d->function_body[i]);
    ml_unit_bind(u, d->function[i]->number, ml_unit_register(u), f[i]);
  }
  for (uint32_t i = 0; i < d->functions && !u->failed; i++)
    ml_function_fill(u, f[i], d->function_body[i], 1, d->function[i]->number, &captures[i]);
  for (uint32_t i = 0; i < d->functions && !u->failed; i++) f[i]->ready = 1;
  for (uint32_t i = 0; i < d->functions && !u->failed; i++)
    if (!f[i]->bare) emit_closure(u, f[i], u->bindings.at[first + i].in);
  for (uint32_t i = 0; i < d->functions && !u->failed; i++)
    if (!f[i]->bare) emit_captures(u, &captures[i], u->bindings.at[first + i].in);
  for (uint32_t i = 0; i < d->functions; i++) vec_free(&captures[i], mem);
  mem_free(mem, f);
}
