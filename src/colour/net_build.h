/* net_build.h -- shared by the files that make a flat net. */
#ifndef COLOUR_NET_BUILD_H
#define COLOUR_NET_BUILD_H

#include "colour/net.h"

enum { NET_REFERENCE = 0x40000000 }; /* in the place of an arc: the number of a reference of the net (net_references.c) */

/* A transition of a page, checked once for all instances: arcs tell places of the page. */
struct net_prototype {
  uint32_t on_page; /* its index there */
  const struct drawing_transition *drawn;
  const char *where;                /* "page P, transition T" */
  struct ml_text code;              /* of the action: the whole of it, and where it stands */
  const char *refused;              /* why that must not be run, if it gives nothing back; NULL = it may */
  const char *writes;               /* a call in it that is left out, likewise; NULL = none */
  const struct ml_colset **colset;  /* per place of the page */
  struct net_transition transition;
  struct vec(struct net_arc) arcs;
  int left_out;                     /* it never occurs: a code segment that cannot be run (net_leave_out) */
};

struct net_builder {
  struct net *net;
  const struct colour_setup *setup;
  struct err *e;
  const struct drawing_page *page; /* whose transitions are being checked */
  const struct ml_colset **colset; /* per place of it */
  int normal_known;  /* what P_NORMAL is has been found out, once for all transitions: */
  int64_t normal;
  uint32_t *first_arc, *next_arc; /* of each transition of the page, in their order; UINT32_MAX = no more */
  struct vec(struct net_prototype) prototypes;
  const char *writes; /* a call that is left out; NULL = none */
  int lacks;          /* what was refused last is none of CPN ML, and works elsewhere (ml_lacks) */
};

/* "page P, transition T": kept with the net; NULL: memory. */
const char *net_where(struct net_builder *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Keeps a warning, formatted like printf. 0, or -1 with err. */
int net_warn(struct net_builder *, struct place_in_text, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Something cannot be understood that lacks something (ml_lacks). Who draws is content with the rest (colour.h): the error becomes a warning that ends with `what`. 0 or -1. */
int net_leave_out(struct net_builder *, const char *what);
/* The colour set of a place as drawn. NULL: err. */
const struct ml_colset *net_colset(struct net_builder *, const struct drawing_page *, const struct drawing_place *);
/* net_transition.c: fills `prototypes` with those of builder->page; nothing is compiled yet. */
int net_check_page(struct net_builder *);
/* Gives the variables of the expression numbers within the transition; `after`: as ml_compile_after. mask NULL: nobody asks which. 0 or -1. */
int net_admit(struct net_builder *, struct net_prototype *, const struct ml_expr *, uint64_t after, uint64_t *mask);
/* net_references.c: makes places of references, and compiles all prototypes. */
int net_finish(struct net_builder *);
void net_forget_prototypes(struct net_builder *);

#endif
