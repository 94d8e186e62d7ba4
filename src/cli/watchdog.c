/* watchdog.c -- see watchdog.h.
 *
 * The thread waits in ppoll for two descriptors, the one of signals and the one of watchdog_end, so
 * it costs nothing while it waits. Speaking may hang as well (standard output is a pipe that nobody
 * reads, or the command was stopped while it held a lock that speaking needs): an alarm ends the
 * process then, without words. */
#define _GNU_SOURCE
#include "cli/watchdog.h"

#include "cli/outfile.h"
#include "cli/signals.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define GRACE 0.85 /* a second, less what starting and speaking take */
#define SPEAKING 3 /* seconds */
#define STACK ((size_t)1 << 20)
#define LONGEST 1e9

static struct {
  pthread_t thread;
  pthread_mutex_t held;
  int there, ended; /* `ended` under `held` */
  int wakes;        /* readable: watchdog_end was called */
  double seconds, patience;
  watchdog_words *say;
  void *context;
} dog = {.held = PTHREAD_MUTEX_INITIALIZER};

static volatile sig_atomic_t code_if_mute;

static void end_mute(int signal) {
  (void)signal;
  _exit(code_if_mute);
}

/* Waits so long at most (negative: for ever) for the end of the command, and for a signal where one
   counts. Returns 1 when the command has ended, 2 when a signal came, 0 when time is over. */
static int wait_for(double seconds, int signals) {
  struct pollfd fd[2] = {{.fd = dog.wakes, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  for (;;) {
    int n = ppoll(fd, signals >= 0 ? 2 : 1, seconds < 0 ? NULL : &t, NULL);
    if (n == 0) return 0;
    if (n > 0) return fd[0].revents ? 1 : 2;
  }
}

static void speak(enum search_stop why) {
  pthread_mutex_lock(&dog.held);
  if (dog.ended) {
    pthread_mutex_unlock(&dog.held);
    return;
  }
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  code_if_mute = why == STOP_INTERRUPT ? 130 : 4;
  signal(SIGALRM, end_mute);
  pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
  alarm(SPEAKING);
  outfile_forget_all();
  int code = dog.say(dog.context, why);
  fflush(stdout);
  _exit(code);
}

static double patience(void) {
  watchdog_hold();
  double seconds = dog.patience;
  watchdog_let_go();
  return seconds;
}

/* Patience may grow while it is tried. 1: the command has ended. */
static int wait_patiently(void) {
  for (double waited = 0, more; (more = patience() - waited) > 0; waited += more)
    if (wait_for(more, -1)) return 1;
  return 0;
}

static void *watch(void *nothing) {
  int what = wait_for(dog.seconds > 0 ? dog.seconds : -1, signals_descriptor());
  if (what != 1 && !wait_patiently()) speak(what == 2 ? STOP_INTERRUPT : STOP_TIME);
  return nothing;
}

/* Signals are for the thread that works: calls in which it waits end by them. */
static int start(void) {
  pthread_attr_t how;
  sigset_t all, before;
  if (pthread_attr_init(&how)) return -1;
  pthread_attr_setstacksize(&how, STACK);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int bad = pthread_create(&dog.thread, &how, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&how);
  return bad ? -1 : 0;
}

void watchdog_begin(double seconds, watchdog_words *say, void *context) {
  if (dog.there) return;
  dog.wakes = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (dog.wakes < 0 || signals_descriptor() < 0) return;
  dog.seconds = seconds < LONGEST ? seconds : LONGEST;
  dog.patience = GRACE;
  dog.say = say;
  dog.context = context;
  dog.ended = 0;
  dog.there = start() == 0;
}

void watchdog_say(watchdog_words *say, void *context) {
  watchdog_hold();
  dog.say = say;
  dog.context = context;
  watchdog_let_go();
}

void watchdog_patience(double seconds) {
  watchdog_hold();
  dog.patience = seconds;
  watchdog_let_go();
}

void watchdog_hold(void) { pthread_mutex_lock(&dog.held); }
void watchdog_let_go(void) { pthread_mutex_unlock(&dog.held); }

void watchdog_end(void) {
  if (!dog.there) return;
  watchdog_hold();
  dog.ended = 1;
  watchdog_let_go();
  if (write(dog.wakes, &(uint64_t){1}, sizeof(uint64_t)) == (ssize_t)sizeof(uint64_t))
    pthread_join(dog.thread, NULL);
  close(dog.wakes);
  dog.there = 0;
}
