/* replay.c -- the independent checker must believe true runs and must not believe anything else. */
#include "front/front.h"
#include "run/run.h"
#include "search/replay.h"
#include "search/trace.h"
#include "tap.h"

static const char net[] = "net forks\n"
                          "place a = 1, b = 1, left, right\n"
                          "place busy\n"
                          "transition take1 : a -> left\n"
                          "transition take2 : b -> right\n"
                          "transition work : left, right -> busy\n"
                          "transition stop : busy -> a, b\n";

static struct mem mem;
static struct err e;

static struct model *load(const char *text) {
  struct model *m = NULL;
  FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  struct front_setup setup = {.mem = &mem, .file = "test.net", .input = in};
  err_clear(&e);
  front_find("net")->load(&m, &setup, &e);
  fclose(in);
  return m;
}

static struct prop property(const struct model *m, enum prop_kind kind, const char *text) {
  struct prop p;
  err_clear(&e);
  if (prop_open(&p, kind, 1, text, m, &mem, &e)) printf("# %s\n", e.message);
  return p;
}

/* take1, take2 (now alone), work */
static uint32_t edges[] = {0, 0, 0}, groups[] = {0, 1, 2};

static int replayed(struct model *m, size_t count, const struct prop *p) {
  struct search_path path = {.edge = edges, .group = groups, .count = count};
  err_clear(&e);
  return replay_path(m, &path, p, NULL, &mem, &e);
}

static void believes(struct model *m) {
  struct prop reach = property(m, PROP_REACHABLE, "busy >= 1"), never = property(m, PROP_INVARIANT, "busy <= 0");
  struct prop dead = property(m, PROP_DEADLOCK, NULL);
  ok(replayed(m, 3, NULL) == 0, "a run");
  ok(replayed(m, 0, NULL) == 0, "the empty run");
  ok(replayed(m, 3, &reach) == 0, "that reaches what it says");
  ok(replayed(m, 3, &never) == 0, "that breaks what it says");
  ok(replayed(m, 2, &reach) == -1 && e.kind == ERR_INTERNAL && strstr(e.message, "reachable:1"), "not one that stops too early");
  ok(replayed(m, 2, &never) == -1 && e.kind == ERR_INTERNAL, "nor one that breaks nothing");
  ok(replayed(m, 3, &dead) == -1 && e.kind == ERR_INTERNAL, "nor one to a state that is no deadlock");
  edges[1] = 7;
  ok(replayed(m, 3, NULL) == -1 && e.kind == ERR_INTERNAL && strstr(e.message, "step 2"),
     "nor one with an edge that is not there");
  edges[1] = 0;
  groups[1] = 0;
  ok(replayed(m, 3, NULL) == -1 && e.kind == ERR_INTERNAL && strstr(e.message, "step 2"),
     "nor one whose step is another transition's");
  groups[1] = 1;
  prop_close(&reach);
  prop_close(&never);
  prop_close(&dead);
}

/* An engine that is wrong: the type of a model with one function exchanged. */
static const struct model_type *right;
static int64_t wrong_value(const struct model *m, const uint32_t *state, uint32_t var) {
  int64_t v = right->value(m, state, var);
  return var == 4 && v ? v + 1 : v;
}
static int wrong_step(const struct model *m, const int64_t *values, uint32_t group, int64_t *out) {
  return group == 2 ? 0 : right->define_step(m, values, group, out);
}
static void wrong_initial(const struct model *m, int64_t *values) {
  right->define_initial(m, values);
  values[0]++;
}

static void disbelieves(struct model *m) {
  struct model_type type = *m->type;
  right = m->type;
  m->type = &type;
  type.value = wrong_value;
  ok(replayed(m, 3, NULL) == -1 && e.kind == ERR_INTERNAL && strstr(e.message, "busy"), "an engine that arrives elsewhere");
  ok(replayed(m, 2, NULL) == 0, "is not noticed before it does");
  type = *right;
  type.define_step = wrong_step;
  ok(replayed(m, 3, NULL) == -1 && e.kind == ERR_INTERNAL && strstr(e.message, "work"),
     "an engine that fires what is not enabled");
  type = *right;
  type.define_initial = NULL;
  type.define_step = NULL;
  struct prop reach = property(m, PROP_REACHABLE, "busy >= 1"), dead = property(m, PROP_DEADLOCK, NULL);
  ok(replayed(m, 3, &reach) == 0, "without a definition the engine's word counts");
  ok(replayed(m, 2, &reach) == -1 && replayed(m, 3, &dead) == -1 && e.kind == ERR_INTERNAL, "but the end must be what it says");
  prop_close(&reach);
  prop_close(&dead);
  type = *right;
  type.define_initial = wrong_initial;
  ok(replayed(m, 0, NULL) == -1 && e.kind == ERR_INTERNAL, "an engine that starts elsewhere");
  m->type = right;
}

/* The whole run: a violation that does not replay is an internal error and never a verdict. */
static void no_verdict(struct model *m) {
  struct model_type type = *m->type;
  struct prop never = property(m, PROP_INVARIANT, "busy <= 0");
  struct run_setup setup = {.mem = &mem, .model = m, .props = &never, .prop_count = 1};
  struct verdict v;
  is(run_check(&v, &setup, &e), 0, "with a right engine the run has a verdict");
  ok(v.kind == VERDICT_VIOLATED && v.property[0].evidence_count == 1 && v.property[0].evidence[0].trace->count == 3,
     "violated, by 3 steps");
  verdict_close(&v);
  right = m->type;
  type.define_step = wrong_step;
  m->type = &type;
  is(run_check(&v, &setup, &e), -1, "with a wrong one it fails");
  ok(v.kind == VERDICT_ERROR && v.property[0].status == STATUS_UNKNOWN && e.kind == ERR_INTERNAL, "and claims nothing");
  is(verdict_exit_code(&v), 70, "exit code 70");
  verdict_close(&v);
  m->type = right;
  prop_close(&never);
}

static void traces(struct model *m) {
  struct search_path path = {.edge = edges, .group = groups, .count = 3};
  struct trace t;
  err_clear(&e);
  is(trace_make(&t, m, &path, &mem, &e), 0, "a trace is made");
  ok(t.count == 3 && t.vars == 5 && t.initial[0] == 1 && t.initial[2] == 0, "with the values at the start");
  is(t.change_start[1] - t.change_start[0], 2, "take1 changes two places");
  is(t.change_start[3] - t.change_start[2], 3, "work changes three");
  ok(t.change[0].var == 0 && t.change[0].from == 1 && t.change[0].to == 0, "a: 1 -> 0");
  trace_free(&t);
  err_clear(&e);
  is(trace_make_groups(&t, m, groups, 3, &mem, &e), 0, "the same from groups alone");
  ok(t.count == 3 && t.edge[2] == 0, "finds the edges");
  trace_free(&t);
  static const uint32_t nonsense[] = {2};
  err_clear(&e);
  ok(trace_make_groups(&t, m, nonsense, 1, &mem, &e) == -1 && e.kind == ERR_INTERNAL, "but not those of a run that is none");
  trace_free(&t);
}

/* Every allocation refused once: no crash, no leak. */
static void out_of_memory(struct model *m) {
  struct prop never = property(m, PROP_INVARIANT, "busy <= 0");
  size_t used = mem.used;
  struct search_path path = {.edge = edges, .group = groups, .count = 3};
  int leaks = 0, kinds = 0;
  for (size_t n = 1;; n++) {
    struct trace t;
    err_clear(&e);
    mem.fail_after = n;
    int bad = trace_make(&t, m, &path, &mem, &e) || replay_path(m, &path, &never, NULL, &mem, &e);
    int over = mem.fail_after > 0;
    mem.fail_after = 0;
    if (bad && e.kind != ERR_MEMORY) kinds++;
    trace_free(&t);
    leaks += mem.used != used;
    if (over) break;
  }
  is(leaks, 0, "refused allocations leak nothing");
  is(kinds, 0, "and are told as such");
  leaks = kinds = 0;
  struct run_setup setup = {.mem = &mem, .model = m, .props = &never, .prop_count = 1};
  for (size_t n = 1; n < 3000; n++) {
    struct verdict v;
    mem.fail_after = n;
    run_check(&v, &setup, &e);
    int over = mem.fail_after > 0;
    mem.fail_after = 0;
    int fine = v.kind == VERDICT_VIOLATED || (v.kind == VERDICT_INCOMPLETE && v.stop == STOP_MEMORY);
    if (!fine) kinds++, printf("# refusal %zu: %s, stop %s, %s\n", n, verdict_name(v.kind), search_stop_name(v.stop), e.message);
    verdict_close(&v);
    leaks += mem.used != used;
    if (over) break;
  }
  is(leaks, 0, "a whole run with refused allocations leaks nothing");
  is(kinds, 0, "and ends violated or incomplete");
  prop_close(&never);
}

int main(void) {
  mem_open(&mem, 0);
  struct model *m = load(net);
  if (!ok(m != NULL, "the net is read")) {
    printf("# %s:%ld:%ld %s\n", e.file, e.line, e.column, e.message);
    return done();
  }
  believes(m);
  disbelieves(m);
  no_verdict(m);
  traces(m);
  out_of_memory(m);
  model_close(m);
  is(mem.used, 0, "nothing is kept");
  return done();
}
