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

static int trend(uint64_t before, uint64_t now) { return now > before + before / 50 ? 1 : now + now / 50 < before ? -1 : 0; }

struct figures { /* since the last line */
  uint64_t per_second;
  unsigned fresh;
  int trend;
  double seconds; /* since the start */
};

static void in_full(char *out, size_t room, const struct search *s, const struct figures *f) {
  static const char *const trends[] = {" (shrinking)", "", " (growing)"};
  char states[TEXT_ROOM], rate[TEXT_ROOM], waiting[TEXT_ROOM], used[TEXT_ROOM], budget[TEXT_ROOM], depth[TEXT_ROOM],
      time[TEXT_ROOM];
  snprintf(out, room, "%s states  %s/s  fresh %u%%  waiting %s%s  mem %s of %s  depth %s  %s",
           text_count(states, s->stats.states), text_count(rate, f->per_second), f->fresh, text_count(waiting, s->stats.frontier),
           trends[f->trend + 1], text_size(used, s->mem->used), text_size(budget, s->mem->budget),
           text_count(depth, s->stats.depth), text_seconds(time, f->seconds));
}

/* For terminals of 80 columns. */
static void in_short(char *out, size_t room, const struct search *s, const struct figures *f) {
  char states[TEXT_ROOM], rate[TEXT_ROOM], waiting[TEXT_ROOM], used[TEXT_ROOM], budget[TEXT_ROOM], depth[TEXT_ROOM],
      time[TEXT_ROOM];
  snprintf(out, room, "%s states %s/s fresh %u%% wait %s%c mem %s/%s depth %s %s", text_short(states, s->stats.states),
           text_short(rate, f->per_second), f->fresh, text_short(waiting, s->stats.frontier), "- +"[f->trend + 1],
           text_size(used, s->mem->used), text_size(budget, s->mem->budget), text_short(depth, s->stats.depth),
           text_seconds(time, f->seconds));
}

/* Walks remember no states. */
static void of_walks(char *out, size_t room, const struct search *s, uint64_t per_second, double seconds) {
  char walks[TEXT_ROOM], steps[TEXT_ROOM], rate[TEXT_ROOM], longest[TEXT_ROOM], time[TEXT_ROOM];
  snprintf(out, room, "%s walks  %s steps  %s/s  longest %s  %s", text_count(walks, s->walks), text_count(steps, s->stats.transitions), text_count(rate, per_second),
           text_count(longest, s->stats.depth), text_seconds(time, seconds));
}

static void line(struct report_progress *p, const struct search *s, double now) {
  char text[320];
  double passed = now - p->last;
  if (s->stats.states < p->last_states) p->last_states = p->last_transitions = 0; /* it has begun anew */
  uint64_t fresh = s->stats.states - p->last_states, generated = s->stats.transitions - p->last_transitions;
  struct figures f = {
      .per_second = passed > 0 ? (uint64_t)((double)fresh / passed) : 0,
      .fresh = generated ? (unsigned)(100 * (fresh < generated ? fresh : generated) / generated) : 0,
      .trend = trend(p->last_frontier, s->stats.frontier),
      .seconds = now - s->started,
  };
  if (s->type->storeless) of_walks(text, sizeof text, s, passed > 0 ? (uint64_t)((double)generated / passed) : 0, f.seconds);
  else in_full(text, sizeof text, s, &f);
  if (!s->type->storeless && p->rewrite && p->width && strlen(text) >= (size_t)p->width) in_short(text, sizeof text, s, &f);
  if (p->rewrite)
    fprintf(p->out, "\r%.*s\033[K", p->width > 1 ? p->width - 1 : (int)sizeof text,
            text); /* a wrapped line cannot be rewritten */
  else fprintf(p->out, "%s\n", text);
  fflush(p->out);
  p->shown = p->rewrite;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct report_progress *p = (struct report_progress *)l;
  (void)event;
  double now = clock_now();
  if (p->began != s->started) { /* another search */
    if (!p->last) p->last = s->started;
    p->began = s->started;
    p->last_states = p->last_transitions = p->last_frontier = 0;
  }
  if (now - p->last < p->every) return LISTEN_ON;
  line(p, s, now);
  p->last = now;
  p->last_states = s->stats.states;
  p->last_transitions = s->stats.transitions;
  p->last_frontier = s->stats.frontier;
  return LISTEN_ON;
}

void report_progress_open(struct report_progress *p, FILE *out, int rewrite, int width) {
  *p = (struct report_progress){.listener = {EVENT_TICK | EVENT_PRODUCTS, hear}, .out = out, .rewrite = rewrite, .width = width};
  p->every = rewrite ? REWRITE_EVERY : PLAIN_EVERY;
}

void report_progress_clear(struct report_progress *p) {
  if (!p->shown) return;
  fputs("\r\033[K", p->out);
  fflush(p->out);
  p->shown = 0;
}
