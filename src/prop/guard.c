/* guard.c -- see guard.h.
 *
 * Distributes over the negation normal form.  A list drops cubes that lie within others as they come, so that t|t|t stays small;
 * what still grows beyond GUARD_CUBES is refused, and so is what takes too long: each equivalence asks for both sides twice. */
#include "prop/guard.h"

#include "base/vec.h"

enum { MOST_WORK = 10000000 }; /* comparisons of cubes; a step through the formula counts as 16: some hundredths of a second in all */

struct expansion {
  struct formulas *fs;
  struct err *err;
  uint64_t work;
};

static int too_much(struct expansion *x, uint64_t more) {
  x->work += more;
  return x->work > MOST_WORK ? err_limit(x->err, "a guard takes too long to be written as a disjunction of conjunctions") : 0;
}

static int add(struct cubes *list, struct cube c, struct expansion *x) {
  size_t n = 0;
  if (too_much(x, list->count + 1)) return -1;
  for (size_t i = 0; i < list->count; i++)
    if (cube_within(c, list->at[i])) return 0;
  for (size_t i = 0; i < list->count; i++)
    if (!cube_within(list->at[i], c)) list->at[n++] = list->at[i];
  list->count = n;
  if (n == GUARD_CUBES) return err_limit(x->err, "a guard is a disjunction of more than %d conjunctions", GUARD_CUBES);
  return vec_push(list, x->fs->mem, MEM_OTHER, c) ? err_memory(x->err, "a guard") : 0;
}

static int expand(struct cubes *out, struct expansion *x, formula f) {
  const struct formulas *fs = x->fs;
  struct mem *mem = fs->mem;
  enum formula_kind kind = formula_kind(fs, f);
  int status = too_much(x, 16);
  if (status || kind == F_FALSE) return status;
  if (kind == F_TRUE) return add(out, (struct cube){0, 0}, x);
  if (kind == F_ATOM || kind == F_NOT) {
    uint64_t bit = UINT64_C(1) << formula_atom_index(fs, kind == F_ATOM ? f : formula_child(fs, f, 0));
    return add(out, (struct cube){bit, kind == F_ATOM ? bit : 0}, x);
  }
  if (kind == F_OR) {
    for (uint32_t i = 0; i < formula_children(fs, f) && !status; i++) status = expand(out, x, formula_child(fs, f, i));
    return status;
  }
  struct cubes so_far = {0}, part = {0}, next = {0};
  status = add(&so_far, (struct cube){0, 0}, x);
  for (uint32_t i = 0; i < formula_children(fs, f) && !status; i++) {
    part.count = next.count = 0;
    status = expand(&part, x, formula_child(fs, f, i));
    for (size_t k = 0; k < so_far.count && !status; k++)
      for (size_t m = 0; m < part.count && !status; m++)
        if (cube_meets(so_far.at[k], part.at[m])) status = add(&next, cube_both(so_far.at[k], part.at[m]), x);
    struct cubes swap = so_far;
    so_far = next;
    next = swap;
  }
  for (size_t k = 0; k < so_far.count && !status; k++) status = add(out, so_far.at[k], x);
  vec_free(&so_far, mem);
  vec_free(&part, mem);
  vec_free(&next, mem);
  return status;
}

int guard_cubes(struct cubes *out, struct formulas *fs, formula f, struct err *e) {
  formula g = formula_normal(fs, f, 0);
  if (g == FORMULA_NONE) return formulas_refused(fs, e);
  if (expand(out, &(struct expansion){fs, e, 0}, g)) return -1;
  out->count = cube_merge(out->at, out->count);
  return 0;
}
