/* orbit.h -- one marking that stands for all those that symmetries make of it.
 *
 * Symmetries are permutations of places.  They are given one by one; then the whole is made ready, and vectors of values can be replaced.  What stands for a vector is one of its images, and stands for itself. */
#ifndef NET_ORBIT_H
#define NET_ORBIT_H

#include "base/mem.h"

#include <stdint.h>

struct orbit; /* constant once it is ready */
struct orbit_scratch { /* of one who uses it */
  struct mem *mem;
  int64_t *next;
  uint32_t *next_origin, *racing;
};

int orbit_open(struct orbit **out, uint32_t places, struct mem *); /* 0, or -1: memory */
void orbit_close(struct orbit *);                                  /* NULL is fine */
void orbit_share(struct orbit *);                                  /* has to be closed once more */
int orbit_add(struct orbit *, const uint32_t *image);              /* a place goes to image[place]; the first `places` entries count. 0, or -1: memory */
/* 0; 1: there are no symmetries, or too few for what they would cost; -1: memory. text: what will be done, for people, or why it is of no use. */
int orbit_ready(struct orbit *, char *text, size_t room);
/* The places that move at all, ascending: only their values are looked at. */
const uint32_t *orbit_places(const struct orbit *, uint32_t *count);
int orbit_scratch_open(struct orbit_scratch *, const struct orbit *, struct mem *); /* 0, or -1: memory, and it has to be closed */
void orbit_scratch_close(struct orbit_scratch *);                                   /* a zeroed one is fine */
/* value: of the places that move, in that order. 1 if they changed. origin, if it is not NULL: the value that is now k-th was the origin[k]-th. */
int orbit_least(const struct orbit *, struct orbit_scratch *, int64_t *value, uint32_t *origin);

#endif
