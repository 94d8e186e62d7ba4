/* api.c -- thimble.h as a C program uses it: verdicts, traces, limits, mistakes. */
#include "tap.h"

#include <thimble.h>

/* A counter modulo 1000 that may also double; `broken` sets a bit it does not own. */
struct counter {
  int broken, stuck_at;
};

static void initial(void *context, uint32_t *state) {
  (void)context;
  state[0] = 1;
}

static void successors(void *context, const uint32_t *state, struct thimble_successors *out) {
  struct counter *c = context;
  if (c->stuck_at && (int)state[0] == c->stuck_at) return;
  uint32_t *next = thimble_add(out, 0);
  if (!next) return;
  next[0] = (state[0] + 1) % 1000;
  next = thimble_add(out, 1);
  if (!next) return;
  next[0] = state[0] * 2 % 1000;
  if (c->broken && state[0] == 500) next[0] |= 1u << 20;
}

static const char *action_name(void *context, unsigned action) {
  (void)context;
  return action ? "double" : "add";
}

static const char *const variables[] = {"count", NULL};

static int64_t value(void *context, const uint32_t *state, unsigned variable) {
  (void)context, (void)variable;
  return state[0];
}

static int is_end(void *context, const uint32_t *state) {
  struct counter *c = context;
  return (int)state[0] == c->stuck_at;
}

static uint32_t last_seen;
static size_t steps_seen;
static void see(void *context, const uint32_t *state, size_t step) {
  (void)context;
  last_seen = state[0];
  steps_seen = step;
}

/* A number that we raise by one and the environment doubles, up to 15: who owns an action is told by the model. */
static void number_begin(void *context, uint32_t *s) { (void)context, s[0] = 1; }
static void number_next(void *context, const uint32_t *s, struct thimble_successors *out) {
  (void)context;
  if (s[0] >= 15) return;
  thimble_add(out, 0)[0] = s[0] + 1;
  if (s[0] % 2 == 0) thimble_add(out, 1)[0] = 2 * s[0] > 15 ? 15 : 2 * s[0];
}
static int64_t number_value(void *context, const uint32_t *s, unsigned v) { return (void)context, (void)v, s[0]; }
static int number_theirs(void *context, unsigned action) { return (void)context, action == 1; }

static void games(void) {
  static const char *const names[] = {"n", NULL}, *const three[] = {"reach n == 3", NULL}, *const end[] = {"reach n == 15", NULL};
  struct thimble_model m = {.words = 1, .bits = 4, .initial = number_begin, .successors = number_next, .variables = names, .value = number_value};
  struct thimble_options o = {.ignore_deadlock = 1, .strategies = three};
  struct thimble_result r;
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_HOLDS && r.step_count == 2, "a game of one's own: all is ours");
  thimble_result_free(&r);
  m.is_uncontrollable = number_theirs;
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_VIOLATED, "unless the model says otherwise");
  thimble_result_free(&r);
  o.strategies = end;
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_HOLDS, "what nobody can avoid is reached");
  thimble_result_free(&r);
}

/* Nine counters to nine each, 10^9 states: the sum of 60 is deep in there. */
static void counters_begin(void *context, uint32_t *s) { (void)context, s[0] = 0, s[1] = 0; }
static void counters_next(void *context, const uint32_t *s, struct thimble_successors *out) {
  (void)context;
  for (unsigned i = 0; i < 9; i++) {
    if ((s[i / 8] >> i % 8 * 4 & 15) == 9) continue;
    uint32_t *next = thimble_add(out, i);
    if (!next) return;
    memcpy(next, s, 2 * sizeof *s);
    next[i / 8] += 1u << i % 8 * 4;
  }
}
static int64_t counters_value(void *context, const uint32_t *s, unsigned v) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 9; i++) sum += s[i / 8] >> i % 8 * 4 & 15;
  return (void)context, (void)v, sum;
}

static void deep(void) {
  static const char *const names[] = {"sum", NULL}, *const below[] = {"sum < 60", NULL};
  struct thimble_model m = {.words = 2, .bits = 36, .actions = 9, .initial = counters_begin, .successors = counters_next, .variables = names, .value = counters_value};
  struct thimble_options o = {.invariants = below, .memory = 1 << 20};
  struct thimble_result r;
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_VIOLATED && !r.shortest && r.step_count == 60, "a violation that breadth-first search has no room for");
  is(thimble_replay(&m, r.steps, r.step_count, see, NULL), 60, "and its run");
  thimble_result_free(&r);
  o.search = "bfs";
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_INCOMPLETE, "who asks for it gets that search alone");
  thimble_result_free(&r);
  o.search = "auto";
  o.max_depth = 3;
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_INCOMPLETE, "and a limit of depth is one");
  thimble_result_free(&r);
}

/* Actions that are not told: their numbers are the program's own, and all that is asked is answered as if they were. */
static unsigned far_apart(unsigned action) { return action ? 4000000000u + action : 17; }
static void untold_next(void *context, const uint32_t *s, struct thimble_successors *out) {
  struct counter *c = context;
  if (c->stuck_at && (int)s[0] == c->stuck_at) return;
  thimble_add(out, far_apart(0))[0] = (s[0] + 1) % 1000;
  thimble_add(out, far_apart(1))[0] = s[0] * 2 % 1000;
}

static enum thimble_verdict untold_verdict(struct thimble_model *m, const struct thimble_options *o, struct thimble_result *r) {
  thimble_result_free(r);
  return thimble_check(m, o, r) == 0 ? r->verdict : THIMBLE_ERROR;
}

static void untold(void) {
  struct counter c = {0};
  static const char *const alive[] = {"!dead", NULL}, *const ends[] = {"dead", NULL}, *const stays[] = {"<> [] count == 5", NULL}, *const often[] = {"[] <> dead", NULL}, *const goes_on[] = {"AG !dead", NULL}, *const dies[] = {"AG EF dead", NULL}, *const reach[] = {"reach count == 6", NULL}, *const named[] = {"fireable(add)", NULL};
  struct thimble_model m = {.words = 1, .context = &c, .initial = initial, .successors = untold_next, .variables = variables, .value = value};
  struct thimble_result r = {0};
  is(untold_verdict(&m, NULL, &r), THIMBLE_HOLDS, "actions that are not told: no deadlock");
  is(untold_verdict(&m, &(struct thimble_options){.invariants = alive, .ctl = goes_on}, &r), THIMBLE_HOLDS, "something can always happen");
  is(untold_verdict(&m, &(struct thimble_options){.ltl = stays}, &r), THIMBLE_VIOLATED, "a run that goes on for ever");
  ok(r.step_count && r.loop < r.step_count && (r.steps[0].action == far_apart(0) || r.steps[0].action == far_apart(1)), "whose actions have the program's own numbers");
  is(untold_verdict(&m, &(struct thimble_options){.strategies = reach}, &r), THIMBLE_HOLDS, "a game");
  is(untold_verdict(&m, &(struct thimble_options){.invariants = named}, &r), THIMBLE_ERROR, "names of actions that are not told are unknown");
  c.stuck_at = 77;
  is(untold_verdict(&m, NULL, &r), THIMBLE_VIOLATED, "a deadlock");
  is(untold_verdict(&m, &(struct thimble_options){.ignore_deadlock = 1, .reachable = ends, .ctl = dies}, &r), THIMBLE_HOLDS, "is met, and from everywhere");
  is(untold_verdict(&m, &(struct thimble_options){.ignore_deadlock = 1, .ltl = often}, &r), THIMBLE_VIOLATED, "but not on every run");
  thimble_result_free(&r);
}

/* Models that contradict themselves. */
static unsigned fickle_calls;
static void fickle_next(void *context, const uint32_t *s, struct thimble_successors *out) {
  (void)context;
  thimble_add(out, 0)[0] = (s[0] + 1) % 5000;
  if (fickle_calls++ >= 4000) thimble_add(out, 1)[0] = 3;
}
static void beyond_next(void *context, const uint32_t *s, struct thimble_successors *out) { (void)context, thimble_add(out, 3)[0] = s[0] + 1; }
static void far_begin(void *context, uint32_t *s) { (void)context, s[0] = 1u << 20; }

static void contradictions(void) {
  struct thimble_model m = {.words = 1, .initial = initial, .successors = fickle_next, .variables = variables, .value = value};
  struct thimble_result r;
  ok(thimble_check(&m, NULL, &r) == -1 && r.verdict == THIMBLE_ERROR && strstr(r.message, "asked about the same state again"), "another answer the second time is the model's error");
  thimble_result_free(&r);
  m.successors = beyond_next, m.actions = 3;
  ok(thimble_check(&m, NULL, &r) == -1 && strstr(r.message, "reached by action 3, but the model declares 3 actions"), "and so is an action that is not there");
  thimble_result_free(&r);
  m.initial = far_begin, m.bits = 20;
  ok(thimble_check(&m, NULL, &r) == -1 && strstr(r.message, "the initial state has bits set beyond the 20"), "and an initial state that does not fit");
  thimble_result_free(&r);
}

int main(void) {
  struct counter c = {0};
  untold();
  contradictions();
  deep();
  struct thimble_model m = {.words = 1,
                            .bits = 10,
                            .context = &c,
                            .initial = initial,
                            .successors = successors,
                            .action_name = action_name,
                            .actions = 2,
                            .variables = variables,
                            .value = value,
                            .name = "counter"};
  struct thimble_options o = {0};
  struct thimble_result r;

  ok(thimble_check(&m, NULL, &r) == 0 && r.verdict == THIMBLE_HOLDS && r.complete, "a model without options");
  is(r.states, 1000, "its states");
  is(r.transitions, 2000, "its transitions");
  thimble_result_free(&r);

  static const char *const below[] = {"count < 999", NULL};
  o.invariants = below;
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_VIOLATED && r.shortest, "an invariant is violated");
  is_text(r.property, "invariant:1", "and named");
  ok(r.step_count > 0 && strcmp(r.steps[0].name, "add") + strcmp(r.steps[0].name, "double") != 0, "steps have names");
  is(thimble_replay(&m, r.steps, r.step_count, see, NULL), r.step_count, "the run can be taken again");
  ok(last_seen == 999 && steps_seen == r.step_count, "and ends where it should");
  size_t shortest = r.step_count;
  thimble_result_free(&r);
  o.search = "dfs";
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_VIOLATED && !r.shortest && r.step_count >= shortest,
     "dfs finds it too, and claims nothing");
  thimble_result_free(&r);

  static const char *const there[] = {"count == 512", "fireable(double) && count == 3", NULL};
  o = (struct thimble_options){.reachable = there};
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_HOLDS, "both are reachable");
  is(r.step_count, 9, "512 by nine doublings");
  thimble_result_free(&r);

  static const char *const often[] = {"[] <> (count == 0)", NULL}, *const back[] = {"AG EF (count == 0)", NULL};
  o = (struct thimble_options){.ctl = back};
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_HOLDS, "a branching formula");
  thimble_result_free(&r);
  o.ltl = often;
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_VIOLATED && strcmp(r.property, "ltl:1") == 0 && r.loop < r.step_count,
     "a temporal formula is broken by a run that goes on for ever");
  is(thimble_replay(&m, r.steps, r.loop, see, NULL), r.loop, "the way to its loop");
  uint32_t there_then = last_seen;
  is(thimble_replay(&m, r.steps, r.step_count, see, NULL), r.step_count, "and the loop");
  ok(last_seen == there_then && last_seen != 0, "which comes back");
  thimble_result_free(&r);
  static const char *const odd[] = {"[] <> (cuont == 0)", NULL};
  o.ltl = odd;
  ok(thimble_check(&m, &o, &r) == -1 && strstr(r.message, "cuont"), "an unknown name in a formula");
  thimble_result_free(&r);

  c.stuck_at = 77;
  ok(thimble_check(&m, NULL, &r) == 0 && r.verdict == THIMBLE_VIOLATED && strcmp(r.property, "deadlock") == 0,
     "a state without successors");
  thimble_result_free(&r);
  m.is_end = is_end;
  ok(thimble_check(&m, NULL, &r) == 0 && r.verdict == THIMBLE_HOLDS, "which may be a valid end");
  thimble_result_free(&r);
  c.stuck_at = 0;

  o = (struct thimble_options){.max_states = 100};
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_INCOMPLETE && strcmp(r.stop, "states") == 0 && r.states >= 100 &&
         r.states < 110,
     "a limit of states");
  thimble_result_free(&r);
  o = (struct thimble_options){.memory = 2000};
  ok(thimble_check(&m, &o, &r) == 0 && r.verdict == THIMBLE_INCOMPLETE && strcmp(r.stop, "memory") == 0, "hardly any memory");
  thimble_result_free(&r);

  c.broken = 1;
  ok(thimble_check(&m, NULL, &r) == -1 && r.verdict == THIMBLE_ERROR && strstr(r.message, "beyond the 10"),
     "bits beyond those declared are refused");
  thimble_result_free(&r);
  c.broken = 0;
  static const char *const wrong[] = {"cuont < 3", NULL};
  o = (struct thimble_options){.invariants = wrong};
  ok(thimble_check(&m, &o, &r) == -1 && strstr(r.message, "cuont"), "an unknown name");
  thimble_result_free(&r);
  o = (struct thimble_options){.store = "cellar"};
  ok(thimble_check(&m, &o, &r) == -1 && strstr(r.message, "cellar"), "an unknown store");
  thimble_result_free(&r);
  struct thimble_model none = {0};
  ok(thimble_check(&none, NULL, &r) == -1 && r.message[0], "no model at all");
  thimble_result_free(&r);

  ok(thimble_check_file("examples/philosophers.net", NULL, NULL, &r) == 0 && r.verdict == THIMBLE_VIOLATED && r.step_count == 3,
     "a file");
  is_text(r.steps[0].name, "left1", "names from the file outlive the model");
  thimble_result_free(&r);
  ok(thimble_check_file("examples/exchange.pml", NULL, NULL, &r) == 0 && r.verdict == THIMBLE_VIOLATED && strcmp(r.property, "assert:21") == 0,
     "what a file states is checked");
  thimble_result_free(&r);
  o = (struct thimble_options){.ignore_claims = 1, .ignore_deadlock = 1};
  ok(thimble_check_file("examples/exchange.pml", NULL, &o, &r) == 0 && r.verdict == THIMBLE_HOLDS, "unless nobody wants to know");
  thimble_result_free(&r);
  static const char *const wish[] = {"keep !(inside && up)", NULL}, *const other[] = {"reach inside", NULL};
  o = (struct thimble_options){.strategies = wish};
  ok(thimble_check_file("examples/crossing.net", NULL, &o, &r) == 0 && r.verdict == THIMBLE_HOLDS, "a game against the environment");
  thimble_result_free(&r);
  o.strategies = other;
  ok(thimble_check_file("examples/crossing.net", NULL, &o, &r) == 0 && r.verdict == THIMBLE_VIOLATED && strcmp(r.property, "strategy:1") == 0, "and one that is lost");
  thimble_result_free(&r);
  games();
  ok(thimble_check_file("examples/nothing.net", NULL, NULL, &r) == -1 && strstr(r.message, "nothing.net"), "a missing file");
  thimble_result_free(&r);
  ok(thimble_version()[0] >= '0', "a version");
  return done();
}
