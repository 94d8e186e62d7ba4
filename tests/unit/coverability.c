/* coverability.c -- the minimal coverability set against a naive Karp-Miller tree and explicit exploration, and pumping
 * runs against a replay of its own. */
#include "tap.h"

#include "base/clock.h"
#include "nets.h"
#include "net/coverability.h"

static struct mem mem;
static struct err err;

#define OMEGA INT64_MAX
enum { MOST_PLACES = 12 };

/* ---- the naive tree: no pruning, every label compared with every ancestor ---------------- */

struct naive {
  int64_t (*label)[MOST_PLACES];
  int *parent;
  int count, room, overflow;
};

static int leq(const int64_t *a, const int64_t *b, unsigned places) {
  for (unsigned p = 0; p < places; p++)
    if (a[p] > b[p]) return 0;
  return 1;
}

static void naive_tree(struct naive *k, const struct pt_net *n, int room) {
  unsigned places = n->places;
  k->label = calloc((size_t)room, sizeof *k->label);
  k->parent = calloc((size_t)room, sizeof *k->parent);
  k->room = room, k->count = 1, k->overflow = 0;
  k->parent[0] = -1;
  for (unsigned p = 0; p < places; p++) k->label[0][p] = n->initial[p];
  for (int i = 0; i < k->count && !k->overflow; i++) {
    int seen = 0; /* the same label elsewhere is expanded there */
    for (int j = 0; j < i && !seen; j++) seen = memcmp(k->label[i], k->label[j], sizeof k->label[i]) == 0;
    if (seen) continue;
    for (uint32_t t = 0; t < n->transitions; t++) {
      int64_t m[MOST_PLACES];
      memcpy(m, k->label[i], sizeof m);
      int fireable = 1;
      for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++) fireable &= m[n->pre[a].place] >= n->pre[a].weight;
      if (!fireable) continue;
      for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++)
        if (m[n->pre[a].place] != OMEGA) m[n->pre[a].place] -= n->pre[a].weight;
      for (uint32_t a = n->post_start[t]; a < n->post_start[t + 1]; a++)
        if (m[n->post[a].place] != OMEGA) m[n->post[a].place] += n->post[a].weight;
      for (int j = i; j >= 0; j = k->parent[j])
        if (leq(k->label[j], m, places))
          for (unsigned p = 0; p < places; p++)
            if (k->label[j][p] < m[p]) m[p] = OMEGA;
      if (k->count == room) {
        k->overflow = 1;
        break;
      }
      memcpy(k->label[k->count], m, sizeof m);
      k->parent[k->count++] = i;
    }
  }
}

/* How many labels are maximal (each counted once), and the bounds. */
static int naive_result(const struct naive *k, unsigned places, int64_t *bound) {
  int maximal = 0;
  for (unsigned p = 0; p < places; p++) bound[p] = 0;
  for (int i = 0; i < k->count; i++) {
    int good = 1;
    for (int j = 0; j < k->count && good; j++)
      if (leq(k->label[i], k->label[j], places)) good = memcmp(k->label[i], k->label[j], sizeof k->label[i]) == 0 && i <= j;
    maximal += good;
    for (unsigned p = 0; p < places; p++)
      if (k->label[i][p] > bound[p]) bound[p] = k->label[i][p];
  }
  return maximal;
}

/* ---- replaying ---------------------------------------------------------------------------- */

/* Is this a run that pumps exactly `pumped`? */
static int replays(const struct pt_net *n, const struct coverability *c) {
  int64_t *m = calloc(n->places + 1, sizeof *m), *before = calloc(n->places + 1, sizeof *m);
  int good = c->pump_count > 0 && c->pumped_count > 0;
  for (uint32_t p = 0; p < n->places; p++) m[p] = n->initial[p];
  for (size_t i = 0; i < c->prefix_count && good; i++) good = c->prefix[i] < n->transitions && nets_fire(n, m, c->prefix[i]);
  for (int round = 0; round < 3 && good; round++) {
    memcpy(before, m, n->places * sizeof *m);
    for (size_t i = 0; i < c->pump_count && good; i++) good = c->pump[i] < n->transitions && nets_fire(n, m, c->pump[i]);
    size_t k = 0;
    for (uint32_t p = 0; p < n->places && good; p++) {
      if (m[p] > before[p]) good = k < c->pumped_count && c->pumped[k++] == p;
      else good = m[p] == before[p];
    }
    good = good && k == c->pumped_count;
  }
  free(m);
  free(before);
  return good;
}

static int pumps_place(const struct coverability *c, uint32_t place) {
  for (size_t i = 0; i < c->pumped_count; i++)
    if (c->pumped[i] == place) return 1;
  return 0;
}

/* ---- tests -------------------------------------------------------------------------------- */

static struct coverability_setup plain(void) { return (struct coverability_setup){.mem = &mem}; }

static void test_classic(void) {
  struct coverability_setup setup = plain();
  struct coverability c;
  struct pt_net *n = nets_read(&mem, "idle=1 made bought | produce: idle -> idle + made ; consume: made -> bought");
  ok(coverability_run(&c, n, &setup, &err) == 0 && c.complete && c.unbounded, "a producer without bound");
  ok(c.bound[0] == 1 && c.bound[1] == PT_NONE && c.bound[2] == PT_NONE, "its bounds");
  is(c.kept, 1, "one maximal marking");
  ok(replays(n, &c) && c.prefix_count == 0 && c.pump_count == 1, "its pump is one step");
  coverability_close(&c);
  ok(coverability_pump(&c, n, 2, &setup, &err) == 0 && replays(n, &c) && pumps_place(&c, 2), "the shop can be pumped too");
  is(c.pump_count, 2, "in two steps");
  coverability_close(&c);
  setup.until_unbounded = 1;
  ok(coverability_run(&c, n, &setup, &err) == 0 && !c.complete && c.unbounded && c.limit && replays(n, &c),
     "stops at the first one");
  coverability_close(&c);
  setup.until_unbounded = 0;
  pt_close(n);

  n = nets_read(&mem, "idle=2 busy free=3 | take: idle + free -> busy ; give: busy -> idle + free");
  ok(coverability_run(&c, n, &setup, &err) == 0 && c.complete && !c.unbounded && !c.limit, "a bounded net");
  ok(c.bound[0] == 2 && c.bound[1] == 2 && c.bound[2] == 3 && c.kept == 3 && !c.pump, "its bounds");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "p=5 never | t: p + never -> 2 p ; u: p -> p");
  ok(coverability_run(&c, n, &setup, &err) == 0 && c.complete && !c.unbounded && c.bound[0] == 5,
     "transitions that can never fire");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "");
  ok(coverability_run(&c, n, &setup, &err) == 0 && c.complete && !c.unbounded, "an empty net");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "p | t: -> p");
  ok(coverability_run(&c, n, &setup, &err) == 0 && c.complete && c.unbounded && replays(n, &c), "a source");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "p=2147483647 q=1 | t: q -> p");
  ok(coverability_run(&c, n, &setup, &err) == 0 && !c.complete && c.limit && !c.unbounded,
     "more than 2^31-1 tokens end the analysis");
  coverability_close(&c);
  pt_close(n);

  /* Cutting off the branches below covered nodes (Finkel 1991) loses the omega of p5 here, in some orders. */
  n = nets_read(&mem, "p0=1 p1 p2 p3 p4 p5 | t0: p0 -> p2 + p4 + p5 ; t1: p0 -> p3 ; t3: p3 -> p1 ; t4: p1 -> p2 + 2 p4 ; "
                      "t5: p2 -> p1 + p5 ; t6: p2 -> p3 + 2 p4");
  ok(coverability_run(&c, n, &setup, &err) == 0 && c.complete && c.kept == 4 && c.bound[4] == PT_NONE && c.bound[5] == PT_NONE &&
         c.bound[3] == 1,
     "a net that the first algorithm for minimal sets gets wrong");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "p=1 q r | t: p -> 1000 q ; u: 300 q -> r + 300 q");
  ok(coverability_run(&c, n, &setup, &err) == 0 && c.complete && c.bound[1] == 1000 && c.bound[2] == PT_NONE && replays(n, &c),
     "counts that need more than a byte");
  coverability_close(&c);
  pt_close(n);
  is(mem.used, 0, "nothing is left");
}

static void test_nested(void) {
  struct coverability_setup setup = plain();
  struct coverability c;
  struct pt_net *n = nets_read(&mem, "a=1 q p | make: a -> a + q ; use: 100 q -> 100 q + p");
  ok(coverability_pump(&c, n, 2, &setup, &err) == 0 && replays(n, &c) && pumps_place(&c, 2),
     "a pump that needs 100 tokens first");
  ok(c.prefix_count == 100 && c.pump_count == 1, "100 steps before it");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "a=1 q p | make: a -> a + q ; use: 100 q -> p");
  ok(coverability_pump(&c, n, 2, &setup, &err) == 0 && replays(n, &c) && pumps_place(&c, 2),
     "a pump that uses up 100 tokens each time");
  ok(c.prefix_count + c.pump_count == 101, "makes them anew");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "a=1 b q p | make: a -> a + q ; change: a -> b ; turn: b + q -> b + p");
  ok(coverability_run(&c, n, &setup, &err) == 0 && c.complete && c.bound[2] == PT_NONE && c.bound[3] == PT_NONE && replays(n, &c),
     "an unbounded place without a pump of its own");
  coverability_close(&c);
  ok(coverability_pump(&c, n, 3, &setup, &err) == 0 && !c.pump && c.limit && c.bound[3] == PT_NONE,
     "gets a reason instead of a run");
  printf("# %s\n", c.limit);
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "a=1 b q p r | make: a -> a + q ; change: a -> b ; turn: b + q -> b + p ; look: 5 p + b -> 5 p + b + r");
  ok(coverability_pump(&c, n, 4, &setup, &err) == 0 && replays(n, &c) && pumps_place(&c, 4),
     "a pump behind a store that is used up");
  ok(c.prefix_count == 11 && c.pump_count == 1, "5 made, changed, 5 turned");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "a=1 b q p | go: a -> b ; back: b -> a + q ; trade: a + 7 q -> a + p ; back2: b + 3 p -> b + 3 p + q");
  ok(coverability_pump(&c, n, 3, &setup, &err) == 0 && replays(n, &c) && pumps_place(&c, 3),
     "a pump with an inner loop of two steps");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "q0=1 q1 q2 q3 q4 | a: q0 -> q0 + q1 ; b: 10 q1 -> q2 ; c: 10 q2 -> q3 ; d: 10 q3 -> q4");
  ok(coverability_pump(&c, n, 4, &setup, &err) == 0 && replays(n, &c) && pumps_place(&c, 4), "nested four deep");
  is(c.prefix_count + c.pump_count, 1111, "in 1111 steps");
  coverability_close(&c);
  pt_close(n);

  n = nets_read(&mem, "q0=1 q1 q2 q3 | a: q0 -> q0 + q1 ; b: 30000 q1 -> q2 ; c: 30000 q2 -> q3");
  ok(coverability_pump(&c, n, 3, &setup, &err) == 0 && !c.pump && c.limit && c.bound[3] == PT_NONE,
     "a run of 900 million steps is not made");
  printf("# %s\n", c.limit);
  coverability_close(&c);
  pt_close(n);
  is(mem.used, 0, "nothing is left");
}

static void test_random(void) {
  struct rng rng = {77};
  int wrong = 0, compared = 0, unbounded = 0, bounded = 0, runs = 0, places_unbounded = 0, without_pump = 0;
  for (int round = 0; round < 4000 && !wrong; round++) {
    unsigned places = 1 + (unsigned)rng_below(&rng, 6), transitions = 1 + (unsigned)rng_below(&rng, 6);
    struct pt_net *n = nets_random(&mem, &rng, places, transitions, 1 + (unsigned)rng_below(&rng, 4 * transitions),
                                   1 + (unsigned)rng_below(&rng, 2), 1 + (unsigned)rng_below(&rng, 3));
    if (round % 3 == 2) {
      pt_close(n);
      n = nets_random_counters(&mem, &rng, 2 + (unsigned)rng_below(&rng, 4), 1 + (unsigned)rng_below(&rng, 3),
                               3 + (unsigned)rng_below(&rng, 6));
      places = n->places;
    }
    struct naive k;
    naive_tree(&k, n, 1500);
    struct coverability_setup setup = plain();
    struct coverability c;
    setup.max_nodes = 50000;
    int status = coverability_run(&c, n, &setup, &err);
    wrong += status != 0;
    if (!k.overflow) {
      int64_t bound[MOST_PLACES];
      int maximal = naive_result(&k, places, bound);
      wrong += !c.complete || (int)c.kept != maximal;
      for (unsigned p = 0; p < places; p++) wrong += c.bound[p] != (bound[p] == OMEGA ? PT_NONE : (uint32_t)bound[p]);
      compared++;
      unbounded += c.unbounded, bounded += !c.unbounded;
    }
    if (c.unbounded) {
      wrong += !replays(n, &c);
      runs++;
    }
    for (unsigned p = 0; p < places && round % 4 == 0; p++) {
      struct coverability one;
      if (!c.complete) break;
      wrong += coverability_pump(&one, n, p, &setup, &err) != 0;
      if (c.bound[p] == PT_NONE) {
        places_unbounded++;
        if (one.pump) wrong += !replays(n, &one) || !pumps_place(&one, p);
        else without_pump++, wrong += one.bound[p] != PT_NONE || !one.limit;
      } else wrong += one.pump != NULL || one.bound[p] == PT_NONE;
      coverability_close(&one);
    }
    if (wrong) nets_print(n);
    coverability_close(&c);
    free(k.label);
    free(k.parent);
    pt_close(n);
  }
  is(wrong, 0, "random nets: set, bounds and runs agree with the naive tree");
  printf("# %d compared (%d bounded, %d unbounded), %d runs; %d unbounded places asked for, %d without a pump\n", compared,
         bounded, unbounded, runs, places_unbounded, without_pump);
  ok(compared > 1500 && bounded > 200 && unbounded > 500, "with enough of both");
  is(mem.used, 0, "nothing is left");
}

static void test_limits(void) {
  struct rng rng = {4};
  struct coverability_setup setup = plain();
  struct coverability c;
  /* a bounded net with many markings and no semiflow that helps: a grid of independent switches with a counter each */
  char text[2000] = "", part[100];
  for (int i = 0; i < 12; i++) sprintf(part, "a%d=1 b%d ", i, i), strcat(text, part);
  strcat(text, "|");
  for (int i = 0; i < 12; i++) sprintf(part, " t%d: a%d -> b%d ; u%d: b%d -> a%d ;", i, i, i, i, i, i), strcat(text, part);
  struct pt_net *n = nets_read(&mem, text);
  setup.max_nodes = 100;
  ok(coverability_run(&c, n, &setup, &err) == 0 && !c.complete && c.limit && c.nodes <= 100, "a limit on nodes");
  coverability_close(&c);
  setup.max_nodes = 0;
  volatile int stop = 1;
  setup.stop = &stop;
  ok(coverability_run(&c, n, &setup, &err) == 0 && !c.complete && c.limit, "an interrupt");
  coverability_close(&c);
  setup.stop = NULL;
  setup.max_seconds = 1e-9;
  ok(coverability_run(&c, n, &setup, &err) == 0 && !c.complete && c.limit, "a time limit");
  coverability_close(&c);
  setup.max_seconds = 0;
  size_t budget = mem.budget;
  mem.budget = mem.used + (128 << 10);
  ok(coverability_run(&c, n, &setup, &err) == 0 && !c.complete && c.limit, "a memory budget");
  printf("# %s after %zu nodes\n", c.limit, c.nodes);
  coverability_close(&c);
  mem.budget = budget;
  double t0 = clock_now();
  ok(coverability_run(&c, n, &setup, &err) == 0 && c.complete && c.kept == 4096, "without limits all 4096 markings");
  printf("# %.3f s\n", clock_now() - t0);
  coverability_close(&c);
  pt_close(n);

  int wrong = 0, refused = 0, told = 0;
  for (int round = 0; round < 6; round++) {
    n = round == 0 ? nets_read(&mem, "a=1 q p | make: a -> a + q ; use: 20 q -> p ; wide: p -> 300 p")
                   : nets_random(&mem, &rng, 5, 5, 14, 2, 2);
    size_t before = mem.used;
    for (size_t k = 1, left = 0; !left && k < 100000; k++) {
      err_clear(&err);
      mem.fail_after = k;
      setup.max_nodes = 300;
      int status = round % 2 ? coverability_run(&c, n, &setup, &err) : coverability_pump(&c, n, 2, &setup, &err);
      left = mem.fail_after;
      mem.fail_after = 0;
      if (status) refused++, wrong += err.kind != ERR_MEMORY;
      else {
        told += !c.complete && c.limit;
        if (c.pump) wrong += !replays(n, &c);
        coverability_close(&c);
      }
      wrong += mem.used != before;
    }
    pt_close(n);
  }
  ok(refused > 100 && told > 5, "refused allocations end in an error or a limit");
  is(wrong, 0, "never in a leak or a wrong run");
  is(mem.used, 0, "nothing is left");
}

int main(void) {
  mem_open(&mem, 0);
  err_clear(&err);
  test_classic();
  test_nested();
  test_random();
  test_limits();
  return done();
}
