/* look_ahead.h -- a few short random walks before the first state is stored.
 *
 * Models that pack values into as few bits as they have seen need for (model.h: widening) learn from them how large values become: otherwise each surprise passes over all states.  What they miss is found later all the
 * same. */
#ifndef MODEL_LOOK_AHEAD_H
#define MODEL_LOOK_AHEAD_H

#include "model/model.h"

/* Hears of every state whose successors were made; not 0 ends it. */
typedef int look_ahead_hear(void *context, struct model_cursor *);
/* Walks and lets the model widen, until so many successors were made, or 4000 steps taken. A help, not a need: without memory it ends early. hear may be NULL. */
void model_look_ahead(struct model *, size_t successors, look_ahead_hear *, void *context);

#endif
