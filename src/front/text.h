/* text.h -- what the languages share in handling text: reading, numbers, places in it. */
#ifndef FRONT_TEXT_H
#define FRONT_TEXT_H

#include "front/front.h"

#include <stdint.h>

/* Longest identifier, label or name that any language takes, in bytes. */
#define FRONT_NAME_MAX ((size_t)64 << 10)

/* Reads the input to its end. The text is owned, tagged MEM_OTHER and followed by a zero byte. */
int front_slurp(char **out, size_t *length, const struct front_setup *, struct err *);

/* Offset of the first byte that XML would not take for text: broken UTF-8, a control character below the blank other than
   tab and the line ends, U+FFFE and U+FFFF. `length` = all is well. */
size_t front_bad_text(const char *text, size_t length);

/* A count as nets use it: white space around, an optional +, digits, 0..2^31-1. */
enum front_number { FRONT_NUMBER, FRONT_EMPTY, FRONT_NEGATIVE, FRONT_FRACTION, FRONT_HUGE, FRONT_NO_NUMBER };
enum front_number front_count(const char *text, size_t length, uint32_t *out);
/* The rest of a sentence that begins with the text in question: "is negative". */
const char *front_number_fault(enum front_number);

/* Decimal fractions in the C locale whatever the locale is: drawing positions. */
int front_decimal(const char *text, size_t length, double *out); /* 0 or -1 */
/* Shortest plain notation that front_decimal reads back as the same float. Returns out. */
char *front_print_decimal(char out[64], float value);

/* Fills in the excerpt of an error that knows its line and column, by looking at the input again.
   Does nothing where the input cannot be rewound. */
void front_excerpt_again(struct err *, const struct front_setup *);
/* The same from memory: the text around an offset, tabs as spaces. */
void front_excerpt(struct err *, const char *text, size_t length, size_t offset);

#endif
