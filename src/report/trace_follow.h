/* trace_follow.h -- going along a trace with a model that may not be the one it was made from: by name, and with a look at the values. */
#ifndef REPORT_TRACE_FOLLOW_H
#define REPORT_TRACE_FOLLOW_H

#include "report/trace_view.h"
#include "search/stepper.h"

/* Index of the successor that is made by what has this name, -1 if there is none; `guess` is tried first, `more` tells if there are several. The stepper's state must be expanded. */
int64_t trace_named(const struct stepper *, const char *name, uint32_t guess, int *more);
/* The successor that step i of the trace goes to. 0, or -1 with err. `name` is that of the trace file. */
int trace_follow(const struct trace_view *, size_t i, struct stepper *, const char *name, uint32_t *k, struct err *);
/* After it was taken: has the model the values that the trace says? 0, or -1 with err. */
int trace_agrees(const struct trace_view *, size_t i, const struct stepper *, const char *name, struct err *);

#endif
