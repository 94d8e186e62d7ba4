/* cmd_info.c -- thimble info: finds out; info_text.c and info_json.c tell. */
#include "cli/info.h"
#include "cli/signals.h"

#include "base/clock.h"

#include <string.h>

command_run command_info;

/* Row operations allowed for flows: a minute or so; minimal semiflows can be exponentially many. */
static const uint64_t FLOW_EFFORT = 400000000;

/* States and seconds with which each store is tried. */
static const uint64_t SAMPLE_STATES = 50000;
static const double SAMPLE_SECONDS = 0.1;

static void look(struct info *i, const struct session *s) {
  i->model = s->model;
  i->net = pt_model_net(s->model);
  i->program = process_program(s->model);
  i->drawing = colour_model_drawing(s->model);
  i->words = s->model->words;
  i->bits = s->model->bits;
  if (!i->net) return;
  pt_model_packing(s->model, &i->packing);
  for (uint32_t p = 0; p < i->net->places; p++) i->tokens += i->net->initial[p];
}

static int pumped_before(const struct info *i, uint32_t place) {
  for (size_t k = 0; k < i->cover.pumped_count; k++)
    if (i->cover.pumped[k] == place) return 1;
  for (size_t n = 0; n < i->pumps; n++)
    for (size_t k = 0; k < i->pump[n].pumped_count; k++)
      if (i->pump[n].pumped[k] == place) return 1;
  return 0;
}

/* Runs for the unbounded places that no run so far pumps; what cannot be found in time is left out. */
static void more_pumps(struct info *i, const struct coverability_setup *setup) {
  struct err e;
  for (uint32_t p = 0; p < i->net->places && i->pumps < INFO_PUMPS; p++) {
    if (i->cover.bound[p] != PT_NONE || pumped_before(i, p)) continue;
    if (setup->stop && *setup->stop) return;
    err_clear(&e);
    if (coverability_pump(&i->pump[i->pumps], i->net, p, setup, &e)) continue;
    i->pumps++;
  }
}

static int find_bounds(struct info *i, struct session *s) {
  double limit = options_seconds(&s->options, OPTION_TIME);
  struct coverability_setup setup = {.mem = &s->mem, .max_seconds = limit, .stop = signals_watch()};
  if (coverability_run(&i->cover, i->net, &setup, &s->err)) {
    memset(&i->cover, 0, sizeof i->cover);
    return -1;
  }
  if (!i->cover.unbounded) return 0;
  setup.max_seconds = limit > 0 ? limit : 10;
  more_pumps(i, &setup);
  return 0;
}

static int find_flows(struct info *i, struct session *s) {
  static const struct {
    enum flow_side side;
    int semi;
  } kinds[4] = {{FLOW_PLACES, 0}, {FLOW_PLACES, 1}, {FLOW_TRANSITIONS, 0}, {FLOW_TRANSITIONS, 1}};
  for (int k = 0; k < 4; k++) {
    struct info_flows *f = &i->flow[k];
    f->side = kinds[k].side;
    f->semi = kinds[k].semi;
    int bad = f->semi ? flows_semi(&f->flows, i->net, f->side, &s->mem, FLOW_EFFORT, &s->err)
                      : flows_basis(&f->flows, i->net, f->side, &s->mem, FLOW_EFFORT, &s->err);
    if (bad) return -1;
    f->there = 1;
  }
  return 0;
}

static void close_info(struct info *i) {
  if (i->cover.mem) coverability_close(&i->cover);
  for (size_t n = 0; n < i->pumps; n++) coverability_close(&i->pump[n]);
  for (int k = 0; k < 4; k++)
    if (i->flow[k].there) flows_close(&i->flow[k].flows);
  info_progress_close(i);
}

int command_info(struct session *s) {
  struct info i = {0};
  session_budget(s);
  if (session_load_to_look(s, s->options.operand[0])) return session_exit_code(&s->err);
  i.bounds = options_given(&s->options, OPTION_BOUNDS);
  i.invariants = options_given(&s->options, OPTION_INVARIANTS);
  i.progress = options_given(&s->options, OPTION_MEASURE);
  look(&i, s);
  i.spaceless = s->spaceless.kind ? &s->spaceless : NULL;
  if ((i.bounds || i.invariants) && !i.net) {
    err_usage(&s->err, "--%s is about nets; this is a %s", i.bounds ? "bounds" : "invariants", s->model->type->kind);
    return EXIT_USAGE;
  }
  if (options_given(&s->options, OPTION_MEASURE_EXPR) && !i.progress) {
    err_usage(&s->err, "--progress-measure says which measure --progress is about: give both");
    return EXIT_USAGE;
  }
  i.stores = estimate_stores(i.store, s->model, &s->mem, SAMPLE_STATES, SAMPLE_SECONDS, signals_watch());
  int bad = i.bounds && find_bounds(&i, s);
  if (!bad && i.invariants) bad = find_flows(&i, s);
  if (!bad && i.progress) bad = info_progress(&i, s);
  int code = bad ? session_exit_code(&s->err) : EXIT_HOLDS;
  if (!bad) {
    if (options_given(&s->options, OPTION_JSON)) info_json(&i, stdout);
    else info_text(&i, session_colour(s, stdout), stdout);
    int partial = i.bounds && !i.cover.complete;
    for (int k = 0; k < 4; k++) partial |= i.flow[k].there && !i.flow[k].flows.complete;
    if (partial) code = *signals_watch() ? EXIT_INTERRUPTED : EXIT_INCOMPLETE;
  }
  close_info(&i);
  fflush(stdout);
  s->all_warnings = 1;
  session_warnings(s);
  return code;
}
