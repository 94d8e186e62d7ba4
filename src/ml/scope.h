/* scope.h -- what names mean: entering and leaving scopes, and asking.  See names.c. */
#ifndef ML_SCOPE_H
#define ML_SCOPE_H

#include "ml/world.h"

void ml_names_close(struct ml *);
struct ml_symbol *ml_symbol_known(const struct ml *, const char *text, size_t length); /* NULL: nobody has used it yet */

/* A scope: everything that got a meaning since `enter` loses it, or keeps it for good. */
size_t ml_scope_enter(const struct ml *);
void ml_scope_leave(struct ml *, size_t mark);
void ml_scope_keep(struct ml *, size_t mark);
int ml_scope_drop(struct ml *, size_t before, size_t between); /* -1: memory */

/* Gives a name a new meaning, which the caller fills in; it hides the old one. NULL: memory. */
struct ml_meaning *ml_mean(struct ml *, const char *name, enum ml_meaning_kind);
struct ml_type_meaning *ml_mean_type(struct ml *, const char *name, struct ml_type *);
int ml_mean_infix(struct ml *, const char *name, int infix, int right);
int ml_mean_bottom(struct ml_symbol *, struct ml_meaning *); /* below all others */

/* The innermost meaning that the text being checked may see; NULL: none. The library is not asked (library.h). */
struct ml_meaning *ml_meaning(const struct ml *, const char *name);

/* Errors of a text: place, what the text is (where), excerpt and caret. Returns -1. */
int ml_fault(struct err *, const struct ml_text *, struct place_in_text, size_t offset, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
