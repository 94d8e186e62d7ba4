/* game.h -- who wins a game on a graph, with a strategy of the winner: what it does in each state that its plays can come to.
 *
 * The controllable side wants to reach states with a condition, or to keep it for ever (doc/games.md has the rules).  Whoever wins has a strategy that looks at the state alone.  A strategy is a
 * list of states in the order in which a breadth-first walk finds them that follows every step the other side may take and, of the winner's steps, the one that the strategy takes:
 *
 *   from, edge   the state of the list from which it was found first, and which of its successors it is
 *   move         the successor that the winner takes; STRATEGY_WAIT: none, the other side moves (or nothing can happen); STRATEGY_DONE: what is sought is reached, the play is over
 *   rank         at most so many steps are left until it is reached; 0 for those who only have to avoid something
 *
 * The list is enough to follow the strategy with a model and nothing else: game_confirm.h does. */
#ifndef SEARCH_GAME_H
#define SEARCH_GAME_H

#include "search/attract.h"
#include "search/ctl_story.h"

#define STRATEGY_WAIT (-1)
#define STRATEGY_DONE (-2)

struct strategy_row {
  uint32_t from, edge;
  int32_t move;
  uint32_t rank;
  uint32_t group; /* of the move, where there is one; told when it is confirmed */
};

struct game {
  const struct graph *graph; /* edges with their owners */
  uint64_t states;
  const uint64_t *truth; /* of the condition */
  int keep;              /* else it is to be reached */
  struct attractor way;  /* ranks of the side that seeks: the controllable one, or with `keep` the environment, which seeks states without the condition */
};

enum strategy_proof { STRATEGY_BY_GRAPH, STRATEGY_BY_STEPS, STRATEGY_BY_DEFINITION }; /* what has confirmed it beside the graph */

struct strategy {
  struct mem *mem;
  int keep;
  int winner; /* OWNER_* */
  struct strategy_row *row;
  size_t count;
  int sure; /* ranks are the least that there are */
  enum strategy_proof proof;
  char *file; /* where it was written; NULL = nowhere */
};

/* Solves it. 0, or -1 with err: memory, ERR_LIMIT. */
int game_open(struct game *, const struct graph *, uint64_t states, const uint64_t *truth, int keep, const struct model_patience *, struct mem *, struct err *);
void game_close(struct game *); /* also of a zeroed struct */
/* Does the controllable side win from there? */
static inline int game_won(const struct game *g, uint64_t s) { return (g->way.rank[s] != ATTRACT_NEVER) != g->keep; }
/* What the winner does in a state from which it wins: as strategy_row.move. */
int32_t game_move(const struct game *, uint64_t state);

/* The winner's strategy from the first state on. 0, or -1 with err: memory, ERR_LIMIT. */
int strategy_make(struct strategy *, const struct game *, const struct model_patience *, struct mem *, struct err *);
void strategy_free(struct strategy *); /* also of a zeroed struct */

/* A play in which the winner follows its strategy and the other side resists as long as it can: a run, which comes back to where it was, ends where nothing can happen, or where what was sought is reached.
   0, or -1 with err: memory. Free it with ctl_tree_free, as the only run of a tree. */
int strategy_play(struct ctl_story *, const struct game *, struct mem *, struct err *);

#endif
