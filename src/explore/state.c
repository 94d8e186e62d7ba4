/* state.c -- a state as people see it: what has which value, where processes stand, what can happen next; and what the model is.
 *
 * Of nets only what is not empty is told.  Lists are cut at lengths that a page can show; their whole length is told as well. */
#include "explore/requests.h"

#include "colour/colour.h"
#include "front/below.h"
#include "front/text.h"
#include "net/pt_model.h"
#include "process/process.h"
#include "prop/prop.h"
#include "report/trace_view.h"

#include <string.h>
#include <sys/stat.h>

enum { VALUES = 5000, STEPS = 500, LONG_TEXT = 1 << 16, SHORT_TEXT = 1000, FAULTS = 50, FILES = 64, LARGEST = 4 << 20 /* bytes of a source */ };

/* ---- the model ------------------------------------------------------------------------------------------------------------ */

static int has_groups_in_text(const struct model *m) { return m->type->stands != NULL; }

/* How it is best looked at. */
static const char *view_of(const struct model *m) {
  if (pt_model_net(m) || colour_model_drawing(m)) return "net";
  return has_groups_in_text(m) ? "source" : "graph";
}

static int stated(struct explorer *x, struct json_out *j, struct err *e) {
  size_t count = 0;
  struct prop *props = mem_alloc(x->mem, MEM_OTHER, prop_stated_most(x->model) * sizeof *props);
  if (!props) return err_memory(e, "the properties");
  int bad = prop_open_stated(props, &count, x->model, x->setup.no_claims, x->mem, e);
  json_out_array(j, "properties");
  json_out_object_flat(j, NULL);
  json_out_text(j, "id", "deadlock");
  json_out_text(j, "kind", "deadlock");
  json_out_end(j);
  for (size_t i = 0; i < count; i++) {
    json_out_object_flat(j, NULL);
    json_out_text(j, "id", props[i].id);
    json_out_text(j, "kind", prop_kind_name(props[i].kind));
    if (props[i].place.line) json_out_text(j, "file", props[i].place.file), json_out_integer(j, "line", props[i].place.line);
    json_out_end(j);
    prop_close(&props[i]);
  }
  json_out_end(j);
  mem_free(x->mem, props);
  return bad;
}

int answer_model(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  const struct model *m = x->model;
  (void)a;
  json_out_object(j, NULL);
  json_out_text(j, "schema", "thimble.explore/1");
  json_out_text(j, "version", THIMBLE_VERSION);
  json_out_text(j, "file", m->file);
  json_out_text(j, "language", m->language);
  json_out_text(j, "kind", m->type->kind);
  json_out_text(j, "view", view_of(m));
  json_out_bool(j, "picture", x->setup.picture != NULL);
  json_out_count(j, "words", m->words);
  json_out_count(j, "state_bits", m->bits);
  json_out_count(j, "variables", m->vars);
  json_out_count(j, "transitions", m->groups);
  json_out_count(j, "states", x->states.count);
  json_out_real(j, "seconds", x->setup.seconds, 1);
  if (stated(x, j, e)) return -1;
  json_out_end(j);
  return 0;
}

/* ---- values --------------------------------------------------------------------------------------------------------------- */

static void values(struct explorer *x, struct json_out *j) {
  const struct model *m = x->model;
  const struct model_type *type = m->type;
  size_t all = 0;
  int coloured = colour_model_drawing(m) != NULL;
  char text[SHORT_TEXT];
  json_out_array(j, "values");
  for (uint32_t v = 0; v < m->vars; v++) {
    int64_t number = stepper_value(&x->at, v);
    struct model_var d;
    int told = type->describe && !type->vars_are_no_numbers;
    if (told) {
      type->describe(m, x->at.state, v, &d);
      if (d.kind != MODEL_VAR_PLAIN) continue;
    } else if (!number && m->vars > 1) continue; /* an empty place */
    if (++all > VALUES) continue;
    json_out_object_flat(j, NULL);
    json_out_count(j, "var", v);
    json_out_text(j, "label", told ? d.label : type->var_name(m, v));
    if (!told) model_tell_value(m, x->at.state, v, text, sizeof text);
    json_out_text(j, "text", told ? d.text : text);
    if (!type->vars_are_no_numbers) json_out_integer(j, "value", number);
    int64_t tokens = coloured ? colour_tokens(m, x->at.state, v) : -1;
    if (tokens >= 0) json_out_integer(j, "tokens", tokens);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_count(j, "values_in_all", all);
}

int answer_value(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  uint32_t state;
  uint64_t var;
  if (!x->model->vars) return err_usage(e, "value: the model has no variables");
  if (request_state(x, a, "state", &state, e) || request_count(a, "var", 0, x->model->vars - 1, &var, e)) return -1;
  if (explorer_enter(x, state, e)) return -1;
  char *text = mem_alloc(x->mem, MEM_OTHER, LONG_TEXT);
  if (!text) return err_memory(e, "a value");
  model_tell_value(x->model, x->at.state, (uint32_t)var, text, LONG_TEXT);
  json_out_object(j, NULL);
  json_out_text(j, "label", x->model->type->var_name(x->model, (uint32_t)var));
  json_out_text(j, "text", text);
  json_out_end(j);
  mem_free(x->mem, text);
  return 0;
}

/* ---- steps ---------------------------------------------------------------------------------------------------------------- */

struct telling {
  struct json_out *j;
  size_t parts;
};

static void brief(void *context, const struct model_part *p) {
  struct telling *t = context;
  if (t->parts++) return; /* the first part tells the step */
  json_out_text(t->j, "label", p->statement);
  if (p->process.name) json_out_text(t->j, "process", p->process.name), json_out_count(t->j, "pid", p->process.pid);
  if (p->place.line) json_out_text(t->j, "file", p->place.file), json_out_integer(t->j, "line", p->place.line);
  if (p->partner.name) {
    json_out_object(t->j, "with");
    json_out_text(t->j, "process", p->partner.name);
    json_out_count(t->j, "pid", p->partner.pid);
    json_out_end(t->j);
  }
}

static void whole(void *context, const struct model_part *p) { trace_json_part(p, ((struct telling *)context)->j); }

void explorer_step_json(struct explorer *x, uint32_t k, struct json_out *j) {
  const struct model *m = x->model;
  const struct explorer_edge *known = explorer_edge(x, x->here, k);
  struct telling t = {j, 0};
  uint32_t group = x->at.batch.group[k];
  json_out_count(j, "k", k);
  if (known) json_out_count(j, "to", known->to);
  else json_out_null(j, "to");
  json_out_count(j, "group", group);
  json_out_text(j, "transition", m->type->group_name(m, group));
  if (!m->type->parts || m->type->parts(x->at.cursor, x->at.state, k, brief, &t) <= 0 || !t.parts) json_out_text(j, "label", m->type->group_name(m, group));
}

static void fault(const struct model *m, const struct model_fault *f, struct json_out *j) {
  char text[300];
  struct place_in_text at = m->type->fault_place(m, f);
  m->type->fault_text(m, f, text, sizeof text);
  json_out_object_flat(j, NULL);
  json_out_text(j, "message", text);
  if (f->edge != MODEL_NO_EDGE) json_out_count(j, "k", f->edge);
  if (at.line) json_out_text(j, "file", at.file), json_out_integer(j, "line", at.line);
  json_out_end(j);
}

static void stand(void *context, const struct model_stand *s) { trace_json_stand(s, context); }

static void steps(struct explorer *x, size_t first, struct json_out *j) {
  const struct model *m = x->model;
  const struct model_batch *b = &x->at.batch;
  size_t end = b->count > first + STEPS ? first + STEPS : b->count;
  json_out_array(j, "steps");
  for (size_t k = first; k < end; k++) {
    struct telling t = {j, 0};
    json_out_object_flat(j, NULL);
    explorer_step_json(x, (uint32_t)k, j);
    if (m->type->parts) {
      json_out_array(j, "parts");
      m->type->parts(x->at.cursor, x->at.state, (uint32_t)k, whole, &t);
      json_out_end(j);
    }
    json_out_end(j);
  }
  json_out_end(j);
  if (!m->type->fault_text) return;
  json_out_array(j, "faults");
  for (size_t i = 0; i < b->fault_count && i < FAULTS; i++) fault(m, &b->faults[i], j);
  json_out_end(j);
}

int answer_state(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  const struct model *m = x->model;
  uint32_t state;
  uint64_t from;
  if (request_state(x, a, "id", &state, e) || request_count_or(a, "from", 0, UINT32_MAX, 0, &from, e) || explorer_enter(x, state, e)) return -1;
  const struct explorer_state *s = &x->states.at[state];
  json_out_object(j, NULL);
  json_out_count(j, "id", state);
  json_out_bool(j, "deadlock", !s->steps && !s->end && !s->broken);
  json_out_bool(j, "end", !s->steps && s->end);
  values(x, j);
  if (m->type->stands) {
    json_out_array(j, "stands");
    m->type->stands(m, x->at.state, stand, j);
    json_out_end(j);
  }
  json_out_count(j, "steps_in_all", s->steps);
  if (s->broken) {
    json_out_text(j, "broken", x->fault.message);
    json_out_array(j, "steps");
    json_out_end(j);
  } else steps(x, (size_t)from, j);
  json_out_end(j);
  return 0;
}

/* ---- the text it was read from --------------------------------------------------------------------------------------------- */

static int told_before(const char *const *files, size_t count, const char *file) {
  for (size_t i = 0; i < count; i++)
    if (files[i] == file || strcmp(files[i], file) == 0) return 1;
  return 0;
}

/* A model may say that its lines are those of any file: only what has the name of a model or a header is shown, and nothing but regular files is opened. */
static const char *unfit(const struct explorer *x, const char *file) {
  const struct model *m = x->model;
  struct stat there;
  size_t folders = 0;
  while (x->setup.folders && x->setup.folders[folders]) folders++;
  const char *dot = strrchr(file, '.');
  if (strcmp(file, m->file) != 0 && !front_for_file(file) && !(dot && (strcmp(dot, ".h") == 0 || strcmp(dot, ".inc") == 0))) return "its name has no suffix of a language";
  if (stat(file, &there)) return "it is not there";
  if (front_below(file, m->file, x->setup.folders, folders, NULL) == BELOW_OUTSIDE) return "it lies outside of the model's folder";
  if (!S_ISREG(there.st_mode)) return "it is no file";
  return there.st_size > LARGEST ? "it is too large to be shown" : NULL;
}

/* A file that cannot be read any more is left out, and its name is told with the reason. */
static void one_source(struct explorer *x, const char *file, struct json_out *j) {
  struct err e;
  char *text = NULL;
  size_t length = 0;
  const char *why = unfit(x, file);
  struct front_setup setup = {.mem = x->mem, .file = file, .input = why ? NULL : fopen(file, "re")};
  err_clear(&e);
  if (!why && !setup.input) why = "it cannot be opened";
  if (!why && front_slurp(&text, &length, &setup, &e)) why = "it cannot be read";
  json_out_object(j, NULL);
  json_out_text(j, "file", file);
  if (why) json_out_null(j, "text"), json_out_text(j, "why", why);
  else json_out_text_n(j, "text", text, length);
  json_out_end(j);
  if (setup.input) fclose(setup.input);
  mem_free(x->mem, text);
}

int answer_source(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  const struct model *m = x->model;
  const char *files[FILES];
  size_t count = 0;
  (void)a, (void)e;
  json_out_object(j, NULL);
  json_out_array(j, "sources");
  if (has_groups_in_text(m)) {
    files[count++] = m->file;
    for (uint32_t g = 0; m->type->group_place && g < m->groups && count < FILES; g++) {
      struct place_in_text at = m->type->group_place(m, g);
      if (at.file && at.line && !told_before(files, count, at.file)) files[count++] = at.file;
    }
  }
  for (size_t i = 0; i < count; i++) one_source(x, files[i], j);
  json_out_end(j);
  json_out_end(j);
  return 0;
}
