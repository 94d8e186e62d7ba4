/* include.c -- what a model includes stays below its folder and those of -I.
 *
 * The preprocessor opens whatever `#include` names.  So before it runs, all that it could include is looked for: in the model's text, and in each file found there, once.  Whether a
 * directive counts (#if) is not asked: what must not be read is refused even where it would be skipped.
 *
 * The scan must never overlook a directive that the preprocessor sees.  It goes by the same rules: lines that end with \ are joined first, then come comments, strings and characters (which end
 * with their line at the latest), and a # that is the first thing in its line, or %:, begins a directive.  The preprocessor is run as for C90 with GNU's extensions (preprocess.c), which has
 * neither raw strings nor trigraphs.  What could be read in two ways is refused: quotes and comments in names of files, names that come from macros.
 *
 * Somebody who changes the files between this look and the preprocessor's is not kept out. */
#define _GNU_SOURCE
#include "front/promela/source.h"

#include "front/below.h"
#include "front/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MOST = 256, FILE_LARGEST = 16 << 20, NAME_MOST = 1024 };

struct met { /* a file that is to be scanned, or was */
  char *path; /* as the preprocessor names it */
  dev_t device;
  ino_t number;
};

struct scan {
  const struct front_setup *setup;
  struct err *err;
  struct vec(struct met) files;
  const char *file; /* whose text it is; NULL: the model's own, which comes from standard input */
  const char *text;
  size_t at, length;
  long line;
  int returns_end; /* lines end at carriage returns, too */
};

/* ---- characters -------------------------------------------------------------------------------------------------------------- */

static int blank(int c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == 0; }

/* The character at `at` once lines are joined, or -1 at the end; *next is behind it. */
static int look(const struct scan *s, size_t at, size_t *next) {
  while (at < s->length && s->text[at] == '\\') {
    size_t end = at + 1;
    while (end < s->length && (blank(s->text[end]) || s->text[end] == '\r')) end++;
    if ((end == s->length || s->text[end] != '\n') && !(s->returns_end && memchr(s->text + at, '\r', end - at))) break;
    at = end + (end < s->length && s->text[end] == '\n');
  }
  *next = at + 1;
  if (at >= s->length) return -1;
  return s->text[at] == '\r' && s->returns_end ? '\n' : (unsigned char)s->text[at];
}

static int here(const struct scan *s) {
  size_t next;
  return look(s, s->at, &next);
}

static int behind(const struct scan *s) {
  size_t next, after;
  look(s, s->at, &next);
  return look(s, next, &after);
}

static void step(struct scan *s) {
  size_t next;
  look(s, s->at, &next);
  for (size_t i = s->at; i < next && i < s->length; i++) s->line += s->text[i] == '\n';
  s->at = next < s->length ? next : s->length;
}

/* A comment, if one begins here. */
static int pass_comment(struct scan *s) {
  if (here(s) != '/') return 0;
  int kind = behind(s);
  if (kind != '*' && kind != '/') return 0;
  step(s), step(s);
  if (kind == '/') {
    while (here(s) >= 0 && here(s) != '\n') step(s);
    return 1;
  }
  while (here(s) >= 0 && !(here(s) == '*' && behind(s) == '/')) step(s);
  step(s), step(s);
  return 1;
}

static void pass_blanks(struct scan *s) {
  while (blank(here(s)) || here(s) == '\r' || pass_comment(s))
    if (blank(here(s)) || here(s) == '\r') step(s);
}

static void pass_string(struct scan *s, int quote) {
  for (step(s); here(s) >= 0 && here(s) != '\n' && here(s) != quote; step(s))
    if (here(s) == '\\' && behind(s) != '\n') step(s);
  if (here(s) == quote) step(s);
}

static void pass_line(struct scan *s) {
  while (here(s) >= 0 && here(s) != '\n') {
    if (pass_comment(s)) continue;
    if (here(s) == '"' || here(s) == '\'') pass_string(s, here(s));
    else step(s);
  }
}

/* ---- files ------------------------------------------------------------------------------------------------------------------- */

static void tell(struct scan *s, long line, const char *format, const char *name) {
  char shown[200];
  struct place_in_text at = {s->file ? s->file : s->setup->file, line, 1};
  err_input(s->err, at, format, err_quote(shown, sizeof shown, name, strlen(name)));
}

static int refuse(struct scan *s, long line, const char *format, const char *name) {
  tell(s, line, format, name);
  err_hint(s->err, "a model may include files below its own folder; -I FOLDER allows others");
  return -1;
}

/* What lies outside, and which folder would have to be allowed: as far up as the name goes by `..`,
   so that what lies beside is allowed with it, or where an absolute name says. A link leads where
   it leads: that is for the user to find out. */
static int outside(struct scan *s, const char *path, const char *name, long line) {
  static const char told[] = "the included file \"%s\" lies outside of the model's folder";
  char reach[PATH_MAX], real[PATH_MAX], here[PATH_MAX], shown[200];
  size_t up = 0, before = strlen(path) - strlen(name);
  while (!strncmp(name + up, "../", 3)) up += 3;
  memcpy(reach, path, strlen(path) + 1);
  if (up) reach[before + up] = 0;
  else if (strrchr(reach, '/')) *strrchr(reach, '/') = 0;
  if ((!up && *name != '/') || !realpath(*reach ? reach : "/", real) || !getcwd(here, sizeof here))
    return refuse(s, line, told, path);
  size_t cut = strlen(here);
  const char *shorter = strncmp(real, here, cut) != 0 || (real[cut] && real[cut] != '/') ? real
                        : real[cut] ? real + cut + 1
                                    : ".";
  tell(s, line, told, path);
  err_hint(s->err, "a model may include files below its own folder; -I %s allows this one",
           err_quote(shown, sizeof shown, shorter, strlen(shorter)));
  return -1;
}

/* One way to read the name: 1: it is the one, and is to be scanned; 0: nothing is there; -1 with err. */
static int try(struct scan *s, const char *folder, const char *name, long line) {
  char path[PATH_MAX];
  struct stat there;
  int cut = *name == '/' || strcmp(folder, "") == 0 ? snprintf(path, sizeof path, "%s", name) : snprintf(path, sizeof path, "%s/%s", folder, name);
  if (cut >= (int)sizeof path) return refuse(s, line, "the name of the included file \"%s\" is too long", name);
  switch (front_below(path, s->setup->file, s->setup->folders, s->setup->folder_count, NULL)) {
  case BELOW_MISSING: return 0;
  case BELOW_OUTSIDE: return outside(s, path, name, line);
  case BELOW_NO_FILE: return refuse(s, line, "\"%s\" is included and is no regular file", path);
  case BELOW_YES: break;
  }
  if (stat(path, &there)) return 0;
  for (size_t i = 0; i < s->files.count; i++)
    if (s->files.at[i].device == there.st_dev && s->files.at[i].number == there.st_ino) return 1;
  if (s->files.count == FILES_MOST) return refuse(s, line, "\"%s\" is one included file too many", path);
  if (there.st_size > FILE_LARGEST) return refuse(s, line, "the included file \"%s\" is larger than 16 MB", path);
  struct met met = {mem_strndup(s->setup->mem, MEM_OTHER, path, strlen(path)), there.st_dev, there.st_ino};
  if (met.path && !vec_push(&s->files, s->setup->mem, MEM_OTHER, met)) return 1;
  mem_free(s->setup->mem, met.path);
  return err_memory(s->err, "included files");
}

/* Where the preprocessor looks, in its order: beside the file that includes, which for the model itself is where it works. What is nowhere is for the preprocessor to tell. */
static int find(struct scan *s, const char *name, int quoted, long line) {
  char folder[PATH_MAX];
  if (*name == '/') return try(s, "", name, line) < 0 ? -1 : 0;
  if (quoted && s->file && front_folder(s->file, folder)) return refuse(s, line, "the name of the included file \"%s\" is too long", name);
  int found = quoted && s->file ? try(s, folder, name, line) : 0;
  if (!found && front_folder(s->setup->file, folder) == 0) found = try(s, folder, name, line);
  for (size_t i = 0; i < s->setup->folder_count && !found; i++) found = try(s, s->setup->folders[i], name, line);
  return found < 0 ? -1 : 0;
}

/* ---- directives -------------------------------------------------------------------------------------------------------------- */

static int wanted(struct scan *s) {
  char name[NAME_MOST];
  size_t n = 0;
  long line = s->line;
  pass_blanks(s);
  int open = here(s), close = open == '<' ? '>' : '"';
  if (open != '<' && open != '"') return refuse(s, line, "the name of an included file must stand in the line itself%s", "");
  for (step(s); here(s) >= 0 && here(s) != '\n' && here(s) != close && n + 1 < sizeof name; step(s)) name[n++] = (char)here(s);
  name[n] = 0;
  if (here(s) != close) return refuse(s, line, "the name of the included file \"%s\" does not end", name);
  step(s);
  if (strpbrk(name, "\\\"'") || strstr(name, "/*") || strstr(name, "//") || strlen(name) != n) return refuse(s, line, "the name of the included file \"%s\" has characters that names in a model cannot have", name);
  return find(s, name, open == '"', line);
}

static int directive(struct scan *s) {
  char word[16];
  size_t n = 0;
  pass_blanks(s);
  for (; here(s) == '_' || (here(s) >= 'a' && here(s) <= 'z'); step(s))
    if (n + 1 < sizeof word) word[n++] = (char)here(s);
  word[n] = 0;
  if (strcmp(word, "embed") == 0) return refuse(s, s->line, "#%s is not read", word);
  if (strcmp(word, "include") == 0 || strcmp(word, "include_next") == 0 || strcmp(word, "import") == 0) return wanted(s);
  return 0;
}

/* `found` says what is done where a directive begins: all goes on after 0. */
static int scan_once(struct scan *s, int (*found)(struct scan *)) {
  s->at = s->length >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  s->line = 1;
  for (; here(s) >= 0; step(s)) {
    pass_blanks(s);
    int digraph = here(s) == '%' && behind(s) == ':';
    if (here(s) == '#' || digraph) {
      step(s);
      if (digraph) step(s);
      int said = found(s);
      if (said) return said;
    }
    pass_line(s);
  }
  return 0;
}

/* Preprocessors do not agree on carriage returns inside of lines: both ways are looked at. */
static int scan_text(struct scan *s, int (*found)(struct scan *)) {
  s->returns_end = 0;
  int said = scan_once(s, found);
  if (said) return said;
  s->returns_end = memchr(s->text, '\r', s->length) != NULL;
  return s->returns_end ? scan_once(s, found) : 0;
}

static int is_one(struct scan *s) {
  (void)s;
  return 1;
}

/* A line that goes on with the next: a \ and blanks at its end. */
static int has_joined_lines(const char *text, size_t length) {
  for (const char *at = text; (at = memchr(at, '\\', length - (size_t)(at - text))) != NULL; at++) {
    size_t i = (size_t)(at - text) + 1;
    while (i < length && (blank(text[i]) || text[i] == '\r')) i++;
    if (i < length && text[i] == '\n') return 1;
  }
  return 0;
}

int include_needed(const char *text, size_t length) {
  struct scan s = {.text = text, .length = length};
  return has_joined_lines(text, length) || scan_text(&s, is_one);
}

static int scan_file(struct scan *s, size_t number) {
  const char *path = s->files.at[number].path;
  struct front_setup setup = {.mem = s->setup->mem, .file = path, .input = fopen(path, "re")};
  char *text = NULL;
  if (!setup.input) return err_io(s->err, path, "cannot be opened: %s", strerror(errno));
  int bad = front_slurp(&text, &s->length, &setup, s->err);
  fclose(setup.input);
  s->file = path;
  s->text = text;
  if (!bad) bad = scan_text(s, directive);
  mem_free(s->setup->mem, text);
  return bad;
}

int include_check(const char *text, size_t length, const struct front_setup *setup, struct err *e) {
  struct scan s = {.setup = setup, .err = e, .text = text, .length = length};
  int bad = scan_text(&s, directive);
  for (size_t i = 0; i < s.files.count && !bad; i++) bad = scan_file(&s, i);
  for (size_t i = 0; i < s.files.count; i++) mem_free(setup->mem, s.files.at[i].path);
  vec_free(&s.files, setup->mem);
  return bad;
}
