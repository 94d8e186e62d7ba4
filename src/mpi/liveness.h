/* liveness.h -- properties of runs, decided by several processes (run/run.h: spread). */
#ifndef MPI_LIVENESS_H
#define MPI_LIVENESS_H

#include "mpi/spread.h"
#include "run/liveness.h"

int spread_liveness(struct liveness *out, const struct run_setup *, const struct temporal *, const struct search_limits *, struct err *);

#endif
