/* store.h -- the set of visited states.
 *
 * A search asks one question: "is this packed state new?"  How the answer is kept is
 * the back end's secret.  A state is `words` 32-bit words of which the first `bits`
 * bits count; the rest is zero.  The store knows nothing else about it.
 *
 * Laws, run on every back end by tests/laws/store.c:
 *   - put is idempotent and numbers are dense: the n-th NEW state gets number n-1;
 *   - STORE_FULL leaves the store as it was, and everything stored can still be found;
 *   - get(number) gives back every bit (STORE_GET);
 *   - put_batch answers as the same puts one by one would;
 *   - without STORE_EXACT a run says "no violation found", never "holds";
 *   - bytes() counts all memory held, the store itself included. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

struct mem;
struct stats;

typedef uint64_t store_ref; /* the number of a state */
#define STORE_NONE UINT64_MAX

enum store_answer { STORE_NEW, STORE_SEEN, STORE_FULL };

enum store_caps {
  STORE_EXACT = 1,  /* never confuses two states */
  STORE_GET = 2,    /* get(number) works */
  STORE_ORDER = 4,  /* numbers are in discovery order */
  STORE_REWRITE = 8 /* can change the width of its states while they stay numbered */
};

struct store; /* each back end's own struct begins with struct store */

/* Turns a state of the old width into one of the new width (see store_type.rewrite). */
typedef void store_convert(void *context, const uint32_t *old_words, uint32_t *new_words);

struct store_setup {
  uint32_t words, bits;
  struct mem *mem;
  struct stats *stats;    /* may be NULL */
  uint64_t hash_mask;     /* 0 = all bits; tests cut the hash to provoke collisions */
  unsigned entry_bits;    /* 0 = as needed; tests force wide index entries */
  uint64_t quotient_from; /* 0 = where it pays; tests want the index of short states earlier */
};

/* n states lie in `states`, each `stride` words apart, stride even and >= words, padding zero. */
struct store_batch {
  uint32_t *states;
  size_t stride, count;
  uint64_t *hash;  /* scratch for the store */
  store_ref *ref;  /* out: number of each state */
  uint8_t *answer; /* out: enum store_answer of each state */
};

struct store_type {           /* one static const per back end */
  const char *name, *summary; /* --store NAME, its line in --store help */
  unsigned caps;
  int (*open)(struct store **out, const struct store_setup *setup); /* 0, or -1: no memory */
  enum store_answer (*put)(struct store *, const uint32_t *state, store_ref *ref);
  /* Answers from `from` on; returns the index of the first state answered STORE_FULL, or count. */
  size_t (*put_batch)(struct store *, struct store_batch *batch, size_t from);
  store_ref (*find)(struct store *, const uint32_t *state); /* STORE_NONE when absent */
  /* find for a whole batch: answer SEEN with ref, or NEW for an absent state; inserts nothing. */
  void (*find_batch)(struct store *, struct store_batch *batch);
  void (*get)(const struct store *, store_ref ref, uint32_t *state);
  /* All states pass through convert and have the new width from then on; numbers stay.
     0, or -1 when memory does not allow it (the store is then as before). */
  int (*rewrite)(struct store *, uint32_t words, uint32_t bits, store_convert *convert, void *context);
  uint64_t (*count)(const struct store *);
  size_t (*bytes)(const struct store *);
  void (*close)(struct store *); /* NULL is fine */
};

struct store {
  const struct store_type *type;
};

extern const struct store_type store_plain;
extern const struct store_type *const store_types[]; /* NULL-terminated, default first */
const struct store_type *store_find_type(const char *name);

#endif
