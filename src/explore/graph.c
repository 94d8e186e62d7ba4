/* graph.c -- the state graph so far, in layers.
 *
 * States are drawn when they were come to, when a state before them was unfolded (`expand`), or because they are among the first ones: `graph`
 * explores breadth-first until so many are drawn.  A layer is what is as many steps away from the initial state, as far as is known.  Several
 * edges between the same two states are drawn as one and told together.  A state some of whose successors are not drawn says how many ("open"):
 * then the graph is partial. */
#include "explore/requests.h"

#include "explore/draw.h"

#include <string.h>

enum { FIRST = 200, LABELS = 6, SMALL = 60 };

void explorer_draw(struct explorer *x, uint32_t state) {
  if (x->states.at[state].drawn || x->drawn >= EXPLORE_DRAWN) return;
  x->states.at[state].drawn = 1;
  x->drawn++;
}

static uint32_t fan(const struct explorer_state *s) { return s->expanded ? (s->steps < EXPLORER_FAN ? s->steps : EXPLORER_FAN) : 0; }

/* ---- which states --------------------------------------------------------------------------------------------------------- */

struct pick {
  uint32_t *queue;  /* drawn states that were reached, in the order of their distance */
  uint32_t *depth;  /* per state that is known; EXPLORER_NONE = not reached */
  uint32_t *number; /* per state: its index in the queue */
  size_t count, room;
};

static void pick_close(struct pick *p, struct mem *mem) {
  mem_free(mem, p->queue);
  mem_free(mem, p->depth);
  mem_free(mem, p->number);
}

/* Distances over the edges that are known, through drawn states alone. */
static int pick_states(struct pick *p, struct explorer *x, struct err *e) {
  size_t n = x->states.count;
  *p = (struct pick){.queue = mem_alloc(x->mem, MEM_OTHER, n * sizeof *p->queue), .depth = mem_alloc(x->mem, MEM_OTHER, n * sizeof *p->depth), .number = mem_alloc(x->mem, MEM_OTHER, n * sizeof *p->number)};
  if (!p->queue || !p->depth || !p->number) {
    pick_close(p, x->mem);
    return err_memory(e, "the graph");
  }
  memset(p->depth, 0xff, n * sizeof *p->depth);
  memset(p->number, 0xff, n * sizeof *p->number);
  p->depth[0] = 0;
  p->queue[p->count++] = 0;
  for (size_t head = 0;; head++) {
    if (head == p->count) { /* drawn states that no drawn path leads to: where a run left the states with numbers behind */
      uint32_t s = 0;
      while (s < n && (!x->states.at[s].drawn || p->depth[s] != EXPLORER_NONE)) s++;
      if (s == n) break;
      p->depth[s] = 0;
      p->queue[p->count++] = s;
    }
    uint32_t from = p->queue[head];
    const struct explorer_state *s = &x->states.at[from];
    p->number[from] = (uint32_t)head;
    for (uint32_t k = 0; k < fan(s); k++) {
      uint32_t to = x->edges.at[s->edge + k].to;
      if (!x->states.at[to].drawn || p->depth[to] != EXPLORER_NONE) continue;
      p->depth[to] = p->depth[from] + 1;
      p->queue[p->count++] = to;
    }
  }
  return 0;
}

/* Explores breadth-first until `limit` states are drawn. */
static int first_states(struct explorer *x, size_t limit, struct err *e) {
  struct pick p;
  if (x->drawn >= limit) return 0;
  /* Each round unfolds what is reached; the queue of a round is the breadth-first order of all rounds before. */
  for (int more = 1; more && x->drawn < limit;) {
    if (pick_states(&p, x, e)) return -1;
    more = 0;
    size_t drawn = x->drawn;
    for (size_t i = 0; i < p.count && x->drawn < limit; i++) {
      if (x->setup.interrupt && *x->setup.interrupt) break;
      if (!x->states.at[p.queue[i]].expanded && explorer_enter(x, p.queue[i], e)) {
        pick_close(&p, x->mem);
        return -1;
      }
      const struct explorer_state *s = &x->states.at[p.queue[i]];
      for (uint32_t k = 0; k < fan(s) && x->drawn < limit; k++) explorer_draw(x, x->edges.at[s->edge + k].to);
    }
    more = x->drawn > drawn;
    pick_close(&p, x->mem);
  }
  return 0;
}

/* ---- edges ---------------------------------------------------------------------------------------------------------------- */

static uint32_t undrawn(const struct explorer *x, const struct explorer_state *s) {
  uint32_t open = s->expanded && s->steps > EXPLORER_FAN ? s->steps - EXPLORER_FAN : 0;
  for (uint32_t k = 0; k < fan(s); k++) open += !x->states.at[x->edges.at[s->edge + k].to].drawn;
  return open;
}

/* One edge for each pair: `head` marks, per target, the edge that was made last. */
static int collect_edges(struct draw *d, const struct pick *p, struct explorer *x, struct err *e) {
  size_t room = 0;
  uint32_t *last = mem_alloc(x->mem, MEM_OTHER, (p->count + 1) * sizeof *last);
  for (size_t i = 0; i < p->count; i++) room += fan(&x->states.at[p->queue[i]]);
  d->edge = mem_alloc(x->mem, MEM_OTHER, (room + 1) * sizeof *d->edge);
  if (!last || !d->edge) {
    mem_free(x->mem, last);
    return err_memory(e, "the graph");
  }
  for (size_t i = 0; i < p->count; i++) {
    const struct explorer_state *s = &x->states.at[p->queue[i]];
    uint32_t begin = d->edges;
    for (uint32_t k = 0; k < fan(s); k++) {
      uint32_t to = p->number[x->edges.at[s->edge + k].to];
      if (to == EXPLORER_NONE || !x->states.at[x->edges.at[s->edge + k].to].drawn) continue;
      if (last[to] > begin) continue;
      d->edge[d->edges++] = (struct draw_edge){.from = (uint32_t)i, .to = to};
      last[to] = d->edges;
    }
  }
  mem_free(x->mem, last);
  return 0;
}

static void edge_json(const struct draw *d, const struct draw_edge *edge, const struct pick *p, struct explorer *x, struct json_out *j) {
  const struct explorer_state *s = &x->states.at[p->queue[edge->from]];
  uint32_t to = p->queue[edge->to], count = 0, first = 0;
  while (x->edges.at[s->edge + first].to != to) first++;
  json_out_object_flat(j, NULL);
  json_out_count(j, "from", p->queue[edge->from]);
  json_out_count(j, "to", to);
  json_out_count(j, "k", first);
  json_out_array(j, "labels");
  for (uint32_t k = 0; k < fan(s); k++) {
    if (x->edges.at[s->edge + k].to != to) continue;
    if (count++ < LABELS) json_out_text(j, NULL, x->model->type->group_name(x->model, x->edges.at[s->edge + k].group));
  }
  json_out_end(j);
  json_out_count(j, "count", count);
  if (edge->bends) {
    json_out_array(j, "bends");
    for (size_t i = 0; i < edge->bends; i++) json_out_real(j, NULL, d->points.at[edge->bend + i].x, 1), json_out_real(j, NULL, d->points.at[edge->bend + i].y, 1);
    json_out_end(j);
  }
  json_out_end(j);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------- */

static void graph_json(struct explorer *x, const struct pick *p, const struct draw *d, struct json_out *j) {
  int partial = 0;
  json_out_object(j, NULL);
  json_out_array(j, "states");
  for (size_t i = 0; i < p->count; i++) {
    const struct explorer_state *s = &x->states.at[p->queue[i]];
    uint32_t open = undrawn(x, s);
    json_out_object_flat(j, NULL);
    json_out_count(j, "id", p->queue[i]);
    json_out_real(j, "x", d->node[i].x, 1);
    json_out_real(j, "y", d->node[i].y, 1);
    json_out_count(j, "depth", p->depth[p->queue[i]]);
    if (s->expanded) json_out_count(j, "open", open);
    else json_out_null(j, "open");
    if (s->expanded && !s->steps && !s->broken) json_out_text(j, "kind", s->end ? "end" : "deadlock");
    else if (s->broken || s->faulty) json_out_text(j, "kind", "fault");
    json_out_end(j);
    partial |= !s->expanded || open;
  }
  json_out_end(j);
  json_out_array(j, "edges");
  for (uint32_t i = 0; i < d->edges; i++) edge_json(d, &d->edge[i], p, x, j);
  json_out_end(j);
  json_out_bool(j, "partial", partial);
  json_out_count(j, "known", x->states.count);
  json_out_count(j, "most", EXPLORE_DRAWN);
  json_out_real(j, "width", d->width, 1);
  json_out_real(j, "height", d->height, 1);
  json_out_end(j);
}

/* Small graphs are drawn with the names of steps at their edges. */
static double room_for_names(const struct draw *d, const struct pick *p, const struct explorer *x) {
  size_t longest = 0;
  for (uint32_t i = 0; i < d->edges; i++) {
    const struct explorer_state *s = &x->states.at[p->queue[d->edge[i].from]];
    for (uint32_t k = 0; k < fan(s); k++) {
      size_t n = strlen(x->model->type->group_name(x->model, x->edges.at[s->edge + k].group));
      if (n > longest) longest = n;
    }
  }
  return 6.2 * (double)(longest < 20 ? longest : 20) + 4;
}

static int tell_graph(struct explorer *x, struct json_out *j, struct err *e) {
  struct pick p;
  if (pick_states(&p, x, e)) return -1;
  struct draw d = {.mem = x->mem, .nodes = (uint32_t)p.count, .gap = 14, .layer_gap = 42, .node = mem_alloc(x->mem, MEM_OTHER, p.count * sizeof *d.node)};
  int bad = d.node ? collect_edges(&d, &p, x, e) : err_memory(e, "the graph");
  if (!bad && p.count <= SMALL) d.gap = room_for_names(&d, &p, x), d.layer_gap = 58;
  for (size_t i = 0; i < p.count && !bad; i++) d.node[i] = (struct draw_node){.width = 34, .height = 24, .layer = p.depth[p.queue[i]]};
  if (!bad && draw_layers(&d)) bad = err_memory(e, "the graph");
  if (!bad) graph_json(x, &p, &d, j);
  vec_free(&d.points, x->mem);
  mem_free(x->mem, d.node);
  mem_free(x->mem, d.edge);
  pick_close(&p, x->mem);
  return bad;
}

int answer_graph(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  uint64_t limit;
  if (request_count_or(a, "limit", 1, EXPLORE_DRAWN, FIRST, &limit, e)) return -1;
  return first_states(x, (size_t)limit, e) ? -1 : tell_graph(x, j, e);
}

int answer_expand(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  uint32_t state;
  if (request_state(x, a, "state", &state, e) || explorer_enter(x, state, e)) return -1;
  const struct explorer_state *s = &x->states.at[state];
  explorer_draw(x, state);
  for (uint32_t k = 0; k < fan(s); k++) explorer_draw(x, x->edges.at[s->edge + k].to);
  return tell_graph(x, j, e);
}
