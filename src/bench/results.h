/* results.h -- a run as it stands in the database, and its figures.
 *
 * A figure is a name: time, memory (which clock and which space is the run's or the asker's choice), wall, search, cpu, resident, held, store (bytes), states, transitions, deadlocks,
 * bytes_per_state, states_per_s, or a path into what the program told (sweep.peak_states; of other programs whatever their template finds).  Before it may stand `paper.`: the
 * figure that the suite gives for it; after it `%`: in per cent of the baseline of the same model. The value is the median over the repetitions that gave a result. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include "bench/measure.h"

#include <jansson.h>

struct sample {
  int repetition, exit_code;
  enum outcome outcome;
  double wall, cpu, search;            /* NAN: not known */
  double resident, rss, held, store;   /* likewise */
  double figure[SUITE_FIGURES];
  const char *verdict, *message;
  json_t *told; /* NULL: nothing */
};

struct row { /* a task */
  int64_t id;
  const char *model, *way, *tool, *tool_version, *family, *command, *note; /* note: why it was not run; "" */
  double size; /* NAN */
  json_t *paper;
  struct sample *samples;
  size_t count, room;
};

struct results {
  struct arena arena;
  int64_t id;
  const char *suite, *title, *label, *version, *build, *host, *cpu, *kernel, *started; /* started: UTC, as text */
  int64_t cores, memory, repetitions;
  int finished;
  const char *clock, *space, *baseline;
  struct suite_words columns;
  struct row *rows;
  size_t count;
};

void results_close(struct results *);

int row_good(const struct row *);                     /* has a result: a repetition that is ok, or wrong */
enum outcome row_outcome(const struct row *);         /* the worst of its repetitions */
const char *row_message(const struct row *);          /* of that one */
double sample_figure(const struct results *, const struct sample *, const char *name); /* NAN: not known; neither paper. nor % */
double row_figure(const struct results *, const struct row *, const char *name);
const struct row *results_baseline(const struct results *, const struct row *);        /* of the same model; NULL: none */
const struct row *results_find(const struct results *, const char *model, const char *way);
/* The values of a figure over the good repetitions; how many. */
size_t row_values(const struct results *, const struct row *, const char *name, double *out, size_t room);
int sample_good(const struct sample *);

#endif
