/* graph_hear.h -- a condensed graph from what a search tells: NEW, SEEN, EXPANDED and AGAIN. */
#ifndef SEARCH_GRAPH_HEAR_H
#define SEARCH_GRAPH_HEAR_H

#include "search/graph.h"
#include "search/search.h"

/* States get their numbers + `base`; an edge's group is `label` of it (NULL: itself). 0, or -1: memory. */
static inline int graph_hear(struct graph *g, const struct search_event *event, uint64_t base, const uint32_t *label) {
  int edge = event->kind == EVENT_SEEN || (event->kind == EVENT_NEW && event->source != STORE_NONE);
  if (!edge && event->kind != EVENT_EXPANDED) return 0;
  uint64_t row = (edge ? event->source : event->state) + base;
  if (g->telling != row && graph_begin(g, row)) return -1;
  return edge ? graph_edge(g, event->state + base, label ? label[event->group] : event->group) : graph_end(g);
}

#endif
