/* pairs_shape.c -- see pairs.h: the form of a set of pairs, and how it gets another one.
 *
 * The form follows from how many ids and pairs there are to be: shards, blocks of a shard, bits of a remainder.  When ids or pairs outgrow it, or owners need bits, all shards are unpacked and written
 * again in their new places, from the last to the first, by all threads of the crew where there is one.  What may be refused is asked for beforehand: half-way there is no way back. */
#include "store/pairs_inside.h"

#include "base/crew.h"

#include <assert.h>

enum { SHARD_PAIRS = 1 << 12, MOST_BUILDERS = 64, TOGETHER = 1 << 17 };

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
        if (pairs_spill_put(p, b->list[k].pair, b->list[k].owner)) return -1;
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
  if (!builders || pairs_spill_grow(p, 64 + 2 * before.count + pairs / 512) || region_resize(&p->region, p->shards * p->shard_bytes + 16)) {
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
      bad = enter_new(p, &at, before.at[i].owner, 0) && pairs_spill_put(p, before.at[i].pair, before.at[i].owner);
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
