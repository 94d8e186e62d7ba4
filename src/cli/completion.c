/* completion.c -- completion scripts for three shells, from the tables; thimble-audit, a program of its own, goes along in the same scripts. */
#include "cli/help.h"

#include <string.h>

static const struct {
  const char *name, *argument, *help;
} audit_options[] = {{"memory", "SIZE", "budget for everything held: 512M, 2G, 50%"},
                     {"json", NULL, "one JSON object"},
                     {"help", NULL, "what to write"},
                     {"version", NULL, "the version"}};
enum { AUDIT_OPTIONS = sizeof audit_options / sizeof *audit_options };

static int in(const struct option_spec *o, int command) { return (o->commands >> command) & 1; }

/* ---- bash -------------------------------------------------------------------------------- */

static void words_of(const char *range, FILE *out) {
  for (; *range; range++) putc(*range == '|' ? ' ' : *range, out);
}

static void bash(FILE *out) {
  fputs("# bash completion for thimble\n_thimble() {\n"
        "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd=${COMP_WORDS[1]} options\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"",
        out);
  for (int c = 0; c < COMMANDS; c++) fprintf(out, "%s ", command_specs[c].name);
  fputs("--version --help\" -- \"$cur\"))\n    return\n  fi\n  case \"$cmd $prev\" in\n", out);
  for (int c = 0; c < COMMANDS; c++)
    for (int i = 0; i < OPTIONS; i++) {
      const struct option_spec *o = &option_specs[i];
      if (!in(o, c) || o->kind != CHOICE) continue;
      fprintf(out, "    '%s --%s'", command_specs[c].name, o->name);
      if (o->letter) fprintf(out, "|'%s -%c'", command_specs[c].name, o->letter);
      fputs(") COMPREPLY=($(compgen -W '", out);
      words_of(o->range, out);
      fputs("' -- \"$cur\")); return ;;\n", out);
    }
  fputs("  esac\n  case \"$cmd\" in\n", out);
  for (int c = 0; c < COMMANDS; c++) {
    fprintf(out, "    %s) options='", command_specs[c].name);
    for (int i = 0; i < OPTIONS; i++) {
      if (!in(&option_specs[i], c)) continue;
      fprintf(out, "--%s ", option_specs[i].name);
      if (option_specs[i].letter) fprintf(out, "-%c ", option_specs[i].letter);
    }
    fputs("' ;;\n", out);
  }
  fputs("    *) return ;;\n  esac\n"
        "  case \"$cmd $cur\" in\n    \"$cmd -\"*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
        "    'help '*) COMPREPLY=($(compgen -W \"",
        out);
  for (int c = 0; c < COMMANDS; c++) fprintf(out, "%s ", command_specs[c].name);
  fputs("\" -- \"$cur\")) ;;\n    'completion '*) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$cur\")) ;;\n"
        "    *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n  esac\n}\n"
        "complete -F _thimble thimble\n"
        "_thimble_audit() {\n  local cur=${COMP_WORDS[COMP_CWORD]}\n  case \"$cur\" in\n    -*) COMPREPLY=($(compgen -W '",
        out);
  for (int i = 0; i < AUDIT_OPTIONS; i++) fprintf(out, "--%s ", audit_options[i].name);
  fputs("' -- \"$cur\")) ;;\n    *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n  esac\n}\n"
        "complete -F _thimble_audit thimble-audit\n",
        out);
}

/* ---- zsh --------------------------------------------------------------------------------- */

/* Text inside '...' that zsh takes apart at [ ] and : */
static void zsh_text(const char *text, FILE *out) {
  for (; *text; text++) {
    if (*text == '\'') fputs("'\\''", out);
    else {
      if (strchr("[]:\\", *text)) putc('\\', out);
      putc(*text, out);
    }
  }
}

static void zsh_option(const struct option_spec *o, FILE *out) {
  char names[2][64];
  int n = 0;
  snprintf(names[n++], sizeof names[0], "--%s", o->name);
  if (o->letter) snprintf(names[n++], sizeof names[0], "-%c", o->letter);
  for (int k = 0; k < n; k++) {
    fprintf(out, "        '%s%s%s[", o->kind == LIST ? "*" : "", names[k],
            k == 0 && o->kind == MAYBE_COUNT ? "=-"
            : k == 0 && option_takes(o)      ? "="
                                             : "");
    zsh_text(o->help, out);
    putc(']', out);
    if (option_takes(o)) {
      fprintf(out, "%s", o->kind == MAYBE_COUNT || o->kind == MAYBE_TEXT ? "::" : ":");
      zsh_text(o->argument, out);
      if (o->kind == CHOICE) {
        fputs(":(", out);
        words_of(o->range, out);
        putc(')', out);
      } else if (strcmp(o->argument, "FILE") == 0 || strcmp(o->argument, "TRACE") == 0) fputs(":_files", out);
      else fputs(": ", out);
    }
    fputs("' \\\n", out);
  }
}

static void zsh(FILE *out) {
  fputs("#compdef thimble thimble-audit\n_thimble_audit() {\n  _arguments -S \\\n", out);
  for (int i = 0; i < AUDIT_OPTIONS; i++) {
    fprintf(out, "    '--%s[", audit_options[i].name);
    zsh_text(audit_options[i].help, out);
    fprintf(out, audit_options[i].argument ? "]:%s: ' \\\n" : "]' \\\n", audit_options[i].argument);
  }
  fputs("    ':certificate:_files' ':model:_files'\n}\n_thimble() {\n  if (( CURRENT == 2 )); then\n    local -a commands=(\n", out);
  for (int c = 0; c < COMMANDS; c++) {
    fprintf(out, "      '%s:", command_specs[c].name);
    zsh_text(command_specs[c].summary, out);
    fputs("'\n", out);
  }
  fputs("    )\n    _describe command commands\n    return\n  fi\n  local cmd=$words[2]\n  shift words\n  (( CURRENT-- ))\n  "
        "case $cmd in\n",
        out);
  for (int c = 0; c < COMMANDS; c++) {
    fprintf(out, "    %s)\n      _arguments -s -S \\\n", command_specs[c].name);
    for (int i = 0; i < OPTIONS; i++)
      if (in(&option_specs[i], c)) zsh_option(&option_specs[i], out);
    if (c == COMMAND_COMPLETION) fputs("        ':shell:(bash zsh fish)' ;;\n", out);
    else if (c == COMMAND_HELP_COMMAND) {
      fputs("        ':command:(", out);
      for (int k = 0; k < COMMANDS; k++) fprintf(out, "%s%s", k ? " " : "", command_specs[k].name);
      fputs(")' ;;\n", out);
    } else fputs("        ':file:_files' ;;\n", out);
  }
  fputs("  esac\n}\nif [ \"$funcstack[1]\" != _thimble ]; then compdef _thimble thimble; compdef _thimble_audit thimble-audit\n"
        "elif [ \"$service\" = thimble-audit ]; then _thimble_audit \"$@\"\nelse _thimble \"$@\"; fi\n",
        out);
}

/* ---- fish -------------------------------------------------------------------------------- */

static void fish_text(const char *text, FILE *out) {
  putc('\'', out);
  for (; *text; text++) {
    if (*text == '\'' || *text == '\\') putc('\\', out);
    putc(*text, out);
  }
  putc('\'', out);
}

static void fish(FILE *out) {
  fputs("# fish completion for thimble\n", out);
  for (int c = 0; c < COMMANDS; c++) {
    fprintf(out, "complete -c thimble -n __fish_use_subcommand -f -a %s -d ", command_specs[c].name);
    fish_text(command_specs[c].summary, out);
    putc('\n', out);
  }
  for (int c = 0; c < COMMANDS; c++)
    for (int i = 0; i < OPTIONS; i++) {
      const struct option_spec *o = &option_specs[i];
      if (!in(o, c)) continue;
      fprintf(out, "complete -c thimble -n '__fish_seen_subcommand_from %s' -l %s", command_specs[c].name, o->name);
      if (o->letter) fprintf(out, " -s %c", o->letter);
      if (o->kind == CHOICE) {
        fputs(" -x -a '", out);
        words_of(o->range, out);
        putc('\'', out);
      } else if (option_takes(o) && o->kind != MAYBE_COUNT) fputs(" -r", out);
      fputs(" -d ", out);
      fish_text(o->help, out);
      putc('\n', out);
    }
  fputs("complete -c thimble -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n", out);
  fputs("complete -c thimble -n '__fish_seen_subcommand_from help' -f -a '", out);
  for (int c = 0; c < COMMANDS; c++) fprintf(out, "%s%s", c ? " " : "", command_specs[c].name);
  fputs("'\n", out);
  for (int i = 0; i < AUDIT_OPTIONS; i++) {
    fprintf(out, "complete -c thimble-audit -l %s%s -d ", audit_options[i].name, audit_options[i].argument ? " -x" : "");
    fish_text(audit_options[i].help, out);
    putc('\n', out);
  }
}

int completion_write(const char *shell, FILE *out) {
  if (strcmp(shell, "bash") == 0) bash(out);
  else if (strcmp(shell, "zsh") == 0) zsh(out);
  else if (strcmp(shell, "fish") == 0) fish(out);
  else return -1;
  return 0;
}
