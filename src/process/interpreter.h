/* interpreter.h -- running statements by walking their trees: the engine that starts at once. */
#ifndef PROCESS_INTERPRETER_H
#define PROCESS_INTERPRETER_H

#include "process/machine.h"

int32_t interpreter_value(struct runtime *, uint32_t slot, ir_expr);
void interpreter_assign(struct runtime *, uint32_t slot, ir_ref, ir_expr);
void interpreter_print(struct runtime *, uint32_t action, uint32_t slot, const int32_t *args);

#endif
