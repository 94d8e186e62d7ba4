/* chart.h -- a trace as a message sequence chart: who talks to whom, and when.
 *
 * A chart has lifelines (columns) and events in rows, one below the other in the order of time.  Every row belongs to one event; a
 * message through a buffer has two, that of its send and that of its receive, which lie as far apart as they do in the run.  It is
 * made from a trace_view, so it does not matter whether the trace comes from a model or from a file.
 *
 * Processes: sends and receives as the parts of a step tell them.  A receive takes the message that was sent first among those of
 * equal content in that channel: for ! and ? that is the order of the channel, for !! and ?? the order among equals.
 * Nets: transitions are put on lifelines by a mapping (chart_map.h) or by their names; tokens that one lifeline gives to a place and
 * another takes from it are messages (chart_net.c).  doc/charts.md tells both.
 *
 * Time and memory are linear in the trace. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "base/json.h"
#include "report/trace_view.h"

enum { CHART_NOBODY = UINT32_MAX, CHART_NEVER = UINT32_MAX };

enum chart_kind {
  CHART_MESSAGE, /* from, to; `from` is NOBODY: it was under way from the start; `to` is NOBODY: lost, or still under way at the end */
  CHART_ACTION,  /* at from */
  CHART_CREATE,  /* from starts to */
  CHART_END,     /* from is no more */
  CHART_NOTE,    /* over from .. to; its tone says what kind of */
  CHART_LOOP,    /* row .. last_row is repeated for ever; over all lifelines; it has the row `row` for its heading */
  CHART_ATOMIC,  /* row .. last_row are one step; over from .. to; it has no row of its own */
};

enum chart_tone {
  CHART_PLAIN,
  CHART_PRINT,   /* what was printed */
  CHART_FAULT,   /* what went wrong */
  CHART_WAIT,    /* what a process waits for at the end */
  CHART_VERDICT, /* what the run shows */
};

struct chart_lifeline {
  const char *name;
  uint32_t from, to; /* steps (from 1) at which it is started first and ends last; CHART_NEVER = there from the start, to the end */
};

struct chart_event {
  uint8_t kind, tone;
  uint8_t lost;    /* message: it is gone */
  uint8_t meeting; /* message: sent and received at once */
  uint32_t step;   /* counts from 1, as in the trace file; notes about the end have the last one, 0 if there is none */
  uint32_t row;
  uint32_t from, to; /* lifelines */
  uint32_t received; /* message: the step at which it is received; CHART_NEVER. loop: the last step */
  uint32_t last_row; /* message: the row in which it arrives (its own if at once); CHART_NEVER. loop, atomic: the last row */
  const char *label;
  const char *channel; /* message: NULL = none */
};

struct chart {
  struct mem *mem;
  struct arena text;
  struct chart_lifeline *lifeline;
  uint32_t lifelines;
  struct chart_event *event; /* in the order of `row`; an atomic step before what it is made of */
  uint32_t events;
  uint32_t *row_event; /* per row: the event that begins or arrives in it */
  uint32_t rows;
  const char *title; /* the model's file, NULL = unknown */
  uint32_t steps;
  uint32_t branches; /* further runs of the trace, which are not in the chart */
};

struct chart_map; /* chart_map.h */

/* map: for nets, NULL = by names. -1 with err: memory. */
int chart_make(struct chart *out, const struct trace_view *, const struct chart_map *map, struct mem *, struct err *);
void chart_close(struct chart *); /* a zeroed one is fine */

/* What stands beside an arrow: "q: ack(3)". Returns its length as snprintf does. */
int chart_message_text(const struct chart_event *, char *out, size_t room);

/* As a value of its own (key NULL in arrays); doc/formats/chart.md tells the fields. */
void chart_write_json(struct json_out *, const char *key, const struct chart *);
/* For the terminal, at most `width` columns unless there are too many lifelines. */
struct chart_drawing {
  int colour;
  int width; /* 0: 100 */
};
int chart_write_text(const struct chart *, const struct chart_drawing *, FILE *);
int chart_write_mermaid(const struct chart *, FILE *);
/* One file without references to others; light and dark as the viewer likes it. */
int chart_write_svg(const struct chart *, FILE *);

#endif
