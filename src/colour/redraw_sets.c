/* redraw_sets.c -- colour sets, constants and functions of the drawing of a symmetric net, and the names that they get (redraw.c). */
#include "colour/redraw_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------------------------------------------- */

void redraw_say(struct redrawing *r, const char *format, ...) {
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

struct drawing_text redraw_said(struct redrawing *r, size_t from, struct place_in_text at) {
  struct drawing_text t = {NULL, r->text.count - from, at};
  t.text = r->refused ? NULL : arena_strndup(&r->d->arena, r->text.count ? r->text.at + from : "", t.length);
  if (!t.text) r->refused = 1, t.length = 0;
  r->text.count = from;
  return t;
}

const char *redraw_keep(struct redrawing *r, const char *text) {
  const char *kept = arena_strndup(&r->d->arena, text, strlen(text));
  if (!kept) r->refused = 1;
  return kept ? kept : "";
}

void redraw_declare(struct redrawing *r, size_t from) {
  struct drawing_declaration d = {.text = redraw_said(r, from, (struct place_in_text){r->net->file, 0, 0})};
  if (r->refused || vec_push(&r->d->declarations, r->mem, MEM_MODEL, d)) r->refused = 1;
}

/* ---- names ------------------------------------------------------------------------------------------------------------------- */

static int letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

const char *redraw_name(struct redrawing *r, struct names *used, const char *wanted, const char *front) {
  char name[120];
  size_t n = (size_t)snprintf(name, 100, "%.40s%s%.50s", letter(*wanted) ? "" : front, letter(*wanted) ? "" : "_", wanted);
  for (size_t i = 0; i < n; i++)
    if (!letter(name[i]) && !isdigit((unsigned char)name[i])) name[i] = '_';
  size_t base = n;
  for (size_t k = 2; !r->refused; k = k < 9 ? k + 1 : used->list.count + k) { /* where many are called so, far beyond those that there are */
    int taken = names_find(used, name, n) != NAMES_NONE ? 1 : ml_taken(r->ml, name, n);
    if (taken < 0) r->refused = 1;
    if (taken <= 0) break;
    n = base + (size_t)snprintf(name + base, sizeof name - base, "_%zu", k);
  }
  if (names_put(used, name, n, &r->d->arena) == NAMES_NONE) r->refused = 1;
  return redraw_keep(r, name);
}

/* ---- colour sets --------------------------------------------------------------------------------------------------------------- */

static void declare_set(struct redrawing *r, size_t at) {
  const struct symmetric_sort *s = r->set.at[at].sort;
  size_t from = r->text.count;
  redraw_say(r, "colset %s = ", r->set.at[at].name);
  switch (s->kind) {
  case SYMMETRIC_DOT: redraw_say(r, "unit with %s;", r->set.at[at].constant[0]); break;
  case SYMMETRIC_RANGE: {
    int64_t high = s->low + (int64_t)s->size - 1;
    redraw_say(r, "int with %s%" PRId64 "..%s%" PRId64 ";", s->low < 0 ? "~" : "", s->low < 0 ? -s->low : s->low, high < 0 ? "~" : "", high < 0 ? -high : high);
    break;
  }
  case SYMMETRIC_ENUMERATION:
    redraw_say(r, "with ");
    for (uint64_t i = 0; i < s->size && !r->refused; i++) redraw_say(r, "%s%s", i ? " | " : "", r->set.at[at].constant[i]);
    redraw_say(r, ";");
    break;
  case SYMMETRIC_PRODUCT:
    redraw_say(r, "product ");
    for (uint32_t i = 0; i < s->parts && !r->refused; i++) redraw_say(r, "%s%s", i ? " * " : "", r->set.at[redraw_set(r, s->part[i])].name);
    redraw_say(r, ";");
    break;
  }
  redraw_declare(r, from);
}

static int name_constants(struct redrawing *r, struct colour_set *c) {
  const struct symmetric_sort *s = c->sort;
  uint64_t count = s->kind == SYMMETRIC_ENUMERATION ? s->size : 1;
  const char **shown = arena_alloc(&r->d->arena, (count + 1) * sizeof *shown);
  c->constant = arena_alloc(&r->d->arena, (count + 1) * sizeof *c->constant);
  if (!c->constant || !shown) return -1;
  if (s->kind == SYMMETRIC_DOT) {
    c->constant[0] = redraw_name(r, &r->values, "dot", "");
    return 0;
  }
  int others = 0;
  for (uint64_t i = 0; i < count; i++) {
    c->constant[i] = redraw_name(r, &r->values, s->constant[i], c->name);
    shown[i] = redraw_keep(r, s->constant[i]);
    others |= strcmp(shown[i], c->constant[i]) != 0;
  }
  return others ? vec_push(&r->d->shown, r->mem, MEM_MODEL, (struct drawing_shown){c->name, shown}) : 0;
}

size_t redraw_set(struct redrawing *r, const struct symmetric_sort *s) {
  for (size_t i = 0; i < r->set.count; i++)
    if (symmetric_same_sort(r->set.at[i].sort, s)) return i;
  for (uint32_t i = 0; i < s->parts && !r->refused; i++) redraw_set(r, s->part[i]);
  static const char *const usual[] = {"dot", "Colour", "Number", "Tuple"};
  struct colour_set c = {.sort = s, .name = redraw_name(r, &r->sets, *s->id ? s->id : usual[s->kind], usual[s->kind])};
  if ((s->kind == SYMMETRIC_DOT || s->kind == SYMMETRIC_ENUMERATION) && name_constants(r, &c)) r->refused = 1;
  if (vec_push(&r->set, r->mem, MEM_OTHER, c)) r->refused = 1;
  if (r->refused) return 0;
  declare_set(r, r->set.count - 1);
  return r->set.count - 1;
}

const char *redraw_set_name(struct redrawing *r, const struct symmetric_sort *s) {
  size_t at = redraw_set(r, s);
  return r->refused ? "" : r->set.at[at].name;
}

/* The function that gives a neighbour. */
const char *redraw_neighbour(struct redrawing *r, const struct symmetric_sort *s, int next) {
  size_t at = redraw_set(r, s), from = r->text.count;
  if (r->refused) return "";
  const char **function = next ? &r->set.at[at].next : &r->set.at[at].previous, *set = r->set.at[at].name;
  if (*function) return *function;
  char wanted[120];
  snprintf(wanted, sizeof wanted, "%s_%.90s", next ? "next" : "previous", set);
  *function = redraw_name(r, &r->values, wanted, "");
  redraw_say(r, "fun %s x = %s.col ((%s.ord x + %" PRIu64 ") mod %" PRIu64 ");", *function, set, set, next ? 1 : s->size - 1, s->size);
  redraw_declare(r, from);
  return *function;
}

/* The function that tells the element of a partition. */
const char *redraw_division(struct redrawing *r, const struct symmetric_term *t) {
  for (size_t i = 0; i < r->division.count; i++)
    if (r->division.at[i].map == t->map) return r->division.at[i].function;
  const struct symmetric_sort *divided = t->part[0]->sort;
  size_t to = redraw_set(r, t->sort), from = r->text.count;
  const char *set = redraw_set_name(r, divided);
  char wanted[120];
  if (r->refused) return "";
  snprintf(wanted, sizeof wanted, "%.90s_of", r->set.at[to].name);
  struct division made = {t->map, redraw_name(r, &r->values, wanted, "")};
  redraw_say(r, "fun %s x = List.nth ([", made.function);
  for (uint64_t i = 0; i < divided->size && !r->refused; i++) redraw_say(r, "%s%s", i ? ", " : "", r->set.at[to].constant[t->map[i]]);
  redraw_say(r, "], %s.ord x);", set);
  redraw_declare(r, from);
  if (vec_push(&r->division, r->mem, MEM_OTHER, made)) r->refused = 1;
  return made.function;
}
