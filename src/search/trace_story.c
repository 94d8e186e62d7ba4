/* trace_story.c -- see trace_story.h.
 *
 * A change is worded by the state after the step, where the variable still means something there, else by the state before it.
 * What vanished with its process is hidden, and so is where processes stand, because the parts tell it.  A piece of a larger
 * variable (a message within a channel) is hidden behind the whole; if the whole's own cell did not change, its first changed
 * piece speaks for it. */
#include "search/trace_story.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int tells(const struct model *m) { return m->type->describe != NULL; }

static const char *copy(struct trace *t, const char *text) { return text ? arena_strndup(&t->text, text, strlen(text)) : NULL; }

int trace_story_open(struct trace_story *s, struct trace *t, struct stepper *at, size_t steps) {
  const struct model *m = at->model;
  if (!tells(m)) return 0;
  *s = (struct trace_story){.mem = t->mem};
  t->model = m;
  arena_open(&t->text, t->mem, MEM_OTHER);
  s->room = model_stride(m->words);
  s->vars = t->vars;
  s->before = mem_alloc(t->mem, MEM_OTHER, s->room * sizeof *s->before);
  s->listed = mem_alloc(t->mem, MEM_OTHER, t->vars + 1);
  s->name = mem_alloc(t->mem, MEM_OTHER, (t->vars + 1) * sizeof *s->name);
  t->start = mem_alloc(t->mem, MEM_OTHER, (t->vars + 1) * sizeof *t->start);
  t->part_start = mem_alloc(t->mem, MEM_OTHER, (steps + 1) * sizeof *t->part_start);
  if (!s->before || !s->listed || !s->name || !t->start || !t->part_start) return -1;
  for (uint32_t v = 0; v < t->vars; v++) {
    struct model_var d;
    m->type->describe(m, at->state, v, &d);
    if (d.kind == MODEL_VAR_UNUSED) continue;
    s->listed[v] = 1;
    t->start[v] = (struct trace_words){copy(t, d.name), copy(t, d.label), NULL, copy(t, d.text), d.kind != MODEL_VAR_PLAIN};
    if (!t->start[v].name || !t->start[v].label || !t->start[v].to) return -1;
  }
  return 0;
}

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

static int copied(const char *original, const char *text) { return !original || text; }

int trace_copy_part(struct trace *t, const struct model_part *p, struct model_part *out) {
  *out = *p;
  out->process.name = copy(t, p->process.name);
  out->partner.name = copy(t, p->partner.name);
  out->place.file = copy(t, p->place.file);
  out->fault_place.file = copy(t, p->fault_place.file);
  out->statement = copy(t, p->statement);
  out->channel = copy(t, p->channel);
  out->printed = copy(t, p->printed);
  out->fault = copy(t, p->fault);
  struct model_field *message = arena_alloc(&t->text, (p->fields + 1) * sizeof *message);
  struct model_process *started = arena_alloc(&t->text, (p->started_count + 1) * sizeof *started);
  if (!message || !started) return -1;
  int whole = copied(p->process.name, out->process.name) && copied(p->partner.name, out->partner.name) &&
              copied(p->place.file, out->place.file) && copied(p->statement, out->statement) && copied(p->channel, out->channel) &&
              copied(p->printed, out->printed) && copied(p->fault, out->fault);
  for (uint32_t i = 0; i < p->fields; i++) {
    message[i] = p->message[i];
    message[i].text = copy(t, p->message[i].text);
    whole &= message[i].text != NULL;
  }
  for (uint32_t i = 0; i < p->started_count; i++) {
    started[i] = (struct model_process){copy(t, p->started[i].name), p->started[i].pid};
    whole &= started[i].name != NULL;
  }
  out->message = message;
  out->started = started;
  return whole ? 0 : -1;
}

static void hear_part(void *context, const struct model_part *part) {
  struct trace_story *s = context;
  struct model_part mine;
  if (trace_copy_part(s->trace, part, &mine) || vec_push(&s->parts, s->mem, MEM_OTHER, mine)) s->failed = 1;
}

/* The model has got more variables: they were 0 so far and meant nothing. */
static int grow(struct trace_story *s, struct trace *t, uint32_t vars) {
  if (vars <= t->vars) return 0;
  int64_t *initial = mem_resize(t->mem, MEM_OTHER, t->initial, ((size_t)vars + 1) * sizeof *initial);
  if (initial) t->initial = initial;
  struct trace_words *start = mem_resize(t->mem, MEM_OTHER, t->start, ((size_t)vars + 1) * sizeof *start);
  if (start) t->start = start;
  uint8_t *listed = mem_resize(t->mem, MEM_OTHER, s->listed, (size_t)vars + 1);
  if (listed) s->listed = listed;
  const char **name = mem_resize(t->mem, MEM_OTHER, s->name, ((size_t)vars + 1) * sizeof *name);
  if (name) s->name = name;
  if (!initial || !start || !listed || !name) return -1;
  t->vars = vars;
  return 0;
}

int trace_story_parts(struct trace_story *s, struct trace *t, struct stepper *at, uint32_t k) {
  const struct model *m = at->model;
  if (!tells(m)) return 0;
  size_t room = model_stride(m->words);
  if (grow(s, t, m->vars)) return -1;
  if (room > s->room) { /* the layout has grown */
    uint32_t *before = mem_resize(s->mem, MEM_OTHER, s->before, room * sizeof *before);
    if (!before) return -1;
    s->before = before;
    s->room = room;
  }
  memcpy(s->before, at->state, room * sizeof *s->before);
  s->trace = t;
  int64_t n = m->type->parts ? m->type->parts(at->cursor, at->state, k, hear_part, s) : 0;
  t->part = s->parts.at; /* the trace frees it, whatever happens */
  t->part_count = t->part_start[t->count + 1] = s->parts.count;
  return n < 0 || s->failed ? -1 : 0;
}

/* ---- changes ------------------------------------------------------------------------------------------------------------- */

/* The words of the change of one variable, or of the whole that it is a piece of. */
static int word(const struct trace_story *s, struct trace *t, const struct stepper *at, struct trace_change *c) {
  const struct model *m = at->model;
  struct model_var before, after;
  char number[24];
  m->type->describe(m, s->before, c->var, &before);
  m->type->describe(m, at->state, c->var, &after);
  const struct model_var *d = after.kind != MODEL_VAR_UNUSED ? &after : &before;
  struct trace_words *w = arena_alloc(&t->text, sizeof *w);
  if (!w) return -1;
  w->name = copy(t, d->name);
  w->hidden = d->kind != MODEL_VAR_PLAIN || after.kind == MODEL_VAR_UNUSED;
  if (d->kind == MODEL_VAR_PART && after.kind == MODEL_VAR_PART &&
      m->type->value(m, s->before, after.whole) == m->type->value(m, at->state, after.whole)) {
    int first = 1; /* the first changed piece of a whole that seems unchanged */
    for (const struct trace_change *other = c; first && other-- > t->change + t->change_start[t->count - 1];) {
      struct model_var piece;
      m->type->describe(m, at->state, other->var, &piece);
      if (piece.kind == MODEL_VAR_PART && piece.whole == after.whole) first = 0;
    }
    uint32_t whole = after.whole;
    m->type->describe(m, s->before, whole, &before);
    m->type->describe(m, at->state, whole, &after);
    d = &after;
    w->hidden = !first;
  }
  w->label = copy(t, d->label);
  snprintf(number, sizeof number, "%" PRId64, c->from);
  w->from = copy(t, before.kind == MODEL_VAR_UNUSED || strcmp(before.label, d->label) ? number : before.text);
  snprintf(number, sizeof number, "%" PRId64, c->to);
  w->to = copy(t, after.kind == MODEL_VAR_UNUSED ? number : after.text);
  c->words = w;
  return w->name && w->label && w->from && w->to ? 0 : -1;
}

/* Processes that come late bring variables that nobody knew before. */
static int make_room(struct trace_story *s, struct trace *t, size_t vars) {
  if (vars <= s->vars) return 0;
  uint8_t *listed = mem_resize(s->mem, MEM_OTHER, s->listed, vars + 1);
  if (listed) s->listed = listed;
  const char **name = mem_resize(s->mem, MEM_OTHER, s->name, (vars + 1) * sizeof *name);
  if (name) s->name = name;
  struct trace_words *start = mem_resize(s->mem, MEM_OTHER, t->start, (vars + 1) * sizeof *start);
  if (start) t->start = start;
  if (!listed || !name || !start) return -1;
  s->vars = vars;
  return 0;
}

/* t->count has the step already. */
int trace_story_changes(struct trace_story *s, struct trace *t, struct stepper *at, size_t step) {
  if (!tells(at->model)) return 0;
  if (make_room(s, t, at->model->vars)) return -1;
  size_t counted = t->count;
  t->count = step + 1;
  int bad = 0;
  for (size_t c = t->change_start[step]; c < t->change_start[step + 1] && !bad; c++) {
    bad = word(s, t, at, &t->change[c]);
    if (bad || s->listed[t->change[c].var]) continue;
    s->listed[t->change[c].var] = 1;
    s->name[t->change[c].var] = t->change[c].words->name;
  }
  t->count = counted;
  return bad;
}

/* ---- the end --------------------------------------------------------------------------------------------------------------- */

static void hear_stand(void *context, const struct model_stand *stand) {
  struct trace_story *s = context;
  struct model_stand mine = *stand;
  mine.process.name = copy(s->trace, stand->process.name);
  mine.place.file = copy(s->trace, stand->place.file);
  mine.statement = copy(s->trace, stand->statement);
  if (!mine.process.name || !mine.statement || vec_push(&s->stands, s->mem, MEM_OTHER, mine)) s->failed = 1;
}

/* Variables that mean something are numbered anew. */
static int compact(struct trace_story *s, struct trace *t) {
  uint32_t *number = mem_alloc(s->mem, MEM_OTHER, (t->vars + 1) * sizeof *number);
  if (!number) return -1;
  uint32_t n = 0;
  for (uint32_t v = 0; v < t->vars; v++) {
    if (!s->listed[v]) continue;
    if (s->name[v]) t->start[v] = (struct trace_words){s->name[v], s->name[v], NULL, "", 1};
    t->initial[n] = t->initial[v];
    t->start[n] = t->start[v];
    number[v] = n++;
  }
  for (size_t c = 0; c < t->change_count; c++) t->change[c].var = number[t->change[c].var];
  t->vars = n;
  mem_free(s->mem, number);
  return 0;
}

int trace_story_end(struct trace_story *s, struct trace *t, struct stepper *at) {
  const struct model *m = at->model;
  if (!tells(m)) return 0;
  s->trace = t;
  int bad = m->type->stands && m->type->stands(m, at->state, hear_stand, s);
  t->stand = s->stands.at;
  t->stand_count = s->stands.count;
  return bad || s->failed || compact(s, t) ? -1 : 0;
}

void trace_story_close(struct trace_story *s) {
  if (!s->mem) return;
  mem_free(s->mem, s->before);
  mem_free(s->mem, s->listed);
  mem_free(s->mem, s->name);
  *s = (struct trace_story){0};
}
