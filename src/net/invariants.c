/* invariants.c -- flows as results: checking, keeping, bounds.  They are found in
 * flow_basis.c (all flows, linear algebra) and flow_semi.c (minimal semiflows, Farkas). */
#include "net/invariants.h"

#include "net/flow.h"

#include <string.h>

const char *const flow_limit_effort = "the effort allowed was used up";
const char *const flow_limit_memory = "the memory budget";
const char *const flow_limit_range = "some flows have weights beyond 64 bits";

int flow_check_open(struct flow_check *c, const struct pt_net *net, enum flow_side side, struct mem *m) {
  *c = (struct flow_check){.net = net, .side = side, .mem = m};
  if (incidence_open(&c->items, net, side == FLOW_PLACES ? BY_PLACE : BY_TRANSITION, m)) return -1;
  c->sum = mem_alloc(m, MEM_ANALYSIS, c->items.columns * sizeof *c->sum);
  if (c->sum) return 0;
  flow_check_close(c);
  return -1;
}

void flow_check_close(struct flow_check *c) {
  if (!c->mem) return;
  incidence_close(&c->items);
  mem_free(c->mem, c->sum);
  *c = (struct flow_check){0};
}

/* Is the weighted sum of these rows zero? At most 2^32 terms below 2^94 each: no overflow. */
static int vanishes(struct flow_check *c, const uint32_t *index, const int64_t *weight, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (size_t k = c->items.start[index[i]]; k < c->items.start[index[i] + 1]; k++)
      c->sum[c->items.index[k]] += (__int128)weight[i] * c->items.value[k];
  int zero = 1;
  for (uint32_t i = 0; i < count; i++)
    for (size_t k = c->items.start[index[i]]; k < c->items.start[index[i] + 1]; k++) {
      __int128 *sum = &c->sum[c->items.index[k]];
      if (*sum) zero = 0;
      *sum = 0;
    }
  return zero;
}

enum flow_answer flow_keep(struct flows *out, struct flow_check *c, const uint32_t *index, int64_t *weight, uint32_t count,
                           uint32_t own) {
  uint64_t divisor = 0;
  for (uint32_t i = 0; i < count && divisor != 1; i++) divisor = incidence_gcd(divisor, flow_size(weight[i]));
  if (divisor > INT64_MAX) return FLOW_RANGE; /* a lone INT64_MIN */
  int64_t by = weight[0] < 0 ? -(int64_t)divisor : (int64_t)divisor;
  __int128 value = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (weight[i] == INT64_MIN && by == -1) return FLOW_RANGE;
    weight[i] /= by;
    if (c->side == FLOW_PLACES) value += (__int128)weight[i] * c->net->initial[index[i]];
  }
  if (value != (int64_t)value) return FLOW_RANGE;
  if (!vanishes(c, index, weight, count)) return FLOW_WRONG;

  if (out->count == out->room) {
    size_t room = out->room + out->room / 2 + 16;
    struct flow *at = mem_resize(out->mem, MEM_ANALYSIS, out->at, room * sizeof *at);
    if (!at) return FLOW_MEMORY;
    out->at = at;
    out->room = room;
  }
  int64_t *block =
      mem_alloc(out->mem, MEM_ANALYSIS, (size_t)count * (sizeof *weight + sizeof *index)); /* weights, then indices */
  if (!block) return FLOW_MEMORY;
  struct flow *f = &out->at[out->count++];
  *f = (struct flow){.count = count, .weight = block, .index = (uint32_t *)(block + count), .value = (int64_t)value, .own = own};
  memcpy(f->weight, weight, count * sizeof *weight);
  memcpy(f->index, index, count * sizeof *index);
  return FLOW_KEPT;
}

void flows_close(struct flows *f) {
  if (!f->mem) return;
  for (size_t i = 0; i < f->count; i++) mem_free(f->mem, f->at[i].weight);
  mem_free(f->mem, f->at);
  *f = (struct flows){0};
}

void flows_bounds(const struct flows *semi, const struct pt_net *net, uint32_t *bound) {
  for (uint32_t p = 0; p < net->places; p++) bound[p] = PT_NONE;
  for (size_t i = 0; i < semi->count; i++) {
    const struct flow *f = &semi->at[i];
    int negative = 0;
    for (uint32_t k = 0; k < f->count; k++) negative |= f->weight[k] < 0;
    if (negative) continue; /* a flow, but no semiflow: says nothing about a single place */
    for (uint32_t k = 0; k < f->count; k++) {
      int64_t most = f->value / f->weight[k];
      if (most <= PT_MAX_COUNT && (uint32_t)most < bound[f->index[k]]) bound[f->index[k]] = (uint32_t)most;
    }
  }
}
