/* tree.c -- see tree.h. */
#include "front/pnml/tree.h"

#include <string.h>

const char *pnml_attribute(const struct pnml_element *e, const char *name) {
  for (const char *const *a = e->attribute; *a; a += 2)
    if (strcmp(a[0], name) == 0) return a[1];
  return NULL;
}

const struct pnml_element *pnml_child(const struct pnml_element *e, const char *name) {
  for (const struct pnml_element *c = e->first; c; c = c->next)
    if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

const char *pnml_label(const struct pnml_element *e, const char *owner) {
  const struct pnml_element *label = pnml_child(e, owner), *text = label ? pnml_child(label, "text") : NULL;
  return text && *text->text ? text->text : NULL;
}

const struct pnml_element *pnml_structure(const struct pnml_element *e, const char *owner) {
  const struct pnml_element *label = pnml_child(e, owner), *structure = label ? pnml_child(label, "structure") : NULL;
  return structure ? structure->first : NULL;
}

int pnml_tree_start(struct pnml_tree *t, const char *name, const char **attributes, struct place_in_text at) {
  struct pnml_element *e = arena_alloc(&t->arena, sizeof *e);
  size_t n = 0;
  while (attributes[n]) n++;
  const char **copy = arena_alloc(&t->arena, (n + 1) * sizeof *copy);
  if (!e || !copy || !(e->name = arena_strndup(&t->arena, name, strlen(name)))) return -1;
  for (size_t i = 0; i < n; i++)
    if (!(copy[i] = arena_strndup(&t->arena, attributes[i], strlen(attributes[i])))) return -1;
  e->attribute = copy;
  e->text = "";
  e->at = at;
  e->parent = t->open;
  if (!t->root) t->root = e;
  if (t->open) {
    if (t->open->last) t->open->last->next = e;
    else t->open->first = e;
    t->open->last = e;
  }
  t->open = e;
  return 0;
}

int pnml_tree_end(struct pnml_tree *t, const char *text, size_t length) {
  struct pnml_element *e = t->open;
  if (length && !(e->text = arena_strndup(&t->arena, text, length))) return -1;
  t->open = e->parent;
  return 0;
}
