/* counts.c -- how often each transition fired, and how often it found something new.
 *
 * A transition that is generated often and fresh never is what a reduction would cut; one
 * that is never generated in a complete run is dead, unless it is a part of steps that others begin: the model
 * notes those while somebody counts.  A step of a smaller model (model.h: smaller) counts for each that it stands for. */
#include "report/report.h"

#include "base/records.h"
#include "search/journal.h"

#include <string.h>

/* Groups that were not there before (processes that begin late). Without memory they are not counted. */
static int more(struct report_counts *c) {
  uint64_t *generated = mem_resize(c->mem, MEM_OTHER, c->generated, (size_t)c->model->groups * sizeof *generated);
  if (generated) c->generated = generated;
  uint64_t *fresh = generated ? mem_resize(c->mem, MEM_OTHER, c->fresh, (size_t)c->model->groups * sizeof *fresh) : NULL;
  if (!fresh) return -1;
  c->fresh = fresh;
  for (; c->groups < c->model->groups; c->groups++) generated[c->groups] = fresh[c->groups] = 0;
  return 0;
}

static void count(struct report_counts *c, uint32_t group, const struct search_event *event) {
  if (group >= c->groups) return;
  if (event->kind == EVENT_EDGE) c->generated[group]++;
  else if (event->source != STORE_NONE) c->fresh[group]++;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct report_counts *c = (struct report_counts *)l;
  if (event->kind == EVENT_AGAIN) {
    memset(c->generated, 0, c->groups * sizeof *c->generated);
    memset(c->fresh, 0, c->groups * sizeof *c->fresh);
    return LISTEN_ON;
  }
  if (event->kind == EVENT_TICK) {
    c->whole = s->model == c->model;
    if (!s->stats.expanded && s->model->type->note_parts) s->model->type->note_parts(s->cursor);
    return LISTEN_ON;
  }
  if (event->group < c->model->groups || !s->model->type->stands_for) {
    if (event->group >= c->groups && more(c)) return LISTEN_ON;
    count(c, event->group, event); /* beyond all groups: an automaton moves alone */
    return LISTEN_ON;
  }
  const uint32_t *group = NULL;
  size_t groups = s->model->type->stands_for(s->model, event->group, &group);
  for (size_t i = 0; i < groups; i++) count(c, group[i], event);
  return LISTEN_ON;
}

int report_counts_open(struct report_counts *c, const struct model *model, struct mem *mem, struct err *e) {
  memset(c, 0, sizeof *c);
  c->listener = (struct listener){.wants = EVENT_EDGE | EVENT_NEW | EVENT_AGAIN | EVENT_TICK | EVENT_PRODUCTS, .hear = hear};
  c->mem = mem;
  c->model = model;
  c->groups = model->groups;
  c->generated = mem_alloc(mem, MEM_OTHER, (size_t)model->groups * sizeof *c->generated);
  c->fresh = mem_alloc(mem, MEM_OTHER, (size_t)model->groups * sizeof *c->fresh);
  if (c->generated && c->fresh) return 0;
  report_counts_close(c);
  return err_memory(e, "counts per transition");
}

void report_counts_save(void *counts, struct records *r) {
  const struct report_counts *c = counts;
  records_put_number(r, c->groups);
  records_put(r, c->generated, (size_t)c->groups * sizeof *c->generated);
  records_put(r, c->fresh, (size_t)c->groups * sizeof *c->fresh);
}

int report_counts_load(void *counts, struct records *r) {
  struct report_counts *c = counts;
  uint64_t groups = records_get_number(r);
  if (groups > r->left / 16) return -1;
  if (groups > c->groups) { /* of processes that have not begun yet in this run */
    uint64_t *generated = mem_resize(c->mem, MEM_OTHER, c->generated, (size_t)groups * sizeof *generated);
    if (generated) c->generated = generated;
    uint64_t *fresh = generated ? mem_resize(c->mem, MEM_OTHER, c->fresh, (size_t)groups * sizeof *fresh) : NULL;
    if (!fresh) return JOURNAL_MEMORY;
    c->fresh = fresh;
    c->groups = (uint32_t)groups;
  }
  memset(c->generated, 0, c->groups * sizeof *c->generated);
  memset(c->fresh, 0, c->groups * sizeof *c->fresh);
  records_get(r, c->generated, (size_t)groups * sizeof *c->generated);
  records_get(r, c->fresh, (size_t)groups * sizeof *c->fresh);
  return r->failed ? -1 : 0;
}

void report_counts_close(struct report_counts *c) {
  if (!c->mem) return;
  mem_free(c->mem, c->generated);
  mem_free(c->mem, c->fresh);
  memset(c, 0, sizeof *c);
}
