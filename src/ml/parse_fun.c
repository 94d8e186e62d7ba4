/* parse_fun.c -- fun, with clauses, infix heads and and.
 *
 *   fun f p = e | f q = e'              f = fn p => e | q => e'
 *   fun f p1 p2 = e                     f = fn p1 => fn p2 => e
 *   fun f p1 p2 = e | f q1 q2 = e'      f = fn 1 => fn 2 => case (1, 2) of (p1, p2) => e | (q1, q2) => e'
 *
 * with names 1 and 2 that nobody can write.  A head is f p1 p2, or p1 ++ p2, or (p1 ++ p2) p3 where ++ is infix. */
#include "ml/parse.h"

#include <stdio.h>
#include <string.h>

struct clause {
  const char *name;
  struct ml_token at;
  uint32_t arguments;
  struct ml_pattern **argument;
  struct ml_expr *body;
};

static struct ml_pattern *pair(struct parser *p, struct ml_pattern *a, struct ml_pattern *b) {
  struct ml_token at = {.place = a->place, .from = a->from};
  struct ml_pattern *t = mlp_pattern_node(p, ML_P_TUPLE, &at, 2);
  if (!t) return NULL;
  t->part[0] = a;
  t->part[1] = b;
  return mlp_pattern_close(p, t) ? NULL : t;
}

static int head(struct parser *p, struct clause *c) {
  size_t base = p->list.count;
  int op = p->token.kind == ML_T_OP;
  c->at = p->token;
  struct ml_pattern *first = mlp_pattern_atom(p), *argument = NULL;
  if (!first) return -1;
  if (!op && p->token.kind == ML_T_NAME && mlp_infix(p, p->token.name) >= 0 && !mlp_is_name(p, "=")) { /* p1 ++ p2 */
    c->name = p->token.name;
    struct ml_pattern *second = mlp_next(p) ? NULL : mlp_pattern_atom(p);
    if (!second || !(argument = pair(p, first, second))) return -1;
  } else if (first->kind == ML_P_VAR && !first->written) c->name = first->name;
  else if (first->kind == ML_P_CONSTRUCTOR && first->parts == 1 && mlp_infix(p, first->name) >= 0) { /* (p1 ++ p2) p3 */
    c->name = first->name;
    argument = first->part[0];
  } else return mlp_refuse(p, &c->at, "expected the name of a function");
  if (argument && mlp_collect(p, argument)) return -1;
  while (mlp_starts_pattern_atom(p)) {
    if (!(argument = mlp_pattern_atom(p)) || mlp_collect(p, argument)) return -1;
  }
  c->argument = mlp_collected(p, base, &c->arguments);
  if (!c->argument) return -1;
  return c->arguments ? 0 : mlp_fault(p, "the argument of the function");
}

static int clause(struct parser *p, struct clause *c) {
  const struct ml_written *type = NULL;
  if (head(p, c)) return -1;
  if (p->token.kind == ML_T_COLON && (mlp_next(p) || !(type = mlp_type(p)))) return -1;
  if (!mlp_is_name(p, "=")) return mlp_fault(p, "'='");
  if (mlp_next(p) || !(c->body = mlp_expression(p))) return -1;
  if (!type) return 0;
  struct ml_token at = {.place = c->body->place, .from = c->body->from, .to = c->body->to};
  struct ml_expr *typed = mlp_node(p, ML_SEQUENCE, &at, 1);
  if (!typed) return -1;
  typed->part[0] = c->body;
  typed->written = type;
  c->body = typed;
  return mlp_close(p, typed);
}

static struct ml_expr *function(struct parser *p, const struct ml_token *at, struct ml_pattern *argument, struct ml_expr *body) {
  struct ml_expr *f = mlp_node(p, ML_FN, at, 0);
  if (!f || !(f->rule = mlp_alloc(p, sizeof *f->rule))) return NULL;
  f->rules = 1;
  f->rule[0] = (struct ml_rule){argument, body};
  f->to = body->to;
  return mlp_close(p, f) ? NULL : f;
}

static const char *argument_name(struct parser *p, uint32_t number) {
  char name[16];
  int length = snprintf(name, sizeof name, " %u", number + 1);
  return mlp_kept(p, name, (size_t)length);
}

/* Several clauses of several arguments: a case over all of them. */
static struct ml_expr *by_case(struct parser *p, struct clause **all, uint32_t count) {
  const struct ml_token *at = &all[0]->at;
  uint32_t arguments = all[0]->arguments;
  struct ml_expr *e = mlp_node(p, ML_CASE, at, 1), *tuple = mlp_node(p, ML_TUPLE, at, arguments);
  if (!e || !tuple || !(e->rule = mlp_alloc(p, count * sizeof *e->rule))) return NULL;
  e->rules = count;
  for (uint32_t i = 0; i < count; i++) {
    struct ml_pattern *all_of = mlp_pattern_node(p, ML_P_TUPLE, &all[i]->at, arguments);
    if (!all_of) return NULL;
    memcpy(all_of->part, all[i]->argument, arguments * sizeof *all_of->part);
    if (mlp_pattern_close(p, all_of)) return NULL;
    e->rule[i] = (struct ml_rule){all_of, all[i]->body};
  }
  for (uint32_t i = 0; i < arguments; i++) {
    const char *name = argument_name(p, i);
    if (!name || !(tuple->part[i] = mlp_named(p, name, at))) return NULL;
  }
  e->part[0] = tuple;
  if (mlp_close(p, tuple) || mlp_close(p, e)) return NULL;
  for (uint32_t i = arguments; e && i--;) {
    struct ml_pattern *v = mlp_pattern_node(p, ML_P_VAR, at, 0);
    if (!v) return NULL;
    v->name = argument_name(p, i);
    e = function(p, at, v, e);
  }
  return e;
}

static struct ml_expr *joined(struct parser *p, struct clause **all, uint32_t count) {
  const struct clause *first = all[0];
  if (first->arguments > 1 && count > 1) return by_case(p, all, count);
  if (count == 1) {
    struct ml_expr *e = first->body;
    for (uint32_t i = first->arguments; e && i--;) e = function(p, &first->at, first->argument[i], e);
    return e;
  }
  struct ml_expr *f = mlp_node(p, ML_FN, &first->at, 0);
  if (!f || !(f->rule = mlp_alloc(p, count * sizeof *f->rule))) return NULL;
  f->rules = count;
  for (uint32_t i = 0; i < count; i++) f->rule[i] = (struct ml_rule){all[i]->argument[0], all[i]->body};
  return mlp_close(p, f) ? NULL : f;
}

static int one(struct parser *p, struct ml_local **local, struct ml_expr **body) {
  size_t base = p->list.count;
  const struct clause *first = NULL;
  if (p->token.kind == ML_T_BAR && mlp_next(p)) return -1;
  for (;;) {
    struct clause *c = mlp_alloc(p, sizeof *c);
    if (!c || clause(p, c) || mlp_collect(p, c)) return -1;
    if (!first) first = c;
    if (c->name != first->name)
      return ml_fault(p->err, p->lexer.source, c->at.place, c->at.from, "the clauses of one function have two names: %s and %s",
                      first->name, c->name);
    if (c->arguments != first->arguments)
      return ml_fault(p->err, p->lexer.source, c->at.place, c->at.from, "%s has %u arguments here and %u before", c->name,
                      c->arguments, first->arguments);
    if (p->token.kind != ML_T_BAR) break;
    if (mlp_next(p)) return -1;
  }
  uint32_t count;
  struct clause **all = mlp_collected(p, base, &count);
  *local = mlp_alloc(p, sizeof **local);
  if (!all || !*local || !(*body = joined(p, all, count))) return -1;
  (*local)->name = first->name;
  return 0;
}

int mlp_functions_collected(struct parser *p, size_t base, struct ml_declaration *out) {
  uint32_t both;
  void **pairs = mlp_collected(p, base, &both);
  out->kind = ML_D_FUN;
  out->functions = both / 2;
  out->function = mlp_alloc(p, out->functions * sizeof *out->function);
  out->function_body = mlp_alloc(p, out->functions * sizeof *out->function_body);
  if (!pairs || !out->function || !out->function_body) return -1;
  for (uint32_t i = 0; i < out->functions; i++) out->function[i] = pairs[2 * i], out->function_body[i] = pairs[2 * i + 1];
  return 0;
}

int mlp_functions(struct parser *p, struct ml_declaration *out) {
  size_t base = p->list.count;
  for (;;) {
    struct ml_local *local = NULL;
    struct ml_expr *body = NULL;
    if (one(p, &local, &body) || mlp_collect(p, local) || mlp_collect(p, body)) return -1;
    if (p->token.kind != ML_T_AND) break;
    if (mlp_next(p)) return -1;
  }
  return mlp_functions_collected(p, base, out);
}
