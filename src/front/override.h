/* override.h -- --marking and --define on a model that was read. */
#ifndef FRONT_OVERRIDE_H
#define FRONT_OVERRIDE_H

#include "front/front.h"
#include "net/pt.h"

/* Sets the initial markings that the user asked for. Unknown places: ERR_USAGE with the nearest name as hint. */
int front_override_markings(struct pt_net *, const struct front_setup *, struct err *);
/* For languages without parameters or without markings: refuses what was given. `language` for the message. */
int front_no_defines(const struct front_setup *, const char *language, struct err *);
int front_no_markings(const struct front_setup *, const char *language, struct err *);

/* The one of `count` names nearest to what was typed, or NULL if none is near. `name(context, i)` may give NULL. */
const char *front_nearest(const char *typed, size_t length, const char *(*name)(const void *context, size_t i),
                          const void *context, size_t count);

#endif
