/* fuzz_formula.c -- any bytes as a formula: no crash, no lost memory, an error says why and where; what was read is printed,
 * reads as the same formula again, in both groupings, and its automaton and that of its negation disagree on a few words.  Then
 * once more with one allocation refused.  The first byte says whether quantifiers are known, how operators group, and whether it is
 * an ltl block. */
#include "fuzz.h"
#include "prop/atoms.h"
#include "prop/translate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int parse(struct formulas *fs, formula *f, const char *text, struct atoms *atoms, unsigned mode, struct err *e) {
  struct formula_reader reader = {.what = "fuzz",
                                  .grouping = mode & 4 ? GROUP_PROMELA : mode & 1 ? GROUP_SPIN : GROUP_USUAL,
                                  .branching = mode >> 1 & 1,
                                  .atom = atoms_add,
                                  .context = atoms};
  err_clear(e);
  int status = formula_parse(fs, f, text, &reader, e);
  demand(status == 0 ? *f != FORMULA_NONE && e->kind == ERR_NONE : *f == FORMULA_NONE && e->kind != ERR_NONE && e->message[0]);
  if (e->kind == ERR_INPUT) demand(e->line >= 1 && e->column >= 1 && e->caret >= 0);
  return status;
}

static void try_automaton(struct formulas *fs, formula f, struct mem *m) {
  struct err e;
  struct automaton *a[2] = {NULL, NULL};
  int status = 0;
  err_clear(&e);
  if (!formula_is(fs, f, CLASS_LTL) || formula_size(fs, f) > 12) return; /* sanitizers make the largest automata a hundred times slower */
  for (int negate = 0; negate <= 1 && !status; negate++)
    status = translate(&a[negate], fs, f, &(struct translate_setup){.negate = negate, .most_subsets = 32, .most_terms = 512}, &e);
  demand(!status || e.kind == ERR_MEMORY || e.kind == ERR_LIMIT);
  for (uint64_t i = 0; i < 12 && !status; i++) {
    uint64_t word[4];
    for (int k = 0; k < 4; k++) word[k] = (i * 4 + (uint64_t)k + 1) * UINT64_C(0x9e3779b97f4a7c15);
    int x = automaton_accepts(a[0], word, 2, word + 2, 2, &e), y = automaton_accepts(a[1], word, 2, word + 2, 2, &e);
    demand(x < 0 || y < 0 || x != y);
  }
  automaton_close(a[0]);
  automaton_close(a[1]);
  (void)m;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem m;
  struct err e;
  unsigned mode = size ? data[0] & 7 : 0;
  char *text = malloc(size + 1);
  demand(text);
  memcpy(text, data + (size != 0), size ? size - 1 : 0);
  text[size ? size - 1 : 0] = 0;
  for (int round = 0; round < 2; round++) {
    struct formulas *fs = NULL;
    struct atoms atoms;
    formula f, again;
    mem_open(&m, BUDGET);
    if (round) m.fail_after = fuzz_pick(data, size);
    atoms_open(&atoms, &m);
    err_clear(&e);
    if (formulas_open(&fs, &m, &e) == 0 && parse(fs, &f, text, &atoms, mode, &e) == 0) {
      char *printed = formula_print(fs, f, SPELL_USUAL, atoms_text, &atoms);
      if (!round) {
        demand(printed);
        for (unsigned grouping = 0; grouping < 2 && !(mode & 4) && strlen(printed) < FORMULA_LONGEST; grouping++) /* what is about bits in an ltl block is not elsewhere */
          if (parse(fs, &again, printed, &atoms, (mode & 2) | grouping, &e) == 0) demand(again == f);
          else demand(e.kind == ERR_LIMIT || strstr(e.message, "nested") || strchr(text, '"') || strchr(text, '\''));
      }
      mem_free(&m, printed);
      try_automaton(fs, f, &m);
    }
    formulas_close(fs);
    atoms_close(&atoms);
    demand(m.used == 0);
  }
  free(text);
  return 0;
}
