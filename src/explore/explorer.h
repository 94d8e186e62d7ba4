/* explorer.h -- a model looked at by hand: states that were met get numbers, edges are found when somebody asks.
 *
 * The core of `thimble explore`.  It knows no HTTP and no page: requests.h turns names and JSON into calls of what stands here,
 * and tests call it as it is.
 *
 * A state is kept in the model's portable form (model.h: pack), which does not depend on the layout of packed states.  So
 * widening, and a search by the checker in between (find.h), which may choose another layout, leave what is known as it is.
 * States are never forgotten; when the budget has no room for another one, that is an ordinary error and everything known stays.
 *
 *   number   0 is the initial state, others in the order in which they were met
 *   edges    a state that was expanded knows its successors: the first EXPLORER_FAN of them have numbers from then on, the
 *            others get theirs when they are taken
 *   drawn    the state is part of the graph as it is drawn (graph.c) */
#ifndef EXPLORE_EXPLORER_H
#define EXPLORE_EXPLORER_H

#include "base/err.h"
#include "base/vec.h"
#include "model/model.h"
#include "search/stepper.h"

#include <stdint.h>

#define EXPLORER_NONE UINT32_MAX
enum { EXPLORER_FAN = 500 };

struct explorer_edge {
  uint32_t to; /* EXPLORER_NONE: it has no number yet */
  uint32_t group;
};

struct explorer_state {
  size_t first;    /* its bytes */
  uint32_t length;
  uint32_t steps;  /* successors in all, once it is expanded */
  size_t edge;     /* its first edge; steps, or EXPLORER_FAN of them, lie there */
  uint8_t expanded, drawn, end; /* end: it may stay here for ever */
  uint8_t faulty;               /* one of its steps, or a guard, goes wrong */
  uint8_t broken;               /* the model has no answer to what comes next: see explorer_enter */
};

struct explorer_setup {
  struct mem *mem;
  struct model *model;           /* stays the caller's */
  const volatile int *interrupt; /* ends a search; may be NULL */
  double seconds;                /* the most that one search may take; 0 = EXPLORER_SECONDS */
  int no_claims;                 /* the model's own temporal claims are no properties */
  const char *const *folders;    /* where included files may be (front/below.h), NULL-terminated; may be NULL */
  struct picture *picture;       /* of the user's own, tied to the model (report/picture.h); stays the caller's; NULL = none */
};

#define EXPLORER_SECONDS 20.0

struct explorer {
  struct explorer_setup setup;
  struct mem *mem;
  struct model *model;
  struct stepper at; /* stands on `here` */
  uint32_t here;
  struct vec(struct explorer_state) states;
  struct vec(uint8_t) bytes;
  struct vec(struct explorer_edge) edges;
  uint32_t *slot; /* of the table by hash: number + 1, 0 = empty */
  size_t slots;
  uint8_t *packed; /* scratch */
  size_t packed_room;
  size_t drawn;
  struct err fault; /* of the broken state that was entered last */
  struct play *play; /* the match that is under way (play.h); NULL = none */
  volatile uint64_t progress; /* states that the search under way has seen: read by other threads */
  volatile int halt;          /* ends the search under way: set by other threads */
};

int explorer_open(struct explorer **out, const struct explorer_setup *, struct err *);
void explorer_close(struct explorer *); /* NULL is fine */

/* The stepper goes to a state and knows its successors, which get numbers. 0, or -1 with err: ERR_USAGE when there is no such state. Where the
   model itself is wrong (a value beyond its bounds), 0: the state is `broken` from then on, and `fault` has the model's words. */
int explorer_enter(struct explorer *, uint32_t state, struct err *);
/* The number of the k-th successor. 0, or -1 with err: ERR_USAGE when there is none. */
int explorer_step(struct explorer *, uint32_t state, uint32_t k, uint32_t *to, struct err *);
/* The same where the stepper stands on the state: it goes on. 1; 0: there is no such step; -1 with err. */
int explorer_go(struct explorer *, uint32_t k, uint32_t *to, struct err *);
/* Around something that may change the layout of states: the stepper is closed, and opened again. */
void explorer_rest(struct explorer *);
int explorer_wake(struct explorer *, struct err *);

static inline const struct explorer_edge *explorer_edge(const struct explorer *x, uint32_t state, uint32_t k) {
  const struct explorer_state *s = &x->states.at[state];
  return s->expanded && k < s->steps && k < EXPLORER_FAN ? &x->edges.at[s->edge + k] : NULL;
}

#endif
