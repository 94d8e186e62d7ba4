/* edge_laws.h -- the laws of model.h for models whose definition tells edges (define_edge), state by state over a whole model:
 *
 *   - the values that the packed state stands for are those of the definition's step that led here, the constants included;
 *   - the k-th successor and its group are those of the definition, for every k, and the definition has no further one;
 *   - the k-th successor alone (step) is the k-th of all, by a cursor that is asked about another k of the same state in between; behind the last
 *     there is none;
 *   - a second cursor that has been elsewhere in between says the same; bits above the last one are zero; unpack undoes pack. */
#ifndef TESTS_EDGE_LAWS_H
#define TESTS_EDGE_LAWS_H

#include "tap.h"

#include "model/model.h"

#include <stdlib.h>

/* ---- a set of states in their portable form ---- */

struct known {
  uint8_t **at; /* length in the first four bytes */
  size_t count, room, *slot, slots;
};

static uint64_t hash(const uint8_t *data, size_t length) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < length; i++) h = (h ^ data[i]) * 1099511628211u;
  return h ^ h >> 31;
}

static size_t length_of(const uint8_t *entry) {
  uint32_t n;
  memcpy(&n, entry, 4);
  return n;
}

static void put(struct known *k, const uint8_t *data, size_t length) {
  if (2 * k->count >= k->slots) {
    k->slots = k->slots ? 2 * k->slots : 1024;
    free(k->slot);
    k->slot = calloc(k->slots, sizeof *k->slot);
    for (size_t i = 0; i < k->count; i++) {
      size_t at = hash(k->at[i] + 4, length_of(k->at[i])) & (k->slots - 1);
      while (k->slot[at]) at = (at + 1) & (k->slots - 1);
      k->slot[at] = i + 1;
    }
  }
  size_t at = hash(data, length) & (k->slots - 1);
  for (; k->slot[at]; at = (at + 1) & (k->slots - 1)) {
    const uint8_t *e = k->at[k->slot[at] - 1];
    if (length_of(e) == length && memcmp(e + 4, data, length) == 0) return;
  }
  if (k->count == k->room) {
    k->room = k->room ? 2 * k->room : 256;
    k->at = realloc(k->at, k->room * sizeof *k->at);
  }
  uint8_t *e = malloc(length + 4);
  uint32_t n = (uint32_t)length;
  memcpy(e, &n, 4);
  memcpy(e + 4, data, length);
  k->at[k->count++] = e;
  k->slot[at] = k->count;
}

/* ---- walking ---- */

struct walk {
  struct model *m;
  struct mem *mem;
  struct model_cursor *cursor, *other;
  struct model_batch batch, again;
  uint32_t *state, *out;
  size_t room;
  int64_t *values, *next;
  uint8_t *packed;
  size_t packed_room;
  struct known known;
  size_t transitions, dead;
};

static int fit(struct walk *w) { /* after the layout has changed */
  w->room = w->m->words + 2;
  w->state = realloc(w->state, w->room * sizeof *w->state);
  w->out = realloc(w->out, w->room * sizeof *w->out);
  w->values = realloc(w->values, (w->m->vars + 1) * sizeof *w->values);
  w->next = realloc(w->next, (w->m->vars + 1) * sizeof *w->next);
  return 0;
}

static int expand(struct walk *w, struct model_cursor *c, struct model_batch *b) {
  const struct model_type *t = w->m->type;
  for (;;) {
    b->count = b->fault_count = 0;
    enum model_answer answer = t->successors(c, w->state, b);
    if (answer == MODEL_OK) return 0;
    struct err e;
    err_clear(&e);
    if (answer != MODEL_WIDEN || t->widen(w->m, c, &e)) return -1;
    uint32_t *wide = calloc(w->m->words + 2, sizeof *wide);
    t->convert(w->m, w->state, wide);
    t->widen_done(w->m, 1);
    fit(w);
    memcpy(w->state, wide, w->m->words * sizeof *wide);
    free(wide);
    if (model_batch_restride(&w->batch, w->m->words) || model_batch_restride(&w->again, w->m->words)) return -1;
  }
}

static int clean_above_bits(const struct model *m, const uint32_t *state) {
  for (uint32_t b = m->bits; b < m->words * 32; b++)
    if (state[b / 32] >> b % 32 & 1) return 0;
  return 1;
}

/* Components begin at ascending bits of the state, the first at 0. */
static int components_ascend(const struct model *m) {
  uint32_t bit[600];
  size_t n = m->type->components(m, bit, 600), few = m->type->components(m, bit, 1);
  if (n != few || !n || bit[0] != 0) return 0;
  m->type->components(m, bit, 600);
  for (size_t i = 1; i < n && i < 600; i++)
    if (bit[i] <= bit[i - 1] || bit[i] >= m->bits) return 0;
  return 1;
}

static void keep(struct walk *w, const uint32_t *state) {
  size_t need = w->m->type->pack(w->m, state, w->packed, w->packed_room);
  if (need > w->packed_room) {
    w->packed = realloc(w->packed, w->packed_room = 2 * need);
    w->m->type->pack(w->m, state, w->packed, w->packed_room);
  }
  put(&w->known, w->packed, need);
}

static char difference[300];

static int same_values(struct walk *w, const uint32_t *state, const int64_t *values) {
  for (uint32_t v = 0; v < w->m->vars; v++) {
    int64_t engine = w->m->type->value(w->m, state, v);
    if (engine == values[v]) continue;
    snprintf(difference, sizeof difference, " (%s is %lld, by the definition %lld)", w->m->type->var_name(w->m, v),
             (long long)engine, (long long)values[v]);
    return 0;
  }
  return 1;
}

/* Does fireable say yes to what makes a successor, and no to the next group that makes none? */
static int fireable_agrees(struct walk *w, uint32_t group) {
  uint32_t none = group;
  for (size_t k = 0; k < w->batch.count; k++)
    if (w->batch.group[k] >= none) none = w->batch.group[k] + 1;
  return w->m->type->fireable(w->other, w->state, group) && !w->m->type->fireable(w->other, w->state, none);
}

/* The definition finds the k-th successor by finding all before it: of thousands some have to do, the first and the last among
 * them. */
static int sampled(size_t k, size_t count) { return count < 600 || k < 60 || k + 5 > count || k % (count / 40) == 0; }

/* Is the k-th successor alone the k-th of all, and afterwards all of them still the same? */
static int step_agrees(struct walk *w, uint32_t k) {
  uint32_t group = 0;
  memset(w->out, 0, w->room * sizeof *w->out);
  if (w->m->type->step(w->other, w->state, k, w->out, &group) != 1) return 0;
  return group == w->batch.group[k] && !memcmp(w->out, w->batch.states + k * w->batch.stride, w->m->words * 4);
}

/* Which law is broken in the i-th state, or NULL. */
static const char *broken(struct walk *w, size_t i) {
  const struct model_type *t = w->m->type;
  memset(w->state, 0, w->room * sizeof *w->state);
  if (t->unpack(w->m, w->known.at[i] + 4, length_of(w->known.at[i]), w->state)) return "a state can be unpacked";
  if (expand(w, w->cursor, &w->batch)) return "successors can be made";
  if (expand(w, w->other, &w->again)) return "successors can be made twice";
  if (w->batch.count != w->again.count) return "successors are a function of the state";
  if (!clean_above_bits(w->m, w->state)) return "bits above the last one are zero";
  if (!components_ascend(w->m)) return "components begin at ascending bits";
  for (uint32_t v = 0; v < w->m->vars; v++) w->values[v] = t->value(w->m, w->state, v);
  if (i == 0) {
    t->define_initial(w->m, w->next);
    if (!same_values(w, w->state, w->next)) return "the initial state is that of the definition";
  }
  w->transitions += w->batch.count;
  w->dead += w->batch.count == 0;
  for (uint32_t k = 0; k <= w->batch.count; k++) {
    uint32_t group = 0;
    if (!sampled(k, w->batch.count)) {
      keep(w, w->batch.states + k * w->batch.stride);
      continue;
    }
    int there = t->define_edge(w->m, w->values, k, &group, w->next, w->mem);
    snprintf(difference, sizeof difference, " (state %zu, successor %u of %zu)", i, (unsigned)k, w->batch.count);
    if (there < 0) return "the definition finds its successors";
    if (there != (k < w->batch.count)) return "there are as many successors as by the definition";
    if (!there) break;
    const uint32_t *s = w->batch.states + k * w->batch.stride;
    if (group != w->batch.group[k]) return "the same transition makes it";
    if (!fireable_agrees(w, group)) return "fireable agrees with the definition";
    if (memcmp(s, w->again.states + k * w->again.stride, w->m->words * 4) != 0) return "two cursors agree";
    if (!step_agrees(w, k) || !step_agrees(w, (uint32_t)w->batch.count - 1 - k)) return "step(k) is the k-th successor";
    if (!clean_above_bits(w->m, s)) return "bits above the last one are zero in successors";
    if (!same_values(w, s, w->next)) return "successors are those of the definition";
    keep(w, s);
  }
  if (t->step(w->other, w->state, (uint32_t)w->batch.count, w->out, &(uint32_t){0}) != 0) return "step beyond the last successor says so";
  if (expand(w, w->other, &w->again) || w->again.count != w->batch.count) return "steps leave the cursor able to expand";
  memset(w->out, 0, w->room * sizeof *w->out);
  size_t size = t->pack(w->m, w->state, w->packed, w->packed_room);
  if (size > w->packed_room) return NULL;
  if (t->unpack(w->m, w->packed, size, w->out) || memcmp(w->out, w->state, w->m->words * 4) != 0) return "unpack undoes pack";
  return NULL;
}

static inline const char *explore(struct walk *w, struct model *m, struct mem *mem, size_t most) {
  *w = (struct walk){.m = m, .mem = mem, .packed_room = 4096, .packed = malloc(4096)};
  fit(w);
  const char *what = m->type->cursor_open(&w->cursor, m, mem) || m->type->cursor_open(&w->other, m, mem) ||
                             model_batch_open(&w->batch, mem, m->words, 4) || model_batch_open(&w->again, mem, m->words, 4)
                         ? "cursors open"
                         : NULL;
  memset(w->state, 0, w->room * sizeof *w->state);
  m->type->initial(m, w->state);
  keep(w, w->state);
  for (size_t i = 0; i < w->known.count && i < most && !what; i++) what = broken(w, i);
  m->type->cursor_close(w->cursor);
  m->type->cursor_close(w->other);
  model_batch_close(&w->batch);
  model_batch_close(&w->again);
  for (size_t i = 0; i < w->known.count; i++) free(w->known.at[i]);
  free(w->known.at);
  free(w->known.slot);
  free(w->state), free(w->out), free(w->values), free(w->next), free(w->packed);
  return what;
}

#endif
