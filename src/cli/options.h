/* options.h -- the command line, parsed by the tables.
 *
 * GNU style: options anywhere, --name=VALUE or --name VALUE, -nVALUE or -n VALUE, flags together (-qv), -- ends
 * them.  The last use of an option wins, except for lists.  Names are not abbreviated: a script that works today must
 * not become ambiguous by tomorrow's option. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/err.h"
#include "base/mem.h"
#include "cli/table.h"

#include <stdint.h>

struct option_use {
  enum option_id id;
  const char *text; /* the argument; NULL for flags and for optional ones left out */
};

struct options {
  struct mem *mem;
  enum command_id command;
  struct option_use *use; /* in the order given */
  size_t use_count;
  const char **operand;
  size_t operand_count;
};

/* argv: what follows the command. Values are checked here. -1 with ERR_USAGE. */
int options_parse(struct options *, enum command_id, int argc, char **argv, struct mem *, struct err *);
void options_close(struct options *);

int options_given(const struct options *, enum option_id);
/* Which of two flags came last; `otherwise` if neither is there. */
enum option_id options_last(const struct options *, enum option_id, enum option_id, enum option_id otherwise);
/* The value given, or the default of options.def ("" where there is none). */
const char *options_text(const struct options *, enum option_id);
uint64_t options_count(const struct options *, enum option_id); /* 0 when neither given nor defaulted */
uint64_t options_size(const struct options *, enum option_id);  /* in bytes; percentages of the machine */
double options_seconds(const struct options *, enum option_id); /* 0 when not given */
/* The uses of a list one by one: start with *at = 0; NULL at the end. */
const char *options_next(const struct options *, enum option_id, size_t *at);

#endif
