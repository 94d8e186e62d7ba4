/* match.h -- a match between a person and the tool about a property: the door to games for terminals and browsers.  No input, no output.
 *
 * The person plays the side that it believes in, the tool the other one, as well as that can be played (search/duel.h).  One at a time:
 *
 *   struct match *m;
 *   match_open(&m, &setup, &verdict, err)              explores the model; without a complete graph there is no match, and the verdict says why
 *   while (match_look(m)->turn != MATCH_OVER)
 *     if (match_look(m)->turn == MATCH_YOURS) match_take(m, k, err);   else match_answer(m, err);
 *
 * Moves that nobody could have made otherwise are made at once and stand in the list of plies all the same.  Everything that is told is text of the match or the model; it lives until the next call that
 * changes the match. */
#ifndef RUN_MATCH_H
#define RUN_MATCH_H

#include "run/run.h"
#include "search/duel.h"
#include "search/stepper.h"

struct match;

struct match_setup {
  const struct run_setup *run; /* memory, model, limits, listeners; its properties do not matter */
  const struct prop *prop;     /* PROP_CTL or PROP_STRATEGY; must outlive the match */
  struct owners *owners;       /* of wishes; NULL = what the model says */
  enum duel_side you;
};

enum match_turn { MATCH_YOURS, MATCH_TOOLS, MATCH_OVER };

struct match_look {
  enum match_turn turn;
  const char *stake;  /* what is at stake in this state, in a sentence */
  const char *asked;  /* what the one who moves has to decide; "" when it is over */
  size_t moves;       /* of the one who moves */
  int you_can_win;    /* if you play well from here on */
  int you_won;        /* MATCH_OVER */
  const char *why;    /* MATCH_OVER: what decided it, in a sentence; else "" */
  size_t plies;       /* made so far */
  size_t steps;       /* of the model, made so far */
};

struct match_move {
  const char *deed;  /* "pick", "claim", "doubt", "on", "step", "name", "wait", "let" */
  char text[600];    /* for people */
  int64_t edge;      /* which successor of the state it is about; -1 = none */
  int64_t group;     /* likewise: the transition */
  int goes;          /* the state changes by it */
};

struct match_ply {
  int yours, forced;
  struct match_move move;
};

/* 0, or -1 with err. `out` is NULL when the exploration was not complete: the verdict tells. Close the verdict in any case. */
int match_open(struct match **out, const struct match_setup *, struct verdict *, struct err *);
void match_close(struct match *); /* NULL is fine */
const struct match_look *match_look(const struct match *);
/* The k-th move of the one who moves. 0, or -1 with err: memory, no such move. */
int match_move(struct match *, size_t k, struct match_move *, struct err *);
int match_take(struct match *, size_t k, struct err *); /* yours */
int match_answer(struct match *, struct err *);         /* the tool's, where it is its turn */
int64_t match_hint(struct match *, struct err *);       /* the move that the tool would make in your place; -1 with err */
/* Back to where you made your last move, or to the beginning. 1: there was one; 0; -1 with err. */
int match_undo(struct match *, struct err *);
/* What was played. 0, or -1 with err. */
int match_ply(struct match *, size_t i, struct match_ply *, struct err *);
/* The state that the match is in: stands there, expanded. It belongs to the match. */
struct stepper *match_state(struct match *);
/* Around something that may change the layout of the model's states (another search): the state is given up, and made again. match_wake: 0, or -1 with err: then close the match. */
void match_rest(struct match *);
int match_wake(struct match *, struct err *);
/* The steps of the model that were made: edges, match_look()->steps of them. */
const uint32_t *match_edges(const struct match *);

#endif
