/* stepper.h -- one state of a model, moved by hand: for replay, traces and simulation.
 *
 * Unlike a search it keeps no set of states; it hides batches and widening from callers
 * that take one step at a time. */
#ifndef SEARCH_STEPPER_H
#define SEARCH_STEPPER_H

#include "base/err.h"
#include "model/model.h"

struct stepper {
  struct model *model;
  struct mem *mem;
  struct model_cursor *cursor;
  uint32_t *state;          /* the current one */
  size_t room;              /* words that state has room for */
  struct model_batch batch; /* its successors, when `expanded` */
  int expanded;
};

/* Stands at the initial state. 0, or -1 with err (memory). */
int stepper_open(struct stepper *, struct model *, struct mem *, struct err *);
void stepper_close(struct stepper *); /* also after a failed or no open of a zeroed struct */
void stepper_start(struct stepper *); /* back to the initial state */
/* Fills the batch with the successors of the current state. 0, or -1 with err: memory, or ERR_INPUT with the model's fault. */
int stepper_expand(struct stepper *, struct err *);
/* Goes to the k-th successor. 1; 0 if there is none; -1 with err. `group` (may be NULL) tells the step. */
int stepper_take(struct stepper *, uint32_t k, uint32_t *group, struct err *);
/* Index of the first successor made by `group`; -1 if there is none, -2 with err. */
int64_t stepper_find(struct stepper *, uint32_t group, struct err *);
static inline int64_t stepper_value(const struct stepper *s, uint32_t var) {
  return s->model->type->value(s->model, s->state, var);
}

#endif
