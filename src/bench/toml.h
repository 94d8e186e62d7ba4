/* toml.h -- reads TOML 1.0 (https://toml.io) into a tree that knows where each value stands.
 *
 * All of the language but dates and times, which nothing here needs and which are refused in a sentence.  Errors have file, line and column, so whoever reads a
 * file through this tree can say where a value is wrong: keep the place of what you complain about (`toml_at`).
 *
 * Laws (tests/unit/toml.c, tests/fuzz/fuzz_suite.c): any bytes end in a tree or in an error with a place; no recursion, whatever the nesting; the tree lives in the
 * caller's arena and points into the caller's text nowhere. */
#ifndef BENCH_TOML_H
#define BENCH_TOML_H

#include "base/err.h"
#include "base/mem.h"

#include <stdint.h>

enum toml_kind { TOML_TABLE, TOML_ARRAY, TOML_TEXT, TOML_INTEGER, TOML_REAL, TOML_BOOL };

struct toml {
  enum toml_kind kind;
  const char *key; /* in a table; NULL in arrays and at the top */
  const char *file;
  long line, column; /* of the key where there is one, else of the value */
  const char *text;  /* TOML_TEXT; no NUL inside */
  int64_t integer;
  double real; /* also of integers */
  int truth;
  struct toml *first, *last, *next; /* of containers: their members; next: in the container */
  size_t count;
  enum { TOML_OPEN, TOML_IMPLICIT, TOML_DOTTED, TOML_CLOSED } how; /* tables: who may still add to it; arrays: CLOSED unless of [[tables]] */
};

enum { TOML_NESTED = 64, TOML_KEYS = 10000, TOML_LONGEST = 4 << 20 };

/* The file's name is copied. 0, or -1 with ERR_INPUT or ERR_MEMORY. */
int toml_parse(struct toml **out, const char *file, const char *text, size_t length, struct arena *, struct err *);
/* The whole file read and parsed; its bytes too, where `text` is not NULL. */
int toml_read(struct toml **out, const char *file, const char **text, size_t *length, struct arena *, struct err *);

struct toml *toml_find(const struct toml *table, const char *key); /* NULL: not there, or table is NULL */
struct place_in_text toml_at(const struct toml *);
const char *toml_kind_name(enum toml_kind); /* "a string", ... */

#endif
