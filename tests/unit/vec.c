/* vec.c -- growable arrays under the budget. */
#include "tap.h"

#include "base/vec.h"

struct point {
  int x, y;
};

int main(void) {
  struct mem m;
  mem_open(&m, 0);
  struct vec(int) v = {0};
  int bad = 0;
  for (int i = 0; i < 10000; i++) bad += vec_push(&v, &m, MEM_OTHER, i);
  for (int i = 0; i < 10000; i++) bad += v.at[i] != i;
  ok(!bad && v.count == 10000 && v.room >= 10000, "pushing");
  ok(v.room < 20000, "grows by half");
  size_t none = 0;
  is(vec_reserve(&v, &m, MEM_OTHER, none), 0, "no room is always there");
  vec_free(&v, &m);
  ok(v.at == NULL && v.count == 0 && v.room == 0 && m.used == 0, "freed");

  struct vec(struct point) p = {0};
  ok(vec_push(&p, &m, MEM_OTHER, (struct point){1, 2}) == 0 && p.at[0].y == 2, "structs with commas");
  vec_free(&p, &m);

  mem_open(&m, 1000);
  for (int i = 0; !vec_push(&v, &m, MEM_OTHER, i);) i++;
  ok(v.count > 200 && v.count <= 250, "fills the budget: when a half more is refused, what is needed may still do");
  bad = 0;
  for (size_t i = 0; i < v.count; i++) bad += v.at[i] != (int)i;
  is(bad, 0, "and keeps its contents");
  size_t count = v.count, used = m.used;
  ok(vec_push(&v, &m, MEM_OTHER, 1) == -1 && v.count == count && m.used == used, "a refused push changes nothing");
  is(vec_reserve(&v, &m, MEM_OTHER, SIZE_MAX / 8), -1, "absurd room is refused");
  is(vec_reserve(&v, &m, MEM_OTHER, SIZE_MAX), -1, "also when the sum wraps around");
  vec_free(&v, &m);
  is(m.used, 0, "nothing is left");

  mem_open(&m, 0);
  m.fail_after = 1;
  ok(vec_push(&v, &m, MEM_OTHER, 5) == 0 && v.count == 1, "one refusal is got round by asking for less");
  vec_free(&v, &m);
  return done();
}
