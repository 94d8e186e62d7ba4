/* symmetric.c -- places, transitions and arcs of a symmetric net, whose terms terms.c reads.
 *
 * Pages are opened, references stand for what they refer to.  Ids are looked up in one table of their own (declarations have another: a place may be called like a colour). */
#include "front/pnml/symmetric.h"

#include "front/text.h"
#include "net/names.h"
#include "model/owners.h"

#include <string.h>

enum node_kind { PLACE, TRANSITION, REFERENCE };

struct node {
  enum node_kind kind;
  uint32_t number;   /* of the place or transition */
  const char *means; /* of a reference: the id of another node */
};

struct reading {
  struct pnml_colours colours;
  struct names ids, node_ids;
  struct vec(struct node) nodes; /* by number of their id */
};

static int is(const struct xml_element *e, const char *name) { return strcmp(e->name, name) == 0; }

const char *pnml_label(const struct xml_element *e, const char *owner) {
  const struct xml_element *text = xml_child(xml_child(e, owner), "text");
  return text && *text->text ? text->text : NULL;
}

const struct xml_element *pnml_structure(const struct xml_element *e, const char *owner) {
  const struct xml_element *structure = xml_child(xml_child(e, owner), "structure");
  return structure ? structure->first : NULL;
}

/* What a label means, NULL = it is not there. A text without a structure is for people: what it says is not read, and must not be left out. */
static int read_label(struct reading *r, const struct xml_element *e, const char *owner, const struct xml_element **out) {
  *out = pnml_structure(e, owner);
  if (*out && (*out)->next) return err_input(r->colours.err, (*out)->next->at, "this <%s> has a second term", owner);
  if (*out || !pnml_label(e, owner)) return 0;
  return err_input(r->colours.err, xml_child(e, owner)->at, "this <%s> has a text and no structure, which is what is read", owner);
}

static int no_memory(struct reading *r) { return err_memory(r->colours.err, "reading the net"); }

static const char *copy(struct reading *r, const char *text) { return arena_strndup(&r->colours.net->arena, text, strlen(text)); }

static int enter(struct reading *r, const struct xml_element *e, struct node node) {
  const char *id = xml_attribute(e, "id");
  char shown[80];
  if (!id || !*id) return err_input(r->colours.err, e->at, "this <%s> has no id", e->name);
  if (names_find(&r->node_ids, id, strlen(id)) != NAMES_NONE)
    return err_input(r->colours.err, e->at, "two nodes have the id \"%s\"", err_quote(shown, sizeof shown, id, strlen(id)));
  return names_put(&r->node_ids, id, strlen(id), &r->colours.net->arena) == NAMES_NONE || vec_push(&r->nodes, r->colours.net->mem, MEM_OTHER, node) ? no_memory(r) : 0;
}

static void read_position(const struct xml_element *e, double *x, double *y, int *has) {
  const struct xml_element *graphics = xml_child(e, "graphics"), *at = graphics ? xml_child(graphics, "position") : NULL;
  const char *a = at ? xml_attribute(at, "x") : NULL, *b = at ? xml_attribute(at, "y") : NULL;
  *has = a && b && front_decimal(a, strlen(a), x) == 0 && front_decimal(b, strlen(b), y) == 0;
}

static int fits(struct reading *r, const struct xml_element *e, const struct symmetric_term *t, const struct symmetric_sort *sort, const char *what) {
  if (symmetric_is_condition(t)) return err_input(r->colours.err, e->at, "%s is a condition, not a multiset", what);
  if (!symmetric_same_sort(t->sort, sort)) return err_input(r->colours.err, e->at, "%s is not of the sort of its place", what);
  return 0;
}

static int read_place(struct reading *r, const struct xml_element *e) {
  struct symmetric *n = r->colours.net;
  const struct xml_element *type, *marking;
  struct symmetric_place p = {.at = e->at, .sort = r->colours.dot};
  if (enter(r, e, (struct node){.kind = PLACE, .number = (uint32_t)n->places.count})) return -1;
  const char *id = xml_attribute(e, "id"), *name = pnml_label(e, "name");
  if (!(p.id = copy(r, id)) || !(p.name = name ? copy(r, name) : p.id)) return no_memory(r);
  if (xml_child(e, "initialMarking")) return err_input(r->colours.err, e->at, "an <initialMarking> belongs to place/transition nets; coloured ones have <hlinitialMarking>");
  const char *capacity = xml_attribute(e, "capacity");
  if (!capacity) capacity = pnml_label(e, "capacity");
  if (capacity && strcmp(capacity, "0") != 0) return err_input(r->colours.err, e->at, "the place has a capacity, which symmetric nets do not have");
  if (read_label(r, e, "type", &type) || read_label(r, e, "hlinitialMarking", &marking)) return -1;
  if (type && !(p.sort = pnml_sort(&r->colours, type))) return -1;
  if (marking && (!(p.initial = pnml_term(&r->colours, marking, p.sort)) || fits(r, marking, p.initial, p.sort, "the initial marking"))) return -1;
  read_position(e, &p.x, &p.y, &p.has_position);
  return vec_push(&n->places, n->mem, MEM_MODEL, p) ? no_memory(r) : 0;
}

static int has_variable(const struct symmetric_term *t) {
  if (t->kind == SYMMETRIC_VARIABLE) return 1;
  for (uint32_t i = 0; i < t->parts; i++)
    if (has_variable(t->part[i])) return 1;
  return 0;
}

/* <toolspecific tool="thimble"> <controllable value="false"/>: 0, or 1 + the owner; -1 with err. */
static int read_owner(struct reading *r, const struct xml_element *e) {
  for (const struct xml_element *x = xml_child(e, "toolspecific"); x; x = xml_next(x, "toolspecific")) {
    const char *tool = xml_attribute(x, "tool");
    const struct xml_element *c = tool && strcmp(tool, "thimble") == 0 ? xml_child(x, "controllable") : NULL;
    const char *value = c ? xml_attribute(c, "value") : NULL;
    if (value && strcmp(value, "true") == 0) return 1 + OWNER_CONTROLLABLE;
    if (value && strcmp(value, "false") == 0) return 1 + OWNER_UNCONTROLLABLE;
    if (c) return err_input(r->colours.err, c->at, "a transition is controllable or not: the value is true or false");
  }
  return 0;
}

static int read_transition(struct reading *r, const struct xml_element *e) {
  struct symmetric *n = r->colours.net;
  const struct xml_element *condition;
  struct symmetric_transition t = {.at = e->at};
  static const char *const timing[] = {"delay", "interval", "timeInterval", "staticInterval", "priority", "timed"};
  if (enter(r, e, (struct node){.kind = TRANSITION, .number = (uint32_t)n->transitions.count})) return -1;
  for (size_t i = 0; i < sizeof timing / sizeof *timing; i++)
    if (xml_child(e, timing[i])) return err_input(r->colours.err, e->at, "the transition has a <%s>, which symmetric nets do not have", timing[i]);
  const char *id = xml_attribute(e, "id"), *name = pnml_label(e, "name");
  if (!(t.id = copy(r, id)) || !(t.name = name ? copy(r, name) : t.id)) return no_memory(r);
  if (read_label(r, e, "condition", &condition)) return -1;
  if (condition && !(t.guard = pnml_condition(&r->colours, condition))) return -1;
  int owned = read_owner(r, e);
  if (owned < 0) return -1;
  t.owned = (uint8_t)owned;
  read_position(e, &t.x, &t.y, &t.has_position);
  return vec_push(&n->transitions, n->mem, MEM_MODEL, t) ? no_memory(r) : 0;
}

/* ---- arcs ----------------------------------------------------------------------------------------------------------------------- */

static const struct node *find(struct reading *r, const struct xml_element *e, const char *attribute) {
  const char *id = xml_attribute(e, attribute);
  char shown[80];
  for (size_t steps = 0; id; steps++) {
    uint32_t n = names_find(&r->node_ids, id, strlen(id));
    if (n == NAMES_NONE) break;
    const struct node *node = &r->nodes.at[n];
    if (node->kind != REFERENCE) return node;
    if (steps > r->nodes.count) {
      err_input(r->colours.err, e->at, "references refer to each other in a circle");
      return NULL;
    }
    id = node->means;
  }
  if (id) err_input(r->colours.err, e->at, "the arc's %s \"%s\" does not exist", attribute, err_quote(shown, sizeof shown, id, strlen(id)));
  else err_input(r->colours.err, e->at, "this <arc> has no %s", attribute);
  return NULL;
}

static int read_arc(struct reading *r, const struct xml_element *e) {
  struct symmetric *n = r->colours.net;
  static const char *const known[] = {"name", "graphics", "toolspecific", "hlinscription", NULL};
  for (const struct xml_element *x = e->first; x; x = x->next) {
    size_t i = 0;
    while (known[i] && !is(x, known[i])) i++;
    if (!known[i]) return err_input(r->colours.err, x->at, "the arc has an element <%s> whose meaning is not known", x->name);
  }
  static const char *const harmless[] = {"id", "source", "target", "name", "label", "nameOffsetX", "nameOffsetY", "color", "colour", NULL};
  for (const char *const *a = e->attribute; *a; a += 2) {
    char shown[80];
    size_t i = 0;
    while (harmless[i] && strcmp(*a, harmless[i]) != 0) i++;
    if (harmless[i] || strchr(*a, '\n')) continue; /* or from another vocabulary */
    if (strcmp(*a, "type") != 0) return err_input(r->colours.err, e->at, "the arc has an attribute \"%s\" whose meaning is not known", err_quote(shown, sizeof shown, *a, strlen(*a)));
    if (strcmp(a[1], "normal") != 0) return err_input(r->colours.err, e->at, "the arc is of a kind that symmetric nets do not have");
  }
  const struct node *from = find(r, e, "source"), *to = from ? find(r, e, "target") : NULL;
  if (!to) return -1;
  if (from->kind == to->kind) return err_input(r->colours.err, e->at, "an arc joins a place and a transition, not two of the same");
  struct symmetric_arc a = {.gives = from->kind == TRANSITION, .at = e->at};
  a.place = (from->kind == PLACE ? from : to)->number;
  a.transition = (from->kind == PLACE ? to : from)->number;
  const struct symmetric_sort *sort = n->places.at[a.place].sort;
  const struct xml_element *inscription;
  if (read_label(r, e, "hlinscription", &inscription)) return -1;
  if (inscription) {
    if (!(a.term = pnml_term(&r->colours, inscription, sort)) || fits(r, inscription, a.term, sort, "the inscription")) return -1;
  } else if (sort->kind == SYMMETRIC_DOT) { /* nothing said: one token */
    if (!(a.term = arena_alloc(&n->arena, sizeof *a.term))) return no_memory(r);
    *a.term = (struct symmetric_term){.kind = SYMMETRIC_COLOUR, .sort = sort};
  } else {
    return err_input(r->colours.err, e->at, "the arc does not say which colours it moves");
  }
  return vec_push(&n->arcs, n->mem, MEM_MODEL, a) ? no_memory(r) : 0;
}

/* ---- the net ------------------------------------------------------------------------------------------------------------------- */

/* Nodes first, then arcs: they may come in any order. */
static int read_page(struct reading *r, const struct xml_element *page, int arcs) {
  for (const struct xml_element *e = page->first; e; e = e->next) {
    int bad = 0;
    if (is(e, "page")) bad = read_page(r, e, arcs);
    else if (arcs) bad = is(e, "arc") ? read_arc(r, e) : 0;
    else if (is(e, "place")) bad = read_place(r, e);
    else if (is(e, "transition")) bad = read_transition(r, e);
    else if (is(e, "referencePlace") || is(e, "referenceTransition")) {
      const char *means = xml_attribute(e, "ref");
      bad = means ? enter(r, e, (struct node){.kind = REFERENCE, .means = means}) : err_input(r->colours.err, e->at, "this <%s> has no ref", e->name);
    } else if (strstr(e->name, "Arc")) bad = err_input(r->colours.err, e->at, "<%s> is a kind of arc that symmetric nets do not have", e->name);
    if (bad) return -1;
  }
  return 0;
}

static int check_markings(struct reading *r) {
  const struct symmetric *n = r->colours.net;
  for (size_t i = 0; i < n->places.count; i++)
    if (n->places.at[i].initial && has_variable(n->places.at[i].initial)) return err_input(r->colours.err, n->places.at[i].at, "a variable stands in an initial marking");
  return 0;
}

int pnml_symmetric(struct symmetric **out, const struct xml_element *net, struct mem *mem, const char *file, struct err *e) {
  struct reading r = {0};
  if (symmetric_open(out, mem, file, e)) return -1;
  r.colours = (struct pnml_colours){.net = *out, .err = e, .ids = &r.ids};
  names_open(&r.ids, mem, MEM_OTHER);
  names_open(&r.node_ids, mem, MEM_OTHER);
  const char *name = pnml_label(net, "name"), *id = xml_attribute(net, "id");
  int bad = 0;
  if (name || id) bad = ((*out)->name = copy(&r, name ? name : id)) ? 0 : no_memory(&r);
  if (!bad) bad = pnml_declare(&r.colours, net) || read_page(&r, net, 0) || read_page(&r, net, 1) || check_markings(&r);
  if (!bad && !(*out)->places.count && !(*out)->transitions.count) bad = err_input(e, net->at, "the net is empty: it has neither places nor transitions");
  names_close(&r.ids);
  names_close(&r.node_ids);
  vec_free(&r.nodes, mem);
  vec_free(&r.colours.declared, mem);
  if (!bad) return 0;
  symmetric_close(*out);
  *out = NULL;
  return -1;
}
