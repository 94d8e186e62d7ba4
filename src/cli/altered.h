/* altered.h -- options that make another model, or another question, of the same text: whoever
 * reads a verdict must see them. */
#ifndef CLI_ALTERED_H
#define CLI_ALTERED_H

#include "cli/session.h"

/* Fills session->altered with "--name=value", in the order of the command line, those that are
 * about the model first. 0, or -1: memory. */
int altered_gather(struct session *);
void altered_forget(struct session *);
/* Is it one of those that a certificate has? (The others are refused with one, or do not matter to
 * what it covers.) */
int altered_certified(const char *option);

#endif
