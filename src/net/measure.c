/* measure.c -- see measure.h: what all ways to find weights share, and the measure as a function of packed states.
 *
 * A packed marking has a field for each kept place, or for a set of places that exclude each other.  So the measure is a sum over fields: a factor times the
 * number, or what a table says of the code.  Implied places are replaced by the kept ones that they follow from, which may need a common divisor:
 *
 *   divisor * (w m)  =  constant + sum of factor(f) * number(f) + sum of table(f)[code(f)]
 *
 * Fields whose places weigh nothing are not looked at, and small ones side by side share a table.  The sum is made anew when the layout changes; where memory does not allow it, the weights are added up place by place. */
#include "net/measure.h"

#include "net/incidence.h"
#include "net/pt_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pt_measure_weights(const struct pt_measure_setup *s, enum pt_measure_kind kind, int64_t *weight) {
  memset(weight, 0, s->net->places * sizeof *weight);
  int answer = kind == PT_MEASURE_RANKS      ? pt_measure_ranks(s, weight)
               : kind == PT_MEASURE_MONOTONE ? pt_measure_monotone(s, weight)
                                             : pt_measure_offsets(s, kind == PT_MEASURE_IN_TURN, weight);
  uint32_t lower, raise;
  if (answer) return answer;
  if (!pt_measure_small(s->net, weight)) return 1;
  pt_measure_count(s, weight, &lower, &raise);
  return raise ? 0 : 1;
}

int64_t pt_measure_offset(const struct pt_net *n, const int64_t *weight, uint32_t t) {
  int64_t sum = 0, change;
  uint32_t place;
  for (struct pt_effects it = pt_effects(n, t); pt_effect(&it, &place, &change);) sum += weight[place] * change;
  return sum;
}

void pt_measure_count(const struct pt_measure_setup *s, const int64_t *weight, uint32_t *lower, uint32_t *raise) {
  *lower = *raise = 0;
  for (uint32_t t = 0; t < s->net->transitions; t++) {
    int64_t offset = s->dead && s->dead[t] ? 0 : pt_measure_offset(s->net, weight, t);
    *lower += offset < 0;
    *raise += offset > 0;
  }
}

int pt_measure_small(const struct pt_net *n, const int64_t *weight) {
  int64_t sum = 0;
  for (uint32_t p = 0; p < n->places; p++) {
    if (weight[p] >= INT64_C(1) << 31 || weight[p] <= -(INT64_C(1) << 31)) return 0;
    sum += weight[p] < 0 ? -weight[p] : weight[p];
    if (sum >= INT64_C(1) << 31) return 0;
  }
  return 1;
}

/* ---- the sum over fields ---------------------------------------------------------------------------------------------------- */

struct part {
  uint32_t word;
  uint8_t shift, width;
  uint64_t mask;
  int64_t factor;
  size_t table; /* first entry, by code; SIZE_MAX = a number */
};

struct measure {
  struct model_measure base;
  struct mem *mem;
  int64_t *weight;
  uint32_t places;
  uint64_t serial; /* of the layout that the sum is for; 0 = none yet */
  int direct;      /* there is no memory for the sum: place by place */
  int64_t divisor, constant;
  struct part *part;
  uint32_t parts;
  int64_t *table;
};

static void forget(struct measure *m) {
  mem_free(m->mem, m->part);
  mem_free(m->mem, m->table);
  m->part = NULL;
  m->table = NULL;
  m->parts = 0;
}

static void close_measure(struct model_measure *base) {
  struct measure *m = (struct measure *)base;
  forget(m);
  mem_free(m->mem, m->weight);
  mem_free(m->mem, m);
}

/* divisor * w, with implied places replaced. 0, or -1: too large. */
static int spread(struct measure *m, const struct layout *l, int64_t *factor) {
  enum { MOST = 1 << 20 };
  const struct plan *plan = l->plan;
  const struct pt_net *n = l->net;
  m->divisor = 1;
  for (uint32_t p = 0; p < m->places; p++) {
    if (!m->weight[p] || plan->kind[p] != PLACE_IMPLIED) continue;
    int64_t d = plan->divisor[p] < 0 ? -(int64_t)plan->divisor[p] : plan->divisor[p];
    m->divisor = m->divisor / (int64_t)incidence_gcd((uint64_t)m->divisor, (uint64_t)d) * d;
    if (m->divisor > MOST) return -1;
  }
  __int128 constant = 0;
  for (uint32_t p = 0; p < m->places; p++) {
    int64_t w = m->weight[p] * m->divisor;
    if (!w) continue;
    if (plan->kind[p] == PLACE_CONSTANT) constant += (__int128)w * n->initial[p];
    else if (plan->kind[p] != PLACE_IMPLIED) factor[p] += w;
    else {
      constant += (__int128)w * n->initial[p];
      for (size_t i = plan->term_start[p]; i < plan->term_start[p + 1]; i++) {
        const struct rank_term *t = &plan->term[i];
        int64_t share;
        if (__builtin_mul_overflow(w / plan->divisor[p], (int64_t)t->factor, &share) || __builtin_add_overflow(factor[t->place], share, &factor[t->place])) return -1;
        constant -= (__int128)share * n->initial[t->place];
      }
    }
  }
  __int128 size = 0; /* numbers are below 2^31 */
  for (uint32_t p = 0; p < m->places; p++) size += factor[p] < 0 ? -(__int128)factor[p] : factor[p];
  if (size >= (__int128)1 << 31 || constant > INT64_MAX / 4 || constant < INT64_MIN / 4) return -1;
  m->constant = (int64_t)constant;
  return 0;
}

static uint64_t mask_of(unsigned width) { return width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX; }

static int64_t part_value(const struct measure *m, const struct part *p, uint64_t x) {
  return p->table == SIZE_MAX ? p->factor * (int64_t)x : m->table[p->table + x];
}

static int by_bits(const void *a, const void *b) {
  const struct part *x = a, *y = b;
  return x->word != y->word ? (x->word > y->word) - (x->word < y->word) : (x->shift > y->shift) - (x->shift < y->shift);
}

/* A part for each field with weights, in the order of their bits. */
static int gather(struct measure *m, const struct layout *l, const int64_t *factor) {
  size_t codes = 0;
  for (uint32_t f = 0; f < l->fields; f++) codes += l->field[f].single ? 0 : (size_t)1 << l->field[f].width;
  m->part = mem_alloc(m->mem, MEM_SEARCH, ((size_t)l->fields + 1) * sizeof *m->part);
  m->table = mem_alloc(m->mem, MEM_SEARCH, (codes + 1) * sizeof *m->table);
  if (!m->part || !m->table) return -1;
  codes = 0;
  for (uint32_t f = 0; f < l->fields; f++) {
    const struct field *field = &l->field[f];
    const uint32_t *member = l->plan->member + field->first;
    struct part part = {.word = field->word, .shift = field->shift, .width = field->width, .table = SIZE_MAX};
    int weighs = 0;
    for (uint32_t i = 0; i < field->count; i++) weighs |= factor[member[i]] != 0;
    if (!weighs) continue;
    if (field->single) part.factor = factor[member[0]];
    else {
      part.table = codes;
      for (uint32_t i = 0; i < field->count; i++) m->table[codes + l->place_code[member[i]]] = factor[member[i]];
      codes += (size_t)1 << field->width;
    }
    m->part[m->parts++] = part;
  }
  qsort(m->part, m->parts, sizeof *m->part, by_bits);
  return 0;
}

/* Parts side by side become one with a table, as many as fit into SPAN bits: a hundred places of one bit are read as a dozen bytes. */
static int merge(struct measure *m) {
  enum { SPAN = 8 };
  uint32_t groups = 0;
  struct part *part = mem_alloc(m->mem, MEM_SEARCH, ((size_t)m->parts + 1) * sizeof *part);
  size_t room = 1;
  for (uint32_t i = 0; i < m->parts; i++) room += m->part[i].table == SIZE_MAX || m->part[i].width <= SPAN ? (size_t)1 << SPAN : (size_t)1 << m->part[i].width;
  int64_t *table = mem_alloc(m->mem, MEM_SEARCH, room * sizeof *table);
  if (!part || !table) {
    mem_free(m->mem, part);
    mem_free(m->mem, table);
    return -1;
  }
  room = 0;
  for (uint32_t i = 0, next; i < m->parts; i = next) {
    const struct part *first = &m->part[i];
    unsigned end = first->shift + first->width;
    for (next = i + 1; next < m->parts && m->part[next].word == first->word && m->part[next].shift + m->part[next].width <= first->shift + SPAN; next++)
      end = m->part[next].shift + m->part[next].width;
    struct part group = *first;
    if (next > i + 1 || first->table != SIZE_MAX) {
      group.width = (uint8_t)(end - first->shift);
      group.table = room;
      for (uint64_t x = 0; x < (uint64_t)1 << group.width; x++)
        for (uint32_t k = i; k < next; k++) table[room + x] += part_value(m, &m->part[k], x >> (m->part[k].shift - first->shift) & mask_of(m->part[k].width));
      room += (size_t)1 << group.width;
    }
    group.mask = mask_of(group.width);
    part[groups++] = group;
  }
  int64_t *tight = mem_resize(m->mem, MEM_SEARCH, table, (room + 1) * sizeof *table);
  if (tight) table = tight;
  mem_free(m->mem, m->part);
  mem_free(m->mem, m->table);
  m->part = part;
  m->table = table;
  m->parts = groups;
  return 0;
}

static void prepare(struct measure *m, const struct layout *l) {
  int64_t *factor = mem_alloc(m->mem, MEM_SEARCH, ((size_t)m->places + 1) * sizeof *factor);
  forget(m);
  m->serial = l->serial;
  m->direct = !factor || spread(m, l, factor) || gather(m, l, factor) || merge(m);
  if (m->direct) forget(m);
  mem_free(m->mem, factor);
}

static int64_t value(struct model_measure *base, struct model_cursor *c, const uint32_t *state) {
  struct measure *m = (struct measure *)base;
  const struct layout *l = pt_model_layout(c->model);
  uint32_t words = c->model->words;
  int64_t sum = 0;
  if (m->serial != l->serial) prepare(m, l);
  if (m->direct) {
    for (uint32_t p = 0; p < m->places; p++)
      if (m->weight[p]) sum += m->weight[p] * layout_value(l, state, words, p);
    return sum;
  }
  sum = m->constant;
  for (uint32_t i = 0; i < m->parts; i++) {
    const struct part *p = &m->part[i];
    sum += part_value(m, p, layout_word(state, words, p->word) >> p->shift & p->mask);
  }
  return m->divisor == 1 ? sum : sum / m->divisor;
}

/* "p + 2 * q - r ..." */
static void tell(const struct model *m, const int64_t *weight, char *out, size_t room) {
  enum { END = 40 }; /* kept free for the number of those left out */
  size_t used = 0, left = 0;
  for (uint32_t p = 0; p < m->vars; p++) {
    char term[120], factor[32] = "";
    if (!weight[p]) continue;
    int64_t size = weight[p] < 0 ? -weight[p] : weight[p];
    if (size != 1) snprintf(factor, sizeof factor, "%lld * ", (long long)size);
    int n = snprintf(term, sizeof term, "%s%s%s", used ? weight[p] < 0 ? " - " : " + " : weight[p] < 0 ? "-" : "", factor, m->type->var_name(m, p));
    if (left || n < 0 || (size_t)n >= sizeof term || used + (size_t)n + END > room) left++;
    else {
      memcpy(out + used, term, (size_t)n);
      used += (size_t)n;
    }
  }
  out[used] = 0;
  if (left) snprintf(out + used, room - used, "%s%zu more term%s", used ? " + ... " : "", left, left == 1 ? "" : "s");
}

int pt_measure_open(struct model_measure **out, const struct model *model, int64_t *weight, int monotone, struct mem *mem) {
  struct measure *m = mem_alloc(mem, MEM_SEARCH, sizeof *m);
  if (!m) {
    mem_free(mem, weight);
    return -1;
  }
  m->base = (struct model_measure){.value = value, .close = close_measure, .monotone = monotone};
  m->mem = mem;
  m->weight = weight;
  m->places = model->vars;
  tell(model, weight, m->base.text, sizeof m->base.text);
  *out = &m->base;
  return 0;
}
