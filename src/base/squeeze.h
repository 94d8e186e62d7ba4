/* squeeze.h -- blocks of bytes made smaller by zstd, whose contexts lie in memory of ours.
 *
 * A context is as large as blocks of a given length need: larger ones can be squeezed too, only not as well.  Nothing is allocated after opening. */
#ifndef BASE_SQUEEZE_H
#define BASE_SQUEEZE_H

#include "base/mem.h"

#include <stddef.h>

struct squeeze {
  struct mem *mem;
  void *pack, *unpack;
  size_t bytes; /* of both */
};

int squeeze_open(struct squeeze *, size_t block, struct mem *, enum mem_tag); /* 0 or -1 */
void squeeze_close(struct squeeze *);                                         /* a zeroed one is fine */
size_t squeeze_bound(size_t bytes);                                           /* the most that so many become */
/* How many they have become; 0, and why: they could not be. */
size_t squeeze_pack(struct squeeze *, const void *data, size_t bytes, void *out, size_t room, const char **why);
/* How many they were; 0: these are no such bytes, or more than there is room for. */
size_t squeeze_unpack(struct squeeze *, const void *data, size_t bytes, void *out, size_t room);

#endif
