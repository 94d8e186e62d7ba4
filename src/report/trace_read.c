/* trace_read.c -- a trace file read back, without the model it came from.
 *
 * The file becomes a tree (json_tree.h), of which there is one at a time.  It stays
 * until the file is closed; names are borrowed from it.
 *
 * A trace file may have been edited or made by others.  Everything is checked: numbers of
 * values, indices, and that each change begins with the value that the steps before left.
 * What `steps` says is not believed, the length of `path` is. */
#include "report/trace_view.h"

#include "base/vec.h"
#include "report/json_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct trace_file {
  struct mem *mem;
  const char *name;
  json_t *root;
  json_t *variables, *path;
  struct trace trace;
  struct trace_file *branch; /* runs of the same tree: objects like the file itself */
  size_t branch_count;
};

/* ---- checking ----------------------------------------------------------------------- */

static int wrong(const struct trace_file *f, struct err *e, const char *what, size_t step) {
  struct place_in_text at = {f->name, 0, 0};
  if (step) return err_input(e, at, "not a thimble.trace/1 file: step %zu: %s", step, what);
  return err_input(e, at, "not a thimble.trace/1 file: %s", what);
}

static int read_initial(struct trace_file *f, struct err *e) {
  struct trace *t = &f->trace;
  json_t *initial = json_object_get(f->root, "initial");
  f->variables = json_object_get(f->root, "variables");
  if (!json_is_array(f->variables) || !json_is_array(initial))
    return wrong(f, e, "it needs the arrays \"variables\" and \"initial\"", 0);
  t->vars = json_array_size(f->variables);
  if (json_array_size(initial) != t->vars) return wrong(f, e, "\"variables\" and \"initial\" differ in length", 0);
  t->initial = mem_alloc(f->mem, MEM_OTHER, t->vars * sizeof *t->initial);
  if (!t->initial) return err_memory(e, "a trace");
  for (size_t i = 0; i < t->vars; i++) {
    json_t *value = json_array_get(initial, i);
    if (!json_is_integer(value) || !json_is_string(json_array_get(f->variables, i)))
      return wrong(f, e, "a variable is no text or a value is no number", 0);
    t->initial[i] = json_integer_value(value);
  }
  return 0;
}

/* ---- processes ------------------------------------------------------------------------- */

static const char *text_of(json_t *object, const char *key, const char *otherwise) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : otherwise;
}

static long number_of(json_t *object, const char *key) {
  json_int_t n = json_integer_value(json_object_get(object, key));
  return n > 0 && n < INT32_MAX ? (long)n : 0;
}

static struct model_process read_process(json_t *object) {
  return (struct model_process){text_of(object, "process", NULL), (uint32_t)number_of(object, "pid")};
}

static struct place_in_text read_place(json_t *object) {
  return (struct place_in_text){text_of(object, "file", NULL), number_of(object, "line"), number_of(object, "column")};
}

/* Numbers and names of a message. -1: memory. */
static int read_message(struct trace_file *f, json_t *message, struct model_part *p) {
  size_t n = json_array_size(message);
  struct model_field *field = arena_alloc(&f->trace.text, (n + 1) * sizeof *field);
  if (!field || n > UINT32_MAX) return -1;
  for (size_t i = 0; i < n; i++) {
    json_t *one = json_array_get(message, i);
    char number[24];
    field[i] = (struct model_field){json_string_value(one), json_integer_value(one), json_is_string(one)};
    if (field[i].text) continue;
    snprintf(number, sizeof number, "%" PRId64, (int64_t)field[i].value);
    field[i].text = arena_strndup(&f->trace.text, number, strlen(number));
    if (!field[i].text) return -1;
  }
  p->message = field;
  p->fields = (uint32_t)n;
  return 0;
}

static int read_part(struct trace_file *f, json_t *from, struct model_part *p) {
  static const struct {
    const char *key;
    enum model_deed deed;
  } deeds[] = {{"send", MODEL_SENDS}, {"receive", MODEL_RECEIVES}, {"peek", MODEL_PEEKS}};
  *p = (struct model_part){.process = read_process(from), .place = read_place(from), .statement = text_of(from, "statement", "")};
  for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
    json_t *deed = json_object_get(from, deeds[i].key);
    if (!json_is_object(deed)) continue;
    p->deed = deeds[i].deed;
    p->channel = text_of(deed, "channel", "?");
    p->lost = json_is_true(json_object_get(deed, "lost"));
    json_t *partner = json_object_get(deed, p->deed == MODEL_SENDS ? "to" : "from");
    if (partner) p->partner = read_process(partner);
    if (read_message(f, json_object_get(deed, "message"), p)) return -1;
  }
  json_t *starts = json_object_get(from, "starts");
  size_t n = json_array_size(starts);
  struct model_process *started = arena_alloc(&f->trace.text, (n + 1) * sizeof *started);
  if (!started || n > UINT32_MAX) return -1;
  for (size_t i = 0; i < n; i++) started[i] = read_process(json_array_get(starts, i));
  p->started = started;
  p->started_count = (uint32_t)n;
  p->ended = json_is_true(json_object_get(from, "ends"));
  p->printed = text_of(from, "prints", NULL);
  json_t *fault = json_object_get(from, "fault");
  p->fault = text_of(fault, "message", NULL);
  p->fault_place = read_place(fault);
  return 0;
}

static int read_parts(struct trace_file *f, json_t *parts, size_t step, size_t *room, struct err *e) {
  struct trace *t = &f->trace;
  struct vec(struct model_part) all = {t->part, t->part_count, *room};
  int bad = 0;
  for (size_t i = 0; i < json_array_size(parts) && !bad; i++) {
    struct model_part part;
    bad = read_part(f, json_array_get(parts, i), &part) || vec_push(&all, f->mem, MEM_OTHER, part);
  }
  t->part = all.at;
  t->part_count = t->part_start[step + 1] = all.count;
  *room = all.room;
  return bad ? err_memory(e, "a trace") : 0;
}

/* Words for the start and the end: where they are, the trace is one of processes. */
static int read_story(struct trace_file *f, struct err *e) {
  struct trace *t = &f->trace;
  json_t *start = json_object_get(f->root, "start"), *stands = json_object_get(f->root, "stands");
  if (!json_is_array(start)) return 0;
  size_t n = json_array_size(stands), steps = json_array_size(json_object_get(f->root, "path"));
  arena_open(&t->text, f->mem, MEM_OTHER);
  t->start = mem_alloc(f->mem, MEM_OTHER, (t->vars + 1) * sizeof *t->start);
  t->part_start = mem_alloc(f->mem, MEM_OTHER, (steps + 1) * sizeof *t->part_start);
  t->stand = mem_alloc(f->mem, MEM_OTHER, (n + 1) * sizeof *t->stand);
  if (!t->start || !t->part_start || !t->stand) return err_memory(e, "a trace");
  for (size_t i = 0; i < t->vars; i++) {
    const char *name = json_string_value(json_array_get(f->variables, i));
    t->start[i] = (struct trace_words){name, name, NULL, "", 1};
  }
  for (size_t i = 0; i < json_array_size(start); i++) {
    json_t *one = json_array_get(start, i), *var = json_object_get(one, "variable");
    json_int_t v = json_integer_value(var);
    if (!json_is_integer(var) || v < 0 || (uint64_t)v >= t->vars) return wrong(f, e, "\"start\" names a variable that is not there", 0);
    t->start[v] = (struct trace_words){t->start[v].name, text_of(one, "label", t->start[v].name), NULL, text_of(one, "text", ""), 0};
  }
  for (size_t i = 0; i < n; i++) {
    json_t *one = json_array_get(stands, i);
    t->stand[i] = (struct model_stand){read_process(one), read_place(one), text_of(one, "statement", ""),
                                       json_is_true(json_object_get(one, "end"))};
  }
  t->stand_count = n;
  return 0;
}

/* The words of a change; NULL: there are none, or no memory (*bad). */
static const struct trace_words *read_words(struct trace_file *f, json_t *change, size_t var, int *bad) {
  if (!f->trace.start) return NULL;
  struct trace_words *w = arena_alloc(&f->trace.text, sizeof *w);
  if (!w) {
    *bad = 1;
    return NULL;
  }
  w->name = text_of(change, "name", f->trace.start[var].name);
  w->label = text_of(change, "label", w->name);
  w->from = text_of(change, "from_text", "?");
  w->to = text_of(change, "to_text", "?");
  w->hidden = json_is_true(json_object_get(change, "hidden"));
  return w;
}

/* ---- steps ------------------------------------------------------------------------------ */

/* `now` holds the values before the step and is brought up to date. */
static int read_changes(struct trace_file *f, json_t *changes, size_t step, int64_t *now, size_t *room, struct err *e) {
  struct vec(struct trace_change) all = {f->trace.change, f->trace.change_count, *room};
  int bad = 0;
  size_t count = json_array_size(changes);
  for (size_t c = 0; c < count && !bad; c++) {
    json_t *one = json_array_get(changes, c);
    json_t *var = json_object_get(one, "variable"), *from = json_object_get(one, "from"), *to = json_object_get(one, "to");
    if (!json_is_integer(var) || !json_is_integer(from) || !json_is_integer(to)) {
      bad = wrong(f, e, "a change needs the numbers \"variable\", \"from\" and \"to\"", step);
      break;
    }
    json_int_t v = json_integer_value(var);
    if (v < 0 || (uint64_t)v >= f->trace.vars) bad = wrong(f, e, "a change names a variable that is not there", step);
    else if (now[v] != json_integer_value(from)) bad = wrong(f, e, "a change does not begin where the steps before ended", step);
    else {
      int refused = 0;
      struct trace_change change = {(uint32_t)v, json_integer_value(from), json_integer_value(to), NULL};
      change.words = read_words(f, one, (size_t)v, &refused);
      if (refused || vec_push(&all, f->mem, MEM_OTHER, change)) bad = err_memory(e, "a trace");
      else now[v] = change.to;
    }
  }
  f->trace.change = all.at;
  f->trace.change_count = all.count;
  *room = all.room;
  return bad;
}

static int read_step(struct trace_file *f, size_t i, int64_t *now, size_t *room, size_t *part_room, struct err *e) {
  struct trace *t = &f->trace;
  json_t *step = json_array_get(f->path, i), *edge = json_object_get(step, "edge"), *changes = json_object_get(step, "changes");
  if (!json_is_string(json_object_get(step, "transition"))) return wrong(f, e, "it needs the text \"transition\"", i + 1);
  if (edge && (!json_is_integer(edge) || json_integer_value(edge) < 0 || json_integer_value(edge) > UINT32_MAX))
    return wrong(f, e, "\"edge\" is no index", i + 1);
  if (!json_is_array(changes)) return wrong(f, e, "it needs the array \"changes\"", i + 1);
  t->edge[i] = edge ? (uint32_t)json_integer_value(edge) : UINT32_MAX;
  t->group[i] = (uint32_t)i;
  if (read_changes(f, changes, i + 1, now, room, e)) return -1;
  t->change_start[i + 1] = t->change_count;
  if (t->start && read_parts(f, json_object_get(step, "parts"), i, part_room, e)) return -1;
  t->count = i + 1;
  return 0;
}

static int read_path(struct trace_file *f, struct err *e) {
  struct trace *t = &f->trace;
  f->path = json_object_get(f->root, "path");
  if (!json_is_array(f->path)) return wrong(f, e, "it needs the array \"path\"", 0);
  size_t n = json_array_size(f->path), room = 0, part_room = 0;
  if (n > UINT32_MAX - 1) return wrong(f, e, "it is too long", 0);
  t->edge = mem_alloc(f->mem, MEM_OTHER, n * sizeof *t->edge);
  t->group = mem_alloc(f->mem, MEM_OTHER, n * sizeof *t->group);
  t->change_start = mem_alloc(f->mem, MEM_OTHER, (n + 1) * sizeof *t->change_start);
  int64_t *now = mem_alloc(f->mem, MEM_OTHER, t->vars * sizeof *now);
  int bad = t->edge && t->group && t->change_start && now ? 0 : err_memory(e, "a trace");
  if (!bad && t->vars) memcpy(now, t->initial, t->vars * sizeof *now);
  for (size_t i = 0; i < n && !bad; i++) bad = read_step(f, i, now, &room, &part_room, e);
  mem_free(f->mem, now);
  return bad;
}

static void copy_text(char *out, size_t room, json_t *value) {
  if (json_is_string(value)) snprintf(out, room, "%s", json_string_value(value));
}

static int read_all(struct trace_file *f, struct err *e) {
  const char *schema = json_string_value(json_object_get(f->root, "schema"));
  struct trace *t = &f->trace;
  if (!schema) return wrong(f, e, "it has no \"schema\"", 0);
  if (strcmp(schema, "thimble.trace/1") != 0) return wrong(f, e, "it has another schema", 0);
  copy_text(t->property, sizeof t->property, json_object_get(json_object_get(f->root, "property"), "id"));
  copy_text(t->message, sizeof t->message, json_object_get(f->root, "message"));
  copy_text(t->verdict, sizeof t->verdict, json_object_get(f->root, "verdict"));
  t->shortest = json_is_true(json_object_get(f->root, "shortest"));
  if (read_initial(f, e) || read_story(f, e) || read_path(f, e)) return -1;
  json_t *loop = json_object_get(f->root, "loop");
  t->loop = json_is_integer(loop) ? json_integer_value(loop) : -1;
  if (t->loop < -1 || t->loop >= (int64_t)t->count) return wrong(f, e, "\"loop\" is no step", 0);
  return 0;
}

static void free_branches(struct trace_file *f) {
  for (size_t i = 0; i < f->branch_count; i++) trace_free(&f->branch[i].trace);
  mem_free(f->mem, f->trace.branch);
  mem_free(f->mem, f->branch);
  f->trace.branch = NULL;
  f->trace.branch_count = f->branch_count = 0;
}

static int read_branches(struct trace_file *f, struct err *e) {
  json_t *branches = json_object_get(f->root, "branches");
  size_t n = json_array_size(branches);
  if (!n) return 0;
  f->branch = mem_alloc(f->mem, MEM_OTHER, n * sizeof *f->branch);
  f->trace.branch = mem_alloc(f->mem, MEM_OTHER, n * sizeof *f->trace.branch);
  if (!f->branch || !f->trace.branch) return err_memory(e, "a trace");
  for (size_t i = 0; i < n; i++) {
    json_t *one = json_array_get(branches, i), *of = json_object_get(one, "of"), *at = json_object_get(one, "at");
    json_int_t parent = json_integer_value(of), step = json_integer_value(at);
    struct trace_file *run = &f->branch[f->branch_count++];
    *run = (struct trace_file){.mem = f->mem, .name = f->name, .root = json_object_get(one, "run"), .trace = {.mem = f->mem}};
    if (!json_is_integer(of) || !json_is_integer(at) || parent < 0 || (uint64_t)parent > i || step < 0)
      return wrong(f, e, "a branch needs the numbers \"of\" and \"at\"", 0);
    if (read_all(run, e)) return -1;
    const struct trace *from = parent ? &f->branch[parent - 1].trace : &f->trace;
    if ((uint64_t)step > from->count || (uint64_t)step > run->trace.count) return wrong(f, e, "a branch leaves a run where that has no step", 0);
    f->trace.branch[f->trace.branch_count++] = (struct trace_branch){(size_t)parent, (size_t)step, &run->trace};
  }
  return 0;
}

int trace_file_read(struct trace_file **out, FILE *in, const char *name, struct mem *mem, struct err *e) {
  struct trace_file *f = mem_alloc(mem, MEM_OTHER, sizeof *f);
  if (!f) return err_memory(e, "a trace");
  f->mem = f->trace.mem = mem;
  f->name = name;
  int bad = json_tree_open(&f->root, in, name, mem, e);
  if (!bad) bad = read_all(f, e) || read_branches(f, e) ? -1 : 0;
  if (bad) trace_file_close(f);
  else *out = f;
  return bad;
}

void trace_file_close(struct trace_file *f) {
  if (!f) return;
  json_tree_close(f->root);
  free_branches(f);
  trace_free(&f->trace);
  mem_free(f->mem, f);
}

/* ---- names -------------------------------------------------------------------------- */

static const char *file_var(const void *context, uint32_t var) {
  const struct trace_file *f = context;
  return json_string_value(json_array_get(f->variables, var));
}

static const char *file_step(const void *context, const struct trace *t, size_t step) {
  const struct trace_file *f = context;
  (void)t;
  return json_string_value(json_object_get(json_array_get(f->path, step), "transition"));
}

static void file_branch(const struct trace_view *v, size_t index, struct trace_view *out) {
  trace_file_view(&((const struct trace_file *)v->context)->branch[index], out);
}

void trace_file_view(const struct trace_file *f, struct trace_view *v) {
  json_t *model = json_object_get(f->root, "model"), *property = json_object_get(f->root, "property");
  *v = (struct trace_view){
      .trace = &f->trace,
      .file = json_string_value(json_object_get(model, "file")),
      .language = json_string_value(json_object_get(model, "language")),
      .property_kind = json_string_value(json_object_get(property, "kind")),
      .property_text = json_string_value(json_object_get(property, "text")),
      .context = f,
      .var = file_var,
      .step = file_step,
      .branch = file_branch,
  };
}
