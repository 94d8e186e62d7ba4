/* pt_nupn.c -- nested units (Garavel, "Nested-unit Petri nets", 2019): believe them only
 * when they are what they must be.
 *
 * A unit has places of its own and subunits.  The units must form a tree from the root and
 * partition the places.  If the file also says that the net is unit-safe, then at most
 * one place of a unit and its ancestors and descendants on one path is marked, with one
 * token; the initial marking at least can be held against that here.  A structure that
 * fails is dropped with a reason: the net itself is still a good net. */
#include "net/pt_build.h"

#include <string.h>

struct work {
  uint32_t *unit_of_id; /* number in ids -> unit, PT_NONE = mentioned only */
  uint32_t *parent;
  uint32_t *unit_of; /* place -> unit */
  uint32_t *marked;  /* tokens in the places of a unit */
};

static uint32_t places_begin(const struct nupn *n, uint32_t u) { return u ? n->units.at[u - 1].places_end : 0; }
static uint32_t subunits_begin(const struct nupn *n, uint32_t u) { return u ? n->units.at[u - 1].subunits_end : 0; }

/* Fills unit_of_id and parent. NULL or what is wrong. */
static const char *tree(const struct nupn *n, struct work *w) {
  uint32_t count = (uint32_t)n->units.count;
  for (size_t i = 0; i < n->ids.list.count; i++) w->unit_of_id[i] = PT_NONE;
  for (uint32_t u = 0; u < count; u++) {
    uint32_t *at = &w->unit_of_id[n->units.at[u].id];
    if (*at != PT_NONE) return "two units have the same id";
    *at = u;
    w->parent[u] = PT_NONE;
  }
  uint32_t root = w->unit_of_id[n->root];
  if (root == PT_NONE) return "the root unit is not declared";
  for (uint32_t u = 0; u < count; u++)
    for (uint32_t i = subunits_begin(n, u); i < n->units.at[u].subunits_end; i++) {
      uint32_t sub = w->unit_of_id[n->subunits.at[i]];
      if (sub == PT_NONE) return "a subunit is not declared";
      if (sub == root) return "the root unit is a subunit of another unit";
      if (w->parent[sub] != PT_NONE) return "a unit is a subunit of two units";
      w->parent[sub] = u;
    }
  /* Everybody has one parent at most, so whoever cannot reach the root hangs loose or on a cycle. The climb
     stops at units known to be good; marked counts 1 = on the present path, 2 = good. */
  w->marked[root] = 2;
  for (uint32_t u = 0; u < count; u++) {
    uint32_t v = u;
    for (; v != PT_NONE && !w->marked[v]; v = w->parent[v]) w->marked[v] = 1;
    if (v == PT_NONE) return "a unit is not below the root unit";
    if (w->marked[v] == 1) return "a unit contains itself";
    for (v = u; w->marked[v] == 1; v = w->parent[v]) w->marked[v] = 2;
  }
  return NULL;
}

static const char *partition(const struct nupn *n, const struct pt_net *net, struct work *w) {
  for (uint32_t p = 0; p < net->places; p++) w->unit_of[p] = PT_NONE;
  for (uint32_t u = 0; u < n->units.count; u++)
    for (uint32_t i = places_begin(n, u); i < n->units.at[u].places_end; i++) {
      uint32_t p = n->places.at[i];
      if (p == PT_NONE) return "a unit lists a place that the net does not have";
      if (w->unit_of[p] != PT_NONE) return "a place is listed twice";
      w->unit_of[p] = u;
    }
  if (n->places.count != net->places) return "a place belongs to no unit";
  return NULL;
}

/* Does the initial marking contradict the claim that the net is unit-safe? Needs the tree and the partition. */
static const char *safe(const struct nupn *n, const struct pt_net *net, struct work *w) {
  uint32_t count = (uint32_t)n->units.count;
  memset(w->marked, 0, count * sizeof *w->marked);
  for (uint32_t p = 0; p < net->places; p++) {
    if (!net->initial[p]) continue;
    if (net->initial[p] > 1 || w->marked[w->unit_of[p]]) return "the initial marking is not unit-safe";
    w->marked[w->unit_of[p]] = 1;
  }
  /* A marked unit may have no marked ancestor. Children may come before their parents in the list, so each unit
     climbs to the nearest ancestor whose answer is known: 1 = itself marked, 2 = below a marked one, 3 = neither. */
  for (uint32_t u = 0; u < count; u++) {
    uint32_t v = u;
    while (v != PT_NONE && w->marked[v] == 0) v = w->parent[v];
    uint32_t answer = v == PT_NONE || w->marked[v] == 3 ? 3 : 2;
    for (uint32_t x = u; x != v; x = w->parent[x]) w->marked[x] = answer;
  }
  for (uint32_t p = 0; p < net->places; p++) {
    if (!net->initial[p]) continue;
    uint32_t parent = w->parent[w->unit_of[p]];
    if (parent != PT_NONE && w->marked[parent] != 3) return "the initial marking is not unit-safe";
  }
  return NULL;
}

/* Moves the checked units into the net's arena. */
static int keep(const struct nupn *n, struct pt_net *net, const struct work *w) {
  size_t count = n->units.count;
  struct pt_unit *unit = arena_alloc(&net->arena, count * sizeof *unit);
  uint32_t *unit_places = arena_alloc(&net->arena, net->places * sizeof *unit_places);
  uint32_t *unit_of = arena_alloc(&net->arena, net->places * sizeof *unit_of);
  if (!unit || !unit_places || !unit_of) return -1;
  for (uint32_t u = 0; u < count; u++) {
    const struct name *id = &n->ids.list.at[n->units.at[u].id];
    unit[u].id = arena_strndup(&net->arena, id->text, id->length);
    if (!unit[u].id) return -1;
    unit[u].first_place = places_begin(n, u);
    unit[u].place_count = n->units.at[u].places_end - unit[u].first_place;
    unit[u].parent = w->parent[u];
  }
  if (net->places) { /* an empty vec has a null pointer */
    memcpy(unit_places, n->places.at, net->places * sizeof *unit_places);
    memcpy(unit_of, w->unit_of, net->places * sizeof *unit_of);
  }
  net->units = (uint32_t)count;
  net->unit = unit;
  net->unit_places = unit_places;
  net->unit_of = unit_of;
  net->declared_safe = n->safe;
  return 0;
}

int pt_nupn_finish(struct nupn *n, struct pt_net *net) {
  struct mem *m = net->mem;
  size_t count = n->units.count;
  if (n->root == NAMES_NONE) {
    if (count) net->nupn_problem = "there are units but no root unit";
    return 0;
  }
  struct work w = {.unit_of_id = mem_alloc(m, MEM_MODEL, n->ids.list.count * sizeof *w.unit_of_id),
                   .parent = mem_alloc(m, MEM_MODEL, count * sizeof *w.parent),
                   .unit_of = mem_alloc(m, MEM_MODEL, net->places * sizeof *w.unit_of),
                   .marked = mem_alloc(m, MEM_MODEL, count * sizeof *w.marked)};
  int status = w.unit_of_id && w.parent && w.unit_of && w.marked ? 0 : -1;
  if (!status) {
    const char *problem = tree(n, &w);
    if (!problem) problem = partition(n, net, &w);
    if (!problem && n->safe) problem = safe(n, net, &w);
    if (problem) net->nupn_problem = problem;
    else status = keep(n, net, &w);
  }
  mem_free(m, w.unit_of_id);
  mem_free(m, w.parent);
  mem_free(m, w.unit_of);
  mem_free(m, w.marked);
  return status;
}
