/* parse_stmt.c -- sequences, blocks, selections, labels, and which statement a text is.
 *
 * A statement is added to the sequence that is being read by whoever reads the sequence; but `for`, `select` and declarations
 * in the middle add steps of their own before it.  After an error the sequence goes on at the next separator on the same
 * level of braces. */
#include "front/promela/parse.h"

#include <stdio.h>
#include <string.h>

struct stmt *stmt_new(struct parser *p, enum stmt_kind kind, struct place_in_text place) {
  struct stmt *s = parse_alloc(p, sizeof *s);
  s->kind = kind;
  s->place = place;
  s->dstep = p->dstep;
  return s;
}

void sequence_add(struct parser *p, struct stmt *s) {
  struct sequence *q = p->sequence;
  if (!q || !s) return;
  check_step(p, s);
  if (q->last) q->last->next = s;
  else q->first = s;
  q->last = s;
}

struct sequence *sequence_open(struct parser *p, struct place_in_text place) {
  struct sequence *q = parse_alloc(p, sizeof *q);
  q->place = place;
  return q;
}

/* ---- sequences -------------------------------------------------------------------------------------------------- */

static int ends_sequence(enum token_kind k) { return k == T_RBRACE || k == T_SEP || k == K_FI || k == K_OD || k == T_END; }

/* To the separator or the end of the sequence in which the error was. */
static void recover(struct parser *p) {
  if (p->stopped) return;
  p->panic = 0;
  p->parens = 0;
  unsigned nest = 0;
  for (;;) {
    enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind;
    if (k == T_END) break;
    if (k == K_PROCTYPE || k == K_INIT || k == K_NEVER || k == K_TYPEDEF) break;
    if (!nest && (k == T_SEMI || k == T_ARROW || ends_sequence(k))) return;
    if (k == T_LBRACE || k == K_IF || k == K_DO) nest++;
    if (k == T_RBRACE || k == K_FI || k == K_OD) nest--;
    stream_next(p);
  }
  p->panic = 1; /* the process ends here: its unit goes on */
}

static void parse_step(struct parser *p) {
  enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind;
  if (parse_at_declaration(p)) {
    parse_declaration(p, 0);
    return;
  }
  if (k == K_XR || k == K_XS) {
    parse_xu(p);
    return;
  }
  struct stmt *s = parse_stmt(p);
  if (!p->panic && stream_peek(p, 0)->kind == K_UNLESS) {
    struct token word = stream_next(p);
    struct stmt *u = stmt_new(p, STMT_UNLESS, word.place);
    u->inner = s;
    u->escape = parse_stmt(p);
    u->place = s->place;
    if (p->dstep) parse_error(p, word.place, "unless cannot be used in a d_step");
    s = u;
  }
  if (!p->panic) sequence_add(p, s);
}

/* Steps up to what ends the sequence. */
void parse_sequence(struct parser *p, struct sequence *q) {
  struct sequence *outer = p->sequence;
  p->sequence = q;
  if (++p->nest > NEST_MAX) {
    parse_error(p, stream_peek(p, 0)->place, "this is nested too deeply");
    p->stopped = p->panic = 1;
  }
  while (!p->panic) {
    while (stream_peek(p, 0)->kind == T_SEMI || stream_peek(p, 0)->kind == T_ARROW) stream_next(p);
    if (ends_sequence((enum token_kind)stream_peek(p, 0)->kind)) break;
    parse_step(p);
    if (p->panic) {
      recover(p);
      continue;
    }
    enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind, before = (enum token_kind)p->eaten.kind;
    if (k == T_SEMI || k == T_ARROW || ends_sequence(k) || before == T_RBRACE || before == K_ELSE) continue;
    parse_expected(p, "\";\" before the next statement");
    recover(p);
  }
  p->nest--;
  p->sequence = outer;
}

static void check_not_empty(struct parser *p, const struct sequence *q) {
  if (!p->panic && !p->errors && !q->first) parse_error(p, q->place, "a sequence needs at least one statement");
}

/* { ... } */
static struct sequence *parse_braces(struct parser *p) {
  struct sequence *q = sequence_open(p, stream_peek(p, 0)->place);
  if (stream_peek(p, 0)->kind != T_LBRACE) {
    parse_expected(p, "\"{\"");
    return q;
  }
  stream_next(p);
  p->initial = 0;
  scope_enter(p);
  parse_sequence(p, q);
  scope_leave(p);
  stream_need(p, T_RBRACE);
  check_not_empty(p, q);
  return q;
}

struct sequence *parse_body(struct parser *p) {
  struct sequence *q = sequence_open(p, stream_peek(p, 0)->place);
  if (stream_peek(p, 0)->kind != T_LBRACE) {
    parse_expected(p, "\"{\"");
    return q;
  }
  stream_next(p);
  if (stream_peek(p, 0)->kind == T_RBRACE) parse_error(p, q->place, "a process needs at least one statement");
  p->in_body = p->initial = 1;
  p->in_trace = p->context->kind == PROC_TRACE;
  p->loop = NULL;
  scope_enter(p);
  parse_sequence(p, q);
  scope_leave(p);
  p->in_body = p->in_trace = 0;
  p->initial = 1;
  stream_need(p, T_RBRACE);
  return q;
}

static struct sequence *parse_options(struct parser *p) {
  struct sequence *first = NULL, **end = &first;
  enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind;
  if (k == K_FI || k == K_OD) parse_error(p, stream_peek(p, 0)->place, "there must be at least one option, begun by ::");
  else if (k != T_SEP) parse_expected(p, "\"::\"");
  while (!p->panic && stream_peek(p, 0)->kind == T_SEP) {
    struct sequence *q = sequence_open(p, stream_next(p).place);
    p->initial = 0;
    parse_sequence(p, q);
    check_not_empty(p, q);
    *end = q;
    end = &q->next;
  }
  return first;
}

/* ---- compound statements ---------------------------------------------------------------------------------------- */

struct loop *loop_open(struct parser *p) {
  struct loop *l = parse_alloc(p, sizeof *l);
  l->outer = p->loop;
  p->loop = l;
  return l;
}

static struct stmt *parse_selection(struct parser *p) {
  struct token word = stream_next(p);
  struct stmt *s = stmt_new(p, word.kind == K_IF ? STMT_IF : STMT_DO, word.place);
  if (word.kind == K_DO) s->loop = loop_open(p);
  s->options = parse_options(p);
  if (s->loop) p->loop = s->loop->outer;
  if (!p->panic && stream_peek(p, 0)->kind != (word.kind == K_IF ? K_FI : K_OD)) {
    char what[80];
    snprintf(what, sizeof what, "\"%s\" to close the %s of line %ld", word.kind == K_IF ? "fi" : "od",
             word.kind == K_IF ? "if" : "do", word.place.line);
    parse_expected(p, what);
  }
  stream_next(p);
  if (!p->panic) check_else(p, s);
  return s;
}

struct stmt *parse_block(struct parser *p, enum stmt_kind kind) {
  struct place_in_text place = stream_peek(p, 0)->place;
  struct stmt *s = stmt_new(p, kind, place);
  unsigned outer = p->dstep;
  if (kind != STMT_BLOCK) stream_next(p);
  if (kind == STMT_D_STEP && !outer) p->dstep = ++p->dsteps;
  s->options = parse_braces(p);
  p->dstep = outer;
  return s;
}

/* ---- jumps ------------------------------------------------------------------------------------------------------ */

static struct stmt *parse_goto(struct parser *p) {
  struct stmt *s = stmt_new(p, STMT_GOTO, stream_next(p).place);
  const struct token *t = stream_peek(p, 0);
  if (t->kind != T_NAME) {
    parse_expected(p, "the name of a label");
    return s;
  }
  s->label = symbol_label(p, t);
  stream_next(p);
  return s;
}

static struct stmt *parse_label(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  struct stmt *s = stmt_new(p, STMT_LABEL, t->place);
  s->label = symbol_label(p, t);
  if (s->label->defined) parse_error(p, t->place, "the label %s is already defined", s->label->name);
  s->label->defined = 1;
  s->label->place = t->place;
  stream_next(p);
  stream_next(p);
  if (parse_at_declaration(p)) parse_error(p, s->place, "a label cannot stand before a declaration");
  enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind;
  if (k == T_SEMI || k == T_ARROW || ends_sequence(k)) { /* nothing follows: a skip */
    s->inner = step_condition(p, tree_value(p, 1, s->place));
    s->inner->place = s->place;
    s->label->closed = 1;
    return s;
  }
  if (++p->nest > NEST_MAX) {
    parse_error(p, s->place, "this is nested too deeply");
    p->stopped = p->panic = 1;
  }
  s->inner = parse_stmt(p);
  s->label->closed = 1;
  p->nest--;
  return s;
}

static struct stmt *parse_break(struct parser *p) {
  struct stmt *s = stmt_new(p, STMT_BREAK, stream_next(p).place);
  s->loop = p->loop;
  if (!s->loop) {
    parse_error(p, s->place, "break stands outside of any loop");
    p->panic = 1;
  }
  return s;
}

/* ---- which statement -------------------------------------------------------------------------------------------- */

static struct stmt *parse_named(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  struct symbol *s = symbol_find(p, t->text, t->length);
  if (s && s->kind == SYMBOL_INLINE) {
    struct place_in_text place = stream_next(p).place;
    return parse_inline_call(p, s, NULL, place);
  }
  if ((!s || s->kind == SYMBOL_VARIABLE) && stream_peek(p, 1)->kind == T_COLON) return parse_label(p);
  if (!s && stream_peek(p, 1)->kind == T_LPAREN) {
    symbol_undeclared(p, t, "the inline");
    p->panic = 1;
    return stmt_new(p, STMT_NOTHING, t->place);
  }
  if (s && s->kind == SYMBOL_VARIABLE) return parse_from_ref(p);
  if (!s && !(p->plus && t->length == 4 && !memcmp(t->text, "null", 4))) return parse_from_ref(p);
  if (s && s->kind == SYMBOL_SPECIAL) return parse_from_ref(p);
  return parse_condition(p, parse_expr(p));
}

static struct stmt *parse_simple(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  switch (t->kind) {
  case T_NAME: return parse_named(p);
  case K_IF:
  case K_DO: return parse_selection(p);
  case K_FOR: return parse_for(p);
  case K_SELECT: return parse_select(p);
  case K_BREAK: return parse_break(p);
  case K_GOTO: return parse_goto(p);
  case K_ATOMIC: return parse_block(p, STMT_ATOMIC);
  case K_D_STEP: return parse_block(p, STMT_D_STEP);
  case T_LBRACE: return parse_block(p, STMT_BLOCK);
  case K_ELSE: return stmt_new(p, STMT_ELSE, stream_next(p).place);
  case K_ASSERT: return parse_assert(p);
  case K_PRINTF:
  case K_PRINTM: return parse_print(p);
  case K_C_CODE:
  case K_C_DECL: return parse_c_code(p);
  case K_SET_PRIORITY: return parse_set_priority(p);
  case K_RETURN: return parse_return(p);
  case K_RESET: return parse_reset(p);
  case T_STAR:
    if (p->plus) return parse_from_ref(p);
    break;
  case T_LPAREN:
  case T_NUMBER:
  case T_SND:
  case T_MINUS:
  case T_TILDE:
  case K_RUN:
  case K_LEN:
  case K_EMPTY:
  case K_FULL:
  case K_NEMPTY:
  case K_NFULL:
  case K_ENABLED:
  case K_PC_VALUE:
  case K_GET_PRIORITY:
  case K_TIMEOUT:
  case K_NP:
  case K_C_EXPR: break;
  default: {
    struct place_in_text place = t->place;
    parse_expected(p, "a statement");
    return stmt_new(p, STMT_NOTHING, place);
  }
  }
  struct expr *e = parse_expr(p);
  /* (*p).f = 1 began like an expression. */
  if (p->plus && e->kind == EXPR_REF && e->ref->pointer && stream_peek(p, 0)->kind == T_ASSIGN)
    return parse_assignment(p, e->ref);
  if (p->plus && e->kind == EXPR_REF && e->ref->pointer &&
      (stream_peek(p, 0)->kind == T_INCR || stream_peek(p, 0)->kind == T_DECR))
    return parse_step_by_one(p, e->ref);
  return parse_condition(p, e);
}

static int is_event(const struct stmt *s) {
  switch (s->kind) {
  case STMT_SEND:
  case STMT_RECEIVE:
  case STMT_IF:
  case STMT_DO:
  case STMT_GOTO:
  case STMT_BREAK:
  case STMT_LABEL: return 1;
  default: return 0;
  }
}

struct stmt *parse_stmt(struct parser *p) {
  struct stmt *s = parse_simple(p);
  p->initial = 0;
  if (!p->panic && p->in_trace && !is_event(s))
    parse_error(p, s->place, "only sends, receives and control flow can stand in a trace");
  return s;
}
