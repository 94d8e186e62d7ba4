/* dependence.h -- which of the steps from a state of a program need be taken: stubborn sets of processes. */
#ifndef PROCESS_DEPENDENCE_H
#define PROCESS_DEPENDENCE_H

#include "model/model.h"

int process_thrift_open(struct model_thrift **out, const struct model *, const struct model_aims *, struct mem *, char *why, size_t room);
int process_thrift_choose(struct model_thrift *, struct model_cursor *, const struct model_batch *, size_t first, uint8_t *keep);
void process_thrift_close(struct model_thrift *);

#endif
