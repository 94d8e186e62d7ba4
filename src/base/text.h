/* text.h -- numbers as people read them.
 *
 * The writers fill a caller's buffer and return it, so that they can stand inside a printf. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { TEXT_ROOM = 32 };

char *text_count(char out[TEXT_ROOM], uint64_t n);           /* 1,204,331 */
char *text_short(char out[TEXT_ROOM], uint64_t n);           /* 1.2M: at most five columns up to 10^15 */
char *text_size(char out[TEXT_ROOM], uint64_t bytes);        /* 64 MB, 12.5 kB: powers of 1024 */
char *text_size_option(char out[TEXT_ROOM], uint64_t bytes); /* as --memory takes it, rounded up: 256M */
char *text_seconds(char out[TEXT_ROOM], double seconds);     /* 0.31 s, 12.4 s, 1m30s, 2h05m */

static inline const char *text_plural(uint64_t n) { return n == 1 ? "" : "s"; } /* what follows the word */

/* The word of a NULL-terminated list nearest to `text`, or NULL if none is near enough to be meant. */
const char *text_nearest(const char *text, const char *const *words);

#endif
