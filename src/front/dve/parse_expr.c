/* parse_expr.c -- expressions of DVE, by precedence climbing.
 *
 *   weakest    imply
 *              and or            one rank, grouped from the left: a or b and c is (a or b) and c
 *              | & ^             one rank
 *              == !=
 *              < <= > >=
 *              << >>
 *              + -
 *              * / %
 *   strongest  unary - ~ not     not a == b is (not a) == b
 *
 * These are the ranks of DiVinE's grammar.  That `and` and `or` share one surprises people who write C, and tools that turn
 * DVE into C read it C's way, so an expression whose meaning depends on it gets a warning.
 *
 * Brackets cost three C frames each and are bounded; so is the height of a tree, because what comes later walks it. */
#include "front/dve/parse.h"

enum { LOWEST = 1 };

/* Rank of the binary operator that stands here; 0 = none. */
static int rank(const struct dve_token *t, enum ir_op *op) {
  static const struct {
    enum dve_word word;
    char sign;
    int rank;
    enum ir_op op;
  } table[] = {
      {DVE_IMPLY, 0, 1, IR_IMPLIES}, {DVE_OR, 0, 2, IR_OR},       {DVE_AND, 0, 2, IR_AND},    {DVE_SIGN, '|', 3, IR_BOR},
      {DVE_SIGN, '&', 3, IR_BAND},   {DVE_SIGN, '^', 3, IR_BXOR}, {DVE_EQ, 0, 4, IR_EQ},      {DVE_NE, 0, 4, IR_NE},
      {DVE_SIGN, '<', 5, IR_LT},     {DVE_LE, 0, 5, IR_LE},       {DVE_SIGN, '>', 5, IR_GT},  {DVE_GE, 0, 5, IR_GE},
      {DVE_SHL, 0, 6, IR_SHL},       {DVE_SHR, 0, 6, IR_SHR},     {DVE_SIGN, '+', 7, IR_ADD}, {DVE_SIGN, '-', 7, IR_SUB},
      {DVE_SIGN, '*', 8, IR_MUL},    {DVE_SIGN, '/', 8, IR_DIV},  {DVE_SIGN, '%', 8, IR_MOD},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (t->word == table[i].word && (t->word != DVE_SIGN || t->sign == table[i].sign)) {
      *op = table[i].op;
      return table[i].rank;
    }
  return 0;
}

static struct dve_expr *make(struct dve_parser *p, struct dve_expr e) {
  uint32_t a = e.a ? e.a->height : 0, b = e.b ? e.b->height : 0;
  e.height = 1 + (a > b ? a : b);
  if (e.height > DVE_HEIGHT_MAX) {
    dve_fail(p->d, e.at, "this expression is nested or chained more than %d deep", DVE_HEIGHT_MAX);
    return NULL;
  }
  struct dve_expr *n = arena_alloc(&p->d->arena, sizeof *n);
  if (!n) {
    dve_memory(p->d);
    return NULL;
  }
  *n = e;
  return n;
}

static const struct dve_expr *climb(struct dve_parser *, int least);

static int deeper(struct dve_parser *p) {
  if (p->nesting < DVE_NESTING_MAX) return p->nesting++, 0;
  return dve_fail(p->d, dve_here(p), "brackets and signs are nested more than %d deep here", DVE_NESTING_MAX);
}

const struct dve_expr *dve_reference(struct dve_parser *p) {
  struct dve_expr e = {.kind = DVE_X_NAME, .at = dve_here(p)};
  if (dve_take_name(p, "a variable", &e.name)) return NULL;
  if (dve_is(p, '.') || p->now.word == DVE_ARROW) {
    if (dve_is(p, '.')) e.kind = DVE_X_AT;
    e.owner = e.name;
    dve_step(p);
    if (dve_take_name(p, e.kind == DVE_X_AT ? "the name of a state" : "the name of a variable", &e.name)) return NULL;
  }
  if ((e.kind == DVE_X_NAME || p->condition) && dve_is(p, '[')) {
    if (deeper(p)) return NULL;
    dve_step(p);
    e.kind = DVE_X_INDEX;
    e.a = climb(p, LOWEST);
    p->nesting--;
    if (!e.a || dve_take_sign(p, ']')) return NULL;
  }
  e.at = dve_since(p, e.at);
  return make(p, e);
}

static const struct dve_expr *number(struct dve_parser *p, int32_t value) {
  struct dve_expr e = {.kind = DVE_X_NUMBER, .value = value, .at = dve_here(p)};
  dve_step(p);
  return make(p, e);
}

static const struct dve_expr *bracket(struct dve_parser *p) {
  struct dve_place start = dve_here(p);
  if (deeper(p)) return NULL;
  dve_step(p);
  const struct dve_expr *inner = climb(p, LOWEST);
  p->nesting--;
  if (!inner || dve_take_sign(p, ')')) return NULL;
  struct dve_expr e = *inner;
  e.in_brackets = 1;
  e.at = dve_since(p, start);
  return make(p, e);
}

static const struct dve_expr *unary(struct dve_parser *p) {
  struct dve_expr e = {.kind = DVE_X_UNARY, .at = dve_here(p)};
  if (p->now.word == DVE_NOT) e.op = IR_NOT;
  else if (dve_is(p, '-')) e.op = IR_NEG;
  else if (dve_is(p, '~')) e.op = IR_INVERT;
  if (e.op != IR_NONE) {
    if (deeper(p)) return NULL;
    dve_step(p);
    e.a = unary(p);
    p->nesting--;
    if (!e.a) return NULL;
    e.at = dve_since(p, e.at);
    return make(p, e);
  }
  if (p->now.word == DVE_NUMBER) return number(p, p->now.value);
  if (p->now.word == DVE_TRUE || p->now.word == DVE_FALSE) return number(p, p->now.word == DVE_TRUE);
  if (p->now.word == DVE_NAME) return dve_reference(p);
  if (dve_is(p, '(')) return bracket(p);
  dve_expected(p, "an expression");
  if (dve_is(p, '!')) dve_hint(p->d, "negation is written: not");
  return NULL;
}

static int mixes(const struct dve_expr *left, enum ir_op op) {
  return left->kind == DVE_X_BINARY && !left->in_brackets && left->op != op && (left->op == IR_AND || left->op == IR_OR) &&
         (op == IR_AND || op == IR_OR);
}

static const struct dve_expr *climb(struct dve_parser *p, int least) {
  const struct dve_expr *left = unary(p);
  enum ir_op op = IR_NONE;
  for (int r; left && (r = rank(&p->now, &op)) >= least;) {
    struct dve_expr e = {.kind = DVE_X_BINARY, .op = op, .a = left, .sign = dve_here(p)};
    if (mixes(left, op))
      dve_warn(p->d, e.sign,
               "\"and\" and \"or\" have the same rank in DVE and are grouped from the left; brackets would make it clear");
    dve_step(p);
    e.b = climb(p, r + 1);
    if (!e.b) return NULL;
    e.at = dve_since(p, left->at);
    left = make(p, e);
  }
  return left;
}

const struct dve_expr *dve_expression(struct dve_parser *p) { return climb(p, LOWEST); }
