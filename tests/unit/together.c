/* together.c -- tables that several threads write to at once: claims of places in a round (claims.h), nodes with numbers of their own (nodeset.h). */
#include "tap.h"

#include "base/crew.h"
#include "base/rng.h"
#include "store/claims.h"
#include "store/nodeset.h"

enum { THREADS = 4, PARTS = 16, ROOM = 6, ASKED = 60, STRIDE = 4, GONE = 77, KEPT = 1 };

/* ---- claims: of equal states the first one stays, whoever comes first ---- */

struct asking {
  struct store_round *r;
  uint32_t kinds; /* different states */
  uint64_t seed;
  int alike; /* all hashes are the same */
  atomic_size_t next;
};

static uint32_t kind_of(const struct asking *a, size_t part, size_t question) {
  return (uint32_t)(hash_mix(a->seed ^ (part << 16 | question)) % a->kinds);
}

static void write_state(uint32_t *state, uint32_t kind) {
  for (uint32_t i = 0; i < STRIDE; i++) state[i] = kind * (i + 1);
}

static void ask_parts(void *context, unsigned worker) {
  struct asking *a = context;
  (void)worker;
  for (size_t i; (i = crew_next(&a->next, PARTS)) < PARTS;) {
    struct store_part *p = &a->r->part[i];
    for (size_t q = 0; q < ASKED; q++) {
      uint32_t state[STRIDE];
      write_state(state, kind_of(a, i, q));
      p->answer[p->count] = KEPT;
      p->count += (size_t)claims_take(a->r, i, state, a->alike ? 0 : claims_hash(state, STRIDE), GONE);
    }
  }
}

/* Every kind that was asked about is kept once, in the first part that asked. */
static int right(const struct asking *a) {
  static size_t found[4096];
  memset(found, 0, sizeof found);
  for (size_t i = 0; i < PARTS; i++)
    for (size_t k = 0; k < a->r->part[i].count; k++)
      if (a->r->part[i].answer[k] == KEPT) {
        uint32_t kind = a->r->part[i].states[k * STRIDE];
        if (found[kind]) return 0;
        found[kind] = i + 1;
      }
  for (size_t i = PARTS; i-- > 0;)
    for (size_t q = 0; q < ASKED; q++) {
      uint32_t kind = kind_of(a, i, q);
      if (!found[kind] || found[kind] > i + 1) return 0;
    }
  return 1;
}

static void test_claims(struct crew *crew, struct mem *mem) {
  struct store_round r;
  ok(store_round_open(&r, mem, crew, PARTS, ROOM, STRIDE, 1) == 0, "claims: a round has memory");
  r.claims.turn = 65500; /* so that turns begin anew in between */
  int good = 1, wrapped = 0;
  for (int round = 0; round < 300 && good; round++) {
    struct asking a = {.r = &r, .kinds = round % 3 == 0 ? 3 : round % 3 == 1 ? 200 : 4000, .seed = (uint64_t)round, .alike = round % 7 == 0};
    uint32_t before = r.claims.turn;
    for (size_t i = 0; i < PARTS; i++) r.part[i].count = 0;
    claims_begin(&r);
    wrapped |= r.claims.turn < before;
    crew_run(crew, ask_parts, &a);
    good = right(&a);
  }
  ok(good, "claims: each state is kept once, where it stands first, with few and many different ones, and where hashes are all the same");
  ok(wrapped, "claims: ... also when turns begin anew");
  store_round_close(&r, mem);
}

/* ---- nodes ---- */

struct entering {
  struct nodeset *s;
  uint64_t kinds, seed;
  uint32_t (*number)[20000]; /* that each thread was told */
  atomic_size_t full;
};

static void enter_values(void *context, unsigned worker) {
  struct entering *e = context;
  struct rng rng = {e->seed + worker};
  for (int i = 0; i < 20000; i++) {
    uint64_t value = rng_below(&rng, e->kinds);
    uint32_t number = nodeset_put_shared(e->s, worker, value, nodeset_hash(e->s, value));
    if (!number) atomic_fetch_add(&e->full, 1);
    else e->number[worker][value] = number;
  }
}

static void test_nodes(struct crew *crew, struct mem *mem, uint64_t hash_mask) {
  static uint32_t number[THREADS][20000];
  struct nodeset s;
  memset(number, 0, sizeof number);
  ok(nodeset_open(&s, mem, hash_mask) == 0, "nodes: open");
  int good = 1;
  size_t full = 0;
  uint64_t slot = 0;
  for (uint64_t round = 1; round <= 20 && good; round++) {
    struct entering e = {.s = &s, .kinds = round * 1000, .seed = round * 100, .number = number};
    good = nodeset_share(&s, THREADS, round % 4 ? 700 : 10) == 0;
    crew_run(crew, enter_values, &e);
    nodeset_shared(&s);
    full += atomic_load(&e.full);
    for (uint64_t v = 100000 * round; v < 100000 * round + 90 && good; v++) good = nodeset_put(&s, v, nodeset_hash(&s, v)) != 0; /* by one, in between */
  }
  uint32_t values = 0;
  for (uint64_t v = 0; v < 20000 && good; v++) {
    uint32_t want = nodeset_find(&s, v, nodeset_hash(&s, v), &slot);
    for (unsigned t = 0; t < THREADS; t++) good &= !number[t][v] || number[t][v] == want;
    good &= !want || nodeset_value(&s, want) == v;
    values += want != 0;
  }
  for (uint64_t round = 1; round <= 20; round++)
    for (uint64_t v = 100000 * round; v < 100000 * round + 90; v++) values += nodeset_find(&s, v, nodeset_hash(&s, v), &slot) != 0;
  ok(good, "nodes: a value has one number, the same for all threads, which it keeps when the index grows");
  ok(full > 0 && s.slots > 1024, "nodes: room was short at times, and the index grew");
  is(nodeset_values(&s), values, "nodes: numbers that were not used are not counted");
  nodeset_close(&s);
}

int main(void) {
  struct mem mem;
  struct crew *crew;
  mem_open(&mem, 0);
  if (crew_open(&crew, THREADS, &mem)) return 1;
  test_claims(crew, &mem);
  test_nodes(crew, &mem, UINT64_MAX);
  test_nodes(crew, &mem, UINT64_MAX << 54); /* few different hashes, no tags */
  crew_close(crew);
  is(mem.used, 0, "nothing is held any more");
  return done();
}
