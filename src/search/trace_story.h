/* trace_story.h -- the words of a trace, put down while its steps are taken: for models that tell stories (model.h: describe, parts).
 * For the others every function here does nothing and succeeds. */
#ifndef SEARCH_TRACE_STORY_H
#define SEARCH_TRACE_STORY_H

#include "base/vec.h"
#include "search/stepper.h"
#include "search/trace.h"

struct trace_story {
  struct mem *mem;
  uint32_t *before; /* the state before the step */
  size_t room;
  size_t vars;     /* that there is room for; the model may get more on the way */
  uint8_t *listed; /* per variable of the model: it means something somewhere on the way */
  const char **name;
  struct vec(struct model_part) parts;
  struct vec(struct model_stand) stands;
  struct trace *trace; /* while parts are heard */
  int failed;
};

/* All return 0, or -1: memory. At the start, with `steps` to come. */
int trace_story_open(struct trace_story *, struct trace *, struct stepper *, size_t steps);
/* Before a step is taken, its successors being expanded. */
int trace_story_parts(struct trace_story *, struct trace *, struct stepper *, uint32_t k);
/* After it was taken and its changes are in the trace. */
int trace_story_changes(struct trace_story *, struct trace *, struct stepper *, size_t step);
/* After the last one: where processes stand; variables that never mean anything are left out of the trace. */
int trace_story_end(struct trace_story *, struct trace *, struct stepper *);
void trace_story_close(struct trace_story *);

/* A copy of a part in the trace's own memory. -1: memory. */
int trace_copy_part(struct trace *, const struct model_part *, struct model_part *out);

#endif
