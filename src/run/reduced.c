/* reduced.c -- see reduced.h.
 *
 * Properties of states are reduced together where every one of them allows it and one answer is enough.  Branching properties, collections of violations and swarms see the whole space.
 *
 * A smaller net has a layout of its own, so its bounds are looked for as those of any other (bounds.h); but not once symmetries are known, which rest on the bounds as they were. */
#include "run/reduced.h"

#include "run/bounds.h"

#include <stdio.h>
#include <string.h>

static void tell_verdict(struct verdict *v, const struct reduction_told *told, unsigned asked) {
  for (unsigned i = 0; i < REDUCE_KINDS; i++) {
    struct verdict_reduction *r = &v->reduction[i];
    r->name = reduction_name(1u << i);
    r->asked |= (asked >> i) & 1;
    int used = (told->used >> i) & 1;
    if (used || !r->used) snprintf(r->text, sizeof r->text, "%s", told->text[i]); /* of several runs those count that use it */
    r->used |= used;
  }
}

static int open_reduction(struct reduced *r, const struct run_setup *run, struct reduction_setup *s, struct verdict *v, struct err *e) {
  struct reduction_told told;
  s->model = run->model;
  s->kinds = run->reduce;
  s->worth = run->reduce_if_worth ? RUN_WORTH : 0;
  int status = reduction_open(&r->reduction, s, &told, r->mem, e);
  tell_verdict(v, &told, run->reduce);
  if (status) return status < 0 ? -1 : 0;
  r->model = reduction_model(r->reduction);
  if (r->model == run->model) return 0;
  if (told.used & REDUCE_SYMMETRY) return 0; /* rests on the bounds that it found, which the smaller net has from the larger one */
  struct bounds b;
  int bad = bounds_find(&b, r->model, r->mem, run->limits.seconds / 2, run->limits.interrupt, e);
  bounds_close(&b);
  return bad;
}

int reduced_open_states(struct reduced *r, const struct run_setup *run, int bounded, struct verdict *v, struct err *e) {
  *r = (struct reduced){.model = run->model, .mem = run->mem};
  if (!run->reduce || run->collect || run->swarm || !run->prop_count) return 0; /* where nothing is asked the space itself is wanted */
  for (size_t i = 0; i < run->prop_count; i++) {
    const struct prop *p = &run->props[i];
    if (p->kind != PROP_DEADLOCK && p->kind != PROP_INVARIANT && p->kind != PROP_REACHABLE && p->kind != PROP_ASSERT && p->kind != PROP_RUNTIME && !prop_apart(p)) return 0;
  }
  r->goal = mem_alloc(r->mem, MEM_SEARCH, (run->prop_count + 1) * sizeof *r->goal);
  if (!r->goal) return err_memory(e, "the reduction");
  struct reduction_setup s = {.goal = r->goal, .bounded = bounded};
  for (size_t i = 0; i < run->prop_count; i++) {
    const struct prop *p = &run->props[i];
    if (p->expr) r->goal[s.goals++] = (struct reduction_goal){p->expr, p->kind == PROP_REACHABLE};
    s.deadlocks |= p->kind == PROP_DEADLOCK;
    s.assertions |= p->kind == PROP_ASSERT;
    s.errors |= p->kind == PROP_RUNTIME;
  }
  return open_reduction(r, run, &s, v, e);
}

int reduced_possible_for_runs(const struct run_setup *run, const struct temporal *t) {
  return !run->fair && t->stutters && t->method != TEMPORAL_OBSERVER;
}

int reduced_open_runs(struct reduced *r, const struct run_setup *run, const struct temporal *t, int bounded, struct verdict *v, struct err *e) {
  const struct expr *atom[FORMULA_ATOMS];
  *r = (struct reduced){.model = run->model, .mem = run->mem};
  if (!run->reduce || !reduced_possible_for_runs(run, t)) return 0;
  struct product_setup seen = temporal_product(t, run->model, 0);
  for (size_t i = 0; i < seen.atoms; i++) atom[i] = seen.atom[i].expr;
  return open_reduction(r, run, &(struct reduction_setup){.runs = 1, .atom = atom, .atoms = seen.atoms, .bounded = bounded}, v, e);
}

void reduced_close(struct reduced *r) {
  reduction_close(r->reduction);
  mem_free(r->mem, r->goal);
  r->reduction = NULL;
  r->goal = NULL;
}

static int lead_back(struct reduced *r, struct search_path *p, struct reduction_path *with, struct err *e) {
  with->edge = p->edge;
  with->group = p->group;
  with->count = p->count;
  int bad = reduction_lead_back(r->reduction, with, r->mem, e);
  p->edge = with->edge;
  p->group = with->group;
  p->count = with->count;
  return bad;
}

int reduced_lead_back_path(struct reduced *r, struct search_path *p, struct err *e) { return r->reduction ? lead_back(r, p, &(struct reduction_path){.loop = p->count}, e) : 0; }

int reduced_lead_back_found(struct reduced *r, struct judge *j, struct err *e) {
  for (size_t i = 0; i < j->found.count && r->reduction; i++) {
    struct judge_found *f = &j->found.at[i];
    struct reduction_path path = {.loop = f->path.count, .stuck = j->props[f->prop].kind == PROP_DEADLOCK, .claim = f->fault.claim, .detail = f->fault.detail};
    if (f->has_fault) path.fault = f->fault.edge == MODEL_NO_EDGE ? REDUCTION_STATE_FAILS : REDUCTION_STEP_FAILS;
    if (f->has_path && lead_back(r, &f->path, &path, e)) return -1;
  }
  return 0;
}

int reduced_lead_back_lasso(struct reduced *r, struct lasso *l, struct err *e) {
  if (!r->reduction) return 0;
  int ends = l->loop >= l->path.count;
  struct reduction_path path = {.loop = l->loop < l->path.count ? l->loop : l->path.count, .stuck = ends && l->stays};
  if (lead_back(r, &l->path, &path, e)) return -1;
  l->loop = path.loop;
  return 0;
}
