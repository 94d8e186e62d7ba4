/* explore.h -- all successors of a state: which process may do what, and where a step ends.
 *
 * The rules are those of program.h.  A step is a chain of transitions: one; two when a rendezvous takes place; more inside an
 * atomic sequence or a d_step.  The chain's choices are explored depth-first on one image with one log. */
#ifndef PROCESS_EXPLORE_H
#define PROCESS_EXPLORE_H

#include "process/crossroads.h"
#include "process/machine.h"

/* One transition of a chain, for those who tell the story of a step. */
struct explore_link {
  uint32_t slot, trans;
  int32_t chan;      /* number of the channel of a communication; 0 = none */
  uint32_t partner;  /* rendezvous: 1 + slot of the sender, in the receiver's link; 0 = none */
};

struct explore_level { /* one state on the way: where a process has several things to do */
  uint32_t slot, at, end; /* transitions still to be tried */
  uint32_t mark;          /* length of the log when the level was reached */
  uint32_t fault_mark, link_mark;
  uint64_t chain;         /* transitions since its process had a choice */
  uint16_t escape, choice;
  uint8_t moved;
  /* a rendezvous under way */
  uint8_t offering, met;
  uint32_t sender; /* its transition */
  uint32_t partner, partner_at, partner_end;
  uint16_t partner_escape, partner_choice;
};

struct explore {
  struct machine *m;
  struct vec(struct explore_level) levels;
  struct vec(struct explore_link) links; /* the chain under way */
  int telling;   /* keep the links of the chain under way */
  struct machine_faults loose; /* what went wrong and belongs to no step: in guards that were false, and on ways that are no step */
  int committed; /* some process is in a committed state */
  /* Told for each complete step, with the image in the new state and the log since the old one. Returns 0 to go on. `first` is the
     chain's first transition as slot * transitions + transition. */
  int (*complete)(void *context, struct explore *, uint32_t first);
  void *context;
  uint32_t first;
  int32_t timeout; /* what IR_TIMEOUT is for the first transition of a step */
  uint64_t chain;  /* transitions since somebody had a choice */
  struct crossroads crossroads; /* choices of the step under way */
  uint64_t completed, completed_before; /* steps; when the one under way began */
  const struct model_patience *patience; /* NULL = for ever */
  int stopped;   /* it was over */
  uint64_t work; /* transitions tried inside steps, over all states: a measure of time that is the same in every run */
  int pruned; /* a choice of the step under way was known already */
  int32_t *snapshot[64]; /* of the image, to notice loops: the k-th when the chain had 2^k transitions */
  size_t snapshot_bytes[64];
};

void explore_open(struct explore *, struct machine *);
void explore_close(struct explore *);
/* The image holds a state with an empty log, and holds it again afterwards. 0; -1: `complete` wanted to stop or memory ended (m->failed).
   Faults of a step are in m->faults when it is told; those that belong to no step (a guard that divides by zero) are in `loose` in the end. */
int explore_all(struct explore *);
/* Takes a chain of transitions once more, from the state that it began in, whose timeout was that. `told` hears each one when it has
   happened (of a rendezvous both, the sender first), with the length of the log before it; the image is left where the chain ends.
   0; -1: memory, or it is no chain of that state. */
int explore_again(struct explore *, const struct explore_link *chain, size_t count, int32_t timeout,
                  void (*told)(void *context, struct explore *, const struct explore_link *, uint32_t mark), void *context);
/* 1 if process `pid` has an enabled transition; a rendezvous send counts, whether or not somebody receives (as in SPIN). */
int explore_enabled(struct explore *, uint32_t pid);

#endif
