/* play.c -- matches in the browser: run/match.h behind requests.
 *
 * One match at a time.  A new one ends the one before; what the page shows is where the match is, so each answer has the whole run of the model as well, and the moves made since the page asked
 * last (`since`). */
#include "explore/play.h"

#include "explore/requests.h"
#include "run/match.h"
#include "search/verdict.h"

#include <string.h>

struct play {
  struct mem *mem;
  struct prop prop;
  struct owners owners;
  const char **pattern[2]; /* NULL-terminated */
  uint8_t *used[2];
  struct match *match;
};

/* ---- life ------------------------------------------------------------------------------------------------------------------------ */

void play_end(struct explorer *x) {
  struct play *p = x->play;
  if (!p) return;
  match_close(p->match);
  prop_close(&p->prop);
  owners_close(&p->owners);
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; p->pattern[side] && p->pattern[side][i]; i++) mem_free(p->mem, (char *)p->pattern[side][i]);
    mem_free(p->mem, p->pattern[side]);
    mem_free(p->mem, p->used[side]);
  }
  mem_free(p->mem, p);
  x->play = NULL;
}

void play_rest(struct explorer *x) {
  if (x->play && x->play->match) match_rest(x->play->match);
}

int play_wake(struct explorer *x, struct err *e) {
  if (!x->play || !x->play->match || match_wake(x->play->match, e) == 0) return 0;
  play_end(x);
  return -1;
}

static int no_memory(struct err *e) { return err_memory(e, "a match"); }

/* "lose*, drop" */
static int read_patterns(struct play *p, int side, const char *text, struct err *e) {
  size_t count = 2;
  for (const char *c = text; c && *c; c++) count += *c == ',';
  p->pattern[side] = mem_alloc(p->mem, MEM_OTHER, count * sizeof *p->pattern[side]);
  p->used[side] = mem_alloc(p->mem, MEM_OTHER, count);
  if (!p->pattern[side] || !p->used[side]) return no_memory(e);
  for (size_t n = 0; text && *text;) {
    size_t length = strcspn(text, ",");
    const char *next = text + length + (text[length] == ',');
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    if (length && !(p->pattern[side][n++] = mem_strndup(p->mem, MEM_OTHER, text, length))) return no_memory(e);
    text = next;
  }
  p->owners.pattern[side] = p->pattern[side];
  p->owners.used[side] = p->used[side];
  return 0;
}

static int unused(const struct play *p, struct err *e) {
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; p->pattern[side] && p->pattern[side][i]; i++) {
      char shown[80];
      if (!p->used[side][i]) return err_usage(e, "nothing is called '%s'", err_quote(shown, sizeof shown, p->pattern[side][i], strlen(p->pattern[side][i])));
    }
  return 0;
}

static int begin(struct explorer *x, const struct request_args *a, enum duel_side you, double seconds, struct verdict *v, struct err *e) {
  struct play *p = x->play;
  const char *kind = request_text(a, "kind"), *text = request_text(a, "text");
  int wish = kind && strcmp(kind, "strategy") == 0;
  if (!kind || (!wish && strcmp(kind, "ctl") != 0)) return err_usage(e, "play: 'kind' is ctl or strategy");
  if (!text || !*text) return err_usage(e, "play: '%s' needs a text", kind);
  p->owners = (struct owners){.model = x->model, .mem = x->mem};
  if (prop_open(&p->prop, wish ? PROP_STRATEGY : PROP_CTL, 1, text, x->model, x->mem, e)) {
    p->prop = (struct prop){0};
    return -1;
  }
  if (wish && (read_patterns(p, OWNER_CONTROLLABLE, request_text(a, "controllable"), e) || read_patterns(p, OWNER_UNCONTROLLABLE, request_text(a, "uncontrollable"), e))) return -1;
  if (wish && owners_open(&p->owners)) return no_memory(e);
  struct explorer_watcher w;
  struct listener *listeners[] = {&w.listener};
  explorer_watch(&w, x);
  struct run_setup run = {.mem = x->mem, .model = x->model, .listeners = listeners, .listener_count = 1, .limits = {.seconds = seconds, .interrupt = &x->halt}};
  struct match_setup setup = {.run = &run, .prop = &p->prop, .owners = wish ? &p->owners : NULL, .you = you};
  return match_open(&p->match, &setup, v, e) || (p->match && unused(p, e)) ? -1 : 0;
}

/* ---- answers ----------------------------------------------------------------------------------------------------------------------- */

static void move_json(const struct match_move *m, struct json_out *j) {
  json_out_text(j, "deed", m->deed);
  json_out_text(j, "text", m->text);
  if (m->edge >= 0) json_out_integer(j, "edge", m->edge);
}

static int moves_json(struct match *m, struct json_out *j, struct err *e) {
  const struct match_look *l = match_look(m);
  struct match_move move;
  json_out_array(j, "moves");
  for (size_t k = 0; k < l->moves && k < PLAY_MOVES; k++) {
    if (match_move(m, k, &move, e)) return -1;
    json_out_object_flat(j, NULL);
    json_out_count(j, "k", k);
    move_json(&move, j);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_count(j, "all_moves", l->moves);
  return 0;
}

static int plies_json(struct match *m, uint64_t since, struct json_out *j, struct err *e) {
  struct match_ply ply;
  json_out_array(j, "plies");
  for (size_t i = (size_t)since; i < match_look(m)->plies; i++) {
    if (match_ply(m, i, &ply, e)) return -1;
    json_out_object_flat(j, NULL);
    json_out_text(j, "by", ply.yours ? "you" : "thimble");
    json_out_bool(j, "forced", ply.forced);
    move_json(&ply.move, j);
    json_out_end(j);
  }
  json_out_end(j);
  return 0;
}

/* Where the match is. Members of an object that is open. */
static int position_json(struct explorer *x, uint64_t since, struct json_out *j, struct err *e) {
  static const char *const turns[] = {"you", "thimble", "over"};
  struct match *m = x->play->match;
  const struct match_look *l = match_look(m);
  if (since > l->plies) since = l->plies;
  json_out_text(j, "turn", turns[l->turn]);
  json_out_text(j, "stake", l->stake);
  json_out_text(j, "asked", l->asked);
  json_out_bool(j, "you_can_win", l->you_can_win);
  json_out_bool(j, "you_won", l->you_won);
  json_out_text(j, "why", l->why[0] ? l->why : NULL);
  json_out_count(j, "since", since);
  json_out_count(j, "all_plies", l->plies);
  if (moves_json(m, j, e) || plies_json(m, since, j, e)) return -1;
  if (l->steps > EXPLORE_RUN) return err_limit(e, "the match has %zu steps: more than %d are not shown", l->steps, EXPLORE_RUN);
  return explorer_path_json(x, &(struct explorer_path){match_edges(m), l->steps}, j, e);
}

static int told(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  uint64_t since;
  if (request_count_or(a, "since", 0, UINT32_MAX, 0, &since, e)) return -1;
  json_out_object(j, NULL);
  json_out_text(j, "match", "open");
  if (position_json(x, since, j, e)) return -1;
  json_out_end(j);
  return 0;
}

static int none(struct err *e) { return err_usage(e, "there is no match"); }

int answer_play_open(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  struct verdict v = {0};
  uint64_t seconds;
  const char *side = request_text(a, "side");
  int against = side && strcmp(side, "against") == 0;
  if (side && !against && strcmp(side, "for") != 0) return err_usage(e, "play: 'side' is for or against");
  if (request_count_or(a, "seconds", 1, 3600, (uint64_t)(x->setup.seconds + 0.5), &seconds, e)) return -1;
  play_end(x);
  if (!(x->play = mem_alloc(x->mem, MEM_OTHER, sizeof *x->play))) return no_memory(e);
  x->play->mem = x->mem;
  explorer_rest(x);
  int bad = begin(x, a, against ? DUEL_AGAINST : DUEL_FOR, (double)seconds, &v, e);
  int whole = !bad && x->play->match;
  if (!bad && !whole) { /* without the whole graph there is none, which is no error */
    json_out_object(j, NULL);
    json_out_text(j, "match", "incomplete");
    json_out_text(j, "stop", verdict_stop_name(&v));
    json_out_count(j, "states", v.stats.states);
    json_out_end(j);
  }
  verdict_close(&v);
  if (!whole) play_end(x);
  struct err second;
  err_clear(&second);
  if (explorer_wake(x, bad ? &second : e)) bad = -1;
  return bad ? -1 : whole ? told(x, a, j, e) : 0;
}

int answer_play_look(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) { return x->play ? told(x, a, j, e) : none(e); }

int answer_play_take(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  uint64_t k;
  if (!x->play) return none(e);
  if (request_count(a, "k", 0, UINT32_MAX - 1, &k, e) || match_take(x->play->match, (size_t)k, e)) return -1;
  return told(x, a, j, e);
}

int answer_play_answer(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  if (!x->play) return none(e);
  return match_answer(x->play->match, e) ? -1 : told(x, a, j, e);
}

int answer_play_undo(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  if (!x->play) return none(e);
  return match_undo(x->play->match, e) < 0 ? -1 : told(x, a, j, e);
}

int answer_play_hint(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  (void)a;
  if (!x->play) return none(e);
  int64_t k = match_hint(x->play->match, e);
  if (k < 0) return -1;
  json_out_object(j, NULL);
  json_out_integer(j, "k", k);
  json_out_end(j);
  return 0;
}

int answer_play_close(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  (void)a, (void)e;
  play_end(x);
  json_out_object(j, NULL);
  json_out_text(j, "match", "closed");
  json_out_end(j);
  return 0;
}
