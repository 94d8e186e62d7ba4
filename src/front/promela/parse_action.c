/* parse_action.c -- statements that do one thing: assignments, conditions, prints, assertions, and calls of inlines.
 *
 * What begins with a reference is decided by what follows it; so `x`, `x = 1`, `c!x` and `c?[x]` begin in one place. */
#include "front/promela/parse.h"

/* ---- assignments ------------------------------------------------------------------------------------------------ */

struct stmt *step_assign(struct parser *p, struct ref *r, struct expr *value) {
  struct stmt *s = stmt_new(p, STMT_ASSIGN, r->place);
  s->ref = r;
  s->a = value;
  return s;
}

struct stmt *parse_inline_call(struct parser *p, struct symbol *s, struct ref *result, struct place_in_text place) {
  p->initial = 0;
  if (stream_call(p, s, result, place)) {
    p->panic = 1;
    return stmt_new(p, STMT_NOTHING, place);
  }
  struct stmt *block = parse_block(p, STMT_BLOCK);
  return block;
}

struct stmt *parse_assignment(struct parser *p, struct ref *r) {
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
  check_one_run(p, e);
  return step_assign(p, r, e);
}

struct stmt *parse_step_by_one(struct parser *p, struct ref *r) {
  struct token sign = stream_next(p);
  struct expr *one = tree_value(p, 1, sign.place);
  enum ir_kind kind = p->program->types.at[r->type].kind;
  if (r->symbol && r->symbol->kind == SYMBOL_SPECIAL) check_assignment(p, r, one);
  if (kind == IR_CHANNEL || kind == IR_RECORD || kind == IR_POINTER) parse_error(p, sign.place, "this is not a number");
  check_target(p, r);
  return step_assign(p, r, tree_binary(p, sign.kind == T_INCR ? IR_ADD : IR_SUB, tree_of_ref(p, r), one, sign.place));
}

struct stmt *parse_return(struct parser *p) {
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

/* ---- conditions ------------------------------------------------------------------------------------------------- */

struct stmt *step_condition(struct parser *p, struct expr *e) {
  struct stmt *s = stmt_new(p, STMT_CONDITION, e->place);
  s->a = e;
  return s;
}

struct stmt *parse_condition(struct parser *p, struct expr *e) {
  if (!p->panic && tree_has_run(e) && e->kind != EXPR_RUN) parse_error(p, e->place, "run cannot be part of a larger expression");
  uint32_t type;
  if (!p->panic && p->plus && tree_is_pointer(p, e, &type)) parse_error(p, e->place, "a pointer is no condition");
  return step_condition(p, e);
}

struct stmt *parse_from_ref(struct parser *p) {
  struct ref *r = parse_ref(p);
  enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind;
  if (k == T_ASSIGN) return parse_assignment(p, r);
  if (k == T_INCR || k == T_DECR) return parse_step_by_one(p, r);
  if (k == T_SND || k == T_SORTED) return parse_send(p, r);
  if ((k == T_RCV || k == T_RANDOM) && stream_peek(p, 1)->kind != T_LBRACKET) return parse_receive(p, r);
  return parse_condition(p, parse_expr_after(p, parse_primary_ref(p, r)));
}

struct stmt *parse_assert(struct parser *p) {
  struct stmt *s = stmt_new(p, STMT_ASSERT, stream_next(p).place);
  s->a = parse_expr(p);
  if (!p->panic) check_one_run(p, s->a);
  return s;
}

/* ---- the others ------------------------------------------------------------------------------------------------- */

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

struct stmt *parse_print(struct parser *p) {
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
  check_one_run(p, s->args);
  for (const struct expr *e = s->args; e && !p->panic; e = e->next)
    if (e->kind == EXPR_REF && !e->ref->count && !program_is_scalar(p->program, e->ref->type))
      parse_error(p, e->place, "a whole record has no value: a field is missing");
  return s;
}

struct stmt *parse_c_code(struct parser *p) {
  struct token word = stream_next(p);
  struct stmt *s = stmt_new(p, STMT_C_CODE, word.place);
  s->value = parse_c_text(p, IR_C_STATEMENT, word.place);
  return s;
}

struct stmt *parse_set_priority(struct parser *p) {
  struct stmt *s = stmt_new(p, STMT_SET_PRIORITY, stream_next(p).place);
  stream_need(p, T_LPAREN);
  s->a = parse_expr(p);
  stream_need(p, T_COMMA);
  s->b = parse_expr(p);
  stream_need(p, T_RPAREN);
  return s;
}

struct stmt *parse_reset(struct parser *p) {
  struct stmt *s = stmt_new(p, STMT_RESET, stream_next(p).place);
  s->ref = parse_ref(p);
  if (!p->panic && (s->ref->count || p->program->types.at[s->ref->type].kind != IR_POINTER))
    parse_error(p, s->ref->place, "reset needs a pointer");
  return s;
}
