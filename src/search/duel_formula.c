/* duel_formula.c -- the game about a branching formula: see duel.h.
 *
 *   phase         0                                       1                              2
 *   U, W, F       FOR: the goal is here, or goes on       AGAINST: doubts the way        the step
 *   G             AGAINST: doubts it here                 -                              the step
 *   R, M          AGAINST: doubts what must last          FOR: here it is released       the step
 *   <->           FOR: what each side is                  AGAINST: picks one of them (1: the left one is false, 2: true)
 *
 * Where the next phase is the same side's there is no pause between them: its steps are moves of the phase before. */
#include "search/duel.h"

#include <string.h>

struct path { /* a temporal operator, as FOR has to show it */
  enum formula_kind kind;
  int exists; /* FOR picks the steps */
  int weak;   /* for ever is fine */
  int has_way, has_goal;
  formula way, goal; /* U W F G: through `way` to `goal`. R M: `way` lasts until `goal`, both included */
  int release;       /* R M */
};

static int set_has(const struct duel *d, formula f, uint64_t s) {
  struct err ignored;
  err_clear(&ignored);
  const uint8_t *set = ctl_states(d->ctl, f, &ignored); /* it is there: duel_open_formula */
  return set && (set[s / 8] >> s % 8 & 1);
}

static int dead(const struct duel *d, uint64_t s) { return !graph_degree(&d->k->graph, s); }

/* Negations turn what FOR says, quantifiers over single states say nothing. */
void duel_settle(const struct duel *d, struct duel_position *p) {
  for (;;) {
    enum formula_kind kind = formula_kind(d->fs, p->part);
    if (formula_is(d->fs, p->part, CLASS_BOOLEAN)) return;
    if (kind == F_NOT) p->truth = !p->truth;
    else if ((kind != F_ALL && kind != F_EXISTS) || !formula_is(d->fs, formula_child(d->fs, p->part, 0), CLASS_STATE)) return;
    p->part = formula_child(d->fs, p->part, 0);
  }
}

static struct duel_position at_part(const struct duel *d, const struct duel_position *p, formula part, int truth) {
  struct duel_position to = {.state = p->state, .part = part, .truth = (uint8_t)truth, .named = DUEL_NO_EDGE};
  duel_settle(d, &to);
  return to;
}

static int is_path(const struct duel *d, formula f) {
  enum formula_kind kind = formula_kind(d->fs, f);
  return (kind == F_ALL || kind == F_EXISTS) && !formula_is(d->fs, formula_child(d->fs, f, 0), CLASS_STATE);
}

static struct path path_of(const struct duel *d, formula f, int truth) {
  formula inner = formula_child(d->fs, f, 0);
  struct path x = {.kind = formula_kind(d->fs, inner), .exists = (formula_kind(d->fs, f) == F_EXISTS) == truth};
  formula first = formula_child(d->fs, inner, 0), second = formula_children(d->fs, inner) > 1 ? formula_child(d->fs, inner, 1) : first;
  if (!truth) x.kind = ctl_dual(x.kind);
  switch (x.kind) {
  case F_FINALLY: x.has_goal = 1, x.goal = first; break;
  case F_GLOBALLY: x.has_way = x.weak = 1, x.way = first; break;
  case F_UNTIL:
  case F_WEAK: x.has_way = x.has_goal = 1, x.way = first, x.goal = second, x.weak = x.kind == F_WEAK; break;
  case F_RELEASE:
  case F_STRONG: x.has_way = x.has_goal = x.release = 1, x.way = second, x.goal = first, x.weak = x.kind == F_RELEASE; break;
  default: x.has_goal = 1, x.goal = first; break; /* X */
  }
  return x;
}

/* ---- values -------------------------------------------------------------------------------------------------------------------- */

static int says_so(const struct duel *d, uint64_t s, formula f, int truth) { return set_has(d, f, s) == truth; }

/* Is what FOR says of f so in the successors that matter? */
static int next_value(const struct duel *d, const struct path *x, const struct duel_position *p) {
  if (dead(d, p->state)) return x->kind == F_NEXT ? !x->exists : x->weak;
  formula f = x->kind == F_NEXT ? x->goal : p->part;
  for (struct graph_edges e = graph_edges(&d->k->graph, p->state); graph_more(&e);)
    if (says_so(d, graph_next(&e, NULL), f, p->truth) == x->exists) return x->exists;
  return !x->exists;
}

int duel_value_formula(const struct duel *d, const struct duel_position *p) {
  if (!p->phase) return says_so(d, p->state, p->part, p->truth);
  if (formula_kind(d->fs, p->part) == F_IFF) {
    int left = p->phase == 2, right = p->truth ? left : !left;
    return says_so(d, p->state, formula_child(d->fs, p->part, 0), left) && says_so(d, p->state, formula_child(d->fs, p->part, 1), right);
  }
  struct path x = path_of(d, p->part, p->truth);
  int next = next_value(d, &x, p);
  if (p->phase == 2) return next;
  return x.release ? says_so(d, p->state, x.goal, p->truth) || next : says_so(d, p->state, x.way, p->truth) && next;
}

enum duel_side duel_again_formula(const struct duel *d, const struct duel_position *p) {
  if (!is_path(d, p->part)) return DUEL_AGAINST; /* cannot be: parts only become smaller */
  return path_of(d, p->part, p->truth).weak ? DUEL_FOR : DUEL_AGAINST;
}

/* ---- moves --------------------------------------------------------------------------------------------------------------------- */

static int over(struct duel_view *v, enum duel_reason why, int for_wins) {
  v->over = why;
  v->winner = for_wins ? DUEL_FOR : DUEL_AGAINST;
  return 0;
}

static int look_iff(const struct duel *d, const struct duel_position *p, struct duel_view *v, struct err *e) {
  v->mover = p->phase ? DUEL_AGAINST : DUEL_FOR;
  if (p->phase) {
    int left = p->phase == 2, right = p->truth ? left : !left;
    return duel_add(d, v, DUEL_PICK, DUEL_NO_EDGE, at_part(d, p, formula_child(d->fs, p->part, 0), left), e) ||
                   duel_add(d, v, DUEL_PICK, DUEL_NO_EDGE, at_part(d, p, formula_child(d->fs, p->part, 1), right), e)
               ? -1
               : 0;
  }
  for (uint8_t phase = 1; phase <= 2; phase++) {
    struct duel_position to = *p;
    to.phase = phase;
    if (duel_add(d, v, DUEL_PICK, DUEL_NO_EDGE, to, e)) return -1;
  }
  return 0;
}

/* and, or, ->: all parts must be what FOR says, or one of them. */
static int look_boolean(const struct duel *d, const struct duel_position *p, struct duel_view *v, struct err *e) {
  enum formula_kind kind = formula_kind(d->fs, p->part);
  int all = (kind == F_AND) == p->truth;
  v->mover = all ? DUEL_AGAINST : DUEL_FOR;
  for (uint32_t i = 0; i < formula_children(d->fs, p->part); i++) {
    int truth = kind == F_IMPLIES && !i ? !p->truth : p->truth;
    if (duel_add(d, v, DUEL_PICK, DUEL_NO_EDGE, at_part(d, p, formula_child(d->fs, p->part, i), truth), e)) return -1;
  }
  return 0;
}

static int look_step(const struct duel *d, const struct path *x, const struct duel_position *p, struct duel_view *v, struct err *e) {
  struct duel_position to = *p;
  to.phase = 0;
  v->mover = x->exists ? DUEL_FOR : DUEL_AGAINST;
  return duel_add_steps(d, v, to, e);
}

/* Going on: the steps themselves where they are the same side's, else another phase. */
static int go_on(const struct duel *d, const struct path *x, const struct duel_position *p, struct duel_view *v, struct err *e) {
  if ((v->mover == DUEL_FOR) == x->exists) return look_step(d, x, p, v, e);
  struct duel_position to = *p;
  to.phase = 2;
  return duel_add(d, v, DUEL_ON, DUEL_NO_EDGE, to, e);
}

/* To phase 1. */
static int pass(const struct duel *d, const struct duel_position *p, struct duel_view *v, struct err *e) {
  struct duel_position to = *p;
  to.phase = 1;
  return duel_add(d, v, DUEL_ON, DUEL_NO_EDGE, to, e);
}

static int look_path(const struct duel *d, const struct duel_position *p, struct duel_view *v, struct err *e) {
  struct path x = path_of(d, p->part, p->truth);
  int stuck = dead(d, p->state);
  if (x.kind == F_NEXT) {
    if (stuck) return over(v, DUEL_STUCK, !x.exists);
    v->mover = x.exists ? DUEL_FOR : DUEL_AGAINST;
    return duel_add_steps(d, v, at_part(d, p, x.goal, p->truth), e);
  }
  if (p->phase == 2) return look_step(d, &x, p, v, e);
  if (x.release ? p->phase == 1 : !p->phase && x.has_goal) { /* FOR: the goal */
    v->mover = DUEL_FOR;
    if (duel_add(d, v, DUEL_CLAIM, DUEL_NO_EDGE, at_part(d, p, x.goal, p->truth), e)) return -1;
    if (x.release || !x.has_way) return stuck ? 0 : go_on(d, &x, p, v, e);
    return stuck && !x.weak ? 0 : pass(d, p, v, e);
  }
  v->mover = DUEL_AGAINST; /* the way */
  if (duel_add(d, v, DUEL_DOUBT, DUEL_NO_EDGE, at_part(d, p, x.way, p->truth), e)) return -1;
  if (x.release) return stuck && x.weak ? 0 : pass(d, p, v, e);
  return stuck ? 0 : go_on(d, &x, p, v, e);
}

int duel_look_formula(const struct duel *d, const struct duel_position *at, struct duel_view *v, struct err *e) {
  struct duel_position p = *at;
  if (!p.phase) duel_settle(d, &p);
  if (formula_is(d->fs, p.part, CLASS_BOOLEAN)) return over(v, DUEL_TRUTH, says_so(d, p.state, p.part, p.truth));
  if (is_path(d, p.part)) return look_path(d, &p, v, e);
  return formula_kind(d->fs, p.part) == F_IFF ? look_iff(d, &p, v, e) : look_boolean(d, &p, v, e);
}

/* ---- how far ------------------------------------------------------------------------------------------------------------------- */

/* Ranks belong to the truth for which the operator is strong: whoever says so gets to the goal. */
static int make_rank(struct duel *d, formula f, struct err *e) {
  struct path x = path_of(d, f, 1);
  int truth = !x.weak;
  if (!truth) x = path_of(d, f, 0);
  size_t words = (size_t)(d->k->states + 63) / 64;
  uint64_t *both = NULL;
  struct attract_setup a = {.graph = &d->k->graph, .states = d->k->states, .mode = x.exists ? ATTRACT_ANY : ATTRACT_ALL, .goal_negated = !truth, .through_negated = !truth};
  a.goal = (const uint64_t *)(const void *)ctl_states(d->ctl, x.goal, e);
  if (x.has_way) a.through = (const uint64_t *)(const void *)ctl_states(d->ctl, x.way, e);
  if (!a.goal || (x.has_way && !a.through)) return -1;
  if (x.release) { /* the goal is both: with negations, neither of the sets */
    both = mem_alloc(d->mem, MEM_SEARCH, (words + 1) * sizeof *both);
    if (!both) return err_memory(e, "a game about a formula");
    for (size_t i = 0; i < words; i++) both[i] = truth ? a.goal[i] & a.through[i] : a.goal[i] | a.through[i];
    a.goal = both;
  }
  int bad = attract(&d->rank[f], &a, d->mem, e);
  mem_free(d->mem, both);
  return bad;
}

int64_t duel_distance_formula(struct duel *d, const struct duel_position *p, struct err *e) {
  if (!is_path(d, p->part) || path_of(d, p->part, 1).kind == F_NEXT) return formula_is(d->fs, p->part, CLASS_BOOLEAN) ? 0 : 1;
  if (!d->rank[p->part].rank && make_rank(d, p->part, e)) return -1;
  uint32_t rank = d->rank[p->part].rank[p->state];
  return rank == ATTRACT_NEVER ? 1 : (int64_t)rank + 1;
}
