/* errors.c -- a reader that goes on after an error gathers what it finds here, up to twenty, and tells it at the end in the
 * order of the text.  Two errors at the same place are one: the second is a consequence. */
#include "front/dve/syntax.h"

#include "front/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int dve_memory(struct dve *d) {
  d->starved = 1;
  return -1;
}

int dve_fail(struct dve *d, struct dve_place at, const char *format, ...) {
  char message[sizeof d->err->message];
  struct err e;
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  d->dropped = d->errors.count == DVE_ERRORS_MAX;
  for (size_t i = 0; i < d->errors.count; i++)
    if (d->errors.at[i].line == at.line && d->errors.at[i].column == at.column) d->dropped = 1;
  if (d->dropped) return -1;
  err_clear(&e);
  err_input(&e, (struct place_in_text){d->setup->file, at.line, at.column}, "%s", message);
  front_excerpt(&e, d->text, d->length, at.offset);
  if (vec_push(&d->errors, d->mem, MEM_OTHER, e)) return dve_memory(d);
  return -1;
}

void dve_hint(struct dve *d, const char *format, ...) {
  char hint[sizeof d->err->hint];
  va_list args;
  va_start(args, format);
  vsnprintf(hint, sizeof hint, format, args);
  va_end(args);
  if (d->errors.count && !d->dropped) err_hint(&d->errors.at[d->errors.count - 1], "%s", hint);
}

void dve_warn(struct dve *d, struct dve_place at, const char *format, ...) {
  char message[400];
  va_list args;
  if (!d->setup->warn) return;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  d->setup->warn(d->setup->warn_context, (struct place_in_text){d->setup->file, at.line, at.column}, message);
}

static int by_place(const void *a, const void *b) {
  const struct err *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

int dve_errors_tell(struct dve *d) {
  if (d->starved) return err_memory(d->err, "the model");
  if (!d->errors.count) return 0;
  qsort(d->errors.at, d->errors.count, sizeof *d->errors.at, by_place);
  *d->err = d->errors.at[0];
  for (size_t i = 0; i < d->errors.count && d->setup->error; i++) d->setup->error(d->setup->error_context, &d->errors.at[i]);
  return -1;
}

struct place_in_text dve_where(const struct program *p, struct dve_place at) {
  return (struct place_in_text){p->file, at.line, at.column};
}
