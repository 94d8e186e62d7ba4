/* judge.h -- the listener that asks the properties.
 *
 * It hears NEW (for expressions), EXPANDED (for deadlocks) and FAULT (for what the model claims itself), keeps the path to each state
 * that decides a property, and answers GOAL when nothing more is to be decided:
 *
 *   collect 0   at the first violation, or when every property is decided;
 *   collect n   never: the whole space is explored, n deciding paths are kept (and the
 *               first one of every property in any case), all deciding states are counted. */
#ifndef SEARCH_JUDGE_H
#define SEARCH_JUDGE_H

#include "base/vec.h"
#include "prop/prop.h"
#include "search/affected.h"
#include "search/search.h"

struct judge_found {
  size_t prop;             /* index */
  uint64_t depth;          /* of the state, as the search told it */
  int has_fault; /* what went wrong on the way: `fault`, in the last step of the path or, without one, after it */
  struct model_fault fault;
  store_ref state;         /* as the search calls it, and the step in which the fault happened: UINT32_MAX = none */
  uint32_t edge, group;
  int roundabout;          /* by a search whose runs are not shortest, whatever is known of those of the other one */
  int has_path;            /* 0: the budget had no room for it */
  struct search_path path; /* in the judge's own memory */
};

struct judge {
  struct listener listener;
  struct mem *mem;
  const struct prop *props;
  size_t count;
  size_t collect;
  int lasting;        /* what was found stays found when the exploration begins anew */
  int decide_all;     /* with collect 0: at a violation the others are still waited for */
  uint64_t *deciding; /* per property: states that decide it, seen so far */
  uint8_t *now;       /* per property: the state at hand decides it */
  size_t state_props; /* properties that states or steps decide */
  size_t undecided;   /* those of them without a deciding state */
  struct vec(struct judge_found) found;
  struct model_cursor *cursor; /* for fireable(); NULL if no property needs one */
  const struct model *model;
  const struct affected *affected; /* which properties a step can decide; NULL = any */
  void *reserve; /* memory kept back for paths: when a violation shows up late, the budget may be full */
};

int judge_open(struct judge *, const struct model *, const struct prop *props, size_t count, size_t collect, struct mem *,
               struct err *);
void judge_close(struct judge *);

/* What it has found so far, in a journal (journal.h). */
struct records;
void judge_save(void *judge, struct records *);
int judge_load(void *judge, struct records *); /* as journal.h says */

#endif
