/* used.c -- see used.h.
 *
 * CPN Tools lets declarations name files of more declarations; large models keep their functions there.  Such a line stands by itself, outside of remarks:
 *
 *   use "lib.sml";
 *   use (folder ^ "lib.sml");      where the net says val folder = "..."
 *
 * and its file is looked for in the folder of the model, beside the file that names it, and in the folders of -I, below which it must lie (below.h).  Files may use others; each is read once, however often it is named. What was read is told
 * (front.h: hear_input), so that a checkpoint or a certificate is about these files as well. */
#include "front/used.h"

#include "base/hash.h"
#include "front/below.h"
#include "front/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MOST = 256, FILE_LARGEST = 16 << 20, DEEPEST = 32 };

struct met {
  dev_t device;
  ino_t number;
};

struct using {
  struct drawing *d;
  const struct front_setup *setup;
  struct err *e;
  struct vec(struct drawing_declaration) out;
  struct vec(struct met) files;
  int depth;
};

static int expand(struct using *, const struct drawing_text *, const char *block);

static void leave_out(struct using *u, struct place_in_text at, const char *name, const char *why) {
  char shown[200], message[400];
  if (!u->d->missing) u->d->missing = arena_strndup(&u->d->arena, name, strlen(name)); /* without memory nobody is told */
  if (!u->setup->warn) return;
  snprintf(message, sizeof message, "use \"%s\" is left out: %s", err_quote(shown, sizeof shown, name, strlen(name)), why);
  u->setup->warn(u->setup->warn_context, at, message);
}

/* ---- one file ------------------------------------------------------------------------------------------------------------------- */

/* Bytes of ISO 8859-1, as CPN Tools writes them, become what everything else is. */
static int as_unicode(struct using *u, char **text, size_t *length) {
  size_t n = 0, more = 0;
  for (size_t i = 0; i < *length; i++) more += (unsigned char)(*text)[i] >= 128;
  char *out = arena_alloc(&u->d->arena, *length + more + 1);
  if (!out) return -1;
  for (size_t i = 0; i < *length; i++) {
    unsigned char c = (unsigned char)(*text)[i];
    if (c >= 128) out[n++] = (char)(0xc0 | c >> 6), c = 0x80 | (c & 0x3f);
    out[n++] = (char)c;
  }
  out[n] = 0;
  *text = out;
  *length = n;
  return 0;
}

static int read_file(struct using *u, const char *path, size_t bytes, char **text, size_t *length) {
  FILE *f = fopen(path, "re");
  if (!f) return err_io(u->e, path, "cannot open: %s", strerror(errno));
  *text = arena_alloc(&u->d->arena, bytes + 1);
  *length = *text ? fread(*text, 1, bytes, f) : 0;
  int failed = ferror(f);
  fclose(f);
  if (!*text) return err_memory(u->e, "the declarations");
  if (failed) return err_io(u->e, path, "cannot be read");
  if (u->setup->hear_input) u->setup->hear_input(u->setup->input_context, u->setup->file, hash_bytes(*text, *length), *length);
  if (front_bad_text(*text, *length) < *length && as_unicode(u, text, length)) return err_memory(u->e, "the declarations");
  return 0;
}

/* One place where it may be: 1 = it was there, or nobody need look further. */
static int try(struct using *u, const char *folder, const char *name, struct place_in_text at, const char *block, int *status) {
  char path[PATH_MAX];
  struct stat there;
  int cut = *name == '/' || strcmp(folder, ".") == 0 ? snprintf(path, sizeof path, "%s", name) : snprintf(path, sizeof path, "%s/%s", folder, name);
  if (cut >= (int)sizeof path) return leave_out(u, at, name, "the name is too long"), 1;
  switch (front_below(path, u->setup->file, u->setup->folders, u->setup->folder_count, NULL)) {
  case BELOW_MISSING: return 0;
  case BELOW_OUTSIDE: return leave_out(u, at, name, "it lies outside of the model's folder; -I FOLDER allows others"), 1;
  case BELOW_NO_FILE: return leave_out(u, at, name, "it is no regular file"), 1;
  case BELOW_YES: break;
  }
  if (stat(path, &there)) return 0;
  for (size_t i = 0; i < u->files.count; i++)
    if (u->files.at[i].device == there.st_dev && u->files.at[i].number == there.st_ino) return 1;
  if (u->files.count == FILES_MOST || u->depth == DEEPEST) return leave_out(u, at, name, "it is one file too many"), 1;
  if (there.st_size > FILE_LARGEST) return leave_out(u, at, name, "it is larger than 16 MB"), 1;
  char *file = arena_strndup(&u->d->arena, path, strlen(path)), *text = NULL;
  size_t length = 0;
  if (!file || vec_push(&u->files, u->d->mem, MEM_OTHER, ((struct met){there.st_dev, there.st_ino}))) *status = err_memory(u->e, "the declarations");
  else if (!(*status = read_file(u, path, (size_t)there.st_size, &text, &length))) {
    if (front_bad_text(text, length) < length) leave_out(u, at, name, "it is no text");
    else {
      struct drawing_text all = {text, length, {file, 1, 1}};
      u->depth++;
      *status = expand(u, &all, block);
      u->depth--;
    }
  }
  return 1;
}

static int take(struct using *u, const char *name, struct place_in_text at, const char *block) {
  char folder[PATH_MAX];
  int status = 0, found = 0;
  if (u->setup->file && front_folder(u->setup->file, folder) == 0) found = try(u, folder, name, at, block, &status);
  if (!found && at.file && front_folder(at.file, folder) == 0) found = try(u, folder, name, at, block, &status);
  for (size_t i = 0; i < u->setup->folder_count && !found; i++) found = try(u, u->setup->folders[i], name, at, block, &status);
  if (!found) leave_out(u, at, name, "there is no such file in the model's folder");
  return status;
}

/* ---- the lines of a text --------------------------------------------------------------------------------------------------------- */

static size_t blanks(const struct drawing_text *t, size_t at) {
  while (at < t->length && (t->text[at] == ' ' || t->text[at] == '\t' || t->text[at] == '\r')) at++;
  return at;
}

/* A text in quotes without escapes at `at`: behind it; at: there is none. */
static size_t quoted(const struct drawing_text *t, size_t at, size_t *from, size_t *length) {
  size_t end = at + 1;
  if (at == t->length || t->text[at] != '"') return at;
  while (end < t->length && t->text[end] != '"' && t->text[end] != '\\' && t->text[end] != '\n') end++;
  if (end == t->length || t->text[end] != '"') return at;
  *from = at + 1;
  *length = end - *from;
  return end + 1;
}

static size_t name_end(const struct drawing_text *t, size_t at) {
  while (at < t->length && (isalnum((unsigned char)t->text[at]) || t->text[at] == '_' || t->text[at] == '\'')) at++;
  return at;
}

static size_t spaces(const struct drawing_text *t, size_t at) {
  while (at < t->length && isspace((unsigned char)t->text[at])) at++;
  return at;
}

/* val NAME = "TEXT" among the declarations: folders are named so. 1 or 0. */
static int named_text(const struct drawing *d, const char *name, size_t size, const char **text, size_t *length) {
  for (size_t i = 0; i < d->declarations.count; i++) {
    const struct drawing_text *t = &d->declarations.at[i].text;
    size_t at = spaces(t, 0), from = 0;
    if (t->length - at < 4 || strncmp(t->text + at, "val", 3) != 0 || !isspace((unsigned char)t->text[at + 3])) continue;
    at = spaces(t, at + 3);
    if (name_end(t, at) - at != size || memcmp(t->text + at, name, size) != 0) continue;
    at = spaces(t, at + size);
    if (at == t->length || t->text[at] != '=') continue;
    at = spaces(t, at + 1);
    if (quoted(t, at, &from, length) == at) continue;
    *text = t->text + from;
    return 1;
  }
  return 0;
}

/* Is there use "NAME", or use (folder ^ "NAME"), and nothing else from here to the end of the line?  Behind that, and the name; 0: no. */
static size_t names_file(const struct drawing *d, const struct drawing_text *t, size_t at, char name[PATH_MAX]) {
  size_t used = 0, from, length;
  at = blanks(t, at);
  if (t->length - at < 3 || strncmp(t->text + at, "use", 3) != 0) return 0;
  at = blanks(t, at + 3);
  int bracket = at < t->length && t->text[at] == '(';
  for (at = blanks(t, at + (size_t)bracket);; at = blanks(t, at + 1)) {
    const char *part = t->text;
    size_t end = quoted(t, at, &from, &length);
    if (end > at) part += from;
    else if ((end = name_end(t, at)) == at || !named_text(d, t->text + at, end - at, &part, &length)) return 0;
    if (used + length >= PATH_MAX) return 0;
    memcpy(name + used, part, length);
    used += length;
    at = blanks(t, end);
    if (!bracket || at == t->length || t->text[at] != '^') break;
  }
  if (bracket && (at == t->length || t->text[at++] != ')')) return 0;
  name[used] = 0;
  at = blanks(t, at);
  if (at < t->length && t->text[at] == ';') at = blanks(t, at + 1);
  return at == t->length || t->text[at] == '\n' ? at : 0;
}

/* Behind a remark or a string that begins here; at: there is none. */
static size_t pass(const struct drawing_text *t, size_t at) {
  if (t->text[at] == '"') {
    for (at++; at < t->length && t->text[at] != '"' && t->text[at] != '\n'; at++) at += t->text[at] == '\\' && at + 1 < t->length;
    return at < t->length ? at + 1 : at;
  }
  if (t->text[at] != '(' || at + 1 == t->length || t->text[at + 1] != '*') return at;
  int depth = 1;
  for (at += 2; at < t->length && depth; at++) {
    int more = at + 1 < t->length;
    if (more && t->text[at] == '(' && t->text[at + 1] == '*') depth++, at++;
    else if (more && t->text[at] == '*' && t->text[at + 1] == ')') depth--, at++;
  }
  return at;
}

static int put(struct using *u, const struct drawing_text *t, size_t from, size_t to, struct place_in_text at, const char *block) {
  size_t i = from;
  while (i < to && isspace((unsigned char)t->text[i])) i++;
  if (i == to) return 0;
  struct drawing_declaration d = {{t->text + from, to - from, at}, block};
  return vec_push(&u->out, u->d->mem, MEM_MODEL, d) ? err_memory(u->e, "the declarations") : 0;
}

static int expand(struct using *u, const struct drawing_text *t, const char *block) {
  struct place_in_text start = t->place;
  size_t from = 0, end, line_start = 0;
  char name[PATH_MAX];
  long line = t->place.line;
  int fresh = 1; /* nothing but blanks on this line so far */
  for (size_t at = 0; at < t->length;) {
    if (fresh && (end = names_file(u->d, t, at, name))) {
      struct place_in_text here = {t->place.file, line, (long)(blanks(t, at) - line_start) + (line == t->place.line ? t->place.column : 1)};
      char *file = arena_strndup(&u->d->arena, name, strlen(name));
      if (!file) return err_memory(u->e, "the declarations");
      if (put(u, t, from, at, start, block) || take(u, file, here, block)) return -1;
      from = at = end;
      start = (struct place_in_text){t->place.file, line, (long)(end - line_start) + (line == t->place.line ? t->place.column : 1)};
    }
    if (at == t->length) break;
    size_t behind = pass(t, at);
    if (behind == at) behind++;
    for (; at < behind; at++) {
      if (t->text[at] == '\n') line++, line_start = at + 1, fresh = 1;
      else if (!isspace((unsigned char)t->text[at])) fresh = 0;
    }
  }
  return put(u, t, from, t->length, start, block);
}

static int uses(const struct drawing_text *t) {
  for (size_t i = 0; i + 3 < t->length; i++)
    if (strncmp(t->text + i, "use", 3) == 0) return 1;
  return 0;
}

int front_used(struct drawing *d, const struct front_setup *setup, struct err *e) {
  struct using u = {.d = d, .setup = setup, .e = e};
  int any = 0, status = 0;
  for (size_t i = 0; i < d->declarations.count && !any; i++) any = uses(&d->declarations.at[i].text);
  if (!any) return 0;
  for (size_t i = 0; i < d->declarations.count && !status; i++) {
    const struct drawing_declaration *one = &d->declarations.at[i];
    if (uses(&one->text)) status = expand(&u, &one->text, one->block);
    else if (vec_push(&u.out, d->mem, MEM_MODEL, *one)) status = err_memory(e, "the declarations");
  }
  vec_free(&u.files, d->mem);
  if (status) vec_free(&u.out, d->mem);
  else {
    vec_free(&d->declarations, d->mem);
    d->declarations.at = u.out.at, d->declarations.count = u.out.count, d->declarations.room = u.out.room;
  }
  return status;
}
