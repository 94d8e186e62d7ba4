/* certificate.h -- what somebody else needs to confirm a verdict: doc/certificates.md.
 *
 * The states are heard while they are found, as the values of all variables, and sorted in bounded memory (base/sorter.h): so it does not matter which store and which search there is, nor whether the store
 * can tell its states afterwards.  After the run the file is written: properties with what is claimed of them, traces, and the whole set where the run has seen it.
 *
 * Whoever reads it (src/audit) has code of its own: nothing of this file is used there. */
#ifndef REPORT_CERTIFICATE_H
#define REPORT_CERTIFICATE_H

#include "base/sorter.h"
#include "search/search.h"
#include "search/verdict.h"

struct certificate {
  struct listener listener;
  struct mem *mem;
  const struct model *model;
  struct sorter sorter;
  int64_t *values;
  uint32_t vars;  /* that there is room for */
  uint8_t *bytes; /* of one state */
  size_t room;
  uint64_t heard;
  uint64_t written; /* bytes of the file */
  struct err err; /* why there will be none */
};

struct certificate_input { /* a file that was read */
  const char *name;
  uint64_t hash, bytes;
};

struct certificate_setup {
  const struct certificate_input *input;
  size_t inputs;
  const char *const *option; /* "--define=N=3": those that make another model */
  size_t options;
  int fair; /* temporal properties were asked of fair runs alone */
};

/* What the file holds for a property: nothing that could be confirmed, the set of all states, or a run. */
enum certificate_evidence { EVIDENCE_NONE, EVIDENCE_SET, EVIDENCE_TRACE };

/* `folder` is for temporary files and outlives it. 0, or -1 with err. */
int certificate_open(struct certificate *, const struct model *, const char *folder, struct mem *, struct err *);
void certificate_close(struct certificate *); /* a zeroed one is fine */
enum certificate_evidence certificate_evidence(const struct certificate *, const struct verdict *, const struct verdict_property *, int fair);
/* 0, or -1 with err. */
int certificate_write(struct certificate *, const struct verdict *, const struct certificate_setup *, FILE *, struct err *);

#endif
