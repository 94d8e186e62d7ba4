/* trace.h -- a run of a model from its initial state, as a file and as a story.
 *
 * A trace holds edge indices and groups; states are made again by stepping.  The file
 * (schema "thimble.trace/1", doc/formats/trace.md) names transitions and lists the changed
 * variables of each step, so that other programs and later versions can read it without
 * the model.
 *
 * Steps of processes are told in parts (model.h), and their variables have names and values that depend on the state: such a
 * trace keeps the words itself, and lists only the variables that mean something on the way. */
#ifndef SEARCH_TRACE_H
#define SEARCH_TRACE_H

#include "base/err.h"
#include "model/model.h"
#include "search/search.h"
#include "search/stepper.h"

struct trace_words { /* how people read a variable at one moment */
  const char *name;     /* the model's find_var finds it */
  const char *label;    /* what it is called in stories */
  const char *from, *to; /* values as the language writes them; from is NULL at the start */
  int hidden;           /* parts tell it better, or it is nobody's business */
};

struct trace_change {
  uint32_t var;
  int64_t from, to;
  const struct trace_words *words; /* NULL: the variable's name and the numbers */
};

struct trace {
  struct mem *mem;
  size_t count;   /* steps */
  uint32_t *edge; /* index of the step among its state's successors */
  uint32_t *group;
  size_t vars;
  int64_t *initial;     /* value of each var at the start */
  size_t *change_start; /* changes of step i are change[change_start[i] .. change_start[i+1]) */
  struct trace_change *change;
  size_t change_count;
  /* Processes; all of it NULL and 0 for other models. */
  const struct model *model;       /* borrowed: it names the groups; NULL for a trace from a file */
  struct arena text;               /* where the words below live */
  struct trace_words *start;       /* per variable */
  size_t *part_start;              /* parts of step i are part[part_start[i] .. part_start[i+1]) */
  struct model_part *part;
  size_t part_count;
  struct model_stand *stand; /* where the processes stand at the end */
  size_t stand_count;
  char message[300]; /* what went wrong at the end, in words; "" = the property says it */
  char property[64]; /* id of the property it decides; "" for simulations */
  char verdict[32];  /* "violated", "reached", "" */
  int shortest;
  int64_t loop; /* first step of the loop of a lasso; -1 = none */
  struct trace_branch *branch; /* runs that begin like this one and tell another part of why; only the first run of such a tree has them */
  size_t branch_count;
};

/* It begins with the first `at` steps of run `of`: 0 is the one that has the branches, n is branch n - 1. */
struct trace_branch {
  size_t of, at;
  struct trace *run;
};

/* Replays a path with the slow definition of the language (replay.c) and keeps what changed. -1 with err if a
   step is not enabled or does not lead where the engine said: an internal error, never shown as a verdict. */
int trace_make(struct trace *out, struct model *, const struct search_path *path, struct mem *, struct err *);
/* The same for a run that is known by its groups only; the edges are looked up. For models in which a group makes at
   most one successor of a state (nets). */
int trace_make_groups(struct trace *out, struct model *, const uint32_t *groups, size_t count, struct mem *, struct err *);
/* One step of a model that is moved by hand, as a trace of its own; the stepper goes on to the k-th successor. 1; 0 if there is none;
   -1 with err. */
int trace_take(struct trace *out, struct stepper *, uint32_t k, struct err *);
void trace_free(struct trace *); /* a zeroed one is fine */

#endif
