/* process.h -- the door of the room: a program (program.h) becomes a model. */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include "model/model.h"
#include "process/program.h"

/* Takes the program over, also when it fails. 0, or -1 with err. */
int process_open(struct model **out, struct program *, struct mem *, struct err *);

/* The program behind a model of this room; NULL if it is none. */
const struct program *process_program(const struct model *);

#endif
