/* parse_stmt.c -- statements.
 *
 * A statement is added to the sequence that is being read by whoever reads the sequence; but `for`, `select` and declarations
 * in the middle add steps of their own before it.  After an error the sequence goes on at the next separator on the same
 * level of braces. */
#include "front/promela/parse.h"

#include <stdio.h>
#include <string.h>

static struct stmt *parse_stmt(struct parser *p);

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

static struct sequence *sequence_open(struct parser *p, struct place_in_text place) {
  struct sequence *q = parse_alloc(p, sizeof *q);
  q->place = place;
  return q;
}

/* ---- sequences ------------------------------------------------------------------------------------------------- */

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

/* xr and xs: one process type alone receives from, or sends to, this channel. */
static void claim_channel(struct parser *p, const struct ref *r, int sends) {
  struct symbol *s = r->symbol;
  if (!s || s->kind != SYMBOL_VARIABLE || p->program->types.at[s->type].kind != IR_CHANNEL) return;
  if (s->count) parse_error(p, r->place, "%s is an array: xr and xs take single channels", s->name);
  else if (s->claimed_by[sends] && s->claimed_by[sends] != p->context)
    parse_error(p, r->place, "%s belongs to %s already", s->name, s->claimed_by[sends]->name);
  s->claimed_by[sends] = p->context;
}

static void parse_xu(struct parser *p) {
  struct token word = stream_next(p);
  if (!p->warned_xu)
    parse_warning(p, word.place, "%s has no effect: it only helps partial order reduction",
                  token_spelling((enum token_kind)word.kind));
  p->warned_xu = 1;
  do {
    struct ref *r = parse_ref(p);
    if (p->panic) return;
    if (p->program->types.at[r->type].kind != IR_CHANNEL && p->program->types.at[r->type].kind != IR_RECORD)
      parse_error(p, r->place, "%s needs channels", token_spelling((enum token_kind)word.kind));
    else claim_channel(p, r, word.kind == K_XS);
  } while (!p->panic && stream_accept(p, T_COMMA));
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
static void parse_steps(struct parser *p, struct sequence *q) {
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
  parse_steps(p, q);
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
  parse_steps(p, q);
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
    parse_steps(p, q);
    check_not_empty(p, q);
    *end = q;
    end = &q->next;
  }
  return first;
}

/* ---- compound statements --------------------------------------------------------------------------------------- */

static struct loop *loop_open(struct parser *p) {
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

static struct stmt *parse_block(struct parser *p, enum stmt_kind kind) {
  struct place_in_text place = stream_peek(p, 0)->place;
  struct stmt *s = stmt_new(p, kind, place);
  unsigned outer = p->dstep;
  if (kind != STMT_BLOCK) stream_next(p);
  if (kind == STMT_D_STEP && !outer) p->dstep = ++p->dsteps;
  s->options = parse_braces(p);
  p->dstep = outer;
  return s;
}

static void check_counter(struct parser *p, const struct ref *r) {
  if (p->panic) return;
  enum ir_kind kind = p->program->types.at[r->type].kind;
  if (!r->symbol || r->symbol->kind != SYMBOL_VARIABLE || r->symbol->count || r->steps || r->count || kind == IR_CHANNEL || kind == IR_RECORD ||
      kind == IR_POINTER)
    parse_error(p, r->place, "this cannot count: it must be a variable with a number");
}

/* SPIN compares bounds that are plain numbers; a sign makes an expression of them. */
static void check_bounds(struct parser *p, const struct expr *from, const struct expr *to) {
  if (p->panic || from->kind != EXPR_VALUE || to->kind != EXPR_VALUE || from->value < 0 || to->value < 0) return;
  if (from->value > to->value) parse_error(p, from->place, "%d is greater than %d: there is nothing to count", (int)from->value, (int)to->value);
}

static struct stmt *step_assign(struct parser *p, struct ref *r, struct expr *value) {
  struct stmt *s = stmt_new(p, STMT_ASSIGN, r->place);
  s->ref = r;
  s->a = value;
  return s;
}

static struct stmt *step_condition(struct parser *p, struct expr *e) {
  struct stmt *s = stmt_new(p, STMT_CONDITION, e->place);
  s->a = e;
  return s;
}

static struct stmt *step_increment(struct parser *p, struct ref *r) {
  return step_assign(p, r, tree_binary(p, IR_ADD, tree_of_ref(p, r), tree_value(p, 1, r->place), r->place));
}

/* do :: else -> break :: body, the options in this order; `select` has no else. */
static struct stmt *counting_loop(struct parser *p, struct loop *loop, struct sequence *body, int with_else,
                                  struct place_in_text place) {
  struct stmt *s = stmt_new(p, STMT_DO, place);
  struct sequence *leave = sequence_open(p, place), *outer = p->sequence;
  struct stmt *jump = stmt_new(p, STMT_BREAK, place);
  jump->loop = s->loop = loop;
  p->sequence = leave;
  if (with_else) sequence_add(p, stmt_new(p, STMT_ELSE, place));
  sequence_add(p, jump);
  p->sequence = outer;
  leave->next = body;
  s->options = leave;
  return s;
}

static struct symbol *hidden_counter(struct parser *p, uint32_t capacity, struct place_in_text place) {
  struct symbol *s = symbol_add(p, SYMBOL_VARIABLE, ":for", 4, place);
  s->type = capacity > 255 ? program_scalar(p->program, IR_NUMBER, "short", 16, 1, 0)
                           : program_scalar(p->program, IR_NUMBER, "byte", 8, 0, 0);
  struct ir_decl d = {.name = "for", .scope = p->context->proc + 1, .type = s->type, .flags = IR_INTERNAL, .place = place};
  s->decl = program_declare(p->program, &d);
  return s;
}

static struct stmt *step_comm(struct parser *p, struct ref *chan, struct ref *message, unsigned flags) {
  struct stmt *s = stmt_new(p, flags & IR_SEND ? STMT_SEND : STMT_RECEIVE, chan->place);
  s->ref = chan;
  s->flags = flags;
  s->args = tree_new(p, EXPR_REF, message->place);
  s->args->ref = message;
  return s;
}

static int has_field(const struct ref *r) {
  for (const struct step *s = r->steps; s; s = s->next)
    if (s->field) return 1;
  return 0;
}

/* for (x in a): over the indices of an array, or over the messages of a channel, which go round once. */
static struct ref *for_in(struct parser *p, struct ref *r, struct ref *over, struct sequence *body) {
  struct place_in_text place = r->place;
  struct ref *counter = r;
  struct expr *limit;
  enum ir_op op = IR_LE;
  if (p->panic) return r;
  struct sequence *outer = p->sequence;
  if (p->program->types.at[r->type].kind == IR_RECORD && !r->count && !has_field(r)) {
    const struct symbol *c = over->symbol;
    if (!c || over->count || p->program->types.at[over->type].kind != IR_CHANNEL || !c->chan_fields ||
        c->chan_record != 1 + r->type || !c->chan_capacity) {
      parse_error(p, over->place, "this is no channel for messages of the type %s", p->program->types.at[r->type].name);
      p->panic = 1;
      return r;
    }
    counter = ref_of_symbol(p, hidden_counter(p, c->chan_capacity, place), place);
    limit = tree_new(p, EXPR_CHANNEL, over->place);
    limit->op = IR_LEN;
    limit->ref = over;
    op = IR_LT;
  } else {
    check_counter(p, r);
    if (!over->count || over->steps) parse_error(p, over->place, "this is no array with a name of its own");
    limit = tree_value(p, (int32_t)over->count - 1, over->place);
  }
  sequence_add(p, step_assign(p, counter, tree_value(p, 0, place)));
  p->sequence = body;
  sequence_add(p, step_condition(p, tree_binary(p, op, tree_of_ref(p, counter), limit, place)));
  if (counter != r) {
    sequence_add(p, step_comm(p, over, r, IR_RECEIVE));
    sequence_add(p, step_comm(p, over, r, IR_SEND));
  }
  p->sequence = outer;
  return counter;
}

static struct stmt *parse_for(struct parser *p) {
  struct place_in_text place = stream_next(p).place;
  p->in_for = 1;
  stream_need(p, T_LPAREN);
  struct ref *r = parse_ref(p), *counter = r;
  struct sequence *body = sequence_open(p, place), *outer = p->sequence;
  if (stream_accept(p, T_COLON)) {
    check_counter(p, r);
    struct expr *from = parse_expr(p);
    stream_need(p, T_DOTDOT);
    struct expr *to = parse_expr(p);
    check_bounds(p, from, to);
    if (!p->panic) {
      sequence_add(p, step_assign(p, r, from));
      p->sequence = body;
      sequence_add(p, step_condition(p, tree_binary(p, IR_LE, tree_of_ref(p, r), to, place)));
      p->sequence = outer;
    }
  } else if (stream_accept(p, K_IN)) {
    struct ref *over = parse_ref(p);
    counter = for_in(p, r, over, body);
  } else {
    parse_expected(p, "\":\" or in");
  }
  p->in_for = 0;
  stream_need(p, T_RPAREN);
  stream_accept(p, T_SEMI);
  p->initial = 0;
  struct loop *loop = loop_open(p);
  if (stream_peek(p, 0)->kind != T_LBRACE) parse_expected(p, "\"{\"");
  stream_next(p);
  scope_enter(p);
  parse_steps(p, body);
  scope_leave(p);
  stream_need(p, T_RBRACE);
  p->loop = loop->outer;
  if (p->panic) return stmt_new(p, STMT_NOTHING, place);
  p->sequence = body;
  sequence_add(p, step_increment(p, counter));
  p->sequence = outer;
  return counting_loop(p, loop, body, 1, place);
}

/* select (x : 1 .. 3): with numbers as bounds a choice between assignments, otherwise a loop that stops anywhere. SPIN rewrites
   the text for the first, and does not know names with _ there nor texts of inlines. */
static struct stmt *parse_select(struct parser *p) {
  struct place_in_text place = stream_next(p).place;
  int in_inline = 0;
  for (unsigned i = 0; i < p->depth; i++) in_inline |= p->frames[i].text != NULL;
  stream_need(p, T_LPAREN);
  struct ref *r = parse_ref(p);
  stream_need(p, T_COLON);
  struct expr *from = parse_expr(p);
  stream_need(p, T_DOTDOT);
  struct expr *to = parse_expr(p);
  stream_need(p, T_RPAREN);
  check_counter(p, r);
  check_bounds(p, from, to);
  if (p->panic) return stmt_new(p, STMT_NOTHING, place);
  int plain = !in_inline && from->kind == EXPR_VALUE && to->kind == EXPR_VALUE && from->value >= 0 && to->value >= 0 &&
              !r->steps && !strchr(r->symbol->name, '_');
  if (plain && to->value - from->value <= 32) {
    struct stmt *s = stmt_new(p, STMT_IF, place);
    struct sequence **end = &s->options, *outer = p->sequence;
    for (int32_t v = from->value; v <= to->value; v++) {
      *end = p->sequence = sequence_open(p, place);
      sequence_add(p, step_assign(p, r, tree_value(p, v, place)));
      end = &(*end)->next;
    }
    p->sequence = outer;
    return s;
  }
  struct sequence *body = sequence_open(p, place), *outer = p->sequence;
  struct loop *loop = loop_open(p);
  p->loop = loop->outer;
  sequence_add(p, step_assign(p, r, from));
  p->sequence = body;
  sequence_add(p, step_condition(p, tree_binary(p, IR_LT, tree_of_ref(p, r), to, place)));
  sequence_add(p, step_increment(p, r));
  p->sequence = outer;
  struct stmt *s = counting_loop(p, loop, body, 0, place);
  if (plain) { /* numbers far apart: the loop comes first */
    struct sequence *leave = s->options;
    s->options = body;
    body->next = leave;
    leave->next = NULL;
  }
  return s;
}

/* ---- simple statements ----------------------------------------------------------------------------------------- */

static struct stmt *parse_inline_call(struct parser *p, struct symbol *s, struct ref *result, struct place_in_text place) {
  p->initial = 0;
  if (stream_call(p, s, result, place)) {
    p->panic = 1;
    return stmt_new(p, STMT_NOTHING, place);
  }
  struct stmt *block = parse_block(p, STMT_BLOCK);
  return block;
}

static struct stmt *parse_assignment(struct parser *p, struct ref *r) {
  struct token sign = stream_next(p);
  const struct token *t = stream_peek(p, 0);
  struct symbol *s = t->kind == T_NAME ? symbol_find(p, t->text, t->length) : NULL;
  if (s && s->kind == SYMBOL_INLINE) {
    struct place_in_text place = stream_next(p).place;
    return parse_inline_call(p, s, r, place);
  }
  if (t->kind == K_NEW) {
    struct stmt *made = stmt_new(p, STMT_NEW, r->place);
    struct place_in_text place = stream_next(p).place;
    struct ir_type pointer = p->program->types.at[r->type]; /* the table may grow */
    made->ref = r;
    if (!parse_type(p, &made->type)) parse_expected(p, "a type");
    else if (r->count || pointer.kind != IR_POINTER) parse_error(p, r->place, "new needs a pointer to assign to");
    else if (pointer.names != made->type)
      parse_error(p, place, "this pointer points to %s", p->program->types.at[pointer.names].name);
    return made;
  }
  struct expr *e = parse_expr(p);
  if (p->panic) return stmt_new(p, STMT_NOTHING, sign.place);
  check_assignment(p, r, e);
  if (tree_has_run(e) && e->kind != EXPR_RUN) parse_error(p, e->place, "run cannot be part of a larger expression");
  return step_assign(p, r, e);
}

static struct stmt *parse_step_by_one(struct parser *p, struct ref *r) {
  struct token sign = stream_next(p);
  struct expr *one = tree_value(p, 1, sign.place);
  enum ir_kind kind = p->program->types.at[r->type].kind;
  if (r->symbol && r->symbol->kind == SYMBOL_SPECIAL) check_assignment(p, r, one);
  if (kind == IR_CHANNEL || kind == IR_RECORD || kind == IR_POINTER) parse_error(p, sign.place, "this is not a number");
  check_target(p, r);
  return step_assign(p, r, tree_binary(p, sign.kind == T_INCR ? IR_ADD : IR_SUB, tree_of_ref(p, r), one, sign.place));
}

static void check_channel(struct parser *p, const struct ref *r) {
  if (p->panic) return;
  if (r->count) parse_error(p, r->place, "%s is an array: an index is missing", r->symbol ? r->symbol->name : "this");
  else if (p->program->types.at[r->type].kind != IR_CHANNEL)
    parse_error(p, r->place, "%s is no channel", r->symbol ? r->symbol->name : "this");
}

static void check_no_runs(struct parser *p, const struct expr *args) {
  for (; args; args = args->next)
    if (tree_has_run(args)) parse_error(p, args->place, "run cannot be used here");
}

static struct stmt *parse_send(struct parser *p, struct ref *r) {
  struct token sign = stream_next(p);
  struct stmt *s = stmt_new(p, STMT_SEND, r->place);
  s->ref = r;
  s->flags = IR_SEND | (sign.kind == T_SORTED ? (unsigned)IR_SORTED : 0);
  check_channel(p, r);
  s->args = parse_args(p);
  if (s->args && !s->args->next && stream_accept(p, T_LPAREN)) { /* c!kind(a, b) */
    s->args->next = parse_args(p);
    stream_need(p, T_RPAREN);
  }
  check_no_runs(p, s->args);
  return s;
}

static struct stmt *parse_receive(struct parser *p, struct ref *r) {
  struct token sign = stream_next(p);
  struct stmt *s = stmt_new(p, STMT_RECEIVE, r->place);
  s->ref = r;
  s->flags = IR_RECEIVE | (sign.kind == T_RANDOM ? (unsigned)IR_RANDOM : 0);
  check_channel(p, r);
  int peek = stream_accept(p, T_LT);
  if (peek) s->flags |= IR_PEEK;
  s->args = parse_receive_args(p);
  if (peek) stream_need(p, T_GT);
  return s;
}

static struct stmt *parse_condition(struct parser *p, struct expr *e) {
  if (!p->panic && tree_has_run(e) && e->kind != EXPR_RUN) parse_error(p, e->place, "run cannot be part of a larger expression");
  uint32_t type;
  if (!p->panic && p->plus && tree_is_pointer(p, e, &type)) parse_error(p, e->place, "a pointer is no condition");
  return step_condition(p, e);
}

static struct stmt *parse_from_ref(struct parser *p) {
  struct ref *r = parse_ref(p);
  enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind;
  if (k == T_ASSIGN) return parse_assignment(p, r);
  if (k == T_INCR || k == T_DECR) return parse_step_by_one(p, r);
  if (k == T_SND || k == T_SORTED) return parse_send(p, r);
  if ((k == T_RCV || k == T_RANDOM) && stream_peek(p, 1)->kind != T_LBRACKET) return parse_receive(p, r);
  return parse_condition(p, parse_expr_after(p, parse_primary_ref(p, r)));
}

/* "..." with the escapes of C resolved. */
static const char *unescape(struct parser *p, const struct token *t) {
  char *out = parse_alloc(p, t->length + 1);
  size_t n = 0;
  for (uint32_t i = 0; i < t->length; i++) {
    char c = t->text[i];
    if (c == '\\' && i + 1 < t->length) {
      c = t->text[++i];
      c = c == 'n'   ? '\n'
          : c == 't' ? '\t'
          : c == 'r' ? '\r'
          : c == 'f' ? '\f'
          : c == 'b' ? '\b'
          : c == 'a' ? '\a'
          : c == 'v' ? '\v'
                     : c;
    }
    out[n++] = c;
  }
  return program_text(p->program, out, n);
}

static struct stmt *parse_print(struct parser *p) {
  struct token word = stream_next(p);
  struct stmt *s = stmt_new(p, STMT_PRINT, word.place);
  stream_need(p, T_LPAREN);
  if (word.kind == K_PRINTM) {
    s->text = program_text(p->program, "%e", 2);
    s->args = parse_expr(p);
  } else {
    const struct token *t = stream_peek(p, 0);
    if (t->kind != T_STRING) {
      parse_expected(p, "a string");
      return s;
    }
    struct token format = stream_next(p);
    s->text = unescape(p, &format);
    if (stream_accept(p, T_COMMA)) s->args = parse_args(p);
  }
  stream_need(p, T_RPAREN);
  check_no_runs(p, s->args);
  for (const struct expr *e = s->args; e && !p->panic; e = e->next)
    if (e->kind == EXPR_REF && !e->ref->count && !program_is_scalar(p->program, e->ref->type))
      parse_error(p, e->place, "a whole record has no value: a field is missing");
  return s;
}

static struct stmt *parse_c_code(struct parser *p) {
  struct token word = stream_next(p);
  struct stmt *s = stmt_new(p, STMT_C_CODE, word.place);
  s->value = parse_c_text(p, IR_C_STATEMENT, word.place);
  return s;
}

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

static struct stmt *parse_return(struct parser *p) {
  struct place_in_text place = stream_next(p).place;
  struct expr *e = parse_expr(p);
  struct ref *r = stream_result(p);
  if (p->panic) return stmt_new(p, STMT_NOTHING, place);
  if (!r) {
    parse_error(p, place, "return is possible in an inline that is called as x = name(..)");
    p->panic = 1;
    return stmt_new(p, STMT_NOTHING, place);
  }
  check_assignment(p, r, e);
  struct stmt *s = step_assign(p, r, e);
  s->place = place;
  return s;
}

static struct stmt *parse_set_priority(struct parser *p) {
  struct stmt *s = stmt_new(p, STMT_SET_PRIORITY, stream_next(p).place);
  stream_need(p, T_LPAREN);
  s->a = parse_expr(p);
  stream_need(p, T_COMMA);
  s->b = parse_expr(p);
  stream_need(p, T_RPAREN);
  return s;
}

static struct stmt *parse_reset(struct parser *p) {
  struct stmt *s = stmt_new(p, STMT_RESET, stream_next(p).place);
  s->ref = parse_ref(p);
  if (!p->panic && (s->ref->count || p->program->types.at[s->ref->type].kind != IR_POINTER))
    parse_error(p, s->ref->place, "reset needs a pointer");
  return s;
}

static struct stmt *parse_assert(struct parser *p) {
  struct stmt *s = stmt_new(p, STMT_ASSERT, stream_next(p).place);
  s->a = parse_expr(p);
  if (!p->panic && tree_has_run(s->a)) parse_error(p, s->place, "run cannot be used in an assertion");
  return s;
}

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

static struct stmt *parse_stmt(struct parser *p) {
  struct stmt *s = parse_simple(p);
  p->initial = 0;
  if (!p->panic && p->in_trace && !is_event(s))
    parse_error(p, s->place, "only sends, receives and control flow can stand in a trace");
  return s;
}
