/* program.h -- the command line as a whole, for the programs that have it: thimble and thimble-mpi. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

struct run_spread;

/* The exit code. spread: one of several processes of a run; NULL = this one alone. */
int program_run(int argc, char **argv, const struct run_spread *spread);

#endif
