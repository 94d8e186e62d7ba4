/* chart_names.c -- texts that get numbers: an open table of half-empty slots over the list of names. */
#include "report/chart_parts.h"

#include "base/hash.h"

#include <string.h>

void chart_names_open(struct chart_names *n, struct arena *text, struct mem *mem) { *n = (struct chart_names){.mem = mem, .text = text}; }

void chart_names_close(struct chart_names *n) {
  vec_free(&n->name, n->mem);
  mem_free(n->mem, n->slot);
  n->slot = NULL;
  n->slots = 0;
}

/* Names may hold zeros (keys do): they are kept with their length in front. */
static uint32_t length_of(const char *name) {
  uint32_t length;
  memcpy(&length, name - sizeof length, sizeof length);
  return length;
}

static size_t place(const struct chart_names *n, const char *text, size_t length) {
  size_t mask = n->slots - 1, i = (size_t)hash_bytes(text, length) & mask;
  for (; n->slot[i]; i = (i + 1) & mask) {
    const char *name = n->name.at[n->slot[i] - 1];
    if (length_of(name) == length && memcmp(name, text, length) == 0) break;
  }
  return i;
}

static int grow(struct chart_names *n) {
  size_t slots = n->slots ? 2 * n->slots : 64;
  uint32_t *fresh = mem_alloc(n->mem, MEM_OTHER, slots * sizeof *fresh);
  if (!fresh) return -1;
  mem_free(n->mem, n->slot);
  n->slot = fresh;
  n->slots = slots;
  for (size_t i = 0; i < n->name.count; i++) n->slot[place(n, n->name.at[i], length_of(n->name.at[i]))] = (uint32_t)i + 1;
  return 0;
}

uint32_t chart_names_find(const struct chart_names *n, const char *text, size_t length) {
  if (!n->slots) return CHART_NOBODY;
  return n->slot[place(n, text, length)] - 1; /* a free slot is 0: NOBODY */
}

uint32_t chart_names_add(struct chart_names *n, const char *text, size_t length) {
  uint32_t found = chart_names_find(n, text, length), size = (uint32_t)length;
  if (found != CHART_NOBODY) return found;
  char *copy = length < UINT32_MAX / 2 && n->name.count < CHART_NOBODY - 1 ? arena_alloc(n->text, sizeof size + length + 1) : NULL;
  if (!copy || (2 * (n->name.count + 1) > n->slots && grow(n)) || vec_push(&n->name, n->mem, MEM_OTHER, copy + sizeof size)) {
    n->failed = 1;
    return CHART_NOBODY;
  }
  memcpy(copy, &size, sizeof size);
  memcpy(copy + sizeof size, text, length);
  n->slot[place(n, text, length)] = (uint32_t)n->name.count;
  return (uint32_t)n->name.count - 1;
}
