/* growth.h -- does some loop of a program make a channel grow for ever?
 *
 * Testing for unboundedness of FIFO channels (Jeron, STACS 1991; named as an application of depth-first traversal with replacement by Jard and Jeron): on the stack of a depth-first search, a
 * state s and a state t above it, reached from s by the steps L, such that
 *
 *   - s and t have the same control (process/fifo.c): they differ in the contents of buffered channels alone;
 *   - in each channel the contents of s are a beginning of those of t, and in some channel t has more;
 *   - L is possible again from t, and again from where that leads, through the same controls, and the contents still grow so.
 *
 * Then L can be repeated for ever.  Let L read the word `in` from a channel and write `out` to it, and w, v, u be its contents before, between and after two rounds: w out = in v and v out =
 * in u.  With v = w z and u = v z', out = y z where w y = in w, and z y z = y z z': so z' = z, and y and z commute: both are powers of one word, and
 *
 *   w out out out ... = in in in ...    (or `in` is empty),          |in| <= |out|.
 *
 * So each round finds the same messages in the same order, as many as it needs.  The only other thing that a step can learn of a channel is whether it is empty (else, timeout, a sequence that stops being
 * atomic; unbounded.c refuses programs that learn more).  A channel that grows has at least as many messages at each moment of a round as at the same moment of the round
 * before, and one more: from the second round on it is never empty, and the third is like the second, the fourth like the third.
 *
 * The search compares controls by their hash and takes the two rounds by the definition of the language.  Before anything is told the whole run is replayed: controls are compared cell by cell, and
 * `in` and `out` of the second and the third round, taken from the parts of their steps, must be the same and fulfil the equation.  A loop that starts or ends processes is not believed.
 *
 * The condition is sufficient, not necessary: whether a channel is bounded cannot be decided.  A search that ends without a loop and without a channel of 255 messages has seen all states: then the
 * longest contents met are the bounds. */
#ifndef RUN_GROWTH_H
#define RUN_GROWTH_H

#include "process/process.h"
#include "run/liveness.h"
#include "search/refmap.h"
#include "search/search.h"

enum { GROWTH_CHANNELS = 256 };

struct growth_frame {
  uint32_t edge, group; /* by which it was entered */
  uint64_t control;     /* hash */
  uint64_t same;        /* the frame below with this control; REFMAP_NONE = there is none */
  size_t kept;          /* its channels: kept[kept ..): for each its length, then its cells */
};

struct growth {
  struct listener listener;
  struct mem *mem;
  struct model *model;
  struct model_cursor *cursor;
  struct process_fifo now, then;
  struct vec(struct growth_frame) stack;
  struct vec(int32_t) kept;
  struct refmap last; /* from a control to its highest frame */
  int64_t *values, *next; /* by the definition */
  uint32_t vars;
  struct {
    char name[80];
    uint32_t most, declared;
  } channel[GROWTH_CHANNELS]; /* by number; name "" = never seen */
  int failed; /* memory: the search was ended */
  int full;   /* some channel had all the messages that it can hold */
  int found;
  /* found: edges and groups of the way, and of three rounds */
  struct vec(uint32_t) edge, group;
  size_t from, round; /* steps of the way, of a round */
};

int growth_open(struct growth *, struct model *, struct mem *, struct err *);
void growth_close(struct growth *);
/* The second opinion. 1: the loop is confirmed, `text` says what grows; 0: it cannot be proven; -1 with err. */
int growth_confirm(struct growth *, char *text, size_t room, struct err *);
/* "q 3 of 16, r 1 of 2": the longest contents met, and what was declared. */
void growth_bounds(const struct growth *, char *text, size_t room);

/* All of it: a loop is told as a violation, with one round of it as the lasso and what grows in `text`, which has the bounds where nothing does. Close the result as that of liveness_check. */
int growth_check(struct liveness *out, const struct run_setup *, const struct search_limits *, char *text, size_t room, struct err *);

#endif
