/* parse_declare.c -- declarations: val, var, globref, exception, type, datatype, infix, local, open.
 *
 * fun is in parse_fun.c, colset in parse_colset.c.  val a = 1 and b = 2 is val (a, b) = (1, 2), which means the same.  What CPN
 * Tools accepts and we do not -- structures, signatures, abstract types, other files -- is refused by name. */
#include "ml/parse.h"

#include <string.h>

int mlp_starts_own(const struct parser *p) {
  return mlp_is_name(p, "colset") || mlp_is_name(p, "color") || mlp_is_name(p, "var") || mlp_is_name(p, "globref");
}

static int statement(struct parser *p, struct ml_declaration *out, enum ml_statement_kind kind, struct ml_statement **made) {
  struct ml_statement *s = *made = mlp_alloc(p, sizeof *s);
  if (!s) return -1;
  s->kind = kind;
  s->place = p->token.place;
  s->from = p->token.from;
  out->kind = kind == ML_S_EXCEPTION ? ML_D_EXCEPTION : ML_D_OTHER;
  out->statement = s;
  return 0;
}

static int equals(struct parser *p) { return mlp_is_name(p, "=") ? mlp_next(p) : mlp_fault(p, "'='"); }

/* 'a, or ('a, 'b), or nothing */
static int parameters(struct parser *p, const char ***out, uint32_t *count) {
  size_t base = p->list.count;
  if (p->token.kind == ML_T_TYVAR) {
    if (mlp_collect(p, (void *)(uintptr_t)p->token.name) || mlp_next(p)) return -1;
  } else if (mlp_is_sign(p, '(')) {
    do {
      if (mlp_next(p)) return -1;
      if (p->token.kind != ML_T_TYVAR) return mlp_fault(p, "a type variable");
      if (mlp_collect(p, (void *)(uintptr_t)p->token.name) || mlp_next(p)) return -1;
    } while (mlp_is_sign(p, ','));
    if (mlp_sign(p, ')', "the type variables")) return -1;
  }
  *out = mlp_collected(p, base, count);
  return *out ? 0 : -1;
}

static int skip_type_variables(struct parser *p) {
  const char **names;
  uint32_t count;
  /* fun 'a f ... and val 'a x ...: the variables need not be told; but val (x, y) = ... is a pattern */
  return p->token.kind == ML_T_TYVAR ? parameters(p, &names, &count) : 0;
}

static int val_rec(struct parser *p, struct ml_declaration *out) {
  size_t base = p->list.count;
  do {
    struct ml_token at;
    if (mlp_next(p)) return -1; /* rec, and */
    at = p->token;
    const char *name = mlp_name(p, "the name of a function");
    struct ml_local *local = name ? mlp_alloc(p, sizeof *local) : NULL;
    if (!local || equals(p)) return -1;
    if (p->token.kind != ML_T_FN) return mlp_fault(p, "'fn', as behind val rec");
    struct ml_expr *body = mlp_expression(p);
    if (!body) return -1;
    local->name = name;
    body->from = at.from;
    if (mlp_collect(p, local) || mlp_collect(p, body)) return -1;
  } while (p->token.kind == ML_T_AND);
  return mlp_functions_collected(p, base, out);
}

static int val(struct parser *p, struct ml_declaration *out) {
  if (mlp_next(p) || skip_type_variables(p)) return -1;
  if (p->token.kind == ML_T_REC) return val_rec(p, out);
  struct ml_token at = p->token;
  size_t base = p->list.count;
  for (;;) {
    struct ml_pattern *pattern = mlp_pattern(p);
    struct ml_expr *body = pattern && !equals(p) ? mlp_expression(p) : NULL;
    if (!body || mlp_collect(p, pattern) || mlp_collect(p, body)) return -1;
    if (p->token.kind != ML_T_AND) break;
    if (mlp_next(p)) return -1;
  }
  uint32_t both;
  void **pairs = mlp_collected(p, base, &both);
  if (!pairs) return -1;
  out->kind = ML_D_VAL;
  out->pattern = pairs[0];
  out->body = pairs[1];
  if (both == 2) return 0;
  out->pattern = mlp_pattern_node(p, ML_P_TUPLE, &at, both / 2);
  out->body = mlp_node(p, ML_TUPLE, &at, both / 2);
  if (!out->pattern || !out->body) return -1;
  for (uint32_t i = 0; i < both / 2; i++) out->pattern->part[i] = pairs[2 * i], out->body->part[i] = pairs[2 * i + 1];
  return mlp_pattern_close(p, out->pattern) || mlp_close(p, out->body) ? -1 : 0;
}

/* var x, y : COLSET */
static int var(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s;
  size_t base = p->list.count;
  if (statement(p, out, ML_S_VAR, &s)) return -1;
  do {
    if (mlp_next(p)) return -1;
    const char *name = mlp_name(p, "the name of a variable");
    if (!name || mlp_collect(p, (void *)(uintptr_t)name)) return -1;
  } while (mlp_is_sign(p, ','));
  if (!(s->part_name = mlp_collected(p, base, &s->parts)) || !(s->part_of = mlp_alloc(p, sizeof *s->part_of))) return -1;
  if (mlp_word(p, ML_T_COLON, "':' and a colour set")) return -1;
  return (s->part_of[0] = mlp_type(p)) ? 0 : -1;
}

static int globref(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s;
  if (statement(p, out, ML_S_GLOBREF, &s) || mlp_next(p)) return -1;
  if (!(s->name = mlp_name(p, "a name")) || equals(p) || !(s->body = mlp_expression(p))) return -1;
  return 0;
}

static int exception(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s, **also = NULL;
  struct ml_declaration ignored;
  if (statement(p, out, ML_S_EXCEPTION, &s)) return -1;
  for (;;) {
    if (mlp_next(p) || !(s->name = mlp_name(p, "the name of an exception"))) return -1;
    if (p->token.kind == ML_T_OF) {
      if (mlp_next(p) || !(s->part_of = mlp_alloc(p, sizeof *s->part_of)) || !(s->part_of[0] = mlp_type(p))) return -1;
      s->parts = 1;
    } else if (mlp_is_name(p, "=")) {
      if (mlp_next(p) || !(s->same = mlp_name(p, "the name of an exception"))) return -1;
    }
    if (p->token.kind != ML_T_AND) return 0;
    also = &s->also;
    if (statement(p, &ignored, ML_S_EXCEPTION, also)) return -1;
    s = *also;
  }
}

static int type(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s;
  struct ml_declaration *into = out, ignored;
  struct ml_statement *last = NULL;
  do {
    if (statement(p, into, ML_S_TYPE, &s) || mlp_next(p) || parameters(p, &s->parameter, &s->parameters)) return -1;
    if (last) last->also = s;
    last = s;
    into = &ignored;
    if (!(s->name = mlp_name(p, "the name of a type")) || equals(p)) return -1;
    if (!(s->part_of = mlp_alloc(p, sizeof *s->part_of)) || !(s->part_of[0] = mlp_type(p))) return -1;
    s->parts = 1;
  } while (p->token.kind == ML_T_AND);
  return 0;
}

static int datatype(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s, *last = NULL;
  struct ml_declaration *into = out, ignored;
  do {
    if (statement(p, into, ML_S_DATATYPE, &s) || mlp_next(p) || parameters(p, &s->parameter, &s->parameters)) return -1;
    if (last) last->also = s;
    last = s;
    into = &ignored;
    if (!(s->name = mlp_name(p, "the name of a datatype")) || equals(p)) return -1;
    if (p->token.kind == ML_T_DATATYPE)
      return mlp_refuse(p, &p->token, "a copy of a datatype is not understood: name the datatype itself");
    size_t base = p->list.count;
    for (;;) {
      const char *name = mlp_name(p, "a constructor");
      const struct ml_written *of = NULL;
      if (!name) return -1;
      if (p->token.kind == ML_T_OF && (mlp_next(p) || !(of = mlp_type(p)))) return -1;
      if (mlp_collect(p, (void *)(uintptr_t)name) || mlp_collect(p, (void *)(uintptr_t)of)) return -1;
      if (p->token.kind != ML_T_BAR) break;
      if (mlp_next(p)) return -1;
    }
    if (mlp_named_parts(p, base, s)) return -1;
  } while (p->token.kind == ML_T_AND);
  if (p->token.kind == ML_T_WITHTYPE) return mlp_refuse(p, &p->token, "withtype is not understood");
  return 0;
}

static int infix(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s;
  int right = p->token.kind == ML_T_INFIXR, rank = p->token.kind == ML_T_NONFIX ? -1 : 0;
  int nonfix = rank < 0, some = 0;
  if (statement(p, out, ML_S_NOTHING, &s) || mlp_next(p)) return -1;
  if (!nonfix && p->token.kind == ML_T_INT) {
    if (p->token.number < 0 || p->token.number > 9) return mlp_refuse(p, &p->token, "the rank of an operator is 0 to 9");
    rank = (int)p->token.number;
    if (mlp_next(p)) return -1;
  }
  for (; p->token.kind == ML_T_NAME && !mlp_starts_own(p); some = 1) {
    const char *name = p->token.name;
    if (ml_mean_infix(p->ml, name, rank, right)) return err_memory(p->err, "a text of CPN ML");
    if (mlp_next(p)) return -1;
  }
  return some ? 0 : mlp_fault(p, "an operator");
}

/* Everything of these is known by its long name; the short ones of List and String are known anyhow, as far as they do not hide
 * others. */
static int open(struct parser *p, struct ml_declaration *out) {
  static const char *const fine[] = {"List", "String", "Int", "General", "Option", "Bool", "Char", "ListPair", "Math"};
  struct ml_statement *s;
  size_t base = p->list.count;
  if (statement(p, out, ML_S_OPEN, &s) || mlp_next(p)) return -1;
  while (p->token.kind == ML_T_NAME && !mlp_starts_own(p)) {
    size_t i = 0;
    while (i < sizeof fine / sizeof *fine && strcmp(fine[i], p->token.name)) i++;
    if (i == sizeof fine / sizeof *fine) {
      char shown[64];
      return ml_fault(p->err, p->lexer.source, p->token.place, p->token.from, "the structure %s is not known",
                      ml_token_show(&p->lexer, &p->token, shown, sizeof shown));
    }
    if (mlp_collect(p, (void *)(uintptr_t)fine[i]) || mlp_next(p)) return -1;
  }
  if (!(s->part_name = mlp_collected(p, base, &s->parts))) return -1;
  return s->parts ? 0 : mlp_fault(p, "the name of a structure");
}

static int several(struct parser *p, int top, struct ml_declaration **out, uint32_t *count) {
  size_t base = p->list.count;
  for (;;) {
    while (mlp_is_sign(p, ';'))
      if (mlp_next(p)) return -1;
    struct ml_declaration *d = mlp_alloc(p, sizeof *d);
    int one = d ? mlp_declaration(p, d, top) : -1;
    if (one < 0 || (one && mlp_collect(p, d))) return -1;
    if (!one) break;
  }
  struct ml_declaration **all = mlp_collected(p, base, count);
  if (!all || !(*out = mlp_alloc(p, *count * sizeof **out))) return -1;
  for (uint32_t i = 0; i < *count; i++) (*out)[i] = *all[i];
  return 0;
}

static int local(struct parser *p, struct ml_declaration *out, int top) {
  struct ml_statement *s;
  size_t before = ml_scope_enter(p->ml);
  if (mlp_deeper(p) || statement(p, out, ML_S_LOCAL, &s) || mlp_next(p)) return -1;
  if (several(p, top, &s->inner, &s->inners) || mlp_word(p, ML_T_IN, "a declaration or 'in'")) return -1;
  size_t between = ml_scope_enter(p->ml);
  if (several(p, top, &s->outer, &s->outers) || mlp_word(p, ML_T_END_WORD, "a declaration or 'end'")) return -1;
  mlp_higher(p);
  return ml_scope_drop(p->ml, before, between) ? err_memory(p->err, "a text of CPN ML")
                                               : 0; /* infix of the inner ones ends here */
}

static int one(struct parser *p, struct ml_declaration *out, int top) {
  switch (p->token.kind) {
  case ML_T_VAL: return val(p, out);
  case ML_T_FUN: return mlp_next(p) || skip_type_variables(p) ? -1 : mlp_functions(p, out);
  case ML_T_EXCEPTION: return exception(p, out);
  case ML_T_TYPE: return type(p, out);
  case ML_T_DATATYPE: return datatype(p, out);
  case ML_T_INFIX:
  case ML_T_INFIXR:
  case ML_T_NONFIX: return infix(p, out);
  case ML_T_OPEN: return open(p, out);
  case ML_T_LOCAL: return local(p, out, top);
  case ML_T_ABSTYPE: return mlp_refuse(p, &p->token, "abstype is not understood: declare a datatype");
  case ML_T_STRUCTURE:
  case ML_T_SIGNATURE:
  case ML_T_FUNCTOR:
    return mlp_refuse(p, &p->token,
                      "structures, signatures and functors are not understood: declare the functions by themselves");
  default: break;
  }
  if (!top || !mlp_starts_own(p)) return 1;
  if (mlp_is_name(p, "var")) return var(p, out);
  if (mlp_is_name(p, "globref")) return globref(p, out);
  struct ml_statement *s;
  return statement(p, out, ML_S_COLSET, &s) || mlp_next(p) ? -1 : mlp_colset(p, s);
}

int mlp_declaration(struct parser *p, struct ml_declaration *out, int top) {
  out->place = p->token.place;
  if (top && mlp_is_name(p, "use"))
    return mlp_refuse(p, &p->token, "use stands on a line by itself, with the name of a file");
  int status = one(p, out, top);
  return status == 1 ? 0 : status < 0 ? -1 : 1;
}
