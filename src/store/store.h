/* store.h -- the set of visited states.
 *
 * A search asks one question: "is this packed state new?"  How the answer is kept is
 * the back end's secret.  A state is `words` 32-bit words of which the first `bits`
 * bits count; the rest is zero.  The store knows nothing else about it.
 *
 * Questions come in batches, and a batch tells whose successors it holds: a store may live
 * from the difference to the source (tree, delta) or keep nothing but how to get there (comback).
 *
 * Laws, run on every back end by tests/laws/store.c:
 *   - putting a state again is answered SEEN, with the ref that it got when it was NEW;
 *   - STORE_ORDER: refs are dense numbers, the n-th NEW state gets n-1; otherwise a ref is whatever the store
 *     likes, different for different states and the same until the store is rewritten;
 *   - STORE_FULL leaves the store as it was, and everything stored can still be found;
 *   - get(ref) gives back every bit (STORE_GET);
 *   - a batch is answered as the same questions one by one would be, with or without sources;
 *   - each tells every state exactly once;
 *   - what was forgotten is NEW again when it is put; its ref may be given to another state.  From the first forget on STORE_ORDER promises nothing but that refs
 *     stay small: they are below the largest number of states that there ever were at once, or little more; all other states keep their refs;
 *   - without STORE_EXACT a run says "no violation found", never "holds";
 *   - bytes() counts all memory held, the store itself included. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

struct mem;
struct spanning;
struct stats;

typedef uint64_t store_ref; /* what the store calls a state */
#define STORE_NONE UINT64_MAX

enum store_answer { STORE_NEW, STORE_SEEN, STORE_FULL };

enum store_mark { STORE_UNMARKED, STORE_NOW, STORE_NEXT };

enum store_caps {
  STORE_EXACT = 1,   /* never confuses two states */
  STORE_GET = 2,     /* get(ref) works */
  STORE_ORDER = 4,   /* refs are numbers in order of discovery */
  STORE_REWRITE = 8, /* can change the width of its states in place */
  STORE_COSTLY = 16, /* get has to find the state again: who needs it soon keeps it */
  STORE_FORGETS = 32, /* drops states that are not on the stack of the search: see leave */
  STORE_BLIND = 128, /* of a state that was seen before it cannot say which one it is: no search sees that a cycle closes */
  STORE_LATE = 64 /* says only at the end of a layer which states were new: no put, no find; for breadth-first search alone (disk.h) */
};

struct store; /* each back end's own struct begins with struct store */

/* Turns a state of the old width into one of the new width (see store_type.rewrite). */
typedef void store_convert(void *context, const uint32_t *old_words, uint32_t *new_words);
/* Hears a state of the store; anything but 0 ends the telling. */
typedef int store_hear(void *context, store_ref ref, const uint32_t *state);
/* Gives state `number` of a breadth-first order: 0, or -1. */
typedef int store_give(void *context, uint64_t number, uint32_t *state);

/* What a user may choose beside the name of the store; 0 = the store's own choice. */
struct store_options {
  uint64_t cache;       /* --cache: states kept in full (comback), states in all (cache) */
  unsigned delta;       /* --delta: every so-many-th state of a path in full */
  unsigned hash_bits;   /* --hash-bits: of a compacted state or a fingerprint */
  unsigned functions;   /* --functions: bits set per state (bitstate) */
  uint64_t hash_seed;   /* bitstate: other functions for each */
  const char *comback;  /* --comback: comma-separated variants; NULL = the store's choice for the search */
  uint64_t memory;      /* bytes that a store of fixed size may take; 0 = what is left of the budget, less a share for the rest */
  const char *disk;     /* --disk: the folder for temporary files; NULL = there is none, and nothing is written */
  uint64_t disk_bytes;  /* the most that they may take; 0 = what the disk has */
  const struct disk_trial *trial; /* tests only: disk_files.h */
};

/* What a store on disk did (disk.h). */
struct store_files {
  int used;
  uint64_t written, read; /* bytes, compressed */
  uint64_t bytes, peak;   /* in files at the end, and at most */
  uint64_t runs, merges;  /* sorted runs of visited states at the end; times that runs were merged to one */
  uint64_t candidate_runs; /* runs of successors that were written because they did not fit into memory */
  int full;               /* that was because there was no more room */
  char problem[240];      /* why it could not go on; "" = nothing went wrong */
};

/* How stores that keep steps instead of states take them again: the model's functions without the model. */
struct store_model {
  void *context;
  int (*initial)(void *context, uint32_t *state);                                       /* 0, or -1: memory */
  int (*step)(void *context, const uint32_t *state, uint32_t edge, uint32_t *successor); /* 0; -1: memory or no such edge */
  /* The state from which the edge's group leads to `state`; NULL = the model cannot run backwards. 1, or 0: there is none. */
  int (*unstep)(void *context, const uint32_t *state, uint32_t group, uint32_t *predecessor);
  /* All successors of a state, `stride` words apart, until the next call. Returns how many, or -1. */
  int64_t (*successors)(void *context, const uint32_t *state, const uint32_t **states, size_t *stride, const uint32_t **groups);
};

struct err;
struct store_setup {
  uint32_t words, bits;
  struct mem *mem;
  struct err *err;                     /* may be NULL: why it does not open, where it is not for memory */
  struct stats *stats;                 /* may be NULL */
  const struct store_options *options; /* may be NULL */
  const struct store_model *model;     /* NULL = there are no steps: stores that need them do not open (-1) */
  const uint32_t *parts;               /* bits at which the components of a state begin, ascending, the first 0; may be NULL */
  size_t part_count;
  const uint32_t *sample; /* states of that width, sample_stride words apart: what is to be expected; may be NULL */
  size_t sample_count, sample_stride;
  uint64_t expect;        /* states that will be moved here at once */
  int depth_first;        /* the search goes depth-first */
  uint64_t hash_mask;     /* 0 = all bits; tests cut the hash to provoke collisions */
  unsigned entry_bits;    /* 0 = as needed; tests force wide index entries */
  unsigned id_bits;       /* 0 = 16; tests want the ids of parts to outgrow their bits earlier: 8 */
  uint64_t quotient_from; /* 0 = where it pays; tests want the index of short states earlier */
};

/* A state whose successors stand in a batch, one after another: state `first` + k is its edge k (`edge` + k, where only some
   of them are asked about). */
struct store_source {
  store_ref ref;
  const uint32_t *words;
  const uint32_t *trail; /* what get left there about this state; NULL = nothing */
  size_t first, end;
  uint32_t edge;
};

/* n states lie in `states`, each `stride` words apart, stride even and >= words, padding zero. */
struct store_batch {
  uint32_t *states;
  size_t stride, count;
  uint64_t *hash;  /* scratch for the store */
  store_ref *ref;  /* out: what the store calls each state */
  uint8_t *answer; /* out: enum store_answer of each state */
  const struct store_source *source; /* in order; none of them: nothing is known about where the states come from */
  size_t sources;
  const uint32_t *group; /* of each edge; NULL = unknown */
};

/* ---- rounds: several threads ask at once ----
 *
 * A round is made of parts, in order; each is asked by one worker at a time, batch after batch, while others ask theirs.  What was known before the round is answered at once.  The rest is
 * kept in the part, and when all have been asked it is settled: of equal states the first one in the order of the parts is NEW.  So the answers, and with STORE_ORDER the numbers, are
 * those that the same questions would have had one by one, however many threads there are and whoever came first. */
struct crew;
struct store_part {
  uint32_t *states; /* what was not known, `stride` words apart, as in a batch; the store appends */
  size_t stride, count;
  uint64_t *scratch; /* of each of them, for the store */
  store_ref *ref;    /* and, when the round is settled, the answer */
  uint8_t *answer;   /* STORE_FULL: it could not be entered */
  char line[64];     /* the next part, which another thread asks, is not on the same cache line */
};
enum { STORE_LATER = 64 };
struct store_claims { /* claims.h */
  _Atomic uint64_t *entry;
  uint64_t entries;
  uint32_t turn;
};
struct store_round {
  struct crew *crew;
  struct store_part *part;
  size_t parts;
  unsigned room; /* log2 of the states that each part has room for */
  int unknown;   /* whoever asks knows that none of the states is there: nobody need look */
  struct store_batch later; /* scratch: room for STORE_LATER states */
  struct store_claims claims; /* entry NULL: there are none */
};
/* Memory for rounds of states of `stride` words, in which equal states may be asked about (`claims`) or not. 0, or -1: none, and nothing is held. */
int store_round_open(struct store_round *, struct mem *, struct crew *, size_t parts, unsigned room, size_t stride, int claims);
void store_round_close(struct store_round *, struct mem *); /* one that was never opened is fine, if it is zero */
size_t store_round_bytes(size_t stride); /* for each state of a part */

struct store_type {           /* one static const per back end */
  const char *name, *summary; /* --store NAME, its line in --store help */
  unsigned caps;
  size_t batch; /* successors that it likes to be asked about at once; 0 = whatever */
  int (*open)(struct store **out, const struct store_setup *setup); /* 0, or -1: no memory (or nothing to step with) */
  /* Answers from `from` on; returns the index of the first state answered STORE_FULL, or count. */
  size_t (*put_batch)(struct store *, struct store_batch *batch, size_t from);
  /* Answers SEEN with ref, or NEW for an absent state; inserts nothing. STORE_FULL (STORE_COSTLY alone): states had to be found again to compare them, and memory did not allow it; others are answered all the same. */
  void (*find_batch)(struct store *, struct store_batch *batch);
  /* Two steps instead of one, for searches that meet states long before they visit them (both NULL = cannot). name_batch: as find_batch, but an absent state gets the
     ref that it will have, by which get gives it back; it is no state of the store yet. Returns the index of the first one for which there was no memory, or count.
     enter: put, of a state that has a name. */
  size_t (*name_batch)(struct store *, struct store_batch *batch);
  enum store_answer (*enter)(struct store *, store_ref ref, const uint32_t *state);
  /* The state; trail (store->trail_words words, may be NULL) is for the sources of later batches. 0, or -1: it had to be found again,
     and memory did not allow it. */
  int (*get)(struct store *, store_ref ref, uint32_t *state, uint32_t *trail);
  /* STORE_COSTLY with STORE_ORDER: the states first .. first + count - 1, `stride` words apart, found again together. 0, or -1: as get. */
  int (*get_batch)(struct store *, store_ref first, size_t count, uint32_t *states, size_t stride);
  /* Stores with `ways` (below): the predecessor of a state other than the first, and the edge from there. 0, or -1: it is not known. */
  int (*origin)(const struct store *, store_ref ref, store_ref *parent, uint32_t *edge);
  /* An empty store takes over a breadth-first tree and holds its states from then on, under their numbers. `give` tells them in order; NULL = they are found
     again by their steps, and nothing but the tree is needed. 0, or -1: memory, or this form of the store cannot; the tree is the caller's again. */
  int (*adopt)(struct store *, struct spanning *tree, store_give *give, void *context);
  /* All states pass through convert and have the new width from then on; numbers stay.
     0, or -1 when memory does not allow it (the store is then as before). NULL = the caller moves them into a new store. */
  int (*rewrite)(struct store *, uint32_t words, uint32_t bits, store_convert *convert, void *context);
  /* Tells all states in some order. `consume`: memory is given back on the way, and nothing but get of refs that somebody holds
     (never of STORE_ORDER stores), bytes and close is asked afterwards. 0, or -1: somebody had enough. NULL: cannot. */
  int (*each)(struct store *, store_hear *hear, void *context, int consume);
  /* The same without the states: those that are wanted can be got by ref until the store is closed, also by round_peek. NULL: cannot. */
  int (*each_ref)(struct store *, int (*hear)(void *context, store_ref), void *context, int consume);
  /* Marks in the store instead of a queue beside it (all NULL = has none). Each state may be marked for this round or for the next one; new
     states are marked for the next one.
       mark_begin   from now on there are marks, all clear: 0, or -1: no memory, nothing has changed
       mark         sets the mark of a state; mark_of tells it
       mark_take    some states of this round, whose marks are cleared; valid until the next call; 0 = none is left
       mark_turn    the next round becomes this one */
  int (*mark_begin)(struct store *);
  void (*mark)(struct store *, store_ref ref, enum store_mark);
  enum store_mark (*mark_of)(struct store *, store_ref ref);
  int64_t (*mark_take)(struct store *, const store_ref **refs); /* -1: no memory */
  void (*mark_turn)(struct store *);
  /* The state is no longer there, and its room is for others. 0, or -1: no memory to note it, nothing has changed. NULL = cannot. */
  int (*forget)(struct store *, store_ref ref);
  void (*leave)(struct store *, store_ref ref); /* STORE_FORGETS: the state is no longer on the stack */
  /* Rounds (NULL = cannot; round_ask and round_peek are called by several workers at once).
       round_claims  it wants to have a table of claims
       round_begin   room for all that the parts can hold: 0, or -1: no memory for that; questions go one by one then
       round_peek    get
       round_ask     answers SEEN, or NEW with ref = the place in the part; stops where the part is full: returns how many were answered
       round_settle  the answers of all parts before `parts`; what the others have asked was never asked. 0, or -1: memory ended, and nothing has been entered; stores that cannot
                     take states out again answer STORE_FULL for those that they could not enter
       round_finish  after each round_settle that said 0: when it returns refs are known, too, and states can be got and found. `meanwhile` (NULL = nothing) is done by the caller's thread, by the side; it may
                     look at answers. NULL = there is nothing left to do */
  int round_claims;
  int (*round_begin)(struct store *, struct store_round *);
  int (*round_peek)(struct store *, unsigned worker, store_ref ref, uint32_t *state, uint32_t *trail);
  size_t (*round_ask)(struct store *, const struct store_round *, size_t part, unsigned worker, struct store_batch *batch);
  int (*round_settle)(struct store *, const struct store_round *, size_t parts);
  void (*round_finish)(struct store *, const struct store_round *, size_t parts, void (*meanwhile)(void *), void *context);
  /* Lossy stores: the probability that some state was missed, from the figures of the run. NULL = 0. */
  double (*omission)(const struct store *);
  uint64_t (*count)(const struct store *);
  size_t (*bytes)(const struct store *);
  void (*close)(struct store *); /* NULL is fine */
};

struct store {
  const struct store_type *type;
  uint32_t trail_words;
  int marking;  /* mark_begin was called */
  int ways;     /* origin knows where each state comes from, if all were put with their sources: the search need not keep a tree */
  int stiff;    /* this one cannot follow when states become wider, though others of its type can: the search begins anew */
  struct crew *crew; /* those who may help when there is much to do (growing); NULL = nobody. The owner of the store sets it */
  int restless; /* would be smaller if its states moved to a new store of its type, with a sample: see store_setup */
};

/* One state as a batch of its own; source may be NULL. */
enum store_answer store_put(struct store *, const uint32_t *state, uint32_t words, const struct store_source *source, store_ref *ref);
enum store_answer store_look(struct store *, const uint32_t *state, uint32_t words, store_ref *ref); /* as find_batch */
store_ref store_find(struct store *, const uint32_t *state, uint32_t words); /* STORE_NONE when absent, or not to be told */
store_ref store_name(struct store *, const uint32_t *state, uint32_t words); /* STORE_NONE when there is no memory; stores with name_batch */

extern const struct store_type store_plain;
extern const struct store_type store_compact_tree;
extern const struct store_type store_tree, store_collapse, store_dfa;
extern const struct store_type store_comback;
extern const struct store_type store_delta;
extern const struct store_type store_hashcompact;
extern const struct store_type store_bitstate;
extern const struct store_type store_cache;
extern const struct store_type store_disk; /* found by its name, and not in the list below: it answers late */
extern const struct store_type *const store_types[]; /* NULL-terminated, default first */
const struct store_type *store_find_type(const char *name);

#endif
