/* condition.h -- the parser stays with its program, for conditions that people ask about it (process/program.h: reader). */
#ifndef FRONT_PROMELA_CONDITION_H
#define FRONT_PROMELA_CONDITION_H

#include "front/promela/parse.h"

/* Before states are made: the labels that a formula speaks of (word@word, word[..]@word) get states of their own. */
void promela_mentions(struct parser *, const char *formula, size_t length);
/* The same for a formula that somebody else wrote: macros of the model may stand in it. */
void promela_asked(struct parser *, const char *formula);
/* The program keeps the parser, which has read it without an error. */
void promela_keep(struct parser *);
void promela_forget(struct parser *); /* frees it */

#endif
