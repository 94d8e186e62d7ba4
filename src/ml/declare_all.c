/* declare_all.c -- all declarations of a net, in an order in which each knows what it needs.
 *
 * Files of CPN Tools hold declarations that speak of later ones, boxes with many declarations in one text, and functions that are
 * wrong and that no transition calls.  So texts are taken apart into declarations, and those that are refused are tried again
 * after the others, as long as that helps; what is left then is wrong.  A declaration that is refused leaves no trace (ml.c), so
 * trying is free of side effects.
 *
 * What is wrong may be no error by itself: its names get a meaning that says why they cannot be used, and ml_refusal tells them. */
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

static int is_word(const struct ml_token *t, const char *word) { return t->kind == ML_T_NAME && !strcmp(t->name, word); }

/* Variables and colour sets: words that are names elsewhere. */
static int begins_net(const struct ml_token *t) { return is_word(t, "var") || is_word(t, "colset") || is_word(t, "color") || is_word(t, "globref"); }

static int begins(const struct ml_token *t) {
  switch (t->kind) {
  case ML_T_FUN:
  case ML_T_VAL:
  case ML_T_EXCEPTION:
  case ML_T_DATATYPE:
  case ML_T_TYPE:
  case ML_T_LOCAL:
  case ML_T_OPEN: return 1;
  default: return begins_net(t);
  }
}

static int at_line_start(const struct ml_text *text, size_t at) {
  while (at && (text->text[at - 1] == ' ' || text->text[at - 1] == '\t')) at--;
  return !at || text->text[at - 1] == '\n' || text->text[at - 1] == '\r';
}

/* Behind a declaration that cannot be parsed: where the next one seems to begin, outside of let and local, behind a semicolon or at the start of a line. 0: there is none. */
static int skip(struct ml_lexer *lexer, const struct ml_text *text) {
  struct ml_token t;
  int semicolon = 0;
  if (ml_lex(lexer, &t)) return 0;
  for (int depth = t.kind == ML_T_LOCAL;;) {
    struct ml_lexer before = *lexer;
    if (ml_lex(lexer, &t) || t.kind == ML_T_END) return 0;
    if (depth <= 0 && begins(&t) && (semicolon || at_line_start(text, t.from))) return *lexer = before, 1;
    if (t.kind == ML_T_LET || t.kind == ML_T_LOCAL) depth++;
    if (t.kind == ML_T_END_WORD) depth--;
    semicolon = t.kind == ML_T_SIGN && t.number == ';';
  }
}

/* Is what comes next neither a semicolon, nor the end, nor the beginning of another declaration?  Then it belongs to the one before, which is not what it seems to be without it:
   `colset A = int wiht 1..3` is no colour set of all numbers. */
static int goes_on(const struct ml_lexer *behind) {
  struct ml_lexer lexer = *behind;
  struct ml_token t;
  if (ml_lex(&lexer, &t)) return 1;
  switch (t.kind) {
  case ML_T_END:
  case ML_T_INFIX:
  case ML_T_INFIXR:
  case ML_T_NONFIX:
  case ML_T_ABSTYPE:
  case ML_T_STRUCTURE:
  case ML_T_SIGNATURE:
  case ML_T_FUNCTOR: return 0;
  case ML_T_SIGN: return t.number != ';';
  default: return !begins(&t) && !is_word(&t, "use");
  }
}

/* One text as its declarations. infix declarations hold for what follows, and are forgotten behind the text. */
static int take_apart(struct ml *ml, const struct ml_text *text, struct pieces *out) {
  struct ml_lexer lexer;
  struct err ignored = {0};
  size_t mark = ml_scope_enter(ml);
  int status = 0;
  ml_lex_open(&lexer, ml, text, &ignored); /* what is wrong is told when the piece is declared */
  for (int more = 1; !status && more > 0;) {
    struct ml_lexer start = lexer, before = lexer;
    struct ml_token first;
    struct ml_declaration d = {0};
    if (ml_lex(&before, &first)) first = (struct ml_token){.from = (uint32_t)lexer.at, .place = text->place};
    else if (first.kind == ML_T_END) break;
    more = ml_parse_declaration(&d, &lexer);
    if (!more) break;
    if (more > 0 && goes_on(&lexer)) more = -1;
    if (more < 0 && ignored.kind == ERR_MEMORY) status = -1;
    if (more < 0 && !status) {
      err_clear(&ignored);
      if (skip(&start, text)) lexer = start, more = 1;
    }
    struct ml_text piece = {text->text + first.from, (more < 0 ? text->length : lexer.at) - first.from, first.place, text->where};
    if (vec_push(out, ml->mem, MEM_MODEL, piece)) status = -1;
  }
  ml_scope_leave(ml, mark);
  return status;
}

/* A name of a text that is refused for good: to use it tells what is wrong. Functions and values hide what had that name before; what else is declared does not. */
static int spoil_name(struct ml *ml, const char *name, int hides, struct place_in_text place, const struct err *trouble, size_t *named) {
  size_t room = strlen(name) + strlen(trouble->message) + 80;
  char *why = arena_alloc(&ml->arena, room), *text = arena_strndup(&ml->arena, trouble->message, strlen(trouble->message));
  struct ml_refusal r = {.name = name, .place = place, .why = text};
  if (!why || !text || vec_push(&ml->refusals, ml->mem, MEM_MODEL, r)) return -1;
  if ((*named)++) ml->refusals.at[ml->refusals.count - 2].more = 1;
  if (!hides && ml_meaning(ml, name)) return 0;
  struct ml_meaning *m = ml_mean(ml, name, ML_MEANS_REFUSED);
  if (!m) return -1;
  snprintf(why, room, "the declaration of %s was refused (line %ld): %s", name, trouble->line, trouble->message);
  m->why = why;
  m->number = 1;
  return 0;
}

/* Its functions and values are known, but to use one tells what is wrong with it; so are variables, and colour sets by ml_refusal_of. */
static int spoil(struct ml *ml, const struct ml_text *text, const struct err *trouble) {
  struct ml_lexer lexer;
  struct ml_token t, name;
  struct err ignored = {0};
  struct place_in_text place = {text->place.file, trouble->line ? trouble->line : text->place.line, trouble->line ? trouble->column : text->place.column};
  size_t named = 0;
  ml_lex_open(&lexer, ml, text, &ignored);
  for (int depth = 0, first = 1; !ml_lex(&lexer, &t) && t.kind != ML_T_END; first = t.kind == ML_T_SIGN && t.number == ';') {
    if (t.kind == ML_T_LET || t.kind == ML_T_LOCAL) depth++;
    if (t.kind == ML_T_END_WORD) depth--;
    if (t.kind == ML_T_STRUCTURE || t.kind == ML_T_SIGNATURE || t.kind == ML_T_FUNCTOR) break; /* what it holds would have other names */
    int list = first && is_word(&t, "var"), other = first && !list && begins_net(&t);
    if (depth > 0 || (!list && !other && t.kind != ML_T_FUN && t.kind != ML_T_VAL && t.kind != ML_T_AND)) continue;
    do {
      if (ml_lex(&lexer, &name)) break;
      if (name.kind == ML_T_REC && ml_lex(&lexer, &name)) break;
      if (name.kind != ML_T_NAME || ml_symbol(name.name)->infix >= 0) break;
      if (spoil_name(ml, name.name, !list && !other, place, trouble, &named)) return -1;
    } while (list && !ml_lex(&lexer, &t) && t.kind == ML_T_SIGN && t.number == ',');
  }
  if (!named) {
    char *why = arena_strndup(&ml->arena, trouble->message, strlen(trouble->message));
    if (!why || vec_push(&ml->refusals, ml->mem, MEM_MODEL, ((struct ml_refusal){.place = place, .why = why}))) return -1;
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

/* A colour set or variable that was declared before as something else. */
static int tell_again(struct ml *ml, const char *name, struct place_in_text place, struct place_in_text before) {
  char text[120];
  snprintf(text, sizeof text, "it was declared before, in line %ld, as something else: this declaration counts", before.line);
  char *why = arena_strndup(&ml->arena, text, strlen(text));
  return !why || vec_push(&ml->refusals, ml->mem, MEM_MODEL, ((struct ml_refusal){.name = name, .place = place, .why = why, .again = 1})) ? -1 : 0;
}

static int declared_twice(struct ml *ml) {
  for (size_t i = 0; i < ml->colsets.count; i++) {
    const struct ml_colset *a = ml->colsets.at[i], *b = ml_find_colset(ml, a->name);
    if (b && b != a && a->place.line && b->number > a->number && (ml_type_find(a->type) != ml_type_find(b->type) || a->timed != b->timed) &&
        tell_again(ml, a->name, b->place, a->place))
      return -1;
  }
  for (size_t i = 0; i < ml->variables.count; i++) {
    const struct ml_variable *a = ml->variables.at[i], *b = ml_find_variable(ml, a->name);
    if (b && b->number > a->number && ml_type_find(a->colset->type) != ml_type_find(b->colset->type) && tell_again(ml, a->name, b->place, a->place)) return -1;
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
    if (!status && declared_twice(ml)) status = -1, err_memory(&first, "CPN ML");
    if (*refused && !lenient) status = -1;
    if (status || *refused) *err = first;
  }
  mem_free(ml->mem, done);
  vec_free(&pieces, ml->mem);
  return status;
}
