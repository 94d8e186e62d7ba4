/* timeline.c -- see timeline.h.
 *
 * Ticks come often at first and seldom later, so short runs have curves and long ones are cheap.  When the room is full,
 * samples are left out so that the rest lie evenly in time; from then on new ones keep that distance, too.  The
 * last sample always stays: a search tells a tick when it ends. */
#include "report/timeline.h"

#include "base/clock.h"
#include "base/records.h"

#include <string.h>

/* Those that lie too near to the one before go, except the last. */
static void thin(struct report_timeline *t) {
  size_t kept = 0;
  t->gap = (t->at[t->count - 1].seconds - t->at[0].seconds) / (TIMELINE_MOST / 2.0);
  for (size_t i = 0; i < t->count; i++)
    if (!kept || i + 1 == t->count || t->at[i].seconds - t->at[kept - 1].seconds >= t->gap) t->at[kept++] = t->at[i];
  t->count = kept;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct report_timeline *t = (struct report_timeline *)l;
  (void)event;
  if (!t->searches || t->began != s->started) {
    t->began = s->started;
    t->searches++;
  }
  struct timeline_sample now = {.seconds = clock_now() - t->opened,
                                .states = s->stats.states,
                                .transitions = s->stats.transitions,
                                .frontier = s->type->storeless ? 0 : s->stats.frontier,
                                .depth = s->stats.depth,
                                .memory = s->mem->used,
                                .search = t->searches - 1};
  if (t->count == TIMELINE_MOST) thin(t);
  if (t->count == TIMELINE_MOST) t->count--; /* all at one time: cannot be, but nothing is written beyond */
  /* the last one is replaced as long as it is too near to the one before it: so the newest is always there */
  int near = t->count > 1 && t->at[t->count - 1].seconds - t->at[t->count - 2].seconds < t->gap;
  if (near && t->at[t->count - 1].search == now.search) t->count--;
  t->at[t->count++] = now;
  return LISTEN_ON;
}

void report_timeline_open(struct report_timeline *t) {
  memset(t, 0, sizeof *t);
  t->listener = (struct listener){.wants = EVENT_TICK | EVENT_PRODUCTS, .hear = hear};
  t->opened = clock_now();
}

/* Times go on where they were: as if the timeline had been opened so much earlier. */
void report_timeline_save(void *timeline, struct records *r) {
  const struct report_timeline *t = timeline;
  records_put_real(r, clock_now() - t->opened);
  records_put_real(r, t->gap);
  records_put_number(r, t->count);
  for (size_t i = 0; i < t->count; i++) {
    const struct timeline_sample *s = &t->at[i];
    uint64_t row[6] = {s->states, s->transitions, s->frontier, s->depth, s->memory, s->search};
    records_put_real(r, s->seconds);
    records_put(r, row, sizeof row);
  }
}

int report_timeline_load(void *timeline, struct records *r) {
  struct report_timeline *t = timeline;
  double passed = records_get_real(r);
  t->gap = records_get_real(r);
  uint64_t count = records_get_number(r);
  if (count > TIMELINE_MOST) return -1;
  t->count = 0;
  for (; count && !r->failed; count--) {
    uint64_t row[6];
    double seconds = records_get_real(r);
    records_get(r, row, sizeof row);
    t->at[t->count++] = (struct timeline_sample){seconds, row[0], row[1], row[2], row[3], row[4], (uint32_t)row[5]};
    t->searches = (uint32_t)row[5] + 1;
  }
  t->opened = clock_now() - passed;
  return r->failed ? -1 : 0;
}

static void column(const struct report_timeline *t, const char *key, size_t offset, struct json_out *j) {
  json_out_array_flat(j, key);
  for (size_t i = 0; i < t->count; i++) {
    uint64_t value;
    memcpy(&value, (const char *)&t->at[i] + offset, sizeof value);
    json_out_count(j, NULL, value);
  }
  json_out_end(j);
}

void report_timeline_json(const struct report_timeline *t, struct json_out *j) {
  if (!t || !t->count) {
    json_out_null(j, "timeline");
    return;
  }
  json_out_object(j, "timeline");
  json_out_array_flat(j, "seconds");
  for (size_t i = 0; i < t->count; i++) json_out_real(j, NULL, t->at[i].seconds, 6);
  json_out_end(j);
  column(t, "states", offsetof(struct timeline_sample, states), j);
  column(t, "transitions", offsetof(struct timeline_sample, transitions), j);
  column(t, "frontier", offsetof(struct timeline_sample, frontier), j);
  column(t, "depth", offsetof(struct timeline_sample, depth), j);
  column(t, "memory_bytes", offsetof(struct timeline_sample, memory), j);
  json_out_array_flat(j, "search");
  for (size_t i = 0; i < t->count; i++) json_out_count(j, NULL, t->at[i].search);
  json_out_end(j);
  json_out_end(j);
}
