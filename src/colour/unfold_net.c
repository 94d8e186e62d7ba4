/* unfold_net.c -- a place/transition net of the tokens and bindings that unfold.c has found.
 *
 * A token is a place, called Place_colour, an instance a transition, called Transition_colour_colour; a name that another node has gets a number.  Nodes of one family are made one after the other. */
#include "colour/unfold_parts.h"

#include "net/names.h"
#include "model/owners.h"

#include <stdio.h>
#include <string.h>

struct maker {
  struct unfolding *u;
  struct names names;
  struct arena arena; /* of the names */
  uint32_t *name;     /* per token: of its place */
  char text[1 << 12];
};

static size_t add_colour(struct maker *m, size_t length, const struct symmetric_sort *sort, uint64_t colour) {
  if (sort->kind == SYMMETRIC_DOT || length >= sizeof m->text - 2) return length;
  m->text[length++] = '_';
  length += symmetric_print(sort, colour, "_", m->text + length, sizeof m->text - length);
  return length < sizeof m->text ? length : sizeof m->text - 1;
}

/* The name in m->text, with something behind it where another node has it already. NAMES_NONE with err. */
static uint32_t own_name(struct maker *m, size_t length) {
  size_t base = length;
  for (unsigned n = 2; names_find(&m->names, m->text, length) != NAMES_NONE; n++) {
    if (base > sizeof m->text - 16) base = sizeof m->text - 16;
    length = base + (size_t)snprintf(m->text + base, sizeof m->text - base, "__%u", n);
  }
  uint32_t name = names_put(&m->names, m->text, length, &m->arena);
  if (name == NAMES_NONE) unfold_no_memory(m->u);
  return name;
}

static const char *text_of(const struct maker *m, uint32_t name) { return m->names.list.at[name].text; }

static int make_places(struct maker *m, struct pt_builder *b, const uint32_t *marked) {
  struct unfolding *u = m->u;
  for (uint32_t p = 0; p < u->net->places.count; p++) {
    const struct symmetric_place *place = &u->net->places.at[p];
    uint32_t t = u->place[p].count ? u->place[p].first : UINT32_MAX;
    for (; t != UINT32_MAX; t = u->token.at[t].next) {
      size_t length = (size_t)snprintf(m->text, sizeof m->text / 2, "%s", place->id);
      if (length >= sizeof m->text / 2) length = sizeof m->text / 2 - 1;
      if ((m->name[t] = own_name(m, add_colour(m, length, place->sort, u->token.at[t].colour))) == NAMES_NONE) return -1;
      if (pt_builder_place(b, text_of(m, m->name[t]), NULL, marked[t], place->at, u->err)) return -1;
      if (place->has_position && pt_builder_position(b, place->x, place->y, u->err)) return -1;
    }
  }
  return 0;
}

static int make_transition(struct maker *m, struct pt_builder *b, const struct instance *i) {
  struct unfolding *u = m->u;
  const struct symmetric_transition *t = &u->net->transitions.at[i->transition];
  const struct worker *w = &u->worker[i->transition];
  size_t length = (size_t)snprintf(m->text, sizeof m->text / 2, "%s", t->id);
  if (length >= sizeof m->text / 2) length = sizeof m->text / 2 - 1;
  for (size_t k = 0; k < w->variables.count; k++) length = add_colour(m, length, u->net->variables.at[w->variables.at[k]].sort, u->bindings.at[i->binding + k]);
  uint32_t name = own_name(m, length);
  if (name == NAMES_NONE || pt_builder_transition(b, text_of(m, name), NULL, t->at, u->err)) return -1;
  pt_builder_owner(b, t->owned ? owner_said(t->owned) : owner_by_name(t->name));
  if (t->has_position && pt_builder_position(b, t->x, t->y, u->err)) return -1;
  for (size_t k = 0; k < i->effects; k++) {
    const struct effect *x = &u->effects.at[i->effect + k];
    const char *place = text_of(m, m->name[x->token]);
    if (x->takes && pt_builder_arc(b, place, text_of(m, name), x->takes, t->at, u->err)) return -1;
    if (x->gives && pt_builder_arc(b, text_of(m, name), place, x->gives, t->at, u->err)) return -1;
  }
  return 0;
}

/* Families: nodes were made one family after the other, and the builder numbers them in that order. */
static int name_families(struct unfolding *u, struct pt_net *net) {
  const struct symmetric *n = u->net;
  uint32_t place = 0, transition = 0, next = 0;
  if (pt_families_open(net, (uint32_t)n->places.count, (uint32_t)n->transitions.count)) return unfold_no_memory(u);
  for (uint32_t p = 0; p < n->places.count; place += u->place[p++].count)
    if (pt_family_set(&net->place_families, p, n->places.at[p].id, n->places.at[p].name, place, u->place[p].count, &net->arena)) return unfold_no_memory(u);
  for (uint32_t t = 0; t < n->transitions.count; t++, transition = next) {
    while (next < u->instance.count && u->instance.at[next].transition == t) next++;
    if (pt_family_set(&net->transition_families, t, n->transitions.at[t].id, n->transitions.at[t].name, transition, next - transition, &net->arena)) return unfold_no_memory(u);
  }
  return 0;
}

/* Instances by transition, those of one transition as they were found. */
static int sort_instances(struct unfolding *u) {
  struct instance *sorted = mem_alloc(u->mem, MEM_ANALYSIS, (u->instance.count + 1) * sizeof *sorted);
  size_t *end = mem_alloc(u->mem, MEM_ANALYSIS, (u->net->transitions.count + 2) * sizeof *end);
  if (sorted && end) {
    for (size_t i = 0; i < u->instance.count; i++) end[u->instance.at[i].transition + 1]++;
    for (size_t t = 0; t < u->net->transitions.count; t++) end[t + 1] += end[t];
    for (size_t i = 0; i < u->instance.count; i++) sorted[end[u->instance.at[i].transition]++] = u->instance.at[i];
    if (u->instance.count) memcpy(u->instance.at, sorted, u->instance.count * sizeof *sorted);
  }
  int bad = !sorted || !end;
  mem_free(u->mem, sorted);
  mem_free(u->mem, end);
  return bad ? unfold_no_memory(u) : 0;
}

int unfold_make_net(struct unfolding *u, size_t marked_effects, struct pt_net **out) {
  struct maker *m = mem_alloc(u->mem, MEM_ANALYSIS, sizeof *m);
  uint32_t *marked = mem_alloc(u->mem, MEM_ANALYSIS, (u->token.count + 1) * sizeof *marked);
  struct pt_builder *b = NULL;
  if (!m || !marked) {
    mem_free(u->mem, m);
    mem_free(u->mem, marked);
    return unfold_no_memory(u);
  }
  m->u = u;
  names_open(&m->names, u->mem, MEM_ANALYSIS);
  arena_open(&m->arena, u->mem, MEM_ANALYSIS);
  m->name = mem_alloc(u->mem, MEM_ANALYSIS, (u->token.count + 1) * sizeof *m->name);
  for (size_t i = 0; i < marked_effects; i++) marked[u->effects.at[i].token] = u->effects.at[i].gives;
  int bad = m->name ? sort_instances(u) || pt_builder_open(&b, u->mem, u->net->file, u->err) : unfold_no_memory(u);
  if (!bad && *u->net->name) bad = pt_builder_name(b, u->net->name, strlen(u->net->name), u->err);
  if (!bad) bad = make_places(m, b, marked);
  for (size_t i = 0; i < u->instance.count && !bad; i++) bad = make_transition(m, b, &u->instance.at[i]);
  if (!bad && (bad = pt_builder_finish(b, out, u->err)) == 0) b = NULL;
  if (!bad && (bad = name_families(u, *out))) {
    pt_close(*out);
    *out = NULL;
  }
  pt_builder_close(b);
  names_close(&m->names);
  arena_close(&m->arena);
  mem_free(u->mem, m->name);
  mem_free(u->mem, marked);
  mem_free(u->mem, m);
  return bad ? -1 : 0;
}
