/* judge.c -- see judge.h.
 *
 * The path must be taken inside the event: a depth-first search knows it only while the
 * state is on its stack.  It is copied into the judge's memory, so that the search and its
 * store can be closed before the traces are made: replay then has the whole budget. */
#include "search/judge.h"

#include <string.h>

/* The path to the event's state, and for a fault the step in which it happened. */
static int keep_path(struct judge *j, struct search *s, const struct search_event *event, struct search_path *out) {
  struct search_path path = {0};
  if (search_path(s, event->state, &path)) return -1;
  size_t last = event->kind == EVENT_FAULT && event->edge != UINT32_MAX;
  out->count = path.count + last;
  out->edge = mem_alloc(j->mem, MEM_SEARCH, out->count * sizeof *out->edge);
  out->group = mem_alloc(j->mem, MEM_SEARCH, out->count * sizeof *out->group);
  int bad = !out->edge || !out->group;
  if (bad) {
    mem_free(j->mem, out->edge);
    mem_free(j->mem, out->group);
    *out = (struct search_path){0};
  } else if (path.count) {
    memcpy(out->edge, path.edge, path.count * sizeof *out->edge);
    memcpy(out->group, path.group, path.count * sizeof *out->group);
  }
  if (!bad && last) {
    out->edge[path.count] = event->edge;
    out->group[path.count] = event->group;
  }
  search_path_free(s, &path);
  return bad ? -1 : 0;
}

static void keep(struct judge *j, struct search *s, const struct search_event *event, size_t prop) {
  if (vec_reserve(&j->found, j->mem, MEM_SEARCH, 1)) {
    mem_free(j->mem, j->reserve);
    j->reserve = NULL;
    if (vec_reserve(&j->found, j->mem, MEM_SEARCH, 1)) return;
  }
  struct judge_found *f = &j->found.at[j->found.count++];
  *f = (struct judge_found){.prop = prop, .depth = event->depth, .state = event->state, .edge = event->fault ? event->edge : UINT32_MAX, .group = event->group};
  if (event->fault) {
    f->has_fault = 1;
    f->fault = *event->fault;
    f->depth += event->edge != UINT32_MAX;
  }
  f->has_path = keep_path(j, s, event, &f->path) == 0;
  if (f->has_path || !j->reserve) return;
  mem_free(j->mem, j->reserve);
  j->reserve = NULL;
  f->has_path = keep_path(j, s, event, &f->path) == 0;
}

static enum listener_answer decided(struct judge *j, struct search *s, const struct search_event *event, size_t prop) {
  int first = j->deciding[prop]++ == 0;
  if (first) j->undecided--;
  if (first || j->found.count < j->collect) keep(j, s, event, prop);
  if (j->collect) return LISTEN_ON;
  int violation = !prop_wants_witness(&j->props[prop]);
  return (violation && !j->decide_all) || !j->undecided ? LISTEN_GOAL : LISTEN_ON;
}

static enum listener_answer hear_fault(struct judge *j, struct search *s, const struct search_event *event) {
  for (size_t i = 0; i < j->count; i++)
    if (prop_broken_by(&j->props[i], event->fault) && (!j->deciding[i] || j->collect) &&
        decided(j, s, event, i) == LISTEN_GOAL)
      return LISTEN_GOAL;
  return LISTEN_ON;
}

static void forget_found(struct judge *j) {
  for (size_t i = 0; i < j->found.count; i++) {
    mem_free(j->mem, j->found.at[i].path.edge);
    mem_free(j->mem, j->found.at[i].path.group);
  }
  j->found.count = 0;
}

/* The exploration begins anew. */
static void forget(struct judge *j) {
  forget_found(j);
  memset(j->deciding, 0, j->count * sizeof *j->deciding);
  j->undecided = j->state_props;
}

/* Which steps leave a property as it was before them, undecided; NULL = any may decide any. */
static const struct affected *known_effects(const struct judge *j, const struct search_event *event) {
  return event->kind == EVENT_EXPANDED || j->collect || event->source == STORE_NONE || !j->affected || !j->affected->of_group ? NULL : j->affected;
}

/* Is a property still open, and one that such an event may decide? */
static int is_open(const struct judge *j, size_t i, const struct affected *effects, const struct search_event *event) {
  const struct prop *p = &j->props[i];
  if (prop_apart(p) || prop_of_graph(p) || prop_wants_faults(p) || prop_wants_states(p) == (event->kind == EVENT_EXPANDED)) return 0;
  if (j->deciding[i] && !j->collect) return 0;
  return !effects || affected_may(effects, event->group, i);
}

/* First every property is asked, then paths are taken: making a path may move the memory that the event's words lie in. */
static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct judge *j = (struct judge *)l;
  if (event->kind == EVENT_AGAIN) {
    if (!j->lasting) forget(j);
    return LISTEN_ON;
  }
  if (event->kind == EVENT_FAULT) return hear_fault(j, s, event);
  int expanded = event->kind == EVENT_EXPANDED, any = 0;
  if (expanded && event->successors) return LISTEN_ON;
  if (expanded && j->model->type->labels && j->model->type->labels(j->model, event->words) & MODEL_END) return LISTEN_ON;
  const struct affected *effects = known_effects(j, event);
  for (size_t i = 0; i < j->count; i++) {
    j->now[i] = is_open(j, i, effects, event) && prop_decided(&j->props[i], j->cursor ? j->cursor : s->cursor, event->words, expanded) != 0;
    any |= j->now[i];
  }
  if (any && model_at_a_loss(j->model)) return LISTEN_ON; /* nobody knows; the search ends at its next step */
  for (size_t i = 0; i < j->count && any; i++)
    if (j->now[i] && decided(j, s, event, i) == LISTEN_GOAL) return LISTEN_GOAL;
  return LISTEN_ON;
}

/* By several threads at once: nothing is written here. */
static int concerns(struct listener *l, struct model_cursor *cursor, const struct search_event *event) {
  const struct judge *j = (const struct judge *)l;
  int expanded = event->kind == EVENT_EXPANDED;
  if (expanded && event->successors) return 0;
  if (j->cursor) return 1; /* conditions that need a cursor have one of their own */
  const struct affected *effects = known_effects(j, event);
  for (size_t i = 0; i < j->count; i++)
    if (is_open(j, i, effects, event) && prop_decided(&j->props[i], cursor, event->words, expanded)) return 1;
  return 0;
}

int judge_open(struct judge *j, const struct model *model, const struct prop *props, size_t count, size_t collect,
               struct mem *mem, struct err *e) {
  memset(j, 0, sizeof *j);
  j->listener.hear = hear;
  j->listener.concerns = concerns;
  j->mem = mem;
  j->model = model;
  j->props = props;
  j->count = count;
  j->collect = collect;
  int needs_cursor = 0;
  for (size_t i = 0; i < count; i++) {
    if (prop_apart(&props[i])) continue; /* its own search */
    j->state_props++;
    if (prop_of_graph(&props[i])) continue; /* undecided to the end */
    j->listener.wants |= EVENT_AGAIN | (prop_wants_faults(&props[i]) ? EVENT_FAULT : prop_wants_states(&props[i]) ? EVENT_NEW : EVENT_EXPANDED);
    needs_cursor |= (props[i].expr && expr_needs_cursor(props[i].expr)) || (props[i].branching && branching_needs_cursor(props[i].branching));
  }
  j->undecided = j->state_props;
  j->deciding = mem_alloc(mem, MEM_SEARCH, count * sizeof *j->deciding);
  j->now = mem_alloc(mem, MEM_SEARCH, count);
  if (!j->deciding || !j->now || (needs_cursor && model->type->cursor_open(&j->cursor, model, mem))) {
    judge_close(j);
    return err_memory(e, "judging the properties");
  }
  size_t reserve = mem->budget / 64 < (1u << 20) ? mem->budget / 64 : 1u << 20;
  if (count) j->reserve = mem_alloc(mem, MEM_SEARCH, reserve); /* NULL: then paths must fit beside everything else */
  return 0;
}

void judge_close(struct judge *j) {
  if (!j->mem) return;
  forget_found(j);
  vec_free(&j->found, j->mem);
  if (j->cursor) j->model->type->cursor_close(j->cursor);
  mem_free(j->mem, j->reserve);
  mem_free(j->mem, j->deciding);
  mem_free(j->mem, j->now);
  memset(j, 0, sizeof *j);
}
