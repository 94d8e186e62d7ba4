/* orbit.h -- one marking that stands for all those that symmetries make of it.
 *
 * Symmetries are permutations of places.  They are given one by one; then the whole is made ready, and vectors of values can be replaced.  What stands for a vector is one of its images, and stands for itself. */
#ifndef NET_ORBIT_H
#define NET_ORBIT_H

#include "base/mem.h"

#include <stdint.h>

struct orbit;

int orbit_open(struct orbit **out, uint32_t places, struct mem *); /* 0, or -1: memory */
void orbit_close(struct orbit *);                                  /* NULL is fine */
int orbit_add(struct orbit *, const uint32_t *image);              /* a place goes to image[place]; the first `places` entries count. 0, or -1: memory */
/* 0; 1: there are no symmetries; -1: memory. text: what will be done, for people. */
int orbit_ready(struct orbit *, char *text, size_t room);
/* The places that move at all, ascending: only their values are looked at. */
const uint32_t *orbit_places(const struct orbit *, uint32_t *count);
/* value: of the places that move, in that order. 1 if they changed. origin, if it is not NULL: the value that is now k-th was the origin[k]-th. */
int orbit_least(struct orbit *, int64_t *value, uint32_t *origin);

#endif
