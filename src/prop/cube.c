/* cube.c -- see cube.h.
 *
 * Covering splits the cube by an atom that some candidate cares for and the cube does not, until a candidate contains it or
 * none meets it.  That can take exponentially many steps in the number of atoms, so it is counted. */
#include "prop/cube.h"

int cube_covered(struct cube c, const struct cube *list, size_t count, uint32_t *work) {
  uint64_t open = 0;
  for (size_t i = 0; i < count; i++) {
    if (!cube_meets(c, list[i])) continue;
    if (cube_within(c, list[i])) return 1;
    if (!open) open = list[i].care & ~c.care;
  }
  if (!open || *work < count) return 0;
  *work -= (uint32_t)count;
  uint64_t bit = open & -open;
  struct cube off = {c.care | bit, c.want}, on = {c.care | bit, c.want | bit};
  return cube_covered(on, list, count, work) && cube_covered(off, list, count, work);
}

static int merge_once(struct cube *list, size_t *count) {
  for (size_t i = 0; i < *count; i++)
    for (size_t k = 0; k < *count; k++) {
      if (i == k) continue;
      if (cube_within(list[k], list[i])) {
        list[k] = list[--*count];
        return 1;
      }
      uint64_t apart = list[i].want ^ list[k].want;
      if (list[i].care == list[k].care && apart && !(apart & (apart - 1))) {
        list[i].care &= ~apart;
        list[i].want &= ~apart;
        list[k] = list[--*count];
        return 1;
      }
    }
  return 0;
}

size_t cube_merge(struct cube *list, size_t count) {
  while (count > 1 && count <= 512 && merge_once(list, &count)) {}
  return count;
}
