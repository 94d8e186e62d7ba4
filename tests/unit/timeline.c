/* timeline.c -- however many ticks there are, a timeline stays small, in order, and knows the newest. */
#include "tap.h"

#include "base/clock.h"
#include "report/timeline.h"

#include <string.h>

static struct search_type type = {.name = "fake"};

static void tick(struct report_timeline *t, struct search *s) {
  struct search_event event = {.kind = EVENT_TICK};
  t->listener.hear(&t->listener, s, &event);
}

static int ascending(const struct report_timeline *t) {
  for (size_t i = 1; i < t->count; i++)
    if (t->at[i].seconds < t->at[i - 1].seconds || t->at[i].search < t->at[i - 1].search) return 0;
  return 1;
}

int main(void) {
  static struct report_timeline t;
  struct mem mem;
  struct search s = {.type = &type, .mem = &mem, .started = 1};
  mem_open(&mem, 0);
  report_timeline_open(&t);
  ok((t.listener.wants & (EVENT_TICK | EVENT_PRODUCTS)) == (EVENT_TICK | EVENT_PRODUCTS), "it hears ticks, of all searches");
  tick(&t, &s);
  ok(t.count == 1 && t.searches == 1, "the first sample");
  int newest = 1, small = 1, sorted = 1;
  for (uint64_t i = 1; i <= 200000; i++) {
    s.stats.states = i;
    tick(&t, &s);
    newest &= t.at[t.count - 1].states == i;
    small &= t.count <= TIMELINE_MOST;
    if (i % 1000 == 0) sorted &= ascending(&t);
  }
  ok(small, "never more than there is room for");
  ok(newest, "the last sample is always the newest");
  ok(sorted, "in the order of time");
  ok(t.count > TIMELINE_MOST / 8, "and not too few");
  double most = 0, all = t.at[t.count - 1].seconds - t.at[0].seconds;
  for (size_t i = 1; i < t.count; i++)
    if (t.at[i].seconds - t.at[i - 1].seconds > most) most = t.at[i].seconds - t.at[i - 1].seconds;
  ok(most < all / 4, "spread over the time");
  for (int i = 0; i < 1000; i++) { /* members of a swarm: each tells its beginning and its end */
    s.started += 1;
    s.stats.states = 0;
    tick(&t, &s);
    s.stats.states = 5;
    tick(&t, &s);
  }
  ok(t.searches == 1001 && t.at[t.count - 1].search == 1000 && t.count <= TIMELINE_MOST && ascending(&t), "many searches");
  return done();
}
