/* plan.c -- in which order a transition binds its variables.
 *
 * What can bind: a term of an arc from a place, whose pattern is matched with the tokens there; an equation of the guard of which one side is known and the other
 * a pattern; and, when nothing else is left, trying every colour of a small colour set.  The plan is made greedily:
 *
 *   conditions whose variables are known are tested at once
 *   equations that bind something come before anything that branches
 *   then the term that is expected to fit the fewest tokens: few colours in its place, many parts of the pattern known already; of similar ones that which binds the most
 *   colours are tried only of a variable that nothing else can bind
 *
 * A guard a andalso b is tested in any order, but b cannot go wrong where a is false: an equation that may go wrong waits for what stands before it as long as there is something else that binds.  Tests need not wait (bind.c).
 *
 * Terms that bind nothing new are steps only where others follow that branch: a token that is missing then spares all of what follows.  Else whether their tokens are there is seen when the binding is complete (bind.c), and that is one lookup.
 *
 * A term whose coefficient is computed from variables may ask for no token at all, whatever its value is then: it binds nothing. */
#include "colour/net.h"

#include <stdio.h>
#include <string.h>

enum { TERMS = 256 };

struct term {
  uint32_t place;
  const struct pattern *pattern;
  uint64_t binds, needs; /* variables: of the pattern, of its computed parts */
  uint32_t fixed;        /* parts that are known from the start */
  int doubtful;          /* its coefficient may be 0: it binds nothing */
  int early;             /* inscription.h */
  int settled;           /* it is a step, or need not be one */
};

struct equation { /* of a condition: pattern = value, and the other way round */
  const struct pattern *pattern[2];
  const struct ml_code *code[2];
  uint64_t binds[2], needs[2], value[2];
  int there, may_fail;
};

struct planner {
  struct net *net;
  struct net_transition *t;
  const uint32_t *tokens;
  struct err *e;
  struct term term[TERMS];
  size_t terms;
  struct equation *equation; /* per condition */
  uint8_t *done;             /* per condition */
  uint64_t known;
  uint32_t ordered;
  uint32_t place; /* of the arc that is being read */
};

/* ---- reading ------------------------------------------------------------------------------------------------------------------------ */

struct gathering {
  const struct net_transition *t;
  uint64_t mask;
};

static int gather(void *context, uint32_t variable) {
  struct gathering *g = context;
  int local = net_local(g->t, variable);
  if (local >= 0) g->mask |= (uint64_t)1 << local;
  return 0;
}

static uint64_t variables_of(const struct planner *p, const struct pattern *pattern, int computed) {
  struct gathering g = {p->t, 0};
  pattern_variables(pattern, computed, gather, &g);
  return g.mask;
}

static uint64_t variables_in(const struct planner *p, const struct ml_expr *e) {
  uint32_t number[NET_VARIABLES];
  struct gathering g = {p->t, 0};
  size_t n = ml_free_variables(e, number, NET_VARIABLES);
  for (size_t i = 0; i < n && i < NET_VARIABLES; i++) gather(&g, number[i]);
  return g.mask;
}

static uint32_t fixed_parts(const struct pattern *p) {
  uint32_t n = p->kind == PATTERN_NUMBER || p->kind == PATTERN_STRING || p->kind == PATTERN_COMPUTED;
  for (uint32_t i = 0; i < p->parts; i++) n += fixed_parts(p->part[i]);
  return n;
}

static int has_computed(const struct pattern *p) {
  int any = p->kind == PATTERN_COMPUTED;
  for (uint32_t i = 0; i < p->parts; i++) any |= has_computed(p->part[i]);
  return any;
}

/* May a coefficient be 0? A declared value, and what else speaks of no variable, is the same all the time, unless it asks what time it is or draws. 1, 0, or -1 (err). */
static int may_vanish(struct planner *p, const struct ml_expr *c) {
  uint32_t variable;
  const struct ml_code *code;
  ml_value value;
  if (!c || c->kind == ML_INT) return 0;
  if (c->kind != ML_GLOBAL && (p->net->timed || ml_draws(p->net->ml) || ml_free_variables(c, &variable, 1))) return 1;
  if (ml_compile(&code, p->net->ml, c, ML_WANT_ANYTHING, NULL, p->e)) return -1;
  int vanishes = ml_run(p->net->machine, code, p->net->variable, 0, &value) != ML_OK || ml_to_int(value) <= 0;
  ml_machine_clear(p->net->machine);
  return vanishes;
}

static int read_term(void *context, struct inscription_term term) {
  struct planner *p = context;
  const struct ml_expr *c = term.coefficient;
  if (p->terms == TERMS || (c && c->kind == ML_INT && c->number <= 0)) return 0; /* beyond: they bind nothing, and are tested all the same */
  const struct pattern *pattern = pattern_make(p->net->ml, term.value, &p->net->arena, p->e);
  int doubtful = may_vanish(p, c);
  if (!pattern || doubtful < 0) return -1;
  p->term[p->terms++] = (struct term){.place = p->place,
                                      .pattern = pattern,
                                      .binds = variables_of(p, pattern, 0),
                                      .needs = variables_of(p, pattern, 1),
                                      .fixed = fixed_parts(pattern),
                                      .doubtful = doubtful,
                                      .early = term.early};
  return 0;
}

static int read_arcs(struct planner *p) {
  for (uint32_t i = 0; i < p->t->arcs; i++) {
    const struct net_arc *a = &p->net->arcs.at[p->t->arc + i];
    if (a->kind != DRAWING_TO_TRANSITION && a->kind != DRAWING_TEST) continue;
    p->place = a->place;
    if (inscription_terms(a->tree, read_term, p) < 0) return -1;
  }
  return 0;
}

static int read_conditions(struct planner *p) {
  for (uint32_t i = 0; i < p->t->conditions; i++) {
    const struct net_condition *c = &p->net->conditions.at[p->t->condition + i];
    struct equation *q = &p->equation[i];
    const struct ml_expr *side[2];
    if (!inscription_equation(c->tree, &side[0], &side[1])) continue;
    q->there = 1;
    q->may_fail = inscription_may_fail(c->tree);
    for (int k = 0; k < 2; k++) {
      q->pattern[k] = pattern_make(p->net->ml, side[k], &p->net->arena, p->e);
      if (!q->pattern[k] || ml_compile(&q->code[k], p->net->ml, side[k], ML_WANT_ANYTHING, NULL, p->e)) return -1;
      q->binds[k] = variables_of(p, q->pattern[k], 0);
      q->needs[k] = variables_of(p, q->pattern[k], 1);
      q->value[k] = variables_in(p, side[k]);
    }
  }
  return 0;
}

/* Places that must not be empty: where a term takes something whatever its variables are. */
static void find_needs(struct planner *p) {
  p->t->needs = 0;
  for (size_t i = 0; i < p->terms && p->t->needs < NET_NEEDS; i++) {
    int known = p->term[i].doubtful;
    for (uint32_t k = 0; k < p->t->needs; k++) known |= p->t->need[k] == p->term[i].place;
    if (!known) p->t->need[p->t->needs++] = p->term[i].place;
  }
}

/* ---- planning ------------------------------------------------------------------------------------------------------------------------- */

static int add(struct planner *p, struct net_step step) {
  return vec_push(&p->t->plan, p->net->mem, MEM_MODEL, step) ? err_memory(p->e, "the net") : 0;
}

static int put_in_order(void *context, uint32_t variable) {
  struct planner *p = context;
  int local = net_local(p->t, variable);
  if (local < 0 || p->known >> local & 1) return 0;
  p->known |= (uint64_t)1 << local;
  p->t->order[p->ordered++] = (uint32_t)local;
  return 0;
}

static int add_matching(struct planner *p, struct net_step step) {
  if (add(p, step)) return -1;
  return pattern_variables(step.pattern, 0, put_in_order, p);
}

static const struct net_condition *condition(const struct planner *p, uint32_t i) { return &p->net->conditions.at[p->t->condition + i]; }

/* The variables that are missing for conditions which stand before this one in the guard. */
static uint64_t missing_before(const struct planner *p, uint32_t i) {
  uint64_t missing = 0;
  for (uint32_t k = 0; k < i; k++)
    if (!p->done[k]) missing |= condition(p, k)->variables & ~p->known;
  return missing;
}

/* Can a side of the equation be matched with the other one, and does that bind something? Which: 0, 1, or -1. */
static int solvable(const struct planner *p, uint32_t i) {
  const struct equation *q = &p->equation[i];
  for (int k = 0; k < 2 && q->there && !p->done[i]; k++)
    if (!(q->value[!k] & ~p->known) && q->binds[k] & ~p->known && !(q->needs[k] & ~(p->known | q->binds[k]))) return k;
  return -1;
}

static int equate(struct planner *p, uint32_t i, int side) {
  const struct equation *q = &p->equation[i];
  p->done[i] = 1;
  return add_matching(p, (struct net_step){.kind = NET_EQUATE, .pattern = q->pattern[side], .code = q->code[!side]}) ? -1 : 1;
}

/* Conditions and equations that are ready. 1: something was bound; 0; -1. */
static int settle_conditions(struct planner *p) {
  for (uint32_t i = 0; i < p->t->conditions; i++) {
    const struct net_condition *c = condition(p, i);
    if (p->done[i] || c->variables & ~p->known) continue;
    p->done[i] = 1;
    if (add(p, (struct net_step){.kind = NET_TEST, .code = c->code, .condition = i})) return -1;
  }
  for (uint32_t i = 0; i < p->t->conditions; i++) {
    int side = solvable(p, i);
    if (side >= 0 && !(p->equation[i].may_fail && missing_before(p, i))) return equate(p, i, side);
  }
  return 0;
}

/* How many tokens a term is expected to fit, in some unit. */
static uint64_t expected(const struct planner *p, const struct term *t) {
  unsigned fixed = t->fixed + (unsigned)__builtin_popcountll(t->binds & p->known);
  return ((uint64_t)p->tokens[t->place] << 20) >> (fixed < 10 ? 2 * fixed : 20);
}

/* Of terms that fit about as many tokens the one that binds more: who asks for (x, y) first need not look for x. */
static int better(const struct planner *p, const struct term *x, const struct term *y) {
  uint64_t fits = expected(p, x), others = expected(p, y), binds = (uint64_t)__builtin_popcountll(x->binds & ~p->known), bound = (uint64_t)__builtin_popcountll(y->binds & ~p->known);
  if (binds != bound && fits < 2 * others && others < 2 * fits) return binds > bound;
  return fits < others;
}

static struct net_step matching(const struct term *t) {
  return (struct net_step){.kind = NET_MATCH, .place = t->place, .pattern = t->pattern, .ordered = !has_computed(t->pattern), .sure = 1, .early = t->early};
}

/* Something is about to branch: terms that are known by now are looked for before.  Where a place has colours to choose from, that is; that it is not empty is known anyway.  Computed parts wait: they may go wrong where there is no binding. */
static int match_known(struct planner *p) {
  for (size_t i = 0; i < p->terms; i++) {
    struct term *t = &p->term[i];
    if (t->settled || t->doubtful || (t->binds | t->needs) & ~p->known) continue;
    t->settled = 1;
    if (has_computed(t->pattern) || ml_colset_size(p->net->places.at[t->place].colset, 2) == 1) continue;
    if (add(p, matching(t))) return -1;
  }
  return 0;
}

static int match_best(struct planner *p) {
  struct term *best = NULL;
  for (size_t i = 0; i < p->terms; i++) {
    struct term *t = &p->term[i];
    if (t->doubtful || !(t->binds & ~p->known) || t->needs & ~(p->known | t->binds)) continue;
    if (!best || better(p, t, best)) best = t;
  }
  if (!best) return 0;
  best->settled = 1;
  return add_matching(p, matching(best)) ? -1 : 1;
}

static int cannot_bind(struct planner *p, uint32_t local, const char *why) {
  const struct ml_variable *v = p->t->variable[local];
  char of[160] = "";
  for (uint32_t i = p->t->arcs; i-- > 0;) { /* the first arc that speaks of it */
    const struct net_arc *a = &p->net->arcs.at[p->t->arc + i];
    if (a->variables >> local & 1)
      snprintf(of, sizeof of, " of the arc %s %.120s", a->kind == DRAWING_TO_PLACE ? "to" : "from", p->net->places.at[a->place].name);
  }
  err_input(p->e, p->t->at, "transition %s: variable %s%s cannot be bound: %s", p->t->name, v->name, of, why);
  err_hint(p->e, "an arc from a place with %s in a pattern binds it, or a condition %s = ... in the guard, or a colour set of at most %d colours", v->name,
           v->name, NET_CHOICES);
  return -1;
}

static int choose_smallest(struct planner *p, uint64_t wanted) {
  uint64_t least = 0;
  uint32_t which = 0;
  for (uint64_t left = wanted & ~p->known; left; left &= left - 1) {
    uint32_t local = (uint32_t)__builtin_ctzll(left);
    uint64_t size = ml_colset_size(p->t->variable[local]->colset, NET_CHOICES);
    if (size && (!least || size < least)) {
      least = size;
      which = local;
    }
  }
  if (!least)
    return cannot_bind(p, (uint32_t)__builtin_ctzll(wanted & ~p->known), "no arc whose coefficient cannot be 0 and no equation of the guard says what it is, and its colour set is too large to try all colours");
  if (add(p, (struct net_step){.kind = NET_CHOOSE, .variable = which})) return -1;
  p->known |= (uint64_t)1 << which;
  p->t->order[p->ordered++] = which;
  return 0;
}

/* Equations that have waited for conditions before them: no arc binds what those speak of. Colours of which there are few are tried first, where no equation says which one it is. 1: something was bound; 0; -1. */
static int settle_waiting(struct planner *p) {
  uint64_t solved = 0, few = 0;
  for (uint32_t i = 0; i < p->t->conditions; i++)
    if (!p->done[i]) solved |= p->equation[i].binds[0] | p->equation[i].binds[1];
  for (uint32_t i = 0; i < p->t->conditions; i++) {
    int side = solvable(p, i);
    if (side < 0) continue;
    for (uint64_t left = missing_before(p, i) & ~solved; left; left &= left - 1) {
      uint32_t local = (uint32_t)__builtin_ctzll(left);
      if (ml_colset_size(p->t->variable[local]->colset, NET_CHOICES)) few |= (uint64_t)1 << local;
    }
    if (few) return choose_smallest(p, few) ? -1 : 1;
    return equate(p, i, side);
  }
  return 0;
}

/* Outputs of the code segment are known only when everything else is. */
static int check_outputs(struct planner *p, uint64_t outputs) {
  uint64_t early = 0;
  for (uint32_t i = 0; i < p->t->conditions; i++) early |= p->net->conditions.at[p->t->condition + i].variables;
  for (uint32_t i = 0; i < p->t->arcs; i++) {
    const struct net_arc *a = &p->net->arcs.at[p->t->arc + i];
    if (a->kind != DRAWING_TO_PLACE) early |= a->variables;
  }
  if (early & outputs)
    return cannot_bind(p, (uint32_t)__builtin_ctzll(early & outputs), "it is an output of the code segment, and the guard or an arc from a place speaks of it");
  return 0;
}

static int make(struct planner *p) {
  uint64_t all = p->t->variables == 64 ? ~(uint64_t)0 : ((uint64_t)1 << p->t->variables) - 1, outputs = 0;
  for (uint32_t i = 0; i < p->t->outputs; i++) outputs |= (uint64_t)1 << p->t->output[i];
  p->t->plan.count = 0;
  if (check_outputs(p, outputs) || read_arcs(p) || read_conditions(p)) return -1;
  find_needs(p);
  for (;;) {
    int bound = settle_conditions(p);
    if (!bound && !((all & ~outputs) & ~p->known)) break;
    if (!bound) bound = match_known(p);
    if (!bound) bound = match_best(p);
    if (!bound) bound = settle_waiting(p);
    if (!bound) bound = choose_smallest(p, all & ~outputs);
    if (bound < 0) return -1;
  }
  for (uint32_t i = 0; i < p->t->outputs; i++) p->t->order[p->ordered++] = p->t->output[i];
  return 0;
}

int net_plan(struct net *net, struct net_transition *t, const uint32_t *tokens, struct err *e) {
  struct planner *p = mem_alloc(net->mem, MEM_MODEL, sizeof *p);
  struct equation *equation = mem_alloc(net->mem, MEM_MODEL, (t->conditions + 1) * sizeof *equation);
  uint8_t *done = mem_alloc(net->mem, MEM_MODEL, t->conditions + 1);
  int status = -1;
  if (p && equation && done) {
    *p = (struct planner){.net = net, .t = t, .tokens = tokens, .e = e, .equation = equation, .done = done};
    status = make(p);
  } else err_memory(e, "the net");
  mem_free(net->mem, p);
  mem_free(net->mem, equation);
  mem_free(net->mem, done);
  return status;
}
