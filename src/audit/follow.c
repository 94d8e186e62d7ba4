/* follow.c -- see audit.h.  A trace (doc/formats/trace.md) is followed from the initial state by the definition: each step must be one that is possible, called what the trace calls it, and change what the trace says that it changes; then the
 * end is judged.  Of a run with a loop the last state must be the one at which the loop begins. */
#include "audit/audit.h"

#include <jansson.h>

struct walk {
  struct audit *a;
  const struct claim *claim;
  json_t *step; /* that is sought among the successors; NULL = they are only counted */
  int64_t *next, *first; /* the state behind it; the one at which the loop begins */
  size_t seen;              /* successors so far */
  int found, broken, loose; /* the step; it breaks the claim; something without a step does */
};

static int64_t number_of(json_t *object, const char *key) { return json_integer_value(json_object_get(object, key)); }

/* Every change that names a variable which the model knows by that name is as the values say. */
static int changes_are(struct walk *w, const int64_t *before, const int64_t *after) {
  const struct model *m = w->a->model;
  json_t *change;
  size_t i;
  json_array_foreach(json_object_get(w->step, "changes"), i, change) {
    const char *name = json_string_value(json_object_get(change, "name"));
    int64_t v = name && !m->type->vars_are_no_numbers ? m->type->find_var(m, name, strlen(name)) : -1;
    if (v >= 0 && v < (int64_t)m->vars && (before[v] != number_of(change, "from") || after[v] != number_of(change, "to"))) return 0;
  }
  return 1;
}

static void hear(void *context, const struct model_defined *d) {
  struct walk *w = context;
  const struct model *m = w->a->model;
  int64_t k = d->values ? (int64_t)w->seen++ : -1;
  if (!d->values) w->loose |= semantics_broken(w->claim, d);
  const char *name = json_string_value(json_object_get(w->step, "transition"));
  if (!d->values || !name || w->found || !is(name, m->type->group_name(m, d->group)) || (m->type->define_all && k != number_of(w->step, "edge"))) return; /* it has the order of the trace */
  size_t vars = d->vars;
  while (vars && !d->values[vars - 1]) vars--;
  if (vars > m->vars) return; /* more than the certificate says that there are */
  memset(w->next, 0, (size_t)m->vars * sizeof *w->next);
  memcpy(w->next, d->values, vars * sizeof *w->next);
  w->found = changes_are(w, w->a->values, w->next);
  w->broken = semantics_broken(w->claim, d);
}

/* All successors of the state at hand; with `step`, on to the one that it describes. */
static int look(struct walk *w, json_t *step) {
  struct audit *a = w->a;
  w->step = step, w->seen = 0, w->found = w->loose = 0;
  if (semantics_steps(a, a->values, hear, w)) return -1;
  if (w->found) memcpy(a->values, w->next, (size_t)a->model->vars * sizeof *a->values);
  return 0;
}

/* Does the run show what is claimed? 1, 0, -1. */
static int shows(struct walk *w, json_t *trace, struct word *word) {
  struct audit *a = w->a;
  json_t *path = json_object_get(trace, "path"), *loop = json_object_get(trace, "loop");
  size_t count = json_array_size(path), begin = json_is_integer(loop) ? (size_t)json_integer_value(loop) : SIZE_MAX, bytes = (size_t)a->model->vars * sizeof *a->values;
  if (word && (word_open(word, w->claim) || !(word->letter = mem_alloc(&a->mem, MEM_OTHER, (count + 1) * sizeof *word->letter)))) return audit_memory(a);
  a->model->type->define_initial(a->model, a->values);
  for (size_t i = 0; i < count; i++) {
    if (i == begin) memcpy(w->first, a->values, bytes);
    if (word) word->letter[i] = word_letter(word, a->values);
    if (look(w, json_array_get(path, i))) return -1;
    if (!w->found) return audit_not(a, "%s: step %zu of its trace is not possible", w->claim->id, i + 1);
  }
  if (begin != SIZE_MAX && (begin >= count || memcmp(w->first, a->values, bytes) != 0)) return audit_not(a, "%s: the loop of its trace does not close", w->claim->id);
  int broken = w->broken;
  if (look(w, NULL)) return -1;
  if (is(w->claim->kind, "assert") || is(w->claim->kind, "runtime")) return broken || w->loose;
  if (!word) return semantics_decides(a, w->claim, a->values, !w->seen);
  word->letter[count] = word_letter(word, a->values);
  word->count = begin == SIZE_MAX ? count + 1 : count;
  word->loop = begin != SIZE_MAX || w->seen ? begin : count; /* where nothing can happen any more, the last state stays */
  return word_breaks(word);
}

int follow_check(struct audit *a, struct claim *c) {
  size_t vars = (size_t)a->model->vars + 1;
  struct walk w = {.a = a, .claim = c, .next = mem_alloc(&a->mem, MEM_OTHER, 2 * vars * sizeof *w.next)};
  struct word word = {.a = a};
  json_t *trace = json_loadb((const char *)a->sealed.data.at, a->sealed.data.count, 0, NULL);
  w.first = w.next + vars;
  int shown = !w.next ? audit_memory(a) : !trace ? audit_bad(a, "the trace of %s is damaged", c->id) : shows(&w, trace, is(c->kind, "ltl") ? &word : NULL);
  if (!shown) audit_not(a, "%s: its trace does not show it", c->id);
  c->confirmed = shown == 1;
  word_close(&word), json_decref(trace), mem_free(&a->mem, w.next);
  return shown == 1 ? 0 : -1;
}
