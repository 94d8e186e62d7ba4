/* generate_dstep.c -- see generate_dstep.h.
 *
 * One function for each process type that has long d_steps: a label for each of their control states, and behind it the transitions
 * in their order, put in place by the compiler.  Whoever is taken first goes to the label of its target, or leaves:
 *
 *   s7:
 *     if (!left) goto over;
 *     left--;
 *     if (swift_12(m, slot, 12) == RUN_DONE) { *at = 9; goto s9; }
 *     if (swift_13(m, slot, 13) == RUN_DONE) { *at = 20; *steps = left; return 13; }
 *     goto over;
 *
 * A state is part of that if all its transitions write only after they know that they are enabled, so that there is never anything
 * to take back.  From other states, from a state in which nothing is enabled and after too many steps the explorer goes on by itself.
 *
 * Text costs time to compile, so it is made only of states that a d_step can come to when it is long: those from which there may be
 * LONG_DSTEP transitions more, and what follows them. */
#include "process/generate_dstep.h"

#include <string.h>

static const struct shape_state *state_at(const struct shape *s, size_t type, uint32_t state) { return &s->state[s->state_first[type] + state]; }

static int inner(const struct shape *s, size_t type, uint32_t state) {
  return (s->program->states.at[s->program->procs.at[type].state + state].flags & IR_INNER) != 0;
}

/* Inside of a d_step, and its transitions are all fit for it. */
static int direct(const struct shape *s, const uint8_t *use, size_t type, uint32_t state) {
  const struct shape_state *here = state_at(s, type, state);
  for (uint32_t i = here->trans; i < here->end; i++)
    if (!use[i] || s->trans[i].flags & IR_END) return 0;
  return inner(s, type, state) && here->trans < here->end;
}

/* Does a transition inside of a d_step lead from here to a state that is marked? */
static int leads_to(const struct shape *s, const uint8_t *marked, size_t type, uint32_t state) {
  const struct shape_state *here = state_at(s, type, state);
  for (uint32_t i = here->trans; i < here->end; i++)
    if (s->trans[i].flow == IR_DSTEP && marked[s->trans[i].to]) return 1;
  return 0;
}

/* Marks what follows a marked state, where it is direct. */
static int spread(const struct shape *s, const uint8_t *good, uint8_t *marked, size_t type, uint32_t state) {
  const struct shape_state *here = state_at(s, type, state);
  int more = 0;
  for (uint32_t i = here->trans; i < here->end; i++) {
    uint32_t to = s->trans[i].to;
    if (s->trans[i].flow != IR_DSTEP || !good[to] || marked[to]) continue;
    more = marked[to] = 1;
  }
  return more;
}

/* The states of a type that are part of its function, in `marked`; `good` and `next` are as long. */
static void mark_states(const struct shape *s, const uint8_t *use, size_t type, uint8_t *good, uint8_t *marked, uint8_t *next) {
  uint32_t states = s->program->procs.at[type].states;
  for (uint32_t k = 0; k < states; k++) good[k] = marked[k] = (uint8_t)direct(s, use, type, k);
  for (int step = 0; step < LONG_DSTEP; step++) {
    for (uint32_t k = 0; k < states; k++) next[k] = good[k] && leads_to(s, marked, type, k);
    memcpy(marked, next, states);
  }
  for (int more = 1; more;) {
    more = 0;
    for (uint32_t k = 0; k < states; k++)
      if (marked[k]) more |= spread(s, good, marked, type, k);
  }
}

int dsteps_find(const struct shape *s, uint8_t *use, struct mem *mem) {
  const struct program *p = s->program;
  size_t most = 0;
  for (size_t type = 0; type < p->procs.count; type++)
    if (p->procs.at[type].states > most) most = p->procs.at[type].states;
  uint8_t *good = mem_alloc(mem, MEM_OTHER, 3 * most + 1), *marked = good ? good + most : NULL;
  if (!good) return -1;
  for (size_t type = 0; type < p->procs.count; type++) {
    mark_states(s, use, type, good, marked, marked + most);
    for (uint32_t k = 0; k < p->procs.at[type].states; k++) {
      const struct shape_state *here = state_at(s, type, k);
      memset(use + here->trans, marked[k], here->end - here->trans);
    }
  }
  mem_free(mem, good);
  return 0;
}

static int used(const struct shape *s, const uint8_t *use, size_t type, uint32_t state) {
  const struct shape_state *here = state_at(s, type, state);
  return here->trans < here->end && use[here->trans];
}

static int any(const struct shape *s, const uint8_t *use, size_t type) {
  for (uint32_t k = 0; k < s->program->procs.at[type].states; k++)
    if (used(s, use, type, k)) return 1;
  return 0;
}

static int talks(const struct shape *s, const struct shape_state *here) {
  for (uint32_t i = here->trans; i < here->end; i++)
    if (s->program->trans.at[i].comm) return 1;
  return 0;
}

static void say_state(struct text_out *out, const struct shape *s, const uint8_t *use, size_t type, uint32_t state) {
  const struct shape_state *here = state_at(s, type, state);
  text_out_say(out, "  case %u: s%u:\n    if (!left) goto over;\n    left--;\n", (unsigned)state, (unsigned)state);
  if (talks(s, here)) text_out_say(out, "    m->logged = mark;\n"); /* what channels have logged is of no use: the log never needs more room than it has */
  for (uint32_t i = here->trans; i < here->end; i++) {
    unsigned to = (unsigned)s->trans[i].to, n = (unsigned)i;
    text_out_say(out, "    if (swift_%u(m, slot, %uu) == RUN_DONE) {\n      *at = %u;\n      ", n, n, to);
    if (s->trans[i].flow != IR_DSTEP) text_out_say(out, "*steps = left;\n      return %uu;\n    }\n", n);
    else if (used(s, use, type, s->trans[i].to)) text_out_say(out, "goto s%u;\n    }\n", to);
    else text_out_say(out, "goto over;\n    }\n");
  }
  text_out_say(out, "    goto over;\n");
}

void dsteps_say(struct text_out *out, const struct shape *s, const uint8_t *use) {
  size_t types = s->program->procs.count;
  for (size_t type = 0; type < types; type++) {
    if (!any(s, use, type)) continue;
    text_out_say(out, "static uint32_t dstep_%zu(struct runtime *m, uint32_t slot, uint32_t *steps) {\n"
                      "  int32_t *const at = &V[FRAME(slot) - SLOT_HEADER + SLOT_PC];\n  uint32_t left = *steps;\n  const uint32_t mark = m->logged;\n  switch (*at) {\n", type);
    for (uint32_t k = 0; k < s->program->procs.at[type].states; k++)
      if (used(s, use, type, k)) say_state(out, s, use, type, k);
    text_out_say(out, "  }\nover:\n  *steps = left;\n  return RUNTIME_NONE;\n}\n");
  }
  text_out_say(out, "static runtime_dstep *const dstep_table[] = {");
  for (size_t type = 0; type < types; type++) {
    if (any(s, use, type)) text_out_say(out, "dstep_%zu, ", type);
    else text_out_say(out, "0, ");
  }
  text_out_say(out, "0};\n");
}
