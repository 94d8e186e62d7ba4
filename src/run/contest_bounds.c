/* contest_bounds.c -- the largest value of sums of places.
 *
 * A listener raises what was seen most; only sums that the step can change are looked at (affect.h).  What invariants say is the most that can ever be seen: a sum that
 * gets there is answered whatever the search leaves open, and when all are there the search ends.
 *
 *   at most   the sum of the places' own bounds (pt_model_bound), y m0 / min y(p) of a semiflow y that covers all places of the sum,
 *             or what the state equation allows (settle.h)
 *
 * Before the search, walks try to get there.  Where that settles all sums there is none.
 *
 * In an unbounded net, whose search never ends, a coverability analysis tells what single places that are bounded can hold; sums without a limit stay open: what the
 * contest wants to hear of them is not known. */
#include "run/contest_parts.h"

#include "model/expr_tree.h"
#include "net/coverability.h"
#include "net/invariants.h"
#include "net/pt_model.h"
#include "run/affect.h"
#include "run/settle.h"

#include <string.h>

enum { EFFORT = 200000, WANDER = 100000, APPROACH = 60000, FOLLOW = 20000, COVER_NODES = 100000 }; /* row operations for semiflows; steps of walks */
static const double EACH = 3; /* seconds for one linear program */

struct peaks {
  struct listener listener;
  struct expr **expr;
  int64_t *most, *limit; /* limit: INT64_MAX = none */
  uint8_t *by;           /* how the limit was found and reached, CONTEST_BY_... */
  size_t count, open;    /* open: sums that have not reached their limit */
  struct model_cursor *cursor;
  struct affected affected;
};

static void reach(struct peaks *p, size_t i, int64_t value, unsigned by) {
  if (value <= p->most[i]) return;
  p->open -= value >= p->limit[i] && p->most[i] < p->limit[i];
  p->most[i] = value;
  p->by[i] |= (uint8_t)by;
}

static enum listener_answer raise(struct listener *l, struct search *s, const struct search_event *event) {
  struct peaks *p = (struct peaks *)l;
  int steps = p->affected.of_group && event->source != STORE_NONE;
  (void)s;
  for (size_t i = 0; i < p->count; i++) {
    if (!p->expr[i] || (steps && !affected_may(&p->affected, event->group, i))) continue;
    reach(p, i, expr_value(p->expr[i], p->cursor, event->words), 0);
  }
  return p->open ? LISTEN_ON : LISTEN_GOAL;
}

/* ---- what invariants say --------------------------------------------------------------------------------------------------- */

static int64_t weight_of(const struct flow *f, uint32_t place) {
  for (uint32_t i = 0; i < f->count; i++)
    if (f->index[i] == place) return f->weight[i];
  return 0;
}

static int64_t limit_by_flow(const struct flow *f, const uint32_t *place, size_t count) {
  int64_t least = INT64_MAX;
  for (size_t i = 0; i < count; i++) {
    int64_t weight = weight_of(f, place[i]);
    if (weight <= 0) return INT64_MAX;
    if (weight < least) least = weight;
  }
  return count ? f->value / least : INT64_MAX;
}

static int64_t limit_of(const struct expr *x, const struct model *m, const struct flows *flows) {
  size_t count;
  const uint32_t *place = expr_vars(x, &count); /* each once */
  const struct node *root = expr_root(x);
  int64_t limit = 0;
  if (!root || root->kind != NODE_VARS || root->count != count) return INT64_MAX; /* a place that counts twice */
  for (size_t i = 0; i < count && limit < INT64_MAX; i++) {
    uint32_t bound = pt_model_bound(m, place[i]);
    limit = bound == PT_NONE ? INT64_MAX : limit + bound;
  }
  for (size_t i = 0; i < flows->count; i++) {
    int64_t other = limit_by_flow(&flows->at[i], place, count);
    if (other < limit) limit = other;
  }
  return limit;
}

static int find_limits(struct peaks *p, const struct model *m, struct mem *mem, struct err *e) {
  const struct pt_net *net = pt_model_net(m);
  struct flows flows = {0};
  if (!net) return 0;
  if (flows_semi(&flows, net, FLOW_PLACES, mem, EFFORT, e)) err_clear(e); /* no memory: then without */
  for (size_t i = 0; i < p->count; i++)
    if (p->expr[i]) p->limit[i] = limit_of(p->expr[i], m, &flows);
  flows_close(&flows);
  return 0;
}

/* ---- without a search ------------------------------------------------------------------------------------------------------- */

/* All sums where the walk stands, by the definition. */
static void confirm(struct peaks *p, struct settle *tools) {
  const int64_t *values = settle_confirm(tools);
  for (size_t i = 0; i < p->count && values; i++)
    if (p->expr[i]) reach(p, i, expr_define(p->expr[i], tools->model, values), tools->walk.path.count ? CONTEST_BY_WALK : CONTEST_BY_FIRST_STATE);
}

struct climbing {
  struct peaks *peaks;
  struct settle *tools;
  struct linear **sum;
};

static int64_t value_of(const struct walk *w, const struct linear *sum) {
  int64_t value = -sum->least;
  for (uint32_t i = 0; i < sum->count; i++) value += sum->factor[i] * w->tokens[sum->var[i]];
  return value;
}

/* Only what reaches a limit is looked at twice. */
static int look(void *context, uint32_t fired) {
  struct climbing *c = context;
  struct peaks *p = c->peaks;
  for (size_t i = 0; i < p->count; i++) {
    if (!c->sum[i] || p->most[i] >= p->limit[i] || (fired != SETTLE_BEGINS && p->affected.of_group && !affected_may(&p->affected, fired, i))) continue;
    if (value_of(&c->tools->walk, c->sum[i]) >= p->limit[i]) confirm(p, c->tools);
  }
  return p->open == 0;
}

static void climb(struct climbing *c, size_t i) {
  struct peaks *p = c->peaks;
  struct linear *goal = linear_at_least(&c->tools->maker, c->sum[i], p->limit[i] + c->sum[i]->least);
  if (!goal || p->most[i] >= p->limit[i]) return;
  if (settle_follow(c->tools, goal, FOLLOW) || settle_approach(c->tools, goal, APPROACH)) confirm(p, c->tools);
}

static int64_t limit_by_places(const struct linear *sum, const uint32_t *bound) {
  int64_t limit = -sum->least;
  for (uint32_t i = 0; i < sum->count; i++) {
    if (bound[sum->var[i]] == PT_NONE || sum->factor[i] < 0) return INT64_MAX;
    limit += sum->factor[i] * bound[sum->var[i]];
  }
  return limit;
}

/* Exact bounds of single places, where nothing else bounds some of them. */
static void cover(struct climbing *c, double seconds) {
  struct peaks *p = c->peaks;
  const struct settle *tools = c->tools;
  struct coverability cover;
  struct coverability_setup setup = {.mem = tools->mem, .max_nodes = COVER_NODES, .max_seconds = seconds, .stop = tools->interrupt};
  struct err ignored = {0};
  uint32_t unknown = 0;
  for (uint32_t place = 0; place < tools->net->places; place++) unknown += tools->bound[place] == PT_NONE;
  if (!unknown || coverability_run(&cover, tools->net, &setup, &ignored)) return;
  for (size_t i = 0; i < p->count && cover.complete; i++) {
    int64_t limit = c->sum[i] ? limit_by_places(c->sum[i], cover.bound) : INT64_MAX;
    if (limit >= p->limit[i]) continue;
    p->open -= p->most[i] >= limit;
    p->limit[i] = limit;
    p->by[i] |= CONTEST_BY_COVERABILITY;
    if (c->sum[i]->count == 1) reach(p, i, limit, 0); /* some marking has that many */
  }
  coverability_close(&cover);
}

/* Limits by the state equation, and walks that try to reach them. */
static void settle_sums(struct peaks *p, struct contest *c) {
  struct mem *mem = c->run->mem;
  struct settle tools;
  struct climbing climbing = {p, &tools, mem_alloc(mem, MEM_OTHER, (p->count + 1) * sizeof *climbing.sum)};
  if (climbing.sum && settle_open(&tools, c->run->model, mem, contest_effort(c), c->run->limits.interrupt) == 0) {
    for (size_t i = 0; i < p->count; i++) climbing.sum[i] = p->expr[i] ? linear_sum(&tools.maker, p->expr[i]) : NULL;
    confirm(p, &tools);
    settle_wander(&tools, WANDER, look, &climbing);
    if (p->open) cover(&climbing, contest_effort(c) / 4);
    for (size_t i = 0; i < p->count && p->open; i++) {
      if (!climbing.sum[i] || p->most[i] >= p->limit[i]) continue;
      int64_t most = settle_most(&tools, climbing.sum[i], EACH);
      if (most < INT64_MAX) most -= climbing.sum[i]->least;
      if (most < p->limit[i]) {
        p->open -= p->most[i] >= most;
        p->limit[i] = most;
        p->by[i] |= CONTEST_BY_EQUATION;
      }
      if (p->limit[i] < INT64_MAX) climb(&climbing, i);
    }
    settle_wander(&tools, WANDER, look, &climbing);
    settle_close(&tools);
  }
  mem_free(mem, climbing.sum);
  mem_trim();
}

/* ---- the examination ----------------------------------------------------------------------------------------------------------- */

static int open_peaks(struct peaks *p, struct contest *c, struct err *e) {
  struct mem *mem = c->run->mem;
  const struct model *m = c->run->model;
  size_t i = 0;
  p->expr = mem_alloc(mem, MEM_OTHER, (p->count + 1) * sizeof *p->expr);
  p->most = mem_alloc(mem, MEM_OTHER, (p->count + 1) * sizeof *p->most);
  p->limit = mem_alloc(mem, MEM_OTHER, (p->count + 1) * sizeof *p->limit);
  p->by = mem_alloc(mem, MEM_OTHER, p->count + 1);
  if (!p->expr || !p->most || !p->limit || !p->by || m->type->cursor_open(&p->cursor, m, mem)) return err_memory(e, "the queries");
  for (const struct query *q = c->queries->first; q; q = q->next, i++) {
    p->most[i] = -1;
    p->limit[i] = INT64_MAX;
    if (!q->bound || !*q->text) continue;
    if (expr_parse(&p->expr[i], m, mem, q->text, "query", e) == 0) {
      p->open++;
      continue;
    }
    queries_place(c->queries, q, e->column > 0 ? (size_t)e->column : 1, e);
    if (contest_blame(c, i, e)) return -1;
  }
  affect_open(&p->affected, m, p->expr, p->count, mem);
  return find_limits(p, m, mem, e);
}

static void close_peaks(struct peaks *p, struct contest *c) {
  struct mem *mem = c->run->mem;
  for (size_t i = 0; p->expr && i < p->count; i++) expr_close(p->expr[i]);
  if (p->cursor) c->run->model->type->cursor_close(p->cursor);
  affect_close(&p->affected, mem);
  mem_free(mem, p->expr);
  mem_free(mem, p->most);
  mem_free(mem, p->limit);
  mem_free(mem, p->by);
}

/* The largest values are known where all states were seen, or the limit was reached. */
static void answer_peaks(const struct peaks *p, struct contest *c, int complete) {
  for (size_t i = 0; i < p->count; i++) {
    if (!p->expr[i] || (!complete && p->most[i] < p->limit[i])) continue;
    c->answer[i].status = CONTEST_NUMBER;
    c->answer[i].number = p->most[i];
    c->answer[i].by = p->by[i];
  }
  contest_tell(c);
}

int contest_bounds(struct contest *c, struct err *e) {
  struct peaks p = {.listener = {EVENT_NEW, raise}, .count = c->queries->count};
  struct verdict v = {0};
  int bad = open_peaks(&p, c, e);
  if (!bad && p.open) settle_sums(&p, c);
  if (!bad) answer_peaks(&p, c, 0);
  if (!bad && p.open) bad = contest_explore(c, &v, &(struct contest_search){.own = {&p.listener}}, e);
  if (!bad) answer_peaks(&p, c, v.complete);
  verdict_close(&v);
  close_peaks(&p, c);
  return bad;
}
