/* space.c -- see space.h.
 *
 * Bounds come from the states, each place when a step has touched it: of coloured nets by colour/bounds.c, of place/transition nets here.  The first state touches all.
 *
 * The graph needs the number of every state that is met again.  A run that is short of memory goes over to stores that do not know them (search/ladder.c, from 37 % of
 * the budget on), so the share that a graph beside a run may use lies below that, unless it was asked for. */
#include "run/space.h"

#include "net/pt_model.h"
#include "search/graph_hear.h"
#include "search/graph_walk.h"

#include <string.h>

struct space_range {
  uint64_t upper, lower;
};

/* ---- hearing ------------------------------------------------------------------------------------------------------------------ */

static void give_up_graph(struct space *s, const char *why) {
  if (s->no_graph) return;
  s->no_graph = why;
  graph_close(&s->graph);
}

static void forget(struct space *s) {
  if (!s->no_graph) graph_forget(&s->graph);
  s->states = s->edges = s->expanded = s->ends = 0;
}

static void touch(struct space *s, const uint32_t *words, uint32_t place) {
  uint64_t tokens = (uint64_t)s->model->type->value(s->model, words, place);
  if (tokens > s->range[place].upper) s->range[place].upper = tokens;
  if (tokens < s->range[place].lower) s->range[place].lower = tokens;
}

static void note_bounds(struct space *s, const struct search_event *event) {
  int first = event->source == STORE_NONE;
  if (s->coloured) s->no_bounds |= colour_bounds_add(s->coloured, event->words, first ? -1 : (int64_t)event->group) != 0;
  if (!s->range) return;
  struct pt_effects it = pt_effects(pt_model_net(s->model), event->group);
  uint32_t place;
  int64_t change;
  for (uint32_t p = 0; first && p < s->model->vars; p++) touch(s, event->words, p);
  while (!first && pt_effect(&it, &place, &change)) touch(s, event->words, place);
}

static int note_edge(struct space *s, const struct search_event *event) {
  s->edges++;
  if (event->group >= s->labelling.count && labelling_more(&s->labelling)) return -1;
  uint32_t label = s->labelling.of[event->group];
  if (label >= s->happens.count) {
    size_t more = s->labels.text.count - s->happens.count;
    if (vec_reserve(&s->happens, s->mem, MEM_OTHER, more)) return -1;
    memset(s->happens.at + s->happens.count, 0, more);
    s->happens.count += more;
    if (!s->no_graph && graph_regroup(&s->graph, (uint32_t)s->labels.text.count)) return -1;
  }
  s->happens.at[label] = 1;
  return 0;
}

static enum listener_answer hear(struct listener *l, struct search *search, const struct search_event *event) {
  struct space *s = (struct space *)l;
  static const char no_memory[] = "memory";
  if (event->kind == EVENT_AGAIN) {
    forget(s);
    return LISTEN_ON;
  }
  if (event->kind == EVENT_NEW) {
    if (!s->states && search && s->model->type->note_parts) s->model->type->note_parts(search->cursor);
    s->states++;
    note_bounds(s, event);
  }
  if (event->kind == EVENT_EXPANDED) s->expanded++, s->ends += !event->successors;
  else if (event->source != STORE_NONE && note_edge(s, event)) give_up_graph(s, no_memory);
  if (s->no_graph) return LISTEN_ON;
  if (event->state == STORE_NONE) give_up_graph(s, no_memory); /* the run went over to a smaller store */
  else if (graph_hear(&s->graph, event, 0, s->labelling.of)) give_up_graph(s, no_memory);
  else if (event->kind == EVENT_EXPANDED && s->mem->used > s->most) give_up_graph(s, no_memory);
  return LISTEN_ON;
}

/* ---- life ---------------------------------------------------------------------------------------------------------------------- */

static int open_bounds(struct space *s) {
  if (colour_bounds_open(&s->coloured, s->model, s->mem) < 0) return -1;
  if (!pt_model_net(s->model)) return 0;
  s->range = mem_alloc(s->mem, MEM_OTHER, ((size_t)s->model->vars + 1) * sizeof *s->range);
  for (uint32_t p = 0; s->range && p < s->model->vars; p++) s->range[p].lower = UINT64_MAX;
  return s->range ? 0 : -1;
}

int space_open(struct space *s, const struct model *m, struct mem *mem, unsigned share, struct err *e) {
  static const struct labels_seen all;
  *s = (struct space){.listener = {EVENT_NEW | EVENT_SEEN | EVENT_EXPANDED | EVENT_AGAIN | EVENT_NUMBERS, hear}, .mem = mem, .model = m};
  s->most = share < 100 ? mem->budget / 100 * share : SIZE_MAX;
  if (labels_open(&s->labels, mem) || labelling_open(&s->labelling, &s->labels, m, &all) || open_bounds(s)) {
    space_close(s);
    return err_memory(e, "the report on the state space");
  }
  graph_open(&s->graph, mem, (uint32_t)s->labels.text.count);
  return 0;
}

void space_close(struct space *s) {
  if (!s->mem) return;
  graph_close(&s->graph);
  labelling_close(&s->labelling);
  labels_close(&s->labels);
  vec_free(&s->happens, s->mem);
  colour_bounds_close(s->coloured);
  mem_free(s->mem, s->range);
  *s = (struct space){0};
}

int space_explore(struct space *s, const struct run_setup *run, struct verdict *v, struct err *e) {
  struct listener *listeners[8] = {&s->listener};
  struct run_setup with = *run;
  graph_close(&s->graph);
  graph_open(&s->graph, s->mem, (uint32_t)s->labels.text.count);
  s->no_graph = NULL;
  forget(s);
  with.props = NULL;
  with.prop_count = 0;
  with.listener_count = 1;
  for (size_t i = 0; i < run->listener_count && with.listener_count < 8; i++) listeners[with.listener_count++] = run->listeners[i];
  with.listeners = listeners;
  if (!with.search) with.search = &search_bfs;
  with.store = &store_plain; /* it numbers its states, and can forget */
  return run_check(v, &with, e);
}

/* ---- telling -------------------------------------------------------------------------------------------------------------------- */

static uint32_t places(const struct space *s) { return s->coloured ? colour_bounds_places(s->coloured) : s->range ? s->model->vars : 0; }

static void tell_bounds(struct space *s, struct space_report *r) {
  uint32_t count = places(s);
  r->places = count > 0;
  if (!count || s->no_bounds || !s->states) return;
  if (!(r->bound = mem_alloc(s->mem, MEM_OTHER, (size_t)count * sizeof *r->bound))) return;
  for (uint32_t p = 0; p < count; p++) {
    struct space_bound *b = &r->bound[r->bounds++];
    if (s->coloured) {
      b->name = colour_bounds_name(s->coloured, p);
      colour_bounds_count(s->coloured, p, &b->upper, &b->lower);
      b->most = colour_bounds_text(s->coloured, p, 0, s->mem);
      b->least = colour_bounds_text(s->coloured, p, 1, s->mem);
    } else *b = (struct space_bound){s->model->type->var_name(s->model, p), s->range[p].upper, s->range[p].lower, NULL, NULL};
  }
}

static int tell_roles(struct space *s, struct space_report *r) {
  const struct model_type *type = s->model->type;
  r->name = s->labels.text.at;
  r->labels = (uint32_t)s->labels.text.count;
  r->role = mem_alloc(s->mem, MEM_OTHER, (size_t)r->labels + 1);
  if (!r->role) return -1;
  memset(r->role, type->role ? SPACE_ABSENT : 0, (size_t)r->labels);
  for (uint32_t g = 0; type->role && g < s->labelling.count; g++) {
    enum model_role role = type->role(s->model, g);
    uint8_t *of = &r->role[s->labelling.of[g]];
    if (role != MODEL_ROLE_ABSENT) *of &= (uint8_t)~SPACE_ABSENT;
    if (role == MODEL_ROLE_PART) *of |= SPACE_PART;
  }
  for (uint32_t l = 0; l < r->labels; l++)
    if (l < s->happens.count && s->happens.at[l]) r->role[l] = (uint8_t)((r->role[l] & ~SPACE_ABSENT) | SPACE_HAPPENS);
  return 0;
}

/* The nearest state without successors. What memory does not allow is left out. */
static void find_end(struct space *s, struct space_report *r) {
  struct graph_tree tree;
  struct err e;
  err_clear(&e);
  if (!r->graph.ends || graph_tree_open(&tree, &s->graph, s->mem, &e)) return;
  r->end = mem_alloc(s->mem, MEM_OTHER, model_stride(s->model->words) * sizeof *r->end);
  if (r->end && graph_state(&tree, s->model, r->graph.end[0], r->end, &r->end_depth, &e)) {
    mem_free(s->mem, r->end);
    r->end = NULL;
  }
  graph_tree_close(&tree);
}

int space_tell(struct space *s, struct space_report *r, const char *stop, const struct model_patience *patience, struct err *e) {
  *r = (struct space_report){.mem = s->mem, .complete = space_whole(s), .stop = stop, .states = s->states, .edges = s->edges, .ends = s->ends, .no_graph = s->no_graph};
  if (tell_roles(s, r)) {
    space_report_close(r);
    return err_memory(e, "the report on the state space");
  }
  if (r->complete && !s->no_graph) {
    s->graph.states = s->states;
    if (summary_find(&r->graph, &s->graph, r->labels, patience, s->mem, e) == 0) {
      r->has_graph = 1;
      find_end(s, r);
    } else if (e->kind == ERR_MEMORY) {
      r->no_graph = "memory";
      err_clear(e);
    } else {
      space_report_close(r);
      return -1;
    }
  }
  if (!r->complete) r->no_graph = "partial";
  tell_bounds(s, r);
  return 0;
}
