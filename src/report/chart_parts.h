/* chart_parts.h -- what the makers of charts share: names with numbers, lifelines, events, messages under way. */
#ifndef REPORT_CHART_PARTS_H
#define REPORT_CHART_PARTS_H

#include "base/vec.h"
#include "report/chart.h"

/* Texts that get numbers in the order in which they are first met. */
struct chart_names {
  struct mem *mem;
  struct arena *text;
  struct vec(const char *) name;
  uint32_t *slot; /* number + 1; 0 = free */
  size_t slots;
  int failed;
};
void chart_names_open(struct chart_names *, struct arena *, struct mem *);
void chart_names_close(struct chart_names *);
/* Its number; CHART_NOBODY: memory (failed is set). */
uint32_t chart_names_add(struct chart_names *, const char *text, size_t length);
uint32_t chart_names_find(const struct chart_names *, const char *text, size_t length); /* CHART_NOBODY = not there */

/* Messages under way with the same key, oldest first: a list through `next`, which is per message. */
struct chart_queue {
  uint32_t first, last; /* events; CHART_NOBODY = none */
};

struct chart_maker {
  const struct trace_view *view;
  const struct trace *trace;
  struct chart *chart;
  struct chart_names lifelines; /* their names are the numbers of the columns */
  struct chart_names keys;      /* channel and content */
  struct vec(struct chart_queue) queue; /* per key */
  struct vec(uint32_t) next;            /* per event: the message behind it in its queue */
  struct vec(struct chart_event) event;
  struct vec(struct chart_lifeline) lifeline;
  struct vec(uint32_t) row_event;
  struct vec(char) key; /* scratch */
  uint32_t step;        /* the one that is told, from 1 */
  uint32_t loop;        /* event; CHART_NOBODY = none */
  int failed;           /* memory */
};

/* A lifeline by its name. CHART_NOBODY: memory. */
uint32_t chart_lifeline(struct chart_maker *, const char *name, size_t length);
/* Copies a text into the chart; "" when memory is short. */
const char *chart_text(struct chart_maker *, const char *text, size_t length);

/* The event gets the next row. Its index. */
uint32_t chart_push(struct chart_maker *, struct chart_event);
void chart_push_action(struct chart_maker *, uint32_t at, const char *label, size_t length);
void chart_push_note(struct chart_maker *, enum chart_tone, uint32_t from, uint32_t to, const char *label, size_t length);
/* Someone is started (`by` may be CHART_NOBODY) or ends. */
void chart_push_create(struct chart_maker *, uint32_t by, uint32_t who, const char *label, size_t length);
void chart_push_end(struct chart_maker *, uint32_t who);
void chart_push_meeting(struct chart_maker *, uint32_t from, uint32_t to, const char *label, size_t length, const char *channel);

/* Begins a key of messages under way: parts are appended to it, each ended by a zero. */
void chart_key_begin(struct chart_maker *);
void chart_key_add(struct chart_maker *, const char *text, size_t length);
/* A message leaves; who receives with the same key gets the oldest one. */
void chart_send(struct chart_maker *, uint32_t from, const char *label, size_t length, const char *channel);
void chart_receive(struct chart_maker *, uint32_t to, const char *label, size_t length, const char *channel);
/* The oldest message under way with that key is lost; 0 if there is none. */
int chart_lose(struct chart_maker *);

/* Before the events of a step (from 0): also tells where a loop begins. */
void chart_step_begin(struct chart_maker *, size_t step);
/* What is told between the two is one step of several rows. */
uint32_t chart_atomic_begin(struct chart_maker *);
void chart_atomic_end(struct chart_maker *, uint32_t event);

void chart_of_processes(struct chart_maker *); /* chart_process.c */
void chart_of_net(struct chart_maker *, const struct chart_map *); /* chart_net.c */

#endif
