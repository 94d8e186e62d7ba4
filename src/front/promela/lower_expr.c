/* lower_expr.c -- expressions, references and messages into the program's tables. */
#include "front/promela/flow.h"

#include <string.h>

static ir_expr node(struct parser *p, enum ir_op op, ir_expr a, struct place_in_text place) {
  return program_node(p->program, (struct ir_node){.op = (uint8_t)op, .a = a, .place = place});
}

/* ---- references ------------------------------------------------------------------------------------------------ */

static ir_ref follow(struct parser *p, ir_ref r, const struct step *steps) {
  for (; steps && r; steps = steps->next)
    r = steps->index ? program_ref_index(p->program, r, promela_expr(p, steps->index))
                     : program_ref_field(p->program, r, steps->field, steps->length);
  return r;
}

ir_ref promela_ref(struct parser *p, struct ref *r) {
  ir_ref start;
  if (r->pointer) {
    uint32_t type;
    if (!tree_is_pointer(p, r->pointer, &type) || !type) return 0;
    start = program_ref_heap(p->program, promela_expr(p, r->pointer), p->program->types.at[type].names, r->place);
  } else {
    start = program_ref(p->program, r->symbol->decl, r->place);
  }
  return follow(p, start, r->steps);
}

/* ---- other processes ------------------------------------------------------------------------------------------- */

/* P@x without a number: the process of that type with the lowest one at that moment. */
static ir_expr pid_of(struct parser *p, const struct expr *e, uint32_t proc) {
  if (e->a) return promela_expr(p, e->a);
  return program_node(p->program, (struct ir_node){.op = IR_FIRST, .b = proc, .place = e->place});
}

static ir_expr lower_at(struct parser *p, struct expr *e) {
  struct proc_text *t = proc_text_find(p, e->name);
  const struct flow_label *found = NULL;
  if (t && t->flow)
    for (const struct flow_label *l = t->flow->labels; l && !found; l = l->older)
      if (!strcmp(l->symbol->name, e->label)) found = l;
  if (!found) {
    parse_error(p, e->place, "the process type %s has no label %s", e->name, e->label);
    return 0;
  }
  /* A label that control never stops at. */
  if (!found->element->state) return program_value(p->program, 0);
  for (uint32_t i = 0; i < p->program->labels.count; i++) {
    const struct ir_label *l = &p->program->labels.at[i];
    if (l->proc == t->proc && l->state == found->element->state - 1 && !strcmp(l->name, e->label))
      return program_node(p->program,
                          (struct ir_node){.op = IR_AT, .a = pid_of(p, e, t->proc), .b = t->proc, .c = i, .place = e->place});
  }
  return program_value(p->program, 0);
}

/* ---- expressions ----------------------------------------------------------------------------------------------- */

/* C says itself whether its value is true: the value may be wider than a number, or none. */
static void only_truth(struct parser *p, struct expr *e) {
  struct program *g = p->program;
  if (e->kind == EXPR_COND) only_truth(p, e->b), only_truth(p, e->c);
  if (e->kind != EXPR_C || (size_t)e->value >= g->c_parts.count) return;
  if (!p->asked) g->c_parts.at[e->value].truth = 1;
  else if (!g->c_parts.at[e->value].truth) e->value++; /* it is compiled already, both ways */
}

ir_expr promela_truth(struct parser *p, struct expr *e) {
  only_truth(p, e);
  return promela_expr(p, e);
}

ir_expr promela_expr(struct parser *p, struct expr *e) {
  struct program *g = p->program;
  switch (e->kind) {
  case EXPR_VALUE: return program_value(g, e->value);
  case EXPR_REF:
    if (e->ref->symbol && e->ref->symbol->kind == SYMBOL_SPECIAL) return program_value(g, 0); /* told before */
    if (!e->ref->count && !program_is_scalar(g, e->ref->type)) {
      parse_error(p, e->place, "a whole record has no value: a field is missing");
      return 0;
    }
    return program_load(g, promela_ref(p, e->ref));
  case EXPR_UNARY:
    if (e->op == IR_NOT) only_truth(p, e->a);
    return program_unary(g, e->op, promela_expr(p, e->a), e->place);
  case EXPR_BINARY: {
    if (e->op == IR_AND || e->op == IR_OR) only_truth(p, e->a), only_truth(p, e->b);
    ir_expr a = promela_expr(p, e->a);
    return program_binary(g, e->op, a, promela_expr(p, e->b), e->place);
  }
  case EXPR_COND: {
    ir_expr a = promela_truth(p, e->a), b = promela_expr(p, e->b), c = promela_expr(p, e->c);
    return program_node(g, (struct ir_node){.op = IR_COND, .a = a, .b = b, .c = c, .place = e->place});
  }
  case EXPR_CHANNEL: return node(p, e->op, program_load(g, promela_ref(p, e->ref)), e->place);
  case EXPR_POLL: return node(p, IR_POLL, promela_comm(p, e->ref, e->args, e->flags, e->place, COMM_POLL), e->place);
  case EXPR_AT: return lower_at(p, e);
  case EXPR_REMOTE: {
    struct proc_text *t = proc_text_find(p, e->name);
    ir_ref r = program_ref_remote(g, e->ref->symbol->decl, pid_of(p, e, t->proc), e->place);
    r = follow(p, r, e->ref->steps);
    if (r && !program_is_scalar(g, g->refs.at[r].type)) {
      parse_error(p, e->place, "a whole record has no value: a field is missing");
      return 0;
    }
    return program_load(g, r);
  }
  case EXPR_OF_PROCESS: return node(p, e->op, promela_expr(p, e->a), e->place);
  case EXPR_PLAIN: return node(p, e->op, 0, e->place);
  case EXPR_C: return program_node(g, (struct ir_node){.op = IR_C_EXPR, .value = e->value, .place = e->place});
  case EXPR_NULL: return node(p, IR_NULL_POINTER, 0, e->place);
  case EXPR_EVAL: return promela_expr(p, e->a);
  case EXPR_RUN:
    if (e == p->youngest) return program_binary(g, IR_SUB, node(p, IR_NR_PR, 0, e->place), program_value(g, 1), e->place);
    parse_error(p, e->place, "run cannot be used here");
    return 0;
  }
  return 0;
}

/* ---- messages -------------------------------------------------------------------------------------------------- */

enum { CELLS_MAX = 256 }; /* of one message or call */

struct cells {
  struct ir_arg at[CELLS_MAX];
  uint32_t count;
};

static void push(struct parser *p, struct cells *c, struct ir_arg a, struct place_in_text place) {
  if (c->count < CELLS_MAX) c->at[c->count++] = a;
  else if (!p->errors) parse_error(p, place, "there are more than %d values here", CELLS_MAX);
}

/* The cells of a record in order, each as a value or as a place to put one. */
static void spread(struct parser *p, struct cells *c, ir_ref r, int bind, struct place_in_text place) {
  struct program *g = p->program;
  uint32_t type = g->refs.at[r].type, count = g->refs.at[r].count;
  if (count) {
    for (uint32_t i = 0; i < count && c->count < CELLS_MAX; i++)
      spread(p, c, program_ref_index(g, r, program_value(g, (int32_t)i)), bind, place);
    return;
  }
  if (program_is_scalar(g, type)) {
    push(p, c, (struct ir_arg){bind ? IR_ARG_BIND : IR_ARG_VALUE, bind ? r : program_load(g, r)}, place);
    return;
  }
  for (uint32_t i = 0; i < g->types.at[type].fields && c->count < CELLS_MAX; i++) {
    const char *name = g->fields.at[g->types.at[type].field + i].name;
    spread(p, c, program_ref_field(g, r, name, strlen(name)), bind, place);
  }
}

static int is_record(struct parser *p, const struct expr *e) {
  return e->kind == EXPR_REF && e->ref->symbol != NULL && e->ref->symbol->kind == SYMBOL_VARIABLE && !e->ref->count &&
         !program_is_scalar(p->program, e->ref->type);
}

static void value_args(struct parser *p, struct cells *c, struct expr *args, int trace) {
  for (struct expr *e = args; e; e = e->next) {
    if (trace && e->kind != EXPR_VALUE) push(p, c, (struct ir_arg){IR_ARG_IGNORE, 0}, e->place);
    else if (is_record(p, e)) spread(p, c, promela_ref(p, e->ref), 0, e->place);
    else push(p, c, (struct ir_arg){trace ? IR_ARG_MATCH : IR_ARG_VALUE, promela_expr(p, e)}, e->place);
  }
}

static void receive_args(struct parser *p, struct cells *c, struct expr *args, int look) {
  for (struct expr *e = args; e; e = e->next) {
    if (e->kind == EXPR_VALUE || e->kind == EXPR_EVAL || e->kind == EXPR_PLAIN || e->kind == EXPR_OF_PROCESS)
      push(p, c, (struct ir_arg){IR_ARG_MATCH, promela_expr(p, e)}, e->place);
    else if (e->ref->symbol && e->ref->symbol->kind == SYMBOL_SPECIAL) push(p, c, (struct ir_arg){IR_ARG_IGNORE, 0}, e->place);
    else {
      uint32_t before = c->count;
      spread(p, c, promela_ref(p, e->ref), 1, e->place);
      if (look) /* nothing is received */
        for (uint32_t i = before; i < c->count; i++) c->at[i] = (struct ir_arg){IR_ARG_IGNORE, 0};
    }
  }
}

/* Who only looks at a message may leave out its last fields: pan compares and reads what is there.  Who takes it away and does not take all of it makes a fault at run time. */
static int may_be_short(unsigned flags, enum comm_use use) { return flags & IR_RECEIVE && (use != COMM_STEP || flags & IR_PEEK); }

/* The largest message of all channels. */
static uint32_t fields_most(const struct program *g) {
  uint32_t most = 0;
  for (size_t i = 0; i < g->chans.count; i++)
    if (g->chans.at[i].fields > most) most = g->chans.at[i].fields;
  return most;
}

/* As SPIN has it: a message that no channel of the model can take is refused, one that another
 * channel could take is an error of the run. */
static void check_fields(struct parser *p, const struct symbol *s, uint32_t given, unsigned flags,
                         struct place_in_text place, enum comm_use use) {
  int known = s && s->chan_fields, many = known && given > s->chan_fields - 1;
  if (many && use != COMM_STEP)
    parse_error(p, place, "%s carries messages of %u field%s, here are %u", s->name,
                s->chan_fields - 1, s->chan_fields == 2 ? "" : "s", given);
  else if (use == COMM_STEP && flags & IR_SEND && p->program->chans.count &&
           given > fields_most(p->program))
    parse_error(p, place, "no channel carries messages of %u fields", given);
  else if (many || (known && flags & IR_SEND && given < s->chan_fields - 1))
    parse_warning(
        p, place,
        "%s carries messages of %u field%s, here %s %u: whoever gets here makes an error (runtime)",
        s->name, s->chan_fields - 1, s->chan_fields == 2 ? "" : "s", given == 1 ? "is" : "are",
        given);
}

uint32_t promela_comm(struct parser *p, struct ref *chan, struct expr *args, unsigned flags, struct place_in_text place,
                      enum comm_use use) {
  struct cells c = {.count = 0};
  if (flags & IR_SEND) value_args(p, &c, args, use == COMM_TRACE);
  else receive_args(p, &c, args, use != COMM_STEP);
  const struct symbol *s = chan->symbol;
  check_fields(p, s, c.count, flags, place, use);
  if (s && s->chan_fields && may_be_short(flags, use))
    while (c.count < s->chan_fields - 1) push(p, &c, (struct ir_arg){IR_ARG_IGNORE, 0}, place);
  struct ir_comm comm = {.flags = flags, .chan = program_load(p->program, promela_ref(p, chan)), .args = c.count, .place = place};
  comm.arg = program_args(p->program, c.at, c.count);
  return program_comm(p->program, &comm);
}

uint32_t promela_values(struct parser *p, struct expr *args, uint32_t *count) {
  struct cells c = {.count = 0};
  value_args(p, &c, args, 0);
  *count = c.count;
  return program_args(p->program, c.at, c.count);
}
