/* ctl_story.c -- see ctl_story.h.
 *
 * Every operator below an E is one of: go through states of one kind to a goal, or stay among states of that kind for ever.  A false A is a true E of the dual
 * operator over negated parts, so parts are literals: a set of states, and whether it is meant or the rest.
 *
 *   E[f U g], EF g   through f to g              E[f R g]  through g to f && g, or for ever in g
 *   EG f             for ever in f               E[f W g]  through f to g, or for ever in f
 *   EX f             one step to f               E[f M g]  through g to f && g */
#include "search/ctl_story.h"

#include <stdio.h>
#include <string.h>

struct literal {
  formula f;
  const uint8_t *set; /* NULL: every state */
  int negated;
};

struct goal { /* one of them */
  struct literal first, second; /* a state of both */
  int64_t state;                /* this state */
};

struct twig { /* what is to be explained on a run of its own */
  formula f;
  int truth;
  size_t of, at;
};

struct teller {
  struct ctl *ctl;
  const struct formulas *fs;
  const struct kripke *k;
  struct mem *mem;
  struct err *err;
  struct twig *twig; /* room for CTL_BRANCHES */
  size_t twigs, run; /* how many there are; which of them is told */
  struct vec(uint32_t) edge, state;
  uint32_t at; /* the state that the story has reached */
  int64_t loop;
  int ends, parts;
};

static int has(const struct literal *l, uint64_t s) { return !l->set || (l->set[s / 8] >> s % 8 & 1) != l->negated; }

static int is_goal(const struct goal *g, uint64_t s) {
  return g->state >= 0 ? (uint64_t)g->state == s : has(&g->first, s) && has(&g->second, s);
}

static int no_memory(struct teller *t) { return err_memory(t->err, "the story of a formula"); }

static int go(struct teller *t, uint32_t edge, uint32_t to) {
  if (vec_push(&t->edge, t->mem, MEM_SEARCH, edge) || vec_push(&t->state, t->mem, MEM_SEARCH, to)) return no_memory(t);
  t->at = to;
  return 0;
}

/* ---- ways ------------------------------------------------------------------------------------------------------------------- */

struct way {
  uint32_t *from, *edge, *queue; /* from: source + 1, 0 = not seen */
};

static int follow_back(struct teller *t, const struct way *w, uint32_t goal, uint32_t last, uint32_t last_edge) {
  uint32_t begin = t->at, length = 0;
  for (uint32_t s = last; s != begin; s = w->from[s] - 1) w->queue[length++] = s; /* the queue is done with */
  while (length-- > 0)
    if (go(t, w->edge[w->queue[length]], w->queue[length])) return -1;
  return go(t, last_edge, goal);
}

/* The shortest way through `through` to the goal, of a step at least if `step`. 1, 0: there is none, -1. */
static int walk(struct teller *t, const struct literal *through, const struct goal *goal, int step) {
  if (!step && is_goal(goal, t->at)) return 1;
  if (!has(through, t->at)) return 0;
  size_t n = (size_t)t->k->states;
  struct way w = {.from = mem_alloc(t->mem, MEM_SEARCH, 3 * n * sizeof *w.from)};
  if (!w.from) return no_memory(t);
  w.edge = w.from + n;
  w.queue = w.edge + n;
  uint32_t head = 0, tail = 0;
  int found = 0;
  w.queue[tail++] = t->at;
  w.from[t->at] = t->at + 1;
  while (head < tail && !found) {
    uint32_t s = w.queue[head++];
    uint32_t index = 0;
    for (struct graph_edges e = graph_edges(&t->k->graph, s); graph_more(&e) && !found; index++) {
      uint32_t to = graph_next(&e, NULL);
      if (is_goal(goal, to)) found = follow_back(t, &w, to, s, index) ? -1 : 1;
      else if (!w.from[to] && has(through, to)) {
        w.from[to] = s + 1;
        w.edge[to] = index;
        w.queue[tail++] = to;
      }
    }
  }
  mem_free(t->mem, w.from);
  return found;
}

/* A state of an endless way through `through`: one that the way comes back to, or in which it ends. -2: none; -1: memory. */
static int64_t find_turn(struct teller *t, const struct literal *through) {
  struct vec(uint32_t) path = {0};
  uint64_t *next = mem_alloc(t->mem, MEM_SEARCH, (size_t)t->k->states * sizeof *next); /* 0 = not seen, UINT64_MAX = left, else 1 + where in its row the next edge is */
  int64_t found = next && vec_push(&path, t->mem, MEM_SEARCH, t->at) == 0 ? -2 : -1;
  if (found == -2) next[t->at] = 1;
  while (found == -2 && path.count) {
    uint32_t s = path.at[path.count - 1];
    struct graph_edges e = graph_edges_from(&t->k->graph, s, next[s] - 1);
    if (!graph_more(&e) && next[s] == 1) found = s;
    else if (!graph_more(&e)) next[s] = UINT64_MAX, path.count--;
    else {
      uint32_t to = graph_next(&e, NULL);
      next[s] = e.at + 1;
      if (!has(through, to) || next[to] == UINT64_MAX) continue;
      if (next[to]) found = to;
      else if (vec_push(&path, t->mem, MEM_SEARCH, to)) found = -1;
      else next[to] = 1;
    }
  }
  vec_free(&path, t->mem);
  mem_free(t->mem, next);
  if (found == -1) no_memory(t);
  return found;
}

/* For ever. 1, 0: that cannot be, -1. */
static int stay(struct teller *t, const struct literal *through) {
  if (!has(through, t->at)) return 0;
  int64_t turn = find_turn(t, through);
  if (turn < 0) return turn == -2 ? 0 : -1;
  struct goal there = {.state = turn};
  int found = walk(t, through, &there, 0);
  if (found != 1) return found;
  if (!graph_degree(&t->k->graph, (uint64_t)turn)) return t->ends = 1;
  t->loop = (int64_t)t->edge.count;
  return walk(t, through, &there, 1);
}

/* ---- operators -------------------------------------------------------------------------------------------------------------- */

static struct literal literal(struct teller *t, formula f, int negated) {
  return (struct literal){.f = f, .set = ctl_states(t->ctl, f, t->err), .negated = negated};
}

/* How much a run can show of why f has this truth: nothing but the state, that it is so, parts, a path. */
static int worth(const struct teller *t, formula f, int truth) {
  if (formula_is(t->fs, f, CLASS_BOOLEAN)) return 1;
  for (; formula_kind(t->fs, f) == F_NOT; f = formula_child(t->fs, f, 0)) truth = !truth;
  enum formula_kind kind = formula_kind(t->fs, f);
  return kind != F_ALL && kind != F_EXISTS ? 3 : (kind == F_EXISTS) == truth ? 4 : 2;
}

/* Something else that matters in the state `at` steps from the beginning. */
static void branch_off(struct teller *t, formula f, int truth, size_t at) {
  if (t->twigs < CTL_BRANCHES && worth(t, f, truth) > 2) t->twig[t->twigs++] = (struct twig){f, truth, t->run, at};
}

/* The way from step `from` to step `to` goes through states with this, which may have to be explained in each. */
static void branch_off_between(struct teller *t, const struct literal *l, size_t from, size_t to) {
  for (size_t i = from; i < to && l->set; i++) branch_off(t, l->f, !l->negated, i);
}

/* For ever, from here. 0, or -1. */
static int go_for_ever(struct teller *t, const struct literal *through) {
  size_t from = t->edge.count;
  if (stay(t, through) != 1) return -1;
  branch_off_between(t, through, from, t->loop >= 0 ? t->edge.count : t->edge.count + 1); /* the last state of a loop is one that it has been in */
  return 0;
}

/* Goes along a path that shows E of `path`, or of its dual with negated parts. 1 with what is to be explained there, 0: for ever, -1. */
static int go_along(struct teller *t, formula path, int negated, struct literal *rest) {
  enum formula_kind kind = formula_kind(t->fs, path);
  if (negated) kind = ctl_dual(kind);
  struct literal f = literal(t, formula_child(t->fs, path, 0), negated), g = {0}, any = {0};
  if (formula_children(t->fs, path) > 1) g = literal(t, formula_child(t->fs, path, 1), negated);
  if (t->err->kind) return -1;
  struct goal goal = {.state = -1, .first = f, .second = {0}};
  const struct literal *through = &any;
  size_t from = t->edge.count;
  int forever = 0, step = 0, found = 0;
  switch (kind) {
  case F_NEXT: step = 1; break;
  case F_FINALLY: break;
  case F_GLOBALLY: return go_for_ever(t, &f);
  case F_UNTIL: goal.first = g, through = &f; break;
  case F_WEAK: goal.first = g, through = &f, forever = 1; break;
  case F_RELEASE: goal.second = g, through = &g, forever = 1; break;
  default: goal.second = g, through = &g; break;
  }
  if (step) { /* one step: the goal is next to where we are, or nowhere */
    uint32_t index = 0;
    for (struct graph_edges e = graph_edges(&t->k->graph, t->at); graph_more(&e) && !found; index++) {
      uint32_t to = graph_next(&e, NULL);
      if (is_goal(&goal, to)) found = go(t, index, to) ? -1 : 1;
    }
  } else {
    found = walk(t, through, &goal, 0);
  }
  *rest = goal.first;
  if (found < 0) return found;
  if (found) {
    branch_off_between(t, through, from, t->edge.count);
    if (goal.second.set) branch_off_between(t, &goal.second, t->edge.count, t->edge.count + 1);
    return 1;
  }
  if (!forever) return err_internal(t->err, "a path that was said to be there is not");
  return go_for_ever(t, through);
}

/* Which part of a boolean formula matters in this state: one that decides it, best one that a path shows. Where all do, the others branch off. */
static formula part_that_matters(struct teller *t, formula f, int truth) {
  enum formula_kind kind = formula_kind(t->fs, f);
  int all = !((kind == F_AND && !truth) || (kind == F_OR && truth) || (kind == F_IMPLIES && truth));
  formula best = FORMULA_NONE;
  int most = 0;
  for (uint32_t i = 0; i < formula_children(t->fs, f); i++) {
    formula part = formula_child(t->fs, f, i);
    struct literal l = literal(t, part, 0);
    int value = has(&l, t->at), decides = 1; /* true or, false and: what is like the whole; else all of them do */
    if ((kind == F_AND && !truth) || (kind == F_OR && truth)) decides = value == truth;
    if (kind == F_IMPLIES && truth) decides = i ? value : !value;
    if (!decides || worth(t, part, value) <= most) continue;
    most = worth(t, part, value);
    best = part;
  }
  for (uint32_t i = 0; all && i < formula_children(t->fs, f); i++) {
    formula part = formula_child(t->fs, f, i);
    struct literal l = literal(t, part, 0);
    if (part != best) branch_off(t, part, has(&l, t->at), t->edge.count);
  }
  return best;
}

/* Down the formula and along the graph, until one run can show no more. *f and *truth: what is left to be believed. 0 or -1. */
static int explain(struct teller *t, formula *f, int *truth) {
  for (;;) {
    enum formula_kind kind = formula_kind(t->fs, *f);
    struct literal rest = {0};
    switch (kind) {
    case F_NOT:
      *f = formula_child(t->fs, *f, 0);
      *truth = !*truth;
      continue;
    case F_AND:
    case F_OR:
    case F_IMPLIES:
    case F_IFF: {
      formula part = part_that_matters(t, *f, *truth);
      if (formula_is(t->fs, *f, CLASS_BOOLEAN) || part == FORMULA_NONE || formula_is(t->fs, part, CLASS_BOOLEAN)) return 0;
      struct literal l = literal(t, part, 0);
      *f = part;
      *truth = has(&l, t->at);
      continue;
    }
    case F_ALL:
    case F_EXISTS: {
      formula path = formula_child(t->fs, *f, 0);
      if (formula_is(t->fs, path, CLASS_STATE)) {
        *f = path;
        continue;
      }
      if ((kind == F_EXISTS) != *truth) return 0;
      t->parts++;
      int found = go_along(t, path, kind == F_ALL, &rest);
      if (found < 0) return t->err->kind ? -1 : err_internal(t->err, "a path that was said to be there is not");
      if (!found) return 0;
      *f = rest.f;
      *truth = !rest.negated;
      continue;
    }
    default: return 0;
    }
  }
}

static void write_message(struct ctl_story *out, struct teller *t, formula f, int truth, const char *(*name)(void *, uint32_t), void *context) {
  char *text = formula_print(t->fs, f, SPELL_USUAL, name, context);
  const char *shown = text ? text : "a part of it";
  if (t->ends) snprintf(out->message, sizeof out->message, "nothing can happen here: this run %s %.200s", truth ? "shows" : "breaks", shown);
  else if (t->loop >= 0) snprintf(out->message, sizeof out->message, "this run %s %.200s", truth ? "shows" : "breaks", shown);
  else snprintf(out->message, sizeof out->message, "here %.200s is %s", shown, truth ? "true" : "false");
  mem_free(t->mem, text);
}

/* The run of one twig. */
static int tell_run(struct ctl_tree *tree, struct teller *t, const char *(*name)(void *, uint32_t), void *context) {
  struct twig twig = t->twig[t->run];
  struct ctl_story *out = &tree->story[t->run];
  const struct ctl_story *parent = &tree->story[twig.of];
  t->edge.at = t->state.at = NULL; /* the story before has them */
  t->edge.count = t->edge.room = t->state.count = t->state.room = 0;
  t->loop = -1;
  t->ends = t->parts = 0;
  t->at = 0;
  int bad = vec_push(&t->state, t->mem, MEM_SEARCH, 0u) ? no_memory(t) : 0;
  for (size_t i = 0; i < twig.at && !bad; i++) bad = go(t, parent->path.edge[i], parent->state[i + 1]);
  if (!bad) bad = explain(t, &twig.f, &twig.truth);
  if (!bad) write_message(out, t, twig.f, twig.truth, name, context);
  out->path = (struct search_path){.edge = t->edge.at, .count = t->edge.count};
  out->state = t->state.at;
  out->loop = t->loop < 0 ? t->edge.count : (size_t)t->loop;
  out->ends = t->ends;
  out->shortest = !t->run && t->parts < 2 && !t->ends && t->loop < 0;
  out->of = twig.of;
  out->at = twig.at;
  tree->count = t->run + 1;
  return bad;
}

int ctl_tell(struct ctl_tree *out, struct ctl *ctl, const struct formulas *fs, formula f, const struct kripke *k, const char *(*name)(void *, uint32_t),
             void *context, struct mem *mem, struct err *e) {
  struct twig twig[CTL_BRANCHES] = {{0}};
  struct teller t = {.ctl = ctl, .fs = fs, .k = k, .mem = mem, .err = e, .twig = twig};
  *out = (struct ctl_tree){0};
  struct literal whole = literal(&t, f, 0);
  int bad = !whole.set;
  if (!bad) t.twig[t.twigs++] = (struct twig){f, has(&whole, 0), 0, 0};
  else if (!e->kind) no_memory(&t);
  for (; t.run < t.twigs && !bad; t.run++) bad = tell_run(out, &t, name, context);
  if (bad) ctl_tree_free(out, mem);
  return bad ? -1 : 0;
}

void ctl_tree_free(struct ctl_tree *tree, struct mem *mem) {
  for (size_t i = 0; i < tree->count; i++) {
    struct ctl_story *s = &tree->story[i];
    mem_free(mem, s->path.edge);
    mem_free(mem, s->path.group);
    mem_free(mem, s->state);
  }
  *tree = (struct ctl_tree){0};
}
