/* branches.c -- see branches.h. */
#include "run/branches.h"

#include "search/replay.h"

#include <string.h>

int branches_wanted(const struct run_setup *run) {
  for (size_t i = 0; i < run->prop_count; i++)
    if (prop_of_graph(&run->props[i])) return 1;
  return 0;
}

const struct search_type *branches_search(const struct run_setup *run) { return run->search && run->search->measured && !run->swarm ? run->search : &search_bfs; }

const struct store_type *branches_store(const struct run_setup *run) {
  unsigned needed = STORE_ORDER | STORE_EXACT;
  if (branches_search(run)->measured) return run_store(run, branches_search(run));
  return run->store && (run->store->caps & needed) == needed ? run->store : &store_plain;
}

int branches_linear(const struct run_setup *run, size_t i) {
  const struct temporal *t = prop_of_runs(&run->props[i]) && !run->fair ? run->props[i].temporal : NULL;
  if (t && t->method == TEMPORAL_OBSERVER) t = NULL; /* its automaton accepts the runs that do not break it */
  for (uint32_t k = 0; t && k < t->names.count; k++)
    if (!t->expr[k]) t = NULL; /* a label is no expression */
  return t != NULL;
}

/* How many atoms of the graph are those of property i, and which. */
static size_t atoms_of(const struct run_setup *run, size_t i, struct expr *const **expr) {
  const struct prop *p = &run->props[i];
  if (p->kind == PROP_STRATEGY) return *expr = &run->props[i].expr, 1;
  if (prop_of_graph(p)) return *expr = p->branching->expr, p->branching->names.count;
  if (branches_linear(run, i)) return *expr = p->temporal->expr, p->temporal->names.count;
  return 0;
}

/* Games want to know whose edges are whose. */
static int own_edges(struct branches *b, struct err *e) {
  const struct run_setup *run = b->run;
  size_t games = 0;
  for (size_t i = 0; i < run->prop_count; i++) games += run->props[i].kind == PROP_STRATEGY;
  if (!games) return 0;
  b->own = (struct owners){.model = run->model, .mem = run->mem};
  b->owners = run->owners ? run->owners : &b->own;
  if (!run->owners && owners_open(&b->own)) return err_memory(e, "the owners of transitions");
  kripke_own(&b->graph, b->owners);
  return 0;
}

int branches_open(struct branches *b, const struct run_setup *run, struct err *e) {
  *b = (struct branches){.run = run};
  for (size_t i = 0; i < run->prop_count; i++) {
    struct expr *const *expr = NULL;
    size_t count = atoms_of(run, i, &expr);
    for (size_t k = 0; k < count; k++)
      if (vec_push(&b->atom, run->mem, MEM_OTHER, expr[k])) return err_memory(e, "the graph of all states");
  }
  return kripke_open(&b->graph, run->model, b->atom.at, b->atom.count, run->mem, e) ? -1 : own_edges(b, e);
}

void branches_close(struct branches *b) {
  if (!b->run) return;
  kripke_close(&b->graph);
  owners_close(&b->own);
  vec_free(&b->atom, b->run->mem);
  *b = (struct branches){0};
}

struct kripke branches_graph(const struct branches *b, size_t i) {
  struct kripke k = b->graph;
  struct expr *const *expr = NULL;
  size_t before = 0;
  for (size_t n = 0; n < i; n++) before += atoms_of(b->run, n, &expr);
  k.atoms = atoms_of(b->run, i, &expr);
  if (!k.atoms) return k; /* of none the whole graph may have none, and nothing to count from */
  k.atom += before;
  k.truth += before;
  return k;
}

int branches_decide(struct branches *b, size_t i, struct ctl_tree *out, const struct model_patience *patience, struct err *e) {
  struct branching_formula *f = b->run->props[i].branching;
  struct kripke k = branches_graph(b, i);
  struct ctl *ctl = NULL;
  *out = (struct ctl_tree){0};
  if (ctl_open(&ctl, f->formulas, &k, b->run->mem, e)) return -1;
  ctl_limit(ctl, patience);
  int holds = ctl_holds(ctl, f->formula, e);
  if (holds >= 0 && ctl_tell(out, ctl, f->formulas, f->formula, &k, atoms_text, &f->names, b->run->mem, e)) {
    if (e->kind == ERR_MEMORY || e->kind == ERR_LIMIT) err_clear(e); /* the answer stands without a story */
    else holds = -1;
  }
  ctl_close(ctl);
  return holds;
}

int branches_decide_linear(const struct branches *b, size_t i, struct graph_linear *out, const struct model_patience *patience, struct err *e) {
  const struct temporal *t = b->run->props[i].temporal;
  struct kripke k = branches_graph(b, i);
  int broken = graph_linear(out, &k, t->bad, t->cycles_only, patience, b->run->mem, e);
  return broken < 0 ? -1 : !broken;
}

/* ---- confirming -------------------------------------------------------------------------------------------------------------- */

static int find_groups(const struct branches *b, struct ctl_story *s, struct err *e) {
  struct stepper p = {0};
  struct mem *mem = b->run->mem;
  s->path.group = mem_alloc(mem, MEM_SEARCH, (s->path.count + 1) * sizeof *s->path.group);
  int bad = s->path.group ? stepper_open(&p, b->run->model, mem, e) : err_memory(e, "replaying a trace");
  for (size_t i = 0; i < s->path.count && !bad; i++)
    if (stepper_take(&p, s->path.edge[i], &s->path.group[i], e) != 1) bad = e->kind ? -1 : err_internal(e, "step %zu of a run in the graph is not there", i);
  stepper_close(&p);
  return bad;
}

/* Do the atoms have the values that the graph has for that state? */
static int same_atoms(const struct kripke *k, struct replay *r, uint32_t state, struct err *e) {
  const struct model *m = r->engine.model;
  for (size_t i = 0; m->type->define_initial && i < k->atoms; i++)
    if ((expr_define(k->atom[i], m, r->values) != 0) != kripke_true(k, i, state))
      return err_internal(e, "replay: %s is not what the graph says", expr_text(k->atom[i]));
  return 0;
}

static int remember(struct replay *r, int64_t **values, uint32_t *count, struct err *e) {
  *values = mem_alloc(r->engine.mem, MEM_OTHER, ((size_t)r->vars + 1) * sizeof **values);
  if (!*values) return err_memory(e, "replaying a trace");
  memcpy(*values, r->values, r->vars * sizeof **values);
  *count = r->vars;
  return 0;
}

static int came_back(const struct replay *r, const int64_t *values, uint32_t count, struct err *e) {
  for (uint32_t v = 0; v < r->vars; v++)
    if (r->values[v] != (v < count ? values[v] : 0)) return err_internal(e, "replay: the loop of a run does not close");
  return 0;
}

int branches_confirm(const struct branches *b, size_t i, struct ctl_story *s, struct err *e) {
  struct kripke k = branches_graph(b, i);
  struct replay r;
  size_t n = s->path.count;
  int64_t *begin = NULL;
  uint32_t vars = 0;
  if (find_groups(b, s, e) || replay_open(&r, b->run->model, b->run->mem, n, e)) return -1;
  int bad = 0;
  for (size_t at = 0; at <= n && !bad; at++) {
    bad = same_atoms(&k, &r, s->state[at], e);
    if (!bad && at == s->loop && at < n) bad = remember(&r, &begin, &vars, e);
    if (!bad && at < n) bad = replay_step(&r, s->path.edge[at], s->path.group[at], e);
  }
  if (!bad) bad = replay_compare(&r, e);
  if (!bad && s->loop < n) bad = came_back(&r, begin, vars, e);
  if (!bad && s->ends && (stepper_expand(&r.engine, e) || r.engine.batch.count))
    bad = e->kind ? -1 : err_internal(e, "replay: a run that is to end could go on");
  mem_free(b->run->mem, begin);
  replay_close(&r);
  return bad;
}
