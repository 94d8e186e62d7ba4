/* match.c -- a pattern against a value.
 *
 * The value is taken apart along the pattern; variables that are not known yet are bound to what stands in their place.  Computed parts (f x, n + 1) may
 * speak of variables that stand further right, so they are put aside and compared when everything else fits. */
#include "colour/bind.h"

#include <string.h>

enum { ASIDE = 64 };

struct matching {
  struct net *net;
  const struct net_transition *t;
  uint32_t *env;
  uint64_t known;
  enum ml_answer answer;
  struct {
    const struct pattern *pattern;
    ml_value value;
  } aside[ASIDE];
  size_t put_aside;
  int64_t now;
};

static int bind_variable(struct matching *m, uint32_t variable, ml_value value) {
  int local = net_local(m->t, variable);
  uint32_t number = values_keep(&m->net->values, value);
  if (number == VALUES_NONE) return -1;
  if (m->known >> local & 1) return m->env[local] == number;
  int belongs = ml_belongs(m->net->machine, m->t->variable[local]->colset, values_word(&m->net->values, number));
  if (belongs < 0) {
    m->answer = ML_RAISED;
    return -2;
  }
  m->env[local] = number;
  m->known |= (uint64_t)1 << local;
  return belongs;
}

static int compute(struct matching *m, const struct pattern *p, ml_value value) {
  ml_value result;
  m->answer = net_run(m->net, m->t, p->code, m->env, m->known, m->now, &result);
  if (m->answer != ML_OK) return m->answer == ML_MEMORY ? -1 : -2;
  int same = ml_value_compare(result, value) == 0;
  ml_machine_clear(m->net->machine);
  return same;
}

static int fits(struct matching *m, const struct pattern *p, ml_value value) {
  const struct ml_block *b = ml_is_int(value) ? NULL : ml_block(value);
  int fit = 1;
  switch (p->kind) {
  case PATTERN_VARIABLE: return bind_variable(m, p->variable, value);
  case PATTERN_NUMBER: return value == p->word;
  case PATTERN_STRING: return b && b->size == p->length && memcmp(b->field, p->text, p->length) == 0;
  case PATTERN_COMPUTED:
    if (m->put_aside == ASIDE) return compute(m, p, value); /* in the order of the pattern, then */
    m->aside[m->put_aside].pattern = p;
    m->aside[m->put_aside++].value = value;
    return 1;
  case PATTERN_TUPLE:
    for (uint32_t i = 0; i < p->parts && fit == 1; i++) fit = fits(m, p->part[i], b->field[i]);
    return fit;
  case PATTERN_CELL:
    if (!b) return 0;
    fit = fits(m, p->part[0], b->field[0]);
    return fit == 1 ? fits(m, p->part[1], b->field[1]) : fit;
  case PATTERN_BUILT: return b && b->field[0] == p->word ? fits(m, p->part[0], b->field[1]) : 0;
  }
  return 0;
}

int match_pattern(struct net *net, const struct net_transition *t, const struct pattern *p, ml_value value, uint32_t *env, uint64_t *known,
                  int64_t now, enum ml_answer *answer) {
  struct matching m = {.net = net, .t = t, .env = env, .known = *known, .now = now};
  int fit = fits(&m, p, value);
  for (size_t i = 0; i < m.put_aside && fit == 1; i++) fit = compute(&m, m.aside[i].pattern, m.aside[i].value);
  *known = m.known;
  *answer = m.answer;
  return fit;
}
