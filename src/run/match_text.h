/* match_text.h -- a match, for the files that make it: what it holds, and what people read of it. */
#ifndef RUN_MATCH_TEXT_H
#define RUN_MATCH_TEXT_H

#include "run/match.h"

enum { MATCH_TEXT = 800 };

struct match_made { /* a ply */
  struct duel_position before;
  enum duel_side mover;
  struct duel_move move;
  int forced;
};

struct match {
  struct mem *mem;
  struct run_setup run;
  const struct prop *prop;
  enum duel_side you;
  struct kripke graph;
  struct owners own, *owners;
  struct duel duel;
  struct stepper state;
  struct duel_position at;
  struct duel_view view;
  struct vec(struct match_made) plies;
  struct vec(uint32_t) edge;
  struct match_look look;
  char stake[MATCH_TEXT], asked[MATCH_TEXT], why[MATCH_TEXT];
};

/* Fills in `look` by position and view. 0, or -1 with err: memory. */
int match_describe(struct match *, struct err *);
/* A move from a position, in the state that the stepper stands in, expanded. */
int match_write_move(struct match *, struct stepper *, enum duel_side mover, const struct duel_position *, const struct duel_move *, struct match_move *out, struct err *);

#endif
