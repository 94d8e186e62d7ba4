/* guess.h -- which language a text is in, from what it says. */
#ifndef FRONT_GUESS_H
#define FRONT_GUESS_H

#include "front/front.h"

enum { GUESS_LOOK = 1 << 20 }; /* so much of a file is looked at */

/* The language whose words the text has, so that no other could have them; NULL: none is sure. *root: where the text is XML of another
   kind, the name of its first element in the caller's room (else empty). */
const struct front_type *front_guess(const char *text, size_t length, char root[64]);

#endif
