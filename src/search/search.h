/* search.h -- how a state space is explored.
 *
 * A strategy takes states from its frontier, asks the model for successors, asks the
 * store which are new, and tells listeners.  Properties, progress, graph writers are all
 * listeners; they declare the events they want, and a loop without a listener for an event
 * pays nothing for it.
 *
 * Some searches want to find violations and nothing else: best and astar go where a distance (prop/distance.h) says that one is near, and are complete and
 * exact all the same if they are let run to their end; walk goes anywhere, remembers nothing, tells each state that it comes to as NEW, and never ends as complete.
 *
 * sweep goes along a measure of progress (progress.h) and has the store forget what is behind it (it needs a store that can: store.h, forget; or one that keeps steps instead); it may tell a state as NEW and EXPANDED several
 * times, unless no step lowers the measure, but at least once, and is exact and complete.  It knows no depths.
 *
 * Events: NEW for the initial state; per expanded state one EDGE per successor with NEW or SEEN right
 * after it, and EXPANDED when its successors are known (bfs: after its edges; dfs: before those that
 * lead to unknown states); LAYER when bfs has finished a layer; BACKTRACK when dfs leaves a state; TICK
 * when a search begins and ends, and a few times per second (more often in its first moments).
 *
 * What a search calls a state: walk counts the steps of a walk; sweep see sweep.h; bfs, best and astar number states in order of discovery, but knows the number of a state that is SEEN only where the
 * store does (STORE_ORDER; STORE_NONE otherwise); dfs uses the store's refs, which change when states move to
 * another store (stats.layouts; the memory ladder).
 *
 * With the store disk (STORE_LATE) bfs learns at the end of a layer which states were new, and tells NEW then: see external.h.
 *
 * A store that cannot give its states back cannot follow when the layout of states becomes wider: then the exploration begins anew, with
 * the layout found so far (AGAIN).
 *
 * States that were put off (LISTEN_LATER) are taken last in, first out: each becomes the only state of an empty stack, on which what it reaches and
 * nobody knows is searched; its EXPANDED and BACKTRACK come then.  Stores that forget keep it until everything that was put off since is done: so a search ends
 * even if they forget all the rest (observer.h).  From then on paths begin at the state that was put off.
 *
 * Laws (tests/laws/search.c): every reachable state is NEW once and EXPANDED once; the numbers of a
 * complete run do not depend on store, search or order; bfs depths are shortest distances. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/err.h"
#include "base/stats.h"
#include "model/model.h"
#include "prop/distance.h"
#include "store/store.h"

#include <stdint.h>

enum search_event_kind {
  EVENT_NEW = 1,        /* state, words, depth, source, edge, group */
  EVENT_EDGE = 2,       /* source, edge, group, state, words (target) */
  EVENT_SEEN = 4,       /* as EDGE */
  EVENT_EXPANDED = 8,   /* state, words, successors; depth */
  EVENT_BACKTRACK = 16, /* state; words where EVENT_WORDS is wanted */
  EVENT_LAYER = 32,     /* depth of the layer that is done */
  EVENT_TICK = 64,      /* time for a progress line */
  EVENT_FAULT = 128,    /* a step of `state` went wrong: fault, edge (UINT32_MAX = no step), group; told before EXPANDED */
  EVENT_AGAIN = 256,    /* what was told so far is void: the exploration begins anew */
  EVENT_PRODUCTS = 8192, /* not told: searches for properties of runs, whose states are more than the model's, may be told as well */
  EVENT_NUMBERS = 4096, /* not told: sweep calls states by their numbers in order of discovery in all events; one that was forgotten and is met again has another number */
  EVENT_WORDS = 2048,   /* not told: dfs tells the words of states with BACKTRACK */
  EVENT_MARKS = 1024,   /* not told: dfs tells the acceptance of edges with them (`mark`) */
  EVENT_MOVED = 512,    /* dfs: from now on `state` is what `source` was; every state is told once when they move to another store; before them, as STORE_NONE, that a move begins */
};

struct search_event {
  enum search_event_kind kind;
  store_ref state, source; /* source is STORE_NONE for the initial state */
  const uint32_t *words;
  uint32_t edge, group; /* edge: index among the successors of source */
  uint32_t successors;
  uint64_t mark; /* EDGE, NEW, SEEN of dfs: the edge's acceptance (model.h: marks) */
  uint64_t depth;
  const struct model_fault *fault;
};

enum listener_answer {
  LISTEN_ON,   /* go on */
  LISTEN_SKIP, /* NEW: do not expand this state */
  LISTEN_LATER, /* NEW (dfs): put it off; it is the first state of a search of its own once the one at hand is over */
  LISTEN_GOAL, /* stop: this is what was looked for */
};

struct crew;
struct search;
struct listener {
  unsigned wants; /* set of search_event_kind */
  enum listener_answer (*hear)(struct listener *, struct search *, const struct search_event *);
  /* May be NULL: yes. Would hear do anything but answer ON? Asked by several threads at once, each with a cursor of its own, about NEW and EXPANDED events, in which states have no names yet. What concerns
     nobody need not be told. */
  int (*concerns)(struct listener *, struct model_cursor *, const struct search_event *);
};

enum search_stop {
  STOP_DONE, /* everything explored */
  STOP_GOAL, /* a listener said so */
  STOP_MEMORY,
  STOP_TIME,
  STOP_STATES,
  STOP_DEPTH,
  STOP_INTERRUPT,
  STOP_UNBOUNDED, /* a state covers one of its ancestors: see search->cover */
  STOP_FAULT,     /* the model is wrong: see search->err */
  STOP_CHANNELS,  /* a channel that is to be unbounded became longer than channels can be (run/growth.h) */
  STOP_SPENT,     /* the walks, or the members of a swarm, that were wanted are done */
  STOP_DISK,      /* files of states could not be written or read: search->disk.problem tells more */
  STOP_CACHE,     /* the states of --cache do not hold the stack */
  STOP_RANK,      /* several processes: one of them is gone (search->spread) */
};
/* "complete", "violation", "memory", "time", "states", "depth", "interrupt", "unbounded", "fault", "channels", "spent", "disk", "cache", "rank" */
const char *search_stop_name(enum search_stop);

struct search_limits {
  double seconds; /* 0 = none; all of them */
  uint64_t states, depth;
  const volatile int *interrupt; /* set by a signal handler */
  int beyond_cover; /* go on when a state covers an ancestor: the caller knows that the model is unbounded and set a limit */
};

/* What only some searches know. */
struct cndfs;
struct journal;
struct progress;
struct sweep_errand;
struct ranks;
struct search_ways {
  struct distance *distance; /* best, astar: NULL = all states are alike */
  uint64_t seed;             /* walk, and dfs with `shuffle`: the same seed, the same run */
  int shuffle;               /* dfs: the successors of a state are tried in a random order */
  struct progress *progress;    /* sweep */
  const struct model *measured; /* sweep: what it measures, where that is a part of the model (products: their first words); NULL = the model */
  struct sweep_errand *errand;  /* sweep_path.c */
  struct ranks *ranks;       /* spread: the processes that search together (mpi/ranks.h) */
  struct cndfs *nested;      /* cndfs.h */
  uint64_t walks;            /* walk: so many, 0 = until another limit is reached; a depth limit is the length of each */
};

struct search_setup {
  struct model *model;
  const struct store_type *store;
  const struct store_options *store_options; /* may be NULL */
  unsigned jobs;                             /* threads; 0 or 1 = the caller's alone. What comes out does not depend on it */
  int ladder;                                /* the store may be exchanged for smaller ones when memory asks for it */
  uint64_t rounds_from;                      /* tests: see search */
  uint64_t step_down_at;                     /* tests: a lower rung after so many states, and the next after twice as many; 0 = by memory */
  unsigned disk_rung;    /* tests: disk is the rung with this number, counting from 1; 0 = the last one */
  unsigned comback_rung; /* tests: comback is the first rung below the plain store (1), or the one below the compact tree (2); 0 = by size */
  struct mem *mem;
  struct search_limits limits;
  struct listener *const *listeners;
  size_t listener_count;
  struct search_ways ways;
  struct journal *journal; /* bfs, dfs: where it tells what it does, or what it goes on from (journal.h); NULL = nobody wants to know */
};

/* A path from the initial state: edge k_0, k_1, ... */
struct search_path {
  uint32_t *edge, *group;
  store_ref *state; /* what the search calls the states on it: count + 1 of them */
  size_t count;
};

struct search_type {
  const char *name, *summary;
  int shortest;                /* paths are shortest */
  int storeless;               /* it remembers no states: search->store is NULL */
  int directed;                /* it asks the distance */
  int measured;                /* it asks the measure of progress, and has the store forget */
  int own_figures;             /* `run` leaves stats as they are to be told: they are not those of this process alone */
  int (*run)(struct search *); /* 0, or -1 with search->err (out of memory before the start) */
  /* The path to a state that was told as NEW or EXPANDED just now (dfs: from the first state of the stack) or at any time before (bfs): edges and states. */
  int (*path)(struct search *, store_ref, struct search_path *out);
  void (*close)(struct search *); /* frees search->own */
};

/* What a sweep did; sweeps 0 = it was none. */
struct search_sweep {
  uint64_t sweeps, peak_states, persistent, regress_edges; /* peak: most states in the store at one time, where it forgets; otherwise in full; persistent: states that were never forgotten, the first one included */
  size_t peak_bytes; /* of store and lists */
  int kept;          /* there was no memory to forget something: it stayed, and another sweep, which forgets it, numbers states differently */
};

enum { SEARCH_RUNGS = 8 };

/* A search of several processes; ranks 0 = it was none. All figures of the search are those of all of them together then. */
struct search_spread {
  unsigned ranks;
  int portable;                     /* states travelled in the model's portable form */
  uint64_t least_states, most_states; /* of a rank */
  uint64_t sent_states, sent_bytes, batches, waits; /* over the network; waits: a receiver was slow */
  uint64_t known;                   /* successors that were known to be where they belong, without asking */
  uint64_t again;                   /* times that the search began anew with a wider layout */
  size_t store_bytes, peak;         /* of all stores; the largest budget in use */
  double cpu_s;                     /* of all ranks */
  char whose[96];                   /* who ended it: "rank 3 on node7"; "" = all of them */
  uint64_t whose_states;            /* how far it was */
};

struct search {
  const struct search_type *type;
  struct model *model;
  struct store *store;
  struct store_model steps; /* the model as the store sees it */
  const struct store_options *store_options;
  unsigned jobs;
  unsigned threads;  /* that the search has made use of; 0 = it has not */
  uint64_t rounds_from; /* tests: states from which on several threads are used; 0 = where it pays */
  struct crew *crew; /* while there are several */
  int ladder;
  uint64_t step_down_at;
  unsigned disk_rung;
  unsigned comback_rung;
  const struct store_type *anew; /* when it begins anew: with this store; NULL = with the same one */
  void *reserve;                 /* memory for the way to disk, when all other memory is in use */
  struct store_files disk;       /* what was done there */
  enum { WORDS_UNKNOWN, WORDS_COMPRESS, WORDS_DO_NOT } words; /* what the ladder knows of the states */
  uint64_t waiting; /* states in the queue of a breadth-first search */
  const char *rung[SEARCH_RUNGS]; /* the forms that the store had, one after the other */
  size_t rungs;
  struct model_patience patience;
  struct model_cursor *cursor; /* the strategy's own; listeners may use it for value(), and dfs' for successors of their own in BACKTRACK */
  struct mem *mem;
  struct search_limits limits;
  struct listener *const *listeners;
  size_t listener_count;
  unsigned wanted; /* union of the listeners' wants */
  struct search_ways ways;
  int shortest; /* the first path that a listener wanted is shortest */
  uint64_t walks; /* done, the one under way included */
  struct stats stats;
  enum search_stop stop;
  store_ref goal; /* STOP_GOAL: the state */
  struct {
    store_ref small, big;
  } cover; /* STOP_UNBOUNDED */
  struct err err;
  double started, seconds;
  struct journal *journal;
  double earlier;   /* seconds that a search took which this one goes on from */
  uint64_t partial; /* what the journal is to know of the state at hand (journal.h) */
  uint64_t lost;    /* states that a store which gave up half-way had held: its own count tells no more */
  uint64_t passed;  /* states that the search had the store forget: they count as stored */
  struct search_sweep sweep;
  struct search_spread spread;
  uint64_t skipped; /* states that a listener told not to expand */
  int again;        /* the layout became wider, and the store cannot follow */
  struct {
    uint64_t sign, expanded;
    unsigned times;
  } stuck; /* the layout that was widened last, how far the search was then, and how often it was so before */
  double next_tick;
  void *own; /* the strategy's */
};

/* Can a sweep do with this store? It forgets states, or has nothing to forget but what is kept of them in full. */
static inline int search_can_sweep(const struct store_type *store) { return store->forget || (store->caps & STORE_COSTLY && store->caps & STORE_GET); }
int search_open(struct search **out, const struct search_type *, const struct search_setup *, struct err *);
void search_run(struct search *); /* see search->stop afterwards */
/* After it: the journal is sealed where a limit has ended the search, and (`more`: other questions follow) also where it came to its end. */
void search_end_journal(struct search *, int more);
/* 0, or -1: not enough memory for the path. */
int search_path(struct search *, store_ref, struct search_path *out);
void search_path_free(struct search *, struct search_path *);
/* The edges of a path alone, in memory that outlives the search, with room for one more; out->edge NULL: it could not be had. */
void search_keep_edges(struct search *, store_ref, struct mem *, struct search_path *out);
void search_close(struct search *); /* NULL is fine */

extern const struct search_type search_bfs, search_dfs, search_best, search_astar, search_walk, search_sweep;
extern const struct search_type *const search_types[]; /* NULL-terminated, default first */
const struct search_type *search_find_type(const char *name);

#endif
