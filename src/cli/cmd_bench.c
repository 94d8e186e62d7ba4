/* cmd_bench.c -- thimble bench: runs suites, shows, compares and draws what is in the database. */
#include "base/clock.h"
#include "base/text.h"
#include "bench/bench.h"
#include "bench/compare.h"
#include "bench/grid.h"
#include "bench/plot.h"
#include "bench/show.h"
#include "cli/outfile.h"
#include "cli/session.h"
#include "cli/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

command_run command_bench;

static const double PLAIN_EVERY = 10; /* seconds between lines where no terminal is */

/* ---- what a suite asks of us ------------------------------------------------------------------ */

static int is_model(const char *file) { return front_for_file(file) != NULL; }

static int check_option(const char *name) {
  for (int i = 0; i < OPTIONS; i++)
    if (option_specs[i].commands & IN_CHECK && strcmp(option_specs[i].name, name) == 0)
      return option_specs[i].kind == FLAG ? 1 : option_specs[i].kind == MAYBE_COUNT || option_specs[i].kind == MAYBE_TEXT ? 3 : 2;
  for (const struct later_spec *l = later_specs; l->name; l++)
    if (l->commands & IN_CHECK && strcmp(l->name, name) == 0) return l->argument ? 2 : 1;
  return 0;
}

static const char *near_option(const char *name) {
  const char *names[OPTIONS + 1];
  size_t n = 0;
  for (int i = 0; i < OPTIONS; i++)
    if (option_specs[i].commands & IN_CHECK) names[n++] = option_specs[i].name;
  names[n] = NULL;
  return text_nearest(name, names);
}

static const struct suite_host host = {is_model, check_option, near_option};

/* ---- progress --------------------------------------------------------------------------------- */

struct teller {
  struct session *s;
  int rewrite, plain, shown, colour, quiet;
  double last; /* when a plain line was written */
  char skipped[4096]; /* names of tools that were told */
};

static void clear_line(struct teller *t) {
  if (t->shown) fputs("\r\033[K", stderr);
  t->shown = 0;
}

static void progress(struct teller *t, const struct bench_event *x) {
  char text[400], remaining[TEXT_ROOM] = "", bar[24] = "";
  if (!t->rewrite && (!t->plain || clock_now() - t->last < PLAIN_EVERY)) return;
  t->last = clock_now();
  if (isfinite(x->left)) text_seconds(remaining, x->left);
  size_t full = x->all ? 20 * x->done / x->all : 0;
  for (size_t i = 0; i < 20; i++) bar[i] = i < full ? '#' : '.';
  snprintf(text, sizeof text, "[%s] %zu/%zu%s%s%s  %s  %s%s", bar, x->done, x->all, *remaining ? "  " : "", remaining, *remaining ? " left" : "", x->task->model->name, x->task->way->name,
           x->repetition ? "" : "  (warming up)");
  if (!t->rewrite) {
    fprintf(stderr, "%s\n", text);
    return;
  }
  struct winsize size;
  int width = ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
  fprintf(stderr, "\r%.*s\033[K", width, text);
  fflush(stderr);
  t->shown = 1;
}

static void hear(void *context, const struct bench_event *x) {
  struct teller *t = context;
  const char *red = report_colour(t->colour, RED), *yellow = report_colour(t->colour, YELLOW), *plain = report_colour(t->colour, PLAIN);
  char key[200];
  switch (x->news) {
  case BENCH_BEGINS:
    if (!t->quiet && x->text) fprintf(stderr, "run %lld goes on: %zu of %zu are there\n", (long long)x->run, x->done, x->all);
    break;
  case BENCH_TASK: progress(t, x); break;
  case BENCH_DONE: break;
  case BENCH_SKIP: /* a program that is missing is told once, not for each task */
    snprintf(key, sizeof key, "|%.190s|", x->text);
    if (strstr(t->skipped, key)) break;
    if (strlen(t->skipped) + strlen(key) < sizeof t->skipped) strcat(t->skipped, key);
    clear_line(t);
    fprintf(stderr, "%sskipped:%s %s  %s: %s\n", yellow, plain, x->task->model->name, x->task->way->name, x->text);
    break;
  case BENCH_BAD:
    clear_line(t);
    fprintf(stderr, "%s%s:%s %s  %s: %s\n", x->result->outcome == OUTCOME_WRONG || x->result->outcome == OUTCOME_FAILED ? red : yellow, outcome_names[x->result->outcome], plain, x->task->model->name,
            x->task->way->name, x->text);
    break;
  }
}

/* ---- running ---------------------------------------------------------------------------------- */

static int refused(struct session *s, int usage) { return s->err.kind == ERR_IO && !usage ? EXIT_OUTPUT : session_exit_code(&s->err); }

static const char *database_name(struct session *s, char *room, size_t size) {
  const char *name = options_text(&s->options, OPTION_DATABASE);
  if (*name) return name;
  if (database_default(room, size) == 0) return room;
  err_usage(&s->err, "there is no home for the database: --database FILE");
  return NULL;
}

/* The clock and the space that the user wants instead of the run's. */
static void choose_figures(struct session *s, struct results *r) {
  if (options_given(&s->options, OPTION_CLOCK)) r->clock = options_text(&s->options, OPTION_CLOCK);
  if (options_given(&s->options, OPTION_SPACE)) r->space = options_text(&s->options, OPTION_SPACE);
}

static enum show_format format_of(const struct session *s) {
  return options_given(&s->options, OPTION_JSON)       ? SHOW_JSON
         : options_given(&s->options, OPTION_CSV)      ? SHOW_CSV
         : options_given(&s->options, OPTION_MARKDOWN) ? SHOW_MARKDOWN
                                                       : SHOW_TEXT;
}

static int list_tasks(struct session *s, const struct suite *suite, const char *program) {
  struct workshop w = {.suite = suite, .program = program, .mem = &s->mem};
  char why[400];
  for (size_t t = 0; t < suite->task_count; t++) {
    const struct suite_task *task = &suite->tasks[t];
    struct arena words;
    arena_open(&words, &s->mem, MEM_OTHER);
    const char **command = task_command(&w, task, *task->source->file ? task->source->file : task->model->name, &words, why, sizeof why);
    printf("%s  %s:", task->model->name, task->way->name);
    for (; command && *command; command++) printf(" %s", *command);
    puts(command ? "" : why);
    arena_close(&words);
  }
  return EXIT_HOLDS;
}

/* The bars of the suite; how many were missed. */
static size_t judge_bars(struct session *s, const struct suite *suite, const struct results *r, FILE *out) {
  size_t missed = 0;
  int c = session_colour(s, out);
  struct grid g;
  if (!suite->bars) return 0;
  grid_open(&g, 4, &s->mem);
  const char *const head[] = {"bar", "", "wanted", ""};
  for (int i = 0; i < 4; i++) grid_put(&g, "%s", head[i]);
  for (const struct suite_bar *b = suite->bars; b; b = b->next) {
    struct bar_verdict v;
    char wanted[80] = "", models[80] = "";
    bench_judge_bar(&v, b, r);
    if (strcmp(b->models, "*") != 0) snprintf(models, sizeof models, " (%.60s)", b->models);
    if (!isnan(b->at_most)) snprintf(wanted, sizeof wanted, "at most %g", b->at_most);
    if (!isnan(b->at_least)) snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%sat least %g", *wanted ? ", " : "", b->at_least);
    grid_put(&g, "%s of %s%s%s%s", b->figure, b->way, b->against ? " / " : "", b->against ? b->against : "", models);
    if (v.models) grid_put(&g, "%.3f", v.value);
    else grid_put(&g, "%s", "");
    grid_put(&g, "%s", wanted);
    if (v.models && v.left_out) grid_put(&g, "%s by %zu of %zu models", v.missed ? "MISSED" : "reached", v.models, v.models + v.left_out);
    else grid_put(&g, "%s", !v.models ? "not judged: no results" : v.missed ? "MISSED" : "reached");
    missed += v.missed != 0;
  }
  putc('\n', out);
  grid_text(&g, 1, "", out);
  grid_close(&g);
  if (missed) fprintf(out, "\n%s%zu bar%s missed%s\n", report_colour(c, RED), missed, text_plural(missed), report_colour(c, PLAIN));
  return missed;
}

static int own_program(struct session *s, char *out, size_t room) {
  const char *wanted = options_text(&s->options, OPTION_PROGRAM);
  ssize_t n;
  if (*wanted) {
    char *real = realpath(wanted, NULL);
    if (!real || access(real, X_OK) != 0) {
      free(real);
      err_usage(&s->err, "--program %.80s cannot be run", wanted);
      return -1;
    }
    snprintf(out, room, "%s", real);
    free(real);
    return 0;
  }
  n = readlink("/proc/self/exe", out, room - 1);
  if (n <= 0) return err_internal(&s->err, "this program does not find itself");
  out[n] = 0;
  return 0;
}

/* Its version, by asking it; our own where it is ourselves. */
static const char *version_of(struct session *s, const char *program, char *out, size_t room) {
  if (!*options_text(&s->options, OPTION_PROGRAM)) return THIMBLE_VERSION;
  int ends[2];
  if (pipe(ends)) return "unknown";
  pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    execl(program, program, "--version", (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  char line[200] = "";
  if (in && !fgets(line, sizeof line, in)) line[0] = 0;
  if (in) fclose(in);
  if (pid > 0) waitpid(pid, NULL, 0);
  line[strcspn(line, "\n")] = 0;
  snprintf(out, room, "%s", strncmp(line, "thimble ", 8) == 0 ? line + 8 : "unknown");
  return out;
}

static int finish(struct session *s, const struct suite *suite, struct database *db, const struct bench *b) {
  struct results r;
  size_t missed = 0;
  if (database_load(db, b->run, &r, &s->mem, &s->err)) return refused(s, 0);
  choose_figures(s, &r);
  enum show_format format = format_of(s);
  int bad = options_given(&s->options, OPTION_QUIET) ? 0 : show_run(&r, format, &s->mem, stdout);
  if (!b->interrupted) missed = judge_bars(s, suite, &r, format == SHOW_TEXT ? stdout : stderr);
  results_close(&r);
  if (bad) return err_memory(&s->err, "the table"), refused(s, 0);
  if (b->wrong + b->failed + b->stopped + b->skipped)
    fprintf(stderr, "%zu wrong, %zu failed, %zu stopped by a limit, %zu skipped\n", b->wrong, b->failed, b->stopped, b->skipped);
  if (b->interrupted) return EXIT_INTERRUPTED;
  if (b->wrong || b->failed || missed) return EXIT_VIOLATED;
  return b->stopped ? EXIT_INCOMPLETE : EXIT_HOLDS;
}

static int run_suite(struct session *s) {
  struct suite suite;
  struct database *db = NULL;
  struct teller t = {.s = s};
  char file[4096], program[4096], version[200];
  const char *name, *how = options_text(&s->options, OPTION_PROGRESS);
  if (own_program(s, program, sizeof program) || suite_open(&suite, s->options.operand[0], &host, &s->mem, &s->err)) {
    suite_close(&suite);
    return refused(s, 1);
  }
  if (options_given(&s->options, OPTION_REPEAT)) suite.repetitions = options_count(&s->options, OPTION_REPEAT);
  if (options_given(&s->options, OPTION_BENCH_TIME)) suite.seconds = options_seconds(&s->options, OPTION_BENCH_TIME);
  if (options_given(&s->options, OPTION_BENCH_MEMORY)) suite.bytes = options_size(&s->options, OPTION_BENCH_MEMORY);
  if (options_given(&s->options, OPTION_DRY_RUN)) {
    int code = list_tasks(s, &suite, program);
    suite_close(&suite);
    return code;
  }
  int code = EXIT_OUTPUT;
  t.colour = session_colour(s, stderr);
  t.quiet = options_given(&s->options, OPTION_QUIET);
  t.rewrite = !t.quiet && strcmp(how, "auto") == 0 && isatty(2);
  t.plain = !t.quiet && !t.rewrite && strcmp(how, "none") != 0;
  t.last = clock_now();
  if ((name = database_name(s, file, sizeof file)) && database_open(&db, name, 1, &s->mem, &s->err) == 0) {
    const char *label = options_text(&s->options, OPTION_LABEL), *only = options_text(&s->options, OPTION_ONLY);
    struct bench b = {.suite = &suite,
                      .database = db,
                      .program = program,
                      .label = *label ? label : NULL,
                      .version = version_of(s, program, version, sizeof version),
                      .fresh = options_given(&s->options, OPTION_FRESH),
                      .only = *only ? only : NULL,
                      .interrupt = signals_watch(),
                      .hear = hear,
                      .context = &t,
                      .mem = &s->mem};
    int bad = bench_run(&b, &s->err);
    clear_line(&t);
    code = bad ? refused(s, 0) : finish(s, &suite, db, &b);
    if (!bad && b.interrupted) fprintf(stderr, "interrupted; the same command goes on with run %lld\n", (long long)b.run);
  }
  database_close(db);
  suite_close(&suite);
  return code;
}

/* ---- what is there already -------------------------------------------------------------------- */

static int put_line(void *context, const struct database_line *l) {
  struct grid *g = context;
  grid_put(g, "%lld", (long long)l->id);
  grid_put(g, "%s", l->suite);
  grid_put(g, "%s", l->label ? l->label : "");
  grid_put(g, "%s (%.8s)", l->version, l->build);
  grid_put(g, "%s", l->started);
  grid_put(g, "%lld", (long long)l->tasks);
  if (l->finished) grid_put(g, "%s", l->wrong ? "WRONG RESULTS" : "");
  else grid_put(g, "%lld of %lld%s", (long long)l->results, (long long)l->wanted, l->wrong ? ", WRONG RESULTS" : "");
  return 0;
}

static int list_runs(struct session *s, struct database *db) {
  struct grid g;
  grid_open(&g, 7, &s->mem);
  const char *const head[] = {"run", "suite", "label", "version", "started (UTC)", "tasks", ""};
  for (int i = 0; i < 7; i++) grid_put(&g, "%s", head[i]);
  int bad = database_list(db, put_line, &g, &s->err);
  if (!bad) grid_text(&g, 5, "", stdout);
  grid_close(&g);
  return bad ? refused(s, 0) : EXIT_HOLDS;
}

static int load(struct session *s, struct database *db, const char *name, int64_t like, struct results *r) {
  int64_t id;
  if (database_find(db, name, like, &id, &s->err) || database_load(db, id, r, &s->mem, &s->err)) return -1;
  choose_figures(s, r);
  return 0;
}

static int show(struct session *s, struct database *db, const char *name) {
  struct results r;
  if (load(s, db, name, 0, &r)) return refused(s, 0);
  int bad = show_run(&r, format_of(s), &s->mem, stdout);
  results_close(&r);
  if (bad) err_memory(&s->err, "the table");
  return bad ? refused(s, 0) : EXIT_HOLDS;
}

static int compare(struct session *s, struct database *db, const char *first, const char *second) {
  struct results a, b;
  struct comparison c;
  int64_t like;
  if (database_find(db, first, 0, &like, &s->err) || load(s, db, second, like, &b)) return refused(s, 0);
  if (load(s, db, first, b.id, &a)) {
    results_close(&b);
    return refused(s, 0);
  }
  int code, bad = compare_runs(&c, &a, &b, &s->mem, &s->err);
  if (!bad && (options_given(&s->options, OPTION_JSON) ? compare_json(&c, stdout) : compare_text(&c, &s->mem, stdout))) bad = err_memory(&s->err, "the table");
  code = bad ? refused(s, 0) : c.differ ? EXIT_VIOLATED : EXIT_HOLDS;
  compare_close(&c);
  results_close(&a);
  results_close(&b);
  return code;
}

static int plot(struct session *s, struct database *db, const char *name) {
  struct results r;
  struct outfile out;
  char usual[300];
  if (load(s, db, name, 0, &r)) return refused(s, 0);
  const char *file = options_text(&s->options, OPTION_BENCH_OUTPUT), *which = options_text(&s->options, OPTION_PLOT);
  snprintf(usual, sizeof usual, "%.200s.html", r.suite);
  for (char *p = usual; *p; p++)
    if (*p == '/') *p = '-';
  if (!*file) file = usual;
  size_t n = strlen(file);
  int svg = options_given(&s->options, OPTION_PLOT) || (n > 4 && strcmp(file + n - 4, ".svg") == 0), code = EXIT_OUTPUT;
  if (outfile_open_as(&out, file, file == usual, &s->err) == 0) {
    int bad = svg ? plot_svg(&r, which, &s->mem, out.stream, &s->err) : plot_html(&r, &s->mem, out.stream, &s->err);
    if (outfile_close(&out, !bad, &s->err) == 0 && !bad) code = EXIT_HOLDS;
    if (!code && strcmp(file, "-") != 0 && !options_given(&s->options, OPTION_QUIET)) printf("%s\n", file);
  }
  results_close(&r);
  return code ? refused(s, 0) : code;
}

static int remove_run(struct session *s, struct database *db, const char *name) {
  int64_t id;
  if (database_find(db, name, 0, &id, &s->err) || database_remove(db, id, &s->err)) return refused(s, 0);
  if (!options_given(&s->options, OPTION_QUIET)) printf("run %lld is gone\n", (long long)id);
  return EXIT_HOLDS;
}

int command_bench(struct session *s) {
  static const struct {
    const char *name, *operands;
    size_t least, most;
  } verbs[] = {{"list", "", 0, 0}, {"show", "RUN", 0, 1}, {"compare", "A B", 0, 2}, {"plot", "RUN", 0, 1}, {"remove", "RUN", 1, 1}};
  const char **operand = s->options.operand, *first = operand[0], *name;
  size_t n = s->options.operand_count - 1, v = 0;
  char file[4096];
  struct database *db;
  mem_open(&s->mem, 0);
  while (v < 5 && strcmp(verbs[v].name, first) != 0) v++;
  if (v == 5) {
    if (!n) return run_suite(s);
    err_usage(&s->err, "bench takes one suite, or list, show RUN, compare A B, plot RUN, remove RUN");
    return EXIT_USAGE;
  }
  if (n < verbs[v].least || n > verbs[v].most) {
    err_usage(&s->err, "bench %s takes %s%s", first, *verbs[v].operands ? verbs[v].operands : "nothing more", v == 2 ? ": two runs" : "");
    return EXIT_USAGE;
  }
  /* what they write has one form: a script that asks for another one must not get it */
  const struct options *o = &s->options;
  if ((v != 1 && v != 2 && options_given(o, OPTION_JSON)) || (v != 1 && (options_given(o, OPTION_CSV) || options_given(o, OPTION_MARKDOWN)))) {
    err_usage(&s->err, "bench %s knows no %s", first, options_given(o, OPTION_JSON) && v != 2 ? "--json" : options_given(o, OPTION_CSV) ? "--csv" : "--markdown");
    err_hint(&s->err, "bench show RUN has --json, --csv and --markdown, bench compare A B has --json");
    return EXIT_USAGE;
  }
  if (!(name = database_name(s, file, sizeof file)) || database_open(&db, name, 0, &s->mem, &s->err)) return refused(s, 0);
  const char *run = n ? operand[1] : "last";
  int code = v == 0   ? list_runs(s, db)
             : v == 1 ? show(s, db, run)
             : v == 2 ? compare(s, db, n ? run : "last~1", n == 2 ? operand[2] : "last")
             : v == 3 ? plot(s, db, run)
                      : remove_run(s, db, run);
  database_close(db);
  return code;
}
