/* contest_linear.c -- linear formulas, each by its own search (liveness.h), or all on one graph (graph_linear.h).
 *
 * The time is shared in two rounds, so that one formula that takes long does not cost the others their answers: in the first each has a quarter of its share of what is
 * left, which is enough to find most counterexamples; in the second those that are not answered yet share the rest.  Between the two, the whole graph is made once
 * (contest_branching.c): formulas that are branching ones as well are decided as such, the others in products of the graph and their automata, for which no state is made again. */
#include "run/contest_parts.h"

#include "search/graph_linear.h"

#include <string.h>

enum { FIRST_PART = 4 };

/* The query as a property: 1; 0: it has no answer by automata; -1 with err. */
static int open_property(struct contest *c, const struct query *q, size_t i, struct prop *p, struct err *e) {
  const char *text = contest_text(c, q, i);
  size_t length = strlen(text);
  if (!contest_inside(&text, &length, "A")) return 0;
  char *copy = mem_strndup(c->run->mem, MEM_OTHER, text, length);
  int bad = copy ? prop_open(p, PROP_LTL, (unsigned)i + 1, copy, c->run->model, c->run->mem, e) : err_memory(e, "the queries");
  mem_free(c->run->mem, copy);
  if (!bad) return 1;
  if (e->kind != ERR_LIMIT && e->kind != ERR_MEMORY) return contest_blame(c, i, e);
  err_clear(e); /* an automaton that is too large: no answer */
  return 0;
}

/* ---- on a graph that is there ------------------------------------------------------------------------------------------------- */

/* Its atoms as columns of the graph. 1; 0: one of them is none; -1 with err. */
static int find_columns(struct contest *c, struct contest_automaton *a, struct contest_atoms *atoms, struct err *e) {
  const struct temporal *t = a->prop.temporal;
  for (uint32_t k = 0; k < t->names.count; k++) {
    if (!t->expr[k]) return 0;
    const char *text = expr_text(t->expr[k]);
    int column = contest_atom(c, atoms, text, strlen(text), e);
    if (column < 0) return -1;
    a->column[k] = (uint32_t)column;
  }
  return 1;
}

int contest_automata_open(struct contest *c, struct contest_automata *all, struct contest_atoms *atoms, struct err *e) {
  size_t i = 0;
  for (const struct query *q = c->queries->first; q; q = q->next, i++) {
    struct contest_automaton a = {.query = i};
    if (c->answer[i].status != CONTEST_UNKNOWN) continue;
    int there = open_property(c, q, i, &a.prop, e);
    if (there <= 0 && e->kind) return -1;
    if (!there) continue;
    there = find_columns(c, &a, atoms, e);
    if (there == 1 && vec_push(all, c->run->mem, MEM_OTHER, a) == 0) continue;
    prop_close(&a.prop);
    if (there) return e->kind ? -1 : err_memory(e, "the queries");
  }
  return 0;
}

void contest_automata_decide(struct contest *c, const struct contest_automata *all, const struct kripke *k, const struct model_patience *patience) {
  struct mem *mem = c->run->mem;
  for (size_t i = 0; i < all->count; i++) {
    const struct contest_automaton *a = &all->at[i];
    const struct temporal *t = a->prop.temporal;
    struct region truth[FORMULA_ATOMS];
    struct graph_linear figures;
    struct kripke own = *k; /* the same graph, and of its columns those of the automaton */
    struct err e = {0};
    if (c->answer[a->query].status != CONTEST_UNKNOWN) continue;
    for (uint32_t n = 0; n < t->names.count; n++) truth[n] = k->truth[a->column[n]];
    own.truth = truth;
    own.atoms = t->names.count;
    int broken = graph_linear(&figures, &own, t->bad, t->cycles_only, patience, mem, &e);
    if (broken >= 0) c->answer[a->query].status = contest_truth(!broken); /* what memory or time does not allow has no answer */
    contest_tell(c);
  }
}

void contest_automata_close(struct contest *c, struct contest_automata *all) {
  for (size_t i = 0; i < all->count; i++) prop_close(&all->at[i].prop);
  vec_free(all, c->run->mem);
}

/* ---- by searches ---------------------------------------------------------------------------------------------------------------- */

static int ask(struct contest *c, const struct query *q, size_t i, double seconds, struct err *e) {
  struct prop p = {0};
  struct verdict v = {0};
  int there = open_property(c, q, i, &p, e);
  if (there <= 0) return there;
  int bad = contest_explore(c, &v, &(struct contest_search){.props = &p, .count = 1, .seconds = seconds}, e);
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
