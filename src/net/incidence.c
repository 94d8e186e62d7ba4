/* incidence.c -- see incidence.h. */
#include "net/incidence.h"

#include "base/hash.h"

#include <string.h>

/* The row of a transition; index NULL = count only. Returns the number of entries. */
static size_t effect(const struct pt_net *net, uint32_t t, uint32_t *index, int32_t *value) {
  size_t n = 0;
  uint32_t place;
  int64_t change;
  for (struct pt_effects it = pt_effects(net, t); pt_effect(&it, &place, &change); n++)
    if (index) index[n] = place, value[n] = (int32_t)change;
  return n;
}

static int transpose(struct incidence *out, const struct incidence *in);

int incidence_open(struct incidence *c, const struct pt_net *net, enum incidence_by by, struct mem *m) {
  *c = (struct incidence){.mem = m, .rows = net->transitions, .columns = net->places};
  size_t entries = 0;
  for (uint32_t t = 0; t < net->transitions; t++) entries += effect(net, t, NULL, NULL);
  c->start = mem_alloc(m, MEM_ANALYSIS, ((size_t)c->rows + 1) * sizeof *c->start);
  c->index = mem_alloc(m, MEM_ANALYSIS, entries * sizeof *c->index);
  c->value = mem_alloc(m, MEM_ANALYSIS, entries * sizeof *c->value);
  if (!c->start || !c->index || !c->value) {
    incidence_close(c);
    return -1;
  }
  for (uint32_t t = 0; t < net->transitions; t++)
    c->start[t + 1] = c->start[t] + effect(net, t, c->index + c->start[t], c->value + c->start[t]);
  if (by == BY_TRANSITION) return 0;
  struct incidence rows;
  int status = transpose(&rows, c);
  incidence_close(c);
  if (!status) *c = rows;
  return status;
}

static int transpose(struct incidence *out, const struct incidence *in) {
  size_t entries = in->start[in->rows];
  *out = (struct incidence){.mem = in->mem, .rows = in->columns, .columns = in->rows};
  out->start = mem_alloc(out->mem, MEM_ANALYSIS, ((size_t)out->rows + 2) * sizeof *out->start);
  out->index = mem_alloc(out->mem, MEM_ANALYSIS, entries * sizeof *out->index);
  out->value = mem_alloc(out->mem, MEM_ANALYSIS, entries * sizeof *out->value);
  if (!out->start || !out->index || !out->value) {
    incidence_close(out);
    return -1;
  }
  /* Counts go two places up, so that after the running sum and the filling each start is where it belongs. */
  for (size_t k = 0; k < entries; k++) out->start[in->index[k] + 2]++;
  for (uint32_t r = 0; r < out->rows; r++) out->start[r + 2] += out->start[r + 1];
  for (uint32_t r = 0; r < in->rows; r++)
    for (size_t k = in->start[r]; k < in->start[r + 1]; k++) {
      size_t at = out->start[in->index[k] + 1]++;
      out->index[at] = r;
      out->value[at] = in->value[k];
    }
  return 0;
}

void incidence_close(struct incidence *c) {
  if (!c->mem) return;
  mem_free(c->mem, c->start);
  mem_free(c->mem, c->index);
  mem_free(c->mem, c->value);
  *c = (struct incidence){0};
}

uint64_t incidence_gcd(uint64_t a, uint64_t b) { /* Stein: shifts and subtractions */
  if (!a || !b) return a | b;
  int shift = __builtin_ctzll(a | b);
  a >>= __builtin_ctzll(a);
  do {
    b >>= __builtin_ctzll(b);
    if (a > b) {
      uint64_t swap = a;
      a = b, b = swap;
    }
    b -= a;
  } while (b);
  return a << shift;
}

struct incidence_row incidence_lowest(const struct incidence *c, uint32_t r) {
  struct incidence_row row = {c->start[r + 1] - c->start[r], c->index + c->start[r], c->value + c->start[r], 0};
  uint64_t g = 0;
  for (size_t k = 0; k < row.count && g != 1; k++)
    g = incidence_gcd(g, (uint64_t)(row.value[k] < 0 ? -(int64_t)row.value[k] : row.value[k]));
  row.divisor = row.count && row.value[0] < 0 ? -(int64_t)g : (int64_t)g;
  return row;
}

static uint64_t hash_row(const struct incidence_row *r) {
  uint64_t h = r->count;
  for (size_t k = 0; k < r->count; k++) h = hash_pair(h ^ r->index[k], (uint64_t)(r->value[k] / r->divisor));
  return h;
}

static int same_row(const struct incidence_row *a, const struct incidence_row *b) {
  if (a->count != b->count || memcmp(a->index, b->index, a->count * sizeof *a->index) != 0) return 0;
  for (size_t k = 0; k < a->count; k++)
    if (a->value[k] / a->divisor != b->value[k] / b->divisor) return 0;
  return 1;
}

int incidence_distinct(const struct incidence *c, uint32_t *distinct, uint32_t *count) {
  size_t slots = 16;
  while (slots < (size_t)c->rows * 2) slots *= 2;
  uint32_t *table = mem_alloc(c->mem, MEM_ANALYSIS, slots * sizeof *table); /* row + 1, 0 = free */
  if (!table) return -1;
  *count = 0;
  for (uint32_t r = 0; r < c->rows; r++) {
    struct incidence_row row = incidence_lowest(c, r);
    if (!row.count) continue;
    size_t i = hash_row(&row) & (slots - 1);
    for (; table[i]; i = (i + 1) & (slots - 1)) {
      struct incidence_row other = incidence_lowest(c, table[i] - 1);
      if (same_row(&row, &other)) break;
    }
    if (table[i]) continue;
    table[i] = r + 1;
    distinct[(*count)++] = r;
  }
  mem_free(c->mem, table);
  return 0;
}
