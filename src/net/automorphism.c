/* automorphism.c -- see automorphism.h.
 *
 * The idea is McKay's ("Practical graph isomorphism", 1981): an ordered partition of the vertices into cells is refined until vertices of a cell see the same of every other cell; where cells are left with more than one vertex,
 * one of it is singled out, and so on until all are.  Two such ways down that pick corresponding vertices and meet the same cells give a permutation, which is an automorphism or not.
 *
 *   at      | 7 | 3 9 4 | 0 5 | ...     vertices in the order of their cells; where[v] is v's position
 *   cell      0   1 1 1   4 4           first position of the cell of each vertex; size[] by first position
 *
 * The first way down singles out b1, b2, ... bn.  Then from the bottom to the top: at level i all vertices of bi's cell that no permutation known so far leads bi to are tried instead of it.  Permutations found at deeper levels
 * fix b1 .. bi-1, so that one trial per orbit is enough.  Below level i the trial picks bk again where that is still there, and otherwise the vertex that bk has taken the place of: so exchanges of two equal parts are found as
 * such, and not mixed with others, which is what who uses them wants.
 *
 * There is no backtracking within a trial: what is not found is not used.  Sums of hashes tell what a vertex sees of a cell; a collision leaves the partition coarser, and at worst a permutation that fails the check. */
#include "net/automorphism.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { FAILURES = 60 };

struct level {
  uint32_t vertex, first; /* singled out, from the cell that begins there */
  uint64_t trace;         /* what refining did then */
};

struct finder {
  const struct coloured_graph *g;
  struct mem *mem;
  uint32_t *at, *where, *cell, *size;
  uint32_t *root_at, *root_cell; /* before anything is singled out; by position, by vertex */
  uint64_t *sum;
  uint8_t *waiting; /* by first position */
  struct vec(uint32_t) queue, touched, cells, splitter;
  struct vec(struct level) level;
  struct vec(uint32_t) chosen; /* in the trial */
  uint32_t *leaf, *image, *orbit;
  uint64_t effort, trace;
  uint32_t singles; /* positions before it are cells of one */
  int refused;
};

/* ---- refining ------------------------------------------------------------------------------------------------------------------------- */

static void enqueue(struct finder *f, uint32_t first) {
  if (f->waiting[first]) return;
  if (vec_push(&f->queue, f->mem, MEM_ANALYSIS, first)) f->refused = 1;
  else f->waiting[first] = 1;
}

struct keyed {
  uint64_t key;
  uint32_t vertex;
};

static int by_key(const void *x, const void *y) {
  const struct keyed *a = x, *b = y;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static int by_number(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* Splits a cell by keys of its vertices; the order of the parts is that of the keys. */
static void split(struct finder *f, uint32_t first, struct keyed *k, const uint64_t *key) {
  uint32_t n = f->size[first], parts = 0, largest = first;
  int same = 1;
  for (uint32_t i = 0; i < n; i++) {
    k[i] = (struct keyed){key[f->at[first + i]], f->at[first + i]};
    same &= k[i].key == k[0].key;
  }
  f->trace = hash_pair(f->trace ^ first, n);
  if (same) {
    f->trace = hash_pair(f->trace, k[0].key);
    return;
  }
  f->effort = f->effort > n ? f->effort - n : 0;
  qsort(k, n, sizeof *k, by_key);
  int was_waiting = f->waiting[first];
  for (uint32_t i = 0, begin = 0; i < n; i++) {
    uint32_t v = k[i].vertex;
    if (i && k[i].key != k[i - 1].key) begin = i;
    f->at[first + i] = v;
    f->where[v] = first + i;
    f->cell[v] = first + begin;
    if (begin == i) {
      f->size[first + begin] = 0;
      parts++;
      f->trace = hash_pair(f->trace ^ (first + begin), k[i].key);
    }
    f->size[first + begin]++;
  }
  for (uint32_t i = 0; i < n; i += f->size[first + i])
    if (f->size[first + i] > f->size[largest]) largest = first + i;
  for (uint32_t i = 0; i < n; i += f->size[first + i]) /* all parts but one tell all, unless the whole still has to */
    if (was_waiting || first + i != largest) enqueue(f, first + i);
}

static void refine(struct finder *f, struct keyed *scratch) {
  const struct coloured_graph *g = f->g;
  for (size_t head = 0; head < f->queue.count && !f->refused && f->effort; head++) {
    uint32_t first = f->queue.at[head];
    f->waiting[first] = 0;
    f->splitter.count = f->touched.count = f->cells.count = 0;
    for (uint32_t i = 0; i < f->size[first]; i++) f->refused |= vec_push(&f->splitter, f->mem, MEM_ANALYSIS, f->at[first + i]);
    for (size_t i = 0; i < f->splitter.count && !f->refused; i++) {
      uint32_t v = f->splitter.at[i];
      size_t degree = g->start[v + 1] - g->start[v];
      f->effort = f->effort > degree + 1 ? f->effort - degree - 1 : 0;
      for (size_t a = g->start[v]; a < g->start[v + 1]; a++) {
        uint32_t u = g->to[a];
        if (f->size[f->cell[u]] == 1) { /* nothing to split; but what it sees is compared */
          f->trace += hash_pair(f->cell[u], g->label[a]);
          continue;
        }
        if (!f->sum[u] && vec_push(&f->touched, f->mem, MEM_ANALYSIS, u)) f->refused = 1;
        f->sum[u] += hash_mix(g->label[a]) | 1;
      }
    }
    for (size_t i = 0; i < f->touched.count; i++) {
      uint32_t c = f->cell[f->touched.at[i]];
      if (f->size[c] & 0x80000000u) continue;
      f->size[c] |= 0x80000000u; /* listed */
      if (vec_push(&f->cells, f->mem, MEM_ANALYSIS, c)) f->refused = 1;
    }
    for (size_t i = 0; i < f->touched.count; i++) f->size[f->cell[f->touched.at[i]]] &= 0x7fffffffu;
    if (f->cells.count) qsort(f->cells.at, f->cells.count, sizeof *f->cells.at, by_number);
    for (size_t i = 0; i < f->cells.count && !f->refused; i++) split(f, f->cells.at[i], scratch, f->sum);
    for (size_t i = 0; i < f->touched.count; i++) f->sum[f->touched.at[i]] = 0;
  }
  for (size_t i = 0; i < f->queue.count; i++) f->waiting[f->queue.at[i]] = 0;
  f->queue.count = 0;
}

/* The vertex becomes a cell of its own, at the front of the one that it was in. */
static uint64_t single_out(struct finder *f, uint32_t v, struct keyed *scratch) {
  uint32_t first = f->cell[v], other = f->at[first], n = f->size[first];
  f->at[f->where[v]] = other;
  f->where[other] = f->where[v];
  f->at[first] = v;
  f->where[v] = first;
  f->size[first] = 1;
  f->size[first + 1] = n - 1;
  for (uint32_t i = 1; i < n; i++) f->cell[f->at[first + i]] = first + 1;
  f->effort = f->effort > n ? f->effort - n : 0;
  f->trace = 1;
  enqueue(f, first);
  refine(f, scratch);
  return f->trace;
}

static void to_root(struct finder *f) {
  uint32_t n = f->g->vertices;
  memcpy(f->at, f->root_at, n * sizeof *f->at);
  memcpy(f->cell, f->root_cell, n * sizeof *f->cell);
  for (uint32_t i = 0; i < n; i++) {
    f->where[f->at[i]] = i;
    f->size[i] = 0;
  }
  for (uint32_t v = 0; v < n; v++) f->size[f->cell[v]]++;
  f->effort = f->effort > n ? f->effort - n : 0;
}

/* The first cell of more than one; vertices if there is none. */
static uint32_t next_cell(const struct finder *f, uint32_t from) {
  while (from < f->g->vertices && f->size[from] == 1) from++;
  return from;
}

/* ---- permutations ---------------------------------------------------------------------------------------------------------------------- */

static uint32_t orbit_of(struct finder *f, uint32_t v) {
  while (f->orbit[v] != v) v = f->orbit[v] = f->orbit[f->orbit[v]];
  return v;
}

struct edge {
  uint64_t label;
  uint32_t to;
};

static int by_edge(const void *x, const void *y) {
  const struct edge *a = x, *b = y;
  if (a->label != b->label) return a->label < b->label ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

/* Edge by edge. */
static int is_automorphism(struct finder *f, struct edge *a, struct edge *b) {
  const struct coloured_graph *g = f->g;
  for (uint32_t v = 0; v < g->vertices; v++) {
    uint32_t u = f->image[v];
    size_t n = g->start[v + 1] - g->start[v];
    if (g->colour[v] != g->colour[u] || n != g->start[u + 1] - g->start[u]) return 0;
    int fixed = u == v;
    for (size_t i = 0; i < n; i++) {
      a[i] = (struct edge){g->label[g->start[v] + i], f->image[g->to[g->start[v] + i]]};
      b[i] = (struct edge){g->label[g->start[u] + i], g->to[g->start[u] + i]};
      fixed &= a[i].to == b[i].to;
    }
    f->effort = f->effort > n + 1 ? f->effort - n - 1 : 0;
    if (fixed) continue;
    qsort(a, n, sizeof *a, by_edge);
    qsort(b, n, sizeof *b, by_edge);
    for (size_t i = 0; i < n; i++)
      if (a[i].label != b[i].label || a[i].to != b[i].to) return 0;
  }
  return 1;
}

/* Which vertex of the cell plays the part of the first way's: itself, or the one whose part it has taken; whoever is first otherwise. */
static uint32_t counterpart(const struct finder *f, size_t k, uint32_t first) {
  uint32_t b = f->level.at[k].vertex;
  for (size_t hops = 0; hops <= k; hops++) {
    if (f->cell[b] == first) return b;
    size_t j = 0;
    while (j < k && f->chosen.at[j] != b) j++;
    if (j == k) break;
    b = f->level.at[j].vertex;
  }
  return f->at[first];
}

/* Another way down: the same up to the level, there another vertex. 1: an automorphism, in image; 0: none. */
static int try_vertex(struct finder *f, size_t i, uint32_t w, struct keyed *scratch, struct edge *edges, size_t widest) {
  to_root(f);
  f->chosen.count = 0;
  for (size_t k = 0; k < f->level.count && f->effort && !f->refused; k++) {
    const struct level *l = &f->level.at[k];
    if (f->size[l->first] < 2) return 0;
    uint32_t v = k < i ? l->vertex : k == i ? w : counterpart(f, k, l->first);
    if (f->cell[v] != l->first || vec_push(&f->chosen, f->mem, MEM_ANALYSIS, v)) return 0;
    if (single_out(f, v, scratch) != l->trace) return 0;
  }
  if (!f->effort || f->refused || next_cell(f, 0) < f->g->vertices) return 0;
  for (uint32_t p = 0; p < f->g->vertices; p++) f->image[f->leaf[p]] = f->at[p];
  return is_automorphism(f, edges, edges + widest);
}

/* The vertices of the cell from which the level's vertex was taken. */
static int cell_of_level(struct finder *f, size_t i, struct keyed *scratch, uint32_t **out, uint32_t *count) {
  to_root(f);
  for (size_t k = 0; k < i; k++) single_out(f, f->level.at[k].vertex, scratch);
  uint32_t first = f->level.at[i].first;
  *count = f->size[first];
  *out = mem_alloc(f->mem, MEM_ANALYSIS, (*count + 1) * sizeof **out);
  if (!*out) return -1;
  memcpy(*out, f->at + first, *count * sizeof **out);
  qsort(*out, *count, sizeof **out, by_number);
  return 0;
}

static int find_all(struct finder *f, struct keyed *scratch, struct edge *edges, size_t widest, int (*hear)(void *, const uint32_t *), void *context) {
  const struct coloured_graph *g = f->g;
  int failures = 0, status = 0;
  for (uint32_t first = next_cell(f, 0); first < g->vertices && f->effort && !f->refused; first = next_cell(f, first)) {
    struct level l = {.vertex = f->at[first], .first = first};
    for (uint32_t i = 1; i < f->size[first]; i++)
      if (f->at[first + i] < l.vertex) l.vertex = f->at[first + i];
    l.trace = single_out(f, l.vertex, scratch);
    if (vec_push(&f->level, f->mem, MEM_ANALYSIS, l)) f->refused = 1;
  }
  memcpy(f->leaf, f->at, g->vertices * sizeof *f->leaf);
  for (size_t i = f->level.count; i-- > 0 && f->effort && !f->refused && !status && failures < FAILURES;) {
    uint32_t *other, count;
    if (cell_of_level(f, i, scratch, &other, &count)) return -1;
    for (uint32_t k = 0; k < count && f->effort && !status && failures < FAILURES; k++) {
      if (orbit_of(f, other[k]) == orbit_of(f, f->level.at[i].vertex)) continue;
      if (!try_vertex(f, i, other[k], scratch, edges, widest)) {
        failures++;
        continue;
      }
      for (uint32_t v = 0; v < g->vertices; v++) {
        uint32_t a = orbit_of(f, v), b = orbit_of(f, f->image[v]);
        if (a != b) f->orbit[a] = b;
      }
      status = hear(context, f->image);
    }
    mem_free(f->mem, other);
  }
  return status || f->refused ? -1 : !f->effort || failures == FAILURES;
}

/* Cells by colour, refined. */
static void begin(struct finder *f, struct keyed *scratch) {
  uint32_t n = f->g->vertices;
  for (uint32_t v = 0; v < n; v++) f->at[v] = f->where[v] = f->orbit[v] = v;
  f->size[0] = n;
  split(f, 0, scratch, f->g->colour);
  for (uint32_t i = 0; i < n; i += f->size[i]) enqueue(f, i);
  refine(f, scratch);
  memcpy(f->root_at, f->at, n * sizeof *f->at);
  memcpy(f->root_cell, f->cell, n * sizeof *f->cell);
}

int automorphism_find(const struct coloured_graph *g, uint64_t effort, int (*hear)(void *, const uint32_t *image), void *context, struct mem *mem) {
  struct finder f = {.g = g, .mem = mem, .effort = effort};
  size_t n = (size_t)g->vertices + 1, widest = 1;
  uint32_t **array[] = {&f.at, &f.where, &f.cell, &f.size, &f.root_at, &f.root_cell, &f.leaf, &f.image, &f.orbit};
  if (!g->vertices) return 0;
  for (uint32_t v = 0; v < g->vertices; v++)
    if (g->start[v + 1] - g->start[v] > widest) widest = g->start[v + 1] - g->start[v];
  int status = 0;
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) status |= !(*array[i] = mem_alloc(mem, MEM_ANALYSIS, n * sizeof **array[i]));
  struct keyed *scratch = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *scratch);
  struct edge *edges = mem_alloc(mem, MEM_ANALYSIS, 2 * widest * sizeof *edges);
  f.sum = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *f.sum);
  f.waiting = mem_alloc(mem, MEM_ANALYSIS, n);
  if (status || !scratch || !edges || !f.sum || !f.waiting) {
    status = -1;
  } else {
    begin(&f, scratch);
    status = find_all(&f, scratch, edges, widest, hear, context);
  }
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) mem_free(mem, *array[i]);
  mem_free(mem, scratch);
  mem_free(mem, edges);
  mem_free(mem, f.sum);
  mem_free(mem, f.waiting);
  vec_free(&f.queue, mem);
  vec_free(&f.touched, mem);
  vec_free(&f.cells, mem);
  vec_free(&f.splitter, mem);
  vec_free(&f.level, mem);
  vec_free(&f.chosen, mem);
  return status;
}
