/* run.c -- see run.h for the stages.
 *
 * Memory.  The search has the budget to itself; the traces are made after its store is
 * closed, so that a long trace has the whole budget too.  What cannot be had for lack of
 * memory is left out and told (a violation without a trace is still a violation), never a
 * reason to end without a verdict. */
#include "run/run.h"


#include "base/clock.h"
#include "net/pt_model.h"
#include "process/process.h"
#include "run/advice.h"
#include "run/affect.h"
#include "run/bounds.h"
#include "run/branches.h"
#include "run/checkpoint.h"
#include "run/growth.h"
#include "run/liveness.h"
#include "run/measure.h"
#include "run/reduced.h"
#include "run/retrace.h"
#include "run/strategies.h"
#include "run/swarm.h"
#include "search/judge.h"
#include "search/replay.h"
#include "search/replay_lasso.h"

#include <stdio.h>
#include <string.h>

struct run {
  const struct run_setup *setup;
  struct verdict *v;
  struct model *model;
  struct mem *mem;
  struct judge judge;
  struct branches branches; /* only in runs that need the graph */
  struct affected affected; /* which properties a step can decide */
  struct search_limits limits;
  int by_prefix; /* the state limit is ours, because the net is unbounded */
  int lossy, shortest;
  int first_only; /* `shortest` is known of the first violation alone */
  int no_graph; /* memory did not allow what branching properties need */
  int bounded; /* finitely many states, for sure */
  struct reduced reduced; /* what is searched for properties of states */
  int explored; /* figures of a search are in the verdict */
  double started;
  struct err fault; /* of the model, met by the search */
};

/* ---- what a verdict starts with ---------------------------------------------------- */

static int describe(struct run *r, struct err *e) {
  struct verdict *v = r->v;
  const struct run_setup *s = r->setup;
  v->mem = r->mem;
  v->file = r->model->file;
  v->language = r->model->language;
  v->engine = "interpreter";
  v->load_s = s->load_s;
  v->budget = r->mem->budget;
  v->store_requested = s->store ? s->store->name : "auto";
  v->search_requested = s->search ? s->search->name : "auto";
  v->store = (s->store ? s->store : store_types[0])->name;
  v->search = s->swarm ? "swarm" : (s->search ? s->search : search_types[0])->name;
  v->seed = s->seed;
  v->property = mem_alloc(r->mem, MEM_OTHER, s->prop_count * sizeof *v->property);
  if (!v->property) return err_memory(e, "the verdict");
  v->property_count = s->prop_count;
  for (size_t i = 0; i < s->prop_count; i++) {
    struct verdict_property *p = &v->property[i];
    memcpy(p->id, s->props[i].id, sizeof p->id);
    p->kind = prop_kind_name(s->props[i].kind);
    p->text = s->props[i].text ? s->props[i].text : s->props[i].expr ? expr_text(s->props[i].expr) : s->props[i].temporal ? s->props[i].temporal->text : s->props[i].branching ? s->props[i].branching->text : NULL;
    p->place = s->props[i].place;
  }
  return 0;
}

static struct trace *new_trace(struct run *r, const uint32_t *groups, size_t count, const struct search_path *path,
                               struct err *e) {
  struct trace *t = mem_alloc(r->mem, MEM_OTHER, sizeof *t);
  if (!t) {
    err_memory(e, "a trace");
    return NULL;
  }
  if (path ? trace_make(t, r->model, path, r->mem, e) : trace_make_groups(t, r->model, groups, count, r->mem, e)) {
    mem_free(r->mem, t);
    return NULL;
  }
  return t;
}

/* A trace that memory or the length of a step does not allow is left out; one that does not replay ends the run. */
static int leave_out(struct err *e) {
  if (e->kind != ERR_MEMORY && e->kind != ERR_LIMIT) return -1;
  err_clear(e);
  return 0;
}

/* ---- unbounded nets ---------------------------------------------------------------- */

static int name_unbounded(struct run *r, const uint32_t *places, size_t count, int all) {
  struct verdict *v = r->v;
  v->unbounded = mem_alloc(r->mem, MEM_OTHER, count * sizeof *v->unbounded);
  if (!v->unbounded) return -1;
  for (size_t i = 0; i < count; i++) v->unbounded[i] = r->model->type->var_name(r->model, places[i]);
  v->unbounded_count = count;
  v->unbounded_all = all;
  return 0;
}

/* What coverability found: the unbounded places and the run that pumps. */
static int explain_cover(struct run *r, const struct coverability *c, struct err *e) {
  uint32_t places = r->model->vars;
  uint32_t *list = mem_alloc(r->mem, MEM_OTHER, (size_t)places * sizeof *list + (c->prefix_count + c->pump_count) * sizeof *list);
  if (!list) return 0;
  size_t n = 0;
  for (uint32_t p = 0; p < places; p++)
    if (c->bound[p] == PT_NONE) list[n++] = p;
  if (!n)
    for (size_t i = 0; i < c->pumped_count; i++) list[n++] = c->pumped[i];
  name_unbounded(r, list, n, c->complete);
  uint32_t *groups = list;
  for (size_t i = 0; i < c->prefix_count; i++) groups[i] = c->prefix[i];
  for (size_t i = 0; i < c->pump_count; i++) groups[c->prefix_count + i] = c->pump[i];
  r->v->pump = new_trace(r, groups, c->prefix_count + c->pump_count, NULL, e);
  r->v->pump_from = c->prefix_count;
  mem_free(r->mem, list);
  return r->v->pump ? 0 : leave_out(e);
}

/* The search itself met a state that covers one of its ancestors. */
static int explain_ancestor(struct run *r, struct search *s, struct err *e) {
  struct search_path small = {0}, big = {0};
  int bad = 0;
  if (r->v->pump || search_path(s, s->cover.small, &small)) return 0;
  if (search_path(s, s->cover.big, &big) == 0) {
    r->v->pump_from = small.count;
    reduced_undress(&r->reduced);
    r->v->pump = reduced_lead_back_path(&r->reduced, &big, e) ? NULL : new_trace(r, NULL, 0, &big, e);
    reduced_dress(&r->reduced);
    bad = r->v->pump ? 0 : leave_out(e);
    search_path_free(s, &big);
  }
  search_path_free(s, &small);
  return bad;
}

/* The places that one round of the pumping run adds to: found by summing its changes. */
static void name_pumped(struct run *r) {
  const struct trace *t = r->v->pump;
  if (!t || r->v->unbounded_count) return;
  int64_t *gain = mem_alloc(r->mem, MEM_OTHER, t->vars * sizeof *gain);
  uint32_t *places = mem_alloc(r->mem, MEM_OTHER, t->vars * sizeof *places);
  if (gain && places) {
    for (size_t i = t->change_start[r->v->pump_from]; i < t->change_count; i++)
      gain[t->change[i].var] += t->change[i].to - t->change[i].from;
    size_t n = 0;
    for (uint32_t v = 0; v < t->vars; v++)
      if (gain[v] > 0) places[n++] = v;
    name_unbounded(r, places, n, 0);
  }
  mem_free(r->mem, gain);
  mem_free(r->mem, places);
}

static int analyse(struct run *r, struct err *e) {
  struct bounds b;
  double begin = clock_now();
  r->limits.beyond_cover = r->limits.states || r->limits.depth;
  int bad = bounds_find(&b, r->model, r->mem, r->limits.seconds / 2, r->limits.interrupt, e);
  if (!bad && b.ran && b.cover.unbounded) {
    if (!r->limits.states && !r->limits.depth) {
      r->limits.states = r->setup->prefix ? r->setup->prefix : RUN_PREFIX;
      r->limits.beyond_cover = r->by_prefix = 1;
    }
    bad = explain_cover(r, &b.cover, e);
  }
  r->bounded = !bad && (b.known || (b.ran && b.cover.complete && !b.cover.unbounded));
  bounds_close(&b);
  r->v->analysis_s = clock_now() - begin;
  if (r->limits.seconds > 0) {
    r->limits.seconds -= r->v->analysis_s;
    if (r->limits.seconds < 1e-3) r->limits.seconds = 1e-3;
  }
  return bad;
}

/* ---- the search -------------------------------------------------------------------- */

static void take_figures(struct run *r, struct search *s) {
  struct verdict *v = r->v;
  v->stats = s->stats;
  v->engine = process_engine_name(r->model);
  v->compile_s = process_compile_seconds(r->model);
  v->search_s = s->seconds;
  v->stop = s->stop;
  memcpy(v->tag_used, r->mem->tag_used, sizeof v->tag_used);
  r->shortest = s->shortest;
  r->first_only = !s->type->shortest;
  v->walks = s->walks;
  v->sweep = s->sweep;
  v->disk = s->disk;
  v->spread = s->spread;
  if (s->type->storeless) v->store = "none";
  if (!s->store) return; /* or it was to begin anew, and there was no memory for that */
  v->store_bytes = s->spread.ranks ? s->spread.store_bytes : s->store->type->bytes(s->store);
  v->store = s->store->type->name;
  v->threads = s->threads;
  v->jobs = r->setup->jobs;
  memcpy(v->rung, s->rung, sizeof v->rung);
  v->rungs = s->rungs;
  r->lossy = !(s->store->type->caps & STORE_EXACT);
  if (s->store->type->omission) v->omission = s->store->type->omission(s->store);
  if (pt_model_net(r->model) && !r->reduced.reduction && !s->spread.ranks) {
    v->has_peaks = 1;
    pt_cursor_peaks(s->cursor, &v->max_in_place, &v->max_in_marking);
  }
}

/* When nothing is asked of single states, the search for runs is the run. */
static void take_liveness_figures(struct run *r, const struct liveness *l) {
  struct verdict *v = r->v;
  r->explored = 1;
  v->stats = l->stats;
  v->stop = l->stop;
  v->search_s = l->seconds;
  v->engine = process_engine_name(r->model);
  v->compile_s = process_compile_seconds(r->model);
  v->search = l->search->name;
  memcpy(v->rung, l->rung, sizeof v->rung);
  v->rungs = l->rungs;
  if (v->rungs) v->store = v->rung[v->rungs - 1];
  v->store_bytes = l->store_bytes;
  v->omission = l->omission;
  v->sweep = l->sweep;
  v->disk = l->disk;
  v->spread = l->spread;
  r->lossy = l->lossy;
}

/* Is anything asked that single states or steps decide? Listeners want all of them. */
static int wants_states(const struct run_setup *s) {
  size_t runs = 0;
  for (size_t i = 0; i < s->prop_count; i++) runs += prop_apart(&s->props[i]);
  return !runs || runs < s->prop_count;
}

int run_measure(struct progress **out, const struct expr *expr, struct model *model, struct mem *mem, struct err *e) {
  if (expr) return progress_by_expr(out, expr, mem, e);
  int found = measure_derive(out, model, mem, e);
  if (found <= 0) return found;
  err_usage(e, "the sweep-line needs a measure of progress: none follows from this model");
  err_hint(e, "--progress-measure EXPR: a number that steps seldom lower, such as messages sent + messages received");
  return -1;
}

const struct store_type *run_store(const struct run_setup *s, const struct search_type *type) {
  return s->store && (!type->measured || search_can_sweep(s->store)) ? s->store : store_types[0];
}

/* What a directed search goes by. */
static int open_distance(struct run *r, const struct search_type *type, struct distance **out, struct err *e) {
  const struct run_setup *s = r->setup;
  *out = NULL;
  if (!type->directed) return 0;
  if (s->heuristic) return distance_open_expr(out, s->heuristic, r->model, r->mem, e);
  return distance_open(out, type == &search_astar ? DISTANCE_BOUND : DISTANCE_GUESS, r->model, s->props, s->prop_count, r->mem, e);
}

/* Members of a swarm one after the other. */
static void explore_swarm(struct run *r, struct listener *const *listeners, size_t count) {
  struct verdict *v = r->v;
  r->judge.lasting = 1;
  mem_trim();
  swarm_run(&v->swarm, r->setup, &r->limits, listeners, count);
  r->explored = r->lossy = 1;
  v->stats = v->swarm.stats;
  v->stop = v->swarm.stop;
  v->search_s = v->swarm.seconds;
  v->omission = v->swarm.omission;
  v->engine = process_engine_name(r->model);
  v->compile_s = process_compile_seconds(r->model);
  v->store = v->rung[0] = store_bitstate.name;
  v->rungs = 1;
  v->store_bytes = v->swarm.store_bytes;
  if (v->stop == STOP_FAULT) r->fault = v->swarm.fault;
}

/* After the search: paths that it could not give, runs of the model as it is, what the end means. */
static int explored(struct run *r, const struct search_type *type, int bad, struct err *e) {
  if (!bad && type->shortest && !r->setup->spread) {
    struct search_limits left = r->limits;
    double took = r->v->search_s - (r->setup->checkpoint ? r->setup->checkpoint->journal.from.seconds : 0); /* before this run */
    if (left.seconds > 0) left.seconds = left.seconds > took ? left.seconds - took : 1e-3;
    retrace(&r->judge, r->reduced.model, left, r->v->disk.used ? r->setup->store_options : NULL, r->mem);
  }
  if (r->reduced.reduction) {
    r->shortest = 0;
    reduced_undress(&r->reduced);
    if (!bad) bad = reduced_lead_back_found(&r->reduced, &r->judge, e);
  }
  /* Our own limit, or counts beyond all numbers: what ends a run on an unbounded net is that it is unbounded. */
  int unbounded = r->v->unbounded_count || r->v->pump;
  if ((r->by_prefix && r->v->stop == STOP_STATES) || (unbounded && r->v->stop == STOP_FAULT)) r->v->stop = STOP_UNBOUNDED;
  return bad;
}

static int explore(struct run *r, struct err *e) {
  const struct run_setup *setup = r->setup;
  int graph = r->branches.run != NULL;
  const struct search_type *type = graph ? branches_search(setup) : setup->spread ? setup->spread->search : setup->search ? setup->search : search_types[0];
  size_t count = setup->listener_count + 2;
  struct listener **listeners = mem_alloc(r->mem, MEM_SEARCH, count * sizeof *listeners);
  if (!listeners) return err_memory(e, "the search");
  size_t n = 0;
  for (size_t i = 0; i < setup->listener_count; i++) listeners[n++] = setup->listeners[i];
  if (graph) listeners[n++] = &r->branches.graph.listener;
  if (setup->prop_count) listeners[n++] = &r->judge.listener; /* last: others have heard an event before it may end the run */
  if (setup->swarm && !graph) {
    explore_swarm(r, listeners, n);
    mem_free(r->mem, listeners);
    return 0;
  }
  struct distance *distance;
  struct search_setup s = {
      .model = r->reduced.model,
      .store = graph ? branches_store(setup) : run_store(setup, type),
      .ladder = !setup->store && (!graph || type->measured),
      .store_options = setup->store_options,
      .jobs = setup->jobs,
      .mem = r->mem,
      .limits = r->limits,
      .listeners = listeners,
      .listener_count = n,
      .ways = {.ranks = setup->spread ? setup->spread->ranks : NULL, .progress = setup->progress, .seed = setup->seed, .walks = setup->walks || r->limits.seconds > 0 || r->limits.states ? setup->walks : RUN_WALKS},
  };
  struct search *search = NULL;
  struct checkpoint *checkpoint = graph ? NULL : setup->checkpoint;
  if (checkpoint) s.journal = checkpoint_journal(checkpoint, &r->judge);
  mem_trim(); /* loading and analysis are over; what they freed must not stay resident beside the store */
  int bad = open_distance(r, type, &distance, e);
  s.ways.distance = distance;
  reduced_dress(&r->reduced);
  if (!bad) bad = search_open(&search, type, &s, e);
  if (!bad) {
    if (checkpoint) checkpoint->search = search;
    search_run(search);
    take_figures(r, search);
    if (setup->spread) bad = setup->spread->share(search, &r->judge, e);
    if (checkpoint) checkpoint_search_over(checkpoint, search);
    r->explored = 1;
    if (search->stop == STOP_UNBOUNDED) bad = explain_ancestor(r, search, e);
    if (search->stop == STOP_FAULT) r->fault = search->err;
    if (r->branches.graph.failed) r->v->stop = STOP_MEMORY;
    if (graph) r->v->search = type->name;
  }
  search_close(search);
  distance_close(distance);
  mem_free(r->mem, listeners);
  return explored(r, type, bad, e);
}

/* The run goes on from the end of a search. */
static int explore_no_more(struct run *r, struct err *e) {
  struct verdict *v = r->v;
  const struct search_type *type = r->setup->search ? r->setup->search : search_types[0];
  r->explored = 1;
  r->shortest = type->shortest;
  r->first_only = !type->shortest;
  v->engine = process_engine_name(r->model);
  v->has_peaks = pt_model_net(r->model) && !r->reduced.reduction;
  reduced_dress(&r->reduced);
  return explored(r, type, 0, e);
}

static void listeners_begin_again(const struct run_setup *setup) {
  struct search_event again = {.kind = EVENT_AGAIN};
  for (size_t i = 0; i < setup->listener_count; i++)
    if (setup->listeners[i]->wants & EVENT_AGAIN) setup->listeners[i]->hear(setup->listeners[i], NULL, &again);
}

/* The graph has no room: what single states decide may be decided without it. */
static int explore_without_graph(struct run *r, struct err *e) {
  size_t graphs = 0;
  for (size_t i = 0; i < r->setup->prop_count; i++) graphs += prop_of_graph(&r->setup->props[i]) || prop_apart(&r->setup->props[i]);
  branches_close(&r->branches);
  r->no_graph = 1;
  if (graphs == r->setup->prop_count) return 0;
  judge_close(&r->judge);
  if (judge_open(&r->judge, r->model, r->setup->props, r->setup->prop_count, r->setup->collect, r->mem, e)) return -1;
  r->judge.decide_all = r->setup->decide_all;
  listeners_begin_again(r->setup);
  if (r->limits.seconds > 0) r->limits.seconds = r->limits.seconds > r->v->search_s ? r->limits.seconds - r->v->search_s : 1e-3;
  return explore(r, e);
}

enum { NOTE_BOTH, NOTE_STORE, NOTE_SEARCH };
static const char *graph_note(const struct run_setup *s, int which) {
  static const char *const notes[2][3] = {
      {"CTL needs the whole graph: states were kept in the store plain and searched breadth-first", "CTL needs the whole graph: states were kept in the store plain", "CTL needs the whole graph: states were searched breadth-first"},
      {"a strategy needs the whole graph: states were kept in the store plain and searched breadth-first", "a strategy needs the whole graph: states were kept in the store plain",
       "a strategy needs the whole graph: states were searched breadth-first"}};
  int formulas = 0;
  for (size_t i = 0; i < s->prop_count; i++) formulas |= prop_of_graph(&s->props[i]) && s->props[i].kind != PROP_STRATEGY;
  return notes[!formulas][which];
}

static int explore_graph(struct run *r, struct err *e) {
  const struct run_setup *s = r->setup;
  if (branches_open(&r->branches, s, e)) return -1;
  int sweep = branches_search(s)->measured, elsewhere = s->search && s->search != &search_bfs;
  if (s->swarm || (!sweep && s->store && branches_store(s) != s->store))
    r->v->note = graph_note(s, elsewhere || s->swarm ? NOTE_BOTH : NOTE_STORE);
  else if (!sweep && elsewhere) r->v->note = graph_note(s, NOTE_SEARCH);
  if (s->swarm) r->v->search = search_bfs.name;
  if (explore(r, e)) return -1;
  if (sweep && r->v->sweep.sweeps > 1 && !r->v->note)
    r->v->note = "the graph is an unfolding: states that were forgotten and met again stand in it several times, which no formula and no game notices";
  return r->v->stop == STOP_MEMORY ? explore_without_graph(r, e) : 0;
}

/* ---- confirming -------------------------------------------------------------------- */

/* "assertion failed: x == 1 (pet.pml:9)" */
static void fault_message(const struct run *r, const struct model_fault *f, char *out, size_t room) {
  const struct model_type *type = r->model->type;
  char text[sizeof ((struct verdict_property *)0)->message];
  struct place_in_text at = type->fault_place(r->model, f);
  const char *file = at.file ? at.file : r->model->file, *slash = file ? strrchr(file, '/') : NULL;
  type->fault_text(r->model, f, text, sizeof text);
  if (at.line) snprintf(out, room, "%s (%.80s:%ld)", text, slash ? slash + 1 : file ? file : "", at.line);
  else snprintf(out, room, "%s", text);
}

static int shortest(const struct run *r, const struct judge_found *f) { return r->shortest && (!r->first_only || f == r->judge.found.at); }

static int confirm_one(struct run *r, const struct judge_found *f, struct verdict_evidence *out, struct err *e) {
  const struct prop *prop = &r->setup->props[f->prop];
  struct verdict_property *p = &r->v->property[f->prop];
  const struct model_type *type = r->model->type;
  if (f->has_fault && !p->message[0]) {
    type->fault_text(r->model, &f->fault, p->message, sizeof p->message);
    p->place = type->fault_place(r->model, &f->fault);
  }
  out->steps = f->has_path ? f->path.count : f->depth;
  if (!f->has_path) return 0;
  if (replay_path(r->model, &f->path, prop, f->has_fault ? &f->fault : NULL, r->mem, e)) {
    out->too_long = e->kind == ERR_LIMIT;
    return leave_out(e);
  }
  out->trace = new_trace(r, NULL, 0, &f->path, e);
  if (!out->trace) return leave_out(e);
  memcpy(out->trace->property, p->id, sizeof out->trace->property);
  strcpy(out->trace->verdict, prop_wants_witness(prop) ? "reached" : "violated");
  out->trace->shortest = shortest(r, f);
  if (f->has_fault) fault_message(r, &f->fault, out->trace->message, sizeof out->trace->message);
  if (prop->kind == PROP_INVARIANT && f->path.count && type->group_place && !p->place.line)
    p->place = type->group_place(r->model, f->path.group[f->path.count - 1]);
  return 0;
}

static int confirm(struct run *r, struct err *e) {
  for (size_t i = 0; i < r->v->property_count; i++) {
    struct verdict_property *p = &r->v->property[i];
    if (prop_apart(&r->setup->props[i]) || prop_of_graph(&r->setup->props[i])) continue;
    p->deciding = r->judge.deciding[i];
    size_t n = 0;
    for (size_t k = 0; k < r->judge.found.count; k++) {
      if (r->judge.found.at[k].prop != i) continue;
      if (!n++) p->shortest = shortest(r, &r->judge.found.at[k]);
    }
    p->evidence = mem_alloc(r->mem, MEM_OTHER, n * sizeof *p->evidence);
    if (!p->evidence) continue;
    for (size_t k = 0; k < r->judge.found.count; k++) {
      if (r->judge.found.at[k].prop != i) continue;
      if (confirm_one(r, &r->judge.found.at[k], &p->evidence[p->evidence_count++], e)) return -1;
    }
  }
  return 0;
}

/* ---- properties of whole runs ------------------------------------------------------- */

/* A run of the tree that shows what the graph says, confirmed. NULL: it could not be (e tells more, unless it was memory). */
static struct trace *trace_of_story(struct run *r, size_t i, struct ctl_story *story, int holds, struct err *e) {
  if (branches_confirm(&r->branches, i, story, e)) return NULL;
  struct trace *t = new_trace(r, NULL, 0, &story->path, e);
  if (!t) return NULL;
  memcpy(t->property, r->v->property[i].id, sizeof t->property);
  strcpy(t->verdict, holds ? "reached" : "violated");
  memcpy(t->message, story->message, sizeof t->message);
  t->shortest = story->shortest;
  if (story->loop < story->path.count) t->loop = (int64_t)story->loop;
  return t;
}

static int add_branches(struct run *r, size_t i, struct ctl_tree *tree, int holds, struct trace *trunk, struct err *e) {
  trunk->branch = mem_alloc(r->mem, MEM_OTHER, tree->count * sizeof *trunk->branch);
  for (size_t k = 1; k < tree->count && trunk->branch; k++) {
    struct trace *run = trace_of_story(r, i, &tree->story[k], holds, e);
    if (!run) return leave_out(e);
    trunk->branch[trunk->branch_count++] = (struct trace_branch){tree->story[k].of, tree->story[k].at, run};
  }
  return 0;
}

/* What the graph says of property i, and the runs that show it. */
static int check_graph(struct run *r, size_t i, struct err *e) {
  struct verdict_property *p = &r->v->property[i];
  struct ctl_tree tree;
  int holds = branches_decide(&r->branches, i, &tree, e);
  r->no_graph |= holds < 0;
  if (holds < 0) return leave_out(e);
  p->by_graph = holds ? STATUS_HOLDS : STATUS_VIOLATED;
  p->deciding = 1;
  p->evidence = tree.count ? mem_alloc(r->mem, MEM_OTHER, sizeof *p->evidence) : NULL;
  int bad = 0;
  /* a property that holds without a step has nothing to show */
  if (p->evidence && (tree.story[0].path.count || tree.count > 1 || !holds)) {
    p->evidence_count = 1;
    p->evidence->steps = tree.story[0].path.count;
    snprintf(p->message, sizeof p->message, "%.150s", tree.story[0].message);
    struct trace *t = p->evidence->trace = trace_of_story(r, i, &tree.story[0], holds, e);
    if (!t) bad = leave_out(e);
    else p->shortest = t->shortest;
    if (t && tree.count > 1) bad = add_branches(r, i, &tree, holds, t, e);
  }
  ctl_tree_free(&tree, r->mem);
  return bad;
}

/* Who wins the game of property i, the winner's strategy, and a play that shows it: of the environment where it spoils the wish, else of the longest way that it can make. */
static int check_game(struct run *r, size_t i, struct err *e) {
  struct verdict_property *p = &r->v->property[i];
  struct ctl_story play = {0};
  struct model_patience patience = {.interrupt = r->limits.interrupt, .until = r->limits.seconds > 0 ? r->started + r->limits.seconds : 0};
  int holds = strategies_decide(&r->branches, i, &p->strategy, &play, &patience, e);
  if (holds < 0 && e->kind == ERR_LIMIT) r->v->stop = patience.interrupt && *patience.interrupt ? STOP_INTERRUPT : STOP_TIME;
  else r->no_graph |= holds < 0;
  if (holds < 0) return leave_out(e);
  p->by_graph = holds ? STATUS_HOLDS : STATUS_VIOLATED;
  p->deciding = 1;
  int bad = 0;
  p->evidence = play.state && (play.path.count || !holds) ? mem_alloc(r->mem, MEM_OTHER, sizeof *p->evidence) : NULL;
  if (p->evidence) {
    p->evidence_count = 1;
    p->evidence->steps = play.path.count;
    snprintf(p->message, sizeof p->message, "%.150s", play.message);
    struct trace *t = p->evidence->trace = trace_of_story(r, i, &play, holds, e);
    if (!t) bad = leave_out(e);
    else p->shortest = t->shortest;
  }
  struct ctl_tree tree = {.story = {play}, .count = 1};
  ctl_tree_free(&tree, r->mem);
  return bad;
}

static int check_all_graph(struct run *r, struct err *e) {
  if (!r->branches.run || r->v->stop != STOP_DONE || r->lossy) return 0;
  for (size_t i = 0; i < r->v->property_count; i++) {
    const struct prop *p = &r->setup->props[i];
    if (prop_of_graph(p) && (p->kind == PROP_STRATEGY ? check_game(r, i, e) : check_graph(r, i, e))) return -1;
  }
  return 0;
}

/* Linear properties that hold by the graph need no search of their own. One that does not gets it all the same: it finds the run that breaks it. */
static int check_linear_on_graph(struct run *r, struct err *e) {
  if (!r->branches.run || r->v->stop != STOP_DONE || r->lossy) return 0;
  struct model_patience patience = {.interrupt = r->limits.interrupt, .until = r->limits.seconds > 0 ? r->started + r->limits.seconds : 0};
  for (size_t i = 0; i < r->v->property_count; i++) {
    struct verdict_property *p = &r->v->property[i];
    struct graph_linear figures;
    if (!branches_linear(r->setup, i)) continue;
    int holds = branches_decide_linear(&r->branches, i, &figures, &patience, e);
    if (holds < 0 && leave_out(e)) return -1;
    if (holds != 1) continue;
    p->product.method = temporal_method_name(r->setup->props[i].temporal->method);
    p->product.search = "graph";
    p->product.automaton_states = r->setup->props[i].temporal->bad->states;
    p->product.states = figures.states;
    p->product.transitions = figures.edges;
    p->product.stop = STOP_DONE;
  }
  return 0;
}

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
  if (!l->has_lasso) return 0;
  if (replay_lasso(r->model, &l->lasso, t, l->finite, r->mem, e)) {
    out->too_long = e->kind == ERR_LIMIT;
    return leave_out(e);
  }
  out->trace = new_trace(r, NULL, 0, &l->lasso.path, e);
  if (!out->trace) return leave_out(e);
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

static struct search_limits limits_left(const struct run *r) {
  struct search_limits limits = r->limits;
  if (limits.seconds <= 0) return limits;
  limits.seconds -= clock_now() - r->started;
  if (limits.seconds < 1e-3) limits.seconds = 1e-3;
  return limits;
}

/* Who hears the searches for properties of runs: those who count steps have heard them already where there was a search for those of states. NULL: memory. */
static struct listener **listeners_of_runs(const struct run_setup *setup, size_t *count, struct err *e) {
  struct listener **to = mem_alloc(setup->mem, MEM_SEARCH, (setup->listener_count + 1) * sizeof *to);
  int ticks_only = wants_states(setup);
  *count = 0;
  if (!to) err_memory(e, "the search");
  for (size_t i = 0; to && i < setup->listener_count; i++)
    if (!ticks_only || !(setup->listeners[i]->wants & ~(unsigned)(EVENT_TICK | EVENT_PRODUCTS))) to[(*count)++] = setup->listeners[i];
  return to;
}

/* One temporal property, perhaps on a part of the model; what is found is a run of the model as it is. `*less`: it was a part. */
static int check_reduced(struct run *r, unsigned reduce, const struct temporal *t, struct liveness *l, int *less, struct err *e) {
  struct search_limits limits = limits_left(r);
  struct run_setup with = *r->setup;
  struct reduced part;
  memset(l, 0, sizeof *l);
  with.reduce = reduce;
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
  listeners_begin_again(r->setup);
  if (!r->v->note) r->v->note = "a run that was found repeats itself only in what the property sees, and cannot be shown: all steps and values were taken instead of a part of them";
  *less = 0;
  return check_reduced(r, 0, t, l, less, e);
}

static int check_runs(struct run *r, size_t i, struct err *e) {
  struct verdict_property *p = &r->v->property[i];
  const struct temporal *t = r->setup->props[i].temporal;
  struct verdict_reduction told[REDUCE_KINDS];
  struct liveness l;
  int less = 0;
  memcpy(told, r->v->reduction, sizeof told);
  int bad = check_reduced(r, r->setup->reduce, t, &l, &less, e);
  if (bad && less && e->kind == ERR_LIMIT) {
    memcpy(r->v->reduction, told, sizeof told);
    bad = check_whole(r, t, &l, &less, e);
  }
  const struct search_type *asked = r->setup->search;
  if (!bad && (r->setup->swarm || (asked && asked != l.search && (asked->directed || asked->storeless || asked->measured))) && !r->v->note)
    r->v->note = l.search == &search_dfs ? "temporal properties are about runs: they were searched depth-first" : "temporal properties are about runs: they were searched breadth-first";
  if (!bad) {
    take_product(r, p, temporal_method_name(t->method), &l);
    p->product.automaton_states = t->bad->states;
    if (!r->explored) take_liveness_figures(r, &l);
    else if (l.stop != STOP_DONE && l.stop != STOP_GOAL && r->v->stop == STOP_DONE) r->v->stop = l.stop; /* the run as a whole is not complete */
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
  if (!l->has_lasso) return 0;
  p->evidence->trace = new_trace(r, NULL, 0, &l->lasso.path, e);
  if (!p->evidence->trace) return leave_out(e);
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
static int check_channels(struct run *r, struct err *e) {
  int rest = 1;
  for (size_t i = 0; i < r->setup->prop_count; i++) {
    if (r->setup->props[i].kind != PROP_CHANNELS) continue;
    struct verdict_property *p = &r->v->property[i];
    struct search_limits limits = limits_left(r);
    struct liveness l;
    if (!r->v->bounds && !(r->v->bounds = mem_alloc(r->mem, MEM_OTHER, BOUNDS_TEXT))) return err_memory(e, "the verdict");
    int bad = growth_check(&l, r->setup, &limits, r->v->bounds, BOUNDS_TEXT, e);
    if (!bad) {
      take_product(r, p, "growth", &l);
      take_liveness_figures(r, &l);
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
static int check_all_runs(struct run *r, struct err *e) {
  int broken = 0;
  for (size_t i = 0; i < r->v->property_count; i++)
    broken |= prop_of_graph(&r->setup->props[i]) ? r->v->property[i].by_graph == STATUS_VIOLATED
                                                 : r->v->property[i].deciding && !prop_wants_witness(&r->setup->props[i]);
  for (size_t i = 0; i < r->v->property_count; i++) {
    if (!prop_of_runs(&r->setup->props[i]) || r->v->property[i].product.method || (broken && !r->setup->collect)) continue;
    if (!r->setup->spread && r->limits.interrupt && *r->limits.interrupt) { /* several processes stop together: their search finds out at once */
      if (r->v->stop == STOP_DONE) r->v->stop = STOP_INTERRUPT;
      return 0;
    }
    if (check_runs(r, i, e)) return -1;
    broken |= r->v->property[i].deciding != 0;
    const struct verdict_property *p = &r->v->property[i];
    if (r->setup->checkpoint && !p->deciding && p->product.method && p->product.stop == STOP_DONE && !p->product.lossy) checkpoint_hold(r->setup->checkpoint, i);
  }
  return 0;
}

/* ---- concluding -------------------------------------------------------------------- */

static enum prop_status status(const struct run *r, const struct prop *prop, const struct verdict_property *p) {
  int reachable = prop_wants_witness(prop);
  if (prop->kind == PROP_CLAIM) return STATUS_UNKNOWN;
  if (prop_of_graph(prop)) return p->by_graph;
  if (p->deciding) return reachable ? STATUS_HOLDS : STATUS_VIOLATED;
  if (prop_apart(prop)) return p->product.method && p->product.stop == STOP_DONE && !p->product.lossy ? STATUS_HOLDS : STATUS_UNKNOWN;
  if (r->v->stop == STOP_DONE && !r->lossy) return reachable ? STATUS_VIOLATED : STATUS_HOLDS;
  return STATUS_UNKNOWN;
}

/* -1 with err when the model's fault is all there is to tell; beside a violation it becomes the advice. */
static int conclude(struct run *r, struct err *e) {
  struct verdict *v = r->v;
  size_t violated = 0, unknown = 0, claims = 0;
  v->lossy = r->lossy;
  v->complete = v->stop == STOP_DONE && !r->lossy;
  for (size_t i = 0; i < v->property_count; i++) {
    v->property[i].status = status(r, &r->setup->props[i], &v->property[i]);
    violated += v->property[i].status == STATUS_VIOLATED;
    unknown += v->property[i].status == STATUS_UNKNOWN;
    claims += r->setup->props[i].kind == PROP_CLAIM;
  }
  if (r->no_graph && v->stop == STOP_DONE) {
    v->stop = STOP_MEMORY;
    v->complete = 0;
  }
  if (violated) v->kind = VERDICT_VIOLATED;
  else if (v->stop == STOP_FAULT) v->kind = VERDICT_ERROR;
  else if (claims) v->kind = VERDICT_INCOMPLETE; /* nothing holds as long as something was not even asked */
  else if (!unknown && (v->complete || v->property_count)) v->kind = VERDICT_HOLDS;
  else v->kind = r->lossy && (v->stop == STOP_DONE || (r->setup->swarm && (v->stop == STOP_SPENT || v->stop == STOP_TIME))) ? VERDICT_LOSSY : VERDICT_INCOMPLETE;
  if (v->kind == VERDICT_ERROR) {
    *e = r->fault;
    return -1;
  }
  if (v->stop == STOP_FAULT) v->advice = mem_strndup(r->mem, MEM_OTHER, r->fault.message, strlen(r->fault.message));
  else if (claims && v->kind == VERDICT_INCOMPLETE && (v->stop == STOP_DONE || v->stop == STOP_GOAL)) {
    static const char advice[] = "temporal claims are not checked in this version: --no-claims leaves them out";
    v->advice = mem_strndup(r->mem, MEM_OTHER, advice, strlen(advice));
  }
  return 0;
}

/* The run ended before or beside the search. */
static int failed(struct run *r, struct err *e) {
  if (e->kind == ERR_MEMORY) {
    r->v->kind = VERDICT_INCOMPLETE;
    r->v->stop = STOP_MEMORY;
    return 0;
  }
  r->v->kind = VERDICT_ERROR;
  r->v->stop = e->kind == ERR_INPUT || e->kind == ERR_IO ? STOP_FAULT : STOP_GOAL;
  return -1;
}

/* Only what a step of a net can change is judged again after it. */
static void find_affected(struct run *r) {
  size_t count = r->setup->prop_count;
  struct expr **expr = mem_alloc(r->mem, MEM_OTHER, (count + 1) * sizeof *expr);
  for (size_t i = 0; expr && i < count; i++) expr[i] = r->setup->props[i].expr;
  if (expr) affect_open(&r->affected, r->reduced.model, expr, count, r->mem);
  mem_free(r->mem, expr);
  r->judge.affected = &r->affected;
}

/* Without compiled code the interpreter does it. Waiting for the compiler is part of the time that the run has. */
static void choose_engine(struct run *r) {
  double before = clock_now();
  process_choose_engine(r->model, r->setup->engine, r->limits.seconds, r->limits.interrupt);
  if (r->limits.seconds <= 0) return;
  r->limits.seconds -= clock_now() - before;
  if (r->limits.seconds < 0.001) r->limits.seconds = 0.001;
}

static int run_once(struct verdict *out, const struct run_setup *setup, struct err *e) {
  struct run r = {
      .setup = setup, .v = out, .model = setup->model, .mem = setup->mem, .limits = setup->limits, .started = clock_now()};
  struct run_setup with = *setup;
  struct progress *own = NULL;
  memset(out, 0, sizeof *out);
  err_clear(e);
  int bad = describe(&r, e);
  if (!bad && setup->search && setup->search->measured && !setup->progress) {
    bad = run_measure(&own, NULL, setup->model, setup->mem, e);
    with.progress = own;
    r.setup = setup = &with;
  }
  if (!bad && setup->search && setup->search->measured && setup->limits.depth) bad = err_usage(e, "a sweep does not know how deep it is: it takes no limit of depth");
  if (setup->search && setup->search->measured && run_store(setup, setup->search) != setup->store && setup->store)
    out->note = "a sweep forgets states, which the store that was asked for cannot do: they were kept in the store plain";
  r.reduced = (struct reduced){.model = r.model, .mem = r.mem};
  if (!bad) bad = analyse(&r, e);
  struct checkpoint *checkpoint = setup->checkpoint;
  struct run_setup as_before = *setup; /* the reductions that were used are used again */
  if (checkpoint && checkpoint->resumed) as_before.reduce = checkpoint->reduced, as_before.reduce_if_worth = 0;
  if (!bad && wants_states(setup) && !branches_wanted(setup)) bad = reduced_open_states(&r.reduced, &as_before, r.bounded, out, e);
  if (!bad && checkpoint) bad = checkpoint_begin(checkpoint, setup, out, e);
  if (!bad) bad = judge_open(&r.judge, r.reduced.model, setup->props, setup->prop_count, setup->collect, r.mem, e);
  r.judge.decide_all = setup->decide_all;
  if (!bad && setup->prop_count) find_affected(&r);
  if (!bad) choose_engine(&r);
  int rest = bad ? 0 : check_channels(&r, e);
  if (rest < 0) bad = -1;
  if (rest > 0 && r.explored) listeners_begin_again(setup); /* the channels' search was not the one that counts */
  if (!bad && checkpoint) bad = checkpoint_take(checkpoint, &r.judge, e);
  int searched = !bad && checkpoint && checkpoint->searched;
  if (!bad && rest && wants_states(setup)) bad = searched ? explore_no_more(&r, e) : branches_wanted(setup) ? explore_graph(&r, e) : explore(&r, e);
  if (checkpoint && checkpoint->peak_in_place > out->max_in_place) out->max_in_place = (uint32_t)checkpoint->peak_in_place;
  if (checkpoint && checkpoint->peak_in_marking > out->max_in_marking) out->max_in_marking = checkpoint->peak_in_marking;
  if (!bad) name_pumped(&r);
  if (!bad) bad = confirm(&r, e);
  if (!bad) bad = check_all_graph(&r, e);
  if (!bad) bad = check_linear_on_graph(&r, e);
  branches_close(&r.branches);
  if (!bad && rest) bad = check_all_runs(&r, e);
  if (bad) bad = failed(&r, e);
  else bad = conclude(&r, e);
  judge_close(&r.judge);
  reduced_close(&r.reduced);
  affect_close(&r.affected, r.mem);
  progress_close(own);
  out->words = r.model->words;
  out->bits = r.model->bits;
  out->peak = r.mem->peak > out->spread.peak ? r.mem->peak : out->spread.peak;
  out->resident_peak = mem_resident_peak();
  out->total_s = setup->load_s + (clock_now() - r.started);
  if (!bad) advice_give(out, setup);
  return bad;
}

/* ---- once more, with less ------------------------------------------------------------------------------------------------------------------- */

/* Is there a reduction for what is asked of states? Where only runs are asked about, each of them will tell. */
static int reducible(const struct run_setup *setup, struct err *e) {
  struct reduced part;
  struct verdict told = {0};
  if (!wants_states(setup)) return 1;
  if (branches_wanted(setup)) return 0;
  int bad = reduced_open_states(&part, setup, 1, &told, e), found = part.reduction != NULL;
  reduced_close(&part);
  return !bad && found;
}

/* Did the run end because there was no room for the states, in memory or on disk? A disk that fails otherwise would fail again. */
static int no_room(const struct verdict *v) { return v->kind == VERDICT_INCOMPLETE && (v->stop == STOP_MEMORY || (v->stop == STOP_DISK && v->disk.full)); }

static int run_twice(struct verdict *out, const struct run_setup *setup, struct err *e) {
  struct run_setup with = *setup;
  if (run_once(out, setup, e)) return -1;
  if (!setup->reduce_late || setup->reduce || !no_room(out)) return 0;
  if (out->stop == STOP_DISK && setup->checkpoint && setup->checkpoint->journal.folder.path) return 0; /* what fills the disk is what the checkpoint goes on from */
  with.reduce = setup->reduce_late;
  if (with.limits.seconds > 0) with.limits.seconds -= out->total_s - out->load_s;
  if ((setup->limits.seconds > 0 && with.limits.seconds < 1e-3) || !reducible(&with, e)) {
    err_clear(e);
    return 0;
  }
  listeners_begin_again(setup);
  double before = out->total_s - out->load_s;
  uint64_t states = out->stats.states;
  if (setup->checkpoint) checkpoint_begin_again(setup->checkpoint, states);
  verdict_close(out);
  int bad = run_once(out, &with, e);
  out->total_s += before;
  out->whole_states = states;
  return bad;
}

int run_check(struct verdict *out, const struct run_setup *setup, struct err *e) {
  struct checkpoint *c = setup->checkpoint;
  struct run_setup with = *setup;
  if (c && c->resumed && c->whole_states) { /* it was in its second run */
    with.reduce = setup->reduce_late;
    with.reduce_late = 0;
  }
  int bad = run_twice(out, &with, e);
  if (!c) return bad;
  out->total_s += c->total;
  checkpoint_tell(c, out);
  return bad;
}
