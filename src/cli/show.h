/* show.h -- a state as the terminal shows it. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "model/model.h"

/* Where processes stand, and all values that are not 0, on standard output. */
void show_state(const struct model *, const uint32_t *state);

#endif
