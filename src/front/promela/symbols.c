/* symbols.c -- names and where they are visible.
 *
 * A scope is open while its block is being read; the newest symbol of a name whose scope is open is the one that is meant.  No
 * name can be declared again inside the block of another declaration of it, also not one of the globals: SPIN refuses that too.
 *
 * Labels belong to a process type.  A label that is mentioned first by a goto begins in the goto's block; flow.c finds the
 * definition that is nearest to it. */
#include "front/promela/parse.h"

#include "base/near.h"

#include <stdio.h>
#include <string.h>

static unsigned bucket(const char *name, size_t length) {
  unsigned h = 2166136261u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * 16777619u;
  return (h ^ h >> 15) % BUCKETS;
}

static struct symbol *find(struct parser *p, const char *name, size_t length, int labels) {
  for (struct symbol *s = p->buckets[bucket(name, length)]; s; s = s->chain)
    if (s != p->declaring && s->length == length && !memcmp(s->name, name, length) && s->scope->open && (s->kind == SYMBOL_LABEL) == labels) return s;
  return NULL;
}

struct symbol *symbol_find(struct parser *p, const char *name, size_t length) {
  return find(p, name, length, 0);
}

struct symbol *symbol_find_label(struct parser *p, const char *name, size_t length) {
  return find(p, name, length, 1);
}

struct symbol *symbol_add(struct parser *p, enum symbol_kind kind, const char *name, size_t length, struct place_in_text place) {
  struct symbol *s = parse_alloc(p, sizeof *s);
  char *copy = parse_alloc(p, length + 1);
  memcpy(copy, name, length);
  copy[length] = 0;
  struct symbol **b = &p->buckets[bucket(name, length)];
  *s = (struct symbol){.name = copy, .length = length, .kind = kind, .scope = p->scope, .place = place, .chain = *b};
  *b = s;
  return s;
}

struct symbol *symbol_label(struct parser *p, const struct token *t) {
  struct symbol *s = find(p, t->text, t->length, 1);
  const struct symbol *other = find(p, t->text, t->length, 0);
  if (other && !s) parse_error(p, t->place, "%s is no label: it is declared at line %ld", other->name, other->place.line);
  if (s) return s;
  s = symbol_add(p, SYMBOL_LABEL, t->text, t->length, t->place);
  s->owner = p->context;
  return s;
}

struct symbol *symbol_undeclared(struct parser *p, const struct token *t, const char *what) {
  struct near near;
  char shown[80], hint[160];
  near_open(&near, t->text, t->length);
  for (unsigned i = 0; i < BUCKETS; i++)
    for (struct symbol *s = p->buckets[i]; s; s = s->chain)
      if (s->scope->open && ((s->kind == SYMBOL_VARIABLE && s->decl) || s->kind == SYMBOL_MTYPE || s->kind == SYMBOL_INLINE))
        near_offer(&near, s->name);
  err_quote(shown, sizeof shown, t->text, t->length);
  if (near_best(&near)) snprintf(hint, sizeof hint, "did you mean %s?", near_best(&near));
  parse_error_hint(p, near_best(&near) ? hint : NULL, t->place, "%s \"%s\" is not declared", what, shown);
  /* Known from now on, so that it is told once. */
  struct scope *here = p->scope;
  while (p->scope->parent) p->scope = p->scope->parent;
  struct symbol *s = symbol_add(p, SYMBOL_VARIABLE, t->text, t->length, t->place);
  p->scope = here;
  return s;
}

void scope_enter(struct parser *p) {
  struct scope *s = parse_alloc(p, sizeof *s);
  *s = (struct scope){.parent = p->scope, .open = 1, .depth = p->scope ? p->scope->depth + 1 : 0};
  p->scope = s;
}

void scope_leave(struct parser *p) {
  p->scope->open = 0;
  if (p->scope->parent) p->scope = p->scope->parent;
}

void symbols_predefined(struct parser *p) {
  static const struct {
    const char *name;
    enum special which;
  } known[] = {{"_pid", SPECIAL_PID},           {"_nr_pr", SPECIAL_NR_PR}, {"_last", SPECIAL_LAST},
               {"_priority", SPECIAL_PRIORITY}, {"_", SPECIAL_IGNORE},     {"_p", SPECIAL_P}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    struct symbol *s = symbol_add(p, SYMBOL_SPECIAL, known[i].name, strlen(known[i].name), (struct place_in_text){0});
    s->value = known[i].which;
  }
}

struct proc_text *proc_text_find(struct parser *p, const char *name) {
  for (struct proc_text *t = p->procs; t; t = t->next)
    if (!strcmp(t->name, name)) return t;
  return NULL;
}
