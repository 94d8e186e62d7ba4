/* temporal.c -- see temporal.h. */
#include "prop/temporal.h"

#include "prop/translate.h"

#include <stdio.h>
#include <string.h>

const char *temporal_method_name(enum temporal_method m) {
  static const char *const name[] = {"safety", "weak", "strong", "observer"};
  return name[m];
}

struct reading {
  struct temporal *temporal;
  const struct temporal_source *source;
  const struct model *model;
};

/* "np_" and "accept_" are labels of states, not names of the model. */
static int read_label(struct temporal *t, uint32_t index, const char *text, size_t length) {
  int np = length == 3 && !memcmp(text, "np_", 3), accepts = length == 7 && !memcmp(text, "accept_", 7);
  if (np) t->atom[index] = (struct product_atom){.label = MODEL_PROGRESS, .negated = 1};
  if (accepts) t->atom[index] = (struct product_atom){.label = MODEL_ACCEPT};
  return np || accepts;
}

void temporal_place_error(const struct temporal_source *source, const struct model *m, size_t column, struct err *e) {
  size_t length = strlen(source->text), offset = column - 1 + (e->column > 0 ? (size_t)e->column - 1 : 0);
  if (e->kind != ERR_INPUT) return;
  e->line = source->line ? source->line : 1;
  e->column = (source->column ? source->column : 1) + (long)offset;
  if (!e->hint[0] && m->type->vars_are_no_numbers && source->text[column - 1 < length ? column - 1 : 0] != '{') err_hint(e, "a condition of several words stands in braces: [] {size Sent < 3}");
  err_excerpt(e, source->text, length, offset < length ? offset : length);
}

int temporal_read_atom(struct temporal *t, uint32_t index, const struct model *m, const char *what, struct err *e) {
  const char *text = t->names.text[index];
  if (read_label(t, index, text, strlen(text))) return 0;
  if (expr_parse(&t->expr[index], m, t->mem, text, what, e)) return -1;
  t->atom[index] = (struct product_atom){.expr = t->expr[index]};
  return 0;
}

static int read_atom(void *context, const char *text, size_t length, size_t column, struct err *e) {
  struct reading *r = context;
  struct temporal *t = r->temporal;
  uint32_t before = t->names.count;
  int index = atoms_add(&t->names, text, length, column, e);
  if (index < 0 || (uint32_t)index < before || temporal_read_atom(t, (uint32_t)index, r->model, r->source->what, e) == 0) return index;
  temporal_place_error(r->source, r->model, column, e);
  return -1;
}

void temporal_set_method(struct temporal *t) {
  enum automaton_kind kind = automaton_strength(t->bad);
  t->method = kind == SCC_TERMINAL ? TEMPORAL_SAFETY : kind == SCC_WEAK ? TEMPORAL_WEAK : TEMPORAL_STRONG;
}

/* The automaton of what breaks it, and what that is good for. */
static int translate_bad(struct temporal *t, const volatile int *interrupt, struct err *e) {
  struct translate_setup setup = {.negate = 1, .interrupt = interrupt};
  t->stutters = !formula_says_next(t->formulas, t->formula);
  if (translate(&t->bad, t->formulas, t->formula, &setup, e)) return -1;
  temporal_set_method(t);
  if (t->method == TEMPORAL_SAFETY) return 0;
  struct automaton *prefixes = NULL;
  struct translate_setup positive = {.interrupt = interrupt};
  int safe = translate_bad_prefixes(&prefixes, t->formulas, t->formula, &positive, e);
  if (safe < 0) return -1;
  if (!safe || automaton_classify(prefixes, e) || automaton_strength(prefixes) != SCC_TERMINAL) {
    automaton_close(prefixes);
    return e->kind ? -1 : 0;
  }
  automaton_close(t->bad);
  t->bad = prefixes;
  t->method = TEMPORAL_SAFETY;
  return 0;
}

int temporal_begin(struct temporal **out, const char *text, struct mem *mem, struct err *e) {
  struct temporal *t = *out = mem_alloc(mem, MEM_OTHER, sizeof *t);
  if (!t) return err_memory(e, "a property");
  t->mem = mem;
  atoms_open(&t->names, mem);
  t->text = mem_strndup(mem, MEM_OTHER, text, strlen(text));
  return t->text ? formulas_open(&t->formulas, mem, e) : err_memory(e, "a property");
}

int temporal_open(struct temporal **out, const struct temporal_source *source, const struct model *model, struct mem *mem,
                  const volatile int *interrupt, struct err *e) {
  int bad = temporal_begin(out, source->text, mem, e);
  if (!bad) {
    struct reading r = {*out, source, model};
    struct formula_reader reader = {
        .what = source->what, .line = source->line, .column = source->column, .grouping = source->grouping, .atom = read_atom, .context = &r};
    bad = formula_parse((*out)->formulas, &(*out)->formula, source->text, &reader, e) || translate_bad(*out, interrupt, e);
  }
  if (!bad) return 0;
  temporal_close(*out);
  *out = NULL;
  return -1;
}

/* ---- claims ------------------------------------------------------------------------------------------------------------------- */

struct claim_reading {
  struct temporal *temporal;
  const struct model *model;
  uint32_t claim, broken; /* broken: the state in which everything is accepted */
  uint32_t condition[FORMULA_ATOMS];
  struct automaton_draft draft;
  struct err *err;
};

/* The bit of a condition in a letter, or -1. */
static int atom_of_condition(struct claim_reading *r, uint32_t condition) {
  struct temporal *t = r->temporal;
  for (uint32_t i = 0; i < t->names.count; i++)
    if (r->condition[i] == condition) return (int)i;
  char name[32];
  int length = snprintf(name, sizeof name, "condition %u", condition);
  int index = atoms_add(&t->names, name, (size_t)length, 1, r->err);
  if (index < 0 || expr_of_condition(&t->expr[index], r->model, t->mem, condition, name, r->err)) return -1;
  t->atom[index] = (struct product_atom){.expr = t->expr[index]};
  r->condition[index] = condition;
  return index;
}

static int read_edge(void *context, const struct model_claim_edge *e) {
  struct claim_reading *r = context;
  struct automaton_edge edge = {.to = e->to == MODEL_CLAIM_BROKEN ? r->broken : e->to,
                                .accept = r->model->type->claim_accepts(r->model, r->claim, e->from) ? 1 : 0};
  for (size_t i = 0; i < e->literals; i++) {
    int atom = atom_of_condition(r, e->literal[i].condition);
    if (atom < 0) return -1;
    uint64_t bit = (uint64_t)1 << atom, want = e->literal[i].negated ? 0 : bit;
    if (edge.care & bit && (edge.want & bit) != want) return 0; /* never open */
    edge.care |= bit;
    edge.want |= want;
  }
  return automaton_draft_edge(&r->draft, e->from, edge);
}

static int read_claim(struct claim_reading *r) {
  struct temporal *t = r->temporal;
  struct model_claim_automaton a = {0};
  struct err *e = r->err;
  r->broken = UINT32_MAX - 1; /* until it is known how many states there are */
  if (r->model->type->claim_automaton(r->model, r->claim, &a, read_edge, r, e)) return e->kind ? -1 : err_memory(e, "a never claim");
  for (size_t i = 0; i < r->draft.edges; i++)
    if (r->draft.edge[i].edge.to == r->broken) r->draft.edge[i].edge.to = a.states;
  if (automaton_draft_edge(&r->draft, a.states, (struct automaton_edge){.to = a.states, .accept = 1}) || automaton_draft_initial(&r->draft, a.initial))
    return err_memory(e, "a never claim");
  if (automaton_finish(&t->bad, &r->draft, a.states + 1, 1, e) || automaton_trim(&t->bad, e)) return -1;
  t->stutters = automaton_stutters(t->bad);
  temporal_set_method(t);
  return 0;
}

int temporal_open_claim(struct temporal **out, const struct model *m, uint32_t claim, struct mem *mem, struct err *e) {
  struct claim_reading r = {.model = m, .claim = claim, .err = e};
  int bad = temporal_begin(out, "the claim that the model states", mem, e);
  if (*out) { /* no formula */
    formulas_close((*out)->formulas);
    (*out)->formulas = NULL;
    r.temporal = *out;
    automaton_draft_open(&r.draft, mem);
  }
  if (!bad) bad = read_claim(&r);
  if (*out) automaton_draft_close(&r.draft);
  if (!bad) return 0;
  temporal_close(*out);
  *out = NULL;
  return -1;
}

/* ---- labels ------------------------------------------------------------------------------------------------------------------- */

static int open_cycles(struct temporal **out, const struct temporal_source *source, const struct model *m, struct mem *mem, struct err *e) {
  if (temporal_open(out, source, m, mem, NULL, e)) return -1;
  (*out)->cycles_only = 1;
  return 0;
}

int temporal_open_progress(struct temporal **out, const struct model *m, struct mem *mem, struct err *e) {
  struct temporal_source source = {.text = "! <> [] np_", .what = "--no-progress"};
  return open_cycles(out, &source, m, mem, e);
}

int temporal_open_acceptance(struct temporal **out, const struct model *m, struct mem *mem, struct err *e) {
  struct temporal_source source = {.text = "! [] <> accept_", .what = "acceptance"};
  return open_cycles(out, &source, m, mem, e);
}

void temporal_close(struct temporal *t) {
  if (!t) return;
  struct mem *mem = t->mem;
  for (uint32_t i = 0; i < FORMULA_ATOMS; i++) expr_close(t->expr[i]);
  automaton_close(t->bad);
  formulas_close(t->formulas);
  atoms_close(&t->names);
  mem_free(mem, t->text);
  mem_free(mem, t);
}

struct product_setup temporal_product(const struct temporal *t, struct model *m, int fair) {
  return (struct product_setup){.model = m, .automaton = t->bad, .atom = t->atom, .atoms = t->names.count, .fair = fair, .ends = t->cycles_only, .dead_ends = t->method == TEMPORAL_OBSERVER};
}

int temporal_broken(const struct temporal *t, const uint64_t *letter, size_t count, size_t loop) {
  if (!count) return 0;
  if (t->formulas) {
    int truth = formula_on_lasso(t->formulas, t->formula, letter, count, loop, t->mem);
    return truth < 0 ? -1 : !truth;
  }
  if (loop >= count) loop = count - 1;
  struct err e = {0};
  int accepts = automaton_accepts(t->bad, letter, loop, letter + loop, count - loop, &e);
  return t->method == TEMPORAL_OBSERVER && accepts >= 0 ? !accepts : accepts;
}
