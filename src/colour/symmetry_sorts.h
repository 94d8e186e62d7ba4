/* symmetry_sorts.h -- which colours may change places.
 *
 * A sort is an enumeration, an index set or a scalarset whose values the tokens of some place hold.  Exchange two of its values in a marking, wherever they occur, and in all that follows: as long as no inscription, and nothing of
 * what is asked, tells the two from each other (ml/alike.h), what can happen is the same.  A value that is named is told from the others, and leaves the others alike; arcs and guards whose variables have few values are tried before they are believed
 * to tell anything from anything (symmetry_trial.c).  So the values of a sort fall into blocks.  Initial markings may name whom they like:
 * they are a place to begin, and one that is as good as the others. */
#ifndef COLOUR_SYMMETRY_SORTS_H
#define COLOUR_SYMMETRY_SORTS_H

#include "colour/colour_model.h"

enum { SORT_VALUES = 512 }; /* of one sort, at most */
#define SORT_NO_NODE UINT32_MAX

struct colour_sort {
  const struct ml_data *data;
  const char *name;
  int64_t low;           /* its first index, or 0: the first constructor */
  uint32_t values, alike; /* how many there are; how many of them are not told from each other */
  uint32_t first;        /* node of its first value: they have numbers, through all sorts */
  uint32_t *block;       /* per value: the first one that is like it */
  uint8_t *told;         /* per value: it is alone in its block */
  char why[180];         /* what tells all, or the first, from the others */
};

struct colour_sorts {
  struct mem *mem;
  struct vec(struct colour_sort) sort;
  uint32_t nodes, alike;
};

/* 0, or -1 (memory). */
int colour_sorts_find(struct colour_sorts *, const struct colour_model *, const struct model_aims *, struct mem *);
void colour_sorts_close(struct colour_sorts *);
/* The sort of a data type that has values that are alike; NULL: none. */
const struct colour_sort *colour_sort_of(const struct colour_sorts *, const struct ml_data *);
/* May values of this type hold values of such a sort? 1, 0; -1: nobody can tell. */
int colour_sorts_in(const struct colour_sorts *, struct ml_type *);

/* An inscription to be tried: of an arc at a place, or (place NULL) a condition. */
struct colour_trial {
  const struct net_transition *transition;
  const struct ml_code *code;
  uint64_t variables;
  const struct net_place *place;
};
/* Which values of the sort it does not tell from each other: as colour_sort.block. 0; 1: it cannot be tried; -1: memory. */
int colour_try(const struct colour_trial *, const struct colour_sort *, struct net *, uint32_t *block, struct mem *);
/* A value in which others stand for what `atom` is asked about: every value of a data type in it, lists apart. 0: memory. */
ml_value colour_map_value(struct ml_type *, ml_value, struct ml_heap *, ml_value (*atom)(void *, const struct ml_data *, ml_value), void *context, unsigned depth);
ml_value colour_named_value(ml_value like, int64_t index, struct ml_heap *); /* of an enumeration or index set, as `like` is of one; 0: memory */

/* What a scalarset must not be used for, in any inscription: 0, or -1 with err. */
int colour_check_scalarsets(const struct net *, struct err *);

#endif
