/* dve.h -- DVE, the language of DiVinE and of the BEEM models.  It is described in doc/languages/dve.md. */
#ifndef FRONT_DVE_DVE_H
#define FRONT_DVE_DVE_H

#include "front/front.h"
#include "process/program.h"

extern const struct front_type front_dve;

/* Reads a model, --define applied. */
int dve_read(struct program **out, const struct front_setup *, struct err *);

#endif
