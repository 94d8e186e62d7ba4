/* store_steps.c -- stores that live from steps (delta, comback) on long vectors: what they keep in bytes, and that nothing is lost.
 *
 * The model: three counters from 0 to 39, each spread over words of a vector of 600 words; a step moves one of them on.  64000 states that
 * differ from their predecessors in one or two words, explored breadth-first. */
#include "tap.h"

#include "base/mem.h"
#include "base/stats.h"
#include "store/store.h"

#include <stdlib.h>

enum { WORDS = 600, SIDE = 40, STATES = SIDE * SIDE * SIDE, AXES = 3 };

static char text[200];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static void make(uint32_t *state, uint32_t place) {
  for (uint32_t i = 0; i < WORDS; i++) state[i] = i * 2654435761u; /* the rest never changes */
  for (uint32_t axis = 0, x = place; axis < AXES; axis++, x /= SIDE) {
    state[axis * 200] = x % SIDE * 77777;
    state[axis * 200 + 5 + x % SIDE] ^= 1;
  }
}

static uint32_t place_of(const uint32_t *state) {
  return state[0] / 77777 + state[200] / 77777 * SIDE + state[400] / 77777 * SIDE * SIDE;
}

/* The k-th step of a place; STATES = there is none. */
static uint32_t move(uint32_t place, uint32_t k) {
  for (uint32_t axis = 0, unit = 1; axis < AXES; axis++, unit *= SIDE)
    if (place / unit % SIDE + 1 < SIDE && k-- == 0) return place + unit;
  return STATES;
}

static int initial(void *context, uint32_t *state) {
  (void)context;
  make(state, 0);
  return 0;
}

static int step(void *context, const uint32_t *state, uint32_t edge, uint32_t *out) {
  uint32_t to = move(place_of(state), edge);
  (void)context;
  if (to == STATES) return -1;
  make(out, to);
  return 0;
}

static int64_t successors(void *context, const uint32_t *state, const uint32_t **states, size_t *stride, const uint32_t **groups) {
  static uint32_t room[AXES * WORDS], group[AXES] = {0, 1, 2};
  int64_t n = 0;
  while (step(context, state, (uint32_t)n, room + n * WORDS) == 0) n++;
  *states = room;
  *stride = WORDS;
  *groups = group;
  return n;
}

/* Explores; the bytes that the store holds in the end, 0 = something was wrong. */
static size_t explore(const struct store_type *type, const char *comback) {
  static uint32_t queue[STATES + 1], batch[AXES * WORDS], words[WORDS], got[WORDS];
  static uint8_t seen[STATES];
  struct mem mem;
  struct store *store;
  struct stats stats = {0};
  struct store_options options = {.comback = comback};
  struct store_model model = {.initial = initial, .step = step, .successors = successors};
  size_t tail = 0, wrong = 0, bytes;
  mem_open(&mem, 0);
  memset(seen, 0, sizeof seen);
  struct store_setup setup = {.words = WORDS, .bits = WORDS * 32, .mem = &mem, .stats = &stats, .options = &options, .model = &model};
  if (type->open(&store, &setup)) return 0;
  store_ref ref[AXES];
  make(words, 0);
  wrong += store_put(store, words, WORDS, NULL, ref) != STORE_NEW;
  queue[tail++] = 0;
  seen[0] = 1;
  for (size_t head = 0; head < tail; head++) {
    uint64_t hash[AXES];
    uint8_t answer[AXES];
    struct store_source from = {.ref = head, .words = words};
    struct store_batch b = {.states = batch, .stride = WORDS, .hash = hash, .ref = ref, .answer = answer, .source = &from, .sources = 1};
    make(words, queue[head]);
    for (uint32_t to; (to = move(queue[head], (uint32_t)b.count)) != STATES; b.count++) make(batch + b.count * WORDS, to);
    from.end = b.count;
    wrong += type->put_batch(store, &b, 0) != b.count;
    for (uint32_t k = 0; k < b.count; k++) {
      uint32_t to = move(queue[head], k);
      wrong += (answer[k] == STORE_NEW) != !seen[to] || (answer[k] == STORE_NEW && ref[k] != tail);
      if (!seen[to]) queue[tail++] = to;
      seen[to] = 1;
    }
  }
  wrong += tail != STATES || type->count(store) != STATES;
  bytes = type->bytes(store);
  for (size_t n = 0; n < tail; n += 97) {
    make(words, queue[n]);
    wrong += type->get(store, n, got, NULL) || memcmp(got, words, sizeof words) || store_find(store, words, WORDS) != n;
  }
  type->close(store);
  is(mem.used, 0, NAMED("%s: nothing left behind", type->name));
  is(wrong, 0, NAMED("%s%s%s: %d states of %d words", type->name, comback ? ", " : "", comback ? comback : "", STATES, WORDS));
  return bytes;
}

int main(void) {
  size_t plain = explore(&store_plain, NULL), delta = explore(&store_delta, NULL), succinct = explore(&store_comback, NULL),
         classic = explore(&store_comback, "classic");
  ok(delta && delta * 20 <= plain, NAMED("delta: %.1f bytes per state, plain %.1f: at most 5 %%", (double)delta / STATES, (double)plain / STATES));
  ok(succinct && succinct <= STATES * 8, NAMED("comback, succinct: %.1f bytes per state whatever the vector", (double)succinct / STATES));
  ok(classic && classic <= STATES * 40, NAMED("comback, classic: %.1f bytes per state, of which the cache takes 24", (double)classic / STATES));
  return done();
}
