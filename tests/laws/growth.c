/* growth.c -- channels of random programs: what is said to grow for ever grows as far as one looks, what is said to be bounded is.
 *
 * Programs are two or three processes that send, receive, count and choose, with `else`, `empty` and atomic sequences, over two channels.  For each verdict of --unbounded-channels the same text is
 * read again with channels of fixed capacities, and an ordinary search is asked whether they can become full:
 *
 *   grows    a channel that is named can become full with every capacity up to 6;
 *   holds    no channel can become full if its capacity is one more than its bound, each can with its bound, and there are as many states.
 *
 * A loop is replayed before it is told, and its trace must be there. */
#include "tap.h"

#include "base/rng.h"
#include "front/front.h"
#include "process/process.h"
#include "run/run.h"

#include <stdlib.h>

enum { PROGRAMS = 120, STATES = 5000 };

static char text[4000];

static char *statement(char *out, struct rng *r, int depth) {
  unsigned q = (unsigned)rng_below(r, 2), v = (unsigned)rng_below(r, 2);
  switch (rng_below(r, depth ? 9 : 5)) {
  case 0:
  case 1: return out + sprintf(out, "q%u!%u", q, v);
  case 2: return out + sprintf(out, "q%u?%u", q, v);
  case 3: return out + sprintf(out, "q%u?x", q);
  case 4: return out + sprintf(out, "x = (x + %u) %% 2", v);
  case 5: return out + sprintf(out, "q%u!x", q);
  case 6: return out + sprintf(out, "atomic { q%u?x; q%u!x; x = %u }", q, 1 - q, v);
  case 7: return out + sprintf(out, "if :: q%u?%u :: %s fi", q, v, rng_below(r, 2) ? "else" : "empty(q0)");
  default: return out + sprintf(out, "if :: q%u?[%u] -> q%u?x :: x == %u -> skip fi", q, v, q, v);
  }
}

static void random_program(struct rng *r) {
  char *out = text + sprintf(text, "chan q0 = [C0] of { bit };\nchan q1 = [C1] of { bit };\n");
  int processes = 2 + (int)rng_below(r, 2);
  for (int p = 0; p < processes; p++) {
    out += sprintf(out, "active proctype P%d() { bit x;", p);
    for (int i = (int)rng_below(r, 3); i > 0; i--) {
      *out++ = ' ';
      out = statement(out, r, 0);
      *out++ = ';';
    }
    out += sprintf(out, " do");
    for (int i = 1 + (int)rng_below(r, 2); i > 0; i--) {
      out += sprintf(out, " :: ");
      for (int k = 1 + (int)rng_below(r, 3); k > 0; k--) {
        out = statement(out, r, 1);
        if (k > 1) out += sprintf(out, "; ");
      }
    }
    out += sprintf(out, " od }\n");
  }
}

static struct model *load(struct mem *mem, int unbounded, unsigned c0, unsigned c1) {
  char one[16], two[16];
  struct front_override defines[] = {{"C0", one}, {"C1", two}};
  struct err e = {0};
  struct model *m = NULL;
  snprintf(one, sizeof one, "%u", c0);
  snprintf(two, sizeof two, "%u", c1);
  struct front_setup setup = {.mem = mem, .file = "test.pml", .input = fmemopen(text, strlen(text), "r"), .defines = defines, .define_count = 2, .unbounded_channels = unbounded};
  if (front_find("promela")->load(&m, &setup, &e)) printf("# %s\n%s", e.message, text);
  fclose(setup.input);
  return m;
}

/* Can a channel become full, with these capacities? 1, 0, or -1: not known. *states tells how many there are, if all were seen. */
static int fills(struct mem *mem, const char *what, unsigned c0, unsigned c1, uint64_t *states) {
  struct model *m = load(mem, 0, c0, c1);
  struct prop p;
  struct verdict v;
  struct err e = {0};
  if (!m) return -1;
  int answer = -1;
  if (prop_open(&p, PROP_REACHABLE, 1, what, m, mem, &e) == 0) {
    struct run_setup setup = {.mem = mem, .model = m, .props = &p, .prop_count = 1, .limits = {.states = STATES}, .engine = PROCESS_INTERPRETER};
    run_check(&v, &setup, &e);
    answer = v.property[0].status == STATUS_HOLDS ? 1 : v.property[0].status == STATUS_VIOLATED ? 0 : -1;
    *states = v.stats.states;
    verdict_close(&v);
  }
  prop_close(&p);
  model_close(m);
  return answer;
}

static size_t grow, hold, unknown, wrong, asked;

static void demand(int right, const char *what) {
  asked++;
  if (!right && wrong++ < 5) printf("# %s\n%s", what, text);
}

static void check_growth(struct mem *mem, const char *message) {
  for (unsigned c = 1; c <= 6; c++)
    for (unsigned q = 0; q < 2; q++) {
      char name[8], full[16];
      uint64_t states;
      snprintf(name, sizeof name, "q%u", q);
      snprintf(full, sizeof full, "full(q%u)", q);
      if (!strstr(message, name)) continue;
      int answer = fills(mem, full, q ? 60 : c, q ? c : 60, &states);
      if (answer >= 0) demand(answer, "what grows can become full");
    }
}

static void check_bounds(struct mem *mem, const char *bounds, uint64_t all) {
  unsigned b0 = 0, b1 = 0;
  uint64_t states = 0, ignored;
  demand(sscanf(bounds, "q0 %u of %*u, q1 %u of %*u", &b0, &b1) == 2, "bounds are told");
  int answer = fills(mem, "full(q0) || full(q1)", b0 + 1, b1 + 1, &states);
  if (answer >= 0) demand(!answer && states == all, "what is bounded does not become full, and has the same states");
  if (b0) demand(fills(mem, "full(q0)", b0, b1 + 1, &ignored) != 0, "the bound is reached");
  if (b1) demand(fills(mem, "full(q1)", b0 + 1, b1, &ignored) != 0, "the other one, too");
}

/* The n-th request for memory is refused, for every n: whatever is said is right. */
static void starve(void) {
  static const char *const models[] = {"chan q0 = [C0] of { bit };\nactive proctype A() { do :: q0!1; q0!1; q0?1 od }\n",
                                       "chan q0 = [C0] of { bit };\nactive proctype A() { do :: q0!1; q0?1 od }\n"};
  size_t false_ones = 0, left = 0, right = 0, none = 0;
  for (size_t n = 1; n < 200; n++) {
    struct mem mem;
    struct err e = {0};
    struct prop p;
    struct verdict v;
    int holds = n % 2;
    mem_open(&mem, 0);
    strcpy(text, models[holds]);
    struct model *m = load(&mem, 1, 2, 2);
    if (!m || prop_open(&p, PROP_CHANNELS, 1, NULL, m, &mem, &e)) {
      false_ones++;
      continue;
    }
    struct run_setup setup = {.mem = &mem, .model = m, .props = &p, .prop_count = 1, .engine = PROCESS_INTERPRETER};
    mem.fail_after = n;
    int bad = run_check(&v, &setup, &e);
    mem.fail_after = 0;
    int answer = bad ? -1 : v.kind == VERDICT_HOLDS ? 1 : v.kind == VERDICT_VIOLATED ? 0 : -1;
    right += answer == holds;
    none += answer < 0;
    if (answer == !holds || (bad && e.kind != ERR_MEMORY)) {
      if (false_ones++ < 5) printf("# %zu requests: %d, %s\n", n, answer, e.message);
    }
    verdict_close(&v);
    prop_close(&p);
    model_close(m);
    left += mem.used != 0;
  }
  ok(right && none, "little memory is enough for some answers, and too little for others");
  is(false_ones, 0, "no answer is wrong for lack of memory");
  is(left, 0, "nothing is left behind then");
}

int main(void) {
  struct rng r = {7};
  size_t odd = 0, left = 0;
  for (int n = 0; n < PROGRAMS; n++) {
    struct mem mem;
    struct err e = {0};
    struct prop p;
    struct verdict v;
    mem_open(&mem, 0);
    random_program(&r);
    struct model *m = load(&mem, 1, 2, 2);
    if (!m || prop_open(&p, PROP_CHANNELS, 1, NULL, m, &mem, &e)) {
      odd++;
      continue;
    }
    const struct store_type *store = n % 3 == 1 ? &store_compact_tree : n % 3 == 2 ? &store_cache : NULL;
    struct store_options options = {.cache = 65536};
    struct run_setup setup = {.mem = &mem, .model = m, .props = &p, .prop_count = 1, .store = store, .store_options = &options, .limits = {.states = STATES}, .engine = PROCESS_INTERPRETER};
    if (run_check(&v, &setup, &e)) {
      odd++;
      printf("# %s\n%s", e.message, text);
    } else if (v.kind == VERDICT_VIOLATED) {
      grow++;
      demand(v.property[0].evidence_count && v.property[0].evidence[0].trace && v.property[0].evidence[0].trace->loop >= 0, "a loop has a trace");
      check_growth(&mem, v.property[0].message);
    } else if (v.kind == VERDICT_HOLDS) {
      hold++;
      check_bounds(&mem, v.property[0].text, v.stats.states);
    } else unknown++;
    verdict_close(&v);
    prop_close(&p);
    model_close(m);
    left += mem.used != 0;
  }
  printf("# %zu grow, %zu are bounded, %zu not known; %zu questions\n", grow, hold, unknown, asked);
  ok(grow > PROGRAMS / 10 && hold > PROGRAMS / 10, "both verdicts are common");
  is(odd, 0, "every program has one");
  is(wrong, 0, "searches with fixed capacities agree");
  is(left, 0, "nothing is left behind");
  starve();
  return done();
}
