/* pt_view.c -- see pt_view.h.
 *
 * Words are compared by exclusive or, as in fire.c, and only fields that differ are looked at; places that follow from others by flows are kept up to date by what each kept place means for them. */
#include "net/pt_view.h"

#include "base/bits.h"

#include <string.h>

static void change(struct pt_view *v, const struct layout *l, uint32_t p, int64_t by) {
  v->tokens[p] += by;
  for (size_t i = l->dependent_start[p]; i < l->dependent_start[p + 1]; i++) {
    uint32_t q = l->dependent[i].place;
    v->numerator[q] += l->dependent[i].factor * by;
    v->tokens[q] = l->net->initial[q] + v->numerator[q] / l->plan->divisor[q];
  }
}

/* On the initial marking, in another layout. */
static int begin(struct pt_view *v, const struct layout *l) {
  size_t places = (size_t)l->net->places + 1, words = (size_t)l->words64 + 1;
  if (!v->tokens) v->tokens = mem_alloc(v->mem, MEM_SEARCH, places * sizeof *v->tokens);
  if (!v->numerator) v->numerator = mem_alloc(v->mem, MEM_SEARCH, places * sizeof *v->numerator);
  if (words > v->words) {
    uint64_t *more = mem_resize(v->mem, MEM_SEARCH, v->state, words * sizeof *more);
    if (!more) return -1;
    v->state = more;
    v->words = words;
  }
  if (!v->tokens || !v->numerator) return -1;
  memset(v->state, 0, words * sizeof *v->state);
  memset(v->numerator, 0, places * sizeof *v->numerator);
  for (uint32_t p = 0; p < l->net->places; p++) v->tokens[p] = l->net->initial[p];
  for (uint32_t c = 0; c < l->fields; c++) {
    const struct field *f = &l->field[c];
    for (uint32_t i = 0; i < f->count && f->width; i++) {
      uint32_t p = l->plan->member[f->first + i];
      if (l->net->initial[p]) v->state[f->word] |= (f->single ? (uint64_t)l->net->initial[p] : (uint64_t)i + 1) << f->shift;
    }
  }
  v->serial = l->serial;
  return 0;
}

int pt_view_move(struct pt_view *v, const struct layout *l, const uint32_t *state, uint32_t words) {
  if (v->serial != l->serial && begin(v, l)) return -1;
  for (uint32_t w = 0; w < l->words64; w++) {
    uint64_t after = layout_word(state, words, w), before = v->state[w], differ = after ^ before;
    v->state[w] = after;
    while (differ) {
      const struct field *f = &l->field[l->field_of_bit[w * 64 + (unsigned)__builtin_ctzll(differ)]];
      const uint32_t *member = l->plan->member + f->first;
      uint64_t mask = bits_mask(f->width), was = before >> f->shift & mask, is = after >> f->shift & mask;
      differ &= ~(mask << f->shift);
      if (f->single) {
        change(v, l, member[0], (int64_t)is - (int64_t)was);
      } else {
        if (was) change(v, l, member[was - 1], -1);
        if (is) change(v, l, member[is - 1], 1);
      }
    }
  }
  return 0;
}

static void set_field(const struct field *f, uint32_t *state, uint32_t words, uint64_t value) {
  uint64_t x = layout_word(state, words, f->word) & ~(bits_mask(f->width) << f->shift);
  x |= value << f->shift;
  state[2 * f->word] = (uint32_t)x;
  if (2 * f->word + 1 < words) state[2 * f->word + 1] = (uint32_t)(x >> 32);
}

int pt_view_write(const struct pt_view *v, const struct layout *l, uint32_t *state, uint32_t words, const uint32_t *place, uint32_t count, const int64_t *tokens, uint32_t *wide) {
  for (int filling = 0; filling < 2; filling++) /* cells become empty before they are filled again */
    for (uint32_t i = 0; i < count; i++) {
      uint32_t p = place[i], c = l->place_field[p];
      if (tokens[i] == v->tokens[p] || c == PT_NONE) continue;
      const struct field *f = &l->field[c];
      *wide = p;
      if (f->single) {
        if (!filling) continue;
        if (tokens[i] < 0 || (uint64_t)tokens[i] > bits_mask(f->width)) return -1;
        set_field(f, state, words, (uint64_t)tokens[i]);
      } else if (!tokens[i]) {
        if (!filling) set_field(f, state, words, 0);
      } else if (filling) {
        if (tokens[i] != 1 || layout_word(state, words, f->word) >> f->shift & bits_mask(f->width)) return -1;
        set_field(f, state, words, l->place_code[p]);
      }
    }
  return 0;
}

void pt_view_close(struct pt_view *v) {
  mem_free(v->mem, v->state);
  mem_free(v->mem, v->tokens);
  mem_free(v->mem, v->numerator);
}
