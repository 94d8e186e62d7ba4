/* dependence.c -- see dependence.h. */
#include "model/dependence.h"

#include <stdlib.h>

static int compare_pairs(const void *x, const void *y) {
  const struct dependence_pair *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return a->entry < b->entry ? -1 : a->entry > b->entry;
}

int dependence_rows_make(struct dependence_rows *out, uint32_t rows, struct dependence_pair *pair, size_t count, struct mem *mem) {
  if (count) qsort(pair, count, sizeof *pair, compare_pairs);
  out->start = mem_alloc(mem, MEM_MODEL, ((size_t)rows + 1) * sizeof *out->start);
  out->at = mem_alloc(mem, MEM_MODEL, (count + 1) * sizeof *out->at);
  if (!out->start || !out->at || count > UINT32_MAX) return -1;
  uint32_t used = 0;
  size_t next = 0;
  for (uint32_t r = 0; r <= rows; r++) {
    out->start[r] = used;
    for (uint32_t first = used; next < count && pair[next].row == r; next++)
      if (used == first || out->at[used - 1] != pair[next].entry) out->at[used++] = pair[next].entry;
  }
  return 0;
}

static void free_rows(struct dependence_rows *r, struct mem *mem) {
  mem_free(mem, r->start);
  mem_free(mem, r->at);
}

void dependence_close(struct dependence *d) {
  if (!d->mem) return;
  free_rows(&d->guards_of, d->mem);
  free_rows(&d->enabling, d->mem);
  free_rows(&d->conflict, d->mem);
  free_rows(&d->raise, d->mem);
  free_rows(&d->lower, d->mem);
  mem_free(d->mem, d->sticky);
  *d = (struct dependence){0};
}
