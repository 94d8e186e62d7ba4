/* forecast.c -- do the words of these states compress? A compact tree is tried on them before it is too late for anything else.
 *
 * A split is found on a sample, and the first states, up to a million, are put into a compact tree of that split.  Parts of states repeat more often the more states
 * there are: so what counts is not the size now but how it grows.  The sizes at half of the trial and at its end give the growth as a power of
 * the number of states, which is carried on to as many states as the budget can hold in steps.  (The estimate that split.h makes of a sample alone is two to ten times too high
 * where halves have some ten thousand values: at.3 7.8 bytes per state, of 32,000 out of 126,000 states, which take 2.3.  Finding the split is most of the time; 16,384 states
 * gave splits as good as 65,536 for this question.)
 *
 * The trial takes memory that the run does not need yet: it ends when that becomes scarce, or when it is clear that nothing can come of it. */
#include "search/strategy.h"

#include <math.h>

enum { LOAD = 128, SAMPLE = 16384, MOST = 1 << 20 };        /* states: at a time, for the split, in all */
enum { SCARCE = 6, HOPELESS = 4, HOPELESS_FROM = 1 << 16 }; /* a share of the budget; times what is acceptable, beyond so many states */

static const double LEAST_GROWTH = 0.7; /* tables grow by leaps: what the two sizes say is that uncertain */

struct trial {
  struct search *search;
  struct store *store;
  double enough; /* bytes per state */
  size_t empty;
  uint64_t half; /* states when about half of them were there, and their size */
  size_t half_size;
};

/* Without what an empty store takes. */
static size_t size(const struct trial *t) {
  size_t bytes = t->store->type->bytes(t->store);
  return bytes > t->empty ? bytes - t->empty : 0;
}

/* 0; -1: it is full, or so large that the rest does not matter. */
static int put(struct trial *t, uint32_t *states, size_t stride, size_t count) {
  uint64_t hash[LOAD];
  store_ref ref[LOAD];
  uint8_t answer[LOAD];
  const struct mem *mem = t->search->mem;
  struct store_batch b = {.states = states, .stride = stride, .count = count, .hash = hash, .ref = ref, .answer = answer};
  if (t->store->type->put_batch(t->store, &b, 0) < count || mem_left(mem) < mem->budget / SCARCE) return -1;
  uint64_t there = t->store->type->count(t->store);
  return there > HOPELESS_FROM && (double)size(t) > HOPELESS * t->enough * (double)there ? -1 : 0;
}

/* The first states; as put. */
static int put_first(struct trial *t, uint32_t *states, size_t stride) {
  struct store *from = t->search->store;
  uint64_t all = from->type->count(from);
  if (all > MOST) all = MOST;
  for (uint64_t n = 0; n < all; n += LOAD) {
    size_t count = all - n < LOAD ? (size_t)(all - n) : LOAD;
    for (size_t i = 0; i < count; i++)
      if (from->type->get(from, n + i, states + i * stride, NULL)) return -1;
    if (put(t, states, stride, count)) return -1;
    if (t->half || n + count < all / 2) continue;
    t->half = n + count;
    t->half_size = size(t);
  }
  return 0;
}

/* Bytes per state at `goal` states. */
static double carry_on(const struct trial *t, uint64_t goal) {
  double all = (double)t->store->type->count(t->store), now = (double)size(t), grows = 1;
  if (t->half_size && all > (double)t->half) grows = log(now / (double)t->half_size) / log(all / (double)t->half);
  if (grows > 1) grows = 1;
  if (grows < LEAST_GROWTH) grows = LEAST_GROWTH;
  return now / all * ((double)goal > all ? pow((double)goal / all, grows - 1) : 1);
}

int search_forecast(struct search *s, double enough, uint64_t goal) {
  struct trial t = {.search = s, .enough = enough};
  struct move_sample sample;
  int answer = -1;
  search_take_sample(&sample, s, SAMPLE, NULL);
  sample.all = 1; /* no room in advance: growth is to be seen */
  uint32_t *states = mem_alloc(s->mem, MEM_SEARCH, (LOAD * sample.stride + 4) * sizeof *states);
  if (states && sample.count && search_open_store(s, &store_compact_tree, &sample, &t.store) == 0) {
    t.empty = t.store->type->bytes(t.store);
    answer = put_first(&t, states, sample.stride) || carry_on(&t, goal) > enough;
    t.store->type->close(t.store);
  }
  mem_free(s->mem, states);
  mem_free(s->mem, sample.states);
  return answer;
}
