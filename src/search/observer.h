/* observer.h -- does every run please a deterministic automaton? One depth-first search, in bounded memory, without a complement and without components.
 *
 * The automaton accepts the runs that are as they should be: a run pleases it if there is an edge for each of its letters and accepting states are passed again and
 * again.  It is deterministic, so each run of the model is one run of the product, and the property is broken in one of two ways:
 *
 *   rejected   a state of the product is reached whose letter has no edge: the run is broken there and then;
 *   loop       there is a cycle of the product without an accepting state.
 *
 * (Jard and Jeron, "Bounded-memory algorithms for verification on-the-fly", 1991.)  Let S be the product and S' what is left of it without accepting states.  A loop is
 * a cycle of S', and a depth-first search finds one if there is one -- but a search of S that merely looks at its stack does not: with q -> f -> r -> q, f
 * accepting, and q -> x -> r it closes r before x comes, and never sees the cycle q x r.  So an accepting state is not entered when it is met.  It is put off (search.h:
 * LISTEN_LATER), and begins a search of its own when the stack is empty: each of these searches is one of S' from one accepting state (or from the beginning).
 *
 * Why that is right.  Call a state closed once it has left the stack.  Claim: no closed state outside of F, the accepting ones, reaches a cycle of S' within S'.  When q is
 * closed, each of its successors in S' was closed before (and reaches none, by induction over the moments of closing), or was on the stack when the edge was seen: then the stack
 * from there to q and that edge are a cycle of S', and it was told.  The claim does not speak of what the store remembers: a state that was forgotten is searched once more, with
 * the same result.  Every state of S is reached: each lies behind an accepting state or the beginning on a way in S', and accepting states are put off whenever they
 * are met unknown.  So without a violation there is no cycle in S'.  What is told as a loop is one: all states on the stack but its first are outside of F, and the first is either
 * in F and not looked for, or the beginning of all.
 *
 * Why it ends, whatever is forgotten.  Accepting states wait last in, first out, and stay in the store as long as they wait or something waits above them.  So the accepting states
 * whose turn it is form a path without repetition, of finite length; below each of them there are finitely many states; and each single search ends because its stack has no
 * state twice.  (The paper forgets accepting states like others once they are taken from the set of those that wait: two accepting states on a cycle and a store that holds neither
 * would then call for each other for ever.)
 *
 * Memory: the longest path of S' without repetition, the accepting states that wait, and one entry of 16 bytes for each state on the stack.  Time: as long as nothing is forgotten each
 * state is entered once.
 *
 * Where the states that wait are too many, cycles are looked for on a level of their own (automaton_levels.c): nothing waits, memory is that of two paths, and states outside of F
 * are searched twice.  The proof is the same: what is closed above reaches no cycle above.
 *
 * Parts of the automaton in which every cycle accepts (automaton.h: weak, terminal) need none of this: a cycle of the product stays within one component of the automaton, so
 * states there are neither put off nor remembered.  An automaton that accepts whatever stays in it -- a finite-state observer -- consists of nothing else. */
#ifndef SEARCH_OBSERVER_H
#define SEARCH_OBSERVER_H

#include "prop/product.h"
#include "search/refmap.h"
#include "search/search.h"

struct observer {
  struct listener listener;
  struct mem *mem;
  const struct model *model; /* the product */
  const struct automaton *automaton;
  uint32_t above; /* states of the automaton from this one on are on the upper level; UINT32_MAX = there is none */
  struct refmap known, next; /* states of S' on the stack; after a move: see EVENT_MOVED */
  int moving;
  int failed;       /* memory: the search was ended */
  int found, rejected;
  int has_place;             /* memory allowed to keep the next two */
  struct product_state place; /* found: a state of the loop, or the one that is rejected */
  struct search_path loop;    /* edges of the product from there back to it */
};

/* The product's automaton must be deterministic, classified, and accept by states, with one set; or with `levels` what automaton_two_levels made of such a one. */
void observer_open(struct observer *, const struct model *product, const struct automaton *, int levels, struct mem *);
void observer_close(struct observer *);

#endif
