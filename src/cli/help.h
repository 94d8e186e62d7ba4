/* help.h -- texts made from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/table.h"

#include <stdio.h>

void help_overview(FILE *);
void help_command(enum command_id, FILE *);
int help_find_command(const char *name); /* -1 = unknown */
/* Prints the completion script; -1 for an unknown shell. */
int completion_write(const char *shell, FILE *);

#endif
