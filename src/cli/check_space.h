/* check_space.h -- the report on the state space that check gives beside its verdict. */
#ifndef CLI_CHECK_SPACE_H
#define CLI_CHECK_SPACE_H

#include "cli/session.h"
#include "run/space.h"

struct check_space {
  struct space space;
  struct space_report report;
  int wanted;  /* there is to be one */
  int asked;   /* by name: it is whole and long, whatever it costs */
  int beside;  /* the run's own search tells the space */
  int there;   /* the report is made */
};

/* After the model is loaded and its properties are known. reduced: the run's own search may see a part of the space only. */
void check_space_open(struct check_space *, struct session *, const struct search_type *, const struct store_type *, int reduced);
/* After the run: explores what it left, and makes the report. What cannot be had is left out. */
void check_space_finish(struct check_space *, struct session *, const struct run_setup *, struct verdict *);
void check_space_close(struct check_space *);

#endif
