/* frontier.c -- search/frontier.h: a queue of refs that become longer. They come out as they went in, and what was reserved is there, whatever their lengths. */
#include "tap.h"

#include "search/frontier.h"

#include <stdlib.h>

static int get(struct store *s, store_ref ref, uint32_t *state, uint32_t *trail) {
  (void)s, (void)ref, (void)trail;
  state[0] = 0;
  return 0;
}

static const struct store_type names = {.name = "names", .caps = STORE_EXACT | STORE_GET, .get = get};

/* Longer and longer halves, `each` refs of every length. */
static store_ref ref_of(size_t i, size_t each) {
  size_t length = i / each; /* 0: one byte in each half */
  return (store_ref)(i % 200 + 1) << (length / 2 * 8) | (store_ref)(i % 100 + 1) << (32 + (length + 1) / 2 * 8);
}

/* Room for all is reserved, and then no memory is left. Half of them leave in between. */
static void push_all(size_t each, int together) {
  enum { LENGTHS = 7 };
  size_t n = LENGTHS * each, wrong = 0, refused = 0;
  struct store store = {.type = &names};
  struct frontier f;
  struct mem mem;
  store_ref ref;
  uint32_t state[2];
  char text[80];
  mem_open(&mem, 0);
  store_ref *refs = malloc(n * sizeof *refs);
  uint8_t *answer = malloc(n);
  frontier_open(&f, &store, 1, 32, &mem);
  int room = frontier_reserve(&f, n);
  mem.budget = mem.used;
  for (size_t i = 0; i < n; i++) {
    refs[i] = ref_of(i, each);
    answer[i] = STORE_NEW;
  }
  if (together) frontier_exchange(&f, &(struct store_part){.ref = refs, .answer = answer, .count = n}, n / 2);
  for (size_t i = 0; i < n && !together; i++) {
    refused += frontier_push(&f, refs[i], state) != 0;
    if (i % 2 && !refused) frontier_advance(&f);
  }
  snprintf(text, sizeof text, "what was reserved is there: %zu of each length%s", each, together ? ", all at once" : "");
  ok(!room && !refused && f.count == n - n / 2, text);
  for (size_t i = n / 2; i < n && f.count; i++) {
    wrong += frontier_peek(&f, &ref, state, NULL) || ref != refs[i];
    frontier_advance(&f);
  }
  is(wrong, 0, "first in, first out");
  frontier_close(&f);
  is(mem.used, 0, "nothing left behind");
  free(refs);
  free(answer);
}

int main(void) {
  for (size_t each = 1; each < 30000; each *= 9) {
    push_all(each, 0);
    push_all(each, 1);
  }
  return done();
}
