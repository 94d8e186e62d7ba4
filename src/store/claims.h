/* claims.h -- which of the equal states of a round comes first, told while they come.
 *
 * Within a round of some thousand states most new ones are reached several times, by several threads.  A state that the store does not know claims a place of a table that lives as long as the round:
 *
 *   entry  | turn: 16 bits | tag: 16 bits | part << room | place in the part: 32 bits |      8 bytes, open addressing, linear probing; another turn than this round's = free
 *
 * by one compare-and-swap.  Who meets an equal state on the way is known already if that one stands earlier, or else takes its entry and notes that the other's state is not new: the smallest place wins, in
 * whatever order they come.  Entries never move, so equal states always meet.  The table is not cleared between rounds: their turns differ; every 65,535 rounds it is.
 *
 * The plain store does the same with entries of its own index (plain_round.c); this is for stores whose tables cannot be written to by all. */
#ifndef STORE_CLAIMS_H
#define STORE_CLAIMS_H

#include "store/store.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdatomic.h>

/* Before a round is asked, by one thread. */
void claims_begin(struct store_round *);

static inline uint64_t claims_hash(const uint32_t *state, size_t stride) {
  if (stride == 2) {
    uint64_t x;
    memcpy(&x, state, sizeof x);
    return hash_mix(x);
  }
  return hash_bytes(state, stride * sizeof *state);
}

static inline void claims_prefetch(const struct store_round *r, uint64_t hash) { __builtin_prefetch(&r->claims.entry[hash_slot(hash, r->claims.entries)]); }

/* The state that the part would keep next, which has been written there before if it is kept. 1: it stands first so far, and is kept; `gone`, of another state, is what is noted of one that is not new after all. 0: an equal one stands before it. */
int claims_take(const struct store_round *, size_t part, const uint32_t *state, uint64_t hash, uint8_t gone);

#endif
