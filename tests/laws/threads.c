/* threads.c -- what comes out of a search does not depend on the number of threads: not the counts, not the numbers of states, not the order of what is told.
 *
 * Each model is searched by one thread and by several, with rounds from the first states on; everything that a listener hears, and every path that it asks for, must be the same, one by one.  Random
 * nets with places that outgrow their first layout, random programs, examples; every store; goals, skipped states, limits; stores that become smaller on the way; memory that ends. */
#include "tap.h"

#include "front/front.h"
#include "net/pt_model.h"
#include "nets.h"
#include "programs.h"
#include "search/search.h"

#include <stdlib.h>

static char text[700];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* What was told, as one number: an order that differs anywhere gives another one. */
struct hearing {
  struct listener listener;
  uint64_t sum, told, goal, skip;
  int picky; /* most of it concerns nobody, and need not be told */
};

static void mix(struct hearing *h, uint64_t x) { h->sum = (h->sum ^ x ^ x >> 29) * 0x9e3779b97f4a7c15u + 1; }

static void mix_path(struct hearing *h, struct search *s, store_ref state) {
  struct search_path path;
  if (search_path(s, state, &path)) return;
  for (size_t i = 0; i < path.count; i++) mix(h, path.edge[i]), mix(h, path.state[i]);
  search_path_free(s, &path);
}

static uint64_t words_sum(const struct search *s, const uint32_t *words) {
  uint64_t sum = 0;
  for (uint32_t v = 0; v < s->model->vars && v < 64; v++) sum = (sum ^ (uint64_t)s->model->type->value(s->model, words, v)) * 1099511628211u;
  return sum;
}

static int picked(const uint32_t *words) { return words[0] % 8 == 3; }

static int concerns(struct listener *l, struct model_cursor *c, const struct search_event *e) {
  (void)c;
  return !((struct hearing *)l)->picky || picked(e->words);
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *e) {
  struct hearing *h = (struct hearing *)l;
  if (e->kind == EVENT_AGAIN) {
    h->sum = h->told = 0;
    return LISTEN_ON;
  }
  if (e->kind == EVENT_LAYER) {
    mix(h, e->depth);
    return LISTEN_ON;
  }
  if (h->picky && !picked(e->words)) return LISTEN_ON;
  mix(h, e->kind);
  mix(h, e->state);
  mix(h, e->depth);
  if (e->kind == EVENT_NEW) mix(h, e->source), mix(h, e->edge), mix(h, e->group);
  else mix(h, e->successors);
  mix(h, words_sum(s, e->words));
  uint64_t number = h->told++;
  if (number % 13 == 0) mix_path(h, s, e->state);
  if (number == h->goal) return LISTEN_GOAL;
  return e->kind == EVENT_NEW && number == h->skip ? LISTEN_SKIP : LISTEN_ON;
}

struct outcome {
  int opened;
  enum search_stop stop;
  uint64_t states, transitions, deadlocks, expanded, depth, sum, told;
  unsigned threads;
};

struct question {
  const struct store_type *store;
  unsigned jobs, from;
  uint64_t step_down_at, goal, skip, states;
  int picky;
};

typedef struct model *open_model(void *context, struct mem *mem);

/* A model of its own each time: widening is for ever. */
static struct outcome explore(open_model *open, void *context, struct mem *mem, const struct question *q) {
  struct outcome out = {0};
  struct hearing h = {{.wants = EVENT_NEW | EVENT_EXPANDED | EVENT_LAYER | EVENT_AGAIN, .hear = hear, .concerns = concerns}, .goal = q->goal, .skip = q->skip, .picky = q->picky};
  struct listener *listeners[] = {&h.listener};
  struct model *m = open(context, mem);
  struct search_setup setup = {.model = m, .store = q->store, .mem = mem, .jobs = q->jobs, .rounds_from = q->from, .ladder = q->step_down_at > 0, .step_down_at = q->step_down_at,
                               .limits = {.beyond_cover = 1, .states = q->states}, .listeners = listeners, .listener_count = 1};
  struct search *s = NULL;
  struct err e;
  err_clear(&e);
  if (m && search_open(&s, &search_bfs, &setup, &e) == 0) {
    search_run(s);
    out = (struct outcome){1, s->stop, s->stats.states, s->stats.transitions, s->stats.deadlocks, s->stats.expanded, s->stats.depth, h.sum, h.told, s->threads};
  }
  search_close(s);
  model_close(m);
  return out;
}

/* When the ladder gives up the queue, order and paths are lost, earlier or later. */
static const char *difference(const struct outcome *a, const struct outcome *b, int ladder) {
  if (a->opened != b->opened) return "opens";
  if (a->stop != b->stop) return "how it ends";
  if (a->stop == STOP_DONE) {
    if (a->states != b->states) return "states";
    if (a->transitions != b->transitions) return "transitions";
    if (a->expanded != b->expanded) return "expanded";
    if (a->deadlocks != b->deadlocks) return "deadlocks";
    if (a->depth != b->depth) return "depth";
  }
  if (a->stop != STOP_STATES && a->told != b->told) return "how much is told";
  if (a->stop != STOP_STATES && a->sum != b->sum && !ladder) return "what is told";
  return NULL;
}

struct tally {
  int bad;
  uint64_t threaded, complete;
};

static void compare(const char *name, open_model *open, void *context, struct question q, struct tally *t) {
  static const unsigned jobs[] = {2, 5};
  struct mem mem;
  mem_open(&mem, 0);
  q.jobs = 1;
  struct outcome alone = explore(open, context, &mem, &q);
  t->complete += alone.stop == STOP_DONE;
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    q.jobs = jobs[i];
    q.from = 1 + (unsigned)(i * 7);
    struct outcome together = explore(open, context, &mem, &q);
    const char *what = difference(&alone, &together, q.step_down_at > 0);
    t->threaded += together.threads > 1;
    if (!what && mem.used) what = "something is left behind";
    if (!what) continue;
    t->bad++;
    printf("# %s, %s, %u threads: %s (%llu and %llu states; step down %llu, goal %llu, skip %llu)\n", name, q.store->name, jobs[i], what, (unsigned long long)alone.states,
           (unsigned long long)together.states, (unsigned long long)q.step_down_at, (unsigned long long)q.goal, (unsigned long long)q.skip);
    return;
  }
}

enum { MOST = 6000 };

static void judge(const char *name, open_model *open, void *context, struct tally *t) {
  struct mem mem;
  mem_open(&mem, 0);
  struct question first = {.store = &store_plain, .jobs = 1, .states = MOST, .goal = UINT64_MAX, .skip = UINT64_MAX};
  struct outcome size = explore(open, context, &mem, &first);
  if (!size.opened || size.stop != STOP_DONE || size.states < 20) return;
  for (const struct store_type *const *st = store_types; *st; st++) {
    if ((*st)->caps & STORE_FORGETS) continue;
    struct question q = {.store = *st, .goal = UINT64_MAX, .skip = UINT64_MAX};
    compare(name, open, context, q, t);
    if (!(*st)->round_ask) continue;
    q.picky = 1;
    compare(name, open, context, q, t);
    q.picky = 0;
    q.goal = 40;
    compare(name, open, context, q, t);
    q.goal = UINT64_MAX;
    q.skip = 12;
    compare(name, open, context, q, t);
    q.skip = UINT64_MAX;
    q.states = 50;
    compare(name, open, context, q, t);
  }
  for (uint64_t at = 5; at < 400; at *= 3) { /* the memory ladder, at any moment */
    struct question q = {.store = &store_plain, .goal = UINT64_MAX, .skip = UINT64_MAX, .step_down_at = at};
    compare(name, open, context, q, t);
  }
}

static void tell(const struct tally *t, const char *what, int least) {
  is(t->bad, 0, NAMED("%s: the same with 1, 2 and 5 threads", what));
  ok((int)t->threaded > least, NAMED("%s: %llu searches by several threads, %llu comparisons of complete ones", what, (unsigned long long)t->threaded, (unsigned long long)t->complete));
}

static struct model *open_file(void *context, struct mem *mem) {
  struct model *m = NULL;
  struct err e;
  err_clear(&e);
  struct front_setup setup = {.mem = mem};
  return front_load(&m, context, NULL, &setup, &e) ? NULL : m;
}

static void law_examples(void) {
  static char *const files[] = {"examples/philosophers.net", "examples/mutex.pnml", "examples/producer-consumer.net", "examples/weights.net", "examples/exchange.pml", "examples/peterson.dve", "examples/nim.pml"};
  struct tally t = {0};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) judge(files[i], open_file, files[i], &t);
  tell(&t, "examples", 20);
}

static struct model *open_net(void *context, struct mem *mem) {
  struct rng rng = {*(const uint64_t *)context};
  struct err e;
  struct model *m = NULL;
  err_clear(&e);
  struct pt_net *net = nets_random(mem, &rng, 3 + (unsigned)rng_below(&rng, 6), 3 + (unsigned)rng_below(&rng, 6), 14, 1 + (unsigned)rng_below(&rng, 2), 3 + (unsigned)rng_below(&rng, 20));
  return !net || pt_model_open(&m, net, "net", &e) ? NULL : m;
}

static void law_nets(int count) {
  struct tally t = {0};
  for (int i = 0; i < count; i++) {
    uint64_t seed = (uint64_t)i;
    judge(NAMED("net %d", i), open_net, &seed, &t);
  }
  tell(&t, "random nets", count / 2);
}

static struct model *open_program(void *context, struct mem *mem) {
  struct rng rng = {*(const uint64_t *)context};
  static char program[1 << 16];
  struct model *m = NULL;
  struct err e;
  err_clear(&e);
  if (rng.state % 3 == 0) programs_random_pointers(program, sizeof program, &rng, 1);
  else if (rng.state % 3 == 1) programs_random_alike(program, sizeof program, &rng);
  else programs_random(program, sizeof program, &rng);
  FILE *in = fmemopen(program, strlen(program), "r");
  struct front_setup setup = {.mem = mem, .file = "random.pml", .input = in};
  int bad = !in || front_find("promela")->load(&m, &setup, &e);
  if (in) fclose(in);
  return bad ? NULL : m;
}

static void law_programs(int count) {
  struct tally t = {0};
  for (int i = 0; i < count; i++) {
    uint64_t seed = 1000 + (uint64_t)i;
    judge(NAMED("program %d", i), open_program, &seed, &t);
  }
  tell(&t, "random programs", count);
}

/* Requests for memory fail one after the other, in whatever thread: an honest end, nothing left behind, nothing invented. */
static void law_starved(void) {
  struct mem mem;
  int bad = 0, ended = 0;
  mem_open(&mem, 0);
  struct question q = {.store = &store_plain, .goal = UINT64_MAX, .skip = UINT64_MAX, .jobs = 1};
  struct outcome alone = explore(open_file, "examples/philosophers.net", &mem, &q);
  for (const struct store_type *const *st = store_types; *st; st++) {
    if (!(*st)->round_ask) continue;
    for (size_t n = 1; n < 400; n++) {
      mem.fail_after = n;
      q = (struct question){.store = *st, .jobs = 3, .from = 1, .goal = UINT64_MAX, .skip = UINT64_MAX};
      struct outcome o = explore(open_file, "examples/philosophers.net", &mem, &q);
      mem.fail_after = 0;
      if (o.opened && o.stop == STOP_DONE && (o.states != alone.states || o.transitions != alone.transitions)) bad++;
      if (o.opened && o.stop != STOP_DONE && o.stop != STOP_MEMORY) bad++;
      ended += !o.opened || o.stop == STOP_MEMORY;
      bad += mem.used != 0;
    }
  }
  is(bad, 0, "memory that ends anywhere: an honest end");
  ok(ended > 50, NAMED("%d ends for lack of it", ended));
}

int main(int argc, char **argv) {
  int nets = argc > 1 ? atoi(argv[1]) : 150, programs = argc > 2 ? atoi(argv[2]) : 24;
  law_examples();
  law_nets(nets);
  law_programs(programs);
  law_starved();
  return done();
}
