/* contest_apart.c -- what single states decide, asked one by one: each question has a net of its own, without what it cannot see (net/shrink.h), and of independent steps one order (por) where that spares enough.
 * Such nets are often smaller than the net by orders of magnitude, where the net that all questions see together is not smaller at all.
 *
 *   at first   a directed search of a few states for each question, in a part of the time: it finds most states that there are, and completes the nets that become small
 *   at last    what the search for all of them together left open shares the time that is left */
#include "run/contest_parts.h"

#include <string.h>

enum { FIRST_PART = 6 }; /* of what is left, for the first round of all */

/* One property by a search of its own. -1 with err. */
static int ask(struct contest *c, const struct prop *p, double seconds, uint64_t states, enum prop_status *status, unsigned *by, struct err *e) {
  struct verdict v = {0};
  struct contest_search how = {.props = p, .count = 1, .seconds = seconds, .states = states, .reduce = 1};
  if (states) how.search = &search_best;
  int bad = contest_explore(c, &v, &how, e);
  *status = bad ? STATUS_UNKNOWN : v.property[0].status;
  if (!bad) *by = contest_reductions(&v);
  verdict_close(&v);
  if (bad && e->kind == ERR_MEMORY) bad = 0, err_clear(e); /* too little for this one */
  return bad;
}

int contest_goal(struct contest *c, const char *text, double seconds, enum contest_status *found, unsigned *by, struct err *e) {
  struct prop p;
  enum prop_status status;
  *found = CONTEST_UNKNOWN;
  if (prop_open(&p, PROP_REACHABLE, 1, text, c->run->model, c->run->mem, e)) return -1;
  int bad = ask(c, &p, seconds, CONTEST_APART_STATES, &status, by, e);
  if (!bad && status != STATUS_UNKNOWN) *found = contest_truth(status == STATUS_HOLDS);
  prop_close(&p);
  return bad;
}

static int ask_query(struct contest *c, const struct query *q, size_t i, double seconds, uint64_t states, struct err *e) {
  struct prop p;
  struct contest_shape s;
  enum prop_status status;
  unsigned by = 0;
  if (!contest_shape_of(contest_text(c, q, i), &s)) return 0;
  int there = contest_shape_prop(c, &s, i, &p, e);
  if (there <= 0) return there;
  int bad = ask(c, &p, seconds, states, &status, &by, e);
  if (!bad && status != STATUS_UNKNOWN) {
    c->answer[i].status = contest_truth((status == STATUS_HOLDS) != s.negated);
    c->answer[i].by |= by;
    contest_tell(c);
  }
  prop_close(&p);
  return bad;
}

int contest_apart(struct contest *c, int last, struct err *e) {
  size_t open = 0, i = 0;
  for (size_t k = 0; k < c->queries->count; k++) open += c->answer[k].status == CONTEST_UNKNOWN;
  double end = last ? 0 : contest_seconds(c) * (1 - 1.0 / FIRST_PART); /* what must be left then; nothing where there is no limit */
  for (const struct query *q = c->queries->first; q; q = q->next, i++) {
    if (c->answer[i].status != CONTEST_UNKNOWN) continue;
    double left = contest_seconds(c);
    if (left > 0 && left < end + 0.01) return 0;
    if (ask_query(c, q, i, (left - end) / (double)open--, last ? 0 : CONTEST_APART_STATES, e)) return -1;
  }
  return 0;
}
