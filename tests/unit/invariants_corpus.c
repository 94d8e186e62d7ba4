/* invariants_corpus.c -- flows of the contest's nets: complete and quick, unchanged along random runs; bounds and maximal
 * markings against the contest's answers where the whole coverability set is small. */
#include "tap.h"

#include "front/pnml/pnml.h"
#include "net/coverability.h"
#include "net/invariants.h"
#include "nets.h"

#include <glob.h>

enum { STEPS = 300, MOST_NODES = 12000 };

/* One number of ORACLE.csv; -1 = not there. */
static long long answer(const char *oracle, const char *model, const char *question) {
  char line[256], key[200];
  long long n = -1;
  FILE *f = fopen(oracle, "re");
  if (!f) return -1;
  size_t length = (size_t)snprintf(key, sizeof key, "%s,PT,%s,", model, question);
  while (fgets(line, sizeof line, f))
    if (strncmp(line, key, length) == 0) n = strtoll(line + length, NULL, 10);
  fclose(f);
  return n;
}

static int flows_hold(const struct flows *f, const int64_t *m) {
  for (size_t i = 0; i < f->count; i++) {
    __int128 sum = 0;
    for (uint32_t k = 0; k < f->at[i].count; k++) sum += (__int128)f->at[i].weight[k] * m[f->at[i].index[k]];
    if (sum != f->at[i].value) return 0;
  }
  return 1;
}

static int bounds_hold(const uint32_t *bound, const int64_t *m, uint32_t places) {
  for (uint32_t p = 0; p < places; p++)
    if (bound[p] != PT_NONE && m[p] > bound[p]) return 0;
  return 1;
}

/* Fires enabled transitions at random and holds everything against the markings. */
static int run(const struct pt_net *n, const struct flows *basis, const uint32_t *bound, struct rng *rng) {
  int64_t *m = calloc(n->places + 1, sizeof *m);
  int good = 1;
  for (uint32_t p = 0; p < n->places; p++) m[p] = n->initial[p];
  for (int step = 0; step < STEPS && good && n->transitions; step++) {
    uint32_t first = (uint32_t)rng_below(rng, n->transitions), fired = 0;
    for (uint32_t i = 0; i < n->transitions && !fired; i++) fired = (uint32_t)nets_fire(n, m, (first + i) % n->transitions);
    if (!fired) break;
    if (step % 10 == 0) good = flows_hold(basis, m) && bounds_hold(bound, m, n->places);
  }
  free(m);
  return good;
}

struct totals {
  int nets, incomplete, broken, wrong, compared, slow;
};

static void one(const char *path, const char *oracle, struct totals *total) {
  struct mem mem;
  struct err err;
  struct pt_net *n;
  struct rng rng = {17};
  mem_open(&mem, (size_t)1 << 30);
  err_clear(&err);
  FILE *f = fopen(path, "re");
  struct front_setup setup = {.mem = &mem, .file = path, .input = f};
  int status = pnml_read(&n, &setup, &err);
  fclose(f);
  if (status) return; /* coloured: the reader's own tests */
  total->nets++;
  struct flows basis, semi;
  double t0 = cpu_now();
  for (enum flow_side side = FLOW_TRANSITIONS;; side = FLOW_PLACES) {
    total->broken += flows_basis(&basis, n, side, &mem, 0, &err) != 0;
    total->incomplete += !basis.complete;
    if (side == FLOW_PLACES) break;
    flows_close(&basis);
  }
  total->broken += flows_semi(&semi, n, FLOW_PLACES, &mem, 2000000, &err) != 0;
  total->slow += cpu_now() - t0 > 5;
  uint32_t *bound = calloc(n->places + 1, sizeof *bound);
  flows_bounds(&semi, n, bound);
  total->wrong += !run(n, &basis, bound, &rng);
  flows_close(&semi);
  flows_close(&basis);

  char model[200];
  const char *end = strrchr(path, '/'), *begin = end;
  while (begin > path && begin[-1] != '/') begin--;
  snprintf(model, sizeof model, "%.*s", (int)(end - begin), begin);
  long long states = answer(oracle, model, "StateSpace.STATES"), most = answer(oracle, model, "StateSpace.MAX_TOKEN_IN_PLACE");
  if (states > 0 && states < MOST_NODES && n->places < 1500) {
    struct coverability c;
    struct coverability_setup how = {.mem = &mem, .max_nodes = 2 * MOST_NODES};
    total->broken += coverability_run(&c, n, &how, &err) != 0;
    long long largest = 0;
    int below = 1;
    for (uint32_t p = 0; p < n->places; p++) {
      if (c.bound[p] > largest) largest = c.bound[p];
      below &= bound[p] == PT_NONE || c.bound[p] <= bound[p];
    }
    int good = c.complete && !c.unbounded && below && (long long)c.kept <= states && (most < 0 || largest == most);
    if (!good)
      printf("# %s: %zu kept of %lld, largest %lld of %lld, %s\n", model, c.kept, states, largest, most,
             c.limit ? c.limit : "complete");
    total->wrong += !good;
    total->compared++;
    coverability_close(&c);
  }
  free(bound);
  pt_close(n);
  total->broken += mem.used != 0;
}

int main(void) {
  const char *corpus = getenv("THIMBLE_CORPUS");
  char pattern[4096], oracle[4096];
  glob_t files;
  struct totals total = {0};
  if (!corpus) corpus = "../shared/corpus";
  snprintf(pattern, sizeof pattern, "%s/pnml/*-PT-*/model.pnml", corpus);
  snprintf(oracle, sizeof oracle, "%s/pnml/ORACLE.csv", corpus);
  if (glob(pattern, 0, NULL, &files)) {
    skip("flows of the contest's nets", "no corpus");
    return done();
  }
  for (size_t i = 0; i < files.gl_pathc; i++) one(files.gl_pathv[i], oracle, &total);
  printf("# %d nets, %d compared with the contest's state spaces\n", total.nets, total.compared);
  is(total.broken, 0, "every analysis ends in order");
  is(total.incomplete, 0, "every basis is complete");
  is(total.wrong, 0, "flows and bounds hold along random runs; bounds are those of the contest");
  is(total.slow, 0, "quickly");
  globfree(&files);
  return done();
}
