/* measure.c -- see measure.h. */
#define _GNU_SOURCE
#include "bench/measure.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OUTPUT = 8 << 20, MOST_FIGURES = 1 << 20 };

const char *const outcome_names[] = {"ok", "wrong", "time", "memory", "incomplete", "failed", "missing", "absent", NULL};

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

/* The line of a text that says most: the first with "error" in it, else the last that is not empty. */
static void telling_line(char *out, size_t room, const char *text) {
  const char *best = NULL;
  size_t length = 0;
  for (const char *p = text ? text : ""; *p;) {
    size_t n = strcspn(p, "\n");
    const char *found = memmem(p, n, "rror", 4);
    if (n && strspn(p, " \t\r") < n) best = p, length = n;
    if (n && found) break;
    p += n + (p[n] == '\n');
  }
  if (best) err_quote(out, room, best, length);
}

static void failed(struct measurement *m, const char *what, const char *text) {
  char line[250] = "";
  m->outcome = OUTCOME_FAILED;
  telling_line(line, sizeof line, text);
  snprintf(m->message, sizeof m->message, "%s%s%s", what, *what && *line ? ": " : "", line);
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
      failed(&told, r.end == PROCESS_MISSING ? strerror(r.code) : "the command that makes the model failed", text);
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
      failed(m, what, text);
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

/* ---- what it said ----------------------------------------------------------------------------- */

static double number_of(const json_t *object, const char *key) {
  const json_t *v = json_object_get(object, key);
  return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

static uint64_t bytes_of(const json_t *object, const char *key) {
  double x = number_of(object, key);
  return x > 0 && x < 1e18 ? (uint64_t)x : 0;
}

static void hear_thimble(struct measurement *m, const char *text, const char *errors) {
  json_t *v = text ? json_loads(text, 0, NULL) : NULL;
  if (!json_is_object(v)) {
    char what[60];
    snprintf(what, sizeof what, "no verdict, exit code %d", m->exit_code);
    failed(m, what, errors);
    json_decref(v);
    return;
  }
  const json_t *memory = json_object_get(v, "memory"), *sweep = json_object_get(v, "sweep"), *stop = json_object_get(v, "stop");
  const char *verdict = json_string_value(json_object_get(v, "verdict")), *reason = json_string_value(json_object_get(stop, "reason"));
  for (int i = 0; i < SUITE_FIGURES; i++) {
    double x = number_of(v, suite_figures[i]);
    if (x >= 0) m->figure[i] = (int64_t)x;
  }
  m->search = number_of(json_object_get(v, "time"), "search_s");
  m->held = bytes_of(memory, "peak_bytes");
  m->store = json_is_object(sweep) && bytes_of(sweep, "peak_bytes") ? bytes_of(sweep, "peak_bytes") : bytes_of(memory, "store_bytes");
  if (bytes_of(memory, "resident_peak_bytes")) m->resident = bytes_of(memory, "resident_peak_bytes");
  snprintf(m->verdict, sizeof m->verdict, "%s", verdict ? verdict : "");
  if (strcmp(m->verdict, "incomplete") == 0) {
    m->outcome = OUTCOME_INCOMPLETE;
    snprintf(m->message, sizeof m->message, "incomplete: %s", reason ? reason : "no reason told");
  } else if (!verdict || strcmp(m->verdict, "error") == 0) failed(m, "", errors);
  m->figures = json_dumps(v, JSON_COMPACT);
  if (m->figures && strlen(m->figures) > MOST_FIGURES) {
    free(m->figures);
    m->figures = NULL;
  }
  json_decref(v);
}

/* The first group of the pattern, where the text matches it for the last time (programs tell their progress before their end), as a number. */
static int found(const struct suite_find *f, const char *text, double *out) {
  regex_t re;
  regmatch_t at[2];
  char digits[64], *end;
  size_t n = 0;
  int hit = 0;
  if (regcomp(&re, f->pattern, REG_EXTENDED | REG_NEWLINE)) return 0;
  for (const char *p = text; *p && regexec(&re, p, 2, at, p == text || p[-1] == '\n' ? 0 : REG_NOTBOL) == 0; p += at[0].rm_eo > 0 ? at[0].rm_eo : 1) {
    if (at[1].rm_so < 0) continue;
    hit = 1;
    n = 0;
    for (regoff_t i = at[1].rm_so; i < at[1].rm_eo && n < sizeof digits - 1; i++)
      if (p[i] != ',' && p[i] != '_' && p[i] != '\'') digits[n++] = p[i]; /* 1,234,567 */
  }
  regfree(&re);
  digits[n] = 0;
  if (!hit || !n) return 0;
  double x = strtod(digits, &end);
  if (end == digits || !isfinite(x)) return 0;
  *out = x * f->scale + f->add;
  return 1;
}

static int matches(const char *pattern, const char *text) {
  regex_t re;
  if (regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB)) return 0;
  int hit = regexec(&re, text, 0, NULL, 0) == 0;
  regfree(&re);
  return hit;
}

static void hear_tool(struct measurement *m, const struct suite_tool *tool, const char *text) {
  json_t *figures = json_object();
  int any = 0;
  for (const struct suite_find *f = tool->finds; f && text; f = f->next) {
    double x;
    if (!found(f, text, &x)) continue;
    any = 1;
    json_object_set_new(figures, f->name, json_real(x));
    for (int i = 0; i < SUITE_FIGURES; i++)
      if (strcmp(f->name, suite_figures[i]) == 0 && x >= 0) m->figure[i] = (int64_t)llround(x);
    if (strcmp(f->name, "seconds") == 0) m->search = x;
    if (strcmp(f->name, "held") == 0 && x > 0) m->held = (uint64_t)x;
    if (strcmp(f->name, "store") == 0 && x > 0) m->store = (uint64_t)x;
  }
  for (const struct suite_find *v = tool->verdicts; v && text && !*m->verdict; v = v->next)
    if (matches(v->pattern, text)) snprintf(m->verdict, sizeof m->verdict, "%s", v->name);
  if (strcmp(m->verdict, "incomplete") == 0) {
    m->outcome = OUTCOME_INCOMPLETE;
    snprintf(m->message, sizeof m->message, "incomplete, as %s says", tool->name);
  } else if (strcmp(m->verdict, "error") == 0) failed(m, tool->name, text);
  else if ((tool->finds || tool->verdicts) && !any && !*m->verdict) {
    char what[120];
    snprintf(what, sizeof what, "exit code %d, and nothing that was looked for in the output", m->exit_code);
    failed(m, what, text);
  }
  m->figures = json_dumps(figures, JSON_COMPACT);
  json_decref(figures);
}

/* ---- what is known ---------------------------------------------------------------------------- */

static void differs(struct measurement *m, const char *format, const char *what, const char *got, const char *want) {
  size_t n = m->outcome == OUTCOME_WRONG ? strlen(m->message) : 0;
  m->outcome = OUTCOME_WRONG;
  snprintf(m->message + n, sizeof m->message - n, "%s", n ? "; " : "");
  n = strlen(m->message);
  snprintf(m->message + n, sizeof m->message - n, format, what, got, want);
}

void measurement_judge(struct measurement *m, const struct suite_task *t) {
  const struct suite_expect *x = &t->expect;
  char got[32], want[32];
  if (t->compare == COMPARE_NONE) return;
  if (m->outcome == OUTCOME_FAILED && !(x->verdict && strcmp(x->verdict, "error") == 0 && strcmp(m->verdict, "error") == 0)) return;
  if (m->outcome == OUTCOME_INCOMPLETE && !(x->verdict && t->compare <= COMPARE_VERDICT && strcmp(x->verdict, "incomplete") == 0)) return;
  if (m->outcome != OUTCOME_OK && m->outcome != OUTCOME_INCOMPLETE && m->outcome != OUTCOME_FAILED) return;
  m->outcome = OUTCOME_OK;
  m->message[0] = 0;
  int bound = t->compare == COMPARE_AT_MOST || t->compare == COMPARE_AT_LEAST;
  if (x->verdict && !bound && strcmp(x->verdict, m->verdict) != 0) differs(m, "%s is %s, not %s", "verdict", *m->verdict ? m->verdict : "not told", x->verdict);
  for (int i = 0; i < SUITE_FIGURES && t->compare != COMPARE_VERDICT; i++) {
    if (x->figure[i] < 0) continue;
    int fine = m->figure[i] >= 0 && (t->compare == COMPARE_AT_MOST ? m->figure[i] <= x->figure[i] : t->compare == COMPARE_AT_LEAST ? m->figure[i] >= x->figure[i] : m->figure[i] == x->figure[i]);
    if (m->figure[i] < 0 && t->way->tool && !t->way->tool->program) continue; /* a program that does not tell it */
    snprintf(got, sizeof got, "%lld", (long long)m->figure[i]);
    snprintf(want, sizeof want, "%lld", (long long)x->figure[i]);
    if (!fine) differs(m, t->compare == COMPARE_AT_MOST ? "%s: %s, more than %s" : t->compare == COMPARE_AT_LEAST ? "%s: %s, less than %s" : "%s: %s, not %s", suite_figures[i], got, want);
  }
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
    failed(m, what, NULL);
    break;
  default:
    snprintf(what, sizeof what, "ended by signal %d (%s)", r->code, strsignal(r->code));
    failed(m, what, errors);
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
