/* own_model.h -- a model that a C program brings (thimble.h) behind the model door. */
#ifndef API_OWN_MODEL_H
#define API_OWN_MODEL_H

#include "model/model.h"

/* What it declares is what the shared library offers, and nothing else. */
#pragma GCC visibility push(default)
#include "thimble.h"
#pragma GCC visibility pop

/* Borrows the description, which must outlive the model. */
int own_model_open(struct model **out, const struct thimble_model *, struct mem *, struct err *);

/* The program's own number of an action. Other models: the group. */
unsigned own_model_action(const struct model *, uint32_t group);
/* What the program contradicts itself in, whatever became of the run, at whose end this is called: it is asked about some states once more. NULL = nothing that was found. */
const char *own_model_fault(struct model *);

#endif
