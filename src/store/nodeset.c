/* nodeset.c -- values with dense numbers: growing. See nodeset.h. */
#include "store/nodeset.h"

enum { FIRST_SLOTS = 1024, AHEAD = 16, MANY_SLOTS = 1 << 18 };
#define MOST_NODES (UINT32_MAX - 1)

static void enter_all(struct nodeset *s) {
  uint64_t hash[AHEAD];
  region_clear(&s->index);
  for (uint64_t n = 1; n <= (uint64_t)s->count + AHEAD; n++) {
    if (n > AHEAD) { /* the one whose slot was fetched AHEAD steps ago */
      uint64_t h = hash[n % AHEAD], slot = hash_slot(h, s->slots);
      while (*nodeset_entry(s, slot))
        if (++slot == s->slots) slot = 0;
      *nodeset_entry(s, slot) = (uint32_t)((uint64_t)((uint32_t)h & s->tag_mask) << s->number_bits) | (uint32_t)(n - AHEAD);
    }
    if (n <= s->count) {
      uint64_t h = hash[n % AHEAD] = nodeset_hash(s, nodeset_value(s, (uint32_t)n));
      __builtin_prefetch(nodeset_entry(s, hash_slot(h, s->slots)), 1);
    }
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
static int grow_nodes(struct nodeset *s) {
  uint64_t need = (uint64_t)s->count + 2, want = need + need / 8 + 256;
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
  return s->count + 1 >= s->room ? grow_nodes(s) : 0;
}

int nodeset_open(struct nodeset *s, struct mem *mem, uint64_t hash_mask) {
  *s = (struct nodeset){.hash_mask = hash_mask};
  region_open(&s->nodes, mem, MEM_STORE);
  region_open(&s->index, mem, MEM_STORE);
  return set_slots(s, FIRST_SLOTS) || grow_nodes(s) ? -1 : 0;
}

void nodeset_close(struct nodeset *s) {
  region_close(&s->nodes);
  region_close(&s->index);
}
