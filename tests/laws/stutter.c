/* stutter.c -- what automaton_stutters says is true: letters are doubled and dropped, and the automaton does not see it.
 *
 * Random automata of few states, most of them mended towards the condition (loops and short cuts are added, with the sets that they need or without), and those of formulas without `next`.  Wherever the
 * answer is yes, random words and the same with some letters repeated are both accepted or both not. */
#include "tap.h"

#include "ltl_random.h"
#include "prop/formula.h"
#include "prop/translate.h"

#include <stdlib.h>

enum { ATOMS = 2, WORDS = 30, MOST = 60 };

static struct mem mem;
static struct err err;
static unsigned long bad, yes, no;

static int accepts(const struct automaton *a, const struct ltl_word *w) { return automaton_accepts(a, w->letter, w->prefix, w->letter + w->prefix, w->loop, &err); }

/* The same word, with letters that come one to three times. */
static void repeat(struct ltl_word *out, const struct ltl_word *w, struct rng *r) {
  *out = (struct ltl_word){0};
  size_t n = 0;
  for (size_t i = 0; i < w->prefix + w->loop; i++) {
    size_t times = 1 + (size_t)rng_below(r, 3);
    if (n + times + (w->prefix + w->loop - i) > LTL_POSITIONS) times = 1;
    for (size_t k = 0; k < times; k++) out->letter[n++] = w->letter[i];
    if (i + 1 == w->prefix) out->prefix = n;
  }
  out->loop = n - out->prefix;
}

static void examine(const struct automaton *a, uint64_t seed) {
  struct rng r = {seed};
  if (!automaton_stutters(a)) {
    no++;
    return;
  }
  yes++;
  for (int i = 0; i < WORDS; i++) {
    struct ltl_word w, longer;
    ltl_random_word(&w, &r, ATOMS);
    repeat(&longer, &w, &r);
    if (accepts(a, &w) == accepts(a, &longer)) continue;
    if (bad++ < 5) printf("# seed %llu: a word of %zu and %zu letters\n", (unsigned long long)seed, w.prefix, w.loop);
  }
}

static struct automaton_edge random_edge(struct rng *r, uint32_t states) {
  uint64_t care = rng_below(r, 4);
  return (struct automaton_edge){care, rng_below(r, 4) & care, (uint32_t)rng_below(r, states), rng_below(r, 3) == 0};
}

/* Loops and short cuts that are missing are added, mostly. */
static void mend(struct automaton_draft *d, struct rng *r) {
  for (size_t i = 0; i < d->edges && d->edges < MOST; i++) {
    struct draft_edge e = d->edge[i];
    if (rng_below(r, 8)) automaton_draft_edge(d, rng_below(r, 3) ? e.edge.to : e.from, (struct automaton_edge){e.edge.care, e.edge.want, rng_below(r, 3) ? e.edge.to : e.from, rng_below(r, 4) == 0});
    for (size_t k = 0; k < d->edges && d->edges < MOST; k++) {
      struct draft_edge f = d->edge[k];
      if (f.from != e.edge.to || (e.edge.want ^ f.edge.want) & e.edge.care & f.edge.care || !rng_below(r, 8)) continue;
      automaton_draft_edge(d, e.from, (struct automaton_edge){e.edge.care | f.edge.care, e.edge.want | f.edge.want, f.edge.to, rng_below(r, 3) ? e.edge.accept | f.edge.accept : (uint32_t)rng_below(r, 2)});
    }
  }
}

static void one(uint64_t seed) {
  struct rng r = {seed};
  struct automaton_draft d;
  struct automaton *a = NULL;
  uint32_t states = 1 + (uint32_t)rng_below(&r, 3);
  automaton_draft_open(&d, &mem);
  for (size_t n = 1 + (size_t)rng_below(&r, 4); n > 0; n--) automaton_draft_edge(&d, (uint32_t)rng_below(&r, states), random_edge(&r, states));
  automaton_draft_initial(&d, 0);
  mend(&d, &r);
  if (automaton_finish(&a, &d, states, 1, &err) || automaton_trim(&a, &err)) bad++, printf("# %s\n", err.message);
  else examine(a, seed + 1);
  automaton_close(a);
  automaton_draft_close(&d);
}

static int atom_of(void *context, const char *text, size_t length, size_t column, struct err *e) {
  (void)context, (void)length, (void)column, (void)e;
  return text[0] - 'p';
}

/* 1 if the automaton of what breaks it is known not to count. */
static int stutters(const char *text) {
  struct formulas *fs = NULL;
  struct automaton *a = NULL;
  formula f;
  struct formula_reader reader = {.what = "here", .atom = atom_of};
  int answer = !formulas_open(&fs, &mem, &err) && !formula_parse(fs, &f, text, &reader, &err) && !translate(&a, fs, f, &(struct translate_setup){.negate = 1, .shape = SHAPE_STATE}, &err) &&
               !automaton_trim(&a, &err) && automaton_stutters(a);
  if (a) examine(a, 7);
  automaton_close(a);
  formulas_close(fs);
  return answer;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 8000;
  uint64_t base = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
  mem_open(&mem, (size_t)256 << 20);
  for (int i = 0; i < rounds; i++) one(base * 1000003 + (uint64_t)i * 7919);
  printf("# %lu random automata do not count letters, of %lu nobody knows\n", yes, no);
  ok(yes > (unsigned long)rounds / 50 && no > (unsigned long)rounds / 50, "there are both");
  static const char *const usual[] = {"[] p", "<> p", "[] <> p", "[] (p -> <> q)", "p U q", "<> (p && q)", "[] p || [] q"};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) ok(stutters(usual[i]), usual[i]);
  ok(!stutters("X p") && !stutters("[] (p -> X q)"), "one that says next is not");
  ok(bad == 0, "repeated letters are not seen");
  is(mem.used, 0, "all memory came back");
  return done();
}
