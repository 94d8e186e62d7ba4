/* contest_branching.c -- branching formulas: the graph is built once, with the truth of every atom, and all formulas are decided on it.
 *
 * First a small part of the graph: many formulas are certain whatever the rest looks like (ctl_partial.h).  The others wait for the whole of it (ctl.h); and where time or
 * memory end before it is there, for as much of it as there is.  Linear formulas that can be written as branching ones (formula_for_all.h) take part, and where the graph is whole the others as well: one graph for all. */
#include "run/contest_parts.h"

#include "base/clock.h"
#include "run/affect.h"
#include "search/ctl.h"
#include "search/ctl_partial.h"

#include <string.h>

enum { FIRST_STATES = 150000 };
/* Of the time that is left, for linear formulas: for making the graph, and for all of it; the rest is for searches of their own. */
static const double LINEAR_GRAPH = 0.5, LINEAR_SHARE = 0.8;

struct branching {
  struct contest *c;
  struct formulas *fs;
  formula *formula; /* per query; FORMULA_NONE = not of ours */
  struct contest_atoms atom;
  struct contest_automata automata;
};

static int branching_atom(void *context, const char *text, size_t length, size_t column, struct err *e) {
  struct branching *b = context;
  (void)column;
  return contest_atom(b->c, &b->atom, text, length, e);
}

static int read_branching(struct branching *b, size_t *count, struct err *e) {
  size_t i = 0;
  struct formula_reader reader = {.what = "query", .branching = 1, .atom = branching_atom, .context = b};
  for (const struct query *q = b->c->queries->first; q; q = q->next, i++) {
    b->formula[i] = FORMULA_NONE;
    const char *text = contest_text(b->c, q, i);
    if (b->c->is == LINEAR) text = b->c->branching[i] ? b->c->branching[i] : "";
    if (!*text || b->c->answer[i].status != CONTEST_UNKNOWN) continue;
    if (formula_parse(b->fs, &b->formula[i], text, &reader, e) == 0) ++*count;
    else if (b->formula[i] = FORMULA_NONE, contest_blame(b->c, i, e)) return -1;
  }
  return 0;
}

static struct model_patience patience(const struct branching *b) {
  double left = contest_seconds(b->c);
  if (b->c->is == LINEAR) left *= LINEAR_SHARE;
  return (struct model_patience){.interrupt = b->c->run->limits.interrupt, .until = left > 0 ? clock_now() + left : 0};
}

static void answer(struct branching *b, size_t i, int holds) {
  if (holds < 0) return;
  b->c->answer[i].status = contest_truth(holds);
  contest_tell(b->c);
}

static void decide(struct branching *b, const struct kripke *k, struct mem *mem, struct err *e) {
  struct ctl *ctl;
  struct model_patience until = patience(b);
  if (ctl_open(&ctl, b->fs, k, mem, e)) {
    err_clear(e);
    return;
  }
  ctl_limit(ctl, &until);
  for (size_t i = 0; i < b->c->queries->count; i++) {
    if (b->formula[i] == FORMULA_NONE || (until.until > 0 && clock_now() > until.until)) continue;
    answer(b, i, ctl_holds(ctl, b->formula[i], e));
    err_clear(e); /* what memory or time does not allow has no answer */
    if (mem_left(mem) < mem->budget / 4) ctl_forget(ctl);
  }
  ctl_close(ctl);
}

/* On as much of the graph as there is. */
static void decide_partly(struct branching *b, struct kripke *k, struct mem *mem) {
  struct ctl_partial *ctl = NULL;
  struct model_patience until = patience(b);
  if (kripke_cut(k) || ctl_partial_open(&ctl, b->fs, k, mem, &until)) return;
  for (size_t i = 0; i < b->c->queries->count; i++) {
    if (b->formula[i] == FORMULA_NONE || (until.until > 0 && clock_now() > until.until)) continue;
    answer(b, i, ctl_partial_holds(ctl, b->formula[i]));
    if (mem_left(mem) < mem->budget / 4) ctl_partial_forget(ctl);
  }
  ctl_partial_close(ctl);
}

static int explore_and_decide(struct branching *b, uint64_t states, struct err *e) {
  struct contest *c = b->c;
  struct mem *mem = c->run->mem;
  struct kripke k;
  struct affected affected;
  struct verdict v = {0};
  if (kripke_open(&k, c->run->model, b->atom.at, b->atom.count, mem, e)) return -1;
  affect_open(&affected, c->run->model, b->atom.at, b->atom.count, mem);
  k.affected = &affected;
  double seconds = c->is == LINEAR ? contest_seconds(c) * LINEAR_GRAPH : 0;
  int bad = contest_explore(c, &v, &(struct contest_search){.own = {&k.listener}, .store = &store_plain, .states = states, .seconds = seconds}, e);
  int whole = v.complete && !k.failed;
  verdict_close(&v);
  if (!bad && whole) {
    decide(b, &k, mem, e);
    struct model_patience until = patience(b);
    contest_automata_decide(c, &b->automata, &k, &until);
  } else if (!bad) decide_partly(b, &k, mem);
  kripke_close(&k);
  affect_close(&affected, mem);
  return bad;
}

int contest_branching(struct contest *c, enum contest_graph graph, struct err *e) {
  struct mem *mem = c->run->mem;
  struct branching b = {.c = c, .formula = mem_alloc(mem, MEM_OTHER, (c->queries->count + 1) * sizeof *b.formula)};
  size_t count = 0;
  int bad = b.formula ? formulas_open(&b.fs, mem, e) : err_memory(e, "the queries");
  if (!bad) bad = read_branching(&b, &count, e);
  if (!bad && c->is == LINEAR && graph == CONTEST_WHOLE) {
    bad = contest_automata_open(c, &b.automata, &b.atom, e);
    if (b.automata.count > count) count = b.automata.count;
  }
  /* One linear formula is cheaper by its own search than by a graph. */
  if (!bad && count > (c->is == LINEAR && graph == CONTEST_WHOLE)) bad = explore_and_decide(&b, graph == CONTEST_PART ? FIRST_STATES : 0, e);
  contest_automata_close(c, &b.automata);
  contest_atoms_close(c, &b.atom);
  formulas_close(b.fs);
  mem_free(mem, b.formula);
  return bad;
}
