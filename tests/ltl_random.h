/* ltl_random.h -- random formulas and words, and the meaning of LTL straight from its definition: shares nothing with src/prop.
 *
 * A formula is a tree in an array.  A word is a prefix and a loop; the value of a formula at every position of it is a fixpoint:
 * the least for U, the greatest for R. */
#ifndef TESTS_LTL_RANDOM_H
#define TESTS_LTL_RANDOM_H

#include "base/rng.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LTL_NODES = 64, LTL_POSITIONS = 32 };

struct ltl_node {
  char op; /* 'a' atom, 't' 'f' constants, '!' 'X' 'F' 'G' '&' '|' '>' '=' 'U' 'R' 'W' 'M' */
  int atom, left, right;
};
struct ltl_tree {
  struct ltl_node node[LTL_NODES];
  int count, root;
};
struct ltl_word {
  uint64_t letter[LTL_POSITIONS];
  size_t prefix, loop;
};

static inline int ltl_grow(struct ltl_tree *t, struct rng *r, int size, int atoms) {
  struct ltl_node n = {0};
  static const char unary[] = "!XFG!FG", binary[] = "&|>=URWMUR&|";
  if (size <= 1) {
    int k = (int)rng_below(r, 20);
    n.op = k == 0 ? 't' : k == 1 ? 'f' : 'a';
    n.atom = (int)rng_below(r, (uint64_t)atoms);
  } else if (size == 2 || rng_below(r, 3) == 0) {
    n.op = unary[rng_below(r, sizeof unary - 1)];
    n.left = ltl_grow(t, r, size - 1, atoms);
  } else {
    int left = 1 + (int)rng_below(r, (uint64_t)size - 2);
    n.op = binary[rng_below(r, sizeof binary - 1)];
    n.left = ltl_grow(t, r, left, atoms);
    n.right = ltl_grow(t, r, size - 1 - left, atoms);
  }
  t->node[t->count] = n;
  return t->count++;
}

static inline void ltl_random_tree(struct ltl_tree *t, struct rng *r, int size, int atoms) {
  t->count = 0;
  t->root = ltl_grow(t, r, size, atoms);
}

static inline void ltl_random_word(struct ltl_word *w, struct rng *r, int atoms) {
  w->prefix = (size_t)rng_below(r, 6);
  w->loop = 1 + (size_t)rng_below(r, 5);
  for (size_t i = 0; i < w->prefix + w->loop; i++) w->letter[i] = rng_next(r) & ((UINT64_C(1) << atoms) - 1);
}

/* Fully bracketed; `spin`: only what spin -f knows. Returns the end of the text. */
static inline char *ltl_text(const struct ltl_tree *t, int at, char *out, int spin) {
  const struct ltl_node *n = &t->node[at];
  switch (n->op) {
  case 'a': return out + sprintf(out, "p%d", n->atom);
  case 't': return out + sprintf(out, "true");
  case 'f': return out + sprintf(out, "false");
  case '!': out += sprintf(out, "(! "); break;
  case 'X': out += sprintf(out, "(X "); break;
  case 'F': out += sprintf(out, spin ? "(<> " : "(F "); break;
  case 'G': out += sprintf(out, spin ? "([] " : "(G "); break;
  default: {
    const char *op = n->op == '&' ? " && " : n->op == '|' ? " || " : n->op == '>' ? " -> " : n->op == '=' ? " <-> " : NULL;
    char word[4] = {' ', n->op == 'R' && spin ? 'V' : n->op, ' ', 0};
    if (spin && n->op == 'M') { /* q U (p && q) */
      out += sprintf(out, "(");
      out = ltl_text(t, n->right, out, spin);
      out += sprintf(out, " U (");
      out = ltl_text(t, n->left, out, spin);
      out += sprintf(out, " && ");
      out = ltl_text(t, n->right, out, spin);
      return out + sprintf(out, "))");
    }
    if (spin && n->op == 'W') { /* ([] p) || (p U q) */
      out += sprintf(out, "(([] ");
      out = ltl_text(t, n->left, out, spin);
      out += sprintf(out, ") || (");
      out = ltl_text(t, n->left, out, spin);
      out += sprintf(out, " U ");
      out = ltl_text(t, n->right, out, spin);
      return out + sprintf(out, "))");
    }
    out += sprintf(out, "(");
    out = ltl_text(t, n->left, out, spin);
    out += sprintf(out, "%s", op ? op : word);
    out = ltl_text(t, n->right, out, spin);
    return out + sprintf(out, ")");
  }
  }
  out = ltl_text(t, n->left, out, spin);
  return out + sprintf(out, ")");
}

/* The truth of node `at` at all positions: bit i = position i. */
static inline uint32_t ltl_value(const struct ltl_tree *t, int at, const struct ltl_word *w) {
  const struct ltl_node *n = &t->node[at];
  size_t length = w->prefix + w->loop;
  uint32_t all = (uint32_t)((UINT64_C(1) << length) - 1), l = 0, r = 0, v = 0;
  if (n->op == 'a') {
    for (size_t i = 0; i < length; i++) v |= (uint32_t)(w->letter[i] >> n->atom & 1) << i;
    return v;
  }
  if (n->op == 't') return all;
  if (n->op == 'f') return 0;
  l = ltl_value(t, n->left, w);
  if (!strchr("!XFG", n->op)) r = ltl_value(t, n->right, w);
#define NEXT(x) (((x) >> 1) | (((x) >> w->prefix & 1) << (length - 1)))
  switch (n->op) {
  case '!': return all & ~l;
  case '&': return l & r;
  case '|': return l | r;
  case '>': return all & (~l | r);
  case '=': return all & ~(l ^ r);
  case 'X': return NEXT(l);
  case 'F': r = l, l = all; /* true U l */ /* fall through */
  case 'U':
    for (uint32_t before = ~0u; before != v;) before = v, v = r | (l & NEXT(v));
    return v;
  case 'G': r = l, l = 0; /* false R l */ /* fall through */
  case 'R':
    v = all;
    for (uint32_t before = ~all; before != v;) before = v, v = r & (l | NEXT(v));
    return v;
  case 'W':
    v = all;
    for (uint32_t before = ~all; before != v;) before = v, v = r | (l & NEXT(v));
    return v;
  case 'M':
    for (uint32_t before = ~0u; before != v;) before = v, v = r & (l | NEXT(v));
    return v;
  }
#undef NEXT
  return 0;
}

static inline int ltl_holds(const struct ltl_tree *t, const struct ltl_word *w) { return (int)(ltl_value(t, t->root, w) & 1); }

#endif
