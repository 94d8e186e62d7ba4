/* space.h -- what is told of a state space as a whole: figures, bounds of places, and what its graph is like. Made by run/space.c, written by report/. */
#ifndef SEARCH_SPACE_H
#define SEARCH_SPACE_H

#include "search/summary.h"

struct space_bound { /* of a place */
  const char *name;  /* borrowed from the model */
  uint64_t upper, lower;
  char *most, *least; /* coloured nets: multiset bounds (colour/bounds.h); NULL = there are none, or no memory for them */
};

/* What a transition is beside what the graph says of it. */
enum space_role {
  SPACE_HAPPENS = 1, /* a step is called by it */
  SPACE_PART = 2,    /* it had a part in a step that is called by another one */
  SPACE_ABSENT = 4,  /* it is a statement of a process that never was */
};

struct space_report {
  struct mem *mem;
  int complete;     /* all states were explored */
  const char *stop; /* what ended it otherwise, as verdict_stop_name says */
  uint64_t states, edges, ends;
  const char *const *name; /* of transitions, borrowed; those that are called the same are one; 0 is none of them */
  uint32_t labels;
  uint8_t *role; /* per label: set of enum space_role */
  int places;    /* the model is a net */
  struct space_bound *bound;
  uint32_t bounds; /* 0 although there are places: no memory */
  int has_graph;
  const char *no_graph; /* why not */
  struct summary graph;
  uint32_t *end; /* words of the nearest state without successors; NULL = none, or no memory */
  uint64_t end_depth;
};
void space_report_close(struct space_report *); /* also of a zeroed struct */

#endif
