/* shelf.c -- see shelf.h. */
#include "colour/shelf.h"

#include <string.h>

int shelf_open(struct shelf *s, struct mem *mem) {
  pthread_mutexattr_t kind;
  *s = (struct shelf){0};
  if (pthread_mutexattr_init(&kind)) return -1;
  int bad = pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) || pthread_mutex_init(&s->lock, &kind);
  pthread_mutexattr_destroy(&kind);
  if (!bad) s->mem = mem;
  return bad ? -1 : 0;
}

static void clear(struct shelf *s) {
  for (size_t i = 0; i < s->old.count; i++) mem_free(s->mem, s->old.at[i]);
  vec_free(&s->old, s->mem);
}

void shelf_close(struct shelf *s) {
  if (!s->mem) return;
  clear(s);
  pthread_mutex_destroy(&s->lock);
  s->mem = NULL;
}

void shelf_begin(struct shelf *s) {
  clear(s);
  s->several = 1;
}

void shelf_end(struct shelf *s) {
  clear(s);
  s->several = 0;
}

int shelf_room(struct shelf *s) { return s->several ? vec_reserve(&s->old, s->mem, MEM_MODEL, 1) : 0; }

void shelf_retire(struct shelf *s, void *old) {
  if (s->several && old) s->old.at[s->old.count++] = old;
  else mem_free(s->mem, old);
}

int shelf_grow_(struct shelf *s, void **at, size_t *room, size_t count, size_t more, size_t each) {
  if (!s->several) return vec_grow_(at, room, count, more, each, s->mem, MEM_MODEL);
  void *fresh = NULL;
  size_t fresh_room = 0, most = SIZE_MAX / 2 / each;
  if (count > most / 2 || shelf_room(s) || vec_grow_(&fresh, &fresh_room, 0, count + (more > count ? more : count), each, s->mem, MEM_MODEL)) return -1;
  if (count) memcpy(fresh, *at, count * each);
  void *old = *at;
  __atomic_store_n(at, fresh, __ATOMIC_RELEASE);
  *room = fresh_room;
  shelf_retire(s, old);
  return 0;
}

struct shelf_index *shelf_index_new(struct shelf *s, size_t room) {
  struct shelf_index *x = shelf_room(s) ? NULL : mem_alloc(s->mem, MEM_MODEL, sizeof *x + room * sizeof *x->slot);
  if (x) x->room = room;
  return x;
}
