/* lex.c -- CPN ML, character by character.
 *
 * Tokens are those of Standard ML, with three things of CPN ML's own:
 *   - the back quote stands alone, so that 2`~1 and x`y are read as one expects; in ML it would join the signs beside it;
 *   - a sign that nobody knows and that ends in ~ is the sign before it and a minus: a=~1;
 *   - 1..n is a range, not a broken real.
 *
 * Long names -- List.nth, DBM.all, Mark.Page'Place -- are one token.  Text comes from files that may hold anything: every byte is
 * looked at with its bounds, numbers are refused when they do not fit, comments nest without recursion. */
#include "ml/lex.h"
#include "ml/scope.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *word;
  enum ml_token_kind kind;
} words[] = {
    {"abstype", ML_T_ABSTYPE},
    {"and", ML_T_AND},
    {"andalso", ML_T_ANDALSO},
    {"as", ML_T_AS},
    {"case", ML_T_CASE},
    {"datatype", ML_T_DATATYPE},
    {"do", ML_T_DO},
    {"else", ML_T_ELSE},
    {"end", ML_T_END_WORD},
    {"exception", ML_T_EXCEPTION},
    {"fn", ML_T_FN},
    {"fun", ML_T_FUN},
    {"handle", ML_T_HANDLE},
    {"if", ML_T_IF},
    {"in", ML_T_IN},
    {"infix", ML_T_INFIX},
    {"infixr", ML_T_INFIXR},
    {"let", ML_T_LET},
    {"local", ML_T_LOCAL},
    {"nonfix", ML_T_NONFIX},
    {"of", ML_T_OF},
    {"op", ML_T_OP},
    {"open", ML_T_OPEN},
    {"orelse", ML_T_ORELSE},
    {"raise", ML_T_RAISE},
    {"rec", ML_T_REC},
    {"then", ML_T_THEN},
    {"type", ML_T_TYPE},
    {"val", ML_T_VAL},
    {"while", ML_T_WHILE},
    {"with", ML_T_WITH},
    {"withtype", ML_T_WITHTYPE},
    {"structure", ML_T_STRUCTURE},
    {"signature", ML_T_SIGNATURE},
    {"functor", ML_T_FUNCTOR},
};

void ml_lex_open(struct ml_lexer *l, struct ml *ml, const struct ml_text *source, struct err *err) {
  *l = (struct ml_lexer){.ml = ml, .source = source, .line = 0, .err = err};
}

static int peek(const struct ml_lexer *l, size_t ahead) {
  return l->at + ahead < l->source->length ? (unsigned char)l->source->text[l->at + ahead] : -1;
}

static struct place_in_text place(const struct ml_lexer *l, size_t at) {
  const struct place_in_text *first = &l->source->place;
  long column = (long)(at - l->line_start) + (l->line ? 1 : first->column ? first->column : 1);
  return (struct place_in_text){first->file, (first->line ? first->line : 1) + l->line, column};
}

static int fault(struct ml_lexer *l, size_t at, const char *message) {
  return ml_fault(l->err, l->source, place(l, at), at, "%s", message);
}

static void new_line(struct ml_lexer *l) { /* at the line feed */
  l->line++;
  l->line_start = l->at + 1;
}

static int symbolic(int c) { return c > 0 && strchr("!%&$#+-/:<=>?@\\~^|*", c) != NULL; }
static int letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static int digit(int c) { return c >= '0' && c <= '9'; }
static int word_char(int c) { return letter(c) || digit(c) || c == '_' || c == '\''; }

static int skip_blanks(struct ml_lexer *l) {
  size_t depth = 0, start = 0;
  struct ml_lexer opened = *l;
  for (int c; (c = peek(l, 0)) >= 0; l->at++) {
    if (c == '\n') new_line(l);
    else if (c == '(' && peek(l, 1) == '*') {
      if (!depth++) start = l->at, opened = *l;
      l->at++;
    } else if (depth && c == '*' && peek(l, 1) == ')') {
      depth--;
      l->at++;
    } else if (!depth && !(c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')) {
      if (c == 0xC2 && peek(l, 1) == 0xA0) { /* a no-break space, which editors leave behind */
        l->at++;
        continue;
      }
      return 0;
    }
  }
  return depth ? fault(&opened, start, "this comment does not end") : 0;
}

/* Bytes of a string literal while it is read. */
struct bytes vec(char);

static int put(struct ml_lexer *l, struct bytes *b, int c) {
  return vec_push(b, l->ml->mem, MEM_MODEL, (char)c) ? err_memory(l->err, "a text of CPN ML") : 0;
}

/* One escape; l->at is behind the backslash, and is left behind the escape. */
static int escape(struct ml_lexer *l, struct bytes *b) {
  static const char plain[] = "abtnvfr\"\\", means[] = "\a\b\t\n\v\f\r\"\\";
  int c = peek(l, 0);
  const char *known = c > 0 ? strchr(plain, c) : NULL;
  if (known) {
    l->at++;
    return put(l, b, means[known - plain]);
  }
  if (c == '^') {
    int control = peek(l, 1);
    if (control < 64 || control > 95) return fault(l, l->at, "\\^ is followed by one of @A..Z[\\]^_");
    l->at += 2;
    return put(l, b, control - 64);
  }
  if (digit(c)) {
    if (!digit(peek(l, 1)) || !digit(peek(l, 2))) return fault(l, l->at, "\\ and a number: three digits are needed");
    int n = (c - '0') * 100 + (peek(l, 1) - '0') * 10 + (peek(l, 2) - '0');
    if (n > 255) return fault(l, l->at, "this character has a number above 255");
    l->at += 3;
    return put(l, b, n);
  }
  if (c == 'u') {
    int n = 0;
    for (int i = 1; i <= 4; i++) {
      int h = peek(l, (size_t)i);
      if (h < 0 || !isxdigit(h)) return fault(l, l->at, "\\u is followed by four hexadecimal digits");
      n = n * 16 + (digit(h) ? h - '0' : (h | 32) - 'a' + 10);
    }
    if (n > 255) return fault(l, l->at, "this character has a number above 255");
    l->at += 5;
    return put(l, b, n);
  }
  if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f') { /* a gap: blanks between two backslashes */
    while ((c = peek(l, 0)) == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f') {
      if (c == '\n') new_line(l);
      l->at++;
    }
    if (c != '\\') return fault(l, l->at, "blanks after \\ in a string must end with \\");
    l->at++;
    return 0;
  }
  return fault(l, l->at, "\\ is followed by a character that has no meaning here: write \\\\ for one \\");
}

/* l->at is at the opening quote. */
static int string(struct ml_lexer *l, struct ml_token *t) {
  struct bytes b = {0};
  struct ml_lexer opened = *l;
  size_t start = l->at++;
  int status = -1;
  for (;;) {
    int c = peek(l, 0);
    if (c < 0 || c == '\n') {
      fault(&opened, start, c < 0 ? "this string does not end" : "this string does not end on its line");
      goto out;
    }
    l->at++;
    if (c == '"') break;
    if (c == '\\' ? escape(l, &b) : put(l, &b, c)) goto out;
  }
  char *text = arena_strndup(&l->ml->arena, b.at ? b.at : "", b.count);
  if (!text) {
    err_memory(l->err, "a text of CPN ML");
    goto out;
  }
  t->kind = ML_T_STRING;
  t->text = text;
  t->length = b.count;
  status = 0;
out:
  vec_free(&b, l->ml->mem);
  return status;
}

static int digit_of(int c, int base) {
  int value = digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
  return value < base ? value : -1;
}

static int number(struct ml_lexer *l, struct ml_token *t) {
  size_t start = l->at;
  int minus = peek(l, 0) == '~', base = 10;
  l->at += (size_t)minus;
  if (peek(l, 0) == '0' && peek(l, 1) == 'w') return fault(l, start, "words (0w...) are not understood");
  if (peek(l, 0) == '0' && peek(l, 1) == 'x' && digit_of(peek(l, 2), 16) >= 0) base = 16, l->at += 2;
  int64_t n = 0;
  int too_large = 0;
  for (int d; (d = digit_of(peek(l, 0), base)) >= 0; l->at++) {
    if (n > (ML_INT_MAX - d) / base) too_large = 1;
    else n = n * base + d;
  }
  int fraction = peek(l, 0) == '.' && digit(peek(l, 1));
  int exponent_at = fraction ? -1 : 0;
  if (base == 10) {
    if (fraction) {
      l->at++;
      while (digit(peek(l, 0))) l->at++;
    }
    int e = peek(l, 0);
    if ((e == 'e' || e == 'E') && (digit(peek(l, 1)) || (peek(l, 1) == '~' && digit(peek(l, 2))))) {
      l->at += 2;
      while (digit(peek(l, 0))) l->at++;
      exponent_at = 1;
    }
  }
  if (base == 10 && (fraction || exponent_at > 0)) {
    char copy[64];
    size_t length = l->at - start;
    if (length >= sizeof copy) return fault(l, start, "this number has too many digits");
    for (size_t i = 0; i < length; i++) copy[i] = l->source->text[start + i] == '~' ? '-' : l->source->text[start + i];
    copy[length] = 0;
    t->kind = ML_T_REAL;
    t->real = strtod(copy, NULL);
    return isfinite(t->real) ? 0 : fault(l, start, "this number is too large");
  }
  if (too_large) return fault(l, start, "this number is too large: ints go up to 2305843009213693952");
  t->kind = ML_T_INT;
  t->number = minus ? -n : n;
  return 0;
}

static int name(struct ml_lexer *l, struct ml_token *t, size_t from) {
  struct ml_symbol *s = ml_symbol_for(l->ml, l->source->text + from, l->at - from);
  if (!s) return err_memory(l->err, "a name of CPN ML");
  t->kind = ML_T_NAME;
  t->name = s->text;
  return 0;
}

static int word(struct ml_lexer *l, struct ml_token *t) {
  size_t start = l->at;
  int is_long = 0;
  while (word_char(peek(l, 0))) l->at++;
  while (peek(l, 0) == '.' && (letter(peek(l, 1)) || symbolic(peek(l, 1)))) { /* not 1..n or {a, ...} */
    is_long = 1;
    l->at++;
    int sign = symbolic(peek(l, 0));
    while (sign ? symbolic(peek(l, 0)) : word_char(peek(l, 0))) l->at++;
    if (sign) break;
  }
  size_t length = l->at - start;
  if (!is_long && length <= 9) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
      if (strlen(words[i].word) == length && !memcmp(words[i].word, l->source->text + start, length)) {
        t->kind = words[i].kind;
        return 0;
      }
    }
  }
  return name(l, t, start);
}

static int sign(struct ml_lexer *l, struct ml_token *t) {
  size_t start = l->at;
  const char *text = l->source->text + start;
  while (symbolic(peek(l, 0))) l->at++;
  size_t length = l->at - start;
  if (length > 1 && text[length - 1] == '~') {
    struct ml_symbol *whole = ml_symbol_known(l->ml, text, length), *without = ml_symbol_known(l->ml, text, length - 1);
    if (!(whole && (whole->infix >= 0 || whole->value)) && without && without->infix >= 0) l->at--, length--;
  }
  static const struct {
    const char *sign;
    enum ml_token_kind kind;
  } reserved[] = {{"#", ML_T_HASH}, {"->", ML_T_ARROW}, {"=>", ML_T_GIVES}, {"|", ML_T_BAR}, {":", ML_T_COLON}};
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
    if (strlen(reserved[i].sign) == length && !memcmp(reserved[i].sign, text, length)) {
      t->kind = reserved[i].kind;
      return 0;
    }
  }
  return name(l, t, start);
}

static int token(struct ml_lexer *l, struct ml_token *t) {
  int c = peek(l, 0), next = peek(l, 1);
  if (c < 0) return 0;
  if (letter(c)) return word(l, t);
  if (digit(c) || (c == '~' && digit(next))) return number(l, t);
  if (c == '"') return string(l, t);
  if (c == '#' && next == '"') {
    size_t start = l->at++;
    if (string(l, t)) return -1;
    if (t->length != 1) return fault(l, start, "#\"...\" is one character");
    t->kind = ML_T_CHAR;
    t->number = (unsigned char)t->text[0];
    return 0;
  }
  if (c == '`') {
    l->at++;
    return name(l, t, l->at - 1);
  }
  if (c == '\'') {
    size_t start = l->at;
    while (word_char(peek(l, 0))) l->at++;
    if (name(l, t, start)) return -1;
    t->kind = ML_T_TYVAR;
    return 0;
  }
  if (c == '.' && next == '.') {
    t->kind = peek(l, 2) == '.' ? ML_T_DOTS : ML_T_RANGE;
    l->at += t->kind == ML_T_DOTS ? 3 : 2;
    return 0;
  }
  if (c && strchr("()[]{},;_", c)) {
    l->at++;
    t->kind = ML_T_SIGN;
    t->number = c;
    return 0;
  }
  if (symbolic(c)) return sign(l, t);
  char shown[16];
  size_t length = 1;
  while (c >= 0xC0 && length < 4 && (peek(l, length) & 0xC0) == 0x80) length++;
  return ml_fault(l->err, l->source, place(l, l->at), l->at, "'%s' has no meaning in CPN ML",
                  err_quote(shown, sizeof shown, l->source->text + l->at, length));
}

int ml_lex(struct ml_lexer *l, struct ml_token *t) {
  if (skip_blanks(l)) return -1;
  *t = (struct ml_token){.kind = ML_T_END, .from = (uint32_t)l->at, .place = place(l, l->at)};
  if (token(l, t)) return -1;
  t->to = (uint32_t)l->at;
  return 0;
}

void ml_lex_back(struct ml_lexer *l, const struct ml_token *t) {
  l->line = t->place.line - (l->source->place.line ? l->source->place.line : 1);
  l->line_start = t->from - (size_t)(t->place.column - (l->line ? 1 : l->source->place.column ? l->source->place.column : 1));
  l->at = t->from;
}

char *ml_token_show(const struct ml_lexer *l, const struct ml_token *t, char *out, size_t room) {
  if (t->kind == ML_T_END) return strncpy(out, "the end of the text", room - 1), out[room - 1] = 0, out;
  char quoted[48];
  err_quote(quoted, sizeof quoted, l->source->text + t->from, t->to - t->from);
  size_t length = strlen(quoted);
  if (length + 3 > room) length = room - 3;
  out[0] = '\'';
  memcpy(out + 1, quoted, length);
  out[length + 1] = '\'';
  out[length + 2] = 0;
  return out;
}
