/* verdict_read.c -- see verdict_read.h.
 *
 * A file may have been cut off, edited, or made by another version.  What the report's page relies on is checked here by a table,
 * so that the page is never made from something that it cannot show. */
#include "report/verdict_read.h"

#include "report/json_tree.h"

#include <string.h>

enum { TEXT = 1, NUMBER = 2, TRUTH = 4, OBJECT = 8, ARRAY = 16, NOTHING = 32 };

static int is(const json_t *v, unsigned kinds) {
  return (kinds & TEXT && json_is_string(v)) || (kinds & NUMBER && json_is_number(v)) || (kinds & TRUTH && json_is_boolean(v)) || (kinds & OBJECT && json_is_object(v)) ||
         (kinds & ARRAY && json_is_array(v)) || (kinds & NOTHING && json_is_null(v));
}

struct rule {
  const char *in, *key; /* in: the object at the top that has it, NULL = the file itself */
  unsigned kinds;
};

static const struct rule rules[] = {
    {NULL, "version", TEXT},          {NULL, "model", OBJECT},          {"model", "file", TEXT | NOTHING},       {"model", "language", TEXT | NOTHING},
    {NULL, "verdict", TEXT},          {NULL, "complete", TRUTH},        {NULL, "lossy", TRUTH},                  {NULL, "properties", ARRAY},
    {NULL, "states", NUMBER},         {NULL, "transitions", NUMBER},    {NULL, "depth", NUMBER},                 {NULL, "deadlocks", NUMBER},
    {NULL, "frontier", NUMBER},       {NULL, "memory", OBJECT},         {"memory", "budget_bytes", NUMBER},      {"memory", "peak_bytes", NUMBER},
    {"memory", "store_bytes", NUMBER}, {"memory", "bytes_per_state", NUMBER}, {NULL, "store", OBJECT},            {"store", "requested", TEXT},
    {"store", "used", ARRAY},         {NULL, "search", TEXT},           {NULL, "engine", TEXT},                  {NULL, "reductions", ARRAY},
    {NULL, "time", OBJECT},           {"time", "total_s", NUMBER},      {"time", "search_s", NUMBER},            {NULL, "stop", OBJECT},
    {"stop", "reason", TEXT},
};

static const struct rule of_property[] = {
    {NULL, "id", TEXT}, {NULL, "kind", TEXT}, {NULL, "text", TEXT | NOTHING}, {NULL, "status", TEXT}, {NULL, "steps", NUMBER | NOTHING}, {NULL, "location", OBJECT | NOTHING}, {NULL, "runs", ARRAY},
};

static const struct rule of_statement[] = {
    {NULL, "transition", TEXT}, {NULL, "file", TEXT | NOTHING}, {NULL, "line", NUMBER}, {NULL, "taken", NUMBER}, {NULL, "fresh", NUMBER}, {NULL, "role", TEXT},
};

static int wrong(const char *name, const char *what, struct err *e) { return err_input(e, (struct place_in_text){name, 0, 0}, "not a thimble.verdict/1 file: %s", what); }

static int follows(const json_t *object, const struct rule *rule, size_t count, const char *name, const char *where, struct err *e) {
  char what[120];
  for (size_t i = 0; i < count; i++) {
    const json_t *in = rule[i].in ? json_object_get(object, rule[i].in) : object;
    if (is(json_object_get(in, rule[i].key), rule[i].kinds)) continue;
    snprintf(what, sizeof what, "%s\"%s%s%s\" is missing or of the wrong kind", where, rule[i].in ? rule[i].in : "", rule[i].in ? "." : "", rule[i].key);
    return wrong(name, what, e);
  }
  return 0;
}

/* ---- what is taken from it -------------------------------------------------------------- */

/* NULL where it is no text. 0, or -1: memory. */
static int keep(struct verdict_file *v, const json_t *text, const char **out) {
  const char *from = json_string_value(text);
  *out = from ? arena_strndup(&v->text, from, strlen(from)) : NULL;
  return from && !*out ? -1 : 0;
}

/* Each name once; there are few. */
static int add_file(struct verdict_file *v, const json_t *place, size_t *room) {
  const char *name = json_string_value(json_object_get(place, "file"));
  if (!name || (v->file_count && strcmp(v->file[v->file_count - 1], name) == 0)) return 0;
  for (size_t i = 0; i < v->file_count; i++)
    if (strcmp(v->file[i], name) == 0) return 0;
  if (v->file_count == *room) {
    size_t more = *room * 2 + 8;
    const char **grown = mem_resize(v->mem, MEM_OTHER, v->file, more * sizeof *grown);
    if (!grown) return -1;
    v->file = grown;
    *room = more;
  }
  v->file[v->file_count] = arena_strndup(&v->text, name, strlen(name));
  return v->file[v->file_count++] ? 0 : -1;
}

static int take_runs(struct verdict_file *v, const json_t *property, size_t *room) {
  const json_t *runs = json_object_get(property, "runs");
  size_t n = json_array_size(runs);
  if (v->run_count + n > *room) {
    size_t more = (v->run_count + n) * 2;
    struct verdict_run *grown = mem_resize(v->mem, MEM_OTHER, v->run, more * sizeof *grown);
    if (!grown) return -1;
    v->run = grown;
    *room = more;
  }
  for (size_t i = 0; i < n; i++) {
    const json_t *one = json_array_get(runs, i);
    struct verdict_run *run = &v->run[v->run_count++];
    *run = (struct verdict_run){.property = v->property[v->property_count - 1], .steps = (uint64_t)json_integer_value(json_object_get(one, "steps"))};
    if (keep(v, json_object_get(one, "trace"), &run->trace)) return -1;
  }
  return 0;
}

static int take_properties(struct verdict_file *v, const json_t *root, const char *name, struct err *e) {
  const json_t *list = json_object_get(root, "properties");
  size_t n = json_array_size(list), runs = 0, files = 0;
  v->property = mem_alloc(v->mem, MEM_OTHER, (n + 1) * sizeof *v->property);
  if (!v->property) return err_memory(e, "a verdict");
  for (size_t i = 0; i < n; i++) {
    const json_t *one = json_array_get(list, i);
    if (follows(one, of_property, sizeof of_property / sizeof *of_property, name, "a property: ", e)) return -1;
    if (keep(v, json_object_get(one, "id"), &v->property[v->property_count])) return err_memory(e, "a verdict");
    v->property_count++;
    if (take_runs(v, one, &runs) || add_file(v, json_object_get(one, "location"), &files)) return err_memory(e, "a verdict");
  }
  list = json_object_get(json_object_get(root, "coverage"), "statements");
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *one = json_array_get(list, i);
    if (follows(one, of_statement, sizeof of_statement / sizeof *of_statement, name, "coverage: ", e)) return -1;
    if (add_file(v, one, &files)) return err_memory(e, "a verdict");
  }
  return 0;
}

/* Arrays of the same length, of numbers. */
static int check_timeline(const json_t *t, const char *name, struct err *e) {
  static const char *const columns[] = {"seconds", "states", "transitions", "frontier", "depth", "memory_bytes", "search"};
  size_t n = json_array_size(json_object_get(t, "seconds"));
  if (!t || json_is_null(t)) return 0;
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    const json_t *column = json_object_get(t, columns[i]);
    if (!json_is_array(column) || json_array_size(column) != n) return wrong(name, "the columns of \"timeline\" differ in length", e);
    for (size_t k = 0; k < n; k++)
      if (!json_is_number(json_array_get(column, k))) return wrong(name, "a sample of \"timeline\" is no number", e);
  }
  return 0;
}

static int take(struct verdict_file *v, const json_t *root, const char *name, struct err *e) {
  const char *schema = json_string_value(json_object_get(root, "schema"));
  char quoted[80];
  if (!schema) return wrong(name, "it does not say its \"schema\"", e);
  if (strcmp(schema, "thimble.verdict/1") != 0) {
    err_input(e, (struct place_in_text){name, 0, 0}, "this is '%s'; reports are made of thimble.verdict/1 and thimble.trace/1", err_quote(quoted, sizeof quoted, schema, strlen(schema)));
    if (strncmp(schema, "thimble.verdict/", 16) == 0) err_hint(e, "it was written by another version of Thimble: run check again");
    return -1;
  }
  if (follows(root, rules, sizeof rules / sizeof *rules, name, "", e)) return -1;
  const json_t *model = json_object_get(root, "model");
  if (keep(v, json_object_get(model, "file"), &v->model) || keep(v, json_object_get(model, "language"), &v->language)) return err_memory(e, "a verdict");
  v->has_timeline = json_object_get(root, "timeline") != NULL;
  v->has_coverage = json_object_get(root, "coverage") != NULL;
  return take_properties(v, root, name, e) || check_timeline(json_object_get(root, "timeline"), name, e) ? -1 : 0;
}

int verdict_file_read(struct verdict_file *v, FILE *in, const char *name, struct mem *mem, struct err *e) {
  json_t *root;
  memset(v, 0, sizeof *v);
  if (json_tree_open(&root, in, name, mem, e)) return -1;
  v->mem = mem;
  arena_open(&v->text, mem, MEM_OTHER);
  int bad = take(v, root, name, e);
  json_tree_close(root);
  if (bad) verdict_file_close(v);
  return bad;
}

void verdict_file_close(struct verdict_file *v) {
  if (!v->mem) return;
  arena_close(&v->text);
  mem_free(v->mem, v->property);
  mem_free(v->mem, v->run);
  mem_free(v->mem, v->file);
  memset(v, 0, sizeof *v);
}
