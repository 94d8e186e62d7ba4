/* guess.h -- which language a text is in, from what it says. */
#ifndef FRONT_GUESS_H
#define FRONT_GUESS_H

#include <stddef.h>

enum { GUESS_LOOK = 64 << 10 }; /* so much of a file is looked at */

/* The name of the language (front_type) whose words the text has, so that no other could have them;
   NULL: none is sure. *root: where the text is XML of another kind, the name of its first element
   in the caller's room (else empty). */
const char *front_guess(const char *text, size_t length, char root[64]);

#endif
