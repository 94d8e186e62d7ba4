/* explorer.c -- see explorer.h.
 *
 *   states   | 0: bytes, edges | 1 | 2 | ...
 *   bytes    | portable form of 0 | of 1 | ...
 *   edges    | those of the first state that was expanded | of the second | ...
 *   slot     hash table of numbers, at most half full */
#include "explore/explorer.h"

#include "base/hash.h"
#include "explore/play.h"

#include <string.h>

enum { FIRST_SLOTS = 256 };

/* ---- the set of states ---------------------------------------------------------------------------------------------------- */

static size_t slot_of(const struct explorer *x, const uint8_t *bytes, size_t length) {
  size_t at = hash_slot(hash_bytes(bytes, length), x->slots);
  for (; x->slot[at]; at = at + 1 == x->slots ? 0 : at + 1) {
    const struct explorer_state *s = &x->states.at[x->slot[at] - 1];
    if (s->length == length && (!length || memcmp(x->bytes.at + s->first, bytes, length) == 0)) break;
  }
  return at;
}

static int grow_table(struct explorer *x) {
  size_t slots = x->slots ? 2 * x->slots : FIRST_SLOTS;
  uint32_t *table = mem_alloc(x->mem, MEM_STORE, slots * sizeof *table);
  if (!table) return -1;
  mem_free(x->mem, x->slot);
  x->slot = table;
  x->slots = slots;
  for (size_t i = 0; i < x->states.count; i++) {
    const struct explorer_state *s = &x->states.at[i];
    x->slot[slot_of(x, x->bytes.at + s->first, s->length)] = (uint32_t)i + 1;
  }
  return 0;
}

/* The portable form of packed words, in the scratch. Its length, or 0: memory. */
static size_t pack(struct explorer *x, const uint32_t *words) {
  size_t need = x->model->type->pack(x->model, words, x->packed, x->packed_room);
  while (need > x->packed_room) {
    uint8_t *more = mem_resize(x->mem, MEM_OTHER, x->packed, need + need / 2);
    if (!more) return SIZE_MAX;
    x->packed = more;
    x->packed_room = need + need / 2;
    need = x->model->type->pack(x->model, words, x->packed, x->packed_room);
  }
  return need;
}

/* The number of a state, a new one if it was not known. */
static int number(struct explorer *x, const uint32_t *words, uint32_t *out, struct err *e) {
  size_t length = pack(x, words);
  if (length == SIZE_MAX) return err_memory(e, "a state");
  if (2 * (x->states.count + 1) > x->slots && grow_table(x)) return err_memory(e, "the states seen");
  size_t at = slot_of(x, x->packed, length);
  if (x->slot[at]) {
    *out = x->slot[at] - 1;
    return 0;
  }
  if (x->states.count >= EXPLORER_NONE - 1) return err_limit(e, "more states than can have numbers");
  if (vec_reserve(&x->bytes, x->mem, MEM_STORE, length) || vec_reserve(&x->states, x->mem, MEM_STORE, 1)) return err_memory(e, "another state");
  struct explorer_state s = {.first = x->bytes.count, .length = (uint32_t)length};
  const struct model_type *type = x->model->type;
  s.end = type->labels && type->labels(x->model, words) & MODEL_END;
  if (length) memcpy(x->bytes.at + x->bytes.count, x->packed, length); /* a model without variables has states of no bytes */
  x->bytes.count += length;
  x->slot[at] = (uint32_t)x->states.count + 1;
  *out = (uint32_t)x->states.count;
  x->states.at[x->states.count++] = s;
  return 0;
}

/* ---- moving --------------------------------------------------------------------------------------------------------------- */

static int stand_on(struct explorer *x, uint32_t state, struct err *e) {
  if (state >= x->states.count) return err_usage(e, "there is no state %u", (unsigned)state);
  if (x->here == state) return 0;
  if (!x->at.cursor && explorer_wake(x, e)) return -1; /* there was no memory for it before */
  const struct explorer_state *s = &x->states.at[state];
  memset(x->at.state, 0, x->at.room * sizeof *x->at.state);
  x->at.expanded = 0;
  x->here = EXPLORER_NONE;
  if (x->model->type->unpack(x->model, x->bytes.at + s->first, s->length, x->at.state)) return err_memory(e, "a state that was met before"); /* it was packed here, and layouts only become wider: nothing else can be in the way */
  x->here = state;
  return 0;
}

/* Successors of where the stepper stands become known. */
static int expand(struct explorer *x, struct err *e) {
  uint32_t state = x->here;
  struct err why;
  err_clear(&why);
  if (stepper_expand(&x->at, &why)) {
    if (why.kind != ERR_INPUT) {
      *e = why;
      return -1;
    }
    x->states.at[state].broken = x->states.at[state].expanded = 1;
    x->fault = why;
    return 0;
  }
  const struct model_batch *b = &x->at.batch;
  if (x->states.at[state].expanded) { /* whoever goes by what is known of the state goes by the batch, too */
    if (b->count == x->states.at[state].steps) return 0;
    return err_input(e, (struct place_in_text){x->model->file, 0, 0}, "state %u has other steps than before: the model's C remembers what it did", (unsigned)state);
  }
  size_t n = b->count < EXPLORER_FAN ? b->count : EXPLORER_FAN, first = x->edges.count;
  if (b->count >= UINT32_MAX) return err_limit(e, "a state with more successors than can have numbers");
  if (vec_reserve(&x->edges, x->mem, MEM_STORE, n)) return err_memory(e, "the steps of a state");
  for (size_t k = 0; k < n; k++) {
    uint32_t to;
    if (number(x, b->states + k * b->stride, &to, e)) return -1;
    x->edges.at[first + k] = (struct explorer_edge){to, b->group[k]};
  }
  x->edges.count = first + n;
  struct explorer_state *s = &x->states.at[state];
  s->edge = first;
  s->steps = (uint32_t)b->count;
  s->expanded = 1;
  s->faulty = b->fault_count != 0;
  return 0;
}

int explorer_enter(struct explorer *x, uint32_t state, struct err *e) { return stand_on(x, state, e) || expand(x, e) ? -1 : 0; }

int explorer_go(struct explorer *x, uint32_t k, uint32_t *to, struct err *e) {
  if (x->states.at[x->here].broken || k >= x->states.at[x->here].steps) return 0;
  uint32_t target;
  const struct explorer_edge *known = explorer_edge(x, x->here, k);
  if (known) target = known->to;
  else if (number(x, x->at.batch.states + (size_t)k * x->at.batch.stride, &target, e)) return -1;
  if (stepper_take(&x->at, k, NULL, e) != 1) return -1;
  x->here = target;
  *to = target;
  return expand(x, e) ? -1 : 1;
}

int explorer_step(struct explorer *x, uint32_t state, uint32_t k, uint32_t *to, struct err *e) {
  if (explorer_enter(x, state, e)) return -1;
  int answer = explorer_go(x, k, to, e);
  if (answer == 0) return err_usage(e, "state %u has no step %u", (unsigned)state, (unsigned)k);
  return answer < 0 ? -1 : 0;
}

/* ---- life ----------------------------------------------------------------------------------------------------------------- */

void explorer_rest(struct explorer *x) {
  play_rest(x);
  stepper_close(&x->at);
  x->here = EXPLORER_NONE;
}

int explorer_wake(struct explorer *x, struct err *e) {
  x->here = EXPLORER_NONE;
  return stepper_open(&x->at, x->model, x->mem, e) || play_wake(x, e) ? -1 : 0;
}

int explorer_open(struct explorer **out, const struct explorer_setup *setup, struct err *e) {
  struct explorer *x = mem_alloc(setup->mem, MEM_OTHER, sizeof *x);
  uint32_t initial;
  *out = NULL;
  if (!x) return err_memory(e, "the explorer");
  x->setup = *setup;
  if (!(x->setup.seconds > 0)) x->setup.seconds = EXPLORER_SECONDS;
  x->mem = setup->mem;
  x->model = setup->model;
  if (explorer_wake(x, e) || number(x, x->at.state, &initial, e)) {
    explorer_close(x);
    return -1;
  }
  x->here = initial;
  x->states.at[0].drawn = 1;
  x->drawn = 1;
  *out = x;
  return 0;
}

void explorer_close(struct explorer *x) {
  if (!x) return;
  play_end(x);
  stepper_close(&x->at);
  vec_free(&x->states, x->mem);
  vec_free(&x->bytes, x->mem);
  vec_free(&x->edges, x->mem);
  mem_free(x->mem, x->slot);
  mem_free(x->mem, x->packed);
  mem_free(x->mem, x);
}
