/* oracle.h -- the slow truth: explores a model by its definition alone.
 *
 * States are rows of plain values in a list with a simple hash table; successors come from
 * define_step of every group, or from define_edge where a group may lead to several states and
 * states are plain numbers.  Shares no code with engines, stores or searches. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "model/model.h"

#include <stdlib.h>
#include <string.h>

struct oracle {
  size_t vars, states, edges, deadlocks, depth;
  int64_t *value; /* states x vars */
  size_t *depth_of;
  int complete;
};

static inline uint64_t oracle_hash(const int64_t *v, size_t n) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < n; i++) h = (h ^ (uint64_t)v[i]) * 1099511628211u ^ (h >> 29);
  return h;
}

/* Programs get more variables on the way, and values of coloured nets are no numbers: not for the oracle. */
static inline int oracle_can(const struct model *m) {
  return m->type->define_step || (m->type->define_edge && !m->type->widen && !m->type->define_pack);
}

/* The k-th candidate for a step: an edge, or a group that may not be enabled. 1: taken; 0: not; -1: there are no more. */
static inline int oracle_step(const struct model *m, const int64_t *values, uint32_t k, uint32_t *group, int64_t *next) {
  if (m->type->define_edge) return m->type->define_edge(m, values, k, group, next, m->mem) == 1 ? 1 : -1;
  return k < m->groups ? m->type->define_step(m, values, *group = k, next) : -1;
}

/* Explores at most `most` states. */
__attribute__((unused)) static struct oracle oracle_explore(const struct model *m, size_t most) {
  size_t slots = 1;
  while (slots < 4 * most) slots *= 2;
  struct oracle o = {.vars = m->vars};
  size_t *slot = calloc(slots, sizeof *slot);
  size_t row = m->vars ? m->vars : 1;
  o.value = calloc((most + 2) * row, sizeof *o.value);
  o.depth_of = calloc(most + 2, sizeof *o.depth_of);
  int64_t *next = calloc(row, sizeof *next);
  m->type->define_initial(m, o.value);
  slot[oracle_hash(o.value, m->vars) & (slots - 1)] = 1;
  o.states = 1;
  o.complete = 1;
  for (size_t i = 0; i < o.states; i++) {
    size_t before = o.edges;
    uint32_t group;
    for (uint32_t k = 0;; k++) {
      int there = oracle_step(m, o.value + i * row, k, &group, next);
      if (there < 0) break;
      if (!there) continue;
      o.edges++;
      size_t at = oracle_hash(next, m->vars) & (slots - 1);
      while (slot[at] && memcmp(o.value + (slot[at] - 1) * row, next, m->vars * sizeof *next) != 0) at = (at + 1) & (slots - 1);
      if (slot[at]) continue;
      if (o.states == most) {
        o.complete = 0;
        goto end;
      }
      memcpy(o.value + o.states * row, next, m->vars * sizeof *next);
      o.depth_of[o.states] = o.depth_of[i] + 1;
      o.depth = o.depth_of[o.states];
      slot[at] = ++o.states;
    }
    o.deadlocks += o.edges == before;
  }
end:
  free(slot);
  free(next);
  return o;
}

__attribute__((unused)) static void oracle_free(struct oracle *o) {
  free(o->value);
  free(o->depth_of);
}

#endif
