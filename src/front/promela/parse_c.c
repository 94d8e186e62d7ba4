/* parse_c.c -- embedded C: c_code, c_expr, c_decl, c_state, c_track.
 *
 * The C itself is kept as text with its place; process/embedded.c makes code of it, if the user allows it.  A fragment in an
 * inline is kept once for each use of the inline: it belongs to the process type that uses it.
 *
 * Formulas are read after the C was compiled.  What stands in an ltl block is kept beforehand, and found again by its text when the formula's
 * conditions are read; other C cannot be asked any more. */
#include "front/promela/parse.h"

#include <ctype.h>
#include <string.h>

static struct place_in_text after_bracket(const struct token *t) {
  return (struct place_in_text){t->place.file, t->place.line, t->place.column + 1};
}

static int32_t keep(struct parser *p, struct ir_c part, struct place_in_text word) {
  struct program *g = p->program;
  part.scope = p->context ? p->context->proc + 1 : 0;
  if (!g->uses_c) g->first_c = word;
  g->uses_c = 1;
  if (vec_push(&g->c_parts, g->mem, MEM_MODEL, part)) g->failed = 1;
  return g->failed ? 0 : (int32_t)g->c_parts.count - 1;
}

/* What the compiler would not see to its end. */
static void check_bytes(struct parser *p, const struct token *t) {
  if (memchr(t->text, 0, t->length)) parse_error(p, t->place, "there is a zero byte in this C text");
}

/* The same but for the number of blanks? That is what a formula keeps of its text. */
static int alike(const char *a, const char *b) {
  while (isspace((unsigned char)*a)) a++;
  while (isspace((unsigned char)*b)) b++;
  for (;;) {
    int blank_a = 0, blank_b = 0;
    while (isspace((unsigned char)*a)) a++, blank_a = 1;
    while (isspace((unsigned char)*b)) b++, blank_b = 1;
    if (!*a || !*b) return *a == *b;
    if (blank_a != blank_b || *a++ != *b++) return 0;
  }
}

static int32_t find_asked(struct parser *p, const struct ir_c *part, struct place_in_text word) {
  const struct program *g = p->program;
  int32_t found = -1;
  for (size_t i = 0; i < g->c_parts.count && part->text && !part->precondition; i++) {
    const struct ir_c *c = &g->c_parts.at[i];
    if (!c->of_formula || c->truth || !alike(c->text, part->text)) continue;
    if (found >= 0 && strcmp(g->c_parts.at[found].text, c->text) != 0) found = (int32_t)g->c_parts.count; /* which of them? */
    else if (found < 0) found = (int32_t)i;
  }
  if (found >= 0 && (size_t)found < g->c_parts.count) return found;
  parse_error(p, word, "c_expr can be asked inside the model only");
  return 0;
}

int32_t parse_c_text(struct parser *p, enum ir_c_kind kind, struct place_in_text word) {
  struct ir_c part = {.kind = kind};
  if (stream_peek(p, 0)->kind == T_C_PRECONDITION) {
    struct token t = stream_next(p);
    check_bytes(p, &t);
    part.precondition = program_text(p->program, t.text, t.length);
    part.precondition_place = after_bracket(&t);
    if (kind == IR_C_DECLARATIONS || kind == IR_C_FUNCTIONS)
      parse_error(p, t.place, "only statements and conditions have preconditions");
  }
  if (stream_peek(p, 0)->kind != T_C_TEXT) {
    parse_expected(p, "\"{\" and C code");
    return 0;
  }
  struct token t = stream_next(p);
  check_bytes(p, &t);
  part.text = program_text(p->program, t.text, t.length);
  part.place = after_bracket(&t);
  return p->asked ? find_asked(p, &part, word) : keep(p, part, word);
}

/* Behind the bracket at `open`; NULL: it is never closed. */
static const char *behind(const char *open) {
  long nest = 0;
  for (const char *c = open; *c; c++) {
    if (*c == '"' || *c == '\'') {
      const char *end = c + 1;
      while (*end && *end != *c && *end != '\n') end += *end == '\\' && end[1] ? 2 : 1;
      if (*end == *c) c = end;
    } else if (*c == '{') nest++;
    else if (*c == '}' && --nest == 0) return c + 1;
  }
  return NULL;
}

static int in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

void parse_c_of_formula(struct parser *p, const struct token *t, const char *text) {
  static const char name[] = "c_expr";
  const size_t size = sizeof name - 1;
  struct place_in_text at = {t->place.file, t->place.line, t->place.column + 1};
  for (const char *c = text, *end; *c; c = end) {
    const char *open = c + size;
    end = c + 1;
    if (!strncmp(c, name, size) && !in_word(*open) && (c == text || !in_word(c[-1]))) {
      while (isspace((unsigned char)*open)) open++;
      const char *close = *open == '{' ? behind(open) : NULL;
      if (close) {
        struct ir_c part = {.kind = IR_C_CONDITION, .of_formula = 1, .place = {at.file, at.line, at.column + (open + 1 - c)}};
        part.text = program_text(p->program, open + 1, (size_t)(close - open) - 2);
        for (; part.truth < 2; part.truth++) keep(p, part, at);
        end = close;
      }
    }
    for (; c < end; c++) at.column = *c == '\n' ? 1 : at.column + 1, at.line += *c == '\n';
  }
}

/* A string as C wants it: quotes that were escaped for the sake of Promela are plain. */
static const char *plain(struct parser *p, const struct token *t) {
  char *copy = parse_alloc(p, (size_t)t->length + 1);
  size_t n = 0;
  for (uint32_t i = 0; i < t->length; i++)
    if (t->text[i] != '\\' || i + 1 >= t->length || t->text[i + 1] != '"') copy[n++] = t->text[i];
  return program_text(p->program, copy, n);
}

void parse_c_strings(struct parser *p, enum ir_c_kind kind, struct place_in_text word) {
  struct ir_c part = {.kind = kind};
  const char *text[3] = {NULL, NULL, NULL};
  struct place_in_text place[3] = {{0}};
  unsigned strings = 0;
  for (; strings < 3 && stream_peek(p, 0)->kind == T_STRING; strings++) {
    struct token t = stream_next(p);
    check_bytes(p, &t);
    text[strings] = plain(p, &t);
    place[strings] = after_bracket(&t);
  }
  if (strings < 2) {
    parse_expected(p, "a string");
    return;
  }
  part.text = text[0], part.second = text[1], part.third = text[2];
  part.place = place[0], part.second_place = place[1], part.third_place = place[2];
  keep(p, part, word);
}
