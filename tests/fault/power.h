/* power.h -- what a power cut takes: bytes that were written to files and never synced.
 *
 * Of each write the bytes that stood there before are remembered until its file is synced.  When the power goes (FAULT_KILL=power), some of the writes are taken back, each by the throw of a seeded coin or, every second seed, all of
 * them: old bytes stand there again, and zeros where the file had ended.  Then a file has the length that it was synced with, or, if a later write was not taken back, holes.  Names are as they were at that moment: journals of file systems keep
 * them in order. */
#ifndef FAULT_POWER_H
#define FAULT_POWER_H

#include <stddef.h>
#include <sys/types.h>

void power_watch(void);                                  /* from now on */
void power_write(int fd, off_t at, size_t n);            /* before it; at -1: where the file stands */
void power_cut_short(int fd, off_t n);                   /* before it gets that length */
void power_sync(int fd);                                 /* after it */
void power_goes(unsigned long seed);

#endif
