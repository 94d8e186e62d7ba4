/* product_state.c -- see product.h: a state of the product is one of the model, and in bits behind it the state of the automaton and, above that, how many sets were met.
 *
 * These bits lie within one word.  Where the model's states become wider they move; where a state leaves the product it is the model's own form, with them beside it. */
#include "prop/product_inside.h"

#include "base/hash.h"

void product_set_layout(struct product *p) {
  uint32_t at = p->inner_bits = p->inner->bits;
  if (at % 32 + p->q_bits > 32) at = (at + 31) / 32 * 32;
  p->q_at = at;
  p->base.bits = at + p->q_bits;
  p->base.words = (p->base.bits + 31) / 32;
  if (p->base.words < p->inner->words) p->base.words = p->inner->words;
}

uint32_t product_watcher(const struct model *m, const uint32_t *state) {
  const struct product *p = product_of(m);
  return watcher(p, get_q(p, state, p->q_at));
}

unsigned product_collected(const struct model *m, const uint32_t *state) {
  const struct product *p = product_of(m);
  return get_q(p, state, p->q_at) >> p->watcher_bits;
}

int product_returned(const struct model *without, const uint32_t *a, const struct model *with, const uint32_t *b) {
  const struct product *p = product_of(without), *r = product_of(with);
  if (p->inner_bits != r->inner_bits) return 0; /* the model's states became wider since */
  if (product_watcher(without, a) != product_watcher(with, b)) return 0;
  for (uint32_t w = 0; w < p->inner->words; w++) {
    uint32_t x = a[w], y = b[w];
    if (p->q_bits && w == p->q_at / 32) x &= ~((uint32_t)bits_mask(p->q_bits) << p->q_at % 32);
    if (r->q_bits && w == r->q_at / 32) y &= ~((uint32_t)bits_mask(r->q_bits) << r->q_at % 32);
    if (x != y) return 0;
  }
  return 1;
}

int product_start(struct model *m, const struct model *of, const uint32_t *state) {
  struct product *p = (struct product *)m;
  const struct product *from = product_of(of);
  uint32_t *start = mem_resize(m->mem, MEM_MODEL, p->start, (model_stride(m->words) + 2) * sizeof *start);
  if (!start) return -1;
  p->start = start;
  copy_clean(from, start, state, from->inner->words, from->q_at);
  put_q(p, start, product_watcher(of, state));
  return 0;
}

int product_keep(struct product_state *out, const struct model *m, const uint32_t *state, struct mem *mem) {
  const struct product *p = product_of(m);
  uint32_t *clean = mem_alloc(mem, MEM_MODEL, (model_stride(p->inner->words) + 2) * sizeof *clean);
  *out = (struct product_state){.watcher = product_watcher(m, state)};
  if (!clean) return -1;
  copy_clean(p, clean, state, p->inner->words, p->q_at);
  out->length = p->inner->type->pack(p->inner, clean, NULL, 0);
  out->packed = mem_alloc(mem, MEM_MODEL, out->length + 1);
  if (out->packed) p->inner->type->pack(p->inner, clean, out->packed, out->length);
  mem_free(mem, clean);
  return out->packed ? 0 : -1;
}

int product_put_back(const struct model *m, const struct product_state *s, uint32_t *state) {
  const struct product *p = product_of(m);
  memset(state, 0, m->words * sizeof *state);
  if (p->inner->type->unpack(p->inner, s->packed, s->length, state)) return -1;
  put_q(p, state, s->watcher);
  return 0;
}

void product_forget(struct product_state *s, struct mem *mem) {
  mem_free(mem, s->packed);
  *s = (struct product_state){0};
}

/* The model's form, then q and what was collected in four bytes, the lowest first. */
size_t product_pack(const struct model *m, const uint32_t *state, uint8_t *out, size_t room) {
  const struct product *p = product_of(m);
  uint32_t q = get_q(p, state, p->q_at);
  copy_clean(p, p->clean, state, p->inner->words, p->q_at);
  size_t length = p->inner->type->pack(p->inner, p->clean, out, room < 4 ? 0 : room - 4);
  for (unsigned i = 0; i < 4 && length + 4 <= room; i++) out[length + i] = (uint8_t)(q >> 8 * i);
  return length + 4;
}

int product_unpack(const struct model *m, const uint8_t *data, size_t length, uint32_t *state) {
  const struct product *p = product_of(m);
  uint32_t q = 0;
  if (length < 4) return -1;
  for (unsigned i = 0; i < 4; i++) q |= (uint32_t)data[length - 4 + i] << 8 * i;
  if (q > bits_mask(p->q_bits) || watcher(p, q) > p->setup.automaton->states) return -1;
  memset(state, 0, m->words * sizeof *state);
  if (p->inner->type->unpack(p->inner, data, length - 4, state)) return -1;
  put_q(p, state, q);
  return 0;
}

uint64_t product_layout_sign(const struct model *m) {
  const struct product *p = product_of(m);
  uint64_t sign = p->inner->type->layout_sign ? p->inner->type->layout_sign(p->inner) : 0;
  return !sign ? 0 : hash_pair(sign, (uint64_t)p->q_at << 32 | p->q_bits);
}

unsigned product_labels(const struct model *m, const uint32_t *state) {
  const struct product *p = product_of(m);
  const struct automaton *a = p->setup.automaton;
  uint32_t q = product_watcher(m, state);
  return MODEL_END | (q < a->states && a->kind[q] >= SCC_STRONG ? MODEL_ACCEPT : 0);
}

size_t product_components(const struct model *m, uint32_t *bit, size_t room) {
  const struct product *p = product_of(m);
  size_t n = p->inner->type->components ? p->inner->type->components(p->inner, bit, room) : 0;
  if (!n && room) bit[0] = 0;
  n += !n;
  if (n < room && p->q_bits) bit[n] = p->q_at;
  return n + (p->q_bits != 0);
}

/* Where runs begin in the new layout. */
static int move_start(struct product *p) {
  uint32_t *start = mem_alloc(p->base.mem, MEM_MODEL, (model_stride(p->base.words) + 2) * sizeof *start);
  if (!start) return -1;
  product_convert(p, p->start, start);
  mem_free(p->base.mem, p->start);
  p->start = start;
  return 0;
}

int product_widen(struct model *m, struct model_cursor *c, struct err *e) {
  struct product *p = (struct product *)m;
  p->old_at = p->q_at;
  p->old_words = p->inner->words;
  if (room_for(&p->clean, &p->clean_room, model_stride(p->inner->words) + 2, m->mem)) return err_memory(e, "a wider state");
  if (p->inner->type->widen(p->inner, ((struct product_cursor *)c)->inner, e)) return -1;
  product_set_layout(p);
  m->vars = p->inner->vars;
  if (room_for(&p->clean, &p->clean_room, model_stride(p->inner->words) + 2, m->mem)) return err_memory(e, "a wider state");
  return p->start && move_start(p) ? err_memory(e, "a wider state") : 0;
}

void product_convert(void *model, const uint32_t *old, uint32_t *new) {
  struct product *p = model;
  copy_clean(p, p->clean, old, p->old_words, p->old_at);
  p->inner->type->convert(p->inner, p->clean, new);
  put_q(p, new, get_q(p, old, p->old_at));
}

void product_widen_done(struct model *m, int keep) {
  struct product *p = (struct product *)m;
  p->inner->type->widen_done(p->inner, keep);
  product_set_layout(p);
  m->vars = p->inner->vars;
}
