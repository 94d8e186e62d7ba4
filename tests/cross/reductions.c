/* reductions.c -- every subset of the reductions, over searches and stores, on random programs, nets and coloured nets: each verdict is that of the run without any, and every run that shows a violation is one of the model as it is.
 *
 * Properties are deadlocks, assertions, run-time errors, conditions of states, and formulas without next. */
#include "tap.h"

#include "base/rng.h"
#include "coloured_random.h"
#include "front/front.h"
#include "net/pt_model.h"
#include "nets.h"
#include "process/process.h"
#include "programs.h"
#include "reduced_runs.h"

static char text[9000];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

enum { MODELS = 300, MOST = 3000, ASKED = 3 };

enum { PROMELA, DVE, NET, ALIKE /* processes of Promela that are alike */, COLOURED, POINTERS /* PROM+ */, KINDS };

static const char *const promela_atoms[] = {"x == 2", "len(c) == 1", "a[1] > y", "P0[1]@L0", "x == 1 && y == 1", "len(d) == 2", "z != 0", "P1[2]@L1", "y == 0"};
static const char *const dve_atoms[] = {"x == 2", "y == 1 and x == 1", "z > y", "P0.s1", "P0.s1 and P1.s1", "x == 1"};
static const char *const alike_atoms[] = {"x == 2", "turn == 255", "len(c) == 1", "x == 1 && len(d) == 0", "w == 1", "P[2]@L", "flag[2]", "x == 0"};
static const char *const coloured_atoms[] = {"'size A0 > 1'", "'size A1 = 2'", "'cf(p(1), A0) > 0'", "'size A2 > size A0'", "'cf(p(2), A1) = 1'", "'A0 = A1'", "'cf((p(1), p(2)), A2) > 0'", "'size A2 = 0'", "'size A0 = 0'"};
static const char *const pointer_atoms[] = {"x == 2", "w == 1", "g == null", "x == 1 && len(q) == 0", "y == 1", "x == 0"};
static const char *const shapes[] = {"[] <> (%s)", "<> [] (%s)", "[] ((%s) -> <> (%s))", "(%s) U (%s)", "[] (%s)", "<> ((%s) && <> (%s))"};

struct tally {
  size_t models, compared, wrong, unconfirmed, longer, left;
  size_t used[REDUCE_ALL + 1];
  uint64_t all, fewer;
};

static struct model *load(const char *program, const char *language, struct mem *mem) {
  struct err e;
  struct model *m = NULL;
  err_clear(&e);
  FILE *f = fmemopen((void *)(uintptr_t)program, strlen(program), "r");
  struct front_setup setup = {.mem = mem, .file = "random", .input = f};
  if (!f) return NULL;
  if (front_find(language)->load(&m, &setup, &e)) printf("# %s\n# %s\n", e.message, program);
  fclose(f);
  return m;
}

static const char *atom(struct rng *r, int kind, const struct pt_net *net, char *out, size_t room) {
  static const char *relations[] = {"==", "<", ">="};
  if (kind == PROMELA) return promela_atoms[rng_below(r, sizeof promela_atoms / sizeof *promela_atoms)];
  if (kind == DVE) return dve_atoms[rng_below(r, sizeof dve_atoms / sizeof *dve_atoms)];
  if (kind == COLOURED) return coloured_atoms[rng_below(r, sizeof coloured_atoms / sizeof *coloured_atoms)];
  if (kind == ALIKE) return alike_atoms[rng_below(r, sizeof alike_atoms / sizeof *alike_atoms)];
  if (kind == POINTERS) return pointer_atoms[rng_below(r, sizeof pointer_atoms / sizeof *pointer_atoms)];
  snprintf(out, room, "%s %s %u", net->place_id[rng_below(r, net->places)], relations[rng_below(r, 3)], (unsigned)rng_below(r, 3));
  return out;
}

static size_t ask(struct prop *p, struct model *m, struct mem *mem, struct rng *r, int kind, const struct pt_net *net) {
  struct err e;
  size_t count = 0;
  char first[100], second[100], said[300];
  int runs = rng_below(r, 3) == 0; /* of runs by itself: a violation of something else would end the run before it is looked at */
  err_clear(&e);
  if (!runs && rng_below(r, 4)) prop_open(&p[count++], PROP_DEADLOCK, 1, NULL, m, mem, &e);
  for (uint32_t c = 0; !runs && m->type->claims && c < m->type->claims(m) && count < 20 && rng_below(r, 4); c++) count += prop_open_claim(&p[count], m, c, mem, &e) == 0;
  if (!runs && m->type->claims && rng_below(r, 2)) count += prop_open_claim(&p[count], m, MODEL_RUNTIME, mem, &e) == 0;
  for (unsigned i = 0, wanted = runs ? 1 : (unsigned)rng_below(r, ASKED + 1); i < wanted; i++) {
    const char *a = atom(r, kind, net, first, sizeof first), *b = atom(r, kind, net, second, sizeof second);
    snprintf(said, sizeof said, runs ? shapes[rng_below(r, sizeof shapes / sizeof *shapes)] : "%s", a, b);
    count += prop_open(&p[count], runs ? PROP_LTL : rng_below(r, 2) ? PROP_INVARIANT : PROP_REACHABLE, i + 1, said, m, mem, &e) == 0;
    err_clear(&e);
  }
  return count;
}

static void compare(struct tally *t, struct model *m, struct mem *mem, struct rng *r, int kind, const struct pt_net *net, const char *program) {
  static const struct search_type *searches[] = {&search_bfs, &search_dfs};
  static const struct store_type *stores[] = {&store_plain, &store_compact_tree, &store_comback, &store_tree, &store_delta};
  struct prop p[REDUCED_PROPERTIES];
  size_t count = ask(p, m, mem, r, kind, net);
  struct reduced_outcome want = reduced_run(m, mem, p, count, &(struct reduced_how){.search = &search_bfs, .store = &store_plain, .most = MOST});
  for (unsigned subset = 1; subset <= REDUCE_ALL && want.complete && count; subset++) {
    struct reduced_how how = {.reduce = subset, .search = searches[rng_below(r, 2)], .store = stores[rng_below(r, 5)], .most = 20 * MOST};
    struct reduced_outcome got = reduced_run(m, mem, p, count, &how);
    t->used[got.used]++;
    if (!got.complete && !got.confirmed && !t->unconfirmed++) printf("# subset %u, %s, %s: no path in\n%s\n", subset, how.search->name, how.store->name, program);
    if (!got.complete) {
      if (want.complete == 2 && !t->longer++) printf("# subset %u, %s, %s: %llu states and no end, not %llu in\n%s\n", subset, how.search->name, how.store->name, (unsigned long long)got.states, (unsigned long long)want.states, program);
      continue;
    }
    t->compared++;
    t->all += want.states;
    t->fewer += got.states;
    if (!got.confirmed && !t->unconfirmed++) printf("# subset %u, %s, %s: not confirmed in\n%s\n", subset, how.search->name, how.store->name, program);
    for (size_t i = 0; i < count; i++)
      if (want.status[i] != got.status[i] && !t->wrong++)
        printf("# subset %u, %s, %s: %s (%s) %s instead of %s in\n%s\n", subset, how.search->name, how.store->name, p[i].id, p[i].temporal ? p[i].temporal->text : p[i].expr ? expr_text(p[i].expr) : "", prop_status_name(got.status[i]),
               prop_status_name(want.status[i]), program);
  }
  for (size_t i = 0; i < count; i++) prop_close(&p[i]);
}

int main(int argc, char **argv) {
  int only = argc > 3 ? atoi(argv[3]) : -1; /* this kind alone */
  struct rng r = {argc > 1 ? strtoull(argv[1], NULL, 10) : 29};
  int models = argc > 2 ? atoi(argv[2]) : getenv("THIMBLE_LONG") ? 1000 : MODELS;
  struct tally t = {0};
  for (int k = 0; k < models; k++) {
    static char program[8000];
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    struct pt_net *net = NULL;
    int kind = k % 4 ? (int)rng_below(&r, KINDS) : COLOURED; /* of which fewer have something to reduce */
    if (only >= 0) kind = only;
    mem_open(&mem, 0);
    err_clear(&e);
    if (kind == NET) {
      snprintf(program, sizeof program, "a net, number %d", k);
      net = nets_random(&mem, &r, 3 + (unsigned)rng_below(&r, 6), 2 + (unsigned)rng_below(&r, 7), 2 + (unsigned)rng_below(&r, 2), 1 + (unsigned)rng_below(&r, 2), 2);
      if (net && pt_model_open(&m, net, "net", &e)) m = NULL;
    } else {
      static const char *const language[KINDS] = {"promela", "dve", NULL, "promela", "cpnt", "prom+"};
      if (kind == COLOURED) coloured_random(program, sizeof program, &r);
      else if (kind == POINTERS) programs_random_pointers(program, sizeof program, &r, 1);
      else if (kind == ALIKE) programs_random_alike(program, sizeof program, &r);
      else if (kind == DVE) programs_random_dve(program, sizeof program, &r);
      else programs_random(program, sizeof program, &r);
      m = load(program, language[kind], &mem);
      if (m && kind != COLOURED) process_choose_engine(m, PROCESS_INTERPRETER, 0, NULL);
    }
    if (!m) {
      t.wrong++;
      continue;
    }
    t.models++;
    compare(&t, m, &mem, &r, kind, net, program);
    model_close(m);
    t.left += mem.used != 0;
  }
  is(t.wrong, 0, NAMED("%zu runs on %zu models: the same verdicts", t.compared, t.models));
  is(t.unconfirmed, 0, "every violation is shown by a run of the model as it is");
  is(t.longer, 0, "what ends by itself ends with fewer states, too");
  for (unsigned i = 1; i <= REDUCE_ALL; i++) printf("# reductions %u: %zu runs\n", i, t.used[i]);
  ok(t.fewer < t.all, NAMED("%llu states instead of %llu", (unsigned long long)t.fewer, (unsigned long long)t.all));
  is(t.left, 0, "nothing left behind");
  return done();
}
