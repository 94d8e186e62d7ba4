/* vec.h -- growable arrays under the budget.
 *
 *   struct vec(int) v = {0};
 *   if (vec_push(&v, mem, MEM_OTHER, 7)) return -1;   // 0, or -1 when refused
 *   v.at[i], v.count
 *   vec_free(&v, mem); */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/mem.h"

#define vec(T)                                                                                                                   \
  {                                                                                                                              \
    T *at;                                                                                                                       \
    size_t count, room;                                                                                                          \
  }

/* Makes room for n more; 0 or -1. */
#define vec_reserve(v, mem, tag, n)                                                                                              \
  ((n) <= (v)->room - (v)->count ? 0 : vec_grow_((void **)&(v)->at, &(v)->room, (v)->count, (n), sizeof *(v)->at, (mem), (tag)))

#define vec_push(v, mem, tag, ...) (vec_reserve(v, mem, tag, 1) ? -1 : ((v)->at[(v)->count++] = (__VA_ARGS__), 0))

#define vec_free(v, mem) (mem_free((mem), (v)->at), (v)->at = 0, (v)->count = (v)->room = 0)

int vec_grow_(void **at, size_t *room, size_t count, size_t more, size_t each, struct mem *m, enum mem_tag tag);

#endif
