/* formula_parse.c -- the text of a formula to its graph, in SPIN's spelling, in the usual one, or mixed.
 *
 *   weakest   <->  <=>  equivalent
 *             ->  =>  implies
 *             ||  |  or
 *             &&  &  and
 *             U  until  stronguntil   V  R  release   W  weakuntil   M
 *   tightest  !  ~  not   []  G  always   <>  F  eventually   X  next     with `branching`: A E AG AF AX EG EF EX
 *
 * With GROUP_USUAL, U R W M and -> group to the right: p U q U r is p U (q U r).  With GROUP_SPIN everything groups to
 * the left, and -> and <-> are equally strong: what SPIN 6.5 makes of an ltl block.
 *
 * Atoms are state expressions of some other language.  The parser delimits them: an atom is a run of operands (names,
 * numbers, quoted names, calls, indices, brackets) joined by arithmetic and comparisons.  A bracket belongs to an atom
 * when arithmetic or a comparison stands before or behind it, as in (x + 1) * 2 < y, and holds a formula otherwise.  So
 * [] x == 3 is [] (x == 3), although SPIN's grammar would compare [] x with 3; and !x == 3 is refused, since C and
 * mathematics read it differently.  1, 0, true and false alone are constants.  With GROUP_PROMELA,
 * which is GROUP_SPIN otherwise, & | and ~ are what they are everywhere in Promela, and belong to atoms; and !x == 3 is (!x) == 3.
 *
 * Words are operators only where one can stand: in U U U the middle one is.  A unary word is a name when what follows
 * cannot be its operand: G && p, X == 3, F[2].  Quoted names are always names.
 *
 * The text becomes tokens (formula_tokens.c), then a descent builds the graph.  Nesting is bounded by FORMULA_DEPTH in
 * brackets and in the height of what is made. */
#include "prop/formula_tokens.h"

#include <stdio.h>
#include <string.h>

static int fail_expected(struct formula_parser *p, const char *expected) {
  const struct formula_token *t = &p->tokens.at[p->at];
  char quoted[60], message[200];
  err_quote(quoted, sizeof quoted, p->text + t->start, t->end - t->start);
  if (t->kind == T_END) snprintf(message, sizeof message, "expected %s, found the end", expected);
  else snprintf(message, sizeof message, "expected %s, found \"%s\"", expected, quoted);
  return formula_fail(p, t->start, message);
}

/* ---- atoms -------------------------------------------------------------------------------- */

static int joins(const struct formula_token *t) { return t->kind == T_RELATION || t->kind == T_ARITHMETIC || t->kind == T_MINUS; }

/* The token behind the bracket at i, after a look that it holds no formula. */
static int skip_bracket(struct formula_parser *p, size_t *i) {
  size_t close = p->tokens.at[*i].match;
  for (size_t k = *i + 1; k < close; k++) {
    const struct formula_token *t = &p->tokens.at[k];
    if ((t->kind == T_UNARY && t->op != F_NOT) || t->kind == T_TEMPORAL || t->kind == T_QUANTIFIER)
      return formula_fail(p, t->start, "a temporal operator cannot stand inside a state expression");
  }
  *i = close + 1;
  return 0;
}

static int starts_with_tail(const struct formula_parser *p, const struct formula_token *t) {
  return t->kind == T_NAME && t->start && (t[-1].kind == T_CLOSE || t[-1].kind == T_UNINDEX || t[-1].kind == T_QUOTED) &&
         (p->text[t->start] == '.' || p->text[t->start] == '@');
}

/* One operand of an atom: its first token is at *i. */
static int skip_operand(struct formula_parser *p, size_t *i) {
  struct formula_token *t = p->tokens.at;
  while (t[*i].kind == T_MINUS || (t[*i].kind == T_UNARY && t[*i].op == F_NOT && !t[*i].word)) ++*i;
  switch (t[*i].kind) {
  case T_NUMBER: ++*i; return 0;
  case T_OPEN:
    if (skip_bracket(p, i)) return -1;
    break;
  case T_NAME:
  case T_QUOTED: ++*i; break;
  default: p->at = *i; return fail_expected(p, "a name, a number or \"(\"");
  }
  for (;;) {
    if (t[*i].kind == T_INDEX || (t[*i].kind == T_OPEN && *i > 0 && t[*i - 1].kind == T_NAME)) {
      if (skip_bracket(p, i)) return -1;
    } else if (t[*i].kind == T_BRACES && t[*i - 1].kind == T_NAME) ++*i;
    else if (t[*i].kind == T_TAIL && (t[*i + 1].kind == T_NAME || t[*i + 1].kind == T_INDEX || t[*i + 1].kind == T_QUOTED)) {
      ++*i;
      if (t[*i].kind != T_INDEX) ++*i;
    } else if (starts_with_tail(p, &t[*i])) ++*i;
    else return 0;
  }
}

static int is_text(const struct formula_parser *p, size_t start, size_t end, const char *word) {
  return end - start == strlen(word) && memcmp(p->text + start, word, end - start) == 0;
}

/* The atom at p->at. `after_sign`: a ! or ~ stands before. */
static formula parse_atom(struct formula_parser *p, int after_sign) {
  size_t first = p->at, i = first, joints = 0;
  if (p->tokens.at[first].kind == T_BRACES) i++; /* all of it is one condition, whatever stands inside */
  else if (skip_operand(p, &i)) return FORMULA_NONE;
  for (; p->tokens.at[first].kind != T_BRACES && joins(&p->tokens.at[i]); joints++) {
    i++;
    if (skip_operand(p, &i)) return FORMULA_NONE;
  }
  size_t start = p->tokens.at[first].start, end = p->tokens.at[i - 1].end;
  if (after_sign && joints) {
    formula_fail(p, p->tokens.at[first - 1].start, "! before a comparison can be read in two ways");
    err_hint(p->err, "write !(a == b), or (!a) == b");
    return FORMULA_NONE;
  }
  p->at = i;
  if (i == first + 1 && p->tokens.at[first].kind != T_QUOTED) {
    if (is_text(p, start, end, "1") || is_text(p, start, end, "true")) return FORMULA_TRUE;
    if (is_text(p, start, end, "0") || is_text(p, start, end, "false")) return FORMULA_FALSE;
  }
  long line = 1;
  int index = p->reader->atom(p->reader->context, p->text + start, end - start, formula_column(p, start, &line), p->err);
  if (index < 0) {
    if (p->err->kind == ERR_NONE) formula_fail(p, start, "this is not understood");
    return FORMULA_NONE;
  }
  formula f = formula_atom(p->fs, (uint32_t)index);
  if (f == FORMULA_NONE) formulas_refused(p->fs, p->err);
  return f;
}

/* ---- formulas ------------------------------------------------------------------------------ */

/* Checks what was made: memory and height. `at` is the operator's token. */
static formula made(struct formula_parser *p, formula f, size_t at) {
  if (f == FORMULA_NONE && p->err->kind == ERR_NONE) formulas_refused(p->fs, p->err);
  if (f == FORMULA_NONE) return f;
  if (p->fs->node[f].height <= FORMULA_DEPTH) return f;
  formula_fail_depth(p, p->tokens.at[at].start);
  return FORMULA_NONE;
}

static formula parse_iff(struct formula_parser *p);

/* ( formula ) or [ formula ] at p->at. */
static formula parse_bracket(struct formula_parser *p) {
  size_t close = p->tokens.at[p->at].match;
  p->at++;
  formula f = parse_iff(p);
  if (f == FORMULA_NONE) return f;
  if (p->at != close) {
    fail_expected(p, "an operator or a closing bracket");
    return FORMULA_NONE;
  }
  p->at++;
  return f;
}

/* Do the signs at `at` belong to an atom? In an ltl block they do where arithmetic or a comparison follows their operand, or
   where one of them is about bits. */
static int signs_of_atom(struct formula_parser *p, size_t at) {
  if (p->reader->grouping != GROUP_PROMELA) return 0;
  const struct formula_token *t = p->tokens.at;
  size_t i = at;
  for (; t[i].kind == T_MINUS || (t[i].kind == T_UNARY && t[i].op == F_NOT && !t[i].word); i++)
    if (p->text[t[i].start] == '~') return 1;
  if (t[i].kind == T_OPEN) return joins(&t[t[i].match + 1]);
  if (t[i].kind != T_NAME && t[i].kind != T_QUOTED && t[i].kind != T_NUMBER) return 0;
  return skip_operand(p, &i) || joins(&t[i]);
}

static formula parse_unary(struct formula_parser *p) {
  size_t at = p->at;
  const struct formula_token *t = &p->tokens.at[at];
  if (t->kind == T_UNARY || t->kind == T_QUANTIFIER) {
    enum formula_kind op = (enum formula_kind)t->op, inner = (enum formula_kind)t->inner;
    formula f = FORMULA_NONE;
    int quantifier = t->kind == T_QUANTIFIER, sign = op == F_NOT && !t->word;
    if (sign && signs_of_atom(p, at)) return parse_atom(p, 0);
    p->at++;
    if (++p->depth > FORMULA_DEPTH) {
      formula_fail_depth(p, t->start);
      return FORMULA_NONE;
    }
    t = &p->tokens.at[p->at];
    if (quantifier && t->kind == T_INDEX) f = parse_bracket(p);
    else if (sign && t->kind != T_UNARY && t->kind != T_QUANTIFIER && !(t->kind == T_OPEN && !joins(&p->tokens.at[t->match + 1])))
      f = parse_atom(p, 1);
    else f = parse_unary(p);
    p->depth--;
    if (quantifier && inner) f = made(p, formula_unary(p->fs, inner, f), at);
    return made(p, formula_unary(p->fs, op, f), at);
  }
  if (t->kind == T_OPEN) {
    const struct formula_token *behind = &p->tokens.at[t->match + 1];
    if (!joins(behind) && behind->kind != T_INDEX && !starts_with_tail(p, behind)) return parse_bracket(p);
  }
  if (formula_begins_operand(t) || t->kind == T_MINUS) return parse_atom(p, 0);
  fail_expected(p, "a formula");
  return FORMULA_NONE;
}

static formula parse_temporal(struct formula_parser *p) {
  formula left = parse_unary(p);
  while (left != FORMULA_NONE && p->tokens.at[p->at].kind == T_TEMPORAL) {
    size_t at = p->at++;
    enum formula_kind op = (enum formula_kind)p->tokens.at[at].op;
    formula right = FORMULA_NONE;
    if (p->reader->grouping != GROUP_USUAL) right = parse_unary(p);
    else if (++p->depth > FORMULA_DEPTH) formula_fail_depth(p, p->tokens.at[at].start);
    else right = parse_temporal(p), p->depth--;
    left = right == FORMULA_NONE ? right : made(p, formula_binary(p->fs, op, left, right), at);
  }
  return left;
}

/* A chain of && or || as one node. */
static formula parse_chain(struct formula_parser *p, enum formula_token_kind sign, enum formula_kind kind,
                           formula (*below)(struct formula_parser *)) {
  struct vec(formula) parts = {0};
  size_t at = p->at;
  formula f = below(p);
  while (f != FORMULA_NONE && p->tokens.at[p->at].kind == sign) {
    if (vec_push(&parts, p->fs->mem, MEM_OTHER, f)) {
      f = FORMULA_NONE;
      break;
    }
    at = p->at++;
    f = below(p);
  }
  if (f != FORMULA_NONE && parts.count) {
    if (vec_push(&parts, p->fs->mem, MEM_OTHER, f)) f = FORMULA_NONE;
    else f = formula_many(p->fs, kind, parts.at, parts.count);
  }
  vec_free(&parts, p->fs->mem);
  return made(p, f, at);
}

static formula parse_and(struct formula_parser *p) { return parse_chain(p, T_AND, F_AND, parse_temporal); }
static formula parse_or(struct formula_parser *p) { return parse_chain(p, T_OR, F_OR, parse_and); }

static formula parse_implies(struct formula_parser *p) {
  formula left = parse_or(p);
  if (left == FORMULA_NONE || p->tokens.at[p->at].kind != T_IMPLIES) return left;
  size_t at = p->at++;
  if (++p->depth > FORMULA_DEPTH) {
    formula_fail_depth(p, p->tokens.at[at].start);
    return FORMULA_NONE;
  }
  formula right = parse_implies(p);
  p->depth--;
  return right == FORMULA_NONE ? right : made(p, formula_binary(p->fs, F_IMPLIES, left, right), at);
}

static formula parse_iff(struct formula_parser *p) {
  int spin = p->reader->grouping != GROUP_USUAL;
  formula left = spin ? parse_or(p) : parse_implies(p);
  for (;;) {
    size_t at = p->at;
    int iff = p->tokens.at[at].kind == T_IFF;
    if (left == FORMULA_NONE || (!iff && !(spin && p->tokens.at[at].kind == T_IMPLIES))) return left;
    p->at++;
    formula right = spin ? parse_or(p) : parse_implies(p);
    left = right == FORMULA_NONE ? right : made(p, formula_binary(p->fs, iff ? F_IFF : F_IMPLIES, left, right), at);
  }
}

int formula_parse(struct formulas *fs, formula *out, const char *text, const struct formula_reader *reader, struct err *e) {
  struct formula_parser p = {.fs = fs, .reader = reader, .text = text, .length = strlen(text), .err = e};
  *out = FORMULA_NONE;
  int status = formula_tokenise(&p);
  if (!status) {
    *out = parse_iff(&p);
    if (*out != FORMULA_NONE && p.tokens.at[p.at].kind != T_END) {
      const struct formula_token *t = &p.tokens.at[p.at];
      fail_expected(&p, "an operator or the end");
      if (t->kind == T_UNARY && t->op == F_FINALLY && !t->word) err_hint(e, "<> means eventually; unequal is written !=");
      *out = FORMULA_NONE;
    }
    status = *out == FORMULA_NONE ? -1 : 0;
  }
  vec_free(&p.tokens, fs->mem);
  return status;
}
