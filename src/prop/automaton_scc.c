/* automaton_scc.c -- components of an automaton: finding them, what they are good for, and trimming by them.
 *
 * Tarjan's algorithm with its stack in an array.  It numbers components so that edges go to equal or lower numbers, so "can
 * an accepting component be reached?" is one sweep upwards.
 *
 * Trimming drops states that are unreachable or cannot reach an accepting cycle, and edges to them.  Acceptance is made
 * uniform where it does not matter, which helps simulation see likeness: none on edges between components and within
 * rejecting ones, all on edges within components whose cycles all accept.  Then a set goes whose every edge (within
 * components) follows from another set, or which has them all. */
#include "prop/automaton_scc.h"

#include "prop/cube.h"

#include <string.h>

void scc_close(struct scc_list *l) {
  mem_free(l->mem, l->component);
  mem_free(l->mem, l->accept);
  mem_free(l->mem, l->cyclic);
  *l = (struct scc_list){.mem = l->mem};
}

struct tarjan {
  uint32_t *index, *low, *stack, *call, *edge; /* by state, except the stacks */
  uint32_t next, stacked, called;
};

/* `skip`: edges of this acceptance set are not there; UINT32_MAX: all are. `within`: only states of that component. */
static void visit(struct tarjan *t, const struct automaton *a, uint32_t root, uint32_t skip, const uint32_t *within,
                  uint32_t *component, uint32_t *count) {
  t->call[0] = root;
  t->called = 1;
  t->index[root] = t->low[root] = ++t->next;
  t->edge[root] = a->first[root];
  t->stack[t->stacked++] = root;
  while (t->called) {
    uint32_t s = t->call[t->called - 1];
    if (t->edge[s] < a->first[s + 1]) {
      const struct automaton_edge *e = &a->edge[t->edge[s]++];
      if (skip != UINT32_MAX && e->accept >> skip & 1) continue;
      if (within && within[e->to] != within[root]) continue;
      if (!t->index[e->to]) {
        t->index[e->to] = t->low[e->to] = ++t->next;
        t->edge[e->to] = a->first[e->to];
        t->stack[t->stacked++] = e->to;
        t->call[t->called++] = e->to;
      } else if (component[e->to] == SCC_UNREACHED && t->index[e->to] < t->low[s]) t->low[s] = t->index[e->to];
      continue;
    }
    t->called--;
    if (t->called && t->low[s] < t->low[t->call[t->called - 1]]) t->low[t->call[t->called - 1]] = t->low[s];
    if (t->low[s] != t->index[s]) continue;
    uint32_t member;
    do component[member = t->stack[--t->stacked]] = *count;
    while (member != s);
    ++*count;
  }
}

static int tarjan_open(struct tarjan *t, const struct automaton *a) {
  *t = (struct tarjan){0};
  t->index = mem_alloc(a->mem, MEM_OTHER, 5 * ((size_t)a->states + 1) * sizeof *t->index);
  if (!t->index) return -1;
  t->low = t->index + a->states + 1;
  t->stack = t->low + a->states + 1;
  t->call = t->stack + a->states + 1;
  t->edge = t->call + a->states + 1;
  return 0;
}

int scc_find(struct scc_list *l, const struct automaton *a, struct err *e) {
  struct tarjan t;
  size_t n = (size_t)a->states + 1;
  *l = (struct scc_list){.mem = a->mem};
  l->component = mem_alloc(a->mem, MEM_OTHER, n * sizeof *l->component);
  l->accept = mem_alloc(a->mem, MEM_OTHER, n * sizeof *l->accept);
  l->cyclic = mem_alloc(a->mem, MEM_OTHER, n);
  if (!l->component || !l->accept || !l->cyclic || tarjan_open(&t, a)) {
    scc_close(l);
    return err_memory(e, "an automaton");
  }
  memset(l->component, 0xff, n * sizeof *l->component);
  for (uint32_t i = 0; i < a->initial_count; i++)
    if (!t.index[a->initial[i]]) visit(&t, a, a->initial[i], UINT32_MAX, NULL, l->component, &l->count);
  for (uint32_t s = 0; s < a->states; s++) {
    if (l->component[s] == SCC_UNREACHED) continue;
    for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end; x++)
      if (l->component[x->to] == l->component[s]) {
        l->cyclic[l->component[s]] = 1;
        l->accept[l->component[s]] |= x->accept;
      }
  }
  mem_free(a->mem, t.index);
  return 0;
}

int scc_cycles_without(const struct scc_list *l, const struct automaton *a, uint32_t set, uint8_t *cycles, struct err *e) {
  struct tarjan t;
  uint32_t *inner = mem_alloc(a->mem, MEM_OTHER, ((size_t)a->states + 1) * sizeof *inner), count = 0;
  if (!inner || tarjan_open(&t, a)) {
    mem_free(a->mem, inner);
    return err_memory(e, "an automaton");
  }
  memset(inner, 0xff, a->states * sizeof *inner);
  for (uint32_t s = 0; s < a->states; s++)
    if (l->component[s] != SCC_UNREACHED && !t.index[s]) visit(&t, a, s, set, l->component, inner, &count);
  for (uint32_t s = 0; s < a->states; s++) {
    if (l->component[s] == SCC_UNREACHED) continue;
    for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end; x++)
      if (!(x->accept >> set & 1) && inner[x->to] == inner[s]) cycles[l->component[s]] = 1;
  }
  mem_free(a->mem, t.index);
  mem_free(a->mem, inner);
  return 0;
}

/* ---- kinds ------------------------------------------------------------------------------ */

/* Do the edges of s that stay in its component take every letter? */
static int takes_all(const struct automaton *a, const struct scc_list *l, uint32_t s, struct cube *list) {
  size_t n = 0;
  uint32_t work = 100000;
  for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end; x++)
    if (l->component[x->to] == l->component[s]) list[n++] = (struct cube){x->care, x->want};
  return cube_covered((struct cube){0, 0}, list, n, &work);
}

/* The kind of each component into `kind` (by component). */
static int kinds_of(const struct automaton *a, const struct scc_list *l, uint8_t *kind, struct err *e) {
  size_t most = 1;
  uint8_t *cycles = mem_alloc(a->mem, MEM_OTHER, (size_t)l->count + 1); /* that miss some set */
  int status = cycles ? 0 : err_memory(e, "an automaton");
  for (uint32_t set = 0; set < a->sets && !status; set++) status = scc_cycles_without(l, a, set, cycles, e);
  for (uint32_t c = 0; c < l->count && !status; c++) /* terminal until a letter is missing */
    kind[c] = !l->cyclic[c]                      ? SCC_TRANSIENT
              : l->accept[c] != automaton_all(a) ? SCC_REJECTING
              : cycles[c]                        ? SCC_STRONG
                                                 : SCC_TERMINAL;
  mem_free(a->mem, cycles);
  if (status) return -1;
  for (uint32_t s = 0; s < a->states; s++)
    if (a->first[s + 1] - a->first[s] > most) most = a->first[s + 1] - a->first[s];
  struct cube *list = mem_alloc(a->mem, MEM_OTHER, most * sizeof *list);
  if (!list) return err_memory(e, "an automaton");
  for (uint32_t s = 0; s < a->states; s++)
    if (l->component[s] != SCC_UNREACHED && kind[l->component[s]] == SCC_TERMINAL && !takes_all(a, l, s, list))
      kind[l->component[s]] = SCC_WEAK;
  mem_free(a->mem, list);
  return 0;
}

/* Each edge is compared with all others of its state: where there are thousands of them, as with implicit labels of HOA, nobody waits for the answer. */
static int is_deterministic(const struct automaton *a) {
  uint64_t work = 300000000;
  if (a->initial_count > 1) return 0;
  for (uint32_t s = 0; s < a->states; s++)
    for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end; x++) {
      if (work < (uint64_t)(end - x)) return 0;
      work -= (uint64_t)(end - x);
      for (const struct automaton_edge *y = x + 1; y < end; y++)
        if (cube_meets((struct cube){x->care, x->want}, (struct cube){y->care, y->want})) return 0;
    }
  return 1;
}

int automaton_classify(struct automaton *a, struct err *e) {
  struct scc_list l;
  size_t n = (size_t)a->states + 1;
  if (scc_find(&l, a, e)) return -1;
  uint32_t *scc = mem_alloc(a->mem, MEM_OTHER, n * sizeof *scc);
  uint8_t *kind = mem_alloc(a->mem, MEM_OTHER, n), *of_component = mem_alloc(a->mem, MEM_OTHER, n);
  int status = scc && kind && of_component ? kinds_of(a, &l, of_component, e) : err_memory(e, "an automaton");
  if (!status) {
    for (uint32_t s = 0; s < a->states; s++) {
      scc[s] = l.component[s];
      kind[s] = l.component[s] == SCC_UNREACHED ? SCC_TRANSIENT : of_component[l.component[s]];
    }
    mem_free(a->mem, a->scc);
    mem_free(a->mem, a->kind);
    a->scc = scc;
    a->kind = kind;
    a->deterministic = is_deterministic(a);
  } else {
    mem_free(a->mem, scc);
    mem_free(a->mem, kind);
  }
  mem_free(a->mem, of_component);
  scc_close(&l);
  return status;
}

enum automaton_kind automaton_strength(const struct automaton *a) {
  enum automaton_kind strength = SCC_TERMINAL;
  for (uint32_t s = 0; s < a->states; s++)
    if (a->kind[s] >= SCC_STRONG && a->kind[s] < strength) strength = (enum automaton_kind)a->kind[s];
  return strength;
}

const char *automaton_kind_name(enum automaton_kind kind) {
  static const char *const names[] = {"transient", "rejecting", "strong", "weak", "terminal"};
  return names[kind];
}

/* ---- trimming ---------------------------------------------------------------------------- */

/* 1 for components from which an accepting cycle can be reached. Edges go to equal or lower components: one sweep over the states in the order of theirs. 0, or -1: memory. */
static int find_useful(const struct automaton *a, const struct scc_list *l, const uint8_t *kind, uint8_t *useful) {
  uint32_t *first = mem_alloc(a->mem, MEM_OTHER, ((size_t)l->count + 2) * sizeof *first), *order = mem_alloc(a->mem, MEM_OTHER, ((size_t)a->states + 1) * sizeof *order);
  int status = first && order ? 0 : -1;
  for (uint32_t c = 0; c < l->count && !status; c++) useful[c] = kind[c] >= SCC_STRONG;
  for (uint32_t s = 0; s < a->states && !status; s++)
    if (l->component[s] != SCC_UNREACHED) first[l->component[s] + 2]++;
  for (uint32_t c = 0; c < l->count && !status; c++) first[c + 2] += first[c + 1];
  for (uint32_t s = 0; s < a->states && !status; s++)
    if (l->component[s] != SCC_UNREACHED) order[first[l->component[s] + 1]++] = s;
  for (uint32_t i = 0, reached = status ? 0 : first[l->count]; i < reached; i++) {
    uint32_t s = order[i];
    for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end; x++)
      useful[l->component[s]] |= useful[l->component[x->to]];
  }
  mem_free(a->mem, first);
  mem_free(a->mem, order);
  return status;
}

/* Which sets say something that another kept set does not; as a mask. */
static uint32_t needed_sets(const struct automaton *a, const struct scc_list *l, const uint32_t *accept) {
  uint32_t kept = automaton_all(a);
  for (uint32_t i = 0; i < a->sets; i++) {
    uint32_t implying = kept & ~(UINT32_C(1) << i); /* sets j with j => i on all edges seen */
    int everywhere = 1;
    for (uint32_t s = 0; s < a->states; s++)
      for (uint32_t k = a->first[s]; k < a->first[s + 1]; k++) {
        if (l->component[s] == SCC_UNREACHED || l->component[a->edge[k].to] != l->component[s]) continue;
        if (accept[k] >> i & 1) continue;
        everywhere = 0;
        implying &= ~accept[k];
      }
    if (everywhere || implying) kept &= ~(UINT32_C(1) << i);
  }
  return kept;
}

static uint32_t squeeze(uint32_t accept, uint32_t kept) {
  uint32_t out = 0, bit = 1;
  for (uint32_t i = 0; i < 32; i++)
    if (kept >> i & 1) {
      if (accept >> i & 1) out |= bit;
      bit <<= 1;
    }
  return out;
}

/* Acceptance made uniform where it does not matter. */
static void tidy_acceptance(const struct automaton *a, const struct scc_list *l, const uint8_t *kind, uint32_t *accept) {
  for (uint32_t s = 0; s < a->states; s++) {
    int stays = 0;
    for (uint32_t k = a->first[s]; k < a->first[s + 1]; k++) stays |= l->component[a->edge[k].to] == l->component[s];
    for (uint32_t k = a->first[s]; k < a->first[s + 1]; k++) {
      uint32_t c = l->component[s];
      accept[k] = a->edge[k].accept;
      if (c == SCC_UNREACHED) continue;
      int leaves = l->component[a->edge[k].to] != c;
      if (kind[c] <= SCC_REJECTING || (leaves && !(a->by_state && stays))) accept[k] = 0;
      else if (kind[c] >= SCC_WEAK) accept[k] = automaton_all(a);
    }
  }
}

static int rebuild(struct automaton **out, const struct automaton *a, const struct scc_list *l, const uint8_t *useful,
                   const uint32_t *accept, uint32_t kept, uint32_t *renamed, struct err *e) {
  struct automaton_draft d;
  uint32_t states = 0, sets = (uint32_t)__builtin_popcount(kept);
  int status = 0;
  automaton_draft_open(&d, a->mem);
  for (uint32_t s = 0; s < a->states; s++)
    renamed[s] = l->component[s] != SCC_UNREACHED && useful[l->component[s]] ? states++ : SCC_UNREACHED;
  for (uint32_t i = 0; i < a->initial_count && !status; i++)
    if (renamed[a->initial[i]] != SCC_UNREACHED) status = automaton_draft_initial(&d, renamed[a->initial[i]]);
  for (uint32_t s = 0; s < a->states && !status; s++)
    for (uint32_t k = a->first[s]; k < a->first[s + 1] && !status && renamed[s] != SCC_UNREACHED; k++) {
      struct automaton_edge x = a->edge[k];
      if (renamed[x.to] == SCC_UNREACHED) continue;
      x.to = renamed[x.to];
      x.accept = squeeze(accept[k], kept);
      status = automaton_draft_edge(&d, renamed[s], x);
    }
  status = status ? err_memory(e, "an automaton") : automaton_finish(out, &d, states, sets, e);
  automaton_draft_close(&d);
  if (status) return -1;
  (*out)->by_state = a->by_state;
  (*out)->keep_sets = a->keep_sets;
  if (automaton_inherit(*out, a, e) || automaton_classify(*out, e)) {
    automaton_close(*out);
    *out = NULL;
    return -1;
  }
  return 0;
}

int automaton_trim(struct automaton **at, struct err *e) {
  struct automaton *a = *at, *smaller = NULL;
  struct scc_list l;
  size_t n = (size_t)a->states + 1;
  if (scc_find(&l, a, e)) return -1;
  uint8_t *kind = mem_alloc(a->mem, MEM_OTHER, n), *useful = mem_alloc(a->mem, MEM_OTHER, n);
  uint32_t *accept = mem_alloc(a->mem, MEM_OTHER, ((size_t)a->first[a->states] + 1) * sizeof *accept);
  uint32_t *renamed = mem_alloc(a->mem, MEM_OTHER, n * sizeof *renamed);
  int status = kind && useful && accept && renamed ? 0 : err_memory(e, "an automaton");
  if (!status) status = kinds_of(a, &l, kind, e);
  if (!status && find_useful(a, &l, kind, useful)) status = err_memory(e, "an automaton");
  if (!status) {
    tidy_acceptance(a, &l, kind, accept);
    status = rebuild(&smaller, a, &l, useful, accept, a->by_state || a->keep_sets ? automaton_all(a) : needed_sets(a, &l, accept),
                     renamed, e);
  }
  mem_free(a->mem, kind);
  mem_free(a->mem, useful);
  mem_free(a->mem, accept);
  mem_free(a->mem, renamed);
  scc_close(&l);
  if (status) return -1;
  automaton_close(a);
  *at = smaller;
  return 0;
}
