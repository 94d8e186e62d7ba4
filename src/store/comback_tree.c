/* comback_tree.c -- see comback_tree.h. */
#include "store/comback_tree.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

enum { SLACK = 16 };

void comback_tree_open(struct comback_tree *t, struct blocks *blocks, int table, int depths) {
  *t = (struct comback_tree){.blocks = blocks, .table = table, .depths = table && depths, .parent_bits = 8, .edge_bits = 3};
  spanning_open(&t->spanning, blocks->mem, MEM_STORE);
  region_open(&t->rows, blocks->mem, MEM_STORE);
  region_open(&t->depth, blocks->mem, MEM_STORE);
}

void comback_tree_close(struct comback_tree *t) {
  spanning_close(&t->spanning);
  region_close(&t->rows);
  region_close(&t->depth);
  size_t before = t->blocks->mem->used;
  vec_free(&t->exceptions, t->blocks->mem);
  t->blocks->bytes -= before - t->blocks->mem->used;
}

size_t comback_tree_bytes(const struct comback_tree *t) { return spanning_bytes(&t->spanning) + t->rows.held + t->depth.held; }

/* ---- rows of bits ------------------------------------------------------------------------ */

static uint64_t row_at(const struct comback_tree *t, unsigned width, uint64_t number) {
  uint64_t at = number * width, x;
  memcpy(&x, t->rows.base + at / 8, 8);
  return x >> at % 8 & bits_mask(width);
}

static void set_row(struct comback_tree *t, unsigned width, uint64_t number, uint64_t row) {
  uint64_t at = number * width, x;
  memcpy(&x, t->rows.base + at / 8, 8);
  x = (x & ~(bits_mask(width) << at % 8)) | row << at % 8;
  memcpy(t->rows.base + at / 8, &x, 8);
}

static uint64_t pack(uint64_t parent, uint64_t edge, unsigned edge_bits) { return parent << edge_bits | edge; }

/* Room for the next row, each part as wide as asked for. 0, or -1: no memory. */
static int row_room(struct comback_tree *t, unsigned parent_bits, unsigned edge_bits) {
  unsigned width = parent_bits + edge_bits, before = t->parent_bits + t->edge_bits;
  assert(width <= 57);
  if (width != before || t->count >= t->row_room) {
    uint64_t need = t->count + 1, want = need + need / 8 + 64;
    if (region_resize(&t->rows, want * width / 8 + SLACK)) {
      want = need + 64;
      if (region_resize(&t->rows, want * width / 8 + SLACK)) return -1;
    }
    t->row_room = want;
  }
  if (width != before || edge_bits != t->edge_bits) /* never narrower: from the end */
    for (uint64_t n = t->count; n-- > 0;) {
      uint64_t row = row_at(t, before, n);
      set_row(t, width, n, pack(row >> t->edge_bits, row & bits_mask(t->edge_bits), edge_bits));
    }
  t->parent_bits = parent_bits;
  t->edge_bits = edge_bits;
  return 0;
}

static int add_row(struct comback_tree *t, uint64_t parent, uint64_t edge) {
  unsigned parent_bits = bits_for(t->count > parent ? t->count : parent), edge_bits = bits_for(edge);
  if (parent_bits < t->parent_bits) parent_bits = t->parent_bits;
  if (edge_bits < t->edge_bits) edge_bits = t->edge_bits;
  if (row_room(t, parent_bits, edge_bits)) return -1;
  set_row(t, parent_bits + edge_bits, t->count, pack(parent, edge, edge_bits));
  return 0;
}

/* ---- depths ------------------------------------------------------------------------------- */

static uint32_t *depth_of(const struct comback_tree *t, uint64_t number) { return (uint32_t *)(void *)t->depth.base + number; }

static int add_depth(struct comback_tree *t, uint64_t parent) {
  size_t need = (t->count + 1) * sizeof(uint32_t);
  if (!t->depths) return 0;
  if (need > t->depth.size && region_resize(&t->depth, need + need / 8 + 1024) && region_resize(&t->depth, need + 64)) return -1;
  *depth_of(t, t->count) = parent == COMBACK_NOBODY ? 0 : *depth_of(t, parent) + 1;
  return 0;
}

void comback_tree_shorten(struct comback_tree *t, uint64_t number, uint64_t parent, uint32_t edge) {
  if (!t->depths || *depth_of(t, parent) + 1 >= *depth_of(t, number)) return;
  unsigned width = t->parent_bits + t->edge_bits;
  if (bits_for(edge) > t->edge_bits || bits_for(parent) > t->parent_bits) return; /* a way is there already: not worth wider rows */
  if (row_at(t, width, number) >> t->edge_bits == number) return;                 /* a root, or in the list */
  set_row(t, width, number, pack(parent, edge, t->edge_bits));
  *depth_of(t, number) = *depth_of(t, parent) + 1;
}

/* ---- states -------------------------------------------------------------------------------- */

static int add_exception(struct comback_tree *t, struct comback_exception e) {
  size_t before = t->blocks->mem->used;
  int status = vec_push(&t->exceptions, t->blocks->mem, MEM_STORE, e);
  t->blocks->bytes += t->blocks->mem->used - before;
  return status;
}

static int add_unlisted(struct comback_tree *t, uint64_t parent, uint32_t edge) {
  if (t->table) return add_row(t, parent, edge);
  while (t->spanning.expanded < parent)
    if (spanning_expanded(&t->spanning)) return -1;
  return spanning_found(&t->spanning, edge);
}

int comback_tree_add(struct comback_tree *t, uint64_t parent, uint32_t edge) {
  if (!t->table && parent < t->spanning.expanded) return comback_tree_add_exception(t, parent, edge);
  if (add_depth(t, parent) || add_unlisted(t, parent, edge)) return -1;
  t->count++;
  return 0;
}

static int add_listed(struct comback_tree *t, uint64_t parent, uint64_t edge) {
  struct comback_exception e = {t->count, parent, edge};
  if (add_depth(t, parent) || add_exception(t, e)) return -1;
  if (t->table ? add_row(t, t->count, 0) : spanning_found(&t->spanning, 0)) { /* its own predecessor: see the list */
    t->exceptions.count--;
    return -1;
  }
  t->count++;
  return 0;
}

int comback_tree_add_root(struct comback_tree *t, uint64_t root) {
  if (add_listed(t, COMBACK_NOBODY, root)) return -1;
  t->roots++;
  return 0;
}

int comback_tree_add_milestone(struct comback_tree *t, uint64_t parent, uint32_t edge, uint64_t root) {
  if (!comback_tree_in_order(t, parent) || t->table) return comback_tree_add_root(t, root);
  struct comback_exception e = {t->count, COMBACK_NOBODY, root | COMBACK_KNOWN_STEP};
  if (add_exception(t, e)) return -1;
  if (add_unlisted(t, parent, edge)) {
    t->exceptions.count--;
    return -1;
  }
  t->count++;
  t->roots++;
  return 0;
}

int comback_tree_make_root(struct comback_tree *t, uint64_t number, uint64_t root) {
  struct comback_exception e = {number, COMBACK_NOBODY, number ? root | COMBACK_KNOWN_STEP : root};
  assert(!t->table && number < t->count);
  if (add_exception(t, e)) return -1;
  t->roots++;
  return 0;
}

int comback_tree_add_exception(struct comback_tree *t, uint64_t parent, uint32_t edge) { return add_listed(t, parent, edge); }

static const struct comback_exception *exception_of(const struct comback_tree *t, uint64_t number) {
  size_t low = 0, high = t->exceptions.count;
  if (!high || number > t->exceptions.at[high - 1].number) return NULL;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (t->exceptions.at[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return t->exceptions.at[low].number == number ? &t->exceptions.at[low] : NULL;
}

struct comback_back comback_tree_back(const struct comback_tree *t, uint64_t number) {
  assert(number < t->count);
  uint64_t row = t->table ? row_at(t, t->parent_bits + t->edge_bits, number) : 0;
  if (!t->table || row >> t->edge_bits == number) {
    const struct comback_exception *e = exception_of(t, number);
    if (e) return (struct comback_back){e->parent, (uint32_t)e->edge, 1};
  }
  if (t->table) return (struct comback_back){row >> t->edge_bits, (uint32_t)(row & bits_mask(t->edge_bits)), 0};
  return (struct comback_back){spanning_parent(&t->spanning, number), spanning_edge(&t->spanning, number), 0};
}

struct comback_back comback_tree_origin(const struct comback_tree *t, uint64_t number) {
  const struct comback_exception *e = exception_of(t, number);
  if (!e || !(e->edge & COMBACK_KNOWN_STEP)) return comback_tree_back(t, number);
  return (struct comback_back){spanning_parent(&t->spanning, number), spanning_edge(&t->spanning, number), 0};
}

void comback_tree_expect(const struct comback_tree *t, uint64_t number) {
  if (t->table) __builtin_prefetch(t->rows.base + number * (t->parent_bits + t->edge_bits) / 8);
  else spanning_expect(&t->spanning, number);
}
