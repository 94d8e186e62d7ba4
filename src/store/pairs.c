/* pairs.c -- see pairs.h.
 *
 * Everything that counts bits is in functions that are always inlined into two callers: one for any processor, one
 * that may use popcnt.  Without it the same code runs, three times slower. */
#include "store/pairs.h"

#include "base/bits.h"
#include "base/hash.h"

#include <assert.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define FAST __attribute__((target("popcnt,bmi")))
#else
#define FAST
#endif

enum { BLOCK = 64, FIRST_SLOTS = 64, SHARD_PAIRS = 1 << 12, POINT = 16, OFFSET_MOST = 65000 };

/* ---- from pairs to quotients and back ---------------------------------------------------------------------------------- */

struct where {
  uint8_t *shard;
  uint64_t quotient, remainder;
};

INLINE uint32_t spread_right(const struct pairs *p, uint32_t l) {
  return (uint32_t)(hash_mix(l + p->seed * 0x9e3779b97f4a7c15u) & p->hash_mask);
}

INLINE uint64_t spread_left(const struct pairs *p, uint64_t r2) {
  return hash_slot((hash_mix(r2 ^ 0x5bd1e9955bd1e995u) & p->hash_mask) * 0x9e3779b97f4a7c15u, p->left);
}

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
INLINE uint64_t shard_of(const struct pairs *p, uint64_t r1) { return reverse_bits(r1 & bits_mask(p->low), p->low); }

INLINE struct where locate(const struct pairs *p, uint64_t pair) {
  uint32_t l = (uint32_t)(pair >> 32), r = (uint32_t)pair;
  uint64_t r1 = (fold(r) ^ spread_right(p, l)) & bits_mask(p->right_bits), r2 = r1 >> p->low, l1 = l + spread_left(p, r2);
  if (l1 >= p->left) l1 -= p->left;
  uint64_t v = l1 << p->key_bits | r2;
  uint64_t q = (uint64_t)((unsigned __int128)v * p->inverse >> 64); /* at most two too small */
  while (base_of(p, q + 1) <= v) q++;
  return (struct where){p->region.base + shard_of(p, r1) * p->shard_bytes, q, v - base_of(p, q)};
}

INLINE uint64_t pair_at(const struct pairs *p, uint64_t shard, uint64_t q, uint64_t remainder) {
  uint64_t v = base_of(p, q) + remainder, r2 = v & bits_mask(p->key_bits), l1 = v >> p->key_bits, away = spread_left(p, r2);
  uint64_t l = l1 >= away ? l1 - away : l1 + p->left - away;
  uint64_t r1 = r2 << p->low | reverse_bits(shard, p->low);
  return pairs_join((uint32_t)l, unfold((uint32_t)((r1 ^ spread_right(p, (uint32_t)l)) & bits_mask(p->right_bits))));
}

/* ---- a shard ------------------------------------------------------------------------------------------------------------- */

INLINE uint16_t *offsets_of(uint8_t *shard) { return (uint16_t *)(void *)shard; }
INLINE uint64_t *block_of(const struct pairs *p, uint8_t *shard, uint64_t block) {
  return (uint64_t *)(void *)(shard + ((p->blocks * 2 + 7) & ~(uint64_t)7)) + block * (2 + p->width + p->extra);
}

INLINE uint64_t slot_value(const struct pairs *p, uint8_t *shard, uint64_t slot) {
  unsigned width = p->width + p->extra, at = (unsigned)(slot % BLOCK) * width;
  const uint64_t *word = block_of(p, shard, slot / BLOCK) + 2 + at / 64;
  uint64_t x = word[0] >> at % 64;
  if (at % 64 + width > 64) x |= word[1] << (64 - at % 64);
  return x & bits_mask(width);
}

INLINE void set_slot(const struct pairs *p, uint8_t *shard, uint64_t slot, uint64_t value) {
  unsigned width = p->width + p->extra, at = (unsigned)(slot % BLOCK) * width;
  uint64_t *word = block_of(p, shard, slot / BLOCK) + 2 + at / 64, mask = bits_mask(width);
  if (!width) return;
  word[0] = (word[0] & ~(mask << at % 64)) | value << at % 64;
  if (at % 64 + width > 64) word[1] = (word[1] & ~(mask >> (64 - at % 64))) | value >> (64 - at % 64);
}

/* Place of the k-th set bit (k from 1; there are that many): sums over bytes, then within one byte. */
INLINE unsigned select_bit(uint64_t x, unsigned k) {
  if (k <= 4) {
    while (--k) x &= x - 1;
    return (unsigned)__builtin_ctzll(x);
  }
  uint64_t s = x - (x >> 1 & 0x5555555555555555u);
  s = (s & 0x3333333333333333u) + (s >> 2 & 0x3333333333333333u);
  s = ((s + (s >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u; /* byte i: set bits in bytes 0..i */
  uint64_t less = (((k - 1) * 0x0101010101010101u | 0x8080808080808080u) - s) & 0x8080808080808080u; /* bytes with s < k */
  unsigned byte = (unsigned)__builtin_ctzll(~(less >> 7) & 0x0101010101010101u);
  unsigned before = byte ? (unsigned)(s >> (byte - 8) & 255) : 0;
  uint64_t rest = x >> byte;
  for (unsigned i = k - before; i > 1; i--) rest &= rest - 1;
  return byte + (unsigned)__builtin_ctzll(rest);
}

/* The slot of the k-th run end (k from 1) at or behind a slot. */
INLINE uint64_t run_end(const struct pairs *p, uint8_t *shard, uint64_t slot, unsigned k) {
  uint64_t block = slot / BLOCK, ends = block_of(p, shard, block)[1] & ~(uint64_t)0 << slot % BLOCK;
  for (;;) {
    unsigned n = (unsigned)__builtin_popcountll(ends);
    if (n >= k) return block * BLOCK + select_bit(ends, k);
    k -= n;
    ends = block_of(p, shard, ++block)[1];
  }
}

/* Quotients of a block up to q, in which there is some pair. */
INLINE unsigned rank_of(const struct pairs *p, uint8_t *shard, uint64_t q) {
  return (unsigned)__builtin_popcountll(block_of(p, shard, q / BLOCK)[0] & bits_mask((unsigned)(q % BLOCK) + 1));
}

/* Behind the last slot that belongs to quotients up to q, of which the block has k with pairs. */
INLINE uint64_t end_of(const struct pairs *p, uint8_t *shard, uint64_t q, unsigned k) {
  uint64_t block = q / BLOCK, start = block * BLOCK + offsets_of(shard)[block];
  return k ? run_end(p, shard, start, k) + 1 : start;
}

INLINE int is_end(const struct pairs *p, uint8_t *shard, uint64_t slot) {
  return (int)(block_of(p, shard, slot / BLOCK)[1] >> slot % BLOCK & 1);
}

/* Slots `from` .. `to`-1 of a block move up by one; the value of its last slot, where that is one of them, comes out. */
INLINE void move_up(uint64_t *words, unsigned width, unsigned from, unsigned to) {
  unsigned low = from * width, high = (to + 1) * width; /* bits low .. high-1 change */
  if (!width || from >= to) return;
  unsigned first = low / 64, last = (high - 1) / 64;
  uint64_t keep_low = bits_mask(low % 64), keep_high = high % 64 ? ~(uint64_t)0 << high % 64 : 0;
  uint64_t old_first = words[first], old_last = words[last];
  for (unsigned i = last; i > first; i--) words[i] = words[i] << width | words[i - 1] >> (64 - width);
  words[first] = (old_first & ~keep_low) << width | (old_first & keep_low);
  words[last] = (words[last] & ~keep_high) | (old_last & keep_high);
}

/* Makes slot `pos` free by moving everything up to the free slot `hole` one place on, run ends too. */
INLINE void make_hole(const struct pairs *p, uint8_t *shard, uint64_t pos, uint64_t hole) {
  unsigned width = p->width + p->extra;
  for (uint64_t block = hole / BLOCK;; block--) {
    uint64_t *b = block_of(p, shard, block), first = block * BLOCK;
    unsigned from = pos > first ? (unsigned)(pos - first) : 0, to = hole < first + BLOCK ? (unsigned)(hole - first) : BLOCK - 1;
    move_up(b + 2, width, from, to);
    uint64_t ends = b[1], moved = bits_mask(to) & ~bits_mask(from);
    b[1] = (ends & ~bits_mask(to + 1)) | (ends & moved) << 1 | (ends & bits_mask(from));
    if (pos >= first) return;
    uint64_t *below = block_of(p, shard, block - 1);
    set_slot(p, shard, first, slot_value(p, shard, first - 1));
    b[1] |= below[1] >> (BLOCK - 1);
    /* its last slot is overwritten when it is moved up itself */
    if (hole >= first) hole = first - 1;
  }
}

/* The first free slot at or behind q, where `end` is behind the last slot of quotients up to q: a slot is free if all runs of quotients up to it
   have ended before it. Goes from run end to run end. */
INLINE uint64_t find_hole(const struct pairs *p, uint8_t *shard, uint64_t q, unsigned passed, uint64_t end) {
  if (end <= q) return q;
  uint64_t begun = 0, block = q / BLOCK; /* runs begun in earlier blocks since q's */
  for (uint64_t x = end; x < p->blocks * BLOCK;) {
    for (; x / BLOCK > block; block++) begun += (uint64_t)__builtin_popcountll(block_of(p, shard, block)[0]);
    uint64_t open = begun + rank_of(p, shard, x) - passed;
    if (!open) return x;
    x = run_end(p, shard, x, (unsigned)open) + 1;
    passed += (unsigned)open;
  }
  return p->blocks * BLOCK;
}

/* 1: it is there; 0: it is not; with put it is entered; -1: the shard has no room behind its slot. */
INLINE int ask_one(struct pairs *p, const struct where *w, int put, uint64_t owner) {
  uint64_t q = w->quotient, *block = block_of(p, w->shard, q / BLOCK), bit = (uint64_t)1 << q % BLOCK;
  int occupied = (block[0] & bit) != 0;
  if (!put && !occupied) return 0;
  unsigned k = rank_of(p, w->shard, q);
  uint64_t end = end_of(p, w->shard, q, k);
  for (uint64_t i = end - 1; occupied; i--) { /* its run, backwards */
    if ((slot_value(p, w->shard, i) & bits_mask(p->width)) == w->remainder) return 1;
    if (i == q || is_end(p, w->shard, i - 1)) break;
  }
  if (!put) return 0;
  uint64_t hole = find_hole(p, w->shard, q, k, end);
  if (end < q) end = q;
  if (hole + 1 >= p->blocks * BLOCK) return -1;
  for (uint64_t b = q / BLOCK + 1; b <= hole / BLOCK; b++)
    if (offsets_of(w->shard)[b] >= OFFSET_MOST) return -1;
  if (hole > end) make_hole(p, w->shard, end, hole);
  for (uint64_t b = q / BLOCK + 1; b <= hole / BLOCK; b++) offsets_of(w->shard)[b]++;
  set_slot(p, w->shard, end, w->remainder | owner << p->width);
  if (occupied) block_of(p, w->shard, (end - 1) / BLOCK)[1] &= ~((uint64_t)1 << (end - 1) % BLOCK);
  block_of(p, w->shard, end / BLOCK)[1] |= (uint64_t)1 << end % BLOCK;
  block[0] |= bit;
  return 0;
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

static int spill(struct pairs *p, uint64_t pair, uint64_t owner) {
  if ((p->spill.count + 1) * 4 > p->spill.room * 3 && grow_spill(p, p->spill.room ? 2 * p->spill.room : 64)) return -1;
  *spill_place(&p->spill, pair) = (struct pairs_spilled){pair, owner};
  p->spill.count++;
  return 0;
}

/* The question for one pair whose place is known. 1, 0, or -1: no memory. */
INLINE int ask_pair(struct pairs *p, uint64_t pair, const struct where *w, int put, uint64_t owner) {
  if (__builtin_expect(p->spill.count > 0, 0) && spilled(p, pair)) return 1;
  int there = ask_one(p, w, put, owner);
  if (there < 0) there = spill(p, pair, owner);
  return there;
}

INLINE size_t ask_all(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  struct where w[PAIRS_AHEAD];
  for (size_t i = 0; i < n; i++) {
    w[i] = locate(p, pair[i]);
    uint64_t *block = block_of(p, w[i].shard, w[i].quotient / BLOCK);
    __builtin_prefetch(offsets_of(w[i].shard) + w[i].quotient / BLOCK);
    __builtin_prefetch(block);
    __builtin_prefetch(block + 2 + w[i].quotient % BLOCK * p->width / 64);
  }
  for (size_t i = 0; i < n; i++) {
    int answer = ask_pair(p, pair[i], &w[i], put, 0);
    if (answer < 0) return i;
    there[i] = (uint8_t)answer;
    p->count += put && !answer;
  }
  return n;
}

static size_t ask_any(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  return put ? ask_all(p, pair, there, n, 1) : ask_all(p, pair, there, n, 0);
}
FAST static size_t ask_fast(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  return put ? ask_all(p, pair, there, n, 1) : ask_all(p, pair, there, n, 0);
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

/* ---- unpacking and growing ---------------------------------------------------------------------------------------------------- */

/* All pairs of a shard; returns how many. */
INLINE size_t unpack(const struct pairs *p, uint64_t number, struct pairs_spilled *out) {
  uint8_t *shard = p->region.base + number * p->shard_bytes;
  size_t n = 0;
  uint64_t slot = 0;
  for (uint64_t block = 0; block < p->blocks; block++)
    for (uint64_t set = block_of(p, shard, block)[0]; set; set &= set - 1) {
      uint64_t q = block * BLOCK + (uint64_t)__builtin_ctzll(set);
      if (slot < q) slot = q;
      for (;; slot++) {
        uint64_t x = slot_value(p, shard, slot);
        out[n++] = (struct pairs_spilled){pair_at(p, number, q, x & bits_mask(p->width)), x >> p->width};
        if (block_of(p, shard, slot / BLOCK)[1] >> slot % BLOCK & 1) break;
      }
      slot++;
    }
  return n;
}

static uint64_t shape_bytes(uint64_t blocks, unsigned width) { return ((blocks * 2 + 7) & ~(uint64_t)7) + blocks * (2 + width) * 8; }

/* The form of a set for so many ids and pairs, in so many shards (2^low). */
static void set_shape(struct pairs *p, uint64_t left, unsigned right_bits, unsigned low, uint64_t pairs) {
  p->left = left;
  p->right_bits = right_bits;
  p->low = low;
  p->shards = (uint64_t)1 << low;
  p->key_bits = right_bits - low;
  uint64_t numbers = left << p->key_bits, want = pairs / p->shards + pairs / p->shards / 13 + FIRST_SLOTS; /* filled to 0.93 */
  if (want > numbers) want = numbers;
  unsigned narrow = bits_for(numbers / want) - 1; /* as many slots as remainders of that width ask for, or as many as wanted, one bit wider */
  uint64_t more = (numbers >> narrow) + 1;
  if ((double)more * (narrow + p->extra + 2.25) <= 1.02 * (double)want * (narrow + p->extra + 3.25)) {
    p->step = (uint64_t)1 << (narrow + POINT);
    p->slots = more;
  } else {
    p->step = (uint64_t)(((unsigned __int128)numbers << POINT) / want) + 1;
    p->slots = want + 1;
  }
  p->inverse = (uint64_t)((((unsigned __int128)1 << (64 + POINT)) - 1) / p->step);
  p->width = bits_for((p->step - 1) >> POINT);
  p->blocks = (p->slots + p->slots / 32 + 3 * BLOCK) / BLOCK;
  p->shard_bytes = shape_bytes(p->blocks, p->width + p->extra);
  p->limit = (uint64_t)((double)(p->slots * p->shards) * 0.93);
}

struct item { /* a pair on its way into a new shard */
  uint64_t quotient, value;
};

struct workshop {
  struct pairs_spilled *list;
  struct item *item, *sorted;
  uint32_t *first; /* per quotient: where its items begin among the sorted ones */
};

/* Lays items, sorted by quotient, into an empty shard. Returns how many found room. */
INLINE size_t lay(struct pairs *p, uint8_t *shard, const struct item *item, size_t n) {
  uint64_t slot = 0, block = 0, most = p->blocks * BLOCK - 1;
  size_t i = 0;
  while (i < n) {
    uint64_t q = item[i].quotient;
    for (; block < q / BLOCK; block++) offsets_of(shard)[block + 1] = (uint16_t)(slot > (block + 1) * BLOCK ? slot - (block + 1) * BLOCK : 0);
    if (slot < q) slot = q;
    if (slot >= most || slot - q / BLOCK * BLOCK >= OFFSET_MOST) break;
    for (; i < n && item[i].quotient == q && slot < most; i++) set_slot(p, shard, slot++, item[i].value);
    block_of(p, shard, q / BLOCK)[0] |= (uint64_t)1 << q % BLOCK;
    block_of(p, shard, (slot - 1) / BLOCK)[1] |= (uint64_t)1 << (slot - 1) % BLOCK;
    if (i < n && item[i].quotient == q) break;
  }
  for (; block + 1 < p->blocks; block++) offsets_of(shard)[block + 1] = (uint16_t)(slot > (block + 1) * BLOCK ? slot - (block + 1) * BLOCK : 0);
  return i;
}

/* Those pairs of a list that belong into one new shard go there. 0, or -1: one did not fit, and there was no memory to spill it. */
INLINE int pack(struct pairs *p, uint64_t number, const struct workshop *w, size_t n) {
  uint8_t *shard = p->region.base + number * p->shard_bytes;
  size_t m = 0;
  memset(w->first, 0, (p->slots + 2) * sizeof *w->first);
  for (size_t i = 0; i < n; i++) {
    struct where at = locate(p, w->list[i].pair);
    if (at.shard != shard) continue;
    w->first[at.quotient + 1]++;
    w->item[m++] = (struct item){at.quotient, at.remainder | w->list[i].owner << p->width};
  }
  for (uint64_t q = 0; q < p->slots; q++) w->first[q + 1] += w->first[q];
  for (size_t i = 0; i < m; i++) w->sorted[w->first[w->item[i].quotient]++] = w->item[i];
  memset(shard, 0, p->shard_bytes);
  for (size_t i = lay(p, shard, w->sorted, m); i < m; i++)
    if (spill(p, pair_at(p, number, w->sorted[i].quotient, w->sorted[i].value & bits_mask(p->width)), w->sorted[i].value >> p->width)) return -1;
  return 0;
}

INLINE int rewrite(struct pairs *p, const struct pairs *old, const struct workshop *w) {
  uint64_t each = p->shards / old->shards;
  for (uint64_t i = old->shards; i-- > 0;) {
    size_t n = unpack(old, i, w->list);
    for (uint64_t k = each; k-- > 0;)
      if (pack(p, i * each + k, w, n)) return -1;
  }
  return 0;
}

static int rewrite_any(struct pairs *p, const struct pairs *old, const struct workshop *w) { return rewrite(p, old, w); }
FAST static int rewrite_fast(struct pairs *p, const struct pairs *old, const struct workshop *w) { return rewrite(p, old, w); }

static void close_workshop(struct workshop *w, struct mem *mem) {
  mem_free(mem, w->list);
  mem_free(mem, w->item);
  mem_free(mem, w->sorted);
  mem_free(mem, w->first);
}

/* Room to unpack one old shard and to sort it by new quotients. */
static int open_workshop(struct workshop *w, const struct pairs *old, const struct pairs *p) {
  size_t most = old->blocks * BLOCK < old->count ? old->blocks * BLOCK : old->count + 1;
  struct mem *mem = p->region.mem;
  *w = (struct workshop){.list = mem_alloc(mem, p->region.tag, most * sizeof *w->list),
                         .item = mem_alloc(mem, p->region.tag, most * sizeof *w->item),
                         .sorted = mem_alloc(mem, p->region.tag, most * sizeof *w->sorted),
                         .first = mem_alloc(mem, p->region.tag, (p->slots + 2) * sizeof *w->first)};
  if (w->list && w->item && w->sorted && w->first) return 0;
  close_workshop(w, mem);
  return -1;
}

/* Gives the set another shape. 0; -1: refused, nothing has changed. */
static int reshape(struct pairs *p, uint64_t left, unsigned right_bits, uint64_t pairs, int reseed) {
  struct pairs old = *p;
  unsigned low = p->low;
  while (low < right_bits && low < 24 && pairs >> low > SHARD_PAIRS) low++;
  if (low > right_bits) return -1;
  set_shape(p, left, right_bits, low, pairs);
  p->seed += (uint64_t)reseed;
  if (old.shards) { /* never smaller than before: what is still to be read must not be covered */
    size_t least = (old.shard_bytes / (p->shards / old.shards) + 15) & ~(size_t)7;
    if (p->shard_bytes < least) p->shard_bytes = least;
  }
  struct workshop w = {0};
  if (old.shards && open_workshop(&w, &old, p)) {
    *p = old;
    return -1;
  }
  if (region_resize(&p->region, p->shards * p->shard_bytes + 16)) {
    close_workshop(&w, old.region.mem);
    *p = old;
    return -1;
  }
  old.region = p->region; /* its base may have moved */
  struct pairs_spill before = p->spill;
  p->spill = (struct pairs_spill){0};
  int bad = old.shards && (p->fast ? rewrite_fast(p, &old, &w) : rewrite_any(p, &old, &w));
  for (uint64_t i = 0; i < before.room && !bad; i++)
    if (before.at[i].pair != PAIRS_FREE) {
      struct where at = locate(p, before.at[i].pair);
      bad = ask_one(p, &at, 1, before.at[i].owner) && spill(p, before.at[i].pair, before.at[i].owner);
    }
  if (bad) p->broken = 1;
  p->spill.limit = 2 * p->spill.count + 64 + (p->count >> 12);
  mem_free(p->region.mem, before.at);
  close_workshop(&w, p->region.mem);
  return 0;
}

/* Whatever asks for a new shape, what would soon ask for another one is given room too. */
uint64_t pairs_reserve(struct pairs *p, uint64_t left, uint64_t right, uint64_t more) {
  if (p->broken) return 0;
  int wide = left > p->left || right > p->right_most || !p->shards, crowded = p->spill.count > p->spill.limit;
  if (!wide && !crowded && p->count + more <= p->limit) return more;
  unsigned bits = right > p->right_most ? bits_for(right) : p->right_bits;
  uint64_t need = p->count + more;
  int reseed = crowded && p->count < p->limit / 2;
  for (unsigned part = 3; part <= 48; part *= 4) {
    uint64_t new_left = left + left / part > p->left && (left > p->left || part == 3) ? left + left / part + 16 : p->left;
    uint64_t capacity = need + need / part > p->capacity && (need > p->limit || part == 3) ? need + need / part : p->capacity;
    if (new_left < p->left) new_left = p->left;
    if (new_left > UINT32_MAX || bits > 32) continue;
    if (reshape(p, new_left, bits, capacity, reseed) == 0) {
      p->capacity = capacity;
      p->right_most = (uint64_t)1 << bits;
      return p->broken ? 0 : more;
    }
  }
  if (wide) return 0;
  uint64_t most = p->slots * p->shards; /* the budget is used up: fill it further */
  most -= most / 32;
  return p->count >= most ? 0 : most - p->count < more ? most - p->count : more;
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
  struct pairs_spilled *list = mem_alloc(p->region.mem, p->region.tag, p->blocks * BLOCK * sizeof *list);
  int status = list ? 0 : -1;
  for (uint64_t i = 0; i < p->spill.room && !status; i++)
    if (p->spill.at[i].pair != PAIRS_FREE) status = hear(context, p->spill.at[i].pair) ? -1 : 0;
  if (!status) status = (p->fast ? tell_fast : tell_any)(p, list, hear, context, consume);
  mem_free(p->region.mem, list);
  return status;
}

void pairs_open(struct pairs *p, struct mem *mem, unsigned extra, uint64_t hash_mask) {
  *p = (struct pairs){.extra = extra, .hash_mask = hash_mask ? hash_mask : UINT64_MAX};
#if defined(__x86_64__)
  p->fast = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
#endif
  region_open(&p->region, mem, MEM_STORE);
}

size_t pairs_bytes(const struct pairs *p) { return p->region.held + p->spill.room * sizeof *p->spill.at; }

void pairs_close(struct pairs *p) {
  if (p->region.mem) mem_free(p->region.mem, p->spill.at);
  region_close(&p->region);
}
