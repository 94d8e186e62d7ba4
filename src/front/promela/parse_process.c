/* parse_process.c -- what an expression says of processes: run P(..), P[pid]@label, P:x, enabled(pid).
 *
 * Process types may be declared after the text that runs them: a run keeps the name, and lower.c looks it up. */
#include "front/promela/parse.h"

#include <string.h>

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
struct expr *parse_remote(struct parser *p, struct symbol *proc) {
  struct token name = stream_next(p);
  struct expr *e = tree_new(p, EXPR_AT, name.place);
  e->name = proc->name;
  e->scope = p->scope;
  if (stream_accept(p, T_LBRACKET)) {
    e->a = parse_expr(p);
    stream_need(p, T_RBRACKET);
    e = tree_deeper(p, e, e->a);
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
  parse_ref_steps(p, e->ref);
  if (e->ref->count) parse_error(p, variable.place, "%s is an array: an index is missing", found->name);
  return e;
}

struct expr *parse_run(struct parser *p) {
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
  for (const struct expr *a = e->args; a; a = a->next) e = tree_deeper(p, e, a);
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

struct expr *parse_of_process(struct parser *p, enum ir_op op) {
  struct expr *e = tree_new(p, EXPR_OF_PROCESS, stream_next(p).place);
  e->op = op;
  stream_need(p, T_LPAREN);
  e->a = parse_expr(p);
  stream_need(p, T_RPAREN);
  return tree_deeper(p, e, e->a);
}
