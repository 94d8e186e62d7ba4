/* summary.h -- what a whole labelled graph is like: ends, components, home states, what stays possible for ever, what infinite runs owe to each label. */
#ifndef SEARCH_SUMMARY_H
#define SEARCH_SUMMARY_H

#include "base/err.h"
#include "search/fairness.h"

enum { SUMMARY_FIRST = 10 };

struct summary {
  struct mem *mem;
  uint64_t states, edges, ends; /* ends: states without successors */
  uint64_t end[SUMMARY_FIRST];  /* the first of them by number: in breadth-first order no others are nearer */
  uint32_t least, most;         /* successors of a state */
  uint64_t components, largest; /* strongly connected; states of the largest */
  uint64_t cyclic, between;     /* components with an edge inside; edges from one component to another */
  uint64_t last, last_states;   /* those that cannot be left, and how many states they have together */
  uint64_t home;                /* states that can be reached from every state: all of the last component, if there is one only; else none */
  uint64_t home_state[SUMMARY_FIRST]; /* the first of them */
  int reversible;               /* the first state is one of them */
  uint8_t *label;               /* per label: set of enum summary_label */
  uint8_t *fairness;            /* per label: enum fairness; without cyclic components there are no infinite runs, and all are impartial */
  uint32_t labels;
};
enum summary_label {
  SUMMARY_HAPPENS = 1, /* somewhere */
  SUMMARY_LIVE = 2,    /* from every state it can come to happen: it happens in each component that cannot be left */
};
/* Groups of the graph are labels. Patience (may be NULL) is for fairness alone. 0, or -1 with err. */
int summary_find(struct summary *, const struct graph *, uint32_t labels, const struct model_patience *, struct mem *, struct err *);
void summary_close(struct summary *);

#endif
