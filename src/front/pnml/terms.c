/* terms.c -- colours, multisets and conditions of symmetric nets, as PNML nests them.
 *
 *   <numberof> <subterm><numberconstant value="2"/></subterm> <subterm> TERM </subterm> </numberof>      2'TERM
 *   <tuple>, <add>, <subtract>, <scalarproduct>, <all>, <successor>, <equality>, <and>, ...
 *
 * A tuple of one part is that part.  A tuple that has a multiset among its parts stands for every choice.  Terms are as deep as the XML, of which the reader allows 1000 elements. */
#include "front/pnml/symmetric.h"

#include <stdlib.h>
#include <string.h>

static int is(const struct xml_element *e, const char *name) { return strcmp(e->name, name) == 0; }

static struct symmetric_term *fail(struct pnml_colours *c, const struct xml_element *e, const char *what) {
  char shown[80];
  err_input(c->err, e->at, "<%s>: %s", err_quote(shown, sizeof shown, e->name, strlen(e->name)), what);
  return NULL;
}

static struct symmetric_term *no_memory(struct pnml_colours *c) {
  err_memory(c->err, "the terms of the net");
  return NULL;
}

static struct symmetric_term *make(struct pnml_colours *c, enum symmetric_kind kind, const struct symmetric_sort *sort, uint32_t parts) {
  struct symmetric_term *t = arena_alloc(&c->net->arena, sizeof *t);
  if (!t || !(t->part = arena_alloc(&c->net->arena, (parts + (size_t)1) * sizeof *t->part))) return no_memory(c);
  t->kind = kind;
  t->sort = sort;
  t->parts = parts;
  return t;
}

static struct symmetric_term *make_value(struct pnml_colours *c, enum symmetric_kind kind, const struct symmetric_sort *sort, uint64_t value) {
  struct symmetric_term *t = make(c, kind, sort, 0);
  if (t) t->value = value;
  return t;
}

/* ---- parts --------------------------------------------------------------------------------------------------------------------- */

static const struct xml_element *nth(const struct xml_element *e, uint32_t n) {
  const struct xml_element *x = xml_child(e, "subterm");
  while (x && n--) x = xml_next(x, "subterm");
  return x;
}

/* What is inside the n-th <subterm>, or NULL. */
static const struct xml_element *subterm(const struct xml_element *e, uint32_t n) {
  const struct xml_element *x = nth(e, n);
  return x ? x->first : NULL;
}

static uint32_t subterms(const struct xml_element *e) {
  uint32_t n = 0;
  for (const struct xml_element *x = e->first; x; x = x->next) n += is(x, "subterm");
  return n;
}

static struct symmetric_term *read_inside(struct pnml_colours *c, const struct xml_element *e, const struct xml_element *part, const struct symmetric_sort *wanted) {
  if (!part || !part->first) return fail(c, part ? part : e, "a part is missing");
  if (part->first->next) return fail(c, part->first->next, "a <subterm> has one term, and this is a second one");
  return pnml_term(c, part->first, wanted);
}

static struct symmetric_term *read_part(struct pnml_colours *c, const struct xml_element *e, uint32_t n, const struct symmetric_sort *wanted) { return read_inside(c, e, nth(e, n), wanted); }

static struct symmetric_term *read_only(struct pnml_colours *c, const struct xml_element *e, const struct symmetric_sort *wanted) {
  return subterms(e) > 1 ? fail(c, e, "it has one part only") : read_part(c, e, 0, wanted);
}

static int read_number(struct pnml_colours *c, const struct xml_element *e, uint64_t *out) {
  const char *text = e && is(e, "numberconstant") ? xml_attribute(e, "value") : NULL;
  char *end = NULL;
  unsigned long long n = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
  if (!end || *end || n > INT32_MAX) return -1;
  (void)c;
  *out = n;
  return 0;
}

/* ---- colours ------------------------------------------------------------------------------------------------------------------- */

static struct symmetric_term *read_declared(struct pnml_colours *c, const struct xml_element *e, const char *attribute, enum pnml_declared_kind kind) {
  const char *id = xml_attribute(e, attribute);
  const struct pnml_declared *d = id ? pnml_find(c, id) : NULL;
  if (!d || d->kind != kind) {
    char shown[80];
    c->unknown = !d;
    err_input(c->err, e->at, "no %s \"%s\" is declared", kind == PNML_VARIABLE ? "variable" : "constant", err_quote(shown, sizeof shown, id ? id : "", id ? strlen(id) : 0));
    return NULL;
  }
  return make_value(c, kind == PNML_VARIABLE ? SYMMETRIC_VARIABLE : SYMMETRIC_COLOUR, d->sort, d->value);
}

/* Models write constants of a place's range with other bounds than the range's own: what counts is the number. */
static struct symmetric_term *read_range_constant(struct pnml_colours *c, const struct xml_element *e, const struct symmetric_sort *wanted) {
  const struct xml_element *range = e->first;
  const struct symmetric_sort *sort = range ? pnml_sort(c, range) : wanted;
  const char *text = xml_attribute(e, "value");
  char *end = NULL;
  long long n = text ? strtoll(text, &end, 10) : 0;
  if (c->err->kind) return NULL;
  if (!sort || sort->kind != SYMMETRIC_RANGE) return fail(c, e, "it does not say which range it belongs to");
  if (!text || end == text || *end || n < sort->low || (uint64_t)(n - sort->low) >= sort->size) return fail(c, e, "the number is outside its range");
  if (wanted && wanted->kind == SYMMETRIC_RANGE && n >= wanted->low && (uint64_t)(n - wanted->low) < wanted->size) sort = wanted;
  return make_value(c, SYMMETRIC_COLOUR, sort, (uint64_t)(n - sort->low));
}

static struct symmetric_term *read_tuple(struct pnml_colours *c, const struct xml_element *e, const struct symmetric_sort *wanted) {
  uint32_t parts = subterms(e);
  if (!parts) return fail(c, e, "a tuple of nothing");
  if (parts == 1) return read_part(c, e, 0, wanted);
  const struct symmetric_sort *fitting = wanted && wanted->kind == SYMMETRIC_PRODUCT && wanted->parts == parts ? wanted : NULL, **sort;
  struct symmetric_term *t = make(c, SYMMETRIC_TUPLE, NULL, parts);
  if (!t || !(sort = arena_alloc(&c->net->arena, parts * sizeof *sort))) return t ? no_memory(c) : NULL;
  const struct xml_element *part = xml_child(e, "subterm");
  for (uint32_t i = 0; i < parts; i++, part = xml_next(part, "subterm")) {
    if (!(t->part[i] = read_inside(c, e, part, fitting ? fitting->part[i] : NULL))) return NULL;
    if (symmetric_is_condition(t->part[i])) return fail(c, e, "a part is a condition");
    if (symmetric_is_multiset(t->part[i])) t->kind = SYMMETRIC_CHOICES;
    sort[i] = t->part[i]->sort;
    if (fitting && !symmetric_same_sort(sort[i], fitting->part[i])) fitting = NULL;
  }
  t->sort = fitting ? fitting : pnml_product(c, "", sort, parts, e->at);
  return t->sort ? t : NULL;
}

static struct symmetric_term *read_neighbour(struct pnml_colours *c, const struct xml_element *e, const struct symmetric_sort *wanted, enum symmetric_kind kind) {
  struct symmetric_term *x = read_only(c, e, wanted), *t;
  if (!x) return NULL;
  if (!symmetric_is_colour(x)) return fail(c, e, "only colours have neighbours");
  if (!x->sort->cyclic) return fail(c, e, "only colours of cyclic enumerations have neighbours");
  if (!(t = make(c, kind, x->sort, 1))) return NULL;
  t->part[0] = x;
  return t;
}

static struct symmetric_term *read_element(struct pnml_colours *c, const struct xml_element *e) {
  const char *id = xml_attribute(e, "refpartition");
  const struct pnml_declared *d = id ? pnml_find(c, id) : NULL;
  struct symmetric_term *x = read_only(c, e, d && d->kind == PNML_PARTITION ? d->divided : NULL), *t;
  if (!x) return NULL;
  if (!d || d->kind != PNML_PARTITION) return fail(c, e, "no such partition is declared");
  if (!symmetric_is_colour(x)) return fail(c, e, "only colours belong to elements of partitions");
  if (!symmetric_same_sort(x->sort, d->divided)) return fail(c, e, "the colour is not of the sort that the partition divides");
  if (!(t = make(c, SYMMETRIC_ELEMENT, d->sort, 1))) return NULL;
  t->part[0] = x;
  t->map = d->map;
  return t;
}

/* ---- multisets ------------------------------------------------------------------------------------------------------------------ */

static struct symmetric_term *read_all(struct pnml_colours *c, const struct xml_element *e) {
  const struct symmetric_sort *sort = e->first ? pnml_sort(c, e->first) : NULL;
  if (!sort) return c->err->kind ? NULL : fail(c, e, "of which sort?");
  return make(c, SYMMETRIC_ALL, sort, 0);
}

/* numberof and scalarproduct: a number, and what is to be had so many times. */
static struct symmetric_term *read_times(struct pnml_colours *c, const struct xml_element *e, const struct symmetric_sort *wanted) {
  uint64_t n = 1;
  uint32_t parts = subterms(e);
  if (parts == 2 && read_number(c, subterm(e, 0), &n)) return fail(c, e, "the first part must be a number below 2^31");
  if (parts != 1 && parts != 2) return fail(c, e, "it needs a number and a colour");
  struct symmetric_term *x = read_part(c, e, parts - 1, wanted), *t;
  if (!x) return NULL;
  if (symmetric_is_condition(x)) return fail(c, e, "a condition is no token");
  if (!(t = make(c, SYMMETRIC_TIMES, x->sort, 1))) return NULL;
  t->value = n;
  t->part[0] = x;
  return t;
}

/* A sum; or the parts from `first` on as one. */
static struct symmetric_term *read_sum(struct pnml_colours *c, const struct xml_element *e, const struct symmetric_sort *wanted, uint32_t first) {
  uint32_t parts = subterms(e);
  const struct xml_element *part = nth(e, first);
  if (parts <= first) return fail(c, e, "it has no parts");
  struct symmetric_term *t = make(c, SYMMETRIC_SUM, NULL, parts - first);
  for (uint32_t i = 0; t && part; i++, part = xml_next(part, "subterm")) {
    if (!(t->part[i] = read_inside(c, e, part, wanted ? wanted : t->sort))) return NULL;
    if (symmetric_is_condition(t->part[i])) return fail(c, e, "a condition is no token");
    if (t->sort && !symmetric_same_sort(t->sort, t->part[i]->sort)) return fail(c, e, "its parts are of different sorts");
    if (!t->sort) t->sort = t->part[i]->sort;
  }
  return t;
}

/* a - b - c is a without (b + c): the first part must contain all others together. */
static struct symmetric_term *read_difference(struct pnml_colours *c, const struct xml_element *e, const struct symmetric_sort *wanted) {
  if (subterms(e) < 2) return read_sum(c, e, wanted, 0);
  struct symmetric_term *t = make(c, SYMMETRIC_DIFFERENCE, NULL, 2);
  if (!t || !(t->part[0] = read_part(c, e, 0, wanted)) || !(t->part[1] = read_sum(c, e, t->part[0]->sort ? t->part[0]->sort : wanted, 1))) return NULL;
  if (symmetric_is_condition(t->part[0])) return fail(c, e, "a condition is no token");
  t->sort = t->part[0]->sort;
  return symmetric_same_sort(t->sort, t->part[1]->sort) ? t : fail(c, e, "its parts are of different sorts");
}

/* ---- conditions ------------------------------------------------------------------------------------------------------------------- */

/* Both parts, the one that is numbered `first` before the other, whose sort it tells. */
static struct symmetric_term *compare(struct pnml_colours *c, const struct xml_element *e, enum symmetric_kind kind, uint32_t first) {
  struct symmetric_term *t = make(c, kind, NULL, 2);
  if (!t || !(t->part[first] = read_part(c, e, first, NULL)) || !(t->part[!first] = read_part(c, e, !first, t->part[first]->sort))) return NULL;
  if (!symmetric_is_colour(t->part[0]) || !symmetric_is_colour(t->part[1])) return fail(c, e, "only colours are compared");
  if (!symmetric_same_sort(t->part[0]->sort, t->part[1]->sort)) return fail(c, e, "colours of different sorts are compared");
  return t;
}

/* Of constants of a range the sort may only be known by what they are compared with: that is what comes second, too. */
static struct symmetric_term *read_comparison(struct pnml_colours *c, const struct xml_element *e, enum symmetric_kind kind) {
  if (subterms(e) != 2) return fail(c, e, "a comparison has two parts");
  struct symmetric_term *t = compare(c, e, kind, 0);
  if (t || c->err->kind != ERR_INPUT) return t;
  struct err said = *c->err;
  int unknown = c->unknown;
  err_clear(c->err);
  if (!(t = compare(c, e, kind, 1)) && c->err->kind == ERR_INPUT) *c->err = said, c->unknown = unknown;
  return t;
}

/* A boolean colour: is it true? */
static struct symmetric_term *is_true(struct pnml_colours *c, struct symmetric_term *x) {
  struct symmetric_term *asked = make(c, SYMMETRIC_EQUAL, NULL, 2);
  if (!asked || !(asked->part[1] = make_value(c, SYMMETRIC_COLOUR, c->truth, 1))) return NULL;
  asked->part[0] = x;
  return asked;
}

struct symmetric_term *pnml_condition(struct pnml_colours *c, const struct xml_element *e) {
  struct symmetric_term *x = pnml_term(c, e, c->truth);
  if (!x || symmetric_is_condition(x)) return x;
  return symmetric_is_colour(x) && x->sort == c->truth ? is_true(c, x) : fail(c, e, "this is no condition: it must be true or false");
}

static struct symmetric_term *read_condition(struct pnml_colours *c, const struct xml_element *e, enum symmetric_kind kind) {
  uint32_t parts = subterms(e);
  struct symmetric_term *t = make(c, kind, NULL, parts);
  if (!t) return NULL;
  if (kind == SYMMETRIC_NOT ? parts != 1 : kind == SYMMETRIC_IMPLIES ? parts != 2 : !parts) return fail(c, e, "the number of its parts is not right");
  const struct xml_element *part = xml_child(e, "subterm");
  for (uint32_t i = 0; i < parts; i++, part = xml_next(part, "subterm")) {
    if (!part->first || part->first->next) return read_inside(c, e, part, c->truth); /* says what is wrong */
    if (!(t->part[i] = pnml_condition(c, part->first))) return NULL;
  }
  return t;
}

/* What other high-level nets have, and why it is not read here. */
static struct symmetric_term *refuse(struct pnml_colours *c, const struct xml_element *e) {
  static const char *const counting[] = {"cardinality", "cardinalityof", "contains", "numberconstant", "addition", "subtraction", "mult", "div", "mod", "natural", "integer", "positive"};
  static const char *const texts[] = {"stringconstant", "concatenation", "stringconcatenation", "stringappend", "stringlength", "substring", "emptylist", "makelist", "append", "listappend", "listconcatenation", "listlength", "memberatindex", "sublist"};
  for (size_t i = 0; i < sizeof counting / sizeof *counting; i++)
    if (is(e, counting[i])) return fail(c, e, "numbers are no colours of symmetric nets: they count tokens (<numberof>), and nothing else can be asked of them");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (is(e, texts[i])) return fail(c, e, "strings and lists belong to high-level nets beyond symmetric ones: their colours cannot be counted");
  return fail(c, e, "this is no term of symmetric nets");
}

struct symmetric_term *pnml_term(struct pnml_colours *c, const struct xml_element *e, const struct symmetric_sort *wanted) {
  static const struct {
    const char *name;
    enum symmetric_kind kind;
  } compared[] = {{"equality", SYMMETRIC_EQUAL},        {"inequality", SYMMETRIC_UNEQUAL},       {"lessthan", SYMMETRIC_LESS},     {"lessthanorequal", SYMMETRIC_AT_MOST},
                  {"greaterthan", SYMMETRIC_GREATER},   {"greaterthanorequal", SYMMETRIC_AT_LEAST}, {"ltp", SYMMETRIC_LESS},       {"gtp", SYMMETRIC_GREATER},
                  {"lt", SYMMETRIC_LESS},               {"leq", SYMMETRIC_AT_MOST},              {"gt", SYMMETRIC_GREATER},        {"geq", SYMMETRIC_AT_LEAST}},
    joined[] = {{"and", SYMMETRIC_AND}, {"or", SYMMETRIC_OR}, {"not", SYMMETRIC_NOT}, {"imply", SYMMETRIC_IMPLIES}};
  for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
    if (is(e, compared[i].name)) return read_comparison(c, e, compared[i].kind);
  for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
    if (is(e, joined[i].name)) return read_condition(c, e, joined[i].kind);
  if (is(e, "variable")) return read_declared(c, e, "refvariable", PNML_VARIABLE);
  if (is(e, "useroperator")) return read_declared(c, e, "declaration", PNML_CONSTANT);
  if (is(e, "dotconstant")) return make_value(c, SYMMETRIC_COLOUR, c->dot, 0);
  if (is(e, "finiteintrangeconstant")) return read_range_constant(c, e, wanted);
  if (is(e, "tuple")) return read_tuple(c, e, wanted);
  if (is(e, "successor")) return read_neighbour(c, e, wanted, SYMMETRIC_SUCCESSOR);
  if (is(e, "predecessor")) return read_neighbour(c, e, wanted, SYMMETRIC_PREDECESSOR);
  if (is(e, "partitionelementof")) return read_element(c, e);
  if (is(e, "all")) return read_all(c, e);
  if (is(e, "numberof") || is(e, "scalarproduct")) return read_times(c, e, wanted);
  if (is(e, "add")) return read_sum(c, e, wanted, 0);
  if (is(e, "subtract")) return read_difference(c, e, wanted);
  if (is(e, "empty")) {
    const struct symmetric_sort *sort = e->first ? pnml_sort(c, e->first) : wanted;
    if (!sort) return c->err->kind ? NULL : fail(c, e, "of which sort?");
    return make(c, SYMMETRIC_SUM, sort, 0);
  }
  if (is(e, "booleanconstant")) {
    const char *value = xml_attribute(e, "value");
    int yes = value && strcmp(value, "true") == 0;
    return wanted == c->truth ? make_value(c, SYMMETRIC_COLOUR, c->truth, (uint64_t)yes) : make_value(c, SYMMETRIC_TRUTH, NULL, (uint64_t)yes);
  }
  return refuse(c, e);
}
