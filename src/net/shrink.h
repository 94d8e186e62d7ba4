/* shrink.h -- a smaller net that answers the same questions: structural reductions.
 *
 * Places and transitions keep their numbers.  Places that are gone have no arcs, transitions that are gone never fire (pt.h: gone); transitions that stand for several of the larger net, one after the other,
 * come behind.  Which rules may be used depends on what is asked (seen.h); each rule's own file says why it is right:
 *
 *   shrink_places.c       places that never hold anybody back
 *   shrink_transitions.c  transitions that others can replace, or that nothing asked depends on
 *   shrink_fuse.c         a transition and what must follow it, or could precede it, become one
 *   shrink_equation.c     what the state equation proves: transitions that never fire, places that never are the only ones short of tokens */
#ifndef NET_SHRINK_H
#define NET_SHRINK_H

#include "model/model.h"
#include "net/pt.h"

struct pt_shrunk {
  struct pt_net *net;    /* the smaller one: borrows names and units from the larger one */
  uint32_t *word, *from; /* transition t stands for word[from[t]] .. word[from[t + 1]): in the smaller net's arena */
};

/* dead: transitions of the larger net that never fire. 0; 1: it would not be smaller; -1 with err: memory. */
int pt_shrink(struct pt_shrunk *out, const struct pt_net *, const uint8_t *dead, const struct model_aims *, char *what, size_t room, struct mem *, struct err *);

#endif
