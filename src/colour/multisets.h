/* multisets.h -- multisets of one place, each kept once and called by a number.
 *
 * A bag is an array of 32-bit words, sorted by value (values.h: the order of values, not of their numbers) and then by time:
 *
 *   untimed   value, count, value, count, ...
 *   timed     value, count, time (low), time (high), ...
 *
 * Number 0 is the first bag that was put: the initial marking of a place, the empty one where effects are kept. */
#ifndef COLOUR_MULTISETS_H
#define COLOUR_MULTISETS_H

#include "colour/values.h"

#define BAGS_NONE UINT32_MAX         /* memory */
#define BAGS_LACKS (UINT32_MAX - 1)  /* tokens are missing */
#define BAGS_LATE (UINT32_MAX - 3)   /* a time that no clock shows */
#define BAGS_MANY (UINT32_MAX - 2)   /* more tokens of one colour than 32 bits count */

struct bags {
  struct values *values;
  struct mem *mem;
  int real_time; /* stamps are those of reals (ml/instant.h) */
  unsigned each; /* words of an entry: 2, or 4 with time */
  struct vec(uint32_t) data;
  struct vec(uint32_t) start; /* per bag, and where the next one will begin */
  struct shelf_index *index;
  uint32_t empty; /* the number of the empty bag; BAGS_NONE: it has not been put yet */
};

struct bag { /* borrowed: until something is put; with several threads until they end */
  const uint32_t *at;
  size_t words;
};

typedef struct vec(uint32_t) bag_words; /* one under construction */

int bags_open(struct bags *, struct values *, struct mem *, int timed); /* 0 or -1 */
void bags_close(struct bags *);
void bags_clear(struct bags *); /* the empty bag is number 0 then: of tables that had one */
uint32_t bags_put(struct bags *, const uint32_t *words, size_t count);
static inline uint32_t bags_count(const struct bags *b) { return (uint32_t)__atomic_load_n(&b->start.count, __ATOMIC_RELAXED) - 1; }
static inline struct bag bags_at(const struct bags *b, uint32_t number) {
  const uint32_t *start = shelf_at(&b->start, number);
  return (struct bag){shelf_at(&b->data, start[0]), start[1] - start[0]};
}

static inline uint32_t bags_empty(const struct bags *b) { return __atomic_load_n(&b->empty, __ATOMIC_RELAXED); }

static inline int64_t bag_time(const uint32_t *entry) { return (int64_t)((uint64_t)entry[3] << 32 | entry[2]); }
uint64_t bag_tokens(const struct bags *, struct bag);

/* from - take + give into out. 0, BAGS_NONE, BAGS_LACKS or BAGS_MANY. With time: of the tokens that are old enough the youngest go. */
uint32_t bag_move(const struct bags *, struct bag from, struct bag take, struct bag give, bag_words *out);
/* Adds an entry to a bag under construction, where it belongs. 0, BAGS_NONE or BAGS_MANY. */
uint32_t bag_add(const struct bags *, bag_words *out, uint32_t value, uint64_t count, int64_t time);
uint64_t bag_binomial(uint64_t n, uint64_t k); /* at most UINT32_MAX */
/* In how many ways the tokens can be chosen; 0: they are not there. */
uint64_t bag_ways(const struct bags *, struct bag from, struct bag take);

/* To and from CPN ML. From: a MULTISET or TIMED block; `later` is added to each time. 0, BAGS_NONE, BAGS_MANY, BAGS_LATE. To: untimed, or as
   the place is; 0: memory. */
uint32_t bag_from_value(const struct bags *, ml_value, int64_t later, bag_words *out);
ml_value bag_to_value(const struct bags *, struct bag, int timed, struct ml_heap *);

#endif
