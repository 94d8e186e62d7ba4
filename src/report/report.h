/* report.h -- telling: verdicts, traces, progress, graphs.
 *
 * Everything here writes to a FILE that the caller gives and never decides where that is.
 * Text and JSON are made from the same `struct verdict`, so they cannot disagree. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "search/search.h"
#include "search/space.h"
#include "search/verdict.h"

#include <stdio.h>

/* ---- colours ----------------------------------------------------------------------- */

enum report_colour { PLAIN, BOLD, DIM, RED, GREEN, YELLOW, CYAN };
/* The escape sequence, or "" when `on` is 0. */
const char *report_colour(int on, enum report_colour);
/* A name from a model, safe for a terminal (control characters escaped) and cut to `room`. */
char *report_name(char *out, size_t room, const char *name);

/* ---- per transition counts (--stats): a listener ------------------------------------ */

struct report_counts {
  struct listener listener;
  struct mem *mem;
  const struct model *model;
  uint32_t groups;
  uint64_t *generated, *fresh; /* per group: edges, and those that led to a new state */
  int whole; /* the last search was one of the model itself: not of a smaller one, nor of a product with an automaton */
};
int report_counts_open(struct report_counts *, const struct model *, struct mem *, struct err *);
void report_counts_close(struct report_counts *);
struct records; /* a checkpoint's: search/journal.h */
void report_counts_save(void *counts, struct records *);
int report_counts_load(void *counts, struct records *);

/* ---- progress: a listener ------------------------------------------------------------ */

struct report_progress {
  struct listener listener;
  FILE *out;
  int rewrite; /* 1: one line rewritten in place; 0: a plain line every `every` seconds */
  int width;   /* of the terminal, in columns; 0 = unknown */
  double every;
  double last; /* time of the last line */
  double began; /* when the search that it told of began */
  uint64_t last_states, last_transitions, last_frontier;
  int shown; /* a rewritten line stands on the terminal */
};
void report_progress_open(struct report_progress *, FILE *, int rewrite, int width);
void report_progress_clear(struct report_progress *); /* wipes the line; call before printing anything else */

/* ---- verdicts ------------------------------------------------------------------------ */

/* What ended a run before its end, as people say it: "the time limit was reached". Returns out. */
const char *report_stop(const struct verdict *, char *out, size_t room);

struct report_timeline; /* timeline.h */
struct coverage;        /* coverage.h */
struct report_setup {
  const struct model *model;          /* NULL: there is none (it could not be loaded) */
  const struct report_counts *counts; /* NULL = not asked for */
  const struct report_timeline *timeline; /* NULL = there is none */
  const struct coverage *coverage;        /* NULL = not asked for */
  int coverage_complete;                  /* the search that was counted was one of the whole model */
  const struct err *err;              /* VERDICT_ERROR: the reason; may be NULL */
  int colour, quiet, verbose;
  int stats;
  const struct space_report *space; /* NULL = there is none */
  int space_all;                    /* its lists are as long as they are */
};
/* 0, or -1 when the stream has failed. */
int report_text(const struct verdict *, const struct report_setup *, FILE *);
int report_json(const struct verdict *, const struct report_setup *, FILE *);
/* The Model Checking Contest's lines for StateSpace. `techniques` follows the word TECHNIQUES. */
int report_mcc(const struct verdict *, const char *techniques, FILE *);

#endif
