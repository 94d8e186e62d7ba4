/* cmd_check.c -- thimble check: properties from the command line, a run, a verdict told as text or JSON.
 *
 * Whatever happens after the options are understood, --json gives one object: also for a
 * model that cannot be read (verdict "error") and for a budget too small to load it
 * ("incomplete"). */
#include "base/crew.h"
#include "cli/altered.h"
#include "cli/check_certificate.h"
#include "cli/check_checkpoint.h"
#include "cli/check_disk.h"
#include "cli/check_files.h"
#include "cli/check_reduce.h"
#include "cli/check_space.h"
#include "cli/check_spread.h"
#include "cli/check_strategy.h"
#include "cli/mcc.h"
#include "cli/outfile.h"
#include "cli/published.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "cli/watchdog.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/vec.h"
#include "prop/prop.h"
#include "report/coverage.h"
#include "report/timeline.h"
#include "report/trace_view.h"
#include "run/run.h"
#include "store/comback.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

command_run command_check;

struct check {
  struct session *s;
  struct vec(struct prop) props;
  const struct search_type *search;
  const struct store_type *store;
  struct store_options store_options;
  char disk[1024]; /* the folder of --disk */
  struct expr *heuristic; /* NULL = none was given */
  struct expr *measure;   /* NULL = none was given */
  struct progress *swept; /* what a sweep goes by */
  struct report_progress progress;
  struct report_counts counts;
  struct report_timeline timeline;
  struct coverage coverage;
  struct check_space space;
  struct owned owned; /* of games */
  struct run_setup reduce; /* what --reduce says, alone */
  struct checkpoint own, *checkpoint; /* NULL = none is wanted */
  struct check_certificate certificate;
  enum search_stop stopped; /* before there was anything to run: STOP_TIME, STOP_INTERRUPT; STOP_DONE = it was not */
  int lost;    /* something that was to be written could not be */
  struct published published; /* for last words, while there is a run */
  int counted; /* steps are counted because somebody wants to see them, not only to keep them */
  struct verdict verdict;
};

/* ---- back ends ------------------------------------------------------------------------- */

static int no_such(struct err *e, const char *what, const char *name, const char *const *known) {
  char quoted[80], list[160] = "auto";
  for (size_t i = 0; known[i]; i++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, ", %s", known[i]);
  }
  err_usage(e, "the %s '%s' is unknown", what, err_quote(quoted, sizeof quoted, name, strlen(name)));
  const char *near = text_nearest(name, known);
  if (near) err_hint(e, "did you mean %s?", near);
  else err_hint(e, "there are: %s", list);
  return -1;
}

/* What a store needs beside its name, and what only some stores understand. */
static int fitting(struct check *c, struct err *e) {
  const struct options *o = &c->s->options;
  const struct store_type *store = c->store ? c->store : store_types[0];
  char bad[40];
  unsigned variants;
  if (!(store->caps & STORE_EXACT) && !options_given(o, OPTION_LOSSY)) {
    err_usage(e, "the store %s can miss states: a run with it proves nothing", store->name);
    err_hint(e, "--lossy allows it; exact stores: --store help");
    return -1;
  }
  if (store->caps & STORE_FORGETS && c->search != &search_dfs) {
    err_usage(e, "the store %s forgets states that are not on the stack of a depth-first search", store->name);
    err_hint(e, "--search dfs");
    return -1;
  }
  if (options_given(o, OPTION_UNBOUNDED_CHANNELS) && options_given(o, OPTION_LOSE_MESSAGES)) {
    err_usage(e, "with --unbounded-channels no channel is full: there is nothing to lose with --lose-messages");
    return -1;
  }
  if (options_given(o, OPTION_OBSERVER) && strcmp(options_text(o, OPTION_FAIR), "weak") == 0) {
    err_usage(e, "observers are asked about all runs: --fair weak cannot be had together with --observer");
    err_hint(e, "--ltl and --automaton can be asked about fair runs alone");
    return -1;
  }
  if (options_given(o, OPTION_COMBACK) && comback_read_variants(options_text(o, OPTION_COMBACK), &variants, bad, sizeof bad)) {
    char quoted[80];
    err_usage(e, "'%s' is no variant of comback, or contradicts the others", err_quote(quoted, sizeof quoted, bad, strlen(bad)));
    err_hint(e, "there are: classic or succinct; path (classic); backwards or sets; numbers");
    return -1;
  }
  if (check_strategy_sensible(o, e)) return -1;
  if (check_reduce_read(&c->reduce, o, e)) return -1;
  c->store_options = (struct store_options){
      .cache = options_count(o, OPTION_CACHE),
      .delta = (unsigned)options_count(o, OPTION_DELTA),
      .hash_bits = (unsigned)options_count(o, OPTION_HASH_BITS),
      .functions = (unsigned)options_count(o, OPTION_FUNCTIONS),
      .comback = options_given(o, OPTION_COMBACK) ? options_text(o, OPTION_COMBACK) : NULL,
  };
  char *folder = c->s->resume ? checkpoint_folder(c->s->resume) : NULL;
  int status = check_disk_read(&c->store_options, c->store, c->search, o, folder, c->disk, sizeof c->disk, e);
  if (folder) {
    c->store = NULL; /* the search goes there by itself */
    mem_free(c->s->resume->mem, folder);
  }
  return status;
}

static int useless(struct err *e, const char *option, const char *where, const char *hint) {
  err_usage(e, "--%s is for %s", option, where);
  err_hint(e, "%s", hint);
  return -1;
}

/* What only some searches understand, and what they cannot do. */
static int sensible(struct check *c, struct err *e) {
  const struct options *o = &c->s->options;
  int walk = c->search == &search_walk, swarm = options_given(o, OPTION_SWARM);
  if (swarm && c->search && c->search != &search_dfs) return useless(e, "swarm", "depth-first searches of its own", "leave --search out");
  if (swarm && c->store && c->store != &store_bitstate) return useless(e, "swarm", "bitstate stores of its own", "leave --store out");
  if (options_given(o, OPTION_HEURISTIC) && !(c->search && c->search->directed)) return useless(e, "heuristic", "directed searches", "--search best, --search astar");
  int sweep = c->search && c->search->measured;
  if (options_given(o, OPTION_PROGRESS_MEASURE) && !sweep) return useless(e, "progress-measure", "the sweep-line", "--search sweep");
  if (options_given(o, OPTION_MAX_DEPTH) && sweep) return useless(e, "max-depth", "searches that know how deep they are; a sweep does not", "--max-states, --time");
  if (options_given(o, OPTION_WALKS) && !walk) return useless(e, "walks", "random walks", "--search walk");
  if (options_given(o, OPTION_SEED) && !walk && !swarm) return useless(e, "seed", "what is random", "--search walk, --swarm N");
  if (walk && c->store) return useless(e, "store", "searches that remember states; a random walk does not", "leave --store out");
  if (options_given(o, OPTION_CONTINUE) && (walk || swarm)) return useless(e, "continue", "searches of the whole space", "--search bfs, dfs, best or astar");
  return 0;
}

static int pick_back_ends(struct check *c, struct err *e) {
  const char *store = options_text(&c->s->options, OPTION_STORE), *search = options_text(&c->s->options, OPTION_SEARCH);
  const char *names[32];
  size_t n = 0;
  if (strcmp(store, "auto") != 0 && !(c->store = store_find_type(store))) {
    for (; store_types[n] && n < 30; n++) names[n] = store_types[n]->name;
    names[n++] = store_disk.name;
    names[n] = NULL;
    return no_such(e, "store", store, names);
  }
  if (strcmp(search, "auto") != 0 && !(c->search = search_find_type(search))) {
    for (; search_types[n] && n < 31; n++) names[n] = search_types[n]->name;
    names[n] = NULL;
    return no_such(e, "search", search, names);
  }
  if (check_spread_allows(c->s, c->search, c->store, e) || check_disk_sensible(&c->s->options, e)) return -1;
  return sensible(c, e) ? -1 : options_given(&c->s->options, OPTION_SWARM) ? 0 : fitting(c, e);
}

/* --store help, --search help: 1 if that was asked. */
static int listed(const struct options *o) {
  int any = 0;
  if (strcmp(options_text(o, OPTION_STORE), "help") == 0) {
    printf("%-10s picks one of those below by itself\n", "auto");
    for (size_t i = 0; store_types[i]; i++) printf("%-10s %s\n", store_types[i]->name, store_types[i]->summary);
    printf("%-10s %s\n", store_disk.name, store_disk.summary);
    any = 1;
  }
  if (strcmp(options_text(o, OPTION_SEARCH), "help") == 0) {
    printf("%-10s picks one of those below by itself\n", "auto");
    for (size_t i = 0; search_types[i]; i++) printf("%-10s %s\n", search_types[i]->name, search_types[i]->summary);
    any = 1;
  }
  return any;
}

/* ---- properties ------------------------------------------------------------------------- */

/* A property is meant by its id (never:starves), its kind (ltl), what its id begins with (never), or the name that the model gave it (starves); a number alone is no name. */
static int meant(const char *name, const struct prop *p) {
  const char *own = strchr(p->id, ':');
  if (strcmp(name, p->id) == 0 || strcmp(name, prop_kind_name(p->kind)) == 0) return 1;
  if (!own) return 0;
  size_t before = (size_t)(own - p->id);
  return (strlen(name) == before && strncmp(name, p->id, before) == 0) || (!(own[1] >= '0' && own[1] <= '9') && strcmp(name, own + 1) == 0);
}

static int selected(const struct options *o, const struct prop *p) {
  size_t at = 0;
  const char *name;
  if (!options_given(o, OPTION_PROPERTY)) return 1;
  while ((name = options_next(o, OPTION_PROPERTY, &at)))
    if (meant(name, p)) return 1;
  return 0;
}

static int add(struct check *c, enum prop_kind kind, unsigned index, const char *text) {
  struct session *s = c->s;
  if (vec_reserve(&c->props, &s->mem, MEM_OTHER, 1)) return err_memory(&s->err, "the properties");
  struct prop *p = &c->props.at[c->props.count];
  if (prop_open(p, kind, index, text, s->model, &s->mem, &s->err)) return -1;
  c->props.count++;
  return 0;
}

/* What the model states itself, and that it makes no run-time errors. */
static int add_claims(struct check *c) {
  struct session *s = c->s;
  size_t most = prop_stated_most(s->model);
  if (vec_reserve(&c->props, &s->mem, MEM_OTHER, most)) return err_memory(&s->err, "the properties");
  return prop_open_stated(c->props.at + c->props.count, &c->props.count, s->model, options_given(&s->options, OPTION_NO_CLAIMS), &s->mem, &s->err);
}

static int add_automata(struct check *c) {
  struct session *s = c->s;
  if (vec_reserve(&c->props, &s->mem, MEM_OTHER, s->automaton_count + 1)) return err_memory(&s->err, "the properties");
  unsigned automata = 0, observers = 0;
  for (size_t i = 0; i < s->automaton_count; i++) {
    const struct session_file *f = &s->automata[i];
    const struct prop_file file = {f->name, f->text, f->length};
    struct prop *p = &c->props.at[c->props.count];
    if (f->observer ? prop_open_observer(p, ++observers, &file, s->model, &s->mem, &s->err)
                    : prop_open_automaton(p, ++automata, &file, s->model, &s->mem, &s->err))
      return -1;
    c->props.count++;
  }
  return 0;
}

/* Cycles by labels. */
static int add_labels(struct check *c) {
  const struct options *o = &c->s->options;
  if (options_given(o, OPTION_NO_PROGRESS) && add(c, PROP_PROGRESS, 1, NULL)) return -1;
  return options_given(o, OPTION_NO_ACCEPTANCE) && add(c, PROP_ACCEPTANCE, 1, NULL) ? -1 : 0;
}

/* Every -p must have meant something that is there. */
static int all_meant(struct check *c) {
  const struct options *o = &c->s->options;
  size_t at = 0;
  const char *name;
  while ((name = options_next(o, OPTION_PROPERTY, &at))) {
    int found = 0;
    for (size_t i = 0; i < c->props.count && !found; i++) found = meant(name, &c->props.at[i]);
    if (found) continue;
    char quoted[80], list[200] = "";
    for (size_t i = 0; i < c->props.count; i++) {
      size_t used = strlen(list);
      snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", c->props.at[i].id);
    }
    err_usage(&c->s->err, "there is no property '%s'", err_quote(quoted, sizeof quoted, name, strlen(name)));
    err_hint(&c->s->err, c->props.count ? "there are: %s" : "there are none%s", list);
    return -1;
  }
  return 0;
}

static int make_properties(struct check *c) {
  const struct options *o = &c->s->options;
  static const struct {
    enum option_id option;
    enum prop_kind kind;
  } lists[] = {{OPTION_INVARIANT, PROP_INVARIANT}, {OPTION_REACHABLE, PROP_REACHABLE}, {OPTION_LTL, PROP_LTL}, {OPTION_CTL, PROP_CTL}, {OPTION_STRATEGY, PROP_STRATEGY}};
  enum option_id deadlock = options_last(o, OPTION_DEADLOCK, OPTION_NO_DEADLOCK, OPTION_DEADLOCK);
  if (options_given(o, OPTION_UNBOUNDED_CHANNELS) && add(c, PROP_CHANNELS, 1, NULL)) return -1;
  if (deadlock == OPTION_DEADLOCK && add(c, PROP_DEADLOCK, 1, NULL)) return -1;
  if (add_claims(c)) return -1;
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    size_t at = 0;
    unsigned index = 0;
    const char *text;
    while ((text = options_next(o, lists[k].option, &at)))
      if (add(c, lists[k].kind, ++index, text)) return -1;
  }
  if (add_automata(c) || add_labels(c)) return -1;
  if (options_given(o, OPTION_HEURISTIC) && expr_parse(&c->heuristic, c->s->model, &c->s->mem, options_text(o, OPTION_HEURISTIC), "--heuristic", &c->s->err)) return -1;
  if (options_given(o, OPTION_PROGRESS_MEASURE) && expr_parse(&c->measure, c->s->model, &c->s->mem, options_text(o, OPTION_PROGRESS_MEASURE), "--progress-measure", &c->s->err)) return -1;
  if (c->search && c->search->measured && run_measure(&c->swept, c->measure, c->s->model, &c->s->mem, &c->s->err)) return -1;
  if (all_meant(c)) return -1;
  if (c->s->model->type->asked_all) c->s->model->type->asked_all(c->s->model);
  size_t kept = 0;
  for (size_t i = 0; i < c->props.count; i++) {
    if (selected(o, &c->props.at[i]) || c->props.at[i].kind == PROP_CHANNELS) c->props.at[kept++] = c->props.at[i];
    else prop_close(&c->props.at[i]);
  }
  c->props.count = kept;
  return 0;
}

/* ---- traces ----------------------------------------------------------------------------- */

/* A trace that cannot be written is told and leaves the verdict as it is. */
static void write_trace(struct check *c, const struct verdict_property *p, struct verdict_evidence *evidence, size_t n) {
  struct session *s = c->s;
  struct err e;
  struct outfile out;
  struct trace_view view;
  err_clear(&e);
  const char *given = options_text(&s->options, OPTION_CHECK_OUTPUT);
  char *name = session_nth_name(s, given, "trace", n, &e);
  int bad = !name || outfile_open_as(&out, name, strcmp(name, given) != 0, &e);
  if (!bad) {
    trace_view_model(&view, evidence->trace, s->model);
    view.property_kind = p->kind;
    view.property_text = p->text;
    trace_write_json(&view, out.stream);
    bad = outfile_close(&out, 1, &e);
  }
  if (bad) {
    session_tell(s, &e);
    mem_free(&s->mem, name);
    c->verdict.unwritten = 1;
    return;
  }
  evidence->file = name;
}

static void write_traces(struct check *c) {
  struct verdict *v = &c->verdict;
  size_t n = 0;
  for (int violated = 1; violated >= 0; violated--)
    for (size_t i = 0; i < v->property_count; i++) {
      struct verdict_property *p = &v->property[i];
      if ((p->status == STATUS_VIOLATED) != violated) continue;
      for (size_t k = 0; k < p->evidence_count; k++)
        if (p->evidence[k].trace) write_trace(c, p, &p->evidence[k], ++n);
    }
}

/* ---- the run ---------------------------------------------------------------------------- */

static struct report_setup manner(struct check *c) {
  struct session *s = c->s;
  const struct options *o = &s->options;
  return (struct report_setup){
      .model = s->model,
      .counts = c->counted ? &c->counts : NULL,
      .timeline = &c->timeline,
      .coverage = c->coverage.mem ? &c->coverage : NULL,
      .coverage_complete = c->counts.whole,
      .err = &s->err,
      .colour = session_colour(s, stdout),
      .quiet = options_given(o, OPTION_QUIET),
      .verbose = options_given(o, OPTION_VERBOSE),
      .stats = options_given(o, OPTION_STATS),
      .space = c->space.there ? &c->space.report : NULL,
      .space_all = c->space.asked,
  };
}

/* What the verdict is about: the options that make another model, and all files that were read. */
static void name_model(struct verdict *v, const struct session *s) {
  v->option = (const char *const *)s->altered.at;
  v->options = s->altered.count;
  v->options_of_model = s->altered_model;
  v->input = s->inputs.at;
  v->inputs = s->inputs.count;
}

/* The exit code that is left: a file that was asked for and is not there is no success. */
static int tell(struct check *c) {
  struct session *s = c->s;
  const struct options *o = &s->options;
  if (s->spread && !s->spread->tells) {
    s->err.kind = ERR_NONE;
    return verdict_exit_code(&c->verdict);
  }
  struct report_setup how = manner(c);
  session_tell(s, &s->err);
  name_model(&c->verdict, s);
  if (check_certificate_write(&c->certificate, s, &c->verdict)) c->verdict.unwritten = 1;
  if (check_files_write(s, &c->verdict, &how)) c->verdict.unwritten = 1;
  watchdog_end(); /* whoever reads the verdict may take his time */
  published_close(&c->published);
  if (options_given(o, OPTION_JSON)) report_json(&c->verdict, &how, stdout);
  else report_text(&c->verdict, &how, stdout);
  s->err.kind = ERR_NONE;
  if (session_flush(s) || c->verdict.unwritten) c->lost = 1;
  return verdict_exit_code(&c->verdict);
}

/* There is no run to tell of: the model could not be read, or not within the budget, or not before the user had enough. */
static void no_run(struct check *c) {
  struct session *s = c->s;
  struct verdict *v = &c->verdict;
  verdict_close(v);
  *v = (struct verdict){.mem = &s->mem,
                        .file = s->file,
                        .language = s->model ? s->model->language : NULL,
                        .budget = s->mem.budget,
                        .peak = s->mem.peak,
                        .load_s = s->load_s,
                        .total_s = s->load_s};
  verdict_weigh(v);
  if (s->model) v->words = s->model->words, v->bits = s->model->bits;
  static const char unread[] = "nothing was explored: the model and its properties were being read";
  if (c->stopped) v->advice = mem_strndup(v->mem, MEM_OTHER, unread, strlen(unread)), err_clear(&s->err);
  int memory = s->err.kind == ERR_MEMORY;
  v->kind = memory || c->stopped ? VERDICT_INCOMPLETE : VERDICT_ERROR;
  v->stop = c->stopped ? c->stopped : memory ? STOP_MEMORY : s->err.kind == ERR_INTERNAL ? STOP_GOAL : STOP_FAULT;
}

static int prepare(struct check *c) {
  struct session *s = c->s;
  s->hears_inputs = check_checkpoint_wanted(s) || options_given(&s->options, OPTION_CERTIFICATE) ? 2 : 1;
  if (altered_gather(s)) return err_memory(&s->err, "the command line");
  if (session_load(s, s->options.operand[0])) return -1;
  if (options_given(&s->options, OPTION_UNBOUNDED_CHANNELS) && !process_program(s->model)) {
    err_usage(&s->err, "--unbounded-channels is for models with channels (Promela, PROM+, DVE); this one is a %s", s->model->type->kind);
    return -1;
  }
  int fair = strcmp(options_text(&s->options, OPTION_FAIR), "weak") == 0;
  if (fair && !s->model->type->movers) {
    err_usage(&s->err, "--fair weak is for models that are made of processes; this one is a %s", s->model->type->kind);
    return -1;
  }
  if (make_properties(c) || check_spread_asks(s, c->props.at, c->props.count, &s->err)) return -1;
  if (c->store == &store_disk && check_disk_allows(c->props.at, c->props.count, fair, &s->err)) return -1;
  if (!s->spread) c->counted = options_given(&s->options, OPTION_STATS) || options_given(&s->options, OPTION_REPORT);
  if ((c->counted || (!s->spread && s->resume && checkpoint_has_part(s->resume, "counts"))) && report_counts_open(&c->counts, s->model, &s->mem, &s->err)) return -1;
  if (options_given(&s->options, OPTION_STRATEGY) && owned_open(&c->owned, s)) return -1;
  if (options_given(&s->options, OPTION_CERTIFICATE) && check_certificate_open(&c->certificate, s, c->disk)) return -1;
  if (!check_checkpoint_wanted(s)) {
    if (!s->spread) check_space_open(&c->space, s, c->search, c->store, c->reduce.reduce != 0);
    return 0;
  }
  struct run_setup asked = {.model = s->model, .search = c->search, .store = c->store, .props = c->props.at, .prop_count = c->props.count, .swarm = options_given(&s->options, OPTION_SWARM), .limits.depth = options_count(&s->options, OPTION_MAX_DEPTH)};
  c->checkpoint = s->resume ? s->resume : &c->own;
  return check_checkpoint_open(&c->own, s, &asked);
}

/* The command did not come to its end in time: what is known is told in its place, by the watchdog's thread. It has a budget of its own, and touches nothing that the run changes. */
static int last_words(void *context, enum search_stop why) {
  static const char cut[] = "a stage did not finish in time and was cut off; the figures are those of the last progress report";
  const struct check *c = context;
  struct session s = *c->s;
  struct check last = {.s = &s};
  struct verdict *v = &last.verdict;
  mem_open(&s.mem, 0);
  err_clear(&s.err);
  last.stopped = why;
  if (!c->published.setup || published_verdict(&c->published, v, why, &s.mem, &s.err)) no_run(&last);
  else if (!c->published.final) {
    v->total_s = clock_now() - c->published.began;
    v->advice = mem_strndup(&s.mem, MEM_OTHER, cut, sizeof cut - 1);
    write_traces(&last);
  }
  name_model(v, &s);
  struct report_setup how = manner(&last);
  how.timeline = NULL;
  if (options_given(&s.options, OPTION_JSON)) report_json(v, &how, stdout);
  else report_text(v, &how, stdout);
  check_files_write(&s, v, &how);
  session_flush(&s);
  return verdict_exit_code(v);
}

/* Ranks of a cluster are told by its own means. */
static int prepare_unless_stopped(struct check *c) {
  struct session *s = c->s;
  if (s->spread) return prepare(c);
  signals_begin_reading(s, options_seconds(&s->options, OPTION_TIME));
  watchdog_say(last_words, c);
  int bad = prepare(c), by = signals_end_reading(s);
  if (bad && by && s->err.kind != ERR_USAGE) c->stopped = by == SIGALRM ? STOP_TIME : STOP_INTERRUPT;
  return bad;
}

static enum process_engine engine_wanted(const struct options *o) {
  const char *name = options_text(o, OPTION_ENGINE);
  return strcmp(name, "compiled") == 0 ? PROCESS_COMPILED : strcmp(name, "interpreter") == 0 ? PROCESS_INTERPRETER : PROCESS_AUTO;
}

/* Asked for and not to be had. */
static void tell_engine(struct session *s) {
  if (engine_wanted(&s->options) != PROCESS_COMPILED || !*process_engine_why(s->model)) return;
  struct err e;
  err_clear(&e);
  err_usage(&e, "no compiled engine: %s; the interpreter ran instead", process_engine_why(s->model));
  session_tell(s, &e);
}

static void run(struct check *c) {
  struct session *s = c->s;
  struct listener *listeners[6];
  size_t n = 0;
  report_timeline_open(&c->timeline);
  listeners[n++] = &c->timeline.listener;
  struct listener *progress = session_progress(s, &c->progress);
  if (progress) listeners[n++] = progress;
  if (c->counts.mem) listeners[n++] = &c->counts.listener;
  if (c->space.beside) listeners[n++] = &c->space.space.listener;
  if (c->certificate.file) listeners[n++] = &c->certificate.certificate.listener;
  struct run_setup setup = {
      .mem = &s->mem,
      .model = s->model,
      .props = c->props.at,
      .prop_count = c->props.count,
      .search = c->search,
      .store = c->store,
      .store_options = &c->store_options,
      .jobs = options_given(&s->options, OPTION_JOBS) ? (unsigned)options_count(&s->options, OPTION_JOBS) : crew_cores(),
      .collect = options_given(&s->options, OPTION_CONTINUE) ? (size_t)options_count(&s->options, OPTION_CONTINUE) : 0,
      .listeners = listeners,
      .listener_count = n,
      .load_s = s->load_s,
      .engine = engine_wanted(&s->options),
      .cycles = strcmp(options_text(&s->options, OPTION_CYCLES), "ndfs") == 0 ? CYCLES_NESTED : CYCLES_COMPONENTS,
      .heuristic = c->heuristic,
      .progress = c->swept,
      .seed = options_count(&s->options, OPTION_SEED),
      .walks = options_given(&s->options, OPTION_WALKS) ? options_count(&s->options, OPTION_WALKS) : 0,
      .swarm = options_given(&s->options, OPTION_SWARM) ? (unsigned)options_count(&s->options, OPTION_SWARM) : 0,
      .owners = c->owned.owners.model ? &c->owned.owners : NULL,
      .fair = strcmp(options_text(&s->options, OPTION_FAIR), "weak") == 0,
  };
  session_limits(s, &setup.limits);
  if (c->checkpoint) watchdog_patience(WATCHDOG_WRITING); /* what it has in memory goes to disk at the end */
  if (!s->spread && published_open(&c->published, &setup) == 0) {
    listeners[setup.listener_count++] = &c->published.listener;
    setup.watch = &c->published.watch;
  }
  setup.scout = options_given(&s->options, OPTION_UNBOUNDED_CHANNELS) ? 0 : RUN_SCOUT;
  setup.checkpoint = c->checkpoint;
  if (s->spread && c->checkpoint && !s->resume) s->spread->same_moment(s->spread->ranks, &c->checkpoint->journal, &s->err); /* a rank that is gone is noticed soon enough */
  if (c->checkpoint) journal_add_part(&c->checkpoint->journal, &(struct journal_part){"timeline", &c->timeline, report_timeline_save, report_timeline_load});
  if (c->checkpoint && c->counts.mem) journal_add_part(&c->checkpoint->journal, &(struct journal_part){"counts", &c->counts, report_counts_save, report_counts_load});
  setup.reduce = c->reduce.reduce;
  setup.reduce_late = c->space.wanted || c->certificate.file ? 0 : c->reduce.reduce_late;
  setup.reduce_runs = c->certificate.file ? 0 : c->reduce.reduce_runs;
  setup.reduce_if_worth = c->reduce.reduce_if_worth;
  const char *change = check_spread_change(s, &setup);
  if (change && !options_given(&s->options, OPTION_QUIET)) fprintf(stderr, "note: %s\n", change);
  run_check(&c->verdict, &setup, &s->err);
  published_final(&c->published, &c->verdict);
  watchdog_patience(WATCHDOG_WRITING);
  check_space_finish(&c->space, s, &setup, &c->verdict);
  if (progress) report_progress_clear(&c->progress);
  tell_engine(s);
  check_reduce_tell(s, &c->verdict);
  char note[1200];
  if (c->verdict.note && !options_given(&s->options, OPTION_QUIET)) fprintf(stderr, "note: %s\n", report_name(note, sizeof note, c->verdict.note));
  session_warnings(s);
  if (s->spread && !s->spread->tells) return;
  if (c->verdict.kind != VERDICT_ERROR) write_traces(c);
  struct err e;
  err_clear(&e);
  if (c->counted && coverage_open(&c->coverage, &c->counts, s->model, &s->mem, &e)) session_tell(s, &e);
  if (c->verdict.kind != VERDICT_ERROR) check_strategy_write(s, &c->owned, &c->verdict);
}


static void close_check(struct check *c) {
  struct session *s = c->s;
  if (c->checkpoint && c->lost) check_checkpoint_stays(s, c->checkpoint, &c->verdict);
  if (c->checkpoint) checkpoint_close(c->checkpoint, c->lost ? NULL : &c->verdict);
  check_certificate_close(&c->certificate);
  verdict_close(&c->verdict);
  for (size_t i = 0; i < c->props.count; i++) prop_close(&c->props.at[i]);
  vec_free(&c->props, &s->mem);
  expr_close(c->heuristic);
  progress_close(c->swept);
  expr_close(c->measure);
  report_counts_close(&c->counts);
  coverage_close(&c->coverage);
  check_space_close(&c->space);
  if (c->owned.owners.model) owned_close(&c->owned, s);
}

int check_no_run(struct session *s) {
  struct check c = {.s = s};
  no_run(&c);
  int code = tell(&c);
  close_check(&c);
  return code;
}

int command_check(struct session *s) { return check_command(s); }

int check_command(struct session *s) {
  struct check c = {.s = s};
  if (listed(&s->options)) return EXIT_HOLDS;
  if (pick_back_ends(&c, &s->err)) return session_exit_code(&s->err);
  if (check_certificate_sensible(s, &s->err)) return EXIT_USAGE;
  if (options_given(&s->options, OPTION_MCC)) return check_checkpoint_sensible(s, &s->err) ? EXIT_USAGE : mcc_answer(s);
  if (!s->options.operand_count) {
    err_usage(&s->err, "check needs a MODEL");
    err_hint(&s->err, "thimble check [OPTION]... MODEL");
    return EXIT_USAGE;
  }
  if (strcmp(options_text(&s->options, OPTION_CHECK_OUTPUT), "-") == 0) {
    err_usage(&s->err, "standard output is for the verdict: the trace needs a file");
    return EXIT_USAGE;
  }
  if (check_files_named(&s->options, &s->err) || check_checkpoint_sensible(s, &s->err)) return EXIT_USAGE;
  session_budget(s);
  if (check_spread_agree(s, prepare_unless_stopped(&c))) {
    if (s->err.kind == ERR_USAGE) {
      close_check(&c);
      return EXIT_USAGE;
    }
    no_run(&c);
  } else {
    run(&c);
    if (c.verdict.complete && c.owned.owners.model && owned_check(&c.owned, s)) {
      close_check(&c);
      return EXIT_USAGE;
    }
  }
  int code = tell(&c);
  close_check(&c);
  return code;
}
