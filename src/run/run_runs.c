/* run_runs.c -- properties of whole runs, each with a search of its own for accepting cycles; channels without bounds. */
#include "run/run_inside.h"

#include "run/checkpoint.h"
#include "run/growth.h"
#include "search/replay_lasso.h"

#include <stdio.h>

/* The run that breaks property i becomes its trace, after a second opinion. */
static int confirm_lasso(struct run *r, size_t i, const struct liveness *l, int reduced, struct err *e) {
  struct verdict_property *p = &r->v->property[i];
  const struct temporal *t = r->setup->props[i].temporal;
  p->deciding = 1;
  p->evidence = mem_alloc(r->mem, MEM_OTHER, sizeof *p->evidence);
  if (!p->evidence) return 0;
  p->evidence_count = 1;
  struct verdict_evidence *out = p->evidence;
  out->steps = l->lasso.path.count;
  out->length_unknown = !l->has_lasso;
  if (!l->has_lasso) return 0;
  if (replay_lasso(r->model, &l->lasso, t, l->finite, r->mem, e)) {
    out->too_long = e->kind == ERR_LIMIT;
    return run_leave_out(e);
  }
  out->trace = run_new_trace(r, NULL, 0, &l->lasso.path, e);
  if (!out->trace) return run_leave_out(e);
  memcpy(out->trace->property, p->id, sizeof out->trace->property);
  strcpy(out->trace->verdict, "violated");
  p->shortest = out->trace->shortest = l->finite && l->search->shortest && !reduced;
  if (l->lasso.loop < l->lasso.path.count) out->trace->loop = (int64_t)l->lasso.loop;
  else if (t->method == TEMPORAL_OBSERVER && l->finite) snprintf(out->trace->message, sizeof out->trace->message, "the observer has no way on that could please it");
  else if (!l->finite) snprintf(out->trace->message, sizeof out->trace->message, "nothing can happen here: the run stays in this state for ever");
  return 0;
}

/* What a search of its own says of a property. */
static void take_product(struct run *r, struct verdict_property *p, const char *method, const struct liveness *l) {
  p->product.method = method;
  p->product.search = l->nested ? "ndfs" : l->search->name;
  p->product.states = l->stats.states;
  p->product.transitions = l->stats.transitions;
  p->product.depth = l->stats.depth;
  p->product.stop = l->stop;
  p->product.lossy = l->lossy;
  if (l->stop == STOP_FAULT && !r->fault.kind) r->fault = l->fault;
}

/* Who hears the searches for properties of runs: those who count steps have heard them already where there was a search for those of states. NULL: memory. */
static struct listener **listeners_of_runs(const struct run_setup *setup, size_t *count, struct err *e) {
  struct listener **to = mem_alloc(setup->mem, MEM_SEARCH, (setup->listener_count + 1) * sizeof *to);
  int ticks_only = run_wants_states(setup);
  *count = 0;
  if (!to) err_memory(e, "the search");
  for (size_t i = 0; to && i < setup->listener_count; i++)
    if (!ticks_only || !(setup->listeners[i]->wants & ~(unsigned)(EVENT_TICK | EVENT_PRODUCTS))) to[(*count)++] = setup->listeners[i];
  return to;
}

/* Every beginning of a run can go on in a weakly fair way, so fairness makes no difference to what beginnings alone break. */
static int fairness_matters(const struct run *r, const struct temporal *t) { return r->setup->fair && t->method != TEMPORAL_SAFETY; }

/* One temporal property, of all runs or of the fair ones, perhaps on a part of the model; what is found is a run of the model as it is. `*less`: it was a part. */
static int check_reduced(struct run *r, unsigned reduce, int fair, uint64_t trial, const struct temporal *t, struct liveness *l, int *less, struct err *e) {
  struct search_limits limits = run_limits_left(r);
  struct run_setup with = *r->setup;
  struct reduced part;
  memset(l, 0, sizeof *l);
  with.reduce = reduce;
  with.fair = fair;
  with.trial = trial;
  int bad = reduced_open_runs(&part, &with, t, r->bounded, r->v, e);
  if (!bad) {
    with.model = part.model;
    *less = part.reduction != NULL;
    struct listener **listeners = listeners_of_runs(r->setup, &with.listener_count, e);
    with.listeners = listeners;
    reduced_dress(&part);
    bad = listeners ? liveness_check(l, &with, t, &limits, e) : -1;
    reduced_undress(&part);
    mem_free(r->mem, listeners);
    if (!bad && l->has_lasso) bad = reduced_lead_back_lasso(&part, &l->lasso, e);
  }
  reduced_close(&part);
  return bad;
}

/* The same on the whole model, where what does not matter goes on and on, so that a loop of the part never closes in the model as it is (a counter that nobody reads). */
static int check_whole(struct run *r, const struct temporal *t, struct liveness *l, int *less, struct err *e) {
  err_clear(e);
  liveness_close(l, r->mem);
  if (!run_wants_states(r->setup)) run_listeners_begin_again(r->setup); /* else they have counted the search for properties of states */
  if (!r->v->note) r->v->note = "a run that was found repeats itself only in what the property sees, and cannot be shown: all steps and values were taken instead of a part of them";
  *less = 0;
  return check_reduced(r, 0, fairness_matters(r, t), 0, t, l, less, e);
}

/* By which reductions a large product may be left for a part of it: its counts are nobody's, unless somebody counts its steps. 0: none. Fairness knows none; what all runs do does. */
static unsigned reductions_late(const struct run *r, const struct temporal *t) {
  const struct run_setup *s = r->setup;
  struct run_setup of_all = *s;
  int fair = fairness_matters(r, t);
  unsigned kinds = fair && s->reduce ? s->reduce : s->reduce_runs;
  of_all.fair = 0;
  if ((s->reduce && !fair) || !kinds || !reduced_possible_for_runs(&of_all, t) || (r->limits.states && r->limits.states <= RUN_TRIAL)) return 0;
  for (size_t i = 0; i < s->listener_count && !run_wants_states(s); i++)
    if (s->listeners[i]->wants & ~(unsigned)(EVENT_TICK | EVENT_PRODUCTS)) return 0;
  return kinds;
}

static void forget_reductions(struct run *r) {
  for (size_t i = 0; i < VERDICT_REDUCTIONS; i++) r->v->reduction[i].used = 0;
}

/* Of all runs nothing was found out that would tell of the fair ones: they are asked as they are. */
static int check_fair(struct run *r, const struct temporal *t, struct liveness *l, int *less, struct err *e) {
  if (*less && e->kind == ERR_LIMIT) err_clear(e); /* a run that repeats itself only in a part, and is not wanted */
  liveness_close(l, r->mem);
  forget_reductions(r);
  *less = 0;
  return check_reduced(r, 0, 1, 0, t, l, less, e);
}

/* By the reductions that are allowed from the beginning; or else by those that may come late, where the whole is large. What all runs do the fair ones do as well, so where the fair ones
   are many the others are asked first, on a part. */
static int check_soon_or_late(struct run *r, const struct temporal *t, struct liveness *l, int *less, struct err *e) {
  int fair = fairness_matters(r, t);
  unsigned late = reductions_late(r, t);
  int bad = check_reduced(r, fair ? 0 : r->setup->reduce, fair, late ? RUN_TRIAL : 0, t, l, less, e);
  if (bad || !late || l->stop != STOP_STATES) return bad;
  liveness_close(l, r->mem);
  bad = check_reduced(r, late, 0, 0, t, l, less, e);
  if (!fair || (bad && e->kind != ERR_LIMIT)) return bad;
  return bad || l->broken || l->lossy || l->stop == STOP_MEMORY ? check_fair(r, t, l, less, e) : 0;
}

/* Which reductions a product was made smaller by. The verdict as a whole has those of the search whose counts are told, and all that were asked for from the beginning. */
static void tell_reductions(struct run *r, struct verdict_property *p, const struct verdict_reduction *before) {
  for (unsigned i = 0; i < VERDICT_REDUCTIONS; i++) {
    struct verdict_reduction *now = &r->v->reduction[i];
    p->product.reduced[i] = now->used ? now->name : NULL;
    if (before[i].used ? !now->used : r->explored && !r->setup->reduce) *now = before[i];
  }
}

/* What was asked of states has its answer, but the run as a whole is not complete. */
static void cut_short(struct run *r, enum search_stop stop) {
  if (r->v->stop == STOP_DONE || r->v->stop == STOP_GOAL) r->v->stop = stop;
}

static int check_runs(struct run *r, size_t i, struct err *e) {
  struct verdict_property *p = &r->v->property[i];
  const struct temporal *t = r->setup->props[i].temporal;
  struct verdict_reduction told[VERDICT_REDUCTIONS];
  struct liveness l;
  int less = 0;
  memcpy(told, r->v->reduction, sizeof told);
  forget_reductions(r);
  int bad = check_soon_or_late(r, t, &l, &less, e);
  if (bad && less && e->kind == ERR_LIMIT) {
    forget_reductions(r);
    bad = check_whole(r, t, &l, &less, e);
  }
  tell_reductions(r, p, told);
  const struct search_type *asked = r->setup->search;
  if (!bad && (r->setup->swarm || (asked && asked != l.search && (asked->directed || asked->storeless || asked->measured))) && !r->v->note)
    r->v->note = l.search == &search_dfs ? "temporal properties are about runs: they were searched depth-first" : "temporal properties are about runs: they were searched breadth-first";
  if (!bad) {
    take_product(r, p, temporal_method_name(t->method), &l);
    p->product.automaton_states = t->bad->states;
    if (!r->explored) run_take_liveness_figures(r, &l);
    else if (l.stop != STOP_DONE && l.stop != STOP_GOAL) cut_short(r, l.stop);
    if (l.blind) r->v->omission = -1;
    if (l.broken) bad = confirm_lasso(r, i, &l, less, e);
  }
  liveness_close(&l, r->mem);
  return bad;
}

/* The loop that makes a channel grow becomes a trace; it was replayed when it was confirmed. */
static int show_growth(struct run *r, struct verdict_property *p, const struct liveness *l, struct err *e) {
  p->deciding = 1;
  p->evidence = mem_alloc(r->mem, MEM_OTHER, sizeof *p->evidence);
  if (!p->evidence) return 0;
  p->evidence_count = 1;
  p->evidence->steps = l->lasso.path.count;
  p->evidence->length_unknown = !l->has_lasso;
  if (!l->has_lasso) return 0;
  p->evidence->trace = run_new_trace(r, NULL, 0, &l->lasso.path, e);
  if (!p->evidence->trace) return run_leave_out(e);
  struct trace *t = p->evidence->trace;
  memcpy(t->property, p->id, sizeof t->property);
  strcpy(t->verdict, "violated");
  snprintf(t->message, sizeof t->message, "%s", p->message);
  t->loop = (int64_t)l->lasso.loop;
  return 0;
}

enum { BOUNDS_TEXT = 16384 };

/* Before all others: where channels grow for ever no other search would end, and one that met a channel of all the messages that it can hold would take it for full. 1: the rest can be asked; 0: it
   cannot; -1 with err. */
int run_check_channels(struct run *r, struct err *e) {
  int rest = 1;
  for (size_t i = 0; i < r->setup->prop_count; i++) {
    if (r->setup->props[i].kind != PROP_CHANNELS) continue;
    struct verdict_property *p = &r->v->property[i];
    struct search_limits limits = run_limits_left(r);
    struct liveness l;
    if (!r->v->bounds && !(r->v->bounds = mem_alloc(r->mem, MEM_OTHER, BOUNDS_TEXT))) return err_memory(e, "the verdict");
    int bad = growth_check(&l, r->setup, &limits, r->v->bounds, BOUNDS_TEXT, e);
    if (!bad) {
      take_product(r, p, "growth", &l);
      run_take_liveness_figures(r, &l);
      rest = l.stop == STOP_DONE && !l.lossy;
      if (l.stop == STOP_DONE) p->text = r->v->bounds;
      if (l.broken) snprintf(p->message, sizeof p->message, "%.150s", r->v->bounds);
      if (l.broken) bad = show_growth(r, p, &l, e);
    }
    liveness_close(&l, r->mem);
    if (bad) return -1;
  }
  return rest;
}

/* One search for each, until the first violation unless all are wanted. */
int run_check_all_runs(struct run *r, struct err *e) {
  int broken = 0;
  for (size_t i = 0; i < r->v->property_count; i++)
    broken |= prop_of_graph(&r->setup->props[i]) ? r->v->property[i].by_graph == STATUS_VIOLATED
                                                 : r->v->property[i].deciding && !prop_wants_witness(&r->setup->props[i]);
  for (size_t i = 0; i < r->v->property_count; i++) {
    if (!prop_of_runs(&r->setup->props[i]) || r->v->property[i].product.method || (broken && !r->setup->collect)) continue;
    if (!r->setup->spread && r->limits.interrupt && *r->limits.interrupt) { /* several processes stop together: their search finds out at once */
      cut_short(r, STOP_INTERRUPT);
      return 0;
    }
    if (check_runs(r, i, e)) return -1;
    run_publish(r, i);
    broken |= r->v->property[i].deciding != 0;
    const struct verdict_property *p = &r->v->property[i];
    if (r->setup->checkpoint && !p->deciding && p->product.method && p->product.stop == STOP_DONE && !p->product.lossy) checkpoint_hold(r->setup->checkpoint, i);
  }
  return 0;
}
