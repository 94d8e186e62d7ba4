/* condition.c -- questions about markings in CPN ML: invariants, atoms of formulas.
 *
 *   size Waiting > 1          Mark.Top'Waiting 1 = empty          cf((3,1), Sent) = 0 orelse Inactive <<= DBM.all()
 *
 * Names of places stand for their markings, multisets without time.  A place may be called as everywhere (colour.h), where that is a name in ML (no blanks), or as in CPN Tools:
 * Mark.Page'Place 1, which is one name here.  Every name of the text that is a place's stands for the place: variables of the net have no
 * meaning in a question.
 *
 * References of the net that are part of its state are read as in inscriptions: !r.
 *
 * Temporal formulas end their atoms where their own operators begin.  What stands in quotes as a whole is one atom for them, and is read here without the quotes.
 *
 * Answers are remembered by the markings of the places that the question speaks of.  Whoever asks (a cursor) has a machine and a memory of his own, so that several threads ask at once. */
#include "colour/colour_model.h"

#include "ml/references.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PLACES_MOST = 64, KNOWN = 1024, KNOWN_PLACES = 4 };

/* Truth by the markings of the places: a table that forgets. */
struct known {
  uint32_t marking[KNOWN_PLACES], there;
  int64_t value;
};

/* Who asks. */
struct colour_asked {
  struct ml_machine *machine;
  struct ml_heap *heap;
  ml_value *variable;
  size_t room;
  struct implied_scratch scratch;
  struct vec(struct known *) known; /* per condition; NULL = answers are computed */
};

struct asking {
  struct colour_model *m;
  char *text; /* a copy, as long as the original */
  size_t length;
  struct ml_extra extra[PLACES_MOST];
  uint32_t place[PLACES_MOST], variable[PLACES_MOST];
  size_t count;
  struct err *e;
};

static int in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\'' || c == '.'; }

/* Mark.Page'Place 1 -> Page'Place'1, padded: columns stay what they were. Returns the length of the new name. */
static size_t rename_mark(struct asking *a, size_t at, size_t name, uint32_t *number) {
  size_t digits = at + name, end;
  while (digits < a->length && isspace((unsigned char)a->text[digits])) digits++;
  for (end = digits, *number = 0; end < a->length && isdigit((unsigned char)a->text[end]); end++) *number = *number * 10 + (uint32_t)(a->text[end] - '0');
  if (end == digits || end - digits > 7) return 0;
  size_t own = name - 5, count = end - digits;
  char kept[8];
  memcpy(kept, a->text + digits, count);
  memmove(a->text + at, a->text + at + 5, own);
  a->text[at + own] = '\'';
  memcpy(a->text + at + own + 1, kept, count);
  memset(a->text + at + own + 1 + count, ' ', end - at - own - 1 - count);
  return own + 1 + count;
}

static struct ml_type *marking_type(struct asking *a, const struct net_place *p) {
  struct ml_type *t = arena_alloc(&a->m->net->arena, sizeof *t);
  struct ml_type **part = arena_alloc(&a->m->net->arena, sizeof *part);
  if (!t || !part) return NULL;
  *part = p->colset->type;
  *t = (struct ml_type){.kind = ML_TYPE_MULTISET, .parts = 1, .part = part};
  return t;
}

static int admit(struct asking *a, const char *name, size_t length, int64_t place) {
  const char *kept = ml_name(a->m->net->ml, name, length);
  if (!kept) return err_memory(a->e, "an expression");
  for (size_t i = 0; i < a->count; i++)
    if (a->extra[i].name == kept) return 0;
  if (a->count == PLACES_MOST) return err_limit(a->e, "an expression speaks of more than %d places", PLACES_MOST);
  struct ml_type *type = marking_type(a, &a->m->net->places.at[place]);
  if (!type) return err_memory(a->e, "an expression");
  a->extra[a->count] = (struct ml_extra){kept, type};
  a->place[a->count++] = (uint32_t)place;
  return 0;
}

static int read_name(struct asking *a, size_t at, size_t length) {
  struct net *net = a->m->net;
  const char *name = a->text + at;
  char shown[100];
  if (length > 5 && strncmp(name, "Mark.", 5) == 0) {
    uint32_t number;
    char full[300];
    size_t fresh = rename_mark(a, at, length, &number);
    if (!fresh) return err_usage(a->e, "\"%s\" lacks the number of its instance: Mark.Page'Place 1", err_quote(shown, sizeof shown, name, length));
    int n = snprintf(full, sizeof full, "%.*s %u", (int)(length - 5 < 250 ? length - 5 : 250), a->text + at, number);
    int64_t place = net_find_place(net, full, (size_t)n);
    if (place < 0) return err_usage(a->e, "there is no place \"%s\"", err_quote(shown, sizeof shown, full, (size_t)n));
    return admit(a, a->text + at, fresh, place);
  }
  int64_t place = net_find_place(net, name, length);
  if (place >= net_drawn_places(net)) return 0; /* the name of a reference is itself: !r */
  if (place == -2) {
    err_usage(a->e, "several places are called \"%s\"", err_quote(shown, sizeof shown, name, length));
    err_hint(a->e, "Mark.Page'%s 1 names one of them", shown);
    return -1;
  }
  return place >= 0 ? admit(a, name, length, place) : 0;
}

static int read_names(struct asking *a) {
  for (size_t i = 0; i < a->length;) {
    if (a->text[i] == '"') { /* a string */
      for (i++; i < a->length && a->text[i] != '"'; i++) i += a->text[i] == '\\';
      i++;
    } else if (isalpha((unsigned char)a->text[i])) {
      size_t n = 0;
      while (i + n < a->length && in_name(a->text[i + n])) n++;
      if (read_name(a, i, n)) return -1;
      while (i < a->length && in_name(a->text[i])) i++;
    } else if (isdigit((unsigned char)a->text[i])) {
      while (i < a->length && in_name(a->text[i])) i++;
    } else i++;
  }
  return 0;
}

/* The references that the text reads. */
static int admit_references(struct asking *a, const struct ml_expr *tree, const char *what) {
  struct net *net = a->m->net;
  if (ml_references_find(net->ml, a->e)) return -1; /* functions of the library may be new */
  for (uint64_t left = ml_touches(net->ml, tree).reads; left; left &= left - 1) {
    uint32_t reference = (uint32_t)__builtin_ctzll(left);
    int64_t place = net_reference_place(net, reference);
    if (place == -2) return err_input(a->e, (struct place_in_text){what, 1, 1}, "the reference %s changes, but nothing of the net reads it: it is no part of the state", ml_reference(net->ml, reference)->name);
    if (place < 0) continue;
    if (a->count == PLACES_MOST) return err_limit(a->e, "an expression speaks of more than %d places", PLACES_MOST);
    a->variable[a->count] = ml_reference_variable(net->ml, reference, 0)->variable->number;
    a->place[a->count++] = (uint32_t)place;
  }
  return 0;
}

static int finish(struct asking *a, const char *what) {
  struct colour_model *m = a->m;
  struct net *net = m->net;
  struct mem *mem = m->base.mem;
  const struct ml_expr *tree;
  struct colour_condition c = {.named = (uint32_t)a->count};
  struct ml_text text = {a->text, a->length, {what, 1, 1}, NULL};
  size_t room = (size_t)ml_variables(net->ml) + a->count + 1;
  if (ml_check_with(&tree, net->ml, &text, ML_WANT_ANYTHING, NULL, a->extra, a->count, a->e)) return -1;
  struct ml_type *type = ml_type_find(tree->type);
  c.tree = tree;
  c.boolean = type->kind == ML_TYPE_DATA && strcmp(type->data->name, "bool") == 0;
  if (!c.boolean && type->kind != ML_TYPE_INT) {
    char shown[200];
    return err_usage(a->e, "%s: a question has the type bool, not %s", what, ml_type_print(type, shown, sizeof shown));
  }
  uint32_t number[1 + PLACES_MOST];
  size_t n = ml_free_variables(tree, number, 1 + PLACES_MOST);
  for (size_t i = 0; i < n && i <= PLACES_MOST; i++)
    if (number[i] < ml_variables(net->ml) && ml_reference_of(net->ml, number[i]) < 0)
      return err_usage(a->e, "%s: %s is a variable of the net and has no value in a marking", what, ml_variable(net->ml, number[i])->name);
  for (size_t i = 0; i < a->count; i++) a->variable[i] = ml_variables(net->ml) + (uint32_t)i;
  if (admit_references(a, tree, what)) return -1;
  if (ml_compile(&c.code, net->ml, tree, ML_WANT_ANYTHING, NULL, a->e)) return -1;
  uint32_t *place = arena_alloc(&net->arena, (a->count + 1) * sizeof *place), *of = arena_alloc(&net->arena, (a->count + 1) * sizeof *of);
  ml_value *variable = room > m->asked_room ? mem_resize(mem, MEM_MODEL, m->asked_variable, room * sizeof *variable) : m->asked_variable;
  if (!place || !of || !variable) return err_memory(a->e, "an expression");
  m->asked_variable = variable;
  if (room > m->asked_room) m->asked_room = room;
  if (a->count) memcpy(place, a->place, a->count * sizeof *place), memcpy(of, a->variable, a->count * sizeof *of);
  c.places = (uint32_t)a->count;
  c.place = place;
  c.variable = of;
  return vec_push(&m->conditions, mem, MEM_MODEL, c) ? err_memory(a->e, "an expression") : 0;
}

int64_t colour_condition(const struct model *base, const char *text, size_t length, const char *what, struct err *e) {
  struct colour_model *m = (struct colour_model *)base; /* what a state means does not change */
  struct asking a = {.m = m, .length = length, .e = e};
  a.text = arena_strndup(&m->net->arena, text, length);
  if (!a.text) return err_memory(e, "an expression");
  if (length > 1 && (*text == '"' || *text == '\'') && memchr(text + 1, *text, length - 1) == text + length - 1) a.text[0] = a.text[length - 1] = ' ';
  return read_names(&a) || finish(&a, what) ? -1 : (int64_t)m->conditions.count - 1;
}

void colour_conditions_close(struct colour_model *m) {
  vec_free(&m->conditions, m->base.mem);
  mem_free(m->base.mem, m->asked_variable);
}

/* ---- who asks ------------------------------------------------------------------------------------------------------------------ */

void colour_asked_close(struct colour_cursor *cursor) {
  struct colour_asked *a = cursor->asked;
  struct mem *mem = cursor->base.mem;
  if (!a) return;
  if (a->machine) ml_machine_close(a->machine);
  if (a->heap) ml_heap_close(a->heap);
  for (size_t i = 0; i < a->known.count; i++) mem_free(mem, a->known.at[i]);
  vec_free(&a->known, mem);
  vec_free(&a->scratch.made, cursor->base.model->mem);
  mem_free(mem, a->scratch.sum);
  mem_free(mem, a->scratch.number);
  mem_free(mem, a->variable);
  mem_free(mem, a);
  cursor->asked = NULL;
}

static struct colour_asked *asked_open(struct colour_cursor *cursor) {
  const struct colour_model *m = colour_of(cursor->base.model);
  struct mem *mem = cursor->base.mem;
  struct err e;
  struct colour_asked *a = cursor->asked = mem_alloc(mem, MEM_SEARCH, sizeof *a);
  err_clear(&e);
  if (!a) return NULL;
  a->scratch.number = mem_alloc(mem, MEM_SEARCH, ((size_t)colour_fields(m) + 1) * sizeof *a->scratch.number);
  a->scratch.sum = mem_alloc(mem, MEM_SEARCH, ((size_t)m->implied.most + 1) * sizeof *a->scratch.sum);
  if (a->scratch.number && a->scratch.sum && !ml_heap_open(&a->heap, mem) && !ml_machine_open(&a->machine, m->net->ml, mem, &e)) {
    ml_machine_limit(a->machine, m->net->step_limit);
    return a;
  }
  colour_asked_close(cursor);
  return NULL;
}

/* With room for all conditions that there are by now; NULL: memory. */
static struct colour_asked *asked_of(struct colour_cursor *cursor) {
  const struct colour_model *m = colour_of(cursor->base.model);
  struct colour_asked *a = cursor->asked ? cursor->asked : asked_open(cursor);
  if (!a) return NULL;
  if (a->room < m->asked_room) {
    ml_value *variable = mem_resize(cursor->base.mem, MEM_SEARCH, a->variable, m->asked_room * sizeof *variable);
    if (!variable) return NULL;
    a->variable = variable;
    a->room = m->asked_room;
  }
  while (a->known.count < m->conditions.count) {
    if (vec_reserve(&a->known, cursor->base.mem, MEM_SEARCH, 1)) return NULL;
    struct known *known = m->conditions.at[a->known.count].places > KNOWN_PLACES ? NULL : mem_alloc(cursor->base.mem, MEM_SEARCH, KNOWN * sizeof *known);
    a->known.at[a->known.count++] = known;
  }
  return a;
}

/* ---- answers ------------------------------------------------------------------------------------------------------------------- */

static void spoil(const struct colour_model *m) { __atomic_store_n(&((struct colour_model *)(uintptr_t)m)->spoiled, 1, __ATOMIC_RELAXED); }

/* The answer for these markings. A question that cannot be answered (an exception) is false; without memory nothing can be said any more. */
static int64_t compute(const struct colour_model *m, const struct colour_condition *c, const uint32_t *marking, struct ml_machine *machine, struct ml_heap *heap, ml_value *variable) {
  const struct net *net = m->net;
  int64_t result = 0;
  ml_value value;
  int good = 1;
  for (uint32_t i = 0; i < c->places; i++) {
    const struct bags *bags = &net->places.at[c->place[i]].markings;
    struct bag bag = bags_at(bags, marking[i]);
    if (i >= c->named && !bag.words) return 0; /* only in what is no state of the net */
    ml_value *v = &variable[c->variable[i]];
    *v = i < c->named ? bag_to_value(bags, bag, 0, heap) : values_word(&net->values, bag.at[0]);
    good &= *v != 0;
  }
  enum ml_answer answer = good ? ml_run(machine, c->code, variable, 0, &value) : ML_MEMORY;
  if (answer == ML_OK) result = ml_to_int(value);
  else if (answer == ML_MEMORY) spoil(m);
  ml_machine_clear(machine);
  ml_heap_clear(heap);
  return result;
}

/* The same by the model's own machine. */
static int64_t compute_alone(struct colour_model *m, const struct colour_condition *c, const uint32_t *marking) {
  struct ml_heap *heap;
  if (ml_heap_open(&heap, m->base.mem)) return spoil(m), 0;
  shelf_lock(&m->net->values.shelf);
  int64_t result = compute(m, c, marking, m->net->machine, heap, m->asked_variable);
  shelf_unlock(&m->net->values.shelf);
  ml_heap_close(heap);
  return result;
}

static int64_t ask(const struct colour_model *m, uint32_t condition, const uint32_t *marking, struct colour_asked *a) {
  const struct colour_condition *c = &m->conditions.at[condition];
  struct known *known = a->known.at[condition];
  uint64_t hash = c->places;
  if (!known) return compute(m, c, marking, a->machine, a->heap, a->variable);
  for (uint32_t i = 0; i < c->places; i++) hash = hash_pair(hash, marking[i]);
  struct known *k = &known[hash & (KNOWN - 1)];
  if (k->there && (!c->places || memcmp(k->marking, marking, c->places * sizeof *marking) == 0)) return k->value;
  k->value = compute(m, c, marking, a->machine, a->heap, a->variable);
  k->there = 1;
  if (c->places) memcpy(k->marking, marking, c->places * sizeof *marking);
  return k->value;
}

int64_t colour_condition_value(struct model_cursor *cursor, const uint32_t *state, uint32_t condition) {
  struct colour_model *m = (struct colour_model *)cursor->model;
  const struct colour_condition *c = &m->conditions.at[condition];
  struct colour_asked *a = asked_of((struct colour_cursor *)cursor);
  uint32_t marking[PLACES_MOST];
  for (uint32_t i = 0; i < c->places; i++) marking[i] = a ? colour_number_with(m, state, c->place[i], &a->scratch) : colour_number(m, state, c->place[i]);
  return a ? ask(m, condition, marking, a) : compute_alone(m, c, marking);
}

int64_t colour_condition_define(const struct model *base, const int64_t *values, uint32_t condition) {
  struct colour_model *m = (struct colour_model *)base;
  const struct colour_condition *c = &m->conditions.at[condition];
  uint32_t marking[PLACES_MOST];
  for (uint32_t i = 0; i < c->places; i++) marking[i] = colour_from_value(&m->net->places.at[c->place[i]].markings, values[c->place[i]]);
  return compute_alone(m, c, marking);
}
