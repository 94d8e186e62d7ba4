/* parse_expr.c -- expressions and references to variables.
 *
 * Precedence is that of C.  Depth of nesting and depth of the tree are bounded: both are walked by recursion later. */
#include "front/promela/parse.h"

#include "base/near.h"

#include <stdio.h>
#include <string.h>

struct expr *tree_new(struct parser *p, enum expr_kind kind, struct place_in_text place) {
  struct expr *e = parse_alloc(p, sizeof *e);
  e->kind = kind;
  e->place = place;
  e->depth = 1;
  return e;
}

struct expr *tree_value(struct parser *p, int32_t value, struct place_in_text place) {
  struct expr *e = tree_new(p, EXPR_VALUE, place);
  e->value = value;
  return e;
}

static struct expr *deeper(struct parser *p, struct expr *e, const struct expr *part) {
  if (part && part->depth >= e->depth) e->depth = part->depth + 1;
  if (e->depth > DEPTH_MAX) {
    parse_error(p, e->place, "this expression is too long");
    p->panic = 1;
    return tree_value(p, 0, e->place);
  }
  return e;
}

/* ---- pointers (PROM+) ------------------------------------------------------------------------------------------ */

int tree_is_pointer(struct parser *p, const struct expr *e, uint32_t *type) {
  *type = 0;
  if (e->kind == EXPR_NULL) return 1;
  if (e->kind != EXPR_REF || e->ref->count || p->program->types.at[e->ref->type].kind != IR_POINTER) return 0;
  *type = e->ref->type;
  return 1;
}

static void check_pointers(struct parser *p, enum ir_op op, struct expr *a, struct expr *b, struct place_in_text place) {
  uint32_t ta, tb = 0;
  if (!p->plus) return;
  int pa = tree_is_pointer(p, a, &ta), pb = b && tree_is_pointer(p, b, &tb);
  if (!pa && !pb) return;
  if (op != IR_EQ && op != IR_NE) parse_error(p, place, "pointers can be compared by == and != only");
  else if (pa != pb) parse_error(p, place, "a pointer is compared with something that is none");
  else if (ta && tb && ta != tb) parse_error(p, place, "pointers to different types are compared");
}

struct expr *tree_binary(struct parser *p, enum ir_op op, struct expr *a, struct expr *b, struct place_in_text place) {
  struct expr *e = tree_new(p, EXPR_BINARY, place);
  e->op = op;
  e->a = a;
  e->b = b;
  check_pointers(p, op, a, b, place);
  return deeper(p, deeper(p, e, a), b);
}

static struct expr *unary(struct parser *p, enum ir_op op, struct expr *a, struct place_in_text place) {
  struct expr *e = tree_new(p, EXPR_UNARY, place);
  e->op = op;
  e->a = a;
  check_pointers(p, op, a, NULL, place);
  return deeper(p, e, a);
}

int tree_has_run(const struct expr *e) {
  return e && (e->kind == EXPR_RUN || tree_has_run(e->a) || tree_has_run(e->b) || tree_has_run(e->c));
}

/* ---- references ------------------------------------------------------------------------------------------------ */

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

static void parse_steps(struct parser *p, struct ref *r) {
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
static struct ref *parse_deref(struct parser *p) {
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
    parse_steps(p, r);
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
  parse_steps(p, r);
  return r;
}

struct expr *tree_of_ref(struct parser *p, struct ref *r) {
  struct expr *e = tree_new(p, EXPR_REF, r->place);
  e->ref = r;
  for (const struct step *s = r->steps; s; s = s->next)
    if (s->index) e = deeper(p, e, s->index);
  if (p->panic) return e;
  if (r->pointer) return deeper(p, e, r->pointer);
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

/* ---- primaries ------------------------------------------------------------------------------------------------- */

/* A process that asks for a label of its own type can name those that it has passed in the text. */
static void check_label_before(struct parser *p, const struct token *t) {
  char shown[80];
  for (unsigned i = 0; i < BUCKETS; i++)
    for (const struct symbol *s = p->buckets[i]; s; s = s->chain)
      if (s->kind == SYMBOL_LABEL && s->closed && s->owner == p->context && s->length == t->length && !memcmp(s->name, t->text, t->length)) return;
  err_quote(shown, sizeof shown, t->text, t->length);
  parse_error(p, t->place, "the label %s has not been defined before this place", shown);
}

/* P[pid]@label, P@label, P[pid]:x, P:x */
static struct expr *parse_remote(struct parser *p, struct symbol *proc) {
  struct token name = stream_next(p);
  struct expr *e = tree_new(p, EXPR_AT, name.place);
  e->name = proc->name;
  e->scope = p->scope;
  if (stream_accept(p, T_LBRACKET)) {
    e->a = parse_expr(p);
    stream_need(p, T_RBRACKET);
    e = deeper(p, e, e->a);
  }
  if (stream_accept(p, T_AT)) {
    const struct token *t = stream_peek(p, 0);
    if (t->kind != T_NAME) {
      parse_expected(p, "the name of a label");
      return e;
    }
    struct token label = stream_next(p);
    e->label = token_copy(p, &label);
    if (p->context && p->context->symbol == proc) check_label_before(p, &label);
    if (vec_push(&p->remote_labels, p->setup->mem, MEM_OTHER, (struct at_reference){e->name, e->label})) parse_no_memory(p);
    return e;
  }
  if (!stream_accept(p, T_COLON)) {
    parse_expected(p, "\"@\" and a label, or \":\" and a variable of the process");
    return e;
  }
  const struct token *t = stream_peek(p, 0);
  struct symbol *found = NULL;
  if (t->kind == T_NAME)
    for (unsigned i = 0; i < BUCKETS && !found; i++)
      for (struct symbol *s = p->buckets[i]; s; s = s->chain)
        if (s->kind == SYMBOL_VARIABLE && s->length == t->length && !memcmp(s->name, t->text, t->length) && s->decl &&
            p->program->decls.at[s->decl].scope == proc->proc + 1)
          found = s;
  if (t->kind != T_NAME) {
    parse_expected(p, "the name of a variable of the process");
    return e;
  }
  struct token variable = stream_next(p);
  if (!found) {
    char shown[80];
    err_quote(shown, sizeof shown, variable.text, variable.length);
    parse_error(p, variable.place, "the process type %s has no variable \"%s\"", proc->name, shown);
    p->panic = 1;
    return e;
  }
  e->kind = EXPR_REMOTE;
  e->ref = ref_of_symbol(p, found, variable.place);
  parse_steps(p, e->ref);
  if (e->ref->count) parse_error(p, variable.place, "%s is an array: an index is missing", found->name);
  return e;
}

static struct expr *parse_run(struct parser *p) {
  struct token run = stream_next(p);
  struct expr *e = tree_new(p, EXPR_RUN, run.place);
  const struct token *t = stream_peek(p, 0);
  if (t->kind != T_NAME) {
    parse_expected(p, "the name of a process type");
    return e;
  }
  struct token name = stream_next(p);
  e->name = token_copy(p, &name);
  if (!p->context) parse_error(p, run.place, "run is possible in processes only");
  stream_need(p, T_LPAREN);
  if (stream_peek(p, 0)->kind != T_RPAREN) e->args = parse_args(p);
  stream_need(p, T_RPAREN);
  for (const struct expr *a = e->args; a; a = a->next) e = deeper(p, e, a);
  if (stream_accept(p, K_PRIORITY)) {
    t = stream_peek(p, 0);
    if (t->kind != T_NUMBER) parse_expected(p, "a priority");
    else {
      e->value = stream_next(p).value;
      if (e->value < 0 || e->value > 255) parse_error(p, run.place, "a priority is between 1 and 255"); /* 0: none given */
    }
  }
  return e;
}

/* len(x) and x?[..] of a number: SPIN takes it for the number of a channel. */
static int takes_number(struct parser *p, const struct ref *r) {
  if (p->program->types.at[r->type].kind != IR_NUMBER || !r->symbol || r->symbol->kind != SYMBOL_VARIABLE) return 0;
  parse_warning(p, r->place, "%s is no channel: its value is taken for the number of one", r->symbol->name);
  return 1;
}

static struct expr *parse_channel_question(struct parser *p, enum ir_op op) {
  struct token word = stream_next(p);
  struct expr *e = tree_new(p, EXPR_CHANNEL, word.place);
  e->op = op;
  stream_need(p, T_LPAREN);
  e->ref = parse_ref(p);
  stream_need(p, T_RPAREN);
  if (p->panic) return e;
  for (const struct step *s = e->ref->steps; s; s = s->next)
    if (s->index) e = deeper(p, e, s->index);
  if (e->ref->count) parse_error(p, e->ref->place, "this is an array of channels: an index is missing");
  else if (p->program->types.at[e->ref->type].kind != IR_CHANNEL && !(op == IR_LEN && takes_number(p, e->ref)))
    parse_error(p, e->ref->place, "%s needs a channel", token_spelling((enum token_kind)word.kind));
  return e;
}

static struct expr *parse_of_process(struct parser *p, enum ir_op op) {
  struct expr *e = tree_new(p, EXPR_OF_PROCESS, stream_next(p).place);
  e->op = op;
  stream_need(p, T_LPAREN);
  e->a = parse_expr(p);
  stream_need(p, T_RPAREN);
  return deeper(p, e, e->a);
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
  for (const struct expr *a = e->args; a; a = a->next) e = deeper(p, e, a);
  if (!p->panic && (r->count || (p->program->types.at[r->type].kind != IR_CHANNEL && !takes_number(p, r))))
    parse_error(p, r->place, "this is not a channel");
  return e;
}

static struct expr *parse_paren(struct parser *p) {
  if (p->plus && stream_peek(p, 1)->kind == T_STAR) {
    /* (*p).f, or a product that begins with *p */
    stream_next(p);
    struct ref *r = parse_deref(p);
    if (stream_peek(p, 0)->kind == T_RPAREN) {
      stream_next(p);
      parse_steps(p, r);
      return tree_of_ref(p, r);
    }
    struct expr *e = parse_expr_after(p, tree_of_ref(p, r));
    stream_need(p, T_RPAREN);
    return e;
  }
  struct token open = stream_next(p);
  struct expr *e = parse_expr(p);
  if (stream_accept(p, T_ARROW)) {
    struct expr *c = tree_new(p, EXPR_COND, open.place);
    c->a = e;
    c->b = parse_expr(p);
    stream_need(p, T_COLON);
    c->c = parse_expr(p);
    e = deeper(p, deeper(p, deeper(p, c, c->a), c->b), c->c);
  }
  stream_need(p, T_RPAREN);
  return e;
}

static struct expr *parse_name(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  struct symbol *s = symbol_find(p, t->text, t->length);
  if (s && s->kind == SYMBOL_MTYPE) {
    struct token name = stream_next(p);
    struct expr *e = tree_value(p, s->value, name.place);
    e->symbol = s;
    return e;
  }
  if (s && s->kind == SYMBOL_PROC) return parse_remote(p, s);
  if (!s && p->plus && t->length == 4 && !memcmp(t->text, "null", 4)) return tree_new(p, EXPR_NULL, stream_next(p).place);
  return parse_primary_ref(p, parse_ref(p));
}

static struct expr *parse_plain(struct parser *p, enum ir_op op) {
  struct expr *e = tree_new(p, EXPR_PLAIN, stream_next(p).place);
  e->op = op;
  return e;
}

static struct expr *parse_c_expr(struct parser *p) {
  struct token word = stream_next(p);
  struct expr *e = tree_new(p, EXPR_C, word.place);
  e->value = parse_c_text(p, IR_C_CONDITION, word.place);
  return e;
}

static struct expr *parse_unary(struct parser *p);

static struct expr *parse_primary(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  switch (t->kind) {
  case T_NUMBER: {
    struct token n = stream_next(p);
    return tree_value(p, n.value, n.place);
  }
  case T_NAME: return parse_name(p);
  case T_LPAREN: return parse_paren(p);
  case T_STAR:
    if (p->plus) return tree_of_ref(p, parse_ref(p));
    break;
  case K_RUN: return parse_run(p);
  case K_LEN: return parse_channel_question(p, IR_LEN);
  case K_EMPTY: return parse_channel_question(p, IR_EMPTY);
  case K_FULL: return parse_channel_question(p, IR_FULL);
  case K_NEMPTY: return parse_channel_question(p, IR_NEMPTY);
  case K_NFULL: return parse_channel_question(p, IR_NFULL);
  case K_ENABLED: return parse_of_process(p, IR_ENABLED);
  case K_PC_VALUE: return parse_of_process(p, IR_PC_VALUE);
  case K_GET_PRIORITY: return parse_of_process(p, IR_PRIORITY);
  case K_TIMEOUT: return parse_plain(p, IR_TIMEOUT);
  case K_NP:
    if (p->context && p->context->kind != PROC_CLAIM) parse_error(p, t->place, "np_ can be used in never claims only");
    return parse_plain(p, IR_NP);
  case K_C_EXPR: return parse_c_expr(p);
  default: break;
  }
  struct place_in_text place = t->place;
  parse_expected(p, "an expression");
  return tree_value(p, 0, place);
}

static struct expr *parse_unary(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  enum ir_op op = t->kind == T_SND ? IR_NOT : t->kind == T_MINUS ? IR_NEG : t->kind == T_TILDE ? IR_INVERT : IR_NONE;
  if (op == IR_NONE) return parse_primary(p);
  struct place_in_text place = stream_next(p).place;
  if (++p->nest > NEST_MAX) {
    parse_error(p, place, "this expression is nested too deeply");
    p->panic = 1;
  }
  struct expr *a = p->panic ? tree_value(p, 0, place) : parse_unary(p);
  p->nest--;
  if (op == IR_NEG && a->kind == EXPR_VALUE && !a->symbol) {
    a->value = (int32_t)(0u - (uint32_t)a->value);
    return a;
  }
  return unary(p, op, a, place);
}

/* ---- operators ------------------------------------------------------------------------------------------------- */

static enum ir_op binary_op(enum token_kind k, int *precedence) {
  static const struct {
    uint8_t token, op, precedence;
  } table[] = {{T_OR, IR_OR, 1},     {T_AND, IR_AND, 2},    {T_PIPE, IR_BOR, 3},    {T_CARET, IR_BXOR, 4}, {T_AMP, IR_BAND, 5},
               {T_EQ, IR_EQ, 6},     {T_NE, IR_NE, 6},      {T_GT, IR_GT, 7},       {T_LT, IR_LT, 7},      {T_GE, IR_GE, 7},
               {T_LE, IR_LE, 7},     {T_SHL, IR_SHL, 8},    {T_SHR, IR_SHR, 8},     {T_PLUS, IR_ADD, 9},   {T_MINUS, IR_SUB, 9},
               {T_STAR, IR_MUL, 10}, {T_SLASH, IR_DIV, 10}, {T_PERCENT, IR_MOD, 10}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].token == k) {
      *precedence = table[i].precedence;
      return (enum ir_op)table[i].op;
    }
  *precedence = 0;
  return IR_NONE;
}

/* At most ten levels of precedence are open at once: the recursion is shallow. */
static struct expr *climb(struct parser *p, struct expr *left, int least) {
  for (;;) {
    int precedence, next;
    enum ir_op op = binary_op((enum token_kind)stream_peek(p, 0)->kind, &precedence);
    if (op == IR_NONE || precedence < least || p->panic) return left;
    struct place_in_text place = stream_next(p).place;
    struct expr *right = parse_unary(p);
    while (binary_op((enum token_kind)stream_peek(p, 0)->kind, &next) != IR_NONE && next > precedence)
      right = climb(p, right, precedence + 1);
    left = tree_binary(p, op, left, right, place);
  }
}

struct expr *parse_expr_after(struct parser *p, struct expr *primary) {
  return climb(p, primary, 1);
}

struct expr *parse_expr(struct parser *p) {
  if (++p->nest > NEST_MAX) {
    parse_error(p, stream_peek(p, 0)->place, "this is nested too deeply");
    p->panic = 1;
  }
  struct expr *e = p->panic ? tree_value(p, 0, (struct place_in_text){0}) : climb(p, parse_unary(p), 1);
  p->nest--;
  return e;
}

/* ---- lists ----------------------------------------------------------------------------------------------------- */

struct expr *parse_args(struct parser *p) {
  struct expr *first = NULL, **end = &first;
  do {
    /* The same tree may not stand in two lists. */
    struct expr *e = parse_expr(p);
    *end = e;
    end = &e->next;
  } while (!p->panic && stream_accept(p, T_COMMA));
  return first;
}

static struct expr *receive_arg(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  if (t->kind == K_EVAL) {
    struct expr *e = tree_new(p, EXPR_EVAL, stream_next(p).place);
    stream_need(p, T_LPAREN);
    e->a = parse_expr(p);
    stream_need(p, T_RPAREN);
    return deeper(p, e, e->a);
  }
  if (t->kind == T_NUMBER || t->kind == T_MINUS) {
    struct expr *e = parse_unary(p);
    if (e->kind != EXPR_VALUE && !p->panic) parse_error(p, e->place, "a receive takes variables, constants and eval(..)");
    return e;
  }
  if (t->kind == T_NAME) {
    struct symbol *s = symbol_find(p, t->text, t->length);
    if (s && s->kind == SYMBOL_MTYPE) return parse_name(p);
  }
  struct ref *r = parse_ref(p);
  if (r->symbol && r->symbol->kind == SYMBOL_SPECIAL && r->symbol->value == SPECIAL_IGNORE) {
    struct expr *e = tree_new(p, EXPR_REF, r->place);
    e->ref = r;
    return e;
  }
  return tree_of_ref(p, r);
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

static int constant_of(const struct expr *e, int32_t *out) {
  int32_t a, b;
  if (e->kind == EXPR_VALUE) {
    *out = e->value;
    return 1;
  }
  if (e->kind == EXPR_UNARY && constant_of(e->a, &a)) {
    *out = e->op == IR_NEG ? (int32_t)(0u - (uint32_t)a) : e->op == IR_NOT ? !a : ~a;
    return 1;
  }
  return e->kind == EXPR_BINARY && constant_of(e->a, &a) && constant_of(e->b, &b) && program_apply(e->op, a, b, out);
}

int parse_constant(struct parser *p, int32_t *out) {
  struct expr *e = parse_expr(p);
  *out = 1;
  if (p->panic) return 0;
  if (constant_of(e, out)) return 1;
  /* The value that a variable begins with will do. */
  if (e->kind == EXPR_REF && e->ref->symbol && e->ref->symbol->kind == SYMBOL_VARIABLE && !e->ref->steps &&
      e->ref->symbol->decl) {
    *out = e->ref->symbol->first_value;
    parse_warning(p, e->place, "%s stands for its first value, %d, here", e->ref->symbol->name, (int)*out);
    return 1;
  }
  parse_error(p, e->place, "this must be a constant");
  return 0;
}
