/* parse_pattern.c -- patterns, and types as they are written.
 *
 * A name in a pattern is a variable here; the checker, who knows the constructors, says what it is.  A name before an argument
 * must be a constructor.  Lists in brackets are cells.  Real constants in patterns are refused, as in ML. */
#include "ml/parse.h"

#include <stdio.h>
#include <string.h>

int mlp_starts_pattern_atom(const struct parser *p) {
  switch (p->token.kind) {
  case ML_T_NAME: return mlp_infix(p, p->token.name) < 0;
  case ML_T_INT:
  case ML_T_REAL:
  case ML_T_STRING:
  case ML_T_CHAR:
  case ML_T_OP: return 1;
  case ML_T_SIGN: return p->token.number == '(' || p->token.number == '[' || p->token.number == '{' || p->token.number == '_';
  default: return 0;
  }
}

static struct ml_pattern *construct(struct parser *p, const char *name, const struct ml_token *at, struct ml_pattern *argument) {
  struct ml_pattern *n = mlp_pattern_node(p, ML_P_CONSTRUCTOR, at, argument ? 1 : 0);
  if (!n) return NULL;
  n->name = name;
  if (argument) n->part[0] = argument;
  return mlp_pattern_close(p, n) ? NULL : n;
}

static struct ml_pattern *infix(struct parser *p, const char *name, const struct ml_token *at, struct ml_pattern *a,
                                struct ml_pattern *b) {
  struct ml_token whole = {.place = a->place, .from = a->from};
  struct ml_pattern *pair = mlp_pattern_node(p, ML_P_TUPLE, &whole, 2);
  if (!pair) return NULL;
  pair->part[0] = a;
  pair->part[1] = b;
  if (mlp_pattern_close(p, pair)) return NULL;
  return construct(p, name, at, pair);
}

/* Parts up to the closing sign, which is taken. */
static struct ml_pattern **several(struct parser *p, int close, uint32_t *count) {
  size_t base = p->list.count;
  while (!mlp_is_sign(p, close)) {
    struct ml_pattern *n = mlp_pattern(p);
    if (!n || mlp_collect(p, n)) return NULL;
    if (!mlp_is_sign(p, ',')) break;
    if (mlp_next(p)) return NULL;
    if (mlp_is_sign(p, close)) return mlp_fault(p, "a pattern"), NULL;
  }
  struct ml_pattern **part = mlp_collected(p, base, count);
  return part && !mlp_sign(p, close, "the pattern") ? part : NULL;
}

static struct ml_pattern *list(struct parser *p, const struct ml_token *at) {
  uint32_t count;
  struct ml_pattern **part = several(p, ']', &count);
  const char *nil = mlp_kept(p, "nil", 3), *cons = mlp_kept(p, "::", 2);
  if (!part || !nil || !cons) return NULL;
  struct ml_pattern *n = construct(p, nil, at, NULL);
  for (uint32_t i = count; n && i--;) {
    struct ml_token element = {.place = part[i]->place, .from = part[i]->from};
    n = infix(p, cons, &element, part[i], n);
  }
  return n;
}

static struct ml_pattern *record(struct parser *p, const struct ml_token *at) {
  size_t base = p->list.count;
  int open = 0;
  while (!mlp_is_sign(p, '}')) {
    if (p->token.kind == ML_T_DOTS) {
      open = 1;
      if (mlp_next(p)) return NULL;
      break;
    }
    struct ml_token field = p->token;
    const char *label = mlp_label(p);
    struct ml_pattern *n = NULL;
    if (!label) return NULL;
    if (mlp_is_name(p, "=")) {
      if (mlp_next(p) || !(n = mlp_pattern(p))) return NULL;
    } else { /* {a, b}: a variable of the same name; {a : T}, {a as p} */
      if (!(n = mlp_pattern_node(p, ML_P_VAR, &field, 0))) return NULL;
      n->name = label;
      if (p->token.kind == ML_T_COLON && (mlp_next(p) || !(n->written = mlp_type(p)))) return NULL;
      if (p->token.kind == ML_T_AS) {
        struct ml_pattern *as = mlp_pattern_node(p, ML_P_AS, &field, 1);
        if (!as || mlp_next(p) || !(as->part[0] = mlp_pattern(p)) || mlp_pattern_close(p, as)) return NULL;
        as->name = label;
        as->written = n->written;
        n = as;
      }
    }
    if (mlp_collect(p, (void *)(uintptr_t)label) || mlp_collect(p, n)) return NULL;
    if (!mlp_is_sign(p, ',')) break;
    if (mlp_next(p)) return NULL;
  }
  uint32_t both;
  void **pairs = mlp_collected(p, base, &both);
  uint32_t count = both / 2;
  struct ml_pattern *n = mlp_pattern_node(p, ML_P_RECORD, at, count);
  const char **label = mlp_alloc(p, count * sizeof *label);
  if (!pairs || !n || !label || mlp_sign(p, '}', "the record pattern")) return NULL;
  for (uint32_t i = 0; i < count; i++) label[i] = pairs[2 * i], n->part[i] = pairs[2 * i + 1];
  if (mlp_sort_labels(p, label, (void **)n->part, NULL, count, at)) return NULL;
  n->label = label;
  n->open = open;
  if (!open && mlp_labels_tuple(label, count)) n->kind = ML_P_TUPLE;
  return mlp_pattern_close(p, n) ? NULL : n;
}

static struct ml_pattern *bracketed(struct parser *p, const struct ml_token *at) {
  uint32_t count;
  struct ml_pattern **part = several(p, ')', &count);
  if (!part) return NULL;
  if (count == 1) return part[0];
  struct ml_pattern *n = mlp_pattern_node(p, ML_P_TUPLE, at, 0);
  if (!n) return NULL;
  n->parts = count;
  n->part = part;
  return mlp_pattern_close(p, n) ? NULL : n;
}

struct ml_pattern *mlp_pattern_atom(struct parser *p) {
  struct ml_token at = p->token;
  struct ml_pattern *n = NULL;
  switch (at.kind) {
  case ML_T_INT:
  case ML_T_CHAR:
    if (!(n = mlp_pattern_node(p, ML_P_INT, &at, 0))) return NULL;
    n->number = at.number;
    n->name = at.kind == ML_T_CHAR ? "#" : NULL;
    break;
  case ML_T_STRING:
    if (!(n = mlp_pattern_node(p, ML_P_STRING, &at, 0))) return NULL;
    n->text = at.text;
    n->length = at.length;
    break;
  case ML_T_REAL: return mlp_refuse(p, &at, "a real cannot be a pattern, as in ML: compare it with = in an if or a guard"), NULL;
  case ML_T_OP:
    if (mlp_next(p)) return NULL;
    if (p->token.kind != ML_T_NAME) return mlp_fault(p, "a name behind 'op'"), NULL;
    /* fall through */
  case ML_T_NAME:
    if (!(n = mlp_pattern_node(p, ML_P_VAR, &at, 0))) return NULL;
    n->name = p->token.name;
    break;
  case ML_T_SIGN:
    if (at.number == '_') {
      n = mlp_pattern_node(p, ML_P_ANY, &at, 0);
      break;
    }
    if (at.number == '(') return mlp_next(p) ? NULL : bracketed(p, &at);
    if (at.number == '[') return mlp_next(p) ? NULL : list(p, &at);
    if (at.number == '{') return mlp_next(p) ? NULL : record(p, &at);
    /* fall through */
  default: return mlp_fault(p, "a pattern"), NULL;
  }
  return n && !mlp_next(p) ? n : NULL;
}

/* An atom, or a constructor before an atom. */
static struct ml_pattern *applied(struct parser *p) {
  struct ml_token at = p->token;
  struct ml_pattern *n = mlp_pattern_atom(p);
  if (!n || n->kind != ML_P_VAR || !mlp_starts_pattern_atom(p)) return n;
  struct ml_pattern *argument = mlp_pattern_atom(p);
  return argument ? construct(p, n->name, &at, argument) : NULL;
}

/* Operators in patterns are few (::, and infix constructors of the user): recursion on the right operand is enough. */
static struct ml_pattern *operators(struct parser *p, int least) {
  if (mlp_deeper(p)) return NULL;
  struct ml_pattern *n = applied(p);
  while (n && p->token.kind == ML_T_NAME && mlp_infix(p, p->token.name) >= least && strcmp(p->token.name, "=")) {
    struct ml_token at = p->token;
    int rank = mlp_infix(p, at.name), right = ml_symbol(at.name)->right;
    struct ml_pattern *b = mlp_next(p) ? NULL : operators(p, right ? rank : rank + 1);
    n = b ? infix(p, at.name, &at, n, b) : NULL;
  }
  mlp_higher(p);
  return n;
}

struct ml_pattern *mlp_pattern(struct parser *p) {
  if (mlp_deeper(p)) return NULL;
  struct ml_token at = p->token;
  struct ml_pattern *n = operators(p, 0);
  while (n && (p->token.kind == ML_T_COLON || p->token.kind == ML_T_AS)) {
    if (p->token.kind == ML_T_COLON) {
      const struct ml_written *type = mlp_next(p) ? NULL : mlp_type(p);
      if (!type) return NULL;
      if (n->written) return mlp_fault(p, "the end of the pattern"), NULL;
      n->written = type;
    } else {
      if (n->kind != ML_P_VAR) return mlp_refuse(p, &at, "before 'as' stands the name of a variable"), NULL;
      struct ml_pattern *as = mlp_pattern_node(p, ML_P_AS, &at, 1);
      if (!as || mlp_next(p) || !(as->part[0] = mlp_pattern(p)) || mlp_pattern_close(p, as)) return NULL;
      as->name = n->name;
      as->written = n->written;
      n = as;
    }
  }
  mlp_higher(p);
  return n;
}

static struct ml_written *written(struct parser *p, enum ml_written_kind kind, const struct ml_token *at, uint32_t parts) {
  struct ml_written *w = mlp_alloc(p, sizeof *w + parts * sizeof(struct ml_written *));
  if (!w) return NULL;
  w->kind = kind;
  w->place = at->place;
  w->from = at->from;
  w->parts = parts;
  w->height = 1;
  if (parts) w->part = (const struct ml_written **)(w + 1);
  return w;
}

static const struct ml_written *close_type(struct parser *p, struct ml_written *w) {
  for (uint32_t i = 0; i < w->parts; i++)
    if (w->part[i]->height >= w->height) w->height = w->part[i]->height + 1;
  if (w->height <= PARSE_DEEPEST) return w;
  ml_fault(p->err, p->lexer.source, w->place, w->from, "this type is more than %d levels deep", PARSE_DEEPEST);
  return NULL;
}

static const struct ml_written *record_type(struct parser *p, const struct ml_token *at) {
  size_t base = p->list.count;
  while (!mlp_is_sign(p, '}')) {
    const char *label = mlp_label(p);
    if (!label || mlp_word(p, ML_T_COLON, "':'")) return NULL;
    const struct ml_written *of = mlp_type(p);
    if (!of || mlp_collect(p, (void *)(uintptr_t)label) || mlp_collect(p, (void *)(uintptr_t)of)) return NULL;
    if (!mlp_is_sign(p, ',')) break;
    if (mlp_next(p)) return NULL;
  }
  uint32_t both;
  void **pairs = mlp_collected(p, base, &both);
  struct ml_written *w = written(p, ML_W_RECORD, at, both / 2);
  if (!pairs || !w || !(w->label = mlp_alloc(p, both / 2 * sizeof *w->label)) || mlp_sign(p, '}', "the record type")) return NULL;
  for (uint32_t i = 0; i < w->parts; i++) w->label[i] = pairs[2 * i], w->part[i] = pairs[2 * i + 1];
  if (mlp_sort_labels(p, w->label, (void **)w->part, NULL, w->parts, at)) return NULL;
  if (mlp_labels_tuple((const char *const *)w->label, w->parts)) w->kind = ML_W_TUPLE;
  return close_type(p, w);
}

/* 'a, name, (type), (type, type) name, {label: type}; then names behind it: int list list */
static const struct ml_written *type_atom(struct parser *p) {
  struct ml_token at = p->token;
  size_t base = p->list.count;
  const struct ml_written *w = NULL;
  if (at.kind == ML_T_TYVAR || (at.kind == ML_T_NAME && mlp_infix(p, at.name) < 0)) {
    struct ml_written *n = written(p, at.kind == ML_T_TYVAR ? ML_W_VAR : ML_W_NAME, &at, 0);
    if (!n || mlp_next(p)) return NULL;
    n->name = at.name;
    w = n;
  } else if (mlp_is_sign(p, '{')) {
    if (mlp_next(p) || !(w = record_type(p, &at))) return NULL;
  } else if (mlp_is_sign(p, '(')) {
    do {
      if (mlp_next(p) || !(w = mlp_type(p)) || mlp_collect(p, (void *)(uintptr_t)w)) return NULL;
    } while (mlp_is_sign(p, ','));
    if (mlp_sign(p, ')', "the type")) return NULL;
    if (p->list.count - base == 1) p->list.count = base;
    else if (p->token.kind != ML_T_NAME || mlp_infix(p, p->token.name) >= 0 || mlp_starts_own(p) || mlp_is_name(p, "timed"))
      return mlp_fault(p, "the name of a type"), NULL;
  } else return mlp_fault(p, "a type"), NULL;
  while (p->token.kind == ML_T_NAME && mlp_infix(p, p->token.name) < 0 && !mlp_is_name(p, "timed") && !mlp_starts_own(p)) {
    if (p->list.count == base && mlp_collect(p, (void *)(uintptr_t)w)) return NULL;
    struct ml_written *n = written(p, ML_W_NAME, &p->token, 0);
    if (!n) return NULL;
    n->name = p->token.name;
    n->part = mlp_collected(p, base, &n->parts);
    if (!n->part || mlp_next(p) || !(w = close_type(p, n))) return NULL;
  }
  return w;
}

static const struct ml_written *product_type(struct parser *p) {
  struct ml_token at = p->token;
  const struct ml_written *w = type_atom(p);
  if (!w || !mlp_is_name(p, "*")) return w;
  size_t base = p->list.count;
  if (mlp_collect(p, (void *)(uintptr_t)w)) return NULL;
  while (mlp_is_name(p, "*"))
    if (mlp_next(p) || !(w = type_atom(p)) || mlp_collect(p, (void *)(uintptr_t)w)) return NULL;
  struct ml_written *n = written(p, ML_W_TUPLE, &at, 0);
  if (!n || !(n->part = mlp_collected(p, base, &n->parts))) return NULL;
  return close_type(p, n);
}

const struct ml_written *mlp_type(struct parser *p) {
  if (mlp_deeper(p)) return NULL;
  struct ml_token at = p->token;
  const struct ml_written *w = product_type(p);
  if (w && p->token.kind == ML_T_ARROW) {
    struct ml_written *n = written(p, ML_W_ARROW, &at, 2);
    if (!n || mlp_next(p)) return NULL;
    n->part[0] = w;
    if (!(n->part[1] = mlp_type(p))) return NULL;
    w = close_type(p, n);
  }
  mlp_higher(p);
  return w;
}
