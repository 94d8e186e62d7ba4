/* pace.c -- see pace.h.
 *
 * A firing of t disables only transitions that take from a place from which t takes more than it gives. */
#include "net/pace.h"

#include <stddef.h>

int pt_pace_open(struct pt_pace *pace, const struct pt_net *n, struct mem *mem) {
  uint32_t *takers = mem_alloc(mem, MEM_MODEL, ((size_t)n->places + 1) * sizeof *takers);
  *pace = (struct pt_pace){.gain = mem_alloc(mem, MEM_MODEL, ((size_t)n->places + 1) * sizeof *pace->gain), .disables = 1};
  if (!takers || !pace->gain) {
    mem_free(mem, takers);
    pt_pace_close(pace, mem);
    return -1;
  }
  for (uint32_t a = 0; a < n->pre_start[n->transitions]; a++) takers[n->pre[a].place]++;
  for (uint32_t t = 0; t < n->transitions; t++) {
    uint64_t disables = 0;
    uint32_t place;
    int64_t change;
    for (struct pt_effects it = pt_effects(n, t); pt_effect(&it, &place, &change);) {
      if (change < 0) disables += takers[place];
      if (change > (int64_t)pace->gain[place]) pace->gain[place] = (uint32_t)change;
    }
    if (disables > pace->disables) pace->disables = disables < n->transitions ? (uint32_t)disables : n->transitions;
  }
  mem_free(mem, takers);
  return 0;
}

void pt_pace_close(struct pt_pace *pace, struct mem *mem) {
  mem_free(mem, pace->gain);
  *pace = (struct pt_pace){0};
}

int64_t pt_most_gain(const struct pt_net *n, const uint32_t *place, const int64_t *times, size_t count, struct mem *mem) {
  int64_t *of_place = mem_alloc(mem, MEM_OTHER, ((size_t)n->places + 1) * sizeof *of_place), most = 0;
  if (!of_place) return INT64_MAX;
  for (size_t i = 0; i < count; i++)
    if (__builtin_add_overflow(of_place[place[i]], times[i], &of_place[place[i]])) most = INT64_MAX;
  for (uint32_t t = 0; t < n->transitions && most != INT64_MAX; t++) {
    int64_t sum = 0, change, part;
    uint32_t p;
    for (struct pt_effects it = pt_effects(n, t); pt_effect(&it, &p, &change);)
      if (of_place[p] && (__builtin_mul_overflow(of_place[p], change, &part) || __builtin_add_overflow(sum, part, &sum))) {
        sum = INT64_MAX;
        break;
      }
    if (sum > most) most = sum;
  }
  mem_free(mem, of_place);
  return most;
}
