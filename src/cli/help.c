/* help.c -- thimble help, thimble help COMMAND, COMMAND --help: all from the tables. */
#include "cli/help.h"

#include "base/err.h"
#include "base/text.h"
#include "cli/session.h"
#include "front/front.h"

#include <string.h>

command_run command_help, command_completion;

enum { WIDTH = 100, OPTION_COLUMN = 28 };

/* Words of `text` from column `at` on, lines no longer than WIDTH, following lines indented. */
static void wrap(FILE *out, const char *text, int at, int indent) {
  for (int first = 1; *text; first = 0) {
    size_t n = strcspn(text, " ");
    if (!first && at + 1 + (int)n > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      at = indent;
    } else if (!first) putc(' ', out), at++;
    fwrite(text, 1, n, out);
    at += (int)n;
    text += n;
    while (*text == ' ') text++;
  }
  putc('\n', out);
}

static void option(const struct option_spec *o, FILE *out) {
  char left[80], full[600];
  const char *argument = o->argument;
  int n = o->letter ? snprintf(left, sizeof left, "  -%c, --%s", o->letter, o->name)
                    : snprintf(left, sizeof left, "      --%s", o->name);
  if (o->kind == MAYBE_COUNT) n += snprintf(left + n, sizeof left - (size_t)n, "[=%s]", argument);
  else if (o->kind == MAYBE_TEXT) n += snprintf(left + n, sizeof left - (size_t)n, " [%s]", argument);
  else if (o->kind == CHOICE) n += snprintf(left + n, sizeof left - (size_t)n, " %s", o->range);
  else if (option_takes(o)) n += snprintf(left + n, sizeof left - (size_t)n, " %s", argument);
  fputs(left, out);
  if (n >= OPTION_COLUMN - 1) fprintf(out, "\n%*s", OPTION_COLUMN, "");
  else fprintf(out, "%*s", OPTION_COLUMN - n, "");
  snprintf(full, sizeof full, "%s%s%s%s", o->help, *o->fallback ? " [" : "", o->fallback, *o->fallback ? "]" : "");
  wrap(out, full, OPTION_COLUMN, OPTION_COLUMN);
}

static void examples(const struct command_spec *c, FILE *out) {
  for (const char *line = c->examples; *line; line += strcspn(line, "\n") + 1) {
    size_t end = strcspn(line, "\n"), tab = strcspn(line, "\t");
    int gap = 64 - (int)tab;
    fprintf(out, "  %.*s%*s  # %.*s\n", (int)tab, line, gap > 0 ? gap : 0, "", (int)(end - tab - 1), line + tab + 1);
  }
}

void help_command(enum command_id id, FILE *out) {
  const struct command_spec *c = &command_specs[id];
  int options = 0;
  fprintf(out, "Usage: thimble %s [OPTION]... %s\n\n", c->name, c->operands);
  wrap(out, c->description, 0, 0);
  fputs("\nOptions:\n", out);
  for (int i = 0; i < OPTIONS; i++)
    if (option_specs[i].commands & 1u << id) option(&option_specs[i], out), options++;
  fputs("\nExamples:\n", out);
  examples(c, out);
  if (id != COMMAND_CHECK) return;
  fputs("\nExit codes:\n", out);
  for (const struct exit_code *e = exit_codes; e->meaning; e++) fprintf(out, "  %3d  %s\n", e->code, e->meaning);
}

static void languages(FILE *out) {
  for (const struct front_type *const *f = front_types; *f; f++) {
    char suffixes[120] = "";
    for (size_t i = 0; (*f)->suffixes[i]; i++) {
      size_t used = strlen(suffixes);
      snprintf(suffixes + used, sizeof suffixes - used, "%s%s", used ? " " : "", (*f)->suffixes[i]);
    }
    fprintf(out, "  %-12s%-8s  %s\n", (*f)->name, suffixes, (*f)->summary);
  }
}

enum { COMMAND_WIDTH = 20 };

void help_overview(FILE *out) {
  fputs("Thimble checks models: give it a model and a memory budget, it gives a complete verdict\n"
        "or an honest account of how far it got.\n\n"
        "Usage: thimble COMMAND [OPTION]... [FILE]\n\nCommands:\n",
        out);
  for (int i = 0; i < COMMANDS; i++) {
    char left[80];
    int width = snprintf(left, sizeof left, "%s %s", command_specs[i].name, command_specs[i].operands);
    if (width < COMMAND_WIDTH) fprintf(out, "  %-*s%s\n", COMMAND_WIDTH, left, command_specs[i].summary);
    else fprintf(out, "  %s\n  %*s%s\n", left, COMMAND_WIDTH, "", command_specs[i].summary);
  }
  fputs("\nLanguages, told by the suffix; - is standard input and needs --language:\n", out);
  languages(out);
  fputs("\nTo begin with:\n"
        "  thimble check net.pnml                                          # does it deadlock?\n"
        "  thimble check net.pnml --invariant 'critical1 + critical2 <= 1'  # mutual exclusion\n"
        "  thimble info net.pnml --bounds                                  # is it bounded?\n"
        "\nthimble help COMMAND tells more. thimble --version tells the version.\n",
        out);
}

int help_find_command(const char *name) {
  for (int i = 0; i < COMMANDS; i++)
    if (strcmp(command_specs[i].name, name) == 0) return i;
  return -1;
}

int command_help(struct session *s) {
  if (!s->options.operand_count) {
    help_overview(stdout);
    return EXIT_HOLDS;
  }
  const char *name = s->options.operand[0];
  int id = help_find_command(name);
  if (id >= 0) {
    help_command((enum command_id)id, stdout);
    return EXIT_HOLDS;
  }
  char quoted[80];
  err_usage(&s->err, "there is no command '%s'", err_quote(quoted, sizeof quoted, name, strlen(name)));
  err_hint(&s->err, "thimble help lists them");
  return EXIT_USAGE;
}

int command_completion(struct session *s) {
  char quoted[80];
  const char *shell = s->options.operand[0];
  if (completion_write(shell, stdout) == 0) return EXIT_HOLDS;
  err_usage(&s->err, "completions are for bash, zsh and fish, not '%s'", err_quote(quoted, sizeof quoted, shell, strlen(shell)));
  return EXIT_USAGE;
}
