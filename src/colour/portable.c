/* portable.c -- markings in full, for disk and network: nothing in them depends on what this run has met so far.
 *
 *   state:   for each place: number of entries, then each entry: count, time (timed places), value
 *            timed nets: the clock
 *   numbers: seven bits per byte, the lowest first, the highest bit says that more follow; signed ones as zigzag
 *   values:  by their type: numbers; strings and lists with their length; parts of tuples; reals as eight bytes; the number of a constructor and its argument
 *
 * Since the type leads the reader, damaged bytes can give another value, but never one of another shape. */
#include "colour/colour_model.h"

#include <string.h>

struct writer {
  uint8_t *at;
  size_t used, room;
};

static void put_byte(struct writer *w, uint8_t byte) {
  if (w->used < w->room) w->at[w->used] = byte;
  w->used++;
}

static void put_number(struct writer *w, uint64_t n) {
  for (; n > 127; n >>= 7) put_byte(w, (uint8_t)(n | 128));
  put_byte(w, (uint8_t)n);
}

static void put_signed(struct writer *w, int64_t n) { put_number(w, (uint64_t)n << 1 ^ (uint64_t)(n >> 63)); }

static void put_value(struct writer *w, struct ml_type *type, ml_value value) {
  const struct ml_block *b = ml_is_int(value) ? NULL : ml_block(value);
  type = ml_type_find(type);
  switch (type->kind) {
  case ML_TYPE_STRING:
    put_number(w, b->size);
    for (uint32_t i = 0; i < b->size; i++) put_byte(w, ((const uint8_t *)b->field)[i]);
    return;
  case ML_TYPE_REAL:
    for (int i = 0; i < 8; i++) put_byte(w, (uint8_t)(b->field[0] >> 8 * i));
    return;
  case ML_TYPE_TUPLE:
  case ML_TYPE_RECORD:
    for (uint32_t i = 0; i < type->parts; i++) put_value(w, type->part[i], b->field[i]);
    return;
  case ML_TYPE_DATA:
    if (inscription_is_list(type)) {
      uint64_t length = 0;
      for (ml_value v = value; !ml_is_int(v); v = ml_block(v)->field[1]) length++;
      put_number(w, length);
      for (ml_value v = value; !ml_is_int(v); v = ml_block(v)->field[1]) put_value(w, type->part[0], ml_block(v)->field[0]);
      return;
    }
    put_number(w, (uint64_t)ml_to_int(b ? b->field[0] : value));
    if (b) put_value(w, inscription_argument(type, (uint32_t)ml_to_int(b->field[0])), b->field[1]);
    return;
  default: put_signed(w, ml_to_int(value));
  }
}

static void put_bag(struct writer *w, const struct colour_model *m, const struct net_place *p, struct bag bag) {
  put_number(w, bag.words / p->markings.each);
  for (size_t e = 0; e < bag.words; e += p->markings.each) {
    put_number(w, bag.at[e + 1]);
    if (p->markings.each == 4) put_signed(w, bag_time(bag.at + e));
    put_value(w, p->colset->type, values_word(&m->net->values, bag.at[e]));
  }
}

size_t colour_pack(const struct model *base, const uint32_t *state, uint8_t *out, size_t room) {
  const struct colour_model *m = colour_of(base);
  struct writer w = {out, 0, room};
  for (uint32_t i = 0; i < m->net->places.count; i++) {
    const struct net_place *p = &m->net->places.at[i];
    put_bag(&w, m, p, bags_at(&p->markings, colour_number(m, state, i)));
  }
  if (m->net->timed) put_signed(&w, colour_value(base, state, colour_clock_field(m)));
  return w.used;
}

/* ---- by the definition: entries are in the order of their values (multisets.h), so that equal markings are equal bytes in every process ------------- */

size_t colour_define_pack(const struct model *base, const int64_t *values, uint8_t *out, size_t room) {
  const struct colour_model *m = colour_of(base);
  struct writer w = {out, 0, room};
  for (uint32_t i = 0; i < m->net->places.count; i++) {
    const struct net_place *p = &m->net->places.at[i];
    put_bag(&w, m, p, bags_at(&p->markings, colour_from_value(&p->markings, values[i])));
  }
  if (m->net->timed) put_signed(&w, values[m->net->places.count]);
  return w.used;
}

/* ---- reading -------------------------------------------------------------------------------------------------------------------------------- */

struct reader {
  const uint8_t *at, *end;
  struct ml_heap *heap;
  struct mem *mem;
  int damaged;
};

static uint64_t get_number(struct reader *r) {
  uint64_t n = 0;
  for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
    uint8_t byte = *r->at++;
    n |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return n;
  }
  r->damaged = 1;
  return 0;
}

static int64_t get_signed(struct reader *r) {
  uint64_t n = get_number(r);
  return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

static ml_value spoiled(struct reader *r) {
  r->damaged = 1;
  return ML_UNIT;
}

static ml_value get_value(struct reader *r, struct ml_type *type);

static ml_value get_list(struct reader *r, struct ml_type *type) {
  uint64_t length = get_number(r);
  ml_value list = ML_NIL;
  struct ml_block *last = NULL;
  if (length > (uint64_t)(r->end - r->at) + 1 && type->parts) return spoiled(r); /* an element has a byte at least, but for unit */
  for (uint64_t i = 0; i < length && !r->damaged; i++) {
    ml_value head = get_value(r, type->part[0]);
    struct ml_block *cell = ml_heap_block(r->heap, ML_BLOCK_CELL, 2);
    if (!cell) return spoiled(r);
    cell->field[0] = head;
    cell->field[1] = ML_NIL;
    if (last) last->field[1] = (ml_value)(uintptr_t)cell;
    else list = (ml_value)(uintptr_t)cell;
    last = cell;
  }
  return list;
}

static ml_value get_built(struct reader *r, struct ml_type *type) {
  uint64_t number = get_number(r);
  if (r->damaged || number >= type->data->constructors) return spoiled(r);
  struct ml_type *argument = inscription_argument(type, (uint32_t)number);
  if (!argument) return ml_from_int((int64_t)number);
  ml_value inner = get_value(r, argument);
  struct ml_block *b = ml_heap_block(r->heap, ML_BLOCK_CONSTRUCTED, 2);
  if (!b) return spoiled(r);
  b->field[0] = ml_from_int((int64_t)number);
  b->field[1] = inner;
  return (ml_value)(uintptr_t)b;
}

static ml_value get_value(struct reader *r, struct ml_type *type) {
  struct ml_block *b;
  type = ml_type_find(type);
  if (r->damaged) return ML_UNIT;
  switch (type->kind) {
  case ML_TYPE_STRING: {
    uint64_t length = get_number(r);
    if (length > (uint64_t)(r->end - r->at) || !(b = ml_heap_string(r->heap, (const char *)r->at, length))) return spoiled(r);
    r->at += length;
    return (ml_value)(uintptr_t)b;
  }
  case ML_TYPE_REAL:
    if (r->end - r->at < 8 || !(b = ml_heap_block(r->heap, ML_BLOCK_REAL, 1))) return spoiled(r);
    b->field[0] = 0;
    for (int i = 0; i < 8; i++) b->field[0] |= (uint64_t)*r->at++ << 8 * i;
    return (ml_value)(uintptr_t)b;
  case ML_TYPE_TUPLE:
  case ML_TYPE_RECORD:
    if (!type->parts) return ML_UNIT;
    if (!(b = ml_heap_block(r->heap, ML_BLOCK_TUPLE, type->parts))) return spoiled(r);
    for (uint32_t i = 0; i < type->parts; i++) b->field[i] = get_value(r, type->part[i]);
    return (ml_value)(uintptr_t)b;
  case ML_TYPE_DATA: return inscription_is_list(type) ? get_list(r, type) : get_built(r, type);
  default: return ml_from_int(get_signed(r));
  }
}

/* The marking of one place: its number, or BAGS_NONE. */
static uint32_t get_marking(struct reader *r, struct net *net, struct net_place *p) {
  uint64_t entries = get_number(r);
  net->scratch.count = 0;
  for (uint64_t i = 0; i < entries && !r->damaged; i++) {
    uint64_t count = get_number(r);
    int64_t time = p->markings.each == 4 ? get_signed(r) : 0;
    ml_value value = get_value(r, p->colset->type);
    uint32_t number = r->damaged ? VALUES_NONE : values_keep(&net->values, value);
    if (number == VALUES_NONE || bag_add(&p->markings, &net->scratch, number, count, time)) r->damaged = 1;
  }
  return r->damaged ? BAGS_NONE : bags_put(&p->markings, net->scratch.at, net->scratch.count);
}

int colour_define_unpack(const struct model *base, const uint8_t *data, size_t length, int64_t *values) {
  struct net *net = colour_of(base)->net;
  struct reader r = {.at = data, .end = data + length, .mem = base->mem};
  if (ml_heap_open(&r.heap, base->mem)) return -1;
  for (uint32_t i = 0; i < base->vars && !r.damaged; i++) {
    uint32_t number = i < net->places.count ? get_marking(&r, net, &net->places.at[i]) : 0;
    values[i] = r.damaged ? 0 : i < net->places.count ? colour_to_value(&net->places.at[i].markings, number) : get_signed(&r);
  }
  ml_heap_close(r.heap);
  return r.damaged || r.at != r.end ? -1 : 0;
}

/* The markings of a place's slices from that of the place. 0 or -1. */
static int unpack_slices(struct colour_model *m, uint32_t place, int *narrow) {
  const struct implied_place *p = &m->implied.place[place];
  const struct bags *bags = &m->net->places.at[place].markings;
  for (uint32_t s = 0; s < p->slices; s++) {
    if (implied_part(&m->implied, place, s, bags_at(bags, m->scratch[place]), &m->net->scratch)) return -1;
    uint32_t field = p->slice + s, number = bags_put(&net_field_place(m->net, field)->markings, m->net->scratch.at, m->net->scratch.count);
    if (number == BAGS_NONE) return -1;
    m->scratch[field] = number;
    if (fields_fits(m->layout, field, number)) fields_change(m->layout, m->lane, field, 0, number);
    else *narrow = 1;
  }
  return 0;
}

int colour_unpack(const struct model *base, const uint8_t *data, size_t length, uint32_t *state) {
  struct colour_model *m = (struct colour_model *)base;
  struct reader r = {.at = data, .end = data + length, .mem = base->mem};
  if (ml_heap_open(&r.heap, base->mem)) return -1;
  int narrow = 0; /* it does not fit the layout */
  memset(m->lane, 0, m->layout->lanes * sizeof *m->lane);
  for (uint32_t i = 0; i < base->vars && !r.damaged; i++) {
    uint32_t number = i < m->net->places.count ? get_marking(&r, m->net, &m->net->places.at[i]) : bind_clock(&m->bind, get_signed(&r));
    m->scratch[i] = number;
    if (r.damaged || number == BAGS_NONE) r.damaged = 1;
    if (!r.damaged && colour_is_implied(m, i) && unpack_slices(m, i, &narrow)) r.damaged = 1;
    if (r.damaged || colour_is_implied(m, i)) continue;
    if (!fields_fits(m->layout, i, number)) narrow = 1; /* it is known now, and the next layout has room for it */
    else fields_change(m->layout, m->lane, i, 0, number);
  }
  for (uint32_t i = 0; i < m->net->places.count && !r.damaged; i++) /* a marking that cannot be, or that a binding led to which another process has met: then the place is kept from the next layout on */
    if (implied_has(&m->implied, i) && colour_implied_number(m, i) != m->scratch[i]) implied_breaks(&m->implied, i), narrow = 1;
  ml_heap_close(r.heap);
  if (r.damaged || narrow || r.at != r.end) return -1;
  memcpy(state, m->lane, m->layout->words * sizeof *state);
  return 0;
}
