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
#include <stdlib.h>
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

/* ---- what a text would have declared ------------------------------------------------------------------------------------------ */

/* What a name of a refused text would have been. */
enum would_be {
  WOULD_BE_VALUE, /* a function or value */
  WOULD_BE_OTHER, /* a variable, a colour set, a reference, a type, an exception */
  WOULD_BE_MAKER  /* one of the constructors of those */
};

struct naming {
  struct ml *ml;
  int (*hear)(void *, const char *name, enum would_be); /* not 0: no more */
  void *context;
};

static int is_sign(const struct ml_token *t, int sign) { return t->kind == ML_T_SIGN && t->number == sign; }

/* The constructors behind the `=` of a datatype, `with a | b`, `index p` or `union a : A + b`: a name behind each bar or plus.  Stops before what ends them. */
static int hear_makers(const struct naming *n, struct ml_lexer *lexer, int colset) {
  struct ml_token t;
  int next = !colset, plus = 0, status = 0;
  for (struct ml_lexer before = *lexer; !status && !ml_lex(lexer, &t) && t.kind != ML_T_END; before = *lexer) {
    if (is_sign(&t, ';') || t.kind == ML_T_AND || t.kind == ML_T_WITHTYPE) return *lexer = before, 0;
    int maker = next && t.kind == ML_T_NAME;
    if (maker) status = n->hear(n->context, t.name, WOULD_BE_MAKER);
    int begins_names = colset && (t.kind == ML_T_WITH || is_word(&t, "index") || is_word(&t, "scalarset") || is_word(&t, "union"));
    if (begins_names) plus = is_word(&t, "union");
    next = begins_names || (!maker && next && is_sign(&t, '(')) || (!plus && t.kind == ML_T_BAR) || (plus && is_word(&t, "+"));
    if (begins_names) colset = 0;
  }
  return status;
}

/* The variables of a pattern in brackets, up to its `=`: names that are no constructors and no labels. */
static int hear_variables(const struct naming *n, struct ml_lexer *lexer, const struct ml_token *bracket) {
  struct ml_token t = *bracket, next;
  for (int depth = 0, status = 0; !status; t = next) {
    if (t.kind == ML_T_SIGN && strchr("([{", (int)t.number)) depth++;
    if (t.kind == ML_T_SIGN && strchr(")]}", (int)t.number)) depth--;
    if ((depth <= 0 && is_word(&t, "=")) || ml_lex(lexer, &next) || next.kind == ML_T_END) return 0;
    if (t.kind != ML_T_NAME || ml_symbol(t.name)->infix >= 0 || is_word(&next, "=")) continue;
    const struct ml_meaning *m = ml_meaning(n->ml, t.name);
    if (!m || (m->kind != ML_MEANS_CONSTRUCTOR && m->kind != ML_MEANS_EXCEPTION)) status = n->hear(n->context, t.name, WOULD_BE_VALUE);
    if (status) return status;
  }
  return 0;
}

/* All names of a text, as far as they can be seen without understanding it. */
static int hear_names(const struct naming *n, const struct ml_text *text) {
  struct ml_lexer lexer;
  struct ml_token t, name;
  struct err ignored = {0};
  ml_lex_open(&lexer, n->ml, text, &ignored);
  enum ml_token_kind of = ML_T_END; /* what `and` goes on with */
  for (int depth = 0, first = 1; !ml_lex(&lexer, &t) && t.kind != ML_T_END; first = is_sign(&t, ';')) {
    if (t.kind == ML_T_LET || t.kind == ML_T_LOCAL) depth++;
    if (t.kind == ML_T_END_WORD) depth--;
    if (t.kind == ML_T_STRUCTURE || t.kind == ML_T_SIGNATURE || t.kind == ML_T_FUNCTOR) break; /* what it holds would have other names */
    int list = first && is_word(&t, "var"), other = first && !list && begins_net(&t), colset = other && !is_word(&t, "globref");
    int type = first && (t.kind == ML_T_DATATYPE || t.kind == ML_T_TYPE || t.kind == ML_T_EXCEPTION);
    if (depth <= 0 && t.kind != ML_T_AND && (first || t.kind == ML_T_FUN || t.kind == ML_T_VAL)) of = t.kind;
    if (t.kind == ML_T_AND) type = of == ML_T_DATATYPE || of == ML_T_TYPE || of == ML_T_EXCEPTION;
    if (depth > 0 || (!list && !other && !type && t.kind != ML_T_FUN && t.kind != ML_T_VAL && t.kind != ML_T_AND)) continue;
    do {
      do {
        if (ml_lex(&lexer, &name)) return 0;
      } while (name.kind == ML_T_REC || name.kind == ML_T_TYVAR || (type && (is_sign(&name, '(') || is_sign(&name, ',') || is_sign(&name, ')'))));
      if (t.kind == ML_T_VAL && name.kind == ML_T_SIGN) return hear_variables(n, &lexer, &name);
      if (name.kind != ML_T_NAME || ml_symbol(name.name)->infix >= 0) break;
      int status = n->hear(n->context, name.name, list || other || type ? WOULD_BE_OTHER : WOULD_BE_VALUE);
      if (!status && (colset || (type && of == ML_T_DATATYPE)) && !ml_lex(&lexer, &t) && is_word(&t, "=")) status = hear_makers(n, &lexer, colset);
      if (status) return status;
    } while (list && !ml_lex(&lexer, &t) && is_sign(&t, ','));
  }
  return 0;
}

/* ---- what is refused for good --------------------------------------------------------------------------------------------------- */

struct spoiling {
  struct ml *ml;
  struct place_in_text place;
  const struct err *trouble;
  uint64_t order; /* of the text, and within it */
  size_t named;
};

/* To use a name of a text that is refused for good tells what is wrong.  Functions and values hide what had that name before; what else is declared does not. */
static int spoil_name(void *context, const char *name, enum would_be kind) {
  struct spoiling *s = context;
  struct ml *ml = s->ml;
  const char *message = s->trouble->message, *inner = strstr(message, ML_NEEDS);
  char line[160];
  size_t room = strlen(name) + strlen(message) + sizeof line + 80;
  char *why = arena_alloc(&ml->arena, room), *text = arena_strndup(&ml->arena, message, strlen(message));
  struct ml_refusal r = {.name = name, .place = s->place, .why = text, .order = s->order++, .lacking = ml->lacking};
  if (!why || !text) return -1;
  if (kind != WOULD_BE_MAKER) {
    if (vec_push(&ml->refusals, ml->mem, MEM_MODEL, r)) return -1;
    if (s->named++) ml->refusals.at[ml->refusals.count - 2].more = 1;
  }
  if (kind != WOULD_BE_VALUE && ml_meaning(ml, name)) return 0;
  struct ml_meaning *m = ml_mean(ml, name, ML_MEANS_REFUSED);
  if (!m) return -1;
  if (ml->blamed) snprintf(why, room, "%s" ML_NEEDS "%s", name, inner ? inner + strlen(ML_NEEDS) : message);
  else snprintf(why, room, "the declaration of %s was refused (%s): %s", name, ml_line(ml, s->place, line, sizeof line), message);
  m->why = why;
  m->lacking = ml->lacking;
  m->number = kind == WOULD_BE_MAKER ? ML_REFUSED_MAKER : ML_REFUSED_WRONG;
  return 0;
}

/* Its functions and values are known, but to use one tells what is wrong with it; so are variables, and colour sets by ml_refusal_of. */
static int spoil(struct ml *ml, const struct ml_text *text, size_t piece, const struct err *trouble) {
  struct place_in_text place = {text->place.file, trouble->line ? trouble->line : text->place.line, trouble->line ? trouble->column : text->place.column};
  struct spoiling s = {ml, place, trouble, (uint64_t)piece << 32, 0};
  struct naming n = {ml, spoil_name, &s};
  if (hear_names(&n, text)) return -1;
  if (!s.named) {
    char *why = arena_strndup(&ml->arena, trouble->message, strlen(trouble->message));
    if (!why || vec_push(&ml->refusals, ml->mem, MEM_MODEL, ((struct ml_refusal){.place = place, .why = why, .order = s.order}))) return -1;
  }
  ml_scope_keep(ml, 0);
  return 0;
}

/* Who would have declared which name, by name. */
struct claim {
  const char *name;
  size_t piece;
};
struct claims {
  struct claim *at;
  size_t count, room;
  struct ml *ml;
  size_t piece;
};

static int note_claim(void *context, const char *name, enum would_be kind) {
  struct claims *c = context;
  (void)kind;
  return vec_push(c, c->ml->mem, MEM_MODEL, ((struct claim){name, c->piece}));
}

static int by_name(const void *a, const void *b) {
  const struct claim *x = a, *y = b;
  return x->name == y->name ? (x->piece > y->piece) - (x->piece < y->piece) : (uintptr_t)x->name < (uintptr_t)y->name ? -1 : 1;
}

/* Would another text that is not done have declared the name that this one does not know? */
static int waits(const struct claims *c, const char *name, const uint8_t *done, size_t self) {
  size_t low = 0, high = c->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((uintptr_t)c->at[middle].name < (uintptr_t)name) low = middle + 1;
    else high = middle;
  }
  for (; name && low < c->count && c->at[low].name == name; low++)
    if (c->at[low].piece != self && !done[c->at[low].piece]) return 1;
  return 0;
}

/* Spoils all that are not done: those first that are wrong by themselves, then those that need them, so that each tells where the trouble began.  What waits in a circle is spoilt as it stands. */
static int spoil_in_order(struct ml *ml, const struct pieces *p, uint8_t *done, const struct claims *claims, const char **awaited, struct err *err) {
  for (int round = 0, left = 1, patient = 1; left; round++) {
    int progress = 0;
    left = 0;
    for (size_t k = 0; k < p->count; k++) {
      size_t i = patient && round % 2 ? p->count - 1 - k : k; /* there and back again: those that need each other mostly stand in a row */
      struct err trouble = {0};
      if (done[i]) continue;
      if (patient && waits(claims, awaited[i], done, i)) {
        left = 1;
        continue;
      }
      if (ml_declare(ml, &p->at[i], &trouble)) {
        if (trouble.kind != ERR_INPUT) return *err = trouble, -1;
        if (patient && waits(claims, ml->unknown, done, i)) {
          awaited[i] = ml->unknown;
          left = 1;
          continue;
        }
        if (spoil(ml, &p->at[i], i, &trouble)) return err_memory(err, "CPN ML");
      }
      done[i] = 1;
      progress = 1;
    }
    if (!progress || round >= MOST_ROUNDS) patient = 0;
  }
  return 0;
}

static int by_piece(const void *a, const void *b) {
  const struct ml_refusal *x = a, *y = b;
  return x->order < y->order ? -1 : x->order > y->order;
}

static int spoil_all(struct ml *ml, const struct pieces *p, uint8_t *done, struct err *err) {
  struct claims claims = {.ml = ml};
  struct naming n = {ml, note_claim, &claims};
  const char **awaited = mem_alloc(ml->mem, MEM_MODEL, (p->count + 1) * sizeof *awaited);
  int status = awaited ? 0 : err_memory(err, "CPN ML");
  for (; !status && claims.piece < p->count; claims.piece++)
    if (!done[claims.piece] && hear_names(&n, &p->at[claims.piece])) status = err_memory(err, "CPN ML");
  if (claims.count) qsort(claims.at, claims.count, sizeof *claims.at, by_name);
  if (!status) status = spoil_in_order(ml, p, done, &claims, awaited, err);
  if (ml->refusals.count) qsort(ml->refusals.at, ml->refusals.count, sizeof *ml->refusals.at, by_piece); /* told in the order of the text */
  mem_free(ml->mem, (void *)awaited);
  vec_free(&claims, ml->mem);
  return status;
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
    if (!status && lenient && *refused) status = spoil_all(ml, &pieces, done, &first);
    if (!status && declared_twice(ml)) status = -1, err_memory(&first, "CPN ML");
    if (*refused && !lenient) status = -1;
    if (status || *refused) *err = first;
  }
  mem_free(ml->mem, done);
  vec_free(&pieces, ml->mem);
  return status;
}
