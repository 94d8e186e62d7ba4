/* graph_walk.c -- see graph_walk.h.
 *
 * Figure 5.2 of Kristensen and Mailund ("Obtaining memory-efficient reachability graph representations using the sweep-line method") goes depth-first; its way can be
 * as long as there are states.  Along the breadth-first tree the way is never longer than the farthest state is far, so that even keeping its states costs little. */
#include "search/graph_walk.h"

int graph_tree_open(struct graph_tree *t, const struct graph *g, struct mem *mem, struct err *e) {
  size_t n = (size_t)g->states;
  *t = (struct graph_tree){.mem = mem, .g = g, .parent = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *t->parent)};
  uint32_t *queue = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *queue), head = 0, tail = 0;
  if (!t->parent || !queue) {
    mem_free(mem, queue);
    graph_tree_close(t);
    return err_memory(e, "the tree of the graph");
  }
  memset(t->parent, 0xff, n * sizeof *t->parent);
  if (n) t->parent[0] = queue[tail++] = 0;
  while (head < tail) {
    uint32_t s = queue[head++];
    for (struct graph_edges row = graph_edges(g, s); graph_more(&row);) {
      uint32_t to = graph_next(&row, NULL);
      if (t->parent[to] != UINT32_MAX) continue;
      t->parent[to] = s;
      queue[tail++] = to;
    }
  }
  mem_free(mem, queue);
  return 0;
}

void graph_tree_close(struct graph_tree *t) {
  if (!t->mem) return;
  mem_free(t->mem, t->parent);
  *t = (struct graph_tree){0};
}

/* ---- walking ------------------------------------------------------------------------------------------------------------------- */

struct place { /* a state on the way */
  uint32_t state, index, group; /* index of the edge to be looked at next; the step that led here */
  uint64_t at;                  /* where in its row that is; 0 = the first */
};

struct walk {
  struct mem *mem;
  const struct graph_tree *tree;
  const struct model *m;
  struct model_cursor *cursor;
  struct model_batch batch;
  uint32_t *words, *spare;
  size_t stride;
  struct vec(struct place) way;
  struct vec(uint32_t) kept; /* states of the way, for models that cannot run backwards */
  uint64_t *seen;
};

static int no_memory(struct err *e) { return err_memory(e, "a walk through the graph"); }

static int open_walk(struct walk *w, const struct graph_tree *t, const struct model *m, struct err *e) {
  *w = (struct walk){.mem = t->mem, .tree = t, .m = m, .stride = model_stride(m->words)};
  w->words = mem_alloc(t->mem, MEM_SEARCH, w->stride * sizeof *w->words);
  w->spare = mem_alloc(t->mem, MEM_SEARCH, w->stride * sizeof *w->spare);
  w->seen = mem_alloc(t->mem, MEM_SEARCH, ((size_t)t->g->states / 64 + 1) * sizeof *w->seen);
  if (!w->words || !w->spare || !w->seen || m->type->cursor_open(&w->cursor, m, t->mem) || model_batch_open(&w->batch, t->mem, m->words, 16)) return no_memory(e);
  m->type->initial(m, w->words);
  return 0;
}

static void close_walk(struct walk *w) {
  if (w->batch.mem) model_batch_close(&w->batch);
  if (w->cursor) w->m->type->cursor_close(w->cursor);
  mem_free(w->mem, w->words);
  mem_free(w->mem, w->spare);
  mem_free(w->mem, w->seen);
  vec_free(&w->way, w->mem);
  vec_free(&w->kept, w->mem);
}

static int step(struct walk *w, uint32_t index, uint32_t *group, struct err *e) {
  memset(w->spare, 0, w->stride * sizeof *w->spare);
  int found = model_step(w->cursor, w->words, index, w->spare, group, &w->batch);
  if (found != 1) return found < 0 ? no_memory(e) : err_internal(e, "the graph has a step that the model does not have");
  uint32_t *other = w->words;
  w->words = w->spare;
  w->spare = other;
  return 0;
}

static int go_down(struct walk *w, uint32_t to, uint32_t index, struct err *e) {
  struct place there = {.state = to};
  if (!w->m->type->unstep) {
    if (vec_reserve(&w->kept, w->mem, MEM_SEARCH, w->stride)) return no_memory(e);
    memcpy(w->kept.at + w->kept.count, w->words, w->stride * sizeof *w->words);
    w->kept.count += w->stride;
  }
  if (step(w, index, &there.group, e)) return -1;
  w->seen[to / 64] |= UINT64_C(1) << to % 64;
  return vec_push(&w->way, w->mem, MEM_SEARCH, there) ? no_memory(e) : 0;
}

static int go_back(struct walk *w, struct err *e) {
  uint32_t group = w->way.at[--w->way.count].group;
  if (!w->way.count) return 0;
  if (!w->m->type->unstep) {
    w->kept.count -= w->stride;
    memcpy(w->words, w->kept.at + w->kept.count, w->stride * sizeof *w->words);
    return 0;
  }
  memset(w->spare, 0, w->stride * sizeof *w->spare);
  if (w->m->type->unstep(w->cursor, w->words, group, w->spare) != 1) return err_internal(e, "a step cannot be undone");
  uint32_t *other = w->words;
  w->words = w->spare;
  w->spare = other;
  return 0;
}

/* The next child of the last state of the way: 1 with it and the index of its edge, 0: there is none. */
static int next_child(struct walk *w, uint32_t *child, uint32_t *index) {
  struct place *p = &w->way.at[w->way.count - 1];
  struct graph_edges row = graph_edges_from(w->tree->g, p->state, p->at);
  while (graph_more(&row)) {
    *child = graph_next(&row, NULL);
    *index = p->index++;
    p->at = row.at;
    if (w->tree->parent[*child] == p->state && !(w->seen[*child / 64] >> *child % 64 & 1)) return 1;
  }
  return 0;
}

int graph_walk(const struct graph_tree *t, const struct model *m, graph_visit *visit, void *context, struct err *e) {
  struct walk w;
  int bad = open_walk(&w, t, m, e);
  if (!bad && t->g->states) {
    w.seen[0] = 1;
    bad = vec_push(&w.way, w.mem, MEM_SEARCH, (struct place){0}) ? no_memory(e) : visit(context, 0, w.words, 0) ? 1 : 0;
  }
  while (!bad && w.way.count) {
    uint32_t child, index;
    if (!next_child(&w, &child, &index)) bad = go_back(&w, e);
    else if (!(bad = go_down(&w, child, index, e)) && visit(context, child, w.words, w.way.count - 1)) bad = 1;
  }
  close_walk(&w);
  return bad;
}

/* The index of the first edge from s to t. */
static uint32_t edge_to(const struct graph *g, uint32_t s, uint32_t t) {
  uint32_t index = 0;
  for (struct graph_edges row = graph_edges(g, s); graph_more(&row) && graph_next(&row, NULL) != t;) index++;
  return index;
}

int graph_state(const struct graph_tree *t, const struct model *m, uint64_t state, uint32_t *words, uint64_t *depth, struct err *e) {
  struct walk w;
  struct vec(uint32_t) way = {0};
  if (state >= t->g->states || t->parent[state] == UINT32_MAX) return err_internal(e, "state %llu cannot be reached in the graph", (unsigned long long)state);
  int bad = open_walk(&w, t, m, e);
  for (uint32_t s = (uint32_t)state; !bad && s; s = t->parent[s]) bad = vec_push(&way, t->mem, MEM_SEARCH, s) ? no_memory(e) : 0;
  if (depth) *depth = way.count;
  for (size_t i = way.count; i-- > 0 && !bad;) {
    uint32_t group;
    bad = step(&w, edge_to(t->g, t->parent[way.at[i]], way.at[i]), &group, e);
  }
  if (!bad) memcpy(words, w.words, w.stride * sizeof *words);
  vec_free(&way, t->mem);
  close_walk(&w);
  return bad;
}
