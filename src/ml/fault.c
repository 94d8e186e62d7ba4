/* fault.c -- errors in CPN ML.
 *
 *   net.cpn:311:24: page Top, arc Send -> Net: this is a string, but int is expected
 *
 * What the text is comes first, because people look for the arc in a drawing, not for the line in the XML; then what is wrong;
 * then the text itself with a caret. */
#include "ml/scope.h"

#include <stdarg.h>
#include <stdio.h>

int ml_fault(struct err *err, const struct ml_text *text, struct place_in_text at, size_t offset, const char *format, ...) {
  char message[480];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (text->where && *text->where) err_input(err, at, "%.200s: %s", text->where, message);
  else err_input(err, at, "%s", message);
  if (offset <= text->length) err_excerpt(err, text->text, text->length, offset);
  return -1;
}
