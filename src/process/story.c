/* story.c -- what a step of processes is made of, told to people.
 *
 * A search needs to know where a step leads; people want to know who did what.  The explorer finds the chain of transitions of the
 * k-th successor (explore.h: links), and the chain is then taken once more, transition by transition: after each one the image shows
 * the message that travelled, the processes that came and went, what was printed, what went wrong.  The first idea was to note all
 * this while exploring; but a chain has dead ends whose notes must be taken back, and successors nobody asks about.
 *
 * The interpreter does it, whatever engine the search runs on: they are the same machine, and it prints.  Only models with C code
 * need the compiled one. */
#include "process/process_model.h"

#include "process/events.h"

#include <stdio.h>
#include <string.h>

enum { PRINT_ROOM = 2000, NAME_ROOM = 150, FAULT_ROOM = 400 };

struct printed {
  uint32_t slot;
  size_t start; /* in the story's text */
};

struct story {
  struct process_cursor *cursor;
  uint32_t wanted, seen; /* which successor, and how many were found before it */
  struct vec(struct explore_link) chain;
  int32_t timeout;
  int found;
  /* telling */
  void (*hear)(void *, const struct model_part *);
  void *context;
  size_t told;
  uint32_t processes; /* before the part */
  size_t faults;      /* that belong to parts before */
  struct vec(struct printed) printed;
  struct vec(char) text;
  int failed;
};

/* ---- finding the chain --------------------------------------------------------------------------------------------------- */

static int pick(void *context, struct explore *x, uint32_t first) {
  struct story *s = context;
  (void)first;
  if (s->seen++ < s->wanted) return 0;
  s->found = 1;
  s->timeout = x->timeout;
  for (size_t i = 0; i < x->links.count; i++)
    if (vec_push(&s->chain, s->cursor->base.mem, MEM_OTHER, x->links.at[i])) s->failed = 1;
  return -1;
}

static void find_chain(struct story *s) {
  struct process_cursor *c = s->cursor;
  struct explore *x = &c->explore;
  int (*complete)(void *, struct explore *, uint32_t) = x->complete;
  void *context = x->context;
  x->complete = pick;
  x->context = s;
  x->telling = 1;
  explore_all(x);
  x->telling = s->cursor->tells_movers || s->cursor->notes_parts;
  x->complete = complete;
  x->context = context;
  machine_recount(&c->machine);
  if (c->machine.failed) s->failed = 1;
}

/* ---- one part ------------------------------------------------------------------------------------------------------------ */

static void hear_print(void *context, uint32_t action, uint32_t slot, const int32_t *args) {
  struct story *s = context;
  struct process_cursor *c = s->cursor;
  struct mem *mem = c->base.mem;
  char text[PRINT_ROOM];
  struct process_view view = {process_of(c->base.model), NULL, c->machine.run.cell, c->machine.run.processes};
  process_print(&view, action, args, text, sizeof text);
  size_t length = strlen(text) + 1;
  if (vec_reserve(&s->text, mem, MEM_OTHER, length) || vec_push(&s->printed, mem, MEM_OTHER, (struct printed){slot, s->text.count})) {
    s->failed = 1;
    return;
  }
  memcpy(s->text.at + s->text.count, text, length);
  s->text.count += length;
}

/* All that a process printed since the last part, as one text; NULL = nothing. */
static const char *printed_by(struct story *s, uint32_t slot, char *out, size_t room) {
  size_t used = 0, any = 0;
  for (size_t i = 0; i < s->printed.count; i++) {
    if (s->printed.at[i].slot != slot || used + 1 >= room) continue;
    used += (size_t)snprintf(out + used, room - used, "%s", s->text.at + s->printed.at[i].start);
    any = 1;
  }
  return any ? out : NULL;
}

/* The message of a communication; its texts go into `text`. */
static void tell_message(struct story *s, const struct explore_link *l, struct model_part *part, struct model_field *field, char *channel,
                         char (*text)[NAME_ROOM], uint32_t room, uint32_t mark) {
  const struct process_model *m = process_of(s->cursor->base.model);
  const struct program *p = m->program;
  const struct machine *machine = &s->cursor->machine;
  const struct runtime *r = &machine->run;
  const struct ir_comm *comm = &p->comms.at[p->trans.at[l->trans].comm - 1];
  struct process_view view = {m, NULL, r->cell, r->processes};
  const struct runtime_chan *c = runtime_chan(r, l->chan);
  if (!c) return;
  part->deed = comm->flags & IR_SEND ? MODEL_SENDS : comm->flags & IR_PEEK ? MODEL_PEEKS : MODEL_RECEIVES;
  process_channel_name(&view, l->chan, channel, NAME_ROOM);
  part->channel = channel;
  for (uint32_t i = 0; i < c->fields && i < room; i++) {
    uint32_t type = p->chan_fields.at[p->chans.at[machine->chan_kind[l->chan]].field + i];
    field[i].value = r->message[i];
    field[i].symbolic = process_value_text(&view, type, r->message[i], text[i], NAME_ROOM);
    field[i].text = text[i];
    part->fields = i + 1;
  }
  part->message = field;
  if (part->deed != MODEL_SENDS || !c->capacity || !r->lossy) return;
  part->lost = 1; /* unless the channel's length has changed */
  for (uint32_t i = mark; i < r->logged; i++)
    if (r->log[i].cell == r->chan_cell[l->chan]) part->lost = 0;
}

/* The processes that a transition started: every run that it has was possible, or it would not have been taken. */
static uint32_t tell_started(struct story *s, const struct ir_trans *t, struct model_process *out, uint32_t room) {
  const struct program *p = process_of(s->cursor->base.model)->program;
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->actions; i++) {
    const struct ir_action *a = &p->actions.at[t->action + i];
    if (a->kind != IR_RUN) continue;
    if (n < room) out[n++] = (struct model_process){p->procs.at[a->proc].name, s->processes};
    s->processes++;
  }
  return n;
}

static struct model_process process_in(const struct program *p, const struct explore_link *l) {
  return (struct model_process){p->procs.at[p->trans.at[l->trans].proc].name, l->slot};
}

static void tell_part(void *context, struct explore *x, const struct explore_link *l, uint32_t mark) {
  struct story *s = context;
  const struct process_model *m = process_of(s->cursor->base.model);
  const struct program *p = m->program;
  const struct ir_trans *t = &p->trans.at[l->trans];
  enum { FIELDS = 32, STARTED = 32 };
  struct model_field field[FIELDS];
  struct model_process started[STARTED];
  char channel[NAME_ROOM], text[FIELDS][NAME_ROOM], printed[PRINT_ROOM], fault[FAULT_ROOM];
  struct model_part part = {.process = process_in(p, l), .place = t->place, .statement = t->text ? t->text : "", .started = started};
  if (t->comm) tell_message(s, l, &part, field, channel, text, FIELDS, mark);
  const struct explore_link *end = s->chain.at + s->chain.count;
  if (l->partner) part.partner = process_in(p, l - 1);
  else if (l + 1 < end && l[1].partner == l->slot + 1) part.partner = process_in(p, l + 1);
  part.started_count = tell_started(s, t, started, STARTED);
  if (t->flags & IR_END) {
    part.ended = 1;
    s->processes--;
  }
  part.printed = printed_by(s, l->slot, printed, sizeof printed);
  int meeting = part.partner.name && !l->partner; /* the receiver's part comes now: what was printed and broken may be its own */
  if (s->faults < x->m->faults.count && !meeting) {
    struct model_fault f = process_fault(m, &x->m->faults.at[s->faults], 0);
    process_fault_text(&m->base, &f, fault, sizeof fault);
    part.fault = fault;
    part.fault_place = process_fault_place(&m->base, &f);
  }
  s->hear(s->context, &part);
  s->told++;
  if (meeting) return;
  s->faults = x->m->faults.count;
  s->printed.count = s->text.count = 0;
}

int64_t process_parts(struct model_cursor *base, const uint32_t *state, uint32_t k, void (*hear)(void *, const struct model_part *),
                      void *context) {
  struct process_cursor *c = (struct process_cursor *)base;
  struct machine *m = &c->machine;
  struct story s = {.cursor = c, .wanted = k, .hear = hear, .context = context};
  if (process_load(c, state)) return -1;
  m->engine = m->program->uses_c ? process_of(base->model)->engine : engine_interpreter;
  find_chain(&s);
  if (s.found && !s.failed) {
    s.processes = m->run.processes;
    m->run.printing = 1;
    m->print = hear_print;
    m->print_context = &s;
    if (explore_again(&c->explore, s.chain.at, s.chain.count, s.timeout, tell_part, &s)) s.failed = 1;
    m->run.printing = 0;
    m->print = NULL;
    machine_undo(m, 0);
    machine_recount(m);
  }
  m->failed = 0;
  m->faults.count = 0;
  c->loaded = 0;
  vec_free(&s.chain, base->mem);
  vec_free(&s.printed, base->mem);
  vec_free(&s.text, base->mem);
  return s.failed ? -1 : (int64_t)s.told;
}

/* ---- where processes stand ------------------------------------------------------------------------------------------------- */

enum { CHOICES = 4, STATEMENTS = 400 };

/* What a process could do from a control state: "q!x or r?y". */
static void choices(const struct program *p, const struct ir_state *q, char *out, size_t room) {
  size_t used = 0;
  uint32_t n = 0;
  out[0] = 0;
  for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) {
    const char *text = p->trans.at[i].text;
    int again = 0;
    for (uint32_t k = q->trans; k < i && text; k++) again |= p->trans.at[k].text && strcmp(p->trans.at[k].text, text) == 0;
    if (!text || !*text || again || p->trans.at[i].flags & IR_END) continue;
    used += (size_t)snprintf(out + used, room - used, "%s%.90s", n ? " or " : "", n == CHOICES ? "..." : text);
    if (used >= room || n++ == CHOICES) return;
  }
}

int process_stands(const struct model *base, const uint32_t *state, void (*hear)(void *, const struct model_stand *), void *context) {
  const struct process_model *m = process_of(base);
  const struct program *p = m->program;
  struct process_view v = {m, state, NULL, m->packing->widths.slots};
  const struct ir_state *trace = NULL;
  for (uint32_t slot = 0; slot < v.slots; slot++) {
    int64_t type = process_view_type(&v, slot);
    if (type < 0) break;
    const struct ir_proc *proc = &p->procs.at[type];
    uint32_t pc = (uint32_t)packing_cell(m->packing, state, shape_slot(&m->shape, slot) + SLOT_PC);
    const struct ir_state *q = &p->states.at[proc->state + pc];
    char text[STATEMENTS];
    choices(p, q, text, sizeof text);
    struct model_stand stand = {.process = {proc->name, slot},
                                .place = q->transitions ? p->trans.at[q->trans].place : q->place,
                                .statement = text,
                                .end = (q->flags & IR_VALID_END) != 0};
    if (!slot) trace = events_unfinished(p, packing_cell(m->packing, state, IMAGE_EVENT));
    if (!stand.end) trace = NULL; /* it is told where it alone is in the way */
    hear(context, &stand);
  }
  if (trace) {
    char text[STATEMENTS];
    choices(p, trace, text, sizeof text);
    struct model_stand stand = {.process = {p->procs.at[p->trace_proc].name, 0}, .place = trace->place, .statement = text};
    hear(context, &stand);
  }
  return 0;
}

/* ---- warnings ---------------------------------------------------------------------------------------------------------------- */

/* What lvalue or argument number i is, if a value was cut there. */
struct cut {
  struct place_in_text place;
  char text[200];
};

static struct place_in_text place_or(struct place_in_text place, struct place_in_text otherwise) { return place.line ? place : otherwise; }

static void cut_lvalue(const struct program *p, uint32_t i, struct cut *out) {
  const struct ir_lvalue *r = &p->refs.at[i];
  const char *type = p->types.at[r->type].name;
  out->place = r->place;
  if (r->where == IR_HEAP) snprintf(out->text, sizeof out->text, "%s", type);
  else snprintf(out->text, sizeof out->text, "%s %s", type, p->decls.at[r->decl].name);
}

/* A field of a message, or a parameter of a process. The value may be a number, which has no place: then that of the statement. */
static void cut_argument(const struct program *p, uint32_t i, struct cut *out) {
  struct place_in_text own = p->nodes.at[p->args.at[i].what].place;
  *out = (struct cut){.place = own};
  for (size_t k = 0; k < p->comms.count; k++) {
    const struct ir_comm *c = &p->comms.at[k];
    if (!(c->flags & IR_SEND) || i < c->arg || i >= c->arg + c->args) continue;
    out->place = place_or(own, c->place);
    snprintf(out->text, sizeof out->text, "field %u of the message", (unsigned)(i - c->arg) + 1);
    return;
  }
  for (size_t k = 0; k < p->actions.count; k++) {
    const struct ir_action *a = &p->actions.at[k];
    if (a->kind != IR_RUN || i < a->arg || i >= a->arg + a->args) continue;
    char name[120];
    program_cell_name(p, a->proc + 1, i - a->arg, name, sizeof name);
    out->place = place_or(own, a->place);
    snprintf(out->text, sizeof out->text, "%s %s of %.60s", p->types.at[program_cell_type(p, a->proc + 1, i - a->arg)].name, name, p->procs.at[a->proc].name);
    return;
  }
}

static int find_cut(const struct process_model *m, size_t i, struct cut *out) {
  const struct program *p = m->program;
  if (!m->cut[i] && !(m->scratch.run.cut && m->scratch.run.cut[i])) return 0;
  if (i < p->refs.count) cut_lvalue(p, (uint32_t)i, out);
  else cut_argument(p, (uint32_t)(i - p->refs.count), out);
  return 1;
}

/* Was the same told before (an inline that is used twice)? */
static int told_before(const struct process_model *m, size_t i, const struct cut *cut) {
  struct cut other;
  for (size_t k = 1; k < i; k++)
    if (find_cut(m, k, &other) && other.place.line == cut->place.line && other.place.column == cut->place.column && !strcmp(other.text, cut->text)) return 1;
  return 0;
}

int process_warning(const struct model *base, uint32_t index, struct place_in_text *at, char *text, size_t room) {
  const struct process_model *m = process_of(base);
  struct cut cut;
  for (size_t i = 1; i < machine_cuts(&m->shape); i++) {
    if (!find_cut(m, i, &cut) || told_before(m, i, &cut) || index--) continue;
    *at = cut.place;
    snprintf(text, room, "a value was cut to fit %s", cut.text);
    return 1;
  }
  return 0;
}
