/* duel_wish.c -- the game about a wish against the environment: see duel.h.
 *
 *   phase  0  FOR names a step or waits     1  AGAINST takes one of its own, or lets it happen     2  both wait: it stays like this for ever */
#include "search/duel.h"

#include "model/owners.h"

struct sides {
  uint32_t count[2];
  int lost; /* a step of the environment leads to where FOR does not win */
  uint32_t worst, least; /* ranks of the environment's steps: the greatest, the least */
};

static struct sides sides_of(const struct duel *d, uint64_t s) {
  struct sides x = {.least = ATTRACT_NEVER};
  for (struct graph_edges e = graph_edges(d->game.graph, s); graph_more(&e);) {
    uint32_t owner, t = graph_next(&e, &owner), rank = d->game.way.rank[t];
    x.count[owner]++;
    if (owner != OWNER_UNCONTROLLABLE) continue;
    x.lost |= !game_won(&d->game, t);
    if (rank > x.worst) x.worst = rank;
    if (rank < x.least) x.least = rank;
  }
  return x;
}

static uint32_t target(const struct duel *d, uint64_t s, int64_t edge) {
  struct graph_edges e = graph_edges(d->game.graph, s);
  uint32_t t = 0;
  for (int64_t k = 0; k <= edge && graph_more(&e); k++) t = graph_next(&e, NULL);
  return t;
}

static int granted(const struct duel *d, uint64_t s) { return (int)(d->game.truth[s / 64] >> s % 64 & 1); }

int duel_value_wish(const struct duel *d, const struct duel_position *p) {
  if (p->phase == 0) return game_won(&d->game, p->state);
  if (p->phase == 2) return d->game.keep;
  struct sides x = sides_of(d, p->state);
  if (x.lost) return 0;
  if (p->named != DUEL_NO_EDGE) return game_won(&d->game, target(d, p->state, p->named));
  return d->game.keep || !x.count[OWNER_CONTROLLABLE]; /* where FOR could move, the environment may wait as well */
}

static int over(struct duel_view *v, enum duel_reason why, int for_wins) {
  v->over = why;
  v->winner = for_wins ? DUEL_FOR : DUEL_AGAINST;
  return 0;
}

static int add_named(const struct duel *d, const struct duel_position *p, struct duel_view *v, struct err *e) {
  struct duel_position to = *p;
  int32_t k = 0;
  struct sides x = sides_of(d, p->state);
  to.phase = 1;
  for (struct graph_edges edge = graph_edges(d->game.graph, p->state); graph_more(&edge); k++) {
    uint32_t owner;
    graph_next(&edge, &owner);
    to.named = k;
    if (owner == OWNER_CONTROLLABLE && duel_add(d, v, DUEL_NAME, k, to, e)) return -1;
  }
  to.named = DUEL_NO_EDGE;
  return x.count[OWNER_UNCONTROLLABLE] ? duel_add(d, v, DUEL_WAIT, DUEL_NO_EDGE, to, e) : 0;
}

static int add_answers(const struct duel *d, const struct duel_position *p, struct duel_view *v, struct err *e) {
  struct duel_position to = {.truth = 1, .named = DUEL_NO_EDGE};
  int32_t k = 0;
  uint32_t others = 0;
  for (struct graph_edges edge = graph_edges(d->game.graph, p->state); graph_more(&edge); k++) {
    uint32_t owner;
    to.state = graph_next(&edge, &owner);
    others += owner == OWNER_CONTROLLABLE;
    if (owner == OWNER_UNCONTROLLABLE && duel_add(d, v, DUEL_STEP, k, to, e)) return -1;
  }
  to.state = p->state;
  if (p->named != DUEL_NO_EDGE) {
    to.state = target(d, p->state, p->named);
    return duel_add(d, v, DUEL_LET, p->named, to, e);
  }
  to.phase = 2;
  return others ? duel_add(d, v, DUEL_WAIT, DUEL_NO_EDGE, to, e) : 0;
}

int duel_look_wish(const struct duel *d, const struct duel_position *p, struct duel_view *v, struct err *e) {
  int keep = d->game.keep;
  if (p->phase == 2) return over(v, DUEL_IDLE, keep);
  if (granted(d, p->state) != keep) return over(v, DUEL_REACHED, !keep);
  if (!graph_degree(d->game.graph, p->state)) return over(v, DUEL_STUCK, keep);
  v->mover = p->phase ? DUEL_AGAINST : DUEL_FOR;
  return p->phase ? add_answers(d, p, v, e) : add_named(d, p, v, e);
}

int64_t duel_distance_wish(const struct duel *d, const struct duel_position *p) {
  const uint32_t *rank = d->game.way.rank;
  uint32_t r = rank[p->state];
  if (p->phase == 1) {
    struct sides x = sides_of(d, p->state);
    uint32_t named = p->named == DUEL_NO_EDGE ? ATTRACT_NEVER : rank[target(d, p->state, p->named)];
    if (!d->game.keep) r = p->named == DUEL_NO_EDGE || x.worst > named ? x.worst : named;
    else r = x.least < named ? x.least : named;
  }
  return p->phase == 2 || r == ATTRACT_NEVER ? 0 : (int64_t)r + 1;
}
