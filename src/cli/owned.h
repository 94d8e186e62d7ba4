/* owned.h -- --controllable and --uncontrollable: who owns which transition in a game. */
#ifndef CLI_OWNED_H
#define CLI_OWNED_H

#include "cli/session.h"
#include "model/owners.h"

struct owned {
  struct owners owners;
  const char **list[2];
  uint8_t *used[2];
};
/* Lists are separated by commas, options repeatable; the session's model must be loaded. 0, or -1 with session->err: memory, or a pattern that matches nothing in a model whose transitions are all known before it is
   explored. Close it in any case. */
int owned_open(struct owned *, struct session *);
/* After the exploration: a pattern that nothing matched is a mistake. 0, or -1 with session->err. */
int owned_check(const struct owned *, struct session *);
void owned_close(struct owned *, struct session *);

#endif
