/* lookup.c -- see lookup.h. */
#include "net/lookup.h"

#include "base/bits.h"
#include "base/vec.h"

#include <string.h>

enum {
  CHUNK_BITS = 9,
  MOST_WORK = 96,         /* words to combine per marking: beyond that moving incrementally is faster */
  MOST_BYTES = 512 << 10, /* of tables: they should stay in the second-level cache */
  MOST_TERMS = 64,        /* in the sums of implied places that can hold more than one token */
};

struct chunk {
  uint32_t word;
  uint8_t shift, width;
  size_t allow;  /* first of its bitmaps in `allow` */
  size_t totals; /* first of its entries in `total` and `peak` */
};

struct sum { /* an implied place that no single chunk decides */
  uint32_t place;
  size_t part; /* its entries in `part`, laid out as `total` is */
};

struct demand { /* transitions that need `weight` tokens on such a place */
  uint32_t sum, weight;
  size_t mask; /* their bitmap in `masks` */
};

struct lookup {
  struct mem *mem;
  const struct layout *layout;
  uint32_t chunks, words; /* words per bitmap */
  struct chunk *chunk;
  uint64_t *allow;
  int32_t *total; /* tokens that a chunk's value adds to the marking, implied places included */
  uint32_t *peak; /* most tokens in one of its kept places */
  int64_t base;   /* tokens when all fields are zero */
  struct vec(struct sum) sum;
  struct vec(struct demand) demand; /* those of one place follow each other */
  struct vec(int32_t) part;         /* per sum, chunk and value: what the value adds to the place */
  struct vec(uint64_t) masks;
  size_t entries;               /* of `total`, and of the parts of one sum */
  struct vec(uint32_t) implied; /* places */
  const uint32_t *proven;
  int large; /* a number is too large for its table: then there are none */
};

/* ---- reading a state ---------------------------------------------------------------- */

static int64_t kept(const struct layout *l, const uint64_t *state, uint32_t place) {
  const struct field *f = &l->field[l->place_field[place]];
  uint64_t v = f->width ? state[f->word] >> f->shift & bits_mask(f->width) : 0;
  return f->single ? (int64_t)v : v == l->place_code[place];
}

static int64_t implied(const struct layout *l, const uint64_t *state, uint32_t place) {
  int64_t sum = l->net->initial[place];
  for (size_t i = l->plan->term_start[place]; i < l->plan->term_start[place + 1]; i++) {
    uint32_t p = l->plan->term[i].place;
    sum += l->plan->term[i].factor * (kept(l, state, p) - (int64_t)l->net->initial[p]);
  }
  return sum;
}

static int enough(const struct layout *l, const uint64_t *state, uint32_t place, uint32_t weight) {
  int64_t v = l->place_field[place] != PT_NONE ? kept(l, state, place) : implied(l, state, place);
  return v >= (int64_t)weight;
}

uint32_t lookup_enabled(const struct lookup *t, const uint64_t *state, uint64_t *enabled) {
  uint32_t count = 0, words = t->words;
  const struct chunk *c = t->chunk;
  const uint64_t *row = t->allow + c->allow + (state[c->word] >> c->shift & bits_mask(c->width)) * words;
  memcpy(enabled, row, words * sizeof *enabled);
  for (uint32_t i = 1; i < t->chunks; i++) {
    c++;
    row = t->allow + c->allow + (state[c->word] >> c->shift & bits_mask(c->width)) * words;
    for (uint32_t w = 0; w < words; w++) enabled[w] &= row[w];
  }
  uint32_t summed = PT_NONE;
  int64_t value = 0;
  for (size_t i = 0; i < t->demand.count; i++) {
    const struct demand *d = &t->demand.at[i];
    if (d->sum != summed) {
      const int32_t *part = t->part.at + t->sum.at[d->sum].part;
      value = 0;
      for (uint32_t k = 0; k < t->chunks; k++)
        value += part[t->chunk[k].totals + (state[t->chunk[k].word] >> t->chunk[k].shift & bits_mask(t->chunk[k].width))];
      summed = d->sum;
    }
    if (value >= (int64_t)d->weight) continue;
    const uint64_t *mask = t->masks.at + d->mask;
    for (uint32_t w = 0; w < words; w++) enabled[w] &= ~mask[w];
  }
  for (uint32_t w = 0; w < words; w++) count += (uint32_t)__builtin_popcountll(enabled[w]);
  return count;
}

void lookup_peaks(const struct lookup *t, const uint64_t *state, uint32_t *in_place, uint64_t *in_marking) {
  int64_t total = t->base;
  uint32_t peak = *in_place;
  for (uint32_t i = 0; i < t->chunks; i++) {
    const struct chunk *c = &t->chunk[i];
    size_t at = c->totals + (state[c->word] >> c->shift & bits_mask(c->width));
    total += t->total[at];
    if (t->peak[at] > peak) peak = t->peak[at];
  }
  for (size_t i = 0; i < t->implied.count; i++) { /* sorted by bound, largest first */
    uint32_t p = t->implied.at[i];
    if (t->proven[p] <= peak) break;
    int64_t v = implied(t->layout, state, p);
    if (v > (int64_t)peak) peak = (uint32_t)v;
  }
  *in_place = peak;
  if (total > 0 && (uint64_t)total > *in_marking) *in_marking = (uint64_t)total;
}

/* ---- making ------------------------------------------------------------------------- */

/* Consecutive fields of a word, as many as fit into a chunk. -1 when a single field is too wide. */
static int cut(struct lookup *t) {
  const struct layout *l = t->layout;
  struct vec(struct chunk) chunks = {0};
  int status = 0;
  for (uint32_t w = 0; w < l->words64 && !status; w++) {
    struct chunk c = {.word = w};
    int open = 0;
    for (unsigned bit = 0; bit < 64;) {
      uint32_t f = l->field_of_bit[w * 64 + bit];
      if (!l->fields || l->field[f].word != w || l->field[f].shift != bit || !l->field[f].width) break; /* the end of what is used; a field may have no bits */
      const struct field *field = &l->field[f];
      if (field->width > CHUNK_BITS) status = 1;
      if (open && c.width + field->width > CHUNK_BITS) {
        status = status || vec_push(&chunks, t->mem, MEM_MODEL, c);
        open = 0;
      }
      if (!open) c = (struct chunk){.word = w, .shift = (uint8_t)bit}, open = 1;
      c.width = (uint8_t)(c.width + field->width);
      bit += field->width;
    }
    if (open) status = status || vec_push(&chunks, t->mem, MEM_MODEL, c);
  }
  t->chunk = chunks.at;
  t->chunks = (uint32_t)chunks.count;
  return status ? -1 : 0;
}

static int chunk_of(const struct lookup *t, uint32_t place) {
  const struct field *f = &t->layout->field[t->layout->place_field[place]];
  for (uint32_t i = 0; i < t->chunks; i++)
    if (t->chunk[i].word == f->word && t->chunk[i].shift <= f->shift && f->shift < t->chunk[i].shift + t->chunk[i].width)
      return (int)i;
  return -1; /* a field of no bits: always zero */
}

/* Clears transition k in all bitmaps of a chunk whose value, alone in an otherwise zero state, fails `test`. */
static void forbid(struct lookup *t, uint32_t i, uint32_t k,
                   int (*test)(const struct lookup *, const uint64_t *state, uint32_t place, uint32_t weight), uint32_t place,
                   uint32_t weight, uint64_t *state) {
  const struct chunk *c = &t->chunk[i];
  for (uint64_t v = 0; v < (uint64_t)1 << c->width; v++) {
    state[c->word] = v << c->shift;
    if (!test(t, state, place, weight)) t->allow[c->allow + v * t->words + k / 64] &= ~((uint64_t)1 << k % 64);
  }
  state[c->word] = 0;
}

static int test_enough(const struct lookup *t, const uint64_t *state, uint32_t place, uint32_t weight) {
  return enough(t->layout, state, place, weight);
}

/* For "1 - a - b - ...": none of the terms' places in this chunk is marked. */
static int test_elsewhere(const struct lookup *t, const uint64_t *state, uint32_t place, uint32_t weight) {
  const struct layout *l = t->layout;
  (void)weight;
  for (size_t i = l->plan->term_start[place]; i < l->plan->term_start[place + 1]; i++)
    if (kept(l, state, l->plan->term[i].place)) return 0;
  return 1;
}

/* m(p) = 1 - a - b - ... with all of them 0 or 1: the token is here unless it is elsewhere. */
static int is_rest_of_one(const struct lookup *t, uint32_t place) {
  const struct layout *l = t->layout;
  int64_t constant = l->net->initial[place];
  if (t->proven[place] > 1) return 0;
  for (size_t i = l->plan->term_start[place]; i < l->plan->term_start[place + 1]; i++) {
    if (l->plan->term[i].factor != -1) return 0;
    constant += l->net->initial[l->plan->term[i].place];
  }
  return constant == 1;
}

/* The table of an implied place: its value is the sum of one entry per chunk. */
static int add_sum(struct lookup *t, uint32_t place, uint64_t *scratch, uint32_t *index) {
  const struct layout *l = t->layout;
  for (*index = 0; *index < t->sum.count; (*index)++)
    if (t->sum.at[*index].place == place) return 0;
  struct sum sum = {place, t->part.count};
  if (vec_reserve(&t->part, t->mem, MEM_MODEL, t->entries) || vec_push(&t->sum, t->mem, MEM_MODEL, sum)) return -1;
  t->part.count += t->entries;
  memset(t->part.at + sum.part, 0, t->entries * sizeof *t->part.at);
  int64_t rest = implied(l, scratch, place); /* with all fields zero */
  for (uint32_t i = 0; i < t->chunks; i++) {
    const struct chunk *c = &t->chunk[i];
    for (uint64_t v = 0; v < (uint64_t)1 << c->width; v++) {
      scratch[c->word] = v << c->shift;
      int64_t adds = implied(l, scratch, place) - (i == 0 ? 0 : rest);
      t->large |= adds > INT32_MAX || adds < INT32_MIN;
      t->part.at[sum.part + c->totals + v] = (int32_t)adds;
    }
    scratch[c->word] = 0;
  }
  return 0;
}

static int add_demand(struct lookup *t, uint32_t k, uint32_t place, uint32_t weight, uint64_t *scratch) {
  uint32_t sum;
  if (add_sum(t, place, scratch, &sum)) return -1;
  size_t i = 0;
  while (i < t->demand.count && !(t->demand.at[i].sum == sum && t->demand.at[i].weight == weight)) i++;
  if (i == t->demand.count) {
    if (vec_reserve(&t->masks, t->mem, MEM_MODEL, t->words) ||
        vec_push(&t->demand, t->mem, MEM_MODEL, (struct demand){sum, weight, t->masks.count}))
      return -1;
    memset(t->masks.at + t->masks.count, 0, t->words * sizeof *t->masks.at);
    t->masks.count += t->words;
    for (; i && t->demand.at[i - 1].sum > sum; i--) { /* keep those of one place together */
      struct demand swap = t->demand.at[i];
      t->demand.at[i] = t->demand.at[i - 1];
      t->demand.at[i - 1] = swap;
    }
  }
  t->masks.at[t->demand.at[i].mask + k / 64] |= (uint64_t)1 << k % 64;
  return 0;
}

/* One input of one transition: into the bitmaps, or among the demands. */
static int add_need(struct lookup *t, uint32_t k, uint32_t place, uint32_t weight, uint64_t *scratch) {
  const struct layout *l = t->layout;
  if (l->place_field[place] != PT_NONE) {
    int c = chunk_of(t, place);
    forbid(t, c < 0 ? 0 : (uint32_t)c, k, test_enough, place, weight,
           scratch); /* a field of no bits: never enough, in any chunk */
    return 0;
  }
  int first = -2, same = 1;
  for (size_t i = l->plan->term_start[place]; i < l->plan->term_start[place + 1]; i++) {
    int c = chunk_of(t, l->plan->term[i].place);
    if (first == -2) first = c;
    same &= c == first && c >= 0;
  }
  if (same && first >= 0) {
    forbid(t, (uint32_t)first, k, test_enough, place, weight, scratch);
    return 0;
  }
  if (weight == 1 && is_rest_of_one(t, place)) {
    for (uint32_t i = 0; i < t->chunks; i++) forbid(t, i, k, test_elsewhere, place, weight, scratch);
    return 0;
  }
  return add_demand(t, k, place, weight, scratch);
}

/* Tokens that each value of each chunk adds, in kept places and in those that follow from them. */
static void add_totals(struct lookup *t, uint64_t *scratch) {
  const struct layout *l = t->layout;
  const struct pt_net *n = l->net;
  for (uint32_t p = 0; p < n->places; p++) {
    if (l->place_field[p] == PT_NONE) {
      t->base += l->plan->kind[p] == PLACE_CONSTANT ? (int64_t)n->initial[p] : implied(l, scratch, p);
      continue;
    }
    int at = chunk_of(t, p);
    if (at < 0) continue;
    int64_t factor = 1;
    for (size_t i = l->dependent_start[p]; i < l->dependent_start[p + 1]; i++) factor += l->dependent[i].factor;
    const struct chunk *c = &t->chunk[at];
    for (uint64_t v = 0; v < (uint64_t)1 << c->width; v++) {
      scratch[c->word] = v << c->shift;
      int64_t tokens = kept(l, scratch, p);
      int64_t adds = t->total[c->totals + v] + factor * tokens;
      t->large |= adds > INT32_MAX || adds < INT32_MIN;
      t->total[c->totals + v] = (int32_t)adds;
      if ((uint32_t)tokens > t->peak[c->totals + v]) t->peak[c->totals + v] = (uint32_t)tokens;
    }
    scratch[c->word] = 0;
  }
}

/* Implied places, those with the largest bound first; -1: memory, 1: one is not bounded or not integral, or they are too
 * long to be summed up for each marking. */
static int list_implied(struct lookup *t) {
  const struct layout *l = t->layout;
  size_t terms = 0;
  for (uint32_t p = 0; p < l->net->places; p++) {
    if (l->plan->kind[p] != PLACE_IMPLIED) continue;
    if (l->plan->divisor[p] != 1 || t->proven[p] == PT_NONE) return 1;
    if (t->proven[p] > 1) terms += l->plan->term_start[p + 1] - l->plan->term_start[p];
    if (vec_push(&t->implied, t->mem, MEM_MODEL, p)) return -1;
    size_t i = t->implied.count - 1;
    for (; i && t->proven[t->implied.at[i - 1]] < t->proven[p]; i--) t->implied.at[i] = t->implied.at[i - 1];
    t->implied.at[i] = p;
  }
  return terms > MOST_TERMS;
}

/* Worth it? Sets where each chunk's tables begin. */
static int size_tables(struct lookup *t, size_t *allow, size_t *totals) {
  if (!t->chunks || (size_t)t->chunks * t->words > MOST_WORK) return -1;
  for (uint32_t i = 0; i < t->chunks; i++) {
    t->chunk[i].allow = *allow;
    t->chunk[i].totals = *totals;
    *allow += ((size_t)1 << t->chunk[i].width) * t->words;
    *totals += (size_t)1 << t->chunk[i].width;
  }
  return *allow * sizeof(uint64_t) > MOST_BYTES ? -1 : 0;
}

int lookup_make(struct lookup **out, const struct layout *l, const uint32_t *proven, struct mem *mem) {
  *out = NULL;
  struct lookup *t = mem_alloc(mem, MEM_MODEL, sizeof *t);
  uint64_t *scratch = mem_alloc(mem, MEM_MODEL, (l->words64 + 1) * sizeof *scratch);
  if (!t || !scratch) {
    mem_free(mem, t);
    mem_free(mem, scratch);
    return -1;
  }
  t->mem = mem;
  t->layout = l;
  t->proven = proven;
  t->words = (l->live + 63) / 64;
  size_t allow = 0, totals = 0;
  int fits = 0, status = 0;
  if (l->live && l->words64 <= 4 && cut(t) == 0 && size_tables(t, &allow, &totals) == 0) {
    int listed = list_implied(t);
    fits = listed == 0;
    status = listed < 0 ? -1 : 0;
  }
  if (fits) {
    t->entries = totals;
    t->allow = mem_alloc(mem, MEM_MODEL, allow * sizeof *t->allow);
    t->total = mem_alloc(mem, MEM_MODEL, totals * sizeof *t->total);
    t->peak = mem_alloc(mem, MEM_MODEL, totals * sizeof *t->peak);
    status = t->allow && t->total && t->peak ? 0 : -1;
    for (size_t i = 0; !status && i < allow; i++) { /* everything is allowed at first, but only transitions that exist */
      uint32_t w = (uint32_t)(i % t->words);
      t->allow[i] = w + 1 == t->words && l->live % 64 ? bits_mask(l->live % 64) : ~(uint64_t)0;
    }
    for (uint32_t k = 0; k < l->live && !status; k++)
      for (uint32_t i = l->need_start[k]; i < l->need_start[k + 1] && !status; i++)
        status = add_need(t, k, l->need[i].place, l->need[i].weight, scratch);
    if (!status) add_totals(t, scratch);
    if (t->large || t->sum.count * t->chunks + t->demand.count * t->words > MOST_WORK) fits = 0;
  }
  mem_free(mem, scratch);
  if (status || !fits) {
    lookup_close(t);
    return status;
  }
  *out = t;
  return 0;
}

void lookup_close(struct lookup *t) {
  if (!t) return;
  mem_free(t->mem, t->chunk);
  mem_free(t->mem, t->allow);
  mem_free(t->mem, t->total);
  mem_free(t->mem, t->peak);
  vec_free(&t->sum, t->mem);
  vec_free(&t->demand, t->mem);
  vec_free(&t->part, t->mem);
  vec_free(&t->masks, t->mem);
  vec_free(&t->implied, t->mem);
  mem_free(t->mem, t);
}
