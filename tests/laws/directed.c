/* directed.c -- distances (prop/distance.h) against the true ones, and the searches that go by them against breadth-first search.
 *
 * The graph of a small model is made by asking for successors until there are no new ones; how many states must be expanded from each one until a property is
 * decided follows by going backwards.  Nets are random, with random expressions; programs are all those of tests/models. */
#include "tap.h"

#include "base/rng.h"
#include "front/front.h"
#include "net/pt_model.h"
#include "nets.h"
#include "prop/distance.h"
#include "run/run.h"

#include <dirent.h>
#include <stdlib.h>

enum { MOST = 800 };
static char text[700];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* ---- the graph ---------------------------------------------------------------------------------------------------------- */

struct graph {
  const struct model *model;
  size_t count, edges, words;
  uint32_t *state;          /* `words` each */
  size_t *from, *to;        /* edges */
  uint8_t *dead;            /* by state */
  struct model_fault *fault; /* what goes wrong when state `source` is expanded */
  size_t faults;
};

static void graph_free(struct graph *g) {
  free(g->state);
  free(g->from);
  free(g->to);
  free(g->dead);
  free(g->fault);
}

static size_t find(struct graph *g, const uint32_t *state) {
  for (size_t i = 0; i < g->count; i++)
    if (memcmp(g->state + i * g->words, state, g->words * 4) == 0) return i;
  if (g->count < MOST) memcpy(g->state + g->count * g->words, state, g->words * 4);
  return g->count++;
}

/* 1; 0: it has more than MOST states; -1: its states became wider, ask again. */
static int make_graph(struct graph *g, struct model *m, struct mem *mem) {
  struct model_cursor *c = NULL;
  struct model_batch b;
  struct err e;
  size_t room = MOST * 60;
  err_clear(&e);
  *g = (struct graph){.model = m, .words = m->words ? m->words : 1};
  g->state = calloc((MOST + 2) * g->words + 4, 4);
  g->from = calloc(room, sizeof *g->from);
  g->to = calloc(room, sizeof *g->to);
  g->dead = calloc(MOST + 1, 1);
  g->fault = calloc(MOST * 4, sizeof *g->fault);
  m->type->cursor_open(&c, m, mem);
  model_batch_open(&b, mem, m->words, 16);
  uint32_t *first = calloc(g->words + 4, 4);
  m->type->initial(m, first);
  find(g, first);
  free(first);
  int good = 1;
  for (size_t i = 0; i < g->count && good == 1; i++) {
    b.count = b.fault_count = 0;
    enum model_answer answer = m->type->successors(c, g->state + i * g->words, &b);
    if (answer == MODEL_WIDEN) {
      good = m->type->widen(m, c, &e) ? 0 : -1;
      if (good) m->type->widen_done(m, 1);
      break;
    }
    if (answer != MODEL_OK || g->edges + b.count > room || g->faults + b.fault_count > MOST * 4) good = 0;
    for (size_t k = 0; k < b.fault_count && good; k++) {
      g->fault[g->faults] = b.faults[k];
      g->fault[g->faults++].source = (uint32_t)i;
    }
    for (size_t k = 0; k < b.count && good; k++) {
      g->from[g->edges] = i;
      g->to[g->edges++] = find(g, b.states + k * b.stride);
      if (g->count > MOST) good = 0;
    }
    if (good) g->dead[i] = !b.count && !(m->type->labels && m->type->labels(m, g->state + i * g->words) & MODEL_END);
  }
  model_batch_close(&b);
  m->type->cursor_close(c);
  if (good != 1) graph_free(g);
  return good;
}

static int stable_graph(struct graph *g, struct model *m, struct mem *mem) {
  int good;
  while ((good = make_graph(g, m, mem)) < 0) {}
  return good;
}

/* How many states must be expanded until the property is decided: UINT32_MAX = never. */
static uint32_t *true_distances(const struct graph *g, const struct prop *p, struct model_cursor *c) {
  uint32_t *far = malloc((g->count + 1) * sizeof *far);
  for (size_t i = 0; i < g->count; i++) {
    far[i] = UINT32_MAX;
    if (p->expr && prop_decided(p, c, g->state + i * g->words, 0)) far[i] = 0;
    if (p->kind == PROP_DEADLOCK && g->dead[i]) far[i] = 1;
  }
  for (size_t k = 0; k < g->faults; k++)
    if (prop_broken_by(p, &g->fault[k])) far[g->fault[k].source] = 1;
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t k = g->edges; k-- > 0;) {
      uint32_t by = far[g->to[k]] == UINT32_MAX ? UINT32_MAX : far[g->to[k]] + 1;
      if (by < far[g->from[k]]) far[g->from[k]] = by, changed = 1;
    }
  }
  return far;
}

/* What is wrong with the distances of one property, or NULL. `sharp`: states in which a bound says more than 1. */
static const char *judge(const struct graph *g, const struct prop *p, struct mem *mem, size_t *sharp) {
  struct model_cursor *c = NULL;
  struct distance *bound = NULL, *guess = NULL;
  struct err e;
  const char *what = NULL;
  err_clear(&e);
  g->model->type->cursor_open(&c, g->model, mem);
  uint32_t *far = true_distances(g, p, c), *says = malloc((g->count + 1) * sizeof *says), number[DISTANCE_LISTS];
  if (distance_open(&bound, DISTANCE_BOUND, g->model, p, 1, mem, &e) || distance_open(&guess, DISTANCE_GUESS, g->model, p, 1, mem, &e)) what = "opens";
  else if (bound->lists != 1 || guess->lists != 1 || !bound->bound || guess->bound) what = "one list";
  for (size_t i = 0; i < g->count && !what; i++) {
    bound->value(bound, g->state + i * g->words, number);
    says[i] = number[0];
    guess->value(guess, g->state + i * g->words, number);
    *sharp += number[0] != 0 && says[i] > 1 && says[i] != DISTANCE_FAR;
    if (says[i] > far[i]) what = "a bound is larger than the truth";
    else if (p->expr && (says[i] == 0) != (far[i] == 0)) what = "a bound is 0 where it is decided, and only there";
    else if (p->expr && (number[0] == 0) != (far[i] == 0)) what = "a guess is 0 where it is decided, and only there";
    else if (!p->expr && says[i] == 0) what = "a bound counts the expansion";
  }
  for (size_t k = 0; k < g->edges && !what; k++)
    if (says[g->from[k]] != DISTANCE_FAR ? says[g->from[k]] - 1 > says[g->to[k]] && says[g->from[k]] : says[g->to[k]] != DISTANCE_FAR)
      what = "a bound falls by one at most in a step";
  if (what) {
    printf("# %s %s: %s\n", p->id, p->expr ? expr_text(p->expr) : "", what);
  }
  distance_close(bound);
  distance_close(guess);
  g->model->type->cursor_close(c);
  free(far);
  free(says);
  return what;
}

/* ---- random expressions -------------------------------------------------------------------------------------------------- */

static int sum(char *out, const struct model *m, struct rng *r) {
  int n = 0;
  for (unsigned k = 1 + (unsigned)rng_below(r, 3); k--;)
    n += sprintf(out + n, "%s%s%s", n ? rng_below(r, 3) ? " + " : " - " : "", rng_below(r, 4) ? "" : "2 * ", m->type->var_name(m, (uint32_t)rng_below(r, m->vars)));
  return n;
}

static int condition(char *out, const struct model *m, struct rng *r, int depth) {
  static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">="}, *const joins[] = {"&&", "||", "->", "<->"};
  int n = 0;
  if (depth && rng_below(r, 3)) {
    n += sprintf(out, rng_below(r, 4) ? "(" : "!(");
    n += condition(out + n, m, r, depth - 1);
    n += sprintf(out + n, " %s ", joins[rng_below(r, 4)]);
    n += condition(out + n, m, r, depth - 1);
    return n + sprintf(out + n, ")");
  }
  switch (rng_below(r, 8)) {
  case 0: return sprintf(out, "fireable(%s)", m->type->group_name(m, (uint32_t)rng_below(r, m->groups)));
  case 1: return sprintf(out, "!fireable(%s, %s)", m->type->group_name(m, (uint32_t)rng_below(r, m->groups)), m->type->group_name(m, (uint32_t)rng_below(r, m->groups)));
  case 2: return sprintf(out, rng_below(r, 2) ? "dead" : "!dead");
  case 3: return sprintf(out, "%s", m->type->var_name(m, (uint32_t)rng_below(r, m->vars)));
  default:
    n = sum(out, m, r);
    n += sprintf(out + n, " %s ", relations[rng_below(r, 6)]);
    return n + (rng_below(r, 3) ? sprintf(out + n, "%u", (unsigned)rng_below(r, 6)) : sum(out + n, m, r));
  }
}

static struct model *random_net(struct mem *mem, uint64_t seed) {
  struct model *m = NULL;
  struct err e;
  struct rng r = {seed};
  err_clear(&e);
  struct pt_net *net = nets_random(mem, &r, 3 + (unsigned)rng_below(&r, 5), 3 + (unsigned)rng_below(&r, 5), 14, 1 + (unsigned)rng_below(&r, 3), 2 + (unsigned)rng_below(&r, 6));
  return net && pt_model_open(&m, net, "net", &e) == 0 ? m : NULL;
}

static void law_nets(void) {
  size_t asked = 0, bad = 0, sharp = 0, left = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)often(100); seed++) {
    struct mem mem;
    struct err e;
    struct graph g;
    struct rng r = {seed * 77};
    mem_open(&mem, 0);
    err_clear(&e);
    struct model *m = random_net(&mem, seed);
    if (m && stable_graph(&g, m, &mem) == 1) {
      for (unsigned k = 0; k < 8; k++) {
        char asked_text[3000];
        struct prop p;
        condition(asked_text, m, &r, 2);
        if (prop_open(&p, k ? k % 2 ? PROP_INVARIANT : PROP_REACHABLE : PROP_DEADLOCK, k, k ? asked_text : NULL, m, &mem, &e) == 0) {
          asked++;
          if (judge(&g, &p, &mem, &sharp) && bad++ < 5) printf("# net %llu\n", (unsigned long long)seed);
        }
        prop_close(&p);
      }
      graph_free(&g);
    }
    model_close(m);
    left += mem.used != 0;
  }
  is(bad, 0, NAMED("random nets: %zu properties, distances are what they should be", asked));
  ok(asked > 200 && sharp > 400, NAMED("%zu times a bound says more than 1", sharp));
  is(left, 0, "nothing left behind");
}

/* ---- programs ------------------------------------------------------------------------------------------------------------ */

static const char *const questions[] = {"x == 3", "x < 2", "n > 1 && x != 1", "count == 0 || x == 2", "P@end", "Left.critical and Right.critical", "Left.wait imply flag[1] == 0", "!(x > 2)", "len(q) == 2", NULL};

static void law_programs(void) {
  static const char *const folders[] = {"tests/models", "examples"};
  size_t files = 0, asked = 0, bad = 0, sharp = 0, left = 0, claims = 0;
  for (size_t f = 0; f < 2; f++) {
    DIR *folder = opendir(folders[f]);
    for (struct dirent *d; folder && (d = readdir(folder));) {
      char file[300];
      const char *dot = strrchr(d->d_name, '.');
      if (!dot || !strstr(".net .pnml .aut .dve .pml .pmp", dot)) continue;
      snprintf(file, sizeof file, "%s/%s", folders[f], d->d_name);
      struct mem mem;
      struct err e;
      struct graph g;
      struct model *m = NULL;
      mem_open(&mem, 0);
      err_clear(&e);
      struct front_setup setup = {.mem = &mem, .properties = questions};
      if (front_load(&m, file, NULL, &setup, &e) == 0 && stable_graph(&g, m, &mem) == 1) {
        struct prop p;
        files++;
        for (uint32_t k = 0; m->type->claims && k < m->type->claims(m); k++) {
          if (prop_open_claim(&p, m, k, &mem, &e) == 0 && prop_wants_faults(&p)) {
            claims++;
            bad += judge(&g, &p, &mem, &sharp) != NULL;
          }
          prop_close(&p);
        }
        if (m->type->claims && prop_open_claim(&p, m, MODEL_RUNTIME, &mem, &e) == 0) {
          bad += judge(&g, &p, &mem, &sharp) != NULL;
          prop_close(&p);
        }
        if (prop_open(&p, PROP_DEADLOCK, 1, NULL, m, &mem, &e) == 0) bad += judge(&g, &p, &mem, &sharp) != NULL;
        prop_close(&p);
        for (unsigned k = 0; questions[k]; k++) {
          err_clear(&e);
          if (prop_open(&p, k % 2 ? PROP_INVARIANT : PROP_REACHABLE, k + 1, questions[k], m, &mem, &e) == 0) {
            asked++;
            bad += judge(&g, &p, &mem, &sharp) != NULL;
          }
          prop_close(&p);
        }
        graph_free(&g);
      }
      model_close(m);
      left += mem.used != 0;
      if (mem.used) printf("# %s\n", file);
    }
    if (folder) closedir(folder);
  }
  is(bad, 0, NAMED("%zu models, %zu assertions, %zu conditions: distances are what they should be", files, claims, asked));
  ok(files > 25 && claims > 5 && asked > 15 && sharp > 100, NAMED("%zu times a bound says more than 1", sharp));
  is(left, 0, "nothing left behind");
}

/* ---- searches ------------------------------------------------------------------------------------------------------------ */

struct outcome {
  enum verdict_kind kind;
  uint64_t states, transitions, deadlocks, steps, scouted;
  int shortest;
  size_t which; /* the first property that is decided */
};

static struct outcome run_one(struct model *m, struct mem *mem, const struct prop *p, size_t count, const struct search_type *search, const struct store_type *store,
                              const struct expr *heuristic, unsigned reduce) {
  struct verdict v;
  struct err e;
  struct run_setup setup = {.mem = mem, .model = m, .props = p, .prop_count = count, .search = search, .store = store, .heuristic = heuristic, .reduce = reduce, .engine = PROCESS_INTERPRETER, .limits = {.states = 5000}};
  err_clear(&e);
  if (!search) { /* the program's own choice, whose breadth-first part gives up at once where the scout has found what was asked for */
    setup.limits.states = 0;
    setup.scout = RUN_SCOUT;
    setup.shorten = 1;
  }
  run_check(&v, &setup, &e);
  struct outcome o = {v.kind, v.stats.states, v.stats.transitions, v.stats.deadlocks, 0, v.scout_states, 0, v.property_count};
  for (size_t i = 0; i < v.property_count; i++)
    if (v.property[i].evidence_count) {
      o.steps = v.property[i].evidence[0].steps;
      o.shortest = v.property[i].shortest;
      o.which = i;
      if (!v.property[i].evidence[0].trace) o.steps = UINT64_MAX; /* it was not confirmed */
      break;
    }
  verdict_close(&v);
  return o;
}

static size_t scouted; /* runs that the scout alone found */

/* What is wrong with what the scout found, or NULL. */
static const char *compare_scout(const struct outcome *want, struct model *m, struct mem *mem, const struct prop *p, size_t count, int whole) {
  struct outcome got = run_one(m, mem, p, count, NULL, &store_plain, NULL, 0);
  scouted += got.scouted > 0;
  if (got.kind != want->kind) return "the verdict";
  if (whole && (got.scouted || got.states != want->states || got.transitions != want->transitions || got.deadlocks != want->deadlocks)) return "the numbers, and no word of the scout";
  if (got.steps == UINT64_MAX) return "a run is confirmed";
  /* of several properties the one that is violated nearest to the start may not be the one that is met first */
  if (got.which == want->which && (got.shortest ? got.steps != want->steps : got.steps < want->steps)) return "no run is shorter than the shortest";
  return NULL;
}

/* Directed searches on a part of the space, whose states are not laid out as the model's are: every distance is one of that part. */
static const char *compare_reduced(const struct outcome *want, struct model *m, struct mem *mem, const struct prop *p) {
  static const struct search_type *const search[] = {NULL, &search_best, &search_astar, &search_dfs};
  static const unsigned reduce[] = {REDUCE_SLICE, REDUCE_POR, REDUCE_SYMMETRY, REDUCE_SLICE | REDUCE_POR | REDUCE_SYMMETRY};
  for (size_t k = 0; k < sizeof search / sizeof *search; k++)
    for (size_t i = 0; i < sizeof reduce / sizeof *reduce; i++) {
      struct outcome got = run_one(m, mem, p, 1, search[k], &store_plain, NULL, reduce[i]);
      if (got.kind == want->kind && got.steps != UINT64_MAX) continue;
      printf("# %s %s, %s, reductions %x: %s instead of %s\n", p->id, p->expr ? expr_text(p->expr) : "", search[k] ? search[k]->name : "auto", reduce[i], verdict_name(got.kind), verdict_name(want->kind));
      return "the verdict of a part";
    }
  return NULL;
}

/* What is wrong with a directed search for one property, or NULL. */
static const char *compare(struct model *m, struct mem *mem, const struct prop *p, size_t which, size_t *found) {
  struct outcome want = run_one(m, mem, p, 1, &search_bfs, &store_plain, NULL, 0);
  static const struct search_type *const directed[] = {&search_best, &search_astar};
  const char *what = NULL;
  if (want.kind == VERDICT_ERROR || run_one(m, mem, NULL, 0, &search_bfs, &store_plain, NULL, 0).kind == VERDICT_INCOMPLETE) return NULL; /* greedy search may never come back from infinity */
  *found += want.steps > 0;
  const int whole = !want.steps && want.kind == VERDICT_HOLDS && !prop_wants_witness(p);
  what = compare_scout(&want, m, mem, p, 1, whole);
  if (what) printf("# %s %s, scout: %s\n", p->id, p->expr ? expr_text(p->expr) : "", what);
  for (size_t k = 0; k < 2 && !what; k++)
    for (size_t s = 0; store_types[s] && !what; s++) {
      const struct store_type *store = store_types[s];
      if (s && s != which % 10) continue; /* the first, and one of the others */
      if (!(store->caps & STORE_EXACT) || store->caps & STORE_FORGETS) continue;
      struct outcome got = run_one(m, mem, p, 1, directed[k], store, NULL, 0);
      if (got.kind != want.kind) what = "the verdict";
      else if (whole && (got.states != want.states || got.transitions != want.transitions || got.deadlocks != want.deadlocks)) what = "the numbers";
      else if (k == 1 && (got.shortest ? got.steps != want.steps : want.shortest && store->caps & STORE_GET)) what = "astar is shortest, and says so";
      else if (got.steps < want.steps || got.steps == UINT64_MAX) what = "no run is shorter than the shortest";
      if (what) printf("# %s %s, %s, %s: %s (%llu steps, shortest %llu)\n", p->id, p->expr ? expr_text(p->expr) : "", directed[k]->name, store->name, what, (unsigned long long)got.steps, (unsigned long long)want.steps);
    }
  return what ? what : compare_reduced(&want, m, mem, p);
}

static void law_searches(void) {
  size_t bad = 0, found = 0, left = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)often(100); seed++) {
    struct mem mem;
    struct err e;
    struct rng r = {seed * 99};
    mem_open(&mem, 0);
    err_clear(&e);
    struct model *m = random_net(&mem, seed);
    for (unsigned k = 0; k < 4 && m; k++) {
      char asked_text[3000];
      struct prop p;
      condition(asked_text, m, &r, 2);
      if (prop_open(&p, k ? k % 2 ? PROP_INVARIANT : PROP_REACHABLE : PROP_DEADLOCK, k, k ? asked_text : NULL, m, &mem, &e) == 0 && compare(m, &mem, &p, seed + k, &found) && bad++ < 5)
        printf("# net %llu\n", (unsigned long long)seed);
      prop_close(&p);
    }
    model_close(m);
    left += mem.used != 0;
  }
  is(bad, 0, NAMED("random nets: directed searches say what breadth-first search says (%zu runs found)", found));
  ok(found > 25 && scouted > 25, NAMED("and there is something to find, also for a scout (%zu)", scouted));
  is(left, 0, "nothing left behind");
}

/* All that a model claims at once, as the command line asks it. */
static void law_program_searches(void) {
  DIR *folder = opendir("tests/models");
  size_t bad = 0, files = 0, found = 0;
  scouted = 0;
  for (struct dirent *d; folder && (d = readdir(folder));) {
    char file[300];
    const char *dot = strrchr(d->d_name, '.');
    if (!dot || !strstr(".dve .pml .pmp", dot)) continue;
    snprintf(file, sizeof file, "tests/models/%s", d->d_name);
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    struct prop p[64];
    size_t n = 0;
    mem_open(&mem, 0);
    err_clear(&e);
    struct front_setup setup = {.mem = &mem, .no_claims = 1};
    if (front_load(&m, file, NULL, &setup, &e) == 0) {
      files++;
      prop_open(&p[n++], PROP_DEADLOCK, 1, NULL, m, &mem, &e);
      for (uint32_t k = 0; k < m->type->claims(m) && n < 62; k++)
        if (prop_open_claim(&p[n], m, k, &mem, &e) == 0 && prop_wants_faults(&p[n])) n++;
        else prop_close(&p[n]);
      prop_open_claim(&p[n++], m, MODEL_RUNTIME, &mem, &e);
      for (size_t i = 0; i < n; i++) bad += compare(m, &mem, &p[i], files + i, &found) != NULL;
      struct outcome want = run_one(m, &mem, p, n, &search_bfs, &store_plain, NULL, 0), best = run_one(m, &mem, p, n, &search_best, &store_plain, NULL, 0),
                     astar = run_one(m, &mem, p, n, &search_astar, &store_plain, NULL, 0);
      const char *what = want.kind == VERDICT_INCOMPLETE ? NULL : compare_scout(&want, m, &mem, p, n, 0);
      if (what) bad++, printf("# all properties at once, scout: %s\n", what);
      if (want.kind != VERDICT_INCOMPLETE && (best.kind != want.kind || astar.kind != want.kind)) {
        bad++;
        printf("# all properties at once\n");
      }
      if (bad) printf("# %s\n", file);
      for (size_t i = 0; i < n; i++) prop_close(&p[i]);
    }
    model_close(m);
  }
  if (folder) closedir(folder);
  is(bad, 0, NAMED("%zu programs: directed searches say what breadth-first search says (%zu runs found)", files, found));
  ok(files > 15 && found > 8 && scouted > 8, NAMED("and there is something to find, also for a scout (%zu)", scouted));
}

/* A heuristic that is no bound: complete, and nothing is called shortest. */
static void law_heuristic(void) {
  struct mem mem;
  struct err e;
  struct prop p;
  struct expr *h = NULL;
  mem_open(&mem, 0);
  err_clear(&e);
  struct model *m = NULL;
  pt_model_open(&m, nets_read(&mem, "a=3 b c d | t: a -> b ; u: b -> c ; v: c -> a ; w: 2 b + c -> 3 d ; x: d -> a"), "net", &e);
  prop_open(&p, PROP_INVARIANT, 1, "d < 3", m, &mem, &e);
  ok(m && expr_parse(&h, m, &mem, "3 - b - c - d - 100 * a", "--heuristic", &e) == 0, "a heuristic that is mostly negative");
  struct outcome bfs = run_one(m, &mem, &p, 1, &search_bfs, &store_plain, NULL, 0), astar = run_one(m, &mem, &p, 1, &search_astar, &store_plain, h, 0),
                 best = run_one(m, &mem, &p, 1, &search_best, &store_compact_tree, h, 0);
  ok(bfs.kind == VERDICT_VIOLATED && best.kind == VERDICT_VIOLATED && astar.kind == VERDICT_VIOLATED, "it is found");
  ok(bfs.shortest && !best.shortest && !astar.shortest, "and not called shortest");
  expr_close(h);
  prop_close(&p);
  model_close(m);
  is(mem.used, 0, "nothing left behind");
}

int main(void) {
  law_nets();
  law_programs();
  law_searches();
  law_program_searches();
  law_heuristic();
  return done();
}
