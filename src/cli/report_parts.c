/* report_parts.c -- see report_parts.h.
 *
 * Names of sources come from verdicts and traces, which may come from anywhere: a report that somebody sends on must not carry
 * a file that its maker never thought of.  So only files with the suffix of a language that is text are read, and headers, and only below the working folder and the folders of what
 * the user named (front/below.h). */
#include "cli/report_parts.h"

#include "front/below.h"
#include "front/front.h"
#include "front/text.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 4 << 20 }; /* bytes of a source */

void report_parts_open(struct report_parts *p, struct mem *mem) {
  memset(p, 0, sizeof *p);
  p->mem = mem;
  arena_open(&p->text, mem, MEM_OTHER);
}

void report_parts_close(struct report_parts *p) {
  if (!p->mem) return;
  vec_free(&p->file, p->mem);
  vec_free(&p->folder, p->mem);
  vec_free(&p->note, p->mem);
  arena_close(&p->text);
  memset(p, 0, sizeof *p);
}

int report_parts_folder(struct report_parts *p, const char *beside) {
  const char *slash = beside ? strrchr(beside, '/') : NULL;
  const char *name = arena_strndup(&p->text, beside ? beside : "", slash ? (size_t)(slash - beside) + 1 : 0);
  return name && !vec_push(&p->folder, p->mem, MEM_OTHER, name) ? 0 : -1;
}

int report_parts_file(struct report_parts *p, const char *name) {
  if (!name || !*name || strcmp(name, "-") == 0) return 0;
  for (size_t i = 0; i < p->file.count; i++)
    if (p->file.at[i] == name || strcmp(p->file.at[i], name) == 0) return 0;
  name = arena_strndup(&p->text, name, strlen(name));
  return name && !vec_push(&p->file, p->mem, MEM_OTHER, name) ? 0 : -1;
}

int report_parts_trace(struct report_parts *p, struct html *h, const char *name, const struct trace_view *v, const struct chart_map *map) {
  const struct trace *t = v->trace;
  const char *last = NULL;
  if (html_trace(h, name, v, map, p->mem) && report_parts_note(p, "The chart of %s is not here: there was not enough memory for it.", name)) return -1;
  for (size_t i = 0; i < t->part_count; i++) {
    const char *file = t->part[i].place.file;
    if (file == last || !t->part[i].place.line) continue;
    last = file;
    if (report_parts_file(p, file)) return -1;
  }
  return report_parts_file(p, v->file);
}

int report_parts_note(struct report_parts *p, const char *format, ...) {
  char text[600], shown[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  err_quote(shown, sizeof shown, text, strlen(text)); /* names in it are those that a verdict or a trace has, and notes go to the terminal, too */
  const char *kept = arena_strndup(&p->text, shown, strlen(shown));
  return kept && !vec_push(&p->note, p->mem, MEM_OTHER, kept) ? 0 : -1;
}

/* Opens a regular file below one of the folders, or what the user named himself. */
static FILE *regular(const struct report_parts *p, const char *path) {
  const char *own[2] = {".", NULL};
  size_t given = 0;
  enum below in = BELOW_OUTSIDE;
  while (p->folders && p->folders[given]) given++;
  for (size_t i = 0; i < p->folder.count && in == BELOW_OUTSIDE; i++) in = front_below(path, p->folder.at[i], own, 1, NULL);
  if (in == BELOW_OUTSIDE) in = front_below(path, p->trusted, p->folders, given, NULL);
  return in == BELOW_YES ? fopen(path, "re") : NULL;
}

FILE *report_parts_find(const struct report_parts *p, const char *name, char *path, size_t room) {
  const char *base = trace_base_name(name);
  FILE *in = NULL;
  for (size_t i = 0; i < p->folder.count && !in; i++) {
    if (*name != '/' && snprintf(path, room, "%s%s", p->folder.at[i], name) < (int)room) in = regular(p, path);
    if (!in && base != name && snprintf(path, room, "%s%s", p->folder.at[i], base) < (int)room) in = regular(p, path);
  }
  if (!in && snprintf(path, room, "%s", name) < (int)room) in = regular(p, path);
  return in;
}

/* Is there text to show in files with such names? */
static int readable(const struct report_parts *p, const char *name) {
  static const char *const no_text[] = {"pnml", "cpn", "aut", NULL};
  const struct front_type *type = front_for_file(name);
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; type && no_text[i]; i++)
    if (strcmp(type->name, no_text[i]) == 0) return 0;
  if (type || (dot && (strcmp(dot, ".h") == 0 || strcmp(dot, ".inc") == 0))) return 1;
  return p->trusted && strcmp(p->trusted, name) == 0 ? 1 : -1;
}

static int write_source(struct report_parts *p, struct html *h, const char *name, struct err *e) {
  char path[4096], shown[200];
  err_quote(shown, sizeof shown, name, strlen(name));
  int text = readable(p, name);
  if (!text) return 0;
  if (text < 0) return report_parts_note(p, "The text of %s is left out: its name has no suffix of a language.", shown);
  FILE *in = report_parts_find(p, name, path, sizeof path);
  if (!in) return report_parts_note(p, "The text of %s is not here: there is no such file below the working folder, nor beside what was named.", shown);
  struct stat there;
  char *source = NULL;
  size_t length = 0;
  struct front_setup setup = {.mem = p->mem, .file = name, .input = in};
  int bad = 0, large = fstat(fileno(in), &there) == 0 && there.st_size > LARGEST;
  if (large) bad = report_parts_note(p, "The text of %s is left out: it has more than 4 MB.", shown);
  else if (front_slurp(&source, &length, &setup, e)) {
    bad = e->kind == ERR_MEMORY ? -1 : report_parts_note(p, "The text of %s is not here: it cannot be read.", shown);
    if (!bad) err_clear(e);
  } else {
    html_source(h, name, source, length);
    if (p->made && there.st_mtime > p->made) bad = report_parts_note(p, "%s was changed after the run: lines may not be those of the run.", shown);
  }
  mem_free(p->mem, source);
  fclose(in);
  return bad;
}

int report_parts_write(struct report_parts *p, struct html *h, struct err *e) {
  int bad = 0;
  html_sources(h);
  for (size_t i = 0; i < p->file.count && !bad; i++) bad = write_source(p, h, p->file.at[i], e);
  html_notes(h);
  for (size_t i = 0; i < p->note.count; i++) html_note(h, p->note.at[i]);
  return bad && e->kind == ERR_NONE ? err_memory(e, "the report") : bad;
}
