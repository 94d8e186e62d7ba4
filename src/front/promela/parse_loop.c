/* parse_loop.c -- for and select, which are written with the statements that there are.
 *
 * Both become assignments and a do: `for` counts until else, `select` stops counting anywhere; a select between numbers is an if.  The
 * steps are those that SPIN makes, one for one, because they count as states. */
#include "front/promela/parse.h"

#include <string.h>

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

static struct stmt *step_increment(struct parser *p, struct ref *r) {
  return step_assign(p, r, tree_binary(p, IR_ADD, tree_of_ref(p, r), tree_value(p, 1, r->place), r->place));
}

/* do :: body :: else -> break od; `select` has no else, and leaves first unless the bounds are numbers. The order is SPIN's: statements are numbered by it. */
static struct stmt *counting_loop(struct parser *p, struct loop *loop, struct sequence *body, int with_else, int leave_first,
                                  struct place_in_text place) {
  struct stmt *s = stmt_new(p, STMT_DO, place);
  struct sequence *leave = sequence_open(p, place), *outer = p->sequence;
  struct stmt *jump = stmt_new(p, STMT_BREAK, place);
  jump->loop = s->loop = loop;
  p->sequence = leave;
  if (with_else) sequence_add(p, stmt_new(p, STMT_ELSE, place));
  sequence_add(p, jump);
  p->sequence = outer;
  s->options = leave_first ? leave : body;
  s->options->next = leave_first ? body : leave;
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

struct stmt *parse_for(struct parser *p) {
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
  parse_sequence(p, body);
  scope_leave(p);
  stream_need(p, T_RBRACE);
  p->loop = loop->outer;
  if (p->panic) return stmt_new(p, STMT_NOTHING, place);
  p->sequence = body;
  sequence_add(p, step_increment(p, counter));
  p->sequence = outer;
  return counting_loop(p, loop, body, 1, 0, place);
}

/* select (x : 1 .. 3): with numbers as bounds a choice between assignments, otherwise a loop that stops anywhere. SPIN rewrites
   the text for the first, and does not know names with _ there nor texts of inlines. */
struct stmt *parse_select(struct parser *p) {
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
  return counting_loop(p, loop, body, 0, !plain, place); /* plain: numbers far apart */
}
