/* alike.h -- which values of an enumeration or of an index set a text tells from each other.
 *
 * Exchange values of such a set in everything that a text speaks of: if what it says is what it said before, with the same values exchanged, no value is special to it.  That is so for whatever is put
 * together of parts for which it is so: variables, tuples, fn, case, calls, equality, multisets.  Only a few things are not of that kind, and they can be seen: names of values (`p 3`, `red`), functions that make numbers or
 * texts of values or the other way round (ord, col, mkstr), that know an order (lt), and lists that are made of multisets, which are sorted.  The functions that the text uses are looked at as well. */
#ifndef ML_ALIKE_H
#define ML_ALIKE_H

#include "ml/ml.h"

#define ML_TELLS_ALL INT64_MIN

struct ml_telling {
  const struct ml_data *data; /* whose values; NULL: those of every set, nobody knows which */
  int64_t value;              /* the index, or number of the constructor, that it names; ML_TELLS_ALL: it tells all of them from each other */
  struct place_in_text place;
  const char *how; /* "P.ord makes numbers of them"; borrowed until `hear` returns */
};

/* Tells everything that the text tells apart. 0; what `hear` returned, if that was not 0; -1: memory. */
int ml_tells(const struct ml *, const struct ml_expr *, int (*hear)(void *, const struct ml_telling *), void *context);
/* Has it values that can be exchanged: is it an enumeration or an index set? bool and the like are not. */
int ml_is_named_set(const struct ml *, const struct ml_data *);
/* The colour sets, in the order of their declarations. */
size_t ml_colsets(const struct ml *);
const struct ml_colset *ml_colset_at(const struct ml *, size_t);

#endif
