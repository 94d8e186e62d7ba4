/* stores.c -- what structured sets cost in stores that live from structure: bytes per state stay below a figure.
 *
 * The set: N processes, each with P places of which it is in one, and a counter; all combinations.  Vectors of that kind are what
 * the stores are for; random ones are in the laws. */
#include "tap.h"

#include "base/mem.h"
#include "store/store.h"

enum { SIDES = 7, PLACES = 6, WIDTH = 15, STRIDE = 4, BITS = SIDES * WIDTH }; /* 6^7 = 279936 states of 105 bits */

/* The state in which process i is at place v / 6^i % 6. Places are wide and far from dense codes. */
static void make_state(uint64_t v, uint32_t *state) {
  memset(state, 0, STRIDE * sizeof *state);
  for (unsigned i = 0; i < SIDES; i++, v /= PLACES) {
    uint64_t place = (v % PLACES * 5003 + i) & 0x7fff;
    for (unsigned k = 0; k < WIDTH; k++)
      if (place >> k & 1) state[(i * WIDTH + k) / 32] |= 1u << (i * WIDTH + k) % 32;
  }
}

static void measure(const struct store_type *type, const uint32_t *parts, size_t part_count, uint64_t states, double most) {
  enum { BATCH = 120 };
  static uint32_t room[BATCH * STRIDE];
  uint64_t hash[BATCH];
  store_ref ref[BATCH];
  uint8_t answer[BATCH];
  struct mem mem;
  struct store *s;
  size_t wrong = 0;
  char text[160];
  mem_open(&mem, 0);
  struct store_setup setup = {.words = (BITS + 31) / 32, .bits = BITS, .mem = &mem, .parts = parts, .part_count = part_count};
  if (type->open(&s, &setup)) {
    ok(0, "opens");
    return;
  }
  for (int round = 0; round < 2; round++)
    for (uint64_t v = 0; v < states; v += BATCH) {
      size_t n = states - v < BATCH ? (size_t)(states - v) : BATCH;
      for (size_t i = 0; i < n; i++) make_state((v + i) * 5 % states, room + i * STRIDE); /* 5 and 6^7 have no common factor */
      struct store_batch b = {.states = room, .stride = STRIDE, .count = n, .hash = hash, .ref = ref, .answer = answer};
      wrong += type->put_batch(s, &b, 0) != n;
      for (size_t i = 0; i < n; i++) wrong += answer[i] != (round ? STORE_SEEN : STORE_NEW);
    }
  wrong += type->count(s) != states;
  snprintf(text, sizeof text, "%s: %llu states, each new once", type->name, (unsigned long long)states);
  is(wrong, 0, text);
  double bytes = (double)type->bytes(s) / (double)states;
  snprintf(text, sizeof text, "%s: %.2f bytes per state, at most %.2f", type->name, bytes, most);
  ok(bytes <= most, text);
  type->close(s);
  is(mem.used, 0, "nothing left behind");
}

int main(void) {
  static const uint64_t all = 6 * 6 * 6 * 6 * 6 * 6 * 6;
  uint32_t parts[SIDES];
  for (uint32_t i = 0; i < SIDES; i++) parts[i] = i * WIDTH;
  measure(&store_tree, parts, SIDES, all, 8);      /* 216 and 1296 values on the two sides: pairs of 4 bytes */
  measure(&store_tree, NULL, 0, all, 9);           /* cut through a process */
  measure(&store_collapse, parts, SIDES, all, 12); /* vectors of 7 x 4 bits, plain's index */
  measure(&store_dfa, NULL, 0, all, 0.2);          /* a product: nodes for each process once */
  measure(&store_dfa, NULL, 0, all - 20000, 0.25); /* and not quite a product */
  return done();
}
