/* graph_linear.c -- see graph_linear.h.
 *
 * The product of graph and automaton by numbers, depth-first; strongly connected components as they close, with the acceptance sets that their edges have met
 * (Couvreur, "On-the-fly verification of linear temporal logic"): as soon as one has met all of them there is an accepting run.  4 bytes per state of the product
 * and the stacks; no state of the model is made.
 *
 *   root   | order of its first state | sets met inside | sets of the edge that led to it |      one for each open component on the way
 *   open   states whose component is not closed, in the order in which they were found */
#include "search/graph_linear.h"


#define CLOSED UINT32_MAX

struct frame {
  uint32_t state;       /* of the product: graph state * automaton states + automaton state */
  uint32_t x;           /* the automaton's edge */
  uint64_t at;          /* where in the row of the graph the next edge is; 0 = the first */
  int stayed;           /* the step that changes nothing is taken */
};
struct root {
  uint32_t order, met, led;
};

struct product_walk {
  struct mem *mem;
  const struct kripke *k;
  const struct automaton *a;
  int ends;
  uint32_t *order; /* per state of the product: 0 = not found, CLOSED, or when it was found */
  uint32_t next;
  struct vec(struct frame) path;
  struct vec(struct root) root;
  struct vec(uint32_t) open;
  struct graph_linear *figures;
};

static uint64_t letter(const struct product_walk *w, uint64_t s) {
  uint64_t bits = 0;
  for (size_t i = 0; i < w->k->atoms; i++) bits |= (uint64_t)kripke_true(w->k, i, s) << i;
  return bits;
}

static int enter(struct product_walk *w, uint32_t state, uint32_t led) {
  w->order[state] = ++w->next;
  w->figures->states++;
  return vec_push(&w->path, w->mem, MEM_SEARCH, (struct frame){.state = state}) || vec_push(&w->root, w->mem, MEM_SEARCH, (struct root){w->next, 0, led}) ||
                 vec_push(&w->open, w->mem, MEM_SEARCH, state)
             ? -1
             : 0;
}

/* An edge back into an open component: all that was begun since then is one. */
static int merge(struct product_walk *w, uint32_t order, uint32_t met) {
  while (w->root.at[w->root.count - 1].order > order) {
    struct root top = w->root.at[--w->root.count];
    met |= top.met | top.led;
  }
  struct root *r = &w->root.at[w->root.count - 1];
  r->met |= met;
  return r->met == automaton_all(w->a);
}

static void leave(struct product_walk *w) {
  uint32_t state = w->path.at[--w->path.count].state;
  if (w->root.at[w->root.count - 1].order != w->order[state]) return;
  w->root.count--;
  uint32_t member;
  do w->order[member = w->open.at[--w->open.count]] = CLOSED;
  while (member != state);
}

/* The next edge of the product from the state on top: 1 with target and sets, 0: there is none. */
static int next_edge(struct product_walk *w, uint32_t *target, uint32_t *sets) {
  struct frame *f = &w->path.at[w->path.count - 1];
  uint32_t s = f->state / w->a->states, q = f->state % w->a->states;
  const struct automaton_edge *first = automaton_edges(w->a, q), *end = automaton_edges(w->a, q + 1);
  uint64_t now = letter(w, s);
  for (; first + f->x < end; f->x++, f->at = 0, f->stayed = 0) {
    const struct automaton_edge *x = first + f->x;
    if (!automaton_open_for(x, now)) continue;
    struct graph_edges row = graph_edges_from(&w->k->graph, s, f->at);
    uint64_t to = s;
    if (graph_more(&row)) {
      to = graph_next(&row, NULL);
      f->at = row.at;
    } else if (f->at || f->stayed || w->ends) {
      continue;
    }
    f->stayed = 1;
    *target = (uint32_t)(to * w->a->states + x->to);
    *sets = x->accept;
    w->figures->edges++;
    return 1;
  }
  return 0;
}

static int search_from(struct product_walk *w, uint32_t state, const struct model_patience *p, struct err *e) {
  uint32_t t, sets;
  if (enter(w, state, 0)) return -1;
  for (uint64_t steps = 1; w->path.count; steps++) {
    if (steps % (1u << 18) == 0 && model_impatient(p))
      return err_limit(e, "there was no time left to decide a formula");
    if (!next_edge(w, &t, &sets)) leave(w);
    else if (!w->order[t]) {
      if (enter(w, t, sets)) return -1;
    } else if (w->order[t] != CLOSED && merge(w, w->order[t], sets)) return 1;
  }
  return 0;
}

int graph_linear(struct graph_linear *out, const struct kripke *k, const struct automaton *a, int ends, const struct model_patience *patience, struct mem *mem,
                 struct err *e) {
  struct product_walk w = {.mem = mem, .k = k, .a = a, .ends = ends, .figures = out};
  *out = (struct graph_linear){0};
  if (!k->states || !a->states) return 0;
  if (k->states > (UINT32_MAX - 2) / a->states) return err_limit(e, "the product of graph and automaton has more than 2^32 states");
  w.order = mem_alloc(mem, MEM_SEARCH, (size_t)(k->states * a->states) * sizeof *w.order);
  int found = w.order ? 0 : -1;
  for (uint32_t i = 0; i < a->initial_count && found == 0; i++)
    if (!w.order[a->initial[i]]) found = search_from(&w, a->initial[i], patience, e);
  if (found < 0 && !e->kind) err_memory(e, "the product of graph and automaton");
  mem_free(mem, w.order);
  vec_free(&w.path, mem);
  vec_free(&w.root, mem);
  vec_free(&w.open, mem);
  return found;
}
