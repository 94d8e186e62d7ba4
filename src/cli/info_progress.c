/* info_progress.c -- `thimble info --progress`: the measure of progress that a model has, what it does on a sample of states, and both in two tongues. */
#include "cli/info.h"
#include "cli/signals.h"

#include "base/text.h"

enum { FEW_CLASSES = 4 }; /* of a measure that leaves nothing to sweep along */

int info_progress(struct info *i, struct session *s) {
  struct measure_effort effort = measure_usual_effort;
  const char *text = options_text(&s->options, OPTION_MEASURE_EXPR);
  effort.states = 50000;
  effort.seconds = 1;
  effort.interrupt = signals_watch();
  if (!options_given(&s->options, OPTION_MEASURE_EXPR)) return measure_derive_sampled(&i->measure, &i->sample, s->model, &s->mem, &effort, &s->err) < 0 ? -1 : 0;
  if (expr_parse(&i->measure_expr, s->model, &s->mem, text, "--progress-measure", &s->err)) return -1;
  if (progress_by_expr(&i->measure, i->measure_expr, &s->mem, &s->err)) return -1;
  return measure_sample(&i->sample, i->measure, s->model, &s->mem, &effort, &s->err);
}

void info_progress_close(struct info *i) {
  progress_close(i->measure);
  expr_close(i->measure_expr);
}

/* What is to be said against it; NULL = nothing. */
static const char *warning(const struct info *i) {
  const struct measure_sample *s = &i->sample;
  uint64_t classes = s->classes > s->walk_classes ? s->classes : s->walk_classes;
  if (!i->measure) return "no measure follows from this model: a sweep needs --progress-measure";
  if (classes <= 1) return "it is the same in all of these states: a sweep forgets nothing";
  if (classes < FEW_CLASSES) return "it has few different values: a sweep forgets little";
  if (s->regress_edges * 4 > s->edges || s->walk_regress * 4 > s->walk_steps) return "many edges lower it: a sweep keeps much and takes many turns";
  return NULL;
}

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

void info_progress_text(const struct info *i, FILE *out) {
  const struct measure_sample *s = &i->sample;
  const char *but = warning(i);
  char a[TEXT_ROOM], b[TEXT_ROOM], c[TEXT_ROOM];
  if (!i->measure) {
    fprintf(out, "  %s\n", but);
    return;
  }
  char shown[600];
  fprintf(out, "  %s: %s\n", i->measure_expr ? "as given" : "found", report_name(shown, sizeof shown, i->measure->text));
  fprintf(out, "  %s\n", i->measure->monotone ? "no step lowers it: proven" : "steps may lower it: states that they lead to are kept");
  fprintf(out, "  on %s %s state%s and %s edges: %s different values, ", s->complete ? "all" : "the first", text_count(a, s->states), s->states == 1 ? "" : "s", text_count(b, s->edges),
          text_count(c, s->classes));
  fprintf(out, "at most %s states of one\n", text_count(a, s->largest));
  fprintf(out, "  %s edge%s (%.2f %%) lower%s it, to %s different state%s\n", text_count(a, s->regress_edges), s->regress_edges == 1 ? "" : "s", percent(s->regress_edges, s->edges),
          s->regress_edges == 1 ? "s" : "", text_count(b, s->persistent), s->persistent == 1 ? "" : "s");
  fprintf(out, "  a sweep over them holds about %s at once: %.1f %%\n", text_count(a, s->peak), 100 * measure_peak_share(s));
  if (s->walk_steps)
    fprintf(out, "  on %s steps of random walks: %s different values, %.2f %% of the steps lower it\n", text_count(a, s->walk_steps), text_count(b, s->walk_classes),
            percent(s->walk_regress, s->walk_steps));
  if (but) fprintf(out, "  %s\n", but);
}

void info_progress_json(const struct info *i, struct json_out *j) {
  const struct measure_sample *s = &i->sample;
  json_out_object(j, "progress");
  json_out_text(j, "measure", i->measure ? i->measure->text : NULL);
  json_out_text(j, "origin", !i->measure ? "none" : i->measure_expr ? "given" : "derived");
  json_out_bool(j, "monotone", i->measure && i->measure->monotone);
  json_out_text(j, "warning", warning(i));
  if (i->measure) {
    json_out_object(j, "sample");
    json_out_count(j, "states", s->states);
    json_out_count(j, "edges", s->edges);
    json_out_bool(j, "complete", s->complete);
    json_out_count(j, "classes", s->classes);
    json_out_count(j, "largest_class", s->largest);
    json_out_count(j, "regress_edges", s->regress_edges);
    json_out_count(j, "persistent", s->persistent);
    json_out_count(j, "peak_states", s->peak);
    json_out_real(j, "peak_share", measure_peak_share(s), 4);
    json_out_count(j, "walk_steps", s->walk_steps);
    json_out_count(j, "walk_regress", s->walk_regress);
    json_out_count(j, "walk_classes", s->walk_classes);
    json_out_end(j);
  }
  json_out_end(j);
}
