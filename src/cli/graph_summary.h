/* graph_summary.h -- thimble graph --summary. */
#ifndef CLI_GRAPH_SUMMARY_H
#define CLI_GRAPH_SUMMARY_H

#include "cli/session.h"
#include "run/run.h"

/* Explores session->model and writes, unless the verdict is not complete (close it). 0, or -1 with session->err. */
int graph_summary(struct session *, const struct run_setup *, FILE *, struct verdict *);

#endif
