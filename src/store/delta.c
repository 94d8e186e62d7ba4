/* delta.c -- a state is its difference from its predecessor; every so-many-th on a path is kept in full.
 *
 * The sequential algorithm of Mukherjee, Tari and Bertok (Memory Efficient State-Space Analysis in Software Model-Checking, 2010): a
 * step changes little of a long vector, so what it changed is kept with the number of the state before it, and to compare a
 * state it is put together again.  So that this takes few steps, a state whose distance from the last full one would reach
 * N (--delta, 20) is stored in full.
 *
 * Three arrays:
 *
 *   data     one record after the other, in order of discovery:
 *              in full     | 0 | bytes of the state |   or, where that is shorter,   | 1 | length | changes from state 0 |
 *              difference  | 1 + level, 2 .. N | how many numbers back its predecessor is | length | changes |
 *            numbers are of variable length, 7 bits to a byte.  Changes are runs of bytes, xor-ed to the predecessor's:
 *              | 4 * (unchanged bytes before it) + length of the run - 1 | 1 to 4 bytes |
 *   offset   where each record begins: 5 bytes
 *   table    from hashes to numbers (fragments.h), which needs no states to grow
 *
 * Differences are taken with xor, so they can be applied in any order: a state is put together on the way up to the full one, in one
 * pass and without a list of the records on the way.
 *
 * States in full would alone be 1/N of all bytes; as changes from the first state they are mostly much shorter, and the first is at hand.
 *
 * The frontier of a breadth-first search stays in the store.  A state whose source is not told, or whose difference is not shorter than the
 * state, is stored in full. */
#include "store/store.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/stats.h"
#include "store/fragments.h"

#include <assert.h>
#include <string.h>

enum { RAW, FROM_FIRST }; /* kinds of records; beyond: 1 + level */
enum { NTH = 20, OFFSET = 5, SLACK = 16, VARINT = 10 };

struct delta {
  struct store base;
  struct blocks blocks;
  struct stats *stats, no_stats;
  uint32_t words, record;
  unsigned nth;
  uint64_t hash_mask, count, used; /* bytes of data */
  struct region data, offset;
  struct fragments table;
  uint8_t *state; /* one put together */
  uint8_t *diff;  /* a record in the making: as long as a state in full may become */
};

/* ---- records ---------------------------------------------------------------------------- */

static uint8_t *write_number(uint8_t *p, uint64_t x) {
  for (; x >= 128; x >>= 7) *p++ = (uint8_t)(x | 128);
  *p++ = (uint8_t)x;
  return p;
}

static const uint8_t *read_number(const uint8_t *p, uint64_t *x) {
  uint64_t value = *p & 127;
  for (unsigned shift = 7; *p++ & 128; shift += 7) value |= (uint64_t)(*p & 127) << shift;
  *x = value;
  return p;
}

static const uint8_t *record_at(const struct delta *d, uint64_t number) {
  uint64_t at = 0;
  memcpy(&at, d->offset.base + number * OFFSET, OFFSET);
  return d->data.base + at;
}

/* The state of a number, xor-ed together on the way to the full one. */
static void put_together(const struct delta *d, uint64_t number, uint8_t *state) {
  memset(state, 0, d->record);
  for (;;) {
    uint64_t kind, back = number, length;
    const uint8_t *p = read_number(record_at(d, number), &kind);
    if (kind == RAW) {
      for (uint32_t i = 0; i < d->record; i++) state[i] ^= p[i];
      return;
    }
    if (kind != FROM_FIRST) p = read_number(p, &back);
    p = read_number(p, &length);
    __builtin_prefetch(d->offset.base + (number - back) * OFFSET);
    uint8_t *at = state;
    for (const uint8_t *end = p + length; p < end;) {
      uint64_t run;
      p = read_number(p, &run);
      at += run / 4;
      for (unsigned n = (unsigned)(run % 4) + 1; n; n--) *at++ ^= *p++;
    }
    number -= back;
  }
}

/* Bytes of the changes from one state to another, or 0 if they would take `most` or more. */
static size_t difference(const uint8_t *from, const uint8_t *to, size_t length, uint8_t *out, size_t most) {
  uint8_t *p = out;
  for (size_t i = 0, since = 0; i < length;) {
    while (i + 8 <= length && memcmp(from + i, to + i, 8) == 0) i += 8;
    while (i < length && from[i] == to[i]) i++;
    if (i == length) break;
    size_t run = 1;
    while (run < 4 && i + run < length && from[i + run] != to[i + run]) run++;
    if ((size_t)(p - out) + VARINT + run > most) return 0;
    p = write_number(p, (i - since) * 4 + run - 1);
    for (size_t k = 0; k < run; k++) *p++ = from[i + k] ^ to[i + k];
    since = i += run;
  }
  return (size_t)(p - out);
}

/* A record of changes in d->diff. Returns its length, or 0: it would not be shorter than the state. */
static size_t make_changes(struct delta *d, uint64_t kind, uint64_t back, const uint8_t *from, const uint8_t *state) {
  uint8_t head[3 * VARINT], *changes = d->diff + sizeof head, *p = write_number(head, kind);
  size_t length = difference(from, state, d->record, changes, d->record);
  if (!length) return 0;
  if (kind != FROM_FIRST) p = write_number(p, back);
  p = write_number(p, length);
  size_t begin = (size_t)(p - head);
  if (begin + length > d->record) return 0;
  memcpy(d->diff, head, begin);
  memmove(d->diff + begin, changes, length);
  return begin + length;
}

/* Makes the record of a state in d->diff; `from` is its predecessor's state, NULL = in full. Returns its length. */
static size_t make_record(struct delta *d, uint64_t number, const uint8_t *state, uint64_t parent, const uint8_t *from) {
  uint64_t kind = 0;
  size_t length = 0;
  if (from) {
    read_number(record_at(d, parent), &kind);
    kind = kind <= FROM_FIRST ? FROM_FIRST + 1 : kind + 1;
  }
  if (from && kind <= d->nth) length = make_changes(d, kind, number - parent, from, state);
  if (!length && number) {
    put_together(d, 0, d->state);
    length = make_changes(d, FROM_FIRST, 0, d->state, state);
  }
  if (length) return length;
  d->diff[0] = RAW;
  memcpy(d->diff + 1, state, d->record);
  return 1 + (size_t)d->record;
}

static int room(struct region *r, uint64_t bytes) {
  if (bytes <= r->size) return 0;
  return region_resize(r, bytes + bytes / 8 + 4096) && region_resize(r, bytes) ? -1 : 0;
}

/* Appends the record in d->diff as the next state. 0, or -1: no memory. */
static int append(struct delta *d, size_t length, uint64_t hash) {
  if (room(&d->data, d->used + length + SLACK) || room(&d->offset, (d->count + 1) * OFFSET + SLACK) ||
      fragments_add(&d->table, hash, d->count))
    return -1;
  memcpy(d->data.base + d->used, d->diff, length);
  memcpy(d->offset.base + d->count * OFFSET, &d->used, OFFSET);
  d->used += length;
  d->count++;
  return 0;
}

/* ---- asking -------------------------------------------------------------------------------- */

static uint64_t hash_state(const struct delta *d, const uint32_t *state) { return hash_bytes(state, d->record) & d->hash_mask; }

static store_ref find(struct delta *d, const uint32_t *state, uint64_t hash) {
  struct fragments_look l = fragments_look(&d->table, hash);
  for (uint64_t number; fragments_next(&l, &number);) {
    d->stats->store_compares++;
    put_together(d, number, d->state);
    if (memcmp(d->state, state, d->record) == 0) return number;
  }
  return STORE_NONE;
}

static void hash_batch(struct delta *d, struct store_batch *b, size_t from) {
  for (size_t i = from; i < b->count; i++) {
    b->hash[i] = hash_state(d, b->states + i * b->stride);
    fragments_prefetch(&d->table, b->hash[i]);
  }
}

static size_t delta_put_batch(struct store *base, struct store_batch *b, size_t from) {
  struct delta *d = (struct delta *)base;
  hash_batch(d, b, from);
  for (size_t i = from, k = 0; i < b->count; i++) {
    const uint32_t *state = b->states + i * b->stride;
    b->ref[i] = find(d, state, b->hash[i]);
    b->answer[i] = STORE_SEEN;
    if (b->ref[i] != STORE_NONE) continue;
    while (k < b->sources && b->source[k].end <= i) k++;
    const struct store_source *source = k < b->sources && b->source[k].first <= i ? &b->source[k] : NULL;
    size_t length = make_record(d, d->count, (const uint8_t *)state, source ? source->ref : 0, source ? (const uint8_t *)source->words : NULL);
    if (append(d, length, b->hash[i])) {
      b->answer[i] = STORE_FULL;
      return i;
    }
    b->answer[i] = STORE_NEW;
    b->ref[i] = d->count - 1;
  }
  return b->count;
}

static void delta_find_batch(struct store *base, struct store_batch *b) {
  struct delta *d = (struct delta *)base;
  hash_batch(d, b, 0);
  for (size_t i = 0; i < b->count; i++) {
    b->ref[i] = find(d, b->states + i * b->stride, b->hash[i]);
    b->answer[i] = b->ref[i] == STORE_NONE ? STORE_NEW : STORE_SEEN;
  }
}

static int delta_get(struct store *base, store_ref ref, uint32_t *state, uint32_t *trail) {
  const struct delta *d = (const struct delta *)base;
  (void)trail;
  assert(ref < d->count);
  memset(state, 0, d->words * sizeof *state);
  put_together(d, ref, (uint8_t *)state);
  return 0;
}

static int delta_each(struct store *base, store_hear *hear, void *context, int consume) {
  struct delta *d = (struct delta *)base;
  uint32_t *state = mem_alloc(d->blocks.mem, MEM_STORE, ((size_t)d->words + 4) * sizeof *state);
  int status = state ? 0 : -1;
  if (consume && state) fragments_close(&d->table);
  for (uint64_t n = 0; n < d->count && !status; n++) {
    delta_get(base, n, state, NULL);
    status = hear(context, n, state) ? -1 : 0;
  }
  mem_free(d->blocks.mem, state);
  return status;
}

/* ---- width, life ----------------------------------------------------------------------------- */

static int open_width(struct delta *d, uint32_t words, uint32_t bits) {
  d->words = words;
  d->record = bits ? (bits + 7) / 8 : 1;
  d->count = d->used = 0;
  region_open(&d->data, d->blocks.mem, MEM_STORE);
  region_open(&d->offset, d->blocks.mem, MEM_STORE);
  fragments_open(&d->table, &d->blocks);
  d->state = blocks_alloc(&d->blocks, (size_t)words * 4 + SLACK);
  d->diff = blocks_alloc(&d->blocks, (size_t)d->record + 8 * VARINT);
  return d->state && d->diff ? 0 : -1;
}

static void close_width(struct delta *d, struct blocks *blocks) {
  region_close(&d->data);
  region_close(&d->offset);
  d->table.blocks = blocks;
  fragments_close(&d->table);
  blocks_free(blocks, d->state);
  blocks_free(blocks, d->diff);
}

/* Each state is told by the old form and entered into the new one behind its converted predecessor. */
static int copy_all(const struct delta *old, struct delta *d, store_convert *convert, void *context) {
  size_t wide = (size_t)d->words + 4;
  uint32_t *from = mem_alloc(d->blocks.mem, MEM_STORE, ((size_t)old->words + 4 + 2 * wide) * sizeof *from);
  if (!from) return -1;
  uint32_t *state = from + old->words + 4, *parent_state = state + wide;
  int status = 0;
  for (uint64_t n = 0; n < old->count && !status; n++) {
    uint64_t kind, back = 0;
    const uint8_t *p = read_number(record_at(old, n), &kind);
    memset(from, 0, ((size_t)old->words + 4 + 2 * wide) * sizeof *from);
    if (kind > FROM_FIRST) {
      read_number(p, &back);
      put_together(d, n - back, (uint8_t *)parent_state);
    }
    put_together(old, n, (uint8_t *)from);
    convert(context, from, state);
    size_t length = make_record(d, n, (const uint8_t *)state, n - back, kind > FROM_FIRST ? (const uint8_t *)parent_state : NULL);
    status = append(d, length, hash_state(d, state));
  }
  mem_free(d->blocks.mem, from);
  return status;
}

static int delta_rewrite(struct store *base, uint32_t words, uint32_t bits, store_convert *convert, void *context) {
  struct delta *d = (struct delta *)base, before = *d;
  int status = open_width(d, words, bits) || copy_all(&before, d, convert, context) ? -1 : 0;
  if (status) {
    close_width(d, &d->blocks);
    size_t bytes = d->blocks.bytes;
    *d = before;
    d->blocks.bytes = bytes;
  } else close_width(&before, &d->blocks);
  return status;
}

static uint64_t delta_count(const struct store *base) { return ((const struct delta *)base)->count; }

static size_t delta_bytes(const struct store *base) {
  const struct delta *d = (const struct delta *)base;
  return sizeof *d + d->data.held + d->offset.held + d->blocks.bytes;
}

static void delta_close(struct store *base) {
  if (!base) return;
  struct delta *d = (struct delta *)base;
  close_width(d, &d->blocks);
  mem_free(d->blocks.mem, d);
}

static int delta_open(struct store **out, const struct store_setup *setup) {
  struct delta *d = mem_alloc(setup->mem, MEM_STORE, sizeof *d);
  if (!d) return -1;
  d->base.type = &store_delta;
  d->blocks.mem = setup->mem;
  d->stats = setup->stats ? setup->stats : &d->no_stats;
  d->hash_mask = setup->hash_mask ? setup->hash_mask : UINT64_MAX;
  d->nth = setup->options && setup->options->delta ? setup->options->delta : NTH;
  if (open_width(d, setup->words, setup->bits)) {
    delta_close(&d->base);
    return -1;
  }
  *out = &d->base;
  return 0;
}

const struct store_type store_delta = {
    .name = "delta",
    .summary = "differences from the predecessor, every 20th state in full: exact, for long vectors of which steps change little",
    .caps = STORE_EXACT | STORE_GET | STORE_ORDER | STORE_REWRITE,
    .open = delta_open,
    .put_batch = delta_put_batch,
    .find_batch = delta_find_batch,
    .get = delta_get,
    .rewrite = delta_rewrite,
    .each = delta_each,
    .count = delta_count,
    .bytes = delta_bytes,
    .close = delta_close,
};
