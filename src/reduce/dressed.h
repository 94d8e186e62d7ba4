/* dressed.h -- what the files of this room know of a reduction. */
#ifndef REDUCE_DRESSED_H
#define REDUCE_DRESSED_H

#include "model/dependence.h"
#include "reduce/reduction.h"

enum { LIKENESSES = 2 }; /* a slice, then symmetry */

struct reduction {
  struct model *larger; /* as it is */
  struct model *model;  /* that is searched: the same, or a smaller one of our own */
  struct mem *mem;
  const struct model_type *own; /* the language's, of what is searched */
  struct model_type type;
  int dressed;
  const struct reduction_goal *goal;
  size_t goals;
  struct model_aims aims;
  const struct expr **seen;
  int thrifty; /* fewer steps: */
  struct dependence dependence; /* by rows, */
  uint8_t *avoid; /* of runs: actions that are seen, or sticky; NULL otherwise */
  const struct model_likeness_type *like[LIKENESSES]; /* NULL = not used */
  struct model_likeness *alike[LIKENESSES]; /* of our own cursor, */
  struct model_cursor *cursor;              /* for the initial state; NULL = nothing is alike */
};

/* The state becomes the one that stands for it. */
enum model_answer reduction_stand_in(const struct reduction *, struct model_likeness *const *alike, struct model_cursor *, uint32_t *state);

#endif
