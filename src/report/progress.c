/* progress.c -- one line that says how the run goes.
 *
 *   1,204,331 states  812,000/s  fresh 23%  waiting 310,000 (growing)  mem 41 MB of 64 MB  depth 112  12.4 s
 *
 * `fresh` is the share of generated successors that were new since the last line: when it
 * falls towards zero the end is near.  On a terminal the line is rewritten a few times per
 * second; elsewhere a plain line comes every ten. */
#include "report/report.h"

#include "base/clock.h"
#include "base/text.h"

#include <string.h>

static const double REWRITE_EVERY = 0.2, PLAIN_EVERY = 10;

static const char *trend(uint64_t before, uint64_t now) {
  if (now > before + before / 50) return " (growing)";
  if (now + now / 50 < before) return " (shrinking)";
  return "";
}

static void line(struct report_progress *p, const struct search *s, double now) {
  char states[TEXT_ROOM], rate[TEXT_ROOM], waiting[TEXT_ROOM], used[TEXT_ROOM], budget[TEXT_ROOM], depth[TEXT_ROOM], time[TEXT_ROOM];
  double passed = now - p->last;
  uint64_t fresh = s->stats.states - p->last_states, generated = s->stats.transitions - p->last_transitions;
  uint64_t per_second = passed > 0 ? (uint64_t)((double)fresh / passed) : 0;
  unsigned share = generated ? (unsigned)(100 * (fresh < generated ? fresh : generated) / generated) : 0;
  if (s->mem->budget == SIZE_MAX) strcpy(budget, "any");
  else text_size(budget, s->mem->budget);
  fprintf(p->out, "%s%s states  %s/s  fresh %u%%  waiting %s%s  mem %s of %s  depth %s  %s%s", p->rewrite ? "\r\033[K" : "",
          text_count(states, s->stats.states), text_count(rate, per_second), share, text_count(waiting, s->stats.frontier),
          trend(p->last_frontier, s->stats.frontier), text_size(used, s->mem->used), budget, text_count(depth, s->stats.depth),
          text_seconds(time, now - s->started), p->rewrite ? "" : "\n");
  fflush(p->out);
  p->shown = p->rewrite;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct report_progress *p = (struct report_progress *)l;
  (void)event;
  double now = clock_now();
  if (!p->last) p->last = s->started;
  if (now - p->last < p->every) return LISTEN_ON;
  line(p, s, now);
  p->last = now;
  p->last_states = s->stats.states;
  p->last_transitions = s->stats.transitions;
  p->last_frontier = s->stats.frontier;
  return LISTEN_ON;
}

void report_progress_open(struct report_progress *p, FILE *out, int rewrite) {
  *p = (struct report_progress){.listener = {EVENT_TICK, hear}, .out = out, .rewrite = rewrite};
  p->every = rewrite ? REWRITE_EVERY : PLAIN_EVERY;
}

void report_progress_clear(struct report_progress *p) {
  if (!p->shown) return;
  fputs("\r\033[K", p->out);
  fflush(p->out);
  p->shown = 0;
}
