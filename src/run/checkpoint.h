/* checkpoint.h -- a run that can be gone on with: what is searched, for whom, how far it is.
 *
 * The tree of the search for properties of states is in a journal (search/journal.h); this is what stands around it:
 *
 *   HEAD   version of the program, how often the run was gone on with, command line, model and other files with their hashes, properties, reductions
 *   parts  "judge": what was found; "run": figures of a search that is over, temporal properties that hold; and those of the caller (counts, curves)
 *
 * Temporal properties have searches of their own, which begin anew when the run goes on; those that are known to hold are not asked again.  Properties of the whole graph (CTL, games) cannot be
 * gone on with, nor can searches other than bfs and dfs, nor stores that forget or miss states: checkpoint_possible says so.
 *
 * The file is there while there is something to go on with, and goes when the run comes to its end.  Of several processes (run.h: spread) each has its own. */
#ifndef RUN_CHECKPOINT_H
#define RUN_CHECKPOINT_H

#include "run/run.h"
#include "search/journal.h"

#define CHECKPOINT_EVERY 300.0

struct judge;

struct checkpoint_input { /* a file that was read */
  char *name;
  uint64_t hash, bytes;
};

struct checkpoint {
  struct journal journal;
  struct mem *mem;
  char *set;              /* several processes: what their journals are called together; NULL = it is one */
  char *other_set;        /* what those are called that are written from now on; NULL = the same */
  int resumed;            /* it is one that is gone on with */
  char *version;          /* of the program that wrote it */
  uint64_t times;         /* how often the run was gone on with, this time included */
  char *model, *absolute; /* the model's file, as it was called and from the root */
  const char *disk;       /* the folder to go to when memory ends, as the user calls it: whoever goes on has to name it again; NULL = none, or the files are there */
  struct vec(char *) argument; /* --name=value, what the run was asked for */
  struct vec(struct checkpoint_input) input;
  uint64_t asked;         /* hash of the properties */
  unsigned reduced;       /* reductions that are used for properties of states */
  uint64_t whole_states;  /* with reductions because the whole space had no room: so many states were found before; 0 = not so */
  double total;           /* seconds of the parts before this one */
  /* of this run */
  const struct run_setup *run;
  struct search *search;  /* while there is one */
  struct verdict *verdict;
  double started;
  int states, more;       /* there is a search for states; temporal properties are asked, after it */
  int searched;           /* that one is over */
  uint64_t peak_in_place, peak_in_marking;
  uint8_t *holds;         /* per property: it is temporal and known to hold; the verdict has the figures */
};

/* May what is asked be gone on with? -1 with err (ERR_USAGE): it may not, and why. */
int checkpoint_possible(const struct run_setup *, struct err *);
/* A new one, and one to go on with. 0, or -1 with err. */
int checkpoint_create(struct checkpoint *, const char *file, const struct run_spread *, double every, struct mem *, struct err *);
int checkpoint_open(struct checkpoint *, const char *file, const struct run_spread *, double every, struct mem *, struct err *);
/* Are there other ranks than those that wrote it? Then it is that of the first of them, and stays as it is: they write a set of another name. */
static inline int checkpoint_of_other_ranks(const struct checkpoint *c, const struct run_spread *spread) { return spread && c->journal.rank.count && c->journal.rank.count != spread->count; }
/* What is written from now on has another name. 0, or -1: memory. */
int checkpoint_write_elsewhere(struct checkpoint *, const char *file, const struct run_spread *);
/* The journal of one of several processes: FILE.3; of one alone (NULL): FILE. The caller frees it; NULL: memory. */
char *checkpoint_name(const char *file, const struct run_spread *, struct mem *);
/* What it is about; copied. */
int checkpoint_describe(struct checkpoint *, const char *model, const char *const *argument, size_t arguments, const struct checkpoint_input *, size_t inputs, struct err *);
/* The files that were read now are those that were read then? -1 with err. */
int checkpoint_same_input(const struct checkpoint *, const struct checkpoint_input *, size_t inputs, struct err *);
/* The folder of the files that it names, in memory of its own; NULL: states are in the tree. */
char *checkpoint_folder(struct checkpoint *);
int checkpoint_has_part(struct checkpoint *, const char *name);
void checkpoint_close(struct checkpoint *, const struct verdict *); /* a zeroed one is fine; the file stays if the verdict (NULL = there is none) leaves something to do */
/* What the verdict tells of it. */
void checkpoint_tell(const struct checkpoint *, struct verdict *);

/* ---- for run.c ---- */
int checkpoint_begin(struct checkpoint *, const struct run_setup *, struct verdict *, struct err *); /* once the reductions are known; -1 with err: they are others now */
void checkpoint_begin_again(struct checkpoint *, uint64_t whole_states);                       /* a second run, with reductions */
struct journal *checkpoint_journal(struct checkpoint *, struct judge *);                       /* for the search for properties of states */
void checkpoint_search_over(struct checkpoint *, struct search *);                              /* it has ended, and the verdict has its figures */
/* Its end is what the run goes on from: everything is read, and `searched` is set. 0, or -1 with err. */
int checkpoint_take(struct checkpoint *, struct judge *, struct err *);
void checkpoint_hold(struct checkpoint *, size_t property);                                    /* a temporal property holds */

#endif
