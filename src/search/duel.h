/* duel.h -- two games that are played on a graph, move by move: about a branching formula, and about a wish against the environment.
 *
 * Two sides: FOR says that the formula is true in the first state (that the controllable side can have its wish), AGAINST says that it is not.  A position is a state and what is at stake there; it is over,
 * or one side has to choose among moves.  Everything here is a function of the position: who plays, what has been played and what people read is run/match.h.
 *
 * Formulas.  At stake is a part of the formula and the truth that FOR says it has.  A part that speaks of single states decides the play.  Of a conjunction AGAINST picks what FOR has to defend, of a
 * disjunction FOR does.  Below E the step is picked by FOR, below A by AGAINST.  f U g: FOR says that g is true here, or goes on, and then AGAINST may doubt f here; f R g: AGAINST may doubt g here, or goes on, and
 * then FOR may say that f is true here.  A play that comes back to where it was could go round for ever: then nothing decides U, F and M, and AGAINST has won; W, R and G are kept, and FOR has.  What FOR says is false
 * is the dual with false parts.  The value of a position is known from the sets of the formula's parts (ctl.h): FOR wins iff what it says is so.
 *
 * Wishes.  In each state FOR names one of its steps, or waits if the environment has one; AGAINST takes a step of the environment, or lets the other happen (doc/games.md). */
#ifndef SEARCH_DUEL_H
#define SEARCH_DUEL_H

#include "search/ctl.h"
#include "search/game.h"

enum duel_side { DUEL_FOR, DUEL_AGAINST };

#define DUEL_NO_EDGE (-1)

struct duel_position {
  uint32_t state;
  formula part;   /* of formulas */
  uint8_t truth;  /* what FOR says that it has */
  uint8_t phase;  /* 0 = it has just come up; else how far the sides have come: duel_formula.c, duel_wish.c */
  int32_t named;  /* of wishes: the step that FOR has named; DUEL_NO_EDGE = it waits */
};

enum duel_deed {
  DUEL_PICK,  /* one part of several */
  DUEL_CLAIM, /* says that a part decides the matter here */
  DUEL_DOUBT, /* says that what must be true on the way is not, here */
  DUEL_ON,    /* neither: goes on */
  DUEL_STEP,  /* the step itself */
  DUEL_NAME,  /* the step that FOR would take */
  DUEL_WAIT,
  DUEL_LET,   /* the step that was named happens */
};

struct duel_move {
  enum duel_deed deed;
  int64_t edge; /* of the steps; else DUEL_NO_EDGE */
  struct duel_position to;
};

enum duel_reason {
  DUEL_GOES_ON,
  DUEL_TRUTH,   /* the part is what it is in this state */
  DUEL_REACHED, /* a wish is granted, or spoiled */
  DUEL_STUCK,   /* nothing can happen */
  DUEL_IDLE,    /* both wait */
  DUEL_ROUND,   /* the play has come back: duel_again */
};

struct duel_view {
  enum duel_reason over;
  enum duel_side winner, mover; /* of a play that is over; of one that goes on */
  struct vec(struct duel_move) move;
};

struct duel {
  struct mem *mem;
  const struct kripke *k;
  /* formulas */
  const struct formulas *fs;
  formula root;
  struct ctl *ctl;
  struct attractor *rank; /* per formula, made when first asked for */
  /* wishes: solved; ctl is NULL */
  struct game game;
};

/* The graph and the formulas must outlive it. 0, or -1 with err: memory, ERR_LIMIT, ERR_INPUT: no CTL. */
int duel_open_formula(struct duel *, const struct formulas *, formula, const struct kripke *, const struct model_patience *, struct mem *, struct err *);
int duel_open_wish(struct duel *, int keep, const struct kripke *, const struct model_patience *, struct mem *, struct err *);
void duel_close(struct duel *); /* also of a zeroed struct */

struct duel_position duel_begin(const struct duel *);
/* Who moves and how; the view's list is used again (zero it at first, free it with vec_free). 0, or -1 with err: memory. */
int duel_look(const struct duel *, const struct duel_position *, struct duel_view *, struct err *);
/* Does FOR win from there, if both play well? */
int duel_value(const struct duel *, const struct duel_position *);
/* The play has come to a position where it was before: who wins then. */
enum duel_side duel_again(const struct duel *, const struct duel_position *);
/* The move that the mover should make: one that wins soonest, or that loses latest. Its index, or -1 with err: memory, ERR_LIMIT. */
int64_t duel_best(struct duel *, const struct duel_position *, const struct duel_view *, struct err *);

static inline int duel_same(const struct duel_position *a, const struct duel_position *b) {
  return a->state == b->state && a->part == b->part && a->truth == b->truth && a->phase == b->phase && a->named == b->named;
}

/* ---- between the files ---- */
int duel_add(const struct duel *, struct duel_view *, enum duel_deed, int64_t edge, struct duel_position to, struct err *);
int duel_add_steps(const struct duel *, struct duel_view *, struct duel_position to, struct err *); /* every step of its state, to positions like this one there */
void duel_settle(const struct duel *, struct duel_position *);
int duel_look_formula(const struct duel *, const struct duel_position *, struct duel_view *, struct err *);
int duel_look_wish(const struct duel *, const struct duel_position *, struct duel_view *, struct err *);
int duel_value_formula(const struct duel *, const struct duel_position *);
int duel_value_wish(const struct duel *, const struct duel_position *);
enum duel_side duel_again_formula(const struct duel *, const struct duel_position *);
/* How many steps whoever wins still needs at most, as far as steps are counted; 0 = nobody needs any. -1 with err. */
int64_t duel_distance_formula(struct duel *, const struct duel_position *, struct err *);
int64_t duel_distance_wish(const struct duel *, const struct duel_position *);

#endif
