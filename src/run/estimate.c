/* estimate.c -- see estimate.h.
 *
 * Small sets flatter nobody: tables begin with some kilobytes and dictionaries fill before they pay.  What a store holds when it is empty is
 * taken off, so that figures of a few thousand states are near those of millions. */
#include "run/estimate.h"

static int measure(struct estimate *out, const struct store_type *type, struct model *model, struct mem *mem, const struct search_limits *limits) {
  struct search_setup setup = {.model = model, .store = type, .mem = mem, .limits = *limits};
  struct search *s = NULL;
  struct err e;
  err_clear(&e);
  if (search_open(&s, &search_bfs, &setup, &e)) return 0;
  size_t empty = type->bytes(s->store);
  search_run(s);
  size_t full = s->store->type->bytes(s->store);
  double bytes = s->stats.states ? (double)(full > empty ? full - empty : full) / (double)s->stats.states : 0;
  *out = (struct estimate){type->name, s->stats.states, bytes, s->stop == STOP_DONE};
  search_close(s);
  return out->states > 0;
}

size_t estimate_stores(struct estimate *out, struct model *model, struct mem *mem, uint64_t states, double seconds, const volatile int *interrupt) {
  enum { WORDS = 8 << 20, LONG = 256 }; /* in all; of a state, beyond which stores that look at each bit take too long to ask */
  size_t n = 0;
  if (states > WORDS / model->words + 1) states = WORDS / model->words + 1;
  struct search_limits limits = {.states = states, .seconds = seconds, .interrupt = interrupt, .beyond_cover = 1};
  for (const struct store_type *const *t = store_types; *t && n < ESTIMATE_STORES; t++)
    if ((*t)->caps & STORE_EXACT && !((*t)->caps & STORE_FORGETS) && ((*t)->caps & STORE_GET || model->words <= LONG))
      n += (size_t)measure(&out[n], *t, model, mem, &limits);
  return n;
}
