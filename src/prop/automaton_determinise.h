/* automaton_determinise.h -- the subset construction on letters: inside the room. */
#ifndef PROP_AUTOMATON_DETERMINISE_H
#define PROP_AUTOMATON_DETERMINISE_H

#include "prop/automaton.h"

/* A deterministic transition table. State 0 is initial. */
struct subsets {
  struct mem *mem;
  uint32_t states, letters;
  uint32_t *next;               /* [state * letters + letter] */
  uint32_t none;                /* the state of the empty subset; UINT32_MAX if it was not met */
  uint8_t bit[AUTOMATON_ATOMS]; /* letter bit i is atom bit[i] */
  uint32_t bits;
};

/* All subsets that can be reached, whatever the acceptance: 1; 0 if there are more than `most` or the table would be too large;
   -1 with err. */
int subsets_open(struct subsets *, const struct automaton *, uint32_t most, const volatile int *interrupt, struct err *);
void subsets_close(struct subsets *);
uint64_t subsets_letter(const struct subsets *, uint32_t letter); /* over the automaton's atoms */
/* Merges states that no word tells apart, where good[s] is what is seen of a state; 0/-1. */
int subsets_minimise(struct subsets *, uint8_t *good, struct err *);
/* As an automaton with one set: edges from good states accept (by_state), and from `none` none. */
int subsets_automaton(struct automaton **out, const struct subsets *, const uint8_t *good, const struct automaton *like,
                      struct err *);

#endif
