/* pairs.c -- see pairs.h.
 *
 * Everything that counts bits is in functions that are always inlined into two callers: one for any processor, one
 * for those that count and scatter bits in one instruction (popcnt, pdep; on the first Zen processors pdep is slow). */
#include "store/pairs.h"

#include "base/bits.h"
#include "base/crew.h"
#include "base/hash.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define FAST __attribute__((target("popcnt,bmi,bmi2")))
#else
#define FAST
#endif

enum { BLOCK = 64, ROOMY = 44, SHARD_PAIRS = 1 << 12, POINT = 16, MOST_BUILDERS = 64, TOGETHER = 1 << 17 }; /* up to ROOMY pairs a block takes all that belong there */

/* The n lowest bits, n < 64. */
INLINE uint64_t low_mask(unsigned n) { return ((uint64_t)1 << n) - 1; }
/* Bits 0 .. n, n < 64. */
INLINE uint64_t up_to(unsigned n) { return ((uint64_t)2 << n) - 1; }

/* ---- from pairs to quotients and back ---------------------------------------------------------------------------------- */

struct where {
  uint64_t *shard, *home;            /* its shard and its block there */
  uint64_t number, block, remainder; /* their numbers */
  unsigned bucket;
};

INLINE uint32_t spread_right(const struct pairs *p, uint32_t l) {
  return (uint32_t)((l + (uint64_t)1) * 0x9e3779b97f4a7c15u >> 32 & p->hash_mask);
}

INLINE uint64_t spread_left(const struct pairs *p, uint64_t r2) {
  return hash_slot((r2 + 1) * 0xd6e8feb86659fd93u & p->hash_mask, p->left);
}

/* x * A mod left for x < left < 2^32, where `times` is 2^64 * A / left rounded up: the low half of the product is the fraction of x * A / left,
   too large by less than 1 / left (Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019). */
INLINE uint64_t multiply_mod(const struct pairs *p, uint64_t x, uint64_t times) { return hash_slot(x * times, p->left); }

/* Even steps between ids are broken up; what is small stays small. */
INLINE uint32_t fold(uint32_t r) { return r ^ r >> 7; }
INLINE uint32_t unfold(uint32_t r) { return r ^ r >> 7 ^ r >> 14 ^ r >> 21 ^ r >> 28; }

INLINE uint64_t reverse_bits(uint64_t x, unsigned n) {
  if (!n) return 0;
  x = (x & 0x5555555555555555u) << 1 | (x >> 1 & 0x5555555555555555u);
  x = (x & 0x3333333333333333u) << 2 | (x >> 2 & 0x3333333333333333u);
  x = (x & 0x0f0f0f0f0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0fu);
  return __builtin_bswap64(x) >> (64 - n);
}

INLINE uint64_t base_of(const struct pairs *p, uint64_t q) { return (uint64_t)((unsigned __int128)q * p->step >> POINT); }

/* The shard of r1: its low bits in reverse, so that one more of them splits each shard into two neighbours. */
INLINE uint64_t shard_of(const struct pairs *p, uint64_t r1) { return reverse_bits(r1 & low_mask(p->low), p->low); }

INLINE size_t block_words(const struct pairs *p) { return 3 + p->width + p->extra; }

/* From a block to the other one that a pair may be in, and back. */
INLINE uint64_t other_block(const struct pairs *p, uint64_t block, uint64_t remainder, unsigned bucket) {
  uint64_t h = hash_slot((remainder << 6 | bucket) * 0xff51afd7ed558ccdu + 0x9e3779b97f4a7c15u, p->blocks);
  return h >= block ? h - block : h + p->blocks - block;
}

INLINE struct where locate(const struct pairs *p, uint64_t pair) {
  uint32_t l = (uint32_t)(pair >> 32), r = (uint32_t)pair;
  uint64_t r1 = (fold(r) ^ spread_right(p, l)) & low_mask(p->right_bits), r2 = r1 >> p->low, l1 = multiply_mod(p, l, p->times) + spread_left(p, r2);
  if (l1 >= p->left) l1 -= p->left;
  uint64_t v = l1 << p->key_bits | r2;
  uint64_t q = (uint64_t)((unsigned __int128)v * p->inverse >> 64); /* at most two too small */
  while (base_of(p, q + 1) <= v) q++;
  struct where w = {.remainder = v - base_of(p, q), .bucket = (unsigned)(q % BLOCK)};
  w.block = q / BLOCK;
  w.number = shard_of(p, r1);
  w.shard = (uint64_t *)(void *)(p->region.base + w.number * p->shard_bytes);
  w.home = w.shard + w.block * block_words(p);
  return w;
}

/* The block where it is if it is not at home. */
INLINE uint64_t *away(const struct pairs *p, const struct where *w) {
  return w->shard + other_block(p, w->block, w->remainder, w->bucket) * block_words(p);
}

INLINE uint64_t pair_at(const struct pairs *p, uint64_t shard, uint64_t block, unsigned bucket, uint64_t slot) {
  uint64_t remainder = slot & low_mask(p->width), home = slot >> p->width & 1 ? other_block(p, block, remainder, bucket) : block;
  uint64_t v = base_of(p, home * BLOCK + bucket) + remainder, r2 = v & low_mask(p->key_bits), l1 = v >> p->key_bits;
  uint64_t shift = spread_left(p, r2), l = multiply_mod(p, l1 >= shift ? l1 - shift : l1 + p->left - shift, p->back);
  uint64_t r1 = r2 << p->low | reverse_bits(shard, p->low);
  return pairs_join((uint32_t)l, unfold((uint32_t)((r1 ^ spread_right(p, (uint32_t)l)) & low_mask(p->right_bits))));
}

/* ---- a block ------------------------------------------------------------------------------------------------------------- */

INLINE unsigned fill_of(const uint64_t *block) { return block[1] ? 64 - (unsigned)__builtin_clzll(block[1]) : 0; }

/* Slots are at most 57 bits wide (set_shape), so that one load of 8 bytes has all of them. */
INLINE uint64_t slot_value(const uint64_t *block, unsigned width, unsigned slot, uint64_t mask) {
  unsigned at = slot * width;
  uint64_t x;
  memcpy(&x, (const uint8_t *)(block + 2) + at / 8, 8);
  return x >> at % 8 & mask;
}

INLINE void set_slot(uint64_t *block, unsigned width, unsigned slot, uint64_t value) {
  unsigned at = slot * width;
  uint8_t *place = (uint8_t *)(block + 2) + at / 8;
  uint64_t x;
  memcpy(&x, place, 8);
  x = (x & ~(low_mask(width) << at % 8)) | value << at % 8;
  memcpy(place, &x, 8);
}

/* Place of the k-th set bit (k from 1; there are that many): by the instruction that scatters bits, or by sums over bytes, then within
   one byte. */
INLINE unsigned select_bit(uint64_t x, unsigned k, int fast) {
  if (fast) return (unsigned)__builtin_ctzll(bits_scatter((uint64_t)1 << (k - 1), x));
  if (k > 4) {
    uint64_t s = x - (x >> 1 & 0x5555555555555555u);
    s = (s & 0x3333333333333333u) + (s >> 2 & 0x3333333333333333u);
    s = ((s + (s >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u; /* byte i: set bits in bytes 0..i */
    uint64_t less = (((k - 1) * 0x0101010101010101u | 0x8080808080808080u) - s) & 0x8080808080808080u; /* bytes with s < k */
    unsigned byte = (unsigned)__builtin_ctzll(~(less >> 7) & 0x0101010101010101u);
    k -= byte ? (unsigned)(s >> (byte - 8) & 255) : 0;
    x &= ~(uint64_t)0 << byte;
  }
  while (--k) x &= x - 1;
  return (unsigned)__builtin_ctzll(x);
}

/* The slot of a value in the block's bucket, or -1. */
INLINE int slot_of(const uint64_t *block, unsigned width, unsigned bucket, uint64_t value, uint64_t mask, int fast) {
  if (!(block[0] >> bucket & 1)) return -1;
  uint64_t ends = block[1];
  unsigned k = (unsigned)__builtin_popcountll(block[0] & up_to(bucket));
  for (unsigned i = select_bit(ends, k, fast);; i--) { /* its run, backwards */
    if (slot_value(block, width, i, mask) == value) return (int)i;
    if (!i || ends >> (i - 1) & 1) return -1;
  }
}

/* Slots `from` .. `to`-1 move up by one. */
INLINE void move_up(uint64_t *words, unsigned width, unsigned from, unsigned to) {
  unsigned low = from * width, high = (to + 1) * width; /* bits low .. high-1 change */
  if (from >= to) return;
  unsigned first = low / 64, last = (high - 1) / 64;
  uint64_t keep_low = low_mask(low % 64), keep_high = high % 64 ? ~(uint64_t)0 << high % 64 : 0;
  uint64_t old_first = words[first], old_last = words[last];
  for (unsigned i = last; i > first; i--) words[i] = words[i] << width | words[i - 1] >> (64 - width);
  words[first] = (old_first & ~keep_low) << width | (old_first & keep_low);
  words[last] = (words[last] & ~keep_high) | (old_last & keep_high);
}

/* Slots `from`+1 .. `to`-1 move down by one. */
INLINE void move_down(uint64_t *block, unsigned width, unsigned from, unsigned to) {
  for (unsigned i = from; i + 1 < to; i++) set_slot(block, width, i, slot_value(block, width, i + 1, low_mask(width)));
}

/* Takes the value of a slot out of its block. */
static void take_out(uint64_t *block, unsigned width, unsigned bucket, unsigned slot) {
  uint64_t ends = block[1];
  int last = ends >> slot & 1, alone = last && (!slot || ends >> (slot - 1) & 1);
  move_down(block, width, slot, fill_of(block));
  if (alone) block[0] &= ~((uint64_t)1 << bucket);
  else if (last) ends |= (uint64_t)1 << (slot - 1);
  block[1] = (ends & low_mask(slot)) | (ends >> 1 & ~low_mask(slot));
}

/* Enters a value that is not there; the block has room. */
INLINE void enter(uint64_t *block, unsigned width, unsigned bucket, uint64_t value, int fast) {
  uint64_t ends = block[1], bit = (uint64_t)1 << bucket;
  unsigned k = (unsigned)__builtin_popcountll(block[0] & up_to(bucket)), at = k ? select_bit(ends, k, fast) + 1 : 0;
  move_up(block + 2, width, at, fill_of(block));
  set_slot(block, width, at, value);
  ends = (ends & low_mask(at)) | (ends & ~low_mask(at)) << 1 | (uint64_t)1 << at;
  if (block[0] & bit) ends &= ~((uint64_t)1 << (at - 1)); /* the run has a new end */
  block[0] |= bit;
  block[1] = ends;
}

/* Enters a pair that is in neither of its blocks. 0, or -1: there is no room in either. */
INLINE int enter_new(const struct pairs *p, const struct where *w, uint64_t owner, int fast) {
  unsigned fill = fill_of(w->home);
  uint64_t *block = w->home;
  int go = 0;
  if (fill > ROOMY) {
    uint64_t *other = away(p, w);
    go = fill_of(other) < fill;
    if (go) block = other;
    else if (fill == BLOCK) return -1;
  }
  enter(block, p->width + 1 + p->extra, w->bucket, w->remainder | (uint64_t)go << p->width | owner << (p->width + 1), fast);
  return 0;
}

/* 1: it is there; 0: it is not; with put it is entered; -1: there is no room in either block. */
INLINE int ask_one(const struct pairs *p, const struct where *w, int put, uint64_t owner, int fast) {
  unsigned width = p->width + 1 + p->extra;
  uint64_t mask = low_mask(p->width + 1);
  if (slot_of(w->home, width, w->bucket, w->remainder, mask, fast) >= 0) return 1;
  /* nobody was ever sent away from a block that is roomy now, unless it was thinned */
  if ((fill_of(w->home) > ROOMY || p->thinned) && slot_of(away(p, w), width, w->bucket, w->remainder | (uint64_t)1 << p->width, mask, fast) >= 0) return 1;
  return put ? enter_new(p, w, owner, fast) : 0;
}

/* ---- the set ------------------------------------------------------------------------------------------------------------- */

/* The place of a pair among the spilled ones: it is there, or it is free. */
static struct pairs_spilled *spill_place(const struct pairs_spill *s, uint64_t pair) {
  uint64_t at = hash_slot(hash_mix(pair), s->room);
  while (s->at[at].pair != pair && s->at[at].pair != PAIRS_FREE) at = at + 1 == s->room ? 0 : at + 1;
  return &s->at[at];
}

static int spilled(const struct pairs *p, uint64_t pair) { return spill_place(&p->spill, pair)->pair == pair; }

static int grow_spill(struct pairs *p, uint64_t room) {
  struct pairs_spill next = {.room = room, .limit = p->spill.limit};
  next.at = mem_alloc(p->region.mem, p->region.tag, room * sizeof *next.at);
  if (!next.at) return -1;
  for (uint64_t i = 0; i < room; i++) next.at[i].pair = PAIRS_FREE;
  for (uint64_t i = 0; i < p->spill.room; i++)
    if (p->spill.at[i].pair != PAIRS_FREE) *spill_place(&next, p->spill.at[i].pair) = p->spill.at[i];
  next.count = p->spill.count;
  mem_free(p->region.mem, p->spill.at);
  p->spill = next;
  return 0;
}

/* Shards may be rewritten by several threads at once: what does not fit is rare. */
static pthread_mutex_t spilling = PTHREAD_MUTEX_INITIALIZER;

static int spill_one(struct pairs *p, uint64_t pair, uint64_t owner) {
  if ((p->spill.count + 1) * 4 > p->spill.room * 3 && grow_spill(p, p->spill.room ? 2 * p->spill.room : 64)) return -1;
  *spill_place(&p->spill, pair) = (struct pairs_spilled){pair, owner};
  p->spill.count++;
  return 0;
}

static int spill(struct pairs *p, uint64_t pair, uint64_t owner) {
  pthread_mutex_lock(&spilling);
  int status = spill_one(p, pair, owner);
  pthread_mutex_unlock(&spilling);
  return status;
}

/* The question for one pair whose place is known. 1, 0, or -1: no memory. */
INLINE int ask_pair(struct pairs *p, uint64_t pair, const struct where *w, int put, uint64_t owner, int fast) {
  if (__builtin_expect(p->spill.count > 0, 0) && spilled(p, pair)) return 1;
  int there = ask_one(p, w, put, owner, fast);
  if (there < 0) there = spill(p, pair, owner);
  return there;
}

INLINE size_t ask_all(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put, int fast) {
  struct where w[PAIRS_AHEAD];
  for (size_t i = 0; i < n; i++) {
    w[i] = locate(p, pair[i]);
    __builtin_prefetch(w[i].home);
    __builtin_prefetch(w[i].home + 8);
    __builtin_prefetch(away(p, &w[i]));
  }
  for (size_t i = 0; i < n; i++) {
    int answer = ask_pair(p, pair[i], &w[i], put, p->fresh, fast);
    if (answer < 0) return i;
    there[i] = (uint8_t)answer;
    p->count += put && !answer;
  }
  return n;
}

static size_t ask_any(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  return put ? ask_all(p, pair, there, n, 1, 0) : ask_all(p, pair, there, n, 0, 0);
}
FAST static size_t ask_fast(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  return put ? ask_all(p, pair, there, n, 1, 1) : ask_all(p, pair, there, n, 0, 1);
}

size_t pairs_ask(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  assert(n <= PAIRS_AHEAD);
  if (p->broken) return 0;
  if (!p->shards) { /* nothing was ever entered */
    memset(there, 0, n);
    return put ? 0 : n;
  }
  return p->fast ? ask_fast(p, pair, there, n, put) : ask_any(p, pair, there, n, put);
}

unsigned pairs_owner_of(const struct pairs *p, uint64_t pair, unsigned owners) {
  uint64_t r1 = (fold((uint32_t)pair) ^ spread_right(p, (uint32_t)(pair >> 32))) & low_mask(p->right_bits);
  return (unsigned)(shard_of(p, r1) * owners >> p->low);
}

INLINE void ask_shared(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put, int fast) {
  struct where w[PAIRS_AHEAD];
  for (size_t i = 0; i < n; i++) {
    w[i] = locate(p, pair[i]);
    __builtin_prefetch(w[i].home);
    __builtin_prefetch(w[i].home + 8);
    __builtin_prefetch(away(p, &w[i]));
  }
  for (size_t i = 0; i < n; i++) {
    int answer = p->spill.count && spilled(p, pair[i]) ? 1 : ask_one(p, &w[i], put, p->fresh, fast);
    there[i] = answer < 0 ? PAIRS_NO_ROOM : (uint8_t)answer;
  }
}

static void ask_shared_any(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  if (put) ask_shared(p, pair, there, n, 1, 0);
  else ask_shared(p, pair, there, n, 0, 0);
}
FAST static void ask_shared_fast(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  if (put) ask_shared(p, pair, there, n, 1, 1);
  else ask_shared(p, pair, there, n, 0, 1);
}

static void share(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  assert(n <= PAIRS_AHEAD && p->shards && !p->broken);
  if (p->fast) ask_shared_fast(p, pair, there, n, put);
  else ask_shared_any(p, pair, there, n, put);
}

void pairs_have(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n) { share(p, pair, there, n, 0); }
void pairs_ask_own(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n) { share(p, pair, there, n, 1); }

/* ---- unpacking and growing ---------------------------------------------------------------------------------------------------- */

/* Goes through the slots in use of a shard: what is in them, and which pair that is. */
typedef void visit_slot(void *context, const struct pairs *p, uint64_t *block, unsigned slot, uint64_t value, uint64_t pair);
INLINE void visit(const struct pairs *p, uint64_t shard, visit_slot *hear, void *context) {
  uint64_t *block = (uint64_t *)(void *)(p->region.base + shard * p->shard_bytes);
  unsigned width = p->width + 1 + p->extra;
  for (uint64_t k = 0; k < p->blocks; k++, block += block_words(p)) {
    unsigned slot = 0;
    for (uint64_t set = block[0]; set; set &= set - 1)
      for (int more = 1; more; slot++) {
        uint64_t x = slot_value(block, width, slot, low_mask(width));
        more = !(block[1] >> slot & 1);
        hear(context, p, block, slot, x, pair_at(p, shard, k, (unsigned)__builtin_ctzll(set), x));
      }
  }
}

INLINE void unpack_slot(void *context, const struct pairs *p, uint64_t *block, unsigned slot, uint64_t value, uint64_t pair) {
  struct pairs_spilled **out = context;
  (void)block, (void)slot;
  *(*out)++ = (struct pairs_spilled){pair, value >> (p->width + 1)};
}

/* All pairs of a shard; returns how many. */
INLINE size_t unpack(const struct pairs *p, uint64_t number, struct pairs_spilled *out) {
  struct pairs_spilled *next = out;
  visit(p, number, unpack_slot, &next);
  return (size_t)(next - out);
}

/* B with A * B = 1 (mod m), or 0: they have a common divisor. */
static uint64_t inverse_of(uint64_t a, uint64_t m) {
  int64_t x = 0, next = 1;
  uint64_t r = m, s = a;
  while (s) {
    uint64_t q = r / s, rest = r - q * s;
    int64_t t = x - (int64_t)q * next;
    r = s, s = rest, x = next, next = t;
  }
  return r == 1 ? (uint64_t)(x < 0 ? x + (int64_t)m : x) : 0;
}

static uint64_t fraction(uint64_t a, uint64_t m) { return (uint64_t)((((unsigned __int128)a << 64) + m - 1) / m); }

static void choose_factor(struct pairs *p) {
  uint64_t a = (uint64_t)((double)p->left * 0.6180339887), b = 0;
  p->times = p->back = 0;
  if (p->left < 2) return;
  for (; !b; a = a + 1 < p->left ? a + 1 : 1) b = a ? inverse_of(a, p->left) : 0, p->times = fraction(a, p->left);
  p->back = fraction(b, p->left);
}

/* The form of a set for so many ids and pairs, in so many shards (2^low). */
static void set_shape(struct pairs *p, uint64_t left, unsigned right_bits, unsigned low, uint64_t pairs) {
  p->left = left;
  p->right_bits = right_bits;
  p->low = low;
  p->shards = (uint64_t)1 << low;
  p->key_bits = right_bits - low;
  choose_factor(p);
  /* Blocks for so many pairs, filled to 0.93. There may be more of them than homes: then the others are places to go to. */
  uint64_t numbers = left << p->key_bits, want = (pairs / p->shards + pairs / p->shards / 13) / BLOCK + 2, homes = numbers / BLOCK + 1;
  if (homes > want) homes = want;
  /* As many homes as remainders of a whole number of bits ask for, or just so many, with remainders one bit wider? */
  unsigned narrow = bits_for(numbers / (homes * BLOCK));
  narrow = narrow ? narrow - 1 : 0;
  uint64_t more = (numbers >> narrow) / BLOCK + 1;
  if ((double)more * (narrow + p->extra + 3) <= 1.02 * (double)homes * (narrow + p->extra + 4)) {
    p->step = (uint64_t)1 << (narrow + POINT);
    p->blocks = more;
  } else {
    p->step = (uint64_t)(((unsigned __int128)numbers << POINT) / (homes * BLOCK)) + 1;
    p->blocks = homes + 1;
  }
  if (p->blocks < want) p->blocks = want;
  p->inverse = (uint64_t)((((unsigned __int128)1 << (64 + POINT)) - 1) / p->step);
  p->width = bits_for((p->step - 1) >> POINT);
  p->shard_bytes = (p->blocks * block_words(p) + 1) * 8; /* slots are read in 64-bit words */
  assert(p->width + 1 + p->extra <= 57); /* there are never fewer pairs than ids on either side */
  p->limit = (uint64_t)((double)(p->blocks * BLOCK * p->shards) * 0.93);
}

/* Where pairs of one old shard will stand: they are sorted by block and bucket, and blocks are written from their first slot to their last,
   which is three times as fast as entering one after another. */
struct builder {
  struct pairs_spilled *list; /* unpacked; then sorted: pair = bucket, owner = value of the slot */
  struct placed {
    uint32_t block;
    uint8_t bucket;
    uint64_t value;
  } *placed;
  uint32_t *end; /* per block of the new shards: pairs in it, then where they end in the list */
};

INLINE void write_block(uint64_t *block, const struct pairs_spilled *from, size_t n, unsigned width) {
  uint8_t first[BLOCK + 1] = {0};
  uint64_t value[BLOCK];
  for (size_t k = 0; k < n; k++) first[from[k].pair + 1]++;
  uint64_t occupied = 0, ends = 0;
  for (unsigned j = 0, sum = 0; j < BLOCK; j++) {
    unsigned here = first[j + 1];
    occupied |= (uint64_t)(here != 0) << j;
    first[j + 1] = (uint8_t)(sum += here);
    if (here) ends |= (uint64_t)1 << (sum - 1);
  }
  for (size_t k = 0; k < n; k++) value[first[from[k].pair]++] = from[k].owner;
  block[0] = occupied;
  block[1] = ends;
  uint64_t word = 0, *out = block + 2;
  unsigned used = 0;
  for (size_t k = 0; k < n; k++) {
    word |= value[k] << used;
    used += width;
    if (used < 64) continue;
    *out++ = word;
    used -= 64;
    word = used ? value[k] >> (width - used) : 0;
  }
  if (used) *out = word;
}

/* Pairs unpacked from the old shard `from` go into the new ones. 0, or -1: one did not fit, and there was no memory to spill it. */
INLINE int rewrite_shard(struct pairs *p, const struct pairs *old, struct builder *b, uint64_t from) {
  uint64_t each = p->shards / old->shards, blocks = each * p->blocks;
  size_t n = unpack(old, from, b->list), placed = 0;
  uint8_t *base = p->region.base + from * each * p->shard_bytes;
  memset(base, 0, each * p->shard_bytes);
  memset(b->end, 0, (blocks + 1) * sizeof *b->end);
  for (size_t k = 0; k < n; k++) {
    struct where w = locate(p, b->list[k].pair);
    uint64_t first = (w.number - from * each) * p->blocks, home = first + w.block, go = 0;
    if (b->end[home + 1] > ROOMY) { /* as enter_new does it */
      uint64_t other = first + other_block(p, w.block, w.remainder, w.bucket);
      if (b->end[other + 1] < b->end[home + 1]) home = other, go = 1;
      else if (b->end[home + 1] == BLOCK) {
        if (spill(p, b->list[k].pair, b->list[k].owner)) return -1;
        continue;
      }
    }
    b->end[home + 1]++;
    b->placed[placed++] = (struct placed){(uint32_t)home, (uint8_t)w.bucket, w.remainder | go << p->width | b->list[k].owner << (p->width + 1)};
  }
  for (uint64_t k = 0; k < blocks; k++) b->end[k + 1] += b->end[k];
  for (size_t k = 0; k < placed; k++) {
    const struct placed *x = &b->placed[k];
    b->list[b->end[x->block]++] = (struct pairs_spilled){x->bucket, x->value};
  }
  for (uint64_t k = 0, begin = 0; k < blocks; begin = b->end[k++])
    write_block((uint64_t *)(void *)(base + k / p->blocks * p->shard_bytes) + k % p->blocks * block_words(p), b->list + begin, b->end[k] - begin,
                p->width + 1 + p->extra);
  return 0;
}

static int rewrite_any(struct pairs *p, const struct pairs *old, struct builder *b, uint64_t i) { return rewrite_shard(p, old, b, i); }
FAST static int rewrite_fast(struct pairs *p, const struct pairs *old, struct builder *b, uint64_t i) { return rewrite_shard(p, old, b, i); }

/* Shards are rewritten from the last to the first. Those whose new places lie behind the old places of all of them can be rewritten at once: a wave, of which everybody takes the next one. */
struct rewriting {
  struct pairs *p;
  const struct pairs *old;
  struct builder *builder; /* one for each worker */
  uint64_t from, end;      /* of the wave */
  atomic_size_t next;
  atomic_int bad;
};

static void rewrite_wave(void *context, unsigned worker) {
  struct rewriting *x = context;
  size_t shards = (size_t)(x->end - x->from);
  for (size_t i; (i = crew_next(&x->next, shards)) < shards;)
    if ((x->p->fast ? rewrite_fast : rewrite_any)(x->p, x->old, &x->builder[worker], x->end - 1 - i)) atomic_store(&x->bad, 1);
}

/* 0, or -1: some pair did not fit, and there was no memory to spill it. */
static int rewrite(struct pairs *p, const struct pairs *old, struct builder *builder, unsigned workers) {
  struct rewriting x = {.p = p, .old = old, .builder = builder, .end = old->shards};
  while (x.end && !atomic_load(&x.bad)) {
    /* The first shard of a wave is written behind the old place of the last one, or the wave is that one alone. */
    uint64_t each = p->shards / old->shards * p->shard_bytes, first = (x.end * old->shard_bytes + 16 + each - 1) / each;
    x.from = workers > 1 && first < x.end ? first : x.end - 1;
    atomic_store(&x.next, 0);
    if (workers > 1 && x.end - x.from > workers) crew_run(p->crew, rewrite_wave, &x);
    else rewrite_wave(&x, 0);
    x.end = x.from;
  }
  return atomic_load(&x.bad) ? -1 : 0;
}

/* Pairs of a shard, at most. */
static uint64_t shard_most(const struct pairs *p) { return p->blocks * BLOCK < p->count ? p->blocks * BLOCK : p->count + 1; }

/* Room to unpack any shard. */
static struct pairs_spilled *open_list(const struct pairs *p) {
  return mem_alloc(p->region.mem, p->region.tag, shard_most(p) * sizeof(struct pairs_spilled));
}

static void close_builder(struct builder *b, struct mem *mem) {
  mem_free(mem, b->list);
  mem_free(mem, b->placed);
  mem_free(mem, b->end);
  *b = (struct builder){0};
}

static int open_builder(struct builder *b, const struct pairs *p, const struct pairs *old) {
  if (!old->shards) return 0;
  b->list = open_list(old);
  b->placed = mem_alloc(p->region.mem, p->region.tag, shard_most(old) * sizeof *b->placed);
  b->end = mem_alloc(p->region.mem, p->region.tag, (p->shards / old->shards * p->blocks + 2) * sizeof *b->end);
  return b->list && b->placed && b->end ? 0 : -1;
}

/* Gives the set, which has the form of `was`, another one. 0; -1: refused, nothing has changed. */
static int reshape_from(struct pairs *p, const struct pairs *was, uint64_t left, unsigned right_bits, uint64_t pairs) {
  struct pairs old = *was;
  unsigned low = p->low;
  while (low < right_bits && low < 24 && pairs >> low > SHARD_PAIRS) low++;
  if (low > right_bits) return -1;
  set_shape(p, left, right_bits, low, pairs);
  if (old.shards) { /* never smaller than before: what is still to be read must not be covered */
    size_t least = (old.shard_bytes / (p->shards / old.shards) + 15) & ~(size_t)7;
    if (p->shard_bytes < least) p->shard_bytes = least;
  }
  /* Room for what may not fit is taken beforehand: half-way there is no way back. */
  struct pairs_spill before = p->spill;
  p->spill = (struct pairs_spill){0};
  struct builder b[MOST_BUILDERS] = {{0}};
  unsigned workers = p->crew && p->count >= TOGETHER ? crew_size(p->crew) : 1, builders = 0;
  if (workers > MOST_BUILDERS) workers = 1;
  while (builders < workers && open_builder(&b[builders], p, &old) == 0) builders++;
  if (builders < workers) { /* as many as there is memory for: one is enough */
    while (workers > 1) close_builder(&b[--workers], old.region.mem);
  }
  if (!builders || grow_spill(p, 64 + 2 * before.count + pairs / 512) || region_resize(&p->region, p->shards * p->shard_bytes + 16)) {
    for (unsigned i = 0; i < workers; i++) close_builder(&b[i], old.region.mem);
    mem_free(old.region.mem, p->spill.at);
    *p = old;
    return -1;
  }
  old.region = p->region; /* its base may have moved */
  p->thinned = 0;
  int bad = old.shards && rewrite(p, &old, b, workers);
  for (uint64_t i = 0; i < before.room && !bad; i++)
    if (before.at[i].pair != PAIRS_FREE) {
      struct where at = locate(p, before.at[i].pair);
      bad = enter_new(p, &at, before.at[i].owner, 0) && spill(p, before.at[i].pair, before.at[i].owner);
    }
  if (bad) p->broken = 1;
  p->spill.limit = 2 * p->spill.count + 64 + (p->count >> 12);
  mem_free(p->region.mem, before.at);
  for (unsigned i = 0; i < workers; i++) close_builder(&b[i], p->region.mem);
  return 0;
}

static int reshape(struct pairs *p, uint64_t left, unsigned right_bits, uint64_t pairs) {
  struct pairs was = *p;
  return reshape_from(p, &was, left, right_bits, pairs);
}

/* Whatever asks for a new shape, what would soon ask for another one is given room too. */
uint64_t pairs_reserve(struct pairs *p, uint64_t left, uint64_t right, uint64_t more) {
  if (p->broken) return 0;
  int wide = left > p->left || right > p->right_most || !p->shards, crowded = p->spill.count > p->spill.limit;
  if (!wide && !crowded && p->count + more <= p->limit) return more;
  uint64_t need = p->count + more;
  /* Generous where memory is plenty: room for twice as many pairs and ids. Else by ever smaller parts, and only for what asks. */
  int plenty = mem_left(p->region.mem) / 4 > p->region.held;
  for (unsigned part = plenty ? 1 : 8; part <= 32; part = part == 1 ? 8 : 2 * part) {
    int full = part == 1;
    uint64_t new_left = left > p->left || (full && left + left / 4 > p->left) ? left + left / (full ? 2 : part) + 16 : p->left;
    uint64_t capacity = need > p->limit || crowded || (full && need + need / 2 > p->capacity) ? need + need / part : p->capacity;
    if (!full && capacity > need + need / part) capacity = need + need / part; /* wider pairs may have to do with fewer places */
    unsigned bits = right > p->right_most ? bits_for(right) : p->right_bits;
    if (full && bits_for(right + right / 4) > bits) bits++;
    if (new_left < p->left) new_left = p->left;
    if (new_left > UINT32_MAX || bits > 32) continue;
    if (reshape(p, new_left, bits, capacity) == 0) {
      p->capacity = capacity;
      p->right_most = (uint64_t)1 << bits;
      return p->broken ? 0 : more;
    }
  }
  if (wide) return 0;
  uint64_t most = p->blocks * BLOCK * p->shards; /* the budget is used up: fill it further */
  most -= most / 32;
  return p->count >= most ? 0 : most - p->count < more ? most - p->count : more;
}

int pairs_set_extra(struct pairs *p, unsigned extra) {
  unsigned before = p->extra;
  if (p->broken || extra < before) return -1;
  p->extra = extra;
  if (!p->shards) return 0;
  struct pairs old = *p;
  old.extra = before;
  if (reshape_from(p, &old, p->left, p->right_bits, p->capacity) == 0) return p->broken ? -1 : 0;
  p->extra = before;
  return -1;
}

/* The slot of a pair that is there: its block in *block and its bucket there; -1: it is spilled. */
static int find_slot(const struct pairs *p, uint64_t pair, uint64_t **block, unsigned *bucket) {
  struct where w = locate(p, pair);
  *bucket = w.bucket;
  int slot = -1;
  for (uint64_t gone = 0; gone < 2 && slot < 0; gone++) {
    *block = gone ? away(p, &w) : w.home;
    slot = slot_of(*block, p->width + 1 + p->extra, w.bucket, w.remainder | gone << p->width, low_mask(p->width + 1), 0);
  }
  return slot;
}

void pairs_set_owner(struct pairs *p, uint64_t pair, uint64_t owner) {
  uint64_t *block;
  unsigned width = p->width + 1 + p->extra, bucket;
  int slot = find_slot(p, pair, &block, &bucket);
  if (slot < 0) spill_place(&p->spill, pair)->owner = owner;
  else set_slot(block, width, (unsigned)slot, slot_value(block, width, (unsigned)slot, low_mask(p->width + 1)) | owner << (p->width + 1));
}

uint64_t pairs_owner(const struct pairs *p, uint64_t pair) {
  uint64_t *block;
  unsigned width = p->width + 1 + p->extra, bucket;
  int slot = find_slot(p, pair, &block, &bucket);
  return slot < 0 ? spill_place(&p->spill, pair)->owner : slot_value(block, width, (unsigned)slot, low_mask(width)) >> (p->width + 1);
}

/* Entries behind the one that goes move up, unless that would bring them before their place. */
static void take_spilled(struct pairs_spill *s, uint64_t pair) {
  uint64_t hole = (uint64_t)(spill_place(s, pair) - s->at);
  for (uint64_t i = hole + 1 == s->room ? 0 : hole + 1; s->at[i].pair != PAIRS_FREE; i = i + 1 == s->room ? 0 : i + 1) {
    uint64_t home = hash_slot(hash_mix(s->at[i].pair), s->room);
    if (hole <= i ? home > hole && home <= i : home > hole || home <= i) continue;
    s->at[hole] = s->at[i];
    hole = i;
  }
  s->at[hole] = (struct pairs_spilled){.pair = PAIRS_FREE};
  s->count--;
}

void pairs_forget(struct pairs *p, uint64_t pair) {
  uint64_t *block;
  unsigned bucket;
  int slot = find_slot(p, pair, &block, &bucket);
  if (slot < 0) take_spilled(&p->spill, pair);
  else take_out(block, p->width + 1 + p->extra, bucket, (unsigned)slot);
  p->thinned = 1;
  p->count--;
}

struct collection {
  uint64_t owner, *next, *end;
};

INLINE void collect_slot(void *context, const struct pairs *p, uint64_t *block, unsigned slot, uint64_t value, uint64_t pair) {
  struct collection *c = context;
  if (value >> (p->width + 1) != c->owner || c->next == c->end) return;
  *c->next++ = pair;
  set_slot(block, p->width + 1 + p->extra, slot, value & low_mask(p->width + 1));
}

size_t pairs_collect(struct pairs *p, uint64_t shard, uint64_t owner, uint64_t *out, size_t room) {
  struct collection c = {owner, out, out + room};
  visit(p, shard, collect_slot, &c);
  size_t n = (size_t)(c.next - out);
  for (uint64_t i = 0; i < p->spill.room && !shard && n < room; i++) /* those without a place belong to the first shard */
    if (p->spill.at[i].pair != PAIRS_FREE && p->spill.at[i].owner == owner) {
      out[n++] = p->spill.at[i].pair;
      p->spill.at[i].owner = 0;
    }
  return n;
}

INLINE int tell_all(struct pairs *p, struct pairs_spilled *list, int (*hear)(void *, uint64_t), void *context, int consume) {
  for (uint64_t i = p->shards; i-- > 0;) {
    size_t n = unpack(p, i, list);
    for (size_t k = 0; k < n; k++)
      if (hear(context, list[k].pair)) return -1;
    if (consume) region_resize(&p->region, i * p->shard_bytes + 16);
  }
  return 0;
}

static int tell_any(struct pairs *p, struct pairs_spilled *list, int (*hear)(void *, uint64_t), void *context, int consume) {
  return tell_all(p, list, hear, context, consume);
}
FAST static int tell_fast(struct pairs *p, struct pairs_spilled *list, int (*hear)(void *, uint64_t), void *context, int consume) {
  return tell_all(p, list, hear, context, consume);
}

int pairs_each(struct pairs *p, int (*hear)(void *, uint64_t pair), void *context, int consume) {
  if (p->broken) return -1;
  if (!p->shards) return 0;
  struct pairs_spilled *list = open_list(p);
  int status = list ? 0 : -1;
  for (uint64_t i = 0; i < p->spill.room && !status; i++)
    if (p->spill.at[i].pair != PAIRS_FREE) status = hear(context, p->spill.at[i].pair) ? -1 : 0;
  if (!status) status = (p->fast ? tell_fast : tell_any)(p, list, hear, context, consume);
  mem_free(p->region.mem, list);
  return status;
}

void pairs_open(struct pairs *p, struct mem *mem, unsigned extra, uint64_t hash_mask) {
  *p = (struct pairs){.extra = extra, .hash_mask = hash_mask ? hash_mask : UINT64_MAX};
  p->fast = bits_instructions();
  region_open(&p->region, mem, MEM_STORE);
}

size_t pairs_bytes(const struct pairs *p) { return p->region.held + p->spill.room * sizeof *p->spill.at; }

void pairs_close(struct pairs *p) {
  if (p->region.mem) mem_free(p->region.mem, p->spill.at);
  region_close(&p->region);
}
