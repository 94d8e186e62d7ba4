/* tap.h -- the Test Anything Protocol in one page: prove reads it.
 *
 *   #include "tap.h"
 *   int main(void) { ok(1 + 1 == 2, "sums"); is(3, 3, "numbers"); return done(); } */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int tap_run, tap_failed;

__attribute__((unused)) static int tap_say(int good, const char *file, int line, const char *what) {
  printf("%sok %d - %s\n", good ? "" : "not ", ++tap_run, what);
  if (!good) {
    tap_failed++;
    printf("#   at %s line %d\n", file, line);
  }
  fflush(stdout);
  return good;
}

#define ok(condition, what) tap_say(!!(condition), __FILE__, __LINE__, what)
#define is(got, want, what)                                                                                                      \
  do {                                                                                                                           \
    long long got_ = (long long)(got), want_ = (long long)(want);                                                                \
    if (!tap_say(got_ == want_, __FILE__, __LINE__, what)) printf("#   got %lld, want %lld\n", got_, want_);                     \
  } while (0)
#define is_text(got, want, what)                                                                                                 \
  do {                                                                                                                           \
    const char *got_ = (got), *want_ = (want);                                                                                   \
    if (!tap_say(got_ && want_ && strcmp(got_, want_) == 0, __FILE__, __LINE__, what))                                           \
      printf("#   got \"%s\"\n#   want \"%s\"\n", got_ ? got_ : "(null)", want_ ? want_ : "(null)");                             \
  } while (0)
#define skip(what, why) printf("ok %d - %s # SKIP %s\n", ++tap_run, what, why)

/* Where thousands of tiny files may lie: in memory if that can be, since every commit of a checkpoint waits for a disk. */
__attribute__((unused)) static const char *scratch(void) {
  const char *temporary = getenv("TMPDIR");
  return temporary ? temporary : access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
}

/* How many random cases: so many every day, ten times as many in make test-long. */
__attribute__((unused)) static int often(int everyday) { return getenv("THIMBLE_LONG") ? 10 * everyday : everyday; }

/* Seconds of this process's own work: does not mind other tests at the same time. */
__attribute__((unused)) static double cpu_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

__attribute__((unused)) static int done(void) {
  printf("1..%d\n", tap_run);
  return tap_failed != 0;
}

#endif
