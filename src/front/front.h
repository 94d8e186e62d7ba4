/* front.h -- languages: text or XML in, model out.
 *
 * One const struct per language.  The language is told by --language, by the file's suffix or, where
 * that says nothing or the text surely is in another one, by the text (guess.h).  No language knows another; nets go through net/pt.h, graphs are their own
 * model.
 *
 * A reader refuses what it does not understand, by name and with the place, whenever leaving it out could
 * change the behaviour of the model.  What only decorates (drawings, tool data) is skipped in silence; what is
 * left out although it was meant to help (nested units that contradict themselves) is told to `warn`. */
#ifndef FRONT_FRONT_H
#define FRONT_FRONT_H

#include "base/err.h"
#include "model/model.h"

#include <stdio.h>

struct front_override { /* --marking NAME=VALUE, --define NAME=VALUE */
  const char *name, *value;
};

/* C in a model is code of whoever wrote the model: it runs only if the user allows it. */
enum front_c { FRONT_C_REFUSED, FRONT_C_ALLOWED, FRONT_C_NO_COMPILER /* allowed, but no compiler may be used */ };

/* Symmetric nets: places and transitions for colours and bindings, or the coloured net itself; auto unfolds unless that is too much (doc/languages/pnml.md), which is
   later for those who have more use for the unfolded net (rather). */
enum front_unfold { FRONT_UNFOLD_AUTO, FRONT_UNFOLD_RATHER, FRONT_UNFOLD_ALWAYS, FRONT_UNFOLD_NEVER };

struct front_setup {
  struct mem *mem;
  const char *file; /* for messages; "-" is standard input */
  FILE *input;      /* opened by the caller, read to its end */
  const struct front_override *markings;
  size_t marking_count;
  const struct front_override *defines;
  size_t define_count;
  const char *const *folders; /* where included files may be, besides the folder of the model (below.h) */
  size_t folder_count;
  enum front_c c_code;
  int unbounded_channels; /* buffered channels hold as many messages as there is room for, whatever their declarations say */
  int edges_per_token; /* coloured nets: colour.h, per_token */
  enum front_unfold unfold;
  int draws;           /* coloured nets: random functions draw numbers, by `seed` (colour.h: enum colour_draws) */
  uint64_t seed;
  int lose_messages; /* a send to a full channel is possible and loses the message (spin -m) */
  const char *const *properties; /* what will be asked, NULL-terminated: places that it speaks of are kept apart; may be NULL */
  int no_claims; /* leave out what the model claims about whole runs: trace assertions (never claims and formulas are kept, not run) */
  /* Hears what was left out without harm, one sentence each; NULL = nobody listens. */
  void (*warn)(void *context, struct place_in_text at, const char *message);
  void *warn_context;
  /* Hears what was read: the hash and length of a file, and of what a preprocessor made of it and of others; NULL = nobody wants to know. Not of standard input. */
  void (*hear_input)(void *context, const char *name, uint64_t hash, uint64_t bytes);
  void *input_context;
  /* Hears every error of a reader that goes on after the first one (at most twenty), in the order of the text, the first
     included; `load` still returns the first. NULL = nobody listens. */
  void (*error)(void *context, const struct err *);
  void *error_context;
};

struct front_type {
  const char *name; /* --language NAME and "language" in JSON */
  const char *summary;
  const char *const *suffixes; /* with the dot, NULL-terminated */
  int coloured; /* it writes coloured nets: symmetric ones shall keep their colours for it */
  int (*load)(struct model **out, const struct front_setup *, struct err *);
  /* Writes a model of this or another language in this format; NULL = cannot write.
     -1 with a reason when the model has no such form. */
  int (*save)(const struct model *, FILE *out, struct err *);
};

extern const struct front_type *const front_types[];       /* NULL-terminated */
const struct front_type *front_find(const char *name);     /* by --language; NULL = unknown */
const struct front_type *front_for_file(const char *file); /* by suffix; NULL = unknown */
/* Opens the file (or stdin for "-"), finds the language (language NULL = by suffix, or by what it says; then language_guessed of the model) and loads it. Of `partial`
   everything but file and input counts. A missing file, a directory: ERR_IO; no such language: ERR_USAGE. */
int front_load(struct model **out, const char *file, const char *language, const struct front_setup *partial, struct err *);

#endif
