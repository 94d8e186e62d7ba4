/* foreseen.c -- see foreseen.h.
 *
 * Bindings are found by the tree of bind.h, token by token: with the colours that a place may have instead of those of a marking.  The tree has a table of its own, which knows nothing of implied places, so that each binding tells all
 * that it does.  Passes over all transitions are made until one of them finds nothing new; what a node makes of a token is remembered, so that later passes are fast. */
#include "colour/foreseen.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 1 << 16, BINDINGS_MOST = 1 << 15, VISITS_MOST = 4000000 };
#define SECONDS 0.25 /* values that grow, and what is computed of them, take longer and longer */

struct arc_of { /* of a binding */
  uint32_t binding;
  struct pt_arc arc;
};

struct maker {
  struct foreseen *f;
  struct colour_model *m;
  struct net *net;
  struct bind bind;
  uint32_t *cell_index; /* open addressing by place and value: number + 1 */
  size_t cell_room;
  struct vec(uint32_t) *of_place; /* cells */
  struct vec(struct arc_of) takes, gives;
  size_t visits;
  double until;
  const char *too_much;
};

/* ---- cells ---------------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_cell(uint32_t place, uint32_t value) { return hash_pair(place, value); }

static int grow_cells(struct maker *k) {
  size_t room = k->cell_room ? 2 * k->cell_room : 256;
  uint32_t *fresh = mem_alloc(k->f->mem, MEM_MODEL, room * sizeof *fresh);
  if (!fresh) return -1;
  for (uint32_t i = 0; i < k->f->cell.count; i++) {
    size_t at = hash_cell(k->f->cell.at[i].place, k->f->cell.at[i].value) & (room - 1);
    while (fresh[at]) at = (at + 1) & (room - 1);
    fresh[at] = i + 1;
  }
  mem_free(k->f->mem, k->cell_index);
  k->cell_index = fresh;
  k->cell_room = room;
  return 0;
}

/* Its number; UINT32_MAX: there is none. */
static uint32_t find_cell(const struct maker *k, uint32_t place, uint32_t value) {
  for (size_t at = hash_cell(place, value) & (k->cell_room - 1); k->cell_index[at]; at = (at + 1) & (k->cell_room - 1)) {
    const struct foreseen_cell *c = &k->f->cell.at[k->cell_index[at] - 1];
    if (c->place == place && c->value == value) return k->cell_index[at] - 1;
  }
  return UINT32_MAX;
}

/* UINT32_MAX: memory, or there are too many. */
static uint32_t put_cell(struct maker *k, uint32_t place, uint32_t value) {
  uint32_t known = find_cell(k, place, value), number = (uint32_t)k->f->cell.count;
  if (known != UINT32_MAX) return known;
  if (number >= CELLS_MOST) k->too_much = "tokens can have very many colours";
  if (k->too_much || (2 * (size_t)(number + 1) > k->cell_room && grow_cells(k))) return UINT32_MAX;
  if (vec_push(&k->f->cell, k->f->mem, MEM_MODEL, ((struct foreseen_cell){place, value})) || vec_push(&k->of_place[place], k->f->mem, MEM_MODEL, number)) return UINT32_MAX;
  size_t at = hash_cell(place, value) & (k->cell_room - 1);
  while (k->cell_index[at]) at = (at + 1) & (k->cell_room - 1);
  k->cell_index[at] = number + 1;
  return number;
}

/* ---- bindings ------------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_binding(uint32_t transition, const uint32_t *env, uint32_t variables) { return hash_pair(transition + 1, hash_bytes(env, variables * sizeof *env)); }

uint32_t foreseen_find(const struct foreseen *f, const struct net *net, uint32_t transition, const uint32_t *env) {
  uint32_t variables = net->transitions.at[transition].variables;
  if (!f->index_room) return UINT32_MAX;
  for (size_t at = hash_binding(transition, env, variables) & (f->index_room - 1); f->index[at]; at = (at + 1) & (f->index_room - 1)) {
    const struct foreseen_binding *b = &f->binding.at[f->index[at] - 1];
    if (b->transition == transition && (!variables || memcmp(f->env.at + b->env, env, variables * sizeof *env) == 0)) return f->index[at] - 1;
  }
  return UINT32_MAX;
}

static int grow_index(struct foreseen *f, const struct net *net) {
  size_t room = f->index_room ? 2 * f->index_room : 256;
  uint32_t *fresh = mem_alloc(f->mem, MEM_MODEL, room * sizeof *fresh);
  if (!fresh) return -1;
  for (uint32_t i = 0; i < f->binding.count; i++) {
    const struct foreseen_binding *b = &f->binding.at[i];
    size_t at = hash_binding(b->transition, f->env.at + b->env, net->transitions.at[b->transition].variables) & (room - 1);
    while (fresh[at]) at = (at + 1) & (room - 1);
    fresh[at] = i + 1;
  }
  mem_free(f->mem, f->index);
  f->index = fresh;
  f->index_room = room;
  return 0;
}

/* Are all tokens there that it takes? */
static int possible(const struct maker *k, const struct bind_node *n) {
  for (uint32_t i = 0; i < n->effects; i++) {
    const struct bind_change *c = &k->bind.change.at[k->bind.effect.at[n->effect + i].change];
    struct bag take = bags_at(&k->net->places.at[c->place].effects, c->take);
    for (size_t e = 0; e < take.words; e += 2)
      if (find_cell(k, c->place, take.at[e]) == UINT32_MAX) return 0;
  }
  return 1;
}

/* 1: it is new; 0; -1: memory, or too much. */
static int add_binding(struct maker *k, const struct bind_node *n) {
  struct foreseen *f = k->f;
  uint32_t variables = k->net->transitions.at[n->transition].variables, number = (uint32_t)f->binding.count;
  const uint32_t *env = k->bind.env.at + n->env;
  if (foreseen_find(f, k->net, n->transition, env) != UINT32_MAX || !possible(k, n)) return 0;
  if (number >= BINDINGS_MOST) k->too_much = "there are very many bindings";
  if (k->too_much || (2 * (size_t)(number + 1) > f->index_room && grow_index(f, k->net))) return -1;
  if (vec_push(&f->binding, f->mem, MEM_MODEL, ((struct foreseen_binding){n->transition, (uint32_t)f->env.count})) || vec_reserve(&f->env, f->mem, MEM_MODEL, variables + 1)) return -1;
  memcpy(f->env.at + f->env.count, env, variables * sizeof *env);
  f->env.count += variables;
  size_t at = hash_binding(n->transition, f->env.at + f->binding.at[number].env, variables) & (f->index_room - 1);
  while (f->index[at]) at = (at + 1) & (f->index_room - 1);
  f->index[at] = number + 1;
  for (uint32_t i = 0; i < n->effects; i++) {
    struct bind_change c = k->bind.change.at[k->bind.effect.at[n->effect + i].change];
    const struct bags *bags = &k->net->places.at[c.place].effects;
    for (int gives = 0; gives < 2; gives++) {
      struct bag bag = bags_at(bags, gives ? c.give : c.take);
      for (size_t e = 0; e < bag.words; e += 2) {
        uint32_t cell = put_cell(k, c.place, bag.at[e]), weight = bag.at[e + 1] < PT_MAX_COUNT ? bag.at[e + 1] : PT_MAX_COUNT;
        struct arc_of arc = {number, {cell, weight}};
        if (cell == UINT32_MAX || (gives ? vec_push(&k->gives, f->mem, MEM_MODEL, arc) : vec_push(&k->takes, f->mem, MEM_MODEL, arc))) return -1;
      }
    }
  }
  return 1;
}

/* Everything below a list of nodes, which is as deep as a plan has steps that branch. 1: something new; 0; -1. */
static int descend(struct maker *k, struct bind_list list) {
  int any = 0;
  for (uint32_t i = 0; i < list.count; i++) {
    uint32_t node = k->bind.child.at[list.start + i];
    struct bind_node n = k->bind.node.at[node];
    if (n.place == BIND_FAULT || (n.place == BIND_LEAF && n.fault)) k->f->faults = 1;
    if (n.place == BIND_FAULT) continue;
    if (n.place == BIND_LEAF) {
      int fresh = n.fault ? 0 : add_binding(k, &n);
      if (fresh < 0) return -1;
      any |= fresh;
      continue;
    }
    for (size_t c = 0; c < k->of_place[n.place].count; c++) { /* the list may grow on the way */
      struct bind_list below;
      if (++k->visits > VISITS_MOST || clock_now() > k->until) k->too_much = "looking for all bindings takes too long";
      if (k->too_much || bind_token(&k->bind, node, k->f->cell.at[k->of_place[n.place].at[c]].value, &below)) return -1;
      int fresh = descend(k, below);
      if (fresh < 0) return -1;
      any |= fresh;
    }
  }
  return any;
}

static int find_all(struct maker *k) {
  for (int any = 1; any;) {
    any = 0;
    for (uint32_t t = 0; t < k->net->transitions.count; t++) {
      struct bind_list list;
      if (bind_root(&k->bind, t, 0, &list)) return -1;
      int fresh = descend(k, list);
      if (fresh < 0) return -1;
      any |= fresh;
    }
  }
  return 0;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------------------------ */

static int put_initial(struct maker *k, struct model_likeness *like) {
  for (uint32_t p = 0; p < k->net->places.count; p++) {
    const struct bags *bags = &k->net->places.at[p].markings;
    for (size_t e = 0; e < bags_at(bags, 0).words; e += 2)
      if (put_cell(k, p, bags_at(bags, 0).at[e]) == UINT32_MAX) return -1;
  }
  for (size_t i = 0; like && i < k->f->cell.count; i++) /* also of those that are added here */
    for (uint32_t x = 0; x < colour_symmetry_exchanges(like); x++) {
      struct foreseen_cell c = k->f->cell.at[i];
      uint32_t value = colour_symmetry_exchange(like, x, c.place, c.value);
      if (value == VALUES_NONE || put_cell(k, c.place, value) == UINT32_MAX) return -1;
    }
  return 0;
}

static int compare_arcs(const void *x, const void *y) {
  const struct arc_of *a = x, *b = y;
  if (a->binding != b->binding) return a->binding < b->binding ? -1 : 1;
  return a->arc.place < b->arc.place ? -1 : a->arc.place > b->arc.place;
}

static int make_rows(struct foreseen *f, struct arc_of *arc, size_t count, uint32_t **start, struct pt_arc **row) {
  *start = mem_alloc(f->mem, MEM_MODEL, (f->binding.count + 2) * sizeof **start);
  *row = mem_alloc(f->mem, MEM_MODEL, (count + 1) * sizeof **row);
  if (!*start || !*row) return -1;
  if (count) qsort(arc, count, sizeof *arc, compare_arcs);
  for (size_t i = 0, b = 0; b <= f->binding.count; b++) {
    (*start)[b] = (uint32_t)i;
    for (; i < count && arc[i].binding == b; i++) (*row)[i] = arc[i].arc;
  }
  return 0;
}

static int make_net(struct maker *k) {
  struct foreseen *f = k->f;
  f->net.mem = f->mem;
  f->net.places = (uint32_t)f->cell.count;
  f->net.transitions = (uint32_t)f->binding.count;
  f->net.initial = mem_alloc(f->mem, MEM_MODEL, (f->cell.count + 1) * sizeof *f->net.initial);
  if (!f->net.initial || make_rows(f, k->takes.at, k->takes.count, &f->net.pre_start, &f->net.pre) || make_rows(f, k->gives.at, k->gives.count, &f->net.post_start, &f->net.post)) return -1;
  for (uint32_t p = 0; p < k->net->places.count; p++) {
    struct bag bag = bags_at(&k->net->places.at[p].markings, 0);
    for (size_t e = 0; e < bag.words; e += 2) f->net.initial[find_cell(k, p, bag.at[e])] = bag.at[e + 1];
  }
  return 0;
}

static int relate(struct maker *k) {
  int status = pt_dependence(&k->f->dependence, &k->f->guard, &k->f->net, NULL, k->f->mem);
  if (status > 0) k->too_much = "bindings are too much in each other's way";
  return status;
}

void colour_foreseen_close(struct foreseen *f) {
  if (!f) return;
  dependence_close(&f->dependence);
  mem_free(f->mem, f->guard);
  vec_free(&f->cell, f->mem);
  vec_free(&f->binding, f->mem);
  vec_free(&f->env, f->mem);
  mem_free(f->mem, f->index);
  mem_free(f->mem, f->net.initial);
  mem_free(f->mem, f->net.pre_start);
  mem_free(f->mem, f->net.pre);
  mem_free(f->mem, f->net.post_start);
  mem_free(f->mem, f->net.post);
  mem_free(f->mem, f);
}

int foreseen_open(struct foreseen **out, struct colour_model *m, struct model_likeness *like, char *why, size_t room) {
  struct mem *mem = m->base.mem;
  struct foreseen *f = mem_alloc(mem, MEM_MODEL, sizeof *f);
  *out = NULL;
  if (!f) return -1;
  f->mem = mem;
  struct maker k = {.f = f, .m = m, .net = m->net, .until = clock_now() + SECONDS};
  k.of_place = mem_alloc(mem, MEM_MODEL, (m->net->places.count + 1) * sizeof *k.of_place);
  int bad = !k.of_place || grow_cells(&k) || bind_open(&k.bind, m->net, 0, mem) || put_initial(&k, like) || find_all(&k) || make_net(&k) || relate(&k);
  for (size_t p = 0; k.of_place && p < m->net->places.count; p++) vec_free(&k.of_place[p], mem);
  mem_free(mem, k.of_place);
  mem_free(mem, k.cell_index);
  vec_free(&k.takes, mem);
  vec_free(&k.gives, mem);
  bind_close(&k.bind); /* what it has put among the effects of places stays there until the model forgets its own */
  if (!bad) {
    *out = f;
    return 0;
  }
  colour_foreseen_close(f);
  if (k.too_much) snprintf(why, room, "%s", k.too_much);
  return k.too_much ? 1 : -1;
}
