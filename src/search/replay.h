/* replay.h -- the independent slow checker: a path is believed only after this. */
#ifndef SEARCH_REPLAY_H
#define SEARCH_REPLAY_H

#include "prop/prop.h"
#include "search/search.h"

/* Runs the path on plain values with the model's define_* functions, comparing with the engine's states at each
   step, and checks that the last state decides `prop` (NULL = no property). 0, or -1 with err. */
int replay_path(struct model *, const struct search_path *, const struct prop *, struct mem *, struct err *);

#endif
