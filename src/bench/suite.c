/* suite.c -- see suite.h: models, ways, limits; then every model with every way that wants it. */
#include "bench/suite_read.h"

#include "base/hash.h"
#include "base/quantity.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TASKS = 100000, MOST_WAYS = 10000, MOST_MODELS = 10000 };

const char *const suite_clocks[] = {"wall", "search", "cpu", NULL}, *const suite_spaces[] = {"resident", "held", "store", NULL};
const char *const suite_figures[] = {"states", "transitions", "deadlocks", NULL};

int suite_matches(const struct suite_words *patterns, const char *name) {
  for (size_t i = 0; i < patterns->count; i++)
    if (fnmatch(patterns->at[i], name, 0) == 0) return 1;
  return !patterns->count;
}

/* ---- parts ------------------------------------------------------------------------------------ */

/* One option of check, as often as its value says; number 0: it is taken back. */
static int read_option(struct reader *r, const struct toml *v, struct suite_pair ***end) {
  int takes = r->host && r->host->option ? r->host->option(v->key) : 3;
  const struct toml *at = v->kind == TOML_ARRAY ? v->first : v;
  if (!takes) {
    char quoted[80];
    read_wrong(r, v, "check has no option --%s", err_quote(quoted, sizeof quoted, v->key, strlen(v->key)));
    const char *near = r->host->near_option ? r->host->near_option(v->key) : NULL;
    if (near) err_hint(r->err, "did you mean %s?", near);
    return -1;
  }
  for (; at; at = v->kind == TOML_ARRAY ? at->next : NULL) {
    struct suite_pair *p = read_alloc(r, sizeof *p);
    if (!p) return -1;
    p->name = v->key;
    p->number = 1;
    if (at->kind == TOML_BOOL) p->number = at->truth;
    else if (at->kind == TOML_TEXT) p->value = at->text;
    else if (at->kind == TOML_INTEGER) p->value = read_format(r, "%lld", (long long)at->integer);
    else if (at->kind == TOML_REAL) p->value = read_format(r, "%.17g", at->real);
    else return read_wrong(r, at, "--%s takes a string, a number, true or false", v->key);
    if (r->err->kind) return -1;
    if (at->kind == TOML_BOOL ? at->truth && takes == 2 : takes == 1) return read_wrong(r, at, takes == 1 ? "--%s is a flag: true or false" : "--%s takes a value", v->key);
    **end = p;
    *end = &p->next;
  }
  return 0;
}

static int read_options(struct reader *r, const struct toml *table, struct suite_pair **out) {
  const struct toml *t = toml_find(table, "options");
  if (!t) return 0;
  if (t->kind != TOML_TABLE) return read_wrong(r, t, "options is a table: { store = \"plain\" }");
  for (const struct toml *v = t->first; v; v = v->next)
    if (read_option(r, v, &out)) return -1;
  return 0;
}

static void nothing_expected(struct suite_expect *e) {
  e->verdict = NULL;
  for (int i = 0; i < SUITE_FIGURES; i++) e->figure[i] = -1;
}

static int read_expect(struct reader *r, const struct toml *table, struct suite_expect *out) {
  static const char *const keys[] = {"verdict", "states", "transitions", "deadlocks", NULL};
  static const char *const verdicts[] = {"holds", "violated", "incomplete", "no-violation-lossy", "error", NULL};
  const struct toml *t = toml_find(table, "expect");
  nothing_expected(out);
  if (!t) return 0;
  if (t->kind != TOML_TABLE) return read_wrong(r, t, "expect is a table: { verdict = \"holds\", states = 12 }");
  if (read_known(r, t, keys) || read_choice(r, t, "verdict", verdicts, &out->verdict, NULL)) return -1;
  for (int i = 0; i < SUITE_FIGURES; i++)
    if (read_count(r, t, suite_figures[i], 0, INT64_MAX, &out->figure[i])) return -1;
  return 0;
}

/* NAME=VALUE texts, from an array of them or from a table. */
static int read_defines(struct reader *r, const struct toml *table, struct suite_words *out) {
  const struct toml *t = toml_find(table, "define");
  if (!t || t->kind != TOML_TABLE) return read_words(r, table, "define", out);
  struct suite_pair *pairs = NULL;
  if (read_set(r, table, "define", &pairs) || !(out->at = read_alloc(r, (t->count + 1) * sizeof *out->at))) return -1;
  out->count = t->count;
  size_t n = t->count; /* read_set gives them in reverse */
  for (struct suite_pair *p = pairs; p; p = p->next)
    if (!(out->at[--n] = read_format(r, "%s=%s", p->name, p->value))) return -1;
  return 0;
}

static int read_extras(struct reader *r, const struct toml *model, struct suite_model *m) {
  static const char *const keys[] = {"expect", "paper", "skip", NULL};
  const struct toml *t = toml_find(model, "task");
  if (!t) return 0;
  if (t->kind != TOML_TABLE) return read_wrong(r, t, "task is a table: [model.task] with a line for each way");
  for (const struct toml *v = t->first; v; v = v->next) {
    struct suite_task_extra *x = read_alloc(r, sizeof *x);
    if (!x) return -1;
    if (v->kind != TOML_TABLE) return read_wrong(r, v, "a table is expected: { expect = {...}, paper = {...} }");
    x->way = v->key;
    const struct toml *skip = toml_find(v, "skip");
    if (read_known(r, v, keys) || read_expect(r, v, &x->expect) || read_figures(r, v, "paper", &x->paper)) return -1;
    if (skip && skip->kind != TOML_BOOL) return read_wrong(r, skip, "skip is true or false");
    x->skip = skip && skip->truth;
    x->next = m->extras;
    m->extras = x;
    struct suite_words one = {&x->way, 1};
    int used = 0;
    for (const struct suite_way *w = r->suite->ways; w && !used; w = w->next) used = suite_matches(&one, w->name);
    if (!used) {
      char quoted[80];
      return read_wrong(r, v, "no way is called '%s'", err_quote(quoted, sizeof quoted, v->key, strlen(v->key)));
    }
  }
  return 0;
}

static const char *suffix_of(const char *file) {
  const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
  return dot && dot[1] ? dot + 1 : "";
}

/* Where the model, or one of `also`, comes from. */
static int read_source(struct reader *r, const struct toml *v, struct suite_source *m) {
  struct suite *s = r->suite;
  const char *file = NULL;
  if (read_text(r, v, "file", &file) || read_words(r, v, "generate", &m->generate) || read_text(r, v, "suffix", &m->suffix)) return -1;
  if (!file == !m->generate.count) return read_wrong(r, v, "a model has a file, or a command that generates it");
  if (m->generate.count && !*m->generate.at[0]) return read_wrong(r, v, "a command begins with a program");
  if (m->generate.count && !m->suffix) m->suffix = "net";
  if (m->suffix && strpbrk(m->suffix, "/. ")) return read_wrong(r, v, "a suffix is letters and digits: net, pml");
  m->file = "";
  m->number = s->source_count++;
  if (!file) return 0;
  m->may_miss = strncmp(file, "corpus:", 7) == 0;
  const char *corpus = getenv("THIMBLE_CORPUS"), *folder = !m->may_miss ? s->folder : corpus && *corpus ? corpus : s->corpus ? s->corpus : "";
  if (!(m->file = read_path(r, folder, file + (m->may_miss ? 7 : 0)))) return -1;
  if (!m->suffix) m->suffix = suffix_of(m->file);
  return 0;
}

static int read_also(struct reader *r, const struct toml *model, struct suite_source *end) {
  static const char *const keys[] = {"file", "generate", "suffix", NULL};
  const struct toml *v = toml_find(model, "also");
  if (v && v->kind != TOML_ARRAY) return read_wrong(r, v, "also is an array: [{ file = \"model.pn\" }]");
  for (const struct toml *t = v ? v->first : NULL; t; t = t->next) {
    if (t->kind != TOML_TABLE) return read_wrong(r, t, "a table is expected: { file = \"model.pn\" }");
    if (!(end->next = read_alloc(r, sizeof *end)) || read_known(r, t, keys) || read_source(r, t, end->next)) return -1;
    end = end->next;
  }
  return 0;
}

static int read_model(struct reader *r, const struct toml *v) {
  static const char *const keys[] = {"name", "file", "generate", "suffix", "also", "family", "size", "define", "options", "set", "expect", "ways", "task", NULL};
  struct suite_model *m = read_alloc(r, sizeof *m), **end = &r->suite->models;
  if (!m || read_known(r, v, keys)) return -1;
  m->size = NAN;
  m->line = v->line;
  if (read_source(r, v, &m->source) || read_also(r, v, &m->source) || read_text(r, v, "name", &m->name) || read_text(r, v, "family", &m->family) || read_real(r, v, "size", &m->size) ||
      read_defines(r, v, &m->defines) || read_options(r, v, &m->options) || read_set(r, v, "set", &m->set) || read_expect(r, v, &m->expect) || read_words(r, v, "ways", &m->ways) || read_extras(r, v, m))
    return -1;
  const char *slash = strrchr(m->source.file, '/');
  if (!m->name && !slash) return read_wrong(r, v, "a generated model needs a name");
  if (!m->name) m->name = slash + 1;
  if (!m->family) m->family = m->name;
  size_t n = 0;
  for (; *end; end = &(*end)->next, n++)
    if (strcmp((*end)->name, m->name) == 0) return read_wrong(r, v, "there is a model %s already", m->name);
  if (n == MOST_MODELS) return read_wrong(r, v, "too many models");
  *end = m;
  return 0;
}

/* ---- ways ------------------------------------------------------------------------------------- */

static int add_way(struct reader *r, const struct toml *v, struct suite_way *w) {
  struct suite_way **end = &r->suite->ways;
  size_t n = 0;
  for (; *end; end = &(*end)->next, n++)
    if (strcmp((*end)->name, w->name) == 0) return read_wrong(r, v, "there is a way %s already", w->name);
  if (n == MOST_WAYS) return read_wrong(r, v, "too many ways");
  *end = w;
  return 0;
}

static int read_way(struct reader *r, const struct toml *v) {
  static const char *const keys[] = {"name", "tool", "options", "set", "arguments", "models", "compare", "expect", NULL};
  struct suite_way *w = read_alloc(r, sizeof *w);
  const char *tool = NULL;
  if (!w || read_known(r, v, keys)) return -1;
  if (!(w->name = read_needed(r, v, "name", "a way")) || read_text(r, v, "tool", &tool)) return -1;
  for (const struct suite_tool *t = tool ? r->suite->tools : NULL; t; t = t->next)
    if (strcmp(t->name, tool) == 0) w->tool = t;
  if (tool && !w->tool) {
    char quoted[80];
    read_wrong(r, toml_find(v, "tool"), "there is no tool '%s'", err_quote(quoted, sizeof quoted, tool, strlen(tool)));
    err_hint(r->err, "include = [\"FILE.toml\"] brings tools of another file");
    return -1;
  }
  w->compare = w->tool ? w->tool->compare : COMPARE_ALL;
  const struct toml *options = toml_find(v, "options");
  if (options && w->tool && !w->tool->program) return read_wrong(r, options, "options are those of thimble; %s has set and arguments", tool);
  if (read_options(r, v, &w->options) || read_set(r, v, "set", &w->set) || read_words(r, v, "arguments", &w->arguments) || read_words(r, v, "models", &w->models) || read_compare(r, v, &w->compare) ||
      read_expect(r, v, &w->expect))
    return -1;
  return add_way(r, v, w);
}

/* [matrix]: every combination of the values is a way, named by them. */
static int read_matrix(struct reader *r, const struct toml *t) {
  enum { MOST = 16 };
  const struct toml *at[MOST];
  size_t n = 0, all = 1;
  if (!t) return 0;
  if (t->kind != TOML_TABLE) return read_wrong(r, t, "matrix is a table: store = [\"plain\", \"tree\"]");
  for (const struct toml *v = t->first; v; v = v->next) {
    if (v->kind != TOML_ARRAY || !v->count) return read_wrong(r, v, "an array of values is expected");
    if (n == MOST || all * v->count > MOST_WAYS) return read_wrong(r, v, "too many combinations");
    all *= v->count;
    at[n++] = v->first;
  }
  for (size_t k = 0, i = 0; n && k < all; k++) {
    struct suite_way *w = read_alloc(r, sizeof *w);
    if (!w) return -1;
    struct suite_pair **end = &w->options;
    const struct toml *v = t->first;
    nothing_expected(&w->expect);
    for (i = 0; i < n; i++, v = v->next) {
      struct toml one = *at[i];
      one.key = v->key;
      if (one.kind == TOML_ARRAY || one.kind == TOML_TABLE) return read_wrong(r, &one, "a string, a number, true or false is expected");
      struct suite_pair **before = end;
      if (read_option(r, &one, &end)) return -1;
      const char *part = (*before)->value ? (*before)->value : (*before)->number ? v->key : NULL;
      if (part && !(w->name = w->name ? read_format(r, "%s %s", w->name, part) : part)) return -1;
    }
    if (!w->name) w->name = "default";
    if (add_way(r, t, w)) return -1;
    /* the next combination: the last key changes fastest */
    const struct toml *key[MOST];
    for (i = 0, v = t->first; v; v = v->next) key[i++] = v;
    for (i = n; i-- > 0;) {
      if ((at[i] = at[i]->next)) break;
      at[i] = key[i]->first;
    }
  }
  return 0;
}

static int read_bar(struct reader *r, const struct toml *v) {
  static const char *const keys[] = {"figure", "way", "against", "models", "at_most", "at_least", NULL};
  struct suite_bar *b = read_alloc(r, sizeof *b), **end = &r->suite->bars;
  if (!b || read_known(r, v, keys)) return -1;
  b->at_most = b->at_least = NAN;
  b->models = "*";
  if (!(b->figure = read_needed(r, v, "figure", "a bar")) || !(b->way = read_needed(r, v, "way", "a bar")) || read_text(r, v, "against", &b->against) || read_text(r, v, "models", &b->models) ||
      read_real(r, v, "at_most", &b->at_most) || read_real(r, v, "at_least", &b->at_least))
    return -1;
  if (isnan(b->at_most) && isnan(b->at_least)) return read_wrong(r, v, "a bar has at_most, or at_least, or both");
  for (const char **name = (const char *[]){b->way, b->against, NULL}; *name; name++) {
    const struct suite_way *w = r->suite->ways;
    while (w && strcmp(w->name, *name) != 0) w = w->next;
    if (!w) return read_wrong(r, v, "there is no way '%.60s'", *name);
  }
  const struct suite_model *m = r->suite->models;
  while (m && fnmatch(b->models, m->name, 0) != 0) m = m->next;
  if (!m) return read_wrong(r, v, "no model matches '%.60s'", b->models);
  while (*end) end = &(*end)->next;
  *end = b;
  return 0;
}

static int each(struct reader *r, const struct toml *top, const char *key, int (*read)(struct reader *, const struct toml *)) {
  const struct toml *v = toml_find(top, key);
  if (!v) return 0;
  if (v->kind != TOML_ARRAY) return read_wrong(r, v, "a %s begins with [[%s]]", key, key);
  for (const struct toml *t = v->first; t; t = t->next) {
    if (t->kind != TOML_TABLE) return read_wrong(r, t, "a table is expected");
    if (read(r, t)) return -1;
  }
  return 0;
}

/* ---- tasks ------------------------------------------------------------------------------------ */

/* The model as the way wants it; NULL: it does not. */
static const struct suite_source *wanted(const struct suite_model *m, const struct suite_way *w) {
  if (!suite_matches(&m->ways, w->name) || !suite_matches(&w->models, m->name)) return NULL;
  if (!w->tool || !w->tool->languages.count) return &m->source;
  for (const struct suite_source *s = &m->source; s; s = s->next)
    for (size_t i = 0; i < w->tool->languages.count; i++)
      if (strcmp(w->tool->languages.at[i], s->suffix) == 0) return s;
  return NULL;
}

static void make_task(struct suite_task *t, const struct suite_model *m, const struct suite_way *w, int *skip) {
  *t = (struct suite_task){.model = m, .way = w, .expect = m->expect, .compare = w->compare};
  const struct suite_expect *over[2] = {&w->expect, NULL};
  *skip = 0;
  for (const struct suite_task_extra *x = m->extras; x; x = x->next) {
    struct suite_words one = {(const char **)&x->way, 1};
    if (!suite_matches(&one, w->name)) continue;
    over[1] = &x->expect;
    *skip |= x->skip;
    if (x->paper) t->paper = x->paper;
  }
  for (int k = 0; k < 2 && (k == 0 || over[k]); k++) {
    if (over[k]->verdict) t->expect.verdict = over[k]->verdict;
    for (int i = 0; i < SUITE_FIGURES; i++)
      if (over[k]->figure[i] >= 0) t->expect.figure[i] = over[k]->figure[i];
  }
  if (over[1] && t->compare != COMPARE_NONE) { /* said of this very task: exactly so */
    int stated = over[1]->verdict != NULL;
    for (int i = 0; i < SUITE_FIGURES; i++) stated |= over[1]->figure[i] >= 0;
    if (stated) {
      if (t->compare != COMPARE_ALL) t->expect = *over[1];
      t->compare = COMPARE_ALL;
    }
  }
}

static int make_tasks(struct reader *r) {
  struct suite *s = r->suite;
  size_t models = 0, ways = 0;
  int skip;
  for (const struct suite_model *m = s->models; m; m = m->next) models++;
  for (const struct suite_way *w = s->ways; w; w = w->next) ways++;
  if (models && ways > TASKS / models) return err_input(r->err, (struct place_in_text){s->file, 0, 0}, "%zu models in %zu ways are too many", models, ways);
  if (!(s->tasks = read_alloc(r, (models * ways + 1) * sizeof *s->tasks))) return -1;
  for (const struct suite_model *m = s->models; m; m = m->next)
    for (const struct suite_way *w = s->ways; w; w = w->next) {
      const struct suite_source *source = wanted(m, w);
      if (!source) continue;
      make_task(&s->tasks[s->task_count], m, w, &skip);
      s->tasks[s->task_count].source = source;
      s->task_count += !skip;
    }
  if (!s->task_count) return err_input(r->err, (struct place_in_text){s->file, 0, 0}, "there is nothing to run: no model, or no way that fits one");
  return 0;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static int read_limits(struct reader *r, const struct toml *top) {
  struct suite *s = r->suite;
  const char *seconds = NULL, *bytes = NULL;
  uint64_t size;
  if (read_text(r, top, "time", &seconds) || read_text(r, top, "memory", &bytes)) return -1;
  if (seconds && (quantity_duration(seconds, &s->seconds) || s->seconds <= 0)) return read_wrong(r, toml_find(top, "time"), "a time like \"90s\" or \"2m\" is expected");
  if (bytes && (quantity_size(bytes, mem_machine(), &size) || !size)) return read_wrong(r, toml_find(top, "memory"), "a size like \"512M\" or \"2G\" is expected");
  if (bytes) s->bytes = size;
  return 0;
}

static int read_includes(struct reader *r, const struct toml *top, int may_include) {
  static const char *const keys[] = {"tool", NULL};
  struct suite_words files = {0};
  if (read_words(r, top, "include", &files)) return -1;
  for (size_t i = 0; i < files.count; i++) {
    struct toml *other;
    const char *text, *path = read_path(r, r->suite->folder, files.at[i]);
    size_t length;
    if (!path) return -1;
    if (!may_include) return read_wrong(r, toml_find(top, "include"), "files cannot be included here");
    if (toml_read(&other, path, &text, &length, &r->suite->arena, r->err)) return -1;
    r->suite->hash = hash_bytes_seeded(text, length, r->suite->hash);
    if (read_known(r, other, keys) || read_tools(r, other)) return -1;
  }
  return 0;
}

static int read_suite(struct reader *r, const struct toml *top, int may_include) {
  static const char *const keys[] = {"name", "title", "include", "corpus", "repetitions", "warm_up", "time", "memory", "clock", "space", "baseline", "columns", "options", "matrix", "model", "way", "tool", "bar", NULL};
  struct suite *s = r->suite;
  int64_t repetitions = 1, warm_up = 0;
  if (read_known(r, top, keys) || read_text(r, top, "name", &s->name) || read_text(r, top, "title", &s->title) || read_text(r, top, "corpus", &s->corpus) || read_count(r, top, "repetitions", 1, 1000, &repetitions) ||
      read_count(r, top, "warm_up", 0, 100, &warm_up) || read_limits(r, top) || read_choice(r, top, "clock", suite_clocks, &s->clock, NULL) || read_choice(r, top, "space", suite_spaces, &s->space, NULL) ||
      read_text(r, top, "baseline", &s->baseline) || read_words(r, top, "columns", &s->columns) || read_options(r, top, &s->options) || read_includes(r, top, may_include) || read_tools(r, top) ||
      each(r, top, "way", read_way) || read_matrix(r, toml_find(top, "matrix")))
    return -1;
  s->repetitions = (uint64_t)repetitions;
  s->warm_up = (uint64_t)warm_up;
  if (s->corpus && !(s->corpus = read_path(r, s->folder, s->corpus))) return -1;
  if (!s->ways) {
    struct suite_way *w = read_alloc(r, sizeof *w);
    if (!w) return -1;
    w->name = "thimble";
    nothing_expected(&w->expect);
    s->ways = w;
  }
  const struct suite_way *base = s->ways;
  while (s->baseline && base && strcmp(base->name, s->baseline) != 0) base = base->next;
  if (!base) return read_wrong(r, toml_find(top, "baseline"), "no way is called '%.60s'", s->baseline);
  s->baseline = base->name;
  if (each(r, top, "model", read_model) || each(r, top, "bar", read_bar)) return -1;
  return make_tasks(r);
}

static int begin(struct reader *r, const char *file) {
  struct suite *s = r->suite;
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
  s->clock = suite_clocks[0];
  s->space = suite_spaces[0];
  if (!(s->file = read_format(r, "%s", file))) return -1;
  if (!(s->name = read_format(r, "%.*s", (int)(dot && dot > base ? dot - base : (ptrdiff_t)strlen(base)), base))) return -1;
  return 0;
}

static int find_folder(struct reader *r, const char *file) {
  char real[PATH_MAX];
  const char *slash = strrchr(file, '/');
  const char *folder = !slash ? "." : slash == file ? "/" : read_format(r, "%.*s", (int)(slash - file), file);
  if (!folder) return -1;
  if (!realpath(folder, real)) return err_io(r->err, file, "cannot be opened: %s", strerror(errno));
  return (r->suite->folder = read_format(r, "%s", real)) ? 0 : -1;
}

/* Every model of a folder, by name, one way. */
static int read_folder(struct reader *r, const char *folder) {
  struct suite *s = r->suite;
  char real[PATH_MAX];
  struct dirent **list;
  if (!realpath(folder, real) || !(s->folder = read_format(r, "%s", real))) return err_io(r->err, folder, "cannot be opened: %s", strerror(errno));
  const char *slash = strrchr(s->folder, '/');
  if (!(s->file = read_format(r, "%s", folder)) || !(s->name = read_format(r, "%s", slash[1] ? slash + 1 : "root"))) return -1;
  struct suite_way *w = read_alloc(r, sizeof *w);
  if (!w) return -1;
  w->name = "thimble";
  nothing_expected(&w->expect);
  s->ways = w;
  s->repetitions = 1;
  s->clock = suite_clocks[0];
  s->space = suite_spaces[0];
  s->baseline = w->name;
  struct suite_model **end = &s->models;
  int n = scandir(folder, &list, NULL, alphasort), bad = 0;
  if (n < 0) return err_io(r->err, folder, "cannot be read: %s", strerror(errno));
  for (int i = 0; i < n; i++) {
    const char *name = list[i]->d_name;
    if (*name != '.' && !bad && r->host && r->host->is_model && r->host->is_model(name)) {
      struct suite_model *m = read_alloc(r, sizeof *m);
      if (!m || !(m->name = m->family = read_format(r, "%s", name)) || !(m->source.file = read_path(r, s->folder, name))) bad = 1;
      else {
        m->source.suffix = suffix_of(m->source.file);
        m->source.number = s->source_count++;
        m->size = NAN;
        nothing_expected(&m->expect);
        s->hash = hash_bytes_seeded(name, strlen(name), s->hash);
        *end = m;
        end = &m->next;
      }
    }
    free(list[i]);
  }
  free(list);
  return bad ? -1 : make_tasks(r);
}

int suite_open(struct suite *s, const char *file, const struct suite_host *host, struct mem *mem, struct err *e) {
  struct reader r = {s, host, e};
  struct stat st;
  struct toml *top;
  const char *text;
  size_t length;
  *s = (struct suite){0};
  arena_open(&s->arena, mem, MEM_OTHER);
  if (stat(file, &st)) return err_io(e, file, "cannot be opened: %s", strerror(errno));
  if (S_ISDIR(st.st_mode)) return read_folder(&r, file);
  if (begin(&r, file) || find_folder(&r, file) || toml_read(&top, file, &text, &length, &s->arena, e)) return -1;
  s->hash = hash_bytes(text, length);
  return read_suite(&r, top, 1);
}

int suite_parse(struct suite *s, const char *file, const char *text, size_t length, const struct suite_host *host, struct mem *mem, struct err *e) {
  struct reader r = {s, host, e};
  struct toml *top;
  *s = (struct suite){0};
  arena_open(&s->arena, mem, MEM_OTHER);
  if (begin(&r, file)) return -1;
  s->folder = "/";
  s->hash = hash_bytes(text, length);
  if (toml_parse(&top, file, text, length, &s->arena, e)) return -1;
  return read_suite(&r, top, 0);
}

void suite_close(struct suite *s) { arena_close(&s->arena); }
