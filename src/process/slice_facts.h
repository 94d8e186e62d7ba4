/* slice_facts.h -- which values of a program will be read, and which steps nobody notices. */
#ifndef PROCESS_SLICE_FACTS_H
#define PROCESS_SLICE_FACTS_H

#include "process/closing.h"
#include "process/process_model.h"

enum { NOT_QUIET, QUIET, QUIET_UNLESS };

struct slice_facts {
  const struct program *p;
  struct mem *mem;
  uint8_t *matters;  /* per declaration: its value may have to do with what is asked */
  uint8_t *watched;  /* per declaration: it is looked at from outside of its process */
  uint8_t *label;    /* per control state (of the program): whether a process stands there is asked */
  uint32_t *number;  /* per declaration: its bit in sets of its process type */
  uint32_t words;    /* 64-bit words of such a set */
  uint64_t *live;    /* per control state: declarations of its process that may be read from there on */
  uint8_t *quiet;    /* per transition: nobody but its process notices it; QUIET_UNLESS: and it closes no loop, which its counter tells */
  uint8_t *counts;   /* per declaration: a counter, which is not to be forgotten */
  struct footprints common;
  struct closing closing;
  uint8_t *decided;  /* per control state: the process alone decides what it does there, and some of that is quiet */
  size_t idle, lasting, merging; /* declarations that never matter; that matter only here and there; control states with something quiet */
};

/* 0; 1: the program is one in which nothing of the kind is known; -1: memory. */
int slice_facts_open(struct slice_facts *, const struct process_model *, const struct model_aims *, struct mem *);
void slice_facts_close(struct slice_facts *); /* a zeroed one is fine */
static inline int slice_live(const struct slice_facts *f, uint32_t state, uint32_t decl) { return f->live[(size_t)state * f->words + f->number[decl] / 64] >> f->number[decl] % 64 & 1; }
/* Are the declaration's cells forgotten (0), where its process stands in a control state of the program; wherever that is, for globals and UINT32_MAX? Pointers never are: they keep objects alive. */
int slice_forgets(const struct slice_facts *, uint32_t decl, uint32_t state);

#endif
