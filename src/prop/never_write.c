/* never_write.c -- an automaton as a never claim that SPIN reads.
 *
 * The initial state comes first; several are made one by writing the edges of all under a first label of their own. */
#include "prop/never.h"

static int accepts(const struct automaton *a, uint32_t s) { return a->first[s] < a->first[s + 1] && a->edge[a->first[s]].accept; }

static void label(const struct automaton *a, uint32_t s, FILE *out) {
  const char *kind = accepts(a, s) ? "accept" : "T0";
  if (a->initial_count == 1 && a->initial[0] == s) fprintf(out, "%s_init", kind);
  else fprintf(out, "%s_S%u", kind, (unsigned)s);
}

static void guard(const struct automaton *a, const struct automaton_edge *x, FILE *out) {
  const char *join = "";
  if (!x->care) putc('1', out);
  for (uint32_t i = 0; i < AUTOMATON_ATOMS; i++) {
    if (!(x->care >> i & 1)) continue;
    fprintf(out, "%s%s(", join, x->want >> i & 1 ? "" : "!");
    if (a->atom && i < a->atoms) fputs(a->atom[i], out);
    else fprintf(out, "a%u", (unsigned)i);
    putc(')', out);
    join = " && ";
  }
}

static void options(const struct automaton *a, uint32_t s, FILE *out) {
  for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end; x++) {
    fputs("\t:: (", out);
    guard(a, x, out);
    fputs(") -> goto ", out);
    label(a, x->to, out);
    putc('\n', out);
  }
}

static void state(const struct automaton *a, uint32_t s, FILE *out) {
  label(a, s, out);
  fputs(":\n", out);
  if (a->first[s] == a->first[s + 1]) {
    fputs("\tfalse;\n", out);
    return;
  }
  fputs("\tif\n", out);
  options(a, s, out);
  fputs("\tfi;\n", out);
}

void never_write(const struct automaton *a, const char *name, FILE *out) {
  fputs("never {", out);
  if (name) {
    fputs(" /* ", out);
    for (; *name; name++) putc(name[0] == '*' && name[1] == '/' ? 'x' : *name, out);
    fputs(" */", out);
  }
  putc('\n', out);
  if (a->initial_count != 1) {
    int any = 0;
    for (uint32_t i = 0; i < a->initial_count; i++) any |= a->first[a->initial[i]] < a->first[a->initial[i] + 1];
    fputs(any ? "T0_init:\n\tif\n" : "T0_init:\n\tfalse;\n", out);
    for (uint32_t i = 0; i < a->initial_count; i++) options(a, a->initial[i], out);
    if (any) fputs("\tfi;\n", out);
  } else state(a, a->initial[0], out);
  for (uint32_t s = 0; s < a->states; s++)
    if (a->initial_count != 1 || a->initial[0] != s) state(a, s, out);
  fputs("}\n", out);
}
