/* trace.h -- a run of a model from its initial state, as a file and as a story.
 *
 * A trace holds edge indices and groups; states are made again by stepping.  The file
 * (schema "thimble.trace/1") names transitions and lists the changed variables of each
 * step, so that other programs and later versions can read it without the model. */
#ifndef SEARCH_TRACE_H
#define SEARCH_TRACE_H

#include "base/err.h"
#include "model/model.h"
#include "search/search.h"

struct trace {
  struct mem *mem;
  size_t count;          /* steps */
  uint32_t *edge;        /* index of the step among its state's successors */
  uint32_t *group;
  size_t vars;
  int64_t *initial;      /* value of each var at the start */
  /* changes of step i are change[change_start[i] .. change_start[i+1]) */
  size_t *change_start;
  struct { uint32_t var; int64_t from, to; } *change;
  size_t change_count;
  char property[64];     /* id of the property it decides; "" for simulations */
  char verdict[32];      /* "violated", "reached", "" */
  int shortest;
  int64_t loop;          /* first step of the loop of a lasso; -1 = none */
};

/* Replays a path with the slow definition of the language (replay.c) and keeps what changed. -1 with err if a
   step is not enabled or does not lead where the engine said: an internal error, never shown as a verdict. */
int trace_make(struct trace *out, struct model *, const struct search_path *path, struct mem *, struct err *);
void trace_free(struct trace *);

#endif
