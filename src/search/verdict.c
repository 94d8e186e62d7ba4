/* verdict.c -- names, exit codes and the end of a verdict. */
#include "search/verdict.h"

#include "search/game.h"

#include <string.h>

const char *verdict_name(enum verdict_kind kind) {
  static const char *const names[] = {"holds", "violated", "incomplete", "no-violation-lossy", "error"};
  return names[kind];
}

void verdict_weigh(struct verdict *v) {
  v->resident_peak = mem_resident_peak();
  v->children_peak = mem_children_peak();
}

int verdict_exit_code(const struct verdict *v) {
  switch (v->kind) {
  case VERDICT_HOLDS: return v->unwritten ? 74 : 0;
  case VERDICT_VIOLATED: return v->unwritten ? 74 : 1;
  case VERDICT_INCOMPLETE: return v->stop == STOP_INTERRUPT ? 130 : 4;
  case VERDICT_LOSSY: return 5;
  case VERDICT_ERROR: return v->stop == STOP_FAULT ? 3 : 70;
  }
  return 70;
}

const char *prop_status_name(enum prop_status status) {
  static const char *const names[] = {"unknown", "holds", "violated"};
  return names[status];
}

const char *verdict_stop_name(const struct verdict *v) {
  if (v->stop == STOP_GOAL && v->kind != VERDICT_VIOLATED) return "decided";
  return search_stop_name(v->stop);
}

static void free_trace(struct mem *mem, struct trace *t) {
  if (!t) return;
  trace_free(t);
  mem_free(mem, t);
}

void verdict_close(struct verdict *v) {
  struct mem *mem = v->mem;
  if (!mem) return;
  for (size_t i = 0; i < v->property_count; i++) {
    struct verdict_property *p = &v->property[i];
    for (size_t k = 0; k < p->evidence_count; k++) {
      free_trace(mem, p->evidence[k].trace);
      mem_free(mem, p->evidence[k].file);
    }
    mem_free(mem, p->evidence);
    if (p->strategy) strategy_free(p->strategy);
    mem_free(mem, p->strategy);
  }
  mem_free(mem, v->property);
  mem_free(mem, v->unbounded);
  free_trace(mem, v->pump);
  mem_free(mem, v->advice);
  mem_free(mem, v->bounds);
  memset(v, 0, sizeof *v);
}
