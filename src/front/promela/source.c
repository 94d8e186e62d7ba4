/* source.c -- see source.h.
 *
 * The preprocessor (preprocess.c) marks in its result where each line came from: `# 12 "file.pml"
 * 2`.  These markers are read here into a table of lines and blanked out, so that the lexer sees
 * plain text and everything later speaks of the file and line that people wrote.  Original files
 * are kept in memory: the column of a word is found by looking for it in the original line, and an
 * error shows that line and not what the macros made of it.
 *
 * A text without directives and without lines that end in \ (include.c knows, by the preprocessor's
 * own rules) needs no preprocessor and is lexed as it is: faster, and possible on machines without
 * one. */
#include "front/promela/source.h"

#include "base/hash.h"
#include "front/below.h"
#include "front/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 256, INCLUDED_MAX = 16 << 20 };

/* ---- original files -------------------------------------------------------------------------------------------- */

static int index_lines(struct source *s, struct source_file *f) {
  size_t at = 0;
  while (f->text && at <= f->length) {
    if (vec_push(&f->lines, s->mem, MEM_OTHER, (uint32_t)at)) return -1;
    const char *end = memchr(f->text + at, '\n', f->length - at);
    if (!end) break;
    at = (size_t)(end - f->text) + 1;
  }
  return 0;
}

static char *read_again(struct source *s, const char *name, size_t *length) {
  const struct front_setup *of = s->setup;
  if (front_below(name, of->file, of->folders, of->folder_count, NULL) != BELOW_YES) return NULL; /* #line may name anything */
  FILE *in = fopen(name, "re");
  if (!in) return NULL;
  struct front_setup setup = {.mem = s->mem, .file = name, .input = in};
  struct err ignored;
  char *text = NULL;
  err_clear(&ignored);
  if (fseek(in, 0, SEEK_END) == 0 && ftell(in) <= INCLUDED_MAX && fseek(in, 0, SEEK_SET) == 0)
    front_slurp(&text, length, &setup, &ignored);
  fclose(in);
  return text;
}

/* Index of a file by the name in a marker; -1: no memory, or too many. */
static long file_of(struct source *s, const char *marked, size_t length) {
  char name[PATH_MAX];
  if (length == 7 && !memcmp(marked, "<stdin>", 7)) return 0;
  length = preprocess_name(marked, length, s->setup, name);
  if (!length) return 0; /* no name, or one that no file has */
  for (size_t i = 0; i < s->files.count; i++)
    if (strlen(s->files.at[i].name) == length && !memcmp(s->files.at[i].name, name, length)) return (long)i;
  if (s->files.count >= FILES_MAX) return -1;
  struct source_file f = {.name = program_text(s->program, name, length)};
  if (name[0] != '<') f.text = read_again(s, f.name, &f.length);
  if (index_lines(s, &f) || vec_push(&s->files, s->mem, MEM_OTHER, f)) {
    vec_free(&f.lines, s->mem);
    mem_free(s->mem, f.text);
    return -1;
  }
  return (long)s->files.count - 1;
}

const char *source_original(const struct source *s, uint32_t file, long line, size_t *length) {
  *length = 0;
  if (file >= s->files.count) return "";
  const struct source_file *f = &s->files.at[file];
  if (line < 1 || (size_t)line > f->lines.count) return "";
  size_t start = f->lines.at[line - 1], end = (size_t)line < f->lines.count ? f->lines.at[line] : f->length;
  while (end > start && (f->text[end - 1] == '\n' || f->text[end - 1] == '\r')) end--;
  *length = end - start;
  return f->text + start;
}

void source_excerpt(const struct source *s, struct err *e, struct place_in_text at) {
  for (uint32_t i = 0; i < s->files.count; i++) {
    const struct source_file *f = &s->files.at[i];
    if (f->name != at.file || at.line < 1 || (size_t)at.line > f->lines.count || !f->text) continue;
    size_t length, offset = at.column > 0 ? (size_t)at.column - 1 : 0;
    const char *line = source_original(s, i, at.line, &length);
    front_excerpt(e, f->text, f->length, (size_t)(line - f->text) + (offset < length ? offset : length));
    return;
  }
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

/* `# 12 "name" flags`: 1 and the parts; 0 if the line is something else. */
static int marker(const char *line, size_t length, long *number, const char **name, size_t *name_length) {
  if (length < 3 || line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2])) return 0;
  char *end;
  *number = strtol(line + 2, &end, 10);
  *name = NULL;
  const char *quote = memchr(end, '"', length - (size_t)(end - line));
  if (!quote) return 1;
  const char *close = memchr(quote + 1, '"', length - (size_t)(quote + 1 - line));
  if (!close) return 0;
  *name = quote + 1;
  *name_length = (size_t)(close - quote) - 1;
  return 1;
}

static int map_lines(struct source *s) {
  uint32_t file = 0;
  long line = 1;
  for (size_t at = 0; at <= s->length;) {
    char *start = s->text + at;
    const char *end = memchr(start, '\n', s->length - at), *name;
    size_t length = end ? (size_t)(end - start) : s->length - at, name_length;
    long number;
    if (s->preprocessed && marker(start, length, &number, &name, &name_length)) {
      if (name) {
        long found = file_of(s, name, name_length);
        if (found < 0) return -1;
        file = (uint32_t)found;
      }
      memset(start, ' ', length);
      if (vec_push(&s->lines, s->mem, MEM_OTHER, (struct source_line){(uint32_t)at, file, (uint32_t)number})) return -1;
      line = number;
    } else {
      if (vec_push(&s->lines, s->mem, MEM_OTHER, (struct source_line){(uint32_t)at, file, (uint32_t)line})) return -1;
      line++;
    }
    if (!end) break;
    at += length + 1;
  }
  return 0;
}

/* What the preprocessor made of all files: without the lines that name them, which may have moved. */
static void tell_input(const struct source *s) {
  XXH64_state_t sum;
  uint64_t bytes = 0;
  XXH64_reset(&sum, 0);
  for (size_t at = 0; at < s->length;) {
    const char *start = s->text + at, *end = memchr(start, '\n', s->length - at);
    size_t length = end ? (size_t)(end - start) : s->length - at, blank = 0;
    while (blank < length && start[blank] == ' ') blank++;
    if (blank < length) XXH64_update(&sum, start, length), bytes += length;
    at += length + 1;
  }
  s->setup->hear_input(s->setup->input_context, s->setup->file, XXH64_digest(&sum), bytes);
}

int source_open(struct source *s, struct program *program, const struct front_setup *setup, struct err *e) {
  *s = (struct source){.mem = setup->mem, .program = program, .setup = setup};
  struct source_file model = {.name = program_text(program, setup->file, strlen(setup->file))};
  if (front_slurp(&model.text, &model.length, setup, e)) return -1;
  if (index_lines(s, &model) || vec_push(&s->files, s->mem, MEM_OTHER, model)) {
    vec_free(&model.lines, s->mem);
    mem_free(s->mem, model.text);
    return err_memory(e, "the text of the model");
  }
  if (model.length > 0x7fffffff) return err_input(e, (struct place_in_text){model.name, 0, 0}, "the text is longer than 2 GB");
  s->preprocessed = setup->define_count > 0 || include_needed(model.text, model.length);
  if (s->preprocessed) {
    if (preprocess_run(&s->text, &s->length, model.text, model.length, setup, e)) {
      if (e->line > 0) source_excerpt(s, e, (struct place_in_text){s->files.at[0].name, e->line, e->column});
      return -1;
    }
  } else {
    s->text = mem_alloc(s->mem, MEM_OTHER, model.length + 1);
    if (!s->text) return err_memory(e, "the text of the model");
    memcpy(s->text, model.text, model.length);
    s->length = model.length;
  }
  if (map_lines(s)) return err_memory(e, "the lines of the model");
  if (s->preprocessed && setup->hear_input) tell_input(s);
  return 0;
}

int source_of_text(struct source *s, struct program *program, const char *what, const char *text, size_t length, const struct front_setup *setup,
                   struct err *e) {
  *s = (struct source){.mem = setup->mem, .program = program, .setup = setup, .length = length};
  struct source_file file = {.name = program_text(program, what, strlen(what)), .length = length};
  file.text = mem_strndup(s->mem, MEM_OTHER, text, length);
  s->text = mem_strndup(s->mem, MEM_OTHER, text, length);
  if (!file.name || !file.text || !s->text || index_lines(s, &file) || vec_push(&s->files, s->mem, MEM_OTHER, file)) {
    vec_free(&file.lines, s->mem);
    mem_free(s->mem, file.text);
    return err_memory(e, "a condition");
  }
  return map_lines(s) ? err_memory(e, "a condition") : 0;
}

void source_close(struct source *s) {
  for (size_t i = 0; i < s->files.count; i++) {
    vec_free(&s->files.at[i].lines, s->mem);
    mem_free(s->mem, s->files.at[i].text);
  }
  if (s->mem) {
    vec_free(&s->files, s->mem);
    vec_free(&s->lines, s->mem);
    mem_free(s->mem, s->text);
  }
  *s = (struct source){0};
}
