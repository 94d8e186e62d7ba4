/* counts.c -- how often each transition fired, and how often it found something new.
 *
 * A transition that is generated often and fresh never is what a reduction would cut; one
 * that is never generated in a complete run is dead. */
#include "report/report.h"

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

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct report_counts *c = (struct report_counts *)l;
  (void)s;
  if (event->kind == EVENT_AGAIN) {
    memset(c->generated, 0, c->groups * sizeof *c->generated);
    memset(c->fresh, 0, c->groups * sizeof *c->fresh);
    return LISTEN_ON;
  }
  if (event->group >= c->groups && (more(c) || event->group >= c->groups)) return LISTEN_ON; /* beyond: steps that a smaller model has for several */
  if (event->kind == EVENT_EDGE) c->generated[event->group]++;
  else if (event->source != STORE_NONE) c->fresh[event->group]++;
  return LISTEN_ON;
}

int report_counts_open(struct report_counts *c, const struct model *model, struct mem *mem, struct err *e) {
  memset(c, 0, sizeof *c);
  c->listener = (struct listener){EVENT_EDGE | EVENT_NEW | EVENT_AGAIN, hear};
  c->mem = mem;
  c->model = model;
  c->groups = model->groups;
  c->generated = mem_alloc(mem, MEM_OTHER, (size_t)model->groups * sizeof *c->generated);
  c->fresh = mem_alloc(mem, MEM_OTHER, (size_t)model->groups * sizeof *c->fresh);
  if (c->generated && c->fresh) return 0;
  report_counts_close(c);
  return err_memory(e, "counts per transition");
}

void report_counts_close(struct report_counts *c) {
  if (!c->mem) return;
  mem_free(c->mem, c->generated);
  mem_free(c->mem, c->fresh);
  memset(c, 0, sizeof *c);
}
