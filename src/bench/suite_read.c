/* suite_read.c -- see suite_read.h. */
#include "bench/suite_read.h"

#include "base/near.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int read_wrong(struct reader *r, const struct toml *v, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return err_input(r->err, toml_at(v), "%s", text);
}

void *read_alloc(struct reader *r, size_t bytes) {
  void *p = arena_alloc(&r->suite->arena, bytes);
  if (!p) err_memory(r->err, "the suite");
  return p;
}

const char *read_format(struct reader *r, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  char *out = read_alloc(r, (size_t)n + 1);
  if (out) vsnprintf(out, (size_t)n + 1, format, again);
  va_end(args);
  va_end(again);
  return out;
}

int read_known(struct reader *r, const struct toml *table, const char *const *keys) {
  for (const struct toml *v = table->first; v; v = v->next) {
    size_t i = 0;
    while (keys[i] && strcmp(keys[i], v->key) != 0) i++;
    if (keys[i]) continue;
    struct near n;
    char quoted[80];
    near_open(&n, v->key, strlen(v->key));
    for (i = 0; keys[i]; i++) near_offer(&n, keys[i]);
    read_wrong(r, v, "there is no key '%s' here", err_quote(quoted, sizeof quoted, v->key, strlen(v->key)));
    if (near_best(&n)) err_hint(r->err, "did you mean %s?", near_best(&n));
    else err_hint(r->err, "doc/bench.md tells what a suite has");
    return -1;
  }
  return 0;
}

int read_text(struct reader *r, const struct toml *table, const char *key, const char **out) {
  const struct toml *v = toml_find(table, key);
  if (!v) return 0;
  if (v->kind != TOML_TEXT) return read_wrong(r, v, "%s is a string, not %s", key, toml_kind_name(v->kind));
  if (!*v->text) return read_wrong(r, v, "%s is empty", key);
  *out = v->text;
  return 0;
}

const char *read_needed(struct reader *r, const struct toml *table, const char *key, const char *what) {
  const char *text = NULL;
  if (read_text(r, table, key, &text)) return NULL;
  if (!text) read_wrong(r, table, "%s has no %s", what, key);
  return text;
}

int read_count(struct reader *r, const struct toml *table, const char *key, int64_t least, int64_t most, int64_t *out) {
  const struct toml *v = toml_find(table, key);
  if (!v) return 0;
  if (v->kind != TOML_INTEGER) return read_wrong(r, v, "%s is a whole number, not %s", key, toml_kind_name(v->kind));
  if (v->integer < least || v->integer > most) return read_wrong(r, v, "%s lies between %lld and %lld", key, (long long)least, (long long)most);
  *out = v->integer;
  return 0;
}

int read_real(struct reader *r, const struct toml *table, const char *key, double *out) {
  const struct toml *v = toml_find(table, key);
  if (!v) return 0;
  if ((v->kind != TOML_INTEGER && v->kind != TOML_REAL) || !isfinite(v->real)) return read_wrong(r, v, "%s is a number", key);
  *out = v->real;
  return 0;
}

int read_choice(struct reader *r, const struct toml *table, const char *key, const char *const *words, const char **out, int *which) {
  const struct toml *v = toml_find(table, key);
  const char *text = NULL;
  char list[200] = "";
  if (!v) return 0;
  if (read_text(r, table, key, &text)) return -1;
  for (int i = 0; words[i]; i++) {
    if (strcmp(words[i], text) == 0) {
      if (out) *out = words[i];
      if (which) *which = i;
      return 0;
    }
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", words[i]);
  }
  return read_wrong(r, v, "%s is one of %s", key, list);
}

int read_word_list(struct reader *r, const struct toml *v, struct suite_words *out) {
  out->count = 0;
  if (v->kind != TOML_ARRAY && v->kind != TOML_TEXT) return read_wrong(r, v, "an array of strings is expected, not %s", toml_kind_name(v->kind));
  if (!(out->at = read_alloc(r, (v->count + 2) * sizeof *out->at))) return -1;
  if (v->kind == TOML_TEXT) out->at[out->count++] = v->text;
  for (const struct toml *w = v->kind == TOML_ARRAY ? v->first : NULL; w; w = w->next) {
    if (w->kind != TOML_TEXT) return read_wrong(r, w, "a string is expected, not %s", toml_kind_name(w->kind));
    out->at[out->count++] = w->text;
  }
  return 0;
}

int read_words(struct reader *r, const struct toml *table, const char *key, struct suite_words *out) {
  const struct toml *v = toml_find(table, key);
  return v ? read_word_list(r, v, out) : 0;
}

int read_set(struct reader *r, const struct toml *table, const char *key, struct suite_pair **out) {
  const struct toml *t = toml_find(table, key);
  if (!t) return 0;
  if (t->kind != TOML_TABLE) return read_wrong(r, t, "%s is a table: { name = value }", key);
  for (const struct toml *v = t->first; v; v = v->next) {
    struct suite_pair *p = read_alloc(r, sizeof *p);
    if (!p) return -1;
    p->name = v->key;
    if (v->kind == TOML_TEXT) p->value = v->text;
    else if (v->kind == TOML_INTEGER) p->value = read_format(r, "%lld", (long long)v->integer);
    else if (v->kind == TOML_REAL) p->value = read_format(r, "%.17g", v->real);
    else return read_wrong(r, v, "a string or a number is expected, not %s", toml_kind_name(v->kind));
    if (!p->value) return -1;
    p->next = *out;
    *out = p;
  }
  return 0;
}

int read_figures(struct reader *r, const struct toml *table, const char *key, struct suite_pair **out) {
  const struct toml *t = toml_find(table, key);
  if (!t) return 0;
  if (t->kind != TOML_TABLE) return read_wrong(r, t, "%s is a table: { states = 1, time = 2.5 }", key);
  for (const struct toml *v = t->first; v; v = v->next) {
    struct suite_pair *p = read_alloc(r, sizeof *p);
    if (!p) return -1;
    if ((v->kind != TOML_INTEGER && v->kind != TOML_REAL) || !isfinite(v->real)) return read_wrong(r, v, "a number is expected, not %s", toml_kind_name(v->kind));
    *p = (struct suite_pair){.name = v->key, .number = v->real, .next = *out};
    *out = p;
  }
  return 0;
}

int read_compare(struct reader *r, const struct toml *table, enum suite_compare *out) {
  static const char *const words[] = {"all", "at most", "at least", "verdict", "none", NULL};
  int which = (int)*out;
  if (read_choice(r, table, "compare", words, NULL, &which)) return -1;
  *out = (enum suite_compare)which;
  return 0;
}

const char *read_path(struct reader *r, const char *folder, const char *file) {
  return *file == '/' ? read_format(r, "%s", file) : read_format(r, "%s/%s", folder, file);
}
