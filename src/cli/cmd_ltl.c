/* cmd_ltl.c -- thimble ltl: the automaton of a formula, as HOA, never claim, dot, or told in words. */
#include "base/json.h"
#include "cli/outfile.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "prop/atoms.h"
#include "prop/hoa.h"
#include "prop/never.h"
#include "prop/translate.h"

#include <stdlib.h>
#include <string.h>

command_run command_ltl;

struct work {
  struct session *s;
  struct formulas *fs;
  struct atoms atoms;
  formula f, simple; /* simple: what was translated, before automata */
  struct automaton *a;
  char *text, *simple_text; /* for people */
  char *input;              /* from standard input */
};

/* ---- the formula -------------------------------------------------------------------------------- */

static const char *formula_text(struct work *w) {
  const char *operand = w->s->options.operand[0];
  size_t room = 0, count = 0, got;
  if (strcmp(operand, "-") != 0) return operand;
  do {
    room = room ? 2 * room : 4096;
    char *bigger = mem_resize(&w->s->mem, MEM_OTHER, w->input, room + 1);
    if (!bigger) return err_memory(&w->s->err, "a formula"), NULL;
    w->input = bigger;
    got = fread(w->input + count, 1, room - count, stdin);
    count += got;
  } while (got && count == room);
  w->input[count] = 0;
  return w->input;
}

static int read_formula(struct work *w, const volatile int *interrupt) {
  struct session *s = w->s;
  struct formula_reader reader = {
      .what = "FORMULA",
      .grouping = options_given(&s->options, OPTION_SPIN_GROUPING) ? GROUP_SPIN : GROUP_USUAL,
      .atom = atoms_add,
      .context = &w->atoms,
  };
  const char *text = formula_text(w);
  if (!text || formulas_open(&w->fs, &s->mem, &s->err)) return -1;
  w->fs->interrupt = interrupt;
  if (formula_parse(w->fs, &w->f, text, &reader, &s->err)) return -1;
  w->simple = formula_simplify(w->fs, formula_normal(w->fs, w->f, options_given(&s->options, OPTION_NEGATE)));
  if (w->simple == FORMULA_NONE) return formulas_refused(w->fs, &s->err);
  w->text = formula_print(w->fs, w->f, SPELL_USUAL, atoms_text, &w->atoms);
  w->simple_text = formula_print(w->fs, w->simple, SPELL_USUAL, atoms_text, &w->atoms);
  if (!w->text || !w->simple_text) return err_memory(&s->err, "a formula");
  return 0;
}

static int make_automaton(struct work *w, const volatile int *interrupt) {
  struct session *s = w->s;
  const char *acceptance = options_text(&s->options, OPTION_ACCEPTANCE);
  int never = strcmp(options_text(&s->options, OPTION_LTL_FORMAT), "never") == 0;
  struct translate_setup setup = {.negate = options_given(&s->options, OPTION_NEGATE), .interrupt = interrupt};
  setup.shape = never || strcmp(acceptance, "states") == 0 ? SHAPE_STATE
                : strcmp(acceptance, "edges") == 0         ? SHAPE_BUECHI
                                                           : SHAPE_GENERALISED;
  if (options_given(&s->options, OPTION_BAD_PREFIXES)) {
    int made = translate_bad_prefixes(&w->a, w->fs, w->f, &setup, &s->err);
    if (made < 0) return -1;
    if (!made) {
      err_usage(&s->err, "this is no safety formula by its looks: it has no automaton of bad prefixes");
      err_hint(&s->err, "it is of the class %s", formula_class_name(w->fs, w->simple));
      return -1;
    }
    if (setup.shape == SHAPE_STATE && automaton_degeneralise(&w->a, 1, &s->err)) return -1;
  } else if (translate(&w->a, w->fs, w->f, &setup, &s->err)) return -1;
  return automaton_name_atoms(w->a, (const char *const *)w->atoms.text, w->atoms.count, &s->err);
}

/* ---- output -------------------------------------------------------------------------------------- */

static void write_guard(const struct automaton *a, const struct automaton_edge *x, FILE *out) {
  const char *join = "";
  if (!x->care) fputs("true", out);
  for (uint32_t i = 0; i < a->atoms; i++) {
    if (!(x->care >> i & 1)) continue;
    fprintf(out, "%s%s", join, x->want >> i & 1 ? "" : "!");
    for (const char *c = a->atom[i]; *c; c++) {
      if (*c == '"' || *c == '\\') putc('\\', out);
      putc(*c == '\n' ? ' ' : *c, out);
    }
    join = " & ";
  }
}

static void write_dot(const struct automaton *a, FILE *out) {
  fputs("digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n", out);
  for (uint32_t i = 0; i < a->initial_count; i++)
    fprintf(out, "  start%u [shape=point];\n  start%u -> %u;\n", (unsigned)i, (unsigned)i, (unsigned)a->initial[i]);
  for (uint32_t s = 0; s < a->states; s++) {
    const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1);
    if (a->by_state && a->sets && x < end && x->accept) fprintf(out, "  %u [shape=doublecircle];\n", (unsigned)s);
    for (; x < end; x++) {
      fprintf(out, "  %u -> %u [label=\"", (unsigned)s, (unsigned)x->to);
      write_guard(a, x, out);
      for (uint32_t i = 0; i < a->sets && !a->by_state; i++)
        if (x->accept >> i & 1) fprintf(out, " {%u}", (unsigned)i);
      fputs("\"];\n", out);
    }
  }
  fputs("}\n", out);
}

/* How many components there are of each kind. */
static void count_kinds(const struct automaton *a, unsigned *count) {
  memset(count, 0, (SCC_TERMINAL + 1) * sizeof *count);
  uint32_t most = 0;
  for (uint32_t s = 0; s < a->states; s++)
    if (a->scc[s] != UINT32_MAX && a->scc[s] >= most) most = a->scc[s] + 1;
  for (uint32_t c = 0; c < most; c++)
    for (uint32_t s = 0; s < a->states; s++)
      if (a->scc[s] == c) {
        count[a->kind[s]]++;
        break;
      }
}

static const char *where(const struct automaton *a) { return a->by_state ? "states" : "edges"; }

static void write_text(const struct work *w, FILE *out) {
  const struct automaton *a = w->a;
  unsigned kinds[SCC_TERMINAL + 1];
  count_kinds(a, kinds);
  fprintf(out, "formula     %s\n", w->text);
  fprintf(out, "%s %s\n", options_given(&w->s->options, OPTION_NEGATE) ? "negation   " : "simplified ", w->simple_text);
  fprintf(out, "class       %s\n", formula_class_name(w->fs, w->simple));
  fprintf(out, "atoms       %u\n", (unsigned)w->atoms.count);
  fprintf(out, "states      %u\nedges       %u\n", (unsigned)a->states, (unsigned)a->first[a->states]);
  fprintf(out, "acceptance  %u set%s on %s\n", (unsigned)a->sets, a->sets == 1 ? "" : "s", where(a));
  fprintf(out, "kind        %s, %s\n", automaton_kind_name(automaton_strength(a)),
          a->deterministic ? "deterministic" : "nondeterministic");
  fputs("components ", out);
  for (int k = 0; k <= SCC_TERMINAL; k++)
    if (kinds[k]) fprintf(out, " %u %s", kinds[k], automaton_kind_name((enum automaton_kind)k));
  putc('\n', out);
}

static int write_json(const struct work *w, FILE *out, struct err *e) {
  const struct automaton *a = w->a;
  struct json_out j;
  unsigned kinds[SCC_TERMINAL + 1];
  char *hoa = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&hoa, &size);
  if (!memory) return err_memory(e, "the output");
  hoa_write(a, w->text, memory);
  fclose(memory);
  count_kinds(a, kinds);
  json_out_open(&j, out, 2);
  json_out_object(&j, NULL);
  json_out_text(&j, "schema", "thimble.ltl/1");
  json_out_text(&j, "version", THIMBLE_VERSION);
  json_out_text(&j, "formula", w->text);
  json_out_bool(&j, "negated", options_given(&w->s->options, OPTION_NEGATE));
  json_out_text(&j, "simplified", w->simple_text);
  json_out_text(&j, "class", formula_class_name(w->fs, w->simple));
  json_out_array_flat(&j, "atoms");
  for (uint32_t i = 0; i < w->atoms.count; i++) json_out_text(&j, NULL, w->atoms.text[i]);
  json_out_end(&j);
  json_out_object(&j, "automaton");
  json_out_count(&j, "states", a->states);
  json_out_count(&j, "edges", a->first[a->states]);
  json_out_count(&j, "acceptance_sets", a->sets);
  json_out_text(&j, "acceptance", where(a));
  json_out_bool(&j, "deterministic", a->deterministic);
  json_out_text(&j, "strength", automaton_kind_name(automaton_strength(a)));
  json_out_object_flat(&j, "components");
  for (int k = 0; k <= SCC_TERMINAL; k++) json_out_count(&j, automaton_kind_name((enum automaton_kind)k), kinds[k]);
  json_out_end(&j);
  json_out_text_n(&j, "hoa", hoa, size);
  json_out_end(&j);
  json_out_end(&j);
  free(hoa);
  return json_out_close(&j) ? err_io(e, "standard output", "cannot be written") : 0;
}

static int write_all(struct work *w) {
  struct session *s = w->s;
  const char *name = options_text(&s->options, OPTION_OUTPUT), *format = options_text(&s->options, OPTION_LTL_FORMAT);
  struct outfile out;
  if (outfile_open(&out, *name ? name : "-", &s->err)) return EXIT_OUTPUT;
  int bad = 0;
  if (options_given(&s->options, OPTION_JSON)) bad = write_json(w, out.stream, &s->err);
  else if (strcmp(format, "never") == 0) never_write(w->a, w->text, out.stream);
  else if (strcmp(format, "dot") == 0) write_dot(w->a, out.stream);
  else if (strcmp(format, "text") == 0) write_text(w, out.stream);
  else hoa_write(w->a, w->text, out.stream);
  if (outfile_close(&out, !bad, &s->err) || bad) return EXIT_OUTPUT;
  return EXIT_HOLDS;
}

int command_ltl(struct session *s) {
  struct work w = {.s = s};
  const volatile int *interrupt = signals_watch();
  session_budget(s);
  atoms_open(&w.atoms, &s->mem);
  int code = EXIT_HOLDS;
  if (read_formula(&w, interrupt) || make_automaton(&w, interrupt)) {
    code = *interrupt ? EXIT_INTERRUPTED : session_exit_code(&s->err);
    if (*interrupt) { /* whatever was refused was refused because of it */
      err_clear(&s->err);
      err_limit(&s->err, "interrupted while the automaton of the formula was made");
    }
  } else code = write_all(&w);
  automaton_close(w.a);
  mem_free(&s->mem, w.text);
  mem_free(&s->mem, w.simple_text);
  mem_free(&s->mem, w.input);
  atoms_close(&w.atoms);
  formulas_close(w.fs);
  return code;
}
