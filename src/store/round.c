/* round.c -- the memory of a round: see store.h. */
#include "store/store.h"

#include "base/mem.h"

enum { CLAIMS = 2 }; /* entries for each place */

static int open_part(struct store_part *p, struct mem *mem, unsigned room, size_t stride) {
  size_t places = ((size_t)1 << room) + 1; /* one more is written before it is known whether it is new */
  p->stride = stride;
  p->states = mem_alloc(mem, MEM_SEARCH, (places * stride + 4) * sizeof *p->states);
  p->scratch = mem_alloc(mem, MEM_SEARCH, places * sizeof *p->scratch);
  p->ref = mem_alloc(mem, MEM_SEARCH, places * sizeof *p->ref);
  p->answer = mem_alloc(mem, MEM_SEARCH, places);
  return p->states && p->scratch && p->ref && p->answer ? 0 : -1;
}

static int open_later(struct store_batch *b, struct mem *mem, size_t stride) {
  b->stride = stride;
  b->states = mem_alloc(mem, MEM_SEARCH, (STORE_LATER * stride + 4) * sizeof *b->states);
  b->hash = mem_alloc(mem, MEM_SEARCH, STORE_LATER * sizeof *b->hash);
  b->ref = mem_alloc(mem, MEM_SEARCH, STORE_LATER * sizeof *b->ref);
  b->answer = mem_alloc(mem, MEM_SEARCH, STORE_LATER);
  return b->states && b->hash && b->ref && b->answer ? 0 : -1;
}

static int open_claims(struct store_claims *c, struct mem *mem, size_t places) {
  c->entries = CLAIMS * places;
  c->entry = mem_alloc(mem, MEM_SEARCH, c->entries * sizeof *c->entry);
  return c->entry ? 0 : -1;
}

size_t store_round_bytes(size_t stride) {
  const struct store_part *p = NULL;
  const struct store_claims *c = NULL;
  return stride * sizeof *p->states + sizeof *p->scratch + sizeof *p->ref + sizeof *p->answer + CLAIMS * sizeof *c->entry;
}

int store_round_open(struct store_round *r, struct mem *mem, struct crew *crew, size_t parts, unsigned room, size_t stride, int claims) {
  *r = (struct store_round){.crew = crew, .parts = parts, .room = room};
  r->part = mem_alloc(mem, MEM_SEARCH, parts * sizeof *r->part);
  int bad = !r->part || open_later(&r->later, mem, stride) || (claims && open_claims(&r->claims, mem, parts << room));
  for (size_t i = 0; i < parts && !bad; i++) bad = open_part(&r->part[i], mem, room, stride);
  if (bad) store_round_close(r, mem);
  return bad ? -1 : 0;
}

void store_round_close(struct store_round *r, struct mem *mem) {
  for (size_t i = 0; i < r->parts && r->part; i++) {
    struct store_part *p = &r->part[i];
    mem_free(mem, p->states);
    mem_free(mem, p->scratch);
    mem_free(mem, p->ref);
    mem_free(mem, p->answer);
  }
  mem_free(mem, r->part);
  mem_free(mem, (void *)r->claims.entry);
  mem_free(mem, r->later.states);
  mem_free(mem, r->later.hash);
  mem_free(mem, r->later.ref);
  mem_free(mem, r->later.answer);
  *r = (struct store_round){0};
}
