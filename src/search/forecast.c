/* forecast.c -- do the words of these states compress? A compact tree is tried on them before it is too late for anything else.
 *
 * First on a sample: a split is found on it and the sample's states are put into a compact tree.  Parts of states repeat more often the more
 * states there are, so the sample flatters nobody: if it is small on the sample it is small on all, and that is the end of it for nearly every
 * model.  Otherwise all states that are there go in, and the sizes at half of them and at the end say how fast it grows: as a power of the number
 * of states, which is carried on to as many states as the budget can hold in steps.  (The estimate that split.h makes of a sample would be twice to three times too high
 * for models whose halves have some hundred thousand values.)
 *
 * The trial takes memory that the run does not need yet: it ends when that becomes scarce, or when it is clear that nothing can come of it. */
#include "search/strategy.h"

#include <math.h>

enum { LOAD = 128, SCARCE = 6, HOPELESS = 4 }; /* states at a time; a share of the budget; times what is acceptable */

struct trial {
  struct search *search;
  struct store *store;
  uint32_t *states;
  size_t stride, empty;
  double enough; /* bytes per state */
};

/* Bytes for each state of the trial, without what an empty store takes. */
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
  uint64_t all = t->search->store->type->count(t->search->store);
  return (double)size(t) > HOPELESS * t->enough * (double)all ? -1 : 0;
}

static int put_sample(struct trial *t, const struct move_sample *sample) {
  for (size_t i = 0; i < sample->count; i += LOAD) {
    size_t n = sample->count - i < LOAD ? sample->count - i : LOAD;
    if (put(t, sample->states + i * sample->stride, sample->stride, n)) return -1;
  }
  return 0;
}

/* All states; what was held when half of them were there. */
static int put_all(struct trial *t, uint64_t *half, size_t *half_size) {
  struct store *from = t->search->store;
  uint64_t all = from->type->count(from);
  for (uint64_t n = 0; n < all; n += LOAD) {
    size_t count = all - n < LOAD ? (size_t)(all - n) : LOAD;
    for (size_t i = 0; i < count; i++)
      if (from->type->get(from, n + i, t->states + i * t->stride, NULL)) return -1;
    if (put(t, t->states, t->stride, count)) return -1;
    uint64_t there = t->store->type->count(t->store);
    if (*half || there < all / 2) continue;
    *half = there;
    *half_size = size(t);
  }
  return 0;
}

/* Bytes per state at `goal` states. */
static double carry_on(const struct trial *t, uint64_t half, size_t half_size, uint64_t goal) {
  double all = (double)t->store->type->count(t->store), now = (double)size(t), grows = 1;
  if (half && half_size && all > (double)half) grows = log(now / (double)half_size) / log(all / (double)half);
  if (grows > 1) grows = 1;
  if (grows < 0) grows = 0;
  return now / all * ((double)goal > all ? pow((double)goal / all, grows - 1) : 1);
}

/* 1: more than `enough`; 0: less; -1: memory did not allow to find out. */
static int try_all(struct trial *t, const struct move_sample *sample, uint64_t goal) {
  uint64_t half = 0;
  size_t half_size = 0;
  if (put_sample(t, sample)) return 1;
  if ((double)size(t) <= t->enough * (double)t->store->type->count(t->store)) return 0;
  t->stride = sample->stride;
  t->states = mem_alloc(t->search->mem, MEM_SEARCH, (LOAD * t->stride + 4) * sizeof *t->states);
  if (!t->states) return -1;
  int full = put_all(t, &half, &half_size);
  mem_free(t->search->mem, t->states);
  return full || carry_on(t, half, half_size, goal) > t->enough;
}

int search_forecast(struct search *s, double enough, uint64_t goal) {
  struct trial t = {.search = s, .enough = enough};
  struct move_sample sample;
  int answer = -1;
  search_take_sample(&sample, s, NULL);
  if (sample.count && search_open_store(s, &store_compact_tree, &sample, &t.store) == 0) {
    t.empty = t.store->type->bytes(t.store);
    answer = try_all(&t, &sample, goal);
    t.store->type->close(t.store);
  }
  mem_free(s->mem, sample.states);
  return answer;
}
