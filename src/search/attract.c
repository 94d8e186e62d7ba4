/* attract.c -- see attract.h.
 *
 * Backwards: the queue holds states with their final ranks, in the order of ranks, so that the step that decides a state is the last one that it waited for.  Of each state
 * `left` counts what it still waits for:
 *
 *   ANY    nothing: the first step decides         ALL    all steps
 *   REACH  all steps of the environment, and one of the others if there is any
 *   KEEP   nothing for steps of the environment; all of the others where it has none */
#include "search/attract.h"

#include "model/owners.h"

enum { LOOK = 1 << 16 }; /* states between two looks at the clock */

static int has(const uint64_t *set, int negated, uint64_t s) { return !set || (int)(set[s / 64] >> s % 64 & 1) != negated; }
static int is_goal(const struct attract_setup *a, uint64_t s) { return (int)(a->goal[s / 64] >> s % 64 & 1) != a->goal_negated; }
static int passes(const struct attract_setup *a, uint64_t s) { return has(a->through, a->through_negated, s); }

static int is_late(const struct attract_setup *a) { return model_impatient(a->patience); }

static int late(struct err *e) { return err_limit(e, "there was no time left to solve a game"); }

/* ---- forwards ----------------------------------------------------------------------------------------------------------------- */

static uint32_t further(uint32_t rank) { return rank >= ATTRACT_NEVER - 1 ? rank : rank + 1; }

uint32_t attract_look(const struct attract_setup *a, const uint32_t *rank, uint64_t s) {
  uint32_t best[2] = {ATTRACT_NEVER, ATTRACT_NEVER}, worst[2] = {0, 0}, steps[2] = {0, 0};
  for (struct graph_edges e = graph_edges(a->graph, s); graph_more(&e);) {
    uint32_t owner = OWNER_UNCONTROLLABLE, r = rank[graph_next(&e, a->mode >= ATTRACT_REACH ? &owner : NULL)];
    if (r < best[owner]) best[owner] = r;
    if (r > worst[owner]) worst[owner] = r;
    steps[owner]++;
  }
  const int ours = OWNER_CONTROLLABLE, theirs = OWNER_UNCONTROLLABLE;
  if (!steps[ours] && !steps[theirs]) return ATTRACT_NEVER;
  uint32_t r;
  if (a->mode == ATTRACT_ANY) r = best[theirs];
  else if (a->mode == ATTRACT_ALL) r = worst[theirs];
  else if (a->mode == ATTRACT_REACH) r = !steps[ours] || (steps[theirs] && worst[theirs] > best[ours]) ? worst[theirs] : best[ours];
  else r = steps[theirs] ? best[theirs] : worst[ours];
  return further(r);
}

/* Sweeps, up and down in turn, until nothing changes. A rank is made of ranks that are there, so that following lower ones leads to the goal. */
static int by_sweeps(struct attractor *out, const struct attract_setup *a, struct err *e) {
  for (int down = 0, changed = 1; changed; down = !down) {
    changed = 0;
    for (uint64_t i = 0; i < a->states; i++) {
      uint64_t s = down ? a->states - 1 - i : i;
      if (i % LOOK == 0 && is_late(a)) return late(e);
      if (out->rank[s] != ATTRACT_NEVER || !passes(a, s)) continue;
      out->rank[s] = attract_look(a, out->rank, s);
      changed |= out->rank[s] != ATTRACT_NEVER;
    }
  }
  out->least = 0;
  return 0;
}

/* ---- backwards ---------------------------------------------------------------------------------------------------------------- */

struct backwards {
  struct graph before;
  uint32_t *left, *queue;
  uint64_t *chosen; /* REACH: a step of the controllable side has come */
};

/* What a state waits for; UINT32_MAX = steps of the other side never do. */
static uint32_t waits_for(const struct attract_setup *a, uint64_t s) {
  uint32_t steps[2] = {0, 0};
  if (a->mode == ATTRACT_ANY) return 1;
  if (a->mode == ATTRACT_ALL) return graph_degree(a->graph, s);
  for (struct graph_edges e = graph_edges(a->graph, s); graph_more(&e);) {
    uint32_t owner;
    graph_next(&e, &owner);
    steps[owner]++;
  }
  if (a->mode == ATTRACT_REACH) return steps[OWNER_UNCONTROLLABLE] + (steps[OWNER_CONTROLLABLE] != 0);
  return steps[OWNER_UNCONTROLLABLE] ? UINT32_MAX : steps[OWNER_CONTROLLABLE];
}

/* A step of s leads to where the goal can be forced: does that decide s? */
static int decides(const struct attract_setup *a, struct backwards *b, uint32_t s, uint32_t owner) {
  if (a->mode == ATTRACT_ANY || (a->mode == ATTRACT_KEEP && owner == OWNER_UNCONTROLLABLE)) return 1;
  if (a->mode == ATTRACT_KEEP && b->left[s] == UINT32_MAX) return 0;
  if (a->mode == ATTRACT_REACH && owner == OWNER_CONTROLLABLE) {
    uint64_t bit = UINT64_C(1) << s % 64;
    if (b->chosen[s / 64] & bit) return 0;
    b->chosen[s / 64] |= bit;
  }
  return --b->left[s] == 0;
}

static int go_backwards(struct attractor *out, const struct attract_setup *a, struct backwards *b, struct err *e) {
  uint32_t head = 0, tail = 0;
  for (uint64_t s = 0; s < a->states; s++) {
    if (s % LOOK == 0 && is_late(a)) return late(e);
    if (out->rank[s] == 0) b->queue[tail++] = (uint32_t)s;
    else if (a->mode != ATTRACT_ANY) b->left[s] = waits_for(a, s);
  }
  while (head < tail) {
    if (head % LOOK == 0 && is_late(a)) return late(e);
    uint32_t t = b->queue[head++];
    for (struct graph_edges edge = graph_edges(&b->before, t); graph_more(&edge);) {
      uint32_t owner = OWNER_UNCONTROLLABLE, s = graph_next(&edge, a->mode >= ATTRACT_REACH ? &owner : NULL);
      if (out->rank[s] != ATTRACT_NEVER || !passes(a, s) || !decides(a, b, s, owner)) continue;
      out->rank[s] = further(out->rank[t]);
      b->queue[tail++] = s;
    }
  }
  out->least = 1;
  return 0;
}

/* 0; 1: there is no memory for it; -1 with err. */
static int by_counting(struct attractor *out, const struct attract_setup *a, struct err *e) {
  struct mem *mem = out->mem;
  size_t n = (size_t)a->states, sets = (n / 64 + 1) * sizeof(uint64_t);
  struct backwards b = {0};
  if (a->forwards || mem_left(mem) < graph_turn_bytes(a->graph) + 2 * n * sizeof(uint32_t) + sets) return 1;
  int bad = graph_turn(&b.before, a->graph, a->mode >= ATTRACT_REACH, mem) ? 1 : 0;
  if (!bad) {
    b.queue = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *b.queue);
    if (a->mode != ATTRACT_ANY) b.left = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *b.left);
    if (a->mode == ATTRACT_REACH) b.chosen = mem_alloc(mem, MEM_SEARCH, sets);
    bad = !b.queue || (a->mode != ATTRACT_ANY && !b.left) || (a->mode == ATTRACT_REACH && !b.chosen);
  }
  if (!bad) bad = go_backwards(out, a, &b, e);
  graph_close(&b.before);
  mem_free(mem, b.queue);
  mem_free(mem, b.left);
  mem_free(mem, b.chosen);
  return bad;
}

int attract(struct attractor *out, const struct attract_setup *a, struct mem *mem, struct err *e) {
  *out = (struct attractor){.mem = mem, .rank = mem_alloc(mem, MEM_SEARCH, ((size_t)a->states + 1) * sizeof *out->rank)};
  if (!out->rank) return err_memory(e, "solving a game");
  for (uint64_t s = 0; s < a->states; s++) out->rank[s] = is_goal(a, s) ? 0 : ATTRACT_NEVER;
  int bad = by_counting(out, a, e);
  if (bad == 1) bad = by_sweeps(out, a, e);
  if (bad) attract_close(out);
  return bad;
}

void attract_close(struct attractor *a) {
  if (!a->mem) return;
  mem_free(a->mem, a->rank);
  *a = (struct attractor){0};
}
