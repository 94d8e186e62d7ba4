/* parse_expr.c -- expressions.
 *
 * Precedence is that of C.  Depth of nesting and depth of the tree are bounded: both are walked by recursion later.  References,
 * questions to processes and questions to channels have files of their own. */
#include "front/promela/parse.h"

#include <string.h>

/* ---- primaries -------------------------------------------------------------------------------------------------- */

static struct expr *parse_paren(struct parser *p) {
  if (p->plus && stream_peek(p, 1)->kind == T_STAR) {
    /* (*p).f, or a product that begins with *p */
    stream_next(p);
    struct ref *r = parse_deref(p);
    if (stream_peek(p, 0)->kind == T_RPAREN) {
      stream_next(p);
      parse_ref_steps(p, r);
      return tree_of_ref(p, r);
    }
    struct expr *e = parse_expr_after(p, tree_of_ref(p, r));
    stream_need(p, T_RPAREN);
    return e;
  }
  struct token open = stream_next(p);
  struct expr *e = parse_expr(p);
  if (stream_accept(p, T_ARROW)) {
    struct expr *c = tree_new(p, EXPR_COND, open.place);
    c->a = e;
    c->b = parse_expr(p);
    stream_need(p, T_COLON);
    c->c = parse_expr(p);
    e = tree_deeper(p, tree_deeper(p, tree_deeper(p, c, c->a), c->b), c->c);
  }
  stream_need(p, T_RPAREN);
  return e;
}

struct expr *parse_named_value(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  struct symbol *s = symbol_find(p, t->text, t->length);
  if (s && s->kind == SYMBOL_MTYPE) {
    struct token name = stream_next(p);
    struct expr *e = tree_value(p, s->value, name.place);
    e->symbol = s;
    return e;
  }
  if (s && s->kind == SYMBOL_PROC) return parse_remote(p, s);
  if (!s && p->plus && t->length == 4 && !memcmp(t->text, "null", 4)) return tree_new(p, EXPR_NULL, stream_next(p).place);
  return parse_primary_ref(p, parse_ref(p));
}

static struct expr *parse_plain(struct parser *p, enum ir_op op) {
  struct expr *e = tree_new(p, EXPR_PLAIN, stream_next(p).place);
  e->op = op;
  return e;
}

static struct expr *parse_c_expr(struct parser *p) {
  struct token word = stream_next(p);
  struct expr *e = tree_new(p, EXPR_C, word.place);
  e->value = parse_c_text(p, IR_C_CONDITION, word.place);
  return e;
}

static struct expr *parse_primary(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  switch (t->kind) {
  case T_NUMBER: {
    struct token n = stream_next(p);
    return tree_value(p, n.value, n.place);
  }
  case T_NAME: return parse_named_value(p);
  case T_LPAREN: return parse_paren(p);
  case T_STAR:
    if (p->plus) return tree_of_ref(p, parse_ref(p));
    break;
  case K_RUN: return parse_run(p);
  case K_LEN: return parse_channel_question(p, IR_LEN);
  case K_EMPTY: return parse_channel_question(p, IR_EMPTY);
  case K_FULL: return parse_channel_question(p, IR_FULL);
  case K_NEMPTY: return parse_channel_question(p, IR_NEMPTY);
  case K_NFULL: return parse_channel_question(p, IR_NFULL);
  case K_ENABLED: return parse_of_process(p, IR_ENABLED);
  case K_PC_VALUE: return parse_of_process(p, IR_PC_VALUE);
  case K_GET_PRIORITY: return parse_of_process(p, IR_PRIORITY);
  case K_TIMEOUT:
    if (p->context && p->context->kind == PROC_CLAIM) parse_warning(p, t->place, "timeout is false in a never claim");
    return parse_plain(p, IR_TIMEOUT);
  case K_NP:
    if (p->context && p->context->kind != PROC_CLAIM) parse_error(p, t->place, "np_ can be used in never claims only");
    return parse_plain(p, IR_NP);
  case K_C_EXPR: return parse_c_expr(p);
  default: break;
  }
  struct place_in_text place = t->place;
  parse_expected(p, "an expression");
  return tree_value(p, 0, place);
}

struct expr *parse_unary(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  enum ir_op op = t->kind == T_SND ? IR_NOT : t->kind == T_MINUS ? IR_NEG : t->kind == T_TILDE ? IR_INVERT : IR_NONE;
  if (op == IR_NONE) return parse_primary(p);
  struct place_in_text place = stream_next(p).place;
  if (++p->nest > NEST_MAX) {
    parse_error(p, place, "this expression is nested too deeply");
    p->panic = 1;
  }
  struct expr *a = p->panic ? tree_value(p, 0, place) : parse_unary(p);
  p->nest--;
  if (op == IR_NEG && a->kind == EXPR_VALUE && !a->symbol) {
    a->value = (int32_t)(0u - (uint32_t)a->value);
    return a;
  }
  return tree_unary(p, op, a, place);
}

/* ---- operators -------------------------------------------------------------------------------------------------- */

static enum ir_op binary_op(enum token_kind k, int *precedence) {
  static const struct {
    uint8_t token, op, precedence;
  } table[] = {{T_OR, IR_OR, 1},     {T_AND, IR_AND, 2},    {T_PIPE, IR_BOR, 3},    {T_CARET, IR_BXOR, 4}, {T_AMP, IR_BAND, 5},
               {T_EQ, IR_EQ, 6},     {T_NE, IR_NE, 6},      {T_GT, IR_GT, 7},       {T_LT, IR_LT, 7},      {T_GE, IR_GE, 7},
               {T_LE, IR_LE, 7},     {T_SHL, IR_SHL, 8},    {T_SHR, IR_SHR, 8},     {T_PLUS, IR_ADD, 9},   {T_MINUS, IR_SUB, 9},
               {T_STAR, IR_MUL, 10}, {T_SLASH, IR_DIV, 10}, {T_PERCENT, IR_MOD, 10}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].token == k) {
      *precedence = table[i].precedence;
      return (enum ir_op)table[i].op;
    }
  *precedence = 0;
  return IR_NONE;
}

/* At most ten levels of precedence are open at once: the recursion is shallow. */
static struct expr *climb(struct parser *p, struct expr *left, int least) {
  for (;;) {
    int precedence, next;
    enum ir_op op = binary_op((enum token_kind)stream_peek(p, 0)->kind, &precedence);
    if (op == IR_NONE || precedence < least || p->panic) return left;
    struct place_in_text place = stream_next(p).place;
    struct expr *right = parse_unary(p);
    while (binary_op((enum token_kind)stream_peek(p, 0)->kind, &next) != IR_NONE && next > precedence)
      right = climb(p, right, precedence + 1);
    left = tree_binary(p, op, left, right, place);
  }
}

struct expr *parse_expr_after(struct parser *p, struct expr *primary) {
  return climb(p, primary, 1);
}

struct expr *parse_expr(struct parser *p) {
  if (++p->nest > NEST_MAX) {
    parse_error(p, stream_peek(p, 0)->place, "this is nested too deeply");
    p->panic = 1;
  }
  struct expr *e = p->panic ? tree_value(p, 0, (struct place_in_text){0}) : climb(p, parse_unary(p), 1);
  p->nest--;
  return e;
}

/* ---- lists and constants ---------------------------------------------------------------------------------------- */

struct expr *parse_args(struct parser *p) {
  struct expr *first = NULL, **end = &first;
  do {
    /* The same tree may not stand in two lists. */
    struct expr *e = parse_expr(p);
    *end = e;
    end = &e->next;
  } while (!p->panic && stream_accept(p, T_COMMA));
  return first;
}

int parse_constant(struct parser *p, int32_t *out) {
  struct expr *e = parse_expr(p);
  *out = 1;
  if (p->panic) return 0;
  if (tree_constant(e, out)) return 1;
  /* The value that a variable begins with will do. */
  if (e->kind == EXPR_REF && e->ref->symbol && e->ref->symbol->kind == SYMBOL_VARIABLE && !e->ref->steps &&
      e->ref->symbol->decl) {
    *out = e->ref->symbol->first_value;
    parse_warning(p, e->place, "%s stands for its first value, %d, here", e->ref->symbol->name, (int)*out);
    return 1;
  }
  parse_error(p, e->place, "this must be a constant");
  return 0;
}
