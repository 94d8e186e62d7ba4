/* own_model.c -- adapts struct thimble_model: see own_model.h.
 *
 * The adapter trusts nobody.  A successor with bits beyond the declared ones would be stored
 * cut and never be found again; an action beyond the declared ones has no name and no owner;
 * and a function that gives other successors when it is asked again makes every verdict
 * worthless.  Each ends the run with a message instead.  The last is looked for by asking
 * twice, about the first states and then about one in some; some of these are kept, and asked
 * about again on the way and at the end.  Beside that every run that is shown is taken again
 * (search/replay.c), and one that does not come again is the model's error, too (model.h:
 * opaque).
 *
 * Groups are actions.  A model that does not tell how many it has gives them numbers as it
 * likes: then a group is an action that was met, in the order of meeting, and there are more
 * and more of them, as with processes that begin late. */
#include "api/own_model.h"

#include "base/bits.h"
#include "base/hash.h"
#include "model/owners.h"
#include "net/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct thimble_successors {
  struct model_batch *batch;
  int refused;
};

enum { ASKED_TWICE = 1000, THEN_ONE_IN = 32, KEPT = 256 }; /* states */

struct own_model {
  struct model base;
  const struct thimble_model *user;
  uint64_t *all_words;  /* mask of every word: nobody knows what an action touches */
  struct arena arena;   /* names */
  struct names numbers; /* actions that are not told: their bytes -> groups */
  struct names names;   /* of actions that are told: several may have the same */
  uint32_t *called;     /* group -> its name; NULL = none has any */
  uint64_t expanded;
  uint32_t *kept, kept_count; /* states, and what was told of each of them */
  uint64_t kept_sum[KEPT];
  int spoiled;          /* something was answered that is not known: every successor function ends the run from now on */
  char why[200];        /* what the program contradicts itself in; "" = nothing so far */
};

struct own_cursor {
  struct model_cursor base;
  struct model_batch scratch, again; /* for fireable; for asking twice */
};

static const struct own_model *own(const struct model *m) { return (const struct own_model *)m; }
static const struct thimble_model *user_of(const struct model *m) { return own(m)->user; }

uint32_t *thimble_add(struct thimble_successors *out, unsigned action) {
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

static enum model_answer faulty(struct model_cursor *, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum model_answer faulty(struct model_cursor *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(c->fault, sizeof c->fault, format, args);
  va_end(args);
  memcpy(((struct own_model *)(uintptr_t)c->model)->why, c->fault, sizeof c->fault);
  return MODEL_FAULT;
}

static enum model_answer all_successors(struct model_cursor *c, const uint32_t *state, struct model_batch *b) {
  const struct thimble_model *user = user_of(c->model);
  struct thimble_successors out = {.batch = b};
  size_t first = b->count;
  user->successors(user->context, state, &out);
  if (out.refused) {
    b->count = first;
    return MODEL_MEMORY;
  }
  for (size_t i = first; i < b->count; i++) {
    if (user->actions && b->group[i] >= user->actions)
      return faulty(c, "successor %zu is reached by action %u, but the model declares %u actions, which are numbered from 0", i - first, b->group[i], user->actions);
    if (!tidy(c->model, b->states + i * b->stride))
      return faulty(c, "successor %zu (action %u) has bits set beyond the %u that the model declares", i - first, b->group[i], c->model->bits);
  }
  return MODEL_OK;
}

/* What was told of a state, in one number. */
static uint64_t sum_of(const struct model *m, const struct model_batch *b, size_t first) {
  uint64_t sum = b->count - first;
  for (size_t i = first; i < b->count; i++) sum = XXH64(b->states + i * b->stride, m->words * sizeof *b->states, sum * 31 + b->group[i]);
  return sum;
}

static enum model_answer ask_again(struct own_cursor *c, const uint32_t *state, uint64_t sum) {
  c->again.count = 0;
  enum model_answer answer = all_successors(&c->base, state, &c->again);
  if (answer == MODEL_OK && sum_of(c->base.model, &c->again, 0) != sum)
    return faulty(&c->base, "the successor function gave other successors when it was asked about the same state again");
  return answer;
}

/* The state at hand a second time, and one that was kept long before. */
static enum model_answer ask_twice(struct own_cursor *c, const uint32_t *state, uint64_t sum) {
  struct own_model *m = (struct own_model *)(uintptr_t)c->base.model;
  const size_t words = m->base.words;
  enum model_answer answer = ask_again(c, state, sum);
  if (answer != MODEL_OK) return answer;
  if (m->kept_count < KEPT && (m->kept_count < KEPT / 2 || m->expanded % THEN_ONE_IN == 0)) {
    memcpy(m->kept + m->kept_count * words, state, words * sizeof *state);
    m->kept_sum[m->kept_count++] = sum;
  }
  const size_t k = m->expanded / THEN_ONE_IN % m->kept_count;
  return m->expanded % THEN_ONE_IN ? MODEL_OK : ask_again(c, m->kept + k * words, m->kept_sum[k]);
}

/* Actions that are not told become groups. */
static enum model_answer number_actions(const struct model *base, struct model_batch *b, size_t first) {
  struct own_model *m = (struct own_model *)(uintptr_t)base; /* no threads share it (model.h: share) */
  for (size_t i = first; i < b->count; i++) {
    const uint32_t group = names_put(&m->numbers, (const char *)&b->group[i], sizeof b->group[i], &m->arena);
    if (group == NAMES_NONE) return MODEL_MEMORY;
    b->group[i] = group;
  }
  m->base.groups = (uint32_t)m->numbers.list.count;
  return MODEL_OK;
}

static enum model_answer own_successors(struct model_cursor *c, const uint32_t *state, struct model_batch *b) {
  struct own_model *m = (struct own_model *)(uintptr_t)c->model;
  size_t first = b->count;
  if (m->why[0]) {
    memcpy(c->fault, m->why, sizeof c->fault);
    return MODEL_FAULT;
  }
  if (m->spoiled) return MODEL_MEMORY;
  enum model_answer answer = all_successors(c, state, b);
  const int twice = m->expanded < ASKED_TWICE || m->expanded % THEN_ONE_IN == 0;
  m->expanded++;
  if (answer == MODEL_OK && twice) answer = ask_twice((struct own_cursor *)c, state, sum_of(c->model, b, first));
  if (answer == MODEL_OK && !m->user->actions) answer = number_actions(c->model, b, first);
  if (answer == MODEL_MEMORY) b->count = first;
  return answer;
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
  if (model_batch_open(&c->again, mem, m->words, 16)) {
    model_batch_close(&c->scratch);
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
  model_batch_close(&c->again);
  mem_free(base->mem, c);
}

/* Successors for those who cannot hear that there are none to be had. 0, or -1: whatever is answered may be wrong. */
static int look_ahead(struct own_cursor *c, const uint32_t *state) {
  struct own_model *m = (struct own_model *)(uintptr_t)c->base.model;
  c->scratch.count = 0;
  if (own_successors(&c->base, state, &c->scratch) == MODEL_OK) return 0;
  m->spoiled = 1;
  return -1;
}

const char *own_model_fault(struct model *base) {
  struct own_model *m = (struct own_model *)base;
  struct model_cursor *c = NULL;
  if (!m->why[0] && own_cursor_open(&c, base, base->mem) == 0) {
    for (uint32_t k = 0; k < m->kept_count && !m->why[0]; k++) ask_again((struct own_cursor *)c, m->kept + k * base->words, m->kept_sum[k]);
    own_cursor_close(c);
  }
  return m->why[0] ? m->why : NULL;
}

static int own_at_a_loss(const struct model *m) { return own(m)->spoiled; }

/* By name: several actions may have the same. */
static int own_fireable(struct model_cursor *base, const uint32_t *state, uint32_t group) {
  struct own_cursor *c = (struct own_cursor *)base;
  const uint32_t *called = own(base->model)->called;
  if (look_ahead(c, state)) return 0;
  for (size_t i = 0; i < c->scratch.count; i++)
    if (c->scratch.group[i] == group || (called && called[c->scratch.group[i]] == called[group])) return 1;
  return 0;
}

static int own_stuck(struct model_cursor *base, const uint32_t *state) {
  struct own_cursor *c = (struct own_cursor *)base;
  return look_ahead(c, state) == 0 && c->scratch.count == 0;
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

unsigned own_model_action(const struct model *m, uint32_t group) {
  if (m->type->successors != own_successors || user_of(m)->actions || group >= own(m)->numbers.list.count) return group;
  unsigned action;
  memcpy(&action, own(m)->numbers.list.at[group].text, sizeof action);
  return action;
}

/* Names that are told stay: where an action's name is written into the same place each time, two of them would be one. */
static const char *own_group_name(const struct model *m, uint32_t group) {
  const struct thimble_model *user = user_of(m);
  if (own(m)->called) return own(m)->names.list.at[own(m)->called[group]].text;
  const char *name = user->action_name ? user->action_name(user->context, own_model_action(m, group)) : NULL;
  return name ? name : "";
}

static int own_owner(const struct model *m, uint32_t group) {
  const struct thimble_model *user = user_of(m);
  if (!user->is_uncontrollable) return owner_by_name(own_group_name(m, group));
  return user->is_uncontrollable(user->context, own_model_action(m, group)) ? OWNER_UNCONTROLLABLE : OWNER_CONTROLLABLE;
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
  uint32_t found = own(m)->called ? names_find(&own(m)->names, name, length) : NAMES_NONE;
  for (uint32_t g = 0; found != NAMES_NONE && g < m->groups; g++)
    if (own(m)->called[g] == found) return g;
  return -1;
}

/* Nobody but the program knows its steps: what does not come again is its own fault. */
static int own_opaque(const struct model *m, struct place_in_text *at, const char **hint) {
  *at = (struct place_in_text){m->file, 0, 0};
  *hint = "successors, value and is_end must answer the same whenever they are asked about the same state";
  return 1;
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

static void own_close(struct model *base) {
  struct own_model *m = (struct own_model *)base;
  struct mem *mem = base->mem;
  names_close(&m->numbers);
  names_close(&m->names);
  arena_close(&m->arena);
  mem_free(mem, m->called);
  mem_free(mem, m->kept);
  mem_free(mem, m->all_words);
  mem_free(mem, m);
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
    .stuck = own_stuck,
    .at_a_loss = own_at_a_loss,
    .opaque = own_opaque,
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

/* The names of all actions that are told. */
static int name_actions(struct own_model *m) {
  const struct thimble_model *user = m->user;
  if (!user->action_name || !user->actions) return 0;
  m->called = mem_alloc(m->base.mem, MEM_MODEL, (size_t)user->actions * sizeof *m->called);
  for (unsigned a = 0; m->called && a < user->actions; a++) {
    const char *name = user->action_name(user->context, a);
    if (!name) name = "";
    m->called[a] = names_put(&m->names, name, strlen(name), &m->arena);
    if (m->called[a] == NAMES_NONE) return -1;
  }
  return m->called ? 0 : -1;
}

/* 0, -1: memory, 1: with err. */
static int check_initial(const struct model *m, struct err *e) {
  uint32_t *state = mem_alloc(m->mem, MEM_MODEL, model_stride(m->words) * sizeof *state);
  if (!state) return -1;
  own_initial(m, state);
  int bad = !tidy(m, state);
  mem_free(m->mem, state);
  if (bad) err_input(e, (struct place_in_text){m->file, 0, 0}, "the initial state has bits set beyond the %u that the model declares", m->bits);
  return bad;
}

int own_model_open(struct model **out, const struct thimble_model *user, struct mem *mem, struct err *e) {
  if (!user->words || !user->initial || !user->successors) return err_usage(e, "a model needs words, initial and successors");
  if (user->bits > (uint64_t)user->words * 32) return err_usage(e, "%u bits do not fit into %u words", user->bits, user->words);
  if (user->variables && !user->value) return err_usage(e, "a model with variables needs value");
  struct own_model *m = mem_alloc(mem, MEM_MODEL, sizeof *m);
  if (!m) return err_memory(e, "the model");
  arena_open(&m->arena, mem, MEM_MODEL);
  names_open(&m->numbers, mem, MEM_MODEL);
  names_open(&m->names, mem, MEM_MODEL);
  m->user = user;
  m->base = (struct model){.type = &own_type,
                           .mem = mem,
                           .language = "c",
                           .file = user->name ? user->name : "model",
                           .words = user->words,
                           .bits = user->bits ? user->bits : user->words * 32,
                           .groups = user->actions};
  while (user->variables && user->variables[m->base.vars]) m->base.vars++;
  size_t masks = ((size_t)user->words + 63) / 64;
  m->all_words = mem_alloc(mem, MEM_MODEL, masks * sizeof *m->all_words);
  for (uint32_t w = 0; m->all_words && w < user->words; w++) m->all_words[w / 64] |= (uint64_t)1 << w % 64;
  m->kept = mem_alloc(mem, MEM_MODEL, (size_t)KEPT * user->words * sizeof *m->kept);
  int bad = !m->all_words || !m->kept || name_actions(m) ? -1 : check_initial(&m->base, e);
  if (bad) own_close(&m->base);
  else *out = &m->base;
  return bad < 0 ? err_memory(e, "the model") : -bad;
}
