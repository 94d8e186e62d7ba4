/* compile_call.c -- applications.
 *
 * f a b c is looked at as a whole.  If f is known (a declared function, a function of a let, a library function, a constructor)
 * and gets all its arguments, they go to the registers where its window begins, tuples in parts, and it is called directly: no
 * closure, no pair. If it is not known, the machine finds out (APPLY and its kin).  Arguments too many are applied to the result.
 *
 * Where the result is wanted in the last register in use, the window begins there and nothing need be moved. */
#include "ml/unit.h"

#include <string.h>

enum { MOST_ARGUMENTS = 200 };

/* f a b c: the head, and the arguments from the left. */
struct spine {
  const struct ml_expr *head;
  uint32_t count;
  const struct ml_expr *argument[MOST_ARGUMENTS];
};

static void look_along(struct spine *s, const struct ml_expr *e) {
  s->count = 0;
  const struct ml_expr *at = e;
  while (at->kind == ML_APPLY && s->count < MOST_ARGUMENTS) {
    s->count++;
    at = at->part[0];
  }
  s->head = at;
  uint32_t i = s->count;
  for (at = e; i > 0; at = at->part[0]) s->argument[--i] = at->part[1];
}

static uint16_t window(struct ml_unit *u, uint16_t into, uint32_t size) {
  if (into + 1u != u->next) return ml_unit_registers(u, size);
  if (size > 1) ml_unit_registers(u, size - 1);
  return into;
}

static int is_written_out(const struct ml_expr *e, uint32_t width) {
  return (e->kind == ML_TUPLE || e->kind == ML_RECORD) && e->parts == width;
}

/* An argument into `width` registers. */
static void put(struct ml_unit *u, const struct ml_expr *e, uint32_t width, uint16_t at) {
  if (width == 1) ml_compile_into(u, e, at, 0);
  else if (is_written_out(e, width))
    for (uint32_t k = 0; k < width; k++) {
      uint32_t i = e->kind == ML_RECORD && e->order ? e->order[k] : k;
      ml_compile_into(u, e->part[i], (uint16_t)(at + i), 0);
    }
  else {
    uint32_t next = u->next;
    uint16_t tuple = ml_compile_operand(u, e);
    for (uint32_t i = 0; i < width; i++) ml_emit(u, ML_OP_FIELD, at + i, tuple, i);
    u->next = next;
  }
}

static void put_all(struct ml_unit *u, const struct spine *s, uint32_t steps, const uint32_t *width, uint16_t at) {
  for (uint32_t i = 0; i < steps; at = (uint16_t)(at + width[i]), i++) put(u, s->argument[i], width[i], at);
}

/* The value in `from` is a function: the arguments from number `first` on are applied to it. The result goes to `into`. */
static void apply_rest(struct ml_unit *u, const struct spine *s, uint32_t first, uint16_t from, uint16_t into, int tail) {
  for (uint32_t i = first; i < s->count && !u->failed; i++) {
    uint32_t next = u->next;
    int last = tail && i + 1 == s->count;
    uint16_t w = ml_unit_registers(u, 2);
    ml_emit(u, ML_OP_MOVE, w, from, 0);
    ml_compile_into(u, s->argument[i], (uint16_t)(w + 1), 0);
    ml_emit_index(u, last ? ML_OP_TAIL_APPLY : ML_OP_APPLY, w, 0);
    if (!last) ml_emit(u, ML_OP_MOVE, into, w + 1u, 0);
    from = into;
    u->next = next;
  }
}

/* The result of a call stands in `w`; what it is applied to beyond `steps` arguments follows. */
static void finish(struct ml_unit *u, const struct spine *s, uint32_t steps, uint16_t w, uint16_t into, int tail) {
  if (s->count > steps) {
    apply_rest(u, s, steps, w, into, tail);
    return;
  }
  if (tail) ml_emit_return(u, w, 1);
  else if (w != into) ml_emit(u, ML_OP_MOVE, into, w, 0);
}

static void call_known(struct ml_unit *u, const struct spine *s, const struct ml_function *f, const struct ml_where *where,
                       uint16_t into, int tail) {
  uint32_t next = u->next;
  int last = tail && s->count == f->steps;
  uint16_t closure = 0;
  if (where && where->kind == ML_IN_REGISTER) closure = (uint16_t)where->at;
  if (where && where->kind == ML_IN_CLOSURE) {
    closure = ml_unit_register(u);
    ml_emit_index(u, ML_OP_CAPTURED, closure, where->at);
  }
  uint16_t w = window(u, into, f->arguments ? f->arguments : 1);
  put_all(u, s, f->steps, f->width, w);
  if (where && where->kind == ML_IS_SELF) ml_emit_index(u, last ? ML_OP_TAIL_SELF : ML_OP_CALL_SELF, w, 0);
  else if (where && where->kind != ML_IS_BARE) ml_emit(u, last ? ML_OP_TAIL_KNOWN : ML_OP_CALL_KNOWN, w, closure, 0);
  else ml_emit_index(u, last ? ML_OP_TAIL : ML_OP_CALL, w, ml_unit_function(u, f));
  if (!last) finish(u, s, f->steps, w, into, tail);
  u->next = next;
}

static void call_unknown(struct ml_unit *u, const struct spine *s, uint16_t into, int tail) {
  uint32_t next = u->next, n = s->count;
  const struct ml_expr *first = s->argument[0];
  uint32_t parts = n == 1 && first->kind == ML_TUPLE && first->parts > 1 && first->parts <= ML_WIDEST ? first->parts : 0;
  uint16_t w = ml_unit_registers(u, 1 + (parts ? parts : n));
  ml_compile_into(u, s->head, w, 0);
  if (parts) {
    put(u, first, parts, (uint16_t)(w + 1));
    ml_emit(u, tail ? ML_OP_TAIL_TUPLE : ML_OP_APPLY_TUPLE, w, parts, 0);
  } else {
    for (uint32_t i = 0; i < n; i++) put(u, s->argument[i], 1, (uint16_t)(w + 1 + i));
    ml_jumps done = 0;
    uint16_t v = w;
    if (n > 1) {
      ml_emit(u, tail ? ML_OP_TAIL_MANY : ML_OP_APPLY_MANY, w, n, 0);
      ml_jump_later(u, &done);
      v = ml_unit_registers(u, 2); /* above the arguments that wait */
    }
    for (uint32_t i = 0; i < n; i++) {
      if (n > 1) {
        ml_emit(u, ML_OP_MOVE, v, i ? v + 1u : w, 0);
        ml_emit(u, ML_OP_MOVE, v + 1u, w + 1u + i, 0);
      }
      ml_emit_index(u, tail && i + 1 == n ? ML_OP_TAIL_APPLY : ML_OP_APPLY, v, 0);
    }
    if (n > 1 && !tail) ml_emit(u, ML_OP_MOVE, w + 1u, v + 1u, 0);
    ml_jumps_here(u, done);
  }
  if (!tail) ml_emit(u, ML_OP_MOVE, into, w + 1u, 0);
  u->next = next;
}

/* Operators that are a word of the machine. */
static int inline_operator(struct ml_unit *u, const struct spine *s, uint16_t into) {
  const struct ml_expr *head = s->head, *pair = s->argument[0];
  enum ml_op op;
  switch (head->library) {
  case ML_LIB_ADD: op = ML_OP_ADD; break;
  case ML_LIB_SUBTRACT: op = ML_OP_SUB; break;
  case ML_LIB_MULTIPLY: op = ML_OP_MUL; break;
  case ML_LIB_DIV: op = ML_OP_DIV; break;
  case ML_LIB_MOD: op = ML_OP_MOD; break;
  case ML_LIB_MS_ADD:
  case ML_LIB_TMS_ADD: op = ML_OP_UNION; break;
  case ML_LIB_NEGATE:
    if (!ml_type_is_number(head)) return 0;
    ml_emit(u, ML_OP_NEGATE, into, ml_compile_operand(u, pair), 0);
    return 1;
  case ML_LIB_TIME: ml_emit_index(u, ML_OP_NOW, into, 0); return 1;
  default: return 0;
  }
  if (pair->kind != ML_TUPLE || pair->parts != 2) return 0;
  if (op != ML_OP_UNION && !ml_type_is_number(head)) return 0;
  const struct ml_expr *a = pair->part[0], *b = pair->part[1];
  int32_t n;
  if (op == ML_OP_ADD && ml_small(u, a, &n)) {
    const struct ml_expr *swap = a;
    a = b;
    b = swap;
  }
  uint16_t x = ml_compile_operand(u, a);
  if ((op == ML_OP_ADD || op == ML_OP_SUB) && ml_small(u, b, &n) && n > -30000 && n < 30000)
    ml_emit(u, ML_OP_ADD_SMALL, into, x, (uint16_t)(op == ML_OP_ADD ? n : -n));
  else ml_emit(u, op, into, x, ml_compile_operand(u, b));
  return 1;
}

static struct ml_site site_of(const struct ml_expr *e) {
  return (struct ml_site){ml_native(e->library).run, e->library, e->colset, e->number};
}

static void call_library(struct ml_unit *u, const struct spine *s, uint16_t into, int tail) {
  struct ml_native l = ml_native(s->head->library);
  uint32_t next = u->next;
  if (inline_operator(u, s, into)) finish(u, s, 1, into, into, tail);
  else {
    uint16_t w = window(u, into, l.arguments);
    put_all(u, s, l.steps, l.width, w);
    ml_emit_index(u, ML_OP_NATIVE, w, ml_unit_site(u, site_of(s->head)));
    finish(u, s, l.steps, w, into, tail);
  }
  u->next = next;
}

static void construct(struct ml_unit *u, const struct spine *s, uint16_t into, int tail) {
  const struct ml_expr *head = s->head, *argument = s->argument[0];
  if (head->kind == ML_CONSTRUCTOR && head->data == u->back->ml->list_data) {
    uint16_t pair[2];
    if (is_written_out(argument, 2)) {
      pair[0] = ml_compile_operand(u, argument->part[0]);
      pair[1] = ml_compile_operand(u, argument->part[1]);
    } else {
      pair[0] = ml_unit_registers(u, 2);
      pair[1] = (uint16_t)(pair[0] + 1);
      put(u, argument, 2, pair[0]);
    }
    ml_emit(u, ML_OP_CELL, into, pair[0], pair[1]);
  } else {
    uint32_t number = head->kind == ML_CONSTRUCTOR ? head->constructor : head->exception->number;
    ml_emit(u, head->kind == ML_CONSTRUCTOR ? ML_OP_CONSTRUCT : ML_OP_EXCEPTION, into, ml_compile_operand(u, argument),
            ml_unit_short(u, number));
  }
  ml_emit_return(u, into, tail);
}

void ml_compile_apply(struct ml_unit *u, const struct ml_expr *e, uint16_t into, int tail) {
  struct spine s;
  look_along(&s, e);
  switch (s.head->kind) {
  case ML_LIBRARY: {
    struct ml_native l = ml_native(s.head->library);
    if (l.steps == 0 || s.count < l.steps) break;
    call_library(u, &s, into, tail);
    return;
  }
  case ML_CONSTRUCTOR:
  case ML_EXCEPTION:
    if (s.count == 1) {
      construct(u, &s, into, tail);
      return;
    }
    break;
  case ML_GLOBAL: {
    uint32_t number = s.head->global->number;
    ml_value v = number < u->back->globals.count ? u->back->globals.at[number] : 0;
    if (v == 0 || ml_is_int(v) || ml_block(v)->tag != ML_BLOCK_CLOSURE) break;
    const struct ml_function *f = ml_closure_function(ml_block(v));
    if (!f->bare || v != f->bare || s.count < f->steps) break;
    call_known(u, &s, f, NULL, into, tail);
    return;
  }
  case ML_LOCAL: {
    struct ml_where w = ml_unit_find(u, s.head->local->number);
    if (!w.known || s.count < w.known->steps) break;
    call_known(u, &s, w.known, &w, into, tail);
    return;
  }
  default: break;
  }
  call_unknown(u, &s, into, tail);
}

const struct ml_function *ml_wrapper(struct ml_unit *u, const struct ml_expr *e) {
  static const struct ml_function nothing = {.bare = 1};
  struct ml_back *back = u->back;
  struct ml_function *f = arena_alloc(&back->arena, sizeof *f);
  uint32_t steps = 1, cells = e->kind == ML_CONSTRUCTOR && e->data == back->ml->list_data;
  uint32_t *width = arena_alloc(&back->arena, 3 * sizeof *width);
  if (!f || !width) {
    ml_constant_or_fail(u, 0);
    return &nothing;
  }
  width[0] = cells ? 2 : 1;
  if (e->kind == ML_LIBRARY) {
    struct ml_native l = ml_native(e->library);
    memcpy(width, l.width, sizeof l.width);
    steps = l.steps;
  }
  f->steps = steps;
  f->width = width;
  for (uint32_t i = 0; i < steps; i++) f->arguments += width[i];
  f->name = e->kind == ML_LIBRARY ? ml_native_name(e->library) : e->name;
  struct ml_unit inner;
  ml_unit_open(&inner, back, NULL, f, u->err);
  ml_unit_registers(&inner, f->arguments);
  if (e->kind == ML_LIBRARY) ml_emit_index(&inner, ML_OP_NATIVE, 0, ml_unit_site(&inner, site_of(e)));
  else if (cells) ml_emit(&inner, ML_OP_CELL, 0, 0, 1);
  else if (e->kind == ML_CONSTRUCTOR) ml_emit(&inner, ML_OP_CONSTRUCT, 0, 0, ml_unit_short(&inner, e->constructor));
  else ml_emit(&inner, ML_OP_EXCEPTION, 0, 0, ml_unit_short(&inner, e->exception->number));
  ml_emit_return(&inner, 0, 1);
  if (ml_unit_close(&inner)) {
    u->failed = 1;
    return &nothing;
  }
  f->ready = 1;
  f->bare = ml_constant_or_fail(u, ml_closure_bare(back, f));
  return f;
}

void ml_compile_library(struct ml_unit *u, const struct ml_expr *e, uint16_t into) {
  if (ml_native(e->library).steps) ml_emit_constant(u, into, ml_wrapper(u, e)->bare);
  else { /* a value: pi, empty */ uint32_t next = u->next;
    uint16_t w = window(u, into, 1);
    ml_emit_index(u, ML_OP_NATIVE, w, ml_unit_site(u, site_of(e)));
    if (w != into) ml_emit(u, ML_OP_MOVE, into, w, 0);
    u->next = next;
  }
}
