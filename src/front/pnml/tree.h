/* tree.h -- the elements of a symmetric net as a tree.
 *
 * Place/transition nets are read as a stream, since they may be huge.  Coloured nets are small (that is what colours are for), and their terms are nested: from the start tag of such a <net> on, elements are kept
 * as they come, and symmetric.c reads them once all are there.  Everything lies in an arena. */
#ifndef FRONT_PNML_TREE_H
#define FRONT_PNML_TREE_H

#include "base/err.h"
#include "base/mem.h"

struct pnml_element {
  const char *name;             /* without its namespace */
  const char *const *attribute; /* name, value, name, value, ..., NULL */
  const char *text;             /* what stands in it beside elements, without white space around it; "" = nothing */
  struct place_in_text at;
  struct pnml_element *parent, *first, *last, *next;
};

struct pnml_tree {
  struct arena arena;
  struct pnml_element *root, *open; /* open: the one whose end tag has not come yet */
};

/* The attribute, or NULL. */
const char *pnml_attribute(const struct pnml_element *, const char *name);
/* The first child of that name, or NULL. */
const struct pnml_element *pnml_child(const struct pnml_element *, const char *name);
/* The text of <OWNER><text>...</text></OWNER> within an element; NULL = there is none. */
const char *pnml_label(const struct pnml_element *, const char *owner);
/* What a label means: the element inside <OWNER><structure>; NULL = there is none. */
const struct pnml_element *pnml_structure(const struct pnml_element *, const char *owner);

/* Building. 0, or -1: memory. */
int pnml_tree_start(struct pnml_tree *, const char *name, const char **attributes, struct place_in_text at);
int pnml_tree_end(struct pnml_tree *, const char *text, size_t length);

#endif
