/* lasso.c -- see lasso.h.
 *
 * States are compared by their words, so all of it must happen in one layout: when a search makes states wider, everything begins anew with the
 * wider ones. */
#include "search/lasso.h"

#include "base/vec.h"
#include "search/stepper.h"

#include <string.h>

/* ---- runs of the product, step by step ------------------------------------------------------------------------------------- */

struct states { /* words of states, one after the other */
  struct mem *mem;
  uint32_t *words;
  size_t stride, count, room;
};

static int keep_state(struct states *l, const uint32_t *state, size_t words) {
  if (l->count == l->room) {
    size_t room = 2 * l->room + 64;
    uint32_t *w = mem_resize(l->mem, MEM_SEARCH, l->words, room * l->stride * sizeof *w);
    if (!w) return -1;
    l->words = w;
    l->room = room;
  }
  memcpy(l->words + l->count++ * l->stride, state, words * sizeof *state);
  return 0;
}

/* Follows edges of a product from its beginning; writes the model's edges and groups behind those in `out`. `heard` (may be NULL) gets the
   states on the way, the first included, the last not; `last` (may be NULL) that one. Layouts change on the way: so states are kept in the final one
   by following twice (see settled). */
static int follow(struct model *product, const struct search_path *path, struct search_path *out, struct states *heard, uint32_t *last, struct mem *mem,
                  struct err *e) {
  struct stepper s = {0};
  int bad = stepper_open(&s, product, mem, e);
  for (size_t i = 0; i < path->count && !bad; i++) {
    const struct automaton_edge *open;
    uint32_t edge, group;
    if (heard) bad = keep_state(heard, s.state, product->words) ? err_memory(e, "a counterexample") : 0;
    if (!bad && out && product_edge(s.cursor, s.state, path->edge[i], &edge, &group, &open)) bad = err_memory(e, "a counterexample");
    if (!bad && out) {
      out->edge[out->count] = edge;
      out->group[out->count++] = group;
    }
    if (!bad && stepper_take(&s, path->edge[i], NULL, e) != 1) bad = e->kind ? -1 : err_internal(e, "step %zu of a counterexample is not there", i);
  }
  if (!bad && last) memcpy(last, s.state, product->words * sizeof *last);
  stepper_close(&s);
  return bad ? -1 : 0;
}

/* After this the layout of states is wide enough for the whole path. */
static int settle(struct model *product, const struct search_path *path, struct mem *mem, struct err *e) {
  return follow(product, path, NULL, NULL, NULL, mem, e);
}

/* ---- goals ------------------------------------------------------------------------------------------------------------------- */

struct seeker {
  struct listener listener;
  struct mem *mem;
  const struct model *plain; /* the product without counting */
  const uint32_t *seed;      /* looking for a loop back to this state ... */
  unsigned sets;             /* ... on which all sets are met */
  const struct automaton *free; /* or for a loop back to it on which no state accepts */
  const struct states *any;  /* or for the first state that is one of these */
  size_t hit;                /* which */
  uint32_t bits;             /* of the states that it compares with */
  int found, again;          /* again: states became wider */
  int everywhere;            /* nothing was left to be looked at */
  const struct search_type *type;   /* NULL = breadth-first ... */
  const struct store_type *store;   /* ... with the ladder */
  const struct store_options *options;
  struct search_path path;
};

static size_t which(const struct seeker *k, const struct search *s, const uint32_t *words) {
  for (size_t i = 0; i < k->any->count; i++)
    if (memcmp(k->any->words + i * k->any->stride, words, s->model->words * sizeof *words) == 0) return i;
  return SIZE_MAX;
}

static enum listener_answer keep_path(struct seeker *k, struct search *s, store_ref source, const uint32_t *last_edge) {
  k->found = 1;
  search_keep_edges(s, source, k->mem, &k->path);
  if (k->path.edge && last_edge) k->path.edge[k->path.count++] = *last_edge;
  return LISTEN_GOAL;
}

/* Is this state on no loop that never accepts and goes back to the seed? */
static int leads_away(const struct seeker *k, const struct search *s, const uint32_t *words) {
  uint32_t q = product_watcher(s->model, words);
  return automaton_state_accepts(k->free, q) || k->free->scc[q] != k->free->scc[product_watcher(k->plain, k->seed)];
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct seeker *k = (struct seeker *)l;
  if (s->model->bits != k->bits) {
    k->again = 1;
    return LISTEN_GOAL;
  }
  if (k->any) {
    k->hit = which(k, s, event->words);
    return k->hit == SIZE_MAX ? LISTEN_ON : keep_path(k, s, event->state, NULL);
  }
  if (event->kind == EVENT_NEW) return event->source != STORE_NONE && leads_away(k, s, event->words) ? LISTEN_SKIP : LISTEN_ON;
  /* an edge, so that a loop of one step is one */
  if (k->free) return memcmp(k->seed, event->words, s->model->words * sizeof *k->seed) == 0 ? keep_path(k, s, event->source, &event->edge) : LISTEN_ON;
  if (product_collected(s->model, event->words) != k->sets || !product_returned(k->plain, k->seed, s->model, event->words)) return LISTEN_ON;
  return keep_path(k, s, event->source, &event->edge);
}

enum { AGAIN = 2 };
/* 0: found; 1: not found, or no path; AGAIN; -1 with err: the search could not begin. */
static int seek(struct seeker *k, struct model *product, const struct search_limits *limits, struct mem *mem, struct err *e) {
  struct listener *listeners[] = {&k->listener};
  struct search_setup setup = {
      .model = product, .store = k->store ? k->store : &store_plain, .store_options = k->options, .ladder = !k->store, .mem = mem, .limits = *limits, .listeners = listeners, .listener_count = 1};
  struct search *s = NULL;
  k->listener.hear = hear;
  k->listener.wants = k->any ? EVENT_NEW : k->free ? EVENT_EDGE | EVENT_NEW : EVENT_EDGE;
  k->mem = mem;
  k->bits = product->bits;
  if (search_open(&s, k->type ? k->type : &search_bfs, &setup, e)) return -1;
  search_run(s);
  k->everywhere = s->stop == STOP_DONE;
  search_close(s);
  return k->again || product->bits != k->bits ? AGAIN : k->found && k->path.edge ? 0 : 1;
}

/* The states of a run of the model before each of its steps, up to where nothing happens any more. */
static int follow_model(struct model *m, const struct search_path *path, struct states *out, struct mem *mem, struct err *e) {
  struct stepper s = {0};
  int bad = stepper_open(&s, m, mem, e);
  for (size_t i = 0; i < path->count && !bad && path->edge[i] != UINT32_MAX; i++) {
    bad = keep_state(out, s.state, m->words) ? err_memory(e, "a counterexample") : 0;
    if (!bad && stepper_take(&s, path->edge[i], NULL, e) != 1) bad = e->kind ? -1 : err_internal(e, "step %zu of a counterexample is not there", i);
  }
  stepper_close(&s);
  return bad ? -1 : 0;
}

enum { NEAR = 200000 };

/* How many states may be looked at only to make a counterexample shorter that was found after `met` of them. */
static uint64_t effort_after(uint64_t met) { return met > NEAR ? met : NEAR; }

static struct search_limits nearby(const struct search_limits *limits, uint64_t effort) {
  struct search_limits near = *limits;
  if (!near.states || near.states > effort) near.states = effort;
  return near;
}

/* ---- making ------------------------------------------------------------------------------------------------------------------ */

/* Edges of the product from `way`, then those of `loop` from place `turn` on, round to `turn`: as edges of the model. */
struct parts {
  struct search_path way, loop;
  size_t turn;
};

/* The last step of the way may be the last step of the loop, too: then the loop begins a step earlier, and the run is the same. `state` has the
   states of the run, one more than it has steps, `words` of each counting. */
static void tighten(struct lasso *l, const struct states *s, size_t words) {
  size_t round = l->path.count - l->loop, cut = 0;
  for (; l->loop > 0 && round; l->loop--, cut++) {
    size_t before = l->loop - 1, last = before + round; /* the steps before the loop begins, and before it begins again */
    if (l->path.edge[before] != l->path.edge[last]) break;
    if (memcmp(s->words + before * s->stride, s->words + last * s->stride, words * sizeof *s->words) != 0) break;
  }
  l->path.count -= cut;
}

static int compose(struct lasso *out, const struct product_setup *setup, const struct parts *p, struct mem *mem, struct err *e) {
  struct product_setup plain = *setup;
  struct model *product = NULL;
  size_t n = p->way.count + p->loop.count;
  struct search_path all = {.edge = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *all.edge), .count = n};
  *out = (struct lasso){0};
  out->path.edge = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *out->path.edge);
  out->path.group = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *out->path.group);
  int bad = all.edge && out->path.edge && out->path.group ? product_open(&product, &plain, mem, e) : err_memory(e, "a counterexample");
  if (!bad) {
    if (p->way.count) memcpy(all.edge, p->way.edge, p->way.count * sizeof *all.edge);
    for (size_t i = 0; i < p->loop.count; i++) all.edge[p->way.count + i] = p->loop.edge[(p->turn + i) % p->loop.count];
    bad = follow(product, &all, &out->path, NULL, NULL, mem, e);
  }
  struct states states = {.mem = mem};
  if (!bad) {
    states.stride = model_stride(setup->model->words) + 2;
    bad = follow_model(setup->model, &out->path, &states, mem, e);
  }
  if (!bad) {
    out->loop = p->way.count;
    size_t stays = 0; /* once nothing can happen, nothing does for ever */
    while (stays < n && out->path.edge[stays] != UINT32_MAX) stays++;
    out->path.count = stays;
    out->stays = stays < n;
    if (out->loop > stays || stays < n) out->loop = stays;
    else tighten(out, &states, setup->model->words);
  }
  mem_free(mem, states.words);
  model_close(product);
  mem_free(mem, all.edge);
  if (bad) lasso_free(out, mem);
  return bad;
}

/* The shortest accepting loop from the seed; where it is too far away for `effort`, the one that depth-first search meets. 0, AGAIN, or -1 with err. */
static int find_loop(struct search_path *out, const struct product_setup *setup, struct model *plain, const uint32_t *seed,
                     const struct search_limits *limits, uint64_t effort, struct mem *mem, struct err *e) {
  struct product_setup counting = *setup;
  struct model *product = NULL;
  counting.collect = 1;
  if (product_open(&product, &counting, mem, e)) return -1;
  struct seeker k = {.plain = plain, .seed = seed, .sets = product->type->sets(product)};
  struct search_limits near = nearby(limits, effort);
  int bad = product_start(product, plain, seed) ? err_memory(e, "a counterexample") : seek(&k, product, &near, mem, e);
  if (bad == 1 && !k.everywhere) {
    mem_free(mem, k.path.edge);
    k = (struct seeker){.plain = plain, .seed = seed, .sets = k.sets, .type = &search_dfs};
    bad = seek(&k, product, limits, mem, e);
  }
  model_close(product);
  *out = k.path;
  if (bad == 1 && k.everywhere) return err_internal(e, "the loop of a counterexample is not there");
  if (bad == 1) bad = err_limit(e, "memory or time did not allow to find the loop of a counterexample");
  return bad;
}

enum { LOOP_STATES = 256 }; /* a way to any of so many is looked for; otherwise to the first of them */

/* The states of the loop, or its first one alone where they are too many. */
static int loop_states(struct states *out, const struct parts *p, const struct product_setup *setup, const uint32_t *seed, struct mem *mem, struct err *e) {
  struct model *product = NULL;
  if (product_open(&product, setup, mem, e)) return -1;
  *out = (struct states){.mem = mem, .stride = model_stride(product->words) + 2};
  int bad = 0;
  if (!p->loop.count || p->loop.count > LOOP_STATES) bad = keep_state(out, seed, product->words) ? err_memory(e, "a counterexample") : 0;
  else bad = product_start(product, product, seed) ? err_memory(e, "a counterexample") : follow(product, &p->loop, NULL, out, NULL, mem, e);
  model_close(product);
  return bad;
}

/* A shorter way to some state of the loop, if there is one to be had with `effort`: 1; 0: the long way stays; AGAIN. */
static int shorten(struct parts *p, const struct product_setup *setup, const uint32_t *seed, const struct search_limits *limits, uint64_t effort, struct mem *mem,
                   struct err *e) {
  struct states loop = {.mem = mem};
  int bad = loop_states(&loop, p, setup, seed, mem, e);
  struct model *fresh = NULL;
  if (!bad) bad = product_open(&fresh, setup, mem, e);
  struct seeker k = {.any = &loop};
  struct search_limits near = nearby(limits, effort);
  if (!near.depth || near.depth > p->way.count + 1) near.depth = p->way.count + 1;
  int answer = bad ? -1 : seek(&k, fresh, &near, mem, e);
  if (answer == 0) {
    mem_free(mem, p->way.edge);
    p->way = k.path;
    p->turn = k.hit;
  } else {
    mem_free(mem, k.path.edge);
    err_clear(e); /* the long way stays */
  }
  model_close(fresh);
  mem_free(mem, loop.words);
  return answer == AGAIN ? AGAIN : answer == 0;
}

static int attempt(struct lasso *out, const struct product_setup *setup, const struct search_path *path, const struct search_limits *limits, uint64_t effort,
                   struct mem *mem, struct err *e) {
  struct model *product = NULL;
  struct parts p = {.way = {.edge = mem_alloc(mem, MEM_SEARCH, (path->count + 1) * sizeof *path->edge), .count = path->count}};
  uint32_t *seed = NULL;
  int bad = p.way.edge ? product_open(&product, setup, mem, e) : err_memory(e, "a counterexample");
  if (!bad && path->count) memcpy(p.way.edge, path->edge, path->count * sizeof *path->edge);
  if (!bad) bad = settle(product, path, mem, e);
  if (!bad && !(seed = mem_alloc(mem, MEM_SEARCH, (model_stride(product->words) + 4) * sizeof *seed))) bad = err_memory(e, "a counterexample");
  if (!bad) bad = follow(product, path, NULL, NULL, seed, mem, e);
  if (!bad) bad = find_loop(&p.loop, setup, product, seed, limits, effort, mem, e);
  int shortest = bad ? 0 : shorten(&p, setup, seed, limits, effort, mem, e);
  if (!bad) bad = shortest == AGAIN ? AGAIN : compose(out, setup, &p, mem, e);
  if (!bad) out->shortest_way = shortest;
  model_close(product);
  mem_free(mem, seed);
  mem_free(mem, p.way.edge);
  mem_free(mem, p.loop.edge);
  return bad;
}

int lasso_make(struct lasso *out, const struct product_setup *setup, const struct search_path *path, const struct search_limits *limits, uint64_t met, struct mem *mem,
               struct err *e) {
  int answer;
  do answer = attempt(out, setup, path, limits, effort_after(met), mem, e);
  while (answer == AGAIN);
  return answer;
}

int lasso_of_path(struct lasso *out, const struct product_setup *setup, const struct search_path *path, struct mem *mem, struct err *e) {
  /* the letter that decides was read in the state before the last */
  struct parts p = {.way = {.edge = path->edge, .count = path->count ? path->count - 1 : 0}};
  if (compose(out, setup, &p, mem, e)) return -1;
  out->loop = out->path.count;
  out->shortest_way = 1;
  return 0;
}

int lasso_of_parts(struct lasso *out, const struct product_setup *setup, const struct search_path *way, const struct search_path *loop, struct mem *mem, struct err *e) {
  struct parts p = {.way = {.edge = way->edge, .count = way->count}, .loop = {.edge = loop->edge, .count = loop->count}};
  return compose(out, setup, &p, mem, e);
}

/* ---- from a place without a way ---------------------------------------------------------------------------------------------- */

/* A shorter loop than the one that is known, which stays if there is none to be had. 0, or AGAIN. */
static int shorter_loop(struct parts *p, const struct product_setup *setup, const uint32_t *seed, const struct search_limits *limits, uint64_t effort, struct mem *mem,
                        struct err *e) {
  struct model *product = NULL;
  struct search_limits near = nearby(limits, effort);
  int answer = 1;
  if (!near.depth || near.depth > p->loop.count) near.depth = p->loop.count;
  if (product_open(&product, setup, mem, e) == 0) {
    struct seeker k = {.plain = product, .seed = seed, .free = setup->automaton};
    answer = product_start(product, product, seed) ? 1 : seek(&k, product, &near, mem, e);
    if (answer == 0) {
      mem_free(mem, p->loop.edge);
      p->loop = k.path;
    } else mem_free(mem, k.path.edge);
  }
  model_close(product);
  err_clear(e);
  return answer == AGAIN ? AGAIN : 0;
}

/* 0, AGAIN, or -1 with err. */
static int find_way(struct parts *p, const struct product_setup *setup, const struct lasso_place *place, const uint32_t *seed, const struct search_limits *limits, uint64_t effort,
                    struct mem *mem, struct err *e) {
  struct search_limits near = nearby(limits, effort);
  struct states goal = {0};
  struct model *product = NULL;
  int answer = loop_states(&goal, p, setup, seed, mem, e);
  if (!answer) answer = product_open(&product, setup, mem, e);
  for (int deep = 0; deep < 2 && !answer; deep++) {
    struct seeker k = {.any = &goal, .options = place->options};
    if (deep) k.type = &search_dfs, k.store = place->store && place->store->caps & STORE_EXACT ? place->store : &store_cache;
    answer = seek(&k, product, deep ? limits : &near, mem, e);
    if (answer) mem_free(mem, k.path.edge);
    if (answer == 1 && k.everywhere) answer = err_internal(e, "the way of a counterexample is not there");
    if (answer == 0) {
      p->way = k.path;
      p->turn = k.hit;
      break;
    }
    if (answer == 1) answer = deep ? err_limit(e, "memory or time did not allow to find the way of a counterexample") : 0;
  }
  model_close(product);
  mem_free(mem, goal.words);
  return answer;
}

static int attempt_from(struct lasso *out, const struct product_setup *setup, const struct lasso_place *place, const struct search_limits *limits, uint64_t effort, struct mem *mem,
                        struct err *e) {
  struct model *product = NULL;
  struct parts p = {.loop = {.edge = mem_alloc(mem, MEM_SEARCH, (place->loop->count + 1) * sizeof *p.loop.edge), .count = place->loop->count}};
  uint32_t *seed = NULL;
  int bad = p.loop.edge ? product_open(&product, setup, mem, e) : err_memory(e, "a counterexample");
  if (!bad && p.loop.count) memcpy(p.loop.edge, place->loop->edge, p.loop.count * sizeof *p.loop.edge);
  if (!bad) seed = mem_alloc(mem, MEM_SEARCH, (model_stride(product->words) + 4) * sizeof *seed);
  if (!bad && (!seed || product_put_back(product, place->state, seed))) bad = err_memory(e, "a counterexample");
  model_close(product);
  if (!bad && p.loop.count > 1) bad = shorter_loop(&p, setup, seed, limits, effort, mem, e);
  if (!bad) bad = find_way(&p, setup, place, seed, limits, effort, mem, e);
  if (!bad) bad = compose(out, setup, &p, mem, e);
  mem_free(mem, seed);
  mem_free(mem, p.way.edge);
  mem_free(mem, p.loop.edge);
  return bad;
}

int lasso_from_place(struct lasso *out, const struct product_setup *setup, const struct lasso_place *place, const struct search_limits *limits, uint64_t met, struct mem *mem,
                     struct err *e) {
  int answer;
  do answer = attempt_from(out, setup, place, limits, effort_after(met), mem, e);
  while (answer == AGAIN);
  return answer;
}

void lasso_free(struct lasso *l, struct mem *mem) {
  mem_free(mem, l->path.edge);
  mem_free(mem, l->path.group);
  *l = (struct lasso){0};
}
