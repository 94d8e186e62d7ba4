/* formula_tokens.c -- the text of a formula to tokens.
 *
 * First the text is cut, by the longest sign that fits, and brackets are matched; what stands in quotes or braces is one token.
 * Then words are told apart: a word of the language is an operator only where one can stand, so that U U U has one operator and G
 * && p none but the &&.  That needs one token of context before and two behind, and for A[ ... ] a look into the brackets. */
#include "prop/formula_tokens.h"

#include <stdio.h>
#include <string.h>

/* ---- errors ------------------------------------------------------------------------------ */

/* Offsets are mostly asked for from left to right: the last one is remembered. */
size_t formula_column(struct formula_parser *p, size_t offset, long *line) {
  if (offset < p->known || !p->line) p->known = 0, p->line = 1, p->column = 1;
  for (; p->known < offset && p->known < p->length; p->known++) {
    if (p->text[p->known] == '\n') p->line++, p->column = 1;
    else if (((unsigned char)p->text[p->known] & 0xc0) != 0x80) p->column++;
  }
  *line = p->line;
  return p->column;
}

int formula_fail(struct formula_parser *p, size_t offset, const char *message) {
  long line = 1, column = (long)formula_column(p, offset, &line);
  if (p->err->kind != ERR_NONE) return -1;
  if (line == 1 && p->reader->column > 1) column += p->reader->column - 1;
  if (p->reader->line > 1) line += p->reader->line - 1;
  err_input(p->err, (struct place_in_text){p->reader->what, line, column}, "%s", message);
  err_excerpt(p->err, p->text, p->length, offset);
  return -1;
}

int formula_fail_depth(struct formula_parser *p, size_t offset) {
  char message[80];
  snprintf(message, sizeof message, "this is nested too deeply: more than %d levels", FORMULA_DEPTH);
  return formula_fail(p, offset, message);
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

int formula_joins(const char *word) {
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strcmp(words[k].text, word) == 0) return words[k].kind != T_UNARY && words[k].kind != T_QUANTIFIER;
  return 0;
}

static int scan_quoted(struct formula_parser *p, struct formula_token *t) {
  char quote = p->text[t->start];
  size_t i = t->start + 1;
  for (;; i++) {
    if (i >= p->length) return formula_fail(p, t->start, "this quote is not closed");
    if (p->text[i] != quote) continue;
    if (i + 1 < p->length && p->text[i + 1] == quote) i++;
    else break;
  }
  t->kind = T_QUOTED;
  t->end = (uint32_t)i + 1;
  return 0;
}

static int scan_braces(struct formula_parser *p, struct formula_token *t) {
  size_t depth = 0, i = t->start;
  for (; i < p->length; i++) {
    if (p->text[i] == '{') depth++;
    else if (p->text[i] == '}' && --depth == 0) break;
  }
  if (i == p->length) return formula_fail(p, t->start, "this bracket is not closed");
  t->kind = T_BRACES;
  t->end = (uint32_t)i + 1;
  return 0;
}

static int scan(struct formula_parser *p, struct formula_token *t) {
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
    int bits = p->reader->grouping == GROUP_PROMELA && n == 1 && (c == '&' || c == '|');
    t->kind = bits ? T_ARITHMETIC : signs[k].kind;
    t->op = signs[k].op;
    t->end = (uint32_t)(i + n);
    return 0;
  }
  char shown[20], message[80];
  snprintf(message, sizeof message, "\"%s\" has no meaning here", err_quote(shown, sizeof shown, p->text + i, 1));
  return formula_fail(p, i, message);
}

/* All tokens, brackets matched. */
static int tokenise(struct formula_parser *p) {
  uint32_t open[FORMULA_DEPTH];
  size_t depth = 0, at = 0;
  if (p->length >= UINT32_MAX) return formula_fail(p, 0, "this formula is longer than 4 GB");
  for (;;) {
    while (at < p->length && blank(p->text[at])) at++;
    struct formula_token t = {.start = (uint32_t)at, .end = (uint32_t)at};
    if (at < p->length && scan(p, &t)) return -1;
    uint32_t index = (uint32_t)p->tokens.count;
    if (t.kind == T_OPEN || t.kind == T_INDEX) {
      if (depth == FORMULA_DEPTH) return formula_fail_depth(p, t.start);
      open[depth++] = index;
    } else if (t.kind == T_CLOSE || t.kind == T_UNINDEX) {
      uint8_t opener = t.kind == T_CLOSE ? T_OPEN : T_INDEX;
      if (!depth || p->tokens.at[open[depth - 1]].kind != opener) return formula_fail(p, t.start, "this bracket was not opened");
      t.match = open[--depth];
      p->tokens.at[t.match].match = index;
    }
    if (vec_push(&p->tokens, p->fs->mem, MEM_OTHER, t)) return err_memory(p->err, "a formula");
    if (t.kind == T_END) break;
    at = t.end;
  }
  if (depth) return formula_fail(p, p->tokens.at[open[depth - 1]].start, "this bracket is not closed");
  return 0;
}

/* ---- words -------------------------------------------------------------------------------- */

static int ends_operand(const struct formula_token *t) {
  return t->kind == T_NAME || t->kind == T_NUMBER || t->kind == T_QUOTED || t->kind == T_BRACES || t->kind == T_CLOSE ||
         t->kind == T_UNINDEX;
}

int formula_begins_operand(const struct formula_token *t) {
  return t->kind == T_NAME || t->kind == T_NUMBER || t->kind == T_QUOTED || t->kind == T_BRACES || t->kind == T_OPEN || t->kind == T_UNARY ||
         t->kind == T_QUANTIFIER;
}

/* The entry of `words`, or -1. */
static int word_of(const struct formula_parser *p, const struct formula_token *t) {
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
static int can_apply(const struct formula_parser *p, size_t i) {
  const struct formula_token *next = &p->tokens.at[i + 1];
  if (!formula_begins_operand(next)) return 0;
  int word = word_of(p, next);
  return word < 0 || is_prefix(word) || !formula_begins_operand(next + 1);
}

/* Is there a temporal operator between two tokens? */
static int temporal_between(const struct formula_parser *p, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const struct formula_token *t = &p->tokens.at[i];
    if ((t->kind == T_UNARY && t->op != F_NOT) || t->kind == T_TEMPORAL || t->kind == T_QUANTIFIER) return 1;
    int word = word_of(p, t);
    if (word < 0) continue;
    int operand_before = i > from && ends_operand(t - 1);
    if (words[word].kind == T_TEMPORAL && operand_before && formula_begins_operand(t + 1)) return 1;
    if (is_prefix(word) && words[word].op != F_NOT && !operand_before && can_apply(p, i)) return 1;
  }
  return 0;
}

/* Tells operators from names. */
static void tell_words(struct formula_parser *p) {
  for (size_t i = 0; i < p->tokens.count; i++) {
    struct formula_token *t = &p->tokens.at[i];
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

int formula_tokenise(struct formula_parser *p) {
  if (tokenise(p)) return -1;
  tell_words(p);
  return 0;
}
