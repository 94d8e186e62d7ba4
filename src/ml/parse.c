/* parse.c -- the parser of CPN ML: what its files share.
 *
 *   parse_expr.c       if, case, fn, let, atoms          parse_infix.c   operators by rank
 *   parse_pattern.c    patterns and types                 parse_declare.c, parse_fun.c, parse_colset.c
 *
 * Recursive descent over one token of lookahead.  Two limits guard the C stack, here and in everything that walks trees later:
 * brackets nest at most PARSE_DEEPEST deep, and no tree is higher than ML_HIGHEST.  What is long in real files does not come near
 * them: list literals are one node, and chains of operators that may be bracketed as one likes are bracketed evenly
 * (parse_infix.c).
 *
 * The parser does not know what names mean, except whether they are infix: that decides how a text is read, so infix declarations
 * take effect here. */
#include "ml/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int mlp_next(struct parser *p) {
  p->last_to = p->token.to;
  return ml_lex(&p->lexer, &p->token);
}

int mlp_is_sign(const struct parser *p, int sign) { return p->token.kind == ML_T_SIGN && p->token.number == sign; }
int mlp_is_name(const struct parser *p, const char *text) { return p->token.kind == ML_T_NAME && !strcmp(p->token.name, text); }

int mlp_refuse(struct parser *p, const struct ml_token *at, const char *message) {
  return ml_fault(p->err, p->lexer.source, at->place, at->from, "%s", message);
}

int mlp_fault(struct parser *p, const char *expected) {
  char shown[64];
  return ml_fault(p->err, p->lexer.source, p->token.place, p->token.from, "expected %s, but found %s", expected,
                  ml_token_show(&p->lexer, &p->token, shown, sizeof shown));
}

int mlp_sign(struct parser *p, int sign, const char *behind) {
  if (mlp_is_sign(p, sign)) return mlp_next(p);
  char shown[64];
  return ml_fault(p->err, p->lexer.source, p->token.place, p->token.from, "expected '%c' behind %s, but found %s", sign, behind,
                  ml_token_show(&p->lexer, &p->token, shown, sizeof shown));
}

int mlp_word(struct parser *p, enum ml_token_kind kind, const char *expected) {
  return p->token.kind == kind ? mlp_next(p) : mlp_fault(p, expected);
}

int mlp_infix(const struct parser *p, const char *name) {
  const struct ml_symbol *s = ml_symbol(name);
  return p->ml->in_prelude ? s->fixed_infix : s->infix;
}

const char *mlp_name(struct parser *p, const char *expected) {
  int op = p->token.kind == ML_T_OP;
  if (op && mlp_next(p)) return NULL;
  if (p->token.kind != ML_T_NAME || (!op && mlp_infix(p, p->token.name) >= 0)) {
    mlp_fault(p, expected);
    return NULL;
  }
  const char *name = p->token.name;
  return mlp_next(p) ? NULL : name;
}

int mlp_deeper(struct parser *p) {
  if (++p->depth <= PARSE_DEEPEST) return 0;
  char message[96];
  snprintf(message, sizeof message, "this is nested more than %d levels deep", PARSE_DEEPEST);
  return mlp_refuse(p, &p->token, message);
}

void mlp_higher(struct parser *p) { p->depth--; }

void *mlp_alloc(struct parser *p, size_t bytes) {
  void *piece = arena_alloc(&p->ml->arena, bytes ? bytes : 1);
  if (!piece) err_memory(p->err, "a text of CPN ML");
  return piece;
}

const char *mlp_kept(struct parser *p, const char *text, size_t length) {
  const char *name = ml_name(p->ml, text, length);
  if (!name) err_memory(p->err, "a text of CPN ML");
  return name;
}

struct ml_expr *mlp_node(struct parser *p, enum ml_expr_kind kind, const struct ml_token *at, uint32_t parts) {
  struct ml_expr *e = mlp_alloc(p, sizeof *e + parts * sizeof(struct ml_expr *));
  if (!e) return NULL;
  e->kind = kind;
  e->place = at->place;
  e->from = at->from;
  e->to = at->to;
  e->height = 1;
  e->parts = parts;
  if (parts) e->part = (struct ml_expr **)(e + 1);
  return e;
}

static int too_high(struct parser *p, const struct ml_expr *e) {
  char message[96];
  snprintf(message, sizeof message, "this expression is more than %d levels deep", ML_HIGHEST);
  return ml_fault(p->err, p->lexer.source, e->place, e->from, "%s", message);
}

int mlp_close(struct parser *p, struct ml_expr *e) {
  uint32_t height = e->height;
  for (uint32_t i = 0; i < e->parts; i++)
    if (e->part[i]->height >= height) height = e->part[i]->height + 1;
  for (uint32_t i = 0; i < e->rules; i++)
    if (e->rule[i].body->height >= height) height = e->rule[i].body->height + 1;
  e->height = height;
  if (p->last_to > e->to) e->to = p->last_to;
  return height > ML_HIGHEST ? too_high(p, e) : 0;
}

struct ml_expr *mlp_named(struct parser *p, const char *name, const struct ml_token *at) {
  struct ml_expr *e = mlp_node(p, ML_NAME, at, 0);
  if (e) e->name = name;
  return e;
}

struct ml_expr *mlp_apply(struct parser *p, struct ml_expr *f, struct ml_expr *x) {
  struct ml_token at = {.place = f->place, .from = f->from, .to = x->to};
  if (f->kind == ML_FN && f->label) { /* #label x */
    struct ml_expr *s = mlp_node(p, ML_SELECT, &at, 1);
    if (!s) return NULL;
    s->label = f->label;
    s->part[0] = x;
    return mlp_close(p, s) ? NULL : s;
  }
  struct ml_expr *e = mlp_node(p, ML_APPLY, &at, 2);
  if (!e) return NULL;
  e->part[0] = f;
  e->part[1] = x;
  return mlp_close(p, e) ? NULL : e;
}

struct ml_expr *mlp_pair(struct parser *p, const char *f, const struct ml_token *at, struct ml_expr *a, struct ml_expr *b) {
  struct ml_token whole = {.place = a->place, .from = a->from, .to = b->to};
  struct ml_expr *tuple = mlp_node(p, ML_TUPLE, &whole, 2), *name = mlp_named(p, f, at);
  if (!tuple || !name) return NULL;
  tuple->part[0] = a;
  tuple->part[1] = b;
  if (mlp_close(p, tuple)) return NULL;
  struct ml_expr *e = mlp_apply(p, name, tuple);
  if (!e) return NULL;
  e->place = a->place;
  e->from = a->from;
  e->to = b->to;
  return e;
}

struct ml_pattern *mlp_pattern_node(struct parser *p, enum ml_pattern_kind kind, const struct ml_token *at, uint32_t parts) {
  struct ml_pattern *n = mlp_alloc(p, sizeof *n + parts * sizeof(struct ml_pattern *));
  if (!n) return NULL;
  n->kind = kind;
  n->place = at->place;
  n->from = at->from;
  n->height = 1;
  n->parts = parts;
  if (parts) n->part = (struct ml_pattern **)(n + 1);
  return n;
}

int mlp_pattern_close(struct parser *p, struct ml_pattern *n) {
  for (uint32_t i = 0; i < n->parts; i++)
    if (n->part[i]->height >= n->height) n->height = n->part[i]->height + 1;
  if (n->height <= PARSE_DEEPEST) return 0;
  char message[96];
  snprintf(message, sizeof message, "this pattern is more than %d levels deep", PARSE_DEEPEST);
  return ml_fault(p->err, p->lexer.source, n->place, n->from, "%s", message);
}

int mlp_collect(struct parser *p, void *item) {
  return vec_push(&p->list, p->ml->mem, MEM_MODEL, item) ? err_memory(p->err, "a text of CPN ML") : 0;
}

void *mlp_collected(struct parser *p, size_t base, uint32_t *count) {
  size_t n = p->list.count - base;
  void **array = mlp_alloc(p, n * sizeof *array);
  if (array && n) memcpy(array, p->list.at + base, n * sizeof *array);
  p->list.count = base;
  *count = (uint32_t)n;
  return array;
}

int mlp_named_parts(struct parser *p, size_t base, struct ml_statement *s) {
  uint32_t both;
  void **pairs = mlp_collected(p, base, &both);
  s->parts = both / 2;
  s->part_name = mlp_alloc(p, s->parts * sizeof *s->part_name);
  s->part_of = mlp_alloc(p, s->parts * sizeof *s->part_of);
  if (!pairs || !s->part_name || !s->part_of) return -1;
  for (uint32_t i = 0; i < s->parts; i++) s->part_name[i] = pairs[2 * i], s->part_of[i] = pairs[2 * i + 1];
  return 0;
}

/* Numbers before words, numbers by size. */
static int label_order(const char *a, const char *b) {
  int number_a = a[0] >= '0' && a[0] <= '9', number_b = b[0] >= '0' && b[0] <= '9';
  if (number_a != number_b) return number_b - number_a;
  if (number_a && strlen(a) != strlen(b)) return strlen(a) < strlen(b) ? -1 : 1;
  return strcmp(a, b);
}

struct labelled {
  const char *label;
  void *part;
  uint32_t at;
};

static int by_label(const void *a, const void *b) {
  return label_order(((const struct labelled *)a)->label, ((const struct labelled *)b)->label);
}

int mlp_sort_labels(struct parser *p, const char **label, void **part, uint32_t *order, uint32_t count,
                    const struct ml_token *at) {
  struct labelled *all = mlp_alloc(p, count * sizeof *all);
  if (!all) return -1;
  for (uint32_t i = 0; i < count; i++) all[i] = (struct labelled){label[i], part[i], i};
  qsort(all, count, sizeof *all, by_label);
  for (uint32_t i = 0; i < count; i++) {
    if (i && all[i].label == all[i - 1].label)
      return ml_fault(p->err, p->lexer.source, at->place, at->from, "this record has two labels %s", all[i].label);
    label[i] = all[i].label;
    part[i] = all[i].part;
    if (order) order[all[i].at] = i;
  }
  return 0;
}

static int open_parser(struct parser *p, const struct ml_lexer *lexer) {
  *p = (struct parser){.ml = lexer->ml, .lexer = *lexer, .err = lexer->err};
  if (lexer->source->length > (size_t)1 << 28) return err_limit(p->err, "a text of CPN ML has more than 256 MB");
  return mlp_next(p);
}

static void close_parser(struct parser *p) {
  vec_free(&p->operand, p->ml->mem);
  vec_free(&p->waiting, p->ml->mem);
  vec_free(&p->list, p->ml->mem);
}

/* a, b, c: the list of them; first was read. NULL: error. */
static struct ml_expr *conditions(struct parser *p, struct ml_expr *first) {
  struct ml_token at = {.place = first->place, .from = first->from, .to = first->to};
  struct ml_expr *list = mlp_node(p, ML_LIST, &at, 0), *e = first;
  if (!list || mlp_collect(p, e)) return NULL;
  while (mlp_is_sign(p, ','))
    if (mlp_next(p) || !(e = mlp_expression(p)) || mlp_collect(p, e)) return NULL;
  if (!(list->part = mlp_collected(p, 0, &list->parts))) return NULL;
  return mlp_close(p, list) ? NULL : list;
}

/* a; b; c, as a code segment may be written: CPN Tools puts it in brackets. first was read. NULL: error. */
static struct ml_expr *sequence(struct parser *p, struct ml_expr *first) {
  struct ml_token at = {.place = first->place, .from = first->from, .to = first->to};
  struct ml_expr *all = mlp_node(p, ML_SEQUENCE, &at, 0), *e = first;
  if (!all || mlp_collect(p, e)) return NULL;
  while (mlp_is_sign(p, ';')) {
    if (mlp_next(p)) return NULL;
    if (p->token.kind == ML_T_END || mlp_is_sign(p, ';')) continue;
    if (!(e = mlp_expression(p)) || mlp_collect(p, e)) return NULL;
  }
  if (!(all->part = mlp_collected(p, 0, &all->parts))) return NULL;
  return mlp_close(p, all) ? NULL : all;
}

int ml_parse_expression(struct ml_expr **out, enum ml_several several, struct ml *ml, const struct ml_text *text, struct err *err) {
  struct parser p;
  struct ml_lexer lexer;
  ml_lex_open(&lexer, ml, text, err);
  *out = NULL;
  int status = open_parser(&p, &lexer);
  if (!status && p.token.kind == ML_T_END) status = mlp_fault(&p, "an expression");
  if (!status && !(*out = mlp_expression(&p))) status = -1;
  if (!status && several == ML_CONDITIONS && mlp_is_sign(&p, ',') && !(*out = conditions(&p, *out))) status = -1;
  if (!status && several == ML_STEPS_OF_ACTION && mlp_is_sign(&p, ';') && !(*out = sequence(&p, *out))) status = -1;
  if (!status && mlp_is_sign(&p, ';')) status = mlp_next(&p); /* people leave one behind */
  if (!status && p.token.kind != ML_T_END) status = mlp_fault(&p, "the end of the text");
  close_parser(&p);
  return status;
}

int ml_parse_declaration(struct ml_declaration *out, struct ml_lexer *at) {
  struct parser p;
  int status = open_parser(&p, at);
  while (!status && mlp_is_sign(&p, ';')) status = mlp_next(&p);
  if (!status && p.token.kind != ML_T_END) {
    *out = (struct ml_declaration){.place = p.token.place};
    status = mlp_declaration(&p, out, 1);
    if (!status) status = mlp_fault(&p, "a declaration: colset, var, val, fun, ...");
  }
  if (status >= 0) { /* what is next is read again */
    *at = p.lexer;
    if (p.token.kind != ML_T_END) ml_lex_back(at, &p.token);
  }
  close_parser(&p);
  return status;
}

const struct ml_written *ml_parse_type(struct ml *ml, const struct ml_text *text, struct err *err) {
  struct parser p;
  struct ml_lexer lexer;
  ml_lex_open(&lexer, ml, text, err);
  const struct ml_written *type = open_parser(&p, &lexer) ? NULL : mlp_type(&p);
  if (type && p.token.kind != ML_T_END) {
    mlp_fault(&p, "the end of the type");
    type = NULL;
  }
  close_parser(&p);
  return type;
}
