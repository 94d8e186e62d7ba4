/* claims.c -- what a program states about itself (its assertions, then its never claims, then its formulas), and what to say
 * when it goes wrong.
 *
 * Assertions at one place in the text (an inline that is used ten times) are one claim.  A fault's detail is its kind and the
 * index that machine.h says goes with it: kind + FAULT_KINDS * what. */
#include "process/process_model.h"

#include <stdio.h>
#include <string.h>

static int same_place(struct place_in_text a, struct place_in_text b) {
  return a.line == b.line && a.column == b.column && (a.file == b.file || (a.file && b.file && !strcmp(a.file, b.file)));
}

/* Assertions of never claims are part of those (never.c). */
static int of_never_claim(const struct program *p, uint32_t action) {
  for (uint32_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    if (action >= t->action && action < t->action + t->actions) return p->procs.at[t->proc].is_claim;
  }
  return 0;
}

int process_claims_open(struct process_model *m) {
  const struct program *p = m->program;
  m->claim_of = mem_alloc(m->base.mem, MEM_MODEL, (p->actions.count + 1) * sizeof *m->claim_of);
  if (!m->claim_of) return -1;
  for (uint32_t i = 0; i < p->actions.count; i++) {
    if (p->actions.at[i].kind != IR_ASSERT || of_never_claim(p, i)) continue;
    uint32_t c = 0;
    while (c < m->claim.count && !same_place(p->actions.at[m->claim.at[c]].place, p->actions.at[i].place)) c++;
    if (c == m->claim.count && vec_push(&m->claim, m->base.mem, MEM_MODEL, i)) return -1;
    m->claim_of[i] = c;
  }
  for (uint32_t i = 0; i < p->procs.count; i++) {
    if (!p->procs.at[i].is_claim || (p->has_trace && i == p->trace_proc)) continue;
    if (vec_push(&m->never, m->base.mem, MEM_MODEL, i)) return -1;
  }
  return 0;
}

uint32_t process_claims(const struct model *base) {
  const struct process_model *m = process_of(base);
  return (uint32_t)(m->claim.count + m->never.count + m->program->ltls.count);
}

/* A never claim or a formula. */
static void temporal(const struct process_model *m, uint32_t index, struct model_claim *out) {
  const struct program *p = m->program;
  *out = (struct model_claim){.kind = "claim"};
  if (index < m->never.count) {
    const struct ir_proc *proc = &p->procs.at[m->never.at[index]];
    if (strncmp(proc->name, "never", 5) == 0) snprintf(out->id, sizeof out->id, "%s", proc->name);
    else snprintf(out->id, sizeof out->id, "never:%s", proc->name);
    out->place = proc->place;
    return;
  }
  const struct ir_ltl *ltl = &p->ltls.at[index - m->never.count];
  snprintf(out->id, sizeof out->id, "ltl:%s", ltl->name);
  out->kind = "ltl";
  out->formula = ltl->text;
  out->written = ltl->written;
  out->bracket = ltl->brace;
  out->place = ltl->place;
}

/* assert:LINE; the file's name where it is not the model's; the column where a line has several; a number where all are alike. */
void process_claim(const struct model *base, uint32_t index, struct model_claim *out) {
  const struct process_model *m = process_of(base);
  const struct program *p = m->program;
  if (index >= m->claim.count) {
    temporal(m, index - (uint32_t)m->claim.count, out);
    return;
  }
  struct place_in_text at = p->actions.at[m->claim.at[index]].place;
  int several = 0;
  for (uint32_t c = 0; c < m->claim.count; c++) {
    struct place_in_text other = p->actions.at[m->claim.at[c]].place;
    several += other.line == at.line;
  }
  *out = (struct model_claim){.kind = "assert", .place = at};
  if (several > 1) snprintf(out->id, sizeof out->id, "assert:%ld:%ld", at.line, at.column);
  else snprintf(out->id, sizeof out->id, "assert:%ld", at.line);
  for (uint32_t c = 0; several > 1 && c < index; c++) { /* the same line and column of two files */
    struct place_in_text other = p->actions.at[m->claim.at[c]].place;
    if (other.line != at.line || other.column != at.column) continue;
    snprintf(out->id, sizeof out->id, "assert:%ld:%ld:%u", at.line, at.column, (unsigned)index);
    break;
  }
}

struct model_fault process_fault(const struct process_model *m, const struct machine_fault *f, size_t edge) {
  return (struct model_fault){.edge = edge,
                              .claim = f->kind == FAULT_ASSERT ? m->claim_of[f->what] : MODEL_RUNTIME,
                              .detail = f->kind + FAULT_KINDS * f->what};
}

struct place_in_text process_fault_place(const struct model *base, const struct model_fault *f) {
  const struct program *p = process_of(base)->program;
  uint32_t kind = f->detail % FAULT_KINDS, what = f->detail / FAULT_KINDS;
  switch (kind) {
  case FAULT_ASSERT: return p->actions.at[what].place;
  case FAULT_INDEX:
  case FAULT_REMOTE:
  case FAULT_POINTER: return p->refs.at[what].place;
  case FAULT_DIVISION:
  case FAULT_NODE: return p->nodes.at[what].place;
  case FAULT_C: return p->c_parts.at[what].precondition_place;
  case FAULT_CHANNEL:
  case FAULT_EVENT:
  case FAULT_POLL:
  case FAULT_FIELDS: return p->comms.at[what].place;
  default: return p->trans.at[what].place;
  }
}

void process_fault_text(const struct model *base, const struct model_fault *f, char *out, size_t room) {
  const struct program *p = process_of(base)->program;
  uint32_t kind = f->detail % FAULT_KINDS, what = f->detail / FAULT_KINDS;
  switch (kind) {
  case FAULT_ASSERT: snprintf(out, room, "assertion failed: %s", p->actions.at[what].text ? p->actions.at[what].text : ""); break;
  case FAULT_INDEX: {
    const struct ir_lvalue *r = &p->refs.at[what];
    snprintf(out, room, "index out of range%s%s", r->where == IR_HEAP ? "" : " in ", r->where == IR_HEAP ? "" : p->decls.at[r->decl].name);
    break;
  }
  case FAULT_DIVISION: snprintf(out, room, "division by zero"); break;
  case FAULT_CHANNEL: snprintf(out, room, "use of a channel variable that names no channel"); break;
  case FAULT_FIELDS: snprintf(out, room, "another number of message fields than the channel has"); break;
  case FAULT_POLL: snprintf(out, room, "question about a message of a rendezvous channel, which never holds one"); break;
  case FAULT_REMOTE: snprintf(out, room, "variable of a process that is of another type"); break;
  case FAULT_POINTER: snprintf(out, room, "null pointer"); break;
  case FAULT_DSTEP: snprintf(out, room, "a statement inside d_step blocks after: %s", p->trans.at[what].text ? p->trans.at[what].text : ""); break;
  case FAULT_ENDLESS: snprintf(out, room, "an atomic sequence or d_step that never ends"); break;
  case FAULT_C: {
    char quoted[120];
    const char *text = p->c_parts.at[what].precondition;
    snprintf(out, room, "a precondition of C code is false: %s", err_quote(quoted, sizeof quoted, text, strlen(text)));
    break;
  }
  case FAULT_EVENT: snprintf(out, room, "the trace assertion does not allow this communication"); break;
  default: snprintf(out, room, "question about a channel that is not there"); break;
  }
}
