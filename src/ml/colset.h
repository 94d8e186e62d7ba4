/* colset.h -- numbers of values in their colour sets, for the library. */
#ifndef ML_COLSET_H
#define ML_COLSET_H

#include "ml/ml.h"

uint64_t ml_colset_rank(const struct ml_colset *, ml_value); /* from 0; for sets that have a size, and values that belong */

#endif
