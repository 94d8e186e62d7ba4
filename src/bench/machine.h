/* machine.h -- on what a bench was run. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdint.h>

struct machine {
  char host[128], cpu[160], kernel[160];
  long cores;
  uint64_t memory;  /* what the machine or container has */
  char build[20];   /* hash of a program, hexadecimal: two builds of one version differ */
};

void machine_describe(struct machine *);
/* 0, or -1: the file cannot be read. */
int machine_build(struct machine *, const char *program);

#endif
