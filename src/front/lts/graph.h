/* graph.h -- the graph in memory: compressed rows.
 *
 *   offset[s] .. offset[s+1]     the edges of state s; states from `rows` on have none
 *   target[e]  label[e]           8 bytes per edge
 *
 * Each column is a region, so that it grows in place while the file is read: the number of
 * edges that the file announces is never trusted with an allocation. */
#ifndef FRONT_LTS_GRAPH_H
#define FRONT_LTS_GRAPH_H

#include "base/mem.h"
#include "base/vec.h"
#include "front/front.h"
#include "net/names.h"

struct lts {
  struct model model;
  struct arena arena; /* labels, file name */
  uint32_t states, initial, edges, rows;
  struct region offset, source, target, label; /* of uint32_t; source only while reading */
  struct names labels;
  struct vec(uint32_t) line; /* of the first edge in the file that has this label */
};

static inline uint32_t *lts_column(const struct region *r) { return (uint32_t *)(void *)r->base; }
static inline uint32_t lts_row(const struct lts *g, uint32_t state) {
  return state < g->rows ? lts_column(&g->offset)[state] : g->edges;
}
static inline uint32_t lts_row_end(const struct lts *g, uint32_t state) {
  return state < g->rows ? lts_column(&g->offset)[state + 1] : g->edges;
}

extern const struct model_type lts_type;

/* read.c: fills states, initial, edges and the columns, in the order of the file. */
int lts_read(struct lts *, const struct front_setup *, struct err *);
/* sort.c: rows and offsets; edges by source. 0, or -1: memory. */
int lts_sort(struct lts *);

#endif
