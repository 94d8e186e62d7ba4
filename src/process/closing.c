/* closing.c -- see closing.h.
 *
 * In a cycle of states some process goes round in its control flow: the one in the lowest slot that moves, as nobody who lives makes it anew.  Its own variables are afterwards what they were, and nobody else writes them.
 * So some transitions of each process type are chosen such that every way round has one of them:
 *
 *   counters         A variable of the process that transitions of a loop make greater (i = i + 1) must be made less again, by another assignment or by wrapping around.  So all that write it there are chosen, but
 *                    only where they do not make it greater, and are no part of the graph below.  The same downwards.
 *   the rest         Transitions that are added one after the other to a graph that is to have no loops; those that would close one are chosen.  Those that touch nothing shared are added first, communications last.
 *
 * Transitions that touch shared things are chosen rather than others, because sets are large there anyway; of communications more is known (dependence.c).  Counters are looked for in
 * strongly connected parts of the graph in which nothing else writes them, and then, in parts of what touches nothing shared, also where something does.  They are looked for among all transitions, then without
 * communications, then among those that touch nothing shared: their level.  Where a transition is added that was not looked at then, those that belong to the counter are part of the graph.
 *
 * Proof.  A way round without a step that closes: let k be the highest turn of its transitions.  A counter of level k or more that was found first among those that it writes saw all of it (or it would have one of an earlier
 * counter), and in one connected part: so all that writes the counter there is chosen and makes it greater, and it cannot be what it was.  Hence what it has of counters is of lower levels, and when the last one of turn k was
 * added, all others were there: it was chosen.
 *
 * A step is a chain of transitions: what any of them closes, it closes. */
#include "process/closing.h"

#include "process/footprint_touch.h"

#include <string.h>

enum { ORDERED_MOST = 3000, COUNTERS_MOST = 32 };

struct finder {
  const struct footprints *f;
  const struct program *p;
  struct closing *c;
  uint32_t type, first, end; /* of its transitions */
  uint8_t *left;           /* per transition: is in the graph that is looked at */
  uint8_t *level;          /* per transition: 1 + the level of the counter that it belongs to; 0 = none */
  uint32_t *stack;
  uint32_t *mark, marks;   /* per state of the type */
};

/* ---- loops ------------------------------------------------------------------------------------------------------------------ */

/* Is `to` reached from `from` by the transitions that are left? */
static int reaches(struct finder *l, uint32_t from, uint32_t to) {
  const struct ir_proc *proc = &l->p->procs.at[l->type];
  size_t waiting = 0;
  l->marks++;
  l->stack[waiting++] = from;
  l->mark[from] = l->marks;
  while (waiting) {
    uint32_t at = l->stack[--waiting];
    if (at == to) return 1;
    const struct ir_state *s = &l->p->states.at[proc->state + at];
    for (uint32_t i = s->trans; i < s->trans + s->transitions; i++) {
      uint32_t next = l->p->trans.at[i].to;
      if (!l->left[i] || l->mark[next] == l->marks) continue;
      l->mark[next] = l->marks;
      l->stack[waiting++] = next;
    }
  }
  return 0;
}

/* A communication that leaves a channel with one message more or less. */
static int moves_message(const struct program *p, const struct ir_trans *t) { return t->comm && !(p->comms.at[t->comm - 1].flags & IR_PEEK) && !p->lossy_channels; }

/* In which turn a transition is added: 0 what touches nothing shared, 1 what does, 2 communications. */
static int turn_of(const struct finder *l, uint32_t i) { return moves_message(l->p, &l->p->trans.at[i]) ? 2 : l->f->heavy[i]; }

static void cut_loops(struct finder *l) {
  for (uint32_t i = l->first; i < l->end; i++) l->left[i] = 0;
  for (int turn = 0; turn < 3; turn++) {
    for (uint32_t i = l->first; i < l->end; i++) l->left[i] |= l->level[i] && l->level[i] <= turn;
    for (uint32_t i = l->first; i < l->end; i++) {
      const struct ir_trans *t = &l->p->trans.at[i];
      if (turn_of(l, i) != turn || t->flags & IR_END || l->c->kind[i]) continue;
      if (l->end - l->first > ORDERED_MOST) l->c->kind[i] = t->to <= t->from ? CLOSES : CLOSES_NOTHING; /* every loop has one of these, too */
      else if (reaches(l, t->to, t->from)) l->c->kind[i] = turn == 2 ? CLOSES_BY_COMM : CLOSES;
      else l->left[i] = 1;
    }
  }
}

/* ---- counters --------------------------------------------------------------------------------------------------------------- */

enum writes { WRITES_NOT, WRITES_UP, WRITES_DOWN, WRITES_SOMETHING };

static int is_variable(const struct program *p, ir_ref ref, uint32_t decl) { return ref && p->refs.at[ref].where == IR_LOCAL && p->refs.at[ref].decl == decl; }

/* decl + k or decl - k: k, with its sign; 0: it is something else. */
static int32_t change(const struct program *p, ir_expr e, uint32_t decl) {
  const struct ir_node *n = program_at(p, e);
  int32_t k;
  if (n->op != IR_ADD && n->op != IR_SUB) return 0;
  ir_expr variable = n->a, constant = n->b;
  if (n->op == IR_ADD && !program_constant(p, constant, &k)) variable = n->b, constant = n->a;
  const struct ir_node *v = program_at(p, variable);
  if (!program_constant(p, constant, &k) || v->op != IR_LOAD || !is_variable(p, v->a, decl) || k == INT32_MIN) return 0;
  return n->op == IR_ADD ? k : -k;
}

/* What a transition does to a variable of its process. */
static enum writes writes(const struct program *p, uint32_t trans, uint32_t decl) {
  const struct ir_trans *t = &p->trans.at[trans];
  enum writes all = WRITES_NOT;
  for (uint32_t i = t->action; i < t->action + t->actions; i++) {
    const struct ir_action *a = &p->actions.at[i];
    if (!is_variable(p, a->ref, decl)) continue;
    int32_t by = a->kind == IR_ASSIGN ? change(p, a->expr, decl) : 0;
    all = all != WRITES_NOT || !by ? WRITES_SOMETHING : by > 0 ? WRITES_UP : WRITES_DOWN;
  }
  if (!t->comm) return all;
  const struct ir_comm *c = &p->comms.at[t->comm - 1];
  for (uint32_t i = c->arg; i < c->arg + c->args; i++)
    if (p->args.at[i].kind == IR_ARG_BIND && is_variable(p, p->args.at[i].what, decl)) return WRITES_SOMETHING;
  return all;
}

/* Is the whole of the transition one assignment to the variable, so that its new value is known before? */
static int assigns(const struct program *p, const struct ir_trans *t, uint32_t decl) {
  return !t->comm && t->actions == 1 && p->actions.at[t->action].kind == IR_ASSIGN && is_variable(p, p->actions.at[t->action].ref, decl);
}

/* Tries a variable as a counter for the loops among the transitions that are left. others: something else may write it there. Returns 1 if it is one. */
static int try_counter(struct finder *l, uint32_t decl, int direction, int others, int level) {
  enum writes wanted = direction > 0 ? WRITES_UP : WRITES_DOWN;
  int found = 0;
  for (uint32_t i = l->first; i < l->end; i++) {
    const struct ir_trans *t = &l->p->trans.at[i];
    if (!l->left[i] || writes(l->p, i, decl) != wanted || !assigns(l->p, t, decl) || !reaches(l, t->to, t->from)) continue;
    int alone = 1; /* in its strongly connected part */
    for (uint32_t k = l->first; k < l->end && alone; k++) {
      const struct ir_trans *o = &l->p->trans.at[k];
      enum writes w = l->left[k] ? writes(l->p, k, decl) : WRITES_NOT;
      if (w == WRITES_NOT || (w == wanted && assigns(l->p, o, decl))) continue;
      alone = (others && assigns(l->p, o, decl)) || !reaches(l, t->to, o->from) || !reaches(l, o->to, t->from);
    }
    if (!alone) continue;
    l->c->kind[i] = CLOSES_BY_VALUE;
    l->c->direction[i] = (int8_t)direction;
    found = 1;
  }
  if (!found) return 0;
  for (uint32_t i = l->first; i < l->end; i++) { /* those that write it otherwise, on a way round with one of them */
    const struct ir_trans *o = &l->p->trans.at[i];
    enum writes w = l->left[i] ? writes(l->p, i, decl) : WRITES_NOT;
    if (w == WRITES_NOT || l->c->kind[i] || !others || !reaches(l, o->to, o->from)) continue;
    l->c->kind[i] = assigns(l->p, o, decl) ? CLOSES_BY_VALUE : CLOSES;
    l->c->direction[i] = (int8_t)direction;
  }
  for (uint32_t i = l->first; i < l->end; i++)
    if (l->left[i] && l->c->kind[i]) {
      l->left[i] = 0;
      l->level[i] = (uint8_t)(level + 1);
    }
  return 1;
}

static void find_counters(struct finder *l) {
  uint32_t counters = 0;
  if (l->end - l->first > ORDERED_MOST) return;
  for (int others = 0; others < 2; others++)
    for (int most = others ? 0 : 2; most >= 0; most--) {
      for (uint32_t i = l->first; i < l->end; i++) l->left[i] = !l->c->kind[i] && !(l->p->trans.at[i].flags & IR_END) && turn_of(l, i) <= most;
      for (uint32_t decl = 1; decl < l->p->decls.count && counters < COUNTERS_MOST; decl++) {
        const struct ir_decl *d = &l->p->decls.at[decl];
        if (d->scope != l->type + 1 || d->cells != 1 || d->flags & IR_HIDDEN || l->f->fixed[decl]) continue;
        for (int direction = 1; direction >= -1; direction -= 2) counters += (uint32_t)try_counter(l, decl, direction, others, most);
      }
    }
}

int closing_by_value(const struct closing *c, const struct footprints *f, struct machine *m, uint32_t slot, uint32_t trans) {
  const struct ir_action *a = &f->p->actions.at[f->p->trans.at[trans].action];
  const struct ir_lvalue *r = &f->p->refs.at[a->ref];
  int32_t before = m->run.cell[shape_scope(f->shape, f->p->trans.at[trans].proc + 1, slot) + r->base];
  int32_t after = program_cut(&f->p->types.at[r->type], footprint_value(m, slot, a->expr));
  return c->direction[trans] > 0 ? after <= before : after >= before;
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------- */

/* Only of the first transition of a step it is known what its channel and its counter are. */
static void spread(const struct program *p, uint32_t type, uint8_t *kind, int everywhere) {
  const struct ir_proc *proc = &p->procs.at[type];
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t s = 0; s < proc->states; s++)
      for (uint32_t i = p->states.at[proc->state + s].trans, end = i + p->states.at[proc->state + s].transitions; i < end; i++) {
        const struct ir_trans *t = &p->trans.at[i];
        if (kind[i] == CLOSES || t->flags & IR_END || (!everywhere && t->flow == IR_STOP)) continue;
        const struct ir_state *next = &p->states.at[proc->state + t->to];
        for (uint32_t k = next->trans; k < next->trans + next->transitions && kind[i] != CLOSES; k++)
          if (kind[k]) changed = kind[i] = CLOSES;
      }
  }
}

int closing_open(struct closing *c, const struct footprints *f, struct mem *mem) {
  const struct program *p = f->p;
  struct finder l = {.f = f, .p = p, .c = c};
  *c = (struct closing){.mem = mem};
  c->kind = mem_alloc(mem, MEM_SEARCH, p->trans.count + 1);
  c->direction = mem_alloc(mem, MEM_SEARCH, p->trans.count + 1);
  l.left = mem_alloc(mem, MEM_SEARCH, p->trans.count + 1);
  l.level = mem_alloc(mem, MEM_SEARCH, p->trans.count + 1);
  l.stack = mem_alloc(mem, MEM_SEARCH, (p->states.count + 1) * sizeof *l.stack);
  l.mark = mem_alloc(mem, MEM_SEARCH, (p->states.count + 1) * sizeof *l.mark);
  int good = c->kind && c->direction && l.left && l.level && l.stack && l.mark;
  for (l.type = 0; l.type < p->procs.count && good; l.type++) {
    const struct ir_proc *proc = &p->procs.at[l.type];
    l.first = l.end = proc->states ? p->states.at[proc->state].trans : 0;
    for (uint32_t s = 0; s < proc->states; s++) l.end += p->states.at[proc->state + s].transitions;
    find_counters(&l);
    cut_loops(&l);
  }
  for (size_t i = 0; i < p->trans.count && good; i++) c->endless |= c->kind[i] && p->trans.at[i].flow != IR_STOP;
  for (uint32_t type = 0; type < p->procs.count && good; type++) spread(p, type, c->kind, f->relays);
  mem_free(mem, l.left);
  mem_free(mem, l.level);
  mem_free(mem, l.stack);
  mem_free(mem, l.mark);
  if (good) return 0;
  closing_close(c);
  return -1;
}

void closing_close(struct closing *c) {
  if (!c->mem) return;
  mem_free(c->mem, c->kind);
  mem_free(c->mem, c->direction);
  *c = (struct closing){0};
}
