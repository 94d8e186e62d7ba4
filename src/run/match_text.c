/* match_text.c -- what people read of a match: who says what, what has to be decided, what a move is, and why it is over.
 *
 * The one who reads is "you", the tool is "thimble". */
#include "run/match_text.h"

#include <stdio.h>
#include <string.h>

static int no_memory(struct err *e) { return err_memory(e, "the text of a match"); }

static const char *subject(const struct match *m, enum duel_side side) { return side == m->you ? "you" : "thimble"; }
static const char *s_of(const struct match *m, enum duel_side side) { return side == m->you ? "" : "s"; }

/* "AF (q > 0) is true" */
static int write_claim(const struct match *m, formula f, int truth, char *out, size_t room, struct err *e) {
  char *text = formula_print(m->duel.fs, f, SPELL_USUAL, atoms_text, &m->prop->branching->names);
  if (!text) return no_memory(e);
  size_t length = strlen(text);
  size_t keep = room > 40 ? room - 40 : 0;
  snprintf(out, room, "%.*s%s is %s", (int)(length > keep ? keep : length), text, length > keep ? "..." : "", truth ? "true" : "false");
  mem_free(m->mem, text);
  return 0;
}

/* ---- moves ---------------------------------------------------------------------------------------------------------------------- */

enum { STEP_TEXT = 260 }; /* the statements of an atomic sequence are told so far */

struct heard {
  char *out, place[100];
  size_t room, parts;
  uint32_t pid;
};

static void hear_part(void *context, const struct model_part *p) {
  struct heard *h = context;
  const char *file = p->place.file, *slash = file ? strrchr(file, '/') : NULL, *text = p->statement ? p->statement : "";
  int process = p->process.name && *p->process.name;
  size_t used = strlen(h->out);
  if (!h->parts++) {
    h->pid = p->process.pid;
    if (process) snprintf(h->out, h->room, "%.80s[%u] %.300s", p->process.name, (unsigned)p->process.pid, text);
    else snprintf(h->out, h->room, "%.380s", text);
    if (process && file && p->place.line) snprintf(h->place, sizeof h->place, " (%.60s:%ld)", slash ? slash + 1 : file, p->place.line);
  } else if (process && p->process.pid == h->pid) {
    if (used < STEP_TEXT) snprintf(h->out + used, h->room - used, "; %.100s", text);
  } else if (process) {
    snprintf(h->out + used, h->room - used, ", with %.80s[%u]", p->process.name, (unsigned)p->process.pid);
  }
}

/* A step as people know it: a statement of a process, or a transition. */
static void write_step(struct stepper *s, uint32_t edge, char *out, size_t room) {
  const struct model *model = s->model;
  struct heard h = {.out = out, .room = room};
  out[0] = 0;
  if (model->type->parts && model->type->parts(s->cursor, s->state, edge, hear_part, &h) > 0 && out[0]) {
    size_t used = strlen(out);
    snprintf(out + used, room - used, "%s", h.place);
    return;
  }
  snprintf(out, room, "%.400s", edge < s->batch.count ? model->type->group_name(model, s->batch.group[edge]) : "");
}

static const char *const deeds[] = {"pick", "claim", "doubt", "on", "step", "name", "wait", "let"};

static int write_pick(const struct match *m, enum duel_side mover, const struct duel_position *p, const struct duel_move *move, char *out, size_t room, struct err *e) {
  char claim[500], other[240];
  const struct formulas *fs = m->duel.fs;
  if (move->to.phase) { /* what the sides of <-> are */
    int left = move->to.phase == 2, right = p->truth ? left : !left;
    if (write_claim(m, formula_child(fs, p->part, 0), left, claim, 240, e) || write_claim(m, formula_child(fs, p->part, 1), right, other, sizeof other, e)) return -1;
    snprintf(out, room, "say that %.240s and %.240s", claim, other);
    return 0;
  }
  if (write_claim(m, move->to.part, move->to.truth, claim, sizeof claim, e)) return -1;
  snprintf(out, room, mover == DUEL_FOR ? "defend that %s" : "doubt that %s", claim);
  return 0;
}

int match_write_move(struct match *m, struct stepper *s, enum duel_side mover, const struct duel_position *p, const struct duel_move *move, struct match_move *out, struct err *e) {
  char claim[500];
  *out = (struct match_move){.deed = deeds[move->deed], .edge = move->edge, .group = -1, .goes = move->deed == DUEL_STEP || move->deed == DUEL_LET};
  char *to = out->text;
  size_t room = sizeof out->text;
  if (move->edge >= 0 && (size_t)move->edge < s->batch.count) out->group = s->batch.group[move->edge];
  if (move->edge >= 0) write_step(s, (uint32_t)move->edge, claim, sizeof claim);
  switch (move->deed) {
  case DUEL_PICK: return write_pick(m, mover, p, move, to, room, e);
  case DUEL_CLAIM:
  case DUEL_DOUBT:
    if (write_claim(m, move->to.part, move->to.truth, claim, sizeof claim, e)) return -1;
    snprintf(to, room, "%s that %s here", move->deed == DUEL_CLAIM ? "say" : "doubt", claim);
    return 0;
  case DUEL_ON: snprintf(to, room, mover == DUEL_FOR ? "go on: it comes later" : "believe it here, and go on"); return 0;
  case DUEL_STEP:
  case DUEL_NAME: snprintf(to, room, "%s", claim); return 0;
  case DUEL_WAIT: snprintf(to, room, p->phase ? "wait as well" : "wait"); return 0;
  case DUEL_LET: snprintf(to, room, "let %s happen", claim); return 0;
  }
  return 0;
}

/* ---- what is at stake ------------------------------------------------------------------------------------------------------------ */

static int describe_formula(struct match *m, struct err *e) {
  char claim[500];
  const char *who = subject(m, DUEL_FOR);
  if (write_claim(m, m->at.part, m->at.truth, claim, sizeof claim, e)) return -1;
  snprintf(m->stake, sizeof m->stake, "%s say%s that %s here; %s den%s it", who, s_of(m, DUEL_FOR), claim, subject(m, DUEL_AGAINST), m->you == DUEL_AGAINST ? "y" : "ies");
  if (m->view.over) return 0;
  enum duel_side mover = m->view.mover;
  int steps = 0, says = 0;
  for (size_t i = 0; i < m->view.move.count; i++) {
    steps |= m->view.move.at[i].deed == DUEL_STEP;
    says |= m->view.move.at[i].deed != DUEL_STEP;
  }
  const char *what = !steps ? m->view.move.at[0].deed == DUEL_PICK ? "choose%s what is looked at next" : mover == DUEL_FOR ? "choose%s: is it so here, or later?" : "choose%s: is what was said doubted here?"
                            : says ? "choose%s: to settle it here, or a step" : "choose%s the step";
  char verb[120];
  snprintf(verb, sizeof verb, what, s_of(m, mover));
  snprintf(m->asked, sizeof m->asked, "%s %s", subject(m, mover), verb);
  return 0;
}

static void describe_wish(struct match *m) {
  const char *text = expr_text(m->prop->expr);
  int keep = m->prop->keep;
  snprintf(m->stake, sizeof m->stake, keep ? "%s play%s the system and must keep %.500s, %s play%s the environment" : "%s play%s the system and must reach %.500s, %s play%s the environment", subject(m, DUEL_FOR),
           s_of(m, DUEL_FOR), text, subject(m, DUEL_AGAINST), s_of(m, DUEL_AGAINST));
  if (m->view.over) return;
  enum duel_side mover = m->view.mover;
  if (mover == DUEL_FOR) {
    snprintf(m->asked, sizeof m->asked, "%s choose%s a step of the system", subject(m, mover), s_of(m, mover));
    return;
  }
  char step[450];
  if (m->at.named == DUEL_NO_EDGE) {
    snprintf(m->asked, sizeof m->asked, "the system waits: %s choose%s a step of the environment", subject(m, mover), s_of(m, mover));
    return;
  }
  write_step(&m->state, (uint32_t)m->at.named, step, sizeof step);
  snprintf(m->asked, sizeof m->asked, "the system is about to do %s: %s may be faster with a step of the environment", step, subject(m, mover));
}

static int write_why(struct match *m, struct err *e) {
  char claim[500], *out = m->why;
  size_t room = sizeof m->why;
  switch (m->view.over) {
  case DUEL_TRUTH:
    if (write_claim(m, m->at.part, m->view.winner == DUEL_FOR ? m->at.truth : !m->at.truth, claim, sizeof claim, e)) return -1;
    snprintf(out, room, "%s here", claim);
    break;
  case DUEL_REACHED: snprintf(out, room, m->prop->keep ? "%.600s is not true here" : "%.600s is true here", expr_text(m->prop->expr)); break;
  case DUEL_STUCK:
    if (m->duel.ctl) snprintf(out, room, "nothing can happen here: there is no next state");
    else snprintf(out, room, m->prop->keep ? "nothing can happen here: it is kept for ever" : "nothing can happen here, and it is not reached");
    break;
  case DUEL_IDLE: snprintf(out, room, m->prop->keep ? "both wait: it is kept for ever" : "both wait, and it is not reached"); break;
  case DUEL_ROUND:
    if (m->duel.ctl) {
      if (write_claim(m, m->at.part, m->view.winner == DUEL_FOR ? m->at.truth : !m->at.truth, claim, sizeof claim, e)) return -1;
      snprintf(out, room, "the play is back where it was and could go round for ever: so it is shown that %s", claim);
    } else {
      snprintf(out, room, m->prop->keep ? "the play is back in a state where it was: it is kept for ever" : "the play is back in a state where it was and could go round for ever: it is not reached");
    }
    break;
  case DUEL_GOES_ON: break;
  }
  return 0;
}

int match_describe(struct match *m, struct err *e) {
  int over = m->view.over != DUEL_GOES_ON;
  m->stake[0] = m->asked[0] = m->why[0] = 0;
  if (m->duel.ctl) {
    if (describe_formula(m, e)) return -1;
  } else {
    describe_wish(m);
  }
  if (over && write_why(m, e)) return -1;
  int value = over ? m->view.winner == DUEL_FOR : duel_value(&m->duel, &m->at);
  m->look = (struct match_look){.turn = over ? MATCH_OVER : m->view.mover == m->you ? MATCH_YOURS : MATCH_TOOLS,
                                .stake = m->stake,
                                .asked = m->asked,
                                .moves = over ? 0 : m->view.move.count,
                                .you_can_win = value == (m->you == DUEL_FOR),
                                .you_won = over && m->view.winner == m->you,
                                .why = m->why,
                                .plies = m->plies.count,
                                .steps = m->edge.count};
  return 0;
}
