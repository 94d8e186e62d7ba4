/* slice.h -- values of a program that nobody will read are all the same, and steps that nobody notices have been taken (model.h: likeness). */
#ifndef PROCESS_SLICE_H
#define PROCESS_SLICE_H

#include "model/model.h"

extern const struct model_likeness_type process_slice;

#endif
