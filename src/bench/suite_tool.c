/* suite_tool.c -- [[tool]]: another program, by its command line and by patterns that find its figures.
 *
 * A template, so that a program can be added without code: words with {names}, extended regular expressions with a group. Patterns are compiled here once, so that a
 * wrong one is told with its place, and again where they are used. */
#include "bench/suite_read.h"

#include <regex.h>
#include <string.h>

enum { MOST_TOOLS = 1000 };

static int check_pattern(struct reader *r, const struct toml *v, const char *pattern, int groups) {
  regex_t re;
  int status = regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE);
  if (status) {
    char why[100];
    regerror(status, &re, why, sizeof why);
    return read_wrong(r, v, "the pattern is wrong: %s", why);
  }
  size_t has = re.re_nsub;
  regfree(&re);
  if (groups && !has) return read_wrong(r, v, "the pattern has no group: ( ) round the number to find");
  return 0;
}

static int append(struct reader *r, struct suite_find ***end, const struct toml *v, const char *pattern, double scale, double add) {
  struct suite_find *f = read_alloc(r, sizeof *f);
  if (!f) return -1;
  *f = (struct suite_find){.name = v->key, .pattern = pattern, .scale = scale, .add = add};
  **end = f;
  *end = &f->next;
  return 0;
}

static int read_finds(struct reader *r, const struct toml *table, struct suite_find **out) {
  static const char *const keys[] = {"match", "scale", "add", NULL};
  const struct toml *t = toml_find(table, "find");
  if (t && t->kind != TOML_TABLE) return read_wrong(r, t, "find is a table: { states = 'pattern' }");
  for (const struct toml *v = t ? t->first : NULL; v; v = v->next) {
    double scale = 1, add = 0;
    const char *pattern = v->text;
    if (v->kind == TOML_TABLE) {
      if (read_known(r, v, keys) || !(pattern = read_needed(r, v, "match", "a figure to find")) || read_real(r, v, "scale", &scale) || read_real(r, v, "add", &add)) return -1;
    } else if (v->kind != TOML_TEXT) return read_wrong(r, v, "a pattern is expected, not %s", toml_kind_name(v->kind));
    if (check_pattern(r, v, pattern, 1) || append(r, &out, v, pattern, scale, add)) return -1;
  }
  return 0;
}

static int read_verdicts(struct reader *r, const struct toml *table, struct suite_find **out) {
  const struct toml *t = toml_find(table, "verdict");
  if (t && t->kind != TOML_TABLE) return read_wrong(r, t, "verdict is a table: { holds = 'pattern', violated = 'pattern' }");
  for (const struct toml *v = t ? t->first : NULL; v; v = v->next) {
    if (v->kind != TOML_TEXT) return read_wrong(r, v, "a pattern is expected, not %s", toml_kind_name(v->kind));
    if (check_pattern(r, v, v->text, 0) || append(r, &out, v, v->text, 1, 0)) return -1;
  }
  return 0;
}

static int read_prepare(struct reader *r, const struct toml *table, struct suite_tool *t) {
  const struct toml *v = toml_find(table, "prepare");
  if (!v) return 0;
  if (v->kind != TOML_ARRAY) return read_wrong(r, v, "prepare is an array of commands: [[\"cc\", \"-o\", \"pan\", \"pan.c\"]]");
  if (!(t->prepare = read_alloc(r, (v->count + 1) * sizeof *t->prepare))) return -1;
  for (const struct toml *c = v->first; c; c = c->next) {
    if (c->kind != TOML_ARRAY || !c->count) return read_wrong(r, c, "a command is an array of words");
    if (read_word_list(r, c, &t->prepare[t->prepare_count++])) return -1;
  }
  return 0;
}

static int read_tool(struct reader *r, const struct toml *v) {
  static const char *const keys[] = {"name", "summary", "program", "languages", "version", "prepare", "command", "set", "find", "verdict", "compare", NULL};
  struct suite_tool *t = read_alloc(r, sizeof *t), **end = &r->suite->tools;
  if (!t || read_known(r, v, keys)) return -1;
  t->compare = COMPARE_NONE;
  t->file = v->file;
  if (!(t->name = read_needed(r, v, "name", "a tool")) || read_text(r, v, "summary", &t->summary) || read_text(r, v, "program", &t->program) || read_words(r, v, "languages", &t->languages) ||
      read_words(r, v, "version", &t->version) || read_prepare(r, v, t) || read_words(r, v, "command", &t->command) || read_set(r, v, "set", &t->set) || read_finds(r, v, &t->finds) ||
      read_verdicts(r, v, &t->verdicts))
    return -1;
  if (t->program) {
    t->compare = COMPARE_ALL;
    if (t->command.count || t->prepare_count || t->finds) return read_wrong(r, v, "a tool has a program, which is another thimble, or a command; not both");
    if (strchr(t->program, '/') && !(t->program = read_path(r, r->suite->folder, t->program))) return -1;
  } else if (!t->command.count || !*t->command.at[0]) return read_wrong(r, v, "tool %s has no command", t->name);
  if (read_compare(r, v, &t->compare)) return -1;
  size_t n = 0;
  for (; *end; end = &(*end)->next, n++)
    if (strcmp((*end)->name, t->name) == 0) return read_wrong(r, v, "there is a tool %s already", t->name);
  if (n == MOST_TOOLS) return read_wrong(r, v, "too many tools");
  *end = t;
  return 0;
}

int read_tools(struct reader *r, const struct toml *top) {
  const struct toml *v = toml_find(top, "tool");
  if (v && v->kind != TOML_ARRAY) return read_wrong(r, v, "tools begin with [[tool]]");
  for (const struct toml *t = v ? v->first : NULL; t; t = t->next) {
    if (t->kind != TOML_TABLE) return read_wrong(r, t, "a tool is a table");
    if (read_tool(r, t)) return -1;
  }
  return 0;
}
