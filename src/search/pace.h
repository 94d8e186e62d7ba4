/* pace.h -- do several threads pay, at the moment?
 *
 * On a machine that is busy with other things threads wait for each other, and a search by one of them alone is faster.  So the seconds per state are noted for both ways; when rounds do not beat one thread, one goes on alone for a
 * while, longer each time, and then it is tried again.  What comes out is the same either way. */
#ifndef SEARCH_PACE_H
#define SEARCH_PACE_H

#include <stdint.h>

struct pace {
  double alone, together; /* seconds per state, of late; 0 = not known */
  uint64_t rounds;        /* since they were tried last */
  uint64_t until;         /* the state from which on they are tried again */
  uint64_t pause;         /* states until then, next time */
};

enum { PACE_TRIES = 16, PACE_FIRST = 1 << 15, PACE_MOST = 1 << 21 };

static inline void pace_note(struct pace *p, int together, double seconds, uint64_t states) {
  double *cost = together ? &p->together : &p->alone, now;
  if (!states) return;
  now = seconds / (double)states;
  if (*cost > 0 && now > 8 * *cost) now = 8 * *cost; /* something else was done in between */
  *cost = *cost > 0 ? *cost + (now - *cost) / (together ? 8 : 128) : now;
  p->rounds += together != 0;
}

/* Should the state with this number be expanded in a round? */
static inline int pace_pays(struct pace *p, uint64_t state) {
  if (state < p->until) return 0;
  if (p->rounds < PACE_TRIES || p->alone == 0) return 1;
  if (p->together < 0.9 * p->alone) {
    p->pause = 0;
    return 1;
  }
  p->pause = p->pause ? p->pause < PACE_MOST ? 2 * p->pause : p->pause : PACE_FIRST;
  p->until = state + p->pause;
  p->rounds = 0;
  p->together = 0;
  return 0;
}

#endif
