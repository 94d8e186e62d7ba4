/* redraw.c -- see redraw.h.
 *
 *   dot                     colset dot = unit with dot
 *   enumeration             colset R = with r1 | r2 | r3
 *   range                   colset N = int with ~1..1
 *   product                 colset P = product R * N
 *   successor, predecessor  fun next_R x = R.col ((R.ord x + 1) mod 3), fun previous_R ...
 *   element of a partition  fun Q_of x = List.nth ([q1, q2, q2], R.ord x)
 *   comparison              =, <>; the others by R.ord, which counts as symmetric.h does, also in products
 *   n'colour, all           n`colour, R.all()
 *   sum, difference, times  ++, --, **
 *   tuple with multisets    P.mult (R.all(), 1`y)
 *
 * A difference must contain what it takes away, and a binding for which it does not is none: that is a condition of the guard ("what is taken <<= from what"), since -- would raise an exception.  Conditions that are
 * joined by "and" become a list, whose parts the coloured net tests one by one, as early as it can.
 *
 * Names.  PNML's may hold anything.  One that is no identifier of ML, is a word of the language, or is something in its library, is changed until it is free (ml_taken): what is no letter, digit or _ becomes _,
 * one that begins with something else gets the name of its sort in front, and a number is added where another one is called so.  People see constants as the net calls them (drawing.h: shown).  Places and transitions are known by their names
 * if these are all different, and otherwise by their ids.  Sorts with the same colours are one colour set. */
#include "colour/redraw_parts.h"

#include "colour/flatten.h"

#include <stdio.h>
#include <string.h>

static int no_memory(struct redrawing *r) { return err_memory(r->err, "the coloured net"); }

/* ---- guards ------------------------------------------------------------------------------------------------------------------------ */

static void say_conditions(struct redrawing *r, const struct symmetric_term *t, int *some) {
  if (t->kind == SYMMETRIC_AND) {
    for (uint32_t i = 0; i < t->parts && !r->refused; i++) say_conditions(r, t->part[i], some);
    return;
  }
  if ((*some)++) redraw_say(r, ", ");
  redraw_condition(r, t);
}

static void say_differences(struct redrawing *r, const struct symmetric_term *t, int *some) {
  for (uint32_t i = 0; i < t->parts && !r->refused; i++) say_differences(r, t->part[i], some);
  if (t->kind != SYMMETRIC_DIFFERENCE) return;
  if ((*some)++) redraw_say(r, ", ");
  redraw_multiset(r, t->part[1]);
  redraw_say(r, " <<= ");
  redraw_multiset(r, t->part[0]);
}

/* The arcs of each transition, one behind the other from `first` on. */
struct arcs_of {
  uint32_t *first, *next;
};

static int sort_arcs(struct redrawing *r, struct arcs_of *of) {
  const size_t arcs = r->net->arcs.count, transitions = r->net->transitions.count;
  of->first = mem_alloc(r->mem, MEM_OTHER, (transitions + 1) * sizeof *of->first);
  of->next = mem_alloc(r->mem, MEM_OTHER, (arcs + 1) * sizeof *of->next);
  if (!of->first || !of->next) return -1;
  memset(of->first, 0xff, transitions * sizeof *of->first);
  for (size_t i = arcs; i-- > 0;) {
    uint32_t *first = &of->first[r->net->arcs.at[i].transition];
    of->next[i] = *first;
    *first = (uint32_t)i;
  }
  return 0;
}

static struct drawing_text guard(struct redrawing *r, const struct arcs_of *of, uint32_t transition) {
  const struct symmetric_transition *t = &r->net->transitions.at[transition];
  size_t from = r->text.count;
  int some = 0;
  redraw_say(r, "[");
  if (t->guard) say_conditions(r, t->guard, &some);
  for (uint32_t i = of->first[transition]; i != UINT32_MAX && !r->refused; i = of->next[i]) say_differences(r, r->net->arcs.at[i].term, &some);
  redraw_say(r, "]");
  if (!some) r->text.count = from;
  return redraw_said(r, from, t->at);
}

/* ---- the page ------------------------------------------------------------------------------------------------------------------------ */

/* Node i of a kind: id and name. */
typedef void node_of(const struct symmetric *, size_t i, const char **id, const char **name);
static void place_of(const struct symmetric *n, size_t i, const char **id, const char **name) { *id = n->places.at[i].id, *name = n->places.at[i].name; }
static void transition_of(const struct symmetric *n, size_t i, const char **id, const char **name) { *id = n->transitions.at[i].id, *name = n->transitions.at[i].name; }

/* Are the names of all of them different, as people will write them? */
static int names_differ(struct redrawing *r, size_t count, node_of *of) {
  struct names seen;
  char clean[200];
  int differ = 1;
  names_open(&seen, r->mem, MEM_OTHER);
  for (size_t i = 0; i < count && differ; i++) {
    const char *id, *name;
    of(r->net, i, &id, &name);
    flat_clean_name(clean, sizeof clean, name, strlen(name));
    differ = *clean && strlen(name) < 190 && names_put(&seen, clean, strlen(clean), &r->d->arena) == i;
  }
  names_close(&seen);
  return differ;
}

static struct drawing_position position(double x, double y, int known) { return (struct drawing_position){.x = x, .y = -y, .known = known}; } /* PNML's y points down */

static int draw_places(struct redrawing *r, struct drawing_page *page) {
  const struct symmetric *n = r->net;
  int named = names_differ(r, n->places.count, place_of);
  for (size_t i = 0; i < n->places.count && !r->refused; i++) {
    const struct symmetric_place *p = &n->places.at[i];
    struct drawing_place drawn = {.id = redraw_keep(r, p->id), .name = redraw_keep(r, named ? p->name : p->id), .place = p->at, .at = position(p->x, p->y, p->has_position)};
    size_t from = r->text.count;
    const char *set = redraw_set_name(r, p->sort);
    redraw_say(r, "%s", set);
    drawn.colset = redraw_said(r, from, p->at);
    if (p->initial) {
      redraw_multiset(r, p->initial);
      drawn.initial = redraw_said(r, from, p->at);
    }
    if (vec_push(&page->places, r->mem, MEM_MODEL, drawn)) return -1;
  }
  return r->refused ? -1 : 0;
}

static int draw_transitions(struct redrawing *r, const struct arcs_of *of, struct drawing_page *page) {
  const struct symmetric *n = r->net;
  int named = names_differ(r, n->transitions.count, transition_of);
  for (uint32_t i = 0; i < n->transitions.count && !r->refused; i++) {
    const struct symmetric_transition *t = &n->transitions.at[i];
    struct drawing_transition drawn = {.id = redraw_keep(r, t->id), .name = redraw_keep(r, named ? t->name : t->id), .text_place = t->at, .owned = t->owned, .at = position(t->x, t->y, t->has_position)};
    drawn.guard = guard(r, of, i);
    if (vec_push(&page->transitions, r->mem, MEM_MODEL, drawn)) return -1;
  }
  return r->refused ? -1 : 0;
}

static int draw_arcs(struct redrawing *r, struct drawing_page *page) {
  for (size_t i = 0; i < r->net->arcs.count && !r->refused; i++) {
    const struct symmetric_arc *a = &r->net->arcs.at[i];
    char id[32];
    snprintf(id, sizeof id, "arc%zu", i);
    struct drawing_arc drawn = {.id = redraw_keep(r, id), .at_place = a->place, .at_transition = a->transition, .kind = a->gives ? DRAWING_TO_PLACE : DRAWING_TO_TRANSITION, .place = a->at};
    size_t from = r->text.count;
    redraw_multiset(r, a->term);
    drawn.inscription = redraw_said(r, from, a->at);
    if (vec_push(&page->arcs, r->mem, MEM_MODEL, drawn)) return -1;
  }
  return r->refused ? -1 : 0;
}

static int declare_variables(struct redrawing *r) {
  const struct symmetric *n = r->net;
  if (!(r->variable = mem_alloc(r->mem, MEM_OTHER, (n->variables.count + 1) * sizeof *r->variable))) return -1;
  for (size_t i = 0; i < n->variables.count && !r->refused; i++) {
    const char *set = redraw_set_name(r, n->variables.at[i].sort);
    size_t from = r->text.count;
    r->variable[i] = redraw_name(r, &r->values, n->variables.at[i].id, "v");
    redraw_say(r, "var %s : %s;", r->variable[i], set);
    redraw_declare(r, from);
  }
  return r->refused ? -1 : 0;
}

static int draw(struct redrawing *r) {
  struct drawing *d = r->d;
  d->symmetric = 1;
  d->name = redraw_keep(r, r->net->name);
  if (declare_variables(r) || vec_push(&d->pages, r->mem, MEM_MODEL, (struct drawing_page){.id = "page", .name = "Net"})) return -1;
  struct drawing_page *page = &d->pages.at[0];
  struct arcs_of of = {NULL, NULL};
  int bad = draw_places(r, page) || sort_arcs(r, &of) || draw_transitions(r, &of, page) || draw_arcs(r, page) ? -1 : 0;
  mem_free(r->mem, of.first);
  mem_free(r->mem, of.next);
  return bad;
}

int redraw(struct drawing **out, const struct symmetric *net, struct err *e) {
  struct redrawing r = {.net = net, .mem = net->mem, .err = e};
  *out = NULL;
  if (drawing_open(&r.d, net->mem, net->file, e)) return -1;
  names_open(&r.sets, r.mem, MEM_OTHER);
  names_open(&r.values, r.mem, MEM_OTHER);
  int bad = ml_open(&r.ml, r.mem, e);
  if (!bad && draw(&r)) bad = no_memory(&r);
  ml_close(r.ml);
  names_close(&r.sets);
  names_close(&r.values);
  vec_free(&r.set, r.mem);
  vec_free(&r.division, r.mem);
  vec_free(&r.text, r.mem);
  mem_free(r.mem, r.variable);
  if (bad) drawing_close(r.d);
  else *out = r.d;
  return bad;
}
