/* contest_parts.h -- what the examinations share; nobody outside contest*.c includes it. */
#ifndef RUN_CONTEST_PARTS_H
#define RUN_CONTEST_PARTS_H

#include "base/vec.h"
#include "prop/temporal.h"
#include "run/contest.h"
#include "search/kripke.h"

enum examination { NONE, DEADLOCK, ONE_SAFE, QUASI_LIVE, STABLE, LIVE, REACHABILITY, BRANCHING, LINEAR, BOUNDS };

struct contest {
  const struct run_setup *run;
  const struct queries *queries;
  struct contest_answer *answer; /* per query */
  char **text;                   /* per query: what is left of it, NULL = all */
  char **branching;              /* per linear query: the same as a branching formula, NULL = there is none */
  struct err **problem;          /* per query, NULL = none */
  uint8_t *told;                 /* per query */
  enum examination is;
  contest_hear *hear;
  void *context;
  const char *name;
  double begin; /* clock_now() */
};

static inline enum contest_status contest_truth(int is) { return is ? CONTEST_TRUE : CONTEST_FALSE; }

/* What is left of the time in seconds: 0 = there is no limit. */
double contest_seconds(const struct contest *);

/* A run with further listeners, which hear before the caller's. seconds, states: of its own, 0 = all that are left. */
struct contest_search {
  const struct prop *props;
  size_t count;
  struct listener *own[2]; /* NULL = none */
  const struct store_type *store;
  const struct search_type *search; /* NULL = breadth-first */
  double seconds;
  uint64_t states; /* likewise */
  int reduce;      /* a smaller net for what is asked, and partial orders where they are worth it */
};
int contest_explore(struct contest *, struct verdict *, const struct contest_search *, struct err *);

/* What was used to make a search smaller: CONTEST_BY_... */
unsigned contest_reductions(const struct verdict *);

/* What is inside "(WORD ...)"; 0: it is not of that form. The queries' own writer bracketed it. */
int contest_inside(const char **text, size_t *length, const char *word);

/* The query as it must be asked now: "" = not at all. */
const char *contest_text(const struct contest *, const struct query *, size_t index);
/* Something is wrong with that query, and it has no answer: the error is kept for it and is none of the others'. Returns 0; -1 if it is no fault of the query. */
int contest_blame(struct contest *, size_t index, struct err *);

/* Atoms of queries, each once. */
struct contest_atoms vec(struct expr *);
/* The number of the atom with that text; -1 with err, which has the column within it. */
int contest_atom(struct contest *, struct contest_atoms *, const char *text, size_t length, struct err *);
void contest_atoms_close(struct contest *, struct contest_atoms *);

/* Linear queries that are not answered yet as automata over columns of a graph. */
struct contest_automaton {
  size_t query;
  struct prop prop;
  uint32_t column[FORMULA_ATOMS];
};
struct contest_automata vec(struct contest_automaton);
int contest_automata_open(struct contest *, struct contest_automata *, struct contest_atoms *, struct err *); /* to be closed in any case */
void contest_automata_decide(struct contest *, const struct contest_automata *, const struct kripke *, const struct model_patience *); /* on the whole graph */
void contest_automata_close(struct contest *, struct contest_automata *);

/* Tells what is known by now and was not told yet. */
void contest_tell(struct contest *);

/* Seconds for what needs no search. */
double contest_effort(const struct contest *);
/* Formulas made smaller and answered without a search. */
int contest_settle(struct contest *, struct err *);

/* One question about the net, without a search. happens: per transition, set where it was seen to fire. by: CONTEST_BY_... where there is an answer. */
enum contest_status contest_net_settle(struct contest *, enum examination, uint8_t *happens, unsigned *by);

/* The examinations. 0, or -1 with err. */
int contest_net(struct contest *, enum examination, struct err *);
int contest_simple(struct contest *, struct err *);    /* queries that single states decide, all by one search */
int contest_apart(struct contest *, int last, struct err *); /* each by a search of its own; the first round or the last */
struct contest_shape { /* of "(E (F text))", "(A (G text))" and their negations */
  int reach, negated;
  const char *text;
  size_t length;
};
int contest_shape_of(const char *text, struct contest_shape *); /* 1; 0: it has another */
/* What is inside as a property: 1; 0: something is wrong with that query; -1 with err. */
int contest_shape_prop(struct contest *, const struct contest_shape *, size_t index, struct prop *, struct err *);
/* A state that makes the expression true, by a search of its own: is there one? by: CONTEST_BY_... -1 with err. */
int contest_goal(struct contest *, const char *text, double seconds, enum contest_status *, unsigned *by, struct err *);
#define CONTEST_APART_STATES 30000u /* as far as a first search of its own goes */
enum contest_graph { CONTEST_PART, CONTEST_WHOLE };
int contest_branching(struct contest *, enum contest_graph, struct err *); /* those that are not answered yet */
int contest_linear(struct contest *, int last, struct err *);              /* likewise; the first round or the last */
int contest_bounds(struct contest *, struct err *);

#endif
