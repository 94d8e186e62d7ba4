/* audit.h -- thimble-audit: is what a certificate says true?  doc/certificates.md tells what is confirmed how, which file here does it, what is shared with thimble, and the bytes of a certificate.
 *
 * A function that cannot go on says why (audit_bad, audit_not, audit_memory) and returns -1; the first reason counts. */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include "base/vec.h"
#include "front/front.h"
#include "model/expr.h"

#include <inttypes.h>
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
  uint64_t states, blocks;       /* that were read */
};

struct audit {
  struct mem mem;
  struct sealed sealed;
  char *head; /* its lines: */
  const char *name, *model_name, *language, *kind, *verdict;
  struct vec(const char *) inputs, asked, folders, options; /* options: as they stand in the file */
  struct vec(struct front_override) defines, markings;
  struct front_setup setup;
  struct vec(struct claim) claims;
  uint32_t vars;
  struct model *model;
  int64_t *values, *after, *next, *first; /* the state at hand; one behind it; of a run: the next one, the one at which its loop begins */
  struct bytes packed;   /* a successor */
  uint64_t heard, steps; /* inputs that were read; steps from states of the set */
  int exit;
  char why[600]; /* not confirmed, or bad: the reason */
};

/* The certificate is damaged or of another model; it is not, and what it says is not confirmed. */
#define audit_bad(a, ...) audit_say(a, AUDIT_BAD, __VA_ARGS__)
#define audit_not(a, ...) audit_say(a, AUDIT_NOT, __VA_ARGS__)
#define audit_memory(a) audit_not(a, "there is not enough memory: --memory")
int audit_say(struct audit *, int exit, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define each_claim(a, c) for (struct claim *c = (a)->claims.at; c && c < (a)->claims.at + (a)->claims.count; c++)
static inline int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

int sealed_open(struct audit *, struct sealed *);
int sealed_next(struct audit *, struct sealed *);  /* 1; 0: the file ends here; -1 */
int sealed_state(struct audit *, struct sealed *); /* the next state of a block, or of the next block, greater than the last: 1; 0: the record is another one; -1 */
void sealed_close(struct audit *, struct sealed *);
int sealed_head(struct audit *);
uint64_t sealed_fixed(const uint8_t *, size_t bytes);
int sealed_number(const struct bytes *, size_t *at, uint64_t *out); /* 0 or -1 */
int bytes_append(struct audit *, struct bytes *, const void *, size_t);
int bytes_compare(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length);

int semantics_load(struct audit *, const char *file);
int semantics_read(struct audit *);                                     /* the state of a->sealed into a->values */
int semantics_pack(struct audit *, const int64_t *values, size_t vars); /* into a->packed */
int semantics_steps(struct audit *, void (*hear)(void *, const struct model_defined *), void *context); /* from a->values */
/* Does a step decide the property, by what goes wrong in it? Or (NULL) the state at hand alone (`dead`: it has no successors)? */
int semantics_decides(const struct audit *, const struct claim *, const struct model_defined *, int dead);

int closure_check(struct audit *);                /* the record at hand is the first block; afterwards it is the first that is none */
int follow_check(struct audit *, struct claim *); /* the record at hand is its trace */

#endif
