/* fuzz_automaton.c -- any bytes as an automaton, in HOA or as a never claim: no crash, no lost memory, an error says why and
 * where; what was read is written and read again, and accepts the same after reduction.  Then once more with one allocation
 * refused. */
#include "fuzz.h"
#include "prop/hoa.h"
#include "prop/never.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct automaton *read_text(const char *text, size_t size, struct mem *m, struct atoms *atoms) {
  struct automaton *a;
  struct err e;
  err_clear(&e);
  int status =
      size && text[0] == 'n' ? never_read(&a, text, size, "fuzz", atoms, m, &e) : hoa_read(&a, text, size, "fuzz", m, &e);
  demand(status == 0 ? a && e.kind == ERR_NONE : !a && e.kind != ERR_NONE && e.message[0]);
  if (e.kind == ERR_INPUT) demand(e.line >= 1 && e.column >= 1);
  return a;
}

static unsigned accepted(const struct automaton *a) {
  unsigned answers = 0;
  struct err e;
  err_clear(&e);
  for (uint64_t i = 0; i < 12; i++) {
    uint64_t word[4];
    for (int k = 0; k < 4; k++) word[k] = (i * 4 + (uint64_t)k + 1) * UINT64_C(0x9e3779b97f4a7c15);
    answers |= (unsigned)(automaton_accepts(a, word, 2, word + 2, 2, &e) == 1) << i;
  }
  return answers;
}

static void try_it(struct automaton *a, struct mem *m) {
  struct err e;
  char *text = NULL;
  size_t size = 0;
  err_clear(&e);
  if (a->states > 200 || a->first[a->states] > 2000) {
    automaton_close(a);
    return;
  }
  unsigned before = accepted(a);
  FILE *out = open_memstream(&text, &size);
  demand(out);
  hoa_write(a, "fuzz", out);
  fclose(out);
  struct automaton *b = read_text(text, size, m, NULL);
  demand(b && accepted(b) == before);
  automaton_close(b);
  free(text);
  if (automaton_reduce(&a, NULL, &e) == 0) demand(accepted(a) == before);
  if (automaton_degeneralise(&a, 1, &e) == 0) demand(accepted(a) == before);
  if (automaton_sharpen(&a, &e) == 0) demand(accepted(a) == before);
  automaton_close(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem m;
  struct atoms atoms;
  mem_open(&m, BUDGET);
  atoms_open(&atoms, &m);
  struct automaton *a = read_text((const char *)data, size, &m, &atoms);
  if (a) try_it(a, &m);
  atoms_close(&atoms);
  demand(m.used == 0);
  m.fail_after = fuzz_pick(data, size);
  automaton_close(read_text((const char *)data, size, &m, &atoms));
  atoms_close(&atoms);
  demand(m.used == 0);
  return 0;
}
