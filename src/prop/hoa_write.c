/* hoa_write.c -- an automaton in the HOA format.  An automaton without an initial state is written with one that has no edges:
 * many readers want one. */
#include "prop/hoa.h"

static void quoted(FILE *out, const char *text) {
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putc('\\', out);
    putc(*text, out);
  }
  putc('"', out);
}

static void guard(FILE *out, const struct automaton_edge *x) {
  const char *join = "";
  if (!x->care) fputs("t", out);
  for (uint32_t i = 0; i < AUTOMATON_ATOMS; i++) {
    if (!(x->care >> i & 1)) continue;
    fprintf(out, "%s%s%u", join, x->want >> i & 1 ? "" : "!", (unsigned)i);
    join = "&";
  }
}

static void sets(FILE *out, uint32_t accept) {
  const char *join = " {";
  if (!accept) return;
  for (uint32_t i = 0; i < AUTOMATON_SETS; i++)
    if (accept >> i & 1) fprintf(out, "%s%u", join, (unsigned)i), join = " ";
  putc('}', out);
}

static void acceptance(const struct automaton *a, FILE *out) {
  if (a->sets == 0) fputs("acc-name: all\nAcceptance: 0 t\n", out);
  else if (a->sets == 1) fputs("acc-name: Buchi\nAcceptance: 1 Inf(0)\n", out);
  else {
    fprintf(out, "acc-name: generalized-Buchi %u\nAcceptance: %u ", (unsigned)a->sets, (unsigned)a->sets);
    for (uint32_t i = 0; i < a->sets; i++) fprintf(out, "%sInf(%u)", i ? "&" : "", (unsigned)i);
    putc('\n', out);
  }
}

void hoa_write(const struct automaton *a, const char *name, FILE *out) {
  uint64_t used = 0;
  uint32_t atoms = a->atoms;
  for (uint32_t k = 0; a->states && k < a->first[a->states]; k++) used |= a->edge[k].care;
  while (atoms < AUTOMATON_ATOMS && used >> atoms) atoms++;
  int by_state = a->by_state && a->sets;
  uint32_t states = a->initial_count ? a->states : 0;
  fputs("HOA: v1\n", out);
  if (name) {
    fputs("name: ", out);
    quoted(out, name);
    putc('\n', out);
  }
  fprintf(out, "tool: \"thimble\" \"%s\"\nStates: %u\n", THIMBLE_VERSION, states ? (unsigned)states : 1u);
  for (uint32_t i = 0; i < a->initial_count; i++) fprintf(out, "Start: %u\n", (unsigned)a->initial[i]);
  if (!a->initial_count) fputs("Start: 0\n", out);
  fprintf(out, "AP: %u", (unsigned)atoms);
  for (uint32_t i = 0; i < atoms; i++) {
    char number[16];
    snprintf(number, sizeof number, "a%u", (unsigned)i);
    putc(' ', out);
    quoted(out, a->atom && i < a->atoms ? a->atom[i] : number);
  }
  putc('\n', out);
  acceptance(a, out);
  fprintf(out, "properties: trans-labels explicit-labels %s no-univ-branch", by_state ? "state-acc" : "trans-acc");
  if (a->kind) {
    enum automaton_kind strength = automaton_strength(a);
    if (a->deterministic) fputs(" deterministic", out);
    if (strength >= SCC_WEAK) fputs(" inherently-weak", out);
  }
  fputs("\n--BODY--\n", out);
  for (uint32_t s = 0; s < states; s++) {
    const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1);
    fprintf(out, "State: %u", (unsigned)s);
    if (by_state && x < end) sets(out, x->accept);
    putc('\n', out);
    for (; x < end; x++) {
      putc('[', out);
      guard(out, x);
      fprintf(out, "] %u", (unsigned)x->to);
      if (!by_state) sets(out, x->accept);
      putc('\n', out);
    }
  }
  if (!states) fputs("State: 0\n", out);
  fputs("--END--\n", out);
}
