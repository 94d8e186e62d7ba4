/* replay_programs.c -- runs of programs, replayed by their definition: processes that come late bring variables that were not
 * there. */
#include "front/front.h"
#include "run/run.h"
#include "search/replay.h"
#include "search/trace.h"
#include "tap.h"

#include "base/vec.h"

/* The children are born so late that no look ahead at the model's layout has seen them. */
static const char program[] =
    "int x = 3;\n"
    "proctype kid(int n) { chan c = [2] of { byte }; int y = n * 100; c ! 1; c ! y; assert(y < 300); x = y }\n"
    "init { byte i; short w; do :: d_step { w < 500 -> w++ } :: w == 500 -> break od; x = 1; do :: i < 3 -> i++; run kid(i) :: i "
    "== 3 -> break od; x = 70000; (x == 0) }\n";

static struct mem mem;
static struct err e;

static struct model *load(void) {
  struct model *m = NULL;
  FILE *in = fmemopen((void *)(uintptr_t)program, strlen(program), "r");
  struct front_setup setup = {.mem = &mem, .file = "test.pml", .input = in};
  err_clear(&e);
  if (front_find("promela")->load(&m, &setup, &e)) printf("# %s\n", e.message);
  fclose(in);
  return m;
}

/* A run: always the last successor, which is the oldest process's, so that all come into being first. */
static struct vec(uint32_t) edges, groups;
static void make_run(void) {
  struct model *m = load();
  struct stepper s;
  uint32_t group = 0;
  if (!m || stepper_open(&s, m, &mem, &e)) return;
  while (stepper_expand(&s, &e) == 0 && s.batch.count) {
    uint32_t k = (uint32_t)s.batch.count - 1;
    if (stepper_take(&s, k, &group, &e) != 1 || vec_push(&edges, &mem, MEM_OTHER, k) || vec_push(&groups, &mem, MEM_OTHER, group))
      break;
  }
  stepper_close(&s);
  model_close(m);
}

static int replayed(struct model *m, size_t count, const struct prop *p) {
  struct search_path path = {.edge = edges.at, .group = groups.at, .count = count};
  err_clear(&e);
  return replay_path(m, &path, p, NULL, &mem, &e);
}

static void believes(void) {
  struct model *m = load();
  uint32_t vars = m->vars;
  ok(replayed(m, edges.count, NULL) == 0, "a run to the end, on a model that has seen nothing yet");
  if (e.kind) printf("# %s\n", e.message);
  ok(m->vars > vars, "there are more variables than before");
  struct prop dead, large, small, fires;
  int bad = prop_open(&dead, PROP_DEADLOCK, 1, NULL, m, &mem, &e) ||
            prop_open(&large, PROP_REACHABLE, 2, "x >= 300", m, &mem, &e) ||
            prop_open(&small, PROP_INVARIANT, 3, "x <= 70000", m, &mem, &e) ||
            prop_open(&fires, PROP_INVARIANT, 4, "!dead()", m, &mem, &e);
  if (!ok(!bad, "properties")) printf("# %s\n", e.message);
  ok(replayed(m, edges.count, &dead) == 0, "it ends where nothing is possible by the definition");
  ok(replayed(m, edges.count - 1, &dead) == -1 && e.kind == ERR_INTERNAL, "one step before, something is");
  ok(replayed(m, edges.count, &fires) == 0, "the same said as an expression");
  ok(replayed(m, edges.count - 1, &fires) == -1 && e.kind == ERR_INTERNAL, "and not one step before");
  ok(replayed(m, edges.count, &large) == 0, "what it reaches");
  ok(replayed(m, edges.count, &small) == -1 && e.kind == ERR_INTERNAL, "what it does not break");
  prop_close(&dead);
  prop_close(&large);
  prop_close(&small);
  prop_close(&fires);
  uint32_t kept = edges.at[3];
  edges.at[3] = 77;
  ok(replayed(m, edges.count, NULL) == -1 && e.kind == ERR_INTERNAL && strstr(e.message, "step 4"), "an edge that is not there");
  edges.at[3] = kept;
  groups.at[3]++;
  ok(replayed(m, edges.count, NULL) == -1 && e.kind == ERR_INTERNAL && strstr(e.message, "step 4"),
     "a step of another transition");
  groups.at[3]--;
  model_close(m);
}

/* Definitions and engines that are wrong. */
static const struct model_type *right;
static int wrong_edge, calls;
static int define_wrong(const struct model *m, const int64_t *values, uint32_t k, uint32_t *group, int64_t *out,
                        struct mem *where) {
  int there = right->define_edge(m, values, k, group, out, where);
  if (++calls < 5) return there;
  if (wrong_edge == 0) ++*group;
  if (wrong_edge == 1) out[m->vars - 1]++;
  return wrong_edge == 2 ? 0 : wrong_edge == 3 ? -1 : there;
}

static void disbelieves(void) {
  static const char *const what[] = {"another transition by the definition", "another value by the definition",
                                     "no step by the definition", "no memory for the definition"};
  for (wrong_edge = 0; wrong_edge < 4; wrong_edge++) {
    struct model *m = load();
    struct model_type type = *m->type;
    right = m->type;
    type.define_edge = define_wrong;
    m->type = &type;
    calls = 0;
    ok(replayed(m, edges.count, NULL) == -1 && e.kind == (wrong_edge == 3 ? ERR_MEMORY : ERR_INTERNAL), what[wrong_edge]);
    m->type = right;
    model_close(m);
  }
}

static void traces(void) {
  struct model *m = load();
  struct search_path path = {.edge = edges.at, .group = groups.at, .count = edges.count};
  struct trace t;
  size_t late = 0;
  int zero = 1;
  ok(trace_make(&t, m, &path, &mem, &e) == 0 && t.count == edges.count, "a trace is made");
  for (size_t v = 0; v < t.vars; v++)
    if (strncmp(t.start[v].name, "kid[3]", 6) == 0) late++, zero &= t.initial[v] == 0;
  ok(late > 2, "it has the variables of the process that came last");
  ok(zero, "they were 0 at the start");
  late = 0;
  for (size_t i = 0; i < t.change_count; i++) late += strncmp(t.start[t.change[i].var].name, "kid[3]", 6) == 0;
  ok(late > 4, "and changed later");
  trace_free(&t);
  model_close(m);
}

static void out_of_memory(void) {
  int leaks = 0, kinds = 0;
  size_t n = 1;
  for (;; n += 1 + n / 15) {
    struct model *m = load();
    struct search_path path = {.edge = edges.at, .group = groups.at, .count = edges.count};
    struct trace t = {0};
    size_t used = mem.used;
    err_clear(&e);
    mem.fail_after = n;
    int bad = trace_make(&t, m, &path, &mem, &e);
    int over = mem.fail_after > 0;
    mem.fail_after = 0;
    if (bad && e.kind != ERR_MEMORY && kinds++ < 3) printf("# refusal %zu: %s\n", n, e.message);
    trace_free(&t);
    model_close(m);
    leaks += mem.used > used;
    if (over) break;
  }
  is(leaks, 0, "refused allocations leak nothing");
  is(kinds, 0, "and are told as such");
  ok(n > 100, "many were refused");
}

/* A whole run: the assertion fails in a process that came late. */
static void verdicts(void) {
  struct model *m = load();
  struct verdict v;
  struct prop own = {0};
  int made = prop_open(&own, PROP_INVARIANT, 1, "x < 70000", m, &mem, &e);
  struct run_setup setup = {.mem = &mem, .model = m, .props = &own, .prop_count = 1};
  ok(!made && run_check(&v, &setup, &e) == 0, "a run");
  is(v.kind, VERDICT_VIOLATED, "is violated, and its trace was believed");
  verdict_close(&v);
  prop_close(&own);
  model_close(m);
}

int main(void) {
  mem_open(&mem, 0);
  make_run();
  if (!ok(edges.count > 20, "there is a run")) return done();
  believes();
  disbelieves();
  traces();
  out_of_memory();
  verdicts();
  vec_free(&edges, &mem);
  vec_free(&groups, &mem);
  is(mem.used, 0, "nothing is kept");
  return done();
}
