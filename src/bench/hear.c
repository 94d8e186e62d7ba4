/* hear.c -- see hear.h. */
#define _GNU_SOURCE
#include "bench/hear.h"

#include <jansson.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIGURES = 1 << 20 };

const char *const outcome_names[] = {"ok", "wrong", "time", "memory", "incomplete", "failed", "missing", "absent", NULL};

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

void measurement_failed(struct measurement *m, const char *what, const char *text) {
  char line[250] = "";
  m->outcome = OUTCOME_FAILED;
  telling_line(line, sizeof line, text);
  snprintf(m->message, sizeof m->message, "%s%s%s", what, *what && *line ? ": " : "", line);
}

/* ---- what it said ----------------------------------------------------------------------------- */

static double number_of(const json_t *object, const char *key) {
  const json_t *v = json_object_get(object, key);
  return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

/* -1: it is no count. */
static int64_t count_of(double x) { return x >= 0 && x < 9e18 ? (int64_t)llround(x) : -1; }

static uint64_t as_bytes(double x) { return x > 0 && x < 1e18 ? (uint64_t)x : 0; }
static uint64_t bytes_of(const json_t *object, const char *key) { return as_bytes(number_of(object, key)); }

void hear_thimble(struct measurement *m, const char *text, const char *errors) {
  json_t *v = text ? json_loads(text, 0, NULL) : NULL;
  if (!json_is_object(v)) {
    char what[60];
    snprintf(what, sizeof what, "no verdict, exit code %d", m->exit_code);
    measurement_failed(m, what, errors);
    json_decref(v);
    return;
  }
  const json_t *memory = json_object_get(v, "memory"), *sweep = json_object_get(v, "sweep"), *stop = json_object_get(v, "stop");
  const char *verdict = json_string_value(json_object_get(v, "verdict")), *reason = json_string_value(json_object_get(stop, "reason"));
  for (int i = 0; i < SUITE_FIGURES; i++) m->figure[i] = count_of(number_of(v, suite_figures[i]));
  m->search = number_of(json_object_get(v, "time"), "search_s");
  m->held = bytes_of(memory, "peak_bytes");
  m->store = json_is_object(sweep) && bytes_of(sweep, "peak_bytes") ? bytes_of(sweep, "peak_bytes") : bytes_of(memory, "store_bytes");
  if (bytes_of(memory, "resident_peak_bytes")) m->resident = bytes_of(memory, "resident_peak_bytes");
  err_quote(m->verdict, sizeof m->verdict, verdict ? verdict : "", verdict ? strlen(verdict) : 0);
  if (strcmp(m->verdict, "incomplete") == 0) {
    char why[200] = "no reason told";
    m->outcome = OUTCOME_INCOMPLETE;
    if (reason) err_quote(why, sizeof why, reason, strlen(reason));
    snprintf(m->message, sizeof m->message, "incomplete: %s", why);
  } else if (!verdict || strcmp(m->verdict, "error") == 0) measurement_failed(m, "", errors);
  m->figures = json_dumps(v, JSON_COMPACT);
  if (m->figures && strlen(m->figures) > MOST_FIGURES) {
    free(m->figures);
    m->figures = NULL;
  }
  json_decref(v);
}

/* The first group of the pattern, where the text matches it for the last time (programs tell their progress before their end), as a number. */
static int found(const struct suite_find *f, const char *text, regoff_t length, double *out) {
  regex_t re;
  regmatch_t at[2];
  char digits[64], *end;
  size_t n = 0;
  int hit = 0;
  if (regcomp(&re, f->pattern, REG_EXTENDED | REG_NEWLINE)) return 0;
  for (regoff_t from = 0; from < length; from = at[0].rm_eo > from ? at[0].rm_eo : from + 1) {
    at[0].rm_so = from; /* the text is not measured anew for each match: of progress there may be many lines */
    at[0].rm_eo = length;
    if (regexec(&re, text, 2, at, REG_STARTEND)) break;
    if (at[1].rm_so < 0) continue;
    hit = 1;
    n = 0;
    for (regoff_t i = at[1].rm_so; i < at[1].rm_eo && n < sizeof digits - 1; i++)
      if (text[i] != ',' && text[i] != '_' && text[i] != '\'') digits[n++] = text[i]; /* 1,234,567 */
  }
  regfree(&re);
  digits[n] = 0;
  if (!hit || !n) return 0;
  double x = strtod(digits, &end);
  if (end == digits || !isfinite(x)) return 0;
  *out = x * f->scale + f->add;
  return isfinite(*out);
}

static int matches(const char *pattern, const char *text) {
  regex_t re;
  if (regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB)) return 0;
  int hit = regexec(&re, text, 0, NULL, 0) == 0;
  regfree(&re);
  return hit;
}

void hear_tool(struct measurement *m, const struct suite_tool *tool, const char *text) {
  json_t *figures = json_object();
  int any = 0;
  for (const struct suite_find *f = tool->finds; f && text; f = f->next) {
    double x;
    if (!found(f, text, (regoff_t)strlen(text), &x)) continue;
    any = 1;
    json_object_set_new(figures, f->name, json_real(x));
    for (int i = 0; i < SUITE_FIGURES; i++)
      if (strcmp(f->name, suite_figures[i]) == 0) m->figure[i] = count_of(x);
    if (strcmp(f->name, "seconds") == 0) m->search = x;
    if (strcmp(f->name, "held") == 0) m->held = as_bytes(x);
    if (strcmp(f->name, "store") == 0) m->store = as_bytes(x);
  }
  for (const struct suite_find *v = tool->verdicts; v && text && !*m->verdict; v = v->next)
    if (matches(v->pattern, text)) snprintf(m->verdict, sizeof m->verdict, "%s", v->name);
  if (strcmp(m->verdict, "incomplete") == 0) {
    m->outcome = OUTCOME_INCOMPLETE;
    snprintf(m->message, sizeof m->message, "incomplete, as %s says", tool->name);
  } else if (strcmp(m->verdict, "error") == 0) measurement_failed(m, tool->name, text);
  else if (!*m->verdict && m->exit_code) { /* figures may be those of its way until then */
    char what[120];
    snprintf(what, sizeof what, "exit code %d, and no verdict", m->exit_code);
    measurement_failed(m, what, text);
  } else if ((tool->finds || tool->verdicts) && !any && !*m->verdict) {
    char what[120];
    snprintf(what, sizeof what, "exit code %d, and nothing that was looked for in the output", m->exit_code);
    measurement_failed(m, what, text);
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

/* Does one say that there is a violation, and the other that there is none? */
static int contradicts(const char *a, const char *b) {
  int holds = strcmp(a, "holds") == 0, other = strcmp(b, "holds") == 0;
  return holds != other && strcmp(holds ? b : a, "violated") == 0;
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
  if (x->verdict && (bound ? contradicts(x->verdict, m->verdict) : strcmp(x->verdict, m->verdict) != 0)) differs(m, "%s is %s, not %s", "verdict", *m->verdict ? m->verdict : "not told", x->verdict);
  for (int i = 0; i < SUITE_FIGURES && t->compare != COMPARE_VERDICT; i++) {
    if (x->figure[i] < 0) continue;
    int fine = m->figure[i] >= 0 && (t->compare == COMPARE_AT_MOST ? m->figure[i] <= x->figure[i] : t->compare == COMPARE_AT_LEAST ? m->figure[i] >= x->figure[i] : m->figure[i] == x->figure[i]);
    if (m->figure[i] < 0 && t->way->tool && !t->way->tool->program) continue; /* a program that does not tell it */
    snprintf(got, sizeof got, "%lld", (long long)m->figure[i]);
    snprintf(want, sizeof want, "%lld", (long long)x->figure[i]);
    if (!fine) differs(m, t->compare == COMPARE_AT_MOST ? "%s: %s, more than %s" : t->compare == COMPARE_AT_LEAST ? "%s: %s, less than %s" : "%s: %s, not %s", suite_figures[i], got, want);
  }
}
