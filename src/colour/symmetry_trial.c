/* symmetry_trial.c -- what an inscription tells from each other, by trying it.
 *
 * Where the text of an arc or of a guard names values, or does with them what it should not (ml/alike.h), it may treat them all alike nevertheless: `1`(x, red) ++ 1`(x, green) ++ 1`(x, blue)`, or a list of all values that is put in
 * order again.  If all of its variables have few values it is evaluated for each of their combinations; values a and b of a sort are alike to it if exchanging them in the variables exchanges them in the result, always.  Being alike
 * is an equivalence: the exchanges of which this is so make a group. */
#include "colour/symmetry_sorts.h"

#include <string.h>

enum { COMBINATIONS_MOST = 1024, VARIABLES_MOST = 8, WORK_MOST = 1000000 /* exchanges of values */, STEPS_MOST = 20000 /* of one evaluation */ }; /* not by the clock: all who ask must hear the same */

struct trial {
  struct net *net;
  const struct colour_trial *what;
  const struct colour_sort *sort;
  struct mem *mem;
  uint32_t variables, local[VARIABLES_MOST];
  struct vec(uint32_t) values[VARIABLES_MOST]; /* numbers */
  uint32_t *swapped[VARIABLES_MOST];           /* index of what the value becomes */
  size_t combinations;
  struct vec(uint32_t) words;  /* of results, one after the other: bags; of conditions their truth */
  struct vec(size_t) start;
  struct vec(uint8_t) fault;   /* it went wrong */
  struct ml_heap *heap;
  bag_words made;
  int64_t a, b; /* indexes that are exchanged */
};

/* ---- exchanging two values ------------------------------------------------------------------------------------------------------ */

ml_value colour_map_value(struct ml_type *type, ml_value v, struct ml_heap *heap, ml_value (*atom)(void *, const struct ml_data *, ml_value), void *context, unsigned depth) {
  enum { DEEPEST = 20000 };
  struct ml_type *t = ml_type_find(type);
  if (depth > DEEPEST) return 0;
  if (t->kind == ML_TYPE_DATA && !inscription_is_list(t)) {
    ml_value other = atom(context, t->data, v);
    if (other != v || ml_is_int(v) || t->data->index) return other;
    struct ml_block *b = ml_heap_block(heap, ML_BLOCK_CONSTRUCTED, 2);
    struct ml_type *argument = inscription_argument(t, (uint32_t)ml_to_int(ml_block(v)->field[0]));
    if (!b || !argument) return 0;
    b->field[0] = ml_block(v)->field[0];
    b->field[1] = colour_map_value(argument, ml_block(v)->field[1], heap, atom, context, depth + 1);
    return b->field[1] ? (ml_value)(uintptr_t)b : 0;
  }
  if (ml_is_int(v)) return v;
  if (t->kind == ML_TYPE_DATA) {
    ml_value first = 0, *where = &first;
    for (; !ml_is_int(v); v = ml_block(v)->field[1]) {
      struct ml_block *b = ml_heap_block(heap, ML_BLOCK_CELL, 2);
      ml_value head = b ? colour_map_value(t->part[0], ml_block(v)->field[0], heap, atom, context, depth + 1) : 0;
      if (!head) return 0;
      b->field[0] = head;
      *where = (ml_value)(uintptr_t)b;
      where = &b->field[1];
    }
    *where = v;
    return first;
  }
  if (t->kind != ML_TYPE_TUPLE && t->kind != ML_TYPE_RECORD) return v;
  struct ml_block *b = ml_heap_block(heap, ML_BLOCK_TUPLE, t->parts);
  if (!b) return 0;
  for (uint32_t i = 0; i < t->parts; i++)
    if (!(b->field[i] = colour_map_value(t->part[i], ml_block(v)->field[i], heap, atom, context, depth + 1))) return 0;
  return (ml_value)(uintptr_t)b;
}

ml_value colour_named_value(ml_value like, int64_t index, struct ml_heap *heap) {
  if (ml_is_int(like)) return ml_from_int(index);
  struct ml_block *b = ml_heap_block(heap, ML_BLOCK_CONSTRUCTED, 2);
  if (!b) return 0;
  b->field[0] = ml_block(like)->field[0];
  b->field[1] = ml_from_int(index);
  return (ml_value)(uintptr_t)b;
}

static ml_value swap_atom(void *context, const struct ml_data *data, ml_value v) {
  struct trial *t = context;
  if (data != t->sort->data) return v;
  int64_t index = ml_to_int(ml_is_int(v) ? v : ml_block(v)->field[1]);
  return index == t->a ? colour_named_value(v, t->b, t->heap) : index == t->b ? colour_named_value(v, t->a, t->heap) : v;
}

/* The number of the value with a and b exchanged; VALUES_NONE: memory. */
static uint32_t swap_value(struct trial *t, struct ml_type *type, uint32_t value) {
  struct values *values = &t->net->values;
  ml_value made = colour_map_value(type, values_word(values, value), t->heap, swap_atom, t, 0);
  uint32_t number = made ? values_keep(values, made) : VALUES_NONE;
  ml_heap_clear(t->heap);
  return number;
}

/* ---- evaluating ------------------------------------------------------------------------------------------------------------------ */

struct hearing {
  struct trial *t;
  uint32_t variable;
};

static int hear(void *context, ml_value v) {
  struct hearing *h = context;
  uint32_t number = values_keep(&h->t->net->values, v);
  return number == VALUES_NONE || vec_push(&h->t->values[h->variable], h->t->mem, MEM_SEARCH, number) ? -1 : 0;
}

/* 0; 1: they are too many; -1. */
static int list_values(struct trial *t) {
  t->combinations = 1;
  for (uint64_t left = t->what->variables; left; left &= left - 1) {
    uint32_t local = (uint32_t)__builtin_ctzll(left), i = t->variables;
    const struct ml_colset *c = t->what->transition->variable[local]->colset;
    uint64_t size = ml_colset_size(c, COMBINATIONS_MOST);
    if (i == VARIABLES_MOST || !size || (t->combinations *= size) > COMBINATIONS_MOST) return 1;
    t->local[t->variables++] = local;
    if (ml_colset_values(t->net->machine, c, ml_machine_heap(t->net->machine), hear, &(struct hearing){t, i})) return 1;
    ml_machine_clear(t->net->machine);
    if (t->values[i].count != size || !(t->swapped[i] = mem_alloc(t->mem, MEM_SEARCH, (size + 1) * sizeof **t->swapped))) return t->values[i].count != size ? 1 : -1;
  }
  return 0;
}

/* Would it take too long to compare all pairs of values? */
static int too_long(const struct trial *t) {
  uint64_t pairs = (uint64_t)t->sort->values * t->sort->values / 2, each = t->combinations + t->words.count;
  for (uint32_t v = 0; v < t->variables; v++) each += t->values[v].count;
  return pairs * each > WORK_MOST;
}

static int evaluate(struct trial *t) {
  uint32_t env[NET_VARIABLES] = {0};
  for (size_t i = 0; i <= t->combinations; i++) {
    if (vec_push(&t->start, t->mem, MEM_SEARCH, t->words.count)) return -1;
    if (i == t->combinations) break;
    size_t rest = i;
    for (uint32_t v = 0; v < t->variables; v++) {
      env[t->local[v]] = t->values[v].at[rest % t->values[v].count];
      rest /= t->values[v].count;
    }
    ml_value value;
    enum ml_answer answer = net_run(t->net, t->what->transition, t->what->code, env, t->what->variables, 0, &value);
    if (answer == ML_MEMORY || answer == ML_STEPS || vec_push(&t->fault, t->mem, MEM_SEARCH, (uint8_t)(answer != ML_OK))) {
      ml_machine_clear(t->net->machine);
      return answer == ML_STEPS ? 1 : -1;
    }
    int bad = 0;
    if (answer == ML_OK && !t->what->place) bad = vec_push(&t->words, t->mem, MEM_SEARCH, ml_to_int(value) != 0);
    if (answer == ML_OK && t->what->place) {
      bad = bag_from_value(&t->what->place->effects, value, 0, &t->made) || vec_reserve(&t->words, t->mem, MEM_SEARCH, t->made.count + 1);
      if (!bad && t->made.count) memcpy(t->words.at + t->words.count, t->made.at, t->made.count * sizeof *t->made.at);
      if (!bad) t->words.count += t->made.count;
    }
    ml_machine_clear(t->net->machine);
    if (bad) return -1;
  }
  return 0;
}

/* ---- comparing -------------------------------------------------------------------------------------------------------------------- */

/* Where the values of the variables go: 0; 1: a value goes where there is none (a subset); -1. */
static int find_swapped(struct trial *t) {
  for (uint32_t v = 0; v < t->variables; v++) {
    struct ml_type *type = t->what->transition->variable[t->local[v]]->colset->type;
    for (size_t i = 0; i < t->values[v].count; i++) {
      uint32_t other = swap_value(t, type, t->values[v].at[i]), k = 0;
      if (other == VALUES_NONE) return -1;
      if (other == t->values[v].at[i]) k = (uint32_t)i;
      else
        while (k < t->values[v].count && t->values[v].at[k] != other) k++;
      if (k == t->values[v].count) return 1;
      t->swapped[v][i] = k;
    }
  }
  return 0;
}

/* Is the result of one what the exchange makes of the other? 1, 0, -1. */
static int fits(struct trial *t, size_t i, size_t other) {
  if (t->fault.at[i] || t->fault.at[other]) return t->fault.at[i] == t->fault.at[other];
  const uint32_t *x = t->words.at + t->start.at[i], *y = t->words.at + t->start.at[other];
  size_t n = t->start.at[i + 1] - t->start.at[i], m = t->start.at[other + 1] - t->start.at[other];
  if (n != m) return 0;
  if (!t->what->place) return *x == *y;
  const struct bags *bags = &t->what->place->effects;
  t->made.count = 0;
  for (size_t e = 0; e < n; e += 2) {
    uint32_t value = swap_value(t, t->what->place->colset->type, x[e]);
    if (value == VALUES_NONE || bag_add(bags, &t->made, value, x[e + 1], 0)) return -1;
  }
  return t->made.count == m && (!m || memcmp(t->made.at, y, m * sizeof *y) == 0);
}

/* Are the two values alike? 1, 0, -1. */
static int alike(struct trial *t, uint32_t one, uint32_t other) {
  t->a = t->sort->low + one;
  t->b = t->sort->low + other;
  int status = find_swapped(t);
  if (status) return status < 0 ? -1 : 0;
  for (size_t i = 0; i < t->combinations; i++) {
    size_t rest = i, to = 0, scale = 1;
    for (uint32_t v = 0; v < t->variables; v++) {
      to += scale * t->swapped[v][rest % t->values[v].count];
      scale *= t->values[v].count;
      rest /= t->values[v].count;
    }
    int fit = fits(t, i, to);
    if (fit != 1) return fit;
  }
  return 1;
}

int colour_try(const struct colour_trial *what, const struct colour_sort *sort, struct net *net, uint32_t *block, struct mem *mem) {
  struct trial t = {.net = net, .what = what, .sort = sort, .mem = mem};
  int status = net->timed ? 1 : ml_heap_open(&t.heap, mem) ? -1 : list_values(&t);
  if (!status) {
    ml_machine_limit(net->machine, STEPS_MOST);
    status = evaluate(&t);
    ml_machine_limit(net->machine, net->step_limit);
  }
  if (!status) status = too_long(&t);
  for (uint32_t v = 0; v < sort->values && !status; v++) {
    block[v] = v;
    for (uint32_t u = 0; u < v && block[v] == v && !status; u++) {
      if (block[u] != u) continue; /* the first of its block speaks for it */
      int same = alike(&t, u, v);
      if (same < 0) status = -1;
      if (same == 1) block[v] = u;
    }
  }
  for (uint32_t v = 0; v < t.variables; v++) mem_free(mem, t.swapped[v]);
  for (uint32_t v = 0; v < VARIABLES_MOST; v++) vec_free(&t.values[v], mem);
  vec_free(&t.words, mem);
  vec_free(&t.start, mem);
  vec_free(&t.fault, mem);
  vec_free(&t.made, net->mem);
  if (t.heap) ml_heap_close(t.heap);
  return status;
}
