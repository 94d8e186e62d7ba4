/* parse_c.c -- embedded C: c_code, c_expr, c_decl, c_state, c_track.
 *
 * The C itself is kept as text with its place; process/embedded.c makes code of it, if the user allows it.  A fragment in an
 * inline is kept once for each use of the inline: it belongs to the process type that uses it. */
#include "front/promela/parse.h"

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
  return keep(p, part, word);
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
