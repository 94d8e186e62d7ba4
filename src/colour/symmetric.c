/* symmetric.c -- see symmetric.h.  Terms are as deep as the file's elements are nested, which its reader bounds; so walking them may recurse. */
#include "colour/symmetric.h"

#include <stdio.h>
#include <string.h>

int symmetric_open(struct symmetric **out, struct mem *mem, const char *file, struct err *e) {
  struct symmetric *n = *out = mem_alloc(mem, MEM_MODEL, sizeof *n);
  if (!n) return err_memory(e, "the net");
  n->mem = mem;
  n->file = file;
  n->name = "";
  arena_open(&n->arena, mem, MEM_MODEL);
  return 0;
}

void symmetric_close(struct symmetric *n) {
  if (!n) return;
  vec_free(&n->variables, n->mem);
  vec_free(&n->places, n->mem);
  vec_free(&n->transitions, n->mem);
  vec_free(&n->arcs, n->mem);
  arena_close(&n->arena);
  mem_free(n->mem, n);
}

int symmetric_same_sort(const struct symmetric_sort *a, const struct symmetric_sort *b) {
  if (a == b) return 1;
  if (a->kind != b->kind || a->size != b->size || a->cyclic != b->cyclic || a->low != b->low || a->parts != b->parts) return 0;
  for (uint32_t i = 0; i < a->parts; i++)
    if (!symmetric_same_sort(a->part[i], b->part[i])) return 0;
  for (uint64_t i = 0; a->kind == SYMMETRIC_ENUMERATION && i < a->size; i++)
    if (strcmp(a->constant[i], b->constant[i]) != 0) return 0;
  return 1;
}

uint64_t symmetric_colour(const struct symmetric_term *t, const uint64_t *binding) {
  switch (t->kind) {
  case SYMMETRIC_COLOUR: return t->value;
  case SYMMETRIC_VARIABLE: return binding[t->value];
  case SYMMETRIC_TUPLE: {
    uint64_t colour = 0;
    for (uint32_t i = 0; i < t->parts; i++) {
      uint64_t digit = symmetric_colour(t->part[i], binding);
      if (digit == SYMMETRIC_NONE) return SYMMETRIC_NONE;
      colour = colour * t->sort->part[i]->size + digit;
    }
    return colour;
  }
  default: break;
  }
  uint64_t x = symmetric_colour(t->part[0], binding);
  if (x == SYMMETRIC_NONE) return SYMMETRIC_NONE;
  if (t->kind == SYMMETRIC_SUCCESSOR) return x + 1 == t->sort->size ? 0 : x + 1;
  if (t->kind == SYMMETRIC_PREDECESSOR) return x ? x - 1 : t->sort->size - 1;
  return t->map[x];
}

/* Chains end as soon as the answer is certain, whatever is not known. */
static int chain(const struct symmetric_term *t, const uint64_t *binding, int decides) {
  int unknown = 0;
  for (uint32_t i = 0; i < t->parts; i++) {
    int x = symmetric_condition(t->part[i], binding);
    if (x == decides) return decides;
    unknown |= x < 0;
  }
  return unknown ? -1 : !decides;
}

int symmetric_condition(const struct symmetric_term *t, const uint64_t *binding) {
  switch (t->kind) {
  case SYMMETRIC_TRUTH: return t->value != 0;
  case SYMMETRIC_AND: return chain(t, binding, 0);
  case SYMMETRIC_OR: return chain(t, binding, 1);
  case SYMMETRIC_NOT: {
    int x = symmetric_condition(t->part[0], binding);
    return x < 0 ? -1 : !x;
  }
  case SYMMETRIC_IMPLIES: {
    int a = symmetric_condition(t->part[0], binding), b = symmetric_condition(t->part[1], binding);
    if (a == 0 || b == 1) return 1;
    return a < 0 || b < 0 ? -1 : 0;
  }
  default: break;
  }
  uint64_t a = symmetric_colour(t->part[0], binding), b = symmetric_colour(t->part[1], binding);
  if (a == SYMMETRIC_NONE || b == SYMMETRIC_NONE) return -1;
  switch (t->kind) {
  case SYMMETRIC_EQUAL: return a == b;
  case SYMMETRIC_UNEQUAL: return a != b;
  case SYMMETRIC_LESS: return a < b;
  case SYMMETRIC_AT_MOST: return a <= b;
  case SYMMETRIC_GREATER: return a > b;
  default: return a >= b;
  }
}

/* ---- multisets --------------------------------------------------------------------------------------------------------------- */

struct scaled { /* passes on so many of each */
  symmetric_hear *hear;
  void *context;
  int64_t times;
};

static int hear_scaled(void *context, uint64_t colour, int64_t count) {
  const struct scaled *s = context;
  int64_t all;
  if (__builtin_mul_overflow(count, s->times, &all)) all = INT64_MAX;
  return s->hear(s->context, colour, all);
}

struct choices { /* a tuple, chosen up to a part */
  const struct symmetric_term *term;
  const uint64_t *binding;
  uint32_t at;
  uint64_t colour;
  int64_t times;
  symmetric_hear *hear;
  void *context;
};

static int choose(void *context, uint64_t digit, int64_t count) {
  struct choices next = *(const struct choices *)context;
  next.colour = next.colour * next.term->sort->part[next.at]->size + digit;
  if (__builtin_mul_overflow(next.times, count, &next.times)) next.times = INT64_MAX;
  if (++next.at == next.term->parts) return next.hear(next.context, next.colour, next.times);
  return symmetric_multiset(next.term->part[next.at], next.binding, choose, &next);
}

int symmetric_multiset(const struct symmetric_term *t, const uint64_t *binding, symmetric_hear *hear, void *context) {
  int status = 0;
  switch (t->kind) {
  case SYMMETRIC_ALL:
    for (uint64_t c = 0; c < t->sort->size && !status; c++) status = hear(context, c, 1);
    return status;
  case SYMMETRIC_TIMES: return symmetric_multiset(t->part[0], binding, hear_scaled, &(struct scaled){hear, context, (int64_t)t->value});
  case SYMMETRIC_SUM:
    for (uint32_t i = 0; i < t->parts && !status; i++) status = symmetric_multiset(t->part[i], binding, hear, context);
    return status;
  case SYMMETRIC_DIFFERENCE:
    status = symmetric_multiset(t->part[0], binding, hear, context);
    return status ? status : symmetric_multiset(t->part[1], binding, hear_scaled, &(struct scaled){hear, context, -1});
  case SYMMETRIC_CHOICES: {
    struct choices first = {.term = t, .binding = binding, .times = 1, .hear = hear, .context = context};
    return symmetric_multiset(t->part[0], binding, choose, &first);
  }
  default: return hear(context, symmetric_colour(t, binding), 1);
  }
}

/* ---- binding ------------------------------------------------------------------------------------------------------------------- */

int symmetric_match(const struct symmetric_term *t, uint64_t colour, uint64_t *binding, uint32_t *trail, uint32_t *trailed) {
  switch (t->kind) {
  case SYMMETRIC_COLOUR: return t->value == colour;
  case SYMMETRIC_VARIABLE:
    if (binding[t->value] != SYMMETRIC_NONE) return binding[t->value] == colour;
    binding[t->value] = colour;
    trail[(*trailed)++] = (uint32_t)t->value;
    return 1;
  case SYMMETRIC_TUPLE: {
    int fits = 1;
    for (uint32_t i = t->parts; i-- > 0 && fits;) {
      uint64_t size = t->sort->part[i]->size;
      fits = symmetric_match(t->part[i], colour % size, binding, trail, trailed);
      colour /= size;
    }
    return fits;
  }
  case SYMMETRIC_SUCCESSOR: return symmetric_match(t->part[0], colour ? colour - 1 : t->sort->size - 1, binding, trail, trailed);
  case SYMMETRIC_PREDECESSOR: return symmetric_match(t->part[0], colour + 1 == t->sort->size ? 0 : colour + 1, binding, trail, trailed);
  default: return 1;
  }
}

/* ---- for people ------------------------------------------------------------------------------------------------------------------ */

size_t symmetric_print(const struct symmetric_sort *s, uint64_t colour, const char *between, char *out, size_t room) {
  switch (s->kind) {
  case SYMMETRIC_DOT: return (size_t)snprintf(out, room, "dot");
  case SYMMETRIC_ENUMERATION: return (size_t)snprintf(out, room, "%s", s->constant[colour]);
  case SYMMETRIC_RANGE: return (size_t)snprintf(out, room, "%lld", (long long)(s->low + (int64_t)colour));
  case SYMMETRIC_PRODUCT: break;
  }
  uint64_t below = s->size;
  size_t length = 0;
  for (uint32_t i = 0; i < s->parts; i++) {
    below /= s->part[i]->size;
    if (i) length += (size_t)snprintf(length < room ? out + length : NULL, length < room ? room - length : 0, "%s", between);
    length += symmetric_print(s->part[i], colour / below, between, length < room ? out + length : NULL, length < room ? room - length : 0);
    colour %= below;
  }
  return length;
}
