/* colour_multisets.c -- values and multisets kept once, their arithmetic with and without time, fields of states, pages made flat. */
#include "tap.h"

#include "base/rng.h"
#include "colour/fields.h"
#include "colour/multisets.h"
#include "coloured.h"
#include "colour/flatten.h"

#include <stdlib.h>

static ml_value pair_of(struct ml_heap *heap, ml_value a, ml_value b) {
  struct ml_block *t = ml_heap_block(heap, ML_BLOCK_TUPLE, 2);
  t->field[0] = a;
  t->field[1] = b;
  return (ml_value)(uintptr_t)t;
}

static ml_value list_of(struct ml_heap *heap, int from, int to) {
  ml_value list = ML_NIL;
  for (int i = to; i >= from; i--) {
    struct ml_block *c = ml_heap_block(heap, ML_BLOCK_CELL, 2);
    c->field[0] = ml_from_int(i);
    c->field[1] = list;
    list = (ml_value)(uintptr_t)c;
  }
  return list;
}

static void values(struct mem *mem) {
  struct values v;
  struct ml_heap *heap;
  ok(!values_open(&v, mem) && !ml_heap_open(&heap, mem), "open");
  uint32_t three = values_keep(&v, ml_from_int(3)), four = values_keep(&v, ml_from_int(4));
  ml_value s = (ml_value)(uintptr_t)ml_heap_string(heap, "abc", 3), t = (ml_value)(uintptr_t)ml_heap_string(heap, "abc", 3);
  uint32_t p = values_keep(&v, pair_of(heap, ml_from_int(3), s)), q = values_keep(&v, pair_of(heap, ml_from_int(3), t));
  is(p, q, "equal values are one");
  is(three, values_keep(&v, ml_from_int(3)), "numbers too");
  ok(three != four && values_compare(&v, three, four) < 0, "others are others, and in order");
  uint32_t l = values_keep(&v, list_of(heap, 1, 100000)), m = values_keep(&v, list_of(heap, 2, 100000));
  ok(values_word(&v, m) == ml_block(values_word(&v, l))->field[1], "the tail of a long list is shared");
  ok(values_compare(&v, l, m) < 0, "lists are compared from the left");
  is(p, values_keep(&v, values_word(&v, p)), "what is kept is found again by its word");
  ml_heap_clear(heap);
  is(ml_to_int(ml_block(values_word(&v, p))->field[0]), 3, "values outlive the heap they came from");
  ml_heap_close(heap);
  values_close(&v);
  is(mem->used, 0, "nothing left behind");
}

/* Against counting in an array. */
static void arithmetic(struct mem *mem) {
  enum { COLOURS = 6 };
  struct values v;
  struct bags b;
  struct rng rng = {7};
  bag_words out = {0}, parts[3] = {{0}, {0}, {0}};
  int wrong = 0;
  ok(!values_open(&v, mem) && !bags_open(&b, &v, mem, 0), "open");
  uint32_t number[COLOURS];
  for (int i = COLOURS - 1; i >= 0; i--) number[i] = values_keep(&v, ml_from_int(i)); /* numbers against the order of values */
  for (int round = 0; round < 3000; round++) {
    int have[3][COLOURS] = {{0}};
    for (int k = 0; k < 3; k++) {
      parts[k].count = 0;
      for (uint64_t n = rng_below(&rng, 5); n; n--) {
        int c = (int)rng_below(&rng, COLOURS), times = 1 + (int)rng_below(&rng, k ? 2 : 4);
        have[k][c] += times;
        bag_add(&b, &parts[k], number[c], (uint64_t)times, 0);
      }
    }
    uint32_t status = bag_move(&b, (struct bag){parts[0].at, parts[0].count}, (struct bag){parts[1].at, parts[1].count},
                               (struct bag){parts[2].at, parts[2].count}, &out);
    int lacks = 0, now[COLOURS] = {0};
    for (int c = 0; c < COLOURS; c++) lacks |= have[1][c] > have[0][c];
    if (lacks != (status == BAGS_LACKS)) wrong++;
    if (lacks) continue;
    for (size_t i = 0; i < out.count; i += 2) {
      int64_t c = ml_to_int(values_word(&v, out.at[i]));
      now[c] = (int)out.at[i + 1];
      wrong += i && values_compare(&v, out.at[i - 2], out.at[i]) >= 0;
    }
    for (int c = 0; c < COLOURS; c++) wrong += now[c] != have[0][c] - have[1][c] + have[2][c];
    uint32_t put = bags_put(&b, out.at, out.count);
    struct bag again = bags_at(&b, put);
    wrong += put != bags_put(&b, again.words ? out.at : NULL, again.words);
  }
  is(wrong, 0, "3000 random bags: what is taken and given");
  for (int k = 0; k < 3; k++) vec_free(&parts[k], mem);
  vec_free(&out, mem);
  bags_close(&b);
  values_close(&v);
  is(mem->used, 0, "nothing left behind");
}

static void timed(struct mem *mem) {
  struct values v;
  struct bags b;
  bag_words have = {0}, take_ = {0}, out = {0};
  ok(!values_open(&v, mem) && !bags_open(&b, &v, mem, 1), "open");
  uint32_t x = values_keep(&v, ml_from_int(1));
  bag_add(&b, &have, x, 1, 3);
  bag_add(&b, &have, x, 2, 5);
  bag_add(&b, &have, x, 1, -9);
  bag_add(&b, &have, x, 1, 8);
  bag_add(&b, &take_, x, 3, 6);
  struct bag from = {have.at, have.count}, taken = {take_.at, take_.count};
  is(bag_move(&b, from, taken, (struct bag){0}, &out), 0, "three tokens are old enough");
  is(out.count, 8, "two stamps are left");
  is(bag_time(out.at), -9, "the oldest stays");
  is(bag_time(out.at + 4), 8, "so does the one that is not ready");
  is(bag_ways(&b, from, taken), 4, "three of four");
  bag_add(&b, &take_, x, 2, 6);
  is(bag_move(&b, from, (struct bag){take_.at, take_.count}, (struct bag){0}, &out), BAGS_LACKS, "five are not");
  is(bag_binomial(5, 2), 10, "five over two");
  is(bag_binomial(2, 3), 0, "two over three");
  vec_free(&have, mem);
  vec_free(&take_, mem);
  vec_free(&out, mem);
  bags_close(&b);
  values_close(&v);
  is(mem->used, 0, "nothing left behind");
}

static void fields(struct mem *mem) {
  struct rng rng = {3};
  int wrong = 0;
  for (int round = 0; round < 200; round++) {
    uint8_t width[40];
    uint32_t value[40], count = 1 + (uint32_t)rng_below(&rng, 40);
    uint64_t lane[40] = {0};
    struct fields l;
    for (uint32_t i = 0; i < count; i++) width[i] = (uint8_t)rng_below(&rng, 32);
    wrong += fields_open(&l, width, count, mem) != 0;
    for (uint32_t i = 0; i < count; i++) {
      value[i] = (uint32_t)(rng_next(&rng) & l.field[i].mask);
      wrong += !fields_fits(&l, i, value[i]) || (width[i] < 31 && fields_fits(&l, i, 1u << width[i]));
      fields_change(&l, lane, i, 0, value[i]);
    }
    for (uint32_t i = 0; i < count; i++) wrong += fields_get(&l, lane, i) != value[i];
    for (uint32_t bit = l.bits; bit < l.lanes * 64; bit++) wrong += lane[bit / 64] >> bit % 64 & 1;
    fields_close(&l, mem);
  }
  is(wrong, 0, "200 random layouts");
  is(mem->used, 0, "nothing left behind");
}

static void flat(struct mem *mem) {
  struct sketch s;
  struct err e;
  struct flat f;
  err_clear(&e);
  sketch_open(&s, mem, &e);
  draw_telephones(&s, 3);
  ok(!flatten(&f, s.d, mem, &e), "telephones become flat");
  is(f.instances.count, 6, "six instances");
  is(f.place_node.count, 14, "fourteen places: three shared, eight of their own, two sockets below, one fusion set");
  flat_close(&f);
  drawing_close(s.d);
  sketch_open(&s, mem, &e);
  static const char *const none[] = {NULL};
  sketch_page(&s, "Top");
  sketch_below(&s, "A", none);
  sketch_page(&s, "A");
  sketch_below(&s, "B", none);
  sketch_page(&s, "B");
  sketch_below(&s, "A", none);
  is(flatten(&f, s.d, mem, &e), -1, "a page within itself is refused");
  is_text(e.message, "page A contains itself: substitution transition A stands for it", "with its name");
  flat_close(&f);
  drawing_close(s.d);
  char clean[40];
  is_text(flat_clean_name(clean, sizeof clean, " Send\n  Packet ", 15), "Send_Packet", "names on one line");
  is(mem->used, 0, "nothing left behind");
}

/* A list for whose copy there is no memory, wherever that ends. */
static void scarce(struct mem *mem) {
  struct ml_heap *heap;
  ml_value list = ML_NIL;
  size_t refused = 0, kept = 0;
  ok(!ml_heap_open(&heap, mem), "open");
  for (int i = 0; i < 2000; i++) {
    struct ml_block *cell = ml_heap_block(heap, ML_BLOCK_CELL, 2);
    if (!cell) break;
    cell->field[0] = ml_from_int(i);
    cell->field[1] = list;
    list = (ml_value)(uintptr_t)cell;
  }
  for (size_t budget = 2000; budget < 400000 && !kept; budget += 500) {
    struct values v;
    struct mem few;
    mem_open(&few, budget);
    if (!values_open(&v, &few)) {
      uint32_t number = values_keep(&v, list);
      *(number == VALUES_NONE ? &refused : &kept) += 1;
    }
    values_close(&v);
    if (few.used) printf("# %zu bytes are left of %zu\n", few.used, budget);
  }
  ok(refused > 2 && kept == 1, "a long list is kept, or refused without harm");
  ml_heap_close(heap);
}

int main(void) {
  struct mem mem;
  mem_open(&mem, 0);
  values(&mem);
  scarce(&mem);
  arithmetic(&mem);
  timed(&mem);
  fields(&mem);
  flat(&mem);
  return done();
}
