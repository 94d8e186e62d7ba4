/* threads.c -- what comes out of a search does not depend on the number of threads: not the counts, not the numbers of states, not the order of what is told.
 *
 * Each model is searched by one thread and by several, with rounds from the first states on; everything that a listener hears, and every path that it asks for, must be the same, one by one.  Random
 * nets with places that outgrow their first layout, random programs, random coloured nets, examples; every store; goals, skipped states, limits; stores that become smaller on the way; reductions; memory that ends.
 *
 * Multisets of coloured nets get their numbers from whoever meets them first, so that words of states are compared in their portable form. */
#include "tap.h"

#include "coloured_random.h"
#include "front/front.h"
#include "net/pt_model.h"
#include "nets.h"
#include "programs.h"
#include "reduce/reduction.h"
#include "search/search.h"

#include <stdlib.h>

static char text[700];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* What concerns nobody need not be told. */
enum pick { EVERYTHING, BY_WORDS, BY_STEP /* the first transition can happen */, BY_CONDITION, PICKS };

/* What was told, as one number: an order that differs anywhere gives another one. */
struct hearing {
  struct listener listener;
  uint64_t sum, told, goal, skip;
  enum pick picky;
  struct expr *atom; /* of BY_CONDITION */
};

static void mix(struct hearing *h, uint64_t x) { h->sum = (h->sum ^ x ^ x >> 29) * 0x9e3779b97f4a7c15u + 1; }

static void mix_path(struct hearing *h, struct search *s, store_ref state) {
  struct search_path path;
  if (search_path(s, state, &path)) return;
  for (size_t i = 0; i < path.count; i++) mix(h, path.edge[i]), mix(h, path.state[i]);
  search_path_free(s, &path);
}

/* What a state is, as a number that does not depend on who met what first. */
static uint64_t state_sum(const struct model *m, const uint32_t *words) {
  uint64_t sum = 0;
  if (m->type->vars_are_no_numbers) {
    uint8_t packed[2000];
    size_t length = m->type->pack(m, words, packed, sizeof packed);
    for (size_t i = 0; i < length && i < sizeof packed; i++) sum = (sum ^ packed[i]) * 1099511628211u;
    return sum;
  }
  for (uint32_t v = 0; v < m->vars && v < 64; v++) sum = (sum ^ (uint64_t)m->type->value(m, words, v)) * 1099511628211u;
  return sum;
}

static int picked(const struct hearing *h, struct model_cursor *c, const uint32_t *words) {
  switch (h->picky) {
  case BY_WORDS: return state_sum(c->model, words) % 8 == 3;
  case BY_STEP: return c->model->type->fireable(c, words, 0);
  case BY_CONDITION: return !h->atom || expr_value(h->atom, c, words) % 2 != 0;
  default: return 1;
  }
}

static int concerns(struct listener *l, struct model_cursor *c, const struct search_event *e) { return picked((struct hearing *)l, c, e->words); }

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
  if (!picked(h, s->cursor, e->words)) return LISTEN_ON;
  mix(h, e->kind);
  mix(h, e->state);
  mix(h, e->depth);
  if (e->kind == EVENT_NEW) mix(h, e->source), mix(h, e->edge), mix(h, e->group);
  else mix(h, e->successors);
  mix(h, state_sum(s->model, e->words));
  uint64_t number = h->told++;
  if (number % 13 == 0) mix_path(h, s, e->state);
  if (number == h->goal) return LISTEN_GOAL;
  return e->kind == EVENT_NEW && number == h->skip ? LISTEN_SKIP : LISTEN_ON;
}

struct outcome {
  int opened;
  enum search_stop stop;
  uint64_t states, transitions, deadlocks, expanded, depth, sum, told, requests;
  unsigned threads;
};

struct question {
  const struct store_type *store;
  unsigned jobs, from;
  uint64_t step_down_at, goal, skip, states;
  enum pick picky;
  const char *atom;
  int reduced;
};

typedef struct model *open_model(void *context, struct mem *mem);

/* A model of its own each time: widening is for ever. */
static struct outcome explore(open_model *open, void *context, struct mem *mem, const struct question *q) {
  struct outcome out = {0};
  struct hearing h = {{.wants = EVENT_NEW | EVENT_EXPANDED | EVENT_LAYER | EVENT_AGAIN, .hear = hear, .concerns = concerns}, .goal = q->goal, .skip = q->skip, .picky = q->picky};
  struct listener *listeners[] = {&h.listener};
  struct model *m = open(context, mem), *searched = m;
  struct reduction *r = NULL;
  struct reduction_told told;
  struct err e;
  err_clear(&e);
  if (m && q->reduced && reduction_open(&r, &(struct reduction_setup){.model = m, .kinds = REDUCE_ALL, .bounded = 1, .deadlocks = 1}, &told, mem, &e) == 0) {
    reduction_dress(r);
    searched = reduction_model(r);
  }
  if (m && q->atom && expr_parse(&h.atom, m, mem, q->atom, "the test", &e)) h.atom = NULL;
  size_t opened = mem->fail_after;
  struct search_setup setup = {.model = searched, .store = q->store, .mem = mem, .jobs = q->jobs, .rounds_from = q->from, .ladder = q->step_down_at > 0, .step_down_at = q->step_down_at,
                               .limits = {.beyond_cover = 1, .states = q->states}, .listeners = listeners, .listener_count = 1};
  struct search *s = NULL;
  err_clear(&e);
  if (m && search_open(&s, &search_bfs, &setup, &e) == 0) {
    search_run(s);
    out = (struct outcome){1, s->stop, s->stats.states, s->stats.transitions, s->stats.deadlocks, s->stats.expanded, s->stats.depth, h.sum, h.told, opened, s->threads};
  }
  search_close(s);
  expr_close(h.atom);
  reduction_close(r);
  model_close(m);
  return out;
}

/* When the ladder gives up the queue, order and paths are lost, earlier or later. */
static const char *difference(const struct outcome *a, const struct outcome *b, int ladder) {
  if (a->opened != b->opened) return "opens";
  if (a->stop != b->stop) return "how it ends";
  if (a->stop == STOP_DONE && a->states != b->states) return "states"; /* at a goal a batch, or a round, is stored as a whole before it is told */
  if (a->stop == STOP_DONE || a->stop == STOP_GOAL) {
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

/* `atom`: what may be asked of a state, in the model's own language. */
static void judge(const char *name, open_model *open, void *context, const char *atom, int reduced, struct tally *t) {
  struct mem mem;
  mem_open(&mem, 0);
  struct question first = {.store = &store_plain, .jobs = 1, .states = MOST, .goal = UINT64_MAX, .skip = UINT64_MAX, .reduced = reduced};
  struct outcome size = explore(open, context, &mem, &first);
  if (!size.opened || size.stop != STOP_DONE || size.states < 20) return;
  for (const struct store_type *const *st = store_types; *st; st++) {
    if ((*st)->caps & STORE_FORGETS) continue;
    struct question q = {.store = *st, .goal = UINT64_MAX, .skip = UINT64_MAX, .atom = atom, .reduced = reduced};
    compare(name, open, context, q, t);
    if (!(*st)->round_ask) continue;
    for (q.picky = BY_WORDS; q.picky < PICKS; q.picky++)
      if (q.picky != BY_CONDITION || atom) compare(name, open, context, q, t);
    q.picky = EVERYTHING;
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
    struct question q = {.store = &store_plain, .goal = UINT64_MAX, .skip = UINT64_MAX, .step_down_at = at, .reduced = reduced};
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

static struct model *open_text(char *all, const char *language, struct mem *mem) {
  struct model *m = NULL;
  struct err e;
  err_clear(&e);
  FILE *in = fmemopen(all, strlen(all), "r");
  struct front_setup setup = {.mem = mem, .file = "random", .input = in};
  int bad = !in || front_find(language)->load(&m, &setup, &e);
  if (in) fclose(in);
  return bad ? NULL : m;
}

static void law_examples(void) {
  static char *const files[] = {"examples/philosophers.net", "examples/mutex.pnml", "examples/producer-consumer.net", "examples/weights.net", "examples/exchange.pml", "examples/peterson.dve", "examples/nim.pml"};
  struct tally t = {0};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) judge(files[i], open_file, files[i], NULL, 0, &t);
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
    judge(NAMED("net %d", i), open_net, &seed, NULL, 0, &t);
  }
  tell(&t, "random nets", count / 2);
}

static struct model *open_program(void *context, struct mem *mem) {
  struct rng rng = {*(const uint64_t *)context};
  static char program[1 << 16];
  if (rng.state % 3 == 0) programs_random_pointers(program, sizeof program, &rng, 1);
  else if (rng.state % 3 == 1) programs_random_alike(program, sizeof program, &rng);
  else programs_random(program, sizeof program, &rng);
  return open_text(program, "promela", mem);
}

static void law_programs(int count) {
  struct tally t = {0};
  for (int i = 0; i < count; i++) {
    uint64_t seed = 1000 + (uint64_t)i;
    judge(NAMED("program %d", i), open_program, &seed, NULL, 0, &t);
  }
  tell(&t, "random programs", count);
}

/* ---- coloured nets ---- */

static struct model *open_coloured(void *context, struct mem *mem) {
  struct rng rng = {*(const uint64_t *)context};
  static char net[8000];
  coloured_random(net, sizeof net, &rng);
  return open_text(net, "cpnt", mem);
}

static void law_coloured(int count) {
  struct tally t = {0}, reduced = {0};
  for (int i = 0; i < count; i++) {
    uint64_t seed = 5000 + (uint64_t)i;
    judge(NAMED("coloured net %d", i), open_coloured, &seed, "size A0", 0, &t);
    judge(NAMED("coloured net %d, reduced", i), open_coloured, &seed, "size A0", 1, &reduced);
  }
  tell(&t, "random coloured nets", count / 4);
  tell(&reduced, "random coloured nets, reduced", count / 8);
}

/* Of the literature: time, priorities, code segments, places that are implied by others, values that are computed, references that are part of the state, draws. */
static void law_literature(size_t count) {
  static const struct {
    char *file;
    const char *atom;
  } nets[] = {{"examples/philosophers.cpnt", "size Fork"}, {"examples/managers.cpnt", "size Performing"}, {"examples/telephones.cpnt", NULL}, {"examples/simple-protocol.cpnt", NULL}, {"examples/resources.cpnt", NULL},
              {"tests/models/coloured/time.cpnt", NULL}, {"tests/models/coloured/early.cpnt", NULL}, {"tests/models/coloured/late.cpnt", NULL}, {"tests/models/coloured/priorities.cpnt", NULL},
              {"tests/models/coloured/code.cpnt", NULL}, {"tests/models/coloured/arcs.cpnt", NULL}, {"tests/models/coloured/patterns.cpnt", NULL}, {"tests/models/coloured/lamps.cpnt", NULL},
              {"tests/models/coloured/stop_and_wait.cpnt", NULL}, {"tests/models/coloured/instances.cpnt", NULL},
              {"tests/models/coloured/references.cpnt", NULL}, {"tests/models/coloured/draws.cpnt", NULL},
              {"tests/models/coloured/real_time.cpnt", NULL}, {"tests/models/coloured/calendar.cpnt", NULL}};
  struct tally t = {0};
  for (size_t i = 0; i < sizeof nets / sizeof *nets && i < count; i++)
    for (int reduced = 0; reduced < 1 + (i % 3 == 0); reduced++) judge(NAMED("%s%s", nets[i].file, reduced ? ", reduced" : ""), open_file, nets[i].file, nets[i].atom, reduced, &t);
  tell(&t, "coloured nets of the literature", count < 15 ? 0 : 100);
}

/* Requests for memory fail one after the other, in whatever thread: an honest end, nothing left behind, nothing invented. */
static void law_starved(char *file, int samples) {
  struct mem mem;
  int bad = 0, ended = 0;
  mem_open(&mem, 0);
  const size_t many = (size_t)1 << 40;
  struct question q = {.store = &store_plain, .goal = UINT64_MAX, .skip = UINT64_MAX, .jobs = 3, .from = 1};
  mem.fail_after = many;
  struct outcome alone = explore(open_file, file, &mem, &q);
  size_t opening = many - alone.requests, all = many - mem.fail_after, tried = all + all / 8;
  for (const struct store_type *const *st = store_types; *st; st++) {
    if (!(*st)->round_ask) continue;
    for (int k = 0; k < samples; k++) { /* some while it is opened (the first is for a look at the language, which may be left out), most while it is searched */
      size_t n = k % 8 == 0 ? 2 + opening * (size_t)k / (size_t)samples : opening + (tried - opening) * (size_t)k / (size_t)samples;
      mem.fail_after = n ? n : 1;
      q.store = *st;
      struct outcome o = explore(open_file, file, &mem, &q);
      mem.fail_after = 0;
      if (o.opened && o.stop == STOP_DONE && (o.states != alone.states || o.transitions != alone.transitions)) bad++;
      if (o.opened && o.stop != STOP_DONE && o.stop != STOP_MEMORY) bad++;
      ended += !o.opened || o.stop == STOP_MEMORY;
      bad += mem.used != 0;
    }
  }
  is(bad, 0, NAMED("%s, memory that ends anywhere: an honest end", file));
  ok(ended > samples / 40, NAMED("%s: %d ends for lack of it", file, ended));
}

int main(int argc, char **argv) {
  int nets = argc > 1 ? atoi(argv[1]) : often(12), programs = argc > 2 ? atoi(argv[2]) : often(6), coloured = argc > 3 ? atoi(argv[3]) : often(7), literature = argc > 4 ? atoi(argv[4]) : 17;
  law_examples();
  law_nets(nets);
  law_programs(programs);
  law_coloured(coloured);
  law_literature((size_t)literature);
  law_starved("examples/philosophers.net", 200);
  law_starved("examples/philosophers.cpnt", 80);
  law_starved("examples/managers.cpnt", 20);
  return done();
}
