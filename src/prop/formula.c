/* formula.c -- the graph of formulas: nodes, their table, and what is known of each by its looks.
 *
 * Nodes stand in one array and name their children by ranges of another; a table of indices finds a node by kind and
 * children.  A node is made after its children, so indices ascend from leaves to roots and sorting the parts of a
 * conjunction by index keeps them about in the order of the text.
 *
 * The class of a node follows from those of its children when it is made (class_of): the hierarchy of safety, guarantee,
 * obligation, persistence and recurrence by the grammar of Chang, Manna and Pnueli, extended to W and M, and purely
 * eventual and purely universal formulas by Etessami and Holzmann ("Optimizing Buechi automata", CONCUR 2000).
 *
 * Each node knows its height.  The parser refuses formulas higher than FORMULA_DEPTH, so that whoever walks a formula
 * may do so by recursion. */
#include "prop/formula.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------- */

int formulas_open(struct formulas **out, struct mem *mem, struct err *e) {
  struct formulas *fs = mem_alloc(mem, MEM_OTHER, sizeof *fs);
  *out = NULL;
  if (!fs) return err_memory(e, "a formula");
  fs->mem = mem;
  fs->slots = 64;
  fs->slot = mem_alloc(mem, MEM_OTHER, fs->slots * sizeof *fs->slot);
  if (!fs->slot || formula_many(fs, F_OR, NULL, 0) == FORMULA_NONE || formula_many(fs, F_AND, NULL, 0) == FORMULA_NONE) {
    formulas_close(fs);
    return err_memory(e, "a formula");
  }
  *out = fs;
  return 0;
}

void formulas_close(struct formulas *fs) {
  if (!fs) return;
  mem_free(fs->mem, fs->node);
  mem_free(fs->mem, fs->child);
  mem_free(fs->mem, fs->slot);
  mem_free(fs->mem, fs->pair);
  mem_free(fs->mem, fs);
}

int formulas_refused(const struct formulas *fs, struct err *e) {
  if (fs->interrupt && *fs->interrupt) return err_limit(e, "interrupted while a formula was rewritten");
  return err_memory(e, "a formula");
}

static int grow(struct formulas *fs, void **block, size_t *room, size_t each, size_t needed) {
  if (needed <= *room) return 0;
  size_t more = *room ? 2 * *room : 32;
  while (more < needed) more *= 2;
  void *bigger = mem_resize(fs->mem, MEM_OTHER, *block, more * each);
  if (!bigger) return -1;
  *block = bigger;
  *room = more;
  return 0;
}

/* ---- classes ---------------------------------------------------------------------------- */

enum {
  HIERARCHY = CLASS_SAFETY | CLASS_GUARANTEE | CLASS_OBLIGATION | CLASS_PERSISTENCE | CLASS_RECURRENCE,
  LEAF = CLASS_BOOLEAN | HIERARCHY | CLASS_LTL | CLASS_STATE | CLASS_CTL
};

/* The class of the negation. */
static unsigned dual(unsigned c) {
  unsigned d = c & (CLASS_BOOLEAN | CLASS_OBLIGATION | CLASS_LTL | CLASS_STATE | CLASS_CTL);
  if (c & CLASS_SAFETY) d |= CLASS_GUARANTEE;
  if (c & CLASS_GUARANTEE) d |= CLASS_SAFETY;
  if (c & CLASS_PERSISTENCE) d |= CLASS_RECURRENCE;
  if (c & CLASS_RECURRENCE) d |= CLASS_PERSISTENCE;
  if (c & CLASS_EVENTUAL) d |= CLASS_UNIVERSAL;
  if (c & CLASS_UNIVERSAL) d |= CLASS_EVENTUAL;
  return d;
}

/* Lower classes are within higher ones. */
static unsigned closed(unsigned c) {
  if (c & (CLASS_SAFETY | CLASS_GUARANTEE)) c |= CLASS_OBLIGATION;
  if (c & CLASS_OBLIGATION) c |= CLASS_PERSISTENCE | CLASS_RECURRENCE;
  return c;
}

static unsigned if_both(unsigned a, unsigned wanted_a, unsigned b, unsigned wanted_b, unsigned then) {
  return (a & wanted_a) && (b & wanted_b) ? then : 0;
}

static unsigned until_class(unsigned a, unsigned b) {
  unsigned c = a & b & CLASS_LTL;
  c |= if_both(a, CLASS_GUARANTEE, b, CLASS_GUARANTEE, CLASS_GUARANTEE);
  c |= if_both(a, CLASS_OBLIGATION, b, CLASS_GUARANTEE, CLASS_OBLIGATION);
  c |= if_both(a, CLASS_PERSISTENCE, b, CLASS_PERSISTENCE, CLASS_PERSISTENCE);
  c |= if_both(a, CLASS_RECURRENCE, b, CLASS_GUARANTEE, CLASS_RECURRENCE);
  c |= b & CLASS_EVENTUAL;
  c |= a & b & CLASS_UNIVERSAL;
  return c;
}

static unsigned weak_class(unsigned a, unsigned b) { /* a W b */
  unsigned c = a & b & CLASS_LTL;
  c |= if_both(a, CLASS_SAFETY, b, CLASS_SAFETY, CLASS_SAFETY);
  c |= if_both(a, CLASS_SAFETY, b, CLASS_OBLIGATION, CLASS_OBLIGATION);
  c |= if_both(a, CLASS_SAFETY, b, CLASS_PERSISTENCE, CLASS_PERSISTENCE);
  c |= if_both(a, CLASS_RECURRENCE, b, CLASS_RECURRENCE, CLASS_RECURRENCE);
  c |= a & b & CLASS_UNIVERSAL;
  return c;
}

static unsigned class_of(const struct formulas *fs, enum formula_kind kind, const formula *part, size_t count) {
  unsigned a = count > 0 ? fs->node[part[0]].class : 0, b = count > 1 ? fs->node[part[1]].class : 0, c = 0;
  switch (kind) {
  case F_FALSE:
  case F_TRUE: return LEAF | CLASS_EVENTUAL | CLASS_UNIVERSAL;
  case F_ATOM: return LEAF;
  case F_NOT: return dual(a);
  case F_AND:
  case F_OR: /* every class but the order of CTL's is closed under both */
    for (c = a; count > 1; count--) c &= fs->node[part[count - 1]].class;
    return c;
  case F_IMPLIES: return dual(a) & b;
  case F_IFF: return dual(a) & a & b & dual(b);
  case F_NEXT: return a & (HIERARCHY | CLASS_EVENTUAL | CLASS_UNIVERSAL | CLASS_LTL);
  case F_FINALLY: return closed(until_class(LEAF | CLASS_UNIVERSAL, a) | CLASS_EVENTUAL);
  case F_GLOBALLY: return closed(dual(until_class(LEAF | CLASS_UNIVERSAL, dual(a))) | CLASS_UNIVERSAL);
  case F_UNTIL: return closed(until_class(a, b));
  case F_RELEASE: return closed(dual(until_class(dual(a), dual(b))));
  case F_WEAK: return closed(weak_class(a, b));
  case F_STRONG: return closed(dual(weak_class(dual(a), dual(b))));
  case F_ALL:
  case F_EXISTS: break;
  }
  /* a quantified formula is a formula of the state; it is CTL if below stands one temporal operator over CTL */
  c = CLASS_STATE;
  if (a & CLASS_STATE) return c | (a & CLASS_CTL);
  const struct formula_node *n = &fs->node[part[0]];
  if (n->kind < F_NEXT || n->kind > F_STRONG) return c;
  for (uint32_t i = 0; i < n->count; i++)
    if (!(fs->node[fs->child[n->first + i]].class & CLASS_CTL)) return c;
  return c | CLASS_CTL;
}

const char *formula_class_name(const struct formulas *fs, formula f) {
  unsigned c = formula_class(fs, f);
  return c & CLASS_SAFETY        ? "safety"
         : c & CLASS_GUARANTEE   ? "guarantee"
         : c & CLASS_OBLIGATION  ? "obligation"
         : c & CLASS_RECURRENCE  ? "recurrence"
         : c & CLASS_PERSISTENCE ? "persistence"
                                 : "reactivity";
}

/* ---- nodes ------------------------------------------------------------------------------ */

static uint64_t hash_of(unsigned kind, const formula *part, size_t count) {
  return hash_pair(hash_bytes(part, count * sizeof *part), kind);
}

static int same(const struct formulas *fs, formula f, unsigned kind, const formula *part, size_t count) {
  const struct formula_node *n = &fs->node[f];
  if (n->kind != kind) return 0;
  if (kind == F_ATOM) return n->count == part[0];
  return n->count == count && memcmp(fs->child + n->first, part, count * sizeof *part) == 0;
}

static int rehash(struct formulas *fs) {
  size_t slots = 2 * fs->slots;
  uint32_t *slot = mem_alloc(fs->mem, MEM_OTHER, slots * sizeof *slot);
  if (!slot) return -1;
  for (formula f = 0; f < fs->count; f++) {
    const struct formula_node *n = &fs->node[f];
    uint64_t h = n->kind == F_ATOM ? hash_of(F_ATOM, &n->count, 1) : hash_of(n->kind, fs->child + n->first, n->count);
    size_t i = h & (slots - 1);
    while (slot[i]) i = (i + 1) & (slots - 1);
    slot[i] = f + 1;
  }
  mem_free(fs->mem, fs->slot);
  fs->slot = slot;
  fs->slots = slots;
  return 0;
}

/* The node with these children; F_ATOM: part[0] is its index. `part` may point into fs->child. */
static formula node(struct formulas *fs, enum formula_kind kind, const formula *part, size_t count) {
  size_t i = hash_of(kind, part, count) & (fs->slots - 1);
  for (; fs->slot[i]; i = (i + 1) & (fs->slots - 1))
    if (same(fs, fs->slot[i] - 1, kind, part, count)) return fs->slot[i] - 1;
  if (fs->interrupt && *fs->interrupt) return FORMULA_NONE;
  if (fs->count >= INT32_MAX / 2 || grow(fs, (void **)&fs->node, &fs->room, sizeof *fs->node, fs->count + 1)) return FORMULA_NONE;
  size_t children = kind == F_ATOM ? 0 : count;
  uintptr_t old = (uintptr_t)fs->child, at = (uintptr_t)part;
  size_t within = old && at >= old && at < old + fs->child_count * sizeof *part ? (at - old) / sizeof *part : SIZE_MAX;
  if (grow(fs, (void **)&fs->child, &fs->child_room, sizeof *fs->child, fs->child_count + children)) return FORMULA_NONE;
  if (within != SIZE_MAX) part = fs->child + within;
  if (2 * fs->count >= fs->slots) {
    if (rehash(fs)) return FORMULA_NONE;
    for (i = hash_of(kind, part, count) & (fs->slots - 1); fs->slot[i];) i = (i + 1) & (fs->slots - 1);
  }
  uint32_t height = 0;
  for (size_t k = 0; k < children; k++)
    if (fs->node[part[k]].height >= height) height = fs->node[part[k]].height + 1u;
  if (height > UINT16_MAX) return FORMULA_NONE;
  formula f = (formula)fs->count++;
  fs->slot[i] = f + 1;
  fs->node[f] = (struct formula_node){.kind = (uint8_t)kind,
                                      .class = (uint16_t)class_of(fs, kind, part, children),
                                      .height = (uint16_t)height,
                                      .count = kind == F_ATOM ? part[0] : (uint32_t)count,
                                      .first = (uint32_t)fs->child_count,
                                      .normal = {FORMULA_NONE, FORMULA_NONE},
                                      .simple = FORMULA_NONE};
  if (children) memcpy(fs->child + fs->child_count, part, children * sizeof *part);
  fs->child_count += children;
  return f;
}

formula formula_atom(struct formulas *fs, uint32_t index) { return node(fs, F_ATOM, &index, 1); }

formula formula_unary(struct formulas *fs, enum formula_kind kind, formula f) {
  if (f == FORMULA_NONE) return FORMULA_NONE;
  if (kind == F_NOT && f <= FORMULA_TRUE) return f ^ 1u;
  if (kind == F_NOT && formula_kind(fs, f) == F_NOT) return formula_child(fs, f, 0);
  return node(fs, kind, &f, 1);
}

formula formula_binary(struct formulas *fs, enum formula_kind kind, formula a, formula b) {
  formula part[2] = {a, b};
  if (a == FORMULA_NONE || b == FORMULA_NONE) return FORMULA_NONE;
  return kind == F_AND || kind == F_OR ? formula_many(fs, kind, part, 2) : node(fs, kind, part, 2);
}

static int ascending(const void *a, const void *b) {
  formula x = *(const formula *)a, y = *(const formula *)b;
  return (x > y) - (x < y);
}

static size_t sort_unique(formula *list, size_t count) {
  size_t n = 0;
  if (count) qsort(list, count, sizeof *list, ascending);
  for (size_t i = 0; i < count; i++)
    if (!n || list[n - 1] != list[i]) list[n++] = list[i];
  return n;
}

/* Flattens, sorts, drops doubles and the neutral constant. */
formula formula_many(struct formulas *fs, enum formula_kind kind, const formula *part, size_t count) {
  formula neutral = kind == F_AND ? FORMULA_TRUE : FORMULA_FALSE, few[32], *list = few;
  size_t total = 0, n = 0;
  if (!fs->count) return node(fs, F_FALSE, NULL, 0); /* the first two nodes: see formulas_open */
  if (fs->count == 1) return node(fs, F_TRUE, NULL, 0);
  for (size_t i = 0; i < count; i++) {
    if (part[i] == FORMULA_NONE) return FORMULA_NONE;
    total += formula_kind(fs, part[i]) == kind ? formula_children(fs, part[i]) : 1;
  }
  if (total > sizeof few / sizeof *few && !(list = mem_alloc(fs->mem, MEM_OTHER, total * sizeof *list))) return FORMULA_NONE;
  formula result = FORMULA_NONE;
  for (size_t i = 0; i < count && result == FORMULA_NONE; i++) {
    int nested = formula_kind(fs, part[i]) == kind;
    uint32_t parts = nested ? formula_children(fs, part[i]) : 1;
    for (uint32_t k = 0; k < parts; k++) {
      formula f = nested ? formula_child(fs, part[i], k) : part[i];
      if (f == neutral) continue;
      if (f == (neutral ^ 1u)) {
        result = f;
        break;
      }
      list[n++] = f;
    }
  }
  if (result == FORMULA_NONE) n = sort_unique(list, n);
  if (result == FORMULA_NONE) result = n == 0 ? neutral : n == 1 ? list[0] : node(fs, kind, list, n);
  if (list != few) mem_free(fs->mem, list);
  return result;
}

/* Walks the nodes of f, each once: indices descend towards the leaves, so that is one sweep over marks. */
static int sweep(const struct formulas *fs, formula f, size_t *size, uint64_t *mask) {
  uint8_t *mark = mem_alloc(fs->mem, MEM_OTHER, (size_t)f + 1);
  int status = 0;
  if (!mark) return FORMULA_NO_MEMORY;
  mark[f] = 1;
  for (size_t i = (size_t)f + 1; i-- > 0;) {
    if (!mark[i]) continue;
    ++*size;
    for (uint32_t k = 0; k < formula_children(fs, (formula)i); k++) mark[formula_child(fs, (formula)i, k)] = 1;
    if (formula_kind(fs, (formula)i) != F_ATOM) continue;
    if (formula_atom_index(fs, (formula)i) >= FORMULA_ATOMS) status = -1;
    else *mask |= UINT64_C(1) << formula_atom_index(fs, (formula)i);
  }
  mem_free(fs->mem, mark);
  return status;
}

int formula_says_next(const struct formulas *fs, formula f) {
  int any = formula_kind(fs, f) == F_NEXT;
  for (uint32_t i = 0; i < formula_children(fs, f) && !any; i++) any = formula_says_next(fs, formula_child(fs, f, i));
  return any;
}

size_t formula_size(const struct formulas *fs, formula f) {
  size_t size = 0;
  uint64_t mask = 0;
  sweep(fs, f, &size, &mask);
  return size;
}

int formula_atoms(const struct formulas *fs, formula f, uint64_t *mask) {
  size_t size = 0;
  *mask = 0;
  return sweep(fs, f, &size, mask);
}
