/* dve.c -- .dve as a language of the front room: text to syntax (parse.c), syntax to program (lower.c), program to model
 * (process/process.h). */
#include "front/dve/dve.h"

#include "front/dve/condition.h"
#include "front/override.h"
#include "front/text.h"
#include "process/process.h"

int dve_read(struct program **out, const struct front_setup *setup, struct err *e) {
  *out = NULL;
  if (front_no_markings(setup, "DVE", e)) return -1;
  struct dve_reader *r = mem_alloc(setup->mem, MEM_OTHER, sizeof *r);
  if (!r) return err_memory(e, "the model");
  r->setup = *setup;
  r->d = (struct dve){.setup = &r->setup, .mem = setup->mem, .err = e};
  r->l.d = &r->d;
  arena_open(&r->d.arena, setup->mem, MEM_OTHER);
  int status = front_slurp(&r->d.text, &r->d.length, setup, e);
  if (!status) status = dve_parse(&r->d);
  if (!status) status = dve_lower(&r->l, &r->d, out);
  if (!status) dve_keep(r);
  else dve_forget(r);
  return status;
}

static int load(struct model **out, const struct front_setup *setup, struct err *e) {
  struct program *program;
  *out = NULL;
  if (dve_read(&program, setup, e)) return -1;
  if (setup->unbounded_channels && program_unbound_channels(program, e)) {
    program_close(program);
    return -1;
  }
  return process_open(out, program, setup->mem, e);
}

static const char *const suffixes[] = {".dve", NULL};

const struct front_type front_dve = {
    .name = "dve",
    .summary = "processes with guards, effects and channels: the language of DiVinE and of the BEEM models",
    .suffixes = suffixes,
    .load = load,
};
