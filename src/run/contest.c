/* contest.c -- see contest.h: names, time, and who answers what.
 *
 *   contest_settle.c     formulas made smaller, and answered where that needs no search
 *   contest_net.c        one question about the net
 *   contest_simple.c     queries that single states decide: one search for all of them
 *   contest_apart.c      likewise: each by a search of its own, in a net that is smaller for it
 *   contest_branching.c  branching formulas on the whole graph
 *   contest_linear.c     linear formulas, each by its own search; those that are branching formulas as well are tried as such before
 *   contest_bounds.c     the largest values of sums of places */
#include "run/contest_parts.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  enum examination is;
} examinations[] = {
    {"ReachabilityDeadlock", DEADLOCK},        {"OneSafe", ONE_SAFE},
    {"QuasiLiveness", QUASI_LIVE},             {"StableMarking", STABLE},
    {"Liveness", LIVE},                        {"ReachabilityCardinality", REACHABILITY},
    {"ReachabilityFireability", REACHABILITY}, {"CTLCardinality", BRANCHING},
    {"CTLFireability", BRANCHING},             {"LTLCardinality", LINEAR},
    {"LTLFireability", LINEAR},                {"UpperBounds", BOUNDS},
};

static enum examination find(const char *name) {
  for (size_t i = 0; i < sizeof examinations / sizeof *examinations; i++)
    if (strcmp(examinations[i].name, name) == 0) return examinations[i].is;
  return NONE;
}

int contest_knows(const char *examination, int *needs_queries) {
  enum examination is = find(examination);
  *needs_queries = is >= REACHABILITY;
  return is != NONE;
}

/* ---- what the examinations share ------------------------------------------------------------------------------------------ */

double contest_seconds(const struct contest *c) {
  double all = c->run->limits.seconds, spent = clock_now() - c->begin;
  return all <= 0 ? 0 : all > spent + 1e-3 ? all - spent : 1e-3;
}

int contest_explore(struct contest *c, struct verdict *v, const struct contest_search *how, struct err *e) {
  struct listener *listeners[8];
  struct run_setup run = *c->run;
  size_t n = 0;
  for (size_t i = 0; i < sizeof how->own / sizeof *how->own; i++)
    if (how->own[i]) listeners[n++] = how->own[i];
  for (size_t i = 0; i < run.listener_count && n < sizeof listeners / sizeof *listeners; i++) listeners[n++] = run.listeners[i];
  run.listeners = listeners;
  run.listener_count = n;
  run.props = how->props;
  run.prop_count = how->count;
  run.prefix = 0; /* of an unbounded net: single states may decide it */
  run.decide_all = 1;
  if (how->store) run.store = how->store;
  if (how->search) run.search = how->search;
  run.limits.seconds = contest_seconds(c);
  if (how->seconds > 0 && run.limits.seconds > how->seconds) run.limits.seconds = how->seconds;
  int too_late = run.limits.seconds > 0 && run.limits.seconds < run.load_s; /* a smaller net takes about as long to be made ready as the net did */
  run.reduce = how->reduce && !too_late ? REDUCE_POR | REDUCE_SLICE : 0;
  run.reduce_if_worth = 1;
  if (how->states && (!run.limits.states || run.limits.states > how->states)) run.limits.states = how->states;
  int bad = run_check(v, &run, e);
  if (!bad || v->kind != VERDICT_ERROR || v->stop != STOP_FAULT || e->kind != ERR_INPUT || v->property_count != run.prop_count) return bad;
  err_clear(e); /* more tokens than can be counted: the search ends there, as it does where memory ends */
  v->complete = 0;
  return 0;
}

unsigned contest_reductions(const struct verdict *v) {
  unsigned by = 0;
  for (size_t i = 0; i < VERDICT_REDUCTIONS; i++)
    if (v->reduction[i].used) by |= strcmp(v->reduction[i].name, "por") == 0 ? CONTEST_BY_STUBBORN_SETS : CONTEST_BY_STRUCTURE;
  return by;
}

const char *contest_text(const struct contest *c, const struct query *q, size_t i) { return c->problem[i] ? "" : c->text[i] ? c->text[i] : q->text; }

int contest_inside(const char **text, size_t *length, const char *word) {
  size_t n = strlen(word);
  if (*length < n + 3 || (*text)[0] != '(' || memcmp(*text + 1, word, n) != 0 || (*text)[n + 1] != ' ' || (*text)[*length - 1] != ')') return 0;
  *text += n + 2;
  *length -= n + 3;
  return 1;
}

int contest_blame(struct contest *c, size_t i, struct err *e) {
  if (e->kind != ERR_INPUT) return -1;
  c->problem[i] = mem_alloc(c->run->mem, MEM_OTHER, sizeof *e);
  if (!c->problem[i]) {
    err_clear(e);
    return err_memory(e, "the queries");
  }
  *c->problem[i] = *e;
  c->answer[i].problem = c->problem[i];
  err_clear(e);
  return 0;
}

int contest_atom(struct contest *c, struct contest_atoms *atoms, const char *text, size_t length, struct err *e) {
  struct mem *mem = c->run->mem;
  for (size_t i = 0; i < atoms->count; i++) {
    const char *known = expr_text(atoms->at[i]);
    if (strlen(known) == length && !memcmp(known, text, length)) return (int)i;
  }
  char *copy = mem_strndup(mem, MEM_OTHER, text, length);
  struct expr *x = NULL;
  int bad = copy ? expr_parse(&x, c->run->model, mem, copy, "query", e) : err_memory(e, "the queries");
  mem_free(mem, copy);
  if (!bad && vec_push(atoms, mem, MEM_OTHER, x)) {
    expr_close(x);
    bad = err_memory(e, "the queries");
  }
  return bad ? -1 : (int)atoms->count - 1;
}

void contest_atoms_close(struct contest *c, struct contest_atoms *atoms) {
  for (size_t i = 0; i < atoms->count; i++) expr_close(atoms->at[i]);
  vec_free(atoms, c->run->mem);
}

void contest_tell(struct contest *c) {
  for (size_t i = 0; i < c->queries->count; i++) {
    if (c->told[i] || c->answer[i].status == CONTEST_UNKNOWN) continue;
    c->told[i] = 1;
    c->hear(c->context, &c->answer[i]);
  }
}

/* ---- the door --------------------------------------------------------------------------------------------------------------- */

/* The ways to an answer, one after the other: each takes what is left. */
static int part_of_graph(struct contest *c, struct err *e) { return contest_branching(c, CONTEST_PART, e); }
static int whole_graph(struct contest *c, struct err *e) { return contest_branching(c, CONTEST_WHOLE, e); }
static int apart_at_first(struct contest *c, struct err *e) { return contest_apart(c, 0, e); }
static int apart_at_last(struct contest *c, struct err *e) { return contest_apart(c, 1, e); }
static int first_round(struct contest *c, struct err *e) { return contest_linear(c, 0, e); }
static int last_round(struct contest *c, struct err *e) { return contest_linear(c, 1, e); }

typedef int way(struct contest *, struct err *);
static way *const reachability[] = {contest_settle, apart_at_first, contest_simple, apart_at_last, part_of_graph, whole_graph, NULL};
static way *const branching[] = {contest_settle, part_of_graph, whole_graph, contest_simple, NULL}; /* simple: where the whole graph did not fit */
static way *const linear[] = {contest_settle, part_of_graph, first_round, whole_graph, last_round, NULL};
static way *const bounds[] = {contest_bounds, NULL};

static int answer_queries(struct contest *c, struct err *e) {
  way *const *ways = c->is == REACHABILITY ? reachability : c->is == BRANCHING ? branching : c->is == LINEAR ? linear : bounds;
  for (; *ways; ways++) {
    if ((*ways)(c, e)) return -1;
    contest_tell(c);
  }
  return 0;
}

static void close_contest(struct contest *c) {
  struct mem *mem = c->run->mem;
  for (size_t i = 0; i < c->queries->count; i++) {
    if (c->text) mem_free(mem, c->text[i]);
    if (c->branching) mem_free(mem, c->branching[i]);
    if (c->problem) mem_free(mem, c->problem[i]);
  }
  mem_free(mem, c->text);
  mem_free(mem, c->branching);
  mem_free(mem, c->problem);
  mem_free(mem, c->told);
  mem_free(mem, c->answer);
}

int contest_run(const char *examination, const struct queries *queries, const struct run_setup *run, contest_hear *hear, void *context, struct err *e) {
  struct contest c = {.run = run, .queries = queries, .hear = hear, .context = context, .name = examination, .begin = clock_now()};
  enum examination is = c.is = find(examination);
  if (is == NONE) return err_usage(e, "there is no examination '%s'", examination);
  if (is < REACHABILITY) return contest_net(&c, is, e);
  c.answer = mem_alloc(run->mem, MEM_OTHER, (queries->count + 1) * sizeof *c.answer);
  c.text = mem_alloc(run->mem, MEM_OTHER, (queries->count + 1) * sizeof *c.text);
  c.branching = mem_alloc(run->mem, MEM_OTHER, (queries->count + 1) * sizeof *c.branching);
  c.told = mem_alloc(run->mem, MEM_OTHER, queries->count + 1);
  c.problem = mem_alloc(run->mem, MEM_OTHER, (queries->count + 1) * sizeof *c.problem);
  int bad = c.answer && c.text && c.branching && c.told && c.problem ? 0 : err_memory(e, "the queries");
  size_t i = 0;
  for (const struct query *q = queries->first; q && !bad; q = q->next) {
    c.answer[i].id = q->id;
    if (q->strange[0]) {
      err_input(e, (struct place_in_text){queries->file, q->strange_at.line, q->strange_at.column}, q->misplaced ? "the element %s is not in its place, or does not have the parts that it should have" : "the element %s is not known in formulas", q->strange);
      bad = contest_blame(&c, i, e);
    }
    i++;
  }
  if (!bad) bad = answer_queries(&c, e);
  for (i = 0; i < queries->count && !bad; i++)
    if (!c.told[i]) hear(context, &c.answer[i]);
  close_contest(&c);
  return bad;
}
