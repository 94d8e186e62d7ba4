/* report.c -- telling errors, and going on.
 *
 * A syntax error begins a panic: the stream then hands out nothing but a word that fits nowhere, so every function of the parser
 * returns by itself, in silence, until one that knows a place to go on from (the next statement, the next declaration) ends the
 * panic.  Errors about names and types do not begin one.
 *
 * When memory ends there is nothing to go on with: one long jump leads out of the parser to promela.c.  Nothing is lost, because
 * all that the parser holds hangs on its arena, its program and its lists. */
#include "front/promela/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void tell(struct parser *p, const char *hint, struct place_in_text at, const char *format, va_list args) {
  if (p->stopped || p->panic) return;
  if (p->program->failed) parse_no_memory(p); /* the fault may be ours */
  struct err one;
  char message[sizeof one.message];
  err_clear(&one);
  vsnprintf(message, sizeof message, format, args);
  err_input(&one, at, "%s", message);
  if (hint) err_hint(&one, "%s", hint);
  source_excerpt(&p->source, &one, at);
  if (!p->errors) *p->err = one;
  if (p->setup->error) p->setup->error(p->setup->error_context, &one);
  if (++p->errors >= ERRORS_MAX) p->stopped = 1;
}

void parse_error(struct parser *p, struct place_in_text at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tell(p, NULL, at, format, args);
  va_end(args);
}

void parse_error_hint(struct parser *p, const char *hint, struct place_in_text at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tell(p, hint, at, format, args);
  va_end(args);
}

void parse_warning(struct parser *p, struct place_in_text at, const char *format, ...) {
  if (!p->setup->warn || p->stopped || p->panic) return;
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  p->setup->warn(p->setup->warn_context, at, message);
}

const char *token_quoted(const struct token *t, char *out, size_t room) {
  if (t->kind == T_END) snprintf(out, room, "the end of the file");
  else if (t->kind == T_SEMI && t->value) snprintf(out, room, "the end of the line");
  else {
    char shown[60];
    err_quote(shown, sizeof shown, t->text, t->length);
    snprintf(out, room, "\"%s\"", shown);
  }
  return out;
}

void parse_expected(struct parser *p, const char *what) {
  if (p->panic) return;
  const struct token *t = stream_peek(p, 0);
  char shown[80];
  parse_error(p, t->place, "expected %s, found %s", what, token_quoted(t, shown, sizeof shown));
  p->panic = 1;
}

void parse_no_memory(struct parser *p) { longjmp(p->no_memory, 1); }

void *parse_alloc(struct parser *p, size_t bytes) {
  void *block = arena_alloc(&p->arena, bytes);
  if (!block || p->program->failed) parse_no_memory(p);
  return block;
}
