/* explore.h -- exploring into a graph writer: shared by graph and convert. */
#ifndef CLI_EXPLORE_H
#define CLI_EXPLORE_H

#include "cli/session.h"
#include "report/graph_file.h"
#include "run/run.h"

/* How the graph is explored: breadth-first, or --search sweep along --progress-measure. */
struct explore_way {
  const struct search_type *search;
  struct expr *measure;
  struct progress *progress; /* NULL = what the model tells */
};
int explore_way_open(struct explore_way *, struct session *); /* 0, or -1 with session->err */
void explore_way_close(struct explore_way *);
/* What is said of a graph in which states stand several times; NULL = nothing. */
const char *explore_unfolded(const struct verdict *);

struct explored {
  struct verdict verdict; /* close it */
  int cut;                /* something is missing */
};

/* Writes the graph of session->model. 0, or -1 with session->err. */
int explore_graph(struct session *, const struct graph_type *, const struct explore_way *, FILE *, struct explored *);

#endif
