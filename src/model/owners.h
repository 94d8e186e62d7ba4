/* owners.h -- who controls a step: the system that is modelled, or what is around it.
 *
 * In a game the transitions of a model belong to two sides (doc/games.md).  Most belong to the controllable side; those of the environment are marked in the model's language (model.h: owner), by
 * names (owner_by_name), or on the command line, which has the last word.
 *
 * The owner of a step is the owner of its group.  There may be more groups while a model is explored than there were before (processes that begin late). */
#ifndef MODEL_OWNERS_H
#define MODEL_OWNERS_H

#include "model/model.h"

enum { OWNER_CONTROLLABLE, OWNER_UNCONTROLLABLE, OWNER_UNSAID };

/* What a name says: env_... is the environment's, ctrl_... is not; other names say nothing. */
int owner_by_name(const char *name);

/* As an attribute of a transition that most do not have: 0, or 1 + the owner. */
static inline int owner_said(uint8_t owned) { return owned ? owned - 1 : OWNER_UNSAID; }

struct owners {
  const struct model *model;
  struct mem *mem;
  const char *const *pattern[2]; /* by owner: names, as patterns of the shell, NULL-terminated; may be NULL */
  uint8_t *used[2];              /* set for patterns that some name matched; as long as the lists, may be NULL with them */
  uint32_t *of, count;           /* per group: its owner */
};

/* Set model, mem and patterns before. 0, or -1: memory. A name that patterns of both sides match is the environment's. */
int owners_open(struct owners *);
int owners_more(struct owners *, uint32_t group); /* groups that have come since, this one among them; the same */
void owners_close(struct owners *); /* also of a zeroed struct */

#endif
