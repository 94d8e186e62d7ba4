/* automaton_scc.h -- strongly connected components of an automaton: inside the room. */
#ifndef PROP_AUTOMATON_SCC_H
#define PROP_AUTOMATON_SCC_H

#include "prop/automaton.h"

#define SCC_UNREACHED UINT32_MAX

struct scc_list {
  struct mem *mem;
  uint32_t count;
  uint32_t *component; /* by state; SCC_UNREACHED. Edges go to equal or lower numbers */
  uint32_t *accept;    /* by component: acceptance of all edges that stay */
  uint8_t *cyclic;     /* by component: does any edge stay? */
};

int scc_find(struct scc_list *, const struct automaton *, struct err *); /* of states that can be reached */
/* Sets cycles[c] for components with a cycle that has no edge of acceptance set `set`. */
int scc_cycles_without(const struct scc_list *, const struct automaton *, uint32_t set, uint8_t *cycles, struct err *);
void scc_close(struct scc_list *);

#endif
