/* verdict.h -- the result of a run: what text, JSON and pages are made from. */
#ifndef SEARCH_VERDICT_H
#define SEARCH_VERDICT_H

#include "base/mem.h"
#include "base/stats.h"
#include "search/search.h"
#include "search/trace.h"

enum verdict_kind { VERDICT_HOLDS, VERDICT_VIOLATED, VERDICT_INCOMPLETE, VERDICT_LOSSY, VERDICT_ERROR };
const char *verdict_name(enum verdict_kind); /* "holds", "violated", "incomplete", "no-violation-lossy", "error" */
int verdict_exit_code(enum verdict_kind, enum search_stop); /* 0 1 4 5 70; 130 when interrupted */

/* A reachable expression holds when a state shows it (the trace is a witness) and is violated when a complete exact
   search found none; the others hold after a complete exact search and are violated by a trace. */
enum prop_status { STATUS_UNKNOWN, STATUS_HOLDS, STATUS_VIOLATED };
const char *prop_status_name(enum prop_status); /* "unknown", "holds", "violated" */

struct verdict_property {
  char id[64];
  const char *kind;       /* "deadlock", "invariant", "reachable" */
  const char *text;       /* the expression; NULL for deadlock */
  enum prop_status status;
  int shortest;
  struct place_in_text place; /* of the property or of what broke it; line 0 = none */
  struct trace *trace;    /* NULL = none */
  char trace_file[512];   /* where it was written; "" = nowhere */
};

struct verdict {
  enum verdict_kind kind;
  int complete, lossy;
  enum search_stop stop;
  const char *file, *language, *search, *store;
  uint32_t words, bits;
  struct verdict_property *property;
  size_t property_count;
  struct stats stats;
  size_t budget, peak, store_bytes, tag_peak[MEM_TAGS], resident_peak;
  double total_s, search_s, load_s;
  /* STOP_UNBOUNDED: names of the places and the pumping run, as text ready to show. */
  const char **unbounded;
  size_t unbounded_count;
  struct trace *pump_prefix, *pump;
  const char *advice;  /* what would help, for incomplete runs; may be NULL */
  /* nets: peaks for the contest's lines; has_peaks 0 for other models */
  int has_peaks;
  uint32_t max_in_place;
  uint64_t max_in_marking;
};

#endif
