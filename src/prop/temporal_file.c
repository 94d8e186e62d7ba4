/* temporal_file.c -- a property given as an automaton in a file: HOA, or the text of a never claim.
 *
 * The automaton accepts the runs that break the property, as a never claim does; an observer (temporal_open_observer) those that do not, and is deterministic.  Its atoms are state expressions of the model, np_ or accept_.  Both readers give atoms as texts
 * without a place: an atom that is not understood is looked for in the file, outside of comments, so that the message can show it. */
#include "prop/temporal.h"

#include "prop/cube.h"
#include "prop/hoa.h"
#include "prop/never.h"

#include <stdio.h>
#include <string.h>

enum { REDUCED = 2000, REDUCED_EDGES = 10000 }; /* states and edges up to which simulation is tried: it compares each edge with each other one */

static int is_hoa(const char *text, size_t length) {
  size_t i = 0;
  while (i < length && strchr(" \t\r\n", text[i])) i++;
  return length - i >= 4 && memcmp(text + i, "HOA:", 4) == 0;
}

static int in_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/* Not as a part of a longer word. */
static int stands_at(const char *text, size_t length, size_t i, const char *atom, size_t n) {
  if (memcmp(text + i, atom, n) != 0) return 0;
  return !(i && in_word(text[i - 1]) && in_word(atom[0])) && !(i + n < length && in_word(text[i + n]) && in_word(atom[n - 1]));
}

/* Where the text of an atom stands: in HOA behind AP:, in a claim anywhere outside of comments. `length` = nowhere. */
static size_t find_atom(const char *text, size_t length, const char *atom) {
  size_t n = strlen(atom), begin = 0;
  if (is_hoa(text, length))
    while (begin < length && !(length - begin > 3 && stands_at(text, length, begin, "AP:", 3))) begin++;
  for (size_t i = begin; n && i + n <= length; i++) {
    if (i + 1 < length && text[i] == '/' && text[i + 1] == '*') {
      for (i += 2; i + 1 < length && (text[i] != '*' || text[i + 1] != '/'); i++)
        ;
      i++;
    } else if (stands_at(text, length, i, atom, n)) return i;
  }
  return length;
}

static void place_of(const char *text, size_t at, struct place_in_text *out) {
  out->line = out->column = 1;
  for (size_t i = 0; i < at; i++) {
    if (text[i] == '\n') out->line++, out->column = 1;
    else if (((unsigned char)text[i] & 0xc0) != 0x80) out->column++;
  }
}

static void place_error(const struct temporal_source *s, size_t length, const char *atom, struct err *e) {
  size_t at = find_atom(s->text, length, atom), inside = e->column > 0 ? (size_t)e->column - 1 : 0;
  if (e->kind != ERR_INPUT || at == length) return;
  at += inside <= strlen(atom) ? inside : 0;
  struct place_in_text place = {0};
  place_of(s->text, at, &place);
  e->line = place.line;
  e->column = place.column;
  err_excerpt(e, s->text, length, at);
}

/* The atoms of an automaton become the names of the property, in their order. */
static int name_atoms(struct temporal *t, const struct temporal_source *s, struct err *e) {
  for (uint32_t i = 0; i < t->bad->atoms; i++) {
    const char *text = t->bad->atom[i];
    int index = atoms_add(&t->names, text, strlen(text), 1, e);
    if (index < 0) return -1;
    if ((uint32_t)index != i) return err_input(e, (struct place_in_text){.file = s->what, .line = 1, .column = 1}, "the atom %s is there twice", text);
  }
  return 0;
}

static int understand_atoms(struct temporal *t, const struct temporal_source *s, size_t length, const struct model *m, struct err *e) {
  for (uint32_t i = 0; i < t->names.count; i++)
    if (temporal_read_atom(t, i, m, s->what, e)) {
      place_error(s, length, t->names.text[i], e);
      return -1;
    }
  return 0;
}

/* Where a state is described in HOA, as State: N or State: [label] N; `length` = nowhere. */
static size_t find_state(const char *text, size_t length, uint32_t state) {
  size_t at = length;
  for (size_t i = 0; i + 6 < length && at == length; i++) {
    if (!stands_at(text, length, i, "State:", 6)) continue;
    size_t k = i + 6;
    uint64_t number = 0;
    while (k < length && strchr(" \t\r\n", text[k])) k++;
    if (k < length && text[k] == '[')
      while (k < length && text[k++] != ']')
        ;
    while (k < length && strchr(" \t\r\n", text[k])) k++;
    if (k == length || text[k] < '0' || text[k] > '9') continue;
    for (; k < length && text[k] >= '0' && text[k] <= '9' && number <= UINT32_MAX; k++) number = 10 * number + (uint64_t)(text[k] - '0');
    if (number == state) at = i;
  }
  return at;
}

/* A guard as people write it: a && !(b); returns out. */
static char *guard_text(const struct temporal *t, struct cube c, char *out, size_t room) {
  size_t used = 0;
  out[0] = 0;
  for (uint32_t i = 0; i < t->names.count && used + 1 < room; i++) {
    char atom[48];
    if (!(c.care >> i & 1)) continue;
    err_quote(atom, sizeof atom, t->names.text[i], strlen(t->names.text[i]));
    int n = snprintf(out + used, room - used, "%s%s(%s)", used ? " && " : "", c.want >> i & 1 ? "" : "!", atom);
    used += n > 0 ? (size_t)n : 0;
  }
  if (!c.care) snprintf(out, room, "true");
  return out;
}

static struct cube guard_of(const struct automaton_edge *x) { return (struct cube){x->care, x->want}; }

static int refuse_two(const struct temporal *t, const struct temporal_source *s, size_t length, uint32_t state, const struct automaton_edge *x,
                      const struct automaton_edge *y, struct err *e) {
  char one[130], other[130], both[130];
  size_t at = is_hoa(s->text, length) ? find_state(s->text, length, state) : length;
  struct place_in_text place = {.file = s->what};
  if (at < length) place_of(s->text, at, &place);
  err_input(e, place, "an observer must be deterministic, but state %u has the edges [%s] to %u and [%s] to %u, both open where %s", (unsigned)state,
            guard_text(t, guard_of(x), one, sizeof one), (unsigned)x->to, guard_text(t, guard_of(y), other, sizeof other), (unsigned)y->to,
            guard_text(t, cube_both(guard_of(x), guard_of(y)), both, sizeof both));
  if (at < length) err_excerpt(e, s->text, length, at);
  err_hint(e, "--automaton takes the automaton of what must not happen, deterministic or not");
  return -1;
}

/* At most one state to begin with, and no letter for which two edges lead on in different ways. */
static int demand_deterministic(const struct temporal *t, const struct temporal_source *s, size_t length, struct err *e) {
  const struct automaton *a = t->bad;
  if (a->initial_count > 1) {
    err_input(e, (struct place_in_text){.file = s->what}, "an observer must be deterministic, but it may begin in state %u and in state %u",
              (unsigned)a->initial[0], (unsigned)a->initial[1]);
    return -1;
  }
  for (uint32_t q = 0; q < a->states; q++)
    for (const struct automaton_edge *x = automaton_edges(a, q), *end = automaton_edges(a, q + 1); x < end; x++)
      for (const struct automaton_edge *y = x + 1; y < end; y++)
        if ((x->to != y->to || x->accept != y->accept) && cube_meets(guard_of(x), guard_of(y))) return refuse_two(t, s, length, q, x, y, e);
  return 0;
}

static int read(struct temporal *t, const struct temporal_source *s, size_t length, const struct model *m, struct err *e) {
  if (is_hoa(s->text, length) ? hoa_read(&t->bad, s->text, length, s->what, t->mem, e) || name_atoms(t, s, e)
                              : never_read(&t->bad, s->text, length, s->what, &t->names, t->mem, e))
    return -1;
  if (understand_atoms(t, s, length, m, e)) return -1;
  if (t->method == TEMPORAL_OBSERVER) return demand_deterministic(t, s, length, e);
  int small = t->bad->states <= REDUCED && t->bad->first[t->bad->states] <= REDUCED_EDGES;
  if (automaton_trim(&t->bad, e)) return -1;
  t->stutters = automaton_stutters(t->bad); /* as it was written: smaller ones show it less often */
  if (small && automaton_reduce(&t->bad, NULL, e)) return -1;
  temporal_set_method(t);
  return 0;
}

static int open_file(struct temporal **out, const struct temporal_source *source, size_t length, enum temporal_method method, const struct model *m, struct mem *mem,
                     struct err *e) {
  int bad = temporal_begin(out, source->what, mem, e);
  if (*out) { /* no formula */
    (*out)->method = method;
    formulas_close((*out)->formulas);
    (*out)->formulas = NULL;
  }
  if (!bad) bad = read(*out, source, length, m, e);
  if (!bad) return 0;
  temporal_close(*out);
  *out = NULL;
  return -1;
}

int temporal_open_file(struct temporal **out, const struct temporal_source *source, size_t length, const struct model *m, struct mem *mem, struct err *e) {
  return open_file(out, source, length, TEMPORAL_STRONG, m, mem, e);
}

int temporal_open_observer(struct temporal **out, const struct temporal_source *source, size_t length, const struct model *m, struct mem *mem, struct err *e) {
  return open_file(out, source, length, TEMPORAL_OBSERVER, m, mem, e);
}
