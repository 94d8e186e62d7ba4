/* affect.c -- see affect.h.
 *
 * An expression looks at places: those that it names, and the inputs of the transitions whose enabledness it asks for.  A transition changes it at most if it changes
 * the tokens of one of them.  So: a mask of expressions per place, and for each transition the union over the places whose tokens it changes. */
#include "run/affect.h"

#include "net/pt_model.h"

static void look(const struct pt_net *net, const struct expr *x, size_t index, uint64_t *of_place, size_t words) {
  size_t count;
  const uint32_t *list = expr_vars(x, &count);
  for (size_t i = 0; i < count; i++) of_place[list[i] * words + index / 64] |= UINT64_C(1) << index % 64;
  list = expr_groups(x, &count);
  for (size_t i = 0; i < count; i++)
    for (uint32_t a = net->pre_start[list[i]]; a < net->pre_start[list[i] + 1]; a++)
      of_place[net->pre[a].place * words + index / 64] |= UINT64_C(1) << index % 64;
}

void affect_open(struct affected *out, const struct model *m, struct expr *const *expr, size_t count, struct mem *mem) {
  const struct pt_net *net = pt_model_net(m);
  *out = (struct affected){.words = (count + 63) / 64, .count = count};
  if (!net || !count) return;
  uint64_t *of_place = mem_alloc(mem, MEM_SEARCH, ((size_t)net->places + 1) * out->words * sizeof *of_place);
  out->of_group = mem_alloc(mem, MEM_SEARCH, ((size_t)net->transitions + 1) * out->words * sizeof *of_place);
  if (!of_place || !out->of_group) {
    mem_free(mem, of_place);
    affect_close(out, mem);
    return;
  }
  for (size_t i = 0; i < count; i++)
    if (expr[i]) look(net, expr[i], i, of_place, out->words);
  for (size_t i = 0; i < count; i++) /* of what is no expression nothing is known: every step may change it */
    for (uint32_t t = 0; !expr[i] && t < net->transitions; t++) out->of_group[t * out->words + i / 64] |= UINT64_C(1) << i % 64;
  for (uint32_t t = 0; t < net->transitions; t++) {
    uint32_t place;
    int64_t change;
    for (struct pt_effects it = pt_effects(net, t); pt_effect(&it, &place, &change);)
      for (size_t w = 0; w < out->words; w++) out->of_group[t * out->words + w] |= of_place[place * out->words + w];
  }
  mem_free(mem, of_place);
}

void affect_close(struct affected *a, struct mem *mem) {
  mem_free(mem, a->of_group);
  a->of_group = NULL;
}
