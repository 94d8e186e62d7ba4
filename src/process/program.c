/* program.c -- building programs: tables that only grow, then one pass that puts them in order.
 *
 * Builders are called thousands of times from parsers; so that those read well, no builder reports a refused request for
 * memory: the program remembers it, hands out index 0 (a harmless entry of every table) and program_finish tells. */
#include "process/program.h"

#include "process/runtime.h"

#include <stdio.h>
#include <string.h>

#define PUSH(p, table, ...) (vec_push(&(p)->table, (p)->mem, MEM_MODEL, __VA_ARGS__) ? ((p)->failed = 1, 0) : (uint32_t)((p)->table.count - 1))

int program_open(struct program **out, struct mem *mem, const char *language, const char *file) {
  struct program *p = mem_alloc(mem, MEM_MODEL, sizeof *p);
  *out = p;
  if (!p) return -1;
  p->mem = mem;
  p->language = language;
  p->file = program_text(p, file, strlen(file));
  /* Index 0 of these tables means "none"; a builder that failed hands it out. */
  PUSH(p, types, (struct ir_type){.kind = IR_NUMBER, .name = "int", .bits = 32, .is_signed = 1, .cells = 1});
  PUSH(p, decls, (struct ir_decl){.name = "", .cells = 1});
  PUSH(p, nodes, (struct ir_node){.op = IR_NONE});
  PUSH(p, refs, (struct ir_lvalue){.where = IR_GLOBAL});
  if (p->failed) {
    program_close(p);
    *out = NULL;
    return -1;
  }
  return 0;
}

void program_close(struct program *p) {
  if (!p) return;
  struct mem *mem = p->mem;
  if (p->reader.close) p->reader.close(p->reader.context);
  for (size_t i = 0; i < p->names.count; i++) vec_free(&p->names.at[i].name, mem);
  for (size_t i = 0; i < p->strings.count; i++) mem_free(mem, p->strings.at[i]);
  vec_free(&p->types, mem);
  vec_free(&p->fields, mem);
  vec_free(&p->chans, mem);
  vec_free(&p->chan_fields, mem);
  vec_free(&p->decls, mem);
  vec_free(&p->nodes, mem);
  vec_free(&p->refs, mem);
  vec_free(&p->indices, mem);
  vec_free(&p->comms, mem);
  vec_free(&p->args, mem);
  vec_free(&p->actions, mem);
  vec_free(&p->trans, mem);
  vec_free(&p->states, mem);
  vec_free(&p->labels, mem);
  vec_free(&p->procs, mem);
  vec_free(&p->inits, mem);
  vec_free(&p->names, mem);
  vec_free(&p->ltls, mem);
  vec_free(&p->c_parts, mem);
  vec_free(&p->strings, mem);
  vec_free(&p->start, mem);
  mem_free(mem, p);
}

const char *program_text(struct program *p, const char *text, size_t length) {
  char *copy = mem_alloc(p->mem, MEM_MODEL, length + 1);
  if (!copy || vec_push(&p->strings, p->mem, MEM_MODEL, copy)) {
    mem_free(p->mem, copy);
    p->failed = 1;
    return "";
  }
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

uint32_t program_names(struct program *p, const char *set) {
  for (uint32_t i = 0; i < p->names.count; i++)
    if (!strcmp(p->names.at[i].set, set)) return i;
  return PUSH(p, names, (struct ir_names){.set = program_text(p, set, strlen(set))});
}

void program_name(struct program *p, uint32_t names, uint32_t value, const char *name) {
  if (names >= p->names.count) return;
  struct ir_names *n = &p->names.at[names];
  while (n->name.count <= value)
    if (vec_push(&n->name, p->mem, MEM_MODEL, NULL)) {
      p->failed = 1;
      return;
    }
  n->name.at[value] = program_text(p, name, strlen(name));
}

/* ---- types and declarations --------------------------------------------------------------------------------------- */

uint32_t program_scalar(struct program *p, enum ir_kind kind, const char *name, unsigned bits, int is_signed, uint32_t names) {
  for (uint32_t i = 0; i < p->types.count; i++) {
    const struct ir_type *t = &p->types.at[i];
    if (t->kind == kind && t->bits == bits && t->is_signed == is_signed && t->names == names && !strcmp(t->name, name)) return i;
  }
  return PUSH(p, types,
              (struct ir_type){.kind = kind,
                               .name = program_text(p, name, strlen(name)),
                               .bits = (uint8_t)bits,
                               .is_signed = (uint8_t)is_signed,
                               .names = names,
                               .cells = 1});
}

uint32_t program_record(struct program *p, const char *name) {
  return PUSH(p, types,
              (struct ir_type){.kind = IR_RECORD, .name = program_text(p, name, strlen(name)), .field = (uint32_t)p->fields.count});
}

static uint32_t elements(uint32_t count) { return count ? count : 1; }

void program_field(struct program *p, uint32_t record, const char *name, uint32_t type, uint32_t count) {
  if (record >= p->types.count || type >= p->types.count) return;
  struct ir_type *r = &p->types.at[record];
  uint64_t cells = (uint64_t)r->cells + (uint64_t)p->types.at[type].cells * elements(count);
  if (cells > PROGRAM_CELLS_MAX) {
    p->too_large = 1;
    return;
  }
  PUSH(p, fields, (struct ir_field){program_text(p, name, strlen(name)), type, count, r->cells});
  r->fields++;
  r->cells = (uint32_t)cells;
}

uint32_t program_chan(struct program *p, uint32_t capacity, const uint32_t *field_types, uint32_t fields) {
  struct ir_chan c = {capacity, capacity, (uint32_t)p->chan_fields.count, fields};
  for (uint32_t i = 0; i < fields; i++) PUSH(p, chan_fields, field_types[i]);
  return PUSH(p, chans, c);
}

uint32_t program_proc(struct program *p, const char *name, struct place_in_text place) {
  return PUSH(p, procs, (struct ir_proc){.name = program_text(p, name, strlen(name)), .place = place});
}

uint32_t program_declare(struct program *p, const struct ir_decl *decl) {
  struct ir_decl d = *decl;
  d.name = program_text(p, d.name, strlen(d.name));
  if (d.type >= p->types.count || d.scope > p->procs.count) return 0;
  struct ir_proc *proc = d.scope ? &p->procs.at[d.scope - 1] : NULL;
  uint32_t *cells = proc ? &proc->cells : &p->global_cells;
  uint32_t *chans = proc ? &proc->chans : &p->global_chans;
  uint64_t more = (uint64_t)p->types.at[d.type].cells * elements(d.count);
  if (*cells + more > PROGRAM_CELLS_MAX) {
    p->too_large = 1;
    return 0;
  }
  d.base = *cells;
  d.cells = (uint32_t)more;
  d.first_chan = *chans;
  *cells += d.cells;
  if (d.chan) *chans += d.cells;
  if (proc && d.flags & IR_PARAM) proc->params += d.cells;
  return PUSH(p, decls, d);
}

void program_init(struct program *p, uint32_t scope, ir_ref ref, ir_expr expr) {
  PUSH(p, inits, (struct ir_init){scope, ref, expr});
}

/* ---- expressions ---------------------------------------------------------------------------------------------------- */

ir_expr program_node(struct program *p, struct ir_node node) { return PUSH(p, nodes, node); }

ir_expr program_value(struct program *p, int32_t value) {
  return program_node(p, (struct ir_node){.op = IR_VALUE, .value = value});
}

int program_constant(const struct program *p, ir_expr e, int32_t *out) {
  if (!e || p->nodes.at[e].op != IR_VALUE) return 0;
  *out = p->nodes.at[e].value;
  return 1;
}

ir_expr program_unary(struct program *p, enum ir_op op, ir_expr a, struct place_in_text place) {
  int32_t v;
  if (program_constant(p, a, &v)) {
    if (op == IR_NEG) return program_value(p, (int32_t)(0u - (uint32_t)v));
    if (op == IR_NOT) return program_value(p, !v);
    if (op == IR_INVERT) return program_value(p, ~v);
  }
  return program_node(p, (struct ir_node){.op = (uint8_t)op, .a = a, .place = place});
}

ir_expr program_binary(struct program *p, enum ir_op op, ir_expr a, ir_expr b, struct place_in_text place) {
  int32_t x, y, value;
  if (program_constant(p, a, &x) && program_constant(p, b, &y) && program_apply(op, x, y, &value)) return program_value(p, value);
  return program_node(p, (struct ir_node){.op = (uint8_t)op, .a = a, .b = b, .place = place});
}

ir_expr program_load(struct program *p, ir_ref ref) {
  return program_node(p, (struct ir_node){.op = IR_LOAD, .a = ref, .place = p->refs.at[ref].place});
}

/* ---- lvalues ---------------------------------------------------------------------------------------------------------- */

ir_ref program_ref(struct program *p, uint32_t decl, struct place_in_text place) {
  const struct ir_decl *d = &p->decls.at[decl];
  return PUSH(p, refs,
              (struct ir_lvalue){.where = d->scope ? IR_LOCAL : IR_GLOBAL,
                                 .decl = decl,
                                 .type = d->type,
                                 .count = d->count,
                                 .base = d->base,
                                 .index = (uint32_t)p->indices.count,
                                 .place = place});
}

ir_ref program_ref_remote(struct program *p, uint32_t decl, ir_expr pid, struct place_in_text place) {
  ir_ref ref = program_ref(p, decl, place);
  if (!ref) return 0;
  p->refs.at[ref].where = IR_REMOTE;
  p->refs.at[ref].proc = p->decls.at[decl].scope - 1;
  p->refs.at[ref].slot = pid;
  return ref;
}

ir_ref program_ref_heap(struct program *p, ir_expr pointer, uint32_t type, struct place_in_text place) {
  p->uses_heap = 1;
  return PUSH(p, refs,
              (struct ir_lvalue){
                  .where = IR_HEAP, .type = type, .slot = pointer, .index = (uint32_t)p->indices.count, .place = place});
}

ir_ref program_ref_index(struct program *p, ir_ref ref, ir_expr expr) {
  struct ir_lvalue r = p->refs.at[ref];
  if (!ref || !r.count) return 0;
  struct ir_index i = {expr, p->types.at[r.type].cells, r.count};
  int32_t constant;
  r.count = 0;
  if (program_constant(p, expr, &constant) && constant >= 0 && (uint32_t)constant < i.bound) {
    r.base += (uint32_t)constant * i.stride;
    return PUSH(p, refs, r);
  }
  /* The indices of one lvalue lie side by side; what was begun earlier is copied to the end. */
  uint32_t first = (uint32_t)p->indices.count;
  for (uint32_t k = 0; k < r.indices; k++) {
    struct ir_index earlier = p->indices.at[r.index + k];
    PUSH(p, indices, earlier);
  }
  PUSH(p, indices, i);
  r.index = first;
  r.indices++;
  return PUSH(p, refs, r);
}

ir_ref program_ref_field(struct program *p, ir_ref ref, const char *name, size_t length) {
  struct ir_lvalue r = p->refs.at[ref];
  const struct ir_type *t = &p->types.at[r.type];
  if (!ref || r.count || t->kind != IR_RECORD) return 0;
  for (uint32_t i = 0; i < t->fields; i++) {
    const struct ir_field *f = &p->fields.at[t->field + i];
    if (strlen(f->name) != length || memcmp(f->name, name, length)) continue;
    r.type = f->type;
    r.count = f->count;
    r.base += f->offset;
    return PUSH(p, refs, r);
  }
  return 0;
}

/* ---- control ------------------------------------------------------------------------------------------------------------ */

uint32_t program_args(struct program *p, const struct ir_arg *args, uint32_t count) {
  uint32_t first = (uint32_t)p->args.count;
  for (uint32_t i = 0; i < count; i++) PUSH(p, args, args[i]);
  return first;
}

uint32_t program_comm(struct program *p, const struct ir_comm *comm) { return 1 + PUSH(p, comms, *comm); }

uint32_t program_state(struct program *p, uint32_t proc, unsigned flags, struct place_in_text place) {
  uint32_t number = p->procs.at[proc].states++;
  PUSH(p, states, (struct ir_state){.proc = proc, .number = number, .flags = (uint8_t)flags, .place = place});
  return number;
}

void program_state_flag(struct program *p, uint32_t proc, uint32_t state, unsigned flags) {
  for (size_t i = p->states.count; i-- > 0;)
    if (p->states.at[i].proc == proc && p->states.at[i].number == state) {
      p->states.at[i].flags |= (uint8_t)flags;
      return;
    }
}

uint32_t program_label(struct program *p, uint32_t proc, const char *name, uint32_t state) {
  return PUSH(p, labels, (struct ir_label){program_text(p, name, strlen(name)), proc, state});
}

uint32_t program_trans(struct program *p, const struct ir_trans *trans, const struct ir_action *actions, uint32_t count) {
  struct ir_trans t = *trans;
  t.action = (uint32_t)p->actions.count;
  t.actions = count;
  for (uint32_t i = 0; i < count; i++) PUSH(p, actions, actions[i]);
  return PUSH(p, trans, t);
}

/* ---- finishing ------------------------------------------------------------------------------------------------------------ */

/* Stable order by (process type, control state): counting sort over states. */
static int order_states(struct program *p) {
  uint32_t at = 0;
  for (size_t i = 0; i < p->procs.count; i++) {
    p->procs.at[i].state = at;
    at += p->procs.at[i].states;
  }
  struct ir_state *sorted = mem_alloc(p->mem, MEM_MODEL, (p->states.count + 1) * sizeof *sorted);
  if (!sorted) return -1;
  for (size_t i = 0; i < p->states.count; i++) {
    const struct ir_state *s = &p->states.at[i];
    sorted[p->procs.at[s->proc].state + s->number] = *s;
  }
  if (p->states.count) memcpy(p->states.at, sorted, p->states.count * sizeof *sorted);
  mem_free(p->mem, sorted);
  return 0;
}

static int order_transitions(struct program *p) {
  struct ir_trans *sorted = mem_alloc(p->mem, MEM_MODEL, (p->trans.count + 1) * sizeof *sorted);
  if (!sorted) return -1;
  for (size_t i = 0; i < p->states.count; i++) p->states.at[i].transitions = 0;
  for (size_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    p->states.at[p->procs.at[t->proc].state + t->from].transitions++;
  }
  uint32_t at = 0;
  for (size_t i = 0; i < p->states.count; i++) {
    p->states.at[i].trans = at;
    at += p->states.at[i].transitions;
    p->states.at[i].transitions = 0;
  }
  for (size_t i = 0; i < p->trans.count; i++) {
    struct ir_state *s = &p->states.at[p->procs.at[p->trans.at[i].proc].state + p->trans.at[i].from];
    sorted[s->trans + s->transitions++] = p->trans.at[i];
  }
  if (p->trans.count) memcpy(p->trans.at, sorted, p->trans.count * sizeof *sorted);
  mem_free(p->mem, sorted);
  return 0;
}

static void mark_written(struct program *p, ir_ref ref) {
  if (ref && p->refs.at[ref].where != IR_HEAP) p->decls.at[p->refs.at[ref].decl].flags &= ~(uint32_t)IR_CONST;
}

/* What no transition writes keeps its first value: it need not be in the state. Parameters get theirs from `run`. */
static void find_constants(struct program *p) {
  for (size_t i = 1; i < p->decls.count; i++)
    if (!(p->decls.at[i].flags & IR_PARAM)) p->decls.at[i].flags |= IR_CONST;
  for (size_t i = 0; i < p->actions.count; i++) mark_written(p, p->actions.at[i].ref);
  for (size_t i = 0; i < p->args.count; i++)
    if (p->args.at[i].kind == IR_ARG_BIND) mark_written(p, p->args.at[i].what);
  if (p->uses_c)
    for (size_t i = 1; i < p->decls.count; i++) p->decls.at[i].flags &= ~(uint32_t)IR_CONST;
  /* A local whose first value depends on the moment of creation is not the same in every instance. */
  for (size_t i = 1; i < p->decls.count; i++) {
    struct ir_decl *d = &p->decls.at[i];
    int32_t value;
    if (d->scope && d->init && !program_constant(p, d->init, &value)) d->flags &= ~(uint32_t)IR_CONST;
  }
  for (size_t i = 0; i < p->inits.count; i++) {
    int32_t value;
    if (p->inits.at[i].scope && !program_constant(p, p->inits.at[i].expr, &value)) mark_written(p, p->inits.at[i].ref);
  }
}

static int check(const struct program *p, struct err *err) {
  for (size_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    if (t->proc >= p->procs.count || t->from >= p->procs.at[t->proc].states ||
        (!(t->flags & IR_END) && t->to >= p->procs.at[t->proc].states))
      return err_internal(err, "a transition of process type %u leads nowhere", (unsigned)t->proc);
  }
  for (size_t i = 1; i < p->nodes.count; i++)
    if (p->nodes.at[i].op == IR_LOAD) {
      const struct ir_lvalue *r = &p->refs.at[p->nodes.at[i].a];
      if (r->count || !program_is_scalar(p, r->type)) return err_internal(err, "a whole array or record is read as a value");
    }
  return 0;
}

static void find_uses(struct program *p) {
  for (size_t i = 1; i < p->nodes.count; i++) switch (p->nodes.at[i].op) {
    case IR_TIMEOUT: p->uses_timeout = 1; break;
    case IR_LAST: p->uses_last = 1; break;
    case IR_NP: p->uses_np = 1; break;
    case IR_C_EXPR: p->uses_c = 1; break;
    case IR_PRIORITY: p->uses_priority = 1; break;
    default: break;
    }
  for (size_t i = 0; i < p->actions.count; i++) {
    if (p->actions.at[i].kind == IR_C_CODE) p->uses_c = 1;
    if (p->actions.at[i].kind == IR_NEW) p->uses_heap = 1;
    if (p->actions.at[i].kind == IR_SET_PRIORITY || (p->actions.at[i].kind == IR_RUN && p->actions.at[i].value)) p->uses_priority = 1;
  }
  for (size_t i = 0; i < p->states.count; i++)
    if (p->states.at[i].flags & IR_COMMITTED) p->uses_committed = 1;
  for (size_t i = 0; i < p->procs.count; i++) {
    if (p->procs.at[i].provided) p->uses_provided = 1;
    if (p->procs.at[i].priority) p->uses_priority = 1;
  }
  for (size_t i = 0; i < p->chans.count; i++)
    if (!p->chans.at[i].capacity) p->uses_rendezvous = 1;
}

/* After a rendezvous the receiver goes on: the sender waits where it has come to, though that be inside a d_step. */
static void find_waiting(struct program *p) {
  for (size_t i = 0; i < p->trans.count && p->uses_rendezvous; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    if (t->comm && p->comms.at[t->comm - 1].flags & IR_SEND && !(t->flags & IR_END)) p->states.at[p->procs.at[t->proc].state + t->to].flags &= (uint8_t)~IR_INNER;
  }
}

/* Initial values of one scope lie side by side, in the order of their adding. */
static int order_inits(struct program *p) {
  struct vec(struct ir_init) sorted = {0};
  for (uint32_t scope = 0; scope <= p->procs.count; scope++) {
    uint32_t first = (uint32_t)sorted.count;
    for (size_t i = 0; i < p->inits.count; i++)
      if (p->inits.at[i].scope == scope && vec_push(&sorted, p->mem, MEM_MODEL, p->inits.at[i])) {
        vec_free(&sorted, p->mem);
        return -1;
      }
    uint32_t count = (uint32_t)sorted.count - first;
    if (scope) {
      p->procs.at[scope - 1].init = first;
      p->procs.at[scope - 1].inits = count;
    } else {
      p->global_inits = count;
    }
  }
  if (sorted.count) memcpy(p->inits.at, sorted.at, sorted.count * sizeof *sorted.at);
  vec_free(&sorted, p->mem);
  return 0;
}

int program_finish(struct program *p, struct err *err) {
  if (p->failed || order_states(p) || order_transitions(p) || order_inits(p)) return err_memory(err, "the program");
  if (p->too_large)
    return err_input(err, (struct place_in_text){p->file, 0, 0}, "the model declares more than %u variables", PROGRAM_CELLS_MAX);
  find_uses(p);
  find_constants(p);
  if (check(p, err)) return -1;
  find_waiting(p);
  return 0;
}

/* ---- reading ---------------------------------------------------------------------------------------------------------------- */

static const struct ir_decl *decl_of(const struct program *p, uint32_t scope, uint32_t cell) {
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope == scope && cell >= d->base && cell - d->base < d->cells) return d;
  }
  return &p->decls.at[0];
}

uint32_t program_cell_decl(const struct program *p, uint32_t scope, uint32_t cell) {
  return (uint32_t)(decl_of(p, scope, cell) - p->decls.at);
}

/* Walks down a type to the scalar at `cell`, appending indices and field names. */
static uint32_t walk(const struct program *p, uint32_t type, uint32_t count, uint32_t cell, char *out, size_t room) {
  for (;;) {
    const struct ir_type *t = &p->types.at[type];
    size_t used = out ? strlen(out) : 0;
    if (count && t->cells) {
      if (out) snprintf(out + used, room - used, "[%u]", (unsigned)(cell / t->cells));
      cell %= t->cells;
      count = 0;
      continue;
    }
    if (t->kind != IR_RECORD) return type;
    uint32_t i = 0;
    while (i + 1 < t->fields && p->fields.at[t->field + i + 1].offset <= cell) i++;
    const struct ir_field *f = &p->fields.at[t->field + i];
    if (out) snprintf(out + used, room - used, ".%s", f->name);
    cell -= f->offset;
    type = f->type;
    count = f->count;
  }
}

uint32_t program_type_in(const struct program *p, uint32_t type, uint32_t count, uint32_t cell) {
  return walk(p, type, count, cell, NULL, 0);
}

char *program_decl_name(const struct program *p, uint32_t decl, char *out, size_t room) {
  const struct ir_decl *d = &p->decls.at[decl];
  unsigned nth = 1; /* blocks and inlines declare the same name again */
  for (const struct ir_decl *other = p->decls.at + 1; other < d; other++)
    nth += other->scope == d->scope && strcmp(other->name, d->name) == 0;
  if (nth > 1) snprintf(out, room, "%s#%u", d->name, nth);
  else snprintf(out, room, "%s", d->name);
  return out;
}

char *program_cell_name(const struct program *p, uint32_t scope, uint32_t cell, char *out, size_t room) {
  const struct ir_decl *d = decl_of(p, scope, cell);
  if (d == p->decls.at) snprintf(out, room, "?");
  else program_decl_name(p, (uint32_t)(d - p->decls.at), out, room);
  walk(p, d->type, d->count, cell - d->base, out, room);
  return out;
}

char *program_field_name(const struct program *p, uint32_t type, uint32_t count, uint32_t cell, char *out, size_t room) {
  walk(p, type, count, cell, out, room);
  return out;
}

uint32_t program_cell_type(const struct program *p, uint32_t scope, uint32_t cell) {
  const struct ir_decl *d = decl_of(p, scope, cell);
  return walk(p, d->type, d->count, cell - d->base, NULL, 0);
}

int program_apply(enum ir_op op, int32_t a, int32_t b, int32_t *out) {
  uint32_t x = (uint32_t)a, y = (uint32_t)b, r;
  switch (op) {
  case IR_ADD: r = x + y; break;
  case IR_SUB: r = x - y; break;
  case IR_MUL: r = x * y; break;
  case IR_DIV:
    if (!b) return 0;
    r = b == -1 ? 0 - x : (uint32_t)(a / b);
    break;
  case IR_MOD:
    if (!b) return 0;
    r = b == -1 ? 0 : (uint32_t)(a % b);
    break;
  case IR_BAND: r = x & y; break;
  case IR_BOR: r = x | y; break;
  case IR_BXOR: r = x ^ y; break;
  case IR_SHL: r = x << (y & 31); break;
  case IR_SHR: r = (uint32_t)(a >> (y & 31)); break;
  case IR_LT: r = a < b; break;
  case IR_LE: r = a <= b; break;
  case IR_GT: r = a > b; break;
  case IR_GE: r = a >= b; break;
  case IR_EQ: r = a == b; break;
  case IR_NE: r = a != b; break;
  case IR_AND: r = a && b; break;
  case IR_OR: r = a || b; break;
  case IR_IMPLIES: r = !a || b; break;
  default: return 0;
  }
  *out = (int32_t)r;
  return 1;
}

int32_t program_cut(const struct ir_type *t, int32_t value) { return runtime_cut(t->bits, t->is_signed, value); }
