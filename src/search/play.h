/* play.h -- why two states do not behave alike: a play between one who wants to show it and one who does not.
 *
 * In each round the first picks one of the two states and a step of it that the other cannot answer well; the second answers with the step of the same label that
 * hides the difference longest (where hidden steps do not count it may go through some that change nothing before, and stay where it is when the step is hidden).  It
 * ends with a step that cannot be answered at all.  The number of rounds is the least that is needed. */
#ifndef SEARCH_PLAY_H
#define SEARCH_PLAY_H

#include "search/refine.h"

struct play_round {
  int second; /* the step is one of the second state, the answer one of the first */
  uint32_t label;
  enum { PLAY_ANSWERED, PLAY_STAYED, PLAY_NO_ANSWER } answer; /* the last is the last round's */
};
struct play {
  struct mem *mem;
  struct play_round *round;
  size_t count;
};
/* On a graph no two states of which are alike (a quotient). 0, or -1 with err: memory, ERR_LIMIT. */
int play_find(struct play *, const struct graph *, uint32_t a, uint32_t b, enum bisimulation, const struct model_patience *, struct mem *, struct err *);
void play_close(struct play *);

#endif
