/* types.h -- making types, unifying them, schemes.  See type.c and unify.c. */
#ifndef ML_TYPES_H
#define ML_TYPES_H

#include "ml/world.h"

enum { ML_GENERIC = UINT32_MAX }; /* the level of a variable that belongs to a scheme */

/* NULL: memory. */
struct ml_type *ml_type_new(struct ml *, enum ml_type_kind, uint32_t parts);
struct ml_type *ml_type_of(struct ml *, enum ml_type_kind, struct ml_type *part);
struct ml_type *ml_type_var(struct ml *, uint32_t level, uint32_t demand);
struct ml_type *ml_type_arrow(struct ml *, struct ml_type *from, struct ml_type *to);
struct ml_type *ml_type_data(struct ml *, const struct ml_data *,
                             struct ml_type *part);            /* of one argument, or (part NULL) none */
struct ml_scheme *ml_scheme_of(struct ml *, struct ml_type *); /* nothing to replace */

int ml_type_is_list(const struct ml *, const struct ml_type *); /* of a type that ml_type_find gave */

enum ml_unified {
  ML_UNIFIED,
  ML_CLASH,    /* two different types */
  ML_CIRCULAR, /* a type would contain itself */
  ML_DEMAND,   /* overloading or equality asks for something else */
  ML_TOO_LARGE,
  ML_NO_MEMORY,
};

/* Work that one text may cause: types can grow beyond all bounds in a few lines. */
struct ml_effort {
  uint64_t steps;
};
enum ml_unified ml_unify(struct ml *, struct ml_effort *, struct ml_type *, struct ml_type *);
int ml_may_unify(const struct ml_type *, const struct ml_type *,
                 int depth); /* looks only, and does not look at what variables already share */
/* Variables above this level become variables of the schemes, which are of one declaration; those that overloading has an eye on
   do not. -1: memory, or too large. */
int ml_generalise(struct ml *, struct ml_effort *, struct ml_scheme *const *, size_t count, uint32_t level);
/* Replaces parameters. NULL: memory, or too large. */
struct ml_type *ml_substitute(struct ml *, struct ml_effort *, struct ml_type *, uint32_t count, struct ml_type *const *parameter,
                              struct ml_type *const *argument);

/* The part of a record or tuple with this label; -1: there is none. */
int ml_type_label(const struct ml_type *, const char *label);

#endif
