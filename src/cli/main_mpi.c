/* main_mpi.c -- thimble-mpi: the same command line in every process of a run.
 *
 * All ranks read the options and the model and make the same run; their searches are one (mpi/spread.h).  Rank 0 tells the verdict and gives the exit code.  The others say nothing: what goes wrong with one of them alone is
 * told by rank 0, with its name. */
#include "cli/program.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "mpi/keep.h"
#include "mpi/liveness.h"
#include "mpi/spread.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say_nothing(void) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  if (!getenv("THIMBLE_RANKS_TALK")) dup2(nowhere, STDERR_FILENO); /* for those who look for our own mistakes */
  close(nowhere);
}

int main(int argc, char **argv) {
  struct ranks *ranks;
  int bad = ranks_open(&ranks, &argc, &argv);
  if (bad == RANKS_NO_MPI) {
    fprintf(stderr, "thimble-mpi: MPI cannot be started\n");
    return EXIT_INTERNAL;
  }
  if (bad) {
    if (!ranks_self(ranks)) fprintf(stderr, "thimble-mpi: no memory to know the ranks\n");
    return ranks_close(ranks, EXIT_INCOMPLETE);
  }
  ranks_watch(ranks, signals_watch());
  if (ranks_self(ranks)) say_nothing();
  struct run_spread spread = {.search = &search_spread, .ranks = ranks, .self = ranks_self(ranks), .count = ranks_count(ranks), .tells = ranks_self(ranks) == 0, .neighbours = ranks_neighbours(ranks), .agree = ranks_agree, .share = spread_share, .same_moment = keep_same_moment, .liveness = spread_liveness};
  int code = program_run(argc, argv, &spread), lost = ranks_lost(ranks);
  if (lost == 0) fprintf(stderr, "thimble-mpi: rank 0 is gone: there is no verdict\n");
  return ranks_close(ranks, code);
}
