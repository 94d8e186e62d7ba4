/* chance.h -- random values in a state space: each value that may be drawn is a way to go on.
 *
 * Functions with finitely many outcomes (discrete, bernoulli, binomial, C.ran) do not draw where a tape is given to the machine: they take the next choice from it.  An evaluation is run over and over, with another tape each time, until
 * all have been tried:
 *
 *   ml_tape_open(&tape); ml_machine_tape(m, &tape);
 *   do ... evaluate, as often as one likes ... while (ml_tape_next(&tape));
 *   ml_machine_tape(m, NULL);
 *
 * Tapes come in the order of their choices, so outcomes come in the order of values where a single one is drawn.  Where no tape is given a draw is an error of the evaluation. */
#ifndef ML_CHANCE_H
#define ML_CHANCE_H

#include "ml/ml.h"

enum { ML_TAPE = 256 /* choices */, ML_TAPES = 1 << 15, ML_OUTCOMES = 4096 /* of one draw; different ones of an evaluation, for those who keep them */ };

struct ml_tape {
  uint32_t at, count;
  uint32_t choice[ML_TAPE], ways[ML_TAPE];
  uint32_t tapes; /* so far */
  int too_many;   /* outcomes: there are more than anybody wants to see */
};

static inline void ml_tape_open(struct ml_tape *t) { t->at = t->count = t->tapes = 0, t->too_many = 0; }
int ml_tape_next(struct ml_tape *); /* rewinds it, to the next choices; 0: all were tried, or they are too many */
void ml_machine_tape(struct ml_machine *, struct ml_tape *); /* NULL: none */
/* May its evaluation draw? */
int ml_by_chance(const struct ml_expr *);

#endif
