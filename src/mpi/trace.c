/* trace.c -- paths from rank to rank, and what all ranks have found.
 *
 * A path is told backwards: the rank that owns the state follows its back edges as long as they stay on it, tells all ranks the edges that it went along, and hands over to the rank where it came from. */
#include "mpi/spread.h"

#include "base/vec.h"
#include "search/stepper.h"

#include <stdlib.h>
#include <string.h>

enum { STRETCH = 4096 }; /* edges told at once */

struct stretch {
  uint64_t number;
  uint32_t rank, count, over; /* over: the initial state is reached, or there is no such state (a journal may say so) */
  uint32_t edge[STRETCH];
};

/* As far as it goes on this rank. The initial state is number 0 of its owner, and the only one that comes from itself. */
static void follow(const struct spread *p, struct stretch *s) {
  for (s->count = s->over = 0; s->rank == p->x.self && s->count < STRETCH && !s->over;) {
    struct backedge back = s->number < p->back.count ? backedges_get(&p->back, s->number) : (struct backedge){.rank = p->x.count};
    if (back.rank >= p->x.count) { /* it comes from nowhere */
      s->over = 1;
      break;
    }
    s->edge[s->count++] = back.edge;
    s->number = back.number;
    s->rank = back.rank;
  }
}

int spread_path(struct search *s, unsigned rank, uint64_t number, struct search_path *out) {
  struct spread *p = spread_of(s);
  struct vec(uint32_t) edge = {0};
  struct stretch *now = mem_alloc(s->mem, MEM_SEARCH, sizeof *now);
  int fine = now != NULL;
  uint64_t length = 0;
  *out = (struct search_path){0};
  if (!ranks_all(p->ranks, fine)) {
    mem_free(s->mem, now);
    return ranks_lost(p->ranks) >= 0 ? -1 : 1;
  }
  now->rank = rank;
  now->number = number;
  do {
    unsigned from = now->rank;
    if (from == p->x.self) follow(p, now);
    if (ranks_tell(p->ranks, from, now, sizeof *now - sizeof now->edge) || ranks_tell(p->ranks, from, now->edge, now->count * sizeof *now->edge)) {
      fine = -1;
      break;
    }
    for (uint32_t i = 0; i < now->count && fine; i++) fine = vec_push(&edge, s->mem, MEM_SEARCH, now->edge[i]) == 0;
    length += now->count;
  } while (!now->over && length <= p->depth + 1); /* no way is longer in a breadth-first search */
  if (fine > 0) fine = now->over;
  mem_free(s->mem, now);
  if (fine >= 0) fine = vec_reserve(&edge, s->mem, MEM_SEARCH, 2) == 0 && fine;
  if (fine < 0 || !ranks_all(p->ranks, fine)) {
    vec_free(&edge, s->mem);
    return ranks_lost(p->ranks) >= 0 ? -1 : 1;
  }
  for (size_t i = 0; i < edge.count / 2; i++) {
    uint32_t last = edge.at[edge.count - 1 - i];
    edge.at[edge.count - 1 - i] = edge.at[i];
    edge.at[i] = last;
  }
  out->edge = edge.at;
  out->count = edge.count;
  return 0;
}

/* ---- what was found ------------------------------------------------------------------------------------------------------------------ */

struct finding {
  uint64_t layer, order; /* of the state it was found at; what its rank had found before */
  uint64_t prop, depth, state;
  uint32_t rank, edge, group, has_fault;
  struct model_fault fault;
};

static int earlier(const void *a, const void *b) {
  const struct finding *x = a, *y = b;
  if (x->layer != y->layer) return x->layer < y->layer ? -1 : 1;
  if (x->prop != y->prop) return x->prop < y->prop ? -1 : 1;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* The path in the judge's memory, with groups: the model takes its steps again, in a wider layout if need be. Whatever memory does not allow is left out. */
static void keep_path(struct search *s, struct judge *j, struct judge_found *f, const struct finding *from, const struct search_path *path) {
  struct stepper step = {0};
  struct err e;
  size_t last = from->has_fault && from->edge != UINT32_MAX;
  err_clear(&e);
  f->path = (struct search_path){.edge = mem_alloc(j->mem, MEM_SEARCH, (path->count + 1) * sizeof *f->path.edge),
                                 .group = mem_alloc(j->mem, MEM_SEARCH, (path->count + 1) * sizeof *f->path.group),
                                 .count = path->count + last};
  f->has_path = f->path.edge && f->path.group && stepper_open(&step, s->model, s->mem, &e) == 0;
  for (size_t i = 0; i < path->count && f->has_path; i++) {
    f->path.edge[i] = path->edge[i];
    f->has_path = stepper_take(&step, path->edge[i], &f->path.group[i], &e) == 1;
  }
  stepper_close(&step);
  if (f->has_path && last) f->path.edge[path->count] = from->edge, f->path.group[path->count] = from->group;
  if (f->has_path) return;
  mem_free(j->mem, f->path.edge);
  mem_free(j->mem, f->path.group);
  f->path = (struct search_path){0};
}

/* What went wrong is called by numbers that mean something to the rank that met it: it happens again here. */
static void know_fault(struct search *s, struct judge_found *f) {
  struct stepper step = {0};
  struct err e;
  size_t steps = f->path.count - (f->fault.edge != MODEL_NO_EDGE);
  err_clear(&e);
  int bad = stepper_open(&step, s->model, s->mem, &e);
  for (size_t i = 0; i < steps && !bad; i++) bad = stepper_take(&step, f->path.edge[i], NULL, &e) != 1;
  if (!bad && stepper_expand(&step, &e) == 0)
    for (size_t i = 0; i < step.batch.fault_count; i++) {
      const struct model_fault *there = &step.batch.faults[i];
      int with_step = there->edge != MODEL_NO_EDGE;
      if (there->claim != f->fault.claim || with_step != (f->fault.edge != MODEL_NO_EDGE) || (with_step && there->edge != f->path.edge[steps])) continue;
      f->fault.detail = there->detail;
      break;
    }
  stepper_close(&step);
}

/* Of all that was found: the first of each property, and so many in all as are wanted. */
static size_t choose(const struct judge *j, struct finding *all, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    int first = 1;
    for (size_t k = 0; k < kept && first; k++) first = all[k].prop != all[i].prop;
    if (first || kept < j->collect) all[kept++] = all[i];
  }
  return kept;
}

static void drop_found(struct judge *j) {
  for (size_t i = 0; i < j->found.count; i++) {
    mem_free(j->mem, j->found.at[i].path.edge);
    mem_free(j->mem, j->found.at[i].path.group);
  }
  j->found.count = 0;
}

int spread_share(struct search *s, struct judge *j, struct err *e) {
  struct spread *p = spread_of(s);
  if (!ranks_all(s->ways.ranks, p && p->open)) return 0; /* some rank has explored nothing, or there is nobody to share with */
  struct finding *mine = mem_alloc(s->mem, MEM_SEARCH, (j->found.count + 1) * sizeof *mine);
  for (size_t i = 0; mine && i < j->found.count; i++) {
    const struct judge_found *f = &j->found.at[i];
    mine[i] = (struct finding){.layer = f->depth - (f->has_fault && f->edge != UINT32_MAX), .order = i, .prop = f->prop, .depth = f->depth, .state = f->state, .rank = p->x.self, .edge = f->edge, .group = f->group, .has_fault = (uint32_t)f->has_fault, .fault = f->fault};
  }
  uint8_t *all = NULL;
  size_t *start = NULL;
  int bad = !ranks_all(p->ranks, mine != NULL) || ranks_gather(p->ranks, mine, j->found.count * sizeof *mine, s->mem, &all, &start) ||
            (j->count && ranks_sum(p->ranks, j->deciding, j->count));
  mem_free(s->mem, mine);
  if (bad) return ranks_lost(p->ranks) >= 0 ? 0 : err_memory(e, "what the ranks have found");
  struct finding *found = (struct finding *)(void *)all;
  size_t count = start[ranks_count(p->ranks)] / sizeof *found;
  qsort(found, count, sizeof *found, earlier);
  count = choose(j, found, count);
  drop_found(j);
  for (size_t i = 0; i < count; i++) {
    struct search_path path = {0};
    if (spread_path(s, found[i].rank, found[i].state, &path) < 0) break;
    if (vec_push(&j->found, j->mem, MEM_SEARCH, ((struct judge_found){.prop = (size_t)found[i].prop, .depth = found[i].depth, .has_fault = (int)found[i].has_fault, .fault = found[i].fault})) == 0) {
      struct judge_found *f = &j->found.at[j->found.count - 1];
      if (path.edge) keep_path(s, j, f, &found[i], &path);
      if (f->has_path && f->has_fault) know_fault(s, f);
    }
    mem_free(s->mem, path.edge);
  }
  mem_free(s->mem, all);
  mem_free(s->mem, start);
  return 0;
}
