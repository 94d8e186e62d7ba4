/* space.h -- the report on a state space (search/space.h) as text and as JSON. */
#ifndef REPORT_SPACE_H
#define REPORT_SPACE_H

#include "base/json.h"
#include "model/model.h"
#include "search/space.h"

#include <stdio.h>

/* Which transitions: label by label. */
typedef int space_test(const struct space_report *, uint32_t label, unsigned which);
struct space_choice {
  space_test *is;
  unsigned which;
};
space_test space_is_dead; /* it never happens */
space_test space_is_live; /* it happens, and stays possible for ever (1) or not (0) */
space_test space_is_part; /* what is told of steps by their names does not tell what becomes of it */
space_test space_owes;    /* its fairness is `which` */

/* As a user of CPN Tools knows it. `all`: lists are as long as they are. */
void space_write_text(const struct space_report *, const struct model *, int all, FILE *);
/* A state: what of it is not 0. */
void space_write_state(const struct model *, const uint32_t *words, FILE *);

void space_write_json(const struct space_report *, struct json_out *); /* the key space_report: null for NULL */
void space_json_names(struct json_out *, const char *key, const struct space_report *, const struct space_choice *);
void space_json_bounds(struct json_out *, const struct space_report *);
void space_json_fairness(struct json_out *, const struct space_report *);

#endif
