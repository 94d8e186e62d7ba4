/* bounds.c -- see bounds.h.
 *
 * A place's table of multisets is no list of the markings that it has had: a binding whose effect on one place is computed before another place turns out to lack tokens,
 * or whose output cannot be evaluated, leaves a multiset behind that no state has; replaying does as well.  So states tell: one bit per multiset of a place.  A step changes
 * nothing but the places that its transition takes from or gives to, so that a new state sets as many bits as that.
 *
 * An implied place (implied.h) has no number in a state, and giving its markings numbers would bring back the tables that it was to save.  Its tokens are computed per cell and counted
 * at once: the most and the fewest of each colour, and of all together.  A place may be implied at first and kept later; both say something then.
 *
 * Bounds are made when somebody asks, in one pass over the multisets of a place that have their bit: for each colour the most, the fewest, and in how many of them it is.
 * A colour that is not in all of them has the lower bound 0. */
#define _GNU_SOURCE /* qsort_r */
#include "colour/bounds.h"

#include "colour/colour_model.h"

#include <stdlib.h>
#include <string.h>

struct tally {       /* of a place */
  struct region had; /* a bit per multiset */
  int64_t *most, *least; /* per cell, of the states in which it was implied; NULL = there was none */
  uint64_t upper, lower; /* all its tokens in these states */
};

struct colour_bounds {
  struct mem *mem;
  const struct colour_model *m;
  struct tally *place;
  uint32_t *start, *changed; /* per transition: the places that it may change */
  uint32_t *number; /* scratch: per field */
  int64_t *sum;     /* scratch: per cell of the largest implied place */
  uint32_t sums;
};

/* Arcs that only look change nothing; of several arcs with a place one is enough. */
static int find_changed(struct colour_bounds *b) {
  const struct net *net = b->m->net;
  uint32_t n = 0;
  b->start = mem_alloc(b->mem, MEM_OTHER, (net->transitions.count + 1) * sizeof *b->start);
  b->changed = mem_alloc(b->mem, MEM_OTHER, (net->arcs.count + 1) * sizeof *b->changed);
  if (!b->start || !b->changed) return -1;
  for (uint32_t t = 0; t < net->transitions.count; t++) {
    b->start[t] = n;
    for (uint32_t i = 0; i < net->transitions.at[t].arcs; i++) {
      const struct net_arc *a = &net->arcs.at[net->transitions.at[t].arc + i];
      int known = a->kind == DRAWING_TEST || a->kind == DRAWING_INHIBITOR;
      for (uint32_t k = b->start[t]; k < n && !known; k++) known = b->changed[k] == a->place;
      if (!known) b->changed[n++] = a->place;
    }
  }
  b->start[net->transitions.count] = n;
  return 0;
}

int colour_bounds_open(struct colour_bounds **out, const struct model *base, struct mem *mem) {
  if (!colour_model_drawing(base)) return 1;
  struct colour_bounds *b = mem_alloc(mem, MEM_OTHER, sizeof *b);
  if (!b) return -1;
  b->mem = mem;
  b->m = colour_of(base);
  b->place = mem_alloc(mem, MEM_OTHER, (b->m->net->places.count + 1) * sizeof *b->place);
  for (size_t i = 0; b->place && i < b->m->net->places.count; i++) region_open(&b->place[i].had, mem, MEM_OTHER);
  b->number = mem_alloc(mem, MEM_OTHER, ((size_t)colour_fields(b->m) + 1) * sizeof *b->number);
  if (!b->place || !b->number || find_changed(b)) {
    colour_bounds_close(b);
    return -1;
  }
  *out = b;
  return 0;
}

void colour_bounds_close(struct colour_bounds *b) {
  if (!b) return;
  for (size_t i = 0; b->place && i < b->m->net->places.count; i++) {
    region_close(&b->place[i].had);
    mem_free(b->mem, b->place[i].most);
    mem_free(b->mem, b->place[i].least);
  }
  mem_free(b->mem, b->place);
  mem_free(b->mem, b->start);
  mem_free(b->mem, b->changed);
  mem_free(b->mem, b->number);
  mem_free(b->mem, b->sum);
  mem_free(b->mem, b);
}

/* ---- states ------------------------------------------------------------------------------------------------------------------ */

static int open_cells(struct colour_bounds *b, struct tally *t, uint32_t cells) {
  t->most = mem_alloc(b->mem, MEM_OTHER, ((size_t)cells + 1) * sizeof *t->most);
  t->least = mem_alloc(b->mem, MEM_OTHER, ((size_t)cells + 1) * sizeof *t->least);
  int64_t *sum = cells + 1 > b->sums ? mem_resize(b->mem, MEM_OTHER, b->sum, ((size_t)cells + 1) * sizeof *sum) : NULL;
  if (sum) b->sum = sum, b->sums = cells + 1;
  if (!t->most || !t->least || cells + 1 > b->sums) { /* the old sums are still there, for the other places */
    mem_free(b->mem, t->most);
    mem_free(b->mem, t->least);
    t->most = t->least = NULL;
    return -1;
  }
  for (uint32_t c = 0; c < cells; c++) t->least[c] = INT64_MAX;
  t->lower = UINT64_MAX;
  return 0;
}

static int add_implied(struct colour_bounds *b, const uint32_t *state, uint32_t place) {
  const struct implied *im = &b->m->implied;
  const struct implied_place *p = &im->place[place];
  struct tally *t = &b->place[place];
  uint64_t tokens = 0;
  if (!t->most && open_cells(b, t, p->cells)) return -1;
  for (uint32_t s = 0; s < p->sources; s++) {
    uint32_t first, parts = implied_parts(im, p->source[s], &first);
    for (uint32_t f = first; f < first + parts; f++) b->number[f] = colour_field_number(b->m, state, f);
  }
  implied_sums(im, place, b->number, b->sum);
  for (uint32_t c = 0; c < p->cells; c++) {
    tokens += (uint64_t)b->sum[c];
    if (b->sum[c] > t->most[c]) t->most[c] = b->sum[c];
    if (b->sum[c] < t->least[c]) t->least[c] = b->sum[c];
  }
  if (tokens > t->upper) t->upper = tokens;
  if (tokens < t->lower) t->lower = tokens;
  return 0;
}

static int add_place(struct colour_bounds *b, const uint32_t *state, uint32_t place) {
  if (colour_is_implied(b->m, place)) return add_implied(b, state, place);
  uint32_t number = colour_field_number(b->m, state, place);
  struct region *r = &b->place[place].had;
  if (number / 8 >= r->size && region_grow(r, (size_t)number / 8 + 64)) return -1;
  r->base[number / 8] |= (uint8_t)(1u << number % 8);
  return 0;
}

int colour_bounds_add(struct colour_bounds *b, const uint32_t *state, int64_t group) {
  uint32_t places = (uint32_t)b->m->net->places.count;
  int bad = 0;
  if (group < 0)
    for (uint32_t p = 0; p < places && !bad; p++) bad = add_place(b, state, p);
  else
    for (uint32_t i = b->start[group]; i < b->start[group + 1] && !bad; i++) bad = add_place(b, state, b->changed[i]);
  return bad;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------------ */

uint32_t colour_bounds_places(const struct colour_bounds *b) { return (uint32_t)b->m->net->places.count; }
const char *colour_bounds_name(const struct colour_bounds *b, uint32_t place) { return b->m->net->places.at[place].name; }

static int had(const struct colour_bounds *b, uint32_t place, uint32_t number) {
  const struct region *r = &b->place[place].had;
  return number / 8 < r->size && r->base[number / 8] >> number % 8 & 1;
}

void colour_bounds_count(const struct colour_bounds *b, uint32_t place, uint64_t *upper, uint64_t *lower) {
  const struct bags *bags = &b->m->net->places.at[place].markings;
  const struct tally *t = &b->place[place];
  *upper = t->most ? t->upper : 0;
  *lower = t->most ? t->lower : UINT64_MAX;
  for (uint32_t i = 0; i < bags_count(bags); i++) {
    if (!had(b, place, i)) continue;
    uint64_t tokens = bag_tokens(bags, bags_at(bags, i));
    if (tokens > *upper) *upper = tokens;
    if (tokens < *lower) *lower = tokens;
  }
  if (*lower == UINT64_MAX) *lower = 0; /* nothing was told */
}

/* ---- multisets ---------------------------------------------------------------------------------------------------------------- */

struct colour_range {
  uint64_t most, least;
  uint32_t bags; /* in so many multisets */
};

/* The colours of one place, in the order of values. */
struct ranges {
  struct colour_range *of; /* by the number of the value */
  struct vec(uint32_t) met;
  uint32_t bags;
};

static int add_bag(struct ranges *r, const struct bags *bags, struct bag bag, struct mem *mem) {
  r->bags++;
  for (size_t i = 0; i < bag.words;) {
    uint32_t value = bag.at[i];
    uint64_t count = 0;
    for (; i < bag.words && bag.at[i] == value; i += bags->each) count += bag.at[i + 1]; /* with different times */
    struct colour_range *c = &r->of[value];
    if (!c->bags && vec_push(&r->met, mem, MEM_OTHER, value)) return -1;
    if (!c->bags++ || count < c->least) c->least = count;
    if (count > c->most) c->most = count;
  }
  return 0;
}

/* The cells of the states in which the place was implied are one more multiset: each colour with what there was at most, and at least. */
static int add_cells(struct ranges *r, const struct implied *im, uint32_t place, const struct tally *t, struct mem *mem) {
  if (!t->most) return 0;
  r->bags++;
  for (uint32_t i = 0; i < im->place[place].cells; i++) {
    struct colour_range *c = &r->of[im->value[im->place[place].first + i]];
    uint64_t most = (uint64_t)t->most[i], least = (uint64_t)t->least[i];
    if (!most) continue;
    if (!c->bags && vec_push(&r->met, mem, MEM_OTHER, im->value[im->place[place].first + i])) return -1;
    if (!c->bags++ || least < c->least) c->least = least;
    if (most > c->most) c->most = most;
  }
  return 0;
}

static int compare_values(const void *x, const void *y, void *context) { return values_compare(context, *(const uint32_t *)x, *(const uint32_t *)y); }

static char *print(const struct net_place *p, const struct ranges *r, const struct values *values, int lower, struct mem *mem) {
  struct ml_heap *heap;
  char *text = NULL;
  if (ml_heap_open(&heap, mem)) return NULL;
  struct ml_block *block = r->met.count < UINT32_MAX / 4 ? ml_heap_block(heap, ML_BLOCK_MULTISET, 2 * (uint32_t)r->met.count) : NULL;
  uint32_t made = 0;
  for (size_t i = 0; block && i < r->met.count; i++) {
    const struct colour_range *c = &r->of[r->met.at[i]];
    uint64_t count = !lower ? c->most : c->bags == r->bags ? c->least : 0;
    if (!count) continue;
    block->field[made++] = ml_from_int((int64_t)count);
    block->field[made++] = values_word(values, r->met.at[i]);
  }
  if (block) {
    block->size = made;
    char few[8];
    size_t length = ml_print_multiset(p->colset, (ml_value)(uintptr_t)block, few, sizeof few);
    text = mem_alloc(mem, MEM_OTHER, length + 1);
    if (text) ml_print_multiset(p->colset, (ml_value)(uintptr_t)block, text, length + 1);
  }
  ml_heap_close(heap);
  return text;
}

char *colour_bounds_text(const struct colour_bounds *b, uint32_t place, int lower, struct mem *mem) {
  const struct net_place *p = &b->m->net->places.at[place];
  const struct bags *bags = &p->markings;
  struct values *values = &b->m->net->values;
  struct ranges r = {.of = mem_alloc(mem, MEM_OTHER, (values->word.count + 1) * sizeof *r.of)};
  int bad = !r.of || add_cells(&r, &b->m->implied, place, &b->place[place], mem);
  for (uint32_t i = 0; i < bags_count(bags) && !bad; i++)
    if (had(b, place, i)) bad = add_bag(&r, bags, bags_at(bags, i), mem);
  if (r.met.count) qsort_r(r.met.at, r.met.count, sizeof *r.met.at, compare_values, values);
  char *text = bad ? NULL : print(p, &r, values, lower, mem);
  vec_free(&r.met, mem);
  mem_free(mem, r.of);
  return text;
}
