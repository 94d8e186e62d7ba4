/* signals.h -- Ctrl-C, SIGTERM, a terminal that is closed (SIGHUP) and a limit of processor time
 * (SIGXCPU).
 *
 * A signal sets a flag, which whoever works looks at. The second Ctrl-C or SIGTERM kills. Until
 * signals_watch is called the first one does. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

struct session;

/* The flag: 0, or the number of the first signal. */
const volatile int *signals_watch(void);

/* The same, and --time, while a model is read. Readers do not look at the flag, but all of them ask
   for memory again and again, and are refused once it is set. A read that waits (for a pipe, for a
   terminal) ends, too. `seconds` 0: no limit of time. */
void signals_begin_reading(struct session *, double seconds);
/* 0, or the signal that came; SIGALRM: the time is over. */
int signals_end_reading(struct session *);

/* A descriptor that becomes readable as soon as a signal has come; -1: none could be had. */
int signals_descriptor(void);

#endif
