/* refmap.c -- see refmap.h. */
#include "search/refmap.h"

#include "base/hash.h"

enum { FIRST_ROOM = 64 };

void refmap_open(struct refmap *m, struct mem *mem) { *m = (struct refmap){.mem = mem}; }

void refmap_close(struct refmap *m) {
  if (m->mem) mem_free(m->mem, m->entry);
  m->entry = NULL;
  m->count = m->room = 0;
}

static uint64_t home(const struct refmap *m, store_ref ref) { return hash_mix(ref) & (m->room - 1); }

/* Where it is, or where it would be. */
static uint64_t place(const struct refmap *m, store_ref ref) {
  uint64_t at = home(m, ref);
  while (m->entry[at].ref != STORE_NONE && m->entry[at].ref != ref) at = (at + 1) & (m->room - 1);
  return at;
}

static int grow(struct refmap *m) {
  struct refmap next = {.mem = m->mem, .count = m->count, .room = m->room ? 2 * m->room : FIRST_ROOM};
  next.entry = mem_alloc(m->mem, MEM_SEARCH, next.room * sizeof *next.entry);
  if (!next.entry) return -1;
  for (uint64_t i = 0; i < next.room; i++) next.entry[i].ref = STORE_NONE;
  for (uint64_t i = 0; i < m->room; i++)
    if (m->entry[i].ref != STORE_NONE) next.entry[place(&next, m->entry[i].ref)] = m->entry[i];
  mem_free(m->mem, m->entry);
  *m = next;
  return 0;
}

int refmap_put(struct refmap *m, store_ref ref, uint64_t value) {
  if (m->count * 4 >= m->room * 3 && grow(m)) return -1;
  struct refmap_entry *e = &m->entry[place(m, ref)];
  m->count += e->ref == STORE_NONE;
  *e = (struct refmap_entry){ref, value};
  return 0;
}

uint64_t refmap_get(const struct refmap *m, store_ref ref) {
  if (!m->count || ref == STORE_NONE) return REFMAP_NONE; /* stores that know nothing of states that were seen ask so: no entry is like a free one */
  const struct refmap_entry *e = &m->entry[place(m, ref)];
  return e->ref == ref ? e->value : REFMAP_NONE;
}

void refmap_remove(struct refmap *m, store_ref ref) {
  if (!m->count || ref == STORE_NONE) return;
  uint64_t gap = place(m, ref), mask = m->room - 1;
  if (m->entry[gap].ref != ref) return;
  m->count--;
  for (uint64_t at = (gap + 1) & mask; m->entry[at].ref != STORE_NONE; at = (at + 1) & mask)
    if (((at - home(m, m->entry[at].ref)) & mask) >= ((at - gap) & mask)) { /* it may move up to the gap */
      m->entry[gap] = m->entry[at];
      gap = at;
    }
  m->entry[gap].ref = STORE_NONE;
}
