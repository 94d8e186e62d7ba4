/* labelled.h -- graphs whose edges carry names: what bisimulations and languages are about.
 *
 * A label is a number; number 0 is the step that nobody sees ("i", as the .aut tools write it).  Names are those of the models' groups, so two graphs with one list of
 * labels can be compared.  A graph is condensed (graph.h), with labels in the place of groups, and is told by a listener of a breadth-first search over a store that
 * numbers its states.  Several models may share a graph: the states of each lie behind those of the one before. */
#ifndef SEARCH_LABELLED_H
#define SEARCH_LABELLED_H

#include "search/graph.h"
#include "search/search.h"

enum { LABEL_HIDDEN = 0 };

struct labels {
  struct mem *mem;
  struct arena arena;
  struct vec(const char *) text;
  uint32_t *slot; /* a table of numbers + 1 */
  size_t slots;
};
int labels_open(struct labels *, struct mem *); /* 0, or -1: memory */
void labels_close(struct labels *);
int64_t labels_find(struct labels *, const char *text); /* its number, new if need be; -1: memory */

/* Which names are hidden: those that match one of `hide`, or, where there is a `show`, none of those. Patterns as of the shell; both NULL-terminated, may be NULL. */
struct labels_seen {
  const char *const *hide, *const *show;
  uint8_t *hide_used, *show_used; /* set for patterns that some name matched; as long as the lists */
  int i_is_hidden;                /* the labels i and tau are the hidden step */
};
/* The label of each group of a model: memory that the caller frees. NULL: memory. */
uint32_t *labels_of_model(struct labels *, const struct model *, const struct labels_seen *);

struct labelled {
  struct listener listener;
  struct graph *graph;
  const uint32_t *label; /* of each group */
  uint64_t base;         /* the number of the model's first state */
  uint64_t states;       /* of this model so far */
  int failed;            /* memory */
};
void labelled_open(struct labelled *, struct graph *, const uint32_t *label);

#endif
