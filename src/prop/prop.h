/* prop.h -- what is asked of a model.
 *
 * A property is judged on single states: an invariant must hold in all of them, a
 * reachable expression wants one, deadlock freedom wants none without successors.
 * Assertions and run-time errors belong to steps: the model tells them as faults.
 * Searches call prop_judge; what they do with the answer is theirs. */
#ifndef PROP_PROP_H
#define PROP_PROP_H

#include "base/err.h"
#include "model/expr.h"
#include "model/model.h"
#include "prop/branching.h"
#include "prop/temporal.h"

enum prop_kind {
  PROP_DEADLOCK,
  PROP_INVARIANT,
  PROP_REACHABLE,
  PROP_ASSERT,  /* the model claims it itself */
  PROP_RUNTIME, /* no run-time errors: indices in range, no division by zero, ... */
  PROP_CLAIM,   /* a temporal claim of the model: listed and never decided */
  PROP_PROGRESS,   /* no cycle without progress labels; this and the next are temporal properties, too, with ids of their own */
  PROP_ACCEPTANCE, /* no cycle with an accept label */
  PROP_LTL,     /* a temporal property of runs (temporal.h): searches for single states pass it by */
  PROP_AUTOMATON, /* likewise, given as an automaton in a file */
  PROP_OBSERVER,  /* likewise, given as a deterministic automaton of the runs that do not break it */
  PROP_CHANNELS,  /* no loop makes a channel grow for ever (run/growth.h): a search of its own */
  PROP_CTL,     /* a branching property (branching.h): of single states, or of the whole graph */
  PROP_STRATEGY, /* the controllable side has a strategy to reach `expr`, or to keep it, whatever the environment does: decided on the whole graph */
  PROP_KINDS
};

struct prop {
  enum prop_kind kind;
  char id[64];       /* "deadlock", "invariant:1", "reachable:1": unique within a run */
  struct expr *expr; /* of invariants and reachable ones, and of strategies */
  int keep;          /* PROP_STRATEGY: it is to be kept; else reached */
  char *text;        /* PROP_STRATEGY: the whole wish, "keep x > 0"; from `mem` */
  struct mem *mem;
  struct temporal *temporal; /* PROP_LTL */
  struct branching_formula *branching; /* PROP_CTL */
  uint32_t claim;    /* PROP_ASSERT, PROP_CLAIM: which of the model's claims */
  struct place_in_text place; /* where the model states it; line 0 = nowhere */
};

/* Is it one of whole runs (temporal is set)? */
static inline int prop_of_runs(const struct prop *p) { return p->temporal != NULL; }

/* Has it a search of its own, so that searches for single states pass it by? */
static inline int prop_apart(const struct prop *p) { return prop_of_runs(p) || p->kind == PROP_CHANNELS; }

/* Is it decided on the whole graph? */
static inline int prop_of_graph(const struct prop *p) { return p->kind == PROP_STRATEGY || (p->branching && p->branching->shape == BRANCHING_GRAPH); }
/* Does a state that decides it show that it holds? Otherwise it breaks it. */
static inline int prop_wants_witness(const struct prop *p) {
  return p->kind == PROP_REACHABLE || (p->branching && p->branching->shape == BRANCHING_SOMETIME);
}

const char *prop_kind_name(enum prop_kind); /* "deadlock", "invariant", "reachable" */

/* A new property; `index` numbers those of its kind from 1. text NULL for deadlock. */
int prop_open(struct prop *out, enum prop_kind, unsigned index, const char *text, const struct model *, struct mem *,
              struct err *);
/* One of the model's claims (model.h), or MODEL_RUNTIME: that it makes no run-time errors. 0, or -1 with err. */
int prop_open_claim(struct prop *out, const struct model *, uint32_t claim, struct mem *, struct err *);
/* All that the model states itself, and that it makes no run-time errors; `no_claims`: temporal claims are left out. There are at most prop_stated_most; *count grows by each that was
   opened, also when the next one fails. 0, or -1 with err. */
size_t prop_stated_most(const struct model *);
int prop_open_stated(struct prop *out, size_t *count, const struct model *, int no_claims, struct mem *, struct err *);
/* An automaton in a file, which accepts the runs that break the property; a deterministic one that accepts the others. */
struct prop_file {
  const char *name, *text;
  size_t length;
};
int prop_open_automaton(struct prop *out, unsigned index, const struct prop_file *, const struct model *, struct mem *, struct err *);
int prop_open_observer(struct prop *out, unsigned index, const struct prop_file *, const struct model *, struct mem *, struct err *);
void prop_close(struct prop *);

/* 1 if this state decides the property: violates an invariant, shows what is to be reached,
 * or is a deadlock (`dead`: it has no successors and is no valid end). */
int prop_decided(const struct prop *, struct model_cursor *, const uint32_t *state, int dead);
/* 1 if this fault breaks it. */
int prop_broken_by(const struct prop *, const struct model_fault *);
int prop_wants_faults(const struct prop *); /* judged by faults only */
/* 1 if it must be asked for each new state, 0 if only for states without successors. */
int prop_wants_states(const struct prop *);

#endif
