/* pace.h -- do several threads pay, at the moment?
 *
 * On a machine that is busy with other things threads wait for each other, and a search by one of them alone is faster.  What a state costs changes on the way (tables outgrow the caches, code is compiled), so only states that
 * are expanded one soon after the other can be compared: after some rounds a few states are expanded by one thread, as a probe.  While rounds win, probes become rare.  When they lose, one goes on alone for a while, longer each time, and then some
 * rounds are held against that.  What comes out is the same either way. */
#ifndef SEARCH_PACE_H
#define SEARCH_PACE_H

#include <stdint.h>

struct pace {
  double alone, together; /* seconds per state, since the last decision; 0 = not known */
  uint64_t rounds, trial; /* rounds since then, and how many there are before the next one */
  uint64_t until;         /* up to this state one thread goes on alone */
  uint64_t pause;         /* for so many states the last time, because rounds had lost; 0 = they have won */
  int probing;            /* only to compare */
};

enum { PACE_TRIES = 16, PACE_RARE = 2048, PACE_PROBE = 4096, PACE_FIRST = 1 << 14, PACE_MOST = 1 << 18 };

static inline void pace_note(struct pace *p, int together, double seconds, uint64_t states) {
  double *cost = together ? &p->together : &p->alone, now;
  if (!states) return;
  now = seconds / (double)states;
  if (*cost > 0 && now > 2 * *cost) now = 2 * *cost; /* something else was done in between */
  *cost = *cost > 0 ? *cost + (now - *cost) / 8 : now;
  p->rounds += together != 0;
}

/* Both ways are known: the next decision comes after so many rounds, or one goes on alone. */
static inline void pace_decide(struct pace *p, uint64_t state) {
  if (p->together < p->alone) {
    p->trial = p->pause ? PACE_TRIES : p->trial < PACE_RARE ? 2 * p->trial : PACE_RARE;
    p->pause = 0;
  } else {
    p->trial = PACE_TRIES;
    p->pause = !p->pause ? PACE_FIRST : p->pause < PACE_MOST ? 2 * p->pause : PACE_MOST;
    p->until = state + p->pause;
  }
  p->alone = p->together = 0;
  p->rounds = 0;
  p->probing = 0;
}

/* Should the state with this number be expanded in a round? */
static inline int pace_pays(struct pace *p, uint64_t state) {
  if (!p->trial) p->trial = PACE_TRIES;
  if (state < p->until) return 0;
  if (p->rounds < p->trial) return 1;
  if (p->probing || p->pause) {
    pace_decide(p, state);
  } else {
    p->probing = 1;
    p->alone = 0;
    p->until = state + PACE_PROBE;
  }
  return state >= p->until;
}

#endif
