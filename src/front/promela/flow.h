/* flow.h -- the control flow of a process type: elements and the transitions between them. */
#ifndef FRONT_PROMELA_FLOW_H
#define FRONT_PROMELA_FLOW_H

#include "front/promela/parse.h"

enum element_status {
  IN_ATOMIC = 2,   /* the process keeps control after it */
  LAST_ATOMIC = 4, /* it is the last of an atomic chain */
  IN_DSTEP = 32,
  PUT = 1, /* automaton.c has been here */
};

struct element { /* one statement, or a place where control comes together: a candidate for a control state */
  struct stmt *stmt;
  enum stmt_kind kind;
  struct element *next;
  struct branch *sub;        /* options of if and do; unless: the normal sequence and the escape */
  struct strand *body;       /* atomic, d_step, block */
  struct branch *escapes;    /* newest first */
  struct flow_label *labels; /* newest first */
  unsigned status;
  unsigned marks;  /* ir_state_flag from labels */
  uint32_t number; /* from 1, in the order of making */
  struct element *older;
  /* automaton.c */
  struct edge *edges;
  struct element **escape_to; /* where its escapes begin, in the order of `escapes` */
  unsigned escape_count;
  int choice; /* edges lead to options and are still to be replaced by their transitions */
  int reached;
  uint32_t state; /* of the program, 1 + number */
};

struct strand { /* a sequence of elements through `next`, from first to last */
  struct element *first, *last;
  struct element *extent; /* its last when it was closed, before the place where options meet was added */
};

struct branch {
  struct strand *strand;
  struct branch *next;
};

struct flow_label {
  struct symbol *symbol;
  struct element *element;
  struct flow_label *next;  /* of the same element */
  struct flow_label *older; /* of the same process type */
};

struct edge {             /* a transition */
  struct element *source; /* whose statement it runs; NULL: none, it only leads to `to` */
  struct element *to;     /* NULL: the end of the process */
  int atomic;
  uint32_t escape; /* number of the element where the escape begins; 0 = none */
  struct edge *next;
};

struct flow {
  struct parser *parser;
  struct proc_text *proc;
  struct strand *body, *current;
  struct element *newest;
  struct flow_label *labels;
  uint32_t count; /* of elements */
  struct element *start;
  int failed;
};

/* flow.c */
struct element *flow_target(struct flow *, const struct stmt *jump); /* of a goto or break; NULL after telling */
struct element *flow_hunt(struct flow *, struct element *, unsigned status);
struct element *flow_hunt_start(struct flow *, struct element *);

/* automaton.c: the transitions of every element, as lists in edges; fills start. */
void automaton_build(struct flow *);

#endif
