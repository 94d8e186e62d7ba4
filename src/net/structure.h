/* structure.h -- what a net's graph alone says: transitions that never fire, places that
 * never change or never grow.  Cheap (linear) and done before anything else. */
#ifndef NET_STRUCTURE_H
#define NET_STRUCTURE_H

#include "net/pt.h"

struct structure {
  struct mem *mem;
  uint8_t *dead;     /* per transition: no reachable marking enables it */
  uint8_t *constant; /* per place: the same number of tokens in all reachable markings */
  uint32_t *most;    /* per place: tokens it can never exceed because nothing adds any; PT_NONE otherwise */
  uint32_t dead_count, constant_count;
};

int structure_open(struct structure *out, const struct pt_net *, struct mem *, struct err *);
void structure_close(struct structure *);

#endif
