/* duel.c -- see duel.h: what both games share. */
#include "search/duel.h"

int duel_open_wish(struct duel *d, int keep, const struct kripke *k, const struct model_patience *patience, struct mem *mem, struct err *e) {
  *d = (struct duel){.mem = mem, .k = k};
  if (game_open(&d->game, &k->graph, k->states, (const uint64_t *)(const void *)k->truth[0].base, keep, patience, mem, e)) return -1;
  return 0;
}

int duel_open_formula(struct duel *d, const struct formulas *fs, formula root, const struct kripke *k, const struct model_patience *patience, struct mem *mem, struct err *e) {
  *d = (struct duel){.mem = mem, .k = k, .fs = fs, .root = root};
  d->rank = mem_alloc(mem, MEM_SEARCH, (fs->count + 1) * sizeof *d->rank);
  int bad = d->rank ? ctl_open(&d->ctl, fs, k, mem, e) : err_memory(e, "a game about a formula");
  if (!bad) {
    if (patience) ctl_limit(d->ctl, patience);
    bad = ctl_states(d->ctl, root, e) ? 0 : -1; /* and with it all its parts */
  }
  if (bad) duel_close(d);
  return bad;
}

void duel_close(struct duel *d) {
  if (!d->mem) return;
  for (size_t i = 0; d->rank && i < d->fs->count; i++) attract_close(&d->rank[i]);
  mem_free(d->mem, d->rank);
  ctl_close(d->ctl);
  game_close(&d->game);
  *d = (struct duel){0};
}

struct duel_position duel_begin(const struct duel *d) {
  struct duel_position p = {.state = 0, .part = d->ctl ? d->root : 0, .truth = 1, .named = DUEL_NO_EDGE};
  if (d->ctl) duel_settle(d, &p);
  return p;
}

int duel_add(const struct duel *d, struct duel_view *v, enum duel_deed deed, int64_t edge, struct duel_position to, struct err *e) {
  return vec_push(&v->move, d->mem, MEM_SEARCH, (struct duel_move){deed, edge, to}) ? err_memory(e, "the moves of a game") : 0;
}

int duel_add_steps(const struct duel *d, struct duel_view *v, struct duel_position to, struct err *e) {
  int64_t k = 0;
  for (struct graph_edges x = graph_edges(&d->k->graph, to.state); graph_more(&x); k++) {
    struct duel_position there = to;
    there.state = graph_next(&x, NULL);
    if (duel_add(d, v, DUEL_STEP, k, there, e)) return -1;
  }
  return 0;
}

int duel_look(const struct duel *d, const struct duel_position *p, struct duel_view *v, struct err *e) {
  v->move.count = 0;
  v->over = DUEL_GOES_ON;
  return d->ctl ? duel_look_formula(d, p, v, e) : duel_look_wish(d, p, v, e);
}

int duel_value(const struct duel *d, const struct duel_position *p) { return d->ctl ? duel_value_formula(d, p) : duel_value_wish(d, p); }

enum duel_side duel_again(const struct duel *d, const struct duel_position *p) {
  if (d->ctl) return duel_again_formula(d, p);
  return d->game.keep ? DUEL_FOR : DUEL_AGAINST;
}

static int64_t distance(struct duel *d, const struct duel_position *p, struct err *e) { return d->ctl ? duel_distance_formula(d, p, e) : duel_distance_wish(d, p); }

/* Does the move only say something, so that the play stands or falls with it? */
static int commits(enum duel_deed deed) { return deed == DUEL_CLAIM || deed == DUEL_DOUBT; }

/* Who wins settles the matter where that can be done: going on would be right as well, and might go on for ever. Who loses puts it off. */
int64_t duel_best(struct duel *d, const struct duel_position *p, const struct duel_view *v, struct err *e) {
  int64_t best = -1, least = 0, most = 0, last = -1;
  const int64_t later = INT64_C(1) << 40; /* more than any distance */
  (void)p;
  for (size_t i = 0; i < v->move.count; i++) {
    const struct duel_move *m = &v->move.at[i];
    int64_t far = distance(d, &m->to, e);
    if (far < 0) return -1;
    far = 2 * far + (m->deed != DUEL_WAIT); /* who need not move does not */
    if (!commits(m->deed)) far += later;
    if (duel_value(d, &m->to) == (v->mover == DUEL_FOR)) {
      if (best < 0 || far < least) best = (int64_t)i, least = far;
    } else if (last < 0 || far > most) {
      last = (int64_t)i;
      most = far;
    }
  }
  return best >= 0 ? best : last;
}
