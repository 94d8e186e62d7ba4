/* pnml.h -- place/transition nets in the Petri Net Markup Language (ISO/IEC 15909-2). */
#ifndef FRONT_PNML_PNML_H
#define FRONT_PNML_PNML_H

#include "front/front.h"
#include "net/pt.h"

extern const struct front_type front_pnml;

/* Reads the one net of the file, --marking applied; a symmetric one is unfolded, however large it becomes. */
int pnml_read(struct pt_net **out, const struct front_setup *, struct err *);
/* The same, but a symmetric net is left as it is: one of the two is NULL. */
struct symmetric;
int pnml_read_either(struct pt_net **out, struct symmetric **coloured, const struct front_setup *, struct err *);
/* A symmetric net unfolded, --marking applied. As unfold (unfold.h). */
struct unfold_limits;
int pnml_unfold(struct pt_net **out, const struct symmetric *, const struct unfold_limits *, char *beyond, const struct front_setup *, struct err *);
/* Writes a net that pnml_read reads back as the same net. */
int pnml_write(const struct pt_net *, FILE *out, struct err *);

#endif
