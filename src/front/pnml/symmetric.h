/* symmetric.h -- from the elements of a <net> with colours to a symmetric net. */
#ifndef FRONT_PNML_SYMMETRIC_H
#define FRONT_PNML_SYMMETRIC_H

#include "colour/symmetric.h"
#include "front/xml_tree.h"

/* 0, or -1 with err: what is no part of symmetric nets is refused by its name, with its place. */
int pnml_symmetric(struct symmetric **out, const struct xml_element *net, struct mem *, const char *file, struct err *);

/* The text of <OWNER><text>...</text></OWNER> within an element; NULL = there is none. */
const char *pnml_label(const struct xml_element *, const char *owner);
/* What a label means: the element inside <OWNER><structure>; NULL = there is none. */
const struct xml_element *pnml_structure(const struct xml_element *, const char *owner);

/* ---- declarations (sorts.c) ---- */

enum pnml_declared_kind { PNML_SORT, PNML_VARIABLE, PNML_CONSTANT, PNML_PARTITION };
struct pnml_declared {
  enum pnml_declared_kind kind;
  const struct symmetric_sort *sort; /* of a partition: that of its elements */
  uint64_t value;                    /* of a constant, or the number of a variable */
  const struct symmetric_sort *divided; /* of a partition: the sort it divides */
  const uint32_t *map;               /* ... and its element for each colour of that */
};

struct pnml_colours {
  struct symmetric *net;
  struct err *err;
  struct names *ids;
  struct vec(struct pnml_declared) declared; /* by number of the id */
  const struct symmetric_sort *dot, *truth;
  int unknown;  /* what failed spoke of something that may be declared later */
};

/* All declarations of the net and its pages. */
int pnml_declare(struct pnml_colours *, const struct xml_element *net);
/* The sort that an element describes; NULL with err. */
const struct symmetric_sort *pnml_sort(struct pnml_colours *, const struct xml_element *);
/* What an id was declared as, or NULL. */
const struct pnml_declared *pnml_find(const struct pnml_colours *, const char *id);
const struct symmetric_sort *pnml_product(struct pnml_colours *, const char *id, const struct symmetric_sort *const *part, uint32_t parts, struct place_in_text at);

/* ---- terms (terms.c) ---- */

/* `wanted` is the sort that it should have, where that is known (NULL = it is not). NULL with err. */
struct symmetric_term *pnml_term(struct pnml_colours *, const struct xml_element *, const struct symmetric_sort *wanted);
/* The same of something that is true or false: colours of bool are asked whether they are true. */
struct symmetric_term *pnml_condition(struct pnml_colours *, const struct xml_element *);

#endif
