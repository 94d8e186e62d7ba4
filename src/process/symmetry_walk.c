/* symmetry_walk.c -- see symmetry_walk.h.
 *
 * Every leaf, dimension and process type has a variable; so has every field of the messages of a channel.  Walking over statements unites variables (union-find) and notes what is said of them beyond that they
 * are equal.  Whether a variable is a name is known only at the end, so everything is noted of all of them, and most of it is dropped.
 *
 * An expression over one name and constants (`1 - _pid`, `id % 2 == 0`) is kept whole: it may be tried on all names later, which tells more than that somebody calculates. */
#include "process/symmetry_walk.h"

#include "model/expr.h"
#include "process/scalarset.h"

#include <string.h>

/* ---- variables ---------------------------------------------------------------------------------------------------------- */

uint32_t sort_root(struct sort_walk *w, uint32_t var) {
  struct sort_var *v = w->vars.at;
  while (v[var].parent != var) {
    v[var].parent = v[v[var].parent].parent;
    var = v[var].parent;
  }
  return var;
}

static uint32_t add_vars(struct sort_walk *w, uint32_t count) {
  uint32_t first = (uint32_t)w->vars.count;
  for (uint32_t i = 0; i < count && !w->failed; i++)
    if (vec_push(&w->vars, w->mem, MEM_SEARCH, (struct sort_var){.parent = first + i})) w->failed = 1;
  return w->failed ? 0 : first;
}

static uint32_t fields_most(const struct sort_walk *w) { return w->s->shape->fields_max + 1; }

static void flow(struct sort_walk *w, uint32_t from, uint32_t to) {
  if (from != to && vec_push(&w->flows, w->mem, MEM_SEARCH, (struct sort_flow){from, to, w->place, w->text})) w->failed = 1;
}

static void unite(struct sort_walk *w, uint32_t a, uint32_t b) {
  a = sort_root(w, a);
  b = sort_root(w, b);
  if (a == b || w->failed) return;
  struct sort_var *to = &w->vars.at[a], *from = &w->vars.at[b];
  uint32_t fields = to->fields && from->fields ? from->fields : 0, others = to->fields;
  from->parent = a;
  to->flags |= from->flags;
  if (!to->fields) to->fields = from->fields;
  for (uint32_t i = 0; fields && i < fields_most(w); i++) { /* channels of channels of channels: as deep as the program's types */
    unite(w, others + i, fields + i);
    flow(w, others + i, fields + i);
    flow(w, fields + i, others + i);
  }
}

uint32_t sort_leaf_var(const struct sort_walk *w, uint32_t leaf) {
  (void)w;
  return 1 + leaf;
}
static uint32_t dim_var(const struct sort_walk *w, uint32_t dim) { return w->first_dim + dim; }
static uint32_t pid_var(const struct sort_walk *w, uint32_t type) { return w->first_pid + type; }

uint32_t sort_field_var(struct sort_walk *w, uint32_t chan_var, uint32_t field) {
  uint32_t root = sort_root(w, chan_var);
  w->vars.at[root].flags |= VAR_CHANNEL;
  if (!w->vars.at[root].fields) {
    uint32_t fields = add_vars(w, fields_most(w));
    if (w->failed) return 0;
    w->vars.at[root].fields = fields;
  }
  return w->vars.at[root].fields + (field < fields_most(w) ? field : 0);
}

/* ---- what is said of them ------------------------------------------------------------------------------------------------- */

enum term_kind { TERM_NUMBER, TERM_CONST, TERM_VAR, TERM_OF /* an expression over one variable */, TERM_POINTER };
struct term {
  enum term_kind kind;
  uint32_t var;
  int32_t value;
  ir_expr expr, source;
  int either; /* one of several things: which one is not followed */
};

static void note_target(struct sort_walk *w, struct symmetry_hazard h, uint32_t target) {
  int own = h.kind == HAZARD_FUNCTION && program_at(w->p, h.source)->op == IR_PID_OWN;
  h.place = w->place;
  h.text = w->text;
  if (vec_push(&w->notes, w->mem, MEM_SEARCH, (struct sort_note){h, w->owner, w->index, target, (uint8_t)own})) w->failed = 1;
}
static void note(struct sort_walk *w, struct symmetry_hazard h) { note_target(w, h, 0); }

static void use_flag(struct sort_walk *w, uint32_t var, uint32_t flag) { w->vars.at[sort_root(w, var)].flags |= flag; }

static void use_constant(struct sort_walk *w, uint32_t var, int32_t value) {
  note_target(w, (struct symmetry_hazard){.kind = HAZARD_CONST, .of = var, .value = value}, w->choice);
}

static void use_all(struct sort_walk *w, uint32_t var) {
  use_flag(w, var, VAR_NUMBER);
  note(w, (struct symmetry_hazard){.kind = HAZARD_ALL, .of = var});
}

static void use_value(struct sort_walk *w, const struct term *t) {
  if (t->kind == TERM_VAR) use_all(w, t->var);
  else if (t->kind == TERM_OF) note(w, (struct symmetry_hazard){.kind = HAZARD_VALUE, .of = t->var, .expr = t->expr, .source = t->source});
}

static void use_condition(struct sort_walk *w, const struct term *t) {
  if (t->kind == TERM_VAR) use_constant(w, t->var, 0);
  else use_value(w, t);
}

static void sees_ends(struct sort_walk *w) { note(w, (struct symmetry_hazard){.kind = HAZARD_SEES_ENDS}); }
static void tells_slots(struct sort_walk *w, uint32_t type) { note(w, (struct symmetry_hazard){.kind = HAZARD_SLOTS, .of = type}); }

int32_t sort_cut(const struct sort_walk *w, uint32_t var, int32_t value) {
  uint32_t cell = w->vars.at[var].cell;
  return cell ? program_cut(&w->p->types.at[cell - 1], value) : value;
}

enum relation { COMPARED, INDEXES, GETS };

/* The variable and the term are, or become, equal. */
static void relate(struct sort_walk *w, uint32_t var, const struct term *t, enum relation how) {
  struct sort_var *v = &w->vars.at[var];
  int32_t value = t->kind == TERM_CONST ? how == GETS ? sort_cut(w, var, t->value) : t->value : 0;
  if (how == GETS) {
    if (value < v->least) v->least = value;
    if (value > v->most) v->most = value;
    if (t->kind == TERM_VAR) flow(w, t->var, var);
    v->outside |= t->either != 0 || t->kind == TERM_NUMBER;
  }
  switch (t->kind) {
  case TERM_VAR: unite(w, var, t->var); return;
  case TERM_CONST: use_constant(w, var, value); return;
  case TERM_NUMBER: use_all(w, var); return;
  case TERM_OF:
    if (vec_push(&w->pending, w->mem, MEM_SEARCH, (struct sort_pending){var, t->var, t->expr, t->source, w->owner, how == INDEXES, how == GETS, w->index, w->place, w->text})) w->failed = 1;
    return;
  case TERM_POINTER: return;
  }
}

static void relate_terms(struct sort_walk *w, const struct term *a, const struct term *b) {
  if (a->kind == TERM_VAR) relate(w, a->var, b, COMPARED);
  else if (b->kind == TERM_VAR) relate(w, b->var, a, COMPARED);
  else {
    use_value(w, a);
    use_value(w, b);
  }
}

/* ---- expressions ------------------------------------------------------------------------------------------------------------ */

static struct term infer(struct sort_walk *w, ir_expr e);

/* The pointee of a pointer's expression; UINT32_MAX = nobody knows. */
static uint32_t pointee(const struct program *p, ir_expr e) {
  const struct ir_node *n = program_at(p, e);
  while (n->op == IR_COND) n = program_at(p, n->b);
  if (n->op != IR_LOAD || p->types.at[p->refs.at[n->a].type].kind != IR_POINTER) return UINT32_MAX;
  return p->types.at[p->refs.at[n->a].type].names;
}

int32_t sort_first_value(const struct symmetry_sorts *s, uint32_t decl, uint32_t cell) {
  const struct ir_decl *d = &s->p->decls.at[decl];
  return s->shape->first_value[s->shape->type_first[d->scope] + d->base + cell];
}

/* An lvalue: its indices are used, its leaf is what it stands for. */
static struct term infer_ref(struct sort_walk *w, ir_ref ref, int reads) {
  const struct program *p = w->p;
  const struct ir_lvalue *r = &p->refs.at[ref];
  struct leaf_path path;
  uint32_t root = r->decl, offset = r->base - p->decls.at[r->decl].base;
  if (r->where == IR_HEAP) {
    struct term pointer = infer(w, r->slot);
    uint32_t type = pointee(p, r->slot);
    (void)pointer;
    if (type == UINT32_MAX) {
      w->unknown = "a pointer of unknown type";
      return (struct term){.kind = TERM_NUMBER};
    }
    root = leaves_heap_root(&w->s->leaves, type);
    offset = r->base;
  }
  leaves_path(&w->s->leaves, root, offset, &path);
  const struct ir_decl *d = r->where == IR_HEAP ? NULL : &p->decls.at[r->decl];
  int fixed = d && d->flags & IR_CONST && !d->chan;
  uint32_t k = 0;
  for (uint32_t i = 0; i < r->indices; i++, k++) {
    const struct ir_index *x = &p->indices.at[r->index + i];
    for (; k < path.dims && (path.at[k].stride != x->stride || path.at[k].bound != x->bound); k++)
      if (!fixed) use_constant(w, dim_var(w, path.at[k].dim), (int32_t)path.at[k].index);
    struct term t = infer(w, x->expr);
    if (k >= path.dims) {
      w->unknown = "an index of unknown meaning";
      break;
    }
    if (t.kind == TERM_CONST) { /* a variable that nobody writes; out of range: element 0 */
      if (!fixed) use_constant(w, dim_var(w, path.at[k].dim), (uint32_t)t.value < x->bound ? t.value : 0);
      continue;
    }
    uint32_t var = dim_var(w, path.at[k].dim);
    relate(w, var, &t, INDEXES);
    use_flag(w, var, VAR_INDEX);
    if (t.either) w->vars.at[var].outside = 1;
    note(w, (struct symmetry_hazard){.kind = HAZARD_OUTSIDE, .of = t.kind == TERM_VAR && !t.either ? t.var : var});
    if (fixed || (d && d->flags & IR_HIDDEN)) note(w, (struct symmetry_hazard){.kind = HAZARD_TABLE, .of = var, .value = (int32_t)path.at[k].dim});
  }
  for (; k < path.dims && !fixed; k++) use_constant(w, dim_var(w, path.at[k].dim), (int32_t)path.at[k].index);
  if (r->where == IR_REMOTE) {
    struct term pid = infer(w, r->slot);
    relate(w, pid_var(w, r->proc), &pid, COMPARED);
    use_flag(w, pid_var(w, r->proc), VAR_REMOTE);
    sees_ends(w);
  }
  if (p->types.at[r->type].kind == IR_POINTER) return (struct term){.kind = TERM_POINTER};
  uint32_t var = sort_leaf_var(w, path.leaf);
  if (fixed && reads) return r->indices ? (struct term){.kind = TERM_NUMBER} : (struct term){TERM_CONST, .value = sort_first_value(w->s, r->decl, offset)};
  if (d && d->flags & IR_HIDDEN) use_constant(w, var, sort_first_value(w->s, r->decl, offset));
  return (struct term){TERM_VAR, .var = var};
}

static int same_ref(const struct program *p, ir_ref x, ir_ref y) {
  const struct ir_lvalue *a = &p->refs.at[x], *b = &p->refs.at[y];
  return x == y || (a->where == b->where && a->decl == b->decl && a->base == b->base && !a->indices && !b->indices && (a->where == IR_GLOBAL || a->where == IR_LOCAL));
}

int sort_same_source(const struct program *p, ir_expr a, ir_expr b) {
  const struct ir_node *x = program_at(p, a), *y = program_at(p, b);
  return a == b || (x->op == y->op && (x->op == IR_PID_OWN || (x->op == IR_LOAD && same_ref(p, x->a, y->a))));
}

static int is_constant(const struct term *t) { return t->kind == TERM_CONST; }
static int is_over_one(const struct term *t) { return t->kind == TERM_VAR || t->kind == TERM_OF; }

/* An operator other than == and !=, over operands that are known. */
static struct term operate(struct sort_walk *w, ir_expr e, const struct term *a, const struct term *b) {
  const struct ir_node *n = program_at(w->p, e);
  int32_t value;
  if (is_constant(a) && is_constant(b) && program_apply((enum ir_op)n->op, a->value, b->value, &value)) return (struct term){TERM_CONST, .value = value};
  const struct term *one = is_over_one(a) ? a : b, *other = one == a ? b : a;
  if (is_over_one(one) && one->source && (is_constant(other) || (is_over_one(other) && other->source && sort_same_source(w->p, one->source, other->source)))) {
    struct term whole = {.kind = TERM_OF, .var = one->var, .expr = e, .source = one->source};
    if (n->op < IR_LT || n->op > IR_NE) return whole;
    use_value(w, &whole); /* true or false is no name */
    return (struct term){.kind = TERM_NUMBER};
  }
  use_value(w, a);
  use_value(w, b);
  return (struct term){.kind = TERM_NUMBER};
}

static void walk_comm(struct sort_walk *w, uint32_t comm);

/* A channel's expression: its variable, or 0. */
static uint32_t infer_channel(struct sort_walk *w, ir_expr e) {
  struct term t = infer(w, e);
  if (t.kind == TERM_VAR) {
    use_flag(w, t.var, VAR_CHANNEL);
    return t.var;
  }
  if (t.kind != TERM_CONST || t.value) w->unknown = "a channel that is calculated";
  return 0;
}

/* Questions that take the number of any process. */
static void ask_any_process(struct sort_walk *w, ir_expr e) {
  struct term t = infer(w, e);
  sees_ends(w);
  if (program_at(w->p, e)->op == IR_PID_OWN) return;
  for (uint32_t type = 0; type < w->p->procs.count; type++) {
    if (t.kind == TERM_CONST) note(w, (struct symmetry_hazard){.kind = HAZARD_CONST, .of = pid_var(w, type), .value = t.value});
    else tells_slots(w, type);
  }
  use_value(w, &t);
}

static uint32_t own_channel_decl(const struct sort_walk *w, uint32_t k) {
  for (uint32_t i = 1; i < w->p->decls.count && w->type >= 0; i++) {
    const struct ir_decl *d = &w->p->decls.at[i];
    if (d->chan && d->scope == (uint32_t)w->type + 1 && k >= d->first_chan && k - d->first_chan < d->cells) return i;
  }
  return 0;
}

static struct term infer(struct sort_walk *w, ir_expr e) {
  const struct program *p = w->p;
  const struct ir_node *n = program_at(p, e);
  struct term a, b;
  switch ((enum ir_op)n->op) {
  case IR_VALUE: return (struct term){TERM_CONST, .value = n->value};
  case IR_LOAD:
    a = infer_ref(w, n->a, 1);
    a.source = a.kind == TERM_VAR ? e : 0;
    return a;
  case IR_NULL_POINTER: return (struct term){.kind = TERM_POINTER};
  case IR_NEG:
  case IR_INVERT:
    a = infer(w, n->a);
    if (is_over_one(&a) && a.source) return (struct term){.kind = TERM_OF, .var = a.var, .expr = e, .source = a.source};
    use_value(w, &a);
    return (struct term){.kind = TERM_NUMBER};
  case IR_NOT:
    a = infer(w, n->a);
    use_condition(w, &a);
    return (struct term){.kind = TERM_NUMBER};
  case IR_EQ:
  case IR_NE:
    a = infer(w, n->a);
    b = infer(w, n->b);
    if (a.kind == TERM_OF || b.kind == TERM_OF) {
      const struct term *of = a.kind == TERM_OF ? &a : &b, *other = of == &a ? &b : &a;
      if (other->kind == TERM_CONST || (is_over_one(other) && other->source && sort_same_source(p, of->source, other->source))) return operate(w, e, &a, &b);
    }
    relate_terms(w, &a, &b);
    return (struct term){.kind = TERM_NUMBER};
  case IR_AND:
  case IR_OR:
  case IR_IMPLIES:
    a = infer(w, n->a);
    b = infer(w, n->b);
    use_condition(w, &a);
    use_condition(w, &b);
    return (struct term){.kind = TERM_NUMBER};
  case IR_COND: {
    a = infer(w, n->a);
    use_condition(w, &a);
    a = infer(w, n->b);
    b = infer(w, n->c);
    if (a.kind == TERM_POINTER || b.kind == TERM_POINTER) return (struct term){.kind = TERM_POINTER};
    relate_terms(w, &a, &b);
    a = a.kind == TERM_VAR ? a : b.kind == TERM_VAR ? b : (struct term){.kind = TERM_NUMBER};
    a.source = a.kind == TERM_VAR ? e : 0;
    a.either = 1;
    return a;
  }
  case IR_LEN:
  case IR_EMPTY:
  case IR_FULL:
  case IR_NEMPTY:
  case IR_NFULL: infer_channel(w, n->a); return (struct term){.kind = TERM_NUMBER};
  case IR_POLL: walk_comm(w, n->a); return (struct term){.kind = TERM_NUMBER};
  case IR_AT:
    a = infer(w, n->a);
    relate(w, pid_var(w, n->b), &a, COMPARED);
    if (w->s->ended[p->procs.at[n->b].state + p->labels.at[n->c].state]) sees_ends(w);
    return (struct term){.kind = TERM_NUMBER};
  case IR_FIRST:
    tells_slots(w, n->b);
    return (struct term){TERM_VAR, .var = pid_var(w, n->b), .source = e};
  case IR_ENABLED:
  case IR_PC_VALUE:
  case IR_PRIORITY: ask_any_process(w, n->a); return (struct term){.kind = TERM_NUMBER};
  case IR_TIMEOUT:
  case IR_NP: return (struct term){.kind = TERM_NUMBER};
  case IR_PID_OWN:
    if (w->type < 0) {
      w->unknown = "_pid outside of a process";
      return (struct term){.kind = TERM_NUMBER};
    }
    return (struct term){TERM_VAR, .var = pid_var(w, (uint32_t)w->type), .source = e};
  case IR_NR_PR: sees_ends(w); return (struct term){.kind = TERM_NUMBER};
  case IR_OWN_CHAN: {
    uint32_t decl = own_channel_decl(w, (uint32_t)n->value);
    struct leaf_path path;
    if (!decl) break;
    leaves_path(&w->s->leaves, decl, (uint32_t)n->value - p->decls.at[decl].first_chan, &path);
    for (uint32_t k = 0; k < path.dims; k++) use_constant(w, dim_var(w, path.at[k].dim), (int32_t)path.at[k].index);
    return (struct term){TERM_VAR, .var = sort_leaf_var(w, path.leaf), .source = e};
  }
  case IR_ADD: case IR_SUB: case IR_MUL: case IR_DIV: case IR_MOD:
  case IR_BAND: case IR_BOR: case IR_BXOR: case IR_SHL: case IR_SHR:
  case IR_LT: case IR_LE: case IR_GT: case IR_GE:
    a = infer(w, n->a);
    b = infer(w, n->b);
    return operate(w, e, &a, &b);
  case IR_LAST: w->unknown = "_last"; return (struct term){.kind = TERM_NUMBER};
  case IR_C_EXPR: w->unknown = "embedded C"; return (struct term){.kind = TERM_NUMBER};
  case IR_NONE:
  case IR_OPS: break;
  }
  w->unknown = "an expression of unknown meaning";
  return (struct term){.kind = TERM_NUMBER};
}

static void walk_condition(struct sort_walk *w, ir_expr e) {
  if (!e) return;
  struct term t = infer(w, e);
  use_condition(w, &t);
}

/* ---- statements --------------------------------------------------------------------------------------------------------------- */

static void walk_comm(struct sort_walk *w, uint32_t comm) {
  const struct program *p = w->p;
  if (!comm) return;
  const struct ir_comm *c = &p->comms.at[comm - 1];
  uint32_t chan = infer_channel(w, c->chan);
  if (!chan) return;
  for (uint32_t i = 0; i < c->args && !w->failed; i++) {
    const struct ir_arg *a = &p->args.at[c->arg + i];
    uint32_t field = sort_field_var(w, chan, i);
    if (a->kind == IR_ARG_IGNORE || w->failed) continue;
    struct term t = a->kind == IR_ARG_BIND ? infer_ref(w, a->what, 0) : infer(w, a->what);
    relate(w, field, &t, c->flags & IR_SEND ? GETS : COMPARED);
    if (a->kind == IR_ARG_BIND && t.kind == TERM_VAR) flow(w, field, t.var);
    if (c->flags & IR_SORTED) use_all(w, field);
  }
}

static void assign(struct sort_walk *w, ir_ref ref, const struct term *value) {
  struct term to = infer_ref(w, ref, 0);
  if (to.kind == TERM_VAR) relate(w, to.var, value, GETS);
}

static void walk_run(struct sort_walk *w, const struct ir_action *a) {
  const struct program *p = w->p;
  for (uint32_t i = 0; i < a->args; i++) {
    struct term t = infer(w, p->args.at[a->arg + i].what);
    struct leaf_path path;
    uint32_t decl = program_cell_decl(p, a->proc + 1, i);
    if (i >= p->procs.at[a->proc].params || !decl) {
      w->unknown = "a parameter of unknown meaning";
      return;
    }
    leaves_path(&w->s->leaves, decl, i - p->decls.at[decl].base, &path);
    relate(w, sort_leaf_var(w, path.leaf), &t, GETS);
    for (uint32_t k = 0; k < path.dims; k++) use_constant(w, dim_var(w, path.at[k].dim), (int32_t)path.at[k].index);
  }
  tells_slots(w, a->proc);
  sees_ends(w);
  if (a->ref) assign(w, a->ref, &(struct term){TERM_VAR, .var = pid_var(w, a->proc)});
}

static void walk_action(struct sort_walk *w, const struct ir_action *a) {
  struct term t, to;
  switch (a->kind) {
  case IR_ASSIGN:
    t = infer(w, a->expr);
    to = infer_ref(w, a->ref, 0);
    w->choice = program_choice(w->p, &w->p->trans.at[w->index]); /* of values: the element that gets one is always the same */
    if (to.kind == TERM_VAR) relate(w, to.var, &t, GETS);
    w->choice = 0;
    return;
  case IR_ASSERT: walk_condition(w, a->expr); return;
  case IR_PRINT:
    for (uint32_t i = 0; i < a->args; i++) infer(w, w->p->args.at[a->arg + i].what); /* what is printed is not in the state */
    return;
  case IR_RUN: walk_run(w, a); return;
  case IR_NEW: { /* everything in a new object is 0 */
    uint32_t type = w->p->types.at[w->p->refs.at[a->ref].type].names, root = leaves_heap_root(&w->s->leaves, type);
    infer_ref(w, a->ref, 0);
    for (uint32_t leaf = w->s->leaves.first[root]; leaf < w->s->leaves.first[root + 1]; leaf++) use_constant(w, sort_leaf_var(w, leaf), 0);
    return;
  }
  case IR_RESET: infer_ref(w, a->ref, 0); return;
  case IR_SET_PRIORITY:
    ask_any_process(w, a->expr);
    for (uint32_t i = 0; i < a->args; i++) {
      t = infer(w, w->p->args.at[a->arg + i].what);
      use_value(w, &t);
    }
    return;
  case IR_C_CODE: w->unknown = "embedded C"; return;
  }
}

static void walk_transition(struct sort_walk *w, uint32_t index) {
  const struct ir_trans *t = &w->p->trans.at[index];
  const struct ir_proc *proc = &w->p->procs.at[t->proc];
  w->owner = OWNER_TRANSITION;
  w->index = index;
  w->type = t->proc;
  w->place = t->place;
  w->text = t->text;
  walk_condition(w, t->guard);
  walk_comm(w, t->comm);
  for (uint32_t i = 0; i < t->actions; i++) walk_action(w, &w->p->actions.at[t->action + i]);
  if (!(t->flags & IR_END)) return;
  note(w, (struct symmetry_hazard){.kind = HAZARD_ENDS, .of = t->proc});
  if (proc->chans || proc->provided || w->p->uses_priority) sees_ends(w);
}

/* First values of a scope: the names that they are belong to the moment of creation. */
static void walk_scope(struct sort_walk *w, uint32_t scope) {
  const struct program *p = w->p;
  w->owner = scope ? OWNER_CREATION : OWNER_NOBODY;
  w->index = scope ? scope - 1 : 0;
  w->type = (int64_t)scope - 1;
  w->text = NULL;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope != scope || d->chan || d->flags & IR_PARAM) continue;
    w->place = d->place;
    struct term t = d->init ? infer(w, d->init) : (struct term){.kind = TERM_CONST};
    for (uint32_t leaf = w->s->leaves.first[i]; leaf < w->s->leaves.first[i + 1]; leaf++) relate(w, sort_leaf_var(w, leaf), &t, GETS);
  }
  for (size_t i = 0; i < p->inits.count; i++) {
    if (p->inits.at[i].scope != scope) continue;
    w->place = p->refs.at[p->inits.at[i].ref].place;
    struct term t = infer(w, p->inits.at[i].expr);
    assign(w, p->inits.at[i].ref, &t);
  }
  if (!scope) return;
  w->owner = OWNER_TYPE;
  walk_condition(w, p->procs.at[scope - 1].provided);
}

/* What declarations say of their leaves and dimensions. */
static void walk_declarations(struct sort_walk *w) {
  const struct program *p = w->p;
  const struct leaves *l = &w->s->leaves;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    for (uint32_t c = 0; c < d->cells; c++) {
      struct leaf_path path;
      leaves_path(l, i, c, &path);
      const struct ir_type *t = &p->types.at[path.type];
      uint32_t var = sort_leaf_var(w, path.leaf);
      w->vars.at[var].cell = path.type + 1;
      if (d->flags & IR_PARAM && (t->kind == IR_NUMBER || t->kind == IR_PID)) use_flag(w, var, VAR_PARAM);
      if (t->scalarset) use_flag(w, var, VAR_SCALARSET);
      if (d->chan || t->kind == IR_CHANNEL) use_flag(w, var, VAR_CHANNEL);
      if (d->chan) {
        for (uint32_t k = 0; k < path.dims; k++) use_flag(w, dim_var(w, path.at[k].dim), VAR_ELEMENT);
        const struct ir_chan *chan = &p->chans.at[d->chan - 1];
        for (uint32_t f = 0; f < chan->fields && !w->failed; f++) {
          uint32_t field = sort_field_var(w, var, f);
          const struct ir_type *ft = &p->types.at[p->chan_fields.at[chan->field + f]];
          w->vars.at[field].cell = p->chan_fields.at[chan->field + f] + 1;
          if (ft->kind == IR_CHANNEL) use_flag(w, field, VAR_CHANNEL);
          if (ft->scalarset) use_flag(w, field, VAR_SCALARSET);
        }
      }
    }
  }
  for (uint32_t type = 0; type < p->types.count; type++) /* what may lie on the heap */
    for (uint32_t c = 0; c < p->types.at[type].cells && p->uses_heap; c++) {
      struct leaf_path path;
      leaves_path(l, leaves_heap_root(l, type), c, &path);
      w->vars.at[sort_leaf_var(w, path.leaf)].cell = path.type + 1;
      if (p->types.at[path.type].kind == IR_CHANNEL) use_flag(w, sort_leaf_var(w, path.leaf), VAR_CHANNEL);
      if (p->types.at[path.type].scalarset) use_flag(w, sort_leaf_var(w, path.leaf), VAR_SCALARSET);
    }
  for (uint32_t type = 0; type < p->procs.count; type++) use_flag(w, pid_var(w, type), VAR_PID);
}

/* Expressions over a name whose values go somewhere: they are names if what gets them is one of the same sort anyway; otherwise they are only numbers that depend on it. */
static void settle_pending(struct sort_walk *w) {
  for (size_t i = 0; i < w->pending.count && !w->failed; i++) {
    const struct sort_pending *x = &w->pending.at[i];
    int names = sort_root(w, x->var) == sort_root(w, x->of);
    w->owner = x->owner, w->index = x->index, w->place = x->place, w->text = x->text;
    if (!names) use_all(w, x->var);
    if (!names && x->flows) w->vars.at[x->var].outside = 1;
    note_target(w, (struct symmetry_hazard){.kind = names ? HAZARD_FUNCTION : HAZARD_VALUE, .indexes = x->indexes, .of = x->of, .value = x->flows && names ? (int32_t)w->vars.at[x->var].cell : 0, .expr = x->expr, .source = x->source}, x->flows ? x->var : 0);
  }
}

int sort_walk_open(struct sort_walk *w, struct symmetry_sorts *s) {
  *w = (struct sort_walk){.s = s, .p = s->p, .mem = s->mem};
  add_vars(w, 1);
  add_vars(w, s->leaves.count);
  w->first_dim = (uint32_t)w->vars.count;
  add_vars(w, s->leaves.dims);
  w->first_pid = (uint32_t)w->vars.count;
  add_vars(w, (uint32_t)s->p->procs.count);
  return w->failed ? -1 : 0;
}

void sort_walk_close(struct sort_walk *w) {
  vec_free(&w->vars, w->mem);
  vec_free(&w->notes, w->mem);
  vec_free(&w->pending, w->mem);
  vec_free(&w->flows, w->mem);
}

void sort_walk_program(struct sort_walk *w, const struct model_aims *aims) {
  const struct program *p = w->p;
  walk_declarations(w);
  for (uint32_t scope = 0; scope <= p->procs.count && !w->failed; scope++) walk_scope(w, scope);
  for (uint32_t i = 0; i < p->trans.count && !w->failed; i++)
    if (!p->procs.at[p->trans.at[i].proc].is_claim) walk_transition(w, i);
  w->owner = OWNER_ASKER;
  w->type = -1;
  for (size_t i = 0; i < aims->exprs && !w->failed; i++) {
    if (!aims->expr[i]) continue;
    int64_t number = expr_condition(aims->expr[i]);
    if (number < 0) {
      w->unknown = "a question that is not in the model's language";
      return;
    }
    w->place = (struct place_in_text){0};
    w->text = expr_text(aims->expr[i]);
    walk_condition(w, w->s->model->condition.at[number]);
  }
  settle_pending(w);
}
