/* reflist.c -- see reflist.h. */
#include "search/reflist.h"

enum { FIRST = 64, MOST = 64 << 10 };

struct reflist_piece {
  struct reflist_piece *next;
  struct ref_shape shape;
  uint32_t used, room; /* entries */
  uint8_t data[];
};

/* A piece in which such a ref has room. */
static struct reflist_piece *begin_piece(struct reflist *l, struct mem *mem, store_ref ref) {
  struct ref_shape shape = l->tail ? l->tail->shape : (struct ref_shape){2, 1, 1};
  size_t bytes = l->tail ? 2 * (size_t)l->tail->room * l->tail->shape.entry : FIRST;
  if (bytes > MOST) bytes = MOST;
  ref_fit(&shape, ref);
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
  if (!p || p->used == p->room || ref_bytes((uint32_t)ref) > p->shape.low || ref_bytes((uint32_t)(ref >> 32)) > p->shape.high) p = begin_piece(l, mem, ref);
  if (!p) return -1;
  ref_put(p->data + (size_t)p->used++ * p->shape.entry, p->shape, ref);
  l->count++;
  return 0;
}

int reflist_next(const struct reflist *l, struct reflist_place *at, store_ref *out) {
  if (at->taken == l->count) return 0;
  if (!at->piece) at->piece = l->head;
  while (at->at == at->piece->used) {
    at->piece = at->piece->next;
    at->at = 0;
  }
  *out = ref_get(at->piece->data + at->at++ * at->piece->shape.entry, at->piece->shape);
  at->taken++;
  return 1;
}

void reflist_close(struct reflist *l, struct mem *mem) {
  for (struct reflist_piece *p = l->head, *next; p; p = next) {
    next = p->next;
    mem_free(mem, p);
  }
  *l = (struct reflist){0};
}
