/* run_confirm.c -- what the search has found is run again by the language's definition, and becomes a trace. */
#include "run/run_inside.h"

#include "search/replay.h"

#include <stdio.h>

struct trace *run_new_trace(struct run *r, const uint32_t *groups, size_t count, const struct search_path *path,
                               struct err *e) {
  struct trace *t = mem_alloc(r->mem, MEM_OTHER, sizeof *t);
  if (!t) {
    err_memory(e, "a trace");
    return NULL;
  }
  if (path ? trace_make(t, r->model, path, r->mem, e) : trace_make_groups(t, r->model, groups, count, r->mem, e)) {
    mem_free(r->mem, t);
    return NULL;
  }
  return t;
}

/* A trace that memory or the length of a step does not allow is left out; one that does not replay ends the run. */
int run_leave_out(struct err *e) {
  if (e->kind != ERR_MEMORY && e->kind != ERR_LIMIT) return -1;
  err_clear(e);
  return 0;
}

/* ---- confirming -------------------------------------------------------------------- */

/* "assertion failed: x == 1 (pet.pml:9)" */
static void fault_message(const struct run *r, const struct model_fault *f, char *out, size_t room) {
  const struct model_type *type = r->model->type;
  char text[sizeof ((struct verdict_property *)0)->message];
  struct place_in_text at = type->fault_place(r->model, f);
  const char *file = at.file ? at.file : r->model->file, *slash = file ? strrchr(file, '/') : NULL;
  type->fault_text(r->model, f, text, sizeof text);
  if (at.line) snprintf(out, room, "%s (%.80s:%ld)", text, slash ? slash + 1 : file ? file : "", at.line);
  else snprintf(out, room, "%s", text);
}

/* Searches find what takes the fewest expansions.  An error of a step takes as many as that of a state a step nearer, where a process only stands: of the two the other one may be met first. */
static int met_before_nearer(const struct run *r, const struct judge_found *f) {
  const struct model_type *type = r->model->type;
  return f->has_fault && f->fault.claim == MODEL_RUNTIME && f->fault.edge != MODEL_NO_EDGE && (!type->fails_standing || type->fails_standing(r->model));
}

static int shortest(const struct run *r, const struct judge_found *f) { return r->shortest && !f->roundabout && (!r->first_only || f == r->judge.found.at) && !met_before_nearer(r, f); }

static int confirm_one(struct run *r, const struct judge_found *f, struct verdict_evidence *out, struct err *e) {
  const struct prop *prop = &r->setup->props[f->prop];
  struct verdict_property *p = &r->v->property[f->prop];
  const struct model_type *type = r->model->type;
  if (f->has_fault && !p->message[0]) {
    type->fault_text(r->model, &f->fault, p->message, sizeof p->message);
    p->place = type->fault_place(r->model, &f->fault);
  }
  out->steps = f->has_path ? f->path.count : f->depth;
  out->length_unknown = !f->has_path && !f->depth && r->v->sweep.sweeps;
  if (!f->has_path) return 0;
  if (replay_path(r->model, &f->path, prop, f->has_fault ? &f->fault : NULL, r->mem, e)) {
    out->too_long = e->kind == ERR_LIMIT;
    if (e->kind == ERR_INTERNAL && model_at_a_loss(r->model)) err_memory(e, "a trace");
    return run_leave_out(e);
  }
  out->trace = run_new_trace(r, NULL, 0, &f->path, e);
  if (!out->trace) return run_leave_out(e);
  memcpy(out->trace->property, p->id, sizeof out->trace->property);
  strcpy(out->trace->verdict, prop_wants_witness(prop) ? "reached" : "violated");
  out->trace->shortest = shortest(r, f);
  if (f->has_fault) fault_message(r, &f->fault, out->trace->message, sizeof out->trace->message);
  if (prop->kind == PROP_INVARIANT && f->path.count && type->group_place && !p->place.line)
    p->place = type->group_place(r->model, f->path.group[f->path.count - 1]);
  return 0;
}

int run_confirm(struct run *r, struct err *e) {
  for (size_t i = 0; i < r->v->property_count; i++) {
    struct verdict_property *p = &r->v->property[i];
    if (prop_apart(&r->setup->props[i]) || prop_of_graph(&r->setup->props[i])) continue;
    p->deciding = r->judge.deciding[i];
    size_t n = 0;
    for (size_t k = 0; k < r->judge.found.count; k++) {
      if (r->judge.found.at[k].prop != i) continue;
      if (!n++) p->shortest = shortest(r, &r->judge.found.at[k]);
    }
    p->evidence = mem_alloc(r->mem, MEM_OTHER, n * sizeof *p->evidence);
    if (!p->evidence) continue;
    for (size_t k = 0; k < r->judge.found.count; k++) {
      if (r->judge.found.at[k].prop != i) continue;
      if (confirm_one(r, &r->judge.found.at[k], &p->evidence[p->evidence_count++], e)) return -1;
    }
    run_publish(r, i);
  }
  return 0;
}
