/* ml_value.c -- values of CPN ML: order, hash, copies; multisets against counting by hand; refused memory. */
#include "tap.h"

#include "base/rng.h"
#include "ml/heap.h"
#include "ml/multiset.h"

static struct mem mem;
static struct ml_heap *heap;

static ml_value n(int64_t i) { return ml_from_int(i); }

static ml_value block2(enum ml_tag tag, ml_value a, ml_value b) {
  struct ml_block *v = ml_heap_block(heap, tag, 2);
  v->field[0] = a;
  v->field[1] = b;
  return ml_from_block(v);
}
static ml_value pair(ml_value a, ml_value b) { return block2(ML_BLOCK_TUPLE, a, b); }
static ml_value cons(ml_value a, ml_value b) { return block2(ML_BLOCK_CELL, a, b); }
static ml_value made(int constructor, ml_value v) { return block2(ML_BLOCK_CONSTRUCTED, n(constructor), v); }
static ml_value text(const char *s) { return ml_from_block(ml_heap_string(heap, s, strlen(s))); }
static ml_value long_list(int length, int last) {
  ml_value list = cons(n(last), ML_NIL);
  while (--length > 0) list = cons(n(7), list);
  return list;
}

static int sign(int x) { return (x > 0) - (x < 0); }

static void ascending(const ml_value *v, int count, const char *what) {
  int good = 1;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++) {
      if (sign(ml_value_compare(v[i], v[k])) != sign(i - k)) {
        printf("# %s: %d and %d\n", what, i, k);
        good = 0;
      }
      if ((ml_value_hash(v[i]) == ml_value_hash(v[k])) != (i == k)) good = 0;
      ml_value copy = ml_value_copy(heap, v[i]);
      if (ml_value_compare(copy, v[i]) || ml_value_hash(copy) != ml_value_hash(v[i])) good = 0;
      if (sign(ml_value_compare(copy, v[k])) != sign(i - k)) good = 0;
    }
  ok(good, what);
}

static void test_order(void) {
  ascending((ml_value[]){n(-ML_INT_MAX), n(-5), n(0), n(1), n(2), n(ML_INT_MAX)}, 6, "numbers");
  ascending(
      (ml_value[]){text(""), text("A"), text("a"), text("aa"), text("ab"), text("abcdefgh"), text("abcdefghi"), text("\xff")}, 8,
      "strings");
  ascending((ml_value[]){ml_heap_real(heap, -1e300), ml_heap_real(heap, -1.5), ml_heap_real(heap, 0.0), ml_heap_real(heap, 1e-300), ml_heap_real(heap, 2)}, 5, "reals");
  double zero = 0;
  is(ml_value_compare(ml_heap_real(heap, -0.0), ml_heap_real(heap, 0.0)), 0, "there is one zero");
  is(ml_value_compare(ml_heap_real(heap, zero / zero), ml_heap_real(heap, -(zero / zero))), 0, "and one that is not a number");
  ascending((ml_value[]){pair(n(-1), n(9)), pair(n(0), n(3)), pair(n(1), n(2)), pair(n(1), n(3))}, 4, "pairs from the left");
  ascending((ml_value[]){ML_NIL, cons(n(1), ML_NIL), cons(n(1), cons(n(0), ML_NIL)), cons(n(2), ML_NIL)}, 4,
            "lists: a prefix comes first");
  ascending((ml_value[]){n(0), made(1, n(5)), made(1, n(6)), n(2), made(3, n(0))}, 5, "constructors by number, then argument");
  ml_value a = long_list(1000000, 1), b = long_list(1000000, 2), c = long_list(1000000, 1);
  ok(ml_value_compare(a, b) < 0 && ml_value_compare(a, c) == 0, "lists of a million elements");
  ok(ml_value_hash(a) == ml_value_hash(c) && ml_value_hash(a) != ml_value_hash(b), "their hashes");
  ml_value copy = ml_value_copy(heap, a);
  ok(copy && copy != a && ml_value_compare(copy, a) == 0, "a copy of one");
  ml_value left = n(0), other = n(0); /* to the left only datatypes can be deep */
  for (int i = 0; i < 100000; i++) {
    left = pair(left, n(1));
    other = pair(other, n(1));
  }
  is(ml_value_compare(left, other), ML_TOO_DEEP, "deep to the left: nobody can tell");
  ok(ml_value_hash(left) == ml_value_hash(other), "hashing it ends");
  ok(ml_value_copy(heap, left) == 0, "copying it is refused");
}

/* Multisets over 0..9 as counts. */
enum { COLOURS = 10 };
static ml_value multiset(const int64_t *count) {
  ml_value sum = ml_multiset_empty(0), one;
  for (int k = 0; k < COLOURS; k++) {
    int i = k * 7 % COLOURS; /* in another order */
    ml_multiset_single(heap, count[i], n(i), &one);
    ml_multiset_add(heap, sum, one, &sum);
  }
  return sum;
}
static int counts(ml_value v, const int64_t *count) {
  int64_t all = 0;
  for (int i = 0; i < COLOURS; i++) {
    if (ml_multiset_coefficient(v, n(i)) != count[i]) return 0;
    all += count[i];
  }
  const struct ml_block *b = ml_block(v);
  for (uint32_t i = 0; i < b->size; i += 2)
    if (ml_to_int(b->field[i]) <= 0 || (i && ml_value_compare(b->field[i - 1], b->field[i + 1]) >= 0)) return 0;
  return ml_multiset_size(v) == all;
}

static void test_multisets(void) {
  struct rng r = {7};
  int good = 1;
  for (int round = 0; round < 3000; round++) {
    int64_t x[COLOURS], y[COLOURS], z[COLOURS];
    int inside = 1;
    for (int i = 0; i < COLOURS; i++) {
      x[i] = (int64_t)rng_below(&r, 3);
      y[i] = (int64_t)rng_below(&r, 2);
      inside &= y[i] <= x[i];
    }
    ml_value a = multiset(x), b = multiset(y), c;
    good &= counts(a, x) && counts(b, y);
    for (int i = 0; i < COLOURS; i++) z[i] = x[i] + y[i];
    good &= ml_multiset_add(heap, a, b, &c) == ML_SUM_OK && counts(c, z);
    ml_value many[3] = {a, b, a}, d;
    ml_multiset_add(heap, c, a, &c);
    good &= ml_multiset_add_many(heap, many, 3, 0, &d) == ML_SUM_OK && ml_value_compare(c, d) == 0;
    for (int i = 0; i < COLOURS; i++) z[i] = x[i] - y[i];
    good &= ml_multiset_contains(a, b) == inside;
    enum ml_sum s = ml_multiset_subtract(heap, a, b, &c);
    good &= inside ? s == ML_SUM_OK && counts(c, z) : s == ML_SUM_MISSING;
    for (int i = 0; i < COLOURS; i++) z[i] = 3 * x[i];
    good &= ml_multiset_scale(heap, 3, a, &c) == ML_SUM_OK && counts(c, z);
    ml_heap_clear(heap);
  }
  ok(good, "sums, differences, multiples of random multisets");
  ml_value list = cons(n(3), cons(n(1), cons(n(3), ML_NIL))), a, b, c;
  ml_multiset_from_list(heap, list, &a);
  ok(ml_multiset_coefficient(a, n(3)) == 2 && ml_multiset_coefficient(a, n(1)) == 1 && ml_multiset_entries(a) == 2,
     "from a list");
  ml_multiset_single(heap, ML_INT_MAX, n(3), &b);
  is(ml_multiset_add(heap, a, b, &c), ML_SUM_OVERFLOW, "coefficients have an end: sum");
  is(ml_multiset_scale(heap, ML_INT_MAX, a, &c), ML_SUM_OVERFLOW, "and product");
  ml_multiset_single(heap, 0, n(3), &b);
  is(ml_block(b)->size, 0, "0`x is empty");
  ml_value t, u;
  ml_multiset_at(heap, a, 5, &t);
  ml_multiset_later(heap, t, 2, 0, &u);
  ml_multiset_add(heap, t, u, &t);
  is(ml_multiset_entries(t), 4, "timed: each time is an entry");
  is(ml_multiset_coefficient(t, n(3)), 4, "the coefficient counts all times");
  is(ml_multiset_size(t), 6, "size of a timed one");
  ml_multiset_untimed(heap, t, &b);
  ok(ml_multiset_coefficient(b, n(3)) == 4 && ml_multiset_entries(b) == 2, "without its times");
  is(ml_multiset_subtract(heap, t, u, &c), ML_SUM_OK, "timed difference");
  is(ml_multiset_size(c), 3, "what is left of it");
}

static void test_heaps(void) {
  struct mem small;
  struct ml_heap *h;
  mem_open(&small, 100000);
  is(ml_heap_open(&h, &small), 0, "a heap in a small budget");
  int blocks = 0;
  while (ml_heap_block(h, ML_BLOCK_TUPLE, 2)) blocks++;
  ok(blocks > 2000 && small.used <= 100000, "fills it and is refused");
  ml_heap_clear(h);
  size_t kept = small.used;
  ok(kept > 8000 && kept < 70000, "clearing gives back all but one chunk");
  for (int i = 0; i < 1000; i++) ml_heap_block(h, ML_BLOCK_TUPLE, 2);
  ml_heap_clear(h);
  is(small.used, kept, "and the rest is used again");
  ok(!ml_heap_string(h, NULL, 1000000), "a string beyond the budget");
  ml_heap_close(h);
  is(small.used, 0, "nothing is left behind");
  mem_open(&small, 0);
  small.fail_after = 1;
  ok(ml_heap_open(&h, &small) == -1, "a heap may be refused");
}

int main(void) {
  mem_open(&mem, 0);
  if (ml_heap_open(&heap, &mem)) return 1;
  test_order();
  test_multisets();
  test_heaps();
  ml_heap_close(heap);
  is(mem.used, 0, "all memory was given back");
  return done();
}
