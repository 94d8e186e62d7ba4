/* space.c -- see space.h. */
#include "search/space.h"

void space_report_close(struct space_report *r) {
  if (!r->mem) return;
  for (uint32_t i = 0; i < r->bounds; i++) {
    mem_free(r->mem, r->bound[i].most);
    mem_free(r->mem, r->bound[i].least);
  }
  mem_free(r->mem, r->bound);
  mem_free(r->mem, r->role);
  mem_free(r->mem, r->end);
  summary_close(&r->graph);
  *r = (struct space_report){0};
}
