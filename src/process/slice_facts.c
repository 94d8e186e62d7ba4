/* slice_facts.c -- see slice_facts.h.
 *
 * Three questions, each on the text of the program alone:
 *
 *   matters   A declaration matters if a guard, a communication, an assertion, an index, an argument, what is asked, or anything that could go wrong reads it, or an assignment to one that matters.  The others are written and
 *             perhaps read, but never to any effect.
 *   live      A local variable is live in a control state if some way from there reads it before it is written (Kildall's data flow, backwards; an assignment to what is not live afterwards reads nothing, as long as it
 *             cannot go wrong).  Arrays are read and written as a whole.  Whatever is looked at from outside (P:x) is always live.
 *   quiet     A transition that depends on its own process's variables alone, changes nothing else, and is not the one that closes a loop (closing.h).  If the process stands where its own variables alone decide which transition is
 *             possible, and that is a quiet one, then it may as well have been taken: everything that others can do before it they can do after it, with the same effects.
 *
 * Where steps are chosen as well (dependence.c), that no step is put off for ever rests on transitions of which every loop has one: these are never quiet.  Some of them close their loop only if they do not make a counter
 * greater; then the counter must not be forgotten between rounds, and what it is assigned matters as well.
 *
 * A program with embedded C, or which asks what another process could do, is left as it is. */
#include "process/slice_facts.h"

#include "model/expr.h"

#include <string.h>

enum { DEPTH = 400 /* of expressions */, BITS_MOST = 1 << 28 };

struct edge {
  uint32_t to, from; /* `to` is assigned something that reads `from` */
};
struct edges vec(struct edge);

struct walk {
  struct slice_facts *f;
  uint64_t *set;  /* gets the local declarations that are read; NULL = they matter, or */
  int64_t target; /* do if this declaration does; -1 = in any case */
  struct edges *edges;
  int failed, unknown;
};

static const struct ir_lvalue *ref_at(const struct slice_facts *f, ir_ref r) { return &f->p->refs.at[r]; }

/* ---- what expressions are ------------------------------------------------------------------------------------------------------------------ */

enum { SAFE = 1 /* it cannot go wrong */, OWN = 2 /* it depends on variables of its process and on what never changes */ };

static int kinds_of_ref(const struct slice_facts *f, ir_ref ref, unsigned depth);

static int kinds_of(const struct slice_facts *f, ir_expr e, unsigned depth) {
  const struct ir_node *n = program_at(f->p, e);
  if (!e) return SAFE | OWN;
  if (depth > DEPTH) return 0;
  switch (n->op) {
  case IR_VALUE:
  case IR_PID_OWN:
  case IR_OWN_CHAN:
  case IR_NULL_POINTER: return SAFE | OWN;
  case IR_LOAD: return kinds_of_ref(f, n->a, depth + 1);
  default: break;
  }
  int kinds = !ir_operands(n) ? 0 : n->op == IR_DIV || n->op == IR_MOD ? OWN : SAFE | OWN;
  for (unsigned i = 0; i < ir_operands(n); i++) kinds &= kinds_of(f, ir_operand(n, i), depth + 1);
  return kinds;
}

static int kinds_of_ref(const struct slice_facts *f, ir_ref ref, unsigned depth) {
  const struct ir_lvalue *r = ref_at(f, ref);
  if (r->where != IR_GLOBAL && r->where != IR_LOCAL) return 0;
  int kinds = SAFE | (r->where == IR_LOCAL || f->p->decls.at[r->decl].flags & IR_CONST ? OWN : 0);
  for (uint32_t i = r->index; i < r->index + r->indices; i++) {
    const struct ir_index *x = &f->p->indices.at[i];
    int32_t at;
    if (program_constant(f->p, x->expr, &at) && (uint32_t)at < x->bound) continue;
    kinds &= OWN & kinds_of(f, x->expr, depth);
  }
  return kinds;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------------------- */

static void read_expr(struct walk *w, ir_expr e, unsigned depth);

static void read_decl(struct walk *w, uint32_t decl, enum ir_where where) {
  struct slice_facts *f = w->f;
  if (where == IR_REMOTE) f->watched[decl] = f->matters[decl] = 1;
  else if (w->set) {
    if (where == IR_LOCAL) w->set[f->number[decl] / 64] |= (uint64_t)1 << f->number[decl] % 64;
  } else if (w->target < 0) f->matters[decl] = 1;
  else if (vec_push(w->edges, f->mem, MEM_SEARCH, (struct edge){(uint32_t)w->target, decl})) w->failed = 1;
}

/* What chooses the cell: that is always read for good, since it can go wrong. */
static void read_choice(struct walk *w, ir_ref ref, unsigned depth) {
  const struct ir_lvalue *r = ref_at(w->f, ref);
  int64_t target = w->target;
  w->target = -1;
  for (uint32_t i = r->index; i < r->index + r->indices; i++) read_expr(w, w->f->p->indices.at[i].expr, depth);
  if (r->where == IR_REMOTE || r->where == IR_HEAP) read_expr(w, r->slot, depth);
  w->target = target;
}

static void read_ref(struct walk *w, ir_ref ref, unsigned depth) {
  const struct ir_lvalue *r = ref_at(w->f, ref);
  if (!ref) return;
  read_choice(w, ref, depth);
  if (r->where != IR_HEAP) read_decl(w, r->decl, r->where);
}

static void read_comm(struct walk *w, const struct ir_comm *c, unsigned depth) {
  read_expr(w, c->chan, depth);
  for (uint32_t i = c->arg; i < c->arg + c->args; i++) {
    const struct ir_arg *a = &w->f->p->args.at[i];
    if (a->kind == IR_ARG_BIND) read_choice(w, a->what, depth);
    else if (a->kind != IR_ARG_IGNORE) read_expr(w, a->what, depth);
  }
}

static void read_expr(struct walk *w, ir_expr e, unsigned depth) {
  const struct program *p = w->f->p;
  const struct ir_node *n = program_at(p, e);
  if (!e) return;
  if (depth > DEPTH) {
    w->unknown = 1;
    return;
  }
  switch (n->op) {
  case IR_VALUE:
  case IR_PID_OWN:
  case IR_OWN_CHAN:
  case IR_NULL_POINTER:
  case IR_TIMEOUT:
  case IR_NR_PR:
  case IR_LAST:
  case IR_FIRST: return;
  case IR_LOAD: read_ref(w, n->a, depth + 1); return;
  case IR_POLL: read_comm(w, &p->comms.at[n->a - 1], depth + 1); return;
  case IR_AT: {
    const struct ir_label *label = &p->labels.at[n->c];
    w->f->label[p->procs.at[label->proc].state + label->state] = 1;
    read_expr(w, n->a, depth + 1);
    return;
  }
  case IR_NP:
  case IR_ENABLED:
  case IR_PC_VALUE:
  case IR_C_EXPR: w->unknown = 1; return;
  default:
    if (!ir_operands(n)) read_expr(w, n->a, depth + 1); /* of a channel or a process */
    for (unsigned i = 0; i < ir_operands(n); i++) read_expr(w, ir_operand(n, i), depth + 1);
    return;
  }
}

static void read_args(struct walk *w, const struct ir_action *a) {
  for (uint32_t i = a->arg; i < a->arg + a->args; i++) read_expr(w, w->f->p->args.at[i].what, 0);
}

/* Nothing can go wrong, and what is assigned is a variable with a name. */
static int harmless(const struct slice_facts *f, const struct ir_action *a) {
  return a->kind == IR_ASSIGN && a->ref && kinds_of_ref(f, a->ref, 0) & SAFE && kinds_of(f, a->expr, 0) & SAFE;
}

/* ---- what matters -------------------------------------------------------------------------------------------------------------------------- */

static void read_action(struct walk *w, const struct ir_action *a) {
  const struct slice_facts *f = w->f;
  switch (a->kind) {
  case IR_ASSIGN:
    if (a->ref) read_choice(w, a->ref, 0);
    if (harmless(f, a)) w->target = ref_at(f, a->ref)->decl;
    read_expr(w, a->expr, 0);
    w->target = -1;
    return;
  case IR_PRINT:
    for (uint32_t i = a->arg; i < a->arg + a->args; i++)
      if (!(kinds_of(f, f->p->args.at[i].what, 0) & SAFE)) read_expr(w, f->p->args.at[i].what, 0);
    return;
  case IR_C_CODE: w->unknown = 1; return;
  default:
    if (a->ref) read_choice(w, a->ref, 0);
    if (a->ref && (a->kind == IR_NEW || a->kind == IR_RESET)) read_ref(w, a->ref, 0);
    read_expr(w, a->expr, 0);
    read_args(w, a);
  }
}

static int find_what_matters(struct slice_facts *f, const struct process_model *m, const struct model_aims *aims) {
  const struct program *p = f->p;
  struct edges edges = {0};
  struct walk w = {.f = f, .target = -1, .edges = &edges};
  for (size_t i = 0; i < p->procs.count; i++) read_expr(&w, p->procs.at[i].provided, 0);
  for (size_t i = 1; i < p->decls.count; i++) read_expr(&w, p->decls.at[i].init, 0);
  for (size_t i = 0; i < p->inits.count; i++) {
    read_choice(&w, p->inits.at[i].ref, 0);
    read_expr(&w, p->inits.at[i].expr, 0);
  }
  for (size_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    if (p->procs.at[t->proc].is_claim) continue;
    read_expr(&w, t->guard, 0);
    if (t->comm) read_comm(&w, &p->comms.at[t->comm - 1], 0);
    for (uint32_t a = t->action; a < t->action + t->actions; a++) read_action(&w, &p->actions.at[a]);
  }
  for (size_t i = 0; i < aims->exprs; i++) read_expr(&w, m->condition.at[expr_condition(aims->expr[i])], 0);
  for (int changed = !w.failed; changed;) {
    changed = 0;
    for (size_t i = 0; i < edges.count; i++)
      if (f->matters[edges.at[i].to] && !f->matters[edges.at[i].from]) changed = f->matters[edges.at[i].from] = 1;
  }
  vec_free(&edges, f->mem);
  return w.failed ? -1 : w.unknown;
}

/* ---- what is live -------------------------------------------------------------------------------------------------------------------------- */

static int whole_local(const struct slice_facts *f, ir_ref ref) {
  const struct ir_lvalue *r = ref_at(f, ref);
  return ref && r->where == IR_LOCAL && f->p->decls.at[r->decl].cells == 1;
}

static void kill(struct walk *w, ir_ref ref) {
  if (!whole_local(w->f, ref)) return;
  uint32_t bit = w->f->number[ref_at(w->f, ref)->decl];
  w->set[bit / 64] &= ~((uint64_t)1 << bit % 64);
}

/* Does the assignment have an effect, if what is live after it is `set`? */
static int takes_effect(const struct walk *w, const struct ir_action *a) {
  const struct slice_facts *f = w->f;
  if (!harmless(f, a)) return 1;
  uint32_t decl = ref_at(f, a->ref)->decl;
  if (f->watched[decl] || f->counts[decl]) return 1;
  if (!f->matters[decl]) return 0;
  return !whole_local(f, a->ref) || w->set[f->number[decl] / 64] >> f->number[decl] % 64 & 1;
}

static void before_action(struct walk *w, const struct ir_action *a) {
  if (a->kind == IR_ASSIGN && !takes_effect(w, a)) return;
  if (a->kind == IR_ASSIGN || a->kind == IR_RUN || a->kind == IR_NEW || a->kind == IR_RESET) kill(w, a->ref);
  if (a->kind == IR_ASSIGN) {
    if (a->ref) read_choice(w, a->ref, 0);
    read_expr(w, a->expr, 0);
  } else read_action(w, a);
}

/* What is live before a transition, from what is live after it. */
static void before(struct walk *w, const struct ir_trans *t) {
  const struct program *p = w->f->p;
  for (uint32_t a = t->action + t->actions; a-- > t->action;) before_action(w, &p->actions.at[a]);
  if (t->comm) {
    const struct ir_comm *c = &p->comms.at[t->comm - 1];
    for (uint32_t i = c->arg; i < c->arg + c->args; i++)
      if (p->args.at[i].kind == IR_ARG_BIND && !(c->flags & IR_PEEK)) kill(w, p->args.at[i].what);
    read_comm(w, c, 0);
  }
  read_expr(w, t->guard, 0);
  read_expr(w, p->procs.at[t->proc].provided, 0);
}

static int find_what_is_live(struct slice_facts *f) {
  const struct program *p = f->p;
  uint64_t *set = mem_alloc(f->mem, MEM_SEARCH, (f->words + 1) * sizeof *set);
  if (!set) return -1;
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t i = p->trans.count; i-- > 0;) {
      const struct ir_trans *t = &p->trans.at[i];
      uint64_t *from = f->live + (size_t)(p->procs.at[t->proc].state + t->from) * f->words, *to = f->live + (size_t)(p->procs.at[t->proc].state + t->to) * f->words;
      struct walk w = {.f = f, .set = set, .target = -1};
      if (t->flags & IR_END) memset(set, 0, f->words * sizeof *set);
      else memcpy(set, to, f->words * sizeof *set);
      before(&w, t);
      for (uint32_t k = 0; k < f->words; k++) {
        changed |= (set[k] & ~from[k]) != 0;
        from[k] |= set[k];
      }
    }
  }
  mem_free(f->mem, set);
  return 0;
}

/* ---- what is quiet ------------------------------------------------------------------------------------------------------------------------- */

static int may_forget(const struct slice_facts *f, uint32_t decl) {
  const struct ir_decl *d = &f->p->decls.at[decl];
  if (f->watched[decl] || f->counts[decl] || d->flags & (IR_CONST | IR_HIDDEN)) return 0;
  for (uint32_t c = 0; c < d->cells; c++)
    if (f->p->types.at[program_cell_type(f->p, d->scope, d->base + c)].kind == IR_POINTER) return 0;
  return 1;
}

static int quiet_action(const struct slice_facts *f, const struct ir_action *a) {
  switch (a->kind) {
  case IR_PRINT:
    for (uint32_t i = a->arg; i < a->arg + a->args; i++)
      if (!kinds_of(f, f->p->args.at[i].what, 0)) return 0; /* others decide whether it goes wrong */
    return 1;
  case IR_ASSERT: return (kinds_of(f, a->expr, 0) & OWN) != 0; /* it fails where it is taken as a step: then it is one */
  case IR_ASSIGN: {
    const struct ir_lvalue *r = ref_at(f, a->ref);
    if (r->where == IR_GLOBAL && !f->matters[r->decl]) return harmless(f, a) && may_forget(f, r->decl); /* always forgotten; pointers never are */
    return r->where == IR_LOCAL && !f->watched[r->decl] && f->p->types.at[r->type].kind != IR_POINTER && kinds_of_ref(f, a->ref, 0) & OWN && kinds_of(f, a->expr, 0) & OWN;
  }
  default: return 0;
  }
}

/* Its process alone decides whether it is possible. */
static int decided_alone(const struct slice_facts *f, const struct ir_trans *t) {
  if (t->comm || t->escape || t->choice || t->flags & IR_END || !(kinds_of(f, t->guard, 0) & OWN)) return 0;
  for (uint32_t a = t->action; a < t->action + t->actions; a++)
    if (f->p->actions.at[a].kind == IR_RUN) return 0;
  return 1;
}

/* The counter that tells whether a transition closes a loop; 0: none does. */
static uint32_t counter_of(const struct slice_facts *f, size_t trans) { return f->closing.kind[trans] == CLOSES_BY_VALUE ? ref_at(f, f->p->actions.at[f->p->trans.at[trans].action].ref)->decl : 0; }

/* Which transitions close loops, as those have it who choose steps, and which counters they rely on. 0; in programs of which they know nothing too, but nothing was found; -1: memory. */
static int find_closing(struct slice_facts *f, const struct process_model *m, int thrifty) {
  int apart = footprints_open(&f->common, &m->shape, f->mem);
  if (apart) return apart < 0 ? -1 : 0;
  if (closing_open(&f->closing, &f->common, f->mem)) return -1;
  for (size_t i = 0; i < f->p->trans.count && thrifty; i++) {
    uint32_t counter = counter_of(f, i);
    if (counter) f->counts[counter] = f->matters[counter] = 1;
  }
  return 0;
}

/* In programs of which those know nothing loops are closed by what is not quiet. */
static int find_closing_apart(struct slice_facts *f, const struct process_model *m) {
  const struct program *p = f->p;
  f->common = (struct footprints){.p = p, .shape = &m->shape, .mem = f->mem};
  f->common.heavy = mem_alloc(f->mem, MEM_SEARCH, p->trans.count + 1); /* what closing.c asks for */
  f->common.fixed = mem_alloc(f->mem, MEM_SEARCH, p->decls.count + 1);
  if (!f->common.heavy || !f->common.fixed) return -1;
  for (size_t i = 0; i < p->trans.count; i++) f->common.heavy[i] = !f->quiet[i];
  return closing_open(&f->closing, &f->common, f->mem);
}

/* What closes a loop is not quiet, unless it is told from a value that is not forgotten that it does not. */
static void close_loops(struct slice_facts *f) {
  for (size_t i = 0; i < f->p->trans.count; i++) {
    const struct ir_trans *t = &f->p->trans.at[i];
    uint32_t first = f->p->procs.at[t->proc].state, counter = counter_of(f, i);
    if (f->closing.kind[i] && f->quiet[i]) f->quiet[i] = counter && slice_live(f, first + t->from, counter) && slice_live(f, first + t->to, counter) ? QUIET_UNLESS : NOT_QUIET;
  }
}

/* Does it make a difference to somebody that a rendezvous is not possible yet: beside an else or an unless, or in the middle of an atomic sequence? Then it is noticed that a process becomes ready to receive. */
static int somebody_asks(const struct program *p) {
  for (size_t i = 0; i < p->trans.count && p->uses_rendezvous; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    const struct ir_state *from = &p->states.at[p->procs.at[t->proc].state + t->from], *to = &p->states.at[p->procs.at[t->proc].state + t->to];
    if (t->comm && p->comms.at[t->comm - 1].flags & IR_SEND) {
      if (t->escape || t->choice) return 1;
      for (uint32_t k = from->trans; k < from->trans + from->transitions; k++)
        if (p->trans.at[k].flags & IR_ELSE || p->trans.at[k].escape) return 1;
    }
    for (uint32_t k = to->trans; t->flow != IR_STOP && k < to->trans + to->transitions; k++)
      if (p->trans.at[k].comm && p->comms.at[p->trans.at[k].comm - 1].flags & IR_SEND) return 1;
  }
  return 0;
}

static int find_what_is_quiet(struct slice_facts *f, const struct process_model *m) {
  const struct program *p = f->p;
  int asks = somebody_asks(p);
  int none = p->uses_last || p->uses_np || p->uses_priority || p->uses_provided || p->uses_committed;
  for (size_t i = 0; i < p->trans.count && !none; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    uint32_t first = p->procs.at[t->proc].state;
    int quiet = t->flow == IR_STOP && decided_alone(f, t) && !p->procs.at[t->proc].is_claim && !f->label[first + t->from] && !f->label[first + t->to];
    quiet &= !(asks && m->shape.state[first + t->to].receives);
    for (uint32_t a = t->action; a < t->action + t->actions && quiet; a++) quiet = quiet_action(f, &p->actions.at[a]);
    f->quiet[i] = (uint8_t)quiet;
  }
  if (!f->closing.mem && find_closing_apart(f, m)) return -1;
  close_loops(f);
  for (size_t s = 0; s < p->states.count; s++) {
    const struct ir_state *at = &p->states.at[s];
    int alone = at->transitions > 0, some = 0;
    for (uint32_t i = at->trans; i < at->trans + at->transitions; i++) {
      alone &= decided_alone(f, &p->trans.at[i]);
      some |= f->quiet[i];
    }
    f->decided[s] = (uint8_t)(alone && some);
    f->merging += alone && some;
  }
  return 0;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------------------------- */

int slice_forgets(const struct slice_facts *f, uint32_t decl, uint32_t state) {
  if (!may_forget(f, decl)) return 0;
  return !f->matters[decl] || (f->p->decls.at[decl].scope && state != UINT32_MAX && !slice_live(f, state, decl));
}

static void count(struct slice_facts *f) {
  const struct program *p = f->p;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (!may_forget(f, i) || (d->scope && p->procs.at[d->scope - 1].is_claim)) continue;
    if (!f->matters[i]) f->idle++;
    else if (d->scope) {
      const struct ir_proc *proc = &p->procs.at[d->scope - 1];
      for (uint32_t s = 0; s < proc->states; s++)
        if (!slice_live(f, proc->state + s, i)) {
          f->lasting++;
          break;
        }
    }
  }
}

int slice_facts_open(struct slice_facts *f, const struct process_model *m, const struct model_aims *aims, struct mem *mem) {
  const struct program *p = m->program;
  uint32_t most = 0;
  *f = (struct slice_facts){.p = p, .mem = mem};
  if (p->uses_c) return 1;
  for (size_t i = 0; i < aims->exprs; i++)
    if (!aims->expr[i] || expr_condition(aims->expr[i]) < 0) return 1;
  size_t decls = p->decls.count + 1;
  f->matters = mem_alloc(mem, MEM_SEARCH, decls);
  f->watched = mem_alloc(mem, MEM_SEARCH, decls);
  f->number = mem_alloc(mem, MEM_SEARCH, decls * sizeof *f->number);
  f->label = mem_alloc(mem, MEM_SEARCH, p->states.count + 1);
  f->decided = mem_alloc(mem, MEM_SEARCH, p->states.count + 1);
  f->quiet = mem_alloc(mem, MEM_SEARCH, p->trans.count + 1);
  f->counts = mem_alloc(mem, MEM_SEARCH, decls);
  uint32_t *of_scope = mem_alloc(mem, MEM_SEARCH, (p->procs.count + 2) * sizeof *of_scope);
  int bad = f->matters && f->watched && f->number && f->label && f->decided && f->quiet && f->counts && of_scope ? 0 : -1;
  for (size_t i = 1; i < p->decls.count && !bad; i++) {
    f->number[i] = of_scope[p->decls.at[i].scope]++;
    if (p->decls.at[i].scope && f->number[i] + 1 > most) most = f->number[i] + 1;
  }
  mem_free(mem, of_scope);
  f->words = most / 64 + 1;
  if (!bad && (size_t)f->words * 64 * p->states.count > BITS_MOST) bad = 1;
  if (!bad) {
    f->live = mem_alloc(mem, MEM_SEARCH, (f->words * p->states.count + 1) * sizeof *f->live);
    bad = f->live ? find_closing(f, m, aims->thrifty) : -1;
  }
  if (!bad) bad = find_what_matters(f, m, aims);
  if (!bad) bad = find_what_is_live(f);
  if (!bad) bad = find_what_is_quiet(f, m);
  if (!bad) count(f);
  return bad;
}

void slice_facts_close(struct slice_facts *f) {
  if (!f->mem) return;
  mem_free(f->mem, f->matters);
  mem_free(f->mem, f->watched);
  mem_free(f->mem, f->number);
  mem_free(f->mem, f->label);
  mem_free(f->mem, f->decided);
  mem_free(f->mem, f->quiet);
  mem_free(f->mem, f->live);
  mem_free(f->mem, f->counts);
  closing_close(&f->closing);
  footprints_close(&f->common);
  *f = (struct slice_facts){0};
}
