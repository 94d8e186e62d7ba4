/* run.c -- see run.h for the stages; run_inside.h for who does which of them.
 *
 * Memory.  The search has the budget to itself; the traces are made after its store is
 * closed, so that a long trace has the whole budget too.  What cannot be had for lack of
 * memory is left out and told (a violation without a trace is still a violation), never a
 * reason to end without a verdict. */
#include "run/run_inside.h"

#include "base/clock.h"
#include "run/advice.h"
#include "run/affect.h"
#include "run/checkpoint.h"

int run_describe(struct verdict *v, const struct run_setup *s, struct err *e) {
  memset(v, 0, sizeof *v);
  v->mem = s->mem;
  v->file = s->model->file;
  v->language = s->model->language;
  v->language_guessed = s->model->language_guessed;
  v->engine = "interpreter";
  v->load_s = s->load_s;
  v->budget = s->mem->budget;
  v->cache = s->store_options ? s->store_options->cache : 0;
  v->store_requested = s->store ? s->store->name : "auto";
  v->search_requested = s->search ? s->search->name : "auto";
  v->store = (s->store ? s->store : store_types[0])->name;
  v->search = s->swarm ? "swarm" : (s->search ? s->search : search_types[0])->name;
  v->seed = s->seed;
  v->property = mem_alloc(s->mem, MEM_OTHER, s->prop_count * sizeof *v->property);
  if (!v->property) return err_memory(e, "the verdict");
  v->property_count = s->prop_count;
  for (size_t i = 0; i < s->prop_count; i++) {
    struct verdict_property *p = &v->property[i];
    const struct prop *from = &s->props[i];
    memcpy(p->id, from->id, sizeof p->id);
    p->kind = prop_kind_name(from->kind);
    p->text = from->text ? from->text : from->expr ? expr_text(from->expr) : from->temporal ? from->temporal->text : from->branching ? from->branching->text : NULL;
    p->place = from->place;
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
  if (r->whole) return reachable ? STATUS_VIOLATED : STATUS_HOLDS;
  return STATUS_UNKNOWN;
}

void run_publish(struct run *r, size_t i) {
  struct run_watch *w = r->setup->watch;
  struct verdict_property *p = &r->v->property[i];
  if (!w || p->status != STATUS_UNKNOWN) return;
  p->status = status(r, &r->setup->props[i], p);
  if (p->status != STATUS_UNKNOWN) w->decided(w, i, p);
}

static void publish_all(struct run *r) {
  for (size_t i = 0; i < r->v->property_count; i++) run_publish(r, i);
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

/* What was found does not come again: where the engine alone knows the steps it is the model that contradicts itself, not Thimble. */
static void blame_model(const struct model *m, struct err *e) {
  struct place_in_text at;
  const char *hint;
  char seen[sizeof e->message];
  if (e->kind != ERR_INTERNAL || !m->type->opaque || !m->type->opaque(m, &at, &hint)) return;
  memcpy(seen, e->message, sizeof seen);
  err_clear(e);
  err_input(e, at, "the C of this model depends on more than the state: what was found did not come again when the same steps were taken a second time (%.300s)", seen);
  err_hint(e, "%s", hint);
}

/* The run ended before or beside the search. */
static int failed(struct run *r, struct err *e) {
  blame_model(r->model, e);
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

struct search_limits run_limits_left(const struct run *r) {
  struct search_limits left = r->limits;
  double now = clock_now();
  if (r->until > 0) left.seconds = r->until > now + 1e-3 ? r->until - now : 1e-3;
  return left;
}

static int run_once(struct verdict *out, const struct run_setup *setup, struct err *e) {
  struct run r = {
      .setup = setup, .v = out, .model = setup->model, .mem = setup->mem, .limits = setup->limits, .started = clock_now()};
  r.until = r.limits.seconds > 0 ? r.started + r.limits.seconds : 0;
  struct run_setup with = *setup;
  struct progress *own = NULL;
  err_clear(e);
  int bad = run_describe(out, setup, e);
  if (!bad && setup->search && setup->search->measured && !setup->progress) {
    bad = run_measure(&own, NULL, setup->model, setup->mem, e);
    with.progress = own;
    r.setup = setup = &with;
  }
  if (!bad && setup->search && setup->search->measured && setup->limits.depth) bad = err_usage(e, "a sweep does not know how deep it is: it takes no limit of depth");
  if (setup->search && setup->search->measured && run_store(setup, setup->search) != setup->store && setup->store)
    out->note = "a sweep forgets states, which the store that was asked for cannot do: they were kept in the store plain";
  r.reduced = (struct reduced){.model = r.model, .mem = r.mem};
  if (!bad) bad = run_analyse(&r, e);
  struct checkpoint *checkpoint = setup->checkpoint;
  struct run_setup as_before = *setup; /* the reductions that were used are used again */
  if (checkpoint && checkpoint->resumed) as_before.reduce = checkpoint->reduced, as_before.reduce_if_worth = 0;
  if (!bad && run_wants_states(setup) && !branches_wanted(setup)) bad = reduced_open_states(&r.reduced, &as_before, r.bounded, out, e);
  if (!bad && checkpoint) bad = checkpoint_begin(checkpoint, setup, out, e);
  if (!bad) bad = judge_open(&r.judge, r.reduced.model, setup->props, setup->prop_count, setup->collect, r.mem, e);
  r.judge.decide_all = setup->decide_all;
  if (!bad && setup->prop_count) find_affected(&r);
  /* without compiled code the interpreter does it */
  if (!bad) process_choose_engine(r.model, setup->engine, run_limits_left(&r).seconds, r.limits.interrupt);
  int rest = bad ? 0 : run_check_channels(&r, e);
  if (rest < 0) bad = -1;
  if (rest > 0 && r.explored) run_listeners_begin_again(setup); /* the channels' search was not the one that counts */
  if (!bad && checkpoint) bad = checkpoint_take(checkpoint, &r.judge, e);
  bad = run_together(setup, bad, e);
  int searched = !bad && checkpoint && checkpoint->searched;
  if (!bad && rest && run_wants_states(setup)) bad = searched ? run_explore_no_more(&r, e) : branches_wanted(setup) ? run_explore_graph(&r, e) : run_explore(&r, e);
  r.whole = !bad && rest && run_wants_states(setup) && out->stop == STOP_DONE && !r.lossy;
  if (checkpoint && checkpoint->peak_in_place > out->max_in_place) out->max_in_place = (uint32_t)checkpoint->peak_in_place;
  if (checkpoint && checkpoint->peak_in_marking > out->max_in_marking) out->max_in_marking = checkpoint->peak_in_marking;
  if (!bad) run_name_pumped(&r);
  if (!bad) bad = run_confirm(&r, e);
  if (!bad) publish_all(&r);
  if (!bad) bad = run_check_all_graph(&r, e);
  if (!bad) bad = run_check_linear_on_graph(&r, e);
  if (!bad) publish_all(&r);
  branches_close(&r.branches);
  if (!bad && rest) bad = run_check_all_runs(&r, e);
  if (bad) bad = failed(&r, e);
  else bad = conclude(&r, e);
  judge_close(&r.judge);
  reduced_close(&r.reduced);
  affect_close(&r.affected, r.mem);
  progress_close(own);
  out->words = r.model->words;
  out->bits = r.model->bits;
  out->peak = r.mem->peak > out->spread.peak ? r.mem->peak : out->spread.peak;
  verdict_weigh(out);
  out->total_s = setup->load_s + (clock_now() - r.started);
  if (!bad) advice_give(out, setup);
  return bad;
}

/* ---- once more, with less ------------------------------------------------------------------------------------------------------------------- */

/* Is there a reduction for what is asked of states? Where only runs are asked about, each of them will tell. */
static int reducible(const struct run_setup *setup, struct err *e) {
  struct reduced part;
  struct verdict told = {0};
  if (!run_wants_states(setup)) return 1;
  if (branches_wanted(setup)) return 0;
  int bad = reduced_open_states(&part, setup, 1, &told, e), found = part.reduction != NULL;
  reduced_close(&part);
  return !bad && found;
}

/* Did the run end because there was no room for the states, in memory or on disk? A disk that fails otherwise would fail again. */
static int no_room(const struct verdict *v) { return v->kind == VERDICT_INCOMPLETE && (v->stop == STOP_MEMORY || v->stop == STOP_CACHE || (v->stop == STOP_DISK && v->disk.full)); }

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
  run_listeners_begin_again(setup);
  double before = out->total_s - out->load_s;
  uint64_t states = out->stats.states;
  if (setup->checkpoint) checkpoint_begin_again(setup->checkpoint, states);
  if (setup->watch) setup->watch->again(setup->watch);
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
