/* disk_table.h -- sets of records in memory: one after the other in order of arrival, and an index of 4 bytes for each by which they are found.
 *
 * The first `key` words of a record are what it is found by; the others come along.  A table begins small and grows as long as there is memory, up to a largest size; then it
 * is full, which is an ordinary answer. */
#ifndef STORE_DISK_TABLE_H
#define STORE_DISK_TABLE_H

#include "base/hash.h"
#include "base/mem.h"

static inline uint64_t disk_hash(const uint32_t *key, uint32_t words) {
  if (words == 1) return hash_mix(key[0] + 1);
  if (words == 2) return hash_mix((uint64_t)key[0] << 32 | key[1]);
  return hash_bytes(key, words * sizeof *key);
}

struct disk_table {
  struct mem *mem;
  struct region data, index;
  uint32_t words, key;
  size_t count, room, most; /* records: there are, fit now, may ever */
  uint64_t slots;
  unsigned number_bits; /* of an entry; the others are from the hash */
};

void disk_table_open(struct disk_table *, struct mem *, uint32_t words, uint32_t key, size_t most);
void disk_table_close(struct disk_table *);
void disk_table_clear(struct disk_table *);   /* keeps its memory */
void disk_table_release(struct disk_table *); /* gives it back */
int disk_table_grow(struct disk_table *);     /* more room: 0, or -1: it is as large as it can be */
void disk_table_reserve(struct disk_table *, size_t records); /* if there is memory; an empty one */

static inline uint32_t *disk_table_at(const struct disk_table *t, size_t i) { return (uint32_t *)(void *)t->data.base + i * t->words; }
static inline void disk_table_prefetch(const struct disk_table *t, uint64_t hash) {
  if (t->slots) __builtin_prefetch((uint32_t *)(void *)t->index.base + hash_slot(hash, t->slots));
}
/* After disk_table_prefetch, some time later: the record that the first entry leads to. */
static inline void disk_table_prefetch_record(const struct disk_table *t, uint64_t hash) {
  if (!t->count) return;
  uint32_t entry = ((const uint32_t *)(const void *)t->index.base)[hash_slot(hash, t->slots)], mask = t->number_bits < 32 ? ((uint32_t)1 << t->number_bits) - 1 : UINT32_MAX;
  if (entry) __builtin_prefetch(disk_table_at(t, (entry & mask) - 1));
}
/* Is it there? `slot` is for disk_table_enter, if it is not. */
int disk_table_find(const struct disk_table *, const uint32_t *key, uint64_t hash, uint64_t *slot);
static inline int disk_table_has(const struct disk_table *t, const uint32_t *key, uint64_t hash) {
  uint64_t slot;
  return t->count && disk_table_find(t, key, hash, &slot);
}
/* A record that is not there, where the last question after it left off. 0; -1: the table is full. */
int disk_table_enter(struct disk_table *, const uint32_t *record, uint64_t hash, uint64_t slot);
/* Without looking whether it is there, and not to be found afterwards. 0, or -1: full. */
int disk_table_append(struct disk_table *, const uint32_t *record);

/* Sorts records in place, as disk_run.h wants them. */
void disk_sort(uint32_t *records, size_t count, uint32_t words);

#endif
