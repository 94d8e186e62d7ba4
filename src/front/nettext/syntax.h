/* syntax.h -- a .net text as it was declared, before it becomes a net: what parse.c fills and
 * build.c turns into a net.  Nobody else includes it. */
#ifndef FRONT_NETTEXT_SYNTAX_H
#define FRONT_NETTEXT_SYNTAX_H

#include "base/vec.h"
#include "front/front.h"
#include "front/nettext/lexer.h"
#include "net/names.h"
#include "net/pt.h"

struct node {
  uint32_t line, column; /* where declared, or where first mentioned */
  uint32_t initial;
  float x, y;
  const char *label;
  uint8_t owned; /* transitions, of games: 0, or 1 + the owner */
  uint8_t declared, implied, marked, positioned; /* implied: TINA's way, a place is declared by an arc to it */
};

struct nodes { /* the places, or the transitions: each has its own name space */
  struct names names;
  struct vec(struct node) list; /* by number of the name */
  struct vec(uint32_t) order;   /* the declared ones as they come */
};

struct flow { /* an arc of a transition */
  uint32_t place, transition, weight;
  uint32_t line, column;
  uint8_t gives; /* from the transition to the place */
};

struct word {
  const char *text;
  size_t length;
};

struct loose_arc { /* `arc a -> b`: who is the place is known at the end */
  struct word source, target;
  uint32_t weight, line, column;
};

struct loose_label { /* TINA's lb */
  struct word node;
  const char *label;
  uint32_t line, column;
};

struct loose_owner { /* `uncontrollable t`: a transition that may be declared later */
  struct word node;
  uint8_t owned;
  uint32_t line, column;
};

struct nettext {
  const struct front_setup *setup;
  struct err *err;
  struct arena arena;
  struct lexer lexer;
  struct token now, next; /* the token looked at, and the one after it */
  struct nodes places, transitions;
  struct vec(struct flow) flows;
  struct vec(struct loose_arc) arcs;
  struct vec(struct loose_label) labels;
  struct vec(struct loose_owner) owners;
  struct names constants;
  struct vec(uint32_t) constant_values;
  struct pt_builder *builder; /* gets name and units at once */
  struct place_in_text units_at;
};

/* The number of a name among nodes; NAMES_NONE with err. */
uint32_t nettext_node(struct nettext *, struct nodes *, const char *text, size_t length, long line, long column);
int nettext_parse(struct nettext *);
int nettext_build(struct nettext *, struct pt_net **out);
int nettext_memory(struct nettext *);

#endif
