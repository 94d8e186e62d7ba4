/* check_reduce.c -- see check_reduce.h.
 *
 *   none   the whole space, whatever happens: its counts are those of the model;
 *   late   the default: the whole space, and only if it does not fit into the budget a second run, with all reductions that help.  So counts are those of the model wherever there is room for them.
 *          A formula about runs is asked of a product whose counts are nobody's: where it is large (RUN_TRIAL), a part of it is taken at once;
 *   auto   all reductions that model and properties allow, partial orders where they spare enough steps to be worth their time;
 *   LIST   these, wherever they are allowed. */
#include "cli/check_reduce.h"

#include <stdio.h>
#include <string.h>

/* One word of the list: what it allows; -1: there is no such word. */
static int64_t kinds(const char *word, size_t length) {
  for (unsigned kind = 1; kind < REDUCE_ALL; kind <<= 1)
    if (strlen(reduction_name(kind)) == length && memcmp(reduction_name(kind), word, length) == 0) return kind;
  return -1;
}

int check_reduce_read(struct run_setup *run, const struct options *o, struct err *e) {
  const char *text = options_text(o, OPTION_REDUCE);
  run->reduce = run->reduce_late = run->reduce_runs = 0;
  run->reduce_if_worth = 0;
  if (strcmp(text, "none") == 0) return 0;
  if (strcmp(text, "late") == 0) {
    run->reduce_late = REDUCE_ALL;
    run->reduce_runs = REDUCE_SLICE | REDUCE_POR;
    run->reduce_if_worth = 1;
    return 0;
  }
  if (strcmp(text, "auto") == 0) {
    run->reduce = REDUCE_ALL;
    run->reduce_if_worth = 1;
    return 0;
  }
  for (const char *word = text;; word++) {
    size_t length = strcspn(word, ",");
    int64_t kind = kinds(word, length);
    if (kind < 0) {
      char quoted[80];
      err_usage(e, "--reduce: there is no reduction %s", err_quote(quoted, sizeof quoted, word, length));
      err_hint(e, "auto, late, none, or a list of slice, por, symmetry: --reduce por,symmetry");
      return -1;
    }
    run->reduce |= (unsigned)kind;
    word += length;
    if (!*word) return 0;
  }
}

void check_reduce_tell(const struct session *s, const struct verdict *v) {
  const char *asked = options_text(&s->options, OPTION_REDUCE);
  int named = strcmp(asked, "auto") != 0 && strcmp(asked, "late") != 0;
  if (options_given(&s->options, OPTION_QUIET) || (!named && !options_given(&s->options, OPTION_VERBOSE))) return;
  for (size_t i = 0; i < VERDICT_REDUCTIONS; i++) {
    const struct verdict_reduction *r = &v->reduction[i];
    char shown[600];
    if (r->asked && !r->used) fprintf(stderr, "note: no reduction by %s: %s\n", r->name, *r->text ? report_name(shown, sizeof shown, r->text) : "it says nothing about this model and these properties");
  }
}
