/* defined.h -- one state of a model, held against the definition of its language: the engine's successors are those of the definition, in the same order, with the same groups and values, and the same things go wrong
 * in them; labels and values are what the definition says; bytes of a state come back.
 *
 * The definition is whichever of define_all, define_edge and define_step the model has. tests/laws/definition.c walks through the project's models with it, tests/fuzz/fuzz_walk.c through any. */
#ifndef TESTS_DEFINED_H
#define TESTS_DEFINED_H

#include "search/stepper.h"

#include <stdlib.h>
#include <string.h>

enum { DEFINED_FAULTS = 4096 }; /* of one state; more are not looked at */

struct defined_tally {
  size_t states, unlike, faults, unknown, missed, labels, unfit, packed, gave_up;
};

struct defined_heard {
  const struct stepper *s;
  size_t edges, unlike; /* told; other groups or values than the engine's */
  size_t unknown;       /* what the engine does not know to be wrong */
  uint8_t found[DEFINED_FAULTS]; /* the engine's faults that the definition knows, too */
};

static void defined_hear(void *context, const struct model_defined *d) {
  struct defined_heard *h = context;
  const struct model *m = h->s->model;
  const struct model_batch *b = &h->s->batch;
  size_t edge = d->values ? h->edges++ : MODEL_NO_EDGE;
  for (size_t i = 0; i < d->claims; i++) {
    int known = 0;
    for (size_t k = 0; k < b->fault_count; k++) {
      if (b->faults[k].edge != edge || b->faults[k].claim != d->claim[i]) continue;
      known = 1;
      if (k < DEFINED_FAULTS) h->found[k] = 1;
    }
    h->unknown += !known;
  }
  if (!d->values) return;
  if (edge >= b->count) {
    h->unlike++;
    return;
  }
  const uint32_t *state = b->states + edge * b->stride;
  int same = b->group[edge] == d->group;
  for (size_t v = 0; v < d->vars || v < m->vars; v++) same &= (v < d->vars ? d->values[v] : 0) == (v < m->vars ? m->type->value(m, state, (uint32_t)v) : 0);
  h->unlike += !same;
}

/* As define_all, for models that have it not. */
static int defined_edges(const struct model *m, const int64_t *values, struct mem *mem, struct defined_heard *h) {
  int64_t *next = calloc((size_t)m->vars + 1, sizeof *next);
  int there = 1;
  for (uint32_t k = 0; there > 0 && (m->type->define_edge || k < m->groups); k++) {
    struct model_defined d = {.group = k, .values = next, .vars = m->vars};
    if (m->type->define_edge) there = m->type->define_edge(m, values, k, &d.group, next, mem);
    else if (!m->type->define_step(m, values, k, next)) continue;
    if (there > 0) defined_hear(h, &d);
  }
  free(next);
  return there < 0 ? there : 0;
}

/* The bytes of a state and back, by the definition and by the engine. */
static int defined_bytes(const struct stepper *s, const int64_t *values) {
  const struct model *m = s->model;
  uint8_t bytes[16384];
  int same = 1;
  if (m->type->define_pack) {
    int64_t *back = calloc((size_t)m->vars + 1, sizeof *back);
    size_t length = m->type->define_pack(m, values, bytes, sizeof bytes);
    if (length <= sizeof bytes) same = m->type->define_unpack(m, bytes, length, back) == 0 && memcmp(back, values, m->vars * sizeof *back) == 0 && (length == 0 || m->type->define_unpack(m, bytes, length - 1, back) != 0);
    free(back);
  }
  size_t length = m->type->pack(m, s->state, bytes, sizeof bytes);
  if (length > sizeof bytes) return same;
  uint32_t *state = calloc(s->room + 2, sizeof *state);
  same &= m->type->unpack(m, bytes, length, state) == 0 && memcmp(state, s->state, m->words * sizeof *state) == 0;
  free(state);
  return same;
}

/* The state that the stepper stands at, expanded. */
static void defined_compare(const struct stepper *s, struct mem *mem, struct defined_tally *t) {
  const struct model *m = s->model;
  struct defined_heard *h = calloc(1, sizeof *h);
  int64_t *values = calloc((size_t)m->vars + 1, sizeof *values);
  h->s = s;
  for (uint32_t v = 0; v < m->vars; v++) values[v] = m->type->value(m, s->state, v);
  int bad = m->type->define_all ? m->type->define_all(m, values, mem, defined_hear, h) : defined_edges(m, values, mem, h);
  if (bad) t->gave_up++;
  else {
    t->states++;
    t->unlike += h->unlike || h->edges != s->batch.count;
    t->faults += s->batch.fault_count;
    t->unknown += h->unknown;
    for (size_t k = 0; k < s->batch.fault_count && k < DEFINED_FAULTS; k++) t->missed += m->type->define_all && !h->found[k];
    t->labels += m->type->labels && m->type->define_labels && m->type->labels(m, s->state) != m->type->define_labels(m, values);
    t->unfit += m->type->define_fits && m->type->define_fits(m, values, mem) != 1;
    t->packed += !defined_bytes(s, values);
  }
  free(values);
  free(h);
}

/* Coloured nets: the definition tries bindings that the engine rules out, and may find them wrong. */
static inline int defined_alike(const struct model *m, const struct defined_tally *t) {
  int coloured = m->type->vars_are_no_numbers || m->type->define_pack != NULL;
  return !t->unlike && !t->missed && (coloured || !t->unknown) && !t->labels && !t->unfit && !t->packed;
}

#endif
