/* own_model.c -- adapts struct thimble_model: see own_model.h.
 *
 * The adapter trusts nobody: a successor with bits beyond the declared ones would be stored
 * cut and never be found again, so it ends the run with a message instead. */
#include "api/own_model.h"

#include "base/bits.h"
#include "model/owners.h"

#include <stdio.h>
#include <string.h>

struct thimble_successors {
  struct model_batch *batch;
  int refused;
};

struct own_model {
  struct model base;
  const struct thimble_model *user;
  uint64_t *all_words; /* mask of every word: nobody knows what an action touches */
};

struct own_cursor {
  struct model_cursor base;
  struct model_batch scratch; /* for fireable */
};

static const struct thimble_model *user_of(const struct model *m) { return ((const struct own_model *)m)->user; }

PUBLIC uint32_t *thimble_add(struct thimble_successors *out, unsigned action) {
  struct model_batch *b = out->batch;
  if (b->count == b->room && model_batch_grow(b, b->room * 2)) {
    out->refused = 1;
    return NULL;
  }
  uint32_t *state = b->states + b->count * b->stride;
  memset(state, 0, b->stride * sizeof *state);
  b->group[b->count++] = action;
  return state;
}

static void own_initial(const struct model *m, uint32_t *state) {
  memset(state, 0, m->words * sizeof *state);
  user_of(m)->initial(user_of(m)->context, state);
}

/* Nothing may stand beyond the bits that count. */
static int tidy(const struct model *m, const uint32_t *state) {
  for (uint32_t w = m->bits / 32; w < m->words; w++) {
    uint32_t allowed = w == m->bits / 32 ? (uint32_t)bits_mask(m->bits % 32) : 0;
    if (state[w] & ~allowed) return 0;
  }
  return 1;
}

static enum model_answer own_successors(struct model_cursor *c, const uint32_t *state, struct model_batch *b) {
  const struct thimble_model *user = user_of(c->model);
  struct thimble_successors out = {.batch = b};
  size_t first = b->count;
  user->successors(user->context, state, &out);
  if (out.refused) {
    b->count = first;
    return MODEL_MEMORY;
  }
  if (c->model->bits == c->model->words * 32) return MODEL_OK;
  for (size_t i = first; i < b->count; i++)
    if (!tidy(c->model, b->states + i * b->stride)) {
      snprintf(c->fault, sizeof c->fault, "successor %zu (action %u) has bits set beyond the %u that the model declares",
               i - first, b->group[i], c->model->bits);
      return MODEL_FAULT;
    }
  return MODEL_OK;
}

static int own_cursor_open(struct model_cursor **out, const struct model *m, struct mem *mem) {
  struct own_cursor *c = mem_alloc(mem, MEM_MODEL, sizeof *c);
  if (!c) return -1;
  c->base.model = m;
  c->base.mem = mem;
  if (model_batch_open(&c->scratch, mem, m->words, 16)) {
    mem_free(mem, c);
    return -1;
  }
  *out = &c->base;
  return 0;
}

static void own_cursor_close(struct model_cursor *base) {
  if (!base) return;
  struct own_cursor *c = (struct own_cursor *)base;
  model_batch_close(&c->scratch);
  mem_free(base->mem, c);
}

static int own_fireable(struct model_cursor *base, const uint32_t *state, uint32_t group) {
  struct own_cursor *c = (struct own_cursor *)base;
  c->scratch.count = 0;
  if (own_successors(base, state, &c->scratch) != MODEL_OK) return 0;
  for (size_t i = 0; i < c->scratch.count; i++)
    if (c->scratch.group[i] == group) return 1;
  return 0;
}

static unsigned own_labels(const struct model *m, const uint32_t *state) {
  const struct thimble_model *user = user_of(m);
  return user->is_end && user->is_end(user->context, state) ? MODEL_END : 0;
}

static int64_t own_value(const struct model *m, const uint32_t *state, uint32_t var) {
  const struct thimble_model *user = user_of(m);
  return user->value ? user->value(user->context, state, var) : 0;
}

static const char *own_var_name(const struct model *m, uint32_t var) { return user_of(m)->variables[var]; }

static const char *own_group_name(const struct model *m, uint32_t group) {
  const struct thimble_model *user = user_of(m);
  const char *name = user->action_name ? user->action_name(user->context, group) : NULL;
  return name ? name : "";
}

static int own_owner(const struct model *m, uint32_t group) {
  const struct thimble_model *user = user_of(m);
  if (!user->is_uncontrollable) return owner_by_name(own_group_name(m, group));
  return user->is_uncontrollable(user->context, group) ? OWNER_UNCONTROLLABLE : OWNER_CONTROLLABLE;
}

static int is_called(const char *text, const char *name, size_t length) {
  return strlen(text) == length && memcmp(text, name, length) == 0;
}

static int64_t own_find_var(const struct model *m, const char *name, size_t length) {
  for (uint32_t v = 0; v < m->vars; v++)
    if (is_called(own_var_name(m, v), name, length)) return v;
  return -1;
}

static int64_t own_find_group(const struct model *m, const char *name, size_t length) {
  for (uint32_t g = 0; g < m->groups; g++)
    if (is_called(own_group_name(m, g), name, length)) return g;
  return -1;
}

static struct model_words own_words(const struct model *m, uint32_t group) {
  (void)group;
  return (struct model_words){((const struct own_model *)m)->all_words, ((size_t)m->words + 63) / 64};
}

/* Portable: the words, low byte first. */
static size_t own_pack(const struct model *m, const uint32_t *state, uint8_t *out, size_t room) {
  size_t size = (size_t)m->words * 4;
  for (size_t i = 0; i < size && i < room; i++) out[i] = (uint8_t)(state[i / 4] >> i % 4 * 8);
  return size;
}

static int own_unpack(const struct model *m, const uint8_t *data, size_t length, uint32_t *state) {
  if (length != (size_t)m->words * 4) return -1;
  memset(state, 0, length);
  for (size_t i = 0; i < length; i++) state[i / 4] |= (uint32_t)data[i] << i % 4 * 8;
  return tidy(m, state) ? 0 : -1;
}

static void own_close(struct model *m) {
  mem_free(m->mem, ((struct own_model *)m)->all_words);
  mem_free(m->mem, m);
}

static const struct model_type own_type = {
    .kind = "model of a C program",
    .close = own_close,
    .cursor_open = own_cursor_open,
    .cursor_close = own_cursor_close,
    .initial = own_initial,
    .successors = own_successors,
    .labels = own_labels,
    .value = own_value,
    .fireable = own_fireable,
    .find_var = own_find_var,
    .find_group = own_find_group,
    .var_name = own_var_name,
    .group_name = own_group_name,
    .owner = own_owner,
    .reads = own_words,
    .writes = own_words,
    .pack = own_pack,
    .unpack = own_unpack,
};

int own_model_open(struct model **out, const struct thimble_model *user, struct mem *mem, struct err *e) {
  if (!user->words || !user->initial || !user->successors) return err_usage(e, "a model needs words, initial and successors");
  if (user->bits > (uint64_t)user->words * 32) return err_usage(e, "%u bits do not fit into %u words", user->bits, user->words);
  if (user->variables && !user->value) return err_usage(e, "a model with variables needs value");
  struct own_model *m = mem_alloc(mem, MEM_MODEL, sizeof *m);
  size_t masks = ((size_t)user->words + 63) / 64;
  if (m) m->all_words = mem_alloc(mem, MEM_MODEL, masks * sizeof *m->all_words);
  if (!m || !m->all_words) {
    mem_free(mem, m);
    return err_memory(e, "the model");
  }
  for (uint32_t w = 0; w < user->words; w++) m->all_words[w / 64] |= (uint64_t)1 << w % 64;
  m->user = user;
  m->base = (struct model){.type = &own_type,
                           .mem = mem,
                           .language = "c",
                           .file = user->name ? user->name : "model",
                           .words = user->words,
                           .bits = user->bits ? user->bits : user->words * 32,
                           .groups = user->actions};
  while (user->variables && user->variables[m->base.vars]) m->base.vars++;
  *out = &m->base;
  return 0;
}
