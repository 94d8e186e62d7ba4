/* thimble.h -- explicit-state model checking as a library.
 *
 * Bring a model: an initial state and a successor function over vectors of 32-bit words.
 * Thimble explores it inside a memory budget, with any of its stores and searches, and
 * gives a complete verdict or an honest account of how far it got.
 *
 *   static void initial(void *c, uint32_t *s) { s[0] = 0; }
 *   static void successors(void *c, const uint32_t *s, struct thimble_successors *out) {
 *     uint32_t *t = thimble_add(out, 0);          // a successor by action 0
 *     if (t) t[0] = (s[0] + 1) % 1000;
 *   }
 *   struct thimble_model m = {.words = 1, .initial = initial, .successors = successors};
 *   struct thimble_result r;
 *   thimble_check(&m, NULL, &r);                  // r.states == 1000
 *   thimble_result_free(&r);
 *
 * Or check a file that Thimble can read: thimble_check_file("model.pnml", NULL, &options, &r).
 *
 * Link with `pkg-config --cflags --libs thimble`.  Functions may be called from several
 * threads as long as each call has its own structs.  Nothing is printed, nothing exits. */
#ifndef THIMBLE_H
#define THIMBLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct thimble_successors; /* where a successor function puts its results */

/* A fresh successor, all words zero, to be filled in before the next call: reached by `action`, a number of your
 * own.  NULL when memory ends: return at once, the run then ends as incomplete. */
uint32_t *thimble_add(struct thimble_successors *out, unsigned action);

struct thimble_model {
  unsigned words; /* 32-bit words per state, at least 1 */
  unsigned bits;  /* how many of their bits count, from the lowest of word 0 on; 0 = all. Fewer bits, less memory. The
                     others must stay zero. */
  void *context;  /* passed to every function */

  void (*initial)(void *context, uint32_t *state); /* words are zero before */
  /* All successors, by thimble_add, always the same ones in the same order for the same state, about which it may be
     asked several times: a model that answers otherwise the second time is told so (THIMBLE_ERROR). */
  void (*successors)(void *context, const uint32_t *state, struct thimble_successors *out);

  /* All below may be NULL. */
  const char *(*action_name)(void *context, unsigned action);
  unsigned actions;             /* how many there are, numbered from 0, so that fireable(NAME) works: can an action of this
                                   name happen? 0 = not told: their numbers are whatever you like */
  const char *const *variables; /* NULL-terminated names for properties and traces */
  int64_t (*value)(void *context, const uint32_t *state, unsigned variable);
  int (*is_end)(void *context, const uint32_t *state); /* 1: having no successors is no deadlock here */
  const char *name;                                    /* for reports */
  int (*is_uncontrollable)(void *context, unsigned action); /* games: 1: the action is the environment's; NULL: names that begin with env_ are */
};

struct thimble_options { /* zero means the default, so `= {0}` is a good start */
  size_t memory;         /* bytes for everything; default 80 % of the machine or container */
  double seconds;        /* limits: none */
  uint64_t max_states, max_depth;
  const char *store;             /* "auto" */
  const char *search;            /* "auto": breadth-first, after a short directed search if there are no max_states, max_depth and explore_all */
  int ignore_deadlock;           /* 0: a state without successors violates the property "deadlock" */
  int explore_all;               /* go on after violations: counts are those of the whole space */
  const char *const *invariants; /* NULL-terminated expressions over the variables */
  const char *const *reachable;  /* likewise */
  const volatile int *interrupt; /* set it from elsewhere to end the run */
  const char *const *ltl;        /* NULL-terminated formulas about all runs: "[] (x > 0 -> <> x == 0)" */
  const char *const *ctl;        /* likewise, branching: "AG EF (x == 0)" */
  int fair;                      /* ltl: of models made of processes, only runs that are weakly fair to each */
  const char *const *strategies; /* likewise, games: "reach x == 0", "keep x > 0", whatever the environment does */
  int ignore_claims;             /* 0: what a file states itself is checked, too: assertions, run-time errors, its claims and formulas */
  const char *disk;              /* folder for temporary files of states, for when memory ends, or from the start with the store "disk"; NULL: nothing is written */
  uint64_t disk_bytes;           /* the most that they take; 0: what the disk has */
};

enum thimble_verdict { THIMBLE_HOLDS, THIMBLE_VIOLATED, THIMBLE_INCOMPLETE, THIMBLE_LOSSY, THIMBLE_ERROR };

struct thimble_step {
  unsigned action;  /* as given to thimble_add; for files the number of the transition */
  unsigned edge;    /* which of the state's successors it is, from 0 */
  const char *name; /* of the action; "" when unnamed */
};

struct thimble_result {
  enum thimble_verdict verdict;
  int complete;     /* every reachable state was explored */
  const char *stop; /* why the search ended: "complete", "violation", "memory", "time", ... */
  uint64_t states, transitions, deadlocks, depth;
  size_t peak_bytes, store_bytes;
  double seconds;
  char property[64];          /* the first property that is violated, or reached; "" = none */
  struct thimble_step *steps; /* the run that shows it, replayed before it is given */
  size_t step_count;
  int shortest;      /* no shorter run shows it */
  size_t loop;       /* the steps from here on are repeated for ever; step_count = the run ends */
  char message[640]; /* errors: file:line:column: what is wrong */
  void *own;         /* Thimble's */
};

/* Both return 0, or -1 with verdict THIMBLE_ERROR and a message. Free the result in either case. */
int thimble_check(const struct thimble_model *, const struct thimble_options *, struct thimble_result *);
/* language NULL: told from the file's suffix, or from its text. */
int thimble_check_file(const char *file, const char *language, const struct thimble_options *, struct thimble_result *);
void thimble_result_free(struct thimble_result *);

/* Runs the steps of a result again (by their edges): calls `see` with each state, the initial one first. For printing a
 * trace. Returns the number of steps that could be taken. */
size_t thimble_replay(const struct thimble_model *, const struct thimble_step *steps, size_t count,
                      void (*see)(void *context, const uint32_t *state, size_t step), void *context);

const char *thimble_version(void);

#ifdef __cplusplus
}
#endif

#endif
