/* draw.h -- where to put the nodes of a directed graph, so that people can follow its edges: layers from top to bottom.
 *
 * For nets whose file has no positions, and for the state graph.  The same graph always gets the same drawing.  Made for up to
 * about a thousand nodes; the time is that of a few dozen sorts of the nodes. */
#ifndef EXPLORE_DRAW_H
#define EXPLORE_DRAW_H

#include "base/mem.h"
#include "base/vec.h"

#include <stdint.h>

struct draw_node {
  double width, height; /* in: how much room it needs */
  int64_t layer;        /* in: -1 = anywhere (then of all nodes), or its layer from 0; out: its layer */
  double x, y;          /* out: its middle; y grows downwards */
};

struct draw_point {
  double x, y;
};

struct draw_edge {
  uint32_t from, to;
  size_t bend, bends; /* out: points between its ends, in draw.points, from `from` to `to` */
};

struct draw {
  struct mem *mem;
  struct draw_node *node;
  uint32_t nodes;
  struct draw_edge *edge;
  uint32_t edges;
  double gap, layer_gap;                 /* in: least room between neighbours, and between layers */
  struct vec(struct draw_point) points; /* out: close it with vec_free */
  double width, height;                  /* out: everything lies within 0..width, 0..height */
};

int draw_layers(struct draw *); /* 0, or -1: memory */
/* For graphs that run in circles: nodes lie apart as the ways between them are long, an edge being layer_gap long; edges are straight (draw_stress.c). 0, or -1: memory */
int draw_stress(struct draw *);

#endif
