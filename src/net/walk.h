/* walk.h -- the token game on plain counts, one marking at a time: for random walks.
 *
 * It knows at all times which transitions are enabled, what has ever fired, the most tokens ever seen in a place, and the way back to the initial marking.  A step
 * costs what the changed places have users. */
#ifndef NET_WALK_H
#define NET_WALK_H

#include "base/rng.h"
#include "base/vec.h"
#include "model/linear.h"
#include "net/pt.h"

struct walk {
  struct mem *mem;
  const struct pt_net *net;
  struct rng rng;
  int64_t *tokens;   /* per place */
  uint32_t *lacks;   /* per transition: input places with too few tokens */
  uint32_t *enabled; /* transitions */
  uint32_t *at;      /* per transition: where it stands in `enabled`, PT_NONE = it does not */
  uint32_t enabled_count;
  uint32_t *user_start; /* per place: of `user` */
  struct walk_user {
    uint32_t transition, weight;
  } * user;
  uint8_t *fired;  /* per transition: in any walk so far */
  uint32_t silent; /* transitions that have not */
  int64_t peak;    /* most tokens in one place, in any walk so far */
  int overflow;    /* a count went beyond 2^31-1: this walk must begin again */
  struct vec(uint32_t) path; /* what has fired since the initial marking */
};

int walk_open(struct walk *, const struct pt_net *, struct mem *, uint64_t seed); /* stands on the initial marking; 0, or -1: memory */
void walk_close(struct walk *);
void walk_restart(struct walk *);
/* Fires an enabled transition. -1: there is no memory for the path, and nothing has happened. */
int walk_fire(struct walk *, uint32_t transition);
static inline int walk_enabled(const struct walk *w, uint32_t transition) { return w->at[transition] != PT_NONE; }

/* How far the marking is from satisfying it: 0 = it does. A sum of what is missing over ANDs, the least over ORs. */
int64_t walk_distance(const struct walk *, const struct linear *);
static inline int walk_satisfies(const struct walk *w, const struct linear *x) { return walk_distance(w, x) == 0; }
/* The distance after firing an enabled transition; nothing moves. */
int64_t walk_distance_after(struct walk *, uint32_t transition, const struct linear *);

#endif
