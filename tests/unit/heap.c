/* heap.c -- search/heap.h: numbers come out in order, whatever the order in which they went in. */
#include "tap.h"

#include "base/rng.h"
#include "search/heap.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

int main(void) {
  enum { MOST = 3000 };
  static uint64_t held[MOST];
  struct mem mem;
  struct heap h;
  struct rng r = {7};
  size_t wrong = 0, count = 0, popped = 0;
  mem_open(&mem, 0);
  heap_open(&h, &mem);
  for (int i = 0; i < 200000; i++) {
    int fill = i / 10000 % 2 == 0; /* it grows and shrinks */
    if (count < MOST && (rng_below(&r, 10) < (fill ? 7u : 3u) || !count)) {
      uint64_t x = rng_below(&r, 4) ? rng_next(&r) : rng_below(&r, 5);
      if (heap_reserve(&h, 1)) wrong++;
      heap_push(&h, x);
      held[count++] = x;
      continue;
    }
    size_t least = 0;
    for (size_t k = 1; k < count; k++)
      if (held[k] < held[least]) least = k;
    wrong += heap_pop(&h) != held[least];
    held[least] = held[--count];
    popped++;
  }
  is(wrong, 0, "the smallest one first");
  ok(popped > 50000 && h.count == count, "many times");
  qsort(held, count, sizeof *held, by_value);
  for (size_t k = 0; k < count; k++) wrong += heap_pop(&h) != held[k];
  is(wrong, 0, "until it is empty");
  struct mem little;
  struct heap small;
  mem_open(&little, 1000);
  heap_open(&small, &little);
  is(heap_reserve(&small, 1000), -1, "no memory is an answer");
  heap_close(&small);
  heap_close(&h);
  is(mem.used, 0, "nothing left behind");
  return done();
}
