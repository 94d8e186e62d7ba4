/* parse_declare.c -- declarations: val, var, globref, exception, type, datatype, infix, local, open.
 *
 * fun is in parse_fun.c, colset in parse_colset.c.  val a = 1 and b = 2 is val (a, b) = (1, 2), which means the same.  What CPN Tools accepts and we do not --
 * structures, signatures, abstract types, other files -- is refused by name. */
#include "ml/parse.h"

#include <string.h>

int parse_starts_own(const struct parser *p) {
  return parse_is_name(p, "colset") || parse_is_name(p, "color") || parse_is_name(p, "var") || parse_is_name(p, "globref");
}

static int statement(struct parser *p, struct ml_declaration *out, enum ml_statement_kind kind, struct ml_statement **made) {
  struct ml_statement *s = *made = parse_alloc(p, sizeof *s);
  if (!s) return -1;
  s->kind = kind;
  s->place = p->token.place;
  s->from = p->token.from;
  out->kind = kind == ML_S_EXCEPTION ? ML_D_EXCEPTION : ML_D_OTHER;
  out->statement = s;
  return 0;
}

static int equals(struct parser *p) { return parse_is_name(p, "=") ? parse_next(p) : parse_fault(p, "'='"); }

/* 'a, or ('a, 'b), or nothing */
static int parameters(struct parser *p, const char ***out, uint32_t *count) {
  size_t base = p->list.count;
  if (p->token.kind == ML_T_TYVAR) {
    if (parse_collect(p, (void *)(uintptr_t)p->token.name) || parse_next(p)) return -1;
  } else if (parse_is_sign(p, '(')) {
    do {
      if (parse_next(p)) return -1;
      if (p->token.kind != ML_T_TYVAR) return parse_fault(p, "a type variable");
      if (parse_collect(p, (void *)(uintptr_t)p->token.name) || parse_next(p)) return -1;
    } while (parse_is_sign(p, ','));
    if (parse_sign(p, ')', "the type variables")) return -1;
  }
  *out = parse_collected(p, base, count);
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
    if (parse_next(p)) return -1; /* rec, and */
    at = p->token;
    const char *name = parse_name(p, "the name of a function");
    struct ml_local *local = name ? parse_alloc(p, sizeof *local) : NULL;
    if (!local || equals(p)) return -1;
    if (p->token.kind != ML_T_FN) return parse_fault(p, "'fn', as behind val rec");
    struct ml_expr *body = parse_expression(p);
    if (!body) return -1;
    local->name = name;
    body->from = at.from;
    if (parse_collect(p, local) || parse_collect(p, body)) return -1;
  } while (p->token.kind == ML_T_AND);
  return parse_functions_collected(p, base, out);
}

static int val(struct parser *p, struct ml_declaration *out) {
  if (parse_next(p) || skip_type_variables(p)) return -1;
  if (p->token.kind == ML_T_REC) return val_rec(p, out);
  struct ml_token at = p->token;
  size_t base = p->list.count;
  for (;;) {
    struct ml_pattern *pattern = parse_pattern(p);
    struct ml_expr *body = pattern && !equals(p) ? parse_expression(p) : NULL;
    if (!body || parse_collect(p, pattern) || parse_collect(p, body)) return -1;
    if (p->token.kind != ML_T_AND) break;
    if (parse_next(p)) return -1;
  }
  uint32_t both;
  void **pairs = parse_collected(p, base, &both);
  if (!pairs) return -1;
  out->kind = ML_D_VAL;
  out->pattern = pairs[0];
  out->body = pairs[1];
  if (both == 2) return 0;
  out->pattern = parse_pattern_node(p, ML_P_TUPLE, &at, both / 2);
  out->body = parse_node(p, ML_TUPLE, &at, both / 2);
  if (!out->pattern || !out->body) return -1;
  for (uint32_t i = 0; i < both / 2; i++) out->pattern->part[i] = pairs[2 * i], out->body->part[i] = pairs[2 * i + 1];
  return parse_pattern_close(p, out->pattern) || parse_close(p, out->body) ? -1 : 0;
}

/* var x, y : COLSET */
static int var(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s;
  size_t base = p->list.count;
  if (statement(p, out, ML_S_VAR, &s)) return -1;
  do {
    if (parse_next(p)) return -1;
    const char *name = parse_name(p, "the name of a variable");
    if (!name || parse_collect(p, (void *)(uintptr_t)name)) return -1;
  } while (parse_is_sign(p, ','));
  if (!(s->part_name = parse_collected(p, base, &s->parts)) || !(s->part_of = parse_alloc(p, sizeof *s->part_of))) return -1;
  if (parse_word(p, ML_T_COLON, "':' and a colour set")) return -1;
  return (s->part_of[0] = parse_type(p)) ? 0 : -1;
}

static int globref(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s;
  if (statement(p, out, ML_S_GLOBREF, &s) || parse_next(p)) return -1;
  if (!(s->name = parse_name(p, "a name")) || equals(p) || !(s->body = parse_expression(p))) return -1;
  return 0;
}

static int exception(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s, **also = NULL;
  struct ml_declaration ignored;
  if (statement(p, out, ML_S_EXCEPTION, &s)) return -1;
  for (;;) {
    if (parse_next(p) || !(s->name = parse_name(p, "the name of an exception"))) return -1;
    if (p->token.kind == ML_T_OF) {
      if (parse_next(p) || !(s->part_of = parse_alloc(p, sizeof *s->part_of)) || !(s->part_of[0] = parse_type(p))) return -1;
      s->parts = 1;
    } else if (parse_is_name(p, "=")) {
      if (parse_next(p) || !(s->same = parse_name(p, "the name of an exception"))) return -1;
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
    if (statement(p, into, ML_S_TYPE, &s) || parse_next(p) || parameters(p, &s->parameter, &s->parameters)) return -1;
    if (last) last->also = s;
    last = s;
    into = &ignored;
    if (!(s->name = parse_name(p, "the name of a type")) || equals(p)) return -1;
    if (!(s->part_of = parse_alloc(p, sizeof *s->part_of)) || !(s->part_of[0] = parse_type(p))) return -1;
    s->parts = 1;
  } while (p->token.kind == ML_T_AND);
  return 0;
}

static int datatype(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s, *last = NULL;
  struct ml_declaration *into = out, ignored;
  do {
    if (statement(p, into, ML_S_DATATYPE, &s) || parse_next(p) || parameters(p, &s->parameter, &s->parameters)) return -1;
    if (last) last->also = s;
    last = s;
    into = &ignored;
    if (!(s->name = parse_name(p, "the name of a datatype")) || equals(p)) return -1;
    if (p->token.kind == ML_T_DATATYPE) return parse_refuse(p, &p->token, "a copy of a datatype is not understood: name the datatype itself");
    size_t base = p->list.count;
    for (;;) {
      const char *name = parse_name(p, "a constructor");
      const struct ml_written *of = NULL;
      if (!name) return -1;
      if (p->token.kind == ML_T_OF && (parse_next(p) || !(of = parse_type(p)))) return -1;
      if (parse_collect(p, (void *)(uintptr_t)name) || parse_collect(p, (void *)(uintptr_t)of)) return -1;
      if (p->token.kind != ML_T_BAR) break;
      if (parse_next(p)) return -1;
    }
    uint32_t both;
    void **pairs = parse_collected(p, base, &both);
    s->parts = both / 2;
    s->part_name = parse_alloc(p, s->parts * sizeof *s->part_name);
    s->part_of = parse_alloc(p, s->parts * sizeof *s->part_of);
    if (!pairs || !s->part_name || !s->part_of) return -1;
    for (uint32_t i = 0; i < s->parts; i++) s->part_name[i] = pairs[2 * i], s->part_of[i] = pairs[2 * i + 1];
  } while (p->token.kind == ML_T_AND);
  if (p->token.kind == ML_T_WITHTYPE) return parse_refuse(p, &p->token, "withtype is not understood");
  return 0;
}

static int infix(struct parser *p, struct ml_declaration *out) {
  struct ml_statement *s;
  int right = p->token.kind == ML_T_INFIXR, rank = p->token.kind == ML_T_NONFIX ? -1 : 0;
  int nonfix = rank < 0, some = 0;
  if (statement(p, out, ML_S_NOTHING, &s) || parse_next(p)) return -1;
  if (!nonfix && p->token.kind == ML_T_INT) {
    if (p->token.number < 0 || p->token.number > 9) return parse_refuse(p, &p->token, "the rank of an operator is 0 to 9");
    rank = (int)p->token.number;
    if (parse_next(p)) return -1;
  }
  for (; p->token.kind == ML_T_NAME && !parse_starts_own(p); some = 1) {
    const char *name = p->token.name;
    if (ml_mean_infix(p->ml, name, rank, right)) return err_memory(p->err, "a text of CPN ML");
    if (parse_next(p)) return -1;
  }
  return some ? 0 : parse_fault(p, "an operator");
}

/* Everything of these is known by its long name; the short ones of List and String are known anyhow, as far as they do not hide others. */
static int open(struct parser *p, struct ml_declaration *out) {
  static const char *const fine[] = {"List", "String", "Int", "General", "Option", "Bool", "Char", "ListPair", "Math"};
  struct ml_statement *s;
  int some = 0;
  if (statement(p, out, ML_S_NOTHING, &s) || parse_next(p)) return -1;
  for (; p->token.kind == ML_T_NAME && !parse_starts_own(p); some = 1) {
    size_t i = 0;
    while (i < sizeof fine / sizeof *fine && strcmp(fine[i], p->token.name)) i++;
    if (i == sizeof fine / sizeof *fine) {
      char shown[64];
      return ml_fault(p->err, p->lexer.source, p->token.place, p->token.from, "the structure %s is not known",
                      ml_token_show(&p->lexer, &p->token, shown, sizeof shown));
    }
    if (ml_open_structure(p->ml, fine[i])) return err_memory(p->err, "a text of CPN ML");
    if (parse_next(p)) return -1;
  }
  return some ? 0 : parse_fault(p, "the name of a structure");
}

static int several(struct parser *p, int top, struct ml_declaration **out, uint32_t *count) {
  size_t base = p->list.count;
  for (;;) {
    while (parse_is_sign(p, ';'))
      if (parse_next(p)) return -1;
    struct ml_declaration *d = parse_alloc(p, sizeof *d);
    int one = d ? parse_declaration(p, d, top) : -1;
    if (one < 0 || (one && parse_collect(p, d))) return -1;
    if (!one) break;
  }
  struct ml_declaration **all = parse_collected(p, base, count);
  if (!all || !(*out = parse_alloc(p, *count * sizeof **out))) return -1;
  for (uint32_t i = 0; i < *count; i++) (*out)[i] = *all[i];
  return 0;
}

static int local(struct parser *p, struct ml_declaration *out, int top) {
  struct ml_statement *s;
  if (parse_deeper(p) || statement(p, out, ML_S_LOCAL, &s) || parse_next(p)) return -1;
  if (several(p, top, &s->inner, &s->inners) || parse_word(p, ML_T_IN, "a declaration or 'in'")) return -1;
  if (several(p, top, &s->outer, &s->outers) || parse_word(p, ML_T_END_WORD, "a declaration or 'end'")) return -1;
  parse_higher(p);
  return 0;
}

static int one(struct parser *p, struct ml_declaration *out, int top) {
  switch (p->token.kind) {
  case ML_T_VAL: return val(p, out);
  case ML_T_FUN: return parse_next(p) || skip_type_variables(p) ? -1 : parse_functions(p, out);
  case ML_T_EXCEPTION: return exception(p, out);
  case ML_T_TYPE: return type(p, out);
  case ML_T_DATATYPE: return datatype(p, out);
  case ML_T_INFIX:
  case ML_T_INFIXR:
  case ML_T_NONFIX: return infix(p, out);
  case ML_T_OPEN: return open(p, out);
  case ML_T_LOCAL: return local(p, out, top);
  case ML_T_ABSTYPE: return parse_refuse(p, &p->token, "abstype is not understood: declare a datatype");
  case ML_T_STRUCTURE:
  case ML_T_SIGNATURE:
  case ML_T_FUNCTOR:
    return parse_refuse(p, &p->token, "structures, signatures and functors are not understood: declare the functions by themselves");
  default: break;
  }
  if (!top || !parse_starts_own(p)) return 1;
  if (parse_is_name(p, "var")) return var(p, out);
  if (parse_is_name(p, "globref")) return globref(p, out);
  struct ml_statement *s;
  return statement(p, out, ML_S_COLSET, &s) || parse_next(p) ? -1 : parse_colset(p, s);
}

int parse_declaration(struct parser *p, struct ml_declaration *out, int top) {
  out->place = p->token.place;
  if (top && parse_is_name(p, "use")) return parse_refuse(p, &p->token, "use reads another file, which is not understood: put its text here");
  int status = one(p, out, top);
  return status == 1 ? 0 : status < 0 ? -1 : 1;
}
