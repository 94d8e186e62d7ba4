/* program.c -- finds the command, parses its options, runs it, tells its error, checks that the output went out. */
#include "cli/program.h"

#include "cli/check_spread.h"
#include "cli/help.h"
#include "cli/session.h"
#include "cli/watchdog.h"
#include "base/text.h"
#include "front/front.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>

command_run command_check, command_resume, command_info, command_graph, command_simulate, command_explore, command_play, command_trace;
command_run command_report, command_convert, command_compare, command_ltl, command_bench, command_help, command_completion;

command_run *const command_runs[COMMANDS] = {
    [COMMAND_CHECK] = command_check,
    [COMMAND_RESUME] = command_resume,
    [COMMAND_INFO] = command_info,
    [COMMAND_GRAPH] = command_graph,
    [COMMAND_SIMULATE] = command_simulate,
    [COMMAND_EXPLORE] = command_explore,
    [COMMAND_PLAY] = command_play,
    [COMMAND_TRACE] = command_trace,
    [COMMAND_REPORT] = command_report,
    [COMMAND_CONVERT] = command_convert,
    [COMMAND_COMPARE] = command_compare,
    [COMMAND_LTL] = command_ltl,
    [COMMAND_BENCH] = command_bench,
    [COMMAND_HELP_COMMAND] = command_help,
    [COMMAND_COMPLETION] = command_completion,
};

static int unknown_command(struct session *s, const char *name) {
  const char *names[COMMANDS + 1];
  char quoted[80];
  for (const struct later_command *l = later_commands; l->name; l++)
    if (strcmp(l->name, name) == 0) {
      err_usage(&s->err, "%s: %s", name, l->why);
      return EXIT_USAGE;
    }
  for (int i = 0; i < COMMANDS; i++) names[i] = command_specs[i].name;
  names[COMMANDS] = NULL;
  const char *near = text_nearest(name, names);
  err_usage(&s->err, "there is no command '%s'", err_quote(quoted, sizeof quoted, name, strlen(name)));
  if (near) err_hint(&s->err, "did you mean %s?", near);
  else if (front_for_file(name)) err_hint(&s->err, "thimble check %s", quoted);
  else err_hint(&s->err, "thimble help lists the commands");
  return EXIT_USAGE;
}

/* --language help: 1 if that was asked. */
static int listed_languages(const struct options *o) {
  if (!(option_specs[OPTION_LANGUAGE].commands & 1u << o->command) || strcmp(options_text(o, OPTION_LANGUAGE), "help") != 0)
    return 0;
  for (const struct front_type *const *f = front_types; *f; f++) printf("%-10s %s\n", (*f)->name, (*f)->summary);
  return 1;
}

/* Of commands that have nothing else to say. */
static int last_words(void *context, enum search_stop why) {
  const struct session *s = context;
  struct err e;
  err_clear(&e);
  err_limit(&e, why == STOP_TIME ? "the --time limit passed before this command could finish" : "interrupted before this command could finish");
  session_tell(s, &e);
  return why == STOP_TIME ? EXIT_INCOMPLETE : EXIT_INTERRUPTED;
}

/* Ranks of a cluster end together, and a bench has processes to look after. */
static void begin_watch(struct session *s, enum command_id command) {
  if (s->spread || command == COMMAND_BENCH) return;
  int limited = command != COMMAND_PLAY && option_specs[OPTION_TIME].commands & 1u << command;
  watchdog_begin(limited ? options_seconds(&s->options, OPTION_TIME) : 0, last_words, s);
}

static int run(struct session *s, int argc, char **argv) {
  if (argc < 2) {
    help_overview(stderr);
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
    puts("thimble " THIMBLE_VERSION);
    return EXIT_HOLDS;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    help_overview(stdout);
    return EXIT_HOLDS;
  }
  int command = help_find_command(argv[1]);
  if (command < 0) return unknown_command(s, argv[1]);
  if (check_spread_agree(s, options_parse(&s->options, (enum command_id)command, argc - 2, argv + 2, &s->small, &s->err))) return session_exit_code(&s->err);
  if (options_given(&s->options, OPTION_HELP)) {
    help_command((enum command_id)command, stdout);
    return EXIT_HOLDS;
  }
  if (listed_languages(&s->options)) return EXIT_HOLDS;
  if (s->spread && command != COMMAND_CHECK && command != COMMAND_RESUME && command != COMMAND_HELP_COMMAND) {
    err_usage(&s->err, "several processes can check together and resume, and nothing else: %s is for thimble alone", argv[1]);
    return EXIT_USAGE;
  }
  begin_watch(s, (enum command_id)command);
  return command_runs[command](s);
}

/* Where standard streams are closed, the next file opened would take their place and get what is meant for them: the verdict
   would end up in the trace. Something that can only be used the other way round keeps the place, so that use is an error. */
static void keep_standard_places(void) {
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) return;
}

int program_run(int argc, char **argv, const struct run_spread *spread) {
  struct session s;
  keep_standard_places();
  memset(&s, 0, sizeof s);
  s.spread = spread;
  err_clear(&s.err);
  mem_open(&s.small, 0);
  mem_open(&s.mem, 0);
  signal(SIGPIPE, SIG_IGN); /* a reader that goes away is an error to tell, not a reason to die silently */
  signal(SIGXFSZ, SIG_IGN); /* and so is a limit on the size of files: a trace that is too long must not cost the verdict */
  struct sigaction ends; /* who starts us may ignore the ends of its children; we have to know how ours end */
  if (sigaction(SIGCHLD, NULL, &ends) == 0 && ends.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
  int code = run(&s, argc, argv);
  watchdog_end();
  if (session_flush(&s) && code == EXIT_HOLDS) code = EXIT_OUTPUT;
  session_tell(&s, &s.err);
  session_close(&s);
  return code;
}
