/* check.c -- types of CPN ML: what the files of the checker share.
 *
 *   check_expr.c      expressions            check_pattern.c   patterns, types as they are written
 *   check_name.c      names, overloading     check_declare.c   val, fun, let
 *   check_bag.c       multisets and time     check_colset.c    colour sets; check_type.c: types, datatypes, exceptions
 *
 * Hindley and Milner's inference with let-polymorphism (only of what is a value already: ML's value restriction).  A type that is
 * expected is pushed into tuples, ifs, cases and lets before anything is inferred, so that errors are told where they are, and
 * conversions stand where they belong.
 *
 * Conversions.  CPN Tools represents a multiset as a list, and real nets use that: List.length of a marking, [x] as a marking.
 * Here they are two types, and where a value of the one meets the other the checker puts a conversion.  The same for a multiset
 * without time where one with time is expected.
 *
 * Overloading (+, <, numbers) is decided when the text ends: int where nothing speaks against it.  Records of which only some
 * labels are known, too. */
#include "ml/check.h"
#include "base/near.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void check_open(struct check *c, struct ml *ml, const struct ml_text *text, struct err *err) {
  *c = (struct check){.ml = ml, .text = text, .err = err};
}

void check_close(struct check *c) {
  vec_free(&c->overloaded, c->ml->mem);
  vec_free(&c->select, c->ml->mem);
  vec_free(&c->open, c->ml->mem);
  vec_free(&c->written, c->ml->mem);
  vec_free(&c->written_out, c->ml->mem);
}

int check_memory(struct check *c) { return err_memory(c->err, "a text of CPN ML"); }

int check_fault(struct check *c, struct place_in_text place, uint32_t from, const char *format, ...) {
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return ml_fault(c->err, c->text, place, from, "%s", message);
}

/* A product or record is better known by the name of its colour set. */
static void show(const struct check *c, struct ml_type *type, char *out, size_t room) {
  const struct ml_type *t = ml_type_find(type);
  for (size_t i = 0; (t->kind == ML_TYPE_RECORD || t->kind == ML_TYPE_TUPLE) && i < c->ml->colsets.count; i++) {
    const struct ml_colset *s = c->ml->colsets.at[i];
    if (s->type != t || (s->kind != ML_COLSET_PRODUCT && s->kind != ML_COLSET_RECORD)) continue;
    char shape[110];
    snprintf(out, room, "%.60s (%s)", s->name, ml_type_print(t, shape, sizeof shape - 60));
    return;
  }
  ml_type_print(t, out, room);
}

/* Are they the same but for a multiset where the other has a list? In CPN Tools that is one type. */
static int same_but_for_lists(const char *a, const char *b) {
  int differs = 0;
  while (*a && *b) {
    if (strncmp(a, " ms", 3) == 0 && strncmp(b, " list", 5) == 0) a += 3, b += 5, differs = 1;
    else if (*a++ != *b++) return 0;
  }
  return differs && !*a && !*b;
}

int check_mismatch(struct check *c, enum ml_unified u, struct place_in_text place, uint32_t from, struct ml_type *have,
                   struct ml_type *want) {
  char a[150], b[150];
  if (u == ML_NO_MEMORY) return check_memory(c);
  if (u == ML_TOO_LARGE) return check_fault(c, place, from, "the types in this text grow too large");
  show(c, have, a, sizeof a);
  show(c, want, b, sizeof b);
  if (u == ML_CIRCULAR)
    return check_fault(c, place, from, "this has the type %s, which would contain itself: %s is expected", a, b);
  if (!strcmp(a, b)) { /* two enumerations of one name, or equality of what has none */
    if (u == ML_DEMAND) return check_fault(c, place, from, "this is %s, which cannot be compared for equality", a);
    return check_fault(c, place, from, "this is another %s than the one that is expected: the name was declared twice", a);
  }
  if (u == ML_DEMAND && strchr(b, '\''))
    return check_fault(c, place, from, "this is %s, which cannot be compared for equality", a);
  check_fault(c, place, from, "this is %s, but %s is expected", a, b);
  if (same_but_for_lists(a, b)) err_hint(c->err, "++ makes a multiset; lists are joined by ^^");
  return -1;
}

int check_unify_at(struct check *c, struct place_in_text place, uint32_t from, struct ml_type *have, struct ml_type *want) {
  enum ml_unified u = ml_unify(c->ml, &c->effort, have, want);
  return u ? check_mismatch(c, u, place, from, have, want) : 0;
}

int check_unknown(struct check *c, struct place_in_text place, uint32_t from, const char *name, const char *what, int types) {
  struct near n;
  char shown[80];
  size_t length = strlen(name);
  near_open(&n, name, length);
  for (size_t i = 0; i < c->ml->buckets; i++) {
    for (struct ml_symbol *s = c->ml->bucket[i]; s; s = s->next)
      if (s->text != name && s->text[0] != ' ' && (types ? s->type != NULL : s->value != NULL)) near_offer(&n, s->text);
  }
  if (!types) ml_library_offer(&n);
  const struct ml_refusal *r = ml_refusal_of(c->ml, name);
  char line[160];
  c->ml->lacking = !r || r->again || r->lacking;
  if (r && !r->again) return c->ml->blamed = 1, check_fault(c, place, from, "the declaration of %s was refused (%s): %s", name, ml_line(c->ml, r->place, line, sizeof line), r->why);
  c->ml->unknown = name;
  char file[120];
  err_quote(shown, sizeof shown, name, length);
  if (c->ml->missing) check_fault(c, place, from, "the %s %s is not known: perhaps it is declared in \"%s\", which was left out", what, shown, err_quote(file, sizeof file, c->ml->missing, strlen(c->ml->missing)));
  else check_fault(c, place, from, "the %s %s is not known", what, shown);
  const char *best = !strcmp(name, "&&") ? "andalso" : !strcmp(name, "||") ? "orelse" : near_best(&n);
  if (best) err_hint(c->err, "did you mean %s?", best);
  return -1;
}

/* Another distribution, with finitely many outcomes, in place of the one that a sentence ends with. */
static void hint_other(struct check *c, const char *why) {
  static const struct {
    const char *name, *other;
  } others[] = {{"uniform", "fn (a, b) => Real.fromInt (discrete (round a, round b))"}, {"exponential", "fn rate => Real.fromInt (discrete (1, round (2.0 / rate)))"},
                {"normal", "fn (mean, v) => mean + Real.fromInt (discrete (~2, 2)) * Math.sqrt v"}, {"poisson", "fn mean => discrete (0, round (2.0 * mean))"}};
  const char *end = strstr(why, " is random"), *begin = end, *other = "fn x => ...";
  while (begin > why && begin[-1] != ' ') begin--;
  int length = (int)(end - begin);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strncmp(begin, others[i].name, (size_t)length) == 0 && !others[i].name[length]) other = others[i].other;
  err_hint(c->err, "thimble simulate draws random values; check needs finitely many outcomes: --define \"%.*s=%s\", or another function of the net in that way", length > 40 ? 40 : length, begin, other);
}

int check_refuse(struct check *c, struct place_in_text place, uint32_t from, const char *why) {
  if (!c->declares && !c->notes) {
    c->ml->lacking = 1;
    check_fault(c, place, from, "%s%s", why, strstr(why, "the declaration of ") ? "" : ": a state space cannot have that");
    if (strstr(why, " is random")) {
      if (c->chance && strcmp(c->chance, why) == 0) err_hint(c->err, "what has finitely many outcomes can be drawn by arcs to places, delays and code segments; thimble simulate draws elsewhere, too");
      else hint_other(c, why);
    }
    return -1;
  }
  if (!c->refused) c->refused = why, c->lacks = 1;
  return 0;
}

void check_blind(struct check *c, struct place_in_text place, uint32_t from, const char *why) {
  if (c->blind) return;
  c->blind = why;
  c->blind_at = place;
  c->blind_from = from;
}

struct ml_type *check_made(struct check *c, struct ml_type *t) {
  if (!t) check_memory(c);
  return t;
}

struct ml_type *check_new_var(struct check *c, uint32_t demand) {
  struct ml_type *t = check_made(c, ml_type_var(c->ml, c->level, demand));
  if (t && (demand & ~(uint32_t)ML_EQUAL) && vec_push(&c->overloaded, c->ml->mem, MEM_MODEL, t)) return check_memory(c), NULL;
  return t;
}

/* A pattern with ... gets all parts of the record that it turned out to be. */
static int complete(struct check *c, struct ml_pattern *p) {
  struct ml_type *t = ml_type_find(p->type);
  if (t->kind != ML_TYPE_RECORD && t->kind != ML_TYPE_TUPLE)
    return check_fault(c, p->place, p->from, "which record this is cannot be seen: write its type behind it, or all its labels");
  struct ml_pattern **part = arena_alloc(&c->ml->arena, (t->parts + 1) * sizeof *part);
  if (!part) return check_memory(c);
  for (uint32_t i = 0; i < p->parts; i++) {
    int at = ml_type_label(t, p->label[i]);
    if (at < 0) return check_fault(c, p->place, p->from, "the record has no label %s", p->label[i]);
    part[at] = p->part[i];
  }
  for (uint32_t i = 0; i < t->parts; i++) {
    if (part[i]) continue;
    if (!(part[i] = arena_alloc(&c->ml->arena, sizeof **part))) return check_memory(c);
    *part[i] = (struct ml_pattern){.kind = ML_P_ANY, .place = p->place, .from = p->from, .type = t->part[i], .height = 1};
  }
  p->part = part;
  p->parts = t->parts;
  p->label = t->label;
  p->kind = t->kind == ML_TYPE_TUPLE ? ML_P_TUPLE : ML_P_RECORD;
  return 0;
}

int check_finish(struct check *c) {
  if (check_written_out(c)) return -1;
  for (size_t i = 0; i < c->overloaded.count; i++) {
    struct ml_type *t = ml_type_find(c->overloaded.at[i]);
    if (t->kind == ML_TYPE_VAR && (t->demand & (ML_NUMBER | ML_INTEGRAL | ML_ORDERED))) t->is = c->ml->int_;
  }
  for (size_t i = 0; i < c->select.count; i++) {
    struct ml_expr *e = c->select.at[i];
    struct ml_type *t = ml_type_find(e->part[0]->type);
    if (t->kind != ML_TYPE_RECORD && t->kind != ML_TYPE_TUPLE)
      return check_fault(c, e->place, e->from,
                         "which record #%s is taken from cannot be seen: write the type of the record, as in (x : T)",
                         e->label[0]);
    e->number = ml_type_label(t, e->label[0]);
  }
  for (size_t i = 0; i < c->open.count; i++)
    if (complete(c, c->open.at[i])) return -1;
  c->overloaded.count = c->select.count = c->open.count = 0;
  return 0;
}
