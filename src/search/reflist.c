/* reflist.c -- see reflist.h. */
#include "search/reflist.h"

enum { FIRST = 64, MOST = 64 << 10 };

struct reflist_piece {
  struct reflist_piece *next;
  struct ref_shape shape;
  uint32_t used, room; /* entries */
  uint8_t data[];
};

/* A piece with room for entries of such a shape. */
static struct reflist_piece *begin_piece(struct reflist *l, struct mem *mem, struct ref_shape shape) {
  size_t bytes = l->tail ? 2 * (size_t)l->tail->room * l->tail->shape.entry : FIRST;
  if (bytes > MOST) bytes = MOST;
  if (bytes < shape.entry) bytes = shape.entry;
  struct reflist_piece *p = mem_alloc(mem, MEM_FRONTIER, sizeof *p + bytes);
  if (!p) return NULL;
  p->shape = shape;
  p->room = (uint32_t)(bytes / shape.entry);
  if (l->tail) l->tail->next = p;
  else l->head = p;
  l->tail = p;
  return p;
}

int reflist_push(struct reflist *l, struct mem *mem, store_ref ref) {
  struct reflist_piece *p = l->tail;
  if (!p || p->used == p->room || ref_bytes((uint32_t)ref) > p->shape.low || ref_bytes((uint32_t)(ref >> 32)) > p->shape.high) {
    struct ref_shape shape = p ? p->shape : (struct ref_shape){2, 1, 1};
    ref_fit(&shape, ref);
    p = begin_piece(l, mem, shape);
  }
  if (!p) return -1;
  ref_put(p->data + (size_t)p->used++ * p->shape.entry, p->shape, ref);
  l->count++;
  return 0;
}

int reflist_push_bytes(struct reflist *l, struct mem *mem, const void *bytes, uint32_t size) {
  struct reflist_piece *p = l->tail;
  if (!p || p->used == p->room) p = begin_piece(l, mem, (struct ref_shape){.entry = size});
  if (!p) return -1;
  memcpy(p->data + (size_t)p->used++ * size, bytes, size);
  l->count++;
  return 0;
}

const void *reflist_next_bytes(const struct reflist *l, struct reflist_place *at) {
  if (at->taken == l->count) return NULL;
  if (!at->piece) at->piece = l->head;
  while (at->at == at->piece->used) {
    at->piece = at->piece->next;
    at->at = 0;
  }
  at->taken++;
  return at->piece->data + at->at++ * at->piece->shape.entry;
}

int reflist_next(const struct reflist *l, struct reflist_place *at, store_ref *out) {
  const uint8_t *entry = reflist_next_bytes(l, at);
  if (entry) *out = ref_get(entry, at->piece->shape);
  return entry != NULL;
}

void reflist_close(struct reflist *l, struct mem *mem) {
  for (struct reflist_piece *p = l->head, *next; p; p = next) {
    next = p->next;
    mem_free(mem, p);
  }
  *l = (struct reflist){0};
}
