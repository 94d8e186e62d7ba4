/* traces.h -- are the words of one state of a labelled graph words of another?
 *
 * A word is the labels of a run, hidden steps (label 0) left out.  Of interest are all of them (traces), or those of runs that end in a state without successors (the
 * language: what the graph can have done when it has come to its end). */
#ifndef SEARCH_TRACES_H
#define SEARCH_TRACES_H

#include "base/err.h"
#include "model/model.h"
#include "search/graph.h"

struct traces_word {
  uint32_t *label; /* of memory that the caller frees; NULL = the empty one */
  size_t count;
};
/* 1: every word of `a` is one of `b`; 0: `out` is one that is not, of a shortest run; -1 with err: memory, or ERR_LIMIT: patience was over. */
int traces_included(const struct graph *, uint32_t a, uint32_t b, int language, struct traces_word *out, const struct model_patience *, struct mem *, struct err *);

#endif
