/* plain_round.c -- the plain store asked by several threads: no locks, and the same numbers whoever comes first.
 *
 * While a round is asked, records do not change.  A state that is not there is copied into its part and enters the index with a number beyond those of all states, which tells where in the
 * round it stands:
 *
 *   entry  | tag | first spare number + (part << room | place in the part) |
 *
 * by one compare-and-swap on a free entry.  Who meets an equal state of the round on the way leaves it alone if that one stands earlier, or else puts his own number in its place: the smallest
 * wins, in whatever order they come.  Since entries never move during a round, equal states always meet.
 *
 * Then everybody counts what is left of his parts (the entry still has his number), the first numbers of the parts follow from the counts, and records and final numbers are written.
 *
 * If the last parts of a round are not to count (somebody in the middle could not go on), their entries must go, and walks of others may have gone past them: the index is written again. */
#include "store/plain.h"

#include "base/crew.h"

#include <assert.h>

/* ---- entries, seen by several threads -------------------------------------------------- */

static inline __attribute__((always_inline)) uint64_t load_entry(const struct plain *s, unsigned entry, uint64_t slot) {
  if (entry == 4) return atomic_load_explicit((_Atomic uint32_t *)(void *)s->index.base + slot, memory_order_acquire);
  return atomic_load_explicit((_Atomic uint64_t *)(void *)s->index.base + slot, memory_order_acquire);
}

/* Is it `to` now? *from: what it was, or is. */
static inline __attribute__((always_inline)) int swap_entry(struct plain *s, unsigned entry, uint64_t slot, uint64_t *from, uint64_t to) {
  if (entry == 4) {
    uint32_t was = (uint32_t)*from;
    int done = atomic_compare_exchange_strong_explicit((_Atomic uint32_t *)(void *)s->index.base + slot, &was, (uint32_t)to, memory_order_acq_rel, memory_order_acquire);
    *from = was;
    return done;
  }
  return atomic_compare_exchange_strong_explicit((_Atomic uint64_t *)(void *)s->index.base + slot, from, to, memory_order_acq_rel, memory_order_acquire);
}

/* ---- asking ------------------------------------------------------------------------------ */

int plain_round_begin(struct store *base, const struct store_round *r) { return plain_reserve((struct plain *)base, (uint64_t)r->parts << r->room); }

int plain_round_peek(struct store *base, unsigned worker, store_ref ref, uint32_t *state, uint32_t *trail) {
  (void)worker, (void)trail;
  read_record((struct plain *)base, ref, state);
  return 0;
}

/* What a number in the index means while a round is asked: 1 .. end are records. */
static inline uint64_t first_spare(const struct plain *s) { return s->end + 1; }

static inline const uint32_t *of_round(const struct store_round *r, uint64_t place) {
  const struct store_part *p = &r->part[place >> r->room];
  return p->states + (place & bits_mask(r->room)) * p->stride;
}

static inline __attribute__((always_inline)) int same_words(enum shape shape, uint32_t record, const uint32_t *a, const uint32_t *b) {
  if (shape == SHAPE_64) return load64(a) == load64(b);
  if (shape == SHAPE_128) return load64(a) == load64(b) && load64(a + 2) == load64(b + 2);
  return memcmp(a, b, record) == 0;
}

static inline __attribute__((always_inline)) uint64_t approach(const struct plain *s, unsigned entry, uint64_t hash) {
  uint64_t at = hash_slot(hash, s->slots), tag = hash & s->tag_mask, x;
  while ((x = load_entry(s, entry, at))) {
    if (x >> s->number_bits == tag) {
      uint64_t number = x & bits_mask(s->number_bits);
      if (number < first_spare(s)) __builtin_prefetch(s->records.base + (number - 1) * s->record);
      break;
    }
    at = next_slot(s, at);
  }
  return at;
}

/* From `slot` on: is the state there, or one of the round that stands before `place`? Otherwise it enters as `place`, whose words are there to be seen, and *slot is where. */
static inline __attribute__((always_inline)) int known(struct plain *s, enum shape shape, unsigned entry, const struct store_round *r, const uint32_t *state, uint64_t hash, uint64_t place,
                                                       uint64_t *slot) {
  uint64_t at = *slot, tag = hash & s->tag_mask, mask = bits_mask(s->number_bits), mine = tag << s->number_bits | (first_spare(s) + place);
  for (uint64_t x = load_entry(s, entry, at);;) {
    if (!x) {
      if (!swap_entry(s, entry, at, &x, mine)) continue;
      *slot = at;
      return 0;
    }
    if (x >> s->number_bits == tag) {
      uint64_t number = x & mask;
      if (number < first_spare(s)) {
        if (number && same(s, shape, number - 1, state)) return 1;
      } else if (same_words(shape, s->record, of_round(r, number - first_spare(s)), state)) {
        if (number < first_spare(s) + place) return 1;
        if (!swap_entry(s, entry, at, &x, mine)) continue;
        *slot = at;
        return 0;
      }
    }
    at = next_slot(s, at);
    x = load_entry(s, entry, at);
  }
}

static inline __attribute__((always_inline)) size_t ask(struct plain *s, enum shape shape, unsigned entry, const struct store_round *r, size_t part, struct store_batch *b) {
  struct store_part *p = &r->part[part];
  for (size_t i = 0; i < b->count; i++) {
    uint64_t h = b->hash[i] = hash_state(s, shape, b->states + i * b->stride);
    __builtin_prefetch(s->index.base + hash_slot(h, s->slots) * entry);
  }
  for (size_t i = 0; i < b->count; i++) b->ref[i] = approach(s, entry, b->hash[i]);
  for (size_t i = 0; i < b->count; i++) {
    const uint32_t *state = b->states + i * b->stride;
    uint64_t slot = b->ref[i];
    if (p->count >> r->room) return i;
    memcpy(p->states + p->count * p->stride, state, p->stride * sizeof *state);
    int there = known(s, shape, entry, r, state, b->hash[i], (uint64_t)part << r->room | p->count, &slot);
    b->answer[i] = there ? STORE_SEEN : STORE_NEW;
    b->ref[i] = p->count;
    p->scratch[p->count] = slot;
    p->count += !there;
  }
  return b->count;
}

size_t plain_round_ask(struct store *base, const struct store_round *r, size_t part, unsigned worker, struct store_batch *b) {
  struct plain *s = (struct plain *)base;
  (void)worker;
  switch (s->shape * 16 + s->entry) {
  case SHAPE_64 * 16 + 4: return ask(s, SHAPE_64, 4, r, part, b);
  case SHAPE_128 * 16 + 4: return ask(s, SHAPE_128, 4, r, part, b);
  case SHAPE_ANY * 16 + 4: return ask(s, SHAPE_ANY, 4, r, part, b);
  default: return ask(s, s->shape, 8, r, part, b);
  }
}

/* ---- settling ------------------------------------------------------------------------------ */

struct settling {
  struct plain *s;
  const struct store_round *r;
  size_t parts;
  atomic_size_t next;
};

/* Which places of a part still have their entries. p->ref[0] of a part that has any place is how many: the numbers come later. */
static void count_part(struct settling *t, size_t part) {
  struct plain *s = t->s;
  struct store_part *p = &t->r->part[part];
  uint64_t mask = bits_mask(s->number_bits), first = first_spare(s) + ((uint64_t)part << t->r->room), fresh = 0;
  for (size_t k = 0; k < p->count; k++) {
    int mine = (entry_at(s, s->entry, p->scratch[k]) & mask) == first + k;
    p->answer[k] = mine ? STORE_NEW : STORE_SEEN;
    fresh += (unsigned)mine;
  }
  if (p->count) p->ref[0] = fresh;
}

/* p->ref[0] is the number of the first new state. */
static void number_part(struct settling *t, size_t part) {
  struct plain *s = t->s;
  struct store_part *p = &t->r->part[part];
  uint64_t number = p->count ? p->ref[0] : 0, keep = ~bits_mask(s->number_bits);
  for (size_t k = 0; k < p->count; k++) {
    p->ref[k] = STORE_NONE;
    if (p->answer[k] != STORE_NEW) continue;
    uint64_t slot = p->scratch[k], x = (entry_at(s, s->entry, slot) & keep) | (number + 1);
    memcpy(s->index.base + slot * s->entry, &x, s->entry);
    write_record(s, number, p->states + k * p->stride);
    p->ref[k] = number++;
  }
}

static void count_parts(void *context, unsigned worker) {
  struct settling *t = context;
  (void)worker;
  for (size_t i; (i = crew_next(&t->next, t->parts)) < t->parts;) count_part(t, i);
}

static void number_parts(void *context, unsigned worker) {
  struct settling *t = context;
  (void)worker;
  for (size_t i; (i = crew_next(&t->next, t->parts)) < t->parts;) number_part(t, i);
}

int plain_round_settle(struct store *base, const struct store_round *r, size_t parts) {
  struct plain *s = (struct plain *)base;
  struct settling t = {.s = s, .r = r, .parts = parts};
  uint64_t end = s->end;
  size_t none = 0;
  crew_run(r->crew, count_parts, &t);
  for (size_t i = 0; i < parts; i++) {
    if (!r->part[i].count) continue;
    uint64_t fresh = r->part[i].ref[0];
    r->part[i].ref[0] = end;
    end += fresh;
  }
  assert(end <= s->record_room);
  atomic_store(&t.next, 0);
  crew_run(r->crew, number_parts, &t);
  s->end = end;
  for (size_t i = parts; i < r->parts; i++) none += r->part[i].count;
  if (none) plain_enter_all(s);
  return 0;
}

/* ---- the whole index, by everybody ------------------------------------------------------------ */

enum { SHARE = 1 << 14 };

struct entering {
  struct plain *s;
  atomic_size_t next;
  size_t shares, bytes;
};

static void clear_index(void *context, unsigned worker) {
  struct entering *t = context;
  (void)worker;
  for (size_t i; (i = crew_next(&t->next, t->shares)) < t->shares;) {
    size_t from = t->bytes / t->shares * i, to = i + 1 == t->shares ? t->bytes : t->bytes / t->shares * (i + 1);
    memset(t->s->index.base + from, 0, to - from);
  }
}

static inline __attribute__((always_inline)) void enter(struct plain *s, unsigned entry, uint64_t hash, uint64_t number) {
  uint64_t slot = hash_slot(hash, s->slots), x = 0, mine = (hash & s->tag_mask) << s->number_bits | (number + 1);
  while (!swap_entry(s, entry, slot, &x, mine)) {
    slot = next_slot(s, slot);
    x = 0;
  }
}

static inline __attribute__((always_inline)) void enter_some(struct plain *s, enum shape shape, unsigned entry, uint64_t from, uint64_t to) {
  uint64_t hash[AHEAD];
  for (uint64_t n = from; n < to + AHEAD; n++) {
    if (n >= from + AHEAD) enter(s, entry, hash[n % AHEAD], n - AHEAD);
    if (n >= to) continue;
    uint64_t h = hash[n % AHEAD] = hash_record(s, shape, n);
    __builtin_prefetch(s->index.base + hash_slot(h, s->slots) * entry, 1);
  }
}

static void enter_shares(void *context, unsigned worker) {
  struct entering *t = context;
  struct plain *s = t->s;
  (void)worker;
  for (size_t i; (i = crew_next(&t->next, t->shares)) < t->shares;) {
    uint64_t from = (uint64_t)i * SHARE, to = from + SHARE < s->end ? from + SHARE : s->end;
    switch (s->shape * 16 + s->entry) {
    case SHAPE_64 * 16 + 4: enter_some(s, SHAPE_64, 4, from, to); break;
    case SHAPE_128 * 16 + 4: enter_some(s, SHAPE_128, 4, from, to); break;
    case SHAPE_ANY * 16 + 4: enter_some(s, SHAPE_ANY, 4, from, to); break;
    default: enter_some(s, s->shape, 8, from, to);
    }
  }
}

void plain_enter_all_together(struct plain *s) {
  struct entering t = {.s = s, .shares = 64, .bytes = s->index.size};
  assert(!s->holes);
  crew_run(s->base.crew, clear_index, &t);
  t.shares = (size_t)((s->end + SHARE - 1) / SHARE);
  atomic_store(&t.next, 0);
  crew_run(s->base.crew, enter_shares, &t);
}
