/* latency.c -- what a random access costs on this machine, prefetched in batches as a store does it:
 * nanoseconds for tables of 50 MB, 400 MB and 3 GB.  The floor under every lookup of bench/net. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { BATCH = 192, ACCESSES = 30000000, HUGE = 2 << 20 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double measure(size_t bytes) {
  char *raw = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return -1;
  char *table = raw + (HUGE - (uintptr_t)raw % HUGE) % HUGE;
  madvise(table, bytes, MADV_HUGEPAGE);
  memset(table, 1, bytes);
  uint64_t at[BATCH], state = 1, sum = 0;
  double begin = now();
  for (long i = 0; i < ACCESSES / BATCH; i++) {
    for (int k = 0; k < BATCH; k++) {
      at[k] = (uint64_t)((unsigned __int128)next(&state) * bytes >> 64) & ~(uint64_t)3;
      __builtin_prefetch(table + at[k]);
    }
    for (int k = 0; k < BATCH; k++) sum += *(uint32_t *)(void *)(table + at[k]);
  }
  double seconds = now() - begin;
  munmap(raw, bytes + HUGE);
  return sum ? seconds / ACCESSES * 1e9 : -1;
}

int main(void) {
  static const size_t megabytes[] = {50, 400, 3000};
  for (size_t i = 0; i < sizeof megabytes / sizeof *megabytes; i++)
    printf("%5zu MB  %5.1f ns per access\n", megabytes[i], measure(megabytes[i] << 20));
  return 0;
}
