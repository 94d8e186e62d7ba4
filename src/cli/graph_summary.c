/* graph_summary.c -- thimble graph --summary: what the whole graph is like, in words or as JSON. */
#include "cli/graph_summary.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "report/space.h"
#include "run/minimise.h"
#include "run/space.h"

#include <string.h>

enum { SHOWN = 20 }; /* names of transitions and places in the text */

static void write_names(const struct space_report *r, space_test *is, unsigned which, const char *one, const char *many, FILE *out) {
  uint64_t n = 0, shown = 0;
  char count[TEXT_ROOM], name[80];
  for (uint32_t i = 1; i < r->labels; i++) n += is(r, i, which) != 0;
  if (!n) return;
  fprintf(out, "%s %s:", text_count(count, n), n == 1 ? one : many);
  for (uint32_t i = 1; i < r->labels && shown < SHOWN; i++)
    if (is(r, i, which)) fprintf(out, "%s %s", shown++ ? "," : "", report_name(name, sizeof name, r->name[i]));
  fputs(n > SHOWN ? ", ...\n" : "\n", out);
}

static void write_fairness(const struct space_report *r, FILE *out) {
  if (!r->graph.cyclic) {
    fputs("there are no infinite runs\n", out);
    return;
  }
  write_names(r, space_owes, FAIRNESS_IMPARTIAL, "is impartial: every infinite run takes it again and again", "are impartial: every infinite run takes them again and again", out);
  write_names(r, space_owes, FAIRNESS_FAIR, "is fair: an infinite run in which it is possible again and again takes it again and again",
              "are fair: an infinite run in which one of them is possible again and again takes it again and again", out);
  write_names(r, space_owes, FAIRNESS_JUST, "is just: an infinite run in which it stays possible takes it", "are just: an infinite run in which one of them stays possible takes it", out);
  write_names(r, space_owes, FAIRNESS_NONE, "has no fairness: it may stay possible for ever and never happen", "have no fairness: each may stay possible for ever and never happen", out);
  write_names(r, space_owes, FAIRNESS_UNKNOWN, "was not judged in time", "were not judged in time", out);
}

static void write_bounds(const struct space_report *r, FILE *out) {
  char name[80], a[TEXT_ROOM], b[TEXT_ROOM];
  if (!r->bounds) return;
  fputs("tokens in places:", out);
  for (uint32_t i = 0; i < r->bounds && i < SHOWN; i++) {
    const struct space_bound *p = &r->bound[i];
    fprintf(out, "%s %s %s", i ? "," : "", report_name(name, sizeof name, p->name), text_count(a, p->lower));
    if (p->lower < p->upper) fprintf(out, " to %s", text_count(b, p->upper));
  }
  fputs(r->bounds > SHOWN ? ", ...\n" : "\n", out);
}

static void write_text(const struct model *model, const struct space_report *r, FILE *out) {
  const struct summary *m = &r->graph;
  char a[TEXT_ROOM], b[TEXT_ROOM];
  fprintf(out, "%s state%s, %s transition%s; ", text_count(a, m->states), text_plural(m->states), text_count(b, m->edges), text_plural(m->edges));
  if (m->least == m->most) fprintf(out, "%s state has %u successor%s\n", m->states == 1 ? "the" : "each", m->most, text_plural(m->most));
  else fprintf(out, "a state has %u to %u successor%s\n", m->least, m->most, text_plural(m->most));
  if (m->ends) fprintf(out, "%s %s no successors", text_count(a, m->ends), m->ends == 1 ? "state has" : "states have");
  if (r->end) {
    fprintf(out, "; the nearest, after %llu step%s:", (unsigned long long)r->end_depth, text_plural(r->end_depth));
    space_write_state(model, r->end, out);
  }
  fputs(m->ends ? "\n" : "every state has a successor\n", out);
  fprintf(out, "%s strongly connected component%s, the largest with %s state%s\n", text_count(a, m->components), text_plural(m->components), text_count(b, m->largest), text_plural(m->largest));
  fprintf(out, "%s of them %s cycles; %s transition%s from one to another\n", text_count(a, m->cyclic), m->cyclic == 1 ? "has" : "have", text_count(b, m->between),
          m->between == 1 ? " leads" : "s lead");
  fprintf(out, "%s of them cannot be left, with %s state%s\n", text_count(a, m->last), text_count(b, m->last_states), text_plural(m->last_states));
  if (m->reversible) fputs("the first state can be reached from every state: all states are home states\n", out);
  else if (m->home) fprintf(out, "%s home state%s, which can be reached from every state\n", text_count(a, m->home), text_plural(m->home));
  else fputs("there is no home state: no state can be reached from every state\n", out);
  write_bounds(r, out);
  write_names(r, space_is_dead, 0, "transition never happens", "transitions never happen", out);
  write_names(r, space_is_live, 0, "happens, but not for ever: from some state it cannot happen again", "happen, but not for ever: from some state they cannot happen again", out);
  write_names(r, space_is_live, 1, "is live: from every state it can come to happen", "are live: from every state they can come to happen", out);
  write_names(r, space_is_part, 0, "happens inside steps that are called by another statement: whether it stays possible is not told here",
              "happen inside steps that are called by another statement: whether they stay possible is not told here", out);
  write_fairness(r, out);
}

static void write_json(const struct session *s, const struct space_report *r, FILE *out) {
  const struct summary *m = &r->graph;
  struct json_out j;
  json_out_open(&j, out, 2);
  json_out_object(&j, NULL);
  json_out_text(&j, "schema", "thimble.graph-summary/1");
  json_out_text(&j, "version", THIMBLE_VERSION);
  json_out_text(&j, "file", s->file);
  json_out_count(&j, "states", m->states);
  json_out_count(&j, "transitions", m->edges);
  json_out_count(&j, "least_successors", m->least);
  json_out_count(&j, "most_successors", m->most);
  json_out_count(&j, "without_successors", m->ends);
  json_out_count(&j, "components", m->components);
  json_out_count(&j, "largest_component", m->largest);
  json_out_count(&j, "cyclic_components", m->cyclic);
  json_out_count(&j, "transitions_between_components", m->between);
  json_out_count(&j, "last_components", m->last);
  json_out_count(&j, "last_states", m->last_states);
  json_out_count(&j, "home_states", m->home);
  json_out_bool(&j, "reversible", m->reversible);
  space_json_bounds(&j, r);
  space_json_names(&j, "dead", r, &(struct space_choice){space_is_dead, 0});
  space_json_names(&j, "not_live", r, &(struct space_choice){space_is_live, 0});
  space_json_names(&j, "live", r, &(struct space_choice){space_is_live, 1});
  space_json_names(&j, "parts", r, &(struct space_choice){space_is_part, 0});
  space_json_fairness(&j, r);
  json_out_end(&j);
  json_out_close(&j);
}

int graph_summary(struct session *s, const struct run_setup *run, FILE *out, struct verdict *v) {
  struct space space = {0};
  struct space_report r = {0};
  double started = clock_now();
  int bad = space_open(&space, s->model, &s->mem, 100, &s->err);
  if (!bad) bad = space_explore(&space, run, v, &s->err);
  if (!bad && space.no_graph) bad = err_memory(&s->err, "the graph of all states");
  if (!bad && v->complete) {
    struct model_patience patience = minimise_patience(run, started);
    bad = space_tell(&space, &r, NULL, &patience, &s->err);
    if (!bad && !r.has_graph) bad = err_memory(&s->err, "what the graph is like");
    if (!bad && options_given(&s->options, OPTION_JSON)) write_json(s, &r, out);
    else if (!bad) write_text(s->model, &r, out);
  }
  space_report_close(&r);
  space_close(&space);
  return bad;
}
