/* document.h -- an XML document as a tree, for files that are drawn by hand and therefore small. */
#ifndef FRONT_CPN_DOCUMENT_H
#define FRONT_CPN_DOCUMENT_H

#include "front/front.h"

struct document_node {
  const char *name;
  const char *const *attributes; /* name, value, ..., NULL */
  const char *text;              /* its own text, without that of its children */
  size_t length;
  struct place_in_text place, text_place; /* of the tag, of the first byte of the text */
  struct document_node *first, *last, *next;
};

/* Reads the input to its end. Everything lives in the arena. */
int document_read(struct document_node **root, struct arena *, const struct front_setup *, struct err *);

const char *document_attribute(const struct document_node *, const char *name); /* NULL = none */
/* The first child of this name, or the next sibling that has the name; NULL = none. */
struct document_node *document_child(const struct document_node *, const char *name);
struct document_node *document_next(const struct document_node *, const char *name);

#endif
