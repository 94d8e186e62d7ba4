/* bounds.c -- see bounds.h.
 *
 * A search on an unbounded net fills any memory.  Structural flows prove most nets bounded
 * (pt_model_bound); where they leave a place without a bound, a coverability analysis of at
 * most NODES nodes or SECONDS is tried.  Its three outcomes:
 *
 *   complete, bounded    exact bounds, which also narrow the packing;
 *   unbounded            proven, with a pumping run;
 *   effort spent         nothing known: the search begins, and itself watches for states
 *                        that cover their ancestors whenever a count outgrows its bits.
 *
 * The effort is small on purpose: most nets without proven bounds are bounded, and a search is
 * the fastest way to find that out. */
#include "run/bounds.h"

#include "net/pt_model.h"

#include <string.h>

enum { NODES = 5000 };
static const double SECONDS = 0.25;

static int proven(const struct model *model, const struct pt_net *net) {
  for (uint32_t p = 0; p < net->places; p++)
    if (pt_model_bound(model, p) == PT_NONE) return 0;
  return 1;
}

int bounds_find(struct bounds *b, struct model *model, struct mem *mem, double seconds, const volatile int *stop, struct err *e) {
  memset(b, 0, sizeof *b);
  const struct pt_net *net = pt_model_net(model);
  if (!net || proven(model, net)) {
    b->known = 1;
    return 0;
  }
  /* At most a quarter of what is left: a node costs a marking and its links. */
  size_t node = 8 * ((size_t)net->places + 16);
  size_t nodes = mem_left(mem) / 4 / node;
  struct coverability_setup setup = {
      .mem = mem,
      .max_nodes = nodes < 64      ? 64
                   : nodes > NODES ? NODES
                                   : nodes,
      .max_seconds = seconds > 0 && seconds < SECONDS ? seconds : SECONDS,
      .stop = stop,
  };
  struct err ignored;
  err_clear(&ignored);
  if (coverability_run(&b->cover, net, &setup, &ignored)) {
    memset(&b->cover, 0, sizeof b->cover);
    return 0;
  }
  b->ran = 1;
  return b->cover.complete ? pt_model_set_bounds(model, b->cover.bound, e) : 0;
}

void bounds_close(struct bounds *b) {
  if (b->ran) coverability_close(&b->cover);
  memset(b, 0, sizeof *b);
}
