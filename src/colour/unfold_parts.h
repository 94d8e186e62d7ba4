/* unfold_parts.h -- what unfold.c finds and unfold_net.c makes a net of; nobody else includes it. */
#ifndef COLOUR_UNFOLD_PARTS_H
#define COLOUR_UNFOLD_PARTS_H

#include "colour/unfold.h"

#include "base/vec.h"

enum { ITEMS = 64 }; /* of one transition; more are looked at as rest */

struct token {
  uint64_t colour;
  uint32_t place;
  uint32_t next; /* token of the same place that came after it; UINT32_MAX = none */
};

struct effect { /* of an unfolded transition on one token */
  uint32_t token, takes, gives;
};

struct change { /* the same while it is counted */
  uint32_t place;
  uint64_t colour;
  int64_t takes, gives;
};

struct instance {
  uint32_t transition;
  size_t binding, effect, effects; /* where they begin; how many */
};

struct item {
  uint32_t place;
  const struct symmetric_term *term;
  uint32_t seen; /* the token up to which it has looked; UINT32_MAX = none yet */
};

struct unfolded_place {
  uint32_t first, last, count; /* tokens */
};

struct worker { /* one transition */
  uint32_t transition;
  struct item item[ITEMS];
  uint32_t items;
  int has_rest, has_difference;
  uint64_t looked_at; /* tokens in the lists that it takes from, when it was tried last */
  int tried;
  struct vec(uint32_t) variables; /* that it speaks of, in order of first use */
  struct vec(uint32_t) arcs;
};

struct index { /* numbers of things, found by what they are: open addressing, half of it free */
  uint32_t *slot; /* 1 + number; 0 = free */
  size_t slots;
};

struct unfolding {
  struct mem *mem;
  struct unfold_limits limits;
  uint64_t work;
  size_t held; /* bytes that others held before */
  char *beyond; /* set: given up */
  const struct symmetric *net;
  struct err *err;
  struct unfolded_place *place;
  struct vec(struct token) token;
  struct index tokens;
  struct worker *worker;
  struct vec(struct instance) instance;
  struct index instances;
  struct vec(uint64_t) bindings; /* of the instances, one after the other: values of the worker's variables */
  struct vec(struct effect) effects;
  struct vec(struct change) change; /* by the binding at hand */
  struct index changes;
  uint64_t *binding;
  uint32_t *trail;
};

int unfold_no_memory(struct unfolding *); /* -1, with err or given up */
/* The net, when all tokens and instances are found; the first effects are the initial marking. 0 or -1. */
int unfold_make_net(struct unfolding *, size_t marked_effects, struct pt_net **out);

#endif
