/* cmd_simulate.c -- thimble simulate: one run, chosen by hand, by dice, or by a trace file.
 *
 * A run is the list of edges taken; undoing goes back to the start and takes all but the last.
 * Commands come from standard input, a terminal or a script alike: only the prompt differs. */
#include "cli/outfile.h"
#include "cli/prompt.h"
#include "cli/session.h"
#include "cli/show.h"
#include "cli/signals.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/vec.h"
#include "report/trace_follow.h"
#include "report/trace_view.h"
#include "search/stepper.h"
#include "search/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

command_run command_simulate;

enum { ENABLED_SHOWN = 30 };

struct simulation {
  struct session *s;
  struct stepper at;
  struct vec(uint32_t) edge, group;
  struct rng rng;
  int terminal, colour;
  int moved;   /* since the enabled steps were listed */
  int refused; /* commands that made no sense */
};

/* ---- showing ----------------------------------------------------------------------------- */

/* One line for an enabled step of processes: its first part, and whom it meets. */
struct choice {
  size_t number, parts;
};

static void show_choice(void *context, const struct model_part *p) {
  struct choice *c = context;
  char process[64], file[64], statement[100];
  if (c->parts++ == 0) {
    report_name(process, sizeof process, p->process.name ? p->process.name : ""); /* steps of a net are nobody's */
    size_t length = strlen(process);
    if (length) snprintf(process + length, sizeof process - length, "[%u]", (unsigned)p->process.pid);
    report_name(file, sizeof file, trace_base_name(p->place.file));
    length = strlen(file);
    snprintf(file + length, sizeof file - length, ":%ld", p->place.line);
    printf("  %3zu  %-8s  %-12s  %s", c->number, process, file, report_name(statement, sizeof statement, p->statement));
  }
  if (p->deed == MODEL_SENDS && p->partner.name)
    printf("  (with %s[%u])", report_name(process, sizeof process, p->partner.name), (unsigned)p->partner.pid);
}

static void show_one(struct simulation *m, size_t k) {
  const struct model *model = m->s->model;
  struct choice c = {k + 1, 0};
  char name[64];
  if (model->type->parts && model->type->parts(m->at.cursor, m->at.state, (uint32_t)k, show_choice, &c) > 0) putchar('\n');
  else printf("  %3zu  %s\n", k + 1, report_name(name, sizeof name, model->type->group_name(model, m->at.batch.group[k])));
}

/* Errors that belong to no step: a guard that divides by zero. */
static void show_faults(struct simulation *m) {
  const struct model *model = m->s->model;
  const struct model_batch *b = &m->at.batch;
  char text[300], file[256];
  for (size_t i = 0; i < b->fault_count; i++) {
    if (b->faults[i].edge != MODEL_NO_EDGE) continue;
    struct place_in_text at = model->type->fault_place(model, &b->faults[i]);
    model->type->fault_text(model, &b->faults[i], text, sizeof text);
    printf("  %s%s:%ld: %s%s\n", report_colour(m->colour, RED), report_name(file, sizeof file, trace_base_name(at.file)), at.line, text,
           report_colour(m->colour, PLAIN));
  }
}

static void show_enabled(struct simulation *m, size_t limit) {
  const struct model *model = m->s->model;
  size_t n = m->at.batch.count;
  if (model->type->fault_text) show_faults(m);
  if (!n)
    puts(model->type->labels && model->type->labels(model, m->at.state) & MODEL_END ? "  the end"
                                                                                    : "  deadlock: nothing is enabled");
  for (size_t k = 0; k < n && k < limit; k++) show_one(m, k);
  if (n > limit) printf("  ... and %zu more (l lists all)\n", n - limit);
}

/* ---- moving ------------------------------------------------------------------------------ */

/* 0, or -1 with err. The k-th successor must be there. */
static int take(struct simulation *m, uint32_t k, int show) {
  struct trace step;
  struct trace_view view;
  if (vec_reserve(&m->edge, &m->s->mem, MEM_OTHER, 1) || vec_reserve(&m->group, &m->s->mem, MEM_OTHER, 1))
    return err_memory(&m->s->err, "a longer run");
  if (trace_take(&step, &m->at, k, &m->s->err) != 1) return -1;
  m->moved = 1;
  m->edge.at[m->edge.count++] = k;
  m->group.at[m->group.count++] = step.group[0];
  trace_view_model(&view, &step, m->s->model);
  if (show) trace_write_step(&view, 0, m->edge.count, m->colour, stdout);
  trace_free(&step);
  return 0;
}

static int undo(struct simulation *m, size_t steps) {
  size_t keep = m->edge.count > steps ? m->edge.count - steps : 0;
  stepper_start(&m->at);
  m->edge.count = m->group.count = keep;
  for (size_t i = 0; i < keep; i++)
    if (stepper_take(&m->at, m->edge.at[i], NULL, &m->s->err) != 1) return -1;
  m->moved = 1;
  printf("back at step %zu\n", keep);
  return 0;
}

static int random_steps(struct simulation *m, uint64_t steps) {
  for (uint64_t i = 0; i < steps; i++) {
    if (stepper_expand(&m->at, &m->s->err)) return -1;
    if (!m->at.batch.count) {
      show_enabled(m, ENABLED_SHOWN);
      return 0;
    }
    if (take(m, (uint32_t)rng_below(&m->rng, m->at.batch.count), 1)) return -1;
    if (ferror(stdout) || *signals_watch()) return 0;
  }
  return 0;
}

/* ---- along a trace ------------------------------------------------------------------------- */

static int step_along(struct simulation *m, const struct trace_view *view, size_t i) {
  const char *from = options_text(&m->s->options, OPTION_REPLAY);
  uint32_t k;
  if (trace_follow(view, i, &m->at, from, &k, &m->s->err) || take(m, k, 1)) return -1;
  return trace_agrees(view, i, &m->at, from, &m->s->err);
}

static int replay(struct simulation *m, const char *name) {
  struct session *s = m->s;
  struct trace_file *file = NULL;
  struct trace_view view;
  FILE *in = fopen(name, "re");
  if (!in) return err_io(&s->err, name, "cannot be opened: %s", strerror(errno));
  int bad = trace_file_read(&file, in, name, &s->mem, &s->err);
  fclose(in);
  if (bad) return -1;
  trace_file_view(file, &view);
  for (size_t i = 0; i < view.trace->count && !bad && !ferror(stdout); i++) bad = step_along(m, &view, i);
  trace_file_close(file);
  return bad;
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void help(void) {
  puts("  N      take the step with this number; its name works too\n"
       "  r [N]  N random steps (1)\n"
       "  u [N]  undo N steps (1)\n"
       "  s      the whole state\n"
       "  l      all enabled steps\n"
       "  q      end");
}

static void refuse(struct simulation *m, const char *what) {
  m->refused++;
  if (m->terminal) printf("%s\n", what);
  else fprintf(stderr, "thimble: simulate: %s\n", what);
}

static int by_name(struct simulation *m, const char *word) {
  int several;
  int64_t k = trace_named(&m->at, word, UINT32_MAX, &several);
  if (k >= 0 && !several) return take(m, (uint32_t)k, 1);
  const struct model *model = m->s->model;
  int known = k >= 0 || model->type->find_group(model, word, strlen(word)) != -1;
  refuse(m, several ? "several steps have that name: take a number"
            : known ? "that transition is not enabled"
                    : "no such step or command; h helps");
  return 0;
}

/* One line. 1 = go on, 0 = end, -1 with err. */
static int obey(struct simulation *m, const char *line) {
  unsigned long long n;
  if (!line[0] || line[0] == '#') return 1;
  if (prompt_number(line, &n)) {
    if (n < 1 || n > m->at.batch.count) refuse(m, "there is no step with that number");
    else if (take(m, (uint32_t)n - 1, 1)) return -1;
    return 1;
  }
  char *end;
  unsigned long long argument = line[1] ? strtoull(line + 1, &end, 10) : 1;
  int single = !line[1] || (line[1] == ' ' && !*end && argument);
  switch (single ? line[0] : 0) {
  case 'q': return 0;
  case 'u': return undo(m, (size_t)argument) ? -1 : 1;
  case 'r': return random_steps(m, argument) ? -1 : 1;
  case 's': show_state(m->s->model, m->at.state); return 1;
  case 'l': show_enabled(m, SIZE_MAX); return 1;
  case 'h':
  case '?': help(); return 1;
  default: return by_name(m, line) ? -1 : 1;
  }
}

static int by_hand(struct simulation *m) {
  char line[512];
  if (m->terminal) puts("type the number of a step; h helps");
  show_state(m->s->model, m->at.state);
  for (m->moved = 1;;) {
    if (stepper_expand(&m->at, &m->s->err)) return -1;
    if (m->moved) show_enabled(m, ENABLED_SHOWN);
    if (m->terminal) printf("%zu> ", m->edge.count);
    if (fflush(stdout)) return 0;
    char *text = prompt_next(line, sizeof line);
    if (!text) break;
    m->moved = 0;
    int answer = obey(m, text);
    if (answer <= 0) return answer;
  }
  if (m->terminal) putchar('\n');
  return 0;
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static int keep_run(struct simulation *m, const char *name) {
  struct session *s = m->s;
  struct search_path path = {.edge = m->edge.at, .group = m->group.at, .count = m->edge.count};
  struct trace trace;
  struct outfile out;
  struct trace_view view;
  if (s->model->chance) {
    err_usage(&s->err, "a run with random values is not kept: nobody could confirm it");
    return session_exit_code(&s->err);
  }
  if (trace_make(&trace, s->model, &path, &s->mem, &s->err)) return session_exit_code(&s->err);
  int code = EXIT_HOLDS;
  if (outfile_open(&out, name, &s->err)) code = EXIT_OUTPUT;
  else {
    trace_view_model(&view, &trace, s->model);
    trace_write_json(&view, out.stream);
    if (outfile_close(&out, 1, &s->err)) code = EXIT_OUTPUT;
  }
  trace_free(&trace);
  return code;
}

static int simulate(struct simulation *m) {
  struct session *s = m->s;
  const struct options *o = &s->options;
  int guided = options_given(o, OPTION_REPLAY), dice = options_given(o, OPTION_RANDOM);
  if (guided || dice) show_state(m->s->model, m->at.state);
  if (guided && replay(m, options_text(o, OPTION_REPLAY))) return -1;
  if (dice) {
    signals_watch();
    return random_steps(m, options_count(o, OPTION_RANDOM));
  }
  return guided && !m->terminal ? 0 : by_hand(m);
}

int command_simulate(struct session *s) {
  struct simulation m = {.s = s, .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), .colour = session_colour(s, stdout)};
  const char *output = options_text(&s->options, OPTION_OUTPUT);
  m.rng.state = options_count(&s->options, OPTION_SEED);
  session_budget(s);
  s->draws = !options_given(&s->options, OPTION_REPLAY); /* a run that is gone along says what was drawn */
  if (session_load(s, s->options.operand[0])) return session_exit_code(&s->err);
  int bad = stepper_open(&m.at, s->model, &s->mem, &s->err);
  if (!bad) bad = simulate(&m);
  int code = bad ? session_exit_code(&s->err) : m.refused && !m.terminal ? EXIT_USAGE : EXIT_HOLDS;
  if (*output && (!bad || m.edge.count)) {
    int kept = keep_run(&m, output);
    if (!code) code = kept;
  }
  stepper_close(&m.at);
  fflush(stdout);
  session_warnings(s);
  vec_free(&m.edge, &s->mem);
  vec_free(&m.group, &s->mem);
  return code;
}
