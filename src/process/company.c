/* company.c -- see company.h.
 *
 * What a process may ever do changes only when it leaves a loop for good.  So states share few companies, and which processes may use something of a set is reckoned once for each: first for all bits, then for the sets that
 * are asked for.  Companies are found by a hash table; all of them are dropped when they take too much room. */
#include "process/company.h"

#include <string.h>

enum { BYTES_MOST = 32 << 20, SLOTS_FIRST = 256 };

void companies_open(struct companies *c, const struct footprints *f, struct mem *mem) { *c = (struct companies){.f = f, .mem = mem}; }

void companies_forget(struct companies *c) {
  for (size_t i = 0; i < c->known.count; i++) {
    mem_free(c->mem, c->known.at[i]->key);
    mem_free(c->mem, c->known.at[i]->by_bit);
    mem_free(c->mem, c->known.at[i]);
  }
  c->known.count = c->bytes = 0;
  c->now = NULL;
  if (c->slot) memset(c->slot, 0, c->slots * sizeof *c->slot);
}

void companies_close(struct companies *c) {
  if (!c->mem) return;
  companies_forget(c);
  vec_free(&c->known, c->mem);
  mem_free(c->mem, c->slot);
  *c = (struct companies){0};
}

static size_t place_of(const struct companies *c, const uint32_t *key, uint32_t processes) {
  uint64_t h = processes;
  for (uint32_t i = 0; i < 2 * processes; i++) h = (h ^ key[i]) * UINT64_C(0x9E3779B97F4A7C15), h ^= h >> 29;
  size_t at = h & (c->slots - 1);
  while (c->slot[at]) {
    const struct company *there = c->known.at[c->slot[at] - 1];
    if (there->processes == processes && !memcmp(there->key, key, 2 * processes * sizeof *key)) break;
    at = (at + 1) & (c->slots - 1);
  }
  return at;
}

static int grow(struct companies *c) {
  size_t slots = c->slots ? 2 * c->slots : SLOTS_FIRST;
  uint32_t *slot = mem_alloc(c->mem, MEM_SEARCH, slots * sizeof *slot);
  if (!slot) return -1;
  mem_free(c->mem, c->slot);
  c->slot = slot;
  c->slots = slots;
  for (size_t i = 0; i < c->known.count; i++) c->slot[place_of(c, c->known.at[i]->key, c->known.at[i]->processes)] = (uint32_t)i + 1;
  return 0;
}

static struct company *make(struct companies *c, struct footprint *const *one, const uint32_t *control, uint32_t processes) {
  size_t bits = (size_t)c->f->words * 64, sets = 0;
  struct company *new = mem_alloc(c->mem, MEM_SEARCH, sizeof *new);
  if (!new) return NULL;
  for (uint32_t i = 0; i < processes; i++) sets += one[i]->set_count;
  new->key = mem_alloc(c->mem, MEM_SEARCH, 3 * (size_t)processes * sizeof *new->key);
  new->by_bit = mem_alloc(c->mem, MEM_SEARCH, (bits + sets) * sizeof *new->by_bit);
  if (!new->key || !new->by_bit || vec_push(&c->known, c->mem, MEM_SEARCH, new)) {
    mem_free(c->mem, new->key);
    mem_free(c->mem, new->by_bit);
    mem_free(c->mem, new);
    return NULL;
  }
  new->processes = processes;
  new->first = new->key + 2 * (size_t)processes;
  new->by_set = new->by_bit + bits;
  c->bytes += (bits + sets) * sizeof *new->by_bit;
  memcpy(new->key, c->key, 2 * processes * sizeof *new->key);
  memset(new->by_set, 0xff, sets * sizeof *new->by_set);
  sets = 0;
  for (uint32_t i = 0; i < processes; i++) {
    const uint64_t *ever = one[i]->ever + (size_t)control[i] * c->f->words;
    new->first[i] = (uint32_t)sets;
    sets += one[i]->set_count;
    for (uint32_t k = 0; k < c->f->words; k++)
      for (uint64_t left = ever[k]; left; left &= left - 1) new->by_bit[k * 64 + (uint32_t)__builtin_ctzll(left)] |= (uint64_t)1 << i;
  }
  return new;
}

int companies_meet(struct companies *c, struct footprint *const *one, const uint32_t *control, uint32_t processes) {
  int same = c->now && c->now->processes == processes;
  for (uint32_t i = 0; i < processes; i++) {
    c->key[2 * i] = one[i]->serial;
    c->key[2 * i + 1] = one[i]->alike[control[i]];
    same = same && c->now->key[2 * i] == c->key[2 * i] && c->now->key[2 * i + 1] == c->key[2 * i + 1];
  }
  if (same) return 0;
  if (c->bytes > BYTES_MOST) companies_forget(c);
  if (2 * c->known.count >= c->slots && grow(c)) return -1;
  size_t at = place_of(c, c->key, processes);
  if (c->slot[at]) {
    c->now = c->known.at[c->slot[at] - 1];
    return 0;
  }
  c->now = make(c, one, control, processes);
  if (!c->now) return -1;
  c->slot[at] = (uint32_t)c->known.count;
  return 0;
}

uint64_t companies_reckon(const struct companies *c, uint64_t *cached, const uint64_t *set, uint32_t slot) {
  uint64_t users = 0;
  for (uint32_t k = 0; k < c->f->words; k++)
    for (uint64_t left = set[k]; left; left &= left - 1) users |= c->now->by_bit[k * 64 + (uint32_t)__builtin_ctzll(left)];
  return *cached = users & ~((uint64_t)1 << slot);
}
