/* pt_build.h -- what the files that make a net share; nobody else includes it. */
#ifndef NET_PT_BUILD_H
#define NET_PT_BUILD_H

#include "base/vec.h"
#include "net/names.h"
#include "net/pt.h"

/* Numbers the names of a net whose ids and names are in place. 0, or -1: memory. */
int pt_index_make(struct pt_net *);

/* Nested units as read: texts are numbers in `ids`; lists of all units lie in one array. */
struct nupn_unit {
  uint32_t id;                       /* in nupn.ids */
  uint32_t places_end, subunits_end; /* in nupn.places and nupn.subunits; each begins where the one before ends */
};
struct nupn {
  struct names ids;
  struct vec(struct nupn_unit) units;
  struct vec(uint32_t) places;   /* node symbols of the builder, then (resolved) place numbers, PT_NONE = no place */
  struct vec(uint32_t) subunits; /* in ids */
  uint32_t root;                 /* in ids, NAMES_NONE = no NUPN part seen */
  int safe;
};
/* Checks the units and moves them into the net; whatever is wrong with them goes to net->nupn_problem and the
   net stays without units. 0, or -1: memory. */
int pt_nupn_finish(struct nupn *, struct pt_net *);

#endif
