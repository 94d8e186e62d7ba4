/* values.c -- values kept once.
 *
 * Blocks are made unique from the inside out: first the parts, then a block whose fields are words of unique parts, so that two blocks are
 * equal if their tag, size and fields are.  Equal values are then equal words, tails of lists are shared, and looking for a block
 * compares no deeper than its fields.  Lists are walked to their end and built from there; the recursion goes only as deep as types do.
 *
 * The values that somebody asked about have numbers, 32 bits instead of 64: what multisets and bindings hold. */
#include "colour/values.h"

#include "base/hash.h"

#include <string.h>

int values_open(struct values *v, struct mem *mem) {
  *v = (struct values){.mem = mem};
  return shelf_open(&v->shelf, mem) || ml_heap_open(&v->heap, mem) ? -1 : 0;
}

void values_close(struct values *v) {
  if (!v->mem) return;
  if (v->heap) ml_heap_close(v->heap);
  mem_free(v->mem, v->block);
  mem_free(v->mem, v->index);
  vec_free(&v->word, v->mem);
  shelf_close(&v->shelf);
}

static size_t bytes_of(const struct ml_block *b) {
  return b->tag == ML_BLOCK_STRING ? b->size : (size_t)b->size * sizeof(ml_value);
}

static uint64_t hash_of(const struct ml_block *b) {
  return hash_bytes_seeded(b->field, bytes_of(b), (uint64_t)b->tag << 32 | b->size);
}

static int same(const struct ml_block *a, const struct ml_block *b) {
  return a->tag == b->tag && a->size == b->size && memcmp(a->field, b->field, bytes_of(a)) == 0;
}

static ml_value word_of(const struct ml_block *b) { return (ml_value)(uintptr_t)b; }

static int grow_blocks(struct values *v) {
  size_t room = v->block_room ? 2 * v->block_room : 64;
  ml_value *fresh = mem_alloc(v->mem, MEM_MODEL, room * sizeof *fresh);
  if (!fresh) return -1;
  for (size_t i = 0; i < v->block_room; i++) {
    if (!v->block[i]) continue;
    size_t at = hash_of(ml_block(v->block[i])) & (room - 1);
    while (fresh[at]) at = (at + 1) & (room - 1);
    fresh[at] = v->block[i];
  }
  mem_free(v->mem, v->block);
  v->block = fresh;
  v->block_room = room;
  return 0;
}

/* The one block like this, whose fields are unique already; 0: memory. */
static ml_value unique(struct values *v, const struct ml_block *like) {
  if (2 * v->blocks >= v->block_room && grow_blocks(v)) return 0;
  size_t at = hash_of(like) & (v->block_room - 1);
  for (; v->block[at]; at = (at + 1) & (v->block_room - 1))
    if (same(ml_block(v->block[at]), like)) return v->block[at];
  struct ml_block *b = like->tag == ML_BLOCK_STRING ? ml_heap_string(v->heap, (const char *)like->field, like->size)
                                                    : ml_heap_block(v->heap, (enum ml_tag)like->tag, like->size);
  if (!b) return 0;
  if (like->tag != ML_BLOCK_STRING) memcpy(b->field, like->field, bytes_of(like));
  v->blocks++;
  return v->block[at] = word_of(b);
}

static ml_value canonical(struct values *, ml_value);

static ml_value canonical_list(struct values *v, ml_value list) {
  struct vec(ml_value) cells = {0};
  ml_value tail = list;
  struct {
    struct ml_block block;
    ml_value field[2];
  } cell = {.block = {ML_BLOCK_CELL, 2}};
  for (; list && !ml_is_int(tail); tail = ml_block(tail)->field[1])
    if (vec_push(&cells, v->mem, MEM_MODEL, tail)) {
      list = 0; /* no memory */
      break;
    }
  tail = list ? ML_NIL : 0;
  for (size_t i = cells.count; i-- > 0 && tail;) {
    cell.field[1] = tail;
    cell.field[0] = canonical(v, ml_block(cells.at[i])->field[0]);
    tail = cell.field[0] ? unique(v, &cell.block) : 0;
  }
  vec_free(&cells, v->mem);
  return tail;
}

static ml_value canonical(struct values *v, ml_value value) {
  enum { FEW = 16 };
  if (ml_is_int(value)) return value;
  const struct ml_block *b = ml_block(value);
  if (b->tag == ML_BLOCK_STRING || b->tag == ML_BLOCK_REAL) return unique(v, b);
  if (b->tag == ML_BLOCK_CELL) return canonical_list(v, value);
  struct {
    struct ml_block block;
    ml_value field[FEW];
  } small;
  struct ml_block *copy =
      b->size <= FEW ? &small.block : mem_alloc(v->mem, MEM_MODEL, sizeof *copy + (size_t)b->size * sizeof(ml_value));
  if (!copy) return 0;
  copy->tag = b->tag;
  copy->size = b->size;
  ml_value word = 1;
  for (uint32_t i = 0; i < b->size && word; i++) word = copy->field[i] = canonical(v, b->field[i]);
  if (word) word = unique(v, copy);
  if (b->size > FEW) mem_free(v->mem, copy);
  return word;
}

static int grow_index(struct values *v) {
  struct shelf_index *old = v->index, *fresh = shelf_index_new(&v->shelf, old ? 2 * old->room : 64);
  if (!fresh) return -1;
  for (uint32_t i = 0; i < v->word.count; i++) shelf_index_put(fresh, hash_mix(v->word.at[i]), i);
  shelf_publish(v->index, fresh);
  shelf_retire(&v->shelf, old);
  return 0;
}

static uint32_t find(const struct values *v, ml_value word) {
  const struct shelf_index *x = shelf_follow(v->index);
  uint32_t there;
  for (size_t at = hash_mix(word); x && (there = shelf_load(x->slot[at & (x->room - 1)])); at++)
    if (values_word(v, there - 1) == word) return there - 1;
  return VALUES_NONE;
}

static uint32_t keep(struct values *v, ml_value value) {
  ml_value word = canonical(v, value);
  if (!word) return VALUES_NONE;
  uint32_t number = find(v, word);
  if (number != VALUES_NONE) return number;
  if ((!v->index || 2 * v->word.count >= v->index->room) && grow_index(v)) return VALUES_NONE;
  number = (uint32_t)v->word.count;
  if (v->word.count >= VALUES_NONE - 2 || shelf_push(&v->word, &v->shelf, word)) return VALUES_NONE;
  shelf_index_put(v->index, hash_mix(word), number);
  return number;
}

uint32_t values_keep(struct values *v, ml_value value) {
  uint32_t number = find(v, value); /* numbers, and blocks that are kept already */
  if (number != VALUES_NONE) return number;
  shelf_lock(&v->shelf);
  number = keep(v, value);
  shelf_unlock(&v->shelf);
  return number;
}

int values_compare(const struct values *v, uint32_t a, uint32_t b) {
  if (a == b) return 0;
  ml_value x = values_word(v, a), y = values_word(v, b);
  if (ml_is_int(x) && ml_is_int(y)) return ml_to_int(x) < ml_to_int(y) ? -1 : 1;
  return ml_value_compare(x, y);
}
