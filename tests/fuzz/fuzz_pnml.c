/* fuzz_pnml.c -- any bytes as PNML.
 *
 * A symmetric net is also made a coloured one: the CPN ML of it must be right whatever the net is called and holds, so what is refused is refused because there is too much of something; and where both ways can be
 * taken, the coloured place has as many tokens at the start as its unfolded ones. */
#include "fuzz.h"

#include "colour/colour.h"
#include "colour/redraw.h"
#include "colour/unfold.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct unfold_limits SMALL = {.work = 20000, .places = 2000, .transitions = 2000, .bytes = BUDGET / 4};

static void same_start(const struct model *m, const struct pt_net *net) {
  int64_t *values = calloc((size_t)m->vars + 1, sizeof *values);
  demand(values && m->vars == net->place_families.count && m->groups == net->transition_families.count);
  m->type->define_initial(m, values);
  for (uint32_t p = 0; p < m->vars; p++) {
    const struct pt_family *f = &net->place_families.family[p];
    int64_t tokens = 0;
    for (uint32_t i = 0; i < f->count; i++) tokens += net->initial[f->first + i];
    demand(m->type->amount_define(m, values, p) == tokens);
    demand(m->type->find_var(m, f->id, strlen(f->id)) == p);
  }
  free(values);
}

static void keep_colours(const struct symmetric *net, const struct pt_net *plain, struct mem *m) {
  static const struct colour_setup usual = {.step_limit = 100000};
  static const char *const reasons[] = {"cannot be bound", "seems not to end", "too deep", "nested", "more tokens than can be counted", "Overflow", "Size", "too large", "too long", "overflow"};
  struct drawing *d;
  struct model *model = NULL;
  struct err e;
  int excused = 0;
  err_clear(&e);
  if (redraw(&d, net, &e)) {
    demand(e.kind == ERR_MEMORY);
    return;
  }
  if (colour_model_open(&model, d, &usual, "pnml", m, &e) == 0) {
    if (plain) same_start(model, plain);
    model_close(model);
    return;
  }
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) excused |= strstr(e.message, reasons[i]) != NULL;
  if (e.kind == ERR_INPUT && !excused) fprintf(stderr, "%s\n", e.message);
  demand(e.kind == ERR_MEMORY || e.kind == ERR_LIMIT || excused || !plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem m;
  struct err e;
  struct pt_net *net = NULL;
  struct symmetric *coloured = NULL;
  fuzz_net(pnml_read, data, size);
  mem_open(&m, BUDGET);
  err_clear(&e);
  FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  demand(in);
  struct front_setup setup = {.mem = &m, .file = "fuzz", .input = in, .warn = no_warning};
  int status = pnml_read_either(&net, &coloured, &setup, &e);
  fclose(in);
  if (status == 0 && coloured) {
    char beyond[UNFOLD_WORDS];
    unfold(&net, coloured, &SMALL, beyond, &e);
    keep_colours(coloured, net, &m);
  }
  pt_close(net);
  symmetric_close(coloured);
  demand(m.used == 0);
  return 0;
}
