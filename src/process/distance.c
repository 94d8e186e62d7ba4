/* distance.c -- see distance.h.
 *
 *   deadlocks    the steps that can still happen: each is taken, as when successors are made, and nothing is made of it.  The number of processes that can move
 *                (Edelkamp, Leue and Lluch Lafuente 2001) was tried: it does not tell one choice from ten, and leads to a tenth more states on BEEM.
 *   assertions   the process that is nearest to it by control flow (ways.h), and how far its condition is from being false there
 *   conditions   conjuncts that do not hold yet, each by the difference of the numbers it compares; for P@label the steps of the process to the label
 *
 * A bound knows less: a step may change any variable to anything, so that a comparison is at most one step away. */
#include "process/distance.h"

#include "process/interpreter.h"
#include "process/process_model.h"
#include "process/ways.h"

enum { GAP_MOST = 1 << 20, EXPRESSION_DEPTH = 400 };

static struct ways *ways_of(const struct process_model *m) {
  struct process_model *own = (struct process_model *)m; /* a cache inside an otherwise constant model */
  if (!own->ways && ways_open(&own->ways, &m->shape, m->claim_of, m->claim.count, m->base.mem)) return NULL;
  return own->ways;
}

int process_fails_standing(const struct model *base) { return ways_fail_standing(process_of(base)->program); }

void process_ways_close(struct process_model *m) {
  ways_close(m->ways);
  m->ways = NULL;
}

/* Where the process of a slot is, as tables count. */
static uint32_t place_of(const struct process_cursor *c, uint32_t slot, uint32_t *type) {
  const struct shape *s = c->machine.shape;
  const int32_t *cell = c->machine.run.cell + shape_slot(s, slot);
  *type = (uint32_t)cell[SLOT_TYPE] - 1;
  return s->state_first[*type] + (uint32_t)cell[SLOT_PC];
}

/* ---- conditions -------------------------------------------------------------------------------------------------------- */

struct ask {
  struct process_cursor *cursor;
  uint32_t slot; /* on whose behalf */
  int bound;
};

static int32_t value(const struct ask *a, ir_expr e) { return interpreter_value(&a->cursor->machine.run, a->slot, e); }

static uint32_t gap(const struct ask *a, int64_t difference) {
  if (difference <= 0) return 0;
  if (a->bound) return 1;
  return difference > GAP_MOST ? GAP_MOST : (uint32_t)difference;
}

static enum ir_op opposite(enum ir_op op) {
  switch (op) {
  case IR_LT: return IR_GE;
  case IR_LE: return IR_GT;
  case IR_GT: return IR_LE;
  case IR_GE: return IR_LT;
  case IR_EQ: return IR_NE;
  default: return IR_EQ;
  }
}

static uint32_t compared(const struct ask *a, enum ir_op op, int64_t x, int64_t y) {
  switch (op) {
  case IR_LT: return gap(a, x - y + 1);
  case IR_LE: return gap(a, x - y);
  case IR_GT: return gap(a, y - x + 1);
  case IR_GE: return gap(a, y - x);
  case IR_EQ: return gap(a, x < y ? y - x : x - y);
  default: return x == y;
  }
}

static uint32_t at_label(const struct ask *a, const struct ir_node *n, int wanted) {
  const struct process_model *m = process_of(a->cursor->base.model);
  const struct runtime *run = &a->cursor->machine.run;
  int32_t pid = value(a, n->a);
  uint32_t type, place;
  struct ways *w = ways_of(m);
  if (pid < 0 || (uint32_t)pid >= run->processes) return wanted;
  place = place_of(a->cursor, (uint32_t)pid, &type);
  int there = type == n->b && place == m->shape.state_first[type] + m->program->labels.at[n->c].state;
  if (!wanted) return there;
  if (there) return 0;
  const uint32_t *far = w && type == n->b ? ways_to_label(w, n->c) : NULL;
  if (!far) return 1;
  if (far[place] == MODEL_FAR) return a->bound ? 1 : GAP_MOST; /* a process may end and another one take its number */
  return far[place] ? far[place] : 1;
}

/* From e being true, or false. */
static uint32_t far_from(const struct ask *a, ir_expr e, int wanted, unsigned depth) {
  const struct ir_node *n = program_at(a->cursor->machine.program, e);
  if (depth > EXPRESSION_DEPTH) return (value(a, e) != 0) != wanted;
  switch (n->op) {
  case IR_NOT: return far_from(a, n->a, !wanted, depth + 1);
  case IR_AND:
  case IR_OR:
  case IR_IMPLIES: {
    uint32_t x = far_from(a, n->a, n->op == IR_IMPLIES ? !wanted : wanted, depth + 1), y = far_from(a, n->b, wanted, depth + 1);
    return (n->op == IR_AND) == wanted ? model_both(x, y, a->bound) : model_either(x, y);
  }
  case IR_COND:
    return model_either(model_both(far_from(a, n->a, 1, depth + 1), far_from(a, n->b, wanted, depth + 1), a->bound),
                        model_both(far_from(a, n->a, 0, depth + 1), far_from(a, n->c, wanted, depth + 1), a->bound));
  case IR_LT:
  case IR_LE:
  case IR_GT:
  case IR_GE:
  case IR_EQ:
  case IR_NE: return compared(a, wanted ? (enum ir_op)n->op : opposite((enum ir_op)n->op), value(a, n->a), value(a, n->b));
  case IR_AT: return at_label(a, n, wanted);
  case IR_VALUE: return (n->value != 0) == wanted ? 0 : MODEL_FAR;
  default: {
    int64_t x = value(a, e);
    return wanted ? x == 0 : gap(a, x < 0 ? -x : x);
  }
  }
}

uint32_t process_condition_distance(struct model_cursor *base, const uint32_t *state, uint32_t condition, int wanted, int bound) {
  struct process_cursor *c = (struct process_cursor *)base;
  const struct process_model *m = process_of(base->model);
  if (process_load(c, state)) return 0;
  c->machine.engine = m->engine;
  struct ask a = {.cursor = c, .bound = bound};
  uint32_t far = far_from(&a, m->condition.at[condition], wanted, 0);
  c->machine.faults.count = 0; /* an index out of range in a question is no fault of the model */
  return far;
}

/* ---- assertions and run-time errors ---------------------------------------------------------------------------------------- */

/* The assertion's condition in the process of a slot: only those whose type has it know all its variables. */
static uint32_t until_false(struct process_cursor *c, uint32_t claim, uint32_t slot, uint32_t type) {
  const struct process_model *m = process_of(c->base.model);
  const struct program *p = m->program;
  uint32_t action = m->claim.at[claim];
  struct ask a = {.cursor = c, .slot = slot};
  if (p->uses_c) return 0;
  for (uint32_t i = 0; i < p->trans.count; i++) { /* no type: the assertion of another process */
    const struct ir_trans *t = &p->trans.at[i];
    if (action >= t->action && action < t->action + t->actions) return t->proc == type ? far_from(&a, p->actions.at[action].expr, 0, 0) : 0;
  }
  return 0;
}

uint32_t process_claim_distance(struct model_cursor *base, const uint32_t *state, uint32_t claim, int bound) {
  struct process_cursor *c = (struct process_cursor *)base;
  const struct process_model *m = process_of(base->model);
  struct ways *w = ways_of(m);
  if (claim != MODEL_RUNTIME && claim >= m->claim.count) return 1;
  const uint32_t *far = !w ? NULL : claim == MODEL_RUNTIME ? ways_to_fault(w) : ways_to_claim(w, claim);
  if (!far || process_load(c, state)) return 1;
  c->machine.engine = m->engine;
  uint32_t least = MODEL_FAR;
  for (uint32_t slot = 0; slot < c->machine.run.processes; slot++) {
    uint32_t type, here = far[place_of(c, slot, &type)];
    if (here == MODEL_FAR) continue;
    if (!bound && claim != MODEL_RUNTIME) here = model_both(here, until_false(c, claim, slot, type), 0);
    least = model_either(least, here);
  }
  c->machine.faults.count = 0;
  return least;
}

/* ---- deadlocks --------------------------------------------------------------------------------------------------------- */

struct steps {
  uint32_t count;
  int first_is_enough;
};

static int count_step(void *context, struct explore *x, uint32_t first) {
  struct steps *s = context;
  (void)x;
  (void)first;
  s->count++;
  return s->first_is_enough ? -1 : 0;
}

uint32_t process_stuck_distance(struct model_cursor *base, const uint32_t *state, int bound) {
  struct process_cursor *c = (struct process_cursor *)base;
  const struct process_model *m = process_of(base->model);
  if (m->program->uses_c || process_load(c, state)) return 1; /* C runs in the search alone */
  struct explore *x = &c->explore;
  struct steps steps = {.first_is_enough = bound};
  int (*complete)(void *, struct explore *, uint32_t) = x->complete;
  void *context = x->context;
  c->machine.engine = m->engine;
  x->complete = count_step;
  x->context = &steps;
  x->patience = base->patience;
  x->stopped = 0;
  if (explore_all(x)) c->loaded = 0;
  x->complete = complete;
  x->context = context;
  c->machine.failed = 0;
  c->machine.faults.count = 0;
  return !bound ? steps.count : steps.count ? 2 : 1;
}
