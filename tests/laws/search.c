/* search.c -- the laws of search.h: every search on every store, against the slow oracle.
 *
 * Random nets (with places that outgrow their first layout on the way) and the examples.
 * The listener counts what it is told; paths are taken again by the definition. */
#include "tap.h"

#include "front/front.h"
#include "net/pt_model.h"
#include "nets.h"
#include "oracle.h"
#include "own_models.h"
#include "search/search.h"
#include "store/disk_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static char text[700];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

struct counts {
  struct listener listener;
  size_t news, edges, seen, expanded, layers, backtracks, wrong;
  uint8_t *is_new, *is_expanded;
  uint64_t *depth;
  size_t most;
  int paths;      /* check the path of each n-th new state */
  store_ref goal; /* say GOAL there */
  store_ref skip; /* say SKIP there */
  store_ref *ref; /* what the search calls each of them, in order of discovery */
};

/* The number of a state; `most` = it was never told as NEW. */
static size_t number_of(const struct counts *c, store_ref ref) {
  if (ref < c->news && c->ref[ref] == ref) return (size_t)ref;
  for (size_t i = 0; i < c->news; i++)
    if (c->ref[i] == ref) return i;
  return c->most;
}

/* Programs have no step by group alone: the edges of the path must lead to the state. */
static int edges_are_right(struct model *m, const struct search_path *path, const uint32_t *words) {
  struct mem mem;
  struct model_cursor *cursor = NULL;
  struct model_batch batch;
  mem_open(&mem, 0);
  uint32_t *now = calloc(model_stride(m->words) + 2, 4);
  m->type->initial(m, now);
  int right = m->type->cursor_open(&cursor, m, &mem) == 0 && model_batch_open(&batch, &mem, m->words, 64) == 0;
  for (size_t i = 0; i < path->count && right; i++) {
    batch.count = batch.fault_count = 0;
    right = m->type->successors(cursor, now, &batch) == MODEL_OK && path->edge[i] < batch.count;
    if (right) memcpy(now, batch.states + path->edge[i] * batch.stride, m->words * 4);
  }
  right = right && memcmp(now, words, m->words * 4) == 0;
  model_batch_close(&batch);
  m->type->cursor_close(cursor);
  free(now);
  return right;
}

static int taken(const struct model *m, const int64_t *now, uint32_t k, uint32_t group, int64_t *next) {
  uint32_t made = group;
  return oracle_step(m, now, m->type->define_edge ? k : group, &made, next) == 1 && made == group;
}

/* The path must lead, by the definition, to the values of the state. */
static int path_is_right(struct search *s, store_ref ref, const uint32_t *words, size_t *length) {
  struct search_path path;
  const struct model *m = s->model;
  if (search_path(s, ref, &path)) return 0;
  if (!oracle_can(m)) {
    int right = edges_are_right(s->model, &path, words);
    *length = path.count;
    search_path_free(s, &path);
    return right;
  }
  int64_t *now = calloc(m->vars + 1, sizeof *now), *next = calloc(m->vars + 1, sizeof *next);
  m->type->define_initial(m, now);
  int right = 1;
  for (size_t i = 0; i < path.count && right; i++) {
    right = taken(m, now, path.edge[i], path.group[i], next);
    int64_t *swap = now;
    now = next;
    next = swap;
  }
  for (uint32_t v = 0; v < m->vars && right; v++) right = now[v] == m->type->value(m, words, v);
  *length = path.count;
  free(now);
  free(next);
  search_path_free(s, &path);
  return right;
}

static enum listener_answer count(struct listener *l, struct search *s, const struct search_event *e) {
  struct counts *c = (struct counts *)l;
  /* a store's refs mean nothing any more when its states have moved to another one */
  int renamed = s->store && s->stats.layouts && !(s->store->type->caps & STORE_ORDER) && s->type == &search_dfs;
  size_t number = e->kind == EVENT_NEW ? c->news : e->state == STORE_NONE ? c->most : number_of(c, e->state);
  switch (e->kind) {
  case EVENT_NEW:
    if (number >= c->most || (!renamed && number_of(c, e->state) != c->most)) {
      c->wrong++;
      break;
    }
    c->is_new[number] = 1;
    c->depth[number] = e->depth;
    c->ref[c->news++] = e->state;
    if (c->paths && number % (size_t)c->paths == 0) {
      size_t length = 0;
      uint32_t *copy = calloc(model_stride(s->model->words) + 2, 4); /* asking for a path may reuse the event's memory */
      memcpy(copy, e->words, s->model->words * 4);
      if (!path_is_right(s, e->state, copy, &length) || length != e->depth) c->wrong++;
      free(copy);
    }
    if (number == c->goal) return LISTEN_GOAL;
    if (number == c->skip) return LISTEN_SKIP;
    break;
  case EVENT_EDGE: c->edges++; break;
  case EVENT_SEEN:
    if (number == c->most && !renamed &&
        (e->state != STORE_NONE || s->store->type->caps & STORE_ORDER || (s->type == &search_dfs && s->store->type->caps & STORE_EXACT)))
      c->wrong++;
    c->seen++;
    break;
  case EVENT_EXPANDED:
    if (!renamed && (number == c->most || c->is_expanded[number]++)) c->wrong++;
    c->expanded++;
    break;
  case EVENT_LAYER: c->layers++; break;
  case EVENT_BACKTRACK: c->backtracks++; break;
  case EVENT_TICK:
  case EVENT_MOVED:
  case EVENT_FAULT: break;
  case EVENT_MARKS:
  case EVENT_NUMBERS:
  case EVENT_PRODUCTS:
  case EVENT_WORDS:
  case EVENT_AGAIN:
    c->news = c->edges = c->seen = c->expanded = c->layers = c->backtracks = 0;
    memset(c->is_new, 0, c->most);
    memset(c->is_expanded, 0, c->most);
    break;
  }
  return LISTEN_ON;
}

static void open_counts(struct counts *c, size_t most) {
  memset(c, 0, sizeof *c);
  c->listener = (struct listener){.wants = EVENT_NEW | EVENT_EDGE | EVENT_SEEN | EVENT_EXPANDED | EVENT_LAYER | EVENT_BACKTRACK | EVENT_AGAIN, .hear = count};
  c->most = most;
  c->is_new = calloc(most, 1);
  c->is_expanded = calloc(most, 1);
  c->depth = calloc(most, sizeof *c->depth);
  c->ref = calloc(most, sizeof *c->ref);
  c->goal = c->skip = STORE_NONE;
}

static void close_counts(struct counts *c) {
  free(c->is_new);
  free(c->is_expanded);
  free(c->depth);
  free(c->ref);
}

static const struct store_options *store_options; /* NULL = none */

/* Puts off every n-th new state, the first one as well; 0 = none. */
struct delay {
  struct listener listener;
  size_t every, news;
};

static enum listener_answer put_off(struct listener *l, struct search *s, const struct search_event *e) {
  struct delay *d = (struct delay *)l;
  (void)s;
  if (e->kind == EVENT_AGAIN) d->news = 0;
  return e->kind == EVENT_NEW && d->every && d->news++ % d->every == 0 ? LISTEN_LATER : LISTEN_ON;
}

static struct delay delay = {{.wants = EVENT_NEW | EVENT_AGAIN, .hear = put_off}, 0, 0};

/* Directed searches go by a distance that means nothing: in any order they must be complete. */
static size_t distance_words;
static void any_distance(struct distance *d, const uint32_t *state, uint32_t *out) {
  (void)d;
  for (size_t k = 0; k < 2; k++) {
    uint64_t h = 1469598103934665603u + k;
    for (size_t i = 0; i < distance_words; i++) h = (h ^ state[i]) * 1099511628211u;
    out[k] = (uint32_t)(h >> 40) % 7;
  }
}
static struct distance *direction_of(const struct search_type *type, const struct model *m) {
  static struct distance nonsense = {.lists = 2, .value = any_distance};
  distance_words = m->words; /* it becomes wider: then the distance is another one, no matter */
  return type->directed ? &nonsense : NULL;
}

static struct search *explore(const struct search_type *type, const struct store_type *store, struct model *m, struct mem *mem,
                              struct counts *c, struct search_limits limits) {
  struct listener *listeners[2];
  size_t n = 0;
  if (delay.every) listeners[n++] = &delay.listener;
  if (c) listeners[n++] = &c->listener;
  struct search_setup setup = {
      .model = m, .store = store, .mem = mem, .store_options = store_options, .limits = limits, .listeners = listeners, .listener_count = n, .ways = {.distance = direction_of(type, m)}};
  delay.news = 0;
  struct search *s = NULL;
  struct err e;
  err_clear(&e);
  if (search_open(&s, type, &setup, &e)) return NULL;
  search_run(s);
  return s;
}

/* Some stores serve one search only; sweeps, which may tell a state again, have laws of their own (laws/sweep.c). */
static int goes_with(const struct search_type *type, const struct store_type *store) {
  return !type->storeless && !type->measured && (!(store->caps & STORE_FORGETS) || type == &search_dfs);
}

/* What is wrong with a complete run over the model, or NULL. */
static const char *complete_run(const struct search_type *type, const struct store_type *store, struct model *m, struct mem *mem,
                                const struct oracle *o) {
  struct counts c;
  const char *what = NULL;
  open_counts(&c, o->states + 10);
  c.paths = delay.every ? 0 : 7; /* they begin elsewhere then */
  struct search *s = explore(type, store, m, mem, &c, (struct search_limits){.beyond_cover = 1});
  if (!s) what = "opens";
  else if (s->stop != STOP_DONE) what = "ends complete";
  else if (s->stats.states != o->states || c.news != o->states) what = "number of states";
  else if (s->stats.transitions != o->edges || c.edges != o->edges) what = "number of edges";
  else if (s->stats.deadlocks != o->deadlocks) what = "number of deadlocks";
  else if (s->stats.expanded != o->states || c.expanded != o->states || s->stats.frontier) what = "all are expanded once";
  else if (c.seen + c.news != c.edges + 1) what = "each edge is to a new or a seen state";
  else if (c.wrong) what = "events and paths";
  else if (type->shortest) {
    if (s->stats.depth != o->depth) what = "depth";
    size_t *layer = calloc(o->depth + 2, sizeof *layer); /* as many states at each distance as the oracle has */
    for (size_t i = 0; i < o->states; i++) layer[o->depth_of[i]]++;
    for (size_t i = 0; i < o->states; i++) c.depth[i] <= o->depth ? (void)layer[c.depth[i]]-- : (void)(what = "depth of a state");
    for (size_t d = 0; d <= o->depth && !what; d++)
      if (layer[d]) what = "states per layer";
    free(layer);
  } else if (type == &search_dfs && c.backtracks != o->states) what = "each state is left once";
  search_close(s);
  close_counts(&c);
  if (!what) { /* without listeners the numbers are the same */
    s = explore(type, store, m, mem, NULL, (struct search_limits){.beyond_cover = 1});
    if (!s || s->stats.states != o->states || s->stats.transitions != o->edges || s->stats.deadlocks != o->deadlocks)
      what = "the same without listeners";
    search_close(s);
  }
  return what;
}

/* A depth-first search of which parts are put off is still one of everything. */
static const char *delayed_runs(const struct search_type *type, const struct store_type *store, struct model *m, struct mem *mem, const struct oracle *o) {
  const char *what = NULL;
  if (type != &search_dfs) return NULL;
  static const size_t every[] = {5, 2, 1};
  for (size_t i = 0; i < sizeof every / sizeof *every && !what; i++) {
    delay.every = every[i];
    what = complete_run(type, store, m, mem, o);
  }
  delay.every = 0;
  return what;
}

/* Limits and answers end a run where they should. */
static const char *cut_runs(const struct search_type *type, const struct store_type *store, struct model *m, struct mem *mem,
                            const struct oracle *o) {
  const char *what = NULL;
  if (o->states < 20) return NULL;
  struct counts c;
  struct search *s;
  open_counts(&c, o->states + 10);
  c.goal = o->states / 2;
  s = explore(type, store, m, mem, &c, (struct search_limits){.beyond_cover = 1});
  if (s->stop != STOP_GOAL || number_of(&c, s->goal) != c.goal || c.wrong) what = "goal stops the search at its state";
  search_close(s);
  close_counts(&c);

  open_counts(&c, o->states + 10);
  c.skip = 0;
  s = explore(type, store, m, mem, &c, (struct search_limits){.beyond_cover = 1});
  if (s->stop != STOP_DONE || s->stats.states != 1 || s->stats.expanded || s->stats.frontier)
    what = "the initial state can be skipped";
  search_close(s);
  close_counts(&c);

  open_counts(&c, o->states + 10);
  c.skip = 3;
  s = explore(type, store, m, mem, &c, (struct search_limits){.beyond_cover = 1});
  if (s->stop != STOP_DONE || c.is_expanded[3] || s->stats.frontier || s->stats.expanded + 1 != s->stats.states || c.wrong)
    what = "a skipped state is not expanded";
  search_close(s);
  close_counts(&c);

  s = explore(type, store, m, mem, NULL, (struct search_limits){.states = 10, .beyond_cover = 1});
  if (s->stop != STOP_STATES || s->stats.states < 10) what = "limit of states";
  search_close(s);

  if (o->depth >= 3) {
    s = explore(type, store, m, mem, NULL, (struct search_limits){.depth = 2, .beyond_cover = 1});
    if (s->stop != STOP_DEPTH || s->stats.depth != 2) what = "limit of depth";
    size_t within = 0;
    for (size_t i = 0; i < o->states; i++) within += o->depth_of[i] <= 2;
    if (type->shortest && s->stats.states != within) what = "limit of depth: all states up to there";
    search_close(s);
  }
  volatile int stop = 1;
  s = explore(type, store, m, mem, NULL, (struct search_limits){.interrupt = &stop});
  if (s->stop != STOP_INTERRUPT) what = "interrupt";
  search_close(s);
  return what;
}

/* Runs with less and less memory: every end is honest and leaves nothing behind. */
static const char *starved_runs(const struct search_type *type, const struct store_type *store, struct model *m, struct mem *mem,
                                const struct oracle *o) {
  const char *what = NULL;
  for (size_t n = 1; n < 60 && !what; n++) {
    struct counts c;
    open_counts(&c, o->states + 10);
    mem->fail_after = n;
    struct search *s = explore(type, store, m, mem, &c, (struct search_limits){.beyond_cover = 1});
    mem->fail_after = 0;
    if (s && s->stop == STOP_DONE && s->stats.states != o->states) what = "complete is complete";
    if (s && s->stop != STOP_DONE && s->stop != STOP_MEMORY) what = "memory is the reason";
    if (s && s->stats.states > o->states) what = "no invented states";
    search_close(s);
    close_counts(&c);
  }
  return what;
}

static void judge_by(const char *name, struct model *m, struct mem *mem, struct oracle *o, int *bad) {
  if (o->complete)
    for (const struct search_type *const *t = search_types; *t; t++)
      for (const struct store_type *const *st = store_types; *st; st++) {
        if (!goes_with(*t, *st)) continue;
        const char *what = complete_run(*t, *st, m, mem, o);
        if (!what) what = delayed_runs(*t, *st, m, mem, o);
        if (!what) what = cut_runs(*t, *st, m, mem, o);
        if (!what) what = starved_runs(*t, *st, m, mem, o);
        if (!what) continue;
        (*bad)++;
        printf("# %s, %s, %s: %s (%zu states, %zu edges)\n", name, (*t)->name, (*st)->name, what, o->states, o->edges);
      }
}

static void judge(const char *name, struct model *m, struct mem *mem, int *bad) {
  struct oracle o = oracle_explore(m, 4000);
  judge_by(name, m, mem, &o, bad);
  oracle_free(&o);
}

static void law_examples(void) {
  static const char *const files[] = {"examples/philosophers.net", "examples/mutex.pnml", "examples/producer-consumer.net",
                                      "examples/weights.net", "examples/graph.aut"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    int bad = 0;
    mem_open(&mem, 0);
    err_clear(&e);
    struct front_setup setup = {.mem = &mem};
    if (front_load(&m, files[i], NULL, &setup, &e) == 0) judge(files[i], m, &mem, &bad);
    else bad++;
    is(bad, 0, NAMED("%s: every search on every store", files[i]));
    model_close(m);
    is(mem.used, 0, NAMED("%s: nothing left behind", files[i]));
  }
}

/* Models of the library have no definition: the oracle explores the graph that the program has behind it. */
static void law_own(int count) {
  int bad = 0, left = 0;
  for (int i = 0; i < count; i++) {
    struct mem mem;
    struct err e;
    struct own_graph g;
    struct model *m = NULL;
    struct rng rng = {(uint64_t)i + 5};
    static char graph[20000], *end;
    uint32_t states = 40 + (uint32_t)rng_below(&rng, 200), edges = 0;
    end = graph + sprintf(graph, "des (0, %u, %u)\n", 3 * states, states);
    for (; edges < 3 * states; edges++) end += sprintf(end, "(%u, l%u, %u)\n", (unsigned)rng_below(&rng, states), (unsigned)rng_below(&rng, 4), (unsigned)rng_below(&rng, states));
    mem_open(&mem, 0);
    err_clear(&e);
    if (own_graph_open(&g, graph, i % 2, &mem, &e) || own_model_open(&m, &g.model, &mem, &e)) {
      ok(0, e.message);
      return;
    }
    struct oracle o = oracle_explore(g.inner, 4000);
    judge_by(i % 2 ? "model of the library" : "model of the library, actions untold", m, &mem, &o, &bad);
    oracle_free(&o);
    bad += own_model_fault(m) != NULL;
    model_close(m);
    own_graph_close(&g);
    left += mem.used != 0;
  }
  is(bad, 0, NAMED("%d models of the library: every search on every store", count));
  is(left, 0, "nothing left behind");
}

/* Random nets that are bounded (each place has a complement) or not. */
static void law_random(int count) {
  int bad = 0, explored = 0, left = 0;
  for (int i = 0; i < count; i++) {
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    struct rng rng = {(uint64_t)i};
    char name[40];
    mem_open(&mem, 0);
    err_clear(&e);
    struct pt_net *net = nets_random(&mem, &rng, 3 + (unsigned)rng_below(&rng, 6), 3 + (unsigned)rng_below(&rng, 6), 14,
                                     1 + (unsigned)rng_below(&rng, 2), 3 + (unsigned)rng_below(&rng, 20));
    if (!net || pt_model_open(&m, net, "net", &e)) {
      bad++;
      continue;
    }
    snprintf(name, sizeof name, "net %d", i);
    struct oracle o = oracle_explore(m, 4000);
    explored += o.complete && o.states > 20;
    oracle_free(&o);
    judge(name, m, &mem, &bad);
    model_close(m);
    left += mem.used != 0;
  }
  is(bad, 0, NAMED("%d random nets: every search on every store", count));
  ok(explored > count / 20, NAMED("%d of them have more than 20 states", explored));
  is(left, 0, "nothing left behind");
}

/* A run whose store becomes smaller on the way, at a chosen moment: nothing is lost. What is wrong, or NULL. With comback as a lower rung names and paths
   stay as well. */
struct ladder {
  uint64_t at;
  unsigned comback; /* the rung that is comback; 0 = none */
  unsigned disk;    /* the rung that is disk; 0 = none */
  int starved;      /* memory may end */
  size_t rungs, combacks, disks;
};

static const char *ladder_run(const struct search_type *type, struct model *m, struct mem *mem, const struct oracle *o, struct ladder *l) {
  struct counts c;
  open_counts(&c, o->states + 10);
  struct listener *listeners[] = {&c.listener, &delay.listener};
  delay.news = 0;
  delay.every = type == &search_dfs ? l->at % 4 : 0;
  struct search_setup setup = {.model = m,
                               .store = &store_plain,
                               .mem = mem,
                               .ladder = 1,
                               .step_down_at = l->at,
                               .comback_rung = l->comback,
                               .disk_rung = l->disk,
                               .store_options = store_options,
                               .limits = {.beyond_cover = 1},
                               .listeners = listeners,
                               .listener_count = 2,
                               .ways = {.distance = direction_of(type, m)}};
  struct search *s = NULL;
  struct err e;
  err_clear(&e);
  int named = (l->comback && type->shortest && !l->disk) || type->directed;
  if (!named) c.listener.wants &= ~(unsigned)(EVENT_NEW | EVENT_SEEN | EVENT_EXPANDED); /* names change on the way */
  else if (!l->starved) c.paths = 7;
  const char *what = search_open(&s, type, &setup, &e) ? "opens" : NULL;
  if (!what) {
    search_run(s);
    if (s->stop != STOP_DONE) what = "ends complete";
    else if (s->stats.states != o->states) what = "number of states";
    else if (s->stats.transitions != o->edges || c.edges != o->edges) what = "number of edges";
    else if (s->stats.deadlocks != o->deadlocks) what = "number of deadlocks";
    else if (s->stats.expanded != o->states || s->stats.frontier) what = "all are expanded once";
    else if (type->shortest && s->stats.depth != o->depth) what = "depth";
    else if (type->shortest && c.layers != o->depth + 1) what = "layers";
    else if (named && (c.news != o->states || c.expanded != o->states)) what = "each state is told once";
    else if (c.wrong) what = "events and paths";
    if (l->starved && s->stop == STOP_MEMORY) what = s->stats.states > o->states ? "no invented states" : NULL;
    l->rungs += s->rungs - 1;
    l->combacks += s->store && s->store->type == &store_comback;
    l->disks += s->store && s->store->type == &store_disk;
  } else if (l->starved) what = NULL;
  delay.every = 0;
  search_close(s);
  close_counts(&c);
  return what;
}

/* Gives a model anew each time: widening is for ever. */
typedef struct model *open_model(void *context, struct mem *mem);

/* What is right: the oracle, or for programs and coloured nets the plain store. Not complete: a run has another end than that. */
static struct oracle reference(open_model *open, void *context, struct mem *mem, size_t most) {
  struct model *m = open(context, mem);
  struct oracle o = {0};
  struct search *s = m ? explore(&search_bfs, &store_plain, m, mem, NULL, (struct search_limits){.states = most, .beyond_cover = 1}) : NULL;
  if (s && s->stop == STOP_DONE && oracle_can(m)) o = oracle_explore(m, most);
  else if (s) {
    o.complete = s->stop == STOP_DONE;
    o.states = s->stats.states;
    o.edges = s->stats.transitions;
    o.deadlocks = s->stats.deadlocks;
    o.depth = s->stats.depth;
  }
  search_close(s);
  model_close(m);
  return o;
}

/* All ways down the ladder. */
static const char *all_ladders(open_model *open, void *context, struct mem *mem, size_t most, struct ladder *sum) {
  const char *what = NULL;
  struct oracle o = reference(open, context, mem, most);
  for (uint64_t at = 1; at < 200 && at <= o.states && o.complete && !what; at *= 6)
    for (const struct search_type *const *t = search_types; *t && !what; t++)
      for (unsigned comback = 0; comback < ((*t)->shortest ? 3 : (*t)->storeless || (*t)->measured ? 0 : 1) && !what; comback++) {
        struct model *m = open(context, mem);
        struct ladder l = {.at = at, .comback = comback};
        what = m ? ladder_run(*t, m, mem, &o, &l) : "opens";
        if (!what && comback == 1 && !l.combacks) what = "comback is where it should be";
        if (what) printf("# %s, first step at %llu states, comback %u: %s\n", (*t)->name, (unsigned long long)at, comback, what);
        sum->rungs += l.rungs;
        sum->combacks += l.combacks;
        model_close(m);
      }
  oracle_free(&o);
  return what;
}

static struct model *open_text(void *context, struct mem *mem) {
  struct model *m = NULL;
  struct err e;
  err_clear(&e);
  struct pt_net *net = nets_read(mem, context);
  return net && pt_model_open(&m, net, "net", &e) == 0 ? m : NULL;
}

/* Counts that no semiflow bounds and that a first look does not see: the layout must widen while the search runs. */
static void law_widening(void) {
  static const char *const nets[] = {"p=12 q r | t: p -> 10 q ; u: 10 q -> 20 r ; v: 10 q -> ; w: 20 r -> ",
                                     "p=9 q | t: p -> 1000 q ; u: 999 q -> ",
                                     "a=3 b c=1 d | t: a -> 100 b ; u: b + c -> 50 d + c ; v: 5000 d -> ; w: c -> "};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    mem_open(&mem, 0);
    err_clear(&e);
    struct pt_net *net = nets_read(&mem, nets[i]);
    if (!net || pt_model_open(&m, net, "net", &e)) {
      ok(0, NAMED("widening net %zu: %s", i, e.message));
      continue;
    }
    struct search *s = explore(&search_bfs, store_types[0], m, &mem, NULL, (struct search_limits){.beyond_cover = 1});
    ok(s && s->stats.layouts > 0,
       NAMED("widening net %zu: the layout widened %llu times", i, (unsigned long long)(s ? s->stats.layouts : 0)));
    search_close(s);
    model_close(m);
    for (const struct search_type *const *t = search_types; *t; t++)
      for (const struct store_type *const *st = store_types; *st; st++) { /* each from the narrow layout */
        if (!goes_with(*t, *st)) continue;
        struct oracle o;
        err_clear(&e);
        if (pt_model_open(&m, nets_read(&mem, nets[i]), "net", &e)) break;
        o = oracle_explore(m, 30000);
        const char *what = complete_run(*t, *st, m, &mem, &o);
        ok(o.complete && !what,
           NAMED("widening net %zu, %s, %s: %s (%zu states)", i, (*t)->name, (*st)->name, what ? what : "right", o.states));
        oracle_free(&o);
        model_close(m);
      }
    static const char *const forms[] = {"succinct", "succinct,sets", "succinct,backwards", "classic", "classic,path", "classic,sets"};
    for (const struct search_type *const *t = search_types; *t; t++)
      for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) { /* with sets the search begins anew */
        if (!goes_with(*t, &store_comback)) continue;
        store_options = &(struct store_options){.comback = forms[k]};
        if (pt_model_open(&m, nets_read(&mem, nets[i]), "net", &e)) break;
        struct oracle o = oracle_explore(m, 30000);
        const char *what = complete_run(*t, &store_comback, m, &mem, &o);
        ok(o.complete && !what, NAMED("widening net %zu, %s, comback %s: %s", i, (*t)->name, forms[k], what ? what : "right"));
        oracle_free(&o);
        model_close(m);
      }
    store_options = NULL;
    struct ladder sum = {0};
    const char *what = all_ladders(open_text, (void *)(uintptr_t)nets[i], &mem, 30000, &sum);
    ok(!what, NAMED("widening net %zu, stores that change on the way: %s", i, what ? what : "right"));
    ok(sum.rungs > 10 && sum.combacks >= 4, NAMED("widening net %zu: %zu changes, %zu to comback", i, sum.rungs, sum.combacks));
    is(mem.used, 0, NAMED("widening net %zu: nothing left behind", i));
  }
}

static struct model *open_random(void *context, struct mem *mem) {
  struct model *m = NULL;
  struct err e;
  struct rng rng = {*(const uint64_t *)context};
  err_clear(&e);
  struct pt_net *net = nets_random(mem, &rng, 5 + (unsigned)rng_below(&rng, 6), 5 + (unsigned)rng_below(&rng, 6), 14, 1 + (unsigned)rng_below(&rng, 2),
                                   8 + (unsigned)rng_below(&rng, 20));
  return net && pt_model_open(&m, net, "net", &e) == 0 ? m : NULL;
}

static void law_ladder(void) {
  struct ladder sum = {0};
  size_t bad = 0, left = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    struct mem mem;
    mem_open(&mem, 0);
    if (all_ladders(open_random, &seed, &mem, 4000, &sum) && bad++ < 5) printf("# random net %llu\n", (unsigned long long)seed);
    left += mem.used != 0;
  }
  is(bad, 0, NAMED("random nets: stores that change on the way (%zu changes, %zu to comback)", sum.rungs, sum.combacks));
  ok(sum.rungs > 50 && sum.combacks > 20, "and they do");
  is(left, 0, "nothing left behind");
}

/* Every small model that is there, programs among them. */
static struct model *open_file(void *context, struct mem *mem) {
  struct model *m = NULL;
  struct err e;
  err_clear(&e);
  struct front_setup setup = {.mem = mem};
  int status = front_load(&m, context, NULL, &setup, &e);
  return status ? NULL : m;
}

static void law_ladder_models(void) {
  DIR *folder = opendir("tests/models");
  size_t files = 0, bad = 0, left = 0;
  struct ladder sum = {0};
  for (struct dirent *d; folder && (d = readdir(folder));) {
    char file[300];
    const char *dot = strrchr(d->d_name, '.');
    if (!dot || (!strstr(".net .pnml .aut .dve .pml .pmp", dot))) continue;
    snprintf(file, sizeof file, "tests/models/%s", d->d_name);
    struct mem mem;
    mem_open(&mem, 0);
    files++;
    if (all_ladders(open_file, file, &mem, 3000, &sum) && bad++ < 9) printf("# %s\n", file);
    left += mem.used != 0;
  }
  if (folder) closedir(folder);
  is(bad, 0, NAMED("%zu files: stores that change on the way (%zu changes, %zu to comback)", files, sum.rungs, sum.combacks));
  ok(files > 20 && sum.combacks > 50, "and they do");
  is(left, 0, "nothing left behind");
}

/* Memory ends at any moment of a move: the run ends complete, or says so. */
static void law_ladder_starved(void) {
  char net[] = "a=4 b c=1 d | t: a -> 9 b ; u: b + c -> 5 d + c ; v: 20 d -> ; w: c -> ";
  size_t bad = 0, left = 0, refused = 0;
  struct ladder sum = {0};
  struct mem mem;
  mem_open(&mem, 0);
  struct oracle o = reference(open_text, net, &mem, 30000);
  for (unsigned comback = 0; comback < 3; comback++)
    for (size_t n = 10; n < 400; n += getenv("THIMBLE_LONG") ? 3 : 9) {
      struct model *m = open_text(net, &mem);
      struct ladder l = {.at = 40, .comback = comback, .starved = 1};
      mem.fail_after = n;
      const char *what = m ? ladder_run(&search_bfs, m, &mem, &o, &l) : "opens";
      refused += mem.fail_after == 0;
      mem.fail_after = 0;
      if (what && bad++ < 5) printf("# comback %u, request %zu: %s\n", comback, n, what);
      sum.combacks += l.combacks;
      model_close(m);
      left += mem.used != 0;
    }
  ok(o.complete && o.states > 200, NAMED("a net of %zu states", o.states));
  is(bad, 0, NAMED("moves whose memory is refused (%zu times, %zu came to comback)", refused, sum.combacks));
  ok(refused > 60 && sum.combacks > 60, "and it is");
  is(left, 0, "nothing left behind");
  oracle_free(&o);
}

/* ---- states on disk --------------------------------------------------------------------------- */

static char disk_dir[64];
static const struct disk_trial disk_trials[] = {
    {0}, {.records = 1, .per_block = 2, .fan = 2}, {.records = 3, .per_block = 3, .fan = 3}, {.records = 40, .per_block = 5, .fan = 2}, {.records = 300, .per_block = 8, .fan = 4}};
enum { DISK_TRIALS = sizeof disk_trials / sizeof *disk_trials };

static int folder_is_empty(void) {
  DIR *d = opendir(disk_dir);
  int n = 0;
  for (struct dirent *e; d && (e = readdir(d));) n += e->d_name[0] != '.';
  if (d) closedir(d);
  return d && !n;
}

/* All that is asked of other stores, with tables of a few states, so that nearly every layer goes to disk in several runs. */
static const char *disk_runs(open_model *open, void *context, struct mem *mem, size_t most) {
  const char *what = NULL;
  for (size_t t = 0; t < DISK_TRIALS && !what; t++) {
    struct store_options options = {.disk = disk_dir, .trial = &disk_trials[t]};
    struct model *m = open(context, mem);
    if (!m) return NULL; /* a file that needs more than its name */
    struct oracle o = reference(open, context, mem, most);
    if (!o.complete) return model_close(m), oracle_free(&o), NULL;
    if (t == 1 && o.states > most / 4) o.complete = 0;
    store_options = &options;
    if (!oracle_can(m)) o.complete = 0; /* then nobody knows the depth of each state */
    if (o.complete) what = complete_run(&search_bfs, &store_disk, m, mem, &o);
    if (!what && o.complete) what = cut_runs(&search_bfs, &store_disk, m, mem, &o);
    if (!what && o.complete && t == 3 && o.states < 300) what = starved_runs(&search_bfs, &store_disk, m, mem, &o);
    oracle_free(&o);
    model_close(m);
    if (what) printf("# store disk, trial %zu: %s\n", t, what);
    for (unsigned disk = 1; disk < 4 && !what; disk++)
      for (unsigned comback = 0; comback < 2 && !what; comback++) {
        store_options = NULL;
        o = reference(open, context, mem, most);
        store_options = &options;
        m = open(context, mem);
        struct ladder l = {.at = 1 + (t * 7 + disk * 5) % 30, .comback = comback, .disk = disk};
        if (o.complete) what = ladder_run(&search_bfs, m, mem, &o, &l);
        if (what) printf("# disk as rung %u, comback %u, from %llu states on, trial %zu: %s\n", disk, comback, (unsigned long long)l.at, t, what);
        oracle_free(&o);
        model_close(m);
      }
    if (!what && !folder_is_empty()) what = "files are removed";
  }
  store_options = NULL;
  return what;
}

static void law_disk(void) {
  static char *const nets[] = {"p=12 q r | t: p -> 10 q ; u: 10 q -> 20 r ; v: 10 q -> ; w: 20 r -> ", "p=9 q | t: p -> 1000 q ; u: 999 q -> ",
                               "a=3 b c=1 d | t: a -> 100 b ; u: b + c -> 50 d + c ; v: 5000 d -> ; w: c -> "};
  size_t bad = 0, left = 0, files = 0;
  struct mem mem;
  mem_open(&mem, 0);
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    const char *what = disk_runs(open_text, nets[i], &mem, i == 2 ? 3000 : 30000);
    ok(!what, NAMED("on disk, widening net %zu: %s", i, what ? what : "right"));
  }
  for (uint64_t seed = 1; seed <= 25; seed++)
    if (disk_runs(open_random, &seed, &mem, 400) && bad++ < 5) printf("# random net %llu\n", (unsigned long long)seed);
  is(bad, 0, "on disk: random nets");
  DIR *folder = opendir("tests/models");
  for (struct dirent *d; folder && (d = readdir(folder));) {
    char file[300];
    const char *dot = strrchr(d->d_name, '.');
    if (!dot || (!strstr(".net .pnml .aut .dve .pml .pmp", dot))) continue;
    snprintf(file, sizeof file, "tests/models/%s", d->d_name);
    files++;
    if (disk_runs(open_file, file, &mem, 300) && bad++ < 9) printf("# %s\n", file);
  }
  if (folder) closedir(folder);
  is(bad, 0, NAMED("on disk: %zu files", files));
  left += mem.used;
  is(left, 0, "nothing left behind");
}

/* A search that went to disk in its middle, wherever that was in a layer: of the states there it knows the path, or none, but no wrong one. */
struct follower {
  struct listener listener;
  size_t told, wrong;
};

static enum listener_answer follow(struct listener *l, struct search *s, const struct search_event *e) {
  struct follower *f = (struct follower *)l;
  struct search_path path;
  if (s->store->type != &store_disk) return LISTEN_ON;
  uint32_t *copy = calloc(model_stride(s->model->words) + 2, 4);
  memcpy(copy, e->words, s->model->words * 4);
  if (search_path(s, e->state, &path) == 0) {
    f->told++;
    f->wrong += path.count != e->depth || !edges_are_right(s->model, &path, copy);
    search_path_free(s, &path);
  }
  free(copy);
  return LISTEN_ON;
}

static void law_disk_paths(void) {
  char net[] = "a=4 b c d=2 e | t: a -> b ; u: b -> c ; v: c -> a ; x: d -> e ; y: e -> d ; z: b + e -> c + d";
  struct mem mem;
  mem_open(&mem, 0);
  struct oracle o = reference(open_text, net, &mem, 30000);
  size_t wrong = 0, disks = 0;
  for (uint64_t at = 1; at < o.states; at++) {
    struct follower f = {{.wants = EVENT_NEW, .hear = follow}, 0, 0};
    struct listener *listeners[] = {&f.listener};
    struct store_options options = {.disk = disk_dir, .trial = &disk_trials[3]};
    struct model *m = open_text(net, &mem);
    struct search_setup setup = {.model = m, .store = &store_plain, .ladder = 1, .step_down_at = at, .disk_rung = 1, .mem = &mem, .store_options = &options, .limits = {.beyond_cover = 1}, .listeners = listeners, .listener_count = 1};
    struct search *s = NULL;
    struct err e;
    err_clear(&e);
    if (search_open(&s, &search_bfs, &setup, &e) == 0) {
      search_run(s);
      disks += s->stop == STOP_DONE && s->store->type == &store_disk && s->stats.states == o.states;
      if (f.wrong) printf("# to disk at %llu states: %zu of %zu paths are wrong\n", (unsigned long long)at, f.wrong, f.told);
      wrong += f.wrong;
    }
    search_close(s);
    model_close(m);
  }
  ok(disks > 20, NAMED("to disk in the middle, %zu times", disks));
  is(wrong, 0, "no path is a wrong one");
  oracle_free(&o);
}

/* Of a search on disk any one request for memory is refused: it ends for that reason, or is right. */
static void law_disk_refused(void) {
  char net[] = "a=6 b c d=3 e f | t: a -> b ; u: b -> c ; v: c -> a ; x: d -> e ; y: e -> f ; w: f -> d ; z: b + e -> c + d";
  struct mem mem;
  mem_open(&mem, 0);
  struct oracle o = reference(open_text, net, &mem, 30000);
  size_t bad = 0, done = 0, refused = 0;
  for (size_t trial = 2; trial < DISK_TRIALS; trial += 2)
    for (size_t n = 1; n < 500; n += 1 + n / (size_t)often(40)) {
      struct store_options options = {.disk = disk_dir, .trial = &disk_trials[trial]};
      struct model *m = open_text(net, &mem);
      struct search_setup setup = {.model = m, .store = &store_disk, .mem = &mem, .store_options = &options, .limits = {.beyond_cover = 1}};
      struct search *s = NULL;
      struct err e;
      err_clear(&e);
      mem.fail_after = n;
      if (search_open(&s, &search_bfs, &setup, &e) == 0) {
        search_run(s);
        int right = s->stop == STOP_DONE ? s->stats.states == o.states && s->stats.transitions == o.edges : s->stop == STOP_MEMORY && s->stats.states <= o.states;
        done += s->stop == STOP_DONE && !mem.fail_after;
        refused += s->stop == STOP_MEMORY;
        if (!right && bad++ < 5) printf("# request %zu, trial %zu: stop %s, %llu states instead of %zu\n", n, trial, search_stop_name(s->stop), (unsigned long long)s->stats.states, o.states);
      }
      mem.fail_after = 0;
      search_close(s);
      model_close(m);
    }
  is(bad, 0, NAMED("on disk, with any one request refused: %zu came to their end, %zu did not", done, refused));
  ok(done && refused, "and both happened");
  is(mem.used, 0, "nothing left behind");
  oracle_free(&o);
}

/* What goes wrong with files at any moment ends the run with the reason, or not at all. */
static void law_disk_failing(void) {
  char net[] = "a=4 b c=1 d | t: a -> 9 b ; u: b + c -> 5 d + c ; v: 20 d -> ; w: c -> ";
  struct mem mem;
  mem_open(&mem, 0);
  struct oracle o = reference(open_text, net, &mem, 30000);
  size_t bad = 0, failed = 0, damaged = 0;
  for (unsigned kind = 0; kind < 5; kind++)
    for (uint64_t n = 1; n < 400; n = n + 1 + n / (uint64_t)often(8)) {
      struct disk_trial trial = {.records = 10, .per_block = 4, .fan = 3};
      if (kind == 0) trial.fail_at = n, trial.fail_with = ENOSPC;
      if (kind == 1) trial.fail_at = n, trial.fail_with = EIO;
      if (kind == 2) trial.read_fails_at = n;
      if (kind == 3) trial.damage_at = n;
      struct store_options options = {.disk = disk_dir, .trial = &trial, .disk_bytes = kind == 4 ? n * 200 : 0};
      store_options = &options;
      for (unsigned disk = 0; disk < 2; disk++) {
        struct model *m = open_text(net, &mem);
        struct search_setup setup = {.model = m, .store = disk ? &store_plain : &store_disk, .ladder = disk != 0, .step_down_at = 30, .disk_rung = disk, .mem = &mem, .store_options = &options,
                                     .limits = {.beyond_cover = 1}};
        struct search *s = NULL;
        struct err e;
        err_clear(&e);
        if (search_open(&s, &search_bfs, &setup, &e) == 0) {
          search_run(s);
          int right = s->stop == STOP_DONE ? s->stats.states == o.states && s->stats.transitions == o.edges && !s->disk.problem[0]
                                           : s->stop == STOP_DISK && s->disk.problem[0] && s->stats.states <= o.states;
          failed += s->stop == STOP_DISK;
          damaged += strstr(s->disk.problem, "damaged") != NULL;
          if (!right && bad++ < 5) printf("# kind %u at %llu, rung %u: stop %s, %llu states, %s\n", kind, (unsigned long long)n, disk, search_stop_name(s->stop), (unsigned long long)s->stats.states, s->disk.problem);
        } else bad++;
        search_close(s);
        model_close(m);
      }
      store_options = NULL;
    }
  is(bad, 0, NAMED("files that fail: %zu runs ended by it, %zu by damage", failed, damaged));
  ok(failed > 150 && damaged > 15, "and they do");
  is(mem.used, 0, "nothing left behind");
  ok(folder_is_empty(), "nor on disk");
  oracle_free(&o);
}

int main(void) {
  snprintf(disk_dir, sizeof disk_dir, "%s/thimble-laws.%ld", scratch(), (long)getpid());
  law_examples();
  law_widening();
  law_random(often(24));
  law_own(often(6));
  law_ladder();
  law_ladder_models();
  law_ladder_starved();
  law_disk();
  law_disk_paths();
  law_disk_failing();
  law_disk_refused();
  rmdir(disk_dir);
  return done();
}
