/* chart.c -- charts: lifelines, events, messages under way, and what is said at the end.  Who does what is chart_process.c's and
 * chart_net.c's to find out.
 *
 * Messages under way are queues by key (channel and content), lists through the events themselves, so that a channel with a hundred
 * thousand messages in it costs no more than one with two. */
#include "report/chart_parts.h"

#include <string.h>

/* ---- lifelines and events -------------------------------------------------------------------------------------------------- */

const char *chart_text(struct chart_maker *m, const char *text, size_t length) {
  const char *copy = arena_strndup(&m->chart->text, text, length);
  if (!copy) m->failed = 1;
  return copy ? copy : "";
}

uint32_t chart_lifeline(struct chart_maker *m, const char *name, size_t length) {
  uint32_t found = chart_names_add(&m->lifelines, name, length);
  if (found == CHART_NOBODY) m->failed = 1;
  else if (found == m->lifeline.count && vec_push(&m->lifeline, m->chart->mem, MEM_OTHER, (struct chart_lifeline){m->lifelines.name.at[found], CHART_NEVER, CHART_NEVER})) m->failed = 1;
  return m->failed ? CHART_NOBODY : found;
}

static uint32_t push_row(struct chart_maker *m, uint32_t event) {
  if (vec_push(&m->row_event, m->chart->mem, MEM_OTHER, event)) m->failed = 1;
  return (uint32_t)m->row_event.count - 1;
}

/* Without a row. */
static uint32_t push_bare(struct chart_maker *m, struct chart_event e) {
  e.step = m->step;
  if (m->event.count >= CHART_NOBODY - 1 || vec_push(&m->event, m->chart->mem, MEM_OTHER, e)) m->failed = 1;
  return (uint32_t)m->event.count - 1;
}

uint32_t chart_push(struct chart_maker *m, struct chart_event e) {
  if (m->failed) return 0;
  uint32_t event = push_bare(m, e);
  if (!m->failed) m->event.at[event].row = push_row(m, event);
  return event;
}

void chart_push_action(struct chart_maker *m, uint32_t at, const char *label, size_t length) {
  chart_push(m, (struct chart_event){.kind = CHART_ACTION, .from = at, .to = at, .label = chart_text(m, label, length)});
}

void chart_push_note(struct chart_maker *m, enum chart_tone tone, uint32_t from, uint32_t to, const char *label, size_t length) {
  while (length && (label[length - 1] == '\n' || label[length - 1] == '\r')) length--;
  if (!length) return;
  chart_push(m, (struct chart_event){.kind = CHART_NOTE, .tone = (uint8_t)tone, .from = from, .to = to, .label = chart_text(m, label, length)});
}

void chart_push_create(struct chart_maker *m, uint32_t by, uint32_t who, const char *label, size_t length) {
  chart_push(m, (struct chart_event){.kind = CHART_CREATE, .from = by, .to = who, .label = chart_text(m, label, length)});
  if (m->failed || who == CHART_NOBODY) return;
  struct chart_lifeline *l = &m->lifeline.at[who];
  if (l->from == CHART_NEVER && l->to == CHART_NEVER) l->from = m->step;
  l->to = CHART_NEVER;
}

void chart_push_end(struct chart_maker *m, uint32_t who) {
  chart_push(m, (struct chart_event){.kind = CHART_END, .from = who, .to = who, .label = ""});
  if (!m->failed && who != CHART_NOBODY) m->lifeline.at[who].to = m->step;
}

void chart_push_meeting(struct chart_maker *m, uint32_t from, uint32_t to, const char *label, size_t length, const char *channel) {
  uint32_t e = chart_push(m, (struct chart_event){.kind = CHART_MESSAGE, .meeting = 1, .from = from, .to = to, .received = m->step,
                                                  .label = chart_text(m, label, length), .channel = channel});
  if (!m->failed) m->event.at[e].last_row = m->event.at[e].row;
}

/* ---- messages under way ------------------------------------------------------------------------------------------------------ */

void chart_key_begin(struct chart_maker *m) { m->key.count = 0; }

void chart_key_add(struct chart_maker *m, const char *text, size_t length) {
  if (vec_reserve(&m->key, m->chart->mem, MEM_OTHER, length + 1)) {
    m->failed = 1;
    return;
  }
  memcpy(m->key.at + m->key.count, text, length);
  m->key.count += length;
  m->key.at[m->key.count++] = 0;
}

static struct chart_queue *queue_of_key(struct chart_maker *m, int fresh) {
  if (m->failed) return NULL;
  uint32_t key = fresh ? chart_names_add(&m->keys, m->key.at, m->key.count) : chart_names_find(&m->keys, m->key.at, m->key.count);
  if (key == CHART_NOBODY) {
    m->failed |= fresh;
    return NULL;
  }
  if (key == m->queue.count && vec_push(&m->queue, m->chart->mem, MEM_OTHER, (struct chart_queue){CHART_NOBODY, CHART_NOBODY})) {
    m->failed = 1;
    return NULL;
  }
  return &m->queue.at[key];
}

void chart_send(struct chart_maker *m, uint32_t from, const char *label, size_t length, const char *channel) {
  uint32_t e = chart_push(m, (struct chart_event){.kind = CHART_MESSAGE, .from = from, .to = CHART_NOBODY, .received = CHART_NEVER, .last_row = CHART_NEVER,
                                                  .label = chart_text(m, label, length), .channel = channel});
  struct chart_queue *q = queue_of_key(m, 1);
  if (!q) return;
  while (m->next.count <= e)
    if (vec_push(&m->next, m->chart->mem, MEM_OTHER, CHART_NOBODY)) {
      m->failed = 1;
      return;
    }
  if (q->first == CHART_NOBODY) q->first = e;
  else m->next.at[q->last] = e;
  q->last = e;
}

static uint32_t take(struct chart_maker *m) {
  struct chart_queue *q = queue_of_key(m, 0);
  if (!q || q->first == CHART_NOBODY) return CHART_NOBODY;
  uint32_t e = q->first;
  q->first = m->next.at[e];
  return e;
}

void chart_receive(struct chart_maker *m, uint32_t to, const char *label, size_t length, const char *channel) {
  uint32_t e = take(m);
  if (m->failed) return;
  if (e == CHART_NOBODY) { /* it lay in the channel from the start */
    e = chart_push(m, (struct chart_event){.kind = CHART_MESSAGE, .from = CHART_NOBODY, .to = to, .received = m->step, .label = chart_text(m, label, length), .channel = channel});
    if (!m->failed) m->event.at[e].last_row = m->event.at[e].row;
    return;
  }
  m->event.at[e].to = to;
  m->event.at[e].received = m->step;
  m->event.at[e].last_row = push_row(m, e);
}

int chart_lose(struct chart_maker *m) {
  uint32_t e = take(m);
  if (e != CHART_NOBODY) m->event.at[e].lost = 1;
  return e != CHART_NOBODY;
}

/* ---- the end ------------------------------------------------------------------------------------------------------------------ */

/* What went wrong has been told already where it went wrong. */
static int told(const struct chart_maker *m, const char *text) {
  const struct chart_event *e = m->event.count ? &m->event.at[m->event.count - 1] : NULL;
  return e && !m->failed && e->kind == CHART_NOTE && e->tone == CHART_FAULT && strncmp(text, e->label, strlen(e->label)) == 0;
}

static void push_verdict(struct chart_maker *m, const char *text) {
  if (told(m, text)) return;
  if (m->lifeline.count) chart_push_note(m, CHART_VERDICT, 0, (uint32_t)m->lifeline.count - 1, text, strlen(text));
}

static void tell_end(struct chart_maker *m) {
  const struct trace *t = m->trace;
  char text[500];
  int stuck = t->verdict[0] && m->view->property_kind && strcmp(m->view->property_kind, "deadlock") == 0;
  if (t->message[0]) push_verdict(m, t->message);
  else if (stuck) push_verdict(m, "nothing can happen any more");
  else if (t->property[0] && t->verdict[0]) {
    const char *what = m->view->property_text;
    snprintf(text, sizeof text, "%s %s%s%.300s", t->property, t->verdict, what ? ": " : "", what ? what : "");
    push_verdict(m, text);
  }
  if (!stuck) return;
  for (size_t i = 0; i < t->stand_count; i++) {
    const struct model_stand *s = &t->stand[i];
    if (!s->process.name) continue;
    int length = snprintf(text, sizeof text, "%.200s[%u]", s->process.name, (unsigned)s->process.pid);
    uint32_t who = chart_lifeline(m, text, (size_t)length);
    length = *s->statement ? snprintf(text, sizeof text, "waits: %.400s", s->statement) : snprintf(text, sizeof text, "at its end");
    chart_push_note(m, CHART_WAIT, who, who, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
  }
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------------ */

/* Steps told by chart_of_processes and chart_of_net come through here. */
void chart_step_begin(struct chart_maker *m, size_t step) {
  m->step = (uint32_t)step + 1;
  if (m->trace->loop < 0 || (size_t)m->trace->loop != step) return;
  uint32_t e = chart_push(m, (struct chart_event){.kind = CHART_LOOP, .from = 0, .received = (uint32_t)m->trace->count, .label = "from here on, again and again"});
  if (!m->failed) m->loop = e;
}

uint32_t chart_atomic_begin(struct chart_maker *m) {
  return push_bare(m, (struct chart_event){.kind = CHART_ATOMIC, .row = (uint32_t)m->row_event.count, .label = "atomic"});
}

static void reach(uint32_t lifeline, uint32_t *low, uint32_t *high) {
  if (lifeline == CHART_NOBODY) return;
  if (lifeline < *low) *low = lifeline;
  if (lifeline > *high) *high = lifeline;
}

void chart_atomic_end(struct chart_maker *m, uint32_t event) {
  if (m->failed) return;
  struct chart_event *a = &m->event.at[event];
  uint32_t low = CHART_NOBODY, high = 0;
  for (uint32_t row = a->row; row < m->row_event.count; row++) { /* of messages that take longer only one end belongs to the step */
    const struct chart_event *e = &m->event.at[m->row_event.at[row]];
    int message = e->kind == CHART_MESSAGE;
    if (!message || e->row == row) reach(e->from, &low, &high);
    if (!message || e->last_row == row) reach(e->to, &low, &high);
  }
  a->from = low == CHART_NOBODY ? 0 : low;
  a->to = high;
  a->last_row = m->row_event.count ? (uint32_t)m->row_event.count - 1 : 0;
}

static int is_process_trace(const struct trace *t) {
  for (size_t i = 0; i < t->part_count; i++)
    if (t->part[i].process.name) return 1;
  for (size_t i = 0; i < t->stand_count; i++)
    if (t->stand[i].process.name) return 1;
  return 0;
}

static void keep(struct chart_maker *m) {
  struct chart *c = m->chart;
  c->lifeline = m->lifeline.at;
  c->lifelines = (uint32_t)m->lifeline.count;
  c->event = m->event.at;
  c->events = (uint32_t)m->event.count;
  c->row_event = m->row_event.at;
  c->rows = (uint32_t)m->row_event.count;
  c->steps = (uint32_t)m->trace->count;
  c->branches = (uint32_t)m->trace->branch_count;
  if (m->view->file) c->title = chart_text(m, m->view->file, strlen(m->view->file));
}

int chart_make(struct chart *c, const struct trace_view *v, const struct chart_map *map, struct mem *mem, struct err *e) {
  *c = (struct chart){.mem = mem};
  arena_open(&c->text, mem, MEM_OTHER);
  struct chart_maker m = {.view = v, .trace = v->trace, .chart = c, .loop = CHART_NOBODY};
  struct arena scratch;
  arena_open(&scratch, mem, MEM_OTHER);
  chart_names_open(&m.lifelines, &c->text, mem);
  chart_names_open(&m.keys, &scratch, mem);
  if (is_process_trace(v->trace)) chart_of_processes(&m);
  else chart_of_net(&m, map);
  m.step = (uint32_t)v->trace->count;
  if (m.loop != CHART_NOBODY && !m.failed) {
    m.event.at[m.loop].last_row = (uint32_t)m.row_event.count - 1;
    m.event.at[m.loop].to = m.lifeline.count ? (uint32_t)m.lifeline.count - 1 : 0;
  }
  tell_end(&m);
  keep(&m);
  chart_names_close(&m.lifelines);
  chart_names_close(&m.keys);
  arena_close(&scratch);
  vec_free(&m.queue, mem);
  vec_free(&m.next, mem);
  vec_free(&m.key, mem);
  int bad = m.failed ? err_memory(e, "a chart") : 0;
  if (bad) chart_close(c);
  return bad;
}

void chart_close(struct chart *c) {
  if (!c->mem) return;
  mem_free(c->mem, c->lifeline);
  mem_free(c->mem, c->event);
  mem_free(c->mem, c->row_event);
  arena_close(&c->text);
  *c = (struct chart){0};
}

int chart_message_text(const struct chart_event *e, char *out, size_t room) {
  if (!e->channel) return snprintf(out, room, "%s", e->label);
  return snprintf(out, room, "%s%s%s", e->channel, *e->label ? ": " : "", e->label);
}
