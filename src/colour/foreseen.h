/* foreseen.h -- what can ever happen in a coloured net: the colours that tokens of each place can have, and the bindings that they allow.
 *
 * The token game without counting: a colour that is in a place stays there, bindings whose tokens are all there add theirs, until nothing is new.  What is left out can never happen; some of what is in cannot either.  It is an
 * unfolding, in which a cell (a place and a colour) is a place and a binding is a transition, without building a net: that the net keeps its colours does not mean that there are too many bindings for this.  If there are, or if new
 * colours keep coming, it gives up. */
#ifndef COLOUR_FORESEEN_H
#define COLOUR_FORESEEN_H

#include "colour/colour_model.h"
#include "net/dependence.h"

struct foreseen_cell {
  uint32_t place, value;
};

struct foreseen_binding {
  uint32_t transition, env; /* values of its variables: in `env` */
};

struct foreseen {
  struct mem *mem;
  struct pt_net net; /* rows and initial marking of the unfolding: nothing has a name */
  struct vec(struct foreseen_cell) cell;
  struct vec(struct foreseen_binding) binding;
  struct vec(uint32_t) env;
  uint32_t *index; /* of bindings by what they are: open addressing, number + 1 */
  size_t index_room;
  int faults;      /* some binding may go wrong */
  struct dependence dependence; /* what bindings have to do with each other; its guards: so many tokens in a cell */
  struct pt_guard *guard;
};

/* 0; 1: too much, `why` tells what; -1: memory. `like`: initial colours that its exchanges lead to are there as well; NULL = none. */
int foreseen_open(struct foreseen **, struct colour_model *, struct model_likeness *like, char *why, size_t room);
/* The number of a binding of these values; UINT32_MAX: it was not foreseen. */
uint32_t foreseen_find(const struct foreseen *, const struct net *, uint32_t transition, const uint32_t *env);

#endif
