/* pairs.c -- see pairs.h: questions to the set, what found no room in it, owners, and telling all; pairs_inside.h has the blocks, pairs_shape.c the growing. */
#include "store/pairs_inside.h"

#include <assert.h>
#include <pthread.h>

/* The place of a pair among the spilled ones: it is there, or it is free. */
static struct pairs_spilled *spill_place(const struct pairs_spill *s, uint64_t pair) {
  uint64_t at = hash_slot(hash_mix(pair), s->room);
  while (s->at[at].pair != pair && s->at[at].pair != PAIRS_FREE) at = at + 1 == s->room ? 0 : at + 1;
  return &s->at[at];
}

static int spilled(const struct pairs *p, uint64_t pair) { return spill_place(&p->spill, pair)->pair == pair; }

int pairs_spill_grow(struct pairs *p, uint64_t room) {
  struct pairs_spill next = {.room = room, .limit = p->spill.limit};
  next.at = mem_alloc(p->region.mem, p->region.tag, room * sizeof *next.at);
  if (!next.at) return -1;
  for (uint64_t i = 0; i < room; i++) next.at[i].pair = PAIRS_FREE;
  for (uint64_t i = 0; i < p->spill.room; i++)
    if (p->spill.at[i].pair != PAIRS_FREE) *spill_place(&next, p->spill.at[i].pair) = p->spill.at[i];
  next.count = p->spill.count;
  mem_free(p->region.mem, p->spill.at);
  p->spill = next;
  return 0;
}

/* Shards may be rewritten by several threads at once: what does not fit is rare. */
static pthread_mutex_t spilling = PTHREAD_MUTEX_INITIALIZER;

static int spill_one(struct pairs *p, uint64_t pair, uint64_t owner) {
  if ((p->spill.count + 1) * 4 > p->spill.room * 3 && pairs_spill_grow(p, p->spill.room ? 2 * p->spill.room : 64)) return -1;
  *spill_place(&p->spill, pair) = (struct pairs_spilled){pair, owner};
  p->spill.count++;
  return 0;
}

int pairs_spill_put(struct pairs *p, uint64_t pair, uint64_t owner) {
  pthread_mutex_lock(&spilling);
  int status = spill_one(p, pair, owner);
  pthread_mutex_unlock(&spilling);
  return status;
}

/* The question for one pair whose place is known. 1, 0, or -1: no memory. */
INLINE int ask_pair(struct pairs *p, uint64_t pair, const struct where *w, int put, uint64_t owner, int fast) {
  if (__builtin_expect(p->spill.count > 0, 0) && spilled(p, pair)) return 1;
  int there = ask_one(p, w, put, owner, fast);
  if (there < 0) there = pairs_spill_put(p, pair, owner);
  return there;
}

INLINE size_t ask_all(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put, int fast) {
  struct where w[PAIRS_AHEAD];
  for (size_t i = 0; i < n; i++) {
    w[i] = locate(p, pair[i]);
    __builtin_prefetch(w[i].home);
    __builtin_prefetch(w[i].home + 8);
    __builtin_prefetch(away(p, &w[i]));
  }
  for (size_t i = 0; i < n; i++) {
    int answer = ask_pair(p, pair[i], &w[i], put, p->fresh, fast);
    if (answer < 0) return i;
    there[i] = (uint8_t)answer;
    p->count += put && !answer;
  }
  return n;
}

static size_t ask_any(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  return put ? ask_all(p, pair, there, n, 1, 0) : ask_all(p, pair, there, n, 0, 0);
}
FAST static size_t ask_fast(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  return put ? ask_all(p, pair, there, n, 1, 1) : ask_all(p, pair, there, n, 0, 1);
}

size_t pairs_ask(struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  assert(n <= PAIRS_AHEAD);
  if (p->broken) return 0;
  if (!p->shards) { /* nothing was ever entered */
    memset(there, 0, n);
    return put ? 0 : n;
  }
  return p->fast ? ask_fast(p, pair, there, n, put) : ask_any(p, pair, there, n, put);
}

unsigned pairs_owner_of(const struct pairs *p, uint64_t pair, unsigned owners) {
  uint64_t r1 = (fold((uint32_t)pair) ^ spread_right(p, (uint32_t)(pair >> 32))) & low_mask(p->right_bits);
  return (unsigned)(shard_of(p, r1) * owners >> p->low);
}

INLINE void ask_shared(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put, int fast) {
  struct where w[PAIRS_AHEAD];
  for (size_t i = 0; i < n; i++) {
    w[i] = locate(p, pair[i]);
    __builtin_prefetch(w[i].home);
    __builtin_prefetch(w[i].home + 8);
    __builtin_prefetch(away(p, &w[i]));
  }
  for (size_t i = 0; i < n; i++) {
    int answer = p->spill.count && spilled(p, pair[i]) ? 1 : ask_one(p, &w[i], put, p->fresh, fast);
    there[i] = answer < 0 ? PAIRS_NO_ROOM : (uint8_t)answer;
  }
}

static void ask_shared_any(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  if (put) ask_shared(p, pair, there, n, 1, 0);
  else ask_shared(p, pair, there, n, 0, 0);
}
FAST static void ask_shared_fast(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  if (put) ask_shared(p, pair, there, n, 1, 1);
  else ask_shared(p, pair, there, n, 0, 1);
}

static void share(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  assert(n <= PAIRS_AHEAD && p->shards && !p->broken);
  if (p->fast) ask_shared_fast(p, pair, there, n, put);
  else ask_shared_any(p, pair, there, n, put);
}

void pairs_have(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n) { share(p, pair, there, n, 0); }
void pairs_ask_own(const struct pairs *p, const uint64_t *pair, uint8_t *there, size_t n) { share(p, pair, there, n, 1); }
/* The slot of a pair that is there: its block in *block and its bucket there; -1: it is spilled. */
static int find_slot(const struct pairs *p, uint64_t pair, uint64_t **block, unsigned *bucket) {
  struct where w = locate(p, pair);
  *bucket = w.bucket;
  int slot = -1;
  for (uint64_t gone = 0; gone < 2 && slot < 0; gone++) {
    *block = gone ? away(p, &w) : w.home;
    slot = slot_of(*block, p->width + 1 + p->extra, w.bucket, w.remainder | gone << p->width, low_mask(p->width + 1), 0);
  }
  return slot;
}

void pairs_set_owner(struct pairs *p, uint64_t pair, uint64_t owner) {
  uint64_t *block;
  unsigned width = p->width + 1 + p->extra, bucket;
  int slot = find_slot(p, pair, &block, &bucket);
  if (slot < 0) spill_place(&p->spill, pair)->owner = owner;
  else set_slot(block, width, (unsigned)slot, slot_value(block, width, (unsigned)slot, low_mask(p->width + 1)) | owner << (p->width + 1));
}

uint64_t pairs_owner(const struct pairs *p, uint64_t pair) {
  uint64_t *block;
  unsigned width = p->width + 1 + p->extra, bucket;
  int slot = find_slot(p, pair, &block, &bucket);
  return slot < 0 ? spill_place(&p->spill, pair)->owner : slot_value(block, width, (unsigned)slot, low_mask(width)) >> (p->width + 1);
}

/* Entries behind the one that goes move up, unless that would bring them before their place. */
static void take_spilled(struct pairs_spill *s, uint64_t pair) {
  uint64_t hole = (uint64_t)(spill_place(s, pair) - s->at);
  for (uint64_t i = hole + 1 == s->room ? 0 : hole + 1; s->at[i].pair != PAIRS_FREE; i = i + 1 == s->room ? 0 : i + 1) {
    uint64_t home = hash_slot(hash_mix(s->at[i].pair), s->room);
    if (hole <= i ? home > hole && home <= i : home > hole || home <= i) continue;
    s->at[hole] = s->at[i];
    hole = i;
  }
  s->at[hole] = (struct pairs_spilled){.pair = PAIRS_FREE};
  s->count--;
}

/* Takes the value of a slot out of its block. */
static void take_out(uint64_t *block, unsigned width, unsigned bucket, unsigned slot) {
  uint64_t ends = block[1];
  int last = ends >> slot & 1, alone = last && (!slot || ends >> (slot - 1) & 1);
  move_down(block, width, slot, fill_of(block));
  if (alone) block[0] &= ~((uint64_t)1 << bucket);
  else if (last) ends |= (uint64_t)1 << (slot - 1);
  block[1] = (ends & low_mask(slot)) | (ends >> 1 & ~low_mask(slot));
}

void pairs_forget(struct pairs *p, uint64_t pair) {
  uint64_t *block;
  unsigned bucket;
  int slot = find_slot(p, pair, &block, &bucket);
  if (slot < 0) take_spilled(&p->spill, pair);
  else take_out(block, p->width + 1 + p->extra, bucket, (unsigned)slot);
  p->thinned = 1;
  p->count--;
}

struct collection {
  uint64_t owner, *next, *end;
};

INLINE void collect_slot(void *context, const struct pairs *p, uint64_t *block, unsigned slot, uint64_t value, uint64_t pair) {
  struct collection *c = context;
  if (value >> (p->width + 1) != c->owner || c->next == c->end) return;
  *c->next++ = pair;
  set_slot(block, p->width + 1 + p->extra, slot, value & low_mask(p->width + 1));
}

size_t pairs_collect(struct pairs *p, uint64_t shard, uint64_t owner, uint64_t *out, size_t room) {
  struct collection c = {owner, out, out + room};
  visit(p, shard, collect_slot, &c);
  size_t n = (size_t)(c.next - out);
  for (uint64_t i = 0; i < p->spill.room && !shard && n < room; i++) /* those without a place belong to the first shard */
    if (p->spill.at[i].pair != PAIRS_FREE && p->spill.at[i].owner == owner) {
      out[n++] = p->spill.at[i].pair;
      p->spill.at[i].owner = 0;
    }
  return n;
}

INLINE int tell_all(struct pairs *p, struct pairs_spilled *list, int (*hear)(void *, uint64_t), void *context, int consume) {
  for (uint64_t i = p->shards; i-- > 0;) {
    size_t n = unpack(p, i, list);
    for (size_t k = 0; k < n; k++)
      if (hear(context, list[k].pair)) return -1;
    if (consume) region_resize(&p->region, i * p->shard_bytes + 16);
  }
  return 0;
}

static int tell_any(struct pairs *p, struct pairs_spilled *list, int (*hear)(void *, uint64_t), void *context, int consume) {
  return tell_all(p, list, hear, context, consume);
}
FAST static int tell_fast(struct pairs *p, struct pairs_spilled *list, int (*hear)(void *, uint64_t), void *context, int consume) {
  return tell_all(p, list, hear, context, consume);
}

int pairs_each(struct pairs *p, int (*hear)(void *, uint64_t pair), void *context, int consume) {
  if (p->broken) return -1;
  if (!p->shards) return 0;
  struct pairs_spilled *list = open_list(p);
  int status = list ? 0 : -1;
  for (uint64_t i = 0; i < p->spill.room && !status; i++)
    if (p->spill.at[i].pair != PAIRS_FREE) status = hear(context, p->spill.at[i].pair) ? -1 : 0;
  if (!status) status = (p->fast ? tell_fast : tell_any)(p, list, hear, context, consume);
  mem_free(p->region.mem, list);
  return status;
}

void pairs_open(struct pairs *p, struct mem *mem, unsigned extra, uint64_t hash_mask) {
  *p = (struct pairs){.extra = extra, .hash_mask = hash_mask ? hash_mask : UINT64_MAX};
  p->fast = bits_instructions();
  region_open(&p->region, mem, MEM_STORE);
}

size_t pairs_bytes(const struct pairs *p) { return p->region.held + p->spill.room * sizeof *p->spill.at; }

void pairs_close(struct pairs *p) {
  if (p->region.mem) mem_free(p->region.mem, p->spill.at);
  region_close(&p->region);
}
