/* plain.h -- the insides of plain.c, for plain_round.c: the struct, and how a record and an entry of the index are read and written. */
#ifndef STORE_PLAIN_H
#define STORE_PLAIN_H

#include "store/store.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/stats.h"
#include "store/quotient.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are the low bytes of little-endian words");

enum { SLACK = 16, FIRST_SLOTS = 1020, FIRST_BYTES = 4064, AHEAD = 16, QUOTIENT_FROM = 1 << 24, HOLES = 16 };

enum shape { SHAPE_64, SHAPE_128, SHAPE_ANY }; /* how long a record is */

struct plain {
  struct store base;
  struct mem *mem;
  struct stats *stats, no_stats;
  uint32_t words, bits;
  uint32_t record; /* bytes of a record */
  enum shape shape;
  uint64_t last_mask; /* SHAPE_64, SHAPE_128: which bits of the last 8 bytes count */
  uint64_t end;          /* records, those that were forgotten included */
  uint64_t holes, blank; /* records that were forgotten; index entries without a number */
  uint64_t filled;       /* holes are looked for from this record on */
  uint64_t record_room;  /* records that fit */
  size_t ready;          /* bytes of records that somebody has made ready, while there are rounds */
  uint64_t slots, limit; /* entries; states allowed before growing */
  unsigned entry;        /* bytes of an index entry: 4, 5, 6; with rounds 4 or 8 */
  unsigned entry_min;    /* tests: at least this wide */
  unsigned number_bits;
  uint64_t tag_mask;
  uint64_t hash_mask;
  uint64_t spare;        /* numbers beyond those of states: while a round is asked they stand for states that are not settled */
  struct region records, index;
  uint8_t *gone;      /* a bit for each record that was forgotten; NULL until the first is */
  size_t gone_bytes;
  int quotiented; /* the index is that of quotient.h */
  int may_quotient;
  uint64_t quotient_from; /* states from which on it pays */
  struct quotient q;
};

/* ---- records ----------------------------------------------------------------------- */

static inline uint64_t load64(const void *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return x;
}

/* The hash is over the bytes of the record, so that it can be taken from a state and from a record alike. */
static inline __attribute__((always_inline)) uint64_t hash_state(const struct plain *s, enum shape shape, const uint32_t *state) {
  uint64_t h;
  if (shape == SHAPE_64) h = hash_mix(load64(state));
  else if (shape == SHAPE_128) h = hash_pair(load64(state), load64(state + 2));
  else h = hash_bytes(state, s->record);
  return h & s->hash_mask;
}

static inline __attribute__((always_inline)) uint64_t hash_record(const struct plain *s, enum shape shape, uint64_t number) {
  const uint8_t *r = s->records.base + number * s->record;
  uint64_t h;
  if (shape == SHAPE_64) h = hash_mix(load64(r) & s->last_mask);
  else if (shape == SHAPE_128) h = hash_pair(load64(r), load64(r + 8) & s->last_mask);
  else h = hash_bytes(r, s->record);
  return h & s->hash_mask;
}

static inline __attribute__((always_inline)) int same(const struct plain *s, enum shape shape, uint64_t number,
                                                      const uint32_t *state) {
  const uint8_t *r = s->records.base + number * s->record;
  if (shape == SHAPE_64) return (load64(r) & s->last_mask) == load64(state);
  if (shape == SHAPE_128) return load64(r) == load64(state) && (load64(r + 8) & s->last_mask) == load64(state + 2);
  return memcmp(r, state, s->record) == 0;
}

static inline uint64_t live(const struct plain *s) { return s->end - s->holes; }

static inline int is_gone(const struct plain *s, uint64_t number) {
  return s->holes && number / 8 < s->gone_bytes && s->gone[number / 8] >> number % 8 & 1;
}

static inline void read_record(const struct plain *s, uint64_t number, uint32_t *state) {
  const uint8_t *r = s->records.base + number * s->record;
  memset(state, 0, (size_t)s->words * 4);
  memcpy(state, r, s->record);
}

/* ---- the index --------------------------------------------------------------------- */

static inline __attribute__((always_inline)) uint64_t entry_at(const struct plain *s, unsigned entry, uint64_t slot) {
  const uint8_t *p = s->index.base + slot * entry;
  if (entry == 4) {
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
  }
  return load64(p) & bits_mask(entry * 8);
}

static inline __attribute__((always_inline)) void set_entry(struct plain *s, unsigned entry, uint64_t slot, uint64_t hash,
                                                            uint64_t number) {
  uint64_t x = (hash & s->tag_mask) << s->number_bits | (number + 1);
  memcpy(s->index.base + slot * entry, &x, entry);
}

static inline uint64_t next_slot(const struct plain *s, uint64_t slot) { return slot + 1 == s->slots ? 0 : slot + 1; }

static inline __attribute__((always_inline)) void write_record(struct plain *s, uint64_t number, const uint32_t *state) {
  memcpy(s->records.base + number * s->record, state, s->record);
}

/* ---- plain.c --------------------------------------------------------------------------- */

/* Room for so many more states, in an index that compares. 0, or -1: refused. */
int plain_reserve(struct plain *, uint64_t more);
void plain_enter_all(struct plain *); /* writes the index again */

/* ---- plain_round.c ---------------------------------------------------------------------- */

int plain_round_begin(struct store *, struct store_round *);
int plain_round_peek(struct store *, unsigned worker, store_ref ref, uint32_t *state, uint32_t *trail);
size_t plain_round_ask(struct store *, const struct store_round *, size_t part, unsigned worker, struct store_batch *);
int plain_round_settle(struct store *, const struct store_round *, size_t parts);
void plain_round_finish(struct store *, const struct store_round *, size_t parts, void (*meanwhile)(void *), void *context);
void plain_enter_all_together(struct plain *); /* by everybody of the crew */

#endif
