/* graph_file.h -- the reachability graph, written while it is explored.
 *
 * A graph writer is a listener.  It keeps one or two bits per state (expanded, dead) to mark
 * deadlocks and the cut frontier; states and edges go out at once.  What a format wants at
 * the end or in its header waits in an unnamed temporary file. */
#ifndef REPORT_GRAPH_FILE_H
#define REPORT_GRAPH_FILE_H

#include "search/graph.h"
#include "search/search.h"
#include "search/verdict.h"

#include <stdio.h>

struct graph_file;
struct graph_type {
  const char *name, *summary;
  int spools; /* edges wait in the temporary file */
  void (*begin)(struct graph_file *);
  void (*state)(struct graph_file *, const struct search_event *); /* its words may be NULL: nothing is known but the number */
  void (*edge)(struct graph_file *, uint64_t from, uint64_t to, const char *label);
  void (*end)(struct graph_file *, const struct verdict *);
};
extern const struct graph_type *const graph_types[]; /* NULL-terminated, default first */
const struct graph_type *graph_find_type(const char *name);

struct graph_file {
  struct listener listener;
  const struct graph_type *type;
  const struct model *model;
  struct mem *mem;
  FILE *out;
  FILE *spool;
  uint64_t limit;         /* states from this number on are left out; 0 = none */
  uint64_t states, edges; /* written */
  struct region flags;    /* one byte per state: set of enum graph_flag */
  int no_depths;          /* the search does not know how deep states are */
  int failed;             /* out of memory, or a stream did */
  int cut;                /* some state is not expanded or has edges that were left out */
};
enum graph_flag { GRAPH_EXPANDED = 1, GRAPH_DEAD = 2, GRAPH_CUT = 4 };

int graph_file_open(struct graph_file *, const struct graph_type *, const struct model *, FILE *out, uint64_t limit, struct mem *,
               struct err *);
/* After the run: closes the graph's text. 0, or -1 with err: the stream or the memory did not suffice. */
int graph_file_finish(struct graph_file *, const struct verdict *, struct err *);
void graph_file_close(struct graph_file *);

/* A graph that is there: its groups are labels. The same as open, a run that tells all of it, finish and close. */
int graph_file_write(const struct graph_type *, const struct model *, const struct graph *, const char *const *label, FILE *out, struct mem *, struct err *);

/* For the formats. */
unsigned graph_file_flags(const struct graph_file *, uint64_t state); /* at the end; states never expanded are GRAPH_CUT */
int graph_file_append_spool(struct graph_file *);                     /* copies the temporary file to the output */
/* Calls `each` for the variables that are not zero; returns how many there are. */
size_t graph_file_values(const struct graph_file *, const uint32_t *words,
                    void (*each)(struct graph_file *, uint32_t var, int64_t value, size_t nth));

/* A decimal number, quickly: most of a large graph's text is that. */
void graph_file_number(FILE *, uint64_t);

#endif
