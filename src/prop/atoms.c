/* atoms.c -- see atoms.h. */
#include "prop/atoms.h"

#include <string.h>

void atoms_open(struct atoms *a, struct mem *mem) { *a = (struct atoms){.mem = mem}; }

void atoms_close(struct atoms *a) {
  for (uint32_t i = 0; i < a->count; i++) mem_free(a->mem, a->text[i]);
  a->count = 0;
}

int atoms_add(void *context, const char *text, size_t length, size_t column, struct err *e) {
  struct atoms *a = context;
  (void)column;
  for (uint32_t i = 0; i < a->count; i++)
    if (strlen(a->text[i]) == length && memcmp(a->text[i], text, length) == 0) return (int)i;
  if (a->count == FORMULA_ATOMS) return err_limit(e, "more than %d different state expressions", FORMULA_ATOMS);
  char *copy = mem_strndup(a->mem, MEM_OTHER, text, length);
  if (!copy) return err_memory(e, "a formula");
  a->text[a->count] = copy;
  return (int)a->count++;
}

const char *atoms_text(void *context, uint32_t index) { return ((const struct atoms *)context)->text[index]; }
