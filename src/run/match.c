/* match.c -- see match.h. */
#include "run/match.h"

#include "run/match_text.h"

#include <string.h>

/* ---- moving -------------------------------------------------------------------------------------------------------------------- */

/* Where the play is now: who moves, and whether it is over. A position that it was in before ends it: it could go round for ever. */
static int look(struct match *m, struct err *e) {
  if (duel_look(&m->duel, &m->at, &m->view, e)) return -1;
  for (size_t i = m->plies.count; i-- > 0 && !m->view.over;) {
    if (!duel_same(&m->plies.at[i].before, &m->at)) continue;
    m->view.over = DUEL_ROUND;
    m->view.winner = duel_again(&m->duel, &m->at);
  }
  return stepper_expand(&m->state, e) || match_describe(m, e) ? -1 : 0;
}

static int make(struct match *m, size_t k, int forced, struct err *e) {
  struct duel_move move = m->view.move.at[k];
  int goes = move.deed == DUEL_STEP || move.deed == DUEL_LET;
  struct match_made made = {.before = m->at, .mover = m->view.mover, .move = move, .forced = forced};
  if (vec_reserve(&m->plies, m->mem, MEM_OTHER, 1) || vec_reserve(&m->edge, m->mem, MEM_OTHER, 1)) return err_memory(e, "a longer match");
  if (goes) {
    int taken = stepper_take(&m->state, (uint32_t)move.edge, NULL, e);
    if (taken != 1) return taken < 0 ? -1 : err_internal(e, "the graph has a step that the model does not have");
    m->edge.at[m->edge.count++] = (uint32_t)move.edge;
  }
  m->plies.at[m->plies.count++] = made;
  m->at = move.to;
  return look(m, e);
}

/* Moves without a choice, as long as they are no steps: those are watched. */
static int make_forced(struct match *m, struct err *e) {
  while (!m->view.over && m->view.move.count == 1 && m->view.move.at[0].deed != DUEL_STEP && m->view.move.at[0].deed != DUEL_NAME)
    if (make(m, 0, 1, e)) return -1;
  return 0;
}

int match_take(struct match *m, size_t k, struct err *e) {
  if (m->look.turn != MATCH_YOURS || k >= m->view.move.count) return err_usage(e, m->look.turn == MATCH_YOURS ? "there is no such move" : "it is not your turn"), -1;
  return make(m, k, 0, e) || make_forced(m, e) ? -1 : 0;
}

int match_answer(struct match *m, struct err *e) {
  if (m->look.turn != MATCH_TOOLS) return err_usage(e, "it is not the tool's turn"), -1;
  int64_t k = duel_best(&m->duel, &m->at, &m->view, e);
  return k < 0 || make(m, (size_t)k, 0, e) || make_forced(m, e) ? -1 : 0;
}

int64_t match_hint(struct match *m, struct err *e) {
  if (m->look.turn != MATCH_YOURS) return err_usage(e, "it is not your turn"), -1;
  return duel_best(&m->duel, &m->at, &m->view, e);
}

/* The first `keep` plies again. */
static int return_to(struct match *m, size_t keep, struct err *e) {
  size_t steps = 0;
  for (size_t i = 0; i < keep; i++) steps += m->plies.at[i].move.deed == DUEL_STEP || m->plies.at[i].move.deed == DUEL_LET;
  m->at = keep < m->plies.count ? m->plies.at[keep].before : m->at;
  m->plies.count = keep;
  m->edge.count = steps;
  stepper_start(&m->state);
  for (size_t i = 0; i < steps; i++) {
    int taken = stepper_take(&m->state, m->edge.at[i], NULL, e);
    if (taken != 1) return taken < 0 ? -1 : err_internal(e, "a step cannot be made again");
  }
  return look(m, e);
}

int match_undo(struct match *m, struct err *e) {
  size_t i = m->plies.count;
  while (i > 0 && (m->plies.at[i - 1].forced || m->plies.at[i - 1].mover != m->you)) i--;
  if (!i) return 0;
  return return_to(m, i - 1, e) ? -1 : 1;
}

void match_rest(struct match *m) { stepper_close(&m->state); }

int match_wake(struct match *m, struct err *e) {
  if (m->state.cursor) return 0;
  return stepper_open(&m->state, m->run.model, m->mem, e) || return_to(m, m->plies.count, e) ? -1 : 0;
}

/* ---- looking -------------------------------------------------------------------------------------------------------------------- */

const struct match_look *match_look(const struct match *m) { return &m->look; }
struct stepper *match_state(struct match *m) { return &m->state; }
const uint32_t *match_edges(const struct match *m) { return m->edge.at; }

int match_move(struct match *m, size_t k, struct match_move *out, struct err *e) {
  if (m->view.over || k >= m->view.move.count) return err_usage(e, "there is no such move"), -1;
  return match_write_move(m, &m->state, m->view.mover, &m->at, &m->view.move.at[k], out, e);
}

/* The ply is told in the state it was made in. */
int match_ply(struct match *m, size_t i, struct match_ply *out, struct err *e) {
  if (i >= m->plies.count) return err_usage(e, "there is no such move"), -1;
  const struct match_made *made = &m->plies.at[i];
  struct stepper there;
  size_t steps = 0;
  for (size_t k = 0; k < i; k++) steps += m->plies.at[k].move.deed == DUEL_STEP || m->plies.at[k].move.deed == DUEL_LET;
  *out = (struct match_ply){.yours = made->mover == m->you, .forced = made->forced};
  if (stepper_open(&there, m->run.model, m->mem, e)) return -1;
  int bad = 0;
  for (size_t k = 0; k < steps && !bad; k++) bad = stepper_take(&there, m->edge.at[k], NULL, e) != 1;
  if (!bad) bad = stepper_expand(&there, e) || match_write_move(m, &there, made->mover, &made->before, &made->move, &out->move, e);
  stepper_close(&there);
  return bad ? -1 : 0;
}

/* ---- life ----------------------------------------------------------------------------------------------------------------------- */

static int explore(struct match *m, const struct match_setup *s, struct verdict *v, struct err *e) {
  struct listener *listeners[8] = {&m->graph.listener};
  struct run_setup with = *s->run;
  with.props = NULL;
  with.prop_count = 0;
  with.listener_count = 1;
  for (size_t i = 0; i < s->run->listener_count && with.listener_count < 8; i++) listeners[with.listener_count++] = s->run->listeners[i];
  with.listeners = listeners;
  with.search = &search_bfs;
  with.store = &store_plain;
  if (run_check(v, &with, e)) return -1;
  return m->graph.failed ? err_memory(e, "the graph of all states") : 0;
}

static int open_graph(struct match *m, const struct match_setup *s, struct err *e) {
  const struct prop *p = s->prop;
  struct expr *const *atoms = p->kind == PROP_STRATEGY ? &p->expr : p->branching->expr;
  if (kripke_open(&m->graph, m->run.model, atoms, p->kind == PROP_STRATEGY ? 1 : p->branching->names.count, m->mem, e)) return -1;
  if (p->kind != PROP_STRATEGY) return 0;
  m->own = (struct owners){.model = m->run.model, .mem = m->mem};
  m->owners = s->owners ? s->owners : &m->own;
  if (!s->owners && owners_open(&m->own)) return err_memory(e, "the owners of transitions");
  kripke_own(&m->graph, m->owners);
  return 0;
}

static int begin(struct match *m, const struct model_patience *patience, struct err *e) {
  const struct prop *p = m->prop;
  if (p->kind == PROP_STRATEGY ? duel_open_wish(&m->duel, p->keep, &m->graph, patience, m->mem, e)
                               : duel_open_formula(&m->duel, p->branching->formulas, p->branching->formula, &m->graph, patience, m->mem, e))
    return -1;
  if (stepper_open(&m->state, m->run.model, m->mem, e)) return -1;
  m->at = duel_begin(&m->duel);
  return look(m, e) || make_forced(m, e) ? -1 : 0;
}

int match_open(struct match **out, const struct match_setup *s, struct verdict *v, struct err *e) {
  struct mem *mem = s->run->mem;
  struct match *m = *out = mem_alloc(mem, MEM_OTHER, sizeof *m);
  memset(v, 0, sizeof *v);
  if (!m) return err_memory(e, "a match");
  m->mem = mem;
  m->run = *s->run;
  m->prop = s->prop;
  m->you = s->you;
  struct model_patience patience = {.interrupt = s->run->limits.interrupt};
  int bad = open_graph(m, s, e) || explore(m, s, v, e);
  if (!bad && v->complete) bad = begin(m, &patience, e);
  if (!bad && v->complete) return 0;
  match_close(m);
  *out = NULL;
  return bad ? -1 : 0;
}

void match_close(struct match *m) {
  if (!m) return;
  struct mem *mem = m->mem;
  duel_close(&m->duel);
  kripke_close(&m->graph);
  owners_close(&m->own);
  stepper_close(&m->state);
  vec_free(&m->view.move, mem);
  vec_free(&m->plies, mem);
  vec_free(&m->edge, mem);
  mem_free(mem, m);
}
