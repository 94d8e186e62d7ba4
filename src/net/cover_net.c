/* cover_net.c -- a net prepared for coverability: constant places compiled away, the others
 * in an order that makes comparisons rare and short.
 *
 * A place that no transition changes either always or never lets a transition fire; with
 * that decided, neither the place nor the transitions it blocks are seen again.  The
 * places of P-semiflows never get an omega, and y m = y m0 holds for every label with them: if
 * m <= m' then m = m' there.  So labels are grouped by their values on these places, and
 * only within a group anything is compared.  On a conservative net every group has one label. */
#include "net/cover.h"
#include "net/incidence.h"
#include "net/invariants.h"

#include <string.h>

enum { SEMIFLOW_EFFORT = 2000000 }; /* well below a second; fewer semiflows only mean larger groups */

void cover_net_close(struct cover_net *c) {
  if (!c->mem) return;
  mem_free(c->mem, c->place);
  mem_free(c->mem, c->slot);
  mem_free(c->mem, c->initial);
  mem_free(c->mem, c->transition);
  mem_free(c->mem, c->pre_start);
  mem_free(c->mem, c->effect_start);
  mem_free(c->mem, c->pre);
  mem_free(c->mem, c->effect);
  *c = (struct cover_net){0};
}

/* Can t ever fire, as far as the places that never change are concerned? */
static int possible(const struct cover_net *c, const struct pt_net *net, uint32_t t) {
  for (uint32_t i = net->pre_start[t]; i < net->pre_start[t + 1]; i++)
    if (c->slot[net->pre[i].place] == COVER_NONE && net->initial[net->pre[i].place] < net->pre[i].weight) return 0;
  return 1;
}

/* Numbers the places that change: first those without a semiflow. covered: per place. */
static void number_slots(struct cover_net *c, const struct pt_net *net, const struct incidence *effect, const uint8_t *covered) {
  for (uint32_t p = 0; p < net->places; p++) c->slot[p] = COVER_NONE;
  for (size_t k = 0; k < effect->start[effect->rows]; k++) c->slot[effect->index[k]] = 0;
  for (int round = 0; round < 2; round++) {
    for (uint32_t p = 0; p < net->places; p++) {
      if (c->slot[p] == COVER_NONE || covered[p] != round) continue;
      c->place[c->slots] = p;
      c->initial[c->slots] = net->initial[p];
      c->slot[p] = c->slots++;
    }
    if (!round) c->loose = c->slots;
  }
}

static void number_transitions(struct cover_net *c, const struct pt_net *net, const struct incidence *effect) {
  uint32_t pre = 0, add = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    if (effect->start[t] == effect->start[t + 1] || !possible(c, net, t)) continue;
    c->transition[c->transitions] = t;
    c->pre_start[c->transitions] = pre;
    c->effect_start[c->transitions] = add;
    c->transitions++;
    for (uint32_t i = net->pre_start[t]; i < net->pre_start[t + 1]; i++)
      if (c->slot[net->pre[i].place] != COVER_NONE)
        c->pre[pre++] = (struct cover_step){c->slot[net->pre[i].place], (int32_t)net->pre[i].weight};
    for (size_t k = effect->start[t]; k < effect->start[t + 1]; k++)
      c->effect[add++] = (struct cover_step){c->slot[effect->index[k]], effect->value[k]};
  }
  c->pre_start[c->transitions] = pre;
  c->effect_start[c->transitions] = add;
}

int cover_net_open(struct cover_net *c, const struct pt_net *net, struct mem *m, struct err *e) {
  static const char *const what = "the coverability analysis";
  *c = (struct cover_net){.mem = m};
  struct flows semi = {0};
  struct incidence effect = {0};
  uint8_t *covered = mem_alloc(m, MEM_ANALYSIS, net->places);
  int status = covered && !incidence_open(&effect, net, BY_TRANSITION, m) ? 0 : err_memory(e, what);
  if (!status) status = flows_semi(&semi, net, FLOW_PLACES, m, SEMIFLOW_EFFORT, e);
  if (status) goto end;
  for (size_t i = 0; i < semi.count; i++)
    for (uint32_t k = 0; k < semi.at[i].count; k++) covered[semi.at[i].index[k]] = 1;
  flows_close(&semi);
  size_t entries = effect.start[effect.rows];
  c->place = mem_alloc(m, MEM_ANALYSIS, net->places * sizeof *c->place);
  c->slot = mem_alloc(m, MEM_ANALYSIS, net->places * sizeof *c->slot);
  c->initial = mem_alloc(m, MEM_ANALYSIS, net->places * sizeof *c->initial);
  c->transition = mem_alloc(m, MEM_ANALYSIS, net->transitions * sizeof *c->transition);
  c->pre_start = mem_alloc(m, MEM_ANALYSIS, ((size_t)net->transitions + 1) * sizeof *c->pre_start);
  c->effect_start = mem_alloc(m, MEM_ANALYSIS, ((size_t)net->transitions + 1) * sizeof *c->effect_start);
  c->pre = mem_alloc(m, MEM_ANALYSIS, net->pre_start[net->transitions] * sizeof *c->pre);
  c->effect = mem_alloc(m, MEM_ANALYSIS, entries * sizeof *c->effect);
  if (!c->place || !c->slot || !c->initial || !c->transition || !c->pre_start || !c->effect_start || !c->pre || !c->effect) {
    status = err_memory(e, what);
    goto end;
  }
  number_slots(c, net, &effect, covered);
  number_transitions(c, net, &effect);
end:
  flows_close(&semi);
  incidence_close(&effect);
  mem_free(m, covered);
  if (status) cover_net_close(c);
  return status;
}
