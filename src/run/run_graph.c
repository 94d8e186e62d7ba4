/* run_graph.c -- properties that are decided on the graph of all states: branching formulas, games, and linear ones where the graph is there anyway. */
#include "run/run_inside.h"

#include "run/strategies.h"

#include <stdio.h>

/* ---- properties of whole runs ------------------------------------------------------- */

/* A run of the tree that shows what the graph says, confirmed. NULL: it could not be (e tells more, unless it was memory). */
static struct trace *trace_of_story(struct run *r, size_t i, struct ctl_story *story, int holds, struct err *e) {
  if (branches_confirm(&r->branches, i, story, e)) return NULL;
  struct trace *t = run_new_trace(r, NULL, 0, &story->path, e);
  if (!t) return NULL;
  memcpy(t->property, r->v->property[i].id, sizeof t->property);
  strcpy(t->verdict, holds ? "reached" : "violated");
  memcpy(t->message, story->message, sizeof t->message);
  t->shortest = story->shortest;
  if (story->loop < story->path.count) t->loop = (int64_t)story->loop;
  return t;
}

static int add_branches(struct run *r, size_t i, struct ctl_tree *tree, int holds, struct trace *trunk, struct err *e) {
  trunk->branch = mem_alloc(r->mem, MEM_OTHER, tree->count * sizeof *trunk->branch);
  for (size_t k = 1; k < tree->count && trunk->branch; k++) {
    struct trace *run = trace_of_story(r, i, &tree->story[k], holds, e);
    if (!run) return run_leave_out(e);
    trunk->branch[trunk->branch_count++] = (struct trace_branch){tree->story[k].of, tree->story[k].at, run};
  }
  return 0;
}

static struct model_patience patience_of(const struct run *r) { return (struct model_patience){.interrupt = r->limits.interrupt, .until = r->until}; }

/* The graph has no answer: time is over, or memory. 0, or -1: something else is wrong. */
static int undecided(struct run *r, struct err *e) {
  if (e->kind == ERR_LIMIT) r->v->stop = r->limits.interrupt && *r->limits.interrupt ? STOP_INTERRUPT : STOP_TIME;
  else r->no_graph = 1;
  return run_leave_out(e);
}

/* What the graph says of property i, and the runs that show it. */
static int check_graph(struct run *r, size_t i, struct err *e) {
  struct verdict_property *p = &r->v->property[i];
  struct ctl_tree tree;
  struct model_patience patience = patience_of(r);
  int holds = branches_decide(&r->branches, i, &tree, &patience, e);
  if (holds < 0) return undecided(r, e);
  p->by_graph = holds ? STATUS_HOLDS : STATUS_VIOLATED;
  p->deciding = 1;
  p->evidence = tree.count ? mem_alloc(r->mem, MEM_OTHER, sizeof *p->evidence) : NULL;
  int bad = 0;
  /* a property that holds without a step has nothing to show */
  if (p->evidence && (tree.story[0].path.count || tree.count > 1 || !holds)) {
    p->evidence_count = 1;
    p->evidence->steps = tree.story[0].path.count;
    snprintf(p->message, sizeof p->message, "%.150s", tree.story[0].message);
    struct trace *t = p->evidence->trace = trace_of_story(r, i, &tree.story[0], holds, e);
    if (!t) bad = run_leave_out(e);
    else p->shortest = t->shortest;
    if (t && tree.count > 1) bad = add_branches(r, i, &tree, holds, t, e);
  }
  ctl_tree_free(&tree, r->mem);
  return bad;
}

/* Who wins the game of property i, the winner's strategy, and a play that shows it: of the environment where it spoils the wish, else of the longest way that it can make. */
static int check_game(struct run *r, size_t i, struct err *e) {
  struct verdict_property *p = &r->v->property[i];
  struct ctl_story play = {0};
  struct model_patience patience = patience_of(r);
  int holds = strategies_decide(&r->branches, i, &p->strategy, &play, &patience, e);
  if (holds < 0) return undecided(r, e);
  p->by_graph = holds ? STATUS_HOLDS : STATUS_VIOLATED;
  p->deciding = 1;
  int bad = 0;
  p->evidence = play.state && (play.path.count || !holds) ? mem_alloc(r->mem, MEM_OTHER, sizeof *p->evidence) : NULL;
  if (p->evidence) {
    p->evidence_count = 1;
    p->evidence->steps = play.path.count;
    snprintf(p->message, sizeof p->message, "%.150s", play.message);
    struct trace *t = p->evidence->trace = trace_of_story(r, i, &play, holds, e);
    if (!t) bad = run_leave_out(e);
    else p->shortest = t->shortest;
  }
  struct ctl_tree tree = {.story = {play}, .count = 1};
  ctl_tree_free(&tree, r->mem);
  return bad;
}

int run_check_all_graph(struct run *r, struct err *e) {
  if (!r->branches.run || r->v->stop != STOP_DONE || r->lossy) return 0;
  for (size_t i = 0; i < r->v->property_count; i++) {
    const struct prop *p = &r->setup->props[i];
    if (prop_of_graph(p) && (p->kind == PROP_STRATEGY ? check_game(r, i, e) : check_graph(r, i, e))) return -1;
  }
  return 0;
}

/* Linear properties that hold by the graph need no search of their own. One that does not gets it all the same: it finds the run that breaks it. */
int run_check_linear_on_graph(struct run *r, struct err *e) {
  if (!r->branches.run || r->v->stop != STOP_DONE || r->lossy) return 0;
  struct model_patience patience = patience_of(r);
  for (size_t i = 0; i < r->v->property_count; i++) {
    struct verdict_property *p = &r->v->property[i];
    struct graph_linear figures;
    if (!branches_linear(r->setup, i)) continue;
    int holds = branches_decide_linear(&r->branches, i, &figures, &patience, e);
    if (holds < 0 && run_leave_out(e)) return -1;
    if (holds != 1) continue;
    p->product.method = temporal_method_name(r->setup->props[i].temporal->method);
    p->product.search = "graph";
    p->product.automaton_states = r->setup->props[i].temporal->bad->states;
    p->product.states = figures.states;
    p->product.transitions = figures.edges;
    p->product.stop = STOP_DONE;
  }
  return 0;
}
