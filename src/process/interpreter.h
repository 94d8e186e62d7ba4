/* interpreter.h -- running statements by walking their trees: the engine that starts at once. */
#ifndef PROCESS_INTERPRETER_H
#define PROCESS_INTERPRETER_H

#include "process/machine.h"

int32_t interpreter_value(struct machine_face *, uint32_t slot, ir_expr);
void interpreter_assign(struct machine_face *, uint32_t slot, ir_ref, ir_expr);
void interpreter_print(struct machine_face *, uint32_t action, uint32_t slot, const int32_t *args);

/* Channels, shared with nobody else: the contents lie in the image as machine.h says. */
static inline const struct ir_chan *machine_chan(const struct machine_face *m, int32_t number) {
  return number > 0 && (uint32_t)number <= m->channels ? &((const struct machine *)m)->program->chans.at[m->chan_kind[number]] : NULL;
}

#endif
