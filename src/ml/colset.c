/* colset.c -- colour sets as sets of values: whether a value belongs, how many there are, all of them, the n-th of them.
 *
 * The order is that of values (value.h): products from the left, records as they were written, unions by constructor, lists with
 * each prefix before what goes on from it.  A list colour set, or a string one, is a tree whose nodes are prefixes; below(d)
 * nodes that count hang from one at depth d, which numbers them without walking. */
#include "ml/colset.h"

#include "ml/native.h"

#include <string.h>

static const struct ml_colset *resolved(const struct ml_colset *c) {
  while (c->kind == ML_COLSET_ALIAS) c = c->part[0];
  return c;
}

static const struct ml_data *data_of(const struct ml_colset *c) { return ml_type_find(c->type)->data; }

/* Which part of a record was written in place i. */
static uint32_t written(const struct ml_colset *c, uint32_t i) { return c->order ? c->order[i] : i; }

static int in_range(const struct ml_colset *c, int64_t n) { return !c->has_range || (n >= c->low && n <= c->high); }

static int belongs_string(const struct ml_colset *c, ml_value v) {
  const struct ml_block *b = ml_block(v);
  if (!in_range(c, b->size)) return 0;
  if (!c->low_char) return 1;
  const char *at = ml_string_bytes(b);
  for (uint32_t i = 0; i < b->size; i++)
    if ((unsigned char)at[i] < (unsigned char)*c->low_char || (unsigned char)at[i] > (unsigned char)*c->high_char) return 0;
  return 1;
}

static int belongs_subset(struct ml_machine *m, const struct ml_colset *c, ml_value v) {
  int answer = ml_belongs(m, c->part[0], v);
  if (answer != 1 || !c->about) return answer;
  if (c->about->values) return ml_multiset_coefficient(c->about->values, v) > 0;
  if (!c->about->by) return 1;
  ml_value truth;
  if (ml_run(m, c->about->by, &v, 0, &truth) != ML_OK) return -1;
  return truth != ml_from_int(0);
}

int ml_belongs(struct ml_machine *m, const struct ml_colset *c, ml_value v) {
  c = resolved(c);
  int answer = 1;
  switch (c->kind) {
  case ML_COLSET_INT:
  case ML_COLSET_INTINF:
  case ML_COLSET_TIME: return in_range(c, ml_to_int(v));
  case ML_COLSET_REAL: return !c->has_range || (ml_to_real(v) >= c->low_real && ml_to_real(v) <= c->high_real);
  case ML_COLSET_STRING: return belongs_string(c, v);
  case ML_COLSET_INDEX: return in_range(c, ml_to_int(ml_block(v)->field[1]));
  case ML_COLSET_PRODUCT:
  case ML_COLSET_RECORD:
    for (uint32_t i = 0; i < c->parts && answer == 1; i++) answer = ml_belongs(m, c->part[i], ml_block(v)->field[i]);
    return answer;
  case ML_COLSET_LIST: {
    int64_t n = 0;
    for (; !ml_is_int(v) && answer == 1; v = ml_block(v)->field[1], n++)
      answer = ml_belongs(m, c->part[0], ml_block(v)->field[0]);
    return answer == 1 ? in_range(c, n) : answer;
  }
  case ML_COLSET_UNION: {
    if (ml_is_int(v)) return 1;
    const struct ml_colset *part = c->part[ml_to_int(ml_block(v)->field[0])];
    return part ? ml_belongs(m, part, ml_block(v)->field[1]) : 1;
  }
  case ML_COLSET_SUBSET: return belongs_subset(m, c, v);
  default: return 1;
  }
}

/* Sizes: 0 = too many. */

static uint64_t times(uint64_t a, uint64_t b, uint64_t most) { return a == 0 || b == 0 || a > most / b ? 0 : a * b; }

/* How many sequences over `letters` letters there are with a given beginning of length `depth`; 0 = too many, or none. */
static uint64_t below(const struct ml_colset *c, uint64_t letters, int64_t depth, uint64_t most) {
  uint64_t n = 1;
  if (!c->has_range || c->high < c->low || c->high > 4096) return 0;
  for (int64_t d = c->high; d > depth; d--) {
    n = times(n, letters, most);
    if (n == 0) return 0;
    n += d - 1 >= c->low;
    if (n > most) return 0;
  }
  return n;
}

static uint64_t letters_of(const struct ml_colset *c, uint64_t most) {
  if (c->kind == ML_COLSET_LIST) return ml_colset_size(c->part[0], most);
  return c->low_char ? (uint64_t)((unsigned char)*c->high_char - (unsigned char)*c->low_char) + 1 : 256;
}

static uint64_t range_size(const struct ml_colset *c, uint64_t most) {
  if (!c->has_range || c->high < c->low) return 0;
  uint64_t n = (uint64_t)(c->high - c->low) + 1;
  return n > most ? 0 : n;
}

static uint64_t union_part_size(const struct ml_colset *c, uint32_t i, uint64_t most) {
  return i < c->parts && c->part[i] ? ml_colset_size(c->part[i], most) : 1;
}

uint64_t ml_colset_size(const struct ml_colset *c, uint64_t most) {
  c = resolved(c);
  uint64_t n = 1;
  switch (c->kind) {
  case ML_COLSET_UNIT: break;
  case ML_COLSET_BOOL: n = 2; break;
  case ML_COLSET_INT:
  case ML_COLSET_INTINF:
  case ML_COLSET_TIME:
  case ML_COLSET_INDEX: return range_size(c, most);
  case ML_COLSET_REAL: return 0;
  case ML_COLSET_ENUM: n = data_of(c)->constructors; break;
  case ML_COLSET_PRODUCT:
  case ML_COLSET_RECORD:
    for (uint32_t i = 0; i < c->parts && n; i++) n = times(n, ml_colset_size(c->part[i], most), most);
    break;
  case ML_COLSET_STRING:
  case ML_COLSET_LIST: return below(c, letters_of(c, most), 0, most);
  case ML_COLSET_UNION:
    n = 0;
    for (uint32_t i = 0; i < data_of(c)->constructors; i++) {
      uint64_t part = union_part_size(c, i, most);
      if (part == 0) return 0;
      n += part;
      if (n > most) return 0;
    }
    break;
  case ML_COLSET_SUBSET:
    if (!c->about) return ml_colset_size(c->part[0], most);
    n = c->about->values ? ml_multiset_entries(c->about->values) : 0;
    break;
  default: return 0;
  }
  return n > most ? 0 : n;
}

/* The place of a value in the order, for sets that have a size. */
uint64_t ml_colset_rank(const struct ml_colset *c, ml_value v) {
  c = resolved(c);
  uint64_t n = 0;
  switch (c->kind) {
  case ML_COLSET_BOOL:
  case ML_COLSET_ENUM: return (uint64_t)ml_to_int(v);
  case ML_COLSET_INT:
  case ML_COLSET_INTINF:
  case ML_COLSET_TIME: return (uint64_t)(ml_to_int(v) - c->low);
  case ML_COLSET_INDEX: return (uint64_t)(ml_to_int(ml_block(v)->field[1]) - c->low);
  case ML_COLSET_PRODUCT:
  case ML_COLSET_RECORD:
    for (uint32_t i = 0; i < c->parts; i++) {
      uint32_t k = written(c, i);
      n = n * ml_colset_size(c->part[k], UINT64_MAX) + ml_colset_rank(c->part[k], ml_block(v)->field[k]);
    }
    return n;
  case ML_COLSET_STRING: {
    const unsigned char *at = (const unsigned char *)ml_string_bytes(ml_block(v));
    for (uint32_t i = 0; i < ml_block(v)->size; i++) {
      unsigned first = c->low_char ? (unsigned char)*c->low_char : 0;
      n += ((int64_t)i >= c->low) + (at[i] - first) * below(c, letters_of(c, UINT64_MAX), i + 1, UINT64_MAX);
    }
    return n;
  }
  case ML_COLSET_LIST:
    for (int64_t d = 0; !ml_is_int(v); v = ml_block(v)->field[1], d++)
      n += (d >= c->low) +
           ml_colset_rank(c->part[0], ml_block(v)->field[0]) * below(c, letters_of(c, UINT64_MAX), d + 1, UINT64_MAX);
    return n;
  case ML_COLSET_UNION: {
    uint32_t k = (uint32_t)ml_to_int(ml_is_int(v) ? v : ml_block(v)->field[0]);
    for (uint32_t i = 0; i < k; i++) n += union_part_size(c, i, UINT64_MAX);
    return ml_is_int(v) ? n : n + ml_colset_rank(c->part[k], ml_block(v)->field[1]);
  }
  case ML_COLSET_SUBSET:
    if (!c->about) return ml_colset_rank(c->part[0], v);
    for (uint32_t i = 1; i < ml_block(c->about->values)->size && ml_value_compare(ml_block(c->about->values)->field[i], v) != 0;
         i += 2)
      n++;
    return n;
  default: return 0;
  }
}

/* All values. */

struct values {
  struct vec(ml_value) at;
  struct mem *mem;
};
static int collect(void *data, ml_value v) {
  struct values *values = data;
  return vec_push(&values->at, values->mem, MEM_MODEL, v);
}

static int hear_block(struct ml_heap *heap, enum ml_tag tag, ml_value first, ml_value second, int (*hear)(void *, ml_value),
                      void *data) {
  struct ml_block *b = ml_heap_block(heap, tag, 2);
  if (!b) return -1;
  b->field[0] = first;
  b->field[1] = second;
  return hear(data, ml_from_block(b));
}

/* Tuples from the left, records as they were written: the last part changes fastest. */
static int tuples(struct ml_machine *m, const struct ml_colset *c, struct ml_heap *heap, int (*hear)(void *, ml_value),
                  void *data) {
  struct values *part = mem_alloc(m->mem, MEM_MODEL, c->parts * sizeof *part);
  uint32_t *at = mem_alloc(m->mem, MEM_MODEL, c->parts * sizeof *at);
  int failed = !part || !at, some = 1;
  for (uint32_t i = 0; i < c->parts && !failed; i++) {
    part[i].mem = m->mem;
    failed = ml_colset_values(m, c->part[i], heap, collect, &part[i]);
    some &= part[i].at.count > 0;
  }
  while (!failed && some) {
    struct ml_block *b = ml_heap_block(heap, ML_BLOCK_TUPLE, c->parts);
    if (!b) failed = 1;
    for (uint32_t i = 0; i < c->parts && b; i++) b->field[i] = part[i].at.at[at[i]];
    if (failed || hear(data, ml_from_block(b))) failed = 1;
    uint32_t k = c->parts;
    while (k > 0 && ++at[written(c, k - 1)] == part[written(c, k - 1)].at.count) at[written(c, --k)] = 0;
    some = k > 0;
  }
  for (uint32_t i = 0; part && i < c->parts; i++) vec_free(&part[i].at, m->mem);
  mem_free(m->mem, part);
  mem_free(m->mem, at);
  return failed ? -1 : 0;
}

static ml_value sequence(const struct ml_colset *c, struct ml_heap *heap, const ml_value *letter, const uint32_t *path,
                         uint32_t length) {
  if (c->kind == ML_COLSET_STRING) {
    struct ml_block *b = ml_heap_string(heap, NULL, length);
    if (!b) return 0;
    for (uint32_t i = 0; i < length; i++) ((char *)b->field)[i] = (char)ml_to_int(letter[path[i]]);
    return ml_from_block(b);
  }
  ml_value list = ML_NIL;
  while (length-- > 0) {
    struct ml_block *b = ml_heap_block(heap, ML_BLOCK_CELL, 2);
    if (!b) return 0;
    b->field[0] = letter[path[length]];
    b->field[1] = list;
    list = ml_from_block(b);
  }
  return list;
}

/* Lists and strings: prefixes first, which is a walk over the tree of sequences without a stack of C. */
static int sequences(struct ml_machine *m, const struct ml_colset *c, struct ml_heap *heap, int (*hear)(void *, ml_value),
                     void *data) {
  struct values letters = {.mem = m->mem};
  uint32_t *path = mem_alloc(m->mem, MEM_MODEL, ((size_t)c->high + 1) * sizeof *path);
  int failed = !path;
  if (!failed && c->kind == ML_COLSET_LIST) failed = ml_colset_values(m, c->part[0], heap, collect, &letters);
  else
    for (int i = c->low_char ? (unsigned char)*c->low_char : 0;
         i <= (c->low_char ? (unsigned char)*c->high_char : 255) && !failed; i++)
      failed = collect(&letters, ml_from_int(i));
  for (uint32_t length = 0; !failed;) {
    if (length >= c->low) {
      ml_value v = sequence(c, heap, letters.at.at, path, length);
      failed = !v || hear(data, v);
    }
    if (length < c->high && letters.at.count) path[length++] = 0;
    else {
      while (length > 0 && ++path[length - 1] == letters.at.count) length--;
      if (length == 0) break;
    }
  }
  vec_free(&letters.at, m->mem);
  mem_free(m->mem, path);
  return failed ? -1 : 0;
}

/* Those that a predicate chooses. */
struct choice {
  struct ml_machine *machine;
  const struct ml_colset *colset;
  int (*hear)(void *, ml_value);
  void *data;
};
static int choose(void *data, ml_value v) {
  struct choice *c = data;
  int answer = belongs_subset(c->machine, c->colset, v);
  return answer == 1 ? c->hear(c->data, v) : answer;
}

struct constructed {
  struct ml_heap *heap;
  uint32_t constructor;
  int (*hear)(void *, ml_value);
  void *data;
};
static int construct(void *data, ml_value v) {
  struct constructed *c = data;
  return hear_block(c->heap, ML_BLOCK_CONSTRUCTED, ml_from_int(c->constructor), v, c->hear, c->data);
}

int ml_colset_values(struct ml_machine *m, const struct ml_colset *c, struct ml_heap *heap, int (*hear)(void *, ml_value),
                     void *data) {
  c = resolved(c);
  int failed = 0;
  if (c->kind != ML_COLSET_SUBSET && ml_colset_size(c, UINT64_MAX) == 0) return -1;
  switch (c->kind) {
  case ML_COLSET_UNIT: return hear(data, ML_UNIT) ? -1 : 0;
  case ML_COLSET_BOOL:
  case ML_COLSET_ENUM:
    for (uint32_t i = 0, n = c->kind == ML_COLSET_BOOL ? 2 : data_of(c)->constructors; i < n && !failed; i++)
      failed = hear(data, ml_from_int(i));
    return failed ? -1 : 0;
  case ML_COLSET_INT:
  case ML_COLSET_INTINF:
  case ML_COLSET_TIME:
  case ML_COLSET_INDEX:
    for (int64_t n = c->low; n <= c->high && !failed; n++)
      failed = c->kind == ML_COLSET_INDEX ? hear_block(heap, ML_BLOCK_CONSTRUCTED, ml_from_int(0), ml_from_int(n), hear, data)
                                          : hear(data, ml_from_int(n));
    return failed ? -1 : 0;
  case ML_COLSET_PRODUCT:
  case ML_COLSET_RECORD: return tuples(m, c, heap, hear, data);
  case ML_COLSET_STRING:
  case ML_COLSET_LIST: return sequences(m, c, heap, hear, data);
  case ML_COLSET_UNION:
    for (uint32_t i = 0; i < data_of(c)->constructors && !failed; i++) {
      struct constructed made = {heap, i, hear, data};
      failed = i < c->parts && c->part[i] ? ml_colset_values(m, c->part[i], heap, construct, &made) : hear(data, ml_from_int(i));
    }
    return failed ? -1 : 0;
  case ML_COLSET_SUBSET: {
    if (!c->about) return ml_colset_values(m, c->part[0], heap, hear, data);
    struct choice choice = {m, c, hear, data};
    if (!c->about->values) return ml_colset_values(m, c->part[0], heap, choose, &choice);
    const struct ml_block *b = ml_block(c->about->values);
    for (uint32_t i = 1; i < b->size && !failed; i += 2) failed = hear(data, b->field[i]);
    return failed ? -1 : 0;
  }
  default: return -1;
  }
}
