/* summary.c -- see summary.h.
 *
 * A finite graph: from every state one of the components that cannot be left is reached.  So a state is a home state if and only if there is one such component and the
 * state is in it, and a label is live if and only if it happens in all of them.  Per label it is enough to count in how many it happens: states are taken component by
 * component, and `seen` says which was the last one that had it. */
#include "search/summary.h"

#include "search/components.h"

static int count_components(struct summary *s, const struct components *c) {
  uint64_t *size = mem_alloc(s->mem, MEM_SEARCH, ((size_t)c->count + 1) * sizeof *size);
  if (!size) return -1;
  for (uint64_t i = 0; i < s->states; i++) size[c->of[i]]++;
  for (uint32_t i = 0; i < c->count; i++) {
    if (size[i] > s->largest) s->largest = size[i];
    s->cyclic += c->cyclic[i];
    if (!c->last[i]) continue;
    s->last++;
    s->last_states += size[i];
  }
  s->components = c->count;
  s->between = c->between;
  s->home = s->last == 1 ? s->last_states : 0;
  s->reversible = s->last == 1 && s->states && c->last[c->of[0]];
  for (uint64_t i = 0, n = 0; s->home && i < s->states && n < SUMMARY_FIRST; i++)
    if (c->last[c->of[i]]) s->home_state[n++] = i;
  mem_free(s->mem, size);
  return 0;
}

/* States of components that cannot be left, side by side by component. */
static uint32_t *last_states(const struct summary *s, const struct components *c) {
  uint32_t *start = mem_alloc(s->mem, MEM_SEARCH, ((size_t)c->count + 2) * sizeof *start), *order = mem_alloc(s->mem, MEM_SEARCH, (size_t)(s->last_states + 1) * sizeof *order);
  if (start && order) {
    for (uint64_t i = 0; i < s->states; i++) start[c->of[i] + 1] += c->last[c->of[i]];
    for (uint32_t i = 0; i < c->count; i++) start[i + 1] += start[i];
    for (uint64_t i = 0; i < s->states; i++)
      if (c->last[c->of[i]]) order[start[c->of[i]]++] = (uint32_t)i;
  } else {
    mem_free(s->mem, order);
    order = NULL;
  }
  mem_free(s->mem, start);
  return order;
}

static int find_live(struct summary *s, const struct graph *g, const struct components *c) {
  uint32_t *order = last_states(s, c), *seen = mem_alloc(s->mem, MEM_SEARCH, 2 * ((size_t)s->labels + 1) * sizeof *seen), *count;
  int bad = !order || !seen;
  count = bad ? NULL : seen + s->labels + 1;
  for (uint64_t i = 0; !bad && i < s->last_states; i++)
    for (struct graph_edges e = graph_edges(g, order[i]); graph_more(&e);) {
      uint32_t label, part = c->of[order[i]] + 1;
      graph_next(&e, &label);
      if (seen[label] == part) continue;
      seen[label] = part;
      count[label]++;
    }
  for (uint32_t l = 0; !bad && l < s->labels; l++)
    if (count[l] == s->last) s->label[l] |= SUMMARY_LIVE;
  mem_free(s->mem, order);
  mem_free(s->mem, seen);
  return bad ? -1 : 0;
}

int summary_find(struct summary *s, const struct graph *g, uint32_t labels, const struct model_patience *patience, struct mem *mem, struct err *e) {
  struct components c = {0};
  *s = (struct summary){.mem = mem, .states = g->states, .edges = g->edges, .labels = labels, .least = UINT32_MAX};
  s->label = mem_alloc(mem, MEM_OTHER, (size_t)labels + 1);
  s->fairness = mem_alloc(mem, MEM_OTHER, (size_t)labels + 1);
  int bad = !s->label || !s->fairness;
  for (uint64_t i = 0; !bad && i < g->states; i++) {
    uint32_t degree = 0, label;
    for (struct graph_edges row = graph_edges(g, i); graph_more(&row); degree++) {
      graph_next(&row, &label);
      s->label[label] |= SUMMARY_HAPPENS;
    }
    if (!degree && s->ends < SUMMARY_FIRST) s->end[s->ends] = i;
    s->ends += !degree;
    if (degree < s->least) s->least = degree;
    if (degree > s->most) s->most = degree;
  }
  bad = bad || components_find(&c, g, mem, e) || count_components(s, &c) || find_live(s, g, &c) || fairness_find(s->fairness, labels, g, &c, patience, mem, e);
  components_close(&c);
  if (!bad) return 0;
  summary_close(s);
  return e->kind ? -1 : err_memory(e, "the components of the graph");
}

void summary_close(struct summary *s) {
  if (!s->mem) return;
  mem_free(s->mem, s->label);
  mem_free(s->mem, s->fairness);
  *s = (struct summary){0};
}
