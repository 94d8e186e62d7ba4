/* signals.c -- see signals.h. */
#include "cli/signals.h"

#include "cli/session.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int signalled;  /* the first one: SIGINT, SIGTERM, SIGHUP, SIGXCPU, or SIGALRM while
                                   a model is read */
static volatile int wakes = -1; /* the descriptor */

static void note(int signal) {
  int before = errno;
  if (!signalled) signalled = signal;
  if (wakes >= 0 && signal != SIGALRM && write(wakes, &(uint64_t){1}, sizeof(uint64_t)) < 0)
    signalled = signal;
  errno = before;
}

int signals_descriptor(void) {
  if (wakes < 0) wakes = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return wakes;
}

static void watch(int calls_go_on) {
  struct sigaction a, before;
  memset(&a, 0, sizeof a);
  a.sa_handler = note;
  a.sa_flags =
      calls_go_on | (int)SA_RESETHAND; /* the second one finds the default action: it kills */
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
  a.sa_flags = calls_go_on; /* these come more than once: a closed terminal tells shell and jobs,
                               and a limit of processor time tells every second */
  sigaction(SIGXCPU, &a, NULL);
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &a, NULL); /* nohup */
}

const volatile int *signals_watch(void) {
  if (!signalled) watch(SA_RESTART);
  return &signalled;
}

/* Fires once, and not at all with 0. */
static void set_timer(double seconds) {
  struct itimerval t = {
      .it_value = {(time_t)seconds, (suseconds_t)((seconds - floor(seconds)) * 1e6)}};
  setitimer(ITIMER_REAL, &t, NULL);
}

void signals_begin_reading(struct session *s, double seconds) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_handler = note;
  sigaction(SIGALRM, &a, NULL);
  watch(0);
  if (seconds > 0) set_timer(seconds < 1e-3 ? 1e-3 : seconds > 1e8 ? 1e8 : seconds);
  s->mem.stop = &signalled;
}

int signals_end_reading(struct session *s) {
  set_timer(0);
  s->mem.stop = NULL;
  int first = signalled;
  if (first == SIGALRM)
    signalled = 0; /* if there is a model after all, the search looks at its own clock */
  return first;
}
