/* automaton.c -- how automata are kept and built, and whether one accepts a word.
 *
 * A draft is a heap of edges in any order.  Finishing sorts them by state, end and acceptance and merges the guards of edges
 * that differ in nothing else.  Whether an ultimately periodic word is accepted is decided on the product with its positions,
 * which is an automaton again, by asking whether that one is empty. */
#include "prop/automaton.h"

#include "prop/automaton_scc.h"
#include "prop/cube.h"

#include <stdlib.h>
#include <string.h>

void automaton_close(struct automaton *a) {
  if (!a) return;
  mem_free(a->mem, a->first);
  mem_free(a->mem, a->edge);
  mem_free(a->mem, a->initial);
  mem_free(a->mem, a->scc);
  mem_free(a->mem, a->kind);
  for (uint32_t i = 0; a->atom && i < a->atoms; i++) mem_free(a->mem, a->atom[i]);
  mem_free(a->mem, a->atom);
  mem_free(a->mem, a);
}

/* ---- drafts ---------------------------------------------------------------------------- */

void automaton_draft_open(struct automaton_draft *d, struct mem *mem) { *d = (struct automaton_draft){.mem = mem}; }

static int grow(struct mem *mem, void **block, size_t *room, size_t count, size_t each) {
  if (count < *room) return 0;
  size_t more = *room ? 2 * *room : 16;
  void *bigger = mem_resize(mem, MEM_OTHER, *block, more * each);
  if (!bigger) return -1;
  *block = bigger;
  *room = more;
  return 0;
}

int automaton_draft_edge(struct automaton_draft *d, uint32_t from, struct automaton_edge e) {
  if (grow(d->mem, (void **)&d->edge, &d->room, d->edges, sizeof *d->edge)) return -1;
  d->edge[d->edges++] = (struct draft_edge){from, e};
  return 0;
}

int automaton_draft_initial(struct automaton_draft *d, uint32_t state) {
  for (size_t i = 0; i < d->initials; i++)
    if (d->initial[i] == state) return 0;
  if (grow(d->mem, (void **)&d->initial, &d->initial_room, d->initials, sizeof *d->initial)) return -1;
  d->initial[d->initials++] = state;
  return 0;
}

void automaton_draft_close(struct automaton_draft *d) {
  mem_free(d->mem, d->edge);
  mem_free(d->mem, d->initial);
  *d = (struct automaton_draft){.mem = d->mem};
}

static int by_place(const void *x, const void *y) {
  const struct draft_edge *a = x, *b = y;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->edge.to != b->edge.to) return a->edge.to < b->edge.to ? -1 : 1;
  if (a->edge.accept != b->edge.accept) return a->edge.accept < b->edge.accept ? -1 : 1;
  if (a->edge.care != b->edge.care) return a->edge.care < b->edge.care ? -1 : 1;
  return (a->edge.want > b->edge.want) - (a->edge.want < b->edge.want);
}

/* Merges the guards within runs of sorted edges that differ in nothing else. */
static size_t merge(struct draft_edge *e, size_t count, struct cube *cube) {
  size_t out = 0;
  for (size_t i = 0, end; i < count; i = end) {
    struct draft_edge like = e[i];
    for (end = i;
         end < count && e[end].from == like.from && e[end].edge.to == like.edge.to && e[end].edge.accept == like.edge.accept;
         end++)
      cube[end - i] = (struct cube){e[end].edge.care, e[end].edge.want};
    size_t n = cube_merge(cube, end - i);
    for (size_t k = 0; k < n; k++) {
      like.edge.care = cube[k].care;
      like.edge.want = cube[k].want;
      e[out++] = like;
    }
  }
  return out;
}

int automaton_finish(struct automaton **out, const struct automaton_draft *d, uint32_t states, uint32_t sets, struct err *e) {
  struct mem *mem = d->mem;
  struct automaton *a = mem_alloc(mem, MEM_OTHER, sizeof *a);
  struct draft_edge *sorted = mem_alloc(mem, MEM_OTHER, (d->edges + 1) * sizeof *sorted);
  struct cube *cube = mem_alloc(mem, MEM_OTHER, (d->edges + 1) * sizeof *cube);
  *out = NULL;
  if (a) {
    a->mem = mem;
    a->first = mem_alloc(mem, MEM_OTHER, ((size_t)states + 2) * sizeof *a->first);
    a->initial = mem_alloc(mem, MEM_OTHER, (d->initials + 1) * sizeof *a->initial);
  }
  int status = a && sorted && cube && a->first && a->initial && d->edges < UINT32_MAX ? 0 : -1;
  size_t count = 0;
  if (!status) {
    if (d->edges) memcpy(sorted, d->edge, d->edges * sizeof *sorted);
    qsort(sorted, d->edges, sizeof *sorted, by_place);
    count = merge(sorted, d->edges, cube);
    a->edge = mem_alloc(mem, MEM_OTHER, (count + 1) * sizeof *a->edge);
    if (!a->edge) status = -1;
  }
  if (!status) {
    a->states = states;
    a->sets = sets;
    for (size_t i = 0; i < count; i++) {
      a->first[sorted[i].from + 1]++;
      a->edge[i] = sorted[i].edge;
    }
    for (uint32_t s = 0; s < states; s++) a->first[s + 1] += a->first[s];
    for (size_t i = 0; i < d->initials; i++) a->initial[a->initial_count++] = d->initial[i];
  }
  mem_free(mem, sorted);
  mem_free(mem, cube);
  if (status) {
    automaton_close(a);
    return err_memory(e, "an automaton");
  }
  *out = a;
  return 0;
}

int automaton_name_atoms(struct automaton *a, const char *const *text, uint32_t count, struct err *e) {
  char **list = mem_alloc(a->mem, MEM_OTHER, ((size_t)count + 1) * sizeof *list);
  int status = list ? 0 : -1;
  for (uint32_t i = 0; !status && i < count; i++) {
    list[i] = mem_strndup(a->mem, MEM_OTHER, text[i], strlen(text[i]));
    if (!list[i]) status = -1;
  }
  if (status) {
    for (uint32_t i = 0; list && i < count; i++) mem_free(a->mem, list[i]);
    mem_free(a->mem, list);
    return err_memory(e, "an automaton");
  }
  for (uint32_t i = 0; a->atom && i < a->atoms; i++) mem_free(a->mem, a->atom[i]);
  mem_free(a->mem, a->atom);
  a->atom = list;
  a->atoms = count;
  return 0;
}

int automaton_inherit(struct automaton *a, const struct automaton *from, struct err *e) {
  if (from->atom) return automaton_name_atoms(a, (const char *const *)from->atom, from->atoms, e);
  a->atoms = from->atoms;
  return 0;
}

/* ---- words ------------------------------------------------------------------------------ */

int automaton_empty(const struct automaton *a, struct err *e) {
  struct scc_list l;
  if (scc_find(&l, a, e)) return -1;
  int empty = 1;
  for (uint32_t s = 0; s < a->states && empty; s++)
    if (l.component[s] != SCC_UNREACHED && l.cyclic[l.component[s]] && l.accept[l.component[s]] == automaton_all(a)) empty = 0;
  scc_close(&l);
  return empty;
}

int automaton_accepts(const struct automaton *a, const uint64_t *prefix, size_t prefix_length, const uint64_t *loop,
                      size_t loop_length, struct err *e) {
  struct automaton_draft d;
  struct automaton *product = NULL;
  size_t positions = prefix_length + loop_length;
  automaton_draft_open(&d, a->mem);
  if ((uint64_t)positions * a->states >= UINT32_MAX) return err_limit(e, "this word is too long");
  int status = 0;
  for (uint32_t i = 0; i < a->initial_count && !status; i++)
    status = automaton_draft_initial(&d, (uint32_t)(a->initial[i] * positions));
  for (uint32_t s = 0; s < a->states && !status; s++)
    for (size_t at = 0; at < positions && !status; at++) {
      uint64_t letter = at < prefix_length ? prefix[at] : loop[at - prefix_length];
      size_t next = at + 1 < positions ? at + 1 : prefix_length;
      for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end && !status; x++)
        if (automaton_open_for(x, letter))
          status = automaton_draft_edge(&d, (uint32_t)(s * positions + at),
                                        (struct automaton_edge){.to = (uint32_t)(x->to * positions + next), .accept = x->accept});
    }
  if (status) status = err_memory(e, "an automaton");
  else status = automaton_finish(&product, &d, (uint32_t)(a->states * positions), a->sets, e);
  automaton_draft_close(&d);
  if (!status) {
    status = automaton_empty(product, e);
    if (status >= 0) status = !status;
  }
  automaton_close(product);
  return status;
}
