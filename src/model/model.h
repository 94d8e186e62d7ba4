/* model.h -- what every language becomes and every search sees.
 *
 * A model is an initial state and a successor function over fixed-length vectors of
 * 32-bit words (the STATESPACE interface of Kattenbelt's thesis, in batches).  Only the
 * model knows what the words mean; people see names.
 *
 *   model   immutable after loading, except for `widen`;
 *   cursor  the scratch memory of one thread that generates successors;
 *   edge    successors come in a fixed order, so (state, k) names an edge for ever;
 *   group   the transition, statement or rule that made an edge: has a name, a place in
 *           the source, and the words that it reads and writes;
 *   var     a named number in the state: a place's token count, a program variable.
 *
 * Widening.  A model that cannot bound its values packs them into as few bits as it has
 * seen need for.  When a successor does not fit, `successors` returns MODEL_WIDEN and adds
 * nothing; the search then calls `widen` and passes every stored state through the
 * conversion it gets (store.h: rewrite).  No value is ever truncated.
 *
 * Laws (tests/laws/model.c): successors is a function of the state alone, whatever was
 * asked before; step(s, k) is its k-th entry; unstep undoes step; unpack(pack(s)) = s;
 * bits above `bits` are zero; a group changes only the words of its write set. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/err.h"
#include "base/mem.h"

#include <stdint.h>

struct model;
struct model_cursor;

/* Successors of one or more states, ready to be hashed as one batch.
 * State i lies at states + i * stride; stride is even, padding is zero. */
struct model_batch {
  struct mem *mem;
  size_t stride, count, room;
  uint32_t *states;
  uint32_t *group;
  struct model_fault *faults; /* what went wrong on the way: empty for most models and most states */
  size_t fault_count, fault_room;
};

/* A failed assertion or a run-time error, told with the step that made it (the step is in the batch all the same), or with
   no step: evaluating a guard went wrong. */
#define MODEL_NO_EDGE SIZE_MAX
#define MODEL_RUNTIME UINT32_MAX
struct model_fault {
  size_t edge;     /* index in the batch, or MODEL_NO_EDGE */
  uint32_t claim;  /* which of the model's claims it breaks; MODEL_RUNTIME = none, a run-time error */
  uint32_t detail; /* for the model's fault_text */
  uint32_t source; /* free for the caller: whose successor */
};
int model_batch_fault(struct model_batch *b, struct model_fault); /* 0 or -1 */
int model_batch_open(struct model_batch *b, struct mem *mem, uint32_t words, size_t room);
int model_batch_grow(struct model_batch *b, size_t room);        /* 0 or -1; keeps contents */
int model_batch_restride(struct model_batch *b, uint32_t words); /* after widen; empties it */
void model_batch_close(struct model_batch *b);

enum { MODEL_GIVES_UP = -2 }; /* of define_edge */

enum model_answer {
  MODEL_OK,
  MODEL_WIDEN,  /* a successor does not fit: call widen, then ask again */
  MODEL_MEMORY, /* the batch or the value table hit the budget */
  MODEL_STOPPED, /* patience was over in the middle of it: see model_cursor */
  MODEL_FAULT,  /* the model itself is wrong here (value beyond 2^31-1, runtime error): see model_fault() */
};

#define MODEL_FAR UINT32_MAX

/* Distances: both of two things are wanted, or one of them. Guesses add up; of bounds the larger one is a bound. */
static inline uint32_t model_both(uint32_t a, uint32_t b, int bound) {
  if (a == MODEL_FAR || b == MODEL_FAR) return MODEL_FAR;
  if (bound) return a > b ? a : b;
  return a > MODEL_FAR - 1 - b ? MODEL_FAR - 1 : a + b;
}
static inline uint32_t model_either(uint32_t a, uint32_t b) { return a < b ? a : b; }

enum model_label {                /* what a state may be beside its values */
                   MODEL_END = 1, /* a valid end: no successors is no deadlock */
                   MODEL_PROGRESS = 2,
                   MODEL_ACCEPT = 4,
};

enum model_role {
  MODEL_ROLE_NONE,   /* no step had a part of it but for its first */
  MODEL_ROLE_PART,   /* steps that are called by another group had one */
  MODEL_ROLE_ABSENT, /* there never was a process whose statement it would be */
};

/* A word set: which words of a state a group reads or writes. Bit i of mask[i / 64] is word i. */
struct model_words {
  const uint64_t *mask;
  size_t count; /* of 64-bit masks */
};

/* A successor by the definition, or something that went wrong without one. */
struct model_defined {
  uint32_t group;
  const int64_t *values; /* NULL: there is no step, evaluating a guard went wrong */
  size_t vars;           /* how many they are, which may be more than the model has now */
  const uint32_t *claim; /* what went wrong: claims that it breaks, or MODEL_RUNTIME */
  size_t claims;
};

/* What the model itself states: an assertion in its text, or a temporal claim (never claim, formula). */
struct model_claim {
  char id[64];      /* "assert:9", "never", "ltl:safe": unique within the model */
  const char *kind; /* "assert", "ltl", or "claim": an automaton over the model's states */
  const char *formula; /* "ltl": its text, in Promela's grouping */
  const char *written; /* the same with all blanks and line ends, and where the bracket before it stands: for errors in it. NULL = not known */
  struct place_in_text place, bracket;
};

/* A claim that is an automaton: it takes an edge in every state that the model is in, if all its literals are true there. */
#define MODEL_CLAIM_BROKEN UINT32_MAX /* as target: what it describes has happened, whatever comes */
struct model_literal {
  uint32_t condition; /* a number that model_type.condition_value knows */
  uint8_t negated;
};
struct model_claim_edge {
  uint32_t from, to;
  const struct model_literal *literal;
  size_t literals;
};
struct model_claim_automaton {
  uint32_t states, initial;
};

/* ---- stories: what people want to know of models that are made of processes ---- */

struct model_process {
  const char *name; /* NULL = none */
  uint32_t pid;
};

struct model_field { /* of a message */
  const char *text;  /* as the language writes it */
  int64_t value;
  int symbolic; /* the text is a name, not the number */
};

enum model_deed { MODEL_ACTS, MODEL_SENDS, MODEL_RECEIVES, MODEL_PEEKS }; /* peeks: the message stays in the channel */

/* One transition of one process. A step has one part; two where processes meet in a rendezvous (the sender's first); one for
   each statement of an atomic sequence. All text is borrowed and lives until the listener returns. */
struct model_part {
  struct model_process process;
  struct place_in_text place;
  const char *statement;
  enum model_deed deed;
  const char *channel;               /* the name of its declaration; NULL = no communication */
  const struct model_field *message; /* what was sent or received */
  uint32_t fields;
  struct model_process partner; /* of a rendezvous */
  int lost;                     /* the channel was full and the message is gone */
  const struct model_process *started;
  uint32_t started_count;
  int ended;           /* the process dies in this part */
  const char *printed; /* by printf; NULL = nothing */
  const char *fault;   /* what went wrong in it, in words; NULL = nothing */
  struct place_in_text fault_place;
};

/* Where a process stands and what it could do next. */
struct model_stand {
  struct model_process process;
  struct place_in_text place;
  const char *statement; /* "q!x" or "q?m or timeout": what it waits for; "" = it has nothing left to do */
  int end;               /* it may stay here for ever */
};

enum model_var_kind {
  MODEL_VAR_PLAIN,
  MODEL_VAR_PART,     /* a piece of the variable `whole`, which tells all (a message within a channel) */
  MODEL_VAR_CONTROL,  /* where a process stands: parts and stands tell it better */
  MODEL_VAR_INTERNAL, /* not for people */
  MODEL_VAR_UNUSED,   /* means nothing in this state */
};

/* What a variable is in one state. */
struct model_var {
  enum model_var_kind kind;
  uint32_t whole;
  char name[160];  /* find_var finds it */
  char label[160]; /* what people call it */
  char text[240];  /* its value as the language writes it */
};

/* How far a state is: a number that steps hardly ever lower (search/progress.h).  Each kind's own struct begins with it. */
struct model_measure {
  int64_t (*value)(struct model_measure *, struct model_cursor *, const uint32_t *state);
  void (*close)(struct model_measure *);
  char text[200]; /* for people: "2 * sent + received" */
  int monotone;   /* proven: no step lowers it */
};

struct dependence;
struct expr;
struct model_thrift; /* each kind's own */

/* What is asked of a model, for those who make it smaller: whatever answers this must be kept, and nothing else need be. */
struct model_aims {
  const struct expr *const *expr; /* what is seen of a state, beside the model's own labels; NULL entries are labels */
  size_t exprs;
  int deadlocks;          /* states without successors, and whether they are valid ends */
  int assertions, errors; /* faults of steps: failed assertions, run-time errors */
  int runs;               /* whole runs, up to stuttering: not only which states can be reached */
  int thrifty;            /* of those who find states alike: steps are chosen, too (thrift_choose) */
  int sliced;             /* of those who find states symmetric: what does not matter is left out before */
  int permuted;           /* of those who choose steps: states are replaced by symmetric ones on the way, so numbers of processes are no names */
};

/* Likeness: states that nothing of what is asked can tell from each other, and one that stands for each of them.  Two kinds: values that nobody will read any more do not matter (slice), nor does it matter
   which of several equal things is which (symmetry).  Laws (tests/laws/likeness.c): what stands for a state stands for itself; it has the same expressions and labels; a state and what stands for it have, seen
   through the likeness, the same successors and the same faults, but for steps that lead to a state for which the same one stands. It is a function of values, not of the layout, and of the state alone.
   (Where there is a `follow`, "the same successors" are the same up to likeness itself: what stands for one of them may be alike to what stands for the other.) */
struct model_likeness { /* each kind's own begins with it */
  const struct model_likeness_type *type;
  char text[200]; /* for people: "3 processes of P" */
};
struct model_likeness_type {
  const char *name; /* "slice", "symmetry" */
  /* 0; 1: none that is of use, and `why` tells people what is in the way (or is empty: there is nothing to tell); -1: memory. One is used by one thread. */
  int (*open)(struct model_likeness **out, const struct model *, const struct model_aims *, struct mem *, char *why, size_t room);
  /* The state becomes the one that stands for it. MODEL_OK; MODEL_WIDEN: that does not fit the layout, and the cursor knows why (the state is as it was); MODEL_MEMORY. */
  enum model_answer (*apply)(struct model_likeness *, struct model_cursor *, uint32_t *state);
  void (*close)(struct model_likeness *);
  /* Where alike states may have different ones that stand for them (of large groups not all symmetries are tried), a path is led back by what was exchanged on it. follow_begin: 0, or -1: memory. follow: a state of the path, first the
     initial one, then one successor of what stands for the last one after the other, before anything stands for it; gives the state in which the real path is then, which a step of the same kind leads to. NULL = that does not happen. */
  int (*follow_begin)(struct model_likeness *);
  enum model_answer (*follow)(struct model_likeness *, struct model_cursor *, const uint32_t *state, uint32_t *real);
};

struct model_type {
  const char *kind; /* "place/transition net", "labelled transition system", ... */
  void (*close)(struct model *);

  /* From now on cursors are used by several threads at once, each by one, until it is called with 0 threads, when one is left; before each piece of work again, with the number of states that were expanded so far. The model may do
     there what it does between two states otherwise. 0, or -1: this model cannot. NULL = none of its kind can: cursors share too much. */
  int (*share)(struct model *, unsigned threads, uint64_t expanded);

  /* What a cursor has noted on the way beside successors also counts for another one from now on. NULL = nothing. */
  void (*pool)(struct model_cursor *into, const struct model_cursor *from);

  int (*cursor_open)(struct model_cursor **out, const struct model *, struct mem *mem);
  void (*cursor_close)(struct model_cursor *);

  void (*initial)(const struct model *, uint32_t *state);
  /* Appends all successors of `state` to the batch. */
  enum model_answer (*successors)(struct model_cursor *, const uint32_t *state, struct model_batch *batch);
  /* The k-th successor alone; NULL = the generic one by successors. 1; 0: there is no k-th; -1: it could not be made (see model_step). */
  int (*step)(struct model_cursor *, const uint32_t *state, uint32_t k, uint32_t *out, uint32_t *group);
  /* The state from which `group` leads to `state`: 1 and out, or 0 if there is none. NULL = cannot run backwards.
     For nets this is firing backwards: the predecessor need not be reachable. */
  int (*unstep)(struct model_cursor *, const uint32_t *state, uint32_t group, uint32_t *out);

  /* Widening. NULL for models whose layout never changes. `widen` picks a layout in which the value that
     did not fit (remembered by the cursor) fits, and fills `convert`, to be called with the model itself as
     context; cursors stay valid and use the new layout, which has no fewer words (strides and the zeros behind states stay). -1 when a value exceeds 2^31-1: see err. */
  int (*widen)(struct model *, struct model_cursor *, struct err *);
  void (*convert)(void *model, const uint32_t *old_words, uint32_t *new_words);
  void (*widen_done)(struct model *, int keep); /* after conversion: forget the old layout, or (keep 0) go back to it */
  /* 1 if from `small` every run can be repeated from `big`, which is strictly larger: then a path from small
     to big can be repeated for ever and the model is unbounded. NULL = not monotone. */
  int (*covers)(const struct model *, const uint32_t *small, const uint32_t *big);

  unsigned (*labels)(const struct model *, const uint32_t *state); /* set of enum model_label; NULL = none */

  /* Where in a state its components (processes, channels, globals) begin: bits, ascending, the first 0. Returns how many there are and writes
     those that there is room for. NULL = a state has none. */
  size_t (*components)(const struct model *, uint32_t *bit, size_t room);

  int64_t (*value)(const struct model *, const uint32_t *state, uint32_t var);
  int (*fireable)(struct model_cursor *, const uint32_t *state, uint32_t group);
  int (*stuck)(struct model_cursor *, const uint32_t *state); /* 1: nothing can happen. NULL = no group is fireable (model_stuck) */
  /* Was there no memory for an answer (fireable, a value, a condition)? What was answered since may be wrong, and successors say MODEL_MEMORY from then on. NULL = there always is. */
  int (*at_a_loss)(const struct model *);
  /* Names. var and group by name: index, or -1 unknown, -2 ambiguous. */
  int64_t (*find_var)(const struct model *, const char *name, size_t length);
  int64_t (*find_group)(const struct model *, const char *name, size_t length);
  /* A name that stands for several of them, one after the other (a coloured place of a net that was unfolded): 1, or 0: it does not. Sums of variables and disjunctions
     of groups are meant by it. NULL = there are no such names. */
  int (*family)(const struct model *, int groups, const char *name, size_t length, uint32_t *first, uint32_t *count);
  const char *(*var_name)(const struct model *, uint32_t var);
  const char *(*group_name)(const struct model *, uint32_t group);
  struct place_in_text (*var_place)(const struct model *, uint32_t var);     /* NULL = unknown */
  struct place_in_text (*group_place)(const struct model *, uint32_t group); /* NULL = unknown */
  /* Games: whose step it is, as the language says it: OWNER_* of owners.h. NULL = its name says it. */
  int (*owner)(const struct model *, uint32_t group);
  /* A value as the language writes it; NULL = a decimal number. */
  void (*print_value)(const struct model *, uint32_t var, int64_t value, char *out, size_t room);

  /* The definition of the language, slow and plain, on values instead of packed words: it shares no code with
     the fast engine and is what traces are replayed against (search/replay.c). `values` has one number per var. */
  void (*define_initial)(const struct model *, int64_t *values);
  int (*define_step)(const struct model *, const int64_t *values, uint32_t group, int64_t *out); /* 1, or 0: not enabled */

  /* For models in which a group can make several successors of a state, instead of define_step: the k-th successor by the
     definition, in the order of `successors`. 1, 0: there is none, -1: memory, MODEL_GIVES_UP: the step is too long for so slow a definition. */
  int (*define_edge)(const struct model *, const int64_t *values, uint32_t k, uint32_t *group, int64_t *out, struct mem *);

  /* All of it at once, for those who confirm whole sets of states (audit/): every successor by the definition, in the order of define_edge, with what goes wrong in it. `values` has model->vars numbers. 0; -1: memory;
     MODEL_GIVES_UP. NULL = define_step or define_edge tell all there is, and nothing goes wrong. */
  int (*define_all)(const struct model *, const int64_t *values, struct mem *, void (*hear)(void *, const struct model_defined *), void *);
  unsigned (*define_labels)(const struct model *, const int64_t *values); /* as labels; NULL = none */
  /* Values that come from a file: could they be a state, so that the definition may be asked about them? 1, 0, -1: memory. NULL = whatever numbers they are. */
  int (*define_fits)(const struct model *, const int64_t *values, struct mem *);
  /* Is a part of the model code that only a compiler reads, whose steps may depend on more than the state? 1, with where it begins and what would help; 0: no. NULL = no. */
  int (*opaque)(const struct model *, struct place_in_text *, const char **hint);
  /* Where values mean something to this process alone: as bytes that mean the same in every process, the same ones for the same state, and back. pack returns the length and writes them if room allows; unpack 0 or -1 (damaged, or
     memory). NULL = they are numbers. */
  size_t (*define_pack)(const struct model *, const int64_t *values, uint8_t *out, size_t room);
  int (*define_unpack)(const struct model *, const uint8_t *data, size_t length, int64_t *values);

  /* What the model claims about itself, and what went wrong. NULL = it claims nothing. */
  uint32_t (*claims)(const struct model *);
  void (*claim)(const struct model *, uint32_t index, struct model_claim *out);
  /* Claims of the kind "claim": runs that the automaton accepts break it. Tells every edge; 0, or -1 with err. NULL = there are none. */
  int (*claim_automaton)(const struct model *, uint32_t claim, struct model_claim_automaton *out,
                         int (*edge)(void *context, const struct model_claim_edge *), void *context, struct err *);
  int (*claim_accepts)(const struct model *, uint32_t claim, uint32_t state); /* does it accept runs that are in this state again and again? */
  void (*fault_text)(const struct model *, const struct model_fault *, char *out, size_t room);
  struct place_in_text (*fault_place)(const struct model *, const struct model_fault *);
  /* May a run-time error be one of a state, without a step (MODEL_NO_EDGE)? NULL = it may. */
  int (*fails_standing)(const struct model *);

  /* Stories. NULL = variables mean the same in every state, and groups tell all about a step. */
  void (*describe)(const struct model *, const uint32_t *state, uint32_t var, struct model_var *out);
  /* The parts of the k-th successor of a state, one after the other. Returns how many there are; 0: no such successor; -1: memory. */
  int64_t (*parts)(struct model_cursor *, const uint32_t *state, uint32_t k, void (*hear)(void *, const struct model_part *), void *);
  /* Where each process stands, in the order of their pids. 0 or -1. */
  int (*stands)(const struct model *, const uint32_t *state, void (*hear)(void *, const struct model_stand *), void *);
  /* The index-th thing that was noticed while the model ran and is no error. 1, or 0: there are no more. Cursors tell when
     they are closed. */
  int (*warning)(const struct model *, uint32_t index, struct place_in_text *at, char *text, size_t room);

  /* Conditions in the model's own language, where that says more than names and numbers (expr.h asks here first). condition: its number, or -1 with
     err; `what` is the option or file it comes from. condition_define: by the definition, slowly, one thread at a time.
     NULL = the model has no language of its own. */
  int64_t (*condition)(const struct model *, const char *text, size_t length, const char *what, struct err *);
  int vars_are_no_numbers; /* values of variables mean something to the model alone: expr.h's own language may not speak of them, people and files get their text (describe) */
  /* Where values are no numbers and expr.h's language may speak of variables all the same: how many there are of what the variable holds (tokens of a coloured place), in a state and by the definition.
     Then its language comes before the model's own. NULL = it may not. */
  int64_t (*amount)(const struct model *, const uint32_t *state, uint32_t var);
  int64_t (*amount_define)(const struct model *, const int64_t *values, uint32_t var);
  int64_t (*condition_value)(struct model_cursor *, const uint32_t *state, uint32_t condition);
  int64_t (*condition_define)(const struct model *, const int64_t *values, uint32_t condition);

  /* No more conditions will be asked for: what is kept to read them may go. May be NULL. */
  void (*asked_all)(struct model *);

  /* Acceptance (generalised Buechi): how many sets there are, and for the edges that the last call of successors appended, in which of them
     each is (bit i: set i). A run is accepting if it takes edges of every set for ever. NULL = the model accepts nothing. */
  unsigned (*sets)(const struct model *);
  const uint64_t *(*marks)(const struct model_cursor *);
  /* Who moves in the edges that the last call of successors appended: sets of processes by their numbers, 63 standing for all from 63 on. Kept from the first
     time on that somebody asks (which gets nothing yet). NULL = there are no processes. */
  const uint64_t *(*movers)(struct model_cursor *);
  /* What groups are beside the names of steps. note_parts: from now on the cursor notes it, and tells the model when it is closed; role: what is known then. NULL = steps
     have no other parts than the group that they are called by. */
  void (*note_parts)(struct model_cursor *);
  enum model_role (*role)(const struct model *, uint32_t group);
  /* A condition (above) to be evaluated in every successor from now on, while it is made, which is cheaper than afterwards: its bit in `letters`, or -1: not this one
     (or memory). letters: which of them are true in the successors that the last call appended. NULL = conditions have to be evaluated afterwards. */
  int (*watch)(struct model_cursor *, uint32_t condition);
  const uint64_t *(*letters)(const struct model_cursor *);

  /* How far a state seems to be from something, for searches that look for it: smaller is nearer, MODEL_FAR = it cannot be reached from here. Each comes as a guess, or
     (`bound`) as a lower bound that falls by one at most in a step. Bounds of conditions count steps, and are 0 where it is so already; the others count
     the states on the way that must be expanded, this one included. NULL = nothing is known.
       stuck_distance      from a state in which nothing can happen
       claim_distance      from breaking one of the claims, or from a run-time error (MODEL_RUNTIME)
       condition_distance  from a state in which the condition is true (`wanted` 1) or false
       group_distance      from a state in which the group can happen
       most_gain           the most that a step can add to a sum of variables, each that many times; INT64_MAX = nobody knows */
  uint32_t (*stuck_distance)(struct model_cursor *, const uint32_t *state, int bound);
  uint32_t (*claim_distance)(struct model_cursor *, const uint32_t *state, uint32_t claim, int bound);
  uint32_t (*condition_distance)(struct model_cursor *, const uint32_t *state, uint32_t condition, int wanted, int bound);
  uint32_t (*group_distance)(struct model_cursor *, const uint32_t *state, uint32_t group, int bound);
  int64_t (*most_gain)(const struct model *, const uint32_t *var, const int64_t *times, size_t count, struct mem *);

  /* Measures of progress that follow from what the model is, of which there are several kinds: 0, 1, 2, ...; one is used by one thread. 0: *out is of this kind; 1: the kind has
     nothing to say about this model; 2: there is no such kind, nor a later one; -1 with err: memory. NULL = nothing is known. */
  int (*measure)(struct model_measure **out, const struct model *, unsigned kind, struct mem *, struct err *);

  /* Partial orders: what actions have to do with each other (dependence.h), and whether a guard is true in a state. Groups are the actions. dependence: 0; 1: there is no use in it; -1: memory. NULL = nothing
     is known. */
  int (*dependence)(const struct model *, struct dependence *out);
  int (*guard)(struct model_cursor *, const uint32_t *state, uint32_t guard);

  /* The same for models whose actions are not known beforehand, as processes come and go: the model itself chooses. thrift_open: 0; 1: there is no use in it, and `why` tells people the reason (or is empty); -1: memory; one is used by one thread. thrift_choose,
     right after successors: keep[i] tells whether successor first + i need be taken. It is a function of the state alone. 0; 1: all must be; -1: memory. NULL = nothing is known. */
  int (*thrift_open)(struct model_thrift **out, const struct model *, const struct model_aims *, struct mem *, char *why, size_t room);
  double thrift_worth; /* choosing takes so long that it pays only if at most this share of the steps is left */
  int (*thrift_choose)(struct model_thrift *, struct model_cursor *, const struct model_batch *, size_t first, uint8_t *keep);
  void (*thrift_close)(struct model_thrift *);

  /* States that are alike. NULL = nothing is known. */
  const struct model_likeness_type *slice, *symmetry;

  /* A smaller model that is as good for what is asked: the same variables and groups by the same numbers, of which some are not in its states or never happen any more, and more groups behind them. 0; 1: it
     would not be smaller; -1 with err. It must be closed before the one that it was made from. stands_for: the groups of the larger model that happen one after the other when the group of the smaller one does; returns
     how many. NULL = nothing is known. */
  int (*smaller)(struct model **out, const struct model *, const struct model_aims *, char *what, size_t room, struct mem *, struct err *);
  size_t (*stands_for)(const struct model *smaller, uint32_t group, const uint32_t **groups);

  /* Groups and the words they touch. */
  struct model_words (*reads)(const struct model *, uint32_t group);
  struct model_words (*writes)(const struct model *, uint32_t group);

  /* A portable form that does not depend on the layout: for disk, network, certificates.
     pack returns its length and writes it if room allows; unpack returns 0 or -1 (damaged). */
  size_t (*pack)(const struct model *, const uint32_t *state, uint8_t *out, size_t room);
  int (*unpack)(const struct model *, const uint8_t *data, size_t length, uint32_t *state);
  /* What the words of a state mean now, as a number: processes in which it is the same mean the same by the same words. NULL, or 0 = words mean something to this process alone (numbers of values
     that it has met); then whoever tells states to others packs them. Where unpack says -1 because a state does not fit the layout, a model with widen can be widened by any of its cursors, perhaps several times, until it does. */
  uint64_t (*layout_sign)(const struct model *);
  /* The layout as bytes, and a model of the same text that takes it over before any state of it is kept (its cursors follow): for states in files that another process goes on with. It is the same layout if layout_sign says the same
     afterwards. keep returns the length and writes it if room allows; take returns 0; -1: that is none of this model; -2: memory. NULL = it never changes where there is no widen; otherwise it cannot be handed on. */
  size_t (*layout_keep)(const struct model *, uint8_t *out, size_t room);
  int (*layout_take)(struct model *, const uint8_t *data, size_t length);
};

struct model { /* each language's own struct begins with this */
  const struct model_type *type;
  struct mem *mem;
  const char *language; /* "pnml", "net", "aut", ... as in --json */
  int language_guessed; /* the text said so, not a suffix or --language */
  const char *file;
  uint32_t words, bits;
  uint32_t vars, groups;
  int chance; /* its steps draw random numbers: for simulations only, and no definition confirms them */
};

/* How long one call may take: a state of a program may have millions of successors, or steps of millions of statements. */
struct model_patience {
  const volatile int *interrupt; /* may be NULL */
  double until;                  /* clock_now(); 0 = for ever */
};
int model_impatient(const struct model_patience *); /* is it over? NULL never is. Looks at the clock: ask now and then */

struct model_cursor { /* each language's own struct begins with this */
  const struct model *model;
  struct mem *mem;
  const struct model_patience *patience; /* NULL = for ever */
  void *reduced;                         /* scratch of reduce/reduction.c; NULL = all steps are taken */
  uint64_t unwatched;                    /* bits of `letters` that nobody will look at after the next call of successors: set by who watches */
  char fault[200]; /* why MODEL_FAULT */
};

/* Generic parts, so that languages need not repeat them. model_step: 1; 0 if there is no k-th; -1 if the successors
   could not be generated (memory, a value that does not fit, a fault). scratch is used only where the type has no step. */
int model_step(struct model_cursor *, const uint32_t *state, uint32_t k, uint32_t *out, uint32_t *group,
               struct model_batch *scratch);
void model_print_value(const struct model *, uint32_t var, int64_t value, char *out, size_t room);
/* The value of a variable in a state as the language writes it; "" where the variable means nothing. */
void model_tell_value(const struct model *, const uint32_t *state, uint32_t var, char *out, size_t room);
int model_stuck(struct model_cursor *, const uint32_t *state);
static inline int model_at_a_loss(const struct model *m) { return m->type->at_a_loss && m->type->at_a_loss(m); }
/* Words per state in batches: even, so that 64-bit loads are aligned. */
static inline size_t model_stride(uint32_t words) { return ((size_t)words + 1) & ~(size_t)1; }

void model_close(struct model *); /* NULL is fine */

#endif
