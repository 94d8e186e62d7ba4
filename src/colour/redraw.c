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
#include "colour/redraw.h"

#include "colour/flatten.h"
#include "ml/ml.h"
#include "net/names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text vec(char);

struct colour_set {
  const struct symmetric_sort *sort;
  const char *name;
  const char **constant; /* of an enumeration; of a dot: one */
  const char *next, *previous; /* functions; NULL = nobody has asked for them */
};

struct division { /* a partition: its map tells it */
  const uint32_t *map;
  const char *function;
};

struct redrawing {
  const struct symmetric *net;
  struct drawing *d;
  struct mem *mem;
  struct err *err;
  struct ml *ml;            /* asked for names only */
  struct names sets, values; /* names in use: types and values do not get into each other's way */
  struct vec(struct colour_set) set;
  struct vec(struct division) division;
  const char **variable;
  struct text text; /* being written */
  int refused;      /* memory */
};

static int no_memory(struct redrawing *r) { return err_memory(r->err, "the coloured net"); }

/* ---- text ------------------------------------------------------------------------------------------------------------------- */

static void say(struct redrawing *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct redrawing *r, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  if (n < 0 || vec_reserve(&r->text, r->mem, MEM_OTHER, (size_t)n + 1)) r->refused = 1;
  else {
    vsnprintf(r->text.at + r->text.count, (size_t)n + 1, format, again);
    r->text.count += (size_t)n;
  }
  va_end(again);
  va_end(args);
}

/* What was said since `from`, kept with the drawing; the text is as it was then. */
static struct drawing_text said(struct redrawing *r, size_t from, struct place_in_text at) {
  struct drawing_text t = {NULL, r->text.count - from, at};
  t.text = r->refused ? NULL : arena_strndup(&r->d->arena, r->text.count ? r->text.at + from : "", t.length);
  if (!t.text) r->refused = 1, t.length = 0;
  r->text.count = from;
  return t;
}

static const char *keep(struct redrawing *r, const char *text) {
  const char *kept = arena_strndup(&r->d->arena, text, strlen(text));
  if (!kept) r->refused = 1;
  return kept ? kept : "";
}

static void declare(struct redrawing *r, size_t from) {
  struct drawing_declaration d = {.text = said(r, from, (struct place_in_text){r->net->file, 0, 0})};
  if (r->refused || vec_push(&r->d->declarations, r->mem, MEM_MODEL, d)) r->refused = 1;
}

/* ---- names ------------------------------------------------------------------------------------------------------------------- */

static int letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* A name of ML's for one of the net's; `front` stands before one that does not begin with a letter. */
static const char *name_for(struct redrawing *r, struct names *used, const char *wanted, const char *front) {
  char name[120];
  size_t n = (size_t)snprintf(name, 100, "%.40s%s%.50s", letter(*wanted) ? "" : front, letter(*wanted) ? "" : "_", wanted);
  for (size_t i = 0; i < n; i++)
    if (!letter(name[i]) && !isdigit((unsigned char)name[i])) name[i] = '_';
  size_t base = n;
  for (unsigned k = 2; names_find(used, name, n) != NAMES_NONE || ml_taken(r->ml, name, n); k++) n = base + (size_t)snprintf(name + base, sizeof name - base, "_%u", k);
  if (names_put(used, name, n, &r->d->arena) == NAMES_NONE) r->refused = 1;
  return keep(r, name);
}

/* ---- colour sets --------------------------------------------------------------------------------------------------------------- */

static size_t set_of(struct redrawing *, const struct symmetric_sort *);

static void declare_set(struct redrawing *r, size_t at) {
  const struct symmetric_sort *s = r->set.at[at].sort;
  size_t from = r->text.count;
  say(r, "colset %s = ", r->set.at[at].name);
  switch (s->kind) {
  case SYMMETRIC_DOT: say(r, "unit with %s;", r->set.at[at].constant[0]); break;
  case SYMMETRIC_RANGE: {
    int64_t high = s->low + (int64_t)s->size - 1;
    say(r, "int with %s%" PRId64 "..%s%" PRId64 ";", s->low < 0 ? "~" : "", s->low < 0 ? -s->low : s->low, high < 0 ? "~" : "", high < 0 ? -high : high);
    break;
  }
  case SYMMETRIC_ENUMERATION:
    say(r, "with ");
    for (uint64_t i = 0; i < s->size && !r->refused; i++) say(r, "%s%s", i ? " | " : "", r->set.at[at].constant[i]);
    say(r, ";");
    break;
  case SYMMETRIC_PRODUCT:
    say(r, "product ");
    for (uint32_t i = 0; i < s->parts && !r->refused; i++) say(r, "%s%s", i ? " * " : "", r->set.at[set_of(r, s->part[i])].name);
    say(r, ";");
    break;
  }
  declare(r, from);
}

static int name_constants(struct redrawing *r, struct colour_set *c) {
  const struct symmetric_sort *s = c->sort;
  uint64_t count = s->kind == SYMMETRIC_ENUMERATION ? s->size : 1;
  const char **shown = arena_alloc(&r->d->arena, (count + 1) * sizeof *shown);
  c->constant = arena_alloc(&r->d->arena, (count + 1) * sizeof *c->constant);
  if (!c->constant || !shown) return -1;
  if (s->kind == SYMMETRIC_DOT) {
    c->constant[0] = name_for(r, &r->values, "dot", "");
    return 0;
  }
  int others = 0;
  for (uint64_t i = 0; i < count; i++) {
    c->constant[i] = name_for(r, &r->values, s->constant[i], c->name);
    shown[i] = keep(r, s->constant[i]);
    others |= strcmp(shown[i], c->constant[i]) != 0;
  }
  return others ? vec_push(&r->d->shown, r->mem, MEM_MODEL, (struct drawing_shown){c->name, shown}) : 0;
}

/* The colour set of a sort, by its number: declared when it is first asked for, after its parts. */
static size_t set_of(struct redrawing *r, const struct symmetric_sort *s) {
  for (size_t i = 0; i < r->set.count; i++)
    if (symmetric_same_sort(r->set.at[i].sort, s)) return i;
  for (uint32_t i = 0; i < s->parts && !r->refused; i++) set_of(r, s->part[i]);
  static const char *const usual[] = {"dot", "Colour", "Number", "Tuple"};
  struct colour_set c = {.sort = s, .name = name_for(r, &r->sets, *s->id ? s->id : usual[s->kind], usual[s->kind])};
  if ((s->kind == SYMMETRIC_DOT || s->kind == SYMMETRIC_ENUMERATION) && name_constants(r, &c)) r->refused = 1;
  if (vec_push(&r->set, r->mem, MEM_OTHER, c)) r->refused = 1;
  if (r->refused) return 0;
  declare_set(r, r->set.count - 1);
  return r->set.count - 1;
}

static const char *set_name(struct redrawing *r, const struct symmetric_sort *s) {
  size_t at = set_of(r, s);
  return r->refused ? "" : r->set.at[at].name;
}

/* The function that gives a neighbour. */
static const char *neighbour(struct redrawing *r, const struct symmetric_sort *s, int next) {
  size_t at = set_of(r, s), from = r->text.count;
  if (r->refused) return "";
  const char **function = next ? &r->set.at[at].next : &r->set.at[at].previous, *set = r->set.at[at].name;
  if (*function) return *function;
  char wanted[120];
  snprintf(wanted, sizeof wanted, "%s_%.90s", next ? "next" : "previous", set);
  *function = name_for(r, &r->values, wanted, "");
  say(r, "fun %s x = %s.col ((%s.ord x + %" PRIu64 ") mod %" PRIu64 ");", *function, set, set, next ? 1 : s->size - 1, s->size);
  declare(r, from);
  return *function;
}

/* The function that tells the element of a partition. */
static const char *division(struct redrawing *r, const struct symmetric_term *t) {
  for (size_t i = 0; i < r->division.count; i++)
    if (r->division.at[i].map == t->map) return r->division.at[i].function;
  const struct symmetric_sort *divided = t->part[0]->sort;
  size_t to = set_of(r, t->sort), from = r->text.count;
  const char *set = set_name(r, divided);
  char wanted[120];
  if (r->refused) return "";
  snprintf(wanted, sizeof wanted, "%.90s_of", r->set.at[to].name);
  struct division made = {t->map, name_for(r, &r->values, wanted, "")};
  say(r, "fun %s x = List.nth ([", made.function);
  for (uint64_t i = 0; i < divided->size && !r->refused; i++) say(r, "%s%s", i ? ", " : "", r->set.at[to].constant[t->map[i]]);
  say(r, "], %s.ord x);", set);
  declare(r, from);
  if (vec_push(&r->division, r->mem, MEM_OTHER, made)) r->refused = 1;
  return made.function;
}

/* ---- terms ------------------------------------------------------------------------------------------------------------------------ */

static void say_constant(struct redrawing *r, const struct symmetric_sort *s, uint64_t colour) {
  if (s->kind == SYMMETRIC_RANGE) {
    int64_t n = s->low + (int64_t)colour;
    say(r, "%s%" PRId64, n < 0 ? "~" : "", n < 0 ? -n : n);
  } else if (s->kind == SYMMETRIC_PRODUCT) {
    uint64_t below = s->size;
    for (uint32_t i = 0; i < s->parts && !r->refused; i++) {
      below /= s->part[i]->size;
      say(r, i ? "," : "(");
      say_constant(r, s->part[i], colour / below);
      colour %= below;
    }
    say(r, ")");
  } else {
    size_t at = set_of(r, s);
    if (!r->refused) say(r, "%s", r->set.at[at].constant[colour]);
  }
}

/* Declarations may have to be made first: they are written and taken away again while a term is being written, which does no harm. */
static void say_colour(struct redrawing *r, const struct symmetric_term *t) {
  if (r->refused) return;
  switch (t->kind) {
  case SYMMETRIC_VARIABLE: say(r, "%s", r->variable[t->value]); return;
  case SYMMETRIC_TUPLE:
    for (uint32_t i = 0; i < t->parts; i++) {
      say(r, i ? "," : "(");
      say_colour(r, t->part[i]);
    }
    say(r, ")");
    return;
  case SYMMETRIC_SUCCESSOR:
  case SYMMETRIC_PREDECESSOR:
  case SYMMETRIC_ELEMENT: {
    const char *function = t->kind == SYMMETRIC_ELEMENT ? division(r, t) : neighbour(r, t->sort, t->kind == SYMMETRIC_SUCCESSOR);
    say(r, "%s(", function);
    say_colour(r, t->part[0]);
    say(r, ")");
    return;
  }
  default: say_constant(r, t->sort, t->value);
  }
}

static void say_multiset(struct redrawing *r, const struct symmetric_term *t) {
  if (r->refused) return;
  switch (t->kind) {
  case SYMMETRIC_ALL: {
    const char *set = set_name(r, t->sort);
    say(r, "%s.all()", set);
    return;
  }
  case SYMMETRIC_TIMES:
    if (symmetric_is_colour(t->part[0])) {
      say(r, "%" PRIu64 "`", t->value);
      say_colour(r, t->part[0]);
    } else {
      say(r, "(%" PRIu64 " ** ", t->value);
      say_multiset(r, t->part[0]);
      say(r, ")");
    }
    return;
  case SYMMETRIC_SUM:
  case SYMMETRIC_DIFFERENCE:
    if (!t->parts) say(r, "empty");
    else say(r, "(");
    for (uint32_t i = 0; i < t->parts; i++) {
      if (i) say(r, t->kind == SYMMETRIC_SUM ? " ++ " : " -- ");
      say_multiset(r, t->part[i]);
    }
    if (t->parts) say(r, ")");
    return;
  case SYMMETRIC_CHOICES: {
    const char *set = set_name(r, t->sort);
    say(r, "%s.mult", set);
    for (uint32_t i = 0; i < t->parts; i++) {
      say(r, i ? ", " : " (");
      say_multiset(r, t->part[i]);
    }
    say(r, ")");
    return;
  }
  default:
    say(r, "1`");
    say_colour(r, t);
  }
}

static void say_condition(struct redrawing *r, const struct symmetric_term *t) {
  static const char *const relation[] = {"=", "<>", "<", "<=", ">", ">="};
  if (r->refused) return;
  switch (t->kind) {
  case SYMMETRIC_TRUTH: say(r, t->value ? "true" : "false"); return;
  case SYMMETRIC_NOT:
    say(r, "not (");
    say_condition(r, t->part[0]);
    say(r, ")");
    return;
  case SYMMETRIC_AND:
  case SYMMETRIC_OR:
  case SYMMETRIC_IMPLIES:
    say(r, "(");
    for (uint32_t i = 0; i < t->parts; i++) {
      if (i) say(r, t->kind == SYMMETRIC_AND ? " andalso " : " orelse ");
      if (!i && t->kind == SYMMETRIC_IMPLIES) say(r, "not (");
      say_condition(r, t->part[i]);
      if (!i && t->kind == SYMMETRIC_IMPLIES) say(r, ")");
    }
    say(r, ")");
    return;
  default: break;
  }
  const struct symmetric_sort *s = t->part[0]->sort;
  int ordinal = t->kind != SYMMETRIC_EQUAL && t->kind != SYMMETRIC_UNEQUAL && s->kind != SYMMETRIC_RANGE;
  const char *set = ordinal ? set_name(r, s) : "";
  for (int side = 0; side < 2; side++) {
    if (side) say(r, " %s ", relation[t->kind - SYMMETRIC_EQUAL]);
    if (ordinal) say(r, "%s.ord (", set);
    say_colour(r, t->part[side]);
    if (ordinal) say(r, ")");
  }
}

/* ---- guards ------------------------------------------------------------------------------------------------------------------------ */

static void say_conditions(struct redrawing *r, const struct symmetric_term *t, int *some) {
  if (t->kind == SYMMETRIC_AND) {
    for (uint32_t i = 0; i < t->parts && !r->refused; i++) say_conditions(r, t->part[i], some);
    return;
  }
  if ((*some)++) say(r, ", ");
  say_condition(r, t);
}

static void say_differences(struct redrawing *r, const struct symmetric_term *t, int *some) {
  for (uint32_t i = 0; i < t->parts && !r->refused; i++) say_differences(r, t->part[i], some);
  if (t->kind != SYMMETRIC_DIFFERENCE) return;
  if ((*some)++) say(r, ", ");
  say_multiset(r, t->part[1]);
  say(r, " <<= ");
  say_multiset(r, t->part[0]);
}

static struct drawing_text guard(struct redrawing *r, uint32_t transition) {
  const struct symmetric_transition *t = &r->net->transitions.at[transition];
  size_t from = r->text.count;
  int some = 0;
  say(r, "[");
  if (t->guard) say_conditions(r, t->guard, &some);
  for (size_t i = 0; i < r->net->arcs.count && !r->refused; i++)
    if (r->net->arcs.at[i].transition == transition) say_differences(r, r->net->arcs.at[i].term, &some);
  say(r, "]");
  if (!some) r->text.count = from;
  return said(r, from, t->at);
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
    struct drawing_place drawn = {.id = keep(r, p->id), .name = keep(r, named ? p->name : p->id), .place = p->at, .at = position(p->x, p->y, p->has_position)};
    size_t from = r->text.count;
    const char *set = set_name(r, p->sort);
    say(r, "%s", set);
    drawn.colset = said(r, from, p->at);
    if (p->initial) {
      say_multiset(r, p->initial);
      drawn.initial = said(r, from, p->at);
    }
    if (vec_push(&page->places, r->mem, MEM_MODEL, drawn)) return -1;
  }
  return r->refused ? -1 : 0;
}

static int draw_transitions(struct redrawing *r, struct drawing_page *page) {
  const struct symmetric *n = r->net;
  int named = names_differ(r, n->transitions.count, transition_of);
  for (uint32_t i = 0; i < n->transitions.count && !r->refused; i++) {
    const struct symmetric_transition *t = &n->transitions.at[i];
    struct drawing_transition drawn = {.id = keep(r, t->id), .name = keep(r, named ? t->name : t->id), .text_place = t->at, .at = position(t->x, t->y, t->has_position)};
    drawn.guard = guard(r, i);
    if (vec_push(&page->transitions, r->mem, MEM_MODEL, drawn)) return -1;
  }
  return r->refused ? -1 : 0;
}

static int draw_arcs(struct redrawing *r, struct drawing_page *page) {
  for (size_t i = 0; i < r->net->arcs.count && !r->refused; i++) {
    const struct symmetric_arc *a = &r->net->arcs.at[i];
    char id[32];
    snprintf(id, sizeof id, "arc%zu", i);
    struct drawing_arc drawn = {.id = keep(r, id), .at_place = a->place, .at_transition = a->transition, .kind = a->gives ? DRAWING_TO_PLACE : DRAWING_TO_TRANSITION, .place = a->at};
    size_t from = r->text.count;
    say_multiset(r, a->term);
    drawn.inscription = said(r, from, a->at);
    if (vec_push(&page->arcs, r->mem, MEM_MODEL, drawn)) return -1;
  }
  return r->refused ? -1 : 0;
}

static int declare_variables(struct redrawing *r) {
  const struct symmetric *n = r->net;
  if (!(r->variable = mem_alloc(r->mem, MEM_OTHER, (n->variables.count + 1) * sizeof *r->variable))) return -1;
  for (size_t i = 0; i < n->variables.count && !r->refused; i++) {
    const char *set = set_name(r, n->variables.at[i].sort);
    size_t from = r->text.count;
    r->variable[i] = name_for(r, &r->values, n->variables.at[i].id, "v");
    say(r, "var %s : %s;", r->variable[i], set);
    declare(r, from);
  }
  return r->refused ? -1 : 0;
}

static int draw(struct redrawing *r) {
  struct drawing *d = r->d;
  d->symmetric = 1;
  d->name = keep(r, r->net->name);
  if (declare_variables(r) || vec_push(&d->pages, r->mem, MEM_MODEL, (struct drawing_page){.id = "page", .name = "Net"})) return -1;
  struct drawing_page *page = &d->pages.at[0];
  return draw_places(r, page) || draw_transitions(r, page) || draw_arcs(r, page) ? -1 : 0;
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
