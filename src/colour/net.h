/* net.h -- the flat coloured net: places, transitions, arcs, inscriptions checked and compiled.
 *
 * A transition speaks of variables of the net; here they have numbers of their own within the transition (at most 64).  Its plan (plan.c) says
 * in which order they are bound.  That order is also the order of edges: bindings are compared variable by variable in the order in which
 * the plan binds them, values by the order of ml/value.h. */
#ifndef COLOUR_NET_H
#define COLOUR_NET_H

#include "colour/colour.h"
#include "colour/flatten.h"
#include "colour/inscription.h"
#include "colour/multisets.h"

enum { NET_VARIABLES = 64, NET_CHOICES = 4096 /* colours of a variable that nothing binds */, NET_NORMAL = 1000 /* priority */, NET_NEEDS = 8 };

struct net_place {
  const char *name; /* Page'Place, with the number of its instance from 2 on */
  const struct ml_colset *colset;
  struct place_in_text at;
  struct bags markings; /* that it has had; 0 is the initial one */
  struct bags effects;  /* what steps take and give; 0 is the empty one */
  int idle;             /* a slice of a place that is in one piece again */
};

struct net_arc {
  uint32_t place;
  enum drawing_arc_kind kind;
  const struct ml_expr *tree; /* NULL: inhibitor and reset arcs */
  const struct ml_code *code;
  struct place_in_text at;
  uint64_t variables; /* of the transition: bits */
};

struct net_condition { /* of a guard */
  const struct ml_expr *tree;
  const struct ml_code *code;
  uint64_t variables;
};

/* What is done to bind the variables, one after the other. */
enum net_step_kind {
  NET_MATCH,  /* pattern with each token of `place` */
  NET_EQUATE, /* pattern with the value of `code` */
  NET_CHOOSE, /* `variable` is any colour of its set */
  NET_TEST,   /* the condition `code` must be true */
};

struct net_step {
  enum net_step_kind kind;
  uint32_t place, variable;
  const struct pattern *pattern;
  const struct ml_code *code;
  int ordered; /* NET_MATCH: the order of tokens is that of what they bind */
  int sure;    /* NET_MATCH: such a token is taken, whatever else */
  int early;   /* NET_MATCH: tokens may be taken before they are ready */
  uint32_t condition; /* NET_TEST: its place in the guard */
};

struct net_transition {
  const char *name;
  int owner; /* of games: OWNER_* of model/owners.h */
  struct place_in_text at;
  uint32_t instance, on_page; /* where it is drawn: the instance (flatten.h), its number on the page */
  uint32_t variables;
  const struct ml_variable *variable[NET_VARIABLES];
  uint32_t arc, arcs;       /* in net.arcs */
  uint32_t condition, conditions;
  int64_t priority;
  const struct ml_code *delay; /* NULL = none */
  const struct ml_code *action; /* of the code segment; NULL = none that matters */
  const struct ml_expr *delay_tree, *action_tree;
  uint32_t outputs, output[NET_VARIABLES]; /* the variables that it binds */
  uint32_t references; /* the last so many of them are references of the net after the step (net_references.c) */
  int draws; /* delay, code segment or arcs to places draw random values: a binding has several outcomes (ml/chance.h) */
  struct vec(struct net_step) plan;
  uint32_t needs, need[NET_NEEDS]; /* places of which every binding takes tokens */
  uint32_t order[NET_VARIABLES]; /* variables in the order in which the plan binds them, outputs last */
};

struct net_warning {
  struct place_in_text at;
  const char *text;
};

struct net {
  struct mem *mem;
  struct arena arena;
  struct drawing *drawing;
  struct flat flat;
  struct ml *ml;
  struct ml_machine *machine;
  uint64_t step_limit; /* of one evaluation */
  struct values values;
  struct vec(struct net_place) places;
  struct vec(struct net_place) slices; /* of large places: slice.h */
  struct vec(struct net_transition) transitions;
  struct vec(struct net_arc) arcs;
  struct vec(struct net_condition) conditions;
  int64_t *reference_place; /* net_reference_place, per reference of the net */
  int timed, real_time, prioritised;
  int early; /* some arc takes tokens before they are ready, x @+ 5: the clock stops between stamps, too */
  struct vec(struct net_warning) warnings;
  ml_value *variable;  /* by number of the net's variables: what code sees */
  bag_words scratch;
};

int net_open(struct net **out, struct drawing *, const struct colour_setup *, struct mem *, struct err *); /* takes over the drawing */
void net_close(struct net *);

/* The numbers of a state: those of places, then the clock if there is time, then those of slices. */
static inline uint32_t net_slice_field(const struct net *net, uint32_t slice) { return (uint32_t)net->places.count + (net->timed != 0) + slice; }
static inline uint32_t net_fields(const struct net *net) { return net_slice_field(net, (uint32_t)net->slices.count); }
static inline struct net_place *net_field_place(const struct net *net, uint32_t field) { /* a place or a slice */
  return field < net->places.count ? &net->places.at[field] : &net->slices.at[field - net_slice_field(net, 0)];
}

/* The places behind these are references of the net (net_references.c). */
static inline uint32_t net_drawn_places(const struct net *net) { return (uint32_t)net->flat.place_node.count; }

int64_t net_reference_place(const struct net *, uint32_t reference); /* -1: it does not change; -2: it does, and is no part of the state */

/* place by name: as in colour.h. -1 unknown, -2 ambiguous. */
int64_t net_find_place(const struct net *, const char *name, size_t length);
int64_t net_find_transition(const struct net *, const char *name, size_t length);

/* The number of a variable within a transition, or -1. */
int net_local(const struct net_transition *, uint32_t variable);
/* Does an arc that takes tokens from the place speak of variables? Only then choosing among equal tokens counts (colour.h: per_token). */
int net_choice(const struct net *, const struct net_transition *, uint32_t place);
/* Runs code with these values (numbers in net->values) for the transition's variables that are in `known`. */
enum ml_answer net_run(struct net *, const struct net_transition *, const struct ml_code *, const uint32_t *env, uint64_t known,
                       int64_t now, ml_value *out);

/* What the code segment's value says of its i-th output. */
static inline ml_value net_output(const struct net_transition *t, ml_value value, uint32_t i) {
  uint32_t own = t->outputs - t->references;
  if (i >= own) return ml_block(value)->field[1 + i - own];
  if (t->references) value = ml_block(value)->field[0];
  return own == 1 ? value : ml_block(value)->field[i];
}

/* plan.c: `tokens` tells how many different colours the places have at a time, as a guess. */
int net_plan(struct net *, struct net_transition *, const uint32_t *tokens, struct err *);

#endif
