/* print.c -- statements and expressions as people write them: the labels of steps in traces.
 *
 * Text longer than the buffer is cut with "...": a label is for reading. */
#include "front/promela/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 400 };

struct text {
  char at[TEXT_MAX];
  size_t used;
};

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *format, ...) {
  if (t->used >= sizeof t->at - 4) return;
  va_list args;
  va_start(args, format);
  int n = vsnprintf(t->at + t->used, sizeof t->at - 4 - t->used, format, args);
  va_end(args);
  t->used += n > 0 ? (size_t)n : 0;
  if (t->used >= sizeof t->at - 4) {
    t->used = sizeof t->at - 4;
    memcpy(t->at + t->used - 3, "...", 4);
  }
}

static const char *sign_of(enum ir_op op, int *precedence) {
  static const struct {
    uint8_t op, precedence;
    char sign[3];
  } table[] = {{IR_OR, 1, "||"},  {IR_AND, 2, "&&"}, {IR_BOR, 3, "|"}, {IR_BXOR, 4, "^"}, {IR_BAND, 5, "&"}, {IR_EQ, 6, "=="},
               {IR_NE, 6, "!="},  {IR_LT, 7, "<"},   {IR_LE, 7, "<="}, {IR_GT, 7, ">"},   {IR_GE, 7, ">="},  {IR_SHL, 8, "<<"},
               {IR_SHR, 8, ">>"}, {IR_ADD, 9, "+"},  {IR_SUB, 9, "-"}, {IR_MUL, 10, "*"}, {IR_DIV, 10, "/"}, {IR_MOD, 10, "%"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].op == op) {
      *precedence = table[i].precedence;
      return table[i].sign;
    }
  *precedence = 11;
  return "?";
}

static void put_expr(struct text *, const struct expr *, int outer);

static void put_ref(struct text *t, const struct ref *r) {
  if (r->pointer) {
    put(t, r->steps ? "(*" : "*");
    put_expr(t, r->pointer, 12);
    if (r->steps) put(t, ")");
  } else if (r->symbol) {
    put(t, "%s", r->symbol->name[0] == ':' ? "_count" : r->symbol->name);
  }
  for (const struct step *s = r->steps; s; s = s->next) {
    if (s->index) {
      put(t, "[");
      put_expr(t, s->index, 0);
      put(t, "]");
    } else {
      put(t, ".%.*s", (int)s->length, s->field);
    }
  }
}

static void put_list(struct text *t, const struct expr *e) {
  for (const struct expr *first = e; e; e = e->next) {
    if (e != first) put(t, ",");
    put_expr(t, e, 0);
  }
}

static const char *word_of(enum ir_op op) {
  switch (op) {
  case IR_LEN: return "len";
  case IR_EMPTY: return "empty";
  case IR_FULL: return "full";
  case IR_NEMPTY: return "nempty";
  case IR_NFULL: return "nfull";
  case IR_ENABLED: return "enabled";
  case IR_PC_VALUE: return "pc_value";
  case IR_PRIORITY: return "get_priority";
  case IR_TIMEOUT: return "timeout";
  case IR_PID_OWN: return "_pid";
  case IR_NR_PR: return "_nr_pr";
  case IR_LAST: return "_last";
  case IR_NP: return "np_";
  default: return "?";
  }
}

static void put_remote(struct text *t, const struct expr *e) {
  put(t, "%s", e->name);
  if (e->a) {
    put(t, "[");
    put_expr(t, e->a, 0);
    put(t, "]");
  }
  if (e->kind == EXPR_AT) put(t, "@%s", e->label);
  else {
    put(t, ":");
    put_ref(t, e->ref);
  }
}

static void put_expr(struct text *t, const struct expr *e, int outer) {
  int precedence;
  if (t->used >= sizeof t->at - 4) return;
  switch (e->kind) {
  case EXPR_VALUE:
    if (e->symbol) put(t, "%s", e->symbol->name);
    else put(t, "%d", (int)e->value);
    return;
  case EXPR_REF: put_ref(t, e->ref); return;
  case EXPR_UNARY:
    put(t, "%s", e->op == IR_NOT ? "!" : e->op == IR_NEG ? "-" : "~");
    put_expr(t, e->a, 11);
    return;
  case EXPR_BINARY: {
    const char *sign = sign_of(e->op, &precedence);
    if (precedence < outer) put(t, "(");
    put_expr(t, e->a, precedence);
    put(t, "%s", sign);
    put_expr(t, e->b, precedence + 1);
    if (precedence < outer) put(t, ")");
    return;
  }
  case EXPR_COND:
    put(t, "(");
    put_expr(t, e->a, 0);
    put(t, " -> ");
    put_expr(t, e->b, 0);
    put(t, " : ");
    put_expr(t, e->c, 0);
    put(t, ")");
    return;
  case EXPR_CHANNEL:
    put(t, "%s(", word_of(e->op));
    put_ref(t, e->ref);
    put(t, ")");
    return;
  case EXPR_POLL:
    put_ref(t, e->ref);
    put(t, e->flags & IR_RANDOM ? "??[" : "?[");
    put_list(t, e->args);
    put(t, "]");
    return;
  case EXPR_RUN:
    put(t, "run %s(", e->name);
    put_list(t, e->args);
    put(t, ")");
    return;
  case EXPR_AT:
  case EXPR_REMOTE: put_remote(t, e); return;
  case EXPR_OF_PROCESS:
    put(t, "%s(", word_of(e->op));
    put_expr(t, e->a, 0);
    put(t, ")");
    return;
  case EXPR_PLAIN: put(t, "%s", word_of(e->op)); return;
  case EXPR_C: put(t, "c_expr{..}"); return;
  case EXPR_NULL: put(t, "null"); return;
  case EXPR_EVAL:
    put(t, "eval(");
    put_expr(t, e->a, 0);
    put(t, ")");
    return;
  }
}

static void put_format(struct text *t, const char *format) {
  for (; *format; format++) {
    if (*format == '\n') put(t, "\\n");
    else if (*format == '\t') put(t, "\\t");
    else if (*format == '"' || *format == '\\') put(t, "\\%c", *format);
    else put(t, "%c", *format);
  }
}

static void put_condition(struct text *t, const struct expr *e) {
  int precedence = 11;
  if (e->kind == EXPR_VALUE && !e->symbol && (e->value == 0 || e->value == 1)) {
    put(t, e->value ? "skip" : "false");
    return;
  }
  if (e->kind == EXPR_BINARY) sign_of(e->op, &precedence);
  int plain = e->kind == EXPR_RUN || e->kind == EXPR_COND || e->kind == EXPR_POLL;
  if (!plain) put(t, "(");
  put_expr(t, e, 0);
  if (!plain) put(t, ")");
}

const char *tree_text(struct parser *p, const struct expr *e) {
  struct text t = {.used = 0};
  put_expr(&t, e, 0);
  t.at[t.used] = 0;
  return program_text(p->program, t.at, t.used);
}

const char *stmt_text(struct parser *p, const struct stmt *s) {
  struct text t = {.used = 0};
  switch (s->kind) {
  case STMT_CONDITION: put_condition(&t, s->a); break;
  case STMT_ASSIGN:
    put_ref(&t, s->ref);
    put(&t, " = ");
    put_expr(&t, s->a, 0);
    break;
  case STMT_SEND:
    put_ref(&t, s->ref);
    put(&t, s->flags & IR_SORTED ? "!!" : "!");
    put_list(&t, s->args);
    break;
  case STMT_RECEIVE:
    put_ref(&t, s->ref);
    put(&t, "%s%s", s->flags & IR_RANDOM ? "??" : "?", s->flags & IR_PEEK ? "<" : "");
    put_list(&t, s->args);
    if (s->flags & IR_PEEK) put(&t, ">");
    break;
  case STMT_PRINT:
    put(&t, "printf(\"");
    put_format(&t, s->text);
    put(&t, "\"");
    if (s->args) put(&t, ",");
    put_list(&t, s->args);
    put(&t, ")");
    break;
  case STMT_ASSERT:
    put(&t, "assert(");
    put_expr(&t, s->a, 0);
    put(&t, ")");
    break;
  case STMT_ELSE: put(&t, "else"); break;
  case STMT_GOTO: put(&t, "goto %s", s->label->name); break;
  case STMT_BREAK: put(&t, "break"); break;
  case STMT_C_CODE: put(&t, "c_code{..}"); break;
  case STMT_SET_PRIORITY:
    put(&t, "set_priority(");
    put_expr(&t, s->a, 0);
    put(&t, ",");
    put_expr(&t, s->b, 0);
    put(&t, ")");
    break;
  case STMT_NEW:
    put_ref(&t, s->ref);
    put(&t, " = new %s", p->program->types.at[s->type].name);
    break;
  case STMT_RESET:
    put(&t, "reset ");
    put_ref(&t, s->ref);
    break;
  case STMT_STOP: put(&t, "-end-"); break;
  case STMT_NOTHING: put(&t, "skip"); break;
  default: put(&t, "goto"); break;
  }
  t.at[t.used < sizeof t.at ? t.used : sizeof t.at - 1] = 0;
  return program_text(p->program, t.at, strlen(t.at));
}
