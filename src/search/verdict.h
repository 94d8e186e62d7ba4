/* verdict.h -- the result of a run: what text, JSON and pages are made from.
 *
 * `holds` needs a complete exact search, or properties that single states decide and did
 * (every wanted state was reached).  Everything else says what it is. */
#ifndef SEARCH_VERDICT_H
#define SEARCH_VERDICT_H

#include "base/mem.h"
#include "base/stats.h"
#include "search/search.h"
#include "search/trace.h"

struct strategy; /* game.h */

/* What the members of a swarm did. */
struct swarm_figures {
  unsigned members, run; /* wanted; begun */
  uint64_t states, most; /* of all members together, the same ones counted again; of the one that saw most */
  unsigned complete;     /* members that ended by themselves */
  struct stats stats;    /* of the member that found the violation, or saw most */
  enum search_stop stop;
  double seconds, omission; /* omission: of the complete member that is surest; -1 = there is none */
  size_t store_bytes;       /* the largest store */
  struct err fault;         /* STOP_FAULT */
};

enum verdict_kind { VERDICT_HOLDS, VERDICT_VIOLATED, VERDICT_INCOMPLETE, VERDICT_LOSSY, VERDICT_ERROR };
const char *verdict_name(enum verdict_kind); /* "holds", "violated", "incomplete", "no-violation-lossy", "error" */
struct verdict;
/* 0 1 4 5; 130 when interrupted; an error is 3 when the model is at fault and 70 when Thimble is. 74: there is a verdict, but a file that belongs to it could not be written. */
int verdict_exit_code(const struct verdict *);

/* A reachable expression holds when a state shows it (the trace is a witness) and is violated when a complete exact
   search found none; the others hold after a complete exact search and are violated by a trace. */
enum prop_status { STATUS_UNKNOWN, STATUS_HOLDS, STATUS_VIOLATED };
const char *prop_status_name(enum prop_status); /* "unknown", "holds", "violated" */

/* A run to a state that decides a property, confirmed by replay. */
struct verdict_evidence {
  uint64_t steps;
  int length_unknown;  /* nobody knows how many: memory had no room for the run, or a second sweep would have told */
  struct trace *trace; /* NULL: the budget had no room for it, or nobody could confirm it */
  int too_long;        /* the definition that would confirm it gave up */
  char *file;          /* where it was written; NULL = nowhere */
};

enum { VERDICT_REDUCTIONS = 3 };

struct verdict_property {
  char id[64];
  const char *kind; /* as prop_kind_name says */
  const char *text; /* the expression, borrowed from the property; NULL for the others */
  char message[160]; /* what broke it, in words; "" = the kind says it */
  enum prop_status status;
  int shortest;                      /* no shorter run decides it */
  struct place_in_text place;        /* of what broke it; line 0 = none */
  struct verdict_evidence *evidence; /* the first one is told, the others come with --continue */
  size_t evidence_count;
  uint64_t deciding; /* states seen that decide it */
  int covered; /* the certificate has what confirms it */
  enum prop_status by_graph; /* branching properties and games: what the whole graph says */
  struct strategy *strategy; /* games: the winner's; NULL = none was made, or memory did not allow it */
  /* Temporal properties: the search that was made for it; method NULL = none was made. */
  struct {
    const char *method, *search; /* "safety", "weak", "strong" */
    uint32_t automaton_states;
    uint64_t states, transitions, depth;
    enum search_stop stop;
    int lossy;
    const char *reduced[VERDICT_REDUCTIONS]; /* the names of reductions that made it smaller, each in its place in struct verdict; NULL = not this one */
  } product;
};

struct verdict {
  struct mem *mem;
  enum verdict_kind kind;
  int complete, lossy;
  int unwritten; /* a trace, report or certificate that was to be written is not there */
  double omission; /* lossy stores: the probability that some state was missed; -1 = nobody knows, or a store without sight of cycles was asked for some */
  uint64_t cache;  /* --cache; 0 = not given */
  enum search_stop stop;
  const char *file, *language, *search, *store;
  const char *const *option; /* "--define=N=3": what makes another model, or another question, of the same text; borrowed */
  size_t options, options_of_model; /* the first ones are about the model */
  const struct verdict_input { /* a file that was read */
    const char *name;
    uint64_t hash, bytes;
  } *input; /* borrowed */
  size_t inputs;
  int language_guessed; /* from the text */
  const char *rung[SEARCH_RUNGS]; /* the stores that the run had, one after the other */
  size_t rungs;
  const char *store_requested, *search_requested;
  const char *engine;
  struct verdict_reduction {
    const char *name; /* "por"; NULL = not asked for */
    int asked, used;
    char text[200]; /* what it does, or why it is not used */
  } reduction[VERDICT_REDUCTIONS];
  uint64_t whole_states; /* a run over the whole space came so far and had no room for more; 0 = there was none before this one */
  uint64_t scout_states; /* of the directed search ahead of this one, if something was found by it alone; 0 = nothing was */
  uint32_t words, bits;
  struct verdict_property *property;
  size_t property_count;
  struct stats stats;
  size_t budget, peak, store_bytes;
  size_t resident_peak, children_peak; /* what the system says: of the whole process; of the largest one that it has started */
  size_t tag_used[MEM_TAGS]; /* what each part held when the search ended */
  double total_s, search_s, load_s, analysis_s, compile_s;
  unsigned jobs, threads;     /* that were allowed; that the search made use of, 0 = one was enough */
  /* Places that no bound exists for, and a run that proves it: its steps from pump_from on can be repeated for ever.
     The trace has them once. */
  const char **unbounded; /* names, borrowed from the model */
  size_t unbounded_count;
  int unbounded_all; /* no other place is unbounded */
  struct trace *pump;
  size_t pump_from;
  char *bounds; /* of unbounded channels that are bounded; the text of their property; may be NULL */
  uint64_t walks, seed;       /* random walks, 0 = there were none; their steps are the transitions */
  struct search_spread spread; /* ranks 0 = it was one process */
  struct search_sweep sweep;  /* sweeps 0 = there was none */
  struct store_files disk;    /* what was done on disk; `used` 0 = nothing */
  struct swarm_figures swarm; /* members 0 = it was no swarm */
  struct verdict_checkpoint {
    const char *file;  /* NULL = none was wanted; borrowed */
    unsigned ranks;    /* several processes have one each, FILE.0, FILE.1 ...; 0 = it is one */
    const char *disk;  /* where whoever goes on may go when memory ends, which has to be said again; "" = nowhere, or the files are there already */
    int there;         /* there is one to go on with */
    int whole;         /* it holds all that was explored */
    int anew;          /* the search for properties of states is over: those of runs begin anew */
    uint64_t states, bytes;    /* that it holds */
    uint64_t written, resumed; /* times, in this run; times that the run was gone on with */
    char why[200];     /* what is in the way of it; "" = nothing */
  } checkpoint;
  struct verdict_certificate {
    const char *file; /* NULL = none was wanted; borrowed */
    int there;        /* it was written */
    uint64_t bytes;
    char why[512];    /* why it was not */
  } certificate;
  const char *note; /* something was done in another way than it was asked for; NULL = nothing */
  char *advice; /* what would help, for incomplete runs; may be NULL */
  /* nets: peaks for the contest's lines; has_peaks 0 for other models */
  int has_peaks;
  uint32_t max_in_place;
  uint64_t max_in_marking;
};

/* "complete", "violation", "decided" (a goal that is no violation), or the limit's name. */
const char *verdict_stop_name(const struct verdict *);
void verdict_close(struct verdict *); /* a zeroed one is fine */
void verdict_weigh(struct verdict *); /* asks the system how large processes are */

static inline int verdict_reduced(const struct verdict *v) { /* a part was explored in place of the whole */
  int any = 0;
  for (size_t i = 0; i < VERDICT_REDUCTIONS; i++) any |= v->reduction[i].used;
  return any;
}

#endif
