/* strategies.c -- see strategies.h. */
#include "run/strategies.h"

#include "search/game_confirm.h"

#include <stdio.h>

/* What cannot be had is left out: who wins is known without it. 0, or -1. */
static int leave_out(struct err *e) {
  if (e->kind != ERR_MEMORY && e->kind != ERR_LIMIT) return -1;
  err_clear(e);
  return 0;
}

static int make_strategy(struct strategy **out, const struct game *g, const struct branches *b, const struct prop *p, const struct model_patience *patience, struct err *e) {
  struct mem *mem = b->run->mem;
  *out = mem_alloc(mem, MEM_OTHER, sizeof **out);
  if (!*out) return 0;
  int bad = strategy_make(*out, g, patience, mem, e), unfolded = branches_search(b->run)->measured;
  if (!bad && unfolded) bad = g->way.least ? strategy_fold(*out, b->run->model, mem, e) : err_memory(e, "a strategy");
  if (!bad) bad = strategy_confirm(*out, p->expr, b->owners, mem, patience, e);
  if (!bad) return 0;
  strategy_free(*out);
  mem_free(mem, *out);
  *out = NULL;
  return leave_out(e);
}

static void tell(struct ctl_story *play, const struct game *g, int holds) {
  const char *who = holds ? "the environment resists as long as it can" : "the environment spoils it", *end;
  if (play->loop < play->path.count) end = g->keep ? "this goes on for ever" : "this goes round for ever, and what is wanted never comes";
  else if (!holds) end = g->keep ? "here it is lost" : "nothing can happen here";
  else end = "here it is reached";
  snprintf(play->message, sizeof play->message, "%s: %s", who, end);
}

int strategies_decide(const struct branches *b, size_t i, struct strategy **out, struct ctl_story *play, const struct model_patience *patience, struct err *e) {
  const struct prop *p = &b->run->props[i];
  struct kripke k = branches_graph(b, i);
  struct game g;
  *out = NULL;
  *play = (struct ctl_story){0};
  if (game_open(&g, &k.graph, k.states, (const uint64_t *)(const void *)k.truth[0].base, p->keep, patience, b->run->mem, e)) return -1;
  int holds = game_won(&g, 0);
  int bad = make_strategy(out, &g, b, p, patience, e);
  if (!bad && (!holds || !p->keep)) { /* that something is kept no single play can show */
    bad = strategy_play(play, &g, b->run->mem, e) ? leave_out(e) : 0;
    if (play->state) tell(play, &g, holds);
  }
  game_close(&g);
  return bad ? -1 : holds;
}
