/* mcc.c -- check --mcc EXAMINATION.
 *
 * The contest's harness (BenchKit) starts a tool in the folder of model.pnml and tells it what to do in the
 * environment:
 *
 *   BK_EXAMINATION        what to compute; used when --mcc is given without one or with auto
 *   BK_TIME_CONFINEMENT   seconds until it is killed
 *   BK_MEM_CONFINEMENT    megabytes that it may use
 *
 * --time and --memory win over the latter two.  Properties play no part here: the whole space is
 * explored, or nothing is claimed. */
#include "cli/mcc.h"

#include "cli/quantity.h"
#include "net/pt_model.h"
#include "run/run.h"

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
  pt_model_packing(m, &packing);
  return packing.unit_fields && pt_model_net(m)->units ? "EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION USE_NUPN"
                                                       : "EXPLICIT SEQUENTIAL_PROCESSING STATE_COMPRESSION";
}

static int state_space(struct session *s) {
  const char *file = s->options.operand_count ? s->options.operand[0] : "model.pnml";
  confine_memory(s);
  if (session_load(s, file)) {
    if (s->err.kind != ERR_USAGE) puts("CANNOT_COMPUTE");
    return session_exit_code(&s->err);
  }
  if (!pt_model_net(s->model)) {
    puts("DO_NOT_COMPETE");
    return EXIT_HOLDS;
  }
  struct report_progress progress;
  struct listener *listener = session_progress(s, &progress);
  struct run_setup setup = {.mem = &s->mem,
                            .model = s->model,
                            .listeners = &listener,
                            .listener_count = listener != NULL,
                            .load_s = s->load_s,
                            .prefix = 1};
  session_limits(s, &setup.limits);
  if (setup.limits.seconds == 0) setup.limits.seconds = confined_seconds();
  if (setup.limits.seconds > 0) {
    setup.limits.seconds -= s->load_s;
    if (setup.limits.seconds < 1e-3) setup.limits.seconds = 1e-3;
  }
  struct verdict v;
  run_check(&v, &setup, &s->err);
  if (listener) report_progress_clear(&progress);
  report_mcc(&v, techniques(s->model), stdout);
  int answered = v.complete || v.unbounded_count || v.pump;
  int code = answered ? EXIT_HOLDS : verdict_exit_code(v.kind, v.stop);
  verdict_close(&v);
  return code;
}

int mcc_answer(struct session *s) {
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
  puts("DO_NOT_COMPETE");
  return EXIT_HOLDS;
}
