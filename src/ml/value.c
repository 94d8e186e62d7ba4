/* value.c -- heaps of values; their order, hash and copies.
 *
 * Everything that walks a value does so in a loop along the last field of a block and by recursion into the other fields.  The
 * last field of a list cell is its tail and the last field of a constructor its argument, so long lists cost no stack; what
 * remains is as deep as types are nested, which the checker bounds, unless somebody declares a datatype and builds a tower of it
 * to the left. Such towers end at DEEPEST.
 *
 * Reals are ordered by their bits, mirrored for negative ones: the order of numbers, and total (minus zero before zero, NaN at
 * the ends), so that equal means equal bits and hashes agree. */
#include "ml/heap.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

enum { FIRST_CHUNK = 8 << 10, LAST_CHUNK = 4 << 20, DEEPEST = 20000 };

int ml_heap_open(struct ml_heap **out, struct mem *mem) {
  struct ml_heap *h = mem_alloc(mem, MEM_MODEL, sizeof *h);
  *out = h;
  if (!h) return -1;
  h->mem = mem;
  return 0;
}

static void free_chunks(struct ml_heap *h, struct ml_chunk *c) {
  while (c) {
    struct ml_chunk *older = c->older;
    mem_free(h->mem, c);
    c = older;
  }
}

void ml_heap_close(struct ml_heap *h) {
  if (!h) return;
  free_chunks(h, h->newest);
  mem_free(h->mem, h);
}

void ml_heap_clear(struct ml_heap *h) {
  struct ml_chunk *kept = h->newest;
  if (!kept) return;
  if (kept->older || kept->bytes > LAST_CHUNK) { /* the largest stays, unless it was made for one huge block */
    struct ml_chunk *c = h->newest;
    kept = NULL;
    while (c) {
      struct ml_chunk *older = c->older, *drop = c;
      if (c->bytes <= LAST_CHUNK && (!kept || c->bytes > kept->bytes)) {
        drop = kept;
        kept = c;
      }
      mem_free(h->mem, drop);
      c = older;
    }
    h->newest = kept;
    if (kept) kept->older = NULL;
  }
  h->next = kept ? (char *)(kept + 1) : NULL;
  h->end = kept ? h->next + kept->bytes : NULL;
}

int ml_heap_grow(struct ml_heap *h, size_t bytes) {
  size_t room = h->newest ? h->newest->bytes * 2 : FIRST_CHUNK;
  if (room > LAST_CHUNK) room = LAST_CHUNK;
  if (room < bytes) room = bytes;
  struct ml_chunk *c = mem_alloc(h->mem, MEM_MODEL, sizeof *c + room);
  if (!c && room > bytes) { /* less may do */
    room = bytes;
    c = mem_alloc(h->mem, MEM_MODEL, sizeof *c + room);
  }
  if (!c) return -1;
  c->older = h->newest;
  c->bytes = room;
  h->newest = c;
  h->next = (char *)(c + 1);
  h->end = h->next + room;
  return 0;
}

static size_t fields_of(enum ml_tag tag, uint32_t size) { return tag == ML_BLOCK_STRING ? ml_string_fields(size) : size; }

struct ml_block *ml_heap_block(struct ml_heap *h, enum ml_tag tag, uint32_t size) {
  return ml_heap_cut(h, tag, size, fields_of(tag, size));
}

struct ml_block *ml_heap_string(struct ml_heap *h, const char *text, size_t length) {
  if (length > UINT32_MAX) return NULL;
  size_t fields = ml_string_fields(length);
  struct ml_block *b = ml_heap_cut(h, ML_BLOCK_STRING, (uint32_t)length, fields);
  if (!b) return NULL;
  if (fields) b->field[fields - 1] = 0;
  if (text && length) memcpy(b->field, text, length);
  return b;
}

ml_value ml_heap_real(struct ml_heap *h, double number) {
  static const uint64_t not_a_number = 0x7ff8000000000000;
  if (number == 0) number = 0;
  if (isnan(number)) memcpy(&number, &not_a_number, sizeof number);
  struct ml_block *b = ml_heap_cut(h, ML_BLOCK_REAL, 1, 1);
  if (!b) return 0;
  memcpy(b->field, &number, sizeof number);
  return ml_from_block(b);
}

static int order(int64_t a, int64_t b) { return (a > b) - (a < b); }

static uint64_t real_key(uint64_t bits) { return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63; }

static int compare_strings(const struct ml_block *a, const struct ml_block *b) {
  uint32_t shorter = a->size < b->size ? a->size : b->size;
  int c = memcmp(a->field, b->field, shorter);
  return c ? c : order(a->size, b->size);
}

/* The rank of a value among the constructors of its type: nil before ::, NONE before SOME x. */
static int64_t rank(ml_value v) {
  if (ml_is_int(v)) return ml_to_int(v);
  const struct ml_block *b = ml_block(v);
  return b->tag == ML_BLOCK_CELL ? 1 : ml_to_int(b->field[0]);
}

static int compare(ml_value v, ml_value w, unsigned depth) {
  if (depth > DEEPEST) return ML_TOO_DEEP;
  for (;;) {
    if (v == w) return 0;
    if (ml_is_int(v) || ml_is_int(w)) return order(rank(v), rank(w));
    const struct ml_block *a = ml_block(v), *b = ml_block(w);
    switch (a->tag) {
    case ML_BLOCK_STRING: return compare_strings(a, b);
    case ML_BLOCK_REAL: {
      uint64_t x = real_key(a->field[0]), y = real_key(b->field[0]);
      return (x > y) - (x < y);
    }
    case ML_BLOCK_REF: return order((int64_t)v, (int64_t)w); /* cells are equal if they are the same */
    default: break;
    }
    uint32_t shared = a->size < b->size ? a->size : b->size;
    if (shared == 0) return order(a->size, b->size);
    uint32_t last = shared - 1;
    for (uint32_t i = 0; i < last; i++) {
      ml_value x = a->field[i], y = b->field[i];
      if (x == y) continue;
      int c = ml_is_int(x) && ml_is_int(y) ? order(ml_to_int(x), ml_to_int(y)) : compare(x, y, depth + 1);
      if (c) return c;
    }
    if (a->size != b->size) {
      int c = compare(a->field[last], b->field[last], depth + 1);
      return c ? c : order(a->size, b->size);
    }
    v = a->field[last];
    w = b->field[last];
  }
}

int ml_value_compare(ml_value v, ml_value w) { return compare(v, w, 0); }

static uint64_t hash(ml_value v, unsigned depth) {
  uint64_t h = 0;
  if (depth > DEEPEST) return h;
  for (;;) {
    if (ml_is_int(v)) return hash_pair(h, v);
    const struct ml_block *b = ml_block(v);
    h = hash_pair(h, (uint64_t)b->tag << 32 | b->size);
    if (b->tag == ML_BLOCK_STRING) return hash_bytes_seeded(b->field, b->size, h);
    if (b->tag == ML_BLOCK_REAL) return hash_pair(h, b->field[0]);
    if (b->size == 0) return h;
    uint32_t last = b->size - 1;
    for (uint32_t i = 0; i < last; i++) h = hash_pair(h, ml_is_int(b->field[i]) ? b->field[i] : hash(b->field[i], depth + 1));
    v = b->field[last];
  }
}

uint64_t ml_value_hash(ml_value v) { return hash(v, 0); }

static ml_value copy_of(struct ml_heap *to, ml_value v, unsigned depth) {
  ml_value first = 0, *where = &first;
  if (depth > DEEPEST) return 0;
  for (;;) {
    if (ml_is_int(v)) break;
    const struct ml_block *b = ml_block(v);
    size_t fields = fields_of(b->tag, b->size);
    struct ml_block *copy = ml_heap_cut(to, b->tag, b->size, fields);
    if (!copy) return 0;
    *where = ml_from_block(copy);
    if (b->tag == ML_BLOCK_STRING || b->tag == ML_BLOCK_REAL) {
      memcpy(copy->field, b->field, fields * sizeof *b->field);
      return first;
    }
    if (fields == 0) return first;
    for (size_t i = 0; i + 1 < fields; i++)
      if (!(copy->field[i] = ml_is_int(b->field[i]) ? b->field[i] : copy_of(to, b->field[i], depth + 1))) return 0;
    where = &copy->field[fields - 1];
    v = b->field[fields - 1];
  }
  *where = v;
  return first;
}

ml_value ml_value_copy(struct ml_heap *to, ml_value v) { return copy_of(to, v, 0); }
