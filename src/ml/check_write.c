/* check_write.c -- calls that only write or draw somewhere: print, files that are written, charts.
 *
 * They change nothing that a net can see, so they are left out: the call stands for (), and its arguments are not worked out, whatever they are (also where that would raise an exception).  What something is computed from is not left
 * out: a call that gives more than () is refused, and so is one whose arguments change references or arrays.  Arguments may speak of things that are refused elsewhere, such as other calls of this kind. */
#include "ml/check.h"

#include <string.h>

/* The name that a chain of applications begins with. */
static const struct ml_expr *head_of(const struct ml_expr *e) {
  while (e->kind == ML_APPLY && !e->part[0]->type) e = e->part[0];
  return e;
}

/* Checks the arguments, and forgets what they need. 0 or -1. */
static int arguments(struct check *c, struct ml_expr *e) {
  struct check before = *c;
  c->notes++;
  c->assigns = c->cells = 0;
  int status = 0;
  for (struct ml_expr *at = e; at->kind == ML_APPLY && !status; at = at->part[0]) status = check_infer(c, &at->part[1]) ? 0 : -1;
  int changes = c->assigns | c->cells;
  c->notes = before.notes;
  c->assigns = before.assigns;
  c->cells = before.cells;
  c->refused = before.refused;
  c->chance = before.chance;
  c->reads = before.reads;
  c->moves = before.moves;
  if (!status) c->blind = before.blind;
  return status ? -1 : changes;
}

static struct ml_type *leave_out(struct check *c, struct ml_expr *e, const char *why) {
  int changes = arguments(c, e);
  if (changes < 0) return NULL;
  if (!c->writes) c->writes = why;
  if (changes && check_refuse(c, e->place, e->from, why)) return NULL;
  struct ml_type *t = check_new_var(c, 0);
  if (!t || vec_push(&c->written_out, c->ml->mem, MEM_MODEL, ((struct check_writing){t, e, why, e->place, e->from}))) return check_memory(c), NULL;
  t->level = 0; /* nobody makes it general */
  e->kind = ML_TUPLE;
  e->parts = 0;
  return t;
}

struct ml_type *check_writing(struct check *c, struct ml_expr *e, int *is) {
  const struct ml_expr *head = head_of(e);
  const struct ml_colset *colset;
  const char *why = NULL;
  uint32_t part;
  int failed = 0;
  *is = 0;
  if (head->kind != ML_NAME || head->type) return NULL;
  const struct ml_meaning *m = check_meaning(c, head->name, &failed);
  if (failed) return *is = 1, NULL;
  if (!m && (m = ml_lookup_colset(c->ml, head->name, &colset, &why, &part)) && !why) m = NULL;
  if (!m || m->kind != ML_MEANS_REFUSED || m->number != ML_REFUSED_WRITES) return NULL;
  *is = 1;
  return leave_out(c, e, why ? why : m->why);
}

/* Events of charts have names, which nets hand on until the event ends.  No state space has them, as they are new each time; where random values are drawn they are as well. */
static int name_event(struct check *c, struct ml_expr *call) {
  struct ml_expr *nothing = arena_alloc(&c->ml->arena, sizeof *nothing);
  if (!nothing) return check_memory(c);
  *nothing = (struct ml_expr){.kind = ML_TUPLE, .place = call->place, .from = call->from, .to = call->to, .type = c->ml->unit, .height = 1};
  struct ml_expr *named = check_convert(c, nothing, ML_LIB_RANDOM_NAME, c->ml->string);
  if (!named) return -1;
  *call = *named;
  c->moves |= ML_BY_CHANCE;
  return 0;
}

int check_written_out(struct check *c) {
  for (size_t i = 0; i < c->written_out.count; i++) {
    const struct check_writing *w = &c->written_out.at[i];
    struct ml_type *t = ml_type_find(w->type);
    if (t->kind == ML_TYPE_VAR && !t->demand) t->is = c->ml->unit;
    else if (t->kind == ML_TYPE_STRING && c->ml->draws && strstr(w->why, "draws a chart")) {
      if (name_event(c, w->call)) return -1;
    } else if ((t->kind != ML_TYPE_TUPLE || t->parts) && check_refuse(c, w->place, w->from, w->why)) return -1;
  }
  c->written_out.count = 0;
  return 0;
}
