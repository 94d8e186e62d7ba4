/* basis.c -- types, constructors and exceptions that are there before anything is declared.
 *
 * bool, list, option and order are datatypes like any other, so that patterns and the machine need no exceptions for them.  The
 * names of the simple types are colour sets as well: people write product int * string. */
#include "ml/library.h"
#include "ml/scope.h"
#include "ml/types.h"

#include <string.h>

static struct ml_symbol *symbol(struct ml *ml, const char *text) { return ml_symbol_for(ml, text, strlen(text)); }

static struct ml_type_meaning *name_type(struct ml *ml, const char *name, struct ml_type *type) {
  struct ml_symbol *s = symbol(ml, name);
  return s ? ml_mean_type(ml, s->text, type) : NULL;
}

static int bottom(struct ml *ml, const char *name, const struct ml_meaning *what) {
  struct ml_symbol *s = symbol(ml, name);
  struct ml_meaning *m = arena_alloc(&ml->arena, sizeof *m);
  if (!s || !m) return -1;
  *m = *what;
  s->sought = 1;
  return ml_mean_bottom(s, m);
}

/* A datatype with at most one parameter; `argument` says which constructor takes what: NULL nothing. */
static struct ml_data *datatype(struct ml *ml, const char *name, uint32_t count, const char *const *constructor,
                                struct ml_type *parameter) {
  struct ml_data *d = arena_alloc(&ml->arena, sizeof *d);
  const char **names = arena_alloc(&ml->arena, (count + 1) * sizeof *names);
  struct ml_type **argument = arena_alloc(&ml->arena, (count + 1) * sizeof *argument),
                 **parameters = arena_alloc(&ml->arena, sizeof *parameters);
  if (!d || !names || !argument || !parameters) return NULL;
  for (uint32_t i = 0; i < count; i++) {
    const struct ml_symbol *s = symbol(ml, constructor[i]);
    if (!s) return NULL;
    names[i] = s->text;
  }
  parameters[0] = parameter;
  *d = (struct ml_data){.name = name,
                        .arity = parameter ? 1 : 0,
                        .constructors = count,
                        .constructor = names,
                        .argument = argument,
                        .parameter = parameters};
  return d;
}

static int constructors(struct ml *ml, const struct ml_data *d, struct ml_type *type) {
  for (uint32_t i = 0; i < d->constructors; i++) {
    struct ml_type *t = d->argument[i] ? ml_type_arrow(ml, d->argument[i], type) : type;
    struct ml_scheme *s = t ? ml_scheme_of(ml, t) : NULL;
    if (!s) return -1;
    s->variables = d->arity;
    s->variable = (struct ml_type **)(uintptr_t)d->parameter;
    struct ml_meaning m = {.kind = ML_MEANS_CONSTRUCTOR, .scheme = s, .data = d, .number = i};
    if (bottom(ml, d->constructor[i], &m)) return -1;
  }
  return 0;
}

static int parameterised(struct ml *ml, const char *name, struct ml_type *parameter, struct ml_type *type) {
  struct ml_type_meaning *m = type ? name_type(ml, name, type) : NULL;
  struct ml_type **p = arena_alloc(&ml->arena, sizeof *p);
  if (!m || !p) return -1;
  p[0] = parameter;
  m->arity = 1;
  m->parameter = p;
  return 0;
}

/* Those of structures: their names are long ones. */
static int structured(struct ml *ml) {
  static const char *const radixes[] = {"StringCvt.BIN", "StringCvt.OCT", "StringCvt.DEC", "StringCvt.HEX"};
  static const char *const formats[] = {"StringCvt.SCI", "StringCvt.FIX", "StringCvt.GEN", "StringCvt.EXACT"};
  static const char *const modes[] = {"IEEEReal.TO_NEAREST", "IEEEReal.TO_NEGINF", "IEEEReal.TO_POSINF", "IEEEReal.TO_ZERO"};
  static const char *const parts[] = {"Substring.of'"}, *const times[] = {"Time.of'"}, *const dates[] = {"Date.of'"}; /* for the prelude: SML has no such names */
  static const char *const months[] = {"Date.Jan", "Date.Feb", "Date.Mar", "Date.Apr", "Date.May", "Date.Jun", "Date.Jul", "Date.Aug", "Date.Sep", "Date.Oct", "Date.Nov", "Date.Dec"};
  static const char *const days[] = {"Date.Mon", "Date.Tue", "Date.Wed", "Date.Thu", "Date.Fri", "Date.Sat", "Date.Sun"};
  struct ml_type *a = ml_type_var(ml, ML_GENERIC, 0), *some = ml_type_data(ml, ml->option_data, ml->int_), *triple = ml_type_new(ml, ML_TYPE_TUPLE, 3);
  struct ml_data *radix = datatype(ml, "StringCvt.radix", 4, radixes, NULL), *format = datatype(ml, "StringCvt.realfmt", 4, formats, NULL);
  struct ml_data *mode = datatype(ml, "IEEEReal.rounding_mode", 4, modes, NULL), *vector = a ? datatype(ml, "vector", 0, NULL, a) : NULL;
  struct ml_type *element = ml_type_var(ml, ML_GENERIC, 0);
  struct ml_data *part = datatype(ml, "substring", 1, parts, NULL), *array = element ? datatype(ml, "array", 0, NULL, element) : NULL;
  struct ml_data *month = datatype(ml, "Date.month", 12, months, NULL), *day = datatype(ml, "Date.weekday", 7, days, NULL);
  struct ml_data *time = datatype(ml, "Time.time", 1, times, NULL), *date = datatype(ml, "Date.date", 1, dates, NULL);
  struct ml_type *pair = ml_type_new(ml, ML_TYPE_TUPLE, 2), *span = time ? ml_type_data(ml, time, NULL) : NULL, *offset = span ? ml_type_data(ml, ml->option_data, span) : NULL;
  if (!some || !triple || !radix || !format || !mode || !vector || !part || !array || !month || !day || !date || !pair || !offset) return -1;
  ((struct ml_type **)(uintptr_t)time->argument)[0] = pair->part[0] = ml->int_;
  pair->part[1] = offset;
  ((struct ml_type **)(uintptr_t)date->argument)[0] = pair;
  array->holds_cells = 1;
  triple->part[0] = ml->string;
  triple->part[1] = triple->part[2] = ml->int_;
  ((struct ml_type **)(uintptr_t)part->argument)[0] = triple;
  for (int i = 0; i < 3; i++) ((struct ml_type **)(uintptr_t)format->argument)[i] = some;
  struct ml_type *vectors = ml_type_data(ml, vector, a), *arrays = ml_type_data(ml, array, element);
  const struct ml_data *const one[] = {radix, format, mode, part, month, day, time, date};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
    struct ml_type *t = ml_type_data(ml, one[i], NULL);
    if (!t || !name_type(ml, one[i]->name, t) || (one[i] == part && !name_type(ml, "Substring.substring", t)) || constructors(ml, one[i], t)) return -1;
  }
  return parameterised(ml, "vector", a, vectors) || parameterised(ml, "Vector.vector", a, vectors) || parameterised(ml, "array", element, arrays) || parameterised(ml, "Array.array", element, arrays) ? -1 : 0;
}

static int datatypes(struct ml *ml) {
  static const char *const truth[] = {"false", "true"}, *const cells[] = {"nil", "::"}, *const maybe[] = {"NONE", "SOME"},
                           *const orders[] = {"LESS", "EQUAL", "GREATER"};
  struct ml_type *a = ml_type_var(ml, ML_GENERIC, 0), *b = ml_type_var(ml, ML_GENERIC, 0);
  if (!a || !b) return -1;
  struct ml_data *boolean = datatype(ml, "bool", 2, truth, NULL), *list = datatype(ml, "list", 2, cells, a);
  struct ml_data *option = datatype(ml, "option", 2, maybe, b), *order = datatype(ml, "order", 3, orders, NULL),
                 *exn = datatype(ml, "exn", 0, NULL, NULL);
  if (!boolean || !list || !option || !order || !exn) return -1;
  exn->holds_functions = exn->holds_cells = 1;
  ml->bool_data = boolean, ml->list_data = list, ml->option_data = option, ml->order_data = order, ml->exn_data = exn;
  ml->bool_ = ml_type_data(ml, boolean, NULL);
  ml->order = ml_type_data(ml, order, NULL);
  ml->exn = ml_type_data(ml, exn, NULL);
  struct ml_type *lists = ml_type_data(ml, list, a), *options = ml_type_data(ml, option, b),
                 *cell = ml_type_new(ml, ML_TYPE_TUPLE, 2);
  if (!ml->bool_ || !ml->order || !ml->exn || !lists || !options || !cell) return -1;
  cell->part[0] = a;
  cell->part[1] = lists;
  ((struct ml_type **)(uintptr_t)list->argument)[1] = cell;
  ((struct ml_type **)(uintptr_t)option->argument)[1] = b;
  if (constructors(ml, boolean, ml->bool_) || constructors(ml, order, ml->order) || constructors(ml, list, lists) ||
      constructors(ml, option, options))
    return -1;
  return parameterised(ml, "list", a, lists) || parameterised(ml, "option", b, options) ||
                 parameterised(ml, "ms", a, ml_type_of(ml, ML_TYPE_MULTISET, a)) ||
                 parameterised(ml, "tms", a, ml_type_of(ml, ML_TYPE_TIMED, a)) ||
                 parameterised(ml, "ref", a, ml_type_of(ml, ML_TYPE_REF, a)) || !name_type(ml, "order", ml->order) ||
                 !name_type(ml, "exn", ml->exn)
             ? -1
             : 0;
}

static int simple_types(struct ml *ml, struct err *err) {
  const struct ml_colset *old_time;
  const struct {
    const char *name;
    struct ml_type *type;
    enum ml_colset_kind kind;
    const struct ml_colset **keep;
  } simple[] = {
      {"unit", ml->unit, ML_COLSET_UNIT, &ml->unit_colset},       {"bool", ml->bool_, ML_COLSET_BOOL, &ml->bool_colset},
      {"int", ml->int_, ML_COLSET_INT, &ml->int_colset},          {"string", ml->string, ML_COLSET_STRING, &ml->string_colset},
      {"real", ml->real, ML_COLSET_REAL, &ml->real_colset},       {"time", ml->time, ML_COLSET_TIME, &ml->time_colset},
      {"intinf", ml->time, ML_COLSET_INTINF, &ml->intinf_colset}, {"TIME", ml->time, ML_COLSET_TIME, &old_time}, /* of Design/CPN */
  };
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
    struct ml_type_meaning *m = name_type(ml, simple[i].name, simple[i].type);
    struct ml_colset *c = arena_alloc(&ml->arena, sizeof *c);
    const struct ml_symbol *name = symbol(ml, simple[i].name);
    if (!m || !c || !name || vec_push(&ml->colsets, ml->mem, MEM_MODEL, c)) return -1;
    *c = (struct ml_colset){
        .name = name->text, .kind = simple[i].kind, .type = simple[i].type, .number = (uint32_t)ml->colsets.count - 1};
    m->colset = *simple[i].keep = c;
    if (ml_define_colset(ml, c, err)) return -1;
  }
  const struct {
    const char *name;
    struct ml_type *type;
  } other[] = {{"char", ml->char_},          {"Int.int", ml->int_},         {"IntInf.int", ml->time},
               {"LargeInt.int", ml->time},   {"Real.real", ml->real},       {"Char.char", ml->char_},
               {"LargeReal.real", ml->real}, {"General.exn", ml->exn},      {"General.order", ml->order},
               {"ModelTime.time", ml->time}, {"String.string", ml->string}, {"Bool.bool", ml->bool_},
               {"Random.rand", ml->unit},
               {"TextIO.outstream", ml->unit}}; /* what is written is left out */
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    if (!name_type(ml, other[i].name, other[i].type)) return -1;
  return 0;
}

static int exceptions(struct ml *ml) {
  static const char *const names[ML_EXNS] = {"Match", "Bind",   "Div", "Overflow", "Subscript", "Size",
                                             "Empty", "Option", "Chr", "Domain",   "Subtract",  "Fail", "UnequalLengths"};
  /* what else they are called; the last is known by that name alone */
  static const char *const longer[ML_EXNS] = {"General.Match", "General.Bind",  "General.Div", "General.Overflow", "General.Subscript", "General.Size",
                                              "List.Empty",    "Option.Option", "General.Chr", "General.Domain",   NULL,                "General.Fail", "ListPair.UnequalLengths"};
  for (uint32_t i = 0; i < ML_EXNS; i++) {
    struct ml_exception *x = arena_alloc(&ml->arena, sizeof *x);
    struct ml_type *t = i == ML_EXN_FAIL ? ml_type_arrow(ml, ml->string, ml->exn) : ml->exn;
    if (!x || !t || vec_push(&ml->exceptions, ml->mem, MEM_MODEL, x)) return -1;
    *x = (struct ml_exception){names[i], i == ML_EXN_FAIL ? ml->string : NULL, i};
    struct ml_meaning m = {.kind = ML_MEANS_EXCEPTION, .scheme = ml_scheme_of(ml, t), .exception = x};
    if (!m.scheme || (i != ML_EXN_UNEQUAL_LENGTHS && bottom(ml, names[i], &m)) || (longer[i] && bottom(ml, longer[i], &m))) return -1;
  }
  return 0;
}

int ml_real_time(struct ml *ml, struct err *err) {
  static const char *const sets[] = {"time", "TIME"};
  ml->real_time = 1;
  for (size_t i = 0; i < 2; i++) {
    struct ml_type_meaning *m = name_type(ml, sets[i], ml->real);
    if (!m) return err_memory(err, "CPN ML");
    m->colset = ml->real_colset;
  }
  if (!name_type(ml, "ModelTime.time", ml->real)) return err_memory(err, "CPN ML");
  for (size_t i = 0; i < ml->colsets.count; i++) ml->colsets.at[i]->real_time = 1;
  ml_scope_keep(ml, 0);
  return 0;
}

int ml_library_open(struct ml *ml, struct err *err) {
  ml->unit = ml_type_new(ml, ML_TYPE_TUPLE, 0);
  ml->int_ = ml_type_new(ml, ML_TYPE_INT, 0);
  ml->real = ml_type_new(ml, ML_TYPE_REAL, 0);
  ml->string = ml_type_new(ml, ML_TYPE_STRING, 0);
  ml->char_ = ml_type_new(ml, ML_TYPE_CHAR, 0);
  ml->time = ml_type_new(ml, ML_TYPE_TIME, 0);
  if (!ml->unit || !ml->int_ || !ml->real || !ml->string || !ml->char_ || !ml->time || datatypes(ml) || structured(ml) || exceptions(ml))
    return err_memory(err, "CPN ML");
  if (simple_types(ml, err)) return err->kind ? -1 : err_memory(err, "CPN ML");
  return 0;
}
