/* temporal_file.c -- a property given as an automaton in a file: HOA, or the text of a never claim.
 *
 * The automaton accepts the runs that break the property, as a never claim does.  Its atoms are state expressions of the model, np_ or accept_.  Both readers give atoms as texts
 * without a place: an atom that is not understood is looked for in the file, outside of comments, so that the message can show it. */
#include "prop/temporal.h"

#include "prop/hoa.h"
#include "prop/never.h"

#include <string.h>

enum { REDUCED = 2000 }; /* states up to which simulation is tried */

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

static void place_error(const struct temporal_source *s, size_t length, const char *atom, struct err *e) {
  size_t at = find_atom(s->text, length, atom), inside = e->column > 0 ? (size_t)e->column - 1 : 0;
  if (e->kind != ERR_INPUT || at == length) return;
  at += inside <= strlen(atom) ? inside : 0;
  long line = 1, column = 1;
  for (size_t i = 0; i < at; i++) {
    if (s->text[i] == '\n') line++, column = 1;
    else if (((unsigned char)s->text[i] & 0xc0) != 0x80) column++;
  }
  e->line = line;
  e->column = column;
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

static int read(struct temporal *t, const struct temporal_source *s, size_t length, const struct model *m, struct err *e) {
  if (is_hoa(s->text, length) ? hoa_read(&t->bad, s->text, length, s->what, t->mem, e) || name_atoms(t, s, e)
                              : never_read(&t->bad, s->text, length, s->what, &t->names, t->mem, e))
    return -1;
  if (understand_atoms(t, s, length, m, e)) return -1;
  if (t->bad->states <= REDUCED ? automaton_reduce(&t->bad, NULL, e) : automaton_trim(&t->bad, e)) return -1;
  temporal_set_method(t);
  return 0;
}

int temporal_open_file(struct temporal **out, const struct temporal_source *source, size_t length, const struct model *m, struct mem *mem, struct err *e) {
  int bad = temporal_begin(out, source->what, mem, e);
  if (*out) { /* no formula */
    formulas_close((*out)->formulas);
    (*out)->formulas = NULL;
  }
  if (!bad) bad = read(*out, source, length, m, e);
  if (!bad) return 0;
  temporal_close(*out);
  *out = NULL;
  return -1;
}
