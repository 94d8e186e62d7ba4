/* lower.c -- a DVE model as a program: processes, transitions, synchronisation, assertions.
 *
 * Process i of the file (the property process left out) is slot i; it never ends.  A transition of DVE is a transition of the
 * program with its guard, its communication and its effects as assignments, in their order.  DiVinE's order of a rendezvous
 * (values pass over, the receiver moves and acts, the sender moves and acts) is asked of the program by `receiver_first`.
 *
 * An untyped channel has as many fields as its first use says; all uses must agree.
 *
 * Assertions.  `assert q: e` says that e holds in every state of the system in which the process is in q, not only when it
 * arrives there.  So the check stands behind every transition that could break it: those that enter q, those that write a
 * variable that e reads, and those that move a process whose state e asks for.  Elsewhere it could only repeat what was checked
 * before.  In a rendezvous it stands behind the sender, who acts last, if either partner could break it.  The initial state is
 * checked here, at once: a model whose assertion is false from the start is refused. */
#include "front/dve/lower.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 400, ASSERTS_MAX = 1000 };

struct assertion {
  const struct dve_assert *syntax;
  uint32_t process, state;
  struct vec(uint32_t) reads;      /* decls */
  uint8_t asks[DVE_PROCESSES_MAX]; /* processes whose control state it looks at */
  const char *text;
};

struct receiver { /* channels on which a receive could break an assertion */
  uint32_t assertion, decl;
};

struct work {
  struct lowering *l;
  struct vec(struct assertion) assertions;
  struct vec(struct receiver) receivers;
  struct vec(struct ir_action) actions; /* of the transition at hand */
};

#define PUSH(l, v, ...) (vec_push((v), (l)->d->mem, MEM_OTHER, __VA_ARGS__) ? dve_memory((l)->d) : 0)

/* ---- how many values a message has ------------------------------------------------------------------------------------------
 */

static void use_channel(struct lowering *l, const struct dve_view *view, const struct dve_sync *s) {
  struct dve_symbol *c = dve_find_channel(l, view, &s->owner, &s->channel);
  uint32_t count = (uint32_t)s->values.count;
  if (!c) return;
  if (!c->channel->typed && !c->use.line) {
    c->fields = count;
    c->use = s->at;
    return;
  }
  if (count == c->fields) return;
  if (c->channel->typed)
    dve_fail(l->d, s->at, "the messages of channel \"%s\" have %u fields, but here are %u", s->channel.text, c->fields, count);
  else
    dve_fail(l->d, s->at, "channel \"%s\" is used with %u values here, but with %u in line %ld", s->channel.text, count,
             c->fields, c->use.line);
}

static void use_channels(struct lowering *l) {
  for (size_t i = 0; i < l->automata.count; i++) {
    struct dve_view view = {.process = (int64_t)i, .own_state = -1};
    const struct dve_process *q = l->automata.at[i].syntax;
    for (size_t k = 0; k < q->trans.count; k++)
      if (q->trans.at[k].has_sync) use_channel(l, &view, &q->trans.at[k].sync);
  }
}

/* ---- assertions -------------------------------------------------------------------------------------------------------------
 */

static int gather_reads(struct lowering *l, const struct dve_view *view, const struct dve_expr *e, struct assertion *a) {
  struct dve_symbol *s;
  switch (e->kind) {
  case DVE_X_NUMBER: return 0;
  case DVE_X_AT: {
    struct dve_automaton *other = dve_find_process(l, &e->owner);
    if (!other) return -1;
    a->asks[other - l->automata.at] = 1;
    return 0;
  }
  case DVE_X_NAME:
  case DVE_X_INDEX:
    if (!(s = dve_find_variable(l, view, &e->owner, &e->name))) return -1;
    if (!s->is_const && PUSH(l, &a->reads, s->decl)) return -1;
    return e->a ? gather_reads(l, view, e->a, a) : 0;
  default: return gather_reads(l, view, e->a, a) || (e->b && gather_reads(l, view, e->b, a)) ? -1 : 0;
  }
}

static void open_assertion(struct work *w, uint32_t process, const struct dve_assert *syntax) {
  struct lowering *l = w->l;
  struct dve_automaton *automaton = &l->automata.at[process];
  struct assertion a = {.syntax = syntax, .process = process, .state = dve_find_state(l, automaton, &syntax->state)};
  struct dve_view view = {.process = process, .own_state = -1};
  char text[TEXT_MAX];
  int32_t holds;
  size_t before = l->d->errors.count;
  if (w->assertions.count == ASSERTS_MAX) {
    dve_fail(l->d, syntax->at, "a model has at most %d assertions", (int)ASSERTS_MAX);
    return;
  }
  dve_squeeze(text, sizeof text, l->d->text + syntax->at.offset, syntax->at.length);
  a.text = program_text(l->program, text, strlen(text));
  int status = gather_reads(l, &view, syntax->expr, &a);
  if (PUSH(l, &w->assertions, a)) {
    vec_free(&a.reads, l->d->mem);
    return;
  }
  if (status || a.state == NAMES_NONE || l->d->errors.count > before || a.state != automaton->init) return;
  if (dve_eval(l, &view, syntax->expr, NULL, &holds) == 0 && !holds)
    dve_fail(l->d, syntax->at, "this assertion is false in the initial state already");
}

/* Does a transition write this variable, by an effect or by receiving into it? */
static int writes(struct lowering *l, const struct dve_view *view, const struct dve_trans *t, uint32_t decl) {
  for (size_t i = 0; i < t->effects.count; i++) {
    const struct dve_expr *x = t->effects.at[i].target;
    struct dve_symbol *s = x->kind == DVE_X_AT ? NULL : dve_find_variable(l, view, &x->owner, &x->name);
    if (s && !s->is_const && s->decl == decl) return 1;
  }
  for (size_t i = 0; t->has_sync && !t->sync.sends && i < t->sync.values.count; i++) {
    const struct dve_expr *x = t->sync.values.at[i];
    if (x->kind != DVE_X_NAME && x->kind != DVE_X_INDEX) continue;
    struct dve_symbol *s = dve_find_variable(l, view, &x->owner, &x->name);
    if (s && !s->is_const && s->decl == decl) return 1;
  }
  return 0;
}

static int could_break(struct lowering *l, const struct dve_view *view, const struct dve_trans *t, uint32_t from, uint32_t to,
                       const struct assertion *a) {
  uint32_t process = (uint32_t)view->process;
  if (process == a->process && to != a->state) return 0; /* it leaves the state, or never was there */
  if (from != to && (process == a->process || a->asks[process])) return 1;
  for (size_t i = 0; i < a->reads.count; i++)
    if (writes(l, view, t, a->reads.at[i])) return 1;
  return 0;
}

static int is_rendezvous(const struct lowering *l, const struct dve_symbol *c) {
  const struct ir_decl *d = &l->program->decls.at[c->decl];
  return d->chan && l->program->chans.at[d->chan - 1].capacity == 0;
}

/* Notes which receives over rendezvous channels could break which assertions. */
static void gather_receivers(struct work *w, uint32_t process) {
  struct lowering *l = w->l;
  struct dve_automaton *a = &l->automata.at[process];
  struct dve_view view = {.process = process, .own_state = -1};
  for (size_t i = 0; i < a->syntax->trans.count; i++) {
    const struct dve_trans *t = &a->syntax->trans.at[i];
    if (!t->has_sync || t->sync.sends) continue;
    struct dve_symbol *c = dve_find_channel(l, &view, &t->sync.owner, &t->sync.channel);
    uint32_t from = names_find(&a->states, t->from.text, t->from.length), to = names_find(&a->states, t->to.text, t->to.length);
    if (!c || !is_rendezvous(l, c)) continue;
    for (uint32_t k = 0; k < w->assertions.count; k++)
      if (could_break(l, &view, t, from, to, &w->assertions.at[k]) && PUSH(l, &w->receivers, (struct receiver){k, c->decl}))
        return;
  }
}

static int receiver_could_break(const struct work *w, uint32_t assertion, uint32_t decl) {
  for (size_t i = 0; i < w->receivers.count; i++)
    if (w->receivers.at[i].assertion == assertion && w->receivers.at[i].decl == decl) return 1;
  return 0;
}

/* Appends the checks that belong behind a transition. `rendezvous`: the channel's decl, 0 = none. */
static void append_asserts(struct work *w, const struct dve_view *view, const struct dve_trans *t, uint32_t from, uint32_t to,
                           uint32_t rendezvous) {
  struct lowering *l = w->l;
  struct program *p = l->program;
  if (rendezvous && !t->sync.sends) return; /* the sender's checks come last */
  for (uint32_t i = 0; i < w->assertions.count; i++) {
    const struct assertion *a = &w->assertions.at[i];
    int leaves = view->process == a->process && to != a->state;
    if (leaves || (!could_break(l, view, t, from, to, a) && !(rendezvous && receiver_could_break(w, i, rendezvous)))) continue;
    const struct dve_automaton *owner = &l->automata.at[a->process];
    struct place_in_text at = dve_where(p, a->syntax->at);
    struct dve_view there = {.process = a->process, .own_state = view->process == a->process ? (int64_t)to : -1, .elsewhere = view->process != a->process, .mover = (uint32_t)view->process + 1, .arrives = to};
    ir_expr e = dve_lower_expr(l, &there, a->syntax->expr);
    if (!e) return;
    if (view->process != a->process) {
      ir_expr in = program_node(p, (struct ir_node){.op = IR_AT,
                                                    .a = program_value(p, (int32_t)owner->slot),
                                                    .b = owner->proc,
                                                    .c = owner->labels.at[a->state],
                                                    .place = at});
      e = program_binary(p, IR_IMPLIES, in, e, at);
    }
    if (PUSH(l, &w->actions, (struct ir_action){.kind = IR_ASSERT, .expr = e, .text = a->text, .place = at})) return;
  }
}

/* ---- transitions ------------------------------------------------------------------------------------------------------------
 */

static ir_expr guard(struct lowering *l, const struct dve_view *view, const struct dve_trans *t) {
  ir_expr all = 0;
  for (size_t i = 0; i < t->guards.count; i++) {
    ir_expr e = dve_lower_expr(l, view, t->guards.at[i]);
    if (!e) continue;
    all = all ? program_binary(l->program, IR_AND, all, e, dve_where(l->program, t->guards.at[i]->at)) : e;
  }
  return all;
}

static uint32_t communication(struct lowering *l, const struct dve_view *view, const struct dve_sync *s, struct dve_symbol *c) {
  struct program *p = l->program;
  struct ir_arg args[DVE_FIELDS_MAX];
  uint32_t count = (uint32_t)s->values.count;
  if (count != c->fields) return 0; /* told already */
  for (uint32_t i = 0; i < count; i++) {
    const struct dve_expr *e = s->values.at[i];
    if (s->sends) args[i] = (struct ir_arg){IR_ARG_VALUE, dve_lower_expr(l, view, e)};
    else args[i] = (struct ir_arg){IR_ARG_BIND, dve_lower_target(l, view, e)};
    if (!args[i].what) return 0;
  }
  struct ir_comm comm = {.flags = s->sends ? IR_SEND : IR_RECEIVE,
                         .chan = program_load(p, program_ref(p, c->decl, dve_where(p, s->at))),
                         .arg = program_args(p, args, count),
                         .args = count,
                         .place = dve_where(p, s->at)};
  return program_comm(p, &comm);
}

/* "from -> to { guard ...; }" as it was written, comments left out. */
static const char *shown(struct lowering *l, const struct dve_trans *t) {
  char body[TEXT_MAX], text[3 * TEXT_MAX];
  size_t length = dve_squeeze(body, sizeof body, l->d->text + t->body.offset, t->body.length);
  int cut = length + 2 >= sizeof body;
  int n = snprintf(text, sizeof text, length ? "%.*s -> %.*s { %s%s }" : "%.*s -> %.*s", TEXT_MAX - 8, t->from.text, TEXT_MAX - 8,
                   t->to.text, body, cut ? "..." : "");
  return program_text(l->program, text, (size_t)n);
}

static void effects(struct work *w, const struct dve_view *view, const struct dve_trans *t) {
  struct lowering *l = w->l;
  for (size_t i = 0; i < t->effects.count; i++) {
    const struct dve_effect *e = &t->effects.at[i];
    struct ir_action a = {.kind = IR_ASSIGN, .place = dve_where(l->program, e->target->at)};
    a.ref = dve_lower_target(l, view, e->target);
    a.expr = dve_lower_expr(l, view, e->value);
    if (a.ref && a.expr && PUSH(l, &w->actions, a)) return;
  }
}

static void transition(struct work *w, uint32_t process, const struct dve_trans *t) {
  struct lowering *l = w->l;
  struct dve_automaton *a = &l->automata.at[process];
  struct dve_view before = {.process = process, .own_state = -1};
  uint32_t from = dve_find_state(l, a, &t->from), to = dve_find_state(l, a, &t->to), rendezvous = 0;
  struct dve_view after = {.process = process, .own_state = to == NAMES_NONE ? -1 : (int64_t)to};
  struct ir_trans trans = {.proc = a->proc, .from = from, .to = to, .flow = IR_STOP, .place = dve_where(l->program, t->at)};
  w->actions.count = 0;
  trans.guard = guard(l, &before, t);
  if (t->has_sync) {
    struct dve_symbol *c = dve_find_channel(l, &before, &t->sync.owner, &t->sync.channel);
    if (c) trans.comm = communication(l, &before, &t->sync, c);
    if (c && is_rendezvous(l, c)) rendezvous = c->decl;
  }
  effects(w, &after, t);
  if (l->d->errors.count || l->d->starved) return;
  if (!a->is_property) append_asserts(w, &after, t, from, to, rendezvous);
  trans.text = shown(l, t);
  program_trans(l->program, &trans, w->actions.at, (uint32_t)w->actions.count);
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------
 */

static int lower(struct work *w) {
  struct lowering *l = w->l;
  struct program *p = l->program;
  struct mem *m = l->d->mem;
  p->receiver_first = 1;
  l->byte_type = program_scalar(p, IR_NUMBER, "byte", 8, 0, 0);
  l->int_type = program_scalar(p, IR_NUMBER, "int", 16, 1, 0);
  l->value_type = program_scalar(p, IR_NUMBER, "value", 32, 1, 0);
  l->channel_type = program_scalar(p, IR_CHANNEL, "channel", 32, 1, 0);
  names_open(&l->global.names, m, MEM_OTHER);
  if (dve_declare_all(l)) return l->d->err->kind == ERR_NONE ? dve_errors_tell(l->d) : -1;
  use_channels(l);
  if (dve_declare_channels(l)) return dve_errors_tell(l->d);
  for (uint32_t i = 0; i < l->automata.count; i++)
    for (size_t k = 0; k < l->automata.at[i].syntax->asserts.count; k++)
      if (!l->automata.at[i].is_property) open_assertion(w, i, &l->automata.at[i].syntax->asserts.at[k]);
  if (w->assertions.count && !l->d->errors.count)
    for (uint32_t i = 0; i < l->automata.count; i++) gather_receivers(w, i);
  for (uint32_t i = 0; i < l->automata.count; i++)
    for (size_t k = 0; k < l->automata.at[i].syntax->trans.count; k++) transition(w, i, &l->automata.at[i].syntax->trans.at[k]);
  if (dve_errors_tell(l->d)) return -1;
  return program_finish(p, l->d->err);
}

int dve_lower(struct lowering *l, struct dve *d, struct program **out) {
  struct work w = {.l = l};
  *l = (struct lowering){.d = d};
  *out = NULL;
  if (program_open(&l->program, d->mem, "dve", d->setup->file)) return err_memory(d->err, "the model");
  int status = lower(&w);
  for (size_t i = 0; i < w.assertions.count; i++) vec_free(&w.assertions.at[i].reads, d->mem);
  vec_free(&w.assertions, d->mem);
  vec_free(&w.receivers, d->mem);
  vec_free(&w.actions, d->mem);
  if (status) program_close(l->program);
  else *out = l->program;
  return status;
}
