/* parse_comm.c -- everything about channels but their declaration: sends, receives, questions, xr and xs.
 *
 * A receive and a question share their arguments: variables, constants, eval(..), with or without parentheses after the first. */
#include "front/promela/parse.h"

/* ---- questions -------------------------------------------------------------------------------------------------- */

/* len(x) and x?[..] of a number: SPIN takes it for the number of a channel. */
static int takes_number(struct parser *p, const struct ref *r) {
  if (p->program->types.at[r->type].kind != IR_NUMBER || !r->symbol || r->symbol->kind != SYMBOL_VARIABLE) return 0;
  parse_warning(p, r->place, "%s is no channel: its value is taken for the number of one", r->symbol->name);
  return 1;
}

struct expr *parse_channel_question(struct parser *p, enum ir_op op) {
  struct token word = stream_next(p);
  struct expr *e = tree_new(p, EXPR_CHANNEL, word.place);
  e->op = op;
  stream_need(p, T_LPAREN);
  e->ref = parse_ref(p);
  stream_need(p, T_RPAREN);
  if (p->panic) return e;
  for (const struct step *s = e->ref->steps; s; s = s->next)
    if (s->index) e = tree_deeper(p, e, s->index);
  if (e->ref->count) parse_error(p, e->ref->place, "this is an array of channels: an index is missing");
  else if (p->program->types.at[e->ref->type].kind != IR_CHANNEL && !(op == IR_LEN && takes_number(p, e->ref)))
    parse_error(p, e->ref->place, "%s needs a channel", token_spelling((enum token_kind)word.kind));
  return e;
}

/* What follows a reference: c?[..] and c??[..] are questions. */
struct expr *parse_primary_ref(struct parser *p, struct ref *r) {
  enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind;
  if ((k != T_RCV && k != T_RANDOM) || stream_peek(p, 1)->kind != T_LBRACKET) return tree_of_ref(p, r);
  struct expr *e = tree_new(p, EXPR_POLL, stream_next(p).place);
  stream_next(p);
  e->ref = r;
  e->flags = IR_RECEIVE | (k == T_RANDOM ? (unsigned)IR_RANDOM : 0);
  e->args = parse_receive_args(p);
  stream_need(p, T_RBRACKET);
  for (const struct expr *a = e->args; a; a = a->next) e = tree_deeper(p, e, a);
  if (!p->panic && (r->count || (p->program->types.at[r->type].kind != IR_CHANNEL && !takes_number(p, r))))
    parse_error(p, r->place, "this is not a channel");
  return e;
}

/* ---- arguments ---------------------------------------------------------------------------------------------------- */

static int at_ignore(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  const struct symbol *s = t->kind == T_NAME ? symbol_find(p, t->text, t->length) : NULL;
  return s && s->kind == SYMBOL_SPECIAL && s->value == SPECIAL_IGNORE;
}

/* _ fits every value. */
static struct expr *ignore(struct parser *p) {
  struct ref *r = parse_ref(p);
  struct expr *e = tree_new(p, EXPR_REF, r->place);
  e->ref = r;
  return e;
}

static struct expr *receive_arg(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  if (t->kind == K_EVAL) {
    struct expr *e = tree_new(p, EXPR_EVAL, stream_next(p).place);
    stream_need(p, T_LPAREN);
    e->a = parse_expr(p);
    stream_need(p, T_RPAREN);
    return tree_deeper(p, e, e->a);
  }
  if (t->kind == T_NUMBER || t->kind == T_MINUS) {
    struct expr *e = parse_unary(p);
    if (e->kind != EXPR_VALUE && !p->panic) parse_error(p, e->place, "a receive takes variables, constants and eval(..)");
    return e;
  }
  if (t->kind == T_NAME) {
    struct symbol *s = symbol_find(p, t->text, t->length);
    if (s && s->kind == SYMBOL_MTYPE) return parse_named_value(p);
  }
  return at_ignore(p) ? ignore(p) : tree_of_ref(p, parse_ref(p));
}

struct expr *parse_receive_args(struct parser *p) {
  struct expr *first = NULL, **end = &first;
  unsigned open = 0;
  do {
    while (stream_accept(p, T_LPAREN)) open++;
    struct expr *e = receive_arg(p);
    *end = e;
    end = &e->next;
    if (p->panic) return first;
    if (stream_peek(p, 0)->kind == T_LPAREN) { /* c?a(b,c) */
      stream_next(p);
      open++;
      continue;
    }
    while (open && stream_accept(p, T_RPAREN)) open--;
    if (!stream_accept(p, T_COMMA)) break;
  } while (!p->panic);
  if (open) parse_expected(p, "\")\"");
  return first;
}

/* A trace tells which sends there may be, and need not tell all of them. */
static struct expr *send_args(struct parser *p) {
  struct expr *first = NULL, **end = &first;
  if (!p->in_trace) return parse_args(p);
  do {
    struct expr *e = at_ignore(p) ? ignore(p) : parse_expr(p);
    *end = e;
    end = &e->next;
  } while (!p->panic && stream_accept(p, T_COMMA));
  return first;
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static void check_channel(struct parser *p, const struct ref *r) {
  if (p->panic) return;
  if (r->count) parse_error(p, r->place, "%s is an array: an index is missing", r->symbol ? r->symbol->name : "this");
  else if (p->program->types.at[r->type].kind != IR_CHANNEL)
    parse_error(p, r->place, "%s is no channel", r->symbol ? r->symbol->name : "this");
}

struct stmt *parse_send(struct parser *p, struct ref *r) {
  struct token sign = stream_next(p);
  struct stmt *s = stmt_new(p, STMT_SEND, r->place);
  s->ref = r;
  s->flags = IR_SEND | (sign.kind == T_SORTED ? (unsigned)IR_SORTED : 0);
  check_channel(p, r);
  s->args = send_args(p);
  if (s->args && !s->args->next && stream_accept(p, T_LPAREN)) { /* c!kind(a, b) */
    s->args->next = send_args(p);
    stream_need(p, T_RPAREN);
  }
  check_no_runs(p, s->args);
  return s;
}

struct stmt *parse_receive(struct parser *p, struct ref *r) {
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

/* xr and xs: one process type alone receives from, or sends to, this channel. */
static void claim_channel(struct parser *p, const struct ref *r, int sends) {
  struct symbol *s = r->symbol;
  if (!s || s->kind != SYMBOL_VARIABLE || p->program->types.at[s->type].kind != IR_CHANNEL) return;
  if (s->count) parse_error(p, r->place, "%s is an array: xr and xs take single channels", s->name);
  else if (s->claimed_by[sends] && s->claimed_by[sends] != p->context)
    parse_error(p, r->place, "%s belongs to %s already", s->name, s->claimed_by[sends]->name);
  s->claimed_by[sends] = p->context;
}

void parse_xu(struct parser *p) {
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
