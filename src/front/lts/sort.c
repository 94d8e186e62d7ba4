/* sort.c -- edges by source, stable: counting sort, one column at a time.
 *
 * Most files are sorted already and cost one pass.  Otherwise the column of sources is turned
 * into the column of destinations, and every other column is moved through one spare. */
#include "front/lts/graph.h"

#include <string.h>

/* Moves a column to the places given by `to`. */
static int move(struct region *column, const uint32_t *to, uint32_t edges) {
  struct region spare;
  region_open(&spare, column->mem, column->tag);
  if (region_resize(&spare, edges * sizeof(uint32_t))) return -1;
  const uint32_t *from = lts_column(column);
  uint32_t *moved = lts_column(&spare);
  for (uint32_t i = 0; i < edges; i++) moved[to[i]] = from[i];
  region_close(column);
  *column = spare;
  return 0;
}

int lts_sort(struct lts *g) {
  uint32_t *source = lts_column(&g->source), last = 0, sorted = 1;
  struct region *columns[] = {&g->target, &g->label};
  for (uint32_t i = 0; i < g->edges; i++) {
    if (i && source[i] < source[i - 1]) sorted = 0;
    if (source[i] > last) last = source[i];
  }
  g->rows = g->edges ? last + 1 : 0; /* a state number is below 2^32-1, so this fits */
  if (region_resize(&g->offset, ((size_t)g->rows + 1) * sizeof(uint32_t))) return -1;
  uint32_t *offset = lts_column(&g->offset);
  for (uint32_t i = 0; i < g->edges; i++) offset[source[i] + 1]++;
  for (size_t s = 0; s < g->rows; s++) offset[s + 1] += offset[s];
  if (!sorted) {
    for (uint32_t i = 0; i < g->edges; i++) source[i] = offset[source[i]]++; /* now: where the edge goes */
    memmove(offset + 1, offset, g->rows * sizeof *offset);
    offset[0] = 0;
    for (int c = 0; c < 2; c++)
      if (move(columns[c], source, g->edges)) return -1;
  }
  region_close(&g->source);
  for (int c = 0; c < 2; c++)
    if (region_resize(columns[c], g->edges * sizeof(uint32_t))) return -1;
  return 0;
}
