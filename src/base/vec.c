/* vec.c -- growth of vec.h: by half, so that the garbage of old copies stays small. */
#include "base/vec.h"

int vec_grow_(void **at, size_t *room, size_t need, size_t each, struct mem *m, enum mem_tag tag) {
  size_t next = *room + *room / 2 + 8;
  if (next < need) next = need;
  if (next > SIZE_MAX / 2 / each) return -1;
  void *moved = mem_resize(m, tag, *at, next * each);
  if (!moved && next > need) {
    next = need;
    moved = mem_resize(m, tag, *at, next * each);
  }
  if (!moved) return -1;
  *at = moved;
  *room = next;
  return 0;
}
