/* parse_colset.c -- colour sets, in all forms of CPN Tools.
 *
 *   unit [with e]                    list T [with 0..n]
 *   bool [with (no, yes)]            product T * U * ...
 *   int [with 1..n], intinf, time    record a : T * b : U
 *   real [with 0.0..1.0]             union a : T + b : U + c
 *   string [with "a".."z" [and 0..n]]   subset T by f, subset T with [a, b]
 *   with a | b | c                   T (another name)
 *   index p with 1..n                scalarset p with 1..n (Thimble's own: an index whose values are all alike)
 *
 * then timed, and declare with names of functions, which are all there without asking. */
#include "ml/parse.h"

#include <string.h>

static const struct {
  const char *word;
  enum ml_colset_kind kind;
} kinds[] = {
    {"unit", ML_COLSET_UNIT},       {"bool", ML_COLSET_BOOL},     {"int", ML_COLSET_INT},       {"intinf", ML_COLSET_INTINF},
    {"time", ML_COLSET_TIME},       {"real", ML_COLSET_REAL},     {"string", ML_COLSET_STRING}, {"index", ML_COLSET_INDEX},
    {"product", ML_COLSET_PRODUCT}, {"record", ML_COLSET_RECORD}, {"list", ML_COLSET_LIST},     {"union", ML_COLSET_UNION},
    {"subset", ML_COLSET_SUBSET},
};

static int with(struct parser *p) { /* 1: with was there and is taken */
  if (p->token.kind != ML_T_WITH) return 0;
  return mlp_next(p) ? -1 : 1;
}

static int range(struct parser *p, struct ml_expr **low, struct ml_expr **high) {
  if (!(*low = mlp_operators(p))) return -1;
  if (p->token.kind != ML_T_RANGE) return mlp_fault(p, "'..'");
  return mlp_next(p) || !(*high = mlp_operators(p)) ? -1 : 0;
}

/* Parts: a name, or what it is of, or both. */
static int part(struct parser *p, const char *name, const struct ml_written *of) {
  return mlp_collect(p, (void *)(uintptr_t)name) || mlp_collect(p, (void *)(uintptr_t)of);
}

/* The name of a colour set. */
static const struct ml_written *colset_name(struct parser *p) {
  if (p->token.kind != ML_T_NAME || mlp_infix(p, p->token.name) >= 0) return mlp_fault(p, "the name of a colour set"), NULL;
  struct ml_written *w = mlp_alloc(p, sizeof *w);
  if (!w) return NULL;
  *w = (struct ml_written){.kind = ML_W_NAME, .place = p->token.place, .from = p->token.from, .name = p->token.name, .height = 1};
  return mlp_next(p) ? NULL : w;
}

static int parts(struct parser *p, struct ml_statement *s, const char *separator, int named, int may_lack) {
  size_t base = p->list.count;
  for (;;) {
    const char *name = NULL;
    const struct ml_written *of = NULL;
    if (named && !(name = mlp_label(p))) return -1;
    int colon = named && p->token.kind == ML_T_COLON;
    if (named && !colon && !may_lack) return mlp_fault(p, "':'");
    if (colon && mlp_next(p)) return -1;
    if ((!named || colon) && !(of = colset_name(p))) return -1;
    if (part(p, name, of)) return -1;
    if (!mlp_is_name(p, separator)) break;
    if (mlp_next(p)) return -1;
  }
  return mlp_named_parts(p, base, s);
}

static int enumeration(struct parser *p, struct ml_statement *s) {
  size_t base = p->list.count;
  for (;;) {
    const char *name = mlp_name(p, "a colour");
    if (!name || part(p, name, NULL)) return -1;
    if (p->token.kind != ML_T_BAR) break;
    if (mlp_next(p)) return -1;
  }
  return mlp_named_parts(p, base, s);
}

static int two_names(struct parser *p, struct ml_statement *s) {
  size_t base = p->list.count;
  const char *no, *yes;
  if (mlp_sign(p, '(', "with") || !(no = mlp_name(p, "the name for false")) || mlp_sign(p, ',', "the name for false") ||
      !(yes = mlp_name(p, "the name for true")) || mlp_sign(p, ')', "the name for true") || part(p, no, NULL) ||
      part(p, yes, NULL))
    return -1;
  return mlp_named_parts(p, base, s);
}

static int strings(struct parser *p, struct ml_statement *s) {
  int more = with(p);
  if (more <= 0) return more;
  if (range(p, &s->low, &s->high)) return -1;
  if (p->token.kind != ML_T_AND) return 0;
  return mlp_next(p) ? -1 : range(p, &s->low_length, &s->high_length);
}

static int form(struct parser *p, struct ml_statement *s) {
  size_t base = p->list.count;
  int more;
  switch (s->colset) {
  case ML_COLSET_UNIT:
    if ((more = with(p)) <= 0) return more;
    {
      const char *name = mlp_name(p, "the name of the colour");
      return !name || part(p, name, NULL) ? -1 : mlp_named_parts(p, base, s);
    }
  case ML_COLSET_BOOL: return (more = with(p)) <= 0 ? more : two_names(p, s);
  case ML_COLSET_INT:
  case ML_COLSET_INTINF:
  case ML_COLSET_TIME:
  case ML_COLSET_REAL: return (more = with(p)) <= 0 ? more : range(p, &s->low, &s->high);
  case ML_COLSET_STRING: return strings(p, s);
  case ML_COLSET_ENUM: return enumeration(p, s);
  case ML_COLSET_INDEX: {
    const char *name = mlp_name(p, "the name of the index");
    if (!name || part(p, name, NULL) || mlp_named_parts(p, base, s) || mlp_word(p, ML_T_WITH, "'with'")) return -1;
    return range(p, &s->low, &s->high);
  }
  case ML_COLSET_PRODUCT: return parts(p, s, "*", 0, 0);
  case ML_COLSET_RECORD: return parts(p, s, "*", 1, 0);
  case ML_COLSET_UNION: return parts(p, s, "+", 1, 1);
  case ML_COLSET_LIST: {
    const struct ml_written *of = colset_name(p);
    if (!of || part(p, NULL, of) || mlp_named_parts(p, base, s)) return -1;
    return (more = with(p)) <= 0 ? more : range(p, &s->low, &s->high);
  }
  case ML_COLSET_SUBSET: {
    const struct ml_written *of = colset_name(p);
    if (!of || part(p, NULL, of) || mlp_named_parts(p, base, s)) return -1;
    if (mlp_is_name(p, "by")) return mlp_next(p) || !(s->by = mlp_expression(p)) ? -1 : 0;
    return mlp_word(p, ML_T_WITH, "'by' or 'with'") || !(s->with = mlp_expression(p)) ? -1 : 0;
  }
  case ML_COLSET_ALIAS: {
    const struct ml_written *of = colset_name(p);
    return !of || part(p, NULL, of) ? -1 : mlp_named_parts(p, base, s);
  }
  }
  return -1;
}

int mlp_colset(struct parser *p, struct ml_statement *s) {
  p->in_colset = 1; /* timed and declare are words of their own here */
  if (!(s->name = mlp_name(p, "the name of a colour set"))) return -1;
  if (!mlp_is_name(p, "=")) return mlp_fault(p, "'='");
  if (mlp_next(p)) return -1;
  s->colset = ML_COLSET_ALIAS;
  if (p->token.kind == ML_T_WITH) {
    s->colset = ML_COLSET_ENUM;
    if (mlp_next(p)) return -1;
  } else if (mlp_is_name(p, "scalarset") && !ml_symbol(p->token.name)->type) { /* no colour set is called so */
    s->colset = ML_COLSET_INDEX;
    s->scalarset = 1;
    if (mlp_next(p)) return -1;
  } else {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
      if (!mlp_is_name(p, kinds[i].word)) continue;
      s->colset = kinds[i].kind;
      if (mlp_next(p)) return -1;
      break;
    }
  }
  if (form(p, s)) return -1;
  if (mlp_is_name(p, "timed")) {
    s->timed = 1;
    if (mlp_next(p)) return -1;
  }
  if (mlp_is_name(p, "declare")) {
    do {
      if (mlp_next(p) || !mlp_name(p, "the name of a function")) return -1;
    } while (mlp_is_sign(p, ','));
  }
  p->in_colset = 0;
  return 0;
}
