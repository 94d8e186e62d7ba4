/* sweep.c -- the laws of the sweep-line (search/sweep.c): whatever the measure, every reachable state is found and expanded, and the search ends.
 *
 * Measures are nonsense (hashes cut to a few values), constant, the opposite of progress, and true progress.  What is reachable is known from the slow oracle (nets) or a breadth-first search
 * (programs).  Stores step down on the way, layouts widen on the way, memory ends on the way.  Paths are taken again. */
#include "tap.h"

#include "front/front.h"
#include "net/pt_model.h"
#include "nets.h"
#include "oracle.h"
#include "search/progress.h"
#include "search/search.h"

#include <dirent.h>
#include <stdlib.h>

static char text[700];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* ---- measures -------------------------------------------------------------------------------------------------------------- */

struct measure {
  struct progress base;
  const struct model *model;
  uint64_t modulus; /* 0: the sum of all variables; 1: the same for all */
  int64_t sign;
};

/* Variables, not words: a measure knows nothing of layouts. */
static int64_t measure_value(const struct progress *p, struct model_cursor *c, const uint32_t *state) {
  const struct measure *m = (const struct measure *)p;
  uint64_t h = 1469598103934665603u;
  int64_t sum = 0;
  (void)c;
  for (uint32_t v = 0; v < m->model->vars; v++) {
    int64_t x = m->model->type->value(m->model, state, v);
    sum += x;
    h = (h ^ (uint64_t)x) * 1099511628211u;
    h ^= h >> 29;
  }
  if (!m->modulus) return m->sign * sum;
  if (m->modulus == UINT64_MAX) return (int64_t)h; /* as far apart as can be */
  return m->sign * (int64_t)(h % m->modulus);
}

static const struct progress_type measures = {measure_value, NULL};
static const struct {
  uint64_t modulus;
  int64_t sign;
} kinds[] = {{1, 1}, {2, 1}, {3, 1}, {50, 1}, {UINT64_MAX, 1}, {0, 1}, {0, -1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- what was told ------------------------------------------------------------------------------------------------------------ */

struct tale {
  struct listener listener;
  struct mem mem;
  struct store *found, *expanded; /* sets of all that was told */
  uint32_t words;                 /* of what stands for a state there */
  int by_values;                  /* the values of its variables; otherwise its words */
  size_t news, edges, seen, expansions, wrong;
  size_t paths; /* the way to each n-th */
  uint64_t skip;
  int numbers; /* states are wanted by number: */
  uint32_t **numbered;
  uint8_t *rows; /* what each number stands for; how often it was expanded */
  size_t room;
};

static void write_down(struct tale *t, const struct model *m, const uint32_t *words, uint32_t *out) {
  memset(out, 0, (t->words + 4) * 4);
  for (uint32_t v = 0; v < m->vars && t->by_values; v++) out[v] = (uint32_t)m->type->value(m, words, v);
  if (!t->by_values) memcpy(out, words, m->words * 4);
}

/* Do the edges of the path to `state` lead there? */
static int path_is_right(struct search *s, store_ref state, const uint32_t *words) {
  struct search_path path;
  struct model_cursor *cursor = NULL;
  struct model_batch batch;
  struct mem mem;
  struct model *m = s->model;
  mem_open(&mem, 0);
  if (search_path(s, state, &path)) return 0;
  uint32_t *now = calloc(model_stride(m->words) + 4, 4);
  m->type->initial(m, now);
  int right = m->type->cursor_open(&cursor, m, &mem) == 0 && model_batch_open(&batch, &mem, m->words, 64) == 0;
  for (size_t i = 0; i < path.count && right; i++) {
    batch.count = batch.fault_count = 0;
    right = m->type->successors(cursor, now, &batch) == MODEL_OK && path.edge[i] < batch.count && batch.group[path.edge[i]] == path.group[i];
    if (right) memcpy(now, batch.states + path.edge[i] * batch.stride, m->words * 4);
  }
  right = right && memcmp(now, words, m->words * 4) == 0;
  model_batch_close(&batch);
  m->type->cursor_close(cursor);
  free(now);
  search_path_free(s, &path);
  return right;
}

/* Every event must call a state by a number that stands for it. */
static void check_number(struct tale *t, const struct search *s, const struct search_event *e) {
  if (e->source != STORE_NONE && e->kind != EVENT_EXPANDED && e->source >= t->news) t->wrong++;
  if (e->kind == EVENT_EDGE && e->state == t->news) return; /* it is told as new next */
  if (e->kind == EVENT_NEW && e->state == t->news) {
    if (t->news == t->room) {
      size_t more = 2 * t->room + 64;
      t->numbered = realloc(t->numbered, more * sizeof *t->numbered);
      t->rows = realloc(t->rows, more);
      t->room = more;
    }
    t->rows[t->news] = 0;
    t->numbered[t->news] = calloc(t->words + 4, 4);
    write_down(t, s->model, e->words, t->numbered[t->news]);
    return;
  }
  uint32_t *key = calloc(t->words + 4, 4);
  write_down(t, s->model, e->words, key);
  if (e->state >= t->news || memcmp(key, t->numbered[e->state], t->words * 4) != 0) t->wrong++;
  else if (e->kind == EVENT_EXPANDED && t->rows[e->state]++) t->wrong++; /* each number is one node, which has its edges once */
  free(key);
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *e) {
  struct tale *t = (struct tale *)l;
  store_ref ref;
  if (t->numbers) check_number(t, s, e);
  if (e->kind == EVENT_EDGE) t->edges++;
  if (e->kind == EVENT_SEEN) t->seen++;
  if (e->kind != EVENT_NEW && e->kind != EVENT_EXPANDED) return LISTEN_ON;
  int new = e->kind == EVENT_NEW;
  size_t number = new ? t->news++ : t->expansions++;
  uint32_t *copy = calloc(model_stride(s->model->words) + 4, 4), *key = calloc(t->words + 8, 4);
  memcpy(copy, e->words, s->model->words * 4);
  write_down(t, s->model, copy, key);
  store_put(new ? t->found : t->expanded, key, t->words, NULL, &ref);
  if (!new && store_find(t->found, key, t->words) == STORE_NONE) t->wrong++;
  if (new && e->state != number) t->wrong++;
  if (t->paths && number % t->paths == 0 && !path_is_right(s, e->state, copy)) t->wrong++;
  free(copy);
  free(key);
  return new && number == t->skip ? LISTEN_SKIP : LISTEN_ON;
}

static void open_tale(struct tale *t, const struct model *m, int by_values) {
  memset(t, 0, sizeof *t);
  t->listener = (struct listener){.wants = EVENT_NEW | EVENT_EDGE | EVENT_SEEN | EVENT_EXPANDED, .hear = hear};
  t->by_values = by_values;
  t->words = by_values ? m->vars : m->words;
  t->words += !t->words;
  t->skip = UINT64_MAX;
  mem_open(&t->mem, 0);
  struct store_setup setup = {.words = t->words, .bits = t->words * 32, .mem = &t->mem};
  store_plain.open(&t->found, &setup);
  store_plain.open(&t->expanded, &setup);
}

static void close_tale(struct tale *t) {
  for (size_t i = 0; i < t->news && t->numbers; i++) free(t->numbered[i]);
  free(t->numbered);
  free(t->rows);
  store_plain.close(t->found);
  store_plain.close(t->expanded);
}

/* ---- runs ----------------------------------------------------------------------------------------------------------------------- */

struct truth { /* what is reachable */
  uint64_t states, edges, deadlocks;
};

struct way { /* of a run */
  const struct store_type *store;
  size_t kind;
  uint64_t step_down_at;
  size_t fail_after;
  int numbers; /* listeners want them */
};

struct sums {
  size_t runs, sweeps, rungs, regress, paths, starved;
};

static const char *judge_done(const struct search *s, const struct tale *t, const struct truth *truth, const struct way *way) {
  uint64_t found = store_plain.count(t->found), expanded = store_plain.count(t->expanded);
  if (t->wrong) return "events and paths";
  if (found > truth->states) return "no invented states";
  if (s->stats.states < t->news || s->stats.expanded != t->expansions) return "what was told is counted";
  if (s->stop == STOP_MEMORY && way->fail_after) return NULL;
  if (s->stats.states != t->news) return "what was told is what is counted";
  if (s->stop != STOP_DONE) return "ends complete";
  if (found != truth->states || expanded != truth->states) return "every state is found and expanded";
  if (s->stats.frontier) return "nothing waits";
  if (t->seen + t->news != t->edges + 1 || s->stats.transitions != t->edges) return "each edge is to a new or a seen state";
  if (s->sweep.peak_states > truth->states || s->sweep.persistent > truth->states) return "no more at a time than there are";
  if (!s->store->type->forget) return t->news == truth->states && t->edges == truth->edges && s->stats.deadlocks == truth->deadlocks ? NULL : "what is remembered is explored once";
  if (!way->fail_after && s->store->type->count(s->store) != s->sweep.persistent) return "persistent states are left, and nothing else";
  if (s->sweep.regress_edges ? s->sweep.sweeps > s->sweep.persistent : s->sweep.sweeps != 1) return "a further sweep has a root";
  if (s->sweep.persistent == 1 && (t->news != truth->states || t->edges != truth->edges || s->stats.deadlocks != truth->deadlocks)) return "one sweep counts as any search";
  if (kinds[way->kind].modulus == 1 && (s->sweep.sweeps != 1 || s->sweep.regress_edges || s->sweep.peak_states != truth->states)) return "where all are alike nothing is forgotten on the way";
  return NULL;
}

static const char *run_one(struct model *m, int by_values, const struct truth *truth, const struct way *way, size_t paths, struct sums *sums) {
  struct mem mem;
  struct tale t;
  struct err e;
  struct search *s = NULL;
  struct measure measure = {.base = {.type = &measures}, .model = m, .modulus = kinds[way->kind].modulus, .sign = kinds[way->kind].sign};
  struct listener *listeners[] = {&t.listener};
  const char *what = NULL;
  err_clear(&e);
  mem_open(&mem, 0);
  mem.fail_after = way->fail_after;
  open_tale(&t, m, by_values);
  t.paths = paths;
  t.numbers = way->numbers;
  if (t.numbers) t.listener.wants |= EVENT_NUMBERS;
  struct search_setup setup = {.model = m,
                               .store = way->store,
                               .mem = &mem,
                               .ladder = way->step_down_at != 0,
                               .step_down_at = way->step_down_at,
                               .listeners = listeners,
                               .listener_count = 1,
                               .limits = {.beyond_cover = 1},
                               .ways = {.progress = &measure.base}};
  if (search_open(&s, &search_sweep, &setup, &e)) what = way->fail_after ? NULL : "opens";
  else {
    search_run(s);
    what = judge_done(s, &t, truth, way);
    sums->runs++;
    sums->sweeps += s->sweep.sweeps;
    sums->regress += s->sweep.regress_edges;
    sums->rungs += s->rungs - 1;
    sums->starved += s->stop == STOP_MEMORY;
    if (paths) sums->paths += t.news / paths;
  }
  search_close(s);
  close_tale(&t);
  if (!what && mem.used) what = "nothing left behind";
  return what;
}

static const struct store_type *const stores[] = {&store_plain, &store_compact_tree, &store_comback};
enum { STORES = 3 };

/* All measures on all stores. */
static const char *all_runs(struct model *m, int by_values, const struct truth *truth, size_t paths, struct sums *sums) {
  const char *what = NULL;
  for (size_t k = 0; k < KINDS && !what; k++)
    for (size_t i = 0; i < STORES && !what; i++) {
      struct way way = {.store = stores[i], .kind = k};
      what = run_one(m, by_values, truth, &way, paths, sums);
      way.step_down_at = 1 + truth->states / 10;
      if (!what && !i) what = run_one(m, by_values, truth, &way, 0, sums);
      way.numbers = 1;
      if (!what && !i) what = run_one(m, by_values, truth, &way, 0, sums);
      way.step_down_at = 0;
      if (!what) what = run_one(m, by_values, truth, &way, paths, sums);
      if (what) printf("# measure %zu, %s\n", k, stores[i]->name);
    }
  return what;
}

static const char *starved_runs(struct model *m, int by_values, const struct truth *truth, struct sums *sums) {
  const char *what = NULL;
  for (size_t n = 1; n < 50 && !what; n++)
    for (size_t i = 0; i < STORES && !what; i++) {
      struct way way = {.store = stores[i], .kind = 3 + n % 3, .fail_after = n, .step_down_at = n % 2 ? 1 + truth->states / 5 : 0, .numbers = n % 3 == 0};
      what = run_one(m, by_values, truth, &way, 0, sums);
      if (what) printf("# request %zu refused, %s\n", n, stores[i]->name);
    }
  return what;
}

static struct truth truth_of(const struct oracle *o) { return (struct truth){o->states, o->edges, o->deadlocks}; }

static void law_nets(void) {
  struct sums sums = {0};
  int bad = 0, tried = 0, left = 0;
  for (int i = 0; i < 200; i++) {
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    struct rng rng = {(uint64_t)i};
    mem_open(&mem, 0);
    err_clear(&e);
    struct pt_net *net = nets_random(&mem, &rng, 3 + (unsigned)rng_below(&rng, 6), 3 + (unsigned)rng_below(&rng, 6), 14, 1 + (unsigned)rng_below(&rng, 2), 3 + (unsigned)rng_below(&rng, 20));
    if (!net || pt_model_open(&m, net, "net", &e)) {
      bad++;
      continue;
    }
    struct oracle o = oracle_explore(m, 1500);
    if (o.complete && o.states > 5) {
      struct truth truth = truth_of(&o);
      const char *what = all_runs(m, 1, &truth, o.states / 3 + 1, &sums);
      if (!what && i % 6 == 0) what = starved_runs(m, 1, &truth, &sums);
      tried++;
      if (what) bad++, printf("# net %d: %s (%zu states)\n", i, what, o.states);
    }
    oracle_free(&o);
    model_close(m);
    left += mem.used != 0;
  }
  is(bad, 0, NAMED("%d random nets, %zu runs, %zu sweeps, %zu regress edges, %zu paths, %zu rungs, %zu starved", tried, sums.runs, sums.sweeps, sums.regress, sums.paths, sums.rungs, sums.starved));
  ok(tried > 25 && sums.regress > 1000 && sums.sweeps > 2 * sums.runs && sums.rungs > 20 && sums.starved > 50, "enough of each");
  is(left, 0, "nothing left behind");
}

/* Layouts that widen in the middle of a sweep: every run begins with the narrow one. */
static void law_widening(void) {
  static const char *const nets[] = {"p=12 q r | t: p -> 10 q ; u: 10 q -> 20 r ; v: 10 q -> ; w: 20 r -> ", "p=9 q | t: p -> 1000 q ; u: 999 q -> ",
                                     "a=3 b c=1 d | t: a -> 100 b ; u: b + c -> 50 d + c ; v: 5000 d -> ; w: c -> "};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    struct sums sums = {0};
    const char *what = NULL;
    for (size_t k = 0; k < STORES * KINDS && !what; k++) {
      struct mem mem;
      struct err e;
      struct model *m = NULL;
      mem_open(&mem, 0);
      err_clear(&e);
      if (pt_model_open(&m, nets_read(&mem, nets[i]), "net", &e)) what = "opens";
      else {
        struct oracle o = oracle_explore(m, 30000);
        struct truth truth = truth_of(&o);
        struct way way = {.store = stores[k % STORES], .kind = k / STORES, .numbers = (int)k % 2};
        what = o.complete ? run_one(m, 1, &truth, &way, o.states / 2, &sums) : "is explored";
        oracle_free(&o);
      }
      model_close(m);
    }
    ok(!what, NAMED("widening net %zu: %s", i, what ? what : "right"));
  }
}

/* Programs, by words: a breadth-first search has widened the layout as far as it must be. */
static void law_programs(void) {
  static const char *const folders[] = {"tests/models", "examples"};
  struct sums sums = {0};
  size_t files = 0, bad = 0, left = 0;
  for (size_t f = 0; f < 2; f++) {
    DIR *folder = opendir(folders[f]);
    for (struct dirent *d; folder && (d = readdir(folder));) {
      char file[600];
      struct mem mem;
      struct err e;
      struct model *m = NULL;
      struct search *s = NULL;
      const char *end = strrchr(d->d_name, '.'), *what = NULL;
      if (!end || (strcmp(end, ".pml") && strcmp(end, ".dve") && strcmp(end, ".pmp") && strcmp(end, ".net") && strcmp(end, ".aut"))) continue;
      snprintf(file, sizeof file, "%s/%s", folders[f], d->d_name);
      mem_open(&mem, 0);
      err_clear(&e);
      struct front_setup setup = {.mem = &mem};
      if (front_load(&m, file, NULL, &setup, &e) == 0) {
        struct search_setup first = {.model = m, .store = &store_plain, .mem = &mem, .limits = {.states = 3000, .beyond_cover = 1}};
        if (search_open(&s, &search_bfs, &first, &e) == 0) search_run(s);
        struct truth truth = {0};
        int done = s && s->stop == STOP_DONE;
        if (done) truth = (struct truth){s->stats.states, s->stats.transitions, s->stats.deadlocks};
        search_close(s);
        if (done && truth.states > 1) {
          files++;
          what = all_runs(m, 0, &truth, truth.states / 2 + 1, &sums);
        }
      }
      model_close(m);
      left += mem.used != 0;
      if (what) bad++, printf("# %s: %s\n", file, what);
    }
    if (folder) closedir(folder);
  }
  is(bad, 0, NAMED("%zu models, %zu runs, %zu sweeps, %zu regress edges, %zu paths", files, sums.runs, sums.sweeps, sums.regress, sums.paths));
  ok(files > 20 && sums.regress > 100, "enough of each");
  is(left, 0, "nothing left behind");
}

/* A state that nobody wants expanded is left out, and forgotten all the same; limits are kept; a path that needs more memory than there is for all origins is found in pieces. */
static void law_rest(void) {
  static const char counter[] = "a=60 b=60 c=60 | t: a -> ; u: b -> ; v: c -> ";
  struct mem mem, rest;
  struct err e;
  struct model *m = NULL;
  struct tale t;
  mem_open(&mem, 0);
  err_clear(&e);
  ok(pt_model_open(&m, nets_read(&mem, counter), "net", &e) == 0, "a net with 61 * 61 * 61 states");
  struct measure measure = {.base = {.type = &measures}, .model = m, .modulus = 5, .sign = -1};
  struct listener *listeners[] = {&t.listener};
  for (int part = 0; part < 4; part++) {
    struct search *s = NULL;
    volatile int stop = 1;
    mem_open(&rest, part == 2 ? 1200000 : 0);
    open_tale(&t, m, 1);
    if (part == 0) t.skip = 0;
    if (part == 2) t.paths = 45000;
    struct search_setup setup = {
        .model = m, .store = &store_plain, .mem = &rest, .listeners = listeners, .listener_count = 1, .limits = {.beyond_cover = 1, .states = part == 1 ? 300 : 0, .interrupt = part == 3 ? &stop : NULL}, .ways = {.progress = &measure.base}};
    if (part == 2) measure.modulus = 0;
    if (search_open(&s, &search_sweep, &setup, &e) == 0) search_run(s);
    if (part == 0) ok(s && s->stop == STOP_DONE && t.news == 1 && !t.expansions && s->skipped == 1, "what is to be left out is left out");
    if (part == 1) ok(s && s->stop == STOP_STATES && s->stats.states >= 300 && s->stats.states < 310, "a limit of states");
    if (part == 2) ok(s && s->stop == STOP_DONE && !t.wrong && t.news == 61 * 61 * 61, NAMED("%zu states in 1.2 MB, paths in pieces (stop %s, %zu wrong)", t.news, s ? search_stop_name(s->stop) : "", t.wrong));
    if (part == 3) ok(s && s->stop == STOP_INTERRUPT, "interrupt");
    search_close(s);
    close_tale(&t);
    is(rest.used, 0, "nothing left behind");
  }
  model_close(m);
}

/* ---- what could not be forgotten --------------------------------------------------------------------------------------------------- */

struct follower {
  struct listener listener;
  size_t news, told, wrong;
};

static enum listener_answer follow(struct listener *l, struct search *s, const struct search_event *e) {
  struct follower *f = (struct follower *)l;
  struct search_path path;
  if (f->news++ % 5 || s->mem->fail_after) return LISTEN_ON;
  uint32_t *copy = calloc(model_stride(s->model->words) + 4, 4);
  memcpy(copy, e->words, s->model->words * 4);
  if (search_path(s, e->state, &path) == 0) { /* or nobody can tell */
    search_path_free(s, &path);
    f->told++;
    f->wrong += !path_is_right(s, e->state, copy);
  }
  free(copy);
  return LISTEN_ON;
}

/* One request is refused, perhaps where something was to be forgotten, which stays then: paths are right all the same, or there are none. */
static void law_refused(void) {
  struct mem mem;
  struct err e;
  struct model *m = NULL;
  size_t told = 0, wrong = 0;
  mem_open(&mem, 0);
  err_clear(&e);
  struct pt_net *net = nets_read(&mem, "a=5 b c d=3 e f | t: a -> b ; u: b -> c ; v: c -> a ; x: d -> e ; y: e -> f ; w: f -> d ; z: b + e -> c + d");
  if (net && pt_model_open(&m, net, "net", &e)) m = NULL;
  for (size_t n = 1; n < 1200 && m; n++) {
    struct mem own;
    static const uint64_t moduli[] = {50, 3, 7, 20, 400};
    struct measure measure = {.base = {.type = &measures}, .model = m, .modulus = moduli[n % 5], .sign = 1};
    struct follower f = {.listener = {.wants = EVENT_NEW, .hear = follow}};
    struct listener *listeners[] = {&f.listener};
    struct search *s = NULL;
    mem_open(&own, 0);
    own.fail_after = n / 5 + 1;
    struct search_setup setup = {.model = m, .store = stores[0], .mem = &own, .listeners = listeners, .listener_count = 1, .limits = {.beyond_cover = 1}, .ways = {.progress = &measure.base}};
    if (search_open(&s, &search_sweep, &setup, &e) == 0) search_run(s);
    if (f.wrong) printf("# request %zu refused, modulus %llu: %zu of %zu paths are wrong\n", n / 5 + 1, (unsigned long long)moduli[n % 5], f.wrong, f.told);
    told += f.told;
    wrong += f.wrong;
    search_close(s);
  }
  ok(told > 100, NAMED("after a refused request: %zu paths", told));
  is(wrong, 0, "none is wrong");
  model_close(m);
}

int main(void) {
  law_nets();
  law_widening();
  law_programs();
  law_rest();
  law_refused();
  return done();
}
