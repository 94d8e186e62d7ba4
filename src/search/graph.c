/* graph.c -- see graph.h.
 *
 * After "Obtaining memory-efficient reachability graph representations using the sweep-line method" (Kristensen and Mailund): an edge array per state whose entries have
 * as many bits as the largest of them needs.  All rows lie in one region, one after another:
 *
 *   | width: 6 | target, group | target, group | ...        target: distance from the source and its sign, `width` bits; group: bits_for(groups - 1), if wanted
 *
 * A state without successors takes nothing.  Where rows begin, if they came in order:
 *
 *   base[s / 32]   where the block of 32 rows begins: 64 bits        small[s]   the row's distance from there: 16 bits
 *
 * and its end is the beginning of the next, so that nothing counts the edges.  A block of more than 64K bits (states with hundreds of successors) has its 32 beginnings
 * in `wide`, and base says which.  So a state costs 18 bits and the 6 of its width.  Rows in another order: one word per state, with the number of edges in its high bits.
 *
 * Distances instead of numbers: in breadth-first order a successor is at most two layers away.  Measured (bench/graph): they need 2 to 15 % fewer bits than the numbers
 * themselves.  Distances from the target before, the smallest target as a base of its own: no better for rows of four to eight edges, and the header grows. */
#include "search/graph.h"

static uint64_t *longs(const struct region *r) { return (uint64_t *)(void *)r->base; }
static uint16_t *shorts(const struct region *r) { return (uint16_t *)(void *)r->base; }

static void put(struct graph *g, uint64_t at, uint64_t value) { /* into bits that are zero */
  uint8_t *to = g->bits.base + at / 8;
  uint64_t word;
  memcpy(&word, to, sizeof word);
  word |= value << at % 8;
  memcpy(to, &word, sizeof word);
}

/* ---- where rows begin -------------------------------------------------------------------------------------------------------- */

/* The beginnings of a block need more than 16 bits. */
static int widen_block(struct graph *g, uint64_t block) {
  uint64_t base = longs(&g->base)[block], index = g->wide.size / sizeof(uint64_t);
  if (region_resize(&g->wide, g->wide.size + GRAPH_BLOCK * sizeof(uint64_t))) return -1;
  for (uint64_t i = 0; i < GRAPH_BLOCK; i++) longs(&g->wide)[index + i] = base + shorts(&g->small)[block * GRAPH_BLOCK + i];
  longs(&g->base)[block] = GRAPH_WIDE | index;
  return 0;
}

/* Row s begins at bit `at`: told one after the other, and once more for the end of the last. */
static int set_row(struct graph *g, uint64_t s, uint64_t at) {
  uint64_t block = s / GRAPH_BLOCK;
  if (region_grow(&g->base, (size_t)(block + 1) * sizeof(uint64_t)) || region_grow(&g->small, (size_t)(block + 1) * GRAPH_BLOCK * sizeof(uint16_t))) return -1;
  if (s % GRAPH_BLOCK == 0) longs(&g->base)[block] = at;
  uint64_t base = longs(&g->base)[block];
  if (!(base & GRAPH_WIDE) && at - base > UINT16_MAX) {
    if (widen_block(g, block)) return -1;
    base = longs(&g->base)[block];
  }
  if (base & GRAPH_WIDE) longs(&g->wide)[(base & ~GRAPH_WIDE) + s % GRAPH_BLOCK] = at;
  else shorts(&g->small)[s] = (uint16_t)(at - base);
  return 0;
}

/* Rows no longer come in order. */
static int loosen(struct graph *g) {
  if (region_resize(&g->place, (size_t)(g->rows + 1) * sizeof(uint64_t))) return -1;
  for (uint64_t s = 0; s < g->rows; s++) longs(&g->place)[s] = graph_row(g, s) | (uint64_t)graph_degree(g, s) << GRAPH_PLACE;
  struct region *const gone[] = {&g->base, &g->small, &g->wide};
  for (size_t i = 0; i < 3; i++) {
    region_close(gone[i]);
    region_open(gone[i], g->mem, MEM_SEARCH);
  }
  g->loose = 1;
  return 0;
}

/* ---- telling ------------------------------------------------------------------------------------------------------------------- */

int graph_begin(struct graph *g, uint64_t state) {
  g->telling = state;
  g->told.count = 0;
  return state >= UINT32_MAX || (!g->loose && state != g->rows && loosen(g)) ? -1 : 0;
}

int graph_edge(struct graph *g, uint64_t target, uint32_t group) {
  if (target >= UINT32_MAX) return -1;
  return vec_push(&g->told, g->mem, MEM_SEARCH, (struct graph_told){(uint32_t)target, group});
}

static int begin_row(struct graph *g, uint64_t s, uint64_t count, uint64_t size) {
  if (region_grow(&g->bits, (size_t)((g->end + size) / 8 + 16))) return -1;
  if (!g->loose) return set_row(g, s, g->end) || set_row(g, s + 1, g->end + size) ? -1 : 0;
  if (g->end >> GRAPH_PLACE || count >> (64 - GRAPH_PLACE) || region_grow(&g->place, (size_t)(s + 1) * sizeof(uint64_t))) return -1;
  longs(&g->place)[s] = g->end | count << GRAPH_PLACE;
  return 0;
}

int graph_end(struct graph *g) {
  uint64_t s = g->telling, far = 0, most = s, count = g->told.count;
  for (size_t i = 0; i < count; i++) {
    far |= graph_far(s, g->told.at[i].target);
    if (g->told.at[i].target > most) most = g->told.at[i].target;
  }
  unsigned width = far ? bits_for(far) : 1;
  uint64_t size = count ? GRAPH_HEAD + count * (width + g->group_bits) : 0, at = g->end;
  if (begin_row(g, s, count, size)) return -1;
  if (count) put(g, at, width);
  at += GRAPH_HEAD;
  for (size_t i = 0; i < count; i++, at += width + g->group_bits) {
    put(g, at, graph_far(s, g->told.at[i].target));
    if (g->group_bits) put(g, at + width, g->told.at[i].group);
  }
  g->end += size;
  g->edges += count;
  if (!g->loose) g->rows = s + 1;
  if (most >= g->states) g->states = most + 1;
  g->told.count = 0;
  g->telling = UINT64_MAX;
  return 0;
}

static unsigned bits_for_groups(uint32_t groups) { return groups ? bits_for((uint64_t)groups - 1 ? groups - 1 : 1) : 0; }

/* Rows before the one that is being told; that one stays as it is. */
int graph_regroup(struct graph *g, uint32_t groups) {
  struct graph wide;
  if (bits_for_groups(groups) <= g->group_bits) return 0;
  graph_open(&wide, g->mem, groups);
  uint64_t rows = g->loose ? g->place.size / sizeof(uint64_t) : g->rows;
  int bad = 0;
  for (uint64_t s = 0; s < rows && !bad; s++) {
    struct graph_edges e = graph_edges(g, s);
    if (g->loose && !graph_more(&e)) continue;
    bad = graph_begin(&wide, s);
    while (!bad && graph_more(&e)) {
      uint32_t group, t = graph_next(&e, &group);
      bad = graph_edge(&wide, t, group);
    }
    bad = bad || graph_end(&wide);
  }
  if (bad) {
    graph_close(&wide);
    return -1;
  }
  struct graph old = *g;
  *g = wide;
  g->told.at = old.told.at, g->told.count = old.told.count, g->told.room = old.told.room;
  old.told.at = wide.told.at, old.told.count = wide.told.count, old.told.room = wide.told.room;
  g->telling = old.telling;
  g->states = old.states;
  g->edges = old.edges;
  graph_close(&old);
  return 0;
}

/* ---- turning ------------------------------------------------------------------------------------------------------------------- */

enum { WIDTH_AT = 58 }; /* of the words below: the width lies above what is counted */

size_t graph_turn_bytes(const struct graph *g) {
  unsigned width = bits_for(2 * g->states) + 1;
  return (size_t)(g->edges * (width + g->group_bits) / 8 + g->states * 4 + (g->states + 1) * sizeof(uint64_t)) + 65536;
}

/* First the edges into each state are counted, with the width that the farthest needs; then rows get their places; then each edge goes to the next place of its row. */
int graph_turn(struct graph *out, const struct graph *g, int with_groups, struct mem *mem) {
  graph_open(out, mem, 0);
  out->group_bits = with_groups ? g->group_bits : 0;
  uint64_t *next = mem_alloc(mem, MEM_SEARCH, (size_t)(g->states + 1) * sizeof *next), low = bits_mask(WIDTH_AT);
  int bad = !next;
  for (uint64_t s = 0; !bad && s < g->states; s++)
    for (struct graph_edges e = graph_edges(g, s); graph_more(&e);) {
      uint32_t t = graph_next(&e, NULL);
      uint64_t now = next[t], width = bits_for(graph_far(t, s) | 1);
      next[t] = ((now & low) + 1) | (now >> WIDTH_AT > width ? now >> WIDTH_AT : width) << WIDTH_AT;
    }
  for (uint64_t s = 0; !bad && s < g->states; s++) {
    uint64_t width = next[s] >> WIDTH_AT, count = next[s] & low, size = count ? GRAPH_HEAD + count * (width + out->group_bits) : 0;
    bad = begin_row(out, s, count, size);
    if (bad || !count) continue;
    put(out, out->end, width);
    next[s] = (out->end + GRAPH_HEAD) | width << WIDTH_AT;
    out->end += size;
  }
  for (uint64_t s = 0; !bad && s < g->states; s++)
    for (struct graph_edges e = graph_edges(g, s); graph_more(&e);) {
      uint32_t group, t = graph_next(&e, &group);
      uint64_t at = next[t] & low, width = next[t] >> WIDTH_AT;
      put(out, at, graph_far(t, s));
      if (out->group_bits) put(out, at + width, group);
      next[t] += width + out->group_bits;
    }
  mem_free(mem, next);
  out->states = out->rows = g->states;
  out->edges = g->edges;
  if (bad) graph_close(out);
  return bad ? -1 : 0;
}

/* ---- life ----------------------------------------------------------------------------------------------------------------------- */

void graph_open(struct graph *g, struct mem *mem, uint32_t groups) {
  *g = (struct graph){.mem = mem, .telling = UINT64_MAX, .group_bits = bits_for_groups(groups)};
  struct region *const all[] = {&g->bits, &g->base, &g->small, &g->wide, &g->place};
  for (size_t i = 0; i < 5; i++) region_open(all[i], mem, MEM_SEARCH);
}

void graph_close(struct graph *g) {
  if (!g->mem) return;
  struct region *const all[] = {&g->bits, &g->base, &g->small, &g->wide, &g->place};
  for (size_t i = 0; i < 5; i++) region_close(all[i]);
  vec_free(&g->told, g->mem);
  *g = (struct graph){0};
}

void graph_forget(struct graph *g) {
  struct mem *mem = g->mem;
  unsigned group_bits = g->group_bits;
  graph_close(g);
  graph_open(g, mem, 0);
  g->group_bits = group_bits;
}

size_t graph_bytes(const struct graph *g) { return g->bits.held + g->base.held + g->small.held + g->wide.held + g->place.held + g->told.room * sizeof *g->told.at; }
