/* results.c -- see results.h. */
#include "bench/results.h"

#include "bench/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 1024, LONGEST_NAME = 120 };

void results_close(struct results *r) {
  for (size_t i = 0; i < r->count; i++) {
    json_decref(r->rows[i].paper);
    for (size_t k = 0; k < r->rows[i].count; k++) json_decref(r->rows[i].samples[k].told);
  }
  arena_close(&r->arena);
}

int sample_good(const struct sample *s) { return s->outcome == OUTCOME_OK || s->outcome == OUTCOME_WRONG; }

int row_good(const struct row *r) {
  for (size_t i = 0; i < r->count; i++)
    if (sample_good(&r->samples[i])) return 1;
  return 0;
}

static const struct sample *worst(const struct row *r) {
  const struct sample *w = NULL;
  for (size_t i = 0; i < r->count; i++)
    if (!w || r->samples[i].outcome == OUTCOME_WRONG || (w->outcome != OUTCOME_WRONG && r->samples[i].outcome > w->outcome)) w = &r->samples[i];
  return w;
}

enum outcome row_outcome(const struct row *r) { return worst(r) ? worst(r)->outcome : OUTCOME_ABSENT; }
const char *row_message(const struct row *r) { return worst(r) ? worst(r)->message : r->note; }

/* a.b.c of a JSON object; NULL: not there. */
static const json_t *by_path(const json_t *v, const char *path) {
  char key[LONGEST_NAME];
  while (v && *path) {
    size_t n = strcspn(path, ".");
    if (n >= sizeof key) return NULL;
    memcpy(key, path, n);
    key[n] = 0;
    v = json_object_get(v, key);
    path += n + (path[n] == '.');
  }
  return v;
}

static double one_of(const char *word, const char *const *words, const double *values) {
  for (int i = 0; words[i]; i++)
    if (strcmp(word, words[i]) == 0) return values[i];
  return (double)NAN;
}

double sample_figure(const struct results *r, const struct sample *s, const char *name) {
  double times[] = {s->wall, isnan(s->search) ? s->wall : s->search, s->cpu}, spaces[] = {s->resident, s->held, s->store};
  double x = one_of(name, suite_clocks, times);
  if (isnan(x)) x = one_of(name, suite_spaces, spaces);
  if (isnan(x)) x = one_of(name, suite_figures, s->figure);
  if (!isnan(x)) return x;
  if (strcmp(name, "time") == 0) return one_of(r->clock, suite_clocks, times);
  if (strcmp(name, "memory") == 0) return one_of(r->space, suite_spaces, spaces);
  if (strcmp(name, "rss") == 0) return s->rss;
  double states = s->figure[SUITE_STATES];
  if (strcmp(name, "bytes_per_state") == 0) return states > 0 ? sample_figure(r, s, "memory") / states : (double)NAN;
  if (strcmp(name, "states_per_s") == 0) return sample_figure(r, s, "time") > 0 ? states / sample_figure(r, s, "time") : (double)NAN;
  const json_t *v = s->told ? by_path(s->told, name) : NULL;
  return json_is_number(v) ? json_number_value(v) : json_is_boolean(v) ? json_is_true(v) : (double)NAN;
}

size_t row_values(const struct results *r, const struct row *row, const char *name, double *out, size_t room) {
  size_t n = 0;
  for (size_t i = 0; i < row->count && n < room; i++) {
    double x = sample_good(&row->samples[i]) ? sample_figure(r, &row->samples[i], name) : (double)NAN;
    if (!isnan(x)) out[n++] = x;
  }
  return n;
}

const struct row *results_find(const struct results *r, const char *model, const char *way) {
  for (size_t i = 0; i < r->count; i++)
    if (strcmp(r->rows[i].model, model) == 0 && strcmp(r->rows[i].way, way) == 0) return &r->rows[i];
  return NULL;
}

const struct row *results_baseline(const struct results *r, const struct row *row) { return results_find(r, row->model, r->baseline); }

static double absolute(const struct results *r, const struct row *row, const char *name) {
  double values[MOST_SAMPLES];
  if (strncmp(name, "paper.", 6) == 0) {
    const json_t *v = row->paper ? json_object_get(row->paper, name + 6) : NULL;
    return json_is_number(v) ? json_number_value(v) : (double)NAN;
  }
  if (strcmp(name, "size") == 0) return row->size;
  size_t n = row_values(r, row, name, values, MOST_SAMPLES);
  return n ? statistics_median(values, n) : (double)NAN;
}

double row_figure(const struct results *r, const struct row *row, const char *name) {
  char whole[LONGEST_NAME];
  size_t n = strlen(name);
  if (!n || n >= sizeof whole || name[n - 1] != '%') return absolute(r, row, name);
  memcpy(whole, name, n - 1);
  whole[n - 1] = 0;
  const struct row *base = results_baseline(r, row);
  double own = absolute(r, row, whole), other = base ? absolute(r, base, whole) : (double)NAN;
  return other > 0 ? 100 * own / other : (double)NAN;
}
