/* bind.h -- what transitions can do, found once and remembered.
 *
 * Bindings form a tree.  A node is a transition and values for the first of its variables; the tokens of one place, matched with one pattern, make its
 * children.  Which children, depends on the node and on the marking of that place alone, so it is computed once for each pair of them:
 *
 *   (node, marking of its place)  ->  children, in the order of edges
 *
 * A leaf is a complete binding.  What it takes and gives is evaluated once, as a list of (place, change), and what a change makes of a marking is remembered as well:
 *
 *   (change, marking)  ->  marking, or: tokens are missing
 *
 * So a step is a handful of lookups.  All of it may be dropped between two states, and is when there is too much of it: it costs time only.
 *
 * Several threads look up at once and write nothing; what is missing is made by one of them at a time (shelf.h).  Moves alone are made by all: a slot of their table is one word.
 *
 * With time everything hangs below the clock: nodes of different clocks are different nodes. */
#ifndef COLOUR_BIND_H
#define COLOUR_BIND_H

#include "base/hash.h"
#include "colour/implied.h"
#include "ml/chance.h"

#define BIND_LEAF UINT32_MAX        /* bind_node.place: the binding is complete */
#define BIND_FAULT (UINT32_MAX - 1) /* something went wrong before it was */

#define BIND_TOKEN 0x80000000u

struct bind_node {
  uint32_t place; /* whose tokens bind the next variables, or BIND_LEAF, BIND_FAULT */
  uint32_t transition, step;
  uint32_t env;             /* first of its values, in bind.env */
  uint32_t effect, effects; /* leaves: in bind.effect. Others with a fault: effect is the condition that raised it */
  uint32_t fault;           /* + 1: something cannot be computed, which is told where a complete binding has its tokens */
  uint32_t clock;
};

/* With implied places (implied.h) a binding's list has what must be done and seen: changes of places that are kept; of implied ones only whether the tokens are there, unless
   the tree of bindings has looked; and the implied places that the binding contradicts. */
#define EFFECT_CHECK 0x80000000u  /* added to the place: its marking is not in the state */
#define EFFECT_BREAKS 0x40000000u /* it is not implied any more if this binding happens; change means nothing */
#define EFFECT_PLACE 0x3fffffffu
struct bind_effect {
  uint32_t place, change;
};

struct bind_list {
  uint32_t start, count; /* in bind.child */
};

#define BIND_TOO_MANY UINT32_MAX /* bind_node.fault: random draws have more outcomes than anybody wants to see */

enum { CHANGE_RESET = 1 /* all tokens go first */, CHANGE_EMPTY = 2 /* there must be none */ };
struct bind_change {
  uint32_t place, take, give, flags; /* take, give: numbers in the place's effects */
};

struct bind_slot { /* of the table of lists */
  uint32_t node, marking; /* node + 1; 0 = free; with BIND_TOKEN: the number of a token instead of a marking */
  struct bind_list list;
};

struct bind_slots {
  size_t room; /* a power of two */
  _Alignas(16) struct bind_slot slot[]; /* none of them lies on two cache lines */
};

/* A slot of the table of moves, which forgets.  (change, marking) is a number of 44 bits; mixed by a bijection, its upper bits choose the slot and its lower 32 are the tag, so that
   nothing is confused.  Larger numbers are not remembered.  The tag is the lower half of the slot; the upper one is 0 = free, or the result + 1, or 0xffffffff for BAGS_LACKS. */
enum { BIND_MOVE_BITS = 22 };

struct bind_fault {
  uint32_t transition;
  const char *text;
};

struct bind {
  struct net *net;
  struct mem *mem;
  struct vec(int64_t) clocks; /* times that were met, never dropped */
  struct shelf_index *clock_index; /* their numbers */
  struct vec(struct bind_fault) faults;
  /* what may be dropped */
  struct vec(struct bind_node) node;
  struct vec(uint32_t) env, child;
  struct vec(struct bind_effect) effect;
  struct vec(struct bind_change) change;
  uint32_t *change_index; /* open addressing: number + 1 */
  size_t change_room;
  struct vec(struct bind_list) root; /* per clock and transition: start UINT32_MAX = not made yet */
  struct bind_slots *slot; /* NULL = none yet */
  size_t slots;
  uint64_t *move;
  unsigned move_bits; /* it has that many slots, as a power of two */
  size_t moves, most_moves;
  size_t most_bytes;
  const struct implied *implied; /* NULL: none */
  int all_checks;        /* keep the changes of implied places that take tokens: somebody counts them */
  uint32_t few_markings; /* places with more of them are looked at token by token (explore.c) */
  /* scratch */
  struct vec(uint32_t) fresh;
  struct vec(struct bind_list) group;
  bag_words take, give, part;
  struct vec(uint32_t) *choice; /* per colour set number: its colours */
  size_t choices;
  struct ml_tape tape;
  uint64_t dropped; /* how often */
};

int bind_open(struct bind *, struct net *, size_t most_bytes, struct mem *); /* 0 or -1 */
void bind_close(struct bind *);
void bind_drop(struct bind *);     /* everything that may be dropped */
int bind_too_much(const struct bind *);
void bind_between(struct bind *);  /* what can only be done while nobody looks up: before several threads do */
uint32_t bind_clock(struct bind *, int64_t time); /* its number; UINT32_MAX: memory */
static inline int64_t bind_time(const struct bind *b, uint32_t clock) { return *shelf_at(&b->clocks, clock); }
static inline const struct bind_node *bind_node(const struct bind *b, uint32_t node) { return shelf_at(&b->node, node); }
static inline const struct bind_effect *bind_effect(const struct bind *b, uint32_t effect) { return shelf_at(&b->effect, effect); }
static inline const struct bind_change *bind_change(const struct bind *b, uint32_t change) { return shelf_at(&b->change, change); }
static inline uint32_t bind_child(const struct bind *b, uint32_t child) { return *shelf_at(&b->child, child); }
static inline const uint32_t *bind_env(const struct bind *b, const struct bind_node *n) { return shelf_at(&b->env, n->env); }

/* The nodes that a transition begins with. 0 or -1 (memory). */
int bind_root(struct bind *, uint32_t transition, uint32_t clock, struct bind_list *out);
/* May the node take tokens that are not ready yet? */
static inline int bind_early(const struct bind *b, const struct bind_node *n) { return b->net->transitions.at[n->transition].plan.at[n->step].early; }
/* The children of a node, with the slow way behind it. 0 or -1. */
int bind_expand(struct bind *, uint32_t node, uint32_t marking, struct bind_list *out);
static inline size_t bind_slot_of(uint32_t key, uint32_t second) { return (((uint64_t)key << 32 | second) * 0x9e3779b97f4a7c15u) >> 32; }
static inline int bind_found(const struct bind *b, uint32_t key, uint32_t second, struct bind_list *out) {
  const struct bind_slots *all = shelf_follow(b->slot);
  if (!all) return 0;
  for (size_t at = bind_slot_of(key, second);; at++) {
    const struct bind_slot *s = &all->slot[at & (all->room - 1)];
    uint32_t there = shelf_load(s->node);
    if (!there) return 0;
    if (there == key && s->marking == second) {
      *out = s->list;
      return 1;
    }
  }
}
static inline int bind_children(struct bind *b, uint32_t node, uint32_t marking, struct bind_list *out) {
  return bind_found(b, node + 1, marking, out) ? 0 : bind_expand(b, node, marking, out);
}
/* The children that one token makes. 0 or -1. */
int bind_with_token(struct bind *, uint32_t node, uint32_t token, struct bind_list *out);
static inline int bind_token(struct bind *b, uint32_t node, uint32_t token, struct bind_list *out) {
  return bind_found(b, (node + 1) | BIND_TOKEN, token, out) ? 0 : bind_with_token(b, node, token, out);
}

/* What a change makes of a marking: its number, BAGS_LACKS, BAGS_MANY or BAGS_NONE (memory). `scratch` is the caller's, of the net's memory. What a marking
   is that was looked up may be read after bind_settle: most only write its number into a state. */
uint32_t bind_move_slow(struct bind *, uint32_t change, uint32_t marking, bag_words *scratch);
static inline uint64_t bind_mixed(uint32_t change, uint32_t marking) {
  const uint64_t all = ((uint64_t)1 << 2 * BIND_MOVE_BITS) - 1;
  uint64_t x = (uint64_t)change << BIND_MOVE_BITS | marking;
  x = x * 0x9e3779b97f5u & all;
  x ^= x >> BIND_MOVE_BITS;
  return x * 0x85ebca6b3adu & all;
}
static inline uint64_t *bind_move_slot(const struct bind *b, uint64_t mixed) { return &b->move[mixed >> (2 * BIND_MOVE_BITS - b->move_bits)]; }
static inline uint32_t bind_move(struct bind *b, uint32_t change, uint32_t marking, bag_words *scratch) {
  uint64_t mixed = bind_mixed(change, marking), there = shelf_follow(*bind_move_slot(b, mixed));
  uint32_t result = (uint32_t)(there >> 32);
  if ((uint32_t)there == (uint32_t)mixed && result && (change | marking) >> BIND_MOVE_BITS == 0) return result == UINT32_MAX ? BAGS_LACKS : result - 1;
  return bind_move_slow(b, change, marking, scratch);
}

static inline void bind_settle(void) {
#ifndef __SANITIZE_THREAD__ /* which knows no fences, and has seen an acquire (shelf.h) */
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

/* match.c: matches a pattern with a value; variables in *known must agree, the others are bound. 1, 0, or -1: memory, -2: a computed part or a colour set's
   predicate went wrong (*answer). */
int match_pattern(struct net *, const struct net_transition *, const struct pattern *, ml_value, uint32_t *env, uint64_t *known, int64_t now,
                  enum ml_answer *answer);

/* effect.c: makes the leaf's effects. 0 or -1 (memory). */
int bind_effects(struct bind *, struct bind_node *leaf, uint32_t *env);
/* bind.c: remembers a sentence about what went wrong: its number + 1, 0: memory. */
uint32_t bind_tell(struct bind *, uint32_t transition, const char *where, enum ml_answer);
uint32_t bind_tell_text(struct bind *, uint32_t transition, const char *text);

#endif
