/* lower.c -- the automaton of a process type into the program.
 *
 * Control states are the elements that can be reached, numbered in the order of the text.  A d_step is one transition in SPIN;
 * here it is a chain: its first statement is tried in the state itself (all its options under one `choice`, so that the first one
 * that can be taken is), and what follows lies in inner states behind all others, which no complete state ever shows.  Inside,
 * else needs no test: options are tried in order and it comes last. */
#include "front/promela/flow.h"

#include <string.h>

enum { ACTIONS_MAX = 4 };

struct lowering {
  struct parser *parser;
  struct flow *flow;
  uint32_t proc;
  uint16_t escapes;           /* numbers given so far */
  struct element **escape_of; /* by number - 1 */
};

/* ---- statements ------------------------------------------------------------------------------------------------ */

struct effect { /* what a statement is as a transition */
  ir_expr guard;
  uint32_t comm;
  struct ir_action actions[ACTIONS_MAX];
  uint32_t count;
  unsigned flags;
};

static struct ir_action *action(struct effect *f, enum ir_action_kind kind, struct place_in_text place) {
  struct ir_action *a = &f->actions[f->count++];
  *a = (struct ir_action){.kind = kind, .place = place};
  return a;
}

/* The name of a mtype as an argument belongs to the set of the parameter. */
static void check_sets(struct parser *p, const struct expr *args, uint32_t proc) {
  struct program *g = p->program;
  uint32_t cell = 0;
  for (const struct expr *e = args; e && cell < g->procs.at[proc].params; e = e->next) {
    int whole = e->kind == EXPR_REF && e->ref->symbol && e->ref->symbol->kind == SYMBOL_VARIABLE && !e->ref->count;
    const struct ir_type *t = &g->types.at[program_cell_type(g, proc + 1, cell)];
    cell += whole ? g->types.at[e->ref->type].cells : 1;
    if (t->kind != IR_MTYPE || e->kind != EXPR_VALUE || !e->symbol) continue;
    const char *set = e->symbol->subtype ? e->symbol->subtype : "mtype", *wanted = g->names.at[t->names].set;
    if (strcmp(set, wanted)) parse_error(p, e->place, "%s is of the type %s, not %s", e->symbol->name, set, wanted);
  }
}

static void lower_run(struct parser *p, struct effect *f, struct expr *e, ir_ref result) {
  const struct proc_text *t = proc_text_find(p, e->name);
  if (!t || t->kind != PROC_TYPE) {
    parse_error(p, e->place, "there is no process type %s", e->name);
    return;
  }
  struct ir_action *a = action(f, IR_RUN, e->place);
  a->proc = t->proc;
  a->ref = result;
  a->value = (uint32_t)e->value;
  a->arg = promela_values(p, e->args, &a->args);
  uint32_t params = p->program->procs.at[t->proc].params;
  if (a->args != params)
    parse_error(p, e->place, "%s takes %u parameter%s, here are %u", e->name, params, params == 1 ? "" : "s", a->args);
  else check_sets(p, e->args, t->proc);
}

/* A run inside of an expression is done before the rest: then its value is the number of the youngest process. */
static void lower_run_inside(struct parser *p, struct effect *f, struct expr *values) {
  for (struct expr *e = values; e; e = e->next) {
    if (!tree_has_run(e)) continue;
    struct expr *run = tree_certain_run(e);
    if (!run) continue; /* refused */
    lower_run(p, f, run, 0);
    p->youngest = run;
  }
}

static int is_ignored(const struct ref *r) {
  return r->symbol && r->symbol->kind == SYMBOL_SPECIAL && r->symbol->value == SPECIAL_IGNORE;
}

static void lower_assign(struct parser *p, struct effect *f, const struct stmt *s) {
  if (s->ref->symbol && s->ref->symbol->kind == SYMBOL_SPECIAL && !is_ignored(s->ref)) { /* _priority = n */
    struct ir_action *a = action(f, IR_SET_PRIORITY, s->place);
    struct ir_arg value = {IR_ARG_VALUE, promela_expr(p, s->a)};
    a->expr = program_node(p->program, (struct ir_node){.op = IR_PID_OWN, .place = s->place});
    a->arg = program_args(p->program, &value, 1);
    a->args = 1;
    return;
  }
  ir_ref to = is_ignored(s->ref) ? 0 : promela_ref(p, s->ref);
  if (s->a->kind == EXPR_RUN) {
    lower_run(p, f, s->a, to);
    return;
  }
  lower_run_inside(p, f, s->a);
  ir_expr value = promela_expr(p, s->a);
  if (!to) return;
  struct ir_action *a = action(f, IR_ASSIGN, s->place);
  a->ref = to;
  a->expr = value;
}

static void lower_stmt(struct lowering *l, const struct stmt *s, struct effect *f) {
  struct parser *p = l->parser;
  struct ir_action *a;
  *f = (struct effect){0};
  switch (s->kind) {
  case STMT_CONDITION:
    if (s->a->kind == EXPR_RUN) lower_run(p, f, s->a, 0);
    else if (s->a->kind != EXPR_VALUE || !s->a->value) f->guard = promela_truth(p, s->a);
    break;
  case STMT_ASSIGN: lower_assign(p, f, s); break;
  case STMT_SEND:
  case STMT_RECEIVE:
    f->comm = promela_comm(p, s->ref, s->args, s->flags, s->place, l->flow->proc->kind == PROC_TRACE ? COMM_TRACE : COMM_STEP);
    break;
  case STMT_PRINT:
    lower_run_inside(p, f, s->args);
    a = action(f, IR_PRINT, s->place);
    a->text = s->text;
    a->arg = promela_values(p, s->args, &a->args);
    break;
  case STMT_ASSERT:
    if (s->a->kind == EXPR_RUN) { /* nothing is left to be judged: the number of a process that was made is not 0 */
      lower_run(p, f, s->a, 0);
      break;
    }
    lower_run_inside(p, f, s->a);
    a = action(f, IR_ASSERT, s->place);
    a->expr = promela_truth(p, s->a);
    a->text = tree_text(p, s->a);
    break;
  case STMT_ELSE: f->flags = IR_ELSE; break;
  case STMT_C_CODE: action(f, IR_C_CODE, s->place)->value = (uint32_t)s->value; break;
  case STMT_SET_PRIORITY: {
    struct ir_arg value = {IR_ARG_VALUE, promela_expr(p, s->b)};
    a = action(f, IR_SET_PRIORITY, s->place);
    a->expr = promela_expr(p, s->a);
    a->arg = program_args(p->program, &value, 1);
    a->args = 1;
    break;
  }
  case STMT_NEW: action(f, IR_NEW, s->place)->ref = promela_ref(p, s->ref); break;
  case STMT_RESET: action(f, IR_RESET, s->place)->ref = promela_ref(p, s->ref); break;
  case STMT_STOP: f->flags = IR_END; break;
  default: break; /* jumps and skips */
  }
}

/* ---- d_steps --------------------------------------------------------------------------------------------------- */

static int is_jump(const struct element *e) { return e->kind == STMT_GOTO || e->kind == STMT_BREAK; }

/* The next statement of the d_step from here on; NULL: it is over. */
static struct element *inside(struct lowering *l, struct element *e) {
  for (int i = 0; e && i < 500; i++) {
    if (!(e->status & IN_DSTEP)) return NULL;
    if (is_jump(e)) e = flow_target(l->flow, e->stmt);
    else if (e->kind == STMT_DOT || e->kind == STMT_EXIT) e = e->next;
    else if (e->kind == STMT_BLOCK || e->kind == STMT_UNLESS) e = e->body ? e->body->first : e->sub->strand->first;
    else return e;
  }
  if (e) parse_error(l->parser, e->stmt->place, "control goes round in this d_step without ever doing anything");
  return NULL;
}

static void follow_blocks(struct element *d) {
  /* Ends of blocks inside lead on to what follows the block; automaton.c did not look into d_steps. */
  for (struct element *e = d->body->first; e; e = e->next) {
    if (!(e->status & IN_DSTEP)) return;
    if (e->kind == STMT_BLOCK && e->body) {
      e->body->last->next = e->next;
      follow_blocks(e);
    }
    for (struct branch *b = e->sub; b; b = b->next) {
      struct element around = {.body = b->strand};
      if (b->strand != d->body) follow_blocks(&around);
    }
    if (e == d->body->last) return;
  }
}

struct dstep {
  struct ir_trans base; /* from, escape, choice of the entry */
  uint32_t to;          /* where the whole leads */
  int atomic;
  ir_expr provided;     /* the entry: what an option needs that is no guard itself; 0 = nothing */
  uint32_t nest;
};

static uint32_t inner_state(struct lowering *l, struct element *e) {
  if (!e->state) e->state = 1 + program_state(l->parser->program, l->proc, IR_INNER, e->stmt->place);
  return e->state - 1;
}

/* The statement that an option begins with; a jump is one, because as an option it can always be
 * taken. */
static struct element *option_start(struct lowering *l, struct element *e) {
  return is_jump(e) ? e : inside(l, e);
}

/* The statement that follows; NULL: the d_step is over. */
static struct element *dstep_next(struct lowering *l, struct element *e) {
  return is_jump(e) ? inside(l, e) : e->next ? inside(l, e->next) : NULL;
}

/* ---- whether a d_step that begins with a choice can be entered
 * ------------------------------------------------- */

/* SPIN asks before it enters: one of the conditions, sends and receives at the starts of the
 * options must be possible, or there must be an else, or none of these at all.  Assignments, jumps
 * and what else is always possible do not count, nor does what stands in a block or in a loop of
 * its own; but once inside, the first option that can be taken is. */

static int is_guard(const struct element *e) {
  return e->kind == STMT_CONDITION || e->kind == STMT_SEND || e->kind == STMT_RECEIVE ||
         e->kind == STMT_ELSE;
}

/* The choice whose guards count as well; NULL: there is none. */
static struct element *choice_inside(struct element *e) {
  if (e->kind == STMT_BLOCK) e = e->body->first;
  return e->kind == STMT_IF ? e : NULL;
}

static ir_expr guard_value(struct lowering *l, const struct stmt *s) {
  struct parser *p = l->parser;
  struct program *g = p->program;
  if (s->kind == STMT_CONDITION) return promela_truth(p, s->a);
  ir_expr chan = program_load(g, promela_ref(p, s->ref));
  ir_expr some = program_node(g, (struct ir_node){.op = IR_LEN, .a = chan, .place = s->place});
  if (s->kind ==
      STMT_SEND) { /* a channel without room for messages is empty: its message is offered */
    ir_expr room = program_node(g, (struct ir_node){.op = IR_NFULL, .a = chan, .place = s->place});
    return program_binary(g, IR_OR, program_unary(g, IR_NOT, some, s->place), room, s->place);
  }
  uint32_t comm =
      promela_comm(p, s->ref, s->args, s->flags & (IR_RECEIVE | IR_RANDOM), s->place, COMM_POLL);
  ir_expr fits = program_node(g, (struct ir_node){.op = IR_POLL, .a = comm, .place = s->place});
  return program_binary(g, IR_AND, some, fits, s->place);
}

/* All guards of a choice, joined to `some`. Returns 1 if one of them is always true. */
static int join_guards(struct lowering *l, const struct element *choice, ir_expr *some,
                       unsigned depth) {
  if (depth > NEST_MAX) return 1;
  for (const struct branch *b = choice->sub; b; b = b->next) {
    struct element *e = flow_hunt_start(l->flow, b->strand->first), *within = choice_inside(e);
    if (l->flow->failed) return 1;
    if (within && join_guards(l, within, some, depth + 1)) return 1;
    if (!is_guard(e)) continue;
    if (e->kind == STMT_ELSE ||
        (e->kind == STMT_CONDITION && e->stmt->a->kind == EXPR_VALUE && e->stmt->a->value))
      return 1;
    ir_expr one = guard_value(l, e->stmt);
    *some = *some ? program_binary(l->parser->program, IR_OR, *some, one, e->stmt->place) : one;
  }
  return 0;
}

/* Does each option begin with one of the guards? */
static int all_guarded(struct lowering *l, const struct element *choice, unsigned depth) {
  for (const struct branch *b = choice->sub; b; b = b->next) {
    struct element *e = flow_hunt_start(l->flow, b->strand->first), *within = choice_inside(e);
    if (within ? depth > NEST_MAX || !all_guarded(l, within, depth + 1) : !is_guard(e)) return 0;
  }
  return 1;
}

static ir_expr entry_condition(struct lowering *l, const struct element *choice) {
  ir_expr some = 0;
  return all_guarded(l, choice, 0) || join_guards(l, choice, &some, 0) ? 0 : some;
}

/* ---- its statements
 * -------------------------------------------------------------------------------------------- */

/* The transition by which statement e is done. */
static void dstep_single(struct lowering *l, struct element *e, const struct dstep *d,
                         int in_selection, int counts) {
  struct parser *p = l->parser;
  if (e->stmt->kind == STMT_STOP) parse_error(p, e->stmt->place, "a process cannot end in a d_step");
  if (e->stmt->kind == STMT_CONDITION && e->stmt->a->kind == EXPR_RUN)
    parse_error(p, e->stmt->place, "run cannot be used in a d_step");
  struct effect f;
  lower_stmt(l, e->stmt, &f);
  struct ir_trans t = d->base;
  struct element *next = dstep_next(l, e);
  t.guard = f.guard;
  if (d->provided && !counts)
    t.guard = f.guard ? program_binary(p->program, IR_AND, d->provided, f.guard, e->stmt->place)
                      : d->provided;
  t.comm = f.comm;
  t.flags = (uint8_t)(in_selection ? 0 : f.flags);
  t.place = e->stmt->place;
  t.text = stmt_text(p, e->stmt);
  t.to = next ? inner_state(l, next) : d->to;
  t.flow = next ? IR_DSTEP : d->atomic ? IR_ATOMIC : IR_STOP;
  program_trans(p->program, &t, f.actions, f.count);
}

/* The transitions by which statement e is done; options of selections one after the other.
   `counts`: guards found here are among those of the entry. */
static void dstep_statement(struct lowering *l, struct element *e, struct dstep *d,
                            int in_selection, int counts) {
  if (l->parser->stopped || ++d->nest > NEST_MAX) return;
  if (!e->sub) dstep_single(l, e, d, in_selection, counts && is_guard(e));
  for (struct branch *b = e->sub; b; b = b->next) {
    struct element *start = flow_hunt_start(l->flow, b->strand->first),
                   *first = option_start(l, start);
    if (first) dstep_statement(l, first, d, 1, counts && (is_guard(start) || choice_inside(start)));
  }
  d->nest--;
}

/* Everything behind the entry. */
static void dstep_inside(struct lowering *l, struct element *from, struct dstep *d);

static void dstep_successors(struct lowering *l, struct element *e, struct dstep *d) {
  if (e->sub) {
    for (struct branch *b = e->sub; b; b = b->next) {
      struct element *first = option_start(l, flow_hunt_start(l->flow, b->strand->first));
      if (first && ++d->nest < NEST_MAX) {
        dstep_successors(l, first, d);
        d->nest--;
      }
    }
    return;
  }
  struct element *next = dstep_next(l, e);
  if (next) dstep_inside(l, next, d);
}

/* Walks forward; a state that has its transitions is not entered again. Recursion is bounded by following chains in a loop. */
static void dstep_inside(struct lowering *l, struct element *from, struct dstep *d) {
  struct parser *p = l->parser;
  struct mem *mem = p->setup->mem;
  struct dstep inner = *d;
  if (from->reached) return;
  from->reached = 1;
  p->waiting.count = 0;
  if (vec_push(&p->waiting, mem, MEM_OTHER, from)) parse_no_memory(l->parser);
  while (p->waiting.count && !l->parser->stopped) {
    struct element *e = p->waiting.at[--p->waiting.count];
    inner.base.from = inner_state(l, e);
    inner.base.escape = inner.base.choice = 0;
    inner.provided = 0;
    inner.nest = 0;
    dstep_statement(l, e, &inner, 0, 0);
    /* successors: of the statement itself or of the first statements of its options */
    p->heads.count = 0;
    if (vec_push(&p->heads, mem, MEM_OTHER, e)) parse_no_memory(l->parser);
    while (p->heads.count && !l->parser->stopped) {
      struct element *h = p->heads.at[--p->heads.count];
      if (h->sub) {
        for (struct branch *b = h->sub; b; b = b->next) {
          struct element *first = option_start(l, flow_hunt_start(l->flow, b->strand->first));
          if (first && vec_push(&p->heads, mem, MEM_OTHER, first)) parse_no_memory(l->parser);
        }
        continue;
      }
      struct element *next = dstep_next(l, h);
      if (!next || next->reached) continue;
      next->reached = 1;
      if (vec_push(&p->waiting, mem, MEM_OTHER, next)) parse_no_memory(l->parser);
    }
  }
}

/* ---- transitions ----------------------------------------------------------------------------------------------- */

static uint16_t escape_number(struct lowering *l, uint32_t element) {
  if (!element) return 0;
  struct element *e = l->flow->newest;
  while (e && e->number != element) e = e->older;
  for (uint16_t i = 0; i < l->escapes; i++)
    if (l->escape_of[i] == e) return (uint16_t)(i + 1);
  if (l->escapes == 1000) {
    parse_error(l->parser, e->stmt->place, "there are more than 1000 escapes in one process type");
    return 0;
  }
  l->escape_of[l->escapes++] = e;
  return l->escapes;
}

static void lower_edge(struct lowering *l, const struct element *from, const struct edge *edge, uint16_t *choices) {
  struct parser *p = l->parser;
  const struct stmt *s = edge->source->stmt;
  struct ir_trans t = {.proc = l->proc,
                       .from = from->state - 1,
                       .to = edge->to ? edge->to->state - 1 : 0,
                       .escape = escape_number(l, edge->escape)};
  if (edge->source->kind == STMT_D_STEP) {
    struct element *first = option_start(l, edge->source->body->first);
    if (!first) {
      parse_error(p, s->place, "this d_step does nothing");
      return;
    }
    struct dstep d = {.base = t, .to = t.to, .atomic = edge->atomic};
    d.base.choice = first->sub ? ++*choices : 0;
    d.provided = first->sub ? entry_condition(l, first) : 0;
    dstep_statement(l, first, &d, 0, 1);
    d.nest = 0;
    dstep_successors(l, first, &d);
    return;
  }
  struct effect f;
  lower_stmt(l, s, &f);
  t.guard = f.guard;
  t.comm = f.comm;
  t.flags = (uint8_t)f.flags;
  t.flow = edge->atomic ? IR_ATOMIC : IR_STOP;
  t.place = s->place;
  t.text = stmt_text(p, s);
  if (!edge->to && !(f.flags & IR_END)) {
    parse_error(p, s->place, "nothing follows this statement");
    return;
  }
  program_trans(p->program, &t, f.actions, f.count);
}

/* Inner ends of d_steps, before anything is lowered. */
static void tie_dsteps(struct flow *f) {
  for (struct element *e = f->newest; e; e = e->older)
    if (e->kind == STMT_D_STEP && e->body) follow_blocks(e);
}

static void label_states(struct lowering *l) {
  for (const struct flow_label *label = l->flow->labels; label; label = label->older)
    if (label->element->state && label->element->reached)
      program_label(l->parser->program, l->proc, label->symbol->name, label->element->state - 1);
}

void promela_states(struct parser *p, struct proc_text *t) {
  struct lowering l = {.parser = p, .flow = t->flow, .proc = t->proc};
  if (!t->flow->start) return;
  struct element **all = parse_alloc(p, (t->flow->count + 1) * sizeof *all);
  for (struct element *e = t->flow->newest; e; e = e->older) all[e->number] = e;
  for (uint32_t i = 1; i <= t->flow->count; i++) {
    if (!all[i]->reached) continue;
    all[i]->state = 1 + program_state(p->program, t->proc, all[i]->marks, all[i]->stmt->place);
    if (!p->program->failed) p->program->states.at[p->program->states.count - 1].tag = i; /* SPIN numbers statements likewise */
  }
  if (p->program->failed) parse_no_memory(p);
  p->program->procs.at[t->proc].start = t->flow->start->state - 1;
  label_states(&l);
}

void promela_proc(struct parser *p, struct proc_text *t) {
  struct lowering l = {.parser = p, .flow = t->flow, .proc = t->proc};
  if (!t->flow->start) return;
  l.escape_of = parse_alloc(p, 1000 * sizeof *l.escape_of);
  struct element **all = parse_alloc(p, (t->flow->count + 1) * sizeof *all);
  tie_dsteps(t->flow);
  for (struct element *e = t->flow->newest; e; e = e->older) all[e->number] = e;
  for (uint32_t i = 1; i <= t->flow->count && !p->stopped; i++) {
    uint16_t choices = 0;
    if (!all[i]->state || all[i]->status & IN_DSTEP) continue;
    for (const struct edge *edge = all[i]->edges; edge; edge = edge->next) lower_edge(&l, all[i], edge, &choices);
  }
}
