/* look_ahead.c -- see look_ahead.h. */
#include "model/look_ahead.h"

#include "base/rng.h"

#include <string.h>

enum { STEPS = 4000, LENGTH = 400 }; /* of all walks; of each */
/* A step looks at all of a large model, and another layout is made of all of it: models of tens of thousands of variables
   get fewer steps, so that opening them takes time in proportion to their size. */
enum { WORK = 40000000, WIDENING = 16 /* steps */ };

void model_look_ahead(struct model *m, size_t most, look_ahead_hear *hear, void *context) {
  const struct model_type *type = m->type;
  struct model_cursor *cursor = NULL;
  struct model_batch batch = {0};
  struct err e;
  struct rng rng = {1};
  uint32_t *state = NULL;
  size_t room = 0, generated = 0, work = 0;
  err_clear(&e);
  if (type->cursor_open(&cursor, m, m->mem) == 0 && model_batch_open(&batch, m->mem, m->words, 16) == 0)
    for (int step = 0, walked = LENGTH; step < STEPS && generated < most && work < WORK; step++) {
      work += (size_t)m->vars + m->groups;
      if (m->words > room || !state) {
        uint32_t *grown = mem_resize(m->mem, MEM_MODEL, state, ((size_t)m->words + 2) * sizeof *grown);
        if (!grown) break;
        state = grown;
        room = m->words;
        walked = LENGTH;
      }
      if (walked >= LENGTH) {
        type->initial(m, state);
        walked = 0;
      }
      batch.count = batch.fault_count = 0;
      enum model_answer answer = type->successors(cursor, state, &batch);
      if (answer == MODEL_WIDEN) {
        work += WIDENING * ((size_t)m->vars + m->groups);
        if (type->widen(m, cursor, &e)) break;
        type->widen_done(m, 1);
        if (model_batch_restride(&batch, m->words)) break;
        walked = LENGTH; /* begins anew: the state at hand is in the old layout */
        continue;
      }
      if (answer != MODEL_OK || (hear && hear(context, cursor)) || (!walked && !batch.count)) break; /* nothing follows the first state */
      walked++;
      generated += batch.count;
      if (!batch.count) walked = LENGTH;
      else memcpy(state, batch.states + rng_below(&rng, batch.count) * batch.stride, m->words * sizeof *state);
    }
  model_batch_close(&batch);
  if (cursor) type->cursor_close(cursor);
  mem_free(m->mem, state);
}
