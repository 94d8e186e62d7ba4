/* trace_json.c -- schema thimble.trace/1; doc/formats/trace.md tells the fields.
 *
 * Variables are listed once and named again in each change, so that a reader needs neither
 * the model nor an index.  Steps of processes have their parts, with messages and partners: a message sequence chart can be drawn
 * from the file alone. */
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
  json_out_text(j, "message", t->message[0] ? t->message : NULL);
  json_out_text(j, "verdict", t->verdict[0] ? t->verdict : NULL);
  json_out_bool(j, "shortest", t->shortest);
  json_out_count(j, "steps", t->count);
  if (t->loop >= 0) json_out_integer(j, "loop", t->loop);
  else json_out_null(j, "loop");
}

/* ---- processes ------------------------------------------------------------------------- */

static void process(const char *key, const struct model_process *p, struct json_out *j) {
  json_out_object(j, key);
  json_out_text(j, "process", p->name);
  json_out_count(j, "pid", p->pid);
  json_out_end(j);
}

static void place(const struct place_in_text *at, struct json_out *j) {
  json_out_text(j, "file", at->file);
  json_out_integer(j, "line", at->line);
  json_out_integer(j, "column", at->column);
}

static void communication(const struct model_part *p, struct json_out *j) {
  static const char *const keys[] = {"", "send", "receive", "peek"};
  if (p->deed == MODEL_ACTS) return;
  json_out_object(j, keys[p->deed]);
  json_out_text(j, "channel", p->channel);
  json_out_array(j, "message");
  for (uint32_t i = 0; i < p->fields; i++) {
    if (p->message[i].symbolic) json_out_text(j, NULL, p->message[i].text);
    else json_out_integer(j, NULL, p->message[i].value);
  }
  json_out_end(j);
  json_out_bool(j, "rendezvous", p->partner.name != NULL);
  if (p->partner.name) process(p->deed == MODEL_SENDS ? "to" : "from", &p->partner, j);
  if (p->lost) json_out_bool(j, "lost", 1);
  json_out_end(j);
}

void trace_json_part(const struct model_part *p, struct json_out *j) {
  json_out_object(j, NULL);
  json_out_text(j, "process", p->process.name);
  json_out_count(j, "pid", p->process.pid);
  place(&p->place, j);
  json_out_text(j, "statement", p->statement);
  communication(p, j);
  if (p->started_count) {
    json_out_array(j, "starts");
    for (uint32_t i = 0; i < p->started_count; i++) process(NULL, &p->started[i], j);
    json_out_end(j);
  }
  if (p->ended) json_out_bool(j, "ends", 1);
  if (p->printed) json_out_text(j, "prints", p->printed);
  if (p->fault) {
    json_out_object(j, "fault");
    json_out_text(j, "message", p->fault);
    place(&p->fault_place, j);
    json_out_end(j);
  }
  json_out_end(j);
}

void trace_json_stand(const struct model_stand *s, struct json_out *j) {
  json_out_object_flat(j, NULL);
  json_out_text(j, "process", s->process.name);
  json_out_count(j, "pid", s->process.pid);
  place(&s->place, j);
  json_out_text(j, "statement", s->statement);
  json_out_bool(j, "end", s->end);
  json_out_end(j);
}

static void stands(const struct trace *t, struct json_out *j) {
  json_out_array(j, "stands");
  for (size_t i = 0; i < t->stand_count; i++) trace_json_stand(&t->stand[i], j);
  json_out_end(j);
}

/* The variables that people look at, as they are at the start. */
static void start(const struct trace *t, struct json_out *j) {
  json_out_array(j, "start");
  for (size_t i = 0; i < t->vars; i++) {
    if (t->start[i].hidden) continue;
    json_out_object_flat(j, NULL);
    json_out_count(j, "variable", i);
    json_out_text(j, "label", t->start[i].label);
    json_out_text(j, "text", t->start[i].to);
    json_out_end(j);
  }
  json_out_end(j);
}

/* ---- all models ---------------------------------------------------------------------------- */

static void step(const struct trace_view *v, size_t i, struct json_out *j) {
  const struct trace *t = v->trace;
  json_out_object_flat(j, NULL);
  json_out_count(j, "step", i + 1);
  json_out_text(j, "transition", v->step(v->context, t, i));
  json_out_count(j, "edge", t->edge[i]);
  if (t->part_start) {
    json_out_array(j, "parts");
    for (size_t p = t->part_start[i]; p < t->part_start[i + 1]; p++) trace_json_part(&t->part[p], j);
    json_out_end(j);
  }
  json_out_array(j, "changes");
  for (size_t c = t->change_start[i]; c < t->change_start[i + 1]; c++) {
    json_out_object(j, NULL);
    json_out_count(j, "variable", t->change[c].var);
    const struct trace_words *w = t->change[c].words;
    json_out_text(j, "name", w ? w->name : v->var(v->context, t->change[c].var));
    json_out_integer(j, "from", t->change[c].from);
    json_out_integer(j, "to", t->change[c].to);
    if (w && w->hidden) json_out_bool(j, "hidden", 1);
    else if (w) {
      json_out_text(j, "label", w->label);
      json_out_text(j, "from_text", w->from);
      json_out_text(j, "to_text", w->to);
    }
    json_out_end(j);
  }
  json_out_end(j);
  json_out_end(j);
}

/* A run is an object of its own. Those of branches are like the whole file: a reader of files reads them, too. */
static void open_run(const struct trace_view *v, const char *key, struct json_out *j) {
  const struct trace *t = v->trace;
  json_out_object(j, key);
  header(v, j);
  json_out_array(j, "variables");
  for (size_t i = 0; i < t->vars; i++) json_out_text(j, NULL, v->var(v->context, (uint32_t)i));
  json_out_end(j);
  json_out_array_flat(j, "initial");
  for (size_t i = 0; i < t->vars; i++) json_out_integer(j, NULL, t->initial[i]);
  json_out_end(j);
  if (t->start) start(t, j);
  json_out_array(j, "path");
  for (size_t i = 0; i < t->count; i++) step(v, i, j);
  json_out_end(j);
  if (t->start) stands(t, j);
}

int trace_write_json(const struct trace_view *v, FILE *out) {
  const struct trace *t = v->trace;
  struct json_out j;
  json_out_open(&j, out, 1);
  open_run(v, NULL, &j);
  if (t->branch_count) {
    json_out_array(&j, "branches");
    for (size_t i = 0; i < t->branch_count; i++) {
      struct trace_view run;
      v->branch(v, i, &run);
      json_out_object(&j, NULL);
      json_out_count(&j, "of", t->branch[i].of);
      json_out_count(&j, "at", t->branch[i].at);
      open_run(&run, "run", &j);
      json_out_end(&j);
      json_out_end(&j);
    }
    json_out_end(&j);
  }
  json_out_end(&j);
  return json_out_close(&j);
}
