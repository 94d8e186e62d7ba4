/* follow.c -- see audit.h.  A trace (doc/formats/trace.md) is followed from the initial state by the definition: each step must be one that is possible, called what the trace calls it, and change what the trace says that it changes; then the end is
 * judged.  Of a run with a loop the last state must be the one at which the loop begins. */
#include "audit/audit.h"

#include <jansson.h>
#include <string.h>

struct walk {
  struct audit *a;
  struct audit_claim *claim;
  json_t *step;           /* that is sought among the successors; NULL = they are only counted */
  int64_t *next;
  size_t seen;            /* successors so far */
  int found, too_long;
  int broken, loose;      /* the step that was found breaks the claim; something without a step does */
};

/* Every change that names a variable which the model knows by that name is as the values say. */
static int changes_are(struct walk *w, const int64_t *before, const int64_t *after) {
  const struct model *m = w->a->model;
  json_t *change;
  size_t i;
  json_array_foreach(json_object_get(w->step, "changes"), i, change) {
    const char *name = json_string_value(json_object_get(change, "name"));
    int64_t v = name && !m->type->vars_are_no_numbers ? m->type->find_var(m, name, strlen(name)) : -1;
    if (v < 0 || v >= (int64_t)m->vars) continue;
    if (before[v] != json_integer_value(json_object_get(change, "from")) || after[v] != json_integer_value(json_object_get(change, "to"))) return 0;
  }
  return 1;
}

static void hear(void *context, const struct model_defined *d) {
  struct walk *w = context;
  const struct model *m = w->a->model;
  if (!d->values) {
    w->loose |= semantics_broken(w->claim, d);
    return;
  }
  size_t k = w->seen++;
  if (!w->step || w->found) return;
  const char *name = json_string_value(json_object_get(w->step, "transition"));
  int numbered = m->type->define_all || m->type->define_edge; /* where the definition has the order of the trace */
  if (!name || strcmp(name, m->type->group_name(m, d->group)) != 0 || (numbered && (json_int_t)k != json_integer_value(json_object_get(w->step, "edge")))) return;
  size_t vars = d->vars;
  while (vars && !d->values[vars - 1]) vars--;
  w->too_long |= vars > m->vars;
  memset(w->next, 0, (size_t)m->vars * sizeof *w->next);
  memcpy(w->next, d->values, (vars < m->vars ? vars : m->vars) * sizeof *w->next);
  if (w->too_long || !changes_are(w, w->a->values, w->next)) return;
  w->found = 1;
  w->broken = semantics_broken(w->claim, d);
}

/* All successors of the state at hand; with `step`, on to the one that it describes. */
static int look(struct walk *w, json_t *step) {
  struct audit *a = w->a;
  w->step = step;
  w->seen = 0;
  w->found = w->broken = w->loose = 0;
  if (semantics_successors(a, a->values, hear, w)) return -1;
  if (w->too_long) return audit_bad(a, "its trace has more variables than the certificate says");
  if (w->found) memcpy(a->values, w->next, (size_t)a->model->vars * sizeof *a->values);
  return 0;
}

/* Does the end show what is claimed? `broken`: the last step broke it. */
static int ends_so(struct walk *w, int broken) {
  struct audit *a = w->a;
  const char *kind = w->claim->kind;
  if (look(w, NULL)) return -1;
  if (strcmp(kind, "assert") == 0 || strcmp(kind, "runtime") == 0) return broken || w->loose;
  return semantics_decides(a, w->claim, a->values, !w->seen);
}

static int follow(struct walk *w, json_t *trace, struct audit_word *word) {
  struct audit *a = w->a;
  json_t *path = json_object_get(trace, "path"), *loop = json_object_get(trace, "loop"), *step;
  size_t i, count = json_array_size(path), begin = json_is_integer(loop) ? (size_t)json_integer_value(loop) : SIZE_MAX, bytes = (size_t)a->model->vars * sizeof *a->values;
  int broken = 0, bad = 0;
  int64_t *first = mem_alloc(&a->mem, MEM_OTHER, bytes + 8);
  if (word && !(word->letter = mem_alloc(&a->mem, MEM_OTHER, (count + 1) * sizeof *word->letter))) bad = -1;
  if (!first || bad) return mem_free(&a->mem, first), audit_not(a, "there is not enough memory: --memory");
  a->model->type->define_initial(a->model, a->values);
  json_array_foreach(path, i, step) {
    if (i == begin) memcpy(first, a->values, bytes);
    if (word) word->letter[i] = word_letter(a, word, a->values);
    bad = look(w, step);
    if (!bad && !w->found) bad = audit_not(a, "%s: step %zu of its trace is not possible", w->claim->id, i + 1);
    if (bad) break;
    broken = w->broken;
  }
  if (!bad && begin != SIZE_MAX && (begin >= count || memcmp(first, a->values, bytes) != 0)) bad = audit_not(a, "%s: the loop of its trace does not close", w->claim->id);
  mem_free(&a->mem, first);
  if (bad) return -1;
  if (!word) return ends_so(w, broken);
  word->letter[count] = word_letter(a, word, a->values);
  if (look(w, NULL)) return -1;
  word->count = begin == SIZE_MAX ? count + 1 : count;
  word->loop = begin != SIZE_MAX ? begin : w->seen ? count + 1 : count; /* where nothing can happen any more, the last state stays */
  return 2;
}

int follow_check(struct audit *a, struct audit_claim *c) {
  struct walk w = {.a = a, .claim = c, .next = mem_alloc(&a->mem, MEM_OTHER, ((size_t)a->model->vars + 1) * sizeof *w.next)};
  struct audit_word word = {0};
  struct formulas *formulas = NULL;
  uint32_t formula;
  int temporal = strcmp(c->kind, "ltl") == 0;
  json_t *trace = json_loadb((const char *)a->records.data.at, a->records.data.count, 0, NULL);
  int shown = !w.next ? audit_not(a, "there is not enough memory: --memory") : !trace ? audit_bad(a, "the trace of %s is damaged", c->id) : 0;
  if (!shown && temporal) shown = word_open(a, &word, &formulas, &formula, c);
  if (!shown) shown = follow(&w, trace, temporal ? &word : NULL);
  if (shown == 2) shown = word_breaks(a, &word, formulas, formula);
  if (shown == 0) audit_not(a, "%s: its trace does not show it", c->id);
  c->confirmed = shown == 1;
  word_close(a, &word, formulas);
  json_decref(trace);
  mem_free(&a->mem, w.next);
  return shown == 1 ? 0 : -1;
}
