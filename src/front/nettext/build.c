/* build.c -- from declarations to a net.
 *
 * Places and transitions have name spaces of their own in the text (TINA's files rely on it),
 * while ids of a net are unique over both.  Places keep their name as id; a transition that shares
 * its name with a place gets the id "tr:name" and keeps the name for people.  Nodes come
 * in the order in which they are declared, those that TINA's arcs imply after them. */
#include "front/nettext/nettext.h"
#include "front/nettext/syntax.h"

#include "front/override.h"
#include "front/text.h"
#include "model/owners.h"

#include <stdio.h>
#include <string.h>

static struct place_in_text place_of(const struct nettext *p, uint32_t line, uint32_t column) {
  return (struct place_in_text){p->setup->file, line, column};
}

static int known(const struct node *n) { return n->declared || n->implied; }

static int exists(const struct nodes *nodes, struct word w, uint32_t *out) {
  *out = names_find(&nodes->names, w.text, w.length);
  return *out != NAMES_NONE && known(&nodes->list.at[*out]);
}

static const char *known_name(const void *context, size_t i) {
  const struct nodes *nodes = context;
  return known(&nodes->list.at[i]) ? nodes->names.list.at[i].text : NULL;
}

static int unknown(struct nettext *p, const struct nodes *nodes, const char *what, struct word w, uint32_t line,
                   uint32_t column) {
  char name[80];
  err_input(p->err, place_of(p, line, column), "the %s \"%s\" is not declared", what,
            err_quote(name, sizeof name, w.text, w.length));
  const char *near = front_nearest(w.text, w.length, known_name, nodes, nodes->list.count);
  if (near) err_hint(p->err, "did you mean \"%s\"?", err_quote(name, sizeof name, near, strlen(near)));
  return -1;
}

/* `arc a -> b`: one of the two is a place and the other a transition. */
static int resolve_arc(struct nettext *p, const struct loose_arc *a) {
  uint32_t source_place, source_transition, target_place, target_transition;
  int takes = exists(&p->places, a->source, &source_place) & exists(&p->transitions, a->target, &target_transition);
  int gives = exists(&p->transitions, a->source, &source_transition) & exists(&p->places, a->target, &target_place);
  struct flow f = {.weight = a->weight, .line = a->line, .column = a->column};
  if (takes && gives)
    return err_input(p->err, place_of(p, a->line, a->column),
                     "the arc could go either way: both names are a place and a transition");
  if (takes) {
    f.place = source_place, f.transition = target_transition;
  } else if (gives) {
    f.place = target_place, f.transition = source_transition, f.gives = 1;
  } else {
    uint32_t any;
    const struct word *ends[] = {&a->source, &a->target};
    for (int i = 0; i < 2; i++)
      if (!exists(&p->places, *ends[i], &any) && !exists(&p->transitions, *ends[i], &any))
        return unknown(p, &p->places, "node", *ends[i], a->line, a->column);
    return err_input(p->err, place_of(p, a->line, a->column), "the arc goes between two %s",
                     exists(&p->places, a->source, &any) ? "places" : "transitions");
  }
  return vec_push(&p->flows, p->setup->mem, MEM_OTHER, f) ? nettext_memory(p) : 0;
}

static int resolve_label(struct nettext *p, const struct loose_label *l) {
  uint32_t n;
  if (exists(&p->transitions, l->node, &n)) p->transitions.list.at[n].label = l->label;
  else if (exists(&p->places, l->node, &n)) p->places.list.at[n].label = l->label;
  else return unknown(p, &p->transitions, "node", l->node, l->line, l->column);
  return 0;
}

static int resolve_owner(struct nettext *p, const struct loose_owner *o) {
  uint32_t n;
  if (!exists(&p->transitions, o->node, &n)) return unknown(p, &p->transitions, "transition", o->node, o->line, o->column);
  p->transitions.list.at[n].owned = o->owned;
  return 0;
}

static int all_declared(struct nettext *p, const struct nodes *nodes, const char *what) {
  for (size_t i = 0; i < nodes->list.count; i++) {
    const struct node *n = &nodes->list.at[i];
    struct word w = {nodes->names.list.at[i].text, nodes->names.list.at[i].length};
    if (!known(n)) return unknown(p, nodes, what, w, n->line, n->column);
  }
  return 0;
}

/* The id of a transition; NULL: memory. */
static const char *transition_id(struct nettext *p, uint32_t t) {
  const struct name *name = &p->transitions.names.list.at[t];
  if (names_find(&p->places.names, name->text, name->length) == NAMES_NONE) return name->text;
  size_t room = name->length + 32;
  char *id = arena_alloc(&p->arena, room);
  if (!id) {
    nettext_memory(p);
    return NULL;
  }
  for (unsigned k = 0;; k++) { /* each miss is a node of that very name, so this ends */
    if (k) snprintf(id, room, "tr%u:%s", k, name->text);
    else snprintf(id, room, "tr:%s", name->text);
    if (names_find(&p->places.names, id, strlen(id)) == NAMES_NONE &&
        names_find(&p->transitions.names, id, strlen(id)) == NAMES_NONE)
      return id;
  }
}

static int add_node(struct nettext *p, const struct nodes *nodes, uint32_t n, const char **ids) {
  const struct node *node = &nodes->list.at[n];
  const char *name = nodes->names.list.at[n].text;
  struct place_in_text at = place_of(p, node->line, node->column);
  int answer;
  if (!ids) {
    answer = pt_builder_place(p->builder, name, node->label, node->initial, at, p->err);
  } else {
    if (!(ids[n] = transition_id(p, n))) return -1;
    answer = pt_builder_transition(p->builder, ids[n], node->label ? node->label : name, at, p->err);
    if (!answer) pt_builder_owner(p->builder, owner_said(node->owned));
  }
  if (!answer && node->positioned) answer = pt_builder_position(p->builder, (double)node->x, (double)node->y, p->err);
  return answer;
}

/* ids: where the transitions' ids go, NULL for places. */
static int add_nodes(struct nettext *p, const struct nodes *nodes, const char **ids) {
  for (size_t i = 0; i < nodes->order.count; i++)
    if (add_node(p, nodes, nodes->order.at[i], ids)) return -1;
  for (uint32_t n = 0; n < nodes->list.count; n++)
    if (!nodes->list.at[n].declared && add_node(p, nodes, n, ids)) return -1;
  return 0;
}

/* Gives back everything but the text itself; twice is fine. */
static void release(struct nettext *p) {
  struct mem *m = p->setup->mem;
  struct names *names[] = {&p->places.names, &p->transitions.names, &p->constants};
  for (int i = 0; i < 3; i++) names_close(names[i]);
  vec_free(&p->places.list, m);
  vec_free(&p->places.order, m);
  vec_free(&p->transitions.list, m);
  vec_free(&p->transitions.order, m);
  vec_free(&p->flows, m);
  vec_free(&p->arcs, m);
  vec_free(&p->labels, m);
  vec_free(&p->owners, m);
  vec_free(&p->constant_values, m);
  arena_close(&p->arena);
}

int nettext_build(struct nettext *p, struct pt_net **out) {
  for (size_t i = 0; i < p->arcs.count; i++)
    if (resolve_arc(p, &p->arcs.at[i])) return -1;
  for (size_t i = 0; i < p->labels.count; i++)
    if (resolve_label(p, &p->labels.at[i])) return -1;
  for (size_t i = 0; i < p->owners.count; i++)
    if (resolve_owner(p, &p->owners.at[i])) return -1;
  if (all_declared(p, &p->places, "place") || all_declared(p, &p->transitions, "transition")) return -1;
  if (!p->places.list.count && !p->transitions.list.count)
    return err_input(p->err, place_of(p, 0, 0), "the net is empty: it has neither places nor transitions");
  const char **ids = arena_alloc(&p->arena, (p->transitions.list.count + 1) * sizeof *ids);
  if (!ids) return nettext_memory(p);
  if (add_nodes(p, &p->places, NULL) || add_nodes(p, &p->transitions, ids)) return -1;
  for (size_t i = 0; i < p->flows.count; i++) {
    const struct flow *f = &p->flows.at[i];
    const char *place = p->places.names.list.at[f->place].text, *transition = ids[f->transition];
    if (pt_builder_arc(p->builder, f->gives ? transition : place, f->gives ? place : transition, f->weight,
                       place_of(p, f->line, f->column), p->err))
      return -1;
  }
  release(p); /* the builder has copies; finishing takes memory of its own */
  if (pt_builder_finish(p->builder, out, p->err)) return -1;
  p->builder = NULL;
  return 0;
}

static int finish(struct nettext *p, struct pt_net **out) {
  if (nettext_parse(p) || nettext_build(p, out)) {
    lexer_excerpt(&p->lexer);
    return -1;
  }
  if (front_override_markings(*out, p->setup, p->err)) {
    pt_close(*out);
    *out = NULL;
    return -1;
  }
  if ((*out)->nupn_problem && p->setup->warn) {
    char message[200];
    snprintf(message, sizeof message, "the nested units are %s: %s", (*out)->units ? "not taken to be safe" : "not used",
             (*out)->nupn_problem);
    p->setup->warn(p->setup->warn_context, p->units_at, message);
  }
  return 0;
}

int nettext_read(struct pt_net **out, const struct front_setup *setup, struct err *e) {
  struct mem *m = setup->mem;
  char *text;
  size_t length;
  *out = NULL;
  if (front_slurp(&text, &length, setup, e)) return -1;
  struct nettext p = {.setup = setup, .err = e};
  arena_open(&p.arena, m, MEM_OTHER);
  lexer_open(&p.lexer, text, length, setup->file, &p.arena, e);
  struct names *names[] = {&p.places.names, &p.transitions.names, &p.constants};
  for (int i = 0; i < 3; i++) names_open(names[i], m, MEM_OTHER);
  int status = pt_builder_open(&p.builder, m, setup->file, e) ? -1 : finish(&p, out);
  pt_builder_close(p.builder);
  release(&p);
  mem_free(m, text);
  return status;
}
