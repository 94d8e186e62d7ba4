/* symbols.c -- declaring names and finding them again.
 *
 * Variables, channels and processes share the names of their scope; states have names of their own, because models do call a
 * state like a variable.  A local name hides a global one.  Processes and states may be used before they are declared, variables
 * and channels too (all declarations are made before the first transition is looked at).
 *
 * The first values of all variables are computed here: they are the values of expressions over constants and over first values
 * of variables declared earlier.  Scalar constants are numbers from then on; they have no cell. */
#include "front/dve/lower.h"

#include "base/near.h"
#include "front/override.h"

#include <stdio.h>
#include <string.h>

#define PUSH(l, v, ...) (vec_push((v), (l)->d->mem, MEM_OTHER, __VA_ARGS__) ? dve_memory((l)->d) : 0)

static const char *const kinds[] = {"variable", "channel", "process"};

/* ---- declaring --------------------------------------------------------------------------------------------------------- */

static struct dve_symbol *enter(struct lowering *l, struct dve_scope *s, const struct dve_name *name, struct dve_symbol symbol) {
  uint32_t n = names_put(&s->names, name->text, name->length, NULL);
  symbol.at = name->at;
  if (n == NAMES_NONE) {
    dve_memory(l->d);
    return NULL;
  }
  if (n < s->list.count) {
    dve_fail(l->d, name->at, "\"%s\" is declared already, in line %ld, as a %s", name->text, s->list.at[n].at.line,
             kinds[s->list.at[n].kind]);
    return NULL;
  }
  if (PUSH(l, &s->list, symbol)) return NULL;
  return &s->list.at[n];
}

/* --define NAME=VALUE: 1 and *value if it was given. */
static int defined(struct lowering *l, const char *name, int32_t *value) {
  const struct front_setup *s = l->d->setup;
  for (size_t i = 0; i < s->define_count; i++) {
    long long number;
    char rest;
    if (strcmp(s->defines[i].name, name)) continue;
    if (sscanf(s->defines[i].value, "%12lld%c", &number, &rest) != 1 || number < INT32_MIN || number > INT32_MAX) continue;
    *value = (int32_t)number;
    return 1;
  }
  return 0;
}

static const char *constant_called(const void *context, size_t i) {
  const struct lowering *l = context;
  return l->global.list.at[i].is_const ? l->global.names.list.at[i].text : NULL;
}

static int check_defines(struct lowering *l) {
  const struct front_setup *s = l->d->setup;
  for (size_t i = 0; i < s->define_count; i++) {
    char shown[80], value[80];
    int32_t any;
    size_t length = strlen(s->defines[i].name);
    uint32_t n = names_find(&l->global.names, s->defines[i].name, length);
    err_quote(shown, sizeof shown, s->defines[i].name, length);
    err_quote(value, sizeof value, s->defines[i].value, strlen(s->defines[i].value));
    if (n == NAMES_NONE || !l->global.list.at[n].is_const) {
      err_usage(l->d->err, "--define: the model has no constant \"%s\"", shown);
      const char *near = front_nearest(s->defines[i].name, length, constant_called, l, l->global.list.count);
      if (near) err_hint(l->d->err, "did you mean \"%s\"?", near);
      return -1;
    }
    if (!defined(l, s->defines[i].name, &any))
      return err_usage(l->d->err, "--define %s=%s: the value is not a number", shown, value);
  }
  return 0;
}

/* The number of elements; 0 with an error. */
static uint32_t array_size(struct lowering *l, const struct dve_view *view, const struct dve_variable *v) {
  int32_t size;
  if (dve_eval(l, view, v->size, "the size of an array", &size)) return 0;
  if (size >= 1 && size <= DVE_ARRAY_MAX) return (uint32_t)size;
  dve_fail(l->d, v->size->at, "the size of an array is %ld, but it must be from 1 to %d", (long)size, DVE_ARRAY_MAX);
  return 0;
}

/* Appends the first values of a variable to l->initial. */
static int first_values(struct lowering *l, const struct dve_view *view, const struct dve_variable *v, struct dve_symbol *s) {
  uint32_t cells = s->count ? s->count : 1;
  s->initial = (uint32_t)l->initial.count;
  if (l->initial.count + cells > PROGRAM_CELLS_MAX)
    return dve_fail(l->d, v->name.at, "the model has more than %u variables, elements of arrays counted", PROGRAM_CELLS_MAX);
  if (v->init.count > cells)
    dve_warn(l->d, v->init.at[cells]->at, "the array \"%s\" has %u elements; the values from here on are left out", v->name.text,
             cells);
  for (uint32_t i = 0; i < cells; i++) {
    int32_t value = 0;
    if (i < v->init.count && dve_eval(l, view, v->init.at[i], NULL, &value)) return -1;
    if (v->is_const && view->process < 0 && !v->is_array) defined(l, v->name.text, &value);
    int32_t kept = program_cut(&l->program->types.at[s->is_byte ? l->byte_type : l->int_type], value);
    if (kept != value && i < v->init.count)
      dve_warn(l->d, v->init.at[i]->at, "%ld does not fit into %s; the value is %ld", (long)value,
               s->is_byte ? "a byte" : "an int", (long)kept);
    if (PUSH(l, &l->initial, kept)) return -1;
  }
  return 0;
}

static int variable(struct lowering *l, struct dve_scope *scope, const struct dve_view *view, const struct dve_variable *v) {
  struct program *p = l->program;
  struct dve_symbol s = {
      .kind = DVE_S_VARIABLE, .is_const = v->is_const && !v->is_array, .read_only = v->is_const, .is_byte = v->is_byte};
  if (v->is_const && !v->has_init) return dve_fail(l->d, v->name.at, "the constant \"%s\" has no value", v->name.text);
  if (v->is_array && !(s.count = array_size(l, view, v))) return -1;
  if (first_values(l, view, v, &s)) return -1;
  if (!s.is_const) {
    struct ir_decl decl = {.name = v->name.text,
                           .scope = view->process < 0 ? 0 : l->automata.at[view->process].proc + 1,
                           .type = v->is_byte ? l->byte_type : l->int_type,
                           .count = s.count,
                           .place = dve_where(p, v->name.at)};
    const int32_t *first = &l->initial.at[s.initial];
    if (!s.count && *first) decl.init = program_value(p, *first);
    s.decl = program_declare(p, &decl);
    for (uint32_t i = 0; i < s.count; i++)
      if (first[i])
        program_init(p, decl.scope, program_ref_index(p, program_ref(p, s.decl, decl.place), program_value(p, (int32_t)i)),
                     program_value(p, first[i]));
  }
  return enter(l, scope, &v->name, s) ? 0 : -1;
}

static int channel(struct lowering *l, struct dve_scope *scope, const struct dve_channel *c) {
  struct dve_symbol s = {.kind = DVE_S_CHANNEL, .channel = c, .fields = c->fields};
  return enter(l, scope, &c->name, s) ? 0 : -1;
}

static void states(struct lowering *l, struct dve_automaton *a) {
  const struct dve_process *q = a->syntax;
  struct program *p = l->program;
  for (size_t i = 0; i < q->states.count; i++) {
    const struct dve_name *n = &q->states.at[i];
    uint32_t number = names_put(&a->states, n->text, n->length, NULL);
    if (number == NAMES_NONE) {
      dve_memory(l->d);
      return;
    }
    if (number < a->labels.count) {
      dve_fail(l->d, n->at, "the state \"%s\" is declared already", n->text);
      continue;
    }
    program_state(p, a->proc, 0, dve_where(p, n->at));
    if (PUSH(l, &a->labels, program_label(p, a->proc, n->text, number))) return;
  }
  if (!q->states.count) dve_fail(l->d, q->name.at, "process \"%s\" has no states", q->name.text);
  else if (!q->init.text) {
    dve_fail(l->d, q->name.at, "process \"%s\" has no initial state", q->name.text);
    dve_hint(l->d, "it is told by: init %s;", q->states.at[0].text);
  } else {
    uint32_t init = dve_find_state(l, a, &q->init);
    a->init = init == NAMES_NONE ? 0 : init;
  }
  p->procs.at[a->proc].start = a->init;
}

static void flags(struct lowering *l, struct dve_automaton *a, const struct dve_names *list, unsigned flag) {
  for (size_t i = 0; i < list->count; i++) {
    uint32_t state = dve_find_state(l, a, &list->at[i]);
    if (state != NAMES_NONE) program_state_flag(l->program, a->proc, state, flag);
  }
}

static int open_process(struct lowering *l, const struct dve_process *q) {
  struct dve_automaton a = {.syntax = q};
  struct dve_symbol s = {.kind = DVE_S_PROCESS, .process = (uint32_t)l->automata.count};
  const struct dve_name *property = &l->d->property;
  a.is_property = property->text && !strcmp(property->text, q->name.text);
  a.proc = program_proc(l->program, q->name.text, dve_where(l->program, q->name.at));
  names_open(&a.scope.names, l->d->mem, MEM_OTHER);
  names_open(&a.states, l->d->mem, MEM_OTHER);
  enter(l, &l->global, &q->name, s);
  if (l->program->failed) return dve_memory(l->d);
  if (PUSH(l, &l->automata, a)) return -1;
  struct ir_proc *proc = &l->program->procs.at[a.proc];
  proc->is_claim = a.is_property;
  proc->active = !a.is_property;
  if (a.is_property) return 0;
  l->automata.at[l->automata.count - 1].slot = (uint32_t)l->program->start.count;
  if (vec_push(&l->program->start, l->program->mem, MEM_MODEL, a.proc)) return dve_memory(l->d);
  return 0;
}

int dve_declare_all(struct lowering *l) {
  struct dve *d = l->d;
  struct dve_view outside = {.process = -1, .own_state = -1};
  for (size_t i = 0; i < d->variables.count; i++) variable(l, &l->global, &outside, &d->variables.at[i]);
  for (size_t i = 0; i < d->channels.count; i++) channel(l, &l->global, &d->channels.at[i]);
  for (size_t i = 0; i < d->processes.count; i++)
    if (open_process(l, &d->processes.at[i])) return -1;
  for (size_t i = 0; i < l->automata.count; i++) {
    struct dve_automaton *a = &l->automata.at[i];
    const struct dve_process *q = a->syntax;
    struct dve_view inside = {.process = (int64_t)i, .own_state = -1};
    for (size_t k = 0; k < q->variables.count; k++) variable(l, &a->scope, &inside, &q->variables.at[k]);
    for (size_t k = 0; k < q->channels.count; k++) channel(l, &a->scope, &q->channels.at[k]);
    states(l, a);
    flags(l, a, &q->accepting, IR_ACCEPT);
    flags(l, a, &q->committed, IR_COMMITTED);
  }
  if (d->property.text) {
    dve_find_process(l, &d->property);
    if (!l->program->start.count) dve_fail(d, d->property.at, "the model has no process but its property");
  }
  l->declared = 1;
  return d->starved || check_defines(l) ? -1 : 0;
}

static void declare_channel(struct lowering *l, const struct dve_automaton *a, struct dve_symbol *s) {
  const struct dve_channel *c = s->channel;
  struct program *p = l->program;
  struct dve_view view = {.process = a ? a - l->automata.at : -1, .own_state = -1};
  uint32_t types[DVE_FIELDS_MAX];
  int32_t capacity = 0;
  if (c->capacity && dve_eval(l, &view, c->capacity, "the capacity of a channel", &capacity)) return;
  if (capacity < 0 || capacity > DVE_CAPACITY_MAX) {
    dve_fail(l->d, c->capacity->at, "the capacity of a channel is %ld, but it must be from 0 to %d", (long)capacity,
             DVE_CAPACITY_MAX);
    return;
  }
  for (uint32_t i = 0; i < s->fields; i++)
    types[i] = c->typed ? (c->is_byte[i] ? l->byte_type : l->int_type) : capacity ? l->int_type : l->value_type;
  struct ir_decl decl = {.name = c->name.text, .type = l->channel_type, .place = dve_where(p, c->name.at)};
  decl.chan = 1 + program_chan(p, (uint32_t)capacity, types, s->fields);
  s->decl = program_declare(p, &decl);
}

int dve_declare_channels(struct lowering *l) {
  for (size_t i = 0; i < l->global.list.count; i++)
    if (l->global.list.at[i].kind == DVE_S_CHANNEL) declare_channel(l, NULL, &l->global.list.at[i]);
  for (size_t k = 0; k < l->automata.count; k++) {
    struct dve_automaton *a = &l->automata.at[k];
    for (size_t i = 0; i < a->scope.list.count; i++)
      if (a->scope.list.at[i].kind == DVE_S_CHANNEL) declare_channel(l, a, &a->scope.list.at[i]);
  }
  return l->d->starved ? -1 : 0;
}

/* ---- finding ------------------------------------------------------------------------------------------------------------- */

static struct dve_symbol *look(struct dve_scope *s, const struct dve_name *n) {
  uint32_t i = names_find(&s->names, n->text, n->length);
  return i == NAMES_NONE || i >= s->list.count ? NULL : &s->list.at[i];
}

static void offer(struct near *n, const struct dve_scope *s, enum dve_symbol_kind kind) {
  for (size_t i = 0; i < s->list.count; i++)
    if (s->list.at[i].kind == kind) near_offer(n, s->names.list.at[i].text);
}

static struct dve_symbol *find(struct lowering *l, const struct dve_view *view, const struct dve_name *owner,
                               const struct dve_name *name, enum dve_symbol_kind kind) {
  struct dve_automaton *own = view->process < 0 ? NULL : &l->automata.at[view->process];
  struct dve_symbol *s = NULL;
  struct near near;
  if (owner->text && !(own = dve_find_process(l, owner))) return NULL;
  if (owner->text && own->is_property && own != &l->automata.at[view->process]) {
    dve_fail(l->d, owner->at, "the property process \"%s\" is not part of the system: nothing of it can be used outside",
             owner->text);
    return NULL;
  }
  if (own) s = look(&own->scope, name);
  if (!s && !owner->text) s = look(&l->global, name);
  if (s && s->kind == kind) return s;
  near_open(&near, name->text, name->length);
  if (s) dve_fail(l->d, name->at, "\"%s\" is a %s, not a %s", name->text, kinds[s->kind], kinds[kind]);
  else if (owner->text) dve_fail(l->d, name->at, "process \"%s\" has no %s \"%s\"", owner->text, kinds[kind], name->text);
  else dve_fail(l->d, name->at, "there is no %s \"%s\"", kinds[kind], name->text);
  if (s && s->kind == DVE_S_PROCESS && l->conditions) {
    dve_hint(l->d, "its states and variables are asked for as %s.NAME", name->text);
    return NULL;
  }
  if (own && kind == DVE_S_VARIABLE && names_find(&own->states, name->text, name->length) != NAMES_NONE) {
    dve_hint(l->d, "whether a process is in a state is written: %s.%s", own->syntax->name.text, name->text);
    return NULL;
  }
  if (own) offer(&near, &own->scope, kind);
  if (!owner->text) offer(&near, &l->global, kind);
  if (near_best(&near)) dve_hint(l->d, "did you mean \"%s\"?", near_best(&near));
  return NULL;
}

struct dve_symbol *dve_find_variable(struct lowering *l, const struct dve_view *view, const struct dve_name *owner,
                                     const struct dve_name *name) {
  return find(l, view, owner, name, DVE_S_VARIABLE);
}

struct dve_symbol *dve_find_channel(struct lowering *l, const struct dve_view *view, const struct dve_name *owner,
                                    const struct dve_name *name) {
  return find(l, view, owner, name, DVE_S_CHANNEL);
}

struct dve_automaton *dve_find_process(struct lowering *l, const struct dve_name *name) {
  static const struct dve_name none;
  static const struct dve_view outside = {.process = -1, .own_state = -1};
  struct dve_symbol *s = find(l, &outside, &none, name, DVE_S_PROCESS);
  return s ? &l->automata.at[s->process] : NULL;
}

uint32_t dve_find_state(struct lowering *l, const struct dve_automaton *a, const struct dve_name *name) {
  uint32_t n = names_find(&a->states, name->text, name->length);
  if (n != NAMES_NONE) return n;
  struct near near;
  near_open(&near, name->text, name->length);
  dve_fail(l->d, name->at, "process \"%s\" has no state \"%s\"", a->syntax->name.text, name->text);
  for (size_t i = 0; i < a->states.list.count; i++) near_offer(&near, a->states.list.at[i].text);
  if (near_best(&near)) dve_hint(l->d, "did you mean \"%s\"?", near_best(&near));
  return NAMES_NONE;
}

static void free_scope(struct dve_scope *s, struct mem *m) {
  names_close(&s->names);
  vec_free(&s->list, m);
}

void dve_lowering_free(struct lowering *l) {
  struct mem *m = l->d->mem;
  for (size_t i = 0; i < l->automata.count; i++) {
    free_scope(&l->automata.at[i].scope, m);
    names_close(&l->automata.at[i].states);
    vec_free(&l->automata.at[i].labels, m);
  }
  vec_free(&l->automata, m);
  free_scope(&l->global, m);
  vec_free(&l->initial, m);
}
