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

/* ---- with a journal (external_keep.c, external_again.c) ---- */
/* Can another process go on with files of such states? Words of states must mean the same there. */
int external_keeps(const struct model *);
#define EXTERNAL_CANNOT_KEEP "states went to disk, and those of this model are numbers of values that only this run has met: what came later is not in it"
/* The journal names files: the search goes on with them. 1; 0: it does not; -1 with stop set. */
int external_rejoin(struct external **out, struct search *);
/* The folder that the journal names, which is to be gone on from; NULL: it names none, or memory. The caller frees it. */
struct journal;
char *external_folder(struct journal *, struct mem *);
/* It has a tree: states are found again, on disk, without asking which are new. 0, or -1 with stop set. */
int external_replay(struct external *, struct search *);
/* Why the store could not go on: sets stop to STOP_DISK or STOP_MEMORY. Returns -1. */
int external_failed(struct search *);

#endif
