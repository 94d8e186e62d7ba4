/* symmetry_inside.h -- what symmetry.c, symmetry_facts.c and symmetry_tell.c share: all that is known of the state at hand. */
#ifndef PROCESS_SYMMETRY_INSIDE_H
#define PROCESS_SYMMETRY_INSIDE_H

#include "process/symmetry.h"

#include "process/slice_facts.h"
#include "model/canonical.h"
#include "process/symmetry_view.h"

enum { NOBODY = UINT32_MAX };

struct name_node { /* of a name that occurs in the state at hand */
  uint32_t serial, node;
};

struct move { /* of a node */
  uint32_t node, from;
  uint64_t colour;
};

/* Which names a set of hazards tells apart. States come with few sets: some of them are kept. */
enum { BLOCKS_KEPT = 64, BEYOND_STRICTLY = 2 };
struct blocks {
  uint64_t *ahead;  /* the set */
  uint64_t *colour; /* sorts x SORT_NAMES */
  uint8_t *shared;  /* sorts x SORT_NAMES: there are others of this colour */
  uint8_t *told;    /* per process type: its slots are all different */
  int known, sees_ends;
  int open; /* some sort that is used has several names of a colour */
};

struct symmetry {
  struct model_likeness base;
  struct mem *mem;
  struct symmetry_sorts sorts;
  struct slice_facts facts; /* where `sliced` */
  int sliced;
  struct view view;
  struct canonical canonical;
  uint64_t *ahead; /* hazards of the state at hand */
  struct blocks *kept[BLOCKS_KEPT], *now;
  uint8_t *beyond, *odd; /* per sort: a process of the state at hand has a number, a parameter, that is no name and may be used as an index, or (BEYOND_STRICTLY) become a name */
  /* the state at hand */
  struct machine *m;
  uint32_t serial;
  uint32_t slots, type[MACHINE_SLOTS], node[MACHINE_SLOTS], to[MACHINE_SLOTS]; /* node: NOBODY = at its end; to: its new slot */
  uint8_t ended[MACHINE_SLOTS], gone[MACHINE_SLOTS];                         /* has come to its end; and nobody can see that */
  uint64_t place[MACHINE_SLOTS];                                             /* slots of the same colour make a group */
  uint32_t member[MACHINE_SLOTS], group_end[MACHINE_SLOTS];                  /* slots group by group; where the group that begins there ends */
  uint8_t group_size[MACHINE_SLOTS];                                         /* processes in its group that are not gone */
  uint32_t known_slots;
  uint64_t odd_mark; /* of the sorts that are odd */
  int same;      /* groups are still what they were */
  int something; /* a group has several processes, or somebody is gone */
  struct name_node *named;                                                   /* sorts x SORT_NAMES */
  uint32_t *renamed;                                                         /* likewise: the new name, where `named` or (array) everywhere */
  struct vec(uint32_t) names;                                                /* sort * SORT_NAMES + name of those that are nodes */
  struct vec(uint32_t) object;                                               /* per cell of the heap: node of the object whose header it is */
  struct vec(struct runtime_write) puts;
  struct vec(struct move) moves;
  struct vec(uint32_t) words;
  int moved, renames; /* some process gets another slot; some name another one */
  int failed;
};

/* The colour of a name: its block. A process beyond the names of its sort that uses its number as an index takes element 0; the number of a process of another type may not be that of none. */
static inline uint64_t block_of(const struct symmetry *y, uint32_t sort, uint32_t name) {
  uint64_t block = y->now->colour[sort * SORT_NAMES + name];
  if (y->sorts.sort[sort].remote && name < y->slots && !y->gone[name] && y->sorts.pid[y->type[name]] != sort) return hash_pair(block, name + 1);
  if (y->beyond[sort] & BEYOND_STRICTLY) return hash_pair(block, name + 1);
  return name || !(y->beyond[sort] || y->odd[sort]) ? block : hash_mix(block);
}

/* Which channel a number is: its place among those of the program's scopes; the slot, or NOBODY for a global one. 0: it is none. */
static inline int find_channel(const struct symmetry *y, int32_t number, uint32_t *at, uint32_t *slot) {
  const struct shape *shape = y->sorts.shape;
  const struct runtime *r = &y->m->run;
  if (number <= 0 || (uint32_t)number > r->channels) return 0;
  *slot = NOBODY;
  *at = (uint32_t)number - 1;
  if (*at < shape->chan_first[1]) return 1;
  for (*slot = y->slots - 1; y->m->slot_chan[*slot] > (uint32_t)number;) --*slot;
  *at = shape->chan_first[y->type[*slot] + 1] + (uint32_t)number - y->m->slot_chan[*slot];
  return 1;
}

/* The control state of the process in a slot, among those of the program. */
static inline uint32_t state_of(const struct symmetry *y, uint32_t slot) { return y->sorts.p->procs.at[y->type[slot]].state + (uint32_t)y->m->run.cell[shape_slot(y->sorts.shape, slot) + SLOT_PC]; }

/* Is it 0 because its value does not matter? Then it is the name of nobody. */
static inline int forgotten(const struct symmetry *y, const struct sight *s, uint32_t state) { return y->sliced && s->decl && slice_forgets(&y->facts, s->decl, state); }

/* All that the state says of its processes, names and objects, to `canonical` (symmetry_facts.c). */
void symmetry_say_all(struct symmetry *);
/* What will be exchanged, for people; or why nothing can be (symmetry_tell.c). 0: something; 1: nothing; -1: memory. */
int symmetry_tell(struct symmetry *, char *why, size_t room);

#endif
