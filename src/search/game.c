/* game.c -- see game.h. */
#include "search/game.h"

#include "model/owners.h"

#include <stdio.h>
#include <string.h>

enum { LOOK = 1 << 14 };

int game_open(struct game *g, const struct graph *graph, uint64_t states, const uint64_t *truth, int keep, const struct model_patience *patience, struct mem *mem, struct err *e) {
  *g = (struct game){.graph = graph, .states = states, .truth = truth, .keep = keep};
  struct attract_setup a = {.graph = graph, .states = states, .goal = truth, .goal_negated = keep, .mode = keep ? ATTRACT_KEEP : ATTRACT_REACH, .patience = patience};
  return attract(&g->way, &a, mem, e);
}

void game_close(struct game *g) { attract_close(&g->way); }

/* ---- moves --------------------------------------------------------------------------------------------------------------------- */

struct sides { /* the steps of a state, by owner */
  uint32_t count[2];
  int64_t best[2], safe[2]; /* the step with the lowest rank; the first one that has none; -1 = there is none */
};

static struct sides look(const struct game *g, uint64_t s) {
  struct sides x = {.best = {-1, -1}, .safe = {-1, -1}};
  uint32_t lowest[2] = {ATTRACT_NEVER, ATTRACT_NEVER};
  int64_t k = 0;
  for (struct graph_edges e = graph_edges(g->graph, s); graph_more(&e); k++) {
    uint32_t owner, rank = g->way.rank[graph_next(&e, &owner)];
    x.count[owner]++;
    if (rank < lowest[owner]) lowest[owner] = rank, x.best[owner] = k;
    if (rank == ATTRACT_NEVER && x.safe[owner] < 0) x.safe[owner] = k;
  }
  return x;
}

/* The winner is the one who seeks: towards lower ranks. Else it stays where the other can force nothing, and moves only where it must. */
int32_t game_move(const struct game *g, uint64_t s) {
  const int ours = OWNER_CONTROLLABLE, theirs = OWNER_UNCONTROLLABLE;
  uint32_t rank = g->way.rank[s];
  if (rank == 0) return STRATEGY_DONE;
  struct sides x = look(g, s);
  int64_t move;
  if (rank != ATTRACT_NEVER) move = g->keep ? x.best[theirs] : x.best[ours];
  else if (g->keep) move = x.count[theirs] ? -1 : x.safe[ours];
  else move = x.safe[theirs];
  return move < 0 ? STRATEGY_WAIT : (int32_t)move;
}

/* Does the play go along this edge when the winner's move is this one? An environment that moves is faster than the other side. */
static int followed(int winner, int32_t move, int32_t k, uint32_t owner) {
  if (k == move) return 1;
  if (move == STRATEGY_DONE || owner == (uint32_t)winner) return 0;
  return winner == OWNER_CONTROLLABLE || move == STRATEGY_WAIT;
}

/* ---- the list ------------------------------------------------------------------------------------------------------------------ */

static int no_memory(struct err *e) { return err_memory(e, "a strategy"); }

struct walk {
  struct vec(struct strategy_row) row;
  struct vec(uint32_t) state; /* of the graph, by row */
  uint64_t *seen;
};

static int visit(struct walk *w, struct mem *mem, uint32_t state, uint32_t from, uint32_t edge) {
  uint64_t bit = UINT64_C(1) << state % 64;
  if (w->seen[state / 64] & bit) return 0;
  w->seen[state / 64] |= bit;
  if (w->row.count >= INT32_MAX) return -1;
  return vec_push(&w->row, mem, MEM_SEARCH, (struct strategy_row){.from = from, .edge = edge}) || vec_push(&w->state, mem, MEM_SEARCH, state) ? -1 : 0;
}

/* Row i gets its move, and the states that follow become rows. */
static int grow(struct walk *w, const struct game *g, int winner, size_t i, struct mem *mem) {
  uint32_t s = w->state.at[i], rank = g->way.rank[s];
  int32_t move = w->row.at[i].move = game_move(g, s), k = 0;
  w->row.at[i].rank = rank == ATTRACT_NEVER ? 0 : rank;
  if (move == STRATEGY_DONE) return 0;
  for (struct graph_edges e = graph_edges(g->graph, s); graph_more(&e); k++) {
    uint32_t owner, t = graph_next(&e, &owner);
    if (followed(winner, move, k, owner) && visit(w, mem, t, (uint32_t)i, (uint32_t)k)) return -1;
  }
  return 0;
}

int strategy_make(struct strategy *out, const struct game *g, const struct model_patience *patience, struct mem *mem, struct err *e) {
  *out = (struct strategy){.mem = mem, .keep = g->keep, .winner = game_won(g, 0) ? OWNER_CONTROLLABLE : OWNER_UNCONTROLLABLE, .sure = g->way.least};
  struct walk w = {.seen = mem_alloc(mem, MEM_SEARCH, ((size_t)g->states / 64 + 1) * sizeof *w.seen)};
  int bad = !w.seen || visit(&w, mem, 0, 0, 0) ? no_memory(e) : 0;
  for (size_t i = 0; i < w.row.count && !bad; i++) {
    if (i % LOOK == 0 && model_impatient(patience)) bad = err_limit(e, "there was no time left for a strategy");
    else if (grow(&w, g, out->winner, i, mem)) bad = no_memory(e);
  }
  mem_free(mem, w.seen);
  vec_free(&w.state, mem);
  out->row = w.row.at;
  out->count = w.row.count;
  if (bad) strategy_free(out);
  return bad;
}

void strategy_free(struct strategy *s) {
  if (!s->mem) return;
  mem_free(s->mem, s->row);
  mem_free(s->mem, s->file);
  *s = (struct strategy){0};
}

/* ---- a play -------------------------------------------------------------------------------------------------------------------- */

struct playing {
  struct mem *mem;
  struct vec(uint32_t) edge, state;
};

/* The step that the play takes: of those that may follow, the one with the highest rank; where all have none, best to where it has been, so that the play is told soon. -1: none. */
static int64_t next_step(const struct game *g, int winner, uint32_t s, const uint64_t *seen, uint32_t *to) {
  int32_t move = game_move(g, s), k = 0;
  int64_t found = -1;
  uint32_t highest = 0;
  int known = 0;
  if (move == STRATEGY_DONE) return -1;
  for (struct graph_edges e = graph_edges(g->graph, s); graph_more(&e); k++) {
    uint32_t owner, t = graph_next(&e, &owner), rank = g->way.rank[t];
    if (!followed(winner, move, k, owner)) continue;
    int been = (int)(seen[t / 64] >> t % 64 & 1);
    if (found >= 0 && (rank < highest || (rank == highest && been <= known))) continue;
    found = k;
    highest = rank;
    known = been;
    *to = t;
  }
  return found;
}

int strategy_play(struct ctl_story *out, const struct game *g, struct mem *mem, struct err *e) {
  struct playing p = {.mem = mem};
  int winner = game_won(g, 0) ? OWNER_CONTROLLABLE : OWNER_UNCONTROLLABLE;
  uint64_t *seen = mem_alloc(mem, MEM_SEARCH, ((size_t)g->states / 64 + 1) * sizeof *seen);
  uint32_t s = 0, to = 0;
  int64_t k, loop = -1;
  *out = (struct ctl_story){0};
  int bad = !seen || vec_push(&p.state, mem, MEM_SEARCH, 0u);
  if (!bad) seen[0] = 1;
  while (!bad && loop < 0 && (k = next_step(g, winner, s, seen, &to)) >= 0) {
    bad = vec_push(&p.edge, mem, MEM_SEARCH, (uint32_t)k) || vec_push(&p.state, mem, MEM_SEARCH, to);
    if (bad) break;
    s = to;
    if (seen[s / 64] >> s % 64 & 1)
      for (loop = 0; p.state.at[loop] != s; loop++) continue;
    seen[s / 64] |= UINT64_C(1) << s % 64;
  }
  mem_free(mem, seen);
  out->path = (struct search_path){.edge = p.edge.at, .count = p.edge.count};
  out->state = p.state.at;
  out->loop = loop < 0 ? p.edge.count : (size_t)loop;
  out->ends = !bad && loop < 0 && !graph_degree(g->graph, s);
  if (!bad) return 0;
  mem_free(mem, p.edge.at);
  mem_free(mem, p.state.at);
  *out = (struct ctl_story){0};
  return no_memory(e);
}
