/* lexer.c -- text into tokens.
 *
 * The whole text becomes one array: inline definitions are then ranges of it, and expanding one is walking a range again
 * (stream.c).  C fragments and LTL formulas are not Promela; they are kept as one token of raw text.
 *
 * Places are those of the original text.  The line is known from the table of lines.  For the column each word of a line is
 * looked for in the original line, from left to right; words that a macro put there are not found and get the place where the
 * search stands, which is where the macro was called. */
#include "front/promela/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const keywords[] = {
    "active",  "assert",   "atomic",       "bit",    "bool",    "break",    "byte",     "c_code",   "c_decl", "c_expr",
    "c_state", "c_track",  "D_proctype",   "do",     "chan",    "else",     "empty",    "enabled",  "eval",   "fi",
    "for",     "full",     "get_priority", "goto",   "hidden",  "if",       "in",       "init",     "inline", "int",
    "len",     "local",    "ltl",          "mtype",  "nempty",  "never",    "nfull",    "notrace",  "np_",    "od",
    "of",      "pc_value", "pid",          "printf", "printm",  "priority", "proctype", "provided", "return", "run",
    "d_step",  "select",   "set_priority", "short",  "timeout", "trace",    "show",     "typedef",  "unless", "unsigned",
    "xr",      "xs",       "new",          "reset",
};
static const char *const signs[] = {
    "(", ")", "{", "}", "[", "]", ",",  ";",  "->", ":",  "::", ".",  "..", "@",  "=",  "++", "--", "+",  "-", "*",
    "/", "%", "&", "|", "^", "~", "&&", "||", "==", "!=", "<",  "<=", ">",  ">=", "<<", ">>", "!",  "!!", "?", "??",
};

const char *token_spelling(enum token_kind k) {
  if (k >= K_ACTIVE && k <= K_RESET) return keywords[k - K_ACTIVE];
  if (k >= T_LPAREN && k < T_BAD) return signs[k - T_LPAREN];
  switch (k) {
  case T_END: return "the end of the file";
  case T_NAME: return "a name";
  case T_NUMBER: return "a number";
  case T_STRING: return "a string";
  case T_C_TEXT: return "C code";
  case T_LTL_TEXT: return "a formula";
  default: return "this";
  }
}

struct lexer {
  const struct source *source;
  const char *text;
  size_t length, at;
  size_t line;        /* index in source->lines of the line that `at` is in */
  size_t column_line; /* line for which `searched` holds */
  size_t searched;    /* offset in the original line up to which words were found */
  int newline, plus;
  struct tokens *out;
  void (*fault)(void *, struct place_in_text, const char *);
  void *context;
};

static int word_start(int c) { return isalpha(c) || c == '_'; }
static int word_part(int c) { return isalnum(c) || c == '_'; }

/* Where in the original line the word stands; the search goes on behind it next time. */
static long column_of(struct lexer *l, const struct source_line *line, size_t offset, size_t length) {
  const char *word = l->text + offset;
  if (!l->source->preprocessed) return (long)(offset - line->offset) + 1;
  size_t room, skip = 0;
  const char *original = source_original(l->source, line->file, line->line, &room);
  if (l->column_line != l->line) {
    l->column_line = l->line;
    l->searched = 0;
  }
  int name = word_part((unsigned char)word[0]);
  for (size_t i = l->searched; length && i + length <= room; i++) {
    if (original[i] != word[0] || memcmp(original + i, word, length)) continue;
    if (name && ((i && word_part((unsigned char)original[i - 1])) ||
                 (i + length < room && word_part((unsigned char)original[i + length]))))
      continue;
    l->searched = i + length;
    return (long)i + 1;
  }
  while (l->searched + skip < room && (original[l->searched + skip] == ' ' || original[l->searched + skip] == '\t')) skip++;
  return (long)(l->searched + (l->searched + skip < room ? skip : 0)) + 1;
}

static struct place_in_text place_at(struct lexer *l, size_t offset, size_t length) {
  const struct source_line *lines = l->source->lines.at;
  while (l->line + 1 < l->source->lines.count && lines[l->line + 1].offset <= offset) l->line++;
  const struct source_line *line = &lines[l->line];
  return (struct place_in_text){l->source->files.at[line->file].name, (long)line->line, column_of(l, line, offset, length)};
}

static int push(struct lexer *l, enum token_kind kind, size_t start, size_t skip, size_t length, int32_t value) {
  struct token t = {.kind = (uint8_t)kind,
                    .newline = (uint8_t)l->newline,
                    .value = value,
                    .text = l->text + start + skip,
                    .length = (uint32_t)length,
                    .place = place_at(l, start, skip ? 1 : length)};
  l->newline = 0;
  return vec_push(&l->out->list, l->source->mem, MEM_OTHER, t);
}

static void complain(struct lexer *l, size_t start, const char *message) { l->fault(l->context, place_at(l, start, 1), message); }

static char at(const struct lexer *l, size_t i) { return i < l->length ? l->text[i] : 0; }

/* Where the line ends; one that ends in a \ goes on. */
static size_t line_end(const struct lexer *l, size_t from) {
  for (;;) {
    const char *end = memchr(l->text + from, '\n', l->length - from);
    if (!end) return l->length;
    size_t stop = (size_t)(end - l->text), last = stop;
    while (last > from &&
           (l->text[last - 1] == '\r' || l->text[last - 1] == ' ' || l->text[last - 1] == '\t'))
      last--;
    if (last == from || l->text[last - 1] != '\\') return stop;
    from = stop + 1;
  }
}

/* #pragma and #ident: what the preprocessor lets through, and nobody misses. */
static int is_let_through(const struct lexer *l) {
  size_t i = l->at + 1;
  while (at(l, i) == ' ' || at(l, i) == '\t') i++;
  return l->length - i > 6 &&
         (!memcmp(l->text + i, "pragma", 6) || !memcmp(l->text + i, "ident", 5));
}

static void skip_blanks(struct lexer *l) {
  while (l->at < l->length) {
    char c = l->text[l->at];
    if (c == '\n') {
      l->newline = 1;
      l->at++;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      l->at++;
    } else if (c == '\\' && (at(l, l->at + 1) == '\n' || (at(l, l->at + 1) == '\r' && at(l, l->at + 2) == '\n'))) {
      l->at += at(l, l->at + 1) == '\n' ? 2 : 3; /* a continued line */
    } else if (c == '/' && at(l, l->at + 1) == '/') {
      l->at = line_end(l, l->at);
    } else if (c == '/' && at(l, l->at + 1) == '*') {
      size_t i = l->at + 2;
      while (i + 1 < l->length && !(l->text[i] == '*' && l->text[i + 1] == '/')) i++;
      if (i + 1 >= l->length) complain(l, l->at, "this comment is not closed");
      l->at = i + 2 < l->length ? i + 2 : l->length;
    } else if (c == '*' && at(l, l->at + 1) == '/') {
      l->at += 2; /* what is left of a comment in a comment; SPIN does not mind */
    } else if (c == '#' && l->source->preprocessed && (l->newline || !l->out->list.count) &&
               is_let_through(l)) {
      l->at = line_end(l, l->at);
    } else {
      return;
    }
  }
}

/* The end of a bracketed text, past strings, character constants and comments; 0 if it is never closed. */
static size_t closing(const struct lexer *l, size_t start, char open, char close) {
  long nest = 0;
  for (size_t i = start; i < l->length; i++) {
    char c = l->text[i];
    if (c == '"' || c == '\'') {
      size_t k = i + 1;
      while (k < l->length && l->text[k] != c && l->text[k] != '\n') k += l->text[k] == '\\' ? 2 : 1;
      if (k >= l->length) return 0;
      if (l->text[k] == c) i = k;
      continue;
    }
    if (c == '/' && at(l, i + 1) == '*') {
      i += 2;
      while (i + 1 < l->length && !(l->text[i] == '*' && l->text[i + 1] == '/')) i++;
      i++;
      continue;
    }
    if (c == '/' && at(l, i + 1) == '/') {
      while (i + 1 < l->length && l->text[i + 1] != '\n') i++;
      continue;
    }
    if (c == open) nest++;
    if (c == close && --nest == 0) return i;
  }
  return 0;
}

/* {...} or [...] as one token. */
static int raw(struct lexer *l, enum token_kind kind, char open, char close) {
  size_t start = l->at, end = closing(l, start, open, close);
  if (!end) {
    complain(l, start, "this is not closed");
    end = l->length - 1;
  }
  l->at = end + 1;
  return push(l, kind, start, 1, end > start ? end - start - 1 : 0, 0);
}

static int c_fragment(struct lexer *l) {
  skip_blanks(l);
  if (at(l, l->at) == '[' && raw(l, T_C_PRECONDITION, '[', ']')) return -1;
  skip_blanks(l);
  return at(l, l->at) == '{' ? raw(l, T_C_TEXT, '{', '}') : 0;
}

static int ltl(struct lexer *l) {
  skip_blanks(l);
  if (word_start((unsigned char)at(l, l->at))) {
    size_t start = l->at;
    while (word_part((unsigned char)at(l, l->at))) l->at++;
    if (push(l, T_NAME, start, 0, l->at - start, 0)) return -1;
    skip_blanks(l);
  }
  return at(l, l->at) == '{' ? raw(l, T_LTL_TEXT, '{', '}') : 0;
}

static int word(struct lexer *l) {
  size_t start = l->at;
  while (word_part((unsigned char)at(l, l->at))) l->at++;
  size_t length = l->at - start;
  const char *w = l->text + start;
  if ((length == 4 && (!memcmp(w, "true", 4) || !memcmp(w, "skip", 4)))) return push(l, T_NUMBER, start, 0, length, 1);
  if (length == 5 && !memcmp(w, "false", 5)) return push(l, T_NUMBER, start, 0, length, 0);
  size_t count = sizeof keywords / sizeof *keywords - (l->plus ? 0 : 2);
  for (size_t i = 0; i < count; i++) {
    if (strlen(keywords[i]) != length || memcmp(keywords[i], w, length)) continue;
    enum token_kind k = (enum token_kind)(K_ACTIVE + i);
    if (push(l, k, start, 0, length, 0)) return -1;
    if (k == K_C_CODE || k == K_C_DECL || k == K_C_EXPR) return c_fragment(l);
    return k == K_LTL ? ltl(l) : 0;
  }
  return push(l, T_NAME, start, 0, length, 0);
}

static int number(struct lexer *l) {
  size_t start = l->at;
  int64_t value = 0;
  int huge = 0;
  while (isdigit((unsigned char)at(l, l->at))) {
    value = value * 10 + (l->text[l->at++] - '0');
    if (value > 0xffffffffll) huge = 1, value = 0xffffffffll;
  }
  if (huge) complain(l, start, "this number does not fit into 32 bits");
  return push(l, T_NUMBER, start, 0, l->at - start, (int32_t)(uint32_t)value);
}

static int string(struct lexer *l) {
  size_t start = l->at, i = start + 1;
  while (i < l->length && l->text[i] != '"' && l->text[i] != '\n') i += l->text[i] == '\\' && i + 1 < l->length ? 2 : 1;
  if (i >= l->length || l->text[i] != '"') complain(l, start, "this string is not closed");
  l->at = i < l->length && l->text[i] == '"' ? i + 1 : (i < l->length ? i : l->length);
  return push(l, T_STRING, start, 1, (i < l->length ? i : l->length) - start - 1, 0);
}

static int character(struct lexer *l) {
  size_t start = l->at, i = start + 1;
  int c = (unsigned char)at(l, i++);
  if (c == '\\') {
    c = (unsigned char)at(l, i++);
    c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'f' ? '\f' : c == '0' ? 0 : c;
  }
  if (at(l, i) != '\'') complain(l, start, "a character constant is one character in quotes");
  else i++;
  l->at = i < l->length ? i : l->length;
  return push(l, T_NUMBER, start, 0, l->at - start, c);
}

static int sign(struct lexer *l) {
  int best = -1;
  for (int i = 0; i < (int)(sizeof signs / sizeof *signs); i++) {
    size_t n = strlen(signs[i]);
    if (n <= l->length - l->at && !memcmp(signs[i], l->text + l->at, n) && (best < 0 || n > strlen(signs[best]))) best = i;
  }
  size_t start = l->at, n = best < 0 ? 1 : strlen(signs[best]);
  l->at += n;
  return push(l, best < 0 ? T_BAD : (enum token_kind)(T_LPAREN + best), start, 0, n, 0);
}

int lexer_tokens(struct tokens *out, const struct source *source, int plus,
                 void (*fault)(void *context, struct place_in_text, const char *message), void *context) {
  struct lexer l = {.source = source,
                    .text = source->text,
                    .length = source->length,
                    .plus = plus,
                    .out = out,
                    .fault = fault,
                    .context = context,
                    .column_line = (size_t)-1};
  int status = 0;
  if (l.length >= 3 && !memcmp(l.text, "\xef\xbb\xbf", 3)) l.at = 3; /* a byte order mark */
  while (!status) {
    skip_blanks(&l);
    if (l.at >= l.length) return push(&l, T_END, l.length, 0, 0, 0);
    unsigned char c = (unsigned char)l.text[l.at];
    if (word_start(c)) status = word(&l);
    else if (isdigit(c)) status = number(&l);
    else if (c == '"') status = string(&l);
    else if (c == '\'') status = character(&l);
    else status = sign(&l);
  }
  return -1;
}
