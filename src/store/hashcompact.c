/* hashcompact.c -- a state is its hash, cut to 40 bits or what the user wants: small, and not exact.
 *
 * Hash compaction (Wolper and Leroy 1993; Stern and Dill 1995).  Two states with one hash are taken for one, so states can be missed, and a
 * run says "no violation found", never "holds".  The hashes lie in the quotient table of fragments.h: most bits are
 * told by the place, so that an entry takes the rest of the hash and 3 bits.
 *
 * How likely is it that something was missed?  n states have n (n-1) / 2 pairs, each with one hash with probability 2^-bits; if no two
 * states share a hash none is missed: the probability of a miss is at most 1 - exp(-n (n-1) / 2^(bits+1)).  n is the number of states found, which
 * is too small by those missed: where the result is small they are too. */
#include "store/store.h"

#include "base/hash.h"
#include "base/stats.h"
#include "store/fragments.h"

#include <math.h>
#include <string.h>

enum { BITS = 40, LEAST = 16, MOST = 56 };

struct hashcompact {
  struct store base;
  struct blocks blocks;
  uint32_t record;
  unsigned bits;
  uint64_t hash_mask, count;
  struct fragments table;
};

enum { PUT, FIND };

/* What a state is called is its hash: different for all that are told apart. */
static size_t ask(struct hashcompact *s, struct store_batch *b, size_t from, int asking) {
  for (size_t i = from; i < b->count; i++) {
    b->hash[i] = hash_bytes(b->states + i * b->stride, s->record) & s->hash_mask;
    fragments_prefetch(&s->table, b->hash[i]);
  }
  for (size_t i = from; i < b->count; i++) {
    struct fragments_look l = fragments_look(&s->table, b->hash[i]);
    uint64_t number;
    b->ref[i] = b->hash[i] >> (64 - s->bits);
    b->answer[i] = fragments_next(&l, &number) ? STORE_SEEN : STORE_NEW;
    if (asking == FIND || b->answer[i] == STORE_SEEN) continue;
    if (fragments_add(&s->table, b->hash[i], 0)) {
      b->answer[i] = STORE_FULL;
      return i;
    }
    s->count++;
  }
  return b->count;
}

static size_t hashcompact_put_batch(struct store *base, struct store_batch *b, size_t from) {
  return ask((struct hashcompact *)base, b, from, PUT);
}

static void hashcompact_find_batch(struct store *base, struct store_batch *b) { ask((struct hashcompact *)base, b, 0, FIND); }

static double hashcompact_omission(const struct store *base) {
  const struct hashcompact *s = (const struct hashcompact *)base;
  double n = (double)s->count;
  return n > 1 ? -expm1(-n * (n - 1) / 2 / ldexp(1, (int)s->bits)) : 0;
}

static uint64_t hashcompact_count(const struct store *base) { return ((const struct hashcompact *)base)->count; }

static size_t hashcompact_bytes(const struct store *base) {
  const struct hashcompact *s = (const struct hashcompact *)base;
  return sizeof *s + s->blocks.bytes;
}

static void hashcompact_close(struct store *base) {
  if (!base) return;
  struct hashcompact *s = (struct hashcompact *)base;
  fragments_close(&s->table);
  mem_free(s->blocks.mem, s);
}

static int hashcompact_open(struct store **out, const struct store_setup *setup) {
  struct hashcompact *s = mem_alloc(setup->mem, MEM_STORE, sizeof *s);
  if (!s) return -1;
  s->base.type = &store_hashcompact;
  s->blocks.mem = setup->mem;
  s->record = setup->bits ? (setup->bits + 7) / 8 : 1;
  s->hash_mask = setup->hash_mask ? setup->hash_mask : UINT64_MAX;
  s->bits = setup->options && setup->options->hash_bits ? setup->options->hash_bits : BITS;
  if (s->bits < LEAST) s->bits = LEAST;
  if (s->bits > MOST) s->bits = MOST;
  fragments_open_fixed(&s->table, &s->blocks, s->bits);
  *out = &s->base;
  return 0;
}

const struct store_type store_hashcompact = {
    .name = "hashcompact",
    .summary = "40 bits of a hash for each state: lossy (--lossy), 3 to 4 bytes per state",
    .open = hashcompact_open,
    .put_batch = hashcompact_put_batch,
    .find_batch = hashcompact_find_batch,
    .omission = hashcompact_omission,
    .count = hashcompact_count,
    .bytes = hashcompact_bytes,
    .close = hashcompact_close,
};
