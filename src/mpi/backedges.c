/* backedges.c -- see backedges.h.
 *
 *   block:  | bits of rank, number, edge: 8 each | smallest number of all | entries: rank, number - smallest, edge | ...
 *
 * One smallest number for the whole block: ranks find about as many states in a layer, so theirs are near each other, too. */
#include "mpi/backedges.h"

#include "base/bits.h"

#include <string.h>

enum { HEAD = 2 };

void backedges_open(struct backedges *b, struct mem *mem) {
  memset(b, 0, sizeof *b);
  region_open(&b->words, mem, MEM_SEARCH);
  region_open(&b->offsets, mem, MEM_SEARCH);
}

void backedges_close(struct backedges *b) {
  region_close(&b->words);
  region_close(&b->offsets);
}



static void put(uint64_t *words, uint64_t at, unsigned bits, uint64_t value) {
  if (!bits) return;
  words[at / 64] |= value << at % 64;
  if (at % 64 + bits > 64) words[at / 64 + 1] |= value >> (64 - at % 64);
}

static uint64_t get(const uint64_t *words, uint64_t at, unsigned bits) {
  if (!bits) return 0;
  uint64_t value = words[at / 64] >> at % 64;
  if (at % 64 + bits > 64) value |= words[at / 64 + 1] << (64 - at % 64);
  return value & bits_mask(bits);
}

/* The most that a block takes, in words. */
static size_t most(void) { return HEAD + BACKEDGES_BLOCK * (32 + 64 + 32) / 64; }

int backedges_reserve(struct backedges *b, size_t more) {
  size_t blocks = more / BACKEDGES_BLOCK + 2;
  /* the next blocks will hardly be longer than they can be at their longest; region_grow takes more where there is more */
  if (b->used * 8 + blocks * most() * 8 > b->words.size && region_grow(&b->words, (size_t)b->used * 8 + blocks * most() * 8)) return -1;
  size_t offsets = (size_t)(b->count / BACKEDGES_BLOCK + blocks + 1) * 8;
  return offsets > b->offsets.size && region_grow(&b->offsets, offsets) ? -1 : 0;
}

/* The block is full. */
static void pack(struct backedges *b) {
  uint64_t rank = 0, edge = 0, least = UINT64_MAX, largest = 0;
  for (unsigned i = 0; i < BACKEDGES_BLOCK; i++) {
    const struct backedge *e = &b->last[i];
    if (e->rank > rank) rank = e->rank;
    if (e->edge > edge) edge = e->edge;
    if (e->number < least) least = e->number;
    if (e->number > largest) largest = e->number;
  }
  unsigned rank_bits = bits_for(rank), number_bits = bits_for(largest - least), edge_bits = bits_for(edge), bits = rank_bits + number_bits + edge_bits;
  size_t words = HEAD + ((size_t)bits * BACKEDGES_BLOCK + 63) / 64;
  uint64_t *to = (uint64_t *)b->words.base + b->used;
  ((uint64_t *)b->offsets.base)[b->count / BACKEDGES_BLOCK - 1] = b->used;
  memset(to, 0, words * sizeof *to);
  to[0] = rank_bits | (uint64_t)number_bits << 8 | (uint64_t)edge_bits << 16;
  to[1] = least;
  for (unsigned i = 0; i < BACKEDGES_BLOCK; i++) {
    uint64_t at = (uint64_t)i * bits;
    put(to + HEAD, at, rank_bits, b->last[i].rank);
    put(to + HEAD, at + rank_bits, number_bits, b->last[i].number - least);
    put(to + HEAD, at + rank_bits + number_bits, edge_bits, b->last[i].edge);
  }
  b->used += words;
}

int backedges_add(struct backedges *b, struct backedge e) {
  if (backedges_reserve(b, 1)) return -1;
  b->last[b->count++ % BACKEDGES_BLOCK] = e;
  if (b->count % BACKEDGES_BLOCK == 0) pack(b);
  return 0;
}

struct backedge backedges_get(const struct backedges *b, uint64_t number) {
  if (number / BACKEDGES_BLOCK == b->count / BACKEDGES_BLOCK) return b->last[number % BACKEDGES_BLOCK];
  const uint64_t *from = (const uint64_t *)b->words.base + ((const uint64_t *)b->offsets.base)[number / BACKEDGES_BLOCK];
  unsigned rank_bits = from[0] & 255, number_bits = from[0] >> 8 & 255, edge_bits = from[0] >> 16 & 255;
  uint64_t at = number % BACKEDGES_BLOCK * (rank_bits + number_bits + edge_bits);
  return (struct backedge){.rank = (uint32_t)get(from + HEAD, at, rank_bits),
                           .number = from[1] + get(from + HEAD, at + rank_bits, number_bits),
                           .edge = (uint32_t)get(from + HEAD, at + rank_bits + number_bits, edge_bits)};
}
