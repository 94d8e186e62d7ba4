/* pt_symmetry.h -- what pt_model.c tells symmetry.c of a model; nobody else includes it. */
#ifndef NET_PT_SYMMETRY_H
#define NET_PT_SYMMETRY_H

#include "model/model.h"
#include "net/pt.h"

struct pt_symmetry_setup {
  const struct pt_net *net;
  const uint8_t *dead, *constant; /* transitions, places */
  const uint32_t *bound;          /* per place, PT_NONE = none is known */
  int loose;                      /* there are transitions with arcs that never fire */
};
void pt_symmetry_ask(const struct model *, struct pt_symmetry_setup *);

/* What was found last, since several ask the same: each cursor has a likeness of its own. */
struct orbit;
struct pt_symmetry_found {
  char *asked; /* the expressions; NULL = nothing yet */
  int status;  /* of open */
  struct orbit *orbit;
  char text[200];
};
struct pt_symmetry_found *pt_symmetry_found(const struct model *);
void pt_symmetry_forget(struct pt_symmetry_found *, struct mem *);

/* The layout as it is now. And after a value of a place did not fit in: what the cursor must know of it. */
const struct layout *pt_symmetry_layout(const struct model *);
void pt_symmetry_wide(struct model_cursor *, uint32_t place, int64_t tokens);

#endif
