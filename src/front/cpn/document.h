/* document.h -- an XML document as a tree, for files that are drawn by hand and therefore small. */
#ifndef FRONT_CPN_DOCUMENT_H
#define FRONT_CPN_DOCUMENT_H

#include "front/front.h"
#include "front/xml_tree.h"

/* Reads the input to its end; the text of an element is its own, without that of its children. Everything lives in the arena. */
int document_read(const struct xml_element **root, struct arena *, const struct front_setup *, struct err *);

#endif
