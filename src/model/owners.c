/* owners.c -- see owners.h. */
#include "model/owners.h"

#include <fnmatch.h>
#include <string.h>

int owner_by_name(const char *name) {
  if (strncmp(name, "env_", 4) == 0) return OWNER_UNCONTROLLABLE;
  return strncmp(name, "ctrl_", 5) == 0 ? OWNER_CONTROLLABLE : OWNER_UNSAID;
}

static int matches(const char *name, const char *const *pattern, uint8_t *used) {
  int does = 0;
  for (size_t i = 0; pattern && pattern[i]; i++)
    if (strcmp(pattern[i], name) == 0 || fnmatch(pattern[i], name, 0) == 0) does = used[i] = 1;
  return does;
}

static uint32_t owner(const struct owners *o, uint32_t group) {
  const struct model *m = o->model;
  const char *name = m->type->group_name(m, group);
  int not_ours = matches(name, o->pattern[OWNER_UNCONTROLLABLE], o->used[OWNER_UNCONTROLLABLE]), ours = matches(name, o->pattern[OWNER_CONTROLLABLE], o->used[OWNER_CONTROLLABLE]);
  if (not_ours || ours) return not_ours ? OWNER_UNCONTROLLABLE : OWNER_CONTROLLABLE;
  int said = m->type->owner ? m->type->owner(m, group) : owner_by_name(name);
  return said == OWNER_UNCONTROLLABLE ? OWNER_UNCONTROLLABLE : OWNER_CONTROLLABLE;
}

int owners_more(struct owners *o, uint32_t group) {
  uint32_t groups = o->model->groups;
  if (group >= groups && group != UINT32_MAX) groups = group + 1; /* a model that does not tell how many it has */
  uint32_t *of = mem_resize(o->mem, MEM_OTHER, o->of, ((size_t)groups + 1) * sizeof *of);
  if (!of) return -1;
  for (o->of = of; o->count < groups; o->count++) of[o->count] = owner(o, o->count);
  return 0;
}

int owners_open(struct owners *o) {
  o->of = NULL;
  o->count = 0;
  return owners_more(o, UINT32_MAX);
}

void owners_close(struct owners *o) {
  if (o->mem) mem_free(o->mem, o->of);
  o->of = NULL;
  o->count = 0;
}
