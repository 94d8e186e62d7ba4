/* guard.c -- see guard.h.
 *
 * Distributes over the negation normal form.  A list drops cubes that lie within others as they come, so that t|t|t stays small;
 * what still grows beyond GUARD_CUBES is refused. */
#include "prop/guard.h"

#include "base/vec.h"

static int add(struct cubes *list, struct cube c, struct mem *mem, struct err *e) {
  size_t n = 0;
  for (size_t i = 0; i < list->count; i++)
    if (cube_within(c, list->at[i])) return 0;
  for (size_t i = 0; i < list->count; i++)
    if (!cube_within(list->at[i], c)) list->at[n++] = list->at[i];
  list->count = n;
  if (n == GUARD_CUBES) return err_limit(e, "a guard is a disjunction of more than %d conjunctions", GUARD_CUBES);
  return vec_push(list, mem, MEM_OTHER, c) ? err_memory(e, "a guard") : 0;
}

static int expand(struct cubes *out, struct formulas *fs, formula f, struct err *e) {
  struct mem *mem = fs->mem;
  enum formula_kind kind = formula_kind(fs, f);
  int status = 0;
  if (kind == F_FALSE) return 0;
  if (kind == F_TRUE) return add(out, (struct cube){0, 0}, mem, e);
  if (kind == F_ATOM || kind == F_NOT) {
    uint64_t bit = UINT64_C(1) << formula_atom_index(fs, kind == F_ATOM ? f : formula_child(fs, f, 0));
    return add(out, (struct cube){bit, kind == F_ATOM ? bit : 0}, mem, e);
  }
  if (kind == F_OR) {
    for (uint32_t i = 0; i < formula_children(fs, f) && !status; i++) status = expand(out, fs, formula_child(fs, f, i), e);
    return status;
  }
  struct cubes so_far = {0}, part = {0}, next = {0};
  status = add(&so_far, (struct cube){0, 0}, mem, e);
  for (uint32_t i = 0; i < formula_children(fs, f) && !status; i++) {
    part.count = next.count = 0;
    status = expand(&part, fs, formula_child(fs, f, i), e);
    for (size_t k = 0; k < so_far.count && !status; k++)
      for (size_t m = 0; m < part.count && !status; m++)
        if (cube_meets(so_far.at[k], part.at[m])) status = add(&next, cube_both(so_far.at[k], part.at[m]), mem, e);
    struct cubes swap = so_far;
    so_far = next;
    next = swap;
  }
  for (size_t k = 0; k < so_far.count && !status; k++) status = add(out, so_far.at[k], mem, e);
  vec_free(&so_far, mem);
  vec_free(&part, mem);
  vec_free(&next, mem);
  return status;
}

int guard_cubes(struct cubes *out, struct formulas *fs, formula f, struct err *e) {
  formula g = formula_normal(fs, f, 0);
  if (g == FORMULA_NONE) return formulas_refused(fs, e);
  if (expand(out, fs, g, e)) return -1;
  out->count = cube_merge(out->at, out->count);
  return 0;
}
