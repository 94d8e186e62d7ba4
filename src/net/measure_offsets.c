/* measure_offsets.c -- weights with a few negative offsets, where a net runs in circles (Schmidt 2004).
 *
 * A basis of the T-flows (invariants.h) has for each flow a transition that no other flow of it has, its own.  The transitions that are nobody's own are a maximal set of
 * independent effects: their offsets may be chosen, here 1, and those of the others follow:
 *
 *   sum over f of weight(t) * offset(t) = 0     for each flow f
 *
 * Where a flow has only positive weights, a circle, its own transition takes back what the others gain.  Which transition of a circle that is can be chosen
 * among those that are in no other flow; best is the one that brings most tokens to where they were at the start: it leads to few different markings.
 *
 * In turn.  Often circles exclude each other: one place is taken by the first transition of each and comes back with its own.  With all offsets 1 the circles lie
 * side by side and the sweep-line goes over all of them at once.  The first transition of the second circle is raised by the length of the first circle, that
 * of the third by the length of both: one after the other.  Only the own transitions of the circles change with it, and they are negative already.
 *
 * From offsets to weights.  One more place that each transition changes by its offset is a place whose marking is the measure.  Offsets obey all T-flows, so a
 * P-flow of that larger net has it:  y(extra) * measure + sum of y(p) * m(p) = constant.  Weights are the y(p), with the sign of y(extra) turned. */
#include "net/measure.h"

#include "net/incidence.h"
#include "net/invariants.h"

#include <string.h>

static const uint64_t EFFORT = 100000000; /* row operations: seconds */
static const int64_t MOST_OFFSET = 1 << 24;

struct offsets {
  const struct pt_measure_setup *setup;
  struct flows flows;
  uint32_t *flows_of; /* per transition: how many flows have it */
  int64_t *offset;
  int64_t unit; /* the offset that is chosen: a common multiple of what has to be divided by */
};

static int64_t weight_in(const struct flow *f, uint32_t t) {
  for (uint32_t k = 0; k < f->count; k++)
    if (f->index[k] == t) return f->weight[k];
  return 0;
}

/* Tokens that firing brings to places that are marked at the start. */
static int64_t goes_home(const struct pt_net *n, uint32_t t) {
  int64_t sum = 0, change;
  uint32_t place;
  for (struct pt_effects it = pt_effects(n, t); pt_effect(&it, &place, &change);) sum += n->initial[place] ? change : 0;
  return sum;
}

/* Gives each flow the best own transition of those that nobody else has, with the sign of the one it has. */
static void choose_own(struct offsets *o) {
  for (size_t i = 0; i < o->flows.count; i++) {
    struct flow *f = &o->flows.at[i];
    int64_t best = goes_home(o->setup->net, f->own);
    int negative = weight_in(f, f->own) < 0;
    for (uint32_t k = 0; k < f->count; k++) {
      uint32_t t = f->index[k];
      if (o->flows_of[t] != 1 || (f->weight[k] < 0) != negative || goes_home(o->setup->net, t) <= best) continue;
      best = goes_home(o->setup->net, t);
      f->own = t;
    }
  }
}

/* The offset of a flow's own transition from those of the others. 0, or -1: too large. */
static int follow(struct offsets *o, const struct flow *f) {
  __int128 sum = 0;
  int64_t own = weight_in(f, f->own);
  for (uint32_t k = 0; k < f->count; k++)
    if (f->index[k] != f->own) sum += (__int128)f->weight[k] * o->offset[f->index[k]];
  __int128 offset = -sum / own;
  if (offset > MOST_OFFSET || offset < -MOST_OFFSET || offset * own != -sum) return -1;
  o->offset[f->own] = (int64_t)offset;
  return 0;
}

static int follow_all(struct offsets *o) {
  for (size_t i = 0; i < o->flows.count; i++)
    if (follow(o, &o->flows.at[i])) return -1;
  return 0;
}

static int choose_offsets(struct offsets *o) {
  const struct pt_net *n = o->setup->net;
  o->unit = 1;
  for (size_t i = 0; i < o->flows.count; i++) {
    int64_t own = weight_in(&o->flows.at[i], o->flows.at[i].own);
    uint64_t size = own < 0 ? 0 - (uint64_t)own : (uint64_t)own;
    if (size > (uint64_t)MOST_OFFSET) return 1;
    o->unit = o->unit / (int64_t)incidence_gcd((uint64_t)o->unit, size) * (int64_t)size;
    if (o->unit > MOST_OFFSET) return 1;
  }
  for (uint32_t t = 0; t < n->transitions; t++) o->offset[t] = o->unit;
  return follow_all(o) ? 1 : 0;
}

/* ---- in turn ---------------------------------------------------------------------------------------------------------------- */

static int64_t change_of(const struct pt_net *n, uint32_t t, uint32_t wanted) {
  uint32_t place;
  int64_t change;
  for (struct pt_effects it = pt_effects(n, t); pt_effect(&it, &place, &change);)
    if (place == wanted) return change;
  return 0;
}

/* The transition with which a circle begins: the only one of the flow that takes from the place, which comes back with its own, and is in no other flow. PT_NONE: it is no such circle. */
static uint32_t beginning(const struct offsets *o, const struct flow *f, uint32_t place) {
  const struct pt_net *n = o->setup->net;
  uint32_t first = PT_NONE;
  int negative = weight_in(f, f->own) < 0;
  if (o->offset[f->own] >= 0 || change_of(n, f->own, place) <= 0) return PT_NONE;
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t t = f->index[k];
    int64_t change = t == f->own ? 0 : change_of(n, t, place);
    if (!change) continue;
    if (change > 0 || first != PT_NONE || o->flows_of[t] != 1 || (f->weight[k] < 0) != negative) return PT_NONE;
    first = t;
  }
  return first;
}

static uint32_t circles_at(const struct offsets *o, uint32_t place) {
  uint32_t n = 0;
  for (size_t i = 0; i < o->flows.count; i++) n += beginning(o, &o->flows.at[i], place) != PT_NONE;
  return n;
}

/* The place at which most circles begin and end: among those that some own transition gives to. */
static uint32_t crossroads(const struct offsets *o, uint32_t *circles) {
  enum { MOST_PLACES = 2000 }; /* to be looked at */
  const struct pt_net *n = o->setup->net;
  uint32_t best = PT_NONE, place, looked = 0, last = PT_NONE;
  int64_t change;
  *circles = 1;
  for (size_t i = 0; i < o->flows.count; i++)
    for (struct pt_effects it = pt_effects(n, o->flows.at[i].own); pt_effect(&it, &place, &change);) {
      if (change <= 0 || place == best || place == last || looked++ > MOST_PLACES) continue;
      uint32_t now = circles_at(o, last = place);
      if (now > *circles) *circles = now, best = place;
    }
  return best;
}

static int take_turns(struct offsets *o) {
  uint32_t circles, place = crossroads(o, &circles);
  int64_t sum = 0;
  if (place == PT_NONE) return 1;
  for (size_t i = 0; i < o->flows.count; i++) {
    const struct flow *f = &o->flows.at[i];
    uint32_t first = beginning(o, f, place);
    if (first == PT_NONE) continue;
    int64_t length = -o->offset[f->own];
    length = (length + o->unit - 1) / o->unit * o->unit;
    o->offset[first] += sum;
    sum += length;
    if (sum > MOST_OFFSET) return 1;
  }
  return follow_all(o) ? 1 : 0;
}

/* ---- from offsets to weights ------------------------------------------------------------------------------------------------ */

/* The net with one more place, the last. Only what flows look at is there. */
static int enlarge(struct pt_net *big, const struct pt_net *n, const int64_t *offset, struct mem *mem) {
  *big = *n;
  big->places = n->places + 1;
  size_t arcs = (size_t)n->pre_start[n->transitions] + n->post_start[n->transitions] + n->transitions;
  big->initial = mem_alloc(mem, MEM_ANALYSIS, ((size_t)big->places + 1) * sizeof *big->initial);
  big->pre_start = mem_alloc(mem, MEM_ANALYSIS, ((size_t)n->transitions + 1) * sizeof *big->pre_start);
  big->post_start = mem_alloc(mem, MEM_ANALYSIS, ((size_t)n->transitions + 1) * sizeof *big->post_start);
  big->pre = mem_alloc(mem, MEM_ANALYSIS, (arcs + 1) * sizeof *big->pre);
  big->post = mem_alloc(mem, MEM_ANALYSIS, (arcs + 1) * sizeof *big->post);
  if (!big->initial || !big->pre_start || !big->post_start || !big->pre || !big->post) return -1;
  memcpy(big->initial, n->initial, n->places * sizeof *n->initial);
  uint32_t pre = 0, post = 0;
  for (uint32_t t = 0; t < n->transitions; t++) {
    for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++) big->pre[pre++] = n->pre[a];
    for (uint32_t a = n->post_start[t]; a < n->post_start[t + 1]; a++) big->post[post++] = n->post[a];
    if (offset[t] < 0) big->pre[pre++] = (struct pt_arc){n->places, (uint32_t)-offset[t]};
    if (offset[t] > 0) big->post[post++] = (struct pt_arc){n->places, (uint32_t)offset[t]};
    big->pre_start[t + 1] = pre;
    big->post_start[t + 1] = post;
  }
  return 0;
}

static void enlarged_close(struct pt_net *big, struct mem *mem) {
  mem_free(mem, big->initial);
  mem_free(mem, big->pre_start);
  mem_free(mem, big->post_start);
  mem_free(mem, big->pre);
  mem_free(mem, big->post);
}

static int solve(const struct offsets *o, int64_t *weight) {
  const struct pt_net *n = o->setup->net;
  struct mem *mem = o->setup->mem;
  struct pt_net big;
  struct flows flows = {0};
  struct err e;
  err_clear(&e);
  int status = enlarge(&big, n, o->offset, mem);
  if (!status) status = flows_basis(&flows, &big, FLOW_PLACES, mem, EFFORT, &e);
  const struct flow *best = NULL;
  for (size_t i = 0; i < flows.count && !status; i++) {
    const struct flow *f = &flows.at[i];
    if (f->index[f->count - 1] == n->places && (!best || f->count < best->count)) best = f;
  }
  if (best)
    for (uint32_t k = 0; k + 1 < best->count; k++) weight[best->index[k]] = best->weight[best->count - 1] > 0 ? -best->weight[k] : best->weight[k];
  if (!status && !best) status = 1;
  if (flows.mem) flows_close(&flows);
  enlarged_close(&big, mem);
  return status;
}

int pt_measure_offsets(const struct pt_measure_setup *s, int in_turn, int64_t *weight) {
  struct offsets o = {.setup = s};
  struct err e;
  err_clear(&e);
  if (flows_basis(&o.flows, s->net, FLOW_TRANSITIONS, s->mem, EFFORT, &e)) return -1;
  o.offset = mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)s->net->transitions + 1) * sizeof *o.offset);
  o.flows_of = mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)s->net->transitions + 1) * sizeof *o.flows_of);
  int status = o.offset && o.flows_of ? 0 : -1;
  if (!status && !o.flows.complete) status = 1;
  for (size_t i = 0; i < o.flows.count && !status; i++) {
    if (o.flows.at[i].own == PT_NONE) status = 1;
    for (uint32_t k = 0; k < o.flows.at[i].count; k++) o.flows_of[o.flows.at[i].index[k]]++;
  }
  if (!status) {
    choose_own(&o);
    status = choose_offsets(&o);
  }
  if (!status && in_turn) status = take_turns(&o);
  if (!status) status = solve(&o, weight);
  mem_free(s->mem, o.offset);
  mem_free(s->mem, o.flows_of);
  flows_close(&o.flows);
  return status;
}
