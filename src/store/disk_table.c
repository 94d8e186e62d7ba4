/* disk_table.c -- see disk_table.h.
 *
 * An entry of the index is the number of a record plus one, in as many bits as the room needs, and bits of the hash above it: of ten million records eight, so that a
 * record is looked at for 1 of 256 wrong entries.
 *
 * Sorting is by bytes, the most significant first, in place (American flag sort: McIlroy, Bostic and McIlroy, 1993), small parts by insertion.  Parts that would need a deeper
 * stack than there is go to a heap sort: the stack is no larger for hostile records. */
#include "store/disk_table.h"

#include "store/disk_run.h"

#include <string.h>

enum { FIRST = 256 };

void disk_table_open(struct disk_table *t, struct mem *mem, uint32_t words, uint32_t key, size_t most) {
  const size_t limit = (size_t)1 << 31;
  *t = (struct disk_table){.mem = mem, .words = words, .key = key, .most = most < limit ? most : limit};
  region_open(&t->data, mem, MEM_STORE);
  region_open(&t->index, mem, MEM_STORE);
}

void disk_table_close(struct disk_table *t) {
  region_close(&t->data);
  region_close(&t->index);
  *t = (struct disk_table){0};
}

/* A few records in a large table: only what is in use is cleared. From the home of each record on to the next empty slot: a record that lies behind a slot that is empty by now
   lay in the same stretch, and went with it. */
static void clear_used(struct disk_table *t) {
  uint32_t *index = (uint32_t *)(void *)t->index.base;
  for (size_t i = 0; i < t->count; i++)
    for (uint64_t at = hash_slot(disk_hash(disk_table_at(t, i), t->key), t->slots); index[at]; at = at + 1 == t->slots ? 0 : at + 1) index[at] = 0;
}

void disk_table_clear(struct disk_table *t) {
  if (t->count < t->slots / 16) clear_used(t);
  else region_clear(&t->index);
  t->count = 0;
}

void disk_table_release(struct disk_table *t) {
  region_resize(&t->data, 0);
  region_resize(&t->index, 0);
  t->count = t->room = 0;
  t->slots = 0;
}

static uint64_t slots_for(size_t room) { return (uint64_t)room + room / 2 + 1; }

static uint32_t *index_of(const struct disk_table *t) { return (uint32_t *)(void *)t->index.base; }

static uint32_t entry_for(const struct disk_table *t, size_t i, uint64_t hash) {
  unsigned bits = t->number_bits;
  return (uint32_t)(i + 1) | (bits < 32 ? (uint32_t)hash << bits : 0);
}

static void enter(struct disk_table *t, size_t i, uint64_t hash) {
  uint32_t *index = index_of(t);
  uint64_t at = hash_slot(hash, t->slots);
  while (index[at])
    if (++at == t->slots) at = 0;
  index[at] = entry_for(t, i, hash);
}

/* -1: nothing has changed. */
static int resize(struct disk_table *t, size_t room) {
  uint64_t slots = slots_for(room);
  if (region_resize(&t->data, room * t->words * sizeof(uint32_t))) return -1;
  size_t before = t->index.size;
  if (region_resize(&t->index, slots * sizeof(uint32_t))) {
    region_resize(&t->data, t->room * t->words * sizeof(uint32_t));
    return -1;
  }
  memset(t->index.base, 0, before);
  t->room = room;
  t->slots = slots;
  for (t->number_bits = 1; ((uint64_t)room + 1) >> t->number_bits; t->number_bits++) {}
  for (size_t i = 0; i < t->count; i++) enter(t, i, disk_hash(disk_table_at(t, i), t->key));
  return 0;
}

int disk_table_grow(struct disk_table *t) {
  if (t->room >= t->most) return -1;
  size_t room = t->room < FIRST ? FIRST : t->room + t->room / 2;
  if (room > t->most) room = t->most;
  while (resize(t, room)) { /* a few long records are better than none */
    if (t->room || room < 4) return -1;
    room /= 4;
  }
  return 0;
}

void disk_table_reserve(struct disk_table *t, size_t records) {
  if (records > t->most) records = t->most;
  if (records > t->room) resize(t, records);
}

int disk_table_find(const struct disk_table *t, const uint32_t *key, uint64_t hash, uint64_t *slot) {
  const uint32_t *index = index_of(t);
  uint32_t mask = t->number_bits < 32 ? ((uint32_t)1 << t->number_bits) - 1 : UINT32_MAX, mark = entry_for(t, (size_t)-1, hash);
  *slot = 0;
  if (!t->room) return 0;
  uint64_t at = hash_slot(hash, t->slots);
  for (; index[at]; at = at + 1 == t->slots ? 0 : at + 1) {
    if ((index[at] ^ mark) & ~mask) continue;
    const uint32_t *there = disk_table_at(t, (index[at] & mask) - 1);
    uint32_t k = 0;
    while (k < t->key && there[k] == key[k]) k++;
    if (k == t->key) return 1;
  }
  *slot = at;
  return 0;
}

int disk_table_append(struct disk_table *t, const uint32_t *record) {
  if (t->count == t->room && disk_table_grow(t)) return -1;
  memcpy(disk_table_at(t, t->count++), record, t->words * sizeof *record);
  return 0;
}

int disk_table_enter(struct disk_table *t, const uint32_t *record, uint64_t hash, uint64_t slot) {
  if (t->count == t->room) {
    if (disk_table_grow(t)) return -1;
    disk_table_find(t, record, hash, &slot); /* all slots are others now */
  }
  index_of(t)[slot] = entry_for(t, t->count, hash);
  memcpy(disk_table_at(t, t->count++), record, t->words * sizeof *record);
  return 0;
}

/* ---- sorting ---------------------------------------------------------------------------------------------- */

enum { FEW = 24, DEEPEST = 2048 };

struct part {
  size_t first, count;
  uint32_t byte; /* all before it are equal */
};

static inline unsigned byte_of(const uint32_t *record, uint32_t byte) { return record[byte / 4] >> (24 - 8 * (byte % 4)) & 255; }

static inline void swap(uint32_t *a, uint32_t *b, uint32_t words) {
  for (uint32_t i = 0; i < words; i++) {
    uint32_t t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

static void insert_sort(uint32_t *r, size_t count, uint32_t words) {
  if (words == 2) { /* most states */
    for (size_t i = 1; i < count; i++) {
      uint64_t now = (uint64_t)r[2 * i] << 32 | r[2 * i + 1];
      size_t k = i;
      for (; k && ((uint64_t)r[2 * k - 2] << 32 | r[2 * k - 1]) > now; k--) r[2 * k] = r[2 * k - 2], r[2 * k + 1] = r[2 * k - 1];
      r[2 * k] = (uint32_t)(now >> 32);
      r[2 * k + 1] = (uint32_t)now;
    }
    return;
  }
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k && disk_compare(r + (k - 1) * words, r + k * words, words) > 0; k--) swap(r + (k - 1) * words, r + k * words, words);
}

static void sift(uint32_t *r, size_t i, size_t count, uint32_t words) {
  for (size_t child; (child = 2 * i + 1) < count; i = child) {
    if (child + 1 < count && disk_compare(r + child * words, r + (child + 1) * words, words) < 0) child++;
    if (disk_compare(r + i * words, r + child * words, words) >= 0) return;
    swap(r + i * words, r + child * words, words);
  }
}

static void heap_sort(uint32_t *r, size_t count, uint32_t words) {
  for (size_t i = count / 2; i--;) sift(r, i, count, words);
  for (size_t n = count; n > 1;) {
    swap(r, r + --n * words, words);
    sift(r, 0, n, words);
  }
}

/* Deals a part out by one byte. Fills start[0..256]. */
static void deal(uint32_t *r, size_t count, uint32_t words, uint32_t byte, size_t *start) {
  size_t next[256], n[256] = {0};
  for (size_t i = 0; i < count; i++) n[byte_of(r + i * words, byte)]++;
  start[0] = 0;
  for (unsigned b = 0; b < 256; b++) {
    next[b] = start[b];
    start[b + 1] = start[b] + n[b];
  }
  if (n[byte_of(r, byte)] == count) return;
  for (unsigned b = 0; b < 256; b++)
    while (next[b] < start[b + 1]) {
      uint32_t *here = r + next[b] * words;
      unsigned to;
      while ((to = byte_of(here, byte)) != b) swap(here, r + next[to]++ * words, words);
      next[b]++;
    }
}

void disk_sort(uint32_t *records, size_t count, uint32_t words) {
  struct part stack[DEEPEST];
  size_t start[257], top = 0;
  stack[top++] = (struct part){0, count, 0};
  while (top) {
    struct part p = stack[--top];
    uint32_t *r = records + p.first * words;
    if (p.count <= FEW) {
      insert_sort(r, p.count, words);
      continue;
    }
    if (top + 256 > DEEPEST) {
      heap_sort(r, p.count, words);
      continue;
    }
    if (p.byte == 4 * words) continue;
    deal(r, p.count, words, p.byte, start);
    for (unsigned b = 0; b < 256; b++) {
      size_t n = start[b + 1] - start[b];
      if (n > 1 && n <= FEW) insert_sort(r + start[b] * words, n, words);
      else if (n > 1) stack[top++] = (struct part){p.first + start[b], n, p.byte + 1};
    }
  }
}
