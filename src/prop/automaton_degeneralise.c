/* automaton_degeneralise.c -- one acceptance set instead of several.
 *
 * A copy of the automaton for each level: on level i the run waits for an edge of set i; an edge that has it, and those of
 * the next sets at once, goes that many levels up.  Passing the last level is accepting and starts again (Gastin, Oddoux 2001;
 * levels are used only within components that accept, Babiak et al. 2013).  An edge into another component may enter at any
 * level: one at which the state is known already, so that no copy is made twice without need.
 *
 * With acceptance on states there is one more level, on which a run stays for one step after it passed the last: its states
 * are the accepting ones. */
#include "prop/automaton.h"

#include "prop/automaton_scc.h"

#include <string.h>

struct copies {
  const struct automaton *a;
  const struct scc_list *scc;
  uint32_t levels, states;
  uint32_t *number; /* of (state, level), + 1; 0 = not yet */
  uint32_t *known;  /* by state: a level at which it has a copy, + 1 */
  uint64_t *queue;  /* state * levels + level, in order of their numbers */
  uint8_t *full;    /* by component: every edge that stays has every set */
  int by_state;
};

static uint32_t copy_of(struct copies *c, uint32_t s, uint32_t level) {
  size_t at = (size_t)s * c->levels + level;
  if (!c->number[at]) {
    c->queue[c->states] = at;
    c->number[at] = ++c->states;
    if (!c->known[s]) c->known[s] = level + 1;
  }
  return c->number[at] - 1;
}

static uint32_t last_of(const struct copies *c) { return c->a->sets ? c->a->sets : 1; }

static uint32_t enter(struct copies *c, uint32_t s) {
  uint32_t level = c->by_state && c->full[c->scc->component[s]] ? last_of(c) : 0;
  return copy_of(c, s, c->known[s] ? c->known[s] - 1 : level);
}

static void find_full(struct copies *c) {
  const struct automaton *a = c->a;
  for (uint32_t k = 0; k < c->scc->count; k++) c->full[k] = c->scc->cyclic[k];
  for (uint32_t s = 0; s < a->states; s++)
    for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end; x++)
      if (c->scc->component[s] != SCC_UNREACHED && c->scc->component[x->to] == c->scc->component[s] &&
          x->accept != automaton_all(a))
        c->full[c->scc->component[s]] = 0;
}

static int accepting(const struct copies *c, uint32_t component) {
  return c->scc->cyclic[component] && c->scc->accept[component] == automaton_all(c->a);
}

static int follow(struct copies *c, struct automaton_draft *d, uint32_t from, uint32_t s, uint32_t level) {
  const struct automaton *a = c->a;
  uint32_t last = last_of(c), component = c->scc->component[s];
  for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end; x++) {
    struct automaton_edge made = {x->care, x->want, 0, c->by_state && level == last};
    uint32_t has = a->sets ? x->accept : 1; /* without sets every edge is good */
    if (c->scc->component[x->to] != component) made.to = enter(c, x->to);
    else if (!accepting(c, component)) made.to = copy_of(c, x->to, 0);
    else {
      uint32_t up = level == last ? 0 : level;
      while (up < last && has >> up & 1) up++;
      if (up == last && !c->by_state) {
        made.accept = 1;
        for (up = 0; up < last && has >> up & 1; up++) {}
        if (up == last) up = 0; /* all at once: no level is better than another */
      }
      made.to = copy_of(c, x->to, up);
    }
    if (automaton_draft_edge(d, from, made)) return -1;
  }
  return 0;
}

static int unfold(struct automaton **at, const struct scc_list *scc, int by_state, struct err *e) {
  struct automaton *a = *at, *b = NULL;
  struct copies c = {.a = a, .scc = scc, .levels = (a->sets ? a->sets : 1) + (by_state ? 1 : 0), .by_state = by_state};
  struct automaton_draft d;
  size_t all = (size_t)a->states * c.levels + 1;
  if (all >= UINT32_MAX) return err_limit(e, "this automaton is too large to be given one acceptance set");
  c.number = mem_alloc(a->mem, MEM_OTHER, all * sizeof *c.number);
  c.known = mem_alloc(a->mem, MEM_OTHER, ((size_t)a->states + 1) * sizeof *c.known);
  c.queue = mem_alloc(a->mem, MEM_OTHER, all * sizeof *c.queue);
  c.full = mem_alloc(a->mem, MEM_OTHER, (size_t)scc->count + 1);
  int status = c.number && c.known && c.queue && c.full ? 0 : -1;
  if (!status) find_full(&c);
  automaton_draft_open(&d, a->mem);
  for (uint32_t i = 0; i < a->initial_count && !status; i++) status = automaton_draft_initial(&d, enter(&c, a->initial[i]));
  for (uint32_t i = 0; i < c.states && !status; i++)
    status = follow(&c, &d, i, (uint32_t)(c.queue[i] / c.levels), (uint32_t)(c.queue[i] % c.levels));
  status = status ? err_memory(e, "an automaton") : automaton_finish(&b, &d, c.states, 1, e);
  automaton_draft_close(&d);
  mem_free(a->mem, c.number);
  mem_free(a->mem, c.known);
  mem_free(a->mem, c.queue);
  mem_free(a->mem, c.full);
  if (status) return -1;
  b->by_state = by_state;
  b->keep_sets = 1;
  if (automaton_inherit(b, a, e) || automaton_classify(b, e)) {
    automaton_close(b);
    return -1;
  }
  automaton_close(a);
  *at = b;
  return 0;
}

/* Is acceptance already as wanted? */
static int fits(const struct automaton *a, int by_state) {
  if (a->sets != 1) return 0;
  for (uint32_t s = 0; by_state && s < a->states; s++)
    for (uint32_t k = a->first[s]; k < a->first[s + 1]; k++)
      if (a->edge[k].accept != a->edge[a->first[s]].accept) return 0;
  return 1;
}

int automaton_degeneralise(struct automaton **at, int by_state, struct err *e) {
  struct scc_list scc;
  if (fits(*at, by_state)) {
    (*at)->by_state |= by_state;
    (*at)->keep_sets = 1;
    return 0;
  }
  if (scc_find(&scc, *at, e)) return -1;
  int status = unfold(at, &scc, by_state, e);
  scc_close(&scc);
  return status;
}
