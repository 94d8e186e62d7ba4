/* drawing.h -- a coloured net as it was drawn: pages, places, transitions, arcs, all inscriptions still text.
 *
 * Every language for coloured nets becomes a drawing (front/cpn from CPN Tools' XML, front/cpnt from text, front/pnml from
 * symmetric nets), and is written from one.  colour/flatten.c makes of it the flat net that is explored: one place for each
 * instance of a page, sockets and ports glued, fusion sets one place.
 *
 * Hierarchy as in CPN Tools.  A substitution transition stands for a page (`subpage`): its sockets (places that arcs
 * join to it) are the ports of that page, as `port` pairs say.  Pages that no substitution transition uses are on top; each has
 * one instance.  Pages must not contain themselves.
 *
 * Everything lives in the arena of the drawing and dies with it.  Texts may hold anything; places tell line and column in the
 * file. */
#ifndef COLOUR_DRAWING_H
#define COLOUR_DRAWING_H

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdint.h>

struct drawing_text { /* an inscription; length 0 = there is none */
  const char *text;
  size_t length;
  struct place_in_text place;
};

struct drawing_position { /* as drawn, y upwards; known 0 = nobody said */
  double x, y, width, height;
  int known;
};

enum drawing_port { DRAWING_NO_PORT, DRAWING_IN, DRAWING_OUT, DRAWING_BOTH };

struct drawing_place {
  const char *id, *name; /* id: unique in the file; name: what people call it, made unique on its page if need be */
  struct drawing_text colset, initial;
  enum drawing_port port;
  const char *port_name;
  const char *fusion; /* name of its fusion set; NULL = none */
  struct drawing_position at;
  struct place_in_text place;
};

struct drawing_pair { /* a socket of the page above, a port of the page below: ids */
  const char *socket, *port;
};

struct drawing_transition {
  const char *id, *name;
  struct drawing_text guard, delay, code,
      channel, priority; /* as written, without CPN Tools' decorations: guard without the outer [ ] only if it is one condition */
  uint8_t owned;       /* of games: 0, or 1 + who owns it (model/owners.h) where the file says so */
  const char *subpage; /* id of a page: a substitution transition; NULL = an ordinary one */
  struct vec(struct drawing_pair) pairs;
  struct drawing_position at;
  struct place_in_text text_place;
};

enum drawing_arc_kind {
  DRAWING_TO_TRANSITION,
  DRAWING_TO_PLACE,
  DRAWING_TEST /* both ways with one inscription */,
  DRAWING_INHIBITOR,
  DRAWING_RESET
};

struct drawing_arc {
  const char *id;
  uint32_t at_place, at_transition; /* indexes on the page */
  enum drawing_arc_kind kind;
  struct drawing_text inscription;
  struct vec(struct drawing_position) bends;
  struct place_in_text place;
};

struct drawing_page {
  const char *id, *name;
  struct vec(struct drawing_place) places;
  struct vec(struct drawing_transition) transitions;
  struct vec(struct drawing_arc) arcs;
  struct place_in_text place;
};

/* A declaration as text: "colset INT = int;", "var x, y : INT;", "fun f ...". XML that says it in elements is written out. */
struct drawing_declaration {
  struct drawing_text text;
  const char *block; /* the name of the box that it stands in; NULL = none */
};

/* What people see instead of the constants of an enumeration, in its order. */
struct drawing_shown {
  const char *colset;
  const char *const *constant;
};

struct drawing {
  struct mem *mem;
  struct arena arena;
  const char *file, *name;
  struct vec(struct drawing_declaration) declarations;
  struct vec(struct drawing_shown) shown;
  struct vec(struct drawing_page) pages;
  const char *missing; /* a file of declarations that was left out; NULL = none */
  int real_time; /* model time is real */
  const char *note; /* why this is how the model is explored, for people; NULL = nothing to say */
  int symmetric; /* drawn by redraw.c: one page that nobody has named; names stand without it, ids are names as well */
};

int drawing_open(struct drawing **out, struct mem *, const char *file, struct err *);
void drawing_close(struct drawing *);

#endif
