/* compile_match.c -- patterns as tests and jumps.
 *
 * Rules are tried from the top, a pattern from left to right; the first test that fails leads to the next rule.  A variable costs
 * nothing: it is another name for the register that is matched.  Tuples that are only taken apart are never made: `case (a, b) of
 * (0, x) => ...` and the clauses of functions look at the registers of a and b.
 *
 * Many rules that only tell constructors without argument (or small numbers) apart begin with a SWITCH: a table from the number
 * to the first rule that can fit.  Rules behind it still test, so that the table need not be exact. */
#include "ml/unit.h"

static void test_number(struct ml_unit *u, uint16_t value, int64_t number, ml_jumps *fail) {
  if (number == (int32_t)number) ml_emit_index(u, ML_OP_IF_IS_NOT, value, (uint32_t)(int32_t)number);
  else ml_emit_index(u, ML_OP_IF_NOT_CONSTANT, value, ml_unit_constant(u, ml_from_int(number)));
  ml_jump_later(u, fail);
}

static void match_field(struct ml_unit *u, const struct ml_pattern *p, uint16_t block, uint32_t field, ml_jumps *fail) {
  if (p->kind == ML_P_ANY) return;
  uint16_t part = ml_unit_register(u);
  ml_emit(u, ML_OP_FIELD, part, block, ml_unit_short(u, field));
  ml_match(u, p, part, fail);
}

static void match_cell(struct ml_unit *u, const struct ml_pattern *p, uint16_t value, ml_jumps *fail) {
  ml_emit(u, ML_OP_IF_NO_BLOCK, value, 0, 0);
  ml_jump_later(u, fail);
  if (p->kind == ML_P_ANY) return;
  if (p->kind == ML_P_TUPLE && p->parts == 2) {
    match_field(u, p->part[0], value, 0, fail);
    match_field(u, p->part[1], value, 1, fail);
    return;
  }
  uint16_t first = ml_unit_registers(u, 2); /* op :: pair: somebody wants it as a pair */
  ml_emit(u, ML_OP_FIELD, first, value, 0);
  ml_emit(u, ML_OP_FIELD, first + 1u, value, 1);
  uint16_t pair = ml_unit_register(u);
  ml_emit(u, ML_OP_PAIR, pair, first, first + 1u);
  ml_match(u, p, pair, fail);
}

static void match_constructor(struct ml_unit *u, const struct ml_pattern *p, uint16_t value, ml_jumps *fail) {
  const struct ml_data *data = p->data;
  if (data == u->back->ml->list_data) {
    if (p->constructor == 1) {
      match_cell(u, p->part[0], value, fail);
      return;
    }
    ml_emit(u, ML_OP_IF_BLOCK, value, 0, 0);
    ml_jump_later(u, fail);
    return;
  }
  if (!data->argument[p->constructor]) {
    if (data->constructors > 1) test_number(u, value, p->constructor, fail);
    return;
  }
  if (data->constructors > 1) {
    ml_emit(u, ML_OP_IF_NOT_CONSTRUCTED, value, ml_unit_short(u, p->constructor), 0);
    ml_jump_later(u, fail);
  }
  if (p->parts) match_field(u, p->part[0], value, 1, fail);
}

void ml_match(struct ml_unit *u, const struct ml_pattern *p, uint16_t value, ml_jumps *fail) {
  if (u->failed) return;
  switch (p->kind) {
  case ML_P_ANY: break;
  case ML_P_VAR: ml_unit_bind(u, p->slot, value, NULL); break;
  case ML_P_AS:
    ml_unit_bind(u, p->slot, value, NULL);
    ml_match(u, p->part[0], value, fail);
    break;
  case ML_P_INT: test_number(u, value, p->number, fail); break;
  case ML_P_STRING:
    ml_emit_index(u, ML_OP_IF_NOT_CONSTANT, value, ml_unit_constant(u, ml_string_constant(u, p->text, p->length)));
    ml_jump_later(u, fail);
    break;
  case ML_P_TUPLE:
  case ML_P_RECORD:
    for (uint32_t i = 0; i < p->parts; i++) match_field(u, p->part[i], value, i, fail);
    break;
  case ML_P_CONSTRUCTOR: match_constructor(u, p, value, fail); break;
  case ML_P_EXCEPTION:
    ml_emit_index(u, ML_OP_IF_NOT_EXCEPTION, value, p->exception->number);
    ml_jump_later(u, fail);
    if (p->parts) match_field(u, p->part[0], value, 1, fail);
    break;
  }
}

uint32_t ml_rules_width(const struct ml_rule *rule, uint32_t rules) {
  uint32_t width = 0;
  for (uint32_t i = 0; i < rules; i++) {
    const struct ml_pattern *p = rule[i].pattern;
    if (p->kind == ML_P_ANY) continue;
    if ((p->kind != ML_P_TUPLE && p->kind != ML_P_RECORD) || p->parts < 2 || p->parts > ML_WIDEST) return 1;
    width = p->parts;
  }
  return width ? width : 1;
}

static void match_width(struct ml_unit *u, const struct ml_pattern *p, const uint16_t *value, uint32_t width, ml_jumps *fail) {
  if (width == 1) ml_match(u, p, value[0], fail);
  else if (p->kind != ML_P_ANY)
    for (uint32_t i = 0; i < width; i++) ml_match(u, p->part[i], value[i], fail);
}

/* The number that a pattern wants of the value in the switch; -1: it may want any. */
static int64_t wanted_number(const struct ml_pattern *p) {
  if (p->kind == ML_P_INT) return p->number >= 0 && p->number < 256 ? p->number : -1;
  if (p->kind != ML_P_CONSTRUCTOR || p->data->argument[p->constructor] || p->data->constructors > 256) return -1;
  return p->constructor;
}

/* Which of the registers a switch should look at, and how far its table goes: 0 = none is worth it. A rule that wants any value
   ends what the table knows. */
static uint32_t plan_switch(const struct ml_unit *u, const struct ml_rule *rule, uint32_t rules, uint32_t width,
                            uint32_t *column) {
  for (uint32_t c = 0; c < width; c++) {
    uint32_t distinct = 0, table = 0;
    for (uint32_t i = 0; i < rules; i++) {
      const struct ml_pattern *p = rule[i].pattern;
      if (width > 1 && p->kind != ML_P_ANY) p = p->part[c];
      if (p->kind == ML_P_CONSTRUCTOR && p->data == u->back->ml->list_data) break;
      int64_t n = wanted_number(p);
      if (n < 0) break;
      distinct++;
      if (n + 1 > table) table = (uint32_t)n + 1;
    }
    if (distinct >= 4 && table <= 4 * distinct + 16) {
      *column = c;
      return table;
    }
  }
  return 0;
}

void ml_compile_rules(struct ml_unit *u, const struct ml_rule *rule, uint32_t rules, const uint16_t *value, uint32_t width,
                      uint16_t into, int tail, uint32_t otherwise, int again) {
  uint32_t column = 0, table = plan_switch(u, rule, rules, width, &column);
  size_t first = 0;
  ml_jumps end = 0, fail = 0;
  if (table) { /* the table's words: filled when their rule begins; what is left leads behind the rules that it knows */
    ml_emit_index(u, ML_OP_SWITCH, value[column], table);
    first = u->words.count;
    for (uint32_t i = 0; i < table; i++) ml_emit_index(u, ML_OP_JUMP, 0, 0);
    ml_emit_jump(u, &fail);
  }
  int known = table != 0, open = 1;
  for (uint32_t i = 0; i < rules && open && !u->failed; i++) {
    const struct ml_pattern *p = rule[i].pattern;
    if (known) {
      if (width > 1 && p->kind != ML_P_ANY) p = p->part[column];
      int64_t n = wanted_number(p);
      known = n >= 0;
      if (!known) { /* all other numbers go on here */
        for (uint32_t k = 0; k < table; k++)
          if (u->words.at[first + k].index == 0) u->words.at[first + k].index = (uint32_t)u->words.count;
        ml_jumps_here(u, fail);
        fail = 0;
      } else if (u->words.at[first + n].index == 0) u->words.at[first + n].index = (uint32_t)u->words.count;
    }
    ml_jumps miss = 0;
    size_t bindings = u->bindings.count;
    uint32_t next = u->next;
    match_width(u, rule[i].pattern, value, width, &miss);
    ml_compile_into(u, rule[i].body, into, tail);
    u->bindings.count = bindings;
    u->next = next;
    open = miss != 0 || (known && table);
    if (!tail && open) ml_emit_jump(u, &end);
    ml_jumps_here(u, miss);
  }
  if (u->failed) return;
  if (known)
    for (uint32_t k = 0; k < table; k++)
      if (u->words.at[first + k].index == 0) u->words.at[first + k].index = (uint32_t)u->words.count;
  ml_jumps_here(u, fail);
  if (open) {
    if (again >= 0) ml_emit_index(u, ML_OP_RAISE, (uint32_t)again, 0);
    else ml_emit_index(u, ML_OP_FAIL, 0, otherwise);
  }
  ml_jumps_here(u, end);
}

void ml_compile_case(struct ml_unit *u, const struct ml_expr *e, uint16_t into, int tail) {
  const struct ml_expr *of = e->part[0];
  uint32_t width = ml_rules_width(e->rule, e->rules);
  uint16_t value[ML_WIDEST];
  if (width > 1 && of->kind == ML_TUPLE && of->parts == width) {
    for (uint32_t i = 0; i < width; i++) value[i] = ml_compile_operand(u, of->part[i]);
  } else {
    width = 1;
    value[0] = ml_compile_operand(u, of);
  }
  ml_compile_rules(u, e->rule, e->rules, value, width, into, tail, ML_EXN_MATCH, -1);
}

void ml_compile_handle(struct ml_unit *u, const struct ml_expr *e, uint16_t into, int tail) {
  uint16_t exception = ml_unit_register(u);
  ml_jumps raised = 0, end = 0;
  ml_emit(u, ML_OP_HANDLE, exception, 0, 0);
  ml_jump_later(u, &raised);
  ml_compile_into(u, e->part[0], into, 0);
  ml_emit_index(u, ML_OP_UNHANDLE, 0, 0);
  if (tail) ml_emit_return(u, into, 1);
  else ml_emit_jump(u, &end);
  ml_jumps_here(u, raised);
  ml_compile_rules(u, e->rule, e->rules, &exception, 1, into, tail, ML_EXN_MATCH, exception);
  ml_jumps_here(u, end);
}
