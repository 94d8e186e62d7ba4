/* table.h -- options.def and commands.def as tables. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stddef.h>

enum command_id {
#define COMMAND(id, ...) COMMAND_##id,
#define LATER_COMMAND(...)
#include "cli/commands.def"
#undef COMMAND
#undef LATER_COMMAND
  COMMANDS
};

/* Sets of commands, for options. */
#define IN_CHECK (1u << COMMAND_CHECK)
#define IN_RESUME (1u << COMMAND_RESUME)
#define IN_INFO (1u << COMMAND_INFO)
#define IN_GRAPH (1u << COMMAND_GRAPH)
#define IN_SIMULATE (1u << COMMAND_SIMULATE)
#define IN_EXPLORE (1u << COMMAND_EXPLORE)
#define IN_TRACE (1u << COMMAND_TRACE)
#define IN_REPORT (1u << COMMAND_REPORT)
#define IN_CONVERT (1u << COMMAND_CONVERT)
#define IN_LTL (1u << COMMAND_LTL)
#define IN_COMPARE (1u << COMMAND_COMPARE)
#define IN_BENCH (1u << COMMAND_BENCH)
#define IN_PLAY (1u << COMMAND_PLAY)
#define IN_ALL ((1u << COMMANDS) - 1)

enum option_kind { FLAG, TEXT, LIST, SIZE, DURATION, COUNT, MAYBE_COUNT, MAYBE_TEXT, CHOICE };

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#define LATER(...)
#include "cli/options.def"
#undef OPTION
#undef LATER
  OPTIONS
};

struct option_spec {
  const char *name;
  char letter; /* 0 = none */
  enum option_kind kind;
  const char *argument, *fallback, *range;
  unsigned commands;
  const char *help;
};
extern const struct option_spec option_specs[OPTIONS];

struct command_spec {
  const char *name, *operands;
  size_t least, most;
  const char *summary, *description, *examples;
};
extern const struct command_spec command_specs[COMMANDS];

struct later_spec {
  const char *name;
  char letter;
  int argument;
  const char *accepted;
  unsigned commands;
  const char *why;
};
extern const struct later_spec later_specs[]; /* name NULL ends it */

struct later_command {
  const char *name, *why;
};
extern const struct later_command later_commands[]; /* name NULL ends it */

/* 1 if the option takes an argument (perhaps an optional one). */
static inline int option_takes(const struct option_spec *o) { return o->kind != FLAG; }

/* The exit codes, for help and man page. */
struct exit_code {
  int code;
  const char *meaning;
};
extern const struct exit_code exit_codes[]; /* meaning NULL ends it */

#endif
