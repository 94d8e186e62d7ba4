/* declare_all.c -- all declarations of a net, in an order in which each knows what it needs.
 *
 * Files of CPN Tools hold declarations that speak of later ones, boxes with many declarations in one text, and functions that are
 * wrong and that no transition calls.  So texts are taken apart into declarations, and those that are refused are tried again
 * after the others, as long as that helps; what is left then is wrong.  A declaration that is refused leaves no trace (ml.c), so
 * trying is free of side effects.
 *
 * What is wrong may be no error by itself: its functions and values get a meaning that says why they cannot be used. */
#include "ml/lex.h"
#include "ml/scope.h"
#include "ml/syntax.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROUNDS = 50 };

struct pieces {
  struct ml_text *at;
  size_t count, room;
};

/* One text as its declarations; what cannot be parsed stays together. infix declarations hold for what follows, and are forgotten
 * behind the text. */
static int take_apart(struct ml *ml, const struct ml_text *text, struct pieces *out) {
  struct ml_lexer lexer;
  struct err ignored = {0};
  size_t mark = ml_scope_enter(ml);
  int status = 0;
  ml_lex_open(&lexer, ml, text, &ignored);
  for (int more = 1; !status && more > 0;) {
    struct ml_lexer before = lexer;
    struct ml_token first;
    struct ml_declaration d = {0};
    if (ml_lex(&before, &first)) first = (struct ml_token){.from = (uint32_t)lexer.at, .place = text->place};
    else if (first.kind == ML_T_END) break;
    more = ml_parse_declaration(&d, &lexer);
    if (!more) break;
    if (more < 0 && ignored.kind == ERR_MEMORY) status = -1;
    struct ml_text piece = {text->text + first.from, (more < 0 ? text->length : lexer.at) - first.from, first.place, text->where};
    if (vec_push(out, ml->mem, MEM_MODEL, piece)) status = -1;
  }
  ml_scope_leave(ml, mark);
  return status;
}

/* A text that is refused for good: its functions and values are known, but to use one tells what is wrong with it. */
static int spoil(struct ml *ml, const struct ml_text *text, const struct err *trouble) {
  struct ml_lexer lexer;
  struct ml_token t, name;
  struct err ignored = {0};
  ml_lex_open(&lexer, ml, text, &ignored);
  for (int depth = 0; !ml_lex(&lexer, &t) && t.kind != ML_T_END;) {
    if (t.kind == ML_T_LET || t.kind == ML_T_LOCAL) depth++;
    if (t.kind == ML_T_END_WORD) depth--;
    if (depth > 0 || (t.kind != ML_T_FUN && t.kind != ML_T_VAL && t.kind != ML_T_AND)) continue;
    if (ml_lex(&lexer, &name)) break;
    if (name.kind == ML_T_REC && ml_lex(&lexer, &name)) break;
    if (name.kind != ML_T_NAME || ml_symbol(name.name)->infix >= 0) continue;
    struct ml_meaning *m = ml_mean(ml, name.name, ML_MEANS_REFUSED);
    size_t room = strlen(name.name) + strlen(trouble->message) + 80;
    char *why = arena_alloc(&ml->arena, room);
    if (!m || !why) return -1;
    snprintf(why, room, "the declaration of %s was refused (line %ld): %s", name.name, trouble->line, trouble->message);
    m->why = why;
    m->number = 1;
  }
  ml_scope_keep(ml, 0);
  return 0;
}

/* Tries all that are not done, again and again; first: what was wrong with the first that is left. */
static int try_all(struct ml *ml, const struct pieces *p, uint8_t *done, size_t *left, struct err *first) {
  *left = p->count;
  for (int round = 0, progress = 1; *left && progress && round < MOST_ROUNDS; round++) {
    progress = 0;
    err_clear(first);
    for (size_t i = 0; i < p->count; i++) {
      struct err trouble = {0};
      if (done[i]) continue;
      if (!ml_declare(ml, &p->at[i], &trouble)) done[i] = 1, --*left, progress = 1;
      else if (trouble.kind != ERR_INPUT) return *first = trouble, -1;
      else if (!first->kind) *first = trouble;
    }
  }
  return 0;
}

int ml_declare_all(struct ml *ml, const struct ml_text *text, size_t count, int lenient, size_t *refused, struct err *err) {
  struct pieces pieces = {0};
  int status = 0;
  *refused = 0;
  for (size_t i = 0; !status && i < count; i++) status = take_apart(ml, &text[i], &pieces);
  uint8_t *done = status ? NULL : mem_alloc(ml->mem, MEM_MODEL, pieces.count + 1);
  if (!done) status = err_memory(err, "CPN ML");
  else {
    struct err first = {0};
    status = try_all(ml, &pieces, done, refused, &first);
    for (size_t i = 0; !status && lenient && *refused && i < pieces.count; i++) {
      struct err trouble = {0};
      if (done[i] || !ml_declare(ml, &pieces.at[i], &trouble)) continue;
      if (trouble.kind != ERR_INPUT) status = -1, first = trouble;
      else if (spoil(ml, &pieces.at[i], &trouble)) status = -1, err_memory(&first, "CPN ML");
    }
    if (*refused && !lenient) status = -1;
    if (status || *refused) *err = first;
  }
  mem_free(ml->mem, done);
  vec_free(&pieces, ml->mem);
  return status;
}
