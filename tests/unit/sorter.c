/* sorter.c -- byte strings in order, each once: in memory, in a few runs, in so many that runs are merged on the way; refusals. */
#include "base/rng.h"
#include "base/sorter.h"
#include "tap.h"

#include <stdlib.h>

static struct mem mem;
static struct err e;

struct string {
  uint8_t at[40];
  size_t length;
};

static int compare(const void *x, const void *y) {
  const struct string *a = x, *b = y;
  int order = memcmp(a->at, b->at, a->length < b->length ? a->length : b->length);
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* Random strings, many of them several times, against a sorted array. */
static void sorts(size_t count, uint64_t values, const char *what, unsigned runs) {
  struct string *all = calloc(count, sizeof *all);
  struct sorter s;
  struct rng rng = {count};
  const uint8_t *string;
  size_t length, at = 0, wrong = 0;
  int there, bad = sorter_open(&s, ".", 1 << 16, &mem, &e);
  for (size_t i = 0; i < count && !bad; i++) {
    struct rng one = {rng_below(&rng, values)};
    all[i].length = rng_below(&one, sizeof all[i].at + 1); /* none at all is a string, too */
    for (size_t k = 0; k < all[i].length; k++) all[i].at[k] = (uint8_t)rng_below(&one, 3);
    bad = sorter_add(&s, all[i].at, all[i].length, &e);
  }
  qsort(all, count, sizeof *all, compare);
  ok(!bad && s.runs >= runs, what);
  ok(sorter_begin(&s, &e) == 0, "it begins");
  for (; (there = sorter_next(&s, &string, &length, &e)) > 0; at++) {
    while (at && at < count && compare(&all[at], &all[at - 1]) == 0) at++;
    wrong += at >= count || length != all[at].length || (length && memcmp(string, all[at].at, length) != 0);
  }
  while (at && at < count && compare(&all[at], &all[at - 1]) == 0) at++;
  ok(there == 0 && !wrong && at == count, "all of them in order, each once");
  sorter_clear(&s);
  ok(sorter_add(&s, "b", 1, &e) == 0 && sorter_add(&s, "a", 1, &e) == 0 && sorter_begin(&s, &e) == 0 && sorter_next(&s, &string, &length, &e) == 1 && length == 1 && *string == 'a', "cleared, it begins anew");
  sorter_close(&s);
  free(all);
}

int main(void) {
  struct sorter s;
  static const char large[1 << 17];
  mem_open(&mem, 1 << 24);
  sorts(500, 1000, "in memory", 0);
  sorts(50000, 20000, "in several runs", 5);
  sorts(300000, 1000000, "in more runs than are merged at once", 1);
  err_clear(&e);
  ok(sorter_open(&s, ".", 1 << 16, &mem, &e) == 0 && sorter_add(&s, large, sizeof large, &e) == -1 && e.kind == ERR_LIMIT, "a string that is too long");
  sorter_close(&s);
  err_clear(&e);
  int bad = sorter_open(&s, "no/such/folder", 1 << 16, &mem, &e);
  for (int i = 0; i < 10 && !bad; i++) bad = sorter_add(&s, large, 20000, &e);
  ok(bad == -1 && e.kind == ERR_IO, "a folder that is not there");
  sorter_close(&s);
  is(mem.used, 0, "nothing is left");
  return done();
}
