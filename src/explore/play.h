/* play.h -- the match of an explorer: see play.c for its requests. */
#ifndef EXPLORE_PLAY_H
#define EXPLORE_PLAY_H

#include "base/err.h"

struct explorer;

enum { PLAY_MOVES = 500 }; /* that are told at a time */

void play_end(struct explorer *); /* where there is none, too */
/* Around something that may change the layout of states. play_wake: 0, or -1 with err: the match has ended. */
void play_rest(struct explorer *);
int play_wake(struct explorer *, struct err *);

#endif
