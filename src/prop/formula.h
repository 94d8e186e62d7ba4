/* formula.h -- temporal formulas: LTL, CTL and CTL* over atoms that somebody else understands.
 *
 * A `struct formulas` holds many formulas as one graph without duplicates: equal formulas are equal numbers, so
 * comparing, memoising and sharing cost nothing.  Nodes are never freed one by one.
 *
 *   struct formulas *fs;
 *   if (formulas_open(&fs, mem, err)) ...
 *   formula f;
 *   if (formula_parse(fs, &f, text, &(struct formula_reader){.what = "--ltl", .atom = my_atom, .context = me}, err)) ...
 *   formula bad = formula_simplify(fs, formula_normal(fs, f, 1));   // negated, negations at atoms, simpler
 *   if (bad == FORMULA_NONE) return err_memory(err, "a formula");
 *
 * Constructors return FORMULA_NONE when the budget refuses, and FORMULA_NONE when a part is FORMULA_NONE: a chain of
 * them needs one test at its end.  The grammar is told in doc/properties.md and formula_parse.c. */
#ifndef PROP_FORMULA_H
#define PROP_FORMULA_H

#include "base/err.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdint.h>

typedef uint32_t formula;
#define FORMULA_NONE UINT32_MAX
#define FORMULA_FALSE 0u /* in every struct formulas */
#define FORMULA_TRUE 1u

enum formula_kind {
  F_FALSE,
  F_TRUE,
  F_ATOM,
  F_NOT,
  F_AND, /* any number of parts, at least two, in ascending order, none of them an F_AND */
  F_OR,  /* likewise */
  F_IMPLIES,
  F_IFF,
  F_NEXT,
  F_FINALLY,
  F_GLOBALLY,
  F_UNTIL,   /* p U q: q comes, and p holds until then */
  F_RELEASE, /* p R q: q holds up to and including when p comes, for ever if p never comes */
  F_WEAK,    /* p W q: p U q, or p for ever */
  F_STRONG,  /* p M q: p R q, and p comes */
  F_ALL,     /* A: on all paths */
  F_EXISTS,  /* E: on some path */
};

/* What is known of a formula by its looks alone: each bit is certain when set and unknown when not.  The classes are
   those of Manna and Pnueli's hierarchy, read off the syntax as by Chang, Manna and Pnueli. */
enum formula_class {
  CLASS_BOOLEAN = 1,      /* no temporal operator */
  CLASS_EVENTUAL = 2,     /* putting anything in front of a word that satisfies it gives another (Etessami, Holzmann) */
  CLASS_UNIVERSAL = 4,    /* all suffixes of a word that satisfies it do too */
  CLASS_SAFETY = 8,       /* a word that violates it has a bad prefix */
  CLASS_GUARANTEE = 16,   /* a word that satisfies it has a good prefix */
  CLASS_OBLIGATION = 32,  /* boolean combinations of the two: a weak deterministic automaton exists */
  CLASS_PERSISTENCE = 64, /* FG and below: a weak automaton exists */
  CLASS_RECURRENCE = 128, /* GF and below: a deterministic Buechi automaton exists */
  CLASS_LTL = 256,        /* no path quantifier */
  CLASS_STATE = 512,      /* its truth depends on the first state alone: boolean over atoms and quantified formulas */
  CLASS_CTL = 1024,       /* CTL: each temporal operator directly below a quantifier */
};

enum { FORMULA_DEPTH = 200, FORMULA_ATOMS = 64 }; /* nesting; atoms that an automaton can tell apart */

struct formula_node {
  uint8_t kind;
  uint16_t class, height;
  uint32_t count;            /* of children; F_ATOM: its index */
  uint32_t first;            /* in `child` */
  formula normal[2], simple; /* memos: normal form, that of the negation, simplification; FORMULA_NONE = not yet */
};

struct formulas {
  struct mem *mem;
  struct formula_node *node;
  size_t count, room;
  formula *child;
  size_t child_count, child_room;
  uint32_t *slot; /* open addressing; index + 1 */
  size_t slots;   /* a power of two */
  uint64_t *pair; /* memo of formula_implies: f << 33 | g << 2 | 2 | answer; 0 = free */
  size_t pairs, pair_count;
  const volatile int *interrupt; /* may be NULL; when it is set, constructors refuse */
};

int formulas_open(struct formulas **out, struct mem *, struct err *);
void formulas_close(struct formulas *); /* NULL is fine */
/* After FORMULA_NONE: the reason as an error, -1. */
int formulas_refused(const struct formulas *, struct err *);

/* ---- looking ---- */
static inline enum formula_kind formula_kind(const struct formulas *fs, formula f) { return (enum formula_kind)fs->node[f].kind; }
static inline uint32_t formula_children(const struct formulas *fs, formula f) {
  return fs->node[f].kind == F_ATOM ? 0 : fs->node[f].count;
}
static inline formula formula_child(const struct formulas *fs, formula f, uint32_t i) { return fs->child[fs->node[f].first + i]; }
static inline uint32_t formula_atom_index(const struct formulas *fs, formula f) { return fs->node[f].count; }
static inline unsigned formula_class(const struct formulas *fs, formula f) { return fs->node[f].class; }
static inline int formula_is(const struct formulas *fs, formula f, unsigned classes) {
  return (fs->node[f].class & classes) == classes;
}
/* "safety", "guarantee", "obligation", "recurrence", "persistence", "reactivity": the lowest that is known. */
const char *formula_class_name(const struct formulas *, formula);
/* Does it speak of the next state? Of those that do not, words have the truth value that they have with states repeated. */
int formula_says_next(const struct formulas *, formula);
/* Nodes of the formula, each counted once. */
size_t formula_size(const struct formulas *, formula);

/* The atoms of the formula as a mask: 0; -1 if one has an index from FORMULA_ATOMS on, FORMULA_NO_MEMORY when refused. */
enum { FORMULA_NO_MEMORY = -2 };
int formula_atoms(const struct formulas *, formula, uint64_t *mask);

/* ---- making; no rewriting except: constants in AND, OR, NOT vanish, AND and OR are sorted sets ---- */
formula formula_atom(struct formulas *, uint32_t index);
formula formula_unary(struct formulas *, enum formula_kind, formula);
formula formula_binary(struct formulas *, enum formula_kind, formula, formula);                /* F_AND and F_OR too */
formula formula_many(struct formulas *, enum formula_kind, const formula *part, size_t count); /* F_AND, F_OR */

/* ---- reading and writing ---- */
enum formula_grouping {
  GROUP_USUAL,   /* U R W M and -> group to the right */
  GROUP_SPIN,    /* U V W, -> and <-> group to the left, -> and <-> are equally strong */
  GROUP_PROMELA, /* likewise, and & | ~ are about bits: as in ltl blocks */
};

struct formula_reader {
  const char *what; /* the option or file, for messages */
  long line;        /* of the text's first character in that file; 0 = 1 */
  long column;      /* likewise */
  enum formula_grouping grouping;
  int branching; /* 1: path quantifiers A and E are known (CTL, CTL*) */
  /* The index of the atom with this text, in which nothing is known to the parser; below 0 with err. `column` counts
     characters of the formula from 1. Blanks around are gone. A quoted name keeps its quotes. */
  int (*atom)(void *context, const char *text, size_t length, size_t column, struct err *);
  void *context;
};

int formula_parse(struct formulas *, formula *out, const char *text, const struct formula_reader *, struct err *);

enum formula_spelling {
  SPELL_USUAL, /* G F X U R W M ! & | -> <-> */
  SPELL_SPIN,  /* as spin -f reads it: [] <> X U V ! && || -> <->; W and M, which it lacks, are written with these */
};
/* Writes the formula, bracketed so that both groupings read it alike. `name` gives the text of an atom. The text is the
   caller's, from mem; NULL when refused. One longer than FORMULA_LONGEST ends there, with FORMULA_CUT. */
#define FORMULA_LONGEST 65536u
#define FORMULA_CUT " ..."
char *formula_print(const struct formulas *, formula, enum formula_spelling, const char *(*name)(void *context, uint32_t index),
                    void *context);

/* ---- rewriting; LTL only ---- */
/* Negations only at atoms, and only F_AND F_OR F_NEXT F_FINALLY F_GLOBALLY F_UNTIL F_RELEASE above; `negated`: of !f. */
formula formula_normal(struct formulas *, formula, int negated);
/* An equivalent formula that is not larger, from one in normal form; in normal form. */
formula formula_simplify(struct formulas *, formula);
/* 1 if f implies g by the looks of both (normal forms); 0 = not known. */
int formula_implies(struct formulas *, formula f, formula g);

#endif
