/* coloured.c -- see coloured.h. */
#include "front/coloured.h"

#include "colour/colour.h"
#include "front/used.h"

int front_coloured(struct model **out, struct drawing *d, const struct front_setup *setup, const char *language, struct err *e) {
  _Static_assert(sizeof(struct colour_override) == sizeof(struct front_override), "the same two pointers");
  struct colour_setup coloured = {.marking = (const struct colour_override *)setup->markings,
                                  .markings = setup->marking_count,
                                  .define = (const struct colour_override *)setup->defines,
                                  .defines = setup->define_count,
                                  .per_token = setup->edges_per_token,
                                  .draws = (enum colour_draws)setup->draws,
                                  .seed = setup->seed};
  if (front_used(d, setup, e)) {
    drawing_close(d);
    *out = NULL;
    return -1;
  }
  return colour_model_open(out, d, &coloured, language, setup->mem, e);
}
