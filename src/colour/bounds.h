/* bounds.h -- which markings the places of a coloured net have had in the states that somebody tells, and the best bounds that follow. */
#ifndef COLOUR_BOUNDS_H
#define COLOUR_BOUNDS_H

#include "colour/colour.h"

struct colour_bounds;

/* 0; 1: the model is no coloured net; -1: memory. */
int colour_bounds_open(struct colour_bounds **out, const struct model *, struct mem *);
void colour_bounds_close(struct colour_bounds *); /* NULL is fine */
/* A state that is reached by a step of `group` from one that was told before; -1 = by none. 0, or -1: memory. */
int colour_bounds_add(struct colour_bounds *, const uint32_t *state, int64_t group);

uint32_t colour_bounds_places(const struct colour_bounds *);
const char *colour_bounds_name(const struct colour_bounds *, uint32_t place);
/* Most and fewest tokens at a time. */
void colour_bounds_count(const struct colour_bounds *, uint32_t place, uint64_t *upper, uint64_t *lower);
/* Best multiset bounds as CPN Tools writes them, without times: of each colour the most, or the fewest, that there are at a time. A term is a line, all but the last end with ++.
   Memory (of `mem`) that the caller frees; NULL: there is none. */
char *colour_bounds_text(const struct colour_bounds *, uint32_t place, int lower, struct mem *);

#endif
