/* queries.h -- the formulas of the Model Checking Contest: XML in, texts in Thimble's own spelling out.
 *
 *   <all-paths><globally>..    A (G (..))          <is-fireable> t u   fireable("t", "u")
 *   <until><before>..<reach>.. ((..) U (..))       <tokens-count> p q  tokens("p", "q")
 *   <place-bound> p q          tokens("p", "q"), asked for its largest value
 *
 * So whatever reads formulas reads queries, and a query that is shown can be typed. */
#ifndef PROP_QUERIES_H
#define PROP_QUERIES_H

#include "base/err.h"
#include "base/mem.h"

struct query_place { /* in the file, from 1 */
  long line, column;
};

struct query {
  char *id, *text; /* text: "" if the formula has a strange element */
  int bound;       /* the largest value of an expression is asked for */
  struct query_place *name; /* where the names in quotes stand, one after the other */
  char strange[40];         /* the first element that is not known or (misplaced) not in its place or without the parts that it should have, as it can be shown; "" if there is none */
  int misplaced;
  struct query_place strange_at;
  size_t names;
  struct query *next;
};

struct queries {
  struct mem *mem;
  char *file;
  struct query *first, *last;
  size_t count;
};

/* 0, or -1 with err: the file cannot be read, or is no set of properties. */
int queries_read(struct queries *, const char *file, struct mem *, struct err *);
void queries_close(struct queries *);

/* What is wrong at a column (from 1) of a query's text, told at its place in the file. */
void queries_place(const struct queries *, const struct query *, size_t column, struct err *);

#endif
