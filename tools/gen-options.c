/* gen-options.c -- the parts of the man page that follow from src/cli/*.def: commands, options, exit status.
 * Run by tools/gen-options. */
#include "cli/table.h"

#include <stdio.h>
#include <string.h>

/* Text for roff: no line may begin with . or ', backslashes and minus signs are written out. */
static void roff(const char *text) {
  for (const char *c = text; *c; c++) {
    if (*c == '\\') fputs("\\e", stdout);
    else if (*c == '-') fputs("\\-", stdout);
    else if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n')) printf("\\&%c", *c);
    else putchar(*c);
  }
}

static void option(const struct option_spec *o) {
  puts(".TP");
  fputs(".B ", stdout);
  if (o->letter) printf("\\-%c\\fR, \\fB", o->letter);
  fputs("\\-\\-", stdout);
  roff(o->name);
  if (o->kind == MAYBE_COUNT) printf("\\fR[\\fB=\\fI%s\\fR]", o->argument);
  else if (o->kind == MAYBE_TEXT) printf(" \\fR[\\fI%s\\fR]", o->argument);
  else if (o->kind == CHOICE) {
    fputs(" \\fR", stdout);
    roff(o->range);
  } else if (option_takes(o)) {
    fputs(" \\fI", stdout);
    roff(o->argument);
  }
  putchar('\n');
  roff(o->help);
  if (*o->fallback) {
    fputs("\n(default: ", stdout);
    roff(o->fallback);
    putchar(')');
  }
  puts(".");
}

static void command(int id) {
  const struct command_spec *c = &command_specs[id];
  printf(".SS thimble %s %s\n", c->name, c->operands);
  roff(c->description);
  putchar('\n');
  for (int i = 0; i < OPTIONS; i++)
    if (option_specs[i].commands & 1u << id && i != OPTION_HELP) option(&option_specs[i]);
}

static void examples(void) {
  puts(".SH EXAMPLES");
  for (int id = 0; id < COMMANDS; id++)
    for (const char *line = command_specs[id].examples; *line; line += strcspn(line, "\n") + 1) {
      char text[200];
      size_t tab = strcspn(line, "\t"), end = strcspn(line, "\n");
      puts(".TP");
      snprintf(text, sizeof text, "%.*s", (int)tab, line);
      fputs(".B ", stdout);
      roff(text);
      snprintf(text, sizeof text, "%.*s", (int)(end - tab - 1), line + tab + 1);
      putchar('\n');
      roff(text);
      putchar('\n');
    }
}

int main(void) {
  puts(".SH COMMANDS AND OPTIONS\nEvery command knows\n.B \\-\\-help\nas well.");
  for (int id = 0; id < COMMANDS; id++) command(id);
  puts(".SH EXIT STATUS");
  for (const struct exit_code *e = exit_codes; e->meaning; e++) {
    printf(".TP\n.B %d\n", e->code);
    roff(e->meaning);
    putchar('\n');
  }
  examples();
  return 0;
}
