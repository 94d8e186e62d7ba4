/* colour.h -- coloured nets as models.
 *
 *   drawing.h -> flatten.c -> net.h (flat, inscriptions checked and compiled by ml/) -> model
 *
 * State: one number per place, the index of its multiset among those that the place has had (multisets and values are kept once;
 * equal markings are equal words), and for timed nets one for the clock.  Fields are as narrow as the numbers met so far
 * (model.h: widening).
 *
 * Edges: one for each binding of a transition that is enabled, by transition and then by the values of the variables in the order
 * in which the transition binds them (net.h).  A binding is one edge however many tokens of the same colour it could take;
 * `per_token` counts each way of choosing tokens for an arc that speaks of variables as an edge of its own, as some tools do.
 *
 * Names: a place is Page'Place, or Place where that is not ambiguous; instances of pages beyond the first are Page'Place 2, ...
 * as in CPN Tools. */
#ifndef COLOUR_COLOUR_H
#define COLOUR_COLOUR_H

#include "colour/drawing.h"
#include "model/model.h"

struct flat;

struct colour_override {
  const char *name, *value;
};

/* A state space has every outcome of a draw, and no transition that cannot be understood.  Whoever draws is content with less: a transition that needs a name which nobody declares, or something that works elsewhere (files, other programs), is left out with a
   warning that says so. */
enum colour_draws {
  COLOUR_CHOOSES,        /* draws are choices: a state space */
  COLOUR_DRAWS,          /* a state draws anew each time its successors are asked for; until then its edges stay what they are: simulations */
  COLOUR_DRAWS_BY_STATE, /* what a state draws follows from it and the seed: models that are looked at */
};

struct colour_setup {
  const struct colour_override *marking; /* initial markings in place of the drawing's: place, CPN ML text */
  size_t markings;
  const struct colour_override *define; /* val NAME = VALUE in place of the drawing's val or fun */
  size_t defines;
  int per_token;
  enum colour_draws draws; /* do random functions draw numbers, by `seed`? */
  uint64_t seed;
  uint64_t step_limit; /* of one evaluation; 0 = 10 million */
  size_t remember;     /* bytes for bindings and moves that are remembered (bind.h); 0 = an eighth of the budget, at most 128 MB */
};

/* Takes over the drawing, also when it fails. */
int colour_model_open(struct model **out, struct drawing *, const struct colour_setup *, const char *language, struct mem *,
                      struct err *);
/* Raises the two to the most tokens of one colour in one place, and in all places together, of this state. */
void colour_peaks(const struct model *, const uint32_t *state, uint32_t *in_place, uint64_t *in_marking);
const struct drawing *colour_model_drawing(const struct model *); /* NULL: not a coloured net */
/* How many tokens a place has; -1: the variable is the clock. */
int64_t colour_tokens(const struct model *, const uint32_t *state, uint32_t var);
/* Which instances the pages of the drawing have, and which variable of the model each of their places is (flatten.h: node_place). NULL: not a coloured net. */
const struct flat *colour_model_flat(const struct model *);
/* Where a group of the model is drawn: an instance, and its number among the transitions of the page. */
void colour_group_drawn(const struct model *, uint32_t group, uint32_t *instance, uint32_t *on_page);

#endif
