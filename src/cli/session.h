/* session.h -- what every command does alike: budget, model, colours, errors, files, signals. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cli/options.h"
#include "front/front.h"
#include "model/model.h"
#include "report/report.h"
#include "search/search.h"

#include <stdio.h>

enum {
  EXIT_HOLDS = 0,
  EXIT_VIOLATED = 1,
  EXIT_USAGE = 2,
  EXIT_MODEL = 3,
  EXIT_INCOMPLETE = 4,
  EXIT_INTERNAL = 70,
  EXIT_OUTPUT = 74,
  EXIT_INTERRUPTED = 130
};

struct run_spread;
struct checkpoint;

struct session {
  const struct run_spread *spread; /* this is one of several processes of a run; NULL = it is alone */
  struct options options;
  struct mem small; /* the command line itself, outside of the budget */
  struct mem mem;   /* the budget */
  struct model *model;
  int mute;         /* standard output cannot be written, and that was told */
  const char *file; /* the model's; static or from argv */
  enum front_unfold unfold; /* other than auto: the command insists */
  double load_s;
  struct err err;
  size_t errors; /* of the model, told while it was read; `err` has the first */
  struct front_override *overrides; /* markings, then defines */
  const char **folders;             /* of --include, NULL-terminated */
  int draws; /* the model may draw random values, by --seed: set before it is loaded (front.h) */
  int all_warnings; /* session_warnings tells all, not only some */
  struct err spaceless; /* session_load_to_look: why the model has no state space; ERR_NONE = it may have one */
  struct session_file { /* of --automaton, then of --observer */
    int observer;
    const char *name;
    char *text;
    size_t length;
  } *automata;
  size_t automaton_count;
  struct checkpoint *resume; /* what is gone on with; NULL = nothing is */
  struct vec(char *) texts;  /* of the command line that resume has made */
  int hears_inputs;          /* what is read is to be known by its hash: 1 if it can be, 2 or there is an error */
  struct vec(struct verdict_input) inputs;
  struct vec(char *) altered; /* "--define=N=3": options that make another model, or another question, of the same text (altered.h) */
  size_t altered_model;       /* so many of them, the first ones, make another model */
};

/* A command: the exit code. Errors are left in session->err and told by main, unless the command has told them. */
typedef int command_run(struct session *);
extern command_run *const command_runs[COMMANDS];

/* Opens the budget: --memory. */
void session_budget(struct session *);
/* Loads the operand with --language, --marking, --define. -1 with err. */
int session_load(struct session *, const char *file);
/* The same for those who only look at the model: where it can be no state space it is loaded as for a simulation, and `spaceless` tells why. */
int session_load_to_look(struct session *, const char *file);
/* Closes the model and forgets what was read with it: another one may be loaded. */
void session_unload(struct session *);
/* Tells what was noticed while the model ran and is no error, on standard error. */
void session_warnings(const struct session *);
void session_close(struct session *);

int session_colour(const struct session *, FILE *);
void session_limits(const struct session *, struct search_limits *); /* --time, --max-states, --max-depth, Ctrl-C */
/* Fills in the progress listener; returns it, or NULL when none is wanted. */
struct listener *session_progress(const struct session *, struct report_progress *);

/* Prints an error like a compiler does. */
void session_tell(const struct session *, const struct err *);
/* Standard output is written to its end. 0, or -1: it cannot be, now or before; told once, unless there was an error that is told anyway. */
int session_flush(struct session *);
/* The exit code that an error means. */
int session_exit_code(const struct err *);

/* A name made from the model's file: directory and suffix gone, `ending` behind. Owned by session->mem. */
char *session_file_name(struct session *, const char *ending, struct err *);
/* The n-th file of a kind ("trace"): NAME, then NAME with its number before the ending: x.trace.json, x.2.trace.json. `given` is what the user calls it; "" = by the model's file. Likewise owned. */
char *session_nth_name(struct session *, const char *given, const char *kind, size_t n, struct err *);

#endif
