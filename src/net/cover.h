/* cover.h -- the tree of extended markings that coverability.c grows and cover_run.c reads.
 * Nobody else includes it.
 *
 * Words: a *slot* is a place that some transition changes (others keep their tokens for
 * ever and are compiled away).  A *label* is a marking of the slots, where COVER_OMEGA
 * stands for "as many as you like".  An *event* says why a label got an omega. */
#ifndef NET_COVER_H
#define NET_COVER_H

#include "base/vec.h"
#include "net/coverability.h"

#define COVER_NONE UINT32_MAX
#define COVER_OMEGA UINT32_MAX

struct cover_step { /* what a transition wants (pre) or adds (effect) */
  uint32_t slot;
  int32_t weight;
};

/* The net as the tree sees it. Slots that P-semiflows cover come last: on them two markings of the same net can
   only be comparable if they are equal. */
struct cover_net {
  struct mem *mem;
  uint32_t slots, loose; /* loose: the first ones, not covered by a semiflow */
  uint32_t *place;       /* slot -> place */
  uint32_t *slot;        /* place -> slot, COVER_NONE = never changes */
  uint32_t *initial;     /* per slot */
  uint32_t transitions;  /* those that can ever fire and change something */
  uint32_t *transition;  /* -> number in the net */
  uint32_t *pre_start, *effect_start;
  struct cover_step *pre, *effect;
};
int cover_net_open(struct cover_net *, const struct pt_net *, struct mem *, struct err *); /* 0, or -1 with err */
void cover_net_close(struct cover_net *);

struct cover_signature {
  uint64_t bits[2];
};

struct cover_node {
  struct cover_signature signature;
  uint32_t parent, depth;
  uint32_t jump;       /* an ancestor: from here any ancestor is O(log depth) away */
  uint32_t transition; /* of cover_net, that led here */
  uint32_t next;       /* the transition to try next */
  uint32_t children;
  uint32_t group, member; /* where it is listed */
  uint32_t event;         /* its first event, COVER_NONE */
  uint8_t used, active, waiting, pinned;
};

/* Node `node` covered its ancestor `base` and was larger on places [first, first + count) of `event_slots`, which
   became omega. A node's events are in the order in which they happened. */
struct cover_event {
  uint32_t node, base;
  uint32_t first, count;
  uint32_t next;
};

struct cover_member {
  struct cover_signature signature;
  uint32_t node;
};

struct cover_group { /* labels that are equal on the covered slots: only these can be comparable */
  uint64_t hash;
  uint32_t count, room; /* room 0: the one member lies here */
  struct cover_member one, *many;
};

struct cover_tree {
  struct mem *mem;
  const struct cover_net *net;
  struct region nodes, labels; /* struct cover_node; `width` bytes per slot, rows of `stride` bytes */
  uint32_t node_count;         /* in use or free */
  uint32_t free_node;          /* list through parent */
  uint32_t width;              /* 1: counts up to 254, 255 is omega; 4: as they are */
  size_t stride;
  struct vec(struct cover_group) groups;
  uint32_t *group_slot; /* hash table of groups */
  size_t group_slots;
  struct vec(struct cover_event) events;
  struct vec(uint32_t) event_slots;
  size_t active;
  uint8_t *encoded; /* a label being compared */
  uint32_t *recent; /* by hash of the label: a node that had it; looked at, not believed. Only where labels are loose */
  size_t recent_slots;
};

int cover_tree_open(struct cover_tree *, const struct cover_net *, struct mem *); /* 0, or -1: memory */
void cover_tree_close(struct cover_tree *);

static inline struct cover_node *cover_node(const struct cover_tree *t, uint32_t id) {
  return (struct cover_node *)(void *)t->nodes.base + id;
}
/* One value of a label, COVER_OMEGA for omega. */
static inline uint32_t cover_value(const struct cover_tree *t, uint32_t id, uint32_t slot) {
  const uint8_t *row = t->labels.base + (size_t)id * t->stride;
  if (t->width == 4) return ((const uint32_t *)(const void *)row)[slot];
  return row[slot] == 255 ? COVER_OMEGA : row[slot];
}
void cover_label(const struct cover_tree *, uint32_t id, uint32_t *out);

enum cover_answer { COVER_ADDED, COVER_COVERED, COVER_MEMORY };
/* Adds the label, which came from `parent` (COVER_NONE for the root) by `transition`: looks whether an active node covers
   it, accelerates it against its ancestors (m gets its omegas), deactivates what it covers. */
enum cover_answer cover_add(struct cover_tree *, uint32_t *m, uint32_t parent, uint32_t transition, uint32_t *id);
/* The node is not waiting any more: it goes if nobody needs it. */
void cover_release(struct cover_tree *, uint32_t id);

/* Makes the concrete run of an event into out: prefix, pump, pumped. 1; 0 if there is none, *why says it; -1: memory.
   aim: a slot that the pump must add to, or COVER_NONE. */
int cover_run(struct coverability *out, const struct cover_tree *, const struct pt_net *, uint32_t event, uint32_t aim,
              const char **why);

#endif
