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
 * Who puts his number in the place of another one notes that the other's state is not new.  So the first numbers of the parts follow from what is left in each, and records and final numbers are written by everybody.
 *
 * If the last parts of a round are not to count (somebody in the middle could not go on), their entries must go, and walks of others may have gone past them: the index is written again. */
#include "store/plain.h"

#include "base/crew.h"

#include <assert.h>

/* ---- entries, seen by several threads -------------------------------------------------- */

static inline __attribute__((always_inline)) uint64_t load_entry(uint8_t *index, unsigned entry, uint64_t slot) {
  if (entry == 4) return atomic_load_explicit((_Atomic uint32_t *)(void *)index + slot, memory_order_acquire);
  return atomic_load_explicit((_Atomic uint64_t *)(void *)index + slot, memory_order_acquire);
}

/* Is it `to` now? *from: what it was, or is. */
static inline __attribute__((always_inline)) int swap_entry(uint8_t *index, unsigned entry, uint64_t slot, uint64_t *from, uint64_t to) {
  if (entry == 4) {
    uint32_t was = (uint32_t)*from;
    int done = atomic_compare_exchange_strong_explicit((_Atomic uint32_t *)(void *)index + slot, &was, (uint32_t)to, memory_order_acq_rel, memory_order_acquire);
    *from = was;
    return done;
  }
  return atomic_compare_exchange_strong_explicit((_Atomic uint64_t *)(void *)index + slot, from, to, memory_order_acq_rel, memory_order_acquire);
}

/* ---- asking ------------------------------------------------------------------------------ */

/* The next huge pages of records, one at a time, are made ready while others ask: when a round is settled everybody would wait for that. */
static void make_ready(struct plain *s, const struct store_round *r, uint64_t more) {
  size_t from = (size_t)s->end * s->record / MEM_HUGE_PAGE * MEM_HUGE_PAGE + MEM_HUGE_PAGE, wanted = (size_t)(s->end + more) * s->record + MEM_HUGE_PAGE;
  if (s->ready < from) s->ready = from;
  if (s->ready < wanted && s->ready + MEM_HUGE_PAGE <= s->records.held && crew_send(r->crew, mem_make_ready, s->records.base + s->ready, MEM_HUGE_PAGE)) s->ready += MEM_HUGE_PAGE;
}

int plain_round_begin(struct store *base, struct store_round *r) {
  struct plain *s = (struct plain *)base;
  uint64_t more = (uint64_t)r->parts << r->room;
  if (plain_reserve(s, more)) return -1;
  make_ready(s, r, more);
  return 0;
}

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

/* Whether the state of a place is new: its own part says so first, and who takes its entry that it is not. */
static inline void set_answer(const struct store_round *r, uint64_t place, enum store_answer answer) {
  atomic_store_explicit((_Atomic uint8_t *)&r->part[place >> r->room].answer[place & bits_mask(r->room)], (uint8_t)answer, memory_order_relaxed);
}

static inline __attribute__((always_inline)) int same_words(enum shape shape, uint32_t record, const uint32_t *a, const uint32_t *b) {
  if (shape == SHAPE_64) return load64(a) == load64(b);
  if (shape == SHAPE_128) return load64(a) == load64(b) && load64(a + 2) == load64(b + 2);
  return memcmp(a, b, record) == 0;
}

/* What the loops below ask of the store again and again; nothing of it changes while a round is asked. */
struct asking {
  uint8_t *index;
  const uint8_t *records;
  uint64_t slots, spare, tag_mask, number_mask, last_mask;
  uint32_t record;
  unsigned number_bits;
};

static inline struct asking asking(const struct plain *s) {
  return (struct asking){s->index.base, s->records.base, s->slots, first_spare(s), s->tag_mask, bits_mask(s->number_bits), s->last_mask, s->record, s->number_bits};
}

static inline __attribute__((always_inline)) uint64_t after(const struct asking *a, uint64_t slot) { return slot + 1 == a->slots ? 0 : slot + 1; }

static inline __attribute__((always_inline)) int same_record(const struct asking *a, enum shape shape, uint64_t number, const uint32_t *state) {
  const uint8_t *r = a->records + number * a->record;
  if (shape == SHAPE_64) return (load64(r) & a->last_mask) == load64(state);
  if (shape == SHAPE_128) return load64(r) == load64(state) && (load64(r + 8) & a->last_mask) == load64(state + 2);
  return memcmp(r, state, a->record) == 0;
}

/* Walks to the first entry worth comparing, or to the free one, and fetches its record. */
static inline __attribute__((always_inline)) uint64_t approach(const struct asking *a, unsigned entry, uint64_t hash) {
  uint64_t at = hash_slot(hash, a->slots), tag = hash & a->tag_mask, x;
  while ((x = load_entry(a->index, entry, at))) {
    if (x >> a->number_bits == tag) {
      uint64_t number = x & a->number_mask;
      if (number < a->spare) __builtin_prefetch(a->records + (number - 1) * a->record);
      break;
    }
    at = after(a, at);
  }
  return at;
}

/* From *slot on: is the state there, or one of the round that stands before `place`? Otherwise *slot is where that shows, and *seen what stands there. */
static inline __attribute__((always_inline)) int known(const struct asking *a, enum shape shape, unsigned entry, const struct store_round *r, const uint32_t *state, uint64_t hash, uint64_t place,
                                                       uint64_t *slot, uint64_t *seen) {
  uint64_t at = *slot, tag = hash & a->tag_mask, x;
  for (; (x = load_entry(a->index, entry, at)); at = after(a, at)) {
    if (x >> a->number_bits != tag) continue;
    uint64_t number = x & a->number_mask;
    if (number < a->spare) {
      if (number && same_record(a, shape, number - 1, state)) return 1;
    } else if (same_words(shape, a->record, of_round(r, number - a->spare), state)) {
      if (number < a->spare + place) return 1;
      break;
    }
  }
  *slot = at;
  *seen = x;
  return 0;
}

static inline __attribute__((always_inline)) size_t ask(struct plain *s, enum shape shape, unsigned entry, const struct store_round *r, size_t part, struct store_batch *b) {
  struct store_part *p = &r->part[part];
  struct asking a = asking(s);
  for (size_t i = 0; i < b->count; i++) {
    uint64_t h = b->hash[i] = hash_state(s, shape, b->states + i * b->stride);
    __builtin_prefetch(a.index + hash_slot(h, a.slots) * entry);
  }
  for (size_t i = 0; i < b->count; i++) b->ref[i] = approach(&a, entry, b->hash[i]);
  for (size_t i = 0; i < b->count; i++) {
    const uint32_t *state = b->states + i * b->stride;
    uint64_t slot = b->ref[i], place = (uint64_t)part << r->room | p->count, seen;
    int there = known(&a, shape, entry, r, state, b->hash[i], place, &slot, &seen);
    if (!there) {
      if (p->count >> r->room) return i;
      memcpy(p->states + p->count * p->stride, state, p->stride * sizeof *state); /* before its number can be seen */
      set_answer(r, place, STORE_NEW);
      uint64_t mine = (b->hash[i] & a.tag_mask) << a.number_bits | (a.spare + place);
      while (!there && !swap_entry(a.index, entry, slot, &seen, mine)) there = known(&a, shape, entry, r, state, b->hash[i], place, &slot, &seen);
      if (!there && seen) set_answer(r, (seen & a.number_mask) - a.spare, STORE_SEEN);
    }
    b->answer[i] = there ? STORE_SEEN : STORE_NEW;
    b->ref[i] = p->count;
    if (there) continue;
    p->scratch[p->count++] = slot;
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
  _Atomic uint64_t fresh;
};

static uint64_t count_new(const struct store_part *p) {
  uint64_t fresh = 0;
  for (size_t k = 0; k < p->count; k++) fresh += p->answer[k] == STORE_NEW;
  return fresh;
}

/* p->ref[0] is the number of the first new state. Returns how many there are. */
static uint64_t number_part(struct settling *t, size_t part) {
  struct plain *s = t->s;
  struct store_part *p = &t->r->part[part];
  uint64_t first = p->count ? p->ref[0] : 0, number = first, keep = ~bits_mask(s->number_bits);
  for (size_t k = 0; k < p->count; k++) {
    p->ref[k] = STORE_NONE;
    if (p->answer[k] != STORE_NEW) continue;
    if (k + AHEAD < p->count) __builtin_prefetch(s->index.base + p->scratch[k + AHEAD] * s->entry, 1);
    uint64_t slot = p->scratch[k], x = (entry_at(s, s->entry, slot) & keep) | (number + 1);
    memcpy(s->index.base + slot * s->entry, &x, s->entry);
    write_record(s, number, p->states + k * p->stride);
    p->ref[k] = number++;
  }
  return number - first;
}

static void number_parts(void *context, unsigned worker) {
  struct settling *t = context;
  (void)worker;
  uint64_t fresh = 0;
  for (size_t i; (i = crew_next(&t->next, t->parts)) < t->parts;) fresh += number_part(t, i);
  atomic_fetch_add_explicit(&t->fresh, fresh, memory_order_relaxed);
}

int plain_round_settle(struct store *base, const struct store_round *r, size_t parts) {
  const struct plain *s = (const struct plain *)base;
  uint64_t end = s->end;
  for (size_t i = 0; i < parts; i++) {
    if (r->part[i].count) r->part[i].ref[0] = end;
    end += count_new(&r->part[i]);
  }
  assert(end <= s->record_room);
  return 0;
}

void plain_round_finish(struct store *base, const struct store_round *r, size_t parts, void (*meanwhile)(void *), void *context) {
  struct plain *s = (struct plain *)base;
  struct settling t = {.s = s, .r = r, .parts = parts};
  size_t none = 0;
  crew_begin(r->crew, number_parts, &t);
  if (meanwhile) meanwhile(context);
  crew_end(r->crew);
  s->end += atomic_load(&t.fresh);
  for (size_t i = parts; i < r->parts; i++) none += r->part[i].count;
  if (none) plain_enter_all(s);
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
    size_t from = i * MEM_HUGE_PAGE, to = from + MEM_HUGE_PAGE < t->bytes ? from + MEM_HUGE_PAGE : t->bytes; /* no page by two: each would have the system clear one */
    memset(t->s->index.base + from, 0, to - from);
  }
}

static inline __attribute__((always_inline)) void enter(struct plain *s, unsigned entry, uint64_t hash, uint64_t number) {
  uint64_t slot = hash_slot(hash, s->slots), x = 0, mine = (hash & s->tag_mask) << s->number_bits | (number + 1);
  while (!swap_entry(s->index.base, entry, slot, &x, mine)) {
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
  struct entering t = {.s = s, .shares = (s->index.size + MEM_HUGE_PAGE - 1) / MEM_HUGE_PAGE, .bytes = s->index.size};
  assert(!s->holes);
  crew_run(s->base.crew, clear_index, &t);
  t.shares = (size_t)((s->end + SHARE - 1) / SHARE);
  atomic_store(&t.next, 0);
  crew_run(s->base.crew, enter_shares, &t);
}
