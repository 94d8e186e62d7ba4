/* shrink_net.h -- a net while it is made smaller; only shrink*.c include it.
 *
 * Each transition has one row of arcs, with what it takes from a place and what it gives to it, ascending by place.  Rows only ever lose arcs (when a place goes) and new ones come behind, so a place's list of
 * users needs no upkeep: whoever reads it drops the transitions that are gone.  A place waits in the queue when something around it has changed.
 *
 * All work is counted; when the effort is spent nothing changes any more, and what has been done stays right.  A request for memory that is refused ends it, too (`refused`). */
#ifndef NET_SHRINK_NET_H
#define NET_SHRINK_NET_H

#include "base/vec.h"
#include "net/pt.h"
#include "net/seen.h"

struct shrink_arc {
  uint32_t place, in, out; /* takes, gives */
};

struct shrink_transition {
  size_t first; /* in arc */
  uint32_t arcs;
  uint8_t gone, seen;
  size_t word; /* in word: what it stands for */
  uint32_t words;
};

enum shrink_rule {
  SHRINK_DEAD,      /* transitions that never fire */
  SHRINK_CONSTANT,  /* places that never change */
  SHRINK_AMPLE,     /* places that never are short of tokens, or that nobody takes from */
  SHRINK_REDUNDANT, /* places that never are the only ones that are short */
  SHRINK_REPLACED,  /* transitions in whose stead others can fire */
  SHRINK_AFTER,     /* places at which a transition was fused with those that follow it */
  SHRINK_BEFORE,    /* ... with those that precede it */
  SHRINK_ASIDE,     /* transitions on which nothing asked depends */
  SHRINK_RULES
};

struct shrink {
  struct mem *mem;
  const struct pt_net *net; /* the larger one */
  struct pt_seen seen;
  struct vec(struct shrink_arc) arc;
  struct vec(struct shrink_transition) transition;
  struct shrink_users vec(uint32_t) * users; /* per place */
  uint8_t *gone, *waiting, *stuck;           /* per place; stuck: fusing there failed */
  uint32_t places_left, transitions_left;
  struct vec(uint32_t) queue; /* places */
  struct vec(uint32_t) word;
  struct vec(uint32_t) order; /* after shrink_freeze: which transition of this net is which of the frozen one's */
  uint32_t count[SHRINK_RULES];
  uint64_t effort; /* left */
  int refused;
};

int shrink_open(struct shrink *, const struct pt_net *, struct mem *); /* 0, or -1: memory. `seen` is the caller's to set before and to close after */
void shrink_close(struct shrink *);

static inline const struct shrink_arc *shrink_row(const struct shrink *s, uint32_t t) { return s->arc.at + s->transition.at[t].first; }
static inline uint32_t shrink_arcs(const struct shrink *s, uint32_t t) { return s->transition.at[t].arcs; }
static inline int64_t shrink_effect(const struct shrink_arc *a) { return (int64_t)a->out - (int64_t)a->in; }
/* Only expressions are asked of states, one by one: which can be reached matters, and nothing else. */
static inline int shrink_states_only(const struct shrink *s) { return !s->seen.deadlocks && !s->seen.runs; }
static inline int shrink_over(const struct shrink *s) { return s->refused || !s->effort; }

int shrink_spend(struct shrink *, uint64_t effort); /* 1: it is there, and now spent */
/* Transitions around a place that are not gone. */
const uint32_t *shrink_users(struct shrink *, uint32_t place, uint32_t *count);
/* The arc between them; the transition has one. */
struct shrink_arc shrink_at(const struct shrink *, uint32_t t, uint32_t place);
/* What it takes and gives is seen: it changes a place that an expression speaks of. */
int shrink_visible(const struct shrink *, uint32_t t);
void shrink_wake(struct shrink *, uint32_t place);
void shrink_drop_transition(struct shrink *, uint32_t t, enum shrink_rule);
void shrink_drop_place(struct shrink *, uint32_t place, enum shrink_rule);
/* A transition that stands for `before` so many times, and then for `after` so many times. Their rows are added up as that firing would, without `place`. 0; -1: a weight would be too large, it would stand for too many, or
   the effort or memory is spent: nothing has changed. */
int shrink_join(struct shrink *, uint32_t before, uint32_t before_times, uint32_t after, uint32_t after_times, uint32_t place);

/* The net as it is now, in an arena of its own: for good, with names and without the joint transitions that are gone again; or only to look at, with the same numbers. 0, or -1: memory. */
int shrink_freeze(struct shrink *, int for_good, struct pt_net **out);

/* The rules. Each returns whether something changed. */
int shrink_place(struct shrink *, uint32_t place);          /* shrink_places.c: one place */
int shrink_parallel_places(struct shrink *);                /* all */
int shrink_replaced(struct shrink *);                       /* shrink_transitions.c */
int shrink_aside(struct shrink *);
int shrink_fuse_after(struct shrink *, uint32_t place);     /* shrink_fuse.c */
int shrink_fuse_before(struct shrink *, uint32_t place);
int shrink_by_equation(struct shrink *);                    /* shrink_equation.c */

#endif
