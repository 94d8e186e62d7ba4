/* dependence.h -- what the transitions of a net have to do with each other (model/dependence.h). */
#ifndef NET_DEPENDENCE_H
#define NET_DEPENDENCE_H

#include "model/dependence.h"
#include "net/pt.h"

/* Guards of a net: "the place has at least so many tokens". */
struct pt_guard {
  uint32_t place, weight;
};

/* `dead`: a flag for each transition that can never happen, or NULL. *guard gets the guards, to be freed by the caller. 0; 1: transitions are too much in each other's way; -1: memory. */
int pt_dependence(struct dependence *out, struct pt_guard **guard, const struct pt_net *, const uint8_t *dead, struct mem *);

#endif
