/* library.h -- what everybody knows: library.def and the prelude, by name.  See library.c. */
#ifndef ML_LIBRARY_H
#define ML_LIBRARY_H

#include "ml/world.h"

int ml_library_open(struct ml *, struct err *); /* types, constructors, exceptions */
/* What a name means, library and prelude included. NULL with *failed 0: nothing. */
struct ml_meaning *ml_lookup(struct ml *, const char *name, int *failed, struct err *);
/* The same for one of the names that an O line of library.def leads to. */
struct ml_meaning *ml_lookup_exact(struct ml *, const char *text, int *failed, struct err *);
/* A function of a colour set, "DBM.all"; failed: a sentence in why, or ML_WHY_MEMORY. */
#define ML_WHY_MEMORY "there is no memory"
struct ml_meaning *ml_lookup_colset(struct ml *, const char *name, const struct ml_colset **, const char **why, uint32_t *part);
struct ml_overload {
  const char *name, *list, *ms, *tms;
};
extern const struct ml_overload ml_overloads[];
const char *ml_library_name(uint32_t number);
struct near;
void ml_library_offer(struct near *); /* all names, for suggestions */

/* prelude.c: the text that declares a name; NULL: it is not of the prelude. */
const char *ml_prelude_text(const char *name);
const char *ml_prelude_name(uint32_t number); /* NULL: no more */

/* ml.c: declares a text of the prelude and says what its first name means. */
struct ml_meaning *ml_declare_prelude(struct ml *, const char *name, const char *text, struct err *);

/* check_pattern.c: a type as text, with 'num, 'ord, 'int. NULL: error. */
struct ml_scheme *ml_scheme_read(struct ml *, const char *text, struct ml_type *const *given, const char *const *given_name,
                                 uint32_t givens, struct err *);
int ml_open_structure(struct ml *, const char *structure, struct err *);

#endif
