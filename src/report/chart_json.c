/* chart_json.c -- a chart as a JSON value, for the pages; doc/formats/chart.md tells the fields. */
#include "report/chart.h"

static void number(struct json_out *j, const char *key, uint32_t n) {
  if (n == UINT32_MAX) json_out_null(j, key);
  else json_out_count(j, key, n);
}

static void message(struct json_out *j, const struct chart_event *e) {
  number(j, "from", e->from);
  number(j, "to", e->to);
  json_out_text(j, "label", e->label);
  json_out_text(j, "channel", e->channel);
  number(j, "sent", e->from == CHART_NOBODY ? CHART_NEVER : e->step);
  number(j, "received", e->received);
  number(j, "arrives", e->last_row);
  if (e->meeting) json_out_bool(j, "meeting", 1);
  if (e->lost) json_out_bool(j, "lost", 1);
}

static void event(struct json_out *j, const struct chart_event *e) {
  static const char *const kinds[] = {"message", "action", "create", "end", "note", "loop", "atomic"};
  static const char *const tones[] = {"plain", "print", "fault", "wait", "verdict"};
  json_out_object_flat(j, NULL);
  json_out_count(j, "step", e->step);
  json_out_text(j, "kind", kinds[e->kind]);
  json_out_count(j, "row", e->row);
  switch (e->kind) {
  case CHART_MESSAGE: message(j, e); break;
  case CHART_ACTION:
    json_out_count(j, "at", e->from);
    json_out_text(j, "label", e->label);
    break;
  case CHART_CREATE:
    number(j, "from", e->from);
    json_out_count(j, "to", e->to);
    json_out_text(j, "label", e->label);
    break;
  case CHART_END: json_out_count(j, "at", e->from); break;
  case CHART_NOTE:
    json_out_count(j, "from", e->from);
    json_out_count(j, "to", e->to);
    json_out_text(j, "tone", tones[e->tone]);
    json_out_text(j, "label", e->label);
    break;
  case CHART_LOOP:
    json_out_count(j, "last_row", e->last_row);
    json_out_count(j, "last_step", e->received);
    json_out_text(j, "label", e->label);
    break;
  case CHART_ATOMIC:
    json_out_count(j, "from", e->from);
    json_out_count(j, "to", e->to);
    json_out_count(j, "last_row", e->last_row);
    json_out_text(j, "label", e->label);
    break;
  }
  json_out_end(j);
}

void chart_write_json(struct json_out *j, const char *key, const struct chart *c) {
  json_out_object(j, key);
  json_out_count(j, "rows", c->rows);
  json_out_array(j, "lifelines");
  for (uint32_t i = 0; i < c->lifelines; i++) {
    json_out_object_flat(j, NULL);
    json_out_text(j, "name", c->lifeline[i].name);
    number(j, "from", c->lifeline[i].from);
    number(j, "to", c->lifeline[i].to);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_array(j, "events");
  for (uint32_t i = 0; i < c->events; i++) event(j, &c->event[i]);
  json_out_end(j);
  json_out_end(j);
}
