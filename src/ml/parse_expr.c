/* parse_expr.c -- expressions: from handle down to atoms; operators are in parse_infix.c.
 *
 * From the loosest to the tightest, as in the Definition of Standard ML:
 *   raise, if, while, case, fn   take everything to their right
 *   handle, orelse, andalso, : type, infix operators, application, atoms */
#include "ml/parse.h"

#include <stdio.h>
#include <string.h>

static struct ml_expr *phrase(struct parser *p); /* if, case, fn, raise, or operators */

static struct ml_expr *typed(struct parser *p) {
  struct ml_expr *e = phrase(p);
  while (e && p->token.kind == ML_T_COLON) {
    struct ml_token at = {.place = e->place, .from = e->from, .to = e->to};
    struct ml_expr *one = mlp_node(p, ML_SEQUENCE, &at, 1); /* a sequence of one: the place for the type */
    if (!one || mlp_next(p) || !(one->written = mlp_type(p))) return NULL;
    one->part[0] = e;
    if (mlp_close(p, one)) return NULL;
    e = one;
  }
  return e;
}

/* part[0] op part[1] op ...: evenly bracketed, as in parse_infix.c: it makes no difference to andalso and orelse. */
static struct ml_expr *even(struct parser *p, enum ml_expr_kind kind, struct ml_expr **part, size_t n) {
  if (n == 1) return part[0];
  struct ml_expr *a = even(p, kind, part, n / 2), *b = a ? even(p, kind, part + n / 2, n - n / 2) : NULL;
  if (!b) return NULL;
  struct ml_token at = {.place = a->place, .from = a->from, .to = b->to};
  struct ml_expr *e = mlp_node(p, kind, &at, 2);
  if (!e) return NULL;
  e->part[0] = a;
  e->part[1] = b;
  return mlp_close(p, e) ? NULL : e;
}

static struct ml_expr *joined(struct parser *p, enum ml_token_kind word, enum ml_expr_kind kind,
                              struct ml_expr *(*operand)(struct parser *)) {
  struct ml_expr *e = operand(p);
  if (!e || p->token.kind != word) return e;
  size_t base = p->list.count;
  if (mlp_collect(p, e)) return NULL;
  while (p->token.kind == word) {
    if (mlp_next(p) || !(e = operand(p)) || mlp_collect(p, e)) return NULL;
  }
  uint32_t count;
  struct ml_expr **part = mlp_collected(p, base, &count);
  return part ? even(p, kind, part, count) : NULL;
}

static struct ml_expr *and_chain(struct parser *p) { return joined(p, ML_T_ANDALSO, ML_AND, typed); }
static struct ml_expr *or_chain(struct parser *p) { return joined(p, ML_T_ORELSE, ML_OR, and_chain); }

struct ml_expr *mlp_expression(struct parser *p) {
  if (mlp_deeper(p)) return NULL;
  struct ml_expr *e = or_chain(p);
  while (e && p->token.kind == ML_T_HANDLE) {
    struct ml_token at = {.place = e->place, .from = e->from, .to = e->to};
    struct ml_expr *h = mlp_node(p, ML_HANDLE, &at, 1);
    if (!h || mlp_next(p) || mlp_rules(p, h)) return NULL;
    h->part[0] = e;
    e = mlp_close(p, h) ? NULL : h;
  }
  mlp_higher(p);
  return e;
}

/* pattern => expression | ... */
int mlp_rules(struct parser *p, struct ml_expr *into) {
  size_t base = p->list.count;
  if (p->token.kind == ML_T_BAR && mlp_next(p)) return -1; /* SML/NJ lets one stand before the first rule */
  for (;;) {
    struct ml_rule *rule = mlp_alloc(p, sizeof *rule);
    if (!rule || !(rule->pattern = mlp_pattern(p)) || mlp_word(p, ML_T_GIVES, "'=>'") || !(rule->body = mlp_expression(p)) ||
        mlp_collect(p, rule))
      return -1;
    if (p->token.kind != ML_T_BAR) break;
    if (mlp_next(p)) return -1;
  }
  uint32_t count;
  struct ml_rule **rules = mlp_collected(p, base, &count);
  if (!rules || !(into->rule = mlp_alloc(p, count * sizeof *into->rule))) return -1;
  for (uint32_t i = 0; i < count; i++) into->rule[i] = *rules[i];
  into->rules = count;
  return 0;
}

static struct ml_expr *conditional(struct parser *p, const struct ml_token *at) {
  struct ml_expr *e = mlp_node(p, ML_IF, at, 3);
  if (!e || mlp_next(p) || !(e->part[0] = mlp_expression(p))) return NULL;
  if (mlp_word(p, ML_T_THEN, "'then'") || !(e->part[1] = mlp_expression(p))) return NULL;
  if (mlp_word(p, ML_T_ELSE, "'else'") || !(e->part[2] = mlp_expression(p))) return NULL;
  return mlp_close(p, e) ? NULL : e;
}

static struct ml_expr *nothing(struct parser *p, const struct ml_token *at) {
  struct ml_expr *e = mlp_node(p, ML_TUPLE, at, 0);
  return e && !mlp_close(p, e) ? e : NULL;
}

/* while a do b is let fun again () = if a then (b; again ()) else () in again () end, as ML defines it. */
static struct ml_expr *loop(struct parser *p, const struct ml_token *at) {
  size_t base = p->list.count;
  const char *again = mlp_kept(p, " while", 6); /* no name that one can write */
  struct ml_expr *choice = mlp_node(p, ML_IF, at, 3), *both = mlp_node(p, ML_SEQUENCE, at, 2), *f = mlp_node(p, ML_FN, at, 0), *e = mlp_node(p, ML_LET, at, 1);
  if (!again || !choice || !both || !f || !e || mlp_next(p)) return NULL;
  if (!(choice->part[0] = mlp_expression(p)) || mlp_word(p, ML_T_DO, "'do'") || !(both->part[0] = mlp_expression(p))) return NULL;
  struct ml_expr *name = mlp_named(p, again, at), *first = mlp_named(p, again, at), *none = nothing(p, at), *start = nothing(p, at);
  if (!name || !first || !none || !start || !(both->part[1] = mlp_apply(p, name, none)) || mlp_close(p, both)) return NULL;
  choice->part[1] = both;
  if (!(choice->part[2] = nothing(p, at)) || mlp_close(p, choice)) return NULL;
  struct ml_pattern *unit = mlp_pattern_node(p, ML_P_TUPLE, at, 0);
  struct ml_local *local = mlp_alloc(p, sizeof *local);
  f->rule = mlp_alloc(p, sizeof *f->rule);
  e->declaration = mlp_alloc(p, sizeof *e->declaration);
  if (!unit || mlp_pattern_close(p, unit) || !local || !f->rule || !e->declaration) return NULL;
  f->rule[0] = (struct ml_rule){unit, choice};
  f->rules = 1;
  local->name = again;
  if (mlp_close(p, f) || mlp_collect(p, local) || mlp_collect(p, f) || mlp_functions_collected(p, base, e->declaration)) return NULL;
  e->declaration->place = at->place;
  e->declarations = 1;
  e->height = f->height + 1;
  if (!(e->part[0] = mlp_apply(p, first, start))) return NULL;
  return mlp_close(p, e) ? NULL : e;
}

static struct ml_expr *phrase(struct parser *p) {
  struct ml_token at = p->token;
  struct ml_expr *e;
  switch (at.kind) {
  case ML_T_IF: return conditional(p, &at);
  case ML_T_CASE:
    e = mlp_node(p, ML_CASE, &at, 1);
    if (!e || mlp_next(p) || !(e->part[0] = mlp_expression(p)) || mlp_word(p, ML_T_OF, "'of'") || mlp_rules(p, e)) return NULL;
    return mlp_close(p, e) ? NULL : e;
  case ML_T_FN:
    e = mlp_node(p, ML_FN, &at, 0);
    if (!e || mlp_next(p) || mlp_rules(p, e)) return NULL;
    return mlp_close(p, e) ? NULL : e;
  case ML_T_RAISE:
    e = mlp_node(p, ML_RAISE, &at, 1);
    if (!e || mlp_next(p) || !(e->part[0] = mlp_expression(p))) return NULL;
    return mlp_close(p, e) ? NULL : e;
  case ML_T_WHILE: return loop(p, &at);
  default: return mlp_operators(p);
  }
}

int mlp_starts_atom(const struct parser *p) {
  switch (p->token.kind) {
  case ML_T_NAME:
    if (p->in_colset && (mlp_is_name(p, "timed") || mlp_is_name(p, "declare"))) return 0;
    return mlp_infix(p, p->token.name) < 0 && !mlp_starts_own(p);
  case ML_T_INT:
  case ML_T_REAL:
  case ML_T_STRING:
  case ML_T_CHAR:
  case ML_T_HASH:
  case ML_T_OP:
  case ML_T_LET: return 1;
  case ML_T_SIGN: return p->token.number == '(' || p->token.number == '[' || p->token.number == '{';
  default: return 0;
  }
}

/* ( was taken: (), (e), (a, b), (a; b) */
static struct ml_expr *bracketed(struct parser *p, const struct ml_token *at) {
  size_t base = p->list.count;
  int separator = 0;
  if (!mlp_is_sign(p, ')')) {
    for (;;) {
      struct ml_expr *e = mlp_expression(p);
      if (!e || mlp_collect(p, e)) return NULL;
      if (!mlp_is_sign(p, ',') && !mlp_is_sign(p, ';')) break;
      if (separator && separator != p->token.number) return mlp_fault(p, separator == ',' ? "',' or ')'" : "';' or ')'"), NULL;
      separator = (int)p->token.number;
      if (mlp_next(p)) return NULL;
      if (separator == ';' && mlp_is_sign(p, ')')) break;
    }
  }
  uint32_t count;
  struct ml_expr **part = mlp_collected(p, base, &count);
  if (!part || mlp_sign(p, ')', "this")) return NULL;
  if (count == 1 && separator != ',') {
    part[0]->bracketed = 1;
    part[0]->from = at->from; /* errors show it with its brackets */
    part[0]->place = at->place;
    if (p->last_to > part[0]->to) part[0]->to = p->last_to;
    return part[0];
  }
  struct ml_expr *e = mlp_node(p, separator == ';' ? ML_SEQUENCE : ML_TUPLE, at, 0);
  if (!e) return NULL;
  e->parts = count;
  e->part = part;
  return mlp_close(p, e) ? NULL : e;
}

static struct ml_expr *list(struct parser *p, const struct ml_token *at) {
  size_t base = p->list.count;
  while (!mlp_is_sign(p, ']')) {
    struct ml_expr *e = mlp_expression(p);
    if (!e || mlp_collect(p, e)) return NULL;
    if (!mlp_is_sign(p, ',')) break;
    if (mlp_next(p)) return NULL;
    if (mlp_is_sign(p, ']')) return mlp_fault(p, "an expression"), NULL;
  }
  struct ml_expr *e = mlp_node(p, ML_LIST, at, 0);
  if (!e || !(e->part = mlp_collected(p, base, &e->parts)) || mlp_sign(p, ']', "the list")) return NULL;
  return mlp_close(p, e) ? NULL : e;
}

/* Labels are words or numbers. NULL: error. */
const char *mlp_label(struct parser *p) {
  const char *label = NULL;
  if (p->token.kind == ML_T_NAME && !strchr(p->token.name, '.')) label = p->token.name;
  else if (p->token.kind == ML_T_INT && p->token.number > 0)
    label = mlp_kept(p, p->lexer.source->text + p->token.from, p->token.to - p->token.from);
  if (!label) return p->err->kind == ERR_NONE ? mlp_fault(p, "a label") : -1, NULL;
  return mlp_next(p) ? NULL : label;
}

/* Whether labels are 1, 2, ... n: then it is a tuple. */
int mlp_labels_tuple(const char *const *label, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    char number[16];
    snprintf(number, sizeof number, "%u", i + 1);
    if (strcmp(label[i], number)) return 0;
  }
  return count != 1;
}

static struct ml_expr *record(struct parser *p, const struct ml_token *at) {
  size_t base = p->list.count;
  while (!mlp_is_sign(p, '}')) {
    const char *label = mlp_label(p);
    if (!label || !mlp_is_name(p, "=")) return label ? mlp_fault(p, "'='") : 0, NULL;
    struct ml_expr *e = mlp_next(p) ? NULL : mlp_expression(p);
    if (!e || mlp_collect(p, (void *)(uintptr_t)label) || mlp_collect(p, e)) return NULL;
    if (!mlp_is_sign(p, ',')) break;
    if (mlp_next(p)) return NULL;
  }
  uint32_t both;
  void **pairs = mlp_collected(p, base, &both);
  uint32_t count = both / 2;
  struct ml_expr *e = mlp_node(p, ML_RECORD, at, count);
  const char **label = mlp_alloc(p, count * sizeof *label);
  uint32_t *order = mlp_alloc(p, count * sizeof *order);
  if (!pairs || !e || !label || !order || mlp_sign(p, '}', "the record")) return NULL;
  for (uint32_t i = 0; i < count; i++) label[i] = pairs[2 * i], e->part[i] = pairs[2 * i + 1];
  if (mlp_sort_labels(p, label, (void **)e->part, order, count, at)) return NULL;
  e->label = label;
  e->order = order;
  if (mlp_labels_tuple(label, count)) e->kind = ML_TUPLE;
  return mlp_close(p, e) ? NULL : e;
}

/* #label: fn x => #label x; mlp_apply makes a selection of it where there is something to select from. */
static struct ml_expr *selector(struct parser *p, const struct ml_token *at) {
  const char *label = mlp_label(p), **labels = label ? mlp_alloc(p, sizeof *labels) : NULL;
  const char *x = mlp_kept(p, " x", 2); /* no name that one can write */
  struct ml_expr *e = labels ? mlp_node(p, ML_SELECT, at, 1) : NULL, *f = e ? mlp_node(p, ML_FN, at, 0) : NULL;
  if (!x || !f || !(e->part[0] = mlp_named(p, x, at)) || mlp_close(p, e)) return NULL;
  struct ml_pattern *v = mlp_pattern_node(p, ML_P_VAR, at, 0);
  f->rule = mlp_alloc(p, sizeof *f->rule);
  if (!f->rule || !v) return NULL;
  labels[0] = label;
  e->label = f->label = labels;
  v->name = x;
  f->rules = 1;
  f->rule[0] = (struct ml_rule){v, e};
  return mlp_close(p, f) ? NULL : f;
}

static uint32_t height_of(const struct ml_declaration *d) {
  uint32_t highest = d->body ? d->body->height : 0;
  for (uint32_t i = 0; i < d->functions; i++)
    if (d->function_body[i]->height > highest) highest = d->function_body[i]->height;
  const struct ml_statement *s = d->statement;
  for (uint32_t i = 0; s && i < s->inners; i++)
    if (height_of(&s->inner[i]) > highest) highest = height_of(&s->inner[i]);
  for (uint32_t i = 0; s && i < s->outers; i++)
    if (height_of(&s->outer[i]) > highest) highest = height_of(&s->outer[i]);
  return highest + 1;
}

static struct ml_expr *let(struct parser *p, const struct ml_token *at) {
  size_t base = p->list.count, mark = ml_scope_enter(p->ml);
  uint32_t count, highest = 0;
  for (;;) {
    while (mlp_is_sign(p, ';'))
      if (mlp_next(p)) return NULL;
    struct ml_declaration *d = mlp_alloc(p, sizeof *d);
    int one = d ? mlp_declaration(p, d, 0) : -1;
    if (one < 0 || (one && mlp_collect(p, d))) return NULL;
    if (!one) break;
    if (height_of(d) > highest) highest = height_of(d);
  }
  struct ml_declaration **all = mlp_collected(p, base, &count);
  struct ml_expr *e = mlp_node(p, ML_LET, at, 1);
  if (!all || !e || mlp_word(p, ML_T_IN, "a declaration or 'in'")) return NULL;
  e->declaration = mlp_alloc(p, count * sizeof *e->declaration);
  if (!e->declaration) return NULL;
  for (uint32_t i = 0; i < count; i++) e->declaration[i] = *all[i];
  e->declarations = count;
  e->height = highest + 1;
  struct ml_token body = p->token;
  uint32_t parts;
  for (;;) { /* a; b; c */
    struct ml_expr *one = mlp_expression(p);
    if (!one || mlp_collect(p, one)) return NULL;
    if (!mlp_is_sign(p, ';')) break;
    if (mlp_next(p)) return NULL;
    if (p->token.kind == ML_T_END_WORD) break;
  }
  struct ml_expr **part = mlp_collected(p, base, &parts);
  if (!part || mlp_word(p, ML_T_END_WORD, "'end'")) return NULL;
  ml_scope_leave(p->ml, mark); /* infix declarations end here */
  e->part[0] = part[0];
  if (parts > 1) {
    struct ml_expr *s = mlp_node(p, ML_SEQUENCE, &body, 0);
    if (!s) return NULL;
    s->parts = parts;
    s->part = part;
    if (mlp_close(p, s)) return NULL;
    e->part[0] = s;
  }
  return mlp_close(p, e) ? NULL : e;
}

struct ml_expr *mlp_atom(struct parser *p) {
  struct ml_token at = p->token;
  struct ml_expr *e = NULL;
  switch (at.kind) {
  case ML_T_INT:
  case ML_T_CHAR:
    if (!(e = mlp_node(p, ML_INT, &at, 0))) return NULL;
    e->number = at.number;
    e->name = at.kind == ML_T_CHAR ? "#" : NULL; /* the checker sees by it that it is a char */
    break;
  case ML_T_REAL:
    if (!(e = mlp_node(p, ML_REAL, &at, 0))) return NULL;
    e->real = at.real;
    break;
  case ML_T_STRING:
    if (!(e = mlp_node(p, ML_STRING, &at, 0))) return NULL;
    e->text = at.text;
    e->length = at.length;
    break;
  case ML_T_OP:
    if (mlp_next(p)) return NULL;
    if (p->token.kind != ML_T_NAME) return mlp_fault(p, "an operator behind 'op'"), NULL;
    e = mlp_named(p, p->token.name, &at);
    break;
  case ML_T_NAME: e = mlp_named(p, at.name, &at); break;
  case ML_T_HASH: return mlp_next(p) ? NULL : selector(p, &at);
  case ML_T_LET: return mlp_next(p) ? NULL : let(p, &at);
  case ML_T_SIGN:
    if (at.number == '(') return mlp_next(p) ? NULL : bracketed(p, &at);
    if (at.number == '[') return mlp_next(p) ? NULL : list(p, &at);
    if (at.number == '{') return mlp_next(p) ? NULL : record(p, &at);
    /* fall through */
  default: return mlp_fault(p, "an expression"), NULL;
  }
  return e && !mlp_next(p) ? e : NULL;
}
