/* mem.c -- the laws of memory: used is the sum over tags and at most the budget; a refused request changes nothing. */
#include "tap.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct mem m;

static int lawful(void) {
  size_t sum = 0;
  for (int t = 0; t < MEM_TAGS; t++) sum += m.tag_used[t];
  return sum == m.used && m.used <= m.budget && m.peak >= m.used;
}

static int zero(const void *p, size_t n) {
  const unsigned char *c = p;
  for (size_t i = 0; i < n; i++)
    if (c[i]) return 0;
  return 1;
}

static void test_blocks(void) {
  mem_open(&m, 10000);
  char *a = mem_alloc(&m, MEM_STORE, 1000);
  ok(a && zero(a, 1000) && ((uintptr_t)a & 15) == 0, "a block is zero and aligned");
  ok(m.used >= 1000 && m.tag_used[MEM_STORE] == m.used && lawful(), "it is counted");
  memset(a, 7, 1000);
  a = mem_resize(&m, MEM_STORE, a, 3000);
  ok(a && a[999] == 7 && zero(a + 1000, 2000), "growing keeps the old bytes, new ones are zero");
  size_t used = m.used;
  ok(mem_resize(&m, MEM_STORE, a, 20000) == NULL && m.used == used && a[999] == 7 && lawful(),
     "a refused growth changes nothing");
  ok(mem_alloc(&m, MEM_MODEL, 9000) == NULL && m.used == used && lawful(), "a refused block changes nothing");
  ok(mem_alloc(&m, MEM_MODEL, SIZE_MAX) == NULL && mem_alloc(&m, MEM_MODEL, SIZE_MAX - 8) == NULL, "absurd sizes are refused");
  ok(mem_resize(&m, MEM_STORE, a, SIZE_MAX) == NULL && m.used == used, "also when growing");
  a = mem_resize(&m, MEM_STORE, a, 10);
  ok(a && a[9] == 7 && m.used < used && lawful(), "shrinking gives back");
  a = mem_resize(&m, MEM_STORE, a, 100);
  ok(a && zero(a + 10, 90), "what was cut off comes back as zero");
  void *nothing = mem_alloc(&m, MEM_OTHER, 0);
  ok(nothing != NULL, "no bytes have an address");
  mem_free(&m, nothing);
  char *s = mem_strndup(&m, MEM_OTHER, "abcdef", 3);
  is_text(s, "abc", "copies of texts end");
  mem_free(&m, s);
  mem_free(&m, a);
  mem_free(&m, NULL);
  ok(m.used == 0 && lawful(), "all is given back");
  ok(m.peak >= 3000, "the peak stays");
  is(mem_left(&m), 10000, "everything is left");
  m.fail_after = 2;
  a = mem_alloc(&m, MEM_OTHER, 1);
  ok(a && mem_alloc(&m, MEM_OTHER, 1) == NULL && m.fail_after == 0, "the n-th request is refused on demand");
  volatile int stop = 0;
  m.stop = &stop;
  a = mem_resize(&m, MEM_OTHER, a, 100);
  stop = 1;
  used = m.used;
  struct region r;
  region_open(&r, &m, MEM_OTHER);
  ok(a && mem_alloc(&m, MEM_OTHER, 1) == NULL && mem_resize(&m, MEM_OTHER, a, 200) == NULL && region_resize(&r, 10) && m.used == used && lawful(), "all requests are refused when work is to stop");
  region_close(&r);
  mem_free(&m, a);
  mem_open(&m, 0);
  ok(mem_left(&m) > (size_t)1 << 40, "no budget is no limit");
}

static void test_exact(void) { /* a block that needs exactly what is left */
  mem_open(&m, 1000);
  size_t overhead;
  void *a = mem_alloc(&m, MEM_OTHER, 1);
  overhead = m.used - 1;
  mem_free(&m, a);
  a = mem_alloc(&m, MEM_OTHER, 1000 - overhead);
  ok(a && m.used == 1000, "the last byte can be had");
  ok(!mem_alloc(&m, MEM_OTHER, 0), "and then nothing more");
  mem_free(&m, a);
  ok(!mem_alloc(&m, MEM_OTHER, 1001 - overhead), "one byte too many is refused");
}

static void test_regions(void) {
  mem_open(&m, 64 << 20);
  struct region r;
  region_open(&r, &m, MEM_STORE);
  is(region_resize(&r, 100), 0, "a region opens");
  ok(r.size == 100 && r.held >= 100 && r.held == m.used && zero(r.base, 100) && lawful(), "whole pages are counted");
  memset(r.base, 1, 100);
  is(region_resize(&r, 50), 0, "shrinks within its page");
  is(region_resize(&r, 100), 0, "and grows again");
  ok(r.base[49] == 1 && zero(r.base + 50, 50), "fresh bytes are zero");
  is(region_resize(&r, 1 << 20), 0, "grows");
  ok(r.base[49] == 1 && zero(r.base + 50, (1 << 20) - 50), "keeps the old bytes");
  memset(r.base, 2, 1 << 20);
  is(region_resize(&r, 5000), 0, "shrinks over pages");
  is(region_resize(&r, 20000), 0, "and grows");
  ok(r.base[4999] == 2 && zero(r.base + 5000, 15000) && lawful(), "fresh bytes are zero");
  size_t used = m.used;
  is(region_resize(&r, (size_t)65 << 20), -1, "beyond the budget it is refused");
  ok(m.used == used && r.size == 20000 && r.base[4999] == 2 && lawful(), "and as it was");
  is(region_resize(&r, SIZE_MAX), -1, "an absurd size is refused");
  is(region_resize(&r, 40 << 20), 0, "huge pages");
  ok(r.base[4999] == 2 && zero(r.base + 5000, (40 << 20) - 5000) && lawful(), "keep the old bytes");
  memset(r.base, 3, 1000);
  region_clear(&r);
  ok(zero(r.base, 40 << 20), "cleared");
  is(region_resize(&r, 0), 0, "down to nothing");
  ok(m.used == 0 && lawful(), "holds nothing");
  is(region_resize(&r, 10), 0, "and again");
  ok(zero(r.base, 10), "zero");
  m.fail_after = 1;
  is(region_resize(&r, 1 << 20), -1, "a refused growth");
  ok(r.size == 10 && r.base, "changes nothing");
  region_close(&r);
  region_close(&r);
  ok(m.used == 0 && lawful(), "closing gives back");
}

static void test_random_regions(void) {
  struct rng rng = {11};
  struct region r;
  uint8_t *model = calloc(1, 300000);
  size_t size = 0;
  int bad = 0;
  mem_open(&m, 250000);
  region_open(&r, &m, MEM_FRONTIER);
  for (int i = 0; i < 3000; i++) {
    size_t next = (size_t)rng_below(&rng, 300000);
    if (rng_below(&rng, 2)) next = next % 9000;
    size_t used = m.used;
    if (region_resize(&r, next) == 0) {
      if (next < size) memset(model + next, 0, size - next);
      size = next;
    } else bad += m.used != used || next < 240000;
    bad += r.size != size || !lawful() || (size && memcmp(r.base, model, size) != 0);
    for (int k = 0; k < 20 && size; k++) {
      size_t at = (size_t)rng_below(&rng, size);
      model[at] = r.base[at] = (uint8_t)rng_next(&rng);
    }
  }
  is(bad, 0, "random resizing: contents and counts");
  region_close(&r);
  is(m.used, 0, "nothing is left");
  free(model);
}

static void test_arenas(void) {
  mem_open(&m, 1 << 20);
  struct arena a;
  arena_open(&a, &m, MEM_MODEL);
  int bad = 0;
  char *first = arena_alloc(&a, 0);
  ok(first != NULL, "nothing has an address");
  for (int i = 0; i < 1000; i++) {
    unsigned char *p = arena_alloc(&a, (size_t)i % 100);
    bad += !p || ((uintptr_t)p & 7) || !zero(p, (size_t)i % 100);
    if (p) memset(p, 0xff, (size_t)i % 100);
  }
  is(bad, 0, "pieces are zero, aligned, apart");
  char *large = arena_alloc(&a, 200000);
  ok(large && zero(large, 200000), "a large piece");
  ok(arena_alloc(&a, 2 << 20) == NULL && arena_alloc(&a, SIZE_MAX) == NULL, "too large a piece is refused");
  is_text(arena_strndup(&a, "hello", 4), "hell", "texts");
  ok(lawful(), "counts");
  arena_close(&a);
  arena_close(&a);
  ok(m.used == 0 && lawful(), "closing gives back");
}

static void test_machine(void) {
  ok(mem_machine() > (16 << 20), "the machine has some memory");
  size_t before = mem_resident();
  volatile char *block = malloc(32 << 20);
  for (size_t i = 0; i < 32 << 20; i += 512) block[i] = 1; /* volatile: the compiler may not do without it */
  ok(mem_resident() >= before + (24 << 20), "resident memory is seen to grow");
  ok(mem_resident_peak() >= before + (24 << 20), "and its peak");
  free((void *)block);
  for (int t = 0; t < MEM_TAGS; t++)
    if (!mem_tag_name((enum mem_tag)t) || !*mem_tag_name((enum mem_tag)t)) return (void)ok(0, "every tag has a name");
  ok(1, "every tag has a name");
}

/* A block that has a mapping of its own becomes a small one, and the machine has not even memory for that. */
static void test_smaller(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  ok(1, "fewer bytes are never refused # SKIP sanitizers need addresses of their own");
#else
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    struct rlimit none = {0, 0};
    mem_open(&m, 0);
    char *a = mem_alloc(&m, MEM_STORE, 1 << 20);
    memset(a, 7, 1 << 20);
    setrlimit(RLIMIT_AS, &none);
    for (size_t bytes = 1 << 17; bytes; bytes /= 2)
      while (malloc(bytes)) {}
    a = mem_resize(&m, MEM_STORE, a, 100);
    int right = a && a[0] == 7 && a[99] == 7 && lawful();
    a = right ? mem_resize(&m, MEM_STORE, a, 1000) : NULL;
    right = a && a[99] == 7 && zero(a + 100, 900) && lawful();
    if (a) mem_free(&m, a);
    _exit(right && !m.used ? 0 : 1);
  }
  waitpid(child, &status, 0);
  is(status, 0, "fewer bytes are never refused");
#endif
}

int main(void) {
  test_blocks();
  test_exact();
  test_regions();
  test_random_regions();
  test_arenas();
  test_smaller();
  test_machine();
  ok(mem_interleave() >= 1, "there is a node with memory");
  return done();
}
