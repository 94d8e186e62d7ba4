/* pages.c -- pages, places, transitions and arcs of a .cpn file.
 *
 * Identifiers are strings that are unique in the file.  Inscriptions are texts, which CPN Tools keeps even when there is nothing in them.  A substitution
 * transition names its page and pairs "(port,socket)(port,socket)"; files exist with the two the other way round, so each pair is looked up. */
#include "front/cpn/cpn.h"

#include "front/text.h"
#include "model/owners.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct reader {
  struct drawing *d;
  struct err *e;
  struct drawing_page *page;
};

static int no_memory(struct reader *r) { return err_memory(r->e, "reading the net"); }

/* The text of <NAME><text>...</text></NAME>. */
static struct drawing_text inscription(const struct xml_element *n, const char *name) {
  const struct xml_element *c = xml_child(n, name), *text = c ? xml_child(c, "text") : NULL;
  if (!text) return (struct drawing_text){"", 0, n->at};
  return (struct drawing_text){text->text, text->length, text->text_at};
}

static struct drawing_position position(const struct xml_element *n, const char *shape) {
  const struct xml_element *at = xml_child(n, "posattr"), *size = xml_child(n, shape);
  const char *x = at ? xml_attribute(at, "x") : NULL, *y = at ? xml_attribute(at, "y") : NULL;
  const char *w = size ? xml_attribute(size, "w") : NULL, *h = size ? xml_attribute(size, "h") : NULL;
  struct drawing_position p = {0};
  p.known = x && y && !front_decimal(x, strlen(x), &p.x) && !front_decimal(y, strlen(y), &p.y);
  if (w) front_decimal(w, strlen(w), &p.width);
  if (h) front_decimal(h, strlen(h), &p.height);
  return p;
}

static int same_name(const char *a, const char *b) {
  for (;; a++, b++) {
    while (isspace((unsigned char)*a)) a++;
    while (isspace((unsigned char)*b)) b++;
    if (*a != *b) return 0;
    if (!*a) return 1;
  }
}

static int taken(const struct reader *r, const char *name, int transition) {
  if (transition) {
    for (size_t i = 0; i < r->page->transitions.count; i++)
      if (same_name(r->page->transitions.at[i].name, name)) return 1;
  } else
    for (size_t i = 0; i < r->page->places.count; i++)
      if (same_name(r->page->places.at[i].name, name)) return 1;
  return 0;
}

/* What people call it; its identifier if it has no name; with a number if the page has one of that name already. */
static const char *name_of(struct reader *r, const struct xml_element *n, const char *id, int transition) {
  const struct xml_element *text = xml_child(n, "text");
  const char *name = text ? text->text : "";
  size_t length = text ? text->length : 0;
  while (length && isspace((unsigned char)*name)) name++, length--;
  while (length && isspace((unsigned char)name[length - 1])) length--;
  char *own = length ? arena_strndup(&r->d->arena, name, length) : arena_strndup(&r->d->arena, id, strlen(id));
  for (int again = 2; own && taken(r, own, transition) && again < 100000; again++) {
    char *next = arena_alloc(&r->d->arena, length + 16);
    if (next) snprintf(next, length + 16, "%.*s_%d", (int)length, name, again);
    own = next;
  }
  return own;
}

static const char *id_of(struct reader *r, const struct xml_element *n) {
  const char *id = xml_attribute(n, "id");
  if (!id) err_input(r->e, n->at, "a %s without an id", n->name);
  return id;
}

/* ---- places, transitions ------------------------------------------------------------------------------------------------------------ */

static enum drawing_port port_of(const struct xml_element *n) {
  const struct xml_element *port = xml_child(n, "port");
  const char *type = port ? xml_attribute(port, "type") : NULL;
  if (!type) return DRAWING_NO_PORT;
  return strcasecmp(type, "in") == 0 ? DRAWING_IN : strcasecmp(type, "out") == 0 ? DRAWING_OUT : DRAWING_BOTH;
}

static int read_place(struct reader *r, const struct xml_element *n) {
  const struct xml_element *fusion = xml_child(n, "fusioninfo");
  struct drawing_place p = {.id = id_of(r, n), .place = n->at};
  if (!p.id) return -1;
  p.name = name_of(r, n, p.id, 0);
  p.colset = inscription(n, "type");
  p.initial = inscription(n, "initmark");
  p.port = port_of(n);
  p.fusion = fusion ? xml_attribute(fusion, "name") : NULL;
  p.at = position(n, "ellipse");
  return !p.name || vec_push(&r->page->places, r->d->mem, MEM_MODEL, p) ? no_memory(r) : 0;
}

static const char *until(struct reader *r, const char **at, char stop) {
  const char *end = strchr(*at, stop);
  if (!end) return NULL;
  const char *from = *at;
  while (isspace((unsigned char)*from)) from++;
  const char *to = end;
  while (to > from && isspace((unsigned char)to[-1])) to--;
  *at = end + 1;
  return arena_strndup(&r->d->arena, from, (size_t)(to - from));
}

/* (a,b)(c,d): port and socket; which is which is seen when all pages are read. */
static int read_pairs(struct reader *r, struct drawing_transition *t, const char *text) {
  for (const char *at = text; (at = strchr(at, '('));) {
    at++;
    const char *port = until(r, &at, ','), *socket = port ? until(r, &at, ')') : NULL;
    if (!socket) return err_input(r->e, t->text_place, "transition %.100s: its ports and sockets are not told as (port,socket)", t->name);
    if (vec_push(&t->pairs, r->d->mem, MEM_MODEL, (struct drawing_pair){socket, port})) return no_memory(r);
  }
  return 0;
}

/* A transition that is drawn with a broken line is the environment's, as in game coloured Petri nets. */
static int broken_line(const struct xml_element *n) {
  const struct xml_element *line = xml_child(n, "lineattr");
  const char *type = line ? xml_attribute(line, "type") : NULL;
  return type && (strncasecmp(type, "dash", 4) == 0 || strcasecmp(type, "dotted") == 0);
}

static int read_transition(struct reader *r, const struct xml_element *n) {
  const struct xml_element *subst = xml_child(n, "subst");
  struct drawing_transition t = {.id = id_of(r, n), .text_place = n->at};
  if (!t.id) return -1;
  t.name = name_of(r, n, t.id, 1);
  t.guard = inscription(n, "cond");
  t.delay = inscription(n, "time");
  t.code = inscription(n, "code");
  t.priority = inscription(n, "priority");
  t.at = position(n, "box");
  if (broken_line(n)) t.owned = 1 + OWNER_UNCONTROLLABLE;
  if (!t.name) return no_memory(r);
  t.channel = inscription(n, "channel");
  if (subst && !(t.subpage = xml_attribute(subst, "subpage"))) return err_input(r->e, subst->at, "transition %.100s stands for no page", t.name);
  if (vec_push(&r->page->transitions, r->d->mem, MEM_MODEL, t)) return no_memory(r);
  const char *pairs = subst ? xml_attribute(subst, "portsock") : NULL;
  return pairs ? read_pairs(r, &r->page->transitions.at[r->page->transitions.count - 1], pairs) : 0;
}

/* ---- arcs ------------------------------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  enum drawing_arc_kind kind;
} orientations[] = {{"ptot", DRAWING_TO_TRANSITION}, {"ttop", DRAWING_TO_PLACE}, {"bothdir", DRAWING_TEST}, {"inhibitor", DRAWING_INHIBITOR}, {"reset", DRAWING_RESET}};

static int kind_of(struct reader *r, const struct xml_element *n, enum drawing_arc_kind *out) {
  const char *text = xml_attribute(n, "orientation");
  char shown[60];
  for (size_t i = 0; text && i < sizeof orientations / sizeof *orientations; i++)
    if (strcasecmp(text, orientations[i].name) == 0) {
      *out = orientations[i].kind;
      return 0;
    }
  return err_input(r->e, n->at, "an arc of the kind \"%s\", which is not known", text ? err_quote(shown, sizeof shown, text, strlen(text)) : "");
}

static int read_bends(struct reader *r, const struct xml_element *n, struct drawing_arc *a) {
  for (const struct xml_element *b = xml_child(n, "bendpoint"); b; b = xml_next(b, "bendpoint"))
    if (vec_push(&a->bends, r->d->mem, MEM_MODEL, position(b, ""))) return no_memory(r);
  return 0;
}

static int read_arc(struct reader *r, const struct xml_element *n) {
  const struct xml_element *t = xml_child(n, "transend"), *p = xml_child(n, "placeend");
  const char *transition = t ? xml_attribute(t, "idref") : NULL, *place = p ? xml_attribute(p, "idref") : NULL;
  const char *id = xml_attribute(n, "id");
  struct drawing_arc a = {.id = id ? id : "", .inscription = inscription(n, "annot"), .place = n->at};
  size_t i = 0, k = 0;
  if (kind_of(r, n, &a.kind)) return -1;
  while (place && i < r->page->places.count && strcmp(r->page->places.at[i].id, place) != 0) i++;
  while (transition && k < r->page->transitions.count && strcmp(r->page->transitions.at[k].id, transition) != 0) k++;
  if (!place || !transition || i == r->page->places.count || k == r->page->transitions.count)
    return err_input(r->e, n->at, "page %.100s: an arc that does not join a place and a transition of the page", r->page->name);
  a.at_place = (uint32_t)i;
  a.at_transition = (uint32_t)k;
  if (vec_push(&r->page->arcs, r->d->mem, MEM_MODEL, a)) return no_memory(r);
  return read_bends(r, n, &r->page->arcs.at[r->page->arcs.count - 1]);
}

/* ---- pages -------------------------------------------------------------------------------------------------------------------------------- */

enum { NODES, ARCS };

/* Nodes first, then arcs; groups hold more of the same. */
static int read_content(struct reader *r, const struct xml_element *n, int what, int depth) {
  for (const struct xml_element *c = n->first; c; c = c->next) {
    int status = 0;
    if (what == NODES && strcmp(c->name, "place") == 0) status = read_place(r, c);
    if (what == NODES && strcmp(c->name, "trans") == 0) status = read_transition(r, c);
    if (what == ARCS && strcmp(c->name, "arc") == 0) status = read_arc(r, c);
    if (strcmp(c->name, "group") == 0 && depth < 100) status = read_content(r, c, what, depth + 1);
    if (status) return -1;
  }
  return 0;
}

static int has_place(const struct drawing_page *p, const char *id) {
  for (size_t i = 0; i < p->places.count; i++)
    if (strcmp(p->places.at[i].id, id) == 0) return 1;
  return 0;
}

/* A pair whose socket is no place of the page, but whose port is, was written the other way round. */
static void turn_pairs(struct drawing *d) {
  for (size_t p = 0; p < d->pages.count; p++)
    for (size_t t = 0; t < d->pages.at[p].transitions.count; t++)
      for (size_t i = 0; i < d->pages.at[p].transitions.at[t].pairs.count; i++) {
        struct drawing_pair *pair = &d->pages.at[p].transitions.at[t].pairs.at[i];
        if (!has_place(&d->pages.at[p], pair->socket) && has_place(&d->pages.at[p], pair->port)) *pair = (struct drawing_pair){pair->port, pair->socket};
      }
}

int cpn_pages(struct drawing *d, const struct xml_element *cpnet, struct err *e) {
  struct reader r = {.d = d, .e = e};
  for (const struct xml_element *n = xml_child(cpnet, "page"); n; n = xml_next(n, "page")) {
    const struct xml_element *attributes = xml_child(n, "pageattr");
    const char *name = attributes ? xml_attribute(attributes, "name") : NULL;
    struct drawing_page page = {.id = id_of(&r, n), .place = n->at};
    if (!page.id) return -1;
    page.name = name && *name ? name : page.id;
    if (vec_push(&d->pages, d->mem, MEM_MODEL, page)) return no_memory(&r);
    r.page = &d->pages.at[d->pages.count - 1];
    if (read_content(&r, n, NODES, 0) || read_content(&r, n, ARCS, 0)) return -1;
  }
  turn_pairs(d);
  return 0;
}
