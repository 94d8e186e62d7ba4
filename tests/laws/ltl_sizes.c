/* ltl_sizes.c -- how large automata are: sums over formulas from the literature and their negations must not grow. */
#include "tap.h"

#include "ltl_formulas.h"
#include "prop/atoms.h"
#include "prop/translate.h"

static struct mem mem;

static size_t sum(const char *const *list, enum translate_shape shape) {
  size_t states = 0;
  for (; *list; list++) {
    struct formulas *fs;
    struct atoms atoms;
    struct err err;
    formula f;
    struct formula_reader reader = {.what = "law", .atom = atoms_add, .context = &atoms};
    err_clear(&err);
    atoms_open(&atoms, &mem);
    if (formulas_open(&fs, &mem, &err) == 0 && formula_parse(fs, &f, *list, &reader, &err) == 0)
      for (int negate = 0; negate <= 1; negate++) {
        struct automaton *a = NULL;
        if (translate(&a, fs, f, &(struct translate_setup){.negate = negate, .shape = shape}, &err)) break;
        states += a->states;
        automaton_close(a);
      }
    if (err.kind != ERR_NONE) printf("# %s: %s\n", *list, err.message), states += 100000;
    formulas_close(fs);
    atoms_close(&atoms);
  }
  return states;
}

static void at_most(const char *const *list, enum translate_shape shape, size_t most, const char *what) {
  size_t got = sum(list, shape);
  printf("# %s: %zu\n", what, got);
  ok(got <= most, what);
}

int main(void) {
  mem_open(&mem, (size_t)512 << 20);
  at_most(etessami_holzmann, SHAPE_GENERALISED, 86, "Etessami and Holzmann, generalised");
  at_most(etessami_holzmann, SHAPE_STATE, 102, "Etessami and Holzmann, acceptance on states");
  at_most(somenzi_bloem, SHAPE_GENERALISED, 149, "Somenzi and Bloem, generalised");
  at_most(somenzi_bloem, SHAPE_STATE, 173, "Somenzi and Bloem, acceptance on states");
  at_most(dwyer, SHAPE_GENERALISED, 464, "Dwyer's patterns, generalised");
  at_most(dwyer, SHAPE_STATE, 530, "Dwyer's patterns, acceptance on states");
  is(mem.used, 0, "all memory came back");
  return done();
}
