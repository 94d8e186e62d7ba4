/* nodeset.c -- values with dense numbers: growing. See nodeset.h. */
#include "store/nodeset.h"

enum { FIRST_SLOTS = 1024, AHEAD = 16, MANY_SLOTS = 1 << 18, GAP = 64 };
#define MOST_NODES (UINT32_MAX - 1)

/* Numbers from .. end - 1, all of which are used. */
static void enter_some(struct nodeset *s, uint64_t from, uint64_t end) {
  uint64_t hash[AHEAD];
  for (uint64_t n = from; n < end + AHEAD; n++) {
    if (n >= from + AHEAD) { /* the one whose slot was fetched AHEAD steps ago */
      uint64_t h = hash[n % AHEAD], slot = hash_slot(h, s->slots);
      while (*nodeset_entry(s, slot))
        if (++slot == s->slots) slot = 0;
      *nodeset_entry(s, slot) = (uint32_t)((uint64_t)((uint32_t)h & s->tag_mask) << s->number_bits) | (uint32_t)(n - AHEAD);
    }
    if (n < end) {
      uint64_t h = hash[n % AHEAD] = nodeset_hash(s, nodeset_value(s, (uint32_t)n));
      __builtin_prefetch(nodeset_entry(s, hash_slot(h, s->slots)), 1);
    }
  }
}

static void enter_all(struct nodeset *s) {
  region_clear(&s->index);
  for (uint64_t from = 1; from <= s->count;) {
    uint64_t end = (uint64_t)s->count + 1, next = end;
    for (unsigned i = 0; i < s->gaps; i++) {
      const struct nodeset_gap *g = &s->gap[i];
      if (g->next < g->end && g->next >= from && g->next < end) end = g->next, next = g->end;
    }
    enter_some(s, from, end);
    from = next;
  }
}

static int set_slots(struct nodeset *s, uint64_t slots) {
  if (region_resize(&s->index, slots * 4)) return -1;
  s->slots = slots;
  s->limit = slots < MANY_SLOTS ? slots / 2 : slots - slots / 4;
  if (s->limit > MOST_NODES) s->limit = MOST_NODES;
  s->number_bits = bits_for(slots < MOST_NODES ? slots : MOST_NODES);
  s->tag_mask = (uint32_t)bits_mask(32 - s->number_bits);
  enter_all(s);
  return 0;
}

static int grow_index(struct nodeset *s) {
  unsigned parts = s->slots < MANY_SLOTS ? 1 : 2;
  for (; parts <= 16; parts *= 2)
    if (set_slots(s, s->slots + s->slots / parts) == 0) return 0;
  uint64_t most = s->slots - s->slots / 20; /* the budget ends: fill what there is */
  if (s->limit < most && most < MOST_NODES) s->limit = most;
  return s->count < s->limit ? 0 : -1;
}

/* Generously if the budget allows, tightly if not. */
static int grow_nodes(struct nodeset *s, uint64_t more) {
  uint64_t need = s->count + more + 1, want = need + need / 8 + 256;
  while (region_resize(&s->nodes, want * 8)) {
    if (want == need) return -1;
    want = need + (want - need) / 2;
  }
  s->nodes.size = s->nodes.held;
  s->room = s->nodes.held / 8;
  return 0;
}

int nodeset_grow(struct nodeset *s) {
  if (s->count >= s->limit && (s->count >= MOST_NODES || grow_index(s))) return -1;
  return s->count + 1 >= s->room ? grow_nodes(s, 1) : 0;
}

int nodeset_open(struct nodeset *s, struct mem *mem, uint64_t hash_mask) {
  *s = (struct nodeset){.hash_mask = hash_mask};
  region_open(&s->nodes, mem, MEM_STORE);
  region_open(&s->index, mem, MEM_STORE);
  return set_slots(s, FIRST_SLOTS) || grow_nodes(s, 1) ? -1 : 0;
}

/* ---- several threads ---------------------------------------------------------------- */

static int take_gaps(struct nodeset *s, unsigned threads) {
  if (threads <= s->gaps) return 0;
  struct nodeset_gap *gap = mem_resize(s->nodes.mem, MEM_STORE, s->gap, threads * sizeof *gap);
  if (!gap) return -1;
  memset(gap + s->gaps, 0, (threads - s->gaps) * sizeof *gap);
  s->gap = gap;
  s->gaps = threads;
  return 0;
}

int nodeset_share(struct nodeset *s, unsigned threads, uint64_t more) {
  if (take_gaps(s, threads)) return -1;
  if (s->count + more > MOST_NODES) more = MOST_NODES - s->count;
  for (uint64_t before = 0; s->count + more > s->limit && s->slots > before && s->slots < MOST_NODES;) {
    before = s->slots;
    grow_index(s);
  }
  while (more && s->count + more + 1 >= s->room && grow_nodes(s, more)) more /= 2;
  uint64_t most = s->limit < s->room - 1 ? s->limit : s->room - 1;
  s->shared = most > s->count ? s->count + (uint32_t)((most - s->count) / GAP * GAP) : s->count;
  atomic_store(&s->taken, s->count);
  return 0;
}

uint32_t nodeset_take_numbers(struct nodeset *s, struct nodeset_gap *gap) {
  uint32_t first = atomic_load_explicit(&s->taken, memory_order_relaxed);
  do
    if (first == s->shared) return 0;
  while (!atomic_compare_exchange_weak_explicit(&s->taken, &first, first + GAP, memory_order_relaxed, memory_order_relaxed));
  gap->next = first + 1;
  gap->end = gap->next + GAP;
  return gap->next;
}

void nodeset_shared(struct nodeset *s) { s->count = atomic_load(&s->taken); }

uint32_t nodeset_values(const struct nodeset *s) {
  uint32_t values = s->count;
  for (unsigned i = 0; i < s->gaps; i++) values -= s->gap[i].end - s->gap[i].next;
  return values;
}

void nodeset_close(struct nodeset *s) {
  if (s->nodes.mem) mem_free(s->nodes.mem, s->gap);
  region_close(&s->nodes);
  region_close(&s->index);
}
