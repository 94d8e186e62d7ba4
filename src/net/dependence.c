/* dependence.c -- see dependence.h.
 *
 * A guard is a pair of place and weight, each kept once.  What may make it true are the transitions that leave more tokens in the place than they take.  Two transitions are in conflict if one of them
 * leaves fewer tokens in a place that the other needs: then one may disable the other.  If neither does, both orders are possible and lead to the same marking, since effects on
 * tokens add up.
 *
 * Sticky: places get ranks, and a transition is not sticky if it takes away a token of higher rank than any that it adds.  Without sticky transitions the multiset of the ranks of all tokens falls with every step
 * in the order of Dershowitz and Manna, so nothing goes on for ever: every cycle has a sticky one.  Ranks are the order in which a depth-first walk along the flow of tokens leaves the places, so that only
 * transitions that close a loop of the flow are sticky. */
#include "net/dependence.h"

#include "base/vec.h"

#include <stdlib.h>

enum { CONFLICTS_MOST = 8000000 };

struct makings {
  const struct pt_net *net;
  const uint8_t *dead;
  struct mem *mem;
  struct vec(struct dependence_pair) pairs;
  struct dependence_rows needs, takes; /* place -> transitions that need tokens there; that leave fewer */
};

static int pair(struct makings *m, uint32_t row, uint32_t entry) { return vec_push(&m->pairs, m->mem, MEM_MODEL, (struct dependence_pair){row, entry}); }

static int rows(struct makings *m, struct dependence_rows *out, uint32_t count) {
  int status = dependence_rows_make(out, count, m->pairs.at, m->pairs.count, m->mem);
  m->pairs.count = 0;
  return status;
}

static int alive(const struct makings *m, uint32_t t) { return !m->dead || !m->dead[t]; }

static int compare_guards(const void *x, const void *y) {
  const struct pt_guard *a = x, *b = y;
  if (a->place != b->place) return a->place < b->place ? -1 : 1;
  return a->weight < b->weight ? -1 : a->weight > b->weight;
}

static int make_guards(struct makings *m, struct dependence *d, struct pt_guard **out) {
  const struct pt_net *n = m->net;
  size_t arcs = n->pre_start[n->transitions];
  struct pt_guard *guard = *out = mem_alloc(m->mem, MEM_MODEL, (arcs + 1) * sizeof *guard);
  if (!guard) return -1;
  for (size_t a = 0; a < arcs; a++) guard[a] = (struct pt_guard){n->pre[a].place, n->pre[a].weight};
  if (arcs) qsort(guard, arcs, sizeof *guard, compare_guards);
  for (size_t a = 0; a < arcs; a++)
    if (!d->guards || compare_guards(&guard[d->guards - 1], &guard[a])) guard[d->guards++] = guard[a];
  for (uint32_t t = 0; t < n->transitions; t++)
    for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1] && alive(m, t); a++) {
      struct pt_guard key = {n->pre[a].place, n->pre[a].weight};
      const struct pt_guard *found = bsearch(&key, guard, d->guards, sizeof *guard, compare_guards);
      if (pair(m, t, (uint32_t)(found - guard))) return -1;
    }
  return rows(m, &d->guards_of, d->actions);
}

/* Effects on places, and who needs tokens there. */
static int make_effects(struct makings *m, struct dependence *d) {
  uint32_t place;
  int64_t change;
  for (int sign = 1; sign >= -1; sign -= 2) {
    for (uint32_t t = 0; t < m->net->transitions; t++)
      for (struct pt_effects it = pt_effects(m->net, t); alive(m, t) && pt_effect(&it, &place, &change);)
        if (change * sign > 0 && pair(m, place, t)) return -1;
    if (rows(m, sign > 0 ? &d->raise : &d->lower, d->vars)) return -1;
  }
  for (uint32_t t = 0; t < m->net->transitions; t++)
    for (uint32_t a = m->net->pre_start[t]; a < m->net->pre_start[t + 1] && alive(m, t); a++)
      if (pair(m, m->net->pre[a].place, t)) return -1;
  return rows(m, &m->needs, d->vars);
}

static int make_enabling(struct makings *m, struct dependence *d, const struct pt_guard *guard) {
  for (uint32_t g = 0; g < d->guards; g++)
    for (uint32_t i = d->raise.start[guard[g].place]; i < d->raise.start[guard[g].place + 1]; i++)
      if (pair(m, g, d->raise.at[i])) return -1;
  return rows(m, &d->enabling, d->guards);
}

/* 1: there are so many that looking at them would cost more than it spares. */
static int make_conflicts(struct makings *m, struct dependence *d) {
  uint64_t all = 0;
  for (uint32_t p = 0; p < d->vars; p++) all += 2 * (uint64_t)(d->lower.start[p + 1] - d->lower.start[p]) * (m->needs.start[p + 1] - m->needs.start[p]);
  if (all > CONFLICTS_MOST) return 1;
  for (uint32_t p = 0; p < d->vars; p++)
    for (uint32_t i = d->lower.start[p]; i < d->lower.start[p + 1]; i++)
      for (uint32_t k = m->needs.start[p]; k < m->needs.start[p + 1]; k++) {
        uint32_t takes = d->lower.at[i], needs = m->needs.at[k];
        if (takes != needs && (pair(m, takes, needs) || pair(m, needs, takes))) return -1;
      }
  return rows(m, &d->conflict, d->actions);
}

/* ---- cycles ------------------------------------------------------------------------------------------------------------------------------ */

struct flow_frame {
  uint32_t place, next; /* entry of its row of flows */
};

/* place -> places that get tokens when it loses some */
static int make_flow(struct makings *m, struct dependence_rows *flow) {
  uint32_t from, to;
  int64_t lost, got;
  for (uint32_t t = 0; t < m->net->transitions; t++)
    for (struct pt_effects a = pt_effects(m->net, t); alive(m, t) && pt_effect(&a, &from, &lost);)
      for (struct pt_effects b = pt_effects(m->net, t); lost < 0 && pt_effect(&b, &to, &got);)
        if (got > 0 && pair(m, from, to)) return -1;
  return rows(m, flow, m->net->places);
}

static void rank_places(const struct pt_net *n, const struct dependence_rows *flow, uint32_t *rank, struct flow_frame *frame) {
  uint32_t next = 1;
  for (uint32_t p = 0; p < n->places; p++) rank[p] = 0;
  for (uint32_t round = 0; round < 2; round++) /* marked places first: that is where tokens come from */
    for (uint32_t root = 0; root < n->places; root++) {
      if (rank[root] || (round == 0 && !n->initial[root])) continue;
      uint32_t depth = 0;
      frame[depth++] = (struct flow_frame){root, flow->start[root]};
      rank[root] = UINT32_MAX; /* on its way */
      while (depth) {
        struct flow_frame *f = &frame[depth - 1];
        if (f->next == flow->start[f->place + 1]) {
          rank[f->place] = next++;
          depth--;
          continue;
        }
        uint32_t to = flow->at[f->next++];
        if (rank[to]) continue;
        rank[to] = UINT32_MAX;
        frame[depth++] = (struct flow_frame){to, flow->start[to]};
      }
    }
}

static int make_sticky(struct makings *m, struct dependence *d) {
  struct dependence_rows flow = {0};
  uint32_t *rank = mem_alloc(m->mem, MEM_MODEL, ((size_t)d->vars + 1) * sizeof *rank);
  struct flow_frame *frame = mem_alloc(m->mem, MEM_MODEL, ((size_t)d->vars + 1) * sizeof *frame);
  d->sticky = mem_alloc(m->mem, MEM_MODEL, (size_t)d->actions + 1);
  int status = rank && frame && d->sticky ? make_flow(m, &flow) : -1;
  if (!status) rank_places(m->net, &flow, rank, frame);
  for (uint32_t t = 0; !status && t < d->actions; t++) {
    uint32_t place, lost = 0, got = 0;
    int64_t change;
    for (struct pt_effects it = pt_effects(m->net, t); pt_effect(&it, &place, &change);) {
      if (change < 0 && rank[place] > lost) lost = rank[place];
      if (change > 0 && rank[place] > got) got = rank[place];
    }
    d->sticky[t] = lost <= got;
  }
  mem_free(m->mem, rank);
  mem_free(m->mem, frame);
  mem_free(m->mem, flow.start);
  mem_free(m->mem, flow.at);
  return status;
}

int pt_dependence(struct dependence *out, struct pt_guard **guard, const struct pt_net *net, const uint8_t *dead, struct mem *mem) {
  struct makings m = {.net = net, .dead = dead, .mem = mem};
  *out = (struct dependence){.mem = mem, .actions = net->transitions, .vars = net->places};
  *guard = NULL;
  int status = make_guards(&m, out, guard) || make_effects(&m, out) || make_enabling(&m, out, *guard) || make_sticky(&m, out) ? -1 : make_conflicts(&m, out);
  vec_free(&m.pairs, mem);
  mem_free(mem, m.needs.start);
  mem_free(mem, m.needs.at);
  if (status) {
    dependence_close(out);
    mem_free(mem, *guard);
    *guard = NULL;
  }
  return status;
}
