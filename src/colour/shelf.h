/* shelf.h -- tables that several threads read while one of them adds to them.
 *
 * What a coloured net remembers (values, multisets, bindings) only ever grows while a state is expanded, and nearly every step only reads it.  So readers take no lock and write nothing: they come
 * from a number that was published, and what it stands for was written before.  Whoever misses something takes the lock, looks once more, adds it and publishes it.
 *
 *   elements   are written first, then the number by which others find them (release); readers load that number first (acquire), then the pointer to the array, then the element: a load through a pointer comes after the
 *              load of the pointer on every machine that there is, so that needs no order of its own, which would cost one thread alone some percent.  ThreadSanitizer knows nothing of that and sees an acquire.
 *   arrays     that have to grow are copied; the old one stays on the shelf until nobody can read it any more: shelf_end, or the next piece of work of the same threads
 *   indexes    hold their size beside their slots, so that one pointer tells both
 *
 * While one thread is alone (`several` is 0) there is no lock, arrays grow as all others do, and everything may be dropped. */
#ifndef COLOUR_SHELF_H
#define COLOUR_SHELF_H

#include "base/vec.h"

#include <pthread.h>

struct shelf {
  struct mem *mem;
  int several; /* threads use it at once */
  pthread_mutex_t lock; /* whoever has it may take it again */
  struct vec(void *) old;
};

int shelf_open(struct shelf *, struct mem *); /* 0 or -1 */
void shelf_close(struct shelf *);
void shelf_begin(struct shelf *); /* several threads come; or: those that are there stand still just now */
void shelf_end(struct shelf *);   /* one is left */

static inline void shelf_lock(struct shelf *s) {
  if (s->several) pthread_mutex_lock(&s->lock);
}
static inline void shelf_unlock(struct shelf *s) {
  if (s->several) pthread_mutex_unlock(&s->lock);
}

/* Nobody new finds it: it goes when nobody can read it any more. Room for it was made (shelf_room: 0 or -1). */
int shelf_room(struct shelf *);
void shelf_retire(struct shelf *, void *old);

/* Arrays (base/vec.h). An element by its number; room for more; one more. */
#define shelf_load(pointer) __atomic_load_n(&(pointer), __ATOMIC_ACQUIRE)
#define shelf_publish(where, what) __atomic_store_n(&(where), (what), __ATOMIC_RELEASE)
#ifdef __SANITIZE_THREAD__
#define SHELF_FOLLOW __ATOMIC_ACQUIRE
#else
#define SHELF_FOLLOW __ATOMIC_RELAXED
#endif
#define shelf_follow(pointer) __atomic_load_n(&(pointer), SHELF_FOLLOW)
#define shelf_at(v, i) (shelf_follow((v)->at) + (i))
#define shelf_count(v) shelf_load((v)->count)
#define shelf_reserve(v, shelf, n) ((n) <= (v)->room - (v)->count ? 0 : shelf_grow_((shelf), (void **)&(v)->at, &(v)->room, (v)->count, (n), sizeof *(v)->at))
#define shelf_push(v, shelf, ...) (shelf_reserve(v, shelf, 1) ? -1 : ((v)->at[(v)->count] = (__VA_ARGS__), shelf_publish((v)->count, (v)->count + 1), 0))
int shelf_grow_(struct shelf *, void **at, size_t *room, size_t count, size_t more, size_t each);

/* Open addressing: numbers + 1; 0 = free. */
struct shelf_index {
  size_t room; /* a power of two */
  uint32_t slot[];
};
struct shelf_index *shelf_index_new(struct shelf *, size_t room); /* for an index that takes the place of another one; NULL: memory */
static inline void shelf_index_put(struct shelf_index *x, uint64_t hash, uint32_t number) {
  size_t at = hash & (x->room - 1);
  while (x->slot[at]) at = (at + 1) & (x->room - 1);
  shelf_publish(x->slot[at], number + 1);
}

#endif
