/* orbit.c -- see orbit.h.
 *
 * Three ways, as the group allows:
 *
 *   blocks   Exchanges of two equal parts that hang together: each shares just one part with those before it and brings a new one.  They generate all permutations of their parts; sorting these by their values is canonical.
 *            A part may consist of such parts itself.  Then those of the first part are carried over to the others, so that all lie alike, and inner ones are sorted before outer ones.
 *   all      What is not of that kind makes a group of its own.  If it has few elements (rotations of a ring), all of them are tried, and the least image is taken.  Without blocks they are tried side by side, place by place: those that
 *            put the least value there stay in the race, and soon there is one.
 *   some     If it has many, or there are blocks, too (processes with a place for each pair of them), the permutations as they were given, their inverses and conjugates are tried: whichever makes the marking less is applied, until none does.  Two markings
 *            that are alike may then keep two that stand for them; on the contest's nets that does not happen, or hardly ever, and it takes a few comparisons per marking where the whole group would take hundreds.
 *
 * "Least" is lexicographic over the places that move.  What has been taken is sorted and cannot be made less by any that are tried, so it stands for itself.
 *
 * A pair of parts by itself that has places in common with what is not of that kind is left to the second way: the least of the whole group is better than the least of either. */
#include "net/orbit.h"

#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ALL = 48, MOST_SOME = 200, MOST_ENTRIES = 1 << 23, WORTH = 400 /* places to be looked at for half as many markings */ };

struct family { /* blocks that may be sorted: block i is place[i * width] .. place[(i + 1) * width), place k of one corresponds to place k of another */
  uint32_t blocks, width;
  struct vec(uint32_t) place;
};

struct given { /* a permutation */
  uint32_t *image;        /* NULL = it is part of a family */
  uint32_t *moved, moves; /* places that it moves, behind the image */
  int exchange;           /* it is its own inverse */
};

struct orbit {
  struct mem *mem;
  unsigned users;
  uint32_t places;
  struct vec(struct given) given;
  struct vec(struct family) family; /* inner ones first */
  uint32_t *moved, moves;       /* places that move */
  uint32_t *number;             /* place -> index in moved */
  uint32_t *tried, tries;       /* permutations of moved, the identity first, a group unless `some`: the value at k comes from tried[i * moves + k] */
  uint32_t *column;             /* the same by place: column[k * tries + i] */
  int some;                     /* there are more */
  uint32_t *mark, stamp;
  uint32_t *block; /* place -> 1 + its block in the family that is made, 0 = none */
  uint32_t *sorted;     /* scratch */
};

int orbit_open(struct orbit **out, uint32_t places, struct mem *mem) {
  struct orbit *o = *out = mem_alloc(mem, MEM_SEARCH, sizeof *o);
  if (!o) return -1;
  *o = (struct orbit){.mem = mem, .users = 1, .places = places};
  o->mark = mem_alloc(mem, MEM_SEARCH, ((size_t)places + 1) * sizeof *o->mark);
  o->number = mem_alloc(mem, MEM_SEARCH, ((size_t)places + 1) * sizeof *o->number);
  o->block = mem_alloc(mem, MEM_SEARCH, ((size_t)places + 1) * sizeof *o->block);
  if (o->mark && o->number && o->block) return 0;
  orbit_close(o);
  *out = NULL;
  return -1;
}

void orbit_share(struct orbit *o) { o->users++; }

void orbit_close(struct orbit *o) {
  if (!o || --o->users) return;
  for (size_t i = 0; i < o->given.count; i++) mem_free(o->mem, o->given.at[i].image);
  for (size_t i = 0; i < o->family.count; i++) vec_free(&o->family.at[i].place, o->mem);
  vec_free(&o->given, o->mem);
  vec_free(&o->family, o->mem);
  mem_free(o->mem, o->moved);
  mem_free(o->mem, o->number);
  mem_free(o->mem, o->tried);
  mem_free(o->mem, o->column);
  mem_free(o->mem, o->mark);
  mem_free(o->mem, o->block);
  mem_free(o->mem, o->sorted);
  mem_free(o->mem, o);
}

int orbit_add(struct orbit *o, const uint32_t *image) {
  struct given g = {.exchange = 1};
  for (uint32_t p = 0; p < o->places; p++) {
    g.moves += image[p] != p;
    g.exchange &= image[image[p]] == p;
  }
  if (!g.moves) return 0; /* equal transitions change places */
  g.image = mem_alloc(o->mem, MEM_SEARCH, ((size_t)o->places + g.moves) * sizeof *g.image);
  if (!g.image) return -1;
  memcpy(g.image, image, (size_t)o->places * sizeof *g.image);
  g.moved = g.image + o->places;
  for (uint32_t p = 0, k = 0; p < o->places; p++)
    if (image[p] != p) g.moved[k++] = p;
  if (vec_push(&o->given, o->mem, MEM_SEARCH, g)) {
    mem_free(o->mem, g.image);
    return -1;
  }
  return 0;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------------------------------ */

/* A block that is the family's next: the images of places, which must be in order. */
static int add_block(struct orbit *o, struct family *f, const uint32_t *place, const uint32_t *image) {
  if (vec_reserve(&f->place, o->mem, MEM_SEARCH, f->width)) return -1;
  f->blocks++;
  for (uint32_t k = 0; k < f->width; k++) {
    uint32_t p = image ? image[place[k]] : place[k];
    f->place.at[f->place.count++] = p;
    o->block[p] = f->blocks;
  }
  return 0;
}

static void forget_blocks(struct orbit *o, const struct family *f) {
  for (size_t i = 0; i < f->place.count; i++) o->block[f->place.at[i]] = 0;
}

/* Two exchanges that share a part: it is the first block, and what they make of it the next two. 1 if it is so; 0; -1: memory */
static int three_blocks(struct orbit *o, struct family *f, const struct given *g, const struct given *h) {
  uint32_t common = 0, width = g->moves / 2;
  if (h->moves != g->moves) return 0;
  for (uint32_t k = 0; k < g->moves; k++) {
    uint32_t p = g->moved[k];
    if (h->image[p] == p) continue;
    if (common == width || h->image[g->image[p]] != g->image[p] || g->image[h->image[p]] != h->image[p]) return 0;
    o->sorted[common++] = p;
  }
  if (common != width) return 0;
  *f = (struct family){.width = width};
  return add_block(o, f, o->sorted, NULL) || add_block(o, f, o->sorted, g->image) || add_block(o, f, o->sorted, h->image) ? -1 : 1;
}

/* One more block, if the exchange leads away from one of the family's to where it has none. 1: it does; 0; -1: memory */
static int one_more(struct orbit *o, struct family *f, const struct given *g) {
  uint32_t block = 0, inside = 0;
  if (g->moves != 2 * f->width) return 0;
  for (uint32_t k = 0; k < g->moves; k++) {
    uint32_t b = o->block[g->moved[k]];
    if (!b) continue;
    if (block && b != block) return 0;
    block = b;
    inside++;
  }
  if (inside != f->width) return 0;
  for (uint32_t k = 0; k < f->width; k++)
    if (o->block[g->image[f->place.at[(size_t)(block - 1) * f->width + k]]]) return 0;
  if (vec_reserve(&f->place, o->mem, MEM_SEARCH, f->width)) return -1; /* or the block that is read would move */
  return add_block(o, f, f->place.at + (size_t)(block - 1) * f->width, g->image) ? -1 : 1;
}

static void drop_given(struct orbit *o, size_t i) {
  mem_free(o->mem, o->given.at[i].image);
  o->given.at[i] = (struct given){0};
}

static int exchanges(const struct orbit *o, size_t i) { return o->given.at[i].image && o->given.at[i].exchange; }

/* A family that begins with the i-th: with another one, and all that can be added; or by itself, of two parts. */
static int make_family(struct orbit *o, size_t i, struct family *f) {
  const struct given *g = &o->given.at[i];
  int more = 0;
  for (size_t j = i + 1; j < o->given.count && !more; j++) {
    if (!exchanges(o, j)) continue;
    more = three_blocks(o, f, g, &o->given.at[j]);
    if (more > 0) drop_given(o, j);
  }
  if (!more) {
    uint32_t k = 0;
    f->width = g->moves / 2;
    for (uint32_t j = 0; j < g->moves; j++)
      if (g->moved[j] < g->image[g->moved[j]]) o->sorted[k++] = g->moved[j];
    more = add_block(o, f, o->sorted, NULL) || add_block(o, f, o->sorted, g->image) ? -1 : 0;
  }
  drop_given(o, i);
  for (int grew = more; grew > 0 && more >= 0;) {
    grew = 0;
    for (size_t k = 0; k < o->given.count && more >= 0; k++) {
      if (!exchanges(o, k)) continue;
      more = one_more(o, f, &o->given.at[k]);
      if (more > 0) drop_given(o, k), grew = 1;
    }
  }
  forget_blocks(o, f);
  return more < 0 ? -1 : 0;
}

static int find_families(struct orbit *o) {
  o->sorted = mem_alloc(o->mem, MEM_SEARCH, ((size_t)o->places + 1) * sizeof *o->sorted);
  if (!o->sorted) return -1;
  for (size_t i = 0; i < o->given.count; i++) {
    struct family f = {0};
    if (!exchanges(o, i)) continue;
    if (make_family(o, i, &f) || vec_push(&o->family, o->mem, MEM_SEARCH, f)) {
      vec_free(&f.place, o->mem);
      return -1;
    }
  }
  return 0;
}

static int by_size(const void *x, const void *y) {
  const struct family *a = x, *b = y;
  if (a->place.count != b->place.count) return a->place.count < b->place.count ? -1 : 1;
  return a->place.at[0] < b->place.at[0] ? -1 : a->place.at[0] > b->place.at[0];
}

/* What the two have to do with each other: nothing; all of f is in that block of g; or they cut across. */
enum { APART = -1, ACROSS = -2 };
static int64_t lies(struct orbit *o, const struct family *f, const struct family *g) {
  int64_t where = APART;
  uint32_t inside = 0;
  o->stamp++;
  for (size_t i = 0; i < f->place.count; i++) o->mark[f->place.at[i]] = o->stamp;
  for (size_t i = 0; i < g->place.count; i++) {
    if (o->mark[g->place.at[i]] != o->stamp) continue;
    int64_t block = (int64_t)(i / g->width);
    if (where != APART && where != block) return ACROSS;
    where = block;
    inside++;
  }
  return where == APART || inside == f->place.count ? where : ACROSS;
}

/* A family that cannot be sorted beside the others becomes exchanges again. */
static int undo_family(struct orbit *o, struct family *f) {
  uint32_t *g = mem_alloc(o->mem, MEM_SEARCH, ((size_t)o->places + 1) * sizeof *g);
  int bad = !g;
  for (uint32_t p = 0; p < o->places && !bad; p++) g[p] = p;
  for (uint32_t b = 1; b < f->blocks && !bad; b++) {
    const uint32_t *first = f->place.at, *other = f->place.at + (size_t)b * f->width;
    for (uint32_t k = 0; k < f->width; k++) g[first[k]] = other[k], g[other[k]] = first[k];
    bad = orbit_add(o, g);
    for (uint32_t k = 0; k < f->width; k++) g[first[k]] = first[k], g[other[k]] = other[k];
  }
  mem_free(o->mem, g);
  vec_free(&f->place, o->mem);
  return bad ? -1 : 0;
}

/* f, which lies in block `from` of g, as it would lie in block `to`. */
static int carry_over(struct orbit *o, const struct family *f, const struct family *g, uint32_t from, uint32_t to, struct family *out) {
  *out = (struct family){.blocks = f->blocks, .width = f->width};
  for (size_t i = 0; i < f->place.count; i++) {
    uint32_t k = 0;
    while (g->place.at[from * g->width + k] != f->place.at[i]) k++;
    if (vec_push(&out->place, o->mem, MEM_SEARCH, g->place.at[to * g->width + k])) return -1;
  }
  return 0;
}

/* From the largest to the smallest: the families within the first block that has any are carried over to the others, in place of what is there. */
static int nest_families(struct orbit *o) {
  struct vec(struct family) kept = {0};
  int bad = 0;
  if (o->family.count) qsort(o->family.at, o->family.count, sizeof *o->family.at, by_size);
  while (o->family.count && !bad) {
    struct family g = o->family.at[--o->family.count];
    size_t left = 0, all = o->family.count;
    int64_t first = -1;
    for (size_t i = 0; i < all; i++) {
      int64_t where = lies(o, &o->family.at[i], &g);
      if (where >= 0 && (first < 0 || where < first)) first = where;
    }
    struct vec(struct family) carried = {0};
    for (size_t i = 0; i < all; i++) {
      struct family f = o->family.at[i];
      int64_t where = lies(o, &f, &g);
      if (where == ACROSS) {
        bad |= undo_family(o, &f);
      } else if (where >= 0 && where != first) {
        vec_free(&f.place, o->mem);
      } else {
        o->family.at[left++] = f;
        for (uint32_t b = 0; where >= 0 && b < g.blocks && !bad; b++) {
          struct family copy = {0};
          if (b == (uint32_t)first) continue;
          bad |= carry_over(o, &f, &g, (uint32_t)first, b, &copy) || vec_push(&carried, o->mem, MEM_SEARCH, copy);
          if (bad) vec_free(&copy.place, o->mem);
        }
      }
    }
    o->family.count = left;
    for (size_t i = 0; i < carried.count; i++)
      if (bad || vec_push(&o->family, o->mem, MEM_SEARCH, carried.at[i])) {
        vec_free(&carried.at[i].place, o->mem);
        bad = 1;
      }
    vec_free(&carried, o->mem);
    if (o->family.count) qsort(o->family.at, o->family.count, sizeof *o->family.at, by_size);
    if (bad || vec_push(&kept, o->mem, MEM_SEARCH, g)) {
      vec_free(&g.place, o->mem);
      bad = 1;
    }
  }
  for (size_t i = kept.count; i-- > 0;) /* the smallest came last */
    if (bad || vec_push(&o->family, o->mem, MEM_SEARCH, kept.at[i])) {
      vec_free(&kept.at[i].place, o->mem);
      bad = 1;
    }
  vec_free(&kept, o->mem);
  return bad ? -1 : 0;
}

/* ---- what is tried ------------------------------------------------------------------------------------------------------------------------ */

static int list_moved(struct orbit *o) {
  o->stamp++;
  for (size_t i = 0; i < o->given.count; i++)
    for (uint32_t k = 0; k < o->given.at[i].moves; k++) o->mark[o->given.at[i].moved[k]] = o->stamp;
  for (size_t i = 0; i < o->family.count; i++)
    for (size_t k = 0; k < o->family.at[i].place.count; k++) o->mark[o->family.at[i].place.at[k]] = o->stamp;
  for (uint32_t p = 0; p < o->places; p++) o->moves += o->mark[p] == o->stamp;
  size_t n = (size_t)o->moves + 1;
  o->moved = mem_alloc(o->mem, MEM_SEARCH, n * sizeof *o->moved);
  if (!o->moved) return -1;
  for (uint32_t p = 0, k = 0; p < o->places; p++) {
    o->number[p] = k;
    if (o->mark[p] == o->stamp) o->moved[k++] = p;
  }
  for (size_t i = 0; i < o->family.count; i++)
    for (size_t k = 0; k < o->family.at[i].place.count; k++) o->family.at[i].place.at[k] = o->number[o->family.at[i].place.at[k]];
  return 0;
}

/* Pairs of parts that the other permutations move, too, are given back. */
static int free_pairs(struct orbit *o) {
  int bad = 0;
  for (int changed = 1; changed && !bad;) {
    size_t left = 0;
    changed = 0;
    o->stamp++;
    for (size_t i = 0; i < o->given.count; i++)
      for (uint32_t k = 0; k < o->given.at[i].moves; k++) o->mark[o->given.at[i].moved[k]] = o->stamp;
    for (size_t i = 0; i < o->family.count; i++) {
      struct family *f = &o->family.at[i];
      size_t k = 0;
      while (k < f->place.count && o->mark[f->place.at[k]] != o->stamp) k++;
      if (f->blocks == 2 && k < f->place.count && !bad) {
        bad |= undo_family(o, f);
        changed = 1;
      } else {
        o->family.at[left++] = *f;
      }
    }
    o->family.count = left;
  }
  return bad;
}

static uint32_t *tried(const struct orbit *o, uint32_t i) { return o->tried + (size_t)i * o->moves; }

/* Adds a permutation if it is new; 0: there is no room. */
static int note(struct orbit *o, const uint32_t *g, uint32_t most) {
  for (uint32_t i = 0; i < o->tries; i++)
    if (memcmp(tried(o, i), g, o->moves * sizeof *g) == 0) return 1;
  if (o->tries == most) return 0;
  memcpy(tried(o, o->tries++), g, o->moves * sizeof *g);
  return 1;
}

/* All products of what was given. 1: that is the whole group; 0: there is no room for it. */
static int list_all(struct orbit *o, const uint32_t *base, uint32_t bases, uint32_t *product, uint32_t most) {
  for (uint32_t i = 0; i < o->tries; i++)
    for (uint32_t b = 0; b < bases; b++) {
      for (uint32_t k = 0; k < o->moves; k++) product[k] = tried(o, i)[base[(size_t)b * o->moves + k]];
      if (!note(o, product, most)) return 0;
    }
  return 1;
}

/* What was given, and its conjugates, as many as there is room for. Each permutation stands beside its inverse in base. */
static void list_some(struct orbit *o, const uint32_t *base, uint32_t bases, uint32_t *product, uint32_t most) {
  for (uint32_t b = 0; b < bases; b++) note(o, base + (size_t)b * o->moves, most);
  for (uint32_t i = 1; i < o->tries; i++)
    for (uint32_t b = 0; b < bases; b++) {
      const uint32_t *g = base + (size_t)b * o->moves, *inverse = base + (size_t)(b ^ 1) * o->moves;
      for (uint32_t k = 0; k < o->moves; k++) product[k] = inverse[tried(o, i)[g[k]]];
      if (!note(o, product, most)) return;
    }
}

static int turn_columns(struct orbit *o) {
  o->column = mem_alloc(o->mem, MEM_SEARCH, ((size_t)o->tries * o->moves + 1) * sizeof *o->column);
  if (!o->column) return -1;
  for (uint32_t i = 0; i < o->tries; i++)
    for (uint32_t k = 0; k < o->moves; k++) o->column[(size_t)k * o->tries + i] = tried(o, i)[k];
  return 0;
}

/* The group of what is left, or as much of it as there is room for. */
static int list_tried(struct orbit *o) {
  uint32_t given = 0, room = MOST_ALL > MOST_SOME ? MOST_ALL : MOST_SOME, bases = 0;
  for (size_t i = 0; i < o->given.count; i++) given += o->given.at[i].image != NULL;
  if (!given || (size_t)2 * o->moves > MOST_ENTRIES) return 0;
  if ((size_t)room * o->moves > MOST_ENTRIES) room = (uint32_t)(MOST_ENTRIES / o->moves);
  o->tried = mem_alloc(o->mem, MEM_SEARCH, (size_t)room * o->moves * sizeof *o->tried);
  uint32_t *base = mem_alloc(o->mem, MEM_SEARCH, 2 * (size_t)given * o->moves * sizeof *base);
  uint32_t *product = mem_alloc(o->mem, MEM_SEARCH, (size_t)o->moves * sizeof *product);
  int bad = !o->tried || !base || !product;
  for (size_t i = 0; i < o->given.count && !bad; i++) {
    uint32_t *g = base + (size_t)bases * o->moves, *inverse = g + o->moves;
    if (!o->given.at[i].image) continue;
    for (uint32_t k = 0; k < o->moves; k++) {
      g[k] = o->number[o->given.at[i].image[o->moved[k]]];
      inverse[g[k]] = k;
    }
    bases += 2;
  }
  for (uint32_t k = 0; k < o->moves && !bad; k++) o->tried[k] = k;
  o->tries = bad ? 0 : 1;
  if (!bad && o->family.count) { /* every image has to be sorted: only what was given is tried */
    o->some = 1;
    for (uint32_t b = 0; b < bases && b < MOST_ALL; b++) note(o, base + (size_t)b * o->moves, room);
  } else if (!bad && !list_all(o, base, bases, product, room < MOST_ALL ? room : MOST_ALL)) {
    o->some = 1;
    o->tries = 1;
    list_some(o, base, bases, product, room < MOST_SOME ? room : MOST_SOME);
  }
  mem_free(o->mem, base);
  mem_free(o->mem, product);
  return bad || turn_columns(o) ? -1 : 0;
}

static void tell(const struct orbit *o, uint32_t given, char *text, size_t room) {
  size_t used = 0;
  if (room) *text = 0;
  for (size_t i = 0; i < o->family.count && used < room; i++) {
    const struct family *f = &o->family.at[i];
    size_t same = 1;
    while (i + 1 < o->family.count && o->family.at[i + 1].blocks == f->blocks && o->family.at[i + 1].width == f->width) i++, same++;
    used += (size_t)snprintf(text + used, room - used, "%s", used ? ", " : "");
    if (same > 1 && used < room) used += (size_t)snprintf(text + used, room - used, "%zu times ", same);
    if (used < room) used += (size_t)snprintf(text + used, room - used, "%u blocks of %u place%s sorted", f->blocks, f->width, f->width == 1 ? "" : "s");
  }
  if (o->tries < 2 || used >= room) return;
  used += (size_t)snprintf(text + used, room - used, "%s", used ? ", " : "");
  if (used >= room) return;
  if (o->some) snprintf(text + used, room - used, "%u exchanges tried", o->tries - 1);
  else if (given == 1 && o->tries > 2) snprintf(text + used, room - used, "a ring of %u rotated", o->tries);
  else snprintf(text + used, room - used, "the least of %u permutations", o->tries);
}

/* How many markings one can stand for, at most, as a power of two; of those of which only some are tried: as if all were. */
static double gain(const struct orbit *o) {
  double bits = o->some ? log2(o->tries) * 2 : o->tries > 1 ? log2(o->tries) : 0;
  for (size_t i = 0; i < o->family.count; i++)
    for (uint32_t b = 2; b <= o->family.at[i].blocks; b++) bits += log2(b);
  return bits;
}

int orbit_ready(struct orbit *o, char *text, size_t room) {
  uint32_t given = 0;
  if (find_families(o) || nest_families(o) || free_pairs(o)) return -1;
  for (size_t i = 0; i < o->given.count; i++) given += o->given.at[i].image != NULL;
  if (list_moved(o) || list_tried(o)) return -1;
  tell(o, given, text, room);
  for (size_t i = 0; i < o->given.count; i++) drop_given(o, i);
  if (!o->family.count && o->tries < 2) return 1;
  if (gain(o) * WORTH >= o->moves) return 0;
  snprintf(text, room, "few markings are alike, and %u places would have to be looked at for each", o->moves);
  return 1;
}

const uint32_t *orbit_places(const struct orbit *o, uint32_t *count) {
  *count = o->moves;
  return o->moved;
}

/* ---- the marking that stands for others ----------------------------------------------------------------------------------------------------- */

int orbit_scratch_open(struct orbit_scratch *c, const struct orbit *o, struct mem *mem) {
  size_t n = (size_t)o->moves + 1;
  *c = (struct orbit_scratch){mem, mem_alloc(mem, MEM_SEARCH, n * sizeof *c->next), mem_alloc(mem, MEM_SEARCH, n * sizeof *c->next_origin), mem_alloc(mem, MEM_SEARCH, ((size_t)o->tries + 1) * sizeof *c->racing)};
  return c->next && c->next_origin && c->racing ? 0 : -1;
}

void orbit_scratch_close(struct orbit_scratch *c) {
  if (!c->mem) return;
  mem_free(c->mem, c->next);
  mem_free(c->mem, c->next_origin);
  mem_free(c->mem, c->racing);
}

static int compare_blocks(const struct family *f, const int64_t *value, uint32_t a, uint32_t b) {
  const uint32_t *x = f->place.at + (size_t)a * f->width, *y = f->place.at + (size_t)b * f->width;
  for (uint32_t k = 0; k < f->width; k++)
    if (value[x[k]] != value[y[k]]) return value[x[k]] < value[y[k]] ? -1 : 1;
  return 0;
}

/* Markings come sorted, but for what a step has changed: insertion. origin, if it is asked for: where each value was before. */
static int sort_family(const struct family *f, int64_t *value, uint32_t *origin) {
  int changed = 0;
  for (uint32_t i = 1; i < f->blocks; i++) {
    if (compare_blocks(f, value, i - 1, i) <= 0) continue;
    uint32_t to = i - 1;
    while (to && compare_blocks(f, value, to - 1, i) > 0) to--;
    for (uint32_t k = 0; k < f->width; k++) {
      const uint32_t *place = f->place.at + k;
      int64_t moving = value[place[(size_t)i * f->width]];
      uint32_t from = origin ? origin[place[(size_t)i * f->width]] : 0;
      for (uint32_t j = i; j > to; j--) {
        value[place[(size_t)j * f->width]] = value[place[(size_t)(j - 1) * f->width]];
        if (origin) origin[place[(size_t)j * f->width]] = origin[place[(size_t)(j - 1) * f->width]];
      }
      value[place[(size_t)to * f->width]] = moving;
      if (origin) origin[place[(size_t)to * f->width]] = from;
    }
    changed = 1;
  }
  return changed;
}

static int sort_all(const struct orbit *o, int64_t *value, uint32_t *origin) {
  int changed = 0;
  for (size_t i = 0; i < o->family.count; i++) changed |= sort_family(&o->family.at[i], value, origin);
  return changed;
}

static int less(const int64_t *a, const int64_t *b, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    if (a[k] != b[k]) return a[k] < b[k];
  return 0;
}

/* Is the image less than the marking itself? */
static int image_less(const int64_t *value, const uint32_t *from, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    if (value[from[k]] != value[k]) return value[from[k]] < value[k];
  return 0;
}

static void image_of(const struct orbit *o, struct orbit_scratch *c, const int64_t *value, uint32_t i) {
  const uint32_t *from = tried(o, i);
  for (uint32_t k = 0; k < o->moves; k++) c->next[k] = value[from[k]];
  sort_all(o, c->next, NULL);
}

/* The marking becomes that image, sorted. */
static void become(const struct orbit *o, struct orbit_scratch *c, int64_t *value, uint32_t *origin, uint32_t i) {
  const uint32_t *from = tried(o, i);
  for (uint32_t k = 0; k < o->moves; k++) c->next[k] = value[from[k]];
  memcpy(value, c->next, o->moves * sizeof *value);
  for (uint32_t k = 0; origin && k < o->moves; k++) c->next_origin[k] = origin[from[k]];
  if (origin) memcpy(origin, c->next_origin, o->moves * sizeof *origin);
  sort_all(o, value, origin);
}

/* Which of all images is the least, place by place. */
static uint32_t race(const struct orbit *o, struct orbit_scratch *c, const int64_t *value) {
  uint32_t racing = o->tries;
  for (uint32_t i = 0; i < racing; i++) c->racing[i] = i;
  for (uint32_t k = 0; k < o->moves && racing > 1; k++) {
    const uint32_t *from = o->column + (size_t)k * o->tries;
    int64_t least = INT64_MAX;
    uint32_t left = 0;
    for (uint32_t i = 0; i < racing; i++) {
      int64_t v = value[from[c->racing[i]]];
      if (v > least) continue;
      if (v < least) least = v, left = 0;
      c->racing[left++] = c->racing[i];
    }
    racing = left;
  }
  return c->racing[0];
}

/* Whichever makes it less is applied; 1: some did. */
static int less_and_less(const struct orbit *o, struct orbit_scratch *c, int64_t *value, uint32_t *origin) {
  int better = 0;
  for (uint32_t i = 1; i < o->tries; i++) {
    if (!o->family.count) {
      if (!image_less(value, tried(o, i), o->moves)) continue;
    } else {
      image_of(o, c, value, i);
      if (!less(c->next, value, o->moves)) continue;
    }
    become(o, c, value, origin, i);
    better = 1;
  }
  return better;
}

int orbit_least(const struct orbit *o, struct orbit_scratch *c, int64_t *value, uint32_t *origin) {
  for (uint32_t k = 0; origin && k < o->moves; k++) origin[k] = k;
  int changed = sort_all(o, value, origin);
  if (o->tries < 2) return changed;
  if (!o->some) {
    uint32_t best = race(o, c, value);
    if (best) become(o, c, value, origin, best);
    return best != 0;
  }
  while (less_and_less(o, c, value, origin)) changed = 1;
  return changed;
}
