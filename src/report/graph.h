/* graph.h -- the reachability graph, written while it is explored.
 *
 * A graph writer is a listener.  It keeps one or two bits per state (expanded, dead) to mark
 * deadlocks and the cut frontier; states and edges go out at once.  What a format wants at
 * the end or in its header waits in an unnamed temporary file. */
#ifndef REPORT_GRAPH_H
#define REPORT_GRAPH_H

#include "search/search.h"
#include "search/verdict.h"

#include <stdio.h>

struct graph;
struct graph_type {
  const char *name, *summary;
  int spools; /* edges wait in the temporary file */
  void (*begin)(struct graph *);
  void (*state)(struct graph *, const struct search_event *);
  void (*edge)(struct graph *, const struct search_event *);
  void (*end)(struct graph *, const struct verdict *);
};
extern const struct graph_type *const graph_types[]; /* NULL-terminated, default first */
const struct graph_type *graph_find_type(const char *name);

struct graph {
  struct listener listener;
  const struct graph_type *type;
  const struct model *model;
  struct mem *mem;
  FILE *out;
  FILE *spool;
  uint64_t limit;         /* states from this number on are left out; 0 = none */
  uint64_t states, edges; /* written */
  struct region flags;    /* one byte per state: set of enum graph_flag */
  int failed;             /* out of memory, or a stream did */
  int cut;                /* some state is not expanded or has edges that were left out */
};
enum graph_flag { GRAPH_EXPANDED = 1, GRAPH_DEAD = 2, GRAPH_CUT = 4 };

int graph_open(struct graph *, const struct graph_type *, const struct model *, FILE *out, uint64_t limit, struct mem *,
               struct err *);
/* After the run: closes the graph's text. 0, or -1 with err: the stream or the memory did not suffice. */
int graph_finish(struct graph *, const struct verdict *, struct err *);
void graph_close(struct graph *);

/* For the formats. */
unsigned graph_flags(const struct graph *, uint64_t state); /* at the end; states never expanded are GRAPH_CUT */
int graph_append_spool(struct graph *);                     /* copies the temporary file to the output */
/* Calls `each` for the variables that are not zero; returns how many there are. */
size_t graph_values(const struct graph *, const uint32_t *words,
                    void (*each)(struct graph *, uint32_t var, int64_t value, size_t nth));

#endif
