/* coverage.h -- what of a model was executed, statement by statement. */
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H

#include "base/json.h"
#include "report/report.h"

enum coverage_role {
  COVERAGE_FIRST,  /* steps are called by it, if it happens at all */
  COVERAGE_PART,   /* it happened within steps that are called by others */
  COVERAGE_ABSENT, /* there never was a process that has it */
};

struct coverage_row {
  uint32_t group; /* the first of them */
  char *name;     /* without the number of a process */
  struct place_in_text place; /* line 0 = unknown */
  uint64_t taken, fresh;
  enum coverage_role role;
};

struct coverage {
  struct mem *mem; /* NULL = there is none */
  struct arena text;
  struct coverage_row *row; /* by place */
  size_t count;
};

/* After the run: cursors have told what they noted. */
int coverage_open(struct coverage *, const struct report_counts *, const struct model *, struct mem *, struct err *);
void coverage_close(struct coverage *); /* a zeroed one is fine */
/* complete: every step of every reachable state was counted, so what was not executed never can be. NULL: there is none. */
void coverage_json(const struct coverage *, int complete, struct json_out *);

#endif
