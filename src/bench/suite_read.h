/* suite_read.h -- values of a suite's tree, checked: what suite.c and suite_tool.c share. Everything returns 0, or -1 with err, which names the place. */
#ifndef BENCH_SUITE_READ_H
#define BENCH_SUITE_READ_H

#include "bench/suite.h"
#include "bench/toml.h"

struct reader {
  struct suite *suite;
  const struct suite_host *host;
  struct err *err;
};

int read_wrong(struct reader *, const struct toml *, const char *format, ...) __attribute__((format(printf, 3, 4)));
void *read_alloc(struct reader *, size_t);                                                       /* NULL with err */
const char *read_format(struct reader *, const char *format, ...) __attribute__((format(printf, 2, 3))); /* NULL with err */
int read_known(struct reader *, const struct toml *table, const char *const *keys);              /* no other keys than these, NULL-terminated */
const char *read_needed(struct reader *, const struct toml *table, const char *key, const char *what); /* a text that must be there; NULL with err */
/* Where the key is missing these leave *out as it is. */
int read_text(struct reader *, const struct toml *table, const char *key, const char **out);
int read_count(struct reader *, const struct toml *table, const char *key, int64_t least, int64_t most, int64_t *out);
int read_real(struct reader *, const struct toml *table, const char *key, double *out);
int read_choice(struct reader *, const struct toml *table, const char *key, const char *const *words, const char **out, int *which);
int read_words(struct reader *, const struct toml *table, const char *key, struct suite_words *out); /* an array of strings; one string is an array of one */
int read_word_list(struct reader *, const struct toml *array, struct suite_words *out);
int read_set(struct reader *, const struct toml *table, const char *key, struct suite_pair **out);     /* values for {name} */
int read_figures(struct reader *, const struct toml *table, const char *key, struct suite_pair **out); /* numbers */
int read_compare(struct reader *, const struct toml *table, enum suite_compare *out);
int read_tools(struct reader *, const struct toml *top); /* [[tool]], suite_tool.c */
const char *read_path(struct reader *, const char *folder, const char *file); /* absolute; NULL with err */

#endif
