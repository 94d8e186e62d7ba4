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
    struct ml_expr *one = parse_node(p, ML_SEQUENCE, &at, 1); /* a sequence of one: the place for the type */
    if (!one || parse_next(p) || !(one->written = parse_type(p))) return NULL;
    one->part[0] = e;
    if (parse_close(p, one)) return NULL;
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
  struct ml_expr *e = parse_node(p, kind, &at, 2);
  if (!e) return NULL;
  e->part[0] = a;
  e->part[1] = b;
  return parse_close(p, e) ? NULL : e;
}

static struct ml_expr *joined(struct parser *p, enum ml_token_kind word, enum ml_expr_kind kind, struct ml_expr *(*operand)(struct parser *)) {
  struct ml_expr *e = operand(p);
  if (!e || p->token.kind != word) return e;
  size_t base = p->list.count;
  if (parse_collect(p, e)) return NULL;
  while (p->token.kind == word) {
    if (parse_next(p) || !(e = operand(p)) || parse_collect(p, e)) return NULL;
  }
  uint32_t count;
  struct ml_expr **part = parse_collected(p, base, &count);
  return part ? even(p, kind, part, count) : NULL;
}

static struct ml_expr *and_chain(struct parser *p) { return joined(p, ML_T_ANDALSO, ML_AND, typed); }
static struct ml_expr *or_chain(struct parser *p) { return joined(p, ML_T_ORELSE, ML_OR, and_chain); }

struct ml_expr *parse_expression(struct parser *p) {
  if (parse_deeper(p)) return NULL;
  struct ml_expr *e = or_chain(p);
  while (e && p->token.kind == ML_T_HANDLE) {
    struct ml_token at = {.place = e->place, .from = e->from, .to = e->to};
    struct ml_expr *h = parse_node(p, ML_HANDLE, &at, 1);
    if (!h || parse_next(p) || parse_rules(p, h)) return NULL;
    h->part[0] = e;
    e = parse_close(p, h) ? NULL : h;
  }
  parse_higher(p);
  return e;
}

/* pattern => expression | ... */
int parse_rules(struct parser *p, struct ml_expr *into) {
  size_t base = p->list.count;
  if (p->token.kind == ML_T_BAR && parse_next(p)) return -1; /* SML/NJ lets one stand before the first rule */
  for (;;) {
    struct ml_rule *rule = parse_alloc(p, sizeof *rule);
    if (!rule || !(rule->pattern = parse_pattern(p)) || parse_word(p, ML_T_GIVES, "'=>'") || !(rule->body = parse_expression(p)) ||
        parse_collect(p, rule))
      return -1;
    if (p->token.kind != ML_T_BAR) break;
    if (parse_next(p)) return -1;
  }
  uint32_t count;
  struct ml_rule **rules = parse_collected(p, base, &count);
  if (!rules || !(into->rule = parse_alloc(p, count * sizeof *into->rule))) return -1;
  for (uint32_t i = 0; i < count; i++) into->rule[i] = *rules[i];
  into->rules = count;
  return 0;
}

static struct ml_expr *conditional(struct parser *p, const struct ml_token *at) {
  struct ml_expr *e = parse_node(p, ML_IF, at, 3);
  if (!e || parse_next(p) || !(e->part[0] = parse_expression(p))) return NULL;
  if (parse_word(p, ML_T_THEN, "'then'") || !(e->part[1] = parse_expression(p))) return NULL;
  if (parse_word(p, ML_T_ELSE, "'else'") || !(e->part[2] = parse_expression(p))) return NULL;
  return parse_close(p, e) ? NULL : e;
}

static struct ml_expr *phrase(struct parser *p) {
  struct ml_token at = p->token;
  struct ml_expr *e;
  switch (at.kind) {
  case ML_T_IF: return conditional(p, &at);
  case ML_T_CASE:
    e = parse_node(p, ML_CASE, &at, 1);
    if (!e || parse_next(p) || !(e->part[0] = parse_expression(p)) || parse_word(p, ML_T_OF, "'of'") || parse_rules(p, e)) return NULL;
    return parse_close(p, e) ? NULL : e;
  case ML_T_FN:
    e = parse_node(p, ML_FN, &at, 0);
    if (!e || parse_next(p) || parse_rules(p, e)) return NULL;
    return parse_close(p, e) ? NULL : e;
  case ML_T_RAISE:
    e = parse_node(p, ML_RAISE, &at, 1);
    if (!e || parse_next(p) || !(e->part[0] = parse_expression(p))) return NULL;
    return parse_close(p, e) ? NULL : e;
  case ML_T_WHILE: return parse_refuse(p, &at, "while is not understood: a state space has no loops with side effects"), NULL;
  default: return parse_operators(p);
  }
}

int parse_starts_atom(const struct parser *p) {
  switch (p->token.kind) {
  case ML_T_NAME:
    if (p->in_colset && (parse_is_name(p, "timed") || parse_is_name(p, "declare"))) return 0;
    return parse_infix(p, p->token.name) < 0 && !parse_starts_own(p);
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
  if (!parse_is_sign(p, ')')) {
    for (;;) {
      struct ml_expr *e = parse_expression(p);
      if (!e || parse_collect(p, e)) return NULL;
      if (!parse_is_sign(p, ',') && !parse_is_sign(p, ';')) break;
      if (separator && separator != p->token.number) return parse_fault(p, separator == ',' ? "',' or ')'" : "';' or ')'"), NULL;
      separator = (int)p->token.number;
      if (parse_next(p)) return NULL;
      if (separator == ';' && parse_is_sign(p, ')')) break;
    }
  }
  uint32_t count;
  struct ml_expr **part = parse_collected(p, base, &count);
  if (!part || parse_sign(p, ')', "this")) return NULL;
  if (count == 1 && separator != ',') {
    part[0]->from = at->from; /* errors show it with its brackets */
    part[0]->place = at->place;
    if (p->last_to > part[0]->to) part[0]->to = p->last_to;
    return part[0];
  }
  struct ml_expr *e = parse_node(p, separator == ';' ? ML_SEQUENCE : ML_TUPLE, at, 0);
  if (!e) return NULL;
  e->parts = count;
  e->part = part;
  return parse_close(p, e) ? NULL : e;
}

static struct ml_expr *list(struct parser *p, const struct ml_token *at) {
  size_t base = p->list.count;
  while (!parse_is_sign(p, ']')) {
    struct ml_expr *e = parse_expression(p);
    if (!e || parse_collect(p, e)) return NULL;
    if (!parse_is_sign(p, ',')) break;
    if (parse_next(p)) return NULL;
    if (parse_is_sign(p, ']')) return parse_fault(p, "an expression"), NULL;
  }
  struct ml_expr *e = parse_node(p, ML_LIST, at, 0);
  if (!e || !(e->part = parse_collected(p, base, &e->parts)) || parse_sign(p, ']', "the list")) return NULL;
  return parse_close(p, e) ? NULL : e;
}

/* Labels are words or numbers. NULL: error. */
const char *parse_label(struct parser *p) {
  const char *label = NULL;
  if (p->token.kind == ML_T_NAME && !strchr(p->token.name, '.')) label = p->token.name;
  else if (p->token.kind == ML_T_INT && p->token.number > 0)
    label = ml_name(p->ml, p->lexer.source->text + p->token.from, p->token.to - p->token.from);
  if (!label) return parse_fault(p, "a label"), NULL;
  return parse_next(p) ? NULL : label;
}

/* Whether labels are 1, 2, ... n: then it is a tuple. */
int parse_labels_tuple(const char *const *label, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    char number[16];
    snprintf(number, sizeof number, "%u", i + 1);
    if (strcmp(label[i], number)) return 0;
  }
  return count != 1;
}

static struct ml_expr *record(struct parser *p, const struct ml_token *at) {
  size_t base = p->list.count;
  while (!parse_is_sign(p, '}')) {
    const char *label = parse_label(p);
    if (!label || !parse_is_name(p, "=")) return label ? parse_fault(p, "'='") : 0, NULL;
    struct ml_expr *e = parse_next(p) ? NULL : parse_expression(p);
    if (!e || parse_collect(p, (void *)(uintptr_t)label) || parse_collect(p, e)) return NULL;
    if (!parse_is_sign(p, ',')) break;
    if (parse_next(p)) return NULL;
  }
  uint32_t both;
  void **pairs = parse_collected(p, base, &both);
  uint32_t count = both / 2;
  struct ml_expr *e = parse_node(p, ML_RECORD, at, count);
  const char **label = parse_alloc(p, count * sizeof *label);
  uint32_t *order = parse_alloc(p, count * sizeof *order);
  if (!pairs || !e || !label || !order || parse_sign(p, '}', "the record")) return NULL;
  for (uint32_t i = 0; i < count; i++) label[i] = pairs[2 * i], e->part[i] = pairs[2 * i + 1];
  if (parse_sort_labels(p, label, (void **)e->part, order, count, at)) return NULL;
  e->label = label;
  e->order = order;
  if (parse_labels_tuple(label, count)) e->kind = ML_TUPLE;
  return parse_close(p, e) ? NULL : e;
}

/* #label: fn x => #label x; parse_apply makes a selection of it where there is something to select from. */
static struct ml_expr *selector(struct parser *p, const struct ml_token *at) {
  const char *label = parse_label(p), **labels = label ? parse_alloc(p, sizeof *labels) : NULL;
  const char *x = ml_name(p->ml, " x", 2); /* no name that one can write */
  struct ml_expr *e = labels ? parse_node(p, ML_SELECT, at, 1) : NULL, *f = e ? parse_node(p, ML_FN, at, 0) : NULL;
  if (!x || !f || !(e->part[0] = parse_named(p, x, at)) || parse_close(p, e)) return NULL;
  struct ml_pattern *v = parse_pattern_node(p, ML_P_VAR, at, 0);
  f->rule = parse_alloc(p, sizeof *f->rule);
  if (!f->rule || !v) return NULL;
  labels[0] = label;
  e->label = f->label = labels;
  v->name = x;
  f->rules = 1;
  f->rule[0] = (struct ml_rule){v, e};
  return parse_close(p, f) ? NULL : f;
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
    while (parse_is_sign(p, ';'))
      if (parse_next(p)) return NULL;
    struct ml_declaration *d = parse_alloc(p, sizeof *d);
    int one = d ? parse_declaration(p, d, 0) : -1;
    if (one < 0 || (one && parse_collect(p, d))) return NULL;
    if (!one) break;
    if (height_of(d) > highest) highest = height_of(d);
  }
  struct ml_declaration **all = parse_collected(p, base, &count);
  struct ml_expr *e = parse_node(p, ML_LET, at, 1);
  if (!all || !e || parse_word(p, ML_T_IN, "a declaration or 'in'")) return NULL;
  e->declaration = parse_alloc(p, count * sizeof *e->declaration);
  if (!e->declaration) return NULL;
  for (uint32_t i = 0; i < count; i++) e->declaration[i] = *all[i];
  e->declarations = count;
  e->height = highest + 1;
  struct ml_token body = p->token;
  uint32_t parts;
  for (;;) { /* a; b; c */
    struct ml_expr *one = parse_expression(p);
    if (!one || parse_collect(p, one)) return NULL;
    if (!parse_is_sign(p, ';')) break;
    if (parse_next(p)) return NULL;
    if (p->token.kind == ML_T_END_WORD) break;
  }
  struct ml_expr **part = parse_collected(p, base, &parts);
  if (!part || parse_word(p, ML_T_END_WORD, "'end'")) return NULL;
  ml_scope_leave(p->ml, mark); /* infix declarations end here */
  e->part[0] = part[0];
  if (parts > 1) {
    struct ml_expr *s = parse_node(p, ML_SEQUENCE, &body, 0);
    if (!s) return NULL;
    s->parts = parts;
    s->part = part;
    if (parse_close(p, s)) return NULL;
    e->part[0] = s;
  }
  return parse_close(p, e) ? NULL : e;
}

struct ml_expr *parse_atom(struct parser *p) {
  struct ml_token at = p->token;
  struct ml_expr *e = NULL;
  switch (at.kind) {
  case ML_T_INT:
  case ML_T_CHAR:
    if (!(e = parse_node(p, ML_INT, &at, 0))) return NULL;
    e->number = at.number;
    e->name = at.kind == ML_T_CHAR ? "#" : NULL; /* the checker sees by it that it is a char */
    break;
  case ML_T_REAL:
    if (!(e = parse_node(p, ML_REAL, &at, 0))) return NULL;
    e->real = at.real;
    break;
  case ML_T_STRING:
    if (!(e = parse_node(p, ML_STRING, &at, 0))) return NULL;
    e->text = at.text;
    e->length = at.length;
    break;
  case ML_T_OP:
    if (parse_next(p)) return NULL;
    if (p->token.kind != ML_T_NAME) return parse_fault(p, "an operator behind 'op'"), NULL;
    e = parse_named(p, p->token.name, &at);
    break;
  case ML_T_NAME: e = parse_named(p, at.name, &at); break;
  case ML_T_HASH: return parse_next(p) ? NULL : selector(p, &at);
  case ML_T_LET: return parse_next(p) ? NULL : let(p, &at);
  case ML_T_SIGN:
    if (at.number == '(') return parse_next(p) ? NULL : bracketed(p, &at);
    if (at.number == '[') return parse_next(p) ? NULL : list(p, &at);
    if (at.number == '{') return parse_next(p) ? NULL : record(p, &at);
    /* fall through */
  default: return parse_fault(p, "an expression"), NULL;
  }
  return e && !parse_next(p) ? e : NULL;
}
