/* measure.c -- see measure.h. */
#define _GNU_SOURCE
#include "bench/hear.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OUTPUT = 8 << 20 };

/* ---- what was written ------------------------------------------------------------------------- */

/* The beginning of a file, NUL-terminated; free() it. NULL: not there. */
static char *slurp(const char *file) {
  FILE *in = fopen(file, "re");
  char *text = in ? malloc(MOST_OUTPUT + 1) : NULL;
  size_t n = text ? fread(text, 1, MOST_OUTPUT, in) : 0;
  if (in) fclose(in);
  if (!text) return NULL;
  text[n] = 0;
  for (size_t i = 0; i < n; i++)
    if (!text[i]) text[i] = ' ';
  char *less = realloc(text, n + 1);
  return less ? less : text;
}

/* ---- models and programs ---------------------------------------------------------------------- */

static int run_words(struct workshop *w, const char *const *words, const char *folder, const char *out, const char *errors, struct process_result *r, struct err *e) {
  struct process_setup setup = {.words = words, .folder = folder, .out = out, .errors = errors, .seconds = w->suite->seconds > 600 ? w->suite->seconds : 600, .interrupt = w->interrupt};
  return process_run(r, &setup, e);
}

/* The model's file, made if it has to be. The outcome says why there is none. */
static int find_model(struct measurement *m, struct workshop *w, const struct suite_source *model, const char **file, struct err *e) {
  struct workshop_model *at = &w->models[model->number];
  if (!at->made && !model->generate.count) {
    at->file = model->file;
    at->made = access(model->file, R_OK) == 0 ? 1 : -1;
    snprintf(at->why, sizeof at->why, "%.200s cannot be read: %s", model->file, strerror(errno));
  } else if (!at->made) {
    char path[400], errors[300];
    struct process_result r;
    snprintf(path, sizeof path, "%s/model-%zu.%s", w->folder, model->number, model->suffix);
    snprintf(errors, sizeof errors, "%s/errors", w->folder);
    if (!(at->file = arena_strndup(&w->arena, path, strlen(path)))) return err_memory(e, "the bench");
    if (run_words(w, model->generate.at, w->suite->folder, path, errors, &r, e)) return -1;
    if (r.end == PROCESS_INTERRUPTED) return m->interrupted = 1, 0;
    at->made = r.end == PROCESS_EXITED && r.code == 0 ? 1 : -1;
    if (at->made < 0) {
      char *text = slurp(errors);
      struct measurement told = {0};
      measurement_failed(&told, r.end == PROCESS_MISSING ? strerror(r.code) : "the command that makes the model failed", text);
      snprintf(at->why, sizeof at->why, "%.280s", told.message);
      free(text);
    }
  }
  *file = at->file;
  if (at->made > 0) return 0;
  m->outcome = model->may_miss ? OUTCOME_ABSENT : OUTCOME_FAILED;
  snprintf(m->message, sizeof m->message, "%s", at->why);
  return 0;
}

static int prepare(struct measurement *m, struct workshop *w, size_t number, const char *file, const char *folder, struct err *e) {
  const struct suite_task *t = &w->suite->tasks[number];
  const struct suite_tool *tool = t->way->tool;
  if (!tool || w->prepared[number] > 0) return 0;
  if (!w->prepared[number] && mkdir(folder, 0777) && errno != EEXIST) return err_io(e, folder, "cannot be made: %s", strerror(errno));
  for (size_t i = 0; i < tool->prepare_count; i++) {
    char log[400];
    struct arena words;
    struct process_result r;
    snprintf(log, sizeof log, "%s/prepare.log", folder);
    arena_open(&words, w->mem, MEM_OTHER);
    const char **command = task_words(w, t, &tool->prepare[i], file, &words, m->message, sizeof m->message);
    int bad = command && run_words(w, command, folder, log, log, &r, e);
    if (command && !bad && r.end == PROCESS_INTERRUPTED) m->interrupted = 1;
    else if (!command) m->outcome = OUTCOME_FAILED;
    else if (!bad && (r.end != PROCESS_EXITED || r.code)) {
      char *text = slurp(log), what[200];
      snprintf(what, sizeof what, "%.80s %s", command[0], r.end == PROCESS_MISSING ? strerror(r.code) : r.end == PROCESS_EXITED ? "failed" : "was ended");
      measurement_failed(m, what, text);
      free(text);
    }
    arena_close(&words);
    if (bad) return -1;
    if (m->interrupted) return 0;
    if (m->outcome == OUTCOME_FAILED) {
      w->prepared[number] = -1;
      return 0;
    }
  }
  w->prepared[number] = 1;
  return 0;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static void ended_otherwise(struct measurement *m, const struct process_result *r, const char *errors) {
  char what[120];
  switch (r->end) {
  case PROCESS_TIME:
    m->outcome = OUTCOME_TIME;
    snprintf(m->message, sizeof m->message, "the time was over");
    break;
  case PROCESS_MEMORY:
    m->outcome = OUTCOME_MEMORY;
    snprintf(m->message, sizeof m->message, "the memory was used up");
    break;
  case PROCESS_INTERRUPTED: m->interrupted = 1; break;
  case PROCESS_MISSING:
    snprintf(what, sizeof what, "cannot be run: %s", strerror(r->code));
    measurement_failed(m, what, NULL);
    break;
  default:
    snprintf(what, sizeof what, "ended by signal %d (%s)", r->code, strsignal(r->code));
    measurement_failed(m, what, errors);
  }
}

int measure(struct measurement *m, struct workshop *w, size_t number, struct err *e) {
  const struct suite_task *t = &w->suite->tasks[number];
  const struct suite_tool *tool = t->way->tool;
  int command_line = tool && !tool->program;
  const char *file = NULL;
  char folder[300], out[400], errors[400], cache[300];
  *m = (struct measurement){.wall = NAN, .cpu = NAN, .search = NAN, .figure = {-1, -1, -1}};
  if (tool && !workshop_version(w, tool, e)) {
    if (e->kind) return -1;
    m->outcome = OUTCOME_MISSING;
    snprintf(m->message, sizeof m->message, "%s is not installed", tool->name);
    return 0;
  }
  if (find_model(m, w, t->source, &file, e)) return -1;
  if (m->outcome != OUTCOME_OK || m->interrupted) return 0;
  snprintf(folder, sizeof folder, "%s/task-%zu", w->folder, number);
  snprintf(cache, sizeof cache, "%s/cache", w->folder);
  if (command_line ? prepare(m, w, number, file, folder, e) : (mkdir(folder, 0777) && errno != EEXIST ? err_io(e, folder, "cannot be made: %s", strerror(errno)) : 0)) return -1;
  if (m->outcome != OUTCOME_OK || m->interrupted) return 0;
  snprintf(out, sizeof out, "%s/output", folder);
  snprintf(errors, sizeof errors, "%s/%s", folder, command_line ? "output" : "errors");
  struct arena words;
  arena_open(&words, w->mem, MEM_OTHER);
  struct process_setup setup = {
      .folder = folder, .out = out, .errors = errors, .cache = cache, .seconds = w->suite->seconds, .bytes = w->suite->bytes, .address_space = command_line, .interrupt = w->interrupt};
  struct process_result r;
  int bad = 0;
  if (!(setup.words = task_command(w, t, file, &words, m->message, sizeof m->message))) m->outcome = OUTCOME_FAILED;
  else bad = process_run(&r, &setup, e);
  arena_close(&words);
  if (bad || m->outcome == OUTCOME_FAILED) return bad;
  m->wall = r.wall;
  m->cpu = r.cpu;
  m->rss = m->resident = r.resident;
  m->exit_code = r.end == PROCESS_EXITED ? r.code : -1;
  char *text = slurp(out), *told = command_line ? NULL : slurp(errors);
  if (r.end != PROCESS_EXITED) ended_otherwise(m, &r, told ? told : text);
  else if (command_line) hear_tool(m, tool, text);
  else hear_thimble(m, text, told);
  free(text);
  free(told);
  if (!m->interrupted) measurement_judge(m, t);
  return 0;
}
