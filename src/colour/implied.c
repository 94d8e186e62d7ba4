/* implied.c -- see implied.h: markings of implied places, and the question to each binding. */
#include "colour/implied.h"

#include "colour/bind.h"

#include <string.h>

void implied_sums(const struct implied *i, uint32_t place, const uint32_t *number, int64_t *sum) {
  const struct implied_place *p = &i->place[place];
  memcpy(sum, p->constant, p->cells * sizeof *sum);
  for (uint32_t s = 0; s < p->sources; s++) {
    uint32_t from, parts = implied_parts(i, p->source[s], &from);
    for (uint32_t f = from; f < from + parts; f++) {
      const struct bags *bags = &net_field_place(i->net, f)->markings;
      struct bag bag = bags_at(bags, number[f]);
      for (size_t e = 0; e < bag.words; e += 2) {
        uint32_t cell = implied_cell(i, p->source[s], bag.at[e]);
        if (cell == IMPLIED_NONE) continue; /* a colour without a weight */
        for (uint32_t t = p->start[cell]; t < p->start[cell + 1]; t++) sum[p->term[t].cell] += p->term[t].weight * (int64_t)bag.at[e + 1];
      }
    }
  }
}

uint32_t implied_bag(const struct implied *i, uint32_t place, const int64_t *sum, bag_words *out) {
  const struct implied_place *p = &i->place[place];
  out->count = 0;
  if (vec_reserve(out, i->mem, MEM_MODEL, 2 * (size_t)p->cells + 1)) return BAGS_NONE;
  for (uint32_t c = 0; c < p->cells; c++) {
    if (!sum[c]) continue;
    if (sum[c] < 0) return BAGS_LACKS;
    if (sum[c] >= BAGS_MANY) return BAGS_MANY;
    out->at[out->count++] = i->value[p->first + c];
    out->at[out->count++] = (uint32_t)sum[c];
  }
  return 0;
}

uint32_t implied_number(const struct implied *i, uint32_t place, struct implied_scratch *s) {
  implied_sums(i, place, s->number, s->sum);
  if (implied_bag(i, place, s->sum, &s->made)) return BAGS_NONE;
  return bags_put((struct bags *)&i->net->places.at[place].markings, s->made.at, s->made.count);
}

int implied_part(const struct implied *i, uint32_t place, uint32_t slice, struct bag bag, bag_words *out) {
  const struct implied_place *p = &i->place[place];
  int strange = 0;
  out->count = 0;
  if (vec_reserve(out, i->mem, MEM_MODEL, bag.words + 1)) return -1;
  for (size_t e = 0; e < bag.words; e += 2) {
    uint32_t cell = implied_cell(i, place, bag.at[e]);
    strange |= cell == IMPLIED_NONE;
    if (cell == IMPLIED_NONE || p->slice_of[cell - p->first] != slice) continue;
    out->at[out->count++] = bag.at[e];
    out->at[out->count++] = bag.at[e + 1];
  }
  return strange;
}

/* Adds what a change does to the place's own cells, with the sign. 0: it speaks of a colour that has no cell. */
static int add_own(const struct implied *i, uint32_t place, struct bag bag, int64_t sign) {
  for (size_t e = 0; e < bag.words; e += 2) {
    uint32_t cell = implied_cell(i, place, bag.at[e]);
    if (cell == IMPLIED_NONE) return 0;
    i->sum[cell - i->place[place].first] += sign * (int64_t)bag.at[e + 1];
  }
  return 1;
}

static void add_weighted(const struct implied *i, const struct implied_place *p, uint32_t from, const struct bags *bags, struct bag bag, int64_t sign) {
  for (size_t e = 0; e < bag.words; e += bags->each) {
    uint32_t cell = implied_cell(i, from, bag.at[e]);
    if (cell == IMPLIED_NONE) continue;
    for (uint32_t t = p->start[cell]; t < p->start[cell + 1]; t++) i->sum[p->term[t].cell] += sign * p->term[t].weight * (int64_t)bag.at[e + 1];
  }
}

int implied_judge(const struct implied *i, const struct bind *b, const struct bind_node *leaf, uint32_t place) {
  const struct implied_place *p = &i->place[place];
  memset(i->sum, 0, p->cells * sizeof *i->sum);
  for (uint32_t k = 0; k < leaf->effects; k++) {
    const struct bind_change *c = &b->change.at[b->effect.at[leaf->effect + k].change];
    if (c->place >= i->net->places.count || c->take == c->give) continue; /* slices: their place has the same effect */
    const struct bags *bags = &i->net->places.at[c->place].effects;
    struct bag take = bags_at(bags, c->take), give = bags_at(bags, c->give);
    if (c->place == place && (!add_own(i, place, take, 1) || !add_own(i, place, give, -1))) return 0;
    add_weighted(i, p, c->place, bags, take, -1); /* of other places, and of slices of its own */
    add_weighted(i, p, c->place, bags, give, 1);
  }
  for (uint32_t c = 0; c < p->cells; c++)
    if (i->sum[c]) return 0;
  return 1;
}

void implied_close(struct implied *i) {
  if (!i->mem) return;
  for (size_t p = 0; i->place && p < i->net->places.count; p++) {
    mem_free(i->mem, i->place[p].source);
    mem_free(i->mem, i->place[p].constant);
    mem_free(i->mem, i->place[p].start);
    mem_free(i->mem, i->place[p].term);
    mem_free(i->mem, i->place[p].slice_of);
  }
  mem_free(i->mem, i->place);
  mem_free(i->mem, i->value);
  mem_free(i->mem, i->cell);
  mem_free(i->mem, i->sum);
  *i = (struct implied){0};
}
