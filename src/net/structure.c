/* structure.c -- the token game played without counting.
 *
 * A place is "possible" if it is marked initially or some possible transition puts tokens
 * there; a transition is possible if all its inputs are, and if an input that nothing ever
 * fills has enough tokens from the start.  The least fixpoint over-approximates what can
 * happen: what is impossible in it is dead.  (Unfolded nets of the contest have thousands of
 * such transitions; without them most of their places are constant and cost no bits.) */
#include "net/structure.h"

#include <string.h>

/* Notes which places a transition changes, and which it makes grow. */
static void effects(const struct pt_net *n, uint32_t t, uint8_t *grows, uint8_t *changes) {
  uint32_t place;
  int64_t change;
  for (struct pt_effects it = pt_effects(n, t); pt_effect(&it, &place, &change);) {
    changes[place] = 1;
    if (change > 0) grows[place] = 1;
  }
}

/* The transition that an input arc belongs to. */
static uint32_t owner(const struct pt_net *n, uint32_t arc) {
  uint32_t lo = 0, hi = n->transitions;
  while (hi - lo > 1) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (n->pre_start[mid] <= arc) lo = mid;
    else hi = mid;
  }
  return lo;
}

/* Runs the fixpoint given which places may grow; marks the rest dead. Returns how many are dead. */
static uint32_t possible(const struct pt_net *n, const uint8_t *may_grow, uint8_t *dead, uint8_t *marked, uint32_t *missing,
                         uint32_t *first_use, uint32_t *next_use, uint32_t *work) {
  size_t ready = 0;
  uint32_t alive = 0;
  memset(marked, 0, n->places);
  memset(dead, 1, n->transitions);
  memset(first_use, 0xff, n->places * sizeof *first_use);
  /* every input arc is a wish of its transition, hung on its place */
  for (uint32_t t = 0; t < n->transitions; t++) {
    missing[t] = n->pre_start[t + 1] - n->pre_start[t] + (uint32_t)pt_gone(n, t);
    if (!missing[t]) work[ready++] = t;
    for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++) {
      next_use[a] = first_use[n->pre[a].place];
      first_use[n->pre[a].place] = a;
    }
  }
  for (uint32_t p = 0; p < n->places; p++) {
    if (!n->initial[p]) continue;
    marked[p] = 1;
    for (uint32_t a = first_use[p]; a != PT_NONE; a = next_use[a]) {
      if (!may_grow[p] && n->initial[p] < n->pre[a].weight) continue;
      uint32_t t = owner(n, a);
      if (--missing[t] == 0) work[ready++] = t;
    }
  }
  while (ready) {
    uint32_t t = work[--ready];
    dead[t] = 0;
    alive++;
    for (uint32_t b = n->post_start[t]; b < n->post_start[t + 1]; b++) {
      uint32_t p = n->post[b].place;
      if (marked[p]) continue;
      marked[p] = 1;
      for (uint32_t a = first_use[p]; a != PT_NONE; a = next_use[a]) {
        uint32_t u = owner(n, a);
        if (--missing[u] == 0) work[ready++] = u;
      }
    }
  }
  return n->transitions - alive;
}

int structure_open(struct structure *out, const struct pt_net *n, struct mem *mem, struct err *e) {
  *out = (struct structure){.mem = mem};
  size_t arcs = n->pre_start[n->transitions];
  uint8_t *dead = mem_alloc(mem, MEM_MODEL, n->transitions + 1), *constant = mem_alloc(mem, MEM_MODEL, n->places + 1);
  uint32_t *most = mem_alloc(mem, MEM_MODEL, (n->places + 1) * sizeof *most);
  uint8_t *marked = mem_alloc(mem, MEM_ANALYSIS, n->places + 1), *grows = mem_alloc(mem, MEM_ANALYSIS, n->places + 1);
  uint8_t *changes = mem_alloc(mem, MEM_ANALYSIS, n->places + 1);
  uint32_t *missing = mem_alloc(mem, MEM_ANALYSIS, (n->transitions + 1) * sizeof *missing);
  uint32_t *work = mem_alloc(mem, MEM_ANALYSIS, (n->transitions + 1) * sizeof *work);
  uint32_t *first_use = mem_alloc(mem, MEM_ANALYSIS, (n->places + 1) * sizeof *first_use);
  uint32_t *next_use = mem_alloc(mem, MEM_ANALYSIS, (arcs + 1) * sizeof *next_use);
  out->dead = dead;
  out->constant = constant;
  out->most = most;
  int status = 0;
  if (!dead || !constant || !most || !marked || !grows || !changes || !missing || !work || !first_use || !next_use) {
    status = err_memory(e, "the structure of the net");
  } else {
    /* Fewer live transitions let fewer places grow, which may kill more transitions: until nothing changes. */
    uint32_t before = PT_NONE;
    for (;;) {
      memset(grows, 0, n->places);
      memset(changes, 0, n->places);
      for (uint32_t t = 0; t < n->transitions; t++)
        if (!dead[t]) effects(n, t, grows, changes);
      uint32_t now = possible(n, grows, dead, marked, missing, first_use, next_use, work);
      if (now == before) break;
      before = now;
    }
    out->dead_count = before;
    for (uint32_t p = 0; p < n->places; p++) {
      constant[p] = !changes[p];
      out->constant_count += constant[p];
      most[p] = grows[p] ? PT_NONE : n->initial[p];
    }
  }
  mem_free(mem, marked);
  mem_free(mem, grows);
  mem_free(mem, changes);
  mem_free(mem, missing);
  mem_free(mem, work);
  mem_free(mem, first_use);
  mem_free(mem, next_use);
  if (status) structure_close(out);
  return status;
}

void structure_close(struct structure *s) {
  if (!s->mem) return;
  mem_free(s->mem, s->dead);
  mem_free(s->mem, s->constant);
  mem_free(s->mem, s->most);
  *s = (struct structure){0};
}
