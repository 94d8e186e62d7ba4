/* text_out.c -- see text_out.h. */
#include "process/text_out.h"

#include <stdio.h>
#include <string.h>

void text_out_add(struct text_out *o, const char *text, size_t length) {
  if (o->failed || vec_reserve(&o->text, o->mem, MEM_OTHER, length + 1)) {
    o->failed = 1;
    return;
  }
  if (length) memcpy(o->text.at + o->text.count, text, length);
  o->text.count += length;
}

void text_out_list(struct text_out *o, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  if (o->failed || n < 0 || vec_reserve(&o->text, o->mem, MEM_OTHER, (size_t)n + 1)) {
    o->failed = 1;
  } else {
    vsnprintf(o->text.at + o->text.count, (size_t)n + 1, format, again);
    o->text.count += (size_t)n;
  }
  va_end(again);
}

void text_out_say(struct text_out *o, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_out_list(o, format, args);
  va_end(args);
}
