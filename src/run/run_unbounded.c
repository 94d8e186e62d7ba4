/* run_unbounded.c -- nets without end: found out before the search where that is quick, or met by it; which places grow, and what to repeat for ever. */
#include "run/run_inside.h"

#include "base/clock.h"
#include "run/bounds.h"

/* ---- unbounded nets ---------------------------------------------------------------- */

static int name_unbounded(struct run *r, const uint32_t *places, size_t count, int all) {
  struct verdict *v = r->v;
  v->unbounded = mem_alloc(r->mem, MEM_OTHER, count * sizeof *v->unbounded);
  if (!v->unbounded) return -1;
  for (size_t i = 0; i < count; i++) v->unbounded[i] = r->model->type->var_name(r->model, places[i]);
  v->unbounded_count = count;
  v->unbounded_all = all;
  return 0;
}

/* What coverability found: the unbounded places and the run that pumps. */
static int explain_cover(struct run *r, const struct coverability *c, struct err *e) {
  uint32_t places = r->model->vars;
  uint32_t *list = mem_alloc(r->mem, MEM_OTHER, (size_t)places * sizeof *list + (c->prefix_count + c->pump_count) * sizeof *list);
  if (!list) return 0;
  size_t n = 0;
  for (uint32_t p = 0; p < places; p++)
    if (c->bound[p] == PT_NONE) list[n++] = p;
  if (!n)
    for (size_t i = 0; i < c->pumped_count; i++) list[n++] = c->pumped[i];
  name_unbounded(r, list, n, c->complete);
  uint32_t *groups = list;
  for (size_t i = 0; i < c->prefix_count; i++) groups[i] = c->prefix[i];
  for (size_t i = 0; i < c->pump_count; i++) groups[c->prefix_count + i] = c->pump[i];
  r->v->pump = run_new_trace(r, groups, c->prefix_count + c->pump_count, NULL, e);
  r->v->pump_from = c->prefix_count;
  mem_free(r->mem, list);
  return r->v->pump ? 0 : run_leave_out(e);
}

/* The search itself met a state that covers one of its ancestors. */
int run_explain_ancestor(struct run *r, struct search *s, struct err *e) {
  struct search_path small = {0}, big = {0};
  int bad = 0;
  if (r->v->pump || search_path(s, s->cover.small, &small)) return 0;
  if (search_path(s, s->cover.big, &big) == 0) {
    r->v->pump_from = small.count;
    reduced_undress(&r->reduced);
    r->v->pump = reduced_lead_back_path(&r->reduced, &big, e) ? NULL : run_new_trace(r, NULL, 0, &big, e);
    reduced_dress(&r->reduced);
    bad = r->v->pump ? 0 : run_leave_out(e);
    search_path_free(s, &big);
  }
  search_path_free(s, &small);
  return bad;
}

/* The places that one round of the pumping run adds to: found by summing its changes. */
void run_name_pumped(struct run *r) {
  const struct trace *t = r->v->pump;
  if (!t || r->v->unbounded_count) return;
  int64_t *gain = mem_alloc(r->mem, MEM_OTHER, t->vars * sizeof *gain);
  uint32_t *places = mem_alloc(r->mem, MEM_OTHER, t->vars * sizeof *places);
  if (gain && places) {
    for (size_t i = t->change_start[r->v->pump_from]; i < t->change_count; i++)
      gain[t->change[i].var] += t->change[i].to - t->change[i].from;
    size_t n = 0;
    for (uint32_t v = 0; v < t->vars; v++)
      if (gain[v] > 0) places[n++] = v;
    name_unbounded(r, places, n, 0);
  }
  mem_free(r->mem, gain);
  mem_free(r->mem, places);
}

int run_analyse(struct run *r, struct err *e) {
  struct bounds b;
  double begin = clock_now();
  r->limits.beyond_cover = r->limits.states || r->limits.depth;
  int bad = bounds_find(&b, r->model, r->mem, r->limits.seconds / 2, r->limits.interrupt, e);
  if (!bad && b.ran && b.cover.unbounded) {
    if (!r->limits.states && !r->limits.depth) {
      r->limits.states = r->setup->prefix ? r->setup->prefix : RUN_PREFIX;
      r->limits.beyond_cover = r->by_prefix = 1;
    }
    bad = explain_cover(r, &b.cover, e);
  }
  r->bounded = !bad && (b.known || (b.ran && b.cover.complete && !b.cover.unbounded));
  bounds_close(&b);
  r->v->analysis_s = clock_now() - begin;
  return bad;
}
