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

/* The label of each group of a model. There may be more groups while it is explored than there were before (processes that begin late). */
struct labelling {
  struct labels *labels;
  const struct model *model;
  const struct labels_seen *seen;
  uint32_t *of, count;
};
int labelling_open(struct labelling *, struct labels *, const struct model *, const struct labels_seen *); /* 0, or -1: memory */
int labelling_more(struct labelling *);                                                                   /* those that have come since; the same */
void labelling_close(struct labelling *);                                                                 /* also of a zeroed struct */

struct labelled {
  struct listener listener;
  struct graph *graph;
  struct labelling *labelling;
  uint64_t base;         /* the number of the model's first state */
  uint64_t states;       /* of this model so far */
  int failed;            /* memory */
};
void labelled_open(struct labelled *, struct graph *, struct labelling *);
/* Room in the labelling and in the graph for the group of an event. 0, or -1: memory. */
static inline int labelled_ready(struct labelling *l, struct graph *g, const struct search_event *event) {
  if (!(event->kind & (EVENT_NEW | EVENT_SEEN)) || event->group < l->count) return 0;
  return labelling_more(l) || graph_regroup(g, (uint32_t)l->labels->text.count) ? -1 : 0;
}

#endif
