/* units.h -- nested units from the top down, for writers: a net's units know their parents,
 * files list children. */
#ifndef FRONT_UNITS_H
#define FRONT_UNITS_H

#include "net/pt.h"

struct unit_lists { /* children of u: first[u], then next[.] of each, until PT_NONE; in the order of the net */
  uint32_t *first, *next, root;
};

static inline int unit_lists_open(struct unit_lists *l, const struct pt_net *net, struct err *e) {
  l->root = 0;
  l->first = mem_alloc(net->mem, MEM_OTHER, 2 * (size_t)net->units * sizeof *l->first);
  if (!l->first) {
    err_memory(e, "writing the nested units");
    return -1;
  }
  l->next = l->first + net->units;
  for (uint32_t u = 0; u < net->units; u++) l->first[u] = l->next[u] = PT_NONE;
  for (uint32_t u = net->units; u-- > 0;) {
    uint32_t parent = net->unit[u].parent;
    if (parent == PT_NONE) l->root = u;
    else l->next[u] = l->first[parent], l->first[parent] = u;
  }
  return 0;
}

static inline void unit_lists_close(struct unit_lists *l, const struct pt_net *net) { mem_free(net->mem, l->first); }

#endif
