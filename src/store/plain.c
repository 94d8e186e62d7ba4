/* plain.c -- every state in full, bit for bit.
 *
 * Two arrays, both of which grow in place:
 *
 *   records  | state 0 | state 1 | state 2 | ...   in order of discovery, each rounded up to
 *            whole bytes: a 39-bit state takes 5 bytes and nothing for pointers, load factor
 *            or queue links.  A breadth-first frontier is simply the tail of this array.
 *   index    open addressing, linear probing, entries of 4 bytes (5 and 6 beyond 2^27 and 2^35
 *            states):
 *
 *              | tag: low hash bits | number + 1 |      0 = free
 *
 *            The number takes as many bits as the present size needs, the tag all others: a probe
 *            that passes a foreign entry compares records in one of 2^tag cases only.
 *
 * The slot is the high half of hash * slots, so the size of the index need not be a power of
 * two: it grows by half under records of up to 8 bytes (load 0.58 to 0.875, 4.6 to 6.9 bytes per
 * state) and by a quarter under longer ones (0.7 to 0.875, 4.6 to 5.7), and by less when the budget
 * is nearly used up.  Growing clears the index and enters all records again in order: reads are
 * sequential, writes are prefetched.  Always growing by a quarter was 15 % slower.
 *
 * A batch is answered in three passes, so that the memory latencies of all its states overlap:
 * hash all and prefetch their index lines; walk the index to the first entry with an equal tag
 * and prefetch its record; compare and insert.
 *
 * When there are many states of up to 31 bits they get a better index, which tells them apart without
 * looking at records: quotient.h.  Up to some millions it would win nothing, beyond that it is 15 to
 * 35 % faster for 2 bytes per state more.  It is given up when the budget ends (the other one packs
 * tighter) or if it cannot keep its entries near home.
 *
 * What is forgotten leaves a hole among the records, of which a map of bits knows, and in the index an entry without a number, unless a free entry follows: walks go on behind it.  Holes
 * are filled when there are many of them (finding one is then a matter of a few words) or when records cannot grow; the index is written again when entries without
 * numbers fill it.  Moving the entries behind up instead would have to hash the record of each.  The index of short states is given up: sets that shrink are not that large.
 *
 * Records of up to 64 and 128 bits have their own copies of the loops (always_inline with
 * constant arguments), where a comparison is one or two loads. */
#include "store/plain.h"

#include <assert.h>

static void set_shape(struct plain *s, uint32_t words, uint32_t bits) {
  s->words = words;
  s->bits = bits;
  s->record = bits ? (bits + 7) / 8 : 1;
  s->shape = s->record <= 8 ? SHAPE_64 : s->record <= 16 ? SHAPE_128 : SHAPE_ANY;
  unsigned last = s->record <= 8 ? s->record : s->record - 8;
  s->last_mask = bits_mask(last * 8);
}

/* Are holes filled before records are added? */
static int fill_holes(const struct plain *s) {
  return s->holes > s->end / HOLES || (s->holes && (s->end == s->record_room || s->end + 1 >= bits_mask(s->number_bits)));
}

/* Room for `more` records, generously if the budget allows, tightly if not. */
static int reserve_records(struct plain *s, uint64_t more) {
  if (s->end + more <= s->record_room || (s->end <= s->record_room && s->holes > s->end / HOLES && s->holes - s->end / HOLES >= more)) return 0;
  uint64_t need = s->end + more, want = need + need / 8 + FIRST_BYTES / s->record; /* few states take a page each for records and index */
  while (region_resize(&s->records, want * s->record + SLACK)) {
    if (want == need) return -1;
    want = need + (want - need) / 2;
  }
  s->record_room = (s->records.held - SLACK) / s->record;
  s->records.size = s->records.held;
  return 0;
}

/* ---- the index --------------------------------------------------------------------- */

enum { TOGETHER = 1 << 16 }; /* records that are worth several threads */

/* Entry size and split into tag and number for an index that will hold up to `states`. */
static void set_entry_shape(struct plain *s, uint64_t states) {
  s->number_bits = bits_for(states + 1 + s->spare);
  s->entry = s->number_bits <= 27 ? 4 : s->number_bits <= 35 ? 5 : 6;
  if (s->spare) s->entry = s->number_bits <= 28 ? 4 : 8; /* written by several threads: whole words */
  if (s->entry < s->entry_min) s->entry = s->entry_min;
  s->tag_mask = bits_mask(s->entry * 8 - s->number_bits);
}

/* All records enter an empty index. */
static inline __attribute__((always_inline)) void enter_all(struct plain *s, enum shape shape, unsigned entry) {
  uint64_t hash[AHEAD];
  for (uint64_t n = 0; n < s->end + AHEAD; n++) {
    if (n >= AHEAD && !is_gone(s, n - AHEAD)) { /* enter the record whose slot was prefetched AHEAD steps ago */
      uint64_t h = hash[n % AHEAD], slot = hash_slot(h, s->slots);
      while (entry_at(s, entry, slot)) slot = next_slot(s, slot);
      set_entry(s, entry, slot, h, n - AHEAD);
    }
    if (n < s->end) {
      uint64_t h = hash[n % AHEAD] = hash_record(s, shape, n);
      __builtin_prefetch(s->index.base + hash_slot(h, s->slots) * entry, 1);
    }
  }
}

static void enter_all_records(struct plain *s) {
  s->blank = 0;
  if (s->base.crew && s->spare && !s->holes && s->end >= TOGETHER) {
    plain_enter_all_together(s);
    return;
  }
  region_clear(&s->index);
  switch (s->shape * 8 + s->entry) {
  case SHAPE_64 * 8 + 4: enter_all(s, SHAPE_64, 4); break;
  case SHAPE_128 * 8 + 4: enter_all(s, SHAPE_128, 4); break;
  case SHAPE_ANY * 8 + 4: enter_all(s, SHAPE_ANY, 4); break;
  default: enter_all(s, s->shape, s->entry);
  }
}

/* An index of `slots` entries with everything entered again. -1: refused, nothing changed. */
static int set_slots(struct plain *s, uint64_t slots) {
  struct plain before = *s;
  uint64_t limit = slots - slots / 8;
  set_entry_shape(s, slots);
  if (region_resize(&s->index, slots * s->entry + SLACK)) {
    s->number_bits = before.number_bits;
    s->entry = before.entry;
    s->tag_mask = before.tag_mask;
    return -1;
  }
  s->slots = slots;
  s->limit = limit;
  enter_all_records(s);
  s->stats->store_grows++;
  return 0;
}

/* ---- the index of short states ------------------------------------------------------ */

static inline uint64_t short_record(const struct plain *s, uint64_t number) {
  return load64(s->records.base + number * s->record) & s->last_mask;
}

static inline __attribute__((always_inline)) int quotient_enter_all(struct plain *s, unsigned entry) {
  uint64_t hash[AHEAD];
  for (uint64_t n = 0; n < s->end + AHEAD; n++) {
    if (n >= AHEAD) {
      struct quotient_place p = quotient_look(&s->q, entry, s->index.base, hash[n % AHEAD]);
      if (!p.at) return 1;
      quotient_enter(&s->q, entry, p, n - AHEAD);
    }
    if (n < s->end) {
      uint64_t h = hash[n % AHEAD] = quotient_hash(&s->q, short_record(s, n));
      __builtin_prefetch(s->index.base + quotient_home(&s->q, h) * QUOTIENT_LINE, 1);
    }
  }
  return 0;
}

/* A table of so many buckets with everything entered again. 0; -1: refused, nothing changed; 1: it cannot hold them. */
static int set_buckets(struct plain *s, uint64_t buckets) {
  struct quotient q;
  if (quotient_shape(&q, s->bits, buckets)) return 1;
  if (region_resize(&s->index, buckets * QUOTIENT_LINE)) return -1;
  s->q = q;
  s->quotiented = 1;
  s->stats->store_grows++;
  region_clear(&s->index);
  return q.entry == 4 ? quotient_enter_all(s, 4) : quotient_enter_all(s, 5);
}

/* To the index that compares. Where no larger one can be had it takes the room of the present one, which is enough: a bucket
 * of 64 bytes has at most 15 states of up to 23 bits (entries of 4 bytes) or 11 of longer ones (at most 5). */
static void set_comparing(struct plain *s) {
  uint64_t slots = s->quotiented ? s->end + s->end / 2 + FIRST_SLOTS : s->slots;
  int was_quotiented = s->quotiented;
  s->quotiented = 0;
  if (set_slots(s, slots) == 0) return;
  assert(was_quotiented);
  unsigned entry = s->index.size / 4 < ((uint64_t)1 << 27) - 2 ? 4 : 5;
  int status = set_slots(s, (s->index.size - SLACK) / entry);
  assert(status == 0 && s->slots > s->end);
  (void)status;
  (void)was_quotiented;
}

static uint64_t more_buckets(uint64_t buckets, unsigned parts) { return buckets + buckets / parts + 1; }

static int worth_quotient(const struct plain *s) {
  return s->may_quotient && s->bits && s->bits <= QUOTIENT_BITS && s->end >= s->quotient_from;
}

/* To the index of short states; stays with the other one where that cannot be. */
static void try_quotient(struct plain *s) {
  uint64_t per = s->bits <= 23 ? 16 : 12, buckets = s->end / per * 3 / 2 + FIRST_SLOTS / 16;
  int status;
  while ((status = set_buckets(s, buckets)) > 0 && buckets < s->end + FIRST_SLOTS) buckets = more_buckets(buckets, 4);
  if (status == 0) return;
  s->may_quotient = 0;
  if (s->quotiented) set_comparing(s);
}

/* The index for states of the present width, with all entered. 0, or -1: refused. */
static int choose_index(struct plain *s) {
  if (!s->index.held) return set_slots(s, FIRST_SLOTS);
  set_comparing(s);
  if (worth_quotient(s)) try_quotient(s);
  return 0;
}

/* A larger index of short states; back to the other one, which packs tighter, when the budget refuses that. */
static void grow_quotient(struct plain *s) {
  unsigned parts = s->q.buckets < (1 << 14) ? 1 : s->q.entry == 4 ? 2 : 4;
  if (set_buckets(s, more_buckets(s->q.buckets, parts)) == 0) return;
  s->may_quotient = 0;
  set_comparing(s);
}

/* A larger comparing index; when the budget refuses, the present one may be filled to 31/32. 0, or -1: refused. */
static int grow_comparing(struct plain *s) {
  unsigned parts = s->slots < (1 << 18) ? 1 : s->record <= 8 ? 2 : 4;
  for (; parts <= 16; parts *= 2)
    if (set_slots(s, s->slots + s->slots / parts) == 0) return 0;
  uint64_t most = s->slots - s->slots / 32;
  if (s->limit < most) s->limit = most;
  return -1;
}

static uint64_t index_limit(const struct plain *s) { return s->quotiented ? s->q.limit : s->limit; }

/* Makes the index ready for `more` states. Returns how many of them may be entered. */
static uint64_t reserve_index(struct plain *s, uint64_t more) {
  while (live(s) + s->blank + more > index_limit(s)) {
    if (s->quotiented) grow_quotient(s);
    else if (worth_quotient(s)) try_quotient(s);
    else if (s->blank > s->slots / 4 || (s->blank && live(s) + more + s->slots / 16 <= s->limit)) enter_all_records(s);
    else if (grow_comparing(s)) {
      if (s->blank) enter_all_records(s);
      break;
    }
  }
  uint64_t limit = index_limit(s), used = live(s) + s->blank, left = limit > used ? limit - used : 0;
  return left < more ? left : more;
}

int plain_reserve(struct plain *s, uint64_t more) {
  s->may_quotient = 0;
  if (s->spare < more) { /* entries of another shape */
    uint64_t before = s->spare;
    s->spare = more;
    if (s->quotiented) set_comparing(s);
    else if (set_slots(s, s->slots)) {
      s->spare = before;
      return -1;
    }
  }
  return s->holes || reserve_index(s, more) < more || reserve_records(s, more) ? -1 : 0;
}

void plain_enter_all(struct plain *s) { enter_all_records(s); }

/* ---- asking ------------------------------------------------------------------------ */

enum { PUT, FIND };

/* From `slot` on: the number of the state, or STORE_NONE with *slot at the free entry. */
static inline __attribute__((always_inline)) store_ref look(struct plain *s, enum shape shape, unsigned entry, int asking,
                                                            const uint32_t *state, uint64_t hash, uint64_t *slot) {
  uint64_t at = *slot, tag = hash & s->tag_mask, number_mask = bits_mask(s->number_bits), x;
  while ((x = entry_at(s, entry, at))) {
    if (x >> s->number_bits == tag) {
      uint64_t number = (x & number_mask) - 1;
      if (asking == PUT) s->stats->store_compares++; /* several threads may find at once */
      if (number != STORE_NONE && same(s, shape, number, state)) {
        *slot = at;
        return number;
      }
    }
    at = next_slot(s, at);
  }
  *slot = at;
  return STORE_NONE;
}

/* Walks to the first entry worth comparing, or to the free one, and fetches its record. */
static inline __attribute__((always_inline)) uint64_t approach(struct plain *s, unsigned entry, uint64_t hash) {
  uint64_t at = hash_slot(hash, s->slots), tag = hash & s->tag_mask, number_mask = bits_mask(s->number_bits), x;
  while ((x = entry_at(s, entry, at))) {
    if (x >> s->number_bits == tag) {
      __builtin_prefetch(s->records.base + ((x & number_mask) - 1) * s->record);
      break;
    }
    at = next_slot(s, at);
  }
  return at;
}

/* The next hole; there is one. */
static uint64_t take_hole(struct plain *s) {
  uint64_t n, bytes = s->end / 8 + 1 < s->gone_bytes ? s->end / 8 + 1 : s->gone_bytes;
  for (uint64_t i = s->filled / 8;; i = i + 1 < bytes ? i + 1 : 0) {
    uint8_t byte = s->gone[i];
    if (!byte) continue;
    n = i * 8 + (uint64_t)__builtin_ctz(byte);
    s->gone[i] = (uint8_t)(byte & (byte - 1));
    s->holes--;
    s->filled = n;
    return n;
  }
}

/* Where the record of a new state goes. */
static inline __attribute__((always_inline)) uint64_t next_record(struct plain *s) {
  return __builtin_expect(s->holes > 0, 0) && fill_holes(s) ? take_hole(s) : s->end++;
}

static inline __attribute__((always_inline)) size_t ask(struct plain *s, enum shape shape, unsigned entry, int asking,
                                                        struct store_batch *b, size_t from, uint64_t room) {
  for (size_t i = from; i < b->count; i++) {
    uint64_t h = b->hash[i] = hash_state(s, shape, b->states + i * b->stride);
    __builtin_prefetch(s->index.base + hash_slot(h, s->slots) * entry);
  }
  for (size_t i = from; i < b->count; i++) b->ref[i] = approach(s, entry, b->hash[i]);
  for (size_t i = from; i < b->count; i++) {
    const uint32_t *state = b->states + i * b->stride;
    uint64_t slot = b->ref[i];
    store_ref number = look(s, shape, entry, asking, state, b->hash[i], &slot);
    b->answer[i] = number == STORE_NONE ? STORE_NEW : STORE_SEEN;
    b->ref[i] = number;
    if (asking == PUT && number == STORE_NONE) {
      if (!room) {
        b->answer[i] = STORE_FULL;
        return i;
      }
      room--;
      b->ref[i] = next_record(s);
      set_entry(s, entry, slot, b->hash[i], b->ref[i]);
      write_record(s, b->ref[i], state);
    }
  }
  return b->count;
}

/* The same with the index of short states: one cache line per question. */
static inline __attribute__((always_inline)) size_t ask_short(struct plain *s, unsigned entry, int asking, struct store_batch *b,
                                                              size_t from, uint64_t room) {
  for (size_t i = from; i < b->count; i++) {
    uint64_t h = b->hash[i] = quotient_hash(&s->q, load64(b->states + i * b->stride));
    __builtin_prefetch(s->index.base + quotient_home(&s->q, h) * QUOTIENT_LINE);
  }
  for (size_t i = from; i < b->count; i++) {
    struct quotient_place p = quotient_look(&s->q, entry, s->index.base, b->hash[i]);
    b->answer[i] = p.number == STORE_NONE ? STORE_NEW : STORE_SEEN;
    b->ref[i] = p.number;
    if (asking == FIND || p.number != STORE_NONE) continue;
    if (!room || !p.at) {
      b->answer[i] = STORE_FULL; /* or too far from home: the caller knows */
      return i;
    }
    room--;
    b->ref[i] = s->end++;
    quotient_enter(&s->q, entry, p, b->ref[i]);
    write_record(s, b->ref[i], b->states + i * b->stride);
  }
  return b->count;
}

static size_t ask_shaped(struct plain *s, int asking, struct store_batch *b, size_t from, uint64_t room) {
  if (s->quotiented) {
    switch (s->q.entry * 2 + (unsigned)asking) {
    case 4 * 2 + PUT: return ask_short(s, 4, PUT, b, from, room);
    case 5 * 2 + PUT: return ask_short(s, 5, PUT, b, from, room);
    case 4 * 2 + FIND: return ask_short(s, 4, FIND, b, from, room);
    default: return ask_short(s, 5, FIND, b, from, room);
    }
  }
  switch ((s->shape * 8 + s->entry) * 2 + asking) {
  case (SHAPE_64 * 8 + 4) * 2 + PUT: return ask(s, SHAPE_64, 4, PUT, b, from, room);
  case (SHAPE_128 * 8 + 4) * 2 + PUT: return ask(s, SHAPE_128, 4, PUT, b, from, room);
  case (SHAPE_ANY * 8 + 4) * 2 + PUT: return ask(s, SHAPE_ANY, 4, PUT, b, from, room);
  case (SHAPE_64 * 8 + 5) * 2 + PUT: return ask(s, SHAPE_64, 5, PUT, b, from, room);
  default: return ask(s, s->shape, s->entry, asking, b, from, room);
  }
}

static size_t plain_put_batch(struct store *base, struct store_batch *b, size_t from) {
  struct plain *s = (struct plain *)base;
  uint64_t more = b->count - from, room;
  room = reserve_index(s, more);
  if (reserve_records(s, more)) {
    uint64_t left = s->record_room - live(s);
    if (left < room) room = left;
  }
  uint64_t before = s->end;
  size_t done = ask_shaped(s, PUT, b, from, room);
  if (done == b->count || !s->quotiented || s->end - before == room) return done;
  /* There was room, but not near home: a larger table spreads them, or another index takes them. */
  int status = s->end < s->q.buckets * s->q.per / 4 ? -1 : set_buckets(s, more_buckets(s->q.buckets, 4));
  if (status) s->may_quotient = 0, set_comparing(s);
  return plain_put_batch(base, b, done);
}

static void plain_find_batch(struct store *base, struct store_batch *b) { ask_shaped((struct plain *)base, FIND, b, 0, 0); }

static int plain_get(struct store *base, store_ref ref, uint32_t *state, uint32_t *trail) {
  const struct plain *s = (const struct plain *)base;
  (void)trail;
  assert(ref < s->end && !is_gone(s, ref));
  read_record(s, ref, state);
  return 0;
}

/* From the last to the first, so that the end of the records can be given back. */
static int plain_each(struct store *base, store_hear *hear, void *context, int consume) {
  struct plain *s = (struct plain *)base;
  enum { PIECE = 1 << 20 };
  uint32_t *state = mem_alloc(s->mem, MEM_STORE, ((size_t)s->words + 4) * 4);
  int status = state ? 0 : -1;
  if (consume && state) region_close(&s->index);
  for (uint64_t n = s->end; n-- > 0 && !status;) {
    if (is_gone(s, n)) continue;
    read_record(s, n, state);
    status = hear(context, n, state) ? -1 : 0;
    if (consume && s->records.size > (n * s->record) + SLACK + PIECE) region_resize(&s->records, n * s->record + SLACK);
  }
  mem_free(s->mem, state);
  return status;
}

/* ---- forgetting --------------------------------------------------------------------- */

/* The index entry of a record. */
static uint64_t slot_of(const struct plain *s, uint64_t number) {
  uint64_t slot = hash_slot(hash_record(s, s->shape, number), s->slots);
  while ((entry_at(s, s->entry, slot) & bits_mask(s->number_bits)) != number + 1) slot = next_slot(s, slot);
  return slot;
}

static uint64_t slot_before(const struct plain *s, uint64_t slot) { return slot ? slot - 1 : s->slots - 1; }

/* An entry without a number and a tag that is not 0; or a free one, if no walk goes on from there. */
static void blank_entry(struct plain *s, uint64_t slot) {
  uint64_t blank = (uint64_t)1 << s->number_bits, none = 0;
  if (entry_at(s, s->entry, next_slot(s, slot))) {
    memcpy(s->index.base + slot * s->entry, &blank, s->entry);
    s->blank++;
    return;
  }
  memcpy(s->index.base + slot * s->entry, &none, s->entry);
  for (slot = slot_before(s, slot); entry_at(s, s->entry, slot) == blank; slot = slot_before(s, slot)) {
    memcpy(s->index.base + slot * s->entry, &none, s->entry);
    s->blank--;
  }
}

static int plain_forget(struct store *base, store_ref ref) {
  struct plain *s = (struct plain *)base;
  assert(ref < s->end && !is_gone(s, ref));
  if (s->gone_bytes <= s->end / 8) {
    size_t bytes = (size_t)(s->record_room / 8 + 1);
    uint8_t *gone = mem_resize(s->mem, MEM_STORE, s->gone, bytes);
    if (!gone) return -1;
    s->gone = gone;
    s->gone_bytes = bytes;
  }
  s->may_quotient = 0;
  if (s->quotiented) set_comparing(s);
  blank_entry(s, slot_of(s, ref));
  s->gone[ref / 8] |= (uint8_t)(1u << ref % 8);
  s->holes++;
  if (s->holes == s->end) { /* nothing is left: as if nothing had been */
    memset(s->gone, 0, s->end / 8 + 1);
    s->holes = s->end = s->filled = 0;
  }
  return 0;
}

/* ---- width, life ------------------------------------------------------------------- */

static int plain_rewrite(struct store *base, uint32_t words, uint32_t bits, store_convert *convert, void *context) {
  struct plain *s = (struct plain *)base, before = *s;
  uint32_t *scratch = mem_alloc(s->mem, MEM_STORE, ((size_t)s->words + words + 8) * 4);
  if (!scratch) return -1;
  uint32_t *old = scratch, *new = scratch + s->words + 4;
  set_shape(s, words, bits);
  s->record_room = (s->records.held - SLACK) / s->record;
  if (reserve_records(s, 0)) {
    *s = before;
    mem_free(s->mem, scratch);
    return -1;
  }
  for (uint64_t i = 0; i < s->end; i++) {
    /* Wider records are written from the end, narrower ones from the start: what is still to be read is never covered. */
    uint64_t n = s->record > before.record ? s->end - 1 - i : i;
    if (is_gone(s, n)) continue;
    memset(old, 0, (size_t)before.words * 4);
    memcpy(old, s->records.base + n * before.record, before.record);
    memset(new, 0, (size_t)words * 4);
    convert(context, old, new);
    memcpy(s->records.base + n * s->record, new, s->record);
  }
  mem_free(s->mem, scratch);
  return choose_index(s);
}

static uint64_t plain_count(const struct store *base) { return live((const struct plain *)base); }

static size_t plain_bytes(const struct store *base) {
  const struct plain *s = (const struct plain *)base;
  return sizeof *s + s->records.held + s->index.held + s->gone_bytes;
}

static void plain_close(struct store *base) {
  if (!base) return;
  struct plain *s = (struct plain *)base;
  region_close(&s->records);
  region_close(&s->index);
  mem_free(s->mem, s->gone);
  mem_free(s->mem, s);
}

static int plain_open(struct store **out, const struct store_setup *setup) {
  struct plain *s = mem_alloc(setup->mem, MEM_STORE, sizeof *s);
  if (!s) return -1;
  s->base.type = &store_plain;
  s->mem = setup->mem;
  s->stats = setup->stats ? setup->stats : &s->no_stats;
  s->hash_mask = setup->hash_mask ? setup->hash_mask : UINT64_MAX;
  s->entry_min = setup->entry_bits / 8;
  region_open(&s->records, s->mem, MEM_STORE);
  region_open(&s->index, s->mem, MEM_STORE);
  set_shape(s, setup->words, setup->bits);
  s->may_quotient = !setup->hash_mask && !setup->entry_bits;
  s->quotient_from = setup->quotient_from ? setup->quotient_from : QUOTIENT_FROM;
  if (reserve_records(s, 1) || choose_index(s)) {
    plain_close(&s->base);
    return -1;
  }
  *out = &s->base;
  return 0;
}

const struct store_type store_plain = {
    .name = "plain",
    .summary = "full vectors, bit-exact, open addressing: fast, exact, 4.6 to 6.9 bytes per state plus the vector",
    .caps = STORE_EXACT | STORE_GET | STORE_ORDER | STORE_REWRITE,
    .open = plain_open,
    .put_batch = plain_put_batch,
    .find_batch = plain_find_batch,
    .get = plain_get,
    .each = plain_each,
    .rewrite = plain_rewrite,
    .forget = plain_forget,
    .round_begin = plain_round_begin,
    .round_peek = plain_round_peek,
    .round_ask = plain_round_ask,
    .round_settle = plain_round_settle,
    .round_finish = plain_round_finish,
    .count = plain_count,
    .bytes = plain_bytes,
    .close = plain_close,
};
