/* symmetry.h -- markings of a net that differ by a symmetry of the net alone: model.h's likeness. */
#ifndef NET_SYMMETRY_H
#define NET_SYMMETRY_H

#include "model/model.h"

extern const struct model_likeness_type pt_symmetry;

#endif
