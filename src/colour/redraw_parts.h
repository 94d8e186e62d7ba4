/* redraw_parts.h -- shared by the files that make a drawing of a symmetric net; nobody else includes it. */
#ifndef COLOUR_REDRAW_PARTS_H
#define COLOUR_REDRAW_PARTS_H

#include "colour/redraw.h"
#include "ml/ml.h"
#include "net/names.h"

struct text vec(char);

struct colour_set {
  const struct symmetric_sort *sort;
  const char *name;
  const char **constant; /* of an enumeration; of a dot: one */
  const char *next, *previous; /* functions; NULL = nobody has asked for them */
};

struct division { /* a partition: its map tells it */
  const uint32_t *map;
  const char *function;
};

struct redrawing {
  const struct symmetric *net;
  struct drawing *d;
  struct mem *mem;
  struct err *err;
  struct ml *ml;            /* asked for names only */
  struct names sets, values; /* names in use: types and values do not get into each other's way */
  struct vec(struct colour_set) set;
  struct vec(struct division) division;
  const char **variable;
  struct text text; /* being written */
  int refused;      /* memory */
};

/* redraw_sets.c */
/* Adds to the text. Memory that is refused is told by `refused` alone. */
void redraw_say(struct redrawing *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What was said since `from`, kept with the drawing; the text is as it was then. */
struct drawing_text redraw_said(struct redrawing *, size_t from, struct place_in_text at);
void redraw_declare(struct redrawing *, size_t from); /* what was said since then is a declaration */
const char *redraw_keep(struct redrawing *, const char *text);
/* A name of ML's for one of the net's; `front` stands before one that does not begin with a letter. */
const char *redraw_name(struct redrawing *, struct names *used, const char *wanted, const char *front);
/* The colour set of a sort, by its number: declared when it is first asked for, after its parts. */
size_t redraw_set(struct redrawing *, const struct symmetric_sort *);
const char *redraw_set_name(struct redrawing *, const struct symmetric_sort *);
/* Functions: the neighbour of a colour, the element of a partition. */
const char *redraw_neighbour(struct redrawing *, const struct symmetric_sort *, int next);
const char *redraw_division(struct redrawing *, const struct symmetric_term *);

/* redraw_terms.c */
void redraw_multiset(struct redrawing *, const struct symmetric_term *);
void redraw_condition(struct redrawing *, const struct symmetric_term *);

#endif
