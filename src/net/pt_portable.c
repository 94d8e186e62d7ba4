/* pt_portable.c -- markings and layouts as bytes that another run, or another process, understands.
 *
 * A marking is pairs of (gap to the next marked place, tokens), as numbers of seven bits a byte: nothing in it depends on the layout.  A layout is kept as what it was chosen by (arrange.h), and made again from that. */
#include "net/pt_inside.h"

#include "base/hash.h"

#include <string.h>

static size_t put_number(uint8_t *out, size_t room, size_t at, uint64_t n) {
  do {
    uint8_t byte = (uint8_t)(n & 127) | (n > 127 ? 128 : 0);
    if (at < room) out[at] = byte;
    at++;
    n >>= 7;
  } while (n);
  return at;
}

static size_t get_number(const uint8_t *data, size_t length, size_t at, uint64_t *n) {
  *n = 0;
  for (unsigned shift = 0; at < length && shift < 63; shift += 7) {
    *n |= (uint64_t)(data[at] & 127) << shift;
    if (!(data[at++] & 128)) return at;
  }
  return SIZE_MAX;
}

size_t pt_pack(const struct model *base, const uint32_t *state, uint8_t *out, size_t room) {
  size_t size = 0;
  uint32_t last = 0;
  for (uint32_t p = 0; p < base->vars; p++) {
    int64_t tokens = pt_value(base, state, p);
    if (!tokens) continue;
    size = put_number(out, room, size, p - last);
    size = put_number(out, room, size, (uint64_t)tokens);
    last = p;
  }
  return size;
}

int pt_unpack(const struct model *base, const uint8_t *data, size_t length, uint32_t *state) {
  struct pt_model *m = (struct pt_model *)base;
  memset(m->scratch, 0, base->vars * sizeof *m->scratch);
  uint64_t p = 0, gap, tokens;
  for (size_t i = 0; i < length;) {
    if ((i = get_number(data, length, i, &gap)) == SIZE_MAX || (i = get_number(data, length, i, &tokens)) == SIZE_MAX) return -1;
    p += gap;
    if (p >= base->vars) return -1; /* more tokens than a place may hold can follow from others: whoever expands the marking will say so */
    m->scratch[p] = (int64_t)tokens;
  }
  uint32_t place = 0;
  if (layout_encode(m->layout, m->scratch, state, base->words, &place) == 0) return 0;
  m->misfit = 1;
  m->misfit_place = place;
  m->misfit_value = m->scratch[place];
  return -1;
}

/* The bits of each place, or how it follows from others, decide what words mean. */
uint64_t pt_layout_sign(const struct model *base) {
  const struct layout *l = of(base)->layout;
  uint64_t sign = hash_pair(l->fields, l->bits);
  for (uint32_t f = 0; f < l->fields; f++) sign = hash_pair(sign ^ l->field[f].word, (uint64_t)l->field[f].shift << 32 | (uint64_t)l->field[f].width << 16 | l->field[f].single);
  for (uint32_t p = 0; p < base->vars; p++) {
    enum place_kind kind = l->plan->kind[p];
    int kept = kind == PLACE_CELL || kind == PLACE_SINGLE;
    sign = hash_pair(sign ^ kind, kept ? (uint64_t)l->place_field[p] << 32 | l->place_code[p] : 0);
  }
  return sign;
}

/* | units are used | width of each place ... | */
size_t pt_layout_keep(const struct model *base, uint8_t *out, size_t room) {
  const struct arrangement *how = &of(base)->how;
  uint32_t units = (uint32_t)how->use_units;
  size_t bytes = base->vars * sizeof *how->width, length = sizeof units + bytes;
  if (length > room) return length;
  memcpy(out, &units, sizeof units);
  memcpy(out + sizeof units, how->width, bytes);
  return length;
}

int pt_layout_take(struct model *base, const uint8_t *data, size_t length) {
  struct pt_model *m = (struct pt_model *)base;
  struct layout *l = NULL;
  uint32_t units;
  struct err e;
  err_clear(&e);
  if (length != sizeof units + base->vars * sizeof units) return -1;
  uint32_t *width = mem_alloc(base->mem, MEM_MODEL, length);
  if (!width) return -2;
  memcpy(&units, data, sizeof units);
  memcpy(width, data + sizeof units, length - sizeof units);
  int bad = arrange_again(&m->how, m->layout, units != 0, width, &l, &e);
  mem_free(base->mem, width);
  if (bad) return e.kind == ERR_MEMORY ? -2 : -1;
  uint32_t words = base->words;
  m->old_layout = m->layout;
  pt_adopt(m, l);
  uint32_t *state = mem_alloc(base->mem, MEM_MODEL, (base->words + 2) * sizeof *state);
  for (uint32_t p = 0; p < m->net->places; p++) m->scratch[p] = m->net->initial[p];
  int good = base->words >= words && state && layout_encode(l, m->scratch, state, base->words, NULL) == 0;
  mem_free(base->mem, state);
  pt_widen_done(base, good);
  return good ? 0 : state ? -1 : -2;
}
