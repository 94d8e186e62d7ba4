/* generate.c -- see generate.h.
 *
 * The file begins with the text of runtime.h.  Then come up to three functions per transition (run, accept, effects; see struct engine)
 * and tables of them.  Many small functions compile in linear time, and the table costs one indirect jump.
 *
 * What makes the code fast is what is known while generating: where every variable lies, the values of variables that are never
 * written, and with them, for channels that are never reassigned, capacity, fields and place of their contents; the compiler
 * folds all of runtime.h's loops over them.  What is rare (heap, remote variables, priorities) calls the interpreter.
 *
 * Names in the generated text:  m the machine, slot the process, V its cells, L its first variable, q a channel's number, c its
 * kind, B where its contents lie, i the message in question. */
#include "process/generate.h"

#include "process/generate_dstep.h"
#include "process/text_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern const char runtime_text[];

struct writer {
  const struct shape *shape;
  const struct program *p;
  struct text_out out;
  int swift; /* writes are not logged */
};

__attribute__((format(printf, 2, 3))) static void say(struct writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_out_list(&w->out, format, args);
  va_end(args);
}

static void say_number(struct writer *w, int32_t n) {
  if (n == INT32_MIN) say(w, "(-2147483647 - 1)");
  else say(w, n < 0 ? "(%d)" : "%d", (int)n);
}

/* ---- lvalues ------------------------------------------------------------------------------------------------------------ */

static void say_expr(struct writer *w, ir_expr e);

static int is_constant(const struct writer *w, const struct ir_lvalue *r) {
  return (r->where == IR_GLOBAL || r->where == IR_LOCAL) && w->p->decls.at[r->decl].flags & IR_CONST;
}

/* Index of a cell: the scope's first variable plus the offset. Only for globals and locals. */
static void say_cell(struct writer *w, ir_ref ref) {
  const struct ir_lvalue *r = &w->p->refs.at[ref];
  if (r->where == IR_GLOBAL) say(w, "%u", (unsigned)(w->shape->global + r->base));
  else say(w, "L + %u", (unsigned)r->base);
  for (uint32_t i = 0; i < r->indices; i++) {
    const struct ir_index *x = &w->p->indices.at[r->index + i];
    say(w, " + runtime_index(m, ");
    say_expr(w, x->expr);
    say(w, ", %uu, %uu)", (unsigned)x->bound, (unsigned)ref);
    if (x->stride != 1) say(w, " * %uu", (unsigned)x->stride);
  }
}

/* The number of a channel whose variable is never written: relative to the scope's channels, `offset` cells into its declaration. */
static void say_chan_number(struct writer *w, ir_ref ref) {
  const struct ir_lvalue *r = &w->p->refs.at[ref];
  const struct ir_decl *d = &w->p->decls.at[r->decl];
  uint32_t first = d->first_chan + (r->base - d->base);
  if (r->where == IR_GLOBAL) say(w, "(%d", (int)first + 1);
  else say(w, "((int32_t)m->slot_chan[slot] + %d", (int)first);
  for (uint32_t i = 0; i < r->indices; i++) {
    const struct ir_index *x = &w->p->indices.at[r->index + i];
    say(w, " + (int32_t)(runtime_index(m, ");
    say_expr(w, x->expr);
    say(w, ", %uu, %uu) * %uu)", (unsigned)x->bound, (unsigned)ref, (unsigned)x->stride);
  }
  say(w, ")");
}

static void say_load(struct writer *w, ir_expr e, ir_ref ref) {
  const struct ir_lvalue *r = &w->p->refs.at[ref];
  if (r->where == IR_REMOTE || r->where == IR_HEAP) {
    say(w, "m->value(m, slot, %uu)", (unsigned)e);
  } else if (is_constant(w, r) && w->p->decls.at[r->decl].chan) {
    say_chan_number(w, ref);
  } else if (is_constant(w, r) && !r->indices) {
    say_number(w, w->shape->first_value[w->shape->type_first[r->where == IR_LOCAL ? w->p->decls.at[r->decl].scope : 0] + r->base]);
  } else {
    say(w, "V[");
    say_cell(w, ref);
    say(w, "]");
  }
}

/* ---- expressions --------------------------------------------------------------------------------------------------------- */

static const char *infix(unsigned op) {
  switch (op) {
  case IR_ADD: return "+";
  case IR_SUB: return "-";
  case IR_MUL: return "*";
  case IR_BAND: return "&";
  case IR_BOR: return "|";
  case IR_BXOR: return "^";
  case IR_LT: return "<";
  case IR_LE: return "<=";
  case IR_GT: return ">";
  case IR_GE: return ">=";
  case IR_EQ: return "==";
  case IR_NE: return "!=";
  case IR_AND: return "&&";
  case IR_OR: return "||";
  default: return NULL;
  }
}

static void say_call(struct writer *w, const char *function, const struct ir_node *n, ir_expr e) {
  say(w, "%s(m, ", function);
  say_expr(w, n->a);
  say(w, ", ");
  say_expr(w, n->b);
  say(w, ", %uu)", (unsigned)e);
}

static void say_question(struct writer *w, const struct ir_node *n, ir_expr e, const char *question) {
  say(w, "runtime_ask(m, ");
  say_expr(w, n->a);
  say(w, ", %s, %uu)", question, (unsigned)e);
}

static void say_wrapped(struct writer *w, const char *before, ir_expr a, const char *between, ir_expr b, const char *after) {
  say(w, "%s", before);
  say_expr(w, a);
  say(w, "%s", between);
  if (b) say_expr(w, b);
  say(w, "%s", after);
}

static void say_expr(struct writer *w, ir_expr e) {
  const struct ir_node *n = program_at(w->p, e);
  const char *op = infix(n->op);
  if (op) {
    say(w, "(");
    say_expr(w, n->a);
    say(w, " %s ", op);
    say_expr(w, n->b);
    say(w, ")");
    return;
  }
  switch (n->op) {
  case IR_VALUE: say_number(w, n->value); break;
  case IR_LOAD: say_load(w, e, n->a); break;
  case IR_NEG: say_wrapped(w, "(-", n->a, "", 0, ")"); break;
  case IR_NOT: say_wrapped(w, "(!", n->a, "", 0, ")"); break;
  case IR_INVERT: say_wrapped(w, "(~", n->a, "", 0, ")"); break;
  case IR_DIV: say_call(w, "runtime_divide", n, e); break;
  case IR_MOD: say_call(w, "runtime_remainder", n, e); break;
  case IR_SHL: say_wrapped(w, "((int32_t)((uint32_t)", n->a, " << (", n->b, " & 31)))"); break;
  case IR_SHR: say_wrapped(w, "(", n->a, " >> (", n->b, " & 31))"); break;
  case IR_IMPLIES: say_wrapped(w, "(!", n->a, " || ", n->b, ")"); break;
  case IR_COND:
    say_wrapped(w, "(", n->a, " ? ", n->b, " : ");
    say_expr(w, n->c);
    say(w, ")");
    break;
  case IR_LEN: say_question(w, n, e, "ASK_LENGTH"); break;
  case IR_EMPTY: say_question(w, n, e, "ASK_EMPTY"); break;
  case IR_NEMPTY: say_question(w, n, e, "ASK_NOT_EMPTY"); break;
  case IR_FULL: say_question(w, n, e, "ASK_FULL"); break;
  case IR_NFULL: say_question(w, n, e, "ASK_NOT_FULL"); break;
  case IR_AT:
    say_wrapped(w, "runtime_at(m, ", n->a, "", 0, "");
    say(w, ", %uu, %uu)", (unsigned)n->b, (unsigned)w->p->labels.at[n->c].state);
    break;
  case IR_FIRST: say(w, "runtime_first(m, %uu)", (unsigned)n->b); break;
  case IR_POLL: say(w, "poll_%u(m, slot)", (unsigned)e); break;
  case IR_TIMEOUT: say(w, "m->timeout"); break;
  case IR_PID_OWN: say(w, "((int32_t)slot)"); break;
  case IR_NR_PR: say(w, "((int32_t)m->processes)"); break;
  case IR_LAST: say(w, "V[%u]", (unsigned)IMAGE_LAST); break;
  case IR_OWN_CHAN: say(w, "((int32_t)m->slot_chan[slot] + %d)", (int)n->value); break;
  default: say(w, "m->value(m, slot, %uu)", (unsigned)e); break;
  }
}

/* ---- actions --------------------------------------------------------------------------------------------------------------- */

/* Can this lvalue be written without the interpreter? */
static int plain_ref(const struct writer *w, ir_ref ref) {
  return !ref || w->p->refs.at[ref].where == IR_GLOBAL || w->p->refs.at[ref].where == IR_LOCAL;
}

static int plain_action(const struct writer *w, const struct ir_action *a) {
  switch (a->kind) {
  case IR_ASSIGN: return plain_ref(w, a->ref);
  case IR_RUN: return plain_ref(w, a->ref) && !a->value;
  case IR_ASSERT:
  case IR_PRINT: return 1;
  default: return 0;
  }
}

/* Everything about a transition is plain: otherwise the interpreter runs it. */
static int plain(const struct writer *w, const struct ir_trans *t) {
  for (uint32_t i = 0; i < t->actions; i++)
    if (!plain_action(w, &w->p->actions.at[t->action + i])) return 0;
  if (!t->comm) return 1;
  const struct ir_comm *c = &w->p->comms.at[t->comm - 1];
  for (uint32_t i = 0; i < c->args; i++)
    if (w->p->args.at[c->arg + i].kind == IR_ARG_BIND && !plain_ref(w, w->p->args.at[c->arg + i].what)) return 0;
  return 1;
}

/* Plain, and known to be enabled before anything is written: a process may turn out to be one too many. */
static int sure(const struct writer *w, const struct ir_trans *t) {
  for (uint32_t i = 0; i < t->actions; i++)
    if (w->p->actions.at[t->action + i].kind == IR_RUN) return 0;
  return plain(w, t);
}

/* ref = `value`, an expression of the generated text, or e. */
static void say_assign(struct writer *w, ir_ref ref, ir_expr e, const char *value) {
  const struct ir_type *t = &w->p->types.at[w->p->refs.at[ref].type];
  if (t->bits >= 32) {
    say(w, "  runtime_put(m, ");
    say_cell(w, ref);
    say(w, ", ");
  } else {
    say(w, "  runtime_assign(m, ");
    say_cell(w, ref);
    say(w, ", %uu, %u, %u, ", (unsigned)ref, (unsigned)t->bits, (unsigned)t->is_signed);
  }
  if (e) say_expr(w, e);
  else say(w, "%s", value);
  say(w, ");\n");
}

static void say_args(struct writer *w, const struct ir_action *a) {
  say(w, "int32_t a[] = {");
  for (uint32_t i = 0; i < a->args; i++) {
    say_expr(w, w->p->args.at[a->arg + i].what);
    say(w, ", ");
  }
  say(w, "0};\n");
}

static void say_action(struct writer *w, uint32_t index) {
  const struct ir_action *a = &w->p->actions.at[index];
  switch (a->kind) {
  case IR_ASSIGN: say_assign(w, a->ref, a->expr, NULL); break;
  case IR_ASSERT:
    say(w, "  if (!");
    say_expr(w, a->expr);
    say(w, ") m->fault(m, FAULT_ASSERT, %uu);\n", (unsigned)index);
    break;
  case IR_PRINT:
    say(w, "  {\n    ");
    say_args(w, a);
    say(w, "    if (m->printing) m->print(m, %uu, slot, a);\n  }\n", (unsigned)index);
    break;
  case IR_RUN:
    say(w, "  {\n    ");
    say_args(w, a);
    say(w, "    int32_t pid = m->create(m, %uu, a, %uu, %uu);\n    if (pid < 0) return 0;\n  ", (unsigned)a->proc, (unsigned)a->args,
        (unsigned)a->arg);
    if (a->ref) say_assign(w, a->ref, 0, "pid");
    say(w, "  }\n");
    break;
  default: break;
  }
}

static void say_actions(struct writer *w, const struct ir_trans *t) {
  for (uint32_t i = 0; i < t->actions; i++) say_action(w, t->action + i);
}

/* ---- communication ---------------------------------------------------------------------------------------------------------- */

/* What is known of the channel: -1 = nothing, else its kind. */
static int64_t known_kind(const struct writer *w, const struct ir_comm *c) {
  const struct ir_node *n = program_at(w->p, c->chan);
  if (n->op != IR_LOAD || !is_constant(w, &w->p->refs.at[n->a])) return -1;
  const struct ir_decl *d = &w->p->decls.at[w->p->refs.at[n->a].decl];
  return d->chan && w->p->chans.at[d->chan - 1].fields == c->args ? (int64_t)d->chan - 1 : -1;
}

/* q, c and B of a communication; leaves the function if there is no such channel. */
static void say_channel(struct writer *w, uint32_t index, int polls) {
  const struct ir_comm *comm = &w->p->comms.at[index];
  int64_t kind = known_kind(w, comm);
  say(w, "  const int32_t q = ");
  say_expr(w, comm->chan);
  if (kind < 0) {
    if (polls)
      say(w,
          ";\n  const struct runtime_chan *c = runtime_poll(m, q, %uu, %uu);\n  if (!c) return "
          "0;\n",
          (unsigned)comm->args, (unsigned)index);
    else
      say(w, ";\n  const struct runtime_chan *c = runtime_comm(m, q, %uu);\n  if (!c) return 0;\n",
          (unsigned)index);
    say(w, "  const uint32_t B = m->chan_cell[q];\n");
    return;
  }
  const struct ir_lvalue *r = &w->p->refs.at[program_at(w->p, comm->chan)->a];
  const struct ir_decl *d = &w->p->decls.at[r->decl];
  say(w, ";\n  const struct runtime_chan *const c = &kinds[%u];\n", (unsigned)kind);
  if (r->indices) {
    say(w, "  const uint32_t B = m->chan_cell[q];\n");
    return;
  }
  uint32_t scope = r->where == IR_LOCAL ? d->scope : 0;
  uint32_t cell = w->shape->chan[w->shape->chan_first[scope] + d->first_chan + (r->base - d->base)].cell;
  if (scope) say(w, "  const uint32_t B = L + %uu;\n", (unsigned)cell);
  else say(w, "  const uint32_t B = %uu;\n", (unsigned)(w->shape->global + cell));
}

/* The condition that the fields at `fields` match the patterns; `count`: how many there are, the
 * others are 0; NULL: enough. */
static void say_match(struct writer *w, const struct ir_comm *c, const char *fields,
                      const char *count) {
  int any = 0;
  for (uint32_t i = 0; i < c->args; i++) {
    const struct ir_arg *a = &w->p->args.at[c->arg + i];
    if (a->kind != IR_ARG_MATCH) continue;
    if (any) say(w, " && ");
    if (count) say(w, "(%uu < %s ? %s[%u] : 0) == ", (unsigned)i, count, fields, (unsigned)i);
    else say(w, "%s[%u] == ", fields, (unsigned)i);
    say_expr(w, a->what);
    any = 1;
  }
  if (!any) say(w, "1");
}

static void say_binds(struct writer *w, const struct ir_comm *c) {
  char value[32];
  for (uint32_t i = 0; i < c->args; i++) {
    const struct ir_arg *a = &w->p->args.at[c->arg + i];
    if (a->kind != IR_ARG_BIND) continue;
    snprintf(value, sizeof value, "m->message[%u]", (unsigned)i);
    say_assign(w, a->what, 0, value);
  }
}

static void say_send(struct writer *w, uint32_t index) {
  const struct ir_comm *comm = &w->p->comms.at[index];
  int even = known_kind(w, comm) >= 0;
  say_channel(w, index, 0);
  say(w, "  if (runtime_blocks(m, B, c)) return 0;\n");
  for (uint32_t i = 0; i < comm->args; i++) {
    say(w, "  m->message[%u] = ", (unsigned)i);
    say_expr(w, w->p->args.at[comm->arg + i].what);
    say(w, ";\n");
  }
  if (!even)
    say(w, "  runtime_even(m, %uu, c->fields, %uu);\n  runtime_fill(m, %uu, c->fields);\n",
        (unsigned)comm->args, (unsigned)index, (unsigned)comm->args);
  say(w, "  m->message_chan = q;\n  m->message_fields = c->fields;\n");
  say(w, "  if (!c->capacity) {\n    runtime_cut_message(m, c, cuts, %uu);\n    return RUN_OFFER;\n  }\n  runtime_send(m, B, c, cuts, %d, %uu);\n",
      (unsigned)comm->arg, (comm->flags & IR_SORTED) != 0, (unsigned)comm->arg);
  say(w, "  if (m->event) m->event(m, %uu, slot, q);\n", (unsigned)index);
}

/* Finds the message that a receive takes: i, or leaves the function. */
static void say_find(struct writer *w, uint32_t index, int looks, int polls) {
  const struct ir_comm *comm = &w->p->comms.at[index];
  const char *count = polls || known_kind(w, comm) >= 0 ? NULL : "c->fields";
  say_channel(w, index, polls);
  if (looks) say(w, "  if (!c->capacity) m->fault(m, FAULT_POLL, %uu);\n", (unsigned)index);
  say(w, "  if (!c->capacity) return 0;\n  const uint32_t length = runtime_length(m, B, c);\n  uint32_t i = 0;\n");
  if (comm->flags & IR_RANDOM) {
    say(w, "  for (; i < length; i++) {\n    const int32_t *const f = &V[B + 1 + i * c->fields];\n    if (");
    say_match(w, comm, "f", count);
    say(w, ") break;\n  }\n  if (i == length) return 0;\n");
  } else {
    say(w, "  if (!length) return 0;\n  {\n    const int32_t *const f = &V[B + 1];\n    if (!(");
    say_match(w, comm, "f", count);
    say(w, ")) return 0;\n    (void)f;\n  }\n");
  }
}

static void say_receive(struct writer *w, uint32_t index) {
  const struct ir_comm *comm = &w->p->comms.at[index];
  say_find(w, index, comm->flags & IR_PEEK, 0);
  say(w, "  runtime_take(m, B, c, i);\n  m->message_chan = q;\n  m->message_fields = c->fields;\n");
  if (known_kind(w, comm) < 0) {
    say(w, "  runtime_fill(m, c->fields, %uu);\n", (unsigned)comm->args);
    if (comm->flags & IR_PEEK) say(w, "  if (c->fields < %uu) ", (unsigned)comm->args);
    say(w, "  runtime_even(m, %uu, c->fields, %uu);\n", (unsigned)comm->args, (unsigned)index);
  }
  say_binds(w, comm);
  say(w, "  if (m->event) m->event(m, %uu, slot, q);\n", (unsigned)index);
  if (!(comm->flags & IR_PEEK)) say(w, "  runtime_remove(m, B, c, i);\n");
}

/* ---- functions ---------------------------------------------------------------------------------------------------------------- */

static void say_head(struct writer *w, const char *what, size_t t) {
  say(w, "static %sint %s_%zu(struct runtime *m, uint32_t slot, uint32_t t) {\n  const uint32_t L = FRAME(slot);\n  (void)t, (void)L;\n",
      w->swift ? "inline __attribute__((always_inline)) " : "", what, t);
}

static void say_guard(struct writer *w, const struct ir_trans *t) {
  if (!t->guard) return;
  say(w, "  if (!");
  say_expr(w, t->guard);
  say(w, ") return 0;\n");
}

static int receives(const struct writer *w, const struct ir_trans *t) {
  return t->comm && w->p->comms.at[t->comm - 1].flags & IR_RECEIVE;
}

/* Who only looks takes no part in a rendezvous. */
static int accepts(const struct writer *w, const struct ir_trans *t) { return receives(w, t) && !(w->p->comms.at[t->comm - 1].flags & IR_PEEK); }

static void say_run(struct writer *w, size_t index) {
  const struct ir_trans *t = &w->p->trans.at[index];
  say_head(w, w->swift ? "swift" : "run", index);
  say_guard(w, t);
  if (t->comm) {
    if (receives(w, t)) say_receive(w, t->comm - 1);
    else say_send(w, t->comm - 1);
  }
  say_actions(w, t);
  say(w, "  return RUN_DONE;\n}\n");
}

static void say_accept(struct writer *w, size_t index) {
  const struct ir_trans *t = &w->p->trans.at[index];
  const struct ir_comm *comm = &w->p->comms.at[t->comm - 1];
  say_head(w, "accept", index);
  say_guard(w, t);
  say(w, "  if (m->message_chan != ");
  say_expr(w, comm->chan);
  say(w, ") return 0;\n  runtime_fill(m, m->message_fields, %uu);\n  if (!(", (unsigned)comm->args);
  say_match(w, comm, "m->message", NULL);
  say(w, ")) return 0;\n  runtime_even(m, %uu, m->message_fields, %uu);\n", (unsigned)comm->args,
      (unsigned)t->comm - 1);
  say_binds(w, comm);
  say(w, "  return 1;\n}\n");
}

static void say_table(struct writer *w, const char *what, int which) {
  say(w, "static runtime_step *const %s_table[] = {\n", what);
  for (size_t i = 0; i < w->p->trans.count; i++) {
    const struct ir_trans *t = &w->p->trans.at[i];
    if (which == 1 && !accepts(w, t)) say(w, "  never,");
    else if (which == 2 && !(t->actions && t->comm)) say(w, "  nothing,");
    else if (!plain(w, t)) say(w, "  %s_slowly,", what);
    else say(w, "  %s_%zu,", what, i);
    if (i % 8 == 7) say(w, "\n");
  }
  say(w, "  never};\n");
}

static void say_provided(struct writer *w) {
  say(w, "static int provided(struct runtime *m, uint32_t slot, uint32_t type) {\n  const uint32_t L = FRAME(slot);\n  (void)L;\n  switch (type) {\n");
  for (size_t i = 0; i < w->p->procs.count; i++)
    if (w->p->procs.at[i].provided) {
      say(w, "  case %zu: return ", i);
      say_expr(w, w->p->procs.at[i].provided);
      say(w, " != 0;\n");
    }
  say(w, "  default: return 1;\n  }\n}\n");
}

static void say_kinds(struct writer *w) {
  const struct program *p = w->p;
  say(w, "static const struct runtime_chan kinds[] = {");
  for (size_t i = 0; i < p->chans.count; i++)
    say(w, "{%uu, %uu, %uu}, ", (unsigned)p->chans.at[i].capacity, (unsigned)p->chans.at[i].fields, (unsigned)p->chans.at[i].field);
  say(w, "{0, 0, 0}};\nstatic const struct runtime_cut cuts[] = {");
  for (size_t i = 0; i < p->chan_fields.count; i++) {
    const struct ir_type *t = &p->types.at[p->chan_fields.at[i]];
    say(w, "{%u, %u}, ", (unsigned)t->bits, (unsigned)t->is_signed);
  }
  say(w, "{32, 1}};\n");
}

/* Long d_steps once more (generate_dstep.h): the same statements with writes that are not logged. */
static void say_dsteps(struct writer *w) {
  uint8_t *use = mem_alloc(w->out.mem, MEM_OTHER, w->p->trans.count + 1);
  for (size_t i = 0; use && i < w->p->trans.count; i++) use[i] = (uint8_t)sure(w, &w->p->trans.at[i]);
  if (!use || dsteps_find(w->shape, use, w->out.mem)) {
    w->out.failed = 1;
    mem_free(w->out.mem, use);
    return;
  }
  w->swift = 1;
  say(w, "#define runtime_put runtime_set\n#define runtime_assign runtime_set_cut\n");
  for (size_t i = 0; i < w->p->trans.count; i++)
    if (use[i]) say_run(w, i);
  say(w, "#undef runtime_put\n#undef runtime_assign\n");
  w->swift = 0;
  dsteps_say(&w->out, w->shape, use);
  mem_free(w->out.mem, use);
}

int generate_c(char **out, size_t *length, const struct shape *shape, struct mem *mem) {
  struct writer w = {.shape = shape, .p = shape->program, .out.mem = mem};
  text_out_add(&w.out, runtime_text, strlen(runtime_text));
  say(&w, "#define V m->cell\n#define FRAME(slot) (%uu + ((slot) << %u) + SLOT_HEADER)\n", (unsigned)shape->slots, (unsigned)shape->slot_bits);
  say_kinds(&w);
  say(&w, "static int never(struct runtime *m, uint32_t slot, uint32_t t) { (void)m, (void)slot, (void)t; return 0; }\n"
          "static int nothing(struct runtime *m, uint32_t slot, uint32_t t) { (void)m, (void)slot, (void)t; return 1; }\n"
          "static int run_slowly(struct runtime *m, uint32_t slot, uint32_t t) { return m->run_slowly(m, slot, t); }\n"
          "static int accept_slowly(struct runtime *m, uint32_t slot, uint32_t t) { return m->accept_slowly(m, slot, t); }\n"
          "static int effects_slowly(struct runtime *m, uint32_t slot, uint32_t t) { return m->effects_slowly(m, slot, t); }\n");
  for (size_t i = 1; i < w.p->nodes.count; i++) { /* a node comes after those that it is made of */
    if (w.p->nodes.at[i].op != IR_POLL) continue;
    say(&w, "static int poll_%zu(struct runtime *m, uint32_t slot) {\n  const uint32_t L = FRAME(slot);\n  (void)L;\n", i);
    say_find(&w, w.p->nodes.at[i].a - 1, 1, 1);
    say(&w, "  (void)q, (void)i;\n  return 1;\n}\n");
  }
  for (size_t i = 0; i < w.p->trans.count; i++) {
    const struct ir_trans *t = &w.p->trans.at[i];
    if (!plain(&w, t)) continue;
    say_run(&w, i);
    if (accepts(&w, t)) say_accept(&w, i);
    if (t->actions && t->comm) { /* the two halves of a rendezvous act after both have agreed */
      say_head(&w, "effects", i);
      say_actions(&w, t);
      say(&w, "  return 1;\n}\n");
    }
  }
  say_table(&w, "run", 0);
  say_table(&w, "accept", 1);
  say_table(&w, "effects", 2);
  say_dsteps(&w);
  say_provided(&w);
  say(&w, "const struct runtime_code thimble_code = {RUNTIME_VERSION, %zu, run_table, accept_table, effects_table, dstep_table, provided};\n", w.p->trans.count);
  say(&w, "int (*const keep[])(struct runtime *, uint32_t, uint32_t) = {never, nothing, run_slowly, accept_slowly, effects_slowly};\n");
  *out = w.out.text.at;
  *length = w.out.text.count;
  if (!w.out.failed) return 0;
  vec_free(&w.out.text, mem);
  *out = NULL;
  return -1;
}
