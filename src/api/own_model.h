/* own_model.h -- a model that a C program brings (thimble.h) behind the model door. */
#ifndef API_OWN_MODEL_H
#define API_OWN_MODEL_H

#include "model/model.h"
#include "thimble.h"

/* The public symbols of the shared library. */
#define PUBLIC __attribute__((visibility("default")))

/* Borrows the description, which must outlive the model. */
int own_model_open(struct model **out, const struct thimble_model *, struct mem *, struct err *);

#endif
