/* symmetry_sorts.h -- which colours may change places.
 *
 * A sort is an enumeration, an index set or a scalarset whose values the tokens of some place hold.  Exchange two of its values in a marking, wherever they occur, and in all that follows: as long as no inscription, and nothing of
 * what is asked, tells the two from each other (ml/alike.h), what can happen is the same.  A value that is named is told from the others, and leaves the others alike.  Initial markings may name whom they like:
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
  uint8_t *told;         /* per value */
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

/* What a scalarset must not be used for, in any inscription: 0, or -1 with err. */
int colour_check_scalarsets(const struct net *, struct err *);

#endif
