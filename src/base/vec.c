/* vec.c -- growth of vec.h: by half, so that the garbage of old copies stays small. */
#include "base/vec.h"

int vec_grow_(void **at, size_t *room, size_t count, size_t more, size_t each, struct mem *m, enum mem_tag tag) {
  size_t most = SIZE_MAX / 2 / each;
  if (more > most - count) return -1;
  size_t need = count + more, next = *room + *room / 2 + 8;
  if (next < need) next = need;
  if (next > most) next = need;
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
