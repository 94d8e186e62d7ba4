/* lead_back.c -- paths of the part that was explored become paths of the model as it is.
 *
 * Two states are followed at once: one on the path that was found, and a real one for which it stands.  For each step of the path a step of the real state is looked for that leads to what the path's next state
 * stands for.  The real state may be behind: things that do not matter, and that the one which stands for it has done already, must happen first.  Those are steps between states for which the same one stands; they
 * are looked for breadth-first, and if they are not few, one after the other: as they have nothing to do with each other, any order leads on.
 *
 * Where alike states may have different ones that stand for them, the likeness itself follows the path (model.h: follow) and tells where the real state must be next.
 *
 * A loop comes back to the state that stands for its first one, but the real one may be another then, with equal things in other places.  Going round again and again it comes back to one where it has been.
 *
 * What was found on a smaller model (model_type.smaller) is led back to that model's own steps first; each of them is one or more of the larger one, by name. */
#include "reduce/dressed.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

enum { BEHIND_FEW = 60, BEHIND_MOST = 20000, ROUNDS_MOST = 5000, ROUND_AND_ROUND = 50 };

struct behind_link { /* how a state behind is reached */
  size_t from;
  uint32_t edge, group;
  int done; /* its steps were looked at */
};

struct way {
  struct vec(uint32_t) edge, group;
};

struct guide {
  struct reduction *r;
  struct mem *mem;
  struct err *e;
  struct model_cursor *seen, *real;         /* one dressed, one not */
  struct model_likeness *alike[LIKENESSES]; /* of the latter */
  struct model_batch seen_batch, batch;
  uint32_t *at, *next; /* states on the path that was found */
  uint32_t *here, *spare; /* the real one */
  struct vec(uint32_t) behind; /* states for which the same one stands, end to end */
  struct vec(struct behind_link) link;
  struct way way;
};

static size_t words(const struct guide *g) { return g->r->model->words; }

static int put(struct guide *g, struct way *w, uint32_t edge, uint32_t group) {
  if (vec_push(&w->edge, g->mem, MEM_OTHER, edge) || vec_push(&w->group, g->mem, MEM_OTHER, group)) return err_memory(g->e, "a path");
  return 0;
}

/* ---- wider states ---------------------------------------------------------------------------------------------------------------------------- */

static int resize(struct guide *g, uint32_t **state, size_t count) {
  uint32_t *more = mem_resize(g->mem, MEM_OTHER, *state, (count + 4) * sizeof *more);
  if (!more) return err_memory(g->e, "a path");
  *state = more;
  return 0;
}

/* Real states may need more bits than those that stand for them. */
static int widen(struct guide *g, struct model_cursor *cursor) {
  struct model *m = g->r->model;
  size_t before = words(g);
  if (g->r->own->widen(m, cursor, g->e)) return -1;
  uint32_t **state[] = {&g->at, &g->next, &g->here, &g->spare};
  int bad = 0;
  for (size_t i = 0; i < 4 && !bad; i++) bad = resize(g, state[i], words(g));
  uint32_t *old = bad ? NULL : mem_alloc(g->mem, MEM_OTHER, (before + 4) * sizeof *old);
  for (size_t i = 0; i < 3 && old; i++) { /* the spare one is empty */
    memcpy(old, *state[i], before * sizeof *old);
    g->r->own->convert(m, old, *state[i]);
  }
  mem_free(g->mem, old);
  g->r->own->widen_done(m, old != NULL);
  if (!old || model_batch_restride(&g->batch, m->words) || model_batch_restride(&g->seen_batch, m->words)) return err_memory(g->e, "a path");
  return 0;
}

/* 0; 1: it became wider, begin again; -1 */
static int answered(struct guide *g, enum model_answer answer, struct model_cursor *cursor) {
  if (answer == MODEL_OK) return 0;
  if (answer == MODEL_WIDEN) return widen(g, cursor) ? -1 : 1;
  return answer == MODEL_MEMORY ? err_memory(g->e, "a path") : err_internal(g->e, "a step of a path cannot be taken again");
}

/* ---- one step -------------------------------------------------------------------------------------------------------------------------------- */

/* What a step is looked for. */
struct wanted {
  int stands_still; /* the path does not leave its state */
  int stuck;        /* nothing can happen */
  int fault, by_step; /* it goes wrong, in a step or without one */
  uint32_t claim, detail; /* of several things that go wrong the one that was found */
};

static int goes_wrong(const struct model_batch *b, const struct wanted *w, size_t edge) {
  for (size_t i = 0; i < b->fault_count; i++)
    if (b->faults[i].edge == edge && b->faults[i].claim == w->claim && b->faults[i].detail == w->detail) return 1;
  return 0;
}

/* The way to a state behind, and one more step or none. */
static int walk_to(struct guide *g, size_t index, const struct behind_link *last) {
  size_t from = g->way.edge.count, length = 0;
  for (size_t i = index; i; i = g->link.at[i].from) length++;
  for (size_t i = 0; i < length; i++)
    if (put(g, &g->way, 0, 0)) return -1;
  for (size_t i = index, k = from + length; i; i = g->link.at[i].from) {
    g->way.edge.at[--k] = g->link.at[i].edge;
    g->way.group.at[k] = g->link.at[i].group;
  }
  return last ? put(g, &g->way, last->edge, last->group) : 0;
}

static int seen_before(const struct guide *g, const uint32_t *state) {
  for (size_t i = 0; i < g->link.count; i++)
    if (memcmp(g->behind.at + i * words(g), state, words(g) * sizeof *state) == 0) return 1;
  return 0;
}

static int add_behind(struct guide *g, const uint32_t *state, struct behind_link link) {
  if (vec_reserve(&g->behind, g->mem, MEM_OTHER, words(g)) || vec_push(&g->link, g->mem, MEM_OTHER, link)) return err_memory(g->e, "a path");
  memcpy(g->behind.at + g->behind.count, state, words(g) * sizeof *state);
  g->behind.count += words(g);
  return 0;
}

/* Looks at the steps of a real state: 1: done; 0: not here; 2: wider, begin again; -1. */
static int look_from(struct guide *g, size_t index, const struct wanted *w) {
  struct model_batch *b = &g->batch;
  size_t bytes = words(g) * sizeof *g->spare;
  b->count = b->fault_count = 0;
  int status = answered(g, g->r->own->successors(g->real, g->behind.at + index * words(g), b), g->real);
  if (status) return status > 0 ? 2 : -1;
  if (w->stuck ? !b->count : w->fault && !w->by_step && goes_wrong(b, w, MODEL_NO_EDGE)) {
    memcpy(g->here, g->behind.at + index * words(g), bytes);
    return walk_to(g, index, NULL) ? -1 : 1;
  }
  int ends_here = w->stuck || (w->fault && !w->by_step);
  for (size_t k = 0; k < b->count; k++) {
    const uint32_t *state = b->states + k * b->stride;
    struct behind_link link = {index, (uint32_t)k, b->group[k], 0};
    memcpy(g->spare, state, bytes);
    status = answered(g, reduction_stand_in(g->r, g->alike, g->real, g->spare), g->real);
    if (status) return status > 0 ? 2 : -1;
    if (!ends_here && memcmp(g->spare, g->next, bytes) == 0 && (!w->fault || goes_wrong(b, w, k))) {
      memcpy(g->here, state, bytes);
      return walk_to(g, index, &link) ? -1 : 1;
    }
    if (memcmp(g->spare, g->at, bytes) == 0 && !seen_before(g, state) && add_behind(g, state, link)) return -1;
  }
  return 0;
}

/* The state whose steps are to be looked at as the n-th: the first that was found, later the last. */
static size_t next_behind(const struct guide *g, size_t n, const struct wanted *w) {
  if (!w->stuck && n < BEHIND_FEW) return n; /* in order so far */
  for (size_t i = g->link.count; i-- > 0;)
    if (!g->link.at[i].done) return i;
  return g->link.count;
}

/* The real state takes the step from `at` to `next`, or comes to what is wanted where it is. 0 or -1. */
static int follow(struct guide *g, const struct wanted *w) {
  for (;;) {
    int status = 0;
    g->behind.count = g->link.count = 0;
    if (add_behind(g, g->here, (struct behind_link){0})) return -1;
    for (size_t n = 0; n < BEHIND_MOST && !status; n++) {
      size_t at = next_behind(g, n, w);
      if (at == g->link.count) break;
      g->link.at[at].done = 1;
      status = look_from(g, at, w);
    }
    if (status == 1) return 0;
    if (status < 0) return -1;
    if (status == 2) continue;
    if (w->stands_still && !w->fault && !w->stuck) return 0; /* whatever it was has happened to the real one before */
    return err_internal(g->e, "a path of the reduced graph is none of the model");
  }
}

/* The edge'th of the steps that were taken from `at` leads to `next`. */
static int look_ahead(struct guide *g, uint32_t edge) {
  struct model_batch *b = &g->seen_batch;
  for (;;) {
    b->count = b->fault_count = 0;
    int status = answered(g, g->r->type.successors(g->seen, g->at, b), g->seen);
    if (status < 0) return -1;
    if (status == 0) break;
  }
  if (edge >= b->count) return err_internal(g->e, "a path of the reduced graph has a step that is not there");
  memcpy(g->next, b->states + edge * b->stride, words(g) * sizeof *g->next);
  return 0;
}

/* The likeness itself follows the path (model.h: follow). */
static const struct model_likeness_type *follower(const struct guide *g) { return g->r->like[1] && !g->r->like[0] && g->r->like[1]->follow ? g->r->like[1] : NULL; }

/* All steps of a state, without anything that stands for others; 0; 1: wider, begin again; -1 */
static int all_steps(struct guide *g, const uint32_t *state) {
  g->batch.count = g->batch.fault_count = 0;
  return answered(g, g->r->own->successors(g->real, state, &g->batch), g->real);
}

/* The first step of its group that leads from `at` to what stands there for `next`; it is put aside. 0; 1: wider, begin again; -1; 2: there is none */
static int find_step(struct guide *g, uint32_t edge) {
  size_t bytes = words(g) * sizeof *g->spare;
  int status = look_ahead(g, edge) ? -1 : all_steps(g, g->at);
  for (size_t k = 0; !status && k < g->batch.count; k++) {
    if (g->batch.group[k] != g->seen_batch.group[edge]) continue;
    memcpy(g->spare, g->batch.states + k * g->batch.stride, bytes);
    status = answered(g, reduction_stand_in(g->r, g->alike, g->real, g->spare), g->real);
    if (status || memcmp(g->spare, g->next, bytes) != 0) continue;
    memcpy(g->spare, g->batch.states + k * g->batch.stride, bytes);
    return 0;
  }
  return status ? status : 2;
}

static int take_after(struct guide *g, uint32_t edge) {
  for (;;) {
    size_t k;
    int status = find_step(g, edge);
    if (status < 0) return -1;
    if (status == 1) continue;
    if (status) break;
    status = all_steps(g, g->here); /* first, since what follows cannot be done twice */
    if (status < 0) return -1;
    if (status) continue;
    uint32_t *real = mem_alloc(g->mem, MEM_OTHER, (words(g) + 4) * sizeof *real);
    status = real ? answered(g, follower(g)->follow(g->alike[1], g->real, g->spare, real), g->real) : err_memory(g->e, "a path");
    for (k = 0; !status && k < g->batch.count && memcmp(g->batch.states + k * g->batch.stride, real, words(g) * sizeof *real) != 0;) k++;
    if (!status && k < g->batch.count) {
      memcpy(g->here, real, words(g) * sizeof *real);
      memcpy(g->at, g->next, words(g) * sizeof *real);
      status = put(g, &g->way, (uint32_t)k, g->batch.group[k]) ? -1 : 2;
    }
    mem_free(g->mem, real);
    if (status == 1) continue;
    if (status == 2) return 0;
    if (status < 0) return -1;
    break;
  }
  return err_internal(g->e, "a path of the reduced graph is none of the model");
}

static int take(struct guide *g, const struct reduction_path *p, size_t i) {
  int last = i + 1 == p->count && p->loop == p->count;
  struct wanted w = {.fault = last && p->fault == REDUCTION_STEP_FAILS, .claim = p->claim, .detail = p->detail, .by_step = 1};
  if (p->edge[i] == UINT32_MAX) return put(g, &g->way, UINT32_MAX, UINT32_MAX); /* nothing happens any more */
  if (follower(g)) return take_after(g, p->edge[i]);
  if (look_ahead(g, p->edge[i])) return -1;
  w.stands_still = memcmp(g->at, g->next, words(g) * sizeof *g->at) == 0;
  if (follow(g, &w)) return -1;
  memcpy(g->at, g->next, words(g) * sizeof *g->at);
  return 0;
}

/* ---- whole paths ----------------------------------------------------------------------------------------------------------------------------- */

/* Round and round until the real state is one in which a round began before. It need not be: what does not matter may grow for ever (ERR_LIMIT). */
static int take_loop(struct guide *g, const struct reduction_path *p, size_t *loop) {
  struct vec(uint32_t) began = {0};
  struct vec(size_t) length = {0};
  int bad = 0, found = 0;
  for (size_t round = 0; round < ROUNDS_MOST && !bad && !found; round++) {
    size_t width = words(g);
    if (length.count && began.count != length.count * width) began.count = length.count = 0; /* it became wider */
    for (size_t i = 0; i < length.count && !found; i++)
      if (memcmp(began.at + i * width, g->here, width * sizeof *g->here) == 0) {
        found = 1;
        *loop = length.at[i];
      }
    if (found) break;
    if (vec_reserve(&began, g->mem, MEM_OTHER, width) || vec_push(&length, g->mem, MEM_OTHER, g->way.edge.count)) bad = err_memory(g->e, "a path");
    if (!bad) {
      memcpy(began.at + began.count, g->here, width * sizeof *g->here);
      began.count += width;
    }
    for (size_t i = p->loop; i < p->count && !bad; i++) bad = take(g, p, i);
  }
  vec_free(&began, g->mem);
  vec_free(&length, g->mem);
  if (!bad && !found) return err_limit(g->e, "a loop of the reduced graph does not close in the model as it is");
  return bad;
}

/* On the model that was searched. */
static int lead_back(struct guide *g, const struct reduction_path *p, size_t *loop) {
  for (size_t i = 0; i < p->loop; i++)
    if (take(g, p, i)) return -1;
  if (p->stuck || p->fault == REDUCTION_STATE_FAILS) {
    memcpy(g->next, g->at, words(g) * sizeof *g->at);
    if (follow(g, &(struct wanted){.stuck = p->stuck, .fault = !p->stuck, .claim = p->claim, .detail = p->detail})) return -1;
  }
  *loop = SIZE_MAX;
  return p->loop < p->count ? take_loop(g, p, loop) : 0;
}

/* The larger model as it is replayed. */
struct replay {
  struct model *m;
  struct model_cursor *cursor;
  struct model_batch batch;
  uint32_t *state;
};

/* All steps from where it stands, in a wider layout if need be: the larger model was not searched, and may never have seen such numbers. */
static int steps_of(struct guide *g, struct replay *p) {
  const struct model_type *type = p->m->type;
  for (;;) {
    p->batch.count = p->batch.fault_count = 0;
    enum model_answer answer = type->successors(p->cursor, p->state, &p->batch);
    if (answer == MODEL_OK) return 0;
    if (answer != MODEL_WIDEN || !type->widen) return answer == MODEL_MEMORY ? err_memory(g->e, "a path") : err_internal(g->e, "a path of the smaller model cannot be taken again");
    if (type->widen(p->m, p->cursor, g->e)) return -1;
    uint32_t *wider = mem_alloc(g->mem, MEM_OTHER, ((size_t)p->m->words + 4) * sizeof *wider);
    if (wider) type->convert(p->m, p->state, wider);
    type->widen_done(p->m, wider != NULL);
    if (!wider || model_batch_restride(&p->batch, p->m->words)) {
      mem_free(g->mem, wider);
      return err_memory(g->e, "a path");
    }
    mem_free(g->mem, p->state);
    p->state = wider;
  }
}

static int go(struct guide *g, struct replay *p, struct way *way, size_t edge) {
  if (put(g, way, (uint32_t)edge, p->batch.group[edge])) return -1;
  memcpy(p->state, p->batch.states + edge * p->batch.stride, p->m->words * sizeof *p->state);
  return 0;
}

/* A step that leads elsewhere: the first at first, and when that comes to no end, as it goes round, any. */
static size_t a_way_on(const struct replay *p, size_t taken) {
  size_t ways = 0, chosen = 0, wanted = taken < ROUND_AND_ROUND ? 0 : hash_mix(taken);
  for (int pass = 0; pass < 2; pass++) {
    size_t seen = 0;
    for (size_t k = 0; k < p->batch.count; k++) {
      if (memcmp(p->batch.states + k * p->batch.stride, p->state, p->m->words * sizeof *p->state) == 0) continue;
      if (!pass) ways++;
      else if (seen++ == wanted % ways) chosen = k;
    }
    if (!ways) break;
  }
  return chosen;
}

/* From the steps of a smaller model to those of the larger one. `loop`: an index in both. Where the smaller one is stuck the larger one may have some steps left that lead nowhere. */
static int enlarge(struct guide *g, size_t *loop, int stuck) {
  struct replay p = {.m = g->r->larger};
  struct way way = {0};
  size_t from = *loop;
  p.state = mem_alloc(g->mem, MEM_OTHER, ((size_t)p.m->words + 4) * sizeof *p.state);
  int bad = !p.state || p.m->type->cursor_open(&p.cursor, p.m, g->mem) || model_batch_open(&p.batch, g->mem, p.m->words, 64) ? err_memory(g->e, "a path") : 0;
  if (!bad) p.m->type->initial(p.m, p.state);
  for (size_t i = 0; i < g->way.edge.count && !bad; i++) {
    const uint32_t *group;
    if (i == from) *loop = way.edge.count;
    if (g->way.group.at[i] == UINT32_MAX) { /* nothing happens any more */
      bad = put(g, &way, UINT32_MAX, UINT32_MAX);
      continue;
    }
    size_t count = g->r->own->stands_for(g->r->model, g->way.group.at[i], &group);
    for (size_t k = 0; k < count && !bad; k++) {
      size_t edge = 0;
      bad = steps_of(g, &p);
      while (!bad && edge < p.batch.count && p.batch.group[edge] != group[k]) edge++;
      if (!bad) bad = edge == p.batch.count ? err_internal(g->e, "a path of the smaller model is none of the model") : go(g, &p, &way, edge);
    }
  }
  for (size_t i = 0; i < BEHIND_MOST && stuck && !bad; i++) {
    bad = steps_of(g, &p);
    if (!bad && !p.batch.count) break;
    if (!bad) bad = go(g, &p, &way, a_way_on(&p, i));
  }
  model_batch_close(&p.batch);
  if (p.cursor) p.m->type->cursor_close(p.cursor);
  mem_free(g->mem, p.state);
  vec_free(&g->way.edge, g->mem);
  vec_free(&g->way.group, g->mem);
  g->way = way;
  return bad;
}

static int open_guide(struct guide *g) {
  struct reduction *r = g->r;
  char why[200];
  if (resize(g, &g->at, words(g)) || resize(g, &g->next, words(g)) || resize(g, &g->here, words(g)) || resize(g, &g->spare, words(g))) return -1;
  reduction_dress(r);
  int bad = r->type.cursor_open(&g->seen, r->model, g->mem) || model_batch_open(&g->seen_batch, g->mem, r->model->words, 64) || model_batch_open(&g->batch, g->mem, r->model->words, 64);
  if (!bad) r->type.initial(r->model, g->at);
  if (!bad) memcpy(g->next, g->at, words(g) * sizeof *g->at);
  bad = bad || r->own->cursor_open(&g->real, r->model, g->mem);
  for (size_t k = 0; k < LIKENESSES && !bad; k++)
    if (r->like[k]) bad = r->like[k]->open(&g->alike[k], r->model, &r->aims, g->mem, why, sizeof why) != 0;
  if (!bad) r->own->initial(r->model, g->here);
  if (!bad && follower(g)) bad = follower(g)->follow_begin(g->alike[1]) || follower(g)->follow(g->alike[1], g->real, g->here, g->spare) != MODEL_OK;
  return bad ? err_memory(g->e, "a path") : 0;
}

static void close_guide(struct guide *g) {
  struct reduction *r = g->r;
  for (size_t k = 0; k < LIKENESSES; k++)
    if (g->alike[k]) r->like[k]->close(g->alike[k]);
  if (g->real) r->own->cursor_close(g->real);
  if (g->seen) r->type.cursor_close(g->seen);
  model_batch_close(&g->seen_batch);
  model_batch_close(&g->batch);
  mem_free(g->mem, g->at);
  mem_free(g->mem, g->next);
  mem_free(g->mem, g->here);
  mem_free(g->mem, g->spare);
  vec_free(&g->behind, g->mem);
  vec_free(&g->link, g->mem);
}

int reduction_lead_back(struct reduction *r, struct reduction_path *p, struct mem *mem, struct err *e) {
  struct guide g = {.r = r, .mem = mem, .e = e};
  int was = r->dressed;
  size_t loop = SIZE_MAX;
  err_clear(e);
  int bad = open_guide(&g);
  if (!bad) bad = lead_back(&g, p, &loop);
  close_guide(&g);
  reduction_undress(r);
  if (!bad && r->model != r->larger) bad = enlarge(&g, &loop, p->stuck);
  if (was) reduction_dress(r);
  if (bad) {
    vec_free(&g.way.edge, mem);
    vec_free(&g.way.group, mem);
    return -1;
  }
  mem_free(mem, p->edge);
  mem_free(mem, p->group);
  p->edge = g.way.edge.at;
  p->group = g.way.group.at;
  p->count = g.way.edge.count;
  p->loop = loop < p->count ? loop : p->count;
  return 0;
}
