/* cmd_play.c -- thimble play: a match about a formula or a wish, on a terminal or by a script.
 *
 * You play one side, thimble the other; run/match.h knows the rules.  Commands come from standard input, a terminal or a script alike: only the prompt differs. */
#include "cli/owned.h"
#include "cli/prompt.h"
#include "cli/session.h"
#include "cli/show.h"
#include "cli/signals.h"
#include "prop/prop.h"
#include "run/match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

command_run command_play;

enum { MOVES_SHOWN = 30 };

struct playing {
  struct session *s;
  struct match *match;
  struct prop prop;
  struct owned owned;
  int terminal, colour;
  int changed;  /* since the position was shown */
  int could;    /* you could have won when you moved last */
  int refused;  /* commands that made no sense */
  size_t told;  /* plies */
};

/* ---- showing ------------------------------------------------------------------------------------------------------------------- */

static void capital(const char *text) {
  char shown[900];
  report_name(shown, sizeof shown, text);
  if (*shown) printf("%c%s.\n", toupper((unsigned char)shown[0]), shown + 1);
}

static int show_moves(struct playing *p, size_t limit) {
  const struct match_look *l = match_look(p->match);
  struct match_move move;
  char text[700];
  for (size_t k = 0; k < l->moves && k < limit; k++) {
    if (match_move(p->match, k, &move, &p->s->err)) return -1;
    printf("  %3zu  %s\n", k + 1, report_name(text, sizeof text, move.text));
  }
  if (l->moves > limit) printf("  ... and %zu more (l lists all)\n", l->moves - limit);
  return 0;
}

/* What has been played since it was told last. */
static int tell_plies(struct playing *p) {
  const struct match_look *l = match_look(p->match);
  struct match_ply ply;
  char text[700];
  for (; p->told < l->plies; p->told++) {
    if (match_ply(p->match, p->told, &ply, &p->s->err)) return -1;
    if (ply.forced && (strcmp(ply.move.deed, "wait") == 0 || strcmp(ply.move.deed, "let") == 0)) continue; /* what else */
    printf("%s%s%s%s: %s\n", report_colour(p->colour, ply.yours ? GREEN : CYAN), ply.yours ? "you" : "thimble", report_colour(p->colour, PLAIN), ply.forced ? " (no choice)" : "",
           report_name(text, sizeof text, ply.move.text));
  }
  return 0;
}

static int show_position(struct playing *p) {
  const struct match_look *l = match_look(p->match);
  putchar('\n');
  show_state(p->s->model, match_state(p->match)->state);
  capital(l->stake);
  if (l->turn == MATCH_OVER) {
    char why[900];
    printf("It is over: %s. %s%s%s\n", report_name(why, sizeof why, l->why), report_colour(p->colour, l->you_won ? GREEN : RED), l->you_won ? "You have won." : "Thimble has won.",
           report_colour(p->colour, PLAIN));
    return 0;
  }
  capital(l->asked);
  return show_moves(p, MOVES_SHOWN);
}

static void show_beginning(struct playing *p) {
  const struct match_look *l = match_look(p->match);
  const char *text = p->prop.text ? p->prop.text : p->prop.branching->text;
  int you_for = strcmp(options_text(&p->s->options, OPTION_SIDE), "for") == 0;
  char shown[300];
  report_name(shown, sizeof shown, text);
  if (p->prop.kind == PROP_STRATEGY) printf("You say that the system %s %s, whatever the environment does.\n", you_for ? "can" : "cannot", shown);
  else printf("You say that %s %s.\n", shown, you_for ? "holds" : "does not hold");
  puts(l->you_can_win ? "You are right. Thimble plays on as well as it can." : "Thimble says that you are wrong. Show it.");
  if (p->terminal) puts("Type the number of a move; h helps.");
}

/* ---- commands ------------------------------------------------------------------------------------------------------------------- */

static void help(void) {
  puts("  N      make the move with this number\n"
       "  b      which move thimble would make in your place\n"
       "  u      take your last move back\n"
       "  s      the whole state\n"
       "  l      all moves\n"
       "  q      end");
}

static void refuse(struct playing *p, const char *what) {
  p->refused++;
  if (p->terminal) printf("%s\n", what);
  else fprintf(stderr, "thimble: play: %s\n", what);
}

/* Thimble answers until it is your turn, or it is over. */
static int answers(struct playing *p) {
  while (match_look(p->match)->turn == MATCH_TOOLS && !*signals_watch()) {
    if (tell_plies(p)) return -1;
    putchar('\n');
    show_state(p->s->model, match_state(p->match)->state);
    capital(match_look(p->match)->stake);
    capital(match_look(p->match)->asked);
    if (match_answer(p->match, &p->s->err)) return -1;
  }
  return tell_plies(p);
}

static int take(struct playing *p, size_t k) {
  p->could = match_look(p->match)->you_can_win;
  if (match_take(p->match, k, &p->s->err)) return -1;
  p->changed = 1;
  const struct match_look *l = match_look(p->match);
  if (tell_plies(p)) return -1;
  if (p->could && !l->you_can_win && l->turn != MATCH_OVER) puts("That was a mistake: thimble can win now.");
  return answers(p);
}

static int undo(struct playing *p) {
  int done = match_undo(p->match, &p->s->err);
  if (done < 0) return -1;
  if (!done) {
    refuse(p, "there is nothing to take back");
    return 0;
  }
  p->told = match_look(p->match)->plies;
  p->changed = 1;
  puts("taken back");
  return 0;
}

static int hint(struct playing *p) {
  struct match_move move;
  char text[700];
  if (match_look(p->match)->turn != MATCH_YOURS) {
    refuse(p, "it is over");
    return 0;
  }
  int64_t k = match_hint(p->match, &p->s->err);
  if (k < 0 || match_move(p->match, (size_t)k, &move, &p->s->err)) return -1;
  printf("  %3lld  %s%s\n", (long long)k + 1, report_name(text, sizeof text, move.text), match_look(p->match)->you_can_win ? "" : " (you lose all the same)");
  return 0;
}

/* One line. 1 = go on, 0 = end, -1 with err. */
static int obey(struct playing *p, const char *line) {
  unsigned long long n;
  if (!line[0] || line[0] == '#') return 1;
  if (prompt_number(line, &n)) {
    if (match_look(p->match)->turn == MATCH_OVER) refuse(p, "it is over: u takes a move back, q ends");
    else if (n < 1 || n > match_look(p->match)->moves) refuse(p, "there is no move with that number");
    else if (take(p, (size_t)n - 1)) return -1;
    return 1;
  }
  switch (!line[1] ? line[0] : 0) {
  case 'q': return 0;
  case 'u': return undo(p) ? -1 : 1;
  case 'b': return hint(p) ? -1 : 1;
  case 's': show_state(p->s->model, match_state(p->match)->state); return 1;
  case 'l': return show_moves(p, SIZE_MAX) ? -1 : 1;
  case 'h':
  case '?': help(); return 1;
  default: refuse(p, "no such move or command; h helps"); return 1;
  }
}

static int by_hand(struct playing *p) {
  char line[512];
  for (p->changed = 1;;) {
    if (p->changed && show_position(p)) return -1;
    if (p->terminal) fputs("> ", stdout);
    if (fflush(stdout)) return 0;
    char *text = prompt_next(line, sizeof line);
    if (!text) break;
    p->changed = 0;
    int answer = obey(p, text);
    if (answer <= 0) return answer;
  }
  if (p->terminal) putchar('\n');
  return 0;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------- */

static int open_property(struct playing *p) {
  struct session *s = p->s;
  size_t at = 0;
  const char *wish = options_next(&s->options, OPTION_STRATEGY, &at), *more = wish ? options_next(&s->options, OPTION_STRATEGY, &at) : NULL;
  at = 0;
  const char *ctl = options_next(&s->options, OPTION_CTL, &at);
  if (ctl && !more) more = options_next(&s->options, OPTION_CTL, &at);
  if ((!wish && !ctl) || (wish && ctl) || more) {
    err_usage(&s->err, wish || ctl ? "a match is about one property" : "a match needs something to play about");
    err_hint(&s->err, "--ctl FORMULA, or --strategy 'reach EXPR', or --strategy 'keep EXPR'");
    return -1;
  }
  if (!wish && (options_given(&s->options, OPTION_CONTROLLABLE) || options_given(&s->options, OPTION_UNCONTROLLABLE))) {
    err_usage(&s->err, "a formula is not about who owns a transition");
    err_hint(&s->err, "--strategy is");
    return -1;
  }
  if (session_load(s, s->options.operand[0])) return -1;
  if (prop_open(&p->prop, wish ? PROP_STRATEGY : PROP_CTL, 1, wish ? wish : ctl, s->model, &s->mem, &s->err)) return -1;
  if (s->model->type->asked_all) s->model->type->asked_all(s->model);
  return wish ? owned_open(&p->owned, s) : 0;
}

static int open_match(struct playing *p, struct verdict *v) {
  struct session *s = p->s;
  struct report_progress progress;
  struct listener *listeners[1];
  struct run_setup run = {.mem = &s->mem, .model = s->model, .listeners = listeners, .load_s = s->load_s};
  struct match_setup setup = {.run = &run,
                              .prop = &p->prop,
                              .owners = p->owned.owners.model ? &p->owned.owners : NULL,
                              .you = strcmp(options_text(&s->options, OPTION_SIDE), "for") == 0 ? DUEL_FOR : DUEL_AGAINST};
  session_limits(s, &run.limits);
  struct listener *watch = session_progress(s, &progress);
  if (watch) listeners[run.listener_count++] = watch;
  int bad = match_open(&p->match, &setup, v, &s->err);
  if (watch) report_progress_clear(&progress);
  if (!bad && p->match && p->owned.owners.model) bad = owned_check(&p->owned, s);
  return bad;
}

int command_play(struct session *s) {
  struct playing p = {.s = s, .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), .colour = session_colour(s, stdout)};
  struct verdict v = {0};
  session_budget(s);
  int bad = open_property(&p), code = EXIT_HOLDS;
  if (!bad) bad = open_match(&p, &v);
  if (!bad && !p.match) {
    char why[400];
    printf("incomplete: a match needs the whole graph, %s\n", report_stop(&v, why, sizeof why));
    code = v.stop == STOP_INTERRUPT ? EXIT_INTERRUPTED : EXIT_INCOMPLETE;
  } else if (!bad) {
    show_beginning(&p);
    bad = answers(&p) || by_hand(&p);
    code = p.refused && !p.terminal ? EXIT_USAGE : EXIT_HOLDS;
  }
  if (bad) code = session_exit_code(&s->err);
  fflush(stdout);
  match_close(p.match);
  verdict_close(&v);
  prop_close(&p.prop);
  if (p.owned.owners.model) owned_close(&p.owned, s);
  if (s->model) session_warnings(s);
  return code;
}
