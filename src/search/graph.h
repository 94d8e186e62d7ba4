/* graph.h -- the condensed reachability graph: states are numbers, the edges of a state a bit array.
 *
 * Kept are edges alone, in the order in which the model makes them, so that an edge's index costs nothing and names the step; a full state is made again by stepping
 * (graph_walk.h).  The layout and what it costs: graph.c.
 *
 * Any search may tell it, by numbers: graph_begin, graph_edge for every successor, graph_end.  Rows in the order of their numbers (breadth-first search) take the fewest
 * bytes; any other order is fine (a sweep expands states by progress).  A state that a search has forgotten and meets again is told under a new number: the graph is
 * then an unfolding of the real one, bisimilar to it, so that temporal formulas do not notice.
 *
 *   for (struct graph_edges e = graph_edges(g, s); graph_more(&e);) { uint32_t group, t = graph_next(&e, &group); ... }
 *
 * Laws (tests/unit/graph.c): what is put in comes out, in order; the turned graph has the same edges; a refused request leaves the rows told before. */
#ifndef SEARCH_GRAPH_H
#define SEARCH_GRAPH_H

#include "base/bits.h"
#include "base/vec.h"

#include <string.h>

enum { GRAPH_HEAD = 6, GRAPH_BLOCK = 32, GRAPH_PLACE = 40 };
#define GRAPH_WIDE (UINT64_C(1) << 63)

struct graph_told { /* an edge of the row that is being told */
  uint32_t target, group;
};

struct graph {
  struct mem *mem;
  uint64_t states, edges;
  unsigned group_bits; /* of each edge: for its group; 0 = groups are not kept */
  struct region bits;  /* the rows */
  uint64_t end;        /* bits in use */
  uint64_t rows;       /* in order: so many have been told, those from here on have no edges */
  struct region base, small, wide; /* where rows begin, if they came in order: see graph.c */
  struct region place;             /* where they begin otherwise: bit, and number of edges from bit GRAPH_PLACE on */
  int loose;                       /* otherwise */
  struct vec(struct graph_told) told;
  uint64_t telling; /* whose row that is; UINT64_MAX = nobody's */
};

/* `groups`: how many there are, if they are to be kept; else 0. */
void graph_open(struct graph *, struct mem *, uint32_t groups);
void graph_close(struct graph *);  /* also of a zeroed struct */
void graph_forget(struct graph *); /* empty, as when it was opened */
/* One row after another, each state once. 0, or -1: memory, or more than 2^32 - 1 states. A row that is begun and not ended is not there. */
int graph_begin(struct graph *, uint64_t state);
int graph_edge(struct graph *, uint64_t target, uint32_t group);
int graph_end(struct graph *);
/* Groups up to this number are to have room: rows are written anew where they need more bits than before. 0, or -1: memory. */
int graph_regroup(struct graph *, uint32_t groups);
/* The same edges the other way round, in time linear in them. 0, or -1: memory. */
int graph_turn(struct graph *out, const struct graph *, int with_groups, struct mem *);
/* What turning needs at its peak, and what is left of it afterwards, in bytes; not less than the truth. */
size_t graph_turn_bytes(const struct graph *);
size_t graph_bytes(const struct graph *);

/* ---- reading ---- */

static inline uint64_t graph_load(const uint8_t *bits, uint64_t at) { /* at least 57 bits from there on */
  uint64_t word;
  memcpy(&word, bits + at / 8, sizeof word);
  return word >> at % 8;
}

/* Where the row of a state begins, in a graph whose rows are in order. */
static inline uint64_t graph_row(const struct graph *g, uint64_t state) {
  uint64_t base = ((const uint64_t *)(const void *)g->base.base)[state / GRAPH_BLOCK];
  if (base & GRAPH_WIDE) return ((const uint64_t *)(const void *)g->wide.base)[(base & ~GRAPH_WIDE) + state % GRAPH_BLOCK];
  return base + ((const uint16_t *)(const void *)g->small.base)[state];
}

struct graph_edges {
  const uint8_t *bits;
  uint64_t at, end, source;
  unsigned width, group_bits;
};

/* The edges of a state from the place `at` on (where another walk through them stopped: its `at`); 0 = all. */
static inline struct graph_edges graph_edges_from(const struct graph *g, uint64_t state, uint64_t at) {
  struct graph_edges e = {.bits = g->bits.base, .source = state, .group_bits = g->group_bits};
  uint64_t begin;
  if (g->loose) {
    if (state >= g->place.size / sizeof(uint64_t)) return e;
    uint64_t place = ((const uint64_t *)(const void *)g->place.base)[state], count = place >> GRAPH_PLACE;
    if (!count) return e;
    begin = place & bits_mask(GRAPH_PLACE);
    e.width = (unsigned)(graph_load(e.bits, begin) & bits_mask(GRAPH_HEAD));
    e.end = begin + GRAPH_HEAD + count * (e.width + e.group_bits);
  } else {
    if (state >= g->rows) return e;
    begin = graph_row(g, state);
    e.end = graph_row(g, state + 1);
    if (begin == e.end) return (struct graph_edges){.source = state};
    e.width = (unsigned)(graph_load(e.bits, begin) & bits_mask(GRAPH_HEAD));
  }
  e.at = at ? at : begin + GRAPH_HEAD;
  return e;
}

static inline struct graph_edges graph_edges(const struct graph *g, uint64_t state) { return graph_edges_from(g, state, 0); }
static inline int graph_more(const struct graph_edges *e) { return e->at < e->end; }
static inline uint32_t graph_left(const struct graph_edges *e) { return e->at < e->end ? (uint32_t)((e->end - e->at) / (e->width + e->group_bits)) : 0; }

/* Numbers are kept as the distance from the source, its sign in the last bit. */
static inline uint64_t graph_far(uint64_t source, uint64_t target) { return target >= source ? (target - source) << 1 : ((source - target) << 1) - 1; }
static inline uint64_t graph_near(uint64_t source, uint64_t far) { return far & 1 ? source - (far + 1) / 2 : source + far / 2; }

/* `group` may be NULL. */
static inline uint32_t graph_next(struct graph_edges *e, uint32_t *group) {
  uint64_t far = graph_load(e->bits, e->at) & bits_mask(e->width);
  if (group) *group = e->group_bits ? (uint32_t)(graph_load(e->bits, e->at + e->width) & bits_mask(e->group_bits)) : 0;
  e->at += e->width + e->group_bits;
  return (uint32_t)graph_near(e->source, far);
}

static inline uint32_t graph_degree(const struct graph *g, uint64_t state) {
  struct graph_edges e = graph_edges(g, state);
  return graph_left(&e);
}

#endif
