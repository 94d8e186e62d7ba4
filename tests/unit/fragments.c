/* fragments.c -- the table of hash fragments (store/fragments.h): every number entered is among the candidates of its hash, however
 * hashes collide; few others are; and what it costs in bytes. */
#include "tap.h"

#include "base/hash.h"
#include "store/fragments.h"

static char text[200];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

struct figures {
  size_t missing, wrong; /* numbers that were not found; candidates of hashes that were not entered */
  double bytes;          /* per state */
  int left;
};

/* Hash of the n-th state; from 2^40 on: of one that is not entered. */
static uint64_t hash_of(uint64_t n, uint64_t mask) { return hash_mix(n + 1) & mask; }

static struct figures fill(size_t count, uint64_t mask, unsigned blur, unsigned whole) {
  struct figures f = {0};
  struct mem mem;
  struct blocks blocks = {.mem = &mem};
  struct fragments t;
  uint64_t number;
  mem_open(&mem, 0);
  fragments_open(&t, &blocks);
  t.blur = blur;
  t.whole = whole;
  for (size_t n = 0; n < count; n++)
    if (fragments_add(&t, hash_of(n, mask), n)) f.missing++;
  for (size_t n = 0; n < count; n++) {
    struct fragments_look l = fragments_look(&t, hash_of(n, mask));
    int found = 0;
    fragments_prefetch(&t, hash_of(n, mask));
    while (!found && fragments_next(&l, &number)) found = n >= number && n - number < (uint64_t)1 << blur;
    f.missing += !found;
  }
  for (uint64_t n = (uint64_t)1 << 40; n < ((uint64_t)1 << 40) + 100000 && mask == UINT64_MAX; n++) {
    struct fragments_look l = fragments_look(&t, hash_of(n, mask));
    while (fragments_next(&l, &number)) f.wrong++;
  }
  f.bytes = (double)blocks.bytes / (double)count;
  fragments_close(&t);
  f.left = mem.used != 0 || blocks.bytes != 0;
  return f;
}

int main(void) {
  static const struct {
    size_t count;
    uint64_t mask;
    unsigned blur, whole;
    size_t most_wrong; /* of 100000 hashes that are not there */
    double most_bytes;
  } runs[] = {{100, UINT64_MAX, 0, 0, 10, 1e9},
              {300000, UINT64_MAX, 0, 0, 1800, 5.2},
              {300000, UINT64_MAX, 2, 0, 1800, 4.9},
              {2500000, UINT64_MAX, 1, 0, 8000, 4.8}, /* two generations */
              {300000, UINT64_MAX, 0, 28, 250, 5.6},
              {20000, 0xff, 1, 0, 0, 1e9}, /* all in one shard, or beyond */
              {3000, (uint64_t)0xff << 56, 1, 0, 0, 1e9},
              {3000, (uint64_t)1 << 63, 0, 0, 0, 1e9}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    struct figures f = fill(runs[i].count, runs[i].mask, runs[i].blur, runs[i].whole);
    is(f.missing, 0, NAMED("run %zu: %zu hashes are found", i, runs[i].count));
    ok(f.wrong <= runs[i].most_wrong, NAMED("run %zu: %zu false candidates", i, f.wrong));
    ok(f.bytes <= runs[i].most_bytes, NAMED("run %zu: %.2f bytes per state", i, f.bytes));
    is(f.left, 0, NAMED("run %zu: nothing left behind", i));
  }
  /* A hash that is a permutation and stands in the table as a whole has one candidate at most: all numbers of 20 bits. */
  struct mem mem;
  struct blocks blocks = {.mem = &mem};
  struct fragments t;
  size_t bad = 0;
  mem_open(&mem, 0);
  fragments_open(&t, &blocks);
  t.whole = 20;
  for (uint64_t n = 0; n < 1 << 20; n += 2) bad += fragments_add(&t, (n * 0x9e3779b1u & 0xfffff) << 44, n / 2) != 0;
  for (uint64_t n = 0; n < 1 << 20; n++) {
    struct fragments_look l = fragments_look(&t, (n * 0x9e3779b1u & 0xfffff) << 44);
    uint64_t number, candidates = 0;
    for (; fragments_next(&l, &number); candidates++) bad += n % 2 || number != n / 2;
    bad += candidates != (n % 2 == 0);
  }
  is(bad, 0, "whole hashes: one candidate each, and the right one");
  fragments_close(&t);
  is(mem.used, 0, "nothing left behind");
  return done();
}
