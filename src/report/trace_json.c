/* trace_json.c -- schema thimble.trace/1; doc/formats/trace.md tells the fields.
 *
 * Variables are listed once and named again in each change, so that a reader needs neither
 * the model nor an index. */
#include "report/trace_view.h"

#include "base/json.h"

static void header(const struct trace_view *v, struct json_out *j) {
  const struct trace *t = v->trace;
  json_out_text(j, "schema", "thimble.trace/1");
  json_out_text(j, "version", THIMBLE_VERSION);
  json_out_object_flat(j, "model");
  json_out_text(j, "file", v->file);
  json_out_text(j, "language", v->language);
  json_out_end(j);
  if (t->property[0]) {
    json_out_object_flat(j, "property");
    json_out_text(j, "id", t->property);
    json_out_text(j, "kind", v->property_kind);
    json_out_text(j, "text", v->property_text);
    json_out_end(j);
  } else {
    json_out_null(j, "property");
  }
  json_out_text(j, "verdict", t->verdict[0] ? t->verdict : NULL);
  json_out_bool(j, "shortest", t->shortest);
  json_out_count(j, "steps", t->count);
  if (t->loop >= 0) json_out_integer(j, "loop", t->loop);
  else json_out_null(j, "loop");
}

static void step(const struct trace_view *v, size_t i, struct json_out *j) {
  const struct trace *t = v->trace;
  json_out_object_flat(j, NULL);
  json_out_count(j, "step", i + 1);
  json_out_text(j, "transition", v->step(v->context, t, i));
  json_out_count(j, "edge", t->edge[i]);
  json_out_array(j, "changes");
  for (size_t c = t->change_start[i]; c < t->change_start[i + 1]; c++) {
    json_out_object(j, NULL);
    json_out_count(j, "variable", t->change[c].var);
    json_out_text(j, "name", v->var(v->context, t->change[c].var));
    json_out_integer(j, "from", t->change[c].from);
    json_out_integer(j, "to", t->change[c].to);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_end(j);
}

int trace_write_json(const struct trace_view *v, FILE *out) {
  const struct trace *t = v->trace;
  struct json_out j;
  json_out_open(&j, out, 1);
  json_out_object(&j, NULL);
  header(v, &j);
  json_out_array(&j, "variables");
  for (size_t i = 0; i < t->vars; i++) json_out_text(&j, NULL, v->var(v->context, (uint32_t)i));
  json_out_end(&j);
  json_out_array_flat(&j, "initial");
  for (size_t i = 0; i < t->vars; i++) json_out_integer(&j, NULL, t->initial[i]);
  json_out_end(&j);
  json_out_array(&j, "path");
  for (size_t i = 0; i < t->count; i++) step(v, i, &j);
  json_out_end(&j);
  json_out_end(&j);
  return json_out_close(&j);
}
