/* run.c -- the machine's loop.
 *
 * Registers are a window of the stack (code.h).  The loop holds the window, the next word and the running function in C
 * variables; what waits for a result is a frame beside the stack.  Stack and frames grow under the budget up to a limit, so that
 * a recursion without end is an ordinary answer; so is one that runs on the spot, by counting calls.  There are no loops but
 * calls, so counting calls, and the elements that library functions walk over, counts everything.
 *
 * Words find their code by computed goto: each has its own indirect jump to learn from. */
#include "ml/native.h"

#include <string.h>

enum { MOST_STACK = 16 << 20 /* registers: 128 MB */, MOST_FRAMES = 2 << 20 };

/* Room for a window that ends there; the stack may move. */
static enum ml_answer reach(struct ml_machine *m, size_t end) {
  if (end <= m->room) return ML_OK;
  if (end > MOST_STACK) {
    m->complaint = "the recursion is too deep";
    return ML_STEPS;
  }
  size_t room = m->room;
  while (room < end) room *= 2;
  ml_value *stack = mem_resize(m->mem, MEM_MODEL, m->stack, room * sizeof *stack);
  if (!stack) return ML_MEMORY;
  m->stack = stack;
  m->room = room;
  return ML_OK;
}

/* One more step taken by a closure that needs more: a new closure that remembers. */
static ml_value take_step(struct ml_machine *m, ml_value closure, ml_value argument) {
  const struct ml_block *c = ml_block(closure);
  const struct ml_function *f = ml_closure_function(c);
  uint32_t taken = (uint32_t)ml_to_int(c->field[1]), held = taken ? c->size - 3 : 0, width = f->width[taken];
  uint32_t size = 3 + held + width;
  struct ml_block *b = ml_heap_cut(m->heap, ML_BLOCK_CLOSURE, size, size);
  if (!b) return 0;
  b->field[0] = c->field[0];
  b->field[1] = ml_from_int(taken + 1);
  b->field[2] = taken ? c->field[2] : closure;
  if (held) memcpy(b->field + 3, c->field + 3, held * sizeof(ml_value));
  if (width == 1) b->field[3 + held] = argument;
  else memcpy(b->field + 3 + held, ml_block(argument)->field, width * sizeof(ml_value));
  return ml_from_block(b);
}

/* The last step: all arguments into the window. The closure that runs is what it captured with. */
static ml_value last_step(ml_value *window, ml_value closure, ml_value argument) {
  const struct ml_block *c = ml_block(closure);
  const struct ml_function *f = ml_closure_function(c);
  uint32_t taken = (uint32_t)ml_to_int(c->field[1]), held = taken ? c->size - 3 : 0, width = f->width[taken];
  if (held) memcpy(window, c->field + 3, held * sizeof(ml_value));
  if (width == 1) window[held] = argument;
  else memcpy(window + held, ml_block(argument)->field, width * sizeof(ml_value));
  return taken ? c->field[2] : closure;
}

/* b @+ c, b @ c */
static enum ml_answer stamp(struct ml_machine *m, ml_value tokens, ml_value when, int later, ml_value *out) {
  int timed = ml_block(tokens)->tag == ML_BLOCK_TIMED, real = m->ml->real_time;
  int64_t time = ml_instant(real, when);
  if (later && timed) return ml_give_sum(m, ml_multiset_later(m->heap, tokens, time, real, out));
  if (later) time = instant_add(real, time, m->now);
  if (time == INSTANT_NONE) return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  if (timed) {
    enum ml_sum s = ml_multiset_untimed(m->heap, tokens, &tokens);
    if (s != ML_SUM_OK) return ml_give_sum(m, s);
  }
  return ml_give_sum(m, ml_multiset_at(m->heap, tokens, time, out));
}

enum ml_answer ml_equal(struct ml_machine *m, ml_value x, ml_value y, int *equal) {
  int order = ml_value_compare(x, y);
  *equal = order == 0;
  if (order != ML_TOO_DEEP) return ML_OK;
  m->complaint = "values are nested too deep to be compared";
  return ML_STEPS;
}

#define BLOCK(tag, size)                                                                                                         \
  struct ml_block *b = ml_heap_cut(heap, ML_BLOCK_##tag, size, size);                                                            \
  if (__builtin_expect(!b, 0)) goto memory;
#define MAKE(tag, first, second)                                                                                                 \
  do {                                                                                                                           \
    BLOCK(tag, 2)                                                                                                                \
    b->field[0] = (first);                                                                                                       \
    b->field[1] = (second);                                                                                                      \
    r[w->a] = ml_from_block(b);                                                                                                  \
    GO(1);                                                                                                                       \
  } while (0)
#define NEXT goto *labels[w[0].op]
#define GO(words)                                                                                                                \
  do {                                                                                                                           \
    w += (words);                                                                                                                \
    NEXT;                                                                                                                        \
  } while (0)
#define TEST(condition)                                                                                                          \
  do {                                                                                                                           \
    if (condition) w = f->code + w[1].index;                                                                                     \
    else w += 2;                                                                                                                 \
    NEXT;                                                                                                                        \
  } while (0)
#define ANSWER(expression)                                                                                                       \
  do {                                                                                                                           \
    answer = (expression);                                                                                                       \
    if (__builtin_expect(answer != ML_OK, 0)) goto trouble;                                                                      \
  } while (0)
#define TEST_EQUAL(x, y, sense)                                                                                                  \
  do {                                                                                                                           \
    ml_value x_ = (x), y_ = (y);                                                                                                 \
    int equal = x_ == y_;                                                                                                        \
    if (!equal && !ml_is_int(x_) && !ml_is_int(y_)) ANSWER(ml_equal(m, x_, y_, &equal));                                         \
    TEST(equal == (sense));                                                                                                      \
  } while (0)
#define INT(register) ml_to_int(r[register])
#define PUT_INT(n)                                                                                                               \
  do {                                                                                                                           \
    int64_t n_ = (n);                                                                                                            \
    if (__builtin_expect((uint64_t)(n_ + ML_INT_MAX) > 2 * (uint64_t)ML_INT_MAX, 0)) goto overflow;                              \
    r[w->a] = ml_from_int(n_);                                                                                                   \
    GO(1);                                                                                                                       \
  } while (0)

enum ml_answer ml_machine_run(struct ml_machine *m, const struct ml_function *f, ml_value *out) {
  static const void *const labels[] = {
#define X(name) &&do_##name,
      ML_OPS(X)
#undef X
  };
  struct ml_heap *const heap = m->heap;
  const size_t floor = m->frames.count, first_handler = m->handlers.count, bottom = m->top;
  size_t base = bottom;
  enum ml_answer answer;
  ml_value closure = f->bare;
  const struct ml_function *callee;
  ml_value callee_closure;
  uint32_t at;        /* where the window of the called function begins, from here */
  uint32_t exception; /* to be raised without argument */
  if ((answer = reach(m, base + f->registers)) != ML_OK) return answer;
  ml_value *r = m->stack + base;
  const struct ml_word *w = f->code;
  NEXT;

do_MOVE:
  r[w->a] = r[w->b];
  GO(1);
do_CONSTANT:
  r[w->a] = f->constant[w->index];
  GO(1);
do_SMALL:
  r[w->a] = ml_from_int(w->number);
  GO(1);
do_VARIABLE:
  r[w->a] = m->variable[w->index];
  GO(1);
do_CAPTURED:
  r[w->a] = ml_block(closure)->field[2 + w->index];
  GO(1);
do_SELF:
  r[w->a] = f->bare ? f->bare : closure;
  GO(1);
do_NOW:
  if (m->ml->real_time) ANSWER(ml_give_real(m, &r[w->a], instant_to_real(m->now)));
  else r[w->a] = ml_from_int(m->now);
  GO(1);
do_FIELD:
  r[w->a] = ml_block(r[w->b])->field[w->c];
  GO(1);
do_PAIR:
  MAKE(TUPLE, r[w->b], r[w->c]);
do_TUPLE : {
  BLOCK(TUPLE, w->c)
  memcpy(b->field, r + w->b, w->c * sizeof(ml_value));
  r[w->a] = ml_from_block(b);
  GO(1);
}
do_CELL:
  MAKE(CELL, r[w->b], r[w->c]);
do_LIST:
  r[w->a] = ML_NIL;
  /* fall through */
do_LIST_ONTO : {
  ml_value list = r[w->a];
  for (uint32_t i = w->c; i-- > 0;) {
    BLOCK(CELL, 2)
    b->field[0] = r[w->b + i];
    b->field[1] = list;
    list = ml_from_block(b);
  }
  r[w->a] = list;
  GO(1);
}
do_CONSTRUCT:
  MAKE(CONSTRUCTED, ml_from_int(w->c), r[w->b]);
do_EXCEPTION:
  MAKE(EXCEPTION, ml_from_int(w->c), r[w->b]);
do_CLOSURE : {
  const struct ml_function *made = f->function[w->index];
  BLOCK(CLOSURE, 2 + made->captured)
  b->field[0] = (ml_value)(uintptr_t)made | 1;
  b->field[1] = ml_from_int(0);
  for (uint32_t i = 0; i < made->captured; i++) b->field[2 + i] = ML_UNIT;
  r[w->a] = ml_from_block(b);
  GO(1);
}
do_CAPTURE:
  ((struct ml_block *)(uintptr_t)r[w->a])->field[2 + w->c] = r[w->b];
  GO(1);

do_ADD:
  PUT_INT(INT(w->b) + INT(w->c));
do_SUB:
  PUT_INT(INT(w->b) - INT(w->c));
do_ADD_SMALL:
  PUT_INT(INT(w->b) + (int16_t)w->c);
do_NEGATE:
  PUT_INT(-INT(w->b));
do_MUL : {
  int64_t product;
  if (__builtin_mul_overflow(INT(w->b), INT(w->c), &product) || product > ML_INT_MAX) goto overflow;
  PUT_INT(product);
}
do_DIV : {
  int64_t x = INT(w->b), y = INT(w->c);
  if (y == 0) goto division;
  PUT_INT(x / y - (x % y != 0 && (x < 0) != (y < 0)));
}
do_MOD : {
  int64_t x = INT(w->b), y = INT(w->c);
  if (y == 0) goto division;
  int64_t rest = x % y;
  PUT_INT(rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest);
}

do_ONE:
  MAKE(MULTISET, ml_from_int(1), r[w->b]);
do_SINGLE:
  ANSWER(ml_give_sum(m, ml_multiset_single(heap, INT(w->b), r[w->c], &r[w->a])));
  GO(1);
do_UNION:
  ANSWER(ml_work(m, ml_block(r[w->b])->size + ml_block(r[w->c])->size));
  ANSWER(ml_give_sum(m, ml_multiset_add(heap, r[w->b], r[w->c], &r[w->a])));
  GO(1);
do_LATER:
  ANSWER(stamp(m, r[w->b], r[w->c], 1, &r[w->a]));
  GO(1);
do_AT:
  ANSWER(stamp(m, r[w->b], r[w->c], 0, &r[w->a]));
  GO(1);

do_NATIVE : {
  const struct ml_site *site = &f->site[w->index];
  m->top = base + f->registers;
  answer = site->run(m, r + w->a, site);
  r = m->stack + base;
  if (__builtin_expect(answer != ML_OK, 0)) {
    m->raised_by = site->library;
    goto trouble;
  }
  GO(1);
}

do_CALL:
  callee = f->function[w->index];
  callee_closure = callee->bare;
  at = w->a;
  w += 1;
  goto call;
do_CALL_SELF:
  callee = f;
  callee_closure = closure;
  at = w->a;
  w += 1;
  goto call;
do_CALL_KNOWN:
  callee_closure = r[w->b];
  callee = ml_closure_function(ml_block(callee_closure));
  at = w->a;
  w += 1;
  goto call;
do_APPLY_TUPLE:
do_TAIL_TUPLE:
  callee_closure = r[w->a];
  callee = ml_closure_function(ml_block(callee_closure));
  at = w->a + 1u;
  if (callee->steps == 1 && callee->width[0] == w->b) goto call_unknown;
  else {
    BLOCK(TUPLE, w->b)
    memcpy(b->field, r + at, w->b * sizeof(ml_value));
    r[at] = ml_from_block(b);
  }
  /* fall through */
do_APPLY:
do_TAIL_APPLY : {
  callee_closure = r[w->a];
  const struct ml_block *c = ml_block(callee_closure);
  callee = ml_closure_function(c);
  at = w->a + 1u;
  if (ml_to_int(c->field[1]) + 1 == callee->steps) {
    ANSWER(reach(m, base + at + callee->registers));
    r = m->stack + base;
    callee_closure = last_step(r + at, callee_closure, r[at]);
    goto call_unknown;
  }
  if (!(r[at] = take_step(m, callee_closure, r[at]))) goto memory;
  if (w->op < ML_OP_TAIL) GO(1);
  r[0] = r[at];
  goto returned;
}
do_APPLY_MANY:
do_TAIL_MANY : {
  callee_closure = r[w->a];
  const struct ml_block *c = ml_block(callee_closure);
  callee = ml_closure_function(c);
  if (c->field[1] != ml_from_int(0) || callee->steps != w->b || callee->arguments != w->b) GO(2);
  at = w->a + 1u;
}
call_unknown:
  if (w->op >= ML_OP_TAIL) goto tail_call;
  w = w->op == ML_OP_APPLY_MANY ? f->code + w[1].index : w + 1;
call : {
  if (__builtin_expect(--m->left < 0, 0)) goto steps;
  if (__builtin_expect(base + at + callee->registers > m->room, 0)) {
    ANSWER(reach(m, base + at + callee->registers));
    r = m->stack + base;
  }
  if (__builtin_expect(m->frames.count == m->frames.room, 0)) {
    if (m->frames.count >= MOST_FRAMES) {
      m->complaint = "the recursion is too deep";
      goto steps;
    }
    if (vec_reserve(&m->frames, m->mem, MEM_MODEL, 1)) goto memory;
  }
  m->frames.at[m->frames.count++] = (struct ml_frame){f, w, closure, base};
  f = callee;
  closure = callee_closure;
  base += at;
  r += at;
  w = f->code;
  NEXT;
}

do_TAIL:
  callee = f->function[w->index];
  callee_closure = callee->bare;
  at = w->a;
  goto tail_call;
do_TAIL_SELF:
  if (__builtin_expect(--m->left < 0, 0)) goto steps;
  for (uint32_t i = 0, n = f->arguments, a = w->a; i < n; i++) r[i] = r[a + i];
  w = f->code;
  NEXT;
do_TAIL_KNOWN:
  callee_closure = r[w->b];
  callee = ml_closure_function(ml_block(callee_closure));
  at = w->a;
  goto tail_call;
tail_call:
  if (__builtin_expect(--m->left < 0, 0)) goto steps;
  if (__builtin_expect(base + callee->registers > m->room, 0)) {
    ANSWER(reach(m, base + callee->registers));
    r = m->stack + base;
  }
  for (uint32_t i = 0, n = callee->arguments; i < n; i++) r[i] = r[at + i];
  f = callee;
  closure = callee_closure;
  w = f->code;
  NEXT;

do_RETURN:
  r[0] = r[w->a];
returned:
  if (m->frames.count == floor) {
    *out = r[0];
    m->top = bottom;
    return ML_OK;
  } else {
    const struct ml_frame *back = &m->frames.at[--m->frames.count];
    f = back->function;
    w = back->next;
    closure = back->closure;
    base = back->base;
    r = m->stack + base;
    NEXT;
  }

do_RAISE:
  m->exception = r[w->a];
  m->raised_by = ML_LIBS;
  answer = ML_RAISED;
  goto trouble;
do_FAIL:
  exception = w->index;
  goto raise_simple;
do_HANDLE : {
  struct ml_handler h = {m->frames.count, base, f, f->code + w[1].index, closure, w->a};
  if (vec_push(&m->handlers, m->mem, MEM_MODEL, h)) goto memory;
  GO(2);
}
do_UNHANDLE:
  m->handlers.count--;
  GO(1);

do_JUMP:
  w = f->code + w->index;
  NEXT;
do_IF_TRUE:
  TEST(r[w->a] != ml_from_int(0));
do_IF_FALSE:
  TEST(r[w->a] == ml_from_int(0));
do_IF_EQUAL:
  TEST_EQUAL(r[w->a], r[w->b], 1);
do_IF_DIFFERENT:
  TEST_EQUAL(r[w->a], r[w->b], 0);
do_IF_LESS:
  TEST((int64_t)r[w->a] < (int64_t)r[w->b]);
do_IF_LESS_EQUAL:
  TEST((int64_t)r[w->a] <= (int64_t)r[w->b]);
do_IF_IS:
  TEST(r[w->a] == ml_from_int(w->number));
do_IF_IS_NOT:
  TEST(r[w->a] != ml_from_int(w->number));
do_IF_BELOW:
  TEST((int64_t)r[w->a] < (int64_t)ml_from_int(w->number));
do_IF_ABOVE:
  TEST((int64_t)r[w->a] > (int64_t)ml_from_int(w->number));
do_IF_BLOCK:
  TEST(!ml_is_int(r[w->a]));
do_IF_NO_BLOCK:
  TEST(ml_is_int(r[w->a]));
do_IF_NOT_CONSTANT:
  TEST_EQUAL(r[w->a], f->constant[w->index], 0);
do_IF_NOT_CONSTRUCTED:
  TEST(ml_is_int(r[w->a]) || ml_block(r[w->a])->field[0] != ml_from_int(w->b));
do_IF_NOT_EXCEPTION:
  TEST(ml_block(r[w->a])->field[0] != ml_from_int(w->index));
do_SWITCH : {
  int64_t n = INT(w->a);
  if (!ml_is_int(r[w->a]) || n < 0 || n >= (int64_t)w->index) GO(1 + w->index);
  w = f->code + w[1 + n].index;
  NEXT;
}

overflow:
  exception = ML_EXN_OVERFLOW;
  goto raise_simple;
division:
  exception = ML_EXN_DIV;
raise_simple:
  answer = ml_raise(m, exception, ML_UNIT);
  goto trouble;
memory:
  answer = ML_MEMORY;
  goto trouble;
steps:
  answer = ML_STEPS;
trouble:
  if (answer == ML_RAISED && m->handlers.count > first_handler) {
    const struct ml_handler *h = &m->handlers.at[--m->handlers.count];
    m->frames.count = h->frames;
    f = h->function;
    w = h->next;
    closure = h->closure;
    base = h->base;
    r = m->stack + base;
    r[h->into] = m->exception;
    NEXT;
  }
  m->raised_in = f->name;
  m->frames.count = floor;
  m->handlers.count = first_handler;
  m->top = bottom;
  return answer;
}
