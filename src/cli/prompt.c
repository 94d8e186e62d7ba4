/* prompt.c -- see prompt.h. */
#include "cli/prompt.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *prompt_next(char *line, size_t room) {
  if (!fgets(line, (int)room, stdin)) return NULL;
  if (!strchr(line, '\n'))
    for (int c; (c = getchar()) != EOF && c != '\n';) continue;
  while (isspace((unsigned char)*line)) line++;
  for (size_t length = strlen(line); length && isspace((unsigned char)line[length - 1]);) line[--length] = 0;
  return line;
}

int prompt_number(const char *line, unsigned long long *out) {
  char *end;
  *out = strtoull(line, &end, 10);
  return isdigit((unsigned char)line[0]) && !*end;
}
