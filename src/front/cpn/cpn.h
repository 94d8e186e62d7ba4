/* cpn.h -- coloured nets as CPN Tools and CPN IDE write them: .cpn, XML. */
#ifndef FRONT_CPN_CPN_H
#define FRONT_CPN_CPN_H

#include "colour/drawing.h"
#include "front/cpn/document.h"

extern const struct front_type front_cpn;

/* declarations.c: the boxes of declarations as text. */
int cpn_declarations(struct drawing *, const struct xml_element *cpnet, struct err *);
/* pages.c */
int cpn_pages(struct drawing *, const struct xml_element *cpnet, struct err *);

#endif
