/* mcc.c -- check --mcc EXAMINATION.
 *
 * The contest's harness (BenchKit) starts a tool in the folder of model.pnml and tells it what to do in the
 * environment:
 *
 *   BK_EXAMINATION        what to compute; used when --mcc is given without one or with auto
 *   BK_TIME_CONFINEMENT   seconds until it is killed
 *   BK_MEM_CONFINEMENT    megabytes that it may use
 *
 * --time and --memory win over the latter two.  Formulas come from EXAMINATION.xml
 * beside the model, or from --queries (run/contest.h).  Other properties play no part here. */
#include "cli/mcc.h"

#include "base/quantity.h"
#include "cli/signals.h"
#include "cli/watchdog.h"
#include "colour/colour.h"
#include "net/pt_model.h"
#include "run/contest.h"
#include "run/run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tool must have answered before it is killed: a twentieth of the time, 5 s at most, is kept for the answer. */
static double confined_seconds(void) {
  const char *text = getenv("BK_TIME_CONFINEMENT");
  double s = 0;
  if (!text || quantity_duration(text, &s) || s <= 0) return 0;
  return s - (s / 20 < 5 ? s / 20 : 5);
}

/* In megabytes; 8 of them are the program itself. */
static void confine_memory(struct session *s) {
  const char *text = getenv("BK_MEM_CONFINEMENT");
  uint64_t mega = 0;
  session_budget(s);
  if (options_given(&s->options, OPTION_MEMORY) || !text || quantity_count(text, &mega) || !mega || mega > SIZE_MAX >> 20) return;
  size_t bytes = (size_t)mega << 20, fixed = (size_t)8 << 20;
  bytes = bytes > 2 * fixed ? bytes - fixed : bytes / 2;
  if (bytes < s->mem.budget) mem_open(&s->mem, bytes);
}

static const char *techniques(const struct model *m) {
  struct pt_packing packing;
  if (!pt_model_net(m)) return "EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION";
  pt_model_packing(m, &packing);
  return packing.unit_fields && pt_model_net(m)->units ? "EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION USE_NUPN"
                                                       : "EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION";
}

static void confine_time(struct session *s, struct search_limits *limits) {
  double all = options_given(&s->options, OPTION_TIME) ? 0 : confined_seconds();
  session_limits(s, limits);
  if (all > 0) limits->seconds = all - s->load_s > 1e-3 ? all - s->load_s : 1e-3;
}

static const char *model_file(const struct session *s) { return s->options.operand_count ? s->options.operand[0] : "model.pnml"; }

/* All the seconds that there are; 0 = no limit. */
static double seconds_in_all(const struct session *s) {
  double asked = options_seconds(&s->options, OPTION_TIME);
  return asked > 0 ? asked : confined_seconds();
}

/* 1: the answer is told already, *code is the exit code. */
static int refused(struct session *s, int *code) {
  confine_memory(s);
  if (!options_given(&s->options, OPTION_UNFOLD)) s->unfold = FRONT_UNFOLD_RATHER; /* walks, invariants and the state equation know unfolded nets only */
  signals_begin_reading(s, seconds_in_all(s));
  int bad = session_load(s, model_file(s)), by = signals_end_reading(s);
  if (bad) {
    if (s->err.kind != ERR_USAGE) puts("CANNOT_COMPUTE");
    *code = !by ? session_exit_code(&s->err) : by == SIGALRM ? EXIT_INCOMPLETE : EXIT_INTERRUPTED;
    if (by) err_clear(&s->err), err_limit(&s->err, by == SIGALRM ? "the time limit passed while the model was being read" : "interrupted while the model was being read");
    return 1;
  }
  if (pt_model_net(s->model) || s->model->type->amount) return 0; /* nets, unfolded or with their colours */
  puts("DO_NOT_COMPETE");
  *code = EXIT_HOLDS;
  return 1;
}

/* EXAMINATION.xml beside the model, unless --queries says where. Returns out. */
static const char *query_file(const struct session *s, const char *examination, char *out, size_t room) {
  const char *given = options_text(&s->options, OPTION_QUERIES), *model = model_file(s), *slash = strrchr(model, '/');
  if (*given) return given;
  snprintf(out, room, "%.*s%s.xml", slash ? (int)(slash - model) + 1 : 0, model, examination);
  return out;
}

/* What was told, for last words as well: those tell the rest. */
struct telling {
  struct session *session;
  const char *techniques;
  size_t unknown;
  const char *examination;
  const struct queries *queries; /* NULL: one question about the net */
  uint8_t *told;                 /* per query */
  int said;                      /* the one question was answered */
};

static void mark_told(struct telling *t, const char *id) {
  size_t i = 0;
  t->said = 1;
  for (const struct query *q = t->queries ? t->queries->first : NULL; q; q = q->next, i++)
    if (q->id == id) t->told[i] = 1;
}

static void tell(void *context, const struct contest_answer *a) {
  struct telling *t = context;
  char number[32], id[1024];
  watchdog_hold();
  mark_told(t, a->id);
  snprintf(number, sizeof number, "%" PRId64, a->number);
  const char *answer = a->status == CONTEST_TRUE ? "TRUE" : a->status == CONTEST_FALSE ? "FALSE" : a->status == CONTEST_NUMBER ? number : "CANNOT_COMPUTE";
  t->unknown += a->status == CONTEST_UNKNOWN;
  printf("FORMULA %s %s TECHNIQUES", report_name(id, sizeof id, a->id), answer); /* an id with a line end would be two answers */
  if (a->by & CONTEST_BY_FIRST_STATE) fputs(" INITIAL_STATE", stdout);
  if (a->by & CONTEST_BY_WALK) fputs(" RANDOM_WALK", stdout);
  if (a->by & CONTEST_BY_EQUATION) fputs(" STATE_EQUATION", stdout);
  if (a->by & CONTEST_BY_COVERABILITY) fputs(" COVERABILITY_SET", stdout);
  if (a->by & CONTEST_BY_STUBBORN_SETS) fputs(" STUBBORN_SETS", stdout);
  if (a->by & CONTEST_BY_STRUCTURE) fputs(" STRUCTURAL_REDUCTION", stdout);
  printf(" %s\n", t->techniques);
  fflush(stdout);
  if (a->problem) session_tell(t->session, a->problem);
  watchdog_let_go();
}

/* The run did not come to its end in time: what was not told has no answer. */
static int last_words(void *context, enum search_stop why) {
  const struct telling *t = context;
  size_t i = 0;
  if (!t->queries && !t->said) printf("FORMULA %s CANNOT_COMPUTE TECHNIQUES %s\n", t->examination, t->techniques);
  for (const struct query *q = t->queries ? t->queries->first : NULL; q; q = q->next, i++) {
    char id[1024];
    if (!t->told[i]) printf("FORMULA %s CANNOT_COMPUTE TECHNIQUES %s\n", report_name(id, sizeof id, q->id), t->techniques);
  }
  return why == STOP_TIME ? EXIT_INCOMPLETE : EXIT_INTERRUPTED;
}

/* Of the state space, and while the model is read. */
static int nothing_computed(void *context, enum search_stop why) {
  (void)context;
  puts("CANNOT_COMPUTE");
  return why == STOP_TIME ? EXIT_INCOMPLETE : EXIT_INTERRUPTED;
}

static int examine(struct session *s, const char *examination, int needs_queries) {
  int code;
  char file[4096];
  struct queries queries = {0};
  if (refused(s, &code)) return code;
  if (needs_queries && queries_read(&queries, query_file(s, examination, file, sizeof file), &s->mem, &s->err)) return session_exit_code(&s->err);
  struct run_setup setup = {.mem = &s->mem, .model = s->model, .load_s = s->load_s};
  struct telling telling = {.session = s, .techniques = techniques(s->model), .examination = examination, .queries = needs_queries ? &queries : NULL};
  telling.told = mem_alloc(&s->small, MEM_OTHER, queries.count + 1);
  if (!telling.told) return session_exit_code((err_memory(&s->err, "the queries"), &s->err));
  confine_time(s, &setup.limits);
  watchdog_say(last_words, &telling);
  int bad = contest_run(examination, &queries, &setup, tell, &telling, &s->err);
  watchdog_end();
  mem_free(&s->small, telling.told);
  queries_close(&queries);
  return bad ? session_exit_code(&s->err) : telling.unknown ? EXIT_INCOMPLETE : EXIT_HOLDS;
}

/* The most tokens, of a net that keeps its colours: its model does not count them by itself. */
struct crowds {
  struct listener listener;
  const struct model *model;
  uint32_t in_place;
  uint64_t in_marking;
};

static enum listener_answer count_tokens(struct listener *l, struct search *search, const struct search_event *event) {
  struct crowds *c = (struct crowds *)l;
  (void)search;
  colour_peaks(c->model, event->words, &c->in_place, &c->in_marking);
  return LISTEN_ON;
}

static int state_space(struct session *s) {
  int code;
  if (refused(s, &code)) return code;
  struct report_progress progress;
  struct crowds crowds = {.listener = {EVENT_NEW, count_tokens}, .model = s->model};
  struct listener *listener = session_progress(s, &progress), *listeners[2] = {listener};
  size_t count = listener != NULL;
  int coloured = !pt_model_net(s->model);
  if (coloured) listeners[count++] = &crowds.listener;
  struct run_setup setup = {.mem = &s->mem,
                            .model = s->model,
                            .listeners = listeners,
                            .listener_count = count,
                            .load_s = s->load_s,
                            .prefix = 1};
  confine_time(s, &setup.limits);
  struct verdict v;
  run_check(&v, &setup, &s->err);
  watchdog_end();
  if (listener) report_progress_clear(&progress);
  if (coloured) v.has_peaks = 1, v.max_in_place = crowds.in_place, v.max_in_marking = crowds.in_marking;
  report_mcc(&v, techniques(s->model), stdout);
  int answered = v.complete || v.unbounded_count || v.pump, beyond_counting = v.kind == VERDICT_ERROR && v.stop == STOP_FAULT && s->err.kind == ERR_INPUT; /* which is told, but is no fault of the file */
  code = answered ? EXIT_HOLDS : beyond_counting ? EXIT_INCOMPLETE : verdict_exit_code(&v);
  verdict_close(&v);
  return code;
}

int mcc_answer(struct session *s) {
  watchdog_end(); /* it has begun without what the environment says */
  watchdog_begin(seconds_in_all(s), nothing_computed, NULL);
  const char *examination = options_text(&s->options, OPTION_MCC);
  if (strpbrk(examination, "./") && !s->options.operand_count) { /* `--mcc MODEL`: the examination comes from the environment */
    s->options.operand[s->options.operand_count++] = examination;
    examination = "auto";
  }
  if (strcmp(examination, "auto") == 0) {
    examination = getenv("BK_EXAMINATION");
    if (!examination || !*examination) {
      err_usage(&s->err, "--mcc needs an examination, here or in BK_EXAMINATION");
      err_hint(&s->err, "--mcc StateSpace");
      return EXIT_USAGE;
    }
  }
  if (strcmp(examination, "StateSpace") == 0) return state_space(s);
  int needs_queries;
  if (contest_knows(examination, &needs_queries)) return examine(s, examination, needs_queries);
  puts("DO_NOT_COMPETE");
  return EXIT_HOLDS;
}
