/* xml_tree.h -- the elements of an XML document, or of a part of one, as a tree.
 *
 * For languages whose elements refer to each other in any order or are nested terms, and whose files are small: CPN Tools' (cpn), symmetric nets (pnml).  The reader tells start and end of elements as its parser does, from which
 * one on it likes; everything lies in an arena, which is its own.
 *
 * Both readers give expat its memory here: its allocation hooks have no context argument, so the budget of the running parser is kept in a thread-local variable, set while a parser is open. */
#ifndef FRONT_XML_TREE_H
#define FRONT_XML_TREE_H

#include "base/err.h"
#include "base/mem.h"

#include <expat.h>

struct xml_element {
  const char *name;
  const char *const *attribute; /* name, value, name, value, ..., NULL */
  const char *text;             /* what the reader says stands in it beside elements; "" = nothing */
  size_t length;                /* of the text */
  struct place_in_text at, text_at; /* of the tag, of the first byte of the text */
  struct xml_element *parent, *first, *last, *next;
};

struct xml_tree {
  struct arena *arena;
  size_t bytes, most;              /* held; 0 = no other limit than the budget */
  struct xml_element *root, *open; /* open: the one whose end tag has not come yet */
};

/* The attribute, or NULL. */
const char *xml_attribute(const struct xml_element *, const char *name);
/* The first child of that name, or the next sibling that has it; NULL = none. */
const struct xml_element *xml_child(const struct xml_element *, const char *name);
const struct xml_element *xml_next(const struct xml_element *, const char *name);

/* Building. 0, or -1: memory. */
int xml_tree_start(struct xml_tree *, const char *name, const char **attributes, struct place_in_text at);
int xml_tree_end(struct xml_tree *, const char *text, size_t length);

/* A parser that allocates from `mem`, with a separator between namespace and name (NULL = no namespaces). *outer is to be given back when it is closed. NULL: memory. */
XML_Parser xml_open(struct mem *mem, const XML_Char *separator, struct mem **outer);
void xml_close(XML_Parser, struct mem *outer);

#endif
