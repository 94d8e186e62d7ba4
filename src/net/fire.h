/* fire.h -- the token game on packed markings, incrementally.
 *
 * A firing cursor stands on one marking and knows which transitions are enabled.  Where the layout has
 * tables (lookup.h) it asks them; otherwise it knows all token counts, and moving to another
 * marking costs only what differs between the two. */
#ifndef NET_FIRE_H
#define NET_FIRE_H

#include "model/model.h"
#include "net/layout.h"

struct fire {
  struct mem *mem;
  const struct layout *layout;
  uint64_t serial;    /* of that layout, which may be gone */
  uint64_t *state;    /* the packed marking it stands on */
  int tables;         /* asks layout->lookup; of the rest below only `enabled` and the peaks are kept */
  int64_t *tokens;    /* per place */
  int64_t *numerator; /* per place: implied places with a divisor */
  uint64_t *enabled;  /* bitmap over live transitions */
  uint32_t enabled_count;
  uint32_t *watch_first; /* per place: live transitions that wait for it */
  uint32_t *watch_next;  /* per live transition */
  struct touched {
    uint32_t place;
    int64_t before;
  } * touched;
  uint32_t touched_count;
  uint8_t *is_touched;
  uint32_t peak_place; /* most tokens seen in one place and in one marking */
  uint64_t peak_marking;
  int64_t total;
  int overflow; /* a count beyond 2^31-1 */
  /* the value that did not fit, after MODEL_WIDEN: a place and the number of tokens it wants, or a declared cell */
  uint32_t wide_place, wide_field;
  int64_t wide_value;
};

int fire_open(struct fire *, const struct layout *, struct mem *);          /* stands on the initial marking; 0 or -1 */
int fire_open_watching(struct fire *, const struct layout *, struct mem *); /* without tables, whatever the layout has */
void fire_close(struct fire *);
/* Moves to a marking. -1: some count exceeds 2^31-1. */
int fire_move(struct fire *, const uint32_t *state, uint32_t words);
/* Appends all successors of the marking it stands on. `state` is that marking. */
enum model_answer fire_all(struct fire *, struct model_batch *batch);

/* With fire_open_watching: plays `steps` random steps from the initial marking (again from there when dead, or now and then) and
 * raises peak[p] to the most tokens seen on p. Works on counts, not on packed markings: afterwards only fire_close is allowed.
 * -1: memory. */
int fire_walk(struct fire *, uint64_t steps, uint32_t *peak);

#endif
