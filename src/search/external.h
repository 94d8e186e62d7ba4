/* external.h -- breadth-first search with states on disk (store/disk.h): what bfs.c becomes when its store answers late.
 *
 * Successors are told as EDGE when they are made; which of them were new is known at the end of the layer: NEW comes then, for all states of the next layer in the order of their numbers, and
 * SEEN for all others if somebody wants to hear it (without a number).  EXPANDED and FAULT come as ever, LAYER after the last NEW.  Where a listener wants both NEW and the edges
 * (EDGE or SEEN), candidates carry their sources along, which takes 16 bytes more for each on disk; otherwise NEW comes without source, edge and group (STORE_NONE, UINT32_MAX, 0).
 *
 * Paths are found backwards: the states of the layer before are expanded again until one of them has the state as a successor. */
#ifndef SEARCH_EXTERNAL_H
#define SEARCH_EXTERNAL_H

#include "search/search.h"

struct external;

/* From the first state on; s->store is a store_disk that has none. 0, or -1 with stop set. */
int external_open(struct external **out, struct search *);
int external_begin(struct external *, struct search *);
/* Or in the middle of a search that began elsewhere: its states have been loaded, but for the end (disk_load_end). */
struct external_start {
  uint64_t number, depth, now; /* of the first state that waits; of its layer; states of the layer that wait */
  store_ref *skip; /* numbers of states that are not to be expanded, from skip_at on: memory that changes hands */
  size_t skips, skip_room, skip_at;
};
int external_go_on(struct external *, struct search *, const struct external_start *);
/* Successors first .. end - 1 of a state, the rest of those of a state of which the first `edge` have been told before. 0, or -1 with stop set. */
int external_add(struct external *, struct search *, const struct model_batch *, size_t first, size_t end, store_ref source, uint32_t edge);
int external_run(struct external *, struct search *); /* 0, or -1 with stop set */
int external_path(struct external *, struct search *, store_ref number, struct search_path *out);
void external_close(struct external *, struct search *);
/* Why the store could not go on: sets stop to STOP_DISK or STOP_MEMORY. Returns -1. */
int external_failed(struct search *);

#endif
