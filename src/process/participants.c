/* participants.c -- which transitions had a part in steps that are called by another one.
 *
 * A step is called by the transition that it begins with.  The receiver of a rendezvous and all but the first statement of an atomic sequence never give a step its name
 * (unless the sequence blocks before them), so that the names of steps alone do not tell what ever happens in a program.  A cursor that was asked to notes two
 * things about what it makes: the links of each complete step behind its first, and which types of processes stood in which slots (a group is a transition in a
 * slot: most of them belong to no process that ever is).  It tells the model when it is closed, as it does with other things that it noticed. */
#include "process/process_model.h"

void process_note_parts(struct model_cursor *base) {
  struct process_cursor *c = (struct process_cursor *)base;
  c->notes_parts = c->explore.telling = 1;
}

static int room_for(struct process_notes *n, const struct process_model *m, struct mem *mem) {
  uint32_t slots = m->base.groups / (uint32_t)m->program->trans.count;
  if (slots <= n->slots) return 0;
  uint8_t *part = mem_resize(mem, MEM_OTHER, n->part, m->base.groups);
  if (part) n->part = part;
  uint8_t *stood = part ? mem_resize(mem, MEM_OTHER, n->stood, (size_t)slots * m->program->procs.count) : NULL;
  if (!stood) return -1;
  n->stood = stood;
  n->slots = slots;
  return 0;
}

int process_note_stands(struct process_cursor *c) {
  const struct process_model *m = process_of(c->base.model);
  const struct runtime *r = &c->machine.run;
  if (!m->program->trans.count) return 0;
  if (room_for(&c->notes, m, c->base.mem)) return -1;
  for (uint32_t slot = 0; slot < r->processes && slot < c->notes.slots; slot++)
    c->notes.stood[(size_t)slot * m->program->procs.count + (size_t)r->cell[shape_slot(&m->shape, slot) + SLOT_TYPE] - 1] = 1;
  return 0;
}

void process_note_step(struct process_cursor *c) {
  const struct explore *x = &c->explore;
  for (size_t i = 1; i < x->links.count; i++) {
    size_t group = (size_t)x->links.at[i].slot * process_of(c->base.model)->program->trans.count + x->links.at[i].trans;
    if (x->links.at[i].slot < c->notes.slots) c->notes.part[group] = 1;
  }
}

void process_tell_notes(struct process_cursor *c) {
  struct process_model *m = (struct process_model *)c->base.model;
  if (c->notes.slots && !room_for(&m->notes, m, m->base.mem)) {
    for (size_t i = 0; i < (size_t)c->notes.slots * m->program->trans.count; i++) m->notes.part[i] |= c->notes.part[i];
    for (size_t i = 0; i < (size_t)c->notes.slots * m->program->procs.count; i++) m->notes.stood[i] |= c->notes.stood[i];
  }
  mem_free(c->base.mem, c->notes.part);
  mem_free(c->base.mem, c->notes.stood);
}

enum model_role process_role(const struct model *base, uint32_t group) {
  const struct process_model *m = process_of(base);
  uint32_t trans = group % (uint32_t)m->program->trans.count, slot = group / (uint32_t)m->program->trans.count;
  if (slot >= m->notes.slots) return MODEL_ROLE_NONE;
  if (m->notes.part[group]) return MODEL_ROLE_PART;
  return m->notes.stood[(size_t)slot * m->program->procs.count + m->program->trans.at[trans].proc] ? MODEL_ROLE_NONE : MODEL_ROLE_ABSENT;
}
