/* audit.h -- thimble-audit: is what a certificate says true?
 *
 * Shares nothing with those who made the verdict: no search, no store, no reduction, no engine, no packing, nor the code that wrote the file.  What a model is and does comes from the readers (front) and from the slow
 * definitions of the languages on plain values (model.h: define_*).  All the rest is here:
 *
 *   sealed.c      the file: records, sums, blocks of states, the head
 *   semantics.c   the model: states as bytes and values, all successors, what is wrong with a state
 *   closure.c     the set: sorted, each state once and sound, and with every state all that follows
 *   follow.c      runs: step by step by the definition, and what they end in
 *   word.c        temporal formulas on one run, by their meaning
 *   main.c        the command line, and what is told
 *
 * A function that cannot go on says why (audit_bad, audit_not) and returns -1; the first reason counts. */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/expr.h"
#include "model/model.h"

#include <stdint.h>
#include <stdio.h>

struct audit_bytes vec(uint8_t);

struct audit_claim { /* one property */
  const char *kind, *status, *evidence, *id, *text; /* text NULL = none */
  struct expr *expr;                                /* invariants and what is to be reached */
  uint32_t number;                                  /* of the model's claims; MODEL_RUNTIME */
  int confirmed;
};

struct sealed { /* the file, read from one end to the other */
  FILE *file;
  char tag[5];
  struct audit_bytes data, raw, state; /* of the record; of a block of states; the state at hand */
  uint64_t at, next, sums, size;       /* where the record begins, where the next one does; sums of the records before; of the file */
  size_t inside;                       /* read of the block */
  uint32_t left;                       /* states of the block that are still to come */
  int fresh;                           /* the state at hand is the first of its block */
};

struct audit {
  struct mem mem;
  const char *name; /* of the certificate */
  struct sealed records;
  char *head;
  const char *model_name, *language, *kind, *verdict;
  struct vec(const char *) inputs, options;
  struct vec(struct audit_claim) claims;
  uint32_t vars;
  struct model *model;
  const char *first_input; /* hash and length that the model must have, as text */
  size_t inputs_heard;
  int64_t *values;         /* the state at hand */
  struct audit_bytes packed; /* a successor */
  uint64_t states, successors;
  int exit;        /* of main, once it is decided */
  char why[600];   /* not confirmed, or bad: the reason */
};

/* The certificate is no certificate of this model: exit code 3. It is, and what it says is not confirmed: 4. Both -1. */
int audit_bad(struct audit *, const char *format, ...) __attribute__((format(printf, 2, 3)));
int audit_not(struct audit *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* sealed.c  */
int sealed_open(struct audit *, struct sealed *);
int sealed_next(struct audit *, struct sealed *); /* 1; 0: the file ends here; -1 */
int sealed_state(struct audit *, struct sealed *); /* the next state of a block, or of the next block: 1; 0: the record is another one; -1 */
void sealed_close(struct audit *, struct sealed *);
int sealed_head(struct audit *);
uint64_t sealed_fixed(const uint8_t *, size_t bytes);
int sealed_number(const uint8_t *data, size_t length, size_t *at, uint64_t *out); /* 0 or -1 */
int audit_append(struct audit *, struct audit_bytes *, const void *, size_t);
int audit_append_number(struct audit *, struct audit_bytes *, uint64_t);

/* semantics.c */
int semantics_load(struct audit *, const char *file);
int semantics_read(struct audit *, const uint8_t *state, size_t length); /* into a->values */
int semantics_pack(struct audit *, const int64_t *values, size_t vars);  /* into a->packed */
int semantics_successors(struct audit *, const int64_t *values, void (*hear)(void *, const struct model_defined *), void *context);
/* Does this state alone, without (`dead`) or with successors, decide the property as its status and evidence say it is decided? For steps: does one of what went wrong? */
int semantics_decides(const struct audit *, const struct audit_claim *, const int64_t *values, int dead);
int semantics_broken(const struct audit_claim *, const struct model_defined *);
int semantics_ends(const struct audit *, const int64_t *values); /* it may end here */

/* closure.c, follow.c, word.c */
int closure_check(struct audit *); /* the record at hand is the first block */
int follow_check(struct audit *, struct audit_claim *); /* the record at hand is its trace */
/* Letters of `count` states (bit i: atom i), those from `loop` on for ever; loop == count: the run goes on as it likes. 1: whatever it does, it breaks the formula; 0; -1 */
struct audit_word {
  struct expr *expr[64];
  uint8_t label[64]; /* where there is no expression: 1 np_, 2 accept_ */
  uint64_t *letter;
  size_t count, loop;
};
struct formulas;
int word_open(struct audit *, struct audit_word *, struct formulas **, uint32_t *formula, const struct audit_claim *);
uint64_t word_letter(struct audit *, const struct audit_word *, const int64_t *values);
int word_breaks(struct audit *, const struct audit_word *, const struct formulas *, uint32_t formula);
void word_close(struct audit *, struct audit_word *, struct formulas *);

#endif
