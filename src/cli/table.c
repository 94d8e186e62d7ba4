/* table.c -- see table.h. */
#include "cli/table.h"

const struct option_spec option_specs[OPTIONS] = {
#define OPTION(id, ...) {__VA_ARGS__},
#define LATER(...)
#include "cli/options.def"
#undef OPTION
#undef LATER
};

const struct later_spec later_specs[] = {
#define OPTION(...)
#define LATER(id, ...) {__VA_ARGS__},
#include "cli/options.def"
#undef OPTION
#undef LATER
    {0},
};

const struct command_spec command_specs[COMMANDS] = {
#define COMMAND(id, ...) {__VA_ARGS__},
#define LATER_COMMAND(...)
#include "cli/commands.def"
#undef COMMAND
#undef LATER_COMMAND
};

const struct later_command later_commands[] = {
#define COMMAND(...)
#define LATER_COMMAND(name, why) {name, why},
#include "cli/commands.def"
#undef COMMAND
#undef LATER_COMMAND
    {0},
};

const struct exit_code exit_codes[] = {
    {0, "every property holds: a complete exact search, or every state asked for was reached"},
    {1, "at least one property is violated; the trace is written"},
    {2, "the command line is wrong"},
    {3, "the model is wrong or cannot be read: file, line, column and reason are told"},
    {4, "incomplete: a limit was reached, or the net is unbounded"},
    {5, "no violation found, but the store can miss states: not a proof"},
    {70, "internal error: Thimble contradicts itself"},
    {74, "output, or a file that was asked for (a trace, a report), could not be written; the verdict is told all the same"},
    {130, "interrupted; what was explored until then is told"},
    {0, NULL},
};
