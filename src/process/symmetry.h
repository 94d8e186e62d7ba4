/* symmetry.h -- states of a program that differ only in which of several equal processes, values or objects is which (model.h: symmetry). */
#ifndef PROCESS_SYMMETRY_H
#define PROCESS_SYMMETRY_H

#include "model/model.h"

extern const struct model_likeness_type process_symmetry;

#endif
