/* explore.h -- exploring into a graph writer: shared by graph and convert. */
#ifndef CLI_EXPLORE_H
#define CLI_EXPLORE_H

#include "cli/session.h"
#include "report/graph_file.h"

struct explored {
  struct verdict verdict; /* close it */
  int cut;                /* something is missing */
};

/* Writes the graph of session->model. 0, or -1 with session->err. */
int explore_graph(struct session *, const struct graph_type *, FILE *, struct explored *);

#endif
