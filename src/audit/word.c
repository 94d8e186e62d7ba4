/* word.c -- see audit.h.  What a formula of linear time means on one run, without automata.
 *
 * The truth of each part at each position, from the end to the beginning; twice over a loop, which is enough for what a loop can still change.  Where the run is only the beginning of one, there are two views of what comes
 * (Eisner, Fisman, Havlicek and others, "Reasoning with temporal logic on truncated paths"): in the weak one everything beyond the end is as one wishes, in the strong one nothing is, and a negation exchanges them.  A formula that is false
 * in the weak view is false however the run goes on. */
#include "audit/audit.h"
#include "prop/formula.h"

#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------------------------------ */

struct atoms_read {
  struct audit *a;
  struct audit_word *word;
  int count;
};

static int read_atom(void *context, const char *text, size_t length, size_t column, struct err *e) {
  struct atoms_read *r = context;
  (void)column;
  if (r->count == 64) return err_limit(e, "more than 64 atoms");
  char *copy = mem_strndup(&r->a->mem, MEM_OTHER, text, length);
  if (!copy) return err_memory(e, "a formula");
  r->word->label[r->count] = strcmp(copy, "np_") == 0 ? 1 : strcmp(copy, "accept_") == 0 ? 2 : 0;
  int bad = r->word->label[r->count] ? 0 : expr_parse(&r->word->expr[r->count], r->a->model, &r->a->mem, copy, "the formula", e);
  mem_free(&r->a->mem, copy);
  return bad ? -1 : r->count++;
}

/* A claim of the model is read from the model. */
int word_open(struct audit *a, struct audit_word *w, struct formulas **fs, uint32_t *f, const struct audit_claim *c) {
  struct atoms_read atoms = {.a = a, .word = w};
  struct formula_reader reader = {.what = c->id, .atom = read_atom, .context = &atoms};
  struct model_claim own = {0};
  struct err e;
  if (c->number != MODEL_RUNTIME) a->model->type->claim(a->model, c->number, &own), reader.grouping = GROUP_SPIN;
  const char *text = c->number != MODEL_RUNTIME ? own.formula : c->text;
  err_clear(&e);
  if (!text || formulas_open(fs, &a->mem, &e) || formula_parse(*fs, f, text, &reader, &e)) return audit_bad(a, "%s cannot be read: %s", c->id, e.message);
  return 0;
}

void word_close(struct audit *a, struct audit_word *w, struct formulas *fs) {
  for (int i = 0; i < 64; i++) expr_close(w->expr[i]);
  mem_free(&a->mem, w->letter);
  formulas_close(fs);
}

uint64_t word_letter(struct audit *a, const struct audit_word *w, const int64_t *values) {
  const struct model *m = a->model;
  unsigned labels = m->type->define_labels ? m->type->define_labels(m, values) : 0;
  uint64_t letter = 0;
  for (int i = 0; i < 64; i++) {
    int is = w->expr[i] ? expr_define(w->expr[i], m, values) != 0 : w->label[i] == 1 ? !(labels & MODEL_PROGRESS) : w->label[i] == 2 && labels & MODEL_ACCEPT;
    letter |= (uint64_t)is << i;
  }
  return letter;
}

/* ---- meaning ------------------------------------------------------------------------------------------------------------------ */

/* Truth at each position, one byte each; NULL: memory. weak: the view of what is beyond the end of a run that goes on as it likes. */
static uint8_t *truth(struct audit *a, const struct audit_word *w, const struct formulas *fs, formula f, int weak) {
  size_t n = w->count;
  enum formula_kind kind = formula_kind(fs, f);
  uint32_t parts = formula_children(fs, f);
  uint8_t *out = mem_alloc(&a->mem, MEM_OTHER, n + 1), *part[2] = {NULL, NULL};
  int negates = kind == F_NOT, good = out != NULL;
  if (good && (kind == F_AND || kind == F_OR)) { /* any number of them */
    memset(out, kind == F_AND, n);
    for (uint32_t k = 0; k < parts && good; k++) {
      uint8_t *one = truth(a, w, fs, formula_child(fs, f, k), weak);
      for (size_t i = 0; one && i < n; i++) out[i] = kind == F_AND ? out[i] & one[i] : out[i] | one[i];
      good = one != NULL;
      mem_free(&a->mem, one);
    }
    parts = 0;
  }
  uint8_t *other[2] = {NULL, NULL}; /* F_IFF needs both views of both sides */
  for (uint32_t k = 0; k < parts && k < 2 && good; k++) {
    int first = k == 0;
    part[k] = truth(a, w, fs, formula_child(fs, f, k), negates || (kind == F_IMPLIES && first) ? !weak : weak);
    if (kind == F_IFF) other[k] = truth(a, w, fs, formula_child(fs, f, k), !weak);
    good = part[k] && (kind != F_IFF || other[k]);
  }
  const uint8_t *p = part[0], *q = part[1];
  int greatest = kind == F_GLOBALLY || kind == F_RELEASE || kind == F_WEAK, ends = w->loop >= n;
  for (int round = 0; round < 2 && good; round++) {
    for (size_t i = n; i-- > 0;) {
      size_t next = i + 1 < n ? i + 1 : w->loop;
      int then = i + 1 == n && ends ? weak : i + 1 == n && !round ? greatest : out[next];
      switch (kind) {
      case F_FALSE: out[i] = 0; break;
      case F_TRUE: out[i] = 1; break;
      case F_ATOM: out[i] = w->letter[i] >> formula_atom_index(fs, f) & 1; break;
      case F_NOT: out[i] = !p[i]; break;
      case F_AND:
      case F_OR: break;
      case F_IMPLIES: out[i] = (!p[i]) | q[i]; break;
      case F_IFF: out[i] = (p[i] & q[i]) | (!other[0][i] & !other[1][i]); break;
      case F_NEXT: out[i] = i + 1 == n && ends ? (uint8_t)weak : p[next]; break;
      case F_FINALLY: out[i] = p[i] | (uint8_t)then; break;
      case F_GLOBALLY: out[i] = p[i] & (uint8_t)then; break;
      case F_UNTIL:
      case F_WEAK: out[i] = q[i] | (p[i] & (uint8_t)then); break;
      case F_RELEASE:
      case F_STRONG: out[i] = q[i] & (p[i] | (uint8_t)then); break;
      default: good = 0; break; /* there are no branches on one run */
      }
    }
  }
  for (int k = 0; k < 2; k++) mem_free(&a->mem, part[k]), mem_free(&a->mem, other[k]);
  if (!good) mem_free(&a->mem, out), out = NULL;
  return out;
}

int word_breaks(struct audit *a, const struct audit_word *w, const struct formulas *fs, uint32_t f) {
  uint8_t *all = truth(a, w, fs, f, 1);
  if (!all) return audit_not(a, "there is not enough memory: --memory");
  int breaks = !all[0];
  mem_free(&a->mem, all);
  return breaks;
}
