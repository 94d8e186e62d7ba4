/* names.c -- names kept once, with what they mean just now.
 *
 * A name is the address of its text inside a symbol (world.h): equal text, equal pointer.  The table is chained and doubles when
 * it is full; symbols stay where they are.  Meanings are pushed and put back by an undo list: entering a scope remembers its
 * length, leaving it (or giving up halfway) puts back everything behind that mark, so the symbols are always as they were before.
 *
 * What everybody knows -- library and prelude -- lies at the bottom of the pile and is found by name when a symbol is first asked
 * for (library.c): a world with a hundred library functions opens without touching one of them. */
#include "base/hash.h"
#include "ml/scope.h"

#include <stdlib.h>
#include <string.h>

struct fixity {
  const char *name;
  int8_t infix, right;
};

/* As Standard ML has them, and CPN Tools for multisets and time. */
static const struct fixity fixities[] = {
    {"`", 8, 0},   {"*", 7, 0},   {"/", 7, 0},    {"div", 7, 0},  {"mod", 7, 0},    {"**", 7, 0}, {"//", 7, 0}, {"%", 7, 0},
    {"@+", 7, 0},  {"@++", 7, 0}, {"+", 6, 0},    {"-", 6, 0},    {"^", 6, 0},      {"++", 6, 0}, {"--", 6, 0}, {"+++", 6, 0},
    {"::", 5, 1},  {"@", 5, 1},   {"^^", 5, 1},   {"=", 4, 0},    {"<>", 4, 0},     {"<", 4, 0},  {">", 4, 0},  {"<=", 4, 0},
    {">=", 4, 0},  {":=", 3, 0},  {"o", 3, 0},    {"==", 3, 0},   {"<><>", 3, 0},   {"!=", 3, 0}, {"<<", 3, 0}, {">>", 3, 0},
    {"<<=", 3, 0}, {">>=", 3, 0}, {"<<==", 3, 0}, {">>==", 3, 0}, {"before", 0, 0},
};

int ml_names_open(struct ml *ml) {
  ml->buckets = 256;
  ml->bucket = mem_alloc(ml->mem, MEM_MODEL, ml->buckets * sizeof *ml->bucket);
  if (!ml->bucket) return -1;
  for (size_t i = 0; i < sizeof fixities / sizeof *fixities; i++) {
    struct ml_symbol *s = ml_symbol_for(ml, fixities[i].name, strlen(fixities[i].name));
    if (!s) return -1;
    s->infix = s->fixed_infix = fixities[i].infix;
    s->right = s->fixed_right = fixities[i].right;
  }
  return 0;
}

void ml_names_close(struct ml *ml) {
  mem_free(ml->mem, ml->bucket);
  vec_free(&ml->undo, ml->mem);
}

static int grow(struct ml *ml) {
  size_t buckets = ml->buckets * 2;
  struct ml_symbol **bucket = mem_alloc(ml->mem, MEM_MODEL, buckets * sizeof *bucket);
  if (!bucket) return -1;
  for (size_t i = 0; i < ml->buckets; i++) {
    for (struct ml_symbol *s = ml->bucket[i], *next; s; s = next) {
      next = s->next;
      s->next = bucket[s->hash & (buckets - 1)];
      bucket[s->hash & (buckets - 1)] = s;
    }
  }
  mem_free(ml->mem, ml->bucket);
  ml->bucket = bucket;
  ml->buckets = buckets;
  return 0;
}

static struct ml_symbol *find(const struct ml *ml, const char *text, size_t length, uint32_t hash) {
  for (struct ml_symbol *s = ml->bucket[hash & (ml->buckets - 1)]; s; s = s->next)
    if (s->hash == hash && s->length == length && !memcmp(s->text, text, length)) return s;
  return NULL;
}

struct ml_symbol *ml_symbol_known(const struct ml *ml, const char *text, size_t length) {
  return find(ml, text, length, (uint32_t)hash_bytes(text, length));
}

struct ml_symbol *ml_symbol_for(struct ml *ml, const char *text, size_t length) {
  uint32_t hash = (uint32_t)hash_bytes(text, length);
  struct ml_symbol *s = find(ml, text, length, hash);
  if (s) return s;
  if (length > UINT32_MAX - 1 || (ml->symbols >= ml->buckets && grow(ml))) return NULL;
  s = arena_alloc(&ml->arena, sizeof *s + length + 1);
  if (!s) return NULL;
  s->hash = hash;
  s->length = (uint32_t)length;
  s->infix = s->fixed_infix = -1;
  memcpy(s->text, text, length);
  s->next = ml->bucket[hash & (ml->buckets - 1)];
  ml->bucket[hash & (ml->buckets - 1)] = s;
  ml->symbols++;
  return s;
}

const char *ml_name(struct ml *ml, const char *text, size_t length) {
  struct ml_symbol *s = ml_symbol_for(ml, text, length);
  return s ? s->text : NULL;
}

static int remember(struct ml *ml, struct ml_symbol *s) {
  struct ml_undo u = {s, s->value, s->type, s->infix, s->right};
  return vec_push(&ml->undo, ml->mem, MEM_MODEL, u);
}

struct ml_meaning *ml_mean(struct ml *ml, const char *name, enum ml_meaning_kind kind) {
  struct ml_symbol *s = ml_symbol(name);
  struct ml_meaning *m = arena_alloc(&ml->arena, sizeof *m);
  if (!m || remember(ml, s)) return NULL;
  m->kind = kind;
  m->outer = s->value;
  m->everybodys = ml->in_prelude > 0;
  s->value = m;
  return m;
}

struct ml_type_meaning *ml_mean_type(struct ml *ml, const char *name, struct ml_type *type) {
  struct ml_symbol *s = ml_symbol(name);
  struct ml_type_meaning *m = arena_alloc(&ml->arena, sizeof *m);
  if (!m || remember(ml, s)) return NULL;
  m->type = type;
  m->outer = s->type;
  s->type = m;
  return m;
}

int ml_mean_infix(struct ml *ml, const char *name, int infix, int right) {
  struct ml_symbol *s = ml_symbol(name);
  if (remember(ml, s)) return -1;
  s->infix = (int8_t)infix;
  s->right = (int8_t)right;
  return 0;
}

size_t ml_scope_enter(const struct ml *ml) { return ml->undo.count; }

void ml_scope_leave(struct ml *ml, size_t mark) {
  while (ml->undo.count > mark) {
    struct ml_undo *u = &ml->undo.at[--ml->undo.count];
    struct ml_symbol *s = u->symbol;
    s->type = u->type;
    s->infix = u->infix;
    s->right = u->right;
    /* What the library put at the bottom of an empty pile in the meantime stays. */
    if (u->value || !s->sought) s->value = u->value;
    else
      while (s->value && !s->value->bottom) s->value = s->value->outer;
  }
}

void ml_scope_keep(struct ml *ml, size_t mark) { ml->undo.count = mark; }

/* local ... in ... end: what came between the two marks goes, what came later stays. */
int ml_scope_drop(struct ml *ml, size_t before, size_t between) {
  struct vec(struct ml_undo) kept = {0};
  for (size_t i = between; i < ml->undo.count; i++) {
    const struct ml_symbol *s = ml->undo.at[i].symbol;
    struct ml_undo now = {ml->undo.at[i].symbol, s->value, s->type, s->infix, s->right};
    if (vec_push(&kept, ml->mem, MEM_MODEL, now)) return vec_free(&kept, ml->mem), -1;
  }
  ml_scope_leave(ml, before);
  int status = 0;
  for (size_t i = 0; !status && i < kept.count; i++) {
    struct ml_symbol *s = kept.at[i].symbol;
    if (s->value == kept.at[i].value && s->type == kept.at[i].type && s->infix == kept.at[i].infix &&
        s->right == kept.at[i].right)
      continue;
    status = remember(ml, s);
    s->value = kept.at[i].value;
    s->type = kept.at[i].type;
    s->infix = kept.at[i].infix;
    s->right = kept.at[i].right;
  }
  vec_free(&kept, ml->mem);
  return status;
}

struct ml_meaning *ml_meaning(const struct ml *ml, const char *name) {
  struct ml_meaning *m = ml_symbol(name)->value;
  if (ml->in_prelude)
    while (m && !m->everybodys) m = m->outer;
  return m;
}

int ml_mean_bottom(struct ml_symbol *s, struct ml_meaning *bottom) {
  struct ml_meaning **m = &s->value;
  while (*m) m = &(*m)->outer;
  *m = bottom;
  bottom->bottom = bottom->everybodys = 1;
  return 0;
}
