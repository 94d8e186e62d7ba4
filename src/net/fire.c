/* fire.c -- enabled transitions without testing them.
 *
 * A transition that is not enabled lacks tokens on some place: it waits there, in that
 * place's list, and is looked at again only when that place gains tokens (the watched literals
 * of SAT solvers, applied to Petri nets).  If it then lacks tokens elsewhere it moves to that
 * list; otherwise it becomes enabled.  An enabled one is looked at only when one of its inputs
 * loses tokens.  Transitions end up waiting on places that rarely change, so the cost of a move
 * falls far below the number of transitions that read the changed places.
 *
 * A move compares packed words by exclusive or, so unchanged fields cost nothing; in a
 * breadth-first search neighbours in the queue differ in a few fields.  The enabled set is a bitmap:
 * successors come in the order of the net's transitions whatever was visited before.
 *
 * Tried and dropped: counters of missing inputs per transition (twice the work on nets with
 * hundreds of consumers per place). */
#include "net/fire.h"

#include "base/bits.h"
#include "base/rng.h"
#include "net/lookup.h"

#include <assert.h>
#include <string.h>

/* ---- enabledness -------------------------------------------------------------------- */

/* Lets transition k wait on the first input that lacks tokens, or enables it. */
static inline void place_transition(struct fire *f, uint32_t k) {
  const struct layout *l = f->layout;
  for (uint32_t i = l->need_start[k]; i < l->need_start[k + 1]; i++) {
    uint32_t p = l->need[i].place;
    if (f->tokens[p] < (int64_t)l->need[i].weight) {
      f->watch_next[k] = f->watch_first[p];
      f->watch_first[p] = k;
      return;
    }
  }
  f->enabled[k / 64] |= (uint64_t)1 << k % 64;
  f->enabled_count++;
}

static inline void disable(struct fire *f, uint32_t k, uint32_t p) {
  f->enabled[k / 64] &= ~((uint64_t)1 << k % 64);
  f->enabled_count--;
  f->watch_next[k] = f->watch_first[p];
  f->watch_first[p] = k;
}

/* A place has lost tokens: enabled transitions that need more of them wait there now. */
static inline void after_loss(struct fire *f, uint32_t p) {
  const struct layout *l = f->layout;
  for (uint32_t i = l->user_start[p]; i < l->user_start[p + 1]; i++) {
    uint32_t k = l->user[i].live;
    if (f->enabled[k / 64] >> k % 64 & 1 && f->tokens[p] < (int64_t)l->user[i].weight) disable(f, k, p);
  }
}

/* The same from the other side: all enabled transitions are tested. Cheaper when the places that lost tokens have more
 * users than there are enabled transitions. */
static void after_losses(struct fire *f) {
  const struct layout *l = f->layout;
  for (uint32_t w = 0; w < (l->live + 63) / 64; w++)
    for (uint64_t rest = f->enabled[w]; rest; rest &= rest - 1) {
      uint32_t k = w * 64 + (uint32_t)__builtin_ctzll(rest);
      for (uint32_t i = l->need_start[k]; i < l->need_start[k + 1]; i++)
        if (f->tokens[l->need[i].place] < (int64_t)l->need[i].weight) {
          disable(f, k, l->need[i].place);
          break;
        }
    }
}

/* A place has gained tokens: everything that waits there is placed anew. */
static inline void after_gain(struct fire *f, uint32_t p) {
  uint32_t k = f->watch_first[p];
  f->watch_first[p] = PT_NONE;
  while (k != PT_NONE) {
    uint32_t next = f->watch_next[k];
    place_transition(f, k);
    k = next;
  }
}

/* ---- moving ------------------------------------------------------------------------- */

static inline void touch(struct fire *f, uint32_t p) {
  if (f->is_touched[p]) return;
  f->is_touched[p] = 1;
  f->touched[f->touched_count++] = (struct touched){p, f->tokens[p]};
}

/* A kept place changes, and with it the places that follow from it. */
static inline void change_place(struct fire *f, uint32_t p, int64_t change) {
  const struct layout *l = f->layout;
  touch(f, p);
  f->tokens[p] += change;
  for (size_t i = l->dependent_start[p]; i < l->dependent_start[p + 1]; i++) {
    uint32_t q = l->dependent[i].place;
    touch(f, q);
    int32_t divisor = l->plan->divisor[q];
    if (divisor == 1) {
      f->tokens[q] += l->dependent[i].factor * change;
    } else {
      f->numerator[q] += l->dependent[i].factor * change;
      f->tokens[q] = l->net->initial[q] + f->numerator[q] / divisor;
    }
  }
}

static inline void change_field(struct fire *f, const struct field *field, uint64_t before, uint64_t after) {
  const uint32_t *member = f->layout->plan->member + field->first;
  if (field->single) {
    change_place(f, member[0], (int64_t)after - (int64_t)before);
  } else {
    if (before) change_place(f, member[before - 1], -1);
    if (after) change_place(f, member[after - 1], 1);
  }
}

/* Token counts are final: sets the enabled transitions right. */
static int settle(struct fire *f) {
  const struct layout *l = f->layout;
  uint32_t users = 0; /* of places that lost tokens */
  for (uint32_t i = 0; i < f->touched_count; i++) {
    uint32_t p = f->touched[i].place;
    int64_t change = f->tokens[p] - f->touched[i].before;
    f->total += change;
    if (change < 0) users += l->user_start[p + 1] - l->user_start[p];
  }
  if (users > 16 + 4 * f->enabled_count + l->live / 64) {
    after_losses(f);
  } else {
    for (uint32_t i = 0; i < f->touched_count; i++)
      if (f->tokens[f->touched[i].place] < f->touched[i].before) after_loss(f, f->touched[i].place);
  }
  for (uint32_t i = 0; i < f->touched_count; i++) {
    uint32_t p = f->touched[i].place;
    int64_t now = f->tokens[p];
    f->is_touched[p] = 0;
    if (now <= f->touched[i].before) continue;
    if (now > (int64_t)f->peak_place) {
      if (now > PT_MAX_COUNT) f->overflow = 1;
      else f->peak_place = (uint32_t)now;
    }
    after_gain(f, p);
  }
  f->touched_count = 0;
  if (f->total > 0 && (uint64_t)f->total > f->peak_marking) f->peak_marking = (uint64_t)f->total;
  return f->overflow ? -1 : 0;
}

int fire_move(struct fire *f, const uint32_t *state, uint32_t words) {
  const struct layout *l = f->layout;
  if (f->tables) {
    for (uint32_t w = 0; w < l->words64; w++) f->state[w] = layout_word(state, words, w);
    f->enabled_count = lookup_enabled(l->lookup, f->state, f->enabled);
    lookup_peaks(l->lookup, f->state, &f->peak_place, &f->peak_marking);
    return 0;
  }
  for (uint32_t w = 0; w < l->words64; w++) {
    uint64_t after = layout_word(state, words, w), before = f->state[w], differ = after ^ before;
    f->state[w] = after;
    while (differ) {
      const struct field *field = &l->field[l->field_of_bit[w * 64 + (unsigned)__builtin_ctzll(differ)]];
      uint64_t mask = bits_mask(field->width);
      assert(differ >> field->shift & mask); /* no state of another layout */
      differ &= ~(mask << field->shift);
      change_field(f, field, before >> field->shift & mask, after >> field->shift & mask);
    }
  }
  return f->touched_count ? settle(f) : f->overflow ? -1 : 0;
}

/* ---- firing ------------------------------------------------------------------------- */

/* Does everything fit that transition k would add? Remembers what does not. */
static int fits(struct fire *f, uint32_t k) {
  const struct layout *l = f->layout;
  for (uint32_t i = l->check_start[k]; i < l->check_start[k + 1]; i++) {
    const struct check *c = &l->check[i];
    const struct field *field = &l->field[c->field];
    int64_t now = (int64_t)(f->state[field->word] >> field->shift & bits_mask(field->width));
    if (c->place == PT_NONE) now = now != 0; /* a cell: marked or not */
    if (now + c->change <= c->most) continue;
    f->wide_place = c->place;
    f->wide_field = c->field;
    f->wide_value = now + c->change;
    return 0;
  }
  return 1;
}

enum model_answer fire_all(struct fire *f, struct model_batch *b) {
  const struct layout *l = f->layout;
  if (b->count + f->enabled_count > b->room && model_batch_grow(b, (b->count + f->enabled_count) * 3 / 2)) return MODEL_MEMORY;
  size_t kept = b->count, at = kept, stride = b->stride;
  for (uint32_t w = 0; w < (l->live + 63) / 64; w++) {
    for (uint64_t rest = f->enabled[w]; rest; rest &= rest - 1) {
      uint32_t k = w * 64 + (uint32_t)__builtin_ctzll(rest);
      if (l->check_start[k] != l->check_start[k + 1] && !fits(f, k)) {
        b->count = kept;
        return MODEL_WIDEN;
      }
      uint64_t *out = (uint64_t *)(void *)(b->states + at * stride);
      if (l->words64 == 1) {
        out[0] = f->state[0];
      } else {
        memcpy(out, f->state, (size_t)l->words64 * 8);
      }
      for (uint32_t i = l->add_start[k]; i < l->add_start[k + 1]; i++) out[l->add[i].word] += l->add[i].amount;
      b->group[at++] = l->transition[k];
    }
  }
  b->count = at;
  return MODEL_OK;
}

/* ---- walking ------------------------------------------------------------------------ */

enum { WALK_LENGTH = 4096 };

/* The n-th enabled transition. */
static uint32_t enabled_at(const struct fire *f, uint64_t n) {
  uint32_t w = 0;
  for (; n >= (uint64_t)__builtin_popcountll(f->enabled[w]); w++) n -= (uint64_t)__builtin_popcountll(f->enabled[w]);
  uint64_t rest = f->enabled[w];
  while (n--) rest &= rest - 1;
  return w * 64 + (uint32_t)__builtin_ctzll(rest);
}

int fire_walk(struct fire *f, uint64_t steps, uint32_t *peak) {
  const struct layout *l = f->layout;
  struct rng rng = {steps};
  const uint64_t restart = 1 + (l->net->places + l->live) / 64; /* costs as much as so many steps */
  for (uint64_t i = 0, length = 0; i < steps; i++, length++) {
    if (!f->enabled_count || f->overflow || length == WALK_LENGTH) {
      struct fire fresh;
      if (fire_open_watching(&fresh, l, f->mem)) return -1;
      fire_close(f);
      *f = fresh;
      if (!f->enabled_count) return 0;
      i += restart;
      length = 0;
    }
    uint32_t place, k = enabled_at(f, rng_below(&rng, f->enabled_count));
    int64_t change;
    for (struct pt_effects it = pt_effects(l->net, l->transition[k]); pt_effect(&it, &place, &change);) {
      touch(f, place);
      f->tokens[place] += change;
      if (f->tokens[place] > (int64_t)peak[place])
        peak[place] = f->tokens[place] > PT_MAX_COUNT ? PT_MAX_COUNT : (uint32_t)f->tokens[place];
    }
    settle(f);
  }
  return 0;
}

/* ---- life --------------------------------------------------------------------------- */

/* Its packed form, and the peaks of the initial marking. */
static void stand_on_initial(struct fire *f) {
  const struct layout *l = f->layout;
  const uint32_t *initial = l->net->initial;
  for (uint32_t p = 0; p < l->net->places; p++) {
    f->total += initial[p];
    if (initial[p] > f->peak_place) f->peak_place = initial[p];
  }
  f->peak_marking = (uint64_t)f->total;
  for (uint32_t c = 0; c < l->fields; c++) {
    const struct field *field = &l->field[c];
    const uint32_t *member = l->plan->member + field->first;
    for (uint32_t i = 0; i < field->count; i++)
      if (initial[member[i]]) f->state[field->word] |= (uint64_t)(field->single ? initial[member[i]] : i + 1) << field->shift;
  }
}

int fire_open(struct fire *f, const struct layout *l, struct mem *mem) {
  if (!l->lookup) return fire_open_watching(f, l, mem);
  *f = (struct fire){.mem = mem, .layout = l, .serial = l->serial, .tables = 1, .wide_place = PT_NONE, .wide_field = PT_NONE};
  f->state = mem_alloc(mem, MEM_MODEL, (l->words64 + 1) * sizeof *f->state);
  f->enabled = mem_alloc(mem, MEM_MODEL, (l->live / 64 + 1) * sizeof *f->enabled);
  if (!f->state || !f->enabled) {
    fire_close(f);
    return -1;
  }
  stand_on_initial(f);
  f->enabled_count = lookup_enabled(l->lookup, f->state, f->enabled);
  return 0;
}

int fire_open_watching(struct fire *f, const struct layout *l, struct mem *mem) {
  const struct pt_net *n = l->net;
  *f = (struct fire){.mem = mem, .layout = l, .serial = l->serial, .wide_place = PT_NONE, .wide_field = PT_NONE};
  size_t places = (size_t)n->places + 1, live = (size_t)l->live + 1;
  f->state = mem_alloc(mem, MEM_MODEL, (l->words64 + 1) * sizeof *f->state);
  f->tokens = mem_alloc(mem, MEM_MODEL, places * sizeof *f->tokens);
  f->numerator = mem_alloc(mem, MEM_MODEL, places * sizeof *f->numerator);
  f->enabled = mem_alloc(mem, MEM_MODEL, (live / 64 + 1) * sizeof *f->enabled);
  f->watch_first = mem_alloc(mem, MEM_MODEL, places * sizeof *f->watch_first);
  f->watch_next = mem_alloc(mem, MEM_MODEL, live * sizeof *f->watch_next);
  f->touched = mem_alloc(mem, MEM_MODEL, places * sizeof *f->touched);
  f->is_touched = mem_alloc(mem, MEM_MODEL, places);
  if (!f->state || !f->tokens || !f->numerator || !f->enabled || !f->watch_first || !f->watch_next || !f->touched ||
      !f->is_touched) {
    fire_close(f);
    return -1;
  }
  memset(f->watch_first, 0xff, places * sizeof *f->watch_first);
  for (uint32_t p = 0; p < n->places; p++) f->tokens[p] = n->initial[p];
  stand_on_initial(f);
  for (uint32_t k = 0; k < l->live; k++) place_transition(f, k);
  return 0;
}

void fire_close(struct fire *f) {
  if (!f->mem) return;
  mem_free(f->mem, f->state);
  mem_free(f->mem, f->tokens);
  mem_free(f->mem, f->numerator);
  mem_free(f->mem, f->enabled);
  mem_free(f->mem, f->watch_first);
  mem_free(f->mem, f->watch_next);
  mem_free(f->mem, f->touched);
  mem_free(f->mem, f->is_touched);
  *f = (struct fire){0};
}
