/* draw.c -- layered drawings, after Sugiyama, Tagawa and Toda (1981): see draw.h.
 *
 *   1. cycles   a depth-first search finds edges that lead back; they are turned round while the rest is done
 *   2. layers   longest paths from nodes without predecessors; nodes that could stand lower go to their successors
 *   3. chains   an edge over several layers passes through a knot in each of them
 *   4. order    within a layer by the mean place of neighbours, down and up again, the order with the fewest crossings is kept
 *   5. places   each layer in turn moves as near to its neighbours as the order allows: least squares under least distances,
 *               which is isotonic regression and solved by pooling adjacent violators; chains weigh more, so long edges are straight
 *
 * Everything after step 2 works on `knots`: nodes, and behind them the knots of chains.  Links join knots of neighbouring layers.  Edges within
 * a layer have none: whoever draws them bends them. */
#include "explore/draw.h"

#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 24, PASSES = 16, MOST_KNOTS = 20000, CHAIN_WEIGHT = 6 };

struct link { /* up lies in the layer above low */
  uint32_t up, low;
};

struct layered {
  struct draw *d;
  struct mem *mem;
  uint8_t *turned;  /* per edge */
  uint32_t knots, layers, links;
  uint32_t *layer;  /* per knot */
  uint32_t *place;  /* per knot: its place within its layer */
  double *at;       /* per knot: scratch of sweeps, then its x */
  double *half;     /* per knot: half its width */
  uint32_t *row, *row_start; /* knots in their order, layer after layer */
  uint32_t *best;
  struct link *link;
  uint32_t *chain;  /* per edge: its first knot of a chain; UINT32_MAX = it has none */
  uint32_t *above, *above_start, *below, *below_start; /* neighbours of each knot */
  double *weight, *sum;  /* scratch of the regression */
  uint32_t *size;
};

static void *get(struct layered *l, size_t count, size_t each) { return mem_alloc(l->mem, MEM_OTHER, (count + 1) * each); }

/* Rows of a relation: neighbours of i are to[start[i] .. start[i+1]). */
static int rows(struct layered *l, uint32_t n, uint32_t count, uint32_t **to, uint32_t **start, void (*ends)(struct layered *, uint32_t, uint32_t *, uint32_t *)) {
  uint32_t from, target;
  *start = get(l, (size_t)n + 1, sizeof **start);
  *to = get(l, count, sizeof **to);
  if (!*start || !*to) return -1;
  for (uint32_t i = 0; i < count; i++) {
    ends(l, i, &from, &target);
    if (from != UINT32_MAX) (*start)[from + 1]++;
  }
  for (uint32_t i = 0; i < n; i++) (*start)[i + 1] += (*start)[i];
  for (uint32_t i = count; i-- > 0;) { /* from the end, so that rows keep the order of the edges */
    ends(l, i, &from, &target);
    if (from != UINT32_MAX) (*to)[--(*start)[from + 1]] = target;
  }
  /* each start is one row early now */
  for (uint32_t i = 0; i < n; i++) (*start)[i] = (*start)[i + 1];
  uint32_t all = 0;
  for (uint32_t i = 0; i < count; i++) {
    ends(l, i, &from, &target);
    all += from != UINT32_MAX;
  }
  (*start)[n] = all;
  return 0;
}

/* ---- 1 and 2: layers ------------------------------------------------------------------------------------------------------- */

static void edge_ends(struct layered *l, uint32_t i, uint32_t *from, uint32_t *to) {
  *from = l->d->edge[i].from == l->d->edge[i].to ? UINT32_MAX : l->d->edge[i].from;
  *to = i; /* the edge itself */
}

static int longest_paths(struct layered *l) {
  struct draw *d = l->d;
  uint32_t n = d->nodes, *out = NULL, *start = NULL, *stack = get(l, n, sizeof *stack), *next = get(l, n, sizeof *next), *order = get(l, n, sizeof *order), *in = get(l, n, sizeof *in);
  uint8_t *colour = get(l, n, 1);
  int bad = !stack || !next || !order || !in || !colour || rows(l, n, d->edges, &out, &start, edge_ends) ? -1 : 0;
  uint32_t done = n;
  for (uint32_t i = 0; i < d->edges && !bad; i++)
    if (d->edge[i].from != d->edge[i].to) in[d->edge[i].to]++;
  /* Sources first, then whatever is left, in the order of numbers. */
  for (uint32_t round = 0; round < 2 && !bad; round++)
    for (uint32_t root = 0; root < n; root++) {
      uint32_t height = 0;
      if (colour[root] || (round == 0 && in[root])) continue;
      stack[height++] = root;
      colour[root] = 1;
      next[root] = start[root];
      while (height) {
        uint32_t v = stack[height - 1];
        if (next[v] == start[v + 1]) {
          colour[v] = 2;
          order[--done] = v;
          height--;
          continue;
        }
        uint32_t edge = out[next[v]++], to = d->edge[edge].to;
        if (colour[to] == 1) l->turned[edge] = 1;
        if (colour[to]) continue;
        colour[to] = 1;
        next[to] = start[to];
        stack[height++] = to;
      }
    }
  /* `order` is topological but for the turned edges, whose ends are on one path of the others: those need no look. */
  for (uint32_t i = 0; i < n && !bad; i++) d->node[i].layer = in[i] = 0;
  for (uint32_t i = 0; i < n && !bad; i++) {
    uint32_t v = order[i];
    for (uint32_t k = start[v]; k < start[v + 1]; k++) {
      struct draw_node *to = &d->node[d->edge[out[k]].to];
      if (l->turned[out[k]]) continue;
      in[d->edge[out[k]].to]++;
      if (to->layer < d->node[v].layer + 1) to->layer = d->node[v].layer + 1;
    }
  }
  /* Nodes that nothing holds above go down to their nearest successor. */
  for (uint32_t v = 0; v < n && !bad; v++) {
    int64_t nearest = INT64_MAX;
    for (uint32_t k = start[v]; k < start[v + 1]; k++)
      if (!l->turned[out[k]] && d->node[d->edge[out[k]].to].layer < nearest) nearest = d->node[d->edge[out[k]].to].layer;
    if (!in[v] && nearest != INT64_MAX) d->node[v].layer = nearest - 1;
  }
  mem_free(l->mem, stack);
  mem_free(l->mem, next);
  mem_free(l->mem, order);
  mem_free(l->mem, in);
  mem_free(l->mem, colour);
  mem_free(l->mem, out);
  mem_free(l->mem, start);
  return bad;
}

/* Edges lead down from now on; those within a layer are nobody's. */
static void turn_upward(struct layered *l) {
  struct draw *d = l->d;
  for (uint32_t i = 0; i < d->edges; i++) l->turned[i] = d->node[d->edge[i].from].layer > d->node[d->edge[i].to].layer;
}

/* ---- 3: chains ------------------------------------------------------------------------------------------------------------- */

static uint32_t span(const struct layered *l, uint32_t edge) {
  int64_t s = l->d->node[l->d->edge[edge].to].layer - l->d->node[l->d->edge[edge].from].layer;
  return (uint32_t)(s < 0 ? -s : s);
}

static void link_up(struct layered *l, uint32_t i, uint32_t *from, uint32_t *to) { *from = l->link[i].low, *to = l->link[i].up; }
static void link_down(struct layered *l, uint32_t i, uint32_t *from, uint32_t *to) { *from = l->link[i].up, *to = l->link[i].low; }

static int make_chains(struct layered *l) {
  struct draw *d = l->d;
  uint64_t knots = d->nodes, links = 0;
  for (uint32_t i = 0; i < d->edges; i++) {
    uint32_t s = span(l, i);
    l->chain[i] = UINT32_MAX;
    if (s > 1 && knots + s - 1 <= MOST_KNOTS + (uint64_t)d->nodes) l->chain[i] = 0, knots += s - 1, links += s;
    else links += s == 1;
  }
  l->knots = (uint32_t)knots;
  l->links = (uint32_t)links;
  if (!(l->layer = get(l, knots, sizeof *l->layer)) || !(l->place = get(l, knots, sizeof *l->place)) || !(l->at = get(l, knots, sizeof *l->at)) || !(l->half = get(l, knots, sizeof *l->half)) ||
      !(l->row = get(l, knots, sizeof *l->row)) || !(l->best = get(l, knots, sizeof *l->best)) || !(l->link = get(l, links, sizeof *l->link)) || !(l->weight = get(l, knots, sizeof *l->weight)) ||
      !(l->sum = get(l, knots, sizeof *l->sum)) || !(l->size = get(l, knots, sizeof *l->size)))
    return -1;
  for (uint32_t i = 0; i < d->nodes; i++) {
    l->layer[i] = (uint32_t)d->node[i].layer;
    l->half[i] = d->node[i].width / 2;
    if (l->layer[i] >= l->layers) l->layers = l->layer[i] + 1;
  }
  uint32_t knot = d->nodes, link = 0;
  for (uint32_t i = 0; i < d->edges; i++) {
    uint32_t up = l->turned[i] ? d->edge[i].to : d->edge[i].from, low = l->turned[i] ? d->edge[i].from : d->edge[i].to, s = span(l, i);
    if (s == 1) l->link[link++] = (struct link){up, low};
    if (l->chain[i] == UINT32_MAX) continue;
    l->chain[i] = knot;
    uint32_t last = up;
    for (uint32_t k = 1; k < s; k++) {
      l->layer[knot] = l->layer[up] + k;
      l->half[knot] = 2;
      l->link[link++] = (struct link){last, knot};
      last = knot++;
    }
    l->link[link++] = (struct link){last, low};
  }
  return rows(l, l->knots, l->links, &l->above, &l->above_start, link_up) || rows(l, l->knots, l->links, &l->below, &l->below_start, link_down) ? -1 : 0;
}

/* ---- 4: order -------------------------------------------------------------------------------------------------------------- */

static int first_order(struct layered *l) {
  l->row_start = get(l, (size_t)l->layers + 1, sizeof *l->row_start);
  uint32_t *fill = get(l, l->layers, sizeof *fill), *queue = get(l, l->knots, sizeof *queue);
  uint8_t *seen = get(l, l->knots, 1);
  int bad = l->row_start && fill && queue && seen ? 0 : -1;
  for (uint32_t i = 0; i < l->knots && !bad; i++) l->row_start[l->layer[i] + 1]++;
  for (uint32_t i = 0; i < l->layers && !bad; i++) l->row_start[i + 1] += l->row_start[i], fill[i] = l->row_start[i];
  /* What belongs together comes together: one component after the other, each breadth-first. */
  for (uint32_t root = 0; root < l->knots && !bad; root++) {
    uint32_t head = 0, tail = 0;
    if (seen[root]) continue;
    seen[queue[tail++] = root] = 1;
    while (head < tail) {
      uint32_t v = queue[head++];
      l->row[fill[l->layer[v]]++] = v;
      for (uint32_t k = l->below_start[v]; k < l->below_start[v + 1]; k++)
        if (!seen[l->below[k]]) seen[queue[tail++] = l->below[k]] = 1;
      for (uint32_t k = l->above_start[v]; k < l->above_start[v + 1]; k++)
        if (!seen[l->above[k]]) seen[queue[tail++] = l->above[k]] = 1;
    }
  }
  mem_free(l->mem, fill);
  mem_free(l->mem, queue);
  mem_free(l->mem, seen);
  return bad;
}

static void number_places(struct layered *l) {
  for (uint32_t r = 0; r < l->layers; r++)
    for (uint32_t i = l->row_start[r]; i < l->row_start[r + 1]; i++) l->place[l->row[i]] = i - l->row_start[r];
}

/* Crossings of links between a layer and the one below: inversions, by a tree of sums. */
static uint64_t crossings(struct layered *l, uint32_t *tree) {
  uint64_t all = 0;
  for (uint32_t r = 0; r + 1 < l->layers; r++) {
    uint32_t width = l->row_start[r + 2] - l->row_start[r + 1], seen = 0;
    memset(tree, 0, ((size_t)width + 1) * sizeof *tree);
    for (uint32_t i = l->row_start[r]; i < l->row_start[r + 1]; i++) {
      uint32_t v = l->row[i];
      for (uint32_t k = l->below_start[v]; k < l->below_start[v + 1]; k++) {
        uint32_t before = 0;
        for (uint32_t p = l->place[l->below[k]] + 1; p; p &= p - 1) before += tree[p];
        all += seen - before;
      }
      for (uint32_t k = l->below_start[v]; k < l->below_start[v + 1]; k++, seen++)
        for (uint32_t p = l->place[l->below[k]] + 1; p <= width; p += p & -p) tree[p]++;
    }
  }
  return all;
}

static void order_row(struct layered *l, uint32_t r, const uint32_t *to, const uint32_t *start) {
  uint32_t *row = l->row + l->row_start[r], n = l->row_start[r + 1] - l->row_start[r];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = row[i], count = start[v + 1] - start[v];
    double sum = 0;
    for (uint32_t k = start[v]; k < start[v + 1]; k++) sum += l->place[to[k]];
    l->at[v] = count ? sum / count : l->place[v];
  }
  for (uint32_t i = 1; i < n; i++) { /* insertion: rows are short and nearly sorted, and equal ones keep their order */
    uint32_t v = row[i], k = i;
    for (; k && l->at[row[k - 1]] > l->at[v]; k--) row[k] = row[k - 1];
    row[k] = v;
  }
  for (uint32_t i = 0; i < n; i++) l->place[row[i]] = i;
}

static int fewest_crossings(struct layered *l) {
  uint32_t *tree = get(l, (size_t)l->knots + 1, sizeof *tree);
  if (!tree) return -1;
  number_places(l);
  uint64_t least = crossings(l, tree);
  memcpy(l->best, l->row, l->knots * sizeof *l->row);
  for (int sweep = 0; sweep < SWEEPS && least; sweep++) {
    if (sweep % 2 == 0)
      for (uint32_t r = 1; r < l->layers; r++) order_row(l, r, l->above, l->above_start);
    else
      for (uint32_t r = l->layers - 1; r-- > 0;) order_row(l, r, l->below, l->below_start);
    uint64_t now = crossings(l, tree);
    if (now >= least) continue;
    least = now;
    memcpy(l->best, l->row, l->knots * sizeof *l->row);
  }
  memcpy(l->row, l->best, l->knots * sizeof *l->row);
  number_places(l);
  mem_free(l->mem, tree);
  return 0;
}

/* ---- 5: places ------------------------------------------------------------------------------------------------------------- */

static double wish(const struct layered *l, uint32_t v, double *weight) {
  double sum = 0, all = 0;
  for (int side = 0; side < 2; side++) {
    const uint32_t *to = side ? l->below : l->above, *start = side ? l->below_start : l->above_start;
    for (uint32_t k = start[v]; k < start[v + 1]; k++) {
      double w = v >= l->d->nodes && to[k] >= l->d->nodes ? CHAIN_WEIGHT : 1;
      sum += w * l->at[to[k]];
      all += w;
    }
  }
  *weight = all > 0 ? all : 0.01;
  return all > 0 ? sum / all : l->at[v];
}

/* A layer as near to its wishes as order and distances allow: x of a knot less what lies left of it at least must not fall. */
static void settle_row(struct layered *l, uint32_t r) {
  const uint32_t *row = l->row + l->row_start[r];
  uint32_t n = l->row_start[r + 1] - l->row_start[r], blocks = 0;
  double left = 0;
  for (uint32_t i = 0; i < n; i++) {
    double w, x;
    if (i) left += l->half[row[i - 1]] + l->half[row[i]] + l->d->gap * (row[i - 1] >= l->d->nodes || row[i] >= l->d->nodes ? 0.6 : 1);
    x = wish(l, row[i], &w) - left;
    l->sum[blocks] = w * x;
    l->weight[blocks] = w;
    l->size[blocks++] = 1;
    while (blocks > 1 && l->sum[blocks - 2] * l->weight[blocks - 1] > l->sum[blocks - 1] * l->weight[blocks - 2]) {
      blocks--;
      l->sum[blocks - 1] += l->sum[blocks];
      l->weight[blocks - 1] += l->weight[blocks];
      l->size[blocks - 1] += l->size[blocks];
    }
  }
  left = 0;
  for (uint32_t b = 0, i = 0; b < blocks; b++)
    for (uint32_t k = 0; k < l->size[b]; k++, i++) {
      if (i) left += l->half[row[i - 1]] + l->half[row[i]] + l->d->gap * (row[i - 1] >= l->d->nodes || row[i] >= l->d->nodes ? 0.6 : 1);
      l->at[row[i]] = l->sum[b] / l->weight[b] + left;
    }
}

static void settle(struct layered *l) {
  struct draw *d = l->d;
  for (uint32_t r = 0; r < l->layers; r++) {
    double x = 0;
    for (uint32_t i = l->row_start[r]; i < l->row_start[r + 1]; i++) {
      uint32_t v = l->row[i];
      l->at[v] = x + l->half[v];
      x += 2 * l->half[v] + d->gap;
    }
    for (uint32_t i = l->row_start[r]; i < l->row_start[r + 1]; i++) l->at[l->row[i]] -= x / 2; /* rows begin in the middle */
  }
  for (int pass = 0; pass < PASSES; pass++) {
    if (pass % 2 == 0)
      for (uint32_t r = 0; r < l->layers; r++) settle_row(l, r);
    else
      for (uint32_t r = l->layers; r-- > 0;) settle_row(l, r);
  }
}

static int finish(struct layered *l) {
  struct draw *d = l->d;
  double *middle = get(l, l->layers, sizeof *middle), least = 0, most = 0, y = 0;
  if (!middle) return -1;
  for (uint32_t v = 0; v < l->knots; v++) {
    if (v == 0 || l->at[v] - l->half[v] < least) least = l->at[v] - l->half[v];
    if (v == 0 || l->at[v] + l->half[v] > most) most = l->at[v] + l->half[v];
  }
  for (uint32_t r = 0; r < l->layers; r++) {
    double height = 0;
    for (uint32_t i = l->row_start[r]; i < l->row_start[r + 1]; i++)
      if (l->row[i] < d->nodes && d->node[l->row[i]].height > height) height = d->node[l->row[i]].height;
    middle[r] = y + height / 2;
    y += height + d->layer_gap;
  }
  d->width = most - least;
  d->height = l->layers ? y - d->layer_gap : 0;
  for (uint32_t v = 0; v < d->nodes; v++) d->node[v].x = l->at[v] - least, d->node[v].y = middle[l->layer[v]];
  int bad = 0;
  for (uint32_t i = 0; i < d->edges && !bad; i++) {
    struct draw_edge *e = &d->edge[i];
    uint32_t s = span(l, i);
    e->bend = d->points.count;
    e->bends = l->chain[i] == UINT32_MAX || s < 2 ? 0 : s - 1;
    for (uint32_t k = 0; k < e->bends && !bad; k++) {
      uint32_t knot = l->chain[i] + (l->turned[i] ? (uint32_t)e->bends - 1 - k : k);
      bad = vec_push(&d->points, l->mem, MEM_OTHER, (struct draw_point){l->at[knot] - least, middle[l->layer[knot]]});
    }
  }
  mem_free(l->mem, middle);
  return bad;
}

int draw_layers(struct draw *d) {
  struct layered l = {.d = d, .mem = d->mem};
  int bad = 0;
  d->points.count = 0;
  d->width = d->height = 0;
  if (!d->nodes) return 0;
  l.turned = get(&l, d->edges, 1);
  l.chain = get(&l, d->edges, sizeof *l.chain);
  bad = l.turned && l.chain ? 0 : -1;
  if (!bad && d->node[0].layer < 0) bad = longest_paths(&l);
  if (!bad) turn_upward(&l);
  if (!bad) bad = make_chains(&l);
  if (!bad) bad = first_order(&l);
  if (!bad) bad = fewest_crossings(&l);
  if (!bad) settle(&l);
  if (!bad) bad = finish(&l);
  void *all[] = {l.turned, l.chain, l.layer, l.place, l.at, l.half, l.row, l.row_start, l.best, l.link, l.above, l.above_start, l.below, l.below_start, l.weight, l.sum, l.size};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(l.mem, all[i]);
  return bad;
}
