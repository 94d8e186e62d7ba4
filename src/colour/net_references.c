/* net_references.c -- references of the net as a part of its state; then everything that was checked is compiled.
 *
 * A reference that some code segment changes, and something that matters reads, is a place with one token: what it holds (ml/references.h).  It has no page; its name is that of the reference.  A transition that reads it tests that token,
 * one whose code segment may change it takes the old value and gives the new one:
 *
 *   guard, arcs from places, code segment    see the value before the step: variable r
 *   delay, arcs to places                    see the value after it: variable r', an output of the code segment more
 *
 * as CPN Tools does, where the code segment runs when the transition occurs.  An arc both ways that reads what its transition changes becomes two.  Nothing else knows of references: engine, definition and reductions see places, arcs and
 * variables.
 *
 * Guards, arcs, delays and code segments with outputs matter.  A code segment without outputs does if it changes what is read by something that matters; else it is left out, and a reference that nothing which matters reads is no part of
 * the state: code segments may change it, and nobody ever looks. */
#include "colour/net_build.h"

#include "ml/alike.h"
#include "ml/chance.h"
#include "ml/references.h"

#include <stdio.h>

struct touched { /* by the inscriptions of one transition */
  uint64_t reads;       /* but for the code segment */
  unsigned arrays;      /* as well */
  struct ml_touch acts; /* that */
};

static const char *name_of(const struct net_builder *b, uint64_t which) { return ml_reference(b->net->ml, (uint32_t)__builtin_ctzll(which))->name; }

static int gives_back(const struct net_prototype *p) { return p->transition.outputs > 0; }

static void touch(const struct net_builder *b, struct touched *t, const struct ml_expr *e) {
  struct ml_touch one = ml_touches(b->net->ml, e);
  t->reads |= one.reads;
  t->arrays |= one.arrays;
}

static struct touched touches(const struct net_builder *b, const struct net_prototype *p) {
  const struct net *net = b->net;
  struct touched t = {0};
  if (p->left_out) return t;
  for (size_t i = 0; i < p->arcs.count; i++) touch(b, &t, p->arcs.at[i].tree);
  for (uint32_t i = 0; i < p->transition.conditions; i++) touch(b, &t, net->conditions.at[p->transition.condition + i].tree);
  touch(b, &t, p->transition.delay_tree);
  t.acts = ml_touches(net->ml, p->transition.action_tree);
  return t;
}

/* ---- which are part of the state ----------------------------------------------------------------------------------------------- */

/* Sets of values are found once. */
static int check_colsets(struct net_builder *b, uint64_t changing) {
  for (size_t i = 0; i < ml_colsets(b->net->ml); i++) {
    const struct ml_colset *c = ml_colset_at(b->net->ml, i);
    uint64_t reads = (ml_touches(b->net->ml, c->by).reads | ml_touches(b->net->ml, c->with).reads) & changing;
    if (reads) return err_input(b->e, c->place, "colour set %s: which values it has depends on the reference %s, which a code segment changes", c->name, name_of(b, reads));
  }
  return 0;
}

static int check_declared(struct net_builder *b, const struct net_prototype *p, uint64_t reads) {
  long line = ml_assigned(b->net->ml);
  if (!reads || !line) return 0;
  return err_input(b->e, p->transition.at, "%s: it reads the reference %s, and the declaration in line %ld changes one: write its last value where it is declared", p->where, name_of(b, reads), line);
}

/* Arrays of the net may be read as long as no code segment changes any: which is which is not looked at. */
static int check_arrays(struct net_builder *b) {
  const struct net_prototype *reads = NULL, *changes = NULL;
  for (size_t i = 0; i < b->prototypes.count; i++) {
    const struct net_prototype *p = &b->prototypes.at[i];
    struct touched t = touches(b, p);
    if (((gives_back(p) ? t.acts.arrays : 0) | t.arrays) & ML_READS_ARRAYS) reads = p;
    if (t.acts.arrays & ML_CHANGES_ARRAYS) changes = p;
  }
  if (!reads || !changes) return 0;
  return err_input(b->e, reads->transition.at, "%s: it reads an array, and %s changes one: a state space cannot have that", reads->where, changes->code.where);
}

/* Which change, and which of them are read by something that matters. */
static int decide(struct net_builder *b, uint64_t *changing, uint64_t *kept) {
  uint64_t seen = 0, before;
  *changing = 0;
  for (size_t i = 0; i < b->prototypes.count; i++) {
    const struct net_prototype *p = &b->prototypes.at[i];
    struct touched t = touches(b, p);
    if (t.acts.nameless)
      return err_input(b->e, p->code.place, "%s: it may change a reference that is part of a list, a tuple or a function: only one that has a name of its own can be part of a state", p->code.where);
    *changing |= t.acts.changes;
    seen |= t.reads | (gives_back(p) ? t.acts.reads : 0);
    if (check_declared(b, p, t.reads | (gives_back(p) ? t.acts.reads : 0))) return -1;
  }
  do {
    before = seen;
    for (size_t i = 0; i < b->prototypes.count; i++) {
      struct touched t = touches(b, &b->prototypes.at[i]);
      if (t.acts.changes & seen) seen |= t.acts.reads;
    }
  } while (seen != before);
  *kept = seen & *changing;
  return check_colsets(b, *changing) || check_arrays(b) ? -1 : 0;
}

/* ---- their places -------------------------------------------------------------------------------------------------------------- */

static int make_place(struct net_builder *b, uint32_t reference) {
  struct net *net = b->net;
  const struct ml_global *g = ml_reference(net->ml, reference);
  struct ml_type *type = ml_reference_type(net->ml, reference);
  struct net_place p = {.name = g->name, .at = g->place, .colset = ml_colset_of(net->ml, type)};
  char shown[120];
  if (!p.colset)
    return err_input(b->e, g->place, "the declaration of %s: the reference is part of the state, since a code segment changes it and something reads it, but its type %s is not that of a colour set", g->name, ml_type_print(type, shown, sizeof shown));
  net->reference_place[reference] = (int64_t)net->places.count;
  uint32_t value = values_keep(&net->values, ml_reference_value(net->ml, reference));
  net->scratch.count = 0;
  if (value == VALUES_NONE || bags_open(&p.markings, &net->values, net->mem, 0) || bags_open(&p.effects, &net->values, net->mem, 0) || vec_push(&net->places, net->mem, MEM_MODEL, p)) {
    bags_close(&p.markings);
    bags_close(&p.effects);
    return err_memory(b->e, "the net");
  }
  struct net_place *kept = &net->places.at[net->places.count - 1];
  if (bags_put(&kept->effects, NULL, 0) == BAGS_NONE || bag_add(&kept->markings, &net->scratch, value, 1, 0) || bags_put(&kept->markings, net->scratch.at, net->scratch.count) == BAGS_NONE) return err_memory(b->e, "the net");
  return ml_reference_keep(net->ml, reference, p.colset, b->e);
}

/* ---- compiling ------------------------------------------------------------------------------------------------------------------ */

static int add_arc(struct net_builder *b, struct net_prototype *p, uint32_t reference, enum drawing_arc_kind kind, int after) {
  struct net_arc a = {.place = NET_REFERENCE | reference, .kind = kind, .at = p->transition.at, .tree = ml_reference_variable(b->net->ml, reference, after)};
  p->transition.arcs++;
  return !a.tree || vec_push(&p->arcs, b->net->mem, MEM_MODEL, a) ? err_memory(b->e, "the net") : 0;
}

/* Takes the value, and gives the new one if there is one. */
static int join(struct net_builder *b, struct net_prototype *p, uint64_t touched, uint64_t changes) {
  for (uint64_t left = touched | changes; left; left &= left - 1) {
    uint32_t reference = (uint32_t)__builtin_ctzll(left);
    if (!(changes >> reference & 1)) {
      if (add_arc(b, p, reference, DRAWING_TEST, 0)) return -1;
      continue;
    }
    struct net_transition *t = &p->transition;
    const struct ml_expr *fresh = ml_reference_variable(b->net->ml, reference, 1);
    if (!fresh) return err_memory(b->e, "the net");
    if (add_arc(b, p, reference, DRAWING_TO_TRANSITION, 0) || add_arc(b, p, reference, DRAWING_TO_PLACE, 1) || net_admit(b, p, fresh, 0, NULL)) return -1;
    if (t->outputs == NET_VARIABLES) return err_limit(b->e, "a code segment has too many outputs");
    t->output[t->outputs++] = (uint32_t)net_local(t, fresh->variable->number);
    t->references++;
  }
  return 0;
}

/* Both ways, and what goes back is not what was taken. */
static int divide_arcs(struct net_builder *b, struct net_prototype *p, uint64_t changes) {
  for (size_t i = 0, count = p->arcs.count; i < count; i++) {
    struct net_arc back = p->arcs.at[i];
    if (back.kind != DRAWING_TEST || !(ml_touches(b->net->ml, back.tree).reads & changes)) continue;
    p->arcs.at[i].kind = DRAWING_TO_TRANSITION;
    back.kind = DRAWING_TO_PLACE;
    p->transition.arcs++;
    if (vec_push(&p->arcs, b->net->mem, MEM_MODEL, back)) return err_memory(b->e, "the net");
  }
  return 0;
}

static const struct ml_colset *colset_of(const struct net_builder *b, const struct net_prototype *p, const struct net_arc *a) {
  if (a->place & NET_REFERENCE) return b->net->places.at[b->net->reference_place[a->place & ~NET_REFERENCE]].colset;
  return p->colset[a->place];
}

static int draws(const struct net_builder *b, const struct net_prototype *p) {
  const struct net_transition *t = &p->transition;
  int any = (t->delay_tree && ml_by_chance(t->delay_tree)) || (t->action_tree && ml_by_chance(t->action_tree));
  for (size_t i = 0; i < p->arcs.count; i++) any |= p->arcs.at[i].kind == DRAWING_TO_PLACE && ml_by_chance(p->arcs.at[i].tree);
  return any && !b->setup->draws;
}

static int compile(struct net_builder *b, struct net_prototype *p, uint64_t changes) {
  struct net *net = b->net;
  struct net_transition *t = &p->transition;
  t->draws = draws(b, p);
  for (size_t i = 0; i < p->arcs.count; i++) {
    struct net_arc *a = &p->arcs.at[i];
    uint64_t after = a->kind == DRAWING_TO_PLACE ? changes : 0;
    if (a->tree && (net_admit(b, p, a->tree, after, &a->variables) || ml_compile_after(&a->code, net->ml, a->tree, ML_WANT_MULTISET, colset_of(b, p, a), after, b->e))) return -1;
  }
  for (uint32_t i = 0; i < t->conditions; i++) {
    struct net_condition *c = &net->conditions.at[t->condition + i];
    if (net_admit(b, p, c->tree, 0, &c->variables) || ml_compile(&c->code, net->ml, c->tree, ML_WANT_BOOL, NULL, b->e)) return -1;
  }
  if (t->delay_tree && (net_admit(b, p, t->delay_tree, changes, NULL) || ml_compile_after(&t->delay, net->ml, t->delay_tree, ML_WANT_DELAY, NULL, changes, b->e))) return -1;
  if (!t->action_tree) return 0;
  if (changes && !(t->action_tree = ml_reference_results(net->ml, t->action_tree, changes))) return err_memory(b->e, "the net");
  return net_admit(b, p, t->action_tree, 0, NULL) || ml_compile(&t->action, net->ml, t->action_tree, ML_WANT_ANYTHING, NULL, b->e) ? -1 : 0;
}

/* A code segment that gives nothing back, to variables or to references, is left out. */
static int judge_action(struct net_builder *b, struct net_prototype *p, uint64_t changes) {
  if (!p->transition.action_tree || gives_back(p)) return 0;
  if (!changes) {
    p->transition.action_tree = NULL;
    const char *why = p->refused ? p->refused : p->writes;
    return why ? net_warn(b, p->code.place, "%s: it has no output variables and is left out: %s", p->code.where, why) : 0;
  }
  if (!b->writes) b->writes = p->writes;
  return 0;
}

/* One that changes what matters, and does something that no state space can have. */
static int judge_effects(struct net_builder *b, struct net_prototype *p, uint64_t changes) {
  if (!p->transition.action_tree || gives_back(p) || !changes || !p->refused) return 0;
  err_input(b->e, p->code.place, "%s: it may change the reference %s, which is part of the state, but %s: a state space cannot have that", p->code.where, name_of(b, changes), p->refused);
  p->left_out = 1;
  return net_leave_out(b, "the transition is left out, and never occurs");
}

int64_t net_reference_place(const struct net *net, uint32_t reference) { return net->reference_place[reference]; }

int net_finish(struct net_builder *b) {
  uint64_t changing = 0, kept = 0;
  if (ml_references_find(b->net->ml, b->e) || decide(b, &changing, &kept)) return -1;
  for (size_t i = 0; i < b->prototypes.count; i++) /* who cannot be run changes nothing, and what nobody changes stays what it is */
    if (judge_effects(b, &b->prototypes.at[i], touches(b, &b->prototypes.at[i]).acts.changes & kept)) return -1;
  if (decide(b, &changing, &kept)) return -1;
  b->net->reference_place = arena_alloc(&b->net->arena, (ML_REFERENCES + 1) * sizeof *b->net->reference_place);
  if (!b->net->reference_place) return err_memory(b->e, "the net");
  for (uint32_t i = 0; i < ML_REFERENCES; i++) b->net->reference_place[i] = changing >> i & 1 ? -2 : -1;
  ml_references_change(b->net->ml, changing);
  for (size_t i = 0; i < b->prototypes.count; i++)
    if (judge_action(b, &b->prototypes.at[i], touches(b, &b->prototypes.at[i]).acts.changes & kept)) return -1;
  if (ml_sorted(b->net->ml) && net_warn(b, (struct place_in_text){b->net->drawing->file, 0, 0}, "a multiset stands where a list is the colour: the list is sorted, and in CPN Tools it is in the order in which the multiset was written")) return -1;
  if (!b->writes) b->writes = ml_left_out(b->net->ml);
  if (b->writes && net_warn(b, (struct place_in_text){b->net->drawing->file, 0, 0}, "calls that only write, print or draw charts are left out, and what is computed for them alone: %s", b->writes)) return -1;
  for (uint64_t left = kept; left; left &= left - 1)
    if (make_place(b, (uint32_t)__builtin_ctzll(left))) return -1;
  for (size_t i = 0; i < b->prototypes.count; i++) {
    struct net_prototype *p = &b->prototypes.at[i];
    if (p->left_out) continue;
    struct touched t = touches(b, p);
    uint64_t changes = t.acts.changes & kept;
    if (divide_arcs(b, p, changes) || join(b, p, (t.reads | t.acts.reads) & kept, changes) || compile(b, p, changes)) return -1;
  }
  return 0;
}
