/* compare.c -- see compare.h.
 *
 * Both graphs lie side by side in one, and what behaves alike in it is put together first: bisimulations are decided by that, and words are compared on what is left,
 * which is mostly so small that sets of states do not hurt.  Traces survive branching bisimulation; ends of runs do not (going round in hidden steps for ever is like
 * an end there), so that languages are compared on the strong quotient. */
#include "run/compare.h"

#include "base/clock.h"
#include "run/minimise.h"

static int explore(struct comparison *c, struct graph *both, struct labelling labelling[2], struct model *const model[2], const struct run_setup *run, double until, struct err *e) {
  uint64_t states = 0, edges = 0;
  for (int i = 0; i < 2; i++) {
    struct run_setup one = *run;
    double now = clock_now();
    one.model = model[i];
    if (until > 0) one.limits.seconds = until > now + 1e-3 ? until - now : 1e-3; /* what the first one has left */
    if (minimise_explore(both, &labelling[i], &one, &c->verdict[i], e)) return -1;
    c->states[i] = both->states - states;
    c->edges[i] = both->edges - edges;
    states = both->states;
    edges = both->edges;
    if (!c->verdict[i].complete) return 0;
  }
  c->complete = 1;
  return 0;
}

/* Word by word, on the graph of classes. */
static int words(struct comparison *c, const struct graph *g, const uint32_t *initial, const struct model_patience *patience, struct err *e) {
  for (int i = 0; i < 2; i++) {
    c->included[i] = traces_included(g, initial[i], initial[!i], c->is == SAME_LANGUAGE, &c->word[i], patience, c->mem, e);
    if (c->included[i] < 0) return -1;
  }
  c->same = c->included[0] && c->included[1];
  return 0;
}

static int judge(struct comparison *c, const struct graph *both, const struct model_patience *patience, struct err *e) {
  enum bisimulation kind = c->is == SAME_BRANCHING || c->is == SAME_TRACE ? BISIMULATION_BRANCHING : BISIMULATION_STRONG;
  uint64_t initial[2] = {0, c->states[0]};
  struct refined r = {0};
  struct graph small = {0};
  uint32_t *number = NULL;
  if (refine(&r, both, kind, patience, c->mem, e)) return -1;
  c->classes = r.blocks;
  c->same = r.block[initial[0]] == r.block[initial[1]];
  if (c->same) c->included[0] = c->included[1] = 1; /* whatever is asked, bisimilar states do the same */
  int bad = c->same ? 0 : refined_quotient(&r, both, kind, initial, 2, &small, &number, c->mem, e);
  if (!bad && !c->same) {
    uint32_t named[2] = {number[r.block[initial[0]]], number[r.block[initial[1]]]};
    if (c->is == SAME_TRACE || c->is == SAME_LANGUAGE) bad = words(c, &small, named, patience, e);
    else if (play_find(&c->play, &small, named[0], named[1], kind, patience, c->mem, e)) {
      if (e->kind == ERR_MEMORY || e->kind == ERR_LIMIT) err_clear(e); /* the answer stands without a story */
      else bad = -1;
    }
  }
  mem_free(c->mem, number);
  graph_close(&small);
  refined_close(&r);
  return bad;
}

int compare(struct comparison *c, enum equivalence is, struct model *const model[2], const struct run_setup *run, const struct labels_seen seen[2], struct err *e) {
  struct graph both = {0};
  struct labelling labelling[2] = {0};
  struct model_patience patience = minimise_patience(run, clock_now());
  *c = (struct comparison){.is = is, .mem = run->mem};
  int bad = labels_open(&c->labels, run->mem);
  for (int i = 0; i < 2 && !bad; i++) bad = labelling_open(&labelling[i], &c->labels, model[i], &seen[i]);
  if (bad) bad = err_memory(e, "the labels of two graphs");
  if (!bad) {
    graph_open(&both, run->mem, (uint32_t)c->labels.text.count);
    bad = explore(c, &both, labelling, model, run, patience.until, e);
  }
  for (int i = 0; i < 2; i++) labelling_close(&labelling[i]);
  if (!bad && c->complete) bad = judge(c, &both, &patience, e);
  graph_close(&both);
  return bad;
}

void comparison_close(struct comparison *c) {
  if (!c->mem) return;
  labels_close(&c->labels);
  for (int i = 0; i < 2; i++) {
    verdict_close(&c->verdict[i]);
    mem_free(c->mem, c->word[i].label);
  }
  play_close(&c->play);
  *c = (struct comparison){0};
}
