/* expr.c -- expressions compiled and evaluated.
 *
 * Truth is control flow: a condition becomes jumps, so that && and || stop as soon as they
 * are decided.  What properties are mostly made of, a variable compared with a number, is one
 * instruction that fetches, compares and jumps.  Numbers go over a stack whose greatest
 * depth is known before (at most a few per bracket), so evaluation allocates nothing and the
 * program may be used by many threads.
 *
 *   p > 0 && (q + r == 2 || fireable(t))
 *
 *   0  test p > 0, if not: 9     4  equals 2            7  jump if false: 9
 *   1  push q                     5  jump if true: 8     8  return 1
 *   2  push r                     6  push fireable(t)    9  return 0
 *   3  add
 *
 * expr_define walks the syntax tree over plain values instead.  It shares nothing with the
 * program but the parser: replay uses it to check what the program said. */
#include "model/expr.h"
#include "model/expr_tree.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { EXPR_STACK = 2048 }; /* values; the limit on nesting keeps programs far below */

enum opcode {
  PUSH,      /* k */
  PUSH_VAR,  /* value of var a */
  PUSH_VARS, /* sum of the vars list[a .. a + k) */
  PUSH_FIREABLE,
  PUSH_DEAD,
  ADD,
  SUBTRACT,
  MULTIPLY,
  NEGATE,
  COMPARE,
  COMPARE_NUMBER, /* with k */
  SAME_TRUTH,
  JUMP,     /* to target */
  JUMP_IF,  /* the value taken is true == sense */
  TEST_VAR, /* jump if (var a relation k) == sense */
  RETURN,   /* the value on the stack */
  RETURN_K, /* k */
};

struct instruction {
  uint8_t opcode, relation, sense;
  uint32_t a, target;
  int64_t k;
};

struct expr {
  struct mem *mem;
  const struct model *model;
  struct arena arena; /* text and tree */
  const char *text;
  const struct node *root;
  struct vec(struct instruction) code;
  struct vec(uint32_t) list;         /* operands of PUSH_VARS, PUSH_FIREABLE */
  struct vec(uint32_t) vars, groups; /* mentioned, ascending */
  int64_t (*value)(const struct model *, const uint32_t *state, uint32_t var); /* what a variable is: the model's value or amount */
  int64_t condition; /* number of a condition in the model's own language, and then nothing else counts; -1 = none */
  int needs_cursor;
  int64_t *scratch; /* for define_step; only where fireable or dead occur */
};

/* ---- compiling ------------------------------------------------------------------------ */

struct compiler {
  struct expr *e;
  struct vec(uint32_t) label; /* -> instruction */
  unsigned depth, deepest;
  int refused;
};

static void emit(struct compiler *c, struct instruction i) { c->refused |= vec_push(&c->e->code, c->e->mem, MEM_MODEL, i); }

static void grow(struct compiler *c) {
  if (++c->depth > c->deepest) c->deepest = c->depth;
}

static uint32_t new_label(struct compiler *c) {
  c->refused |= vec_push(&c->label, c->e->mem, MEM_MODEL, 0);
  return (uint32_t)c->label.count - 1;
}

static void place_label(struct compiler *c, uint32_t label) {
  if (!c->refused) c->label.at[label] = (uint32_t)c->e->code.count;
}

/* The single variable of a node, or -1. */
static int64_t lone_var(const struct node *n) { return n->kind == NODE_VARS && n->count == 1 ? (int64_t)n->id[0] : -1; }

static void emit_list(struct compiler *c, enum opcode opcode, const struct node *n) {
  struct expr *e = c->e;
  struct instruction i = {.opcode = (uint8_t)opcode, .a = (uint32_t)e->list.count, .k = n->count};
  if (vec_reserve(&e->list, e->mem, MEM_MODEL, n->count) || e->list.count + n->count > UINT32_MAX) {
    c->refused = -1;
    return;
  }
  memcpy(e->list.at + e->list.count, n->id, n->count * sizeof *n->id);
  e->list.count += n->count;
  emit(c, i);
  grow(c);
}

static void emit_jump(struct compiler *c, const struct node *n, int sense, uint32_t label);

/* Leaves the value of the node on the stack. */
static void emit_value(struct compiler *c, const struct node *n) {
  if (c->refused) return;
  switch (n->kind) {
  case NODE_NUMBER:
    emit(c, (struct instruction){.opcode = PUSH, .k = n->number});
    grow(c);
    return;
  case NODE_VARS:
    if (n->count != 1) {
      emit_list(c, PUSH_VARS, n);
      return;
    }
    emit(c, (struct instruction){.opcode = PUSH_VAR, .a = n->id[0]});
    grow(c);
    return;
  case NODE_FIREABLE: emit_list(c, PUSH_FIREABLE, n); return;
  case NODE_DEAD:
    emit(c, (struct instruction){.opcode = PUSH_DEAD});
    grow(c);
    return;
  case NODE_NEGATE:
    emit_value(c, n->child[0]);
    emit(c, (struct instruction){.opcode = NEGATE});
    return;
  case NODE_SUM:
  case NODE_PRODUCT:
  case NODE_IFF:
    emit_value(c, n->child[0]);
    for (uint32_t i = 1; i < n->count && !c->refused; i++) {
      emit_value(c, n->child[i]);
      enum opcode opcode = n->kind == NODE_PRODUCT ? MULTIPLY : n->kind == NODE_IFF ? SAME_TRUTH : n->minus[i] ? SUBTRACT : ADD;
      emit(c, (struct instruction){.opcode = (uint8_t)opcode});
      c->depth--;
    }
    return;
  case NODE_COMPARE:
    emit_value(c, n->child[0]);
    if (n->child[1]->kind == NODE_NUMBER) {
      emit(c, (struct instruction){.opcode = COMPARE_NUMBER, .relation = (uint8_t)n->relation, .k = n->child[1]->number});
      return;
    }
    emit_value(c, n->child[1]);
    emit(c, (struct instruction){.opcode = COMPARE, .relation = (uint8_t)n->relation});
    c->depth--;
    return;
  default: break;
  }
  /* and, or, not, implies */
  uint32_t no = new_label(c), end = new_label(c);
  emit_jump(c, n, 0, no);
  emit(c, (struct instruction){.opcode = PUSH, .k = 1});
  emit(c, (struct instruction){.opcode = JUMP, .target = end});
  place_label(c, no);
  emit(c, (struct instruction){.opcode = PUSH, .k = 0});
  place_label(c, end);
  grow(c);
}

/* A list of conditions that together are decided by the first one whose truth is `deciding`; the first count - 1 are
   taken the other way round if `flipped` (a -> b is !a or b). Jumps if the whole is `sense`. */
static void emit_decided(struct compiler *c, const struct node *n, int deciding, int flipped, int sense, uint32_t label) {
  uint32_t over = sense == deciding ? label : new_label(c); /* where the deciding ones go */
  for (uint32_t i = 0; i < n->count && !c->refused; i++) {
    int flip = flipped && i + 1 < n->count;
    if (i + 1 < n->count) emit_jump(c, n->child[i], flip ? !deciding : deciding, over);
    else emit_jump(c, n->child[i], sense, label);
  }
  if (sense != deciding) place_label(c, over);
}

static enum relation mirrored(enum relation r) {
  static const enum relation mirror[] = {EQUAL, UNEQUAL, GREATER, AT_LEAST, LESS, AT_MOST};
  return mirror[r];
}

/* Jumps to the label if the truth of the node is `sense`; leaves nothing on the stack. */
static void emit_jump(struct compiler *c, const struct node *n, int sense, uint32_t label) {
  if (c->refused) return;
  switch (n->kind) {
  case NODE_NOT: emit_jump(c, n->child[0], !sense, label); return;
  case NODE_AND: emit_decided(c, n, 0, 0, sense, label); return;
  case NODE_OR: emit_decided(c, n, 1, 0, sense, label); return;
  case NODE_IMPLIES: emit_decided(c, n, 1, 1, sense, label); return;
  case NODE_VARS:
    if (n->count == 1) {
      emit(c, (struct instruction){
                  .opcode = TEST_VAR, .relation = UNEQUAL, .sense = (uint8_t)sense, .a = n->id[0], .target = label});
      return;
    }
    break;
  case NODE_COMPARE:
    for (int side = 0; side < 2; side++) {
      int64_t var = lone_var(n->child[side]);
      if (var < 0 || n->child[!side]->kind != NODE_NUMBER) continue;
      enum relation relation = side ? mirrored(n->relation) : n->relation;
      emit(c, (struct instruction){.opcode = TEST_VAR,
                                   .relation = (uint8_t)relation,
                                   .sense = (uint8_t)sense,
                                   .a = (uint32_t)var,
                                   .target = label,
                                   .k = n->child[!side]->number});
      return;
    }
    break;
  default: break;
  }
  emit_value(c, n);
  emit(c, (struct instruction){.opcode = JUMP_IF, .sense = (uint8_t)sense, .target = label});
  c->depth--;
}

static int compile(struct expr *e, struct err *err) {
  struct compiler c = {.e = e};
  enum node_kind kind = e->root->kind;
  if (kind == NODE_AND || kind == NODE_OR || kind == NODE_NOT || kind == NODE_IMPLIES || kind == NODE_COMPARE) {
    uint32_t no = new_label(&c);
    emit_jump(&c, e->root, 0, no);
    emit(&c, (struct instruction){.opcode = RETURN_K, .k = 1});
    place_label(&c, no);
    emit(&c, (struct instruction){.opcode = RETURN_K, .k = 0});
  } else {
    emit_value(&c, e->root);
    emit(&c, (struct instruction){.opcode = RETURN});
  }
  for (size_t i = 0; i < e->code.count && !c.refused; i++) {
    struct instruction *x = &e->code.at[i];
    if (x->opcode == JUMP || x->opcode == JUMP_IF || x->opcode == TEST_VAR) x->target = c.label.at[x->target];
  }
  vec_free(&c.label, e->mem);
  if (c.refused) return err_memory(err, "an expression");
  if (c.deepest > EXPR_STACK || e->code.count >= UINT32_MAX) return err_usage(err, "the expression is too complex");
  return 0;
}

/* ---- what it mentions ------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Sorts and drops what is there twice; the new count. */
static size_t sort_unique(uint32_t *at, size_t count) {
  size_t kept = 0;
  if (count) qsort(at, count, sizeof *at, by_number);
  for (size_t i = 0; i < count; i++)
    if (!kept || at[kept - 1] != at[i]) at[kept++] = at[i];
  return kept;
}

static int mention(struct expr *e, const struct node *n) {
  if (n->kind == NODE_DEAD) {
    e->needs_cursor = 1;
    for (uint32_t g = 0; g < e->model->groups; g++)
      if (vec_push(&e->groups, e->mem, MEM_MODEL, g)) return -1;
  }
  if (n->kind == NODE_FIREABLE) e->needs_cursor = 1;
  for (uint32_t i = 0; i < n->count; i++) {
    if (n->kind == NODE_VARS       ? vec_push(&e->vars, e->mem, MEM_MODEL, n->id[i])
        : n->kind == NODE_FIREABLE ? vec_push(&e->groups, e->mem, MEM_MODEL, n->id[i])
                                   : mention(e, n->child[i]))
      return -1;
  }
  return 0;
}

/* ---- the door ---------------------------------------------------------------------------- */

int expr_parse(struct expr **out, const struct model *model, struct mem *mem, const char *text, const char *what,
               struct err *err) {
  *out = NULL;
  struct expr *e = mem_alloc(mem, MEM_MODEL, sizeof *e);
  if (!e) return err_memory(err, "an expression");
  *e = (struct expr){.mem = mem, .model = model, .value = model->type->amount ? model->type->amount : model->type->value, .condition = -1};
  arena_open(&e->arena, mem, MEM_MODEL);
  e->text = arena_strndup(&e->arena, text, strlen(text));
  char *asked = arena_strndup(&e->arena, text, strlen(text));
  int status = e->text && asked ? 0 : err_memory(err, "an expression");
  size_t length = strlen(text);
  if (!status && length > 1 && text[0] == '{' && text[length - 1] == '}') asked[0] = asked[length - 1] = ' '; /* in formulas: a condition as a whole */
  /* In the language of the model first; if it is none of that, in our own. What its language says is wrong is told then. Where ours may count (model.h: amount) it is the other way round. */
  struct err own = {0};
  int ours_first = model->type->amount != NULL;
  if (!status && ours_first) e->root = expr_tree_parse(&e->arena, model, mem, asked, what, err);
  if (!status && !e->root && model->type->condition) {
    e->condition = model->type->condition(model, asked, length, what, &own);
    e->needs_cursor = e->condition >= 0;
    if (e->condition >= 0) {
      err_clear(err);
      *out = e;
      return 0;
    }
    if (ours_first) own.kind = ERR_NONE;
  }
  if (!status && !ours_first) e->root = expr_tree_parse(&e->arena, model, mem, asked, what, err);
  if (!status) status = e->root ? 0 : -1;
  if (!status) status = compile(e, err);
  if (!status && mention(e, e->root)) status = err_memory(err, "an expression");
  if (!status && model->type->vars_are_no_numbers && !model->type->amount && e->vars.count) {
    *err = own;
    expr_close(e);
    return -1;
  }
  if (!status && e->needs_cursor) {
    e->scratch = mem_alloc(mem, MEM_MODEL, model->vars * sizeof *e->scratch);
    if (!e->scratch) status = err_memory(err, "an expression");
  }
  if (status) {
    if (own.kind == ERR_INPUT && err->kind == ERR_INPUT) *err = own;
    expr_close(e);
    return -1;
  }
  e->vars.count = sort_unique(e->vars.at, e->vars.count);
  e->groups.count = sort_unique(e->groups.at, e->groups.count);
  *out = e;
  return 0;
}

int expr_of_condition(struct expr **out, const struct model *model, struct mem *mem, uint32_t condition, const char *text, struct err *err) {
  struct expr *e = *out = mem_alloc(mem, MEM_MODEL, sizeof *e);
  if (!e) return err_memory(err, "an expression");
  *e = (struct expr){.mem = mem, .model = model, .condition = condition, .needs_cursor = 1};
  arena_open(&e->arena, mem, MEM_MODEL);
  e->text = arena_strndup(&e->arena, text, strlen(text));
  if (e->text) return 0;
  expr_close(e);
  *out = NULL;
  return err_memory(err, "an expression");
}

void expr_close(struct expr *e) {
  if (!e) return;
  vec_free(&e->code, e->mem);
  vec_free(&e->list, e->mem);
  vec_free(&e->vars, e->mem);
  vec_free(&e->groups, e->mem);
  mem_free(e->mem, e->scratch);
  arena_close(&e->arena);
  mem_free(e->mem, e);
}

const struct node *expr_root(const struct expr *e) { return e->condition >= 0 ? NULL : e->root; }

const char *expr_text(const struct expr *e) { return e->text; }

int expr_needs_cursor(const struct expr *e) { return e->needs_cursor; }

int64_t expr_condition(const struct expr *e) { return e->condition; }

const uint32_t *expr_vars(const struct expr *e, size_t *count) {
  *count = e->vars.count;
  return e->vars.at;
}

const uint32_t *expr_groups(const struct expr *e, size_t *count) {
  *count = e->groups.count;
  return e->groups.at;
}

static int any_fireable(const struct model_type *type, struct model_cursor *c, const uint32_t *state, const uint32_t *group,
                        int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (type->fireable(c, state, group[i])) return 1;
  return 0;
}

int64_t expr_value(const struct expr *e, struct model_cursor *c, const uint32_t *state) {
  const struct model *m = c ? c->model : e->model; /* which may have been made smaller since (model.h: smaller): the same variables in other words */
  const struct model_type *type = m->type;
  if (e->condition >= 0) return type->condition_value(c, state, (uint32_t)e->condition);
  const struct instruction *i = e->code.at;
  int64_t stack[EXPR_STACK + 1], *top = stack; /* top points at the value pushed last; stack[0] is nobody's */
  for (;; i++) {
    switch ((enum opcode)i->opcode) {
    case PUSH: *++top = i->k; break;
    case PUSH_VAR: *++top = e->value(m, state, i->a); break;
    case PUSH_VARS: {
      int64_t sum = 0;
      for (int64_t n = 0; n < i->k; n++) sum = saturating_add(sum, e->value(m, state, e->list.at[i->a + n]));
      *++top = sum;
      break;
    }
    case PUSH_FIREABLE: *++top = any_fireable(type, c, state, e->list.at + i->a, i->k); break;
    case PUSH_DEAD: *++top = model_stuck(c, state); break;
    case ADD: top--, top[0] = saturating_add(top[0], top[1]); break;
    case SUBTRACT: top--, top[0] = saturating_subtract(top[0], top[1]); break;
    case MULTIPLY: top--, top[0] = saturating_multiply(top[0], top[1]); break;
    case NEGATE: top[0] = saturating_subtract(0, top[0]); break;
    case COMPARE: top--, top[0] = compare((enum relation)i->relation, top[0], top[1]); break;
    case COMPARE_NUMBER: top[0] = compare((enum relation)i->relation, top[0], i->k); break;
    case SAME_TRUTH: top--, top[0] = (top[0] != 0) == (top[1] != 0); break;
    case JUMP: i = e->code.at + i->target - 1; break;
    case JUMP_IF:
      if ((*top-- != 0) == i->sense) i = e->code.at + i->target - 1;
      break;
    case TEST_VAR:
      if (compare((enum relation)i->relation, e->value(m, state, i->a), i->k) == i->sense) i = e->code.at + i->target - 1;
      break;
    case RETURN: return *top;
    case RETURN_K: return i->k;
    }
  }
}

/* ---- the definition ------------------------------------------------------------------------ */

/* Is there a step made by `group` (EXPR_ANY_GROUP: by whichever) among those of the definition? Out of memory means no. */
static int among_edges(const struct expr *e, const struct model *m, const int64_t *values, uint32_t group) {
  int64_t *out = mem_alloc(e->mem, MEM_OTHER, (size_t)m->vars * sizeof *out);
  uint32_t made = 0;
  int found = 0;
  for (uint32_t k = 0; out && !found && m->type->define_edge(m, values, k, &made, out, e->mem) == 1; k++)
    found = group == EXPR_ANY_GROUP || made == group;
  mem_free(e->mem, out);
  return found;
}

struct defined { /* a state as plain values */
  struct expr_world world;
  const struct expr *expr;
  const struct model *model;
  const int64_t *values;
};

static int64_t defined_value(const struct expr_world *w, uint32_t var) {
  const struct defined *d = (const struct defined *)w;
  return d->model->type->amount_define ? d->model->type->amount_define(d->model, d->values, var) : d->values[var];
}

static int defined_step(const struct expr_world *w, uint32_t group) {
  const struct defined *d = (const struct defined *)w;
  const struct model *m = d->model;
  if (m->type->define_edge) return among_edges(d->expr, m, d->values, group);
  if (group != EXPR_ANY_GROUP) return m->type->define_step(m, d->values, group, d->expr->scratch) != 0;
  for (uint32_t g = 0; g < m->groups; g++)
    if (m->type->define_step(m, d->values, g, d->expr->scratch)) return 1;
  return 0;
}

int64_t expr_walk(const struct expr_world *w, const struct node *n) {
  int64_t v = 0;
  switch (n->kind) {
  case NODE_NUMBER: return n->number;
  case NODE_VARS:
    for (uint32_t i = 0; i < n->count; i++) v = saturating_add(v, w->value(w, n->id[i]));
    return v;
  case NODE_FIREABLE:
    for (uint32_t i = 0; i < n->count; i++)
      if (w->can_happen(w, n->id[i])) return 1;
    return 0;
  case NODE_DEAD: return !w->can_happen(w, EXPR_ANY_GROUP);
  case NODE_SUM:
    v = expr_walk(w, n->child[0]);
    for (uint32_t i = 1; i < n->count; i++) {
      int64_t next = expr_walk(w, n->child[i]);
      v = n->minus[i] ? saturating_subtract(v, next) : saturating_add(v, next);
    }
    return v;
  case NODE_PRODUCT:
    v = expr_walk(w, n->child[0]);
    for (uint32_t i = 1; i < n->count; i++) v = saturating_multiply(v, expr_walk(w, n->child[i]));
    return v;
  case NODE_NEGATE: return saturating_subtract(0, expr_walk(w, n->child[0]));
  case NODE_COMPARE: return compare(n->relation, expr_walk(w, n->child[0]), expr_walk(w, n->child[1]));
  case NODE_NOT: return !expr_walk(w, n->child[0]);
  case NODE_AND:
    for (uint32_t i = 0; i < n->count; i++)
      if (!expr_walk(w, n->child[i])) return 0;
    return 1;
  case NODE_OR:
    for (uint32_t i = 0; i < n->count; i++)
      if (expr_walk(w, n->child[i])) return 1;
    return 0;
  case NODE_IMPLIES: /* a -> (b -> c) */
    v = expr_walk(w, n->child[n->count - 1]) != 0;
    for (uint32_t i = n->count - 1; i-- > 0;) v = !expr_walk(w, n->child[i]) || v;
    return v;
  case NODE_IFF: /* (a <-> b) <-> c */
    v = expr_walk(w, n->child[0]);
    for (uint32_t i = 1; i < n->count; i++) v = (v != 0) == (expr_walk(w, n->child[i]) != 0);
    return v;
  }
  return 0;
}

int64_t expr_define(const struct expr *e, const struct model *m, const int64_t *values) {
  struct defined d = {{defined_value, defined_step}, e, m, values};
  return e->condition >= 0 ? m->type->condition_define(m, values, (uint32_t)e->condition) : expr_walk(&d.world, e->root);
}
