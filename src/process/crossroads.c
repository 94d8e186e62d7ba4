/* crossroads.c -- see crossroads.h. */
#include "process/crossroads.h"

#include "base/hash.h"

#include <string.h>

enum { MANY = 10000 };

void crossroads_reset(struct crossroads *c) {
  c->met = 0;
  if (!c->start.count) return;
  memset(c->table, 0, c->size * sizeof *c->table);
  c->images.count = c->start.count = 0;
}

void crossroads_close(struct crossroads *c, struct mem *mem) {
  vec_free(&c->images, mem);
  vec_free(&c->start, mem);
  mem_free(mem, c->table);
  memset(c, 0, sizeof *c);
}

static const int32_t *record(const struct crossroads *c, size_t i) { return c->images.at + c->start.at[i]; }

static uint64_t hash_record(const int32_t *r) { return hash_bytes(r, ((size_t)r[1] + 2) * sizeof *r); }

/* The slot of the table in which this record is or belongs. */
static size_t find(const struct crossroads *c, const int32_t *r) {
  size_t bytes = ((size_t)r[1] + 2) * sizeof *r, at = hash_record(r) & (c->size - 1);
  for (; c->table[at]; at = (at + 1) & (c->size - 1)) {
    const int32_t *there = record(c, c->table[at] - 1);
    if (there != r && there[1] == r[1] && memcmp(there, r, bytes) == 0) break;
  }
  return at;
}

static int grow(struct crossroads *c, struct mem *mem) {
  size_t size = c->size ? 2 * c->size : 1024;
  uint32_t *table = mem_alloc(mem, MEM_SEARCH, size * sizeof *table);
  if (!table) return -1;
  mem_free(mem, c->table);
  c->table = table;
  c->size = size;
  for (size_t i = 0; i < c->start.count; i++) c->table[find(c, record(c, i))] = (uint32_t)i + 1;
  return 0;
}

int crossroads_known(struct crossroads *c, const struct machine *m, uint32_t slot) {
  if (++c->met < MANY) return 0;
  size_t cells = m->shape->slots + ((size_t)m->run.processes << m->shape->slot_bits);
  if ((c->start.count + 1) * 2 > c->size && grow(c, m->mem)) return -1;
  if (vec_reserve(&c->images, m->mem, MEM_SEARCH, cells + 2) || vec_reserve(&c->start, m->mem, MEM_SEARCH, 1)) return -1;
  int32_t *r = c->images.at + c->images.count;
  r[0] = (int32_t)slot;
  r[1] = (int32_t)cells;
  memcpy(r + 2, m->run.cell, cells * sizeof *r);
  size_t at = find(c, r);
  if (c->table[at]) return 1;
  c->start.at[c->start.count++] = c->images.count;
  c->images.count += cells + 2;
  c->table[at] = (uint32_t)c->start.count;
  return 0;
}
