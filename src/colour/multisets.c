/* multisets.c -- bags: sorted arrays, kept once per place.
 *
 * All bags of a place lie in one array, one behind the other; what finds them is a table of numbers by content.  Nothing is ever taken
 * back: states speak of bags by number.  A token costs 8 bytes per bag that it is in (16 with time).  Sharing the common part of
 * neighbouring bags was considered and dropped: places of real nets hold few tokens, and merging two arrays is the common work. */
#include "colour/multisets.h"

#include "base/hash.h"
#include "ml/instant.h"

#include <string.h>

int bags_open(struct bags *b, struct values *values, struct mem *mem, int timed) {
  *b = (struct bags){.values = values, .mem = mem, .each = timed ? 4 : 2, .empty = BAGS_NONE};
  return vec_push(&b->start, mem, MEM_MODEL, 0) || vec_reserve(&b->data, mem, MEM_MODEL, 4) ? -1 : 0; /* so that there always is an array */
}

void bags_close(struct bags *b) {
  if (!b->mem) return;
  vec_free(&b->data, b->mem);
  vec_free(&b->start, b->mem);
  mem_free(b->mem, b->index);
  *b = (struct bags){0};
}

void bags_clear(struct bags *b) {
  enum { FEW = 64 };
  uint32_t *less = b->data.room > FEW ? mem_resize(b->mem, MEM_MODEL, b->data.at, FEW * sizeof *less) : NULL;
  if (less) b->data.at = less, b->data.room = FEW;
  b->data.count = 0;
  b->start.count = 1;
  if (b->index) memset(b->index->slot, 0, b->index->room * sizeof *b->index->slot);
  bags_put(b, NULL, 0); /* there is room for it */
}

static uint64_t hash_of(const uint32_t *words, size_t count) { return hash_bytes(words, count * sizeof *words); }

static int grow_index(struct bags *b) {
  struct shelf_index *old = b->index, *fresh = shelf_index_new(&b->values->shelf, old ? 2 * old->room : 16);
  if (!fresh) return -1;
  for (uint32_t i = 0; i < bags_count(b); i++) {
    struct bag bag = bags_at(b, i);
    shelf_index_put(fresh, hash_of(bag.at, bag.words), i);
  }
  shelf_publish(b->index, fresh);
  shelf_retire(&b->values->shelf, old);
  return 0;
}

static uint32_t find(const struct bags *b, const uint32_t *words, size_t count, uint64_t hash) {
  const struct shelf_index *x = shelf_follow(b->index);
  uint32_t there;
  for (size_t at = hash; x && (there = shelf_load(x->slot[at & (x->room - 1)])); at++) {
    struct bag known = bags_at(b, there - 1);
    if (known.words == count && (!count || memcmp(known.at, words, count * sizeof *words) == 0)) return there - 1;
  }
  return BAGS_NONE;
}

static uint32_t put_new(struct bags *b, const uint32_t *words, size_t count, uint64_t hash) {
  struct shelf *shelf = &b->values->shelf;
  uint32_t number = bags_count(b);
  if ((!b->index || 4 * (size_t)number >= 3 * b->index->room) && grow_index(b)) return BAGS_NONE;
  if (number >= BAGS_MANY - 1 || b->data.count + count > UINT32_MAX - 8 || shelf_reserve(&b->data, shelf, count) || shelf_reserve(&b->start, shelf, 1)) return BAGS_NONE;
  if (count) memcpy(b->data.at + b->data.count, words, count * sizeof *words);
  b->data.count += count;
  shelf_push(&b->start, shelf, (uint32_t)b->data.count);
  if (!count) __atomic_store_n(&b->empty, number, __ATOMIC_RELAXED);
  shelf_index_put(b->index, hash, number);
  return number;
}

uint32_t bags_put(struct bags *b, const uint32_t *words, size_t count) {
  uint64_t hash = hash_of(words, count);
  uint32_t number = find(b, words, count, hash);
  if (number != BAGS_NONE) return number;
  shelf_lock(&b->values->shelf);
  if (b->values->shelf.several) number = find(b, words, count, hash); /* somebody may have been faster */
  if (number == BAGS_NONE) number = put_new(b, words, count, hash);
  shelf_unlock(&b->values->shelf);
  return number;
}

uint64_t bag_tokens(const struct bags *b, struct bag bag) {
  uint64_t sum = 0;
  for (size_t i = 0; i < bag.words; i += b->each) sum += bag.at[i + 1];
  return sum;
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------------------- */

static int compare_entries(const struct bags *b, const uint32_t *x, const uint32_t *y) {
  int order = values_compare(b->values, x[0], y[0]);
  if (order || b->each == 2) return order;
  int64_t s = bag_time(x), t = bag_time(y);
  return (s > t) - (s < t);
}

static int push(const struct bags *b, bag_words *out, const uint32_t *entry, uint32_t count) {
  if (vec_reserve(out, b->mem, MEM_MODEL, b->each)) return -1;
  uint32_t *to = out->at + out->count;
  memcpy(to, entry, b->each * sizeof *entry);
  to[1] = count;
  out->count += b->each;
  return 0;
}

uint32_t bag_add(const struct bags *b, bag_words *out, uint32_t value, uint64_t count, int64_t time) {
  uint32_t entry[4] = {value, 0, (uint32_t)time, (uint32_t)((uint64_t)time >> 32)};
  size_t low = 0, high = out->count / b->each;
  if (!count) return 0;
  if (count > BAGS_MANY) return BAGS_MANY;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare_entries(b, out->at + middle * b->each, entry);
    if (order == 0) {
      uint64_t sum = out->at[middle * b->each + 1] + count;
      if (sum > BAGS_MANY) return BAGS_MANY;
      out->at[middle * b->each + 1] = (uint32_t)sum;
      return 0;
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  if (push(b, out, entry, (uint32_t)count)) return BAGS_NONE;
  uint32_t *at = out->at + low * b->each;
  memmove(at + b->each, at, (out->count - b->each - low * b->each) * sizeof *at);
  memcpy(at, entry, b->each * sizeof *at);
  at[1] = (uint32_t)count;
  return 0;
}

/* All three sorted: one pass. Equal values are equal numbers, so order is asked for only where something is given. */
static uint32_t move_plain(const struct bags *b, struct bag from, struct bag take, struct bag give, bag_words *out) {
  if (vec_reserve(out, b->mem, MEM_MODEL, from.words + give.words)) return BAGS_NONE;
  const uint32_t *f = from.at, *f_end = from.at + from.words, *t = take.at, *t_end = take.at + take.words, *g = give.at, *g_end = give.at + give.words;
  uint32_t *to = out->at;
  for (; f < f_end; f += 2) {
    uint64_t count = f[1];
    while (g < g_end && *g != *f && values_compare(b->values, *g, *f) < 0) *to++ = *g++, *to++ = *g++;
    if (t < t_end && *t == *f) {
      if (t[1] > count) return BAGS_LACKS;
      count -= t[1];
      t += 2;
    }
    if (g < g_end && *g == *f) {
      count += g[1];
      g += 2;
      if (count > BAGS_MANY) return BAGS_MANY;
    }
    if (count) *to++ = *f, *to++ = (uint32_t)count;
  }
  if (t < t_end) return BAGS_LACKS;
  while (g < g_end) *to++ = *g++, *to++ = *g++;
  out->count = (size_t)(to - out->at);
  return 0;
}

/* Of the tokens of a colour that are old enough the youngest are taken. */
static uint32_t subtract_timed(const struct bags *b, struct bag from, struct bag take, bag_words *out) {
  for (size_t i = 0; i < from.words; i += 4)
    if (push(b, out, from.at + i, from.at[i + 1])) return BAGS_NONE;
  for (size_t t = 0; t < take.words; t += 4) {
    uint64_t left = take.at[t + 1];
    for (size_t i = out->count; i > 0 && left; i -= 4) {
      uint32_t *e = out->at + i - 4;
      if (e[0] != take.at[t] || bag_time(e) > bag_time(take.at + t)) continue;
      uint32_t part = left < e[1] ? (uint32_t)left : e[1];
      e[1] -= part;
      left -= part;
    }
    if (left) return BAGS_LACKS;
  }
  size_t kept = 0;
  for (size_t i = 0; i < out->count; i += 4)
    if (out->at[i + 1]) {
      memmove(out->at + kept, out->at + i, 4 * sizeof *out->at);
      kept += 4;
    }
  out->count = kept;
  return 0;
}

static struct bag solid(struct bag b) {
  static const uint32_t nothing[1];
  return b.at ? b : (struct bag){nothing, 0};
}

uint32_t bag_move(const struct bags *b, struct bag from, struct bag take, struct bag give, bag_words *out) {
  out->count = 0;
  from = solid(from);
  take = solid(take);
  give = solid(give);
  if (b->each == 2) return move_plain(b, from, take, give, out);
  uint32_t status = subtract_timed(b, from, take, out);
  for (size_t i = 0; i < give.words && !status; i += 4) status = bag_add(b, out, give.at[i], give.at[i + 1], bag_time(give.at + i));
  return status;
}

uint64_t bag_binomial(uint64_t n, uint64_t k) {
  unsigned __int128 ways = 1;
  if (k > n) return 0;
  if (k > n - k) k = n - k;
  for (uint64_t i = 1; i <= k; i++) {
    ways = ways * (n - k + i) / i;
    if (ways > UINT32_MAX) return UINT32_MAX;
  }
  return (uint64_t)ways;
}

uint64_t bag_ways(const struct bags *b, struct bag from, struct bag take) {
  uint64_t ways = 1;
  for (size_t t = 0; t < take.words; t += b->each) {
    uint64_t there = 0;
    for (size_t i = 0; i < from.words; i += b->each)
      if (from.at[i] == take.at[t] && (b->each == 2 || bag_time(from.at + i) <= bag_time(take.at + t))) there += from.at[i + 1];
    ways *= bag_binomial(there, take.at[t + 1]);
    if (ways > UINT32_MAX) return UINT32_MAX;
  }
  return ways;
}

/* ---- CPN ML ------------------------------------------------------------------------------------------------------------------- */

uint32_t bag_from_value(const struct bags *b, ml_value value, int64_t later, bag_words *out) {
  out->count = 0;
  if (ml_is_int(value)) return 0;
  const struct ml_block *block = ml_block(value);
  uint32_t each = block->tag == ML_BLOCK_TIMED ? 3 : 2;
  for (uint32_t i = 0; i + each <= block->size; i += each) {
    uint32_t number = values_keep(b->values, block->field[i + 1]);
    if (number == VALUES_NONE) return BAGS_NONE;
    int64_t time = instant_add(b->real_time, later, each == 3 ? ml_to_int(block->field[i + 2]) : 0);
    uint32_t status = time == INSTANT_NONE ? BAGS_LATE : bag_add(b, out, number, (uint64_t)ml_to_int(block->field[i]), time);
    if (status) return status;
  }
  return 0;
}

ml_value bag_to_value(const struct bags *b, struct bag bag, int timed, struct ml_heap *heap) {
  uint32_t entries = (uint32_t)(bag.words / b->each), each = timed ? 3 : 2, made = 0;
  struct ml_block *block = ml_heap_block(heap, timed ? ML_BLOCK_TIMED : ML_BLOCK_MULTISET, entries * each);
  if (!block) return 0;
  for (uint32_t i = 0; i < entries; i++) {
    const uint32_t *e = bag.at + (size_t)i * b->each;
    ml_value word = values_word(b->values, e[0]);
    if (!timed && made && block->field[made - 1] == word) { /* the same colour with another time */
      block->field[made - 2] = ml_from_int(ml_to_int(block->field[made - 2]) + e[1]);
      continue;
    }
    block->field[made++] = ml_from_int(e[1]);
    block->field[made++] = word;
    if (timed) block->field[made++] = ml_from_int(b->each == 4 ? bag_time(e) : 0);
  }
  block->size = made;
  return (ml_value)(uintptr_t)block;
}
