/* measure.c -- progress measures: on every edge of many small models the measure changes as its weights say, and one that is called monotone never falls. */
#include "tap.h"

#include "base/vec.h"
#include "front/front.h"
#include "net/measure.h"
#include "net/pt_model.h"
#include "nets.h"
#include "run/measure.h"

#include <glob.h>

static struct mem mem;
static struct err err;

/* ---- a listener that looks at every edge -------------------------------------------------------------------------------------- */

struct watch {
  struct listener listener;
  struct model_measure *measure;
  struct model_cursor *cursor;
  const struct model *model;
  const struct pt_net *net; /* nets: with their weights */
  const int64_t *weight;
  struct vec(int64_t) value; /* by number */
  uint64_t edges, falls, wrong;
};

static int64_t slowly(const struct watch *w, const uint32_t *state) {
  int64_t sum = 0;
  for (uint32_t p = 0; p < w->net->places; p++) sum += w->weight[p] * w->model->type->value(w->model, state, p);
  return sum;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *e) {
  struct watch *w = (struct watch *)l;
  (void)s;
  if (e->kind == EVENT_AGAIN) {
    w->value.count = 0;
    return LISTEN_ON;
  }
  int64_t now = w->measure->value(w->measure, w->cursor, e->words);
  if (w->net) w->wrong += now != slowly(w, e->words);
  if (e->kind == EVENT_NEW) return vec_push(&w->value, &mem, MEM_OTHER, now) ? LISTEN_GOAL : LISTEN_ON;
  int64_t before = w->value.at[e->source];
  w->edges++;
  w->falls += now < before;
  if (w->net) w->wrong += now - before != pt_measure_offset(w->net, w->weight, e->group);
  return LISTEN_ON;
}

/* All edges of the first states. */
static void look(struct watch *w, struct model *m, uint64_t states) {
  w->listener = (struct listener){.wants = EVENT_NEW | EVENT_EDGE | EVENT_AGAIN, .hear = hear};
  w->model = m;
  struct listener *all[] = {&w->listener};
  struct search_setup setup = {.model = m, .store = &store_plain, .mem = &mem, .limits = {.states = states, .seconds = 5, .beyond_cover = 1}, .listeners = all, .listener_count = 1};
  struct search *s;
  if (m->type->cursor_open(&w->cursor, m, &mem)) return;
  if (search_open(&s, &search_bfs, &setup, &err) == 0) {
    search_run(s);
    search_close(s);
  }
  m->type->cursor_close(w->cursor);
  vec_free(&w->value, &mem);
}

/* ---- nets --------------------------------------------------------------------------------------------------------------------- */

static uint64_t found[PT_MEASURE_KINDS], monotone, edges, wrong, falls;

static void try_net(struct pt_net *net) {
  struct model *m;
  if (pt_model_open(&m, net, "net", &err)) {
    pt_close(net);
    return;
  }
  int64_t *weight = mem_alloc(&mem, MEM_OTHER, (net->places + 1) * sizeof *weight);
  for (unsigned kind = 0; kind < PT_MEASURE_KINDS; kind++) {
    struct model_measure *measure;
    struct pt_measure_setup setup = {.net = net, .plan = pt_model_layout(m)->plan, .mem = &mem};
    int answer = m->type->measure(&measure, m, kind, &mem, &err);
    if (answer) {
      if (answer != 1) wrong++;
      continue;
    }
    found[kind]++;
    monotone += measure->monotone != 0;
    struct watch w = {.measure = measure};
    look(&w, m, 300);
    falls += measure->monotone ? w.falls : 0;
    edges += w.edges;
    if (pt_measure_weights(&setup, (enum pt_measure_kind)kind, weight) == 0) { /* weights for all transitions, dead or not */
      struct model_measure *plain;
      int64_t *copy = mem_alloc(&mem, MEM_OTHER, (net->places + 1) * sizeof *copy);
      memcpy(copy, weight, net->places * sizeof *copy);
      if (pt_measure_open(&plain, m, copy, 0, &mem) == 0) {
        struct watch v = {.measure = plain, .net = net, .weight = weight};
        look(&v, m, 300);
        wrong += v.wrong;
        edges += v.edges;
        plain->close(plain);
      }
    }
    measure->close(measure);
  }
  mem_free(&mem, weight);
  model_close(m);
}

static void random_nets(void) {
  for (uint64_t seed = 1; seed <= 600; seed++) {
    struct rng r = {seed};
    struct pt_net *n = seed % 3 ? nets_random(&mem, &r, 2 + (unsigned)rng_below(&r, 6), 1 + (unsigned)rng_below(&r, 8), 4 + (unsigned)rng_below(&r, 18), 2, 2)
                                : nets_random_counters(&mem, &r, 3, 2, 5);
    if (n) try_net(n);
  }
  ok(edges > 10000 && monotone > 100, "random nets have measures, and edges to try them on");
  for (int k = 0; k < PT_MEASURE_IN_TURN; k++) ok(found[k] > 20, "each way finds some");
  ok(wrong == 0, "every edge changes the measure as the weights say");
  ok(falls == 0, "no edge lowers a monotone one");
  if (wrong || falls) printf("#   %llu wrong, %llu falls\n", (unsigned long long)wrong, (unsigned long long)falls);
  ok(mem.used == 0, "all memory comes back");
}

/* A known net: the kind, whether it is monotone, and what it is. */
static void known(const char *text, unsigned kind, int answer, int is_monotone, const char *words) {
  struct pt_net *net = nets_read(&mem, text);
  struct model *m;
  struct model_measure *measure = NULL;
  if (!net || pt_model_open(&m, net, "net", &err)) {
    ok(0, text);
    return;
  }
  int got = m->type->measure(&measure, m, kind, &mem, &err);
  int good = got == answer && (got || (measure->monotone == is_monotone && !strcmp(measure->text, words)));
  if (!ok(good, text)) printf("#   %d: %s\n", got, got ? "" : measure->text);
  if (!got) measure->close(measure);
  model_close(m);
}

static void known_nets(void) {
  known("a=1 b c | t: a -> b ; u: b -> c", PT_MEASURE_RANKS, 0, 1, "b + 2 * c");
  known("a=1 b c d | t: a -> b ; u: b -> c ; v: c -> b ; w: c -> d", PT_MEASURE_RANKS, 0, 1, "b + c + 2 * d");
  known("a=1 b | t: a -> b ; u: b -> a", PT_MEASURE_RANKS, 1, 0, NULL);
  known("a=1 b | t: a -> b ; u: b -> a", PT_MEASURE_MONOTONE, 1, 0, NULL);
  known("a=1 b | t: a -> b ; u: b -> a", PT_MEASURE_OFFSETS, 0, 0, "-a");
  known("a=1 | t: a -> a", PT_MEASURE_OFFSETS, 1, 0, NULL);
  known("a=2 | t: a -> 2 a", PT_MEASURE_RANKS, 0, 1, "a");
  /* two rounds from one place: side by side, and one after the other */
  known("a=1 b c | t: a -> b ; u: b -> a ; v: a -> c ; w: c -> a", PT_MEASURE_OFFSETS, 0, 0, "-a");
  known("a=1 b c | t: a -> b ; u: b -> a ; v: a -> c ; w: c -> a", PT_MEASURE_IN_TURN, 0, 0, "-a + c");
  known("a=1 b c | t: a -> b ; u: b -> a", PT_MEASURE_IN_TURN, 1, 0, NULL);
  known("a=1 b | t: a -> b", PT_MEASURE_KINDS, 2, 0, NULL);
}

/* ---- programs ----------------------------------------------------------------------------------------------------------------- */

static uint64_t programs, program_edges, program_falls, claims;

static void try_file(const char *file, uint64_t states) {
  struct front_setup setup = {.mem = &mem};
  struct model *m;
  err_clear(&err);
  if (front_load(&m, file, NULL, &setup, &err)) return; /* has C in it, or an error */
  programs++;
  for (unsigned kind = 0; m->type->measure; kind++) {
    struct model_measure *measure;
    int answer = m->type->measure(&measure, m, kind, &mem, &err);
    if (answer == 1) continue;
    if (answer) break;
    struct watch w = {.measure = measure};
    look(&w, m, states);
    program_edges += w.edges;
    if (measure->monotone) {
      claims++;
      program_falls += w.falls;
      if (w.falls) printf("#   %s: %llu edges lower \"%s\"\n", file, (unsigned long long)w.falls, measure->text);
    }
    measure->close(measure);
  }
  model_close(m);
}

static void try_files(const char *pattern, uint64_t states) {
  glob_t g;
  if (glob(pattern, 0, NULL, &g)) return;
  for (size_t i = 0; i < g.gl_pathc; i++) try_file(g.gl_pathv[i], states);
  globfree(&g);
}

static void own_programs(void) {
  try_files("tests/models/*.pml", 3000);
  try_files("tests/models/*.dve", 3000);
  try_files("tests/models/*.pmp", 3000);
  try_files("tests/models/story/*.pml", 3000);
  try_files("bench/promela/*.pml", 3000);
  ok(programs > 30 && claims > 20 && program_edges > 10000, "programs have measures");
  ok(program_falls == 0, "no edge lowers a monotone one");
  ok(mem.used == 0, "all memory comes back");
}

static void corpus_programs(void) {
  const char *corpus = getenv("THIMBLE_CORPUS");
  char pattern[700];
  programs = claims = program_falls = 0;
  snprintf(pattern, sizeof pattern, "%s/dve/*.1.dve", corpus ? corpus : "../shared/corpus");
  try_files(pattern, 2000);
  snprintf(pattern, sizeof pattern, "%s/promela/*.pml", corpus ? corpus : "../shared/corpus");
  try_files(pattern, 2000);
  if (!programs) {
    skip("models of the corpus", "the corpus is not there");
    return;
  }
  printf("# %llu models, %llu monotone measures\n", (unsigned long long)programs, (unsigned long long)claims);
  ok(program_falls == 0, "the corpus: no edge lowers a monotone one");
  ok(mem.used == 0, "all memory comes back");
}

/* ---- the best one ------------------------------------------------------------------------------------------------------------- */

static void best(void) {
  struct model *m;
  struct progress *p;
  struct measure_sample s;
  /* three places in a row, and a loop that says nothing */
  struct pt_net *net = nets_read(&mem, "a=1 b c x=1 y | t: a -> b ; u: b -> c ; v: x -> y ; w: y -> x");
  if (!net || pt_model_open(&m, net, "net", &err)) {
    ok(0, "a net");
    return;
  }
  ok(measure_derive_sampled(&p, &s, m, &mem, &measure_usual_effort, &err) == 0 && p->monotone && !strcmp(p->text, "b + 2 * c"), "the best measure");
  ok(s.complete && s.states == 6 && s.edges == 10 && s.classes == 3 && s.largest == 2 && s.regress_edges == 0 && s.persistent == 0 && s.peak == 4, "on all states");
  progress_close(p);
  model_close(m);
  net = nets_read(&mem, "x=1 y | v: x -> x ; w: y -> x");
  ok(net && pt_model_open(&m, net, "net", &err) == 0, "a net that does nothing");
  ok(measure_derive(&p, m, &mem, &err) == 1 && !p, "has no measure");
  model_close(m);
  /* every request refused once */
  for (size_t n = 1;; n++) {
    net = nets_read(&mem, "a=1 b c x=1 y | t: a -> b ; u: b -> c ; v: x -> y ; w: y -> x");
    if (!net || pt_model_open(&m, net, "net", &err)) break;
    size_t before = mem.used;
    err_clear(&err);
    mem.fail_after = n;
    int answer = measure_derive(&p, m, &mem, &err), through = mem.fail_after != 0;
    mem.fail_after = 0;
    if (answer == 0) progress_close(p);
    if (mem.used != before || (answer < 0 && err.kind != ERR_MEMORY)) {
      ok(0, "a refused request is told, and nothing is lost");
      printf("#   request %zu\n", n);
    }
    model_close(m);
    if (through) {
      ok(answer == 0, "a refused request is told, and nothing is lost");
      break;
    }
  }
}

int main(void) {
  mem_open(&mem, 0);
  known_nets();
  random_nets();
  own_programs();
  corpus_programs();
  best();
  return done();
}
