/* run_explore.c -- the search for properties of states, and its figures; with the graph beside it where branching properties want that, and without where memory does not allow it. */
#include "run/run_inside.h"

#include "net/pt_model.h"
#include "run/checkpoint.h"
#include "run/measure.h"
#include "run/retrace.h"
#include "run/swarm.h"

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
void run_take_liveness_figures(struct run *r, const struct liveness *l) {
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
int run_wants_states(const struct run_setup *s) {
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

/* What a directed search goes by: a distance of the states that are searched, which are those of the smaller model where there is one. */
static int open_distance(struct run *r, const struct search_type *type, struct distance **out, struct err *e) {
  const struct run_setup *s = r->setup;
  *out = NULL;
  if (!type->directed) return 0;
  const struct model *m = r->reduced.model;
  if (s->heuristic) return distance_open_expr(out, s->heuristic, m, r->mem, e);
  return distance_open(out, type == &search_astar ? DISTANCE_BOUND : DISTANCE_GUESS, m, s->props, s->prop_count, r->mem, e);
}

/* Members of a swarm one after the other. */
static void explore_swarm(struct run *r, struct listener *const *listeners, size_t count) {
  struct verdict *v = r->v;
  r->judge.lasting = 1;
  mem_trim();
  struct search_limits limits = run_limits_left(r);
  swarm_run(&v->swarm, r->setup, &limits, listeners, count);
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
  if (!bad && type->shortest && !r->setup->spread) retrace(&r->judge, r->reduced.model, run_limits_left(r), r->v->disk.used ? r->setup->store_options : NULL, r->mem);
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

int run_explore(struct run *r, struct err *e) {
  const struct run_setup *setup = r->setup;
  int graph = r->branches.run != NULL;
  const struct search_type *type = graph ? branches_search(setup) : setup->spread ? setup->spread->search : setup->search ? setup->search : search_types[0];
  size_t count = setup->listener_count + 2;
  struct listener **listeners = mem_alloc(r->mem, MEM_SEARCH, count * sizeof *listeners);
  if (!listeners) return run_together(setup, err_memory(e, "the search"), e);
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
      .listeners = listeners,
      .listener_count = n,
      .ways = {.ranks = setup->spread ? setup->spread->ranks : NULL, .progress = setup->progress, .seed = setup->seed, .walks = setup->walks || r->limits.seconds > 0 || r->limits.states ? setup->walks : RUN_WALKS},
  };
  struct search *search = NULL;
  struct checkpoint *checkpoint = graph ? NULL : setup->checkpoint;
  struct scout scout = {0};
  if (!graph) run_scout(r, &scout);
  s.limits = run_limits_left(r);
  run_scout_limit(r, &scout, &s.limits);
  if (checkpoint) s.journal = checkpoint_journal(checkpoint, &r->judge);
  mem_trim(); /* loading and analysis are over; what they freed must not stay resident beside the store */
  int bad = open_distance(r, type, &distance, e);
  s.ways.distance = distance;
  reduced_dress(&r->reduced);
  if (!bad) bad = search_open(&search, type, &s, e);
  bad = run_together(setup, bad, e);
  if (!bad) {
    if (checkpoint) checkpoint->search = search;
    search_run(search);
    take_figures(r, search);
    if (setup->spread) bad = setup->spread->share(search, &r->judge, e);
    if (checkpoint) checkpoint_search_over(checkpoint, search);
    r->explored = 1;
    if (search->stop == STOP_UNBOUNDED) bad = run_explain_ancestor(r, search, e);
    if (search->stop == STOP_FAULT) r->fault = search->err;
    if (r->branches.graph.failed || (r->v->stop == STOP_DONE && model_at_a_loss(r->model))) r->v->stop = STOP_MEMORY;
    if (graph) r->v->search = type->name;
    if (!bad) run_scout_tell(r, &scout);
  }
  run_scout_close(&scout);
  search_close(search);
  distance_close(distance);
  mem_free(r->mem, listeners);
  return explored(r, type, bad, e);
}

/* The run goes on from the end of a search. */
int run_explore_no_more(struct run *r, struct err *e) {
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

void run_listeners_begin_again(const struct run_setup *setup) {
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
  run_listeners_begin_again(r->setup);
  return run_explore(r, e);
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

int run_explore_graph(struct run *r, struct err *e) {
  const struct run_setup *s = r->setup;
  if (branches_open(&r->branches, s, e)) return -1;
  int sweep = branches_search(s)->measured, elsewhere = s->search && s->search != &search_bfs;
  if (s->swarm || (!sweep && s->store && branches_store(s) != s->store))
    r->v->note = graph_note(s, elsewhere || s->swarm ? NOTE_BOTH : NOTE_STORE);
  else if (!sweep && elsewhere) r->v->note = graph_note(s, NOTE_SEARCH);
  if (s->swarm) r->v->search = search_bfs.name;
  if (run_explore(r, e)) return -1;
  if (sweep && r->v->sweep.sweeps > 1 && !r->v->note)
    r->v->note = "the graph is an unfolding: states that were forgotten and met again stand in it several times, which no formula and no game notices";
  return r->v->stop == STOP_MEMORY ? explore_without_graph(r, e) : 0;
}
