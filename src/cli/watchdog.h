/* watchdog.h -- no command outlives --time or a signal.
 *
 * Whatever takes long looks at the clock and at the flag of signals itself and comes to an orderly
 * end. The watchdog is for what does not: a thread that sleeps until the time is over or a signal
 * has come, waits a little longer (GRACE), and if the command has not come to its end by then, it
 * says the command's last words (what was answered so far, and that the rest was not) and ends the
 * process.
 *
 * The command goes on working meanwhile, so last words may only read what was published for them:
 * whoever publishes holds the watchdog (watchdog_hold), and the thread speaks while it holds
 * itself.
 *
 * There is one per process, as there is one set of signals. */
#ifndef CLI_WATCHDOG_H
#define CLI_WATCHDOG_H

#include "search/search.h"

/* Says them and returns the exit code. `why` is STOP_TIME or STOP_INTERRUPT. */
typedef int watchdog_words(void *context, enum search_stop why);

/* `seconds` from now; 0: only signals. Where there is no thread to be had there is no watchdog. */
void watchdog_begin(double seconds, watchdog_words *, void *context);
/* Other words from now on. */
void watchdog_say(watchdog_words *, void *context);
/* Instead of GRACE, from now on: what a run has found is worth some seconds of writing. */
#define WATCHDOG_WRITING 10
void watchdog_patience(double seconds);

void watchdog_hold(void);
void watchdog_let_go(void);

/* The command has come to its end and has the last word itself. Does not return if the watchdog is
   speaking. May be called when there is none, and more than once. */
void watchdog_end(void);

#endif
