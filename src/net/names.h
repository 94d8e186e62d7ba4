/* names.h -- texts to dense numbers: the first text put in is 0, the next new one 1, ...
 *
 * Used by the builder of nets (ids as they come, also before their node is declared) and by
 * the finished net (lookup of what a user types).  Open addressing over 32-bit numbers;
 * each text keeps its hash, so growing never looks at the texts again. */
#ifndef NET_NAMES_H
#define NET_NAMES_H

#include "base/mem.h"
#include "base/vec.h"

#include <stdint.h>

#define NAMES_NONE UINT32_MAX

struct name {
  const char *text; /* ends with a zero byte */
  size_t length;
  uint64_t hash;
};

struct names {
  struct mem *mem;
  enum mem_tag tag;
  uint32_t *slot; /* number of the name, NAMES_NONE = free */
  size_t slots;   /* a power of two, at least 4/3 of the names; 0 at first */
  struct vec(struct name) list;
};

void names_open(struct names *, struct mem *, enum mem_tag);
void names_close(struct names *);
/* The number of a text, put in if it is new: copied into `copy`, or borrowed if copy is NULL.
   NAMES_NONE when memory is refused. */
uint32_t names_put(struct names *, const char *text, size_t length, struct arena *copy);
uint32_t names_find(const struct names *, const char *text, size_t length); /* NAMES_NONE = unknown */

#endif
