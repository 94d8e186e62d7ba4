/* chart_process.c -- charts of processes: what the parts of each step tell.
 *
 * A name with a pid is one lifeline, however often a process of that name lives there: models that start and end processes for ever
 * would have ever more columns otherwise.  Those that are there from the start come first, by their pids; the others follow in
 * the order in which they are started.
 *
 * Channels are known by name.  One that is local to a process (P[1].q) is another one when that process is started again: the number of
 * its births is part of the key. */
#include "report/chart_parts.h"

#include <stdlib.h>
#include <string.h>

enum { NAME = 240, MESSAGE = 600 };

struct scene {
  struct chart_maker *maker;
  struct vec(uint32_t) births; /* per lifeline */
  const struct model_part *met; /* the sender of a rendezvous whose other half is to come */
};

static uint32_t who(struct chart_maker *m, const struct model_process *p) {
  char name[NAME];
  if (!p->name) return chart_lifeline(m, "model", 5);
  int length = snprintf(name, sizeof name, "%.200s[%u]", p->name, (unsigned)p->pid);
  return chart_lifeline(m, name, (size_t)length);
}

/* ---- who is there from the start ---------------------------------------------------------------------------------------------- */

static int by_pid(const void *a, const void *b) {
  const struct model_process *x = a, *y = b;
  if (x->pid != y->pid) return x->pid < y->pid ? -1 : 1;
  return strcmp(x->name, y->name);
}

/* In the order of the run: whoever is met before he is started was there from the start. */
static void find_first(struct chart_maker *m, struct chart_names *met, struct chart_names *later, const struct model_process *p, int started) {
  char name[NAME];
  if (!p->name) return;
  size_t length = (size_t)snprintf(name, sizeof name, "%.200s[%u]", p->name, (unsigned)p->pid);
  if (chart_names_find(met, name, length) != CHART_NOBODY || chart_names_find(later, name, length) != CHART_NOBODY) return;
  if (chart_names_add(started ? later : met, name, length) == CHART_NOBODY) m->failed = 1;
}

static void first_ones(struct chart_maker *m) {
  const struct trace *t = m->trace;
  struct vec(struct model_process) all = {0};
  struct chart_names met, later;
  struct arena scratch;
  struct mem *mem = m->chart->mem;
  arena_open(&scratch, mem, MEM_OTHER);
  chart_names_open(&met, &scratch, mem);
  chart_names_open(&later, &scratch, mem);
  for (size_t i = 0; i < t->part_count + t->stand_count && !m->failed; i++) {
    const struct model_part *p = i < t->part_count ? &t->part[i] : NULL;
    const struct model_process *one = p ? &p->process : &t->stand[i - t->part_count].process;
    size_t before = met.name.count;
    find_first(m, &met, &later, one, 0);
    if (met.name.count > before && vec_push(&all, mem, MEM_OTHER, *one)) m->failed = 1;
    for (uint32_t s = 0; p && s < p->started_count; s++) find_first(m, &met, &later, &p->started[s], 1);
  }
  if (all.count) qsort(all.at, all.count, sizeof *all.at, by_pid);
  for (size_t i = 0; i < all.count && !m->failed; i++) who(m, &all.at[i]);
  vec_free(&all, mem);
  chart_names_close(&met);
  chart_names_close(&later);
  arena_close(&scratch);
}

/* ---- parts -------------------------------------------------------------------------------------------------------------------------- */

static uint32_t *births(struct scene *s, uint32_t lifeline) {
  static uint32_t nowhere;
  if (lifeline == CHART_NOBODY) return &nowhere;
  while (s->births.count <= lifeline)
    if (vec_push(&s->births, s->maker->chart->mem, MEM_OTHER, 0)) {
      s->maker->failed = 1;
      return &nowhere;
    }
  return &s->births.at[lifeline];
}

static void key(struct scene *s, const struct model_part *p, const char *message, size_t length) {
  struct chart_maker *m = s->maker;
  const char *owner = strstr(p->channel, "].");
  uint32_t lifeline = owner ? chart_names_find(&m->lifelines, p->channel, (size_t)(owner + 1 - p->channel)) : CHART_NOBODY;
  uint32_t birth = lifeline == CHART_NOBODY ? 0 : *births(s, lifeline);
  chart_key_begin(m);
  chart_key_add(m, p->channel, strlen(p->channel));
  chart_key_add(m, (const char *)&birth, sizeof birth);
  chart_key_add(m, message, length);
}

static void communicate(struct scene *s, const struct model_part *p, uint32_t me) {
  struct chart_maker *m = s->maker;
  char message[MESSAGE], text[MESSAGE + 200];
  size_t length = trace_message_text(p, message, sizeof message);
  const struct model_part *met = s->met;
  s->met = NULL;
  if (p->deed == MODEL_PEEKS) {
    int n = snprintf(text, sizeof text, "reads %s%sin %.150s", message, length ? " " : "", p->channel);
    chart_push_action(m, me, text, (size_t)n);
    return;
  }
  const char *channel = chart_text(m, p->channel, strlen(p->channel));
  if (p->partner.name) {
    uint32_t other = who(m, &p->partner);
    if (p->deed == MODEL_SENDS) {
      chart_push_meeting(m, me, other, message, length, channel);
      s->met = p;
    } else if (!met || met->partner.pid != p->process.pid) chart_push_meeting(m, other, me, message, length, channel);
    return;
  }
  key(s, p, message, length);
  if (p->deed == MODEL_RECEIVES) chart_receive(m, me, message, length, channel);
  else if (!p->lost) chart_send(m, me, message, length, channel);
  else
    chart_push(m, (struct chart_event){.kind = CHART_MESSAGE, .lost = 1, .from = me, .to = CHART_NOBODY, .received = CHART_NEVER, .last_row = CHART_NEVER,
                                       .label = chart_text(m, message, length), .channel = channel});
}

static void tell_part(struct scene *s, const struct model_part *p) {
  struct chart_maker *m = s->maker;
  uint32_t me = who(m, &p->process);
  if (p->deed != MODEL_ACTS && p->channel) communicate(s, p, me);
  else if (!p->started_count) chart_push_action(m, me, p->statement, strlen(p->statement));
  for (uint32_t i = 0; i < p->started_count; i++) {
    uint32_t child = who(m, &p->started[i]);
    ++*births(s, child);
    chart_push_create(m, me, child, p->statement, strlen(p->statement));
  }
  if (p->printed) chart_push_note(m, CHART_PRINT, me, me, p->printed, strlen(p->printed));
  if (p->fault) chart_push_note(m, CHART_FAULT, me, me, p->fault, strlen(p->fault));
  if (p->ended) chart_push_end(m, me);
}

/* Is it more than one statement? The two halves of a rendezvous are one. */
static int several(const struct model_part *p, size_t count) {
  size_t n = count;
  for (size_t i = 0; i + 1 < count; i++) n -= p[i].deed == MODEL_SENDS && p[i].partner.name && p[i + 1].deed == MODEL_RECEIVES && p[i + 1].partner.name;
  return n > 1;
}

void chart_of_processes(struct chart_maker *m) {
  const struct trace *t = m->trace;
  struct scene s = {.maker = m};
  first_ones(m);
  for (size_t i = 0; i < t->count && !m->failed; i++) {
    size_t from = t->part_start[i], count = t->part_start[i + 1] - from;
    chart_step_begin(m, i);
    s.met = NULL;
    int together = several(t->part + from, count);
    uint32_t atomic = together ? chart_atomic_begin(m) : 0;
    for (size_t p = from; p < from + count && !m->failed; p++) tell_part(&s, &t->part[p]);
    if (!count) { /* nobody says who did it */
      const char *name = m->view->step(m->view->context, t, i);
      chart_push_action(m, chart_lifeline(m, "model", 5), name, strlen(name));
    }
    if (together) chart_atomic_end(m, atomic);
  }
  vec_free(&s.births, m->chart->mem);
}
