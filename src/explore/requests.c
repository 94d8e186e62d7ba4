/* requests.c -- the table of requests, and their arguments: see requests.h. */
#include "explore/requests.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct request requests[] = {
    {"model", 0, 0, answer_model},
    {"state", 0, 0, answer_state},
    {"value", 0, 0, answer_value},
    {"source", 0, 0, answer_source},
    {"net", 0, 0, answer_net},
    {"step", 1, 0, answer_step},
    {"walk", 1, 0, answer_walk},
    {"graph", 0, 0, answer_graph},
    {"expand", 1, 0, answer_expand},
    {"find", 1, 0, answer_find},
    {"path", 1, 0, answer_path},
    {"run", 1, 0, answer_run},
    {"chart", 1, 0, answer_chart},
    {"open", 1, 1, answer_open},
    {"picture", 0, 0, answer_picture},
    {"looks", 0, 0, answer_looks},
    {"play/open", 1, 0, answer_play_open},
    {"play/look", 0, 0, answer_play_look},
    {"play/take", 1, 0, answer_play_take},
    {"play/answer", 1, 0, answer_play_answer},
    {"play/undo", 1, 0, answer_play_undo},
    {"play/hint", 0, 0, answer_play_hint},
    {"play/close", 1, 0, answer_play_close},
    {NULL, 0, 0, NULL},
};

/* ---- arguments ------------------------------------------------------------------------------------------------------------ */

static int out_of_range(const struct request_args *a, const char *name, uint64_t least, uint64_t most, struct err *e) {
  return err_usage(e, "%s: '%s' must be a number from %" PRIu64 " to %" PRIu64, a->request, name, least, most);
}

int request_count_or(const struct request_args *a, const char *name, uint64_t least, uint64_t most, uint64_t otherwise, uint64_t *out, struct err *e) {
  const json_t *v = json_object_get(a->object, name);
  *out = otherwise;
  if (!v || json_is_null(v)) return 0;
  if (json_is_integer(v)) {
    json_int_t n = json_integer_value(v);
    if (n < 0) return out_of_range(a, name, least, most, e);
    *out = (uint64_t)n;
  } else {
    const char *text = json_string_value(v); /* from an address */
    char *end = NULL;
    errno = 0;
    if (text && *text >= '0' && *text <= '9') *out = strtoull(text, &end, 10);
    if (!end || *end || errno) return out_of_range(a, name, least, most, e);
  }
  return *out < least || *out > most ? out_of_range(a, name, least, most, e) : 0;
}

int request_count(const struct request_args *a, const char *name, uint64_t least, uint64_t most, uint64_t *out, struct err *e) {
  const json_t *v = json_object_get(a->object, name);
  return !v || json_is_null(v) ? out_of_range(a, name, least, most, e) : request_count_or(a, name, least, most, 0, out, e);
}

int request_state(const struct explorer *x, const struct request_args *a, const char *name, uint32_t *out, struct err *e) {
  uint64_t n;
  if (request_count(a, name, 0, x->states.count - 1, &n, e)) return -1;
  *out = (uint32_t)n;
  return 0;
}

const char *request_text(const struct request_args *a, const char *name) { return json_string_value(json_object_get(a->object, name)); }

/* ---- answering ------------------------------------------------------------------------------------------------------------ */

static int read_args(struct request_args *a, const struct request_question *q, int raw, struct err *e) {
  a->body = q->body;
  a->length = q->length;
  if (q->body && !raw) {
    json_error_t fault;
    a->object = json_loadb(q->body, q->length, JSON_REJECT_DUPLICATES, &fault);
    if (!a->object) return err_usage(e, "%s: the body is no JSON: %.200s", q->name, fault.text);
    if (!json_is_object(a->object)) return err_usage(e, "%s: the body is no JSON object", q->name);
  } else if (!(a->object = json_object())) return err_memory(e, "a request");
  for (size_t i = 0; i < q->pairs; i++)
    if (json_object_set_new(a->object, q->pair[i].name, json_string(q->pair[i].value))) return err_usage(e, "%s: an argument is no text", q->name);
  return 0;
}

int request_answer(struct explorer *x, const struct request_question *q, FILE *out, int *unknown, struct err *e) {
  const struct request *r = requests;
  while (r->name && strcmp(r->name, q->name) != 0) r++;
  *unknown = !r->name;
  if (!r->name) return err_usage(e, "there is no such request");
  if (r->does && q->asks) return err_usage(e, "%s: only by POST", r->name);
  struct request_args a = {.request = r->name};
  struct json_out j;
  json_out_open(&j, out, 0);
  int bad = read_args(&a, q, r->raw, e);
  if (!bad) bad = r->run(x, &a, &j, e);
  json_decref(a.object);
  if (!bad && json_out_close(&j)) bad = err_memory(e, "an answer");
  return bad;
}

void request_error(const struct err *e, FILE *out) {
  static const char *const kinds[] = {[ERR_NONE] = "internal", [ERR_INPUT] = "model", [ERR_USAGE] = "request", [ERR_IO] = "file", [ERR_MEMORY] = "memory", [ERR_LIMIT] = "limit", [ERR_INTERNAL] = "internal"};
  struct json_out j;
  json_out_open(&j, out, 0);
  json_out_object(&j, NULL);
  json_out_object(&j, "error");
  json_out_text(&j, "kind", kinds[e->kind]);
  json_out_text(&j, "message", e->message);
  if (e->line) json_out_text(&j, "file", e->file), json_out_integer(&j, "line", e->line), json_out_integer(&j, "column", e->column);
  if (e->excerpt[0]) json_out_text(&j, "excerpt", e->excerpt), json_out_integer(&j, "caret", e->caret);
  if (e->hint[0]) json_out_text(&j, "hint", e->hint);
  json_out_end(&j);
  json_out_end(&j);
  json_out_close(&j);
}
