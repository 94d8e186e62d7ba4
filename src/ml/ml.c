/* ml.c -- the door of CPN ML: declarations one after the other, inscriptions against them.
 *
 * A declaration that is refused leaves no trace: what it had given a meaning gets its old one back.  So declarations may be tried
 * in any order: files of CPN Tools hold some that speak of later ones, and ml_declare_all goes round until nothing new is
 * understood. */
#include "ml/check.h"
#include "ml/lex.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

int ml_open(struct ml **out, struct mem *mem, struct err *err) {
  struct ml *ml = *out = mem_alloc(mem, MEM_MODEL, sizeof *ml);
  if (!ml) return err_memory(err, "CPN ML");
  ml->mem = mem;
  arena_open(&ml->arena, mem, MEM_MODEL);
  if (ml_names_open(ml)) err_memory(err, "CPN ML");
  else if (!ml_back_open(ml, mem, err) && !ml_library_open(ml, err)) {
    ml_scope_keep(ml, 0);
    return 0;
  }
  ml_close(ml);
  *out = NULL;
  return -1;
}

void ml_close(struct ml *ml) {
  if (!ml) return;
  ml_back_close(ml);
  ml_names_close(ml);
  vec_free(&ml->colsets, ml->mem);
  vec_free(&ml->variables, ml->mem);
  vec_free(&ml->globals, ml->mem);
  vec_free(&ml->exceptions, ml->mem);
  vec_free(&ml->overridden, ml->mem);
  vec_free(&ml->refusals, ml->mem);
  arena_close(&ml->arena);
  mem_free(ml->mem, ml);
}

void ml_home(struct ml *ml, const char *file) { ml->home = file; }

void ml_missing(struct ml *ml, const char *file) { ml->missing = file; }

char *ml_line(const struct ml *ml, struct place_in_text at, char *out, size_t room) {
  char shown[120];
  if (!ml->home || !at.file || strcmp(ml->home, at.file) == 0) snprintf(out, room, "line %ld", at.line);
  else snprintf(out, room, "line %ld of %s", at.line, err_quote(shown, sizeof shown, at.file, strlen(at.file)));
  return out;
}

void ml_draw(struct ml *ml, uint64_t seed) {
  if (!ml->draws) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    ml->started = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
  }
  ml->draws = 1;
  ml->rng.state = seed;
}

const char *ml_left_out(const struct ml *ml) { return ml->writes; }
int ml_lacks(const struct ml *ml) { return ml->lacking; }
int ml_sorted(const struct ml *ml) { return ml->sorted; }
int ml_draws(const struct ml *ml) { return ml->chances; }

const struct ml_colset *ml_find_colset(const struct ml *ml, const char *name) {
  const struct ml_symbol *s = ml_symbol_known(ml, name, strlen(name));
  return s && s->type ? s->type->colset : NULL;
}

int ml_declares(const struct ml *ml, const char *name) {
  const struct ml_symbol *s = ml_symbol_known(ml, name, strlen(name));
  const struct ml_meaning *m = s ? s->value : NULL;
  while (m && m->kind == ML_MEANS_VARIABLE) m = m->outer;
  return m && m->kind == ML_MEANS_GLOBAL;
}

const struct ml_variable *ml_find_variable(const struct ml *ml, const char *name) {
  const struct ml_symbol *s = ml_symbol_known(ml, name, strlen(name));
  const struct ml_meaning *m = s ? s->value : NULL;
  while (m && m->kind == ML_MEANS_GLOBAL) m = m->outer; /* variables and functions may share names */
  return m && m->kind == ML_MEANS_VARIABLE ? m->variable : NULL;
}

uint32_t ml_variables(const struct ml *ml) { return (uint32_t)ml->variables.count; }
const struct ml_variable *ml_variable(const struct ml *ml, uint32_t number) { return ml->variables.at[number]; }

/* Errors of the second half have no place: theirs is the declaration's. */
static void place_error(struct err *err, const struct ml_text *text, const struct ml_lexer *at, struct place_in_text place) {
  if (err->kind == ERR_NONE || err->line || err->kind != ERR_INPUT) return;
  char message[sizeof err->message];
  snprintf(message, sizeof message, "%s", err->message);
  err_clear(err);
  ml_fault(err, text, place, at->at < text->length ? at->at : 0, "%s", message);
}

static int declare(struct ml *ml, const struct ml_text *text, struct err *err) {
  struct ml_lexer lexer;
  struct check c;
  int status;
  ml_lex_open(&lexer, ml, text, err);
  check_open(&c, ml, text, err);
  c.declares = 1;
  for (;;) {
    struct ml_declaration d = {0};
    struct ml_lexer before = lexer;
    status = ml_parse_declaration(&d, &lexer);
    if (status <= 0) break;
    status = check_global(&c, &d);
    if (status && c.blind && err->kind == ERR_INPUT) { /* what seems wrong may follow from what is refused in it */
      err_clear(err);
      ml_fault(err, text, c.blind_at, c.blind_from, "%s", c.blind);
      ml->blamed = 1;
      ml->lacking = c.lacks;
    }
    if (status) place_error(err, text, &before, d.place);
    if (status) break;
  }
  check_close(&c);
  return status;
}

int ml_declare(struct ml *ml, const struct ml_text *text, struct err *err) {
  size_t mark = ml_scope_enter(ml), colsets = ml->colsets.count, variables = ml->variables.count;
  ml->unknown = NULL;
  ml->lacking = 0;
  ml->blamed = 0;
  int status = declare(ml, text, err);
  if (!status) {
    if (!mark) ml_scope_keep(ml, mark);
    return 0;
  }
  ml_scope_leave(ml, mark);
  ml->colsets.count = colsets;
  ml->variables.count = variables;
  return -1;
}

struct ml_meaning *ml_declare_prelude(struct ml *ml, const char *name, const char *text, struct err *err) {
  struct ml_text source = {text, strlen(text), {"prelude", 1, 1}, name};
  struct ml_meaning *m = NULL;
  name = ml_name(ml, name, strlen(name));
  if (!name) return err_memory(err, "CPN ML"), NULL;
  size_t mark = ml_scope_enter(ml), globals = ml->globals.count;
  ml->in_prelude++;
  if (!declare(ml, &source, err)) {
    /* its one function is the first global: what it uses is declared while its body is checked */
    if (globals < ml->globals.count) m = ml_meaning(ml, ml->globals.at[globals]->name);
    if (m) ((struct ml_global *)(uintptr_t)m->global)->name = name;
    else err_internal(err, "prelude: %s", name);
  }
  ml->in_prelude--;
  ml_scope_leave(ml, mark);
  return m;
}

int ml_override(struct ml *ml, const char *name, const struct ml_text *value, struct err *err) {
  struct ml_symbol *s = ml_symbol_for(ml, name, strlen(name));
  if (!s || vec_push(&ml->overridden, ml->mem, MEM_MODEL, (struct ml_overridden){s->text, 0})) return err_memory(err, "CPN ML");
  ml->overridden.count--; /* while it is declared itself */
  struct ml_expr *body;
  struct ml_declaration d = {.kind = ML_D_VAL, .place = value->place};
  struct check c;
  size_t mark = ml_scope_enter(ml);
  check_open(&c, ml, value, err);
  c.declares = 1;
  int status = ml_parse_expression(&body, ML_ONE_EXPRESSION, ml, value, err);
  struct ml_pattern *p = arena_alloc(&ml->arena, sizeof *p);
  if (!status && !p) status = err_memory(err, "CPN ML");
  if (!status) {
    *p = (struct ml_pattern){.kind = ML_P_VAR, .place = value->place, .name = s->text, .height = 1};
    d.pattern = p;
    d.body = body;
    status = check_global(&c, &d);
    if (status) {
      struct ml_lexer start = {0};
      place_error(err, value, &start, value->place);
    }
  }
  check_close(&c);
  if (status) {
    ml_scope_leave(ml, mark);
    return -1;
  }
  if (!mark) ml_scope_keep(ml, 0);
  ml->overridden.count++;
  return 0;
}

const char *ml_unused_override(const struct ml *ml) {
  for (size_t i = 0; i < ml->overridden.count; i++)
    if (!ml->overridden.at[i].used) return ml->overridden.at[i].name;
  return NULL;
}

static int guard(struct check *c, struct ml_expr **e) {
  struct ml_type *t = check_infer(c, e);
  if (!t) return -1;
  t = ml_type_find(t);
  if (!ml_type_is_list(c->ml, t)) return check_fit(c, e, c->ml->bool_);
  struct ml_type *all = check_made(c, ml_type_data(c->ml, c->ml->list_data, c->ml->bool_));
  return all ? check_fit(c, e, all) : -1;
}

/* What nothing else tells about an action its outputs do. */
static int action(struct check *c, struct ml_expr **e) {
  struct ml_type *t = check_infer(c, e);
  if (!t) return -1;
  t = ml_type_find(t);
  for (size_t i = 0; i < c->outputs; i++) {
    struct ml_type *part = c->outputs == 1 ? t : t->kind == ML_TYPE_TUPLE && i < t->parts ? ml_type_find(t->part[i]) : NULL;
    if (part && part->kind == ML_TYPE_VAR && check_unify_at(c, (*e)->place, (*e)->from, part, c->output[i]->type)) return -1;
  }
  return 0;
}

static int wanted(struct check *c, struct ml_expr **e, enum ml_wanted wanted, const struct ml_colset *s) {
  switch (wanted) {
  case ML_WANT_BOOL: return guard(c, e);
  case ML_WANT_GIVEN:
  case ML_WANT_MULTISET: {
    const struct ml_expr *whole;
    if (check_bag(c, e, s->type, 1)) return -1;
    whole = *e;
    if (!s->timed && ml_type_find(whole->type)->kind == ML_TYPE_TIMED)
      return check_fault(c, whole->place, whole->from, "these tokens carry time, but the colour set %s is not timed", s->name);
    return 0;
  }
  case ML_WANT_DELAY: return check_span(c, e);
  case ML_WANT_INT: return check_against(c, e, c->ml->int_);
  case ML_WANT_VALUE: return check_against(c, e, s->type);
  case ML_WANT_ACTION: return action(c, e);
  case ML_WANT_ANYTHING: return check_infer(c, e) ? 0 : -1;
  }
  return -1;
}

static int add_extras(struct ml *ml, const struct ml_extra *extra, size_t extras) {
  for (size_t i = 0; i < extras; i++) {
    struct ml_symbol *s = ml_symbol_for(ml, extra[i].name, strlen(extra[i].name));
    struct ml_variable *v = arena_alloc(&ml->arena, sizeof *v);
    struct ml_meaning *m = s && v ? ml_mean(ml, s->text, ML_MEANS_EXTRA) : NULL;
    if (!m || !(m->scheme = ml_scheme_of(ml, extra[i].type))) return -1;
    *v = (struct ml_variable){.name = s->text, .number = ml_variables(ml) + (uint32_t)i};
    m->variable = v;
  }
  return 0;
}

/* What an inscription is asked for beside its text. */
struct asked {
  enum ml_wanted want;
  const struct ml_colset *colset;
  const struct ml_extra *extra;
  size_t extras;
  const struct ml_colset *const *output;
  size_t outputs;
};

static int check_text(const struct ml_expr **out, struct ml *ml, const struct ml_text *text, const struct asked *a, struct err *err) {
  struct check c;
  struct ml_expr *e = NULL;
  size_t mark = ml_scope_enter(ml);
  ml->lacking = 0;
  check_open(&c, ml, text, err);
  c.acts = a->want == ML_WANT_ACTION;
  c.gives = a->want == ML_WANT_ACTION || a->want == ML_WANT_GIVEN || a->want == ML_WANT_DELAY;
  c.output = a->output;
  c.outputs = a->outputs;
  enum ml_several several = a->want == ML_WANT_BOOL ? ML_CONDITIONS : c.acts ? ML_STEPS_OF_ACTION : ML_ONE_EXPRESSION;
  int status = add_extras(ml, a->extra, a->extras) ? err_memory(err, "CPN ML") : ml_parse_expression(&e, several, ml, text, err);
  if (!status) status = wanted(&c, &e, a->want, a->colset);
  if (!status) status = check_finish(&c);
  if (!status && c.moves & ML_BY_CHANCE) ml->chances = 1;
  if (!status && c.writes && !ml->writes) ml->writes = c.writes;
  check_close(&c);
  ml_scope_leave(ml, mark);
  *out = status ? NULL : e;
  return status;
}

int ml_check_with(const struct ml_expr **out, struct ml *ml, const struct ml_text *text, enum ml_wanted want,
                  const struct ml_colset *colset, const struct ml_extra *extra, size_t extras, struct err *err) {
  return check_text(out, ml, text, &(struct asked){.want = want, .colset = colset, .extra = extra, .extras = extras}, err);
}

int ml_check_segment(const struct ml_expr **out, struct ml *ml, const struct ml_text *text, const struct ml_colset *const *output, size_t outputs, struct err *err) {
  return check_text(out, ml, text, &(struct asked){.want = ML_WANT_ACTION, .output = output, .outputs = outputs}, err);
}

int ml_check_action(const struct ml_expr **out, struct ml_effects *effects, struct ml *ml, const struct ml_text *text, struct err *err) {
  struct check c;
  struct ml_expr *e = NULL;
  size_t mark = ml_scope_enter(ml);
  ml->lacking = 0;
  check_open(&c, ml, text, err);
  c.notes = c.acts = c.gives = 1;
  int status = ml_parse_expression(&e, ML_STEPS_OF_ACTION, ml, text, err);
  if (!status) status = check_infer(&c, &e) ? 0 : -1;
  if (!status) status = check_finish(&c);
  *effects = (struct ml_effects){c.refused, c.writes};
  *out = status ? NULL : e;
  check_close(&c);
  ml_scope_leave(ml, mark);
  return status;
}

long ml_assigned(const struct ml *ml) { return ml->assigned; }

size_t ml_refusals(const struct ml *ml) { return ml->refusals.count; }
const struct ml_refusal *ml_refusal(const struct ml *ml, size_t index) { return &ml->refusals.at[index]; }

const struct ml_refusal *ml_refusal_of(const struct ml *ml, const char *name) {
  for (size_t i = 0; i < ml->refusals.count; i++)
    if (ml->refusals.at[i].name && !strcmp(ml->refusals.at[i].name, name)) return &ml->refusals.at[i];
  return NULL;
}

int ml_check(const struct ml_expr **out, struct ml *ml, const struct ml_text *text, enum ml_wanted want,
             const struct ml_colset *colset, struct err *err) {
  return ml_check_with(out, ml, text, want, colset, NULL, 0, err);
}
