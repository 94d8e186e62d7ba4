/* layout.h -- a plan with its bits placed, and all that firing needs to know about it.
 *
 * Fields lie in 64-bit words and never straddle two of them:
 *
 *   word 0  | cell 0 | cell 1 | p7 | p9 | ....        low bits first
 *   word 1  | cell 5 | ...
 *
 * The value of a cell is 0 (none of its places is marked) or the number of the marked one.
 * Either way a transition changes a field by the same amount wherever it is enabled: so firing
 * is the addition of a constant to each word it touches, for codes as for counts. */
#ifndef NET_LAYOUT_H
#define NET_LAYOUT_H

#include "net/packing.h"
#include "net/pt.h"

struct field {
  uint32_t word;
  uint8_t shift, width;
  uint8_t single;
  uint32_t first, count; /* members in plan->member */
};

struct need { /* an input: at least `weight` tokens on `place` */
  uint32_t place, weight;
};

struct user { /* the other way round: a live transition that takes from a place */
  uint32_t live, weight;
};

struct add { /* to one word */
  uint32_t word;
  uint64_t amount;
};

struct check {    /* before firing: a value that is not proven to fit */
  uint32_t field; /* index */
  uint32_t place; /* single place, PT_NONE for a declared cell */
  int64_t change, most;
};

struct layout {
  struct mem *mem;
  uint64_t serial; /* no two layouts of a model share it, wherever they lie in memory */
  const struct pt_net *net;
  struct plan *plan;
  uint32_t fields, bits, words64;
  struct field *field;
  uint32_t *place_field, *place_code; /* kept places: field, and code within a cell (1..) */
  uint32_t *field_of_bit;
  size_t *dependent_start; /* kept place -> implied places */
  struct rank_term *dependent;
  /* live transitions in the net's order */
  uint32_t live;
  uint32_t *transition, *live_of; /* live -> net, net -> live (PT_NONE: dead) */
  uint32_t *need_start, *user_start, *add_start, *check_start;
  struct need *need;
  struct user *user;
  struct add *add;
  struct check *check;
  struct lookup *lookup; /* tables of enabled transitions where they pay, otherwise NULL */
};

/* width, most: per place, bits of a single place and the largest value proven (PT_NONE: none proven). Shares the plan. */
int layout_make(struct layout **out, const struct pt_net *, struct plan *, const uint8_t *dead, const uint8_t *constant,
                const uint32_t *width, const uint32_t *proven, struct mem *, struct err *);
void layout_close(struct layout *);

/* All values of a packed state; and back: 0, or -1 if they do not fit (`place`: which, may be NULL). */
void layout_decode(const struct layout *, const uint32_t *state, uint32_t words, int64_t *values);
int layout_encode(const struct layout *, const int64_t *values, uint32_t *state, uint32_t words, uint32_t *place);
int64_t layout_value(const struct layout *, const uint32_t *state, uint32_t words, uint32_t place);

/* From one layout to another of the same plan: fields move, their values stay. */
void layout_convert(const struct layout *from, const struct layout *to, const uint32_t *old_state, uint32_t *new_state,
                    uint32_t old_words, uint32_t new_words);

/* Word i of a state of `words` 32-bit words. */
static inline uint64_t layout_word(const uint32_t *state, uint32_t words, uint32_t i) {
  uint64_t low = state[2 * i];
  return 2 * i + 1 < words ? low | (uint64_t)state[2 * i + 1] << 32 : low;
}

#endif
