/* check.c -- what reads well and is refused all the same.
 *
 * The grammar lets much through that has no meaning, or that SPIN's verifier cannot do: a rendezvous in a never claim, a channel
 * in a sum, one variable for two fields of a message.  The rules are SPIN's, one function each, and they refuse no more than SPIN
 * does (tests/unit/promela_refused.c has a model for each).  Rules that need to know where control goes are in flow.c and lower.c. */
#include "front/promela/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- expressions ------------------------------------------------------------------------------------------------- */

enum search { LABELS = 1, VARIABLES = 2 }; /* of other processes */

static const struct expr *find_remote(const struct expr *, unsigned what);

static const struct expr *find_remote_in_ref(const struct ref *r, unsigned what) {
  const struct expr *found = r && r->pointer ? find_remote(r->pointer, what) : NULL;
  for (const struct step *s = r ? r->steps : NULL; s && !found; s = s->next) found = find_remote(s->index, what);
  return found;
}

/* The first question to another process in an expression; NULL = none. The depth of trees is bounded. */
static const struct expr *find_remote(const struct expr *e, unsigned what) {
  const struct expr *found = NULL;
  if (!e) return NULL;
  if ((e->kind == EXPR_AT && what & LABELS) || (e->kind == EXPR_REMOTE && what & VARIABLES)) return e;
  if (!(found = find_remote(e->a, what)) && !(found = find_remote(e->b, what)) && !(found = find_remote(e->c, what)))
    found = find_remote_in_ref(e->ref, what);
  for (const struct expr *a = e->args; a && !found; a = a->next) found = find_remote(a, what);
  return found;
}

/* A channel by its own name, possibly with an index; fields of records are not looked at. */
static int names_channel(struct parser *p, const struct ref *r) {
  if (!r->symbol || r->symbol->kind != SYMBOL_VARIABLE || !r->symbol->decl) return 0;
  return p->program->types.at[r->symbol->type].kind == IR_CHANNEL;
}

static void check_arithmetic(struct parser *p, const struct expr *e, int inside) {
  if (!e) return;
  switch (e->kind) {
  case EXPR_REF:
    if (inside && names_channel(p, e->ref)) parse_error(p, e->place, "%s is a channel: there is nothing to compute with", e->ref->symbol->name);
    for (const struct step *s = e->ref->steps; s; s = s->next) check_arithmetic(p, s->index, 0);
    break;
  case EXPR_UNARY:
  case EXPR_BINARY:
  case EXPR_COND:
    check_arithmetic(p, e->a, 1);
    check_arithmetic(p, e->b, 1);
    check_arithmetic(p, e->c, 1);
    break;
  default: break;
  }
}

void check_no_runs(struct parser *p, const struct expr *args) {
  for (; args; args = args->next)
    if (tree_has_run(args)) parse_error(p, args->place, "run cannot be used here");
}

/* A run may be anywhere in an expression where it is done once, whatever the values are; in a list, in one of them. */
void check_one_run(struct parser *p, struct expr *args) {
  int runs = 0;
  for (struct expr *e = args; e; e = e->next) {
    if (!tree_has_run(e)) continue;
    if (runs++) parse_error(p, e->place, "there can be one run in a statement");
    else if (!tree_certain_run(e)) parse_error(p, e->place, "run can be part of a larger expression once, and where it does not depend on the values of others");
  }
}

static const char *set_of(const struct symbol *constant) { return constant->subtype ? constant->subtype : "mtype"; }

void check_first_value(struct parser *p, const struct symbol *s, struct expr *e) {
  uint32_t type;
  const struct ir_type *t = &p->program->types.at[s->type];
  if (tree_has_run(e)) parse_error(p, e->place, "run cannot be used to initialise a variable");
  if (t->kind == IR_RECORD) parse_warning(p, e->place, "a record cannot be initialised as a whole: this has no effect");
  if (t->kind == IR_POINTER && !tree_is_pointer(p, e, &type)) parse_error(p, e->place, "a pointer can only begin as another pointer");
  if (t->kind != IR_RECORD) check_arithmetic(p, e, 0);
  if (s->subtype && e->kind == EXPR_VALUE && e->symbol && strcmp(s->subtype, set_of(e->symbol)))
    parse_error(p, e->place, "%s is of the type %s, not %s", e->symbol->name, set_of(e->symbol), s->subtype);
}

/* ---- assignments ------------------------------------------------------------------------------------------------- */

/* A variable holds names of one set of mtypes: that of its type, or that of the first name that the text assigns to it. */
static void check_set(struct parser *p, struct symbol *s, const struct expr *e) {
  if (e->kind != EXPR_VALUE || !e->symbol || p->program->types.at[s->type].kind == IR_RECORD) return;
  const char *have = s->subtype ? s->subtype : s->assigned_set;
  if (!have) s->assigned_set = set_of(e->symbol);
  else if (strcmp(have, set_of(e->symbol))) parse_error(p, e->place, "%s is of the type %s, not %s", e->symbol->name, set_of(e->symbol), have);
}

/* The way to an array that is being indexed, without the indices: "t[].f[]". */
struct indexed {
  const char *way;
  const struct indexed *outer;
};
enum { WAY = 256 };

/* a[a[1]] = 2: SPIN's verifier could not undo it. Only an index that is a reference and nothing more is looked at. */
static void check_indices(struct parser *p, const struct ref *r, const struct indexed *outer, char *way) {
  char inner[WAY];
  size_t used = (size_t)snprintf(way, WAY, "%s", r->symbol ? r->symbol->name : "*");
  for (const struct step *s = r->steps; s && used < WAY; s = s->next) {
    used += (size_t)snprintf(way + used, WAY - used, s->index ? "[]" : ".%s", s->index ? "" : s->field);
    if (!s->index || s->index->kind != EXPR_REF || used >= WAY) continue;
    struct indexed here = {way, outer};
    check_indices(p, s->index->ref, &here, inner);
    for (const struct indexed *i = &here; i; i = i->outer)
      if (!strcmp(i->way, inner)) parse_error(p, s->index->place, "an array that is assigned to cannot be indexed by itself");
  }
}

void check_target(struct parser *p, const struct ref *r) {
  char way[WAY];
  check_indices(p, r, NULL, way);
}

void check_assignment(struct parser *p, const struct ref *r, const struct expr *e) {
  const struct ir_type *t = &p->program->types.at[r->type];
  struct symbol *s = r->symbol;
  uint32_t type;
  if (s && s->kind == SYMBOL_SPECIAL) {
    if (s->value != SPECIAL_IGNORE && s->value != SPECIAL_PRIORITY) parse_error(p, r->place, "%s cannot be assigned to", s->name);
    return;
  }
  if (r->count) {
    parse_error(p, r->place, "%s is an array: an index is missing", s ? s->name : "this");
    return;
  }
  if (t->kind == IR_RECORD) parse_error(p, r->place, "a record cannot be assigned as a whole");
  if (names_channel(p, r) && e->kind == EXPR_VALUE && e->value >= 0) parse_error(p, e->place, "a number is no channel");
  int pointer = tree_is_pointer(p, e, &type);
  if (t->kind == IR_POINTER && !pointer) parse_error(p, e->place, "%s is a pointer: it takes another pointer, new or null", s ? s->name : "this");
  else if (t->kind == IR_POINTER && type && type != r->type) parse_error(p, e->place, "this points to something else than %s", t->name);
  else if (t->kind != IR_POINTER && pointer) parse_error(p, e->place, "a pointer is assigned to something that is none");
  if (!s || s->kind != SYMBOL_VARIABLE || !s->decl) return;
  check_set(p, s, e);
  if (p->program->types.at[s->type].kind != IR_RECORD) check_arithmetic(p, e, 0);
  check_target(p, r);
}

/* ---- steps --------------------------------------------------------------------------------------------------------- */

static int is_plain_variable(struct parser *p, const struct expr *e) {
  if (e->kind != EXPR_REF || !e->ref->symbol || e->ref->symbol->kind != SYMBOL_VARIABLE || e->ref->steps || e->ref->count) return 0;
  return program_is_scalar(p->program, e->ref->type);
}

static void check_twice(struct parser *p, const struct stmt *s) {
  for (const struct expr *a = s->args; a; a = a->next) {
    if (!is_plain_variable(p, a)) continue;
    for (const struct expr *b = a->next; b; b = b->next)
      if (b->kind == EXPR_REF && b->ref->symbol == a->ref->symbol) {
        parse_error(p, b->place, "%s cannot receive two fields of one message", b->ref->symbol->name);
        return;
      }
  }
}

static void check_dstep(struct parser *p, const struct stmt *s) {
  int judged = s->kind == STMT_CONDITION || s->kind == STMT_ASSERT || s->kind == STMT_PRINT;
  unsigned what = LABELS | (judged ? (unsigned)VARIABLES : 0);
  const struct expr *found = NULL;
  if ((s->kind == STMT_ASSIGN || s->kind == STMT_ASSERT) && tree_has_run(s->a)) parse_error(p, s->a->place, "run cannot be used in a d_step");
  if (s->kind == STMT_PRINT) check_no_runs(p, s->args);
  if (!(found = find_remote(s->a, what)) && !(found = find_remote(s->b, what))) found = find_remote_in_ref(s->ref, what);
  for (const struct expr *a = s->args; a && !found; a = a->next) found = find_remote(a, what);
  if (found) parse_error(p, found->place, "a d_step cannot ask where another process is%s", judged ? ", nor what its variables are" : "");
}

/* A statement that is about to become a step of its sequence. */
void check_step(struct parser *p, const struct stmt *s) {
  while (s && s->kind == STMT_LABEL) s = s->inner;
  if (!s || !p->context) return;
  if (s->kind == STMT_UNLESS) {
    check_step(p, s->inner);
    check_step(p, s->escape);
    return;
  }
  int talks = s->kind == STMT_SEND || s->kind == STMT_RECEIVE;
  if (talks && p->context->kind == PROC_CLAIM) parse_error(p, s->place, "a never claim cannot send or receive");
  if (s->kind == STMT_RECEIVE && !s->dstep && p->context->kind != PROC_TRACE) check_twice(p, s);
  if (s->dstep) check_dstep(p, s);
}

/* ---- selections ---------------------------------------------------------------------------------------------------- */

static int asks_channel(const struct expr *e) {
  if (!e) return 0;
  if (e->kind == EXPR_CHANNEL && e->op != IR_LEN) return 1;
  return asks_channel(e->a) || asks_channel(e->b) || asks_channel(e->c);
}

/* After xr or xs an else beside communication could not be reduced rightly; SPIN reads no such model. */
void check_else(struct parser *p, const struct stmt *selection) {
  const struct stmt *otherwise = NULL;
  int talks = 0;
  if (!p->warned_xu) return;
  for (const struct sequence *q = selection->options; q; q = q->next) {
    const struct stmt *s = q->first;
    if (!s) continue;
    if (s->kind == STMT_ELSE) otherwise = s;
    talks |= s->kind == STMT_SEND || s->kind == STMT_RECEIVE || asks_channel(s->a);
  }
  if (otherwise && talks) parse_error(p, otherwise->place, "else beside communication is not possible in a model with xr or xs");
}

/* ---- process types ------------------------------------------------------------------------------------------------- */

static int is_local(const struct parser *p, const struct ref *r) {
  return r && r->symbol && r->symbol->kind == SYMBOL_VARIABLE && r->symbol->decl && p->program->decls.at[r->symbol->decl].scope;
}

/* A provided clause is judged before the process moves: it may ask for globals, _pid and _priority. Indices are not looked at. */
void check_provided(struct parser *p, const struct expr *e) {
  if (!e) return;
  if ((e->kind == EXPR_REF || e->kind == EXPR_CHANNEL || e->kind == EXPR_POLL) && is_local(p, e->ref))
    parse_error(p, e->place, "%s is local: a provided clause sees global variables only", e->ref->symbol->name);
  if (e->kind == EXPR_AT || e->kind == EXPR_REMOTE) parse_error(p, e->place, "a provided clause cannot ask another process");
  check_provided(p, e->a);
  check_provided(p, e->b);
  check_provided(p, e->c);
}

/* ---- records ------------------------------------------------------------------------------------------------------- */

void check_field(struct parser *p, uint32_t record, const struct symbol *field) {
  uint32_t type = field->type, known = record > type ? record : type;
  while (p->shapes.count <= known)
    if (vec_push(&p->shapes, p->setup->mem, MEM_OTHER, (struct record_shape){0})) parse_no_memory(p);
  struct record_shape inner = p->shapes.at[type], *shape = &p->shapes.at[record];
  int whole = p->program->types.at[type].kind == IR_RECORD;
  shape->has_array |= field->count || inner.has_array;
  shape->has_records |= (field->count && whole) || inner.has_records;
  if (whole && inner.depth + 1 > shape->depth) shape->depth = inner.depth + 1;
  if (shape->depth > NEST_MAX) {
    parse_error(p, field->place, "records are nested too deeply");
    p->stopped = p->panic = 1;
  }
}

struct record_shape record_shape(const struct parser *p, uint32_t type) {
  return type < p->shapes.count ? p->shapes.at[type] : (struct record_shape){0};
}
