/* toml.c -- see toml.h.
 *
 * Lines are headers ([a.b], [[a.b]]) or key = value.  A value is read by a loop with a stack of the containers that are open, at most TOML_NESTED.  `how` of a table
 * says who may add keys to it: OPEN its header and, after others, nobody twice; IMPLICIT (made on the way to a deeper header) its own header once; DOTTED (made by a.b = 1)
 * only more dotted keys of the same section; CLOSED ({...}) nobody. */
#include "bench/toml.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
  const char *text, *end, *p, *line_start;
  const char *file;
  long line;
  struct arena *arena;
  struct err *err;
};

struct mark { /* a place in the text */
  const char *p, *line_start;
  long line;
};

static struct mark here(const struct parser *s) { return (struct mark){s->p, s->line_start, s->line}; }

static int wrong_at(struct parser *s, struct mark m, const char *message) {
  struct place_in_text at = {s->file, m.line, (long)(m.p - m.line_start) + 1};
  err_input(s->err, at, "%s", message);
  err_excerpt(s->err, s->text, (size_t)(s->end - s->text), (size_t)(m.p - s->text));
  return -1;
}

static int wrong(struct parser *s, const char *message) { return wrong_at(s, here(s), message); }

static int at_end(const struct parser *s) { return s->p == s->end; }
static int next_is(const struct parser *s, char c) { return s->p < s->end && *s->p == c; }
static int looking_at(const struct parser *s, const char *what) {
  size_t n = strlen(what);
  return (size_t)(s->end - s->p) >= n && memcmp(s->p, what, n) == 0;
}
static int line_ends(const struct parser *s) { return at_end(s) || *s->p == '\n' || (*s->p == '\r' && s->p + 1 < s->end && s->p[1] == '\n'); }

static void over_line_end(struct parser *s) { /* line_ends, and not the end of the text */
  s->p += *s->p == '\r' ? 2 : 1;
  s->line++;
  s->line_start = s->p;
}

static void blanks(struct parser *s) {
  while (next_is(s, ' ') || next_is(s, '\t')) s->p++;
}

static int control(unsigned char c) { return (c < 32 && c != '\t') || c == 127; }

static int comment(struct parser *s) {
  if (!next_is(s, '#')) return 0;
  for (; !line_ends(s); s->p++)
    if (control((unsigned char)*s->p)) return wrong(s, "a control character in a comment");
  return 0;
}

/* Blanks, comments and ends of lines. */
static int space(struct parser *s) {
  for (;;) {
    blanks(s);
    if (comment(s)) return -1;
    if (at_end(s) || !line_ends(s)) return 0;
    over_line_end(s);
  }
}

/* ---- texts ------------------------------------------------------------------------------------ */

static size_t utf8(char *out, uint32_t c) {
  if (c < 0x80) return out[0] = (char)c, 1;
  if (c < 0x800) return out[0] = (char)(0xc0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
  if (c < 0x10000) return out[0] = (char)(0xe0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)), out[2] = (char)(0x80 | (c & 63)), 3;
  out[0] = (char)(0xf0 | c >> 18), out[1] = (char)(0x80 | (c >> 12 & 63)), out[2] = (char)(0x80 | (c >> 6 & 63)), out[3] = (char)(0x80 | (c & 63));
  return 4;
}

/* What follows a backslash: the number of bytes written (at most 4, never more than were read), or 0 after an error. */
static size_t escaped(struct parser *s, char *out) {
  static const char from[] = "btnfre\"\\", to[] = "\b\t\n\f\r\033\"\\";
  if (at_end(s)) return wrong(s, "the string does not end"), 0;
  const char *at = *s->p ? strchr(from, *s->p) : NULL;
  if (at && *at != 'e') return out[0] = to[at - from], s->p++, 1;
  if (*s->p != 'u' && *s->p != 'U') return wrong(s, "no such escape: \\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX \\UXXXXXXXX are; in single quotes a backslash is itself"), 0;
  int digits = *s->p == 'u' ? 4 : 8;
  struct mark start = here(s);
  uint32_t c = 0;
  s->p++;
  for (int i = 0; i < digits; i++, s->p++) {
    if (at_end(s) || !isxdigit((unsigned char)*s->p)) return wrong_at(s, start, "\\u takes four hexadecimal digits, \\U eight"), 0;
    c = c << 4 | (uint32_t)(isdigit((unsigned char)*s->p) ? *s->p - '0' : (tolower((unsigned char)*s->p) - 'a') + 10);
  }
  if (!c) return wrong_at(s, start, "a string cannot contain the character 0"), 0;
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return wrong_at(s, start, "this is no Unicode character"), 0;
  return utf8(out, c);
}

/* A string in any of the four ways of writing one; `several`: one over several lines is allowed. NULL after an error. */
static const char *string(struct parser *s, int several) {
  char quote = *s->p;
  struct mark start = here(s);
  const char triple[] = {quote, quote, quote, 0};
  int multi = looking_at(s, triple), raw = quote == '\'';
  if (multi && !several) return wrong(s, "a key cannot be a string over several lines"), NULL;
  s->p += multi ? 3 : 1;
  if (multi && !at_end(s) && line_ends(s)) over_line_end(s);
  /* what is written is never longer than what is read; find the end of the text only once */
  size_t room = 0, n = 0;
  for (const char *q = s->p; q < s->end; q++, room++) {
    if (!raw && *q == '\\' && q + 1 < s->end) q++, room++;
    else if (*q == quote && !multi) break;
    else if (*q == quote && s->end - q >= 3 && memcmp(q, triple, 3) == 0 && !(s->end - q > 3 && q[3] == quote)) break;
    else if (*q == '\n' && !multi) break;
  }
  char *out = arena_alloc(s->arena, room + 8);
  if (!out) return err_memory(s->err, "the suite"), NULL;
  for (;;) {
    if (at_end(s)) return wrong_at(s, start, "the string does not end"), NULL;
    if (*s->p == quote) {
      if (!multi) return s->p++, out;
      if (looking_at(s, triple)) {
        s->p += 3;
        for (int more = 0; more < 2 && next_is(s, quote); more++) out[n++] = quote, s->p++; /* quotes before the last three belong to it */
        return out;
      }
    }
    if (line_ends(s)) {
      if (!multi) return wrong_at(s, start, "the string does not end on its line; strings over several lines have three quotes"), NULL;
      if (*s->p == '\r') out[n++] = '\r';
      out[n++] = '\n';
      over_line_end(s);
      continue;
    }
    if (control((unsigned char)*s->p)) return wrong(s, "a control character in a string"), NULL;
    if (raw || *s->p != '\\') {
      out[n++] = *s->p++;
      continue;
    }
    s->p++;
    const char *back = s->p;
    blanks(s);
    if (multi && !at_end(s) && line_ends(s)) { /* a backslash at the end of the line: all white space up to the next text is left out */
      while (!at_end(s) && (line_ends(s) || *s->p == ' ' || *s->p == '\t')) {
        if (line_ends(s)) over_line_end(s);
        else s->p++;
      }
      continue;
    }
    s->p = back;
    size_t bytes = escaped(s, out + n);
    if (!bytes) return NULL;
    n += bytes;
  }
}

/* ---- numbers ---------------------------------------------------------------------------------- */

static int word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '+' || c == '.' || c == ':'; }

/* Digits with single _ between them, without them into out. Returns how many digits, 0 if there are none or a _ is astray. */
static size_t digits(const char **p, char *out, size_t *n, const char *allowed) {
  size_t got = 0;
  for (; **p && (strchr(allowed, tolower((unsigned char)**p)) || **p == '_'); ++*p) {
    if (**p != '_') out[(*n)++] = **p, got++;
    else if (!got || !(*p)[1] || !strchr(allowed, tolower((unsigned char)(*p)[1]))) return 0;
  }
  return got;
}

static int based(struct parser *s, struct toml *v, struct mark start, const char *p, int base, const char *allowed) {
  char plain[80];
  size_t n = 0, got = digits(&p, plain, &n, allowed);
  plain[n] = 0;
  errno = 0;
  v->integer = got ? (int64_t)strtoll(plain, NULL, base) : 0;
  v->real = (double)v->integer;
  if (!got || *p) return wrong_at(s, start, "this is no number");
  return errno ? wrong_at(s, start, "the number does not fit into 64 bits") : 0;
}

static int number(struct parser *s, struct toml *v) {
  struct mark start = here(s);
  char word[80], plain[84];
  size_t length = 0, n = 0;
  while (s->p < s->end && word_char(*s->p) && length < sizeof word - 1) word[length++] = *s->p++;
  word[length] = 0;
  if (!length) return wrong_at(s, start, "a value is expected here: a string in quotes, a number, true, false, [...] or {...}");
  if (s->p < s->end && word_char(*s->p)) return wrong_at(s, start, "this is no number");
  v->kind = TOML_BOOL;
  v->truth = strcmp(word, "true") == 0;
  if (v->truth || strcmp(word, "false") == 0) return 0;
  v->kind = TOML_INTEGER;
  if (word[0] == '0' && word[1] == 'x') return based(s, v, start, word + 2, 16, "0123456789abcdef");
  if (word[0] == '0' && word[1] == 'o') return based(s, v, start, word + 2, 8, "01234567");
  if (word[0] == '0' && word[1] == 'b') return based(s, v, start, word + 2, 2, "01");
  const char *p = word;
  if (*p == '+' || *p == '-') plain[n++] = *p++;
  if (strcmp(p, "inf") == 0 || strcmp(p, "nan") == 0) {
    v->kind = TOML_REAL;
    v->real = *p == 'n' ? (double)NAN : *word == '-' ? -(double)INFINITY : (double)INFINITY;
    return 0;
  }
  const char *whole = p;
  if (isalpha((unsigned char)*p)) return wrong_at(s, start, "strings stand in quotes; this is no value");
  if (!digits(&p, plain, &n, "0123456789")) return wrong_at(s, start, "this is no number");
  if (*p == '-' || *p == ':') return wrong_at(s, start, "dates and times have no use here");
  if (*whole == '0' && isdigit((unsigned char)whole[1])) return wrong_at(s, start, "a number does not begin with 0");
  if (*p == '.') {
    v->kind = TOML_REAL;
    plain[n++] = *p++;
    if (!digits(&p, plain, &n, "0123456789")) return wrong_at(s, start, "digits are missing after the point");
  }
  if (*p == 'e' || *p == 'E') {
    v->kind = TOML_REAL;
    plain[n++] = *p++;
    if (*p == '+' || *p == '-') plain[n++] = *p++;
    if (!digits(&p, plain, &n, "0123456789")) return wrong_at(s, start, "digits are missing in the exponent");
  }
  plain[n] = 0;
  if (*p) return wrong_at(s, start, "this is no number");
  errno = 0;
  if (v->kind == TOML_REAL) return v->real = strtod(plain, NULL), 0;
  v->integer = (int64_t)strtoll(plain, NULL, 10);
  v->real = (double)v->integer;
  return errno ? wrong_at(s, start, "the number does not fit into 64 bits") : 0;
}

/* ---- keys and tables -------------------------------------------------------------------------- */

static struct toml *add(struct parser *s, struct toml *into, const char *key, struct mark at) {
  struct toml *v = arena_alloc(s->arena, sizeof *v);
  if (!v) return err_memory(s->err, "the suite"), NULL;
  v->key = key;
  v->file = s->file;
  v->line = at.line;
  v->column = (long)(at.p - at.line_start) + 1;
  if (into->last) into->last->next = v;
  else into->first = v;
  into->last = v;
  if (++into->count > TOML_KEYS && into->kind == TOML_TABLE) return wrong_at(s, at, "too many keys in one table"), NULL;
  return v;
}

static const char *key(struct parser *s) {
  if (next_is(s, '"') || next_is(s, '\'')) return string(s, 0);
  const char *start = s->p;
  while (s->p < s->end && (isalnum((unsigned char)*s->p) || *s->p == '_' || *s->p == '-')) s->p++;
  if (s->p == start) return wrong(s, "a key is expected here: letters, digits, - and _, or a string in quotes"), NULL;
  char *copy = arena_strndup(s->arena, start, (size_t)(s->p - start));
  if (!copy) err_memory(s->err, "the suite");
  return copy;
}

/* The next key of a dotted one; *more: another follows. */
static const char *key_part(struct parser *s, struct mark *at, int *more) {
  blanks(s);
  *at = here(s);
  const char *k = key(s);
  if (!k) return NULL;
  blanks(s);
  *more = next_is(s, '.');
  if (*more) s->p++;
  return k;
}

/* The table of [a.b.c]; the last of its name where a is an array of tables. */
static struct toml *header(struct parser *s, struct toml *top) {
  int several = looking_at(s, "[["), more = 1;
  struct toml *at = top;
  s->p += several ? 2 : 1;
  while (more) {
    struct mark m;
    const char *k = key_part(s, &m, &more);
    if (!k) return NULL;
    struct toml *next = toml_find(at, k);
    if (!more && several) {
      if (!next) {
        if (!(next = add(s, at, k, m))) return NULL;
        next->kind = TOML_ARRAY;
        next->how = TOML_OPEN;
      } else if (next->kind != TOML_ARRAY || next->how != TOML_OPEN) return wrong_at(s, m, "this name is in use for something else than [[tables]]"), NULL;
      if (!(at = add(s, next, NULL, m))) return NULL;
      break;
    }
    if (!next) {
      if (!(next = add(s, at, k, m))) return NULL;
      next->how = more ? TOML_IMPLICIT : TOML_OPEN;
    } else if (next->kind == TOML_ARRAY && next->how == TOML_OPEN && more) next = next->last;
    else if (next->kind != TOML_TABLE || next->how == TOML_CLOSED) return wrong_at(s, m, "this key has a value already; it cannot be a table"), NULL;
    else if (!more && next->how == TOML_IMPLICIT) next->how = TOML_OPEN;
    else if (!more) return wrong_at(s, m, "this table is there already"), NULL;
    else if (next->how == TOML_DOTTED) return wrong_at(s, m, "this table was made by dotted keys; it cannot be gone on with"), NULL;
    at = next;
  }
  if (!looking_at(s, several ? "]]" : "]")) return wrong(s, several ? "]] is missing" : "] is missing"), NULL;
  s->p += several ? 2 : 1;
  return at;
}

/* a.b = : the new member, without its value; NULL after an error. */
static struct toml *assignment(struct parser *s, struct toml *table) {
  int more = 1;
  for (;;) {
    struct mark m;
    const char *k = key_part(s, &m, &more);
    if (!k) return NULL;
    struct toml *next = toml_find(table, k);
    if (!more) {
      if (next) return wrong_at(s, m, "this key is there already"), NULL;
      if (!next_is(s, '=')) return wrong(s, "= is expected here"), NULL;
      s->p++;
      return add(s, table, k, m);
    }
    if (!next) {
      if (!(next = add(s, table, k, m))) return NULL;
      next->how = TOML_DOTTED;
    } else if (next->kind != TOML_TABLE || next->how != TOML_DOTTED) return wrong_at(s, m, "this key has a value already"), NULL;
    table = next;
  }
}

/* ---- values ----------------------------------------------------------------------------------- */

/* The value of v, with everything inside it. */
static int value(struct parser *s, struct toml *v) {
  struct toml *open[TOML_NESTED];
  size_t depth = 0;
  for (;;) { /* v wants a value */
    blanks(s);
    if (depth && open[depth - 1]->kind == TOML_ARRAY && space(s)) return -1;
    if (!v->key) v->line = s->line, v->column = (long)(s->p - s->line_start) + 1;
    if (next_is(s, '[') || next_is(s, '{')) {
      if (depth == TOML_NESTED) return wrong(s, "nested too deeply");
      v->kind = *s->p++ == '[' ? TOML_ARRAY : TOML_TABLE;
      v->how = TOML_OPEN; /* until its end */
      open[depth++] = v;
    } else if (next_is(s, '"') || next_is(s, '\'')) {
      v->kind = TOML_TEXT;
      if (!(v->text = string(s, 1))) return -1;
    } else if (number(s, v)) return -1;
    /* what follows a value, or the beginning of a container */
    for (int fresh = depth && open[depth - 1] == v;; fresh = 0) {
      if (!depth) return 0;
      struct toml *c = open[depth - 1];
      int array = c->kind == TOML_ARRAY;
      if (array ? space(s) : (blanks(s), 0)) return -1;
      if (!fresh && next_is(s, ',')) {
        s->p++;
        if (array ? space(s) : (blanks(s), 0)) return -1;
        if (!array || !next_is(s, ']')) fresh = 1;
      } else if (!fresh && !next_is(s, array ? ']' : '}')) return wrong(s, array ? ", or ] is expected here" : ", or } is expected here");
      if (next_is(s, array ? ']' : '}') && (!fresh || !c->count)) {
        s->p++;
        c->how = TOML_CLOSED;
        depth--;
        continue;
      }
      if (array) v = add(s, c, NULL, here(s));
      else v = assignment(s, c);
      if (!v) return -1;
      break;
    }
  }
}

/* ---- the whole -------------------------------------------------------------------------------- */

static int check_utf8(struct parser *s) {
  for (const char *p = s->text; p < s->end; p++) {
    unsigned char c = (unsigned char)*p;
    int more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
    int good = more >= 0 && s->end - p > more;
    for (int i = 1; good && i <= more; i++) good = ((unsigned char)p[i] & 0xc0) == 0x80;
    if (good && more == 2) good = !(c == 0xe0 && (unsigned char)p[1] < 0xa0) && !(c == 0xed && (unsigned char)p[1] >= 0xa0);
    if (good && more == 3) good = !(c == 0xf0 && (unsigned char)p[1] < 0x90) && !(c == 0xf4 && (unsigned char)p[1] >= 0x90);
    if (c == '\n') s->line++, s->line_start = p + 1;
    if (!good) return s->p = p, wrong(s, "this is no UTF-8");
    p += more;
  }
  s->line = 1;
  s->line_start = s->text;
  return 0;
}

int toml_parse(struct toml **out, const char *file, const char *text, size_t length, struct arena *arena, struct err *e) {
  struct parser s = {.text = text, .end = text + length, .p = text, .line_start = text, .line = 1, .arena = arena, .err = e};
  struct toml *top = arena_alloc(arena, sizeof *top), *at = top;
  s.file = arena_strndup(arena, file, strlen(file));
  *out = NULL;
  if (!top || !s.file) return err_memory(e, "the suite");
  *top = (struct toml){.file = s.file, .line = 1, .column = 1};
  if (length > TOML_LONGEST) return wrong(&s, "the file is too large");
  if (looking_at(&s, "\xef\xbb\xbf")) s.p += 3;
  const char *begin = s.p;
  if (check_utf8(&s)) return -1;
  s.p = begin;
  for (;;) {
    if (space(&s)) return -1;
    if (at_end(&s)) break;
    if (next_is(&s, '[')) {
      if (!(at = header(&s, top))) return -1;
    } else {
      struct toml *v = assignment(&s, at);
      if (!v || value(&s, v)) return -1;
    }
    blanks(&s);
    if (comment(&s)) return -1;
    if (!line_ends(&s)) return wrong(&s, "the line should end here");
  }
  *out = top;
  return 0;
}

int toml_read(struct toml **out, const char *file, const char **text, size_t *length, struct arena *arena, struct err *e) {
  FILE *in = fopen(file, "re");
  *out = NULL;
  if (!in) return err_io(e, file, "cannot be opened: %s", strerror(errno));
  size_t room = 16384, n = 0, got;
  char *bytes = mem_alloc(arena->mem, arena->tag, room);
  while (bytes && n <= TOML_LONGEST && (got = fread(bytes + n, 1, room - n, in)) > 0) {
    n += got;
    if (n < room) continue;
    char *more = mem_resize(arena->mem, arena->tag, bytes, room *= 2);
    if (!more) mem_free(arena->mem, bytes);
    bytes = more;
  }
  int bad = ferror(in), why = errno;
  fclose(in);
  if (!bytes) return err_memory(e, "the suite");
  int status = bad ? err_io(e, file, "cannot be read: %s", strerror(why)) : toml_parse(out, file, bytes, n, arena, e);
  if (!status && text && (!(*text = arena_strndup(arena, bytes, n)))) status = err_memory(e, "the suite");
  if (length) *length = n;
  mem_free(arena->mem, bytes);
  return status;
}

struct toml *toml_find(const struct toml *table, const char *key) {
  for (struct toml *v = table && table->kind == TOML_TABLE ? table->first : NULL; v; v = v->next)
    if (strcmp(v->key, key) == 0) return v;
  return NULL;
}

struct place_in_text toml_at(const struct toml *v) { return (struct place_in_text){v->file, v->line, v->column}; }

const char *toml_kind_name(enum toml_kind kind) {
  static const char *const names[] = {"a table", "an array", "a string", "a whole number", "a number", "true or false"};
  return names[kind];
}
