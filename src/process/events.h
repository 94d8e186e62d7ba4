/* events.h -- trace and notrace assertions: an automaton that watches sends and receives. */
#ifndef PROCESS_EVENTS_H
#define PROCESS_EVENTS_H

#include "process/machine.h"

/* Told after each communication, with the message in the machine; the automaton's state is the cell IMAGE_EVENT. */
void events_follow(struct runtime *, uint32_t comm, uint32_t slot, int32_t chan);

/* Where the trace stands, by the state of its automaton, if it may not end there; NULL = it may, or there is none. */
const struct ir_state *events_unfinished(const struct program *, int64_t event);

#endif
