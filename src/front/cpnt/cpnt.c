/* cpnt.c -- .cpnt as a language of the front room. */
#include "front/cpnt/cpnt.h"

#include "colour/colour.h"
#include "front/coloured.h"
#include "front/text.h"

static int load(struct model **out, const struct front_setup *setup, struct err *e) {
  struct drawing *d;
  char *text = NULL;
  size_t length = 0;
  *out = NULL;
  if (front_slurp(&text, &length, setup, e)) return -1;
  if (drawing_open(&d, setup->mem, setup->file, e)) {
    mem_free(setup->mem, text);
    return -1;
  }
  const char *kept = arena_strndup(&d->arena, text, length); /* inscriptions point into it */
  mem_free(setup->mem, text);
  int status = kept ? cpnt_read(d, kept, length, e) : err_memory(e, "reading the net");
  if (status) drawing_close(d);
  else status = front_coloured(out, d, setup, "cpnt", e);
  if (status && !e->excerpt[0]) front_excerpt_again(e, setup);
  return status;
}

static int save(const struct model *m, FILE *out, struct err *e) {
  const struct drawing *d = colour_model_drawing(m);
  if (!d) return err_usage(e, "a %s cannot be written as .cpnt: it is no coloured net", m->type->kind);
  return cpnt_write(d, out, e);
}

static const char *const suffixes[] = {".cpnt", NULL};

const struct front_type front_cpnt = {
    .name = "cpnt",
    .summary = "coloured Petri nets as text, with CPN ML",
    .suffixes = suffixes,
    .coloured = 1,
    .load = load,
    .save = save,
};
