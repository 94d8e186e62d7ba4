/* unit.c -- words, registers and names of a function while it is compiled.
 *
 * Registers are a stack: what an expression needs is taken from the top and given back when it is done, names of patterns keep
 * theirs until their scope ends (the caller puts `next` and the count of bindings back).
 *
 * A name that is not bound here belongs to a function around this one.  Looking it up notes it as captured, in every
 * function on the way; whoever makes the closure then looks up the same name one level further out.  A function that captures
 * nothing is a constant, and so is a let function of which all names are known: nobody need capture it. */
#include "ml/unit.h"

#include <string.h>

enum { MOST_REGISTERS = 60000 };

void ml_unit_open(struct ml_unit *u, struct ml_back *back, struct ml_unit *outer, struct ml_function *f, struct err *err) {
  memset(u, 0, sizeof *u);
  u->back = back;
  u->outer = outer;
  u->function = f;
  u->err = err;
  u->fold = outer ? outer->fold : 1;
}

static void out_of_memory(struct ml_unit *u) {
  if (!u->failed) err_memory(u->err, "compiled inscriptions");
  u->failed = 1;
}

void ml_unit_limit(struct ml_unit *u, const char *what) {
  if (!u->failed) err_limit(u->err, "%s", what);
  u->failed = 1;
}

uint16_t ml_unit_short(struct ml_unit *u, int64_t number) {
  if (number > UINT16_MAX) ml_unit_limit(u, "a constructor, exception or part of a tuple beyond number 65535");
  return (uint16_t)number;
}

static void *keep(struct ml_unit *u, const void *from, size_t bytes) {
  void *copy = arena_alloc(&u->back->arena, bytes ? bytes : 1);
  if (!copy) out_of_memory(u);
  else if (bytes) memcpy(copy, from, bytes);
  return copy;
}

int ml_unit_close(struct ml_unit *u) {
  struct ml_function *f = u->function;
  struct mem *mem = u->back->mem;
  if (!u->failed) {
    f->registers = u->most + 1;
    f->captured = (uint32_t)u->captures.count;
    f->constant = keep(u, u->constants.at, u->constants.count * sizeof *u->constants.at);
    f->site = keep(u, u->sites.at, u->sites.count * sizeof *u->sites.at);
    f->function = keep(u, u->functions.at, u->functions.count * sizeof *u->functions.at);
    f->code = keep(u, u->words.at, u->words.count * sizeof *u->words.at);
  }
  vec_free(&u->words, mem);
  vec_free(&u->constants, mem);
  vec_free(&u->sites, mem);
  vec_free(&u->functions, mem);
  vec_free(&u->bindings, mem);
  vec_free(&u->captures, mem);
  if (u->failed && u->outer) u->outer->failed = 1;
  return u->failed ? -1 : 0;
}

uint16_t ml_unit_registers(struct ml_unit *u, uint32_t count) {
  uint32_t first = u->next;
  if (count > MOST_REGISTERS - first) {
    ml_unit_limit(u, "a function needs more than 60000 registers");
    return 0;
  }
  u->next += count;
  if (u->next > u->most) u->most = u->next;
  return (uint16_t)first;
}

uint16_t ml_unit_register(struct ml_unit *u) { return ml_unit_registers(u, 1); }

void ml_unit_bind(struct ml_unit *u, uint32_t number, uint16_t in, const struct ml_function *known) {
  struct ml_binding b = {number, in, known};
  if (vec_push(&u->bindings, u->back->mem, MEM_MODEL, b)) out_of_memory(u);
}

int ml_unit_visible(const struct ml_unit *u, uint32_t number) {
  for (; u; u = u->outer) {
    if (u->has_self && u->self == number) return 1;
    for (size_t i = u->bindings.count; i-- > 0;)
      if (u->bindings.at[i].number == number) return 1;
  }
  return 0;
}

struct ml_where ml_unit_find(struct ml_unit *u, uint32_t number) {
  for (size_t i = u->bindings.count; i-- > 0;) {
    const struct ml_binding *b = &u->bindings.at[i];
    if (b->number == number) return (struct ml_where){b->known && b->known->bare ? ML_IS_BARE : ML_IN_REGISTER, b->in, b->known};
  }
  if (u->has_self && u->self == number) return (struct ml_where){ML_IS_SELF, 0, u->function};
  for (size_t i = 0; i < u->captures.count; i++)
    if (u->captures.at[i].number == number) return (struct ml_where){ML_IN_CLOSURE, (uint32_t)i, u->captures.at[i].known};
  if (!u->outer) {
    if (!u->failed) err_internal(u->err, "a variable of CPN ML is not bound");
    u->failed = 1;
    return (struct ml_where){ML_IN_REGISTER, 0, NULL};
  }
  struct ml_where w = ml_unit_find(u->outer, number);
  if (u->outer->failed) u->failed = 1;
  if (w.kind == ML_IS_BARE) return w;
  struct ml_capture c = {number, w.known};
  if (vec_push(&u->captures, u->back->mem, MEM_MODEL, c)) out_of_memory(u);
  return (struct ml_where){ML_IN_CLOSURE, (uint32_t)u->captures.count - 1, w.known};
}

static void push(struct ml_unit *u, struct ml_word w) {
  if (u->words.count > INT32_MAX / 2) ml_unit_limit(u, "a function is too long");
  else if (vec_push(&u->words, u->back->mem, MEM_MODEL, w)) out_of_memory(u);
}

void ml_emit(struct ml_unit *u, enum ml_op op, uint32_t a, uint32_t b, uint32_t c) {
  push(u, (struct ml_word){.op = op, .a = (uint16_t)a, .b = (uint16_t)b, .c = (uint16_t)c});
}

void ml_emit_index(struct ml_unit *u, enum ml_op op, uint32_t a, uint32_t index) {
  push(u, (struct ml_word){.op = op, .a = (uint16_t)a, .index = index});
}

uint32_t ml_unit_constant(struct ml_unit *u, ml_value v) {
  for (size_t i = 0; i < u->constants.count && i < 64; i++)
    if (u->constants.at[i] == v) return (uint32_t)i;
  if (vec_push(&u->constants, u->back->mem, MEM_MODEL, v)) {
    out_of_memory(u);
    return 0;
  }
  return (uint32_t)u->constants.count - 1;
}

void ml_emit_constant(struct ml_unit *u, uint32_t into, ml_value v) {
  v = ml_constant_or_fail(u, v);
  if (ml_is_int(v) && ml_to_int(v) == (int32_t)ml_to_int(v)) ml_emit_index(u, ML_OP_SMALL, into, (uint32_t)ml_to_int(v));
  else ml_emit_index(u, ML_OP_CONSTANT, into, ml_unit_constant(u, v));
}

uint32_t ml_unit_site(struct ml_unit *u, struct ml_site s) {
  if (vec_push(&u->sites, u->back->mem, MEM_MODEL, s)) {
    out_of_memory(u);
    return 0;
  }
  return (uint32_t)u->sites.count - 1;
}

uint32_t ml_unit_function(struct ml_unit *u, const struct ml_function *f) {
  for (size_t i = 0; i < u->functions.count && i < 64; i++)
    if (u->functions.at[i] == f) return (uint32_t)i;
  if (vec_push(&u->functions, u->back->mem, MEM_MODEL, f)) {
    out_of_memory(u);
    return 0;
  }
  return (uint32_t)u->functions.count - 1;
}

void ml_jump_later(struct ml_unit *u, ml_jumps *jumps) {
  push(u, (struct ml_word){.index = *jumps});
  if (!u->failed) *jumps = (uint32_t)u->words.count - 1;
}

void ml_emit_jump(struct ml_unit *u, ml_jumps *jumps) {
  if (u->words.count == 0) ml_emit(u, ML_OP_MOVE, 0, 0, 0); /* word 0 ends chains */
  push(u, (struct ml_word){.op = ML_OP_JUMP, .index = *jumps});
  if (!u->failed) *jumps = (uint32_t)u->words.count - 1;
}

void ml_jumps_here(struct ml_unit *u, ml_jumps jumps) {
  if (u->failed) return;
  while (jumps) {
    uint32_t older = u->words.at[jumps].index;
    u->words.at[jumps].index = (uint32_t)u->words.count;
    jumps = older;
  }
}

ml_value ml_constant_or_fail(struct ml_unit *u, ml_value v) {
  if (!v) out_of_memory(u);
  return v ? v : ML_UNIT;
}

ml_value ml_string_constant(struct ml_unit *u, const char *text, size_t length) {
  struct ml_block *b = ml_heap_string(u->back->heap, text, length);
  return ml_constant_or_fail(u, b ? ml_from_block(b) : 0);
}
