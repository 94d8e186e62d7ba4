/* parse_ref.c -- references to variables: x, a[1], t.f[2].g, *p, (*p).f, and the names that stand for themselves, such as _pid.
 *
 * A reference knows the type that it has reached so far, so that an index too many or a field that is not there is told where it stands. */
#include "front/promela/parse.h"

#include "base/near.h"

#include <stdio.h>
#include <string.h>

static void tell_field(struct parser *p, const struct ir_type *record, const struct token *t) {
  struct near near;
  char shown[80], hint[160];
  near_open(&near, t->text, t->length);
  for (uint32_t i = 0; i < record->fields; i++) near_offer(&near, p->program->fields.at[record->field + i].name);
  if (near_best(&near)) snprintf(hint, sizeof hint, "did you mean %s?", near_best(&near));
  err_quote(shown, sizeof shown, t->text, t->length);
  parse_error_hint(p, near_best(&near) ? hint : NULL, t->place, "%s has no field \"%s\"", record->name, shown);
}

static void add_step(struct parser *p, struct ref *r, struct step ***end, struct step step) {
  struct step *s = parse_alloc(p, sizeof *s);
  *s = step;
  **end = s;
  *end = &s->next;
  (void)r;
}

static void parse_index(struct parser *p, struct ref *r, struct step ***end) {
  struct token open = stream_next(p);
  struct expr *index = parse_expr(p);
  if (stream_peek(p, 0)->kind != T_RBRACKET) {
    parse_expected(p, "\"]\"");
    return;
  }
  stream_next(p);
  if (!r->count) {
    if (index->kind == EXPR_VALUE && !index->value) return;                          /* x[0] of a scalar is x */
    if (r->symbol && r->symbol->kind == SYMBOL_VARIABLE && !r->symbol->decl) return; /* told before */
    parse_error(p, open.place, "this is not an array");
    return;
  }
  add_step(p, r, end, (struct step){.index = index});
  r->count = 0;
}

static void parse_field(struct parser *p, struct ref *r, struct step ***end) {
  struct token dot = stream_next(p);
  const struct token *t = stream_peek(p, 0);
  if (t->kind != T_NAME) {
    parse_expected(p, "the name of a field");
    return;
  }
  const struct ir_type *record = &p->program->types.at[r->type];
  struct token name = stream_next(p);
  if (r->symbol && r->symbol->kind == SYMBOL_VARIABLE && !r->symbol->decl) { /* told before */
    p->panic = 1;
    return;
  }
  if (r->count) {
    parse_error(p, dot.place, "this is an array: an index is missing");
    p->panic = 1;
    return;
  }
  if (record->kind != IR_RECORD) {
    parse_error(p, dot.place, "this has no fields: it is a %s", record->name);
    p->panic = 1;
    return;
  }
  for (uint32_t i = 0; i < record->fields; i++) {
    const struct ir_field *f = &p->program->fields.at[record->field + i];
    if (strlen(f->name) != name.length || memcmp(f->name, name.text, name.length)) continue;
    add_step(p, r, end, (struct step){.field = f->name, .length = name.length});
    r->type = f->type;
    r->count = f->count;
    return;
  }
  tell_field(p, record, &name);
  p->panic = 1;
}

void parse_ref_steps(struct parser *p, struct ref *r) {
  struct step **end = &r->steps;
  while (*end) end = &(*end)->next;
  for (unsigned n = 0; !p->panic; n++) {
    enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind;
    if (n > 2 * NEST_MAX) {
      parse_error(p, r->place, "this reference is too long");
      p->panic = 1;
    } else if (k == T_LBRACKET) parse_index(p, r, &end);
    else if (k == T_DOT) parse_field(p, r, &end);
    else return;
  }
}

struct ref *ref_of_symbol(struct parser *p, struct symbol *s, struct place_in_text place) {
  struct ref *r = parse_alloc(p, sizeof *r);
  *r = (struct ref){.symbol = s, .type = s->type, .count = s->count, .place = place};
  return r;
}

/* *p, **p is not possible: pointers point to plain objects or records. */
struct ref *parse_deref(struct parser *p) {
  struct token star = stream_next(p);
  struct ref *r = parse_alloc(p, sizeof *r);
  uint32_t type;
  r->place = star.place;
  if (++p->nest > NEST_MAX) {
    parse_error(p, star.place, "this is nested too deeply");
    p->panic = 1;
  }
  struct ref *inner = parse_ref(p);
  p->nest--;
  r->pointer = tree_of_ref(p, inner);
  if (p->panic) return r;
  if (!tree_is_pointer(p, r->pointer, &type)) {
    parse_error(p, star.place, "* needs a pointer");
    return r;
  }
  r->type = p->program->types.at[type].names;
  return r;
}

struct ref *parse_ref(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  if (p->plus && t->kind == T_STAR) return parse_deref(p);
  if (p->plus && t->kind == T_LPAREN && stream_peek(p, 1)->kind == T_STAR) {
    stream_next(p);
    struct ref *r = parse_deref(p);
    if (stream_peek(p, 0)->kind != T_RPAREN) parse_expected(p, "\")\"");
    stream_next(p);
    parse_ref_steps(p, r);
    return r;
  }
  if (t->kind != T_NAME) {
    parse_expected(p, "the name of a variable");
    return parse_alloc(p, sizeof(struct ref));
  }
  struct symbol *s = symbol_find(p, t->text, t->length);
  if (!s) s = symbol_undeclared(p, t, "the variable");
  struct token name = stream_next(p);
  if (s->kind != SYMBOL_VARIABLE && s->kind != SYMBOL_SPECIAL) {
    parse_error(p, name.place, "%s is %s, not a variable", s->name,
                s->kind == SYMBOL_PROC     ? "a process type"
                : s->kind == SYMBOL_INLINE ? "an inline"
                : s->kind == SYMBOL_MTYPE  ? "a constant"
                                           : "a type");
    p->panic = 1;
  }
  struct ref *r = ref_of_symbol(p, s, name.place);
  parse_ref_steps(p, r);
  return r;
}

struct expr *tree_of_ref(struct parser *p, struct ref *r) {
  struct expr *e = tree_new(p, EXPR_REF, r->place);
  e->ref = r;
  for (const struct step *s = r->steps; s; s = s->next)
    if (s->index) e = tree_deeper(p, e, s->index);
  if (p->panic) return e;
  if (r->pointer) return tree_deeper(p, e, r->pointer);
  if (r->symbol && r->symbol->kind == SYMBOL_SPECIAL) {
    static const enum ir_op ops[] = {[SPECIAL_PID] = IR_PID_OWN, [SPECIAL_NR_PR] = IR_NR_PR, [SPECIAL_LAST] = IR_LAST};
    switch (r->symbol->value) {
    case SPECIAL_PID:
      if (!p->context && !p->in_params) parse_error(p, r->place, "_pid has no value outside of a process");
      /* fall through */
    case SPECIAL_NR_PR:
    case SPECIAL_LAST:
      e->kind = EXPR_PLAIN;
      e->op = ops[r->symbol->value];
      return e;
    case SPECIAL_PRIORITY:
      e->kind = EXPR_OF_PROCESS;
      e->op = IR_PRIORITY;
      e->a = tree_new(p, EXPR_PLAIN, r->place);
      e->a->op = IR_PID_OWN;
      return e;
    case SPECIAL_IGNORE: parse_error(p, r->place, "_ is write-only: it has no value"); return e;
    default: parse_error(p, r->place, "%s cannot be used here", r->symbol->name); return e;
    }
  }
  if (r->count) parse_error(p, r->place, "%s is an array: an index is missing", r->symbol ? r->symbol->name : "this");
  return e;
}
