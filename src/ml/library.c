/* library.c -- what everybody knows, found by name.
 *
 * Nothing of library.def or the prelude is read before somebody asks for it: a symbol is looked for here once, and what is found
 * lies at the bottom of its pile of meanings (names.c).  Types that library.def gives as text are read then, and functions of the
 * prelude are declared then.
 *
 * Functions of a colour set (DBM.all) are made for each use: what they mean depends on the colour set. */
#include "ml/library.h"
#include "base/near.h"
#include "ml/lex.h"
#include "ml/scope.h"
#include "ml/types.h"

#include <stdio.h>
#include <string.h>

struct entry {
  const char *name, *type;
};
static const struct entry functions[] = {
    /* by number; those of colour sets have no type here */
#define L(symbol, name, type) {name, type},
#define C(symbol, name, type, colsets) {name, NULL},
#include "ml/library.def"
};

static const struct {
  uint32_t number;
  const char *name, *type;
  uint32_t kinds;
} of_colsets[] = {
#define C(symbol, name, type, colsets) {ML_LIB_##symbol, name, type, colsets},
#include "ml/library.def"
};

static const struct entry same[] = {
#define A(name, same) {name, same},
#include "ml/library.def"
};

static const struct entry same_in_real_time[] = {
#define S(name, same) {name, same},
#include "ml/library.def"
};

const struct ml_overload ml_overloads[] = {
#define O(name, list, ms, tms) {name, list, ms, tms},
#include "ml/library.def"
};

static const struct entry left_out[] = {
#define W(name, why) {name, why},
#include "ml/library.def"
};

static const struct entry refused[] = {
#define R(name, why) {name, why},
#include "ml/library.def"
};

static const struct entry left_out_of_colsets[] = {
#define WC(name, why) {name, why},
#include "ml/library.def"
};

static const struct entry refused_of_colsets[] = {
#define RC(name, why) {name, why},
#include "ml/library.def"
};

/* Structures that have all that another has. */
static const struct entry structures[] = {{"LargeInt.", "IntInf."}, {"LargeReal.", "Real."}};

#define COUNT(table) (sizeof(table) / sizeof *(table))

const char *ml_library_name(uint32_t number) { return functions[number].name; }

void ml_library_offer(struct near *n) {
  for (size_t i = 0; i < COUNT(functions); i++)
    if (functions[i].type) near_offer(n, functions[i].name);
  for (size_t i = 0; i < COUNT(same); i++) near_offer(n, same[i].name);
  for (uint32_t i = 0; ml_prelude_name(i); i++) near_offer(n, ml_prelude_name(i));
}

static struct ml_meaning *make(struct ml *ml, enum ml_meaning_kind kind, uint32_t number) {
  struct ml_meaning *m = arena_alloc(&ml->arena, sizeof *m);
  if (m) m->kind = kind, m->number = number;
  return m;
}

static const char *sentence(struct ml *ml, const char *name, const char *why) {
  size_t room = strlen(name) + strlen(why) + 2;
  char *text = arena_alloc(&ml->arena, room);
  if (text) snprintf(text, room, "%s %s", name, why);
  return text;
}

/* The line of the name, or of what it begins with. */
static const struct entry *named(const struct entry *table, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(table[i].name);
    char last = table[i].name[length - 1];
    if (last == '.' || last == '\'' ? !strncmp(name, table[i].name, length) : !strcmp(name, table[i].name)) return &table[i];
  }
  return NULL;
}

/* What another name of the library or the prelude means; *failed is 1 until it is known. */
static struct ml_meaning *another(struct ml *ml, const char *name, int *failed, struct err *err) {
  struct ml_meaning *other = ml_lookup_exact(ml, name, failed, err), *m;
  if (!other) return *failed ? NULL : (err_internal(err, "library: nobody knows %s", name), *failed = 1, NULL);
  if (!(m = make(ml, other->kind, other->number))) return err_memory(err, "a text of CPN ML"), NULL;
  *m = *other;
  m->outer = NULL;
  return m;
}

/* Not found: NULL and *failed 0. */
static struct ml_meaning *seek(struct ml *ml, const char *name, int *failed, struct err *err) {
  int exact = name[0] == ' '; /* see ml_lookup_exact */
  if (exact) name++;
  struct ml_meaning *m = NULL;
  *failed = 1; /* until it is seen otherwise */
  for (size_t i = 0; !exact && i < COUNT(ml_overloads); i++)
    if (!strcmp(name, ml_overloads[i].name)) {
      if (!(m = make(ml, ML_MEANS_OVERLOADED, (uint32_t)i))) err_memory(err, "a text of CPN ML");
      return m;
    }
  const struct entry *real = ml->real_time && !exact ? named(same_in_real_time, COUNT(same_in_real_time), name) : NULL;
  if (real) return another(ml, real->type, failed, err);
  for (size_t i = 0; i < COUNT(functions); i++) {
    if (!functions[i].type || strcmp(name, functions[i].name)) continue;
    if (!(m = make(ml, ML_MEANS_LIBRARY, (uint32_t)i))) return err_memory(err, "a text of CPN ML"), NULL;
    return (m->scheme = ml_scheme_read(ml, functions[i].type, NULL, NULL, 0, err)) ? m : NULL;
  }
  for (size_t i = 0; i < COUNT(same); i++) {
    if (strcmp(name, same[i].name)) continue;
    return another(ml, same[i].type, failed, err);
  }
  const char *other = NULL;
  for (size_t i = 0; i < COUNT(structures) && !other; i++)
    if (!strncmp(name, structures[i].name, strlen(structures[i].name))) other = structures[i].type;
  if (other && strlen(name) < 40) {
    char there[64];
    snprintf(there, sizeof there, "%s%s", other, strchr(name, '.') + 1);
    struct ml_meaning *known = ml_lookup_exact(ml, there, failed, err);
    if (!known) return NULL;
    *failed = 1;
    if (!(m = make(ml, known->kind, known->number))) return err_memory(err, "a text of CPN ML"), NULL;
    *m = *known;
    m->outer = NULL;
    return m;
  }
  const char *text = ml_prelude_text(name);
  if (text) {
    struct ml_meaning *declared = ml_declare_prelude(ml, name, text, err);
    if (!declared) return NULL;
    if (!(m = make(ml, ML_MEANS_GLOBAL, 0))) return err_memory(err, "a text of CPN ML"), NULL;
    *m = *declared;
    m->outer = NULL;
    return m;
  }
  const struct entry *entry = named(left_out, COUNT(left_out), name);
  uint32_t kind = entry ? ML_REFUSED_WRITES : ML_REFUSED_EFFECT;
  if (entry || (entry = named(refused, COUNT(refused), name))) {
    m = make(ml, ML_MEANS_REFUSED, kind);
    if (m && !(m->why = sentence(ml, name, entry->type))) m = NULL;
    if (!m) err_memory(err, "a text of CPN ML");
    return m;
  }
  *failed = 0;
  return NULL;
}

struct ml_meaning *ml_lookup(struct ml *ml, const char *name, int *failed, struct err *err) {
  struct ml_symbol *s = ml_symbol(name);
  struct ml_meaning *m = ml_meaning(ml, name);
  *failed = 0;
  if (s->sought || (m && m->kind != ML_MEANS_VARIABLE)) return m;
  s->sought = 1;
  struct ml_meaning *bottom = seek(ml, name, failed, err);
  if (bottom) {
    ml_mean_bottom(s, bottom);
    *failed = 0;
  } else if (*failed) s->sought = 0;
  return ml_meaning(ml, name);
}

struct ml_meaning *ml_lookup_exact(struct ml *ml, const char *text, int *failed, struct err *err) {
  char name[64];
  int length = snprintf(name, sizeof name, " %s", text); /* a name that one cannot write, so that nobody hides it */
  struct ml_symbol *s = ml_symbol_for(ml, name, (size_t)length);
  if (!s) return *failed = 1, err_memory(err, "a text of CPN ML"), NULL;
  return ml_lookup(ml, s->text, failed, err);
}

/* Which part set_hop, of_a and is_a speak of; -1: there is none. */
static int named_part(const struct ml_colset *c, uint32_t number, const char *name, struct ml *ml) {
  const struct ml_symbol *s = ml_symbol_for(ml, name, strlen(name));
  if (!s) return -1;
  if (number == ML_LIB_COLSET_SET) return ml_type_label(c->type, s->text);
  for (uint32_t i = 0; i < c->type->data->constructors; i++)
    if (c->type->data->constructor[i] == s->text) return (int)i;
  return -1;
}

/* 'm of mult: a multiset for each part. */
static struct ml_type *multisets(struct ml *ml, const struct ml_colset *c) {
  struct ml_type *t = ml_type_new(ml, ML_TYPE_TUPLE, c->type->parts);
  for (uint32_t i = 0; t && i < t->parts; i++)
    if (!(t->part[i] = ml_type_of(ml, ML_TYPE_MULTISET, c->type->part[i]))) return NULL;
  return t;
}

static const char *complain(struct ml *ml, const char *set, const char *function, const char *because) {
  size_t room = strlen(set) + strlen(function) + strlen(because) + 40;
  char *text = arena_alloc(&ml->arena, room);
  if (text) snprintf(text, room, "the colour set %s has no function %s%s", set, function, because);
  return text ? text : ML_WHY_MEMORY;
}

/* mkst_col'INT: as Design/CPN had it. */
static const struct ml_symbol *old_style(const struct ml *ml, const char *name, const char **function) {
  static const char *const old[][2] = {
      {"mkst_col", "mkstr"},      {"mkst_ms", "mkstr_ms"}, {"ran", "ran"},           {"lt", "lt"},
      {"legal", "legal"},         {"input_col", "input"},  {"output_col", "output"}, {"input_ms", "input_ms"},
      {"output_ms", "output_ms"}, {"mult", "mult"}};
  for (size_t i = 0; i < COUNT(old); i++) {
    size_t length = strlen(old[i][0]);
    if (strncmp(name, old[i][0], length) || name[length] != '\'') continue;
    *function = old[i][1];
    return ml_symbol_known(ml, name + length + 1, strlen(name + length + 1));
  }
  return NULL;
}

struct ml_meaning *ml_lookup_colset(struct ml *ml, const char *name, const struct ml_colset **colset, const char **why,
                                    uint32_t *part) {
  const char *dot = strrchr(name, '.'), *function = dot ? dot + 1 : NULL;
  const struct ml_symbol *s = dot ? ml_symbol_known(ml, name, (size_t)(dot - name)) : old_style(ml, name, &function);
  *why = NULL;
  if (!s || !s->type || !s->type->colset) return NULL;
  const struct ml_colset *whose = *colset = s->type->colset, *base = whose;
  while (base->kind == ML_COLSET_ALIAS || base->kind == ML_COLSET_SUBSET) base = base->part[0];
  const struct entry *entry = named(left_out_of_colsets, COUNT(left_out_of_colsets), function);
  uint32_t kind = entry ? ML_REFUSED_WRITES : ML_REFUSED_EFFECT;
  if (entry || (entry = named(refused_of_colsets, COUNT(refused_of_colsets), function))) {
    *why = sentence(ml, name, entry->type);
    return make(ml, ML_MEANS_REFUSED, kind);
  }
  for (size_t i = 0; i < COUNT(of_colsets); i++) {
    size_t length = strlen(of_colsets[i].name);
    int of_part = of_colsets[i].name[length - 1] == '_';
    if (of_part ? strncmp(function, of_colsets[i].name, length) : strcmp(function, of_colsets[i].name)) continue;
    if (!(of_colsets[i].kinds & 1u << base->kind))
      return *why = complain(ml, whose->name, function, ": it is of another kind"), NULL;
    int at = of_part ? named_part(base, of_colsets[i].number, function + length, ml) : 0;
    if (at < 0) return *why = complain(ml, whose->name, function, ": it has no such part"), NULL;
    const char *const given_name[3] = {"'c", "'p", "'m"};
    struct ml_type *given[3] = {base->type, ml->unit, ml->unit};
    if (of_colsets[i].number == ML_LIB_COLSET_SET) given[1] = base->type->part[at];
    if (of_colsets[i].number == ML_LIB_COLSET_OF && base->type->data->argument[at]) given[1] = base->type->data->argument[at];
    if (of_colsets[i].number == ML_LIB_COLSET_MULT && !(given[2] = multisets(ml, base))) return *why = ML_WHY_MEMORY, NULL;
    struct ml_meaning *m = make(ml, ML_MEANS_LIBRARY, of_colsets[i].number);
    struct err err = {0};
    if (!m || !(m->scheme = ml_scheme_read(ml, of_colsets[i].type, given, given_name, 3, &err))) return *why = ML_WHY_MEMORY, NULL;
    *part = (uint32_t)at;
    return m;
  }
  return *why = complain(ml, whose->name, function, ""), NULL;
}

/* ---- names that somebody has already ------------------------------------------------------------------------------------------ */

/* Is it the name, or the structure that the name is of? */
static int claims(const char *known, const char *name, size_t length) { return strncmp(known, name, length) == 0 && (!known[length] || known[length] == '.'); }

int ml_taken(struct ml *ml, const char *name, size_t length) {
  static const char *const words[] = {"colset", "color", "var",   "globref", "timed", "declare", "unit",   "bool",  "int",  "intinf", "time", "real",
                                      "string", "index", "product", "record",  "list",  "union",   "subset", "input", "output", "action", "by",   "P_NORMAL"};
  const struct ml_text text = {name, length, {NULL, 1, 1}, NULL};
  struct err quiet = {0};
  struct ml_lexer lexer;
  struct ml_token token;
  ml_lex_open(&lexer, ml, &text, &quiet);
  if (ml_lex(&lexer, &token)) return quiet.kind == ERR_MEMORY ? -1 : 1;
  if (token.kind != ML_T_NAME || token.from || token.to != length) return 1;
  const struct ml_symbol *s = ml_symbol(token.name);
  if (s->infix >= 0 || s->value || s->type) return 1;
  for (size_t i = 0; i < COUNT(words); i++)
    if (claims(words[i], name, length)) return 1;
  for (size_t i = 0; i < COUNT(functions); i++)
    if (functions[i].type && claims(functions[i].name, name, length)) return 1;
  for (size_t i = 0; i < COUNT(same); i++)
    if (claims(same[i].name, name, length)) return 1;
  for (size_t i = 0; i < COUNT(refused); i++)
    if (claims(refused[i].name, name, length)) return 1;
  for (size_t i = 0; i < COUNT(ml_overloads); i++)
    if (claims(ml_overloads[i].name, name, length)) return 1;
  for (uint32_t i = 0; ml_prelude_name(i); i++)
    if (claims(ml_prelude_name(i), name, length)) return 1;
  return 0;
}

/* open List: all its functions by their short names. */
int ml_open_structure(struct ml *ml, const char *structure, struct err *err) {
  size_t length = strlen(structure);
  for (uint32_t i = 0;; i++) {
    const char *name = i < COUNT(functions) ? functions[i].name : ml_prelude_name(i - (uint32_t)COUNT(functions));
    if (!name) return 0;
    if ((i < COUNT(functions) && !functions[i].type) || strncmp(name, structure, length) || name[length] != '.') continue;
    int failed = 0;
    struct ml_meaning *m = ml_lookup_exact(ml, name, &failed, err);
    const char *brief = ml_name(ml, name + length + 1, strlen(name) - length - 1);
    struct ml_meaning *now = m && brief ? ml_mean(ml, brief, m->kind) : NULL;
    if (!now) return failed ? -1 : err_memory(err, "CPN ML");
    now->scheme = m->scheme;
    now->global = m->global;
    now->number = m->number;
  }
}
