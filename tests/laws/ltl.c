/* ltl.c -- formulas and their automata mean the same.
 *
 * Random formulas on random lasso words: the definition of LTL (ltl_random.h) against the automaton as built, reduced, with one
 * set, on states, of the negation, through HOA, and against simplified formulas; safety formulas against their bad prefixes. */
#include "tap.h"

#include "ltl_random.h"
#include "prop/formula.h"
#include "prop/hoa.h"
#include "prop/translate.h"

#include <stdlib.h>

enum { ATOMS = 3, WORDS = 40 };

static int atom_of(void *context, const char *text, size_t length, size_t column, struct err *e) {
  (void)context, (void)column, (void)e;
  return length == 2 && text[0] == 'p' ? text[1] - '0' : -1;
}

static struct mem mem;
static struct err err;
static unsigned long bad, asked;

static void complain(const char *what, const char *text, const struct ltl_word *w, int want) {
  if (bad++ > 5) return;
  printf("# %s of %s, prefix %zu:", what, text, w->prefix);
  for (size_t i = 0; i < w->prefix + w->loop; i++) printf(" %d", (int)w->letter[i]);
  printf(": want %d %s\n", want, err.message);
}

static void compare(const char *what, const struct automaton *a, const struct ltl_tree *t, const char *text, uint64_t seed,
                    int flip) {
  struct rng r = {seed};
  for (int i = 0; i < WORDS; i++) {
    struct ltl_word w;
    ltl_random_word(&w, &r, ATOMS);
    int want = ltl_holds(t, &w) ^ flip;
    asked++;
    if (automaton_accepts(a, w.letter, w.prefix, w.letter + w.prefix, w.loop, &err) != want) complain(what, text, &w, want);
  }
}

/* The first letter at which an edge of accept 1 can be taken, on all runs; SIZE_MAX if there is none within many rounds. */
static int violated(const struct automaton *a, const struct ltl_word *w) {
  uint8_t *now = calloc(a->states + 1, 1), *next = calloc(a->states + 1, 1);
  int found = 0;
  size_t steps = w->prefix + w->loop * (a->states + 1) * 2;
  for (uint32_t i = 0; i < a->initial_count; i++) now[a->initial[i]] = 1;
  for (size_t at = 0, n = 0; n < steps && !found; n++, at = at + 1 < w->prefix + w->loop ? at + 1 : w->prefix) {
    memset(next, 0, a->states);
    for (uint32_t s = 0; s < a->states; s++)
      for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end; x++)
        if (now[s] && automaton_open_for(x, w->letter[at])) next[x->to] = 1, found |= (int)x->accept;
    uint8_t *swap = now;
    now = next;
    next = swap;
  }
  free(now);
  free(next);
  return found;
}

static void compare_prefixes(const struct automaton *a, const struct ltl_tree *t, const char *text, uint64_t seed) {
  struct rng r = {seed};
  for (int i = 0; i < WORDS; i++) {
    struct ltl_word w;
    ltl_random_word(&w, &r, ATOMS);
    int want = !ltl_holds(t, &w);
    asked++;
    if (violated(a, &w) != want) complain("bad prefixes", text, &w, want);
  }
  compare("bad prefixes as an automaton", a, t, text, seed, 1);
}

static struct automaton *made(struct formulas *fs, formula f, struct translate_setup setup) {
  struct automaton *a = NULL;
  err_clear(&err);
  if (translate(&a, fs, f, &setup, &err)) {
    printf("# %s\n", err.message);
    bad++;
  }
  return a;
}

static void check_shape(const struct automaton *a, const char *text, enum translate_shape shape) {
  int fine = a->states == 0 || shape == SHAPE_GENERALISED || a->sets == 1;
  for (uint32_t s = 0; s < a->states && shape == SHAPE_STATE; s++)
    for (uint32_t k = a->first[s]; k < a->first[s + 1]; k++) fine &= a->edge[k].accept == a->edge[a->first[s]].accept;
  if (!fine) bad++, printf("# the automaton of %s has not the shape asked for\n", text);
}

/* Through HOA and back. */
static struct automaton *through_hoa(struct automaton *a) {
  char *text = NULL;
  size_t size = 0;
  struct automaton *b = NULL;
  FILE *out = open_memstream(&text, &size);
  a->atoms = ATOMS; /* named by the writer */
  hoa_write(a, NULL, out);
  fclose(out);
  if (hoa_read(&b, text, size, "law", &mem, &err)) bad++, printf("# %s\n", err.message);
  automaton_close(a);
  free(text);
  return b;
}

static unsigned long safeties;

static void one(uint64_t seed, int size) {
  struct rng r = {seed};
  struct ltl_tree t;
  static char text[8000];
  struct formulas *fs;
  formula f;
  err_clear(&err);
  ltl_random_tree(&t, &r, size, ATOMS);
  *ltl_text(&t, t.root, text, 0) = 0;
  struct formula_reader reader = {.what = "law", .atom = atom_of};
  if (formulas_open(&fs, &mem, &err) || formula_parse(fs, &f, text, &reader, &err)) {
    bad++;
    printf("# %s: %s\n", text, err.message);
    return;
  }
  static const struct {
    const char *what;
    struct translate_setup setup;
  } ways[] = {{"tableau", {.raw = 1}},
              {"automaton", {0}},
              {"negation", {.negate = 1}},
              {"one set", {.shape = SHAPE_BUECHI}},
              {"acceptance on states", {.shape = SHAPE_STATE}},
              {"negated tableau", {.raw = 1, .negate = 1}}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    struct automaton *a = made(fs, f, ways[i].setup);
    if (!a) continue;
    compare(ways[i].what, a, &t, text, seed + 1, ways[i].setup.negate);
    check_shape(a, text, ways[i].setup.shape);
    a = through_hoa(a);
    if (a) compare("HOA", a, &t, text, seed + 1, ways[i].setup.negate);
    automaton_close(a);
  }
  struct automaton *a;
  int safe = translate_bad_prefixes(&a, fs, f, &(struct translate_setup){0}, &err);
  if (safe < 0) bad++, printf("# %s\n", err.message);
  if (safe == 1) compare_prefixes(a, &t, text, seed + 1), safeties++;
  if (safe == 1) automaton_close(a);
  safe = translate_bad_prefixes(&a, fs, f, &(struct translate_setup){.most_subsets = 1}, &err);
  if (safe == 1) compare_prefixes(a, &t, text, seed + 1);
  if (safe == 1) automaton_close(a);
  formulas_close(fs);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1500;
  uint64_t base = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
  mem_open(&mem, (size_t)512 << 20);
  for (int i = 0; i < rounds; i++) one(base * 1000003 + (uint64_t)i * 7919, 2 + i % 11);
  printf("# %lu words asked, %lu safety formulas\n", asked, safeties);
  ok(bad == 0, "automata accept what their formulas say");
  ok(safeties > 0, "some were safety formulas");
  is(mem.used, 0, "all memory came back");
  return done();
}
