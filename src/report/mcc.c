/* mcc.c -- the lines of the Model Checking Contest for the examination StateSpace.
 *
 * Either all four numbers are exact or nothing is claimed: CANNOT_COMPUTE.  A net that is
 * proven unbounded has +inf markings and firings, and +inf tokens in a place and in all. */
#include "report/report.h"

#include <inttypes.h>

static void line(FILE *out, const char *what, const char *value, const char *techniques) {
  fprintf(out, "STATE_SPACE %s %s TECHNIQUES %s\n", what, value, techniques);
}

static void number(FILE *out, const char *what, uint64_t n, const char *techniques) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, n);
  line(out, what, text, techniques);
}

int report_mcc(const struct verdict *v, const char *techniques, FILE *out) {
  if (v->complete && v->has_peaks) {
    number(out, "STATES", v->stats.states, techniques);
    number(out, "TRANSITIONS", v->stats.transitions, techniques);
    number(out, "MAX_TOKEN_IN_PLACE", v->max_in_place, techniques);
    number(out, "MAX_TOKEN_PER_MARKING", v->max_in_marking, techniques);
  } else if (v->unbounded_count || v->pump) {
    line(out, "STATES", "+inf", techniques);
    line(out, "TRANSITIONS", "+inf", techniques);
    line(out, "MAX_TOKEN_IN_PLACE", "+inf", techniques);
    line(out, "MAX_TOKEN_PER_MARKING", "+inf", techniques);
  } else {
    fputs("CANNOT_COMPUTE\n", out);
  }
  return ferror(out) ? -1 : 0;
}
