/* packing.c -- trying orders of cells and keeping the best: see packing.h.
 *
 * Given an order of cells, their places are offered to the elimination of rank.h one by one:
 * a place that follows from earlier ones is implied, the others stay in their cell.  So a cell
 * of which exactly one place is always marked loses one place by itself, and a cell whose
 * places all follow from others disappears.  For single places ordered by width this is the
 * greedy algorithm on a matroid and hence the best choice of significant places. */
#include "net/packing.h"

#include "base/bits.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Multiplications for all trials together: a second or so on the largest nets. */
#define EFFORT ((uint64_t)300000000)

struct draft { /* an order of cells that cover all places */
  struct vec(struct cell) cell;
  struct vec(uint32_t) member;
};

struct weighed {
  uint32_t weight, index;
};

static int lighter(const void *a, const void *b) {
  const struct weighed *x = a, *y = b;
  return x->weight != y->weight ? (x->weight < y->weight ? -1 : 1) : (x->index > y->index) - (x->index < y->index);
}

static int heavier(const void *a, const void *b) {
  const struct weighed *x = a, *y = b;
  return x->weight != y->weight ? (x->weight > y->weight ? -1 : 1) : (x->index > y->index) - (x->index < y->index);
}

/* ---- drafts ------------------------------------------------------------------------- */

enum { BY_UNITS = 1, BY_FLOWS = 2, SMALL_FIRST = 4 };

struct drafting {
  const struct packing_setup *setup;
  struct mem *mem;
  uint8_t *taken; /* places that are in a cell */
  struct draft *draft;
};

static int free_place(const struct drafting *d, uint32_t p) { return !d->taken[p] && !d->setup->structure->constant[p]; }

/* A cell of those of the given places that are still free; cells of one become single places later. */
static int add_cell(struct drafting *d, const uint32_t *place, uint32_t count, int declared) {
  struct cell cell = {.first = (uint32_t)d->draft->member.count, .declared = (uint8_t)declared};
  for (uint32_t i = 0; i < count; i++) cell.count += free_place(d, place[i]);
  if (cell.count < 2) return 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!free_place(d, place[i])) continue;
    if (vec_push(&d->draft->member, d->mem, MEM_ANALYSIS, place[i])) return -1;
    d->taken[place[i]] = 1;
  }
  return vec_push(&d->draft->cell, d->mem, MEM_ANALYSIS, cell);
}

/* Some semiflow of value 1 weighs all these places: at most one of them is ever marked, and that is proven. */
static int dominated(const struct flows *flows, const uint32_t *place, uint32_t count) {
  for (size_t i = 0; flows && i < flows->count; i++) {
    const struct flow *f = &flows->at[i];
    if (f->value != 1 || f->count < count) continue;
    uint32_t k = 0, found = 0;
    for (; k < f->count; k++)
      for (uint32_t j = 0; j < count; j++) found += f->index[k] == place[j];
    if (found == count) return 1;
  }
  return 0;
}

static int add_units(struct drafting *d, int small_first) {
  const struct pt_net *n = d->setup->net;
  struct weighed *order = mem_alloc(d->mem, MEM_ANALYSIS, (n->units + 1) * sizeof *order);
  if (!order) return -1;
  for (uint32_t u = 0; u < n->units; u++) order[u] = (struct weighed){n->unit[u].place_count, u};
  qsort(order, n->units, sizeof *order, small_first ? lighter : heavier);
  int status = 0;
  for (uint32_t i = 0; i < n->units && !status; i++) {
    const struct pt_unit *u = &n->unit[order[i].index];
    const uint32_t *place = n->unit_places + u->first_place;
    status = add_cell(d, place, u->place_count, !dominated(d->setup->semiflows, place, u->place_count));
  }
  mem_free(d->mem, order);
  return status;
}

/* A semiflow of value 1 whose weights are all 1: exactly one of its places holds exactly one token. */
static int is_exclusive(const struct flow *f) {
  if (f->value != 1) return 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (f->weight[i] != 1) return 0;
  return 1;
}

static int add_flows(struct drafting *d) {
  const struct flows *flows = d->setup->semiflows;
  if (!flows || !flows->count) return 0;
  struct weighed *order = mem_alloc(d->mem, MEM_ANALYSIS, flows->count * sizeof *order);
  if (!order) return -1;
  size_t n = 0;
  for (size_t i = 0; i < flows->count; i++)
    if (is_exclusive(&flows->at[i])) order[n++] = (struct weighed){flows->at[i].count, (uint32_t)i};
  int status = 0;
  /* The largest remaining one first; recount what is free of it each time a few have gone. */
  qsort(order, n, sizeof *order, heavier);
  for (size_t i = 0; i < n && !status; i++) {
    size_t best = i;
    uint32_t most = 0;
    for (size_t j = i; j < n && j < i + 64; j++) {
      const struct flow *f = &flows->at[order[j].index];
      uint32_t count = 0;
      for (uint32_t k = 0; k < f->count; k++) count += free_place(d, f->index[k]);
      if (count > most) most = count, best = j;
    }
    struct weighed chosen = order[best];
    order[best] = order[i];
    order[i] = chosen;
    const struct flow *f = &flows->at[chosen.index];
    status = add_cell(d, f->index, f->count, 0);
  }
  mem_free(d->mem, order);
  return status;
}

static int add_singles(struct drafting *d) {
  const struct pt_net *n = d->setup->net;
  struct weighed *order = mem_alloc(d->mem, MEM_ANALYSIS, (n->places + 1) * sizeof *order);
  if (!order) return -1;
  uint32_t count = 0;
  for (uint32_t p = 0; p < n->places; p++)
    if (free_place(d, p)) order[count++] = (struct weighed){d->setup->width[p], p};
  qsort(order, count, sizeof *order, lighter);
  int status = 0;
  for (uint32_t i = 0; i < count && !status; i++) {
    struct cell cell = {.first = (uint32_t)d->draft->member.count, .count = 1, .single = 1};
    status = vec_push(&d->draft->member, d->mem, MEM_ANALYSIS, order[i].index) ||
             vec_push(&d->draft->cell, d->mem, MEM_ANALYSIS, cell);
  }
  mem_free(d->mem, order);
  return status ? -1 : 0;
}

static int draft_make(struct draft *out, const struct packing_setup *setup, unsigned how, struct mem *mem) {
  *out = (struct draft){0};
  struct drafting d = {setup, mem, mem_alloc(mem, MEM_ANALYSIS, setup->net->places + 1), out};
  if (!d.taken) return -1;
  int status = 0;
  if (how & BY_FLOWS) status = add_flows(&d);
  if (!status && how & BY_UNITS) status = add_units(&d, how & SMALL_FIRST);
  if (!status) status = add_singles(&d);
  mem_free(mem, d.taken);
  return status;
}

static void draft_close(struct draft *d, struct mem *mem) {
  vec_free(&d->cell, mem);
  vec_free(&d->member, mem);
}

/* ---- from draft to plan ------------------------------------------------------------- */

static int plan_from(struct plan **result, const struct draft *draft, const struct packing_setup *setup, uint64_t *effort,
                     struct mem *mem) {
  const struct pt_net *n = setup->net;
  struct rank *rank = NULL;
  struct vec(struct rank_term) term = {0};
  struct {
    size_t first, count;
  } *formula = mem_alloc(mem, MEM_ANALYSIS, (n->places + 1) * sizeof *formula);
  struct plan *out = mem_alloc(mem, MEM_MODEL, sizeof *out);
  int status = -1;
  if (!out) goto end;
  out->mem = mem;
  out->users = 1;
  out->kind = mem_alloc(mem, MEM_MODEL, n->places + 1);
  out->divisor = mem_alloc(mem, MEM_MODEL, (n->places + 1) * sizeof *out->divisor);
  out->term_start = mem_alloc(mem, MEM_MODEL, (n->places + 2) * sizeof *out->term_start);
  out->cell = mem_alloc(mem, MEM_MODEL, (draft->cell.count + 1) * sizeof *out->cell);
  out->member = mem_alloc(mem, MEM_MODEL, (draft->member.count + 1) * sizeof *out->member);
  if (!formula || !out->kind || !out->divisor || !out->term_start || !out->cell || !out->member) goto end;
  if (rank_open(&rank, n, setup->structure->dead, mem, *effort)) goto end;
  memset(out->kind, PLACE_CONSTANT, n->places);
  uint32_t members = 0;
  for (size_t c = 0; c < draft->cell.count; c++) {
    const struct cell *from = &draft->cell.at[c];
    struct cell to = {.first = members, .single = from->single, .declared = from->declared};
    for (uint32_t i = 0; i < from->count; i++) {
      uint32_t p = draft->member.at[from->first + i];
      if (rank_add(rank, p) == RANK_FOLLOWS) {
        size_t count;
        const struct rank_term *terms = rank_formula(rank, &count, &out->divisor[p]);
        formula[p].first = term.count;
        formula[p].count = count;
        if (vec_reserve(&term, mem, MEM_ANALYSIS, count + 1)) goto end;
        if (count) memcpy(term.at + term.count, terms, count * sizeof *terms);
        term.count += count;
        out->kind[p] = PLACE_IMPLIED;
      } else {
        out->member[members++] = p;
        out->kind[p] = from->single ? PLACE_SINGLE : PLACE_CELL;
        to.count++;
      }
    }
    if (!to.count) continue;
    out->bits += to.single ? setup->width[out->member[to.first]] : bits_for(to.count);
    out->cell[out->cells++] = to;
  }
  out->term = mem_alloc(mem, MEM_MODEL, (term.count + 1) * sizeof *out->term);
  if (!out->term) goto end;
  size_t at = 0;
  for (uint32_t p = 0; p < n->places; p++) {
    out->term_start[p] = at;
    if (formula[p].count) memcpy(out->term + at, term.at + formula[p].first, formula[p].count * sizeof *out->term);
    at += formula[p].count;
  }
  out->term_start[n->places] = at;
  uint64_t spent = rank_effort(rank);
  *effort = spent >= *effort ? 1 : *effort - spent;
  status = 0;
end:
  rank_close(rank);
  vec_free(&term, mem);
  mem_free(mem, formula);
  if (status) plan_close(out);
  else *result = out;
  return status;
}

int plan_make(struct plan **out, const struct packing_setup *setup, struct mem *mem, struct err *e) {
  static const unsigned ways[] = {0, BY_UNITS, BY_FLOWS, BY_FLOWS | BY_UNITS, BY_UNITS | SMALL_FIRST};
  uint64_t effort = setup->rough ? 1 : EFFORT;
  struct plan *best = NULL;
  for (size_t i = 0; i < (setup->rough ? 1 : sizeof ways / sizeof *ways); i++) {
    unsigned how = ways[i];
    if (how & BY_UNITS && !(setup->use_units && setup->net->units)) continue;
    if (how & BY_FLOWS && !(setup->semiflows && setup->semiflows->count)) continue;
    struct draft draft;
    struct plan *plan = NULL;
    int status = draft_make(&draft, setup, how, mem);
    if (!status) status = plan_from(&plan, &draft, setup, &effort, mem);
    draft_close(&draft, mem);
    if (status) {
      if (best) break; /* an earlier plan was affordable: use that */
      return err_memory(e, "the packing of markings");
    }
    if (!best || plan->bits < best->bits) {
      plan_close(best);
      best = plan;
    } else {
      plan_close(plan);
    }
  }
  *out = best;
  return 0;
}

void plan_close(struct plan *p) {
  if (!p || --p->users) return;
  mem_free(p->mem, p->kind);
  mem_free(p->mem, p->divisor);
  mem_free(p->mem, p->term_start);
  mem_free(p->mem, p->term);
  mem_free(p->mem, p->cell);
  mem_free(p->mem, p->member);
  mem_free(p->mem, p);
}
