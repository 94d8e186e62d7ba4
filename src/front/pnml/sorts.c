/* sorts.c -- what a symmetric net declares: sorts, variables, constants, partitions.
 *
 *   <namedsort id="C"> <cyclicenumeration> <feconstant id="red"/> ... | <finiteenumeration> | <finiteintrange start="1" end="5"/> | <productsort> | <dot/> | <bool/>
 *   <variabledecl id="x"> <usersort declaration="C"/>
 *   <partition id="P"> <usersort declaration="C"/> <partitionelement id="warm"> <useroperator declaration="red"/> ...
 *
 * Sorts may be used before they are declared: those that cannot be read yet are tried again until none of them can. */
#include "front/pnml/symmetric.h"

#include "front/text.h"
#include "net/names.h"

#include <stdlib.h>
#include <string.h>

static int is(const struct xml_element *e, const char *name) { return strcmp(e->name, name) == 0; }

static const struct symmetric_sort *no_memory(struct pnml_colours *c) {
  err_memory(c->err, "the colours of the net");
  return NULL;
}

const struct pnml_declared *pnml_find(const struct pnml_colours *c, const char *id) {
  uint32_t n = names_find(c->ids, id, strlen(id));
  return n == NAMES_NONE ? NULL : &c->declared.at[n];
}

static int declare(struct pnml_colours *c, const struct xml_element *e, const char *id, struct pnml_declared what) {
  char shown[80];
  if (!id || !*id) return err_input(c->err, e->at, "this <%s> has no id", e->name);
  if (pnml_find(c, id)) return err_input(c->err, e->at, "\"%s\" is declared twice", err_quote(shown, sizeof shown, id, strlen(id)));
  if (names_put(c->ids, id, strlen(id), &c->net->arena) == NAMES_NONE || vec_push(&c->declared, c->net->mem, MEM_MODEL, what)) return err_memory(c->err, "the colours of the net");
  return 0;
}

/* ---- sorts ------------------------------------------------------------------------------------------------------------------- */

static struct symmetric_sort *new_sort(struct pnml_colours *c, enum symmetric_sort_kind kind, const char *id) {
  struct symmetric_sort *s = arena_alloc(&c->net->arena, sizeof *s);
  if (!s || !(s->id = arena_strndup(&c->net->arena, id, strlen(id)))) return (struct symmetric_sort *)(uintptr_t)no_memory(c);
  s->kind = kind;
  s->size = 1;
  return s;
}

const struct symmetric_sort *pnml_product(struct pnml_colours *c, const char *id, const struct symmetric_sort *const *part, uint32_t parts, struct place_in_text at) {
  struct symmetric_sort *s = new_sort(c, SYMMETRIC_PRODUCT, id);
  if (!s) return NULL;
  s->part = arena_alloc(&c->net->arena, (parts + (size_t)1) * sizeof *s->part);
  if (!s->part) return no_memory(c);
  s->parts = parts;
  for (uint32_t i = 0; i < parts; i++) {
    s->part[i] = part[i];
    if (part[i]->size && s->size > SYMMETRIC_MOST_COLOURS / part[i]->size) {
      err_input(c->err, at, "this product has more than 2^40 colours");
      return NULL;
    }
    s->size *= part[i]->size;
  }
  return s;
}

static const struct symmetric_sort *read_enumeration(struct pnml_colours *c, const struct xml_element *e, const char *id) {
  struct symmetric_sort *s = new_sort(c, SYMMETRIC_ENUMERATION, id);
  uint64_t n = 0;
  if (!s) return NULL;
  for (const struct xml_element *x = e->first; x; x = x->next) n += is(x, "feconstant");
  s->constant = arena_alloc(&c->net->arena, (n + 1) * sizeof *s->constant);
  if (!s->constant) return no_memory(c);
  s->cyclic = is(e, "cyclicenumeration");
  s->size = n;
  n = 0;
  for (const struct xml_element *x = e->first; x; x = x->next) {
    if (!is(x, "feconstant")) continue;
    const char *constant = xml_attribute(x, "id"), *name = xml_attribute(x, "name");
    if (declare(c, x, constant, (struct pnml_declared){.kind = PNML_CONSTANT, .sort = s, .value = n})) return NULL;
    if (!(s->constant[n++] = arena_strndup(&c->net->arena, name && *name ? name : constant, strlen(name && *name ? name : constant)))) return no_memory(c);
  }
  if (!n) {
    err_input(c->err, e->at, "an enumeration without constants has no colours");
    return NULL;
  }
  return s;
}

static int read_integer(struct pnml_colours *c, const struct xml_element *e, const char *attribute, int64_t *out) {
  const char *text = xml_attribute(e, attribute);
  char *end = NULL;
  long long n = text ? strtoll(text, &end, 10) : 0;
  if (!text || end == text || *end || n < -1000000000 || n > 1000000000) return err_input(c->err, e->at, "this <%s> needs a whole number as its %s", e->name, attribute);
  *out = n;
  return 0;
}

static const struct symmetric_sort *read_range(struct pnml_colours *c, const struct xml_element *e, const char *id) {
  int64_t low, high;
  if (read_integer(c, e, "start", &low) || read_integer(c, e, "end", &high)) return NULL;
  if (high < low) {
    err_input(c->err, e->at, "the range from %lld to %lld has no colours", (long long)low, (long long)high);
    return NULL;
  }
  struct symmetric_sort *s = new_sort(c, SYMMETRIC_RANGE, id);
  if (!s) return NULL;
  s->low = low;
  s->size = (uint64_t)(high - low) + 1;
  return s;
}

static const struct symmetric_sort *read_product(struct pnml_colours *c, const struct xml_element *e, const char *id) {
  struct vec(const struct symmetric_sort *) part = {0};
  const struct symmetric_sort *s = NULL;
  for (const struct xml_element *x = e->first; x; x = x->next) {
    if (!(s = pnml_sort(c, x))) break;
    if (vec_push(&part, c->net->mem, MEM_OTHER, s)) s = no_memory(c);
    if (!s) break;
  }
  if (s) s = part.count == 1 ? s : pnml_product(c, id, part.at, (uint32_t)part.count, e->at);
  else if (!c->err->kind) err_input(c->err, e->at, "a product of nothing");
  vec_free(&part, c->net->mem);
  return s;
}

static const struct symmetric_sort *read_sort(struct pnml_colours *c, const struct xml_element *e, const char *id) {
  char shown[80];
  if (is(e, "dot")) return c->dot;
  if (is(e, "bool")) return c->truth;
  if (is(e, "cyclicenumeration") || is(e, "finiteenumeration")) return read_enumeration(c, e, id);
  if (is(e, "finiteintrange")) return read_range(c, e, id);
  if (is(e, "productsort")) return read_product(c, e, id);
  if (is(e, "multisetsort") && e->first) return pnml_sort(c, e->first);
  if (is(e, "usersort")) {
    const char *name = xml_attribute(e, "declaration");
    const struct pnml_declared *d = name ? pnml_find(c, name) : NULL;
    if (d && (d->kind == PNML_SORT || d->kind == PNML_PARTITION)) return d->sort;
    c->unknown = !d;
    err_input(c->err, e->at, "no sort \"%s\" is declared", err_quote(shown, sizeof shown, name ? name : "", name ? strlen(name) : 0));
    return NULL;
  }
  err_input(c->err, e->at, "<%s> is no sort of symmetric nets", err_quote(shown, sizeof shown, e->name, strlen(e->name)));
  err_hint(c->err, "dot, bool, finite and cyclic enumerations, ranges of integers and their products are read");
  return NULL;
}

const struct symmetric_sort *pnml_sort(struct pnml_colours *c, const struct xml_element *e) { return read_sort(c, e, ""); }

/* ---- partitions --------------------------------------------------------------------------------------------------------------- */

static int read_partition(struct pnml_colours *c, const struct xml_element *e, const char *id) {
  const struct symmetric_sort *divided = e->first && !is(e->first, "partitionelement") ? pnml_sort(c, e->first) : NULL;
  if (!divided) return c->err->kind ? -1 : err_input(c->err, e->at, "this partition does not say which sort it divides");
  uint64_t n = 0, elements = 0;
  for (const struct xml_element *x = e->first; x; x = x->next) elements += is(x, "partitionelement");
  struct symmetric_sort *s = new_sort(c, SYMMETRIC_ENUMERATION, id);
  uint32_t *map = divided->size < 1 << 24 ? arena_alloc(&c->net->arena, (divided->size + 1) * sizeof *map) : NULL;
  if (!s) return -1;
  if (!map || !(s->constant = arena_alloc(&c->net->arena, (elements + 1) * sizeof *s->constant))) return err_memory(c->err, "the colours of the net");
  memset(map, 255, (divided->size + 1) * sizeof *map);
  s->size = elements;
  for (const struct xml_element *x = e->first; x; x = x->next) {
    if (!is(x, "partitionelement")) continue;
    const char *name = xml_attribute(x, "id");
    if (declare(c, x, name, (struct pnml_declared){.kind = PNML_CONSTANT, .sort = s, .value = n})) return -1;
    if (!(s->constant[n] = arena_strndup(&c->net->arena, name, strlen(name)))) return err_memory(c->err, "the colours of the net");
    for (const struct xml_element *y = x->first; y; y = y->next) {
      struct symmetric_term *t = pnml_term(c, y, divided);
      if (!t) return -1;
      if (t->kind != SYMMETRIC_COLOUR || !symmetric_same_sort(t->sort, divided)) return err_input(c->err, y->at, "this is no constant of the sort that is divided");
      if (map[t->value] != UINT32_MAX) return err_input(c->err, y->at, "a colour belongs to two elements of this partition");
      map[t->value] = (uint32_t)n;
    }
    n++;
  }
  for (uint64_t k = 0; k < divided->size; k++)
    if (map[k] == UINT32_MAX) return err_input(c->err, e->at, "this partition leaves out a colour of its sort");
  return declare(c, e, id, (struct pnml_declared){.kind = PNML_PARTITION, .sort = s, .divided = divided, .map = map});
}

/* ---- all of them ----------------------------------------------------------------------------------------------------------------- */

static int read_one(struct pnml_colours *c, const struct xml_element *e) {
  const char *id = xml_attribute(e, "id");
  char shown[80];
  if (is(e, "namedsort")) {
    if (!id) return err_input(c->err, e->at, "this <namedsort> has no id");
    if (e->first && is(e->first, "partition")) return read_partition(c, e->first, id);
    const struct symmetric_sort *s = e->first ? read_sort(c, e->first, id) : NULL;
    if (!s) return c->err->kind ? -1 : err_input(c->err, e->at, "this sort is empty");
    return declare(c, e, id, (struct pnml_declared){.kind = PNML_SORT, .sort = s});
  }
  if (is(e, "partition")) return read_partition(c, e, id ? id : "");
  if (is(e, "variabledecl")) {
    const struct symmetric_sort *s = e->first ? pnml_sort(c, e->first) : NULL;
    if (!s) return c->err->kind ? -1 : err_input(c->err, e->at, "this variable has no sort");
    uint64_t number = c->net->variables.count;
    if (declare(c, e, id, (struct pnml_declared){.kind = PNML_VARIABLE, .sort = s, .value = number})) return -1;
    const char *copy = arena_strndup(&c->net->arena, id, strlen(id));
    return !copy || vec_push(&c->net->variables, c->net->mem, MEM_MODEL, (struct symmetric_variable){copy, s}) ? err_memory(c->err, "the colours of the net") : 0;
  }
  err_input(c->err, e->at, "<%s> is no declaration of symmetric nets", err_quote(shown, sizeof shown, e->name, strlen(e->name)));
  err_hint(c->err, "sorts, variables and partitions are read");
  return -1;
}

struct element_list vec(const struct xml_element *);

static int collect(struct pnml_colours *c, const struct xml_element *e, struct element_list *all) {
  for (const struct xml_element *x = e->first; x; x = x->next) {
    if (is(x, "page") && collect(c, x, all)) return -1;
    if (!is(x, "declaration")) continue;
    const struct xml_element *structure = xml_child(x, "structure"), *declarations = structure ? xml_child(structure, "declarations") : NULL;
    for (const struct xml_element *d = declarations ? declarations->first : NULL; d; d = d->next)
      if (vec_push(all, c->net->mem, MEM_OTHER, d)) return err_memory(c->err, "the colours of the net");
  }
  return 0;
}

int pnml_declare(struct pnml_colours *c, const struct xml_element *net) {
  static const char *truth[] = {"false", "true"};
  struct element_list all = {0};
  struct symmetric_sort *dot = new_sort(c, SYMMETRIC_DOT, "dot"), *boolean = new_sort(c, SYMMETRIC_ENUMERATION, "bool");
  if (!dot || !boolean) return -1;
  boolean->size = 2;
  boolean->constant = truth;
  c->dot = dot;
  c->truth = boolean;
  int bad = collect(c, net, &all), progress = 1;
  while (!bad && progress && all.count) {
    size_t left = 0;
    struct err first = {0};
    progress = 0;
    for (size_t i = 0; i < all.count; i++) {
      c->unknown = 0;
      if (read_one(c, all.at[i]) == 0) {
        progress = 1;
        continue;
      }
      if (!first.kind || !c->unknown) first = *c->err;
      if (!c->unknown) {
        bad = -1;
        break;
      }
      all.at[left++] = all.at[i];
      err_clear(c->err);
    }
    all.count = left;
    for (size_t i = 0; i < left / 2; i++) { /* what stands in the order of use, and what stands the other way round, takes two passes */
      const struct xml_element *swap = all.at[i];
      all.at[i] = all.at[left - 1 - i];
      all.at[left - 1 - i] = swap;
    }
    if (bad || !progress) *c->err = first, bad = -1;
  }
  vec_free(&all, c->net->mem);
  return bad;
}
