/* parse_infix.c -- operators by rank.
 *
 * Operands and operators wait on two stacks; an operator is applied when one that binds less comes, or the end.  Ranks are what
 * infix and infixr declarations say at that moment.
 *
 * Initial markings are chains of thousands of ++, lists are chains of ::.  A tree that leans to one side would be as high as the
 * chain is long, and whoever walks it would need as much stack.  So a run of one operator that may be bracketed as one likes (++
 * +++ ^ ^^, as long as nobody has redefined it) is taken off the stack at once and bracketed evenly: n operands, height log n.  A
 * long run of :: becomes a list literal before its tail.  What cannot be bracketed evenly (-, user's operators) leans, and counts
 * against ML_HIGHEST.
 *
 * @ is the ML sign for appending lists, and CPN Tools' sign for time stamps.  Behind a coefficient, 1`x@5, it binds as @+ does;
 * elsewhere as in ML.
 *
 * @+ and @++ stand at the end of an inscription, behind everything that makes up a colour: n + 1 @+ 2 * d is (n + 1) @+ (2 * d),
 * whatever the ranks say; only multisets are joined outside of it.  By the ranks alone that would never have a type. */
#include "ml/parse.h"

#include <string.h>

enum { LONG_CONS = 16 };

static int everybodys(const struct ml_symbol *s) { return !s->value || s->value->everybodys; }

static int may_balance(const char *name) {
  static const char *const even[] = {"++", "+++", "^", "^^"};
  for (size_t i = 0; i < sizeof even / sizeof *even; i++)
    if (!strcmp(name, even[i])) return everybodys(ml_symbol(name));
  return 0;
}

static struct ml_expr *binary(struct parser *p, const struct ml_token *sign, struct ml_expr *a, struct ml_expr *b) {
  enum ml_expr_kind kind = !strcmp(sign->name, "`")     ? ML_COEFFICIENT
                           : !strcmp(sign->name, "@+")  ? ML_DELAY
                           : !strcmp(sign->name, "@++") ? ML_DELAY
                                                        : ML_APPLY;
  if (kind == ML_APPLY || !everybodys(ml_symbol(sign->name))) return mlp_pair(p, sign->name, sign, a, b);
  struct ml_token at = {.place = a->place, .from = a->from, .to = b->to};
  struct ml_expr *e = mlp_node(p, kind, &at, 2);
  if (!e) return NULL;
  e->name = sign->name;
  e->part[0] = a;
  e->part[1] = b;
  return mlp_close(p, e) ? NULL : e;
}

/* operand[0 .. n], between them sign[0 .. n-1], all the same. */
static struct ml_expr *balanced(struct parser *p, const struct parse_operator *sign, struct ml_expr **operand, size_t n) {
  if (!n) return operand[0];
  size_t left = n / 2; /* operators in the left half */
  struct ml_expr *a = balanced(p, sign, operand, left);
  struct ml_expr *b = a ? balanced(p, sign + left + 1, operand + left + 1, n - left - 1) : NULL;
  return b ? binary(p, &sign[left].token, a, b) : NULL;
}

static struct ml_expr *long_cons(struct parser *p, const struct parse_operator *sign, struct ml_expr **operand, size_t n) {
  struct ml_token at = {.place = operand[0]->place, .from = operand[0]->from, .to = operand[n - 1]->to};
  struct ml_expr *list = mlp_node(p, ML_LIST, &at, (uint32_t)n);
  if (!list) return NULL;
  memcpy(list->part, operand, n * sizeof *operand);
  if (mlp_close(p, list)) return NULL;
  const char *append = mlp_kept(p, "^^", 2);
  return append ? mlp_pair(p, append, &sign[n - 1].token, list, operand[n]) : NULL;
}

/* Applies the operators on top that are the same as the uppermost, if they may be applied together; else that one. */
static int apply_top(struct parser *p, size_t base) {
  size_t top = p->waiting.count, run = 1;
  const struct parse_operator *last = &p->waiting.at[top - 1];
  int cons = !strcmp(last->token.name, "::");
  if (cons || may_balance(last->token.name))
    while (top - run > base && p->waiting.at[top - run - 1].token.name == last->token.name) run++;
  if (cons && run < LONG_CONS) run = 1;
  const struct parse_operator *first = last - (run - 1);
  struct ml_expr **operand = p->operand.at + p->operand.count - run - 1;
  struct ml_expr *e = run == 1 ? binary(p, &last->token, operand[0], operand[1])
                      : cons   ? long_cons(p, first, operand, run)
                               : balanced(p, first, operand, run);
  if (!e) return -1;
  p->operand.count -= run;
  p->waiting.count -= run;
  p->operand.at[p->operand.count - 1] = e;
  return 0;
}

/* f x y z */
static struct ml_expr *application(struct parser *p) {
  struct ml_expr *e = mlp_atom(p);
  while (e && mlp_starts_atom(p)) {
    struct ml_expr *x = mlp_atom(p);
    e = x ? mlp_apply(p, e, x) : NULL;
  }
  return e;
}

static int starts_phrase(const struct parser *p) {
  enum ml_token_kind k = p->token.kind;
  return k == ML_T_IF || k == ML_T_CASE || k == ML_T_FN || k == ML_T_RAISE || k == ML_T_WHILE;
}

static int push_operand(struct parser *p) {
  struct ml_expr *e = NULL;
  if (starts_phrase(p)) e = mlp_expression(p); /* 1`x ++ if c then ... : it takes everything that follows */
  else if (p->token.kind == ML_T_NAME && mlp_infix(p, p->token.name) >= 0) {
    return mlp_refuse(p, &p->token,
                      !strcmp(p->token.name, "-") ? "an operand is missing before '-': negative numbers are written ~5"
                                                  : "an operand is missing before this operator");
  } else e = application(p);
  if (!e) return -1;
  return vec_push(&p->operand, p->ml->mem, MEM_MODEL, e) ? err_memory(p->err, "a text of CPN ML") : 0;
}

static int is_delay(const struct parse_operator *o) {
  return (!strcmp(o->token.name, "@+") || !strcmp(o->token.name, "@++")) && everybodys(ml_symbol(o->token.name));
}

static int joins_multisets(const char *name) { return !strcmp(name, "++") || !strcmp(name, "+++") || !strcmp(name, "--"); }

/* Does the operator on top of the stack wait for what follows `o`? */
static int waits(const struct parser *p, const struct parse_operator *top, const struct parse_operator *o) {
  static const char *const arithmetic[] = {"+", "-", "*", "/", "div", "mod"};
  if (is_delay(o) && top->infix >= 5 && !joins_multisets(top->token.name) && !is_delay(top)) {
    const struct ml_expr *left = p->operand.at[p->operand.count - 2];
    return left->kind == ML_DELAY && !left->bracketed; /* lists of tokens that have their time */
  }
  for (size_t i = 0; is_delay(top) && i < sizeof arithmetic / sizeof *arithmetic; i++)
    if (!strcmp(o->token.name, arithmetic[i])) return 1;
  return top->infix < o->infix || (top->infix == o->infix && (o->right || top->right)) ||
         (top->token.name == o->token.name && may_balance(o->token.name));
}

static struct parse_operator ranked(struct parser *p, size_t base) {
  const struct ml_symbol *s = ml_symbol(p->token.name);
  struct parse_operator o = {p->token, mlp_infix(p, s->text), p->ml->in_prelude ? s->fixed_right : s->right};
  if (!strcmp(s->text, "@") && p->waiting.count > base && !strcmp(p->waiting.at[p->waiting.count - 1].token.name, "`")) {
    o.infix = 7;
    o.right = 0;
  }
  return o;
}

struct ml_expr *mlp_operators(struct parser *p) {
  size_t base = p->waiting.count, operands = p->operand.count;
  if (push_operand(p)) return NULL;
  while (p->token.kind == ML_T_NAME && mlp_infix(p, p->token.name) >= 0) {
    struct parse_operator o = ranked(p, base);
    while (p->waiting.count > base && !waits(p, &p->waiting.at[p->waiting.count - 1], &o))
      if (apply_top(p, base)) return NULL;
    if (vec_push(&p->waiting, p->ml->mem, MEM_MODEL, o)) return err_memory(p->err, "a text of CPN ML"), NULL;
    if (mlp_next(p) || push_operand(p)) return NULL;
  }
  while (p->waiting.count > base)
    if (apply_top(p, base)) return NULL;
  struct ml_expr *e = p->operand.at[operands];
  p->operand.count = operands;
  return e;
}
