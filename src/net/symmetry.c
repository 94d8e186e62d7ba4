/* symmetry.c -- see symmetry.h.
 *
 * The graph: a vertex for each place and each transition that can fire, an edge for each arc with its weight and direction; and the trees of the expressions that are asked, node by node, with edges to the places and
 * transitions that they speak of.  The children of a sum, of a conjunction, of an equation and the like may change places, those of an implication may not.  So an automorphism (automorphism.h) leaves the value of every expression
 * as it was, although it moves the places within: p1 + p2 + p3 <= 1 allows all permutations of the three.
 *
 * The initial marking m0 need not be symmetric: steps are, and what is asked is, and that is enough.  But the layout rests on what is true of reachable markings, and of an image s(m) it must be true as well:
 *
 *   transitions that never fire    are no part of the graph, and the engine never fires them, whatever the marking
 *   bounds of places               are colours: s leads a place to one of the same bound.  Places that never change have their tokens as a colour
 *   places that follow by P-flows, cells of which one place is marked    rest on y m = y m0.  s(m) = s(m0) + C x for some x, so y s(m) = y s(m0): where s(m0) is not m0, each flow of a basis is asked whether y s(m0) = y m0
 *
 * What is only declared (NUPN) is checked when a marking is packed, as ever.
 *
 * Only the places that move are looked at: their values are read one by one, and most often nothing has to be written back. */
#include "net/symmetry.h"

#include "model/expr_tree.h"
#include "net/automorphism.h"
#include "net/invariants.h"
#include "net/orbit.h"
#include "net/pt_symmetry.h"
#include "net/pt_view.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Edges looked at in the search for symmetries: about a second. And for a basis of flows. */
static const uint64_t EFFORT = 30000000, BASIS_EFFORT = 50000000;

struct symmetry {
  struct model_likeness base;
  struct mem *mem;
  struct orbit *orbit;
  struct orbit_scratch scratch;
  struct pt_view view;
  int64_t *value; /* of the places that move, in their order */
  uint32_t *where;      /* of a path that is followed: the real value at j is at where[j] on the path */
  uint32_t *origin, *inverse;
  uint32_t *state;
  size_t room; /* words of state */
};

/* ---- the graph -------------------------------------------------------------------------------------------------------------------------- */

enum label { TAKES = 1, GIVES, OPERAND, OF_OPERAND, NAMES, NAMED };

struct pair {
  uint32_t from, to;
  uint64_t label;
};

struct drawing {
  const struct pt_symmetry_setup *setup;
  struct mem *mem;
  struct vec(uint64_t) colour;
  struct vec(struct pair) pair;
  int bad;
};

static uint64_t labelled(enum label kind, uint64_t number) { return (uint64_t)kind << 56 | (number & (((uint64_t)1 << 56) - 1)); }

static void edge(struct drawing *d, uint32_t a, uint32_t b, enum label there, enum label back, uint64_t number) {
  d->bad |= vec_push(&d->pair, d->mem, MEM_ANALYSIS, (struct pair){a, b, labelled(there, number)}) != 0;
  d->bad |= vec_push(&d->pair, d->mem, MEM_ANALYSIS, (struct pair){b, a, labelled(back, number)}) != 0;
}

static uint32_t vertex(struct drawing *d, uint64_t colour) {
  d->bad |= vec_push(&d->colour, d->mem, MEM_ANALYSIS, colour) != 0;
  return (uint32_t)d->colour.count - 1;
}

/* Whether the place of a child matters, so that children may not change places. */
static int in_order(const struct node *n) { return n->kind == NODE_IMPLIES || (n->kind == NODE_COMPARE && n->relation != EQUAL && n->relation != UNEQUAL); }

/* Colours of nodes are told from those of places and transitions by their first bits. */
static uint32_t draw_node(struct drawing *d, const struct node *n, uint64_t root) {
  const struct pt_net *net = d->setup->net;
  uint64_t what = hash_pair((uint64_t)n->kind << 8 | (n->kind == NODE_COMPARE ? (uint64_t)n->relation : 0), n->kind == NODE_NUMBER ? (uint64_t)n->number : 0);
  uint32_t v = vertex(d, 3 | hash_pair(what, root) << 2);
  for (uint32_t i = 0; i < n->count && !d->bad; i++) {
    if (n->kind == NODE_VARS) edge(d, v, n->id[i], NAMES, NAMED, 0);
    else if (n->kind == NODE_FIREABLE) {
      if (!d->setup->dead[n->id[i]]) edge(d, v, net->places + n->id[i], NAMES, NAMED, 0);
    } else {
      uint32_t child = draw_node(d, n->child[i], 0);
      edge(d, v, child, OPERAND, OF_OPERAND, in_order(n) ? i + 2 : n->kind == NODE_SUM && n->minus && n->minus[i]);
    }
  }
  return v;
}

static int by_from(const void *x, const void *y) {
  const struct pair *a = x, *b = y;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  return a->label < b->label ? -1 : a->label > b->label;
}

/* Vertices: places, transitions, nodes of expressions. 0; 1: an expression cannot be looked into; -1: memory */
static int draw(struct drawing *d, const struct model_aims *aims) {
  const struct pt_symmetry_setup *s = d->setup;
  const struct pt_net *n = s->net;
  for (uint32_t p = 0; p < n->places; p++) vertex(d, (uint64_t)p << 2); /* stays so if it has no arcs: then it stays where it is */
  for (uint32_t t = 0; t < n->transitions; t++) vertex(d, s->dead[t] ? (uint64_t)(n->places + t) << 2 : 2);
  for (uint32_t t = 0; t < n->transitions && !d->bad; t++) {
    if (s->dead[t]) continue;
    for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++) edge(d, n->pre[a].place, n->places + t, TAKES, TAKES, n->pre[a].weight);
    for (uint32_t a = n->post_start[t]; a < n->post_start[t + 1]; a++) edge(d, n->post[a].place, n->places + t, GIVES, GIVES, n->post[a].weight);
  }
  for (size_t i = 0; i < d->pair.count && !d->bad; i++) {
    uint32_t p = d->pair.at[i].from;
    if (p < n->places) d->colour.at[p] = 1 | hash_pair(s->bound[p], s->constant[p] ? (uint64_t)n->initial[p] + 1 : 0) << 2;
  }
  for (size_t i = 0; i < aims->exprs && !d->bad; i++) {
    if (!aims->expr[i]) continue; /* labels: nets have none */
    if (!expr_root(aims->expr[i])) return 1;
    draw_node(d, expr_root(aims->expr[i]), i + 1);
  }
  return d->bad ? -1 : 0;
}

/* ---- what is found ------------------------------------------------------------------------------------------------------------------------ */

struct hearing {
  const struct pt_symmetry_setup *setup;
  struct mem *mem;
  struct orbit *orbit;
  struct flows basis;
  int basis_made, heard;
  size_t left_out;
};

/* Is every flow of a basis the same of the initial marking and of its image? */
static int keeps_flows(struct hearing *h, const uint32_t *image) {
  const struct pt_net *n = h->setup->net;
  uint32_t p = 0;
  while (p < n->places && n->initial[image[p]] == n->initial[p]) p++;
  if (p == n->places) return 1;
  if (h->setup->loose) return 0; /* transitions that never fire have arcs: a basis for the others is not at hand */
  if (!h->basis_made) {
    struct err quiet;
    err_clear(&quiet);
    h->basis_made = flows_basis(&h->basis, n, FLOW_PLACES, h->mem, BASIS_EFFORT, &quiet) == 0 && h->basis.complete ? 1 : -1;
  }
  if (h->basis_made < 0) return 0;
  for (size_t i = 0; i < h->basis.count; i++) {
    const struct flow *f = &h->basis.at[i];
    __int128 sum = 0;
    for (uint32_t k = 0; k < f->count; k++) { /* y s(m0) - y m0, where s(m0) has at image[p] what m0 has at p: the inverse does the same to all flows */
      sum += (__int128)f->weight[k] * n->initial[image[f->index[k]]];
      sum -= (__int128)f->weight[k] * n->initial[f->index[k]];
    }
    if (sum) return 0;
  }
  return 1;
}

static int hear(void *context, const uint32_t *image) {
  struct hearing *h = context;
  if (!keeps_flows(h, image)) {
    h->left_out++;
    return 0;
  }
  h->heard++;
  return orbit_add(h->orbit, image);
}

static int find(struct orbit *orbit, const struct pt_symmetry_setup *setup, const struct model_aims *aims, struct mem *mem, char *why, size_t room) {
  struct drawing d = {.setup = setup, .mem = mem};
  struct hearing h = {.setup = setup, .mem = mem, .orbit = orbit};
  size_t *start = NULL;
  uint32_t *to = NULL;
  uint64_t *label = NULL;
  int status = draw(&d, aims);
  if (status > 0) snprintf(why, room, "an expression cannot be looked into");
  if (!status) {
    size_t vertices = d.colour.count, edges = d.pair.count;
    start = mem_alloc(mem, MEM_ANALYSIS, (vertices + 1) * sizeof *start);
    to = mem_alloc(mem, MEM_ANALYSIS, (edges + 1) * sizeof *to);
    label = mem_alloc(mem, MEM_ANALYSIS, (edges + 1) * sizeof *label);
    if (!start || !to || !label) status = -1;
    if (!status && edges) qsort(d.pair.at, edges, sizeof *d.pair.at, by_from);
    for (size_t i = 0; i < edges && !status; i++) {
      start[d.pair.at[i].from + 1] = i + 1;
      to[i] = d.pair.at[i].to;
      label[i] = d.pair.at[i].label;
    }
    for (size_t v = 0; v < vertices && !status; v++)
      if (start[v + 1] < start[v]) start[v + 1] = start[v];
    struct coloured_graph g = {(uint32_t)vertices, d.colour.at, start, to, label};
    if (!status) status = automorphism_find(&g, EFFORT, hear, &h, mem) < 0 ? -1 : 0;
  }
  flows_close(&h.basis);
  mem_free(mem, start);
  mem_free(mem, to);
  mem_free(mem, label);
  vec_free(&d.colour, mem);
  vec_free(&d.pair, mem);
  if (!status && !h.heard) {
    if (h.left_out) snprintf(why, room, "the initial marking is not symmetric");
    status = 1;
  }
  return status;
}

/* ---- the door ------------------------------------------------------------------------------------------------------------------------------ */

static void close_symmetry(struct model_likeness *l) {
  struct symmetry *s = (struct symmetry *)l;
  if (!s) return;
  orbit_close(s->orbit);
  orbit_scratch_close(&s->scratch);
  mem_free(s->mem, s->value);
  pt_view_close(&s->view);
  mem_free(s->mem, s->state);
  mem_free(s->mem, s->where);
  mem_free(s->mem, s->origin);
  mem_free(s->mem, s->inverse);
  mem_free(s->mem, s);
}

void pt_symmetry_forget(struct pt_symmetry_found *f, struct mem *mem) {
  orbit_close(f->orbit);
  mem_free(mem, f->asked);
  *f = (struct pt_symmetry_found){0};
}

/* All that symmetries depend on beside the net, in one text. */
static char *asked(const struct model_aims *aims, struct mem *mem) {
  size_t length = 1, used = 0;
  for (size_t i = 0; i < aims->exprs; i++) length += (aims->expr[i] ? strlen(expr_text(aims->expr[i])) : 0) + 1;
  char *text = mem_alloc(mem, MEM_MODEL, length);
  for (size_t i = 0; i < aims->exprs && text; i++) used += (size_t)snprintf(text + used, length - used, "%s\n", aims->expr[i] ? expr_text(aims->expr[i]) : "");
  return text;
}

/* Looks for symmetries, unless somebody has asked for the same before. 0, 1 or -1 as open. */
static int find_once(struct pt_symmetry_found *f, const struct model *m, const struct model_aims *aims) {
  struct pt_symmetry_setup setup;
  char *now = asked(aims, m->mem);
  if (!now) return -1;
  if (f->asked && strcmp(f->asked, now) == 0) {
    mem_free(m->mem, now);
    return f->status;
  }
  pt_symmetry_forget(f, m->mem);
  pt_symmetry_ask(m, &setup);
  struct orbit *orbit;
  int status = orbit_open(&orbit, m->vars, m->mem);
  if (!status) status = find(orbit, &setup, aims, m->mem, f->text, sizeof f->text);
  if (!status) status = orbit_ready(orbit, f->text, sizeof f->text);
  f->status = status;
  if (status) orbit_close(orbit);
  else f->orbit = orbit;
  if (status < 0) mem_free(m->mem, now);
  else f->asked = now;
  return status;
}

static int open_symmetry(struct model_likeness **out, const struct model *m, const struct model_aims *aims, struct mem *mem, char *why, size_t room) {
  struct pt_symmetry_found *found = pt_symmetry_found(m);
  *out = NULL;
  if (room) *why = 0;
  if (!aims->exprs && !aims->deadlocks && !aims->runs) return 1; /* nothing is asked: who explores wants to see the space itself */
  int status = find_once(found, m, aims);
  if (status > 0) snprintf(why, room, "%s", found->text);
  if (status) return status;
  struct symmetry *s = mem_alloc(mem, MEM_SEARCH, sizeof *s);
  if (!s) return -1;
  *s = (struct symmetry){.base = {.type = &pt_symmetry}, .mem = mem, .view = {.mem = mem}, .orbit = found->orbit};
  orbit_share(s->orbit);
  memcpy(s->base.text, found->text, sizeof s->base.text);
  s->value = mem_alloc(mem, MEM_SEARCH, ((size_t)m->vars + 1) * sizeof *s->value);
  if (!s->value || orbit_scratch_open(&s->scratch, s->orbit, mem)) {
    close_symmetry(&s->base);
    return -1;
  }
  *out = &s->base;
  return 0;
}

/* The state, on which the view stands, with other values in the places that move. MODEL_WIDEN: it is as it was. */
static enum model_answer put(struct symmetry *s, struct model_cursor *cursor, uint32_t *state) {
  uint32_t count, words = cursor->model->words, wide;
  const uint32_t *place = orbit_places(s->orbit, &count);
  if (words > s->room) {
    uint32_t *more = mem_resize(s->mem, MEM_SEARCH, s->state, (size_t)words * sizeof *more);
    if (!more) return MODEL_MEMORY;
    s->state = more;
    s->room = words;
  }
  memcpy(s->state, state, words * sizeof *state);
  if (pt_view_write(&s->view, pt_symmetry_layout(cursor->model), s->state, words, place, count, s->value, &wide)) {
    uint32_t i = 0;
    while (place[i] != wide) i++;
    pt_symmetry_wide(cursor, wide, s->value[i]);
    return MODEL_WIDEN;
  }
  memcpy(state, s->state, words * sizeof *state);
  return MODEL_OK;
}

/* The values of the places that move; those at other places of them instead, if `from` says so. 0 or -1 (memory) */
static int get(struct symmetry *s, struct model_cursor *cursor, const uint32_t *state, const uint32_t *from) {
  uint32_t count;
  const uint32_t *place = orbit_places(s->orbit, &count);
  if (pt_view_move(&s->view, pt_symmetry_layout(cursor->model), state, cursor->model->words)) return -1;
  for (uint32_t i = 0; i < count; i++) s->value[i] = s->view.tokens[place[from ? from[i] : i]];
  return 0;
}

static enum model_answer apply(struct model_likeness *l, struct model_cursor *cursor, uint32_t *state) {
  struct symmetry *s = (struct symmetry *)l;
  if (get(s, cursor, state, NULL)) return MODEL_MEMORY;
  return orbit_least(s->orbit, &s->scratch, s->value, NULL) ? put(s, cursor, state) : MODEL_OK;
}

static int follow_begin(struct model_likeness *l) {
  struct symmetry *s = (struct symmetry *)l;
  uint32_t count;
  orbit_places(s->orbit, &count);
  size_t bytes = ((size_t)count + 1) * sizeof *s->where;
  if (!s->where) s->where = mem_alloc(s->mem, MEM_SEARCH, bytes);
  if (!s->origin) s->origin = mem_alloc(s->mem, MEM_SEARCH, bytes);
  if (!s->inverse) s->inverse = mem_alloc(s->mem, MEM_SEARCH, bytes);
  if (!s->where || !s->origin || !s->inverse) return -1;
  for (uint32_t k = 0; k < count; k++) s->where[k] = k;
  return 0;
}

/* real[j] = state[where[j]], and what stands for the state is there[k] = state[origin[k]]: so real[j] = there[inverse of origin [where[j]]]. */
static enum model_answer follow(struct model_likeness *l, struct model_cursor *cursor, const uint32_t *state, uint32_t *real) {
  struct symmetry *s = (struct symmetry *)l;
  uint32_t count;
  orbit_places(s->orbit, &count);
  if (get(s, cursor, state, s->where)) return MODEL_MEMORY;
  memcpy(real, state, cursor->model->words * sizeof *real);
  enum model_answer answer = put(s, cursor, real);
  if (answer != MODEL_OK) return answer;
  get(s, cursor, state, NULL); /* it stands there */
  orbit_least(s->orbit, &s->scratch, s->value, s->origin);
  for (uint32_t k = 0; k < count; k++) s->inverse[s->origin[k]] = k;
  for (uint32_t j = 0; j < count; j++) s->where[j] = s->inverse[s->where[j]];
  return MODEL_OK;
}

const struct model_likeness_type pt_symmetry = {"symmetry", open_symmetry, apply, close_symmetry, follow_begin, follow};
