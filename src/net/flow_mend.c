/* flow_mend.c -- some semiflows, cheaply, where all minimal ones are too many.
 *
 * The basis of all flows takes linear algebra only.  A basis flow without negative weights (or
 * whose negative has none) is a semiflow already: in nets made of components most are.  The
 * others are mended: where y has a negative weight on place p, a multiple of a known semiflow
 * through p is added until it has none.  The sum of flows is a flow, so nothing has to be
 * guessed, and it bounds all its places.
 *
 * The nets for which this matters have thousands of places: in one of the contest's with 8,390
 * places it finds a component of 4,258, which turns 4,258 bits into 13. */
#include "net/flow.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define MEND_EFFORT 50000000

struct mend {
  const struct pt_net *net;
  struct mem *mem;
  struct flows *out;
  struct flow_check check;
  int64_t *sum; /* per place: the flow being mended */
  uint8_t *touched;
  struct vec(uint32_t) places; /* touched ones */
  uint32_t *cover;             /* per place: a semiflow through it, PT_NONE = none yet */
  struct vec(int64_t) weights;
  uint64_t effort;
};

/* The lighter semiflow through a place serves better: it makes smaller bounds. */
static void note_covers(struct mend *m, uint32_t i) {
  const struct flow *f = &m->out->at[i];
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t *best = &m->cover[f->index[k]];
    if (*best == PT_NONE || f->value < m->out->at[*best].value) *best = i;
  }
}

static int add(struct mend *m, const struct flow *f, int64_t times) {
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t p = f->index[k];
    int64_t part;
    if (!m->touched[p]) {
      if (vec_push(&m->places, m->mem, MEM_ANALYSIS, p)) return -1;
      m->touched[p] = 1;
    }
    if (__builtin_mul_overflow(f->weight[k], times, &part) || __builtin_add_overflow(m->sum[p], part, &m->sum[p])) return 1;
  }
  m->effort += f->count;
  return 0;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Appends what the sum holds now. 0, -1: memory, 1: not kept. */
static int keep(struct mend *m) {
  size_t n = 0;
  qsort(m->places.at, m->places.count, sizeof *m->places.at, by_number);
  m->weights.count = 0;
  if (vec_reserve(&m->weights, m->mem, MEM_ANALYSIS, m->places.count + 1)) return -1;
  for (size_t i = 0; i < m->places.count; i++) {
    uint32_t p = m->places.at[i];
    m->touched[p] = 0;
    if (!m->sum[p]) continue;
    m->weights.at[n] = m->sum[p];
    m->places.at[n++] = p;
    m->sum[p] = 0;
  }
  m->places.count = 0;
  if (!n) return 1;
  enum flow_answer answer = flow_keep(m->out, &m->check, m->places.at, m->weights.at, (uint32_t)n, PT_NONE);
  if (answer == FLOW_KEPT) note_covers(m, (uint32_t)m->out->count - 1);
  return answer == FLOW_MEMORY ? -1 : answer != FLOW_KEPT;
}

static void forget(struct mend *m) {
  for (size_t i = 0; i < m->places.count; i++) m->sum[m->places.at[i]] = 0, m->touched[m->places.at[i]] = 0;
  m->places.count = 0;
}

/* times is 1 or -1. 0: kept, 1: cannot be mended (yet), -1: memory. */
static int mend(struct mend *m, const struct flow *f, int64_t times) {
  int status = add(m, f, times);
  for (size_t i = 0; i < m->places.count && !status; i++) { /* grows while it runs, by places that are positive */
    uint32_t p = m->places.at[i];
    if (m->sum[p] >= 0) continue;
    if (m->cover[p] == PT_NONE || m->sum[p] < -1000000) {
      status = 1;
      break;
    }
    const struct flow *z = &m->out->at[m->cover[p]];
    int64_t through = 0;
    for (uint32_t k = 0; k < z->count && !through; k++)
      if (z->index[k] == p) through = z->weight[k];
    status = add(m, z, (-m->sum[p] + through - 1) / through);
  }
  if (!status) return keep(m);
  forget(m);
  return status;
}

int flows_mend(struct flows *out, const struct flows *basis, const struct pt_net *net, struct mem *mem, struct err *e) {
  struct mend m = {.net = net, .mem = mem, .out = out};
  uint8_t *mended = mem_alloc(mem, MEM_ANALYSIS, basis->count + 1);
  m.sum = mem_alloc(mem, MEM_ANALYSIS, (net->places + 1) * sizeof *m.sum);
  m.touched = mem_alloc(mem, MEM_ANALYSIS, net->places + 1);
  m.cover = mem_alloc(mem, MEM_ANALYSIS, (net->places + 1) * sizeof *m.cover);
  int status = mended && m.sum && m.touched && m.cover && flow_check_open(&m.check, net, FLOW_PLACES, mem) == 0 ? 0 : -1;
  if (!status) {
    memset(m.cover, 0xff, (net->places + 1) * sizeof *m.cover);
    for (size_t i = 0; i < out->count; i++) note_covers(&m, (uint32_t)i);
    for (int progress = 1; progress && !status;) {
      progress = 0;
      for (size_t i = 0; i < basis->count && status >= 0 && m.effort < MEND_EFFORT; i++) {
        if (mended[i]) continue;
        status = mend(&m, &basis->at[i], 1);
        if (status > 0) status = mend(&m, &basis->at[i], -1);
        if (status == 0) mended[i] = 1, progress = 1;
      }
      if (status > 0) status = 0;
    }
  }
  flow_check_close(&m.check);
  mem_free(mem, mended);
  mem_free(mem, m.sum);
  mem_free(mem, m.touched);
  mem_free(mem, m.cover);
  vec_free(&m.places, mem);
  vec_free(&m.weights, mem);
  return status ? err_memory(e, "semiflows") : 0;
}
