/* suite.h -- what a bench is to run: models, ways to check them, programs, limits, known values (doc/bench.md has the format).
 *
 * A task is a model and a way.  Everything here is read and checked before anything runs: a mistake in the file has file, line and column.  A suite lives in one arena. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "base/err.h"
#include "base/mem.h"

#include <stdint.h>

struct suite_words { /* a list of texts: a command line, patterns, names */
  const char **at;
  size_t count;
};

struct suite_pair { /* name = value; options: NULL is a flag, a list has several of the same name; figures: the number */
  const char *name, *value;
  double number;
  struct suite_pair *next;
};

enum suite_figure { SUITE_STATES, SUITE_TRANSITIONS, SUITE_DEADLOCKS, SUITE_FIGURES };
struct suite_expect {
  const char *verdict; /* NULL: not stated */
  int64_t figure[SUITE_FIGURES]; /* -1: not stated */
};

enum suite_compare { COMPARE_ALL, COMPARE_AT_MOST, COMPARE_AT_LEAST, COMPARE_VERDICT, COMPARE_NONE };

struct suite_find { /* a figure in the output of a program: the first group of an extended regular expression, times scale, plus add */
  const char *name, *pattern;
  double scale, add;
  struct suite_find *next;
};

struct suite_tool {
  const char *name, *summary, *file; /* file: where it is described */
  const char *program;           /* another thimble; NULL: a command line */
  struct suite_words languages;  /* suffixes that it reads; none: any */
  struct suite_words version;    /* tells its version; it is missing if this cannot be run */
  struct suite_words *prepare;   /* not measured, once for each task */
  size_t prepare_count;
  struct suite_words command;
  struct suite_pair *set;        /* values for {name} */
  struct suite_find *finds;      /* figures */
  struct suite_find *verdicts;   /* name: the verdict that a match means; the first that matches counts */
  enum suite_compare compare;
  struct suite_tool *next;
};

struct suite_task_extra { /* what a model says of its task with one way */
  const char *way;
  struct suite_expect expect;
  struct suite_pair *paper;
  int skip;
  struct suite_task_extra *next;
};

struct suite_source { /* a model in one language */
  const char *file;            /* absolute; "" where it is generated */
  struct suite_words generate; /* its output is the model */
  const char *suffix;
  int may_miss;  /* a file of the corpus: skipped where it is not */
  size_t number; /* among all of the suite */
  struct suite_source *next;
};

struct suite_model {
  const char *name, *family;
  struct suite_source source; /* the first is ours; others are the same in languages of other programs */
  double size;  /* NAN: not stated */
  struct suite_words defines;
  struct suite_pair *options, *set;
  struct suite_expect expect;
  struct suite_words ways; /* patterns; none: all */
  struct suite_task_extra *extras;
  long line;
  struct suite_model *next;
};

struct suite_way {
  const char *name;
  const struct suite_tool *tool; /* NULL: this thimble */
  struct suite_pair *options, *set;
  struct suite_words arguments; /* more words: {arguments} */
  struct suite_words models;    /* patterns; none: all */
  enum suite_compare compare;
  struct suite_expect expect; /* instead of the model's */
  struct suite_way *next;
};

struct suite_bar { /* figure of `way` against that of `against`, over the models that match: the geometric mean of the ratios, or the value itself without `against` */
  const char *figure, *way, *against, *models;
  double at_most, at_least; /* NAN: not stated */
  struct suite_bar *next;
};

struct suite_task {
  const struct suite_model *model;
  const struct suite_way *way;
  const struct suite_source *source;
  struct suite_expect expect;
  enum suite_compare compare;
  struct suite_pair *paper;
};

struct suite {
  struct arena arena;
  const char *file, *folder; /* folder: absolute */
  const char *name, *title, *corpus;
  uint64_t hash; /* of the file and all that it includes */
  uint64_t repetitions, warm_up;
  double seconds;  /* of a process; 0 = none */
  uint64_t bytes;  /* of a process; 0 = none */
  const char *clock, *space; /* which time and which memory tables speak of */
  const char *baseline;      /* name of a way */
  struct suite_words columns;
  struct suite_pair *options; /* of every way of thimble */
  struct suite_model *models;
  struct suite_way *ways;
  struct suite_tool *tools;
  struct suite_bar *bars;
  struct suite_task *tasks;
  size_t task_count, source_count;
};

/* What only the command line knows. */
struct suite_host {
  int (*is_model)(const char *file);      /* for folders */
  int (*option)(const char *name);        /* 0: check has no such option, 1: a flag, 2: it takes a value, 3: it may */
  const char *(*near_option)(const char *name);
};

/* A file, or a folder, of which every model is taken. 0, or -1 with err; close it in any case. */
int suite_open(struct suite *, const char *file, const struct suite_host *, struct mem *, struct err *);
int suite_parse(struct suite *, const char *file, const char *text, size_t length, const struct suite_host *, struct mem *, struct err *); /* a text, for tests; includes nothing */
void suite_close(struct suite *);

int suite_matches(const struct suite_words *patterns, const char *name); /* shell patterns; none match all */
extern const char *const suite_clocks[], *const suite_spaces[];          /* NULL-terminated */
extern const char *const suite_figures[];                                /* names of enum suite_figure */

#endif
