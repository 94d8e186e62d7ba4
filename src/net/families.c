/* families.c -- names that stand for several nodes: places and transitions of a coloured net that was unfolded (colour/unfold.h). */
#include "net/pt.h"

#include <string.h>

static int open_one(struct pt_families *f, uint32_t count, struct arena *arena) {
  f->family = arena_alloc(arena, ((size_t)count + 1) * sizeof *f->family);
  if (f->family) f->count = count;
  return f->family ? 0 : -1;
}

int pt_families_open(struct pt_net *net, uint32_t places, uint32_t transitions) {
  return open_one(&net->place_families, places, &net->arena) || open_one(&net->transition_families, transitions, &net->arena) ? -1 : 0;
}

int pt_family_set(struct pt_families *f, uint32_t index, const char *id, const char *name, uint32_t first, uint32_t count, struct arena *arena) {
  struct pt_family *x = &f->family[index];
  x->first = first;
  x->count = count;
  x->id = arena_strndup(arena, id, strlen(id));
  x->name = strcmp(id, name) == 0 ? x->id : arena_strndup(arena, name, strlen(name));
  return x->id && x->name ? 0 : -1;
}

uint32_t pt_families_of(const struct pt_families *f, uint32_t nodes, uint32_t *of) {
  for (uint32_t n = 0; n < nodes && !f->count; n++) of[n] = n;
  for (uint32_t i = 0; i < f->count; i++)
    for (uint32_t n = 0; n < f->family[i].count; n++) of[f->family[i].first + n] = i;
  return f->count ? f->count : nodes;
}

static int is(const char *text, const char *name, size_t length) { return strncmp(text, name, length) == 0 && !text[length]; }

/* Ids are unique, and come first; of equal names the first one counts. */
const struct pt_family *pt_find_family(const struct pt_families *f, const char *name, size_t length) {
  for (uint32_t i = 0; i < f->count; i++)
    if (is(f->family[i].id, name, length)) return &f->family[i];
  for (uint32_t i = 0; i < f->count; i++)
    if (is(f->family[i].name, name, length)) return &f->family[i];
  return NULL;
}
