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
 * mathematics read it differently.  1, 0, true and false alone are constants.
 *
 * Words are operators only where one can stand: in U U U the middle one is.  A unary word is a name when what follows
 * cannot be its operand: G && p, X == 3, F[2].  Quoted names are always names.
 *
 * The text becomes tokens with their brackets matched, words are told apart, then a descent builds the graph.  Nesting
 * is bounded by FORMULA_DEPTH in brackets and in the height of what is made. */
#include "prop/formula.h"

#include "base/vec.h"

#include <stdio.h>
#include <string.h>

enum token_kind {
  T_END,
  T_NAME,
  T_NUMBER,
  T_QUOTED,
  T_BRACES, /* { ... } as a whole: C code */
  T_OPEN,
  T_CLOSE,
  T_INDEX, /* [ */
  T_UNINDEX,
  T_COMMA,
  T_RELATION,
  T_ARITHMETIC,
  T_MINUS,
  T_TAIL, /* : ? ?? joined to an operand */
  T_UNARY,
  T_QUANTIFIER,
  T_AND,
  T_OR,
  T_IMPLIES,
  T_IFF,
  T_TEMPORAL, /* binary */
};

struct token {
  uint8_t kind, op; /* op: enum formula_kind of T_UNARY, T_QUANTIFIER, T_TEMPORAL */
  uint8_t inner;    /* T_QUANTIFIER: the temporal operator in the same word, or 0 */
  uint8_t word;     /* a word or a sign? */
  uint32_t start, end;
  uint32_t match; /* of brackets: the other one */
};

struct parser {
  struct formulas *fs;
  const struct formula_reader *reader;
  const char *text;
  size_t length;
  struct err *err;
  struct vec(struct token) tokens; /* T_END is the last */
  size_t at;
  unsigned depth;
  size_t known, column; /* see column_of */
  long line;
};

/* ---- errors ------------------------------------------------------------------------------ */

/* The column of an offset, and its line. Offsets are mostly asked for from left to right: the last one is remembered. */
static size_t column_of(struct parser *p, size_t offset, long *line) {
  if (offset < p->known || !p->line) p->known = 0, p->line = 1, p->column = 1;
  for (; p->known < offset && p->known < p->length; p->known++) {
    if (p->text[p->known] == '\n') p->line++, p->column = 1;
    else if (((unsigned char)p->text[p->known] & 0xc0) != 0x80) p->column++;
  }
  *line = p->line;
  return p->column;
}

static int fail(struct parser *p, size_t offset, const char *message) {
  long line = 1, column = (long)column_of(p, offset, &line);
  if (p->err->kind != ERR_NONE) return -1;
  if (line == 1 && p->reader->column > 1) column += p->reader->column - 1;
  if (p->reader->line > 1) line += p->reader->line - 1;
  err_input(p->err, (struct place_in_text){p->reader->what, line, column}, "%s", message);
  err_excerpt(p->err, p->text, p->length, offset);
  return -1;
}

static int fail_depth(struct parser *p, size_t offset) {
  char message[80];
  snprintf(message, sizeof message, "this is nested too deeply: more than %d levels", FORMULA_DEPTH);
  return fail(p, offset, message);
}

static int fail_expected(struct parser *p, const char *expected) {
  const struct token *t = &p->tokens.at[p->at];
  char quoted[60], message[200];
  err_quote(quoted, sizeof quoted, p->text + t->start, t->end - t->start);
  if (t->kind == T_END) snprintf(message, sizeof message, "expected %s, found the end", expected);
  else snprintf(message, sizeof message, "expected %s, found \"%s\"", expected, quoted);
  return fail(p, t->start, message);
}

/* ---- tokens ------------------------------------------------------------------------------ */

static int name_character(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '@' ||
         c == '#' || c == '$' || c >= 0x80;
}

static int blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const struct {
  const char *text;
  uint8_t kind, op;
} signs[] = {
    /* longer ones before their beginnings */
    {"<->", T_IFF, 0},
    {"<=>", T_IFF, 0},
    {"->", T_IMPLIES, 0},
    {"=>", T_IMPLIES, 0},
    {"&&", T_AND, 0},
    {"||", T_OR, 0},
    {"[]", T_UNARY, F_GLOBALLY},
    {"<>", T_UNARY, F_FINALLY},
    {"==", T_RELATION, 0},
    {"!=", T_RELATION, 0},
    {"<=", T_RELATION, 0},
    {">=", T_RELATION, 0},
    {"<<", T_ARITHMETIC, 0},
    {">>", T_ARITHMETIC, 0},
    {"<", T_RELATION, 0},
    {">", T_RELATION, 0},
    {"=", T_RELATION, 0},
    {"&", T_AND, 0},
    {"|", T_OR, 0},
    {"!", T_UNARY, F_NOT},
    {"~", T_UNARY, F_NOT},
    {"+", T_ARITHMETIC, 0},
    {"-", T_MINUS, 0},
    {"*", T_ARITHMETIC, 0},
    {"/", T_ARITHMETIC, 0},
    {"%", T_ARITHMETIC, 0},
    {"^", T_ARITHMETIC, 0},
    {"(", T_OPEN, 0},
    {")", T_CLOSE, 0},
    {"[", T_INDEX, 0},
    {"]", T_UNINDEX, 0},
    {",", T_COMMA, 0},
    {"??", T_TAIL, 0},
    {"?", T_TAIL, 0},
    {":", T_TAIL, 0},
};

static const struct {
  const char *text;
  uint8_t kind, op, inner;
  int branching;
} words[] = {
    {"not", T_UNARY, F_NOT, 0, 0},
    {"X", T_UNARY, F_NEXT, 0, 0},
    {"next", T_UNARY, F_NEXT, 0, 0},
    {"G", T_UNARY, F_GLOBALLY, 0, 0},
    {"always", T_UNARY, F_GLOBALLY, 0, 0},
    {"F", T_UNARY, F_FINALLY, 0, 0},
    {"eventually", T_UNARY, F_FINALLY, 0, 0},
    {"A", T_QUANTIFIER, F_ALL, 0, 1},
    {"AG", T_QUANTIFIER, F_ALL, F_GLOBALLY, 1},
    {"AF", T_QUANTIFIER, F_ALL, F_FINALLY, 1},
    {"AX", T_QUANTIFIER, F_ALL, F_NEXT, 1},
    {"E", T_QUANTIFIER, F_EXISTS, 0, 1},
    {"EG", T_QUANTIFIER, F_EXISTS, F_GLOBALLY, 1},
    {"EF", T_QUANTIFIER, F_EXISTS, F_FINALLY, 1},
    {"EX", T_QUANTIFIER, F_EXISTS, F_NEXT, 1},
    {"U", T_TEMPORAL, F_UNTIL, 0, 0},
    {"until", T_TEMPORAL, F_UNTIL, 0, 0},
    {"stronguntil", T_TEMPORAL, F_UNTIL, 0, 0},
    {"V", T_TEMPORAL, F_RELEASE, 0, 0},
    {"R", T_TEMPORAL, F_RELEASE, 0, 0},
    {"release", T_TEMPORAL, F_RELEASE, 0, 0},
    {"W", T_TEMPORAL, F_WEAK, 0, 0},
    {"weakuntil", T_TEMPORAL, F_WEAK, 0, 0},
    {"M", T_TEMPORAL, F_STRONG, 0, 0},
    {"and", T_AND, 0, 0, 0},
    {"or", T_OR, 0, 0, 0},
    {"implies", T_IMPLIES, 0, 0, 0},
    {"equivalent", T_IFF, 0, 0, 0},
};

static int scan_quoted(struct parser *p, struct token *t) {
  char quote = p->text[t->start];
  size_t i = t->start + 1;
  for (;; i++) {
    if (i >= p->length) return fail(p, t->start, "this quote is not closed");
    if (p->text[i] != quote) continue;
    if (i + 1 < p->length && p->text[i + 1] == quote) i++;
    else break;
  }
  t->kind = T_QUOTED;
  t->end = (uint32_t)i + 1;
  return 0;
}

static int scan_braces(struct parser *p, struct token *t) {
  size_t depth = 0, i = t->start;
  for (; i < p->length; i++) {
    if (p->text[i] == '{') depth++;
    else if (p->text[i] == '}' && --depth == 0) break;
  }
  if (i == p->length) return fail(p, t->start, "this bracket is not closed");
  t->kind = T_BRACES;
  t->end = (uint32_t)i + 1;
  return 0;
}

static int scan(struct parser *p, struct token *t) {
  size_t i = t->start;
  unsigned char c = (unsigned char)p->text[i];
  if (c == '"' || c == '\'') return scan_quoted(p, t);
  if (c == '{') return scan_braces(p, t);
  if (name_character(c)) {
    int digits = 1;
    for (; i < p->length && name_character((unsigned char)p->text[i]); i++) digits &= p->text[i] >= '0' && p->text[i] <= '9';
    t->kind = digits ? T_NUMBER : T_NAME;
    t->end = (uint32_t)i;
    return 0;
  }
  for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
    size_t n = strlen(signs[k].text);
    if (n > p->length - i || memcmp(p->text + i, signs[k].text, n) != 0) continue;
    t->kind = signs[k].kind;
    t->op = signs[k].op;
    t->end = (uint32_t)(i + n);
    return 0;
  }
  char shown[20], message[80];
  snprintf(message, sizeof message, "\"%s\" has no meaning here", err_quote(shown, sizeof shown, p->text + i, 1));
  return fail(p, i, message);
}

/* All tokens, brackets matched. */
static int tokenise(struct parser *p) {
  uint32_t open[FORMULA_DEPTH];
  size_t depth = 0, at = 0;
  if (p->length >= UINT32_MAX) return fail(p, 0, "this formula is longer than 4 GB");
  for (;;) {
    while (at < p->length && blank(p->text[at])) at++;
    struct token t = {.start = (uint32_t)at, .end = (uint32_t)at};
    if (at < p->length && scan(p, &t)) return -1;
    uint32_t index = (uint32_t)p->tokens.count;
    if (t.kind == T_OPEN || t.kind == T_INDEX) {
      if (depth == FORMULA_DEPTH) return fail_depth(p, t.start);
      open[depth++] = index;
    } else if (t.kind == T_CLOSE || t.kind == T_UNINDEX) {
      uint8_t opener = t.kind == T_CLOSE ? T_OPEN : T_INDEX;
      if (!depth || p->tokens.at[open[depth - 1]].kind != opener) return fail(p, t.start, "this bracket was not opened");
      t.match = open[--depth];
      p->tokens.at[t.match].match = index;
    }
    if (vec_push(&p->tokens, p->fs->mem, MEM_OTHER, t)) return err_memory(p->err, "a formula");
    if (t.kind == T_END) break;
    at = t.end;
  }
  if (depth) return fail(p, p->tokens.at[open[depth - 1]].start, "this bracket is not closed");
  return 0;
}

/* ---- words -------------------------------------------------------------------------------- */

static int ends_operand(const struct token *t) {
  return t->kind == T_NAME || t->kind == T_NUMBER || t->kind == T_QUOTED || t->kind == T_BRACES || t->kind == T_CLOSE ||
         t->kind == T_UNINDEX;
}

static int begins_operand(const struct token *t) {
  return t->kind == T_NAME || t->kind == T_NUMBER || t->kind == T_QUOTED || t->kind == T_OPEN || t->kind == T_UNARY ||
         t->kind == T_QUANTIFIER;
}

/* The entry of `words`, or -1. */
static int word_of(const struct parser *p, const struct token *t) {
  if (t->kind != T_NAME) return -1;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strlen(words[k].text) == t->end - t->start && memcmp(p->text + t->start, words[k].text, t->end - t->start) == 0 &&
        (!words[k].branching || p->reader->branching))
      return (int)k;
  return -1;
}

static int is_prefix(int word) { return word >= 0 && (words[word].kind == T_UNARY || words[word].kind == T_QUANTIFIER); }

/* Can the word at i, where an operand is expected, be a unary operator? Not if what follows cannot be its operand, and not in
   X U p, where the other reading would leave p over. */
static int can_apply(const struct parser *p, size_t i) {
  const struct token *next = &p->tokens.at[i + 1];
  if (!begins_operand(next)) return 0;
  int word = word_of(p, next);
  return word < 0 || is_prefix(word) || !begins_operand(next + 1);
}

/* Is there a temporal operator between two tokens? */
static int temporal_between(const struct parser *p, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const struct token *t = &p->tokens.at[i];
    if ((t->kind == T_UNARY && t->op != F_NOT) || t->kind == T_TEMPORAL || t->kind == T_QUANTIFIER) return 1;
    int word = word_of(p, t);
    if (word < 0) continue;
    int operand_before = i > from && ends_operand(t - 1);
    if (words[word].kind == T_TEMPORAL && operand_before && begins_operand(t + 1)) return 1;
    if (is_prefix(word) && words[word].op != F_NOT && !operand_before && can_apply(p, i)) return 1;
  }
  return 0;
}

/* Tells operators from names. */
static void tell_words(struct parser *p) {
  for (size_t i = 0; i < p->tokens.count; i++) {
    struct token *t = &p->tokens.at[i];
    int word = word_of(p, t);
    if (word < 0) continue;
    int operand_before = i > 0 && ends_operand(t - 1);
    int quantified =
        words[word].kind == T_QUANTIFIER && !words[word].inner && t[1].kind == T_INDEX && temporal_between(p, i + 2, t[1].match);
    if (operand_before ? is_prefix(word) : !is_prefix(word) || !(can_apply(p, i) || quantified)) continue;
    t->kind = words[word].kind;
    t->op = words[word].op;
    t->inner = words[word].inner;
    t->word = 1;
  }
}

/* ---- atoms -------------------------------------------------------------------------------- */

static int joins(const struct token *t) { return t->kind == T_RELATION || t->kind == T_ARITHMETIC || t->kind == T_MINUS; }

/* The token behind the bracket at i, after a look that it holds no formula. */
static int skip_bracket(struct parser *p, size_t *i) {
  size_t close = p->tokens.at[*i].match;
  for (size_t k = *i + 1; k < close; k++) {
    const struct token *t = &p->tokens.at[k];
    if ((t->kind == T_UNARY && t->op != F_NOT) || t->kind == T_TEMPORAL || t->kind == T_QUANTIFIER)
      return fail(p, t->start, "a temporal operator cannot stand inside a state expression");
  }
  *i = close + 1;
  return 0;
}

static int starts_with_tail(const struct parser *p, const struct token *t) {
  return t->kind == T_NAME && t->start && (t[-1].kind == T_CLOSE || t[-1].kind == T_UNINDEX || t[-1].kind == T_QUOTED) &&
         (p->text[t->start] == '.' || p->text[t->start] == '@');
}

/* One operand of an atom: its first token is at *i. */
static int skip_operand(struct parser *p, size_t *i) {
  struct token *t = p->tokens.at;
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

static int is_text(const struct parser *p, size_t start, size_t end, const char *word) {
  return end - start == strlen(word) && memcmp(p->text + start, word, end - start) == 0;
}

/* The atom at p->at. `after_sign`: a ! or ~ stands before. */
static formula parse_atom(struct parser *p, int after_sign) {
  size_t first = p->at, i = first, joints = 0;
  if (skip_operand(p, &i)) return FORMULA_NONE;
  for (; joins(&p->tokens.at[i]); joints++) {
    i++;
    if (skip_operand(p, &i)) return FORMULA_NONE;
  }
  size_t start = p->tokens.at[first].start, end = p->tokens.at[i - 1].end;
  if (after_sign && joints) {
    fail(p, p->tokens.at[first - 1].start, "! before a comparison can be read in two ways");
    err_hint(p->err, "write !(a == b), or (!a) == b");
    return FORMULA_NONE;
  }
  p->at = i;
  if (i == first + 1 && p->tokens.at[first].kind != T_QUOTED) {
    if (is_text(p, start, end, "1") || is_text(p, start, end, "true")) return FORMULA_TRUE;
    if (is_text(p, start, end, "0") || is_text(p, start, end, "false")) return FORMULA_FALSE;
  }
  long line = 1;
  int index = p->reader->atom(p->reader->context, p->text + start, end - start, column_of(p, start, &line), p->err);
  if (index < 0) {
    if (p->err->kind == ERR_NONE) fail(p, start, "this is not understood");
    return FORMULA_NONE;
  }
  formula f = formula_atom(p->fs, (uint32_t)index);
  if (f == FORMULA_NONE) formulas_refused(p->fs, p->err);
  return f;
}

/* ---- formulas ------------------------------------------------------------------------------ */

/* Checks what was made: memory and height. `at` is the operator's token. */
static formula made(struct parser *p, formula f, size_t at) {
  if (f == FORMULA_NONE && p->err->kind == ERR_NONE) formulas_refused(p->fs, p->err);
  if (f == FORMULA_NONE) return f;
  if (p->fs->node[f].height <= FORMULA_DEPTH) return f;
  fail_depth(p, p->tokens.at[at].start);
  return FORMULA_NONE;
}

static formula parse_iff(struct parser *p);

/* ( formula ) or [ formula ] at p->at. */
static formula parse_bracket(struct parser *p) {
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

static formula parse_unary(struct parser *p) {
  size_t at = p->at;
  const struct token *t = &p->tokens.at[at];
  if (t->kind == T_UNARY || t->kind == T_QUANTIFIER) {
    enum formula_kind op = (enum formula_kind)t->op, inner = (enum formula_kind)t->inner;
    formula f = FORMULA_NONE;
    int quantifier = t->kind == T_QUANTIFIER, sign = op == F_NOT && !t->word;
    p->at++;
    if (++p->depth > FORMULA_DEPTH) {
      fail_depth(p, t->start);
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
    const struct token *behind = &p->tokens.at[t->match + 1];
    if (!joins(behind) && behind->kind != T_INDEX && !starts_with_tail(p, behind)) return parse_bracket(p);
  }
  if (begins_operand(t) || t->kind == T_MINUS) return parse_atom(p, 0);
  fail_expected(p, "a formula");
  return FORMULA_NONE;
}

static formula parse_temporal(struct parser *p) {
  formula left = parse_unary(p);
  while (left != FORMULA_NONE && p->tokens.at[p->at].kind == T_TEMPORAL) {
    size_t at = p->at++;
    enum formula_kind op = (enum formula_kind)p->tokens.at[at].op;
    formula right = FORMULA_NONE;
    if (p->reader->grouping == GROUP_SPIN) right = parse_unary(p);
    else if (++p->depth > FORMULA_DEPTH) fail_depth(p, p->tokens.at[at].start);
    else right = parse_temporal(p), p->depth--;
    left = right == FORMULA_NONE ? right : made(p, formula_binary(p->fs, op, left, right), at);
  }
  return left;
}

/* A chain of && or || as one node. */
static formula parse_chain(struct parser *p, enum token_kind sign, enum formula_kind kind, formula (*below)(struct parser *)) {
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

static formula parse_and(struct parser *p) { return parse_chain(p, T_AND, F_AND, parse_temporal); }
static formula parse_or(struct parser *p) { return parse_chain(p, T_OR, F_OR, parse_and); }

static formula parse_implies(struct parser *p) {
  formula left = parse_or(p);
  if (left == FORMULA_NONE || p->tokens.at[p->at].kind != T_IMPLIES) return left;
  size_t at = p->at++;
  if (++p->depth > FORMULA_DEPTH) {
    fail_depth(p, p->tokens.at[at].start);
    return FORMULA_NONE;
  }
  formula right = parse_implies(p);
  p->depth--;
  return right == FORMULA_NONE ? right : made(p, formula_binary(p->fs, F_IMPLIES, left, right), at);
}

static formula parse_iff(struct parser *p) {
  int spin = p->reader->grouping == GROUP_SPIN;
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
  struct parser p = {.fs = fs, .reader = reader, .text = text, .length = strlen(text), .err = e};
  *out = FORMULA_NONE;
  int status = tokenise(&p);
  if (!status) {
    tell_words(&p);
    *out = parse_iff(&p);
    if (*out != FORMULA_NONE && p.tokens.at[p.at].kind != T_END) {
      const struct token *t = &p.tokens.at[p.at];
      fail_expected(&p, "an operator or the end");
      if (t->kind == T_UNARY && t->op == F_FINALLY && !t->word) err_hint(e, "<> means eventually; unequal is written !=");
      *out = FORMULA_NONE;
    }
    status = *out == FORMULA_NONE ? -1 : 0;
  }
  vec_free(&p.tokens, fs->mem);
  return status;
}
