/* options.c -- quantities, and the command line by the tables. */
#include "cli/completion.c"
#include "cli/options.c"
#include "cli/table.c"
#include "tap.h"

static int count_is(const char *text, uint64_t want) {
  uint64_t n;
  return quantity_count(text, &n) == 0 && n == want;
}

static int size_is(const char *text, uint64_t want) {
  uint64_t n;
  return quantity_size(text, 1000, &n) == 0 && n == want;
}

static int time_is(const char *text, double want) {
  double s;
  return quantity_duration(text, &s) == 0 && s > want - 1e-9 && s < want + 1e-9;
}

static void quantities(void) {
  ok(count_is("500", 500) && count_is("0", 0) && count_is("10k", 10000) && count_is("2M", 2000000), "plain counts and suffixes");
  ok(count_is("1e6", 1000000) && count_is("1.5e3", 1500) && count_is("2.5k", 2500) && count_is("1_000_000", 1000000),
     "exponents, fractions, groups");
  ok(count_is("18446744073709551615", UINT64_MAX) && count_is("9007199254740993", 9007199254740993u), "whole numbers are exact");
  static const char *const no_counts[] = {"",
                                          "x",
                                          "-1",
                                          "+1",
                                          "1.5",
                                          "1e",
                                          "1e99",
                                          "18446744073709551616",
                                          "20000000000000000000k",
                                          "10kk",
                                          "1 0",
                                          "0x10",
                                          "1__0",
                                          "_1",
                                          "1_",
                                          "1e-3",
                                          ".",
                                          "nan",
                                          "inf",
                                          NULL};
  uint64_t n;
  int accepted = 0;
  for (size_t i = 0; no_counts[i]; i++)
    if (quantity_count(no_counts[i], &n) == 0) accepted++, printf("# accepted: %s\n", no_counts[i]);
  is(accepted, 0, "what is no count is refused");
  ok(size_is("512M", 512u << 20) && size_is("2G", 2ull << 30) && size_is("64MiB", 64u << 20) && size_is("64MB", 64u << 20) &&
         size_is("7", 7),
     "sizes");
  ok(size_is("1.5K", 1536) && size_is("50%", 500) && size_is("12.5%", 125) && size_is("100%", 1000), "fractions and shares");
  ok(quantity_size("0%", 1000, &n) && quantity_size("101%", 1000, &n) && quantity_size("5Mi", 1000, &n) &&
         quantity_size("5Q", 1000, &n) && quantity_size("17179869184G", 1000, &n) && quantity_size("", 1000, &n),
     "what is no size is refused");
  double s;
  ok(time_is("90", 90) && time_is("1m30s", 90) && time_is("2h", 7200) && time_is("500ms", .5) && time_is("1.5", 1.5) &&
         time_is("1d", 86400) && time_is("1m30", 90),
     "times");
  ok(quantity_duration("", &s) && quantity_duration("1x", &s) && quantity_duration("m", &s) && quantity_duration("1h h", &s),
     "what is no time is refused");
}

static struct mem mem;
static struct options o;
static struct err e;

static int parse(enum command_id command, int argc, const char *const *argv) {
  options_close(&o);
  err_clear(&e);
  return options_parse(&o, command, argc, (char **)(void *)argv, &mem, &e);
}
#define PARSE(command, ...)                                                                                                      \
  parse(command, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)), (const char *const[]){__VA_ARGS__})

static void parsing(void) {
  ok(PARSE(COMMAND_CHECK, "--memory=64M", "model.net", "-t", "1m30s", "-qv", "--max-states", "1e6") == 0,
     "long and short, anywhere");
  is(options_size(&o, OPTION_MEMORY), 64 << 20, "--memory=64M");
  is((int)options_seconds(&o, OPTION_TIME), 90, "-t 1m30s");
  is(options_count(&o, OPTION_MAX_STATES), 1000000, "--max-states 1e6");
  ok(options_given(&o, OPTION_QUIET) && options_given(&o, OPTION_VERBOSE) && !options_given(&o, OPTION_JSON),
     "-qv are two flags");
  ok(o.operand_count == 1 && strcmp(o.operand[0], "model.net") == 0, "the operand");
  ok(PARSE(COMMAND_CHECK, "-m64M", "-t2h", "x") == 0 && options_size(&o, OPTION_MEMORY) == 64 << 20 &&
         options_seconds(&o, OPTION_TIME) == 7200,
     "-m64M");
  ok(PARSE(COMMAND_CHECK, "--", "--json") == 0 && !options_given(&o, OPTION_JSON) && strcmp(o.operand[0], "--json") == 0,
     "-- ends the options");
  ok(PARSE(COMMAND_CHECK, "-") == 0 && strcmp(o.operand[0], "-") == 0, "- is an operand");
  ok(PARSE(COMMAND_CHECK, "x", "--memory", "1G", "--memory", "2G") == 0 && options_size(&o, OPTION_MEMORY) == 2ull << 30,
     "the last one wins");
  ok(PARSE(COMMAND_CHECK, "x", "--invariant", "a", "--invariant=b=1", "--invariant", "--c") == 0, "a list");
  size_t at = 0;
  is_text(options_next(&o, OPTION_INVARIANT, &at), "a", "its first");
  is_text(options_next(&o, OPTION_INVARIANT, &at), "b=1", "its second, with = in it");
  is_text(options_next(&o, OPTION_INVARIANT, &at), "--c", "its third, that looks like an option");
  ok(!options_next(&o, OPTION_INVARIANT, &at), "its end");
  ok(PARSE(COMMAND_CHECK, "x", "--continue") == 0 && options_count(&o, OPTION_CONTINUE) == 10, "--continue alone");
  ok(PARSE(COMMAND_CHECK, "--continue=3", "x") == 0 && options_count(&o, OPTION_CONTINUE) == 3 && o.operand_count == 1,
     "--continue=3");
  ok(PARSE(COMMAND_CHECK, "--mcc", "StateSpace", "x") == 0 && strcmp(options_text(&o, OPTION_MCC), "StateSpace") == 0 &&
         o.operand_count == 1,
     "--mcc NAME");
  ok(PARSE(COMMAND_CHECK, "x", "--mcc") == 0 && strcmp(options_text(&o, OPTION_MCC), "auto") == 0, "--mcc at the end");
  ok(PARSE(COMMAND_CHECK, "x", "--deadlock", "--no-deadlock") == 0 &&
         options_last(&o, OPTION_DEADLOCK, OPTION_NO_DEADLOCK, OPTION_DEADLOCK) == OPTION_NO_DEADLOCK,
     "of two opposites the last one counts");
  ok(PARSE(COMMAND_GRAPH, "x") == 0 && strcmp(options_text(&o, OPTION_GRAPH_FORMAT), "dot") == 0, "a default");
}

static void values(void) {
  ok(PARSE(COMMAND_CHECK, "x", "--reduce", "none", "-j", "1", "-j1", "--engine=auto", "--lossy", "--no-claims") == 0,
     "options with values, short and long, and flags");
  is(o.operand_count, 1, "with its arguments");
  ok(PARSE(COMMAND_CHECK, "x", "--reduce", "por,symmetry") == 0 && PARSE(COMMAND_CHECK, "x", "--reduce") == -1, "--reduce takes a list, and must have one");
  ok(PARSE(COMMAND_CHECK, "x", "-j", "4") == 0 && PARSE(COMMAND_CHECK, "x", "-j", "0") == -1, "-j takes threads, at least one");
  ok(PARSE(COMMAND_CHECK, "x", "--cycles", "tarjan") == -1 && strstr(e.message, "ndfs"), "--cycles takes what it lists");
  ok(PARSE(COMMAND_CHECK, "x", "--checkpoint", "f") == 0 && PARSE(COMMAND_CHECK, "x", "--progress-measure", "f") == 0, "--checkpoint and --progress-measure take what they are given");
}

static void refusals(void) {
  ok(PARSE(COMMAND_CHECK, "x", "--memry", "1G") == -1 && e.kind == ERR_USAGE && strstr(e.hint, "--memory"),
     "a misspelt option: the nearest is named");
  ok(PARSE(COMMAND_CHECK, "x", "--frobnicate") == -1 && strstr(e.message, "--frobnicate") && strstr(e.hint, "help check"),
     "an unknown one");
  ok(PARSE(COMMAND_CHECK, "x", "--bounds") == -1 && strstr(e.hint, "info"), "an option of another command");
  ok(PARSE(COMMAND_CHECK, "x", "-Z") == -1 && strstr(e.message, "-Z"), "an unknown letter");
  ok(PARSE(COMMAND_CHECK, "x", "--json=1") == -1 && strstr(e.message, "no value"), "a value for a flag");
  ok(PARSE(COMMAND_CHECK, "x", "--memory") == -1 && strstr(e.message, "SIZE"), "a missing value");
  ok(PARSE(COMMAND_CHECK, "x", "--memory", "lots") == -1 && strstr(e.message, "lots"), "a wrong size");
  ok(PARSE(COMMAND_CHECK, "x", "--memory", "0") == -1, "no memory at all");
  ok(PARSE(COMMAND_CHECK, "x", "--time", "-5") == -1, "a wrong time");
  ok(PARSE(COMMAND_CHECK, "x", "--max-states", "0") == -1 && strstr(e.message, "1.."), "out of range");
  ok(PARSE(COMMAND_CHECK, "x", "--color", "blue") == -1 && strstr(e.message, "auto, always or never"), "a wrong choice");
  ok(PARSE(COMMAND_CHECK, "x", "y") == -1 && strstr(e.message, "'y'"), "too many operands");
  ok(PARSE(COMMAND_INFO, "--json") == -1 && strstr(e.message, "MODEL"), "too few");
  ok(PARSE(COMMAND_INFO, "--help") == 0, "but not with --help");
  char wild[600];
  memset(wild, 'x', sizeof wild - 1);
  memcpy(wild, "--\033[31m", 7);
  wild[sizeof wild - 1] = 0;
  ok(PARSE(COMMAND_CHECK, wild) == -1 && !strchr(e.message, '\033'), "a hostile name is shown escaped");
}

/* Every option has all it needs, and no command has two of one name or letter. */
static void tables(void) {
  int bad = 0;
  for (int i = 0; i < OPTIONS; i++) {
    const struct option_spec *a = &option_specs[i];
    uint64_t n;
    double s;
    bad += !a->help[0] || !a->commands || (option_takes(a) && !a->argument[0]);
    bad += a->kind == CHOICE && !among(a->range, a->fallback);
    bad += (a->kind == COUNT || a->kind == MAYBE_COUNT) && *a->fallback && quantity_count(a->fallback, &n);
    bad += a->kind == SIZE && *a->fallback && quantity_size(a->fallback, 1 << 30, &n);
    bad += a->kind == DURATION && *a->fallback && quantity_duration(a->fallback, &s);
    for (int k = 0; k < i; k++) {
      const struct option_spec *b = &option_specs[k];
      if (a->commands & b->commands) bad += strcmp(a->name, b->name) == 0 || (a->letter && a->letter == b->letter);
    }
    for (const struct later_spec *l = later_specs; l->name; l++)
      if (l->commands & a->commands) bad += strcmp(l->name, a->name) == 0 || (l->letter && l->letter == a->letter);
  }
  is(bad, 0, "the tables are sound");
}

static void completions(void) {
  static const char *const shells[] = {"bash", "zsh", "fish"};
  for (int s = 0; s < 3; s++) {
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    completion_write(shells[s], f);
    fclose(f);
    int missing = 0;
    for (int i = 0; i < OPTIONS; i++) {
      char word[64];
      snprintf(word, sizeof word, s == 2 ? "-l %s" : "--%s", option_specs[i].name);
      missing += !strstr(text, word);
    }
    for (int c = 0; c < COMMANDS; c++) missing += !strstr(text, command_specs[c].name);
    is(missing, 0, shells[s]);
    free(text);
  }
  ok(completion_write("tcsh", stdout) == -1, "another shell is refused");
}

static void out_of_memory(void) {
  options_close(&o);
  is(mem.used, 0, "nothing is kept");
  for (size_t n = 1; n <= 2; n++) {
    mem.fail_after = n;
    ok(PARSE(COMMAND_CHECK, "x", "-q") == -1 && e.kind == ERR_MEMORY, "a refused allocation is told");
    mem.fail_after = 0;
    options_close(&o);
  }
  is(mem.used, 0, "nothing is kept then either");
}

int main(void) {
  mem_open(&mem, 0);
  quantities();
  parsing();
  values();
  refusals();
  tables();
  completions();
  out_of_memory();
  return done();
}
