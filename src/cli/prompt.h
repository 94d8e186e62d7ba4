/* prompt.h -- commands of a user, line by line, from a terminal or a script alike. */
#ifndef CLI_PROMPT_H
#define CLI_PROMPT_H

#include <stddef.h>

/* The next line of standard input without what is white around it, in `line`; the rest of one that is too long is dropped. NULL: there are no more. */
char *prompt_next(char *line, size_t room);
/* Is it a number, and nothing else? */
int prompt_number(const char *line, unsigned long long *out);

#endif
