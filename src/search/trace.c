/* trace.c -- see trace.h.
 *
 * Changes are kept step after step in one array:
 *
 *   change        | step 0: p 1->0, q 0->1 | step 1: q 1->0 | ...
 *   change_start    0                        2                3   (one more entry than steps)
 *
 * A step of a net changes as many variables as its transition has places with a
 * difference, so the cost is that of the steps and not of the states. */
#include "search/trace.h"

#include "base/vec.h"
#include "search/replay.h"

#include <string.h>

static int keep_changes(struct trace *t, struct replay *r, size_t *room, struct err *e) {
  struct vec(struct trace_change) changes = {t->change, t->change_count, *room};
  int bad = 0;
  for (uint32_t v = 0; v < r->vars && !bad; v++)
    if (r->before[v] != r->values[v])
      bad = vec_push(&changes, t->mem, MEM_OTHER, (struct trace_change){v, r->before[v], r->values[v]});
  t->change = changes.at;
  t->change_count = changes.count;
  *room = changes.room;
  return bad ? err_memory(e, "the changes along a trace") : 0;
}

/* edges NULL: look them up by group. */
static int make(struct trace *t, struct model *model, const uint32_t *edges, const uint32_t *groups, size_t count,
                struct mem *mem, struct err *e) {
  memset(t, 0, sizeof *t);
  t->mem = mem;
  t->loop = -1;
  t->vars = model->vars;
  struct replay r;
  if (replay_open(&r, model, mem, count, e)) return -1;
  t->edge = mem_alloc(mem, MEM_OTHER, count * sizeof *t->edge);
  t->group = mem_alloc(mem, MEM_OTHER, count * sizeof *t->group);
  t->change_start = mem_alloc(mem, MEM_OTHER, (count + 1) * sizeof *t->change_start);
  t->initial = mem_alloc(mem, MEM_OTHER, t->vars * sizeof *t->initial);
  int bad = t->edge && t->group && t->change_start && t->initial ? 0 : err_memory(e, "a trace");
  if (!bad && t->vars) memcpy(t->initial, r.values, t->vars * sizeof *t->initial);
  for (size_t i = 0, room = 0; i < count && !bad; i++) {
    int64_t k = edges ? edges[i] : stepper_find(&r.engine, groups[i], e);
    if (k < 0) bad = k == -2 ? -1 : err_internal(e, "replay: step %zu of a run is not enabled", i + 1);
    if (!bad) bad = replay_step(&r, (uint32_t)k, groups[i], e);
    if (!bad) bad = keep_changes(t, &r, &room, e);
    if (bad) break;
    t->edge[i] = (uint32_t)k;
    t->group[i] = groups[i];
    t->change_start[i + 1] = t->change_count;
    t->count = i + 1;
  }
  if (!bad) bad = replay_compare(&r, e);
  if (!bad && r.vars > t->vars) { /* variables that came on the way were 0 at the start */
    int64_t *initial = mem_resize(mem, MEM_OTHER, t->initial, r.vars * sizeof *initial);
    if (initial) t->initial = initial, t->vars = r.vars;
    else bad = err_memory(e, "a trace");
  }
  replay_close(&r);
  if (bad) trace_free(t);
  return bad;
}

int trace_make(struct trace *t, struct model *model, const struct search_path *path, struct mem *mem, struct err *e) {
  return make(t, model, path->edge, path->group, path->count, mem, e);
}

int trace_make_groups(struct trace *t, struct model *model, const uint32_t *groups, size_t count, struct mem *mem,
                      struct err *e) {
  return make(t, model, NULL, groups, count, mem, e);
}

void trace_free(struct trace *t) {
  if (!t || !t->mem) return;
  mem_free(t->mem, t->edge);
  mem_free(t->mem, t->group);
  mem_free(t->mem, t->change_start);
  mem_free(t->mem, t->change);
  mem_free(t->mem, t->initial);
  memset(t, 0, sizeof *t);
}
