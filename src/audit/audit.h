/* audit.h -- thimble-audit: is what a certificate says true?
 *
 * Shares nothing with those who made the verdict: no search, no store, no reduction, no engine, no packing, nor the code that wrote the file.  What a model is and does comes from the readers (front, and prop for formulas) and from the
 * slow definitions of the languages on plain values (model.h: define_*).  All the rest is here:
 *
 *   sealed.c      the file: records, sums, blocks of states, the head
 *   semantics.c   the model: states as bytes and values, all successors, what is wrong with a state
 *   closure.c     the set: sorted, each state once and sound, and with every state all that follows
 *   follow.c      runs: step by step by the definition, and what they end in
 *   word.c        temporal formulas on one run, by their meaning
 *   main.c        the command line, and what is told
 *
 * A function that cannot go on says why (audit_bad, audit_not, audit_memory) and returns -1; the first reason counts. */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include "base/vec.h"
#include "model/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AUDIT_HOLDS = 0, AUDIT_VIOLATED = 1, AUDIT_USAGE = 2, AUDIT_BAD = 3, AUDIT_NOT = 4 }; /* exit codes */

struct bytes vec(uint8_t);

struct claim { /* one property */
  const char *kind, *status, *evidence, *id, *text; /* text NULL = none */
  struct expr *expr; /* invariants and what is to be reached */
  uint32_t number;   /* of the model's claims; MODEL_RUNTIME */
  int confirmed;
};

struct sealed { /* the file, read from one end to the other */
  FILE *file;
  char tag[5];
  struct bytes data, raw, state; /* of the record; of a block of states; the state at hand */
  uint64_t next, size;           /* where the next record begins; where the file ends */
  size_t inside, left;           /* bytes of the block that were read, states of it that are still to come */
};

struct audit {
  struct mem mem;
  struct sealed sealed;
  char *head; /* its lines: */
  const char *name, *model_name, *language, *kind, *verdict;
  struct vec(const char *) inputs, options;
  struct vec(struct claim) claims;
  uint32_t vars;
  struct model *model;
  int64_t *values;     /* the state at hand */
  struct bytes packed; /* a successor */
  uint64_t heard, states, steps, blocks; /* inputs that were read; what was seen */
  int exit;
  char why[600]; /* not confirmed, or bad: the reason */
};

/* The certificate is damaged or of another model; it is not, and what it says is not confirmed. */
#define audit_bad(a, ...) audit_say(a, AUDIT_BAD, __VA_ARGS__)
#define audit_not(a, ...) audit_say(a, AUDIT_NOT, __VA_ARGS__)
int audit_say(struct audit *, int exit, const char *format, ...) __attribute__((format(printf, 3, 4)));
int audit_memory(struct audit *);
static inline int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

int sealed_open(struct audit *, struct sealed *);
int sealed_next(struct audit *, struct sealed *);  /* 1; 0: the file ends here; -1 */
int sealed_state(struct audit *, struct sealed *); /* the next state of a block, or of the next block: 1; 0: the record is another one; -1 */
void sealed_close(struct audit *, struct sealed *);
int sealed_head(struct audit *);
uint64_t sealed_fixed(const uint8_t *, size_t bytes);
int sealed_number(const struct bytes *, size_t *at, uint64_t *out); /* 0 or -1 */
int bytes_append(struct audit *, struct bytes *, const void *, size_t);
int bytes_compare(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length);

typedef void hear_step(void *context, const struct model_defined *);
int semantics_load(struct audit *, const char *file);
int semantics_read(struct audit *, const struct bytes *state);          /* into a->values */
int semantics_pack(struct audit *, const int64_t *values, size_t vars); /* into a->packed */
int semantics_steps(struct audit *, const int64_t *values, hear_step *, void *context);
/* Does this state alone decide the property (`dead`: it has no successors)? Does something that went wrong in a step break it? */
int semantics_decides(const struct audit *, const struct claim *, const int64_t *values, int dead);
int semantics_broken(const struct claim *, const struct model_defined *);

int closure_check(struct audit *);              /* the record at hand is the first block; afterwards it is the first that is none */
int follow_check(struct audit *, struct claim *); /* the record at hand is its trace */

struct word { /* letters of a run, bit i for atom i, and a formula over them */
  struct audit *a;
  struct formulas *formulas;
  uint32_t formula, atoms;
  struct expr *expr[64];
  uint8_t label[64]; /* where there is no expression: 1 np_, 2 accept_ */
  uint64_t *letter;
  size_t count, loop; /* those from `loop` on come for ever; SIZE_MAX: then it goes on as it likes */
};
int word_open(struct word *, const struct claim *);
uint64_t word_letter(const struct word *, const int64_t *values);
int word_breaks(const struct word *); /* 1: however it goes on, the run breaks the formula; 0; -1 */
void word_close(struct word *);

#endif
