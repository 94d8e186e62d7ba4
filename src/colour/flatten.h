/* flatten.h -- page instances, and which of their places are one place.
 *
 * A node is a place of a page instance.  Nodes that ports, sockets and fusion sets join are one place of the flat net. */
#ifndef COLOUR_FLATTEN_H
#define COLOUR_FLATTEN_H

#include "colour/drawing.h"

enum { FLAT_DEPTH = 200, FLAT_INSTANCES = 20000, FLAT_NODES = 1000000 };

struct flat_instance {
  uint32_t page;   /* in the drawing */
  uint32_t number; /* of this page, from 1, in the order in which people meet them: a page before its subpages */
  uint32_t parent; /* the instance above it; its own index: it is on top */
  uint32_t depth;
  uint32_t node; /* of its first place */
};

struct flat {
  struct mem *mem;
  struct vec(struct flat_instance) instances;
  struct vec(uint32_t) node_place;     /* per node: the flat place that it is a part of */
  struct vec(uint32_t) node_instance;  /* per node */
  struct vec(uint8_t) node_glued;      /* per node: a port that has a socket, which speaks for it */
  struct vec(uint32_t) place_node;     /* per flat place: the node that names it, the first one */
};

int flatten(struct flat *, const struct drawing *, struct mem *, struct err *);
void flat_close(struct flat *);

/* The place of the drawing that a node is. */
static inline const struct drawing_place *flat_drawn(const struct flat *f, const struct drawing *d, uint32_t node) {
  const struct flat_instance *i = &f->instances.at[f->node_instance.at[node]];
  return &d->pages.at[i->page].places.at[node - i->node];
}

/* A name as CPN Tools writes it in reports: ends trimmed, white space within it as one underscore. Returns out. */
char *flat_clean_name(char *out, size_t room, const char *name, size_t length);

#endif
