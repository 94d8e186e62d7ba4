/* formula_print.c -- a formula as text again.
 *
 * Brackets stand around every binary operator below another one: the groupings of formula_parse.c read it alike, and so does
 * spin -f, for which && and || and -> are equally strong.
 *
 * Formulas share their parts, texts do not: one without equivalences may be exponentially longer than it was with them. */
#include "prop/formula.h"

#include "base/vec.h"
#include "prop/formula_tokens.h"

#include <string.h>

struct printer {
  const struct formulas *fs;
  enum formula_spelling spelling;
  const char *(*name)(void *, uint32_t);
  void *context;
  struct vec(char) text;
  int refused, cut;
};

static void put(struct printer *p, const char *text) {
  size_t n = strlen(text);
  if (p->cut || p->refused) return;
  if (p->text.count + n > FORMULA_LONGEST) {
    p->cut = 1;
    n = strlen(text = FORMULA_CUT);
  }
  if ((p->fs->interrupt && *p->fs->interrupt) || vec_reserve(&p->text, p->fs->mem, MEM_OTHER, n + 1)) {
    p->refused = 1;
    return;
  }
  memcpy(p->text.at + p->text.count, text, n + 1);
  p->text.count += n;
}

static const char *spell(const struct printer *p, enum formula_kind kind) {
  int spin = p->spelling == SPELL_SPIN;
  switch (kind) {
  case F_NOT: return "!";
  case F_AND: return spin ? " && " : " & ";
  case F_OR: return spin ? " || " : " | ";
  case F_IMPLIES: return " -> ";
  case F_IFF: return " <-> ";
  case F_NEXT: return "X ";
  case F_FINALLY: return spin ? "<> " : "F ";
  case F_GLOBALLY: return spin ? "[] " : "G ";
  case F_UNTIL: return " U ";
  case F_RELEASE: return spin ? " V " : " R ";
  case F_WEAK: return " W ";
  case F_STRONG: return " M ";
  case F_ALL: return "A";
  case F_EXISTS: return "E";
  case F_FALSE:
  case F_TRUE:
  case F_ATOM: break;
  }
  return "";
}

/* A plain name or number or a quoted name: needs no brackets behind a unary operator. */
static int simple_name(const char *text) {
  if (*text == '"' || *text == '\'' || *text == '{') return 1;
  for (; *text; text++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@#$", *text) && (unsigned char)*text < 0x80)
      return 0;
  return 1;
}

static void print(struct printer *p, formula f, enum formula_kind above);

/* `G until U p`: behind a unary operator, a condition that is called like a binary one would be taken for that. */
static void print_atom(struct printer *p, formula f, enum formula_kind above) {
  const char *name = p->name(p->context, formula_atom_index(p->fs, f));
  int brackets = above != F_ATOM && (!simple_name(name) || (above == F_NOT && formula_joins(name)));
  if (brackets) put(p, "(");
  put(p, name);
  if (brackets) put(p, ")");
}

static void print_quantified(struct printer *p, formula f) {
  formula below = formula_child(p->fs, f, 0);
  enum formula_kind kind = formula_kind(p->fs, below);
  put(p, spell(p, formula_kind(p->fs, f)));
  if (kind == F_NEXT || kind == F_FINALLY || kind == F_GLOBALLY) {
    put(p, kind == F_NEXT ? "X " : kind == F_FINALLY ? "F " : "G ");
    print(p, formula_child(p->fs, below, 0), F_NOT);
    return;
  }
  put(p, "(");
  print(p, below, F_ATOM);
  put(p, ")");
}

/* `above`: the operator that this stands below; F_ATOM: none. */
static void print(struct printer *p, formula f, enum formula_kind above) {
  const struct formulas *fs = p->fs;
  enum formula_kind kind = formula_kind(fs, f);
  if (p->refused || p->cut) return;
  switch (kind) {
  case F_FALSE: put(p, "false"); return;
  case F_TRUE: put(p, "true"); return;
  case F_ATOM: print_atom(p, f, above); return;
  case F_ALL:
  case F_EXISTS: print_quantified(p, f); return;
  case F_NOT:
  case F_NEXT:
  case F_FINALLY:
  case F_GLOBALLY:
    put(p, spell(p, kind));
    print(p, formula_child(fs, f, 0), F_NOT);
    return;
  default: break;
  }
  int brackets = above != F_ATOM;
  if (brackets) put(p, "(");
  if (kind == F_STRONG && p->spelling == SPELL_SPIN) { /* p M q is q U (p && q) */
    print(p, formula_child(fs, f, 1), F_UNTIL);
    put(p, " U (");
    print(p, formula_child(fs, f, 0), F_AND);
    put(p, " && ");
    print(p, formula_child(fs, f, 1), F_AND);
    put(p, ")");
  } else if (kind == F_WEAK && p->spelling == SPELL_SPIN) { /* [] p || p U q */
    put(p, "[] ");
    print(p, formula_child(fs, f, 0), F_NOT);
    put(p, " || (");
    print(p, formula_child(fs, f, 0), F_UNTIL);
    put(p, " U ");
    print(p, formula_child(fs, f, 1), F_UNTIL);
    put(p, ")");
  } else
    for (uint32_t i = 0; i < formula_children(fs, f); i++) {
      if (i) put(p, spell(p, kind));
      print(p, formula_child(fs, f, i), kind);
    }
  if (brackets) put(p, ")");
}

char *formula_print(const struct formulas *fs, formula f, enum formula_spelling spelling,
                    const char *(*name)(void *context, uint32_t index), void *context) {
  struct printer p = {.fs = fs, .spelling = spelling, .name = name, .context = context};
  print(&p, f, F_ATOM);
  if (p.refused) vec_free(&p.text, fs->mem);
  return p.text.at;
}
