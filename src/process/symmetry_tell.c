/* symmetry_tell.c -- see symmetry.h: which processes and names will be exchanged, in words; or what is in the way of it.
 *
 * A type is told of if there can be two processes of it in a run and nothing keeps their slots apart for ever.  What does is a hazard (symmetry_sorts.h): the first one of them is the reason that is given. */
#include "process/symmetry_inside.h"

#include <stdio.h>
#include <string.h>

/* A hazard that keeps the names of a sort, or the slots of a type, apart for ever; NULL = none does. */
static const struct symmetry_hazard *in_the_way(const struct symmetry_sorts *s, int64_t type, uint32_t sort) {
  uint32_t block[SORT_NAMES];
  int ends = type >= 0 && hazard_in(s->forever, 0) && hazard_in(s->forever, 1 + (uint32_t)type);
  if (ends) return &s->hazard.at[0];
  for (uint32_t bit = 1 + (uint32_t)s->p->procs.count; bit < s->hazard.count; bit++) {
    const struct symmetry_hazard *h = &s->hazard.at[bit];
    int about = h->kind == HAZARD_SLOTS ? (int64_t)h->of == type : h->of == sort;
    if (!about || !hazard_in(s->forever, bit)) continue;
    if (h->kind == HAZARD_SLOTS) return h;
    symmetry_hazard_blocks(s, h, block);
    uint32_t pairs = 0, names = s->sort[sort].names;
    for (uint32_t a = 0; a < names; a++)
      for (uint32_t b = 0; b < a; b++) pairs += block[a] == block[b];
    if (!pairs && names > 1) return h;
  }
  return NULL;
}

/* A parameter that keeps its first value, is no name for ever, and is not the same in all processes of the type: what tells so; NULL = there is none. */
static const struct symmetry_hazard *told_by_parameter(const struct symmetry_sorts *s, uint32_t type) {
  const struct program *p = s->p;
  for (uint32_t cell = 0; cell < p->procs.at[type].params; cell++) {
    uint32_t decl = program_cell_decl(p, type + 1, cell);
    struct leaf_path path;
    leaves_path(&s->leaves, decl, cell - p->decls.at[decl].base, &path);
    struct symmetry_holds holds = s->leaf[path.leaf];
    if (holds.kind != HOLDS_NAME) continue;
    const struct symmetry_hazard *h = in_the_way(s, -1, holds.sort);
    if (!h) continue;
    int32_t first = 0, value;
    int runs = 0, differs = 0;
    for (size_t a = 0; a < p->actions.count; a++) {
      const struct ir_action *x = &p->actions.at[a];
      if (x->kind != IR_RUN || x->proc != type || cell >= x->args) continue;
      differs |= !program_constant(p, p->args.at[x->arg + cell].what, &value) || (runs && value != first);
      if (!runs++) first = value;
    }
    if (differs) return h;
  }
  return NULL;
}

static void append(char *out, size_t room, const char *text) {
  size_t used = strlen(out);
  if (used < room) snprintf(out + used, room - used, "%s%s", used ? ", " : "", text);
}

int symmetry_tell(struct symmetry *y, char *why, size_t room) {
  const struct symmetry_sorts *s = &y->sorts;
  const struct program *p = s->p;
  const struct symmetry_hazard *first = NULL;
  uint32_t refused = 0;
  char part[120];
  uint8_t *count = mem_alloc(y->mem, MEM_SEARCH, p->procs.count + 1);
  if (!count || symmetry_sorts_count(s, count)) {
    mem_free(y->mem, count);
    return -1;
  }
  for (uint32_t type = 0; type < p->procs.count; type++) {
    if (p->procs.at[type].is_claim || count[type] < 2) continue;
    const struct symmetry_hazard *h = in_the_way(s, type, s->pid[type]);
    if (!h) h = told_by_parameter(s, type);
    if (h) {
      if (!first) first = h, refused = type;
      continue;
    }
    snprintf(part, sizeof part, "processes of %s", p->procs.at[type].name);
    append(y->base.text, sizeof y->base.text, part);
  }
  mem_free(y->mem, count);
  for (uint32_t sort = 0; sort < s->sorts; sort++)
    if (s->sort[sort].scalarset && !in_the_way(s, -1, sort)) {
      snprintf(part, sizeof part, "values of scalarset(%u)", (unsigned)s->sort[sort].names);
      append(y->base.text, sizeof y->base.text, part);
    }
  if (y->base.text[0]) return 0;
  if (!first) return 1;
  char reason[300];
  symmetry_hazard_text(s, first, reason, sizeof reason);
  snprintf(why, room, "processes of %s are not alike: %s", p->procs.at[refused].name, reason);
  return 1;
}
