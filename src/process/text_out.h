/* text_out.h -- a text that grows: what code is generated into. */
#ifndef PROCESS_TEXT_OUT_H
#define PROCESS_TEXT_OUT_H

#include "base/vec.h"

#include <stdarg.h>

struct text_out {
  struct mem *mem;
  struct vec(char) text;
  int failed; /* a request for memory was refused: what follows is dropped */
};

void text_out_add(struct text_out *, const char *text, size_t length);
void text_out_list(struct text_out *, const char *format, va_list);
__attribute__((format(printf, 2, 3))) void text_out_say(struct text_out *, const char *format, ...);

#endif
