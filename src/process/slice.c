/* slice.c -- see slice.h.
 *
 * What stands for a state: each process that stands where it alone decides what it does next, and that is quiet, has done so, again and again (statements are merged); local variables that are not live where their process
 * stands, and variables that never matter, are 0 (slice_facts.h).
 *
 * Forgetting is done on the packed state: which bits of which words go depends on the slot and its control alone, and is worked out once per layout.  The image is needed only where somebody has a quiet step to take.
 *
 *   per slot and control   first[] -> words and what is kept of them; whether the process may go on
 */
#include "process/slice.h"

#include "base/vec.h"
#include "process/interpreter.h"
#include "process/slice_facts.h"

#include <stdio.h>
#include <string.h>

enum { STEPS_MOST = 512 };

struct forget {
  uint32_t word, keep;
};

struct slice {
  struct model_likeness base;
  const struct process_model *m;
  struct mem *mem;
  struct slice_facts facts;
  uint32_t *dead_first, *dead; /* per control state of the program: cells of its process (from the first variable on) that are forgotten there */
  /* of the layout */
  unsigned serial;
  int known;
  uint32_t slots;
  uint32_t *slot_first; /* per slot, and one more: into control */
  struct control {
    uint32_t first, end; /* into forget */
    uint8_t goes_on;
  } *control;
  struct vec(struct forget) forget;
  uint32_t always; /* forget[0 .. always) whatever the state is */
};

/* ---- the layout ---------------------------------------------------------------------------------------------------------------------------- */

static int add_field(struct slice *s, const struct pack_field *f, size_t from) {
  if (!f->bits) return 0;
  uint32_t gone = (f->bits < 32 ? (1u << f->bits) - 1 : UINT32_MAX) << f->shift;
  for (size_t i = from; i < s->forget.count; i++)
    if (s->forget.at[i].word == f->word) {
      s->forget.at[i].keep &= ~gone;
      return 0;
    }
  return vec_push(&s->forget, s->mem, MEM_SEARCH, (struct forget){f->word, ~gone});
}

/* The fields of a scope's declarations that do not count; state: of the program, or UINT32_MAX: wherever the process stands. */
static int add_scope(struct slice *s, uint32_t scope, uint32_t state, const struct pack_field *at) {
  const struct program *p = s->m->program;
  size_t from = s->forget.count;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope != scope || !slice_forgets(&s->facts, i, state)) continue;
    for (uint32_t c = 0; c < d->cells; c++)
      if (add_field(s, &at[d->base + c], from)) return -1;
  }
  return 0;
}

static uint32_t types_of(const struct slice *s) { return (uint32_t)s->m->program->procs.count + 1; }

/* Codes that the control of a slot can have, and one more. */
static uint32_t codes_of(const struct slice *s, uint32_t slot) {
  const struct packing *k = s->m->packing;
  uint32_t most = 1;
  for (uint32_t type = 1; type < types_of(s); type++) {
    uint32_t first = k->code[slot * types_of(s) + type];
    if (first && k->frame[slot * types_of(s) + type] && first + s->m->program->procs.at[type - 1].states > most) most = first + s->m->program->procs.at[type - 1].states;
  }
  return most;
}

static int learn_slot(struct slice *s, uint32_t slot) {
  const struct packing *k = s->m->packing;
  for (uint32_t type = 1; type < types_of(s); type++) {
    uint32_t frame = k->frame[slot * types_of(s) + type], first = k->code[slot * types_of(s) + type];
    const struct ir_proc *proc = &s->m->program->procs.at[type - 1];
    if (!frame || !first) continue;
    for (uint32_t pc = 0; pc < proc->states; pc++) {
      struct control *c = &s->control[s->slot_first[slot] + first + pc];
      c->first = (uint32_t)s->forget.count;
      if (add_scope(s, type, proc->state + pc, k->pool + frame - 1 + SLOT_HEADER)) return -1;
      c->end = (uint32_t)s->forget.count;
      c->goes_on = s->facts.decided[proc->state + pc];
    }
  }
  return 0;
}

static int learn_layout(struct slice *s) {
  const struct packing *k = s->m->packing;
  s->forget.count = 0;
  s->slots = k->widths.slots;
  mem_free(s->mem, s->slot_first);
  mem_free(s->mem, s->control);
  s->control = NULL;
  s->slot_first = mem_alloc(s->mem, MEM_SEARCH, ((size_t)s->slots + 1) * sizeof *s->slot_first);
  if (!s->slot_first) return -1;
  for (uint32_t slot = 0; slot < s->slots; slot++) s->slot_first[slot + 1] = s->slot_first[slot] + codes_of(s, slot);
  s->control = mem_alloc(s->mem, MEM_SEARCH, ((size_t)s->slot_first[s->slots] + 1) * sizeof *s->control);
  if (!s->control || add_scope(s, 0, UINT32_MAX, k->fixed + s->m->shape.global)) return -1;
  s->always = (uint32_t)s->forget.count;
  for (uint32_t slot = 0; slot < s->slots; slot++)
    if (learn_slot(s, slot)) return -1;
  s->serial = s->m->serial;
  s->known = 1;
  return 0;
}

static const struct control *control_of(const struct slice *s, const uint32_t *state, uint32_t slot) {
  const struct pack_field *f = &s->m->packing->control[slot];
  uint32_t code = f->bits ? state[f->word] >> f->shift & (f->bits < 32 ? (1u << f->bits) - 1 : UINT32_MAX) : 0;
  return &s->control[s->slot_first[slot] + (code < s->slot_first[slot + 1] - s->slot_first[slot] ? code : 0)];
}

/* Returns whether some process may go on where it stands. */
static int forget(const struct slice *s, uint32_t *state) {
  int goes_on = 0;
  for (uint32_t i = 0; i < s->always; i++) state[s->forget.at[i].word] &= s->forget.at[i].keep;
  for (uint32_t slot = 0; slot < s->slots; slot++) {
    const struct control *c = control_of(s, state, slot);
    goes_on |= c->goes_on;
    for (uint32_t i = c->first; i < c->end; i++) state[s->forget.at[i].word] &= s->forget.at[i].keep;
  }
  return goes_on;
}

/* ---- going on ------------------------------------------------------------------------------------------------------------------------------ */

/* The transition that is possible where the process stands: 1 and *out; 0: none, several, or somebody cannot tell. */
static int only_way(const struct slice *s, struct machine *m, uint32_t slot, const struct ir_state *at, uint32_t *out) {
  const struct program *p = s->m->program;
  uint32_t found = 0;
  for (uint32_t i = at->trans; i < at->trans + at->transitions; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    int possible = t->flags & IR_ELSE ? !found : !t->guard || interpreter_value(&m->run, slot, t->guard); /* else looks at those before it alone */
    if (m->faults.count) return 0;
    if (!possible) continue;
    *out = i;
    found++;
  }
  return found == 1;
}

/* May the process take it unnoticed? */
static int is_quiet(const struct slice *s, struct machine *m, uint32_t slot, uint32_t trans, int counting) {
  int quiet = s->facts.quiet[trans];
  return quiet == QUIET || (quiet == QUIET_UNLESS && counting && !closing_by_value(&s->facts.closing, &s->facts.common, m, slot, trans));
}

/* Takes what quiet steps the process in the slot has; 1: there are too many of them. */
static int go_on(const struct slice *s, struct machine *m, uint32_t slot, int counting) {
  const struct program *p = s->m->program;
  uint32_t base = shape_slot(&s->m->shape, slot), type = (uint32_t)m->run.cell[base] - 1, trans, steps = 0;
  for (;; steps++) {
    uint32_t state = p->procs.at[type].state + (uint32_t)m->run.cell[base + SLOT_PC], mark = m->run.logged;
    if (counting && steps == STEPS_MOST) break;
    if (!s->facts.decided[state] || !only_way(s, m, slot, &p->states.at[state], &trans) || !is_quiet(s, m, slot, trans, counting)) break;
    if (engine_run(&m->engine, &m->run, slot, trans) != RUN_DONE || m->faults.count || m->failed) {
      machine_undo(m, mark);
      break;
    }
    runtime_put(&m->run, base + SLOT_PC, (int32_t)p->trans.at[trans].to);
    uint32_t next = p->procs.at[type].state + p->trans.at[trans].to;
    for (uint32_t i = s->dead_first[next]; i < s->dead_first[next + 1]; i++) runtime_put(&m->run, base + SLOT_HEADER + s->dead[i], 0);
  }
  m->faults.count = 0;
  return counting && steps == STEPS_MOST;
}

/* Where counting goes on for very long it is left to steps. */
static void go_on_or_not(const struct slice *s, struct machine *m, uint32_t slot) {
  uint32_t mark = m->run.logged;
  if (!go_on(s, m, slot, 1)) return;
  machine_undo(m, mark);
  go_on(s, m, slot, 0);
}

static enum model_answer take_quiet_steps(struct slice *s, struct process_cursor *c, uint32_t *state) {
  struct machine *m = &c->machine;
  if (process_load(c, state)) return MODEL_MEMORY;
  m->engine = s->m->engine;
  m->faults.count = 0;
  for (uint32_t slot = 0; slot < m->run.processes; slot++) go_on_or_not(s, m, slot);
  enum model_answer answer = MODEL_OK;
  if (m->failed) answer = MODEL_MEMORY;
  else if (m->run.logged) {
    uint32_t wide = packing_update(s->m->packing, m, c->now, state);
    if (wide != PACK_FITS) {
      memcpy(state, c->now, s->m->base.words * sizeof *state);
      answer = process_want(c, wide) ? MODEL_MEMORY : MODEL_WIDEN;
    }
  }
  machine_undo(m, 0);
  m->failed = 0;
  return answer;
}

static enum model_answer apply(struct model_likeness *like, struct model_cursor *cursor, uint32_t *state) {
  struct slice *s = (struct slice *)like;
  if ((!s->known || s->serial != s->m->serial) && learn_layout(s)) return MODEL_MEMORY;
  if (!forget(s, state) || !s->facts.merging) return MODEL_OK; /* first: whether a step is quiet may be told from values */
  enum model_answer answer = take_quiet_steps(s, (struct process_cursor *)cursor, state);
  if (answer == MODEL_OK) forget(s, state);
  return answer;
}

/* ---- the door ------------------------------------------------------------------------------------------------------------------------------ */

static void close_slice(struct model_likeness *like) {
  struct slice *s = (struct slice *)like;
  slice_facts_close(&s->facts);
  mem_free(s->mem, s->dead_first);
  mem_free(s->mem, s->dead);
  mem_free(s->mem, s->slot_first);
  mem_free(s->mem, s->control);
  vec_free(&s->forget, s->mem);
  mem_free(s->mem, s);
}

/* "x, y and 3 more never matter, 4 more are forgotten between uses, statements merged at 7 places" */
static void tell(const struct slice *s, char *out, size_t room) {
  const struct slice_facts *f = &s->facts;
  const char *separator = "";
  size_t used = 0;
  *out = '\0';
  if (f->idle) used += (size_t)snprintf(out, room, "%zu variable%s never matter%s", f->idle, f->idle == 1 ? "" : "s", f->idle == 1 ? "s" : "");
  if (f->idle) separator = ", ";
  if (f->lasting && used < room) used += (size_t)snprintf(out + used, room - used, "%s%zu forgotten where nobody reads %s", separator, f->lasting, f->lasting == 1 ? "it" : "them");
  if (f->lasting) separator = ", ";
  if (f->merging && used < room) snprintf(out + used, room - used, "%sstatements merged at %zu place%s", separator, f->merging, f->merging == 1 ? "" : "s");
}

/* Which cells are forgotten where. 0 or -1 (memory). */
static int find_dead(struct slice *s) {
  const struct program *p = s->m->program;
  struct vec(uint32_t) dead = {0};
  s->dead_first = mem_alloc(s->mem, MEM_SEARCH, (p->states.count + 2) * sizeof *s->dead_first);
  if (!s->dead_first) return -1;
  for (uint32_t type = 0; type < p->procs.count; type++)
    for (uint32_t pc = 0; pc < p->procs.at[type].states; pc++) {
      uint32_t state = p->procs.at[type].state + pc;
      s->dead_first[state] = (uint32_t)dead.count; /* states come type by type */
      for (uint32_t i = 1; i < p->decls.count && s->facts.merging; i++) {
        const struct ir_decl *d = &p->decls.at[i];
        if (d->scope != type + 1 || !slice_forgets(&s->facts, i, state)) continue;
        for (uint32_t c = 0; c < d->cells; c++)
          if (vec_push(&dead, s->mem, MEM_SEARCH, d->base + c)) {
            vec_free(&dead, s->mem);
            return -1;
          }
      }
      s->dead_first[state + 1] = (uint32_t)dead.count;
    }
  s->dead = dead.at;
  return 0;
}

static int open_slice(struct model_likeness **out, const struct model *base, const struct model_aims *aims, struct mem *mem, char *why, size_t room) {
  *out = NULL;
  snprintf(why, room, "%s", "");
  struct slice *s = mem_alloc(mem, MEM_SEARCH, sizeof *s);
  if (!s) return -1;
  s->base.type = &process_slice;
  s->m = process_of(base);
  s->mem = mem;
  int status = slice_facts_open(&s->facts, s->m, aims, mem);
  if (status > 0) snprintf(why, room, "the program has parts whose effects are not known");
  if (!status && !s->facts.idle && !s->facts.lasting && !s->facts.merging) {
    status = 1;
    snprintf(why, room, "every variable matters everywhere");
  }
  if (!status && find_dead(s)) status = -1;
  if (status) {
    close_slice(&s->base);
    return status;
  }
  tell(s, s->base.text, sizeof s->base.text);
  *out = &s->base;
  return 0;
}

const struct model_likeness_type process_slice = {.name = "slice", .open = open_slice, .apply = apply, .close = close_slice};
