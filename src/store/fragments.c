/* fragments.c -- see fragments.h.
 *
 * A hash comes back from its place: with S bits inside a shard of B buckets, home is the high part of hash * B and the rest the upper
 * bits of its low part, as many as S lacks to floor(log2 B): hashes of one home differ by B or more in the low part, so the
 * smallest hash whose product is not below (home, rest) is the one.
 *
 * T = 25 up to 2^21 states: one question in 32 has a false candidate, in the end one in 16.  Lines are up to 95 % full when a shard grows: with 16 entries each that is
 * about what 3 buckets from home allow.  Shards grow by different shares, so that they do not all do so at the same time: 4.3 to 4.6 bytes per state on the average.
 * Growing is most of what entering costs: at a fourteenth at a time every entry was moved fifteen times.  First come,
 * first served with the same two bits of distance had to stop at 0.7.  A Cleary table would know the slot and need 4 bits less for the
 * same T, and 2.25 for its marks, and would have to shift entries.  24 bits instead of 25 save up to 0.14 bytes. */
#include "store/fragments.h"

#include "base/bits.h"

#include <assert.h>

enum { FIRST_STATES = 21, RATIO_BITS = 2, FIRST_FAR = 16, LEAST_ENTRY = 16 /* bits: 32 in a line */, MOST_FULL = 95, GROWTH = 5, GROWTHS = 4 };

void fragments_open(struct fragments *t, struct blocks *blocks) { *t = (struct fragments){.blocks = blocks}; }

void fragments_open_fixed(struct fragments *t, struct blocks *blocks, unsigned bits) {
  *t = (struct fragments){.blocks = blocks, .fixed = bits};
}

void fragments_close(struct fragments *t) {
  for (unsigned i = 0; i < t->generations; i++) {
    for (unsigned k = 0; k < FRAGMENTS_SHARDS; k++) blocks_free(t->blocks, t->generation[i]->shard[k].block);
    blocks_free(t->blocks, t->generation[i]);
  }
  blocks_free(t->blocks, t->far);
  *t = (struct fragments){.blocks = t->blocks, .whole = t->whole, .more = t->more, .blur = t->blur, .fixed = t->fixed};
}

/* ---- the few that lie too far from home ------------------------------------------------ */

static void far_enter(struct fragments_far *far, size_t room, struct fragments_far f) {
  size_t at = fragments_far_home(f.hash, room);
  while (far[at].number)
    if (++at == room) at = 0;
  far[at] = f;
}

/* Room for one more. 0, or -1: no memory. */
static int far_room(struct fragments *t) {
  if (4 * (t->far_count + 1) <= 3 * t->far_room) return 0;
  size_t room = t->far_room ? 2 * t->far_room : FIRST_FAR;
  struct fragments_far *far = blocks_alloc(t->blocks, room * sizeof *far);
  if (!far) return -1;
  for (size_t i = 0; i < t->far_room; i++)
    if (t->far[i].number) far_enter(far, room, t->far[i]);
  blocks_free(t->blocks, t->far);
  t->far = far;
  t->far_room = room;
  return 0;
}

static void far_add(struct fragments *t, uint64_t hash, unsigned bits, uint64_t number) {
  far_enter(t->far, t->far_room, (struct fragments_far){hash, number + 1, bits});
  t->far_count++;
}

/* ---- shards ---------------------------------------------------------------------------- */

/* Changes the bits of an entry that are set in `change`: all of a free one's are zero. */
static inline void change_entry(const struct fragments_shard *s, uint8_t *line, unsigned slot, uint64_t change) {
  unsigned at = s->per * 8u + slot * s->low, byte = at / 8;
  if (byte > FRAGMENTS_LINE - 8) byte = FRAGMENTS_LINE - 8;
  uint64_t x;
  memcpy(&x, line + byte, 8);
  x ^= (change & bits_mask(s->low)) << (at - byte * 8);
  memcpy(line + byte, &x, 8);
  line[slot] ^= (uint8_t)(change >> s->low);
}

/* The first free slot of a line that is not full. */
static unsigned free_slot(const struct fragments_shard *s, const uint8_t *line) {
  unsigned low = 0, high = s->per - 1u;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (fragments_entry(s, line, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The smallest hash whose product with the buckets is not below (home, rest). Division by way of a reciprocal, which is never too large and put
   right afterwards: it is done for every entry of a shard that grows. */
static inline uint64_t inner_of(const struct fragments_generation *g, const struct fragments_shard *s, uint64_t bucket, uint64_t key) {
  unsigned bits = g->bits - FRAGMENTS_SHARD_BITS;
  uint64_t home = bucket - (key >> s->rest_bits), rest = key & bits_mask(s->rest_bits);
  if (home >> (52 - bits)) {
    unsigned __int128 product = ((unsigned __int128)home << bits | rest << (bits - s->rest_bits)) + s->buckets - 1;
    return (uint64_t)(product / s->buckets);
  }
  uint64_t product = home << bits | rest << (bits - s->rest_bits), inner = (uint64_t)(int64_t)((double)(int64_t)product * s->reciprocal);
  while (inner * s->buckets < product) inner++;
  return inner;
}

/* The entry of a full line that is nearest to its home: its slot, if it has come less far than `mine`; otherwise s->per. */
static unsigned nearest(const struct fragments_shard *s, const uint8_t *line, unsigned mine, unsigned *distance) {
  for (unsigned d = 0; d < mine; d++) {
    uint32_t slots = fragments_tags(s, line, d << 6, 3 << 6);
    if (!slots) continue;
    *distance = d;
    return (unsigned)__builtin_ctz(slots);
  }
  return s->per;
}

/* Enters near home. In a full bucket who has come further stays, and who is nearer to home goes on to the next. 0; -1: somebody found no place,
   whose hash and number are in *inner and *number now. `fill`: how full the buckets are; NULL = not known. */
static int enter(const struct fragments_generation *g, struct fragments_shard *s, uint64_t *inner, uint64_t *number, uint8_t *fill) {
  if (!s->buckets) return -1;
  uint64_t bucket = fragments_home(g, s, *inner), x = fragments_rest(g, s, *inner) << s->number_bits | (*number + 1);
  for (;; bucket++) {
    uint8_t *line = s->line + bucket * FRAGMENTS_LINE;
    if (fill ? fill[bucket] < s->per : !fragments_full(s, line)) {
      change_entry(s, line, fill ? fill[bucket]++ : free_slot(s, line), x);
      s->count++;
      return 0;
    }
    unsigned mine = (unsigned)(x >> (s->number_bits + s->rest_bits)), other;
    unsigned slot = nearest(s, line, mine, &other);
    if (slot < s->per) {
      uint64_t victim = fragments_entry(s, line, slot);
      change_entry(s, line, slot, x ^ victim);
      x = victim;
      mine = other;
    }
    if (mine == FRAGMENTS_FAR) {
      *inner = inner_of(g, s, bucket, x >> s->number_bits);
      *number = (x & bits_mask(s->number_bits)) - 1;
      return -1;
    }
    x += (uint64_t)1 << (s->number_bits + s->rest_bits);
  }
}

/* Everything in `from` goes to `to`, which has more buckets. Each entry passes here some ten times, so most of them take a short way: with copies of the two
   shards, which writing to lines cannot change, and without 128-bit products. 0, or 1: something lies too far from home. */
static int move_all(const struct fragments_generation *g, const struct fragments_shard *from, struct fragments_shard *to, uint8_t *fill) {
  const struct fragments_shard old = *from, new = *to;
  const unsigned bits = g->bits - FRAGMENTS_SHARD_BITS;
  const int narrow = fill && bits + bits_for((uint64_t)new.buckets + FRAGMENTS_FAR) <= 52;
  for (uint64_t b = 0; b < (uint64_t)old.buckets + FRAGMENTS_FAR; b++) {
    const uint8_t *line = old.line + b * FRAGMENTS_LINE;
    for (unsigned slot = 0; slot < old.per; slot++) {
      uint64_t x = fragments_entry(&old, line, slot);
      if (!x) break;
      uint64_t inner = inner_of(g, &old, b, x >> old.number_bits), number = x & bits_mask(old.number_bits);
      if (narrow) {
        uint64_t product = inner * new.buckets, home = product >> bits, rest = (product & bits_mask(bits)) >> (bits - new.rest_bits);
        if (fill[home] < new.per) {
          change_entry(&new, new.line + home * FRAGMENTS_LINE, fill[home]++, rest << new.number_bits | number);
          to->count++;
          continue;
        }
      }
      number--;
      if (enter(g, to, &inner, &number, fill)) return 1;
    }
  }
  return 0;
}

/* A shard for so many states with numbers up to `number`, and everything in it. 0; -1: no memory; 1: something lies too far from home. */
static int rebuild(struct fragments *t, const struct fragments_generation *g, struct fragments_shard *s, uint32_t states, uint64_t number) {
  struct fragments_shard n = {0};
  unsigned bits = g->bits - FRAGMENTS_SHARD_BITS;
  n.number_bits = t->fixed ? 1 : (uint8_t)bits_for(number + number / 16 + 32);
  n.buckets = s->buckets;
  do { /* entries get shorter with more buckets */
    unsigned known = bits_for(n.buckets ? n.buckets : 1) - 1;
    n.rest_bits = (uint8_t)(bits > known ? bits - known : 0);
    if (2 + n.rest_bits + n.number_bits < LEAST_ENTRY) n.number_bits = (uint8_t)(LEAST_ENTRY - 2 - n.rest_bits);
    n.entry = (uint8_t)(2 + n.rest_bits + n.number_bits);
    n.low = (uint8_t)(n.entry - 8);
    n.tag_mask = (uint8_t)(n.rest_bits >= 6 ? 255 : 255u << (6 - n.rest_bits));
    n.per = (uint8_t)(FRAGMENTS_LINE * 8 / n.entry);
    n.limit = (uint32_t)((uint64_t)n.buckets * n.per * MOST_FULL / 100);
  } while (n.limit < states && ++n.buckets);
  assert(n.entry < 58);
  n.reciprocal = 1.0 / n.buckets;
  n.block = blocks_alloc(t->blocks, ((size_t)n.buckets + FRAGMENTS_FAR + 1) * FRAGMENTS_LINE);
  if (!n.block) return -1;
  uint8_t *fill = mem_alloc(t->blocks->mem, MEM_STORE, (size_t)n.buckets + FRAGMENTS_FAR); /* without it: slower */
  n.line = n.block + (FRAGMENTS_LINE - (uintptr_t)n.block % FRAGMENTS_LINE) % FRAGMENTS_LINE;
  if (s->buckets && move_all(g, s, &n, fill)) {
    blocks_free(t->blocks, n.block);
    mem_free(t->blocks->mem, fill);
    return 1;
  }
  mem_free(t->blocks->mem, fill);
  blocks_free(t->blocks, s->block);
  *s = n;
  /* Shards that have grown leave holes behind which are too small for the next: without this, resident memory was twice what is held. */
  if (++t->grown % 16 == 0 && n.buckets > 64) mem_trim();
  return 0;
}

static struct fragments_generation *generation_of(struct fragments *t, uint64_t number) {
  unsigned n = t->generations;
  if (n && (t->whole || number >> (FIRST_STATES + RATIO_BITS * (n - 1)) == 0 || n == FRAGMENTS_GENERATIONS)) return t->generation[n - 1];
  struct fragments_generation *g = blocks_alloc(t->blocks, sizeof *g);
  if (!g) return NULL;
  g->first = number;
  g->bits = t->fixed ? t->fixed : FRAGMENTS_LEAST_BITS + t->more + RATIO_BITS * n;
  if (t->whole) g->bits = t->whole;
  t->generation[t->generations++] = g;
  return g;
}

/* The upper T bits of a hash from where it lies. */
static uint64_t hash_of(const struct fragments_generation *g, const struct fragments_shard *s, uint64_t inner) {
  return (uint64_t)(s - g->shard) << (64 - FRAGMENTS_SHARD_BITS) | inner << (64 - g->bits);
}

int fragments_add(struct fragments *t, uint64_t hash, uint64_t number) {
  struct fragments_generation *g = generation_of(t, number);
  if (!g) return -1;
  struct fragments_shard *s = &g->shard[hash >> (64 - FRAGMENTS_SHARD_BITS)];
  uint64_t inner = fragments_inner(g, hash), local = (number - g->first) >> t->blur;
  int fits = s->buckets && local + 1 <= bits_mask(s->number_bits);
  if (far_room(t)) return -1; /* somebody may have to go there */
  if (!fits || s->count >= s->limit) {
    unsigned growth = GROWTH + (unsigned)(s - g->shard) % GROWTHS; /* not all at once */
    int status = rebuild(t, g, s, s->count + s->count / growth + 4, local + 1);
    if (status && fits) s->limit = (uint32_t)s->buckets * s->per; /* as full as it gets */
    else if (status) {
      far_add(t, hash_of(g, s, inner), g->bits, g->first + (local << t->blur));
      return 0;
    }
  }
  if (enter(g, s, &inner, &local, NULL) == 0) return 0;
  if (s->count > s->buckets * s->per / 2 && rebuild(t, g, s, s->count + s->count / 8 + 4, ((number - g->first) >> t->blur) + 1) == 0 && enter(g, s, &inner, &local, NULL) == 0)
    return 0;
  far_add(t, hash_of(g, s, inner), g->bits, g->first + (local << t->blur));
  return 0;
}
