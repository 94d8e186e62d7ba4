/* chance.c -- see chance.h. */
#include "ml/chance.h"

#include "ml/machine.h"

int ml_tape_next(struct ml_tape *t) {
  if (t->too_many) return 0;
  t->count = t->at; /* what the last evaluation did not ask for was of another one */
  while (t->count && t->choice[t->count - 1] + 1 == t->ways[t->count - 1]) t->count--;
  t->at = 0;
  if (!t->count) return 0;
  t->choice[t->count - 1]++;
  if (++t->tapes >= ML_TAPES) t->too_many = 1;
  return !t->too_many;
}

void ml_machine_tape(struct ml_machine *m, struct ml_tape *t) { m->tape = t; }

enum ml_answer ml_choose(struct ml_machine *m, uint64_t ways, int64_t *out) {
  struct ml_tape *t = m->tape;
  *out = 0;
  if (!t) {
    m->complaint = "a random value is drawn where none can be";
    return ML_STEPS;
  }
  if (ways == 1) return ML_OK;
  if (ways > ML_OUTCOMES || t->at == ML_TAPE) {
    t->too_many = 1;
    m->complaint = "random draws have more than 4,096 outcomes";
    return ML_STEPS;
  }
  if (t->at == t->count) {
    t->choice[t->count] = 0;
    t->ways[t->count++] = (uint32_t)ways;
  }
  *out = t->choice[t->at++];
  return ML_OK;
}

static void look(void *found, const struct ml_expr *e) { *(int *)found = *(int *)found || ml_by_chance(e); }

int ml_by_chance(const struct ml_expr *e) {
  int found = (e->kind == ML_LIBRARY && ml_is_random(e->library)) || (e->kind == ML_GLOBAL && e->global->moves & ML_BY_CHANCE);
  ml_below(e, look, &found);
  return found;
}
