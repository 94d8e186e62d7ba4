/* signatures.c -- see signatures.h. */
#include "search/signatures.h"

#include "base/hash.h"

#include <stdlib.h>

enum { FEW = 24 }; /* numbers that are sorted by inserting */

static int by_size(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

void signatures_sort(struct numbers *n) {
  uint64_t *p = n->at;
  size_t kept = 0;
  for (size_t i = 1; n->count <= FEW && i < n->count; i++) {
    uint64_t x = p[i];
    size_t k = i;
    for (; k && p[k - 1] > x; k--) p[k] = p[k - 1];
    p[k] = x;
  }
  if (n->count > FEW) qsort(p, n->count, sizeof *p, by_size);
  for (size_t i = 0; i < n->count; i++)
    if (!kept || p[kept - 1] != p[i]) p[kept++] = p[i];
  n->count = kept;
}

static int grow(struct signatures *s) {
  size_t slots = s->slots ? 2 * s->slots : 64;
  uint32_t *slot = mem_alloc(s->mem, MEM_SEARCH, slots * sizeof *slot);
  if (!slot) return -1;
  mem_free(s->mem, s->slot);
  s->slot = slot;
  s->slots = slots;
  for (uint32_t i = 0; i < s->set.count; i++) {
    size_t at = (size_t)hash_slot(s->set.at[i].hash, slots);
    while (slot[at]) at = at + 1 < slots ? at + 1 : 0;
    slot[at] = i + 1;
  }
  return 0;
}

int64_t signatures_find(struct signatures *s, struct numbers *n) {
  signatures_sort(n);
  size_t bytes = n->count * sizeof *n->at;
  if (s->set.count >= UINT32_MAX - 1 || n->count > UINT32_MAX || (2 * (s->set.count + 1) > s->slots && grow(s))) return -1;
  uint64_t hash = hash_bytes(bytes ? (const void *)n->at : "", bytes);
  size_t at = (size_t)hash_slot(hash, s->slots);
  for (; s->slot[at]; at = at + 1 < s->slots ? at + 1 : 0) {
    const struct signature *c = &s->set.at[s->slot[at] - 1];
    if (c->hash == hash && c->length == n->count && (!bytes || memcmp(s->all.at + c->begin, n->at, bytes) == 0)) return s->slot[at] - 1;
  }
  if (vec_reserve(&s->all, s->mem, MEM_SEARCH, n->count)) return -1;
  if (vec_push(&s->set, s->mem, MEM_SEARCH, (struct signature){s->all.count, hash, (uint32_t)n->count, 0})) return -1;
  if (bytes) memcpy(s->all.at + s->all.count, n->at, bytes);
  s->all.count += n->count;
  s->slot[at] = (uint32_t)s->set.count;
  return (int64_t)s->set.count - 1;
}

void signatures_clear(struct signatures *s) {
  if (s->set.count > s->slots / 16) {
    memset(s->slot, 0, s->slots * sizeof *s->slot);
  } else { /* a large table with little in it */
    for (uint32_t i = 0; i < s->set.count; i++) {
      size_t at = (size_t)hash_slot(s->set.at[i].hash, s->slots);
      while (s->slot[at] != i + 1) at = at + 1 < s->slots ? at + 1 : 0;
      s->slot[at] = 0;
    }
  }
  s->set.count = s->all.count = 0;
}

void signatures_close(struct signatures *s) {
  if (!s->mem) return;
  vec_free(&s->all, s->mem);
  vec_free(&s->set, s->mem);
  mem_free(s->mem, s->slot);
  *s = (struct signatures){0};
}
