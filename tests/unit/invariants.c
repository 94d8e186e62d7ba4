/* invariants.c -- flows: hand-made nets, random nets against brute force, runs, limits, refused memory. */
#include "tap.h"

#include "nets.h"
#include "net/invariants.h"
#include "net/modular.h"

static struct mem mem;
static struct err err;

/* "2*p +1*q = 3", for comparison with a text. */
static const char *show(const struct pt_net *n, enum flow_side side, const struct flow *f) {
  static char out[400];
  size_t o = 0;
  for (uint32_t i = 0; i < f->count && o < 300; i++)
    o += (size_t)snprintf(out + o, sizeof out - o, "%s%lld*%s", i ? " " : "", (long long)f->weight[i],
                          side == FLOW_PLACES ? n->place_id[f->index[i]] : n->transition_id[f->index[i]]);
  if (side == FLOW_PLACES) snprintf(out + o, sizeof out - o, " = %lld", (long long)f->value);
  return out;
}

/* ---- an independent oracle: fractions of 128-bit integers, dense ------------------------- */

static __int128 gcd(__int128 a, __int128 b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b) {
    __int128 r = a % b;
    a = b, b = r;
  }
  return a;
}

static void dense(const struct pt_net *n, enum flow_side side, int64_t c[16][16]) { /* [item][equation] */
  memset(c, 0, 16 * 16 * sizeof(int64_t));
  for (uint32_t t = 0; t < n->transitions; t++) {
    for (uint32_t i = n->pre_start[t]; i < n->pre_start[t + 1]; i++)
      *(side == FLOW_PLACES ? &c[n->pre[i].place][t] : &c[t][n->pre[i].place]) -= n->pre[i].weight;
    for (uint32_t i = n->post_start[t]; i < n->post_start[t + 1]; i++)
      *(side == FLOW_PLACES ? &c[n->post[i].place][t] : &c[t][n->post[i].place]) += n->post[i].weight;
  }
}

/* The nullity of the items in `set`, and, if it is 1, the vector. */
static int nullity(int64_t c[16][16], unsigned items, unsigned equations, unsigned set, int64_t *vector) {
  __int128 row[16][16]; /* equations over the chosen items */
  unsigned chosen[16], k = 0, pivots = 0, pivot_of[16];
  for (unsigned i = 0; i < items; i++)
    if (set >> i & 1) chosen[k++] = i;
  for (unsigned q = 0; q < equations; q++)
    for (unsigned i = 0; i < k; i++) row[q][i] = c[chosen[i]][q];
  for (unsigned i = 0; i < k; i++) {
    unsigned q = pivots;
    while (q < equations && !row[q][i]) q++;
    pivot_of[i] = 99;
    if (q == equations) continue;
    for (unsigned x = 0; x < k; x++) {
      __int128 swap = row[q][x];
      row[q][x] = row[pivots][x], row[pivots][x] = swap;
    }
    for (q = 0; q < equations; q++) {
      if (q == pivots || !row[q][i]) continue;
      __int128 a = row[pivots][i], b = row[q][i], g = 0;
      for (unsigned x = 0; x < k; x++) row[q][x] = row[q][x] * a - row[pivots][x] * b, g = gcd(g, row[q][x]);
      if (g)
        for (unsigned x = 0; x < k; x++) row[q][x] /= g;
    }
    pivot_of[i] = pivots++;
  }
  if (k - pivots != 1 || !vector) return (int)(k - pivots);
  __int128 lcm = 1;
  unsigned free_one = 0;
  for (unsigned i = 0; i < k; i++)
    if (pivot_of[i] == 99) free_one = i;
  for (unsigned i = 0; i < k; i++)
    if (pivot_of[i] != 99) {
      __int128 d = row[pivot_of[i]][i];
      lcm = lcm / gcd(lcm, d) * (d < 0 ? -d : d);
    }
  memset(vector, 0, 16 * sizeof *vector);
  __int128 g = 0, value[16];
  for (unsigned i = 0; i < k; i++) {
    value[i] = i == free_one ? lcm : -row[pivot_of[i]][free_one] * lcm / row[pivot_of[i]][i];
    g = gcd(g, value[i]);
  }
  for (unsigned i = 0; i < k; i++) vector[chosen[i]] = (int64_t)(value[i] / g);
  return 1;
}

static int same(const struct flow *f, const int64_t *vector) {
  unsigned n = 0;
  for (unsigned i = 0; i < 16; i++) n += vector[i] != 0;
  if (n != f->count) return 0;
  int64_t sign = vector[f->index[0]] < 0 ? -1 : 1;
  for (uint32_t i = 0; i < f->count; i++)
    if (vector[f->index[i]] * sign != f->weight[i]) return 0;
  return 1;
}

static int is_flow(int64_t c[16][16], unsigned equations, const struct flow *f) {
  for (unsigned q = 0; q < equations; q++) {
    __int128 sum = 0;
    for (uint32_t i = 0; i < f->count; i++) sum += (__int128)f->weight[i] * c[f->index[i]][q];
    if (sum) return 0;
  }
  return f->count > 0 && f->weight[0] > 0;
}

static void test_random(void) {
  struct rng rng = {2024};
  int wrong = 0, semiflows = 0, flows = 0;
  for (int round = 0; round < 1500 && !wrong; round++) {
    unsigned places = 1 + (unsigned)rng_below(&rng, 9), transitions = 1 + (unsigned)rng_below(&rng, 8);
    struct pt_net *n =
        nets_random(&mem, &rng, places, transitions, 1 + (unsigned)rng_below(&rng, 24), 1 + (unsigned)rng_below(&rng, 3), 4);
    for (enum flow_side side = FLOW_PLACES; side <= FLOW_TRANSITIONS; side++) {
      int64_t c[16][16], vector[16];
      unsigned items = side == FLOW_PLACES ? places : transitions, equations = side == FLOW_PLACES ? transitions : places;
      dense(n, side, c);
      struct flows basis, semi;
      wrong += flows_basis(&basis, n, side, &mem, 0, &err) != 0 || !basis.complete;
      wrong += flows_semi(&semi, n, side, &mem, 0, &err) != 0 || !semi.complete;
      wrong += basis.count != (size_t)nullity(c, items, equations, (1u << items) - 1, NULL);
      for (size_t i = 0; i < basis.count; i++) {
        wrong += !is_flow(c, equations, &basis.at[i]);
        int own = 0; /* own is in this flow and in no other: so they are independent */
        for (size_t k = 0; k < basis.count; k++)
          for (uint32_t x = 0; x < basis.at[k].count; x++)
            own += basis.at[k].index[x] == basis.at[i].own ? (k == i ? 1 : 100) : 0;
        wrong += own != 1;
      }
      size_t expected = 0;
      for (unsigned set = 1; set < 1u << items; set++) {
        if (nullity(c, items, equations, set, vector) != 1) continue;
        int positive = 1, negative = 1;
        for (unsigned i = 0; i < items; i++)
          if (set >> i & 1) positive &= vector[i] > 0, negative &= vector[i] < 0;
        if (!positive && !negative) continue;
        expected++;
        int found = 0;
        for (size_t i = 0; i < semi.count; i++) found += same(&semi.at[i], vector);
        wrong += found != 1;
      }
      wrong += expected != semi.count;
      semiflows += (int)semi.count, flows += (int)basis.count;
      flows_close(&basis);
      flows_close(&semi);
    }
    if (wrong) nets_print(n);
    pt_close(n);
  }
  is(wrong, 0, "random nets: basis and minimal semiflows are those of brute force");
  ok(semiflows > 1000 && flows > 1000, "and there were some");
  is(mem.used, 0, "nothing is left");
}

static void test_hand(void) {
  struct pt_net *n = nets_read(&mem, "idle=2 busy free=3 | take: idle + free -> busy ; give: busy -> idle + free");
  struct flows f;
  ok(flows_semi(&f, n, FLOW_PLACES, &mem, 0, &err) == 0 && f.complete, "semiflows of a resource");
  is(f.count, 2, "two of them");
  is_text(show(n, FLOW_PLACES, &f.at[0]), "1*idle 1*busy = 2", "the processes");
  is_text(show(n, FLOW_PLACES, &f.at[1]), "1*busy 1*free = 3", "the resource");
  uint32_t bound[3];
  flows_bounds(&f, n, bound);
  ok(bound[0] == 2 && bound[1] == 2 && bound[2] == 3, "bounds");
  flows_close(&f);
  ok(flows_semi(&f, n, FLOW_TRANSITIONS, &mem, 0, &err) == 0 && f.count == 1, "one T-semiflow");
  is_text(show(n, FLOW_TRANSITIONS, &f.at[0]), "1*take 1*give", "the cycle");
  flows_close(&f);
  pt_close(n);

  n = nets_read(&mem, "a=1 b c=7 | t: a -> 2147483647 b ; loop: c -> c");
  flows_semi(&f, n, FLOW_PLACES, &mem, 0, &err);
  is(f.count, 2, "weights of 2^31-1");
  is_text(show(n, FLOW_PLACES, &f.at[0]), "1*c = 7", "a place that never changes");
  is_text(show(n, FLOW_PLACES, &f.at[1]), "2147483647*a 1*b = 2147483647", "a large weight");
  flows_bounds(&f, n, bound);
  ok(bound[0] == 1 && bound[1] == 2147483647 && bound[2] == 7, "bounds");
  flows_close(&f);
  pt_close(n);

  n = nets_read(&mem, "a=1 b | make: -> a ; move: a -> b");
  flows_semi(&f, n, FLOW_PLACES, &mem, 0, &err);
  ok(f.complete && f.count == 0, "an unbounded net without flows");
  flows_bounds(&f, n, bound);
  ok(bound[0] == PT_NONE && bound[1] == PT_NONE, "has no bounds");
  flows_close(&f);
  pt_close(n);

  n = nets_read(&mem, "a b | t: -> a + b");
  flows_basis(&f, n, FLOW_PLACES, &mem, 0, &err);
  ok(f.count == 1 && f.complete, "a flow with a negative weight");
  is_text(show(n, FLOW_PLACES, &f.at[0]), "1*a -1*b = 0", "is in the basis");
  flows_bounds(&f, n, bound);
  ok(bound[0] == PT_NONE && bound[1] == PT_NONE, "and gives no bounds");
  flows_close(&f);
  flows_semi(&f, n, FLOW_PLACES, &mem, 0, &err);
  is(f.count, 0, "but is no semiflow");
  flows_close(&f);
  pt_close(n);

  n = nets_read(&mem, "");
  ok(flows_basis(&f, n, FLOW_PLACES, &mem, 0, &err) == 0 && f.complete && f.count == 0, "an empty net");
  flows_close(&f);
  ok(flows_semi(&f, n, FLOW_TRANSITIONS, &mem, 0, &err) == 0 && f.complete && f.count == 0, "an empty net");
  flows_close(&f);
  pt_close(n);
  is(mem.used, 0, "nothing is left");
}

/* y(a_i) + y(b_i) is the same for all i: 2^stages minimal semiflows. */
static struct pt_net *choices(unsigned stages) {
  char *text = malloc(stages * 64 + 64);
  size_t o = 0;
  for (unsigned i = 0; i < stages; i++) o += (size_t)sprintf(text + o, "a%u=1 b%u ", i, i);
  text[o++] = '|';
  text[o] = 0;
  for (unsigned i = 0; i + 1 < stages; i++)
    o += (size_t)sprintf(text + o, " t%u: a%u + b%u -> a%u + b%u ;", i, i, i, i + 1, i + 1);
  struct pt_net *n = nets_read(&mem, text);
  free(text);
  return n;
}

static void test_limits(void) {
  struct pt_net *n = choices(10);
  struct flows f;
  flows_semi(&f, n, FLOW_PLACES, &mem, 0, &err);
  ok(f.complete && f.count == 1024, "2^10 minimal semiflows");
  flows_close(&f);
  pt_close(n);
  n = choices(40);
  double t0 = cpu_now();
  ok(flows_semi(&f, n, FLOW_PLACES, &mem, 1000000, &err) == 0, "2^40 minimal semiflows");
  ok(!f.complete && f.limit, "end with the effort");
  printf("# %zu found in %.2f s: %s\n", f.count, cpu_now() - t0, f.limit);
  flows_close(&f);
  size_t budget = mem.budget;
  mem.budget = mem.used + (4 << 20);
  err_clear(&err);
  int status = flows_semi(&f, n, FLOW_PLACES, &mem, 0, &err);
  ok(status == 0 && !f.complete && f.limit, "or with the memory");
  flows_close(&f);
  mem.budget = budget;
  pt_close(n);

  /* y(p_i) = 2^31-1 * y(p_i+1): p0 .. p3 need weights beyond 64 bits; q and r do not. */
  n = nets_read(&mem,
                "p0=1 p1 p2 p3 q=1 r | a: p0 -> 2147483647 p1 ; b: p1 -> 2147483647 p2 ; c: p2 -> 2147483647 p3 ; d: q -> r");
  err_clear(&err);
  ok(flows_basis(&f, n, FLOW_PLACES, &mem, 0, &err) == 0 && !f.complete && f.limit, "weights beyond 64 bits are told");
  is(f.count, 1, "the others are still found");
  is_text(show(n, FLOW_PLACES, &f.at[0]), "1*q 1*r = 1", "exactly");
  flows_close(&f);
  ok(flows_semi(&f, n, FLOW_PLACES, &mem, 0, &err) == 0 && !f.complete && f.count == 1, "semiflows likewise");
  is_text(show(n, FLOW_PLACES, &f.at[0]), "1*q 1*r = 1", "exactly");
  flows_close(&f);
  pt_close(n);

  n = nets_read(&mem, "p0=1 p1 p2 | a: p0 -> 2147483647 p1 ; b: p1 -> 2147483647 p2");
  ok(flows_basis(&f, n, FLOW_PLACES, &mem, 0, &err) == 0 && f.complete, "weights of 62 bits");
  is_text(show(n, FLOW_PLACES, &f.at[0]), "4611686014132420609*p0 2147483647*p1 1*p2 = 4611686014132420609", "are found");
  flows_close(&f);
  pt_close(n);

  /* elimination ended early: what is left is right */
  struct rng rng = {5};
  int wrong = 0, some = 0;
  for (int round = 0; round < 300; round++) {
    n = nets_random(&mem, &rng, 8, 6, 20, 2, 3);
    int64_t c[16][16];
    dense(n, FLOW_PLACES, c);
    flows_basis(&f, n, FLOW_PLACES, &mem, 1 + rng_below(&rng, 60), &err);
    for (size_t i = 0; i < f.count; i++) wrong += !is_flow(c, 6, &f.at[i]);
    some += f.count && !f.complete;
    wrong += f.complete && f.count != (size_t)nullity(c, 8, 6, 255, NULL);
    wrong += !f.complete != !!f.limit;
    flows_close(&f);
    pt_close(n);
  }
  is(wrong, 0, "flows of runs that ended early are flows");
  ok(some > 5, "and there are such");
  is(mem.used, 0, "nothing is left");
}

static void test_runs(void) {
  struct rng rng = {99};
  int wrong = 0, fired = 0;
  for (int round = 0; round < 60; round++) {
    struct pt_net *n = nets_random(&mem, &rng, 30, 30, 90, 2, 5);
    struct flows f;
    wrong += flows_basis(&f, n, FLOW_PLACES, &mem, 0, &err) != 0;
    int64_t m[30];
    for (int p = 0; p < 30; p++) m[p] = n->initial[p];
    for (int step = 0; step < 500; step++) {
      fired += nets_fire(n, m, (uint32_t)rng_below(&rng, 30));
      for (size_t i = 0; i < f.count; i++) {
        __int128 sum = 0;
        for (uint32_t k = 0; k < f.at[i].count; k++) sum += (__int128)f.at[i].weight[k] * m[f.at[i].index[k]];
        wrong += sum != f.at[i].value;
      }
    }
    flows_close(&f);
    pt_close(n);
  }
  is(wrong, 0, "flows do not change along random runs");
  ok(fired > 1000, "that did fire");
}

/* A ring of `cells` with tokens walking, each guarded by a semaphore shared with its neighbour. */
static struct pt_net *ring(unsigned cells) {
  struct pt_builder *b;
  char here[32], next[32], lock[32], go[32], leave[32];
  pt_builder_open(&b, &mem, "ring", &err);
  for (unsigned i = 0; i < cells; i++) {
    sprintf(here, "cell%u", i), sprintf(lock, "lock%u", i), sprintf(go, "wait%u", i);
    pt_builder_place(b, here, NULL, i % 5 == 0, nets_nowhere, &err);
    pt_builder_place(b, lock, NULL, 1, nets_nowhere, &err);
    pt_builder_place(b, go, NULL, 0, nets_nowhere, &err);
  }
  for (unsigned i = 0; i < cells; i++) {
    sprintf(here, "cell%u", i), sprintf(next, "cell%u", (i + 1) % cells), sprintf(lock, "lock%u", i);
    sprintf(go, "go%u", i), sprintf(leave, "leave%u", i);
    char wait[32];
    sprintf(wait, "wait%u", i);
    pt_builder_transition(b, go, NULL, nets_nowhere, &err);
    pt_builder_transition(b, leave, NULL, nets_nowhere, &err);
    pt_builder_arc(b, here, go, 1, nets_nowhere, &err);
    pt_builder_arc(b, lock, go, 1, nets_nowhere, &err);
    pt_builder_arc(b, go, wait, 1, nets_nowhere, &err);
    pt_builder_arc(b, wait, leave, 1, nets_nowhere, &err);
    pt_builder_arc(b, leave, lock, 1, nets_nowhere, &err);
    pt_builder_arc(b, leave, next, 1, nets_nowhere, &err);
  }
  struct pt_net *n = NULL;
  if (pt_builder_finish(b, &n, &err)) pt_builder_close(b);
  return n;
}

static void test_large(void) {
  struct pt_net *n = ring(3000);
  struct flows f;
  double t0 = cpu_now();
  flows_basis(&f, n, FLOW_PLACES, &mem, 0, &err);
  double basis_seconds = cpu_now() - t0;
  ok(f.complete && f.count == 3001, "9000 places: a flow per lock and one for the ring");
  flows_close(&f);
  t0 = cpu_now();
  flows_semi(&f, n, FLOW_PLACES, &mem, 0, &err);
  double semi_seconds = cpu_now() - t0;
  ok(f.complete && f.count == 3001, "as many semiflows");
  ok(f.at[0].count == 2 && f.at[3000].count == 6000, "sorted by size");
  printf("# basis %.3f s, semiflows %.3f s\n", basis_seconds, semi_seconds);
  ok(basis_seconds < 5 && semi_seconds < 20, "quickly");
  flows_close(&f);
  flows_basis(&f, n, FLOW_TRANSITIONS, &mem, 0, &err);
  ok(f.complete && f.count == 1 && f.at[0].count == 6000, "one T-flow: once around");
  flows_close(&f);
  pt_close(n);
  is(mem.used, 0, "nothing is left");
}

static void test_failures(void) {
  struct pt_net *n = choices(4);
  size_t before = mem.used;
  int wrong = 0, refused = 0, told = 0;
  for (enum flow_side side = FLOW_PLACES; side <= FLOW_TRANSITIONS; side++)
    for (int semi = 0; semi < 2; semi++)
      for (size_t k = 1, left = 0; !left && k < 100000; k++) {
        struct flows f;
        err_clear(&err);
        mem.fail_after = k;
        int status = semi ? flows_semi(&f, n, side, &mem, 0, &err) : flows_basis(&f, n, side, &mem, 0, &err);
        left = mem.fail_after;
        mem.fail_after = 0;
        int64_t c[16][16];
        dense(n, side, c);
        if (status) refused++, wrong += err.kind != ERR_MEMORY;
        else if (f.limit) told++;
        if (!status) {
          for (size_t i = 0; i < f.count; i++) wrong += !is_flow(c, side == FLOW_PLACES ? n->transitions : n->places, &f.at[i]);
          flows_close(&f);
        }
        wrong += mem.used != before;
      }
  ok(refused > 20, "each refused allocation ends in an error");
  ok(told > 5, "or in fewer flows and a limit");
  is(wrong, 0, "never in a wrong flow or a leak");
  pt_close(n);
}

static void test_modular(void) {
  struct rng rng = {3};
  int wrong = 0;
  for (int i = 0; i < 20000; i++) {
    int64_t n = (int64_t)(rng_next(&rng) >> (1 + rng_below(&rng, 62))),
            d = (int64_t)(rng_next(&rng) >> (1 + rng_below(&rng, 62)));
    if (!d) continue;
    if (i & 1) n = -n;
    int64_t g = (int64_t)gcd(n, d), back;
    residue r = residue_multiply(residue_of(n), residue_invert(residue_of(d)));
    int64_t found = residue_denominator(r);
    wrong += found != d / g;
    wrong += !residue_integer(residue_multiply(r, residue_of(found)), &back) || back != n / g;
  }
  is(wrong, 0, "fractions survive the way through residues");
  ok(residue_add(RESIDUE_PRIME - 1, 1) == 0 && residue_multiply(RESIDUE_PRIME - 1, RESIDUE_PRIME - 1) == 1, "-1 + 1, -1 * -1");
  ok(residue_negate(0) == 0 && residue_of(-5) == RESIDUE_PRIME - 5, "negative numbers");
}

int main(void) {
  mem_open(&mem, 0);
  err_clear(&err);
  test_modular();
  test_hand();
  test_random();
  test_limits();
  test_runs();
  test_large();
  test_failures();
  return done();
}
