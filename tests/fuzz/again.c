/* again.c -- a fuzz target without a fuzzer: takes every file of the folders that it is given, as it is and a little damaged.
 *
 * What fuzzing found once is looked at again every day, with whatever compiler and sanitizer there is; new ways are found by libFuzzer and AFL++ (run.t, campaign).
 * The damage is seeded by the file's bytes: the same every time. */
#include "demand.h"

#include "base/hash.h"
#include "base/rng.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

enum { MOST = 1 << 20, DAMAGED = 4, LONGEST = 200 /* seconds for a file: what takes longer ends it, too */ };
static uint8_t whole[MOST], other[MOST];

static size_t read_file(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "rb");
  demand(f);
  size_t n = fread(whole, 1, MOST, f);
  fclose(f);
  return n;
}

/* Some bytes become others, some are left out, or a piece stands twice. */
static size_t damage(struct rng *r, size_t n) {
  memcpy(other, whole, n);
  for (uint64_t times = 1 + rng_below(r, 4); times-- && n > 1;) {
    size_t at = (size_t)rng_below(r, n), length = 1 + (size_t)rng_below(r, n - at < 32 ? n - at : 32);
    switch (rng_below(r, 4)) {
    case 0: other[at] = (uint8_t)rng_next(r); break;
    case 1: other[at] ^= (uint8_t)(1u << rng_below(r, 8)); break;
    case 2:
      memmove(other + at, other + at + length, n - at - length);
      n -= length;
      break;
    default:
      if (n + length > MOST) break;
      memmove(other + at + length, other + at, n - at);
      n += length;
    }
  }
  return n;
}

int main(int argc, char **argv) {
  size_t files = 0, runs = 0;
  for (int i = 1; i < argc; i++) {
    DIR *folder = opendir(argv[i]);
    demand(folder);
    for (struct dirent *e; (e = readdir(folder));) {
      if (e->d_name[0] == '.') continue;
      size_t n = read_file(argv[i], e->d_name);
      fprintf(stderr, "%s\n", e->d_name); /* the last one is at fault if it ends here */
      alarm(LONGEST);
      LLVMFuzzerTestOneInput(whole, n);
      files++;
      struct rng r = {hash_bytes(whole, n)};
      for (int k = 0; k < DAMAGED; k++, runs++) LLVMFuzzerTestOneInput(other, damage(&r, n));
    }
    closedir(folder);
  }
  fprintf(stderr, "%zu files, %zu damaged\n", files, runs); /* some targets keep standard output to themselves */
  return files ? 0 : 1;
}
