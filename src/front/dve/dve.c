/* dve.c -- .dve as a language of the front room: text to syntax (parse.c), syntax to program (lower.c), program to model
 * (process/process.h). */
#include "front/dve/dve.h"

#include "front/dve/syntax.h"
#include "front/override.h"
#include "front/text.h"
#include "process/process.h"

int dve_read(struct program **out, const struct front_setup *setup, struct err *e) {
  struct dve d = {.setup = setup, .mem = setup->mem, .err = e};
  *out = NULL;
  if (front_no_markings(setup, "DVE", e)) return -1;
  arena_open(&d.arena, setup->mem, MEM_OTHER);
  int status = front_slurp(&d.text, &d.length, setup, e);
  if (!status) status = dve_parse(&d);
  if (!status) status = dve_lower(&d, out);
  dve_syntax_free(&d);
  return status;
}

static int load(struct model **out, const struct front_setup *setup, struct err *e) {
  struct program *program;
  *out = NULL;
  return dve_read(&program, setup, e) ? -1 : process_open(out, program, setup->mem, e);
}

static const char *const suffixes[] = {".dve", NULL};

const struct front_type front_dve = {
    .name = "dve",
    .summary = "processes with guards, effects and channels: the language of DiVinE and of the BEEM models",
    .suffixes = suffixes,
    .load = load,
};
