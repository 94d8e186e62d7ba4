/* layout.c -- placing fields, coding markings, and the tables for firing: see layout.h. */
#include "net/layout.h"

#include "base/bits.h"
#include "base/vec.h"
#include "net/lookup.h"

#include <string.h>

/* ---- placing ------------------------------------------------------------------------ */

/* First fit: a field goes into the first word with room, so that words fill up and few bits are lost. A field of no bits takes no room, least of all a word of its own, which states would not have. */
static int place_fields(struct layout *l, const uint32_t *width) {
  const struct plan *plan = l->plan;
  struct vec(uint8_t) used = {0}; /* bits used per word */
  size_t first_open = 0;
  for (uint32_t c = 0; c < plan->cells; c++) {
    const struct cell *cell = &plan->cell[c];
    struct field *f = &l->field[c];
    *f = (struct field){.single = cell->single, .first = cell->first, .count = cell->count};
    f->width = (uint8_t)(cell->single ? width[plan->member[cell->first]] : bits_for(cell->count));
    for (uint32_t i = 0; i < cell->count; i++) {
      l->place_field[plan->member[cell->first + i]] = c;
      l->place_code[plan->member[cell->first + i]] = i + 1;
    }
    if (!f->width) continue;
    size_t w = first_open;
    while (w < used.count && used.at[w] + f->width > 64) w++;
    if (w == used.count && vec_push(&used, l->mem, MEM_ANALYSIS, 0)) {
      vec_free(&used, l->mem);
      return -1;
    }
    f->word = (uint32_t)w;
    f->shift = used.at[w];
    used.at[w] = (uint8_t)(used.at[w] + f->width);
    while (first_open < used.count && used.at[first_open] == 64) first_open++;
  }
  l->words64 = used.count ? (uint32_t)used.count : 1;
  l->bits = used.count ? (uint32_t)(used.count - 1) * 64 + used.at[used.count - 1] : 1; /* a state is a word even so */
  vec_free(&used, l->mem);
  l->field_of_bit = mem_alloc(l->mem, MEM_MODEL, (size_t)l->words64 * 64 * sizeof *l->field_of_bit);
  if (!l->field_of_bit) return -1;
  for (uint32_t c = 0; c < l->fields; c++)
    for (unsigned b = 0; b < l->field[c].width; b++) l->field_of_bit[l->field[c].word * 64 + l->field[c].shift + b] = c;
  return 0;
}

/* Turns the formulas of implied places round: for each kept place the implied ones that move with it. */
static int turn_terms(struct layout *l) {
  const struct plan *plan = l->plan;
  uint32_t places = l->net->places;
  size_t total = plan->term_start[places];
  l->dependent_start = mem_alloc(l->mem, MEM_MODEL, (places + 2) * sizeof *l->dependent_start);
  l->dependent = mem_alloc(l->mem, MEM_MODEL, (total + 1) * sizeof *l->dependent);
  if (!l->dependent_start || !l->dependent) return -1;
  for (size_t i = 0; i < total; i++) l->dependent_start[plan->term[i].place + 2]++;
  for (uint32_t p = 0; p < places; p++) l->dependent_start[p + 2] += l->dependent_start[p + 1];
  for (uint32_t p = 0; p < places; p++)
    for (size_t i = plan->term_start[p]; i < plan->term_start[p + 1]; i++)
      l->dependent[l->dependent_start[plan->term[i].place + 1]++] = (struct rank_term){p, plan->term[i].factor};
  return 0;
}

/* ---- tables for firing -------------------------------------------------------------- */

static int list_live(struct layout *l, const uint8_t *dead) {
  uint32_t transitions = l->net->transitions;
  l->live_of = mem_alloc(l->mem, MEM_MODEL, (transitions + 1) * sizeof *l->live_of);
  l->transition = mem_alloc(l->mem, MEM_MODEL, (transitions + 1) * sizeof *l->transition);
  if (!l->live_of || !l->transition) return -1;
  for (uint32_t t = 0; t < transitions; t++) {
    l->live_of[t] = dead[t] ? PT_NONE : l->live;
    if (!dead[t]) l->transition[l->live++] = t;
  }
  return 0;
}

/* Inputs by transition and by place. Constant places always have enough (else the transition were dead). */
static int list_needs(struct layout *l, const uint8_t *constant) {
  const struct pt_net *n = l->net;
  struct vec(struct need) need = {0};
  l->need_start = mem_alloc(l->mem, MEM_MODEL, (l->live + 1) * sizeof *l->need_start);
  l->user_start = mem_alloc(l->mem, MEM_MODEL, (n->places + 2) * sizeof *l->user_start);
  if (!l->need_start || !l->user_start) return -1;
  for (uint32_t k = 0; k < l->live; k++) {
    uint32_t t = l->transition[k];
    for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++) {
      if (constant[n->pre[a].place]) continue;
      if (vec_push(&need, l->mem, MEM_MODEL, (struct need){n->pre[a].place, n->pre[a].weight})) {
        vec_free(&need, l->mem);
        return -1;
      }
      l->user_start[n->pre[a].place + 2]++;
    }
    l->need_start[k + 1] = (uint32_t)need.count;
  }
  l->need = need.at;
  l->user = mem_alloc(l->mem, MEM_MODEL, (need.count + 1) * sizeof *l->user);
  if (!l->user) return -1;
  for (uint32_t p = 0; p < n->places; p++) l->user_start[p + 2] += l->user_start[p + 1];
  for (uint32_t k = 0; k < l->live; k++)
    for (uint32_t i = l->need_start[k]; i < l->need_start[k + 1]; i++)
      l->user[l->user_start[l->need[i].place + 1]++] = (struct user){k, l->need[i].weight};
  return 0;
}

struct change { /* of one field by one transition */
  uint32_t field, place;
  int64_t value, tokens; /* of the field's value; of the tokens in it */
};

struct changes vec(struct change);

/* Adds `change` of a kept place to the row of field changes. */
static int note_change(struct layout *l, struct changes *v, uint32_t place, int64_t change) {
  uint32_t f = l->place_field[place];
  int64_t value = l->field[f].single ? change : change * (int64_t)l->place_code[place];
  for (size_t i = 0; i < v->count; i++)
    if (v->at[i].field == f) {
      v->at[i].value += value;
      v->at[i].tokens += change;
      return 0;
    }
  return vec_push(v, l->mem, MEM_ANALYSIS, (struct change){f, place, value, change});
}

static int list_adds(struct layout *l, const uint32_t *proven) {
  struct changes row = {0};
  struct vec(struct add) add = {0};
  struct vec(struct check) check = {0};
  l->add_start = mem_alloc(l->mem, MEM_MODEL, (l->live + 1) * sizeof *l->add_start);
  l->check_start = mem_alloc(l->mem, MEM_MODEL, (l->live + 1) * sizeof *l->check_start);
  int status = l->add_start && l->check_start ? 0 : -1;
  for (uint32_t k = 0; k < l->live && !status; k++) {
    uint32_t place;
    int64_t change;
    row.count = 0;
    for (struct pt_effects it = pt_effects(l->net, l->transition[k]); !status && pt_effect(&it, &place, &change);)
      if (l->place_field[place] != PT_NONE) status = note_change(l, &row, place, change);
    size_t first = add.count;
    for (size_t i = 0; i < row.count && !status; i++) {
      const struct field *f = &l->field[row.at[i].field];
      uint64_t amount = (uint64_t)row.at[i].value << f->shift;
      size_t at = first;
      while (at < add.count && add.at[at].word != f->word) at++;
      if (at < add.count) add.at[at].amount += amount;
      else status = vec_push(&add, l->mem, MEM_MODEL, (struct add){f->word, amount});
      if (f->single) {
        int64_t most = (int64_t)bits_mask(f->width);
        uint32_t bound = proven[row.at[i].place];
        if (row.at[i].tokens > 0 && (bound == PT_NONE || bound > most))
          status = status ||
                   vec_push(&check, l->mem, MEM_MODEL, (struct check){row.at[i].field, row.at[i].place, row.at[i].tokens, most});
      } else if (l->plan->cell[row.at[i].field].declared && row.at[i].tokens > 0) {
        status = status || vec_push(&check, l->mem, MEM_MODEL, (struct check){row.at[i].field, PT_NONE, row.at[i].tokens, 1});
      }
    }
    if (l->add_start) l->add_start[k + 1] = (uint32_t)add.count;
    if (l->check_start) l->check_start[k + 1] = (uint32_t)check.count;
  }
  vec_free(&row, l->mem);
  l->add = add.at;
  l->check = check.at;
  return status ? -1 : 0;
}

int layout_make(struct layout **out, const struct pt_net *n, struct plan *plan, const uint8_t *dead, const uint8_t *constant,
                const uint32_t *width, const uint32_t *proven, struct mem *mem, struct err *e) {
  struct layout *l = mem_alloc(mem, MEM_MODEL, sizeof *l);
  if (!l) return err_memory(e, "the state layout");
  l->mem = mem;
  l->net = n;
  l->plan = plan;
  plan->users++;
  l->fields = plan->cells;
  l->field = mem_alloc(mem, MEM_MODEL, (plan->cells + 1) * sizeof *l->field);
  l->place_field = mem_alloc(mem, MEM_MODEL, (n->places + 1) * sizeof *l->place_field);
  l->place_code = mem_alloc(mem, MEM_MODEL, (n->places + 1) * sizeof *l->place_code);
  if (l->place_field) memset(l->place_field, 0xff, (n->places + 1) * sizeof *l->place_field);
  if (!l->field || !l->place_field || !l->place_code || place_fields(l, width) || turn_terms(l) || list_live(l, dead) ||
      list_needs(l, constant) || list_adds(l, proven) || lookup_make(&l->lookup, l, proven, mem)) {
    layout_close(l);
    return err_memory(e, "the state layout");
  }
  *out = l;
  return 0;
}

void layout_close(struct layout *l) {
  if (!l) return;
  lookup_close(l->lookup);
  plan_close(l->plan);
  mem_free(l->mem, l->field);
  mem_free(l->mem, l->place_field);
  mem_free(l->mem, l->place_code);
  mem_free(l->mem, l->field_of_bit);
  mem_free(l->mem, l->dependent_start);
  mem_free(l->mem, l->dependent);
  mem_free(l->mem, l->transition);
  mem_free(l->mem, l->live_of);
  mem_free(l->mem, l->need_start);
  mem_free(l->mem, l->user_start);
  mem_free(l->mem, l->add_start);
  mem_free(l->mem, l->check_start);
  mem_free(l->mem, l->need);
  mem_free(l->mem, l->user);
  mem_free(l->mem, l->add);
  mem_free(l->mem, l->check);
  mem_free(l->mem, l);
}

/* ---- coding ------------------------------------------------------------------------- */

static uint64_t field_value(const struct field *f, const uint32_t *state, uint32_t words) {
  return f->width ? layout_word(state, words, f->word) >> f->shift & bits_mask(f->width) : 0;
}

/* The value of a place that has bits. */
static int64_t kept_value(const struct layout *l, const uint32_t *state, uint32_t words, uint32_t place) {
  const struct field *f = &l->field[l->place_field[place]];
  uint64_t v = field_value(f, state, words);
  return f->single ? (int64_t)v : v == l->place_code[place];
}

int64_t layout_value(const struct layout *l, const uint32_t *state, uint32_t words, uint32_t place) {
  const struct plan *plan = l->plan;
  switch ((enum place_kind)plan->kind[place]) {
  case PLACE_CONSTANT: break;
  case PLACE_CELL:
  case PLACE_SINGLE: return kept_value(l, state, words, place);
  case PLACE_IMPLIED: {
    int64_t sum = 0;
    for (size_t i = plan->term_start[place]; i < plan->term_start[place + 1]; i++) {
      uint32_t p = plan->term[i].place;
      sum += plan->term[i].factor * (kept_value(l, state, words, p) - (int64_t)l->net->initial[p]);
    }
    return l->net->initial[place] + sum / plan->divisor[place];
  }
  }
  return l->net->initial[place];
}

void layout_decode(const struct layout *l, const uint32_t *state, uint32_t words, int64_t *values) {
  for (uint32_t p = 0; p < l->net->places; p++) values[p] = layout_value(l, state, words, p);
}

int layout_encode(const struct layout *l, const int64_t *values, uint32_t *state, uint32_t words, uint32_t *place) {
  memset(state, 0, (size_t)words * 4);
  for (uint32_t c = 0; c < l->fields; c++) {
    const struct field *f = &l->field[c];
    const uint32_t *member = l->plan->member + f->first;
    uint64_t value = 0;
    for (uint32_t i = 0; i < f->count; i++) {
      int64_t v = values[member[i]];
      int fits = v == 0 || (f->single ? v > 0 && (uint64_t)v <= bits_mask(f->width) : v == 1 && value == 0);
      if (!fits) {
        if (place) *place = member[i];
        return -1;
      }
      if (v) value = f->single ? (uint64_t)v : i + 1;
    }
    uint64_t bits = value << f->shift;
    state[2 * f->word] |= (uint32_t)bits;
    if (2 * f->word + 1 < words) state[2 * f->word + 1] |= (uint32_t)(bits >> 32);
  }
  return 0;
}

void layout_convert(const struct layout *from, const struct layout *to, const uint32_t *old_state, uint32_t *new_state,
                    uint32_t old_words, uint32_t new_words) {
  memset(new_state, 0, (size_t)new_words * 4);
  for (uint32_t c = 0; c < from->fields; c++) {
    const struct field *f = &to->field[c];
    uint64_t bits = field_value(&from->field[c], old_state, old_words) << f->shift;
    new_state[2 * f->word] |= (uint32_t)bits;
    if (2 * f->word + 1 < new_words) new_state[2 * f->word + 1] |= (uint32_t)(bits >> 32);
  }
}
