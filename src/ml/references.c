/* references.c -- see references.h.
 *
 * What a text uses is found by a walk over its tree; functions of the net are walked once, in passes over all of them until nothing is added, since they may call each other.  Values that are worked out at once and hold no functions are
 * what they are, whatever they were made from. */
#include "ml/references.h"

#include "ml/check.h"
#include "ml/code.h"

#include <stdio.h>

struct ml_references {
  uint32_t count;
  uint64_t kept;
  struct {
    const struct ml_global *global;
    struct ml_block *cell;
    const struct ml_variable *variable[2];
  } at[ML_REFERENCES];
};

/* ---- which there are -------------------------------------------------------------------------------------------------------- */

static const struct ml_block *cell_of(const struct ml *ml, const struct ml_global *g) {
  ml_value v = g->number < ml->back->globals.count ? ml->back->globals.at[g->number] : 0;
  return v && !ml_is_int(v) && ml_type_find(g->scheme->type)->kind == ML_TYPE_REF ? ml_block(v) : NULL;
}

/* The number of the reference that the name stands for; -1: it is none, or one too many. */
static int number_of(const struct ml_references *r, const struct ml *ml, const struct ml_global *g) {
  const struct ml_block *cell = cell_of(ml, g);
  for (uint32_t i = 0; cell && i < r->count; i++)
    if (r->at[i].cell == cell) return (int)i;
  return -1;
}

static int holds_cells(struct ml_type *type, unsigned *looks) {
  if ((*looks)-- == 0) return 1;
  type = ml_type_find(type);
  if (type->kind == ML_TYPE_REF || (type->kind == ML_TYPE_DATA && type->data->holds_cells)) return 1;
  for (uint32_t i = 0; i < type->parts; i++)
    if (holds_cells(type->part[i], looks)) return 1;
  return 0;
}

/* ---- walks ------------------------------------------------------------------------------------------------------------------ */

static const struct ml_expr *bare(const struct ml_expr *e) {
  while (e->kind == ML_SEQUENCE && e->parts == 1) e = e->part[0];
  return e;
}

struct walk {
  const struct ml *ml;
  struct ml_uses *u;
};

static void walk(void *, const struct ml_expr *);

/* An array that a let has made: it ends with the evaluation. 1: that is what it is. */
static int walk_own_array(struct walk *w, const struct ml_expr *e) {
  uint32_t library = e->part[0]->library;
  const struct ml_expr *a = bare(e->part[1]), *x = a->kind == ML_TUPLE && a->parts ? bare(a->part[0]) : a;
  if (library != ML_LIB_ARRAY_UPDATE && library != ML_LIB_ARRAY_SUB && library != ML_LIB_ARRAY_VECTOR) return 0;
  if (x->kind != ML_LOCAL || !x->local->cell) return 0;
  walk(w, a);
  return 1;
}

/* !r and r := e. 1: that is what it is. */
static int walk_direct(struct walk *w, const struct ml_expr *e) {
  if (e->kind != ML_APPLY || e->part[0]->kind != ML_LIBRARY) return 0;
  if (walk_own_array(w, e)) return 1;
  uint32_t library = e->part[0]->library;
  const struct ml_expr *a = bare(e->part[1]), *x = a;
  if (library == ML_LIB_ASSIGN && a->kind == ML_TUPLE && a->parts == 2) x = bare(a->part[0]);
  else if (library != ML_LIB_DEREFERENCE) return 0;
  int own = (x->kind == ML_LOCAL && x->local->cell) || (x->kind == ML_GLOBAL && x->global->refused); /* who uses that is refused for it */
  int number = x->kind == ML_GLOBAL ? number_of(w->ml->references, w->ml, x->global) : -1;
  if (!own && number < 0) return 0;
  if (number >= 0) *(library == ML_LIB_ASSIGN ? &w->u->changes : &w->u->reads) |= (uint64_t)1 << number;
  if (library == ML_LIB_ASSIGN) walk(w, a->part[1]);
  return 1;
}

static void walk(void *context, const struct ml_expr *e) {
  struct walk *w = context;
  struct ml_uses *u = w->u;
  if (walk_direct(w, e)) return;
  if (e->kind == ML_LIBRARY) {
    u->loose |= e->library == ML_LIB_ASSIGN;
    u->arrays |= e->library == ML_LIB_ARRAY_UPDATE ? ML_CHANGES_ARRAYS : e->library == ML_LIB_ARRAY_SUB || e->library == ML_LIB_ARRAY_VECTOR ? ML_READS_ARRAYS : 0;
  }
  if (e->kind == ML_GLOBAL) {
    u->reads |= e->global->uses.reads;
    u->changes |= e->global->uses.changes;
    u->mentions |= e->global->uses.mentions;
    u->arrays |= e->global->uses.arrays;
    u->loose |= e->global->uses.loose;
    u->nameless |= e->global->uses.nameless;
  }
  ml_below(e, walk, w);
}

/* What using the name does. */
static struct ml_uses uses_of(const struct ml *ml, const struct ml_global *g) {
  struct ml_uses u = {.known = ml->references};
  int number = number_of(ml->references, ml, g);
  unsigned looks = 200;
  if (g->refused && (!g->body || g->body->kind != ML_FN)) return u;
  if (number >= 0) {
    u.mentions = (uint64_t)1 << number;
    return u;
  }
  if (!ml_holds_functions(g->scheme->type)) return u;
  if (g->body) walk(&(struct walk){ml, &u}, g->body);
  u.nameless |= (!g->body || !check_is_value(g->body)) && holds_cells(g->scheme->type, &looks);
  return u;
}

static int same(const struct ml_uses *x, const struct ml_uses *y) { return x->reads == y->reads && x->changes == y->changes && x->mentions == y->mentions && x->arrays == y->arrays && x->loose == y->loose && x->nameless == y->nameless; }

int ml_references_find(struct ml *ml, struct err *err) {
  struct ml_references *r = ml->references;
  if (!r && !(r = arena_alloc(&ml->arena, sizeof *r))) return err_memory(err, "references");
  for (size_t i = 0; i < ml->globals.count; i++) {
    const struct ml_block *cell = cell_of(ml, ml->globals.at[i]);
    if (!cell) continue;
    if (number_of(r, ml, ml->globals.at[i]) >= 0 || r->count == ML_REFERENCES) continue;
    r->at[r->count].global = ml->globals.at[i];
    r->at[r->count++].cell = (struct ml_block *)(uintptr_t)cell;
  }
  ml->references = r;
  for (int any = 1; any;) {
    any = 0;
    for (size_t i = 0; i < ml->globals.count; i++) {
      struct ml_uses u = uses_of(ml, ml->globals.at[i]);
      any |= !same(&u, &ml->globals.at[i]->uses);
      ml->globals.at[i]->uses = u;
    }
  }
  return 0;
}

uint32_t ml_references(const struct ml *ml) { return ml->references ? ml->references->count : 0; }
const struct ml_global *ml_reference(const struct ml *ml, uint32_t number) { return ml->references->at[number].global; }
struct ml_type *ml_reference_type(const struct ml *ml, uint32_t number) { return ml_type_find(ml_reference(ml, number)->scheme->type)->part[0]; }
ml_value ml_reference_value(const struct ml *ml, uint32_t number) { return ml->references->at[number].cell->field[0]; }

struct ml_touch ml_touches(const struct ml *ml, const struct ml_expr *e) {
  struct ml_uses u = {0};
  if (!ml->references || !e) return (struct ml_touch){0};
  walk(&(struct walk){ml, &u}, e);
  return (struct ml_touch){u.reads | u.mentions, u.changes | (u.loose ? u.mentions : 0), u.loose && u.nameless, u.arrays};
}

/* ---- those that change ------------------------------------------------------------------------------------------------------ */

void ml_references_change(struct ml *ml, uint64_t which) {
  ml->changing |= which;
  for (uint32_t i = 0; i < ml_references(ml); i++)
    if (which >> i & 1) ml->references->at[i].cell->field[1] = ml_from_int(~(int64_t)i);
}

static const struct ml_variable *new_variable(struct ml *ml, const char *name, const struct ml_colset *set, struct place_in_text place) {
  struct ml_variable *v = arena_alloc(&ml->arena, sizeof *v);
  if (!v || !name || vec_push(&ml->variables, ml->mem, MEM_MODEL, v)) return NULL;
  *v = (struct ml_variable){name, set, place, (uint32_t)ml->variables.count - 1};
  return v;
}

int ml_reference_keep(struct ml *ml, uint32_t number, const struct ml_colset *set, struct err *err) {
  const struct ml_global *g = ml_reference(ml, number);
  char after[200];
  int n = snprintf(after, sizeof after, "%.190s'", g->name);
  const struct ml_variable **variable = ml->references->at[number].variable;
  variable[0] = new_variable(ml, g->name, set, g->place);
  variable[1] = variable[0] ? new_variable(ml, arena_strndup(&ml->arena, after, (size_t)n), set, g->place) : NULL;
  if (!variable[1]) return err_memory(err, "references");
  ml->references->kept |= (uint64_t)1 << number;
  return 0;
}

uint64_t ml_uses_kept(const struct ml_global *g) { return g->uses.known ? (g->uses.reads | g->uses.mentions | g->uses.changes) & g->uses.known->kept : 0; }
const struct ml_variable *ml_kept_variable(const struct ml_references *r, uint32_t number, int after) { return r->at[number].variable[after]; }
ml_value ml_kept_cell(const struct ml *ml, uint32_t number) { return (ml_value)(uintptr_t)ml->references->at[number].cell; }

int ml_reference_of(const struct ml *ml, uint32_t variable) {
  for (uint32_t i = 0; i < ml_references(ml); i++)
    if (ml->references->kept >> i & 1 && ml->references->at[i].variable[0]->number == variable) return (int)i;
  return -1;
}

/* ---- trees that nobody has written ------------------------------------------------------------------------------------------ */

static struct ml_expr *node(struct ml *ml, struct ml_expr e, uint32_t parts) {
  struct ml_expr *made = arena_alloc(&ml->arena, sizeof *made);
  if (!made) return NULL;
  *made = e;
  made->parts = parts;
  made->height = 1;
  if (parts && !(made->part = arena_alloc(&ml->arena, parts * sizeof *made->part))) return NULL;
  return made;
}

const struct ml_expr *ml_reference_variable(struct ml *ml, uint32_t number, int after) {
  const struct ml_variable *v = ml->references->at[number].variable[after];
  return node(ml, (struct ml_expr){.kind = ML_COLOURED, .variable = v, .name = v->name, .place = v->place, .type = v->colset->type}, 0);
}

static struct ml_expr *value_of(struct ml *ml, uint32_t number) {
  const struct ml_global *g = ml_reference(ml, number);
  struct ml_type *type = ml_reference_type(ml, number), *arrow = ml_type_arrow(ml, g->scheme->type, type);
  struct ml_expr *e = node(ml, (struct ml_expr){.kind = ML_APPLY, .place = g->place, .type = type}, 2);
  if (!e || !arrow) return NULL;
  e->part[0] = node(ml, (struct ml_expr){.kind = ML_LIBRARY, .library = ML_LIB_DEREFERENCE, .name = "!", .place = g->place, .type = arrow}, 0);
  e->part[1] = node(ml, (struct ml_expr){.kind = ML_GLOBAL, .global = g, .name = g->name, .place = g->place, .type = g->scheme->type}, 0);
  return e->part[0] && e->part[1] ? e : NULL;
}

const struct ml_expr *ml_reference_results(struct ml *ml, const struct ml_expr *e, uint64_t changes) {
  uint32_t parts = 1 + (uint32_t)__builtin_popcountll(changes), at = 1;
  struct ml_type *type = ml_type_new(ml, ML_TYPE_TUPLE, parts);
  struct ml_expr *all = type ? node(ml, (struct ml_expr){.kind = ML_TUPLE, .place = e->place, .from = e->from, .to = e->to, .type = type}, parts) : NULL;
  if (!all) return NULL;
  all->part[0] = (struct ml_expr *)(uintptr_t)e;
  type->part[0] = e->type;
  for (uint64_t left = changes; left; left &= left - 1, at++) {
    if (!(all->part[at] = value_of(ml, (uint32_t)__builtin_ctzll(left)))) return NULL;
    type->part[at] = all->part[at]->type;
  }
  return all;
}
