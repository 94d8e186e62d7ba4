/* automaton.h -- Buechi automata over atoms: what a temporal formula becomes.
 *
 * A word is an infinite sequence of letters; a letter says which of up to 64 atoms are true (bit i = atom i).  An edge has a
 * guard that is a conjunction of atoms and negated atoms, asked by one comparison:
 *
 *     (letter & edge->care) == edge->want
 *
 * Acceptance is generalised and on edges: a run is accepting if it takes edges of each of the `sets` sets (bit i of
 * edge->accept = set i) infinitely often; with sets == 0 every infinite run is.  One disjunction is several edges.  A state
 * need not have an edge for every letter: a run that is stuck is rejecting.
 *
 * For a product: the edges of s are a->edge[a->first[s] .. a->first[s + 1] - 1], contiguous, 24 bytes each.
 *
 *   for (const struct automaton_edge *e = automaton_edges(a, s), *end = automaton_edges(a, s + 1); e < end; e++)
 *     if (automaton_open_for(e, letter)) ... e->to, e->accept
 *
 * kind[s], when classified, says what the strongly connected component of s is good for: a search may leave out everything
 * but reachability in terminal parts and the second search in weak ones. */
#ifndef PROP_AUTOMATON_H
#define PROP_AUTOMATON_H

#include "base/err.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdint.h>

enum { AUTOMATON_ATOMS = 64, AUTOMATON_SETS = 32 };

struct automaton_edge {
  uint64_t care, want;
  uint32_t to;
  uint32_t accept;
};

enum automaton_kind {
  SCC_TRANSIENT, /* one state without a loop */
  SCC_REJECTING, /* no cycle accepts */
  SCC_STRONG,    /* some cycles accept, some do not */
  SCC_WEAK,      /* every cycle accepts */
  SCC_TERMINAL,  /* every cycle accepts, and every letter has an edge that stays: reaching it is accepting */
};

struct automaton {
  struct mem *mem;
  uint32_t states, sets;
  uint32_t *first; /* states + 1 */
  struct automaton_edge *edge;
  uint32_t *initial;
  uint32_t initial_count;
  uint32_t *scc; /* numbered so that edges go to equal or lower numbers; NULL before automaton_classify */
  uint8_t *kind; /* enum automaton_kind of the state's component; likewise */
  char **atom;   /* texts, owned; NULL where nobody gave any */
  uint32_t atoms;
  int by_state;      /* acceptance is the same on all edges of a state: it can be written on states */
  int keep_sets;     /* somebody asked for this number of sets: trimming leaves needless ones */
  int deterministic; /* one initial state, at most one edge for a letter, and few enough edges to tell */
};

static inline const struct automaton_edge *automaton_edges(const struct automaton *a, uint32_t state) {
  return a->edge + a->first[state];
}
static inline int automaton_open_for(const struct automaton_edge *e, uint64_t letter) { return (letter & e->care) == e->want; }
/* by_state, with one set: is this one of the accepting states? */
static inline int automaton_state_accepts(const struct automaton *a, uint32_t state) {
  return a->first[state] < a->first[state + 1] && automaton_edges(a, state)->accept & 1;
}
static inline uint32_t automaton_all(const struct automaton *a) { return (uint32_t)((UINT64_C(1) << a->sets) - 1); }

void automaton_close(struct automaton *); /* NULL is fine */

/* ---- building ---- */
struct draft_edge {
  uint32_t from;
  struct automaton_edge edge;
};
struct automaton_draft {
  struct mem *mem;
  struct draft_edge *edge;
  size_t edges, room;
  uint32_t *initial;
  size_t initials, initial_room;
};
void automaton_draft_open(struct automaton_draft *, struct mem *);
int automaton_draft_edge(struct automaton_draft *, uint32_t from, struct automaton_edge); /* 0, or -1 when refused */
int automaton_draft_initial(struct automaton_draft *, uint32_t state);
void automaton_draft_close(struct automaton_draft *);
/* The automaton of a draft, which stays open. Guards of edges with the same end and acceptance are merged. */
int automaton_finish(struct automaton **out, const struct automaton_draft *, uint32_t states, uint32_t sets, struct err *);
/* Copies the texts of atoms from a list, or from another automaton. */
int automaton_name_atoms(struct automaton *, const char *const *text, uint32_t count, struct err *);
int automaton_inherit(struct automaton *, const struct automaton *from, struct err *);

/* ---- asking ---- */
int automaton_classify(struct automaton *, struct err *); /* fills scc, kind, deterministic */
/* The weakest word that fits all components: SCC_TERMINAL, SCC_WEAK or SCC_STRONG (after classify). */
enum automaton_kind automaton_strength(const struct automaton *);
const char *automaton_kind_name(enum automaton_kind);
/* 1 if prefix loop loop loop ... is accepted, 0 if not, -1 with err. loop_length > 0. */
int automaton_accepts(const struct automaton *, const uint64_t *prefix, size_t prefix_length, const uint64_t *loop,
                      size_t loop_length, struct err *);
/* 1: its language does not tell how often a letter is repeated (automaton_stutter.c); 0 also where nobody knows. After classify. */
int automaton_stutters(const struct automaton *);
/* 1 if no word is accepted; -1 with err. */
int automaton_empty(const struct automaton *, struct err *);

/* ---- changing: the automaton is replaced by one of the same language; on -1 it is as before ---- */
/* Without states that cannot be reached or lead nowhere; acceptance only where it matters; needless sets gone. Classified. */
int automaton_trim(struct automaton **, struct err *);
/* Smaller by direct simulation, forwards and backwards, until nothing changes. Trimmed. */
int automaton_reduce(struct automaton **, const volatile int *interrupt, struct err *);
/* Sharper guards: an edge is left out for letters that a better edge of its state takes. More deterministic, same states. */
int automaton_sharpen(struct automaton **, struct err *);
/* One acceptance set (at least one); by_state: acceptance on states. */
int automaton_degeneralise(struct automaton **, int by_state, struct err *);
/* A minimal weak deterministic automaton, if the language has one (which the caller knows: obligation formulas), where it needs
   no more than `most` subsets: 1 and replaced, 0 and as before, -1 with err. */
int automaton_weak_deterministic(struct automaton **, uint32_t most, const volatile int *interrupt, struct err *);

/* Another automaton beside a deterministic one that accepts by states: see automaton_levels.c. */
int automaton_two_levels(struct automaton **out, const struct automaton *, struct err *);

#endif
