/* find.c -- the way to a violation: the checker is run on the model from its initial state, and the run that it shows is gone along.
 *
 * What is asked: everything that the model states and deadlocks ("stated"), one of these by its id, or an expression or formula of the user.
 * The search has the limits of the request, and ends early when somebody interrupts; `progress` tells others how far it is.  Verdicts are those of
 * `thimble check`: a search that was cut short says so, and a run is shown only after replay has confirmed it. */
#include "explore/requests.h"

#include "run/run.h"
#include "search/verdict.h"

#include <string.h>

struct finding {
  struct prop *prop;
  size_t count, room;
};

/* ---- what is asked --------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  enum prop_kind kind;
  int text;
} kinds[] = {{"deadlock", PROP_DEADLOCK, 0}, {"invariant", PROP_INVARIANT, 1}, {"reachable", PROP_REACHABLE, 1}, {"ltl", PROP_LTL, 1}, {"ctl", PROP_CTL, 1}};

static int ask_stated(struct finding *f, struct explorer *x, const char *id, struct err *e) {
  if (prop_open(&f->prop[0], PROP_DEADLOCK, 1, NULL, x->model, x->mem, e)) return -1;
  f->count = 1;
  if (prop_open_stated(f->prop + 1, &f->count, x->model, x->setup.no_claims, x->mem, e)) return -1;
  if (!id) return 0;
  size_t kept = 0;
  for (size_t i = 0; i < f->count; i++) {
    if (!kept && strcmp(f->prop[i].id, id) == 0) f->prop[kept++] = f->prop[i];
    else prop_close(&f->prop[i]);
  }
  f->count = kept;
  return kept ? 0 : err_usage(e, "find: the model has no such property");
}

static int ask(struct finding *f, struct explorer *x, const struct request_args *a, struct err *e) {
  const char *kind = request_text(a, "kind"), *text = request_text(a, "text");
  if (x->model->chance) return err_usage(e, "this model draws random values by --seed: what a search of it finds says nothing of other draws");
  f->prop = mem_alloc(x->mem, MEM_OTHER, (1 + prop_stated_most(x->model)) * sizeof *f->prop);
  if (!f->prop) return err_memory(e, "the properties");
  if (!kind || strcmp(kind, "stated") == 0) return ask_stated(f, x, request_text(a, "property"), e);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kind, kinds[i].name) != 0) continue;
    if (kinds[i].text && (!text || !*text)) return err_usage(e, "find: '%s' needs a text", kind);
    if (prop_open(&f->prop[0], kinds[i].kind, 1, text, x->model, x->mem, e)) {
      prop_close(&f->prop[0]);
      return -1;
    }
    f->count = 1;
    return 0;
  }
  return err_usage(e, "find: 'kind' is one of stated, deadlock, invariant, reachable, ltl, ctl");
}

/* ---- the search ------------------------------------------------------------------------------------------------------------ */

static enum listener_answer watch(struct listener *l, struct search *s, const struct search_event *event) {
  struct explorer *x = ((struct explorer_watcher *)l)->x;
  (void)event;
  x->progress = s->stats.states;
  if (x->setup.interrupt && *x->setup.interrupt) x->halt = 1;
  return LISTEN_ON;
}

void explorer_watch(struct explorer_watcher *w, struct explorer *x) {
  *w = (struct explorer_watcher){{.wants = EVENT_TICK, .hear = watch}, x};
  x->progress = 0;
  x->halt = 0;
}

/* The run that is shown: the first violation, or a witness of what should be reached. */
static const struct verdict_property *shown(const struct verdict *v) {
  for (int violated = 1; violated >= 0; violated--)
    for (size_t i = 0; i < v->property_count; i++) {
      const struct verdict_property *p = &v->property[i];
      if ((p->status == STATUS_VIOLATED) == violated && p->evidence_count && p->evidence[0].trace) return p;
    }
  return NULL;
}

static void properties(const struct verdict *v, struct json_out *j) {
  json_out_array(j, "properties");
  for (size_t i = 0; i < v->property_count; i++) {
    const struct verdict_property *p = &v->property[i];
    json_out_object_flat(j, NULL);
    json_out_text(j, "id", p->id);
    json_out_text(j, "kind", p->kind);
    json_out_text(j, "text", p->text);
    json_out_text(j, "status", prop_status_name(p->status));
    json_out_text(j, "message", p->message[0] ? p->message : NULL);
    if (p->place.line) json_out_text(j, "file", p->place.file), json_out_integer(j, "line", p->place.line);
    json_out_end(j);
  }
  json_out_end(j);
}

static int tell(struct explorer *x, const struct verdict *v, struct json_out *j, struct err *e) {
  const struct verdict_property *p = shown(v);
  json_out_object(j, NULL);
  json_out_text(j, "verdict", verdict_name(v->kind));
  json_out_bool(j, "complete", v->complete);
  json_out_text(j, "stop", verdict_stop_name(v));
  json_out_count(j, "states", v->stats.states);
  json_out_real(j, "seconds", v->search_s, 3);
  json_out_text(j, "advice", v->advice);
  properties(v, j);
  if (p) {
    const struct trace *t = p->evidence[0].trace;
    json_out_object(j, "run");
    json_out_text(j, "property", p->id);
    json_out_bool(j, "witness", p->status == STATUS_HOLDS);
    json_out_text(j, "message", t->message[0] ? t->message : p->message[0] ? p->message : NULL);
    json_out_bool(j, "shortest", p->shortest);
    if (t->loop >= 0) json_out_integer(j, "loop", t->loop);
    else json_out_null(j, "loop");
    if (t->count > EXPLORE_RUN) return err_limit(e, "the run has %zu steps: more than %d are not shown", t->count, EXPLORE_RUN);
    if (explorer_path_json(x, &(struct explorer_path){t->edge, t->count}, j, e)) return -1;
    json_out_end(j);
  } else json_out_null(j, "run");
  json_out_end(j);
  return 0;
}

int answer_find(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  struct finding f = {0};
  struct verdict verdict = {0};
  struct explorer_watcher w;
  struct listener *listeners[] = {&w.listener};
  uint64_t seconds, states;
  explorer_watch(&w, x);
  int bad = request_count_or(a, "seconds", 1, 3600, (uint64_t)(x->setup.seconds + 0.5), &seconds, e) || request_count_or(a, "states", 1, UINT64_MAX / 2, 0, &states, e) || ask(&f, x, a, e);
  if (!bad) {
    struct run_setup setup = {.mem = x->mem, .model = x->model, .props = f.prop, .prop_count = f.count, .listeners = listeners, .listener_count = 1, .scout = RUN_SCOUT};
    setup.limits = (struct search_limits){.seconds = (double)seconds, .states = states, .interrupt = &x->halt};
    explorer_rest(x);
    bad = run_check(&verdict, &setup, e);
    if (explorer_wake(x, e)) bad = -1;
  }
  if (!bad) bad = tell(x, &verdict, j, e);
  verdict_close(&verdict);
  for (size_t i = 0; i < f.count; i++) prop_close(&f.prop[i]);
  mem_free(x->mem, f.prop);
  return bad;
}
