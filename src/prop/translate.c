/* translate.c -- from a formula to the automaton that a search wants.
 *
 * Normal form, simplification, tableau (tableau.c), trimming and simulation (automaton_reduce.c).  For obligation formulas the
 * minimal weak deterministic automaton is tried and taken where it has no more states.  Then the shape that was asked for,
 * reduced again, and sharper guards at last.
 *
 * Bad prefixes of a safety formula come from its own automaton, in which every infinite run accepts: where the subset
 * construction reaches the empty subset no run is left, and what was read is bad.  Where that has too many subsets, the automaton
 * of the negation does it without determinism: all its accepting components are terminal, and entering one is bad. */
#include "prop/translate.h"

#include "prop/automaton_determinise.h"
#include "prop/tableau.h"

/* ---- the whole way ---------------------------------------------------------------------------- */

static int check_atoms(const struct formulas *fs, formula f, struct err *e) {
  uint64_t mask;
  int status = formula_atoms(fs, f, &mask);
  if (!status) return 0;
  if (status == FORMULA_NO_MEMORY) return err_memory(e, "a formula");
  return err_limit(e, "this formula has more than %d different state expressions", AUTOMATON_ATOMS);
}

/* Does the weak deterministic automaton replace the other one? When it has no more states. */
static int try_deterministic(struct automaton **at, const struct translate_setup *setup, struct err *e) {
  struct automaton *a = *at, *b = NULL;
  struct automaton_draft d;
  automaton_draft_open(&d, a->mem);
  int status = 0;
  for (uint32_t i = 0; i < a->initial_count && !status; i++) status = automaton_draft_initial(&d, a->initial[i]);
  for (uint32_t s = 0; s < a->states && !status; s++)
    for (uint32_t k = a->first[s]; k < a->first[s + 1] && !status; k++) status = automaton_draft_edge(&d, s, a->edge[k]);
  status = status ? err_memory(e, "an automaton") : automaton_finish(&b, &d, a->states, a->sets, e);
  automaton_draft_close(&d);
  if (status) return -1;
  int made = automaton_weak_deterministic(&b, setup->most_subsets ? setup->most_subsets : 4096, setup->interrupt, e);
  if (made == 1 && b->states <= a->states) {
    automaton_close(a);
    *at = b;
    return 0;
  }
  automaton_close(b);
  return made < 0 ? -1 : 0;
}

static int improve(struct automaton **at, unsigned class, const struct translate_setup *setup, struct err *e) {
  if (automaton_reduce(at, setup->interrupt, e)) return -1;
  if ((class & CLASS_OBLIGATION) && !(*at)->deterministic && try_deterministic(at, setup, e)) return -1;
  if (setup->shape != SHAPE_GENERALISED &&
      (automaton_degeneralise(at, setup->shape == SHAPE_STATE, e) || automaton_reduce(at, setup->interrupt, e)))
    return -1;
  return automaton_sharpen(at, e);
}

int translate(struct automaton **out, struct formulas *fs, formula f, const struct translate_setup *setup, struct err *e) {
  *out = NULL;
  if (!formula_is(fs, f, CLASS_LTL)) return err_usage(e, "this formula has path quantifiers; only LTL becomes an automaton");
  unsigned class = formula_class(fs, f);
  formula g = formula_normal(fs, f, setup->negate);
  if (g != FORMULA_NONE && !setup->raw) g = formula_simplify(fs, g);
  if (g == FORMULA_NONE) return formulas_refused(fs, e);
  class = (setup->negate ? class & CLASS_OBLIGATION : class) | formula_class(fs, g);
  if (check_atoms(fs, g, e) || tableau(out, fs, g, setup->most_terms, setup->interrupt, e)) return -1;
  int status = setup->raw ? automaton_classify(*out, e) : improve(out, class, setup, e);
  if (!status && setup->interrupt && *setup->interrupt)
    status = err_limit(e, "interrupted while the automaton of the formula was made");
  if (!status) return 0;
  automaton_close(*out);
  *out = NULL;
  return -1;
}

/* ---- bad prefixes ------------------------------------------------------------------------------- */

/* The automaton with one last state where `last` (by state) says so; edges into it have accept 1, all others 0. */
static int with_one_end(struct automaton **at, const uint8_t *last, struct err *e) {
  struct automaton *a = *at, *b = NULL;
  struct automaton_draft d;
  uint32_t *rename = mem_alloc(a->mem, MEM_OTHER, ((size_t)a->states + 1) * sizeof *rename), states = 0;
  int status = rename ? 0 : -1;
  automaton_draft_open(&d, a->mem);
  for (uint32_t s = 0; s < a->states && !status; s++) rename[s] = last[s] ? UINT32_MAX : states++;
  for (uint32_t s = 0; s < a->states && !status; s++)
    if (last[s]) rename[s] = states;
  for (uint32_t i = 0; i < a->initial_count && !status; i++) status = automaton_draft_initial(&d, rename[a->initial[i]]);
  for (uint32_t s = 0; s < a->states && !status; s++)
    for (uint32_t k = a->first[s]; k < a->first[s + 1] && !status && !last[s]; k++) {
      struct automaton_edge x = a->edge[k];
      x.accept = last[x.to];
      x.to = rename[x.to];
      status = automaton_draft_edge(&d, rename[s], x);
    }
  if (!status) status = automaton_draft_edge(&d, states, (struct automaton_edge){0, 0, states, 1});
  status = status ? err_memory(e, "an automaton") : automaton_finish(&b, &d, states + 1, 1, e);
  automaton_draft_close(&d);
  mem_free(a->mem, rename);
  if (status) return -1;
  if (automaton_inherit(b, a, e) || automaton_classify(b, e)) {
    automaton_close(b);
    return -1;
  }
  automaton_close(a);
  *at = b;
  return 0;
}

/* From the automaton of the formula, in which every infinite run accepts: the empty subset is where no run is left. */
static int by_subsets(struct automaton **at, const struct translate_setup *setup, struct err *e) {
  struct subsets d;
  struct automaton *b = NULL;
  int made = subsets_open(&d, *at, setup->most_subsets ? setup->most_subsets : 4096, setup->interrupt, e);
  if (made != 1) return made;
  uint8_t *good = mem_alloc(d.mem, MEM_OTHER, (size_t)d.states + 1);
  int status = good ? 0 : err_memory(e, "an automaton");
  for (uint32_t s = 0; s < d.states && !status; s++) good[s] = s == d.none;
  if (!status) status = subsets_minimise(&d, good, e);
  if (!status) status = subsets_automaton(&b, &d, good, *at, e);
  if (!status) status = with_one_end(&b, good, e);
  mem_free(d.mem, good);
  subsets_close(&d);
  if (status) {
    automaton_close(b);
    return -1;
  }
  automaton_close(*at);
  *at = b;
  return 1;
}

/* From the automaton of the negation: reaching a terminal state is all that counts. */
static int by_terminal(struct automaton **at, struct err *e) {
  struct automaton *a = *at; /* gone after with_one_end */
  struct mem *mem = a->mem;
  uint8_t *last = mem_alloc(mem, MEM_OTHER, (size_t)a->states + 1);
  int made = last ? 1 : err_memory(e, "an automaton");
  for (uint32_t s = 0; s < a->states && made == 1; s++) {
    last[s] = a->kind[s] == SCC_TERMINAL;
    if (a->kind[s] == SCC_WEAK || a->kind[s] == SCC_STRONG) made = 0;
  }
  if (made == 1 && with_one_end(at, last, e)) made = -1;
  mem_free(mem, last);
  return made;
}

int translate_bad_prefixes(struct automaton **out, struct formulas *fs, formula f, const struct translate_setup *setup,
                           struct err *e) {
  struct translate_setup inner = {.interrupt = setup->interrupt, .most_subsets = 1};
  *out = NULL;
  if (!formula_is(fs, f, CLASS_LTL)) return err_usage(e, "this formula has path quantifiers; only LTL becomes an automaton");
  formula g = formula_normal(fs, f, setup->negate);
  formula simple = g == FORMULA_NONE ? g : formula_simplify(fs, g);
  if (simple == FORMULA_NONE) return formulas_refused(fs, e);
  if (!formula_is(fs, simple, CLASS_SAFETY)) return 0;
  if (translate(out, fs, simple, &inner, e)) return -1;
  int made = 0;
  if ((*out)->sets == 0) made = by_subsets(out, setup, e);
  if (made == 0) { /* too many subsets */
    automaton_close(*out);
    inner.negate = 1;
    if (translate(out, fs, simple, &inner, e)) return -1;
    made = by_terminal(out, e);
  }
  if (made == 1) return 1;
  automaton_close(*out);
  *out = NULL;
  return made;
}
