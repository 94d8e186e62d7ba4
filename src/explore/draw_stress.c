/* draw_stress.c -- drawings of graphs that run in circles: see draw.h.
 *
 * Two nodes shall lie as far apart as the shortest way between them is long.  Where everything flows in one direction layers tell more; but a net whose tokens
 * come back to where they began becomes a thin strip in layers, and a ring here.
 *
 *   start    classical scaling: the two main directions of the table of squared distances, by power iteration
 *   settle   stress majorisation (Gansner, Koren and North, 2004), one node after the other
 *   part     nodes that touch each other are pushed apart, a little at a time
 *   pack     components, each drawn by itself, side by side in rows
 *
 * Everything is done in a fixed order and from fixed beginnings: the same graph gets the same drawing.  Time and memory grow with the square of the nodes. */
#include "explore/draw.h"

#include <math.h>
#include <string.h>

enum { POWER = 60, SETTLE = 120, PART = 200 };

struct stress {
  struct draw *d;
  uint32_t *start, *to; /* neighbours, in both directions */
  uint32_t *component;  /* per node */
  uint32_t components;
  uint16_t *far;   /* ways between the nodes of the component at hand */
  uint32_t *member; /* nodes of it */
  uint32_t n;
  uint32_t *queue;
  double *v, *w;
  double edge; /* how long an edge should be */
};

static void neighbours(struct stress *s) {
  struct draw *d = s->d;
  for (uint32_t i = 0; i < d->edges; i++) s->start[d->edge[i].from + 1]++, s->start[d->edge[i].to + 1]++;
  for (uint32_t i = 0; i < d->nodes; i++) s->start[i + 1] += s->start[i];
  memcpy(s->queue, s->start, d->nodes * sizeof *s->queue);
  for (uint32_t i = 0; i < d->edges; i++) {
    s->to[s->queue[d->edge[i].from]++] = d->edge[i].to;
    s->to[s->queue[d->edge[i].to]++] = d->edge[i].from;
  }
}

static void find_components(struct stress *s) {
  struct draw *d = s->d;
  memset(s->component, 0xff, d->nodes * sizeof *s->component);
  for (uint32_t root = 0; root < d->nodes; root++) {
    uint32_t head = 0, tail = 0;
    if (s->component[root] != UINT32_MAX) continue;
    s->component[s->queue[tail++] = root] = s->components;
    while (head < tail) {
      uint32_t v = s->queue[head++];
      for (uint32_t k = s->start[v]; k < s->start[v + 1]; k++)
        if (s->component[s->to[k]] == UINT32_MAX) s->component[s->queue[tail++] = s->to[k]] = s->components;
    }
    s->components++;
  }
}

/* Shortest ways within the component. The layer of a node, which has no other use here, is its place among the members. */
static void find_ways(struct stress *s) {
  struct draw *d = s->d;
  for (uint32_t i = 0; i < s->n; i++) d->node[s->member[i]].layer = i;
  for (uint32_t i = 0; i < s->n; i++) {
    uint16_t *row = s->far + (size_t)i * s->n;
    uint32_t head = 0, tail = 0;
    memset(row, 0xff, s->n * sizeof *row);
    row[i] = 0;
    s->queue[tail++] = s->member[i];
    while (head < tail) {
      uint32_t v = s->queue[head++], at = row[d->node[v].layer];
      for (uint32_t k = s->start[v]; k < s->start[v + 1]; k++) {
        uint16_t *far = &row[d->node[s->to[k]].layer];
        if (*far != UINT16_MAX) continue;
        *far = (uint16_t)(at + 1 < UINT16_MAX - 1 ? at + 1 : UINT16_MAX - 1);
        s->queue[tail++] = s->to[k];
      }
    }
  }
}

static double far(const struct stress *s, uint32_t i, uint32_t k) { return s->far[(size_t)i * s->n + k] * s->edge; }

/* v becomes the main direction of the centred table, at right angles to `other` (NULL = there is none yet). */
static void main_direction(struct stress *s, double *v, const double *other) {
  uint32_t n = s->n;
  for (uint32_t i = 0; i < n; i++) v[i] = cos(1.0 + (other ? 2.3 : 1.7) * i);
  for (int round = 0; round < POWER; round++) {
    double mean = 0, along = 0, square = 0, length = 0;
    for (uint32_t i = 0; i < n; i++) mean += v[i] / n;
    for (uint32_t i = 0; i < n; i++) v[i] -= mean;
    for (uint32_t i = 0; other && i < n; i++) along += v[i] * other[i], square += other[i] * other[i];
    for (uint32_t i = 0; other && i < n && square > 0; i++) v[i] -= along / square * other[i];
    for (uint32_t i = 0; i < n; i++) {
      double sum = 0;
      for (uint32_t k = 0; k < n; k++) sum -= far(s, i, k) * far(s, i, k) * v[k] / 2;
      s->w[i] = sum;
    }
    mean = 0;
    for (uint32_t i = 0; i < n; i++) mean += s->w[i] / n;
    for (uint32_t i = 0; i < n; i++) s->w[i] -= mean, length += s->w[i] * s->w[i];
    length = sqrt(length);
    for (uint32_t i = 0; i < n && length > 0; i++) v[i] = s->w[i] / length;
  }
}

static void begin(struct stress *s, double *x, double *y) {
  double size = s->edge * sqrt((double)s->n);
  main_direction(s, x, NULL);
  main_direction(s, y, x);
  for (uint32_t i = 0; i < s->n; i++) {
    struct draw_node *node = &s->d->node[s->member[i]];
    node->x = x[i] * size + 0.01 * i; /* nodes that are alike do not begin in one place */
    node->y = y[i] * size + 0.013 * (i % 7);
  }
}

static void settle(struct stress *s) {
  struct draw_node *node = s->d->node;
  for (int round = 0; round < SETTLE; round++)
    for (uint32_t i = 0; i < s->n; i++) {
      struct draw_node *a = &node[s->member[i]];
      double x = 0, y = 0, weights = 0;
      for (uint32_t k = 0; k < s->n; k++) {
        const struct draw_node *b = &node[s->member[k]];
        double want = far(s, i, k), dx = a->x - b->x, dy = a->y - b->y, is = sqrt(dx * dx + dy * dy), weight;
        if (i == k) continue;
        weight = 1 / (want * want);
        if (is < 1e-6) dx = 1, dy = 0, is = 1;
        x += weight * (b->x + want * dx / is);
        y += weight * (b->y + want * dy / is);
        weights += weight;
      }
      if (weights > 0) a->x = x / weights, a->y = y / weights;
    }
}

/* Pushes boxes that touch apart, along the way that is shorter. */
static void part(struct stress *s) {
  struct draw *d = s->d;
  for (int round = 0, touched = 1; round < PART && touched; round++) {
    touched = 0;
    for (uint32_t i = 0; i < s->n; i++)
      for (uint32_t k = i + 1; k < s->n; k++) {
        struct draw_node *a = &d->node[s->member[i]], *b = &d->node[s->member[k]];
        double dx = b->x - a->x, dy = b->y - a->y;
        double over_x = (a->width + b->width) / 2 + d->gap - fabs(dx), over_y = (a->height + b->height) / 2 + d->gap - fabs(dy);
        if (over_x <= 0 || over_y <= 0) continue;
        touched = 1;
        if (over_x < over_y) a->x -= (dx < 0 ? -1 : 1) * over_x * 0.3, b->x += (dx < 0 ? -1 : 1) * over_x * 0.3;
        else a->y -= (dy < 0 ? -1 : 1) * over_y * 0.3, b->y += (dy < 0 ? -1 : 1) * over_y * 0.3;
      }
  }
}

struct frame {
  double left, top, right, bottom;
};

static struct frame frame_of(const struct stress *s) {
  struct frame f = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (uint32_t i = 0; i < s->n; i++) {
    const struct draw_node *a = &s->d->node[s->member[i]];
    f.left = fmin(f.left, a->x - a->width / 2), f.right = fmax(f.right, a->x + a->width / 2);
    f.top = fmin(f.top, a->y - a->height / 2), f.bottom = fmax(f.bottom, a->y + a->height / 2);
  }
  return f;
}

int draw_stress(struct draw *d) {
  struct mem *mem = d->mem;
  size_t n = d->nodes;
  struct stress s = {.d = d, .edge = d->layer_gap};
  s.start = mem_alloc(mem, MEM_OTHER, (n + 2) * sizeof *s.start);
  s.to = mem_alloc(mem, MEM_OTHER, (2 * (size_t)d->edges + 1) * sizeof *s.to);
  s.component = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *s.component);
  s.member = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *s.member);
  s.queue = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *s.queue);
  s.far = mem_alloc(mem, MEM_OTHER, (n * n + 1) * sizeof *s.far);
  s.w = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *s.w);
  s.v = mem_alloc(mem, MEM_OTHER, (2 * n + 1) * sizeof *s.v);
  int bad = s.start && s.to && s.component && s.member && s.queue && s.far && s.w && s.v ? 0 : -1;
  double x = 0, y = 0, high = 0, wide = 0, row = 1.6 * s.edge * sqrt((double)n + 1);
  if (!bad) {
    neighbours(&s);
    find_components(&s);
  }
  for (uint32_t c = 0; c < s.components && !bad; c++) {
    s.n = 0;
    for (uint32_t i = 0; i < n; i++)
      if (s.component[i] == c) s.member[s.n++] = i;
    find_ways(&s);
    begin(&s, s.v, s.v + n);
    settle(&s);
    part(&s);
    struct frame f = frame_of(&s);
    if (x > 0 && x + f.right - f.left > row) x = 0, y += high + s.edge / 2, high = 0;
    for (uint32_t i = 0; i < s.n; i++) d->node[s.member[i]].x += x - f.left, d->node[s.member[i]].y += y - f.top;
    x += f.right - f.left + s.edge / 2;
    high = fmax(high, f.bottom - f.top);
    wide = fmax(wide, x - s.edge / 2);
  }
  d->width = wide;
  d->height = y + high;
  d->points.count = 0;
  for (uint32_t i = 0; i < d->edges; i++) d->edge[i].bend = d->edge[i].bends = 0;
  for (size_t i = 0; i < n && !bad; i++) d->node[i].layer = 0;
  void *all[] = {s.start, s.to, s.component, s.member, s.queue, s.far, s.w, s.v};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(mem, all[i]);
  return bad;
}
