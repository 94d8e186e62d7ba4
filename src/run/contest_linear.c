/* contest_linear.c -- linear formulas, each by its own search (liveness.h).
 *
 * The time is shared in two rounds, so that one formula that takes long does not cost the others their answers: in the first each has a quarter of its share of what is
 * left, which is enough to find most counterexamples; in the second those that are not answered yet share the rest.  Between the two, formulas that are branching ones
 * as well are tried together on the whole graph (contest_branching.c). */
#include "run/contest_parts.h"

#include <string.h>

enum { FIRST_PART = 4 };

static int ask(struct contest *c, const struct query *q, size_t i, double seconds, struct err *e) {
  const char *text = contest_text(c, q, i);
  size_t length = strlen(text);
  struct prop p = {0};
  struct verdict v = {0};
  if (!contest_inside(&text, &length, "A")) return 0;
  char *copy = mem_strndup(c->run->mem, MEM_OTHER, text, length);
  int bad = copy ? prop_open(&p, PROP_LTL, (unsigned)i + 1, copy, c->run->model, c->run->mem, e) : err_memory(e, "the queries");
  mem_free(c->run->mem, copy);
  if (bad) {
    if (e->kind != ERR_LIMIT && e->kind != ERR_MEMORY) return contest_blame(c, i, e);
    err_clear(e); /* an automaton that is too large: no answer */
    return 0;
  }
  bad = contest_explore(c, &v, &(struct contest_search){.props = &p, .count = 1, .seconds = seconds}, e);
  if (!bad && v.property[0].status != STATUS_UNKNOWN) c->answer[i].status = contest_truth(v.property[0].status == STATUS_HOLDS);
  verdict_close(&v);
  prop_close(&p);
  return bad;
}

int contest_linear(struct contest *c, int last, struct err *e) {
  size_t open = 0, i = 0;
  for (size_t k = 0; k < c->queries->count; k++) open += c->answer[k].status == CONTEST_UNKNOWN;
  for (const struct query *q = c->queries->first; q; q = q->next, i++) {
    if (c->answer[i].status != CONTEST_UNKNOWN) continue;
    double left = contest_seconds(c), share = left / (double)open--;
    if (last && left < 0.01) return 0; /* without a limit everything was tried already */
    if (ask(c, q, i, last ? share : share / FIRST_PART, e)) return -1;
  }
  return 0;
}
