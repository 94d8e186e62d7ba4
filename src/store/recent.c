/* recent.c -- see recent.h: when there is a table, and how large it is. */
#include "store/recent.h"

enum { FROM = 1 << 16, STATES_EACH = 64, MOST_BYTES = 512 << 10, LOOK = 1 << 18, WORTH = 6, PAUSE = 16, SHARE = 8 }; /* SHARE: it has at most this part of the memory that is left */

void recent_open(struct recent *r, struct mem *mem, uint32_t words) {
  *r = (struct recent){.mem = mem, .words = words, .stride = 1 + ((size_t)words + 1) / 2, .try_at = FROM};
}

void recent_close(struct recent *r) {
  if (r->mem) mem_free(r->mem, r->entry);
  r->entry = NULL;
}

size_t recent_bytes(const struct recent *r) { return r->entry ? (r->stride * sizeof *r->entry) << r->bits : 0; }

/* One entry per STATES_EACH states; no more than MOST_BYTES. */
static unsigned bits_wanted(const struct recent *r, uint64_t states) {
  unsigned bits = 0;
  while (states >> (bits + 1) >= STATES_EACH && (r->stride * sizeof *r->entry) << (bits + 1) <= MOST_BYTES) bits++;
  return bits;
}

void recent_drop(struct recent *r) {
  recent_close(r);
  r->try_at = UINT64_MAX;
}

void recent_tend(struct recent *r, uint64_t states) {
  if (r->entry && r->asked > LOOK) {
    if (r->hits < r->asked / WORTH) { /* it does not help: later perhaps */
      recent_close(r);
      r->try_at = states * PAUSE;
    }
    r->asked = r->hits = 0;
  }
  if (r->entry && recent_bytes(r) * SHARE > mem_left(r->mem)) recent_drop(r);
  if (states < r->try_at) return;
  unsigned bits = bits_wanted(r, states);
  r->try_at = 2 * states;
  if (bits < 6 || (r->entry && bits <= r->bits) || ((r->stride * sizeof *r->entry) << bits) * 2 * SHARE > mem_left(r->mem)) return;
  recent_close(r);
  r->bits = bits;
  r->entry = mem_alloc(r->mem, MEM_STORE, (r->stride * sizeof *r->entry) << bits);
}
