/* back.c -- declarations take effect, inscriptions become code: the second half of a `struct ml`.
 *
 * Values of globals live in a heap of their own as long as ml.  Declarations run on a machine that nobody else uses, so that the
 * machines of searches never see half a world. */
#include "ml/native.h"
#include "ml/unit.h"

int ml_back_open(struct ml *ml, struct mem *mem, struct err *err) {
  struct ml_back *b = mem_alloc(mem, MEM_MODEL, sizeof *b);
  if (!b) return err_memory(err, "compiled declarations");
  b->ml = ml;
  b->mem = mem;
  arena_open(&b->arena, mem, MEM_MODEL);
  ml->back = b;
  if (ml_heap_open(&b->heap, mem)) {
    ml_back_close(ml);
    return err_memory(err, "compiled declarations");
  }
  if (ml_machine_open(&b->machine, ml, mem, err)) {
    ml_back_close(ml);
    return -1;
  }
  b->machine->runs = (int64_t)1 << 60; /* what it makes is never taken for what another machine has made */
  return 0;
}

void ml_back_close(struct ml *ml) {
  struct ml_back *b = ml->back;
  ml->back = NULL;
  if (!b) return;
  ml_machine_close(b->machine);
  ml_heap_close(b->heap);
  vec_free(&b->globals, b->mem);
  arena_close(&b->arena);
  mem_free(b->mem, b);
}

static int set_global(struct ml_back *b, const struct ml_global *g, ml_value v, struct err *err) {
  while (b->globals.count <= g->number)
    if (vec_push(&b->globals, b->mem, MEM_MODEL, 0)) return err_memory(err, "compiled declarations");
  b->globals.at[g->number] = v;
  return 0;
}

/* Runs a function without arguments and keeps what it gives. Closures may hold each other in a circle, which nobody copies:
   values with functions are made where they stay. */
static int evaluate(struct ml_back *b, const struct ml_function *f, const struct ml_expr *e, ml_value *out, struct err *err) {
  struct ml_machine *m = b->machine;
  struct ml_heap *scratch = m->heap;
  int stays = ml_holds_functions(e->type);
  struct ml_code code = {.function = f};
  if (stays) m->heap = b->heap;
  enum ml_answer answer = ml_run(m, &code, NULL, 0, out);
  m->heap = scratch;
  if (answer == ML_OK && !stays && !(*out = ml_value_copy(b->heap, *out))) answer = ML_MEMORY;
  if (answer == ML_MEMORY) err_memory(err, "the value of a declaration");
  else if (answer != ML_OK) err_input(err, e->place, "%s", ml_machine_fault(m));
  ml_machine_clear(m);
  return answer == ML_OK ? 0 : -1;
}

static struct ml_function *function_without_arguments(struct ml_back *b, struct err *err) {
  struct ml_function *f = arena_alloc(&b->arena, sizeof *f);
  if (!f) err_memory(err, "compiled inscriptions");
  else f->ready = 1;
  return f;
}

/* The value as it is wanted: 1`value, tokens with time, a list of conditions as one. */
static void compile_wanted(struct ml_unit *u, const struct ml_expr *e, enum ml_wanted wanted, const struct ml_colset *colset) {
  uint16_t into = ml_unit_register(u);
  struct ml_type *type = ml_type_find(e->type);
  if (wanted == ML_WANT_BOOL && type->kind == ML_TYPE_DATA && type->data == u->back->ml->list_data) {
    ml_jumps no = 0;
    if (e->kind == ML_LIST)
      for (uint32_t i = 0; i < e->parts; i++) ml_compile_condition(u, e->part[i], 0, &no);
    else {
      ml_compile_into(u, e, into, 0);
      ml_emit_index(u, ML_OP_NATIVE, into, ml_unit_site(u, (struct ml_site){ml_all_true, ML_LIBS, NULL, 0}));
      ml_emit_return(u, into, 1);
      return;
    }
    ml_emit_constant(u, into, ml_from_int(1));
    ml_emit_return(u, into, 1);
    ml_jumps_here(u, no);
    ml_emit_constant(u, into, ml_from_int(0));
    ml_emit_return(u, into, 1);
    return;
  }
  int multiset = type->kind == ML_TYPE_MULTISET || type->kind == ML_TYPE_TIMED;
  int stamps = colset && colset->timed && type->kind != ML_TYPE_TIMED;
  if (wanted != ML_WANT_MULTISET || (multiset && !stamps)) {
    ml_compile_into(u, e, into, 1);
    return;
  }
  uint16_t r = ml_compile_operand(u, e);
  if (!multiset) ml_emit(u, ML_OP_ONE, into, r, 0);
  if (stamps) {
    uint16_t now = ml_unit_register(u);
    ml_emit_index(u, ML_OP_NOW, now, 0);
    ml_emit(u, ML_OP_AT, into, multiset ? r : into, now);
  }
  ml_emit_return(u, into, 1);
}

/* The references of the state that an expression may read or change. */
static void add_kept(void *all, const struct ml_expr *e) {
  if (e->kind == ML_GLOBAL) *(uint64_t *)all |= ml_uses_kept(e->global);
  ml_below(e, add_kept, all);
}

static uint64_t kept_in(const struct ml_expr *e) {
  uint64_t all = 0;
  add_kept(&all, e);
  return all;
}

/* They hold the values of their variables. */
static void compile_references(struct ml_unit *u, const struct ml_expr *e, uint64_t after) {
  const struct ml *ml = u->back->ml;
  for (uint64_t left = ml->references ? kept_in(e) : 0; left; left &= left - 1) {
    uint32_t number = (uint32_t)__builtin_ctzll(left), next = u->next;
    uint16_t w = ml_unit_registers(u, 2);
    ml_emit_constant(u, w, ml_kept_cell(ml, number));
    ml_emit_index(u, ML_OP_VARIABLE, w + 1u, ml_kept_variable(ml->references, number, after >> number & 1)->number);
    ml_emit_index(u, ML_OP_NATIVE, w, ml_unit_site(u, (struct ml_site){ml_native(ML_LIB_ASSIGN).run, ML_LIB_ASSIGN, NULL, 0}));
    u->next = next;
  }
}

static int compile_function(const struct ml_function **out, struct ml_back *b, const struct ml_expr *e, enum ml_wanted wanted,
                            const struct ml_colset *colset, uint64_t after, struct err *err) {
  struct ml_function *f = function_without_arguments(b, err);
  struct ml_unit u;
  *out = f;
  if (!f) return -1;
  ml_unit_open(&u, b, NULL, f, err);
  compile_references(&u, e, after);
  compile_wanted(&u, e, wanted, colset);
  return ml_unit_close(&u);
}

int ml_compile(const struct ml_code **out, struct ml *ml, const struct ml_expr *e, enum ml_wanted wanted,
               const struct ml_colset *colset, struct err *err) {
  return ml_compile_after(out, ml, e, wanted, colset, 0, err);
}

int ml_compile_after(const struct ml_code **out, struct ml *ml, const struct ml_expr *e, enum ml_wanted wanted, const struct ml_colset *colset, uint64_t after, struct err *err) {
  struct ml_back *b = ml->back;
  struct ml_code *code = arena_alloc(&b->arena, sizeof *code);
  *out = code;
  if (!code) return err_memory(err, "compiled inscriptions");
  if (compile_function(&code->function, b, e, wanted, colset, after, err)) return -1;
  const struct ml_word *w = code->function->code; /* whole code that needs no machine */
  if (w[0].op == ML_OP_VARIABLE && w[1].op == ML_OP_RETURN && w[1].a == w[0].a) {
    code->is_variable = 1;
    code->variable = w[0].index;
  }
  if (w[0].op == ML_OP_CONSTANT || w[0].op == ML_OP_SMALL) {
    ml_value v = w[0].op == ML_OP_SMALL ? ml_from_int(w[0].number) : code->function->constant[w[0].index];
    if (w[1].op == ML_OP_RETURN && w[1].a == w[0].a) code->constant = v;
    else if (w[1].op == ML_OP_ONE && w[1].b == w[0].a && w[2].op == ML_OP_RETURN) {
      struct ml_block *one = ml_heap_block(b->heap, ML_BLOCK_MULTISET, 2);
      if (!one) return err_memory(err, "compiled inscriptions");
      one->field[0] = ml_from_int(1);
      one->field[1] = v;
      code->constant = ml_from_block(one);
    }
  }
  return 0;
}

int ml_evaluate(struct ml *ml, const struct ml_expr *e, ml_value *out, struct err *err) {
  const struct ml_function *f;
  if (compile_function(&f, ml->back, e, ML_WANT_ANYTHING, NULL, 0, err)) return -1;
  return evaluate(ml->back, f, e, out, err);
}

/* The body is matched, and what was bound comes back as a tuple. */
static int compile_binding(const struct ml_function **out, struct ml_back *b, const struct ml_pattern *p,
                           const struct ml_expr *body, const struct ml_bound *bound, size_t count, struct err *err) {
  struct ml_function *f = function_without_arguments(b, err);
  struct ml_unit u;
  *out = f;
  if (!f) return -1;
  ml_unit_open(&u, b, NULL, f, err);
  ml_jumps fail = 0;
  ml_match(&u, p, ml_compile_operand(&u, body), &fail);
  if (count > UINT16_MAX) ml_unit_limit(&u, "a pattern binds more than 65535 names");
  uint16_t first = ml_unit_registers(&u, (uint32_t)count + 1);
  for (size_t i = 0; i < count; i++) ml_compile_local(&u, bound[i].slot, (uint16_t)(first + i));
  if (count) ml_emit(&u, ML_OP_TUPLE, first, first, (uint32_t)count);
  else ml_emit_constant(&u, first, ML_UNIT);
  ml_emit_return(&u, first, 1);
  ml_jumps_here(&u, fail);
  if (fail) ml_emit_index(&u, ML_OP_FAIL, 0, ML_EXN_BIND);
  return ml_unit_close(&u);
}

int ml_define_val(struct ml *ml, const struct ml_pattern *p, const struct ml_expr *body, const struct ml_bound *bound,
                  size_t count, struct err *err) {
  const struct ml_function *f;
  ml_value v;
  if (compile_binding(&f, ml->back, p, body, bound, count, err)) return -1;
  if (evaluate(ml->back, f, body, &v, err)) return -1;
  for (size_t i = 0; i < count; i++) {
    ml_value part = ml_block(v)->field[i];
    if (!ml_is_int(part) && ml_block(part)->tag == ML_BLOCK_CLOSURE) { /* known again by its function */
      const struct ml_function *known = ml_closure_function(ml_block(part));
      if (known->bare && ml_block(part)->field[1] == ml_from_int(0)) part = known->bare;
    }
    if (set_global(ml->back, bound[i].global, part, err)) return -1;
  }
  return 0;
}

int ml_define_fun(struct ml *ml, const struct ml_global *const *global, struct ml_expr *const *fn, size_t count,
                  struct err *err) {
  struct ml_back *b = ml->back;
  struct ml_unit u;
  ml_unit_open(&u, b, NULL, NULL, err);
  struct ml_function **f = mem_alloc(b->mem, MEM_MODEL, count * sizeof *f);
  if (!f) return err_memory(err, "compiled declarations");
  for (size_t i = 0; i < count && !u.failed; i++) {
    f[i] = ml_function_new(&u, global[i]->name, fn[i]);
    if (u.failed) break;
    f[i]->bare = ml_constant_or_fail(&u, ml_closure_bare(b, f[i]));
    if (set_global(b, global[i], f[i]->bare, err)) u.failed = 1;
  }
  for (size_t i = 0; i < count && !u.failed; i++) {
    struct ml_captures captures = {0};
    ml_function_fill(&u, f[i], fn[i], 0, 0, &captures);
    if (captures.count && !u.failed) {
      err_internal(err, "%s captures something", global[i]->name);
      u.failed = 1;
    }
    vec_free(&captures, b->mem);
  }
  for (size_t i = 0; i < count && !u.failed; i++) f[i]->ready = 1;
  if (u.failed)
    for (size_t i = 0; i < count; i++)
      if (global[i]->number < b->globals.count) b->globals.at[global[i]->number] = 0;
  mem_free(b->mem, f);
  return u.failed ? -1 : 0;
}

/* The predicate of a subset as code: it gets its argument as variable 0. */
static int compile_predicate(const struct ml_code **out, struct ml_back *b, const struct ml_expr *by, struct err *err) {
  struct ml_function *f = function_without_arguments(b, err);
  struct ml_code *code = arena_alloc(&b->arena, sizeof *code);
  *out = code;
  if (!f) return -1;
  if (!code) return err_memory(err, "compiled declarations");
  struct ml_unit u;
  ml_unit_open(&u, b, NULL, f, err);
  uint16_t w = ml_unit_registers(&u, 2);
  ml_compile_into(&u, by, w, 0);
  ml_emit_index(&u, ML_OP_VARIABLE, w + 1u, 0);
  ml_emit_index(&u, ML_OP_TAIL_APPLY, w, 0);
  code->function = f;
  return ml_unit_close(&u);
}

/* The values of a subset, each once, in order. */
static int list_to_set(struct ml_back *b, ml_value list, ml_value *out, struct err *err) {
  if (ml_multiset_from_list(b->heap, list, out) != ML_SUM_OK) return err_memory(err, "the values of a colour set");
  struct ml_block *set = (struct ml_block *)(uintptr_t)*out;
  for (uint32_t i = 0; i < set->size; i += 2) set->field[i] = ml_from_int(1);
  return 0;
}

struct found {
  struct ml_back *back;
  struct ml_line line;
};
static int keep_value(void *data, ml_value v) {
  struct found *f = data;
  return ml_line_add(&f->line, f->back->heap, v);
}

int ml_define_colset(struct ml *ml, struct ml_colset *c, struct err *err) {
  enum { MOST_TRIED = 100000 }; /* of the set that a predicate chooses from */
  struct ml_back *b = ml->back;
  if (!c->by && !c->with) return 0;
  struct ml_about *about = arena_alloc(&b->arena, sizeof *about);
  if (!about) return err_memory(err, "compiled declarations");
  c->about = about;
  if (c->with) {
    ml_value list;
    return ml_evaluate(ml, c->with, &list, err) || list_to_set(b, list, &about->values, err) ? -1 : 0;
  }
  if (compile_predicate(&about->by, b, c->by, err)) return -1;
  struct found found = {.back = b};
  ml_line_open(&found.line);
  int unknown = ml_colset_size(c->part[0], MOST_TRIED) == 0 || ml_colset_values(b->machine, c, b->heap, keep_value, &found);
  ml_machine_clear(b->machine);
  if (unknown) return 0;
  return list_to_set(b, found.line.first, &about->values, err);
}

/* Of the references of the state that the name speaks of. */
static uint32_t next_reference(const struct ml_global *g, uint64_t after, uint32_t least) {
  uint32_t next = UINT32_MAX;
  for (uint64_t left = ml_uses_kept(g); left; left &= left - 1) {
    uint32_t reference = (uint32_t)__builtin_ctzll(left), number = ml_kept_variable(g->uses.known, reference, after >> reference & 1)->number;
    if (number >= least && number < next) next = number;
  }
  return next;
}

struct next {
  uint64_t after;
  uint32_t least, number;
};

static void find_next(void *context, const struct ml_expr *e) {
  struct next *n = context;
  uint32_t number = e->kind == ML_COLOURED ? e->variable->number : e->kind == ML_GLOBAL ? next_reference(e->global, n->after, n->least) : UINT32_MAX;
  if (number >= n->least && number < n->number) n->number = number;
  ml_below(e, find_next, n);
}

/* The smallest number of a variable that is `least` or more; UINT32_MAX = there is none. */
static uint32_t next_variable(const struct ml_expr *e, uint64_t after, uint32_t least) {
  struct next n = {after, least, UINT32_MAX};
  find_next(&n, e);
  return n.number;
}

size_t ml_free_variables_after(const struct ml_expr *e, uint64_t after, uint32_t *number, size_t room) {
  size_t count = 0;
  for (uint32_t n = 0; (n = next_variable(e, after, n)) != UINT32_MAX; n++, count++)
    if (count < room) number[count] = n;
  return count;
}

size_t ml_free_variables(const struct ml_expr *e, uint32_t *number, size_t room) { return ml_free_variables_after(e, 0, number, room); }
