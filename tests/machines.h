/* machines.h -- random models that are a few automata with one token each, some of whose steps are taken together, and all of their states.
 *
 * There are at most 27, so a set of states is a word.  The graph comes from the language's slow definition alone. */
#ifndef TESTS_MACHINES_H
#define TESTS_MACHINES_H

#include "base/rng.h"
#include "ltl_random.h"
#include "model/model.h"
#include "nets.h"

enum { MACHINES = 3, PLACES = 3, VARS = MACHINES * PLACES, STATES = 27 };

/* With `least` to `least` + 5 kinds of steps. */
static void machines_random(char *out, struct rng *r, int least) {
  for (int m = 0; m < MACHINES; m++)
    for (int p = 0; p < PLACES; p++) out += sprintf(out, "m%dp%d%s ", m, p, p ? "" : "=1");
  out += sprintf(out, "|");
  int steps = least + (int)rng_below(r, 6);
  for (int t = 0; t < steps; t++) {
    int a = (int)rng_below(r, MACHINES), b = (int)rng_below(r, MACHINES), from = (int)rng_below(r, PLACES), to = (int)rng_below(r, PLACES);
    out += sprintf(out, " t%d: m%dp%d", t, a, from);
    if (a == b) out += sprintf(out, " -> m%dp%d ;", a, to);
    else out += sprintf(out, " + m%dp%d -> m%dp%d + m%dp%d ;", b, (int)rng_below(r, PLACES), a, to, b, (int)rng_below(r, PLACES));
  }
}

struct machines {
  int64_t value[STATES][VARS];
  int count;
  uint32_t next[STATES];  /* sets of successors */
  uint32_t atom[MACHINES]; /* machine i is in its last place */
  uint32_t all;
};

__attribute__((unused)) static int machines_find(struct machines *g, const int64_t *values) {
  for (int i = 0; i < g->count; i++)
    if (!memcmp(g->value[i], values, sizeof g->value[i])) return i;
  memcpy(g->value[g->count], values, sizeof g->value[0]);
  return g->count++;
}

__attribute__((unused)) static void machines_graph(struct machines *g, const struct model *m) {
  int64_t values[VARS];
  *g = (struct machines){0};
  m->type->define_initial(m, values);
  machines_find(g, values);
  for (int s = 0; s < g->count; s++) {
    for (uint32_t t = 0; t < m->groups; t++)
      if (m->type->define_step(m, g->value[s], t, values) == 1) g->next[s] |= 1u << machines_find(g, values);
    for (int i = 0; i < MACHINES; i++) {
      char name[16];
      int n = snprintf(name, sizeof name, "m%dp%d", i, PLACES - 1);
      if (g->value[s][m->type->find_var(m, name, (size_t)n)]) g->atom[i] |= 1u << s;
    }
  }
  g->all = (1u << g->count) - 1;
}

/* A formula over atoms that say whether a machine is in its last place. */
__attribute__((unused)) static void machines_formula(const struct ltl_tree *t, char *out) {
  char raw[3000];
  *ltl_text(t, t->root, raw, 0) = 0;
  for (const char *c = raw; *c; c++)
    if (c[0] == 'p' && c[1] >= '0' && c[1] <= '9') out += sprintf(out, "(m%cp%d > 0)", *++c, PLACES - 1);
    else *out++ = *c;
  *out = 0;
}

#endif
