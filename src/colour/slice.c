/* slice.c -- see slice.h.
 *
 * Presence of cells in a sample of the place's markings is a matrix of bits, a row per cell; for two cells the four combinations are counted with popcounts.  A combination that was never met although
 * independent cells would have shown it EXPECTED times is dependence.  Thresholds: places with fewer than MARKINGS markings after the first walks are left alone, since all
 * of their tables are small. */
#include "colour/slice.h"

#include "base/hash.h"

#include <string.h>

enum { MARKINGS = 256, CELLS_MOST = 256, SAMPLE = 2048, SAMPLE_WORDS = SAMPLE / 64, EXPECTED = 6, TOGETHER = 256, LARGE = 512, SHARE = 20 /* one pair in so many may depend across a cut */ };

struct cutter {
  struct implied *i;
  struct net *net;
  struct mem *mem;
  uint32_t place, cells, sample, step;
  uint64_t *there;  /* [cell * SAMPLE_WORDS + word] */
  uint32_t *often;  /* per cell: in how many markings of the sample */
  uint16_t *part;   /* per cell: its cluster, then its slice */
  uint32_t parts;
  uint64_t *seen;   /* hashes of what a part looks like: a set */
};

static int depend(const struct cutter *c, uint32_t x, uint32_t y) {
  const uint64_t *a = c->there + (size_t)x * SAMPLE_WORDS, *b = c->there + (size_t)y * SAMPLE_WORDS;
  uint64_t both = 0, n = c->sample, p = c->often[x], q = c->often[y];
  for (uint32_t w = 0; w < SAMPLE_WORDS; w++) both += (uint64_t)__builtin_popcountll(a[w] & b[w]);
  uint64_t count[4] = {both, p - both, q - both, n - p - q + both}, expected[4] = {p * q, p * (n - q), (n - p) * q, (n - p) * (n - q)};
  for (int k = 0; k < 4; k++)
    if (!count[k] && expected[k] >= EXPECTED * n) return 1;
  return 0;
}

static void take_sample(struct cutter *c) {
  const struct bags *bags = &c->net->places.at[c->place].markings;
  uint32_t first = c->i->place[c->place].first;
  c->sample = bags_count(bags) / c->step;
  if (c->sample > SAMPLE) c->sample = SAMPLE;
  for (uint32_t s = 0; s < c->sample; s++) {
    struct bag bag = bags_at(bags, s * c->step);
    for (size_t e = 0; e < bag.words; e += 2) {
      uint32_t cell = implied_cell(c->i, c->place, bag.at[e]);
      if (cell == IMPLIED_NONE) continue;
      c->there[(size_t)(cell - first) * SAMPLE_WORDS + s / 64] |= (uint64_t)1 << s % 64;
      c->often[cell - first]++;
    }
  }
}

/* How many different looks the cells of some parts have in the sample; more than `most` need not be told apart. */
static uint32_t looks(const struct cutter *c, uint32_t from, uint32_t to, uint32_t most) {
  enum { ROOM = 4096 };
  uint32_t count = 0;
  memset(c->seen, 0, ROOM * sizeof *c->seen);
  for (uint32_t s = 0; s < c->sample && count <= most; s++) {
    uint64_t hash = 1;
    for (uint32_t x = 0; x < c->cells; x++)
      if (c->part[x] >= from && c->part[x] < to && c->there[(size_t)x * SAMPLE_WORDS + s / 64] >> s % 64 & 1) hash = hash_pair(hash, x) | 1; /* 0 is a free place */
    size_t at = hash >> 20 & (ROOM - 1);
    while (c->seen[at] && c->seen[at] != hash) at = (at + 1) & (ROOM - 1);
    count += !c->seen[at];
    c->seen[at] = hash;
  }
  return count;
}

/* Clusters of cells that depend on each other: the smallest cell of each is its name at first. */
static void cluster(struct cutter *c) {
  for (uint32_t x = 0; x < c->cells; x++) c->part[x] = (uint16_t)x;
  for (uint32_t x = 0; x < c->cells; x++)
    for (uint32_t y = x + 1; y < c->cells; y++) {
      if (c->part[x] == c->part[y] || !depend(c, x, y)) continue;
      uint16_t low = c->part[x] < c->part[y] ? c->part[x] : c->part[y], high = c->part[x] < c->part[y] ? c->part[y] : c->part[x];
      for (uint32_t z = 0; z < c->cells; z++)
        if (c->part[z] == high) c->part[z] = low;
    }
  uint16_t name[CELLS_MOST];
  memset(name, 0xff, sizeof name);
  c->parts = 0;
  for (uint32_t x = 0; x < c->cells; x++) {
    if (name[c->part[x]] == UINT16_MAX) name[c->part[x]] = (uint16_t)c->parts++;
    c->part[x] = name[c->part[x]];
  }
}

/* Halves a part that is too large in the order of its cells, if few pairs across the cut depend on each other: the upper half becomes the part behind it. 1: done. */
static int halve(struct cutter *c, uint32_t part) {
  uint32_t cell[CELLS_MOST], count = 0, dependent = 0;
  for (uint32_t x = 0; x < c->cells; x++)
    if (c->part[x] == part) cell[count++] = x;
  uint32_t half = count / 2;
  if (count < 4) return 0;
  for (uint32_t x = 0; x < half; x++)
    for (uint32_t y = half; y < count; y++) dependent += (uint32_t)depend(c, cell[x], cell[y]);
  if (dependent * SHARE > half * (count - half)) return 0;
  for (uint32_t x = 0; x < c->cells; x++)
    if (c->part[x] > part) c->part[x]++;
  for (uint32_t y = half; y < count; y++) c->part[cell[y]] = (uint16_t)(part + 1);
  c->parts++;
  return 1;
}

/* Neighbours are put together while they are small together. */
static void join_small(struct cutter *c) {
  for (uint32_t p = 0; p + 1 < c->parts;) {
    if (looks(c, p, p + 1, TOGETHER) * looks(c, p + 1, p + 2, TOGETHER) > TOGETHER) {
      p++;
      continue;
    }
    for (uint32_t x = 0; x < c->cells; x++)
      if (c->part[x] > p) c->part[x]--;
    c->parts--;
  }
}

/* ---- slices -------------------------------------------------------------------------------------------------------------------------------- */

/* A slice knows the parts of all markings met so far, in their order: number 0 is that of the initial one. */
static int add_slice(struct cutter *c, uint32_t part) {
  struct net *net = c->net;
  const struct net_place *parent = &net->places.at[c->place];
  struct net_place slice = {.name = parent->name, .colset = parent->colset, .at = parent->at};
  bag_words words = {0};
  int status = bags_open(&slice.markings, &net->values, c->mem, 0) || bags_open(&slice.effects, &net->values, c->mem, 0) || bags_put(&slice.effects, NULL, 0) == BAGS_NONE;
  for (uint32_t k = 0; !status && k < bags_count(&parent->markings); k++) status = implied_part(c->i, c->place, part, bags_at(&parent->markings, k), &words) < 0 || bags_put(&slice.markings, words.at, words.count) == BAGS_NONE;
  vec_free(&words, c->mem);
  if (status || vec_push(&net->slices, c->mem, MEM_MODEL, slice)) {
    bags_close(&slice.markings);
    bags_close(&slice.effects);
    return -1;
  }
  return 0;
}

/* Each cell of the place is the same cell of its slice. */
static int imply_by_slices(struct cutter *c) {
  struct implied *i = c->i;
  struct implied_place *p = &i->place[c->place];
  p->source = mem_alloc(c->mem, MEM_MODEL, sizeof *p->source);
  p->constant = mem_alloc(c->mem, MEM_MODEL, ((size_t)p->cells + 1) * sizeof *p->constant);
  p->start = mem_alloc(c->mem, MEM_MODEL, ((size_t)i->cells + 2) * sizeof *p->start);
  p->term = mem_alloc(c->mem, MEM_MODEL, ((size_t)p->cells + 1) * sizeof *p->term);
  p->slice_of = mem_alloc(c->mem, MEM_MODEL, ((size_t)p->cells + 1) * sizeof *p->slice_of);
  if (!p->source || !p->constant || !p->start || !p->term || !p->slice_of) return -1;
  p->sources = 1;
  p->source[0] = c->place;
  for (uint32_t cell = 0; cell <= i->cells; cell++) p->start[cell] = cell < p->first ? 0 : cell < p->first + p->cells ? cell - p->first : p->cells;
  for (uint32_t x = 0; x < p->cells; x++) {
    p->term[x] = (struct implied_term){x, 1};
    p->slice_of[x] = c->part[x];
  }
  return 0;
}

static void use_slices(struct cutter *c, uint32_t first) {
  struct implied_place *p = &c->i->place[c->place];
  p->slice = first;
  p->slices = c->parts;
  p->dropped = 1;
  c->i->dropped++;
}

static int cut(struct cutter *c) {
  uint32_t count = bags_count(&c->net->places.at[c->place].markings);
  c->step = count > SAMPLE ? count / SAMPLE : 1;
  take_sample(c);
  cluster(c);
  for (uint32_t p = 0; p < c->parts; p++)
    while (looks(c, p, p + 1, TOGETHER) > TOGETHER && halve(c, p)) continue;
  join_small(c);
  if (c->parts < 2) return 0;
  for (uint32_t p = 0; p < c->parts; p++)
    if (looks(c, p, p + 1, LARGE) > LARGE) return 0; /* it would stay as large */
  uint32_t first = (uint32_t)c->net->slices.count;
  if (imply_by_slices(c)) return -1;
  for (uint32_t p = 0; p < c->parts; p++)
    if (add_slice(c, p)) return -1;
  use_slices(c, net_slice_field(c->net, first));
  return 0;
}

int slice_places(struct implied *i, struct net *net) {
  struct cutter c = {.i = i, .net = net, .mem = i->mem};
  int status = 0;
  if (!i->place) return 0;
  c.there = mem_alloc(c.mem, MEM_MODEL, (size_t)CELLS_MOST * SAMPLE_WORDS * sizeof *c.there);
  c.often = mem_alloc(c.mem, MEM_MODEL, CELLS_MOST * sizeof *c.often);
  c.part = mem_alloc(c.mem, MEM_MODEL, CELLS_MOST * sizeof *c.part);
  c.seen = mem_alloc(c.mem, MEM_MODEL, 4096 * sizeof *c.seen);
  if (!c.there || !c.often || !c.part || !c.seen) status = -1;
  for (uint32_t p = 0; p < net->places.count && !status; p++) {
    c.place = p;
    c.cells = i->place[p].cells;
    if (i->place[p].dropped || c.cells < 4 || c.cells > CELLS_MOST || bags_count(&net->places.at[p].markings) < MARKINGS) continue;
    memset(c.there, 0, (size_t)CELLS_MOST * SAMPLE_WORDS * sizeof *c.there);
    memset(c.often, 0, CELLS_MOST * sizeof *c.often);
    status = cut(&c);
  }
  mem_free(c.mem, c.there);
  mem_free(c.mem, c.often);
  mem_free(c.mem, c.part);
  mem_free(c.mem, c.seen);
  return status;
}
