/* branching.h -- a branching property of a model (CTL): what was written, and whether single states can decide it.
 *
 *   always    AG p, !EF p      a state breaks it: searched for like an invariant, by every search and store
 *   sometime  EF p, !AG p      a state shows it: likewise
 *   graph     everything else  decided on the whole graph (search/ctl.h)
 *
 * The atoms are state expressions over the model's names (expr.h). */
#ifndef PROP_BRANCHING_H
#define PROP_BRANCHING_H

#include "prop/temporal.h"

enum branching_shape { BRANCHING_GRAPH, BRANCHING_ALWAYS, BRANCHING_SOMETIME };

struct branching_formula {
  struct mem *mem;
  char *text;
  struct formulas *formulas;
  formula formula;
  enum branching_shape shape;
  formula inner; /* always, sometime: a state decides it in which this boolean formula ... */
  int wanted;    /* ... has this truth */
  struct atoms names;
  struct expr *expr[FORMULA_ATOMS];
};

int branching_open(struct branching_formula **out, const struct temporal_source *, const struct model *, struct mem *, struct err *);
void branching_close(struct branching_formula *); /* NULL is fine */

int branching_needs_cursor(const struct branching_formula *);
/* always, sometime: does this state decide it? By the engine, and by the definition of the language. */
int branching_decided(const struct branching_formula *, struct model_cursor *, const uint32_t *state);
int branching_define(const struct branching_formula *, const struct model *, const int64_t *values);

#endif
