/* redraw_terms.c -- colours, multisets and conditions of a symmetric net as CPN ML (redraw.c has the table). */
#include "colour/redraw_parts.h"

#include <inttypes.h>

static void say_constant(struct redrawing *r, const struct symmetric_sort *s, uint64_t colour) {
  if (s->kind == SYMMETRIC_RANGE) {
    int64_t n = s->low + (int64_t)colour;
    redraw_say(r, "%s%" PRId64, n < 0 ? "~" : "", n < 0 ? -n : n);
  } else if (s->kind == SYMMETRIC_PRODUCT) {
    uint64_t below = s->size;
    for (uint32_t i = 0; i < s->parts && !r->refused; i++) {
      below /= s->part[i]->size;
      redraw_say(r, i ? "," : "(");
      say_constant(r, s->part[i], colour / below);
      colour %= below;
    }
    redraw_say(r, ")");
  } else {
    size_t at = redraw_set(r, s);
    if (!r->refused) redraw_say(r, "%s", r->set.at[at].constant[colour]);
  }
}

/* Declarations may have to be made first: they are written and taken away again while a term is being written, which does no harm. */
static void say_colour(struct redrawing *r, const struct symmetric_term *t) {
  if (r->refused) return;
  switch (t->kind) {
  case SYMMETRIC_VARIABLE: redraw_say(r, "%s", r->variable[t->value]); return;
  case SYMMETRIC_TUPLE:
    for (uint32_t i = 0; i < t->parts; i++) {
      redraw_say(r, i ? "," : "(");
      say_colour(r, t->part[i]);
    }
    redraw_say(r, ")");
    return;
  case SYMMETRIC_SUCCESSOR:
  case SYMMETRIC_PREDECESSOR:
  case SYMMETRIC_ELEMENT: {
    const char *function = t->kind == SYMMETRIC_ELEMENT ? redraw_division(r, t) : redraw_neighbour(r, t->sort, t->kind == SYMMETRIC_SUCCESSOR);
    redraw_say(r, "%s(", function);
    say_colour(r, t->part[0]);
    redraw_say(r, ")");
    return;
  }
  default: say_constant(r, t->sort, t->value);
  }
}

void redraw_multiset(struct redrawing *r, const struct symmetric_term *t) {
  if (r->refused) return;
  switch (t->kind) {
  case SYMMETRIC_ALL: {
    const char *set = redraw_set_name(r, t->sort);
    redraw_say(r, "%s.all()", set);
    return;
  }
  case SYMMETRIC_TIMES:
    if (symmetric_is_colour(t->part[0])) {
      redraw_say(r, "%" PRIu64 "`", t->value);
      say_colour(r, t->part[0]);
    } else {
      redraw_say(r, "(%" PRIu64 " ** ", t->value);
      redraw_multiset(r, t->part[0]);
      redraw_say(r, ")");
    }
    return;
  case SYMMETRIC_SUM:
  case SYMMETRIC_DIFFERENCE:
    if (!t->parts) redraw_say(r, "empty");
    else redraw_say(r, "(");
    for (uint32_t i = 0; i < t->parts; i++) {
      if (i) redraw_say(r, t->kind == SYMMETRIC_SUM ? " ++ " : " -- ");
      redraw_multiset(r, t->part[i]);
    }
    if (t->parts) redraw_say(r, ")");
    return;
  case SYMMETRIC_CHOICES: {
    const char *set = redraw_set_name(r, t->sort);
    redraw_say(r, "%s.mult", set);
    for (uint32_t i = 0; i < t->parts; i++) {
      redraw_say(r, i ? ", " : " (");
      redraw_multiset(r, t->part[i]);
    }
    redraw_say(r, ")");
    return;
  }
  default:
    redraw_say(r, "1`");
    say_colour(r, t);
  }
}

void redraw_condition(struct redrawing *r, const struct symmetric_term *t) {
  static const char *const relation[] = {"=", "<>", "<", "<=", ">", ">="};
  if (r->refused) return;
  switch (t->kind) {
  case SYMMETRIC_TRUTH: redraw_say(r, t->value ? "true" : "false"); return;
  case SYMMETRIC_NOT:
    redraw_say(r, "not (");
    redraw_condition(r, t->part[0]);
    redraw_say(r, ")");
    return;
  case SYMMETRIC_AND:
  case SYMMETRIC_OR:
  case SYMMETRIC_IMPLIES:
    redraw_say(r, "(");
    for (uint32_t i = 0; i < t->parts; i++) {
      if (i) redraw_say(r, t->kind == SYMMETRIC_AND ? " andalso " : " orelse ");
      if (!i && t->kind == SYMMETRIC_IMPLIES) redraw_say(r, "not (");
      redraw_condition(r, t->part[i]);
      if (!i && t->kind == SYMMETRIC_IMPLIES) redraw_say(r, ")");
    }
    redraw_say(r, ")");
    return;
  default: break;
  }
  const struct symmetric_sort *s = t->part[0]->sort;
  int ordinal = t->kind != SYMMETRIC_EQUAL && t->kind != SYMMETRIC_UNEQUAL && s->kind != SYMMETRIC_RANGE;
  const char *set = ordinal ? redraw_set_name(r, s) : "";
  for (int side = 0; side < 2; side++) {
    if (side) redraw_say(r, " %s ", relation[t->kind - SYMMETRIC_EQUAL]);
    if (ordinal) redraw_say(r, "%s.ord (", set);
    say_colour(r, t->part[side]);
    if (ordinal) redraw_say(r, ")");
  }
}
