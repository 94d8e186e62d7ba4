/* near.h -- "did you mean": the known word nearest to an unknown one.
 *
 *   struct near n;
 *   near_open(&n, word, length);
 *   for each known word: near_offer(&n, text);
 *   if (near_best(&n)) ... "did you mean %s?"
 *
 * Edit distance with exchanged neighbours, where another case of the same letter costs half. Each
 * offer is cut off as soon as it cannot win, so 80,000 names take some milliseconds. */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include <stddef.h>

enum { NEAR_LONGEST = 64 }; /* longer words are not compared: nobody mistypes them */

struct near {
  char word[NEAR_LONGEST];
  size_t length;
  const char *best; /* borrowed from the offer */
  unsigned cost;    /* of best; offers must be below */
};

void near_open(struct near *, const char *word, size_t length);
void near_offer(struct near *, const char *known); /* keeps the pointer if it is the best so far */
const char *near_best(const struct near *);        /* NULL: none is near enough */

#endif
