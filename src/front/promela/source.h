/* source.h -- the text of a model after the preprocessor, and where each line of it came from. */
#ifndef FRONT_PROMELA_SOURCE_H
#define FRONT_PROMELA_SOURCE_H

#include "base/vec.h"
#include "front/front.h"
#include "process/program.h"

#include <limits.h>
#include <stdint.h>

struct source_file { /* a file as people wrote it, for columns and excerpts */
  const char *name;  /* owned by the program, because places borrow it */
  char *text;        /* NULL: could not be read again (a system header) */
  size_t length;
  struct vec(uint32_t) lines; /* offset of each line */
};

struct source_line { /* one line of the text below */
  uint32_t offset;
  uint32_t file; /* index in files */
  uint32_t line; /* in that file, from 1 */
};

struct source {
  struct mem *mem;
  struct program *program;
  const struct front_setup *setup;
  char *text; /* what the lexer reads */
  size_t length;
  int preprocessed;
  struct vec(struct source_file) files; /* 0 = the model itself */
  struct vec(struct source_line) lines;
};

/* Reads setup->input; runs the C preprocessor if the text has directives or setup has definitions. 0, or -1 with err. */
int source_open(struct source *, struct program *, const struct front_setup *, struct err *);
/* A text that is not a file: `what` is what errors call it. */
int source_of_text(struct source *, struct program *, const char *what, const char *text, size_t length, const struct front_setup *, struct err *);
void source_close(struct source *); /* also after a failed open */

/* Length and text of an original line; "" if it is not known. */
const char *source_original(const struct source *, uint32_t file, long line, size_t *length);
/* Adds the line and a caret to an error at a place whose file name is one of files[].name. */
void source_excerpt(const struct source *, struct err *, struct place_in_text);

/* include.c: has it directives, or lines that are joined? Only then the preprocessor has something
 * to do. */
int include_needed(const char *text, size_t length);
/* include.c: 0 if all that the text could include may be read, -1 with err. */
int include_check(const char *text, size_t length, const struct front_setup *, struct err *);
/* preprocess.c: runs the preprocessor on `input`; *out is owned by the caller. */
int preprocess_run(char **out, size_t *out_length, const char *input, size_t length, const struct front_setup *, struct err *);
/* A file as the preprocessor names it, named from our working directory, and as the user names folders; its length, 0: it is too long. */
size_t preprocess_name(const char *name, size_t length, const struct front_setup *, char out[PATH_MAX]);

#endif
