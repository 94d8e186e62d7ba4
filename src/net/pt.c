/* pt.c -- a finished place/transition net: finding nodes by what people call them.
 *
 * Two layers of names.  Ids are unique over places and transitions together (PNML: one
 * name space), so one table numbers the places 0..P-1 and the transitions P..P+T-1 in
 * order.  Display names need not be unique; each kind has a table of its own from name
 * to node, with AMBIGUOUS where several nodes share a name.  An id always wins over a name, so
 * every node can be named however badly the display names collide. */
#include "net/pt.h"
#include "net/pt_build.h"

#include "net/names.h"

#include <string.h>

#define AMBIGUOUS UINT32_MAX

struct pt_index {
  struct names ids;
  struct names names[2]; /* of places, of transitions: only those that differ from the id */
  uint32_t *node[2];     /* number in names -> node or AMBIGUOUS */
};

/* Numbers the names of one kind. 0 or -1. */
static int index_names(struct pt_index *x, int kind, const char **id, const char **name, uint32_t count, struct arena *a) {
  uint32_t named = 0;
  for (uint32_t i = 0; i < count; i++) named += name[i] != id[i];
  if (!named) return 0;
  uint32_t *node = arena_alloc(a, named * sizeof *node);
  if (!node) return -1;
  x->node[kind] = node;
  for (uint32_t i = 0; i < count; i++) {
    if (name[i] == id[i]) continue;
    size_t before = x->names[kind].list.count;
    uint32_t n = names_put(&x->names[kind], name[i], strlen(name[i]), NULL);
    if (n == NAMES_NONE) return -1;
    node[n] = n == before ? i : AMBIGUOUS;
  }
  return 0;
}

int pt_index_make(struct pt_net *net) {
  struct pt_index *x = arena_alloc(&net->arena, sizeof *x);
  if (!x) return -1;
  net->index = x;
  names_open(&x->ids, net->mem, MEM_MODEL);
  for (int kind = 0; kind < 2; kind++) names_open(&x->names[kind], net->mem, MEM_MODEL);
  for (uint32_t i = 0; i < net->places + net->transitions; i++) {
    const char *id = i < net->places ? net->place_id[i] : net->transition_id[i - net->places];
    if (names_put(&x->ids, id, strlen(id), NULL) == NAMES_NONE) return -1;
  }
  if (index_names(x, 0, net->place_id, net->place_name, net->places, &net->arena)) return -1;
  return index_names(x, 1, net->transition_id, net->transition_name, net->transitions, &net->arena);
}

static int64_t find(const struct pt_net *net, int kind, const char *name, size_t length) {
  const struct pt_index *x = net->index;
  uint32_t n = names_find(&x->ids, name, length);
  if (n != NAMES_NONE && (n >= net->places) == kind) return kind ? n - net->places : n;
  n = names_find(&x->names[kind], name, length);
  if (n == NAMES_NONE) return -1;
  return x->node[kind][n] == AMBIGUOUS ? -2 : (int64_t)x->node[kind][n];
}

int64_t pt_find_place(const struct pt_net *net, const char *name, size_t length) { return find(net, 0, name, length); }

int64_t pt_find_transition(const struct pt_net *net, const char *name, size_t length) { return find(net, 1, name, length); }

void pt_close(struct pt_net *net) {
  if (!net) return;
  struct mem *m = net->mem;
  if (net->index) {
    names_close(&net->index->ids);
    for (int kind = 0; kind < 2; kind++) names_close(&net->index->names[kind]);
  }
  arena_close(&net->arena);
  mem_free(m, net);
}
