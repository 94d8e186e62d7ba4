/* ltl_spin.c -- translations beside those of spin -f.
 *
 * Random formulas: Thimble's automata and SPIN's claims accept the same random lasso words, the formula's and the negation's; and
 * SPIN reads the claims that Thimble writes.  Formulas from the literature: the number of states.  Formulas with X are left out
 * where the installed spin does not know it, and those for which it takes longer than half a second. */
#include "tap.h"

#include "ltl_formulas.h"
#include "ltl_random.h"
#include "prop/atoms.h"
#include "prop/never.h"
#include "prop/translate.h"

#include <stdlib.h>
#include <unistd.h>

static struct mem mem;
static struct err err;

/* What a command prints; NULL if it fails. The caller frees it. */
static char *output_of(const char *command) {
  FILE *in = popen(command, "r");
  size_t room = 1 << 16, n = 0, got;
  char *text = malloc(room);
  while (in && (got = fread(text + n, 1, room - n - 1, in)) > 0) {
    n += got;
    if (n + 1 == room) text = realloc(text, room *= 2);
  }
  text[n] = 0;
  if (in && pclose(in) == 0) return text;
  free(text);
  return NULL;
}

static char *spin(const char *text) {
  static char command[20000];
  snprintf(command, sizeof command, "timeout 0.5 spin -f '%s' 2>&1", text);
  char *claim = output_of(command);
  if (claim && strncmp(claim, "never", 5) == 0) return claim;
  free(claim);
  return NULL;
}

static size_t states_of(const char *claim) { /* labels, where several in a row are one */
  size_t n = 0, labelled = 0;
  for (const char *line = claim; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0)) {
    size_t end = strcspn(line, "\n");
    int label = end > 1 && line[0] != '\t' && line[end - 1] == ':';
    n += label && !labelled;
    labelled = (size_t)label;
  }
  return n;
}

struct pair {
  struct formulas *fs;
  struct atoms atoms;
  formula f;
};

static int open_pair(struct pair *p, const char *text) {
  struct formula_reader reader = {.what = "law", .atom = atoms_add, .context = &p->atoms};
  err_clear(&err);
  atoms_open(&p->atoms, &mem);
  return formulas_open(&p->fs, &mem, &err) || formula_parse(p->fs, &p->f, text, &reader, &err);
}

static void close_pair(struct pair *p) {
  formulas_close(p->fs);
  atoms_close(&p->atoms);
}

/* ---- languages -------------------------------------------------------------------------------------- */

enum { ATOMS = 3, WORDS = 60 };
static unsigned compared, apart, words;

static void compare(uint64_t seed, int size, int negate, int next) {
  struct rng r = {seed};
  struct ltl_tree t;
  struct pair p;
  char text[4000], negated[4100];
  do ltl_random_tree(&t, &r, size, ATOMS), *ltl_text(&t, t.root, text, 1) = 0;
  while (!next && strchr(text, 'X'));
  snprintf(negated, sizeof negated, "! %s", text);
  char *claim = spin(negate ? negated : text);
  if (!claim) return;
  struct automaton *theirs = NULL, *ours = NULL;
  int status = open_pair(&p, text);
  static const char *const names[ATOMS] = {"p0", "p1", "p2"};
  for (int i = 0; i < ATOMS; i++) atoms_add(&p.atoms, names[i], 2, 1, &err);
  if (!status) status = never_read(&theirs, claim, strlen(claim), "spin", &p.atoms, &mem, &err);
  if (!status) status = translate(&ours, p.fs, p.f, &(struct translate_setup){.negate = negate}, &err);
  if (status) printf("# %s: %s\n%s", text, err.message, claim), apart++;
  uint64_t bit[ATOMS] = {0}; /* where p0, p1, p2 stand in letters */
  for (uint32_t i = 0; i < p.atoms.count; i++) bit[p.atoms.text[i][1] - '0'] = i;
  for (int i = 0; i < WORDS && !status; i++) {
    struct ltl_word w;
    ltl_random_word(&w, &r, ATOMS);
    for (size_t k = 0; k < w.prefix + w.loop; k++) {
      uint64_t letter = 0;
      for (int a = 0; a < ATOMS; a++) letter |= (w.letter[k] >> a & 1) << bit[a];
      w.letter[k] = letter;
    }
    int x = automaton_accepts(theirs, w.letter, w.prefix, w.letter + w.prefix, w.loop, &err);
    int y = automaton_accepts(ours, w.letter, w.prefix, w.letter + w.prefix, w.loop, &err);
    words++;
    if (x != y && apart++ < 5) printf("# %s%s: spin %d, thimble %d\n", negate ? "! " : "", text, x, y);
  }
  compared++;
  automaton_close(theirs);
  automaton_close(ours);
  close_pair(&p);
  free(claim);
}

/* ---- sizes ------------------------------------------------------------------------------------------- */

struct sums {
  unsigned formulas, smaller, larger;
  unsigned large, large_smaller; /* claims of three states and more */
  size_t generalised, states, spin;
};

static void measure(const char *const *list, struct sums *s, int next) {
  for (; *list; list++)
    for (int negate = 0; negate <= 1; negate++) {
      struct pair p;
      struct automaton *a = NULL, *b = NULL;
      char text[4000] = "";
      if (!next && strchr(*list, 'X')) continue;
      if (open_pair(&p, *list)) continue;
      char *spelt = formula_print(p.fs, p.f, SPELL_SPIN, atoms_text, &p.atoms);
      snprintf(text, sizeof text, negate ? "!(%s)" : "%s", spelt);
      mem_free(&mem, spelt);
      char *claim = spin(text);
      if (claim && translate(&a, p.fs, p.f, &(struct translate_setup){.negate = negate}, &err) == 0 &&
          translate(&b, p.fs, p.f, &(struct translate_setup){.negate = negate, .shape = SHAPE_STATE}, &err) == 0) {
        size_t theirs = states_of(claim);
        s->formulas++;
        s->generalised += a->states;
        s->states += b->states;
        s->spin += theirs;
        s->smaller += b->states < theirs;
        s->larger += b->states > theirs;
        s->large += theirs >= 3;
        s->large_smaller += theirs >= 3 && b->states < theirs;
      }
      automaton_close(a);
      automaton_close(b);
      free(claim);
      close_pair(&p);
    }
}

/* SPIN reads what Thimble writes as a never claim. */
static void read_back(void) {
  static const char *const some[] = {"G (a -> F b)", "a U (b & G c)", "F a & F !a", "false", "true", "G F a & G F b", NULL};
  char file[] = "/tmp/ltl_spin_XXXXXX";
  int fd = mkstemp(file), fine = fd >= 0;
  for (const char *const *f = some; *f && fine; f++) {
    struct pair p;
    struct automaton *a = NULL;
    char command[200];
    FILE *out = fopen(file, "w");
    fine = out && !open_pair(&p, *f) && !translate(&a, p.fs, p.f, &(struct translate_setup){.shape = SHAPE_STATE}, &err) &&
           !automaton_name_atoms(a, (const char *const *)p.atoms.text, p.atoms.count, &err);
    if (!fine) break;
    fputs("bool a, b, c;\nactive proctype p() { do :: a = !a :: b = !b :: c = !c od }\n", out);
    never_write(a, *f, out);
    fclose(out);
    snprintf(command, sizeof command, "spin -u3 %s 2>&1", file);
    char *said = output_of(command);
    if (!said || strstr(said, "error")) fine = 0, printf("# %s: %s\n", *f, said ? said : "spin fails");
    free(said);
    automaton_close(a);
    close_pair(&p);
  }
  if (fd >= 0) close(fd);
  unlink(file);
  ok(fine, "spin reads never claims that thimble writes");
}

int main(void) {
  char *version = output_of("spin -V 2>/dev/null");
  if (!version) {
    printf("1..0 # SKIP spin is not installed\n");
    return 0;
  }
  free(version);
  mem_open(&mem, (size_t)512 << 20);
  char *claim = spin("X p");
  int next = claim != NULL;
  free(claim);
  for (uint64_t i = 0; i < 240; i++) compare(77 + i * 104729, 3 + (int)(i % 8), (int)(i & 1), next);
  printf("# %u formulas, %u words\n", compared, words);
  ok(compared > 150, "enough formulas were translated by both");
  is(apart, 0, "both accept the same words");
  struct sums s = {0};
  measure(etessami_holzmann, &s, next);
  measure(somenzi_bloem, &s, next);
  measure(dwyer, &s, next);
  printf("# %u formulas: spin %zu states, thimble %zu with acceptance on states and %zu with several sets on edges; smaller %u, "
         "larger %u; of %u claims with three states and more %u are smaller\n",
         s.formulas, s.spin, s.states, s.generalised, s.smaller, s.larger, s.large, s.large_smaller);
  ok(s.formulas > 60, "enough formulas of the literature");
  ok(s.states <= s.spin && s.generalised <= s.states, "fewer states in sum");
  ok(2 * s.large_smaller > s.large, "fewer states for most that need three or more in spin");
  ok(20 * s.larger <= s.formulas, "more states for hardly any");
  read_back();
  is(mem.used, 0, "all memory came back");
  return done();
}
