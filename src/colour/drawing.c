/* drawing.c -- opening and closing a drawing.  Front ends fill it in (drawing.h says how), flatten.c reads it. */
#include "colour/drawing.h"

int drawing_open(struct drawing **out, struct mem *mem, const char *file, struct err *e) {
  struct drawing *d = mem_alloc(mem, MEM_MODEL, sizeof *d);
  *out = NULL;
  if (!d) return err_memory(e, "the net");
  d->mem = mem;
  arena_open(&d->arena, mem, MEM_MODEL);
  d->file = file ? file : "";
  *out = d;
  return 0;
}

static void close_page(struct drawing_page *p, struct mem *mem) {
  for (size_t i = 0; i < p->transitions.count; i++) vec_free(&p->transitions.at[i].pairs, mem);
  for (size_t i = 0; i < p->arcs.count; i++) vec_free(&p->arcs.at[i].bends, mem);
  vec_free(&p->places, mem);
  vec_free(&p->transitions, mem);
  vec_free(&p->arcs, mem);
}

void drawing_close(struct drawing *d) {
  if (!d) return;
  struct mem *mem = d->mem;
  for (size_t i = 0; i < d->pages.count; i++) close_page(&d->pages.at[i], mem);
  vec_free(&d->pages, mem);
  vec_free(&d->declarations, mem);
  vec_free(&d->shown, mem);
  arena_close(&d->arena);
  mem_free(mem, d);
}
