/* symmetric.h -- symmetric nets (ISO/IEC 15909-2): coloured nets whose colours can be counted.
 *
 * Sorts are finite: a dot, enumerations (in a circle or not), ranges of integers, products.  A colour is a number below the size of its sort; that of a product has its
 * parts as digits, the first one highest.  So terms compute with numbers, and no value needs a name before it is shown.
 *
 *   colour terms     constants, variables, tuples, successor and predecessor in a circle, the element of a partition: all but the last can be undone, which is how arcs bind variables
 *   multiset terms   n'colour, all of a sort, sums, differences, n times another one, tuples that have a multiset among their parts (every choice once)
 *   conditions       comparisons of colours (by their numbers), and, or, not, implies
 *
 * Everything lives in the arena of the net. */
#ifndef COLOUR_SYMMETRIC_H
#define COLOUR_SYMMETRIC_H

#include "base/err.h"
#include "base/vec.h"

#include <stdint.h>

#define SYMMETRIC_MOST_COLOURS ((uint64_t)1 << 40) /* of a sort */
#define SYMMETRIC_NONE UINT64_MAX                  /* no colour */

enum symmetric_sort_kind { SYMMETRIC_DOT, SYMMETRIC_ENUMERATION, SYMMETRIC_RANGE, SYMMETRIC_PRODUCT };

struct symmetric_sort {
  const char *id; /* "" = it has no name */
  enum symmetric_sort_kind kind;
  int cyclic; /* an enumeration in a circle */
  uint64_t size;
  int64_t low;            /* of a range: colour n is the number low + n */
  const char **constant;  /* of an enumeration: what colours are called */
  uint32_t parts;         /* of a product */
  const struct symmetric_sort **part;
};

enum symmetric_kind {
  /* colours */
  SYMMETRIC_COLOUR,      /* value */
  SYMMETRIC_VARIABLE,    /* value: which */
  SYMMETRIC_TUPLE,       /* part */
  SYMMETRIC_SUCCESSOR,   /* of part[0], in a circle */
  SYMMETRIC_PREDECESSOR, /* likewise */
  SYMMETRIC_ELEMENT,     /* of a partition: map[colour of part[0]] */
  /* multisets */
  SYMMETRIC_ALL,        /* of `sort`, each once */
  SYMMETRIC_TIMES,      /* value times part[0], a colour or a multiset */
  SYMMETRIC_SUM,        /* parts */
  SYMMETRIC_DIFFERENCE, /* part[0] without part[1]: it must contain it */
  SYMMETRIC_CHOICES,    /* a tuple some of whose parts are multisets */
  /* conditions */
  SYMMETRIC_TRUTH, /* value */
  SYMMETRIC_EQUAL, SYMMETRIC_UNEQUAL, SYMMETRIC_LESS, SYMMETRIC_AT_MOST, SYMMETRIC_GREATER, SYMMETRIC_AT_LEAST,
  SYMMETRIC_AND, SYMMETRIC_OR, SYMMETRIC_NOT, SYMMETRIC_IMPLIES,
};

struct symmetric_term {
  enum symmetric_kind kind;
  const struct symmetric_sort *sort; /* of the colour, or of the multiset's colours; conditions: NULL */
  uint64_t value;
  const uint32_t *map;
  uint32_t parts;
  struct symmetric_term **part;
};

static inline int symmetric_is_colour(const struct symmetric_term *t) { return t->kind <= SYMMETRIC_ELEMENT; }
static inline int symmetric_is_multiset(const struct symmetric_term *t) { return t->kind >= SYMMETRIC_ALL && t->kind <= SYMMETRIC_CHOICES; }
static inline int symmetric_is_condition(const struct symmetric_term *t) { return t->kind >= SYMMETRIC_TRUTH; }

struct symmetric_variable {
  const char *id;
  const struct symmetric_sort *sort;
};

struct symmetric_place {
  const char *id, *name;
  const struct symmetric_sort *sort;
  struct symmetric_term *initial; /* NULL = empty */
  struct place_in_text at;
  double x, y;
  int has_position;
};

struct symmetric_transition {
  const char *id, *name;
  struct symmetric_term *guard; /* NULL = none */
  uint8_t owned;                /* of games: 0, or 1 + the owner (model/owners.h) */
  struct place_in_text at;
  double x, y;
  int has_position;
};

struct symmetric_arc {
  uint32_t place, transition;
  int gives; /* to the place */
  struct symmetric_term *term;
  struct place_in_text at;
};

struct symmetric {
  struct mem *mem;
  struct arena arena;
  const char *file, *name;
  struct vec(struct symmetric_variable) variables;
  struct vec(struct symmetric_place) places;
  struct vec(struct symmetric_transition) transitions;
  struct vec(struct symmetric_arc) arcs;
};

int symmetric_open(struct symmetric **out, struct mem *, const char *file, struct err *);
void symmetric_close(struct symmetric *); /* NULL is fine */

/* Have the two the same colours in the same order? */
int symmetric_same_sort(const struct symmetric_sort *, const struct symmetric_sort *);

/* What a colour term is under a binding (the value of every variable, SYMMETRIC_NONE = not known): SYMMETRIC_NONE if it needs one that is not known. */
uint64_t symmetric_colour(const struct symmetric_term *, const uint64_t *binding);
/* 1, 0; -1: it needs a variable that is not known. */
int symmetric_condition(const struct symmetric_term *, const uint64_t *binding);
/* Tells the colours of a multiset or colour term, the same one perhaps several times, with signs (differences); every variable is known. 0, or what `hear` said. */
typedef int symmetric_hear(void *context, uint64_t colour, int64_t count);
int symmetric_multiset(const struct symmetric_term *, const uint64_t *binding, symmetric_hear *, void *context);
/* Which values must variables have for the term to be this colour? Fills in what is not known; newly known ones are appended to trail. 1; 0: none (trail tells what to undo). Not for SYMMETRIC_ELEMENT (1, nothing bound: to be
   checked once all is known). */
int symmetric_match(const struct symmetric_term *, uint64_t colour, uint64_t *binding, uint32_t *trail, uint32_t *trailed);

/* Writes a colour: "3", "red", "3_red". Returns its length, and writes at most room - 1 bytes and a zero. */
size_t symmetric_print(const struct symmetric_sort *, uint64_t colour, const char *between, char *out, size_t room);

#endif
