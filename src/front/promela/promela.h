/* promela.h -- Promela and PROM+: text in, a program of process/program.h out. */
#ifndef FRONT_PROMELA_PROMELA_H
#define FRONT_PROMELA_PROMELA_H

#include "front/front.h"
#include "process/program.h"

extern const struct front_type front_promela;
extern const struct front_type front_promplus;

/* The program alone, finished. `plus`: PROM+. 0, or -1 with err. */
int promela_read(struct program **out, const struct front_setup *, int plus, struct err *);

#endif
