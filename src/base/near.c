/* near.c -- see near.h. */
#include "base/near.h"

#include <string.h>

enum { EDIT = 2, CASE = 1 }; /* cost of an edit, of a change of case */

static int lower(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

void near_open(struct near *n, const char *word, size_t length) {
  *n = (struct near){.length = length <= NEAR_LONGEST ? length : 0};
  memcpy(n->word, word, n->length);
  /* One edit for every three letters, two at least for words of two letters or more: beyond that it is another word. */
  n->cost = n->length ? EDIT * (1 + (unsigned)n->length / 3) + 1 : 0;
}

static unsigned swap_cost(unsigned char a, unsigned char b) { return a == b ? 0 : lower(a) == lower(b) ? CASE : EDIT; }

void near_offer(struct near *n, const char *known) {
  size_t length = strnlen(known, NEAR_LONGEST + 1), most = n->cost / EDIT; /* edits that can still win */
  if (!n->length || !length || length > NEAR_LONGEST || length > n->length + most || n->length > length + most) return;
  unsigned rows[3][NEAR_LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t k = 0; k <= length; k++) last[k] = (unsigned)k * EDIT;
  for (size_t i = 1; i <= n->length; i++) {
    unsigned least = row[0] = (unsigned)i * EDIT;
    for (size_t k = 1; k <= length; k++) {
      unsigned char a = (unsigned char)n->word[i - 1], b = (unsigned char)known[k - 1];
      unsigned cost = last[k - 1] + swap_cost(a, b);
      if (last[k] + EDIT < cost) cost = last[k] + EDIT;
      if (row[k - 1] + EDIT < cost) cost = row[k - 1] + EDIT;
      if (i > 1 && k > 1 && lower(a) == lower((unsigned char)known[k - 2]) && lower((unsigned char)n->word[i - 2]) == lower(b) &&
          before[k - 2] + EDIT < cost)
        cost = before[k - 2] + EDIT;
      row[k] = cost;
      if (cost < least) least = cost;
    }
    if (least >= n->cost) return;
    unsigned *oldest = before;
    before = last, last = row, row = oldest;
  }
  if (last[length] < n->cost) {
    n->cost = last[length];
    n->best = known;
  }
}

const char *near_best(const struct near *n) { return n->best; }
