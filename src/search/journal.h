/* journal.h -- what a search has done so far, in a file, so that another run goes on from there.
 *
 * Searches are deterministic, and (state, k) names an edge for ever (model.h).  So the tree of a search is all that it takes to find every state again, whatever store it was in and whatever
 * layout it had: a bit for each new state, a bit for each state that is done, and for new states the edge by which they were found, packed 64 at a time.
 *
 *   breadth-first   0 = a new state, by an edge of the state whose turn it is;  1 = that state is done, the next number's turn
 *   depth-first     0 = a new state, by an edge of the state on top of the stack;  1 = that state leaves the stack
 *
 * The file is one of records.h:
 *
 *   HEAD   what is searched; whoever opens the journal writes and reads it (run/checkpoint.h)
 *   TREE   up to 4096 new states: first number | states done before | counts | bits | witnesses | edges
 *   PART   what a listener wants to know when the search goes on: what the judge has found, counts, curves
 *   SEAL   up to here all fits together: counters, and how far the state at hand is done.  The parts before it belong to it
 *
 * Of a search by several processes (mpi/keep.h) each has a journal of its own.  Who finds which state when is chance there, so it holds the states themselves instead of a tree:
 *
 *   RANK   a search begins, perhaps anew: what is before it counts no more.  The set | which rank of how many | what the words of states mean
 *   MINE   new states of this rank: first number | how many | the rest is mpi/keep.c's
 *   NOTE   like a seal, but not yet on the disk; the n-th one is of the same moment in all journals of the set
 *   SURE   up to here all is on the disk
 *
 * Blocks of the tree are appended while the search goes on; a seal makes them count.  What stands behind the last seal is dropped.  If a record before it is not whole
 * the file was damaged.
 *
 * Each 1024th state has a witness, 32 bits of a hash of its portable form: a program that finds another state in its place has another model before it, whatever the reason, and says so.
 *
 * A search whose states are on disk has no tree: from then on the files themselves are what is gone on from, and a part says which (external_keep.c).  They are brought into order before a seal, and let go after it.
 *
 * Whoever expands states with several threads tells them in the order of their numbers (rounds.h does), so the journal does not know of threads.
 *
 * A journal that cannot be written any more is silent, and says why (`failed`): the search goes on. */
#ifndef SEARCH_JOURNAL_H
#define SEARCH_JOURNAL_H

#include "base/records.h"
#include "base/stats.h"

#include <stdint.h>

#define JOURNAL_MAGIC "Thimble-resume\r\n"
enum { JOURNAL_FORMAT = 2, JOURNAL_BLOCK = 4096, JOURNAL_WITNESS = 1024, JOURNAL_PARTS = 8, JOURNAL_EDGES = 64 };

enum { JOURNAL_NOT_THAT = -1, JOURNAL_MEMORY = -2 }; /* what was read is not what was written; memory */
/* What somebody keeps beside the tree. */
struct journal_part {
  const char *name;
  void *context;
  void (*save)(void *context, struct records *); /* writes it (records_put...) */
  int (*load)(void *context, struct records *);  /* reads it: 0, or one of the two below */
};

/* Files that hold the states in place of the tree. */
struct journal_files {
  void *context;
  int (*settle)(void *context);             /* before a seal: everything is in them. 0, or -1: then there is none */
  void (*sealed)(void *context, int named); /* after it: they are what is gone on from; 0: the search is over, and nobody will */
};

/* A piece of the tree. */
struct journal_block {
  uint64_t first, parent; /* number of its first new state; how many states were done before it */
  uint32_t found, bits;
  uint32_t witnesses;
  uint32_t edge[JOURNAL_BLOCK];
  uint64_t bit[2 * JOURNAL_BLOCK / 64];
  uint32_t witness[JOURNAL_BLOCK / JOURNAL_WITNESS + 1];
};

/* A search at a moment that was sealed. */
struct journal_state {
  uint64_t found, expanded; /* zeros and ones so far */
  uint64_t partial;         /* of the state at hand: edges that were told (breadth-first), pending successors that had their turn (depth-first) */
  int finished;             /* the search came to its end */
  uint64_t moment;          /* several processes: a number that this moment has in all their journals, and no other has */
  double seconds;
  struct stats stats;
};

/* Whose journal it is; count 0 = that of one process. */
struct journal_rank {
  uint32_t self, count;
  uint64_t set; /* the same in all journals of the search */
};

/* States that there were. */
static inline uint64_t journal_states(const struct journal_state *s) { return s->found > s->stats.states ? s->found : s->stats.states; }

struct journal {
  struct mem *mem;
  struct records file;
  double every, due;   /* seconds; clock */
  int fresh;           /* nothing of this search is in the file yet */
  int frozen;          /* states have no numbers any more: what was sealed stays */
  const char *why;     /* NULL = it is written; or what is in the way */
  uint64_t found, expanded;
  struct journal_part part[JOURNAL_PARTS];
  size_t parts;
  struct journal_files files; /* zeroed = states are in the tree */
  struct journal_folder {
    char *path;
    uint64_t nonce; /* of the checkpoint that names it */
  } folder, left; /* where such files are; and of an earlier search of the run, whose checkpoint is still in its place */
  struct journal_block *block;
  struct {
    uint64_t states, bytes, times;
  } sealed; /* what the file holds; times: in this run */
  struct journal_state last; /* what was sealed last */
  struct journal_rank rank;
  uint64_t run;    /* several processes: a number that each of their runs has for itself */
  uint64_t serial; /* seals in the file */
  int begun;       /* several processes: RANK is in the file */
  void (*head)(void *context, struct records *); /* writes HEAD: at the beginning, and once before the first seal of a run that goes on */
  void *head_context;
  /* reading */
  int resuming; /* there is something to find again */
  struct journal_state from;
  uint64_t tree, end; /* where the tree begins, where the last seal ends (that one also while it is written) */
  uint64_t at_part[JOURNAL_PARTS];
  size_t parts_there;
  uint64_t next_block; /* in the file */
  uint32_t next_bit, next_edge, next_witness;
  uint64_t number, done; /* zeros and ones read so far */
  char *elsewhere; /* the file to go on writing; NULL = the same */
  struct journal *past; /* other ranks than then: the journals of all those that there were, which are read in place of this one until their states are put back; NULL = not so */
  uint32_t pasts;
};

#define JOURNAL_HEAD RECORDS_KIND('H', 'E', 'A', 'D')
#define JOURNAL_TREE RECORDS_KIND('T', 'R', 'E', 'E')
#define JOURNAL_PART RECORDS_KIND('P', 'A', 'R', 'T')
#define JOURNAL_SEAL RECORDS_KIND('S', 'E', 'A', 'L')
#define JOURNAL_RANK RECORDS_KIND('R', 'A', 'N', 'K')
#define JOURNAL_MINE RECORDS_KIND('M', 'I', 'N', 'E')
#define JOURNAL_NOTE RECORDS_KIND('N', 'O', 'T', 'E')
#define JOURNAL_SURE RECORDS_KIND('S', 'U', 'R', 'E')

/* A new journal; nothing is in its place before the first seal. 0, or -1 with err. */
int journal_create(struct journal *, const char *file, double every, struct mem *, struct err *);
/* One to go on from. Everything is checked. `head` reads the last HEAD: 0, or -1 with err. `lock`: nobody else may write it meanwhile. */
int journal_open(struct journal *, const char *file, double every, int lock, int (*head)(void *context, struct records *, struct err *), void *context, struct mem *, struct err *);
/* `keep` 0: there is nothing to go on with; the file goes. */
void journal_close(struct journal *, int keep);
int journal_add_part(struct journal *, const struct journal_part *); /* 0, or -1: too many */
void journal_drop_part(struct journal *, const char *name);
/* The folder of the files that the next seal names; it goes when there is nothing to go on with. 0, or -1: memory. */
int journal_set_folder(struct journal *, const char *path);

/* ---- what a search tells; all may be called for a journal that has given up ---- */
void journal_write_block(struct journal *);
static inline void journal_found(struct journal *j, uint32_t edge) {
  struct journal_block *b = j->block;
  b->edge[b->found++] = edge;
  b->bits++; /* bits are zero */
  j->found++;
  if (b->found == JOURNAL_BLOCK || b->bits == 2 * JOURNAL_BLOCK) journal_write_block(j);
}
static inline void journal_expanded(struct journal *j) {
  struct journal_block *b = j->block;
  b->bit[b->bits / 64] |= (uint64_t)1 << b->bits % 64;
  b->bits++;
  j->expanded++;
  if (b->bits == 2 * JOURNAL_BLOCK) journal_write_block(j);
}
/* Does the state that is found next want a witness? Then, before it is told (0 = there is none): */
static inline int journal_wants_witness(const struct journal *j) { return j->found % JOURNAL_WITNESS == 0; }
void journal_witness(struct journal *, uint32_t hash);
int journal_due(const struct journal *); /* is it time for a seal? */
/* A moment to go on from. 0, or -1: it could not be written; the last one stays. */
int journal_seal(struct journal *, const struct journal_state *);
/* Several processes: a seal that need not be on the disk; and all of them are. 0, or -1 likewise. */
int journal_note(struct journal *, const struct journal_state *);
int journal_make_sure(struct journal *);
/* A record of somebody else's making is begun; NULL: nothing is written any more. */
struct records *journal_record(struct journal *, uint32_t kind);
struct records *journal_begin_rank(struct journal *); /* RANK, with whose it is: the search begins */
/* The search begins anew: what was written means nothing any more. */
void journal_again(struct journal *);
/* Another search begins, of a part of the space: as journal_again, and what was to be found again, if it has not been, means nothing to it, either. */
void journal_another(struct journal *);
/* From now on nobody can say what the states' numbers are. */
void journal_freeze(struct journal *, const struct journal_state *, const char *why);

/* ---- what was told ---- */
/* What comes after the seal `serial` counts no more. 0, or -1 with err. */
int journal_back(struct journal *, uint64_t serial, struct err *);
enum journal_event { JOURNAL_FOUND, JOURNAL_EXPANDED, JOURNAL_END, JOURNAL_DAMAGED };
void journal_rewind(struct journal *);
/* The next bit. FOUND: its edge, and its witness (0 = it has none). */
enum journal_event journal_next(struct journal *, uint32_t *edge, uint32_t *witness);
/* All states are found again: parts are told, and the file is written from here on. 0, or -1 with err. */
int journal_go_on(struct journal *, struct err *);
/* Other ranks than then: the file `elsewhere` begins, that of this rank; a file that cannot be written leaves the journal silent. */
void journal_begin_anew(struct journal *, unsigned self, unsigned count);
void journal_forget_past(struct journal *); /* the states are put back */
/* A part alone. 0, or what its load said; one that is not there leaves things as they are. */
int journal_load_part(struct journal *, const struct journal_part *);

#endif
