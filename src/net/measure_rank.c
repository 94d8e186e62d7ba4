/* measure_rank.c -- weights from places that exclude each other.
 *
 * A set of places of which at most one is marked, by one token, is a machine: its states are the places and "none", its edges what transitions do to them.  A
 * token that left a strongly connected part never comes back, so a place weighs as much as its layer (base/layers.h), and "none", which has no place, is the
 * zero, unless a place follows that is marked when none of the set is.  That is how chains of numbered places become counters, and it costs no more than looking at each arc.
 *
 * Any other place that is only ever given to, or only ever taken from, weighs 1 or -1.
 *
 * Sets may be declared and not proven; whether a set's weights are ever lowered is checked on the incidence matrix, transition by transition, and one that fails is dropped.  So the
 * result is monotone whatever was declared. */
#include "net/measure.h"

#include "base/layers.h"
#include "base/vec.h"

#include <string.h>

struct machines {
  struct mem *mem;
  uint32_t sets;         /* the plan's, then semiflows */
  uint32_t *cell, *node; /* per place: its set (PT_NONE), its node */
  uint32_t *none;        /* per set: the node of "none" */
  uint32_t nodes;
  struct vec(struct layers_edge) edges;
  uint32_t *taken, *given; /* per set: what the transition at hand does to it */
  uint32_t *touched;
  uint32_t touched_count;
  uint8_t *bad; /* per set */
  int64_t *sum; /* per set: what the transition at hand adds */
};

static void machines_close(struct machines *m) {
  void *all[] = {m->cell, m->node, m->none, m->taken, m->given, m->touched, m->bad, m->sum};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(m->mem, all[i]);
  vec_free(&m->edges, m->mem);
}

static void join(struct machines *m, uint32_t place) {
  m->cell[place] = m->sets;
  m->node[place] = m->nodes++;
}

/* The places of a semiflow in which one token goes round, if no other set has any of them: sets so small that they are not packed as such. */
static int is_set(const struct machines *m, const struct flow *f) {
  if (f->value != 1 || f->count < 2) return 0;
  for (uint32_t k = 0; k < f->count; k++)
    if (f->weight[k] != 1 || m->cell[f->index[k]] != PT_NONE) return 0;
  return 1;
}

/* Nodes of a set: "none" first, then its places. */
static int machines_open(struct machines *m, const struct pt_measure_setup *s) {
  size_t places = (size_t)s->net->places + 1, flows = s->semiflows ? s->semiflows->count : 0, sets = (size_t)s->plan->cells + flows + 1;
  *m = (struct machines){.mem = s->mem,
                         .cell = mem_alloc(s->mem, MEM_ANALYSIS, places * sizeof *m->cell),
                         .node = mem_alloc(s->mem, MEM_ANALYSIS, places * sizeof *m->node),
                         .none = mem_alloc(s->mem, MEM_ANALYSIS, sets * sizeof *m->none),
                         .taken = mem_alloc(s->mem, MEM_ANALYSIS, sets * sizeof *m->taken),
                         .given = mem_alloc(s->mem, MEM_ANALYSIS, sets * sizeof *m->given),
                         .touched = mem_alloc(s->mem, MEM_ANALYSIS, sets * sizeof *m->touched),
                         .bad = mem_alloc(s->mem, MEM_ANALYSIS, sets * sizeof *m->bad),
                         .sum = mem_alloc(s->mem, MEM_ANALYSIS, sets * sizeof *m->sum)};
  if (!m->cell || !m->node || !m->none || !m->taken || !m->given || !m->touched || !m->bad || !m->sum) return -1;
  memset(m->cell, 0xff, places * sizeof *m->cell);
  memset(m->taken, 0xff, sets * sizeof *m->taken);
  memset(m->given, 0xff, sets * sizeof *m->given);
  for (uint32_t c = 0; c < s->plan->cells; c++, m->sets++) {
    const struct cell *cell = &s->plan->cell[c];
    m->none[m->sets] = m->nodes++;
    for (uint32_t i = 0; i < cell->count && !cell->single; i++) join(m, s->plan->member[cell->first + i]);
  }
  for (size_t i = 0; i < flows; i++) {
    const struct flow *f = &s->semiflows->at[i];
    if (!is_set(m, f)) continue;
    m->none[m->sets] = m->nodes++;
    for (uint32_t k = 0; k < f->count; k++) join(m, f->index[k]);
    m->sets++;
  }
  return 0;
}

static void touch(struct machines *m, uint32_t c) {
  if (m->taken[c] == PT_NONE && m->given[c] == PT_NONE) m->touched[m->touched_count++] = c;
}

static int add_edges(struct machines *m, const struct pt_measure_setup *s, uint32_t t) {
  uint32_t place;
  int64_t change;
  m->touched_count = 0;
  for (struct pt_effects it = pt_effects(s->net, t); pt_effect(&it, &place, &change);) {
    uint32_t c = m->cell[place];
    if (c == PT_NONE) continue;
    touch(m, c);
    *(change < 0 ? &m->taken[c] : &m->given[c]) = m->node[place];
  }
  int status = 0;
  for (uint32_t i = 0; i < m->touched_count; i++) {
    uint32_t c = m->touched[i], none = m->none[c];
    struct layers_edge e = {m->taken[c] == PT_NONE ? none : m->taken[c], m->given[c] == PT_NONE ? none : m->given[c], 1};
    status |= vec_push(&m->edges, m->mem, MEM_ANALYSIS, e);
    m->taken[c] = m->given[c] = PT_NONE;
  }
  return status;
}

/* Sets whose weights a transition lowers. */
static void find_bad(struct machines *m, const struct pt_measure_setup *s, const int64_t *weight, uint32_t t) {
  uint32_t place;
  int64_t change;
  for (struct pt_effects it = pt_effects(s->net, t); pt_effect(&it, &place, &change);)
    if (m->cell[place] != PT_NONE) m->sum[m->cell[place]] += weight[place] * change;
  for (struct pt_effects it = pt_effects(s->net, t); pt_effect(&it, &place, &change);)
    if (m->cell[place] != PT_NONE) {
      m->bad[m->cell[place]] |= m->sum[m->cell[place]] < 0;
      m->sum[m->cell[place]] = 0;
    }
}

/* The other places: which of them only grow, or only shrink? */
static int weigh_others(const struct machines *m, const struct pt_measure_setup *s, int64_t *weight) {
  uint8_t *seen = mem_alloc(s->mem, MEM_ANALYSIS, (size_t)s->net->places + 1); /* 1: grows, 2: shrinks */
  uint32_t place;
  int64_t change;
  if (!seen) return -1;
  for (uint32_t t = 0; t < s->net->transitions; t++)
    if (!s->dead || !s->dead[t])
      for (struct pt_effects it = pt_effects(s->net, t); pt_effect(&it, &place, &change);) seen[place] |= change > 0 ? 1 : 2;
  for (uint32_t p = 0; p < s->net->places; p++)
    if (m->cell[p] == PT_NONE) weight[p] = seen[p] == 1 ? 1 : seen[p] == 2 ? -1 : 0;
  mem_free(s->mem, seen);
  return 0;
}

/* The set c of which the place p is what is marked when none of the set is; PT_NONE: no such set. */
static uint32_t rest_of(const struct machines *m, const struct pt_measure_setup *s, uint32_t p) {
  const struct plan *plan = s->plan;
  if (plan->kind[p] != PLACE_IMPLIED || plan->divisor[p] != 1 || m->cell[p] != PT_NONE) return PT_NONE;
  size_t first = plan->term_start[p], count = plan->term_start[p + 1] - first;
  uint32_t c = count ? m->cell[plan->term[first].place] : PT_NONE;
  if (c == PT_NONE || c >= plan->cells || plan->cell[c].count != count) return PT_NONE;
  for (size_t i = first; i < first + count; i++)
    if (m->cell[plan->term[i].place] != c || plan->term[i].factor != -1) return PT_NONE;
  return c;
}

/* Such a place can have the weight of "none", which makes small numbers that people understand. */
static void weigh_rest(struct machines *m, const struct pt_measure_setup *s, const int64_t *layer, int64_t *weight) {
  for (uint32_t p = 0; p < s->net->places; p++) {
    uint32_t c = rest_of(m, s, p);
    if (c == PT_NONE || m->bad[c]) continue;
    m->bad[c] = 1; /* only one place can have it */
    weight[p] = layer[m->none[c]];
    for (uint32_t i = 0; i < s->plan->cell[c].count; i++) {
      uint32_t q = s->plan->member[s->plan->cell[c].first + i];
      weight[q] = layer[m->node[q]];
    }
  }
}

static int weigh(struct machines *m, const struct pt_measure_setup *s, int64_t *weight) {
  uint32_t *component = mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)m->nodes + 1) * sizeof *component);
  int64_t *layer = mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)m->nodes + 1) * sizeof *layer);
  int status = component && layer ? 0 : -1;
  for (uint32_t t = 0; t < s->net->transitions && !status; t++)
    if (!s->dead || !s->dead[t]) status = add_edges(m, s, t);
  if (!status) status = layers_find(m->nodes, m->edges.at, m->edges.count, component, layer, s->mem);
  if (!status) {
    for (uint32_t p = 0; p < s->net->places; p++)
      if (m->cell[p] != PT_NONE) weight[p] = layer[m->node[p]] - layer[m->none[m->cell[p]]];
    for (uint32_t t = 0; t < s->net->transitions; t++)
      if (!s->dead || !s->dead[t]) find_bad(m, s, weight, t);
    for (uint32_t p = 0; p < s->net->places; p++)
      if (m->cell[p] != PT_NONE && m->bad[m->cell[p]]) weight[p] = 0;
    status = weigh_others(m, s, weight);
    weigh_rest(m, s, layer, weight);
  }
  mem_free(s->mem, component);
  mem_free(s->mem, layer);
  return status;
}

int pt_measure_ranks(const struct pt_measure_setup *s, int64_t *weight) {
  struct machines m;
  int status = machines_open(&m, s);
  if (!status) status = weigh(&m, s, weight);
  machines_close(&m);
  return status;
}
